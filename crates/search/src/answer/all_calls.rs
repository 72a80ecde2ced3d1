//! Every call of a repository, with its position.
//!
//! **Invariant:** calls in an anonymous function count as calls of the named function around it, as
//! in the trees of `callers` and `callees`. Calls are sorted by the number of their function. A
//! call that may be dispatched is followed by one for each override of its callee, up to
//! [`MAX_OVERRIDES`].
//!
//! **Cost:** the text and the syntax of each file, read once.

use super::call_sites::CallLine;
use super::calls::{may_dispatch, may_run, named_around};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use whichfn_graph::CallReason;
use whichfn_index::source::Sources;
use whichfn_index::store::TypeGraph;
use whichfn_syntax::ids::DefinitionId;

/// Maximum number of overrides of a method that its calls are printed for; the first ones by
/// location.
const MAX_OVERRIDES: usize = 100;

/// A call and its position in the caller's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocatedCall {
    /// Named definition that contains the call.
    pub caller: DefinitionId,
    /// Definition called.
    pub callee: DefinitionId,
    /// 1-based line of the callee's name.
    pub line: u32,
    /// 1-based column of the callee's name, in characters.
    pub column: u32,
    /// Reason why the call is linked.
    pub reason: CallReason,
}

/// Returns all calls of a repository.
pub fn located_calls(sources: &Sources<'_>, types: &TypeGraph<'_>) -> Vec<LocatedCall> {
    let graph = sources.graph();
    let mut located = Vec::with_capacity(graph.call_count());
    let mut overrides: FxHashMap<DefinitionId, Vec<DefinitionId>> = FxHashMap::default();
    for id in graph.definition_ids() {
        let caller = named_around(graph, id);
        let mut linked: BTreeSet<_> = graph.calls(id).iter().map(|row| (row.site, row.callee)).collect();
        for row in graph.calls(id) {
            let at = CallLine::of(sources, id, row, None).place;
            let call =
                LocatedCall { caller, callee: row.callee, line: at.line, column: at.column, reason: row.reason() };
            located.push(call);
            let overrides = overrides.entry(row.callee).or_insert_with(|| types.overrides(row.callee));
            if may_dispatch(graph, types, id, *row, overrides) {
                let others = overrides.iter().filter(|&&to| may_run(graph, types, caller, *row, to));
                // Two methods that a call reaches may have the same overrides.
                let others = others.take(MAX_OVERRIDES).filter(|&&to| linked.insert((row.site, to)));
                located.extend(others.map(|&callee| LocatedCall { callee, reason: CallReason::Dispatch, ..call }));
            }
        }
    }
    located
}
