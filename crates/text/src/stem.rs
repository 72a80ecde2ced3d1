//! Reduces English words to stems (Porter2), and caches the stems of names.
//!
//! Names repeat within a repository: in Django, 94% of the names read have occurred before. So one
//! look-up of the whole name returns the stems of its parts, and the name is not split again.
//!
//! **Cost:** one hash look-up for a name that occurred before. A repository has some tens of
//! thousands of distinct names; the cache is limited to half a million.

use super::spelling::with_ize;
use super::stop::NOISE;
use super::words::{name_words, names};
use rust_stemmers::{Algorithm, Stemmer as Porter};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Maximum length in bytes of a cached name. Longer names are usually data, and caching them would
/// waste memory.
const LONGEST_NAME: usize = 64;
/// Maximum number of cached names. When it is exceeded, the cache is cleared before the next text.
const MAX_NAMES: usize = 1 << 19;

/// A word in the form in which it is indexed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StemmedWord<'a> {
    /// The stem, in lower case.
    pub text: &'a str,
    /// Hash of the stem, computed by [`stem_hash`].
    pub hash: u64,
    /// True for a word that occurs in every method; see [`super::is_noise`].
    pub is_noise: bool,
}

/// Number of a stem within one [`Stemmer`]. Words that occur in every method have separate numbers,
/// even if other words share their stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StemNumber(pub(super) u32);

impl StemNumber {
    /// Returns the number as an index into a table.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Checks whether the stem's word is one that occurs in every method; see [`super::is_noise`].
    pub fn is_noise(self) -> bool {
        self.index() < NOISE.len()
    }
}

/// Returns the hash of a stem.
pub fn stem_hash(stem: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(stem.as_bytes())
}

/// Reduces words to stems. A stemmer has its own cache and is not shared between threads.
pub struct Stemmer {
    porter: Porter,
    /// Stem number of each word that occurred before.
    seen: FxHashMap<Box<str>, StemNumber>,
    /// Number of each stem that is not noise, indexed by the stem's hash. For the probability of
    /// collisions, see `names`.
    by_hash: FxHashMap<u64, StemNumber>,
    /// Text of each stem, indexed by stem number.
    texts: Vec<Box<str>>,
    /// Hash of each stem, indexed by stem number.
    hashes: Vec<u64>,
    /// Range in `words_of_names` with the stems of each name, indexed by the name's hash. The
    /// probability that any two of a million names share a hash is 3e-8.
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
    /// Returns the stem of a lower-case word. A word with digits or non-ASCII letters is returned
    /// unchanged.
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

    /// Appends the stem number of every word of `text`, in the order of [`super::words`].
    pub fn numbers(&mut self, text: &str, out: &mut Vec<StemNumber>) {
        for name in names(text) {
            self.name(name, out);
        }
    }

    /// Appends the stem number of each word in a name.
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

    /// Returns the stem with the given number, which must come from this stemmer.
    pub fn word(&self, number: StemNumber) -> StemmedWord<'_> {
        let at = number.index();
        StemmedWord { text: &self.texts[at], hash: self.hashes[at], is_noise: number.is_noise() }
    }

    /// Returns the hash of the stem with the given number, which must come from this stemmer.
    pub fn hash(&self, number: StemNumber) -> u64 {
        self.hashes[number.index()]
    }

    /// Returns the number of stems.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Clears the cache, and invalidates all numbers, if too many names are cached.
    pub(super) fn clear_texts(&mut self) {
        if self.names.len() > MAX_NAMES || self.texts.len() > MAX_NAMES {
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
        let american = with_ize(word);
        let stem = if word.len() > 2 && word.bytes().all(|b| b.is_ascii_lowercase()) {
            self.porter.stem(&american)
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
    use crate::{is_noise, words};

    #[test]
    fn forms_of_a_word_share_a_stem() {
        let mut stemmer = Stemmer::default();
        let stem = stemmer.stem("decorate").to_owned();
        for form in ["decorated", "decorates", "decorating"] {
            assert_eq!(stemmer.stem(form), stem);
        }
    }

    #[test]
    fn keeps_words_with_digits() {
        assert_eq!(Stemmer::default().stem("utf8"), "utf8");
        assert_eq!(Stemmer::default().stem("größen"), "größen");
    }

    #[test]
    fn cached_stems_equal_the_stems_of_the_words() {
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
