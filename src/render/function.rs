//! Renders a function and its neighbours.

use super::place::location;
use crate::engine::{FunctionContext, NamedNeighbours, Neighbour};
use serde_json::{Value, json};

/// Renders a function with its source, its callers, its callees and related definitions.
pub fn function(function: &FunctionContext) -> Value {
    let around =
        |all: &NamedNeighbours| json!({"all": all.all, "named": all.named.iter().map(neighbour).collect::<Vec<_>>()});
    json!({
        "version": 1,
        "id": function.id,
        "of": location(&function.location),
        "signature": function.signature,
        "doc": function.doc,
        "source": function.source.join("\n"),
        "callers": around(&function.callers),
        "callees": around(&function.callees),
        "related": around(&function.related),
    })
}

fn neighbour(neighbour: &Neighbour) -> Value {
    let mut value = location(&neighbour.location);
    value["id"] = neighbour.id.as_str().into();
    value["at_line"] = neighbour.line.into();
    value["why"] = neighbour.why.as_str().into();
    value
}
