//! A flag that cancels a run. All threads of the run check it.
//!
//! The flag is checked before each attempt, during the pause before the next attempt, and between
//! the pieces of a reply.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use whichfn_system::error::{Error, Kind, Result};

/// Time between two checks of the flag during a pause.
const GLANCE: Duration = Duration::from_millis(20);

/// A flag that cancels a run. All clones share the same flag.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Requests that the run stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Checks whether the run was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Checks that the run was not cancelled.
    ///
    /// # Errors
    /// Returns an error if the run was cancelled.
    pub fn check(&self) -> Result<()> {
        match self.is_cancelled() {
            true => Err(Error::new(Kind::Cancelled, "the run was cancelled", "start it again if it is still needed")),
            false => Ok(()),
        }
    }

    /// Waits for a given time, or until the run is cancelled.
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
