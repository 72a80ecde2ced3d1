//! The shortest call paths between two definitions.
//!
//! *Implements* A* over partial paths: the distance from each definition to the target is known, so
//! complete paths are found in the order of their length.
//!
//! - **Invariant:** no path contains a definition twice; the result is sorted by distance.
//! - **Cost:** one pass over everything that can reach the target, then about one step for each
//!   definition on a path; at most [`MAX_PARTIAL`] partial paths and [`MAX_WALKED`] comparisons.
//! - **Alternatives:** `petgraph::algo::k_shortest_path` returns only lengths and counts paths that
//!   pass a node twice; `all_simple_paths` does not sort by length.

use super::super::call_sites::CallLine;
use super::super::location::{DefinitionLocation, location};
use super::super::place::Place;
use super::super::tree::{Branch, Tree};
use super::callers::{Callers, Step, StepKind};
use super::nearest::{Distance, nearest};
use super::roles::Roles;
use crate::search::ListingFilter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use whichfn_index::source::Sources;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;

/// Maximum number of partial paths that are examined.
const MAX_PARTIAL: usize = 200_000;
/// Maximum number of comparisons that check whether a partial path would contain a definition
/// twice.
const MAX_WALKED: usize = 50_000_000;

/// A path of calls that leads from a definition to another one.
#[derive(Debug, Clone, Default)]
pub struct CallPath {
    /// Length of the path.
    pub distance: Distance,
    /// Steps from the first definition to the last.
    pub steps: Vec<PathStep>,
}

/// A step of a path: a definition runs the next one.
#[derive(Debug, Clone)]
pub struct PathStep {
    /// Definition that the step leads from.
    pub from: DefinitionLocation,
    /// Definition that the step leads to.
    pub to: DefinitionLocation,
    /// Kind of the step.
    pub kind: StepKind,
    /// Position of the call; `None` if a test runner makes the step.
    pub call: Option<Place>,
}

/// Returns up to `k` shortest call paths, shortest first, from any of the definitions `from` to any
/// of the definitions `to`. They do not pass through `avoid`, or between the two through a
/// definition that the filter does not accept.
pub fn call_paths(
    sources: &Sources<'_>,
    registry: &Registry,
    (from, to): (&[DefinitionId], &[DefinitionId]),
    avoid: &[DefinitionId],
    (k, filter): (usize, &ListingFilter),
) -> Tree<CallPath> {
    let graph = sources.graph();
    let mut callers = Callers::new(sources, registry);
    // A test in a function is run by the test runner, but its calls are in the function.
    let inside: BTreeSet<DefinitionId> = from.iter().flat_map(|&id| callers.cases_inside(id)).collect();
    let from: BTreeSet<DefinitionId> = inside.into_iter().chain(from.iter().copied()).collect();
    let avoid: FxHashSet<DefinitionId> = avoid.iter().copied().collect();
    let is_passed = |id| !avoid.contains(&id) && (filter.accepts(graph, id) || from.contains(&id));
    let mut edges = Edges::default();
    let targets: Vec<DefinitionId> = to.iter().copied().filter(|id| !avoid.contains(id)).collect();
    let reached = nearest(&targets, |id| {
        let mut steps = callers.of(id);
        steps.retain(|step| is_passed(step.to));
        steps.iter().for_each(|step| edges.entry(step.to).or_default().push((id, *step)));
        steps
    });
    let rest = reached.iter().map(|one| (one.id, one.distance)).collect();
    let shown = |(distance, steps): FoundPath| {
        let steps = steps.into_iter().map(|(callee, step)| (step.to, callee, step));
        let steps = steps_along(&mut callers.roles, steps);
        Some(Branch::new(steps.first()?.from.clone(), CallPath { distance, steps }))
    };
    let found =
        shortest(&edges, &rest, &from.iter().copied().collect::<Vec<_>>(), &targets.iter().copied().collect(), k);
    let branches: Vec<_> = found.into_iter().filter_map(shown).collect();
    Tree { direct: branches.len(), branches, notices: sources.notices(), ..Tree::default() }
}

/// Converts steps (the definition that runs the other one, the other one) to steps for display.
pub(super) fn steps_along(
    roles: &mut Roles<'_>,
    steps: impl Iterator<Item = (DefinitionId, DefinitionId, Step)>,
) -> Vec<PathStep> {
    let sources = roles.sources;
    let mut named = |id: DefinitionId| {
        let place = location(sources.graph(), id);
        DefinitionLocation { name: roles.label(id).unwrap_or_else(|| place.name.clone()), ..place }
    };
    let mut shown = |(from, to, step): (DefinitionId, DefinitionId, Step)| PathStep {
        from: named(from),
        to: named(to),
        kind: step.kind,
        call: step.call.map(|(caller, row)| CallLine::of(sources, caller, &row, None).place),
    };
    steps.map(&mut shown).collect()
}

/// Steps from each definition, with the definition that each leads to.
type Edges = FxHashMap<DefinitionId, Vec<(DefinitionId, Step)>>;

/// A path with its length: the callee and the step of each call.
type FoundPath = (Distance, Vec<(DefinitionId, Step)>);

/// A partial path: its last definition, and the partial path and the step before it.
struct PartialPath {
    end: DefinitionId,
    length: Distance,
    before: Option<(usize, Step)>,
    /// True if each step leads nearer to a target by its length, so that no definition repeats.
    is_direct: bool,
}

/// Returns the `k` shortest simple paths. `rest` is the distance of each definition to a target.
fn shortest(
    edges: &Edges,
    rest: &FxHashMap<DefinitionId, Distance>,
    from: &[DefinitionId],
    targets: &FxHashSet<DefinitionId>,
    k: usize,
) -> Vec<FoundPath> {
    let starts: FxHashSet<DefinitionId> = from.iter().copied().filter(|id| !targets.contains(id)).collect();
    let (mut partial, mut heap, mut found) = (Vec::<PartialPath>::new(), BinaryHeap::new(), Vec::new());
    let mut sorted: Vec<DefinitionId> = starts.iter().copied().filter(|id| rest.contains_key(id)).collect();
    sorted.sort_unstable();
    for id in sorted {
        heap.push(Reverse((rest[&id], partial.len())));
        partial.push(PartialPath { end: id, length: Distance::default(), before: None, is_direct: true });
    }
    let mut walked = 0;
    while let Some(Reverse((_, at))) = heap.pop().filter(|_| walked < MAX_WALKED) {
        let (end, length) = (partial[at].end, partial[at].length);
        if targets.contains(&end) {
            found.push((length, steps_of(&partial, at)));
            if found.len() == k {
                break;
            }
            continue;
        }
        for &(callee, step) in edges.get(&end).into_iter().flatten() {
            let own = Distance::default().plus(&step);
            let is_direct = partial[at].is_direct && own > Distance::default() && own + rest[&callee] == rest[&end];
            let mut before = chain(&partial, at).inspect(|_| walked += 1);
            let is_repeated = starts.contains(&callee) || !is_direct && before.any(|at| partial[at].end == callee);
            drop(before);
            if !is_repeated && partial.len() < MAX_PARTIAL {
                let length = length.plus(&step);
                heap.push(Reverse((length + rest[&callee], partial.len())));
                partial.push(PartialPath { end: callee, length, before: Some((at, step)), is_direct });
            }
        }
    }
    found
}

/// Returns a partial path and those that it extends, as positions.
fn chain(partial: &[PartialPath], at: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(at), |&at| partial[at].before.map(|(before, _)| before))
}

fn steps_of(partial: &[PartialPath], at: usize) -> Vec<(DefinitionId, Step)> {
    let mut steps: Vec<_> =
        chain(partial, at).filter_map(|at| Some((partial[at].end, partial[at].before?.1))).collect();
    steps.reverse();
    steps
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use proptest::prelude::*;
    use whichfn_graph::CallReason;

    fn step(caller: u32, is_guess: bool) -> Step {
        let reason = if is_guess { CallReason::Name } else { CallReason::Scope };
        Step { to: DefinitionId(caller), kind: StepKind::Call(reason), call: None }
    }

    /// Returns the length of every simple path by trying all of them.
    fn all_simple(calls: &[(u32, u32, bool)], path: &mut Vec<u32>, to: u32, length: Distance, out: &mut Vec<Distance>) {
        let end = path[path.len() - 1];
        if end == to {
            return out.push(length);
        }
        for &(caller, callee, is_guess) in calls.iter().filter(|call| call.0 == end) {
            if !path.contains(&callee) {
                path.push(callee);
                all_simple(calls, path, to, length.plus(&step(caller, is_guess)), out);
                path.pop();
            }
        }
    }

    proptest! {
        #[test]
        fn paths_are_the_shortest_of_all_simple_paths(
            mut calls in proptest::collection::vec((0u32..7, 0u32..7, any::<bool>()), 0..24),
            k in 1usize..6,
        ) {
            calls.sort_unstable();
            calls.dedup_by_key(|call| (call.0, call.1));
            let mut edges = Edges::default();
            let targets = [DefinitionId(6)];
            let reached = nearest(&targets, |id| {
                let into = calls.iter().filter(|call| call.1 == id.0);
                let steps: Vec<Step> = into.map(|call| step(call.0, call.2)).collect();
                steps.iter().for_each(|step| edges.entry(step.to).or_default().push((id, *step)));
                steps
            });
            let rest = reached.iter().map(|one| (one.id, one.distance)).collect();
            let found = shortest(&edges, &rest, &[DefinitionId(0)], &targets.into_iter().collect(), k);
            let mut expected = Vec::new();
            all_simple(&calls, &mut vec![0], 6, Distance::default(), &mut expected);
            expected.sort_unstable();
            expected.truncate(k);
            prop_assert_eq!(found.iter().map(|(length, _)| *length).collect::<Vec<_>>(), expected);
        }
    }
}
