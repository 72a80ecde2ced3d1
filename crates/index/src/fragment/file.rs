//! The data about one file's fragments that does not depend on other files: computed once, stored,
//! and copied by a refresh.

use super::blocks::Blocks;
use super::skeleton::Skeleton;
use super::tree::SyntaxTree;
use super::window::LineEnds;
use crate::wordvec::{Numbers, WordLists, WordTable};
use whichfn_syntax::parse::{Facts, FieldWords};
use whichfn_text::Splitter;

/// Data that the index stores about a file's fragments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileFragments {
    /// End of each line in bytes, packed ([`LineEnds::pack`]).
    pub lines: Vec<u8>,
    /// Skeleton of the definitions, packed ([`Skeleton::pack`]): one fragment for each definition
    /// of the file.
    pub definitions: Vec<u8>,
    /// Words by block.
    pub blocks: Blocks,
    /// Words by definition, packed ([`WordLists::pack`]).
    pub words: Vec<u8>,
}

impl FileFragments {
    /// Builds the data of a parsed file, which must be the last text read by `split`.
    pub fn new(text: &str, facts: &Facts, words: &FieldWords, split: &Splitter, numbers: &mut Numbers) -> Self {
        let lines = LineEnds::new(text);
        let spans = facts.definitions.iter().map(|d| (d.span.start_byte, d.span.end_byte));
        Self {
            lines: lines.pack(),
            definitions: Skeleton::new(&SyntaxTree::new(&facts.syntax), spans).pack(),
            blocks: Blocks::new(&lines, split),
            words: WordLists::pack(words, &WordTable::builtin(), numbers),
        }
    }
}
