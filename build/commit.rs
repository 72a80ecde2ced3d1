//! Finds the commit that a checkout is at, and the files that change when it moves to another.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The commit of a checkout.
pub struct Commit {
    /// The abbreviated hash; none outside of a checkout, or without git.
    pub hash: Option<String>,
    /// Existing files that git writes whenever `HEAD` moves. Cargo would run the build script each time for a file that
    /// does not exist.
    pub watched: Vec<PathBuf>,
}

/// Returns the commit of the checkout whose top is `root`. A folder inside a checkout of something else has none: this is
/// so for a package that is unpacked into another project.
pub fn commit(root: &Path) -> Commit {
    // A file in a worktree or submodule, else a folder.
    if !root.join(".git").exists() {
        return Commit { hash: None, watched: Vec::new() };
    }
    // `logs/HEAD` covers commits on the branch that HEAD names; HEAD itself covers checkouts with the reflog off.
    let files = ["HEAD", "logs/HEAD"].into_iter().filter_map(|name| git(root, &["rev-parse", "--git-path", name]));
    let watched = files.map(|file| root.join(file)).filter(|file| file.exists()).collect();
    // No mark for uncommitted changes: it would be wrong after the next edit, as no edit of a document, a test or an ignored
    // file runs the build script again.
    Commit { hash: git(root, &["rev-parse", "--short=9", "HEAD"]), watched }
}

/// Returns what git prints, or none where it fails or is not installed.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
