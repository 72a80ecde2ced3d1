//! Checks that the structure graph equals the graph of a slow, simple walk over tree-sitter's own
//! nodes with petgraph's own graph type, and that the implementations of petgraph's traits by the
//! structure graph and the call graph match copies in that type.

use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::{connected_components, dijkstra, kosaraju_scc, tarjan_scc};
use petgraph::graph::{DiGraph, NodeIndex, UnGraph};
use petgraph::visit::{
    Bfs, EdgeCount, EdgeIndexable, EdgeRef, IntoEdgeReferences, IntoEdges, IntoEdgesDirected, IntoNeighbors,
    IntoNeighborsDirected, IntoNodeIdentifiers, IntoNodeReferences, NodeCount, NodeIndexable, NodeRef, Reversed,
    VisitMap, Visitable, Walker,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::{Directories, NodeKind, StructureEdge};
use whichfn_index::store::CallGraph;
use whichfn_search::relation::{directories_of, structure_of};
use whichfn_syntax::ids::{DefinitionId, NodeId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_syntax::parse::Embedded;
use whichfn_testing::{Case, Indexed, cases, repo, tree};

/// Properties that identify a node: kind, path, first and last byte, and its number among equal
/// ones.
type Key = (String, String, usize, usize, usize);
/// Two nodes, the smaller first, and the kind of their edge.
type Edge = (Key, Key, &'static str);

#[test]
fn the_graph_has_every_directory_file_and_named_node() {
    for case in Case::all("lang") {
        let indexed = Indexed::new(|root| case.write_to(root));
        let graph = structure_of(&indexed.generation.graph);
        let directories = directories_of(&indexed.generation.graph);
        let mut seen = BTreeMap::new();
        let keys: Vec<Key> = (graph.nodes().iter())
            .map(|node| {
                let (kind, path) = kind_and_path(&indexed, &directories, node.kind);
                key(&mut seen, kind, path, node.start as usize, node.end as usize)
            })
            .collect();
        let ours: BTreeSet<Edge> = graph
            .edges()
            .filter(|(_, _, kind)| kind.name() != "call")
            .map(|(a, b, kind)| edge(&keys[a.index()], &keys[b.index()], kind.name()))
            .collect();
        let slow = slow(&case);
        assert_eq!(keys.len(), slow.node_count(), "{}: nodes", case.name());
        let theirs: BTreeSet<Edge> = slow
            .edge_indices()
            .map(|e| {
                let (a, b) = slow.edge_endpoints(e).expect("ends");
                edge(&slow[a], &slow[b], slow[e])
            })
            .collect();
        assert_eq!(ours, theirs, "{}: edges", case.name());
        let calls = graph.edges().filter(|(_, _, kind)| kind.name() == "call");
        for (a, b, _) in calls {
            let syntax = |id: NodeId| matches!(graph.nodes()[id.index()].kind, NodeKind::Syntax(..));
            assert!(syntax(a) && syntax(b), "{}: a call joins syntax nodes", case.name());
        }
        for id in (0..graph.nodes().len()).map(NodeId::new) {
            for &(other, kind) in graph.neighbours(id) {
                assert!(graph.neighbours(other).contains(&(id, kind)), "an edge is seen from both ends");
            }
        }
    }
}

fn kind_and_path<'a>(indexed: &'a Indexed, directories: &'a Directories, kind: NodeKind) -> (&'a str, &'a str) {
    let graph = &indexed.generation.graph;
    match kind {
        NodeKind::Directory(number) => ("directory", directories.paths[number].as_str()),
        NodeKind::File(file) => ("file", graph.path(file)),
        NodeKind::Syntax(file, kind) => {
            let language = LangId(graph.language(file).expect("a language"));
            let parser = &indexed.registry.language(language).expect("language").parser;
            (parser.node_kind_for_id(kind).expect("a kind"), graph.path(file))
        }
    }
}

fn edge(a: &Key, b: &Key, kind: &'static str) -> Edge {
    if a < b { (a.clone(), b.clone(), kind) } else { (b.clone(), a.clone(), kind) }
}

fn key(seen: &mut BTreeMap<Key, usize>, kind: &str, path: &str, start: usize, end: usize) -> Key {
    let mut key = (kind.to_owned(), path.to_owned(), start, end, 0);
    let count = seen.entry(key.clone()).or_default();
    key.4 = *count;
    *count += 1;
    key
}

fn slow(case: &Case) -> UnGraph<Key, &'static str> {
    let registry = Registry::builtin().expect("languages");
    let (mut graph, mut seen) = (UnGraph::new_undirected(), BTreeMap::new());
    let mut directories: BTreeMap<String, NodeIndex> = BTreeMap::new();
    directories.insert(String::new(), graph.add_node(key(&mut seen, "directory", "", 0, 0)));
    let mut files = case.files();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    for file in files {
        let mut around = directories[""];
        let parts: Vec<&str> = file.path.split('/').collect();
        for depth in 1..parts.len() {
            let path = parts[..depth].join("/");
            around = *directories.entry(path.clone()).or_insert_with(|| {
                let id = graph.add_node(key(&mut seen, "directory", &path, 0, 0));
                graph.add_edge(around, id, "directory");
                id
            });
        }
        let id = graph.add_node(key(&mut seen, "file", &file.path, 0, 0));
        graph.add_edge(around, id, "directory");
        let name = parts.last().expect("name");
        let by_first_line = || registry.detect_shebang(file.text.lines().next().unwrap_or_default());
        let language = registry.detect_text(name, &file.text).or_else(|| registry.detect(name)).or_else(by_first_line);
        let Some(language) = language else { continue };
        let language = registry.language(language).expect("language");
        let code = Embedded::read(language, &file.path, &file.text).expect("code").code;
        let tree = tree(language, &code);
        add(&mut graph, &mut seen, &file.path, tree.root_node(), id, "root");
    }
    graph
}

fn add(
    graph: &mut UnGraph<Key, &'static str>,
    seen: &mut BTreeMap<Key, usize>,
    path: &str,
    node: tree_sitter::Node<'_>,
    around: NodeIndex,
    kind: &'static str,
) {
    let id = graph.add_node(key(seen, node.kind(), path, node.start_byte(), node.end_byte()));
    graph.add_edge(around, id, kind);
    for child in node.named_children(&mut node.walk()) {
        add(graph, seen, path, child, id, "syntax");
    }
}

/// Copies the call graph into petgraph's own graph.
fn copied(graph: CallGraph<'_>) -> DiGraph<DefinitionId, u32> {
    let mut copy = DiGraph::new();
    graph.node_identifiers().for_each(|id| assert_eq!(copy.add_node(id).index(), id.index()));
    for edge in graph.edge_references() {
        copy.add_edge(NodeIndex::new(edge.source().index()), NodeIndex::new(edge.target().index()), edge.id());
    }
    copy
}

fn sorted<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort();
    items
}

/// Returns components as sorted lists of numbers, sorted.
fn components<N: Copy>(components: Vec<Vec<N>>, number: impl Fn(N) -> usize) -> Vec<Vec<usize>> {
    sorted(components.into_iter().map(|one| sorted(one.into_iter().map(&number))))
}

/// The direct and indirect callers of a definition, found with the lists of callers in the index.
fn origins(indexed: &Indexed, id: DefinitionId) -> BTreeSet<DefinitionId> {
    let graph = &indexed.generation.graph;
    let (mut found, mut next) = (BTreeSet::from([id]), vec![id]);
    while let Some(at) = next.pop() {
        next.extend(graph.callers(at).iter().filter(|&&caller| found.insert(caller)));
    }
    found
}

fn the_call_graph_equals_its_copy(indexed: &Indexed) {
    let graph = CallGraph::new(&indexed.generation.graph);
    let copy = copied(graph);
    assert_eq!((graph.node_count(), graph.edge_count()), (copy.node_count(), copy.edge_count()));
    assert_eq!(graph.edge_bound(), graph.edge_count());
    assert!(graph.edge_references().enumerate().all(|(at, edge)| EdgeIndexable::to_index(&graph, edge.id()) == at));
    for node in graph.node_references() {
        let (id, there) = (node.id(), NodeIndex::new(node.id().index()));
        assert_eq!(*node.weight(), graph.name(id));
        for direction in [Outgoing, Incoming] {
            let ids = sorted(graph.edges_directed(id, direction).map(|edge| (edge.source(), edge.target(), edge.id())));
            let copies = copy
                .edges_directed(there, direction)
                .map(|edge| (copy[edge.source()], copy[edge.target()], *edge.weight()));
            assert_eq!(ids, sorted(copies), "edges of {id:?}");
            let ends: BTreeSet<DefinitionId> = graph.neighbors_directed(id, direction).collect();
            assert_eq!(ends, copy.neighbors_directed(there, direction).map(|end| copy[end]).collect(), "{id:?}");
        }
        let calls = graph.edges(id).map(|edge| edge.target());
        assert!(graph.neighbors(id).eq(calls), "callees are in order of the calls");
        let callers = Reversed(graph);
        assert_eq!(Bfs::new(callers, id).iter(callers).collect::<BTreeSet<_>>(), origins(indexed, id));
    }
    let own = components(kosaraju_scc(graph), DefinitionId::index);
    assert_eq!(own, components(tarjan_scc(&copy), NodeIndex::index));
    assert_eq!(own, components(tarjan_scc(graph), DefinitionId::index));
}

fn the_structure_graph_equals_its_copy(indexed: &Indexed) {
    let graph = &structure_of(&indexed.generation.graph);
    let mut copy = UnGraph::<NodeId, f64>::new_undirected();
    graph.node_references().for_each(|(id, _)| assert_eq!(copy.add_node(id).index(), graph.to_index(id)));
    for edge in graph.edge_references() {
        let [a, b] = [edge.source(), edge.target()].map(|end| NodeIndex::new(end.index()));
        copy.add_edge(a, b, 1.0 / edge.weight().weight());
    }
    assert_eq!((graph.node_count(), graph.edge_count()), (copy.node_count(), copy.edge_count()));
    assert_eq!((connected_components(graph), connected_components(&copy)), (1, 1));
    for id in graph.node_identifiers() {
        let there = NodeIndex::new(id.index());
        assert_eq!(sorted(graph.neighbors(id)), sorted(copy.neighbors(there).map(|end| copy[end])), "{id:?}");
        let edges = |id| IntoEdges::edges(graph, id);
        let is_own =
            |edge: StructureEdge| edges(edge.target()).any(|back| back.id() == edge.id() && back.target() == id);
        assert!(edges(id).all(|edge| edge.source() == id && is_own(edge)), "{id:?}");
    }
    let lengths =
        |ends: Vec<(usize, f64)>| ends.into_iter().map(|(end, far)| (end, far.to_bits())).collect::<BTreeMap<_, _>>();
    let own = dijkstra(graph, NodeId(0), None, |edge| 1.0 / edge.weight().weight());
    let copied = dijkstra(&copy, NodeIndex::new(0), None, |edge| *edge.weight());
    assert_eq!(
        lengths(own.into_iter().map(|(id, far)| (id.index(), far)).collect()),
        lengths(copied.into_iter().map(|(id, far)| (id.index(), far)).collect()),
    );
}

proptest! {
    #![proptest_config(cases(8))]

    #[test]
    fn algorithms_find_the_same_in_a_copy_of_either_graph(repo in repo()) {
        let indexed = repo.indexed();
        the_call_graph_equals_its_copy(&indexed);
        the_structure_graph_equals_its_copy(&indexed);
    }
}

#[test]
fn in_every_language_algorithms_find_the_same_in_a_copy() {
    let indexed = Indexed::new(|root| Case::all("lang").iter().for_each(|case| case.write_to(&root.join(case.name()))));
    the_call_graph_equals_its_copy(&indexed);
    the_structure_graph_equals_its_copy(&indexed);
}

#[test]
fn a_set_of_visited_nodes_accepts_any_number() {
    let indexed = Indexed::new(|root| std::fs::write(root.join("a.py"), "def one():\n    one()\n").expect("a file"));
    let graph = CallGraph::new(&indexed.generation.graph);
    let (mut map, last) = (graph.visit_map(), DefinitionId::new(graph.node_count() - 1));
    assert!(map.visit(last) && !map.visit(last) && map.is_visited(&last));
    assert!(map.unvisit(last) && !map.unvisit(last) && !map.is_visited(&last));
    assert!(!map.visit(DefinitionId(u32::MAX)) && map.is_visited(&DefinitionId(u32::MAX)));
    map.visit(last);
    graph.reset_map(&mut map);
    assert!(!map.is_visited(&last));
}
