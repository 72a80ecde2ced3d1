//! The whole structure graph of a repository, read file by file: it has too many nodes to keep them
//! in memory.
//!
//! **Invariant:** nodes have the numbers, and edges the order, of
//! [`StructureGraph::whole`](whichfn_graph::StructureGraph::whole).
//!
//! **Cost:** each syntax tree is unpacked once to count its nodes, and once for each iterator.
//! Memory: the calls of the repository, and one file.

use super::Engine;
use rustc_hash::FxHashMap;
use whichfn_graph::{Directories, EdgeKind, distinct_calls};
use whichfn_index::fragment::{FragmentNode, SyntaxTree};
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_search::picture::NamedNode;
use whichfn_search::relation::{FragmentUnit, Fragments, call_sites, directories_of};
use whichfn_syntax::ids::{FileId, FragmentId, IdVec, NodeId};
use whichfn_syntax::lang::LangId;
use whichfn_syntax::parse::{Syntax, SyntaxNode};
use whichfn_system::error::Result;

/// A fragment in the form that programs see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFragment {
    /// Number of the fragment: functions first, starting at 0, then windows.
    pub id: u32,
    /// Path from the root.
    pub path: String,
    /// First line, starting at 1.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Largest syntax nodes completely inside the fragment, each with its length in bytes.
    pub nodes: Vec<(NodeId, u32)>,
}

/// An edge of the structure graph, from the smaller number to the larger.
pub type WholeEdge = (NodeId, NodeId, EdgeKind);

/// The whole structure graph of a repository.
pub struct WholeGraph<'e> {
    engine: &'e Engine,
    graph: &'e GraphFile,
    sources: Sources<'e>,
    directories: Directories,
    /// Number of the first syntax node of each file, followed by the number of all nodes.
    first_syntax: IdVec<FileId, u32>,
    /// Both ends of each call, sorted.
    calls: Vec<(NodeId, NodeId)>,
}

impl Engine {
    /// Returns the whole structure graph, to read it file by file.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub fn whole_graph(&self) -> Result<WholeGraph<'_>> {
        let (graph, directories) = (&self.generation.graph, directories_of(&self.generation.graph));
        for file in graph.file_ids() {
            graph.language(file).map_or(Ok(()), |id| self.registry.language(LangId(id)).map(|_| ()))?;
        }
        let (mut first_syntax, mut next) = (IdVec::new(), directories.nodes::<u16>().count() as u32);
        for file in graph.file_ids() {
            first_syntax.push(next);
            next += Syntax::new(&graph.syntax(file)).count() as u32;
        }
        first_syntax.push(next);
        let nth = |(file, number): (FileId, u32)| {
            let (first, end) = (first_syntax[file], first_syntax[FileId(file.0 + 1)]);
            (number < end - first).then(|| NodeId(first + number))
        };
        let mut calls = distinct_calls(call_sites(graph), nth);
        // No edge leads from a node to itself.
        calls.retain(|(a, b)| a != b);
        let sources = self.sources();
        sources.needs_all_calls();
        Ok(WholeGraph { engine: self, graph, sources, directories, first_syntax, calls })
    }
}

impl WholeGraph<'_> {
    /// Returns what the graph lacks, one line each.
    pub fn notices(&self) -> Vec<String> {
        self.sources.notices()
    }

    /// Returns the number of nodes.
    pub fn node_count(&self) -> usize {
        self.first_syntax.iter().next_back().map_or(0, |&end| end as usize)
    }

    /// Iterates over all edges, each once, sorted by both ends.
    pub fn edges(&self) -> impl Iterator<Item = WholeEdge> + '_ {
        let mut above: Vec<WholeEdge> = self.directories.edges(EdgeKind::Directory).collect();
        above.sort_by_key(|&(a, b, _)| (a, b));
        // Files are numbered after directories, and their only edges to larger numbers are those to
        // the roots of their trees.
        let roots = self.graph.file_ids().flat_map(|file| {
            let (from, first) = (self.directories.file(file), self.first_syntax[file]);
            let roots = self.syntax(file).into_iter().zip(0..).filter(|(node, number)| node.parent == *number);
            roots.map(move |(_, number): (_, u32)| (from, NodeId(first + number), EdgeKind::Root))
        });
        let inside = self.graph.file_ids().flat_map(|file| self.edges_in(file));
        above.into_iter().chain(roots).chain(inside)
    }

    /// Returns the edges from the syntax nodes of a file to larger numbers, sorted by both ends.
    fn edges_in(&self, file: FileId) -> Vec<WholeEdge> {
        let (first, end) = (self.first_syntax[file], self.first_syntax[FileId(file.0 + 1)]);
        let nodes = self.syntax(file).into_iter().zip(0..).filter(|(node, number)| node.parent != *number);
        let mut edges: Vec<WholeEdge> = nodes
            .map(|(node, number)| (NodeId(first + node.parent), NodeId(first + number), EdgeKind::Syntax))
            .collect();
        let from = self.calls.partition_point(|(a, _)| a.0 < first);
        let to = self.calls.partition_point(|(a, _)| a.0 < end);
        edges.extend(self.calls[from..to].iter().map(|&(a, b)| (a, b, EdgeKind::Call)));
        edges.sort_by_key(|&(a, b, _)| (a, b));
        edges
    }

    fn syntax(&self, file: FileId) -> Vec<SyntaxNode> {
        Syntax::new(&self.graph.syntax(file)).collect()
    }

    /// Iterates over all nodes: directories, then files, then syntax nodes by file.
    pub fn nodes(&self) -> impl Iterator<Item = NamedNode> + '_ {
        let directories = self.directories.paths.iter().zip((0..).map(NodeId));
        let directories = directories.map(|(path, id)| NamedNode::new(id, "directory", path, (0, 0)));
        let files = self.graph.file_ids().map(move |file| {
            let lines = (1, self.graph.file(file).lines.max(1));
            NamedNode::new(self.directories.file(file), "file", self.graph.path(file), lines)
        });
        directories.chain(files).chain(self.graph.file_ids().flat_map(|file| self.nodes_in(file)))
    }

    fn nodes_in(&self, file: FileId) -> Vec<NamedNode> {
        let (graph, names) = (self.graph, self.names_in(file));
        let node = |(node, number): (SyntaxNode, u32)| {
            let (start_line, end_line) = self.sources.line_span(file, node.start, node.end);
            let kind = self.engine.kind_name(file, node.kind).unwrap_or("unknown").to_owned();
            let (id, path) = (NodeId(self.first_syntax[file] + number), graph.path(file).to_owned());
            let name = names.get(&number).filter(|name| !name.is_empty()).map(|name| (*name).to_owned());
            NamedNode { id, kind, path, start: node.start, end: node.end, start_line, end_line, name }
        };
        self.syntax(file).into_iter().zip(0..).map(node).collect()
    }

    /// Returns the names of the definitions at a file's syntax nodes. If several definitions are at
    /// one node, returns the name of the first.
    fn names_in(&self, file: FileId) -> FxHashMap<u32, &str> {
        let mut names = FxHashMap::default();
        for id in self.graph.definitions_of(file) {
            let row = self.graph.definition(id);
            if row.parent != id {
                names.entry(row.node).or_insert(self.graph.name(id));
            }
        }
        names
    }

    /// Iterates over all fragments of a unit, with the nodes that make up each.
    pub fn fragments(&self, unit: FragmentUnit) -> impl Iterator<Item = NamedFragment> + use<'_> {
        let fragments = self.engine.fragments(unit);
        let numbers = self.engine.fragment_numbers(&fragments);
        self.graph.file_ids().flat_map(move |file| self.fragments_in(file, &fragments, &numbers))
    }

    fn fragments_in(
        &self,
        file: FileId,
        fragments: &Fragments<'_>,
        numbers: &IdVec<FragmentId, u32>,
    ) -> Vec<NamedFragment> {
        let parts = fragments.parts(file, &SyntaxTree::new(&self.graph.syntax(file)));
        let members = fragments.of_file(file).zip(parts).filter(|(fragment, _)| fragments.members[*fragment]);
        let first = self.first_syntax[file];
        let named = |(fragment, parts): (FragmentId, Vec<FragmentNode>)| {
            let (start_line, end_line) = fragments.lines(fragment);
            let nodes = parts.iter().map(|part| (NodeId(first + part.node), part.len)).collect();
            NamedFragment { id: numbers[fragment], path: self.graph.path(file).to_owned(), start_line, end_line, nodes }
        };
        members.map(named).collect()
    }
}
