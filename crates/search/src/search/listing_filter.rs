//! Filter of the definitions that a command about a name lists.

use super::file_filter::FileFilter;
use super::query::Query;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;

/// Filter that accepts the definitions in some files, with or without tests.
#[derive(Debug, Clone)]
pub struct ListingFilter {
    /// True for each accepted file; `None` for all files.
    files: Option<Vec<bool>>,
    without_tests: bool,
}

impl ListingFilter {
    /// Accepts every definition.
    pub const ALL: Self = Self { files: None, without_tests: false };

    /// Returns the filter for the languages and paths of a query.
    ///
    /// # Errors
    /// Returns an error if the query names an unknown language or a glob is invalid.
    pub fn new(query: &Query, without_tests: bool, registry: &Registry, graph: &GraphFile) -> Result<Self> {
        let filter = FileFilter::new(query, registry, graph)?;
        let accepted = || graph.file_ids().map(|file| filter.accepts(graph, file)).collect();
        Ok(Self { files: (!filter.is_all()).then(accepted), without_tests })
    }

    /// Checks whether the filter accepts every definition.
    pub fn is_all(&self) -> bool {
        self.files.is_none() && !self.without_tests
    }

    /// Checks whether the filter accepts a definition.
    pub fn accepts(&self, graph: &GraphFile, id: DefinitionId) -> bool {
        self.accepts_file(graph.definition(id).file) && !(self.without_tests && graph.traits(id).is_test())
    }

    /// Checks whether the filter accepts a place in a file.
    pub fn accepts_place(&self, file: FileId, is_test: bool) -> bool {
        self.accepts_file(file) && !(self.without_tests && is_test)
    }

    fn accepts_file(&self, file: FileId) -> bool {
        self.files.as_ref().is_none_or(|files| files.get(file.index()) == Some(&true))
    }
}
