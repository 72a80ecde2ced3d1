//! Repositories that a server keeps open: each question uses an up-to-date index, and many
//! questions can run in parallel.
//!
//! ```text
//! a question ──> which repository ──> a refresh, shared by waiting questions ──> permit ──> engine
//! a save ──────> watch ──> quiet for a moment ──> a refresh in the background
//! ```
//!
//! **Never:** knows anything about protocols, or writes to standard output.

pub mod arguments;
mod progress;
mod repositories;
mod repository;
mod watch;

pub use progress::ProgressStep;
pub use repositories::Repositories;
pub use repository::{IndexFreshness, IndexStatistics, Repository};

use whichfn_search::answer::Answer;
use whichfn_system::error::Remedy;

/// Callbacks that present a server's messages to its user.
#[derive(Debug, Clone, Copy)]
pub struct FrontEnd {
    /// Prints one line where users read it: standard error, never standard output.
    pub notice: fn(&str),
    /// Returns advice in words for a remedy.
    pub advice: fn(&Remedy) -> String,
    /// Returns the next step after an answer; `None` if nothing needs to be done.
    pub next_step: fn(&Answer) -> Option<String>,
}
