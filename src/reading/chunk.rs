//! What is read at once: functions, or stretches of text, up to a number of tokens.
//!
//! Paper:    PRISM, algorithm 1: the text is cut into chunks that fit the context
//! Departs:  chunks end where functions end; a function that is longer than a chunk is cut between lines (a line that is
//!           longer, inside), and read on in the next. Code outside of functions is not read: a function is looked for

use super::candidates::Candidates;
use super::function::Sources;
use super::stretch::Stretch;
use crate::ids::DefinitionId;
use crate::memory::Tokens;
use crate::store::GraphFile;
use std::fmt::Write;

/// The smallest chunk, in tokens, and the largest.
pub const CHUNK_TOKENS: std::ops::RangeInclusive<usize> = 100..=200_000;

/// One chunk.
#[derive(Debug, Clone, Default)]
pub struct Chunk {
    /// As it stands in a prompt.
    pub text: String,
    /// The functions in it.
    pub pieces: Vec<Piece>,
    /// The stretches of text in it, where texts are read.
    pub stretches: Vec<Stretch>,
    /// Its tokens.
    pub tokens: usize,
}

/// A function in a chunk, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// The name that it is shown with.
    pub key: String,
    /// Which it is.
    pub id: DefinitionId,
    /// Which part, from 1, of how many.
    pub part: (usize, usize),
}

/// Functions to chunks, in the order given, as they are asked for.
pub struct Chunks<'a, I: Iterator<Item = DefinitionId>> {
    functions: I,
    most: usize,
    tokens: Tokens,
    graph: &'a GraphFile,
    /// What did not fit into the last chunk.
    left: Vec<(Piece, String, usize)>,
}

impl<'a, I: Iterator<Item = DefinitionId>> Chunks<'a, I> {
    /// Chunks of at most `most` tokens.
    pub fn new(functions: I, most: usize, tokens: Tokens, graph: &'a GraphFile) -> Self {
        let most = most.clamp(*CHUNK_TOKENS.start(), *CHUNK_TOKENS.end());
        Self { functions, most, tokens, graph, left: Vec::new() }
    }

    /// The next chunk; none when all is read.
    pub fn next(&mut self, sources: &Sources<'_>, candidates: &mut Candidates<'_>) -> Option<Chunk> {
        let mut chunk = Chunk::default();
        loop {
            if self.left.is_empty() {
                let Some(id) = self.functions.next() else { break };
                self.left = self.cut(id, sources, candidates);
                self.left.reverse();
            }
            let Some((piece, text, tokens)) = self.left.pop() else { continue };
            if !chunk.pieces.is_empty() && chunk.tokens + tokens > self.most {
                self.left.push((piece, text, tokens));
                break;
            }
            chunk.text.push_str(&text);
            chunk.tokens += tokens;
            chunk.pieces.push(piece);
        }
        (!chunk.pieces.is_empty()).then_some(chunk)
    }

    /// A function with a line above it that names it, in parts that fit.
    fn cut(
        &self,
        id: DefinitionId,
        sources: &Sources<'_>,
        candidates: &mut Candidates<'_>,
    ) -> Vec<(Piece, String, usize)> {
        let (row, key) = (self.graph.definition(id), candidates.show(id));
        let path = self.graph.path(row.file);
        let source = sources.text_of(id);
        let parts = parts(&source, self.most, self.tokens);
        let (count, mut line) = (parts.len(), row.start_line);
        let mut out = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            let mut text = String::new();
            let which = if count > 1 { format!(" (part {} of {count})", number + 1) } else { String::new() };
            let _ = writeln!(text, "### {key}{which} in {path}:{line}\n{}\n", part.trim_end());
            line += part.matches('\n').count() as u32;
            let tokens = self.tokens.count(&text);
            out.push((Piece { key: key.clone(), id, part: (number + 1, count) }, text, tokens));
        }
        out
    }
}

/// A text cut between lines into parts of about `most` tokens. Together they are the text.
pub fn parts(text: &str, most: usize, tokens: Tokens) -> Vec<&str> {
    let (mut parts, mut start, mut end, mut held) = (Vec::new(), 0, 0, 0);
    let mut lines = Vec::new();
    text.split_inclusive('\n').for_each(|line| halve(line, most, tokens, &mut lines));
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

/// A line with its tokens; in halves where it has more than `most`, as the one line of a minified file has.
fn halve<'t>(line: &'t str, most: usize, tokens: Tokens, out: &mut Vec<(&'t str, usize)>) {
    let count = tokens.count(line);
    let middle = line.char_indices().nth(line.chars().count() / 2).map_or(0, |(at, _)| at);
    if count <= most || middle == 0 {
        return out.push((line, count));
    }
    // Between words, where one ends near the middle.
    let blank = line[..middle].rfind(' ').map(|at| at + 1).filter(|&at| at > middle / 2);
    let (left, right) = line.split_at(blank.unwrap_or(middle));
    halve(left, most, tokens, out);
    halve(right, most, tokens, out);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_cut_between_lines() {
        let tokens = Tokens::load();
        let text = "one two three\nfour five six\nseven\n";
        assert_eq!(parts(text, 8, tokens), ["one two three\nfour five six\n", "seven\n"]);
        assert_eq!(parts(text, 100, tokens), [text]);
        assert_eq!(parts("", 8, tokens), [""]);
    }

    #[test]
    fn a_line_that_is_longer_is_cut_inside() {
        let tokens = Tokens::load();
        let line = "a+b;".repeat(400) + "é";
        let parts = parts(&line, 100, tokens);
        assert!(parts.len() > 4 && parts.iter().all(|part| tokens.count(part) <= 100));
        assert_eq!(parts.concat(), line);
    }

    proptest! {
        #[test]
        fn parts_are_the_text(text in "([a-z{}();é \\t]{0,40}\n?){0,30}", most in 1..60usize) {
            let tokens = Tokens::load();
            let parts = parts(&text, most, tokens);
            prop_assert_eq!(parts.concat(), text.as_str());
            for part in parts {
                // Where a line was cut, two halves have a token less or more than the whole.
                let count = tokens.count(part);
                prop_assert!(count <= 2 * most || part.chars().count() == 1, "{count} tokens: {part:?}");
            }
        }
    }
}
