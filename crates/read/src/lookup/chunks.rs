//! Divides functions into chunks.
//!
//! **Differs from the paper:** PRISM splits text anywhere. Here, chunks end where functions end. A
//! function that is longer than a chunk is split between lines (or within a line that is too long)
//! and continues in the next chunk. Code outside functions is not read, because the result is a
//! function.
//!
//! **Cost:** linear in the text, because a file is shown at most [`READ_AGAIN`] times, however
//! deeply its functions are nested. Only the beginning of any additional function is shown.

use super::candidates::Candidates;
use crate::reading::{CHUNK_TOKENS, Chunk, parts};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use whichfn_index::source::{Sources, piece};
use whichfn_index::store::GraphFile;
use whichfn_memory::count_tokens;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_text::{BYTES_PER_TOKEN, path_escaped, prefix};

/// Maximum number of times that the text of a file is shown as part of nested functions. Real code
/// reaches 2.
const READ_AGAIN: usize = 8;
/// Number of tokens shown of each additional function. This is much less than a chunk, because each
/// of thousands of nested functions would otherwise fill a chunk.
const BEGINNING_TOKENS: usize = 64;

/// A function in a chunk, or part of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Key under which the function is shown.
    pub key: String,
    /// Id of the function.
    pub id: DefinitionId,
    /// 1-based number of the part, and the number of parts.
    pub part: (usize, usize),
}

/// A piece, its text in the prompt, and its number of tokens.
pub(super) type PromptPiece = (Piece, String, usize);

/// Packs pieces into chunks, in the order in which they arrive.
pub(super) struct ChunkFiller {
    most: usize,
    /// Pieces left over from the last chunk, in reverse order.
    left: Vec<PromptPiece>,
}

impl ChunkFiller {
    /// Creates a filler for chunks of at most `most` tokens. A piece with more tokens is a separate
    /// chunk.
    pub fn new(most: usize) -> Self {
        Self { most, left: Vec::new() }
    }

    /// Adds the remaining pieces to a chunk, followed by new pieces from `next`, while they fit.
    pub fn fill(&mut self, chunk: &mut Chunk<Piece>, mut next: impl FnMut() -> Option<Vec<PromptPiece>>) {
        loop {
            if self.left.is_empty() {
                let Some(pieces) = next() else { return };
                self.left = pieces;
                self.left.reverse();
            }
            let Some((piece, text, tokens)) = self.left.pop() else { continue };
            if !chunk.is_empty() && chunk.tokens() + tokens > self.most {
                return self.left.push((piece, text, tokens));
            }
            chunk.push(piece, &text, tokens);
        }
    }
}

/// Chunks of functions in a given order, created on demand.
pub struct Chunks<'a, I: Iterator<Item = DefinitionId>> {
    functions: I,
    filler: ChunkFiller,
    cutter: ChunkCutter<'a>,
}

impl<'a, I: Iterator<Item = DefinitionId>> Chunks<'a, I> {
    /// Creates chunks of at most `most` tokens.
    pub fn new(functions: I, most: usize, graph: &'a GraphFile) -> Self {
        let most = most.clamp(*CHUNK_TOKENS.start(), *CHUNK_TOKENS.end());
        Self { functions, filler: ChunkFiller::new(most), cutter: ChunkCutter::new(graph, most) }
    }

    /// Returns the next chunk, or `None` if all functions have been read.
    pub fn next(&mut self, sources: &Sources<'_>, candidates: &mut Candidates<'_>) -> Option<Chunk<Piece>> {
        let mut chunk = Chunk::default();
        let Self { functions, filler, cutter } = self;
        filler.fill(&mut chunk, || {
            let id = functions.next()?;
            let key = candidates.show(id);
            Some(cutter.cut(id, sources, &key, &key, ""))
        });
        (!chunk.is_empty()).then_some(chunk)
    }
}

/// Splits functions into parts that fit into a chunk.
pub(super) struct ChunkCutter<'a> {
    graph: &'a GraphFile,
    most: usize,
    /// Number of bytes of each file that have been shown so far.
    shown: FxHashMap<FileId, usize>,
}

impl<'a> ChunkCutter<'a> {
    /// Creates a cutter for parts of about `most` tokens each.
    pub fn new(graph: &'a GraphFile, most: usize) -> Self {
        Self { graph, most, shown: FxHashMap::default() }
    }

    /// Splits a function into parts that fit into a chunk, each under a line with `title`. Every
    /// part except the first begins with `head`.
    pub fn cut(
        &mut self,
        id: DefinitionId,
        sources: &Sources<'_>,
        key: &str,
        title: &str,
        head: &str,
    ) -> Vec<PromptPiece> {
        let row = self.graph.definition(id);
        let path = path_escaped(self.graph.path(row.file));
        let text = sources.text(row.file);
        let source = piece(&text, (row.start_byte, row.end_byte));
        let shown = self.shown.entry(row.file).or_default();
        let source = if *shown > READ_AGAIN * text.len() { beginning(source, BEGINNING_TOKENS) } else { source };
        *shown += source.len();
        let parts = parts(source, self.most);
        let (count, mut line) = (parts.len(), row.start_line);
        let mut out = Vec::new();
        for (number, part) in parts.into_iter().enumerate() {
            let mut text = String::new();
            let which = if count > 1 { format!(" (part {} of {count})", number + 1) } else { String::new() };
            let head = if number > 0 { head } else { "" };
            let _ = writeln!(text, "### {title}{which} in {path}:{line}\n{head}{}\n", part.trim_end());
            line += part.matches('\n').count() as u32;
            let tokens = count_tokens(&text);
            out.push((Piece { key: key.to_owned(), id, part: (number + 1, count) }, text, tokens));
        }
        out
    }
}

/// Returns the first lines of a string, with about `most` tokens in total, or the start of the
/// first line if that line is longer.
fn beginning(text: &str, most: usize) -> &str {
    let start = prefix(text, most * BYTES_PER_TOKEN);
    match start.rfind('\n') {
        Some(end) if start.len() < text.len() => &start[..=end],
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_the_beginning_of_a_text() {
        assert_eq!(beginning("a\nbc\n", 2), "a\nbc\n");
        assert_eq!(beginning("a\nbcd", 1), "a\n");
        assert_eq!(beginning(&"größe".repeat(100_000), 100).len(), 100 * BYTES_PER_TOKEN);
    }
}
