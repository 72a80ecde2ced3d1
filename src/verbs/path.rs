//! `path`: the shortest call paths from one function to another.

use super::test_list::distance;
use super::{About, Listing, Reader, Registered, Request, Role, Row, Section, Verb, short};
use crate::render::{self, counted};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use whichfn_search::answer::{CallPath, DefinitionLocation, PathStep};
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::Result;

pub(super) const VERB: Registered = Registered::new::<Path>(About {
    name: "path",
    about: "List the shortest call paths from one function to another",
    listed: "paths",
    usual: [3; 4],
    most: 200,
    reply: "Paths",
    examples: &[("whichfn path main kill_and_wait", "List how main reaches a function.")],
    ..About::LIST
});

/// Maximum number of paths.
const MOST: usize = 1000;
/// Maximum number of steps of a path in a list; the middle of a longer path is left out.
const STEPS: usize = 100;

/// Arguments of `path`.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Path {
    /// The function that the paths start in, as NAME, FILE:LINE or FILE:NAME; or a type or file.
    #[arg(value_name = "FROM")]
    from: String,
    /// The function that they lead to.
    #[arg(value_name = "TO")]
    to: String,
    /// Leave out paths through this function, type or file; may be repeated.
    #[arg(long, value_name = "NAME")]
    #[serde(default)]
    avoid: Vec<String>,
    /// Use all definitions with these names.
    #[arg(long)]
    #[serde(skip)]
    all: bool,
}

impl Verb for Path {
    fn typed(&self) -> Vec<&str> {
        vec![&self.from, &self.to]
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        let (engine, k) = (request.engine, request.max.min(MOST));
        let named = |typed: &String, role| request.names.definitions(typed, role, self.all);
        let (from, to) = (named(&self.from, Role::End)?, named(&self.to, Role::End)?);
        let avoid = self.avoid.iter().map(|typed| named(typed, Role::Avoided)).collect::<Result<Vec<_>>>()?;
        if from.is_empty() || to.is_empty() || avoid.iter().any(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let avoid = avoid.concat();
        let found = engine.call_paths(&from, &to, &avoid, k, request.filter);
        let is_back = || engine.call_paths(&to, &from, &avoid, 1, request.filter).direct > 0;
        let name = |ids: &[DefinitionId]| ids.first().map_or_else(String::new, |&id| engine.location(id).name);
        let (first, last) = (name(&from), name(&to));
        let hint = match found.direct == 0 && is_back() {
            true => format!("; there is one from {last} to {first}"),
            false => String::new(),
        };
        Ok(vec![Listing {
            sections: found.branches.iter().flat_map(|path| sections(&path.link)).collect(),
            nothing: format!("no call path from {first} to {last} found{hint}"),
            json: render::paths(engine, &from, &to, &found),
            notices: found.notices,
            ..Listing::default()
        }])
    }
}

/// Returns a path with one row for each call, and the last definition.
fn sections(path: &CallPath) -> [Section; 2] {
    let last = path.steps.last().map(|step| &step.to);
    let lines = |to: &DefinitionLocation| format!("{}:{}-{} {}", to.path, to.start_line, to.end_line, to.name);
    let calls = Section {
        brief_end: last.map(lines).into_iter().collect(),
        title: distance(path.distance),
        brief: format!("path of {}:", counted(path.distance.calls as usize, "call")),
        is_apart: true,
        rows: rows(&path.steps),
        ..Section::default()
    };
    [calls, Section { reader: Reader::User, rows: last.map(Row::of).into_iter().collect(), ..Section::default() }]
}

fn rows(steps: &[PathStep]) -> Vec<Row> {
    if steps.len() <= STEPS {
        return steps.iter().map(row).collect();
    }
    let left_out = counted(steps.len() - STEPS, "step");
    let gap = Row { notes: format!("… {left_out} …"), ..Row::default() };
    let (start, end) = (&steps[..STEPS / 2], &steps[steps.len() - STEPS / 2..]);
    start.iter().map(row).chain([gap]).chain(end.iter().map(row)).collect()
}

fn row(step: &PathStep) -> Row {
    let row = Row { notes: format!("({})", step.kind.phrase()), ..Row::of_lines(&step.from) };
    let Some(call) = &step.call else { return row };
    let brief = format!(": {} {}", call.line, short(&call.text));
    Row { at: Some(call.clone()), text: call.text.clone(), brief, ..row }
}
