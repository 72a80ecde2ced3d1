//! The directory tree of a repository, derived from the paths of its files.

use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DirectoryId, FileId, IdVec};

/// All directories; the root is first, and parents come before children.
#[derive(Debug, Clone)]
pub struct Directories {
    /// Parent of each directory; the root is its own parent.
    pub parents: IdVec<DirectoryId, DirectoryId>,
    /// Directory that contains each file, by position among the given files.
    pub of_file: IdVec<FileId, DirectoryId>,
    /// Paths from the root, with slashes; empty for the root.
    pub paths: IdVec<DirectoryId, String>,
}

impl Directories {
    /// Builds the tree of the directories of all files.
    pub fn new(graph: &GraphFile) -> Self {
        Self::around(graph, graph.file_ids())
    }

    /// Builds the tree of the directories of some files, which must be sorted.
    ///
    /// Paths are sorted too, so all files of a directory are in one run, and a stack is enough.
    pub fn around(graph: &GraphFile, files: impl Iterator<Item = FileId>) -> Self {
        let root = DirectoryId(0);
        let mut all = Self { parents: vec![root].into(), of_file: IdVec::new(), paths: vec![String::new()].into() };
        let mut open = vec![root];
        for file in files {
            let path = graph.path(file);
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            while !contains(&all.paths[open[open.len() - 1]], directory) {
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

/// Checks whether a directory is the other or contains it.
fn contains(around: &str, directory: &str) -> bool {
    around.is_empty() || directory.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
