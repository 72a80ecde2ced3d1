//! The directory tree of a repository, derived from the paths of its files.

use whichfn_syntax::ids::{DirectoryId, FileId, IdVec, NodeId};

/// All directories; the root is first, and parents come before children.
#[derive(Debug, Clone)]
pub struct Directories {
    /// Parent of each directory; the root is its own parent.
    pub(crate) parents: IdVec<DirectoryId, DirectoryId>,
    /// Directory that contains each file, by position among the given files.
    pub(crate) of_file: IdVec<FileId, DirectoryId>,
    /// Paths from the root, with slashes; empty for the root.
    pub paths: IdVec<DirectoryId, String>,
}

impl Directories {
    /// Builds the tree of the directories of some files from their paths, which must be sorted.
    ///
    /// All files of a directory are therefore in one run, and a stack is enough.
    pub fn new<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let root = DirectoryId::ROOT;
        let mut all = Self { parents: vec![root].into(), of_file: IdVec::new(), paths: vec![String::new()].into() };
        let mut open = vec![root];
        for path in files {
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

    /// Returns the parent of each of the nodes ([`Directories::nodes`]); the root is its own parent.
    pub fn parents(&self) -> impl Iterator<Item = NodeId> + Clone {
        self.parents.iter().chain(&self.of_file).map(|directory| NodeId(directory.0))
    }

    /// Returns the edges between the nodes ([`Directories::nodes`]), from each parent.
    pub fn edges<E: Copy>(&self, edge: E) -> impl Iterator<Item = (NodeId, NodeId, E)> + Clone {
        self.parents().enumerate().skip(1).map(move |(node, parent)| (parent, NodeId::new(node), edge))
    }

    /// Returns the node of a file.
    pub fn file(&self, file: FileId) -> NodeId {
        NodeId::new(self.parents.len() + file.index())
    }
}

/// Checks whether a directory is the other or contains it.
fn contains(around: &str, directory: &str) -> bool {
    around.is_empty() || directory.strip_prefix(around).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
