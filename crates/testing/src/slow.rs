//! Computes the code-structure relation as defined in section 1 of `docs/SPEC.md`, without the
//! cutoff, heap and skeletons of the fast implementation.

use crate::{Indexed, windows_of};
use std::collections::BTreeMap;
use whichfn_graph::{NodeKind, StructureGraph};
use whichfn_search::relation::FragmentUnit;
use whichfn_syntax::ids::{FileId, NodeId};

/// The structure graph as a list of edges, and the nodes of each fragment.
pub struct Slow {
    count: usize,
    /// For each edge, its two ends, its weight, and whether it is a call.
    edges: Vec<(usize, usize, f64, bool)>,
    /// For each fragment, its nodes g_k and their lengths len_k.
    pub fragments: Vec<Vec<(usize, f64)>>,
}

/// The values Dis(source, x) for all nodes x, indexed by source.
pub type Table = BTreeMap<usize, Vec<f64>>;

/// Returns the specified weight for a kind of edge.
fn weight(kind: &str) -> f64 {
    match kind {
        "syntax" => 0.5,
        "directory" => 0.3,
        "root" => 1.0,
        "call" => 0.8,
        other => panic!("an edge of kind {other}"),
    }
}

impl Slow {
    /// Builds the list of edges, and the fragments of the given unit.
    pub fn new(indexed: &Indexed, structure: &StructureGraph, unit: FragmentUnit) -> Self {
        let edges: Vec<_> = structure
            .edges()
            .map(|(a, b, kind)| (a.index(), b.index(), weight(kind.name()), kind.name() == "call"))
            .collect();
        let mut around = BTreeMap::new();
        for (a, b, kind) in structure.edges().filter(|(.., kind)| kind.name() == "syntax") {
            assert_eq!((around.insert(b, a), kind.name()), (None, "syntax"), "a node has one node around it");
        }
        let spans = match unit {
            FragmentUnit::Definition => definitions(indexed),
            FragmentUnit::Window => windows(indexed),
        };
        let fragments = spans.into_iter().map(|span| maximal(structure, &around, span)).collect();
        Self { count: structure.nodes().len(), edges, fragments }
    }

    /// Returns the same graph without its call edges.
    pub fn without_calls(&self) -> Self {
        let edges = self.edges.iter().copied().filter(|&(.., call)| !call).collect();
        Self { count: self.count, edges, fragments: self.fragments.clone() }
    }

    /// Returns Dis(source, x) for all nodes x, by following edges until no value grows.
    pub fn distances(&self, source: usize) -> Vec<f64> {
        let mut best = vec![0.0f64; self.count];
        best[source] = 1.0;
        let mut changed = true;
        while changed {
            changed = false;
            // Edges are followed forwards and backwards through the list, which needs fewer rounds.
            for &(a, b, weight, _) in self.edges.iter().chain(self.edges.iter().rev()) {
                for (from, to) in [(a, b), (b, a)] {
                    if best[from] * weight > best[to] {
                        best[to] = best[from] * weight;
                        changed = true;
                    }
                }
            }
        }
        best
    }

    /// Returns Dis(source, x) for all nodes x, by walking every simple path. Returns `None` if
    /// there are too many paths.
    pub fn over_all_paths(&self, source: usize) -> Option<Vec<f64>> {
        let mut neighbours = vec![Vec::new(); self.count];
        for &(a, b, weight, _) in &self.edges {
            neighbours[a].push((b, weight));
            neighbours[b].push((a, weight));
        }
        let (mut best, mut left) = (vec![0.0; self.count], 300_000);
        every_path(&neighbours, source, 1.0, &mut vec![false; self.count], &mut best, &mut left);
        (left > 0).then_some(best)
    }

    /// Returns Dis(source, x) for each source that is a node of a fragment.
    pub fn table(&self) -> Table {
        self.fragments.iter().flatten().map(|&(node, _)| (node, self.distances(node))).collect()
    }

    /// Returns w_ij for all pairs of fragments. It is 0 for a fragment without nodes.
    pub fn weights(&self) -> Vec<Vec<f64>> {
        self.weights_by(&self.table())
    }

    /// Returns w_ij for all pairs of fragments, computed from a table of Dis(source, x).
    pub fn weights_by(&self, known: &Table) -> Vec<Vec<f64>> {
        let pair = |a: &[(usize, f64)], b: &[(usize, f64)]| {
            let (mut above, mut below) = (0.0, 0.0);
            for &(k, len_k) in a {
                for &(l, len_l) in b {
                    above += len_k * len_l * known[&k][l];
                    below += len_k * len_l;
                }
            }
            if below > 0.0 { above / below } else { 0.0 }
        };
        self.fragments.iter().map(|a| self.fragments.iter().map(|b| pair(a, b)).collect()).collect()
    }
}

fn every_path(
    neighbours: &[Vec<(usize, f64)>],
    at: usize,
    weight: f64,
    visited: &mut [bool],
    best: &mut [f64],
    left: &mut usize,
) {
    if *left == 0 {
        return;
    }
    *left -= 1;
    best[at] = best[at].max(weight);
    visited[at] = true;
    for &(next, step) in &neighbours[at] {
        if !visited[next] {
            every_path(neighbours, next, weight * step, visited, best, left);
        }
    }
    visited[at] = false;
}

/// A span of text: the file, the offset of the first byte, and the offset after the last byte.
type Bytes = (FileId, usize, usize);

fn definitions(indexed: &Indexed) -> Vec<Bytes> {
    let graph = &indexed.generation.graph;
    let rows = graph.definition_ids().map(|id| graph.definition(id));
    rows.map(|row| (row.file, row.start_byte as usize, row.end_byte as usize)).collect()
}

fn windows(indexed: &Indexed) -> Vec<Bytes> {
    let graph = &indexed.generation.graph;
    let mut all = Vec::new();
    for file in graph.file_ids() {
        let text = std::fs::read_to_string(indexed.root().join(graph.path(file))).expect("text");
        all.extend(windows_of(&text).into_iter().map(|(_, start, end)| (file, start, end)));
    }
    all
}

/// Returns the outermost nodes inside a span, each with the length of its text.
fn maximal(
    structure: &StructureGraph,
    around: &BTreeMap<NodeId, NodeId>,
    (file, start, end): Bytes,
) -> Vec<(usize, f64)> {
    let inside = |id: NodeId| {
        let node = structure.nodes()[id.index()];
        let here = matches!(node.kind, NodeKind::Syntax(of, _) if of == file);
        here && node.start < node.end && node.start as usize >= start && node.end as usize <= end
    };
    let mut found = Vec::new();
    for id in (0..structure.nodes().len()).map(NodeId::new).filter(|&id| inside(id)) {
        let mut above = std::iter::successors(around.get(&id), |up| around.get(up));
        if !above.any(|&up| inside(up)) {
            let node = structure.nodes()[id.index()];
            found.push((id.index(), f64::from(node.end - node.start)));
        }
    }
    found
}
