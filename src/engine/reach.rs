//! What can reach a definition or a change: tests, affected code, and call paths.

use super::Engine;
use std::path::Path;
use whichfn_check::{ChangeOf, ChangedDefinitions, changed_definitions, header, is_private, read_change};
use whichfn_index::source::Sources;
use whichfn_search::answer::{
    CallPath, Impact, Named, ReachedTests, Tree, call_paths, impact, parts_of, tests_of, users_of,
};
use whichfn_search::search::ListingFilter;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, LangId};
use whichfn_system::error::Result;

impl Engine {
    /// Returns the definitions that a change touches. This engine must be open on the tree that
    /// contains the change. The former contents are read from git.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Self::check`].
    pub fn changed(&self, repository: &Path, source: &ChangeOf) -> Result<ChangedDefinitions> {
        let change = read_change(repository, source)?;
        changed_definitions(&self.root, &self.generation, &self.registry, &change)
    }

    /// Returns what definitions represent: a type or a file, everything in it.
    pub fn parts(&self, of: &[DefinitionId]) -> Vec<DefinitionId> {
        of.iter().flat_map(|&id| parts_of(&self.generation.graph, id)).collect()
    }

    /// Returns the definitions that use any of the values: a change of a value changes what they
    /// do.
    pub fn users(&self, values: &[Named]) -> Vec<DefinitionId> {
        let sources = self.sources();
        let mut all: Vec<_> = values.iter().flat_map(|&value| users_of(&sources, &self.registry, value)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the tests that reach any of the definitions and that a filter accepts, with the paths of
    /// the `max` nearest.
    pub fn tests(&self, of: &[DefinitionId], max: usize, filter: &ListingFilter) -> ReachedTests {
        tests_of(&self.sources(), &self.registry, of, max, filter)
    }

    /// Returns what a change of the definitions can affect, of what a filter accepts, with the `max`
    /// nearest tests.
    pub fn impact(&self, of: &[DefinitionId], max: usize, filter: &ListingFilter) -> Impact {
        let sources = self.sources();
        impact(&sources, &self.registry, of, (max, filter), |id| self.is_entry_point(&sources, id))
    }

    /// Returns up to `k` shortest call paths between definitions that do not pass through
    /// `avoid`, or through a definition that a filter does not accept.
    pub fn call_paths(
        &self,
        from: &[DefinitionId],
        to: &[DefinitionId],
        avoid: &[DefinitionId],
        k: usize,
        filter: &ListingFilter,
    ) -> Tree<CallPath> {
        let ends = (&self.parts(from)[..], &self.parts(to)[..]);
        call_paths(&self.sources(), &self.registry, ends, &self.parts(avoid), (k, filter))
    }

    /// Checks whether code outside the repository may run a definition: a public function that is
    /// not nested in another one, or the top-level code of a file.
    fn is_entry_point(&self, sources: &Sources<'_>, id: DefinitionId) -> bool {
        let graph = &self.generation.graph;
        let row = graph.definition(id);
        let language = graph.language(row.file).and_then(|number| self.registry.language(LangId(number)).ok());
        let Some(language) = language else { return false };
        if row.kind() == DefinitionKind::Entry {
            return true;
        }
        let is_nested = graph.definition(row.parent).kind().is_function();
        let is_public = || {
            let text = sources.text(row.file);
            !is_private(language, row.kind(), graph.name(id), &header(graph, id, &text))
        };
        row.parent == id || row.kind().is_function() && !is_nested && is_public()
    }
}
