//! A flag that stops a run; all of its threads check it.
//!
//! It is checked before each try, while waiting for the next one, and between the pieces of a
//! reply.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use whichfn_system::error::{Error, Kind, Result};

/// Time between two checks of the flag during a wait.
const GLANCE: Duration = Duration::from_millis(20);

/// A flag that stops a run; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Requests the run to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Checks whether the run should stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns an error if the run should stop.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn check(&self) -> Result<()> {
        match self.is_cancelled() {
            true => Err(Error::new(Kind::Cancelled, "the run was cancelled", "start it again when you like")),
            false => Ok(()),
        }
    }

    /// Waits, unless the run is cancelled.
    ///
    /// # Errors
    /// Returns an error if the run is cancelled during the wait.
    pub(super) fn wait(&self, time: Duration) -> Result<()> {
        let start = Instant::now();
        while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            self.check()?;
            std::thread::sleep(left.min(GLANCE));
        }
        self.check()
    }
}
