//! Finds calls of extensions, and of overloads with labels, that no longer match, by the links before
//! the change. The index links a call to an extension of a library type, or to one of several
//! functions with labels, only if the arguments fit, so it has no link for a call that the change
//! left behind.
//!
//! **Cost:** nothing if no such function changed its parameters; otherwise linking the files that the
//! change affects as they were before.

use super::before::{ChangedGroups, State, edges_before, packed_facts};
use super::finding::FindingLocation;
use super::fit::Arguments;
use super::lost::is_extension;
use super::lost_calls::LostCalls;
use super::parameters_change::{Misfit, ParametersChange};
use super::sides::{ParsedFiles, ParsedSide, Sides};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_graph::CallReason;
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, LangId};
use whichfn_syntax::parse::Definition;
use whichfn_system::error::Result;

/// Returns the calls without a link that matched such a function before the change and match it no
/// longer, by function.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn former_misfits(
    sides: &Sides<'_>,
    changes: &BTreeMap<DefinitionId, ParametersChange>,
) -> Result<BTreeMap<DefinitionId, Vec<Misfit>>> {
    let extensions = changed_extensions(sides, changes);
    let mut found: BTreeMap<DefinitionId, Vec<Misfit>> = BTreeMap::new();
    if extensions.is_empty() {
        return Ok(found);
    }
    let groups = ChangedGroups::new(sides, extensions.keys().map(|&(changed, _)| changed));
    let packed = packed_facts(sides);
    let is_linked = |language: Option<LangId>| groups.contain(language);
    let (before, after) = (State::before(sides, &packed, &is_linked), State::after(sides, &is_linked));
    let edges = edges_before(sides, &before, &after);
    let local = before.locals();
    let mut files = ParsedFiles::new(sides);
    for edge in edges.iter().filter(|edge| !edge.reason.is_implied()) {
        let (file, callee) = local(edge.callee);
        let Some(&id) = before.changed[file].and_then(|changed| extensions.get(&(changed, callee))) else { continue };
        let mut calls = LostCalls { sides, before: &before, files: &mut files };
        let Some((now, call)) = calls.remaining(edge, sides.graph.name(id))? else { continue };
        let Some(side) = files.side(now)? else { continue };
        let is_touched = sides.changed(now).is_some_and(|changed| changed.touches((call.line, call.line)));
        let arguments = side.facts.flow.calls.iter().find(|one| one.node == call.node && !is_touched);
        let arguments = arguments.and_then(|call| Arguments::from_call(side, call));
        let Some(note) = arguments.and_then(|arguments| changes[&id].mismatch(&arguments)) else { continue };
        let (path, line, name) = (sides.graph.path(now).to_owned(), call.line, call.around);
        let location = FindingLocation { path, line, name, note };
        found.entry(id).or_default().push(Misfit { location, is_guess: edge.reason == CallReason::Name });
    }
    Ok(found)
}

/// Returns the extensions and the overloads with labels among the functions whose parameters changed,
/// by their changed file and their number in it before the change.
fn changed_extensions(
    sides: &Sides<'_>,
    changes: &BTreeMap<DefinitionId, ParametersChange>,
) -> FxHashMap<(usize, LocalId), DefinitionId> {
    let mut found = FxHashMap::default();
    for &id in changes.keys() {
        let row = sides.graph.definition(id);
        let (Some(changed), name) = (sides.changed_index(row.file), sides.graph.qualified_name(id)) else { continue };
        let Some(old) = &sides.files[changed].old else { continue };
        let same = old.facts.definitions.enumerate().filter(|(_, one)| one.qualified_name == name);
        let is_labeled = changes[&id].is_of_overloads() && !old.language.spec.types.unlabeled.is_empty();
        let same = same.filter(|(_, one)| is_labeled || extends(old, one));
        found.extend(same.map(|(local, _)| ((changed, local), id)));
    }
    found
}

/// Checks whether a function extends a type that is declared elsewhere.
fn extends(side: &ParsedSide<'_>, definition: &Definition) -> bool {
    let is_inside = |parent: LocalId| side.facts.definitions[parent].kind == DefinitionKind::Extension;
    definition.kind.is_function()
        && (definition.owner.is_some()
            || is_inside(definition.parent)
            || is_extension(side.language, &definition.signature))
}
