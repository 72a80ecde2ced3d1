//! Reads shards. A shard is an archive for distribution: one immutable file with the complete
//! indexes of one or more repositories, or of slices of a large repository, and their source text.
//! It is used in place: it is mapped once, and only the text that is shown is decompressed.
//!
//! ```text
//! shard.json | shard.sum | 0/manifest | 0/base | 0/links | 0/texts | 0/linking | 1/manifest | ...
//! ```
//! The file is a plain tar. `shard.json` lists the members and the length of each of their parts,
//! so the offsets are known without reading the headers between them. `shard.sum` is its checksum.
//! A header takes 512 bytes and parts are padded to a multiple of that, so sections have the same
//! alignment as in separate files. `linking` contains the parts that only a refresh reads
//! (`linking.rs`). Checksums and seals are the same as in any index (`sealed.rs`).
//!
//! **Invariant:** the bytes depend only on the sources, the names and revisions of the members, and
//! the fingerprint; see `shard_writer.rs`. Calls never lead out of a member, so bundling members
//! does not change any answer.

use super::generation::{BASE, Generation, LINKS, MANIFEST};
use super::linking::restore_linking;
use super::manifest::Manifest;
use super::map::{MappedBytes, map};
use super::packed_texts::PackedTexts;
use super::sealed::{Damaged, catch_damaged};
use super::version::Fingerprint;
use serde::{Deserialize, Serialize};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use whichfn_scan::content_hash;
use whichfn_syntax::ids::FileId;
use whichfn_system::error::{Error, Kind, Result};
use xxhash_rust::xxh3::xxh3_64;

/// Version of the set of parts. The contents of the parts have their own versions
/// ([`Fingerprint`]).
pub(super) const SHARD_VERSION: u32 = 1;
/// Names of a member's parts, in order.
pub(super) const PARTS: [&str; 5] = [MANIFEST, BASE, LINKS, TEXTS, LINKING];
/// Name of the file with a member's source text.
pub(super) const TEXTS: &str = "texts";
/// Name of the file with those parts of a member that only linking reads.
pub(super) const LINKING: &str = "linking";
pub(super) const RECORD: &str = "shard.json";
pub(super) const SUM: &str = "shard.sum";
/// File extension of a shard.
pub const SHARD_SUFFIX: &str = "shard";
const HEAD: u64 = 512;
const ASK_FOR_ANOTHER: &str = "fetch it again, or pack it again from its sources";

/// The entry for a member in a shard's list of members.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRecord {
    /// Unique name of the member: the name of the repository, followed by `#` and a number
    /// (starting at 1) if the member is a slice.
    pub id: String,
    /// Name of the repository.
    pub repository: String,
    /// Revision that was packed; empty if unknown.
    pub revision: String,
    /// Tree id, which is a hash of the paths and contents of all files, in hexadecimal.
    pub tree: String,
    /// Number of indexed files in the member.
    pub files: usize,
    /// Number of functions, methods and macros in the member.
    pub functions: usize,
    /// Total number of lines in all files.
    pub lines: u64,
    /// Total size of the member's source files in bytes.
    pub source_bytes: u64,
    /// Size of the member within the shard in bytes.
    pub bytes: u64,
    /// Size of each part in bytes: manifest, base, links, texts, linking.
    pub parts: [u64; PARTS.len()],
}

/// The contents of `shard.json`.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShardRecord {
    pub version: u32,
    /// Index format version of the program that wrote the shard.
    pub format: u32,
    /// Index content version of the program that wrote the shard.
    pub content: u32,
    /// Digest of everything except the sources that determines an index, in hexadecimal.
    pub fingerprint: String,
    /// Maximum size of an indexed file in bytes. Larger files were skipped.
    pub max_file_size: u64,
    pub members: Vec<MemberRecord>,
}

/// A shard that is open for reading.
pub struct Shard {
    /// Path of the shard.
    pub path: PathBuf,
    /// Usable members, in order.
    pub members: Vec<ShardMember>,
    /// Members that cannot be used, with the reason.
    pub damaged: Vec<(MemberRecord, Error)>,
}

/// A member of an open shard. Several threads can read it at the same time.
pub struct ShardMember {
    /// The entry for the member in the shard's list of members.
    pub record: MemberRecord,
    /// The index of the member.
    pub generation: Generation,
    texts: PackedTexts,
    /// For each file, its facts and the messages that it received during linking.
    linking: PackedTexts,
}

impl Shard {
    /// Reads the list of members of a shard, without opening the members.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a shard, has a different version, or if
    /// its list of members is damaged.
    pub fn list(path: &Path) -> Result<Vec<MemberRecord>> {
        Ok(read(path)?.1.members)
    }

    /// Opens a shard. `wanted` is the fingerprint of this build, except that its file size limit is
    /// ignored.
    ///
    /// **Cost:** reads the list of files of each member, and a two-thousandth of the other data.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, is not a shard, was written by a different
    /// version, or if its list of members is damaged. Damaged members do not cause an error; they
    /// are listed in [`Shard::damaged`].
    pub fn open(path: &Path, wanted: &Fingerprint) -> Result<Self> {
        let (file, record, first) = read(path)?;
        let wanted = Fingerprint { max_size: record.max_file_size, ..*wanted };
        if record.fingerprint != hex(&wanted) {
            return Err(wrong_version(path));
        }
        let mut shard = Self { path: path.to_owned(), members: Vec::new(), damaged: Vec::new() };
        let mut at = Some(first);
        for record in record.members {
            let parts = at.map(|at| part_places(at, &record.parts));
            at = parts.as_ref().and_then(|parts| parts.end);
            match parts.and_then(|parts| parts.map(&file)).and_then(|parts| ShardMember::open(&record, parts, &wanted))
            {
                Some(member) => shard.members.push(member),
                None => {
                    let error = damaged_member(path, &record.id);
                    shard.damaged.push((record, error));
                }
            }
        }
        Ok(shard)
    }

    /// Returns the file name of the shard, which identifies it in messages and distinguishes it
    /// from other shards.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

impl ShardMember {
    /// Opens a member. Returns `None` if it is damaged.
    fn open(record: &MemberRecord, parts: [MappedBytes; PARTS.len()], wanted: &Fingerprint) -> Option<Self> {
        let [manifest, base, links, texts, linking] = parts;
        let generation = Generation::from_bytes([manifest, base, links], wanted).ok()?;
        let files = generation.manifest.files.len();
        let texts = catch_damaged(|| PackedTexts::from_bytes(texts, files)).ok()??;
        let linking = catch_damaged(|| PackedTexts::from_bytes(linking, 2 * files)).ok()??;
        Some(Self { record: record.clone(), generation, texts, linking })
    }

    /// Writes the member's index to a folder, as the index of a repository at `root` whose files
    /// have not been scanned yet. Panics if a part is damaged.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn unpack(&self, root: &Path, folder: &Path) -> Result<()> {
        let seals = restore_linking(&self.generation.graph, &self.linking, folder)?;
        let root = root.to_string_lossy().into_owned();
        Generation::seal(folder, &Manifest { root, seals, ..self.generation.manifest.clone() })
    }

    /// Returns the bytes of a file as they were indexed. Panics if they are damaged.
    pub fn bytes(&self, file: FileId) -> Vec<u8> {
        let bytes = self.texts.bytes(file.index());
        match self.generation.manifest.files.get(file.index()) {
            Some(record) if record.hash == content_hash(&bytes) => bytes,
            _ => self.texts.reject(),
        }
    }

    /// Reads and checks the whole member. A question, in contrast, checks only the blocks that it
    /// reads.
    ///
    /// # Errors
    /// Returns the path of the shard if part of the member is damaged.
    pub fn verify(&self) -> std::result::Result<(), Damaged> {
        self.generation.verify()?;
        catch_damaged(|| {
            self.generation.graph.file_ids().for_each(|file| drop(self.bytes(file)));
            self.linking.verify();
        })
    }
}

/// Returns the error that reports a damaged member.
pub fn damaged_member(shard: &Path, id: &str) -> Error {
    Error::new(Kind::Index, format!("{id} in {} is damaged", shard.display()), ASK_FOR_ANOTHER)
}

/// Returns the error that reports a damaged shard.
pub fn damaged_archive(shard: &Path) -> Error {
    Error::new(Kind::Index, format!("{} is damaged", shard.display()), ASK_FOR_ANOTHER)
}

/// Returns the key of a shard as 16 hexadecimal digits. It is a digest of the fingerprint, and of
/// the id and the tree id of each member.
pub fn shard_key<'a>(fingerprint: &Fingerprint, members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = hex(fingerprint);
    for (id, tree) in members {
        // Neither contains a line break.
        text.extend(["\n", id, "\n", tree]);
    }
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Returns a fingerprint as 16 hexadecimal digits.
pub(super) fn hex(fingerprint: &Fingerprint) -> String {
    let Fingerprint { format, content, languages, words, max_size } = fingerprint;
    let numbers = [u64::from(*format), u64::from(*content), *languages, *words, *max_size];
    let mut bytes = numbers.map(u64::to_le_bytes).concat();
    // Tables use the native byte order of the machine, which is nearly always little-endian.
    if cfg!(target_endian = "big") {
        bytes.extend(b"big-endian");
    }
    format!("{:016x}", xxh3_64(&bytes))
}

/// Returns the range of a part whose header starts at `header`, and the offset of the next header.
/// Returns `None` if a number overflows.
fn path(header: u64, length: u64) -> Option<(std::ops::Range<u64>, u64)> {
    let start = header.checked_add(HEAD)?;
    let end = start.checked_add(length)?;
    Some((start..end, end.checked_next_multiple_of(HEAD)?))
}

/// The ranges of a member's parts, and the offset of the next header.
struct PartPlaces {
    parts: Vec<std::ops::Range<u64>>,
    end: Option<u64>,
}

fn part_places(first: u64, lengths: &[u64; PARTS.len()]) -> PartPlaces {
    let (mut parts, mut end) = (Vec::with_capacity(lengths.len()), Some(first));
    for &length in lengths {
        let Some((part, next)) = end.and_then(|header| path(header, length)) else {
            return PartPlaces { parts, end: None };
        };
        parts.push(part);
        end = Some(next);
    }
    PartPlaces { parts, end }
}

impl PartPlaces {
    /// Maps the parts of a member. Returns `None` if the file is truncated before their end.
    fn map(self, file: &MappedBytes) -> Option<[MappedBytes; PARTS.len()]> {
        let parts = self.parts.into_iter().map(|part| cut(file, &part)).collect::<Option<Vec<_>>>()?;
        parts.try_into().ok()
    }
}

fn cut(file: &MappedBytes, range: &std::ops::Range<u64>) -> Option<MappedBytes> {
    file.part(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
}

/// Maps a shard. Returns the mapping, the list of members, and the offset of the first part's
/// header.
fn read(path: &Path) -> Result<(MappedBytes, ShardRecord, u64)> {
    let mapped = map(path).map_err(|cause| Error::io(Kind::Index, "open", path, &cause))?;
    let file = MappedBytes::new(path, mapped);
    let (record, first) = read_record(&file).ok_or_else(|| not_a_shard(path))?;
    if record.version != SHARD_VERSION { Err(wrong_version(path)) } else { Ok((file, record, first)) }
}

/// Reads the list of members, and returns it with the offset of the first part's header. Returns
/// `None` if these bytes are not a shard, or if the list is damaged.
fn read_record(file: &MappedBytes) -> Option<(ShardRecord, u64)> {
    let mut archive = tar::Archive::new(Cursor::new(file.all()));
    let first = archive.entries().ok()?.next()?.ok()?;
    if first.path_bytes().as_ref() != RECORD.as_bytes() {
        return None;
    }
    let (record, next) = path(0, first.size())?;
    let (sum, next) = path(next, 16)?;
    let (record, sum) = (cut(file, &record)?, cut(file, &sum)?);
    if format!("{:016x}", xxh3_64(record.all())).as_bytes() != sum.all() {
        return None;
    }
    Some((serde_json::from_slice(record.all()).ok()?, next))
}

fn not_a_shard(path: &Path) -> Error {
    let what = format!("{} is not a shard, or its list of members is damaged", path.display());
    Error::new(Kind::Index, what, ASK_FOR_ANOTHER)
}

fn wrong_version(path: &Path) -> Error {
    let what =
        format!("{} was built by a different version of this program, or for a different byte order", path.display());
    Error::new(Kind::Index, what, "pack it again from its sources with this version, or use the version that made it")
}
