//! The `whichfn mcp` command.

use super::common::CommonArgs;
use super::install::{McpInstallArgs, mcp_install};
use super::settings::Settings;
use super::ui::Ui;
use super::{Exit, advice};
use crate::host::{FrontEnd, Repositories, Repository};
use crate::mcp::serve;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};
use whichfn_index::index::Options;
use whichfn_scan::find_root;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct McpArgs {
    #[command(subcommand)]
    pub command: Option<McpCommand>,
    /// Directories to serve [default: the repository around the current directory].
    #[arg(value_name = "DIRECTORY")]
    pub directories: Vec<PathBuf>,
    #[command(flatten)]
    pub shared: CommonArgs,
}

#[derive(Debug, Clone, Subcommand)]
pub(super) enum McpCommand {
    /// Add this server to the configuration of an MCP client, and show the change.
    Install(McpInstallArgs),
}

pub(super) fn run(asked: &McpArgs) -> Result<Exit> {
    if let Some(McpCommand::Install(asked)) = &asked.command {
        return mcp_install(asked);
    }
    let ui = Ui::for_server(&asked.shared);
    serve(repositories(&asked.directories, &asked.shared, ui)?)?;
    Ok(Exit::Found)
}

/// Returns the repositories to serve, according to settings and options.
pub(super) fn repositories(directories: &[PathBuf], shared: &CommonArgs, ui: Ui) -> Result<Repositories> {
    let front_end = FrontEnd { notice: ui.notifier(), advice: advice::next, next_step: advice::after };
    let directories: Vec<Option<&Path>> = match directories {
        [] => vec![None],
        given => given.iter().map(|one| Some(one.as_path())).collect(),
    };
    let mut repositories: Vec<Repository> = Vec::new();
    for directory in directories {
        let root = find_root(directory)?;
        if !repositories.iter().any(|known| known.root == root) {
            repositories.push(repository(root, shared, directory.is_some(), front_end.notice)?);
        }
    }
    Ok(Repositories::new(repositories, front_end))
}

/// Returns the repository with this root, according to settings and options. `requested` has the
/// same meaning as in [`Options`].
pub(super) fn repository(root: PathBuf, shared: &CommonArgs, requested: bool, notice: fn(&str)) -> Result<Repository> {
    let settings = Settings::read(&root)?;
    let options = Options { newest: false, requested, ..settings.options(shared) };
    let second_opinion = settings.second_opinion(shared)?;
    Ok(Repository::new(root, settings.index_dir(shared)?, options, notice).with_second_opinion(second_opinion))
}
