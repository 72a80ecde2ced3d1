//! The code-structure relation, fast: the tree's paths first, then what calls bring nearer.
//!
//! Paper:     FragRel, equations 4 to 8: w(i,j) = sum over k, l of p_i(k) p_j(l) Dis(k,l), Dis the best path's weight
//! Law:       the only path along the tree is a lower bound, known in two passes; a call is worth following only from
//!            where it leads to more than that. So Dijkstra's search begins at the calls that do, and visits only
//!            places that calls bring nearer.
//! Departs:   paths through calls count down to [`FLOOR`], those along the tree all: 0 <= w(exact) - w < FLOOR
//! Price:     to make: one pass over all syntax nodes; a row: for most fragments one search, O(kept nodes + (places
//!            brought nearer) log of it)
//! Checked:   `tests/relation.rs` against `Exact`; `benches/relations.rs` says how often both give the same ten results

use super::Relation;
use super::forest::Forest;
use super::fragments::Fragments;
use crate::fragment::{Skeleton, SyntaxTree};
use crate::graph::EdgeKind;
use crate::ids::{FileId, FragmentId, IdVec, row_range, row_starts};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Paths through calls weaker than this are not followed. Weak ones matter together: with 0.001 the ten best of a question
/// to Django differ from the exact ones in 3 of 100 results, with this in less than one.
pub const FLOOR: f64 = 0.0001;

/// The code-structure relation: the forest of the fragments' nodes, call sites and called definitions, and the calls across.
pub struct Structure {
    forest: Forest,
    /// First child of each node and the end: children in order.
    child_starts: Vec<u32>,
    children: Vec<u32>,
    /// Node, fragment and share, in order.
    holders: Vec<(u32, FragmentId, f64)>,
    /// How many fragments there are.
    fragments: usize,
    /// Call edges, both ways, in order.
    calls: Vec<(u32, u32)>,
    call_starts: Vec<u32>,
}

impl Structure {
    /// Of a repository's fragments.
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

    /// The relation along the tree alone.
    pub fn forest(&self) -> &Forest {
        &self.forest
    }

    /// Weights of a fragment with all fragments, by number.
    fn weights(&self, fragment: FragmentId) -> IdVec<FragmentId, f64> {
        let mut row = IdVec::repeat(0.0, self.fragments);
        // Leaves without calls have one way out, their parent: one search for each parent does for all of them.
        // (start, weight of the edge from leaf to parent, sum of the leaves' shares)
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
        // The shared search gives Dis(leaf, leaf) = w^2, to the parent and back, where it is 1: add the missing 1 - w^2.
        for &(node, share) in self.forest.parts(fragment).iter().filter(|&&(node, _)| self.is_end(node)) {
            let back = self.forest.around(node).map_or(1.0, |(_, weight)| weight * weight);
            for &(_, holder, part) in self.holders_of(node) {
                row[holder] += share * part * (1.0 - back);
            }
        }
        row
    }

    /// Dis(source, x) for every node x; paths through calls count from `floor`.
    fn distances(&self, source: u32, floor: f64) -> Vec<f64> {
        let mut best = self.forest.along_tree(source);
        let call = EdgeKind::Call.weight();
        let nearer = |&&(from, to): &&(u32, u32)| call * best[from as usize] > best[to as usize].max(floor);
        // Positive floats are in the order of their bits.
        let mut heap: BinaryHeap<(u64, Reverse<u32>)> = self
            .calls
            .iter()
            .filter(nearer)
            .map(|&(from, to)| ((call * best[from as usize]).to_bits(), Reverse(to)))
            .collect();
        while let Some((weight, Reverse(node))) = heap.pop() {
            let weight = f64::from_bits(weight);
            if weight <= best[node as usize] {
                continue;
            }
            best[node as usize] = weight;
            let mut reach = |next: u32, edge: f64| {
                if weight * edge > best[next as usize].max(floor) {
                    heap.push(((weight * edge).to_bits(), Reverse(next)));
                }
            };
            if let Some((parent, edge)) = self.forest.around(node) {
                reach(parent, edge);
            }
            for &child in &self.children[row_range(&self.child_starts, node as usize)] {
                reach(child, self.forest.around(child).map_or(0.0, |(_, edge)| edge));
            }
            self.calls[row_range(&self.call_starts, node as usize)].iter().for_each(|&(_, to)| reach(to, call));
        }
        best
    }

    /// Whether a node has nothing inside it and no call.
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

/// A file's skeleton with its resolved call sites and its called definitions, and the number of each syntax node.
fn skeleton(fragments: &Fragments<'_>, file: FileId) -> (Skeleton, Vec<u32>) {
    let graph = fragments.graph;
    let tree = SyntaxTree::new(&graph.syntax(file));
    let ids = || graph.definitions_of(file);
    let sites = ids().flat_map(|id| graph.calls(id)).map(|call| call.site);
    let called = ids().filter(|&id| !graph.callers(id).is_empty()).map(|id| graph.definition(id).node);
    let more: Vec<u32> = sites.chain(called).filter(|&node| (node as usize) < tree.nodes().len()).collect();
    Skeleton::with_nodes(&tree, fragments.parts(file, &tree), &more)
}
