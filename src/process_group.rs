//! Starts a command as the leader of its own process group, and kills the whole group at a deadline
//! and when this program is interrupted.
//!
//! A terminal's interrupt does not reach another process group. This program therefore kills the
//! running groups when it receives SIGINT or SIGTERM, and then ends as it would have without the
//! handler. On Windows only the command itself is killed.

use std::io;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Time between two checks of [`end`] for the exit of a killed command.
const GLANCE: Duration = Duration::from_millis(1);
/// Maximum time that [`end`] waits for a killed command: one that the kernel blocks, on a dead
/// network disk, may never end.
const GRACE: Duration = Duration::from_secs(1);

/// A running process group. Until this is dropped, an interrupt of this program kills the group.
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

/// Kills a command with all processes that it started, and reaps it.
pub fn end(child: &mut Child) {
    #[cfg(unix)]
    unix::kill(child.id());
    let _ = child.kill();
    let until = Instant::now() + GRACE;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < until {
        std::thread::sleep(GLANCE);
    }
}

#[cfg(unix)]
mod unix {
    use super::{Child, Command, RunningGroup, io};
    use rustix::process::{Pid, Signal, kill_process_group};
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::collections::BTreeSet;
    use std::os::unix::process::CommandExt;
    use std::sync::{Mutex, Once, PoisonError};

    /// The leaders of the running groups.
    static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

    /// Kills a group, given its leader.
    pub(super) fn kill(leader: u32) {
        if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
            // The group may have ended by itself.
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    /// Starts a command. The lock makes an interrupt wait until the new group is known.
    pub(super) fn start(command: &mut Command) -> io::Result<(Child, RunningGroup)> {
        static WATCH: Once = Once::new();
        WATCH.call_once(pass_on_interrupts);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.process_group(0).spawn()?;
        running.insert(child.id());
        let group = RunningGroup(child.id());
        Ok((child, group))
    }

    impl Drop for RunningGroup {
        fn drop(&mut self) {
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
        }
    }

    /// Starts a thread that waits for an interrupt. Without a handler, groups outlive an interrupt.
    fn pass_on_interrupts() {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
        // Without the thread, the groups also outlive this process.
        let _ = std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|&leader| kill(leader));
                let _ = emulate_default_handler(signal);
            }
        });
    }
}
