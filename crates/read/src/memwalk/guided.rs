//! Lets a model walk the tree of summaries. At each node, the model sees the summaries of the
//! children and chooses a child or goes back; at a leaf, it reads the text and takes it as the
//! answer or goes back.
//!
//! **Implements:** MemWalker (Chen et al. 2023): triage prompt, leaf prompt, a working memory of
//! the summaries on the way; three unreadable replies in a row end the walk without an answer.
//!
//! **Invariant:** a node is visited at most once and is not offered again after the walk has left
//! it, so the walk ends.
//!
//! **Differs from the paper:** the memory also keeps the summaries of branches that the walk left;
//! going back at the root ends the walk without an answer.
//!
//! **Cost:** one call for each step.

use super::reply::{self, WalkChoice};
use super::trace::{WalkAction, WalkRecord};
use super::tree::{SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree, tokens};
use crate::reading::{PromptBudget, head, tail};
use serde_json::{Value, json};
use whichfn_index::source::Sources;
use whichfn_llm::{Model, Request, Templates};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;
use whichfn_text::prefix;

/// Maximum number of tokens in a reply to one step of a walk: a thought, a number and a short
/// answer.
const STEP_TOKENS: u32 = 512;

/// Maximum number of consecutive unreadable replies, as in the paper.
const ATTEMPTS: usize = 3;

/// Limits of a walk by a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuidedLimits {
    /// Maximum number of model calls.
    pub steps: usize,
    /// Maximum size of the working memory in bytes; the oldest lines are removed first.
    pub memory_bytes: usize,
    /// Maximum number of bytes of a function's text that are shown to the model.
    pub leaf_bytes: usize,
}

impl Default for GuidedLimits {
    fn default() -> Self {
        Self { steps: 40, memory_bytes: 2_000, leaf_bytes: 8_000 }
    }
}

/// Result of a walk by a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuidedOutcome {
    /// The model chose a function as the answer.
    Answer {
        /// The function that the answer names, or else the outermost function of the leaf.
        function: DefinitionId,
        /// The answer in the model's words; may be empty.
        words: String,
    },
    /// The model chose no function.
    NoAnswer {
        /// Reason why there is no answer.
        reason: NoAnswer,
    },
}

/// Reason why a walk by a model ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// Three replies in a row could not be read.
    Unreadable,
    /// The maximum number of steps was reached.
    Steps,
    /// The model went back at the root.
    Left,
    /// All nodes were visited.
    Nothing,
}

impl NoAnswer {
    /// Returns a one-line description of the reason.
    pub fn text(self) -> &'static str {
        match self {
            Self::Unreadable => "the model sent three unreadable replies in a row",
            Self::Steps => "the model reached its step limit",
            Self::Left => "the model found no matching entry",
            Self::Nothing => "the model visited all entries and chose none",
        }
    }
}

/// Result and record of a walk by a model.
#[derive(Debug, Clone, PartialEq)]
pub struct GuidedWalk {
    /// The function that the model chose, or the reason why it chose none.
    pub outcome: GuidedOutcome,
    /// Steps of the walk, and their cost. Text that is shown again counts again.
    pub trace: WalkRecord,
}

/// Lets a model walk the tree of an index.
///
/// # Errors
/// Returns an error if the model fails.
pub fn walk_by_model(
    guide: &ModelGuide<'_>,
    tree: &SummaryTree,
    question: &str,
    limits: &GuidedLimits,
) -> Result<GuidedWalk> {
    let visited = vec![false; tree.nodes().len()];
    let (memory, trace) = (WorkingMemory::new(limits.memory_bytes), WalkRecord::new(tree));
    let mut walker = GuidedWalker { guide, tree, question, limits, memory, visited, trace };
    let (outcome, answer) = walker.go()?;
    walker.trace.end(tree, answer);
    Ok(GuidedWalk { outcome, trace: walker.trace })
}

/// A language model and its inputs.
#[derive(Clone, Copy)]
pub struct ModelGuide<'a> {
    /// Source text of the indexed files.
    pub sources: &'a Sources<'a>,
    /// Model that chooses or writes summaries.
    pub model: &'a dyn Model,
    /// Prompt templates of the model.
    pub templates: &'a Templates,
}

impl ModelGuide<'_> {
    /// Returns the text of a leaf; empty if the text can no longer be read.
    pub(super) fn text(&self, leaf: &SummaryNode) -> String {
        leaf.functions.first().map(|&id| self.sources.text_of(id)).unwrap_or_default()
    }
}

/// Short notes about the nodes seen on the way.
struct WorkingMemory {
    notes: Vec<String>,
    most: usize,
}

impl WorkingMemory {
    fn new(most: usize) -> Self {
        Self { notes: Vec::new(), most }
    }

    fn add(&mut self, note: String) {
        self.notes.push(note);
        while self.notes.iter().map(|note| note.len() + 1).sum::<usize>() > self.most {
            self.notes.remove(0);
        }
    }

    fn text(&self) -> String {
        if self.notes.is_empty() { "nothing yet".to_owned() } else { self.notes.join("\n") }
    }
}

struct GuidedWalker<'a> {
    guide: &'a ModelGuide<'a>,
    tree: &'a SummaryTree,
    question: &'a str,
    limits: &'a GuidedLimits,
    memory: WorkingMemory,
    /// True for each node that was visited, indexed by node.
    visited: Vec<bool>,
    trace: WalkRecord,
}

impl GuidedWalker<'_> {
    fn go(&mut self) -> Result<(GuidedOutcome, Option<SummaryNodeId>)> {
        let none = |reason| Ok((GuidedOutcome::NoAnswer { reason }, None));
        let (mut at, mut misses) = (0, 0);
        for _ in 0..self.limits.steps {
            while self.offered(at).is_empty() && !self.is_leaf(at) {
                if at == 0 {
                    return none(NoAnswer::Nothing);
                }
                at = self.up(at);
            }
            let Some(choice) = (if self.is_leaf(at) { self.read_leaf(at) } else { self.choose_child(at) })? else {
                misses += 1;
                if misses == ATTEMPTS {
                    return none(NoAnswer::Unreadable);
                }
                continue;
            };
            misses = 0;
            match choice {
                WalkChoice::Down(entry) => at = self.down(self.offered(at)[entry]),
                WalkChoice::Up if at == 0 => return none(NoAnswer::Left),
                WalkChoice::Up => at = self.up(at),
                WalkChoice::Commit(words) => {
                    let function = self.named(at, &words);
                    return Ok((GuidedOutcome::Answer { function, words }, Some(at)));
                }
            }
        }
        none(NoAnswer::Steps)
    }

    fn is_leaf(&self, node: SummaryNodeId) -> bool {
        self.tree.nodes()[node].kind == SummaryNodeKind::Function
    }

    /// Returns the children of a node that were not visited yet.
    fn offered(&self, node: SummaryNodeId) -> Vec<SummaryNodeId> {
        self.tree.nodes()[node].children.iter().copied().filter(|&child| !self.visited[child]).collect()
    }

    fn down(&mut self, to: SummaryNodeId) -> SummaryNodeId {
        self.visited[to] = true;
        self.memory.add(format!("- {}: {}", self.place(to), self.tree.nodes()[to].summary));
        to
    }

    fn up(&mut self, from: SummaryNodeId) -> SummaryNodeId {
        self.trace.step(self.tree, from, WalkAction::Revert);
        self.memory.add(format!("- {} was left: no match", self.place(from)));
        self.tree.nodes()[from].parent
    }

    fn place(&self, node: SummaryNodeId) -> String {
        let current = &self.tree.nodes()[node];
        if node == 0 { "the root".to_owned() } else { format!("the {} {}", current.kind.name(), current.name) }
    }

    fn choose_child(&mut self, at: SummaryNodeId) -> Result<Option<WalkChoice>> {
        let offered = self.offered(at);
        let shown: usize = offered.iter().map(|&child| tokens(self.tree.nodes()[child].summary.len())).sum();
        self.trace.shown_tokens += shown;
        self.trace.step(self.tree, at, WalkAction::Open);
        let memory = self.memory.text();
        let reply = self.ask(&reply::triage_schema(offered.len()), |bytes| {
            let most = bytes.div_ceil(2) / offered.len().max(1);
            let entry = |(number, &child): (usize, &SummaryNodeId)| {
                let summary = prefix(&self.tree.nodes()[child].summary, most);
                format!("{}. {}: {summary}", number + 1, self.place(child))
            };
            let choices: Vec<String> = offered.iter().enumerate().map(entry).collect();
            let values = json!({
                "question": self.question, "memory": tail(&memory, bytes / 2), "place": self.place(at),
                "choices": choices.join("\n"),
            });
            self.guide.templates.render("triage.md", values)
        })?;
        Ok(reply::triage(&reply, offered.len()))
    }

    /// Sends a prompt with as much text as fits into the model's window, and returns the reply.
    fn ask(&self, schema: &Value, render: impl Fn(usize) -> Result<String>) -> Result<String> {
        let budget = PromptBudget::new(self.guide.model.context(), STEP_TOKENS);
        let prompt = budget.fit(render)?;
        let request = Request { schema: Some(schema), ..Request::limited(&prompt, budget.reply) };
        Ok(self.guide.model.complete(&request)?.text)
    }

    fn read_leaf(&mut self, at: SummaryNodeId) -> Result<Option<WalkChoice>> {
        let (memory, place) = (self.memory.text(), self.place(at));
        let full_text = self.guide.text(&self.tree.nodes()[at]);
        let text = head(&full_text, self.limits.leaf_bytes);
        self.trace.shown_tokens += tokens(text.len());
        self.trace.step(self.tree, at, WalkAction::Read);
        let graph = self.guide.sources.graph();
        let names = self.tree.nodes()[at].functions.iter().map(|&id| graph.name(id));
        let reply = self.ask(&reply::leaf_schema(names), |bytes| {
            let (memory, text) = (tail(&memory, bytes / 8), head(text, bytes - bytes / 8));
            let values = json!({"question": self.question, "memory": memory, "place": place, "text": text});
            self.guide.templates.render("leaf.md", values)
        })?;
        Ok(reply::leaf(&reply))
    }

    /// Returns the function of a leaf that the answer names, or the outermost function if it names
    /// none.
    fn named(&self, leaf: SummaryNodeId, words: &str) -> DefinitionId {
        let functions = &self.tree.nodes()[leaf].functions;
        let is_named = |name: &str| {
            !name.is_empty() && words.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
        };
        functions.iter().copied().find(|&id| is_named(self.guide.sources.graph().name(id))).unwrap_or(functions[0])
    }
}
