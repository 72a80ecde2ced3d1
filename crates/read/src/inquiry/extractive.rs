//! The reader that needs no language model. It copies the statements that match the question, word
//! for word, into the matching fields of the schema. The same text always gives the same memory.
//!
//! | type in the schema | noted value |
//! |-|-|
//! | `map<str, str>` | statements, by their name or by the words shared with the question |
//! | `map<str, float>` | share of the question that a statement covers, 0 to 1 |
//! | `map<str, object>`, `list<object>` | objects with fields of a record (columns, named lines) |
//! | `list<str>` | statements |
//! | map of objects with `columns` | each table, with its columns and the types of their values |
//! | `str`, `int`, `float`, `bool` | text after the field's name, else closest sentence (`str`) |
//!
//! **Limits:** it cannot infer, count, compare or rephrase; combine statements from two different
//! parts of the text; resolve pronouns; or notice that a later sentence contradicts an earlier one.
//! A number without a name before it is not noted, and the memory stays empty if the schema's names
//! differ from those in the text.
//!
//! **Implements:** the reader of PRISM and Chain-of-Key, without their language model.
//!
//! **Cost:** one pass over the text before reading, one more for each text field of the schema, and
//! one during reading.

use super::fill::{NameMatcher, RevisionApplier};
use super::passage::Passage;
use super::relevance::Relevance;
use super::statement::{Statement, statements};
use super::table::ColumnType;
use crate::reading::{Chunk, Reader, ReaderInput, Task, merge_reply, revise_reply};
use indexmap::IndexMap;
use serde_json::{Value as Json, json};
use whichfn_memory::{Memory, Operation, Path, Revision, Schema, SchemaObject, Type, Value, parse_object, parse_reply};
use whichfn_system::error::Result;
use whichfn_text::file_name;

/// Maximum number of noted statements, because a memory must be shorter than the text.
const NOTED: usize = 24;
/// Name of the field that makes an object the description of a table.
const COLUMNS: &str = "columns";

/// A reader that does not use a language model.
pub struct ExtractiveReader {
    schema: Schema,
    relevance: Relevance,
    /// Relevance of the statements to the words of each attribute of type `str`.
    nearness: IndexMap<String, Relevance>,
    names: NameMatcher,
}

impl ExtractiveReader {
    /// Creates a reader for a question about the given chunks.
    pub fn new(question: &str, schema: &Schema, chunks: &[Chunk<Passage>]) -> Self {
        let all: Vec<Statement> = chunks.iter().flat_map(Chunk::pieces).flat_map(statements).collect();
        let texts = schema.root().fields.iter().filter(|(_, field)| field.ty == Type::Str);
        let nearness = texts.map(|(name, field)| {
            let words = format!("{name} {}", field.doc.as_deref().unwrap_or_default());
            (name.clone(), Relevance::new(&words, &all, 1))
        });
        let nearness = nearness.collect();
        let relevance = Relevance::new(question, &all, NOTED);
        Self { schema: schema.clone(), relevance, nearness, names: NameMatcher::default() }
    }

    /// Returns the revisions that follow from a chunk. Each revision is applied to a copy of the
    /// memory before the next one is made.
    fn revisions(&mut self, chunk: &Chunk<Passage>, memory: &Memory) -> Vec<Revision> {
        let Self { schema, relevance, nearness, names } = self;
        let mut filler = RevisionApplier::new(memory.clone(), names);
        for passage in chunk.pieces() {
            let statements = statements(passage);
            for (name, field) in &schema.root().fields {
                let place = Path::default().key(name.as_str());
                match (&field.ty, as_table(&field.ty)) {
                    (_, Some(table)) => describe(&mut filler, &place, table, passage, &statements),
                    (Type::Map(_) | Type::List(_), None) => {
                        note(&mut filler, &place, &field.ty, relevance, &statements);
                    }
                    (ty, None) => fill(&mut filler, name, ty, nearness.get(name), &statements),
                }
            }
        }
        filler.done
    }
}

/// Notes in a map or list the statements that match the question.
fn note(filler: &mut RevisionApplier, place: &Path, ty: &Type, relevance: &mut Relevance, statements: &[Statement]) {
    for statement in statements {
        let Some(score) = relevance.score(statement) else { continue };
        let key = filler.names.key_of(statement, &relevance.shared(statement));
        filler.note(place, ty, &key, statement, score);
    }
}

/// Fills an attribute that has one value. For a `str`, `near` selects the statement closest to the
/// attribute's words.
fn fill(filler: &mut RevisionApplier, name: &str, ty: &Type, near: Option<&Relevance>, statements: &[Statement]) {
    let place = Path::default().key(name);
    for statement in statements {
        if statement.name.as_deref().is_some_and(|own| filler.names.are_same(own, name)) {
            filler.set(&place, ty, &statement.text);
        } else if let Type::Object(object) = ty {
            filler.set_fields(&place, object, statement);
        } else if near.is_some_and(|near| near.score(statement).is_some()) {
            filler.set(&place, ty, &statement.text);
        }
    }
}

/// Returns the object type that describes a table, if the type is a map of objects whose field
/// [`COLUMNS`] is a map.
fn as_table(ty: &Type) -> Option<&SchemaObject> {
    let Type::Map(inner) = ty else { return None };
    let Type::Object(object) = inner.as_ref() else { return None };
    matches!(object.fields.get(COLUMNS)?.ty, Type::Map(_)).then_some(object.as_ref())
}

/// Notes a table's columns and the type of the values in each column.
fn describe(
    filler: &mut RevisionApplier,
    place: &Path,
    table: &SchemaObject,
    passage: &Passage,
    statements: &[Statement],
) {
    let (Some(head), Some(Type::Map(column))) = (&passage.head, table.fields.get(COLUMNS).map(|field| &field.ty))
    else {
        return;
    };
    let file = file_name(&passage.file);
    let columns = place.key(file.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(file)).key(COLUMNS);
    for name in &head.columns {
        let cells =
            statements.iter().flat_map(|statement| statement.fields.iter()).filter(|(column, _)| column == name);
        let new = cells.map(|(_, cell)| ColumnType::from_value(cell)).reduce(ColumnType::with);
        let place = match column.as_ref() {
            Type::Object(object) if object.fields.get("type").is_some_and(|field| field.ty == Type::Str) => {
                columns.key(name.as_str()).key("type")
            }
            Type::Str => columns.key(name.as_str()),
            _ => return,
        };
        let known = filler.memory.get(&place).and_then(Value::as_str).and_then(ColumnType::named);
        let Some(both) = new.map(|new| known.map_or(new, |known| known.with(new))) else { continue };
        if known != Some(both) {
            filler.make(place, Operation::Update, both.name().into());
        }
    }
}

impl Reader<Passage> for ExtractiveReader {
    fn name(&self) -> &str {
        "offline"
    }

    fn reply(&mut self, turn: &ReaderInput<'_, Passage>) -> Result<String> {
        Ok(match turn.task {
            Task::Revise => revise_reply(&self.written_revisions(turn.chunk, turn.memory)),
            Task::Summarise => {
                let nothing = Memory::new(self.schema.clone(), turn.memory.form(), true);
                self.after(turn.chunk, nothing).to_string()
            }
            Task::Merge => {
                let summary = parse_object(turn.summary);
                let (held, new) = entries(summary.as_ref(), turn.memory);
                merge_reply(&held, &new, &self.written_revisions(turn.chunk, turn.memory))
            }
            Task::Compress | Task::Rank | Task::Nearest | Task::Answer => String::new(),
        })
    }
}

impl ExtractiveReader {
    /// Returns the revisions that follow from a chunk, as in a reply.
    fn written_revisions(&mut self, chunk: &Chunk<Passage>, memory: &Memory) -> Vec<Json> {
        self.revisions(chunk, memory).iter().map(written).collect()
    }

    /// Returns the memory after the revisions of a chunk.
    fn after(&mut self, chunk: &Chunk<Passage>, mut memory: Memory) -> Value {
        let reply = revise_reply(&self.written_revisions(chunk, &memory));
        memory.revise(parse_reply(&reply));
        memory.value().clone()
    }
}

/// Splits a summary's keys into those that the memory contains and new ones.
fn entries<'s>(summary: Option<&'s Value>, memory: &Memory) -> (Vec<&'s str>, Vec<&'s str>) {
    let (mut held, mut new) = (Vec::new(), Vec::new());
    for (attribute, value) in summary.and_then(Value::as_map).into_iter().flatten() {
        for key in value.as_map().into_iter().flatten().map(|(key, _)| key.as_str()) {
            let is_held = memory.get(&Path::default().key(attribute.as_str()).key(key)).is_some();
            if is_held { held.push(key) } else { new.push(key) }
        }
    }
    (held, new)
}

/// Returns a revision as in a reply.
fn written(revision: &Revision) -> Json {
    let operation = if revision.operation == Operation::Add { "add" } else { "update" };
    let (path, value) = (revision.path.to_string(), Json::from(&revision.value));
    json!({"path": path, "operation": operation, "value": value})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inquiry::chunks;
    use whichfn_index::source::NamedText;
    use whichfn_memory::MemoryFormat;

    /// Returns the memory after reading all chunks of the given text.
    fn read(schema: &str, question: &str, name: &str, text: &str) -> String {
        let schema = Schema::read(schema).expect("schema");
        let chunks = chunks(&[NamedText { name: name.into(), text: text.into() }], 100);
        let mut reader = ExtractiveReader::new(question, &schema, &chunks);
        let mut memory = Memory::new(schema, MemoryFormat::Amendments, true);
        for chunk in &chunks {
            let (before, revisions) = (memory.clone(), reader.revisions(chunk, &memory));
            let revised = memory.revise(parse_reply(&revise_reply(&revisions.iter().map(written).collect::<Vec<_>>())));
            assert!(revised.rejected.is_empty(), "{:?} of {revisions:?} after {before:?}", revised.rejected);
        }
        memory.value().to_string()
    }

    const TABLES: &str = r#"{"properties": {"tables": {"additionalProperties": {"properties": {
        "columns": {"additionalProperties": {"type": "string"}}}}}}}"#;

    #[test]
    fn widens_a_column_type_from_chunk_to_chunk() {
        let rows = |from: u32| (from..from + 40).map(|n| format!("{n},{n}\n")).collect::<String>();
        let table = format!("id,price\n{}41,7.5\n{}82,unknown\n", rows(1), rows(42));
        assert_eq!(
            read(TABLES, "what is in the tables", "stock.csv", &table),
            r#"{"tables":{"stock":{"columns":{"id":"int","price":"str"}}}}"#
        );
        assert_eq!(read(TABLES, "what is in the tables", "notes.txt", "No table, only text.\n"), "{}");
    }

    #[test]
    fn fills_a_text_field_with_the_closest_sentence() {
        let text = "The quay was empty at dawn. Captain Brandt commands the schooner. Salt is her cargo.\n";
        let schema = r#"{"properties": {
            "captain": {"type": "string", "description": "Who commands the ship."}, "price": {"type": "number"}}}"#;
        assert_eq!(
            read(schema, "Who is the captain?", "t.txt", text),
            r#"{"captain":"Captain Brandt commands the schooner."}"#
        );
    }

    #[test]
    fn notes_only_part_of_a_repetitive_log() {
        let log: String = (0..500).map(|n| format!("2026-03-01 12:00:00 ERROR db: lost {n}\n")).collect();
        let schema = r#"{"properties": {"lines": {"items": {"type": "string"}}}}"#;
        let held = read(schema, "what was lost", "app.log", &log);
        assert_eq!(held.matches("lost").count(), NOTED);
    }
}
