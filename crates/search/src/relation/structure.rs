//! The code-structure relation, computed fast: first the paths along the tree, then better paths
//! through calls.
//!
//! - **Implements:** FragRel, equations 4 to 8: w(i,j) = sum over k, l of p_i(k) p_j(l) Dis(k,l),
//!   where Dis is the weight of the best path
//! - **Invariant:** the only path along the tree is a lower bound, known after two passes. A call
//!   is worth following only if it leads to more than that, so Dijkstra's search begins at such
//!   calls and visits only nodes that calls bring closer.
//! - **Differs from the paper:** paths through calls count down to [`FLOOR`], paths along the tree
//!   always: 0 <= w(exact) - w < FLOOR
//! - **Cost:** one pass over all syntax nodes to build. A row takes one search for most fragments,
//!   O(kept nodes + n log n) for n nodes that calls bring closer.
//! - **Tested by:** `tests/relation.rs` against `Exact`; `benches/relations.rs` measures how often
//!   both give the same ten results

use super::forest::Forest;
use super::fragments::Fragments;
use super::{BestFirst, Relation};
use rayon::prelude::*;
use whichfn_graph::EdgeKind;
use whichfn_index::fragment::{Skeleton, SyntaxTree};
use whichfn_syntax::ids::{FileId, FragmentId, IdVec, row_range, row_starts};

/// Weight below which paths through calls are not followed.
///
/// Weak paths matter together: with 0.001 the ten best of a question to Django differ from the
/// exact ones in 3 of 100 results, with this value in less than one.
pub const FLOOR: f64 = 0.0001;

/// The code-structure relation: the forest of the fragments' nodes, call sites and called
/// definitions, and the calls between them.
pub struct Structure {
    forest: Forest,
    /// Start of each node's children in `children`, and the end.
    child_starts: Vec<u32>,
    children: Vec<u32>,
    /// Node, fragment and share, sorted.
    holders: Vec<(u32, FragmentId, f64)>,
    /// Number of fragments.
    fragments: usize,
    /// Call edges in both directions, sorted.
    calls: Vec<(u32, u32)>,
    call_starts: Vec<u32>,
}

impl Structure {
    /// Builds the relation of a repository's fragments.
    pub fn new(fragments: &Fragments<'_>) -> Self {
        let graph = fragments.graph;
        let files: Vec<FileId> = graph.file_ids().collect();
        let (skeletons, numbers): (Vec<Skeleton>, Vec<Vec<u32>>) =
            files.par_iter().map(|&file| skeleton(fragments, file)).unzip();
        let (forest, firsts) = Forest::join(fragments, &skeletons);
        let number = |file: FileId, node: u32| Some(firsts[file.index()] + *numbers[file.index()].get(node as usize)?);
        let mut calls = Vec::new();
        for caller in graph.definition_ids() {
            let file = graph.definition(caller).file;
            for call in graph.calls(caller) {
                let callee = graph.definition(call.callee);
                if let (Some(site), Some(called)) = (number(file, call.site), number(callee.file, callee.node))
                    && site != called
                {
                    calls.extend([(site, called), (called, site)]);
                }
            }
        }
        calls.sort_unstable();
        calls.dedup();
        let tree = (1..forest.size() as u32).filter_map(|node| Some((forest.around(node)?.0, node)));
        let mut edges: Vec<(u32, u32)> = tree.collect();
        edges.sort_unstable();
        let child_starts = row_starts(forest.size(), edges.iter().map(|&(parent, _)| parent as usize));
        let call_starts = row_starts(forest.size(), calls.iter().map(|&(from, _)| from as usize));
        let children = edges.into_iter().map(|(_, child)| child).collect();
        let mut holders: Vec<(u32, FragmentId, f64)> = Vec::new();
        for fragment in fragments.ids() {
            holders.extend(forest.parts(fragment).iter().map(|&(node, share)| (node, fragment, share)));
        }
        holders.sort_unstable_by_key(|&(node, fragment, _)| (node, fragment));
        Self { forest, child_starts, children, holders, fragments: fragments.count(), calls, call_starts }
    }

    /// Returns the relation along the tree only.
    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    /// Computes the weights of a fragment with all fragments, by number.
    fn weights(&self, fragment: FragmentId) -> IdVec<FragmentId, f64> {
        let mut row = IdVec::repeat(0.0, self.fragments);
        // Leaves without calls have one way out, their parent, so leaves with the same parent and
        // the same weight share one search. (start, weight of the edge from leaf to parent, sum of
        // the leaves' shares)
        let mut searches: Vec<(u32, f64, f64)> = Vec::new();
        for &(node, share) in self.forest.parts(fragment) {
            let parent = self.forest.around(node).filter(|_| self.is_end(node));
            let (from, way) = parent.unwrap_or((node, 1.0));
            match searches.iter_mut().find(|(known, known_way, _)| (*known, *known_way) == (from, way)) {
                Some((.., sum)) => *sum += share,
                None => searches.push((from, way, share)),
            }
        }
        for (from, way, share) in searches {
            let distances = self.distances(from, FLOOR / way);
            for &(node, holder, part) in &self.holders {
                row[holder] += share * part * way * distances[node as usize];
            }
        }
        // The shared search gives Dis(leaf, leaf) = w^2, to the parent and back, instead of 1: add
        // the missing 1 - w^2.
        for &(node, share) in self.forest.parts(fragment).iter().filter(|&&(node, _)| self.is_end(node)) {
            let back = self.forest.around(node).map_or(1.0, |(_, weight)| weight * weight);
            for &(_, holder, part) in self.holders_of(node) {
                row[holder] += share * part * (1.0 - back);
            }
        }
        row
    }

    /// Computes Dis(source, x) for every node x; paths through calls count from `floor`.
    fn distances(&self, source: u32, floor: f64) -> Vec<f64> {
        let call = EdgeKind::Call.weight();
        let mut search = BestFirst::new(self.forest.along_tree(source), floor);
        for &(from, to) in &self.calls {
            let weight = call * search.weight(from);
            search.offer(to, weight, ());
        }
        while let Some((node, weight, ())) = search.pop() {
            if let Some((parent, edge)) = self.forest.around(node) {
                search.offer(parent, weight * edge, ());
            }
            for &child in &self.children[row_range(&self.child_starts, node as usize)] {
                let edge = self.forest.around(child).map_or(0.0, |(_, edge)| edge);
                search.offer(child, weight * edge, ());
            }
            for &(_, to) in &self.calls[row_range(&self.call_starts, node as usize)] {
                search.offer(to, weight * call, ());
            }
        }
        search.into_weights()
    }

    /// Checks whether a node has no children and no calls.
    fn is_end(&self, node: u32) -> bool {
        row_range(&self.child_starts, node as usize).is_empty()
            && row_range(&self.call_starts, node as usize).is_empty()
    }

    fn holders_of(&self, node: u32) -> &[(u32, FragmentId, f64)] {
        let start = self.holders.partition_point(|&(first, ..)| first < node);
        &self.holders[start..start + self.holders[start..].partition_point(|&(first, ..)| first == node)]
    }
}

impl Relation for Structure {
    fn row(&self, fragment: FragmentId) -> Vec<(FragmentId, f64)> {
        self.weights(fragment)
            .enumerate()
            .map(|(other, &weight)| (other, weight))
            .filter(|&(_, weight)| weight > 0.0)
            .collect()
    }
}

/// Builds the skeleton of a file with its resolved call sites and called definitions. Also returns
/// the number of each syntax node.
fn skeleton(fragments: &Fragments<'_>, file: FileId) -> (Skeleton, Vec<u32>) {
    let graph = fragments.graph;
    let tree = SyntaxTree::new(&graph.syntax(file));
    let ids = || graph.definitions_of(file);
    let sites = ids().flat_map(|id| graph.calls(id)).map(|call| call.site);
    let called = ids().filter(|&id| !graph.callers(id).is_empty()).map(|id| graph.definition(id).node);
    let more: Vec<u32> = sites.chain(called).filter(|&node| (node as usize) < tree.nodes().len()).collect();
    Skeleton::with_nodes(&tree, fragments.parts(file, &tree), &more)
}
