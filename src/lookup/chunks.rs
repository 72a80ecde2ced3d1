//! Functions to chunks.
//!
//! Departs:  PRISM cuts a text anywhere. Here chunks end where functions end; a function that is longer than a chunk is
//!           cut between lines (a line that is longer, inside), and read on in the next. Code outside of functions is
//!           not read: a function is looked for
//! Price:    linear in the text, as a file is shown at most [`READ_AGAIN`] times over, however deep functions lie in each
//!           other; of those that come after only the beginning is shown

use super::candidates::Candidates;
use crate::ids::{DefinitionId, FileId};
use crate::memory::count_tokens;
use crate::reading::{CHUNK_TOKENS, Chunk, parts};
use crate::source::{Sources, piece};
use crate::store::GraphFile;
use crate::text::{BYTES_PER_TOKEN, path_spelled, prefix};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// How often the text of a file may be shown, as part of functions around each other. Code of people comes to 2.
const READ_AGAIN: usize = 8;
/// Tokens shown of each function that comes after. Far fewer than a chunk has: each of thousands of functions in each other
/// would fill one.
const BEGINNING_TOKENS: usize = 64;

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

/// A piece as it stands in a prompt, and the tokens that it takes there.
pub(super) type ShownPiece = (Piece, String, usize);

/// Packs pieces into chunks, in the order in which they come.
pub(super) struct ChunkFiller {
    most: usize,
    /// What did not fit into the last chunk, the next last.
    left: Vec<ShownPiece>,
}

impl ChunkFiller {
    /// Into chunks of at most `most` tokens; a piece that has more is a chunk of its own.
    pub fn new(most: usize) -> Self {
        Self { most, left: Vec::new() }
    }

    /// Adds to a chunk what fits of what is left, and then of what comes.
    pub fn fill(&mut self, chunk: &mut Chunk<Piece>, mut next: impl FnMut() -> Option<Vec<ShownPiece>>) {
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

/// Functions to chunks, in the order given, as they are asked for.
pub struct Chunks<'a, I: Iterator<Item = DefinitionId>> {
    functions: I,
    filler: ChunkFiller,
    cutter: Cutter<'a>,
}

impl<'a, I: Iterator<Item = DefinitionId>> Chunks<'a, I> {
    /// Chunks of at most `most` tokens.
    pub fn new(functions: I, most: usize, graph: &'a GraphFile) -> Self {
        let most = most.clamp(*CHUNK_TOKENS.start(), *CHUNK_TOKENS.end());
        Self { functions, filler: ChunkFiller::new(most), cutter: Cutter::new(graph, most) }
    }

    /// The next chunk; none when all is read.
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

/// Cuts functions into parts that fit a chunk.
pub(super) struct Cutter<'a> {
    graph: &'a GraphFile,
    most: usize,
    /// How many bytes of each file have been shown.
    shown: FxHashMap<FileId, usize>,
}

impl<'a> Cutter<'a> {
    /// Into parts of about `most` tokens.
    pub fn new(graph: &'a GraphFile, most: usize) -> Self {
        Self { graph, most, shown: FxHashMap::default() }
    }

    /// A function with a line above it that says its `title`, in parts that fit; every part but the first begins with
    /// `head`.
    pub fn cut(
        &mut self,
        id: DefinitionId,
        sources: &Sources<'_>,
        key: &str,
        title: &str,
        head: &str,
    ) -> Vec<ShownPiece> {
        let row = self.graph.definition(id);
        let path = path_spelled(self.graph.path(row.file));
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

/// The first lines of a text, about as many as `most` tokens have; a part of the first where that is longer.
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
    fn a_beginning_is_short_on_however_few_lines() {
        assert_eq!(beginning("a\nbc\n", 2), "a\nbc\n");
        assert_eq!(beginning("a\nbcd", 1), "a\n");
        assert_eq!(beginning(&"größe".repeat(100_000), 100).len(), 100 * BYTES_PER_TOKEN);
    }
}
