//! petgraph's traits for the structure graph: any petgraph algorithm runs on it, as an undirected
//! graph.
//!
//! - **Invariant:** an edge has the same id from both ends; its source is the node at which it was
//!   requested
//! - **Cost:** neighbours and edges are iterators over the flat table of the graph; a set of
//!   visited nodes takes one bit per node
//! - **Tested by:** `tests/structure.rs`, which compares with a petgraph of the same edges

use super::edge::{Edge, EdgeKind};
use super::structure::StructureGraph;
use petgraph::visit::{
    Data, EdgeCount, EdgeRef, GraphBase, GraphProp, IntoEdgeReferences, IntoEdges, IntoNeighbors,
    IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences, NodeCompactIndexable, NodeCount, NodeIndexable,
    VisitMap, Visitable,
};
use petgraph::{Direction, Undirected};
use std::iter::{Enumerate, Map};
use std::marker::PhantomData;
use std::ops::Range;
use std::slice::Iter;
use whichfn_syntax::ids::{Id, NodeId};

/// A set of the nodes that a walk has visited: one bit per node.
#[derive(Debug, Clone)]
pub struct VisitedSet<K> {
    bits: Vec<u64>,
    key: PhantomData<K>,
}

impl<K: Id> VisitedSet<K> {
    /// Creates an empty set for `count` nodes.
    pub fn new(count: usize) -> Self {
        Self { bits: vec![0; count.div_ceil(64)], key: PhantomData }
    }

    /// Removes all nodes, and changes the number of possible nodes to `count`.
    pub fn reset(&mut self, count: usize) {
        self.bits.clear();
        self.bits.resize(count.div_ceil(64), 0);
    }

    fn place(node: K) -> (usize, u64) {
        (node.index() / 64, 1 << (node.index() % 64))
    }
}

impl<K: Id> VisitMap<K> for VisitedSet<K> {
    fn visit(&mut self, node: K) -> bool {
        let (at, bit) = Self::place(node);
        // A node outside the graph, which only a damaged index contains, counts as visited.
        let Some(bits) = self.bits.get_mut(at) else { return false };
        let is_first = *bits & bit == 0;
        *bits |= bit;
        is_first
    }

    fn is_visited(&self, node: &K) -> bool {
        let (at, bit) = Self::place(*node);
        self.bits.get(at).is_none_or(|bits| bits & bit != 0)
    }

    fn unvisit(&mut self, node: K) -> bool {
        let (at, bit) = Self::place(node);
        let Some(bits) = self.bits.get_mut(at) else { return false };
        let was_visited = *bits & bit != 0;
        *bits &= !bit;
        was_visited
    }
}

/// An edge of the structure graph, as petgraph's algorithms see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StructureEdge<E = EdgeKind> {
    source: NodeId,
    target: NodeId,
    edge: E,
}

impl<E: Edge> EdgeRef for StructureEdge<E> {
    type NodeId = NodeId;
    type EdgeId = (NodeId, NodeId, E);
    type Weight = E;

    fn source(&self) -> NodeId {
        self.source
    }

    fn target(&self) -> NodeId {
        self.target
    }

    fn weight(&self) -> &E {
        &self.edge
    }

    fn id(&self) -> Self::EdgeId {
        let Self { source, target, edge } = *self;
        if edge.leads(source, target) { (source, target, edge) } else { (target, source, edge.reversed()) }
    }
}

/// The edges at a node of the structure graph, sorted by the number of the other end.
#[derive(Debug, Clone)]
pub struct StructureEdges<'a, E> {
    source: NodeId,
    ends: Iter<'a, (NodeId, E)>,
}

impl<E: Edge> Iterator for StructureEdges<'_, E> {
    type Item = StructureEdge<E>;

    #[inline]
    fn next(&mut self) -> Option<StructureEdge<E>> {
        self.ends.next().map(|&(target, edge)| StructureEdge { source: self.source, target, edge })
    }
}

impl<N, E: Edge> GraphBase for StructureGraph<N, E> {
    type NodeId = NodeId;
    type EdgeId = (NodeId, NodeId, E);
}

impl<N, E: Edge> GraphProp for StructureGraph<N, E> {
    type EdgeType = Undirected;
}

impl<N, E: Edge> Data for StructureGraph<N, E> {
    type NodeWeight = N;
    type EdgeWeight = E;
}

impl<N, E: Edge> NodeCount for StructureGraph<N, E> {
    fn node_count(&self) -> usize {
        self.nodes().len()
    }
}

impl<N, E: Edge> EdgeCount for StructureGraph<N, E> {
    fn edge_count(&self) -> usize {
        self.edges().count()
    }
}

impl<N, E: Edge> NodeIndexable for StructureGraph<N, E> {
    fn node_bound(&self) -> usize {
        self.nodes().len()
    }

    fn to_index(&self, node: NodeId) -> usize {
        node.index()
    }

    fn from_index(&self, index: usize) -> NodeId {
        NodeId::new(index)
    }
}

impl<N, E: Edge> NodeCompactIndexable for StructureGraph<N, E> {}

impl<N, E: Edge> Visitable for StructureGraph<N, E> {
    type Map = VisitedSet<NodeId>;

    fn visit_map(&self) -> Self::Map {
        VisitedSet::new(self.nodes().len())
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.reset(self.nodes().len());
    }
}

impl<'a, N, E: Edge> IntoNeighbors for &'a StructureGraph<N, E> {
    type Neighbors = Map<Iter<'a, (NodeId, E)>, fn(&(NodeId, E)) -> NodeId>;

    fn neighbors(self, node: NodeId) -> Self::Neighbors {
        self.neighbours(node).iter().map(|&(other, _)| other)
    }
}

impl<N, E: Edge> IntoNeighborsDirected for &StructureGraph<N, E> {
    type NeighborsDirected = Self::Neighbors;

    fn neighbors_directed(self, node: NodeId, _: Direction) -> Self::Neighbors {
        self.neighbors(node)
    }
}

impl<'a, N, E: Edge> IntoEdges for &'a StructureGraph<N, E> {
    type Edges = StructureEdges<'a, E>;

    fn edges(self, source: NodeId) -> StructureEdges<'a, E> {
        StructureEdges { source, ends: self.neighbours(source).iter() }
    }
}

impl<'a, N, E: Edge> IntoEdgeReferences for &'a StructureGraph<N, E> {
    type EdgeRef = StructureEdge<E>;
    type EdgeReferences = Box<dyn Iterator<Item = StructureEdge<E>> + 'a>;

    fn edge_references(self) -> Self::EdgeReferences {
        Box::new(self.edges().map(|(source, target, edge)| StructureEdge { source, target, edge }))
    }
}

impl<N, E: Edge> IntoNodeIdentifiers for &StructureGraph<N, E> {
    type NodeIdentifiers = Map<Range<u32>, fn(u32) -> NodeId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.nodes().len() as u32).map(NodeId)
    }
}

impl<'a, N, E: Edge> IntoNodeReferences for &'a StructureGraph<N, E> {
    type NodeRef = (NodeId, &'a N);
    type NodeReferences = Map<Enumerate<Iter<'a, N>>, fn((usize, &'a N)) -> (NodeId, &'a N)>;

    fn node_references(self) -> Self::NodeReferences {
        self.nodes().iter().enumerate().map(|(at, node)| (NodeId::new(at), node))
    }
}
