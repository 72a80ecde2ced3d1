//! Converts the ranked functions back into search hits with new scores and ranks.

use super::rerank::{chance_of_first, read_signals};
use super::trace::RankedFunction;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Adjustment, AdjustmentKind, Aspect, Confidence, EvidenceName, Hit, QuestionForm, Ranker};
use whichfn_syntax::ids::DefinitionId;

/// Returns the hits in the order of `ranked`, with descending scores, and with the confidence in
/// the first for a question of this form. The last reranked hit has a score of 1, and later hits
/// have scores below 1.
pub fn rescored(graph: &GraphFile, form: QuestionForm, hits: Vec<Hit>, ranked: &[RankedFunction]) -> Vec<Hit> {
    let (searched, confidence) = (hits.first().map(|hit| hit.definition), hits.first().and_then(|hit| hit.confidence));
    let mut found: FxHashMap<DefinitionId, Hit> = hits.into_iter().map(|hit| (hit.definition, hit)).collect();
    let scores: Vec<f32> = ranked.iter().take_while(|r| !r.shares.is_empty()).map(RankedFunction::score).collect();
    let lowest = scores.iter().copied().fold(f32::INFINITY, f32::min);
    let count = ranked.len() as f32;
    let mut out: Vec<Hit> = Vec::with_capacity(ranked.len());
    for (at, one) in ranked.iter().enumerate() {
        let row = graph.definition(one.id);
        let mut hit = found.remove(&one.id).unwrap_or_else(|| Hit::new(one.id, row.file, 0.0, 0.0));
        hit.confidence = None;
        hit.ranker = Ranker::Learned;
        hit.parts.clear();
        if at < scores.len() {
            hit.score = scores[at] - lowest + 1.0;
            let counts = one.shares.iter().filter(|(_, change)| *change != 0.0);
            hit.adjustments = counts
                .map(|&(name, change)| Adjustment { kind: AdjustmentKind::Evidence(EvidenceName(name)), change })
                .collect();
            hit.adjustments.push(Adjustment { kind: AdjustmentKind::Floor, change: 1.0 - lowest });
        } else {
            hit.score = 1.0 - at as f32 / count.max(1.0);
            hit.adjustments = vec![Adjustment { kind: AdjustmentKind::Place, change: hit.score }];
        }
        out.push(hit);
    }
    if let (Some(first), Some(confidence)) = (out.first_mut(), confidence) {
        let agrees = searched == Some(first.definition);
        let signals = read_signals(&scores, 0, confidence.right);
        let learned = chance_of_first(form, &signals).filter(|_| !scores.is_empty());
        first.confidence = Some(match learned {
            Some(right) => Confidence { right, ..confidence },
            None => chosen(confidence, agrees),
        });
    }
    out
}

/// Moves the hits of `best` to the front, in this order. The scores keep their places: a function gets the
/// score of the one that was in its new place.
pub fn put_first(hits: &mut [Hit], best: &[DefinitionId]) {
    let Some((searched, confidence)) = hits.first().map(|hit| (hit.definition, hit.confidence)) else { return };
    let scores: Vec<f32> = hits.iter().map(|hit| hit.score).collect();
    hits.sort_by_key(|hit| best.iter().position(|id| *id == hit.definition).unwrap_or(best.len()));
    for (hit, score) in hits.iter_mut().zip(scores) {
        hit.confidence = None;
        hit.adjust(AdjustmentKind::Place, Aspect::Choice, score - hit.score);
    }
    hits[0].confidence = confidence.map(|confidence| chosen(confidence, hits[0].definition == searched));
}

/// Returns the confidence in an answer that a language model or a walk chose, given the confidence
/// in the first result of the search, and whether this result is the answer.
///
/// The accuracy of models and walks was not measured, so the estimate is low: if the first result
/// of the search is right with probability p, at most 1 - p is left for any other choice, and a
/// choice is never more likely right than the search's own.
pub fn chosen(searched: Confidence, agrees: bool) -> Confidence {
    let right = if agrees { searched.right } else { searched.right.min(1.0 - searched.right) };
    Confidence { right, ..searched }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choice_of_a_model_is_never_more_likely_than_the_search_allows() {
        let searched = |right| Confidence { right, fits: 1.0 };
        assert_eq!(chosen(searched(0.9), true).right, 0.9);
        assert!((chosen(searched(0.9), false).right - 0.1).abs() < 1e-6);
        assert_eq!(chosen(searched(0.3), false).right, 0.3);
    }
}
