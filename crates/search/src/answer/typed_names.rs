//! Lists definitions and files of an index for comparison with typed names.

use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// Returns all definitions of an index.
pub(super) fn all_definitions(graph: &GraphFile) -> impl Iterator<Item = DefinitionId> + use<> {
    graph.definition_ids()
}

/// Returns all definitions in a file.
pub(super) fn definitions_in(graph: &GraphFile, file: FileId) -> impl Iterator<Item = DefinitionId> + use<> {
    graph.definitions_of(file)
}

/// Returns the definition that represents the file itself.
pub(super) fn file_definition(graph: &GraphFile, file: FileId) -> DefinitionId {
    graph.file(file).first_definition
}

/// Returns the file with this path or, if there is none, all files whose paths end with it.
pub(super) fn files_ending_in(graph: &GraphFile, path: &str) -> Vec<FileId> {
    let ids = || graph.file_ids();
    let ends = |file: &FileId| graph.path(*file).strip_suffix(path).is_some_and(|before| before.ends_with('/'));
    match ids().find(|&file| graph.path(file) == path) {
        Some(exact) => vec![exact],
        None if path.is_empty() => Vec::new(),
        None => ids().filter(ends).collect(),
    }
}

/// Checks whether a typed name can refer to a definition. Anonymous functions, declarations and
/// pieces of text cannot be referred to; the names of entries are resolved separately.
pub(super) fn has_name(graph: &GraphFile, id: DefinitionId) -> bool {
    let kind = graph.definition(id).kind();
    !graph.name(id).is_empty()
        && !matches!(
            kind,
            DefinitionKind::Anonymous
                | DefinitionKind::Text
                | DefinitionKind::Declaration
                | DefinitionKind::Entry
                | DefinitionKind::Mount
        )
}

/// Replaces all separators in a name with dots.
pub(super) fn dotted(name: &str) -> String {
    name.replace("::", ".").replace(['\\', '#'], ".")
}
