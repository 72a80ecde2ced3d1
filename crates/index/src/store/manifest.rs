//! The list of the files that an index was built from, and the seals of its own files.

use super::version::Fingerprint;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use whichfn_scan::{Skip, Stamp};

/// A file in the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileRecord {
    /// Path from the root.
    pub path: String,
    /// Metadata from the file system at the time when the file was read.
    pub stamp: Stamp,
    /// Hash (XXH3, 128 bits) of its bytes.
    pub hash: u128,
    /// The number of its language, or `None` for plain text.
    pub language: Option<u16>,
    /// Digest of the facts that linking reads: as long as it is the same, so are the calls.
    pub link: u64,
    /// True if its syntax tree has errors. The parts that parse are indexed nevertheless.
    pub has_errors: bool,
}

/// A file that was left out of the index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SkipRecord {
    /// Path from the root.
    pub path: String,
    /// Metadata from the file system at the time when its content was examined, or `None` if it was
    /// not opened.
    pub stamp: Option<Stamp>,
    /// The reason why it was left out.
    pub reason: Skip,
}

/// The manifest of a generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The fingerprint of the program and the settings that wrote it.
    pub fingerprint: Fingerprint,
    /// The root of the repository, as an absolute path.
    pub root: String,
    /// Start of the scan, in nanoseconds since 1970.
    pub scanned: i64,
    /// Indexed files, sorted by path.
    pub files: Vec<FileRecord>,
    /// Files left out, sorted by path.
    pub skipped: Vec<SkipRecord>,
    /// Number of functions in the index.
    pub functions: u32,
    /// Number of call sites without an edge if linking reached its step limit; otherwise 0.
    pub calls_left_out: u32,
    /// Number of linking steps since the last full linking, by the first language of each group:
    /// see [`whichfn_graph::relink`].
    pub steps: BTreeMap<u16, u64>,
    /// The seals of the files that this manifest belongs to.
    pub seals: Seals,
}

/// The seals of the other files of a generation. Each identifies the whole content of its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seals {
    /// Seal of `base`.
    pub base: u64,
    /// Seal of `overlay`, if there is one.
    pub overlay: Option<u64>,
    /// Seal of `links`.
    pub links: u64,
}
