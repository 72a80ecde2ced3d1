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

use crate::search::{Hit, Question};
use align::{Alignment, Token, align};
use blocks::best_blocks;
use phrase::{Phrase, phrases, tokens};
use place::Places;
pub use raise::raise_literals;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use whichfn_index::source::Sources;
use whichfn_index::store::NamedValueId;
use whichfn_syntax::ids::{DefinitionId, FileId, MemberId};
use whichfn_syntax::lang::Registry;

/// Maximum number of blocks of ten lines whose text is read.
const MAX_BLOCKS: usize = 64;
/// Share of the best block's weight that a block needs to be read.
const MIN_BLOCK_SHARE: f32 = 0.35;
/// Share of the best alignment's weight that another alignment needs to count as equally good.
const EQUALLY_GOOD: f32 = 0.95;
/// Maximum number of definitions with a text. A text that occurs more often identifies nothing.
const MAX_PLACES: usize = 8;

/// The part of a question that a literal text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LiteralPart {
    /// All of it, apart from words that ask where a program prints the text.
    Whole,
    /// A line of a trace, a flag, a code or the name of a constant.
    Line,
    /// All of it, but written like a question in words, which a text of help may contain too.
    Sentence,
    /// A text in quotation marks within a longer sentence, which may be only an example.
    Example,
}

/// A definition that contains a text of the question literally, or uses a constant with it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LiteralMatch {
    /// Number of the index with the definition.
    pub member: MemberId,
    /// The definition.
    pub definition: DefinitionId,
    /// File of the definition.
    pub file: FileId,
    /// Share of the text that the code contains, in (0, 1]. Words that do not occur in the
    /// repository are not counted, because they replace placeholders.
    pub share: f32,
    /// Share of the words in the strings of the code that the text contains, in (0, 1].
    pub precision: f32,
    /// Number of words that the text and the strings have in common.
    pub words: u32,
    /// The part of the question that the text is.
    pub part: LiteralPart,
    /// True in a test, a benchmark, an example, a document or vendored code.
    pub is_aside: bool,
}

impl LiteralMatch {
    /// Returns the matches that are as good as the best of several indexes, or nothing if there are
    /// too many.
    pub fn best_of(mut matches: Vec<Self>) -> Vec<Self> {
        let score = |one: &Self| one.share * one.precision;
        let best = matches.iter().map(score).fold(0.0, f32::max);
        matches.retain(|one| score(one) >= EQUALLY_GOOD * best);
        if matches.len() > MAX_PLACES { Vec::new() } else { matches }
    }

    /// Checks whether the shares can be compared.
    pub fn is_valid(&self) -> bool {
        [self.share, self.precision].iter().all(|share| (0.0..=1.001).contains(share))
    }
}

/// The code that contains a text of the question literally.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Literals {
    /// Definitions that contain the text or use a constant with it, the best first.
    pub definitions: Vec<LiteralMatch>,
    /// If there are no such definitions, the constants, fields or variants that contain the text.
    pub values: Vec<NamedValueId>,
}

impl Literals {
    fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.values.is_empty()
    }

    /// Returns the matches, or nothing if there are too many.
    fn limited(self) -> Self {
        if self.definitions.len().max(self.values.len()) > MAX_PLACES { Self::default() } else { self }
    }
}

/// Checks whether a question contains a text whose code may come before the hits. A pasted name or
/// place of a trace stays in front.
pub fn may_lead(question: &Question, hits: &[Hit]) -> bool {
    let is_exact = hits.first().is_some_and(Hit::is_exact);
    !is_exact && (!phrases(question).is_empty() || !tokens(question).is_empty())
}

/// Finds the code that contains a text of the question literally.
///
/// `accepts` selects the ranked definitions, and `allowed` contains whether each file is searched.
/// Returns nothing if the question contains no such text, or if too many definitions contain it.
pub fn literals(
    sources: &Sources<'_>,
    registry: &Registry,
    question: &Question,
    accepts: &dyn Fn(DefinitionId) -> bool,
    allowed: &[bool],
) -> Literals {
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
    Literals::default()
}

/// Returns the functions that contain a flag, a code or the name of a constant.
fn token_matches(places: &Places<'_>, token: &str, about_tests: bool) -> Literals {
    let graph = places.sources.graph();
    if graph.named(token).into_iter().any(|id| (places.accepts)(id)) {
        return Literals::default();
    }
    let is_wanted = |id: &DefinitionId| about_tests || !graph.traits(*id).is_test();
    let functions = places.functions_with(token).into_iter().filter(is_wanted);
    let found = |definition| LiteralMatch {
        member: MemberId(0),
        definition,
        file: graph.file_around(definition),
        share: 1.0,
        precision: 1.0,
        words: 1,
        part: LiteralPart::Line,
        is_aside: places.is_aside(definition),
    };
    let mut definitions: Vec<LiteralMatch> = functions.map(found).collect();
    if definitions.iter().any(|one| !one.is_aside) {
        definitions.retain(|one| !one.is_aside);
    }
    Literals { definitions, values: Vec::new() }.limited()
}

/// Returns the code that contains one phrase.
fn matches(places: &Places<'_>, phrase: &Phrase, about_tests: bool) -> Literals {
    let graph = places.sources.graph();
    let (weights, mut blocks) = best_blocks(graph, places.allowed, &phrase.words);
    let mut found: Vec<(FileId, Alignment)> = Vec::new();
    blocks.sort_unstable();
    for blocks in blocks.chunk_by(|a, b| a.file == b.file) {
        let file = blocks[0].file;
        let numbers: Vec<u32> = blocks.iter().map(|block| block.number).collect();
        for strings in places.strings(file, &numbers) {
            // The best match of each message, because the heaviest may be a part of a longer message.
            let messages = strings.split(|token| *token == Token::End);
            let alignments = messages.filter_map(|message| align(&phrase.words, &weights.weights, message));
            found.extend(alignments.filter(|one| phrase.accepts(one, &weights)).map(|one| (file, one)));
        }
    }
    found.retain(|(file, one)| {
        let around = places.definitions(*file, one.offset);
        !around.iter().any(|&id| places.is_documentation(*file, one.offset, id))
    });
    // Tests, examples and documents repeat the messages of the program.
    let is_aside = |file: FileId| !about_tests && places.is_aside_path(file);
    if found.iter().any(|(file, _)| !is_aside(*file)) {
        found.retain(|(file, _)| !is_aside(*file));
    }
    let best = found.iter().map(|(_, one)| one.score()).fold(0.0, f32::max);
    found.retain(|(_, one)| one.score() >= EQUALLY_GOOD * best);
    found.sort_by(|(a_file, a), (b_file, b)| {
        b.precision.total_cmp(&a.precision).then((a_file, a.offset).cmp(&(b_file, b.offset)))
    });
    let is_wanted = |id: DefinitionId| {
        about_tests || !graph.traits(id).is_test() && (phrase.part != LiteralPart::Sentence || !places.is_aside(id))
    };
    let mut seen = FxHashSet::default();
    let (mut definitions, mut values) = (Vec::new(), Vec::new());
    for (file, one) in found {
        let around = places.definitions(file, one.offset);
        if around.is_empty() {
            let value = places.value_at(file, one.offset).filter(|value| is_wanted(value.parent));
            values.extend(value.map(|value| value.id));
        }
        for definition in around.into_iter().filter(|&id| is_wanted(id)) {
            if seen.insert(definition) {
                definitions.push(LiteralMatch {
                    member: MemberId(0),
                    definition,
                    file: graph.file_around(definition),
                    share: one.weight / weights.known(),
                    precision: one.precision,
                    words: one.matched as u32,
                    part: phrase.part,
                    is_aside: places.is_aside(definition),
                });
            }
        }
    }
    values.dedup();
    if !definitions.is_empty() {
        values.clear();
    }
    Literals { definitions, values }.limited()
}
