//! Writes the index of a repository to the store. Changed files are read and parsed, everything
//! else is copied, and the result is the same as after a complete build.
//!
//! ```text
//! refresh ─> plan      determines what changed since the previous generation
//!         └> write ─┬> load             reads and parses files that may have changed, in parallel
//!                   │                   (notes: the file being parsed, in case a parser crashes);
//!                   │                   ordered_sender passes on the results in path order
//!                   ├> file_collector   collects the records of all files
//!                   ├> tables           writes the pieces of the graph; of each file, only its part
//!                   │                   of the tables is kept
//!                   └> calls            resolves all calls from scratch, or copies them
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
mod partial;
mod plan;
mod progress;
mod refresh;
mod sibling;
mod tables;
mod write;

pub use embed::{embed, embedded_by};
pub use progress::{Progress, Silent};
pub use refresh::{Options, Report, refresh};
pub use write::build_in_folder;
