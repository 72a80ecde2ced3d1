//! The drawn part of the picture, with names: all of it, a neighbourhood, or the most connected
//! nodes.

use super::map::Picture;
use super::selection::{self, SelectedNode};
use petgraph::Direction;
use rustc_hash::FxHashMap;
use whichfn_graph::{Edge, EdgeKind, NodeKind};
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, NodeId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::SyntaxNode;
use whichfn_system::error::Result;
use whichfn_text::{file_name, path_lossy};

/// A part of the picture, ready to be shown.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// Name of the root directory.
    pub root: String,
    /// Node of the requested definition; `None` for a whole repository.
    pub centre: Option<NodeId>,
    /// Nodes, in order of number.
    pub nodes: Vec<DrawnNode>,
    /// Edges between the nodes.
    pub edges: Vec<DrawnEdge>,
    /// Number of nodes of the picture that are left out.
    pub left_out: usize,
    /// See [`Sources::notices`].
    pub notices: Vec<String>,
}

/// A node of the structure graph in the form that users and programs see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedNode {
    /// Number of the node in the structure graph.
    pub id: NodeId,
    /// `directory`, `file`, or the parser's name for the kind of syntax node.
    pub kind: String,
    /// Path from the root.
    pub path: String,
    /// Offset of the first byte; 0 for directories and files.
    pub start: u32,
    /// Offset after the last byte; 0 for directories and files.
    pub end: u32,
    /// First line, starting at 1; 0 for directories.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Own name of the definition at this node; `None` if there is no named definition.
    pub name: Option<String>,
}

impl NamedNode {
    /// Creates the node of a directory or file with a first and a last line.
    pub fn new(id: NodeId, kind: &str, path: &str, (start_line, end_line): (u32, u32)) -> Self {
        let (kind, path) = (kind.to_owned(), path.to_owned());
        Self { id, kind, path, start: 0, end: 0, start_line, end_line, name: None }
    }
}

/// A node that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnNode {
    /// The node.
    pub node: NamedNode,
    /// Category shown to people.
    pub group: NodeCategory,
    /// Line of the name, to open in an editor; 0 for directories.
    pub line: u32,
    /// Label of the node: the qualified name, the head of an extension, or the last part of the
    /// path.
    pub label: String,
    /// Head of a definition on one line; empty for files and directories.
    pub signature: String,
    /// Number of nodes of the whole picture that call it, drawn or not.
    pub callers: u32,
    /// Number of nodes of the whole picture that it calls, drawn or not.
    pub callees: u32,
    /// Relation strength to the centre of a neighbourhood, otherwise the share of the most
    /// connected node; at most 1.
    pub weight: f64,
    /// Number of calls between the node and the centre: negative for callers, positive for callees,
    /// `None` if no chain of calls was followed to it.
    pub depth: Option<i32>,
}

impl DrawnNode {
    /// Returns the location: `path:line`, or only the path for a directory.
    pub fn place(&self) -> String {
        if self.line == 0 { self.node.path.clone() } else { format!("{}:{}", self.node.path, self.line) }
    }
}

/// An edge that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnEdge {
    /// Node that contains the other, or calls it.
    pub a: NodeId,
    /// Node that is contained, or called.
    pub b: NodeId,
    /// Kind of the edge.
    pub kind: EdgeKind,
    /// Weight of the edge.
    pub weight: f64,
    /// Line of the call; `None` for other edges.
    pub line: Option<u32>,
}

/// Coarse category of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeCategory {
    /// A directory.
    Directory,
    /// A file.
    File,
    /// A class, struct, trait, or a block that adds members to one.
    Type,
    /// A function, method or macro.
    Function,
    /// A named part of a file.
    Module,
}

impl NodeCategory {
    /// Returns the name used by JSON and the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::File => "file",
            Self::Type => "type",
            Self::Function => "function",
            Self::Module => "module",
        }
    }

    fn from_kind(kind: DefinitionKind) -> Self {
        match kind {
            DefinitionKind::Function
            | DefinitionKind::Method
            | DefinitionKind::Macro
            | DefinitionKind::Anonymous
            | DefinitionKind::Declaration
            | DefinitionKind::Entry
            | DefinitionKind::Mount => Self::Function,
            DefinitionKind::Module | DefinitionKind::Text => Self::Module,
            _ => Self::Type,
        }
    }
}

/// Part of the picture to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// All nodes.
    Whole,
    /// Up to this many nodes: the most connected definitions and their containers.
    Important(usize),
    /// Up to this many nodes: a definition, its callers and callees, their callers and callees, and
    /// so on.
    Calls(DefinitionId, usize),
    /// Up to this many nodes: those most related to a definition, including siblings in its file.
    Near(DefinitionId, usize),
}

/// Draws a part of a repository's picture.
///
/// `kind` returns the parser's name for the number of a kind of syntax node.
///
/// # Errors
/// When `kind` fails.
pub fn draw(sources: &Sources<'_>, part: View, kind: impl Fn(FileId, u16) -> Result<String>) -> Result<Drawing> {
    let picture = Picture::new(sources.graph());
    match part {
        View::Whole | View::Important(_) => sources.needs_all_calls(),
        View::Calls(centre, _) | View::Near(centre, _) => {
            sources.needs_calls_of(sources.graph().file_around(centre));
        }
    }
    let (centre, chosen) = match part {
        View::Whole => (None, selection::all(&picture.graph)),
        View::Important(most) => (None, selection::important(&picture.graph, most)),
        View::Calls(centre, most) => {
            let spot = picture.spot_of(centre);
            (Some(picture.graph.node(spot).id), selection::calls(&picture.graph, spot, most))
        }
        View::Near(centre, most) => {
            let spot = picture.spot_of(centre);
            (Some(picture.graph.node(spot).id), selection::near(&picture.graph, spot, most))
        }
    };
    NodeNamer { sources, graph: sources.graph(), kind }.draw(&picture, centre, chosen)
}

/// Adds names to chosen nodes.
struct NodeNamer<'a, K> {
    sources: &'a Sources<'a>,
    graph: &'a GraphFile,
    kind: K,
}

impl<K: Fn(FileId, u16) -> Result<String>> NodeNamer<'_, K> {
    fn draw(&self, picture: &Picture, centre: Option<NodeId>, mut chosen: Vec<SelectedNode>) -> Result<Drawing> {
        chosen.sort_by_key(|one| picture.graph.node(one.spot).id);
        let nodes = chosen.iter().map(|one| self.node(picture, one)).collect::<Result<Vec<_>>>()?;
        let shown: FxHashMap<NodeId, NodeId> =
            chosen.iter().map(|one| (one.spot, picture.graph.node(one.spot).id)).collect();
        let edges = picture.graph.edges().filter_map(|(a, b, edge)| {
            let (kind, weight) = (edge.merged.kind, edge.weight());
            let line = (kind == EdgeKind::Call).then_some(edge.line);
            Some(DrawnEdge { a: *shown.get(&a)?, b: *shown.get(&b)?, kind, weight, line })
        });
        Ok(Drawing {
            root: self
                .sources
                .root()
                .file_name()
                .map_or_else(|| ".".to_owned(), |name| name.to_string_lossy().into_owned()),
            centre,
            edges: edges.collect(),
            left_out: picture.graph.nodes().len() - nodes.len(),
            nodes,
            notices: self.sources.notices(),
        })
    }

    fn node(&self, picture: &Picture, chosen: &SelectedNode) -> Result<DrawnNode> {
        let (graph, node) = (self.graph, picture.graph.node(chosen.spot));
        let calls = |direction| {
            let ends = picture.graph.neighbours(chosen.spot).iter();
            ends.filter(|(_, edge)| edge.is_call(direction)).count() as u32
        };
        let plain = |kind: &str, group, path: &str, lines| DrawnNode {
            node: NamedNode::new(node.id, kind, path, lines),
            group,
            line: 0,
            label: path_lossy(file_name(path)).into_owned(),
            signature: String::new(),
            callers: calls(Direction::Incoming),
            callees: calls(Direction::Outgoing),
            weight: chosen.weight,
            depth: chosen.depth,
        };
        Ok(match node.kind {
            NodeKind::Directory(id) => {
                plain("directory", NodeCategory::Directory, &picture.directories.paths[id], (0, 0))
            }
            NodeKind::File(file) => {
                let lines = (1, graph.file(file).lines.max(1));
                DrawnNode { line: 1, ..plain("file", NodeCategory::File, graph.path(file), lines) }
            }
            NodeKind::Syntax(_, id) => {
                let row = graph.definition(id);
                let path = graph.path(row.file);
                let SyntaxNode { kind, start, end, .. } = self.sources.syntax_node(row.file, row.node);
                let lines = self.sources.line_span(row.file, start, end);
                let name = Some(graph.name(id).to_owned()).filter(|name| !name.is_empty());
                let drawn = plain(&(self.kind)(row.file, kind)?, NodeCategory::from_kind(row.kind()), path, lines);
                DrawnNode {
                    node: NamedNode { start, end, name, ..drawn.node },
                    line: row.line,
                    label: label(graph, id).to_owned(),
                    signature: graph.signature(id).to_owned(),
                    ..drawn
                }
            }
        })
    }
}

/// Returns the label of a definition.
///
/// An extension has the name of its type; its head (`impl Clock for System`) distinguishes the two.
fn label(graph: &GraphFile, id: DefinitionId) -> &str {
    match (graph.definition(id).kind(), graph.signature(id)) {
        (DefinitionKind::Extension, head) if !head.is_empty() => head,
        _ => graph.qualified_name(id),
    }
}
