//! Options of a look-up: reading order, chunk size and notes.

use crate::reading::{DEFAULT_CHUNK_TOKENS, MemoryPolicy};
use serde::Serialize;

/// Order in which functions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkOrder {
    /// The best search results first, until the memory is settled.
    #[default]
    Best,
    /// All functions, from the first file to the last.
    Repository,
}

/// Options of a look-up.
#[derive(Debug, Clone, Copy)]
pub struct LookupOptions {
    /// Policy of the memory.
    pub policy: MemoryPolicy,
    /// Maximum tokens of a chunk, clamped to [`crate::reading::CHUNK_TOKENS`].
    pub chunk_tokens: usize,
    /// Order of reading.
    pub order: ChunkOrder,
    /// Takes a note of every function that is read, not only of those that the search found.
    pub note_all: bool,
}

impl Default for LookupOptions {
    fn default() -> Self {
        Self {
            policy: MemoryPolicy::default(),
            chunk_tokens: DEFAULT_CHUNK_TOKENS,
            order: ChunkOrder::Best,
            note_all: false,
        }
    }
}
