//! A flag that stops a run, seen by all of its threads.
//!
//! Looked at before each try, while waiting for the next one, and between the pieces of a reply.

use crate::error::{Error, Kind, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often a wait looks at the flag.
const GLANCE: Duration = Duration::from_millis(20);

/// A flag that stops a run; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks the run to stop.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Goes on, or ends the run.
    ///
    /// # Errors
    /// When somebody asked the run to stop.
    pub fn check(&self) -> Result<()> {
        match self.is_cancelled() {
            true => Err(Error::new(Kind::Cancelled, "the run was cancelled", "start it again when you like")),
            false => Ok(()),
        }
    }

    /// Waits, unless somebody asks the run to stop.
    ///
    /// # Errors
    /// When somebody does.
    pub(super) fn wait(&self, time: Duration) -> Result<()> {
        let start = Instant::now();
        while let Some(left) = time.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) {
            self.check()?;
            std::thread::sleep(left.min(GLANCE));
        }
        self.check()
    }
}
