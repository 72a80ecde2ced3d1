//! Finds the position of a call in the source: line, column and text.
//!
//! **Invariant:** the position is the position of the callee's name in the call or, if the call
//! does not contain the name, of the call's first character.

use super::place::Place;
use whichfn_graph::CallReason;
use whichfn_index::source::{Sources, piece};
use whichfn_index::store::CallRow;
use whichfn_syntax::ids::DefinitionId;

/// A call with its position in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallLine {
    /// Position of the callee's name.
    pub place: Place,
    /// Reason why the call is linked.
    pub reason: CallReason,
    /// Definition inside the requested type or file that calls or is called; `None` for a function.
    pub through: Option<String>,
}

impl CallLine {
    /// Returns the call that a row of `caller` describes.
    pub(super) fn of(sources: &Sources<'_>, caller: DefinitionId, row: &CallRow, through: Option<String>) -> Self {
        let graph = sources.graph();
        let file = graph.definition(caller).file;
        let (text, path, name) = (sources.text(file), graph.path(file), graph.name(row.callee));
        let (node, first) = (sources.syntax_node(file, row.site), sources.syntax_node(file, row.site + 1));
        let end_of_first = (first.end.min(node.end)).saturating_sub(node.start) as usize;
        let start = node.start as usize + name_offset(piece(&text, (node.start, node.end)), end_of_first, name);
        let place = match text.get(start..) {
            Some(rest) if !text.is_empty() => {
                Place::of_name(path, &text, start, if rest.starts_with(name) { name } else { "" })
            }
            _ => Place { line: row.line, ..Place::of_name(path, "", 0, "") },
        };
        Self { place, reason: row.reason(), through }
    }
}

/// Returns the byte offset of the callee's name in a call, or 0 if the call does not contain the
/// name (a constructor, an alias). The first part of the call, which ends at `end_of_first`, is what
/// is called (`session.renew`), or the object whose member is called. Either may contain other calls
/// with the name.
fn name_offset(call: &str, end_of_first: usize, name: &str) -> usize {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_whole =
        |at: usize| !is_part(call[..at].chars().next_back()) && !is_part(call[at + name.len()..].chars().next());
    if name.is_empty() {
        return 0;
    }
    let places = || call.match_indices(name).map(|(at, _)| at).filter(|&at| is_whole(at));
    let rest = call.get(end_of_first..).unwrap_or_default().trim_start();
    let is_object = MEMBER_SIGNS.iter().any(|sign| rest.starts_with(sign));
    let of_callee = || places().take_while(|at| at + name.len() <= end_of_first).last();
    let after = |at: &usize| !is_object || *at >= end_of_first;
    // In `price.price(item)`, the second `price` is called.
    let is_called = |at: &usize| call[at + name.len()..].trim_start().starts_with('(');
    let first_called = || places().filter(after).find(is_called).or_else(|| places().find(after));
    (!is_object).then(of_callee).flatten().or_else(first_called).or_else(|| places().next()).unwrap_or(0)
}

/// Signs between an object and its member.
const MEMBER_SIGNS: [&str; 6] = [".", "?.", "!.", "&.", "->", "::"];

#[cfg(test)]
mod tests {
    use super::name_offset;

    #[test]
    fn call_position_is_that_of_the_name() {
        // The callee is the first part in some grammars, its object in others.
        let chain = "session\n    .renewed()\n    .renew(token)";
        assert_eq!(name_offset(chain, 33, "renew"), 28);
        assert_eq!(name_offset(chain, 22, "renew"), 28);
        let repeated = "a.up()\n.up()\n.up(up(1))";
        assert_eq!(name_offset(repeated, 16, "up"), 14);
        assert_eq!(name_offset(repeated, 12, "up"), 14);
        assert_eq!(name_offset("price.price(item)", 11, "price"), 6);
        assert_eq!(name_offset("price.price(item)", 5, "price"), 6);
        assert_eq!(name_offset("load::<u8>(load(1))", 10, "load"), 0);
        assert_eq!(name_offset("price price", 5, "price"), 0);
        assert_eq!(name_offset("Session(token)", 7, "__init__"), 0);
        assert_eq!(name_offset("größe.größe größe", 7, "größe"), 8);
        assert_eq!(name_offset("x", 1, ""), 0);
    }
}
