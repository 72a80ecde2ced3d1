//! Walks the tree without a model: always continues at the best node that was shown but not
//! visited.
//!
//! Two queues alternate, so that source text makes up a fixed share of everything that is shown.
//! One queue contains directories, files, classes and pages to open, and the other contains
//! functions to read. At the end, the functions read are ranked as in a search over only these
//! functions.
//!
//! - **Implements:** MemWalker (Chen et al. 2023): at a node, chooses a child by its summary or
//!   reverts; at a leaf, reads.
//! - **Invariant:** the score of an unread function depends only on its own summary and the
//!   summaries above it. Of the repository as a whole, only the rarity of words, the mean length of
//!   fields and the number of callers of each function are used.
//! - **Differs from the paper:** a reader that reverts moves up one step. This walk moves directly
//!   to the best node shown, and continues after a good leaf, because the result is a list of ten.
//! - **Alternatives:** one queue for all kinds of nodes, but it opened or read too many nodes,
//!   because the score of a summary of many functions cannot be compared with the score of a single
//!   function.
//! - **Cost:** scoring the words of everything shown and read, once each, and two searches for the
//!   question's words.
//! - **Tested by:** `tests/memwalk.rs`; figures come from `benches/walk.rs`.

use super::text_scorer::TextScorer;
use super::trace::{WalkAction, WalkRecord};
use super::tree::{SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree, span, tokens};
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Hit, Query, Searcher};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

/// Minimum number of leaves read between two checks for a settled walk; the interval is a tenth of
/// the leaves read if that is more. The checks are frequent enough to save reading, although each
/// costs a search over all leaves read.
const CHECK: usize = 10;
/// Length, in tokens, of a leaf that is neither short nor long.
const USUAL_TEXT: f32 = 100.0;

/// Limits and weights of an offline walk.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkOptions {
    /// Share of the repository's text that may be shown, in [0, 1].
    pub share: f64,
    /// Number of tokens that may be shown even if the share is smaller, for small repositories.
    pub floor: usize,
    /// Confidence at which the walk stops early.
    ///
    /// The walk is settled if two consecutive checks, ten leaves or a tenth apart, rank the same
    /// function first with at least this probability of being right
    /// ([`whichfn_search::search::Confidence`]). If the value is above 1, the walk continues until
    /// its budget is spent.
    pub sure: f32,
    /// Share of the budget for the text of leaves, in [0, 1]; the rest is for summaries.
    pub texts: f32,
    /// Weight of the parent's score in a node's score, relative to the node's own.
    pub decay: f32,
    /// Penalty on the score of a leaf with e times 100 tokens; shorter leaves gain.
    pub cost: f32,
    /// Penalty on the score of a node that contains only tests, unless the question is about tests.
    pub test: f32,
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { share: 0.15, floor: 2_000, sure: 0.95, texts: 0.3, decay: 0.5, cost: 0.02, test: 0.1 }
    }
}

/// Result of a walk.
#[derive(Debug, Clone, PartialEq)]
pub struct WalkResult {
    /// Functions, best first: the functions that were read, with their scores, followed by the
    /// functions of which only the summary was shown, with a score of 0.
    pub found: Vec<(DefinitionId, f32)>,
    /// Steps of the walk, and their cost.
    pub trace: WalkRecord,
}

/// Walks the tree of an index.
///
/// The words of a function that is read are taken from the index, which extracted them from the
/// function's text.
///
/// # Errors
///
/// Returns the errors of [`Searcher::search`].
pub fn walk(
    graph: &GraphFile,
    searcher: &Searcher<'_>,
    tree: &SummaryTree,
    query: &Query,
    walk: &WalkOptions,
) -> Result<WalkResult> {
    let (question, weights) = (&query.question, searcher.term_weights(query)?);
    let files = searcher.allowed(query)?;
    let mut walker = OfflineWalker {
        graph,
        searcher,
        tree,
        query,
        walk,
        fit: TextScorer::new(question, &weights),
        lowers_tests: !question.about_tests,
        is_allowed: is_allowed(graph, tree, &files),
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
    Ok(WalkResult { found: found.collect(), trace })
}

/// Checks, for each node, whether anything below it is in an allowed file.
fn is_allowed(graph: &GraphFile, tree: &SummaryTree, files: &[bool]) -> Vec<bool> {
    let mut is_allowed = vec![false; tree.nodes().len()];
    // Children follow their parents, so a reverse pass visits children first.
    for (at, node) in tree.nodes().iter().enumerate().rev() {
        let own = node.functions.first().is_some_and(|&id| files[graph.definition(id).file.index()]);
        is_allowed[at] = own || node.children.iter().any(|&child| is_allowed[child]);
    }
    is_allowed
}

/// A node that was shown, with its score.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FrontierNode {
    score: f32,
    node: SummaryNodeId,
}

impl Eq for FrontierNode {}

impl Ord for FrontierNode {
    fn cmp(&self, other: &Self) -> Ordering {
        // Breaks ties in favor of the node that comes first in the tree.
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
    fit: TextScorer,
    lowers_tests: bool,
    /// True for each node with anything below it in a file that the query allows. Other nodes are
    /// not shown.
    is_allowed: Vec<bool>,
    /// Nodes that were shown but not yet opened.
    groups: BinaryHeap<FrontierNode>,
    /// Leaves that were shown but not yet read.
    leaves: BinaryHeap<FrontierNode>,
    /// Leaves that the walk skipped, best first.
    unread: Vec<SummaryNodeId>,
    read: Vec<SummaryNodeId>,
    /// Number of tokens in the leaves read.
    text_tokens: usize,
    /// Best function at the last check; `None` if its confidence was not sufficient.
    first: Option<DefinitionId>,
    /// Number of leaves read at which the next check is due.
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
                // A smaller node may still fit.
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

    /// Ranks the functions that were read.
    fn ranked(&self) -> Result<Vec<Hit>> {
        let leaves = self.read.iter().flat_map(|&leaf| &self.tree.nodes()[leaf].functions);
        let ids: Vec<DefinitionId> = leaves.copied().collect();
        self.searcher.search_among(self.query, &ids)
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

    /// Takes the best node from the queue that is behind its share, or from the other queue if that
    /// one is empty.
    fn next(&mut self) -> Option<FrontierNode> {
        let texts = (self.text_tokens as f32) < self.walk.texts * self.trace.shown_tokens as f32;
        let (first, second) =
            if texts { (&mut self.leaves, &mut self.groups) } else { (&mut self.groups, &mut self.leaves) };
        first.pop().or_else(|| second.pop())
    }

    /// Returns the number of tokens that a visit to a node shows.
    fn cost(&self, node: &SummaryNode) -> usize {
        match node.kind {
            SummaryNodeKind::Function => tokens(span(self.graph, node).len()),
            _ => {
                let shown = node.children.iter().filter(|&&child| self.is_allowed[child]);
                shown.map(|&child| tokens(self.tree.nodes()[child].summary.len())).sum()
            }
        }
    }

    fn open(&mut self, current: FrontierNode) {
        self.trace.step(self.tree, current.node, WalkAction::Open);
        let tree = self.tree;
        for &child in tree.nodes()[current.node].children.iter().filter(|&&child| self.is_allowed[child]) {
            let node = &self.tree.nodes()[child];
            let score = self.fit.score(&node.summary) + self.walk.decay * current.score;
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
