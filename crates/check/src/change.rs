//! A change to a repository as plain data: the changed files and their old contents.

/// Selects the change to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeOf {
    /// Uncommitted changes in the working tree, limited to these paths unless the list is empty.
    Uncommitted(Vec<String>),
    /// Staged changes, which the next commit would contain.
    Staged,
    /// Changes since the last commit that the working tree's history shares with this revision.
    Since(String),
    /// Changes from the last common commit of two revisions to the second revision. The working
    /// tree does not matter.
    Between {
        /// Revision that the change is compared with.
        from: String,
        /// Revision that contains the change.
        to: String,
    },
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Current path from the root, or `None` if the file was deleted.
    pub path: Option<String>,
    /// Former path from the root, or `None` if the file is new.
    pub old_path: Option<String>,
    /// Former text, or `None` if the file is new or was not text.
    pub old_text: Option<String>,
}

/// A change to a repository, with the former text of each changed file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Changed files, sorted by path.
    pub files: Vec<FileChange>,
    /// Paths of files with an unresolved merge conflict, which are not in `files`.
    pub unmerged: Vec<String>,
}
