//! The names that definitions are shown under.

use crate::ids::DefinitionId;
use crate::store::GraphFile;
use crate::text::file_name;

/// A definition's name with those around it.
pub(super) fn qualified_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.qualified_name(id) {
        "" => own_name(graph, id),
        name => name.to_owned(),
    }
}

/// A definition's own name; files and text have none, the file's name stands for it.
pub(super) fn own_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.name(id) {
        "" => file_name(graph.path(graph.definition(id).file)).to_owned(),
        name => name.to_owned(),
    }
}
