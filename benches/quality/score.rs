//! What a list of fragments is worth to someone who writes the hidden line: EM and ES as in
//! RepoCoder (Zhang et al. 2023), but of the fragments themselves, without a language model; and
//! whether they show what the line calls.

use std::collections::BTreeMap;

/// The lines right before the cursor are the query (RepoCoder's window) and stand in the prompt
/// anyway: they are no fragment, and nothing is counted in them.
pub const QUERY_LINES: u32 = 20;

/// A line of a file, from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
}

/// Lines of a file, first and last included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The file.
    pub file: String,
    /// First line, from 1.
    pub first: u32,
    /// Last line.
    pub last: u32,
}

/// What can be seen while a line is being written.
pub struct View<'a> {
    /// The lines of all files.
    pub files: &'a BTreeMap<String, Vec<&'a str>>,
    /// The cursor stands at the start of this line, and the rest of its file is hidden.
    pub cursor: &'a Place,
}

impl<'a> View<'a> {
    /// Whether a place can be retrieved: neither hidden nor part of the query.
    pub fn shows(&self, file: &str, line: u32) -> bool {
        file != self.cursor.file || line + QUERY_LINES < self.cursor.line
    }

    /// All there is to retrieve.
    pub fn everything(&self) -> Vec<Span> {
        let whole =
            |(file, lines): (&String, &Vec<&str>)| Span { file: file.clone(), first: 1, last: lines.len() as u32 };
        self.files.iter().map(whole).collect()
    }

    fn lines<'s>(&'s self, span: &'s Span) -> impl Iterator<Item = &'a str> + 's {
        let lines = &self.files[&span.file];
        (span.first..=span.last)
            .filter(|&line| self.shows(&span.file, line))
            .filter_map(|line| lines.get(line as usize - 1).copied())
    }
}

/// The figures of one list of fragments.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Score {
    /// The hidden line, white space removed, is a line of a fragment.
    pub exact: f64,
    /// The best edit similarity of a line of a fragment.
    pub similarity: f64,
    /// A fragment holds the definition of what the line calls, or another call of it.
    pub callee: f64,
    /// How many lines the fragments have: more lines find more.
    pub lines: f64,
}

/// Scores fragments against the hidden line and the places that show what it calls.
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

/// A line without its white space.
pub fn squeeze(line: &str) -> String {
    line.split_whitespace().collect()
}

/// The edit similarity of two lines, or `floor` if that is more: 1 - Levenshtein distance / length
/// of the longer one.
fn similarity_above(hidden: &[char], line: &str, floor: f64) -> f64 {
    let line: Vec<char> = line.trim().chars().collect();
    let longer = hidden.len().max(line.len());
    // The distance is at least the difference of lengths, so most lines need no table.
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
