//! `whichfn impact`: what a change can affect, on one screen.

use super::common::{at_least_one, counted};
use super::fail_on::FailOn;
use super::layout::Part;
use super::page::{DIM, NAME, Page};
use super::place::DisplayRoot;
use super::settings::Severity;
use super::subject::{Subject, SubjectArgs};
use super::test_list::{distance, head, test_line};
use super::{Exit, output, place};
use crate::render::{self, line};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use whichfn_search::answer::{AffectedDefinition, Impact};
use whichfn_system::error::Result;
use whichfn_text::path_from_text;

/// Default number of lines in each part of the text: all parts fit on one screen.
const SHOWN: usize = 6;
/// Default number of entries in each list of the JSON.
const LISTED: usize = 200;

#[derive(Debug, Clone, Args)]
pub(super) struct ImpactArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Maximum number of entries in each part [default: 6; 200 for JSON].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    /// Print JSON.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<ImpactFormat>,
    /// What makes the exit status 1 if it is affected: callers, entry-points, tests; note for any of
    /// them; or never [default: never].
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    pub fail_on: Vec<String>,
}

/// What `--fail-on` can name.
const PARTS: [&str; 3] = ["callers", "entry-points", "tests"];

/// Output format of an impact.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum ImpactFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// Markdown, for a comment on a pull request.
    Markdown,
}

pub(super) fn run(asked: &ImpactArgs) -> Result<Exit> {
    let format = if asked.json { ImpactFormat::Json } else { asked.format.unwrap_or_default() };
    let max = asked.k.unwrap_or(if format == ImpactFormat::Json { LISTED } else { SHOWN });
    at_least_one("-k", max, "entries")?;
    let fail_on = FailOn::read(&asked.fail_on, &PARTS, None)?;
    let subject = Subject::read(&asked.subject, false)?;
    let impact = subject.engine().impact(&subject.of, max);
    let root = place::shown_root(asked.subject.directory.as_deref(), &subject.root);
    let removed = subject.change.as_ref().map_or(&[][..], |change| &change.removed);
    match format {
        ImpactFormat::Text => output::page(&page(&subject, &impact, max, &root))?,
        ImpactFormat::Json => output::data(&line(&render::impact(&impact, removed, max)))?,
        ImpactFormat::Markdown => output::text(&render::impact_markdown(&impact, removed, max))?,
    }
    subject.ui.notices(&impact.tests.notices);
    let fails = PARTS.iter().zip(counts(&impact)).any(|(part, count)| count > 0 && fail_on.fails(part, Severity::Note));
    Ok(if fails { Exit::Nothing } else { Exit::Found })
}

/// Returns how many of each of the [`PARTS`] are affected, besides the definitions themselves.
fn counts(impact: &Impact) -> [usize; PARTS.len()] {
    let entry_points = impact.entry_points.iter().filter(|one| one.distance.calls > 0);
    [impact.affected.len(), entry_points.count(), impact.tests.total]
}

fn page(subject: &Subject, impact: &Impact, max: usize, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    head(&mut out, subject, root, &summary(impact));
    by_distance(&mut out, impact, max);
    part(&mut out, "files", impact.files.len(), max);
    for file in impact.files.iter().take(max) {
        out.put("  ").path(NAME, &root.join(&path_from_text(&file.path)));
        let count = counted(file.definitions, "definition");
        out.put("  ").part(Part::Wanted, |out| out.styled(DIM, count)).end();
    }
    part(&mut out, "entry points", impact.entry_points.len(), max);
    impact.entry_points.iter().take(max).for_each(|one| definition_line(&mut out, one, root));
    part(&mut out, "tests", impact.tests.total, max);
    for test in &impact.tests.tests {
        out.put("  ");
        test_line(&mut out, test, root);
    }
    out
}

/// Returns the numbers of what is affected.
pub(super) fn summary(impact: &Impact) -> String {
    let parts = [
        counted(impact.affected.len(), "definition"),
        counted(impact.files.len(), "file"),
        counted(impact.entry_points.len(), "entry point"),
        counted(impact.tests.total, "test"),
    ];
    format!("affects {}", parts.join(", "))
}

/// Prints the heading of a part, with the number of entries that are not shown.
fn part(out: &mut Page, name: &str, count: usize, max: usize) {
    if count > 0 {
        out.styled(DIM, name);
        if count > max {
            out.styled(DIM, format_args!(" (the first {max} of {count})"));
        }
        out.end();
    }
}

/// Prints the names at each distance.
fn by_distance(out: &mut Page, impact: &Impact, max: usize) {
    let mut levels: BTreeMap<u32, Vec<&AffectedDefinition>> = BTreeMap::new();
    for one in &impact.affected {
        levels.entry(one.distance.calls).or_default().push(one);
    }
    part(out, "callers", levels.len(), max);
    for (calls, all) in levels.iter().take(max) {
        let names = with_counts(all);
        let more = if names.len() > max { format!(" and {} more", names.len() - max) } else { String::new() };
        let names = names[..names.len().min(max)].join(", ");
        out.put("  ").part(Part::Prose, |out| {
            out.styled(DIM, format_args!("{}: ", counted(*calls as usize, "call"))).put(names).styled(DIM, more)
        });
        out.end();
    }
}

/// Returns each name once, in order, with the number of definitions that have it.
fn with_counts(all: &[&AffectedDefinition]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let names: Vec<&str> = all.iter().map(|one| one.location.name.as_str()).collect();
    names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let once = names.into_iter().filter_map(|name| Some((name, counts.remove(name)?)));
    once.map(|(name, count)| if count == 1 { name.to_owned() } else { format!("{name} (×{count})") }).collect()
}

fn definition_line(out: &mut Page, one: &AffectedDefinition, root: &DisplayRoot) {
    out.put("  ").place(&root.join(&path_from_text(&one.location.path)), one.location.line, None);
    out.put("  ").name(&one.location.name).put("  ");
    out.part(Part::Wanted, |out| out.styled(DIM, format_args!("({})", distance(one.distance)))).end();
}
