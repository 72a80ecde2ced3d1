//! What an editor or a model needs before it completes a line: the request, and the fragments chosen.

use std::path::PathBuf;

/// A place in a file, and what is wanted for it.
#[derive(Debug, Clone)]
pub struct ContextQuery {
    /// The file, from the root with slashes; it may be new or unsaved.
    pub file: String,
    /// The line of the cursor, from 1. The query ends before the cursor.
    pub line: u32,
    /// The column of the cursor, from 1 (in characters): what stands before it on its line belongs to the query. None
    /// means the start of the line.
    pub column: Option<u32>,
    /// The file's text as the editor holds it; read from disk if none.
    pub text: Option<String>,
    /// At most this many fragments.
    pub k: usize,
    /// At most this many tokens (of four bytes) of fragments; none means no limit.
    pub budget: Option<usize>,
    /// A first guess at the completion, added to the query (RepoCoder's second step).
    pub draft: Option<String>,
    /// How candidates are ranked.
    pub ranking: ContextRanking,
}

/// How `context` ranks its candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContextRanking {
    /// BM25 alone.
    Bm25,
    /// As FragRel prints it: BM25 + alpha x environment, alpha 0.5, relation by structure.
    Published,
    /// The best that we found.
    #[default]
    Best,
}

/// The fragments to put before a completion, the best first.
#[derive(Debug, Clone)]
pub struct Context {
    /// The file of the cursor.
    pub file: String,
    /// The root.
    pub root: PathBuf,
    /// The line of the cursor.
    pub line: u32,
    /// First and last line of the query.
    pub query_lines: (u32, u32),
    /// The fragments, the best first.
    pub fragments: Vec<ContextFragment>,
}

/// One fragment.
#[derive(Debug, Clone)]
pub struct ContextFragment {
    /// Its path from the root.
    pub path: String,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The score that ranks.
    pub score: f64,
    /// BM25 of the fragment alone.
    pub independent: f64,
    /// What its environment adds.
    pub environment: f64,
    /// Its lines.
    pub text: String,
}
