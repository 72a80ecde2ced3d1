//! Where a definition lies, as people and programs read it.

use super::names::qualified_name;
use crate::ids::DefinitionId;
use crate::store::GraphFile;

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
