//! Where a definition lies, as people and programs read it.

use super::names::qualified_name;
use crate::ids::DefinitionId;
use crate::source::Sources;
use crate::store::GraphFile;
use std::ops::Range;

/// A definition and its place in the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionLocation {
    /// Its number in this index.
    pub definition: DefinitionId,
    /// Path from the root.
    pub path: String,
    /// First line, from 1.
    pub start_line: u32,
    /// Last line, included.
    pub end_line: u32,
    /// The line of its name, from 1.
    pub line: u32,
    /// Its name with those around it.
    pub name: String,
    /// `function`, `method`, ...
    pub kind: &'static str,
}

/// The line of a definition's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadLine {
    /// As it stands; empty where the file is not what was indexed.
    pub text: String,
    /// The bytes of the name; where the line does not hold it, an empty stretch before the first that is not blank.
    pub name: Range<usize>,
}

impl HeadLine {
    /// Of a text and the number of the line, from 1.
    pub(super) fn of(text: &str, line: u32, name: &str) -> Self {
        let text = text.lines().nth(line as usize - 1).unwrap_or_default();
        let blank = text.len() - text.trim_start().len();
        let at = if name.is_empty() { None } else { name_in(text, name) };
        let name = at.map_or(blank % text.len().max(1)..blank % text.len().max(1), |at| at..at + name.len());
        Self { text: text.to_owned(), name }
    }
}

/// The line of a definition's name.
pub fn head_line(sources: &Sources<'_>, id: DefinitionId) -> HeadLine {
    let graph = sources.graph();
    let row = graph.definition(id);
    HeadLine::of(&sources.text(row.file), row.line, graph.name(id))
}

/// Where a name stands in a line, not as a part of a longer one.
fn name_in(line: &str, name: &str) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let alone = |at: &usize| !line[..*at].ends_with(is_word) && !line[at + name.len()..].starts_with(is_word);
    line.match_indices(name).map(|(at, _)| at).find(alone).or_else(|| line.find(name))
}

/// Where a definition lies.
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
