//! Renders what surrounds a definition: its calls, its neighbors, and related definitions.

use super::place::{location, with_path};
use super::with_notices;
use crate::engine::{FunctionContext, NamedNeighbours, Neighbour};
use serde_json::{Value, json};
use whichfn_search::answer::{CallBranch, CallLine, CallTree, Relations};

/// Renders a definition at the other end of calls.
fn branch(end: &CallBranch) -> Value {
    let mut value = location(&end.location);
    value["calls"] = end.calls.iter().map(call).collect();
    value["left_out"] = end.left_out.into();
    value["tree"] = end.branches.iter().map(branch).collect();
    if let Some(again) = end.repeated {
        value["again"] = again.name().into();
    }
    value
}

/// Renders the line of a call.
pub fn call(line: &CallLine) -> Value {
    let mut value = json!({"line": line.line, "column": line.column, "text": line.text, "reason": line.reason.name()});
    if let Some(through) = &line.through {
        value["through"] = through.as_str().into();
    }
    with_path(value, &line.path)
}

/// Renders a function with its source, its callers, its callees and related definitions.
pub fn function(function: &FunctionContext) -> Value {
    let around =
        |all: &NamedNeighbours| json!({"all": all.all, "named": all.named.iter().map(neighbour).collect::<Vec<_>>()});
    let value = json!({
        "version": 1,
        "id": function.id,
        "of": location(&function.location),
        "signature": function.signature,
        "doc": function.doc,
        "source": function.source.join("\n"),
        "callers": around(&function.callers),
        "callees": around(&function.callees),
        "related": around(&function.related),
    });
    with_notices(value, &function.notices)
}

fn neighbour(neighbour: &Neighbour) -> Value {
    let mut value = location(&neighbour.location);
    value["id"] = neighbour.id.as_str().into();
    value["at_line"] = neighbour.line.into();
    value["why"] = neighbour.why.as_str().into();
    value
}

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
