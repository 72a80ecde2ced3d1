//! What makes two indexes of one tree equal. History:
//!
//! - FORMAT 1, CONTENT 1: the first.
//! - FORMAT 2: the manifest holds the sum of the text index.
//! - CONTENT 2: `self`, `this` and `cls` are not indexed.
//! - FORMAT 3: a file's record holds the digest of what linking takes from it.
//! - FORMAT 4: words of blocks, line ends, skeletons; facts and syntax trees packed.

/// Changes when the bytes of a file in the index change their meaning.
pub const FORMAT: u32 = 4;
/// Changes when the same bytes come from the same source in another way: a new tokenizer, other extraction rules.
pub const CONTENT: u32 = 2;

/// Everything besides the source files that decides what an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fingerprint {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// [`CONTENT`] of the writer.
    pub content: u32,
    /// Digest of grammars, queries.
    pub languages: u64,
    /// Largest file read, in bytes.
    pub max_size: u64,
}

impl Fingerprint {
    /// The fingerprint of this build with these settings.
    pub fn new(languages: u64, max_size: u64) -> Self {
        Self { format: FORMAT, content: CONTENT, languages, max_size }
    }
}
