//! Recognizes checkouts of the same repository: worktrees, and clones of one remote. Reads git's own
//! files, and never runs git.

use std::path::{Path, PathBuf};
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
