//! Recognizes checkouts of the same repository: worktrees, and clones of one remote. Reads git's own
//! files, and never runs git.
//!
//! A scan reads one worktree of each repository, because every other one would add each function
//! again. Clones and submodules are repositories of their own.

use rustc_hash::FxHashMap;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use whichfn_system::untrusted::{open_regular, read_at_most};
use xxhash_rust::xxh3::xxh3_128;

/// Maximum size in bytes of one of git's files.
const LONGEST: u64 = 1 << 20;

/// Returns digests of what a checkout shares with other checkouts of its repository: git's common
/// folder, and each remote. Two checkouts with a common digest belong together. The list is sorted,
/// and empty without git.
///
/// A remote may contain a password, so only digests are returned.
pub fn checkout_digests(root: &Path) -> Vec<u128> {
    let Some(common) = common_folder(root) else { return Vec::new() };
    let config = text(&common.join("config")).unwrap_or_default();
    let mut digests: Vec<u128> = remotes(&config).flat_map(|remote| remote_digests(root, remote)).collect();
    digests.push(folder_digest(&common));
    digests.sort_unstable();
    digests.dedup();
    digests
}

/// The worktrees below the root of a scan.
pub(super) struct Checkouts {
    /// Absolute path of the root, without links.
    root: PathBuf,
    /// The worktree that the scan reads, for each common folder.
    read: Mutex<FxHashMap<PathBuf, Option<PathBuf>>>,
}

impl Checkouts {
    pub fn new(root: PathBuf) -> Self {
        Self { root, read: Mutex::default() }
    }

    /// Checks whether the scan reads another worktree of the repository in a directory, a path from
    /// the root, and returns the files on which this depends.
    pub fn is_other(&self, directory: &Path) -> (bool, Vec<PathBuf>) {
        let own = self.root.join(directory);
        if let Some(common) = common_folder(&own) {
            let depends_on = ["worktrees", "HEAD"].map(|file| common.join(file));
            let count = if is_bare(&common) { 2 } else { 1 };
            let read = self.memoized(&common, || self.worktree_of(&common));
            return (read.is_some_and(|read| read != own), depends_on.into_iter().take(count).collect());
        }
        let Some(store) = workspace_store(&own) else { return (false, Vec::new()) };
        let read = self.memoized(&store, || self.workspace_of(&store));
        (read.is_some_and(|read| read != own), vec![own.join(WORKSPACE)])
    }

    fn memoized(&self, common: &Path, find: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.entry(common.to_owned()).or_insert_with(find).clone()
    }

    /// Returns the worktree that the scan reads of the repository with this common folder: the one
    /// around the root, or else the main one, or else the one with the main branch, or else the first.
    fn worktree_of(&self, common: &Path) -> Option<PathBuf> {
        let linked = linked_worktrees(common);
        let main = common.parent().filter(|_| common.ends_with(".git") && !is_bare(common)).map(Path::to_owned);
        let all = || linked.iter().map(|(path, _)| path).chain(&main);
        if let Some(around) = all().filter(|path| self.root.starts_with(path)).max_by_key(|path| path.as_os_str().len())
        {
            return Some(around.clone());
        }
        let head = text(&common.join("HEAD"));
        let below: Vec<_> = linked.iter().filter(|(path, _)| self.is_visible(path)).collect();
        let with_head = below.iter().find(|(_, own)| head.is_some() && *own == head).or(below.first());
        main.filter(|path| self.is_visible(path)).or_else(|| with_head.map(|(path, _)| path.clone()))
    }

    /// Returns the workspace of Jujutsu that the scan reads of the repository with this store: the
    /// one around the root, or else the main one.
    fn workspace_of(&self, store: &Path) -> Option<PathBuf> {
        let around = self.root.ancestors().find(|path| workspace_store(path).is_some_and(|own| own == store));
        let main = || store.parent().and_then(Path::parent).filter(|main| self.is_visible(main));
        around.or_else(main).map(Path::to_owned)
    }

    /// Checks whether a path is below the root, and not in a hidden directory.
    fn is_visible(&self, path: &Path) -> bool {
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        path.strip_prefix(&self.root).is_ok_and(|below| !below.components().any(is_hidden))
    }
}

/// Path of the store of a Jujutsu workspace, a folder, or a file with the path of the main
/// workspace's store.
const WORKSPACE: &str = ".jj/repo";

fn workspace_store(workspace: &Path) -> Option<PathBuf> {
    let store = workspace.join(WORKSPACE);
    if store.is_dir() {
        return store.canonicalize().ok();
    }
    let main = text(&store)?;
    workspace.join(".jj").join(main.trim_end()).canonicalize().ok()
}

/// Returns the linked worktrees of a repository that exist, sorted by path, each with the text of
/// its HEAD.
fn linked_worktrees(common: &Path) -> Vec<(PathBuf, Option<String>)> {
    let entries = std::fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten();
    let worktree = |own: PathBuf| {
        let git = own.join(text(&own.join("gitdir"))?.trim_end());
        Some((git.parent()?.canonicalize().ok()?, text(&own.join("HEAD"))))
    };
    let mut all: Vec<_> = entries.filter_map(|entry| worktree(entry.path())).collect();
    all.sort();
    all
}

/// Checks whether a repository has no main worktree.
fn is_bare(common: &Path) -> bool {
    let config = text(&common.join("config")).unwrap_or_default();
    config.lines().any(|line| {
        line.split_once('=').is_some_and(|(key, value)| {
            key.trim().eq_ignore_ascii_case("bare") && value.trim().eq_ignore_ascii_case("true")
        })
    })
}

/// Returns the folder that all worktrees of a repository share.
fn common_folder(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return git.canonicalize().ok();
    }
    // In a worktree or a submodule, `.git` is a file that names the folder.
    let link = text(&git)?;
    let own = root.join(link.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
    match text(&own.join("commondir")) {
        Some(common) => own.join(common.trim()).canonicalize().ok(),
        None => Some(own),
    }
}

/// Returns the addresses of the remotes in a configuration.
fn remotes(config: &str) -> impl Iterator<Item = &str> {
    let mut in_remote = false;
    config.lines().filter_map(move |line| {
        let line = line.trim();
        if line.starts_with('[') {
            in_remote = line.starts_with("[remote ");
            return None;
        }
        let (key, value) = line.split_once('=')?;
        (in_remote && key.trim() == "url").then(|| value.trim().trim_matches('"'))
    })
}

/// Returns the digests of a remote: of its address and, if it is on this machine, of its folder.
fn remote_digests(root: &Path, address: &str) -> impl Iterator<Item = u128> {
    let local = root.join(address.strip_prefix("file://").unwrap_or(address));
    let folder = common_folder(&local).or_else(|| local.canonicalize().ok()).filter(|folder| folder.is_dir());
    folder.map(|folder| folder_digest(&folder)).into_iter().chain([xxh3_128(plain_address(address).as_bytes())])
}

fn folder_digest(folder: &Path) -> u128 {
    xxh3_128(folder.as_os_str().as_encoded_bytes())
}

/// Returns an address without its user, its password and its optional end.
fn plain_address(address: &str) -> String {
    let (scheme, rest) = address.split_once("://").unwrap_or(("", address));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit('@').next().unwrap_or(host);
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    format!("{scheme}://{host}{path}")
}

fn text(file: &Path) -> Option<String> {
    let bytes = open_regular(file).and_then(|open| read_at_most(open, LONGEST)).ok()?;
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_remote_are_equal() {
        let plain = "https://example.org/team/app";
        for address in [
            "https://example.org/team/app.git",
            "https://example.org/team/app/",
            "https://me:secret@example.org/team/app.git",
        ] {
            assert_eq!(plain_address(address), plain);
        }
        assert_ne!(plain_address("https://example.org/team/other"), plain);
    }

    #[test]
    fn remotes_are_read_from_their_sections_only() {
        let config =
            "[core]\n\turl = no\n[remote \"origin\"]\n\turl = a\n\tfetch = +refs\n[remote \"up\"]\nurl=\"b\"\n";
        assert_eq!(remotes(config).collect::<Vec<_>>(), ["a", "b"]);
    }
}
