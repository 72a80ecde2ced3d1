//! An answer as plain data: the results and a summary of the index.

use super::evidence::Evidence;
use super::graph_subject::GraphSubject;
use crate::search::{Adjustment, Confidence, ScorePart};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::CellLine;
use whichfn_text::ForeignQuestion;

/// Answer to a question.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Question as typed.
    pub query: String,
    /// Root of the repository.
    pub root: String,
    /// What is known of a question that is not in English; `None` for an English question.
    pub foreign: Option<ForeignQuestion>,
    /// Form of the question, such as `description` or `keywords`, or the relation that it asks for.
    pub asked_as: &'static str,
    /// What the answer is based on; `None` if only on the ranking.
    pub basis: Option<AnswerBasis>,
    /// Search strategy, such as `direct`, `prism` or `walk`.
    pub strategy: &'static str,
    /// Summary of the index.
    pub index: IndexSummary,
    /// Duration of the search in milliseconds.
    pub query_ms: f64,
    /// Confidence in the first result; `None` if the reranker was not used.
    pub confidence: Option<Confidence>,
    /// Results, best first.
    pub results: Vec<SearchResult>,
    /// Passages of text files, best first. Their ranks and those of the results are numbered
    /// together.
    pub passages: Vec<PassageResult>,
    /// Passages for a question that asks for documentation or a setting without a kind, best first.
    pub docs: Vec<PassageResult>,
    /// Number of additional matches that are omitted because of a limit on the output.
    pub cut: usize,
    /// Queried shards of a fleet; `None` for a single repository.
    pub shards: Option<QueriedShards>,
}

/// A passage of a text file for display.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageResult {
    /// 1-based rank.
    pub rank: usize,
    /// Score that determines the rank among passages; comparable only within one answer.
    pub score: f32,
    /// Path relative to the root.
    pub path: String,
    /// 1-based number of the first line.
    pub start_line: u32,
    /// 1-based number of the last line, inclusive.
    pub end_line: u32,
    /// Headings, keys or names above the passage, outermost first; empty if there are none.
    pub headings: Vec<String>,
    /// Name of the file's format, such as `markdown`.
    pub format: &'static str,
    /// Line that best matches the question; empty if the file has changed since it was indexed.
    pub best: String,
    /// Lines to show, most relevant first.
    pub snippet: Vec<CodeLine>,
}

impl Answer {
    /// Returns the number of results and passages.
    pub fn shown(&self) -> usize {
        self.results.len() + self.passages.len() + self.docs.len()
    }

    /// Removes the result that is shown last.
    pub fn pop_last(&mut self) {
        if self.docs.pop().is_some() {
            return;
        }
        match (self.results.last().map(|one| one.rank), self.passages.last().map(|one| one.rank)) {
            (found, Some(passage)) if found.is_none_or(|found| found < passage) => drop(self.passages.pop()),
            _ => drop(self.results.pop()),
        }
    }
}

/// What an answer is based on instead of the ranking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerBasis {
    /// The graph, for a question about a relation.
    Graph(GraphSubject),
    /// A text of the question that only the value with this qualified name contains, which no
    /// function uses by name.
    LiteralValue(String),
    /// A search for the name after the word for its kind, because no entry has this name: `PORT` for
    /// `ENV PORT`.
    Untagged(String),
}

/// Summary of the queried shards of a fleet and their answers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueriedShards {
    /// Number of shards that the question was sent to.
    pub asked: usize,
    /// Number of shards that answered, on which the answer is based.
    pub answered: usize,
    /// Names of shards that did not answer, and of unreadable members of the other shards.
    pub missing: Vec<String>,
}

/// Repository of a fleet that a result comes from.
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
    /// Paths of the source files among them that are too large, packed, or beyond the limits of a
    /// parser, with the reasons.
    pub unsearched: Vec<(String, &'static str)>,
    /// Number of files that were read again for this question.
    pub refreshed_files: usize,
    /// Duration of the refresh in milliseconds.
    pub ms: f64,
}

/// A search result for display.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SearchResult {
    /// Definition in its index; for a window, the innermost definition around the window's first
    /// line.
    pub definition: DefinitionId,
    /// Repository that the result comes from; `None` if only one repository was queried.
    pub origin: Option<RepositoryOf>,
    /// 1-based rank.
    pub rank: usize,
    /// Score that determines the rank; comparable only within one answer.
    pub score: f32,
    /// Part of the score from the definition itself: its words, its name, and a penalty for tests.
    pub independent: f32,
    /// Part of the score from related definitions: words and scores of callers, callees and
    /// siblings. It adds up to the score with `independent`.
    pub environment: f32,
    /// Cosine similarity to the question, in [-1, 1]: from the user's embedding model if one was
    /// chosen and the result is a function, otherwise from the built-in word vectors if they were
    /// needed.
    pub semantic: Option<f32>,
    /// True if the reranker determined the rank. The score is then only the sum of the adjustments.
    pub learned: bool,
    /// Named changes to the score, in the order of their application.
    pub adjustments: Vec<Adjustment>,
    /// Parts of the score; empty if the reranker did not compute it.
    #[serde(skip)]
    pub parts: Vec<ScorePart>,
    /// Kind, such as `function` or `method`.
    pub kind: Cow<'static, str>,
    /// Name of the language, as accepted by `--lang`.
    pub language: String,
    /// Name without its scope, or the file's name if the definition has no name.
    pub name: String,
    /// Qualified name.
    pub qualified_name: String,
    /// File path, relative to the root.
    pub path: String,
    /// First line, 1-based, including decorators and doc comment.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name, 1-based.
    pub line: u32,
    /// Byte column of the name in its line, 1-based. If the line does not contain the name, this is
    /// the column of the first non-space character.
    pub column: u32,
    /// Place of `line` among the cells of a notebook; `None` if the file is not a notebook.
    pub cell: Option<CellLine>,
    /// Signature on one line; empty for a window.
    pub signature: String,
    /// Signature of the type or block around the definition, if another result could be confused
    /// with it; otherwise empty.
    pub inside: String,
    /// First paragraph of the documentation; empty for a window.
    pub doc: String,
    /// Strongest reason for each word, strongest first.
    pub evidence: Vec<Evidence>,
    /// Words of the definition's text that match the question, in lower case.
    pub met: Vec<String>,
    /// Reasons in `evidence` that the name does not already show.
    pub reasons: Vec<Evidence>,
    /// Every matching word in every field, largest contribution first. The contributions add up to
    /// the BM25F score.
    pub all_evidence: Vec<Evidence>,
    /// Lines of code to show; empty if none were requested.
    pub snippet: Vec<CodeLine>,
    /// Near-duplicates that the result represents, by rank.
    pub duplicates: Vec<Duplicate>,
}

/// A line of code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeLine {
    /// 1-based line number.
    pub number: u32,
    /// Text without the common indentation of the shown lines.
    pub text: String,
    /// Byte ranges of tokens in `text`, in order; the rest of the text is names and operators.
    pub tokens: Vec<(Range<usize>, TokenSort)>,
}

/// Kind of token.
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
    /// Repository that the near-duplicate comes from; `None` if only one repository was queried.
    pub origin: Option<RepositoryOf>,
    /// File path, relative to the root.
    pub path: String,
    /// First line, 1-based, including decorators and doc comment.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name, 1-based.
    pub line: u32,
    /// Qualified name.
    pub qualified_name: String,
}
