//! An answer as plain data: the results and a summary of the index.

use super::evidence::Evidence;
use crate::search::{Adjustment, Confidence, ScorePart};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;
use whichfn_syntax::ids::DefinitionId;

/// Answer to a question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Question as typed.
    pub query: String,
    /// Root of the repository.
    pub root: String,
    /// Form of the question: `description`, `sentence` or `keywords`.
    pub asked_as: &'static str,
    /// Search strategy: `direct`, `prism`, `walk`, ...
    pub strategy: &'static str,
    /// Summary of the index.
    pub index: IndexSummary,
    /// Duration of the search in milliseconds.
    pub query_ms: f64,
    /// Confidence in the first result; `None` if the reranker was not used.
    pub confidence: Option<Confidence>,
    /// Results, the best first.
    pub results: Vec<SearchResult>,
    /// Number of further matches that a limit on the output cut.
    pub cut: usize,
    /// Shards of a fleet that answered; `None` for a single repository.
    pub shards: Option<QueriedShards>,
}

/// Queried shards of a fleet, and the shards without an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueriedShards {
    /// Number of shards with data that the question is about.
    pub asked: usize,
    /// Number of shards that answered. The answer is based on these.
    pub answered: usize,
    /// Names of shards that did not answer, and of members of shards that cannot be read.
    pub missing: Vec<String>,
}

/// The repository of a result in a fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryOf {
    /// Name of the repository.
    pub repository: String,
    /// Indexed revision; empty if unknown.
    pub revision: String,
}

/// Size of the index, and the cost of refreshing it.
#[derive(Debug, Clone, Default)]
pub struct IndexSummary {
    /// Number of indexed files.
    pub files: usize,
    /// Number of indexed functions.
    pub functions: usize,
    /// Number of skipped files.
    pub skipped: usize,
    /// Number of files that were read again for this question.
    pub refreshed_files: usize,
    /// Duration of the refresh in milliseconds.
    pub ms: f64,
}

/// A search result for display.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SearchResult {
    /// Definition in this index; for a window, the innermost one around its first line.
    pub definition: DefinitionId,
    /// Repository of the result; `None` if only one was queried.
    pub origin: Option<RepositoryOf>,
    /// Rank, 1 for the best.
    pub rank: usize,
    /// Score for ranking; comparable only within one answer.
    pub score: f32,
    /// Part of the score from the definition itself: its words, its name, and whether it is a test.
    pub independent: f32,
    /// Part of the score from related definitions: words and scores of callers, callees and
    /// siblings. The two parts add up to the score.
    pub environment: f32,
    /// Cosine with the question in [-1, 1]: by the user's embedding model if one was chosen and
    /// this is a function, otherwise by the program's word vectors if they were needed.
    pub semantic: Option<f32>,
    /// True if the reranker determined the rank. The score is then the sum of the adjustments only.
    pub learned: bool,
    /// Named changes to the score, in order.
    pub adjustments: Vec<Adjustment>,
    /// Score in a few parts, if the reranker computed it.
    #[serde(skip)]
    pub parts: Vec<ScorePart>,
    /// Kind, such as `function` or `method`.
    pub kind: Cow<'static, str>,
    /// Name of the language, as accepted by `--lang`.
    pub language: String,
    /// Name without its scope, or the file's name if it has none.
    pub name: String,
    /// Qualified name.
    pub qualified_name: String,
    /// Path from the root.
    pub path: String,
    /// First line, from 1, including decorators and doc comment.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name, from 1.
    pub line: u32,
    /// Byte column of the name in that line, from 1. If the line does not contain the name, the
    /// column of its first non-blank.
    pub column: u32,
    /// Signature on one line; empty for a window.
    pub signature: String,
    /// Signature of the type or block around it, if another result could be confused with this one;
    /// otherwise empty.
    pub inside: String,
    /// First paragraph of the documentation; empty for a window.
    pub doc: String,
    /// Strongest reason of each word, the strongest first.
    pub evidence: Vec<Evidence>,
    /// Words of its text that match the question, in lower case.
    pub met: Vec<String>,
    /// Reasons of `evidence` that the name does not show.
    pub reasons: Vec<Evidence>,
    /// Every matching word in every field, the largest share first: the components of the BM25F
    /// score.
    pub all_evidence: Vec<Evidence>,
    /// Lines of its code; empty if none were requested.
    pub snippet: Vec<CodeLine>,
    /// Near-duplicates that it represents, by rank.
    pub duplicates: Vec<Duplicate>,
}

/// A line of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeLine {
    /// Line number, from 1.
    pub number: u32,
    /// Text without the common indentation of the shown lines.
    pub text: String,
    /// Byte ranges of tokens in `text`, in order; the rest are names and operators.
    pub tokens: Vec<(Range<usize>, TokenSort)>,
}

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TokenSort {
    /// Keyword of the language.
    Keyword,
    /// String literal.
    String,
    /// Comment.
    Comment,
}

/// The position of a near-duplicate of a result.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Duplicate {
    /// Repository; `None` if only one was queried.
    pub origin: Option<RepositoryOf>,
    /// Path from the root.
    pub path: String,
    /// First line, from 1, including decorators and doc comment.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name, from 1.
    pub line: u32,
    /// Qualified name.
    pub qualified_name: String,
}
