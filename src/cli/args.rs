//! Defines the commands. The options of each command are defined next to its `run` function.

use super::ask::AskArgs;
use super::calls::CallsArgs;
use super::check::CheckArgs;
use super::context::ContextArgs;
use super::eval::EvalArgs;
use super::fleet::FleetArgs;
use super::graph::GraphArgs;
use super::lsp::LspArgs;
use super::mcp::McpArgs;
use super::read::ReadArgs;
use super::relate::RelateArgs;
use super::serve::ServeArgs;
use super::shell::ManArgs;
use super::status::{IndexArgs, StatusArgs};
use super::version;
use clap::{Parser, Subcommand};

/// Which function in this repository does X?
///
/// Ask in your own words: whichfn "decides whether a redirect target is safe". The index is built and refreshed by
/// itself. Nothing leaves this machine.
#[derive(Debug, Parser)]
#[command(
    name = "whichfn",
    version,
    long_version = version::LONG.as_str(),
    args_conflicts_with_subcommands = true,
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
    /// Say who calls a function, with the line of each call.
    Callers(CallsArgs),
    /// Say what a function calls, with the line of each call.
    Callees(CallsArgs),
    /// Say what a function is related to most, and by which path.
    Relate(RelateArgs),
    /// Print the structure graph: directories, files, syntax nodes and calls.
    Graph(GraphArgs),
    /// Check a change: calls that no longer fit, functions that nothing calls any more.
    Check(CheckArgs),
    /// Answer a question from any texts: books, tables, logs.
    Read(ReadArgs),
    /// Measure the ranking over a set of questions with known answers.
    Eval(EvalArgs),
    /// Serve agents: the Model Context Protocol over standard input and output.
    Mcp(McpArgs),
    /// Serve editors, scripts and a page in the browser: HTTP on this machine.
    Serve(ServeArgs),
    /// Serve editors: the Language Server Protocol over standard input and output.
    Lsp(LspArgs),
    /// Ask many repositories at once: archives that travel, and who answers from them.
    Fleet(FleetArgs),
    /// Print a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of a command, or write all of them.
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::choices::{KindChoice, OrderChoice, RelationChoice, UnitChoice};
    use crate::index::Options;
    use crate::llm::RetryPolicy;
    use crate::lookup::LookupOptions;
    use crate::search::{FILE_ALPHA, MEAN_ALPHA, Query, SUM_ALPHA};
    use clap::{CommandFactory, ValueEnum};

    fn word(choice: impl ValueEnum) -> String {
        choice.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Returns the default in the help text of an option of `ask`.
    fn printed(option: &str) -> String {
        let ask = Cli::command().find_subcommand("ask").expect("ask").clone();
        let argument = ask.get_arguments().find(|one| one.get_long() == Some(option)).expect("an option").clone();
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        let default = help.split("[default: ").nth(1).and_then(|rest| rest.split(']').next());
        default.expect("the help names a default").to_owned()
    }

    /// Checks the defaults in the help text. They are written by hand, because an option without a
    /// value may be set elsewhere.
    #[test]
    fn the_help_names_the_defaults_of_the_library() {
        let query = Query::new("");
        for (option, default) in [
            ("results", query.k.to_string()),
            ("kind", word(KindChoice(query.kind))),
            ("unit", word(UnitChoice(query.unit))),
            ("order", word(OrderChoice(query.ranker))),
            ("relation", word(RelationChoice(query.environment.relation))),
            ("alpha", format!("{SUM_ALPHA} for a sum, {FILE_ALPHA} for one of files, {MEAN_ALPHA} for a mean")),
            ("chunk-tokens", LookupOptions::default().chunk_tokens.to_string()),
            ("max-file-size", Options::default().max_size.to_string()),
            ("llm-timeout", RetryPolicy::default().idle_timeout.as_secs().to_string()),
        ] {
            assert_eq!(printed(option), default, "--{option}");
        }
    }
}
