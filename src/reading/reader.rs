//! Who reads: this program, or a language model. Both reply in text, and both replies are read and checked the same
//! way.

use super::chunk::Chunk;
use crate::error::Result;
use crate::llm::{Model, Request};
use crate::memory::{Memory, count_tokens};
use serde::Serialize;

/// What a reader is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Revisions of the memory after a chunk (PRISM).
    Revise,
    /// What a chunk says, as a memory of its own (Chain-of-Key, first).
    Summarise,
    /// Keys to update, keys to add, and the revisions that bring a summary into the memory (Chain-of-Key, then).
    Merge,
    /// The whole memory anew after a chunk (incremental overwriting, what PRISM is compared with).
    Rewrite,
    /// The memory in fewer tokens.
    Compress,
    /// The names of the memory's candidates, the best first.
    Rank,
    /// Of an empty memory: which of all that was shown come nearest, if any.
    Nearest,
    /// An answer in words.
    Answer,
}

/// One call of a reader, with what it may look at.
pub struct Turn<'t, P> {
    /// What the reader is to reply with.
    pub task: Task,
    /// The prompt: all that a model sees.
    pub prompt: &'t str,
    /// The chunk that the prompt shows, for `Rank` and `Nearest` what is to be chosen from; empty for `Compress` and
    /// `Answer`.
    pub chunk: &'t Chunk<P>,
    /// The memory before this call.
    pub memory: &'t Memory,
    /// For `Merge`, the reply to `Summarise`; else empty.
    pub summary: &'t str,
}

/// Reads chunks of pieces `P` and proposes what to keep.
pub trait Reader<P> {
    /// The reader's name in traces: `offline`, or the model's.
    fn name(&self) -> &str;

    /// Whether it can say a memory in fewer words; what is too long is dropped otherwise.
    fn compresses(&self) -> bool {
        false
    }

    /// The reply to a prompt.
    ///
    /// # Errors
    /// When a model fails.
    fn reply(&mut self, turn: &Turn<'_, P>) -> Result<String>;

    /// Returns how many replies so far ended before they were done.
    fn cut(&self) -> usize {
        0
    }
}

/// The reply to [`Task::Merge`]: keys of the summary that the memory has, those that it has not, and the revisions.
pub fn merge_reply<K: Serialize>(held: &[K], new: &[K], revisions: &str) -> String {
    let keys = |keys: &[K]| serde_json::json!(keys);
    format!("## Keys to update\n{}\n## Keys to add\n{}\n## Revisions\n{revisions}", keys(held), keys(new))
}

/// Tokens of a reply that is not about single pieces: an answer, keys to look at next, what a model says around it.
const PLAIN_REPLY: usize = 1_024;
/// Tokens that a reply may have for each piece of a chunk: a note of purpose, input, output and procedure, as JSON.
const PIECE_REPLY: usize = 128;
/// Tokens of all notes about a chunk at most.
const NOTES_REPLY: usize = 3_072;

/// Returns the most tokens that a reply may have: enough for what it may write, and a bound for a model that repeats itself.
fn reply_limit<P>(turn: &Turn<'_, P>) -> u32 {
    let pieces = (turn.chunk.pieces().len() * PIECE_REPLY).min(NOTES_REPLY);
    let tokens = match turn.task {
        Task::Revise | Task::Summarise | Task::Merge => PLAIN_REPLY + pieces,
        // The whole memory is written again.
        Task::Rewrite => PLAIN_REPLY + pieces + count_tokens(&turn.memory.render()),
        Task::Compress => PLAIN_REPLY + count_tokens(&turn.memory.render()),
        Task::Rank | Task::Nearest | Task::Answer => PLAIN_REPLY,
    };
    u32::try_from(tokens).unwrap_or(u32::MAX)
}

/// A language model as a reader.
pub struct ModelReader<'m> {
    /// The model that completes the prompts.
    pub model: &'m dyn Model,
    /// The JSON Schema of revisions, for servers that keep to one.
    pub revisions: serde_json::Value,
    /// The JSON Schema of a whole memory.
    pub whole: serde_json::Value,
    /// Replies so far that ended before they were done.
    pub cut: usize,
}

impl<P> Reader<P> for ModelReader<'_> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn compresses(&self) -> bool {
        true
    }

    fn cut(&self) -> usize {
        self.cut
    }

    fn reply(&mut self, turn: &Turn<'_, P>) -> Result<String> {
        let schema = match turn.task {
            Task::Revise => Some(&self.revisions),
            Task::Summarise | Task::Rewrite | Task::Compress => Some(&self.whole),
            // Sections, and a list that is read with patience.
            Task::Merge | Task::Rank | Task::Nearest | Task::Answer => None,
        };
        let reply = self.model.complete(&Request { schema, ..Request::limited(turn.prompt, reply_limit(turn)) })?;
        self.cut += usize::from(reply.cut);
        Ok(reply.text)
    }
}
