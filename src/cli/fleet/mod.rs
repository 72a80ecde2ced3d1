//! The `whichfn fleet` command: many repositories at once.

mod ask;
mod pack;
mod stats;
mod unpack;
mod worker;

use super::Exit;
use crate::error::Result;
use clap::{Args, Subcommand};

#[derive(Debug, Clone, Args)]
pub(super) struct FleetArgs {
    #[command(subcommand)]
    pub command: FleetCommand,
}

#[derive(Debug, Clone, Subcommand)]
pub(super) enum FleetCommand {
    /// Pack repositories into shards: archives with index and texts, which any machine can answer from.
    Pack(pack::PackArgs),
    /// Say what shards hold, and what each adds to the sums of ranking.
    Stats(stats::StatsArgs),
    /// Make a repository of a shard the index of its checkout; then only files that differ are parsed.
    Unpack(unpack::UnpackArgs),
    /// Ask the shards of a folder, in this process.
    Ask(ask::FleetAskArgs),
    /// Hold shards and answer steps of questions: lines of JSON on standard input and output.
    Worker(worker::WorkerArgs),
    /// Lead questions through a fleet: lines of JSON on standard input and output.
    Rank(worker::RankArgs),
}

pub(super) fn run(asked: &FleetArgs) -> Result<Exit> {
    match &asked.command {
        FleetCommand::Pack(asked) => pack::run(asked),
        FleetCommand::Stats(asked) => stats::run(asked),
        FleetCommand::Unpack(asked) => unpack::run(asked),
        FleetCommand::Ask(asked) => ask::run(asked),
        FleetCommand::Worker(asked) => worker::run(asked),
        FleetCommand::Rank(asked) => worker::rank(asked),
    }
}
