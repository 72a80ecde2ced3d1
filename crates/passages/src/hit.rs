//! A passage that was found.

/// Steps of a score per unit. Scores are rounded, because the last bits of a sum depend on the order
/// of its terms, which differs between an index that was updated and one that was built anew.
pub(crate) const STEPS: f32 = 1_000.0;

/// A passage that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct PassageHit {
    /// Path of the file from the root.
    pub path: String,
    /// 1-based number of the first line.
    pub start_line: u32,
    /// 1-based number of the last line, inclusive.
    pub end_line: u32,
    /// Headings above the passage, from the outermost to its own; empty if there are none.
    pub headings: Vec<String>,
    /// BM25 score, summed over the fields, times the factor of the file's class, and for the best
    /// passages times the closeness of their words; at least 0.
    pub score: f32,
}
