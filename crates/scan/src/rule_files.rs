//! Tracks the files that determine what a walk skips, by their stamps. While the stamps are
//! unchanged, the same entries are hidden.

use super::failure::{is_not_found, machine_failure};
use super::git_files::UserIgnoreFile;
use super::ignore_files::IgnorePaths;
use super::rule_text::Unusable;
use super::stamp::Stamp;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use whichfn_system::error::Result;

/// A file that contains ignore rules, or would contain rules if it existed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RuleFile {
    path: PathBuf,
    /// Stamp of the file, or `None` if it does not exist.
    stamp: Option<Stamp>,
}

impl RuleFile {
    pub fn read(path: PathBuf) -> Result<Self> {
        let stamp = stamp_of(&path)?;
        Ok(Self { path, stamp })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a rule file without a stamp, so that the next scan treats it as changed.
    pub fn unsettled(path: PathBuf) -> Self {
        Self { path, stamp: None }
    }

    /// Checks whether the file is unchanged since the time `scanned`, in nanoseconds since 1970.
    pub fn is_same(&self, scanned: i64) -> Result<bool> {
        Ok(stamp_of(&self.path)? == self.stamp && self.stamp.is_none_or(|stamp| stamp.is_settled_directory(scanned)))
    }
}

fn stamp_of(path: &Path) -> Result<Option<Stamp>> {
    match path.metadata() {
        Ok(meta) => Ok(Some(Stamp::from_metadata(&meta))),
        Err(cause) if is_not_found(&cause) => Ok(None),
        Err(cause) => machine_failure(path, &cause).map_or(Ok(None), Err),
    }
}

/// Stamps the files on which a directory's rules depend.
pub(super) fn rules_in(paths: &IgnorePaths) -> Result<Vec<RuleFile>> {
    paths.all().cloned().map(RuleFile::read).collect()
}

/// Stamps the rule files above a root and the user's own, and returns them with the notices about
/// the user's files. A missing file is included, because it may be created later.
pub(super) fn rules_around(root: &Path) -> Result<(Vec<RuleFile>, Vec<String>)> {
    let mut rules = Vec::new();
    for directory in root.ancestors().skip(1) {
        // A file that cannot be used ends the walk with an error.
        let paths = IgnorePaths::find(directory, None, |_| true).map_err(Unusable::into_error)?;
        rules.extend(rules_in(&paths)?);
    }
    let users = UserIgnoreFile::find().map_err(Unusable::into_error)?;
    rules.extend(users.path.map(RuleFile::read).transpose()?);
    Ok((rules, users.notices))
}
