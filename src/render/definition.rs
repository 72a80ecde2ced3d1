//! Renders a function with its neighbors, and a call.

use super::place::{location, with_path};
use super::with_notices;
use crate::engine::{Engine, ListedSymbol};
use serde_json::{Value, json};
use whichfn_search::answer::{Branch, CallLine, Calls, DefinitionLocation, Relations, Tree};
use whichfn_search::search::{KindFilter, ListingFilter};
use whichfn_syntax::ids::DefinitionId;

/// Renders a call.
pub fn call(CallLine { place, reason, through }: &CallLine) -> Value {
    let mut value = json!({"line": place.line, "column": place.column, "text": place.text, "reason": reason.name()});
    if let Some(through) = through {
        value["through"] = through.as_str().into();
    }
    with_path(value, &place.path)
}

/// Renders a function with its source, and up to `most` each of its callers, its callees, and other
/// related definitions.
pub fn function(engine: &Engine, id: DefinitionId, most: usize) -> Value {
    let Relations { definition, callers, callees, others, .. } =
        engine.relate(id, KindFilter::Function, most, &ListingFilter::ALL);
    let ListedSymbol { signature, doc, .. } = engine.symbol(id);
    let named = |of: &DefinitionLocation, at_line: u32, why: &str| {
        let mut value = location(of);
        value["id"] = engine.short_id(of.definition).into();
        value["at_line"] = at_line.into();
        value["why"] = why.into();
        value
    };
    let calls = |tree: &Tree<Calls>| {
        let end = |Branch { location, link, .. }: &Branch<Calls>| match link.calls.first() {
            Some(CallLine { place, .. }) => named(location, place.line, &place.text),
            None => named(location, location.line, ""),
        };
        json!({"all": tree.direct, "named": tree.branches.iter().map(end).collect::<Vec<_>>()})
    };
    let others: Vec<Value> =
        others.iter().map(|one| named(&one.location, one.location.line, &one.reasons.join(", "))).collect();
    let value = json!({
        "version": 1,
        "id": engine.short_id(id),
        "of": location(&definition),
        "signature": signature,
        "doc": doc,
        "source": engine.source_of(&definition).join("\n"),
        "callers": calls(&callers),
        "callees": calls(&callees),
        "related": {"all": others.len(), "named": others},
    });
    with_notices(value, &callees.notices)
}
