//! Locates and reads the ignore files of a directory.

use super::git_files;
use super::rule_text::{LONGEST, Unusable, text_of};
use std::path::{Path, PathBuf};

/// Name of whichfn's own ignore file, in addition to `.gitignore` and `.ignore`.
const OWN: &str = ".whichfnignore";
/// Number of kinds of ignore files. An earlier kind overrides a later one.
pub(super) const KINDS: usize = 4;

/// The paths of a directory's ignore files.
#[derive(Debug, Default)]
pub(super) struct IgnorePlaces {
    /// The files, by kind.
    pub files: [Option<PathBuf>; KINDS],
    /// Files that lead to the exclude file of git.
    pub leads: Vec<PathBuf>,
}

/// The texts of a directory's ignore files, by kind.
pub(super) type IgnoreTexts = [Option<Vec<u8>>; KINDS];

impl IgnorePlaces {
    /// Finds the ignore files of a directory; `has` returns whether it may have an entry of this
    /// name.
    ///
    /// # Errors
    /// Returns an error if a file that leads to them cannot be used, or the machine failed.
    pub fn of(directory: &Path, has: impl Fn(&str) -> bool) -> Result<Self, Unusable> {
        let named = |name: &str| has(name).then(|| directory.join(name));
        let mut leads = Vec::new();
        let exclude = match has(".git") {
            true => git_files::exclude(directory, &mut leads)?,
            false => None,
        };
        Ok(Self { files: [named(OWN), named(".ignore"), named(".gitignore"), exclude], leads })
    }

    /// Reads the files; a file that is missing, or has no read permission, has no text.
    pub fn texts(&self) -> Result<IgnoreTexts, Unusable> {
        let mut texts = IgnoreTexts::default();
        for (file, text) in self.files.iter().zip(&mut texts) {
            if let Some(file) = file {
                *text = text_of(file, LONGEST)?;
            }
        }
        Ok(texts)
    }

    /// Returns all paths on which the rules depend.
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.files.iter().flatten().chain(&self.leads)
    }
}
