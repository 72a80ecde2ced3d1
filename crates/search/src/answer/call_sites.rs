//! Finds the position of a call in the source: line, column and text.
//!
//! **Invariant:** the position is the position of the callee's name in the call or, if the call
//! does not contain the name, of the call's first character.
//!
//! **Cost:** the syntax of a file is unpacked once for consecutive calls in that file.

use super::name_position::NamePosition;
use whichfn_graph::CallReason;
use whichfn_index::source::{Sources, piece};
use whichfn_index::store::CallRow;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::parse::{Syntax, SyntaxNode};

/// A call with its position in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallLine {
    /// File path, relative to the root.
    pub path: String,
    /// 1-based line number.
    pub line: u32,
    /// 1-based column in characters.
    pub column: u32,
    /// 1-based column in bytes.
    pub byte: u32,
    /// Start and end of the callee's name in the line, as 0-based UTF-16 offsets.
    pub utf16: (u32, u32),
    /// Text of the line with its whitespace collapsed; empty if the file has changed since
    /// indexing.
    pub text: String,
    /// Reason why the call is linked.
    pub reason: CallReason,
    /// Definition inside the requested type or file that calls or is called; `None` for a function.
    pub through: Option<String>,
}

/// Reader of call positions, which caches the syntax of one file.
pub(super) struct CallSites<'a> {
    sources: &'a Sources<'a>,
    /// Syntax of the file read last.
    syntax: Option<(FileId, Vec<SyntaxNode>)>,
}

impl<'a> CallSites<'a> {
    pub fn new(sources: &'a Sources<'a>) -> Self {
        Self { sources, syntax: None }
    }

    /// Returns the position of the call that a row of `caller` describes.
    pub fn line(&mut self, caller: DefinitionId, row: &CallRow, through: Option<String>) -> CallLine {
        let graph = self.sources.graph();
        let file = graph.definition(caller).file;
        let text = self.sources.text(file);
        let node = self.node(file, row.site);
        let start = node.start as usize + name_offset(piece(&text, (node.start, node.end)), graph.name(row.callee));
        let name = graph.name(row.callee);
        let position = match text.get(start..) {
            Some(rest) if !text.is_empty() => {
                NamePosition::new(&text, start, if rest.starts_with(name) { name } else { "" })
            }
            _ => NamePosition { line: row.line, ..NamePosition::new("", 0, "") },
        };
        let NamePosition { line, column, byte, utf16, text } = position;
        let path = graph.path(file).to_owned();
        CallLine { path, line, column, byte, utf16, text, reason: row.reason(), through }
    }

    /// Returns the text of the call that a row of `caller` describes; empty if the file has changed
    /// since indexing.
    pub fn text(&mut self, caller: DefinitionId, row: &CallRow) -> String {
        let file = self.sources.graph().definition(caller).file;
        let node = self.node(file, row.site);
        piece(&self.sources.text(file), (node.start, node.end)).to_owned()
    }

    fn node(&mut self, file: FileId, node: u32) -> SyntaxNode {
        if self.syntax.as_ref().is_none_or(|(known, _)| *known != file) {
            self.syntax = Some((file, Syntax::new(&self.sources.graph().syntax(file)).collect()));
        }
        self.syntax.as_ref().and_then(|(_, nodes)| nodes.get(node as usize)).copied().unwrap_or_default()
    }
}

/// Returns the byte offset of the callee's name in a call, or 0 if the call does not contain the
/// name (a constructor, an alias).
fn name_offset(call: &str, name: &str) -> usize {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let is_whole =
        |at: usize| !is_part(call[..at].chars().next_back()) && !is_part(call[at + name.len()..].chars().next());
    if name.is_empty() {
        return 0;
    }
    let places = || call.match_indices(name).map(|(at, _)| at).filter(|&at| is_whole(at));
    // In `price.price(item)`, the second `price` is called.
    let is_called = |at: &usize| call[at + name.len()..].trim_start().starts_with('(');
    places().find(is_called).or_else(|| places().next()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::name_offset;

    #[test]
    fn call_position_is_that_of_the_name() {
        assert_eq!(name_offset("session\n    .renewed()\n    .renew(token)", "renew"), 28);
        assert_eq!(name_offset("price.price(item)", "price"), 6);
        assert_eq!(name_offset("price price", "price"), 0);
        assert_eq!(name_offset("Session(token)", "__init__"), 0);
        assert_eq!(name_offset("größe.mehr(größe)", "größe"), 0);
        assert_eq!(name_offset("x", ""), 0);
    }
}
