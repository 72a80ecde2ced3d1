//! The rules `callers` and `references` for items that the change removed: a function, type, value,
//! module or import disappeared, but code that the change did not touch still refers to it.
//!
//! The graph after the change does not contain such an item, so its references come from the state
//! before the change: names are resolved in the name tables of both states, and the calls of
//! methods on objects of a known type are linked again as they were before the change. A function
//! of the same name elsewhere does not matter, unless the reference now leads there.
//!
//! **Cost:** nothing if no name was removed; otherwise see [`super::references`], and linking the
//! files that mention a removed method.

use super::before::{ChangedGroups, State, edges_before, packed_facts};
use super::dropped::{DroppedBases, rebased_types};
use super::finding::{Finding, FindingLocation, Rule};
use super::ignored::without_ignored_places;
use super::lost::{gone_path, lost_names, renamed_to};
use super::lost_calls::LostCalls;
use super::lost_mentions::mentions;
use super::lost_name::{LostItem, LostName};
use super::names::folder;
use super::references::{Reference, ReferenceForm, ReferenceSearch, Referent, States};
use super::sides::{ParsedFiles, Sides};
use super::uses::UseSearch;
use std::collections::BTreeMap;
use whichfn_graph::{NameResolver, UseResolver, linked_together};
use whichfn_syntax::lang::LangId;
use whichfn_system::error::Result;

/// Returns a finding for each removed item that unmodified code still refers to.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn references_to_removed(sides: &Sides<'_>) -> Result<Vec<Finding>> {
    let lost = lost_names(sides);
    let gone: Vec<usize> = (0..sides.files.len()).filter(|&at| gone_path(sides, &sides.files[at]).is_some()).collect();
    let rebased = rebased_types(sides);
    let changed = lost.iter().map(|name| name.changed).chain(gone.iter().copied());
    let changed = changed.chain(rebased.iter().map(|one| one.changed));
    let groups = ChangedGroups::new(sides, changed);
    if groups.iter().next().is_none() {
        return Ok(Vec::new());
    }
    let packed = packed_facts(sides);
    let is_linked = |language: Option<LangId>| groups.contain(language);
    let (before, after) = (State::before(sides, &packed, &is_linked), State::after(sides, &is_linked));
    let mut files = ParsedFiles::new(sides);
    let mut found: BTreeMap<Referent, Vec<Reference>> = BTreeMap::new();
    let mut dropped = DroppedBases::default();
    for language in groups.iter() {
        let [old_files, new_files] =
            [&before, &after].map(|state| linked_together(&state.sources, language, sides.registry));
        let old = NameResolver::new(&before.sources, &old_files, &before.paths, sides.registry);
        let new = NameResolver::new(&after.sources, &new_files, &after.paths, sides.registry);
        let mentions = mentions(sides, &lost, &new_files);
        let (files_after, mentions) = (&new_files[..], &mentions[..]);
        let states = States { before: &before, after: &after, old: &old, new: &new, files: files_after, mentions };
        for (referent, reference) in ReferenceSearch::new(sides, &states, &lost, &gone).run(&mut files)? {
            found.entry(referent).or_default().push(reference);
        }
        dropped.add(sides, &states, &rebased);
        let resolvers = [UseResolver::from(old), UseResolver::from(new)];
        for (number, reference) in
            UseSearch::new(sides, (&before, &after), (&old_files, files_after, mentions), &lost, resolvers).run()
        {
            found.entry(Referent::Name(number)).or_default().push(reference);
        }
    }
    let mut inherited = Vec::new();
    if !dropped.is_empty() || lost.iter().any(|name| name.is_function && name.owner.is_some()) {
        let edges = edges_before(sides, &before, &after);
        let mut calls = LostCalls { sides, before: &before, files: &mut files };
        for (number, reference) in calls.find(&lost, &edges)? {
            found.entry(Referent::Name(number)).or_default().push(reference);
        }
        inherited = dropped.findings(&mut calls, &edges)?;
    }
    let removed = found.into_iter().filter_map(|(referent, all)| finding(sides, &lost, referent, all));
    Ok(removed.chain(inherited).collect())
}

fn finding(sides: &Sides<'_>, lost: &[LostName<'_>], referent: Referent, mut all: Vec<Reference>) -> Option<Finding> {
    // A doubt about a name holds for all ways to find it.
    let outside: Vec<_> = all.iter().filter(|one| one.may_be_outside).map(|one| (one.file, one.line)).collect();
    all.iter_mut().for_each(|one| one.is_guess |= outside.contains(&(one.file, one.line)));
    all.sort();
    all.dedup_by(|a, b| (a.file, a.line) == (b.file, b.line));
    let rule = match referent {
        Referent::Name(number) if lost[number].is_called() => Rule::Callers,
        _ => Rule::References,
    };
    let places: Vec<FindingLocation> = all.iter().map(|reference| location(sides, reference, true)).collect();
    let wanted = without_ignored_places(sides, rule, places.clone());
    let mut is_wanted = places.iter().map(|place| wanted.contains(place));
    all.retain(|_| is_wanted.next().unwrap_or(true));
    let is_guess = all.iter().all(|reference| reference.is_guess);
    let sure = all.iter().filter(|reference| is_guess || !reference.is_guess).count();
    let related: Vec<FindingLocation> = all.iter().map(|reference| location(sides, reference, is_guess)).collect();
    let first = all.iter().position(|reference| is_guess || !reference.is_guess)?;
    let location = FindingLocation { note: String::new(), ..related[first].clone() };
    let message = match referent {
        Referent::Name(number) => described(sides, &lost[number], &all, sure),
        Referent::File(changed) => moved(sides, changed, sure, |path| path),
        Referent::Folder(changed) => moved(sides, changed, sure, folder),
    };
    Some(Finding { rule, location, message, related, is_guess })
}

fn location(sides: &Sides<'_>, reference: &Reference, all_guessed: bool) -> FindingLocation {
    let note = match reference.form {
        ReferenceForm::Import => "still imports it",
        ReferenceForm::Call => "still calls it",
        ReferenceForm::Other => "still refers to it",
    };
    let unsure = if reference.is_guess && !all_guessed { " (by name only)" } else { "" };
    let (path, name) = (sides.graph.path(reference.file).to_owned(), reference.around.clone());
    FindingLocation { path, line: reference.line, name, note: format!("{note}{unsure}") }
}

/// Returns the message for a lost name.
fn described(sides: &Sides<'_>, lost: &LostName<'_>, all: &[Reference], count: usize) -> String {
    let path = &sides.files[lost.changed].old_path;
    let what = if all.iter().all(|one| one.form == ReferenceForm::Call) { "call" } else { "reference" };
    let remain = remain(sides, count, what);
    let name = &lost.qualified_name;
    if lost.item == LostItem::Star {
        return format!("{path} no longer passes on {name}; {remain}");
    }
    if lost.item == LostItem::Export {
        return format!("{path} no longer exports {name}; {remain}");
    }
    if matches!(lost.item, LostItem::Import(_)) {
        return format!("{path} no longer imports {name}; {remain}");
    }
    let renamed = renamed_to(sides, lost).map(|name| format!(" (renamed to {name}?)")).unwrap_or_default();
    format!("{name} was removed from {path}{renamed}; {remain}")
}

/// Returns the message for a file or directory that is gone. `part` returns the part of a file's
/// path that is meant.
fn moved(sides: &Sides<'_>, changed: usize, count: usize, part: fn(&str) -> &str) -> String {
    let changed = &sides.files[changed];
    let remain = remain(sides, count, "import");
    match changed.file {
        Some(now) => format!("{} was moved to {}; {remain}", part(&changed.old_path), part(sides.graph.path(now))),
        None => format!("{} was removed; {remain}", part(&changed.old_path)),
    }
}

fn remain(sides: &Sides<'_>, count: usize, what: &str) -> String {
    let known = sides.known();
    match count {
        1 => format!("1 {known}unmodified {what} remains"),
        _ => format!("{count} {known}unmodified {what}s remain"),
    }
}
