//! Distinguishes results that could be confused by the signature of the enclosing block.
//!
//! Results that could be confused are, for example, `Session::fmt` in `impl Display for Session`
//! and in `impl Debug for Session`, or a trait's method and its implementation.

use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;

/// Returns the signature around each shown definition, or an empty string if no other shown
/// definition could be confused with it.
pub(super) fn enclosing_heads<'a>(graph: &'a GraphFile, shown: &[DefinitionId]) -> Vec<&'a str> {
    let mut by_name: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
    for &id in shown {
        by_name.entry(graph.name(id)).or_default().push(id);
    }
    let head = |&id: &DefinitionId| {
        let is_needed = by_name[graph.name(id)].iter().any(|&other| confusable(graph, id, other));
        if is_needed { head_around(graph, id) } else { "" }
    };
    shown.iter().map(head).collect()
}

/// Checks whether the signature around `id` distinguishes it from another definition with the same
/// name.
///
/// It does if it shows which of two blocks of a type contains the definition, or which type's
/// method the definition implements.
fn confusable(graph: &GraphFile, id: DefinitionId, other: DefinitionId) -> bool {
    let (head, others) = (head_around(graph, id), head_around(graph, other));
    let same_name = graph.qualified_name(id) == graph.qualified_name(other);
    same_name && head != others
        || !same_name && is_part_of_other_name(head, type_around(graph, other), type_around(graph, id))
}

/// Checks whether a signature names another type in addition to its own.
fn is_part_of_other_name(head: &str, other: &str, own: &str) -> bool {
    other != own
        && !other.is_empty()
        && head.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == other)
}

/// Returns the name of the type around a definition, or an empty string if there is none.
fn type_around(graph: &GraphFile, id: DefinitionId) -> &str {
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
