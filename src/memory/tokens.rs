//! Texts to tokens, by a real tokenizer: OpenAI's `o200k_base`. Other models cut texts a little differently; counts
//! differ by some percent.
//!
//! Price:    the vocabulary loads once, in about 0.1 s; then about 25 MB of text a second
//! Why not:  `bpe-openai` loads in 0.04 s and makes the program 36 MB larger; this one, 5 MB

use tiktoken_rs::{CoreBPE, o200k_base_singleton};

/// The tokenizer. Copies are free.
#[derive(Clone, Copy)]
pub struct Tokens(&'static CoreBPE);

impl Tokens {
    /// Loads it, the first time.
    pub fn load() -> Self {
        Self(o200k_base_singleton())
    }

    /// How many tokens a text has.
    pub fn count(self, text: &str) -> usize {
        self.encode(text).len()
    }

    /// The tokens of a text, as numbers. Nothing in it is taken for a sign of the model's own.
    pub fn encode(self, text: &str) -> Vec<u32> {
        self.0.encode_ordinary(text)
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
