//! The `whichfn fleet worker` and `whichfn fleet rank` commands: both ends of a question, line by
//! line.

use crate::cli::Exit;
use crate::fleet::{lead, work};
use clap::Args;
use std::io::{stdin, stdout};
use std::path::{Path, PathBuf};
use whichfn_syntax::lang::Registry;
use whichfn_system::error::{Error, Kind, Result};

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct WorkerArgs {
    /// Shards to serve.
    #[arg(value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
}

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct RankArgs {
    /// Catalog of the fleet.
    #[arg(long, value_name = "FILE")]
    pub catalog: PathBuf,
}

pub(super) fn run(asked: &WorkerArgs) -> Result<Exit> {
    let registry = Registry::builtin()?;
    carried(work(&asked.shards, &registry, stdin().lock(), stdout().lock()))
}

pub(super) fn rank(asked: &RankArgs) -> Result<Exit> {
    let registry = Registry::builtin()?;
    carried(lead(&asked.catalog, &registry, stdin().lock(), stdout().lock())?)
}

/// Converts the result of a session. The client may disconnect at any time, which is not a server
/// error.
fn carried(done: std::io::Result<()>) -> Result<Exit> {
    match done {
        Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Error::io(Kind::Path, "read or write", Path::new("standard input or output"), &cause))
        }
        _ => Ok(Exit::Found),
    }
}
