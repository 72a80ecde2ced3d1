//! The chunks shown to a language model: functions under short keys, functions that the model
//! requests, code of the functions that it ranks, and a list of all functions.
//!
//! ```text
//! ### f3 Session.renew (shortened) in src/session.py:40
//! def renew(self, token):
//! ...
//! ```
//!
//! **Invariant:** if the best functions are read first, a function that would fill more than a
//! third of a chunk (or half of a chunk, if it was requested) is shown as its head and its best
//! part. A second request shows the whole function, in parts that each begin with its head.

use super::candidates::{Candidates, KeyStyle};
use super::chunks::{ChunkCutter, ChunkFiller, Piece, PromptPiece};
use super::excerpt::excerpt;
use super::reading_order::ReadingOrder;
use super::requests::ResolvedRequests;
use crate::reading::{CHUNK_TOKENS, Chunk};
use rustc_hash::FxHashMap;
use whichfn_index::source::Sources;
use whichfn_memory::count_tokens;
use whichfn_search::search::Question;
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::{ellipsis, path_escaped};

/// Divisor of the chunk size that gives the largest share that a function may fill without being
/// shortened.
const SHARE: usize = 3;
/// Like [`SHARE`], for a function that the model requested.
const REQUESTED_SHARE: usize = 2;
/// Maximum number of characters of each signature in the list of all functions.
const LISTED_CHARS: usize = 100;

/// Functions as shown to a model.
pub(super) struct ModelChunks<'a> {
    sources: &'a Sources<'a>,
    question: &'a Question,
    most: usize,
    /// Keys of the functions, and the functions shown so far.
    pub candidates: Candidates<'a>,
    functions: std::vec::IntoIter<DefinitionId>,
    inside: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// True if long functions are shown whole without a request.
    all: bool,
    filler: ChunkFiller,
    requested: ChunkFiller,
    cutter: ChunkCutter<'a>,
    /// Requests that the next chunk answers first.
    requests: ResolvedRequests,
}

impl<'a> ModelChunks<'a> {
    /// Creates chunks of at most `most` tokens. With `all`, the chunks contain the whole text of
    /// all functions.
    pub fn new(sources: &'a Sources<'a>, question: &'a Question, order: ReadingOrder, most: usize, all: bool) -> Self {
        let most = most.clamp(*CHUNK_TOKENS.start(), *CHUNK_TOKENS.end());
        Self {
            sources,
            question,
            most,
            candidates: Candidates::styled(sources.graph(), KeyStyle::Number),
            functions: order.functions.into_iter(),
            inside: order.inside,
            all,
            filler: ChunkFiller::new(most),
            requested: ChunkFiller::new(most),
            cutter: ChunkCutter::new(sources.graph(), most),
            requests: ResolvedRequests::default(),
        }
    }

    /// Returns the maximum number of tokens in a chunk.
    pub fn most(&self) -> usize {
        self.most
    }

    /// Queues requests for the next chunk.
    pub fn ask(&mut self, requests: ResolvedRequests) {
        self.requests = requests;
    }

    /// Returns the next chunk, or `None` after the last one. Requested functions get a separate
    /// chunk.
    pub fn next(&mut self) -> Option<Chunk<Piece>> {
        let mut chunk = Chunk::default();
        let ResolvedRequests { functions, unmet } = std::mem::take(&mut self.requests);
        for request in unmet {
            let words = format!("(No further functions match: {})\n\n", ellipsis(&request, LISTED_CHARS, "..."));
            chunk.push_text(&words, count_tokens(&words));
        }
        let mut pieces: Vec<PromptPiece> = Vec::new();
        for id in functions {
            let is_known = self.candidates.key(id).is_some();
            pieces.extend(self.cut(id, if is_known { usize::MAX } else { self.most / REQUESTED_SHARE }, &[]));
        }
        let mut pieces = Some(pieces).into_iter();
        self.requested.fill(&mut chunk, || pieces.next());
        let mut filler = std::mem::replace(&mut self.filler, ChunkFiller::new(self.most));
        if chunk.is_empty() {
            filler.fill(&mut chunk, || {
                let id = self.functions.find(|&id| self.candidates.key(id).is_none())?;
                let inside = self.inside.remove(&id).unwrap_or_default();
                Some(self.cut(id, if self.all { usize::MAX } else { self.most / SHARE }, &inside))
            });
        }
        self.filler = filler;
        chunk.pieces().for_each(|piece| drop(self.candidates.show(piece.id)));
        (!chunk.is_empty()).then_some(chunk)
    }

    /// Splits a function into pieces for a chunk, with the headings of the functions inside it.
    /// Shortens the function if it has more tokens than `limit`.
    fn cut(&mut self, id: DefinitionId, limit: usize, inside: &[DefinitionId]) -> Vec<PromptPiece> {
        let key = self.candidates.assign(id);
        let graph = self.sources.graph();
        let title = format!("{key} {}", graph.qualified_name(id));
        let head = format!("{}\n...\n", graph.signature(id));
        let mut shown = self.cutter.cut(id, self.sources, &key, &title, &head);
        let tokens: usize = shown.iter().map(|(_, _, tokens)| tokens).sum();
        if inside.is_empty() && tokens > limit {
            return vec![self.shortened(id, limit)];
        }
        let inside: Vec<(PromptPiece, String)> = inside.iter().map(|&inner| self.within(&key, inner)).collect();
        if let Some((_, text, tokens)) = shown.first_mut() {
            let below = text.find('\n').map_or(0, |at| at + 1);
            text.insert_str(below, &inside.iter().map(|(_, heading)| heading.as_str()).collect::<String>());
            *tokens = count_tokens(text);
        }
        shown.extend(inside.into_iter().map(|(piece, _)| piece));
        shown
    }

    /// Returns a heading for a function inside another one, and a piece without text.
    fn within(&mut self, outer: &str, id: DefinitionId) -> (PromptPiece, String) {
        let (graph, key) = (self.sources.graph(), self.candidates.assign(id));
        let (row, name) = (graph.definition(id), graph.qualified_name(id));
        let path = path_escaped(graph.path(row.file));
        let heading = format!("### {key} {name} (inside {outer}) in {path}:{}\n", row.start_line);
        ((Piece { key, id, part: (1, 1) }, String::new(), 0), heading)
    }

    /// Returns a piece with the head and the best part of a function.
    fn shortened(&mut self, id: DefinitionId, most: usize) -> PromptPiece {
        let (graph, key) = (self.sources.graph(), self.candidates.assign(id));
        let (row, source) = (graph.definition(id), self.sources.text_of(id));
        let short = excerpt(&source, self.question, most);
        let mark = if short.len() < source.trim_end().len() { " (shortened)" } else { "" };
        let (name, path) = (graph.qualified_name(id), path_escaped(graph.path(row.file)));
        let text = format!("### {key} {name}{mark} in {path}:{}\n{short}\n\n", row.start_line);
        let tokens = count_tokens(&text);
        (Piece { key, id, part: (1, 1) }, text, tokens)
    }

    /// Returns a chunk with the code of the given functions. Tokens that short functions do not
    /// need go to the long ones.
    pub fn code(&mut self, ids: &[DefinitionId]) -> Chunk<Piece> {
        let mut by_length: Vec<(usize, DefinitionId)> =
            ids.iter().map(|&id| (count_tokens(&self.sources.text_of(id)), id)).collect();
        by_length.sort();
        let (mut left, mut budgets) = (self.most, FxHashMap::default());
        for (at, &(tokens, id)) in by_length.iter().enumerate() {
            let budget = tokens.min(left / (by_length.len() - at));
            left -= budget;
            budgets.insert(id, budget);
        }
        let mut chunk = Chunk::default();
        for &id in ids {
            let (piece, text, tokens) = self.shortened(id, budgets[&id]);
            chunk.push(piece, &text, tokens);
        }
        chunk
    }

    /// Returns a chunk that lists the functions shown so far, one per line, as far as they fit.
    pub fn list(&self) -> Chunk<Piece> {
        let (mut chunk, graph) = (Chunk::default(), self.sources.graph());
        for id in self.candidates.shown() {
            let row = graph.definition(id);
            let (path, key) = (path_escaped(graph.path(row.file)), self.candidates.key(id).unwrap_or_default());
            let head = ellipsis(graph.signature(id), LISTED_CHARS, "...");
            let line = format!("{key} {} in {path}:{}: {head}\n", graph.qualified_name(id), row.start_line);
            let tokens = count_tokens(&line);
            if chunk.tokens() + tokens > self.most {
                break;
            }
            chunk.push_text(&line, tokens);
        }
        chunk
    }
}
