//! Stores the tree that the last scan found, so that the next scan need not list all directories
//! again.
//!
//! **Invariant:** a directory whose stamp is unchanged, and was settled when the directory was
//! listed, has the same entries. Its files therefore need only a `stat` each. While all rule files
//! are unchanged, the same entries are hidden.
//!
//! A directory that could not be listed has no stamp and is listed each time.
//!
//! **Cost:** each file name is stored a second time, in addition to the index: about 30 bytes per
//! file.

use super::Skip;
use super::rule_files::RuleFile;
use super::stamp::Stamp;
use super::tracked::KnownIndex;
use serde::{Deserialize, Serialize};

/// Version of the serialized format.
const VERSION: u64 = 3;
/// Length in bytes of the version and the checksum at the start of the data.
const HEAD: usize = 16;

/// All directories that are not hidden, with their entries, as the last scan found them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KnownTree<'a> {
    /// Digest of the language files, which list the file extensions to skip.
    pub languages: u64,
    /// Time at which the scan began, in nanoseconds since 1970.
    pub scanned: i64,
    /// Rule files in the directories above the root, and the user's own.
    pub around: Vec<RuleFile>,
    /// Known directories, sorted by path. The first is the root.
    #[serde(borrow)]
    pub directories: Vec<KnownDirectory<'a>>,
    /// Directories that were skipped because of an ignore file.
    pub unusable: Vec<UnusableRules>,
    /// Git's indexes that determined which ignored files are shown, sorted by path.
    pub indexes: Vec<KnownIndex>,
}

/// An unusable ignore file, because of which its directory is skipped.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct UnusableRules {
    /// Path from the root, as the list of skipped files shows it.
    pub path: String,
    /// The unusable file. While it is unchanged, its directory is still skipped.
    pub file: RuleFile,
}

/// A directory and its entries, as the last scan listed them.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KnownDirectory<'a> {
    /// Path from the root in the format of [`whichfn_text::path_text`]; empty for the root. The
    /// names below have the same format.
    pub path: &'a str,
    /// Stamp of the directory, or `None` if it must be listed each time.
    pub stamp: Option<Stamp>,
    /// Rule files in the directory.
    pub rules: Vec<RuleFile>,
    /// Names of files that may be worth indexing.
    pub files: Vec<&'a str>,
    /// Names of files that were skipped because of their name or kind, with the reason. An empty name
    /// is the directory itself.
    #[serde(borrow)]
    pub skipped: Vec<(&'a str, Skip)>,
}

impl<'a> KnownTree<'a> {
    /// Parses a serialized tree. Returns `None` if the bytes are damaged or have a different
    /// version.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        (head == Self::head(body)).then(|| postcard::from_bytes(body).ok())?
    }

    /// Serializes the tree. Returns `None` if that fails, which only makes the next scan slower.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let body = postcard::to_allocvec(self).ok()?;
        Some([&Self::head(&body)[..], &body].concat())
    }

    fn head(body: &[u8]) -> [u8; HEAD] {
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&VERSION.to_le_bytes());
        head[8..].copy_from_slice(&xxhash_rust::xxh3::xxh3_64(body).to_le_bytes());
        head
    }
}

/// Joins a directory and an entry's name; an empty name is the directory itself. The directory and
/// the result are paths from the root.
pub(super) fn joined(directory: &str, name: &str) -> String {
    match (directory, name) {
        ("", name) => name.to_owned(),
        (directory, "") => directory.to_owned(),
        (directory, name) => [directory, "/", name].concat(),
    }
}
