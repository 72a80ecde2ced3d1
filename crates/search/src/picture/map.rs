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
use petgraph::Direction;
use rustc_hash::FxHashSet;
use whichfn_graph::{Directories, Edge, EdgeKind, NodeKind, StructureGraph};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId, IdVec, NodeId};
use whichfn_syntax::lang::DefinitionKind;

/// A node of the picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureNode {
    /// Number of the node in the whole graph.
    pub id: NodeId,
    /// Directory, file or definition that is shown.
    pub kind: NodeKind<DefinitionId>,
    /// Node of the picture that contains it; `None` for the root.
    pub around: Option<NodeId>,
}

/// An edge of the picture as seen from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureEdge {
    /// Kind of the edge.
    pub kind: EdgeKind,
    /// Outgoing if the node contains or calls the other.
    pub direction: Direction,
    /// Product of the merged weights.
    pub weight: f64,
    /// Line of the best call site; 0 for other edges.
    pub line: u32,
}

impl PictureEdge {
    /// Creates an edge between a node and one that it contains.
    fn new(kind: EdgeKind, weight: f64) -> Self {
        Self { kind, direction: Direction::Outgoing, weight, line: 0 }
    }

    /// Checks whether the node calls the other, or is called by it.
    pub fn is_call(&self, direction: Direction) -> bool {
        self.kind == EdgeKind::Call && self.direction == direction
    }
}

impl Edge for PictureEdge {
    fn weight(self) -> f64 {
        self.weight
    }

    fn reversed(self) -> Self {
        Self { direction: self.direction.opposite(), ..self }
    }

    fn leads(self, _: NodeId, _: NodeId) -> bool {
        self.direction == Direction::Outgoing
    }
}

/// The graph of directories, files and definitions. Edges lead from the node that contains or calls
/// the other.
pub type PictureGraph = StructureGraph<PictureNode, PictureEdge>;

/// The picture of a repository.
pub struct Picture {
    /// The graph.
    pub graph: PictureGraph,
    /// The directories.
    pub directories: Directories,
    /// Location of each definition in the picture.
    places: IdVec<DefinitionId, PictureLocation>,
}

/// Location of a definition in the picture: its own node, or the node of the nearest shown
/// definition around it.
#[derive(Debug, Clone, Copy)]
struct PictureLocation {
    spot: NodeId,
    /// Depth of the definition's syntax node.
    depth: u32,
    /// Depth of the shown node's syntax node. A file has the depth of its root, because the edge
    /// between them weighs 1.
    spot_depth: u32,
}

impl Picture {
    /// Builds the picture of a whole repository.
    pub fn new(graph: &GraphFile) -> Self {
        let directories = directories_of(graph);
        let edge = PictureEdge::new(EdgeKind::Directory, EdgeKind::Directory.weight());
        let mut parts = PictureParts { edges: directories.edges(edge).collect(), ..PictureParts::default() };
        for (kind, parent) in directories.nodes().zip(directories.parents()) {
            let id = NodeId::new(parts.nodes.len());
            parts.nodes.push(PictureNode { id, kind, around: (id != parent).then_some(parent) });
        }
        let mut first = parts.nodes.len() as u32;
        for file in graph.file_ids() {
            parts.add_definitions(graph, file, directories.file(file), first);
            first += graph.file(file).nodes;
        }
        parts.add_calls(graph);
        Self { graph: StructureGraph::new(parts.nodes, &parts.edges), directories, places: parts.places }
    }

    /// Returns the node that shows a definition.
    pub fn spot_of(&self, id: DefinitionId) -> NodeId {
        self.places[id].spot
    }
}

/// The parts of a picture that is being built.
#[derive(Default)]
struct PictureParts {
    nodes: IdVec<NodeId, PictureNode>,
    edges: Vec<(NodeId, NodeId, PictureEdge)>,
    places: IdVec<DefinitionId, PictureLocation>,
}

impl PictureParts {
    /// Adds the definitions of a file; `first` is the number of the file's first syntax node in the
    /// whole graph.
    fn add_definitions(&mut self, graph: &GraphFile, file: FileId, spot: NodeId, first: u32) {
        let (mut taken, nodes) = (FxHashSet::default(), graph.file(file).nodes);
        for id in graph.definitions_of(file) {
            let row = graph.definition(id);
            let itself = row.parent == id;
            let has_node = !itself && row.node < nodes;
            let depth = if has_node { row.depth } else { 0 };
            let around =
                if itself { PictureLocation { spot, depth: 0, spot_depth: 0 } } else { self.places[row.parent] };
            // Two names of one node (overloads in one declaration) share one spot.
            let place = if has_node && is_shown(row.kind()) && taken.insert(row.node) {
                let in_file = matches!(self.nodes[around.spot].kind, NodeKind::File(_));
                let kind = if in_file { EdgeKind::Root } else { EdgeKind::Syntax };
                let (id, shown) = (NodeId(first + row.node), NodeKind::Syntax(file, id));
                let spot = self.nodes.push(PictureNode { id, kind: shown, around: Some(around.spot) });
                self.edges.push((around.spot, spot, PictureEdge::new(kind, steps(around.spot_depth, depth))));
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
            let from = places[caller];
            graph.calls(caller).iter().map(move |call| {
                let (site, to) = (call.place(), places[call.callee]);
                let weight = steps(from.spot_depth, site.depth) * steps(to.spot_depth, to.depth);
                let edge = PictureEdge::new(EdgeKind::Call, EdgeKind::Call.weight() * weight);
                (from.spot, to.spot, PictureEdge { line: site.line, ..edge })
            })
        };
        let mut calls: Vec<_> = graph.definition_ids().flat_map(of).collect();
        calls.sort_by(|(a, b, x), (c, d, y)| {
            (a, b).cmp(&(c, d)).then(y.weight.total_cmp(&x.weight)).then(x.line.cmp(&y.line))
        });
        calls.dedup_by_key(|&mut (a, b, _)| (a, b));
        self.edges.extend(calls);
    }
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
