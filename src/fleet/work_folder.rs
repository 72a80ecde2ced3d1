//! The folder in which a shard is made: beside its place, named after it, hidden from a scan, and one process at a time.

use crate::error::{Error, Kind, Result};
use crate::store::create_folder;
use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

const LOCK: &str = "LOCK";

/// A folder that is ours until this is dropped; then it is gone. One that a killed process left is taken over, with what it noted of
/// a file that ends the parser (`src/index/notes.rs`).
pub(super) struct WorkFolder {
    folder: PathBuf,
    _lock: File,
}

impl WorkFolder {
    /// Waits for whoever works there.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub fn take(folder: PathBuf) -> Result<Self> {
        let failed = |cause: std::io::Error| Error::io(Kind::Index, "write", &folder, &cause);
        loop {
            create_folder(&folder).map_err(failed)?;
            let lock = match File::options().write(true).create(true).truncate(false).open(folder.join(LOCK)) {
                // Whoever was there took it away just now.
                Err(cause) if cause.kind() == ErrorKind::NotFound => continue,
                lock => lock.map_err(failed)?,
            };
            lock.lock().map_err(failed)?;
            // A lock of a folder that is gone by now is of nothing.
            if is_the_one(&lock, &folder.join(LOCK)) {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    /// A place in it, where nothing is.
    ///
    /// # Errors
    /// When what a killed process left there cannot be removed.
    pub fn empty(&self, name: &str) -> Result<PathBuf> {
        let place = self.folder.join(name);
        let is_folder = place.symlink_metadata().is_ok_and(|meta| meta.is_dir());
        match if is_folder { fs::remove_dir_all(&place) } else { fs::remove_file(&place) } {
            Err(cause) if cause.kind() != ErrorKind::NotFound => Err(Error::io(Kind::Index, "remove", &place, &cause)),
            _ => Ok(place),
        }
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // What cannot be removed is taken over by the next.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[cfg(unix)]
fn is_the_one(lock: &File, place: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: &fs::Metadata, b: &fs::Metadata| a.ino() == b.ino() && a.dev() == b.dev();
    matches!((lock.metadata(), place.metadata()), (Ok(ours), Ok(there)) if same(&ours, &there))
}

/// An open file cannot be removed here.
#[cfg(not(unix))]
fn is_the_one(_: &File, place: &Path) -> bool {
    place.exists()
}
