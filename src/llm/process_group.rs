//! A command and all that it starts, ended together: when it is too slow, and when this program is interrupted.
//!
//! The shell leads a process group of its own, so that `sleep 60 | cat` ends as a whole. The terminal's interrupt does not
//! reach another group; so this program passes its end on to those that run, and then ends as it would have.

use rustix::process::{Pid, Signal, kill_process_group};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, Once, PoisonError};

/// The groups that run now.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Ends a group, by the number of its leader.
pub(super) fn end(leader: u32) {
    if let Some(pid) = i32::try_from(leader).ok().and_then(Pid::from_raw) {
        // It may have ended by itself.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

/// A group that runs; until this is dropped it ends with this program.
pub(super) struct RunningGroup(u32);

impl RunningGroup {
    /// Starts a command as the leader of a group of its own. An interrupt that comes meanwhile waits until the group is known.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn start(command: &mut Command) -> std::io::Result<(Child, Self)> {
        static WATCH: Once = Once::new();
        WATCH.call_once(pass_on_the_end);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.process_group(0).spawn()?;
        running.insert(child.id());
        let group = Self(child.id());
        Ok((child, group))
    }
}

impl Drop for RunningGroup {
    fn drop(&mut self) {
        RUNNING.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// Waits for an interrupt in a thread of its own. Where no handler can be had, groups live on by themselves.
fn pass_on_the_end() {
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever() {
            RUNNING.lock().unwrap_or_else(PoisonError::into_inner).iter().for_each(|&leader| end(leader));
            let _ = emulate_default_handler(signal);
        }
    });
}
