//! Names across files: what an imported, inherited or otherwise visible name is, as far as it can be told without
//! following values. [`super::flow`] follows values on top of this.
//!
//! Numbers in this room are of the whole repository unless they are called local: each file's definitions, variables,
//! values and calls follow those of the files before it.

use super::modules::{Paths, Place, Resolver};
use crate::ids::FileId;
use crate::lang::{DefinitionKind, LangId, Registry, Scopes, Spec, Visibility};
use crate::parse::{Definition, Facts, Import, Symbol, Value, symbol};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

/// No number.
pub(super) const NONE: u32 = u32::MAX;
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
    /// What a variable holds.
    Variable(u32),
    /// A definition; a file is its first definition.
    Definition(u32),
    /// A directory.
    Directory(u32),
    /// Nothing of this repository.
    Foreign,
}

/// Where each file's numbers begin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Base {
    pub definition: u32,
    pub variable: u32,
    pub value: u32,
    pub call: u32,
    pub import: u32,
}

/// An import path as it is looked up: directory, level, family, path.
type PathKey = (u32, u8, u32, Symbol);

/// All names of the repository.
pub(super) struct Names<'a> {
    pub sources: &'a [Source<'a>],
    pub bases: Vec<Base>,
    pub paths: &'a Paths,
    pub file_of_definition: Vec<u32>,
    specs: Vec<Option<&'a Spec>>,
    families: Vec<u32>,
    /// Members of files and types: variable by (definition, name).
    pub members: FxHashMap<(u32, Symbol), u32>,
    /// The type that an extension adds to; the definition itself for all others.
    pub owner: Vec<u32>,
    /// The definition last bound to a variable.
    pub bound: Vec<u32>,
    /// The import that fills a variable.
    pub imported: Vec<u32>,
    /// Modules whose names a file takes over whole.
    stars: Vec<Vec<Entity>>,
    /// Top-level definitions by name.
    top: FxHashMap<Symbol, Vec<u32>>,
    orders: Vec<Option<Box<[u32]>>>,
    /// Import paths looked up so far, by directory, level, family and path.
    places: RefCell<FxHashMap<PathKey, Option<Place>>>,
}

impl<'a> Names<'a> {
    pub fn new(sources: &'a [Source<'a>], paths: &'a Paths, registry: &'a Registry) -> Self {
        let mut bases = Vec::with_capacity(sources.len() + 1);
        let mut next = Base::default();
        let mut file_of_definition = Vec::new();
        for (file, source) in sources.iter().enumerate() {
            bases.push(next);
            let (facts, flow) = (source.facts, &source.facts.flow);
            next.definition += facts.definitions.len() as u32;
            next.variable += flow.variables.len() as u32;
            next.value += flow.values.len() as u32;
            next.call += flow.calls.len() as u32;
            next.import += flow.imports.len() as u32;
            file_of_definition.resize(next.definition as usize, file as u32);
        }
        bases.push(next);
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
            owner: (0..next.definition).collect(),
            bound: vec![NONE; next.variable as usize],
            imported: vec![NONE; next.variable as usize],
            stars: vec![Vec::new(); sources.len()],
            top: FxHashMap::default(),
            orders: vec![None; next.definition as usize],
            places: RefCell::default(),
            bases,
            file_of_definition,
        };
        names.bind();
        names.find_stars();
        names.find_owners();
        names.find_orders();
        names
    }

    pub fn total(&self) -> Base {
        self.bases.last().copied().unwrap_or_default()
    }

    pub fn definition(&self, id: u32) -> &'a Definition {
        let file = self.file_of_definition[id as usize] as usize;
        &self.sources[file].facts.definitions[(id - self.bases[file].definition) as usize]
    }

    pub fn scopes(&self, file: usize) -> Option<&'a Scopes> {
        self.specs[file].map(|spec| &spec.scopes)
    }

    /// Definitions bound to variables; members of files and types; top-level names.
    fn bind(&mut self) {
        for (file, source) in self.sources.iter().enumerate() {
            let base = self.bases[file];
            let flow = &source.facts.flow;
            for binding in &flow.bindings {
                if let (crate::parse::Target::Variable(variable), Value::Definition(id)) =
                    (binding.target, &flow.values[binding.value as usize])
                {
                    self.bound[(base.variable + variable) as usize] = base.definition + id;
                }
            }
            for (number, import) in flow.imports.iter().enumerate() {
                if let Some(variable) = import.variable {
                    self.imported[(base.variable + variable) as usize] = base.import + number as u32;
                }
            }
            for (local, variable) in flow.variables.iter().enumerate() {
                let kind = source.facts.definitions[variable.scope as usize].kind;
                if kind == DefinitionKind::Module || kind.is_type() {
                    self.members
                        .insert((base.definition + variable.scope, variable.symbol), base.variable + local as u32);
                }
            }
            for (local, definition) in source.facts.definitions.iter().enumerate().skip(1) {
                let mut around = definition.parent;
                let module = |id: u32| source.facts.definitions[id as usize].kind == DefinitionKind::Module;
                while around != 0 && module(around) {
                    around = source.facts.definitions[around as usize].parent;
                }
                let named = definition.kind.is_function()
                    || definition.kind.is_type()
                    || definition.kind == DefinitionKind::Module;
                if around == 0 && named && definition.owner.is_none() {
                    self.top.entry(symbol(&definition.name)).or_default().push(base.definition + local as u32);
                }
            }
        }
    }

    fn find_stars(&mut self) {
        for file in 0..self.sources.len() {
            let include = self.specs[file].is_some_and(|spec| spec.modules.include);
            for import in &self.sources[file].facts.flow.imports {
                if import.variable.is_none() && (import.name.is_none() || include) {
                    let found = self.place(file, &import.path, import.level).map(|place| self.entity(place));
                    self.stars[file].extend(found);
                }
            }
        }
    }

    /// Extensions and out-of-line methods find their types; their members become members of those.
    fn find_owners(&mut self) {
        let all: Vec<u32> = (0..self.total().definition).filter(|&id| self.definition(id).owner.is_some()).collect();
        for &id in &all {
            let file = self.file_of_definition[id as usize] as usize;
            let owner = self.definition(id).owner.and_then(|value| self.resolve(file, value, 0));
            if let Some(Entity::Definition(owner)) = owner
                && owner != id
            {
                self.owner[id as usize] = owner;
            }
        }
        for (file, source) in self.sources.iter().enumerate() {
            let base = self.bases[file];
            for (local, variable) in source.facts.flow.variables.iter().enumerate() {
                let scope = base.definition + variable.scope;
                let definition = &source.facts.definitions[variable.scope as usize];
                let own_name = definition.kind == DefinitionKind::Method
                    && definition.owner.is_some()
                    && symbol(&definition.name) == variable.symbol;
                if definition.kind == DefinitionKind::Extension || own_name {
                    self.members
                        .entry((self.owner[scope as usize], variable.symbol))
                        .or_insert(base.variable + local as u32);
                }
            }
        }
    }

    /// Method resolution order of every type: depth first, a type after all that are derived from it.
    fn find_orders(&mut self) {
        let mut direct: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for id in 0..self.total().definition {
            let definition = self.definition(id);
            if definition.bases.is_empty() || !definition.kind.has_members() {
                continue;
            }
            let file = self.file_of_definition[id as usize] as usize;
            for &base in &definition.bases {
                if let Some(Entity::Definition(base)) = self.resolve(file, base, 0) {
                    let bases = direct.entry(self.owner[id as usize]).or_default();
                    if !bases.contains(&base) {
                        bases.push(base);
                    }
                }
            }
        }
        let mut derived: Vec<u32> = direct.keys().copied().collect();
        derived.sort_unstable();
        for id in derived {
            let mut order = Vec::new();
            linearize(id, &direct, &mut order, 0);
            // The last place at which a type occurs is the one after all that are derived from it.
            let mut seen = rustc_hash::FxHashSet::default();
            let mut unique: Vec<u32> = order.into_iter().rev().filter(|&t| seen.insert(t)).collect();
            unique.reverse();
            self.orders[id as usize] = Some(unique.into());
        }
    }

    /// A type and its bases, the nearest first.
    pub fn order(&self, id: u32) -> Vec<u32> {
        self.orders[id as usize].as_deref().map_or_else(|| vec![id], <[u32]>::to_vec)
    }

    /// The first member of that name in a type or its bases.
    pub fn member_of_type(&self, id: u32, name: Symbol) -> Option<u32> {
        let own = || self.members.get(&(id, name)).copied();
        match self.orders[id as usize].as_deref() {
            Some(order) => order.iter().find_map(|&t| self.members.get(&(t, name)).copied()),
            None => own(),
        }
    }

    /// The type around a definition.
    pub fn type_around(&self, mut id: u32) -> Option<u32> {
        loop {
            let definition = self.definition(id);
            if definition.kind.is_type() || definition.kind == DefinitionKind::Extension {
                return Some(self.owner[id as usize]);
            }
            if self.owner[id as usize] != id {
                return Some(self.owner[id as usize]);
            }
            let parent = self.bases[self.file_of_definition[id as usize] as usize].definition + definition.parent;
            if parent == id {
                return None;
            }
            id = parent;
        }
    }

    /// What a value names, without following assignments.
    pub fn resolve(&self, file: usize, value: u32, depth: u32) -> Option<Entity> {
        if depth > DEEPEST {
            return None;
        }
        let base = self.bases[file];
        match &self.sources[file].facts.flow.values[value as usize] {
            Value::Variable(variable) => self.settle(base.variable + variable, depth),
            Value::Free { symbol, scope } => match self.free(file, *scope, *symbol, depth)? {
                Entity::Variable(variable) => self.settle(variable, depth),
                other => Some(other),
            },
            Value::Access(object, name) => {
                let object = self.resolve(file, *object, depth + 1)?;
                match self.member(object, *name, depth + 1)? {
                    Entity::Variable(variable) => self.settle(variable, depth),
                    other => Some(other),
                }
            }
            Value::Any(values) => values.iter().find_map(|&v| self.resolve(file, v, depth + 1)),
            Value::Definition(id) => Some(Entity::Definition(base.definition + id)),
            Value::SelfType(scope) => self.type_around(base.definition + scope).map(Entity::Definition),
            _ => None,
        }
    }

    /// Every type that a declared type names.
    pub fn types(&self, file: usize, value: u32, out: &mut Vec<u32>) {
        match &self.sources[file].facts.flow.values[value as usize] {
            Value::Any(values) => values.iter().for_each(|&v| self.types(file, v, out)),
            _ => {
                if let Some(Entity::Definition(id)) = self.resolve(file, value, 0)
                    && self.definition(id).kind.has_members()
                {
                    out.push(self.owner[id as usize]);
                }
            }
        }
    }

    /// The definition or place that a variable surely holds.
    fn settle(&self, variable: u32, depth: u32) -> Option<Entity> {
        if self.bound[variable as usize] != NONE {
            return Some(Entity::Definition(self.bound[variable as usize]));
        }
        if self.imported[variable as usize] == NONE {
            return None;
        }
        match self.import(variable, depth + 1)? {
            Entity::Variable(next) if next != variable => self.settle(next, depth + 1),
            Entity::Variable(_) => None,
            other => Some(other),
        }
    }

    /// What an imported variable means.
    pub fn import(&self, variable: u32, depth: u32) -> Option<Entity> {
        if depth > DEEPEST {
            return None;
        }
        let number = self.imported[variable as usize];
        let file = self.bases.partition_point(|base| base.import <= number) - 1;
        let import: &Import = &self.sources[file].facts.flow.imports[(number - self.bases[file].import) as usize];
        let Some(name) = &import.name else {
            return Some(
                self.place(file, &import.path, import.level).map_or(Entity::Foreign, |place| self.entity(place)),
            );
        };
        let wanted = symbol(name);
        let place = self.place(file, &import.path, import.level);
        let member = place.and_then(|place| self.member_but(self.entity(place), wanted, variable, depth + 1));
        let whole = || {
            let whole: Vec<String> = import.path.iter().chain([name]).cloned().collect();
            let entity = self.entity(self.place(file, &whole, import.level)?);
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
    fn member_but(&self, entity: Entity, name: Symbol, asking: u32, depth: u32) -> Option<Entity> {
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
                let here = self.top.get(&name).into_iter().flatten().copied();
                let mut here = here
                    .filter(|&id| self.paths.directory_of(FileId(self.file_of_definition[id as usize])) == directory);
                here.next().map(Entity::Definition).or_else(|| self.submodule(entity, name))
            }
            Entity::Definition(id) => {
                let id = self.owner[id as usize];
                if let Some(variable) = self.member_of_type(id, name) {
                    return Some(Entity::Variable(variable));
                }
                let file = self.file_of_definition[id as usize] as usize;
                if id != self.bases[file].definition {
                    return None;
                }
                self.star(file, name, depth).or_else(|| self.submodule(entity, name)).or_else(|| self.inner(id, name))
            }
        }
    }

    /// A name of a namespace inside the file.
    fn inner(&self, file_definition: u32, name: Symbol) -> Option<Entity> {
        let file = self.file_of_definition[file_definition as usize];
        self.top
            .get(&name)?
            .iter()
            .find(|&&id| self.file_of_definition[id as usize] == file)
            .map(|&id| Entity::Definition(id))
    }

    fn star(&self, file: usize, name: Symbol, depth: u32) -> Option<Entity> {
        let own = self.bases[file].definition;
        self.stars[file].iter().filter(|&&module| module != Entity::Definition(own)).find_map(|&module| match module {
            Entity::Foreign => None,
            module => self.member(module, name, depth + 1),
        })
    }

    fn submodule(&self, entity: Entity, name: Symbol) -> Option<Entity> {
        let (file, place) = match entity {
            Entity::Directory(directory) => {
                (self.paths.files_in(directory).first()?.index(), Place::Directory(directory))
            }
            Entity::Definition(id) => {
                let file = self.file_of_definition[id as usize];
                (file as usize, Place::File(FileId(file)))
            }
            _ => return None,
        };
        self.with_resolver(file, |resolver| resolver.submodule(place, name)).map(|place| self.entity(place))
    }

    /// A name that its file does not bind: members of the type around it, star imports, then what is visible.
    pub fn free(&self, file: usize, scope: u32, name: Symbol, depth: u32) -> Option<Entity> {
        let scopes = self.scopes(file)?;
        let scope = self.bases[file].definition + scope;
        if scopes.implicit_members
            && let Some(found) = self.type_around(scope).and_then(|t| self.member_of_type(t, name))
        {
            return Some(Entity::Variable(found));
        }
        if let Some(found) = self.star(file, name, depth) {
            return Some(found);
        }
        self.visible(file, name)
    }

    /// A top-level name that is seen from a file without an import.
    fn visible(&self, file: usize, name: Symbol) -> Option<Entity> {
        let own_directory = self.paths.directory_of(FileId(file as u32));
        let file_of = |id: u32| self.file_of_definition[id as usize];
        let directory = |id: u32| self.paths.directory_of(FileId(file_of(id)));
        let same_family = |&id: &u32| self.families[file_of(id) as usize] == self.families[file];
        let mut candidates = self.top.get(&name)?.iter().copied().filter(same_family);
        let found = match self.scopes(file)?.visibility {
            Visibility::File => None,
            Visibility::Directory => candidates.find(|&id| directory(id) == own_directory),
            Visibility::Repository => {
                let near = |id: u32| {
                    let place = Place::File(FileId(file_of(id)));
                    self.with_resolver(file, |r| Some(r.nearness(FileId(file as u32), place)))
                };
                candidates.max_by_key(|&id| (directory(id) == own_directory, near(id), std::cmp::Reverse(id)))
            }
        };
        found.map(Entity::Definition)
    }

    fn place(&self, file: usize, parts: &[String], level: u8) -> Option<Place> {
        let spec = self.specs[file]?;
        let own = |list: &[String]| parts.first().is_some_and(|first| list.contains(first));
        if parts.is_empty() || own(&spec.modules.current) || own(&spec.modules.parent) {
            return self.with_resolver(file, |resolver| resolver.resolve(FileId(file as u32), parts, level));
        }
        // All files of a directory mean the same by a path, and most import the same few.
        let directory = self.paths.directory_of(FileId(file as u32));
        let path = symbol(&parts.join("\u{1f}"));
        let key = (directory, level, self.families[file], path);
        if let Some(&known) = self.places.borrow().get(&key) {
            return known;
        }
        let place = self.with_resolver(file, |resolver| resolver.resolve(FileId(file as u32), parts, level));
        self.places.borrow_mut().insert(key, place);
        place
    }

    fn entity(&self, place: Place) -> Entity {
        match place {
            Place::File(file) => Entity::Definition(self.bases[file.index()].definition),
            Place::Directory(directory) => Entity::Directory(directory),
        }
    }

    fn with_resolver<T>(&self, file: usize, ask: impl FnOnce(Resolver<'_>) -> Option<T>) -> Option<T> {
        let spec = self.specs[file]?;
        let same_language = |other: FileId| self.families[other.index()] == self.families[file];
        ask(Resolver { paths: self.paths, modules: &spec.modules, same_language: &same_language })
    }
}

fn linearize(id: u32, direct: &FxHashMap<u32, Vec<u32>>, order: &mut Vec<u32>, depth: u32) {
    // Cyclic bases are an error in every language; the limit keeps them finite.
    if depth > DEEPEST || order.len() > 256 {
        return;
    }
    order.push(id);
    for &base in direct.get(&id).into_iter().flatten() {
        linearize(base, direct, order, depth + 1);
    }
}
