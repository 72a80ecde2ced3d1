//! A repository into the store: what changed is read and parsed, everything else is taken over, and the result is the
//! same as if all had been built anew.
//!
//! ```text
//! refresh ─> plan      what changed since the former generation
//!         └> write ─┬> look         reads and parses what may have changed, in parallel (notes: what is being parsed,
//!                   │               should a parser end the program); what it makes comes in order (in_order)
//!                   ├> gather       to the records of files, and to
//!                   ├> tables       the graph's pieces: a file's part is written as it comes, and nothing else kept of it
//!                   └> calls        resolves all calls anew, or carries them over
//! ```
//! **Never:** ranks, or knows that questions exist.

mod alone;
mod calls;
mod embed;
mod files;
mod gather;
mod in_order;
mod look;
mod memory;
mod notes;
mod plan;
mod progress;
mod refresh;
mod tables;
mod waiting;
mod write;

pub use alone::build_alone;
pub use embed::{embed, embedded_by};
pub use progress::{Progress, Silent};
pub use refresh::{Options, Report, refresh};
