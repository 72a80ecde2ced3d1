//! The code-structure relation, fast.
//!
//! Paper:     FragRel, equations 4 to 8: w(i,j) = sum over k, l of p_i(k) p_j(l) Dis(k,l), Dis the best path's weight
//! Departs:   along the tree nothing is left out. Paths through calls count where their weight is at least [`FLOOR`]; so
//!            Dis is right wherever a path through a call matters by `FLOOR` or more, and otherwise too small by less than
//!            `FLOOR`: 0 <= w(exact) - w < FLOOR. Rows leave out weights that stay below `FLOOR`.
//! Price:     environment: two passes over the skeleton, and one bounded search for each node of a wanted fragment
//! Checked:   `tests/relation.rs` against `Exact`

use super::forest::Forest;
use super::fragments::Fragments;
use super::walk::Walk;
use super::{Relation, Sums};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// Paths weaker than this are not followed through calls. A call from the second level of a function's body to a function
/// has 0.2, one from the sixth level 0.0125.
pub const FLOOR: f64 = 0.02;

/// The code-structure relation of a repository's fragments.
pub struct Structure<'a> {
    forest: Forest,
    walk: Walk<'a>,
}

impl<'a> Structure<'a> {
    /// Of a repository's fragments.
    pub fn new(fragments: &'a Fragments<'a>) -> Self {
        Self { forest: Forest::new(fragments), walk: Walk::new(fragments) }
    }

    /// The relation along the tree alone.
    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    /// The graph that relations are read from.
    pub fn walk(&self) -> &Walk<'a> {
        &self.walk
    }

    /// What paths through calls add to the weights along the tree.
    fn through_calls(&self, fragment: u32) -> Vec<(u32, f64)> {
        let mut added: FxHashMap<u32, f64> = FxHashMap::default();
        for (node, share) in self.walk.parts(fragment) {
            for arrival in self.walk.reach_through_calls(node, FLOOR) {
                let mut held = self.walk.held(arrival.place).peekable();
                if held.peek().is_some() {
                    let more = (arrival.weight - self.walk.along_tree(node, arrival.place)).max(0.0);
                    held.for_each(|(other, part)| *added.entry(other).or_default() += share * part * more);
                }
            }
        }
        sorted(added)
    }
}

impl Relation for Structure<'_> {
    fn row(&self, fragment: u32) -> Vec<(u32, f64)> {
        let mut weights: FxHashMap<u32, f64> = FxHashMap::default();
        for (node, share) in self.walk.parts(fragment) {
            for arrival in self.walk.reach(node, FLOOR) {
                let held = self.walk.held(arrival.place);
                held.for_each(|(other, part)| *weights.entry(other).or_default() += share * part * arrival.weight);
            }
        }
        sorted(weights)
    }

    fn sums(&self, scores: &[f64], wanted: &[u32]) -> Vec<Sums> {
        let along_tree = self.forest.sums(scores, wanted);
        let with_calls = |(&fragment, mut sums): (&u32, Sums)| {
            for (other, weight) in self.through_calls(fragment) {
                sums.scored += weight * scores[other as usize];
                sums.weight += weight;
            }
            sums
        };
        wanted.par_iter().zip(along_tree).map(with_calls).collect()
    }

    fn own(&self, fragment: u32) -> f64 {
        let through_calls = self.through_calls(fragment);
        let more = through_calls.iter().find(|&&(other, _)| other == fragment).map_or(0.0, |&(_, weight)| weight);
        self.forest.own(fragment) + more
    }
}

fn sorted(weights: FxHashMap<u32, f64>) -> Vec<(u32, f64)> {
    let mut row: Vec<(u32, f64)> = weights.into_iter().filter(|&(_, weight)| weight > 0.0).collect();
    row.sort_unstable_by_key(|&(fragment, _)| fragment);
    row
}
