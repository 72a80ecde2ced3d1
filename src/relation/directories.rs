//! The directory tree of a repository, from the paths of its files.

use crate::ids::FileId;
use crate::store::GraphFile;

/// All directories, the root first, each after the one around it.
#[derive(Debug, Clone, Default)]
pub struct Directories {
    /// The directory around each; the root's own number for the root.
    pub parents: Vec<u32>,
    /// The directory of each file.
    pub of_file: Vec<u32>,
    /// Path of each.
    pub paths: Vec<String>,
}

impl Directories {
    /// Files come in order of path, so all that lies in a directory comes in one run, and a stack is enough.
    pub fn new(graph: &GraphFile) -> Self {
        let mut all = Self { parents: vec![0], of_file: Vec::new(), paths: vec![String::new()] };
        let mut open: Vec<u32> = vec![0];
        for file in 0..graph.files().len() {
            let path = graph.path(FileId::new(file));
            let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
            while !holds(&all.paths[open[open.len() - 1] as usize], directory) {
                open.pop();
            }
            let mut at = all.paths[open[open.len() - 1] as usize].len();
            while at < directory.len() {
                let from = if at == 0 { 0 } else { at + 1 };
                at = directory[from..].find('/').map_or(directory.len(), |slash| from + slash);
                all.parents.push(open[open.len() - 1]);
                open.push(all.paths.len() as u32);
                all.paths.push(directory[..at].to_owned());
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
