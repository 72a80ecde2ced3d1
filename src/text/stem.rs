//! Word to stem, English (Porter2), with a memory of what was read.
//!
//! A repository repeats itself: in Django, 94 of 100 names were read before. So a whole name is looked up at once, and
//! gives the stems of its parts without being split again.
//!
//! Price: one hash look-up for a name seen before; a repository has a few ten thousand distinct names.

use super::stop::is_noise;
use super::words::{name_words, names};
use rust_stemmers::{Algorithm, Stemmer as Porter};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Longer names are data; to remember them would only cost memory.
const LONGEST_NAME: usize = 64;

/// What the index takes from a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StemmedWord {
    /// The stem, in lower case.
    pub text: Box<str>,
    /// Hash of the stem: [`stem_hash`].
    pub hash: u64,
    /// Every method holds the word, see [`is_noise`].
    pub is_noise: bool,
}

/// Hash of a stem.
pub fn stem_hash(stem: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(stem.as_bytes())
}

/// Turns words into stems. Not shared between threads: each keeps its own memory.
pub struct Stemmer {
    porter: Porter,
    /// Word to its stem.
    seen: FxHashMap<Box<str>, u32>,
    stems: Vec<StemmedWord>,
    /// Hash of a name to the stems of its words. Two of a million names share a hash with probability 3e-8.
    names: FxHashMap<u64, Range<u32>>,
    words_of_names: Vec<u32>,
}

impl Default for Stemmer {
    fn default() -> Self {
        Self {
            porter: Porter::create(Algorithm::English),
            seen: FxHashMap::default(),
            stems: Vec::new(),
            names: FxHashMap::default(),
            words_of_names: Vec::new(),
        }
    }
}

impl Stemmer {
    /// The stem of a lower-case word. Words with digits or letters beyond ASCII stay as they are.
    pub fn stem(&mut self, word: &str) -> &str {
        let number = self.number(word);
        &self.stems[number as usize].text
    }

    /// Calls `emit` with the stem of every word of `text`, in the order of [`super::words`].
    pub fn stems(&mut self, text: &str, mut emit: impl FnMut(&StemmedWord)) {
        for name in names(text) {
            let hash = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
            let words = match self.names.get(&hash) {
                Some(words) => words.clone(),
                None => self.learn_name(name, hash),
            };
            for &number in &self.words_of_names[words.start as usize..words.end as usize] {
                emit(&self.stems[number as usize]);
            }
            if name.len() > LONGEST_NAME {
                self.words_of_names.truncate(words.start as usize);
            }
        }
    }

    fn learn_name(&mut self, name: &str, hash: u64) -> Range<u32> {
        let start = self.words_of_names.len() as u32;
        name_words(name, &mut String::new(), &mut |word| {
            let number = self.number(word);
            self.words_of_names.push(number);
        });
        let words = start..self.words_of_names.len() as u32;
        if name.len() <= LONGEST_NAME {
            self.names.insert(hash, words.clone());
        }
        words
    }

    fn number(&mut self, word: &str) -> u32 {
        match self.seen.get(word) {
            Some(&number) => number,
            None => self.learn(word),
        }
    }

    fn learn(&mut self, word: &str) -> u32 {
        let stem = if word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()) {
            self.porter.stem(word).into_owned()
        } else {
            word.to_owned()
        };
        let number = self.stems.len() as u32;
        self.stems.push(StemmedWord { hash: stem_hash(&stem), text: stem.into(), is_noise: is_noise(word) });
        self.seen.insert(word.into(), number);
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::words;

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

    #[test]
    fn stems_of_a_text_are_those_of_its_words_the_second_time_too() {
        let text = format!("self.parseHTTPDates(größte_Namen) {}_a {}_b", "long_".repeat(20), "x".repeat(70));
        let mut stemmer = Stemmer::default();
        let mut expected = Vec::new();
        words(&text, |word| expected.push((stemmer.stem(word).to_owned(), is_noise(word))));
        for _ in 0..2 {
            let mut found = Vec::new();
            stemmer.stems(&text, |stem| found.push((stem.text.to_string(), stem.is_noise)));
            assert_eq!(found, expected);
        }
    }
}
