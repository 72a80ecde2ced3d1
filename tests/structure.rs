//! The structure graph equals the one that a slow, plain walk gives: tree-sitter's own nodes, petgraph's own graph.

use crate::support::case::Case;
use petgraph::graph::{NodeIndex, UnGraph};
use std::collections::{BTreeMap, BTreeSet};
use whichfn::engine::Engine;
use whichfn_graph::NodeKind;
use whichfn_index::index::{Options, Silent};
use whichfn_syntax::ids::NodeId;
use whichfn_syntax::lang::Registry;

/// A node by what it is: kind, path, first and last byte, and its number among equals.
type Key = (String, String, usize, usize, usize);
/// Two nodes, the smaller first, and the kind of their edge.
type Edge = (Key, Key, &'static str);

#[test]
fn every_directory_file_and_named_node_is_there_with_its_edges() {
    for case in Case::all("lang") {
        let home = tempfile::tempdir().expect("folder");
        let root = home.path().join("repo");
        case.write_to(&root);
        let root = root.canonicalize().expect("root");
        let engine = Engine::open(&root, &home.path().join("index"), &Options::default(), &Silent).expect("index");
        let (graph, named) = engine.named_structure().expect("graph");
        let mut seen = BTreeMap::new();
        let keys: Vec<Key> = (graph.nodes().iter().zip(&named))
            .map(|(node, named)| key(&mut seen, &named.kind, &named.path, node.start as usize, node.end as usize))
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
        let Some(language) = registry.detect_text(name, &file.text).or_else(|| registry.detect(name)) else { continue };
        let language = registry.language(language).expect("language");
        let mut parser = tree_sitter::Parser::new();
        parser.set_language(&language.parser).expect("parser");
        let tree = parser.parse(&file.text, None).expect("tree");
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
