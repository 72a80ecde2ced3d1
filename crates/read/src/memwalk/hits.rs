//! Conversion of the result of a walk to search hits.

use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_search::search::Hit;
use whichfn_syntax::ids::DefinitionId;

/// Sorts the hits in the order of the walk. A definition that the words of the question do not find
/// gets a hit without words.
pub fn in_order(graph: &GraphFile, hits: Vec<Hit>, found: &[(DefinitionId, f32)]) -> Vec<Hit> {
    let mut by_id: FxHashMap<DefinitionId, Hit> = hits.into_iter().map(|hit| (hit.definition, hit)).collect();
    let hit = |&(id, score): &(DefinitionId, f32)| match by_id.remove(&id) {
        Some(hit) => Hit { score, ..hit },
        None => Hit::new(id, graph.definition(id).file, score, score),
    };
    found.iter().map(hit).collect()
}
