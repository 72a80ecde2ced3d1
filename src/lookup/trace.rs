//! What a look-up found, and its trace: what was read, what was noted, and what it cost. The trace's fields are the
//! keys of `trace` in JSON.

use super::candidates::Candidates;
use super::options::ChunkOrder;
use crate::ids::DefinitionId;
use crate::memory::{MemoryFormat, PromptCost, Value};
use crate::reading::{StepTrace, Strategy};
use serde::Serialize;

/// A function in its place of the answer.
#[derive(Debug, Clone)]
pub struct RankedFunction {
    /// Its number in the index.
    pub id: DefinitionId,
    /// What each feature adds to its score, by the feature's name; empty where a model or the search gave the place.
    pub shares: Vec<(&'static str, f32)>,
}

impl RankedFunction {
    /// The sum of its shares; 0 where there are none.
    pub fn score(&self) -> f32 {
        self.shares.iter().map(|(_, share)| share).sum()
    }
}

/// The result of a look-up.
#[derive(Debug, Clone)]
pub struct LookupOutcome {
    /// Functions, the best first: those in memory, then (offline, or if a model took none) what else the search found.
    pub ranked: Vec<RankedFunction>,
    /// What was read, and what it cost.
    pub trace: LookupTrace,
}

/// What was read, and what it cost.
#[derive(Debug, Clone, Serialize)]
pub struct LookupTrace {
    /// How the memory was brought up to date.
    pub strategy: Strategy,
    /// The model's name, or `offline`.
    pub reader: String,
    /// Which functions were read first.
    pub order: ChunkOrder,
    /// The form in which the memory stands in prompts.
    pub form: MemoryFormat,
    /// Tokens of a chunk at most.
    pub chunk_tokens: usize,
    /// How many functions were shown.
    pub functions_read: usize,
    /// How many functions the index has.
    pub functions: usize,
    /// Tokens of all chunks together.
    pub tokens_read: usize,
    /// Whether reading ended because there was nothing more to find; false where all was read.
    pub settled: bool,
    /// One for each chunk, in order.
    pub steps: Vec<StepTrace>,
    /// The last prompt, for the order of the candidates, or for the nearest if there are none; all zero where none was
    /// needed.
    pub ranking: PromptCost,
    /// All prompts together: the steps and the ranking.
    pub total: PromptCost,
    /// Tokens encoded anew + 3 x tokens of replies, in millions.
    pub cost_index: f64,
    /// The memory at the end, by the names of functions.
    pub memory: Value,
    /// How a model decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// What a model was shown, by name, in the order of its keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
}

/// How a model decided what comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It said on reading that it is certain.
    Certain,
    /// It took candidates, and ordered them if they were more than one.
    Chosen,
    /// It took none, and said in the end which of all come nearest.
    Nearest,
    /// It took none, and named none: the search's order stays.
    NotHere,
}

impl LookupTrace {
    /// With how a model decided, and what it was shown.
    pub(super) fn by_model(self, verdict: Verdict, candidates: &Candidates<'_>) -> Self {
        let shown = candidates.shown().map(|id| candidates.name(id)).collect();
        Self { verdict: Some(verdict), shown, ..self }
    }

    /// Whether a model read and took nothing for the answer.
    pub fn took_none(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Nearest | Verdict::NotHere))
    }
}
