//! Relation strengths between fragments, and the sums of related scores (SPEC section 1).
//!
//! ```text
//! fragments ──┬─> exact          every pair, by Dijkstra over the structure graph: the reference
//!             ├─> forest         along the tree only: two passes for all fragments, or some
//!             ├─> structure      the forest, and shorter paths through calls: a structure graph
//!             │                  with merged edges
//!             ├─> path_search    bounded search from one node, with the paths (`relate`)
//!             ├─> position       distance in one file
//!             └─> semantic       cosine of embeddings
//! ```
//!
//! - **Implements:** FragRel, equations 4 to 11
//!
//! **Never:** knows a question; scores are passed in as plain numbers.

mod best_first;
mod exact;
mod forest;
mod fragments;
mod path_search;
mod position;
mod related;
mod semantic;
mod structure;

use rayon::prelude::*;
use whichfn_syntax::ids::FragmentId;

pub(crate) use best_first::BestFirst;
pub use exact::{Exact, call_sites, directories_of, structure_of};
pub use forest::{Forest, Selected};
pub use fragments::{FragmentUnit, Fragments};
pub use path_search::{PathNode, PathSearch, ReachedNode};
pub use position::Position;
pub use related::{FAINT, PathEdge, Related};
pub use semantic::Semantic;
pub use structure::{FLOOR, Structure};

/// Weighted sums over the fragments that one is related to.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WeightedSums {
    /// Sum of weight x score over all members, the fragment itself included.
    pub scored: f64,
    /// Sum of the weights.
    pub weight: f64,
}

impl WeightedSums {
    /// Computes FragRel's environment score, equation 9: the weighted mean; 0 if nothing is
    /// related.
    pub fn mean(&self) -> f64 {
        if self.weight > 0.0 { self.scored / self.weight } else { 0.0 }
    }
}

/// A weighted relation between the members among a repository's fragments: symmetric, in [0, 1].
pub trait Relation: Sync {
    /// Returns the fragments that one is related to, itself included, in order of fragment; a
    /// missing one has the weight 0.
    fn row(&self, fragment: FragmentId) -> Vec<(FragmentId, f64)>;

    /// Computes the sums of each wanted fragment; `scores` is indexed by fragment.
    fn sums(&self, scores: &[f64], wanted: &[FragmentId]) -> Vec<WeightedSums> {
        let sum = |&fragment: &FragmentId| {
            let mut sums = WeightedSums::default();
            for (other, weight) in self.row(fragment) {
                sums.scored += weight * scores[other.index()];
                sums.weight += weight;
            }
            sums
        };
        wanted.par_iter().map(sum).collect()
    }

    /// Returns a fragment's weight with itself, which is 1 if it is one syntax node.
    fn own(&self, fragment: FragmentId) -> f64 {
        self.row(fragment).iter().find(|&&(other, _)| other == fragment).map_or(0.0, |&(_, weight)| weight)
    }
}

/// The empty relation: no two fragments are related.
pub struct Unrelated;

impl Relation for Unrelated {
    fn row(&self, _: FragmentId) -> Vec<(FragmentId, f64)> {
        Vec::new()
    }
}
