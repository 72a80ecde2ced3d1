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
use super::walk::{Place, Walk};
use super::{Relation, ratio};
use crate::ids::FileId;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Paths weaker than this are not followed through calls. A call from the second level of a function's body to a function
/// has 0.2, one from the sixth level 0.0125.
pub const FLOOR: f64 = 0.02;

/// By node of a file: the fragments that hold it, and its share in each.
type Holders = Vec<(u32, u32, f64)>;

/// The code-structure relation of all fragments.
pub struct Structure<'a> {
    fragments: &'a Fragments<'a>,
    forest: Forest,
    walk: Walk<'a>,
    holders: Vec<OnceLock<Holders>>,
}

impl<'a> Structure<'a> {
    /// Of a repository's fragments.
    pub fn new(fragments: &'a Fragments<'a>) -> Self {
        let holders = (0..fragments.graph.files().len()).map(|_| OnceLock::new()).collect();
        Self { fragments, forest: Forest::new(fragments), walk: Walk::new(fragments.graph), holders }
    }

    /// The graph that relations are read from.
    pub fn walk(&self) -> &Walk<'a> {
        &self.walk
    }

    /// The environment scores along the tree alone: no path through a call.
    pub fn tree_environment(&self, scores: &[f64], members: &[bool], wanted: &[u32]) -> Vec<f64> {
        let sums = self.forest.sums(scores, members, wanted);
        sums.into_iter().map(|(above, below)| ratio(above, below)).collect()
    }

    fn holders(&self, file: FileId) -> &Holders {
        self.holders[file.index()].get_or_init(|| {
            let first = self.fragments.of_file(file).start;
            let mut holders = Holders::new();
            for (fragment, parts) in (first..).zip(self.fragments.parts(file, &self.walk.file(file).tree)) {
                let total: f64 = parts.iter().map(|part| f64::from(part.len)).sum();
                holders.extend(parts.iter().map(|part| (part.node, fragment, f64::from(part.len) / total)));
            }
            holders.sort_unstable_by_key(|&(node, fragment, _)| (node, fragment));
            holders
        })
    }

    fn held(&self, place: Place) -> &[(u32, u32, f64)] {
        let Place::Syntax(file, node) = place else { return &[] };
        let holders = self.holders(file);
        let start = holders.partition_point(|&(first, ..)| first < node);
        &holders[start..start + holders[start..].partition_point(|&(first, ..)| first == node)]
    }

    /// The nodes of a fragment, each with its share.
    pub fn parts(&self, fragment: u32) -> Vec<(Place, f64)> {
        let file = self.fragments.file(fragment);
        let of = self.holders(file).iter().filter(|&&(_, holder, _)| holder == fragment);
        of.map(|&(node, _, share)| (Place::Syntax(file, node), share)).collect()
    }

    /// What paths through calls add to the weights along the tree.
    fn through_calls(&self, fragment: u32) -> Vec<(u32, f64)> {
        let mut added: FxHashMap<u32, f64> = FxHashMap::default();
        for (node, share) in self.parts(fragment) {
            for arrival in self.walk.reach_through_calls(node, FLOOR) {
                let held = self.held(arrival.place);
                if held.is_empty() {
                    continue;
                }
                let more = arrival.weight - self.walk.along_tree(node, arrival.place);
                if more > 0.0 {
                    held.iter().for_each(|&(_, other, part)| *added.entry(other).or_default() += share * part * more);
                }
            }
        }
        sorted(added)
    }
}

impl Relation for Structure<'_> {
    fn row(&self, fragment: u32) -> Vec<(u32, f64)> {
        let mut weights: FxHashMap<u32, f64> = FxHashMap::default();
        for (node, share) in self.parts(fragment) {
            for arrival in self.walk.reach(node, FLOOR) {
                for &(_, other, part) in self.held(arrival.place) {
                    *weights.entry(other).or_default() += share * part * arrival.weight;
                }
            }
        }
        sorted(weights)
    }

    fn environment(&self, scores: &[f64], members: &[bool], wanted: &[u32]) -> Vec<f64> {
        let sums = self.forest.sums(scores, members, wanted);
        wanted
            .par_iter()
            .zip(sums)
            .map(|(&fragment, (mut above, mut below))| {
                for (other, weight) in self.through_calls(fragment) {
                    if members[other as usize] {
                        above += weight * scores[other as usize];
                        below += weight;
                    }
                }
                ratio(above, below)
            })
            .collect()
    }
}

fn sorted(weights: FxHashMap<u32, f64>) -> Vec<(u32, f64)> {
    let mut row: Vec<(u32, f64)> = weights.into_iter().collect();
    row.sort_unstable_by_key(|&(fragment, _)| fragment);
    row
}
