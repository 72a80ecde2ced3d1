//! The tests that reach definitions.

use super::super::tree::{Branch, Tree};
use super::callers::Callers;
use super::cases::{TestCase, cases};
use super::nearest::{Reached, nearest, way};
use super::paths::{CallPath, steps_along};
use super::runner::arguments;
use crate::search::ListingFilter;
use whichfn_index::source::Sources;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;
use whichfn_text::{directories_between, file_name, split_identifier};

/// Maximum number of steps in the paths of all tests together. The paths of the other tests are
/// shortened.
const MAX_STEPS: usize = 200_000;

/// The tests that reach some definitions.
#[derive(Debug, Clone, Default)]
pub struct ReachedTests {
    /// The tests, each with its path to a definition, sorted by distance, by how close their file is,
    /// then by path and line. If a test is an anonymous function, its name is the string that names
    /// it.
    pub list: Tree<CallPath>,
    /// Arguments that make test runners run all of the tests, nearest first.
    pub arguments: Vec<String>,
}

/// Returns the tests that reach any of the definitions: the `max` nearest with their paths, and the
/// arguments for all that the filter accepts.
pub fn tests_of(
    sources: &Sources<'_>,
    registry: &Registry,
    starts: &[DefinitionId],
    max: usize,
    filter: &ListingFilter,
) -> ReachedTests {
    let mut callers = Callers::new(sources, registry);
    let reached = nearest(starts, |id| callers.of(id));
    found_tests(sources, &mut callers, &reached, (max, filter))
}

/// Returns the tests among everything that was reached.
pub(super) fn found_tests(
    sources: &Sources<'_>,
    callers: &mut Callers<'_>,
    reached: &[Reached],
    (max, filter): (usize, &ListingFilter),
) -> ReachedTests {
    let graph = sources.graph();
    let mut of = |at: usize| cases(sources, callers, reached[at].id).into_iter().map(move |case| (at, case));
    let mut all: Vec<_> = (0..reached.len()).flat_map(&mut of).collect();
    let found = all.len();
    all.retain(|(_, case)| filter.accepts_place(case.file, true));
    let starts = starts(reached);
    all.sort_by_cached_key(|(at, case)| {
        let (path, start) = (graph.path(case.file), graph.definition(reached[starts[*at]].id).file);
        (reached[*at].distance, remoteness(path, graph.path(start)), path, case.line, reached[*at].id)
    });
    let mut left = MAX_STEPS;
    let mut test = |(at, case): &(usize, TestCase)| {
        let steps: Vec<_> =
            way(reached, *at).filter_map(|at| Some((reached[at].id, reached[at].from?))).take(left).collect();
        left -= steps.len();
        let steps = steps.into_iter().map(|(id, (before, step))| (id, reached[before].id, step));
        let steps = steps_along(&mut callers.roles, steps);
        let path = CallPath { distance: reached[*at].distance, steps };
        Branch::new(case.location(graph, reached[*at].id), path)
    };
    let branches: Vec<_> = all.iter().take(max).map(&mut test).collect();
    let arguments = arguments(sources, callers, all.iter().map(|(_, case)| case));
    let (direct, left_out, filtered) = (all.len(), all.len() - branches.len(), found - all.len());
    let list = Tree { direct, branches, left_out, filtered, notices: sources.notices(), ..Tree::default() };
    ReachedTests { list, arguments }
}

/// Returns the position of the start that each reached definition was reached from.
fn starts(reached: &[Reached]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(reached.len());
    for (at, one) in reached.iter().enumerate() {
        starts.push(one.from.map_or(at, |(before, _)| starts[before]));
    }
    starts
}

/// Returns how far the file of a test is from a file: whether its name lacks a word of the file's
/// name, as `test_store.py` and `StoreTest` do not for `store`, and the number of directories
/// between the two.
fn remoteness(test: &str, file: &str) -> (bool, usize) {
    let words = |path: &str| {
        let name = file_name(path);
        split_identifier(name.split_once('.').map_or(name, |(stem, _)| stem))
    };
    let in_test = words(test);
    let lacks_word = words(file).iter().any(|word| !in_test.contains(word));
    (lacks_word, directories_between(test, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_with_the_name_of_the_file_is_closest_then_one_in_its_directory() {
        let mut tests =
            ["test/api/test_users.py", "app/feed/test_users.py", "test/test_feed.py", "app/feed/feed_test.py"];
        tests.sort_by_key(|test| remoteness(test, "app/feed/feed.py"));
        assert_eq!(
            tests,
            ["app/feed/feed_test.py", "test/test_feed.py", "app/feed/test_users.py", "test/api/test_users.py"]
        );
        assert_eq!(remoteness("PriceTest.java", "Price.java"), (false, 0));
    }
}
