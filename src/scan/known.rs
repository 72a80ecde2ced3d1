//! The tree as the last scan found it: what the next scan need not list again.
//!
//! Law:     a directory whose stamp is the same, and was settled when it was listed, has the same entries; so its
//!          files need only a `stat` each. While all rule files are the same, the same is hidden.
//! Departs: a directory that could not be listed has no stamp and is listed each time
//! Price:   a name is kept once more than in the index: about 30 bytes a file

use super::Skip;
use super::rule_files::RuleFile;
use super::stamp::Stamp;
use serde::{Deserialize, Serialize};

/// Another layout of the bytes is another number.
const VERSION: u64 = 2;
/// Version and sum at the front.
const HEAD: usize = 16;

/// All directories that are not hidden, with what they hold.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KnownTree<'a> {
    /// Digest of the languages' data, which says what is left out by its ending.
    pub languages: u64,
    /// When the scan began, in nanoseconds since 1970.
    pub scanned: i64,
    /// Rule files around the root.
    pub around: Vec<RuleFile>,
    /// In order of path; the first is the root.
    #[serde(borrow)]
    pub directories: Vec<KnownDirectory<'a>>,
    /// Directories that were left out because of an ignore file.
    pub odd: Vec<OddRules>,
}

/// An ignore file that cannot be used, so that its directory is left out.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct OddRules {
    /// From the root, as a skip shows it.
    pub path: String,
    /// While it is the same, the directory stays left out.
    pub file: RuleFile,
}

/// A directory as it was listed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct KnownDirectory<'a> {
    /// From the root, as [`crate::text::path_text`] writes it; empty for the root. So are all names.
    pub path: &'a str,
    /// None if it is to be listed each time.
    pub stamp: Option<Stamp>,
    /// Rule files in it.
    pub rules: Vec<RuleFile>,
    /// Names of files that may be worth reading.
    pub files: Vec<&'a str>,
    /// Names of those left out by name or kind.
    #[serde(borrow)]
    pub skipped: Vec<(&'a str, Skip)>,
}

impl<'a> KnownTree<'a> {
    /// From bytes; none if they are torn or of another version.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        (head == Self::head(body)).then(|| postcard::from_bytes(body).ok())?
    }

    /// As bytes; none if that fails, which costs the next scan some time and nothing else.
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

/// The path of a name in a directory, both from the root.
pub(super) fn joined(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { [directory, "/", name].concat() }
}
