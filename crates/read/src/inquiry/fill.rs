//! Puts the text of statements, word for word, into the fields that the schema has for their type.

use super::statement::Statement;
use whichfn_memory::{Map, Memory, Operation, Path, Revision, SchemaObject, Type, Value};
use whichfn_text::{Stemmer, plain_words};

/// Maximum number of characters in a key. Keys are for people, so longer ones are shortened at a
/// word.
const LONGEST_KEY: usize = 80;
/// Names of fields that contain the name of an object.
const NAMES: &[&str] = &["name", "key", "title"];

/// Compares names by the stems of their words. Use one matcher for a whole reading, because its
/// stemmer caches words.
#[derive(Default)]
pub struct NameMatcher {
    stemmer: Stemmer,
}

impl NameMatcher {
    /// Checks whether two names consist of the same words, such as `portOfCall`, `port of call` and
    /// `Ports of call`.
    pub fn are_same(&mut self, one: &str, other: &str) -> bool {
        let stems = self.stems(one);
        !stems.is_empty() && stems == self.stems(other)
    }

    fn stems(&mut self, text: &str) -> Vec<String> {
        let mut stems = Vec::new();
        plain_words(text, |word| stems.push(self.stemmer.stem(word).to_owned()));
        stems
    }

    /// Returns the key of a statement: its name, the cell that identifies its row, the heading, or
    /// the words that it shares with the question.
    pub fn key_of(&mut self, statement: &Statement, shared: &str) -> String {
        let own = statement.name.clone().or_else(|| self.naming_cell(statement, shared));
        let key = own.or_else(|| statement.heading.clone()).unwrap_or_else(|| shared.to_owned());
        shortened(&key)
    }

    /// Returns the first cell of a row that has letters and a word of `shared`, or else the first
    /// cell. Returns `None` if the statement is not a row.
    fn naming_cell(&mut self, statement: &Statement, shared: &str) -> Option<String> {
        if !statement.is_row {
            return None;
        }
        let shared_stems: Vec<String> =
            shared.split(' ').filter(|word| !word.is_empty()).map(|word| self.stemmer.stem(word).to_owned()).collect();
        let mut cells = statement.fields.iter().map(|(_, cell)| cell);
        let naming = cells.clone().find(|cell| {
            cell.chars().any(char::is_alphabetic) && self.stems(cell).iter().any(|stem| shared_stems.contains(stem))
        });
        naming.or_else(|| cells.next()).cloned()
    }
}

/// Applies revisions one after another to a copy of the memory, and collects those that the memory
/// accepts.
pub struct RevisionApplier<'n> {
    /// Copy of the memory with all revisions accepted so far.
    pub memory: Memory,
    /// Accepted revisions, in order.
    pub done: Vec<Revision>,
    /// Matcher of names in the text with fields of the schema.
    pub names: &'n mut NameMatcher,
}

impl<'n> RevisionApplier<'n> {
    /// Creates an applier that starts from a copy of the memory.
    pub fn new(memory: Memory, names: &'n mut NameMatcher) -> Self {
        Self { memory, done: Vec::new(), names }
    }

    /// Applies a revision. Returns false if the memory rejects it.
    pub fn make(&mut self, path: Path, operation: Operation, value: Value) -> bool {
        let revision = Revision { path, operation, value };
        let is_taken = self.memory.apply(&revision).is_ok();
        if is_taken {
            self.done.push(revision);
        }
        is_taken
    }

    /// Notes a statement in a map or list.
    ///
    /// If a map already contains the key, a string is appended to the old one and a number is
    /// replaced with a larger one. An object gets a numbered key, as does any value if updates are
    /// off.
    pub fn note(&mut self, place: &Path, ty: &Type, key: &str, statement: &Statement, score: f32) {
        match ty {
            Type::List(inner) => {
                let Some(value) = value(inner, key, statement, score, self.names) else { return };
                let is_held = |list: &[Value]| list.contains(&value);
                if !self.memory.get(place).and_then(Value::as_list).is_some_and(is_held) {
                    self.make(place.clone(), Operation::Add, Value::List(vec![value]));
                }
            }
            Type::Map(inner) => {
                let Some(value) = value(inner, key, statement, score, self.names) else { return };
                match (self.memory.get(&place.key(key)), &value) {
                    (None, _) | (Some(Value::List(_)), _) => drop(self.make(place.key(key), Operation::Add, value)),
                    (Some(held), _) if *held == value => {}
                    (Some(Value::Str(held)), Value::Str(new)) if held.contains(new.as_str()) => {}
                    (Some(Value::Str(held)), Value::Str(new)) => {
                        let both = Value::Str(format!("{held}\n{new}"));
                        if !self.make(place.key(key), Operation::Update, both) {
                            self.add_numbered(place, key, value);
                        }
                    }
                    (Some(Value::Float(held)), Value::Float(new)) => {
                        if new > held {
                            self.make(place.key(key), Operation::Update, value);
                        }
                    }
                    _ => self.add_numbered(place, key, value),
                }
            }
            _ => {}
        }
    }

    /// Adds a value under the first free key of `key (2)`, `key (3)` and so on, unless one of them
    /// has the same value.
    fn add_numbered(&mut self, place: &Path, key: &str, value: Value) {
        for number in 2.. {
            let place = place.key(format!("{key} ({number})"));
            match self.memory.get(&place) {
                Some(held) if *held == value => return,
                Some(_) => {}
                None => {
                    self.make(place, Operation::Add, value);
                    return;
                }
            }
        }
    }

    /// Sets a plain value that is missing, if the text can be parsed as its type.
    pub fn set(&mut self, place: &Path, ty: &Type, text: &str) {
        if self.memory.get(place).is_none()
            && let Some(value) = read(ty, text)
        {
            self.make(place.clone(), Operation::Add, value);
        }
    }

    /// Sets the fields of an object that the statement names.
    pub fn set_fields(&mut self, place: &Path, object: &SchemaObject, statement: &Statement) {
        let cells = statement.fields.iter().filter(|_| statement.is_row);
        let own = statement.name.iter().map(|name| (name, &statement.text));
        for (name, text) in cells.map(|(name, text)| (name, text)).chain(own) {
            if let Some((field, schema_field)) =
                object.fields.iter().find(|(field, _)| self.names.are_same(field, name))
            {
                self.set(&place.key(field.as_str()), &schema_field.ty, text);
            }
        }
    }
}

/// Shortens a key to at most [`LONGEST_KEY`] characters, at a space if it has one.
fn shortened(key: &str) -> String {
    let Some((end, _)) = key.char_indices().nth(LONGEST_KEY) else { return key.to_owned() };
    key[..key[..end].rfind(' ').unwrap_or(end)].to_owned()
}

/// Converts a statement to a value of a type. Returns `None` if the statement has no such value.
fn value(ty: &Type, key: &str, statement: &Statement, score: f32, names: &mut NameMatcher) -> Option<Value> {
    match ty {
        Type::Str => Some(statement.text.as_str().into()),
        // Rounded to three digits, because more digits carry no information.
        Type::Float => Some(Value::Float((f64::from(score) * 1e3).round() / 1e3)),
        Type::Int | Type::Bool => read(ty, &statement.text),
        Type::List(inner) => Some(Value::List(vec![value(inner, key, statement, score, names)?])),
        Type::Map(inner) => {
            let fields: Map =
                statement.fields.iter().filter_map(|(name, text)| Some((name.clone(), read(inner, text)?))).collect();
            (!fields.is_empty()).then_some(Value::Map(fields))
        }
        Type::Object(object) => object_of(object, key, statement, score, names),
    }
}

/// Returns an object from the record around a statement, or from the statement itself if no field
/// matches.
fn object_of(
    object: &SchemaObject,
    key: &str,
    statement: &Statement,
    score: f32,
    names: &mut NameMatcher,
) -> Option<Value> {
    let mut fields = Map::new();
    for (name, field) in &object.fields {
        let text =
            statement.fields.iter().find(|(column, _)| names.are_same(column, name)).map(|(_, text)| text.as_str());
        if let Some(value) = text.and_then(|text| read(&field.ty, text)) {
            fields.insert(name.clone(), value);
        }
    }
    let is_name = |name: &str| NAMES.contains(&name);
    if fields.is_empty() {
        let mut texts = object.fields.iter().filter(|(name, _)| !is_name(name));
        let (name, value) =
            texts.find_map(|(name, field)| Some((name, text_value(&field.ty, key, statement, score, names)?)))?;
        fields.insert(name.clone(), value);
    }
    if let Some((name, _)) = object.fields.iter().find(|(name, field)| is_name(name) && field.ty == Type::Str) {
        fields.entry(name.clone()).or_insert_with(|| key.into());
    }
    Some(Value::Map(fields))
}

/// Returns the text of a statement for a field that can contain text.
fn text_value(ty: &Type, key: &str, statement: &Statement, score: f32, names: &mut NameMatcher) -> Option<Value> {
    match ty {
        Type::Str => value(ty, key, statement, score, names),
        Type::List(inner) if **inner == Type::Str => value(ty, key, statement, score, names),
        _ => None,
    }
}

/// Parses a string as a value of a plain type, or as a list with one such value.
fn read(ty: &Type, text: &str) -> Option<Value> {
    match ty {
        Type::Str => Some(text.into()),
        Type::Int => text.parse().ok().map(Value::Int),
        Type::Float => text.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float),
        Type::Bool => match text.to_lowercase().as_str() {
            "true" | "yes" => Some(Value::Bool(true)),
            "false" | "no" => Some(Value::Bool(false)),
            _ => None,
        },
        Type::List(inner) => Some(Value::List(vec![read(inner, text)?])),
        Type::Map(_) | Type::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_memory::{MemoryFormat, Schema};

    const TEXTS: &str = r#"{"additionalProperties": {"type": "string"}}"#;
    const NUMBERS: &str = r#"{"additionalProperties": {"type": "number"}}"#;
    const LIST: &str = r#"{"items": {"type": "string"}}"#;

    /// Returns an empty memory with one attribute `x` of a type, given as JSON Schema.
    fn memory(ty: &str, updates: bool) -> Memory {
        let schema = format!(r#"{{"properties": {{"x": {ty}}}}}"#);
        Memory::new(Schema::read(&schema).expect("schema"), MemoryFormat::Amendments, updates)
    }

    fn statement(text: &str, fields: &[(&str, &str)]) -> Statement {
        let fields = fields.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
        Statement { text: text.into(), fields, ..Statement::default() }
    }

    /// Returns the memory after statements are noted under one key of its only attribute.
    fn noted(ty: &str, updates: bool, statements: &[Statement]) -> String {
        let mut names = NameMatcher::default();
        let mut filler = RevisionApplier::new(memory(ty, updates), &mut names);
        let root = filler.memory.schema().root().clone();
        let (name, field) = root.fields.first().expect("an attribute");
        for (at, statement) in statements.iter().enumerate() {
            filler.note(&Path::default().key(name.as_str()), &field.ty, "salt", statement, 0.5 + 0.25 * at as f32);
        }
        filler.memory.value().to_string()
    }

    #[test]
    fn converts_a_statement_to_each_type() {
        let row = statement("metal: tin, price: 31", &[("metal", "tin"), ("price", "31")]);
        for (ty, held) in [
            (TEXTS, r#"{"x":{"salt":"metal: tin, price: 31"}}"#),
            (NUMBERS, r#"{"x":{"salt":0.5}}"#),
            (
                r#"{"additionalProperties": {"items": {"type": "string"}}}"#,
                r#"{"x":{"salt":["metal: tin, price: 31"]}}"#,
            ),
            (LIST, r#"{"x":["metal: tin, price: 31"]}"#),
            (
                r#"{"items": {"properties": {"name": {"type": "string"}, "prices": {"type": "integer"}}}}"#,
                r#"{"x":[{"prices":31,"name":"salt"}]}"#,
            ),
            (
                r#"{"additionalProperties": {"properties": {"told": {"type": "string"}, "age": {"type": "integer"}}}}"#,
                r#"{"x":{"salt":{"told":"metal: tin, price: 31"}}}"#,
            ),
            (r#"{"additionalProperties": {"type": "boolean"}}"#, "{}"),
            (r#"{"items": {"type": "integer"}}"#, "{}"),
        ] {
            assert_eq!(noted(ty, true, std::slice::from_ref(&row)), held, "{ty}");
        }
    }

    #[test]
    fn an_existing_key_keeps_its_value() {
        let statements = [statement("Salt.", &[]), statement("More salt.", &[]), statement("Salt.", &[])];
        assert_eq!(noted(TEXTS, true, &statements), r#"{"x":{"salt":"Salt.\nMore salt."}}"#);
        assert_eq!(noted(TEXTS, false, &statements[..2]), r#"{"x":{"salt":"Salt.","salt (2)":"More salt."}}"#);
        assert_eq!(noted(NUMBERS, true, &statements), r#"{"x":{"salt":1.0}}"#);
        assert_eq!(noted(LIST, true, &statements), r#"{"x":["Salt.","More salt."]}"#);
    }

    #[test]
    fn sets_a_field_once_by_a_value_of_its_type() {
        let mut names = NameMatcher::default();
        let mut filler = RevisionApplier::new(memory(r#"{"type": "integer"}"#, true), &mut names);
        let place = Path::default().key("x");
        for text in ["forty", "40", "50"] {
            filler.set(&place, &Type::Int, text);
        }
        assert_eq!(filler.memory.value().to_string(), r#"{"x":40}"#);
    }

    #[test]
    fn compares_names_in_any_spelling() {
        let mut names = NameMatcher::default();
        let mut same_words = |one, other| names.are_same(one, other);
        assert!(same_words("portOfCall", "Ports of call") && same_words("port_of_call", "port-of-call"));
        assert!(!same_words("port", "port of call") && !same_words("", ""));
    }
}
