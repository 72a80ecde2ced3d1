//! The `whichfn fleet pack` command.

use crate::cli::common::CommonArgs;
use crate::cli::page::{DIM, NAME, Page};
use crate::cli::settings::Settings;
use crate::cli::ui::Ui;
use crate::cli::{Exit, output};
use crate::fleet::{LINES, PackRequest, PackedShard, RepositoryToPack, pack};
use crate::render::line;
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use whichfn_index::store::MemberRecord;
use whichfn_scan::find_root;
use whichfn_system::error::{Error, Kind, Result};

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct PackArgs {
    /// Repositories to pack, in the order in which they are bundled.
    #[arg(required = true, value_name = "DIR")]
    pub directories: Vec<PathBuf>,
    /// Output folder; shards that already exist there unchanged are kept.
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// Name of a repository; the n-th --name applies to the n-th DIR [default: the name of the
    /// folder].
    #[arg(long, value_name = "NAME")]
    pub name: Vec<String>,
    /// Revision to record for all repositories [default: the checked-out commit].
    #[arg(long, value_name = "REV")]
    pub revision: Option<String>,
    /// Pack this directory of a single repository as a separate slice, and the rest as another
    /// slice [default: none; a repository above --lines is sliced automatically].
    #[arg(long, value_name = "DIR")]
    pub slice: Vec<String>,
    /// Maximum number of lines per shard [default: 2000000].
    #[arg(long, value_name = "N")]
    pub lines: Option<u64>,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &PackArgs) -> Result<Exit> {
    let settings = Settings::users()?;
    let ui = Ui::new(&asked.shared, &settings);
    let request = PackRequest {
        repositories: repositories(asked)?,
        into: asked.output.clone(),
        lines: asked.lines.unwrap_or(LINES),
        slices: asked.slice.clone(),
        max_size: settings.options(&asked.shared).max_size,
    };
    let bar = ui.progress();
    let mut shards = Vec::new();
    pack(&request, &bar, |shard| {
        match asked.json {
            true => shards.push(json_of(&shard)),
            false => ui.page(&page(&shard))?,
        }
        Ok(())
    })?;
    if asked.json {
        output::data(&line(&json!({"version": 1, "shards": shards})))?;
    }
    Ok(Exit::Found)
}

fn repositories(asked: &PackArgs) -> Result<Vec<RepositoryToPack>> {
    if asked.name.len() > asked.directories.len() {
        let what = format!("{} names for {} directories", asked.name.len(), asked.directories.len());
        return Err(Error::new(Kind::Usage, what, "pass at most one --name for each DIR"));
    }
    let mut names = asked.name.iter().cloned();
    let repository = |directory: &PathBuf| {
        let root = find_root(Some(directory))?;
        // Use the path as typed: a link keeps its own name.
        let name =
            names.next().unwrap_or_else(|| name_of(if directory.file_name().is_some() { directory } else { &root }));
        let languages = Settings::languages_of(&root)?;
        Ok(RepositoryToPack { root, name, revision: asked.revision.clone(), languages })
    };
    asked.directories.iter().map(repository).collect()
}

fn name_of(root: &Path) -> String {
    root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn page(shard: &PackedShard) -> Page {
    let (mut page, done) = (Page::default(), if shard.is_built { "built" } else { "already exists" });
    page.styled(NAME, &shard.file).put(format_args!(": {done}, {}", mebibytes(shard.bytes))).end();
    shard.members.iter().for_each(|member| member_line(&mut page, member));
    page
}

/// Prints a member on one line.
pub(super) fn member_line(page: &mut Page, member: &MemberRecord) {
    let MemberRecord { functions, files, lines, .. } = member;
    let (from, to) = (mebibytes(member.source_bytes), mebibytes(member.bytes));
    page.put("  ").styled(NAME, &member.id);
    page.put(format_args!(": {functions} functions in {files} files, {lines} lines, {from} packed to {to}"));
    if !member.revision.is_empty() {
        page.styled(DIM, format_args!(", at {}", member.revision));
    }
    page.end();
}

pub(super) fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}

fn json_of(shard: &PackedShard) -> Value {
    let members: Vec<Value> = shard.members.iter().map(member_json).collect();
    json!({"file": shard.file, "key": shard.key, "built": shard.is_built, "bytes": shard.bytes, "members": members})
}

/// Returns the record of a member as JSON.
pub(super) fn member_json(member: &MemberRecord) -> Value {
    json!({
        "id": member.id,
        "repository": member.repository,
        "revision": member.revision,
        "tree": member.tree,
        "files": member.files,
        "functions": member.functions,
        "lines": member.lines,
        "source_bytes": member.source_bytes,
        "bytes": member.bytes,
    })
}
