//! tantivy's directory without its waits for the disk.
//!
//! tantivy syncs every file, which takes as long as parsing a small repository. An index is a cache: after a power cut
//! a torn file is found by its sum and the index is built again, so nothing is gained by waiting. Nor are tantivy's
//! locks taken: a fresh index can be asked where nothing may be written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::Directory;
use tantivy::directory::error::{DeleteError, LockError, OpenDirectoryError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};

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

struct Unsynced(File);

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
        self.0.flush()
    }
}

impl Directory for QuietDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.mapped.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.mapped.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.mapped.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let opened = File::options().write(true).create_new(true).open(self.folder.join(path));
        let file = opened.map_err(|cause| match cause.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::wrap_io_error(cause, path.to_owned()),
        })?;
        Ok(BufWriter::new(Box::new(Unsynced(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.mapped.atomic_read(path)
    }

    /// Written aside and renamed, so that a former generation that shares the file by link keeps its own.
    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        let aside = self.folder.join(format!("{}.new", path.display()));
        fs::write(&aside, data)?;
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
