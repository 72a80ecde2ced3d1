//! What a change can affect.

use super::super::location::{DefinitionLocation, location};
use super::super::tree::Branch;
use super::callers::Callers;
use super::nearest::{Distance, nearest};
use super::reached_tests::{ReachedTests, found_tests};
use super::roles::is_test;
use crate::search::ListingFilter;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use whichfn_index::source::Sources;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;

/// What a change of some definitions can affect.
#[derive(Debug, Clone, Default)]
pub struct Impact {
    /// The definitions that change.
    pub of: Vec<DefinitionLocation>,
    /// Definitions outside tests that can reach them, nearest first, without the changed ones, each
    /// with the length of its shortest way to one.
    pub affected: Vec<Branch<Distance>>,
    /// Files of these definitions, those with the most definitions first.
    pub files: Vec<AffectedFile>,
    /// Changed and affected definitions that code outside the repository may use, and that nothing
    /// in the repository calls outside tests; nearest first. For a program, these are its entry
    /// points.
    pub entry_points: Vec<Branch<Distance>>,
    /// Tests that reach a changed definition.
    pub tests: ReachedTests,
    /// Number of affected definitions and tests that the filter does not accept.
    pub filtered: usize,
}

/// A file with affected definitions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AffectedFile {
    /// Path from the root.
    pub path: String,
    /// Number of changed and affected definitions in the file.
    pub definitions: usize,
    /// Number of calls from the nearest of them to a changed definition.
    pub calls: u32,
}

/// Returns what a change of the definitions can affect, of what the filter accepts, with the `max`
/// nearest tests. `is_public` checks whether code outside the repository may use a definition.
pub fn impact(
    sources: &Sources<'_>,
    registry: &Registry,
    changed: &[DefinitionId],
    (max, filter): (usize, &ListingFilter),
    is_public: impl Fn(DefinitionId) -> bool,
) -> Impact {
    let graph = sources.graph();
    let mut callers = Callers::new(sources, registry);
    let mut called: FxHashSet<DefinitionId> = FxHashSet::default();
    let reached = nearest(changed, |id| {
        let steps = callers.of(id);
        if steps.iter().any(|step| step.to != id && !is_test(graph, step.to)) {
            called.insert(id);
        }
        steps
    });
    let mut files: BTreeMap<&str, AffectedFile> = BTreeMap::new();
    let (mut affected, mut entry_points, mut filtered) = (Vec::new(), Vec::new(), 0);
    for found in reached.iter().filter(|found| !is_test(graph, found.id)) {
        if !filter.accepts(graph, found.id) {
            filtered += usize::from(found.from.is_some());
            continue;
        }
        let one = Branch::new(location(graph, found.id), found.distance);
        let path = graph.path(graph.file_around(found.id));
        let fresh = || AffectedFile { path: path.to_owned(), definitions: 0, calls: found.distance.calls };
        files.entry(path).or_insert_with(fresh).definitions += 1;
        if !called.contains(&found.id) && is_public(found.id) {
            entry_points.push(one.clone());
        }
        if found.from.is_some() {
            affected.push(one);
        }
    }
    let mut files: Vec<_> = files.into_values().collect();
    files.sort_by(|a, b| (b.definitions, a.calls, &a.path).cmp(&(a.definitions, b.calls, &b.path)));
    let of = changed.iter().map(|&id| location(graph, id)).collect();
    let tests = found_tests(sources, &mut callers, &reached, (max, filter));
    Impact { of, affected, files, entry_points, filtered: filtered + tests.list.filtered, tests }
}
