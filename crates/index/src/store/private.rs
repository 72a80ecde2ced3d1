//! Creates folders and files that contain private code. Only their owner can read them, and nothing
//! is written through an existing file or link.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use whichfn_system::platform::{owner_only_files, owner_only_folders};

/// Creates a folder and its missing parents. Only the owner can access the new folders (0700).
///
/// # Errors
/// Returns an error if the folder cannot be created.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    owner_only_folders(builder.recursive(true)).create(path)
}

/// Creates an empty file that only the owner can access (0600). An existing file, link or folder is
/// removed, and a link is not followed.
///
/// # Errors
/// Returns an error if the file cannot be created.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    remove(path)?;
    new_file(path)
}

/// Creates an empty file that only the owner can access (0600). An existing file is not replaced.
///
/// # Errors
/// Returns an error if the path already exists, or if the file cannot be created.
pub(super) fn new_file(path: &Path) -> io::Result<File> {
    owner_only_files(File::options().write(true).create_new(true)).open(path)
}

/// Opens a file for writing, and creates it if it is missing. If the path is not a regular file,
/// whatever is there is removed.
///
/// # Errors
/// Returns an error if the file cannot be opened.
pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
    if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
        remove(path)?;
    }
    owner_only_files(File::options().read(true).write(true).create(true).truncate(false)).open(path)
}

/// Writes a file that only the owner can access (0600). An existing file, link or folder is
/// removed, and a link is not followed.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_file(path)?.write_all(bytes)
}

/// Removes a file, a link, or a folder with its contents. Does nothing if the path does not exist.
///
/// # Errors
/// Returns an error if the path cannot be removed.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(cause),
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}
