//! Turns text into the terms that are indexed and searched.
//!
//! Every word is in lower case and stemmed. An identifier gives its parts, one position each, and
//! at the first position also all parts joined: `sqlTimeLimit` matches `sql time limit` and
//! `sqltimelimit`, and `SQLite` matches `sqlite`.

use rust_stemmers::{Algorithm, Stemmer};
use std::collections::HashMap;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};
use whichfn_text::{LONGEST_WORD, word_ranges};

/// Maximum length in bytes of the part of a line that is indexed.
const LONGEST_LINE: usize = 2_000;
/// Length in bytes from which a line without a space is encoded data, and is not indexed.
const ENCODED_LINE: usize = 200;
/// Maximum number of cached stems. When it is exceeded, the cache is cleared.
const MOST_STEMS: usize = 1 << 16;

/// Words of prose that carry no meaning in a question.
const STOP: &[&str] = &[
    "is", "to", "for", "with", "from", "if", "any", "all", "no", "when", "only", "get", "use", "using", "used", "via",
    "want", "need", "please", "between", "s", "t", "m", "re", "ve", "ll",
];

/// Splits text into terms, and caches stems.
pub(crate) struct Words {
    stemmer: Stemmer,
    stems: HashMap<Box<str>, Box<str>>,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// Stems of the word's parts, in order; at least one.
    pub parts: Vec<String>,
    /// Stem of all parts together; `None` for a word with one part.
    pub joined: Option<String>,
    /// The word in lower case, without stemming.
    pub plain: String,
}

impl Default for Words {
    fn default() -> Self {
        Self { stemmer: Stemmer::create(Algorithm::English), stems: HashMap::new() }
    }
}

impl Words {
    /// Returns the terms of a text with their positions, for one field of the index.
    pub fn tokens(&mut self, text: &str) -> Vec<Token> {
        let (mut tokens, mut position) = (Vec::new(), 0);
        for word in text.lines().filter_map(indexed).flat_map(names) {
            let word = self.word(word);
            let token =
                |text: String, position| Token { offset_from: 0, offset_to: 0, position, text, position_length: 1 };
            tokens.extend(word.joined.map(|joined| token(joined, position)));
            for part in word.parts {
                tokens.push(token(part, position));
                position += 1;
            }
        }
        tokens
    }

    /// Returns the words of a question or of a part of it.
    pub fn of(&mut self, text: &str) -> Vec<Word> {
        names(text).map(|name| self.word(name)).filter(|word| !word.parts.is_empty()).collect()
    }

    /// Returns one name in the form in which it is indexed.
    fn word(&mut self, name: &str) -> Word {
        let ranges = word_ranges(name).filter(|range| range.len() <= LONGEST_WORD);
        let parts: Vec<String> = ranges.map(|range| name[range].to_lowercase()).collect();
        let plain = parts.concat();
        let joined = (parts.len() > 1 && plain.len() <= LONGEST_WORD).then(|| self.stem(&plain));
        Word { parts: parts.iter().map(|part| self.stem(part)).collect(), joined, plain }
    }

    fn stem(&mut self, word: &str) -> String {
        if let Some(stem) = self.stems.get(word) {
            return stem.to_string();
        }
        let is_english = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let stem = if is_english { self.stemmer.stem(word).into_owned() } else { word.to_owned() };
        if self.stems.len() >= MOST_STEMS {
            self.stems.clear();
        }
        self.stems.insert(word.into(), stem.as_str().into());
        stem
    }
}

/// Splits the fields of the index into terms. Text is split when a passage is written, so passages
/// that wait for the writer are as small as their text.
#[derive(Default)]
pub(crate) struct PassageTokenizer {
    words: Words,
    tokens: Vec<Token>,
}

impl Clone for PassageTokenizer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Tokenizer for PassageTokenizer {
    type TokenStream<'a> = TextTokens<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> TextTokens<'a> {
        self.tokens = self.words.tokens(text);
        TextTokens { tokens: &mut self.tokens, next: 0 }
    }
}

/// The terms of a text.
pub(crate) struct TextTokens<'a> {
    tokens: &'a mut [Token],
    /// Number of the token after the current one.
    next: usize,
}

impl TokenStream for TextTokens<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.tokens.len()
    }

    fn token(&self) -> &Token {
        &self.tokens[self.next - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokens[self.next - 1]
    }
}

/// Checks whether a lower-case word carries no meaning in a question about text.
pub(crate) fn is_stop_word(word: &str) -> bool {
    whichfn_text::is_stop_word(word) || STOP.contains(&word)
}

/// Returns the part of a line that is indexed, or `None` for encoded data.
fn indexed(line: &str) -> Option<&str> {
    // Text in Chinese or Thai has no spaces either.
    let is_encoded = line.len() >= ENCODED_LINE && line.is_ascii() && !line.trim().contains([' ', '\t']);
    (!is_encoded).then(|| whichfn_text::prefix(line, LONGEST_LINE))
}

/// Returns the maximal runs of letters, digits and underscores.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> Vec<(usize, String)> {
        Words::default().tokens(text).into_iter().map(|token| (token.position, token.text)).collect()
    }

    #[test]
    fn an_identifier_gives_its_parts_and_the_joined_word() {
        let expected = [(0, "sqlite"), (0, "sq"), (1, "lite"), (2, "file")].map(|(at, word)| (at, word.to_owned()));
        assert_eq!(terms("SQLite files"), expected);
    }

    #[test]
    fn encoded_data_is_not_indexed() {
        assert!(terms(&"aGVsbG8gd29y/".repeat(40)).is_empty());
        assert_eq!(terms(&format!("{} end", "a ".repeat(1_500))).len(), 1_000);
    }
}
