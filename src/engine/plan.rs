//! How a question is answered: by one search, by reading on from what the search found, or by a walk.
//! Data alone: `answer` does it.

use crate::answer::Answer;
use crate::ids::DefinitionId;
use crate::llm::{Model, Templates};
use crate::lookup::{LookupOptions, LookupTrace, Snippet};
use crate::memwalk;
use crate::reading::Strategy;
use serde::Serialize;

/// How a question is answered.
#[derive(Clone, Copy, Default)]
pub struct Plan<'p> {
    /// Which lines of each result are shown.
    pub snippet: Snippet,
    /// Near-duplicates are collapsed: `k` results, each with those that repeat it. Files and windows are not collapsed.
    pub collapses: bool,
    /// How many definitions behind the results are named by number alone.
    pub behind: usize,
    /// What is done after the search.
    pub way: Way<'p>,
    /// Called while a language model reads: with the functions it was shown so far, and those there are at most.
    pub progress: Option<&'p dyn Fn(usize, usize)>,
}

/// What is done after the search.
#[derive(Clone, Copy, Default)]
pub enum Way<'p> {
    /// Nothing: its order is the answer.
    #[default]
    Direct,
    /// Functions are read, and the answer comes from the memory that was kept. What is not ranked as functions alone (files,
    /// windows, types) is answered by the search.
    Read {
        /// How much at once, in which order, and how the memory is kept.
        options: LookupOptions,
        /// Who reads; this program without a model.
        model: Option<&'p dyn Model>,
        /// The prompt templates.
        templates: &'p Templates,
    },
    /// A tree of summaries is walked from the root; what is not ranked as functions alone is answered by the search.
    Walk {
        /// Who walks; this program without a model.
        model: Option<&'p dyn Model>,
        /// The prompt templates.
        templates: &'p Templates,
        /// The model writes the summaries too, and they are kept.
        writes: bool,
    },
}

/// How it was read.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum HowRead {
    /// Chunk by chunk, keeping a memory.
    Reading(LookupTrace),
    /// From summary to summary.
    Walk(WalkTrace),
}

/// How a walk of the tree of summaries went. Its field names are keys of the JSON of `trace` (SPEC, section 3).
#[derive(Debug, Clone, Serialize)]
pub struct WalkTrace {
    /// The model's name; `offline` for this program.
    pub reader: String,
    /// Why there is no answer, if there is none.
    pub no_answer: Option<&'static str>,
    /// The share of the text of files with functions that was shown, summaries counted too: from 0.
    pub share: f64,
    /// The steps, and what they cost.
    #[serde(flatten)]
    pub way: memwalk::WalkRecord,
}

/// An answer, and how it was read.
pub struct Answered {
    /// Ranked results, and what they cost.
    pub answer: Answer,
    /// What was ranked behind the results, the best first.
    pub behind: Vec<DefinitionId>,
    /// How reading went, if anything was read.
    pub trace: Option<HowRead>,
    /// Files whose text was to be shown or read and is not, because it is not what was indexed.
    pub left_out: Vec<String>,
}

impl Way<'_> {
    /// Whether a language model gets prompts.
    pub fn asks_model(&self) -> bool {
        matches!(self, Self::Read { model: Some(_), .. } | Self::Walk { model: Some(_), .. })
    }

    /// The word that people and JSON read.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Walk { .. } => "walk",
            Self::Read { options, .. } => match options.policy.strategy {
                Strategy::Prism => "prism",
                Strategy::Cok => "cok",
                Strategy::Overwrite => "overwrite",
            },
        }
    }
}
