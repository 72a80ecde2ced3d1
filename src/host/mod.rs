//! Repositories that a server keeps open: a question finds the index brought up to date, and many may be asked at once.
//!
//! ```text
//! a question ──> which repository ──> a look at its files, shared by all who wait for one ──> a place ──> the engine
//! a save ──────> watch ──> quiet for a moment ──> a look aside
//! ```
//!
//! **Never:** knows a protocol, or writes to standard output.

mod progress;
mod repositories;
mod repository;
mod time;
mod watch;

pub use progress::LookStep;
pub use repositories::Repositories;
pub use repository::{HeldIndex, IndexState, Repository};
pub use time::utc;

use crate::error::Remedy;
use crate::search::Trust;

/// How the face that starts a server speaks to a person.
#[derive(Debug, Clone, Copy)]
pub struct Face {
    /// Says one line where people read it: standard error, never standard output.
    pub notice: fn(&str),
    /// What would help, in words.
    pub advice: fn(&Remedy) -> String,
    /// What to do next with an answer that is trusted so far, and was read or not; none where nothing need be done.
    pub next_step: fn(Trust, bool) -> Option<&'static str>,
}
