//! An answer as plain data: results, and what the index holds.

use super::evidence::Evidence;
use crate::ids::DefinitionId;
use crate::search::{Adjustment, Confidence, ScorePart};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// The whole answer to a question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The question as asked.
    pub query: String,
    /// The root of the repository.
    pub root: String,
    /// How the question was read: `description`, `sentence` or `keywords`.
    pub asked_as: &'static str,
    /// How it was found: `direct`, `prism`, `walk`, ...
    pub strategy: &'static str,
    /// What the index holds.
    pub index: IndexSummary,
    /// Milliseconds for the search itself.
    pub query_ms: f64,
    /// Confidence in the first result; none where the reranker was not used.
    pub confidence: Option<Confidence>,
    /// Results, the best first.
    pub results: Vec<SearchResult>,
    /// How many more would have matched but for a limit on the output.
    pub cut: usize,
    /// Which parts of a fleet answered; none where one repository was asked.
    pub shards: Option<ShardsAsked>,
}

/// Which shards of a fleet were asked, and which of them did not answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShardsAsked {
    /// How many hold something that the question asks about.
    pub asked: usize,
    /// How many of them answered: the answer is of these.
    pub answered: usize,
    /// Those that did not, and single members of shards that cannot be read, by name.
    pub missing: Vec<String>,
}

/// The repository of a result, where a fleet was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepositoryOf {
    /// Its name.
    pub repository: String,
    /// The revision that was indexed; empty if none is known.
    pub revision: String,
}

/// What the index holds, and what it cost to have it fresh.
#[derive(Debug, Clone, Default)]
pub struct IndexSummary {
    /// Files indexed.
    pub files: usize,
    /// Functions indexed.
    pub functions: usize,
    /// Files left out.
    pub skipped: usize,
    /// Files read anew for this question.
    pub refreshed_files: usize,
    /// Milliseconds that refreshing took.
    pub ms: f64,
}

/// One result, as a reader sees it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SearchResult {
    /// The definition, in this index; of a window the innermost one around its first line.
    pub definition: DefinitionId,
    /// Its repository; none where one was asked.
    pub origin: Option<RepositoryOf>,
    /// 1 for the best.
    pub rank: usize,
    /// The score that ranks; comparable within one answer only.
    pub score: f32,
    /// Its part from the definition itself: its words, its name, whether it is a test.
    pub independent: f32,
    /// Its part from what the definition is connected to: words and scores of callers, callees and siblings. The two
    /// add up to the score.
    pub environment: f32,
    /// The cosine with the question in [-1, 1]: by the user's embedding model if one was chosen and this is a
    /// function, else by the program's word vectors if they were needed.
    pub semantic: Option<f32>,
    /// Whether the reranker gave it its place: its score is then the sum of the adjustments alone.
    pub learned: bool,
    /// Named changes to the score, in order.
    pub adjustments: Vec<Adjustment>,
    /// The score in a few parts, where the reranker gave it.
    #[serde(skip)]
    pub parts: Vec<ScorePart>,
    /// `function`, `method`, ...
    pub kind: Cow<'static, str>,
    /// The language's name, as `--lang` takes it.
    pub language: String,
    /// Its own name; the file's where it has none.
    pub name: String,
    /// Name with those around it.
    pub qualified_name: String,
    /// Path from the root.
    pub path: String,
    /// First line, from 1, decorators and doc comment included.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The line of the name, from 1.
    pub line: u32,
    /// The byte in that line at which the name begins, from 1; where the line does not hold it, its first that is not blank.
    pub column: u32,
    /// Its head on one line; empty for a window.
    pub signature: String,
    /// The head of the type or block around it, where another result could be taken for this one; else empty.
    pub inside: String,
    /// First paragraph of its documentation; empty for a window.
    pub doc: String,
    /// Why it was found: the strongest reason of each word, the strongest first.
    pub evidence: Vec<Evidence>,
    /// The words of its text that met the question, in lower case.
    pub met: Vec<String>,
    /// The reasons of `evidence` that its name does not say.
    pub reasons: Vec<Evidence>,
    /// Every word found in every field, the largest share first: what the BM25F score is made of.
    pub all_evidence: Vec<Evidence>,
    /// Lines of its code; empty if none were asked for.
    pub snippet: Vec<CodeLine>,
    /// Near-duplicates that it stands for, in order of rank.
    pub duplicates: Vec<Duplicate>,
}

/// A line of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeLine {
    /// Its number, from 1.
    pub number: u32,
    /// The line, without the indentation that all lines shown share.
    pub text: String,
    /// What stands where, in bytes of `text`, in order; the rest are names and signs.
    pub tokens: Vec<(Range<usize>, TokenSort)>,
}

/// What a stretch of code is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum TokenSort {
    /// A word of the language.
    Keyword,
    /// A string.
    String,
    /// A comment.
    Comment,
}

/// Where a near-duplicate of a result is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Duplicate {
    /// Its repository; none where one was asked.
    pub origin: Option<RepositoryOf>,
    /// Path from the root.
    pub path: String,
    /// First line, from 1, decorators and doc comment included.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The line of the name, from 1.
    pub line: u32,
    /// Name with those around it.
    pub qualified_name: String,
}
