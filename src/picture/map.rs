//! The structure graph as people see it: directories, files and definitions. Chains of syntax nodes between them are
//! merged into one edge whose weight is the product of theirs, so relation strengths stay comparable.
//!
//! Law:       a node bears the number that it has in the whole structure graph; edges are sorted and each is there once
//! Price:     two passes over the packed syntax trees, O(nodes), and memory for definitions and calls alone
//! Departs:   two definitions meet at the definition around both, not at the syntax node that first holds both, so the
//!            way between siblings of one block counts as a little longer than it is

use crate::graph::{EdgeKind, Paths};
use crate::ids::{DefinitionId, FileId, NodeId};
use crate::lang::DefinitionKind;
use crate::parse::{Syntax, SyntaxNode};
use crate::store::GraphFile;

/// What a node of the picture is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureNodeKind {
    /// A directory, by its number.
    Directory(u32),
    /// A file.
    File(FileId),
    /// A function, type or inner module, and the parser's number of its syntax node's kind.
    Definition(DefinitionId, u16),
}

/// A node of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureNode {
    /// Its number in the structure graph.
    pub id: NodeId,
    /// What it is.
    pub thing: PictureNodeKind,
    /// First byte; 0 for directories and files, as in the structure graph.
    pub start: u32,
    /// Byte after the last.
    pub end: u32,
}

/// An edge of the picture, between places in its list of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureEdge {
    /// What contains, or calls.
    pub a: u32,
    /// What is contained, or called.
    pub b: u32,
    /// Its kind.
    pub kind: EdgeKind,
    /// Product of the weights that were merged.
    pub weight: f64,
    /// The line of the best call site; 0 for other edges.
    pub line: u32,
}

/// The picture of a repository.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    /// Directories, files, then definitions, in order of number.
    pub nodes: Vec<PictureNode>,
    /// Edges, in order of their ends and kind.
    pub edges: Vec<PictureEdge>,
    /// Paths of the directories.
    pub directories: Vec<String>,
    /// Where each definition is shown.
    places: Vec<ShownAt>,
}

/// Where a definition is shown: its own spot, or that of the nearest one around it which is shown.
#[derive(Debug, Clone, Copy, Default)]
struct ShownAt {
    spot: u32,
    /// Depth of the definition's syntax node.
    depth: u32,
    /// Depth of the spot's syntax node; a file stands where its root does, because that edge weighs 1.
    spot_depth: u32,
}

/// A call whose caller has its place.
struct PlacedCall {
    /// The spot around its site.
    from: u32,
    /// The weight of the way from there down to the site.
    down: f64,
    callee: DefinitionId,
    line: u32,
}

impl Picture {
    /// Of a whole repository.
    pub fn new(graph: &GraphFile) -> Self {
        let mut picture = Self::default();
        let paths = Paths::new(files(graph).map(|file| graph.path(file)));
        picture.add_directories(&paths);
        let first_file = picture.nodes.len() as u32;
        for file in files(graph) {
            let spot = picture.add(first_file + file.0, PictureNodeKind::File(file), 0, 0);
            picture.tie(paths.directory_of(file).0, spot, EdgeKind::Directory, EdgeKind::Directory.weight());
        }
        let (mut first, mut calls) = (picture.nodes.len() as u32, Vec::new());
        for file in files(graph) {
            let nodes: Vec<SyntaxNode> = Syntax::new(&graph.syntax(file)).collect();
            picture.add_definitions(graph, file, first_file + file.0, first, &nodes);
            // While the tree is unpacked: it is asked for the depths of the sites.
            calls.extend(picture.calls_of(graph, file, &nodes));
            first += nodes.len() as u32;
        }
        picture.add_calls(calls);
        picture
    }

    /// Where a definition is shown, in [`Self::nodes`].
    pub fn spot_of(&self, id: DefinitionId) -> usize {
        self.places[id.index()].spot as usize
    }

    fn add(&mut self, id: u32, thing: PictureNodeKind, start: u32, end: u32) -> u32 {
        self.nodes.push(PictureNode { id: NodeId(id), thing, start, end });
        self.nodes.len() as u32 - 1
    }

    fn tie(&mut self, a: u32, b: u32, kind: EdgeKind, weight: f64) {
        self.edges.push(PictureEdge { a, b, kind, weight, line: 0 });
    }

    fn add_directories(&mut self, paths: &Paths) {
        self.directories = paths.directories().as_slice().to_vec();
        for directory in paths.directories().ids() {
            let spot = self.add(directory.0, PictureNodeKind::Directory(directory.0), 0, 0);
            if let Some(parent) = paths.parent(directory) {
                self.tie(parent.0, spot, EdgeKind::Directory, EdgeKind::Directory.weight());
            }
        }
    }

    /// `first` is the number of the file's first syntax node in the structure graph.
    fn add_definitions(&mut self, graph: &GraphFile, file: FileId, spot: u32, first: u32, nodes: &[SyntaxNode]) {
        let mut taken = rustc_hash::FxHashSet::default();
        for id in graph.definitions_of(file) {
            let row = graph.definition(id);
            let itself = row.parent == id;
            let node = nodes.get(row.node as usize).filter(|_| !itself);
            let depth = node.map_or(0, |node| node.depth);
            let around = if itself { ShownAt { spot, ..ShownAt::default() } } else { self.places[row.parent.index()] };
            let place = match node {
                // Two names of one node (overloads in one declaration) are one spot.
                Some(node) if is_shown(row.kind()) && taken.insert(row.node) => {
                    let thing = PictureNodeKind::Definition(id, node.kind);
                    let spot = self.add(first + row.node, thing, node.start, node.end);
                    let in_file = matches!(self.nodes[around.spot as usize].thing, PictureNodeKind::File(_));
                    let kind = if in_file { EdgeKind::Root } else { EdgeKind::Syntax };
                    self.tie(around.spot, spot, kind, steps(around.spot_depth, depth));
                    ShownAt { spot, depth, spot_depth: depth }
                }
                _ => ShownAt { depth, ..around },
            };
            self.places.push(place);
        }
    }

    /// The calls in a file whose definitions have their places.
    fn calls_of(&self, graph: &GraphFile, file: FileId, nodes: &[SyntaxNode]) -> Vec<PlacedCall> {
        let of = |caller: DefinitionId| {
            let from = self.places[caller.index()];
            graph.calls(caller).iter().map(move |call| {
                let site = nodes.get(call.site as usize).map_or(from.depth, |node| node.depth);
                let down = steps(from.spot_depth, site);
                PlacedCall { from: from.spot, down, callee: call.callee, line: call.line }
            })
        };
        graph.definitions_of(file).flat_map(of).collect()
    }

    /// Calls, each from the spot around its site to the spot of what it calls; of several sites the best.
    fn add_calls(&mut self, calls: Vec<PlacedCall>) {
        let edge = |call: PlacedCall| {
            let to = self.places[call.callee.index()];
            let weight = EdgeKind::Call.weight() * (call.down * steps(to.spot_depth, to.depth));
            PictureEdge { a: call.from, b: to.spot, kind: EdgeKind::Call, weight, line: call.line }
        };
        let mut calls: Vec<PictureEdge> = calls.into_iter().map(edge).collect();
        calls.retain(|call| call.a != call.b);
        calls.sort_by(|x, y| (x.a, x.b).cmp(&(y.a, y.b)).then(y.weight.total_cmp(&x.weight)).then(x.line.cmp(&y.line)));
        calls.dedup_by_key(|call| (call.a, call.b));
        self.edges.extend(calls);
        self.edges.sort_by_key(|tie| (tie.a, tie.b, tie.kind));
    }
}

fn files(graph: &GraphFile) -> impl Iterator<Item = FileId> + use<> {
    graph.file_ids()
}

/// Functions without a name and pieces of text would be dots without a meaning.
fn is_shown(kind: DefinitionKind) -> bool {
    !matches!(kind, DefinitionKind::Anonymous | DefinitionKind::Text)
}

/// The weight of the syntax steps from one depth down to another.
fn steps(from: u32, to: u32) -> f64 {
    EdgeKind::Syntax.weight().powi(to.saturating_sub(from) as i32)
}
