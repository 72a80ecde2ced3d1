//! How to read: in which order, in chunks of how many tokens, and what is noted.

use crate::reading::{DEFAULT_CHUNK_TOKENS, MemoryPolicy};
use serde::Serialize;

/// In which order functions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkOrder {
    /// As the search ranks them, until the memory is settled.
    #[default]
    Best,
    /// From the first file to the last, all of them.
    Repository,
}

/// How to read.
#[derive(Debug, Clone, Copy)]
pub struct LookupOptions {
    /// How the memory is kept.
    pub policy: MemoryPolicy,
    /// Tokens of a chunk at most, held to [`crate::reading::CHUNK_TOKENS`].
    pub chunk_tokens: usize,
    /// Which functions are read first.
    pub order: ChunkOrder,
    /// Every function that is read gets a note, not only those that the search found.
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
