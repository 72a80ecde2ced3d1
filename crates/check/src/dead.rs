//! The rule `dead`: a function lost its last caller through the change, and nothing else refers to
//! it.
//!
//! A function is reported if all of the following are true:
//! - it existed before the change, and a changed file called a function with its name before, but
//!   no longer does;
//! - it has no caller in the graph, and its name occurs nowhere else in any indexed file: not as a
//!   value, nor in a string, a template or plain text;
//! - it is private according to `[api]` of its language, or is nested in another function;
//! - it is not a test, a constructor, or a function that the language itself calls;
//! - it has no decorator or attribute.
//!
//! **Cost:** nothing if no call was removed; otherwise one pass over the text of all files, for all
//! such names together.
//!
//! **Alternatives:** public functions are not reported, because their other callers may be outside
//! the repository.

use super::finding::{Finding, FindingLocation, Rule};
use super::sides::{ChangedFile, ParsedSide, Sides};
use globset::Glob;
use rayon::prelude::*;
use regex::RegexSet;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{DefinitionKind, Language, callee_name};
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::occurrences;

/// A call that the change removed, with its old location.
struct RemovedCall {
    location: FindingLocation,
}

/// Returns a finding for each function that lost its last caller.
pub(super) fn dead(sides: &Sides<'_>) -> Vec<Finding> {
    let mut removed: BTreeMap<String, RemovedCall> = BTreeMap::new();
    for file in &sides.files {
        for (name, call) in removed_calls(file) {
            removed.entry(name).or_insert(call);
        }
    }
    let mut candidates: Vec<(DefinitionId, &RemovedCall)> = Vec::new();
    for (name, call) in &removed {
        candidates
            .extend(sides.graph.named(name).into_iter().filter(|&id| may_be_dead(sides, id)).map(|id| (id, call)));
    }
    candidates.sort_by_key(|(id, _)| *id);
    let mentioned = mentioned(sides, &candidates.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    let unmentioned = candidates.into_iter().zip(mentioned).filter(|(_, mentioned)| !mentioned);
    let finding = |((id, call), _): ((DefinitionId, &RemovedCall), bool)| Finding {
        rule: Rule::Dead,
        location: sides.location(id, ""),
        message: format!("nothing calls or refers to {} anymore", sides.graph.qualified_name(id)),
        related: vec![call.location.clone()],
        is_guess: false,
    };
    unmentioned.map(finding).collect()
}

/// Returns the names that a file no longer calls, each with a call that was removed.
fn removed_calls(changed: &ChangedFile<'_>) -> Vec<(String, RemovedCall)> {
    let Some(old) = &changed.old else { return Vec::new() };
    let calls_of = |side: &ParsedSide<'_>| -> Vec<Symbol> {
        side.facts.flow.calls.iter().filter_map(|c| side.called(c)).collect()
    };
    let current: rustc_hash::FxHashSet<Symbol> = changed.new.iter().flat_map(calls_of).collect();
    let mut found = Vec::new();
    for call in old.facts.flow.calls.iter() {
        let Some(name) = old.called(call).filter(|name| !current.contains(name)) else { continue };
        let Some(spelled) = callee_name(old.node(call.node)).filter(|spelled| symbol(spelled) == name) else {
            continue;
        };
        let around = old.facts.definitions.get(call.scope).map(|around| around.qualified_name.clone());
        let path = changed.old_path.clone();
        let note = "called it here before the change".to_owned();
        let location = FindingLocation { path, line: call.line, name: around.unwrap_or_default(), note };
        found.push((spelled.to_owned(), RemovedCall { location }));
    }
    found
}

/// Checks whether a function can be dead: it has no callers, and code outside the repository cannot
/// call it.
fn may_be_dead(sides: &Sides<'_>, id: DefinitionId) -> bool {
    let (graph, row) = (sides.graph, sides.graph.definition(id));
    let is_function = row.kind().is_function() && row.kind() != DefinitionKind::Macro;
    if !is_function || row.is_test() || !graph.callers(id).is_empty() || !existed_before(sides, id, row.file) {
        return false;
    }
    let Some(language) = sides.language(row.file) else { return false };
    let is_inside = graph.definition(row.parent).kind().is_function();
    let text = sides.sources().text_of(id);
    let is_decorated =
        language.spec.idioms.decorator_starts.iter().any(|sign| text.trim_start().starts_with(sign.as_str()));
    !is_decorated
        && !is_hook(language, graph.name(id))
        && (is_inside || is_private(language, row.kind(), graph.name(id), graph.signature(id)))
}

/// Checks whether a function existed before the change.
fn existed_before(sides: &Sides<'_>, id: DefinitionId, file: FileId) -> bool {
    let Some(changed) = sides.changed(file) else { return true };
    changed.old.as_ref().is_some_and(|old| old.functions().contains_key(sides.graph.qualified_name(id)))
}

/// Checks whether functions with a given name are called by the language itself, its runtime or a
/// framework.
pub(super) fn is_hook(language: &Language, name: &str) -> bool {
    let (spec, is_any) = (&language.spec, |globs: &[String]| matches(globs, name));
    spec.scopes.constructors.iter().chain(&spec.scopes.callables).any(|one| one == name) || is_any(&spec.api.hook_names)
}

/// Checks whether a definition is private, according to `[api]` of its language.
pub fn is_private(language: &Language, kind: DefinitionKind, name: &str, signature: &str) -> bool {
    let api = &language.spec.api;
    let has = |words: &[String]| {
        signature.split(|c: char| !c.is_alphanumeric()).any(|word| words.iter().any(|one| one == word))
    };
    matches(&api.private_names, name)
        || has(&api.private_words)
        || (kind == DefinitionKind::Function && !api.public_words.is_empty() && !has(&api.public_words))
}

fn matches(globs: &[String], name: &str) -> bool {
    globs.iter().filter_map(|glob| Glob::new(glob).ok()).any(|glob| glob.compile_matcher().is_match(name))
}

/// Checks for each function whether its name occurs anywhere outside the function itself.
fn mentioned(sides: &Sides<'_>, candidates: &[DefinitionId]) -> Vec<bool> {
    let graph = sides.graph;
    if candidates.is_empty() {
        return Vec::new();
    }
    let names = candidates.iter().map(|&id| format!(r"(?:^|[^\w])({})(?:[^\w]|$)", regex::escape(graph.name(id))));
    let patterns: Vec<String> = names.collect();
    // If there are too many patterns for one automaton, every name counts as mentioned, so nothing
    // is reported.
    let Ok(set) = RegexSet::new(&patterns) else { return vec![true; candidates.len()] };
    let own: FxHashMap<FileId, Vec<usize>> =
        candidates.iter().enumerate().fold(FxHashMap::default(), |mut own, (at, &id)| {
            own.entry(graph.definition(id).file).or_default().push(at);
            own
        });
    let in_file = |file: FileId| -> Vec<usize> {
        let text = sides.sources().text(file);
        let elsewhere = |&at: &usize| {
            let is_own = own.get(&file).is_some_and(|own| own.contains(&at));
            !is_own || occurs_outside(&text, graph.name(candidates[at]), graph.definition(candidates[at]))
        };
        set.matches(&text).into_iter().filter(elsewhere).collect()
    };
    let files: Vec<FileId> = graph.file_ids().collect();
    let mut all = vec![false; candidates.len()];
    for at in files.into_par_iter().flat_map_iter(in_file).collect::<Vec<_>>() {
        all[at] = true;
    }
    all
}

fn occurs_outside(text: &str, name: &str, row: whichfn_index::store::DefinitionRow) -> bool {
    occurrences(text, name).any(|at| at < row.start_byte as usize || at >= row.end_byte as usize)
}
