//! Reads the text of an ignore file, or of a file that points to one.
//!
//! The `ignore` crate does not read these files, because it waits for a pipe, reads a device until
//! memory runs out, and silently skips a file that it cannot open.
//!
//! It is unknown what an unusable ignore file would hide. So the scan skips its directory, or fails
//! if the file is in the root or above it. The user's own files never cause a failure, only a
//! notice (see [`super::git_files`]).

use super::failure::{is_not_found, machine_failure};
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use whichfn_system::error::{Error, Kind};
use whichfn_system::platform::is_null_device;
use whichfn_system::untrusted::{open_below, open_regular, read_at_most};

/// Maximum size of an ignore file in bytes. The limit allows thousands of lines; the longest file
/// in the trees of `benches` has 6 KiB.
pub(super) const MAX_BYTES: u64 = 1 << 20;

/// The reason why a directory's ignore files cannot be used.
#[derive(Debug)]
pub(super) enum Unusable {
    /// This file is not a regular file, is reached through a link that leaves the tree, or is too
    /// long.
    Invalid(PathBuf),
    /// Another process currently prevents this file from being read.
    Busy(PathBuf),
    /// The machine failed while a file was read.
    Failed(Error),
}

impl Unusable {
    /// Returns the error to report if the rules apply to the whole root.
    pub fn into_error(self) -> Error {
        match self {
            Self::Failed(error) => error,
            Self::Busy(file) => {
                let what = format!("{} is in use by another process, so its ignore rules are unknown", file.display());
                Error::new(Kind::Path, what, "try again")
            }
            Self::Invalid(file) => {
                let what = format!(
                    "{} is not a regular file, is too long, or has too many patterns, so its ignore rules are unknown",
                    file.display()
                );
                Error::new(Kind::Path, what, "remove it, or replace it with a shorter text file")
            }
        }
    }
}

/// A file to read for its ignore rules, and the limits for reading it.
pub(super) struct RuleText<'a> {
    pub path: &'a Path,
    /// Root of the scan, if the file applies to a directory below the root.
    pub root: Option<&'a Path>,
    /// Number of trailing path components that must not be links if the file is inside the root.
    pub parts: usize,
    /// Maximum size of the file in bytes.
    pub max_bytes: u64,
}

impl RuleText<'_> {
    /// Returns the bytes of the file, or `None` if it is missing, is the null device, or may not be
    /// read.
    ///
    /// At the root and above, it follows links, as git and ripgrep do. Below the root, it follows
    /// only links whose target is in the tree.
    ///
    /// # Errors
    /// Returns an error if the file is invalid or busy, or if the machine failed.
    pub fn read(&self) -> Result<Option<Vec<u8>>, Unusable> {
        let opened = match self.root {
            Some(root) => self.open_inside(root),
            None => open_regular(self.path),
        };
        let text = opened.and_then(|file| read_at_most(file, self.max_bytes));
        text.map(Some).or_else(|cause| match machine_failure(self.path, &cause) {
            Some(error) => Err(Unusable::Failed(error)),
            None if is_not_found(&cause) || cause.kind() == ErrorKind::PermissionDenied => Ok(None),
            None if cause.kind() == ErrorKind::WouldBlock => Err(Unusable::Busy(self.path.to_owned())),
            // A link to itself is treated as a link to a missing file.
            None if self.path.metadata().is_err() || is_null_device(self.path) => Ok(None),
            None => Err(Unusable::Invalid(self.path.to_owned())),
        })
    }

    fn open_inside(&self, root: &Path) -> io::Result<File> {
        let base = self.path.ancestors().nth(self.parts).unwrap_or(self.path);
        let below = self.path.strip_prefix(base).unwrap_or(self.path);
        open_below(base, below).or_else(|cause| {
            let paths = (root.canonicalize(), self.path.canonicalize());
            let (Ok(root), Ok(target)) = paths else { return Err(cause) };
            target.strip_prefix(&root).map_or(Err(cause), |below| open_below(&root, below))
        })
    }
}
