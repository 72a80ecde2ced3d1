//! Confidence in the first answer: the chance that it is right, and that anything fits at all.
//!
//! Both are logistic in a few signals of the first candidate, with weights for each form of question in `order.toml`,
//! learned by `training/` from questions about the repository and questions about others.

use super::feature::{Feature, Features};
use super::learned::order_weights;
use super::question::QuestionForm;
use super::weights::{FITS_FROM, SURE_FROM};

/// How many signals there are.
pub const SIGNALS: usize = 6;

/// Names of the signals, in order: as in `order.toml`.
pub const SIGNAL_NAMES: [&str; SIGNALS] = ["always", "ahead", "cover own", "cover rare", "near own", "meaning"];

/// Confidence in the first answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// The chance that the first answer is right: 0 to 1.
    pub right: f32,
    /// The chance that the repository holds what is asked for: 0 to 1.
    pub fits: f32,
}

impl Confidence {
    /// Of the first candidate; `scores` are those of all candidates.
    pub(super) fn new(form: QuestionForm, scores: &[f32], first: &Features) -> Self {
        let signals = signals(scores, first);
        let chance = |of: &str| {
            let weights = order_weights(&format!("{of}-{}", form.name()), SIGNAL_NAMES);
            let sum: f32 = weights.iter().zip(signals).map(|(weight, signal)| weight * signal).sum();
            1.0 / (1.0 + (-sum).exp())
        };
        Self { right: chance("right"), fits: chance("fits") }
    }

    /// Whether the first answer is shown as sure.
    pub fn is_sure(&self) -> bool {
        self.right >= SURE_FROM
    }

    /// Whether anything fits.
    pub fn fits(&self) -> bool {
        self.fits >= FITS_FROM
    }
}

/// The signals of the first candidate: `ahead` is the logarithm of its odds against all others together, if the scores
/// are those of a softmax.
pub fn signals(scores: &[f32], first: &Features) -> [f32; SIGNALS] {
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let others: f32 = scores.iter().map(|score| (score - most).exp()).sum::<f32>() - 1.0;
    let ahead = -others.max(1e-3).ln();
    let of = |feature: Feature| first[feature as usize];
    [1.0, ahead, of(Feature::CoverOwn), of(Feature::CoverRare), of(Feature::NearOwn), of(Feature::Cosine)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(scores: &[f32], fit: f32) -> Confidence {
        let mut first = [0.0; Feature::COUNT];
        for feature in [Feature::CoverOwn, Feature::CoverRare, Feature::NearOwn, Feature::Cosine] {
            first[feature as usize] = fit;
        }
        Confidence::new(QuestionForm::Sentence, scores, &first)
    }

    #[test]
    fn the_further_ahead_the_first_is_the_surer() {
        let (near, far) = (confidence(&[5.0, 4.9, 4.8], 0.8), confidence(&[12.0, 4.9, 4.8], 0.8));
        assert!(near.right < far.right && !near.is_sure());
        assert!((0.0..=1.0).contains(&near.right) && (0.0..=1.0).contains(&far.right));
    }

    #[test]
    fn what_holds_none_of_the_question_does_not_fit() {
        assert!(confidence(&[5.0, 4.0], 0.9).fits());
        assert!(!confidence(&[5.0, 4.0], 0.05).fits());
    }

    #[test]
    fn a_single_candidate_is_a_number_too() {
        assert!(confidence(&[5.0], 0.5).right.is_finite());
    }
}
