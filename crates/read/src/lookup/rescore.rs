//! Converts the ranked functions back into search hits with new scores and ranks.

use super::rerank::chance_of_first;
use super::trace::RankedFunction;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Adjustment, AdjustmentKind, Confidence, EvidenceName, Hit, Ranker};
use whichfn_syntax::ids::DefinitionId;

/// Returns the hits in the order of `ranked`, with descending scores. The last reranked hit has a
/// score of 1, and later hits have scores below 1.
pub fn rescored(graph: &GraphFile, hits: Vec<Hit>, ranked: &[RankedFunction]) -> Vec<Hit> {
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
        let right = match scores.is_empty() {
            // P(right) = P(first | reranked) x P(fits): the search estimates whether the repository
            // contains the function, and reading estimates which one it is.
            false => chance_of_first(&scores) * confidence.fits,
            true if searched == Some(first.definition) => confidence.right,
            // A model chose a function other than the search's first result. That result is right
            // with probability p, so at most 1 - p is left for the model's choice. The result is
            // also limited to p, because the accuracy of models was not measured.
            true => confidence.right.min(1.0 - confidence.right),
        };
        first.confidence = Some(Confidence { right, ..confidence });
    }
    out
}
