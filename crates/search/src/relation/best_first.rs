//! Best-first search for the largest products of edge weights: Dijkstra's search for a maximum.
//!
//! - **Implements:** FragRel, equation 5 (Dis as max-product shortest path)
//! - **Invariant:** weights are in (0, 1], so no path gains by growing: a node is final when it
//!   leaves the heap. Rounding keeps the order of products, so the weight of a node does not
//!   depend on the order of the search. Nodes of equal weight leave in order of number.
//! - **Cost:** O(log heap) for each better path. Nothing is allocated other than the heap.
//! - **Alternatives:** petgraph's `dijkstra` begins at one node, has no floor and records no
//!   predecessors, and its condition to stop does not see weights; [`super::Exact`] uses it.

use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::Hash;
use whichfn_graph::{Edge, StructureGraph};
use whichfn_syntax::ids::{Id, IdVec, NodeId};

/// The weights of the best known paths, by node.
pub(crate) trait BestWeights<N> {
    /// Returns the weight of a node, which is 0 before the first path to it.
    fn weight(&mut self, node: N) -> &mut f64;
}

impl<N: Id> BestWeights<N> for IdVec<N, f64> {
    #[inline]
    fn weight(&mut self, node: N) -> &mut f64 {
        &mut self[node]
    }
}

impl<N: Eq + Hash> BestWeights<N> for FxHashMap<N, f64> {
    #[inline]
    fn weight(&mut self, node: N) -> &mut f64 {
        self.entry(node).or_insert(0.0)
    }
}

/// A search; the caller follows the edges of each node that it returns.
///
/// `P` is a label of the last edge of a path, from which a caller can restore the path.
pub(crate) struct BestFirst<N, W, P = ()> {
    best: W,
    floor: f64,
    heap: BinaryHeap<Candidate<N, P>>,
}

impl<N: Copy + Ord, W: BestWeights<N>, P: Ord> BestFirst<N, W, P> {
    /// Creates a search that improves on the weights in `best`, but follows no path whose weight
    /// is `floor` or less.
    pub fn new(best: W, floor: f64) -> Self {
        Self { best, floor, heap: BinaryHeap::new() }
    }

    /// Offers a path to a node: the first of a search, or one more edge after [`Self::pop`].
    #[inline]
    pub fn offer(&mut self, node: N, weight: f64, label: P) {
        let known = self.best.weight(node);
        if weight > known.max(self.floor) {
            *known = weight;
            self.heap.push(Candidate { weight: weight.to_bits(), node: Reverse(node), label });
        }
    }

    /// Returns the best node that was not returned yet, with its final weight and the label of its
    /// last edge; `None` at the end.
    #[inline]
    pub fn pop(&mut self) -> Option<(N, f64, P)> {
        loop {
            let Candidate { weight, node: Reverse(node), label } = self.heap.pop()?;
            let weight = f64::from_bits(weight);
            // Of several paths to a node, only the last offered is the best.
            if weight == *self.best.weight(node) {
                return Some((node, weight, label));
            }
        }
    }

    /// Returns the weight of the best path to a node so far.
    #[inline]
    pub fn weight(&mut self, node: N) -> f64 {
        *self.best.weight(node)
    }

    /// Returns the weights of all nodes.
    pub fn into_weights(self) -> W {
        self.best
    }
}

impl<W: BestWeights<NodeId>> BestFirst<NodeId, W> {
    /// Returns the next node of a graph, like [`Self::pop`], and offers the paths to its
    /// neighbours.
    pub fn advance<N, E: Edge>(&mut self, graph: &StructureGraph<N, E>) -> Option<(NodeId, f64)> {
        let (node, weight, ()) = self.pop()?;
        for &(next, edge) in graph.neighbours(node) {
            self.offer(next, weight * edge.weight(), ());
        }
        Some((node, weight))
    }
}

/// A path to a node. The maximum of a heap has the largest weight, then the smallest number.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Candidate<N, P> {
    /// Positive floats sort like their bits.
    weight: u64,
    node: Reverse<N>,
    label: P,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_nodes_by_weight_then_by_number() {
        let mut search = BestFirst::new(IdVec::repeat(0.0, 5), 0.1);
        for (node, weight) in [(3, 0.5), (2, 0.5), (4, 0.1), (1, 0.2), (1, 0.9), (1, 0.3)] {
            search.offer(NodeId(node), weight, ());
        }
        let order: Vec<(u32, f64)> =
            std::iter::from_fn(|| search.pop()).map(|(node, weight, ())| (node.0, weight)).collect();
        assert_eq!(order, [(1, 0.9), (2, 0.5), (3, 0.5)], "0.1 is not above the floor");
        assert_eq!(search.into_weights().as_slice(), [0.0, 0.9, 0.5, 0.5, 0.0]);
    }

    #[test]
    fn returns_the_label_of_the_best_path() {
        let mut search = BestFirst::new(FxHashMap::default(), 0.0);
        for (label, weight) in [("weak", 0.25), ("strong", 0.75), ("late", 0.75)] {
            search.offer('a', weight, label);
        }
        assert_eq!((search.pop(), search.pop()), (Some(('a', 0.75, "strong")), None));
    }
}
