//! Numbers for the words of a question and of code, and the similarity of each word of code to each
//! word of the question.
//!
//! - **Cost:** each distinct word of code is compared with each word of the question once: 2,000 by
//!   60 take about 5 ms

use super::table::{WordId, WordTable, length, product};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use whichfn_text::{Stemmer, is_noise, is_stop_word, plain_words, word_list};

/// Words in most descriptions or most functions, which do not distinguish one function from
/// another.
static COMMON_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("common_words.txt")));

/// A stem, numbered in the order of first occurrence.
pub type Stem = u32;

/// All stems read so far.
pub struct Lexicon {
    table: WordTable<'static>,
    stemmer: Stemmer,
    numbers: FxHashMap<Box<str>, Stem>,
    known: Vec<Option<WordId>>,
    /// Stems of the question, in order, for [`Self::similarities`].
    queried: Vec<Stem>,
    /// Similarities to each stem of the question, indexed by stem; empty until computed.
    similarities: Vec<Vec<f32>>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            table: WordTable::builtin(),
            stemmer: Stemmer::default(),
            numbers: FxHashMap::default(),
            known: Vec::new(),
            queried: Vec::new(),
            similarities: Vec::new(),
        }
    }
}

impl Lexicon {
    /// Returns the stems of a string, in order. Leaves out words of one letter, stop words and
    /// other words without meaning.
    pub fn read(&mut self, text: &str) -> Vec<Stem> {
        let mut out = Vec::new();
        plain_words(text, |word| {
            if word.len() > 1 && !is_noise(word) && !is_stop_word(word) && !COMMON_WORDS.contains(&word) {
                let stem = self.stemmer.stem(word);
                out.push(match self.numbers.get(stem) {
                    Some(&number) => number,
                    None => {
                        let number = self.known.len() as Stem;
                        self.numbers.insert(stem.into(), number);
                        self.known.push(self.table.number(stem));
                        number
                    }
                });
            }
        });
        out
    }

    /// Sets the stems of the question, with which other stems are compared.
    pub fn set_queried(&mut self, queried: Vec<Stem>) {
        self.queried = queried;
        self.similarities.clear();
    }

    /// Returns the similarity of a stem to each stem of the question, from 0 to 1. A stem without a
    /// vector is similar to itself only.
    pub fn similarities(&mut self, stem: Stem) -> &[f32] {
        if self.similarities.len() < self.known.len() {
            self.similarities.resize(self.known.len(), Vec::new());
        }
        if self.similarities[stem as usize].is_empty() {
            self.similarities[stem as usize] = self.queried.iter().map(|&other| self.cosine(stem, other)).collect();
        }
        &self.similarities[stem as usize]
    }

    fn cosine(&self, a: Stem, b: Stem) -> f32 {
        if a == b {
            return 1.0;
        }
        let (Some(a), Some(b)) = (self.known[a as usize], self.known[b as usize]) else { return 0.0 };
        let (a, b) = (self.table.vector(a), self.table.vector(b));
        (product(a, b) as f32 / (length(a) * length(b))).clamp(0.0, 1.0)
    }

    /// Returns the weight of a stem in code; 0 for one without a vector.
    pub fn document_weight(&self, stem: Stem) -> f32 {
        self.known[stem as usize].map_or(0.0, |word| self.table.document_weight(word))
    }

    /// Returns the unit vector of a string, weighted as a question or as code; `None` if no stem
    /// has a vector.
    pub fn vector(&self, stems: &[Stem], is_asked: bool) -> Option<Vec<f32>> {
        let mut sum = vec![0f32; self.table.dimensions()];
        for word in stems.iter().filter_map(|&stem| self.known[stem as usize]) {
            let weight = if is_asked { self.table.query_weight(word) } else { self.table.document_weight(word) };
            sum.iter_mut().zip(self.table.vector(word)).for_each(|(sum, &x)| *sum += weight * f32::from(x));
        }
        let length = sum.iter().map(|x| x * x).sum::<f32>().sqrt();
        (length > 0.0).then(|| sum.iter().map(|x| x / length).collect())
    }
}

/// Returns the distinct stems of a list, in order of first occurrence.
pub fn distinct(stems: &[Stem]) -> Vec<Stem> {
    let mut seen = rustc_hash::FxHashSet::default();
    stems.iter().copied().filter(|&stem| seen.insert(stem)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifier_yields_the_stems_of_its_parts() {
        let mut lexicon = Lexicon::default();
        assert_eq!(lexicon.read("mergeStrings(self)"), lexicon.read("merging the string"));
    }

    #[test]
    fn synonyms_are_similar() {
        let mut lexicon = Lexicon::default();
        let queried = lexicon.read("delete socket zzqx");
        lexicon.set_queried(queried.clone());
        let [remove, unknown] = lexicon.read("remove zzqx")[..] else { panic!("two words") };
        let similarities = lexicon.similarities(remove).to_vec();
        assert!(similarities[0] > similarities[1] + 0.2 && similarities[2] == 0.0);
        assert_eq!(lexicon.similarities(unknown)[2], 1.0);
    }
}
