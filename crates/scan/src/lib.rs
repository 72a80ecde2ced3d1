//! Converts a directory to a sorted list of files worth reading, and a file to text.
//!
//! Skipped files are counted by reason, never silently dropped ([`Skip`]).
//!
//! **Never:** follows a link, so it can neither leave the root nor loop.

mod failure;
mod files;
mod git_files;
mod ignore_files;
mod known;
mod listing;
mod read;
mod rescan;
mod root;
mod rule_files;
mod rule_text;
mod rules;
mod stamp;

pub use files::{Scan, ScannedFile, is_scanned, scan};
pub use read::{DecodedFile, content_hash, decode, read};
pub use rescan::scan_again;
pub use root::{find_root, root_around};
pub use stamp::{Stamp, nanoseconds_since_epoch};

use serde::{Deserialize, Serialize};

/// The reason why a file is not in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Skip {
    /// It is not text.
    Binary,
    /// Its file extension is on the list of data (`grammars/data.toml`).
    Data,
    /// Its lines are too long for a person to have written them.
    Minified,
    /// It declares that a program wrote it and that it should not be edited.
    Generated,
    /// It is larger than the limit.
    Oversized,
    /// It or its directory cannot be read, or was deleted. Each run tries it again.
    Unreadable,
    /// It is a symbolic link; the target is read at its own path, if that is below the root.
    Link,
    /// It is not a regular file (for example a socket or a pipe).
    Special,
    /// The parser gave up on it.
    Unparsable,
}

impl Skip {
    /// All reasons, in the order of display.
    pub const ALL: [Self; 9] = [
        Self::Binary,
        Self::Data,
        Self::Minified,
        Self::Generated,
        Self::Oversized,
        Self::Unreadable,
        Self::Link,
        Self::Special,
        Self::Unparsable,
    ];

    /// Returns the name of the reason in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Binary => "binary",
            Self::Data => "data",
            Self::Minified => "minified",
            Self::Generated => "generated",
            Self::Oversized => "oversized",
            Self::Unreadable => "unreadable",
            Self::Link => "link",
            Self::Special => "special",
            Self::Unparsable => "unparsable",
        }
    }
}
