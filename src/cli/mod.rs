//! The command line: converts arguments to one call of [`crate::engine::Engine`], and its answer to
//! text or JSON.
//!
//! Only results are written to stdout; notices, progress and errors are written to stderr. The exit
//! status is the same as grep's: 0 found, 1 nothing found, 2 error.

mod advice;
mod args;
mod ask;
mod check;
mod choices;
mod common;
mod context;
mod estimate;
mod eval;
mod explanation;
mod fail_on;
mod fit;
mod fleet;
mod graph;
mod graph_calls;
mod install;
mod layout;
mod links;
mod listing;
mod lsp;
mod manual;
mod mcp;
mod mistyped;
mod model;
mod model_check;
mod names;
mod options_first;
mod output;
mod page;
mod picture;
mod place;
mod progress;
mod ranking;
mod read;
mod reading;
mod resolve;
mod serve;
mod settings;
mod shell;
mod status;
mod target;
mod text;
mod trace;
mod ui;
mod unsearched;
mod verb;
mod vimgrep;

pub(crate) use choices::definition_kind;
pub use settings::reads_as_settings;

use crate::engine::healing;
use args::{Cli, CliCommand};
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use std::ffi::OsString;
use std::process::ExitCode;
use whichfn_system::error::{Error, Kind, Result};

/// Outcome of a command that did not fail.
pub(crate) enum Exit {
    /// Something was found, or a check passed: status 0.
    Found,
    /// Nothing was found, or a check did not pass: status 1.
    Nothing,
}

/// Examples for a user who runs the program without arguments. They are not in the code, where the
/// question in them would find them.
const EXAMPLES: &str = include_str!("examples.txt");

/// Help for everyday use on one screen; clap's own would list every option.
const SHORT_HELP: &str = include_str!("short_help.txt");

/// Runs the program with these arguments, the first of which is the program name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if wants_short_help(&arguments) {
        return output::text(SHORT_HELP).map_or_else(|error| failed(&error), |()| ExitCode::SUCCESS);
    }
    let arguments = options_first::command_first(arguments, Cli::command);
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(cause) if cause.kind() == ErrorKind::UnknownArgument => {
            let is_valid = |arguments: &[OsString]| Cli::try_parse_from(arguments).is_ok();
            let mistyped = mistyped::invalid_without_command(&arguments, &Cli::command(), is_valid);
            return mistyped.map_or_else(|| usage(&cause), |error| failed(&error));
        }
        Err(cause) => return usage(&cause),
    };
    if has_no_question(&cli) {
        output::detail(EXAMPLES);
        return ExitCode::from(2);
    }
    match healing(output::has_begun, || command(&cli)) {
        Ok(Exit::Found) => ExitCode::SUCCESS,
        Ok(Exit::Nothing) => ExitCode::from(1),
        Err(error) if error.kind() == Kind::DryRun => {
            output::notice(error.what());
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error),
    }
}

fn failed(error: &Error) -> ExitCode {
    output::error(error);
    ExitCode::from(2)
}

fn wants_short_help(arguments: &[OsString]) -> bool {
    matches!(arguments, [_, help] if help == "-h")
        || matches!(arguments, [_, ask, help] if ask == "ask" && help == "-h")
}

fn has_no_question(cli: &Cli) -> bool {
    match &cli.command {
        Some(CliCommand::Ask(asked)) => asked.is_empty(),
        Some(_) => false,
        None => cli.ask.is_empty(),
    }
}

fn command(cli: &Cli) -> Result<Exit> {
    match &cli.command {
        Some(CliCommand::Ask(asked)) => ask::run(asked),
        Some(CliCommand::Index(asked)) => status::index(asked),
        Some(CliCommand::Status(asked)) => status::status(asked),
        Some(CliCommand::Context(asked)) => context::run(asked),
        Some(CliCommand::Verb(asked)) => verb::run(asked),
        Some(CliCommand::Graph(asked)) => graph::run(asked),
        Some(CliCommand::Read(asked)) => read::run(asked),
        Some(CliCommand::Check(asked)) => check::run(asked),
        Some(CliCommand::Eval(asked)) => eval::run(asked),
        Some(CliCommand::Install(asked)) => install::install(asked),
        Some(CliCommand::Uninstall(asked)) => install::uninstall(asked),
        Some(CliCommand::Mcp(asked)) => mcp::run(asked),
        Some(CliCommand::Serve(asked)) => serve::run(asked),
        Some(CliCommand::Lsp(asked)) => lsp::run(asked),
        Some(CliCommand::Fleet(asked)) => fleet::run(asked),
        Some(CliCommand::Completions { shell }) => shell::completions(*shell, Cli::command()),
        Some(CliCommand::Man(asked)) => manual::man(asked, Cli::command()),
        None if cli.ask.shared.quiet => ask::run(&cli.ask),
        None => {
            mistyped::command_notice(&cli.ask.words, &Cli::command());
            ask::run(&cli.ask)
        }
    }
}

/// Prints help and version as answers, and every other message of clap as an error.
fn usage(cause: &clap::Error) -> ExitCode {
    match output::usage(cause) {
        Ok(()) if !cause.use_stderr() => ExitCode::SUCCESS,
        Ok(()) => ExitCode::from(2),
        Err(error) => failed(&error),
    }
}
