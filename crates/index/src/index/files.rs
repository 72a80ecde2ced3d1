//! Describes the files of a generation under construction, which are newly parsed or copied from
//! the previous generation.

use crate::fragment::FileFragments;
use crate::store::{FileRecord, FileTerms, Generation};
use whichfn_graph::FileFacts;
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::LangId;
use whichfn_syntax::parse::Facts;
use whichfn_system::error::{Error, Kind};

/// The generation that the new one replaces.
pub(super) struct PreviousGeneration<'a> {
    pub generation: &'a Generation,
    /// True if it is the index of another checkout.
    pub is_sibling: bool,
}

impl<'a> PreviousGeneration<'a> {
    /// Returns the record of a file, given the file's number in this generation.
    pub fn record(&self, number: usize) -> &'a FileRecord {
        &self.generation.manifest.files[number]
    }

    /// Returns the facts that linking needs about a file, given the file's number in this
    /// generation.
    pub fn facts(&self, number: usize) -> FileFacts<'a> {
        self.generation.graph.facts(FileId::new(number))
    }
}

/// The result of reading and parsing a file.
pub(super) struct ParsedFile {
    /// Hash (XXH3, 128 bits) of the file's bytes on disk.
    pub hash: u128,
    pub language: Option<LangId>,
    /// Facts about the file itself, without its data flow and syntax tree.
    pub facts: Facts,
    /// The packed syntax tree of the file.
    pub syntax: Vec<u8>,
    pub fragments: FileFragments,
    /// Occurrences of the file's terms.
    pub terms: FileTerms,
    /// The facts that linking needs, in stored form.
    pub flow: Vec<u8>,
    /// Digest of these facts.
    pub link: u64,
}

/// Returns the error for a file that should be copied although there is no previous generation,
/// which is a bug in this program.
pub(super) fn missing_from_plan() -> Error {
    Error::new(Kind::Index, "a file has neither old nor new facts", "report this bug")
}
