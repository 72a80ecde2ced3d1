//! Stores the tree that the last scan found, so that the next scan need not list it again.
//!
//! **Invariant:** a directory whose stamp is unchanged, and was settled when it was listed, has the
//! same entries; its files therefore need only a `stat` each. While all rule files are unchanged,
//! the same entries are hidden.
//!
//! A directory that could not be listed has no stamp and is listed each time.
//!
//! **Cost:** a name is stored once more than in the index: about 30 bytes for each file.

use super::Skip;
use super::rule_files::RuleFile;
use super::stamp::Stamp;
use serde::{Deserialize, Serialize};

/// Version of the layout of the bytes.
const VERSION: u64 = 2;
/// Length of the version and checksum at the start.
const HEAD: usize = 16;

/// All directories that are not hidden, with their entries.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KnownTree<'a> {
    /// Digest of the languages' data, which lists the file extensions to skip.
    pub languages: u64,
    /// Start of the scan, in nanoseconds since 1970.
    pub scanned: i64,
    /// Rule files around the root.
    pub around: Vec<RuleFile>,
    /// Sorted by path; the first is the root.
    #[serde(borrow)]
    pub directories: Vec<KnownDirectory<'a>>,
    /// Directories that were skipped because of an ignore file.
    pub unusable: Vec<UnusableRules>,
}

/// An ignore file that cannot be used, so that its directory is skipped.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct UnusableRules {
    /// Path from the root, as shown in the list of skipped files.
    pub path: String,
    /// While this file is unchanged, the directory remains skipped.
    pub file: RuleFile,
}

/// A directory as it was listed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KnownDirectory<'a> {
    /// Path from the root in the format of [`whichfn_text::path_text`]; empty for the root. All
    /// names have the same format.
    pub path: &'a str,
    /// `None` if the directory must be listed each time.
    pub stamp: Option<Stamp>,
    /// Rule files in it.
    pub rules: Vec<RuleFile>,
    /// Names of files that may be worth reading.
    pub files: Vec<&'a str>,
    /// Names of files that were skipped because of their name or kind.
    #[serde(borrow)]
    pub skipped: Vec<(&'a str, Skip)>,
}

impl<'a> KnownTree<'a> {
    /// Parses the bytes; `None` if they are damaged or of another version.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        (head == Self::head(body)).then(|| postcard::from_bytes(body).ok())?
    }

    /// Returns the bytes; `None` if that fails, which only makes the next scan slower.
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

/// Joins a directory and a name; both paths are from the root.
pub(super) fn joined(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { [directory, "/", name].concat() }
}
