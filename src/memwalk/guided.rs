//! The walk by a model: at each node it is told what its children hold and chooses one or goes back; at a leaf it reads
//! the text and takes it as the answer or goes back.
//!
//! Paper:    MemWalker (Chen et al. 2023): triage prompt, leaf prompt, a working memory of the summaries on the way;
//!           three replies in a row that cannot be read end the walk without an answer
//! Law:      a node is visited at most once: what was left is not offered again, so the walk ends
//! Departs:  the memory keeps what was seen in branches that were left, too; going back at the root is an answer: none
//! Price:    one call a step

use super::reply::{self, WalkChoice};
use super::trace::{WalkAction, WalkRecord};
use super::tree::{SummaryNode, SummaryNodeId, SummaryNodeKind, SummaryTree, tokens};
use crate::error::Result;
use crate::ids::DefinitionId;
use crate::llm::{Model, Request, Templates};
use crate::source::Sources;
use crate::text::prefix;
use serde_json::json;

/// Tokens of a reply to one step of a walk: a thought, a number and a short answer.
const STEP_TOKENS: u32 = 2_048;

/// Replies in a row that may be unreadable; the paper's number.
const ATTEMPTS: usize = 3;

/// How far a model is let walk, and how much it is told at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuidedLimits {
    /// Calls of the model at most.
    pub steps: usize,
    /// Bytes of the working memory at most; the oldest lines are forgotten first.
    pub memory_bytes: usize,
    /// Bytes of a function's text that the model is shown; the rest is left out.
    pub leaf_bytes: usize,
}

impl Default for GuidedLimits {
    fn default() -> Self {
        Self { steps: 40, memory_bytes: 2_000, leaf_bytes: 8_000 }
    }
}

/// How a walk by a model ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuidedOutcome {
    /// It took a function as the answer.
    Answer {
        /// The function that the answer names, or the outermost of the leaf.
        function: DefinitionId,
        /// The answer in the model's words; may be empty.
        words: String,
    },
    /// It took no function.
    NoAnswer {
        /// Why the walk ended so.
        reason: NoAnswer,
    },
}

/// Why a walk by a model ended without an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoAnswer {
    /// Three replies in a row could not be read.
    Unreadable,
    /// The steps were used up.
    Steps,
    /// It went back at the root.
    Left,
    /// Nothing was left to visit.
    Nothing,
}

impl NoAnswer {
    /// One line for people.
    pub fn text(self) -> &'static str {
        match self {
            Self::Unreadable => "three replies of the model in a row could not be read",
            Self::Steps => "the model used up its steps",
            Self::Left => "the model found no entry that fits",
            Self::Nothing => "the model visited everything and took nothing",
        }
    }
}

/// How a walk by a model went.
#[derive(Debug, Clone, PartialEq)]
pub struct Guided {
    /// The function that was taken, or why none was.
    pub outcome: GuidedOutcome,
    /// The steps of the walk, and what they cost. What is shown again counts again.
    pub trace: WalkRecord,
}

/// Lets a model walk the tree of an index below `root`.
///
/// # Errors
/// When the model fails.
pub fn walk_by_model(guide: &Guide<'_>, tree: &SummaryTree, question: &str, limits: &GuidedLimits) -> Result<Guided> {
    let visited = vec![false; tree.nodes().len()];
    let (memory, trace) = (WorkingMemory::new(limits.memory_bytes), WalkRecord::new(tree));
    let mut walker = GuidedWalker { guide, tree, question, limits, memory, visited, trace };
    let (outcome, answer) = walker.go()?;
    walker.trace.end(tree, answer);
    Ok(Guided { outcome, trace: walker.trace })
}

/// A language model on an index.
#[derive(Clone, Copy)]
pub struct Guide<'a> {
    /// The texts of its files.
    pub sources: &'a Sources<'a>,
    /// The model that chooses.
    pub model: &'a dyn Model,
    /// Its prompts.
    pub templates: &'a Templates,
}

impl Guide<'_> {
    /// The text of a leaf; empty where it can no longer be read.
    pub(super) fn text(&self, leaf: &SummaryNode) -> String {
        leaf.functions.first().map(|&id| self.sources.text_of(id)).unwrap_or_default()
    }
}

/// What was seen on the way, in few words.
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
    guide: &'a Guide<'a>,
    tree: &'a SummaryTree,
    question: &'a str,
    limits: &'a GuidedLimits,
    memory: WorkingMemory,
    /// By node: whether it was gone down to.
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

    /// The children that were not gone down to.
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
        self.memory.add(format!("- {} was left: not there", self.place(from)));
        self.tree.nodes()[from].parent
    }

    fn place(&self, node: SummaryNodeId) -> String {
        let of = &self.tree.nodes()[node];
        if node == 0 { "the root".to_owned() } else { format!("the {} {}", of.kind.name(), of.name) }
    }

    fn choose_child(&mut self, at: SummaryNodeId) -> Result<Option<WalkChoice>> {
        let offered = self.offered(at);
        let entry = |(number, &child): (usize, &SummaryNodeId)| {
            format!("{}. {}: {}", number + 1, self.place(child), self.tree.nodes()[child].summary)
        };
        let choices: Vec<String> = offered.iter().enumerate().map(entry).collect();
        let shown: usize = offered.iter().map(|&child| tokens(self.tree.nodes()[child].summary.len())).sum();
        self.trace.shown_tokens += shown;
        self.trace.step(self.tree, at, WalkAction::Open);
        let prompt = self.guide.templates.render(
            "triage.md",
            json!({
                "question": self.question, "memory": self.memory.text(), "place": self.place(at),
                "choices": choices.join("\n"),
            }),
        )?;
        Ok(reply::triage(&self.guide.model.complete(&Request::limited(&prompt, STEP_TOKENS))?.text, offered.len()))
    }

    fn read_leaf(&mut self, at: SummaryNodeId) -> Result<Option<WalkChoice>> {
        let (memory, place) = (self.memory.text(), self.place(at));
        let whole = self.guide.text(&self.tree.nodes()[at]);
        let text = head(&whole, self.limits.leaf_bytes);
        self.trace.shown_tokens += tokens(text.len());
        let values = json!({"question": self.question, "memory": memory, "place": place, "text": text});
        self.trace.step(self.tree, at, WalkAction::Read);
        let prompt = self.guide.templates.render("leaf.md", values)?;
        Ok(reply::leaf(&self.guide.model.complete(&Request::limited(&prompt, STEP_TOKENS))?.text))
    }

    /// The function of a leaf that the answer names; the leaf's own if it names none.
    fn named(&self, leaf: SummaryNodeId, words: &str) -> DefinitionId {
        let functions = &self.tree.nodes()[leaf].functions;
        let says = |name: &str| {
            !name.is_empty() && words.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
        };
        functions.iter().copied().find(|&id| says(self.guide.sources.graph().name(id))).unwrap_or(functions[0])
    }
}

/// The first lines of a text, at most so many bytes of it.
pub(super) fn head(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let start = prefix(text, most);
    start.rfind('\n').map_or(start, |line| &text[..line])
}
