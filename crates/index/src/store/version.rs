//! Versions of the index format and content, which determine whether two indexes of one tree are
//! equal. History:
//!
//! - FORMAT 1, CONTENT 1: the first.
//! - FORMAT 2: the manifest contains the checksum of the text index.
//! - CONTENT 2: `self`, `this` and `cls` are not indexed.
//! - FORMAT 3: a file's record contains the digest of the facts that linking uses.
//! - FORMAT 4: words of blocks, line ends, skeletons; facts and syntax trees packed.
//! - FORMAT 5: words of definitions, as numbers of the table of word vectors, whose digest is in
//!   the fingerprint.
//! - FORMAT 6: files are sealed: checksums by block, and a seal that the manifest names.
//! - FORMAT 7: the manifest counts the calls that linking left out; CONTENT 3: a C++ namespace is
//!   the union of its parts.
//! - FORMAT 8: for each file the time of its last change of any kind and its inode; times before
//!   1970.
//! - FORMAT 9: sums of the lengths of fields.
//! - FORMAT 10: the graph and its facts are stored in a base, an overlay and links.
//! - FORMAT 11: facts without the data that the graph file has, symbols as eight bytes.
//! - FORMAT 12: postings of words are stored in the base and the overlay; no text index.
//! - FORMAT 13: lengths of the fields that come from calls, by definition.
//! - FORMAT 14: facts as flat tables that linking reads in place.
//! - FORMAT 15: kinds and tests along with the links.
//! - FORMAT 16: depths of definitions and call sites in their syntax tree.
//! - FORMAT 17: definitions sorted by name.
//! - FORMAT 18: the messages that files exchanged during linking; CONTENT 4: files exchange them in
//!   rounds.
//! - CONTENT 5: a different table of word vectors.
//! - CONTENT 6: members of JavaScript that a call names.
//! - FORMAT 19: pairs of declarations and the definitions that they document; CONTENT 7: documented
//!   declarations.
//! - FORMAT 20: the package or import path that a file declares; CONTENT 8: import paths of Go,
//!   modules and fields of Rust.
//! - CONTENT 9: doc comments before a blank line; plain comments above private functions of Rust.
//! - CONTENT 10: files with a string that ends in `<<` are no longer mistaken for files with
//!   endless heredocs.

use crate::wordvec::WordTable;

/// Version of the format; changes when the bytes of a file in the index change their meaning.
pub const FORMAT: u32 = 20;
/// Version of the content; changes when the same source leads to other content: a new tokenizer,
/// other extraction rules.
pub const CONTENT: u32 = 10;

/// All inputs that determine the contents of an index, except the source files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Fingerprint {
    /// [`FORMAT`] of the writer.
    pub format: u32,
    /// [`CONTENT`] of the writer.
    pub content: u32,
    /// Digest of grammars and queries.
    pub languages: u64,
    /// Digest of the table of word vectors, which maps numbers to words.
    pub words: u64,
    /// Maximum size of a file in bytes.
    pub max_size: u64,
}

impl Fingerprint {
    /// Returns the fingerprint of this build with these settings.
    pub fn new(languages: u64, max_size: u64) -> Self {
        Self { format: FORMAT, content: CONTENT, languages, words: WordTable::builtin().digest(), max_size }
    }
}
