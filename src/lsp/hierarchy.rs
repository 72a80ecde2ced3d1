//! The call hierarchy: callers and callees of a function, from the graph.

use super::outbox::{Answered, Code, RefusedRequest};
use super::position::range;
use super::session::{DocumentPosition, Session};
use super::symbols::item;
use crate::engine::Engine;
use crate::host::Repository;
use crate::render::counted;
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_search::answer::{Branch, CallDirection, CallLimits, Calls, Tree};
use whichfn_search::search::ListingFilter;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

pub(super) const PREPARE: &str = "textDocument/prepareCallHierarchy";
pub(super) const INCOMING: &str = "callHierarchy/incomingCalls";
pub(super) const OUTGOING: &str = "callHierarchy/outgoingCalls";

/// Maximum number of definitions for an ambiguous name.
const NAMED: usize = 20;
/// Maximum number of callers or callees.
const CALLS: usize = 500;

#[derive(Debug, Deserialize)]
pub(super) struct ItemParams {
    item: ReceivedItem,
}

/// An item that the client received from this server.
#[derive(Debug, Deserialize)]
struct ReceivedItem {
    uri: String,
    data: ItemData,
}

#[derive(Debug, Deserialize)]
struct ItemData {
    line: u32,
    name: String,
}

/// Returns the list of the definition of an item.
pub(super) fn list(
    session: &Session,
    ItemParams { item: ReceivedItem { uri, data: ItemData { line, name } } }: &ItemParams,
    list: impl Fn(&Repository, &Engine, DefinitionId) -> Result<Vec<Value>>,
) -> Answered {
    let (one, path) = session.place(uri)?;
    let found = session
        .ask(one, |engine| engine.definition_named(&path, name, *line).map(|id| list(one, engine, id)).transpose())?;
    let missing =
        || RefusedRequest::new(Code::Failed, format!("{name} is no longer in {path}; next: request it again"));
    found.map(Value::from).ok_or_else(missing)
}

/// Returns the definitions that a position refers to; null if there are none.
pub(super) fn prepare(session: &Session, at: &DocumentPosition) -> Answered {
    let items = session.at_position(at, |one, engine, ids| {
        ids.iter().take(NAMED).map(|&id| item(one, &engine.symbol(id))).collect::<Vec<_>>()
    })?;
    Ok(if items.is_empty() { Value::Null } else { items.into() })
}

pub(super) fn calls(session: &Session, params: &ItemParams, direction: CallDirection) -> Answered {
    let end = if direction == CallDirection::Callers { "from" } else { "to" };
    list(session, params, |one, engine, definition| {
        let limits = CallLimits { depth: 1, max: CALLS };
        let trees = engine.calls_or_uses_of_all(&[definition], direction, limits, &ListingFilter::ALL)?;
        let tree = trees.into_iter().next().unwrap_or_default();
        session.show_once(&tree.notices);
        session.show_once(&lacking(&params.item.data.name, direction, &tree));
        let called = |branch: &Branch<Calls>| {
            let ranges: Vec<Value> = branch.link.calls.iter().map(|call| range(&call.place)).collect();
            let symbol = engine.symbol(branch.location.definition);
            json!({end: item(one, &symbol), "fromRanges": ranges})
        };
        Ok(tree.branches.iter().map(called).collect())
    })
}

/// Describes what a list of callers or callees does not contain.
fn lacking(name: &str, direction: CallDirection, tree: &Tree<Calls>) -> Vec<String> {
    let shown = tree.branches.len();
    let what = if direction == CallDirection::Callers { "callers" } else { "callees" };
    let cut = (shown < tree.direct).then(|| format!("showing {shown} of {} {what} of {name}", tree.direct));
    let uses = counted(tree.uses, "other use");
    let hint = (tree.uses > 0).then(|| format!("no calls to {name} found, but {uses}: find its references"));
    cut.into_iter().chain(hint).collect()
}
