//! The `whichfn fleet stats` command.

use super::pack::{mebibytes, member_json, member_line};
use crate::cli::common::CommonArgs;
use crate::cli::page::{DIM, NAME, Page};
use crate::cli::settings::Settings;
use crate::cli::ui::Ui;
use crate::cli::{Exit, output};
use crate::fleet::ShardStats;
use crate::render::line;
use anstyle::Style;
use clap::Args;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use whichfn_index::store::{FieldTotals, KindGroup};
use whichfn_search::search::DocumentField;
use whichfn_system::error::Result;

#[derive(Debug, Clone, Args)]
pub(in crate::cli) struct StatsArgs {
    /// Shards to describe.
    #[arg(required = true, value_name = "SHARD")]
    pub shards: Vec<PathBuf>,
    /// Print how many functions contain each stem, over all SHARDs; with --json, by shard.
    #[arg(long)]
    pub words: bool,
    /// Read every member completely and exit with status 1 if one is damaged.
    #[arg(long)]
    pub verify: bool,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub shared: CommonArgs,
}

pub(super) fn run(asked: &StatsArgs) -> Result<Exit> {
    Ui::new(&asked.shared, &Settings::users()?);
    let (mut shards, mut words, mut damaged) = (Vec::new(), BTreeMap::<String, u64>::new(), 0);
    for path in &asked.shards {
        let stats = ShardStats::read(path, asked.words, asked.verify)?;
        damaged += stats.damaged.len();
        stats.damaged.iter().for_each(|(_, error)| output::notice(error.what()));
        match (asked.json, asked.words) {
            (true, _) => shards.push(json_of(&stats, asked.words)),
            (false, true) => {
                stats.words().into_iter().for_each(|(stem, count)| *words.entry(stem).or_default() += count)
            }
            (false, false) => output::page(&page(&stats))?,
        }
    }
    if asked.json {
        output::data(&line(&json!({"version": 1, "shards": shards})))?;
    } else if asked.words {
        output::data(&words.iter().map(|(stem, count)| format!("{stem}\t{count}\n")).collect::<String>())?;
    }
    Ok(if asked.verify && damaged > 0 { Exit::Nothing } else { Exit::Found })
}

/// Returns the name of a group for users and JSON.
fn kind_name(group: KindGroup) -> &'static str {
    match group {
        KindGroup::Function => "functions",
        KindGroup::Type => "types",
        KindGroup::Module => "files",
        KindGroup::Other => "other",
    }
}

/// Returns the number of words per field, with those through calls last.
fn words_of(totals: &FieldTotals) -> impl Iterator<Item = (&'static str, u64)> {
    let words = totals.own.into_iter().chain(totals.through_calls);
    DocumentField::ALL.into_iter().map(DocumentField::name).zip(words)
}

/// Formats the members and a table of the sums: one column per kind of definition, one row per
/// field.
fn page(stats: &ShardStats) -> Page {
    let (mut page, totals) = (Page::default(), stats.totals());
    page.styled(NAME, &stats.file).put(format_args!(": {}", mebibytes(stats.bytes))).end();
    stats.members.iter().for_each(|member| member_line(&mut page, &member.record));
    let mut row = |style: Style, name: &str, cells: [String; KindGroup::ALL.len()]| {
        let cells: String = cells.iter().map(|cell| format!(" {cell:>12}")).collect();
        page.styled(style, format_args!("  {name:<12}{cells}")).end();
    };
    row(DIM, "", KindGroup::ALL.map(|group| kind_name(group).to_owned()));
    row(Style::new(), "definitions", totals.map(|totals| totals.definitions.to_string()));
    for (number, field) in DocumentField::ALL.into_iter().enumerate() {
        row(
            Style::new(),
            field.name(),
            totals.map(|totals| words_of(&totals).nth(number).map_or(0, |(_, n)| n).to_string()),
        );
    }
    page
}

fn totals_json(totals: &[FieldTotals; KindGroup::ALL.len()]) -> Value {
    let one = |totals: &FieldTotals| {
        let words: Map<_, _> = words_of(totals).map(|(field, words)| (field.to_owned(), words.into())).collect();
        json!({"definitions": totals.definitions, "words": words})
    };
    KindGroup::ALL
        .iter()
        .zip(totals)
        .map(|(&group, totals)| (kind_name(group).to_owned(), one(totals)))
        .collect::<Map<_, _>>()
        .into()
}

fn json_of(stats: &ShardStats, words: bool) -> Value {
    let members = stats.members.iter().map(|member| {
        let mut value = member_json(&member.record);
        value["totals"] = totals_json(&member.totals);
        value
    });
    let damaged = stats.damaged.iter().map(|(record, error)| json!({"id": record.id, "why": error.what()}));
    let mut value = json!({
        "file": stats.file,
        "bytes": stats.bytes,
        "members": members.collect::<Vec<_>>(),
        "totals": totals_json(&stats.totals()),
        "damaged": damaged.collect::<Vec<_>>(),
    });
    if words {
        value["words"] =
            stats.words().into_iter().map(|(stem, count)| (stem, count.into())).collect::<Map<_, _>>().into();
    }
    value
}
