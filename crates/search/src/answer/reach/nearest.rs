//! Shortest ways to everything that can be reached, by Dijkstra's algorithm.
//!
//! **Invariant:** definitions are in the order of their distance; ties are sorted by number. The
//! order does not depend on the order of the steps.
//!
//! **Cost:** each definition is expanded once.
//!
//! **Alternatives:** petgraph's `dijkstra` returns distances without the ways, and its graphs
//! cannot add steps while they are walked, such as the step from a fixture to a test.
//!
//! **Tested by:** `paths`, which compares with all simple paths.

use super::callers::Step;
use rustc_hash::FxHashSet;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use whichfn_syntax::ids::DefinitionId;

/// Length of a way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Distance {
    /// Number of calls, where a step that is a guess counts as [`GUESS`](super::GUESS) calls, and
    /// a dispatched call as `DISPATCH` calls.
    pub weight: u32,
    /// Number of calls.
    pub calls: u32,
    /// Number of calls that are matched by name only.
    pub guesses: u32,
}

impl Distance {
    /// Returns the distance after one more step.
    pub(super) fn plus(self, step: &Step) -> Self {
        let (calls, guesses) = step.kind.counts();
        let weight = self.weight.saturating_add(step.kind.weight());
        Self { weight, calls: self.calls.saturating_add(calls), guesses: self.guesses.saturating_add(guesses) }
    }
}

impl std::ops::Add for Distance {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            weight: self.weight.saturating_add(other.weight),
            calls: self.calls.saturating_add(other.calls),
            guesses: self.guesses.saturating_add(other.guesses),
        }
    }
}

/// A definition that is reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    pub id: DefinitionId,
    pub distance: Distance,
    /// Position of the definition that it was reached from, and the step; `None` for a start.
    pub from: Option<(usize, Step)>,
}

/// Returns everything that can be reached from the starts, nearest first. `next` returns the steps
/// from a definition.
pub(super) fn nearest(starts: &[DefinitionId], mut next: impl FnMut(DefinitionId) -> Vec<Step>) -> Vec<Reached> {
    let (mut reached, mut steps) = (Vec::<Reached>::new(), Vec::<(usize, Step)>::new());
    let mut seen = FxHashSet::default();
    let mut heap: BinaryHeap<_> = starts.iter().map(|&id| Reverse((Distance::default(), id, None))).collect();
    while let Some(Reverse((distance, id, number))) = heap.pop() {
        if !seen.insert(id) {
            continue;
        }
        let at = reached.len();
        reached.push(Reached { id, distance, from: number.map(|number: usize| steps[number]) });
        for step in next(id).into_iter().filter(|step| !seen.contains(&step.to)) {
            heap.push(Reverse((distance.plus(&step), step.to, Some(steps.len()))));
            steps.push((at, step));
        }
    }
    reached
}

/// Returns the way from a reached definition back to its start, as positions.
pub(super) fn way(reached: &[Reached], at: usize) -> impl Iterator<Item = usize> + '_ {
    std::iter::successors(Some(at), |&at| reached[at].from.map(|(before, _)| before))
}
