//! Resolution of names: look-ups among bound definitions, along chains of imports and aliases.

use super::caches::cached;
use super::{Entity, Names};
use crate::file_facts::FileValue;
use crate::modules::{ImportTarget, ModuleResolver};
use whichfn_syntax::ids::{DefinitionId, DirectoryId, FileId, LocalId, PointerId, ValueId};
use whichfn_syntax::lang::{DefinitionKind, Scopes, Visibility};
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::platform_bits;

/// Maximum length of a chain of imports and aliases. Each step leads to one next name, so the cost
/// of a chain is linear in its length.
pub(super) const MAX_DEPTH: u32 = 12;

/// Maximum depth of alternatives within alternatives. The parser nests values less deep, but an
/// index that another program wrote may contain any depth.
pub(super) const MAX_NESTED: u32 = 200;

impl<'a> Names<'a> {
    /// Returns the entity that a value names, without following assignments.
    pub fn resolve(&self, file: FileId, value: ValueId, depth: u32) -> Option<Entity> {
        if depth > MAX_DEPTH {
            return None;
        }
        let offsets = self.offsets[file];
        match self.facts[file].value(value) {
            FileValue::Variable(variable) => self.settle(offsets.variable(variable), depth),
            FileValue::Free { symbol, scope } => match self.free(file, scope, symbol)? {
                Entity::Variable(variable) => self.settle(variable, depth),
                other => Some(other),
            },
            FileValue::Access(object, name) => {
                let object = self.resolve(file, object, depth + 1);
                let member = object.and_then(|object| self.member(object, name));
                match member.or_else(|| self.at_path(file, value))? {
                    Entity::Variable(variable) => self.settle(variable, depth),
                    other => Some(other),
                }
            }
            FileValue::Any(values) => values.iter().find_map(|&v| self.resolve(file, v, depth + 1)),
            FileValue::Definition(id) => Some(Entity::Definition(offsets.definition(id))),
            FileValue::SelfType(scope) => self.type_around(offsets.definition(scope)).map(Entity::Definition),
            _ => None,
        }
    }

    /// Returns what a path names as a whole, if its parts are not members of one another: a type
    /// whose name is the path (`Api::V1::Users`, if no file defines the modules or another file does),
    /// or a top-level definition after the name of its package.
    pub fn at_path(&self, file: FileId, path: ValueId) -> Option<Entity> {
        match self.type_paths.get(self.families[file], self.facts[file], path) {
            Some(found) => Some(Entity::Definition(self.owner[found])),
            None => self.in_package(file, path),
        }
    }

    /// Returns the top-level definition that a path names after the package that its file declares:
    /// `lib.core.Buffer`.
    fn in_package(&self, file: FileId, path: ValueId) -> Option<Entity> {
        let FileValue::Access(package, name) = self.facts[file].value(path) else { return None };
        let all = self.top.get(name);
        if all.is_empty() || self.scopes(file)?.visibility != Visibility::Package || !self.budget.take(all.len()) {
            return None;
        }
        let is_meant = |id: &&DefinitionId| {
            let other = self.file_of[**id];
            self.families[other] == self.families[file] && self.is_package(file, package, self.facts[other].package())
        };
        let declared_in = self.file_of[*all.iter().find(is_meant)?];
        self.member(Entity::Definition(self.offsets[declared_in].definition(LocalId::FILE)), name)
    }

    /// Checks whether a path, whose first name its file does not bind, is the name of a package.
    fn is_package(&self, file: FileId, mut path: ValueId, package: &str) -> bool {
        let Some(spec) = self.specs[file] else { return false };
        let is_separator = |c: char| spec.modules.separators.iter().any(|one| one.starts_with(c));
        let mut names = package.rsplit(is_separator).map(str::trim);
        let facts = self.facts[file];
        while let Some(name) = names.next().filter(|name| !name.is_empty()) {
            let value = match facts.value(path) {
                FileValue::Call(call) if facts.call(call).is_access => facts.value(facts.call(call).callee),
                value => value,
            };
            match value {
                FileValue::Access(object, last) if last == symbol(name) => path = object,
                FileValue::Free { symbol: first, .. } => return first == symbol(name) && names.next().is_none(),
                _ => return false,
            }
        }
        false
    }

    /// Adds every type that a declared type names to `out`. Ignores alternatives that are nested
    /// deeper than [`MAX_NESTED`].
    pub fn types(&self, file: FileId, value: ValueId, depth: u32, out: &mut Vec<DefinitionId>) {
        match self.facts[file].value(value) {
            FileValue::Any(values) if depth < MAX_NESTED => {
                values.iter().for_each(|&v| self.types(file, v, depth + 1, out));
            }
            _ => {
                if let Some(Entity::Definition(id)) = self.resolve(file, value, 0) {
                    let id = self.exported(id);
                    let id = self.merged_types.get(&id).copied().unwrap_or(id);
                    if self.kind(id).has_members() || self.is_file_type(id) {
                        out.push(self.owner[id]);
                    }
                }
            }
        }
    }

    /// Returns the traits that a file defines or imports by name, if the language lets them add
    /// members to library types.
    pub fn traits_in_scope(&self, file: FileId) -> Vec<DefinitionId> {
        if !self.scopes(file).is_some_and(|scopes| scopes.traits) {
            return Vec::new();
        }
        let variables = self.facts[file].variables().map(|(local, ..)| self.offsets[file].variable(local));
        let found = variables.filter_map(|variable| self.settle(variable, 0));
        let traits = found.filter_map(|entity| match entity {
            Entity::Definition(id) if self.kind(id) == DefinitionKind::Trait => Some(id),
            _ => None,
        });
        traits.collect()
    }

    /// Checks whether a name that a file does not see belongs to a library. If other files are
    /// visible without an import, the file may see more of them than the rules find, so no file may
    /// define the name at its top level, unless the language declares nearly all types and the file
    /// a package.
    pub fn is_foreign_name(&self, file: FileId, name: Symbol) -> bool {
        self.scopes(file).is_some_and(|scopes| {
            let in_package = scopes.declared_types && !self.facts[file].package().is_empty();
            let sees_all = in_package || scopes.visibility == Visibility::File;
            scopes.foreign_names && (sees_all || self.top.get(name).is_empty())
        })
    }

    /// Checks whether a name is the namespace of a library.
    pub fn is_library(&self, file: FileId, name: Symbol) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.libraries.iter().any(|library| symbol(library) == name))
    }

    /// Checks whether a declared type is known to be outside the repository. The first of several
    /// types counts: the others are its arguments.
    pub fn is_foreign_type(&self, file: FileId, value: ValueId) -> bool {
        if !self.scopes(file).is_some_and(|scopes| scopes.foreign_types) || self.is_inferred(file, value) {
            return false;
        }
        let value = match self.facts[file].value(value) {
            FileValue::Any(types) => types.first().copied(),
            _ => Some(value),
        };
        let Some(mut value) = value else { return false };
        if let Some(entity) = self.resolve(file, value, 0) {
            return entity == Entity::Foreign;
        }
        for _ in 0..MAX_DEPTH {
            match self.facts[file].value(value) {
                FileValue::Access(object, _) => value = object,
                FileValue::Free { symbol, .. } if self.is_library(file, symbol) => return true,
                FileValue::Free { symbol, scope } => {
                    return self.free(file, scope, symbol).is_none() && self.is_foreign_name(file, symbol);
                }
                _ => return false,
            }
        }
        false
    }

    /// Returns the definition, file or directory that a variable names: the bound definition, else
    /// the target of its import.
    pub(super) fn settle(&self, variable: PointerId, depth: u32) -> Option<Entity> {
        if let Some(bound) = self.bound(variable) {
            return Some(Entity::Definition(bound));
        }
        match self.import(variable, depth + 1)? {
            Entity::Variable(next) if next != variable => self.settle(next, depth + 1),
            Entity::Variable(_) => None,
            other => Some(other),
        }
    }

    /// Returns the module that the first name of a path refers to: `crate`, `self`, `super`, or a
    /// package of the repository.
    pub(super) fn module_word(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<Entity> {
        if let Some(package) = self.declared.named(name)
            && !self.specs[file]?.modules.current.is_empty()
        {
            return self
                .with_resolver(file, |resolver| resolver.resolve(file, &[package], 0))
                .map(|to| self.entity(to));
        }
        if !self.module_words.contains(&name) {
            return None;
        }
        let modules = &self.specs[file]?.modules;
        let named = |list: &'a [String]| list.iter().find(|word| symbol(word) == name);
        if let Some(root) = named(&modules.roots) {
            return self.with_resolver(file, |resolver| resolver.resolve(file, &[root], 0)).map(|to| self.entity(to));
        }
        let module = self.module_around(self.offsets[file].definition(scope));
        if named(&modules.current).is_some() {
            Some(Entity::Definition(module))
        } else {
            self.parent_module(module, name)
        }
    }

    /// Returns the module around a module, if `name` refers to that (`super`).
    fn parent_module(&self, module: DefinitionId, name: Symbol) -> Option<Entity> {
        let (file, local) = self.local(module);
        let word = self.specs[file]?.modules.parent.iter().find(|word| symbol(word) == name)?;
        if local != LocalId::FILE {
            let around = self.offsets[file].definition(self.facts[file].definition(local).parent);
            return Some(Entity::Definition(self.module_around(around)));
        }
        let target = self.with_resolver(file, |resolver| resolver.resolve(file, &[word], 0));
        target.map(|to| self.entity(to)).or_else(|| self.module_in_file_around(file))
    }

    /// Returns the module inside another file that contains a file: `b` for `a/b/c.rs`, if `a/mod.rs`
    /// contains `mod b { mod c; }`.
    fn module_in_file_around(&self, file: FileId) -> Option<Entity> {
        let (around, names) = self.with_resolver(file, |resolver| resolver.file_around(file))?;
        // Only modules that the file itself defines: an import may in turn ask for the module around a file.
        let module = names.into_iter().try_fold(self.file_definition(around), |module, name| {
            let variable = self.members.get(&(module, name)).copied()?;
            self.bound(variable)
        })?;
        (self.kind(module) == DefinitionKind::Module).then_some(Entity::Definition(module))
    }

    /// Returns the innermost module that contains a definition, or the definition itself if it is
    /// one.
    fn module_around(&self, id: DefinitionId) -> DefinitionId {
        let (file, mut local) = self.local(id);
        while local != LocalId::FILE && self.facts[file].kind(local) != DefinitionKind::Module {
            local = self.facts[file].definition(local).parent;
        }
        self.offsets[file].definition(local)
    }

    /// Returns a member, unless it is the variable `asking` itself: `mod a;` declares the name `a`
    /// in its own file.
    pub(super) fn member_except(&self, entity: Entity, name: Symbol, asking: PointerId) -> Option<Entity> {
        match self.member(entity, name)? {
            Entity::Variable(found) if found == asking => self.submodule(entity, name),
            other => Some(other),
        }
    }

    /// Returns a member of a file, directory or type.
    pub fn member(&self, entity: Entity, name: Symbol) -> Option<Entity> {
        match entity {
            Entity::Foreign => Some(Entity::Foreign),
            Entity::Variable(_) => None,
            Entity::Directory(directory) => {
                let all = self.top.get(name);
                let may_see =
                    |&id: &DefinitionId| self.directory_of(id) == directory && !self.definition(id).is_private;
                let in_directory = all.iter().copied().find(may_see);
                let found = if self.budget.take(all.len()) { in_directory } else { None };
                let shared = || self.shared_variables.get(&(directory, name)).copied().map(Entity::Variable);
                found.map(Entity::Definition).or_else(shared).or_else(|| self.submodule(entity, name))
            }
            Entity::Definition(id) => {
                let id = self.owner[id];
                if let Some(variable) = self.member_of_type(id, name) {
                    return Some(Entity::Variable(variable));
                }
                let file = self.file_of[id];
                if self.module_words.contains(&name) && self.kind(id) == DefinitionKind::Module {
                    return self.parent_module(id, name);
                }
                if !self.is_file(id) {
                    return self.member_of_other_part(id, name);
                }
                let exported = || self.member_of_exported(id, name);
                self.star(file, name).or_else(|| self.member_below(file, name)).or_else(exported)
            }
        }
    }

    /// Returns a member of the type that a file exports as its value.
    fn member_of_exported(&self, file: DefinitionId, name: Symbol) -> Option<Entity> {
        let exported = self.owner[self.exported(file)];
        let is_type = self.kind(exported).has_members() && !self.is_file(exported);
        let member = || self.member_of_type(exported, name);
        is_type.then(member).flatten().map(Entity::Variable)
    }

    /// Returns a name that a file binds at its top level.
    pub fn own_member(&self, file: FileId, name: Symbol) -> Option<Entity> {
        self.members.get(&(self.file_definition(file), name)).copied().map(Entity::Variable)
    }

    /// Returns a module inside a file, or a name of a namespace in it.
    pub fn member_below(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let entity = Entity::Definition(self.file_definition(file));
        self.submodule(entity, name).or_else(|| self.inner(file, name))
    }

    /// Returns a name of a namespace inside the file.
    fn inner(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let named = self.top.get(name);
        let first = named.partition_point(|&id| self.file_of[id] < file);
        named.get(first).filter(|&&id| self.file_of[id] == file).copied().map(Entity::Definition)
    }

    fn submodule(&self, entity: Entity, name: Symbol) -> Option<Entity> {
        let (file, module) = match entity {
            Entity::Directory(directory) => (*self.first_in.get(&directory)?, ImportTarget::Directory(directory)),
            Entity::Definition(id) => (self.file_of[id], ImportTarget::File(self.file_of[id])),
            _ => return None,
        };
        let target = self.with_resolver(file, |resolver| resolver.submodule(module, name));
        target.map(|target| self.entity(target))
    }

    /// Resolves a name that its file does not bind: members of the surrounding type first, then
    /// star imports, then visible names.
    pub fn free(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<Entity> {
        let found = self.free_name(file, scope, name);
        found.or_else(|| self.shared_component(file, scope, name).map(Entity::Definition))
    }

    /// Returns the only component with the name of an element that its file does not bind, if
    /// components can be registered for all files. Only elements are outside the component itself.
    fn shared_component(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<DefinitionId> {
        let markup = |file: FileId| self.specs[file]?.markup.as_ref();
        if scope != LocalId::FILE || !markup(file)?.shared_components {
            return None;
        }
        let all = self.top.get(name);
        let is_component = |id: &&DefinitionId| {
            let (file, local) = self.local(**id);
            local == LocalId::COMPONENT && markup(file).is_some_and(|rules| rules.shared_components)
        };
        let mut components = all.iter().filter(is_component);
        let only = components.next().filter(|_| self.budget.take(all.len()))?;
        components.next().is_none().then_some(*only)
    }

    fn free_name(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<Entity> {
        if let Some(module) = self.module_word(file, scope, name) {
            return Some(module);
        }
        let (scope, scopes) = (self.offsets[file].definition(scope), self.scopes(file)?);
        let around = self.type_around(scope).filter(|_| scopes.implicit_members());
        if let Some(id) = around.filter(|&id| self.definition(id).name == name && self.kind(id).is_type()) {
            return Some(Entity::Definition(id));
        }
        if scopes.implicit_members()
            && let Some(found) = self.member_around(scope, name)
            && !self.is_constructor(found, name)
        {
            return Some(Entity::Variable(found));
        }
        // A class method creates an object of its class: `new(name)`.
        if let Some(id) = around.filter(|_| scopes.instantiators.iter().any(|own| symbol(own) == name)) {
            return Some(Entity::Definition(id));
        }
        if let Some(&directory) = self.packages.get(&(file, name)) {
            return Some(Entity::Directory(directory));
        }
        let in_package = || self.source_packages.variable(self.source_packages.of(file)?, name);
        let shared = || self.shared_variables.get(&(self.paths.directory_of(file), name)).copied().or_else(in_package);
        let imported = || self.star(file, name).or_else(|| self.statically_imported(file, name).map(Entity::Variable));
        let own_package = || self.visible(file, name).or_else(|| shared().map(Entity::Variable));
        if scopes.package_first {
            return own_package().or_else(imported);
        }
        if !scopes.own_imports || scopes.visibility != Visibility::Repository {
            return imported().or_else(own_package);
        }
        let own = own_package();
        let is_inside = own.is_some_and(|entity| self.is_in_package_of(file, entity));
        if is_inside { own } else { imported().or(own) }
    }

    /// Returns a member of the innermost type around a definition that has it, itself or from a
    /// base or another part; for a trait, also from the types that mix it in.
    fn member_around(&self, definition: DefinitionId, name: Symbol) -> Option<PointerId> {
        let (file, mut local) = self.local(definition);
        let facts = self.facts[file];
        if let Some(found) = self.type_around(definition).and_then(|id| self.member_of_type(id, name)) {
            return Some(found);
        }
        while local != LocalId::FILE && self.budget.take(1) {
            local = facts.definition(local).parent;
            let around = self.offsets[file].definition(local);
            if facts.kind(local).is_type()
                && let Some(found) = self.member_of_type(self.owner[around], name)
            {
                return Some(found);
            }
        }
        let users = self.type_around(definition).map_or(&[][..], |id| self.users(id));
        users.iter().find_map(|&user| self.member_of_type(user, name))
    }

    /// Checks whether a member with the given name is a constructor, which has the name of its
    /// type. No type inherits it: in a subtype, the name means the base type.
    fn is_constructor(&self, member: PointerId, name: Symbol) -> bool {
        let Some(id) = self.bound(member) else { return false };
        self.kind(id).is_function()
            && self.type_around(id).is_some_and(|around| self.definition(around).name == name)
            && self.scopes(self.file_of(id)).is_some_and(Scopes::names_constructors_like_types)
    }

    /// Returns the top-level definition that a file sees without an import. The result is the same
    /// for all files of a directory in the same language and package.
    pub(super) fn visible(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let all = self.top.get(name);
        if all.is_empty() {
            return None;
        }
        let (directory, package) = (self.paths.directory_of(file), self.source_packages.of(file));
        let key = (directory, package, self.language(file), self.systems(file), name);
        let found = cached(Some(&self.seen), key, || {
            if self.budget.take(all.len()) { self.nearest_visible(file, all) } else { None }
        })?;
        // The variable contains the variants in all branches of an `#if`.
        let is_own = |own: &Entity| !matches!(own, Entity::Variable(variable) if self.is_imported(*variable));
        let variants =
            || self.own_member(self.file_of[found], name).filter(|own| self.has_variants(file) && is_own(own));
        variants().or(Some(Entity::Definition(found)))
    }

    fn has_variants(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.system_variants)
    }

    /// Returns the systems and processors that the path of a file names, as a set of bits; 0 if
    /// that does not matter to the language.
    fn systems(&self, file: FileId) -> u128 {
        self.systems.get(file).copied().unwrap_or_default()
    }

    /// Rates how well a function fits a caller's systems: not at all if each of their files is for
    /// another system, better if they have systems in common, and best without further ones or, as
    /// one of several has to be chosen, with Linux.
    fn system_fit(&self, caller: FileId, callee: FileId) -> (bool, u32, bool) {
        let (own, other) = (self.systems(caller), self.systems(callee));
        let further = other & !own;
        let fits = further == 0 || own & !other == 0;
        (fits, (own & other).count_ones(), further == 0 || further & platform_bits("linux") != 0)
    }

    /// Selects, from definitions of one name, the one that a file sees without an import.
    fn nearest_visible(&self, file: FileId, all: &[DefinitionId]) -> Option<DefinitionId> {
        let own_directory = self.paths.directory_of(file);
        let is_near = |id: DefinitionId| self.directory_of(id) == own_directory;
        // A file refers to its own private definitions by variables.
        let may_see = |&id: &DefinitionId| {
            self.families[self.file_of[id]] == self.families[file] && !self.definition(id).is_private
        };
        let mut candidates = all.iter().copied().filter(may_see);
        match self.scopes(file)?.visibility {
            Visibility::File => None,
            Visibility::Directory => candidates.find(|&id| is_near(id)),
            Visibility::Package => {
                let others = candidates.clone();
                let in_package = || self.nearest_in_package(file, self.source_packages.of(file)?, others);
                candidates.find(|&id| is_near(id)).or_else(in_package)
            }
            Visibility::Repository => {
                let nearness = |id: DefinitionId| {
                    let other = ImportTarget::File(self.file_of[id]);
                    self.with_resolver(file, |resolver| Some(resolver.nearness(file, other)))
                };
                let fit = |id: DefinitionId| self.system_fit(file, self.file_of[id]);
                let candidates = candidates.filter(|&id| fit(id).0);
                let is_whole = |id: DefinitionId| !self.type_paths.contains(id);
                let is_inside = |id: DefinitionId| self.is_in_package_of(file, Entity::Definition(id));
                candidates.max_by_key(|&id| {
                    (is_whole(id), is_inside(id), is_near(id), nearness(id), fit(id), std::cmp::Reverse(id))
                })
            }
        }
    }

    pub fn entity(&self, target: ImportTarget) -> Entity {
        match target {
            ImportTarget::File(file) => Entity::Definition(self.file_definition(file)),
            ImportTarget::Directory(directory) => Entity::Directory(directory),
            // Imports of names look up packages themselves.
            ImportTarget::Package(_) => Entity::Foreign,
        }
    }

    /// Returns the definition that represents the file itself.
    pub(super) fn file_definition(&self, file: FileId) -> DefinitionId {
        self.offsets[file].definition(LocalId::FILE)
    }

    /// Checks whether the path of a file is that of a test.
    pub fn is_test_file(&self, file: FileId) -> bool {
        self.facts[file].definition(LocalId::FILE).is_test
    }

    pub(super) fn is_file(&self, id: DefinitionId) -> bool {
        id == self.file_definition(self.file_of[id])
    }

    pub(super) fn directory_of(&self, id: DefinitionId) -> DirectoryId {
        self.paths.directory_of(self.file_of[id])
    }

    pub(super) fn with_resolver<T>(
        &self,
        file: FileId,
        ask: impl FnOnce(ModuleResolver<'_>) -> Option<T>,
    ) -> Option<T> {
        self.with_files(file, &|other| self.families[other] == self.families[file], ask)
    }

    pub(super) fn with_files<T>(
        &self,
        file: FileId,
        same_language: &dyn Fn(FileId) -> bool,
        ask: impl FnOnce(ModuleResolver<'_>) -> Option<T>,
    ) -> Option<T> {
        let (paths, declared) = (self.paths, &self.declared);
        ask(ModuleResolver { paths, declared, modules: &self.specs[file]?.modules, same_language })
    }
}
