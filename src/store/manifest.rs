//! The list of what an index was made from, and the seals of its files.

use super::version::Fingerprint;
use crate::scan::{Skip, Stamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A file in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Path from the root.
    pub path: String,
    /// What the file system said of it when it was read.
    pub stamp: Stamp,
    /// Hash (XXH3, 128 bits) of its bytes.
    pub hash: u128,
    /// The number of its language; none for plain text.
    pub language: Option<u16>,
    /// Digest of what linking takes from it: while it is the same, so are the calls.
    pub link: u64,
    /// Its syntax tree has errors: what parses is indexed all the same.
    pub has_errors: bool,
}

/// A file that was opened and found not worth indexing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkipRecord {
    /// Path from the root.
    pub path: String,
    /// What the file system said of it when it was judged by its content; none when it was not opened.
    pub stamp: Option<Stamp>,
    /// Why it was left out.
    pub reason: Skip,
}

/// The manifest of a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// What it was made with.
    pub fingerprint: Fingerprint,
    /// The repository's root, as an absolute path.
    pub root: String,
    /// When the scan began, in nanoseconds since 1970.
    pub scanned: i64,
    /// Files in order of path.
    pub files: Vec<FileRecord>,
    /// Files left out, in order of path.
    pub skipped: Vec<SkipRecord>,
    /// How many functions the index holds.
    pub functions: u32,
    /// Call sites without an edge, if linking came to the bound of its work; else 0.
    pub calls_left_out: u32,
    /// The steps of linking since all was linked, by the first language of each group: see [`crate::graph::relink`].
    pub steps: BTreeMap<u16, u64>,
    /// Which files it belongs to.
    pub seals: Seals,
}

/// The seals of a generation's other files: each stands for the whole content of its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seals {
    /// Of `base`.
    pub base: u64,
    /// Of `overlay`, if there is one.
    pub overlay: Option<u64>,
    /// Of `links`.
    pub links: u64,
}
