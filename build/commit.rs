//! Finds the commit that a checkout is at, and the files that change when it moves to another.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The commit of a checkout.
pub struct Commit {
    /// The abbreviated hash; `None` outside of a checkout, or without git.
    pub hash: Option<String>,
    /// Existing files that git writes whenever `HEAD` moves. Cargo would run the build script on
    /// every build for a file that does not exist.
    pub watched: Vec<PathBuf>,
}

/// Returns the commit of the checkout whose top is `root`. A folder inside a checkout of something
/// else has none, for example a package that is unpacked into another project.
pub fn commit(root: &Path) -> Commit {
    // A file in a worktree or submodule, else a folder.
    if !root.join(".git").exists() {
        return Commit { hash: None, watched: Vec::new() };
    }
    // `logs/HEAD` covers commits on the branch that HEAD names; HEAD itself covers checkouts with
    // the reflog off.
    let files = ["HEAD", "logs/HEAD"].into_iter().filter_map(|name| git(root, &["rev-parse", "--git-path", name]));
    let watched = files.map(|file| root.join(file)).filter(|file| file.exists()).collect();
    // Uncommitted changes get no mark. It would be wrong after the next edit, because an edit of a
    // document, a test or an ignored file does not run the build script again.
    Commit { hash: git(root, &["rev-parse", "--short=9", "HEAD"]), watched }
}

/// Returns what git prints, or `None` if it fails or is not installed.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").current_dir(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
