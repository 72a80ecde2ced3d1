//! Renders a function with its neighbors, and a call.

use super::place::{location, with_path};
use super::with_notices;
use crate::engine::{FunctionContext, NamedNeighbours, Neighbour};
use serde_json::{Value, json};
use whichfn_search::answer::CallLine;

/// Renders a call.
pub fn call(CallLine { place, reason, through }: &CallLine) -> Value {
    let mut value = json!({"line": place.line, "column": place.column, "text": place.text, "reason": reason.name()});
    if let Some(through) = through {
        value["through"] = through.as_str().into();
    }
    with_path(value, &place.path)
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
