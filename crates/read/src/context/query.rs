//! The query for the context of a completion, and the fragments selected for it.

use super::rank::{ContextRanking, CursorQuery, rank};
use std::path::PathBuf;
use whichfn_index::source::Sources;
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_text::{BYTES_PER_TOKEN, path_escaped};

/// A position in a file, with the options for its context.
#[derive(Debug, Clone)]
pub struct ContextQuery {
    /// Path relative to the root, with slashes; the file may be new or unsaved.
    pub file: String,
    /// Line of the cursor, 1-based. The query ends before the cursor.
    pub line: u32,
    /// Column of the cursor in characters, 1-based. The text before it on its line belongs to the
    /// query. `None` means the start of the line.
    pub column: Option<u32>,
    /// Text of the file in the editor, or `None` to read it from disk.
    pub text: Option<String>,
    /// Maximum number of fragments.
    pub k: usize,
    /// Maximum number of tokens (of four bytes) in all fragments; `None` for no limit.
    pub budget: Option<usize>,
    /// First guess at the completion, added to the query (RepoCoder's second step).
    pub draft: Option<String>,
    /// Method that ranks the fragments.
    pub ranking: ContextRanking,
}

impl ContextQuery {
    /// Creates a query for a cursor at the start of a line of a file on disk, with up to ten
    /// fragments of any length.
    pub fn new(file: &str, line: u32) -> Self {
        let (file, ranking) = (file.to_owned(), ContextRanking::default());
        Self { file, line, column: None, text: None, k: 10, budget: None, draft: None, ranking }
    }
}

/// Fragments to put before a completion.
#[derive(Debug, Clone)]
pub struct Context {
    /// File of the cursor.
    pub file: String,
    /// Root of the repository.
    pub root: PathBuf,
    /// Line of the cursor, 1-based.
    pub line: u32,
    /// First and last line of the query, 1-based.
    pub query_lines: (u32, u32),
    /// Fragments, best first.
    pub fragments: Vec<ContextFragment>,
    /// See [`Sources::notices`].
    pub notices: Vec<String>,
}

/// A fragment of the context.
#[derive(Debug, Clone)]
pub struct ContextFragment {
    /// File path, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Score that determines the rank.
    pub score: f64,
    /// BM25 score of the fragment itself.
    pub independent: f64,
    /// Score added by its environment.
    pub environment: f64,
    /// Text of the lines.
    pub text: String,
}

/// The code around a cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Last lines before the cursor, including the part of its own line.
    pub before: String,
    /// First lines after the cursor, including the rest of its own line.
    pub after: String,
}

/// Line that separates fragments in RepoCoder's prompt.
const RULE: &str = "--------------------------------------------------";

impl Context {
    /// Formats the fragments as in RepoCoder, section 3.3: each one as comments under its path, the
    /// best one last, next to the code that follows. `comment` is the start of a comment.
    pub fn commented(&self, comment: &str) -> String {
        let mut out = String::new();
        let mut comment_line = |text: &str| {
            out.push_str(comment);
            out.push(' ');
            out.push_str(text);
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        };
        if !self.fragments.is_empty() {
            comment_line("Here are some relevant code fragments from this repository:");
            comment_line(RULE);
        }
        for fragment in self.fragments.iter().rev() {
            comment_line("the below code fragment can be found in:");
            comment_line(&path_escaped(&fragment.path));
            comment_line(RULE);
            fragment.text.lines().for_each(&mut comment_line);
            comment_line(RULE);
        }
        out
    }
}

/// Number of lines in the query (20 in FragRel and RepoCoder). The text before the cursor on its
/// own line counts as a line.
const QUERY_LINES: u32 = 20;

/// Selects the fragments for a position in a file.
///
/// # Errors
/// Returns an error if the file cannot be read or the cursor is past its end.
pub fn context(sources: &Sources<'_>, query: &ContextQuery) -> Result<Context> {
    let on_disk = sources.on_disk(&query.file);
    let text = text_of(sources, query, on_disk.as_deref())?;
    let before = before_cursor(text, query)?;
    let last = before.split_inclusive('\n').count() as u32;
    let first = last.saturating_sub(QUERY_LINES - 1).max(1);
    let start = before.split_inclusive('\n').take(first as usize - 1).map(str::len).sum::<usize>();
    let same = on_disk.as_deref().map_or(0, |disk| common_lines(text, disk));
    let lines = CursorQuery {
        before: &before[start..],
        draft: query.draft.as_deref(),
        path: &query.file,
        file: sources.indexed(&query.file),
        visible: same.min(first.saturating_sub(1)),
    };
    let mut fragments = Vec::new();
    let mut left = query.budget.map_or(usize::MAX, |tokens| tokens.saturating_mul(BYTES_PER_TOKEN));
    for ranked in rank(sources.graph(), &lines, query.ranking, query.k)? {
        let path = sources.graph().path(ranked.file);
        let Some(text) = sources.lines(ranked.file, ranked.lines) else { continue };
        // A smaller fragment further down may still fit.
        let Some(rest) = left.checked_sub(text.len() + path.len()) else { continue };
        left = rest;
        fragments.push(ContextFragment {
            path: path.to_owned(),
            start_line: ranked.lines.0,
            end_line: ranked.lines.1,
            score: ranked.score,
            independent: ranked.independent,
            environment: ranked.score - ranked.independent,
            text,
        });
    }
    Ok(Context {
        file: query.file.clone(),
        root: sources.root().to_owned(),
        line: query.line,
        query_lines: (first, last.max(first)),
        fragments,
        notices: sources.notices(),
    })
}

/// Returns the code around a position: up to `before` lines before the cursor and `after` lines
/// after it.
///
/// # Errors
/// Returns the errors of [`context`].
pub fn around(sources: &Sources<'_>, query: &ContextQuery, (before, after): (usize, usize)) -> Result<Cursor> {
    let on_disk = sources.on_disk(&query.file);
    let text = text_of(sources, query, on_disk.as_deref())?;
    let (head, tail) = text.split_at(before_cursor(text, query)?.len());
    let lines = head.split_inclusive('\n').count();
    let before = head.split_inclusive('\n').skip(lines.saturating_sub(before)).collect();
    Ok(Cursor { before, after: tail.split_inclusive('\n').take(after).collect() })
}

/// Returns the text in the editor, or the text on disk if the editor did not send any.
fn text_of<'t>(sources: &Sources<'_>, query: &'t ContextQuery, on_disk: Option<&'t str>) -> Result<&'t str> {
    query.text.as_deref().or(on_disk).ok_or_else(|| unreadable(sources, query))
}

fn unreadable(sources: &Sources<'_>, query: &ContextQuery) -> Error {
    let path = sources.full_path(&query.file);
    match path.is_file() {
        true => Error::new(Kind::Path, format!("{} is not text", path.display()), "pass a source file"),
        false => {
            Error::new(Kind::Path, format!("cannot read {}: no such file", path.display()), Remedy::GiveUnsavedText)
        }
    }
}

/// Returns the part of a string before the cursor.
fn before_cursor<'t>(text: &'t str, query: &ContextQuery) -> Result<&'t str> {
    let count = text.split_inclusive('\n').count() as u32;
    // A cursor may be on the empty line after the last line break.
    let most = if text.is_empty() || text.ends_with('\n') { count + 1 } else { count };
    // An editor that has just opened a line at the end may not have its line break yet.
    if query.line == 0 || query.line > most.max(count + 1) {
        let what = match query.line {
            0 => format!("{}:0 is not a valid position: lines start at 1", query.file),
            line => {
                let lines = if count == 1 { "line" } else { "lines" };
                format!("{}:{line} is past the end: the file has {count} {lines}", query.file)
            }
        };
        return Err(Error::new(Kind::Usage, what, format!("use a line number from 1 to {most}")));
    }
    let start: usize = text.split_inclusive('\n').take(query.line as usize - 1).map(str::len).sum();
    let line = text[start..].split_inclusive('\n').next().unwrap_or_default().trim_end_matches(['\n', '\r']);
    let columns = query.column.unwrap_or(1).saturating_sub(1) as usize;
    let end = line.char_indices().nth(columns).map_or(line.len(), |(at, _)| at);
    Ok(&text[..start + end])
}

/// Counts the lines at the start of two strings that are the same.
fn common_lines(a: &str, b: &str) -> u32 {
    a.lines().zip(b.lines()).take_while(|(a, b)| a == b).count() as u32
}
