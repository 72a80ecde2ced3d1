//! Writes the files of a revision that is not checked out, or the staged files, to a separate tree,
//! to check a change that is not in the working tree. The files come from git's objects and are written unmodified.
//! None of the repository's filters run, and the repository does not change.
//!
//! **Cost:** the files are written and indexed a second time.

use super::git::{Git, GitBlob};
use super::git_process::path_from;
use std::path::{Component, Path, PathBuf};
use whichfn_index::store::{create_folder, write_private};
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::path_text;

/// Number of objects that one git process reads. Writing this many takes far less time than the
/// deadline.
const AT_ONCE: usize = 500;
/// Maximum number of bytes to write for one revision. Linux has 1.5 GB of source code.
const MAX_BYTES: u64 = 4 << 30;

/// Returns the id of a revision's commit, or `None` if the working tree at `root` is identical to
/// that commit.
///
/// # Errors
/// Returns an error if `root` is not in a git repository, or if the revision does not exist.
pub fn commit_unless_checked_out(root: &Path, revision: &str) -> Result<Option<String>> {
    let git = Git::open(root)?;
    let commit = git.commit(revision)?;
    Ok((!git.is_checked_out(&commit)).then_some(commit))
}

/// Writes a commit's files below `root` to an existing folder. After an error, the folder may
/// contain some of the files, and the caller must remove it.
///
/// # Errors
/// Returns an error if git fails, if the commit has too many files or bytes, if the content of a
/// file is missing, or if a file cannot be written.
pub fn write_revision(root: &Path, commit: &str, folder: &Path) -> Result<()> {
    let git = Git::open(root)?;
    let mut listed: Vec<(String, PathBuf)> = Vec::new();
    git.list_tree(commit, &[], |entry| listed.extend(listed_file(entry)))?;
    write_files(&git, &format!("commit {commit}"), &listed, (root, folder))
}

/// Checks whether a tracked file below `root` differs from what is staged, so that the working tree
/// is not what a commit would contain.
///
/// # Errors
/// Returns an error if `root` is not in a git repository, or if git fails.
pub fn differs_from_staged(root: &Path) -> Result<bool> {
    Git::open(root)?.differs_from_staged()
}

/// Writes the staged files below `root` to an existing folder, as [`write_revision`] does for a
/// commit.
///
/// # Errors
/// Returns an error in the same cases as [`write_revision`].
pub fn write_staged(root: &Path, folder: &Path) -> Result<()> {
    let git = Git::open(root)?;
    let mut listed: Vec<(String, PathBuf)> = Vec::new();
    git.list_staged(|entry| listed.extend(staged_file(entry)))?;
    write_files(&git, "the index", &listed, (root, folder))
}

fn write_files(git: &Git<'_>, from: &str, listed: &[(String, PathBuf)], (root, folder): (&Path, &Path)) -> Result<()> {
    let mut bytes_left = MAX_BYTES;
    for some in listed.chunks(AT_ONCE) {
        let objects: Vec<&str> = some.iter().map(|(object, _)| &object[..]).collect();
        git.blobs(&objects, |number, blob| {
            let path = &some[number].1;
            let bytes = match blob {
                GitBlob::Bytes(bytes) => bytes,
                GitBlob::Unusable => return Ok(()),
                GitBlob::Missing => return Err(git.missing(&path_text(path))),
            };
            bytes_left = bytes_left.checked_sub(bytes.len() as u64).ok_or_else(|| too_large(root, from))?;
            write_file(&folder.join(path), &bytes)
        })?;
    }
    Ok(())
}

fn write_file(location: &Path, bytes: &[u8]) -> Result<()> {
    let written = location.parent().map_or(Ok(()), create_folder).and_then(|()| write_private(location, bytes));
    written.map_err(|cause| Error::io(Kind::Path, "write", location, &cause))
}

fn too_large(root: &Path, from: &str) -> Error {
    let what = format!("the files in {from} of {} have more than {MAX_BYTES} bytes", root.display());
    Error::new(Kind::Path, what, "check out that revision, and check it against its base there")
}

/// Parses `100644 blob OBJECT TAB path`. Returns `None` for links and submodules, which contain no
/// code, and for paths that lead out of the tree, which git itself does not check out.
fn listed_file(entry: &[u8]) -> Option<(String, PathBuf)> {
    let tab = memchr::memchr(b'\t', entry)?;
    let head = String::from_utf8_lossy(&entry[..tab]);
    let mut parts = head.split(' ');
    let (mode, object, path) = (parts.next()?, parts.nth(1)?, path_from(&entry[tab + 1..]));
    plain_file(mode, object, path)
}

/// Parses `100644 OBJECT 0 TAB path`. Returns `None` in the same cases as [`listed_file`], and for the
/// sides of an unresolved merge.
fn staged_file(entry: &[u8]) -> Option<(String, PathBuf)> {
    let tab = memchr::memchr(b'\t', entry)?;
    let head = String::from_utf8_lossy(&entry[..tab]);
    let mut parts = head.split(' ');
    let (mode, object, stage) = (parts.next()?, parts.next()?, parts.next()?);
    plain_file(mode, object, path_from(&entry[tab + 1..])).filter(|_| stage == "0")
}

fn plain_file(mode: &str, object: &str, path: PathBuf) -> Option<(String, PathBuf)> {
    // A `.git` would look like a separate repository to the reader of the files.
    let is_normal = |part| matches!(part, Component::Normal(name) if !name.eq_ignore_ascii_case(".git"));
    let is_below = path.components().all(is_normal);
    (mode.starts_with("100") && is_below).then(|| (object.to_owned(), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_only_below_the_folder() {
        let listed =
            |entry: &str| listed_file(entry.as_bytes()).map(|(object, path)| format!("{object} {}", path.display()));
        assert_eq!(listed("100644 blob ab\tsrc/a b\n.py").as_deref(), Some("ab src/a b\n.py"));
        for other in [
            "120000 blob ab\tlink",
            "160000 commit ab\tmodule",
            "100644 blob ab\t../a",
            "100644 blob ab\t/a",
            "100644 blob ab\ta/.Git/x",
            "",
        ] {
            assert_eq!(listed(other), None, "{other}");
        }
    }
}
