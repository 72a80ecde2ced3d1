//! Scores a list of fragments for the completion of the hidden line: EM and ES as in RepoCoder
//! (Zhang et al. 2023), but computed on the fragments themselves, without a language model; and
//! whether they show the functions that the line calls.

use std::collections::BTreeMap;
use whichfn_read::context::ContextFragment;

/// Number of lines before the cursor that form the query (RepoCoder's window). They are in the
/// prompt anyway, so they do not count as a fragment.
pub const QUERY_LINES: u32 = 20;

/// A line in a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Path of the file.
    pub file: String,
    /// 1-based line number.
    pub line: u32,
}

/// A range of lines in a file, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Path of the file.
    pub file: String,
    /// First line, 1-based.
    pub first: u32,
    /// Last line, inclusive.
    pub last: u32,
}

/// The text that is visible while a line is being written.
pub struct View<'a> {
    /// Lines of all files.
    pub files: &'a BTreeMap<String, Vec<&'a str>>,
    /// Position of the cursor, at the start of a line; the rest of its file is hidden.
    pub cursor: &'a Place,
}

impl<'a> View<'a> {
    /// Checks whether a line can be retrieved, which means that it is neither hidden nor part of
    /// the query.
    pub fn shows(&self, file: &str, line: u32) -> bool {
        file != self.cursor.file || line + QUERY_LINES < self.cursor.line
    }

    /// Returns all ranges of lines that can be retrieved.
    pub fn everything(&self) -> Vec<Span> {
        let whole =
            |(file, lines): (&String, &Vec<&str>)| Span { file: file.clone(), first: 1, last: lines.len() as u32 };
        self.files.iter().map(whole).collect()
    }

    /// Returns a range of lines as a fragment with its text.
    pub fn fragment(&self, span: &Span) -> ContextFragment {
        let text = self.lines(span).flat_map(|line| [line, "\n"]).collect();
        ContextFragment {
            path: span.file.clone(),
            start_line: span.first,
            end_line: span.last,
            score: 0.0,
            independent: 0.0,
            environment: 0.0,
            text,
        }
    }

    /// Returns the lines before the cursor in its file, in order.
    pub fn before(&self) -> &[&'a str] {
        &self.files[&self.cursor.file][..self.cursor.line as usize - 1]
    }

    fn lines<'s>(&'s self, span: &'s Span) -> impl Iterator<Item = &'a str> + 's {
        let lines = &self.files[&span.file];
        (span.first..=span.last)
            .filter(|&line| self.shows(&span.file, line))
            .filter_map(|line| lines.get(line as usize - 1).copied())
    }
}

/// Scores of one list of fragments.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Score {
    /// 1 if the hidden line, without white space, is a line of a fragment; otherwise 0.
    pub exact: f64,
    /// Best edit similarity between the hidden line and a line of a fragment.
    pub similarity: f64,
    /// 1 if a fragment contains the definition of a function that the line calls, or another call
    /// to it; otherwise 0.
    pub callee: f64,
    /// Number of lines in the fragments, because more lines find more.
    pub lines: f64,
}

/// Scores fragments against the hidden line and the places that show the functions that it calls.
pub fn score(view: &View<'_>, hidden: &str, callees: &[Place], fragments: &[Span]) -> Score {
    let squeezed = squeeze(hidden);
    let hidden: Vec<char> = hidden.trim().chars().collect();
    let mut score = Score::default();
    for line in fragments.iter().flat_map(|span| view.lines(span)) {
        score.lines += 1.0;
        score.exact = f64::max(score.exact, f64::from(u8::from(squeeze(line) == squeezed)));
        score.similarity = similarity_above(&hidden, line, score.similarity);
    }
    let within = |place: &Place, span: &Span| place.file == span.file && (span.first..=span.last).contains(&place.line);
    let shown = |place: &&Place| view.shows(&place.file, place.line);
    let found = callees.iter().filter(shown).any(|place| fragments.iter().any(|span| within(place, span)));
    score.callee = f64::from(u8::from(found));
    score
}

/// Removes the white space from a line.
pub fn squeeze(line: &str) -> String {
    line.split_whitespace().collect()
}

/// Returns the edit similarity of two lines, apart from white space at their ends.
pub fn similarity(hidden: &str, line: &str) -> f64 {
    similarity_above(&hidden.trim().chars().collect::<Vec<_>>(), line, 0.0)
}

/// Returns the edit similarity of two lines (1 - Levenshtein distance / length of the longer one),
/// or `floor` if that is larger.
fn similarity_above(hidden: &[char], line: &str, floor: f64) -> f64 {
    let line: Vec<char> = line.trim().chars().collect();
    let longer = hidden.len().max(line.len());
    // The distance is at least the difference in length, so most lines need no table.
    if line.is_empty() || 1.0 - hidden.len().abs_diff(line.len()) as f64 / longer as f64 <= floor {
        return floor;
    }
    floor.max(1.0 - levenshtein(hidden, &line) as f64 / longer as f64)
}

fn levenshtein(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
