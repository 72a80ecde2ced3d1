//! Word to stem, English (Porter2), with a memory of the words seen.
//!
//! Price: one hash look-up for a word seen before; a repository has a few ten thousand distinct words.

use rust_stemmers::{Algorithm, Stemmer as Porter};
use rustc_hash::FxHashMap;

/// Turns words into stems. Not shared between threads: each keeps its own memory.
pub struct Stemmer {
    porter: Porter,
    seen: FxHashMap<Box<str>, Box<str>>,
}

impl Default for Stemmer {
    fn default() -> Self {
        Self { porter: Porter::create(Algorithm::English), seen: FxHashMap::default() }
    }
}

impl Stemmer {
    /// The stem of a lower-case word. Words with digits or letters beyond ASCII stay as they are.
    pub fn stem(&mut self, word: &str) -> &str {
        // Two look-ups instead of one entry call: the common case must not allocate a key.
        if !self.seen.contains_key(word) {
            let stem = if word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()) {
                self.porter.stem(word).into_owned()
            } else {
                word.to_owned()
            };
            self.seen.insert(word.into(), stem.into());
        }
        &self.seen[word]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_share_a_stem() {
        let mut stemmer = Stemmer::default();
        let stem = stemmer.stem("decorate").to_owned();
        for form in ["decorated", "decorates", "decorating"] {
            assert_eq!(stemmer.stem(form), stem);
        }
    }

    #[test]
    fn words_with_digits_are_left_alone() {
        assert_eq!(Stemmer::default().stem("utf8"), "utf8");
        assert_eq!(Stemmer::default().stem("größen"), "größen");
    }
}
