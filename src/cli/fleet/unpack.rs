//! The `whichfn fleet unpack` command.

use crate::cli::Exit;
use crate::cli::common::CommonArgs;
use crate::cli::page::quoted;
use crate::cli::settings::Settings;
use crate::cli::ui::Ui;
use crate::fleet::unpack;
use clap::Args;
use std::path::{Path, PathBuf};
use whichfn_check::described_head;
use whichfn_index::store::Shard;
use whichfn_scan::find_root;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct UnpackArgs {
    /// Shard that contains the repository; of several, the one with the commit that is checked out
    /// is used, or else the newest.
    #[arg(value_name = "SHARD", required = true, num_args = 1..)]
    pub shards: Vec<PathBuf>,
    /// Name of the repository in the shard.
    #[arg(value_name = "NAME", required = true)]
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
    let shard = best_shard(&asked.shards, &asked.member, &root);
    if asked.shards.len() > 1 {
        ui.notice(&format!("using {}", quoted(shard)));
    }
    let done = unpack(shard, &asked.member, &root, &index_dir, &options, &ui.progress())?;
    let (record, root) = (&done.record, quoted(&root));
    let what = match done.is_built {
        true => "it was packed with a different file size limit, so the index was rebuilt".to_owned(),
        false if done.parsed == 1 => "1 file differs and was parsed".to_owned(),
        false => format!("{} files differ and were parsed", done.parsed),
    };
    ui.text(&format!("{} with {} files is now the index of {root}; {what}\n", record.id, record.files))?;
    Ok(Exit::Found)
}

/// Returns the shard whose member has the commit that is checked out, or else the newest shard that
/// contains the member. If none does, returns the first, so that the error names it. There is at
/// least one: the parser requires it.
fn best_shard<'a>(shards: &'a [PathBuf], member: &str, root: &Path) -> &'a Path {
    let first = &shards[0];
    if shards.len() == 1 {
        return first;
    }
    let head = described_head(root);
    let fit = |shard: &PathBuf| {
        let records = Shard::list(shard).ok()?;
        let record = records.into_iter().find(|record| record.id == member)?;
        let is_head = head.as_ref().is_some_and(|head| *head == record.revision);
        Some((is_head, shard.metadata().and_then(|known| known.modified()).ok()))
    };
    let fitting = shards.iter().filter_map(|shard| Some((fit(shard)?, shard)));
    fitting.max().map_or(first, |(_, shard)| shard)
}
