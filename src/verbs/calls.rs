//! `callers` and `callees`: a tree of calls, each with its location, its line and the reason for the link.

use super::{About, Listing, Registered, Request, Role, Row, Section, Verb, at_least_one, short};
use crate::engine::Engine;
use crate::render::{self, counted};
use clap::Args;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use whichfn_graph::CallReason;
use whichfn_search::answer::{
    Branch, CallDirection, CallLimits, CallLine, Calls as LinkedCalls, DefinitionLocation, Place, SeenCall, Tree,
    last_part,
};
use whichfn_system::error::Result;

pub(super) const CALLERS: Registered = Registered::new::<Calls<true>>(About {
    name: "callers",
    about: "List the callers of a function, with the line of each call",
    examples: &[
        ("whichfn callers kill_and_wait --depth 2", "List the callers, and their callers."),
        ("whichfn callers src/app.py:42 --no-tests --path 'src/**'", "List the callers in src that are not tests."),
    ],
    reply: "Calls",
    ..About::LIST
});

pub(super) const CALLEES: Registered = Registered::new::<Calls<false>>(About {
    name: "callees",
    about: "List what a function calls, with the line of each call",
    examples: &[("whichfn callees main --depth 3 -k 100", "List what main calls, up to three calls away.")],
    reply: "Calls",
    ..About::LIST
});

/// Maximum number of additional call lines listed after the first.
const FURTHER: usize = 4;

/// Arguments of a verb about calls.
#[derive(Debug, Args, Deserialize, JsonSchema)]
#[schemars(crate = "schemars")]
struct Calls<const CALLERS: bool> {
    /// A function, as NAME, FILE:LINE or FILE:NAME; or a type or file, for everything in it.
    #[arg(value_name = "FILE:LINE|NAME")]
    name: String,
    /// Show the calls of all definitions with this name.
    #[arg(long)]
    #[serde(skip)]
    all: bool,
    /// Depth of calls to follow: 1 for direct calls, 2 for their calls too, and so on.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100))]
    depth: usize,
}

fn one() -> usize {
    1
}

impl<const CALLERS: bool> Verb for Calls<CALLERS> {
    fn typed(&self) -> Vec<&str> {
        vec![&self.name]
    }

    fn run(&self, request: &Request<'_>) -> Result<Vec<Listing>> {
        at_least_one("--depth", self.depth, "calls")?;
        let direction = if CALLERS { CallDirection::Callers } else { CallDirection::Callees };
        let limits = CallLimits { depth: self.depth, max: request.max };
        let of = request.names.definitions(&self.name, Role::Called, self.all)?;
        let trees = request.engine.calls_or_uses_of_all(&of, direction, limits, request.filter)?;
        let listing = |(&of, tree): (_, &Tree<LinkedCalls>)| {
            let has_uses = CALLERS && (tree.uses > 0 || request.engine.is_type(of));
            listing(request.engine, request.engine.location(of), direction, (tree, has_uses))
        };
        Ok(of.iter().zip(&trees).map(listing).collect())
    }
}

fn listing(
    engine: &Engine,
    of: DefinitionLocation,
    direction: CallDirection,
    (tree, has_uses): (&Tree<LinkedCalls>, bool),
) -> Listing {
    let (name, one) = (of.name.clone(), if direction == CallDirection::Callers { "caller" } else { "callee" });
    let mut section = Section {
        brief: format!("{} of {name} ({}:{}-{})", counted(tree.direct, one), of.path, of.start_line, of.end_line),
        key: "tree",
        ..Section::of(tree, |branch| row(engine, direction, branch))
    };
    if direction == CallDirection::Callees {
        mark_alternatives(&mut section.rows);
    }
    let mut list = Listing {
        hint: has_uses.then(|| format!("to list all uses: whichfn references {name}")),
        nothing: no_calls(&name, direction, tree),
        sections: vec![section],
        ..Listing::of(tree, of, summary(direction, tree))
    };
    list.json["direction"] = format!("{one}s").into();
    list
}

fn no_calls(name: &str, direction: CallDirection, tree: &Tree<LinkedCalls>) -> String {
    let uses = if tree.uses > 0 { format!(", but {}", counted(tree.uses, "other use")) } else { String::new() };
    match direction {
        CallDirection::Callers if tree.lacks_calls => format!("none of the linked calls is to {name}{uses}"),
        CallDirection::Callees if tree.lacks_calls => format!("none of the linked calls is from {name}"),
        CallDirection::Callers => format!("no calls to {name} found in this repository{uses}"),
        CallDirection::Callees => format!("no calls from {name} to this repository found"),
    }
}

/// Returns the number of callers or callees in words.
pub(super) fn summary(direction: CallDirection, tree: &Tree<LinkedCalls>) -> String {
    match direction {
        CallDirection::Callers => format!("called by {}", tree.direct),
        CallDirection::Callees => format!("calls {}", tree.direct),
    }
}

/// Returns the row of a caller with the place of its first call, or of a callee with its own place,
/// because this is what the user wants to open.
pub(super) fn row(engine: &Engine, direction: CallDirection, branch: &Branch<LinkedCalls>) -> Row {
    let (LinkedCalls { calls, repeated }, location) = (&branch.link, &branch.location);
    let mut row = Row::of_lines(location);
    if let Some(call) = calls.first() {
        // The reader must know which links are only guesses.
        let doubt = match call.reason {
            reason @ (CallReason::Name | CallReason::Dispatch) => format!(" ({})", reason.phrase()),
            _ => String::new(),
        };
        row.notes = format!("({})", notes(direction, &branch.link, call));
        row.text.clone_from(&call.place.text);
        let code = short(&call.place.text);
        if direction == CallDirection::Callers {
            row.brief = format!(" ({}-{}){doubt}: {code}", location.start_line, location.end_line);
            (row.brief_at, row.brief_last) = (Some(Place::of_line(&location.path, call.place.line)), 0);
            row.at = Some(call.place.clone());
        } else {
            let again = repeated.map_or("", |again| note(again));
            let does = if repeated.is_none() { engine.summary_of(location.definition) } else { String::new() };
            let does = if does.is_empty() { does } else { format!(" // {does}") };
            row.brief = format!("{doubt}{again}: {} {code}{does}", call.place.line);
        }
    }
    row.places = calls.iter().map(|call| call.place.clone()).collect();
    row.json["calls"] = calls.iter().map(render::call).collect();
    if let Some(again) = repeated {
        row.json["again"] = again.name().into();
    }
    row
}

/// Returns the note for an agent about a definition that the tree does not follow at this place.
fn note(again: SeenCall) -> &'static str {
    match again {
        SeenCall::Recursion => " (recursion)",
        SeenCall::Elsewhere => " (followed elsewhere)",
        SeenCall::Alternative => " (not followed)",
    }
}

/// Marks the definitions that the same call may run: clauses of a function, and the overrides of a
/// method.
fn mark_alternatives(rows: &mut [Row]) {
    for at in 1..rows.len() {
        let (before, row) = (&rows[at - 1], &rows[at]);
        let is_same_call = before.places.first() == row.places.first() && row.places.len() == before.places.len();
        rows[at].is_alternative = is_same_call && last_part(&before.name) == last_part(&row.name);
    }
    rows.iter_mut().for_each(|row| mark_alternatives(&mut row.below));
}

/// Returns the reason for the link, the lines of other calls, and whether the call is recursive or
/// shown elsewhere.
fn notes(direction: CallDirection, link: &LinkedCalls, first: &CallLine) -> String {
    let mut notes = vec![first.reason.phrase().to_owned()];
    match (direction, &first.through) {
        (CallDirection::Callers, Some(inner)) => notes.push(format!("calls {inner}")),
        (CallDirection::Callees, Some(inner)) => notes.push(format!("in {inner}")),
        (CallDirection::Callees, None) => notes.push(format!("line {}", first.place.line)),
        _ => {}
    }
    let lines = link.calls.iter().map(|call| call.place.line);
    let mut lines: Vec<u32> = lines.filter(|line| *line != first.place.line).collect();
    lines.dedup();
    let more = lines.len().saturating_sub(FURTHER);
    let mut further: Vec<String> = lines.iter().take(FURTHER).map(u32::to_string).collect();
    if more > 0 {
        further.push(format!("{more} more"));
    }
    if !further.is_empty() {
        notes.push(format!("also {}", further.join(" ")));
    }
    notes.extend(link.repeated.map(|again| match again {
        SeenCall::Recursion => "↻ recursion".to_owned(),
        SeenCall::Elsewhere => "↑ followed elsewhere".to_owned(),
        SeenCall::Alternative => "not followed: one of many overrides".to_owned(),
    }));
    notes.join(", ")
}
