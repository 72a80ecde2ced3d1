//! Words: how identifiers and prose become the terms that are indexed and asked for.
//!
//! The same code runs when a file is indexed and when a question is read, so the two always agree.
//! **Never:** knows a language, a file or an index.

mod stem;
mod stop;
mod synonyms;
mod words;

pub use stem::{Stem, Stemmer, stem_hash};
pub use stop::{is_noise, is_scaffold, is_stop_word};
pub use synonyms::synonyms;
pub use words::{LONGEST_WORD, first_sentence, plain_words, split_identifier, words};
