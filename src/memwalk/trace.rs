//! What a walk did: each step in order, and what it cost.

use super::tree::{SummaryNodeId, SummaryNodeKind, SummaryTree};
use serde::Serialize;

/// What was done at a node. Its words in small letters are values of `trace` in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WalkAction {
    /// It was opened: the summaries of its children were shown.
    Open,
    /// It was read: a leaf's text was shown.
    Read,
    /// It was left for a node that is not below it.
    Revert,
    /// Its answer was taken: the walk ended.
    Commit,
}

impl WalkAction {
    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Read => "read",
            Self::Revert => "revert",
            Self::Commit => "commit",
        }
    }
}

/// One step of a walk.
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; held by `tests/traces.rs`).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkStep {
    /// The node that it was made at.
    pub node: SummaryNodeId,
    /// What the node stands for.
    pub kind: SummaryNodeKind,
    /// The node's name: a path, a qualified name, both ends of a page; `.` for the root.
    pub name: String,
    /// What was done there.
    pub action: WalkAction,
}

/// All steps of a walk, and what they cost.
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; held by `tests/traces.rs`).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WalkRecord {
    /// The steps, in order.
    pub steps: Vec<WalkStep>,
    /// Tokens (of four bytes) of all summaries and texts that were shown; of what a model is shown again, each time.
    pub shown_tokens: usize,
    /// Tokens (of four bytes) of all files that hold functions.
    pub text_tokens: usize,
    /// How many leaves (functions) were read.
    pub leaves: usize,
    /// How often the walk went elsewhere than down.
    pub reverts: usize,
    /// The share of visited nodes (opened or read, each counted once) that are not on the path from the root to the
    /// answer; 1 without an answer, 0 if nothing was visited.
    pub stray: f64,
}

impl WalkRecord {
    /// Of a tree that is yet to be walked.
    pub(super) fn new(tree: &SummaryTree) -> Self {
        Self { text_tokens: tree.text_tokens(), ..Self::default() }
    }

    /// The share of the text that was looked at: summaries and texts shown, of all files that hold functions. Above 1
    /// if more was said of a small text than it holds.
    pub fn share(&self) -> f64 {
        if self.text_tokens == 0 { 0.0 } else { self.shown_tokens as f64 / self.text_tokens as f64 }
    }

    /// Adds a step.
    pub(super) fn step(&mut self, tree: &SummaryTree, node: SummaryNodeId, action: WalkAction) {
        let of = &tree.nodes()[node];
        self.leaves += usize::from(action == WalkAction::Read);
        self.reverts += usize::from(action == WalkAction::Revert);
        let name = if node == 0 { ".".to_owned() } else { of.name.clone() };
        self.steps.push(WalkStep { node, kind: of.kind, name, action });
    }

    /// Ends the walk at a leaf, or at none.
    pub(super) fn end(&mut self, tree: &SummaryTree, answer: Option<SummaryNodeId>) {
        let looked = |step: &&WalkStep| matches!(step.action, WalkAction::Open | WalkAction::Read);
        let mut visited: Vec<SummaryNodeId> = self.steps.iter().filter(looked).map(|step| step.node).collect();
        visited.sort_unstable();
        visited.dedup();
        let path: Vec<SummaryNodeId> = answer.map_or(Vec::new(), |leaf| tree.path(leaf).collect());
        let stray = visited.iter().filter(|node| !path.contains(node)).count();
        self.stray = if visited.is_empty() { 0.0 } else { stray as f64 / visited.len() as f64 };
        if let Some(leaf) = answer {
            self.step(tree, leaf, WalkAction::Commit);
        }
    }
}
