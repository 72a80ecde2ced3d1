//! Scores definitions with BM25F over their fields, before related definitions are taken into
//! account.
//!
//! - **Implements:** Robertson, Zaragoza: The Probabilistic Relevance Framework (2009), section 3.6
//!
//!   ```text
//!   score(d) = sum over terms of  weight * idf * (k1 + 1) * tf' / (k1 + tf')
//!   tf'      = sum over fields of  w_f * tf_f / (1 - b_f + b_f * length_f / average_f)
//!   ```
//! - **Cost:** one pass over the postings of the question's terms; 1 to 3 ms on 20,000 definitions
//! - **Differs from the paper:** three fields are not stored but derived from call edges: the names
//!   and first doc sentences of the callers, and the first doc sentences of the callees. A word in
//!   a function's name is a word in the caller-names field of every function that it calls. A
//!   change to a caller therefore never touches the documents of its callees.
//! - **Alternatives:** tantivy's own scores, but k1 and b are fixed there, and its counts include
//!   deleted documents
//! - **Tested by:** `tests/refresh.rs`: a refreshed index equals a rebuilt one, bit for bit

use super::corpus::Corpus;
use super::counts::CorpusStatistics;
use super::field::DocumentField;
use super::postings::{FieldPostings, QuestionPostings};
use super::question::{Question, Term};
use super::weights::{FieldWeight, Weights};
use std::sync::Arc;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Field;

/// Contribution of one term in one field to the score of a definition or window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TermScore {
    /// Index of the term in [`Question::terms`].
    pub term: usize,
    /// Field that contains the term.
    pub field: DocumentField,
    /// Number of occurrences in the field; an occurrence of a synonym counts as
    /// [`Weights::synonym`].
    pub count: f32,
    /// Contribution to the score. The contributions of all terms and fields add up to the BM25F
    /// score.
    pub score: f32,
}

/// Matches of one term in one field of a definition.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FieldMatch {
    /// Number of occurrences in the field; an occurrence of a synonym counts as
    /// [`Weights::synonym`].
    pub count: f32,
    /// Contribution of these occurrences to the score.
    pub score: f32,
}

/// Matches of one term in all fields of a definition, indexed by [`DocumentField`].
pub(super) type TermMatches = [FieldMatch; DocumentField::COUNT];

/// BM25F scores of all definitions of a corpus, with the data to explain them.
pub(super) struct Scores<'g> {
    weights: Weights,
    graph: &'g GraphFile,
    corpus: Corpus<'g>,
    postings: QuestionPostings,
    /// Mean number of words per ranked definition, indexed by [`DocumentField`].
    average_lengths: [f32; DocumentField::COUNT],
    /// Inverse document frequency of each term, times its weight in the question.
    term_weights: Vec<f32>,
    /// BM25F scores, indexed by definition; 0 for a definition that contains none of the terms.
    pub scores: Vec<f32>,
    /// Numbers of the definitions with a score above 0, in ascending order.
    pub found: Vec<u32>,
}

impl<'g> Scores<'g> {
    /// Scores all definitions in the corpus.
    ///
    /// `counts` covers everything that is ranked, which may be more than this corpus.
    pub fn new(
        weights: Weights,
        question: &Question,
        graph: &'g GraphFile,
        corpus: Corpus<'g>,
        postings: QuestionPostings,
        counts: &CorpusStatistics,
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

    /// Adds the contribution of one term to the scores.
    ///
    /// `frequencies` (tf', indexed by definition) must contain only zeros, and is all zeros again
    /// afterwards.
    fn add_term(&mut self, weight: f32, postings: &FieldPostings, frequencies: &mut [f32]) {
        let mut matched: Vec<u32> = Vec::new();
        for field in self.weights.used_fields() {
            for &(id, count) in &postings[field.number()] {
                if !self.corpus.is_member(DefinitionId(id)) {
                    continue;
                }
                let frequency = &mut frequencies[id as usize];
                if *frequency == 0.0 {
                    matched.push(id);
                }
                *frequency += count * self.occurrence_weight(DefinitionId(id), field);
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

    /// Returns the weight of one occurrence in a field of a definition: the field's weight, reduced
    /// if the field is long.
    fn occurrence_weight(&self, id: DefinitionId, field: DocumentField) -> f32 {
        let FieldWeight { weight, b } = self.weights.fields[field.number()];
        let length = match field {
            DocumentField::Own(field) => f32::from(self.graph.lengths(id)[field as usize]),
            through => self.graph.call_field_lengths(id)[through.number() - Field::COUNT] as f32,
        };
        weight / (1.0 - b + b * length / self.average_lengths[field.number()])
    }

    /// Returns the best score, or 0 if no definition was found.
    pub fn best(&self) -> f32 {
        self.found.iter().map(|&id| self.scores[id as usize]).fold(0.0, f32::max)
    }

    /// Returns the constants with which the scores were computed.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Checks whether a definition is ranked.
    pub fn is_member(&self, id: DefinitionId) -> bool {
        self.corpus.is_member(id)
    }

    /// Returns the share of the words in each definition's name that occur in the question, indexed
    /// by definition.
    ///
    /// A share is in [0, 1], but can exceed 1 if a word counts twice.
    pub fn name_coverage(&self) -> Vec<f32> {
        let mut coverage = vec![0f32; self.scores.len()];
        let names = self.postings.0.iter().flat_map(|postings| &postings[Field::Name as usize]);
        for &(id, count) in names {
            let words = self.graph.lengths(DefinitionId(id))[Field::Name as usize];
            coverage[id as usize] += count / f32::from(words).max(1.0);
        }
        coverage
    }

    /// Returns the inverse document frequency times the weight in the question, indexed by term.
    pub fn term_weights(&self) -> &[f32] {
        &self.term_weights
    }

    /// Returns the matches of each term in each field of the given definitions, indexed by
    /// definition, then by term.
    pub fn matches(&self, ids: &[DefinitionId]) -> Vec<Vec<TermMatches>> {
        let terms = self.term_weights.len();
        let mut rows = vec![vec![[FieldMatch::default(); DocumentField::COUNT]; terms]; ids.len()];
        // Indexed by definition, because a long question has millions of postings.
        let mut row_of = vec![u32::MAX; self.scores.len()];
        ids.iter().zip(0..).for_each(|(id, row)| row_of[id.index()] = row);
        for (term, postings) in self.postings.0.iter().enumerate() {
            for (field, list) in postings.iter().enumerate() {
                for &(id, count) in list {
                    if let Some(row) = rows.get_mut(row_of[id as usize] as usize) {
                        row[term][field].count = count;
                    }
                }
            }
        }
        let k1 = self.weights.k1;
        for (id, row) in ids.iter().zip(&mut rows) {
            for (fields, term_weight) in row.iter_mut().zip(&self.term_weights) {
                for (field, cell) in
                    DocumentField::ALL.into_iter().zip(fields.iter_mut()).filter(|(_, c)| c.count > 0.0)
                {
                    cell.score = cell.count * self.occurrence_weight(*id, field);
                }
                let tf: f32 = fields.iter().map(|cell| cell.score).sum();
                fields.iter_mut().for_each(|cell| cell.score *= term_weight * (k1 + 1.0) / (k1 + tf));
            }
        }
        rows
    }

    /// Returns the contribution of each term and field to the score of one definition, largest
    /// first.
    pub fn term_scores(&self, id: DefinitionId) -> Vec<TermScore> {
        let (k1, mut out) = (self.weights.k1, Vec::new());
        for (term, postings) in self.postings.0.iter().enumerate() {
            let fields: Vec<(DocumentField, f32, f32)> = DocumentField::ALL
                .into_iter()
                .filter_map(|field| {
                    let list = &postings[field.number()];
                    let at = list.binary_search_by_key(&id.0, |&(id, _)| id).ok()?;
                    let weight = self.occurrence_weight(id, field);
                    Some((field, list[at].1, list[at].1 * weight))
                })
                // A field can have a weight of 0.
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

/// Computes the inverse document frequency times the weight in the question, indexed by term.
pub(super) fn term_weights(question: &Question, counts: &CorpusStatistics) -> Vec<f32> {
    let weight = |(at, term): (usize, &Term)| term.weight * counts.inverse_document_frequency(at);
    question.terms.iter().enumerate().map(weight).collect()
}
