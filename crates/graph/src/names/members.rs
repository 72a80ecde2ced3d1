//! The members of types, with those that extensions and other parts of a type add.

use super::{Entity, Names};
use crate::file_facts::FileValue;
use crate::modules::ImportTarget;
use crate::values_by_symbol::ValuesBySymbol;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId, PointerId, ValueId};
use whichfn_syntax::lang::{DefinitionKind, Visibility};
use whichfn_syntax::parse::{Symbol, symbol};

/// Maximum length of a chain of objects that point to each other.
pub(super) const MAX_TARGETS: usize = 8;

impl<'a> Names<'a> {
    /// Records names bound at the top level of a file or directly in a type as its members.
    pub(super) fn note_members(&mut self, file: FileId) {
        let (offsets, facts) = (self.offsets[file], self.facts[file]);
        let has_members = |local| {
            let kind = facts.kind(local);
            kind == DefinitionKind::Module || kind.is_type()
        };
        let owners: Vec<bool> = facts.definition_ids().map(has_members).collect();
        for (local, scope, name) in facts.variables() {
            if owners[scope.index()] {
                self.add_member(offsets.definition(scope), name, offsets.variable(local));
            }
        }
        self.share_variables(file);
    }

    /// Shares the top-level variables of a file with its directory, if the language does so.
    /// Imports are not shared.
    fn share_variables(&mut self, file: FileId) {
        let is_shared = |visibility| matches!(visibility, Visibility::Directory | Visibility::Package);
        if !self.scopes(file).is_some_and(|scopes| is_shared(scopes.visibility)) {
            return;
        }
        let directory = self.paths.directory_of(file);
        for (local, scope, name) in self.facts[file].variables() {
            let variable = self.offsets[file].variable(local);
            let is_private = self.bound(variable).is_some_and(|id| self.definition(id).is_private);
            if scope == LocalId::FILE && !is_private && !self.imported.contains_key(&variable) {
                self.shared_variables.entry((directory, name)).or_insert(variable);
                if let Some(package) = self.source_packages.of(file) {
                    self.source_packages.note_variable(package, name, variable);
                    self.stars.note_binder(ImportTarget::Package(package), name);
                }
            }
        }
    }

    /// Shares a top-level variable of a file with its directory.
    pub fn share_variable(&mut self, file: FileId, name: Symbol, variable: PointerId) {
        self.shared_variables.entry((self.paths.directory_of(file), name)).or_insert(variable);
    }

    /// Records a variable as a member of a file or type.
    pub fn add_member(&mut self, owner_type: DefinitionId, name: Symbol, variable: PointerId) {
        self.members.insert((owner_type, name), variable);
        let file = self.file_of[owner_type];
        if owner_type == self.file_definition(file) {
            self.stars.note_binder(ImportTarget::File(file), name);
        }
    }

    pub(super) fn find_extensions(&mut self) {
        let (mut extensions, mut imported) = (Vec::new(), Vec::new());
        for file in self.files() {
            let (facts, offsets) = (self.facts[file], self.offsets[file]);
            let entry = |local| (facts.definition(local).name, offsets.definition(local));
            imported.extend(facts.definition_ids().filter(|&local| self.is_imported_extension(file, local)).map(entry));
            let extends_libraries = self.scopes(file).is_some_and(|scopes| scopes.extends_libraries);
            if !extends_libraries && !facts.has_extensions() {
                continue;
            }
            let is_extension = |&local: &LocalId| {
                facts.is_extension(local) || extends_libraries && self.extended_type(file, local).is_some()
            };
            let all = facts.definition_ids().filter(is_extension);
            extensions.extend(all.map(entry));
        }
        self.extensions = ValuesBySymbol::new(extensions);
        self.imported_extensions = ValuesBySymbol::new(imported);
    }

    /// Returns the declared type that a method adds to, if the type is not in the repository, or if
    /// files have to import the method.
    pub fn extended_type(&self, file: FileId, local: LocalId) -> Option<ValueId> {
        let imported = || self.facts[file].definition(local).owner.filter(|_| self.is_imported_extension(file, local));
        self.extended_library_type(file, local).or_else(imported)
    }

    /// Returns the declared type that a method adds to, if the type is not in the repository.
    pub fn extended_library_type(&self, file: FileId, local: LocalId) -> Option<ValueId> {
        let (facts, offsets) = (self.facts[file], self.offsets[file]);
        let is_outside = |local| self.owner[offsets.definition(local)] == offsets.definition(local);
        let definition = facts.definition(local);
        let around = facts.definition(definition.parent);
        let extended = match () {
            () if definition.kind != DefinitionKind::Method => None,
            () if around.kind == DefinitionKind::Extension => around.owner.filter(|_| is_outside(definition.parent)),
            () => definition.owner.filter(|_| is_outside(local)),
        };
        // `inst.min = function ...` adds to one object. Where types are declared, a variable is a type
        // parameter.
        extended.filter(|&value| match facts.value(value) {
            FileValue::Variable(variable) => self.declares_types(file) || self.is_imported(offsets.variable(variable)),
            _ => true,
        })
    }

    /// Resolves the types that extensions and out-of-line methods belong to. Parts of one type
    /// belong to the first part.
    pub(super) fn find_owners(&mut self) {
        let all: Vec<DefinitionId> = self.definitions().filter(|&id| self.definition(id).owner.is_some()).collect();
        let mut parts: FxHashMap<_, DefinitionId> = FxHashMap::default();
        for id in all {
            let part = self.definition(id);
            if part.kind.is_type() {
                // Types without a namespace belong together in one directory only.
                let reopens = self.scopes(self.file_of[id]).is_some_and(|scopes| scopes.messages);
                let directory = (part.parent == LocalId::FILE && !reopens).then(|| self.directory_of(id));
                let family = self.families[self.file_of[id]];
                if let Some(name) = part.owner.filter(|_| reopens && part.parent == LocalId::FILE) {
                    self.type_paths.note(family, self.facts[self.file_of[id]], name, id);
                }
                self.owner[id] = *parts.entry((family, part.qualified_name, directory)).or_insert(id);
                continue;
            }
            let owner = self.definition(id).owner.map(|value| self.without_arguments(self.file_of[id], value));
            let owner = owner.and_then(|value| self.resolve(self.file_of[id], value, 0));
            if let Some(Entity::Definition(owner)) = owner
                && owner != id
            {
                self.owner[id] = owner;
            }
        }
    }

    /// Returns the type that an extension of a generic type adds to, without the type's arguments, in
    /// languages where extensions may add members to library types.
    fn without_arguments(&self, file: FileId, value: ValueId) -> ValueId {
        match self.facts[file].value(value) {
            FileValue::Any(&[head, ..]) if self.scopes(file).is_some_and(|scopes| scopes.extends_libraries) => head,
            _ => value,
        }
    }

    /// Adds members of extensions, and methods written out of line, to the type, unless it has a
    /// member of that name.
    pub(super) fn share_members_of_extensions(&mut self) {
        self.share_own_members();
        for file in self.files() {
            let (offsets, facts) = (self.offsets[file], self.facts[file]);
            for (local, scope, name) in facts.variables() {
                let definition = facts.definition(scope);
                let own_name =
                    definition.kind == DefinitionKind::Method && definition.owner.is_some() && definition.name == name;
                let is_part = definition.kind.is_type() && definition.owner.is_some();
                if definition.kind == DefinitionKind::Extension || own_name || is_part {
                    let (owner, variable) = (self.owner[offsets.definition(scope)], offsets.variable(local));
                    match self.members.get(&(owner, name)) {
                        None => self.add_member(owner, name, variable),
                        Some(&known) if is_part && known != variable => self.join_overloads(known, variable),
                        Some(_) => {}
                    }
                }
            }
        }
    }

    /// Adds members of extensions without bases to the type, in languages where they take
    /// precedence.
    fn share_own_members(&mut self) {
        for file in self.files() {
            if !self.scopes(file).is_some_and(|scopes| scopes.traits) {
                continue;
            }
            let (offsets, facts) = (self.offsets[file], self.facts[file]);
            for (local, scope, name) in facts.variables() {
                let definition = facts.definition(scope);
                if definition.kind == DefinitionKind::Extension && definition.bases.is_empty() {
                    let (owner, variable) = (self.owner[offsets.definition(scope)], offsets.variable(local));
                    let known = self.members.get(&(owner, name)).copied();
                    if known.is_none() {
                        self.add_member(owner, name, variable);
                    }
                    // A field and a method may share a name.
                    self.own_members.insert(known.unwrap_or(variable));
                }
            }
        }
    }

    /// Checks whether a member of a type takes precedence over one from an extension with bases.
    pub fn is_own_member(&self, variable: PointerId) -> bool {
        self.own_members.contains(&variable)
    }

    /// Checks whether a definition is a member of a type, of one of its bases, or of a type's
    /// implementation of either.
    pub fn is_member(&self, id: DefinitionId, of_type: DefinitionId) -> bool {
        let order = self.mro(&of_type);
        if !self.budget.take(order.len()) {
            return true;
        }
        let (file, local) = self.local(id);
        let around = self.offsets[file].definition(self.facts[file].definition(local).parent);
        let first = self.declared_bases.partition_point(|&(from, _)| from < around);
        let mut bases = self.declared_bases[first..].iter().take_while(|&&(from, _)| from == around);
        self.type_around(id).is_some_and(|own| order.contains(&own)) || bases.any(|(_, base)| order.contains(base))
    }

    /// Checks whether a function belongs to an extension with bases.
    pub fn is_in_implementation(&self, id: DefinitionId) -> bool {
        let (file, local) = self.local(id);
        let around = self.facts[file].definition(self.facts[file].definition(local).parent);
        around.kind == DefinitionKind::Extension && !around.bases.is_empty()
    }

    /// Finds the types that the objects of each type point to.
    pub(super) fn find_targets(&mut self) {
        let mut targets = FxHashMap::default();
        for file in self.files() {
            let name = self.scopes(file).map_or("", |scopes| &scopes.dereference);
            let (facts, offsets) = (self.facts[file], self.offsets[file]);
            for (around, value) in facts.targets(symbol(name)).filter(|_| !name.is_empty()) {
                let head = match facts.value(value) {
                    FileValue::Any(types) => types.first().copied(),
                    _ => Some(value),
                };
                if let Some(Entity::Definition(target)) = head.and_then(|head| self.resolve(file, head, 0)) {
                    targets.insert(self.owner[offsets.definition(around)], self.owner[target]);
                }
            }
        }
        self.targets = targets;
    }

    /// Returns the first type with the given member that an object of a type points to, directly or
    /// through other pointers; `None` if the type itself has the member.
    pub fn target_with_member(&self, mut of_type: DefinitionId, name: Symbol) -> Option<DefinitionId> {
        let mut is_target = false;
        for _ in 0..MAX_TARGETS {
            if self.member_of_type(of_type, name).is_some() {
                return Some(of_type).filter(|_| is_target);
            }
            of_type = *self.targets.get(&of_type)?;
            is_target = true;
        }
        None
    }
}
