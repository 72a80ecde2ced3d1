//! Resolves single uses of names in linked files: what `name`, or `object.name`, refers to at one
//! place. Linking resolves only the values that calls need; this also answers for types, constants
//! and fields.
//!
//! - **Invariant:** the answer for a name is the answer that linking would use. The type of an
//!   object is found by its declarations and assignments, on demand, in at most [`MAX_DEPTH`]
//!   steps.
//! - **Cost:** the tables of names, once for each group of languages; then some look-ups per use.

use crate::file_facts::FileValue;
use crate::link::groups;
use crate::modules::Paths;
use crate::names::{Entity, Names, PointerKind, Source};
use crate::resolver::NameResolver;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, LocalId, PointerId, ValueId, VariableId};
use whichfn_syntax::lang::{DefinitionKind, Registry, Scopes, Visibility};
use whichfn_syntax::parse::{AssignmentTarget, Symbol, symbol};

/// Maximum number of assignments, calls and members that are followed to find the type of an
/// object.
pub(super) const MAX_DEPTH: u32 = 8;

/// What a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Referent {
    /// A definition, by its file and its number in it.
    Definition(FileId, LocalId),
    /// A variable of a file or type: its file, that definition, and its name.
    Value(FileId, LocalId, Symbol),
    /// A variable of a function, a directory, or something outside the repository.
    Other,
}

/// An expression in front of a member, as far as it is resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// A name.
    Name(Symbol),
    /// The current object (`this`).
    Receiver,
    /// The current object, as an object of its bases (`super`).
    Super,
    /// A member of an object.
    Member(Box<Object>, Symbol),
    /// A call, by the number of its syntax node.
    Call(u32),
    /// An object of the type that an expression names (`Session { user }`).
    Instance(Box<Object>),
    /// What the call at a syntax node expects as its argument at an index.
    Argument(u32, usize),
    /// What the innermost function around the place is declared to return.
    Returned,
    /// A value of a built-in type.
    Foreign,
    /// Any other expression.
    Unknown,
}

/// The value of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    Entity(Entity),
    Instance(DefinitionId),
    /// An object of the bases of a type.
    Super(DefinitionId),
    Foreign,
}

/// The variables of a file by scope and name.
pub(super) type Variables = FxHashMap<(LocalId, Symbol), VariableId>;

/// The values that are assigned in a file. Variables of several blocks of a function that share
/// their name count as one.
#[derive(Default)]
pub(super) struct Assigned {
    /// The first variable with the same scope and name, for all others.
    pub(super) first: FxHashMap<VariableId, VariableId>,
    pub(super) to_variable: FxHashMap<VariableId, Vec<ValueId>>,
    pub(super) to_member: FxHashMap<Symbol, Vec<ValueId>>,
    pub(super) returned: FxHashMap<LocalId, Vec<ValueId>>,
    pub(super) calls: FxHashMap<u32, CallId>,
}

/// Files that are linked together, with the inputs of linking.
pub struct LinkedFiles<'a> {
    pub(super) sources: &'a [Source<'a>],
    pub(super) files: Vec<FileId>,
    pub(super) paths: Paths,
    pub(super) registry: &'a Registry,
}

impl<'a> LinkedFiles<'a> {
    /// Returns the files that are linked together with `file`. `sources` contains all files of the
    /// repository, whose directory is named `root`; at least the files of that group have facts.
    pub fn around(file: FileId, root: &str, sources: &'a [Source<'a>], registry: &'a Registry) -> Self {
        let all = groups(sources, registry).into_values();
        let files = all.into_iter().find(|files| files.binary_search(&file).is_ok()).unwrap_or_default();
        Self { sources, files, paths: Paths::of_root(root, sources.iter().map(|source| source.path)), registry }
    }
}

/// Resolves uses of names.
pub struct UseResolver<'a> {
    pub(super) names: Names<'a>,
    pub(super) assigned: RefCell<FxHashMap<FileId, Rc<Assigned>>>,
    pub(super) variables: RefCell<FxHashMap<FileId, Rc<Variables>>>,
}

impl<'a> From<NameResolver<'a>> for UseResolver<'a> {
    fn from(resolver: NameResolver<'a>) -> Self {
        Self { names: resolver.into_names(), assigned: RefCell::default(), variables: RefCell::default() }
    }
}

impl<'a> UseResolver<'a> {
    /// Builds the tables of names of `linked`.
    pub fn new(linked: &'a LinkedFiles<'a>) -> Self {
        let names = Names::new(linked.sources, &linked.files, &linked.paths, linked.registry);
        Self { names, assigned: RefCell::default(), variables: RefCell::default() }
    }

    /// Checks whether a type around a scope, or one of its bases, is a given type.
    pub fn inherits(&self, scope: (FileId, LocalId), of: (FileId, LocalId)) -> bool {
        self.names.inherits(scope, of)
    }

    /// Checks whether a type, or one of its bases, has a base outside the repository.
    pub fn has_outside_base(&self, file: FileId, local: LocalId) -> bool {
        self.names.has_outside_base(self.names.offsets(file).definition(local))
    }

    /// Declares a named value that linking does not need, such as a macro or an enum variant.
    pub fn declare(&mut self, file: FileId, parent: LocalId, name: Symbol) {
        let names = &mut self.names;
        let (offsets, is_file) = (names.offsets(file), parent == LocalId::FILE);
        let owner = names.owner[offsets.definition(parent)];
        let known = names.members.get(&(owner, name)).copied();
        let pointer = known.unwrap_or_else(|| names.undeclared.member(owner, name));
        names.add_member(owner, name, pointer);
        // The variants of an enum are names of the scope around it where files are included as
        // text.
        if !is_file && names.kind(owner) == DefinitionKind::Enum && names.is_included(file) {
            names.add_member(offsets.definition(LocalId::FILE), name, pointer);
        }
        if is_file && names.scopes(file).is_some_and(|scopes| scopes.visibility == Visibility::Directory) {
            names.share_variable(file, name, pointer);
        }
        if is_file {
            names.share_with_package(file, name, pointer);
        }
        names.start_caches();
    }

    /// Returns what a name refers to in the scope of a definition; `None` if this is unknown.
    pub fn name(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<Referent> {
        self.entity(file, scope, name).map(|entity| self.referent(entity))
    }

    /// Checks whether an import fills a name with something that its module, which is in the
    /// repository, lacks.
    pub fn lacks_import(&self, file: FileId, scope: LocalId, name: Symbol) -> bool {
        matches!(self.entity(file, scope, name), Some(Entity::Variable(pointer)) if self.names.lacks_import(pointer))
    }

    /// Returns what the imports of a name in a file refer to, under whatever name they bind it.
    pub fn imported(&self, file: FileId, name: Symbol) -> Vec<Referent> {
        let imports = self.names.facts(file).imports().filter(|import| import.name == Some(name));
        let mut found = Vec::new();
        for (path, variable) in imports.filter_map(|import| Some((import.path, import.variable?))) {
            let entity = self.follow(Entity::Variable(self.names.offsets(file).variable(variable)), 0);
            found.push(self.referent(entity));
            let extensions = self.names.extensions_at(file, path, name);
            found.extend(extensions.map(|id| self.referent(Entity::Definition(id))));
        }
        found
    }

    /// Returns what a member of an object may refer to. The list is empty if this is unknown.
    pub fn member(&self, file: FileId, scope: LocalId, object: &Object, name: Symbol) -> Vec<Referent> {
        let meanings = self.meanings(file, scope, object, 0).into_iter();
        let found = meanings.filter_map(|meaning| self.member_entity(meaning, name));
        found.map(|entity| self.referent(self.follow(entity, 0))).collect()
    }

    /// Returns what a key refers to in an object that is expected to be `object`: members of the
    /// repository. The list is empty if this is unknown.
    pub fn key(&self, file: FileId, scope: LocalId, object: &Object, name: Symbol) -> Vec<Referent> {
        let meanings = self.meanings(file, scope, object, 0).into_iter();
        let known = meanings.filter(|meaning| *meaning != Meaning::Foreign);
        let found = known.filter_map(|meaning| self.member_entity(meaning, name));
        found.map(|entity| self.referent(self.follow(entity, 0))).collect()
    }

    /// Returns what the call at a syntax node may call. Returns `None` if no call is there.
    pub fn called(&self, file: FileId, node: u32) -> Option<Vec<Referent>> {
        let call = *self.assigned(file).calls.get(&node)?;
        let mut found = Vec::new();
        self.meaning_of_value(file, self.names.facts(file).call(call).callee, 0, &mut found);
        let referent = |meaning: Meaning| match meaning {
            Meaning::Entity(entity) => Some(self.referent(entity)),
            Meaning::Foreign => Some(Referent::Other),
            Meaning::Instance(_) | Meaning::Super(_) => None,
        };
        Some(found.into_iter().filter_map(referent).collect())
    }

    /// Returns what the name of an argument refers to, if the call at a syntax node creates an object
    /// from the values of its fields: a field. Returns `None` for any other call.
    pub fn argument(&self, file: FileId, node: u32, name: Symbol) -> Option<Vec<Referent>> {
        let call = *self.assigned(file).calls.get(&node)?;
        let (facts, scopes) = (self.names.facts(file), self.names.scopes(file)?);
        let callee = facts.call(call).callee;
        let mut found = Vec::new();
        match facts.value(callee) {
            FileValue::Access(object, copy) if scopes.copies.iter().any(|own| symbol(own) == copy) => {
                self.meaning_of_value(file, object, 0, &mut found);
                found.retain(|meaning| self.member_entity(*meaning, copy).is_none());
            }
            _ => {
                self.meaning_of_value(file, callee, 0, &mut found);
                found = found.into_iter().filter_map(|meaning| self.created(scopes, meaning)).collect();
            }
        }
        found.retain(|meaning| matches!(meaning, Meaning::Instance(_)));
        let field = |meaning: &Meaning| Some(self.referent(self.follow(self.member_entity(*meaning, name)?, 0)));
        (!found.is_empty()).then(|| found.iter().filter_map(field).collect())
    }

    /// Returns the object that a call of a type creates, if the arguments are the values of its fields:
    /// the type declares no constructor, or the parameters in its head are fields.
    fn created(&self, scopes: &Scopes, callee: Meaning) -> Option<Meaning> {
        let Meaning::Entity(Entity::Definition(id)) = callee else { return None };
        let owner = self.names.owner[id];
        let declares = |name: &String| self.names.member_of_type(owner, symbol(name)).is_some();
        let takes_fields = scopes.header_constructors || !scopes.constructors.iter().any(declares);
        (self.names.kind(id).has_members() && takes_fields).then_some(Meaning::Instance(owner))
    }

    /// Returns the member of an object with the given name. A base whose members are unknown is
    /// outside the repository.
    pub(super) fn member_entity(&self, meaning: Meaning, name: Symbol) -> Option<Entity> {
        match meaning {
            Meaning::Entity(entity) => self.names.member(entity, name),
            Meaning::Instance(id) => self.names.member_of_type(id, name).map(Entity::Variable),
            Meaning::Super(id) => {
                let mut bases = self.names.bases(id).iter();
                let found = bases.find_map(|&base| self.names.members.get(&(base, name)).copied());
                Some(found.map_or(Entity::Foreign, Entity::Variable))
            }
            Meaning::Foreign => Some(Entity::Foreign),
        }
    }

    /// Returns the type around a definition, and its bases.
    pub fn types_around(&self, file: FileId, scope: LocalId) -> Vec<(FileId, LocalId)> {
        let around = self.names.type_around(self.names.offsets(file).definition(scope));
        around.iter().flat_map(|id| self.names.mro(id)).map(|&id| self.names.local(id)).collect()
    }

    /// Returns the value with a name that a definition declares, as uses of it are resolved.
    pub fn value(&self, file: FileId, parent: LocalId, name: Symbol) -> Referent {
        let (file, parent) = self.names.local(self.names.owner[self.names.offsets(file).definition(parent)]);
        Referent::Value(file, parent, name)
    }

    /// Checks whether it is known what an object is.
    pub fn is_known(&self, file: FileId, scope: LocalId, object: &Object) -> bool {
        !self.meanings(file, scope, object, 0).is_empty()
    }

    fn referent(&self, entity: Entity) -> Referent {
        let names = &self.names;
        match entity {
            Entity::Definition(id) => {
                let (file, local) = names.local(names.exported(id));
                Referent::Definition(file, local)
            }
            Entity::Variable(pointer) => self.variable(pointer).unwrap_or(Referent::Other),
            Entity::Directory(_) | Entity::Foreign => Referent::Other,
        }
    }

    /// Returns the variable of a pointer, unless it belongs to a function.
    fn variable(&self, pointer: PointerId) -> Option<Referent> {
        let names = &self.names;
        if let Some((owner, name)) = names.undeclared.get(pointer) {
            let (file, local) = names.local(owner);
            return Some(Referent::Value(file, local, name));
        }
        let file = names.file_of_pointer(pointer);
        let variable = self.own_variable(file, pointer)?;
        let scope = names.facts(file).variable_scope(variable);
        let kind = names.facts(file).kind(scope);
        let is_member = kind.has_members() || kind == DefinitionKind::Module;
        is_member.then(|| {
            let (owner_file, owner) = names.local(names.owner[names.offsets(file).definition(scope)]);
            Referent::Value(owner_file, owner, names.facts(file).variable_name(variable))
        })
    }

    pub(super) fn own_variable(&self, file: FileId, pointer: PointerId) -> Option<VariableId> {
        let (kind, number) = self.names.offsets(file).kind_of(pointer);
        (kind == PointerKind::Variable).then_some(VariableId(number))
    }

    /// Returns the entity that a name refers to: the innermost scope that binds it, else what is
    /// visible in the file.
    pub(super) fn entity(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<Entity> {
        let (names, facts, variables) = (&self.names, self.names.facts(file), self.variables(file));
        let implicit = names.scopes(file)?.implicit_members();
        let mut at = scope;
        loop {
            let declared = || names.members.get(&(names.offsets(file).definition(at), name)).copied();
            let own = variables.get(&(at, name)).map(|&variable| names.offsets(file).variable(variable));
            let is_hidden = facts.kind(at).has_members() && at != scope && !implicit;
            // A method that is written outside its type binds its own name as a member of the type.
            let is_member = facts.definition(at).owner.is_some() && facts.definition(at).name == name;
            if let Some(pointer) = own.or_else(declared).filter(|_| !is_hidden && !is_member) {
                return Some(self.follow(Entity::Variable(pointer), 0));
            }
            if at == LocalId::FILE {
                return names.free(file, scope, name).map(|entity| self.follow(entity, 0));
            }
            at = facts.definition(at).parent;
        }
    }

    /// Follows a variable to the definition or import that fills it, if there is one.
    pub(super) fn follow(&self, entity: Entity, depth: u32) -> Entity {
        let Entity::Variable(pointer) = entity else { return entity };
        if let Some(bound) = self.names.bound(pointer) {
            return Entity::Definition(bound);
        }
        match self.names.import(pointer, depth) {
            Some(next) if next != entity && depth < MAX_DEPTH => self.follow(next, depth + 1),
            _ => entity,
        }
    }

    pub(super) fn variables(&self, file: FileId) -> Rc<Variables> {
        let known = self.variables.borrow().get(&file).cloned();
        known.unwrap_or_else(|| {
            let all = self.names.facts(file).variables();
            let new: Rc<Variables> = Rc::new(all.map(|(variable, scope, name)| ((scope, name), variable)).collect());
            self.variables.borrow_mut().insert(file, new.clone());
            new
        })
    }

    pub(super) fn assigned(&self, file: FileId) -> Rc<Assigned> {
        let known = self.assigned.borrow().get(&file).cloned();
        known.unwrap_or_else(|| {
            let new = Rc::new(Assigned::new(&self.names, file));
            self.assigned.borrow_mut().insert(file, new.clone());
            new
        })
    }
}

impl Assigned {
    fn new(names: &Names<'_>, file: FileId) -> Self {
        let (facts, mut new, mut variables) = (names.facts(file), Self::default(), Variables::default());
        for (variable, scope, name) in facts.variables() {
            let first = *variables.entry((scope, name)).or_insert(variable);
            if first != variable {
                new.first.insert(variable, first);
            }
        }
        for (target, value) in facts.bindings() {
            match target {
                AssignmentTarget::Variable(variable) => {
                    new.to_variable.entry(new.first_of(variable)).or_default().push(value);
                }
                AssignmentTarget::Member(_, name) => new.to_member.entry(name).or_default().push(value),
            }
        }
        for (definition, value) in facts.returns() {
            new.returned.entry(definition).or_default().push(value);
        }
        new.calls.extend(facts.call_ids().zip(facts.places()).map(|(call, place)| (place.node, call)));
        new
    }

    pub(super) fn first_of(&self, variable: VariableId) -> VariableId {
        self.first.get(&variable).copied().unwrap_or(variable)
    }
}
