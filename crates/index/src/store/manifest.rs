//! Lists the files that an index was built from, and the seals of the index's own files.

use super::version::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use whichfn_scan::{Skip, Stamp};

/// A file that is in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Path from the root.
    pub path: String,
    /// Metadata in the file system when the file was read.
    pub stamp: Stamp,
    /// Hash (XXH3, 128 bits) of the file's bytes.
    pub hash: u128,
    /// Number of the file's language, or `None` for plain text.
    pub language: Option<u16>,
    /// Digest of the facts that linking reads. While the digest is unchanged, the file's calls need
    /// not be linked again.
    pub link: u64,
    /// True if the file's syntax tree has errors. The parts that can be parsed are indexed
    /// nevertheless.
    pub has_errors: bool,
}

/// A file that was skipped, and is not in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkipRecord {
    /// Path from the root.
    pub path: String,
    /// Metadata in the file system when the content was examined, or `None` if the file was not
    /// opened.
    pub stamp: Option<Stamp>,
    /// Reason why the file was skipped.
    pub reason: Skip,
}

/// The calls of a language that are not linked, because linking the group of languages that it
/// belongs to reached its step limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnlinkedCalls {
    /// Number of the language.
    pub language: u16,
    /// Name of the language for users.
    pub title: String,
    /// Number of the first language of the group.
    pub group: u16,
    /// Number of call sites without an edge. Some of these calls may lead somewhere.
    pub calls: u32,
}

/// The end of a notice about calls that are not linked.
const LIMIT: &str = "linking reached its step limit), so callers and callees may be missing";

impl UnlinkedCalls {
    /// Describes calls that are not linked, one line for each title.
    pub fn notices<'a>(all: impl Iterator<Item = &'a Self>) -> Vec<String> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        all.for_each(|one| *counts.entry(&one.title).or_default() += one.calls);
        let notice = |(title, count): (&str, u32)| match count {
            1 => format!("1 call in {title} is not linked ({LIMIT}"),
            _ => format!("{count} calls in {title} are not linked ({LIMIT}"),
        };
        counts.into_iter().filter(|(_, count)| *count > 0).map(notice).collect()
    }
}

impl Manifest {
    /// Returns the name of the repository's directory; empty for the root of the file system.
    pub fn root_name(&self) -> &str {
        root_name(Path::new(&self.root))
    }
}

/// Returns the name of a repository's directory; empty for the root of the file system.
pub(crate) fn root_name(root: &Path) -> &str {
    root.file_name().and_then(OsStr::to_str).unwrap_or_default()
}

/// The manifest of a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Fingerprint of the program and settings that wrote the generation.
    pub fingerprint: Fingerprint,
    /// Absolute path of the repository's root.
    pub root: String,
    /// Time at which the scan began, in nanoseconds since 1970.
    pub scanned: i64,
    /// Indexed files, sorted by path.
    pub files: Vec<FileRecord>,
    /// Skipped files, sorted by path.
    pub skipped: Vec<SkipRecord>,
    /// Number of functions in the index.
    pub functions: u32,
    /// The languages whose linking reached its step limit, sorted by number.
    pub unlinked: Vec<UnlinkedCalls>,
    /// Number of linking steps since all files were last linked, indexed by the first language of
    /// each group; see [`whichfn_graph::relink`].
    pub steps: BTreeMap<u16, u64>,
    /// True if indexing was interrupted before it linked the calls.
    pub is_partial: bool,
    /// Seals of the other files in the generation.
    pub seals: Seals,
}

/// Seals of a generation's files other than the manifest. A seal identifies the whole content of
/// its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seals {
    /// Seal of the file `base`.
    pub base: u64,
    /// Seal of the file `overlay`, if there is one.
    pub overlay: Option<u64>,
    /// Seal of the file `links`.
    pub links: u64,
}
