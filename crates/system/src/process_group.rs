//! Starts a command as the leader of its own process group, and kills the whole group at a deadline
//! or when this program is interrupted. An interrupt also removes temporary folders.
//!
//! A terminal's interrupt does not reach another process group, so this program kills the running
//! groups when it receives SIGINT or SIGTERM, and then ends as it would without the handler. An
//! ignored signal stays ignored. On Windows, only the command itself is killed.

use std::fs::{DirBuilder, remove_dir_all};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Time between two checks in [`kill_and_wait`] for the exit of a killed command.
const POLL_INTERVAL: Duration = Duration::from_millis(1);
/// Maximum time that [`kill_and_wait`] waits for a killed command to exit. A command that is
/// blocked in the kernel, for example by an unreachable network disk, may never exit.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// A running process group. Until this value is dropped, an interrupt of this program kills the
/// group.
#[derive(Debug)]
pub struct RunningGroup(#[cfg(unix)] u32);

/// Starts a command as the leader of its own process group.
///
/// # Errors
/// Returns an error if the command cannot be started.
pub fn start(command: &mut Command) -> io::Result<(Child, RunningGroup)> {
    #[cfg(unix)]
    return unix::start(command);
    #[cfg(not(unix))]
    command.spawn().map(|child| (child, RunningGroup()))
}

/// Kills a command and all processes in its group, and waits for the command to exit.
pub fn kill_and_wait(child: &mut Child) {
    #[cfg(unix)]
    unix::kill(child.id());
    let _ = child.kill();
    let deadline = Instant::now() + KILL_TIMEOUT;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < deadline {
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Starts a thread. Unlike `std::thread::spawn`, it returns an error if the system refuses to start
/// one.
///
/// # Errors
/// Returns an error if the thread cannot be started.
pub fn start_thread(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().spawn(work).map(drop)
}

/// A folder that is removed with its contents when this value is dropped, or when an interrupt ends
/// this program.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Creates a folder that is removed automatically.
    ///
    /// # Errors
    /// Returns an error if the folder already exists or cannot be created.
    pub fn create(builder: &DirBuilder, path: PathBuf) -> io::Result<Self> {
        #[cfg(unix)]
        unix::create_folder(builder, &path)?;
        #[cfg(not(unix))]
        builder.create(&path)?;
        Ok(Self(path))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // If removal fails, only a few small files stay in the system's temporary folder.
        let _ = remove_dir_all(&self.0);
        #[cfg(unix)]
        unix::forget_folder(&self.0);
    }
}

#[cfg(unix)]
mod unix {
    use super::{
        Child, Command, DirBuilder, POLL_INTERVAL, Path, PathBuf, RunningGroup, io, remove_dir_all, start_thread,
    };
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt;
    use std::sync::mpsc::channel;
    use std::sync::{Mutex, MutexGuard, PoisonError};

    /// Maximum number of attempts to remove a folder. A process that was just killed may still
    /// create a file in it.
    const MAX_TRIES: usize = 3;

    /// The process groups to kill and the folders to remove on an interrupt.
    struct Cleanup {
        /// Leaders of the running groups.
        groups: BTreeSet<u32>,
        folders: BTreeSet<PathBuf>,
        /// True if a thread waits for signals.
        is_watched: bool,
    }

    static CLEANUP: Mutex<Cleanup> =
        Mutex::new(Cleanup { groups: BTreeSet::new(), folders: BTreeSet::new(), is_watched: false });

    fn lock_cleanup() -> MutexGuard<'static, Cleanup> {
        CLEANUP.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the table, after making sure that a thread waits for signals. An interrupt waits for
    /// the lock, so it takes the caller's additions into account.
    fn lock_watched_cleanup() -> MutexGuard<'static, Cleanup> {
        let mut cleanup = lock_cleanup();
        cleanup.is_watched = cleanup.is_watched || watch_signals();
        cleanup
    }

    /// Kills a process group, identified by its leader.
    pub(super) fn kill(leader: u32) {
        if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            // The group may have ended by itself.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    pub(super) fn start(command: &mut Command) -> io::Result<(Child, RunningGroup)> {
        let mut cleanup = lock_watched_cleanup();
        let child = command.process_group(0).spawn()?;
        cleanup.groups.insert(child.id());
        drop(cleanup);
        let group = RunningGroup(child.id());
        Ok((child, group))
    }

    impl Drop for RunningGroup {
        fn drop(&mut self) {
            lock_cleanup().groups.remove(&self.0);
        }
    }

    pub(super) fn create_folder(builder: &DirBuilder, path: &Path) -> io::Result<()> {
        let mut cleanup = lock_watched_cleanup();
        builder.create(path)?;
        cleanup.folders.insert(path.to_owned());
        Ok(())
    }

    pub(super) fn forget_folder(folder: &Path) {
        lock_cleanup().folders.remove(folder);
    }

    /// Starts a thread that waits for signals. Returns whether it is running.
    ///
    /// The thread itself registers the handlers. If it cannot be started, an interrupt ends this
    /// program as usual, but groups and folders outlive it.
    fn watch_signals() -> bool {
        let (sender, ready) = channel();
        let started = start_thread(move || {
            let signals = Signals::new([SIGINT, SIGTERM].into_iter().filter(|signal| !is_ignored(*signal)));
            let _ = sender.send(signals.is_ok());
            let Ok(mut signals) = signals else { return };
            for signal in signals.forever() {
                // The other threads must not report a killed group or start another, so the lock
                // is held to the end.
                let cleanup = lock_cleanup();
                cleanup.groups.iter().for_each(|&leader| kill(leader));
                cleanup.folders.iter().for_each(|folder| remove_folder(folder));
                let _ = emulate_default_handler(signal);
            }
        });
        started.is_ok() && ready.recv().unwrap_or(false)
    }

    fn remove_folder(folder: &Path) {
        for _ in 0..MAX_TRIES {
            if remove_dir_all(folder).is_ok() {
                return;
            }
            std::thread::sleep(POLL_INTERVAL * 10);
        }
    }

    /// Checks whether the program was started with a signal ignored, as `nohup` and scripts do for
    /// background commands. A handler would undo that.
    ///
    /// Only on Linux can this be checked without unsafe code.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        has_signal(&status, signal)
    }

    /// Checks whether the mask of ignored signals in a `/proc` status file contains a signal. The
    /// mask is a hexadecimal number whose lowest bit is signal 1.
    fn has_signal(status: &str, signal: i32) -> bool {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        mask >> (signal - 1) & 1 == 1
    }

    #[test]
    fn reads_mask_of_ignored_signals() {
        let status = "SigBlk:\t0000000000000000\nSigIgn:\t0000000000001002\nSigCgt:\tffffffffffffffff\n";
        assert!(has_signal(status, SIGINT) && !has_signal(status, SIGTERM));
        assert!(!has_signal("", SIGINT) && !has_signal("SigIgn:\tx\n", SIGINT));
    }
}
