//! Defines the commands. The options of each command are defined next to its `run` function.

use super::ask::AskArgs;
use super::check::CheckArgs;
use super::context::ContextArgs;
use super::eval::EvalArgs;
use super::fleet::FleetArgs;
use super::graph::GraphArgs;
use super::install::{InstallArgs, UninstallArgs};
use super::lsp::LspArgs;
use super::manual::ManArgs;
use super::mcp::McpArgs;
use super::models::ModelCommandArgs;
use super::read::ReadArgs;
use super::serve::ServeArgs;
use super::status::{IndexArgs, StatusArgs};
use super::verb::VerbCommand;
use clap::{Parser, Subcommand};
use std::sync::LazyLock;
use whichfn_index::store::{CONTENT, FORMAT};
use whichfn_syntax::lang::Registry;

/// Output of `--version`: the version number, the commit of the build (`build.rs` sets
/// `WHICHFN_COMMIT`), the formats of the index, and the languages. `-V` prints only the
/// version number.
static LONG_VERSION: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("WHICHFN_COMMIT").unwrap_or("unknown");
    let languages = Registry::builtin().map_or_else(|_| Vec::new(), |registry| registry.titles());
    format!(
        "{}\ncommit: {commit}\nindex: format {FORMAT}, content {CONTENT}\nlanguages: {} ({})",
        env!("CARGO_PKG_VERSION"),
        languages.len(),
        languages.join(", ")
    )
});

/// Which function in this repository does X?
#[derive(Debug, Parser)]
#[command(
    name = "whichfn",
    long_about = include_str!("about.txt"),
    version,
    long_version = LONG_VERSION.as_str(),
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
    /// Rank the functions that match a description (the default command).
    Ask(AskArgs),
    /// Build or refresh the index, with progress.
    Index(IndexArgs),
    /// Show what is indexed, how fresh it is and which files are skipped.
    Status(StatusArgs),
    /// Print context for a code-completion prompt.
    Context(ContextArgs),
    #[command(flatten)]
    Verb(VerbCommand),
    /// Print the structure graph: directories, files, syntax nodes and calls.
    Graph(GraphArgs),
    /// Check a change: report calls that it broke and functions no longer called.
    Check(CheckArgs),
    /// Answer a question from any kind of text: books, tables, logs.
    Read(ReadArgs),
    /// Measure the ranking on questions with known answers.
    Eval(EvalArgs),
    /// Install, list or remove models that give a second opinion on the first answers.
    Model(ModelCommandArgs),
    /// Add the MCP server to the agents on this machine: shows the changes, and asks.
    Install(InstallArgs),
    /// Remove what `install` added.
    Uninstall(UninstallArgs),
    /// Run an MCP server for agents on standard input and output.
    Mcp(McpArgs),
    /// Run an HTTP server for browsers, editors and scripts on this machine.
    Serve(ServeArgs),
    /// Run a language server for editors on standard input and output.
    Lsp(LspArgs),
    /// Search many repositories at once, packed into portable archives.
    Fleet(FleetArgs),
    /// Print a shell completion script.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of the program or of a command, or write all pages.
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::choices::name;
    use clap::CommandFactory;
    use whichfn_index::index::Options;
    use whichfn_llm::RetryPolicy;
    use whichfn_read::lookup::LookupOptions;
    use whichfn_search::search::{FILE_ALPHA, MEAN_ALPHA, Query, SUM_ALPHA};

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
            ("kind", format!("{}, or type if the question asks for one", name(query.kind))),
            ("unit", name(query.unit)),
            ("order", name(query.ranker)),
            ("relation", name(query.environment.relation)),
            ("alpha", format!("{SUM_ALPHA} for a sum, {FILE_ALPHA} for a sum over files, {MEAN_ALPHA} for a mean")),
            ("chunk-tokens", LookupOptions::default().chunk_tokens.to_string()),
            ("max-file-size", Options::default().max_size.to_string()),
            ("llm-timeout", RetryPolicy::default().idle_timeout.as_secs().to_string()),
        ] {
            assert_eq!(printed(option), default, "--{option}");
        }
    }
}
