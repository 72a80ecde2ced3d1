//! `impact`: what a change can affect, on one screen.

use super::test_list::{Code, distance, head, section};
use super::{About, Format, Lead, Listing, Reader, Registered, Request, Role, Row, Section, Verb};
use crate::render::{self, counted};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use std::collections::BTreeMap;
use whichfn_check::ChangeOf;
use whichfn_search::answer::{AffectedFile, Branch, Distance, Impact as Affected, Place};
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<Impact>(About {
    name: "impact",
    about: "Show what a change can affect: callers, files, entry points and tests",
    listed: "entries",
    // All parts of the text fit on one screen.
    usual: [6, 200, 40, 60],
    formats: &[Format::Text, Format::Json, Format::Vimgrep, Format::List, Format::Markdown],
    reply: "Impact",
    examples: &[("whichfn impact --base origin/main", "Show what a branch can affect.")],
    ..About::LIST
});

/// Arguments of `impact`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Impact {
    #[command(flatten)]
    #[serde(flatten)]
    code: Code,
    /// What makes the exit status 1 if it is affected: callers, entry-points, tests; note for any of
    /// them; or never [default: never].
    #[arg(long, value_name = "PART", value_delimiter = ',')]
    #[serde(skip)]
    fail_on: Vec<String>,
}

impl Verb for Impact {
    fn typed(&self) -> Vec<&str> {
        self.code.typed()
    }

    fn change(&self) -> Option<ChangeOf> {
        self.code.change()
    }

    fn fail_on(&self) -> &[String] {
        &self.fail_on
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let of = self.code.definitions(request, Role::Code)?;
        let (impact, max) = (request.engine.impact(&of, request.max, request.filter), request.max);
        let removed = request.change.map_or(&[][..], |change| &change.removed);
        // The definitions themselves are not affected.
        let entry_points = impact.entry_points.iter().filter(|one| one.link.calls > 0).count();
        Ok(vec![Listing {
            head: head(request, &of, &summary(&impact)),
            filtered: impact.filtered,
            shows_empty: true,
            json: render::impact(&impact, removed, max),
            markdown: render::impact_markdown(&impact, removed, max),
            counts: vec![
                ("callers", impact.affected.len()),
                ("entry-points", entry_points),
                ("tests", impact.tests.list.direct),
            ],
            sections: sections(&impact, max),
            notices: impact.tests.list.notices,
            arguments: impact.tests.arguments,
            ..Listing::default()
        }])
    }
}

/// Returns the numbers of what is affected.
fn summary(impact: &Affected) -> String {
    let parts = [
        counted(impact.affected.len(), "definition"),
        counted(impact.files.len(), "file"),
        counted(impact.entry_points.len(), "entry point"),
        counted(impact.tests.list.direct, "test"),
    ];
    format!("affects {}", parts.join(", "))
}

/// Returns the parts of the text; an agent gets lists of definitions instead, as long as fits.
fn sections(impact: &Affected, max: usize) -> Vec<Section> {
    let mut levels: BTreeMap<u32, Vec<&Branch<Distance>>> = BTreeMap::new();
    for one in &impact.affected {
        levels.entry(one.link.calls).or_default().push(one);
    }
    let levels: Vec<_> = levels.into_iter().collect();
    let affected = |what, all: &[Branch<Distance>]| Section {
        brief: counted(all.len(), what),
        reader: Reader::Agent,
        ..part("", all, usize::MAX, definition)
    };
    let for_user = |section| Section { reader: Reader::User, ..section };
    vec![
        for_user(part("callers", &levels, max, |(calls, all)| level(*calls, all, max))),
        for_user(part("files", &impact.files, max, file)),
        for_user(part("entry points", &impact.entry_points, max, definition)),
        affected("affected definition", &impact.affected),
        affected("entry point", &impact.entry_points),
        Section { title: title("tests", impact.tests.list.direct, max), ..section(&impact.tests, Lead::Indented) },
    ]
}

/// Returns a part with at most `max` entries.
fn part<T>(name: &str, all: &[T], max: usize, row: impl Fn(&T) -> Row) -> Section {
    Section {
        title: title(name, all.len(), max),
        lead: Lead::Indented,
        rows: all.iter().take(max).map(row).collect(),
        left_out: all.len().saturating_sub(max),
        ..Section::default()
    }
}

/// Returns the heading of a part, with the number of entries that are not shown.
fn title(name: &str, count: usize, max: usize) -> String {
    if count > max { format!("{name} (the first {max} of {count})") } else { name.to_owned() }
}

/// Returns the names at a distance, each once, with the number of definitions that have it.
fn level(calls: u32, all: &[&Branch<Distance>], max: usize) -> Row {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let names: Vec<&str> = all.iter().map(|one| one.location.name.as_str()).collect();
    names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
    let once = names.into_iter().filter_map(|name| Some((name, counts.remove(name)?)));
    let name = |(name, count): (&str, usize)| match count {
        1 => name.to_owned(),
        _ => format!("{name} (×{count})"),
    };
    let names: Vec<String> = once.map(name).collect();
    let more = if names.len() > max { format!(" and {} more", names.len() - max) } else { String::new() };
    let text = names[..names.len().min(max)].join(", ") + &more;
    Row { notes: format!("{}: ", counted(calls as usize, "call")), text, ..Row::default() }
}

fn file(file: &AffectedFile) -> Row {
    Row { at: Some(Place::of_line(&file.path, 0)), notes: counted(file.definitions, "definition"), ..Row::default() }
}

fn definition(one: &Branch<Distance>) -> Row {
    let brief = format!(" ({})", counted(one.link.calls as usize, "call"));
    Row { notes: format!("({})", distance(one.link)), brief, ..Row::of(&one.location) }
}
