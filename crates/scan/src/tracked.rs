//! Reads git's index, the list of the files that git tracks. An ignore file of git has no effect on
//! a tracked file.
//!
//! **Cost:** an index is read when the rules hide an entry of its repository, and again when it
//! changed.

use super::rule_files::RuleFile;
use serde::{Deserialize, Serialize};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::OnceLock;
use whichfn_system::error::Result;
use whichfn_system::untrusted::{open_regular, read_at_most};
use xxhash_rust::xxh3::Xxh3;

/// Maximum size of an index in bytes: a few million files.
const MAX_BYTES: u64 = 512 << 20;
/// Length of the header, and of the fields of an entry before its hash: times, identity and size.
const HEADER: usize = 12;
const FIELDS: usize = 40;
/// Lengths of a hash: SHA-1 and SHA-256.
const HASHES: [usize; 2] = [20, 32];
/// Bit of an entry's flags for two more bytes of flags.
const EXTENDED: u16 = 0x4000;
/// Extension that names another index, which contains the unchanged entries.
const LINK: &[u8] = b"link";

/// The files that git tracks in a repository, or its submodules, sorted by path.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct TrackedFiles {
    paths: Vec<Vec<u8>>,
}

impl TrackedFiles {
    /// Reads an index. A missing or invalid index tracks no files.
    fn read(index: &Path) -> Self {
        let Some(bytes) = bytes_of(index) else { return Self::default() };
        let parsed = HASHES.into_iter().find_map(|hash| Some((hash, entries(&bytes, hash)?)));
        let Some((hash, (mut paths, end))) = parsed else { return Self::default() };
        if let Some(shared) = shared_index(&bytes[end..], hash) {
            // Entries that the index removed from the shared one count as tracked, which shows a
            // file that is then only ignored.
            let shared = bytes_of(&index.with_file_name(format!("sharedindex.{shared}")));
            paths.extend(shared.and_then(|bytes| entries(&bytes, hash)).unwrap_or_default().0);
        }
        paths.sort_unstable();
        paths.dedup();
        Self { paths }
    }

    /// Checks whether a file, or a submodule at this path, is tracked.
    pub fn contains(&self, path: &Path) -> bool {
        self.paths.binary_search(&git_path(path)).is_ok()
    }

    /// Checks whether a file below a directory is tracked.
    pub fn any_below(&self, directory: &Path) -> bool {
        let below = [git_path(directory), vec![b'/']].concat();
        let at = self.paths.partition_point(|path| *path < below);
        self.paths.get(at).is_some_and(|path| path.starts_with(&below))
    }

    fn digest(&self) -> u64 {
        let mut hasher = Xxh3::new();
        for path in &self.paths {
            hasher.update(path);
            hasher.update(&[0]);
        }
        hasher.digest()
    }
}

/// The index of a repository, which is read when it is first needed.
#[derive(Debug)]
pub(super) struct LazyIndex {
    file: PathBuf,
    read: OnceLock<(Result<RuleFile>, TrackedFiles)>,
}

impl LazyIndex {
    pub fn new(file: PathBuf) -> Self {
        Self { file, read: OnceLock::new() }
    }

    pub fn tracked(&self) -> &TrackedFiles {
        // The stamp is taken first, so that a later change of the index is noticed.
        &self.read.get_or_init(|| (RuleFile::read(self.file.clone()), TrackedFiles::read(&self.file))).1
    }

    /// Returns the index for the next scan; `None` if it was not needed.
    pub fn known(&self) -> Result<Option<KnownIndex>> {
        let Some((file, tracked)) = self.read.get() else { return Ok(None) };
        Ok(Some(KnownIndex { file: file.clone()?, paths: tracked.digest() }))
    }
}

/// An index that a scan depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownIndex {
    pub file: RuleFile,
    /// Digest of the tracked paths. Most changes of an index leave them as they are.
    paths: u64,
}

impl KnownIndex {
    /// Returns the same index with its current stamp, or `None` if other files are tracked now.
    pub fn restamped(&self, scanned: i64) -> Result<Option<Self>> {
        if self.file.is_same(scanned)? {
            return Ok(Some(self.clone()));
        }
        let index = LazyIndex::new(self.file.path().to_owned());
        index.tracked();
        Ok(index.known()?.filter(|now| now.paths == self.paths))
    }
}

fn bytes_of(index: &Path) -> Option<Vec<u8>> {
    open_regular(index).and_then(|file| read_at_most(file, MAX_BYTES)).ok()
}

/// Returns a path as git stores it.
fn git_path(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes();
    match MAIN_SEPARATOR {
        '/' => bytes.to_vec(),
        separator => {
            bytes.iter().map(|&byte| if u32::from(byte) == u32::from(separator) { b'/' } else { byte }).collect()
        }
    }
}

/// Returns the paths of the entries of an index, and the position after the last entry. Returns
/// `None` if the bytes are not an index with hashes of this length.
fn entries(bytes: &[u8], hash: usize) -> Option<(Vec<Vec<u8>>, usize)> {
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (version, count) = (number(4)?, number(8)?);
    if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let (mut paths, mut at): (Vec<Vec<u8>>, usize) = (Vec::new(), HEADER);
    for _ in 0..count {
        let start = at;
        at += FIELDS + hash;
        let flags = u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
        at += if version > 2 && flags & EXTENDED != 0 { 4 } else { 2 };
        let mut path = Vec::new();
        if version == 4 {
            // The path shares its beginning with the previous one.
            let (dropped, length) = variable_number(bytes.get(at..)?)?;
            at += length;
            let before = paths.last().map_or(&[][..], Vec::as_slice);
            path.extend_from_slice(before.get(..before.len().checked_sub(dropped)?)?);
        }
        let rest = bytes.get(at..)?;
        let length = rest.iter().position(|&byte| byte == 0)?;
        path.extend_from_slice(&rest[..length]);
        // Until version 4, entries are padded with one to eight zeros to a multiple of eight bytes.
        at = if version == 4 { at + length + 1 } else { start + (at + length - start) / 8 * 8 + 8 };
        let stated = usize::from(flags & 0xFFF);
        if (stated < 0xFFF && stated != path.len()) || at > bytes.len() {
            return None;
        }
        paths.push(path);
    }
    // An entry that replaces one of the shared index has an empty path.
    paths.retain(|path| !path.is_empty());
    Some((paths, at))
}

/// Parses a number of variable length, as in git's packs, and returns it with its length.
fn variable_number(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut number = 0usize;
    for (at, &byte) in bytes.iter().enumerate() {
        number = number.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
        if byte & 128 == 0 {
            return Some((number, at + 1));
        }
        number = number.checked_add(1)?;
    }
    None
}

/// Returns the hash of the shared index that the extensions of an index name, in hexadecimal.
fn shared_index(mut extensions: &[u8], hash: usize) -> Option<String> {
    while let Some((head, rest)) = extensions.split_at_checked(8) {
        let length = u32::from_be_bytes(head[4..].try_into().ok()?) as usize;
        if &head[..4] == LINK {
            return Some(rest.get(..hash)?.iter().map(|byte| format!("{byte:02x}")).collect());
        }
        extensions = rest.get(length..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns an index with these paths.
    fn index(version: u32, hash: usize, paths: &[&str]) -> Vec<u8> {
        let mut bytes = [&b"DIRC"[..], &version.to_be_bytes(), &(paths.len() as u32).to_be_bytes()].concat();
        let mut before = "";
        for path in paths {
            let start = bytes.len();
            bytes.resize(start + FIELDS + hash, 7);
            bytes.extend((path.len() as u16).to_be_bytes());
            if version == 4 {
                let same = before.bytes().zip(path.bytes()).take_while(|(a, b)| a == b).count();
                bytes.push((before.len() - same) as u8);
                bytes.extend(&path.as_bytes()[same..]);
                bytes.push(0);
            } else {
                bytes.extend(path.as_bytes());
                bytes.resize(start + (bytes.len() - start) / 8 * 8 + 8, 0);
            }
            before = path;
        }
        bytes.extend([0; 20]);
        bytes
    }

    #[test]
    fn every_version_has_the_same_paths() {
        // Git writes an empty path for an entry that replaces one of a shared index.
        let paths = ["", "", "a.py", "gen/deep/t.py", "gen/x.py", "src/seven.c"];
        let tracked = |bytes: &[u8]| {
            let folder = tempfile::tempdir().expect("folder");
            std::fs::write(folder.path().join("index"), bytes).expect("written");
            TrackedFiles::read(&folder.path().join("index"))
        };
        for (version, hash) in [(2, 20), (3, 20), (4, 20), (2, 32), (4, 32)] {
            let bytes = index(version, hash, &paths);
            let found = tracked(&bytes);
            assert_eq!(found.paths.len(), 4, "version {version}");
            assert!(found.contains(Path::new("gen/x.py")) && !found.contains(Path::new("gen")));
            assert!(found.any_below(Path::new("gen")) && found.any_below(Path::new("gen/deep")));
            assert!(!found.any_below(Path::new("ge")) && !found.any_below(Path::new("src/seven.c")));
            for end in [0, 11, 40, 100] {
                assert_eq!(tracked(&bytes[..end]), TrackedFiles::default(), "{end} bytes of version {version}");
            }
        }
    }
}
