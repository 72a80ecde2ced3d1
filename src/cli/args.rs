//! What can be typed: the commands. The options of each stand beside its `run`.

use super::ask::AskArgs;
use super::context::ContextArgs;
use super::eval::EvalArgs;
use super::graph::GraphArgs;
use super::read::ReadArgs;
use super::relate::RelateArgs;
use super::status::{IndexArgs, StatusArgs};
use clap::{Parser, Subcommand};

/// Which function in this repository does X?
///
/// Ask in your own words: whichfn "decides whether a redirect target is safe". The index is built and refreshed by
/// itself. Nothing leaves this machine.
#[derive(Debug, Parser)]
#[command(
    name = "whichfn",
    version,
    args_conflicts_with_subcommands = true,
    arg_required_else_help = true,
    max_term_width = 100
)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    #[command(flatten)]
    pub ask: AskArgs,
}

#[derive(Debug, Subcommand)]
pub(super) enum CliCommand {
    /// Rank the functions that do what the question says (also without the word `ask`).
    Ask(AskArgs),
    /// Build or refresh the index, with progress.
    Index(IndexArgs),
    /// Say what is indexed, how fresh it is and what was left out.
    Status(StatusArgs),
    /// Choose what to put before a completion.
    Context(ContextArgs),
    /// Say what a function is related to most, and by which path.
    Relate(RelateArgs),
    /// Print the structure graph: directories, files, syntax nodes and calls.
    Graph(GraphArgs),
    /// Answer a question from any texts: books, tables, logs.
    Read(ReadArgs),
    /// Measure the ranking over a set of questions with known answers.
    Eval(EvalArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page.
    Man,
}
