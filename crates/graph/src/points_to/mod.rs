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

mod calls;
mod containers;
mod extensions;
mod literals;
mod message;
mod objects;
mod read;
mod reason;
mod rounds;
mod sets;
mod slots;
mod special_members;
mod type_methods;

use crate::file_facts::{FileFacts, FileValue};
use crate::names::{Entity, Names, Offsets};
use crate::returned_parameters::returned_parameters;
use containers::ContainerMembers;
pub(crate) use message::{ArrivingMessage, Message, MessageContent};
pub(crate) use objects::AbstractObject;
use objects::Constraint;
use rustc_hash::{FxHashMap, FxHashSet};
use slots::{FileSlots, RoundWork};
use special_members::SpecialMembers;
use special_members::aliases;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, IdVec, PointerId, SlotId, ValueId};
use whichfn_syntax::lang::{DefinitionKind, LangId, Marker, Scopes};
use whichfn_syntax::parse::Symbol;

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
