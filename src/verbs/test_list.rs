//! `tests`: the tests that reach a function or a change, nearest first.

use super::{About, Format, Head, Lead, Listing, Registered, Request, Role, Row, Section, Verb};
use crate::render::{self, counted, location};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::{Value, json};
use whichfn_check::{ChangeOf, ChangedDefinitions};
use whichfn_search::answer::{Branch, CallPath, Distance, PathStep, ReachedTests, StepKind};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<Tests>(About {
    name: "tests",
    about: "List the tests that reach a function or a change, nearest first",
    listed: "tests",
    formats: &[Format::Text, Format::Json, Format::Vimgrep, Format::List],
    reply: "Tests",
    examples: &[
        ("whichfn tests kill_and_wait", "List the tests that reach a function."),
        ("whichfn tests --staged --format list", "Print the tests to run for the staged changes."),
    ],
    ..About::LIST
});

const NOTHING: &str = "no test in this repository reaches it through calls";
/// Maximum number of names in a path on one line.
const NAMES: usize = 5;
/// Maximum number of arguments for a test runner in an answer to an agent.
const ARGUMENTS: usize = 12;

/// Code: of a name, or of a change.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
pub(super) struct Code {
    /// A function, as NAME, FILE:LINE or FILE:NAME; a type or file, for everything in it; or a
    /// constant, field or enum variant, for the code that uses it [default: the uncommitted
    /// changes].
    #[arg(value_name = "FILE:LINE|NAME", conflicts_with_all = ["staged", "base"])]
    #[schemars(required)]
    name: Option<String>,
    /// The staged changes.
    #[arg(long, conflicts_with = "base")]
    #[serde(skip)]
    staged: bool,
    /// All changes since the last common commit with REV, such as origin/main.
    #[arg(long, value_name = "REV")]
    #[serde(skip)]
    base: Option<String>,
    /// Use all definitions with this name.
    #[arg(long, requires = "name")]
    #[serde(skip)]
    all: bool,
}

impl Code {
    /// Returns the change, unless there is a name.
    pub fn change(&self) -> Option<ChangeOf> {
        match (&self.name, &self.base) {
            (Some(_), _) => None,
            (None, Some(revision)) => Some(ChangeOf::Since(revision.clone())),
            (None, None) if self.staged => Some(ChangeOf::Staged),
            (None, None) => Some(ChangeOf::Uncommitted(Vec::new())),
        }
    }

    /// Returns the definitions that the name refers to, or that the change touches.
    pub fn definitions(&self, request: &Request<'_>, role: Role) -> Result<Vec<DefinitionId>> {
        match (&self.name, request.change) {
            (Some(name), _) => request.names.definitions(name, role, self.all),
            (None, change) => Ok(change.map(|change| change.definitions.clone()).unwrap_or_default()),
        }
    }

    pub fn typed(&self) -> Vec<&str> {
        self.name.iter().map(String::as_str).collect()
    }
}

/// Arguments of `tests`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Tests {
    #[command(flatten)]
    #[serde(flatten)]
    code: Code,
}

impl Verb for Tests {
    fn typed(&self) -> Vec<&str> {
        self.code.typed()
    }

    fn change(&self) -> Option<ChangeOf> {
        self.code.change()
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let of = self.code.definitions(request, Role::MergedCode)?;
        let found = request.engine.tests(&of, request.max, request.filter);
        let ReachedTests { list, arguments } = &found;
        let locations: Vec<Value> = of.iter().map(|&id| location(&request.engine.location(id))).collect();
        Ok(vec![Listing {
            head: head(request, &of, &format!("reached by {}", counted(list.direct, "test"))),
            sections: vec![Section { key: "tests", ..section(&found, Lead::Plain) }],
            left_out: list.left_out,
            filtered: list.filtered,
            // The front end has stated that nothing uses the name, or that the change touches nothing.
            nothing: if of.is_empty() { String::new() } else { NOTHING.to_owned() },
            shows_empty: !of.is_empty(),
            json: json!({"version": 1, "of": locations, "total": list.direct, "arguments": arguments}),
            notices: list.notices.clone(),
            arguments: arguments.clone(),
            ..Listing::default()
        }])
    }
}

/// Returns the definition, or the number of definitions that a change touches, and a summary.
pub(super) fn head(request: &Request<'_>, of: &[DefinitionId], summary: &str) -> Head {
    match (request.change, of) {
        (Some(ChangedDefinitions { definitions, files, removed, .. }), _) => {
            let removed = match removed.len() {
                0 => String::new(),
                count => format!(", {} removed", counted(count, "function")),
            };
            let (definitions, files) = (counted(definitions.len(), "definition"), counted(*files, "changed file"));
            Head::Text(format!("{definitions} touched in {files}{removed}"), summary.to_owned())
        }
        (None, [first, ..]) => Head::Definition(request.engine.location(*first), summary.to_owned()),
        (None, []) => Head::Text(String::new(), summary.to_owned()),
    }
}

/// Returns the tests, each with its path; for an agent also the arguments for their runner.
pub(super) fn section(found: &ReachedTests, lead: Lead) -> Section {
    let ReachedTests { list, arguments } = found;
    let mut after = Vec::new();
    if list.direct > 0 {
        after.push("arguments for the test runner:".to_owned());
        after.extend(arguments.iter().take(ARGUMENTS).cloned());
    }
    if arguments.len() > ARGUMENTS {
        after.push(format!("and {} more", arguments.len() - ARGUMENTS));
    }
    let brief = format!("reached by {}", counted(list.direct, "test"));
    Section { brief, brief_end: after, lead, ..Section::of(list, row) }
}

fn row(test: &Branch<CallPath>) -> Row {
    let steps = test.link.steps.iter().filter(|step| step.kind != StepKind::Inside);
    let names: Vec<&str> = steps.map(|step| step.to.name.as_str()).collect();
    Row {
        notes: format!("({})", distance(test.link.distance)),
        text: way(&test.link.steps),
        brief: format!(" -> {}", names.join(" -> ")),
        json: render::test(test),
        ..Row::of(&test.location)
    }
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
