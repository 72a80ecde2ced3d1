//! A directory to a sorted list of files worth reading, and a file to text.
//!
//! What is left out is counted by reason, never silently ([`Skip`]).
//! **Never:** follows a link, so it can neither leave the root nor go in circles.

mod again;
mod failure;
mod files;
mod git_files;
mod ignore_files;
mod known;
mod listing;
mod read;
mod root;
mod rule_files;
mod rule_text;
mod rules;
mod stamp;

pub use again::scan_again;
pub use files::{Scan, ScannedFile, scan, sees};
pub use read::{DecodedFile, content_hash, decode, read};
pub use root::{find_root, root_around};
pub use stamp::{Stamp, since_1970};

use serde::{Deserialize, Serialize};

/// Why a file is not in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Skip {
    /// It is not text.
    Binary,
    /// Its ending is on the list of data (`grammars/data.toml`).
    Data,
    /// Its lines are too long for a person to have written them.
    Minified,
    /// It says itself that a program wrote it and nobody should edit it.
    Generated,
    /// It is larger than the limit.
    Oversized,
    /// It or its directory may not be read, or went away. Each run tries it again.
    Unreadable,
    /// It is a symbolic link; what it points to is read in its own place, if that is below the root.
    Link,
    /// It is no regular file (a socket, a pipe).
    Special,
    /// The parser gave up on it.
    Unparsable,
}

impl Skip {
    /// Every reason, in the order in which they are shown.
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

    /// The word that people and JSON read.
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
