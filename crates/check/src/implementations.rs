//! Implementations that a change left behind: a method was removed or its parameters changed, but the
//! interface, trait or base type that declares it is the same, or a method is marked as an override
//! and overrides nothing.
//!
//! **Cost:** a walk over the supertypes of each type with such a method, and parsing the files of the
//! methods found.

use super::bases::may_inherit;
use super::finding::{Finding, FindingLocation, Rule};
use super::head::{ParameterList, end_of_name};
use super::names::outside_brackets;
use super::overrides::overrides;
use super::private::{has_word, is_decorated};
use super::sides::{ParsedFiles, ParsedSide, Sides};
use whichfn_index::store::TypeGraph;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, Interfaces};
use whichfn_syntax::parse::{Definition, symbol};
use whichfn_system::error::Result;
use whichfn_text::occurrences;

/// Returns a finding for each method that no longer implements or overrides what it did.
///
/// # Errors
/// Returns an error if a language's data files are invalid.
pub(super) fn broken_implementations<'s, 'a>(
    sides: &'s Sides<'a>,
    files: &mut ParsedFiles<'s, 'a>,
) -> Result<Vec<Finding>> {
    let types = TypeGraph::new(sides.graph, sides.registry);
    let mut search = ImplementationSearch { sides, types, files };
    let mut found = Vec::new();
    for changed in &sides.files {
        let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { continue };
        let (before, after) = (old.functions(), new.functions());
        for (_, (_, was)) in before.iter().filter(|(name, _)| !has_function(new, name)) {
            found.extend(search.removed((old, new), (file, was))?);
        }
        for (name, (local, now)) in after {
            let id = sides.definition(file, local);
            found.extend(match before.get(name) {
                Some((_, was)) => search.changed(id, (old.head(was), new.head(now)), header(new, now))?,
                None => search.overriding_nothing(id, new, now),
            });
        }
    }
    Ok(found)
}

struct ImplementationSearch<'f, 's, 'a> {
    sides: &'s Sides<'a>,
    types: TypeGraph<'a>,
    files: &'f mut ParsedFiles<'s, 'a>,
}

impl ImplementationSearch<'_, '_, '_> {
    /// Returns a finding about a removed method that its type has to have.
    fn removed(
        &mut self,
        (old, new): (&ParsedSide<'_>, &ParsedSide<'_>),
        (file, was): (FileId, &Definition),
    ) -> Result<Option<Finding>> {
        let (sides, rules) = (self.sides, &new.language.spec.dispatch);
        if rules.interfaces == Interfaces::Structural
            || (rules.body_signs.is_empty() && rules.abstract_marks.is_empty())
        {
            return Ok(None);
        }
        let around = &old.facts.definitions[was.parent];
        let Some(local) = same_type(new, around) else { return Ok(None) };
        let id = sides.definition(file, local);
        let is_left_open = has_word(&rules.open_words, &new.facts.definitions[local].signature)
            || (!rules.abstract_marks.is_empty() && !self.types.subtypes(id).is_empty());
        if is_left_open || has_value(new, local, &was.name) {
            return Ok(None);
        }
        let named = self.methods_above(id, &was.name);
        let mut declared = None;
        for method in named {
            match self.is_abstract(method)? {
                true => declared = declared.or(Some(method)),
                false => return Ok(None),
            }
        }
        let Some(method) = declared else { return Ok(None) };
        let row = sides.graph.definition(id);
        let is_guess =
            may_inherit(sides, id, &was.name) || is_decorated(new.language, row, &new.text) || new.facts.has_errors;
        let message = format!(
            "{} no longer has {}, which {} requires",
            sides.graph.qualified_name(id),
            was.name,
            sides.graph.name(sides.graph.definition(method).parent)
        );
        let related = vec![sides.location(method, "declares it")];
        Ok(Some(self.finding(id, message, related, is_guess)))
    }

    /// Returns a finding about a method whose parameters no longer match those of a method that it
    /// implemented.
    fn changed(
        &mut self,
        id: DefinitionId,
        heads: (Option<ParameterList>, Option<ParameterList>),
        header: &str,
    ) -> Result<Option<Finding>> {
        let (Some(old), Some(new)) = heads else { return Ok(None) };
        let (sides, graph) = (self.sides, self.sides.graph);
        let Some(language) = sides.language(graph.definition(id).file).filter(|_| old != new) else { return Ok(None) };
        let rules = &language.spec.dispatch;
        let is_block = graph.definition(graph.definition(id).parent).kind() == DefinitionKind::Extension;
        // Elsewhere, the method is now an overload of the one that it inherits.
        let has_to_override = !language.spec.scopes.overloads || is_block || has_word(&rules.override_marks, header);
        let mut lost = None;
        for base in graph.named(graph.name(id)).into_iter().filter(|&base| base != id) {
            if graph.definition(base).parent == graph.definition(id).parent {
                // Another method with that name may be the implementation.
                return Ok(None);
            }
            if !self.types.redeclared(base).contains(&id) {
                continue;
            }
            let Some(head) = self.head(base)? else { return Ok(None) };
            if overrides(&new, &head, rules) {
                return Ok(None);
            }
            if overrides(&old, &head, rules) && (has_to_override || self.is_abstract(base)?) {
                lost = lost.or(Some((base, head)));
            }
        }
        let Some((base, head)) = lost else { return Ok(None) };
        let message = format!(
            "signature of {} changed from {} to {}; it no longer matches {}",
            graph.qualified_name(id),
            old.shown(),
            new.shown(),
            graph.qualified_name(base)
        );
        let is_guess = !(rules.same_parameters || language.spec.idioms.checks_types);
        let related = vec![sides.location(base, &format!("takes {}", head.shown()))];
        Ok(Some(self.finding(id, message, related, is_guess)))
    }

    /// Returns a finding about a new method that is marked as an override, if no base has it.
    fn overriding_nothing(&self, id: DefinitionId, side: &ParsedSide<'_>, now: &Definition) -> Option<Finding> {
        let (sides, graph, spec) = (self.sides, self.sides.graph, &side.language.spec);
        let owner = self.types.type_of(id).filter(|_| has_word(&spec.dispatch.override_marks, header(side, now)))?;
        let above = self.types.supertypes(owner);
        // A type without constructors or a destructor has them, too.
        let is_implied = spec.scopes.constructors.contains(&now.name) || now.name.starts_with('~');
        let is_known =
            is_implied || spec.scopes.object_members.contains(&now.name) || may_inherit(sides, owner, &now.name);
        if above.is_empty() || is_known || !self.methods_above(owner, &now.name).iter().all(|&other| other == id) {
            return None;
        }
        // Fields, declarations and macros may declare it, too.
        let is_mentioned = |base: DefinitionId| {
            let row = graph.definition(base);
            let text = sides.sources().text(row.file);
            let own = text.get(row.start_byte as usize..row.end_byte as usize).unwrap_or_default();
            occurrences(own, &now.name).next().is_some()
        };
        let message = format!("{} is marked as an override, but overrides nothing", graph.qualified_name(id));
        (!above.iter().any(|base| is_mentioned(base.id))).then(|| self.finding(id, message, Vec::new(), false))
    }

    fn finding(&self, id: DefinitionId, message: String, related: Vec<FindingLocation>, is_guess: bool) -> Finding {
        Finding { rule: Rule::Callers, location: self.sides.location(id, ""), message, related, is_guess }
    }

    /// Returns the methods with a name of a type and of its supertypes; of a block that implements a
    /// trait, the methods of the trait.
    fn methods_above(&self, id: DefinitionId, name: &str) -> Vec<DefinitionId> {
        let graph = self.sides.graph;
        let owner = self.types.type_of(id).unwrap_or(id);
        let is_block = graph.definition(id).kind() == DefinitionKind::Extension && graph.bases(id).next().is_some();
        let types: Vec<DefinitionId> = match is_block {
            true => graph.bases(id).collect(),
            false => self.types.supertypes(owner).into_iter().map(|one| one.id).chain([owner]).collect(),
        };
        let is_there = |&method: &DefinitionId| {
            let is_of = |of| types.contains(&of);
            graph.definition(method).kind().is_function() && self.types.type_of(method).is_some_and(is_of)
        };
        graph.named(name).into_iter().filter(is_there).collect()
    }

    /// Checks whether a method has to be implemented.
    fn is_abstract(&mut self, method: DefinitionId) -> Result<bool> {
        let (row, local) = (self.sides.graph.definition(method), self.sides.graph.local(method));
        let Some(side) = self.files.side(row.file)? else { return Ok(false) };
        let rules = &side.language.spec.dispatch;
        let Some(definition) = side.facts.definitions.get(local) else { return Ok(false) };
        let text = side.text_of(definition);
        let (before, after) = text.split_at(end_of_name(text, definition).unwrap_or_default());
        let may_be_left_out = after.starts_with('?') || has_word(&rules.optional_words, before);
        let has_mark = has_word(&rules.abstract_marks, before);
        let has_body = rules.body_signs.iter().any(|sign| outside_brackets(after, sign).is_some());
        Ok((has_mark || !rules.body_signs.is_empty() && !has_body) && !may_be_left_out)
    }

    fn head(&mut self, method: DefinitionId) -> Result<Option<ParameterList>> {
        let local = self.sides.graph.local(method);
        let side = self.files.side(self.sides.graph.definition(method).file)?;
        Ok(side.and_then(|side| side.head(side.facts.definitions.get(local)?)))
    }
}

/// Returns the text of a method before its body.
fn header<'s>(side: &'s ParsedSide<'_>, method: &Definition) -> &'s str {
    side.text_of(method).split(['{', '=', ';']).next().unwrap_or_default()
}

/// Checks whether a file has a function with a qualified name, or several.
fn has_function(side: &ParsedSide<'_>, name: &str) -> bool {
    side.facts.definitions.iter().any(|one| one.kind.is_function() && one.qualified_name == name)
}

/// Returns the type or block after the change that a type or block became, if it has bases and is no
/// interface.
fn same_type(side: &ParsedSide<'_>, was: &Definition) -> Option<LocalId> {
    let is_open = matches!(was.kind, DefinitionKind::Interface | DefinitionKind::Trait | DefinitionKind::Enum);
    let is_same = |one: &Definition| {
        (one.kind, &one.qualified_name) == (was.kind, &was.qualified_name)
            && (one.kind != DefinitionKind::Extension || one.signature == was.signature)
    };
    let mut same = side.facts.definitions.enumerate().filter(|(_, one)| is_same(one));
    let found = same.next().filter(|_| !is_open && was.kind.has_members() && !was.bases.is_empty());
    found.filter(|_| same.next().is_none()).map(|(local, _)| local)
}

/// Checks whether a type has a field or variable with a name.
fn has_value(side: &ParsedSide<'_>, of: LocalId, name: &str) -> bool {
    let variables = &side.facts.flow.variables;
    side.facts.named_values.iter().any(|value| value.parent == of && value.name == name)
        || variables.iter().any(|one| one.scope == of && one.symbol == symbol(name))
}
