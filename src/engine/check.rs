//! Checks a change and reports findings. First opens the tree that contains the change: the working
//! tree, or a revision or the staged files, which are written to a temporary folder if the working
//! tree differs from them.

use super::Engine;
use std::path::{Path, PathBuf};
use whichfn_check::{
    ChangeOf, CheckReport, QuestionFile, Rule, check, check_dead, commit_unless_checked_out, differs_from_staged,
    read_change, write_revision, write_staged,
};
use whichfn_index::index::{Options, Progress};
use whichfn_index::store::create_folder;
use whichfn_system::error::{Error, Kind, Result};

/// An open tree that contains a change.
pub struct OpenTree {
    /// Index of the tree.
    pub engine: Engine,
    /// Root of the tree's files.
    pub root: PathBuf,
    /// True if the tree is a separate folder and not the working tree.
    pub is_elsewhere: bool,
    _folder: Option<RevisionFolder>,
}

/// A folder with the files of a revision and their index. It is deleted when this value is dropped.
struct RevisionFolder(PathBuf);

impl Drop for RevisionFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed stays in the cache.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Engine {
    /// Opens the tree that contains a change to the repository at `root`.
    ///
    /// # Errors
    /// Returns an error if a revision does not exist or cannot be written, or in the same cases as
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
        let is_partly_staged =
            *source == ChangeOf::Staged && differs_from_staged(root)? && !read_change(root, source)?.files.is_empty();
        if commit.is_none() && !is_partly_staged {
            let engine = Self::open(root, index_dir, options, progress)?;
            return Ok(OpenTree { engine, root: root.to_owned(), is_elsewhere: false, _folder: None });
        }
        let name = commit.as_deref().unwrap_or("staged");
        let folder = RevisionFolder(index_dir.join(format!("revision-{name}-{}", std::process::id())));
        let (tree, index) = (folder.0.join("tree"), folder.0.join("index"));
        create_folder(&tree).map_err(|cause| Error::io(Kind::Path, "make", &tree, &cause))?;
        match &commit {
            Some(commit) => write_revision(root, commit, &tree)?,
            None => write_staged(root, &tree)?,
        }
        let engine = Self::open(&tree, &index, options, progress)?;
        Ok(OpenTree { engine, root: tree, is_elsewhere: true, _folder: Some(folder) })
    }

    /// Checks a change with the given rules. This engine must be open on the tree that contains the
    /// change: the working tree of the repository, or a separate tree. The former contents are read
    /// from git.
    ///
    /// # Errors
    /// Returns an error if `repository` is not a git repository, if a revision does not exist, or
    /// if git cannot be run.
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

    /// Finds the dead code of the whole repository.
    ///
    /// # Errors
    /// Returns an error if a language's data files are invalid.
    pub fn check_dead(&self) -> Result<CheckReport> {
        check_dead(&self.root, &self.generation, &self.registry)
    }
}
