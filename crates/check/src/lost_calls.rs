//! Finds calls of removed methods by the links before the change.

use super::before::State;
use super::lost::is_extension;
use super::lost_name::{LostItem, LostName};
use super::names::{line_at, may_have_type};
use super::proof::{may_have_method, names_type};
use super::references::{Reference, ReferenceForm};
use super::sides::{ParsedFiles, ParsedSide, Sides};
use rustc_hash::FxHashMap;
use whichfn_graph::{CallEdge, CallReason};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::parse::{Call, symbol};
use whichfn_system::error::Result;
use whichfn_text::occurrences;

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
    /// Returns the calls of lost methods, each with the number of the method in `lost`.
    pub fn find(&mut self, lost: &[LostName<'_>], edges: &[CallEdge]) -> Result<Vec<(usize, Reference)>> {
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
    let mut scope = side.scope_at(start);
    while side.facts.definitions[scope].name.is_empty() && scope != LocalId::FILE {
        scope = side.facts.definitions[scope].parent;
    }
    scope
}
