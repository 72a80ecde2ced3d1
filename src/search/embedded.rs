//! What a function's embedding adds to its score: how near its meaning is to that of the question.
//!
//! ```text
//! score + WEIGHT x best independent score x cosine(question, function)
//! ```
//! This re-orders what words found; and the [`NEAREST`] functions are results even if no word found them. With neither a
//! model nor a question's vector nothing happens.
//!
//! Price: a product with the vector of every function: 10,000 functions of 384 dimensions, 2 ms

use super::question::Question;
use super::rank::{Adjustment, Hit, Query};
use super::weights::Weights;
use crate::store::Generation;
use rustc_hash::FxHashMap;

/// How much a cosine of 1 counts, in best scores. With all-MiniLM-L6-v2 on a development set, 1.5 and 2 are alike, 0.5 and 3
/// worse; other models have cosines of another range.
const WEIGHT: f32 = 1.5;
/// So many functions of those nearest to the question are results in any case. On that set 0 and 200 answer as 50 does.
const NEAREST: usize = 50;

/// The name of what is added.
pub(super) const NAME: &str = "model";

/// Adds to the hits what they mean, and adds those that are found by meaning alone.
pub(super) fn add(
    hits: &mut Vec<Hit>,
    generation: &Generation,
    query: &Query,
    question: &Question,
    members: &[bool],
    weights: &Weights,
) {
    let (Some(embeddings), Some(meaning)) = (&generation.embeddings, &query.meaning) else { return };
    let graph = &generation.graph;
    let best = hits.iter().map(|hit| hit.independent).fold(0.0, f32::max);
    // Where no word found anything, meaning alone orders.
    let best = if best > 0.0 { best } else { 1.0 };
    let all = embeddings.all(graph).filter(|(id, _)| members[id.index()]);
    let mut nearest: Vec<(u32, f32)> = all.map(|(id, row)| (id.0, row.cosine(meaning).max(0.0))).collect();
    let mut cosines: FxHashMap<u32, f32> = nearest.iter().copied().collect();
    for hit in hits.iter_mut() {
        let cosine = cosines.remove(&hit.definition.0).unwrap_or_default();
        push(hit, NAME, WEIGHT * best * cosine);
    }
    nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    nearest.truncate(NEAREST);
    for (id, cosine) in nearest.into_iter().filter(|(id, cosine)| *cosine > 0.0 && cosines.contains_key(id)) {
        let definition = crate::ids::DefinitionId(id);
        let row = graph.definition(definition);
        let mut hit = Hit::new(definition, row.file, 0.0, 0.0);
        push(&mut hit, "test", if row.is_test() && !question.about_tests { -weights.test * best } else { 0.0 });
        push(&mut hit, NAME, WEIGHT * best * cosine);
        hits.push(hit);
    }
}

fn push(hit: &mut Hit, name: &'static str, change: f32) {
    if change != 0.0 {
        hit.score += change;
        hit.adjustments.push(Adjustment { name, change, environment: false });
    }
}
