//! The structure graph as it is walked from one place: files are unpacked when they are first met.
//!
//! Paper:     FragRel, equation 5 (Dis as max-product shortest path), by Dijkstra's search with a heap
//! Law:       weights lie in (0, 1], so no path gains by growing: a place once taken off the heap is final, and
//!            everything of at least `floor` is found
//! Price:     O(places of at least `floor`); a few thousand for a floor of 0.01
//! Checked:   `tests/relation.rs` against Dijkstra over the whole graph and against all simple paths

use super::directories::Directories;
use crate::fragment::Tree;
use crate::graph::EdgeKind;
use crate::ids::{DefinitionId, FileId};
use crate::store::GraphFile;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

/// A node of the structure graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A directory; 0 is the root.
    Directory(u32),
    /// A file.
    File(FileId),
    /// A named syntax node, by its number in the file.
    Syntax(FileId, u32),
}

/// A place that a search arrived at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    /// Where.
    pub place: Place,
    /// Weight of the best path to it.
    pub weight: f64,
    /// The place before it on that path, by its position in the list, and the edge between; none for the source.
    pub from: Option<(u32, EdgeKind)>,
}

/// One file, unpacked.
pub struct FileGraph {
    /// Its syntax tree.
    pub tree: Tree,
    /// Calls: site, callee; in order of site.
    sites: Vec<(u32, DefinitionId)>,
    /// Definitions by their syntax node; in order of node.
    definitions: Vec<(u32, DefinitionId)>,
}

/// The structure graph of a repository, ready to be walked.
pub struct Walk<'a> {
    graph: &'a GraphFile,
    directories: Directories,
    /// Directories and files right inside each directory.
    inside: Vec<Vec<Place>>,
    files: Vec<OnceLock<FileGraph>>,
}

/// On a path that has yet to use a call: the most that its weight can still be once it has.
fn hope(place: Place) -> f64 {
    let (directory, syntax, call) = (EdgeKind::Directory.weight(), EdgeKind::Syntax.weight(), EdgeKind::Call.weight());
    match place {
        Place::Syntax(_, 0) | Place::File(_) => syntax * call,
        Place::Syntax(..) => call,
        Place::Directory(_) => directory * syntax * call,
    }
}

impl<'a> Walk<'a> {
    /// Over a repository: O(files).
    pub fn new(graph: &'a GraphFile) -> Self {
        let directories = Directories::new(graph);
        let mut inside = vec![Vec::new(); directories.parents.len()];
        for (child, &parent) in directories.parents.iter().enumerate().skip(1) {
            inside[parent as usize].push(Place::Directory(child as u32));
        }
        for (file, &directory) in directories.of_file.iter().enumerate() {
            inside[directory as usize].push(Place::File(FileId::new(file)));
        }
        let files = (0..graph.files().len()).map(|_| OnceLock::new()).collect();
        Self { graph, directories, inside, files }
    }

    /// The path of a directory.
    pub fn directory(&self, number: u32) -> &str {
        &self.directories.paths[number as usize]
    }

    /// A file, unpacked.
    pub fn file(&self, file: FileId) -> &FileGraph {
        self.files[file.index()].get_or_init(|| {
            let (graph, ids) = (self.graph, self.graph.definitions_of(file));
            let mut sites: Vec<_> =
                ids.clone().flat_map(|id| graph.calls(DefinitionId::new(id))).map(|c| (c.site, c.callee)).collect();
            sites.sort_unstable();
            let mut definitions: Vec<_> = ids.map(|id| (graph.definitions()[id].node, DefinitionId::new(id))).collect();
            definitions.sort_unstable();
            FileGraph { tree: Tree::new(graph.syntax(file)), sites, definitions }
        })
    }

    /// The syntax node of a definition; none in a file without a syntax tree.
    pub fn node(&self, definition: DefinitionId) -> Option<Place> {
        let row = self.graph.definition(definition);
        let exists = (row.node as usize) < self.file(row.file).tree.nodes().len();
        exists.then_some(Place::Syntax(row.file, row.node))
    }

    /// Every place that a best path of at least `floor` leads to, the best first.
    pub fn reach(&self, source: Place, floor: f64) -> Vec<Arrival> {
        self.search(source, floor, false)
    }

    /// As [`Walk::reach`], by paths that use at least one call.
    pub fn reach_through_calls(&self, source: Place, floor: f64) -> Vec<Arrival> {
        self.search(source, floor, true)
    }

    fn search(&self, source: Place, floor: f64, through_calls: bool) -> Vec<Arrival> {
        // A state is a place and whether a call was used, where that is asked for.
        let mut best: FxHashMap<(Place, bool), f64> = FxHashMap::default();
        let mut heap = BinaryHeap::from([(order(1.0), Reverse((source, false)), None)]);
        let mut arrivals: Vec<(Arrival, bool)> = Vec::new();
        best.insert((source, false), 1.0);
        while let Some((weight, Reverse((place, called)), from)) = heap.pop() {
            let weight = f64::from_bits(weight);
            if best.get(&(place, called)).is_some_and(|&known| known > weight || known < 0.0) {
                continue;
            }
            best.insert((place, called), -1.0);
            let at = arrivals.len() as u32;
            arrivals.push((Arrival { place, weight, from }, called));
            self.neighbours(place, &mut |next, kind| {
                let (weight, called) = (weight * kind.weight(), called || (through_calls && kind == EdgeKind::Call));
                let reach = if through_calls && !called { weight * hope(next) } else { weight };
                let known = best.entry((next, called)).or_insert(0.0);
                if reach >= floor && weight > *known && *known >= 0.0 {
                    *known = weight;
                    heap.push((order(weight), Reverse((next, called)), Some((at, kind))));
                }
            });
        }
        match through_calls {
            // Places before the first call are on the way to arrivals, not arrivals.
            true => arrivals
                .into_iter()
                .filter(|&(_, called)| called)
                .map(|(arrival, _)| Arrival { from: None, ..arrival })
                .collect(),
            false => arrivals.into_iter().map(|(arrival, _)| arrival).collect(),
        }
    }

    fn neighbours(&self, place: Place, emit: &mut impl FnMut(Place, EdgeKind)) {
        match place {
            Place::Directory(number) => {
                if number != 0 {
                    emit(Place::Directory(self.directories.parents[number as usize]), EdgeKind::Directory);
                }
                self.inside[number as usize].iter().for_each(|&inside| emit(inside, EdgeKind::Directory));
            }
            Place::File(file) => {
                emit(Place::Directory(self.directories.of_file[file.index()]), EdgeKind::Directory);
                if !self.graph.syntax(file).is_empty() {
                    emit(Place::Syntax(file, 0), EdgeKind::Root);
                }
            }
            Place::Syntax(file, node) => self.around(file, node, emit),
        }
    }

    fn around(&self, file: FileId, node: u32, emit: &mut impl FnMut(Place, EdgeKind)) {
        let here = self.file(file);
        match node {
            0 => emit(Place::File(file), EdgeKind::Root),
            _ => emit(Place::Syntax(file, here.tree.nodes()[node as usize].parent), EdgeKind::Syntax),
        }
        here.tree.children(node).for_each(|child| emit(Place::Syntax(file, child), EdgeKind::Syntax));
        for &(_, callee) in of(&here.sites, node) {
            if let Some(callee) = self.node(callee).filter(|&callee| callee != Place::Syntax(file, node)) {
                emit(callee, EdgeKind::Call);
            }
        }
        for &(_, definition) in of(&here.definitions, node) {
            for &caller in self.graph.callers(definition) {
                let from = self.graph.definition(caller).file;
                let sites = self.graph.calls(caller).iter().filter(|call| call.callee == definition);
                let sites = sites.map(|call| Place::Syntax(from, call.site));
                sites.filter(|&site| site != Place::Syntax(file, node)).for_each(|site| emit(site, EdgeKind::Call));
            }
        }
    }

    /// The weight of the only path along the tree.
    pub fn along_tree(&self, a: Place, b: Place) -> f64 {
        let (Place::Syntax(file_a, a), Place::Syntax(file_b, b)) = (a, b) else { return 0.0 };
        let syntax = |steps: u32| EdgeKind::Syntax.weight().powi(steps as i32);
        let depth = |file, node: u32| self.file(file).tree.nodes()[node as usize].depth;
        if file_a == file_b {
            let nodes = self.file(file_a).tree.nodes();
            let (mut x, mut y) = (a, b);
            while x != y {
                // The larger number lies deeper or further on, so it is not an ancestor of the other.
                if x > y { x = nodes[x as usize].parent } else { y = nodes[y as usize].parent }
            }
            let fork = nodes[x as usize].depth;
            return syntax(nodes[a as usize].depth + nodes[b as usize].depth - 2 * fork);
        }
        let (mut x, mut y) = (self.directories.of_file[file_a.index()], self.directories.of_file[file_b.index()]);
        let mut steps = 2;
        while x != y {
            if x > y {
                x = self.directories.parents[x as usize]
            } else {
                y = self.directories.parents[y as usize]
            }
            steps += 1;
        }
        syntax(depth(file_a, a) + depth(file_b, b)) * EdgeKind::Directory.weight().powi(steps)
    }
}

/// Weights are positive, so their bits are in their order.
fn order(weight: f64) -> u64 {
    weight.to_bits()
}

/// The run of pairs with this first number.
fn of<T>(sorted: &[(u32, T)], key: u32) -> &[(u32, T)] {
    let start = sorted.partition_point(|&(first, _)| first < key);
    let end = start + sorted[start..].partition_point(|&(first, _)| first == key);
    &sorted[start..end]
}
