//! The text of an ignore file, or of a file that leads to one.
//!
//! They are read here and not by the crate `ignore`, which waits for a pipe, reads a device until memory ends, and leaves
//! out what it cannot open without a word.
//!
//! What an odd ignore file would hide is unknown, so the scan leaves out its directory, or ends with an error if the file
//! is at the root or above.

use super::failure::{is_gone, machine_failure};
use crate::error::{Error, Kind};
use crate::untrusted::{open_regular, read_at_most};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Bytes of an ignore file at most: thousands of lines. The longest of the trees in `benches` has 6 KiB.
pub(super) const LONGEST: u64 = 1 << 20;

/// Why ignore files cannot be used.
#[derive(Debug)]
pub(super) enum Unusable {
    /// This file is no regular file, or too long.
    Odd(PathBuf),
    /// The machine failed.
    Failed(Error),
}

impl Unusable {
    /// The error for rules that hold for the whole root.
    pub fn into_error(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Odd(file) => {
                let what = format!(
                    "{} is no regular file, too long, or has too many patterns: what it hides is unknown",
                    file.display()
                );
                Error::new(Kind::Path, what, "remove it, or put a text file in its place")
            }
        }
    }
}

/// The bytes of a regular file of at most `most` bytes; none if it is missing or may not be read. Links are followed, as git
/// and ripgrep do.
pub(super) fn text_of(path: &Path, most: u64) -> Result<Option<Vec<u8>>, Unusable> {
    // The usual way to switch a file off.
    if path == Path::new("/dev/null") {
        return Ok(None);
    }
    let text = open_regular(path).and_then(|file| read_at_most(file, most));
    text.map(Some).or_else(|cause| match machine_failure(path, &cause) {
        Some(error) => Err(Unusable::Failed(error)),
        None if is_gone(&cause) || cause.kind() == ErrorKind::PermissionDenied => Ok(None),
        // A link that leads to itself is like one that leads nowhere.
        None if path.metadata().is_err() => Ok(None),
        None => Err(Unusable::Odd(path.to_owned())),
    })
}
