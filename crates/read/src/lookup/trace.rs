//! The result and the trace of a look-up: which functions it read, which notes it took, and the
//! tokens it used. The fields of the trace are the keys of `trace` in JSON.

use super::candidates::Candidates;
use super::run::ChunkOrder;
use crate::reading::{StepTrace, Strategy};
use serde::Serialize;
use whichfn_memory::{MemoryFormat, PromptCost, Value};
use whichfn_syntax::ids::DefinitionId;

/// A ranked function.
#[derive(Debug, Clone)]
pub struct RankedFunction {
    /// Identifier in the index.
    pub id: DefinitionId,
    /// Share of each feature in the score, by the feature's name; empty if a model or the search
    /// decided the rank.
    pub shares: Vec<(&'static str, f32)>,
}

impl RankedFunction {
    /// Returns the sum of the shares, or 0 if there are none.
    pub fn score(&self) -> f32 {
        self.shares.iter().map(|(_, share)| share).sum()
    }
}

/// Result of a look-up.
#[derive(Debug, Clone)]
pub struct LookupOutcome {
    /// Functions, the best first: those in memory, then (offline, or if a model took none) the
    /// other search results.
    pub ranked: Vec<RankedFunction>,
    /// Reading steps and token counts.
    pub trace: LookupTrace,
}

/// Reading steps and token counts.
#[derive(Debug, Clone, Serialize)]
pub struct LookupTrace {
    /// Strategy that updated the memory.
    pub strategy: Strategy,
    /// Name of the model, or `offline`.
    pub reader: String,
    /// Order of reading.
    pub order: ChunkOrder,
    /// Format of the memory in prompts.
    pub form: MemoryFormat,
    /// Maximum tokens of a chunk.
    pub chunk_tokens: usize,
    /// Number of functions that were shown.
    pub functions_read: usize,
    /// Number of functions in the index.
    pub functions: usize,
    /// Number of tokens in all chunks.
    pub tokens_read: usize,
    /// True if reading ended because there was nothing more to find, false if everything was read.
    pub settled: bool,
    /// Steps, one for each chunk, in order.
    pub steps: Vec<StepTrace>,
    /// Cost of the last prompt, which ranks the candidates or selects the closest functions if
    /// there are none. All zero if no such prompt was needed.
    pub ranking: PromptCost,
    /// Cost of all prompts: the steps and the ranking.
    pub total: PromptCost,
    /// Tokens encoded again + 3 x tokens of replies, in millions.
    pub cost_index: f64,
    /// Memory at the end, by the names of functions.
    pub memory: Value,
    /// Decision of the model; `None` without a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Names of the functions that a model was shown, in the order of its keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
}

/// The way in which a model decided on the first function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It declared during reading that it is certain.
    Certain,
    /// It accepted candidates, and ranked them if there were several.
    Chosen,
    /// It accepted none, and named the closest functions at the end.
    Nearest,
    /// It accepted none and named none, so the search's order stays.
    NotHere,
}

impl LookupTrace {
    /// Returns the trace with the model's decision and the functions it was shown.
    pub(super) fn by_model(self, verdict: Verdict, candidates: &Candidates<'_>) -> Self {
        let shown = candidates.shown().map(|id| candidates.name(id)).collect();
        Self { verdict: Some(verdict), shown, ..self }
    }

    /// Checks whether a model read and accepted no candidate.
    pub fn took_none(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Nearest | Verdict::NotHere))
    }
}
