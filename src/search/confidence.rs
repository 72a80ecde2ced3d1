//! Confidence in the first answer: the chance that it is right, and that anything fits at all.
//!
//! Both are logistic in a few signals of the first candidate and of the ten best, with weights for each form of question in `order.toml`,
//! learned by `training/` from questions about the repository and questions about others.

use super::feature::{Feature, Features};
use super::learned::order_weights;
use super::question::QuestionForm;
use super::weights::{FITS_FROM, LIKELY_FROM, MEANING_OF, SURE_FROM};

/// How many signals there are.
pub const SIGNALS: usize = 7;

/// Names of the signals, in order: as in `order.toml`.
pub const SIGNAL_NAMES: [&str; SIGNALS] =
    ["always", "ahead", "cover own", "cover rare", "near own", "meaning", "meaning of ten"];

/// Confidence in the first answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// The chance that the first answer is right: 0 to 1.
    pub right: f32,
    /// The chance that the repository holds what is asked for: 0 to 1.
    pub fits: f32,
}

impl Confidence {
    /// Of the first of some candidates, by their scores and features; none if there are no candidates.
    pub(super) fn new(form: QuestionForm, scores: &[f32], features: &[Features]) -> Option<Self> {
        let signals = signals(scores, features)?;
        let chance = |of: &str| {
            let weights = order_weights(&format!("{of}-{}", form.name()), SIGNAL_NAMES);
            let sum: f32 = weights.iter().zip(signals).map(|(weight, signal)| weight * signal).sum();
            1.0 / (1.0 + (-sum).exp())
        };
        Some(Self { right: chance("right"), fits: chance("fits") })
    }

    /// How far to trust the first answer.
    pub fn trust(&self) -> Trust {
        match self {
            _ if !self.fits() => Trust::NothingFits,
            _ if self.right >= SURE_FROM => Trust::Sure,
            _ if self.right >= LIKELY_FROM => Trust::Likely,
            _ => Trust::Unsure,
        }
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

/// How far to trust the first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Of ten such answers nine or more are right.
    Sure,
    /// It is rather right than wrong.
    Likely,
    /// It is rather wrong; the right one is often among the first ten.
    Unsure,
    /// The repository probably does not hold what is asked for.
    NothingFits,
}

impl Trust {
    /// The word that people and JSON read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Likely => "likely",
            Self::Unsure => "unsure",
            Self::NothingFits => "nothing fits",
        }
    }
}

/// The signals of the first candidate, by the scores and features of all; none if there are none. `ahead` is the
/// logarithm of its odds against all others together, if the scores are those of a softmax.
pub fn signals(scores: &[f32], features: &[Features]) -> Option<[f32; SIGNALS]> {
    let mut best: Vec<usize> = (0..scores.len().min(features.len())).collect();
    best.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    best.truncate(MEANING_OF);
    let first = &features[*best.first()?];
    let of_ten = best.iter().map(|&at| features[at][Feature::Cosine as usize]).sum::<f32>() / best.len() as f32;
    let most = scores.iter().copied().fold(f32::MIN, f32::max);
    let others: f32 = scores.iter().map(|score| (score - most).exp()).sum::<f32>() - 1.0;
    let ahead = -others.max(1e-3).ln();
    let of = |feature: Feature| first[feature as usize];
    let [own, rare, near] = [Feature::CoverOwn, Feature::CoverRare, Feature::NearOwn].map(of);
    Some([1.0, ahead, own, rare, near, of(Feature::Cosine), of_ten])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn confidence(scores: &[f32], fit: f32) -> Confidence {
        let mut first = [0.0; Feature::COUNT];
        for feature in [Feature::CoverOwn, Feature::CoverRare, Feature::NearOwn, Feature::Cosine] {
            first[feature as usize] = fit;
        }
        Confidence::new(QuestionForm::Sentence, scores, &vec![first; scores.len()]).expect("candidates")
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
