//! The folder in which a shard is built: next to the shard's final path, named after it, hidden
//! from scans, and locked by one process at a time.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::PathBuf;
use whichfn_index::store::create_folder;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_system::platform::is_same_file;

const LOCK: &str = "LOCK";

/// A folder that this process owns until the value is dropped, which deletes it. A folder left by a
/// killed process is taken over, along with its note of a file that crashes the parser
/// (`crates/index/src/index/notes.rs`).
pub(super) struct WorkFolder {
    folder: PathBuf,
    _lock: File,
}

impl WorkFolder {
    /// Takes the folder, waiting for any process that works in it.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn take(folder: PathBuf) -> Result<Self> {
        let failed = |cause: std::io::Error| Error::io(Kind::Index, "write", &folder, &cause);
        loop {
            create_folder(&folder).map_err(failed)?;
            let lock = match File::options().write(true).create(true).truncate(false).open(folder.join(LOCK)) {
                // The previous owner removed the folder just now.
                Err(cause) if cause.kind() == ErrorKind::NotFound => continue,
                lock => lock.map_err(failed)?,
            };
            lock.lock().map_err(failed)?;
            // A lock file in a folder that was deleted in the meantime protects nothing.
            if is_same_file(&lock, &folder.join(LOCK)) {
                return Ok(Self { folder, _lock: lock });
            }
        }
    }

    /// Returns a path in the folder where nothing exists.
    ///
    /// # Errors
    /// Returns an error if files left there by a killed process cannot be removed.
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
        // The next process takes over a folder that cannot be removed.
        let _ = fs::remove_dir_all(&self.folder);
    }
}
