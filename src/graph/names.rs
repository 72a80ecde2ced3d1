//! Names across files: what an imported, inherited or otherwise visible name is, as far as it can be told without
//! following values. [`super::points_to`] follows values on top of this.

use super::modules::{ImportTarget, ModuleResolver, Paths};
use super::mro::linearise;
use crate::ids::{
    CallId, CallSiteId, DefinitionId, DirectoryId, FileId, IdVec, LocalId, PointerId, ValueId, VariableId,
};
use crate::lang::{DefinitionKind, LangId, Registry, Scopes, Spec, Visibility};
use crate::parse::{AssignmentTarget, Definition, Facts, Import, Symbol, SymbolicValue, symbol};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// How far chains of imports, aliases and star imports are followed.
const DEEPEST: u32 = 12;

/// One file as the linker takes it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Path from the root.
    pub path: &'a str,
    /// Its language; none for plain text.
    pub language: Option<LangId>,
    /// What is known of it by itself.
    pub facts: &'a Facts,
}

/// What a name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    /// What a variable points to.
    Variable(PointerId),
    /// A definition; a file is its first definition.
    Definition(DefinitionId),
    /// A directory.
    Directory(DirectoryId),
    /// Nothing of this repository.
    Foreign,
}

/// How many definitions, variables, values and calls all files before a file have: what its own numbers are added to
/// for those of the whole repository.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Offsets {
    pub definitions: u32,
    pub variables: u32,
    pub values: u32,
    pub calls: u32,
}

impl Offsets {
    pub fn definition(self, local: LocalId) -> DefinitionId {
        DefinitionId(self.definitions + local.0)
    }

    pub fn variable(self, local: VariableId) -> PointerId {
        PointerId(self.variables + local.0)
    }

    pub fn call(self, local: CallId) -> CallSiteId {
        CallSiteId(self.calls + local.0)
    }

    fn after(self, facts: &Facts) -> Self {
        Self {
            definitions: self.definitions + facts.definitions.len() as u32,
            variables: self.variables + facts.flow.variables.len() as u32,
            values: self.values + facts.flow.values.len() as u32,
            calls: self.calls + facts.flow.calls.len() as u32,
        }
    }
}

/// An import path as it is looked up: directory, level, family, path.
type PathKey = (DirectoryId, u8, u32, Symbol);

/// All names of the repository.
pub(super) struct Names<'a> {
    sources: &'a [Source<'a>],
    offsets: IdVec<FileId, Offsets>,
    total: Offsets,
    pub paths: &'a Paths,
    file_of: IdVec<DefinitionId, FileId>,
    specs: IdVec<FileId, Option<&'a Spec>>,
    families: IdVec<FileId, u32>,
    /// Members of files and types: variable by (definition, name).
    pub members: FxHashMap<(DefinitionId, Symbol), PointerId>,
    /// The type that an extension adds to; the definition itself for all others.
    pub owner: IdVec<DefinitionId, DefinitionId>,
    /// The definition last bound to a variable.
    bound: IdVec<PointerId, Option<DefinitionId>>,
    /// The import that fills a variable, and the file that it is written in.
    imported: IdVec<PointerId, Option<(FileId, &'a Import)>>,
    /// The modules that a file imports all names of (`from a import *`).
    stars: IdVec<FileId, Vec<Entity>>,
    /// Top-level definitions by name.
    top: FxHashMap<Symbol, Vec<DefinitionId>>,
    /// The method resolution order of each type that has bases.
    mro: IdVec<DefinitionId, Option<Box<[DefinitionId]>>>,
    /// Where import paths lead that were looked up before.
    resolved: RefCell<FxHashMap<PathKey, Option<ImportTarget>>>,
}

impl<'a> Names<'a> {
    pub fn new(sources: &'a [Source<'a>], paths: &'a Paths, registry: &'a Registry) -> Self {
        let mut offsets = IdVec::new();
        let mut total = Offsets::default();
        let mut file_of = IdVec::new();
        for source in sources {
            let file = offsets.push(total);
            total = total.after(source.facts);
            file_of.resize(total.definitions as usize, file);
        }
        let mut family_numbers = FxHashMap::default();
        let families = sources.iter().map(|s| {
            let family = s.language.map_or("", |l| registry.family(l));
            let count = family_numbers.len() as u32;
            *family_numbers.entry(family).or_insert(count)
        });
        let mut names = Self {
            families: families.collect(),
            specs: sources.iter().map(|s| s.language.and_then(|l| registry.spec(l))).collect(),
            sources,
            paths,
            members: FxHashMap::default(),
            owner: file_of.ids().collect(),
            bound: IdVec::repeat(None, total.variables as usize),
            imported: IdVec::repeat(None, total.variables as usize),
            stars: IdVec::repeat(Vec::new(), sources.len()),
            top: FxHashMap::default(),
            mro: IdVec::repeat(None, total.definitions as usize),
            resolved: RefCell::default(),
            offsets,
            total,
            file_of,
        };
        for file in names.files() {
            names.bind(file);
            names.note_imports(file);
            names.note_members(file);
            names.note_top_level(file);
        }
        names.find_stars();
        names.find_owners();
        names.share_members_of_extensions();
        names.find_mro();
        names
    }

    /// How many definitions, variables, values and calls there are.
    pub fn total(&self) -> Offsets {
        self.total
    }

    pub fn files(&self) -> impl Iterator<Item = FileId> + use<'a> {
        (0..self.sources.len()).map(FileId::new)
    }

    pub fn definitions(&self) -> impl Iterator<Item = DefinitionId> + use<'a> {
        self.file_of.ids()
    }

    pub fn offsets(&self, file: FileId) -> Offsets {
        self.offsets[file]
    }

    pub fn facts(&self, file: FileId) -> &'a Facts {
        self.sources[file.index()].facts
    }

    pub fn language(&self, file: FileId) -> Option<LangId> {
        self.sources[file.index()].language
    }

    pub fn definition(&self, id: DefinitionId) -> &'a Definition {
        let file = self.file_of[id];
        &self.facts(file).definitions[LocalId(id.0 - self.offsets[file].definitions)]
    }

    /// The file of a definition.
    pub fn file_of(&self, id: DefinitionId) -> FileId {
        self.file_of[id]
    }

    /// The file of a call site, and its number there.
    pub fn local_call(&self, site: CallSiteId) -> (FileId, CallId) {
        let file = FileId::new(self.offsets.as_slice().partition_point(|before| before.calls <= site.0) - 1);
        (file, CallId(site.0 - self.offsets[file].calls))
    }

    /// The definition last bound to a variable.
    pub fn bound(&self, variable: PointerId) -> Option<DefinitionId> {
        self.bound.get(variable).copied().flatten()
    }

    /// Whether an import fills the variable.
    pub fn is_imported(&self, variable: PointerId) -> bool {
        self.imported.get(variable).is_some_and(Option::is_some)
    }

    pub fn scopes(&self, file: FileId) -> Option<&'a Scopes> {
        self.specs[file].map(|spec| &spec.scopes)
    }

    /// Definitions bound to variables; of several the last.
    fn bind(&mut self, file: FileId) {
        let (offsets, flow) = (self.offsets[file], &self.facts(file).flow);
        for binding in &flow.bindings {
            if let (AssignmentTarget::Variable(variable), SymbolicValue::Definition(id)) =
                (binding.target, &flow.values[binding.value])
            {
                self.bound[offsets.variable(variable)] = Some(offsets.definition(*id));
            }
        }
    }

    fn note_imports(&mut self, file: FileId) {
        for import in &self.facts(file).flow.imports {
            if let Some(variable) = import.variable {
                self.imported[self.offsets[file].variable(variable)] = Some((file, import));
            }
        }
    }

    /// Names bound at the top of a file or right in a type are its members.
    fn note_members(&mut self, file: FileId) {
        let (offsets, facts) = (self.offsets[file], self.facts(file));
        for (local, variable) in facts.flow.variables.enumerate() {
            let kind = facts.definitions[variable.scope].kind;
            if kind == DefinitionKind::Module || kind.is_type() {
                let member = (offsets.definition(variable.scope), variable.symbol);
                self.members.insert(member, offsets.variable(local));
            }
        }
    }

    /// Functions, types and modules that only modules are around.
    fn note_top_level(&mut self, file: FileId) {
        let definitions = &self.facts(file).definitions;
        for (local, definition) in definitions.enumerate().skip(1) {
            let mut around = definition.parent;
            while around != LocalId::FILE && definitions[around].kind == DefinitionKind::Module {
                around = definitions[around].parent;
            }
            let named =
                definition.kind.is_function() || definition.kind.is_type() || definition.kind == DefinitionKind::Module;
            if around == LocalId::FILE && named && definition.owner.is_none() {
                let id = self.offsets[file].definition(local);
                self.top.entry(symbol(&definition.name)).or_default().push(id);
            }
        }
    }

    fn find_stars(&mut self) {
        for file in self.files() {
            let include = self.specs[file].is_some_and(|spec| spec.modules.include);
            for import in &self.facts(file).flow.imports {
                if import.variable.is_none() && (import.name.is_none() || include) {
                    let found = self.import_target(file, &import.path, import.level);
                    let found = found.map(|target| self.entity(target));
                    self.stars[file].extend(found);
                }
            }
        }
    }

    /// Extensions and out-of-line methods find their types.
    fn find_owners(&mut self) {
        let all: Vec<DefinitionId> = self.definitions().filter(|&id| self.definition(id).owner.is_some()).collect();
        for id in all {
            let owner = self.definition(id).owner.and_then(|value| self.resolve(self.file_of[id], value, 0));
            if let Some(Entity::Definition(owner)) = owner
                && owner != id
            {
                self.owner[id] = owner;
            }
        }
    }

    /// Members of extensions, and methods written out of line, become members of the type, unless it has its own.
    fn share_members_of_extensions(&mut self) {
        for file in self.files() {
            let (offsets, facts) = (self.offsets[file], self.facts(file));
            for (local, variable) in facts.flow.variables.enumerate() {
                let definition = &facts.definitions[variable.scope];
                let own_name = definition.kind == DefinitionKind::Method
                    && definition.owner.is_some()
                    && symbol(&definition.name) == variable.symbol;
                if definition.kind == DefinitionKind::Extension || own_name {
                    let owner = self.owner[offsets.definition(variable.scope)];
                    self.members.entry((owner, variable.symbol)).or_insert(offsets.variable(local));
                }
            }
        }
    }

    fn find_mro(&mut self) {
        let mut direct: FxHashMap<DefinitionId, Vec<DefinitionId>> = FxHashMap::default();
        for id in self.definitions() {
            let definition = self.definition(id);
            if definition.bases.is_empty() || !definition.kind.has_members() {
                continue;
            }
            for &base in &definition.bases {
                if let Some(Entity::Definition(base)) = self.resolve(self.file_of[id], base, 0) {
                    let bases = direct.entry(self.owner[id]).or_default();
                    if !bases.contains(&base) {
                        bases.push(base);
                    }
                }
            }
        }
        self.mro = self.definitions().map(|id| direct.contains_key(&id).then(|| linearise(id, &direct))).collect();
    }

    /// A type and its bases in method resolution order.
    pub fn mro(&self, id: DefinitionId) -> Vec<DefinitionId> {
        self.mro[id].as_deref().map_or_else(|| vec![id], <[DefinitionId]>::to_vec)
    }

    /// The first member of that name in a type or its bases.
    pub fn member_of_type(&self, id: DefinitionId, name: Symbol) -> Option<PointerId> {
        match &self.mro[id] {
            Some(order) => order.iter().find_map(|&of| self.members.get(&(of, name)).copied()),
            None => self.members.get(&(id, name)).copied(),
        }
    }

    /// The type around a definition.
    pub fn type_around(&self, mut id: DefinitionId) -> Option<DefinitionId> {
        loop {
            let definition = self.definition(id);
            if definition.kind.is_type() || definition.kind == DefinitionKind::Extension {
                return Some(self.owner[id]);
            }
            if self.owner[id] != id {
                return Some(self.owner[id]);
            }
            let parent = self.offsets[self.file_of[id]].definition(definition.parent);
            if parent == id {
                return None;
            }
            id = parent;
        }
    }

    /// What a value names, without following assignments.
    pub fn resolve(&self, file: FileId, value: ValueId, depth: u32) -> Option<Entity> {
        if depth > DEEPEST {
            return None;
        }
        let offsets = self.offsets[file];
        match &self.facts(file).flow.values[value] {
            SymbolicValue::Variable(variable) => self.settle(offsets.variable(*variable), depth),
            SymbolicValue::Free { symbol, scope } => match self.free(file, *scope, *symbol, depth)? {
                Entity::Variable(variable) => self.settle(variable, depth),
                other => Some(other),
            },
            SymbolicValue::Access(object, name) => {
                let object = self.resolve(file, *object, depth + 1)?;
                match self.member(object, *name, depth + 1)? {
                    Entity::Variable(variable) => self.settle(variable, depth),
                    other => Some(other),
                }
            }
            SymbolicValue::Any(values) => values.iter().find_map(|&v| self.resolve(file, v, depth + 1)),
            SymbolicValue::Definition(id) => Some(Entity::Definition(offsets.definition(*id))),
            SymbolicValue::SelfType(scope) => self.type_around(offsets.definition(*scope)).map(Entity::Definition),
            _ => None,
        }
    }

    /// Every type that a declared type names.
    pub fn types(&self, file: FileId, value: ValueId, out: &mut Vec<DefinitionId>) {
        match &self.facts(file).flow.values[value] {
            SymbolicValue::Any(values) => values.iter().for_each(|&v| self.types(file, v, out)),
            _ => {
                if let Some(Entity::Definition(id)) = self.resolve(file, value, 0)
                    && self.definition(id).kind.has_members()
                {
                    out.push(self.owner[id]);
                }
            }
        }
    }

    /// The definition, file or directory that a variable names: what is bound to it, else what it imports.
    fn settle(&self, variable: PointerId, depth: u32) -> Option<Entity> {
        if let Some(bound) = self.bound(variable) {
            return Some(Entity::Definition(bound));
        }
        match self.import(variable, depth + 1)? {
            Entity::Variable(next) if next != variable => self.settle(next, depth + 1),
            Entity::Variable(_) => None,
            other => Some(other),
        }
    }

    /// What an imported variable means; none if no import fills it.
    pub fn import(&self, variable: PointerId, depth: u32) -> Option<Entity> {
        let (file, import) = self.imported.get(variable).copied().flatten()?;
        if depth > DEEPEST {
            return None;
        }
        let target = self.import_target(file, &import.path, import.level);
        let Some(name) = &import.name else {
            return Some(target.map_or(Entity::Foreign, |target| self.entity(target)));
        };
        let wanted = symbol(name);
        let member = target.and_then(|target| self.member_but(self.entity(target), wanted, variable, depth + 1));
        let whole = || {
            let whole: Vec<String> = import.path.iter().chain([name]).cloned().collect();
            let entity = self.entity(self.import_target(file, &whole, import.level)?);
            // `use App\Session` names the class in `Session.php`, not the file.
            self.member_but(entity, wanted, variable, depth + 1).or(Some(entity))
        };
        let visible = || match self.scopes(file)?.visibility {
            Visibility::Repository => self.visible(file, wanted),
            _ => None,
        };
        member.or_else(whole).or_else(visible).or(Some(Entity::Foreign))
    }

    /// A member, but not the variable that asks for it: `mod a;` declares the name `a` of its own file.
    fn member_but(&self, entity: Entity, name: Symbol, asking: PointerId, depth: u32) -> Option<Entity> {
        match self.member(entity, name, depth)? {
            Entity::Variable(found) if found == asking => self.submodule(entity, name),
            other => Some(other),
        }
    }

    /// A member of a file, directory or type.
    pub fn member(&self, entity: Entity, name: Symbol, depth: u32) -> Option<Entity> {
        if depth > DEEPEST {
            return None;
        }
        match entity {
            Entity::Foreign => Some(Entity::Foreign),
            Entity::Variable(_) => None,
            Entity::Directory(directory) => {
                let mut here = self.top.get(&name).into_iter().flatten().copied();
                let here = here.find(|&id| self.directory_of(id) == directory);
                here.map(Entity::Definition).or_else(|| self.submodule(entity, name))
            }
            Entity::Definition(id) => {
                let id = self.owner[id];
                if let Some(variable) = self.member_of_type(id, name) {
                    return Some(Entity::Variable(variable));
                }
                let file = self.file_of[id];
                if id != self.file_definition(file) {
                    return None;
                }
                self.star(file, name, depth).or_else(|| self.submodule(entity, name)).or_else(|| self.inner(file, name))
            }
        }
    }

    /// A name of a namespace inside the file.
    fn inner(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let mut named = self.top.get(&name)?.iter().copied();
        named.find(|&id| self.file_of[id] == file).map(Entity::Definition)
    }

    fn star(&self, file: FileId, name: Symbol, depth: u32) -> Option<Entity> {
        let own = Entity::Definition(self.file_definition(file));
        self.stars[file].iter().filter(|&&module| module != own).find_map(|&module| match module {
            Entity::Foreign => None,
            module => self.member(module, name, depth + 1),
        })
    }

    fn submodule(&self, entity: Entity, name: Symbol) -> Option<Entity> {
        let (file, module) = match entity {
            Entity::Directory(directory) => {
                (*self.paths.files_in(directory).first()?, ImportTarget::Directory(directory))
            }
            Entity::Definition(id) => (self.file_of[id], ImportTarget::File(self.file_of[id])),
            _ => return None,
        };
        let target = self.with_resolver(file, |resolver| resolver.submodule(module, name));
        target.map(|target| self.entity(target))
    }

    /// A name that its file does not bind: members of the type around it, star imports, then what is visible.
    pub fn free(&self, file: FileId, scope: LocalId, name: Symbol, depth: u32) -> Option<Entity> {
        let scope = self.offsets[file].definition(scope);
        if self.scopes(file)?.implicit_members
            && let Some(found) = self.type_around(scope).and_then(|of| self.member_of_type(of, name))
        {
            return Some(Entity::Variable(found));
        }
        self.star(file, name, depth).or_else(|| self.visible(file, name))
    }

    /// A top-level name that is seen from a file without an import.
    fn visible(&self, file: FileId, name: Symbol) -> Option<Entity> {
        let own_directory = self.paths.directory_of(file);
        let is_near = |id: DefinitionId| self.directory_of(id) == own_directory;
        let same_family = |&id: &DefinitionId| self.families[self.file_of[id]] == self.families[file];
        let mut candidates = self.top.get(&name)?.iter().copied().filter(same_family);
        let found = match self.scopes(file)?.visibility {
            Visibility::File => None,
            Visibility::Directory => candidates.find(|&id| is_near(id)),
            Visibility::Repository => {
                let nearness = |id: DefinitionId| {
                    let other = ImportTarget::File(self.file_of[id]);
                    self.with_resolver(file, |resolver| Some(resolver.nearness(file, other)))
                };
                candidates.max_by_key(|&id| (is_near(id), nearness(id), std::cmp::Reverse(id)))
            }
        };
        found.map(Entity::Definition)
    }

    /// The file or directory that an import path leads to.
    fn import_target(&self, file: FileId, parts: &[String], level: u8) -> Option<ImportTarget> {
        let spec = self.specs[file]?;
        let own = |list: &[String]| parts.first().is_some_and(|first| list.contains(first));
        let resolve = || self.with_resolver(file, |resolver| resolver.resolve(file, parts, level));
        if parts.is_empty() || own(&spec.modules.current) || own(&spec.modules.parent) {
            return resolve();
        }
        // All files of a directory mean the same by a path, and most import the same few.
        let path = symbol(&parts.join("\u{1f}"));
        let key = (self.paths.directory_of(file), level, self.families[file], path);
        if let Some(&known) = self.resolved.borrow().get(&key) {
            return known;
        }
        let target = resolve();
        self.resolved.borrow_mut().insert(key, target);
        target
    }

    fn entity(&self, target: ImportTarget) -> Entity {
        match target {
            ImportTarget::File(file) => Entity::Definition(self.file_definition(file)),
            ImportTarget::Directory(directory) => Entity::Directory(directory),
        }
    }

    /// The definition that is the file itself.
    fn file_definition(&self, file: FileId) -> DefinitionId {
        self.offsets[file].definition(LocalId::FILE)
    }

    fn directory_of(&self, id: DefinitionId) -> DirectoryId {
        self.paths.directory_of(self.file_of[id])
    }

    fn with_resolver<T>(&self, file: FileId, ask: impl FnOnce(ModuleResolver<'_>) -> Option<T>) -> Option<T> {
        let spec = self.specs[file]?;
        let same_language = |other: FileId| self.families[other] == self.families[file];
        ask(ModuleResolver { paths: self.paths, modules: &spec.modules, same_language: &same_language })
    }
}
