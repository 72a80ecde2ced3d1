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
use whichfn_search::search::{LearnedWeights, QuestionForm};

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

/// Returns the softmax probability of the first score, in [0, 1]. `scores` is sorted in descending
/// order.
pub fn chance_of_first(scores: &[f32]) -> f32 {
    let Some(&first) = scores.first() else { return 0.0 };
    1.0 / scores.iter().map(|score| (score - first).exp()).sum::<f32>()
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
    fn the_probability_of_the_first_grows_with_its_lead() {
        assert!(chance_of_first(&[3.0, 1.0]) > chance_of_first(&[3.0, 2.9]));
        assert_eq!(chance_of_first(&[]), 0.0);
    }
}
