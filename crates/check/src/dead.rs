//! The rule `dead`: a function lost its last caller through the change, and nothing else refers to
//! it.
//!
//! A function is reported if all of the following are true:
//! - it existed before the change, and a changed file called a function with its name before, but
//!   no longer does;
//! - it has no caller in the graph, and its name occurs nowhere else in any indexed file: not as a
//!   value, nor in a string, a template or plain text, and code does not compute it
//!   ([`super::mentions`]);
//! - only the repository can call it, according to `[api]` of its language, or it is nested in
//!   another function ([`super::private`]);
//! - all calls of its language are linked;
//! - it is not a test or a sample, a constructor, or a function that the language itself or a macro
//!   calls;
//! - it has no decorator or attribute, and neither its name, its header nor the comment before it
//!   shows that it is unused on purpose.
//!
//! **Cost:** nothing if no call was removed; otherwise one pass over the text of all files, for all
//! such names together.
//!
//! **Alternatives:** public functions are not reported, because their other callers may be outside
//! the repository.

use super::finding::{Finding, FindingLocation, Rule};
use super::mentions::{mentioned, word_of};
use super::private::{is_component, is_decorated, is_hook, is_in_macro, is_internal, is_kept, is_value, matches};
use super::sides::{ChangedFile, ParsedSide, Sides};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::cell::OnceCell;
use std::collections::BTreeMap;
use whichfn_search::search::is_vendored_path;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{DefinitionKind, LangId, callee_name};
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::file_name;

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
        let named = sides.graph.named(name).into_iter();
        let may_be_dead = |&id: &DefinitionId| {
            let file = sides.graph.definition(id).file;
            existed_before(sides, id) && may_be_dead(sides, id, &LazyText::new(sides, file))
        };
        candidates.extend(named.filter(may_be_dead).map(|id| (id, call)));
    }
    candidates.sort_by_key(|(id, _)| *id);
    let mentioned = mentioned(sides, &candidates.iter().map(|(id, _)| *id).collect::<Vec<_>>());
    let unmentioned = candidates.into_iter().filter(|(id, _)| !mentioned.contains(id));
    unmentioned.map(|(id, call)| finding(sides, id, vec![call.location.clone()], "anymore")).collect()
}

/// Returns a finding for each function of the repository that nothing refers to.
pub(super) fn all_dead(sides: &Sides<'_>) -> Vec<Finding> {
    let files: Vec<FileId> = sides.graph.file_ids().collect();
    let in_file = |file: FileId| {
        let text = LazyText::new(sides, file);
        sides.graph.definitions_of(file).filter(|&id| may_be_dead(sides, id, &text)).collect::<Vec<_>>()
    };
    let candidates: Vec<DefinitionId> = files.into_par_iter().flat_map_iter(in_file).collect();
    let mentioned = mentioned(sides, &candidates);
    let unmentioned = candidates.into_iter().filter(|id| !mentioned.contains(id));
    unmentioned.map(|id| finding(sides, id, Vec::new(), "")).collect()
}

fn finding(sides: &Sides<'_>, id: DefinitionId, related: Vec<FindingLocation>, since: &str) -> Finding {
    let message =
        format!("nothing calls or refers to {} {since}", sides.graph.qualified_name(id)).trim_end().to_owned();
    Finding { rule: Rule::Dead, location: sides.location(id, ""), message, related, is_guess: false }
}

/// Returns the names that a file no longer calls, each with a call that was removed.
fn removed_calls(changed: &ChangedFile<'_>) -> Vec<(String, RemovedCall)> {
    let Some(old) = &changed.old else { return Vec::new() };
    let calls_of = |side: &ParsedSide<'_>| -> Vec<Symbol> {
        side.facts.flow.calls.iter().filter_map(|c| side.called(c)).collect()
    };
    let current: FxHashSet<Symbol> = changed.new.iter().flat_map(calls_of).collect();
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

/// The text of a file, which is read when it is first needed.
struct LazyText<'s, 'a> {
    sides: &'s Sides<'a>,
    file: FileId,
    text: OnceCell<String>,
}

impl<'s, 'a> LazyText<'s, 'a> {
    fn new(sides: &'s Sides<'a>, file: FileId) -> Self {
        Self { sides, file, text: OnceCell::new() }
    }

    fn get(&self) -> &str {
        self.text.get_or_init(|| self.sides.sources().text(self.file).to_string())
    }
}

/// Checks whether a function can be dead: it has no callers, and code outside the repository cannot
/// call it.
fn may_be_dead(sides: &Sides<'_>, id: DefinitionId, text: &LazyText<'_, '_>) -> bool {
    let (graph, row) = (sides.graph, sides.graph.definition(id));
    let is_function = row.kind().is_function() && row.kind() != DefinitionKind::Macro;
    if !is_function || row.is_test() || graph.callers(id).iter().any(|&caller| caller != id) {
        return false;
    }
    let Some(language) = sides.language(row.file) else { return false };
    if graph.language(row.file).is_some_and(|number| !sides.is_linked(LangId(number))) {
        return false;
    }
    let (api, file) = (&language.spec.api, file_name(graph.path(row.file)));
    if language.is_test_path(graph.path(row.file))
        || sides.registry.is_sample(graph.path(row.file))
        || is_vendored_path(graph.path(row.file))
        || is_hook(language, graph.name(id))
        || is_component(sides, id)
        || word_of(graph.name(id)).is_empty()
        || matches(&api.shared_files, file)
    {
        return false;
    }
    let text = text.get();
    // An attribute of such a block applies to its functions.
    let is_of_extension = |id: DefinitionId| graph.definition(id).kind() == DefinitionKind::Extension;
    let extensions = || around(sides, id).filter(|&id| is_of_extension(id)).map(|id| graph.definition(id));
    !is_decorated(language, row, text)
        && !extensions().any(|row| is_decorated(language, row, text))
        && !is_value(graph, id, text)
        && is_internal(sides, language, id, text)
        && !around(sides, id).any(|id| is_kept(language, graph.name(id), graph.definition(id), text))
        && !is_in_macro(language, row, text)
}

/// Returns a definition and those around it, from the inside out, without the file.
fn around<'s>(sides: &'s Sides<'_>, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + 's {
    let all = std::iter::successors(Some(id), |&id| Some(sides.graph.definition(id).parent));
    all.take_while(|&id| sides.graph.definition(id).parent != id)
}

/// Checks whether a function existed before the change.
fn existed_before(sides: &Sides<'_>, id: DefinitionId) -> bool {
    let Some(changed) = sides.changed(sides.graph.definition(id).file) else { return true };
    changed.old.as_ref().is_some_and(|old| old.functions().contains_key(sides.graph.qualified_name(id)))
}
