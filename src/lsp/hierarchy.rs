//! The call hierarchy: callers and callees of a function, from the graph.

use super::outbox::{Answered, Code, RefusedRequest};
use super::position::range;
use super::session::{DocumentPosition, Session};
use super::symbols::item;
use crate::render::counted;
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_search::answer::{Branch, CallDirection, CallLimits, Calls, Tree};
use whichfn_search::search::ListingFilter;
use whichfn_system::error::Result;

pub(super) const PREPARE: &str = "textDocument/prepareCallHierarchy";
pub(super) const INCOMING: &str = "callHierarchy/incomingCalls";
pub(super) const OUTGOING: &str = "callHierarchy/outgoingCalls";

/// Maximum number of definitions for an ambiguous name.
const NAMED: usize = 20;
/// Maximum number of callers or callees.
const CALLS: usize = 500;

#[derive(Debug, Deserialize)]
pub(super) struct CallsParams {
    item: ReceivedItem,
}

/// An item that the client received from this server.
#[derive(Debug, Deserialize)]
pub(super) struct ReceivedItem {
    pub uri: String,
    pub data: ItemData,
}

#[derive(Debug, Deserialize)]
pub(super) struct ItemData {
    pub line: u32,
    pub name: String,
}

/// Returns the definitions that a position refers to; null if there are none.
pub(super) fn prepare(session: &Session, at: &DocumentPosition) -> Answered {
    let items = session.at_position(at, |one, engine, ids| {
        ids.iter().take(NAMED).map(|&id| item(one, &engine.symbol(id))).collect::<Vec<_>>()
    })?;
    Ok(if items.is_empty() { Value::Null } else { items.into() })
}

pub(super) fn incoming(session: &Session, params: &CallsParams) -> Answered {
    calls(session, params, CallDirection::Callers, "from")
}

pub(super) fn outgoing(session: &Session, params: &CallsParams) -> Answered {
    calls(session, params, CallDirection::Callees, "to")
}

fn calls(session: &Session, params: &CallsParams, direction: CallDirection, end: &str) -> Answered {
    let ReceivedItem { uri, data } = &params.item;
    let (one, path) = session.place(uri)?;
    let ends = session.ask(one, |engine| -> Result<_> {
        let Some(definition) = engine.definition_named(&path, &data.name, data.line) else { return Ok(None) };
        let limits = CallLimits { depth: 1, max: CALLS };
        let trees = engine.calls_or_uses_of_all(&[definition], direction, limits, &ListingFilter::ALL)?;
        let Some(tree) = trees.first() else { return Ok(None) };
        session.show_once(&tree.notices);
        session.show_once(&lacking(&data.name, direction, tree));
        let called = |branch: &Branch<Calls>| {
            let ranges: Vec<Value> = branch.link.calls.iter().map(|call| range(&call.place)).collect();
            let symbol = engine.symbol(branch.location.definition);
            json!({end: item(one, &symbol), "fromRanges": ranges})
        };
        Ok(Some(tree.branches.iter().map(called).collect::<Vec<_>>()))
    })?;
    let missing =
        || RefusedRequest::new(Code::Failed, format!("{} is no longer in {path}; next: request it again", data.name));
    ends.map(Value::from).ok_or_else(missing)
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
