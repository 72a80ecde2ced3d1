//! The command line: converts arguments to one call of [`crate::engine::Engine`], and its answer to
//! text or JSON.
//!
//! Only results are written to stdout; notices, progress and errors are written to stderr. The exit
//! status is the same as grep's: 0 found, 1 nothing found, 2 error.
//!
//! # Each verb, function by function
//!
//! `src/main.rs` is one expression. It calls `run` in this file, where every verb starts.
//!
//! - **ask**: `run` in `src/cli/ask.rs`, `answer` in `src/engine/answer.rs`, `search` in
//!   `crates/search/src/search/searcher.rs`, which runs `crates/search/src/search/pipeline.rs`,
//!   `results` in `crates/search/src/answer/present.rs`; back to `answer` in `src/cli/text.rs`.
//!   With `--strategy prism`, between `search` and `results`: `offline` in
//!   `crates/read/src/lookup/run.rs`.
//! - **context**: `run` in `src/cli/context.rs`, `context` in `src/engine/context.rs`, `context` in
//!   `crates/read/src/context/query.rs`, `rank` in `crates/read/src/context/rank.rs`, `score` in
//!   `crates/search/src/search/windows.rs`.
//! - A list (**callers**, **callees**, **implementations**, **references**, **relate**, **tests**,
//!   **impact**, **path**, **outline**): `run` in `src/cli/verb.rs`, `run` in the verb's file in
//!   `src/verbs/`, a method of the engine (`src/engine/graph.rs`, `src/engine/reach.rs`,
//!   `src/engine/outline.rs`); back to `page` in `src/cli/listing.rs`. The work is done in
//!   `crates/search/src/answer/calls.rs`, `crates/search/src/answer/implementations.rs`,
//!   `crates/search/src/answer/references/mod.rs`, `crates/search/src/answer/relate.rs` and
//!   `crates/search/src/answer/reach/`. For a change, `changed` in `src/engine/reach.rs` reads it
//!   first.
//! - **graph**: `run` in `src/cli/graph.rs`, `drawing` in `src/engine/graph.rs`, `draw` in
//!   `crates/search/src/picture/drawing.rs`; back to `print_picture` in `src/cli/graph.rs`,
//!   `graph_page` in `src/render/picture/html.rs`. The JSON of a directory comes from `whole_graph` in
//!   `src/engine/whole_graph.rs`.
//! - **read**: `run` in `src/cli/read.rs`, `read` in `src/engine/read.rs`, `read` in
//!   `crates/read/src/inquiry/read.rs`, `read` in `crates/read/src/reading/reading_loop.rs`,
//!   `reply` in `crates/read/src/inquiry/extractive.rs`.
//! - **index**, **status**: `index` in `src/cli/status.rs`, `open` in `src/engine/mod.rs`,
//!   `refresh` in `crates/index/src/index/refresh.rs`, `publish` in
//!   `crates/index/src/store/layout.rs`; then `status` in `src/engine/status.rs`. Both refresh the
//!   index.
//! - **eval**: `run` in `src/cli/eval/mod.rs`, `run` in `src/cli/eval/measure.rs`, `answer` in
//!   `src/engine/answer.rs`, `evaluate` in `src/eval/metrics.rs`.
//! - **serve**: `run` in `src/cli/serve.rs`, `serve` in `src/serve/server.rs`, `guarded` in
//!   `src/serve/guard.rs`, `verb` in `src/serve/endpoints.rs`, `ask` in `src/host/repository.rs`.
//!   Then `run` in a file in `src/verbs/`, and `json` in `src/verbs/listing.rs`.
//! - **mcp**: `run` in `src/cli/mcp.rs`, `serve` in `src/mcp/server.rs`, `ask` in
//!   `src/host/repository.rs`, `brief` in `src/engine/brief.rs`, `answer` in
//!   `src/mcp/candidates.rs`. The lines of code come from `deciding_lines` in
//!   `crates/read/src/lookup/deciding.rs` and `fitting` in `src/mcp/excerpt.rs`. `show` and `graph`
//!   begin in `src/mcp/show.rs` and `src/mcp/graph.rs`.
//! - **lsp**: `run` in `src/cli/lsp.rs`, `serve` in `src/lsp/server.rs`, `work` in
//!   `src/lsp/worker.rs`, `ask_here` in `src/host/repository.rs`. Then `symbol` and
//!   `definitions_at` in `src/engine/symbols.rs`, `calls` in `src/engine/graph.rs`.
//! - **check**: `run` in `src/cli/check/mod.rs`, `open_after` in `src/engine/check.rs`, `check` in
//!   `src/engine/check.rs`, `check` in `crates/check/src/run.rs`. Before this, `read_change` in
//!   `crates/check/src/git.rs` reads the change. `check` then calls the file of each rule.
//! - **fleet ask**: `run` in `src/cli/fleet/ask.rs`, `ask` in `src/fleet/local.rs`, `answer` in
//!   `src/fleet/coordinator/mod.rs`, `search` in `crates/search/src/search/pipeline.rs`. Each step
//!   goes to `exchange` in `src/fleet/coordinator/mod.rs`, and in each shard to `answer` in
//!   `src/fleet/shard_search.rs`.
//! - **fleet worker**: `work` in `src/fleet/worker.rs`. **fleet rank**: `src/fleet/rank.rs`, with a
//!   thread for each pending question.
//! - **fleet stats**: `run` in `src/cli/fleet/stats.rs`, then `src/fleet/stats.rs`. **fleet
//!   unpack**: `run` in `src/cli/fleet/unpack.rs`, `unpack` in `src/fleet/unpack.rs`, `publish` in
//!   `crates/index/src/store/layout.rs`.
//! - **fleet pack**: `run` in `src/cli/fleet/pack.rs`, `pack` in `src/fleet/pack.rs`,
//!   `build_in_folder` in `crates/index/src/index/write.rs`, `write_shard` in
//!   `crates/index/src/store/shard_writer.rs`. `open` in `crates/index/src/store/shard.rs` opens
//!   the result.
//!
//! # Where to change what
//!
//! - a command that is not a list: a row in `args.rs`, a file here, an operation in `src/engine/`
//! - an option: the command's file; options of every list, and filters: `src/verbs/options.rs`;
//!   shared options: `common.rs`, `ranking.rs`; fixed values: `choices.rs`
//! - a setting of `whichfn.toml`, and severities: `settings.rs`; which findings fail: `fail_on.rs`
//! - text: `text.rs` and `fit.rs` for `ask`, `listing.rs` for lists (also quickfix lists),
//!   otherwise the command's file
//! - colors, escapes, the width of lines: `page.rs`, `output.rs`, `layout.rs`; links: `links.rs`;
//!   progress: `progress.rs`
//! - JSON: lists in `src/verbs/`, the rest in `src/render/`, `check/json.rs` and `eval/json.rs`;
//!   `docs/SPEC.md`, section 3, describes it
//! - the exit status: `run` in this file; the advice after an error: a `Remedy` in
//!   `crates/system/src/error.rs`, its text in `advice.rs`
//! - an output format of `check`: a file in `check/`
//! - agents that `install` configures: `install/client.rs`; the lines for `AGENTS.md`:
//!   `install/agents.md`, whose hash must be in `install/versions.txt`
//! - manual pages and their examples: `manual.rs`, `manual_examples.txt`
//!
//! **Never:** decides what is found, or in which order.

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
mod models;
mod names;
mod options_first;
mod output;
mod page;
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
        Some(CliCommand::Model(asked)) => models::run(asked),
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
