//! Calls of extension functions: functions that calls may write like a member of their first
//! argument (`text.Shorten(8)` for `static string Shorten(this string text, int length)`), and
//! methods that extensions add to library types (`fun String.shorten(length: Int)` in Kotlin).
//!
//! - **Invariant:** a member of the object's own type takes precedence. A call whose object or
//!   arguments do not fit reaches no extension function. A call of a plain name, whose object is
//!   unknown, reaches at most [`MAX_BY_NAME`].
//! - **Cost:** one constraint for each call of such a name; each object takes a step of the budget
//!   for each function with the name.

use super::PointsTo;
use super::objects::{AbstractObject, Constraint};
use crate::budget::MAX_BY_NAME;
use crate::file_facts::{FileCall, FileValue};
use crate::names::{Entity, Names};
use crate::overloads::{Argument, fits_labels, select_extensions};
use crate::static_types::{TypeReader, VariableValues};
use crate::type_rules::StaticType;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, LocalId, ValueId};
use whichfn_syntax::parse::Symbol;

impl Names<'_> {
    /// Returns the object that a call writes before the name of a function; `None` if it writes a
    /// type or nothing there.
    pub fn extended_object(&self, file: FileId, call: CallId) -> Option<ValueId> {
        let facts = self.facts(file);
        let FileValue::Access(object, _) = facts.value(facts.call(call).callee) else { return None };
        let is_type = match facts.value(object) {
            // A name that nothing in the repository declares is a type of a library.
            FileValue::Free { symbol, scope } => match self.free(file, scope, symbol) {
                Some(Entity::Definition(id)) => self.kind(id).has_members(),
                Some(Entity::Variable(_)) => false,
                _ => true,
            },
            FileValue::Variable(_) => match self.resolve(file, object, 0) {
                Some(Entity::Definition(id)) => self.kind(id).has_members(),
                _ => false,
            },
            _ => false,
        };
        (!is_type).then_some(object)
    }

    /// Returns a plain name to which no definition, variable or import of the repository gives a
    /// meaning, unless the type around it may inherit the name from a library.
    fn unbound_name(&self, file: FileId, value: ValueId) -> Option<Symbol> {
        match self.facts(file).value(value) {
            FileValue::Free { symbol, scope } => {
                let around = self.type_around(self.offsets(file).definition(scope));
                let may_inherit = || around.is_some_and(|of_type| self.has_outside_base(of_type));
                (self.free(file, scope, symbol).is_none() && !may_inherit()).then_some(symbol)
            }
            FileValue::Variable(variable) => {
                let pointer = self.offsets(file).variable(variable);
                let is_unknown = self.is_imported(pointer) && self.import(pointer, 0).is_none();
                is_unknown.then(|| self.facts(file).variable_name(variable))
            }
            _ => None,
        }
    }

    /// Returns the definitions around a scope, itself included.
    fn functions_around(&self, file: FileId, scope: LocalId) -> Vec<DefinitionId> {
        let (facts, offsets) = (self.facts(file), self.offsets(file));
        let parent = |&local: &LocalId| Some(facts.definition(local).parent).filter(|&parent| parent != local);
        std::iter::successors(Some(scope), parent).map(|local| offsets.definition(local)).collect()
    }

    /// Returns the extensions of the types that the functions around a scope extend; all extensions
    /// if there are none of these.
    fn of_receiver_around(&self, file: FileId, scope: LocalId, all: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let extended = |id: DefinitionId| {
            let (own, local) = self.local(id);
            self.facts(own).definition(local).owner.and_then(|value| self.facts(own).name_of(value))
        };
        let around: Vec<Symbol> = self.functions_around(file, scope).into_iter().filter_map(extended).collect();
        let is_of = |id: &DefinitionId| extended(*id).is_some_and(|name| around.contains(&name));
        let own: Vec<DefinitionId> = all.iter().copied().filter(is_of).collect();
        if own.is_empty() { all } else { own }
    }

    /// Returns the extensions, among those of one name, that a call on an object of unknown type
    /// probably reaches: those in its file, else in its directory, else all. Returns none if there are
    /// more than [`MAX_BY_NAME`].
    fn nearest_extensions(&self, file: FileId, all: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let in_file = |id: &DefinitionId| self.file_of(*id) == file;
        let directory = self.paths.directory_of(file);
        let in_directory = |id: &DefinitionId| self.paths.directory_of(self.file_of(*id)) == directory;
        let near = [&in_file as &dyn Fn(&DefinitionId) -> bool, &in_directory, &|_| true];
        let found = near.iter().map(|is_near| all.iter().copied().filter(is_near).collect::<Vec<_>>());
        let nearest = found.into_iter().find(|found| !found.is_empty()).unwrap_or_default();
        if nearest.len() > MAX_BY_NAME { Vec::new() } else { nearest }
    }

    /// Checks whether the first parameter of a function has exactly the given type.
    fn extends_exactly(&self, id: DefinitionId, of_type: StaticType) -> bool {
        let (file, local) = self.local(id);
        let first = self.facts(file).signature(local).next().filter(|_| self.is_extension(id));
        let declared = match first {
            Some(first) => first.declared,
            None => self.extended_type(file, local),
        };
        declared.and_then(|value| self.declared_type(file, value)).is_some_and(|to| to.is_same(of_type))
    }
}

impl PointsTo<'_, '_> {
    /// Adds constraints for the calls of names that extension functions have.
    pub(super) fn read_extension_calls(&mut self) {
        let facts = self.facts();
        for call in facts.call_ids() {
            if let FileValue::Access(object, name) = facts.value(facts.call(call).callee)
                && !self.names.extensions.get(name).is_empty()
            {
                let object = self.slot_of(object);
                self.constrain(object, Constraint::Extend { call });
            }
            self.extend_implicitly(call);
        }
    }

    /// Handles a call of a plain name that has no other meaning: it may reach an extension that the
    /// file sees, of an object in scope. That object is the receiver of the function around the call,
    /// or of a closure, whose type is seldom known.
    fn extend_implicitly(&mut self, call: CallId) {
        let (file, facts) = (self.current.file, self.facts());
        let FileCall { scope, callee, .. } = facts.call(call);
        let Some(name) = self.names.unbound_name(file, callee) else { return };
        let all = self.names.imported_extensions.get(name);
        let Some(rules) = self.names.type_rules(file).filter(|_| !all.is_empty()) else { return };
        // Closures of library functions have receivers with the members of built-in types.
        let is_imported = matches!(facts.value(callee), FileValue::Variable(_));
        if !is_imported && self.is_common(name) || !self.names.budget.take(all.len()) {
            return;
        }
        // An extension seldom calls itself, but often a member of a library with its name.
        let around = self.names.functions_around(file, scope);
        let arguments: Vec<Argument> = facts.arguments(call).map(|(name, _)| (name, None)).collect();
        let fits = |id: &DefinitionId| fits_labels(self.names, rules, *id, &arguments);
        let visible = all.iter().copied().filter(|id| !around.contains(id) && self.names.may_use(file, scope, *id));
        let visible: Vec<DefinitionId> = visible.filter(fits).collect();
        let selected = if visible.len() > 1 { self.select_among(call, &visible) } else { visible };
        let selected = self.names.of_receiver_around(file, scope, selected);
        if selected.len() <= MAX_BY_NAME {
            selected.into_iter().for_each(|id| self.pass(call, id, true));
        }
    }

    /// Handles a call of such a name on a type of a library: it may reach a function that an extension
    /// adds to that type.
    fn extend_type(&mut self, call: CallId) {
        let (file, facts) = (self.current.file, self.facts());
        let FileValue::Access(of_type, name) = facts.value(facts.call(call).callee) else { return };
        let FileValue::Free { symbol, .. } = facts.value(of_type) else { return };
        let Some(rules) = self.names.type_rules(file) else { return };
        let all = self.names.extensions.get(name);
        if !self.names.budget.take(all.len()) {
            return;
        }
        let is_of_type = |&id: &DefinitionId| {
            let (own, local) = self.names.local(id);
            let extended = self.names.extended_library_type(own, local);
            extended.is_some_and(|value| self.names.facts(own).name_of(value) == Some(symbol))
        };
        let arguments: Vec<Argument> = facts.arguments(call).map(|(name, _)| (name, None)).collect();
        let fitting = all.iter().copied().filter(is_of_type);
        let fitting: Vec<_> = fitting.filter(|&id| fits_labels(self.names, rules, id, &arguments)).collect();
        for id in fitting {
            self.pass(call, id, true);
        }
    }

    /// Handles a call of such a name on `object`.
    pub(super) fn extend(&mut self, call: CallId, object: AbstractObject) {
        let (file, facts) = (self.current.file, self.facts());
        let FileValue::Access(_, name) = facts.value(facts.call(call).callee) else { return };
        let Some(value) = self.names.extended_object(file, call) else { return self.extend_type(call) };
        let of_type = match object {
            AbstractObject::Instance(of_type) => Some(self.names.object_type(of_type)),
            AbstractObject::Foreign | AbstractObject::Unknown => None,
            _ => return,
        };
        let Some(rules) = self.names.type_rules(file) else { return };
        let declares_types = self.declares_types();
        let variables = self.current.variables.get_or_insert_with(|| VariableValues::new(facts));
        let (result, unknown) = (&|call, _| facts.created_type(call), &|_| None::<StaticType>);
        let reader = TypeReader { names: self.names, rules, file, variables, result, object: unknown };
        // An object also represents the library container with a declared type that contains it.
        let is_container = |of: &StaticType| {
            let is_own = |&id: &DefinitionId| self.names.kind(id).has_members();
            self.names.requires_extension_imports(file)
                && of.definition.is_none()
                && !self.names.top.get(of.name).iter().any(is_own)
        };
        let of_type = of_type.and_then(|_| reader.read(value, 0).filter(is_container)).or(of_type);
        if of_type.and_then(|of| of.definition).is_some_and(|of| self.names.member_of_type(of, name).is_some()) {
            return;
        }
        let own = of_type.or_else(|| reader.read(value, 0));
        // Where types are not declared, only a known type shows that the object is one of the library.
        let may_be_other = |of: StaticType| of.definition.is_some_and(|id| self.names.has_outside_base(id));
        if own.is_none_or(may_be_other) && !declares_types {
            return;
        }
        let arguments = facts.arguments(call).map(|(name, value)| (name, reader.read(value, 0)));
        let arguments: Vec<Argument> = std::iter::once((None, own)).chain(arguments).collect();
        let scope = facts.call(call).scope;
        let visible = self.names.extensions.get(name).iter().copied();
        let visible: Vec<_> = visible.filter(|&id| self.names.may_use(file, scope, id)).collect();
        let mut selected = select_extensions(self.names, rules, &visible, &arguments);
        if own.is_none() && self.names.requires_extension_imports(file) {
            selected = self.names.nearest_extensions(file, selected);
        }
        // A library type's own member takes precedence, but an extension of exactly that type shows
        // that it has none.
        let exact = |id: &DefinitionId| own.is_some_and(|own| self.names.extends_exactly(*id, own));
        if of_type.is_some() || !self.is_common(name) || selected.iter().any(exact) {
            for id in selected {
                if self.names.is_extension(id) {
                    self.pass_extended(call, id, value);
                } else {
                    self.bind_receiver(id, object);
                    self.pass(call, id, true);
                }
            }
        }
    }
}
