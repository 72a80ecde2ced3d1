//! Which ignore files can be read at all. The crate `ignore` opens them itself: it would wait for a pipe, and read a device
//! to the end of memory.
//!
//! What an odd one would hide is unknown, so what it stands over is left out: its directory, or the whole scan if it lies at
//! the root or above.
//!
//! Price: four `lstat` a directory

use crate::error::{Error, Kind, Result};
use std::path::{Path, PathBuf};

/// Our own ignore file, beside `.gitignore` and `.ignore`.
pub(super) const OWN: &str = ".whichfnignore";
/// Where a directory's own ignore files are.
const NAMES: [&str; 4] = [".gitignore", ".ignore", OWN, EXCLUDE];
/// Git's own for one repository.
pub(super) const EXCLUDE: &str = ".git/info/exclude";
/// Bytes of an ignore file at most: thousands of lines. The longest of the trees in `benches` has 6 KiB.
const LONGEST: u64 = 1 << 20;

/// An ignore file of a directory that is no regular file, or is too long to be one.
pub(super) fn odd_in(directory: &Path) -> Option<PathBuf> {
    NAMES.iter().map(|name| directory.join(name)).find(|path| {
        // A link to a regular file is followed, as git and ripgrep do for links outside of a repository.
        let meta = path.symlink_metadata().and_then(|meta| if meta.is_symlink() { path.metadata() } else { Ok(meta) });
        meta.is_ok_and(|meta| !meta.is_file() || meta.len() > LONGEST)
    })
}

/// Whether the ignore files of a root, and of the directories above it, can be read.
///
/// # Errors
/// When one cannot.
pub(super) fn check(root: &Path) -> Result<()> {
    let Some(odd) = root.ancestors().find_map(odd_in) else { return Ok(()) };
    let what = format!("{} is no regular file, or too long: what it hides is unknown", odd.display());
    Err(Error::new(Kind::Path, what, "remove it, or put a text file in its place"))
}
