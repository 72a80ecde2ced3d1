//! The learned order: the best candidates by a weighted sum of their features, with other weights for each form of
//! question.
//!
//! Source:    `order.toml` beside this file, learned by `training/` on questions about repositories that no evaluation
//!            set holds: softmax over the candidates of a question, the right one as likely as can be
//! Price:     the features; the sum itself is nothing
//! Why not:   a forest of trees: on the same lists its MRR was 0.002 to 0.019 higher by folds and lower on two of four
//!            development sets, and no one can read it

use super::features::{Feature, Features};
use super::question::QuestionForm;
use std::collections::BTreeMap;
use std::sync::OnceLock;

const TEXT: &str = include_str!("order.toml");

/// So many of the best are put in order. Among them is the right one for 98 of 100 questions of the development sets.
pub const CANDIDATES: usize = 100;

/// What the share of a model of the user's counts in the learned order (see `embedded`).
pub(super) const MODEL: f32 = 4.0;

/// What each feature counts.
type Weights = [f32; Feature::COUNT];

/// The weights of a form of question. A feature that the file does not name counts nothing.
pub(super) fn weights(form: QuestionForm) -> &'static Weights {
    static ALL: OnceLock<BTreeMap<String, Weights>> = OnceLock::new();
    static NONE: Weights = [0.0; Feature::COUNT];
    ALL.get_or_init(|| read(TEXT)).get(form.name()).unwrap_or(&NONE)
}

fn read(text: &str) -> BTreeMap<String, Weights> {
    // A test reads the file, so that no build goes out with one that does not read.
    let tables: BTreeMap<String, BTreeMap<String, f32>> = toml::from_str(text).unwrap_or_default();
    let weights = |table: &BTreeMap<String, f32>| {
        let mut weights = [0.0; Feature::COUNT];
        for feature in Feature::ALL {
            weights[*feature as usize] = table.get(feature.name()).copied().unwrap_or_default();
        }
        weights
    };
    tables.iter().map(|(form, table)| (form.clone(), weights(table))).collect()
}

/// What each feature adds to the score.
pub(super) fn shares(weights: &Weights, features: &Features) -> impl Iterator<Item = (Feature, f32)> {
    Feature::ALL.iter().zip(weights).zip(features).map(|((feature, weight), value)| (*feature, weight * value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_names_every_feature_once_for_every_form() {
        let tables: BTreeMap<String, BTreeMap<String, f32>> = toml::from_str(TEXT).expect("weights");
        for form in QuestionForm::ALL {
            let names: Vec<&str> = tables[form.name()].keys().map(String::as_str).collect();
            let mut known: Vec<&str> = Feature::ALL.iter().map(|feature| feature.name()).collect();
            known.sort_unstable();
            assert_eq!(names, known, "{}", form.name());
        }
    }
}
