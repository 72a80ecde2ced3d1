//! The files that say what a walk leaves out, with their stamps: while these are the same, so is what is hidden.

use super::ignore_files::{EXCLUDE, OWN};
use super::stamp::Stamp;
use serde::{Deserialize, Serialize};
use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// A file that says what is left out, or would if it were there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RuleFile {
    path: PathBuf,
    /// None while there is no such file.
    stamp: Option<Stamp>,
}

impl RuleFile {
    fn at(path: PathBuf) -> Self {
        let stamp = stamp_of(&path);
        Self { path, stamp }
    }

    /// Whether it is as it was at a look at `scanned`.
    pub fn is_same(&self, scanned: i64) -> bool {
        stamp_of(&self.path) == self.stamp && self.stamp.is_none_or(|stamp| stamp.is_settled_directory(scanned))
    }
}

fn stamp_of(path: &Path) -> Option<Stamp> {
    path.metadata().ok().as_ref().map(Stamp::of)
}

/// Those of a directory. One that is not there is left out if its appearance would change the directory's own time.
pub(super) fn rules_in(directory: &Path) -> Vec<RuleFile> {
    let named = [".gitignore", ".ignore", OWN].map(|name| RuleFile::at(directory.join(name)));
    let mut rules: Vec<RuleFile> = named.into_iter().filter(|rule| rule.stamp.is_some()).collect();
    let git = directory.join(".git");
    match git.metadata() {
        Ok(meta) if meta.is_dir() => rules.push(RuleFile::at(directory.join(EXCLUDE))),
        Ok(meta) if meta.is_file() => rules.extend(linked(git).into_iter().map(RuleFile::at)),
        _ => {}
    }
    rules
}

/// What a `.git` that is a file (of a worktree or submodule) leads to: itself, and as far as they are named, the file
/// that names the common folder and the rules there.
fn linked(git: PathBuf) -> Vec<PathBuf> {
    let text = |path: &Path| path.is_file().then(|| read_to_string(path).ok()).flatten();
    let first_line = |path: &Path| text(path)?.lines().next().map(str::to_owned);
    let place = first_line(&git).and_then(|line| line.strip_prefix("gitdir: ").map(PathBuf::from));
    let mut files = vec![git];
    if let Some(place) = place {
        let common = place.join("commondir");
        let exclude = first_line(&common).map(|folder| place.join(folder).join("info/exclude"));
        files.push(common);
        files.extend(exclude);
    }
    files
}

/// Those around a root, and the user's own.
pub(super) fn rules_around(root: &Path) -> Vec<RuleFile> {
    let around = root.ancestors().skip(1).flat_map(rules_in);
    around.chain(ignore::gitignore::gitconfig_excludes_path().map(RuleFile::at)).collect()
}
