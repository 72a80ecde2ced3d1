//! Renders a function and its neighbours.

use super::place::location;
use crate::engine::{FunctionContext, NamedNeighbours, Neighbour};
use serde_json::{Value, json};

/// Renders a function with its source, its callers, its callees and related definitions.
pub fn function(of: &FunctionContext) -> Value {
    let around =
        |of: &NamedNeighbours| json!({"all": of.all, "named": of.named.iter().map(neighbour).collect::<Vec<_>>()});
    json!({
        "version": 1,
        "id": of.id,
        "of": location(&of.location),
        "signature": of.signature,
        "doc": of.doc,
        "source": of.source.join("\n"),
        "callers": around(&of.callers),
        "callees": around(&of.callees),
        "related": around(&of.related),
    })
}

fn neighbour(of: &Neighbour) -> Value {
    let mut value = location(&of.location);
    value["id"] = of.id.as_str().into();
    value["at_line"] = of.line.into();
    value["why"] = of.why.as_str().into();
    value
}
