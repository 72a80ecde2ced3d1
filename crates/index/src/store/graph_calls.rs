//! The calls of an index as a directed graph, with petgraph's traits: any petgraph algorithm runs
//! on the mapped file.
//!
//! Nodes are definitions, and each call site is an edge from the caller to the callee. Two
//! definitions can therefore have several edges between them, and a recursive function has an edge
//! to itself. A call in an anonymous function is an edge of that function, not of the function
//! around it.
//!
//! - **Invariant:** callees are in call order, once for each call; callers are sorted by number,
//!   each once. Edges are the same in both directions.
//! - **Cost:** nothing to create. Callees, callers and the edges to callees are read in place; the
//!   edges to a definition need all calls of its callers. A set of visited nodes takes one bit per
//!   definition.
//! - **Alternatives:** a copy of all calls in memory, as petgraph's `Graph` (`tests/structure.rs`
//!   compares with it) or as a structure graph, which is undirected

use super::graph_file::GraphFile;
use super::graph_rows::CallRow;
use petgraph::visit::{
    Data, EdgeCount, EdgeIndexable, EdgeRef, GraphBase, GraphProp, GraphRef, IntoEdgeReferences, IntoEdges,
    IntoEdgesDirected, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences,
    NodeCompactIndexable, NodeCount, NodeIndexable, NodeRef, Visitable,
};
use petgraph::{Directed, Direction};
use std::iter::{Chain, Copied, Enumerate, Map};
use std::ops::Range;
use std::slice::Iter;
use whichfn_graph::VisitedSet;
use whichfn_syntax::ids::DefinitionId;

/// The call graph of a repository: implements petgraph's `visit` traits.
///
/// It is a reference to the index and can be copied. Reading a damaged index unwinds, as for all
/// other readers of the index.
#[derive(Clone, Copy)]
pub struct CallGraph<'a> {
    graph: &'a GraphFile,
}

impl<'a> CallGraph<'a> {
    /// Creates the call graph of an index.
    pub fn new(graph: &'a GraphFile) -> Self {
        Self { graph }
    }

    /// Returns the qualified name of a definition; empty for a file and plain text.
    pub fn name(self, id: DefinitionId) -> &'a str {
        self.graph.qualified_name(id)
    }

    /// Returns the path of the file of a definition.
    pub fn path(self, id: DefinitionId) -> &'a str {
        self.graph.path(self.graph.file_around(id))
    }

    /// Returns the line of a definition's name. Line numbers start at 1.
    pub fn line(self, id: DefinitionId) -> u32 {
        self.graph.definition(id).line
    }

    /// Returns the calls of a definition, in order.
    fn calls_of(self, caller: DefinitionId) -> CallsOf<'a> {
        let calls = self.graph.calls(caller).iter().enumerate();
        CallsOf { caller, first: self.graph.first_call(caller), calls }
    }
}

/// A call as an edge, from its caller to its callee.
#[derive(Debug, Clone, Copy)]
pub struct CallGraphEdge<'a> {
    caller: DefinitionId,
    call: &'a CallRow,
    position: u32,
}

impl EdgeRef for CallGraphEdge<'_> {
    type NodeId = DefinitionId;
    type EdgeId = u32;
    type Weight = CallRow;

    fn source(&self) -> DefinitionId {
        self.caller
    }

    fn target(&self) -> DefinitionId {
        self.call.callee
    }

    fn weight(&self) -> &CallRow {
        self.call
    }

    fn id(&self) -> u32 {
        self.position
    }
}

/// A definition as a node, whose weight is its qualified name.
#[derive(Debug, Clone, Copy)]
pub struct CallGraphNode<'a> {
    id: DefinitionId,
    name: &'a str,
}

impl<'a> NodeRef for CallGraphNode<'a> {
    type NodeId = DefinitionId;
    type Weight = &'a str;

    fn id(&self) -> DefinitionId {
        self.id
    }

    fn weight(&self) -> &&'a str {
        &self.name
    }
}

/// The calls of one definition.
#[derive(Debug, Clone)]
struct CallsOf<'a> {
    caller: DefinitionId,
    first: u32,
    calls: Enumerate<Iter<'a, CallRow>>,
}

impl<'a> Iterator for CallsOf<'a> {
    type Item = CallGraphEdge<'a>;

    #[inline]
    fn next(&mut self) -> Option<CallGraphEdge<'a>> {
        let (at, call) = self.calls.next()?;
        Some(CallGraphEdge { caller: self.caller, call, position: self.first.wrapping_add(at as u32) })
    }
}

/// The edges from a definition, or to it.
#[derive(Clone)]
pub struct CallGraphEdges<'a> {
    graph: CallGraph<'a>,
    /// The calls of one definition, which come first.
    calls: CallsOf<'a>,
    /// Definitions whose calls follow.
    callers: Iter<'a, DefinitionId>,
    /// The only callee whose calls count; `None` for all.
    callee: Option<DefinitionId>,
}

impl<'a> Iterator for CallGraphEdges<'a> {
    type Item = CallGraphEdge<'a>;

    #[inline]
    fn next(&mut self) -> Option<CallGraphEdge<'a>> {
        loop {
            let callee = self.callee;
            let found = self.calls.find(|edge| callee.is_none_or(|callee| callee == edge.call.callee));
            if found.is_some() {
                return found;
            }
            self.calls = self.graph.calls_of(*self.callers.next()?);
        }
    }
}

/// The callees of a definition in call order, each as often as it is called; or its callers, sorted
/// by number, each once.
pub type CallGraphNeighbors<'a> =
    Chain<Map<Iter<'a, CallRow>, fn(&CallRow) -> DefinitionId>, Copied<Iter<'a, DefinitionId>>>;

impl GraphBase for CallGraph<'_> {
    type NodeId = DefinitionId;
    /// Position of the call among all calls.
    type EdgeId = u32;
}

impl GraphRef for CallGraph<'_> {}

impl GraphProp for CallGraph<'_> {
    type EdgeType = Directed;
}

impl<'a> Data for CallGraph<'a> {
    type NodeWeight = &'a str;
    type EdgeWeight = CallRow;
}

impl NodeCount for CallGraph<'_> {
    fn node_count(&self) -> usize {
        self.graph.definition_count()
    }
}

impl EdgeCount for CallGraph<'_> {
    fn edge_count(&self) -> usize {
        self.graph.call_count()
    }
}

impl NodeIndexable for CallGraph<'_> {
    fn node_bound(&self) -> usize {
        self.graph.definition_count()
    }

    fn to_index(&self, node: DefinitionId) -> usize {
        node.index()
    }

    fn from_index(&self, index: usize) -> DefinitionId {
        DefinitionId::new(index)
    }
}

impl NodeCompactIndexable for CallGraph<'_> {}

impl EdgeIndexable for CallGraph<'_> {
    fn edge_bound(&self) -> usize {
        self.graph.call_count()
    }

    fn to_index(&self, edge: u32) -> usize {
        edge as usize
    }

    fn from_index(&self, index: usize) -> u32 {
        index as u32
    }
}

impl Visitable for CallGraph<'_> {
    type Map = VisitedSet<DefinitionId>;

    fn visit_map(&self) -> Self::Map {
        VisitedSet::new(self.graph.definition_count())
    }

    fn reset_map(&self, map: &mut Self::Map) {
        map.reset(self.graph.definition_count());
    }
}

impl<'a> IntoNeighbors for CallGraph<'a> {
    type Neighbors = CallGraphNeighbors<'a>;

    fn neighbors(self, caller: DefinitionId) -> Self::Neighbors {
        self.neighbors_directed(caller, Direction::Outgoing)
    }
}

impl<'a> IntoNeighborsDirected for CallGraph<'a> {
    type NeighborsDirected = CallGraphNeighbors<'a>;

    fn neighbors_directed(self, node: DefinitionId, direction: Direction) -> Self::NeighborsDirected {
        let (calls, callers): (&[CallRow], &[DefinitionId]) = match direction {
            Direction::Outgoing => (self.graph.calls(node), &[]),
            Direction::Incoming => (&[], self.graph.callers(node)),
        };
        let callee: fn(&CallRow) -> DefinitionId = |call| call.callee;
        calls.iter().map(callee).chain(callers.iter().copied())
    }
}

impl<'a> IntoEdges for CallGraph<'a> {
    type Edges = CallGraphEdges<'a>;

    fn edges(self, caller: DefinitionId) -> Self::Edges {
        CallGraphEdges { graph: self, calls: self.calls_of(caller), callers: [].iter(), callee: None }
    }
}

impl<'a> IntoEdgesDirected for CallGraph<'a> {
    type EdgesDirected = CallGraphEdges<'a>;

    fn edges_directed(self, node: DefinitionId, direction: Direction) -> Self::EdgesDirected {
        if direction == Direction::Outgoing {
            return self.edges(node);
        }
        let calls = CallsOf { caller: node, first: 0, calls: [].iter().enumerate() };
        CallGraphEdges { graph: self, calls, callers: self.graph.callers(node).iter(), callee: Some(node) }
    }
}

impl<'a> IntoEdgeReferences for CallGraph<'a> {
    type EdgeRef = CallGraphEdge<'a>;
    type EdgeReferences = Box<dyn Iterator<Item = CallGraphEdge<'a>> + 'a>;

    fn edge_references(self) -> Self::EdgeReferences {
        Box::new(self.graph.definition_ids().flat_map(move |caller| self.calls_of(caller)))
    }
}

impl IntoNodeIdentifiers for CallGraph<'_> {
    type NodeIdentifiers = Map<Range<u32>, fn(u32) -> DefinitionId>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        (0..self.graph.definition_count() as u32).map(DefinitionId)
    }
}

impl<'a> IntoNodeReferences for CallGraph<'a> {
    type NodeRef = CallGraphNode<'a>;
    type NodeReferences = Box<dyn Iterator<Item = CallGraphNode<'a>> + 'a>;

    fn node_references(self) -> Self::NodeReferences {
        Box::new(self.graph.definition_ids().map(move |id| CallGraphNode { id, name: self.name(id) }))
    }
}
