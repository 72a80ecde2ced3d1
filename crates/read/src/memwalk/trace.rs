//! The record of a walk: all steps in order, and their cost.

use super::tree::{SummaryNodeId, SummaryNodeKind, SummaryTree};
use serde::Serialize;

/// Action at a node. The lower-case names are values of `trace` in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WalkAction {
    /// Opens a node, which shows the summaries of its children.
    Open,
    /// Reads a leaf, which shows its text.
    Read,
    /// Leaves the node for a node that is not below it.
    Revert,
    /// Takes the node as the answer, which ends the walk.
    Commit,
}

impl WalkAction {
    /// Returns the name printed in text and JSON output.
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
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; checked by
/// `tests/traces.rs`).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WalkStep {
    /// Node of the step.
    pub node: SummaryNodeId,
    /// Kind of the node.
    pub kind: SummaryNodeKind,
    /// Name of the node: a path, a qualified name, or both ends of a page; `.` for the root.
    pub name: String,
    /// Action at the node.
    pub action: WalkAction,
}

/// All steps of a walk, and their cost.
///
/// Its field names are keys of `trace` in JSON (`docs/SPEC.md`, section 3; checked by
/// `tests/traces.rs`).
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WalkRecord {
    /// Steps, in order.
    pub steps: Vec<WalkStep>,
    /// Number of tokens (of four bytes) in all summaries and leaves shown. Text that is shown
    /// several times counts each time.
    pub shown_tokens: usize,
    /// Number of tokens (of four bytes) in all files that contain functions.
    pub text_tokens: usize,
    /// Number of leaves (functions) that were read.
    pub leaves: usize,
    /// Number of times that the walk moved to a node that is not a child of the previous one.
    pub reverts: usize,
    /// Share of visited nodes (opened or read, each counted once) that are not on the path from the
    /// root to the answer; 1 if there is no answer, 0 if no node was visited.
    pub stray: f64,
}

impl WalkRecord {
    /// Creates the record of a walk that has not started.
    pub(super) fn new(tree: &SummaryTree) -> Self {
        Self { text_tokens: tree.text_tokens(), ..Self::default() }
    }

    /// Returns the share of the text that was shown: all summaries and leaves shown, relative to
    /// all files that contain functions. It exceeds 1 if the summaries of a small repository are
    /// longer than its text.
    pub fn share(&self) -> f64 {
        if self.text_tokens == 0 { 0.0 } else { self.shown_tokens as f64 / self.text_tokens as f64 }
    }

    /// Appends a step.
    pub(super) fn step(&mut self, tree: &SummaryTree, node: SummaryNodeId, action: WalkAction) {
        let current = &tree.nodes()[node];
        self.leaves += usize::from(action == WalkAction::Read);
        self.reverts += usize::from(action == WalkAction::Revert);
        let name = if node == 0 { ".".to_owned() } else { current.name.clone() };
        self.steps.push(WalkStep { node, kind: current.kind, name, action });
    }

    /// Ends the walk at the leaf `answer`, or without an answer if `None`.
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
