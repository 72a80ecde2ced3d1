//! Answers questions about the graph around a function: callers, callees, uses, implementations,
//! tests, impact and call paths.

use super::excerpt::{fitting_lines, with_notes};
use super::named::{definition, subject};
use super::tools::{GraphInput, Relation};
use crate::engine::Engine;
use crate::render::counted;
use whichfn_graph::CallReason;
use whichfn_search::answer::{
    AffectedDefinition, CallBranch, CallDirection, CallLimits, CallPaths, Named, PathStep, ReachedTests, StepKind,
    TypeDirection, Use,
};
use whichfn_search::search::ListingFilter;
use whichfn_syntax::ids::DefinitionId;
use whichfn_system::error::{Error, Kind, Result};
use whichfn_text::{ellipsis, one_line};

/// Maximum number of definitions, uses and tests that are looked up; as many as fit are listed.
const LISTED: usize = 60;
/// Maximum number of arguments for a test runner.
const ARGUMENTS: usize = 12;
/// Maximum number of call paths.
const PATHS: usize = 3;
/// Maximum number of characters of a line of code.
const WIDEST: usize = 110;

/// Returns the answer in about `tokens` tokens.
///
/// # Errors
/// Returns an error if a name does not refer to exactly one definition.
pub(super) fn answer(engine: &Engine, input: &GraphInput, tokens: usize) -> Result<String> {
    let (lines, notices) = match input.relation {
        Relation::References => references(engine, subject(engine, &input.of)?)?,
        relation => {
            let of = definition(engine, &input.of)?;
            match relation {
                Relation::Callers => calls(engine, of, CallDirection::Callers)?,
                Relation::Callees => calls(engine, of, CallDirection::Callees)?,
                Relation::Implementations => (implementations(engine, of), Vec::new()),
                Relation::Tests => {
                    let found = engine.tests(&engine.parts(&engine.variants_of(of)), LISTED);
                    (tests(&found), found.notices)
                }
                Relation::Impact => impact(engine, of),
                Relation::Path => {
                    let to = input.to.as_deref().ok_or_else(|| {
                        Error::new(Kind::Usage, "`path` needs `to`", "pass the function that the path leads to as `to`")
                    })?;
                    path(engine, of, definition(engine, to)?)
                }
                Relation::References => (Vec::new(), Vec::new()),
            }
        }
    };
    Ok(with_notes(fitting(&lines, tokens), &notices))
}

/// Joins the lines that fit, and states how many are left out.
fn fitting(lines: &[String], tokens: usize) -> String {
    let count = fitting_lines(lines, tokens);
    let text: String = lines[..count].iter().map(|line| format!("{line}\n")).collect();
    match lines.len() - count {
        0 => text,
        more => format!("{text}[{more} more lines; pass max_tokens for more]\n"),
    }
}

/// Lines of an answer, and what the answer lacks.
type LinesAndNotices = (Vec<String>, Vec<String>);

fn calls(engine: &Engine, of: DefinitionId, direction: CallDirection) -> Result<LinesAndNotices> {
    let limits = CallLimits { depth: 1, max: LISTED };
    let tree = engine.calls_or_uses(of, direction, limits, &ListingFilter::ALL)?;
    let what = if direction == CallDirection::Callers { "caller" } else { "callee" };
    let mut lines = vec![format!("{} of {}", counted(tree.direct, what), tree.root.name)];
    lines.extend(tree.branches.iter().map(|branch| call(branch, direction)));
    lines.extend(cut(tree.branches.len(), tree.direct));
    if tree.uses > 0 {
        lines.push(format!("{}: list them with relation references", counted(tree.uses, "other use")));
    }
    Ok((lines, tree.notices))
}

/// States how many entries of a list are shown, unless all are.
fn cut(shown: usize, all: usize) -> Option<String> {
    (shown < all).then(|| format!("[the first {shown} of {all}]"))
}

/// Returns a line for a caller with its first call, or for a callee with its own place.
fn call(branch: &CallBranch, direction: CallDirection) -> String {
    let place = &branch.location;
    let first = branch.calls.first();
    let text = first.map_or(String::new(), |call| ellipsis(&one_line(&call.text), WIDEST, "…"));
    let line = first.filter(|_| direction == CallDirection::Callers).map_or(place.line, |call| call.line);
    // The reader must know which links are only guesses.
    let doubt = match first.map(|call| call.reason) {
        Some(reason @ (CallReason::Name | CallReason::Dispatch)) => format!(" ({})", reason.phrase()),
        _ => String::new(),
    };
    format!("{}:{line} {}{doubt}: {text}", place.path, place.name)
}

fn references(engine: &Engine, of: Named) -> Result<LinesAndNotices> {
    let found = engine.references(of, LISTED)?;
    let mut lines = vec![format!("{} of {}", counted(found.total(), "use"), found.of.name)];
    lines.extend(found.uses.iter().map(|one: &Use| {
        let text = ellipsis(&one.text, WIDEST, "…");
        format!("{}:{} {} ({}): {text}", one.path, one.line, one.inside, one.phrase())
    }));
    lines.extend(cut(found.uses.len(), found.total()));
    Ok((lines, found.notices))
}

fn implementations(engine: &Engine, of: DefinitionId) -> Vec<String> {
    let mut lines = Vec::new();
    for direction in [TypeDirection::Up, TypeDirection::Down] {
        let tree = engine.implementations(of, direction, LISTED);
        let cut = cut(tree.branches.len(), tree.direct);
        lines.extend(tree.branches.into_iter().map(|branch| {
            let relation = branch.relation.phrase(direction);
            let by = if direction == TypeDirection::Up { " by it" } else { "" };
            let place = branch.location;
            format!("{}:{} {} ({relation}{by})", place.path, place.line, place.name)
        }));
        lines.extend(cut);
    }
    if lines.is_empty() {
        lines.push("nothing implements, extends or overrides it, and it does not do so itself".to_owned());
    }
    lines
}

fn impact(engine: &Engine, of: DefinitionId) -> LinesAndNotices {
    let impact = engine.impact(&engine.parts(&engine.variants_of(of)), LISTED);
    let mut lines = affected("affected definition", &impact.affected);
    lines.extend(affected("entry point", &impact.entry_points));
    lines.extend(tests(&impact.tests));
    (lines, impact.tests.notices)
}

fn affected(what: &str, all: &[AffectedDefinition]) -> Vec<String> {
    let mut lines = vec![counted(all.len(), what)];
    lines.extend(all.iter().map(|one| {
        let place = &one.location;
        format!("{}:{} {} ({})", place.path, place.line, place.name, counted(one.distance.calls as usize, "call"))
    }));
    lines
}

fn tests(tests: &ReachedTests) -> Vec<String> {
    let mut lines = vec![format!("reached by {}", counted(tests.total, "test"))];
    lines.extend(tests.tests.iter().map(|test| {
        let steps = test.path.iter().filter(|step| step.kind != StepKind::Inside);
        let way: Vec<&str> = steps.map(|step| step.to.name.as_str()).collect();
        format!("{}:{} {} -> {}", test.location.path, test.location.line, test.location.name, way.join(" -> "))
    }));
    lines.extend(cut(tests.tests.len(), tests.total));
    if tests.total > 0 {
        lines.push("arguments for the test runner:".to_owned());
        lines.extend(tests.arguments.iter().take(ARGUMENTS).cloned());
    }
    if tests.arguments.len() > ARGUMENTS {
        lines.push(format!("and {} more", tests.arguments.len() - ARGUMENTS));
    }
    lines
}

fn path(engine: &Engine, from: DefinitionId, to: DefinitionId) -> LinesAndNotices {
    let CallPaths { paths, notices } = engine.call_paths(&[from], &[to], &[], PATHS);
    if paths.is_empty() {
        return (vec![format!("no call path to {} found", engine.location(to).name)], notices);
    }
    let mut lines = Vec::new();
    for path in paths {
        lines.push(format!("path of {}:", counted(path.distance.calls as usize, "call")));
        lines.extend(path.steps.iter().map(step));
    }
    (lines, notices)
}

fn step(step: &PathStep) -> String {
    match &step.call {
        Some(call) => format!("{}:{} {}: {}", call.path, call.line, step.from.name, call.text),
        None => format!("{}:{} {}", step.from.path, step.from.line, step.from.name),
    }
}
