//! The comparison with PyCG's micro-benchmark. Each snippet is a small Python program with its true
//! call graph (`callgraph.json`). Only edges between functions of the snippet count, because
//! built-ins and external modules are not in a repository's graph.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;

type Edges = BTreeSet<(String, String)>;

const CATEGORIES: &[&str] = &[
    "args",
    "assignments",
    "classes",
    "decorators",
    "direct_calls",
    "functions",
    "imports",
    "kwargs",
    "mro",
    "returns",
];

/// Prints precision and recall for each category and, if `verbose`, each edge that is wrong or
/// missing.
pub(crate) fn compare(root: &Path, verbose: bool) {
    let mut total = [0; 3];
    println!("{:<14} {:>5} {:>6} {:>6} {:>10} {:>7}", "category", "true", "ours", "both", "precision", "recall");
    for category in CATEGORIES {
        let mut counts = [0; 3];
        for snippet in folders(&root.join(category)) {
            let (expected, ours) = (expected(&snippet), ours(&snippet));
            let both = expected.intersection(&ours).count();
            for (sum, n) in counts.iter_mut().zip([expected.len(), ours.len(), both]) {
                *sum += n;
            }
            if verbose {
                expected.difference(&ours).for_each(|(a, b)| println!("  {}: missing {a} -> {b}", snippet.display()));
                ours.difference(&expected).for_each(|(a, b)| println!("  {}: wrong {a} -> {b}", snippet.display()));
            }
        }
        row(category, counts);
        total.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
    }
    row("all", total);
}

fn row(name: &str, [expected, ours, both]: [usize; 3]) {
    let share = |of: usize| both as f64 / of.max(1) as f64;
    println!("{name:<14} {expected:>5} {ours:>6} {both:>6} {:>10.3} {:>7.3}", share(ours), share(expected));
}

fn folders(of: &Path) -> Vec<PathBuf> {
    let mut all: Vec<_> = std::fs::read_dir(of).expect("category").map(|e| e.expect("entry").path()).collect();
    all.retain(|p| p.is_dir());
    all.sort();
    all
}

fn expected(snippet: &Path) -> Edges {
    let text = std::fs::read_to_string(snippet.join("callgraph.json")).expect("callgraph.json");
    let graph: BTreeMap<String, Vec<String>> = serde_json::from_str(&text).expect("a map of lists");
    let nodes: BTreeSet<&String> = graph.keys().filter(|name| !name.starts_with('<')).collect();
    let edges = graph.iter().flat_map(|(caller, callees)| callees.iter().map(move |callee| (caller, callee)));
    edges.filter(|(a, b)| nodes.contains(a) && nodes.contains(b)).map(|(a, b)| (a.clone(), b.clone())).collect()
}

fn ours(snippet: &Path) -> Edges {
    let engine = super::open(snippet);
    let graph = &engine.generation().graph;
    let mut edges = Edges::new();
    for id in graph.definition_ids() {
        for call in graph.calls(id).iter().filter(|call| graph.definition(call.callee).kind().is_function()) {
            edges.insert((name(graph, id), name(graph, call.callee)));
        }
    }
    edges
}

/// Returns a name in PyCG's form: the module path, followed by the qualified name.
fn name(graph: &GraphFile, id: DefinitionId) -> String {
    let row = graph.definition(id);
    let path = graph.path(row.file).trim_end_matches(".py");
    let module = path.trim_end_matches("__init__").trim_end_matches('/').replace('/', ".");
    let is_file = row.parent == id;
    if is_file { module } else { format!("{module}.{}", graph.qualified_name(id)) }
}
