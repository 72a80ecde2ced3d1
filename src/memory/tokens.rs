//! Texts in tokens.
//!
//! Price:    40 ms for the first text, then 33 MB a second

use bpe_openai::{Tokenizer, o200k_base};

/// The tokens of `o200k_base`, the vocabulary of OpenAI's models since 2024. Those of other models come near.
#[derive(Clone, Copy)]
pub struct Tokens(&'static Tokenizer);

impl Tokens {
    /// Loads the vocabulary, once.
    pub fn load() -> Self {
        Self(o200k_base())
    }

    /// How many tokens a text has.
    pub fn count(self, text: &str) -> usize {
        self.0.count(text)
    }

    /// The tokens of a text.
    pub fn encode(self, text: &str) -> Vec<u32> {
        self.0.encode(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_counted_as_are_made() {
        let tokens = Tokens::load();
        for (text, count) in [("", 0), ("hello world", 2), ("{\"a\":\"b\"}\n", 5), ("😀", 1)] {
            assert_eq!((tokens.count(text), tokens.encode(text).len()), (count, count), "{text}");
        }
    }
}
