//! The learned order: the best candidates by a weighted sum of their features, with other weights for each form of
//! question.
//!
//! Source:    `order.toml` beside this file, learned by `training/` on questions about repositories that no evaluation
//!            set holds: softmax over the candidates of a question, the right one as likely as can be
//! Price:     the features; the sum itself is nothing
//! Why not:   a forest of trees: on the same lists its MRR was 0.002 to 0.019 higher by folds and lower on two of four
//!            development sets, and no one can read it

use super::features::{Feature, Features};
use super::learned::LearnedWeights;
use super::question::QuestionForm;
use super::trust::{SIGNAL_NAMES, SIGNALS};
use std::sync::OnceLock;

const TEXT: &str = include_str!("order.toml");

/// So many of the best are put in order. Among them is the right one for 98 of 100 questions of the development sets.
pub const CANDIDATES: usize = 100;

/// What the share of a model of the user's counts in the learned order (see `embedded`): about what the score of words
/// counts there. Not tuned: no model was at hand when the order was learned.
pub(super) const MODEL: f32 = 4.0;

/// What a cosine of 1 counts where no order was learned, in best scores. On semble-dev with definitions of any kind, 0.2 to
/// 1.5 are alike (nDCG@10 .735 to .752, without .723); where files are ranked it helps nothing (.829, with 0.4 .827).
pub(super) const LIFT: f32 = 0.6;

/// What each feature counts.
type Weights = [f32; Feature::COUNT];

fn tables() -> &'static LearnedWeights {
    static TABLES: OnceLock<LearnedWeights> = OnceLock::new();
    TABLES.get_or_init(|| LearnedWeights::read(TEXT))
}

/// The weights of a form of question. What the file does not name counts nothing.
pub(super) fn weights(form: QuestionForm) -> Weights {
    let table = tables().table(form.name());
    let weight = |feature: &Feature| table.and_then(|table| table.get(feature.name())).copied().unwrap_or_default();
    std::array::from_fn(|at| weight(&Feature::ALL[at]))
}

/// The weights of the signals of trust: `right` or `fits`.
pub(super) fn trust(of: &str, form: QuestionForm) -> [f32; SIGNALS] {
    let table = tables().table(&format!("{of}-{}", form.name()));
    SIGNAL_NAMES.map(|signal| table.and_then(|table| table.get(signal)).copied().unwrap_or_default())
}

/// The score of a candidate by its features.
pub fn score_of(form: QuestionForm, features: &Features) -> f32 {
    shares(&weights(form), features).map(|(_, share)| share).sum()
}

/// What each feature adds to the score.
pub(super) fn shares(weights: &Weights, features: &Features) -> impl Iterator<Item = (Feature, f32)> {
    Feature::ALL.iter().zip(weights).zip(features).map(|((feature, weight), value)| (*feature, weight * value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_file_names_every_feature_once_for_every_form() {
        let tables: BTreeMap<String, BTreeMap<String, f32>> = toml::from_str(TEXT).expect("weights");
        for form in QuestionForm::LEARNED {
            let names: Vec<&str> = tables[form.name()].keys().map(String::as_str).collect();
            let mut known: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
            known.sort_unstable();
            assert_eq!(names, known, "{}", form.name());
        }
    }
}
