//! Finds best paths through the structure graph from one node; a file is unpacked when the search
//! first reaches it.
//!
//! - **Implements:** FragRel, equation 5 (Dis as max-product shortest path), by best-first search
//! - **Invariant:** everything with a weight of at least `floor` is found
//! - **Cost:** O(nodes with a weight of at least `floor`); a few thousand for a floor of 0.01
//! - **Alternatives:** a [`StructureGraph`] with all nodes. Only directories and files are one
//!   here; syntax trees and calls are read in the index when the search reaches them. For Kafka
//!   (6,400 files), a search takes 12 ms, but the whole graph takes 500 ms to build.
//! - **Tested by:** `tests/relation.rs`: the result is below that of a plain search of the whole
//!   graph by less than the floor

use super::BestFirst;
use super::exact::directories_of;
use super::fragments::Fragments;
use petgraph::Direction;
use petgraph::visit::{EdgeRef, IntoEdgesDirected};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use whichfn_graph::{Directories, EdgeKind, NodeKind, StructureGraph};
use whichfn_index::fragment::{SyntaxTree, shares};
use whichfn_index::store::{CallGraph, GraphFile};
use whichfn_syntax::ids::{DefinitionId, DirectoryId, FileId, FragmentId, IdVec, NodeId};

/// A node of the structure graph; a syntax node is identified by its number in the file's tree.
pub type PathNode = NodeKind<u32>;

/// A node that a search reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReachedNode {
    /// The node.
    pub node: PathNode,
    /// Weight of the best path to it, in (0, 1].
    pub weight: f64,
    /// Previous node on that path, as an index into the list of arrivals, and the edge from it;
    /// `None` for the source.
    pub from: Option<(u32, EdgeKind)>,
}

/// Safety factor for bounds, which are stored in single precision and may be too low by less than
/// this factor.
const ROUNDING_MARGIN: f64 = 1.0 + 1e-5;

/// One unpacked file.
pub struct FileGraph {
    /// Syntax tree of the file.
    pub tree: SyntaxTree,
    /// Call sites and callees, sorted by site.
    sites: Vec<(u32, DefinitionId)>,
    /// Definitions by their syntax node, sorted by node.
    definitions: Vec<(u32, DefinitionId)>,
    /// Nodes of fragments as (node, (fragment, share)), sorted by node.
    holders: Vec<(u32, (FragmentId, f64))>,
    /// Largest possible weight of a path from a node to a fragment's node or through a call,
    /// indexed by node.
    ahead: Vec<f32>,
}

impl FileGraph {
    fn new(fragments: &Fragments<'_>, file: FileId) -> Self {
        let graph = fragments.graph;
        let ids = graph.definitions_of(file);
        let calls = ids.clone().flat_map(|id| graph.calls(id));
        let mut sites: Vec<_> = calls.map(|call| (call.site, call.callee)).collect();
        sites.sort_unstable();
        let mut definitions: Vec<_> = ids.map(|id| (graph.definition(id).node, id)).collect();
        definitions.sort_unstable();
        let tree = SyntaxTree::new(&graph.syntax(file));
        let holders = holders(fragments, file, &tree);
        // Calls begin at sites and at definitions that are called; other files are reached through
        // the root.
        let called = definitions.iter().filter(|&&(_, id)| !graph.callers(id).is_empty()).map(|&(node, _)| node);
        let calls = sites.iter().map(|&(node, _)| node).chain(called).map(|node| (node, EdgeKind::Call.weight()));
        let nodes = holders.iter().map(|&(node, _)| (node, 1.0));
        let ahead = ahead(&tree, nodes.chain(calls).chain([(0, EdgeKind::Directory.weight().powi(2))]));
        Self { tree, sites, definitions, holders, ahead }
    }
}

fn holders(fragments: &Fragments<'_>, file: FileId, tree: &SyntaxTree) -> Vec<(u32, (FragmentId, f64))> {
    let mut holders = Vec::new();
    for (fragment, parts) in fragments.of_file(file).zip(fragments.parts(file, tree)) {
        if fragments.members[fragment] {
            holders.extend(shares(&parts).map(|(node, share)| (node, (fragment, share))));
        }
    }
    holders.sort_unstable_by_key(|&(node, (fragment, _))| (node, fragment));
    holders
}

/// Computes, for each node, the maximum over all ends of the end's weight times the weight of the
/// path to it along the tree.
fn ahead(tree: &SyntaxTree, ends: impl Iterator<Item = (u32, f64)>) -> Vec<f32> {
    let (nodes, step) = (tree.nodes(), EdgeKind::Syntax.weight() as f32);
    let mut best = vec![0f32; nodes.len()];
    for (node, weight) in ends {
        if let Some(best) = best.get_mut(node as usize) {
            *best = best.max(weight as f32);
        }
    }
    for at in (1..nodes.len()).rev() {
        let parent = nodes[at].parent as usize;
        best[parent] = best[parent].max(step * best[at]);
    }
    for at in 1..nodes.len() {
        best[at] = best[at].max(step * best[nodes[at].parent as usize]);
    }
    best
}

/// The structure graph of a repository, ready to be searched.
pub struct PathSearch<'a> {
    fragments: &'a Fragments<'a>,
    graph: &'a GraphFile,
    directories: Directories,
    /// The directories and files.
    upper: StructureGraph<PathNode>,
    files: IdVec<FileId, OnceLock<FileGraph>>,
}

impl<'a> PathSearch<'a> {
    /// Prepares the search over a repository: O(files).
    pub fn new(fragments: &'a Fragments<'a>) -> Self {
        let graph = fragments.graph;
        let directories = directories_of(graph);
        let upper = StructureGraph::new(directories.nodes().collect(), directories.edges(EdgeKind::Directory));
        let files = graph.file_ids().map(|_| OnceLock::new()).collect();
        Self { fragments, graph, directories, upper, files }
    }

    /// Returns the path of a directory from the root; empty for the root.
    pub fn directory(&self, id: DirectoryId) -> &str {
        &self.directories.paths[id]
    }

    /// Returns a file, which is unpacked on first use.
    pub fn file(&self, file: FileId) -> &FileGraph {
        self.files[file].get_or_init(|| FileGraph::new(self.fragments, file))
    }

    /// Returns the syntax node of a definition; `None` in a file without a syntax tree.
    pub fn node(&self, definition: DefinitionId) -> Option<PathNode> {
        let row = self.graph.definition(definition);
        let exists = (row.node as usize) < self.file(row.file).tree.nodes().len();
        exists.then_some(PathNode::Syntax(row.file, row.node))
    }

    /// Finds the nodes on best paths, the best first: every fragment's node with a weight of at
    /// least `floor`, and the nodes on the way.
    pub fn reach(&self, source: PathNode, floor: f64) -> Vec<ReachedNode> {
        let mut search = BestFirst::new(FxHashMap::default(), 0.0);
        search.offer(source, 1.0, None);
        let mut arrivals: Vec<ReachedNode> = Vec::new();
        while let Some((node, weight, from)) = search.pop() {
            let at = arrivals.len() as u32;
            arrivals.push(ReachedNode { node, weight, from });
            self.neighbours(node, &mut |next, kind| {
                let weight = weight * kind.weight();
                if weight.min(weight * self.ahead(next)) * ROUNDING_MARGIN >= floor {
                    search.offer(next, weight, Some((at, kind)));
                }
            });
        }
        arrivals
    }

    /// Returns a bound on the further factor of a path that has reached a node, up to a fragment's
    /// node or through a call.
    fn ahead(&self, node: PathNode) -> f64 {
        match node {
            PathNode::Syntax(file, node) => f64::from(self.file(file).ahead[node as usize]),
            PathNode::File(_) => EdgeKind::Root.weight(),
            PathNode::Directory(_) => EdgeKind::Directory.weight(),
        }
    }

    /// Returns the fragments that a node belongs to, each with the node's share of it.
    pub fn fragments_at(&self, node: PathNode) -> impl Iterator<Item = (FragmentId, f64)> + '_ {
        let fragments = match node {
            PathNode::Syntax(file, node) => run_of(&self.file(file).holders, node),
            _ => &[],
        };
        fragments.iter().map(|&(_, fragment)| fragment)
    }

    /// Returns the nodes of a fragment, each with its share.
    pub fn parts(&self, fragment: FragmentId) -> impl Iterator<Item = (PathNode, f64)> + '_ {
        let file = self.fragments.file(fragment);
        let own = self.file(file).holders.iter().filter(move |&&(_, (holder, _))| holder == fragment);
        own.map(move |&(node, (_, share))| (PathNode::Syntax(file, node), share))
    }

    /// Emits the neighbours of a node; a call to the node itself is one, which no search follows.
    fn neighbours(&self, node: PathNode, emit: &mut impl FnMut(PathNode, EdgeKind)) {
        let upper = match node {
            PathNode::Syntax(file, node) => return self.around(file, node, emit),
            PathNode::Directory(id) => NodeId(id.0),
            PathNode::File(file) => {
                if self.graph.has_syntax(file) {
                    emit(PathNode::Syntax(file, 0), EdgeKind::Root);
                }
                self.directories.file(file)
            }
        };
        self.upper.neighbours(upper).iter().for_each(|&(next, kind)| emit(*self.upper.node(next), kind));
    }

    fn around(&self, file: FileId, node: u32, emit: &mut impl FnMut(PathNode, EdgeKind)) {
        let here = self.file(file);
        match node {
            0 => emit(PathNode::File(file), EdgeKind::Root),
            _ => emit(PathNode::Syntax(file, here.tree.nodes()[node as usize].parent), EdgeKind::Syntax),
        }
        here.tree.children(node).for_each(|child| emit(PathNode::Syntax(file, child), EdgeKind::Syntax));
        let callees = run_of(&here.sites, node).iter().filter_map(|&(_, callee)| self.node(callee));
        callees.for_each(|callee| emit(callee, EdgeKind::Call));
        for &(_, definition) in run_of(&here.definitions, node) {
            for call in CallGraph::new(self.graph).edges_directed(definition, Direction::Incoming) {
                let caller = self.graph.definition(call.source());
                emit(PathNode::Syntax(caller.file, call.weight().site), EdgeKind::Call);
            }
        }
    }

    /// Checks whether a call edge leads from the first node to the second.
    pub fn calls(&self, site: PathNode, definition: PathNode) -> bool {
        let PathNode::Syntax(file, node) = site else { return false };
        run_of(&self.file(file).sites, node).iter().any(|&(_, callee)| self.node(callee) == Some(definition))
    }
}

/// Returns the run of pairs with this key.
fn run_of<T>(sorted: &[(u32, T)], key: u32) -> &[(u32, T)] {
    let start = sorted.partition_point(|&(first, _)| first < key);
    let end = start + sorted[start..].partition_point(|&(first, _)| first == key);
    &sorted[start..end]
}
