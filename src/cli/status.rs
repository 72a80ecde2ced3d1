//! The `whichfn index` and `whichfn status` commands.

use super::common::{CommonArgs, EmbedArgs, RepositoryArgs};
use super::model_check::{self, ServerArgs};
use super::page::quoted;
use super::target::Target;
use super::{Exit, output};
use crate::engine::Status;
use crate::render::{line, rounded};
use clap::Args;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use whichfn_index::index::Options;
use whichfn_scan::find_root;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(super) struct IndexArgs {
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Rebuild the index even if it is up to date.
    #[arg(long)]
    pub force: bool,
    /// Compare every file with the index, report differences and repair the index. The exit status
    /// is 1 if anything differed.
    #[arg(long, conflicts_with = "force")]
    pub verify: bool,
    /// Print what the index contains.
    #[arg(long)]
    pub stats: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub embed: EmbedArgs,
    #[command(flatten)]
    pub shared: CommonArgs,
}

#[derive(Debug, Clone, Args)]
pub(super) struct StatusArgs {
    #[command(flatten)]
    pub repository: RepositoryArgs,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    /// List the files that are skipped, with the reasons, and those with syntax errors.
    #[arg(long)]
    pub list: bool,
    #[command(flatten)]
    pub server: ServerArgs,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn index(asked: &IndexArgs) -> Result<Exit> {
    let target = Target::read(find_root(asked.repository.directory())?, &asked.shared)?;
    let requested = asked.repository.directory().is_some();
    let options = Options { force: asked.force, verify: asked.verify, requested, ..Options::default() };
    let status = target.updated(&asked.embed, options)?.status();
    let report = &status.report;
    let exit = if report.damaged || !report.differing.is_empty() { Exit::Nothing } else { Exit::Found };
    let found = if asked.verify { exit } else { Exit::Found };
    target.ui.notices(&status.notices);
    if asked.json {
        return print_json(&status, asked.verify, false).map(|()| found);
    }
    target.ui.text(&summary(&status))?;
    let mut out = String::new();
    if asked.verify {
        out += &verified(&status);
    }
    if asked.stats {
        out += &text(&status);
    }
    output::text(&out)?;
    Ok(found)
}

/// Formats what was done, on one line.
fn summary(status: &Status) -> String {
    let report = &status.report;
    let done = if report.built {
        "indexed"
    } else if report.parsed > 0 {
        "refreshed"
    } else {
        "is fresh:"
    };
    let root = quoted(&status.root);
    let head = if let Some(other) = &report.taken_from {
        format!("indexed {root}, from the index of {}:", quoted(other))
    } else if report.parsed > 0 || report.built {
        format!("{done} {root}:")
    } else {
        format!("{root} {done}")
    };
    format!(
        "{head} {} functions in {} files, {:.0} ms ({} files read{})\n",
        status.functions,
        status.files,
        report.elapsed.as_secs_f64() * 1e3,
        report.parsed,
        if report.embedded > 0 { format!(", {} functions embedded", report.embedded) } else { String::new() }
    )
}

/// Formats the result of `--verify`, one line per finding.
fn verified(status: &Status) -> String {
    let report = &status.report;
    let mut out = String::new();
    for path in &report.differing {
        let _ = writeln!(out, "differed: {}", quoted(Path::new(path)));
    }
    let _ = match (report.damaged, report.differing.len()) {
        (true, _) => writeln!(out, "the index was damaged; it was rebuilt"),
        (false, 0) => writeln!(out, "the index is intact and matches every file"),
        (false, _) => {
            writeln!(out, "these files changed although their times and sizes did not; they were indexed again")
        }
    };
    out
}

pub(super) fn status(asked: &StatusArgs) -> Result<Exit> {
    let target = Target::read(find_root(asked.repository.directory())?, &asked.shared)?;
    let check = |url: &String| model_check::run(&asked.server, url, asked.json, &target.settings);
    if let Some(url) = asked.server.llm_url.as_ref().filter(|_| asked.json) {
        return check(url);
    }
    let status = target.updated(&EmbedArgs::none(), Options { requested: false, ..Options::default() })?.status();
    if asked.json {
        return print_json(&status, false, asked.list).map(|()| Exit::Found);
    }
    output::text(&if asked.list { listed(&status) } else { text(&status) })?;
    // The index does not depend on the server, so its status is shown even if the server cannot be
    // reached.
    asked.server.llm_url.as_ref().map_or(Ok(Exit::Found), check)
}

/// Formats the files that are not, or not completely, indexed, one per line.
fn listed(status: &Status) -> String {
    let skipped = status.skipped_files.iter().map(|(path, reason)| (reason.name(), path));
    let half_read = status.with_errors.iter().map(|path| ("half-read", path));
    let mut out = String::new();
    for (reason, path) in skipped.chain(half_read) {
        let _ = writeln!(out, "{reason:<12}{}", quoted(Path::new(path)));
    }
    out
}

fn text(status: &Status) -> String {
    let mut out = String::new();
    let counts = |list: &[(String, usize)]| {
        list.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    };
    let skipped: Vec<(String, usize)> =
        status.skipped.iter().map(|(reason, count)| (reason.name().to_owned(), *count)).collect();
    let left_out: usize = skipped.iter().map(|(_, count)| count).sum();
    let mut row = |name: &str, value: String| {
        let _ = writeln!(out, "{name:<12}{value}");
    };
    row("root", quoted(&status.root));
    row("index", format!("{} ({:.1} MiB)", quoted(&status.folder), status.bytes as f64 / (1 << 20) as f64));
    row(
        "fresh",
        format!("yes, {} files read in {:.0} ms", status.report.parsed, status.report.elapsed.as_secs_f64() * 1e3),
    );
    row("files", format!("{} ({} lines): {}", status.files, status.lines, counts(&status.languages)));
    row("functions", status.functions.to_string());
    row("types", status.types.to_string());
    row("calls", status.calls.to_string());
    if !status.calls_left_out.is_empty() {
        row("unlinked", format!("{}: linking reached its step limit", counts(&status.calls_left_out)));
    }
    row("skipped", if left_out == 0 { "0".into() } else { format!("{left_out}: {}", counts(&skipped)) });
    if let Some(model) = &status.model {
        row("model", format!("{model} reorders the first answers"));
    }
    if let Some((model, count)) = &status.embedded {
        row("embedded", format!("{count} functions with {model}"));
    }
    let half_read = status.with_errors.len();
    row("half-read", format!("{half_read} files have syntax errors; the rest of each is indexed"));
    if left_out + half_read > 0 {
        row("", "to list these files: whichfn status --list".to_owned());
    }
    out
}

fn print_json(status: &Status, verified: bool, listed: bool) -> Result<()> {
    let languages: serde_json::Map<_, _> =
        status.languages.iter().map(|(name, count)| (name.clone(), (*count).into())).collect();
    let skipped: serde_json::Map<_, _> =
        status.skipped.iter().map(|(reason, count)| (reason.name().to_owned(), (*count).into())).collect();
    let mut value = json!({
        "version": 1,
        "root": status.root.to_string_lossy(),
        "index_dir": status.folder.to_string_lossy(),
        "bytes": status.bytes,
        "files": status.files,
        "lines": status.lines,
        "functions": status.functions,
        "types": status.types,
        "calls": status.calls,
        "calls_left_out": status.calls_left_out.iter().map(|(_, count)| count).sum::<usize>(),
        "languages": languages,
        "skipped": skipped,
        "files_with_errors": status.with_errors.len(),
        "refreshed_files": status.report.parsed,
        "built": status.report.built,
        "ms": rounded(status.report.elapsed.as_secs_f64() * 1e3),
    });
    if !status.calls_left_out.is_empty() {
        let unlinked = status.calls_left_out.iter().map(|(name, count)| (name.clone(), (*count).into()));
        value["unlinked"] = unlinked.collect::<serde_json::Map<_, _>>().into();
    }
    if let Some(model) = &status.model {
        value["model"] = json!(model);
    }
    if let Some((model, count)) = &status.embedded {
        value["embedded"] = json!({"model": model, "functions": count});
    }
    if let Some(other) = &status.report.taken_from {
        value["taken_from"] = other.to_string_lossy().into();
    }
    if listed {
        let skipped = status.skipped_files.iter().map(|(path, reason)| json!({"path": path, "reason": reason.name()}));
        value["skipped_files"] = skipped.collect();
        value["half_read_files"] = json!(status.with_errors);
    }
    if verified {
        value["verified"] = json!({"damaged": status.report.damaged, "differing": status.report.differing});
    }
    output::data(&line(&value))
}
