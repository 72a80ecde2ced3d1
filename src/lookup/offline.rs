//! The reader that is this program: for each function of a chunk it writes down purpose, input, output and procedure from
//! the documentation, the head, what it gives back, its calls and its control flow. The same chunk gives the same reply.
//!
//! Paper:    PRISM's memory for RepoQA, candidate_functions: map<name, {purpose, input, output, procedure}>
//! Departs:  a candidate that a later function calls is amended with its name: who uses a function says what it is for

use super::chunks::Piece;
use super::function::{Function, FunctionReader};
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::lang::FlowKind;
use crate::memory::{Memory, Path, Value, parse_object};
use crate::reading::{Chunk, Reader, Task, Turn, merge_reply};
use crate::text::split_identifier;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value as Json, json};

/// The attribute of the memory that holds candidates.
pub const CANDIDATES: &str = "candidate_functions";
/// Parameters and calls beyond are not told: a candidate is a note, not a copy.
const TOLD: usize = 8;
/// Characters of a purpose.
const PURPOSE: usize = 240;
/// Characters of a step.
const STEP: usize = 60;
/// Values given back that are told, and characters of each.
const VALUES: usize = 3;
const VALUE: usize = 80;

/// Reads with no model.
pub struct OfflineReader<'a> {
    sources: &'a FunctionReader<'a>,
    /// Functions worth a note; all of them if none are named.
    wanted: Option<FxHashSet<DefinitionId>>,
    functions: FxHashMap<DefinitionId, Function>,
    /// Candidates of which a caller was told.
    used: FxHashSet<String>,
    /// By own name: candidates of the memory.
    named: FxHashMap<String, Vec<String>>,
}

impl<'a> OfflineReader<'a> {
    /// Takes notes of the functions that are wanted, or of all.
    pub fn new(sources: &'a FunctionReader<'a>, wanted: Option<FxHashSet<DefinitionId>>) -> Self {
        let (functions, used, named) = (FxHashMap::default(), FxHashSet::default(), FxHashMap::default());
        Self { sources, wanted, functions, used, named }
    }

    /// A function that was read.
    pub fn function(&mut self, id: DefinitionId) -> &Function {
        let sources = self.sources;
        self.functions.entry(id).or_insert_with(|| sources.function(id))
    }

    /// The revisions that a chunk leads to.
    fn revisions(&mut self, chunk: &Chunk<Piece>, memory: &Memory) -> Vec<Json> {
        let mut out = Vec::new();
        for (piece, text) in chunk.texts() {
            if self.wanted.as_ref().is_some_and(|wanted| !wanted.contains(&piece.id)) {
                continue;
            }
            let path = Path::default().key(CANDIDATES).key(&piece.key);
            let function = self.function(piece.id).clone();
            let held = memory.get(&path);
            if piece.part.0 == 1 && held.is_none() {
                let note = note(&function, text);
                out.push(json!({"path": path.to_string(), "operation": "add", "value": note}));
                self.named.entry(function.name.clone()).or_default().push(piece.key.clone());
            } else if let Some(told) = held.and_then(|held| held.get("procedure")).and_then(Value::as_str) {
                let more = procedure(&function, text);
                if !more.is_empty() && !told.contains(&more) {
                    let value = format!("{told}; then {more}");
                    out.push(json!({"path": path.key("procedure").to_string(), "operation": "update", "value": value}));
                }
            }
            out.extend(self.uses(&function, piece, memory));
        }
        out
    }

    /// What a function says about candidates that it calls: that it uses them. Told once for each.
    fn uses(&mut self, caller: &Function, piece: &Piece, memory: &Memory) -> Vec<Json> {
        let mut out = Vec::new();
        for call in &caller.calls {
            // Of several of one name it is unknown which is meant.
            let Some([key]) = self.named.get(call).map(Vec::as_slice) else { continue };
            let path = Path::default().key(CANDIDATES).key(key).key("purpose");
            let Some(told) = memory.get(&path).and_then(Value::as_str) else { continue };
            if *key != piece.key && self.used.insert(key.clone()) {
                let value = format!("{told}; used by {}", caller.name);
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

    fn reply(&mut self, turn: &Turn<'_, Piece>) -> Result<String> {
        Ok(match turn.task {
            Task::Revise => lines(&self.revisions(turn.chunk, turn.memory)),
            Task::Summarise => {
                let mut notes = serde_json::Map::new();
                for (piece, text) in turn.chunk.texts().filter(|(piece, _)| piece.part.0 == 1) {
                    if self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&piece.id)) {
                        notes.insert(piece.key.clone(), note(self.function(piece.id), text));
                    }
                }
                json!({CANDIDATES: notes}).to_string()
            }
            Task::Merge => self.merge(turn),
            Task::Rewrite => {
                let mut memory = turn.memory.clone();
                for revision in self.revisions(turn.chunk, turn.memory) {
                    memory.revise(crate::memory::parse_reply(&revision.to_string()));
                }
                memory.value().to_string()
            }
            Task::Compress | Task::Rank | Task::Answer => String::new(),
        })
    }
}

impl OfflineReader<'_> {
    /// Chain-of-Key's sections: which keys of the summary are there, which are new, and the revisions.
    fn merge(&mut self, turn: &Turn<'_, Piece>) -> String {
        let revisions = self.revisions(turn.chunk, turn.memory);
        let summary = parse_object(turn.summary);
        let keys = summary.as_ref().and_then(|s| s.get(CANDIDATES)).and_then(Value::as_map);
        let keys: Vec<&String> = keys.into_iter().flat_map(|map| map.keys()).collect();
        let is_held = |key: &&String| turn.memory.get(&Path::default().key(CANDIDATES).key(key.as_str())).is_some();
        let (held, new): (Vec<&String>, Vec<&String>) = keys.iter().partition(|key| is_held(key));
        merge_reply(&held, &new, &lines(&revisions))
    }
}

fn lines(revisions: &[Json]) -> String {
    revisions.iter().map(Json::to_string).collect::<Vec<_>>().join("\n")
}

/// What is noted of a function of which a chunk shows `text`.
fn note(function: &Function, text: &str) -> Json {
    json!({
        "purpose": purpose(function),
        "input": input(function),
        "output": output(function),
        "procedure": procedure(function, text),
    })
}

/// The first paragraph of its documentation, or the words of its name.
fn purpose(function: &Function) -> String {
    let told = one_line(&function.doc, PURPOSE);
    if told.is_empty() { split_identifier(&function.name).join(" ") } else { told }
}

/// A text on one line, cut after so many characters.
fn one_line(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(most) {
        Some((end, _)) => format!("{}...", line[..end].trim_end()),
        None => line,
    }
}

fn input(function: &Function) -> String {
    if function.parameters.is_empty() { "nothing".to_owned() } else { some(&function.parameters, ", ") }
}

/// What the head says, or what sort of value it gives back; and the values as written.
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
        (written, _) => one_line(written, VALUE),
    };
    let written: Vec<String> = function.returned.iter().take(VALUES).map(|value| one_line(value, VALUE)).collect();
    if written.is_empty() { sort } else { format!("{sort}: {}", written.join(" | ")) }
}

/// Its steps, as far as `text` goes: what it loops over, looks at and raises, and what it calls.
fn procedure(function: &Function, text: &str) -> String {
    let in_text = |part: &&String| text.contains(part.as_str());
    let steps: Vec<String> = function.steps.iter().filter(in_text).map(|step| one_line(step, STEP)).collect();
    let mut told = Vec::new();
    if !steps.is_empty() {
        told.push(some(&steps, "; "));
    }
    if function.recursive {
        told.push("calls itself".to_owned());
    }
    let calls: Vec<String> = function.calls.iter().filter(in_text).cloned().collect();
    if !calls.is_empty() {
        told.push(format!("calls {}", some(&calls, ", ")));
    }
    told.join("; ")
}

/// The first few of a list.
fn some(items: &[String], between: &str) -> String {
    let shown = items.iter().take(TOLD).map(String::as_str).collect::<Vec<_>>().join(between);
    if items.len() > TOLD { format!("{shown}, ...") } else { shown }
}
