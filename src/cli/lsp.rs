//! The `whichfn lsp` command.

use super::common::CommonArgs;
use super::ui::Ui;
use super::{Exit, advice, mcp, place};
use crate::lsp::{RepositoryOpener, serve};
use clap::Args;
use std::path::{Path, PathBuf};
use whichfn_scan::find_root;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(super) struct LspArgs {
    /// Directories to serve [default: the repositories around the folders open in the editor].
    #[arg(value_name = "DIRECTORY")]
    pub directories: Vec<PathBuf>,
    /// Ignored: editors pass it, and there is no other transport.
    #[arg(long, hide = true)]
    pub stdio: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &LspArgs) -> Result<Exit> {
    Ui::for_server(&asked.shared);
    // The server passes notices on to the editor.
    let open = |root: PathBuf| mcp::repository(root, &asked.shared, true, |_| {});
    let given = asked.directories.iter().map(|directory| open(find_root(Some(directory))?));
    let given = given.collect::<Result<Vec<_>>>()?;
    let around = |folder: Option<&Path>| {
        let root = find_root(folder)?;
        open(if folder.is_some() { place::repository_of(&root) } else { root })
    };
    let ended_well = serve(RepositoryOpener { given, around: Box::new(around), advice: advice::next })?;
    Ok(if ended_well { Exit::Found } else { Exit::Nothing })
}
