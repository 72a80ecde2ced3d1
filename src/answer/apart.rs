//! Results of one answer that a reader could take for each other, told apart by the head of what is around them:
//! `impl Display for Session` and `impl Debug for Session`, both with a `Session::fmt`; a trait's method and its
//! implementation.

use super::Found;
use crate::ids::DefinitionId;
use crate::search::Hit;
use crate::store::GraphFile;
use rustc_hash::FxHashMap;

/// Sets [`Found::inside`] where a result is not told apart by its own lines.
pub(super) fn tell(graph: &GraphFile, hits: &[Hit], results: &mut [Found]) {
    let mut by_name: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
    for hit in hits {
        by_name.entry(graph.name(hit.definition)).or_default().push(hit.definition);
    }
    for (hit, found) in hits.iter().zip(results) {
        let (id, named) = (hit.definition, &by_name[graph.name(hit.definition)]);
        if named.iter().any(|&other| confusable(graph, id, other)) {
            found.inside = head_around(graph, id).to_owned();
        }
    }
}

/// Whether, of two definitions of one name, the head around `id` says what its name does not: which of two blocks of
/// one type it is in, or whose method it implements.
fn confusable(graph: &GraphFile, id: DefinitionId, other: DefinitionId) -> bool {
    let (head, others) = (head_around(graph, id), head_around(graph, other));
    let same_name = graph.qualified_name(id) == graph.qualified_name(other);
    same_name && head != others || !same_name && names(head, around(graph, other), around(graph, id))
}

/// Whether a head names another type beside its own.
fn names(head: &str, other: &str, own: &str) -> bool {
    other != own
        && !other.is_empty()
        && head.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == other)
}

/// The name of the type around a definition.
fn around(graph: &GraphFile, id: DefinitionId) -> &str {
    let parent = graph.definition(id).parent;
    if has_members(graph, parent) { graph.name(parent) } else { "" }
}

fn head_around(graph: &GraphFile, id: DefinitionId) -> &str {
    let parent = graph.definition(id).parent;
    if has_members(graph, parent) { graph.signature(parent) } else { "" }
}

fn has_members(graph: &GraphFile, id: DefinitionId) -> bool {
    graph.definition(id).kind().has_members()
}
