//! Word statistics for BM25F, over everything that is ranked together.
//!
//! The counts of several indexes add up, so that the indexes can be ranked as one. When one index
//! changes, only the difference is added to the sum.

use super::field::DocumentField;
use serde::{Deserialize, Serialize};
use whichfn_index::store::FieldTotals;

/// Number of ranked definitions, their total lengths, and the document frequency of each term.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CorpusStatistics {
    /// Number of definitions, and number of their words in each field.
    pub totals: FieldTotals,
    /// Number of definitions that contain a term in one of their own fields, indexed by term of the
    /// question.
    ///
    /// For a word that no index contains, this is the number of definitions that contain one of its
    /// synonyms ([`Self::unknown_terms`]).
    pub frequencies: Vec<u64>,
}

impl CorpusStatistics {
    /// Adds the counts of another index or group of indexes.
    pub fn add(&mut self, other: &Self) {
        self.totals = self.totals.plus(other.totals);
        self.frequencies.resize(self.frequencies.len().max(other.frequencies.len()), 0);
        self.frequencies.iter_mut().zip(&other.frequencies).for_each(|(sum, count)| *sum += count);
    }

    /// Returns the positions in the question of the terms that no index contains.
    ///
    /// Such a term counts as being as rare as its synonyms, which are counted in its place.
    pub fn unknown_terms(&self) -> Vec<usize> {
        (0..self.frequencies.len()).filter(|&term| self.frequencies[term] == 0).collect()
    }

    /// Adds the synonym counts of an index to the frequencies of the given terms.
    pub fn add_synonyms(&mut self, terms: &[usize], counts: &[u64]) {
        for (&term, count) in terms.iter().zip(counts) {
            if let Some(sum) = self.frequencies.get_mut(term) {
                *sum += count;
            }
        }
    }

    /// Returns the counts for the first `terms` terms of the question.
    pub(super) fn first(&self, terms: usize) -> Self {
        Self { totals: self.totals, frequencies: self.frequencies.iter().copied().take(terms).collect() }
    }

    /// Returns the mean number of words per definition, indexed by [`DocumentField`].
    pub(super) fn average_lengths(&self) -> [f32; DocumentField::COUNT] {
        let mut averages = [0.0; DocumentField::COUNT];
        let sums = self.totals.own.iter().chain(&self.totals.through_calls);
        for (average, &sum) in averages.iter_mut().zip(sums) {
            *average = (sum as f64 / self.totals.definitions.max(1) as f64).max(1e-3) as f32;
        }
        averages
    }

    /// Returns the inverse document frequency of a term, as in BM25, but never below 0.
    pub(super) fn inverse_document_frequency(&self, term: usize) -> f32 {
        let frequency = self.frequencies.get(term).copied().unwrap_or_default();
        let (n, df) = (self.totals.definitions as f32, frequency as f32);
        (1.0 + (n - df + 0.5).max(0.0) / (df + 0.5)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(definitions: u64, frequencies: &[u64]) -> CorpusStatistics {
        CorpusStatistics {
            totals: FieldTotals { definitions, ..FieldTotals::default() },
            frequencies: frequencies.to_vec(),
        }
    }

    #[test]
    fn counts_add_up_in_any_order() {
        let parts = [counts(3, &[1, 0]), counts(5, &[0, 0]), counts(2, &[2, 0])];
        let sum = |order: [usize; 3]| {
            order.into_iter().fold(CorpusStatistics::default(), |mut sum, part| {
                sum.add(&parts[part]);
                sum
            })
        };
        assert_eq!(sum([0, 1, 2]), counts(10, &[3, 0]));
        assert_eq!(sum([0, 1, 2]), sum([2, 0, 1]));
    }

    #[test]
    fn unknown_word_is_as_rare_as_its_synonyms() {
        let mut sum = counts(10, &[3, 0]);
        assert_eq!(sum.unknown_terms(), [1]);
        sum.add_synonyms(&[1], &[4]);
        sum.add_synonyms(&[1], &[2]);
        assert_eq!(sum.frequencies, [3, 6]);
    }
}
