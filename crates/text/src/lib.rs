//! Text processing: splits identifiers and prose into the terms that are indexed and searched, and
//! converts paths to text.
//!
//! Files and questions are split by the same code, so their terms always match.
//!
//! # Where to change what
//!
//! - how identifiers are split, or words are stemmed: `split.rs`, `words.rs`, `stem.rs`; then
//!   increment `CONTENT` in `crates/index/src/store/version.rs`
//! - synonyms, opposites, platform names, stop words: `synonyms.txt`, `opposites.txt`,
//!   `platforms.txt`, `stop.rs`
//! - words that code writes as one (`heredoc`, `fd`): `joined.rs`, `abbreviations.txt`
//! - questions in other languages: `translations.txt`; the rules: `translate.rs`; which words are
//!   known: `src/engine/foreign.rs`
//!
//! **Never:** knows anything about languages, files or indexes.

mod direction;
mod joined;
mod lines;
mod markup;
mod path;
mod platform;
mod predicate;
mod route;
mod shorten;
mod spelling;
mod split;
mod stem;
mod stop;
mod translate;
mod uri;
mod word_groups;
mod words;

pub use direction::Conversion;
pub use joined::{JoinedWord, joined_words};
pub use lines::{after_breaks, line_count};
pub use markup::plain;
pub use path::{encoded_byte, path_bytes, path_escaped, path_from_text, path_lossy, path_text};
pub use platform::{platform_bits, platforms_of, without_platform};
pub use predicate::{is_predicate_name, is_yes_no_question};
pub use route::{
    ANNOTATION, ANY_METHOD, APPLICATION, COMPLETE_PATH, FUNCTION_NAME, HTTP_METHODS, OPEN_PREFIX,
    OPEN_PREFIX_OF_HANDLER, OPEN_PREFIX_OF_OBJECT, PASSED_ON, RouteFit, TYPE_NAME, UNKNOWN_SEGMENTS, joined_route,
    prefix_in_type, route_fit, route_path, route_template, template_of, type_prefix,
};
pub use shorten::{directories_between, ellipsis, file_name, one_line, prefix};
pub use split::Splitter;
pub use stem::{StemNumber, StemmedWord, Stemmer, stem_hash};
pub use stop::{is_framing_verb, is_noise, is_question, is_scaffold, is_stop_word, word_list};
pub use translate::{ForeignQuestion, translate};
pub use uri::{file_uri, path_from_uri, percent_encoded};
pub use word_groups::{opposites, synonyms, synonyms_of};
pub use words::{LONGEST_WORD, first_sentence, occurrences, plain_words, split_identifier, word_ranges, words};

/// Estimated number of bytes per token, for purposes that need no exact count: output budgets,
/// limits, the share of a text that was read. Tokenizers produce one token per 3 to 4 bytes of code
/// or English prose.
pub const BYTES_PER_TOKEN: usize = 4;
