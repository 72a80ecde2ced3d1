//! Writes files so that a reader, or a process that is killed, never leaves or sees half of one.

use crate::platform::link_count;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file with a rename, so that it is never incomplete. Its permissions and its other hard
/// links stay.
///
/// # Errors
/// Returns an error if the folder or the file cannot be written, and on Linux if another process
/// creates the file meanwhile.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let known = fs::metadata(path).ok();
    if known.as_ref().is_some_and(|known| link_count(known) > 1) {
        return write_in_place(path, bytes);
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.new", std::process::id()));
    let temporary = path.with_file_name(name);
    let fill = |mut file: File| {
        if let Some(known) = &known {
            file.set_permissions(known.permissions())?;
        }
        file.write_all(bytes)?;
        file.sync_all().map(|()| file)
    };
    // A file without a name disappears with the process, so it can be written at leisure.
    let unnamed = unnamed_file(path.parent().unwrap_or(Path::new("."))).map(fill).transpose()?;
    match (unnamed, &known) {
        (Some(file), None) if link(&file, path)? => return Ok(()),
        (Some(file), Some(_)) if link(&file, &temporary)? => {}
        _ => fill(File::create_new(&temporary)?).map(drop).inspect_err(|_| drop(fs::remove_file(&temporary)))?,
    }
    fs::rename(&temporary, path).inspect_err(|_| drop(fs::remove_file(&temporary)))
}

/// Overwrites a file that has several names, which a rename would separate.
fn write_in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
}

/// Creates a file without a name in a folder; `None` if the system or the file system cannot.
#[cfg(target_os = "linux")]
fn unnamed_file(folder: &Path) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    openat(CWD, folder, flags, Mode::from_raw_mode(0o666)).ok().map(File::from)
}

/// Gives a file without a name this name. Returns false if the system cannot.
///
/// # Errors
/// Returns an error if the name exists.
#[cfg(target_os = "linux")]
fn link(file: &File, name: &Path) -> io::Result<bool> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    // A name of the file descriptor needs no privilege, unlike an empty path.
    let unnamed = format!("/proc/self/fd/{}", file.as_raw_fd());
    match linkat(CWD, unnamed, CWD, name, AtFlags::SYMLINK_FOLLOW) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::EXIST) => Err(rustix::io::Errno::EXIST.into()),
        Err(_) => Ok(false),
    }
}

#[cfg(not(target_os = "linux"))]
fn unnamed_file(_: &Path) -> Option<File> {
    None
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_file_is_created_and_replaced_and_nothing_else_remains() {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("a.json");
        for text in ["{}", "{\"a\": 1}", ""] {
            write_whole(&file, text.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&file).expect("text"), text);
            fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("mode");
        }
        assert_eq!(fs::metadata(&file).expect("file").permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(folder.path()).expect("folder").count(), 1);
        assert!(write_whole(&folder.path().join("none/a"), b"").is_err());
    }

    #[test]
    fn hard_links_stay() {
        let folder = tempfile::tempdir().expect("folder");
        let (file, other) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&file, "long text").expect("written");
        fs::hard_link(&file, &other).expect("link");
        write_whole(&file, b"short").expect("written");
        assert_eq!(fs::read_to_string(&other).expect("text"), "short");
    }
}
