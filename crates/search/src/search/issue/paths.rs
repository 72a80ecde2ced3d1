//! Finds the files and functions of one index that a path, a module or a frame refers to.
//!
//! A path may start with folders outside the repository (`/usr/lib/python3/dist-packages/`), and
//! the repository may have folders that the path lacks, so the longest common end counts.

use super::trace::TraceFrame;
use rustc_hash::FxHashMap;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};

/// Maximum number of files that a path or module refers to.
const MOST_FILES: usize = 12;
/// Names of files that represent their folder.
const FOLDER_FILES: [&str; 4] = ["__init__", "index", "mod", "lib"];

/// The files of an index, by the last part of their path.
#[derive(Default)]
pub(in crate::search) struct Paths<'g> {
    by_name: FxHashMap<&'g str, Vec<(FileId, &'g str)>>,
    by_stem: FxHashMap<&'g str, Vec<(FileId, &'g str)>>,
}

impl<'g> Paths<'g> {
    pub fn new(graph: &'g GraphFile) -> Self {
        let mut paths = Self::default();
        for file in graph.file_ids() {
            let path = graph.path(file);
            let stem = stem_of(path);
            paths.by_name.entry(last_part(path)).or_default().push((file, path));
            paths.by_stem.entry(last_part(stem)).or_default().push((file, stem));
        }
        paths
    }

    /// Returns the files that share the longest end with a path, of at least its file name.
    pub fn of_path(&self, path: &str) -> Vec<FileId> {
        let Some(alike) = self.by_name.get(last_part(path)) else { return Vec::new() };
        let shared = |known: &str| known.rsplit('/').zip(path.rsplit('/')).take_while(|(a, b)| a == b).count();
        let most = alike.iter().map(|(_, known)| shared(known)).max().unwrap_or_default();
        let files: Vec<FileId> =
            alike.iter().filter(|(_, known)| shared(known) == most).map(|&(file, _)| file).collect();
        // A single shared name is no evidence if both have folders that differ.
        let is_weak = most == 1 && path.contains('/') && alike.iter().all(|(_, known)| known.contains('/'));
        if files.len() > MOST_FILES || is_weak { Vec::new() } else { files }
    }

    /// Returns the files that a dotted name refers to: a module, or the start of the name.
    pub fn of_module(&self, name: &str) -> Vec<FileId> {
        let parts: Vec<&str> = name.split('.').collect();
        for end in (2..=parts.len()).rev() {
            let Some(alike) = self.by_stem.get(parts[end - 1]) else { continue };
            let path = parts[..end].join("/");
            let is_module =
                |known: &str| known == path || known.strip_suffix(path.as_str()).is_some_and(|at| at.ends_with('/'));
            let files: Vec<FileId> =
                alike.iter().filter(|(_, known)| is_module(known)).map(|&(file, _)| file).collect();
            if !files.is_empty() && files.len() <= MOST_FILES {
                return files;
            }
        }
        Vec::new()
    }

    /// Returns the functions that a frame may be in: the one around its line, unless the function of
    /// its name is elsewhere in the file.
    pub fn frame(&self, graph: &GraphFile, frame: &TraceFrame) -> Vec<DefinitionId> {
        let (scope, name) = match frame.function.rsplit_once('.') {
            Some((scope, name)) => (scope.rsplit('.').next().unwrap_or_default(), name),
            None => ("", frame.function.as_str()),
        };
        let named = if name.is_empty() { Vec::new() } else { graph.named(name) };
        if frame.path.is_empty() {
            let scoped: Vec<DefinitionId> =
                named.into_iter().filter(|&id| !scope.is_empty() && is_in_scope(graph, id, scope)).collect();
            return if scoped.len() <= MOST_FILES { scoped } else { Vec::new() };
        }
        let files = self.of_path(&frame.path);
        let mut found: Vec<DefinitionId> =
            named.into_iter().filter(|&id| files.contains(&graph.definition(id).file)).collect();
        let line = frame.line.unwrap_or_default();
        if found.is_empty() && frame.line.is_some() {
            found = files.iter().filter_map(|&file| around(graph, file, (line, line)).pop()).collect();
        }
        let is_around = |id: &DefinitionId| {
            let row = graph.definition(*id);
            (row.start_line..=row.end_line).contains(&line)
        };
        if found.iter().any(is_around) {
            found.retain(is_around);
        }
        if found.len() > MOST_FILES { Vec::new() } else { found }
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the functions of a file that a range of lines touches, the innermost last.
pub(super) fn around(graph: &GraphFile, file: FileId, (first, last): (u32, u32)) -> Vec<DefinitionId> {
    let rows = graph.definitions_of(file).zip(graph.rows_of(file)).filter(|(_, row)| row.kind().is_function());
    rows.filter(|(_, row)| row.start_line <= last && row.end_line >= first).map(|(id, _)| id).collect()
}

/// Checks whether a definition is in a type or file of this name.
pub(super) fn is_in_scope(graph: &GraphFile, id: DefinitionId, scope: &str) -> bool {
    let row = graph.definition(id);
    graph.name(row.parent) == scope || stem_of(graph.path(row.file)).rsplit('/').next() == Some(scope)
}

/// Returns a path without its ending, and without a file name that represents the folder.
fn stem_of(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    match stem.rsplit_once('/') {
        Some((folder, name)) if FOLDER_FILES.contains(&name) => folder,
        _ => stem,
    }
}
