//! Captures the metadata of a directory or file without opening it: while the stamp is the same,
//! nothing was changed.

use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Uncertainty of times in nanoseconds: file systems store times in steps of up to two seconds, so
/// a file that was written within this time before a check may be written again without a change
/// of its time. Git has the same rule.
const RACE_WINDOW: i64 = 2_000_000_000;

/// Times and identity of a directory or file. Resetting the modification time still changes the
/// change time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Last change of the content, in nanoseconds since 1970, negative before. Any program may set
    /// it.
    pub modified: i64,
    /// Last change of content or metadata, in the same unit. No program can set it. 0 if the system
    /// has none.
    pub changed: i64,
    /// Inode number in the file system; 0 if the system has none.
    pub inode: u64,
    /// Device number of the file system; 0 if the system reports none.
    pub device: u64,
    /// Size in bytes.
    pub size: u64,
}

impl Stamp {
    /// Returns the stamp of a directory or file.
    pub fn from_metadata(meta: &Metadata) -> Self {
        let stamp =
            Self { modified: meta.modified().map_or(0, nanoseconds_since_epoch), size: meta.len(), ..Self::default() };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let changed = meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec());
            Self { changed, inode: meta.ino(), device: meta.dev(), ..stamp }
        }
        #[cfg(not(unix))]
        stamp
    }

    /// Checks whether a change after a check at `scanned` (nanoseconds since 1970) would have
    /// changed a time.
    pub fn is_settled(&self, scanned: i64) -> bool {
        self.modified.max(self.changed).saturating_add(RACE_WINDOW) < scanned
    }

    /// Checks the same for a directory, whose entries may have changed. Systems without a time that
    /// no program can set always return false.
    pub fn is_settled_directory(&self, scanned: i64) -> bool {
        cfg!(unix) && self.is_settled(scanned)
    }
}

/// Converts a time to nanoseconds since 1970, negative before.
pub fn nanoseconds_since_epoch(time: SystemTime) -> i64 {
    let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|before| -nanos(before.duration()), nanos)
}
