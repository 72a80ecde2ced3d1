//! The independent score: BM25F of a definition's fields against the question.
//!
//! Paper:     Robertson, Zaragoza: The Probabilistic Relevance Framework (2009), section 3.6
//!            score(d) = sum over terms of  weight * idf * (k1 + 1) * tf' / (k1 + tf'),
//!            tf' = sum over fields of  w_f * tf_f / (1 - b_f + b_f * length_f / average_f)
//! Price:     one pass over the postings of the question's terms; 1 to 3 ms on 20,000 definitions
//! Departs:   three fields are not stored but had through call edges: the names and first doc sentences of callers, and
//!            those of callees. A word in a function's name is a word in the caller-names field of all that it calls.
//!            So a change to a caller never touches the documents of what it calls.
//! Why not:   tantivy's own scores: k1 and b are fixed, and its counts include deleted documents
//! Checked:   `tests/refresh.rs`: refreshed = built anew, bit for bit

use super::corpus::Corpus;
use super::counts::WordCounts;
use super::field::DocumentField;
use super::postings::{FieldPostings, QuestionPostings};
use super::question::{Question, Term};
use super::weights::{FieldWeight, Weights};
use crate::ids::DefinitionId;
use crate::parse::Field;
use crate::store::GraphFile;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What one term adds to the score of a definition or window through one field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermScore {
    /// Number of the term in [`Question::terms`].
    pub term: usize,
    /// The field that it occurs in.
    pub field: DocumentField,
    /// Occurrences in the field; one of a synonym counts [`Weights::synonym`].
    pub count: f32,
    /// Its share of the score; the shares of all terms and fields add up to the BM25F score.
    pub score: f32,
}

/// One term in one field of a definition.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FieldMatch {
    /// Occurrences; one of a synonym counts [`Weights::synonym`].
    pub count: f32,
    /// What they add to the score.
    pub score: f32,
}

/// One term in all fields of a definition, by [`DocumentField`].
pub(super) type TermMatches = [FieldMatch; DocumentField::COUNT];

/// BM25F of all definitions of a corpus, and what it was made of.
pub(super) struct Scores<'g> {
    weights: Weights,
    graph: &'g GraphFile,
    corpus: Corpus<'g>,
    postings: QuestionPostings,
    /// Mean number of words by [`DocumentField`], of all that is ranked.
    average_lengths: [f32; DocumentField::COUNT],
    /// Inverse document frequency times the question's own weight, by term.
    term_weights: Vec<f32>,
    /// BM25F by definition; 0 for those that hold no term.
    pub scores: Vec<f32>,
    /// Definitions with a score, in order.
    pub found: Vec<u32>,
}

impl<'g> Scores<'g> {
    /// `counts` are of all that is ranked, which may be more than this corpus.
    pub fn new(
        weights: Weights,
        question: &Question,
        graph: &'g GraphFile,
        corpus: Corpus<'g>,
        postings: QuestionPostings,
        counts: &WordCounts,
    ) -> Self {
        let count = graph.definition_count();
        let mut out = Self {
            weights,
            graph,
            corpus,
            postings,
            average_lengths: counts.average_lengths(),
            term_weights: term_weights(question, counts),
            scores: vec![0.0; count],
            found: Vec::new(),
        };
        let mut frequencies = vec![0f32; count];
        for term in 0..question.terms.len() {
            let postings = Arc::clone(&out.postings.0[term]);
            out.add_term(out.term_weights[term], &postings, &mut frequencies);
        }
        out.found.sort_unstable();
        out
    }

    /// Adds what one term counts. `frequencies` (tf' by definition) holds zeros, before and after.
    fn add_term(&mut self, weight: f32, postings: &FieldPostings, frequencies: &mut [f32]) {
        let mut matched: Vec<u32> = Vec::new();
        for of in self.weights.used_fields() {
            for &(id, count) in &postings[of.number()] {
                if !self.corpus.is_member(DefinitionId(id)) {
                    continue;
                }
                let frequency = &mut frequencies[id as usize];
                if *frequency == 0.0 {
                    matched.push(id);
                }
                *frequency += count * self.occurrence_weight(DefinitionId(id), of);
            }
        }
        let k1 = self.weights.k1;
        for id in matched {
            let tf = std::mem::take(&mut frequencies[id as usize]);
            let score = &mut self.scores[id as usize];
            if *score == 0.0 {
                self.found.push(id);
            }
            *score += weight * (k1 + 1.0) * tf / (k1 + tf);
        }
    }

    /// What one occurrence in a field of a definition counts: the field's weight, less for a long field.
    fn occurrence_weight(&self, id: DefinitionId, of: DocumentField) -> f32 {
        let FieldWeight { weight, b } = self.weights.fields[of.number()];
        let length = match of {
            DocumentField::Own(field) => f32::from(self.graph.lengths(id)[field as usize]),
            through => self.graph.call_field_lengths(id)[through.number() - Field::COUNT] as f32,
        };
        weight / (1.0 - b + b * length / self.average_lengths[of.number()])
    }

    /// The best of all scores; 0 where nothing is found.
    pub fn best(&self) -> f32 {
        self.found.iter().map(|&id| self.scores[id as usize]).fold(0.0, f32::max)
    }

    /// The constants that they were made with.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Whether a definition is ranked.
    pub fn is_member(&self, id: DefinitionId) -> bool {
        self.corpus.is_member(id)
    }

    /// By definition: which share of its name's words the question asks for, 0 to 1 or more if a word counts twice.
    pub fn name_coverage(&self) -> Vec<f32> {
        let mut coverage = vec![0f32; self.scores.len()];
        let names = self.postings.0.iter().flat_map(|postings| &postings[Field::Name as usize]);
        for &(id, count) in names {
            let words = self.graph.lengths(DefinitionId(id))[Field::Name as usize];
            coverage[id as usize] += count / f32::from(words).max(1.0);
        }
        coverage
    }

    /// Inverse document frequency times the question's own weight, by term.
    pub fn term_weights(&self) -> &[f32] {
        &self.term_weights
    }

    /// What each term finds in each field of some definitions: by definition, then by term.
    pub fn matches(&self, ids: &[DefinitionId]) -> Vec<Vec<TermMatches>> {
        let terms = self.term_weights.len();
        let mut rows = vec![vec![[FieldMatch::default(); DocumentField::COUNT]; terms]; ids.len()];
        let row_of: FxHashMap<u32, usize> = ids.iter().map(|id| id.0).zip(0..).collect();
        for (term, postings) in self.postings.0.iter().enumerate() {
            for (of, list) in postings.iter().enumerate() {
                for (id, count) in list {
                    if let Some(&row) = row_of.get(id) {
                        rows[row][term][of].count = *count;
                    }
                }
            }
        }
        let k1 = self.weights.k1;
        for (id, row) in ids.iter().zip(&mut rows) {
            for (fields, term_weight) in row.iter_mut().zip(&self.term_weights) {
                for (of, cell) in DocumentField::ALL.into_iter().zip(fields.iter_mut()).filter(|(_, c)| c.count > 0.0) {
                    cell.score = cell.count * self.occurrence_weight(*id, of);
                }
                let tf: f32 = fields.iter().map(|cell| cell.score).sum();
                fields.iter_mut().for_each(|cell| cell.score *= term_weight * (k1 + 1.0) / (k1 + tf));
            }
        }
        rows
    }

    /// What each term adds to the score of one definition, by field, the largest share first.
    pub fn term_scores(&self, id: DefinitionId) -> Vec<TermScore> {
        let (k1, mut out) = (self.weights.k1, Vec::new());
        for (term, postings) in self.postings.0.iter().enumerate() {
            let fields: Vec<(DocumentField, f32, f32)> = DocumentField::ALL
                .into_iter()
                .filter_map(|of| {
                    let list = &postings[of.number()];
                    let at = list.binary_search_by_key(&id.0, |&(id, _)| id).ok()?;
                    let weight = self.occurrence_weight(id, of);
                    Some((of, list[at].1, list[at].1 * weight))
                })
                // A field may count for nothing.
                .filter(|&(_, _, tf)| tf > 0.0)
                .collect();
            let tf: f32 = fields.iter().map(|&(_, _, tf)| tf).sum();
            let score = self.term_weights[term] * (k1 + 1.0) * tf / (k1 + tf);
            let of_field = |(field, count, share)| TermScore { term, field, count, score: score * share / tf };
            out.extend(fields.into_iter().map(of_field));
        }
        out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.term.cmp(&b.term)).then(a.field.cmp(&b.field)));
        out
    }
}

/// Inverse document frequency times the question's own weight, by term.
pub(super) fn term_weights(question: &Question, counts: &WordCounts) -> Vec<f32> {
    let weight = |(at, term): (usize, &Term)| term.weight * counts.inverse_document_frequency(at);
    question.terms.iter().enumerate().map(weight).collect()
}
