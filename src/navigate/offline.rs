//! The walk without a model: always on to the node that looks best of all that were shown and not yet visited.
//!
//! Paper:    MemWalker (Chen et al. 2023): at a node choose a child by its summary or revert; at a leaf read
//! Law:      what counts for a function that was not read is its own summary and those above it, nothing else; of the
//!           repository as a whole only how rare words are
//! Departs:  a reader that reverts goes up one step; here it goes at once to the best node seen so far, and goes on until
//!           its budget is spent. What was read is then put in the learned order
//! Price:    the words of all summaries shown and texts read, and one search among the functions read
//! Checked:  `benches/walk.rs`

use super::fit::Fit;
use super::trace::{Action, Trace};
use super::tree::{NodeKind, NodeNumber, Tree, span, tokens};
use crate::error::Result;
use crate::ids::{DefinitionId, FileId};
use crate::search::{Query, Searcher};
use crate::store::GraphFile;
use crate::walk::decode;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::path::Path;

/// How far an offline walk goes, and what leads it.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// The share of the repository's text that may be looked at.
    pub share: f64,
    /// So many tokens may always be looked at.
    pub floor: usize,
    /// What the node above counts, against the node itself.
    pub decay: f32,
    /// What is added for a node that is no leaf.
    pub open: f32,
    /// How much a long summary counts against a node.
    pub length: f32,
    /// Stops when so many leaves in a row brought nothing among the best.
    pub patience: usize,
}

impl Default for Walk {
    fn default() -> Self {
        Self { share: 0.15, floor: 2_000, decay: 0.5, open: 0.1, length: 0.0, patience: 1_000 }
    }
}

/// What a walk found, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Walked {
    /// Functions, the best first: those that were read, then those of which only a summary was seen.
    pub found: Vec<(DefinitionId, f32)>,
    /// The way.
    pub trace: Trace,
}

/// Walks the tree of an index below `root`.
///
/// # Errors
/// As [`Searcher::search`].
pub fn walk(
    root: &Path,
    graph: &GraphFile,
    searcher: &Searcher<'_>,
    tree: &Tree,
    query: &Query,
    walk: &Walk,
) -> Result<Walked> {
    let (question, weights) = searcher.rarity(query)?;
    let budget = ((tree.text_tokens() as f64 * walk.share) as usize).max(walk.floor);
    let fit = Fit::new(&question, &weights);
    let mut walker =
        Walker { graph, tree, walk, fit, budget, seen: BinaryHeap::new(), texts: Texts::new(root), read: Vec::new(), trace: Trace::new(tree) };
    walker.go();
    let Walker { seen, read, mut trace, .. } = walker;
    let mut ids: Vec<DefinitionId> = read.iter().flat_map(|&(leaf, _)| tree.nodes()[leaf].functions.clone()).collect();
    ids.sort_unstable();
    let hits = searcher.among(query, &ids)?;
    let mut found: Vec<(DefinitionId, f32)> = hits.iter().map(|hit| (hit.definition, hit.score)).collect();
    let leaf_of = |id: DefinitionId| read.iter().map(|&(leaf, _)| leaf).find(|&leaf| tree.nodes()[leaf].functions.contains(&id));
    let answer = found.first().and_then(|&(id, _)| leaf_of(id));
    let unread = seen.into_sorted_vec().into_iter().rev().filter(|at| tree.nodes()[at.node].kind == NodeKind::Function);
    found.extend(unread.flat_map(|at| tree.nodes()[at.node].functions.first().map(|&id| (id, 0.0))));
    trace.end(tree, answer);
    Ok(Walked { found, trace })
}

/// A node that was shown.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Seen {
    score: f32,
    node: NodeNumber,
}

impl Eq for Seen {}

impl Ord for Seen {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equal nodes the first in the tree.
        self.score.total_cmp(&other.score).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Seen {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct Walker<'a> {
    graph: &'a GraphFile,
    tree: &'a Tree,
    walk: &'a Walk,
    fit: Fit,
    /// Tokens that may be shown.
    budget: usize,
    /// Nodes shown and not yet visited, with their keys.
    seen: BinaryHeap<Seen>,
    texts: Texts<'a>,
    /// Leaves read, with how well their texts fit.
    read: Vec<(NodeNumber, f32)>,
    trace: Trace,
}

impl Walker<'_> {
    fn go(&mut self) {
        self.seen.push(Seen { score: 0.0, node: 0 });
        let mut last: Option<NodeNumber> = None;
        let (mut idle, mut best) = (0, Vec::new());
        while let Some(next) = self.seen.pop() {
            let node = &self.tree.nodes()[next.node];
            let leaf = node.kind == NodeKind::Function;
            let cost = self.cost(next.node);
            if self.trace.shown_tokens + cost > self.budget {
                continue;
            }
            if let Some(last) = last.filter(|&last| node.parent != last) {
                self.trace.step(self.tree, last, Action::Revert);
            }
            last = Some(next.node);
            self.trace.shown_tokens += cost;
            self.trace.step(self.tree, next.node, if leaf { Action::Read } else { Action::Open });
            if !leaf {
                self.open(next);
                continue;
            }
            let fit = self.read(next.node);
            idle = if self.settled(&mut best, fit) { idle + 1 } else { 0 };
            if idle >= self.walk.patience {
                break;
            }
        }
    }

    /// Whether a text is none of the ten best.
    fn settled(&self, best: &mut Vec<f32>, fit: f32) -> bool {
        let at = best.partition_point(|&other| other >= fit);
        best.insert(at, fit);
        best.truncate(10);
        at >= 10
    }

    /// Tokens that a visit shows.
    fn cost(&self, node: NodeNumber) -> usize {
        let of = &self.tree.nodes()[node];
        match of.kind {
            NodeKind::Function => tokens(span(self.graph, of).len()),
            _ => of.children.iter().map(|&child| tokens(self.tree.nodes()[child].summary.len())).sum(),
        }
    }

    fn open(&mut self, of: Seen) {
        for &child in &self.tree.nodes()[of.node].children {
            let node = &self.tree.nodes()[child];
            let own = self.fit.of(&node.summary) / (1.0 + node.summary.len() as f32 / 100.0).powf(self.walk.length);
            let bonus = if node.kind == NodeKind::Function { 0.0 } else { self.walk.open };
            let up = self.above(of);
            self.seen.push(Seen { score: own + self.walk.decay * up + bonus, node: child });
        }
    }

    /// The key of a node without what was added for its kind.
    fn above(&self, of: Seen) -> f32 {
        if of.node == 0 { 0.0 } else { of.score - self.walk.open }
    }

    fn read(&mut self, leaf: NodeNumber) -> f32 {
        let node = &self.tree.nodes()[leaf];
        let file = node.functions.first().map(|&id| self.graph.definition(id).file);
        let text = file.map_or("", |file| self.texts.of(self.graph, file));
        let range = span(self.graph, node);
        let fit = self.fit.of(text.get(range.start.min(text.len())..range.end.min(text.len())).unwrap_or_default());
        self.read.push((leaf, fit));
        fit
    }
}

/// The text of the file looked at last: leaves come by file more often than not.
struct Texts<'a> {
    root: &'a Path,
    last: Option<(FileId, String)>,
}

impl<'a> Texts<'a> {
    fn new(root: &'a Path) -> Self {
        Self { root, last: None }
    }

    fn of(&mut self, graph: &GraphFile, file: FileId) -> &str {
        if self.last.as_ref().is_none_or(|(last, _)| *last != file) {
            let bytes = std::fs::read(self.root.join(graph.path(file))).unwrap_or_default();
            self.last = Some((file, decode(&bytes).unwrap_or_default().into_owned()));
        }
        self.last.as_ref().map_or("", |(_, text)| text)
    }
}
