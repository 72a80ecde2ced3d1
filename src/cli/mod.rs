//! The command line: what was typed to one call of [`crate::engine::Engine`], and its answer to text or JSON.
//!
//! Results alone go to stdout; notices, progress and errors go to stderr. Exit status as grep's: 0 found, 1 nothing
//! found, 2 error.

mod advice;
mod args;
mod ask;
mod context;
mod eval;
mod graph;
mod json;
mod model;
mod output;
mod picture;
mod place;
mod progress;
mod read;
mod reading;
mod relate;
mod relations;
mod settings;
mod shell;
mod status;
mod text;

use crate::error::Kind;
use args::{Cli, Command};
use clap::Parser;
use std::ffi::OsString;
use std::process::ExitCode;

/// What a command found.
pub(crate) enum Outcome {
    /// Something: status 0.
    Found,
    /// Nothing: status 1.
    Nothing,
}

/// Runs the program with these arguments, the first being its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(cause) => return usage(&cause),
    };
    let result = match cli.command {
        Some(Command::Ask(asked)) => ask::run(&asked),
        Some(Command::Index(asked)) => status::index(&asked),
        Some(Command::Status(asked)) => status::status(&asked),
        Some(Command::Context(asked)) => context::run(&asked),
        Some(Command::Relate(asked)) => relate::run(&asked),
        Some(Command::Graph(asked)) => graph::run(&asked),
        Some(Command::Read(asked)) => read::run(&asked),
        Some(Command::Eval(asked)) => eval::run(&asked),
        Some(Command::Completions { shell }) => shell::completions(shell),
        Some(Command::Man) => shell::man(),
        None => ask::run(&cli.ask),
    };
    match result {
        Ok(Outcome::Found) => ExitCode::SUCCESS,
        Ok(Outcome::Nothing) => ExitCode::from(1),
        Err(error) if error.kind() == Kind::DryRun => {
            output::notice(error.what());
            ExitCode::SUCCESS
        }
        Err(error) => {
            output::error(&error);
            ExitCode::from(2)
        }
    }
}

/// Help and version are answers; everything else that clap says is an error.
fn usage(cause: &clap::Error) -> ExitCode {
    let _ = cause.print();
    if cause.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}
