//! Passes arguments to the functions that a call may reach, and their results back.

use super::PointsTo;
use super::objects::{AbstractObject, Constraint, LARGEST_SET};
use crate::file_facts::{FileCall, FileValue};
use crate::overloads::{Argument, fits_labels, select};
use crate::static_types::{TypeReader, VariableValues};
use whichfn_syntax::ids::{CallId, DefinitionId, PointerId, ValueId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, part_name, symbol};

impl<'a, 'n> PointsTo<'a, 'n> {
    pub(super) fn call(&mut self, call: CallId, object: AbstractObject) {
        if self.is_field(call, object) {
            if matches!(self.facts().value(self.facts().call(call).callee), FileValue::Access(..)) {
                let result = self.result_of(call);
                self.point_to(result, object);
            }
            return;
        }
        let is_read = self.facts().call(call).is_access && !self.is_called_by_name(object);
        if is_read || !self.may_be_named(call, object) {
            let result = self.result_of(call);
            return self.point_to(result, object);
        }
        match object {
            AbstractObject::Definition(id) => {
                let kind = self.shapes[id].kind;
                let facts = self.facts();
                let is_registered = facts.kind(facts.call(call).scope).is_registered();
                if is_registered && !kind.is_function() {
                    // A framework takes a type or a file itself.
                    self.reach(call, id);
                }
                if kind.has_members() && !is_registered {
                    self.construct(call, id, AbstractObject::Instance(id));
                } else if kind == DefinitionKind::Module {
                    let (returned, to) = (self.return_of(id), self.callee_of(call));
                    self.constrain(returned, Constraint::Copy { to });
                } else if !kind.has_members() {
                    self.pass_to_overloads(call, id, false);
                }
            }
            AbstractObject::BoundMethod(id) => self.pass_to_overloads(call, id, true),
            AbstractObject::Super(id) => {
                // `super(...)` calls the constructor of a base on the object itself.
                if let Some(&base) = self.names.bases(id).first() {
                    self.construct(call, base, AbstractObject::Instance(id));
                }
            }
            AbstractObject::Instance(id) if self.calls_own_constructor(call, id) => self.construct(call, id, object),
            AbstractObject::Instance(id) => {
                let callables = self.special(id).map_or(&[][..], |special| &special.callables);
                let member = callables.iter().find_map(|&name| self.names.member_of_type(id, name));
                if let Some(from) = member {
                    let (from, to) = (self.slot(from), self.callee_of(call));
                    self.constrain(from, Constraint::Bind { to, receiver: object });
                } else if self.names.scopes(self.current.file).is_some_and(|scopes| scopes.variants_create) {
                    let result = self.result_of(call);
                    self.point_to(result, object);
                }
            }
            AbstractObject::Foreign => {
                let result = self.result_of(call);
                self.point_to(result, AbstractObject::Foreign);
                self.wrap(call);
            }
            AbstractObject::Unknown => {
                let result = self.result_of(call);
                self.point_to(result, object);
            }
            AbstractObject::Directory(_) => {}
        }
    }

    /// Handles the call of a type: the first constructor in its method resolution order runs on
    /// `object`, which is also the result of the call. If the type has no constructor, the call
    /// reaches the type itself.
    fn construct(&mut self, call: CallId, owner_type: DefinitionId, object: AbstractObject) {
        let result = self.result_of(call);
        self.point_to(result, object);
        let file = self.names.file_of(owner_type);
        if self.names.scopes(file).is_some_and(|scopes| scopes.header_constructors) {
            return self.construct_by_head(call, owner_type, object);
        }
        let order = self.names.mro(&owner_type);
        let mut constructors = order.iter().filter_map(|&base| self.constructor(base));
        let Some(first) = constructors.next() else {
            if self.reach(call, owner_type) {
                self.pass_to_fields(call, owner_type);
            }
            return;
        };
        // A type with constructors also has those of extensions of its bases. The selection among
        // overloads leaves out those that do not fit.
        let others: Vec<PointerId> = constructors.collect();
        let others = if others.is_empty() || self.fits_labels(call, first) { Vec::new() } else { others };
        for from in std::iter::once(first).chain(others) {
            let (from, to) = (self.slot(from), self.callee_of(call));
            self.constrain(from, Constraint::Bind { to, receiver: object });
        }
    }

    /// Handles the call of a type without constructors: each argument is the value of the field with
    /// its name or position.
    fn pass_to_fields(&mut self, call: CallId, owner_type: DefinitionId) {
        let facts = self.facts();
        for (place, (name, value)) in facts.arguments(call).enumerate() {
            if !self.names.budget.take(1) {
                return;
            }
            let name = name.unwrap_or_else(|| symbol(&part_name(None, place)));
            let Some(field) = self.names.member_of_type(owner_type, name) else { continue };
            if !self.names.has_declared_type(field) {
                let (from, to) = (self.slot_of(value), self.slot(field));
                self.constrain(from, Constraint::Copy { to });
            }
        }
    }

    /// Checks whether a constructor has an overload with the labels of a call's arguments; true in
    /// languages without labels.
    pub(super) fn fits_labels(&self, call: CallId, constructor: PointerId) -> bool {
        let Some(rules) = self.names.type_rules(self.current.file).filter(|rules| rules.unlabeled.is_some()) else {
            return true;
        };
        let arguments: Vec<Argument> = self.facts().arguments(call).map(|(name, _)| (name, None)).collect();
        let bound = self.names.bound(constructor);
        bound.is_none_or(|id| {
            let overloads = self.names.overloads(&id);
            !self.names.budget.take(overloads.len())
                || overloads.iter().any(|&id| fits_labels(self.names, rules, id, &arguments))
        })
    }

    /// Checks whether a name that refers to an object calls it: a function without required
    /// parameters.
    fn is_called_by_name(&self, object: AbstractObject) -> bool {
        match object {
            AbstractObject::BoundMethod(id) | AbstractObject::Definition(id) => {
                self.shapes[id].kind.is_function() && self.names.takes_nothing(id)
            }
            _ => false,
        }
    }

    /// Checks whether the name in a call may mean an object, in languages where a call names its
    /// function: the object has the name, or the name is one by which values are called.
    fn may_be_named(&self, call: CallId, object: AbstractObject) -> bool {
        let (file, facts) = (self.current.file, self.facts());
        let FileCall { scope, callee, .. } = facts.call(call);
        let special = self.names.language(file).and_then(|language| self.special.get(&language));
        let (Some(special), Some(written)) = (special.filter(|own| own.named_calls), facts.name_of(callee)) else {
            return true;
        };
        let calls_value = special.callables.contains(&written) || special.instantiators.contains(&written);
        if calls_value || facts.kind(scope).is_registered() {
            return true;
        }
        match object {
            AbstractObject::Definition(id) | AbstractObject::BoundMethod(id) if self.shapes[id].kind.is_function() => {
                let name = self.names.definition(id).name;
                let is_named = name == written || self.aliases.contains(&(written, name));
                is_named && self.fits_receiver(call, id)
            }
            AbstractObject::Definition(id) => !self.shapes[id].kind.has_members(),
            AbstractObject::Instance(_) => false,
            _ => true,
        }
    }

    /// Handles the call of a type whose head may declare a constructor: selects among that one and
    /// the other constructors.
    fn construct_by_head(&mut self, call: CallId, owner_type: DefinitionId, object: AbstractObject) {
        let creates = self.facts().call(call).creates || self.calls_own_constructor(call, owner_type);
        let factories = self.special(owner_type).map_or(&[][..], |special| &special.factories);
        let mut factories = factories.iter().filter(|_| !creates);
        let factory = factories.find_map(|&name| self.names.members.get(&(owner_type, name)).copied());
        let constructor = factory.or_else(|| self.constructor(owner_type));
        let constructor = constructor.and_then(|variable| self.names.bound(variable));
        let mut all: Vec<DefinitionId> = constructor.iter().flat_map(|id| self.names.overloads(id)).copied().collect();
        if all.is_empty() || self.names.parameter_count(owner_type) > 0 {
            all.push(owner_type);
        }
        let selected = self.select_among(call, &all);
        for &id in &selected {
            if id == owner_type {
                if (factory.is_none() || selected.len() == 1) && self.reach(call, id) {
                    self.pass_values(call, id, true, None);
                }
            } else {
                self.bind_receiver(id, object);
                self.pass(call, id, true);
            }
        }
    }

    /// Checks whether a call calls the receiver, an object of the given type, and thereby one of
    /// the type's constructors.
    fn calls_own_constructor(&self, call: CallId, id: DefinitionId) -> bool {
        let FileCall { scope, callee, .. } = self.facts().call(call);
        self.special(id).is_some_and(|special| special.receiver_constructs)
            && matches!(self.facts().value(callee), FileValue::Variable(own) if self.is_receiver(self.current.file, scope, own))
    }

    /// Handles the call of a function that may have overloads: passes the call to those that the
    /// declared types of its arguments may select.
    fn pass_to_overloads(&mut self, call: CallId, id: DefinitionId, bound: bool) {
        match self.select_overloads(call, id) {
            None => self.pass(call, id, bound),
            Some(selected) => selected.into_iter().for_each(|id| self.pass(call, id, bound)),
        }
    }

    /// Returns the overloads of a function that a call may select; `None` if it has no others.
    fn select_overloads(&mut self, call: CallId, id: DefinitionId) -> Option<Vec<DefinitionId>> {
        let overloads = Some(self.names.overloads(&id)).filter(|overloads| overloads.len() > 1)?.to_vec();
        Some(self.select_among(call, &overloads))
    }

    /// Returns the functions that the declared types of a call's arguments may select.
    pub(super) fn select_among(&mut self, call: CallId, overloads: &[DefinitionId]) -> Vec<DefinitionId> {
        let file = self.current.file;
        let may_call = |&id: &DefinitionId| !self.shapes[id].is_restricted || self.may_call(call, id);
        let overloads: Vec<DefinitionId> = overloads.iter().copied().filter(may_call).collect();
        let Some(rules) = self.names.selecting_types(file) else { return overloads };
        let facts = self.names.facts(file);
        let variables = self.current.variables.get_or_insert_with(|| VariableValues::new(facts));
        let (result, object) = (&|call, _| facts.created_type(call), &|_| None);
        let reader = TypeReader { names: self.names, rules, file, variables, result, object };
        let arguments: Vec<_> = facts.arguments(call).map(|(name, value)| (name, reader.read(value, 0))).collect();
        select(self.names, rules, &overloads, &arguments)
    }

    /// Records that a call reaches a definition. Returns false if that was known, or the call cannot
    /// use the definition.
    pub(super) fn reach(&mut self, call: CallId, id: DefinitionId) -> bool {
        (!self.shapes[id].is_restricted || self.may_call(call, id)) && self.current.reach(call, id)
    }

    /// Checks whether a call may refer to a definition that only some code may use. As a value, the
    /// definition may reach any code, which calls it by another name.
    fn may_call(&self, call: CallId, id: DefinitionId) -> bool {
        let facts = self.facts();
        let FileCall { scope, callee, .. } = facts.call(call);
        let written = facts.name_of(callee);
        let names = [Some(id), self.names.type_around(id)].into_iter().flatten();
        let mut names = names.map(|id| self.names.definition(id).name);
        !names.any(|name| written == Some(name)) || self.names.may_use(self.current.file, scope, id)
    }

    /// Handles the call of a function: copies arguments to parameters, and returned values to the
    /// result of the call.
    pub(super) fn pass(&mut self, call: CallId, id: DefinitionId, bound: bool) {
        if self.reach(call, id) {
            self.pass_values(call, id, bound, None);
        }
    }

    /// Handles the call of a function that takes the object before its name as first argument.
    pub(super) fn pass_extended(&mut self, call: CallId, id: DefinitionId, object: ValueId) {
        if self.reach(call, id) {
            self.pass_values(call, id, false, Some(object));
        }
    }

    /// Iterates over the arguments of a call that are those of the function that it reaches.
    fn passed_arguments(
        &self,
        call: CallId,
        id: DefinitionId,
    ) -> impl Iterator<Item = (Option<Symbol>, ValueId)> + use<'a> {
        let facts = self.facts();
        let special = self.special(id);
        let arguments = facts.arguments(call);
        let skipped = match (facts.value(facts.call(call).callee), special) {
            (FileValue::Access(_, name), Some(_)) if name == self.names.definition(id).name => 0,
            (FileValue::Access(_, name), Some(special)) if special.rebinders.contains(&name) => 1,
            (FileValue::Access(_, name), Some(special)) if special.appliers.contains(&name) => arguments.len(),
            _ => 0,
        };
        arguments.skip(skipped)
    }

    /// Copies the arguments of a call to the parameters of a function that it reaches, and what the
    /// function returns to the result of the call. A call of a large table of functions passes nothing
    /// to those after the first [`LARGEST_SET`]: each of them would get every argument, and the call
    /// every result.
    fn pass_values(&mut self, call: CallId, id: DefinitionId, bound: bool, object: Option<ValueId>) {
        if self.current.reached.iter(call).nth(LARGEST_SET).is_some() {
            let result = self.result_of(call);
            return self.point_to(result, AbstractObject::Unknown);
        }
        let (own_file, local) = self.names.local(id);
        let (own, offsets) = (self.names.facts(own_file), self.names.offsets(own_file));
        let (returned, result) = (self.slot(offsets.return_of(local)), self.result_of(call));
        self.constrain(returned, Constraint::Copy { to: result });
        let definition = own.definition(local);
        let first = definition.receiver.filter(|_| !bound && definition.receiver_is_parameter);
        let parameters = own.parameters(local);
        let mut places = first.into_iter().chain(parameters.clone().map(|(variable, _)| variable));
        let object = object.map(|object| (None, object));
        for (name, value) in object.into_iter().chain(self.passed_arguments(call, id)) {
            if !self.names.budget.take(if name.is_some() { parameters.len() } else { 1 }) {
                return;
            }
            let to = match name {
                Some(name) => parameters.clone().find(|&(_, own)| own == name).map(|(variable, _)| variable),
                None => places.next(),
            };
            let Some(parameter) = to.map(|to| offsets.variable(to)) else { continue };
            let from = self.slot_of(value);
            if self.returned.contains(&parameter) {
                self.constrain(from, Constraint::Copy { to: result });
            }
            if !self.names.has_declared_type(parameter) {
                let to = self.slot(parameter);
                self.constrain(from, Constraint::Copy { to });
            }
        }
    }
}
