//! Word to stem, English (Porter2), with a memory of the words seen.
//!
//! Price: one hash look-up for a word seen before; a repository has a few ten thousand distinct words.

use rust_stemmers::{Algorithm, Stemmer as Porter};
use rustc_hash::FxHashMap;

/// Turns words into stems. Not shared between threads: each keeps its own memory.
pub struct Stemmer {
    porter: Porter,
    seen: FxHashMap<Box<str>, u32>,
    stems: Vec<Box<str>>,
    /// Scratch space for [`super::words_into`].
    pub(crate) scratch: String,
}

impl Default for Stemmer {
    fn default() -> Self {
        let porter = Porter::create(Algorithm::English);
        Self { porter, seen: FxHashMap::default(), stems: Vec::new(), scratch: String::new() }
    }
}

impl Stemmer {
    /// The stem of a lower-case word. Words with digits or letters beyond ASCII stay as they are.
    pub fn stem(&mut self, word: &str) -> &str {
        let number = match self.seen.get(word) {
            Some(&number) => number,
            None => self.learn(word),
        };
        &self.stems[number as usize]
    }

    fn learn(&mut self, word: &str) -> u32 {
        let stem = if word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()) {
            self.porter.stem(word).into_owned()
        } else {
            word.to_owned()
        };
        let number = self.stems.len() as u32;
        self.stems.push(stem.into());
        self.seen.insert(word.into(), number);
        number
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
