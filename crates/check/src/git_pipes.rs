//! Finds pipes and devices in a git directory before git opens them, because git would wait for a
//! pipe forever.
//!
//! This covers the files that git reads for a change. The files that they refer to (an included
//! configuration file, another object directory) are covered by the deadline for each git process.

use std::fs::{read_dir, symlink_metadata};
use std::path::{Path, PathBuf};
use whichfn_system::platform::blocks_reader;
use whichfn_system::untrusted::{open_regular, read_at_most};

/// Maximum size in bytes of a `.git` or `commondir` file, each of which contains one path.
const LONGEST_POINTER: u64 = 16 << 10;
/// Maximum number of directory entries to check. A repository rarely has 200,000 loose objects, and
/// checking them takes about 0.1 s. Entries beyond this number are covered only by the deadline.
const MAX_ENTRIES: usize = 200_000;
/// Maximum nesting depth of branch names.
const MAX_DEPTH: usize = 16;

/// Returns the path of a pipe or device among the files that git reads for the repository around
/// `root`, or `None` if there is none.
pub(super) fn find_pipe(root: &Path) -> Option<PathBuf> {
    // If this variable is set, git does not search for a repository, because the caller specified
    // one.
    if std::env::var_os("GIT_DIR").is_some() {
        return None;
    }
    let (around, found) =
        root.ancestors().find_map(|folder| Some((folder, folder.join(".git"))).filter(|(_, git)| exists(git)))?;
    if is_pipe(&found) {
        return Some(found);
    }
    let git = if found.is_dir() { found } else { around.join(pointed(&found, "gitdir: ")?) };
    let mut search = Search { left: MAX_ENTRIES };
    let common = git.join("commondir");
    if is_pipe(&common) {
        return Some(common);
    }
    let shared = pointed(&common, "").map(|path| git.join(path));
    [Some(git), shared].into_iter().flatten().find_map(|folder| search.git_directory(&folder))
}

fn exists(path: &Path) -> bool {
    symlink_metadata(path).is_ok()
}

/// Returns the path that follows `prefix` in a small file.
fn pointed(file: &Path, prefix: &str) -> Option<PathBuf> {
    let bytes = read_at_most(open_regular(file).ok()?, LONGEST_POINTER).ok()?;
    let path = bytes.strip_prefix(prefix.as_bytes())?;
    Some(super::git_process::path_from(path.trim_ascii_end()))
}

/// A walk over a limited number of directory entries.
struct Search {
    left: usize,
}

impl Search {
    fn git_directory(&mut self, git: &Path) -> Option<PathBuf> {
        let below = [("info", 0), ("objects", 2), ("refs", MAX_DEPTH), ("reftable", 0)];
        let own = self.folder(git, 0);
        own.or_else(|| below.iter().find_map(|(name, depth)| self.folder(&git.join(name), *depth)))
    }

    fn folder(&mut self, folder: &Path, depth: usize) -> Option<PathBuf> {
        for entry in read_dir(folder).ok()?.flatten() {
            self.left = self.left.checked_sub(1)?;
            // Most systems return the file type along with the name, without reading the inode.
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let found = match kind {
                kind if kind.is_file() => None,
                kind if kind.is_dir() => (depth > 0).then(|| self.folder(&path, depth - 1)).flatten(),
                _ => is_pipe(&path).then_some(path),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// Checks whether a path is, or links to, a file on which a reader may block. `/dev/null` is not
/// such a file, because reading it ends immediately.
fn is_pipe(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| blocks_reader(meta.file_type()))
        && !path.canonicalize().is_ok_and(|location| location == Path::new("/dev/null"))
}
