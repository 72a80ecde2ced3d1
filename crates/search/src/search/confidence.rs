//! Estimates the confidence in the first answer: the probability that it is right, and the
//! probability that anything fits.
//!
//! Both are logistic functions of a few signals from the candidates and from the question's words.
//! The weights for each form of question are in `order.toml`. `training/` learned them from
//! questions about the repository and from questions about other repositories.

use super::familiarity::{FAMILIARITY, FAMILIARITY_NAMES, Familiarity};
use super::feature::{Feature, Features};
use super::learned::order_weights;
use super::question::QuestionForm;
use super::weights::{FITS_FROM, LIKELY_FROM, MEANING_OF, SURE_FROM};

/// Number of confidence signals.
pub const SIGNALS: usize = OF_CANDIDATES.len() + FAMILIARITY;

/// Number of signals, from the first, that the probability that the first answer is right depends
/// on. On folds of repositories, the others do not make it more accurate.
pub const RIGHT_SIGNALS: usize = 7;

/// Least number that the odds of all other candidates together are replaced with.
const LEAST_ODDS: f32 = 1e-3;

/// Names of the signals from the candidates.
const OF_CANDIDATES: [&str; 9] =
    ["always", "ahead", "cover own", "cover rare", "near own", "meaning", "meaning of ten", "scope of all", "nearest"];

/// Names of the signals in `order.toml`, in the order of [`signals`].
pub const SIGNAL_NAMES: [&str; SIGNALS] = {
    let mut names = [""; SIGNALS];
    let (of_candidates, familiarity) = names.split_at_mut(OF_CANDIDATES.len());
    of_candidates.copy_from_slice(&OF_CANDIDATES);
    familiarity.copy_from_slice(&FAMILIARITY_NAMES);
    names
};

/// Confidence in the first answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence {
    /// Probability that the first answer is right, in [0, 1].
    pub right: f32,
    /// Probability that the repository contains what the question describes, in [0, 1].
    pub fits: f32,
}

impl Confidence {
    /// Computes the confidence in the best candidate from the scores and features of all
    /// candidates. Returns `None` if there are no candidates.
    pub(super) fn new(
        form: QuestionForm,
        scores: &[f32],
        features: &[Features],
        familiarity: &Familiarity,
    ) -> Option<Self> {
        let signals = signals(scores, features, familiarity)?;
        let probability = |name: &str| {
            let weights = order_weights(&format!("{name}-{}", form.name()), SIGNAL_NAMES);
            let sum: f32 = weights.iter().zip(signals).map(|(weight, signal)| weight * signal).sum();
            logistic(sum)
        };
        Some(Self { right: probability("right"), fits: probability("fits") })
    }

    /// Returns the level of trust in the first answer.
    pub fn trust(&self) -> Trust {
        match self {
            _ if !self.fits() => Trust::NothingFits,
            _ if self.right >= SURE_FROM => Trust::Sure,
            _ if self.right >= LIKELY_FROM => Trust::Likely,
            _ => Trust::Unsure,
        }
    }

    /// Checks whether the confidence is high enough to label the first answer as sure.
    pub fn is_sure(&self) -> bool {
        self.right >= SURE_FROM
    }

    /// Checks whether anything in the repository fits the question.
    pub fn fits(&self) -> bool {
        self.fits >= FITS_FROM
    }
}

/// Level of trust in the first answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// At least nine out of ten such answers are right.
    Sure,
    /// The answer is more likely right than wrong.
    Likely,
    /// The answer is more likely wrong than right, but the right answer is often in the top ten.
    Unsure,
    /// The repository probably does not contain what the question describes.
    NothingFits,
}

impl Trust {
    /// Returns the name shown to people and written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sure => "sure",
            Self::Likely => "likely",
            Self::Unsure => "unsure",
            Self::NothingFits => "nothing fits",
        }
    }
}

/// Computes the confidence signals from the scores and features of all candidates, and from the
/// familiarity of the question's words.
///
/// Returns `None` if there are no candidates. Most signals are features of the first candidate.
/// `ahead` is the logarithm of its odds against all others together, with the scores as the inputs
/// of a softmax. `scope of all` is the mean share of the question's words in the enclosing names,
/// which is high if they name the subject of the repository. `nearest` is the best similarity of
/// any candidate to the question's words.
pub fn signals(scores: &[f32], features: &[Features], familiarity: &Familiarity) -> Option<[f32; SIGNALS]> {
    let mut best: Vec<usize> = (0..scores.len().min(features.len())).collect();
    best.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    best.truncate(MEANING_OF);
    let first = &features[*best.first()?];
    let in_top_ten = best.iter().map(|&at| features[at][Feature::Cosine as usize]).sum::<f32>() / best.len() as f32;
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let ahead = log_odds_ahead(scores, highest);
    let value = |feature: Feature| first[feature as usize];
    let [own, rare, near] = [Feature::CoverOwn, Feature::CoverRare, Feature::NearOwn].map(value);
    let all = |feature: Feature| features.iter().map(move |features| features[feature as usize]);
    let scope_of_all = all(Feature::CoverScope).sum::<f32>() / features.len() as f32;
    let nearest = all(Feature::NearOwn).fold(0.0, f32::max);
    let mut signals = [0.0; SIGNALS];
    let of_candidates = [1.0, ahead, own, rare, near, value(Feature::Cosine), in_top_ten, scope_of_all, nearest];
    let values = of_candidates.iter().chain(familiarity);
    signals.iter_mut().zip(values).for_each(|(signal, value)| *signal = *value);
    Some(signals)
}

/// Returns the logarithm of the odds of the candidate with the score `of` against all others
/// together, with the scores as the inputs of a softmax. `scores` includes `of`.
pub fn log_odds_ahead(scores: &[f32], of: f32) -> f32 {
    let others = scores.iter().map(|score| (score - of).exp()).sum::<f32>() - 1.0;
    -others.max(LEAST_ODDS).ln()
}

/// Converts the logarithm of odds to a probability.
pub fn logistic(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of a question about a repository with 1,000 definitions.
    const FAMILIAR: Familiarity = [-4.0, 6.5, 0.0, 4.0, 6.9];

    fn confidence(scores: &[f32], fit: f32) -> Confidence {
        let mut first = [0.0; Feature::COUNT];
        for feature in [Feature::CoverOwn, Feature::CoverRare, Feature::NearOwn, Feature::Cosine] {
            first[feature as usize] = fit;
        }
        Confidence::new(QuestionForm::Sentence, scores, &vec![first; scores.len()], &FAMILIAR).expect("candidates")
    }

    #[test]
    fn confidence_grows_with_the_lead() {
        let (near, far) = (confidence(&[5.0, 4.9, 4.8], 0.8), confidence(&[12.0, 4.9, 4.8], 0.8));
        assert!(near.right < far.right && !near.is_sure());
        assert!((0.0..=1.0).contains(&near.right) && (0.0..=1.0).contains(&far.right));
    }

    #[test]
    fn result_without_question_words_does_not_fit() {
        assert!(confidence(&[5.0, 4.0], 0.9).fits());
        assert!(!confidence(&[5.0, 4.0], 0.05).fits());
    }

    #[test]
    fn single_candidate_has_finite_confidence() {
        assert!(confidence(&[5.0], 0.5).right.is_finite());
    }
}
