//! The lines of `function_context` about tests, impacts and call paths.

use super::tools::Show;
use crate::engine::Engine;
use crate::render::counted;
use whichfn_search::answer::{AffectedDefinition, PathStep, ReachedTests, StepKind};
use whichfn_syntax::ids::DefinitionId;

/// Maximum number of tests, of affected definitions, and of arguments that are listed.
const LISTED: usize = 12;
/// Maximum number of call paths.
const PATHS: usize = 3;

/// Returns the lines for what an agent requested about a function.
pub(super) fn lines(
    engine: &Engine,
    of: DefinitionId,
    show: Option<Show>,
    path_to: Option<DefinitionId>,
) -> Vec<String> {
    let parts = engine.parts(&engine.variants_of(of));
    let mut lines = match show {
        None => Vec::new(),
        Some(Show::Tests) => tests(&engine.tests(&parts, LISTED)),
        Some(Show::Impact) => {
            let impact = engine.impact(&parts, LISTED);
            let mut lines = affected("affected definition", &impact.affected);
            lines.extend(affected("entry point", &impact.entry_points));
            lines.extend(tests(&impact.tests));
            lines
        }
    };
    if let Some(to) = path_to {
        let paths = engine.call_paths(&[of], &[to], &[], PATHS);
        if paths.is_empty() {
            lines.push(format!("no call path to {} found", engine.location(to).name));
        }
        for path in paths {
            lines.push(format!("path of {}:", counted(path.distance.calls as usize, "call")));
            lines.extend(path.steps.iter().map(step));
        }
    }
    lines
}

fn tests(tests: &ReachedTests) -> Vec<String> {
    let mut lines = vec![format!("reached by {}", counted(tests.total, "test"))];
    lines.extend(tests.tests.iter().map(|test| {
        let steps = test.path.iter().filter(|step| step.kind != StepKind::Inside);
        let way: Vec<&str> = steps.map(|step| step.to.name.as_str()).collect();
        format!("{}:{} {} -> {}", test.location.path, test.location.line, test.location.name, way.join(" -> "))
    }));
    if tests.total > 0 {
        lines.push("arguments for the test runner:".to_owned());
        lines.extend(tests.arguments.iter().take(LISTED).cloned());
    }
    if tests.arguments.len() > LISTED {
        lines.push(format!("and {} more", tests.arguments.len() - LISTED));
    }
    lines
}

fn affected(what: &str, all: &[AffectedDefinition]) -> Vec<String> {
    let mut lines = vec![counted(all.len(), what)];
    lines.extend(all.iter().take(LISTED).map(|one| {
        let place = &one.location;
        format!("{}:{} {} ({})", place.path, place.line, place.name, counted(one.distance.calls as usize, "call"))
    }));
    lines
}

fn step(step: &PathStep) -> String {
    match &step.call {
        Some(call) => format!("{}:{} {}: {}", call.path, call.line, step.from.name, call.text),
        None => format!("{}:{} {}", step.from.path, step.from.line, step.from.name),
    }
}
