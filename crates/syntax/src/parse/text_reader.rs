//! Passes a text to the parser in pieces, up to a limit on the bytes that the parser reads.
//!
//! **Invariant:** the parser sees a line break before the end of the text. The scanners of some
//! grammars skip to the next white space without checking for the end, where they would loop
//! forever (`docs/limits.md`). tree-sitter calls nothing at the end, so nothing could stop them.

use std::cell::Cell;

/// Number of bytes that the parser receives at once. Bytes that it reads again are counted only if it
/// asks for them again, so the number is small.
const CHUNK: usize = 1 << 10;

/// A text that the parser reads.
pub(super) struct TextReader<'t> {
    text: &'t [u8],
    /// Maximum number of bytes to read, including those that are read again.
    most: usize,
    read: Cell<usize>,
    /// Offset of the line break that was added last.
    added: Cell<Option<usize>>,
}

impl<'t> TextReader<'t> {
    pub fn new(text: &'t [u8], most: usize) -> Self {
        Self { text, most, read: Cell::new(0), added: Cell::new(None) }
    }

    /// Checks whether the parser has read at most the allowed number of bytes.
    pub fn is_within_limit(&self) -> bool {
        self.read.get() <= self.most
    }

    /// Returns a piece of the text from an offset, or nothing at the end. After the limit, the text
    /// ends at once, so that the parser reports progress soon.
    pub fn piece(&self, at: usize) -> &'t [u8] {
        let piece = self.text.get(at..self.text.len().min(at + CHUNK)).unwrap_or_default();
        self.read.set(self.read.get() + piece.len());
        if !piece.is_empty() && self.is_within_limit() {
            return piece;
        }
        let Some(before) = at.checked_sub(1) else { return &[] };
        if self.text.get(before) == Some(&b'\n') || self.added.get() == Some(before) {
            return &[];
        }
        self.added.set(Some(at));
        b"\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text that a parser sees.
    fn seen(text: &str, most: usize) -> String {
        let reader = TextReader::new(text.as_bytes(), most);
        let mut seen = Vec::new();
        while let piece @ [_, ..] = reader.piece(seen.len()) {
            seen.extend_from_slice(piece);
        }
        String::from_utf8(seen).expect("text")
    }

    #[test]
    fn a_text_ends_with_a_line_break() {
        assert_eq!(seen("", 10), "");
        assert_eq!(seen("a\n", 10), "a\n");
        assert_eq!(seen("@a", 10), "@a\n");
        let long = "a".repeat(CHUNK + 1);
        assert_eq!(seen(&long, usize::MAX), long.clone() + "\n");
    }

    #[test]
    fn a_text_ends_with_a_line_break_at_the_limit() {
        let long = "a".repeat(3 * CHUNK);
        assert_eq!(seen(&long, CHUNK), "a".repeat(CHUNK) + "\n");
        let reader = TextReader::new(long.as_bytes(), 0);
        assert_eq!(reader.piece(7), b"\n");
        assert_eq!(reader.piece(8), b"");
        assert_eq!(reader.piece(5), b"\n");
    }
}
