//! `whichfn tests`: the tests that reach a function or a change, nearest first.

use super::common::{at_least_one, counted};
use super::layout::Part;
use super::listing::{heading, not_shown};
use super::page::{DIM, Page};
use super::place::DisplayRoot;
use super::subject::{Subject, SubjectArgs};
use super::{Exit, output, place};
use crate::render::{self, line};
use clap::{Args, ValueEnum};
use whichfn_search::answer::{Distance, PathStep, ReachedTest, ReachedTests, StepKind};
use whichfn_system::error::Result;
use whichfn_text::path_from_text;

/// Default number of tests: as many as fit on a screen.
const SHOWN: usize = 40;
/// Maximum number of names in a path on one line.
const NAMES: usize = 5;

#[derive(Debug, Clone, Args)]
pub(super) struct TestsArgs {
    #[command(flatten)]
    pub subject: SubjectArgs,
    /// Maximum number of tests, nearest first [default: 40; all for --format list].
    #[arg(short = 'k', long = "results", value_name = "N")]
    pub k: Option<usize>,
    /// Print JSON.
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Output format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<TestFormat>,
}

/// Output format of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum TestFormat {
    /// Text for a terminal.
    #[default]
    Text,
    /// One JSON object.
    Json,
    /// Arguments for the test runner: pytest node IDs, cargo test names, -run patterns for go test;
    /// words with spaces are in quotes, for xargs.
    List,
}

pub(super) fn run(asked: &TestsArgs) -> Result<Exit> {
    let max = asked.k.unwrap_or(SHOWN);
    at_least_one("-k", max, "tests")?;
    let subject = Subject::read(&asked.subject, true)?;
    if subject.of.is_empty() {
        return Ok(Exit::Nothing);
    }
    let tests = subject.engine().tests(&subject.of, max);
    let root = place::shown_root(asked.subject.directory.as_deref(), &subject.root);
    let format = asked.format.unwrap_or_default();
    match format {
        TestFormat::List => {
            let all = tests.arguments.iter().take(asked.k.unwrap_or(usize::MAX));
            output::text(&all.map(|argument| format!("{argument}\n")).collect::<String>())?;
        }
        TestFormat::Text if !asked.json => output::page(&page(&subject, &tests, &root))?,
        TestFormat::Text | TestFormat::Json => {
            output::data(&line(&render::tests(subject.engine(), &subject.of, &tests)))?;
        }
    }
    subject.ui.notices(&tests.notices);
    let is_empty = if format == TestFormat::List { tests.arguments.is_empty() } else { tests.total == 0 };
    if is_empty {
        // A runner without arguments runs everything, and `xargs -r` nothing.
        let next = if format == TestFormat::List { "; the list is empty: run all tests" } else { "" };
        output::notice(&format!("no test in this repository reaches it through calls{next}"));
        return Ok(Exit::Nothing);
    }
    Ok(Exit::Found)
}

fn page(subject: &Subject, tests: &ReachedTests, root: &DisplayRoot) -> Page {
    let mut out = Page::default();
    head(&mut out, subject, root, &format!("reached by {}", counted(tests.total, "test")));
    tests.tests.iter().for_each(|test| test_line(&mut out, test, root));
    not_shown(&mut out, tests.total.saturating_sub(tests.tests.len()));
    out
}

/// Prints the definition, or the number of definitions that a change touches, and a summary.
pub(super) fn head(out: &mut Page, subject: &Subject, root: &DisplayRoot, summary: &str) {
    match (&subject.change, &subject.of[..]) {
        (Some(change), _) => {
            let removed = match change.removed.len() {
                0 => String::new(),
                count => format!(", {} removed", counted(count, "function")),
            };
            let (definitions, files) =
                (counted(change.definitions.len(), "definition"), counted(change.files, "changed file"));
            out.put(format_args!("{definitions} touched in {files}{removed}")).put("  ");
            out.part(Part::Kept, |out| out.styled(DIM, summary)).end();
        }
        (None, [first, ..]) => {
            let place = subject.engine().location(*first);
            let summary = format!("{} · {summary}", place.kind);
            heading(out, &place, root).part(Part::Kept, |out| out.styled(DIM, summary)).end();
        }
        (None, []) => out.styled(DIM, summary).end(),
    }
}

/// Prints a test with its path.
pub(super) fn test_line(out: &mut Page, test: &ReachedTest, root: &DisplayRoot) {
    out.place(&root.join(&path_from_text(&test.location.path)), test.location.line, None);
    out.put("  ").name(&test.location.name).put("  ");
    out.part(Part::Wanted, |out| out.styled(DIM, format_args!("({})", distance(test.distance))));
    let way = way(&test.path);
    if !way.is_empty() {
        out.put("  ").put(way);
    }
    out.end();
}

/// Returns the length of a path in words.
pub(super) fn distance(distance: Distance) -> String {
    let calls = counted(distance.calls as usize, "call");
    match distance.guesses {
        0 => calls,
        guesses if guesses == distance.calls => format!("{calls}, by name only"),
        guesses => format!("{calls}, {guesses} by name only"),
    }
}

/// Returns the names on a path after the test. The middle of a long path is left out, except the
/// calls that may not exist: a reader must see them to judge the path.
fn way(path: &[PathStep]) -> String {
    let steps: Vec<_> = path.iter().filter(|step| step.kind != StepKind::Inside).collect();
    let middle = if steps.len() > NAMES { NAMES / 2..steps.len() - NAMES / 2 } else { 0..0 };
    let mut names: Vec<String> = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        if step.kind.is_guess() {
            names.push(format!("{} (by name only)", step.to.name));
        } else if !middle.contains(&at) {
            names.push(step.to.name.clone());
        } else if names.last().is_none_or(|last| last != "…") {
            names.push("…".to_owned());
        }
    }
    names.join(" → ")
}
