//! The structure graph for people: directories, files and definitions.
//!
//! Chains of syntax nodes between them are merged into one edge whose weight is the product, so
//! relation strengths stay comparable.
//!
//! - **Invariant:** a node has the same number as in the whole structure graph; edges are sorted
//!   and unique
//! - **Cost:** one pass over definitions and calls, which store their depth: no syntax tree is
//!   unpacked
//! - **Differs from the paper:** two definitions meet at the definition around both, not at the
//!   innermost syntax node around both, so the path between siblings of one block counts as
//!   slightly longer than it is

use crate::relation::directories_of;
use whichfn_graph::{Directories, EdgeKind};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, NodeId};
use whichfn_syntax::lang::DefinitionKind;

/// Kind of a node of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureNodeKind {
    /// A directory, by its number.
    Directory(u32),
    /// A file.
    File(FileId),
    /// A function, type or inner module.
    Definition(DefinitionId),
}

/// A node of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureNode {
    /// Number of the node in the structure graph.
    pub id: NodeId,
    /// Directory, file or definition that is shown.
    pub thing: PictureNodeKind,
}

/// An edge of the picture, between indexes into its list of nodes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureEdge {
    /// Node that contains the other, or calls it.
    pub a: u32,
    /// Node that is contained, or called.
    pub b: u32,
    /// Kind of the edge.
    pub kind: EdgeKind,
    /// Product of the merged weights.
    pub weight: f64,
    /// Line of the best call site; 0 for other edges.
    pub line: u32,
}

/// The picture of a repository.
#[derive(Debug, Clone, Default)]
pub struct Picture {
    /// Directories, files, then definitions, in order of number.
    pub nodes: Vec<PictureNode>,
    /// Edges, sorted by their ends and kind.
    pub edges: Vec<PictureEdge>,
    /// Paths of the directories.
    pub directories: Vec<String>,
    /// Location of each definition in the picture.
    places: Vec<PictureLocation>,
}

/// Location of a definition in the picture: its own node, or the node of the nearest shown
/// definition around it.
#[derive(Debug, Clone, Copy, Default)]
struct PictureLocation {
    spot: u32,
    /// Depth of the definition's syntax node.
    depth: u32,
    /// Depth of the shown node's syntax node. A file has the depth of its root, because the edge
    /// between them weighs 1.
    spot_depth: u32,
}

impl Picture {
    /// Builds the picture of a whole repository.
    pub fn new(graph: &GraphFile) -> Self {
        let mut picture = Self::default();
        let directories = directories_of(graph);
        picture.add_directories(&directories);
        let first_file = picture.nodes.len() as u32;
        for file in files(graph) {
            let spot = picture.add(first_file + file.0, PictureNodeKind::File(file));
            picture.tie(directories.of_file[file].0, spot, EdgeKind::Directory, EdgeKind::Directory.weight());
        }
        let mut first = picture.nodes.len() as u32;
        for file in files(graph) {
            picture.add_definitions(graph, file, first_file + file.0, first);
            first += graph.file(file).nodes;
        }
        picture.add_calls(graph);
        picture.directories = directories.paths.into_iter().collect();
        picture
    }

    /// Returns the index of the node that shows a definition, in [`Self::nodes`].
    pub fn spot_of(&self, id: DefinitionId) -> usize {
        self.places[id.index()].spot as usize
    }

    fn add(&mut self, id: u32, thing: PictureNodeKind) -> u32 {
        self.nodes.push(PictureNode { id: NodeId(id), thing });
        self.nodes.len() as u32 - 1
    }

    fn tie(&mut self, a: u32, b: u32, kind: EdgeKind, weight: f64) {
        self.edges.push(PictureEdge { a, b, kind, weight, line: 0 });
    }

    fn add_directories(&mut self, directories: &Directories) {
        for (directory, &parent) in directories.parents.enumerate() {
            let spot = self.add(directory.0, PictureNodeKind::Directory(directory.0));
            if parent != directory {
                self.tie(parent.0, spot, EdgeKind::Directory, EdgeKind::Directory.weight());
            }
        }
    }

    /// Adds the definitions of a file; `first` is the number of the file's first syntax node in the
    /// structure graph.
    fn add_definitions(&mut self, graph: &GraphFile, file: FileId, spot: u32, first: u32) {
        let (mut taken, nodes) = (rustc_hash::FxHashSet::default(), graph.file(file).nodes);
        for id in graph.definitions_of(file) {
            let row = graph.definition(id);
            let itself = row.parent == id;
            let has_node = !itself && row.node < nodes;
            let depth = if has_node { row.depth } else { 0 };
            let around = if itself {
                PictureLocation { spot, ..PictureLocation::default() }
            } else {
                self.places[row.parent.index()]
            };
            // Two names of one node (overloads in one declaration) share one spot.
            let place = if has_node && is_shown(row.kind()) && taken.insert(row.node) {
                let spot = self.add(first + row.node, PictureNodeKind::Definition(id));
                let in_file = matches!(self.nodes[around.spot as usize].thing, PictureNodeKind::File(_));
                let kind = if in_file { EdgeKind::Root } else { EdgeKind::Syntax };
                self.tie(around.spot, spot, kind, steps(around.spot_depth, depth));
                PictureLocation { spot, depth, spot_depth: depth }
            } else {
                PictureLocation { depth, ..around }
            };
            self.places.push(place);
        }
    }

    /// Adds calls, each from the spot around its site to the spot of its callee. Of several sites
    /// the best is kept.
    fn add_calls(&mut self, graph: &GraphFile) {
        let places = &self.places;
        let of = |caller: DefinitionId| {
            let from = places[caller.index()];
            graph.calls(caller).iter().map(move |call| {
                let (site, to) = (call.place(), places[call.callee.index()]);
                let weight = steps(from.spot_depth, site.depth) * steps(to.spot_depth, to.depth);
                let weight = EdgeKind::Call.weight() * weight;
                PictureEdge { a: from.spot, b: to.spot, kind: EdgeKind::Call, weight, line: site.line }
            })
        };
        let mut calls: Vec<PictureEdge> = graph.definition_ids().flat_map(of).collect();
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

/// Checks whether definitions of a kind are shown. Functions without a name and pieces of text
/// would be dots without a meaning.
fn is_shown(kind: DefinitionKind) -> bool {
    !matches!(kind, DefinitionKind::Anonymous | DefinitionKind::Text | DefinitionKind::Declaration)
}

/// Returns the weight of the syntax steps from one depth down to another.
fn steps(from: u32, to: u32) -> f64 {
    EdgeKind::Syntax.weight().powi(to.saturating_sub(from) as i32)
}
