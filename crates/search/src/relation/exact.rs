//! The code-structure relation computed directly from its equations, with no cut-off: the reference
//! implementation.
//!
//! - **Implements:** FragRel, equations 4 to 8
//! - **Invariant:** Dis is the largest product of edge weights over paths from a to b, and
//!
//!   ```text
//!   Dis(a,a) = 1,  Dis(a,b) = 0 without a path
//!   w(i,j)   = sum over k, l of len_k len_l Dis(g_k,g_l) / sum over k, l of len_k len_l
//!   ```
//! - **Cost:** one Dijkstra search (petgraph's) over the whole graph for each syntax node of a
//!   fragment: minutes on a large repository
//! - **Tested by:** `tests/relation.rs` against all simple paths of small graphs

use super::Relation;
use super::fragments::Fragments;
use petgraph::algo::dijkstra;
use petgraph::visit::{EdgeRef, NodeFiltered};
use std::cmp::Ordering;
use std::ops::Add;
use whichfn_graph::{CallSite, Directories, StructureGraph};
use whichfn_index::fragment::{FragmentNode, SyntaxTree};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{FragmentId, IdVec, NodeId};

/// The code-structure relation, pair by pair.
pub struct Exact<'a> {
    structure: &'a StructureGraph,
    /// Nodes g_k of each fragment with len_k; empty for a fragment that is not a member.
    nodes: IdVec<FragmentId, Vec<(NodeId, f64)>>,
    /// True for each node that a path between two fragments can pass through, indexed by node.
    useful: Vec<bool>,
}

impl<'a> Exact<'a> {
    /// Prepares the relation between the fragments of a repository.
    pub fn new(structure: &'a StructureGraph, fragments: &Fragments<'_>) -> Self {
        let mut nodes: IdVec<FragmentId, _> = IdVec::new();
        for file in fragments.graph.file_ids() {
            let node = |part: &FragmentNode| Some((structure.syntax_node((file, part.node))?, f64::from(part.len)));
            let parts = fragments.parts(file, &SyntaxTree::new(&fragments.graph.syntax(file)));
            for (fragment, parts) in fragments.of_file(file).zip(parts) {
                let member = fragments.members[fragment];
                nodes.push(if member { parts.iter().filter_map(node).collect() } else { Vec::new() });
            }
        }
        let useful = without_dead_ends(structure, nodes.iter().flatten().map(|&(node, _)| node));
        Self { structure, nodes, useful }
    }

    /// Returns the nodes of a fragment, each with the length of its text.
    pub fn nodes(&self, fragment: FragmentId) -> &[(NodeId, f64)] {
        &self.nodes[fragment]
    }

    /// Computes Dis(source, x) for every node x of a fragment and every node on the way.
    pub fn distances(&self, source: NodeId) -> Vec<f64> {
        let useful = NodeFiltered::from_fn(self.structure, |node: NodeId| self.useful[node.index()]);
        let found = dijkstra(&useful, source, None, |edge| Product(edge.weight().weight()));
        let mut distances = vec![0.0; self.structure.nodes().len()];
        found.into_iter().for_each(|(node, product)| distances[node.index()] = product.0);
        distances
    }
}

/// The weight of a path as petgraph's measure: an edge multiplies it, and a larger one is closer.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Product(f64);

impl Default for Product {
    /// Returns the weight of a path without edges.
    fn default() -> Self {
        Self(1.0)
    }
}

impl Add for Product {
    type Output = Self;

    // petgraph adds the measures of edges; weights are multiplied.
    #[allow(clippy::suspicious_arithmetic_impl)]
    fn add(self, edge: Self) -> Self {
        Self(self.0 * edge.0)
    }
}

impl PartialOrd for Product {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        other.0.partial_cmp(&self.0)
    }
}

impl Relation for Exact<'_> {
    fn row(&self, fragment: FragmentId) -> Vec<(FragmentId, f64)> {
        let own = self.nodes(fragment);
        let length = |nodes: &[(NodeId, f64)]| nodes.iter().map(|&(_, len)| len).sum::<f64>();
        let distances: Vec<(f64, Vec<f64>)> = own.iter().map(|&(node, len)| (len, self.distances(node))).collect();
        let weight = |others: &Vec<(NodeId, f64)>| {
            let mut sum = 0.0;
            for (len, distance) in &distances {
                sum += others.iter().map(|&(other, other_len)| len * other_len * distance[other.index()]).sum::<f64>();
            }
            sum / (length(own) * length(others))
        };
        let others = self.nodes.enumerate().filter(|(_, others)| !others.is_empty());
        others.map(|(other, nodes)| (other, weight(nodes))).filter(|&(_, weight)| weight > 0.0).collect()
    }
}

/// Returns for each node whether it is left after the removal of dead ends; `kept` nodes always
/// are.
///
/// A node with one neighbour is on no path between other nodes, and its removal may turn more nodes
/// into dead ends. No path between kept nodes is lost.
fn without_dead_ends(structure: &StructureGraph, kept: impl Iterator<Item = NodeId>) -> Vec<bool> {
    let count = structure.nodes().len();
    let (mut useful, mut fixed) = (vec![true; count], vec![false; count]);
    kept.for_each(|node| fixed[node.index()] = true);
    let mut left: Vec<usize> = (0..count).map(|node| structure.neighbours(NodeId::new(node)).len()).collect();
    let mut ends: Vec<usize> = (0..count).filter(|&node| left[node] <= 1 && !fixed[node]).collect();
    while let Some(end) = ends.pop() {
        useful[end] = false;
        for (next, _) in structure.neighbours(NodeId::new(end)) {
            let next = next.index();
            left[next] -= 1;
            if left[next] == 1 && useful[next] && !fixed[next] {
                ends.push(next);
            }
        }
    }
    useful
}

/// Builds the whole structure graph of an index.
pub fn structure_of(graph: &GraphFile) -> StructureGraph {
    let trees = graph.file_ids().map(|file| graph.syntax(file));
    StructureGraph::whole(&directories_of(graph), trees, call_sites(graph))
}

/// Returns all calls of an index.
pub fn call_sites(graph: &GraphFile) -> impl Iterator<Item = CallSite> + '_ {
    graph.definition_ids().flat_map(move |caller| {
        let from = graph.definition(caller).file;
        graph.calls(caller).iter().map(move |call| {
            let callee = graph.definition(call.callee);
            CallSite { from: (from, call.site), to: (callee.file, callee.node) }
        })
    })
}

/// Returns the directories of an index.
pub fn directories_of(graph: &GraphFile) -> Directories {
    Directories::new(graph.file_ids().map(|file| graph.path(file)))
}
