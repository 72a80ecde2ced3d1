//! Locates and reads the ignore files of a directory.

use super::git_files::{self, EXCLUDE_PARTS};
use super::rule_text::{MAX_BYTES, RuleText, Unusable};
use std::path::{Path, PathBuf};

/// Name of whichfn's own ignore file, which is read in addition to `.gitignore` and `.ignore`.
const OWN: &str = ".whichfnignore";
/// Number of kinds of ignore files. A kind with a lower index overrides one with a higher index.
pub(super) const KINDS: usize = 4;
/// Index of the first kind of ignore files that belong to git. They have no effect on tracked files.
pub(super) const FIRST_GIT_KIND: usize = 2;
/// Index of the kind "git's exclude file".
const EXCLUDE_KIND: usize = 3;

/// Paths of the ignore files that apply to a directory.
#[derive(Debug, Default)]
pub(super) struct IgnorePaths {
    /// Path of the ignore file of each kind, if there is one.
    pub files: [Option<PathBuf>; KINDS],
    /// Files that determine where git's exclude file is.
    pub pointer_files: Vec<PathBuf>,
    /// Path of git's index, if the directory is the top of a repository.
    pub git_index: Option<PathBuf>,
}

/// Text of a directory's ignore files, indexed by kind.
pub(super) type IgnoreTexts = [Option<Vec<u8>>; KINDS];

impl IgnorePaths {
    /// Finds the ignore files of a directory. `has` returns whether the directory may have an entry
    /// with a given name. `root` is the root of the scan, or `None` if the directory is not below
    /// it.
    ///
    /// # Errors
    /// Returns an error if a file that determines their location cannot be used, or if the machine
    /// failed.
    pub fn find(directory: &Path, root: Option<&Path>, has: impl Fn(&str) -> bool) -> Result<Self, Unusable> {
        let named = |name: &str| has(name).then(|| directory.join(name));
        let mut pointer_files = Vec::new();
        let git = match has(".git") {
            true => git_files::find_git_files(directory, root, &mut pointer_files)?,
            false => None,
        };
        let (exclude, git_index) = git.map(|git| (git.exclude, git.index)).unzip();
        Ok(Self { files: [named(OWN), named(".ignore"), named(".gitignore"), exclude], pointer_files, git_index })
    }

    /// Reads the ignore files. A file that is missing, or that the user may not read, has no text.
    /// `root` has the same meaning as in [`Self::find`].
    pub fn texts(&self, root: Option<&Path>) -> Result<IgnoreTexts, Unusable> {
        let mut texts = IgnoreTexts::default();
        for (kind, (file, text)) in self.files.iter().zip(&mut texts).enumerate() {
            if let Some(path) = file {
                let parts = if kind == EXCLUDE_KIND { EXCLUDE_PARTS } else { 1 };
                *text = RuleText { path, root, parts, max_bytes: MAX_BYTES }.read()?;
            }
        }
        Ok(texts)
    }

    /// Returns the paths of all files on which the rules depend.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().flatten().chain(&self.pointer_files)
    }
}
