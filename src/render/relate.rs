//! Renders the relations of a definition.

use super::calls::branch;
use super::place::{location, with_path};
use serde_json::{Value, json};
use whichfn_search::answer::{CallTree, Relations};

/// Renders the callers, the callees and the related definitions of a definition.
pub fn relations(relations: &Relations) -> Value {
    let related = relations.related.iter().map(|related| {
        let via = related.via.iter().map(|via| {
            let step = json!({"kind": via.kind.name(), "weight": via.kind.weight(), "line": via.line});
            with_path(step, &via.path)
        });
        let mut value = location(&related.location);
        value["weight"] = related.weight.into();
        value["why"] = related.reasons.join(", ").into();
        value["via"] = via.collect();
        value
    });
    let ends = |tree: &CallTree| tree.branches.iter().map(branch).collect::<Vec<_>>();
    json!({
        "version": 1,
        "of": location(&relations.definition),
        "callers": ends(&relations.callers),
        "callees": ends(&relations.callees),
        "related": related.collect::<Vec<_>>(),
    })
}
