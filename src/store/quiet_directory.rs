//! tantivy's directory without its waits for the disk.
//!
//! tantivy syncs every file, which takes as long as parsing a small repository. An index is a cache: after a power cut
//! a torn file is found by its sums and the index is built again, so nothing is gained by waiting. Nor are tantivy's
//! locks taken: a fresh index can be asked where nothing may be written.
//!
//! tantivy has sums of its own but does not look at them when it reads. So each of its files is sealed
//! ([`super::sealed`]), and tantivy sees the content alone.

use super::private::{new_file, write_private};
use super::sealed::{Seal, SealWriter, raise, sealed};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, OwnedBytes, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
};
use tantivy::{Directory, HasLen};

/// Reads by mapping, writes without syncing.
#[derive(Debug, Clone)]
pub(super) struct QuietDirectory {
    folder: PathBuf,
    mapped: MmapDirectory,
}

impl QuietDirectory {
    /// Over an existing folder.
    pub fn open(folder: &Path) -> Result<Self, OpenDirectoryError> {
        Ok(Self { folder: folder.to_owned(), mapped: MmapDirectory::open(folder)? })
    }
}

/// A file of the text index, mapped; what is read of it is checked.
#[derive(Debug)]
struct SealedHandle {
    path: PathBuf,
    file: OwnedBytes,
    seal: Seal,
}

impl HasLen for SealedHandle {
    fn len(&self) -> usize {
        self.seal.length()
    }
}

impl FileHandle for SealedHandle {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if !self.seal.holds(&self.file, &range) {
            raise(&self.path);
        }
        Ok(self.file.slice(range))
    }
}

struct Unsynced(SealWriter<File>);

impl Write for Unsynced {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl TerminatingWrite for Unsynced {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        self.0.finish().map(drop)
    }
}

impl Directory for QuietDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        // A generation names no file that it does not have: one that does not open is damaged.
        let file = self.mapped.get_file_handle(path).and_then(|handle| {
            handle.read_bytes(0..handle.len()).map_err(|cause| OpenReadError::wrap_io_error(cause, path.to_owned()))
        });
        let path = self.folder.join(path);
        let Ok(file) = file else { raise(&path) };
        let Some(seal) = Seal::of(&file) else { raise(&path) };
        Ok(Arc::new(SealedHandle { path, file, seal }))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let opened = new_file(&self.folder.join(path));
        let file = opened.map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(cause, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(Unsynced(SealWriter::new(file)))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let mut file = self.mapped.atomic_read(path)?;
        match Seal::of(&file).filter(|seal| seal.holds(&file, &(0..seal.length()))) {
            Some(seal) => file.truncate(seal.length()),
            None => raise(&self.folder.join(path)),
        }
        Ok(file)
    }

    /// Written aside and renamed, so that a former generation that shares the file by link keeps its own.
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let aside = self.folder.join(format!("{}.new", path.display()));
        write_private(&aside, &sealed(data)?)?;
        fs::rename(aside, self.folder.join(path))
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    /// No lock of its own: one writer at a time is seen to by `LOCK`, and a generation is never changed once it is read.
    fn acquire_lock(&self, _: &Lock) -> Result<DirectoryLock, LockError> {
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.mapped.watch(callback)
    }
}
