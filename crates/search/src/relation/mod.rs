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
//! # How relations are computed
//!
//! A *fragment* is a definition or a window of 20 lines. With p_i(k) the share of node k in the
//! text of fragment i, and Dis the largest product of edge weights over all paths:
//!
//! ```text
//! w(i,j) = sum over nodes k of i and l of j of  p_i(k) p_j(l) Dis(k,l)
//! ```
//!
//! 1. **Along the tree** (`forest.rs`), there is only one path between two nodes. The sum of w(i,j)
//!    s(j) over all j is therefore a field over the nodes, which two passes over the skeletons
//!    compute for all fragments at once: 17,000 nodes for the functions of Django, in less than a
//!    millisecond. The *skeleton* of a file is the part of its syntax tree that paths between
//!    fragments use.
//! 2. **Calls** (`structure.rs`) make some paths better. The paths along the tree are known, so
//!    Dijkstra's search starts at the calls that beat them and visits only the nodes that these
//!    calls bring closer, down to a minimum weight. A computed weight is never too large, and is
//!    too small by less than 0.0001.
//! 3. **Exact** (`exact.rs`) evaluates the equations on the whole graph.
//!    `crates/search/tests/relation.rs` compares the fast and the exact method with a slower
//!    reference that was written from the specification, and `benches/relations.rs` measures how
//!    often the two methods give the same ten best results.
//! 4. **`relate`** (`path_search.rs`) searches from one function and keeps the paths. A file is
//!    unpacked when the search first reaches it.
//!
//! The structure graph (`whichfn_graph::StructureGraph`) is built at the level of detail that a
//! method needs, here with the figures for Kafka (6,400 files):
//!
//! | Level | Users | Nodes, time |
//! |---|---|---|
//! | whole | `graph` for a directory, `--exact`, tests | 5.9 million, 500 ms |
//! | fragments | `--environment mean`, `graph --relations` | 310,000, 300 ms |
//! | picture | `graph NAME`, other formats of `graph` | 78,000, no tree unpacked |
//! | directories | `relate` | 7,000, 1 ms |
//!
//! Four other structures read only what they need. `Forest` has parents and no calls, and `ask`
//! builds one for the files that it found. `PathSearch` joins the graph of directories and files
//! with syntax trees and calls that it reads from the index; a search in Kafka takes 12 ms.
//! `CallGraph` (`crates/index/src/store/graph_calls.rs`) and `TypeGraph`
//! (`crates/index/src/store/type_graph.rs`) are views of the stored calls, bases and owners; a call
//! that may be dispatched is derived from both views, and is not stored.
//!
//! Windows are ranked by the words in blocks. A window consists of two blocks, so each word is
//! stored only once, and a question reads all blocks in one pass
//! (`crates/search/src/search/windows.rs`).
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
