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
use super::lost::{LostItem, LostName, gone_path, is_extension, lost_names, renamed_to};
use super::proof::{may_have_method, names_type};
use super::references::{
    Reference, ReferenceForm, ReferenceSearch, Referent, States, folder, line_at, may_have_type, mentions, scope_at,
};
use super::sides::{ParsedFiles, ParsedSide, Sides};
use super::uses::UseSearch;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_graph::{CallEdge, CallReason, NameResolver, UseResolver, linked_together};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::LangId;
use whichfn_syntax::parse::{Call, symbol};
use whichfn_system::error::Result;
use whichfn_text::occurrences;

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

/// A call of a removed method that the change left as it was.
pub(super) struct RemainingCall {
    pub line: u32,
    /// Number of its syntax node after the change.
    pub node: u32,
    pub around: String,
    /// True if the call is now linked to another method by name only, such as an extension.
    is_relinked: bool,
}

/// Finds calls of removed methods by the links before the change.
pub(super) struct LostCalls<'c, 's, 'a> {
    pub sides: &'s Sides<'a>,
    pub before: &'c State<'c>,
    pub files: &'c mut ParsedFiles<'s, 'a>,
}

impl LostCalls<'_, '_, '_> {
    fn find(&mut self, lost: &[LostName<'_>], edges: &[CallEdge]) -> Result<Vec<(usize, Reference)>> {
        let mut methods: FxHashMap<(usize, LocalId), usize> = FxHashMap::default();
        for (number, name) in lost.iter().enumerate().filter(|(_, name)| name.is_function && name.owner.is_some()) {
            if let LostItem::Definition(id) = name.item {
                methods.insert((name.changed, id), number);
            }
        }
        let local = self.before.locals();
        let mut found = Vec::new();
        for edge in edges {
            let (file, callee) = local(edge.callee);
            let number = self.before.changed[file].and_then(|changed| methods.get(&(changed, callee)));
            let Some(&number) = number else { continue };
            let (caller_file, _) = local(edge.caller);
            let Some(now) = self.before.now[caller_file] else { continue };
            let lost = &lost[number];
            let (call, line) = self.call_text(now, edge)?;
            // A function that is passed as a value is called without its name.
            let is_written = [&call, &line].iter().any(|text| occurrences(text, lost.name).next().is_some());
            if !is_written || (edge.reason == CallReason::Name && !self.may_be_it(&call, lost)) {
                continue;
            }
            let remaining = self.remaining(edge, lost.name)?;
            let Some((_, RemainingCall { line, around, is_relinked, .. })) = remaining else { continue };
            let line = self.line_of_name(now, line, lost.name)?;
            let is_explicit = lost.owner.is_some_and(|owner| names_type(&call, lost.name, owner));
            let is_guess = edge.reason == CallReason::Name
                || is_relinked
                || lost.doubts.is_moved
                || (lost.doubts.is_added && !is_explicit)
                || lost.doubts.may_be_supplied
                || may_have_method(self.sides, lost, &call)
                || self.is_extended(lost);
            found.push((
                number,
                Reference { file: now, line, around, form: ReferenceForm::Call, is_guess, may_be_outside: false },
            ));
        }
        Ok(found)
    }

    /// Returns the file of a call, and the call, if the change left it as it was and it no longer
    /// leads to a definition that is known as surely as the old one.
    pub fn remaining(&mut self, edge: &CallEdge, name: &str) -> Result<Option<(FileId, RemainingCall)>> {
        let (caller_file, caller) = self.before.locals()(edge.caller);
        let Some(now) = self.before.now[caller_file] else { return Ok(None) };
        let remaining = match self.before.changed[caller_file] {
            None => self.in_same_file(now, caller, edge),
            Some(changed) => self.in_changed_file(changed, now, edge, name)?,
        };
        Ok(remaining.map(|call| (now, call)))
    }

    /// Checks whether a call that was linked by name only may have reached a method, by the names
    /// of the object and the type. A method that extends other types has no such type.
    fn may_be_it(&self, call: &str, lost: &LostName<'_>) -> bool {
        let is_own = |owner: &&str| !self.sides.graph.named(owner).is_empty();
        let may_have_type = lost.owner.filter(is_own).is_some_and(|owner| may_have_type(call, lost.name, owner));
        may_have_type || was_only_extension(self.sides, lost)
    }

    /// Returns the line of the called name in a call that begins at a line: in a chain over several
    /// lines, the name is further down.
    fn line_of_name(&mut self, now: FileId, line: u32, name: &str) -> Result<u32> {
        let Some(side) = self.files.side(now)? else { return Ok(line) };
        let mut calls = side.facts.flow.calls.iter().filter(|call| call.line == line);
        let Some(call) = calls.find(|call| side.called(call) == Some(symbol(name))) else { return Ok(line) };
        // The first child of the call is what is called, and ends with the name.
        let called = side.children(call.node).next().map(|at| (side.nodes()[at as usize].start, side.node(at)));
        let at = called.and_then(|(start, text)| Some(start as usize + occurrences(text, name).last()?));
        Ok(at.map_or(line, |at| line_at(&side.text, at)))
    }

    /// Returns the text of a call before the change, and of its line.
    fn call_text(&mut self, now: FileId, edge: &CallEdge) -> Result<(String, String)> {
        let changed = self.sides.changed(now).and_then(|changed| changed.old.as_ref());
        let side = match changed {
            Some(old) => Some(old),
            None => self.files.side(now)?,
        };
        let line = side.and_then(|side| side.text.lines().nth(edge.site.line.saturating_sub(1) as usize));
        Ok((side.map_or("", |side| side.node(edge.site.node)).to_owned(), line.unwrap_or_default().to_owned()))
    }

    /// Checks whether a function outside the type that extends it has the name of a removed method.
    fn is_extended(&self, lost: &LostName<'_>) -> bool {
        let graph = self.sides.graph;
        let Some(old) = &self.sides.files[lost.changed].old else { return false };
        let markers = &old.language.spec.idioms.extended_markers;
        let extends =
            |id: DefinitionId| markers.iter().any(|marker| graph.signature(id).contains(&format!("({marker}")));
        !markers.is_empty() && graph.named(lost.name).into_iter().any(extends)
    }

    /// Returns the line and the caller of a call in a file that did not change, unless the call now
    /// leads elsewhere.
    fn in_same_file(&self, file: FileId, caller: LocalId, edge: &CallEdge) -> Option<RemainingCall> {
        let caller = self.sides.definition(file, caller);
        let is_relinked = self.is_relinked(caller, edge.site.node, edge.reason)?;
        let around = self.sides.graph.qualified_name(caller).to_owned();
        Some(RemainingCall { line: edge.site.line, node: edge.site.node, around, is_relinked })
    }

    /// Checks whether a call is now linked by name only. Returns `None` if it leads to a definition
    /// that is known as surely as the old one.
    fn is_relinked(&self, caller: DefinitionId, site: u32, reason: CallReason) -> Option<bool> {
        let rows = || self.sides.graph.calls(caller).iter().filter(|row| row.site == site);
        let is_guess = reason == CallReason::Name;
        let is_known = rows().any(|row| is_guess || row.reason() != CallReason::Name);
        (!is_known).then(|| rows().next().is_some())
    }

    /// Returns the line and the caller of the same call in a changed file, if its line still
    /// exists.
    fn in_changed_file(
        &mut self,
        changed: usize,
        file: FileId,
        edge: &CallEdge,
        name: &str,
    ) -> Result<Option<RemainingCall>> {
        let sides = self.sides;
        let changed = &sides.files[changed];
        let (Some(old), Some(new)) = (&changed.old, self.files.side(file)?) else { return Ok(None) };
        let Some(was) = old.text.lines().nth(edge.site.line.saturating_sub(1) as usize) else { return Ok(None) };
        let is_same = |call: &&Call| {
            let line = new.text.lines().nth(call.line.saturating_sub(1) as usize);
            new.called(call) == Some(symbol(name)) && line.is_some_and(|line| line.trim() == was.trim())
        };
        let Some(call) = new.facts.flow.calls.iter().find(is_same) else { return Ok(None) };
        let scope = named_scope(new, call);
        let around = new.facts.definitions[scope].qualified_name.clone();
        let (line, node) = (call.line, call.node);
        let is_relinked = self.is_relinked(sides.definition(file, scope), node, edge.reason);
        Ok(is_relinked.map(|is_relinked| RemainingCall { line, node, around, is_relinked }))
    }
}

/// Checks whether a lost name is that of a method that extends other types (`this string text`),
/// and nothing else has the name.
fn was_only_extension(sides: &Sides<'_>, lost: &LostName<'_>) -> bool {
    let (Some(old), LostItem::Definition(id)) = (&sides.files[lost.changed].old, lost.item) else { return false };
    let is_common = old.language.spec.scopes.common_members.iter().any(|name| name == lost.name);
    is_extension(old.language, &old.facts.definitions[id].signature)
        && !is_common
        && sides.graph.named(lost.name).is_empty()
}

/// Returns the named definition around a call.
fn named_scope(side: &ParsedSide<'_>, call: &Call) -> LocalId {
    let start = side.nodes().get(call.node as usize).map_or(0, |node| node.start);
    let mut scope = scope_at(side, start);
    while side.facts.definitions[scope].name.is_empty() && scope != LocalId::FILE {
        scope = side.facts.definitions[scope].parent;
    }
    scope
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
