//! A change as plain data: which files, and what they held before.

/// Which change is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeOf {
    /// What the working tree has that the last commit has not: of these paths, or of all if there are none.
    Uncommitted(Vec<String>),
    /// What would be committed.
    Staged,
    /// All since the last commit that is also in the history of this revision.
    Since(String),
    /// All that leads from the last commit that both have to the second, wherever the working tree stands.
    Between {
        /// Where it starts: a revision.
        from: String,
        /// Where it ends: a revision.
        to: String,
    },
}

/// A file that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path from the root; none if it is gone.
    pub path: Option<String>,
    /// Its path before; none if it is new.
    pub old_path: Option<String>,
    /// What it held before; none if it is new, or that was no text.
    pub old_text: Option<String>,
}

/// What changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The files, in order of path.
    pub files: Vec<FileChange>,
    /// Paths of files with a merge that is not settled; they are not among the files.
    pub unmerged: Vec<String>,
}
