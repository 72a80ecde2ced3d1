//! Positions of definitions in the sources, for display.

use super::place::Place;
use std::ops::Range;
use whichfn_index::source::Sources;
use whichfn_index::store::{GraphFile, NamedValueRow};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_text::file_name;

/// A definition and its position in the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionLocation {
    /// Id in the index.
    pub definition: DefinitionId,
    /// File path, relative to the root.
    pub path: String,
    /// First line, 1-based.
    pub start_line: u32,
    /// Last line, inclusive.
    pub end_line: u32,
    /// Line of the name, 1-based.
    pub line: u32,
    /// Qualified name.
    pub name: String,
    /// Kind, such as `function` or `method`.
    pub kind: &'static str,
}

impl DefinitionLocation {
    /// Returns the line with the name.
    pub fn place(&self) -> Place {
        Place::of_line(&self.path, self.line)
    }
}

/// The line that contains a definition's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadLine {
    /// Text as written; empty if the file has changed since indexing.
    pub text: String,
    /// Byte range of the name, or an empty range before the first non-space character if the line
    /// does not contain the name.
    pub name: Range<usize>,
}

impl HeadLine {
    /// Finds a name in a line of a string; line numbers start at 1.
    pub(super) fn new(text: &str, line: u32, name: &str) -> Self {
        let text = text.lines().nth(line as usize - 1).unwrap_or_default();
        let blank = text.len() - text.trim_start().len();
        let at = if name.is_empty() { None } else { name_offset(text, name) };
        let name = at.map_or(blank % text.len().max(1)..blank % text.len().max(1), |at| at..at + name.len());
        Self { text: text.to_owned(), name }
    }

    /// Returns the line around a name at `offset`; the line is empty if the text has changed.
    pub(super) fn at(text: &str, offset: usize, name: &str) -> Self {
        if !text.get(offset..).is_some_and(|rest| rest.starts_with(name)) {
            return Self { text: String::new(), name: 0..0 };
        }
        let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let line = text[begin..].lines().next().unwrap_or_default();
        Self { text: line.to_owned(), name: offset - begin..offset - begin + name.len() }
    }
}

/// Returns the line that contains a definition's name.
pub fn head_line(sources: &Sources<'_>, id: DefinitionId) -> HeadLine {
    let graph = sources.graph();
    let row = graph.definition(id);
    HeadLine::new(&sources.text(row.file), row.line, graph.name(id))
}

/// Returns the offset of a name in a line, preferably of a whole word.
fn name_offset(line: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| !line[..*at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word);
    line.match_indices(name).map(|(at, _)| at).find(alone).or_else(|| line.find(name))
}

/// Returns the position of a definition.
pub fn location(graph: &GraphFile, id: DefinitionId) -> DefinitionLocation {
    let row = graph.definition(id);
    DefinitionLocation {
        definition: id,
        path: graph.path(row.file).to_owned(),
        start_line: row.start_line,
        end_line: row.end_line,
        line: row.line,
        name: qualified_name(graph, id),
        kind: row.kind().name(),
    }
}

/// Returns the qualified name of a definition.
pub(super) fn qualified_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.qualified_name(id) {
        "" => own_name(graph, id),
        // A route that is included several times has several names.
        _ if graph.traits(id).kind() == DefinitionKind::Entry => graph.entry_names(id).collect::<Vec<_>>().join(", "),
        name => name.to_owned(),
    }
}

/// Returns a definition's own name, or the file's name for files and text, which have no name.
pub(super) fn own_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.name(id) {
        "" => file_name(graph.path(graph.definition(id).file)).to_owned(),
        name => name.to_owned(),
    }
}

/// Returns the name of a value after the name of its type or namespace.
pub fn qualified_value(graph: &GraphFile, value: &NamedValueRow<'_>) -> String {
    let parent = graph.definition(value.parent);
    match parent.parent == value.parent {
        true => value.name.to_owned(),
        false => format!("{}.{}", graph.qualified_name(value.parent), value.name),
    }
}
