//! Lists definitions and files of an index for comparison with typed names.

use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// Maximum number of parts in a typed name that are compared with the name of a definition itself.
const MAX_PARTS: usize = 16;

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

/// Replaces all separators in a name with dots. A dollar sign is a separator only between two names
/// (`Clock$read` in R), because it may also be a part of a name.
pub(super) fn dotted(name: &str) -> String {
    let mut out = name.replace("::", ".").replace(['\\', '#'], ".");
    while let Some(at) = out.find('$').filter(|&at| is_between_names(&out, at)) {
        out.replace_range(at..=at, ".");
    }
    out
}

fn is_between_names(text: &str, at: usize) -> bool {
    text[..at].ends_with(char::is_alphanumeric) && text[at + 1..].starts_with(char::is_alphanumeric)
}

/// Returns the ends of a typed name that may be the name of a definition itself, shortest first:
/// `this`, `aws_vpc.this` and `main.aws_vpc.this`.
pub(super) fn ends(name: &str) -> Vec<&str> {
    let is_end = |&(at, c): &(usize, char)| match c {
        '.' | ':' | '\\' | '#' => true,
        '$' => is_between_names(name, at),
        _ => false,
    };
    let starts = name.char_indices().rev().filter(is_end).map(|(at, c)| at + c.len_utf8());
    let ends = starts.chain([0]).map(|start| &name[start..]);
    ends.filter(|end| !end.is_empty() && !end.starts_with(['.', ':'])).take(MAX_PARTS).collect()
}

/// Checks whether a name contains a separator.
pub(super) fn has_parts(name: &str) -> bool {
    name.contains(['.', ':', '\\', '#', '$'])
}
