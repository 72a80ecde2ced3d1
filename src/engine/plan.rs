//! Plans that specify how to answer a question: by one search, by reading the functions that the
//! search found, or by a walk. A plan is plain data; `answer` executes it.

use super::line_pattern::LinePattern;
use serde::{Deserialize, Serialize};
use whichfn_llm::{Model, Templates};
use whichfn_passages::split::MOST_PASSAGES;
use whichfn_passages::{MOST_PATTERNS, MOST_TERMS};
use whichfn_read::lookup::{LookupOptions, LookupTrace, Snippet};
use whichfn_read::memwalk;
use whichfn_read::reading::Strategy;
use whichfn_scan::{LONGEST_TEXT, Skip};
use whichfn_search::answer::Answer;
use whichfn_search::search::KindFilter;
use whichfn_syntax::ids::DefinitionId;

/// Specifies how to answer a question.
#[derive(Clone, Copy, Default)]
pub struct Plan<'p> {
    /// Lines of code to show with each result.
    pub snippet: Snippet,
    /// Folds near-duplicates: `k` results, each with its duplicates. Files and windows are not
    /// folded.
    pub collapses: bool,
    /// Number of definitions after the results of which only the numbers are returned.
    pub behind: usize,
    /// Step that follows the search.
    pub way: FollowUp<'p>,
    /// What reorders the first functions of a search.
    pub rerank: Rerank<'p>,
    /// Use of the text files.
    pub texts: TextUse,
    /// Puts what the question names exactly first, whatever its kind. False if the user chose a kind.
    pub names: bool,
    /// Pattern that a line of each result must match; `None` for no limit.
    pub pattern: Option<&'p LinePattern>,
    /// Callback while a language model reads. Its arguments are the number of functions that the
    /// model has received, and their maximum number.
    pub progress: Option<&'p dyn Fn(usize, usize)>,
    /// Callback while text files are indexed. Its arguments are the number of files that were read,
    /// and the number to read.
    pub indexing_text: Option<&'p dyn Fn(usize, usize)>,
}

/// Number of lines that [`SnippetChoice::Best`] shows by default.
pub const BEST_LINES: usize = 3;

/// Lines of code to show for each result, as users and clients name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SnippetChoice {
    /// The three lines that best match the question.
    Best,
    /// All lines.
    Full,
    /// No code.
    None,
}

/// Kinds of results, as users and clients name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    /// Functions, methods, macros.
    Function,
    /// Classes, structs, enums, traits, interfaces, aliases.
    Type,
    /// Routes and commands.
    Entry,
    /// Functions, types, the top-level code of files, constants and fields.
    Any,
    /// Passages of documentation, settings and other text files.
    Docs,
    /// Functions and passages.
    All,
}

impl AnswerKind {
    /// Returns the kinds of definitions that are ranked.
    pub fn definitions(self) -> KindFilter {
        match self {
            Self::Function | Self::Docs | Self::All => KindFilter::Function,
            Self::Type => KindFilter::Type,
            Self::Entry => KindFilter::Entry,
            Self::Any => KindFilter::Any,
        }
    }

    /// Returns the use of text files for a kind, or for a question without one.
    pub fn texts(kind: Option<Self>) -> TextUse {
        match kind {
            None => TextUse::IfBetter,
            Some(Self::Docs) => TextUse::Only,
            Some(Self::All) => TextUse::Mixed,
            Some(Self::Function | Self::Type | Self::Entry | Self::Any) => TextUse::None,
        }
    }
}

/// The use of text files in an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TextUse {
    /// Text files are not searched.
    #[default]
    None,
    /// If the question is about documentation, a setting or a type, the first results of that kind
    /// follow the answer.
    IfBetter,
    /// The answer consists of passages.
    Only,
    /// The answer consists of functions and passages.
    Mixed,
}

/// What reorders the first functions of a search, if no other step follows it.
#[derive(Clone, Copy, Default)]
pub enum Rerank<'p> {
    /// Nothing.
    None,
    /// The user's embedding model, if there is one.
    #[default]
    Model,
    /// A language model, which chooses among the first ten by one prompt.
    Llm {
        /// Model that chooses.
        model: &'p dyn Model,
        /// Prompt templates.
        templates: &'p Templates,
    },
}

/// The step that follows the search.
#[derive(Clone, Copy, Default)]
pub enum FollowUp<'p> {
    /// No step: the order of the search results is the answer.
    #[default]
    Direct,
    /// Reads functions, and answers from the resulting memory. Questions about files, windows or
    /// types are answered by the search.
    Read {
        /// Chunk size, reading order, and memory policy.
        options: LookupOptions,
        /// Model that reads; `None` to read without a model.
        model: Option<&'p dyn Model>,
        /// Prompt templates.
        templates: &'p Templates,
    },
    /// Walks a tree of summaries from the root. Questions about files, windows or types are
    /// answered by the search.
    Walk {
        /// Model that walks; `None` to walk without a model.
        model: Option<&'p dyn Model>,
        /// Prompt templates.
        templates: &'p Templates,
        /// True if the model also writes the summaries, which are then stored.
        writes: bool,
    },
}

/// Record of how functions were read.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum ReadingRecord {
    /// Record of reading chunk by chunk with a memory.
    Reading(Box<LookupTrace>),
    /// Record of walking from summary to summary.
    Walk(WalkTrace),
}

/// Record of a walk through the tree of summaries. Its field names are keys of the JSON of `trace`
/// (SPEC, section 3).
#[derive(Debug, Clone, Serialize)]
pub struct WalkTrace {
    /// Name of the model; `offline` without one.
    pub reader: String,
    /// Reason why there is no answer; `None` if there is one.
    pub no_answer: Option<&'static str>,
    /// Shown text, including summaries, as a share of the text of files with functions; 0 or more.
    pub share: f64,
    /// Steps of the walk and their cost.
    #[serde(flatten)]
    pub way: memwalk::WalkRecord,
}

/// An answer, and how it was read.
pub struct ReadAnswer {
    /// Ranked results and their timing.
    pub answer: Answer,
    /// Definitions ranked after the results, from best to worst.
    pub behind: Vec<DefinitionId>,
    /// Record of reading; `None` if nothing was read.
    pub trace: Option<ReadingRecord>,
    /// What the answer lacks; see [`Sources::notices`](whichfn_index::source::Sources::notices).
    pub notices: Vec<String>,
}

/// Text that belongs to the repository, but was not searched for passages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnsearchedText {
    /// Paths of files of which only the beginning was searched, in order.
    pub truncated: Vec<String>,
    /// Paths of hidden files that were skipped, each with the reason.
    pub skipped: Vec<(String, Skip)>,
    /// True if only the first words of the question were searched.
    pub is_question_cut: bool,
}

impl UnsearchedText {
    /// Returns a notice for each kind of text that was not searched.
    pub fn notices(&self) -> Vec<String> {
        let mut notices = Vec::new();
        if self.is_question_cut {
            let limits = format!("at most {MOST_TERMS} words, {MOST_PATTERNS} of them with * or ~");
            notices.push(format!("the question is too long: only its beginning is searched in text files ({limits})"));
        }
        if let Some((first, others)) = self.truncated.split_first() {
            let more = if others.is_empty() { String::new() } else { format!(" and of {} more files", others.len()) };
            let limits = format!("at most {MOST_PASSAGES} passages and {} MiB of a file", LONGEST_TEXT >> 20);
            notices.push(format!("only the beginning of {first}{more} is searched: {limits}"));
        }
        if let Some(((first, reason), others)) = self.skipped.split_first() {
            let more =
                if others.is_empty() { String::new() } else { format!(" and {} more hidden files", others.len()) };
            notices.push(format!("skipped {first} ({}){more}", reason.name()));
        }
        notices
    }
}

impl FollowUp<'_> {
    /// Checks whether a language model receives prompts.
    pub fn asks_model(&self) -> bool {
        matches!(self, Self::Read { model: Some(_), .. } | Self::Walk { model: Some(_), .. })
    }

    /// Returns the name of the strategy, for users and JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::Walk { .. } => "walk",
            Self::Read { options, .. } => match options.policy.strategy {
                Strategy::Prism => "prism",
                Strategy::Cok => "cok",
            },
        }
    }
}
