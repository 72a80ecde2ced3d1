//! The reader of functions that needs no model. It notes the purpose, input, output and procedure
//! of each function in a chunk, taken from the documentation, the signature, the returned values,
//! the calls and the control flow. The same chunk always gives the same reply.
//!
//! **Implements:** PRISM's memory for RepoQA,
//! `candidate_functions: map<name, {purpose, input, output, procedure}>`.
//!
//! **Differs from the paper:** if a later function calls a candidate, its name is added to the
//! candidate's note, because the callers of a function show what it is for.
//!
//! **Alternatives:** passing revisions as values instead of text, which the loop would not have to
//! parse. The text is written in any case, because the trace counts its tokens, and one code path
//! reads and checks the replies of all readers.

use super::chunks::Piece;
use super::function::{Function, FunctionReader};
use crate::reading::{Chunk, Reader, ReaderInput, Task, merge_reply, revise_reply};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};
use whichfn_memory::{Memory, Path, Value, parse_object};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::FlowKind;
use whichfn_system::error::Result;
use whichfn_text::{ellipsis, one_line, split_identifier};

/// Attribute of the memory that contains the candidates.
pub const CANDIDATES: &str = "candidate_functions";
/// Maximum number of parameters, calls and steps in a note, because a note is not a copy.
const NOTED_ITEMS: usize = 8;
/// Maximum number of characters in a purpose.
const PURPOSE_CHARS: usize = 240;
/// Maximum number of characters in a step.
const STEP_CHARS: usize = 60;
/// Maximum number of returned values in a note.
const NOTED_VALUES: usize = 3;
/// Maximum number of characters in a returned value or return type.
const VALUE_CHARS: usize = 80;

/// A reader of functions that does not use a language model.
pub struct OfflineReader<'a> {
    reader: &'a FunctionReader<'a>,
    /// Functions that get a note; `None` for all functions.
    wanted: Option<FxHashSet<DefinitionId>>,
    functions: FxHashMap<DefinitionId, Function>,
    callers: CallerNotes,
}

impl<'a> OfflineReader<'a> {
    /// Creates a reader that takes notes on the `wanted` functions, or on all functions if `None`.
    pub fn new(reader: &'a FunctionReader<'a>, wanted: Option<FxHashSet<DefinitionId>>) -> Self {
        Self { reader, wanted, functions: FxHashMap::default(), callers: CallerNotes::default() }
    }

    /// Removes a function from the cache and returns it. Reads the function first if it is not
    /// cached.
    pub fn take(&mut self, id: DefinitionId) -> Function {
        self.functions.remove(&id).unwrap_or_else(|| self.reader.function(id))
    }

    fn is_wanted(&self, piece: &Piece) -> bool {
        self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&piece.id))
    }

    /// Returns the revisions that follow from a chunk.
    fn revisions(&mut self, chunk: &Chunk<Piece>, memory: &Memory) -> Vec<Json> {
        let mut out = Vec::new();
        for (piece, text) in chunk.texts() {
            if !self.is_wanted(piece) {
                continue;
            }
            let path = Path::default().key(CANDIDATES).key(&piece.key);
            let function = self.functions.entry(piece.id).or_insert_with(|| self.reader.function(piece.id));
            let entry = memory.get(&path);
            if piece.part.0 == 1 && entry.is_none() {
                let note = note(function, text);
                out.push(json!({"path": path.to_string(), "operation": "add", "value": note}));
                self.callers.add_candidate(function, piece);
            } else if let Some(noted) = entry.and_then(|entry| entry.get("procedure")).and_then(Value::as_str) {
                let more = procedure(function, text);
                if !more.is_empty() && !noted.contains(&more) {
                    let value = format!("{noted}; then {more}");
                    out.push(json!({"path": path.key("procedure").to_string(), "operation": "update", "value": value}));
                }
            }
            out.extend(self.callers.uses(function, piece, memory));
        }
        out
    }
}

/// Notes on the callers of candidates, one for each candidate.
#[derive(Default)]
struct CallerNotes {
    /// Keys of the memory's candidates, indexed by the name without its scope.
    candidates: FxHashMap<String, Vec<String>>,
    /// Keys of candidates that already have a note on a caller.
    noted: FxHashSet<String>,
}

impl CallerNotes {
    fn add_candidate(&mut self, function: &Function, piece: &Piece) {
        self.candidates.entry(function.name.clone()).or_default().push(piece.key.clone());
    }

    /// Returns revisions that add `caller` to the purposes of the candidates that it calls.
    fn uses(&mut self, caller: &Function, piece: &Piece, memory: &Memory) -> Vec<Json> {
        let mut out = Vec::new();
        for call in &caller.calls {
            // If several candidates share the name, the call is ambiguous.
            let Some([key]) = self.candidates.get(call).map(Vec::as_slice) else { continue };
            let path = Path::default().key(CANDIDATES).key(key).key("purpose");
            let Some(purpose) = memory.get(&path).and_then(Value::as_str) else { continue };
            if *key != piece.key && self.noted.insert(key.clone()) {
                let value = format!("{purpose}; used by {}", caller.name);
                out.push(json!({"path": path.to_string(), "operation": "update", "value": value}));
            }
        }
        out
    }
}

impl Reader<Piece> for OfflineReader<'_> {
    fn name(&self) -> &str {
        "offline"
    }

    fn reply(&mut self, turn: &ReaderInput<'_, Piece>) -> Result<String> {
        Ok(match turn.task {
            Task::Revise => revise_reply(&self.revisions(turn.chunk, turn.memory)),
            Task::Summarise => {
                let mut notes = serde_json::Map::new();
                for (piece, text) in turn.chunk.texts().filter(|(piece, _)| piece.part.0 == 1) {
                    if self.is_wanted(piece) {
                        let function = self.functions.entry(piece.id).or_insert_with(|| self.reader.function(piece.id));
                        notes.insert(piece.key.clone(), note(function, text));
                    }
                }
                json!({CANDIDATES: notes}).to_string()
            }
            Task::Merge => self.merge(turn),
            Task::Compress | Task::Rank | Task::Nearest | Task::Answer => String::new(),
        })
    }
}

impl OfflineReader<'_> {
    /// Writes a Chain-of-Key reply: the summary's keys that are known, its keys that are new, and the
    /// revisions.
    fn merge(&mut self, turn: &ReaderInput<'_, Piece>) -> String {
        let revisions = self.revisions(turn.chunk, turn.memory);
        let summary = parse_object(turn.summary);
        let keys = summary.as_ref().and_then(|s| s.get(CANDIDATES)).and_then(Value::as_map);
        let keys: Vec<&String> = keys.into_iter().flat_map(|map| map.keys()).collect();
        let is_known = |key: &&String| turn.memory.get(&Path::default().key(CANDIDATES).key(key.as_str())).is_some();
        let (known, new): (Vec<&String>, Vec<&String>) = keys.iter().partition(|key| is_known(key));
        merge_reply(&known, &new, &revisions)
    }
}

/// Returns the note on a function, of which a chunk shows `text`.
fn note(function: &Function, text: &str) -> Json {
    json!({
        "purpose": purpose(function),
        "input": input(function),
        "output": output(function),
        "procedure": procedure(function, text),
    })
}

/// Returns the first paragraph of the documentation, or the words of the name.
fn purpose(function: &Function) -> String {
    let documented = short_line(&function.doc, PURPOSE_CHARS);
    if documented.is_empty() { split_identifier(&function.name).join(" ") } else { documented }
}

/// Joins a string into one line and truncates it after `most` characters.
fn short_line(text: &str, most: usize) -> String {
    ellipsis(&one_line(text), most, "...")
}

fn input(function: &Function) -> String {
    if function.parameters.is_empty() { "nothing".to_owned() } else { some(&function.parameters, ", ") }
}

/// Returns the declared return type, or the kind of the returned values, followed by those values
/// as written.
fn output(function: &Function) -> String {
    const SORTS: [(FlowKind, &str); 8] = [
        (FlowKind::Booleans, "boolean"),
        (FlowKind::Comparisons, "boolean"),
        (FlowKind::Strings, "string"),
        (FlowKind::Numbers, "number"),
        (FlowKind::Lists, "list"),
        (FlowKind::Maps, "map"),
        (FlowKind::Tuples, "tuple"),
        (FlowKind::Nothing, "nothing"),
    ];
    let mut sorts: Vec<&str> =
        SORTS.iter().filter(|(kind, _)| function.flow.gives(*kind)).map(|(_, sort)| *sort).collect();
    sorts.dedup();
    let sort = match (function.return_type.trim(), sorts.is_empty()) {
        ("", false) => sorts.join(" or "),
        ("", true) if function.returned.is_empty() => return "nothing".to_owned(),
        ("", true) => "a value".to_owned(),
        (written, _) => short_line(written, VALUE_CHARS),
    };
    let written: Vec<String> =
        function.returned.iter().take(NOTED_VALUES).map(|value| short_line(value, VALUE_CHARS)).collect();
    if written.is_empty() { sort } else { format!("{sort}: {}", written.join(" | ")) }
}

/// Returns the steps and calls of a function that occur in `text`: loops, conditions, raised errors
/// and calls.
fn procedure(function: &Function, text: &str) -> String {
    let in_text = |part: &&String| text.contains(part.as_str());
    let steps: Vec<String> = function.steps.iter().filter(in_text).map(|step| short_line(step, STEP_CHARS)).collect();
    let mut clauses = Vec::new();
    if !steps.is_empty() {
        clauses.push(some(&steps, "; "));
    }
    if function.recursive {
        clauses.push("calls itself".to_owned());
    }
    let calls: Vec<String> = function.calls.iter().filter(in_text).cloned().collect();
    if !calls.is_empty() {
        clauses.push(format!("calls {}", some(&calls, ", ")));
    }
    clauses.join("; ")
}

/// Joins the first [`NOTED_ITEMS`] items, with an ellipsis if there are more.
fn some(items: &[String], between: &str) -> String {
    let shown = items.iter().take(NOTED_ITEMS).map(String::as_str).collect::<Vec<_>>().join(between);
    if items.len() > NOTED_ITEMS { format!("{shown}, ...") } else { shown }
}
