//! Reads the text of an ignore file, or of a file that leads to one.
//!
//! The crate `ignore` does not read them, because it blocks on a pipe, reads a device until memory
//! is exhausted, and silently ignores files that it cannot open.
//!
//! The patterns of an unusable ignore file are unknown. The scan therefore skips its directory, or
//! ends with an error if the file is at the root or above.

use super::failure::{is_gone, machine_failure};
use crate::error::{Error, Kind};
use crate::untrusted::{open_regular, read_at_most};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Maximum size of an ignore file in bytes: thousands of lines. The longest of the trees in
/// `benches` has 6 KiB.
pub(super) const LONGEST: u64 = 1 << 20;

/// The reason why ignore files cannot be used.
#[derive(Debug)]
pub(super) enum Unusable {
    /// This file is not a regular file, or is too long.
    Odd(PathBuf),
    /// The machine failed.
    Failed(Error),
}

impl Unusable {
    /// Returns the error for rules that apply to the whole root.
    pub fn into_error(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Odd(file) => {
                let what = format!(
                    "{} is not a regular file, is too long, or has too many patterns, so its ignore rules are unknown",
                    file.display()
                );
                Error::new(Kind::Path, what, "remove it, or replace it with a text file")
            }
        }
    }
}

/// Returns the bytes of a regular file of at most `most` bytes; `None` if it is missing or has no
/// read permission. Links are followed, as in git and ripgrep.
pub(super) fn text_of(path: &Path, most: u64) -> Result<Option<Vec<u8>>, Unusable> {
    // The usual way to disable a file.
    if path == Path::new("/dev/null") {
        return Ok(None);
    }
    let text = open_regular(path).and_then(|file| read_at_most(file, most));
    text.map(Some).or_else(|cause| match machine_failure(path, &cause) {
        Some(error) => Err(Unusable::Failed(error)),
        None if is_gone(&cause) || cause.kind() == ErrorKind::PermissionDenied => Ok(None),
        // A link that leads to itself is treated like one that leads nowhere.
        None if path.metadata().is_err() => Ok(None),
        None => Err(Unusable::Odd(path.to_owned())),
    })
}
