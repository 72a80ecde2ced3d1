//! The files of a revision that is not checked out, as a tree of their own: what a change led to where that is not the working
//! tree. They are read from git's objects and written as they are: no filter of the repository runs, nothing of it changes.
//!
//! Price: the files are written and indexed once more

use super::git::{Git, path_from};
use crate::error::{Error, Kind, Result};
use crate::store::{create_folder, write_private};
use std::path::{Component, Path, PathBuf};

/// Objects that git is asked for at once: their texts are in memory together.
const AT_ONCE: usize = 500;

/// The commit of a revision, if the working tree at `root` has anything else; none if it is that commit.
///
/// # Errors
/// When `root` is in no repository of git, or the revision is not known.
pub fn elsewhere(root: &Path, revision: &str) -> Result<Option<String>> {
    let git = Git::at(root)?;
    let commit = git.commit(revision)?;
    Ok((!git.is_checked_out(&commit)).then_some(commit))
}

/// Writes the files of a commit, as far as they lie below `root`, into a folder that is there.
///
/// # Errors
/// When git cannot be asked, or the disk refuses.
pub fn write_revision(root: &Path, commit: &str, folder: &Path) -> Result<()> {
    let git = Git::at(root)?;
    let listed = git.run(&["ls-tree", "-r", "-z", commit], &[]).map_err(|said| git.failed(&said))?;
    let listed: Vec<(String, PathBuf)> = listed.stdout.split(|byte| *byte == 0).filter_map(listed_file).collect();
    for some in listed.chunks(AT_ONCE) {
        let texts = git.blobs(some.iter().map(|(object, _)| &object[..]))?;
        for ((_, path), bytes) in some.iter().zip(texts) {
            let Some(bytes) = bytes else { continue };
            let place = folder.join(path);
            let written = create_folder(place.parent().unwrap_or(folder)).and_then(|()| write_private(&place, &bytes));
            written.map_err(|cause| Error::io(Kind::Path, "write", &place, &cause))?;
        }
    }
    Ok(())
}

/// `100644 blob OBJECT TAB path`. Links and submodules hold no code, and a name that leads elsewhere is in no tree that git
/// itself would check out.
fn listed_file(entry: &[u8]) -> Option<(String, PathBuf)> {
    let tab = memchr::memchr(b'\t', entry)?;
    let head = String::from_utf8_lossy(&entry[..tab]);
    let mut parts = head.split(' ');
    let (mode, object, path) = (parts.next()?, parts.nth(1)?, path_from(&entry[tab + 1..]));
    let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
    (mode.starts_with("100") && is_below).then(|| (object.to_owned(), path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_written_below_the_folder_alone() {
        let told =
            |entry: &str| listed_file(entry.as_bytes()).map(|(object, path)| format!("{object} {}", path.display()));
        assert_eq!(told("100644 blob ab\tsrc/a b\n.py").as_deref(), Some("ab src/a b\n.py"));
        for other in
            ["120000 blob ab\tlink", "160000 commit ab\tmodule", "100644 blob ab\t../a", "100644 blob ab\t/a", ""]
        {
            assert_eq!(told(other), None, "{other}");
        }
    }
}
