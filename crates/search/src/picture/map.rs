//! The structure graph for people: directories, files and definitions.
//!
//! Chains of syntax nodes between them are merged into one edge whose weight is the product, so
//! relation strengths stay comparable.
//!
//! - **Invariant:** each node has its number in the whole graph; of the calls from one node to
//!   another, the best is kept
//! - **Cost:** one pass over definitions and calls, which store their depth: no syntax tree is
//!   unpacked
//! - **Differs from the paper:** two definitions meet at the definition around both, not at the
//!   innermost syntax node around both, so the path between siblings of one block counts as
//!   slightly longer than it is

use crate::relation::directories_of;
use petgraph::Direction;
use rustc_hash::FxHashSet;
use whichfn_graph::{Directories, Edge, EdgeKind, MergedEdge, NodeKind, StructureGraph};
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
    /// The merged edges.
    pub merged: MergedEdge,
    /// Outgoing if the node contains or calls the other.
    pub direction: Direction,
    /// Line of the best call site; 0 for other edges.
    pub line: u32,
}

impl PictureEdge {
    /// Creates an edge from a node that contains or calls another.
    fn new(kind: EdgeKind, steps: u32, line: u32) -> Self {
        Self { merged: kind.with_steps(steps), direction: Direction::Outgoing, line }
    }

    /// Checks whether the node calls the other, or is called by it.
    pub fn is_call(&self, direction: Direction) -> bool {
        self.merged.kind == EdgeKind::Call && self.direction == direction
    }
}

impl Edge for PictureEdge {
    fn weight(self) -> f64 {
        self.merged.weight()
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
        let edges = directories.edges(PictureEdge::new(EdgeKind::Directory, 0, 0)).collect();
        let mut parts = PictureParts { edges, ..PictureParts::default() };
        for (kind, parent) in directories.nodes().zip(directories.parents()) {
            let id = NodeId::new(parts.nodes.len());
            parts.nodes.push(PictureNode { id, kind, around: (id != parent).then_some(parent) });
        }
        let mut first = parts.nodes.len() as u32;
        for file in graph.file_ids() {
            parts.add_definitions(graph, file, directories.file(file), first);
            first += graph.file(file).nodes;
        }
        let calls = parts.calls(graph);
        let edges = parts.edges.iter().chain(&calls).copied();
        Self { graph: StructureGraph::new(parts.nodes, edges), directories, places: parts.places }
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
                self.edges.push((around.spot, spot, PictureEdge::new(kind, steps(around.spot_depth, depth), 0)));
                PictureLocation { spot, depth, spot_depth: depth }
            } else {
                PictureLocation { depth, ..around }
            };
            self.places.push(place);
        }
    }

    /// Returns the calls, each from the spot around its site to the spot of its callee. Of several
    /// sites the best is kept.
    fn calls(&self, graph: &GraphFile) -> Vec<(NodeId, NodeId, PictureEdge)> {
        let of = |caller: DefinitionId| {
            let from = self.places[caller];
            graph.calls(caller).iter().map(move |call| {
                let (site, to) = (call.place(), self.places[call.callee]);
                let steps = steps(from.spot_depth, site.depth) + steps(to.spot_depth, to.depth);
                (from.spot, to.spot, PictureEdge::new(EdgeKind::Call, steps, site.line))
            })
        };
        let mut calls: Vec<_> = graph.definition_ids().flat_map(of).collect();
        calls.sort_unstable_by_key(|&(a, b, edge)| (a, b, edge.merged.steps, edge.line));
        calls.dedup_by_key(|&mut (a, b, _)| (a, b));
        calls
    }
}

/// Checks whether definitions of a kind are shown. Functions without a name and pieces of text
/// would be dots without a meaning.
fn is_shown(kind: DefinitionKind) -> bool {
    !matches!(
        kind,
        DefinitionKind::Anonymous
            | DefinitionKind::Text
            | DefinitionKind::Declaration
            | DefinitionKind::Entry
            | DefinitionKind::Mount
    )
}

/// Returns the number of syntax edges from one depth down to another.
fn steps(from: u32, to: u32) -> u32 {
    to.saturating_sub(from)
}
