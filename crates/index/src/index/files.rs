//! Describes the files of a generation under construction: newly parsed, or copied from the
//! previous one.

use crate::fragment::FileFragments;
use crate::store::{FileRecord, FileTerms, Generation};
use whichfn_graph::{FileFacts, PackedFacts};
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::LangId;
use whichfn_syntax::parse::Facts;
use whichfn_system::error::{Error, Kind};

/// The generation that is replaced.
pub(super) struct PreviousGeneration<'a> {
    pub generation: &'a Generation,
}

impl<'a> PreviousGeneration<'a> {
    /// Returns the record of a file, by its number in that generation.
    pub fn record(&self, number: usize) -> &'a FileRecord {
        &self.generation.manifest.files[number]
    }

    /// Returns the facts of a file that linking uses, by its number in that generation.
    pub fn facts(&self, number: usize) -> FileFacts<'a> {
        self.generation.graph.facts(FileId::new(number))
    }
}

/// The result of parsing a file.
pub(super) struct ParsedFile {
    /// Hash (XXH3, 128 bits) of its bytes on disk.
    pub hash: u128,
    pub language: Option<LangId>,
    /// Facts of the file itself, without its flow and its syntax tree.
    pub facts: Facts,
    /// The packed syntax tree.
    pub syntax: Vec<u8>,
    pub fragments: FileFragments,
    /// Positions of its words.
    pub terms: FileTerms,
    /// Its flow, packed for linking.
    pub linking: PackedFacts,
}

/// Returns the error for a file that is to be copied although no previous generation exists: a bug
/// in this program.
pub(super) fn missing_from_plan() -> Error {
    Error::new(Kind::Index, "a file has neither old nor new facts", "report this")
}
