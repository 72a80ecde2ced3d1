//! Opens files from untrusted sources. Opening a file never blocks, and only regular files are
//! opened.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a regular file for reading. Follows links in the path, because the path comes from the
/// user.
///
/// # Errors
/// Returns an error if the file cannot be opened, or is a directory, a pipe, a socket or a device.
/// Opening a pipe does not wait for a writer.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, unix::FLAGS.bits() as i32);
    regular(options.open(path)?)
}

/// Opens a regular file below a folder for reading. No part of its path below the folder may be a
/// link or lead out of the folder (`..`, or an absolute path).
///
/// # Errors
/// Returns the errors of [`open_regular`], and an error if part of the path is a link or leads out
/// of the folder.
pub fn open_below(folder: &Path, below: &Path) -> io::Result<File> {
    if below.components().any(|part| !matches!(part, std::path::Component::Normal(_))) {
        return Err(io::Error::new(ErrorKind::InvalidInput, "it links to a path outside its folder"));
    }
    #[cfg(unix)]
    return regular(unix::open_below(folder, below)?);
    #[cfg(not(unix))]
    open_below_checked(folder, below)
}

/// Opens a file on systems that cannot refuse to follow links, after checking each part of the
/// path.
#[cfg(not(unix))]
fn open_below_checked(folder: &Path, below: &Path) -> io::Result<File> {
    let mut path = folder.to_owned();
    for part in below {
        path.push(part);
        if path.symlink_metadata()?.is_symlink() {
            return Err(io::Error::other("its path contains a link"));
        }
    }
    open_regular(&path)
}

/// Reads a whole file of at most `max_bytes` bytes.
///
/// # Errors
/// Returns an error if the file cannot be read or is longer than `max_bytes`.
pub fn read_at_most(file: File, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > max_bytes {
        true => Err(io::Error::new(ErrorKind::FileTooLarge, format!("it is longer than {max_bytes} bytes"))),
        false => Ok(bytes),
    }
}

/// Returns the file if it is a regular file, or else an error.
fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

#[cfg(unix)]
mod unix {
    use super::{File, Path, io};
    use rustix::fs::{CWD, Mode, OFlags, openat};
    use rustix::io::Errno;
    use std::os::fd::OwnedFd;

    /// Flags for opening a file: do not wait for a pipe's writer, and do not make a terminal the
    /// controlling terminal of this process.
    pub(super) const FLAGS: OFlags = OFlags::NONBLOCK.union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

    pub(super) fn open_below(folder: &Path, below: &Path) -> io::Result<File> {
        let folder = openat(CWD, folder, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        match open_in_one_call(&folder, below) {
            // An old kernel or a sandbox does not support this call.
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => open_by_part(folder, below),
            done => done,
        }
        .map(File::from)
        .map_err(plain)
    }

    #[cfg(target_os = "linux")]
    fn open_in_one_call(folder: &OwnedFd, below: &Path) -> Result<OwnedFd, Errno> {
        use rustix::fs::{ResolveFlags, openat2};
        let below_only = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        openat2(folder, below, OFlags::RDONLY | FLAGS, Mode::empty(), below_only)
    }

    #[cfg(not(target_os = "linux"))]
    fn open_in_one_call(_: &OwnedFd, _: &Path) -> Result<OwnedFd, Errno> {
        Err(Errno::NOSYS)
    }

    /// Opens a file one path component at a time, each relative to the folder before it.
    pub(super) fn open_by_part(folder: OwnedFd, below: &Path) -> Result<OwnedFd, Errno> {
        let mut at = folder;
        for part in below.parent().into_iter().flatten() {
            at = openat(&at, part, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?;
        }
        let name = below.file_name().ok_or(Errno::ISDIR)?;
        openat(&at, name, OFlags::RDONLY | OFlags::NOFOLLOW | FLAGS, Mode::empty())
    }

    /// Converts an error from the system. A single link, which the system reports as "too many
    /// levels of links", gets a clearer message.
    fn plain(cause: Errno) -> io::Error {
        match cause {
            Errno::LOOP | Errno::MLINK => io::Error::other("it is a link, or its path contains one"),
            other => other.into(),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn text(file: io::Result<File>) -> Option<String> {
        String::from_utf8(read_at_most(file.ok()?, 10).ok()?).ok()
    }

    #[test]
    fn opens_files_below_folder_without_following_links() {
        let outside = tempfile::tempdir().expect("folder");
        let folder = tempfile::tempdir().expect("folder");
        let (root, secret) = (folder.path(), outside.path().join("secret"));
        std::fs::write(&secret, "secret").expect("written");
        std::fs::create_dir_all(root.join("a/b")).expect("folder");
        std::fs::write(root.join("a/b/c"), "text").expect("written");
        symlink(&secret, root.join("a/link")).expect("link");
        symlink(outside.path(), root.join("door")).expect("link");
        symlink("a", root.join("again")).expect("link");
        let open_by_part = |below: &str| {
            let opened = rustix::fs::open(root, rustix::fs::OFlags::DIRECTORY, rustix::fs::Mode::empty());
            unix::open_by_part(opened.expect("folder"), Path::new(below)).map(File::from).map_err(io::Error::from)
        };
        assert_eq!(text(open_below(root, Path::new("a/b/c"))).as_deref(), Some("text"));
        assert_eq!(text(open_by_part("a/b/c")).as_deref(), Some("text"));
        for hidden in ["a/link", "door/secret", "again/b/c"] {
            assert!(open_below(root, Path::new(hidden)).is_err() && open_by_part(hidden).is_err(), "{hidden}");
        }
        for wrong in ["a", "none", "../x", "/etc/passwd", ""] {
            assert!(open_below(root, Path::new(wrong)).is_err(), "{wrong}");
        }
        assert!(open_regular(&root.join("a/link")).is_ok(), "what a user names may be a link");
    }

    #[test]
    fn rejects_special_files_and_long_files() {
        let folder = tempfile::tempdir().expect("folder");
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        for odd in [Path::new("/dev/zero"), folder.path(), &pipe] {
            assert!(open_regular(odd).is_err(), "{}", odd.display());
        }
        assert!(made.is_err() || open_below(folder.path(), Path::new("pipe")).is_err());
        std::fs::write(folder.path().join("long"), "eleven byte").expect("written");
        assert_eq!(text(open_regular(&folder.path().join("long"))), None);
    }
}
