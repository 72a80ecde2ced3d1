//! Bytes of a text to its lines.

/// The byte at which each line of a text begins.
#[derive(Debug, Default)]
pub struct LineStarts(Vec<u32>);

impl LineStarts {
    /// The line starts of a text. Price: one pass over it.
    pub fn of(text: &str) -> Self {
        Self(std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect())
    }

    /// First and last line, from 1, of the bytes from `start` up to but not including `end`.
    pub fn lines(&self, start: u32, end: u32) -> (u32, u32) {
        let line = |byte: u32| self.0.partition_point(|&first| first <= byte) as u32;
        (line(start), line(end.saturating_sub(1).max(start)))
    }
}
