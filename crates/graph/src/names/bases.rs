//! The base types of each type, in the order in which their members are searched for.

use super::{Entity, Names};
use crate::file_facts::FileValue;
use crate::mro::linearize;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId, VariableId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{AssignmentTarget, Symbol, symbol};

/// Maximum number of types on whose objects the functions of a trait are assumed to run.
pub(super) const MAX_USERS: usize = 4;

/// The bases that types name.
pub(super) struct Bases {
    /// Bases of each type, including those of its extensions.
    pub(super) direct: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// See [`Names::declared_bases`].
    pub(super) declared: Vec<(DefinitionId, DefinitionId)>,
    /// False if a base of a nested type is unknown.
    pub(super) is_complete: bool,
}

impl Bases {
    /// Returns the method resolution order of each type.
    fn linearize(&self) -> FxHashMap<DefinitionId, Box<[DefinitionId]>> {
        self.direct.keys().map(|&id| (id, linearize(id, &self.direct))).collect()
    }
}

impl<'a> Names<'a> {
    pub(super) fn find_mro(&mut self) {
        let mut bases = self.direct_bases();
        self.mro = bases.linearize();
        if !bases.is_complete {
            // A base may be a member that a type around inherits.
            bases = self.direct_bases();
            self.mro = bases.linearize();
        }
        self.declared_bases = bases.declared;
    }

    pub(super) fn find_type_methods(&mut self) {
        for file in self.files() {
            if !self.scopes(file).is_some_and(|scopes| scopes.messages) {
                continue;
            }
            for local in self.facts[file].definition_ids() {
                let (id, definition) = (self.offsets[file].definition(local), self.facts[file].definition(local));
                let around = self.type_around(id).filter(|_| definition.receives_type && definition.kind.is_function());
                if let Some(of_type) = around {
                    self.type_methods.insert((of_type, definition.name), id);
                }
            }
        }
    }

    /// Returns the method with a name that a type has itself, apart from those of its objects.
    pub fn type_method(&self, of_type: DefinitionId, name: Symbol) -> Option<DefinitionId> {
        let order = if self.type_methods.is_empty() { &[] } else { self.mro(&of_type) };
        let mut bases = order.iter().take_while(|_| self.budget.take(1));
        bases.find_map(|&base| self.type_methods.get(&(base, name)).copied())
    }

    pub(super) fn find_users(&mut self) {
        let mut users: FxHashMap<DefinitionId, Vec<DefinitionId>> = FxHashMap::default();
        for file in self.files().filter(|&file| self.scopes(file).is_some_and(|scopes| scopes.mixins)) {
            let types = self.facts[file].definition_ids().map(|local| self.offsets[file].definition(local));
            for (user, order) in types.filter_map(|id| Some((id, self.mro.get(&id)?))) {
                for &base in order.iter().skip(1).filter(|&&base| self.kind(base) == DefinitionKind::Trait) {
                    let known = users.entry(base).or_default();
                    if known.len() < MAX_USERS {
                        known.push(user);
                    }
                }
            }
        }
        self.users = users;
    }

    /// Returns the types of the repository that add members to a library type with this name, in
    /// languages in which any file may do so: the type itself, else those that it converts to.
    pub fn reopened_library_types(&self, file: FileId, name: Symbol) -> Vec<DefinitionId> {
        match self.reopened_library_type(file, name) {
            Some(own) => vec![own],
            None => self.library_bases(file, name),
        }
    }

    fn reopened_library_type(&self, file: FileId, name: Symbol) -> Option<DefinitionId> {
        let reopens = self.scopes(file).is_some_and(|scopes| scopes.messages);
        let is_reopened = |&&id: &&DefinitionId| {
            self.families[self.file_of(id)] == self.families[file]
                && self.kind(id).is_type()
                && self.definition(id).parent == LocalId::FILE
        };
        self.top.get(name).iter().filter(|_| reopens).find(is_reopened).map(|&id| self.owner[id])
    }

    /// Returns the types of the repository that a library type with this name converts to.
    fn library_bases(&self, file: FileId, name: Symbol) -> Vec<DefinitionId> {
        let conversions = self.specs[file].filter(|spec| spec.scopes.messages).map(|spec| &spec.types.conversions);
        let bases = conversions.into_iter().flatten().find(|(from, _)| symbol(from) == name).map(|(_, bases)| bases);
        let bases = bases.into_iter().flatten();
        bases.filter_map(|base| self.reopened_library_type(file, symbol(base))).collect()
    }

    /// Returns some of the types that mix in a trait.
    pub fn users(&self, id: DefinitionId) -> &[DefinitionId] {
        self.users.get(&id).map_or(&[], Vec::as_slice)
    }

    fn direct_bases(&self) -> Bases {
        let mut is_complete = true;
        let mut direct: FxHashMap<DefinitionId, Vec<DefinitionId>> = FxHashMap::default();
        let mut declared = Vec::new();
        for id in self.definitions() {
            let definition = self.definition(id);
            if definition.kind.is_type() && definition.parent == LocalId::FILE {
                let bases = self.library_bases(self.file_of[id], definition.name);
                direct.extend((!bases.is_empty()).then_some((self.owner[id], bases)));
            }
            if definition.bases.is_empty() || !definition.kind.has_members() {
                continue;
            }
            let file = self.file_of[id];
            for &base in definition.bases {
                let is_file = self.is_file(self.owner[id]);
                let base = self.resolve(file, base, 0);
                is_complete &= base.is_some() || definition.parent == LocalId::FILE;
                if let Some(Entity::Definition(base)) = base
                    && !is_file
                {
                    let base = self.whole(self.unaliased(self.exported(base)));
                    declared.push((id, base));
                    let bases = direct.entry(self.owner[id]).or_default();
                    for base in std::iter::once(base).chain(self.type_mixin(file, base)) {
                        if !bases.contains(&base) {
                            bases.push(base);
                        }
                    }
                }
            }
        }
        declared.dedup();
        Bases { direct, declared, is_complete }
    }

    /// Returns the trait inside another one with which that one extends the types that mix it in.
    fn type_mixin(&self, file: FileId, base: DefinitionId) -> Option<DefinitionId> {
        let name = self.scopes(file).map(|scopes| &scopes.type_mixin).filter(|name| !name.is_empty())?;
        let inside = self.members.get(&(self.owner[base], symbol(name)))?;
        self.bound(*inside).filter(|&id| self.kind(id) == DefinitionKind::Trait).map(|id| self.owner[id])
    }

    /// Declares a member of the surrounding type for `self.name = ...` in a method, unless the type
    /// or a base has one.
    pub(super) fn declare_attributes(&mut self) {
        for file in self.files() {
            let (offsets, facts) = (self.offsets[file], self.facts[file]);
            let mut types: FxHashMap<VariableId, DefinitionId> = FxHashMap::default();
            for local in facts.definition_ids() {
                if let (Some(receiver), Some(owner_type)) =
                    (facts.definition(local).receiver, self.type_around(offsets.definition(local)))
                {
                    types.insert(receiver, owner_type);
                }
            }
            for (target, _) in facts.bindings() {
                if let AssignmentTarget::Member(object, name) = target
                    && let FileValue::Variable(variable) = facts.value(object)
                    && let Some(&owner_type) = types.get(&variable)
                    && self.member_of_type(owner_type, name).is_none()
                {
                    let member = self.undeclared.member(owner_type, name);
                    self.add_member(owner_type, name, member);
                }
            }
        }
    }

    /// Returns a type and its bases in method resolution order.
    pub fn mro<'s>(&'s self, id: &'s DefinitionId) -> &'s [DefinitionId] {
        self.mro.get(id).map_or(std::slice::from_ref(id), |order| order)
    }

    /// Checks whether a type around a scope, or one of its bases, is a given type.
    pub fn inherits(&self, (file, scope): (FileId, LocalId), (of_file, of): (FileId, LocalId)) -> bool {
        let (facts, of) = (self.facts[file], self.owner[self.offsets[of_file].definition(of)]);
        let parent = |&scope: &LocalId| Some(facts.definition(scope).parent).filter(|&parent| parent != scope);
        std::iter::successors(Some(scope), parent).any(|one| {
            let around = self.owner[self.offsets[file].definition(one)];
            self.mro(&around).contains(&of)
        })
    }

    /// Checks whether a type, or one of its bases, has a base outside the repository.
    pub fn has_outside_base(&self, id: DefinitionId) -> bool {
        let is_outside = |&id: &DefinitionId| {
            let file = self.file_of(id);
            let inside = |&base: &_| matches!(self.resolve(file, base, 0), Some(Entity::Definition(_)));
            !self.definition(id).bases.iter().all(inside)
        };
        self.mro(&id).iter().any(is_outside)
    }

    /// Returns the bases of a type, in method resolution order.
    pub fn bases(&self, id: DefinitionId) -> &[DefinitionId] {
        self.mro.get(&id).and_then(|order| order.split_first()).map_or(&[], |(_, bases)| bases)
    }
}
