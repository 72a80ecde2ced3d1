//! Word to stem, English (Porter2), with a memory of what was read.
//!
//! A repository repeats itself: in Django, 94 of 100 names were read before. So a whole name is looked up at once, and
//! gives the stems of its parts without being split again.
//!
//! Price: one hash look-up for a name seen before; a repository has a few ten thousand distinct names, and half a million
//!        are remembered at most.

use super::stop::NOISE;
use super::words::{name_words, names};
use rust_stemmers::{Algorithm, Stemmer as Porter};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Longer names are data; to remember them would only cost memory.
const LONGEST_NAME: usize = 64;
/// With more names than this, all is forgotten before the next text is read.
const MOST_NAMES: usize = 1 << 19;

/// What the index takes from a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StemmedWord<'a> {
    /// The stem, in lower case.
    pub text: &'a str,
    /// Hash of the stem: [`stem_hash`].
    pub hash: u64,
    /// Every method holds the word, see [`super::is_noise`].
    pub is_noise: bool,
}

/// The number of a stem in one [`Stemmer`]. Words that every method holds have numbers of their own, whatever stem they share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StemNumber(pub(super) u32);

impl StemNumber {
    /// Its place in a table by number.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is of a word that every method holds, see [`super::is_noise`].
    pub fn is_noise(self) -> bool {
        self.index() < NOISE.len()
    }
}

/// Hash of a stem.
pub fn stem_hash(stem: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(stem.as_bytes())
}

/// Turns words into stems. Not shared between threads: each keeps its own memory.
pub struct Stemmer {
    porter: Porter,
    /// Word to its stem.
    seen: FxHashMap<Box<str>, StemNumber>,
    /// Hash of a stem that is no noise to its number. For hashes that are shared by two, see `names`.
    by_hash: FxHashMap<u64, StemNumber>,
    /// By number of the stem.
    texts: Vec<Box<str>>,
    /// By number of the stem.
    hashes: Vec<u64>,
    /// Hash of a name to the stems of its words. Two of a million names share a hash with probability 3e-8.
    names: FxHashMap<u64, Range<u32>>,
    words_of_names: Vec<StemNumber>,
}

impl Default for Stemmer {
    fn default() -> Self {
        let mut stemmer = Self {
            porter: Porter::create(Algorithm::English),
            seen: FxHashMap::default(),
            by_hash: FxHashMap::default(),
            texts: Vec::new(),
            hashes: Vec::new(),
            names: FxHashMap::default(),
            words_of_names: Vec::new(),
        };
        for word in NOISE {
            let number = stemmer.push(&stemmer.porter.stem(word));
            stemmer.seen.insert(word.into(), number);
        }
        stemmer
    }
}

impl Stemmer {
    /// The stem of a lower-case word. Words with digits or letters beyond ASCII stay as they are.
    pub fn stem(&mut self, word: &str) -> &str {
        let number = self.number(word);
        &self.texts[number.index()]
    }

    /// Calls `emit` with the stem of every word of `text`, in the order of [`super::words`].
    pub fn stems(&mut self, text: &str, mut emit: impl FnMut(StemmedWord<'_>)) {
        let mut numbers = Vec::new();
        for name in names(text) {
            numbers.clear();
            self.name(name, &mut numbers);
            numbers.iter().for_each(|&number| emit(self.word(number)));
        }
    }

    /// Appends the numbers of the stems of every word of `text`, in the order of [`super::words`].
    pub fn numbers(&mut self, text: &str, out: &mut Vec<StemNumber>) {
        for name in names(text) {
            self.name(name, out);
        }
    }

    /// Appends the numbers of the stems of a name's words.
    pub(super) fn name(&mut self, name: &str, out: &mut Vec<StemNumber>) {
        let hash = xxhash_rust::xxh3::xxh3_64(name.as_bytes());
        if let Some(words) = self.names.get(&hash) {
            out.extend_from_slice(&self.words_of_names[words.start as usize..words.end as usize]);
            return;
        }
        let start = out.len();
        name_words(name, &mut String::new(), &mut |word| out.push(self.number(word)));
        if name.len() <= LONGEST_NAME {
            let first = self.words_of_names.len() as u32;
            self.words_of_names.extend_from_slice(&out[start..]);
            self.names.insert(hash, first..self.words_of_names.len() as u32);
        }
    }

    /// The stem of a number that this stemmer gave.
    pub fn word(&self, number: StemNumber) -> StemmedWord<'_> {
        let at = number.index();
        StemmedWord { text: &self.texts[at], hash: self.hashes[at], is_noise: number.is_noise() }
    }

    /// The hash of a stem, by a number that this stemmer gave.
    pub fn hash(&self, number: StemNumber) -> u64 {
        self.hashes[number.index()]
    }

    /// How many stems have a number.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Forgets everything, all numbers too, if that has become much.
    pub(super) fn forget(&mut self) {
        if self.names.len() > MOST_NAMES || self.texts.len() > MOST_NAMES {
            *self = Self::default();
        }
    }

    fn number(&mut self, word: &str) -> StemNumber {
        match self.seen.get(word) {
            Some(&number) => number,
            None => self.learn(word),
        }
    }

    fn learn(&mut self, word: &str) -> StemNumber {
        let stem = if word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()) {
            self.porter.stem(word)
        } else {
            word.into()
        };
        let hash = stem_hash(&stem);
        let number = match self.by_hash.get(&hash) {
            Some(&number) => number,
            None => {
                let number = self.push(&stem);
                self.by_hash.insert(hash, number);
                number
            }
        };
        self.seen.insert(word.into(), number);
        number
    }

    fn push(&mut self, stem: &str) -> StemNumber {
        self.texts.push(stem.into());
        self.hashes.push(stem_hash(stem));
        StemNumber(self.texts.len() as u32 - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{is_noise, words};

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
