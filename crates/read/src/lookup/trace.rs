//! The result and the trace of a lookup: the functions that it read, the notes that it took, and
//! the tokens that it used. The fields of the trace are the keys of `trace` in JSON.

use super::candidates::Candidates;
use crate::reading::{ServerCounts, StepTrace, Strategy};
use serde::{Deserialize, Serialize};
use whichfn_memory::{MemoryFormat, PromptCost, Value};
use whichfn_syntax::ids::DefinitionId;

/// Order in which functions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChunkOrder {
    /// The best search results first, until the memory is settled.
    #[default]
    Best,
    /// All functions, from the first file to the last.
    Repository,
}

/// A ranked function.
#[derive(Debug, Clone)]
pub struct RankedFunction {
    /// Id in the index.
    pub id: DefinitionId,
    /// Names of the features with their contributions to the score; empty if a model or the search
    /// decided the rank.
    pub shares: Vec<(&'static str, f32)>,
}

impl RankedFunction {
    /// Returns the sum of the contributions, or 0 if there are none.
    pub fn score(&self) -> f32 {
        self.shares.iter().map(|(_, share)| share).sum()
    }
}

/// Result of a lookup.
#[derive(Debug, Clone)]
pub struct LookupOutcome {
    /// Functions, best first: those in memory, followed by the other search results if the lookup
    /// was offline or the model accepted no candidate.
    pub ranked: Vec<RankedFunction>,
    /// Reading steps and token counts of the lookup.
    pub trace: LookupTrace,
}

/// Reading steps and token counts of a lookup.
#[derive(Debug, Clone, Serialize)]
pub struct LookupTrace {
    /// Strategy that updated the memory.
    pub strategy: Strategy,
    /// Name of the model, or `offline`.
    pub reader: String,
    /// Order in which functions were read.
    pub order: ChunkOrder,
    /// Format of the memory in prompts.
    pub form: MemoryFormat,
    /// Maximum number of tokens in a chunk.
    pub chunk_tokens: usize,
    /// Number of functions that were shown.
    pub functions_read: usize,
    /// Number of functions in the index.
    pub functions: usize,
    /// Number of tokens in all chunks.
    pub tokens_read: usize,
    /// True if reading ended because there was nothing more to find, false if everything was read
    /// or the replies were unreadable.
    pub settled: bool,
    /// True if reading ended because too many replies in a row were rejected.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unreadable: bool,
    /// Limit on the use of the model (`calls`, `tokens` or `cost`) that ended the reading. The
    /// result is based on the notes taken before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'static str>,
    /// Steps, one for each chunk, in order.
    pub steps: Vec<StepTrace>,
    /// Cost of the last prompt, which ranks the candidates or, if there are none, selects the
    /// closest functions. All zero if no such prompt was needed.
    pub ranking: PromptCost,
    /// Cost of all prompts: the steps and the ranking.
    pub total: PromptCost,
    /// What the server reported about all replies.
    #[serde(skip_serializing_if = "ServerCounts::is_empty")]
    pub server: ServerCounts,
    /// Number of tokens encoded again plus three times the number of reply tokens, in millions.
    pub cost_index: f64,
    /// Final memory, with names of functions as keys.
    pub memory: Value,
    /// The model's decision; `None` if there is no model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Names of the functions shown to a model, in the order of their keys.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
}

/// Kind of decision by which a model chose the first function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The model declared during reading that it was certain.
    Certain,
    /// The model accepted candidates, and ranked them if there were several.
    Chosen,
    /// The model accepted no candidate, and named the closest functions at the end.
    Nearest,
    /// The model neither accepted nor named a function, so the order of the search results is kept.
    NotHere,
}

impl LookupTrace {
    /// Returns the trace with the model's decision and the functions it was shown.
    pub(super) fn by_model(self, verdict: Verdict, candidates: &Candidates<'_>) -> Self {
        let shown = candidates.shown().map(|id| candidates.name(id)).collect();
        Self { verdict: Some(verdict), shown, ..self }
    }

    /// Checks whether a model read functions and accepted none of them.
    pub fn took_none(&self) -> bool {
        matches!(self.verdict, Some(Verdict::Nearest | Verdict::NotHere))
    }
}
