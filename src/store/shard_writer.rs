//! A shard to disk: its members lie in folders, built one after another, and are put together at the end.
//!
//! Price: the disk holds each member twice for a while; memory holds none.

use super::generation::Generation;
use super::packed_texts::TextsWriter;
use super::shard::{MemberRecord, PARTS, RECORD, SHARD_VERSION, SUM, ShardRecord, TEXTS, hex};
use super::version::Fingerprint;
use crate::error::{Error, Kind, Result};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// A member whose parts lie in a folder, ready for a shard.
pub struct PackedMember {
    /// What the shard will say of it.
    pub record: MemberRecord,
    folder: PathBuf,
}

impl PackedMember {
    /// Makes a generation that was built in a folder of its own ready: writes the texts beside it, and lets it forget where it was
    /// made. `text` gives the bytes of each file; `record` its names, all else is counted here.
    ///
    /// # Errors
    /// Those of `text`, and when the disk refuses.
    pub fn new(
        mut generation: Generation,
        record: MemberRecord,
        mut text: impl FnMut(&Generation, usize) -> Result<Vec<u8>>,
    ) -> Result<Self> {
        let folder = generation.folder().to_owned();
        let place = folder.join(TEXTS);
        let failed = |cause: io::Error| Error::io(Kind::Index, "write", &place, &cause);
        let mut texts = TextsWriter::new(&place).map_err(failed)?;
        let mut source_bytes = 0;
        for number in 0..generation.manifest.files.len() {
            let bytes = text(&generation, number)?;
            source_bytes += bytes.len() as u64;
            texts.add(&bytes).map_err(failed)?;
        }
        texts.finish().map_err(failed)?;
        generation.forget_place()?;
        let (graph, manifest) = (&generation.graph, &generation.manifest);
        let length = |part: &str| {
            let path = folder.join(part);
            path.metadata().map(|meta| meta.len()).map_err(|cause| Error::io(Kind::Index, "read", &path, &cause))
        };
        let mut parts = [0; PARTS.len()];
        for (length_of, part) in parts.iter_mut().zip(PARTS) {
            *length_of = length(part)?;
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

/// Puts members together to a shard at `place`: written as `aside` on the same disk, where nothing may be, and renamed when it is
/// whole. Who may read it is as for any file of the user: an archive is there to be given to others. Gives its length in bytes.
///
/// # Errors
/// When the disk refuses; then there is nothing at `place` that was not there before.
pub fn write_shard(place: &Path, aside: &Path, fingerprint: &Fingerprint, members: &[PackedMember]) -> Result<u64> {
    let record = ShardRecord {
        version: SHARD_VERSION,
        format: fingerprint.format,
        content: fingerprint.content,
        fingerprint: hex(fingerprint),
        max_file_size: fingerprint.max_size,
        members: members.iter().map(|member| member.record.clone()).collect(),
    };
    let written = || -> io::Result<u64> {
        let file = write(aside, &record, members)?;
        file.sync_all()?;
        std::fs::rename(aside, place)?;
        Ok(file.metadata()?.len())
    };
    written().map_err(|cause| {
        let _ = std::fs::remove_file(aside);
        Error::io(Kind::Index, "write", place, &cause)
    })
}

fn write(aside: &Path, record: &ShardRecord, members: &[PackedMember]) -> io::Result<File> {
    let mut tar = tar::Builder::new(BufWriter::new(File::create_new(aside)?));
    let record = serde_json::to_vec(record)?;
    append(&mut tar, RECORD, record.len() as u64, &record[..])?;
    let sum = format!("{:016x}", xxh3_64(&record));
    append(&mut tar, SUM, sum.len() as u64, sum.as_bytes())?;
    for (number, member) in members.iter().enumerate() {
        for (part, length) in PARTS.iter().zip(member.record.parts) {
            let file = File::open(member.folder.join(part))?;
            // Of another length what follows would lie elsewhere than the record says.
            if file.metadata()?.len() != length {
                return Err(io::Error::other(format!("another program changed the {part} of {}", member.record.id)));
            }
            append(&mut tar, &format!("{number}/{part}"), length, BufReader::new(file))?;
        }
    }
    tar.into_inner()?.into_inner().map_err(io::IntoInnerError::into_error)
}

/// Adds an entry whose head tells of nothing but name and length. A name of this length takes one head.
fn append(tar: &mut tar::Builder<impl Write>, name: &str, length: u64, content: impl Read) -> io::Result<()> {
    let mut head = tar::Header::new_ustar();
    head.set_path(name)?;
    head.set_size(length);
    head.set_mode(0o644);
    head.set_uid(0);
    head.set_gid(0);
    head.set_mtime(0);
    head.set_entry_type(tar::EntryType::Regular);
    head.set_cksum();
    tar.append(&head, content)
}
