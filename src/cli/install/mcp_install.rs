//! The `whichfn mcp install` command: adds the server to the configuration of one agent's program.

use super::client::{Client, Places};
use super::file_change::{FileChange, read, resolved, unchanged};
use super::{command, shown, warn_without_command, with_entry};
use crate::cli::{Exit, output};
use clap::Args;
use std::path::PathBuf;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct McpInstallArgs {
    /// The MCP client to configure.
    #[arg(long, value_name = "NAME")]
    client: Client,
    /// Print the new contents of the file without writing it.
    #[arg(long)]
    print: bool,
    /// The repository to configure, for clients with a configuration per repository [default: the
    /// one around the current directory].
    #[arg(long = "in", value_name = "DIR")]
    directory: Option<PathBuf>,
}

pub(in crate::cli) fn run(asked: &McpInstallArgs) -> Result<Exit> {
    let places = Places::find(asked.directory.as_deref())?;
    let file = asked.client.file(&places)?;
    let file = resolved(&file, &places.root).map_err(|cause| unchanged(&file, &cause))?;
    let former = read(&file).map_err(|cause| unchanged(&file, &cause))?;
    let (command, _) = command(asked.client.is_shared());
    let new = with_entry(asked.client, former.as_deref(), &command);
    let new = new.map_err(|cause| unchanged(&file, &cause))?;
    if asked.print {
        output::data(&new)?;
        return Ok(Exit::Found);
    }
    let change = FileChange { reader: asked.client.title(), file, former, new: Some(new) };
    if change.new == change.former {
        output::data(&format!("{} is already configured\n", shown(&change.file)))?;
    } else {
        change.write(&places.root)?;
        output::data(&change.difference())?;
    }
    if asked.client.is_shared() {
        warn_without_command(&shown(&change.file));
    }
    Ok(Exit::Found)
}
