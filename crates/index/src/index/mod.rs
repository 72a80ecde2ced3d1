//! Indexes a repository into the store: changed files are read and parsed, everything else is
//! copied, and the result is the same as after a complete build.
//!
//! ```text
//! refresh ─> plan      what changed since the previous generation
//!         └> write ─┬> look     reads and parses files that may have changed, in parallel
//!                   │           (notes: the file being parsed, in case a parser ends the program);
//!                   │           its results are sorted (in_order) and go
//!                   ├> gather   to the records of files, and to
//!                   ├> tables   the graph's pieces: each file's part is written immediately,
//!                   │           and nothing else of the file is kept
//!                   └> calls    resolves all calls from scratch, or copies them
//! ```
//!
//! **Never:** ranks, or depends on questions.

mod calls;
mod embed;
mod file_collector;
mod files;
mod load;
mod lock;
mod memory;
mod notes;
mod ordered_sender;
mod plan;
mod progress;
mod refresh;
mod tables;
mod write;

pub use embed::{embed, embedded_by};
pub use progress::{Progress, Silent};
pub use refresh::{Options, Report, refresh};
pub use write::build_in_folder;
