//! The folder of an index: its files, their checksums, and access to them.
//!
//! Each checksum belongs to a name. tantivy's own checksums are part of the files, so a file that was
//! replaced by another one with its own checksum would pass them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{DirectoryLock, FileHandle, Lock, MmapDirectory, WatchCallback, WatchHandle, WritePtr};
use tantivy::{Directory, Index};
use whichfn_system::platform::{owner_only_folders, restrict_file};
use xxhash_rust::xxh3::Xxh3;

/// File that a process locks while it writes.
pub(crate) const LOCK: &str = "LOCK";
/// tantivy's list of the segments.
const SEGMENTS: &str = "meta.json";
/// File with the name and the checksum of each file of the index.
const SUMS: &str = "sums";
/// Number of bytes that are read at once.
const BLOCK: usize = 64 << 10;

/// A folder without tantivy's own locks. [`LOCK`] excludes other writers, and a reader needs no lock,
/// so an index in a folder that cannot be written can be read.
#[derive(Debug, Clone)]
pub(crate) struct Unlocked(pub MmapDirectory);

impl Directory for Unlocked {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.0.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.0.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.0.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        self.0.open_write(path)
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.0.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.0.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        self.0.sync_directory()
    }

    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.0.watch(callback)
    }
}

/// Returns the list of segments in a folder, or `None` if there is none.
pub(crate) fn segment_list(folder: &Path) -> Option<Vec<u8>> {
    folder.symlink_metadata().ok().filter(fs::Metadata::is_dir)?;
    let path = folder.join(SEGMENTS);
    path.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
    fs::read(path).ok()
}

/// Writes the checksums of an index.
pub(crate) fn write_sums(folder: &Path, index: &Index) -> io::Result<()> {
    let new = folder.join("sums.new");
    fs::write(&new, sums(folder, index)?)?;
    fs::rename(new, folder.join(SUMS))
}

/// Checks whether the files of an index are those that were written under their names.
pub(crate) fn has_right_sums(folder: &Path, index: &Index) -> bool {
    let path = folder.join(SUMS);
    let is_file = path.symlink_metadata().is_ok_and(|meta| meta.is_file());
    is_file && fs::read(path).is_ok_and(|stored| sums(folder, index).is_ok_and(|sums| sums.as_bytes() == stored))
}

/// Returns a line for each file of an index: its checksum and its name.
fn sums(folder: &Path, index: &Index) -> io::Result<String> {
    let metas = index.load_metas().map_err(io::Error::other)?;
    let mut files: BTreeSet<PathBuf> = metas.list_segment_files().into_iter().collect();
    files.insert(SEGMENTS.into());
    let mut text = String::new();
    for file in files {
        let path = folder.join(&file);
        // A segment does not have all files that it may have.
        let Ok(meta) = path.symlink_metadata() else { continue };
        if !meta.is_file() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let _ = writeln!(text, "{:032x} {}", sum(&path)?, file.display());
    }
    Ok(text)
}

fn sum(path: &Path) -> io::Result<u128> {
    let (mut file, mut sum, mut block) = (File::open(path)?, Xxh3::new(), vec![0; BLOCK]);
    loop {
        match file.read(&mut block)? {
            0 => return Ok(sum.digest128()),
            read => sum.update(&block[..read]),
        }
    }
}

/// Creates a folder that only the owner can access (0700). A link in its place is not followed.
pub(crate) fn create_folder(folder: &Path) -> io::Result<()> {
    if folder.symlink_metadata().is_ok_and(|meta| !meta.is_dir()) {
        fs::remove_file(folder)?;
    }
    let mut builder = fs::DirBuilder::new();
    owner_only_folders(builder.recursive(true)).create(folder)
}

/// Removes everything from the folder except the lock.
pub(crate) fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            _ if entry.file_name() == LOCK => {}
            true => fs::remove_dir_all(entry.path())?,
            false => fs::remove_file(entry.path())?,
        }
    }
    Ok(())
}

/// Removes other users' access to the files of a folder. A failure is ignored, because other users
/// cannot access the folder.
pub(crate) fn restrict_files(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            restrict_file(&entry.path());
        }
    }
}
