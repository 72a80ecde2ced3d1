//! Fixtures, small random repositories and slow reference implementations for tests.
//!
//! Only tests depend on this crate, so its functions panic when they fail.
//!
//! **Never:** is a dependency of the program.

mod fixture;
#[cfg(feature = "index")]
mod repository;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "search")]
mod slow;
#[cfg(feature = "encoder")]
pub mod small_model;
#[cfg(feature = "index")]
mod tree;
mod window;

pub use fixture::{Block, Case};
#[cfg(feature = "index")]
pub use repository::{Indexed, Repo, graph, indexed, repo, tiny_repo};
#[cfg(feature = "search")]
pub use slow::{Slow, Table};
#[cfg(feature = "index")]
pub use tree::tree;
pub use window::windows_of;

use proptest::prelude::ProptestConfig;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time that a test waits for a process or a peer. Its only purpose is to end a run that
/// hangs, so it is much longer than a busy machine needs.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Returns a configuration that checks a property on `cases` random inputs. A failing input is
/// shrunk in at most 200 steps and printed, but not saved.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns the top directory of the workspace.
pub fn workspace() -> &'static Path {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    crates.and_then(Path::parent).expect("the crate is two directories below the workspace")
}

/// Returns the paths of a directory's entries, sorted by name. The result is empty if the directory
/// does not exist.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().map(|e| e.expect("entry").path()).collect();
    paths.sort();
    paths
}
