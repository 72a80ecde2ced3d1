//! Where a test runner looks for tests that only their names mark: files and types with certain
//! names, and types with certain bases.

use super::super::calls::inside;
use super::roles::{Roles, globs};
use globset::GlobSet;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Tests;

/// Maximum number of types that a test is run in.
const MAX_OWNERS: usize = 100;

/// The rules of one language. Without globs, all files or types count.
pub(super) struct Collection {
    files: Option<GlobSet>,
    types: Option<GlobSet>,
    bases: GlobSet,
}

impl Collection {
    pub fn new(tests: &Tests) -> Option<Self> {
        let any = |patterns: &[String]| if patterns.is_empty() { Some(None) } else { globs(patterns).map(Some) };
        Some(Self { files: any(&tests.case_files)?, types: any(&tests.case_types)?, bases: globs(&tests.case_bases)? })
    }

    /// Returns the types that a method is run in: its own, and those that inherit it. A function
    /// outside types is its own owner. Empty if the runner does not find it.
    pub fn owners(&self, roles: &Roles<'_>, id: DefinitionId) -> Vec<DefinitionId> {
        let graph = roles.sources.graph();
        let Some(own) = roles.types.type_of(id).filter(|_| self.types.is_some()) else {
            return if self.has_file(roles, id) { vec![id] } else { Vec::new() };
        };
        let below = roles.types.subtypes(own).into_iter().map(|node| node.id);
        let overrides: Vec<_> = roles.types.overrides(id).iter().filter_map(|&one| roles.types.type_of(one)).collect();
        let mut owners: Vec<_> = below.filter(|one| !overrides.contains(one)).collect();
        owners.sort_by_key(|&one| (graph.path(graph.file_around(one)), graph.definition(one).line));
        owners.dedup();
        let all = std::iter::once(own).chain(owners.into_iter().filter(|one| *one != own));
        all.filter(|&owner| self.is_collected(roles, owner)).take(MAX_OWNERS).collect()
    }

    fn has_file(&self, roles: &Roles<'_>, id: DefinitionId) -> bool {
        let graph = roles.sources.graph();
        self.files.as_ref().is_none_or(|files| files.is_match(graph.path(graph.file_around(id))))
    }

    /// Checks whether the runner looks for tests in a type and in the types around it.
    fn is_collected(&self, roles: &Roles<'_>, id: DefinitionId) -> bool {
        let graph = roles.sources.graph();
        let parent = graph.definition(id).parent;
        let kind = graph.traits(parent).kind();
        let is_reached = !kind.is_function() && (!kind.is_type() || self.is_collected(roles, parent));
        is_reached && self.has_file(roles, id) && (self.has_base(roles, id) || self.has_name(roles, id))
    }

    /// Checks the name of a type. The runner cannot create objects of a type with a constructor.
    fn has_name(&self, roles: &Roles<'_>, id: DefinitionId) -> bool {
        let graph = roles.sources.graph();
        let is_constructor = |&part: &DefinitionId| graph.definition(part).parent == id && roles.is_constructor(part);
        self.types.as_ref().is_some_and(|types| types.is_match(graph.name(id)))
            && !inside(graph, id).iter().any(is_constructor)
    }

    /// Checks the bases that a type and its bases in the repository name.
    fn has_base(&self, roles: &Roles<'_>, id: DefinitionId) -> bool {
        let graph = roles.sources.graph();
        let above = roles.types.supertypes(id).into_iter().map(|node| node.id);
        std::iter::once(id).chain(above).any(|one| {
            let head = graph.signature(one);
            let bases = head.split_once(graph.name(one)).map_or("", |(_, bases)| bases);
            bases.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| self.bases.is_match(word))
        })
    }
}
