//! The reranker: sorts the best candidates by a weighted sum of their features, with separate
//! weights for each form of question.
//!
//! - **Source:** `order.toml` and, for types, `types.toml`, next to this file, learned by `training/`
//!   on questions about repositories that are in no evaluation set: softmax over the candidates of a question,
//!   maximizing the likelihood of the right candidate
//! - **Cost:** measuring the features; the sum itself is negligible
//! - **Alternatives:** a forest of decision trees: on the same lists its MRR was 0.002 to 0.019
//!   higher in cross-validation and lower on two of four development sets, and a person cannot read
//!   it

use super::confidence::Confidence;
use super::familiarity::Familiarity;
use super::feature::{Feature, Features};
use super::hit::{Adjustment, AdjustmentKind, Hit, best_first};
use super::learned::order_weights;
use super::part::{Aspect, OF_WORDS, ScorePart};
use super::query::Ranker;
use super::question::{Question, QuestionForm};
use super::weights::{NAMED_AS_CODE, ONLY_WORD_FITS, ONLY_WORD_IN_NAME};

/// Name of the table with the weights for types.
pub(super) const TYPE_WEIGHTS: &str = "type";

/// Weight of each feature, indexed by [`Feature`].
struct RerankWeights {
    /// For the whole question.
    whole: [f32; Feature::COUNT],
    /// For the title of an issue; zeros for other forms.
    title: [f32; Feature::COUNT],
}

impl RerankWeights {
    /// Reads the weights from the table with this name.
    fn new(table: &str) -> Self {
        let weights = |name: &str| order_weights(name, Feature::NAMES);
        let (mut whole, title) = (weights(table), weights(&format!("{table}-title")));
        if table != QuestionForm::Issue.name() {
            whole[Feature::NamedInline as usize] = NAMED_AS_CODE;
        }
        Self { whole, title }
    }

    /// Sets the weights of the features about callers, callees and other neighbors to 0.
    fn without_environment(mut self) -> Self {
        for feature in Feature::ALL.iter().filter(|feature| feature.is_environment()) {
            self.whole[*feature as usize] = 0.0;
            self.title[*feature as usize] = 0.0;
        }
        self
    }

    /// Returns the contribution of each feature to the score.
    fn shares<'f>(
        &'f self,
        features: &'f Features,
        title: Option<&'f Features>,
    ) -> impl Iterator<Item = Adjustment> + 'f {
        let whole = changes(&self.whole, features, AdjustmentKind::Feature);
        whole.chain(title.into_iter().flat_map(|title| changes(&self.title, title, AdjustmentKind::Title)))
    }
}

fn changes<'f>(
    weights: &'f [f32; Feature::COUNT],
    features: &'f Features,
    kind: fn(Feature) -> AdjustmentKind,
) -> impl Iterator<Item = Adjustment> + 'f {
    let of_one = move |((feature, weight), value): ((&Feature, &f32), &f32)| Adjustment {
        kind: kind(*feature),
        change: weight * value,
    };
    Feature::ALL.iter().zip(weights).zip(features).map(of_one)
}

/// Computes the score of a candidate from its features, and for an issue from those of the title.
pub fn score_of(form: QuestionForm, features: &Features, title: Option<&Features>) -> f32 {
    RerankWeights::new(form.name()).shares(features, title).map(|share| share.change).sum()
}

/// Sorts the hits that have features, which are the best ones, with the reranker.
///
/// Their scores become the sums of the features' contributions, shifted so that the lowest is 1.
/// The hits after them keep their order, with scores of at most 1. With `ignore_environment`,
/// features of connected definitions do not count.
///
/// `table` is the name of the weights. If the question is a single word, definitions with this word
/// in their name rank first.
///
/// `titles` has the features for the title of an issue, and is empty for other forms. `familiarity`
/// is that of the question's words.
pub(super) fn rerank(
    table: &str,
    question: &Question,
    hits: &mut [Hit],
    features: &[Features],
    titles: &[Features],
    familiarity: &Familiarity,
    ignore_environment: bool,
) {
    let (form, is_only_word) = (question.form, question.is_only_word());
    let Some(best) = hits.first().map(|hit| hit.score) else { return };
    let weights = RerankWeights::new(table);
    let weights = if ignore_environment { weights.without_environment() } else { weights };
    let (reranked, tail) = hits.split_at_mut(features.len());
    for (at, (hit, features)) in reranked.iter_mut().zip(features).enumerate() {
        score(hit, features, titles.get(at), &weights);
        if is_only_word && has_in_name(features) {
            hit.score += ONLY_WORD_IN_NAME;
            hit.adjustments.push(Adjustment { kind: AdjustmentKind::Name, change: ONLY_WORD_IN_NAME });
        }
    }
    move_lowest_to_one(reranked);
    record_parts(reranked, features, weights.whole[Feature::Base as usize]);
    let scale = 1.0 / best.max(f32::MIN_POSITIVE);
    tail.iter_mut().for_each(|hit| hit.move_after_learned(scale));
    let scores: Vec<f32> = reranked.iter().map(|hit| hit.score).collect();
    let mut confidence = Confidence::new(form, &scores, features, familiarity);
    if is_only_word && features.iter().any(has_in_name) {
        confidence.iter_mut().for_each(|confidence| confidence.fits = confidence.fits.max(ONLY_WORD_FITS));
    }
    reranked.sort_by(best_first);
    if let Some(first) = reranked.first_mut() {
        first.confidence = confidence;
    }
}

/// Checks whether the name of a function that is not an unwanted test contains all words of the
/// question.
fn has_in_name(features: &Features) -> bool {
    features[Feature::CoverName as usize] >= 1.0 && features[Feature::Test as usize] >= 0.0
}

/// Replaces the adjustments with the contributions of the features.
fn score(hit: &mut Hit, features: &Features, title: Option<&Features>, weights: &RerankWeights) {
    hit.adjustments = weights.shares(features, title).filter(|share| share.change != 0.0).collect();
    hit.score = hit.adjustments.iter().map(|share| share.change).sum();
    hit.semantic = Some(features[Feature::Cosine as usize]);
    hit.ranker = Ranker::Learned;
}

/// Adds the same amount to all scores, as a separate adjustment, because sums of features may be
/// negative.
fn move_lowest_to_one(hits: &mut [Hit]) {
    let floor = 1.0 - hits.iter().map(|hit| hit.score).fold(f32::MAX, f32::min);
    for hit in hits {
        hit.score += floor;
        hit.adjustments.push(Adjustment { kind: AdjustmentKind::Floor, change: floor });
    }
}

/// Sets the parts of all scored candidates; `weight` is the weight of the feature `words`.
fn record_parts(hits: &mut [Hit], features: &[Features], weight: f32) {
    let raw: Vec<[f32; Aspect::ALL.len()]> =
        hits.iter().zip(features).map(|(hit, features)| candidate_parts(hit, features, weight)).collect();
    let count = raw.len().max(1) as f32;
    let means: [f32; Aspect::ALL.len()] =
        std::array::from_fn(|at| raw.iter().map(|parts| parts[at]).sum::<f32>() / count);
    let average: f32 = means.iter().sum();
    for (hit, raw) in hits.iter_mut().zip(raw) {
        let part = |(at, part): (usize, Aspect)| {
            let change = if part == Aspect::Average { average } else { raw[at] - means[at] };
            ScorePart { part, change }
        };
        hit.parts = Aspect::ALL.into_iter().enumerate().map(part).collect();
    }
}

fn candidate_parts(hit: &Hit, features: &Features, weight: f32) -> [f32; Aspect::ALL.len()] {
    let mut sums = [0.0; Aspect::ALL.len()];
    let mut add = |part: Aspect, change: f32| sums[part as usize] += change;
    for share in &hit.adjustments {
        match share.kind {
            AdjustmentKind::Feature(Feature::Base) => {
                let mut rest = share.change;
                for feature in OF_WORDS {
                    let change = weight * features[feature as usize];
                    add(Aspect::from_feature(feature), change);
                    rest -= change;
                }
                add(Aspect::Together, rest);
            }
            AdjustmentKind::Feature(feature) => add(Aspect::from_feature(feature), share.change),
            AdjustmentKind::Title(_) => add(Aspect::Title, share.change),
            AdjustmentKind::Floor => add(Aspect::Average, share.change),
            AdjustmentKind::Name => add(Aspect::Name, share.change),
            _ => add(Aspect::Together, share.change),
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_syntax::ids::{DefinitionId, FileId};

    #[test]
    fn parts_sum_to_the_score() {
        let features: Vec<Features> =
            (0..3).map(|hit| std::array::from_fn(|at| if at % 3 == hit { 0.1 * at as f32 } else { 0.0 })).collect();
        let mut hits: Vec<Hit> = features
            .iter()
            .map(|features| {
                let share = |feature: &Feature| Adjustment {
                    kind: AdjustmentKind::Feature(*feature),
                    change: features[*feature as usize] * 2.0,
                };
                let adjustments: Vec<Adjustment> = Feature::ALL.iter().map(share).collect();
                let score = adjustments.iter().map(|a| a.change).sum();
                Hit { adjustments, ..Hit::new(DefinitionId(0), FileId(0), score, 0.0) }
            })
            .collect();
        record_parts(&mut hits, &features, 2.0);
        for hit in &hits {
            let sum: f32 = hit.parts.iter().map(|part| part.change).sum();
            assert!((sum - hit.score).abs() < 1e-3, "{sum} {}", hit.score);
            assert_eq!(hit.parts.len(), Aspect::ALL.len());
        }
        for at in 1..Aspect::ALL.len() {
            let sum: f32 = hits.iter().map(|hit| hit.parts[at].change).sum();
            assert!(sum.abs() < 1e-3, "a part is what a candidate has more than the average: {sum}");
        }
    }
}
