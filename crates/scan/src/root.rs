//! Finds the root of a repository.

use super::failure::readable;
use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind, Result};

/// Names of entries that mark the top directory of a repository.
const MARKS: &[&str] = &[".git", ".hg", ".jj", ".svn"];

/// Returns the root directory for a run: `given` if it is a directory; otherwise the top of the
/// repository that contains the current directory, or else the current directory itself. Links in
/// the path are resolved, so that each tree has one index.
///
/// # Errors
/// Returns an error if the path is missing or is not a directory.
pub fn find_root(given: Option<&Path>) -> Result<PathBuf> {
    let start = given.unwrap_or(Path::new("."));
    let root = start.canonicalize().map_err(|cause| Error::io(Kind::Path, "read", start, &cause))?;
    if !root.is_dir() {
        let parent = root.parent().unwrap_or(Path::new("/"));
        let next = format!("pass its directory: {}", parent.display());
        return Err(Error::new(Kind::Path, format!("{} is a file, not a directory", start.display()), next));
    }
    if given.is_some() {
        return Ok(root);
    }
    for mark in root.ancestors().flat_map(|directory| MARKS.iter().map(|mark| directory.join(mark))) {
        // A failure of the machine must not move the root, and with it the index.
        readable(&mark, mark.try_exists())?;
    }
    Ok(root_around(&root).unwrap_or(root))
}

/// Returns the top directory of the repository that contains a directory, or `None` if there is no
/// repository.
pub fn root_around(directory: &Path) -> Option<PathBuf> {
    directory.ancestors().find(|dir| MARKS.iter().any(|mark| dir.join(mark).exists())).map(Path::to_path_buf)
}
