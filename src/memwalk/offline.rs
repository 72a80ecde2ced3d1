//! The walk without a model: on to the node that looks best of all that were shown and not yet visited.
//!
//! Two queues take turns, so that a fixed share of what is looked at are texts: one of directories, files, classes and
//! pages to open, one of functions to read. What was read is put in order at the end, as a search does that knows of
//! nothing else.
//!
//! Paper:    MemWalker (Chen et al. 2023): at a node choose a child by its summary, or revert; at a leaf read
//! Law:      what counts for a function that was not read is its own summary and those above it; of the repository as a
//!           whole nothing is known but how rare words are, how long fields are on average and how many callers each
//!           has
//! Departs:  a reader that reverts goes up one step; here it goes at once to the best node seen, and goes on after a
//!           good leaf, because a list of ten is wanted. One queue for all kinds of nodes opened too much or read too
//!           much: how well a summary of many functions fits says little beside how well one of a single function does
//! Price:    the words of what is shown and read, once each, and two searches of the question's words
//! Checked:  `tests/memwalk.rs`; figures by `benches/walk.rs`

use super::fit::Fit;
use super::trace::{WalkAction, WalkRecord};
use super::tree::{SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree, span, tokens};
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::search::{Hit, Query, Searcher};
use crate::store::GraphFile;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// After so many texts the walk asks whether it is settled, and again after as many or a tenth more than it has read: often
/// enough to save texts; each time costs a search among all that was read.
const CHECK: usize = 10;
/// A text of so many tokens is neither short nor long.
const USUAL_TEXT: f32 = 100.0;

/// How far an offline walk goes, and what leads it.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkOptions {
    /// Budget: the share of the repository's text that may be looked at, 0 to 1.
    pub share: f64,
    /// Tokens that may be looked at even where the share is less: small repositories.
    pub floor: usize,
    /// The walk is settled when the same function comes first twice, ten texts or a tenth apart, and is right with at least this
    /// chance ([`crate::search::Confidence`]); above 1 it goes on until its budget is spent.
    pub sure: f32,
    /// The share of the budget that goes to texts, 0 to 1; the rest goes to summaries.
    pub texts: f32,
    /// The weight of the score of the node above, where that of the node itself counts 1.
    pub decay: f32,
    /// What the score of a text of e times 100 tokens loses; shorter ones gain.
    pub cost: f32,
    /// What the score of a node with nothing but tests loses, unless the question speaks of tests.
    pub test: f32,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { share: 0.15, floor: 2_000, sure: 0.95, texts: 0.3, decay: 0.5, cost: 0.02, test: 0.1 }
    }
}

/// What a walk found, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct Walked {
    /// Functions, the best first: those that were read, with their scores, then those of which only a summary was seen,
    /// with 0.
    pub found: Vec<(DefinitionId, f32)>,
    /// The steps of the walk, and what they cost.
    pub trace: WalkRecord,
}

/// Walks the tree of an index. The words of a function that is read come from the index, which took them from its text.
///
/// # Errors
/// As [`Searcher::search`].
pub fn walk(
    graph: &GraphFile,
    searcher: &Searcher<'_>,
    tree: &SummaryTree,
    query: &Query,
    walk: &WalkOptions,
) -> Result<Walked> {
    let (question, weights) = (&query.question, searcher.term_weights(query)?);
    let files = searcher.allowed(query)?;
    let mut walker = OfflineWalker {
        graph,
        searcher,
        tree,
        query,
        walk,
        fit: Fit::new(question, &weights),
        lowers_tests: !question.about_tests,
        asked: asked(graph, tree, &files),
        groups: BinaryHeap::from([FrontierNode { score: 0.0, node: 0 }]),
        leaves: BinaryHeap::new(),
        unread: Vec::new(),
        read: Vec::new(),
        text_tokens: 0,
        first: None,
        next_check: CHECK,
        trace: WalkRecord::new(tree),
    };
    walker.go()?;
    let hits = walker.ranked()?;
    let OfflineWalker { unread, read, mut trace, .. } = walker;
    let holds = |id: DefinitionId| read.iter().copied().find(|&leaf| tree.nodes()[leaf].functions.contains(&id));
    trace.end(tree, hits.first().and_then(|best| holds(best.definition)));
    let seen = unread.iter().filter_map(|&leaf| tree.nodes()[leaf].functions.first());
    let found = hits.iter().map(|hit| (hit.definition, hit.score)).chain(seen.map(|&id| (id, 0.0)));
    Ok(Walked { found: found.collect(), trace })
}

/// By node: whether something below it is in one of these files.
fn asked(graph: &GraphFile, tree: &SummaryTree, files: &[bool]) -> Vec<bool> {
    let mut asked = vec![false; tree.nodes().len()];
    // Children come after their parents.
    for (at, node) in tree.nodes().iter().enumerate().rev() {
        let own = node.functions.first().is_some_and(|&id| files[graph.definition(id).file.index()]);
        asked[at] = own || node.children.iter().any(|&child| asked[child]);
    }
    asked
}

/// A node that was shown, with what speaks for it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FrontierNode {
    score: f32,
    node: SummaryNodeId,
}

impl Eq for FrontierNode {}

impl Ord for FrontierNode {
    fn cmp(&self, other: &Self) -> Ordering {
        // Ties go to the node that comes first in the tree.
        self.score.total_cmp(&other.score).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for FrontierNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

struct OfflineWalker<'a> {
    graph: &'a GraphFile,
    searcher: &'a Searcher<'a>,
    tree: &'a SummaryTree,
    query: &'a Query,
    walk: &'a WalkOptions,
    fit: Fit,
    lowers_tests: bool,
    /// By node: whether something below it is in a file that is asked about; others are not shown.
    asked: Vec<bool>,
    /// Nodes shown and not yet opened.
    groups: BinaryHeap<FrontierNode>,
    /// Leaves shown and not yet read.
    leaves: BinaryHeap<FrontierNode>,
    /// Leaves that were not read, the best first.
    unread: Vec<SummaryNodeId>,
    read: Vec<SummaryNodeId>,
    /// Tokens of the texts read.
    text_tokens: usize,
    /// Who came first when that was asked last, if that was sure.
    first: Option<DefinitionId>,
    /// After how many texts that is asked again.
    next_check: usize,
    trace: WalkRecord,
}

impl OfflineWalker<'_> {
    fn go(&mut self) -> Result<()> {
        let budget = ((self.tree.text_tokens() as f64 * self.walk.share) as usize).max(self.walk.floor);
        let (mut last, mut settled) = (None, false);
        while let Some(seen) = self.next() {
            let node = &self.tree.nodes()[seen.node];
            let (leaf, cost) = (node.kind == SummaryNodeKind::Function, self.cost(node));
            if settled || self.trace.shown_tokens + cost > budget {
                // What is smaller may still fit.
                self.unread.extend(leaf.then_some(seen.node));
                continue;
            }
            if let Some(last) = last.replace(seen.node).filter(|&last| last != node.parent) {
                self.trace.step(self.tree, last, WalkAction::Revert);
            }
            self.trace.shown_tokens += cost;
            if leaf {
                self.read(seen.node, cost);
                settled = self.is_settled()?;
            } else {
                self.open(seen);
            }
        }
        Ok(())
    }

    /// What was read, in order.
    fn ranked(&self) -> Result<Vec<Hit>> {
        let leaves = self.read.iter().flat_map(|&leaf| &self.tree.nodes()[leaf].functions);
        let ids: Vec<DefinitionId> = leaves.copied().collect();
        self.searcher.among(self.query, &ids)
    }

    fn is_settled(&mut self) -> Result<bool> {
        let count = self.read.len();
        if self.walk.sure > 1.0 || count < self.next_check {
            return Ok(false);
        }
        self.next_check = count + CHECK.max(count / 10);
        let hits = self.ranked()?;
        let is_sure = |hit: &&Hit| hit.confidence.is_some_and(|confidence| confidence.right >= self.walk.sure);
        let first = hits.first().filter(is_sure).map(|hit| hit.definition);
        let before = std::mem::replace(&mut self.first, first);
        Ok(first.is_some() && first == before)
    }

    /// The best node of the queue whose turn it is; of the other one if there is none.
    fn next(&mut self) -> Option<FrontierNode> {
        let texts = (self.text_tokens as f32) < self.walk.texts * self.trace.shown_tokens as f32;
        let (first, second) =
            if texts { (&mut self.leaves, &mut self.groups) } else { (&mut self.groups, &mut self.leaves) };
        first.pop().or_else(|| second.pop())
    }

    /// Tokens that a visit shows.
    fn cost(&self, node: &SummaryNode) -> usize {
        match node.kind {
            SummaryNodeKind::Function => tokens(span(self.graph, node).len()),
            _ => {
                let shown = node.children.iter().filter(|&&child| self.asked[child]);
                shown.map(|&child| tokens(self.tree.nodes()[child].summary.len())).sum()
            }
        }
    }

    fn open(&mut self, of: FrontierNode) {
        self.trace.step(self.tree, of.node, WalkAction::Open);
        let tree = self.tree;
        for &child in tree.nodes()[of.node].children.iter().filter(|&&child| self.asked[child]) {
            let node = &self.tree.nodes()[child];
            let score = self.fit.of(&node.summary) + self.walk.decay * of.score;
            let test = if node.is_test && self.lowers_tests { self.walk.test } else { 0.0 };
            if node.kind == SummaryNodeKind::Function {
                let long = (self.cost(node).max(1) as f32 / USUAL_TEXT).ln();
                self.leaves.push(FrontierNode { score: score - test - self.walk.cost * long, node: child });
            } else {
                self.groups.push(FrontierNode { score: score - test, node: child });
            }
        }
    }

    fn read(&mut self, leaf: SummaryNodeId, cost: usize) {
        self.trace.step(self.tree, leaf, WalkAction::Read);
        self.text_tokens += cost;
        self.read.push(leaf);
    }
}
