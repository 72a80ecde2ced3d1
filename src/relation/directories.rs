//! The directory tree of a repository, from the paths of its files.

use crate::ids::{DirectoryId, FileId, IdVec};
use crate::store::GraphFile;

/// All directories, the root first, each after the one around it.
#[derive(Debug, Clone)]
pub struct Directories {
    /// The directory around each; the root itself for the root.
    pub parents: IdVec<DirectoryId, DirectoryId>,
    /// The directory right around each file, by place among those given.
    pub of_file: IdVec<FileId, DirectoryId>,
    /// Paths from the root, with slashes; empty for the root.
    pub paths: IdVec<DirectoryId, String>,
}

impl Directories {
    /// Those around all files.
    pub fn new(graph: &GraphFile) -> Self {
        Self::around(graph, graph.file_ids())
    }

    /// Those around some files, which come in order. Paths are in order too, so all that lies in a directory comes in one
    /// run, and a stack is enough.
    pub fn around(graph: &GraphFile, files: impl Iterator<Item = FileId>) -> Self {
        let root = DirectoryId(0);
        let mut all = Self { parents: vec![root].into(), of_file: IdVec::new(), paths: vec![String::new()].into() };
        let mut open = vec![root];
        for file in files {
            let path = graph.path(file);
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            while !holds(&all.paths[open[open.len() - 1]], directory) {
                open.pop();
            }
            let mut at = all.paths[open[open.len() - 1]].len();
            while at < directory.len() {
                let from = if at == 0 { 0 } else { at + 1 };
                at = directory[from..].find('/').map_or(directory.len(), |slash| from + slash);
                all.parents.push(open[open.len() - 1]);
                open.push(all.paths.push(directory[..at].to_owned()));
            }
            all.of_file.push(open[open.len() - 1]);
        }
        all
    }
}

/// Whether a directory is the other or lies around it.
fn holds(around: &str, directory: &str) -> bool {
    around.is_empty() || directory.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
