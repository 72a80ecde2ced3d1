//! Points-to analysis: finds the definitions that a call may reach by following functions and
//! objects through names, members, arguments and returns.
//!
//! Files are solved in rounds ([`rounds`]); this module contains the rules of one round.
//!
//! - **Implements:** Andersen's inclusion-based analysis (1994), flow-insensitive, with one
//!   abstract object per type, as PyCG (Salis et al., ICSE 2021) applies it to Python. Here the
//!   rules are language data, so one engine serves all languages.
//! - **Invariant:** a points-to set only grows, and contains at most [`objects::LARGEST_SET`] known
//!   objects and [`objects::LARGEST_TABLE`] functions and types, so the work is bounded. A set that would
//!   need more also contains [`AbstractObject::Unknown`], and what depends on it is unknown too, unless a
//!   type of the repository is declared for its variable. Once the
//!   step budget is spent, no set grows, and the sets keep their contents. Members are looked up
//!   among the members that were declared before solving (`self.name = ...` in a method declares one). A
//!   member that only other assignments create belongs to the type that the assignment names, not
//!   to its bases.
//! - **Cost:** O(constraints x LARGEST_TABLE); about 0.2 µs per value, 150 ms on 500,000 lines of
//!   Python.
//! - **Differs from the paper:** unlike PyCG, assignments to one variable are not ordered, a
//!   container is identified with its elements, and a method of a type is assumed to be called on
//!   that type even if no call exists (libraries have no callers).

mod containers;
mod extensions;
mod literals;
mod message;
mod objects;
mod reason;
mod rounds;
mod sets;
mod slots;
mod type_methods;

use crate::file_facts::{FileCall, FileFacts, FileValue};
use crate::names::{Entity, Names, Offsets};
use crate::overloads::{Argument, fits_labels, select};
use crate::returned_parameters::returned_parameters;
use crate::static_types::{TypeReader, VariableValues};
use containers::ContainerMembers;
pub(crate) use message::{ArrivingMessage, Message, MessageContent};
pub(crate) use objects::AbstractObject;
use objects::{Constraint, LARGEST_SET};
use rustc_hash::{FxHashMap, FxHashSet};
use slots::{FileSlots, RoundWork};
use std::collections::BTreeMap;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, IdVec, LocalId, PointerId, SlotId, ValueId, VariableId};
use whichfn_syntax::lang::{DefinitionKind, LangId, Marker, Scopes};
use whichfn_syntax::parse::{AssignmentTarget, Symbol, part_name, symbol};

/// The points-to sets of all pointers of the repository.
pub(crate) struct PointsTo<'a, 'n> {
    names: &'n mut Names<'a>,
    /// The file that is being solved.
    current: Box<FileSlots>,
    /// All files that were started, except the current one.
    files: IdVec<FileId, Option<Box<FileSlots>>>,
    /// Buffers of a round, reused by the next one.
    work: RoundWork,
    /// Special members of each language.
    special: FxHashMap<LangId, SpecialMembers>,
    shapes: IdVec<DefinitionId, DefinitionShape>,
    /// Parameters that their functions return: see [`returned_parameters`].
    returned: FxHashSet<PointerId>,
    /// Other names of functions with the names of the functions, in languages where a call names its
    /// function.
    aliases: FxHashSet<(Symbol, Symbol)>,
    /// Members of library containers, by language.
    containers: FxHashMap<LangId, ContainerMembers>,
}

/// The properties of a definition that each application of a constraint reads. They are copied into
/// one table, because the facts of different files are far apart in memory.
#[derive(Clone, Copy)]
struct DefinitionShape {
    kind: DefinitionKind,
    /// True if the receiver is the type itself (a class method); for an anonymous definition, true
    /// if it is an object literal.
    receives_type: bool,
    /// True if calls add no object to the receiver.
    has_exact_receiver: bool,
    receiver: Option<PointerId>,
    /// True if only some code may call the definition by its name.
    is_restricted: bool,
}

impl DefinitionShape {
    /// Checks whether the definition is an object literal.
    fn is_object(self) -> bool {
        self.kind == DefinitionKind::Anonymous && self.receives_type
    }
}

/// Names of members with a special meaning in a language, as symbols.
struct SpecialMembers {
    constructors: Vec<Symbol>,
    /// True if a constructor has the name of its type.
    named_like_type: bool,
    instantiators: Vec<Symbol>,
    /// Members that a call of the type calls, unless it creates an object.
    factories: Vec<Symbol>,
    callables: Vec<Symbol>,
    /// Members of a function that call it.
    invokers: Vec<Symbol>,
    /// Those whose first argument is the receiver, and those that take a list of arguments.
    rebinders: Vec<Symbol>,
    appliers: Vec<Symbol>,
    common: FxHashSet<Symbol>,
    /// Method of an iterator that returns its next element.
    next: Option<Symbol>,
    /// True if a call of the receiver (`this(...)`) calls a constructor of its type.
    receiver_constructs: bool,
    /// See [`Scopes`].
    named_calls: bool,
    /// Functions that each type has.
    of_types: FxHashSet<Symbol>,
}

impl<'a, 'n> PointsTo<'a, 'n> {
    /// Creates a solver that has not read any file yet.
    pub fn new(names: &'n mut Names<'a>) -> Self {
        let (mut special, mut containers) = (FxHashMap::default(), FxHashMap::default());
        for file in names.files() {
            if let (Some(language), Some(scopes)) = (names.language(file), names.scopes(file)) {
                special.entry(language).or_insert_with(|| SpecialMembers::new(scopes));
                containers.entry(language).or_insert_with(|| ContainerMembers::new(names.containers(file)));
            }
        }
        let shapes = names.definitions().map(|id| shape(names, id)).collect();
        let returned_by = |file| {
            let offsets = names.offsets(file);
            returned_parameters(names.facts(file)).into_iter().map(move |own| offsets.variable(own))
        };
        let returned = names.files().flat_map(returned_by).collect();
        let aliases = names.files().flat_map(|file| aliases(names, file)).collect();
        let (current, files) = (Box::new(FileSlots::none()), names.all_files().map(|_| None).collect());
        Self { names, current, files, work: RoundWork::default(), special, shapes, returned, aliases, containers }
    }

    pub fn names(&self) -> &Names<'a> {
        self.names
    }

    /// Iterates over the definitions that a call reaches.
    pub fn reached(&self, file: FileId, call: CallId) -> impl Iterator<Item = DefinitionId> {
        self.files[file].iter().flat_map(move |slots| slots.reached.iter(call))
    }

    /// Checks whether all that a value of a file points to is known, and there is something.
    pub fn knows(&self, file: FileId, value: ValueId) -> bool {
        let pointer = self.names.pointer_of(file, value);
        self.files[file].as_ref().is_some_and(|slots| slots.knows(pointer))
    }

    /// Checks whether a value of a file is read from a member of an object by a name that may also be a
    /// call. Code outside the repository may assign other objects to the member.
    pub fn is_member_read(&self, file: FileId, value: ValueId) -> bool {
        let FileValue::Call(call) = self.names.facts(file).value(value) else { return false };
        let may_read = self.names.scopes(file).is_some_and(|scopes| scopes.messages);
        let is_own = |object| matches!(object, AbstractObject::Instance(_) | AbstractObject::Definition(_));
        may_read
            && self.reached(file, call).next().is_none()
            && self.objects(file, self.names.pointer_of(file, value)).all(is_own)
    }

    /// Checks whether a value of a file may be more than its points-to set contains.
    pub fn is_open(&self, file: FileId, value: ValueId) -> bool {
        let pointer = self.names.pointer_of(file, value);
        self.files[file].as_ref().is_some_and(|slots| slots.is_open(pointer))
    }

    /// Iterates over the objects that one of a file's own pointers points to.
    pub fn objects(&self, file: FileId, pointer: PointerId) -> impl Iterator<Item = AbstractObject> {
        self.files[file].iter().flat_map(move |slots| slots.objects(slots.own_slot(pointer)))
    }

    /// Returns the methods with a name of the objects that a value points to, sorted.
    pub fn members_of_objects(&self, file: FileId, value: ValueId, name: Symbol) -> Vec<DefinitionId> {
        let pointer = self.names.pointer_of(file, value);
        let mut methods = Vec::new();
        // In other languages, the name of a type may stand for its only object.
        let scopes = self.names.scopes(file);
        let keeps_apart = scopes.is_some_and(|scopes| scopes.messages);
        let has_type_methods = keeps_apart || scopes.is_some_and(|scopes| !scopes.markers(Marker::Class).is_empty());
        for object in self.objects(file, pointer) {
            let (owner_type, is_type) = match object {
                AbstractObject::Instance(of_type) => (of_type, false),
                AbstractObject::Definition(id) if self.shapes[id].kind.has_members() => (id, has_type_methods),
                _ => continue,
            };
            let of_type = self.names.type_method(owner_type, name).filter(|_| is_type);
            let member = self.names.member_of_type(owner_type, name);
            let bound = of_type.or_else(|| member.and_then(|member| self.names.bound(member)));
            let overloads = bound.iter().flat_map(|id| self.names.overloads(id));
            let fits = |&&id: &&DefinitionId| match self.shapes[id].receives_type {
                true => is_type || !keeps_apart,
                false => !is_type,
            };
            methods.extend(overloads.filter(fits));
        }
        methods.sort_unstable();
        methods.dedup();
        methods
    }

    /// Returns the methods that reading a field of the objects that a value points to calls, sorted.
    pub fn getters_of_objects(&self, file: FileId, value: ValueId, name: Symbol) -> Vec<DefinitionId> {
        let objects = self.objects(file, self.names.pointer_of(file, value));
        let fields = objects.filter_map(|object| match object {
            AbstractObject::Instance(id) | AbstractObject::Definition(id) => self.names.member_of_type(id, name),
            _ => None,
        });
        let mut getters: Vec<DefinitionId> = fields.filter_map(|field| self.names.getter(field)).collect();
        getters.sort_unstable();
        getters.dedup();
        getters
    }

    fn offsets(&self) -> Offsets {
        self.names.offsets(self.current.file)
    }

    fn facts(&self) -> &'a FileFacts<'a> {
        self.names.facts(self.current.file)
    }

    fn slot(&mut self, pointer: PointerId) -> SlotId {
        self.current.slot(pointer, self.names)
    }

    /// Returns the slot of a value of the current file.
    fn slot_of(&self, value: ValueId) -> SlotId {
        self.current.own_slot(self.names.pointer_of(self.current.file, value))
    }

    fn callee_of(&self, call: CallId) -> SlotId {
        let callee = self.facts().call(call).callee;
        self.slot_of(callee)
    }

    fn result_of(&self, call: CallId) -> SlotId {
        self.current.own_slot(self.offsets().result_of(call))
    }

    fn return_of(&mut self, id: DefinitionId) -> SlotId {
        let returned = self.names.return_of(id);
        self.slot(returned)
    }

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
    fn point_to_object_of(&mut self, slot: SlotId, of_type: DefinitionId) {
        self.point_to(slot, AbstractObject::Instance(of_type));
        if self.shapes[of_type].kind == DefinitionKind::Type {
            let elements = self.return_of(of_type);
            self.constrain(elements, Constraint::Copy { to: slot });
        }
    }

    fn point_to_entity(&mut self, slot: SlotId, entity: Entity) {
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

    pub fn point_to(&mut self, slot: SlotId, object: AbstractObject) {
        if !self.current.point_to(slot, object) {
            self.implement_left_out(slot, object);
        }
    }

    /// Adds a constraint and applies it to the objects that the pointer already points to.
    pub fn constrain(&mut self, slot: SlotId, constraint: Constraint) {
        let is_circle = matches!(constraint, Constraint::Copy { to } if to == slot);
        if is_circle || !self.current.constrain(slot, constraint) {
            return;
        }
        let mut at = self.current.newest(slot);
        while let Some((object, next)) = self.current.object(at) {
            self.apply(constraint, object);
            at = next;
        }
    }

    /// Applies the constraints of the current file to new objects in its points-to sets, until no
    /// new object is left or the step budget is spent.
    pub fn drain(&mut self) {
        while let Some((slot, object)) = self.current.work.queue.pop_front()
            && !self.names.budget.is_spent()
        {
            let mut at = self.current.constraints.newest(slot);
            while let Some((constraint, next)) = self.current.constraints.item(at) {
                self.apply(constraint, object);
                at = next;
            }
        }
    }

    fn apply(&mut self, constraint: Constraint, object: AbstractObject) {
        if !self.names.budget.take(1) {
            return;
        }
        match constraint {
            Constraint::Copy { to } => self.point_to(to, object),
            Constraint::Element { to } => self.take_element(object, to),
            Constraint::Bind { to, receiver } => self.bind(to, receiver, object),
            Constraint::Load { name, to } => self.load(object, name.symbol(), to),
            Constraint::Store { name, from } => self.store(object, name.symbol(), from),
            Constraint::Call { call } => self.call(call, object),
            Constraint::Hold { call } => self.hold(call, object),
            Constraint::Implement { of_type } => self.implement_by(of_type, object),
            Constraint::Extend { call } => self.extend(call, object),
            Constraint::Instantiate { to } => match object {
                AbstractObject::Definition(id) if self.shapes[id].kind.has_members() || self.names.is_file_type(id) => {
                    self.point_to(to, AbstractObject::Instance(self.names.owner[id]));
                }
                AbstractObject::Foreign if self.declares_types() && !self.has_generic_traits() => {
                    self.point_to(to, AbstractObject::Foreign)
                }
                AbstractObject::Foreign if self.declares_types() => self.point_to(to, AbstractObject::Foreign),
                _ if self.structural_types() => self.point_to_type_of(to, object),
                _ => {}
            },
        }
    }

    /// Handles `to = receiver.member`, where the member is `object`: a method becomes bound, and
    /// its receiver variable points to the receiver.
    fn bind(&mut self, to: SlotId, receiver: AbstractObject, object: AbstractObject) {
        let AbstractObject::Definition(id) = object else { return self.point_to(to, object) };
        let is_instance = matches!(receiver, AbstractObject::Instance(_));
        if is_instance && self.shapes[id].receives_type && self.has_type_methods() {
            return;
        }
        let mut is_bound = false;
        for place in 0..self.names.overloads(&id).len() {
            is_bound |= self.bind_receiver(self.names.overloads(&id)[place], receiver);
        }
        self.point_to(to, if is_bound { AbstractObject::BoundMethod(id) } else { object });
    }

    /// Lets the receiver variable of a method point to the receiver. Returns false if a call of the
    /// method passes no receiver.
    fn bind_receiver(&mut self, id: DefinitionId, receiver: AbstractObject) -> bool {
        let shape = self.shapes[id];
        let Some(own) = shape.receiver else { return false };
        let receiver = match receiver {
            AbstractObject::Instance(owner_type) | AbstractObject::Super(owner_type) if shape.receives_type => {
                AbstractObject::Definition(owner_type)
            }
            AbstractObject::Super(owner_type) => AbstractObject::Instance(owner_type),
            AbstractObject::Definition(of) if !shape.receives_type && !self.shapes[of].is_object() => return false,
            other => other,
        };
        if !shape.has_exact_receiver {
            let own = self.slot(own);
            self.point_to(own, receiver);
        }
        true
    }

    /// Handles `to = object.name`.
    fn load(&mut self, object: AbstractObject, name: Symbol, to: SlotId) {
        match object {
            AbstractObject::Instance(owner_type) => {
                let from = self.member_slot(owner_type, name);
                self.load_implemented(owner_type, name, from);
                self.constrain(from, Constraint::Bind { to, receiver: object });
                // The receiver of a class method may stand for an object: `self.new(name)`.
                if self.is_instantiator(owner_type, name) && self.names.member_of_type(owner_type, name).is_none() {
                    self.point_to(to, AbstractObject::Definition(owner_type));
                }
                if let Some(target) = self.names.target_with_member(owner_type, name) {
                    let from = self.member_slot(target, name);
                    self.constrain(from, Constraint::Bind { to, receiver: AbstractObject::Instance(target) });
                }
            }
            AbstractObject::Definition(id) if self.shapes[id].is_object() => {
                let from = self.undeclared(id, name);
                self.constrain(from, Constraint::Bind { to, receiver: object });
            }
            AbstractObject::Definition(id) if self.shapes[id].kind.has_members() => {
                if let Some(method) = self.method_of_type(object, name) {
                    self.bind(to, object, AbstractObject::Definition(method));
                } else if let Some(from) = self.names.member_of_type(id, name) {
                    let from = self.slot(from);
                    self.constrain(from, Constraint::Bind { to, receiver: object });
                } else if self.is_instantiator(id, name) {
                    self.point_to(to, object);
                } else {
                    let from = self.undeclared(id, name);
                    self.constrain(from, Constraint::Bind { to, receiver: object });
                }
            }
            AbstractObject::Definition(id) | AbstractObject::BoundMethod(id) if self.is_invoked_by(id, name) => {
                self.point_to(to, object)
            }
            AbstractObject::Definition(id) => {
                if let Some(entity) = self.names.member(Entity::Definition(id), name) {
                    self.point_to_entity(to, entity);
                } else if self.shapes[id].kind == DefinitionKind::Module {
                    let from = self.undeclared(id, name);
                    self.constrain(from, Constraint::Copy { to });
                    // An import of a file refers to the value that the file returns
                    // (`module.exports = ...`).
                    let returned = self.return_of(id);
                    let constraint = Constraint::Load { name: name.into(), to };
                    if !self.is_required_module(returned, constraint) {
                        self.constrain(returned, constraint);
                    }
                }
            }
            AbstractObject::Directory(directory) => {
                if let Some(entity) = self.names.member(Entity::Directory(directory), name) {
                    self.point_to_entity(to, entity);
                }
            }
            AbstractObject::Super(owner_type) => {
                let bases = self.names.bases(owner_type);
                if let Some(&from) = bases.iter().find_map(|&base| self.names.members.get(&(base, name))) {
                    let from = self.slot(from);
                    self.constrain(from, Constraint::Bind { to, receiver: object });
                }
            }
            AbstractObject::Foreign => {
                self.point_to(to, AbstractObject::Foreign);
                let traits = self.current.traits.iter().take_while(|_| self.names.budget.take(1));
                let mut found = traits.filter_map(|&id| self.names.member_of_type(id, name));
                let first = found.next();
                let is_only = found.all(|other| Some(other) == first);
                if let Some(from) = first.filter(|_| is_only && !self.is_common(name)) {
                    let from = self.slot(from);
                    self.constrain(from, Constraint::Bind { to, receiver: object });
                }
            }
            AbstractObject::Unknown => self.point_to(to, object),
            AbstractObject::BoundMethod(_) => {}
        }
    }

    /// Checks whether a call is no call of `object`, the value of a field with the name that the call
    /// names, in languages in which no call means a value: `command.handler()` of a record reads the
    /// field, and `handler()` calls a method with that name.
    fn is_field(&self, call: CallId, object: AbstractObject) -> bool {
        let has_values = |scopes: &Scopes| !scopes.functions_apart || !scopes.declared_types;
        if self.names.scopes(self.current.file).is_none_or(has_values) {
            return false;
        }
        let facts = self.facts();
        let callee = facts.call(call).callee;
        match object {
            AbstractObject::Definition(id) | AbstractObject::BoundMethod(id) => {
                let is_function = !self.shapes[id].kind.has_members() && self.shapes[id].kind != DefinitionKind::Module;
                let own = self.names.definition(id).name;
                let is_named = |name| own == name || self.is_invoked_by(id, name);
                // The name of a constructor is that of its type, which `super(...)` does not contain.
                let is_constructor = self.names.type_around(id).is_some_and(|of| self.names.definition(of).name == own);
                is_function && !is_constructor && facts.name_of(callee).is_some_and(|name| !is_named(name))
            }
            AbstractObject::Instance(_) => matches!(facts.value(callee), FileValue::Access(..)),
            _ => false,
        }
    }

    /// Checks whether the call of a member of a function calls the function (`run.invoke()`).
    fn is_invoked_by(&self, id: DefinitionId, name: Symbol) -> bool {
        let kind = self.shapes[id].kind;
        let calls = |special: &SpecialMembers| special.callables.contains(&name) || special.invokers.contains(&name);
        (kind.is_function() || kind == DefinitionKind::Anonymous)
            && (self.special(id).is_some_and(calls) || self.names.is_function_member(name))
    }

    /// Checks whether the return value of a file contains a file, and the same load was added to it
    /// before. A file that returns itself (`A.A = A`, seen from outside) would otherwise cause an
    /// endless sequence of loads.
    fn is_required_module(&self, returned: SlotId, constraint: Constraint) -> bool {
        let is_file = |object: AbstractObject| {
            object.definition().is_some_and(|id| self.shapes[id].kind == DefinitionKind::Module)
        };
        let mut known = self.current.constraints.iter(returned).take_while(|_| self.names.budget.take(1));
        self.current.objects(returned).any(is_file) && known.any(|known| known == constraint)
    }

    /// Handles `object.name = from`.
    fn store(&mut self, object: AbstractObject, name: Symbol, from: SlotId) {
        let to = match object {
            AbstractObject::Instance(owner_type) if self.has_declared_member(owner_type, name) => return,
            AbstractObject::Instance(owner_type) => self.member_slot(owner_type, name),
            AbstractObject::Definition(id)
                if self.shapes[id].kind.has_members() || self.shapes[id].kind == DefinitionKind::Module =>
            {
                self.member_slot(id, name)
            }
            AbstractObject::Definition(id) if self.shapes[id].is_object() => self.undeclared(id, name),
            _ => return,
        };
        self.constrain(from, Constraint::Copy { to });
    }

    /// Checks whether the declared type of a member determines its objects.
    fn has_declared_member(&self, owner_type: DefinitionId, name: Symbol) -> bool {
        let member = self.names.member_of_type(owner_type, name);
        member.is_some_and(|member| self.names.has_declared_type(member))
    }

    /// Returns the member of a type or file. If no declaration names it, a member is created: code
    /// assigns it, or has only read it so far.
    fn member_slot(&mut self, owner_type: DefinitionId, name: Symbol) -> SlotId {
        match self.names.member_of_type(owner_type, name) {
            Some(known) => self.slot(known),
            None => self.undeclared(owner_type, name),
        }
    }

    fn undeclared(&mut self, owner_type: DefinitionId, name: Symbol) -> SlotId {
        let member = self.names.undeclared.member(owner_type, name);
        self.slot(member)
    }

    fn call(&mut self, call: CallId, object: AbstractObject) {
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
    fn fits_labels(&self, call: CallId, constructor: PointerId) -> bool {
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

    /// Checks whether built-in types of the current file's language have a member with this name.
    fn is_common(&self, name: Symbol) -> bool {
        let language = self.names.language(self.current.file);
        language.and_then(|language| self.special.get(&language)).is_some_and(|special| special.common.contains(&name))
    }

    /// Checks whether the first of several types is in the repository: the others are its
    /// arguments.
    fn is_own_type(&self, types: &[ValueId]) -> bool {
        let first = types.first().and_then(|&first| self.names.resolve(self.current.file, first, 0));
        matches!(first, Some(Entity::Definition(_)))
    }

    /// Checks whether the current file's language has generic traits.
    fn has_generic_traits(&self) -> bool {
        self.names.scopes(self.current.file).is_some_and(|scopes| scopes.traits)
    }

    /// Checks whether types are values in the current file's language.
    fn type_values(&self) -> bool {
        self.names.scopes(self.current.file).is_some_and(|scopes| scopes.type_values)
    }

    /// Checks whether the current file's language declares nearly all types, so that a type
    /// parameter with a foreign bound has no other types.
    fn declares_types(&self) -> bool {
        self.names.declares_types(self.current.file)
    }

    /// Checks whether a call calls the receiver, an object of the given type, and thereby one of
    /// the type's constructors.
    fn calls_own_constructor(&self, call: CallId, id: DefinitionId) -> bool {
        let FileCall { scope, callee, .. } = self.facts().call(call);
        self.special(id).is_some_and(|special| special.receiver_constructs)
            && matches!(self.facts().value(callee), FileValue::Variable(own) if self.is_receiver(self.current.file, scope, own))
    }

    /// Checks whether a function has the name of constructors.
    pub fn is_constructor(&self, id: DefinitionId) -> bool {
        self.special(id).is_some_and(|special| special.constructors.contains(&self.names.definition(id).name))
    }

    /// Returns the special members of the language of a definition.
    fn special(&self, id: DefinitionId) -> Option<&SpecialMembers> {
        self.special.get(&self.names.language(self.names.file_of(id))?)
    }

    /// Checks whether a member of a type stands for the type (`new` in Ruby).
    fn is_instantiator(&self, id: DefinitionId, name: Symbol) -> bool {
        self.special(id).is_some_and(|special| special.instantiators.contains(&name))
    }

    /// Returns the constructor that the type itself declares, if any.
    fn constructor(&self, owner_type: DefinitionId) -> Option<PointerId> {
        let special = self.special(owner_type)?;
        let own = special.named_like_type.then(|| self.names.definition(owner_type).name);
        let mut constructors = special.constructors.iter().copied().chain(own);
        constructors.find_map(|name| self.names.members.get(&(owner_type, name)).copied())
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
    fn select_among(&mut self, call: CallId, overloads: &[DefinitionId]) -> Vec<DefinitionId> {
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
    fn reach(&mut self, call: CallId, id: DefinitionId) -> bool {
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
    fn pass(&mut self, call: CallId, id: DefinitionId, bound: bool) {
        if self.reach(call, id) {
            self.pass_values(call, id, bound, None);
        }
    }

    /// Handles the call of a function that takes the object before its name as first argument.
    fn pass_extended(&mut self, call: CallId, id: DefinitionId, object: ValueId) {
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

fn shape(names: &Names<'_>, id: DefinitionId) -> DefinitionShape {
    let definition = names.definition(id);
    let receiver = definition.receiver.map(|own| names.offsets(names.file_of(id)).variable(own));
    let has_exact_receiver = names.scopes(names.file_of(id)).is_some_and(|scopes| scopes.traits);
    DefinitionShape {
        kind: definition.kind,
        receives_type: definition.receives_type,
        has_exact_receiver,
        receiver,
        is_restricted: names.is_restricted(id),
    }
}

/// Returns the other names that a file gives to functions in types, with the names of the functions.
fn aliases(names: &Names<'_>, file: FileId) -> Vec<(Symbol, Symbol)> {
    if !names.scopes(file).is_some_and(|scopes| scopes.messages) {
        return Vec::new();
    }
    let facts = names.facts(file);
    let name = |value| match facts.value(value) {
        FileValue::Definition(id) if facts.kind(id).is_function() => Some(facts.definition(id).name),
        _ => facts.name_of(value),
    };
    let mut aliases = Vec::new();
    for (target, value) in facts.bindings() {
        let AssignmentTarget::Variable(own) = target else { continue };
        if !facts.kind(facts.variable_scope(own)).is_type() {
            continue;
        }
        // Several methods have the start of a name (`parse_*`).
        let all = match facts.value(value) {
            FileValue::Any(all) => all.to_vec(),
            _ => vec![value],
        };
        let new = facts.variable_name(own);
        aliases.extend(all.into_iter().filter_map(name).filter(|&old| old != new).map(|old| (new, old)));
    }
    aliases
}

impl SpecialMembers {
    fn new(scopes: &Scopes) -> Self {
        let symbols = |list: &[String]| list.iter().filter(|name| *name != "{type}").map(|name| symbol(name)).collect();
        let named = |name: &str| Some(name).filter(|name| !name.is_empty()).map(symbol);
        Self {
            constructors: symbols(&scopes.constructors),
            named_like_type: scopes.names_constructors_like_types(),
            instantiators: symbols(&scopes.instantiators),
            factories: symbols(&scopes.factories),
            callables: symbols(&scopes.callables),
            invokers: [&scopes.invokers, &scopes.rebinders, &scopes.appliers]
                .into_iter()
                .flat_map(|all| symbols(all))
                .collect(),
            rebinders: symbols(&scopes.rebinders),
            appliers: symbols(&scopes.appliers),
            next: named(&scopes.next),
            common: scopes.common_members.iter().map(|name| symbol(name)).collect(),
            receiver_constructs: scopes.callables.iter().any(|name| name == "{type}"),
            named_calls: scopes.messages,
            of_types: scopes.type_functions.iter().map(|name| symbol(name)).collect(),
        }
    }
}
