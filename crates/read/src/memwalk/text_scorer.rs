//! Scores how well text fits a question, by the share of the question's words that it contains.
//! Rare words weigh more; a synonym or a word with a similar meaning counts in part.
//!
//! - **Cost:** each distinct word is compared with the question once and then cached; a comparison
//!   takes 24 words times 256 bytes.

use rustc_hash::FxHashMap;
use whichfn_index::wordvec::{WordTable, length, product};
use whichfn_search::search::Question;
use whichfn_text::{Stemmer, synonyms};

/// Score of a synonym, relative to 1 for the word itself.
const SYNONYM: f32 = 0.5;
/// Cosine above which two words are related. A similarity below it counts as zero.
const NEAR: f32 = 0.3;
/// Factor applied to the cosine of a related word.
const MEANING: f32 = 0.5;

/// A term of the question.
struct ScorerTerm {
    stem: String,
    /// Weight of the term; higher for rarer terms.
    weight: f32,
    vector: Option<Vector>,
}

/// A word vector and its length.
type Vector = (&'static [i8], f32);

/// Scores text for one question.
pub(super) struct TextScorer {
    table: WordTable<'static>,
    terms: Vec<ScorerTerm>,
    /// Sum of all weights, which is above 0.
    all: f32,
    stemmer: Stemmer,
    /// Terms that each stem matches, with their scores, cached by stem.
    known: FxHashMap<Box<str>, Vec<(u16, f32)>>,
}

impl TextScorer {
    /// Creates a scorer for a question. `weights` contains the weight of each term.
    pub fn new(question: &Question, weights: &[f32]) -> Self {
        let table = WordTable::builtin();
        let terms = question.terms.iter().zip(weights).map(|(term, &weight)| ScorerTerm {
            stem: term.stem.clone(),
            weight,
            vector: vector(&table, &term.stem),
        });
        let terms: Vec<ScorerTerm> = terms.collect();
        let all = terms.iter().map(|term| term.weight).sum::<f32>().max(f32::MIN_POSITIVE);
        Self { table, terms, all, stemmer: Stemmer::default(), known: FxHashMap::default() }
    }

    /// Returns the weighted share of the question's terms that the text contains, from 0 to 1.
    pub fn score(&mut self, text: &str) -> f32 {
        let mut held = vec![0f32; self.terms.len()];
        let (table, terms, known) = (&self.table, &self.terms, &mut self.known);
        self.stemmer.stems(text, |stem| {
            if stem.is_noise {
                return;
            }
            if !known.contains_key(stem.text) {
                known.insert(stem.text.into(), similar_terms(table, terms, stem.text));
            }
            for &(term, much) in known.get(stem.text).into_iter().flatten() {
                let held = &mut held[usize::from(term)];
                *held = held.max(much);
            }
        });
        held.iter().zip(&self.terms).map(|(held, term)| held * term.weight).sum::<f32>() / self.all
    }
}

/// Returns the terms that a stem matches, each with its score in (0, 1].
fn similar_terms(table: &WordTable<'static>, terms: &[ScorerTerm], stem: &str) -> Vec<(u16, f32)> {
    let (others, own) = (synonyms(stem), vector(table, stem));
    let much = |term: &ScorerTerm| {
        if term.stem == stem {
            return 1.0;
        }
        let synonym = if others.contains(&term.stem) { SYNONYM } else { 0.0 };
        let cosine =
            own.zip(term.vector).map_or(0.0, |(own, terms)| product(own.0, terms.0) as f32 / (own.1 * terms.1));
        let near = if cosine > NEAR { MEANING * cosine } else { 0.0 };
        f32::max(synonym, near)
    };
    terms.iter().enumerate().map(|(at, term)| (at as u16, much(term))).filter(|&(_, much)| much > 0.0).collect()
}

fn vector(table: &WordTable<'static>, stem: &str) -> Option<Vector> {
    let vector = table.vector(table.number(stem)?);
    Some((vector, length(vector)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(question: &str) -> TextScorer {
        let question = Question::read(question);
        let weights: Vec<f32> = question.terms.iter().map(|term| term.weight).collect();
        TextScorer::new(&question, &weights)
    }

    #[test]
    fn exact_words_score_higher_than_similar_ones() {
        let mut fit = fit("remove a directory");
        let (same, like, other) = (fit.score("remove_directory"), fit.score("delete_dir"), fit.score("paint_wall"));
        assert_eq!(same, 1.0);
        assert!(like < same && other < like, "{same} {like} {other}");
    }

    #[test]
    fn repeated_words_count_once() {
        let mut fit = fit("remove a directory");
        assert_eq!(fit.score("remove"), fit.score("remove remove remove"));
        assert_eq!(fit.score(""), 0.0);
    }
}
