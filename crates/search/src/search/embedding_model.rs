//! Reorders hits by the cosines of an embedding model, and finds functions by them.
//!
//! ```text
//! score + WEIGHT x z(cosine(question, function))     z: standardized among the reordered hits
//! ```
//!
//! The cosines are those of a model that reads the first hits, or of vectors that are stored with the
//! index (`--embed`). With stored vectors, the [`NEAREST_BY_MODEL`] nearest functions follow the hits
//! that the word search found.
//!
//! - **Invariant:** if the first two scores differ by more than [`CLEAR_LEAD`], no hit changes. Only the
//!   reordered hits change places, so the last of them may have a lower score than the hit after it.
//! - **Confidence:** it was measured without a model, so an answer that the model puts first has none.
//! - **Cost:** with stored vectors, one product with the vector of each function: 2 ms for 10,000
//!   functions with 384 dimensions

use super::hit::{AdjustmentKind, Hit};
use super::part::Aspect;
use super::query::{KindFilter, Query, Ranker, Unit};
use super::weights::{CLEAR_LEAD, NEAREST_BY_MODEL, STANDARDIZED_COSINE};
use rustc_hash::FxHashSet;
use whichfn_index::store::Generation;
use whichfn_syntax::ids::DefinitionId;

/// Checks whether an embedding model may change the order of hits: they are in the learned order, and the
/// best two scores are close.
pub fn is_order_open(hits: &[Hit]) -> bool {
    let is_learned = hits.iter().all(|hit| hit.ranker == Ranker::Learned);
    is_learned && matches!(hits, [first, second, ..] if first.score - second.score <= CLEAR_LEAD)
}

/// Reorders hits by the cosine of each with the question.
pub fn reorder_by_cosines(hits: &mut [Hit], cosines: &[f32]) {
    let Some(best) = hits.first_mut() else { return };
    let (best, confidence) = (best.definition, best.confidence.take());
    for (hit, change) in hits.iter_mut().zip(changes(cosines)) {
        hit.adjust(AdjustmentKind::Model, Aspect::Model, change);
    }
    hits.sort_by(|a, b| b.score.total_cmp(&a.score));
    if hits[0].definition == best {
        hits[0].confidence = confidence;
    }
}

/// Returns the change of each score.
fn changes(cosines: &[f32]) -> impl Iterator<Item = f32> + '_ {
    let count = cosines.len().max(1) as f32;
    let mean = cosines.iter().sum::<f32>() / count;
    let deviation = (cosines.iter().map(|cosine| (cosine - mean).powi(2)).sum::<f32>() / count).sqrt();
    // Equal texts have equal vectors.
    let unit = if deviation > f32::EPSILON { STANDARDIZED_COSINE / deviation } else { 0.0 };
    cosines.iter().map(move |cosine| (cosine - mean) * unit)
}

/// Adds the functions nearest to the question that are not among the hits, with a score of 0.
pub(super) fn add_nearest(
    hits: &mut Vec<Hit>,
    generation: &Generation,
    query: &Query,
    is_member: impl Fn(DefinitionId) -> bool,
) {
    let (Some(embeddings), Some(embedding)) = (&generation.embeddings, &query.embedding) else { return };
    let ranks_functions = query.unit == Unit::Definition && query.kind == KindFilter::Function;
    if !ranks_functions || query.ranker != Ranker::Learned {
        return;
    }
    let graph = &generation.graph;
    let found: FxHashSet<DefinitionId> = hits.iter().map(|hit| hit.definition).collect();
    let others = embeddings.all(graph).filter(|(id, _)| is_member(*id) && !found.contains(id));
    let mut nearest: Vec<(DefinitionId, f32)> = others.map(|(id, row)| (id, row.cosine(embedding))).collect();
    nearest.retain(|(_, cosine)| *cosine > 0.0);
    nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    nearest.truncate(NEAREST_BY_MODEL);
    hits.extend(nearest.into_iter().map(|(id, _)| Hit::new(id, graph.definition(id).file, 0.0, 0.0)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_changes_are_standardized_cosines() {
        let of = |cosines: &[f32]| changes(cosines).collect::<Vec<f32>>();
        assert_eq!(of(&[1.0, 0.0]), [STANDARDIZED_COSINE, -STANDARDIZED_COSINE]);
        assert_eq!(of(&[1.0, 1.0]), [0.0, 0.0], "equal functions stay in their order");
        assert!(of(&[]).is_empty());
    }
}
