//! Locates and reads the ignore files of a directory.

use super::git_files::{self, EXCLUDE_PARTS};
use super::rule_text::{MAX_BYTES, RuleText, Unusable};
use std::path::{Path, PathBuf};

/// Name of whichfn's own ignore file, in addition to `.gitignore` and `.ignore`.
const OWN: &str = ".whichfnignore";
/// Number of kinds of ignore files. An earlier kind overrides a later one.
pub(super) const KINDS: usize = 4;
/// The kind of git's exclude file.
const EXCLUDE_KIND: usize = 3;

/// The paths of a directory's ignore files.
#[derive(Debug, Default)]
pub(super) struct IgnorePaths {
    /// The files, by kind.
    pub files: [Option<PathBuf>; KINDS],
    /// Files that lead to the exclude file of git.
    pub pointer_files: Vec<PathBuf>,
}

/// The texts of a directory's ignore files, by kind.
pub(super) type IgnoreTexts = [Option<Vec<u8>>; KINDS];

impl IgnorePaths {
    /// Finds the ignore files of a directory; `has` returns whether it may have an entry of a name.
    /// `root` is the root of the scan, or `None` if the directory is not below it.
    ///
    /// # Errors
    /// When a file that leads to them cannot be used, or the machine failed.
    pub fn find(directory: &Path, root: Option<&Path>, has: impl Fn(&str) -> bool) -> Result<Self, Unusable> {
        let named = |name: &str| has(name).then(|| directory.join(name));
        let mut pointer_files = Vec::new();
        let exclude = match has(".git") {
            true => git_files::find_exclude_file(directory, root, &mut pointer_files)?,
            false => None,
        };
        Ok(Self { files: [named(OWN), named(".ignore"), named(".gitignore"), exclude], pointer_files })
    }

    /// Reads the files; one that is missing, or may not be read, has no text. `root` is as in
    /// [`Self::find`].
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

    /// Returns all paths on which the rules depend.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().flatten().chain(&self.pointer_files)
    }
}
