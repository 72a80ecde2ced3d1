//! The files of a generation in the making: parsed now, or taken over from the former one.

use crate::error::{Error, Kind};
use crate::fragment::FileFragments;
use crate::graph::{FileFacts, PackedFacts};
use crate::ids::FileId;
use crate::lang::LangId;
use crate::parse::Facts;
use crate::store::{FileRecord, FileTerms, Generation};

/// The generation that is replaced.
pub(super) struct Former<'a> {
    pub generation: &'a Generation,
}

impl<'a> Former<'a> {
    /// The record of a file, by its number there.
    pub fn record(&self, number: usize) -> &'a FileRecord {
        &self.generation.manifest.files[number]
    }

    /// What linking takes from a file, by its number there.
    pub fn facts(&self, number: usize) -> FileFacts<'a> {
        self.generation.graph.facts(FileId::new(number))
    }
}

/// What parsing a file gave.
pub(super) struct ParsedFile {
    /// Hash (XXH3, 128 bits) of its bytes on disk.
    pub hash: u128,
    pub language: Option<LangId>,
    /// What is known of it by itself, without its flow and its syntax tree.
    pub facts: Facts,
    /// The syntax tree, packed.
    pub syntax: Vec<u8>,
    pub fragments: FileFragments,
    /// Where its words occur.
    pub terms: FileTerms,
    /// Its flow, as linking takes it.
    pub linking: PackedFacts,
}

/// A file is taken over, and there is no former generation: a fault of this program.
pub(super) fn neither_old_nor_new() -> Error {
    Error::new(Kind::Index, "a file has neither old nor new facts", "report this")
}
