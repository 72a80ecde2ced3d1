//! Words of a question and of code as numbers, and how near each word of code lies to each word of the question.
//!
//! Price: each distinct word of code is compared with each of the question once: 2,000 by 60 take about 5 ms

use super::table::{WordId, WordTable, length, product};
use crate::text::{Stemmer, is_noise, is_stop_word, plain_words};
use rustc_hash::FxHashMap;

/// Words that most descriptions or most functions hold: they tell no function from another.
const COMMON_WORDS: &[&str] = &[
    "if",
    "else",
    "for",
    "not",
    "no",
    "to",
    "from",
    "with",
    "is",
    "use",
    "used",
    "using",
    "any",
    "all",
    "each",
    "other",
    "only",
    "function",
    "method",
    "code",
    "input",
    "output",
    "purpose",
    "procedure",
    "given",
    "return",
    "def",
    "fn",
];

/// A stem, by the order in which it was first read.
pub type Stem = u32;

/// All stems read so far.
pub struct Lexicon {
    table: WordTable<'static>,
    stemmer: Stemmer,
    numbers: FxHashMap<Box<str>, Stem>,
    known: Vec<Option<WordId>>,
    /// The stems of the question, in order: what [`Self::near`] compares with.
    asked: Vec<Stem>,
    /// By stem: how near it lies to each stem of the question; empty until asked for.
    near: Vec<Vec<f32>>,
}

impl Default for Lexicon {
    fn default() -> Self {
        Self {
            table: WordTable::builtin(),
            stemmer: Stemmer::default(),
            numbers: FxHashMap::default(),
            known: Vec::new(),
            asked: Vec::new(),
            near: Vec::new(),
        }
    }
}

impl Lexicon {
    /// The stems of a text, in order. Words of one letter and those that say nothing are left out.
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

    /// Sets the stems that others are compared with.
    pub fn ask(&mut self, asked: Vec<Stem>) {
        self.asked = asked;
        self.near.clear();
    }

    /// How near a stem lies to each stem of the question: 0 to 1; a stem without a vector is near itself only.
    pub fn near(&mut self, stem: Stem) -> &[f32] {
        if self.near.len() < self.known.len() {
            self.near.resize(self.known.len(), Vec::new());
        }
        if self.near[stem as usize].is_empty() {
            self.near[stem as usize] = self.asked.iter().map(|&other| self.cosine(stem, other)).collect();
        }
        &self.near[stem as usize]
    }

    fn cosine(&self, a: Stem, b: Stem) -> f32 {
        if a == b {
            return 1.0;
        }
        let (Some(a), Some(b)) = (self.known[a as usize], self.known[b as usize]) else { return 0.0 };
        let (a, b) = (self.table.vector(a), self.table.vector(b));
        (product(a, b) as f32 / (length(a) * length(b))).clamp(0.0, 1.0)
    }

    /// How much a stem counts in code; 0 for one without a vector.
    pub fn document_weight(&self, stem: Stem) -> f32 {
        self.known[stem as usize].map_or(0.0, |word| self.table.document_weight(word))
    }

    /// The unit vector of a text as it is asked, or as it stands in code; none if no stem has a vector.
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

/// The distinct stems of a list, in order of first occurrence.
pub fn distinct(stems: &[Stem]) -> Vec<Stem> {
    let mut seen = rustc_hash::FxHashSet::default();
    stems.iter().copied().filter(|&stem| seen.insert(stem)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_gives_the_stems_of_its_parts() {
        let mut lexicon = Lexicon::default();
        assert_eq!(lexicon.read("mergeStrings(self)"), lexicon.read("merging the string"));
    }

    #[test]
    fn words_of_one_meaning_are_near() {
        let mut lexicon = Lexicon::default();
        let asked = lexicon.read("delete socket zzqx");
        lexicon.ask(asked.clone());
        let [remove, unknown] = lexicon.read("remove zzqx")[..] else { panic!("two words") };
        let near = lexicon.near(remove).to_vec();
        assert!(near[0] > near[1] + 0.2 && near[2] == 0.0);
        assert_eq!(lexicon.near(unknown)[2], 1.0);
    }
}
