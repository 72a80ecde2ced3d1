//! Lists the files in a directory that are worth indexing, sorted by path, and converts files to
//! text.
//!
//! Each skipped file is counted with the reason ([`Skip`]); no file is dropped silently.
//!
//! # Where to change what
//!
//! - which files are listed, and ignore files: `files.rs`, `rules.rs`, `ignore_files.rs`; files
//!   that git tracks: `tracked.rs`; worktrees: `checkout.rs`; hidden files with passages:
//!   `hidden_texts.rs`
//! - which files are skipped: by content in `read.rs`; by name in `grammars/data.toml`, applied in
//!   `listing.rs`; by size in `files.rs`. A new reason is a variant of [`Skip`]. Then increment
//!   `CONTENT` in `crates/index/src/store/version.rs`
//! - text encodings: `read.rs`; the root of a repository: `root.rs`
//! - when a file counts as changed: `stamp.rs`, and `crates/index/src/index/plan.rs`
//!
//! **Never:** follows a link, so it can neither leave the root nor loop.

mod checkout;
mod failure;
mod files;
mod git_files;
mod hidden_texts;
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
mod tracked;

pub use checkout::checkout_digests;
pub use files::{LargeFolder, Scan, ScannedFile, is_scanned, large_folder, scan};
pub use hidden_texts::{HiddenTexts, hidden_texts, searched_text};
pub use read::{DecodedFile, FileStart, LONGEST_TEXT, content_hash, decode, read, read_start};
pub use rescan::scan_again;
pub use root::{find_root, root_around};
pub use stamp::{Stamp, nanoseconds_since_epoch};

use serde::{Deserialize, Serialize};

/// The reason why a file is not in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Skip {
    /// The file is not text.
    Binary,
    /// The file extension is on the list of data files (`grammars/data.toml`).
    Data,
    /// The file's lines are too long for a person to have written them.
    Minified,
    /// The file states that a program generated it and that it should not be edited.
    Generated,
    /// The file is larger than the limit.
    Oversized,
    /// The file or its directory cannot be read, or was deleted. Each run tries again.
    Unreadable,
    /// The file is a symbolic link. If its target is below the root, the target is read at its own
    /// path.
    Link,
    /// The entry is not a regular file (for example, it is a socket or a pipe).
    Special,
    /// The parser gave up on the file.
    Unparsable,
    /// The directory is another worktree of the same repository.
    Worktree,
}

impl Skip {
    /// All reasons, in the order in which they are shown.
    pub const ALL: [Self; 10] = [
        Self::Binary,
        Self::Data,
        Self::Minified,
        Self::Generated,
        Self::Oversized,
        Self::Unreadable,
        Self::Link,
        Self::Special,
        Self::Unparsable,
        Self::Worktree,
    ];

    /// Returns the reason's name in text and JSON output.
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
            Self::Worktree => "worktree",
        }
    }
}
