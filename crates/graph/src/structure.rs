//! The structure graph: directories, files and syntax nodes, connected by syntax, directory, root
//! and call edges.
//!
//! A graph has a level of detail, which is the set of nodes that it keeps. A chain of other nodes
//! between two kept nodes becomes one edge, whose weight is the product of the chain's weights.
//!
//! | Level | Kept nodes | Edges | Builder |
//! |---|---|---|---|
//! | whole | every directory, file and named syntax node | [`EdgeKind`] | [`StructureGraph::whole`] |
//! | fragments | nodes of fragments, call sites, callees and forks | `MergedEdge` | `relation::Structure` |
//! | picture | directories, files and definitions | `PictureEdge` | `picture::Picture` |
//! | directories | directories and files | [`EdgeKind`] | `relation::PathSearch` |
//!
//! - **Implements:** FragRel, section 3.1 (the repository as one graph of directories, files and
//!   syntax trees).
//! - **Invariant:** the graph is undirected. Each edge is stored at both ends, and neighbours are
//!   sorted by number, so walks are the same in every run.
//! - **Cost:** O(nodes + edges), in two flat tables (compressed sparse rows). The whole graph takes
//!   eight bytes per edge end and twenty per node: 5.9 million nodes in half a second for Kafka.
//! - **Alternatives:** petgraph's `Graph` takes three to four times the memory for the same 2
//!   million nodes; it is the reference implementation in the test. petgraph's `Csr` has no
//!   parallel edges (a node can be both the child and the call site of a definition), and counts
//!   each undirected edge twice. `visit.rs` implements petgraph's traits, so its algorithms run on
//!   this graph as well.
//! - **Tested by:** `crates/search/tests/structure.rs`, which compares with a petgraph that is
//!   filled by walking tree-sitter's own nodes.

use super::directories::Directories;
use super::edge::{Edge, EdgeKind};
use whichfn_syntax::ids::{DirectoryId, FileId, IdVec, NodeId, row_range, row_starts};
use whichfn_syntax::parse::Syntax;

/// The kind of a node. `T` describes a syntax node: by default, it is the parser's number of its
/// kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind<T = u16> {
    /// A directory, by its number in path order; 0 is the root.
    Directory(DirectoryId),
    /// A file.
    File(FileId),
    /// A named syntax node of a file.
    Syntax(FileId, T),
}

impl Directories {
    /// Returns the first nodes of every graph: all directories, then all files.
    pub fn nodes<T>(&self) -> impl Iterator<Item = NodeKind<T>> {
        self.parents.ids().map(NodeKind::Directory).chain(self.of_file.ids().map(NodeKind::File))
    }
}

/// A node of the whole graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GraphNode {
    /// A directory, a file or a syntax node.
    pub kind: NodeKind,
    /// Offset of its first byte in its file; 0 for directories and files.
    pub start: u32,
    /// Offset after its last byte; 0 for directories and files.
    pub end: u32,
}

/// A call and the definition that it reaches, as two syntax nodes. Each is identified by its file
/// and its number in the file's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallSite {
    /// The node of the call.
    pub from: (FileId, u32),
    /// The node of the definition called.
    pub to: (FileId, u32),
}

/// The structure graph of a repository, at a level of detail. The default is the whole graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructureGraph<N = GraphNode, E = EdgeKind> {
    nodes: IdVec<NodeId, N>,
    /// Number of the first syntax node of each file, followed by the number of all nodes; only the
    /// whole graph has it.
    first_syntax: Vec<u32>,
    /// Index in `ends` of the first neighbour of each node, followed by the length of `ends`
    /// (compressed sparse rows).
    starts: Vec<u32>,
    ends: Vec<(NodeId, E)>,
}

impl StructureGraph {
    /// Builds the whole graph. There is a packed syntax tree for each file, which is empty for
    /// plain text.
    pub fn whole(
        directories: &Directories,
        trees: impl Iterator<Item = Vec<u8>>,
        calls: impl Iterator<Item = CallSite>,
    ) -> Self {
        let kinds = directories.nodes();
        let mut nodes: IdVec<NodeId, _> = kinds.map(|kind| GraphNode { kind, start: 0, end: 0 }).collect();
        let mut edges: Vec<_> = directories.edges(EdgeKind::Directory).collect();
        let mut first_syntax = Vec::new();
        for (file, tree) in (0..).map(FileId).zip(trees) {
            let first = nodes.len() as u32;
            first_syntax.push(first);
            for (number, node) in Syntax::new(&tree).enumerate() {
                let kind = NodeKind::Syntax(file, node.kind);
                let id = nodes.push(GraphNode { kind, start: node.start, end: node.end });
                edges.push(match node.parent as usize == number {
                    true => (directories.file(file), id, EdgeKind::Root),
                    false => (NodeId(first + node.parent), id, EdgeKind::Syntax),
                });
            }
        }
        first_syntax.push(nodes.len() as u32);
        let calls = distinct_calls(calls, |place| nth(&first_syntax, place));
        let calls = calls.iter().map(|&(a, b)| (a, b, EdgeKind::Call));
        Self { first_syntax, ..Self::new(nodes, edges.iter().copied().chain(calls)) }
    }

    /// Returns the node of a syntax node, given by its file and its number there; `None` if the
    /// file has no such node.
    pub fn syntax_node(&self, place: (FileId, u32)) -> Option<NodeId> {
        nth(&self.first_syntax, place)
    }
}

impl<N, E: Edge> StructureGraph<N, E> {
    /// Creates a graph from its nodes and the edges between them. An edge from a node to itself is
    /// left out. Edges between the same two nodes keep their order.
    pub fn new(nodes: IdVec<NodeId, N>, edges: impl Iterator<Item = (NodeId, NodeId, E)> + Clone) -> Self {
        let edges = || edges.clone().filter(|(a, b, _)| a != b);
        let starts = row_starts(nodes.len(), edges().flat_map(|(a, b, _)| [a.index(), b.index()]));
        let (mut next, count) = (starts.clone(), starts[nodes.len()] as usize);
        // Any end will do until the loop has filled every place.
        let mut ends = edges().next().map_or_else(Vec::new, |(_, b, edge)| vec![(b, edge); count]);
        for (a, b, edge) in edges() {
            for (from, end) in [(a, (b, edge)), (b, (a, edge.reversed()))] {
                let place = &mut next[from.index()];
                ends[*place as usize] = end;
                *place += 1;
            }
        }
        for row in starts.windows(2) {
            ends[row[0] as usize..row[1] as usize].sort_by_key(|&(other, _)| other);
        }
        Self { nodes, first_syntax: Vec::new(), starts, ends }
    }

    /// Returns all nodes: directories, then files, then syntax nodes by file.
    pub fn nodes(&self) -> &[N] {
        self.nodes.as_slice()
    }

    /// Returns the numbers of all nodes.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = NodeId> + use<N, E> {
        self.nodes.ids()
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> &N {
        &self.nodes[id]
    }

    /// Returns the neighbours of a node, each with the edge to it, sorted by number.
    #[inline]
    pub fn neighbours(&self, id: NodeId) -> &[(NodeId, E)] {
        &self.ends[row_range(&self.starts, id.index())]
    }

    /// Iterates over the edges, each once and from the node at which it begins.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, E)> + '_ {
        self.nodes.ids().flat_map(|a| {
            self.neighbours(a).iter().filter(move |(b, edge)| edge.leads(a, *b)).map(move |&(b, edge)| (a, b, edge))
        })
    }
}

/// Returns the pairs of nodes between which there are calls, each once and the smaller number
/// first. `node` returns the node of a syntax node.
pub fn distinct_calls(
    calls: impl Iterator<Item = CallSite>,
    node: impl Fn((FileId, u32)) -> Option<NodeId>,
) -> Vec<(NodeId, NodeId)> {
    let ends = calls.filter_map(|call| Some((node(call.from)?, node(call.to)?)));
    let mut pairs: Vec<_> = ends.map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Returns the syntax node with a number in its file; `None` if the file has no such node.
fn nth(first_syntax: &[u32], (file, number): (FileId, u32)) -> Option<NodeId> {
    let (first, end) = (*first_syntax.get(file.index())?, *first_syntax.get(file.index() + 1)?);
    (number < end - first).then(|| NodeId(first + number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use petgraph::visit::{EdgeRef, IntoEdges};

    /// An edge with a direction.
    #[derive(Debug, Clone, Copy, PartialEq)]
    struct Arrow(bool);

    impl Edge for Arrow {
        fn weight(self) -> f64 {
            1.0
        }

        fn reversed(self) -> Self {
            Self(!self.0)
        }

        fn leads(self, _: NodeId, _: NodeId) -> bool {
            self.0
        }
    }

    #[test]
    fn an_edge_is_stored_at_both_ends_with_its_direction() {
        let [a, b, c] = [0, 1, 2].map(NodeId);
        let edges = [(a, c, Arrow(true)), (b, a, Arrow(true)), (a, b, Arrow(true)), (b, b, Arrow(true))];
        let graph = StructureGraph::new(vec![(), (), ()].into(), edges.into_iter());
        assert_eq!(graph.neighbours(a), [(b, Arrow(false)), (b, Arrow(true)), (c, Arrow(true))], "by number");
        assert_eq!(graph.neighbours(b), [(a, Arrow(true)), (a, Arrow(false))], "no edge to itself");
        let own: Vec<_> = graph.edges().collect();
        assert_eq!(own, [(a, b, Arrow(true)), (a, c, Arrow(true)), (b, a, Arrow(true))]);
        let ids = |node| IntoEdges::edges(&graph, node).map(|edge| edge.id());
        assert!(graph.ids().flat_map(ids).all(|id| own.contains(&id)), "the same id from both ends");
    }

    #[test]
    fn a_graph_without_edges_has_nodes_only() {
        let graph: StructureGraph<(), EdgeKind> = StructureGraph::new(vec![()].into(), std::iter::empty());
        assert_eq!((graph.nodes().len(), graph.neighbours(NodeId(0)).len()), (1, 0));
    }
}
