//! Writes shards. The members are built one after another, each in its own folder, and are combined
//! at the end.
//!
//! **Cost:** each member is temporarily stored twice on disk. No member is stored in memory.

use super::generation::Generation;
use super::linking::extract_linking;
use super::manifest::Manifest;
use super::packed_texts::TextsWriter;
use super::private::create_folder;
use super::shard::{LINKING, MemberRecord, PARTS, RECORD, SHARD_VERSION, SUM, ShardRecord, TEXTS, hex};
use super::version::Fingerprint;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use whichfn_scan::Stamp;
use whichfn_system::error::{Error, Kind, Result};
use xxhash_rust::xxh3::xxh3_64;

/// A member whose parts are in a folder, ready to be added to a shard.
pub struct PackedMember {
    /// The entry for the member in the shard's list of members.
    pub record: MemberRecord,
    folder: PathBuf,
}

impl PackedMember {
    /// Writes the parts of a generation without an overlay to `folder`. `text` returns the bytes of
    /// each file. `record` provides the names of the member, and all counts are computed.
    ///
    /// # Errors
    /// Returns the errors of `text`, and an error if a part cannot be written.
    pub fn new(
        generation: &Generation,
        record: MemberRecord,
        folder: PathBuf,
        text: impl FnMut(usize) -> Result<Vec<u8>>,
    ) -> Result<Self> {
        create_folder(&folder).map_err(|cause| Error::io(Kind::Index, "create", &folder, &cause))?;
        let (graph, manifest) = (&generation.graph, &generation.manifest);
        let source_bytes = write_texts(&folder.join(TEXTS), manifest.files.len(), text)?;
        write_portable(generation, &folder)?;
        let mut parts = [0; PARTS.len()];
        for (length, part) in parts.iter_mut().zip(PARTS) {
            let path = folder.join(part);
            let meta = path.metadata().map_err(|cause| Error::io(Kind::Index, "read", &path, &cause))?;
            *length = meta.len();
        }
        let record = MemberRecord {
            files: manifest.files.len(),
            functions: manifest.functions as usize,
            lines: graph.file_ids().map(|file| u64::from(graph.file(file).lines)).sum(),
            source_bytes,
            bytes: parts.iter().sum(),
            parts,
            ..record
        };
        Ok(Self { record, folder })
    }
}

/// Writes a generation to another folder in the form that an archive needs. The parts that only
/// linking reads are separate, and the manifest describes only the content: it has no root, no
/// times and no skipped files. The bytes therefore do not depend on where and when they are
/// written.
fn write_portable(generation: &Generation, folder: &Path) -> Result<()> {
    let seals = extract_linking(&generation.graph, folder, &folder.join(LINKING))?;
    let manifest = generation.manifest.clone();
    let mut manifest = Manifest { root: String::new(), scanned: 0, skipped: Vec::new(), seals, ..manifest };
    manifest.files.iter_mut().for_each(|file| file.stamp = Stamp::default());
    Generation::seal(folder, &manifest)
}

/// Writes the text of the first `files` files, and returns their total number of bytes.
fn write_texts(path: &Path, files: usize, mut text: impl FnMut(usize) -> Result<Vec<u8>>) -> Result<u64> {
    let failed = |cause: io::Error| Error::io(Kind::Index, "write", path, &cause);
    let (mut texts, mut length) = (TextsWriter::new(path).map_err(failed)?, 0);
    for number in 0..files {
        let bytes = text(number)?;
        length += bytes.len() as u64;
        texts.add(&bytes).map_err(failed)?;
    }
    texts.finish().map_err(failed)?;
    Ok(length)
}

/// Combines members into a shard at `path`, and returns its length in bytes. It first writes to
/// `temporary`, on the same disk, where no file may exist, and renames that file when the shard is
/// complete. The file gets the user's default permissions, because an archive is meant to be
/// shared.
///
/// # Errors
/// Returns an error if the shard cannot be written. `path` is then unchanged.
pub fn write_shard(path: &Path, temporary: &Path, fingerprint: &Fingerprint, members: &[PackedMember]) -> Result<u64> {
    let record = ShardRecord {
        version: SHARD_VERSION,
        format: fingerprint.format,
        content: fingerprint.content,
        fingerprint: hex(fingerprint),
        max_file_size: fingerprint.max_size,
        members: members.iter().map(|member| member.record.clone()).collect(),
    };
    let written = || -> io::Result<u64> {
        let file = write(temporary, &record, members)?;
        file.sync_all()?;
        std::fs::rename(temporary, path)?;
        Ok(file.metadata()?.len())
    };
    written().map_err(|cause| {
        let _ = std::fs::remove_file(temporary);
        Error::io(Kind::Index, "write", path, &cause)
    })
}

fn write(temporary: &Path, record: &ShardRecord, members: &[PackedMember]) -> io::Result<File> {
    let mut tar = tar::Builder::new(BufWriter::new(File::create_new(temporary)?));
    let record = serde_json::to_vec(record)?;
    append(&mut tar, RECORD, record.len() as u64, &record[..])?;
    let sum = format!("{:016x}", xxh3_64(&record));
    append(&mut tar, SUM, sum.len() as u64, sum.as_bytes())?;
    for (number, member) in members.iter().enumerate() {
        for (part, length) in PARTS.iter().zip(member.record.parts) {
            let file = File::open(member.folder.join(part))?;
            // With a different length, the following parts would not be at the offsets in the
            // record.
            if file.metadata()?.len() != length {
                return Err(io::Error::other(format!("another program changed the {part} of {}", member.record.id)));
            }
            append(&mut tar, &format!("{number}/{part}"), length, BufReader::new(file))?;
        }
    }
    tar.into_inner()?.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Adds an entry whose header contains only the name and the length, so that the bytes are
/// reproducible. A name of this length needs only one header.
fn append(tar: &mut tar::Builder<impl Write>, name: &str, length: u64, content: impl Read) -> io::Result<()> {
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(length);
    header.set_mode(0o644);
    header.set_uid(0);
    header.set_gid(0);
    header.set_mtime(0);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    tar.append(&header, content)
}
