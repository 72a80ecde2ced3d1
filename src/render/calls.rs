//! Renders call trees.

use super::place::{location, with_path};
use serde_json::{Value, json};
use whichfn_search::answer::{CallBranch, CallDirection, CallLine, CallTree};

/// Renders the callers or callees of a definition.
pub fn calls(tree: &CallTree) -> Value {
    let direction = if tree.direction == CallDirection::Callers { "callers" } else { "callees" };
    json!({
        "version": 1,
        "direction": direction,
        "of": location(&tree.root),
        "direct": tree.direct,
        "left_out": tree.left_out,
        "tree": tree.branches.iter().map(branch).collect::<Vec<_>>(),
    })
}

/// Renders a definition at the other end of calls.
pub(super) fn branch(end: &CallBranch) -> Value {
    let mut value = location(&end.location);
    value["calls"] = end.calls.iter().map(call).collect();
    value["left_out"] = end.left_out.into();
    value["tree"] = end.branches.iter().map(branch).collect();
    if let Some(again) = end.again {
        value["again"] = again.name().into();
    }
    value
}

fn call(line: &CallLine) -> Value {
    let mut value = json!({"line": line.line, "column": line.column, "text": line.text, "reason": line.reason.name()});
    if let Some(through) = &line.through {
        value["through"] = through.as_str().into();
    }
    with_path(value, &line.path)
}
