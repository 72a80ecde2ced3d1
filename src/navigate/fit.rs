//! How well a text fits a question: which of the question's words it holds, rare ones counting more; a synonym or a word
//! of near meaning counts in part.
//!
//! Price:    each distinct word is compared with the question's once, then remembered: 24 words times 256 bytes

use crate::search::Question;
use crate::text::{Stemmer, synonyms};
use crate::vectors::{WordTable, product};
use rustc_hash::FxHashMap;

/// What a synonym counts, against the word itself.
const SYNONYM: f32 = 0.5;
/// Words whose vectors lie further apart than this cosine have nothing to do with each other.
const NEAR: f32 = 0.4;
/// What a near word counts, times its cosine.
const MEANING: f32 = 0.5;

/// A question, ready to be held against texts.
pub(super) struct Fit {
    table: WordTable<'static>,
    /// Stem, what it counts, and its vector with its length.
    terms: Vec<(String, f32, Option<(&'static [i8], f32)>)>,
    /// What all terms count together.
    all: f32,
    stemmer: Stemmer,
    /// By stem of a text: the terms that it speaks for, and how much.
    known: FxHashMap<Box<str>, Vec<(u16, f32)>>,
}

impl Fit {
    /// `weights` are those of the question's terms.
    pub fn new(question: &Question, weights: &[f32]) -> Self {
        let table = WordTable::builtin();
        let vector = |stem: &str| table.number(stem).map(|word| table.vector(word)).map(|v| (v, length(v)));
        let terms: Vec<_> =
            question.terms.iter().zip(weights).map(|(term, &w)| (term.stem.clone(), w, vector(&term.stem))).collect();
        let all = terms.iter().map(|term| term.1).sum::<f32>().max(f32::MIN_POSITIVE);
        Self { table, terms, all, stemmer: Stemmer::default(), known: FxHashMap::default() }
    }

    /// 0 to 1: the share of the question that a text holds.
    pub fn of(&mut self, text: &str) -> f32 {
        let mut held = vec![0f32; self.terms.len()];
        let (table, terms, known) = (&self.table, &self.terms, &mut self.known);
        self.stemmer.stems(text, |stem| {
            if stem.is_noise {
                return;
            }
            if !known.contains_key(&stem.text) {
                known.insert(stem.text.clone(), speaks_for(table, terms, &stem.text));
            }
            for &(term, much) in known.get(&stem.text).into_iter().flatten() {
                let held = &mut held[usize::from(term)];
                *held = held.max(much);
            }
        });
        held.iter().zip(&self.terms).map(|(held, term)| held * term.1).sum::<f32>() / self.all
    }
}

fn speaks_for(
    table: &WordTable<'static>,
    terms: &[(String, f32, Option<(&'static [i8], f32)>)],
    stem: &str,
) -> Vec<(u16, f32)> {
    let others = synonyms(stem);
    let own = table.number(stem).map(|word| table.vector(word)).map(|vector| (vector, length(vector)));
    let much = |(term, _, vector): &(String, f32, Option<(&'static [i8], f32)>)| {
        if term == stem {
            return 1.0;
        }
        let named = if others.contains(term) { SYNONYM } else { 0.0 };
        let cosine = own.zip(*vector).map_or(0.0, |((a, la), (b, lb))| product(a, b) as f32 / (la * lb));
        let near = if cosine > NEAR { MEANING * cosine } else { 0.0 };
        f32::max(named, near)
    };
    terms.iter().enumerate().map(|(at, term)| (at as u16, much(term))).filter(|&(_, much)| much > 0.0).collect()
}

fn length(vector: &[i8]) -> f32 {
    (product(vector, vector) as f32).sqrt().max(1.0)
}
