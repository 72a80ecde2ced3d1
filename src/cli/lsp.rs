//! The `whichfn lsp` command.

use super::common::CommonArgs;
use super::settings::Settings;
use super::ui::Ui;
use super::{Exit, advice, place};
use crate::lsp::{RepositoryOpener, Workspace, serve};
use clap::Args;
use std::path::{Path, PathBuf};
use whichfn_index::index::Options;
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
    let open = |root: PathBuf| -> Result<Workspace> {
        let settings = Settings::read(&root)?;
        let options = Options { newest: false, ..settings.options(&asked.shared) };
        Ok(Workspace { index_dir: settings.index_dir(&asked.shared)?, options, root })
    };
    let given = asked.directories.iter().map(|directory| open(find_root(Some(directory))?));
    let given = given.collect::<Result<Vec<Workspace>>>()?;
    let around = |folder: Option<&Path>| {
        let root = find_root(folder)?;
        open(if folder.is_some() { place::repository_of(&root) } else { root })
    };
    let ended_well = serve(RepositoryOpener { given, around: Box::new(around), advice: advice::next })?;
    Ok(if ended_well { Exit::Found } else { Exit::Nothing })
}
