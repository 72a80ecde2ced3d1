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

use super::exact::{call_sites, directories_of};
use super::forest::{Forest, skeleton_edges};
use super::fragments::Fragments;
use super::{BestFirst, Relation};
use rayon::prelude::*;
use whichfn_graph::{Edge, EdgeKind, MergedEdge, StructureGraph, distinct_calls};
use whichfn_index::fragment::{Skeleton, SyntaxTree};
use whichfn_syntax::ids::{FileId, FragmentId, IdVec, NodeId};

/// Weight below which paths through calls are not followed.
///
/// Weak paths matter together: with 0.001 the ten best of a question to Django differ from the
/// exact ones in 3 of 100 results, with this value in less than one.
pub const FLOOR: f64 = 0.0001;

/// The code-structure relation: the forest of the fragments' nodes, call sites and called
/// definitions, and the graph that it and the calls form.
pub struct Structure {
    forest: Forest,
    graph: StructureGraph<(), MergedEdge>,
    /// Both ends of each call, sorted.
    calls: Vec<(NodeId, NodeId)>,
    /// Node, fragment and share, sorted.
    holders: Vec<(NodeId, FragmentId, f64)>,
    /// Number of fragments.
    fragments: usize,
}

impl Structure {
    /// Builds the relation of a repository's fragments.
    pub fn new(fragments: &Fragments<'_>) -> Self {
        let files: Vec<FileId> = fragments.graph.file_ids().collect();
        let (skeletons, numbers): (Vec<Skeleton>, Vec<Vec<u32>>) =
            files.par_iter().map(|&file| skeleton(fragments, file)).unzip();
        let directories = directories_of(fragments.graph);
        let (forest, firsts) = Forest::join(fragments, &directories, &skeletons);
        let calls = distinct_calls(call_sites(fragments.graph), |(file, node)| {
            Some(NodeId(firsts[file].0 + *numbers[file.index()].get(node as usize)?))
        });
        let of_file = |(&file, skeleton)| skeleton_edges(skeleton, directories.file(file), firsts[file]);
        let edges = directories.edges(EdgeKind::Directory.with_steps(0));
        let edges = edges.chain(files.iter().zip(&skeletons).flat_map(of_file));
        let edges = edges.chain(calls.iter().map(|&(a, b)| (a, b, EdgeKind::Call.with_steps(0))));
        let graph = StructureGraph::new(IdVec::repeat((), forest.size()), edges);
        let mut holders: Vec<(NodeId, FragmentId, f64)> = Vec::new();
        for fragment in fragments.ids() {
            holders.extend(forest.parts(fragment).iter().map(|&(node, share)| (node, fragment, share)));
        }
        holders.sort_unstable_by_key(|&(node, fragment, _)| (node, fragment));
        Self { forest, graph, calls, holders, fragments: fragments.count() }
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
        let mut searches: Vec<(NodeId, f64, f64)> = Vec::new();
        for &(node, share) in self.forest.parts(fragment) {
            let (from, way) = self.only_way(node).unwrap_or((node, 1.0));
            match searches.iter_mut().find(|(known, known_way, _)| (*known, *known_way) == (from, way)) {
                Some((.., sum)) => *sum += share,
                None => searches.push((from, way, share)),
            }
        }
        for (from, way, share) in searches {
            let distances = self.distances(from, FLOOR / way);
            for &(node, holder, part) in &self.holders {
                row[holder] += share * part * way * distances[node];
            }
        }
        // The shared search gives Dis(leaf, leaf) = w^2, to the parent and back, instead of 1: add
        // the missing 1 - w^2.
        for &(node, share) in self.forest.parts(fragment) {
            let Some((_, way)) = self.only_way(node) else { continue };
            for &(_, holder, part) in self.holders_of(node) {
                row[holder] += share * part * (1.0 - way * way);
            }
        }
        row
    }

    /// Computes Dis(source, x) for every node x; paths through calls count from `floor`.
    fn distances(&self, source: NodeId, floor: f64) -> IdVec<NodeId, f64> {
        let mut search = BestFirst::new(self.forest.along_tree(source), floor);
        for &(a, b) in &self.calls {
            for (from, to) in [(a, b), (b, a)] {
                let weight = EdgeKind::Call.weight() * search.weight(from);
                search.offer(to, weight, ());
            }
        }
        while search.advance(&self.graph).is_some() {}
        search.into_weights()
    }

    /// Returns the parent of a node that has no children and no calls, and the weight of the edge
    /// to it.
    fn only_way(&self, node: NodeId) -> Option<(NodeId, f64)> {
        if let &[(parent, edge)] = self.graph.neighbours(node) { Some((parent, edge.weight())) } else { None }
    }

    fn holders_of(&self, node: NodeId) -> &[(NodeId, FragmentId, f64)] {
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
