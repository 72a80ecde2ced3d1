//! An archive that travels: one immutable file with the whole indexes of one or more repositories, or of slices of a large one,
//! and their texts. It is read where it lies: mapped once, nothing unpacked but the texts that are shown.
//!
//! ```text
//! shard.json | shard.sum | 0/manifest | 0/base | 0/links | 0/texts | 0/linking | 1/manifest | ...        a plain tar
//! ```
//! `shard.json` says which members there are and how long each of their parts is, so where they lie is known without the heads
//! between them; `shard.sum` is its sum. A head takes 512 bytes and parts are filled up to a multiple of that, so
//! that sections are aligned as in files of their own. `linking` is what only a refresh takes (`linking.rs`). Sums and seals are those of any index (`sealed.rs`).
//!
//! **Law:** the bytes are a function of the sources, the members' names and revisions, and the fingerprint: see
//! `shard_writer.rs`. Calls never leave a member, so bundling changes no answer.

use super::generation::{BASE, Generation, LINKS, MANIFEST};
use super::linking::put_back;
use super::manifest::Manifest;
use super::map::{MappedBytes, map};
use super::packed_texts::PackedTexts;
use super::sealed::{Damaged, caught};
use super::version::Fingerprint;
use crate::error::{Error, Kind, Result};
use crate::ids::FileId;
use crate::scan::content_hash;
use serde::{Deserialize, Serialize};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Changes when the parts of a shard change; what lies in them has versions of its own ([`Fingerprint`]).
pub(super) const SHARD_VERSION: u32 = 1;
/// The parts of a member, in order.
pub(super) const PARTS: [&str; 5] = [MANIFEST, BASE, LINKS, TEXTS, LINKING];
/// The file of a member's texts.
pub(super) const TEXTS: &str = "texts";
/// The file of what linking alone takes of a member.
pub(super) const LINKING: &str = "linking";
pub(super) const RECORD: &str = "shard.json";
pub(super) const SUM: &str = "shard.sum";
/// How a shard's file ends.
pub const SHARD_SUFFIX: &str = "shard";
const HEAD: u64 = 512;
const ASK_FOR_ANOTHER: &str = "fetch it again, or pack it again from its sources";

/// What a shard says of one of its members.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberRecord {
    /// Its name among all: the repository's, of a slice with `#` and a number from 1.
    pub id: String,
    /// The repository.
    pub repository: String,
    /// The revision it was packed at; empty if none was known.
    pub revision: String,
    /// The tree id: the hash of its paths and contents, in hexadecimal.
    pub tree: String,
    /// Files indexed.
    pub files: usize,
    /// Functions, methods and macros.
    pub functions: usize,
    /// Lines of all files.
    pub lines: u64,
    /// Bytes of the files.
    pub source_bytes: u64,
    /// Bytes in the shard.
    pub bytes: u64,
    /// Bytes of each part: manifest, base, links, texts, linking.
    pub parts: [u64; PARTS.len()],
}

/// What `shard.json` holds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ShardRecord {
    pub version: u32,
    /// Of what made it.
    pub format: u32,
    /// The same of its rules.
    pub content: u32,
    /// The sum of everything but the sources that decides what an index holds, in hexadecimal.
    pub fingerprint: String,
    /// Files above this many bytes were left out.
    pub max_file_size: u64,
    pub members: Vec<MemberRecord>,
}

/// A shard, open.
pub struct Shard {
    /// Where it lies.
    pub path: PathBuf,
    /// Members in order.
    pub members: Vec<ShardMember>,
    /// Members that cannot be used, and why.
    pub damaged: Vec<(MemberRecord, Error)>,
}

/// One member of a shard, open. Many threads may read it at once.
pub struct ShardMember {
    /// What the shard says of it.
    pub record: MemberRecord,
    /// Its index.
    pub generation: Generation,
    texts: PackedTexts,
    /// For each file its facts and its mail.
    linking: PackedTexts,
}

impl Shard {
    /// What a shard says of its members, without opening them.
    ///
    /// # Errors
    /// When it cannot be read, is none, has parts of another version, or its list of members is damaged.
    pub fn list(path: &Path) -> Result<Vec<MemberRecord>> {
        Ok(read(path)?.1.members)
    }

    /// Opens a shard; `wanted` is the fingerprint of this build, whose size limit for files does not matter here.
    ///
    /// Price: the list of files of each member is read, and a two-thousandth of the rest.
    ///
    /// # Errors
    /// When it cannot be read, is none, was made by another version, or its list of members is damaged. A damaged member is no error
    /// of the whole.
    pub fn open(path: &Path, wanted: &Fingerprint) -> Result<Self> {
        let (file, record, first) = read(path)?;
        let wanted = Fingerprint { max_size: record.max_file_size, ..*wanted };
        if record.fingerprint != hex(&wanted) {
            return Err(of_another_version(path));
        }
        let mut shard = Self { path: path.to_owned(), members: Vec::new(), damaged: Vec::new() };
        let mut at = Some(first);
        for record in record.members {
            let parts = at.map(|at| places(at, &record.parts));
            at = parts.as_ref().and_then(|parts| parts.end);
            match parts.and_then(|parts| parts.of(&file)).and_then(|parts| ShardMember::open(&record, parts, &wanted)) {
                Some(member) => shard.members.push(member),
                None => {
                    let error = damaged_member(path, &record.id);
                    shard.damaged.push((record, error));
                }
            }
        }
        Ok(shard)
    }

    /// The file's own name, by which others know it.
    pub fn file_name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

impl ShardMember {
    /// None if it is damaged.
    fn open(record: &MemberRecord, parts: [MappedBytes; PARTS.len()], wanted: &Fingerprint) -> Option<Self> {
        let [manifest, base, links, texts, linking] = parts;
        let generation = Generation::within([manifest, base, links], wanted).ok()?;
        let files = generation.manifest.files.len();
        let texts = caught(|| PackedTexts::within(texts, files)).ok()??;
        let linking = caught(|| PackedTexts::within(linking, 2 * files)).ok()??;
        Some(Self { record: record.clone(), generation, texts, linking })
    }

    /// Writes its index into a folder, as that of a repository at `root` whose files are yet to be looked at. Raises if a part is damaged.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn unpack(&self, root: &Path, folder: &Path) -> Result<()> {
        let seals = put_back(&self.generation.graph, &self.linking, folder)?;
        let root = root.to_string_lossy().into_owned();
        Generation::seal(folder, &Manifest { root, seals, ..self.generation.manifest.clone() })
    }

    /// The bytes of a file, as they were indexed. Raises if they are damaged.
    pub fn bytes(&self, file: FileId) -> Vec<u8> {
        let bytes = self.texts.bytes(file.index());
        match self.generation.manifest.files.get(file.index()) {
            Some(record) if record.hash == content_hash(&bytes) => bytes,
            _ => self.texts.reject(),
        }
    }

    /// Reads all of it, as a question does not.
    ///
    /// # Errors
    /// When a part of it is damaged.
    pub fn verify(&self) -> std::result::Result<(), Damaged> {
        self.generation.verify()?;
        caught(|| {
            self.generation.graph.file_ids().for_each(|file| drop(self.bytes(file)));
            self.linking.verify();
        })
    }
}

/// The error of a member that is damaged.
pub fn damaged_member(shard: &Path, id: &str) -> Error {
    Error::new(Kind::Index, format!("{id} in {} is damaged", shard.display()), ASK_FOR_ANOTHER)
}

/// The error of a shard that is damaged somewhere.
pub fn damaged_archive(shard: &Path) -> Error {
    Error::new(Kind::Index, format!("{} is damaged", shard.display()), ASK_FOR_ANOTHER)
}

/// The key of a shard, 16 hexadecimal digits: of what it was made with, and of each member's id and tree id.
pub fn shard_key<'a>(fingerprint: &Fingerprint, members: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = hex(fingerprint);
    for (id, tree) in members {
        // Neither holds a line break.
        text.extend(["\n", id, "\n", tree]);
    }
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// A fingerprint as 16 hexadecimal digits.
pub(super) fn hex(fingerprint: &Fingerprint) -> String {
    let Fingerprint { format, content, languages, words, max_size } = fingerprint;
    let numbers = [u64::from(*format), u64::from(*content), *languages, *words, *max_size];
    let mut bytes = numbers.map(u64::to_le_bytes).concat();
    // Tables are in the machine's own byte order, which is nearly always the little-endian one.
    if cfg!(target_endian = "big") {
        bytes.extend(b"big-endian");
    }
    format!("{:016x}", xxh3_64(&bytes))
}

/// The place of a part, and that of the head behind it; none if no file is that long.
fn place(head: u64, length: u64) -> Option<(std::ops::Range<u64>, u64)> {
    let start = head.checked_add(HEAD)?;
    let end = start.checked_add(length)?;
    Some((start..end, end.checked_next_multiple_of(HEAD)?))
}

/// Where the parts of a member lie, and the head behind them.
struct PartPlaces {
    parts: Vec<std::ops::Range<u64>>,
    end: Option<u64>,
}

fn places(first: u64, lengths: &[u64; PARTS.len()]) -> PartPlaces {
    let (mut parts, mut end) = (Vec::with_capacity(lengths.len()), Some(first));
    for &length in lengths {
        let Some((part, next)) = end.and_then(|head| place(head, length)) else {
            return PartPlaces { parts, end: None };
        };
        parts.push(part);
        end = Some(next);
    }
    PartPlaces { parts, end }
}

impl PartPlaces {
    /// The parts; none if the file is cut off before their end.
    fn of(self, file: &MappedBytes) -> Option<[MappedBytes; PARTS.len()]> {
        let parts = self.parts.into_iter().map(|part| cut(file, &part)).collect::<Option<Vec<_>>>()?;
        parts.try_into().ok()
    }
}

fn cut(file: &MappedBytes, range: &std::ops::Range<u64>) -> Option<MappedBytes> {
    file.part(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
}

/// A shard, mapped; its list of members, and where the head of the first part stands.
fn read(path: &Path) -> Result<(MappedBytes, ShardRecord, u64)> {
    let mapped = map(path).map_err(|cause| Error::io(Kind::Index, "open", path, &cause))?;
    let file = MappedBytes::new(path, mapped);
    let (record, first) = record_of(&file).ok_or_else(|| no_shard(path))?;
    if record.version != SHARD_VERSION { Err(of_another_version(path)) } else { Ok((file, record, first)) }
}

/// The list of members, and where the head of the first part stands; none if these bytes are no shard, or damaged there.
fn record_of(file: &MappedBytes) -> Option<(ShardRecord, u64)> {
    let mut archive = tar::Archive::new(Cursor::new(file.all()));
    let first = archive.entries().ok()?.next()?.ok()?;
    if first.path_bytes().as_ref() != RECORD.as_bytes() {
        return None;
    }
    let (record, next) = place(0, first.size())?;
    let (sum, next) = place(next, 16)?;
    let (record, sum) = (cut(file, &record)?, cut(file, &sum)?);
    if format!("{:016x}", xxh3_64(record.all())).as_bytes() != sum.all() {
        return None;
    }
    Some((serde_json::from_slice(record.all()).ok()?, next))
}

fn no_shard(path: &Path) -> Error {
    let what = format!("{} is no shard, or its list of members is damaged", path.display());
    Error::new(Kind::Index, what, ASK_FOR_ANOTHER)
}

fn of_another_version(path: &Path) -> Error {
    let what = format!("{} was made by another version of this program, or for another byte order", path.display());
    Error::new(Kind::Index, what, "pack it again from its sources with this version, or use the version that made it")
}
