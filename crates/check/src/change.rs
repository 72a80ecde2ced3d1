//! A change as plain data: the files, and their old contents.

/// Selects which change to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeOf {
    /// Changes in the working tree since the last commit: in these paths, or in all if empty.
    Uncommitted(Vec<String>),
    /// Changes that the next commit would contain.
    Staged,
    /// Changes since the last commit that is also in the history of this revision.
    Since(String),
    /// Changes from the last commit that both revisions share up to the second, independent of the
    /// working tree.
    Between {
        /// Revision where the change starts.
        from: String,
        /// Revision where the change ends.
        to: String,
    },
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Path from the root; `None` if the file was deleted.
    pub path: Option<String>,
    /// Former path; `None` if the file is new.
    pub old_path: Option<String>,
    /// Former text; `None` if the file is new or was not text.
    pub old_text: Option<String>,
}

/// A change to a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Changed files, sorted by path.
    pub files: Vec<FileChange>,
    /// Paths of files with an unresolved merge; they are not among `files`.
    pub unmerged: Vec<String>,
}
