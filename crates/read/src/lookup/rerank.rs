//! Reranks the candidates in memory with a weighted sum of the search score and the features in
//! [`super::features`].
//!
//! **Source:** the weights are in `judge.toml` next to this file. `training/` learned them from the
//! questions of the learned order (`search::order`), with a softmax over the first candidates of a
//! question that maximizes the probability of the right candidate.
//!
//! **Cost:** computing the features; the cost of the sum is negligible.

use super::features::FeatureVector;
use std::sync::OnceLock;
use whichfn_search::search::{LearnedWeights, QuestionForm, log_odds_ahead, logistic};

const TEXT: &str = include_str!("judge.toml");

/// Number of candidates that are reranked. The weights were learned from lists with this length.
pub const RERANK_DEPTH: usize = 20;

/// Name of the search score among the features.
pub const SEARCH_SCORE: &str = "order";

fn tables() -> &'static LearnedWeights {
    static TABLES: OnceLock<LearnedWeights> = OnceLock::new();
    TABLES.get_or_init(|| LearnedWeights::read(TEXT))
}

/// Returns the contribution of each feature to a candidate's score, starting with the search score.
/// The list is empty if the file has no weights for the form.
pub fn shares(form: QuestionForm, searched: f32, features: &FeatureVector) -> Vec<(&'static str, f32)> {
    let Some(weights) = tables().table(form.name()) else { return Vec::new() };
    let all = std::iter::once((SEARCH_SCORE, searched)).chain(features.iter().copied());
    all.filter_map(|(name, value)| Some((name, weights.get(name)? * value))).collect()
}

/// Names of the signals from which the probability of the first candidate is computed. On folds,
/// whether the search and the reader agree adds nothing to them.
pub const READ_SIGNALS: [&str; 3] = ["always", "ahead", "searched"];

/// Limits of a probability, so that its logarithm is finite.
const PROBABILITIES: (f32, f32) = (0.005, 0.995);

/// Returns the signals of the candidate that is first after reading:
///
/// - the logarithm of its odds against all others together ([`log_odds_ahead`])
/// - the logarithm of the odds that the first result of the search is right, with the probability
///   `right`
///
/// `scores` are the scores of all candidates after reading.
pub fn read_signals(scores: &[f32], first: usize, right: f32) -> [f32; READ_SIGNALS.len()] {
    let score = scores.get(first).copied().unwrap_or_default();
    let right = right.clamp(PROBABILITIES.0, PROBABILITIES.1);
    [1.0, log_odds_ahead(scores, score), (right / (1.0 - right)).ln()]
}

/// Returns the probability that the first candidate after reading is right; `None` if the file has
/// no weights for the form.
pub fn chance_of_first(form: QuestionForm, signals: &[f32; READ_SIGNALS.len()]) -> Option<f32> {
    let weights = tables().table(&format!("right-{}", form.name()))?;
    let shares = READ_SIGNALS.iter().zip(signals);
    let sum: f32 = shares.map(|(name, signal)| weights.get(*name).copied().unwrap_or_default() * signal).sum();
    Some(logistic(sum))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lookup::{FEATURES, feature_names};

    #[test]
    fn the_weights_have_exactly_the_known_features() {
        let mut names: Vec<&str> = feature_names().chain([SEARCH_SCORE]).collect();
        names.sort_unstable();
        for form in QuestionForm::LEARNED {
            let known: Vec<&str> = tables().table(form.name()).expect("a table").keys().map(String::as_str).collect();
            assert_eq!(names, known, "{}", form.name());
        }
        assert!(FEATURES.iter().all(|feature| feature.scale > 0.0 && !feature.meaning.is_empty()));
    }

    #[test]
    fn the_probability_of_the_first_grows_with_its_lead_and_with_that_of_the_search() {
        for form in QuestionForm::LEARNED {
            let chance = |scores: &[f32], searched: f32| {
                chance_of_first(form, &read_signals(scores, 0, searched)).expect("weights")
            };
            assert!(chance(&[3.0, 1.0], 0.5) > chance(&[3.0, 2.9], 0.5), "{}", form.name());
            assert!(chance(&[3.0, 1.0], 0.9) > chance(&[3.0, 1.0], 0.5), "{}", form.name());
        }
    }

    #[test]
    fn signals_of_a_single_candidate_are_finite() {
        assert!(read_signals(&[1.0], 0, 1.0).iter().all(|signal| signal.is_finite()));
        assert!(read_signals(&[], 0, 0.0).iter().all(|signal| signal.is_finite()));
    }
}
