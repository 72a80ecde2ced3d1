//! The displayed names of definitions.

use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::file_name;

/// Returns the qualified name of a definition.
pub(super) fn qualified_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.qualified_name(id) {
        "" => own_name(graph, id),
        name => name.to_owned(),
    }
}

/// Returns a definition's own name, or the file's name for files and text, which have none.
pub(super) fn own_name(graph: &GraphFile, id: DefinitionId) -> String {
    match graph.name(id) {
        "" => file_name(graph.path(graph.definition(id).file)).to_owned(),
        name => name.to_owned(),
    }
}
