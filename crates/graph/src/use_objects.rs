//! The objects and types that an expression may be, where a use of a member follows it.

use super::uses::{MAX_DEPTH, Meaning, Object, UseResolver};
use crate::file_facts::{FileParameter, FileValue};
use crate::names::Entity;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, LocalId, PointerId, ValueId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, symbol};

/// Maximum number of types of one object. An object with more types is one of unknown type.
pub(super) const MAX_TYPES: usize = 12;

impl<'a> UseResolver<'a> {
    pub(super) fn meanings(&self, file: FileId, scope: LocalId, object: &Object, depth: u32) -> Vec<Meaning> {
        let around = || self.names.type_around(self.names.offsets(file).definition(scope));
        let mut found = Vec::new();
        match object {
            _ if depth > MAX_DEPTH => {}
            Object::Unknown => {}
            Object::Foreign => found.push(Meaning::Foreign),
            Object::Receiver => found.extend(around().map(Meaning::Instance)),
            Object::Super => found.extend(around().map(Meaning::Super)),
            Object::Name(name) => match self.entity(file, scope, *name) {
                Some(entity) => self.meaning_of(entity, depth, &mut found),
                None => found.push(Meaning::Foreign),
            },
            Object::Call(node) => {
                if let Some(&call) = self.assigned(file).calls.get(node) {
                    self.result_of(file, call, depth, &mut found);
                }
            }
            Object::Argument(node, at) => {
                if let Some(&call) = self.assigned(file).calls.get(node) {
                    self.parameters_of(file, call, *at, depth, &mut found);
                }
            }
            Object::Returned => {
                let facts = self.names.facts(file);
                let parent = |&scope: &LocalId| Some(facts.definition(scope).parent).filter(|&parent| parent != scope);
                let function = std::iter::successors(Some(scope), parent).find(|&scope| {
                    let kind = facts.kind(scope);
                    kind.is_function() || kind == DefinitionKind::Anonymous
                });
                let declared = function.and_then(|function| facts.definition(function).returns);
                declared.into_iter().for_each(|value| self.objects_of(file, value, depth, &mut found));
            }
            Object::Instance(of) => {
                let instance = |meaning| match meaning {
                    Meaning::Entity(Entity::Definition(id)) => Some(Meaning::Instance(self.names.owner[id])),
                    _ => Some(Meaning::Foreign),
                };
                found.extend(self.meanings(file, scope, of, depth + 1).into_iter().filter_map(instance));
            }
            Object::Member(object, name) => {
                for meaning in self.meanings(file, scope, object, depth + 1) {
                    self.member_of(meaning, *name, depth, &mut found);
                }
            }
        }
        found.dedup();
        if found.len() > MAX_TYPES { Vec::new() } else { found }
    }

    fn member_of(&self, meaning: Meaning, name: Symbol, depth: u32, found: &mut Vec<Meaning>) {
        if let Some(member) = self.member_entity(meaning, name) {
            self.meaning_of(self.follow(member, 0), depth + 1, found);
        }
    }

    /// Adds what an entity is: itself, or the types of a variable.
    fn meaning_of(&self, entity: Entity, depth: u32, found: &mut Vec<Meaning>) {
        match entity {
            Entity::Variable(pointer) => self.types_of(pointer, depth + 1, found),
            Entity::Foreign => found.push(Meaning::Foreign),
            entity => found.push(Meaning::Entity(entity)),
        }
    }

    /// Adds the types of a variable: of its declarations and of the values assigned to it.
    pub(super) fn types_of(&self, pointer: PointerId, depth: u32, found: &mut Vec<Meaning>) {
        if depth > MAX_DEPTH || found.len() > MAX_TYPES {
            return;
        }
        let names = &self.names;
        let file = names.file_of_pointer(pointer);
        let assigned = self.assigned(file);
        let values = match names.undeclared.get(pointer) {
            Some((_, name)) => assigned.to_member.get(&name),
            None => {
                let Some(variable) = self.own_variable(file, pointer) else { return };
                let scope = names.facts(file).variable_scope(variable);
                if names.facts(file).definition(scope).receiver == Some(variable) {
                    let around = names.type_around(names.offsets(file).definition(scope));
                    return found.extend(around.map(Meaning::Instance));
                }
                assigned.to_variable.get(&assigned.first_of(variable))
            }
        };
        let is_declared = |&&value: &&ValueId| matches!(names.facts(file).value(value), FileValue::Instance(_));
        let (declared, other): (Vec<_>, Vec<_>) = values.into_iter().flatten().partition(is_declared);
        let before = found.len();
        declared.into_iter().for_each(|&value| self.meaning_of_value(file, value, depth + 1, found));
        // A declared type takes precedence over the types of assigned values.
        if !found[before..].iter().any(|meaning| matches!(meaning, Meaning::Instance(_))) {
            other.into_iter().for_each(|&value| self.meaning_of_value(file, value, depth + 1, found));
        }
    }

    pub(super) fn meaning_of_value(&self, file: FileId, value: ValueId, depth: u32, found: &mut Vec<Meaning>) {
        if depth > MAX_DEPTH || found.len() > MAX_TYPES {
            return;
        }
        let (names, facts) = (&self.names, self.names.facts(file));
        match facts.value(value) {
            FileValue::Variable(variable) => {
                let entity = self.follow(Entity::Variable(names.offsets(file).variable(variable)), 0);
                self.meaning_of(entity, depth, found);
            }
            FileValue::Free { symbol, scope } => {
                if let Some(entity) = names.free(file, scope, symbol) {
                    self.meaning_of(self.follow(entity, 0), depth, found);
                }
            }
            FileValue::Access(object, name) => {
                let mut objects = Vec::new();
                self.meaning_of_value(file, object, depth + 1, &mut objects);
                objects.into_iter().for_each(|object| self.member_of(object, name, depth, found));
            }
            FileValue::Call(call) => self.result_of(file, call, depth, found),
            FileValue::Definition(local) => {
                found.push(Meaning::Entity(Entity::Definition(names.offsets(file).definition(local))));
            }
            FileValue::Any(values) => {
                values.iter().for_each(|&value| self.meaning_of_value(file, value, depth + 1, found));
            }
            FileValue::Instance(of) => self.objects_of(file, of, depth, found),
            FileValue::Super(scope) => {
                let around = names.type_around(names.offsets(file).definition(scope));
                found.extend(around.map(Meaning::Super));
            }
            FileValue::SelfType(scope) => {
                let around = names.type_around(names.offsets(file).definition(scope));
                found.extend(around.map(Meaning::Instance));
            }
            FileValue::Element(array) => self.meaning_of_value(file, array, depth + 1, found),
            FileValue::Foreign | FileValue::Literal(_) | FileValue::Operation(..) => found.push(Meaning::Foreign),
            FileValue::Unknown => {}
        }
    }

    /// Adds objects of the types that a value names.
    fn objects_of(&self, file: FileId, value: ValueId, depth: u32, found: &mut Vec<Meaning>) {
        let mut types = Vec::new();
        self.names.types(file, value, 0, &mut types);
        let is_foreign = types.is_empty();
        types.into_iter().for_each(|id| self.instance(id, depth, found));
        found.extend(is_foreign.then_some(Meaning::Foreign));
    }

    /// Adds an object of a type. For an alias, adds also an object of the type that it is assigned.
    fn instance(&self, id: DefinitionId, depth: u32, found: &mut Vec<Meaning>) {
        found.push(Meaning::Instance(id));
        let (file, local) = self.names.local(id);
        let definition = self.names.definition(id);
        if definition.kind != DefinitionKind::Type || depth > MAX_DEPTH || found.len() > MAX_TYPES {
            return;
        }
        let (assigned, variables) = (self.assigned(file), self.variables(file));
        let variable = variables.get(&(definition.parent, definition.name));
        let values = variable.and_then(|variable| assigned.to_variable.get(variable)).into_iter().flatten();
        for &value in values.filter(|&&value| !self.is_definition(file, value, local)) {
            let mut types = Vec::new();
            self.names.types(file, value, 0, &mut types);
            types.into_iter().filter(|&other| other != id).for_each(|other| self.instance(other, depth + 1, found));
        }
    }

    fn is_definition(&self, file: FileId, value: ValueId, local: LocalId) -> bool {
        matches!(self.names.facts(file).value(value), FileValue::Definition(id) if id == local)
    }

    /// Adds the objects that a called function, or the constructor of a called type, expects as its
    /// argument at an index.
    fn parameters_of(&self, file: FileId, call: CallId, at: usize, depth: u32, found: &mut Vec<Meaning>) {
        let (names, callee) = (&self.names, self.names.facts(file).call(call).callee);
        let mut callees = Vec::new();
        self.meaning_of_value(file, callee, depth + 1, &mut callees);
        for callee in callees {
            let Meaning::Entity(Entity::Definition(id)) = callee else { continue };
            let function = if names.kind(id).has_members() { self.constructor(names.owner[id]) } else { Some(id) };
            if let Some((file, local)) = function.map(|id| names.local(id)) {
                let parameter = names.facts(file).parameters(local).zip(names.facts(file).signature(local)).nth(at);
                match parameter {
                    Some((_, FileParameter { declared: Some(of_type), .. })) => {
                        self.objects_of(file, of_type, depth + 1, found);
                    }
                    Some(((variable, _), _)) => {
                        self.types_of(names.offsets(file).variable(variable), depth + 1, found);
                    }
                    None => {}
                }
            }
        }
    }

    /// Returns the constructor of a type that has a name of its own.
    pub(super) fn constructor(&self, of_type: DefinitionId) -> Option<DefinitionId> {
        let scopes = self.names.scopes(self.names.file_of(of_type))?;
        let member = |name: &String| self.names.bound(self.names.member_of_type(of_type, symbol(name))?);
        scopes.constructors.iter().find_map(member)
    }

    /// Adds the results of a call: an object of the called type, or what the called function
    /// returns.
    pub(super) fn result_of(&self, file: FileId, call: CallId, depth: u32, found: &mut Vec<Meaning>) {
        let (names, callee) = (&self.names, self.names.facts(file).call(call).callee);
        let mut callees = Vec::new();
        self.meaning_of_value(file, callee, depth + 1, &mut callees);
        for callee in callees {
            let Meaning::Entity(Entity::Definition(id)) = callee else { continue };
            if names.kind(id).has_members() {
                found.push(Meaning::Instance(names.owner[id]));
                continue;
            }
            let (file, local) = names.local(id);
            let assigned = self.assigned(file);
            let returned = assigned.returned.get(&local).into_iter().flatten();
            returned.for_each(|&value| self.meaning_of_value(file, value, depth + 1, found));
        }
    }
}
