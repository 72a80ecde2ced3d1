//! Checks a change: opens the tree that it leads to, the working tree or a revision that is not
//! checked out in a temporary folder, and reports findings.

use super::Engine;
use std::path::{Path, PathBuf};
use whichfn_check::{
    ChangeOf, CheckReport, QuestionFile, Rule, check, commit_unless_checked_out, read_change, write_revision,
};
use whichfn_index::index::{Options, Progress};
use whichfn_index::store::create_folder;
use whichfn_system::error::{Error, Kind, Result};

/// An open tree.
pub struct OpenTree {
    /// Index of the tree.
    pub engine: Engine,
    /// Root of its files.
    pub root: PathBuf,
    /// True if this is not the working tree.
    pub is_elsewhere: bool,
    _folder: Option<RevisionFolder>,
}

/// A folder with the files of a revision and their index, deleted when the value is dropped.
struct RevisionFolder(PathBuf);

impl Drop for RevisionFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed stays in the cache.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Engine {
    /// Opens the tree that a change of the repository at `root` leads to.
    ///
    /// # Errors
    /// When a revision is unknown or cannot be written, or for the same reasons as
    /// [`Engine::open`].
    pub fn open_after(
        root: &Path,
        index_dir: &Path,
        options: &Options,
        progress: &dyn Progress,
        source: &ChangeOf,
    ) -> Result<OpenTree> {
        let commit = match source {
            ChangeOf::Between { to, .. } => commit_unless_checked_out(root, to)?,
            _ => None,
        };
        let Some(commit) = commit else {
            let engine = Self::open(root, index_dir, options, progress)?;
            return Ok(OpenTree { engine, root: root.to_owned(), is_elsewhere: false, _folder: None });
        };
        let folder = RevisionFolder(index_dir.join(format!("revision-{commit}-{}", std::process::id())));
        let (tree, index) = (folder.0.join("tree"), folder.0.join("index"));
        create_folder(&tree).map_err(|cause| Error::io(Kind::Path, "make", &tree, &cause))?;
        write_revision(root, &commit, &tree)?;
        let engine = Self::open(&tree, &index, options, progress)?;
        Ok(OpenTree { engine, root: tree, is_elsewhere: true, _folder: Some(folder) })
    }

    /// Checks a change by these rules. The index must be that of the tree that the change leads to:
    /// the working tree of the repository, or a separate tree. The former contents are read from
    /// git.
    ///
    /// # Errors
    /// When `repository` is not a git repository, a revision is unknown, or git cannot be run.
    pub fn check(
        &self,
        repository: &Path,
        source: &ChangeOf,
        rules: &[Rule],
        questions: &QuestionFile,
    ) -> Result<CheckReport> {
        let change = read_change(repository, source)?;
        check(&self.root, &self.generation, &self.registry, &change, rules, questions)
    }
}
