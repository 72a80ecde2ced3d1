//! Captures the metadata of a directory or file without opening it. While the stamp is unchanged,
//! the content is unchanged.

use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use whichfn_system::platform::{FileIdentity, file_identity};

/// Uncertainty of file times in nanoseconds. File systems store times in steps of up to two
/// seconds, so a file that was written shortly before a check may change again without a new time.
/// Git has the same rule.
const RACE_WINDOW: i64 = 2_000_000_000;

/// Times, identity and size of a directory or file. Resetting the modification time still changes
/// the change time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Last change of the content, in nanoseconds since 1970; negative for earlier times. Any
    /// program can set it.
    pub modified: i64,
    /// Last change of the content or metadata, in nanoseconds since 1970. No program can set it. 0
    /// if the system does not report it.
    pub changed: i64,
    /// Inode number in the file system; 0 if the system does not report one.
    pub inode: u64,
    /// Device number of the file system; 0 if the system does not report one.
    pub device: u64,
    /// Size in bytes.
    pub size: u64,
}

impl Stamp {
    /// Returns the stamp for the metadata of a directory or file.
    pub fn from_metadata(meta: &Metadata) -> Self {
        let FileIdentity { changed, inode, device } = file_identity(meta);
        let modified = meta.modified().map_or(0, nanoseconds_since_epoch);
        Self { modified, changed, inode, device, size: meta.len() }
    }

    /// Checks whether any change after a check at the time `scanned` (nanoseconds since 1970) would
    /// change the file's times.
    pub fn is_settled(&self, scanned: i64) -> bool {
        self.modified.max(self.changed).saturating_add(RACE_WINDOW) < scanned
    }

    /// Checks the same as [`Self::is_settled`], but for a directory, whose entries may have
    /// changed. Always returns false on systems without a time that no program can set.
    pub fn is_settled_directory(&self, scanned: i64) -> bool {
        cfg!(unix) && self.is_settled(scanned)
    }
}

/// Converts a time to nanoseconds since 1970; negative for earlier times.
pub fn nanoseconds_since_epoch(time: SystemTime) -> i64 {
    let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|before| -nanos(before.duration()), nanos)
}
