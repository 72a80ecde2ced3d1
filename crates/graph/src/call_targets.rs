//! The definitions that the calls of a solved file reach, after a selection among overloads.
//!
//! - **Cost:** each call is selected once, together with the calls in its arguments.

use crate::budget::MAX_BY_NAME;
use crate::file_facts::FileValue;
use crate::names::Names;
use crate::overloads::{Argument, select};
use crate::points_to::{AbstractObject, PointsTo};
use crate::static_types::{TypeReader, VariableValues};
use crate::type_rules::{StaticType, TypeRules};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, ValueId, VariableId};
use whichfn_syntax::lang::DefinitionKind;

/// Maximum nesting depth of calls in arguments whose overloads are selected.
const MAX_DEPTH: u32 = 24;

/// The targets of a file's calls.
pub(crate) struct CallTargets<'p, 'a, 'n> {
    points_to: &'p PointsTo<'a, 'n>,
    file: FileId,
    /// The built-in types, if the language has overloads.
    rules: Option<&'p TypeRules>,
    variables: VariableValues,
    /// Targets of the calls in arguments.
    known: RefCell<FxHashMap<CallId, Vec<DefinitionId>>>,
}

impl<'p, 'a, 'n> CallTargets<'p, 'a, 'n> {
    pub fn new(points_to: &'p PointsTo<'a, 'n>, file: FileId) -> Self {
        let names = points_to.names();
        let rules = names.selecting_types(file);
        let variables = rules.map(|_| VariableValues::new(names.facts(file))).unwrap_or_default();
        Self { points_to, file, rules, variables, known: RefCell::default() }
    }

    fn names(&self) -> &'p Names<'a> {
        self.points_to.names()
    }

    /// Returns the definitions that a call reaches, sorted. Of several overloads, these are the
    /// ones that the arguments may select.
    pub fn of(&self, call: CallId, depth: u32) -> Vec<DefinitionId> {
        if let Some(known) = self.known.borrow().get(&call) {
            return known.clone();
        }
        let mut reached: Vec<DefinitionId> = self.points_to.reached(self.file, call).collect();
        let callee = self.names().facts(self.file).call(call).callee;
        if self.points_to.is_open(self.file, callee) {
            reached = self.certain(call, reached);
        }
        reached.sort_unstable();
        let facts = self.names().facts(self.file);
        if facts.kind(facts.call(call).scope).is_registered() {
            // A framework calls the handler of an entry, with arguments of its own.
            return match facts.value(facts.call(call).callee) {
                FileValue::Definition(id) => vec![self.names().offsets(self.file).definition(id)],
                _ => reached,
            };
        }
        if let Some(own) = self.points_to.constructor_around(self.file, call) {
            reached.retain(|&id| id != own);
        }
        let mut selected = match self.rules.filter(|_| depth < MAX_DEPTH) {
            Some(rules) if rules.generic_traits && !reached.is_empty() => {
                let of_receiver = self.of_receiver(rules, call, reached, depth);
                self.select_implementations(rules, call, self.of_argument_count(call, &of_receiver), depth)
            }
            _ if reached.len() < 2 => return reached,
            Some(rules) => self.select(rules, call, &reached, depth),
            None => self.of_argument_count(call, &reached),
        };
        if selected.len() > 1 && !matches!(facts.value(facts.call(call).callee), FileValue::Access(..)) {
            let hidden: Vec<DefinitionId> =
                selected.iter().copied().filter(|&id| self.is_hidden(id, &selected)).collect();
            selected.retain(|id| !hidden.contains(id));
        }
        self.known.borrow_mut().insert(call, selected.clone());
        selected
    }

    /// Returns what a call certainly reaches if its callee may be more than its points-to set
    /// contains: the definition that its name refers to, else the method of a common base.
    fn certain(&self, call: CallId, reached: Vec<DefinitionId>) -> Vec<DefinitionId> {
        let facts = self.names().facts(self.file);
        let named = self.points_to.declared_by_name(self.file, call);
        let is_declared = |&id: &DefinitionId| named.is_some_and(|named| self.points_to.is_named_by(id, named));
        let (declared, mut others): (Vec<_>, Vec<_>) = reached.into_iter().partition(is_declared);
        match facts.value(facts.call(call).callee) {
            FileValue::Access(_, name) if declared.is_empty() => {
                others.retain(|&id| self.names().definition(id).name == name);
                self.names().common_methods(others)
            }
            _ => declared,
        }
    }

    /// Checks whether a constructor of a base has the parameters of another constructor in a list, so
    /// that a call of the other one's type does not reach it.
    fn is_hidden(&self, id: DefinitionId, selected: &[DefinitionId]) -> bool {
        let names = self.names();
        let hides = |&own: &DefinitionId| {
            let (Some(of), Some(base)) = (names.type_around(own), names.type_around(id)) else { return false };
            of != base && names.mro(&of).contains(&base) && names.overrides(own, id)
        };
        self.points_to.is_constructor(id) && selected.iter().any(hides)
    }

    /// Returns the definitions that the declared type of the call's object has as members; all of
    /// them if the type has none, or is unknown. An object of a library type has only the members
    /// of traits.
    fn of_receiver(
        &self,
        rules: &TypeRules,
        call: CallId,
        reached: Vec<DefinitionId>,
        depth: u32,
    ) -> Vec<DefinitionId> {
        let names = self.names();
        let facts = names.facts(self.file);
        let FileValue::Access(object, name) = facts.value(facts.call(call).callee) else { return reached };
        let result = &|call, _| self.result(rules, call, depth + 1);
        let (file, variables) = (self.file, &self.variables);
        let reader = TypeReader { names, rules, file, variables, result, object: &|_| None };
        let declared = reader.read(object, 0);
        let types = match declared {
            Some(of_type) if of_type.is_parameter => reader.bounds(object),
            Some(of_type) if rules.is_library_container(of_type) => {
                let is_own = |id| {
                    matches!(names.kind(id), DefinitionKind::Struct | DefinitionKind::Enum | DefinitionKind::Class)
                };
                let is_kept = |&id: &DefinitionId| !names.type_around(id).is_some_and(is_own);
                let is_member = rules.library_members.contains(&name);
                return if is_member { reached.into_iter().filter(is_kept).collect() } else { reached };
            }
            Some(of_type) => {
                of_type.definition.into_iter().filter(|&id| names.kind(id) != DefinitionKind::Type).collect()
            }
            None => Vec::new(),
        };
        let is_member = |&id: &DefinitionId| types.iter().any(|&of_type| names.is_member(id, of_type));
        let own: Vec<DefinitionId> = reached.iter().copied().filter(is_member).collect();
        if own.is_empty() { reached } else { own }
    }

    /// Selects, from the functions with one name in several implementations of a generic trait for
    /// one type, those that take the call's arguments. If the arguments leave more than
    /// [`MAX_BY_NAME`], the call identifies none of them.
    fn select_implementations(
        &self,
        rules: &TypeRules,
        call: CallId,
        reached: Vec<DefinitionId>,
        depth: u32,
    ) -> Vec<DefinitionId> {
        let names = self.names();
        let group = |id: DefinitionId| match names.is_in_implementation(id) {
            true => (names.type_around(id), names.definition(id).name, None),
            false => (None, 0, Some(id)),
        };
        let mut by_group: Vec<_> = reached.iter().map(|&id| (group(id), id)).collect();
        by_group.sort_unstable();
        if by_group.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return reached;
        }
        let arguments = self.arguments(rules, call, depth);
        let mut selected = Vec::new();
        for implementations in by_group.chunk_by(|one, next| one.0 == next.0) {
            let all: Vec<DefinitionId> = implementations.iter().map(|&(_, id)| id).collect();
            let possible = select(names, rules, &all, &arguments);
            if possible.len() <= MAX_BY_NAME {
                selected.extend(possible);
            }
        }
        selected.sort_unstable();
        selected
    }

    /// Selects among overloads (definitions with the same name) by the types of the arguments.
    fn select(&self, rules: &TypeRules, call: CallId, reached: &[DefinitionId], depth: u32) -> Vec<DefinitionId> {
        let arguments = self.arguments(rules, call, depth);
        let object = self.names().extended_object(self.file, call);
        let mut by_name: Vec<(_, DefinitionId)> =
            reached.iter().map(|&id| (self.names().definition(id).name, id)).collect();
        by_name.sort_unstable();
        let mut selected = Vec::new();
        for overloads in by_name.chunk_by(|one, next| one.0 == next.0) {
            let is_extension = |id: &DefinitionId| object.is_some() && self.names().is_extension(*id);
            let (extensions, overloads): (Vec<_>, Vec<_>) = overloads.iter().map(|&(_, id)| id).partition(is_extension);
            selected.extend(select(self.names(), rules, &overloads, &arguments));
            if let Some(object) = object.filter(|_| !extensions.is_empty()) {
                let own = self.with_reader(rules, depth, |reader| reader.read(object, 0));
                let arguments: Vec<Argument> = std::iter::once((None, own)).chain(arguments.iter().copied()).collect();
                selected.extend(select(self.names(), rules, &extensions, &arguments));
            }
        }
        selected.sort_unstable();
        selected
    }

    fn arguments(&self, rules: &TypeRules, call: CallId, depth: u32) -> Vec<Argument> {
        let arguments = self.names().facts(self.file).arguments(call);
        self.with_reader(rules, depth, |reader| arguments.map(|(name, value)| (name, reader.read(value, 0))).collect())
    }

    fn with_reader<T>(&self, rules: &TypeRules, depth: u32, read: impl FnOnce(TypeReader<'_, 'a>) -> T) -> T {
        let (result, object) = (&|call, _| self.result(rules, call, depth + 1), &|value| self.object(value));
        let (names, file, variables) = (self.names(), self.file, &self.variables);
        read(TypeReader { names, rules, file, variables, result, object })
    }

    /// Returns the type of a call's result, as its targets declare it.
    fn result(&self, rules: &TypeRules, call: CallId, depth: u32) -> Option<StaticType> {
        let names = self.names();
        if depth > MAX_DEPTH {
            return None;
        }
        let targets = self.of(call, depth);
        if targets.is_empty() {
            return self.result_outside(rules, call, depth);
        }
        let mut declared = targets.into_iter().map(|id| names.declared_result(id));
        let first = declared.next()??;
        let own = |of: StaticType| self.object_of(names.offsets(self.file).result_of(call), of);
        declared.all(|other| other.is_some_and(|other| other.is_same(first))).then(|| own(first))
    }

    /// Returns the type of the result of a call that reaches nothing in the repository: a new
    /// object, or the result of a member that always has the same type.
    fn result_outside(&self, rules: &TypeRules, call: CallId, depth: u32) -> Option<StaticType> {
        let facts = self.names().facts(self.file);
        match facts.value(facts.call(call).callee) {
            _ if facts.call(call).creates => facts.created_type(call),
            FileValue::Access(object, name) if rules.own_results.contains(&name) => {
                let of_object = self.with_reader(rules, depth, |reader| reader.read(object, 0));
                let is_value = matches!(facts.value(object), FileValue::Variable(own) if self.is_value(own));
                let named = || facts.name_of(object).filter(|_| !is_value).map(StaticType::named);
                of_object.map(StaticType::not_null).or_else(named)
            }
            FileValue::Variable(own) if self.is_value(own) => None,
            FileValue::Access(_, name) if rules.argument_results.contains(&name) => {
                let (_, argument) = facts.arguments(call).next()?;
                self.with_reader(rules, depth, |reader| reader.read(argument, 0))
            }
            _ => rules.results.get(&facts.name_of(facts.call(call).callee)?).copied(),
        }
    }

    /// Checks whether a variable is neither imported nor bound to a definition.
    fn is_value(&self, own: VariableId) -> bool {
        let variable = self.names().offsets(self.file).variable(own);
        !self.names().is_imported(variable) && self.names().bound(variable).is_none()
    }

    /// Adds the definition of a type to it, if the value points to an object of a type with its
    /// name.
    fn object_of(&self, pointer: whichfn_syntax::ids::PointerId, of_type: StaticType) -> StaticType {
        let names = self.names();
        let named = |id: &DefinitionId| names.definition(*id).name == of_type.name;
        StaticType { definition: self.types_of(pointer).find(named).or(of_type.definition), ..of_type }
    }

    /// Returns the type of the objects that a value points to, if they have only one.
    fn object(&self, value: ValueId) -> Option<StaticType> {
        let pointer = self.names().pointer_of(self.file, value);
        let mut objects = self.points_to.objects(self.file, pointer);
        match (objects.next()?, objects.next()) {
            (AbstractObject::Instance(id), None) => Some(self.names().object_type(id)),
            _ => None,
        }
    }

    fn types_of(&self, pointer: whichfn_syntax::ids::PointerId) -> impl Iterator<Item = DefinitionId> {
        self.points_to.objects(self.file, pointer).filter_map(|object| match object {
            AbstractObject::Instance(id) => Some(id),
            _ => None,
        })
    }

    /// Returns, for a language that does not select by types, the definitions that take as many
    /// arguments as the call passes, and those without an overload that does.
    fn of_argument_count(&self, call: CallId, reached: &[DefinitionId]) -> Vec<DefinitionId> {
        let names = self.names();
        let arguments = names.facts(self.file).arguments(call).len();
        let fits = |id| names.parameter_count(id) == arguments;
        let are_overloads = |a, b| names.definition(a).qualified_name == names.definition(b).qualified_name;
        let is_better = |id, other| other != id && are_overloads(id, other) && fits(other);
        let keep = |id| fits(id) || !reached.iter().any(|&other| is_better(id, other));
        reached.iter().copied().filter(|&id| keep(id)).collect()
    }
}
