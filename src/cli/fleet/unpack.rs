//! The `whichfn fleet unpack` command.

use crate::cli::Exit;
use crate::cli::common::CommonArgs;
use crate::cli::page::quoted;
use crate::cli::settings::Settings;
use crate::cli::ui::Ui;
use crate::fleet::unpack;
use clap::Args;
use std::path::PathBuf;
use whichfn_scan::find_root;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct UnpackArgs {
    /// Shard that contains the repository.
    #[arg(value_name = "SHARD")]
    pub shard: PathBuf,
    /// Name of the repository in the shard.
    #[arg(value_name = "NAME")]
    pub member: String,
    /// Checkout to index [default: the repository around the current directory].
    #[arg(long, value_name = "DIR")]
    pub root: Option<PathBuf>,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &UnpackArgs) -> Result<Exit> {
    let root = find_root(asked.root.as_deref())?;
    let settings = Settings::read(&root)?;
    let ui = Ui::new(&asked.shared, &settings);
    let (index_dir, options) = (settings.index_dir(&asked.shared)?, settings.options(&asked.shared));
    let done = unpack(&asked.shard, &asked.member, &root, &index_dir, &options, &ui.progress())?;
    let (record, root) = (&done.record, quoted(&root));
    let what = match done.is_built {
        true => "it was packed with a different file size limit, so the index was rebuilt".to_owned(),
        false if done.parsed == 1 => "1 file differs and was parsed".to_owned(),
        false => format!("{} files differ and were parsed", done.parsed),
    };
    ui.text(&format!("{} with {} files is now the index of {root}; {what}\n", record.id, record.files))?;
    Ok(Exit::Found)
}
