//! Renders tests, impacts and call paths.

use super::counted;
use super::place::{location, with_path};
use crate::engine::Engine;
use serde_json::{Value, json};
use whichfn_search::answer::{AffectedFile, Branch, CallPath, DefinitionLocation, Distance, Impact, PathStep, Tree};
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::path_lossy;

/// Renders a test with its path.
pub fn test(test: &Branch<CallPath>) -> Value {
    let mut value = reached(&test.location, test.link.distance);
    value["steps"] = test.link.steps.iter().map(step).collect();
    value
}

fn reached(definition: &DefinitionLocation, distance: Distance) -> Value {
    let mut value = location(definition);
    value["calls"] = distance.calls.into();
    value["guesses"] = distance.guesses.into();
    value
}

fn step(step: &PathStep) -> Value {
    let mut value = json!({"from": location(&step.from), "to": location(&step.to), "reason": step.kind.name()});
    if let Some(place) = &step.call {
        value["line"] = place.line.into();
        value["column"] = place.column.into();
        value["text"] = place.text.as_str().into();
        value = with_path(value, &place.path);
    }
    value
}

/// Renders the call paths between two definitions.
pub fn paths(engine: &Engine, from: &[DefinitionId], to: &[DefinitionId], found: &Tree<CallPath>) -> Value {
    let ends = |ids: &[DefinitionId]| ids.iter().map(|&id| location(&engine.location(id))).collect::<Vec<_>>();
    let path = |Branch { link: CallPath { distance, steps }, .. }: &Branch<CallPath>| {
        let steps: Vec<Value> = steps.iter().map(step).collect();
        json!({"calls": distance.calls, "guesses": distance.guesses, "steps": steps})
    };
    json!({
        "version": 1,
        "from": ends(from),
        "to": ends(to),
        "paths": found.branches.iter().map(path).collect::<Vec<_>>(),
    })
}

/// Renders what a change can affect. `removed` names the removed functions, each with its path;
/// each list has at most `max` entries.
pub fn impact(impact: &Impact, removed: &[(String, String)], max: usize) -> Value {
    let definition = |one: &Branch<Distance>| reached(&one.location, one.link);
    let affected = |all: &[Branch<Distance>]| -> Vec<Value> { all.iter().take(max).map(definition).collect() };
    let file =
        |file: &AffectedFile| with_path(json!({"definitions": file.definitions, "calls": file.calls}), &file.path);
    json!({
        "version": 1,
        "of": impact.of.iter().map(location).collect::<Vec<_>>(),
        "removed": removed.iter().map(|(name, path)| with_path(json!({"name": name}), path)).collect::<Vec<_>>(),
        "counts": {
            "affected": impact.affected.len(),
            "files": impact.files.len(),
            "entry_points": impact.entry_points.len(),
            "tests": impact.tests.list.direct,
        },
        "affected": affected(&impact.affected),
        "files": impact.files.iter().take(max).map(file).collect::<Vec<_>>(),
        "entry_points": affected(&impact.entry_points),
        "tests": impact.tests.list.branches.iter().map(test).collect::<Vec<_>>(),
        "arguments": impact.tests.arguments,
    })
}

/// Renders what a change can affect as Markdown, for a comment on a pull request.
pub fn impact_markdown(impact: &Impact, removed: &[(String, String)], max: usize) -> String {
    let counts = [
        (impact.affected.len(), "affected definitions"),
        (impact.files.len(), "files"),
        (impact.entry_points.len(), "entry points"),
        (impact.tests.list.direct, "tests"),
    ];
    let counts: Vec<String> = counts.iter().map(|(count, what)| format!("{count} {what}")).collect();
    let mut out = format!("### whichfn impact: {}\n", counts.join(", "));
    let changed = impact.of.iter().map(|one| format!("{} {}", code(&one.name), place(&one.path, one.line)));
    let gone = removed.iter().map(|(name, path)| format!("{} {} (removed)", code(name), code(&path_lossy(path))));
    section(&mut out, "Changed", changed.chain(gone), max);
    let affected = |one: &Branch<Distance>| {
        let away = counted(one.link.calls as usize, "call");
        format!("{} {}, {away}", code(&one.location.name), place(&one.location.path, one.location.line))
    };
    section(&mut out, "Callers", impact.affected.iter().map(affected), max);
    section(&mut out, "Entry points", impact.entry_points.iter().map(affected), max);
    section(&mut out, "Tests to run", impact.tests.arguments.iter().map(|argument| code(argument)), max);
    section(&mut out, "Incomplete", impact.tests.list.notices.iter().map(|notice| code(notice)), max);
    out
}

/// Adds a list with a heading; entries after the first `max` are folded.
fn section(out: &mut String, title: &str, entries: impl Iterator<Item = String>, max: usize) {
    let entries: Vec<String> = entries.map(|entry| format!("- {entry}\n")).collect();
    if entries.is_empty() {
        return;
    }
    *out += &format!("\n**{title}**\n\n");
    *out += &entries[..entries.len().min(max)].concat();
    if entries.len() > max {
        let rest = entries[max..].concat();
        *out += &format!("\n<details><summary>{} more</summary>\n\n{rest}\n</details>\n", entries.len() - max);
    }
}

fn place(path: &str, line: u32) -> String {
    code(&format!("{}:{line}", path_lossy(path)))
}

/// Formats a string as code between backticks, replacing backticks and line breaks in it.
fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'").replace(['\n', '\r'], " "))
}
