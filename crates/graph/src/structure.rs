//! The structure graph: every directory, every file and every named syntax node, connected by
//! syntax, directory, root and call edges.
//!
//! - **Implements:** FragRel, section 3.1 (the repository as one graph of directories, files and
//!   syntax trees).
//! - **Invariant:** the graph is undirected. Each edge is stored at both ends, and neighbours are
//!   sorted by number, so walks are the same in every run.
//! - **Cost:** O(nodes + edges); eight bytes per edge end and twelve per node, in two flat tables
//!   (compressed sparse rows).
//! - **Alternatives:** petgraph's `Graph`, which takes three to four times the memory for the same
//!   2 million nodes; it is the reference implementation in the test. `visit.rs` implements
//!   petgraph's traits, so its algorithms run on this graph as well.
//! - **Tested by:** `crates/search/tests/structure.rs`, which compares with a petgraph that is
//!   filled by walking tree-sitter's own nodes.

use super::edge::EdgeKind;
use super::modules::Paths;
use whichfn_syntax::ids::{DirectoryId, FileId, IdVec, NodeId, row_range, row_starts};
use whichfn_syntax::parse::Syntax;

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A directory, by its number in path order; 0 is the root.
    Directory(DirectoryId),
    /// A file.
    File(FileId),
    /// A named syntax node: its file and the parser's number of its kind.
    Syntax(FileId, u16),
}

/// A node of the graph.
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

/// The structure graph of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StructureGraph {
    nodes: IdVec<NodeId, GraphNode>,
    directories: IdVec<DirectoryId, String>,
    first_file: u32,
    /// Number of the first syntax node of each file, followed by the number of all nodes.
    first_syntax: Vec<u32>,
    /// Index in `ends` of the first neighbour of each node, followed by the length of `ends`
    /// (compressed sparse rows).
    starts: Vec<u32>,
    ends: Vec<(NodeId, EdgeKind)>,
}

impl StructureGraph {
    /// Builds the graph of all files, which are sorted by path. Each file has a packed syntax tree,
    /// which is empty for plain text.
    pub fn build(files: &[(&str, &[u8])], calls: impl Iterator<Item = CallSite>) -> Self {
        let paths = Paths::new(files.iter().map(|(path, _)| *path));
        let mut graph = Self::default();
        let mut edges = graph.add_directories(&paths);
        graph.first_file = graph.nodes.len() as u32;
        for number in 0..files.len() {
            let file = FileId::new(number);
            let id = graph.add(NodeKind::File(file), 0, 0);
            edges.push((directory_node(paths.directory_of(file)), id, EdgeKind::Directory));
        }
        for (number, (_, syntax)) in files.iter().enumerate() {
            graph.add_syntax(FileId::new(number), syntax, &mut edges);
        }
        graph.first_syntax.push(graph.nodes.len() as u32);
        for call in calls {
            if let (Some(from), Some(to)) = (graph.syntax_node(call.from), graph.syntax_node(call.to)) {
                edges.push((from, to, EdgeKind::Call));
            }
        }
        graph.connect(edges);
        graph
    }

    fn add(&mut self, kind: NodeKind, start: u32, end: u32) -> NodeId {
        self.nodes.push(GraphNode { kind, start, end })
    }

    fn add_directories(&mut self, paths: &Paths) -> Vec<(NodeId, NodeId, EdgeKind)> {
        let mut edges = Vec::new();
        self.directories = paths.directories().clone();
        for directory in self.directories.ids() {
            let id = self.add(NodeKind::Directory(directory), 0, 0);
            edges.extend(paths.parent(directory).map(|parent| (directory_node(parent), id, EdgeKind::Directory)));
        }
        edges
    }

    fn add_syntax(&mut self, file: FileId, syntax: &[u8], edges: &mut Vec<(NodeId, NodeId, EdgeKind)>) {
        let first = self.nodes.len() as u32;
        self.first_syntax.push(first);
        for (number, node) in Syntax::new(syntax).enumerate() {
            let id = self.add(NodeKind::Syntax(file, node.kind), node.start, node.end);
            if node.parent as usize == number {
                edges.push((self.file(file), id, EdgeKind::Root));
            } else {
                edges.push((NodeId(first + node.parent), id, EdgeKind::Syntax));
            }
        }
    }

    /// Stores each edge at both ends. Keeps one edge of each kind between two nodes.
    fn connect(&mut self, edges: Vec<(NodeId, NodeId, EdgeKind)>) {
        let mut both: Vec<(NodeId, NodeId, EdgeKind)> = edges
            .into_iter()
            .filter(|(a, b, _)| a != b)
            .flat_map(|(a, b, kind)| [(a, b, kind), (b, a, kind)])
            .collect();
        both.sort_unstable();
        both.dedup();
        self.starts = row_starts(self.nodes.len(), both.iter().map(|(a, ..)| a.index()));
        self.ends = both.into_iter().map(|(_, b, kind)| (b, kind)).collect();
    }

    /// Returns all nodes: directories, then files, then syntax nodes by file.
    pub fn nodes(&self) -> &[GraphNode] {
        self.nodes.as_slice()
    }

    /// Returns the paths of the directories, by their number.
    pub fn directories(&self) -> &IdVec<DirectoryId, String> {
        &self.directories
    }

    /// Returns the neighbours of a node with the kind of their edge, sorted by number.
    pub fn neighbours(&self, id: NodeId) -> &[(NodeId, EdgeKind)] {
        &self.ends[row_range(&self.starts, id.index())]
    }

    /// Iterates over the edges, each once, from the smaller number to the larger.
    pub fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId, EdgeKind)> + '_ {
        self.nodes
            .ids()
            .flat_map(|a| self.neighbours(a).iter().filter(move |(b, _)| a < *b).map(move |&(b, kind)| (a, b, kind)))
    }

    /// Returns the node of a file.
    pub fn file(&self, file: FileId) -> NodeId {
        NodeId(self.first_file + file.0)
    }

    /// Returns the node of a syntax node, given by its file and its number there; `None` if the
    /// file has no such node.
    pub fn syntax_node(&self, (file, number): (FileId, u32)) -> Option<NodeId> {
        let first = *self.first_syntax.get(file.index())?;
        let end = self.first_syntax.get(file.index() + 1).copied().unwrap_or(self.nodes.len() as u32);
        (first + number < end).then_some(NodeId(first + number))
    }
}

/// Returns the node of a directory. Directories are the first nodes, in the same order.
fn directory_node(directory: DirectoryId) -> NodeId {
    NodeId(directory.0)
}
