//! What the file system says of a directory or file without opening it: while it says the same, nothing was changed.

use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Nanoseconds: file systems keep times in steps of up to two seconds, so what was written within this time before a
/// look may be written again without its time moving. git has the same rule.
const RACE_WINDOW: i64 = 2_000_000_000;

/// Times and identity of a directory or file. Whoever sets the modification time back still moves the change time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Stamp {
    /// Last change of the content, in nanoseconds since 1970, negative before. Anybody may set it.
    pub modified: i64,
    /// Last change of content or metadata, the same way. Nobody can set it. 0 where the system has none.
    pub changed: i64,
    /// Number in the file system; 0 where the system has none.
    pub inode: u64,
    /// The file system; 0 where the system does not say.
    pub device: u64,
    /// In bytes.
    pub size: u64,
}

impl Stamp {
    /// Of a directory or file.
    pub fn of(meta: &Metadata) -> Self {
        let stamp = Self { modified: meta.modified().map_or(0, since_1970), size: meta.len(), ..Self::default() };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let changed = meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec());
            Self { changed, inode: meta.ino(), device: meta.dev(), ..stamp }
        }
        #[cfg(not(unix))]
        stamp
    }

    /// Whether a change after a look at `scanned` (nanoseconds since 1970) would have moved a time.
    pub fn is_settled(&self, scanned: i64) -> bool {
        self.modified.max(self.changed).saturating_add(RACE_WINDOW) < scanned
    }

    /// The same of a directory, whose entries may have changed; where a system has no time that nobody can set, it is not
    /// relied on.
    pub fn is_settled_directory(&self, scanned: i64) -> bool {
        cfg!(unix) && self.is_settled(scanned)
    }
}

/// A time in nanoseconds since 1970, negative before.
pub fn since_1970(time: SystemTime) -> i64 {
    let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
    time.duration_since(UNIX_EPOCH).map_or_else(|before| -nanos(before.duration()), nanos)
}
