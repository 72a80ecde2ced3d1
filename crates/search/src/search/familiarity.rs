//! Measures how usual the words of a question are in the searched repository and in other
//! repositories.
//!
//! A question about another repository uses words that are usual elsewhere but rare here, and lacks
//! the words that are typical of this repository.
//!
//! How usual a word is elsewhere follows from its place in the table of word vectors, which is
//! sorted by frequency: by Zipf's law, the logarithm of the frequency falls linearly with the
//! logarithm of the place.

use super::counts::CorpusStatistics;
use super::question::Question;
use super::weights::{SIZES, TYPICAL_WORDS, ZIPF_OFFSET};
use whichfn_index::wordvec::WordTable;

/// Number of values in a [`Familiarity`].
pub const FAMILIARITY: usize = 5;

/// Names of the values, which are confidence signals.
pub(super) const FAMILIARITY_NAMES: [&str; FAMILIARITY] =
    ["usual here", "usual elsewhere", "unknown", "typical", "size"];

/// How usual the words of a question are:
///
/// - mean logarithm of the share of definitions that contain a word
/// - mean logarithm of a word's place among all words by frequency
/// - share of the words that no definition contains, not even as a synonym
/// - mean of the sum of the first two values for the words that are most typical of the repository
/// - logarithm of the number of definitions, within the range that the weights were learned from
pub type Familiarity = [f32; FAMILIARITY];

/// Computes how usual the words of a question are; zeros for a question without words.
pub(super) fn familiarity(question: &Question, counts: &CorpusStatistics) -> Familiarity {
    let table = WordTable::builtin();
    let definitions = counts.totals.definitions as f32;
    let place = |stem: &str| table.number(stem).map_or(table.len(), |word| usize::from(word.0)) as f32;
    let (mut all, mut here, mut elsewhere, mut unknown) = (0.0, 0.0, 0.0, 0.0);
    let mut typical: Vec<f32> = Vec::with_capacity(question.terms.len());
    for (term, frequency) in question.terms.iter().zip(&counts.frequencies) {
        let in_definitions = ((*frequency as f32 + 0.5) / (definitions + 1.0)).ln();
        let in_table = (place(&term.stem) + ZIPF_OFFSET).ln();
        all += term.weight;
        here += term.weight * in_definitions;
        elsewhere += term.weight * in_table;
        unknown += term.weight * f32::from(*frequency == 0);
        typical.push(in_definitions + in_table);
    }
    if typical.is_empty() || all <= 0.0 {
        return Familiarity::default();
    }
    typical.sort_by(|a, b| b.total_cmp(a));
    typical.truncate(TYPICAL_WORDS);
    let typical = typical.iter().sum::<f32>() / typical.len() as f32;
    [here / all, elsewhere / all, unknown / all, typical, definitions.clamp(SIZES.0, SIZES.1).ln()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_index::store::FieldTotals;

    fn of(frequencies: &[u64]) -> Familiarity {
        let totals = FieldTotals { definitions: 1000, ..FieldTotals::default() };
        let counts = CorpusStatistics { totals, frequencies: frequencies.to_vec() };
        familiarity(&Question::read("renew session token"), &counts)
    }

    #[test]
    fn words_of_the_repository_are_usual_and_typical() {
        let [own, foreign] = [of(&[20, 300, 40]), of(&[2, 0, 1])];
        assert!(own[0] > foreign[0] && own[3] > foreign[3], "{own:?} {foreign:?}");
        assert_eq!(own[1], foreign[1], "elsewhere, the words are equally usual");
        assert_eq!((own[2], foreign[2]), (0.0, 1.0 / 3.0));
    }

    #[test]
    fn question_without_words_has_finite_values() {
        let values = familiarity(&Question::default(), &CorpusStatistics::default());
        assert!(values.iter().all(|value| value.is_finite()));
    }
}
