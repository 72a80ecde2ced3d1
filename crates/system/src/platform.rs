//! Calls that differ between operating systems: owners and permissions of files, the identity of a
//! file, pipes and devices, the name of this machine. Elsewhere, code for one system is needed only
//! for paths as bytes, signals, error numbers and the allocator.
//!
//! Systems other than Unix compile, but are not tested.

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;

/// Identity of a file, and a time that no program can set; 0 where the system reports none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileIdentity {
    /// Last change of the content or metadata, in nanoseconds since 1970.
    pub changed: i64,
    /// Inode number in the file system.
    pub inode: u64,
    /// Device number of the file system.
    pub device: u64,
}

#[cfg(unix)]
mod unix {
    use super::FileIdentity;
    use std::fs::{DirBuilder, File, FileType, Metadata, OpenOptions, Permissions};
    use std::io;
    use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
    use std::path::Path;
    use std::process::Child;

    /// Makes new folders accessible to their owner only (0700).
    pub fn owner_only_folders(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder.mode(0o700)
    }

    /// Makes new files accessible to their owner only (0600).
    pub fn owner_only_files(options: &mut OpenOptions) -> &mut OpenOptions {
        options.mode(0o600)
    }

    /// Removes other users' access to a folder. A failure is ignored.
    pub fn restrict_folder(folder: &Path) {
        if std::fs::metadata(folder).is_ok_and(|meta| meta.mode() & 0o077 != 0) {
            let _ = std::fs::set_permissions(folder, Permissions::from_mode(0o700));
        }
    }

    /// Removes other users' access to a file. A failure is ignored.
    pub fn restrict_file(file: &Path) {
        let _ = std::fs::set_permissions(file, Permissions::from_mode(0o600));
    }

    /// Returns the number of names that a file has.
    pub fn link_count(meta: &Metadata) -> u64 {
        meta.nlink()
    }

    /// Checks whether a file belongs to the current user.
    pub fn is_own(meta: &Metadata) -> bool {
        meta.uid() == rustix::process::geteuid().as_raw()
    }

    /// Checks whether a folder belongs to another user, who could put anything into it. The
    /// superuser does not count, because it has access to every folder.
    pub fn is_owned_by_another_user(folder: &Path) -> bool {
        let own_user = rustix::process::geteuid().as_raw();
        own_user != 0 && std::fs::metadata(folder).is_ok_and(|meta| meta.uid() != own_user && meta.uid() != 0)
    }

    /// Returns the identity of a file.
    pub fn file_identity(meta: &Metadata) -> FileIdentity {
        let changed = meta.ctime().saturating_mul(1_000_000_000).saturating_add(meta.ctime_nsec());
        FileIdentity { changed, inode: meta.ino(), device: meta.dev() }
    }

    /// Checks whether a directory is the top of a file system without stored files, such as `/proc`,
    /// `/sys` or `/dev`. Reading its files may have effects, or never end.
    pub fn is_virtual_file_system(directory: &Path, meta: &Metadata) -> bool {
        #[cfg(target_os = "linux")]
        {
            // The top of each such file system has this number, so other directories cost no call.
            const TOP: u64 = 1;
            // The numbers of proc, sysfs, devpts, cgroup, cgroup2, securityfs, debugfs, tracefs, configfs,
            // bpf, mqueue, pstore and efivarfs in <linux/magic.h>.
            const KINDS: [u32; 13] = [
                0x9fa0,
                0x6265_6572,
                0x1cd1,
                0x0027_e0eb,
                0x6367_7270,
                0x7363_6673,
                0x6462_6720,
                0x7472_6163,
                0x6265_6570,
                0xcafe_4a11,
                0x1980_0202,
                0x6165_676c,
                0xde5e_81e4,
            ];
            if meta.ino() == TOP
                && let Ok(found) = rustix::fs::statfs(directory)
                && KINDS.contains(&(found.f_type as u32))
            {
                return true;
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = meta;
        // The type of `/dev` is that of a file system in memory, which may contain sources.
        directory == Path::new("/dev")
    }

    /// Checks whether a path still leads to an open file.
    pub fn is_same_file(open: &File, path: &Path) -> bool {
        let same = |a: &Metadata, b: &Metadata| a.ino() == b.ino() && a.dev() == b.dev();
        matches!((open.metadata(), path.metadata()), (Ok(ours), Ok(there)) if same(&ours, &there))
    }

    /// Checks whether a reader may block on a file of this type. A socket cannot be opened as a
    /// file, so no reader blocks on it.
    pub fn blocks_reader(kind: FileType) -> bool {
        kind.is_fifo() || kind.is_char_device() || kind.is_block_device()
    }

    /// Checks whether a path refers to the null device.
    pub fn is_null_device(path: &Path) -> bool {
        let device =
            |path: &Path| path.metadata().ok().filter(|meta| meta.file_type().is_char_device()).map(|meta| meta.rdev());
        device(path).is_some_and(|found| Some(found) == device(Path::new("/dev/null")))
    }

    /// Creates a link to a file.
    ///
    /// # Errors
    /// Returns an error if the link cannot be created.
    pub fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
        std::os::unix::fs::symlink(from, to)
    }

    /// Limits the memory of a process that has just started, on Linux. A lower system limit stays in
    /// effect.
    pub fn limit_memory(child: &Child, bytes: u64) {
        #[cfg(target_os = "linux")]
        {
            use rustix::process::{Pid, Resource, Rlimit, prlimit};
            let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            let _ = pid.map(|pid| prlimit(Some(pid), Resource::Data, limit));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (child, bytes);
    }

    /// Returns the name of this machine.
    pub fn host_name() -> String {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }
}

#[cfg(not(unix))]
mod other {
    use super::FileIdentity;
    use std::fs::{DirBuilder, File, FileType, Metadata, OpenOptions};
    use std::io;
    use std::path::Path;
    use std::process::Child;

    /// Leaves access to new folders to the system.
    pub fn owner_only_folders(builder: &mut DirBuilder) -> &mut DirBuilder {
        builder
    }

    /// Leaves access to new files to the system.
    pub fn owner_only_files(options: &mut OpenOptions) -> &mut OpenOptions {
        options
    }

    /// Does nothing.
    pub fn restrict_folder(_: &Path) {}

    /// Does nothing.
    pub fn restrict_file(_: &Path) {}

    /// Returns true: owners are not examined.
    pub fn is_own(_: &Metadata) -> bool {
        true
    }

    /// Returns 1: other names are not examined.
    pub fn link_count(_: &Metadata) -> u64 {
        1
    }

    /// Returns false: owners are not examined.
    pub fn is_owned_by_another_user(_: &Path) -> bool {
        false
    }

    /// Returns no identity.
    pub fn file_identity(_: &Metadata) -> FileIdentity {
        FileIdentity::default()
    }

    /// Returns false: there is no such file system.
    pub fn is_virtual_file_system(_: &Path, _: &Metadata) -> bool {
        false
    }

    /// Checks whether the path exists: an open file cannot be removed.
    pub fn is_same_file(_: &File, path: &Path) -> bool {
        path.exists()
    }

    /// Returns false: pipes are not in the file system.
    pub fn blocks_reader(_: FileType) -> bool {
        false
    }

    /// Checks whether a path refers to the null device.
    pub fn is_null_device(path: &Path) -> bool {
        path == Path::new("/dev/null") || path.as_os_str().eq_ignore_ascii_case("nul")
    }

    /// Copies a file, because links require a privilege on Windows.
    ///
    /// # Errors
    /// Returns an error if the file cannot be copied.
    pub fn link_or_copy(from: &Path, to: &Path) -> io::Result<()> {
        std::fs::copy(from, to).map(drop)
    }

    /// Does nothing; the deadline of the process still applies.
    pub fn limit_memory(_: &Child, _: u64) {}

    /// Returns an empty name.
    pub fn host_name() -> String {
        String::new()
    }
}
