//! The `whichfn fleet` command: many repositories at once.

mod ask;
mod pack;
mod stats;
mod unpack;
mod worker;

use super::Exit;
use clap::{Args, Subcommand};
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(super) struct FleetArgs {
    #[command(subcommand)]
    pub command: FleetCommand,
}

#[derive(Debug, Clone, Subcommand)]
pub(super) enum FleetCommand {
    /// Pack repositories into shards: archives with the index and the source text, which any
    /// machine can search.
    Pack(pack::PackArgs),
    /// Print the contents of shards, and their contribution to the ranking statistics.
    Stats(stats::StatsArgs),
    /// Use a repository in a shard as the index of its checkout, and parse only files that differ.
    Unpack(unpack::UnpackArgs),
    /// Search the shards in a folder.
    Ask(ask::FleetAskArgs),
    /// Serve shards to a coordinator, as lines of JSON on standard input and output.
    Worker(worker::WorkerArgs),
    /// Coordinate the questions to a fleet, as lines of JSON on standard input and output.
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
