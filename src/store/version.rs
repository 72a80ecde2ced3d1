//! What makes two indexes of one tree equal. History:
//!
//! - FORMAT 1, CONTENT 1: the first.
//! - FORMAT 2: the manifest holds the sum of the text index.
//! - CONTENT 2: `self`, `this` and `cls` are not indexed.
//! - FORMAT 3: a file's record holds the digest of what linking takes from it.
//! - FORMAT 4: words of blocks, line ends, skeletons; facts and syntax trees packed.
//! - FORMAT 5: words of definitions, as numbers of the table of word vectors, whose digest is in the fingerprint.
//! - FORMAT 6: files are sealed: sums by block, and a seal that the manifest names.
//! - FORMAT 7: the manifest counts the calls that linking left out; CONTENT 3: a C++ namespace is the union of its parts.
//! - FORMAT 8: of each file the time of its last change of any kind and its inode; times before 1970.
//! - FORMAT 9: sums of the lengths of fields.
//! - FORMAT 10: the graph lies in a base, an overlay and links; facts lie in them.
//! - FORMAT 11: facts without what the graph file has, symbols as eight bytes.
//! - FORMAT 12: postings of words lie in the base and the overlay; no text index.
//! - FORMAT 13: lengths of the fields had through calls, by definition.
//! - FORMAT 14: facts as flat tables that linking reads where they lie.
//! - FORMAT 15: kinds and tests beside the links.
//! - FORMAT 16: how deep definitions and call sites stand in their syntax tree.
//! - FORMAT 17: definitions in order of their names.
//! - FORMAT 18: what files told each other when calls were linked; CONTENT 4: files take turns in that.
//! - CONTENT 5: another table of word vectors.
//! - CONTENT 6: members of JavaScript that a call names.
//! - FORMAT 19: which definition has its documentation from which declaration; CONTENT 7: documented declarations.
//! - FORMAT 20: the package or import path that a file declares; CONTENT 8: import paths of Go, modules and fields of Rust.
//! - CONTENT 9: doc comments before a blank line; plain comments above private functions of Rust.
//! - CONTENT 10: files with a string that ends in `<<` are no longer taken for files with endless heredocs.

use crate::wordvec::WordTable;

/// Changes when the bytes of a file in the index change their meaning.
pub const FORMAT: u32 = 20;
/// Changes when the same bytes come from the same source in another way: a new tokenizer, other extraction rules.
pub const CONTENT: u32 = 10;

/// Everything besides the source files that decides what an index holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fingerprint {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// [`CONTENT`] of the writer.
    pub content: u32,
    /// Digest of grammars, queries.
    pub languages: u64,
    /// Digest of the table of word vectors: which number stands for which word.
    pub words: u64,
    /// Largest file read, in bytes.
    pub max_size: u64,
}

impl Fingerprint {
    /// The fingerprint of this build with these settings.
    pub fn new(languages: u64, max_size: u64) -> Self {
        Self { format: FORMAT, content: CONTENT, languages, words: WordTable::builtin().digest(), max_size }
    }
}
