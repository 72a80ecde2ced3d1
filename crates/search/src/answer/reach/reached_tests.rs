//! The tests that reach definitions.

use super::super::call_sites::CallSites;
use super::super::location::{DefinitionLocation, location};
use super::callers::Callers;
use super::nearest::{Distance, Reached, nearest, way};
use super::paths::{PathStep, steps_along};
use super::roles::Role;
use super::runner::arguments;
use whichfn_index::source::Sources;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;

/// The tests that reach some definitions.
#[derive(Debug, Clone, Default)]
pub struct ReachedTests {
    /// The nearest tests, sorted by distance, path and line.
    pub tests: Vec<ReachedTest>,
    /// Number of tests, including those that are not in `tests`.
    pub total: usize,
    /// Arguments that make test runners run all of the tests, nearest first.
    pub arguments: Vec<String>,
    /// Paths of files whose text has changed since indexing: their lines are not shown.
    pub unread: Vec<String>,
}

/// A test that reaches a definition.
#[derive(Debug, Clone)]
pub struct ReachedTest {
    /// The test with its position. If it is an anonymous function, its name is the string that
    /// names the test.
    pub location: DefinitionLocation,
    /// Length of the path.
    pub distance: Distance,
    /// Path from the test to the definition.
    pub path: Vec<PathStep>,
}

/// Returns the tests that reach any of the definitions: the `max` nearest with their paths, and the
/// arguments for all.
pub fn tests_of(sources: &Sources<'_>, registry: &Registry, starts: &[DefinitionId], max: usize) -> ReachedTests {
    let mut callers = Callers::new(sources, registry);
    let reached = nearest(starts, |id| callers.of(id));
    found_tests(sources, &mut callers, &reached, max)
}

/// Returns the tests among everything that was reached.
pub(super) fn found_tests(
    sources: &Sources<'_>,
    callers: &mut Callers<'_>,
    reached: &[Reached],
    max: usize,
) -> ReachedTests {
    let graph = sources.graph();
    let mut cases: Vec<usize> =
        (0..reached.len()).filter(|&at| callers.roles.role(reached[at].id) == Role::Case).collect();
    cases.sort_by_key(|&at| {
        let row = graph.definition(reached[at].id);
        (reached[at].distance, graph.path(row.file), row.line, reached[at].id)
    });
    let ids: Vec<DefinitionId> = cases.iter().map(|&at| reached[at].id).collect();
    let mut sites = CallSites::new(sources);
    let mut test = |&at: &usize| {
        let mut place = location(graph, reached[at].id);
        place.name = shown_name(sources, callers, reached[at].id);
        let steps: Vec<_> = way(reached, at).filter_map(|at| Some((reached[at].id, reached[at].from?))).collect();
        let steps = steps.into_iter().map(|(id, (before, step))| (id, reached[before].id, step));
        ReachedTest { location: place, distance: reached[at].distance, path: steps_along(graph, &mut sites, steps) }
    };
    let tests = cases.iter().take(max).map(&mut test).collect();
    ReachedTests { tests, total: ids.len(), arguments: arguments(sources, callers, &ids), unread: sources.left_out() }
}

/// Returns the name of a test for users.
pub(super) fn shown_name(sources: &Sources<'_>, callers: &mut Callers<'_>, id: DefinitionId) -> String {
    match sources.graph().qualified_name(id) {
        "" => callers.roles.name(id),
        name => name.to_owned(),
    }
}
