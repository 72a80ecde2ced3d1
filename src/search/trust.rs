//! How far the first answer is to be trusted: the chance that it is right, and whether anything fits at all.
//!
//! Both are logistic in a few [`Signals`] of the first candidate, with weights for each form of question in `order.toml`,
//! learned by `training/` from questions about the repository and questions about others.

use super::features::{Feature, Features};
use super::order;
use super::question::QuestionForm;

/// What trust is told from.
pub const SIGNALS: usize = 6;

/// Names of the signals, in order: as in `order.toml`.
pub const SIGNAL_NAMES: [&str; SIGNALS] = ["always", "ahead", "cover own", "cover rare", "near own", "meaning"];

/// A first answer that is right with at least this chance is sure. Of those, at least 90 of 100 are right on the
/// development sets (`benches/records/` has the table).
pub const SURE: f32 = 0.85;
/// Below this chance that the repository holds what is asked for, nothing fits. Of questions about another repository six in
/// ten fall below; of those about this one, 4 in 100 or fewer.
pub const FITS: f32 = 0.4;

/// How far the first answer is to be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trust {
    /// The chance that the first answer is right: 0 to 1.
    pub right: f32,
    /// The chance that the repository holds what is asked for: 0 to 1.
    pub fits: f32,
}

impl Trust {
    /// Of the first candidate; `scores` are those of all candidates.
    pub(super) fn of(form: QuestionForm, scores: &[f32], first: &Features) -> Self {
        let signals = signals(scores, first);
        let chance = |weights: [f32; SIGNALS]| {
            let sum: f32 = weights.iter().zip(signals).map(|(weight, signal)| weight * signal).sum();
            1.0 / (1.0 + (-sum).exp())
        };
        Self { right: chance(order::trust("right", form)), fits: chance(order::trust("fits", form)) }
    }

    /// Whether the first answer is shown as sure.
    pub fn is_sure(&self) -> bool {
        self.right >= SURE
    }

    /// Whether anything fits.
    pub fn fits(&self) -> bool {
        self.fits >= FITS
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

    fn trust(scores: &[f32], fit: f32) -> Trust {
        let mut first = [0.0; Feature::COUNT];
        for feature in [Feature::CoverOwn, Feature::CoverRare, Feature::NearOwn, Feature::Cosine] {
            first[feature as usize] = fit;
        }
        Trust::of(QuestionForm::Sentence, scores, &first)
    }

    #[test]
    fn the_further_ahead_the_first_is_the_surer() {
        let (near, far) = (trust(&[5.0, 4.9, 4.8], 0.8), trust(&[12.0, 4.9, 4.8], 0.8));
        assert!(near.right < far.right && !near.is_sure());
        assert!((0.0..=1.0).contains(&near.right) && (0.0..=1.0).contains(&far.right));
    }

    #[test]
    fn what_holds_none_of_the_question_does_not_fit() {
        assert!(trust(&[5.0, 4.0], 0.9).fits());
        assert!(!trust(&[5.0, 4.0], 0.05).fits());
    }

    #[test]
    fn a_single_candidate_is_a_number_too() {
        assert!(trust(&[5.0], 0.5).right.is_finite());
    }
}
