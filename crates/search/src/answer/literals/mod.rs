//! Finds the code that contains a text literally: an error message, a log line with variable parts,
//! a quoted string, a flag or a code.
//!
//! ```text
//! question ──> phrase: texts to find ──> blocks: ten lines with most of their words
//!          ──> align: words of strings in order, with gaps for variable parts
//!          ──> place: the function around the string, or the functions that use its constant
//! ```
//!
//! A string in the code contains placeholders where a message contains values, so the words of the
//! message may be skipped at a placeholder, between two strings, and at both ends.
//!
//! - **Cost:** one pass by all threads over the words of all blocks, then the text and the syntax
//!   of the files of at most [`MAX_BLOCKS`] blocks; nothing is parsed again
//! - **Alternatives:** an index of all strings, which would find them in files of a shard as well,
//!   but would take about a tenth more space for a form of question that is rare

mod align;
mod blocks;
mod phrase;
mod place;
mod raise;

use crate::search::Question;
use align::{Alignment, align};
use blocks::best_blocks;
use phrase::{Phrase, phrases, tokens};
use place::Places;
pub use raise::raise_literals;
use rustc_hash::FxHashSet;
use whichfn_index::source::Sources;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::Registry;

/// Maximum number of blocks of ten lines whose text is read.
const MAX_BLOCKS: usize = 64;
/// Share of the best block's weight that a block needs to be read.
const MIN_BLOCK_SHARE: f32 = 0.35;
/// Share of the best alignment's weight that another alignment needs to count as equally good.
const EQUALLY_GOOD: f32 = 0.95;
/// Maximum number of definitions with a text. A text that occurs more often identifies nothing.
const MAX_PLACES: usize = 8;

/// A definition that contains a text of the question literally, or uses a constant with it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LiteralMatch {
    /// The definition.
    pub definition: DefinitionId,
    /// Share of the text that the code contains, in (0, 1]. Words that do not occur in the
    /// repository are not counted, because they replace placeholders.
    pub share: f32,
    /// Share of the words in the strings of the code that the text contains, in (0, 1].
    pub precision: f32,
}

/// Finds the definitions that contain a text of the question literally, the best first.
///
/// `accepts` selects the ranked definitions, and `allowed` contains whether each file is searched.
/// Returns nothing if the question contains no such text, or if too many definitions contain it.
pub fn literals(
    sources: &Sources<'_>,
    registry: &Registry,
    question: &Question,
    accepts: &dyn Fn(DefinitionId) -> bool,
    allowed: &[bool],
) -> Vec<LiteralMatch> {
    let places = Places { sources, registry, accepts, allowed };
    for phrase in phrases(question) {
        let found = matches(&places, &phrase, question.about_tests);
        if !found.is_empty() {
            return found;
        }
    }
    for token in tokens(question) {
        let found = token_matches(&places, token, question.about_tests);
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Returns the functions that contain a flag, a code or the name of a constant.
fn token_matches(places: &Places<'_>, token: &str, about_tests: bool) -> Vec<LiteralMatch> {
    let graph = places.sources.graph();
    if graph.named(token).into_iter().any(|id| (places.accepts)(id)) {
        return Vec::new();
    }
    let is_wanted = |id: &DefinitionId| about_tests || !graph.traits(*id).is_test();
    let functions = places.functions_with(token).into_iter().filter(is_wanted);
    limited(functions.map(|definition| LiteralMatch { definition, share: 1.0, precision: 1.0 }).collect())
}

/// Returns the matches, or nothing if there are too many.
fn limited(matches: Vec<LiteralMatch>) -> Vec<LiteralMatch> {
    if matches.len() > MAX_PLACES { Vec::new() } else { matches }
}

/// Returns the definitions that contain one phrase.
fn matches(places: &Places<'_>, phrase: &Phrase, about_tests: bool) -> Vec<LiteralMatch> {
    let graph = places.sources.graph();
    let (weights, mut blocks) = best_blocks(graph, places.allowed, &phrase.words);
    let mut found: Vec<(FileId, Alignment)> = Vec::new();
    blocks.sort_unstable();
    for blocks in blocks.chunk_by(|a, b| a.file == b.file) {
        let file = blocks[0].file;
        let numbers: Vec<u32> = blocks.iter().map(|block| block.number).collect();
        for strings in places.strings(file, &numbers) {
            let alignment = align(&phrase.words, &weights.weights, &strings);
            found.extend(alignment.filter(|one| phrase.accepts(one, &weights)).map(|one| (file, one)));
        }
    }
    found.retain(|(file, one)| {
        let around = places.definitions(*file, one.offset);
        !around.iter().any(|&id| places.is_documentation(*file, one.offset, id))
    });
    let best = found.iter().map(|(_, one)| one.score()).fold(0.0, f32::max);
    found.retain(|(_, one)| one.score() >= EQUALLY_GOOD * best);
    found.sort_by(|(a_file, a), (b_file, b)| {
        b.precision.total_cmp(&a.precision).then((a_file, a.offset).cmp(&(b_file, b.offset)))
    });
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    for (file, one) in found {
        for definition in places.definitions(file, one.offset) {
            let is_wanted = about_tests || !graph.traits(definition).is_test();
            if is_wanted && seen.insert(definition) {
                out.push(LiteralMatch { definition, share: one.weight / weights.known(), precision: one.precision });
            }
        }
    }
    limited(out)
}
