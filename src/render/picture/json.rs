//! Renders the picture as JSON: the graph format of SPEC section 3, with `group`, `weight` and
//! `depth` of nodes and `line` of calls.

use crate::render::{with_notices, with_path};
use serde_json::{Value, json};
use whichfn_search::picture::{Drawing, DrawnEdge, DrawnNode, NamedNode};

/// Renders the picture as JSON: the graph format of SPEC section 3, with `group` and `weight` of
/// nodes and `line` of calls.
pub fn picture(drawing: &Drawing) -> Value {
    let value = json!({
        "version": 1,
        "nodes": drawing.nodes.iter().map(node).collect::<Vec<_>>(),
        "edges": drawing.edges.iter().map(edge).collect::<Vec<_>>(),
        "left_out": drawing.left_out,
    });
    with_notices(value, &drawing.notices)
}

pub(super) fn node(drawn: &DrawnNode) -> Value {
    let mut value = named_node(&drawn.node);
    value["group"] = drawn.group.name().into();
    value["weight"] = drawn.weight.into();
    value["depth"] = drawn.depth.into();
    value
}

/// Renders a node of the structure graph as JSON.
pub fn named_node(node: &NamedNode) -> Value {
    let value = json!({
        "id": node.id.0,
        "kind": node.kind,
        "start_byte": node.start,
        "end_byte": node.end,
        "start_line": node.start_line,
        "end_line": node.end_line,
        "name": node.name,
    });
    with_path(value, &node.path)
}

pub(super) fn edge(edge: &DrawnEdge) -> Value {
    let mut value = json!({"a": edge.a.0, "b": edge.b.0, "kind": edge.kind.name(), "weight": edge.weight});
    if let Some(line) = edge.line {
        value["line"] = line.into();
    }
    value
}
