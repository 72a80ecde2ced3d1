//! What the file system says of a directory or file without opening it: while it says the same, nothing was changed.

use serde::{Deserialize, Serialize};
use std::fs::Metadata;

/// Nanoseconds: file systems keep times in steps of up to two seconds, so what was written within this time before a
/// look may be written again without its time moving.
pub const RACE_WINDOW: u64 = 2_000_000_000;

/// Times and identity of a directory or file. Whoever sets the modification time back still moves the change time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    /// Last change of the content, in nanoseconds since 1970.
    modified: i64,
    /// Last change of content or metadata, in nanoseconds since 1970.
    changed: i64,
    inode: u64,
    device: u64,
    size: u64,
}

impl Stamp {
    #[cfg(unix)]
    pub fn of(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Self {
            modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
            changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
            inode: meta.ino(),
            device: meta.dev(),
            size: meta.size(),
        }
    }

    /// Elsewhere no times are relied on: a stamp that is never settled.
    #[cfg(not(unix))]
    pub fn of(_: &Metadata) -> Self {
        Self { modified: i64::MAX, changed: i64::MAX, inode: 0, device: 0, size: 0 }
    }

    /// Whether a change after a look at `scanned` (nanoseconds since 1970) would have moved a time.
    pub fn is_settled(&self, scanned: u64) -> bool {
        let last = u64::try_from(self.modified.max(self.changed)).unwrap_or(0);
        last.saturating_add(RACE_WINDOW) < scanned
    }
}
