//! The part of the picture that is drawn: all of it, a neighbourhood, or what is most connected; with names.

use super::map::{Picture, PictureNode, PictureNodeKind};
use super::selection::{self, Chosen};
use crate::error::Result;
use crate::graph::EdgeKind;
use crate::ids::{DefinitionId, FileId, NodeId};
use crate::lang::DefinitionKind;
use crate::parse::{Syntax, SyntaxNode};
use crate::source::Sources;
use crate::store::GraphFile;
use crate::text::{file_name, path_lossy};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// A part of the picture, ready to be shown.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The name of the root's folder.
    pub root: String,
    /// The definition that was asked for; none for a whole repository.
    pub centre: Option<NodeId>,
    /// Nodes, in order of number.
    pub nodes: Vec<DrawnNode>,
    /// Edges between them.
    pub edges: Vec<DrawnEdge>,
    /// How many nodes of the picture were left out.
    pub left_out: usize,
}

/// A node that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnNode {
    /// Its number in the structure graph.
    pub id: NodeId,
    /// `directory`, `file`, or the parser's word.
    pub kind: String,
    /// What it is for a person.
    pub group: NodeCategory,
    /// Path from the root.
    pub path: String,
    /// First byte.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
    /// First line; 0 for directories.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The line of its name: the place to open.
    pub line: u32,
    /// A definition's name.
    pub name: Option<String>,
    /// What to write beside it: its name with those around it, the head of an extension, or the last part of its path.
    pub label: String,
    /// A definition's head on one line.
    pub signature: String,
    /// How many nodes of the whole picture call it, drawn or not.
    pub callers: u32,
    /// How many nodes of the whole picture it calls, drawn or not.
    pub callees: u32,
    /// In a neighbourhood the relation strength to its centre, else the share of the most connected; 1 at most.
    pub weight: f64,
    /// Calls between it and the centre: below 0 for those that call, above 0 for those that are called; none where no chain of
    /// calls was followed to it.
    pub depth: Option<i32>,
}

impl DrawnNode {
    /// Where to find it: `path:line`, or the path alone for a directory.
    pub fn place(&self) -> String {
        if self.line == 0 { self.path.clone() } else { format!("{}:{}", self.path, self.line) }
    }
}

/// An edge that is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnEdge {
    /// What contains, or calls.
    pub a: NodeId,
    /// What is contained, or called.
    pub b: NodeId,
    /// Its kind.
    pub kind: EdgeKind,
    /// Its weight.
    pub weight: f64,
    /// The line of the call.
    pub line: Option<u32>,
}

/// What a node is, coarsely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeCategory {
    /// A directory.
    Directory,
    /// A file.
    File,
    /// A class, struct, trait, or a place that adds members to one.
    Type,
    /// A function, method or macro.
    Function,
    /// A named part of a file.
    Module,
}

impl NodeCategory {
    /// The word that JSON and the page use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::File => "file",
            Self::Type => "type",
            Self::Function => "function",
            Self::Module => "module",
        }
    }

    fn of(kind: DefinitionKind) -> Self {
        match kind {
            DefinitionKind::Function
            | DefinitionKind::Method
            | DefinitionKind::Macro
            | DefinitionKind::Anonymous
            | DefinitionKind::Declaration => Self::Function,
            DefinitionKind::Module | DefinitionKind::Text => Self::Module,
            _ => Self::Type,
        }
    }
}

/// Which part of the picture is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// All of it.
    Whole,
    /// At most this many nodes: the most connected definitions and what contains them.
    Important(usize),
    /// At most this many nodes: a definition, what calls it and what it calls, and so on.
    Calls(DefinitionId, usize),
    /// At most this many nodes: those related most to a definition, siblings in its file among them.
    Near(DefinitionId, usize),
}

/// Draws a part of a repository's picture. `kind` says the parser's word for the number of a kind of syntax node.
///
/// # Errors
/// When `kind` does not know.
pub fn draw(sources: &Sources<'_>, part: View, kind: impl Fn(FileId, u16) -> Result<String>) -> Result<Drawing> {
    let picture = Picture::new(sources.graph());
    let (centre, chosen) = match part {
        View::Whole => (None, selection::whole(&picture)),
        View::Important(most) => (None, selection::important(&picture, most)),
        View::Calls(centre, most) => {
            let spot = picture.spot_of(centre);
            (Some(picture.nodes[spot].id), selection::calls(&picture, spot, most))
        }
        View::Near(centre, most) => {
            let spot = picture.spot_of(centre);
            (Some(picture.nodes[spot].id), selection::near(&picture, spot, most))
        }
    };
    Dresser { sources, graph: sources.graph(), kind, syntax: RefCell::default() }.draw(&picture, centre, chosen)
}

/// Gives names to chosen nodes, which come with their weights.
struct Dresser<'a, K> {
    sources: &'a Sources<'a>,
    graph: &'a GraphFile,
    kind: K,
    /// The syntax of the file that was asked about last: nodes come by file.
    syntax: RefCell<Option<(FileId, Vec<SyntaxNode>)>>,
}

impl<K: Fn(FileId, u16) -> Result<String>> Dresser<'_, K> {
    fn draw(&self, picture: &Picture, centre: Option<NodeId>, mut chosen: Vec<Chosen>) -> Result<Drawing> {
        chosen.sort_by_key(|one| picture.nodes[one.spot].id);
        let nodes = chosen.iter().map(|one| self.node(picture, &picture.nodes[one.spot], one));
        let mut nodes = nodes.collect::<Result<Vec<_>>>()?;
        let shown: FxHashMap<u32, NodeId> =
            chosen.iter().map(|one| (one.spot as u32, picture.nodes[one.spot].id)).collect();
        count_calls(picture, &chosen, &mut nodes);
        let edges = picture.edges.iter().filter_map(|tie| {
            let (a, b) = (*shown.get(&tie.a)?, *shown.get(&tie.b)?);
            let line = (tie.kind == EdgeKind::Call).then_some(tie.line);
            Some(DrawnEdge { a, b, kind: tie.kind, weight: tie.weight, line })
        });
        Ok(Drawing {
            root: self
                .sources
                .root()
                .file_name()
                .map_or_else(|| ".".to_owned(), |name| name.to_string_lossy().into_owned()),
            centre,
            edges: edges.collect(),
            left_out: picture.nodes.len() - nodes.len(),
            nodes,
        })
    }

    fn syntax_node(&self, file: FileId, node: u32) -> SyntaxNode {
        let mut last = self.syntax.borrow_mut();
        if last.as_ref().is_none_or(|(known, _)| *known != file) {
            *last = Some((file, Syntax::new(&self.graph.syntax(file)).collect()));
        }
        last.as_ref().and_then(|(_, nodes)| nodes.get(node as usize)).copied().unwrap_or_default()
    }

    fn node(&self, picture: &Picture, spot: &PictureNode, chosen: &Chosen) -> Result<DrawnNode> {
        let graph = self.graph;
        let plain = |kind: &str, group, path: &str| DrawnNode {
            id: spot.id,
            kind: kind.to_owned(),
            group,
            path: path.to_owned(),
            start: 0,
            end: 0,
            start_line: 0,
            end_line: 0,
            line: 0,
            name: None,
            label: path_lossy(file_name(path)).into_owned(),
            signature: String::new(),
            callers: 0,
            callees: 0,
            weight: chosen.weight,
            depth: chosen.depth,
        };
        Ok(match spot.thing {
            PictureNodeKind::Directory(number) => {
                plain("directory", NodeCategory::Directory, &picture.directories[number as usize])
            }
            PictureNodeKind::File(file) => DrawnNode {
                start_line: 1,
                end_line: graph.file(file).lines.max(1),
                line: 1,
                ..plain("file", NodeCategory::File, graph.path(file))
            },
            PictureNodeKind::Definition(id) => {
                let row = graph.definition(id);
                let path = graph.path(row.file);
                let SyntaxNode { kind, start, end, .. } = self.syntax_node(row.file, row.node);
                let (start_line, end_line) = self.sources.line_span(row.file, start, end);
                let name = Some(graph.name(id).to_owned()).filter(|name| !name.is_empty());
                DrawnNode {
                    start,
                    end,
                    start_line,
                    end_line,
                    line: row.line,
                    name,
                    label: label(graph, id).to_owned(),
                    signature: graph.signature(id).to_owned(),
                    ..plain(&(self.kind)(row.file, kind)?, NodeCategory::of(row.kind()), path)
                }
            }
        })
    }
}

/// Says of each drawn node how many call it and how many it calls.
fn count_calls(picture: &Picture, chosen: &[Chosen], nodes: &mut [DrawnNode]) {
    let places: FxHashMap<usize, usize> = chosen.iter().enumerate().map(|(at, one)| (one.spot, at)).collect();
    for tie in picture.edges.iter().filter(|tie| tie.kind == EdgeKind::Call) {
        if let Some(&at) = places.get(&(tie.a as usize)) {
            nodes[at].callees += 1;
        }
        if let Some(&at) = places.get(&(tie.b as usize)) {
            nodes[at].callers += 1;
        }
    }
}

/// An extension bears the name of its type; its head (`impl Clock for System`) tells the two apart.
fn label(graph: &GraphFile, id: DefinitionId) -> &str {
    match (graph.definition(id).kind(), graph.signature(id)) {
        (DefinitionKind::Extension, head) if !head.is_empty() => head,
        _ => graph.qualified_name(id),
    }
}
