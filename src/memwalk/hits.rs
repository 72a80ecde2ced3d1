//! What a walk found, as hits of the search.

use crate::ids::DefinitionId;
use crate::search::Hit;
use crate::store::GraphFile;
use rustc_hash::FxHashMap;

/// The hits in the order of a walk; those that the words of the question do not find have none to show.
pub fn in_order(graph: &GraphFile, hits: Vec<Hit>, found: &[(DefinitionId, f32)]) -> Vec<Hit> {
    let mut by_id: FxHashMap<DefinitionId, Hit> = hits.into_iter().map(|hit| (hit.definition, hit)).collect();
    let hit = |&(id, score): &(DefinitionId, f32)| match by_id.remove(&id) {
        Some(hit) => Hit { score, ..hit },
        None => Hit::new(id, graph.definition(id).file, score, score),
    };
    found.iter().map(hit).collect()
}
