//! Every call of a repository, with its position.
//!
//! **Invariant:** calls in an anonymous function count as calls of the named function around it, as
//! in the trees of `callers` and `callees`. Calls are sorted by the number of their function.
//!
//! **Cost:** the text and the syntax of each file, read once.

use super::call_sites::CallSites;
use super::calls::named_around;
use whichfn_graph::CallReason;
use whichfn_index::source::Sources;
use whichfn_syntax::ids::DefinitionId;

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
pub fn located_calls(sources: &Sources<'_>) -> Vec<LocatedCall> {
    let graph = sources.graph();
    let mut sites = CallSites::new(sources);
    let mut located = Vec::with_capacity(graph.call_count());
    for id in graph.definition_ids() {
        let caller = named_around(graph, id);
        for row in graph.calls(id) {
            let at = sites.line(id, row, None);
            let (line, column) = (at.line, at.column);
            located.push(LocatedCall { caller, callee: row.callee, line, column, reason: row.reason() });
        }
    }
    located
}
