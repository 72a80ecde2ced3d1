//! The rule `callers`: the parameters of a function changed, and unchanged calls no longer match
//! them.
//!
//! **Cost:** the callers' files are parsed again, but only for functions whose parameters changed.

use super::finding::{Finding, FindingLocation, Rule};
use super::fit::Arguments;
use super::former_calls::former_misfits;
use super::head::ParameterList;
use super::ignored::without_ignored_places;
use super::implementations::broken_implementations;
use super::lost::is_extension;
use super::names::{line_at, may_have_type};
use super::overrides::outdated_overrides;
use super::parameters_change::{Misfit, ParametersChange};
use super::proof::names_type;
use super::sides::{ChangedFile, ParsedFiles, ParsedSide, Sides};
use super::tests_of_name::is_tested;
use regex::Regex;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use whichfn_graph::CallReason;
use whichfn_index::store::CallRow;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{ExpressionForm, FlowKind};
use whichfn_syntax::parse::Call;
use whichfn_system::error::Result;
use whichfn_text::{occurrences, prefix};

/// Maximum number of bytes of a declaration that are searched for default values.
const LONGEST_DECLARATION: usize = 2_000;

fn shown(lists: &[ParameterList]) -> String {
    lists.iter().map(ParameterList::shown).collect::<Vec<_>>().join(" or ")
}

/// Returns a finding for each function whose parameters changed and that has calls that no longer
/// match.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn callers(sides: &Sides<'_>) -> Result<Vec<Finding>> {
    let changes: BTreeMap<DefinitionId, ParametersChange> =
        sides.files.iter().flat_map(|file| head_changes(sides, file)).collect();
    let mut former = former_misfits(sides, &changes)?;
    let mut reader = CallReader::new(sides);
    let (mut found, mut reported) = (Vec::new(), FxHashSet::default());
    for (&id, change) in &changes {
        let mut misfits = reader.misfits(id, change, &changes)?;
        misfits.extend(former.remove(&id).unwrap_or_default());
        misfits.sort();
        misfits.dedup();
        let overrides = match (&change.old[..], &change.new[..]) {
            ([old], [new]) => outdated_overrides(sides, &mut reader.files, id, (old, new))?,
            _ => Vec::new(),
        };
        // Without types, nothing requires that an override matches.
        let is_typed = sides.language(sides.graph.definition(id).file).is_some_and(|l| l.spec.dispatch.same_parameters);
        let is_guess = misfits.iter().all(|misfit| misfit.is_guess) && (overrides.is_empty() || !is_typed);
        let misfits = misfits.into_iter().filter(|misfit| misfit.is_guess == is_guess);
        let mut related: Vec<FindingLocation> = misfits.map(|misfit| misfit.location).collect();
        let calls: FxHashSet<FindingLocation> = related.iter().cloned().collect();
        related.extend(overrides);
        // Overloads have the same calls that fit none of them any longer.
        let name = sides.graph.qualified_name(id).to_owned();
        if change.is_of_overloads() && !reported.insert((sides.graph.definition(id).file, name, related.clone())) {
            continue;
        }
        let related = without_ignored_places(sides, Rule::Callers, related);
        let count = related.iter().filter(|place| calls.contains(*place)).count();
        let known = sides.known();
        let calls = match (count, related.len() - count) {
            (0, 0) => continue,
            (1, 0) => format!("1 {known}unmodified call no longer matches"),
            (0, 1) => format!("1 {known}unmodified override no longer matches"),
            (count, 0) => format!("{count} {known}unmodified calls no longer match"),
            (0, count) => format!("{count} {known}unmodified overrides no longer match"),
            (_, _) => format!("{} {known}unmodified calls and overrides no longer match", related.len()),
        };
        let (name, old, new) = (sides.graph.qualified_name(id), shown(&change.old), shown(&change.new));
        let message = format!("signature of {name} changed from {old} to {new}; {calls}");
        found.push(Finding { rule: Rule::Callers, location: sides.location(id, ""), message, related, is_guess });
    }
    found.extend(broken_implementations(sides, &mut reader.files)?);
    Ok(found)
}

fn head_changes(sides: &Sides<'_>, changed: &ChangedFile<'_>) -> Vec<(DefinitionId, ParametersChange)> {
    let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { return Vec::new() };
    let before = old.functions();
    let constructors = old.constructors();
    let constructor = |(name, (local, new)): (&str, (_, ParameterList))| {
        let old = constructors.get(name).map(|(_, old)| old.clone()).filter(|old| *old != new)?;
        Some((sides.definition(file, local), ParametersChange::single(old, new)))
    };
    let change = |(name, (local, now)): (&str, (_, _))| {
        let (_, was) = before.get(name)?;
        let (mut old_head, mut new_head) = (old.head(was)?, new.head(now)?);
        if old_head == new_head {
            return None;
        }
        if new.language.spec.modules.include {
            let may_be_left_out = declared_defaults(sides, &now.name);
            let parameters = old_head.parameters.iter_mut().chain(&mut new_head.parameters);
            parameters.for_each(|parameter| parameter.optional |= may_be_left_out.contains(&parameter.name));
        }
        if new.language.spec.idioms.missing_arguments {
            make_tested_optional(&mut old_head, old.text_of(was));
            make_tested_optional(&mut new_head, new.text_of(now));
        }
        Some((sides.definition(file, local), ParametersChange::single(old_head, new_head)))
    };
    let functions = new.functions().into_iter().filter_map(change);
    let constructors = new.constructors().into_iter().filter_map(constructor);
    functions.chain(constructors).chain(overload_changes(sides, file, (old, new))).collect()
}

/// Returns the changes of functions that share a name with others before or after the change.
fn overload_changes(
    sides: &Sides<'_>,
    file: FileId,
    (old, new): (&ParsedSide<'_>, &ParsedSide<'_>),
) -> Vec<(DefinitionId, ParametersChange)> {
    let mut found = Vec::new();
    // A call may leave out arguments that the header does not show to be optional.
    if new.language.spec.idioms.missing_arguments || new.language.spec.modules.include {
        return found;
    }
    let before = old.overloads();
    for (name, now) in new.overloads() {
        let Some(was) = before.get(name).filter(|was| was.len() + now.len() > 2) else { continue };
        let lists = |all: &[(LocalId, ParameterList)]| all.iter().map(|(_, list)| list.clone()).collect::<Vec<_>>();
        let (old, new) = (lists(was), lists(&now));
        if old.iter().all(|list| new.contains(list)) {
            continue;
        }
        let change = |&(id, _): &(LocalId, _)| {
            (sides.definition(file, id), ParametersChange { old: old.clone(), new: new.clone() })
        };
        found.extend(now.iter().map(change));
    }
    found
}

/// Marks the parameters that a function's body compares with nothing as optional, for languages in
/// which a call may leave out any argument: `callback && callback()`.
fn make_tested_optional(head: &mut ParameterList, body: &str) {
    for parameter in &mut head.parameters {
        parameter.optional |= !parameter.name.is_empty() && is_tested(body, &parameter.name);
    }
}

/// Returns the names of parameters that have a default value in a declaration of the function. This
/// matters for languages in which declarations are separate from definitions (C++).
fn declared_defaults(sides: &Sides<'_>, name: &str) -> FxHashSet<String> {
    let Ok(defaults) = Regex::new(r"(\w+)\s*=[^=]") else { return FxHashSet::default() };
    let mut found = FxHashSet::default();
    for file in sides.graph.file_ids() {
        let text = sides.sources().text(file);
        for at in occurrences(&text, name) {
            let head = text[at + name.len()..].split([';', '{']).next().unwrap_or_default();
            let head = head.trim_start().strip_prefix('(').map_or("", |list| prefix(list, LONGEST_DECLARATION));
            found.extend(defaults.captures_iter(head).map(|found| found[1].to_owned()));
        }
    }
    found
}

/// Finds calls that no longer match, and parses the callers' files as needed.
pub(super) struct CallReader<'s, 'a> {
    sides: &'s Sides<'a>,
    files: ParsedFiles<'s, 'a>,
}

impl<'s, 'a> CallReader<'s, 'a> {
    pub fn new(sides: &'s Sides<'a>) -> Self {
        Self { sides, files: ParsedFiles::new(sides) }
    }

    fn misfits(
        &mut self,
        id: DefinitionId,
        change: &ParametersChange,
        changes: &BTreeMap<DefinitionId, ParametersChange>,
    ) -> Result<Vec<Misfit>> {
        let graph = self.sides.graph;
        let mut found = Vec::new();
        for &caller in graph.callers(id) {
            let calls = graph.calls(caller);
            for row in calls.iter().filter(|row| row.callee == id) {
                // A call that may also reach an unchanged function with the same name, or another
                // constructor, may target that function.
                let mut others = calls.iter().filter(|other| other.site == row.site && other.callee != id);
                let is_constructor = |id: DefinitionId| graph.name(id) == graph.name(graph.definition(id).parent);
                let is_alike = |other: DefinitionId| {
                    graph.name(other) == graph.name(id) || (is_constructor(other) && is_constructor(id))
                };
                if others.any(|other| is_alike(other.callee) && !changes.contains_key(&other.callee)) {
                    continue;
                }
                if let Some(note) = self.misfit(caller, row, change)? {
                    let location = FindingLocation { line: row.line, ..self.sides.location(caller, &note) };
                    found.push(Misfit { location, is_guess: row.reason() == CallReason::Name });
                }
            }
        }
        Ok(found)
    }

    fn misfit(&mut self, caller: DefinitionId, row: &CallRow, change: &ParametersChange) -> Result<Option<String>> {
        let graph = self.sides.graph;
        let (name, owner) = (graph.name(row.callee), graph.name(graph.definition(row.callee).parent));
        let Some((side, call)) = self.unmodified_call(caller, row)? else { return Ok(None) };
        // Other code calls a function that a symbol or text names, with arguments of its own.
        let kind = side.nodes().get(call.node as usize).map_or(0, |node| node.kind);
        if side.language.meaning(kind).is_quoted() {
            return Ok(None);
        }
        // A call of an extension through its type passes the object in the brackets.
        let text = side.node(call.node);
        if change.old.iter().any(|list| list.extended.is_some()) && names_type(text, name, owner) {
            return Ok(None);
        }
        let arguments = Arguments::from_call(side, call);
        Ok(arguments.and_then(|arguments| change.mismatch(&arguments)))
    }

    /// Returns a call and its file, unless the change modified its lines, or the call is linked by
    /// name only and its object's name does not resemble the type's name.
    pub fn unmodified_call(&mut self, caller: DefinitionId, row: &CallRow) -> Result<Option<(&ParsedSide<'a>, &Call)>> {
        let around = self.sides.graph.definition(caller);
        // A framework calls the handler of an entry, and the language the method of an operator.
        let is_implied = around.kind().is_registered() && around.node == row.site;
        if is_implied || row.reason().is_implied() {
            return Ok(None);
        }
        let file = around.file;
        let changed = self.sides.changed(file);
        let Some(side) = self.files.side(file)? else { return Ok(None) };
        let call = side.facts.flow.calls.iter().find(|call: &&Call| call.node == row.site);
        let graph = self.sides.graph;
        let owner = graph.name(graph.definition(row.callee).parent);
        let is_plausible = |call: &&Call| {
            let text = side.node(call.node);
            let name = graph.name(row.callee);
            let is_only_extension =
                || is_extension(side.language, graph.signature(row.callee)) && graph.named(name).len() == 1;
            row.reason() != CallReason::Name || may_have_type(text, name, owner) || is_only_extension()
        };
        let is_unmodified = |call: &&Call| {
            let lines = chain_lines(side, call);
            !changed.is_some_and(|changed| changed.touches(lines))
        };
        Ok(call.filter(is_plausible).filter(is_unmodified).map(|call| (side, call)))
    }
}

/// Returns the first and the last line of a call and the calls and members after it:
/// `load().lines().next()?`.
fn chain_lines(side: &ParsedSide<'_>, call: &Call) -> (u32, u32) {
    let nodes = side.nodes();
    let Some(node) = nodes.get(call.node as usize) else { return (call.line, call.line) };
    let (start, mut at, mut end) = (node.start, call.node, node.end);
    while let Some(parent) = nodes.get(nodes[at as usize].parent as usize).filter(|parent| parent.start == start) {
        let meaning = side.language.meaning(parent.kind);
        let is_link = matches!(meaning.form, ExpressionForm::Access(..))
            || meaning.flow & (FlowKind::Calls.bit() | FlowKind::Awaits.bit()) != 0
            || parent.end - end == 1;
        if !is_link || nodes[at as usize].parent == at {
            break;
        }
        (at, end) = (nodes[at as usize].parent, parent.end);
    }
    (call.line.min(line_at(&side.text, start as usize)), line_at(&side.text, end as usize))
}
