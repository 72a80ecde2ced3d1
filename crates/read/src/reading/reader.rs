//! Defines readers, which are part of this program or a language model. All readers reply in text
//! that is parsed and checked in the same way.

use super::chunk::Chunk;
use super::counts::ReplyCounts;
use serde::Serialize;
use whichfn_llm::{Model, Request};
use whichfn_memory::{Memory, count_tokens};
use whichfn_system::error::Result;

/// Task of one call to a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Revise the memory after a chunk (PRISM).
    Revise,
    /// Summarize a chunk as a separate memory (Chain-of-Key, first call).
    Summarise,
    /// List keys to update, keys to add, and the revisions that merge a summary into the memory
    /// (Chain-of-Key, second call).
    Merge,
    /// Write the memory again in fewer tokens.
    Compress,
    /// Name the memory's candidates, best first.
    Rank,
    /// Name the closest of all functions that were shown, if any, because the memory is empty.
    Nearest,
    /// Answer the question in words.
    Answer,
}

/// Inputs of one call to a reader.
pub struct ReaderInput<'t, P> {
    /// The task of the reader.
    pub task: Task,
    /// The prompt, which is everything that a model sees.
    pub prompt: &'t str,
    /// The chunk in the prompt. For `Rank` and `Nearest`, this is the functions to choose from; for
    /// `Compress` and `Answer`, it is empty.
    pub chunk: &'t Chunk<P>,
    /// The memory before the call.
    pub memory: &'t Memory,
    /// For `Merge`, the reply to `Summarise`; otherwise empty.
    pub summary: &'t str,
}

/// Reads chunks of pieces `P` and proposes revisions to the memory.
pub trait Reader<P> {
    /// Returns the reader's name for traces: `offline`, or the name of the model.
    fn name(&self) -> &str;

    /// Checks whether the reader is a language model.
    fn is_model(&self) -> bool {
        false
    }

    /// Checks whether the reader can shorten a memory. If it cannot, entries of a memory that is
    /// too long are dropped.
    fn compresses(&self) -> bool {
        false
    }

    /// Returns the reply to a prompt.
    ///
    /// # Errors
    /// Returns an error if a model fails.
    fn reply(&mut self, turn: &ReaderInput<'_, P>) -> Result<String>;

    /// Returns the counts of all replies received so far.
    fn counts(&self) -> ReplyCounts {
        ReplyCounts::default()
    }
}

/// Formats the reply to [`Task::Revise`]: one revision per line.
pub fn revise_reply(revisions: &[serde_json::Value]) -> String {
    revisions.iter().map(serde_json::Value::to_string).collect::<Vec<_>>().join("\n")
}

/// Formats the reply to [`Task::Merge`]: the summary's keys that the memory contains, the other
/// keys, and the revisions.
pub fn merge_reply<K: Serialize>(held: &[K], new: &[K], revisions: &[serde_json::Value]) -> String {
    serde_json::json!({"update": held, "add": new, "revisions": revisions}).to_string()
}

/// Maximum number of tokens in an answer in words.
const ANSWER: usize = 1_024;
/// Maximum number of tokens in a list of keys, with a sentence about it.
const LIST: usize = 256;
/// Maximum number of tokens in the part of notes that is not about single pieces: keys to look at
/// next, the model's text around the notes.
const PLAIN_NOTES: usize = 512;
/// Maximum number of tokens in the note on one piece of a chunk. A note on every piece is rare, and
/// the longest notes have 100 tokens.
const PIECE_NOTES: usize = 64;
/// Maximum number of tokens in all notes on the pieces of a chunk.
const ALL_NOTES: usize = 1_024;

/// Maximum number of tokens in a reply to a chunk.
pub const LONGEST_NOTES: usize = PLAIN_NOTES + ALL_NOTES;

/// Returns the maximum number of tokens in a reply: enough for everything that it may contain, but
/// limited in case a model repeats itself.
fn reply_limit<P>(turn: &ReaderInput<'_, P>) -> usize {
    match turn.task {
        Task::Revise | Task::Summarise | Task::Merge => {
            PLAIN_NOTES + (turn.chunk.pieces().len() * PIECE_NOTES).min(ALL_NOTES)
        }
        Task::Compress => PLAIN_NOTES + count_tokens(&turn.memory.render()),
        Task::Rank | Task::Nearest => LIST,
        Task::Answer => ANSWER,
    }
}

/// A language model that acts as a reader.
pub struct ModelReader<'m> {
    /// The model that completes the prompts.
    pub model: &'m dyn Model,
    /// The JSON Schema of revisions, for servers that support one.
    pub revisions: serde_json::Value,
    /// The JSON Schema of a whole memory.
    pub memory_schema: serde_json::Value,
    /// The JSON Schema of a list of pieces; `None` if the reader is never asked for one.
    pub list: Option<serde_json::Value>,
    /// Maximum number of tokens in a reply, so that it fits into the context window.
    pub longest_reply: usize,
    /// Counts of all replies received so far.
    pub counts: ReplyCounts,
}

impl<P> Reader<P> for ModelReader<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn is_model(&self) -> bool {
        true
    }

    fn compresses(&self) -> bool {
        true
    }

    fn counts(&self) -> ReplyCounts {
        self.counts
    }

    fn reply(&mut self, turn: &ReaderInput<'_, P>) -> Result<String> {
        let merge = (turn.task == Task::Merge).then(|| merge_schema(&self.revisions));
        let schema = match turn.task {
            Task::Revise => Some(&self.revisions),
            Task::Summarise | Task::Compress => Some(&self.memory_schema),
            Task::Rank | Task::Nearest => self.list.as_ref(),
            Task::Merge => merge.as_ref(),
            // The reply consists of words.
            Task::Answer => None,
        };
        let most = u32::try_from(reply_limit(turn).min(self.longest_reply)).unwrap_or(u32::MAX);
        let reply = self.model.complete(&Request { schema, ..Request::limited(turn.prompt, most) })?;
        self.counts.add(&reply);
        Ok(reply.text)
    }
}

/// Returns the JSON Schema of a list that contains only the given names. Servers that support
/// schemas let a model write nothing else. The list has at most as many entries as there are names,
/// because a small model may otherwise repeat them without end.
pub fn list_schema(names: &[String]) -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "properties": {"order": {"type": "array", "items": {"type": "string", "enum": names}, "maxItems": names.len()}},
        "required": ["order"],
        "additionalProperties": false
    })
}

/// Restricts the paths in a schema of revisions, and the names in its remark on certainty, to the
/// given ones, and the lists to as many entries.
pub fn restrict_names(revisions: &mut serde_json::Value, paths: &[String], names: &[String]) {
    let properties = &mut revisions["properties"];
    properties["revisions"]["items"]["properties"]["path"]["enum"] = serde_json::json!(paths);
    properties["revisions"]["maxItems"] = serde_json::json!(paths.len());
    if let Some(certain) = properties.get_mut("certain") {
        certain["items"]["enum"] = serde_json::json!(names);
        certain["maxItems"] = serde_json::json!(names.len());
    }
}

/// Returns the JSON Schema of revisions whose values have the schema `value`.
pub fn revisions_schema(value: serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "type": "object",
        "properties": {"revisions": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "operation": {"type": "string", "enum": ["add", "update"]},
                "value": value
            },
            "required": ["path", "operation", "value"],
            "additionalProperties": false
        }}},
        "required": ["revisions"],
        "additionalProperties": false
    })
}

/// Adds the keys that a merge updates and adds to a schema of revisions.
fn merge_schema(revisions: &serde_json::Value) -> serde_json::Value {
    let mut merge = revisions.clone();
    let mut keys = serde_json::json!({"type": "array", "items": {"type": "string"}});
    if let Some(most) = merge["properties"]["revisions"].get("maxItems") {
        keys["maxItems"] = most.clone();
    }
    merge["properties"]["update"] = keys.clone();
    merge["properties"]["add"] = keys;
    if let Some(required) = merge["required"].as_array_mut() {
        required.splice(0..0, ["update".into(), "add".into()]);
    }
    merge
}

/// Maximum number of functions that a reply may request, as in the instructions.
const REQUESTS: usize = 6;

/// Adds a reader's optional remarks to a schema of revisions. A remark without content is null.
pub fn with_remarks(mut revisions: serde_json::Value) -> serde_json::Value {
    let texts = serde_json::json!({"type": ["array", "null"], "items": {"type": "string"}, "maxItems": REQUESTS});
    revisions["properties"]["certain"] = texts.clone();
    revisions["properties"]["more"] = texts;
    revisions["required"] = serde_json::json!(["revisions", "certain", "more"]);
    revisions
}
