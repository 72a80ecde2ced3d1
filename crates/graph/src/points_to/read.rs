//! Reads the facts of a file as constraints between pointers.

use super::PointsTo;
use super::objects::{AbstractObject, Constraint};
use crate::file_facts::FileValue;
use crate::names::Entity;
use std::collections::BTreeMap;
use whichfn_syntax::ids::{DefinitionId, LocalId, SlotId, ValueId, VariableId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::AssignmentTarget;

impl<'a, 'n> PointsTo<'a, 'n> {
    /// Converts the values of the current file to constraints.
    pub fn read_file(&mut self) {
        let facts = self.facts();
        self.current.traits = self.names.traits_in_scope(self.current.file);
        self.read_exact_types();
        self.read_function_variables();
        for value in facts.value_ids() {
            self.read_value(value, facts.value(value));
        }
        self.read_imports();
        self.read_bindings();
        self.read_returns_and_calls();
        self.read_receivers();
        self.share_members();
    }

    /// Lets the variables of struct types point to objects of these types, and to no others.
    fn read_exact_types(&mut self) {
        let file = self.current.file;
        if !self.names.scopes(file).is_some_and(|scopes| scopes.exact_structs) {
            return;
        }
        // A variable may be declared with an interface and then get an object of a struct.
        let mut known: BTreeMap<VariableId, Option<Vec<DefinitionId>>> = BTreeMap::new();
        for (target, value) in self.facts().bindings() {
            if let (AssignmentTarget::Variable(variable), FileValue::Instance(of_type)) =
                (target, self.facts().value(value))
            {
                let types = self.names.exact_structs(file, of_type);
                let all = known.entry(variable).or_insert_with(|| Some(Vec::new()));
                *all = all.take().zip(types).map(|(all, types)| [all, types].concat());
            }
        }
        for (variable, types) in known {
            let Some(types) = types else { continue };
            let slot = self.current.own_slot(self.offsets().variable(variable));
            types.into_iter().for_each(|id| self.point_to(slot, AbstractObject::Instance(id)));
            self.current.close(slot);
        }
    }

    /// Lets the variables that are declared to hold functions point to objects of their types, and to
    /// functions only.
    fn read_function_variables(&mut self) {
        let file = self.current.file;
        for (target, value) in self.facts().bindings() {
            if let (AssignmentTarget::Variable(variable), FileValue::Instance(of_type)) =
                (target, self.facts().value(value))
                && self.names.holds_functions(self.offsets().variable(variable))
            {
                let slot = self.current.own_slot(self.offsets().variable(variable));
                let mut types = Vec::new();
                self.names.types(file, of_type, 0, &mut types);
                types.into_iter().for_each(|id| self.point_to(slot, AbstractObject::Instance(id)));
                self.current.limit_to_functions(slot);
            }
        }
    }

    fn read_value(&mut self, value: ValueId, form: FileValue<'_>) {
        let (file, offsets) = (self.current.file, self.offsets());
        let own = self.current.own_slot(offsets.value(value));
        match form {
            FileValue::Free { symbol, scope } => {
                let found = self.names.free(file, scope, symbol);
                let foreign = || self.names.is_foreign_name(file, symbol).then_some(Entity::Foreign);
                if let Some(entity) = found.or_else(foreign) {
                    self.point_to_entity(own, entity);
                }
                if self.names.is_library(file, symbol) {
                    self.point_to(own, AbstractObject::Foreign);
                }
            }
            FileValue::Access(object, name) => {
                // Few paths are one of a type or a package, so this is tried first.
                if let Some(entity) = self.names.at_path(file, value) {
                    let around = self.names.resolve(file, object, 0);
                    let is_member = around.is_some_and(|around| self.names.member(around, name).is_some());
                    if !is_member {
                        self.point_to_entity(own, entity);
                    }
                }
                let object = self.slot_of(object);
                self.constrain(object, Constraint::Load { name: name.into(), to: own });
            }
            FileValue::Definition(id) => {
                let id = self.names.unaliased(self.names.whole(offsets.definition(id)));
                self.point_to(own, AbstractObject::Definition(id))
            }
            FileValue::Any(values) => {
                for &one in values {
                    let one = self.slot_of(one);
                    self.constrain(one, Constraint::Copy { to: own });
                }
            }
            FileValue::Instance(owner_type) => self.read_instance(own, owner_type),
            FileValue::Element(array) => {
                let array = self.slot_of(array);
                self.constrain(array, Constraint::Element { to: own });
            }
            FileValue::Super(scope) => {
                if let Some(id) = self.names.type_around(offsets.definition(scope)) {
                    self.point_to(own, AbstractObject::Super(id));
                }
            }
            FileValue::SelfType(scope) => {
                if let Some(id) = self.names.type_around(offsets.definition(scope)) {
                    self.point_to(own, AbstractObject::Definition(id));
                    // In a mixin, this is the type that mixes it in.
                    for place in 0..self.names.users(id).len() {
                        self.point_to(own, AbstractObject::Definition(self.names.users(id)[place]));
                    }
                }
            }
            FileValue::Literal(name) => {
                self.point_to(own, AbstractObject::Foreign);
                let types = self.names.reopened_library_types(file, name);
                types.into_iter().for_each(|id| self.point_to_object_of(own, id));
            }
            FileValue::Foreign | FileValue::Operation(..) => self.point_to(own, AbstractObject::Foreign),
            FileValue::Variable(_) | FileValue::Call(_) | FileValue::Unknown => {}
        }
    }

    /// Makes a slot point to an object of a declared type.
    fn read_instance(&mut self, to: SlotId, of_type: ValueId) {
        let file = self.current.file;
        let mut types = Vec::new();
        self.names.types(file, of_type, 0, &mut types);
        if types.is_empty() && self.names.is_foreign_type(file, of_type) {
            self.point_to(to, AbstractObject::Foreign);
        }
        types.into_iter().for_each(|id| self.point_to_object_of(to, id));
        self.instantiate(of_type, to, 0);
    }

    /// Makes a slot point to objects of the types that the names in a declared type stand for: type
    /// parameters, associated types and aliases.
    fn instantiate(&mut self, of_type: ValueId, to: SlotId, depth: u32) {
        match self.facts().value(of_type) {
            // The arguments of a type of the repository are not its objects.
            FileValue::Any(types) if self.has_generic_traits() && self.is_own_type(types) => {}
            FileValue::Any(types) if depth == 0 => types.iter().for_each(|&one| self.instantiate(one, to, 1)),
            FileValue::Access(..)
                if (self.has_generic_traits() || self.type_values())
                    && self.names.resolve(self.current.file, of_type, 0).is_none() =>
            {
                let slot = self.slot_of(of_type);
                self.constrain(slot, Constraint::Instantiate { to });
            }

            FileValue::Definition(function) => {
                self.point_to(to, AbstractObject::Definition(self.offsets().definition(function)));
            }
            FileValue::Variable(variable) => {
                let pointer = self.offsets().variable(variable);
                if self.names.is_type_parameter(pointer) || self.names_value(of_type) || self.type_values() {
                    let slot = self.current.own_slot(pointer);
                    self.constrain(slot, Constraint::Instantiate { to });
                }
            }
            _ => {}
        }
    }

    fn read_imports(&mut self) {
        let value_name = self.names.value_name(self.current.file);
        for (local, _, name) in self.facts().variables() {
            let variable = self.offsets().variable(local);
            if self.names.is_imported(variable) {
                let slot = self.slot(variable);
                if Some(name) == value_name {
                    let to = self.current.own_slot(self.offsets().return_of(LocalId::FILE));
                    self.constrain(slot, Constraint::Copy { to });
                }
                if let Some(entity) = self.names.import(variable, 0) {
                    self.point_to_entity(slot, entity);
                }
            }
        }
    }

    fn read_bindings(&mut self) {
        let mut declared = None;
        for (target, value) in self.facts().bindings() {
            let from = self.slot_of(value);
            match target {
                AssignmentTarget::Variable(own) => {
                    let variable = self.offsets().variable(own);
                    let form = self.facts().value(value);
                    if self.current.is_exact(self.current.own_slot(variable)) {
                        continue;
                    }
                    if let FileValue::Instance(of_type) = form {
                        let slot = self.current.own_slot(variable);
                        self.implement(slot, self.current.file, of_type);
                        declared = self.is_known_type(of_type).then_some(own);
                        if declared.is_some() {
                            self.current.note_declared(slot);
                        }
                    }
                    if !matches!(form, FileValue::Instance(_) | FileValue::Definition(_))
                        && self.names.has_declared_type(variable)
                    {
                        continue;
                    }
                    if let FileValue::Variable(other) = form
                        && declared == Some(own)
                        && !self.facts().kind(self.facts().variable_scope(own)).has_members()
                        && self.facts().variable_name(own) == self.facts().variable_name(other)
                    {
                        // The same name, with the type that a test has found.
                        continue;
                    }
                    if let FileValue::Definition(id) = form
                        && self.names.is_represented(variable, self.offsets().definition(id))
                    {
                        continue;
                    }
                    let to = self.current.own_slot(variable);
                    let from = match self.names.getter(variable) {
                        Some(getter) => self.return_of(getter),
                        None => from,
                    };
                    self.constrain(from, Constraint::Copy { to });
                }
                AssignmentTarget::Member(object, name) => {
                    let object = self.slot_of(object);
                    self.constrain(object, Constraint::Store { name: name.into(), from });
                }
            }
        }
    }

    /// Checks whether a declared type is in the repository.
    fn is_known_type(&self, of_type: ValueId) -> bool {
        let mut types = Vec::new();
        self.names.types(self.current.file, of_type, 0, &mut types);
        !types.is_empty()
    }

    fn read_returns_and_calls(&mut self) {
        let (offsets, facts) = (self.offsets(), self.facts());
        for (definition, value) in facts.returns() {
            if let FileValue::Variable(own) = facts.value(value)
                && self.returned.contains(&offsets.variable(own))
            {
                // Each call adds its own argument to its result.
                continue;
            }
            let (from, to) = (self.slot_of(value), self.current.own_slot(offsets.return_of(definition)));
            self.constrain(from, Constraint::Copy { to });
        }
        for call in facts.call_ids() {
            let callee = self.callee_of(call);
            self.constrain(callee, Constraint::Call { call });
        }
        self.read_declared_results();
        self.read_container_calls();
        self.read_extension_calls();
        self.read_type_calls();
    }

    fn read_receivers(&mut self) {
        let (offsets, facts) = (self.offsets(), self.facts());
        for local in facts.definition_ids() {
            for (parameter, _) in facts.parameters(local) {
                self.current.note_parameter(self.current.own_slot(offsets.variable(parameter)));
            }
            let definition = facts.definition(local);
            let Some(receiver) = definition.receiver else { continue };
            let object = offsets.definition(definition.parent);
            if self.shapes[object].is_object() {
                let slot = self.slot(offsets.variable(receiver));
                self.point_to(slot, AbstractObject::Definition(object));
            } else if let Some(owner_type) = self.names.type_around(offsets.definition(local)) {
                let slot = self.slot(offsets.variable(receiver));
                match definition.receives_type {
                    true => self.point_to(slot, AbstractObject::Definition(owner_type)),
                    false => {
                        self.point_to_object_of(slot, owner_type);
                        for place in 0..self.names.users(owner_type).len() {
                            let user = self.names.users(owner_type)[place];
                            self.point_to_object_of(slot, user);
                            if self.has_type_methods() {
                                // A trait may also extend the type itself.
                                self.point_to(slot, AbstractObject::Definition(user));
                            }
                        }
                    }
                }
                // An extension of a type parameter (`impl<T: Read> Source for T`).
                if let Some(of_type) = facts.definition(definition.parent).owner {
                    self.instantiate(of_type, slot, 0);
                }
            }
        }
    }

    /// Merges members of one name from several extensions of a type into the member of that type.
    fn share_members(&mut self) {
        let (offsets, facts) = (self.offsets(), self.facts());
        for (local, scope, name) in facts.variables() {
            let around = facts.definition(scope);
            // Other variables of a method that is defined outside its type are local.
            // A part of a type shares all its members.
            let is_shared = around.owner.is_some() && (around.name == name || around.kind.is_type());
            if around.kind != DefinitionKind::Extension && !is_shared {
                continue;
            }
            let owner = self.names.owner[offsets.definition(scope)];
            let from = offsets.variable(local);
            if let Some(&to) = self.names.members.get(&(owner, name))
                && to != from
                && (around.bases.is_empty() || !self.names.is_own_member(to))
                && self.names.bound(from).is_some()
            {
                let (from, to) = (self.slot(from), self.slot(to));
                self.constrain(from, Constraint::Copy { to });
            }
        }
    }

    /// Makes a slot point to an object of a type. An object of a container type also represents its
    /// elements.
    pub(super) fn point_to_object_of(&mut self, slot: SlotId, of_type: DefinitionId) {
        self.point_to(slot, AbstractObject::Instance(of_type));
        if self.shapes[of_type].kind == DefinitionKind::Type {
            let elements = self.return_of(of_type);
            self.constrain(elements, Constraint::Copy { to: slot });
        }
    }

    pub(super) fn point_to_entity(&mut self, slot: SlotId, entity: Entity) {
        match entity {
            Entity::Variable(from) => {
                let from = self.slot(from);
                self.constrain(from, Constraint::Copy { to: slot });
            }
            Entity::Definition(id) => {
                let id = self.names.representative(self.names.unaliased(id));
                self.point_to(slot, AbstractObject::Definition(id));
            }
            Entity::Directory(directory) => self.point_to(slot, AbstractObject::Directory(directory)),
            Entity::Foreign => self.point_to(slot, AbstractObject::Foreign),
        }
    }
}
