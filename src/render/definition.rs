//! Renders what surrounds a definition: its calls, its neighbors, and related definitions.

use super::place::{location, with_path};
use super::with_notices;
use crate::engine::{FunctionContext, NamedNeighbours, Neighbour};
use serde_json::{Value, json};
use whichfn_search::answer::{
    CallBranch, CallDirection, CallLine, CallTree, Certainty, References, Relations, TypeBranch, TypeTree, Use,
};

/// Renders the callers or callees of a definition.
pub fn calls(tree: &CallTree) -> Value {
    let direction = if tree.direction == CallDirection::Callers { "callers" } else { "callees" };
    let mut value = json!({
        "version": 1,
        "direction": direction,
        "of": location(&tree.root),
        "direct": tree.direct,
        "left_out": tree.left_out,
        "tree": tree.branches.iter().map(branch).collect::<Vec<_>>(),
    });
    if tree.uses > 0 {
        value["uses"] = tree.uses.into();
    }
    with_notices(with_filtered(value, tree.filtered), &tree.notices)
}

/// Adds the number of entries that the filters leave out, if any.
fn with_filtered(mut value: Value, filtered: usize) -> Value {
    if filtered > 0 {
        value["filtered"] = filtered.into();
    }
    value
}

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

/// Renders the uses of a definition or value.
pub fn references(found: &References) -> Value {
    let one = |one: &Use| {
        let mut place = json!({
            "line": one.line, "column": one.column, "text": one.text, "kind": one.kind.name(), "inside": one.inside,
            "is_test": one.is_test, "possible": matches!(one.certainty, Certainty::Possible(_)),
            "by_name": one.certainty == Certainty::ByName,
        });
        if let Some(through) = &one.through {
            place["through"] = through.as_str().into();
        }
        with_path(place, &one.path)
    };
    let value = json!({
        "version": 1,
        "of": location(&found.of),
        "certain": found.certain,
        "possible": found.possible,
        "by_name": found.by_name,
        "left_out": found.total() - found.uses.len(),
        "uses": found.uses.iter().map(one).collect::<Vec<_>>(),
    });
    with_notices(with_filtered(value, found.filtered), &found.notices)
}

fn call(line: &CallLine) -> Value {
    let mut value = json!({"line": line.line, "column": line.column, "text": line.text, "reason": line.reason.name()});
    if let Some(through) = &line.through {
        value["through"] = through.as_str().into();
    }
    with_path(value, &line.path)
}

/// Renders the implementations, subtypes and overrides of a definition, or what it implements.
pub fn implementations(tree: &TypeTree) -> Value {
    let value = json!({
        "version": 1,
        "direction": tree.direction.name(),
        "of": location(&tree.root),
        "direct": tree.direct,
        "total": tree.total,
        "left_out": tree.left_out,
        "tree": tree.branches.iter().map(type_branch).collect::<Vec<_>>(),
    });
    with_filtered(value, tree.filtered)
}

fn type_branch(one: &TypeBranch) -> Value {
    let mut value = location(&one.location);
    value["signature"] = one.signature.as_str().into();
    value["relation"] = one.relation.name().into();
    value["left_out"] = one.left_out.into();
    value["tree"] = one.branches.iter().map(type_branch).collect();
    value
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
    let value = json!({
        "version": 1,
        "of": location(&relations.definition),
        "callers": ends(&relations.callers),
        "callees": ends(&relations.callees),
        "related": related.collect::<Vec<_>>(),
    });
    with_notices(value, &relations.callees.notices)
}
