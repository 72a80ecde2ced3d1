//! The unit of reading: text with a limited number of tokens, and the pieces that it consists of.
//!
//! **Implements:** PRISM, algorithm 1: the text is split into chunks that fit the context.

use std::ops::Range;
use whichfn_memory::count_tokens;

/// Default number of tokens in a chunk. Of 100 right functions, 96 are in the first such chunk
/// (repoqa-dev).
pub const DEFAULT_CHUNK_TOKENS: usize = 2_000;
/// Smallest and largest size of a chunk, in tokens.
pub const CHUNK_TOKENS: std::ops::RangeInclusive<usize> = 100..=200_000;

/// A chunk with pieces of type `P`, such as functions or passages.
#[derive(Debug, Clone)]
pub struct Chunk<P> {
    text: String,
    tokens: usize,
    pieces: Vec<(P, Range<usize>)>,
}

impl<P> Default for Chunk<P> {
    fn default() -> Self {
        Self { text: String::new(), tokens: 0, pieces: Vec::new() }
    }
}

impl<P> Chunk<P> {
    /// Appends a piece with its text for prompts and the number of tokens in that text.
    pub fn push(&mut self, piece: P, text: &str, tokens: usize) {
        let start = self.text.len();
        self.text.push_str(text);
        self.pieces.push((piece, start..self.text.len()));
        self.tokens += tokens;
    }

    /// Appends text that does not belong to a piece, with its number of tokens.
    pub fn push_text(&mut self, text: &str, tokens: usize) {
        self.text.push_str(text);
        self.tokens += tokens;
    }

    /// Returns the text of the chunk for a prompt.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of tokens in all pieces and other text.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Checks whether the chunk has no pieces.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the pieces, in order.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &P> {
        self.pieces.iter().map(|(piece, _)| piece)
    }

    /// Returns each piece with its part of [`Self::text`].
    pub fn texts(&self) -> impl ExactSizeIterator<Item = (&P, &str)> {
        self.pieces.iter().map(|(piece, range)| (piece, &self.text[range.clone()]))
    }
}

/// Splits text at line breaks into parts of about `most` tokens. The concatenated parts are the
/// text.
pub fn parts(text: &str, most: usize) -> Vec<&str> {
    let (mut parts, mut start, mut end, mut held) = (Vec::new(), 0, 0, 0);
    let mut lines = Vec::new();
    text.split_inclusive('\n').for_each(|line| halve(line, most, &mut lines));
    for (line, count) in lines {
        if held > 0 && held + count > most {
            parts.push(&text[start..end]);
            (start, held) = (end, 0);
        }
        held += count;
        end += line.len();
    }
    parts.push(&text[start..]);
    parts
}

/// Adds a line and its number of tokens. Splits a line with more than `most` tokens in two, such as
/// the only line of a minified file.
fn halve<'t>(line: &'t str, most: usize, out: &mut Vec<(&'t str, usize)>) {
    let count = count_tokens(line);
    let middle = line.char_indices().nth(line.chars().count() / 2).map_or(0, |(at, _)| at);
    if count <= most || middle == 0 {
        return out.push((line, count));
    }
    // Split between words if a word ends near the middle.
    let blank = line[..middle].rfind(' ').map(|at| at + 1).filter(|&at| at > middle / 2);
    let (left, right) = line.split_at(blank.unwrap_or(middle));
    halve(left, most, out);
    halve(right, most, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_piece_has_its_part_of_the_text() {
        let mut chunk = Chunk::default();
        chunk.push('a', "### a\nalpha\n### Notes\nomega\n\n", 9);
        chunk.push('b', "### b\nbeta\n\n", 5);
        assert_eq!(
            chunk.texts().map(|(piece, text)| (*piece, text.lines().count())).collect::<Vec<_>>(),
            [('a', 5), ('b', 3)]
        );
        assert_eq!((chunk.tokens(), chunk.text().matches("###").count()), (14, 3));
    }

    #[test]
    fn cuts_a_text_between_lines() {
        let text = "one two three\nfour five six\nseven\n";
        assert_eq!(parts(text, 8), ["one two three\nfour five six\n", "seven\n"]);
        assert_eq!(parts(text, 100), [text]);
        assert_eq!(parts("", 8), [""]);
    }

    #[test]
    fn cuts_a_line_that_exceeds_the_limit() {
        let line = "a+b;".repeat(400) + "é";
        let parts = parts(&line, 100);
        assert!(parts.len() > 4 && parts.iter().all(|part| count_tokens(part) <= 100));
        assert_eq!(parts.concat(), line);
    }

    proptest! {
        #[test]
        fn joined_parts_equal_the_text(text in "([a-z{}();é \\t]{0,40}\n?){0,30}", most in 1..60usize) {
            let parts = parts(&text, most);
            prop_assert_eq!(parts.concat(), text.as_str());
            for part in parts {
                // If a line was split, its halves may have one token more or less than the whole.
                let count = count_tokens(part);
                prop_assert!(count <= 2 * most || part.chars().count() == 1, "{count} tokens: {part:?}");
            }
        }
    }
}
