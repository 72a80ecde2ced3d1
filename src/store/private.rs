//! Folders and files that hold what private code says: only their owner may read them, and nothing that stands in the
//! place of one is written through.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

/// Makes a folder, and those around it that are not there; those that it makes are for their owner alone (0700).
///
/// # Errors
/// When the disk refuses.
pub fn create_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Makes an empty file for its owner alone (0600). Whatever was in its place is removed, and a link not followed.
///
/// # Errors
/// When the disk refuses.
pub(super) fn create_file(path: &Path) -> io::Result<File> {
    remove(path)?;
    new_file(path)
}

/// Makes an empty file for its owner alone (0600).
///
/// # Errors
/// When something is in its place already, or the disk refuses.
pub(super) fn new_file(path: &Path) -> io::Result<File> {
    owners(File::options().write(true).create_new(true)).open(path)
}

/// Opens a file for writing, or makes it. What is no regular file in its place is removed.
///
/// # Errors
/// When the disk refuses.
pub(super) fn open_or_create(path: &Path) -> io::Result<File> {
    if path.symlink_metadata().is_ok_and(|meta| !meta.is_file()) {
        remove(path)?;
    }
    owners(File::options().read(true).write(true).create(true).truncate(false)).open(path)
}

/// Writes a file for its owner alone. Whatever was in its place is removed, and a link not followed.
///
/// # Errors
/// When the disk refuses.
pub fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    create_file(path)?.write_all(bytes)
}

/// Removes a file, a link or a folder with all that it holds; nothing if there is none.
///
/// # Errors
/// When the disk refuses.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(()),
        Err(cause) => Err(cause),
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

fn owners(options: &mut fs::OpenOptions) -> &mut fs::OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Takes the rights of others from a folder that is ours.
pub(super) fn close_to_others(folder: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let open = fs::metadata(folder).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0);
        if open {
            let _ = fs::set_permissions(folder, fs::Permissions::from_mode(0o700));
        }
    }
    #[cfg(not(unix))]
    let _ = folder;
}

/// Whether a folder belongs to another user, who could put anything into it. The superuser could anyway.
pub(super) fn is_anothers(folder: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let us = rustix::process::geteuid().as_raw();
        us != 0 && fs::metadata(folder).is_ok_and(|meta| meta.uid() != us && meta.uid() != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        false
    }
}
