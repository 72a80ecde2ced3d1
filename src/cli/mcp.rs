//! `whichfn mcp`.

use super::common::CommonArgs;
use super::mcp_install::InstallArgs;
use super::settings::Settings;
use super::{Exit, advice, mcp_install, output};
use crate::error::Result;
use crate::index::Options;
use crate::mcp::{Face, Repository, serve};
use crate::scan::find_root;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct McpArgs {
    #[command(subcommand)]
    pub command: Option<McpCommand>,
    /// The directories to answer about [default: the repository around the current directory].
    #[arg(value_name = "DIRECTORY")]
    pub directories: Vec<PathBuf>,
    #[command(flatten)]
    pub shared: CommonArgs,
}

#[derive(Debug, Clone, Subcommand)]
pub(super) enum McpCommand {
    /// Tell an agent's program of this server: writes its configuration, keeps the former beside it, and shows the difference.
    Install(InstallArgs),
}

pub(super) fn run(asked: &McpArgs) -> Result<Exit> {
    if let Some(McpCommand::Install(asked)) = &asked.command {
        return mcp_install::run(asked);
    }
    output::set_verbosity(asked.shared.verbose);
    let directories: Vec<Option<&Path>> = match &asked.directories[..] {
        [] => vec![None],
        given => given.iter().map(|one| Some(one.as_path())).collect(),
    };
    let mut repositories: Vec<Repository> = Vec::new();
    for directory in directories {
        let root = find_root(directory)?;
        if !repositories.iter().any(|known| known.root == root) {
            let settings = Settings::read(&root)?;
            let options = Options { newest: false, ..settings.options(&asked.shared) };
            repositories.push(Repository::new(root, settings.index_dir(&asked.shared)?, options));
        }
    }
    let notice = if asked.shared.quiet { |_: &str| {} } else { output::notice as fn(&str) };
    serve(repositories, Face { notice, advice: advice::next })?;
    Ok(Exit::Found)
}
