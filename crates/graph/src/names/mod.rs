//! Tables of the names in all files and the definitions bound to them. The module [`meaning`]
//! resolves imported, inherited and otherwise visible names without following values;
//! [`crate::points_to`] builds on it and follows values.

mod caches;
mod function_types;
mod getters;
mod meaning;
mod offsets;
mod packages;
mod static_imports;
mod type_paths;
mod undeclared_members;
mod visibility;

use crate::budget::StepBudget;
use crate::file_facts::{FileDefinition, FileFacts, FileImport, FileValue};
use crate::modules::{DeclaredPaths, ImportTarget, Paths};
use crate::mro::linearize;
use crate::namespaces::Namespaces;
use crate::overloads::MAX_OVERLOADS;
use crate::stars::Stars;
use crate::static_types::TypeRules;
use crate::values_by_symbol::ValuesBySymbol;
use caches::{Cache, Caches};
use function_types::FunctionTypes;
pub(crate) use offsets::{Offsets, PointerKind};
use packages::SourcePackages;
pub(crate) use packages::source_root;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use static_imports::StaticImports;
use std::cell::RefCell;
use type_paths::TypePaths;
use undeclared_members::UndeclaredMembers;
use whichfn_syntax::ids::{
    DefinitionId, DirectoryId, FileId, IdVec, LocalId, PackageId, PointerId, ValueId, VariableId,
};
use whichfn_syntax::lang::{Containers, DefinitionKind, LangId, Registry, Scopes, Spec, Visibility};
use whichfn_syntax::parse::{AssignmentTarget, FUNCTION, Symbol, symbol};
use whichfn_text::{file_name, platform_bits};

/// Maximum number of packages of one directory. Go allows a package and its tests; files of other
/// packages are programs that the build leaves out. Each file that imports the directory binds them
/// all, so without a limit linking would be quadratic.
pub(crate) const MAX_PACKAGES: usize = 4;

/// Maximum length of a chain of objects that point to each other.
const MAX_TARGETS: usize = 8;
/// Maximum number of types on whose objects the functions of a trait are assumed to run.
const MAX_USERS: usize = 4;

/// A file as input to linking.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Path relative to the root.
    pub path: &'a str,
    /// Its language; `None` for plain text.
    pub language: Option<LangId>,
    /// Its facts; `None` for a file whose calls are not linked.
    pub facts: Option<FileFacts<'a>>,
    /// Number of definitions in the file.
    pub definitions: u32,
}

/// The meaning of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Entity {
    /// The targets of a variable.
    Variable(PointerId),
    /// A definition. A file is represented by its first definition.
    Definition(DefinitionId),
    /// A directory.
    Directory(DirectoryId),
    /// Something outside this repository.
    Foreign,
}

/// Cache key of an import path: directory, level, family, path.
type PathKey = (DirectoryId, u8, u32, Symbol);

/// Cache key of a visible name: directory, package, language, systems that the path names, name.
type VisibleKey = (DirectoryId, Option<PackageId>, Option<LangId>, u128, Symbol);

/// All names of the repository.
pub(super) struct Names<'a> {
    /// Facts of each file; [`FileFacts::NOTHING`] for files that are not linked.
    facts: IdVec<FileId, &'a FileFacts<'a>>,
    languages: IdVec<FileId, Option<LangId>>,
    /// The files that are linked.
    linked: &'a [FileId],
    /// The first linked file in each directory. Its language supplies the import rules for the
    /// directory.
    first_in: FxHashMap<DirectoryId, FileId>,
    pub offsets: IdVec<FileId, Offsets>,
    total: Offsets,
    pub paths: &'a Paths,
    /// The import paths that manifests declare.
    declared: DeclaredPaths<'a>,
    /// Directories that imports bind under the name of their package, indexed by file and name.
    packages: FxHashMap<(FileId, Symbol), DirectoryId>,
    file_of: IdVec<DefinitionId, FileId>,
    specs: IdVec<FileId, Option<&'a Spec>>,
    /// The systems and processors that the path of each file names, if they matter to its language.
    systems: IdVec<FileId, u128>,
    families: IdVec<FileId, u32>,
    family_numbers: FxHashMap<&'a str, u32>,
    /// Members of files and types: variable by (definition, name).
    pub members: FxHashMap<(DefinitionId, Symbol), PointerId>,
    /// Top-level variables of files in languages where the whole directory sees them.
    shared_variables: FxHashMap<(DirectoryId, Symbol), PointerId>,
    /// The type that an extension adds to; for all other definitions, the definition itself.
    pub owner: IdVec<DefinitionId, DefinitionId>,
    /// The type around each definition; empty until all owners are known.
    around: IdVec<DefinitionId, Option<DefinitionId>>,
    /// The definition last bound to each variable.
    bound: FxHashMap<PointerId, DefinitionId>,
    /// The type that a variable is also bound to, for functions that share their name with a type
    /// (declaration merging in TypeScript).
    merged_types: FxHashMap<DefinitionId, DefinitionId>,
    /// Overloads: functions that are bound to one variable, in languages that select one of them by
    /// the arguments, indexed by the one that was bound last. It represents them.
    overloads: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// The definition that represents each overload, except itself.
    representatives: FxHashMap<DefinitionId, DefinitionId>,
    /// Built-in types of each language that has overloads.
    type_rules: FxHashMap<LangId, TypeRules>,
    /// One bit for each variable whose declared type determines its objects, in languages that
    /// declare nearly all types.
    declared_variables: Vec<u64>,
    /// Types whose objects are functions, in languages that declare types.
    function_types: FunctionTypes,
    /// The import that fills a variable: its file, and its number in that file.
    imported: FxHashMap<PointerId, (FileId, u32)>,
    /// The definition that each file exports as its value (`export default`, `module.exports = a`).
    exported: FxHashMap<FileId, DefinitionId>,
    static_imports: StaticImports,
    /// Members that exist only because code assigns or reads them.
    pub undeclared: UndeclaredMembers,
    /// The modules that each file imports all names of (`from a import *`).
    pub stars: Stars,
    /// Functions that calls may write like a member of their first argument.
    pub extensions: ValuesBySymbol<DefinitionId>,
    /// Extensions that a file has to import. Code with an object in scope calls them by their plain
    /// names.
    pub imported_extensions: ValuesBySymbol<DefinitionId>,
    /// Top-level definitions by name, sorted by number and therefore by file.
    pub top: ValuesBySymbol<DefinitionId>,
    pub namespaces: Namespaces,
    /// Packages whose names are visible in all their files.
    source_packages: SourcePackages,
    /// Types whose names are paths through modules.
    type_paths: TypePaths,
    /// Members of types that come from an extension without bases.
    own_members: FxHashSet<PointerId>,
    /// Methods whose receiver is a type, by the type and the name, in languages that keep them apart
    /// from those of its objects.
    type_methods: FxHashMap<(DefinitionId, Symbol), DefinitionId>,
    /// A type or an extension, and a base that it names, sorted by the first.
    pub declared_bases: Vec<(DefinitionId, DefinitionId)>,
    /// The type that an object of each type points to, for types that declare one ([`Scopes`]).
    targets: FxHashMap<DefinitionId, DefinitionId>,
    /// The method that a read of a field calls, by the field's variable ([`Scopes::field_getter`]).
    getters: FxHashMap<PointerId, DefinitionId>,
    /// The types that mix in each trait, the first [`MAX_USERS`] by number, in languages with
    /// mixins.
    users: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// Method resolution order of each type that has bases.
    mro: FxHashMap<DefinitionId, Box<[DefinitionId]>>,
    /// Cache of resolved import paths.
    resolved: Cache<PathKey, ImportTarget>,
    /// Caches of look-ups; `None` until all tables are complete.
    caches: Option<Caches>,
    /// Cache of the results of [`Names::visible`].
    seen: Cache<VisibleKey, DefinitionId>,
    /// First names of paths that refer to a module by its position (`crate`, `self`, `super`).
    module_words: FxHashSet<Symbol>,
    pub budget: StepBudget,
}

impl<'a> Names<'a> {
    /// Builds all tables for `linked`, the files that are linked together. `sources` contains all
    /// files of the repository.
    pub fn for_calls(
        sources: &'a [Source<'a>],
        linked: &'a [FileId],
        paths: &'a Paths,
        registry: &'a Registry,
    ) -> Self {
        let mut names = Self::new(sources, linked, paths, registry);
        names.find_function_types();
        names.files().for_each(|file| names.note_declared_types(file));
        names.find_representatives();
        names.find_inherited_overloads();
        names
    }

    /// Builds the tables that resolve names. Calls also need declared types and overloads.
    pub fn new(sources: &'a [Source<'a>], linked: &'a [FileId], paths: &'a Paths, registry: &'a Registry) -> Self {
        let mut facts: IdVec<FileId, &'a FileFacts<'a>> = IdVec::repeat(&FileFacts::NOTHING, sources.len());
        for &file in linked {
            facts[file] = sources[file.index()].facts.as_ref().unwrap_or(&FileFacts::NOTHING);
        }
        let mut offsets = IdVec::new();
        let mut total = Offsets::default();
        let mut file_of = IdVec::new();
        for facts in &facts {
            total = total.after(facts);
            let file = offsets.push(total);
            file_of.resize(total.end_of_definitions(), file);
        }
        let mut family_numbers = FxHashMap::default();
        let families = sources.iter().map(|s| {
            let family = s.language.map_or("", |l| registry.family(l));
            let count = family_numbers.len() as u32;
            *family_numbers.entry(family).or_insert(count)
        });
        let mut names = Self {
            families: families.collect(),
            family_numbers,
            specs: sources.iter().map(|s| s.language.and_then(|l| registry.spec(l))).collect(),
            systems: sources.iter().map(|s| systems(s, registry)).collect(),
            languages: sources.iter().map(|s| s.language).collect(),
            facts,
            linked,
            first_in: linked.iter().rev().map(|&file| (paths.directory_of(file), file)).collect(),
            paths,
            declared: DeclaredPaths::default(),
            packages: FxHashMap::default(),
            members: FxHashMap::with_capacity_and_hasher(file_of.len(), FxBuildHasher),
            shared_variables: FxHashMap::default(),
            owner: file_of.ids().collect(),
            around: IdVec::new(),
            bound: FxHashMap::with_capacity_and_hasher(file_of.len(), FxBuildHasher),
            merged_types: FxHashMap::default(),
            overloads: FxHashMap::default(),
            representatives: FxHashMap::default(),
            declared_variables: Vec::new(),
            function_types: FunctionTypes::default(),
            type_rules: FxHashMap::default(),
            imported: FxHashMap::default(),
            exported: FxHashMap::default(),
            static_imports: StaticImports::default(),
            undeclared: UndeclaredMembers::after(total.end()),
            stars: Stars::default(),
            extensions: ValuesBySymbol::default(),
            imported_extensions: ValuesBySymbol::default(),
            top: ValuesBySymbol::default(),
            namespaces: Namespaces::default(),
            source_packages: SourcePackages::default(),
            type_paths: TypePaths::default(),
            own_members: FxHashSet::default(),
            type_methods: FxHashMap::default(),
            declared_bases: Vec::new(),
            targets: FxHashMap::default(),
            getters: FxHashMap::default(),
            users: FxHashMap::default(),
            mro: FxHashMap::default(),
            resolved: RefCell::default(),
            caches: None,
            seen: RefCell::default(),
            module_words: FxHashSet::default(),
            budget: StepBudget::new(u64::from(total.end().0)),
            offsets,
            total,
            file_of,
        };
        names.module_words = names.find_module_words();
        names.find_type_rules(registry);
        let packages = names.find_packages(sources, registry);
        names.find_source_packages();
        names.find_stars();
        let mut top = Vec::new();
        for file in names.files() {
            names.bind(file);
            names.note_imports(file, &packages);
            names.note_members(file);
            names.note_top_level(file, &mut top);
        }
        names.top = ValuesBySymbol::new(top);
        names.find_namespaces();
        names.find_exported();
        names.find_static_imports();
        names.find_owners();
        names.merge_typedefs();
        names.around = names.definitions().map(|id| names.type_around(id)).collect();
        names.share_members_of_extensions();
        names.find_type_methods();
        names.find_mro();
        names.find_opened_types();
        names.find_targets();
        names.find_users();
        names.declare_attributes();
        names.find_extensions();
        names.find_getters();
        names.start_caches();
        names
    }

    /// Returns the number of pointers: variables, values, calls and definitions.
    pub fn pointer_count(&self) -> usize {
        self.total.end().index()
    }

    /// Iterates over all files of the repository, linked or not, sorted by path.
    pub fn all_files(&self) -> impl Iterator<Item = FileId> + use<'a> {
        self.facts.ids()
    }

    /// Iterates over the files that are linked, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<'a> {
        self.linked.iter().copied()
    }

    pub fn definitions(&self) -> impl Iterator<Item = DefinitionId> + use<'a> {
        self.file_of.ids()
    }

    pub fn offsets(&self, file: FileId) -> Offsets {
        self.offsets[file]
    }

    pub fn facts(&self, file: FileId) -> &'a FileFacts<'a> {
        self.facts[file]
    }

    pub fn language(&self, file: FileId) -> Option<LangId> {
        self.languages[file]
    }

    pub fn definition(&self, id: DefinitionId) -> FileDefinition<'a> {
        let (file, local) = self.local(id);
        self.facts[file].definition(local)
    }

    /// Returns the kind of a definition.
    pub fn kind(&self, id: DefinitionId) -> DefinitionKind {
        let (file, local) = self.local(id);
        self.facts[file].kind(local)
    }

    /// Returns the number of parameters of a definition, without the receiver.
    pub fn parameter_count(&self, id: DefinitionId) -> usize {
        let (file, local) = self.local(id);
        self.facts[file].parameters(local).len()
    }

    /// Checks whether a call of a function may pass no arguments.
    pub fn takes_nothing(&self, id: DefinitionId) -> bool {
        let (file, local) = self.local(id);
        self.facts[file].signature(local).all(|own| own.is_optional || own.is_variadic)
    }

    /// Checks whether a call may write the object of a function's first parameter before its name.
    pub fn is_extension(&self, id: DefinitionId) -> bool {
        let (file, local) = self.local(id);
        self.facts[file].is_extension(local)
    }

    /// Returns the file of a definition, and its number in that file.
    pub fn local(&self, id: DefinitionId) -> (FileId, LocalId) {
        let file = self.file_of[id];
        (file, self.offsets[file].local(id))
    }

    /// Returns the file of a definition.
    pub fn file_of(&self, id: DefinitionId) -> FileId {
        self.file_of[id]
    }

    /// Returns the file that owns a pointer. An undeclared member belongs to the file of its type.
    pub fn file_of_pointer(&self, pointer: PointerId) -> FileId {
        match self.undeclared.get(pointer) {
            Some((owner_type, _)) => self.file_of[owner_type],
            None => FileId::new(self.offsets.as_slice().partition_point(|offsets| offsets.end() <= pointer)),
        }
    }

    /// Returns the pointer of a value. Variables and calls share the pointer of the variable and of
    /// the call's result.
    pub fn pointer_of(&self, file: FileId, value: ValueId) -> PointerId {
        let offsets = self.offsets[file];
        match self.facts[file].value(value) {
            FileValue::Variable(variable) => offsets.variable(variable),
            FileValue::Call(call) => offsets.result_of(call),
            _ => offsets.value(value),
        }
    }

    /// Returns the pointer for the return value of a definition.
    pub fn return_of(&self, id: DefinitionId) -> PointerId {
        let (file, local) = self.local(id);
        self.offsets[file].return_of(local)
    }

    /// Returns the definition last bound to a variable.
    pub fn bound(&self, variable: PointerId) -> Option<DefinitionId> {
        self.bound.get(&variable).copied()
    }

    /// Checks whether an import fills the variable.
    pub fn is_imported(&self, variable: PointerId) -> bool {
        self.imported.contains_key(&variable)
    }

    /// Checks whether the file's language includes files as text.
    pub fn is_included(&self, file: FileId) -> bool {
        self.specs[file].is_some_and(|spec| spec.modules.include)
    }

    /// Returns the members of library containers in the language of a file.
    pub fn containers(&self, file: FileId) -> Option<&'a Containers> {
        self.specs[file].map(|spec| &spec.containers)
    }

    pub fn scopes(&self, file: FileId) -> Option<&'a Scopes> {
        self.specs[file].map(|spec| &spec.scopes)
    }

    /// Reads the built-in types of the languages in which they select a call's target.
    fn find_type_rules(&mut self, registry: &Registry) {
        let selects = |spec: &&Spec| spec.scopes.overloads || spec.scopes.traits || spec.scopes.extends_libraries;
        for language in self.files().filter_map(|file| self.languages[file]) {
            if let Some(spec) = registry.spec(language).filter(selects) {
                self.type_rules.entry(language).or_insert_with(|| TypeRules::new(spec));
            }
        }
    }

    /// Checks whether a file's language declares nearly all types.
    pub fn declares_types(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.declared_types)
    }

    /// Checks whether functions of one scope in a file may share a name.
    pub fn has_overloads(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.overloads)
    }

    /// Returns the built-in types of a file's language; `None` if they select no call's target.
    pub fn type_rules(&self, file: FileId) -> Option<&TypeRules> {
        self.type_rules.get(&self.languages[file]?)
    }

    /// Returns the built-in types by which calls in a file select among functions: those of arguments
    /// without a declared type are too often unknown.
    pub fn selecting_types(&self, file: FileId) -> Option<&TypeRules> {
        let selects = |scopes: &Scopes| scopes.overloads || scopes.traits || scopes.declared_types;
        self.type_rules(file).filter(|_| self.scopes(file).is_some_and(selects))
    }

    /// Returns all overloads that a definition represents, itself included.
    pub fn overloads<'s>(&'s self, id: &'s DefinitionId) -> &'s [DefinitionId] {
        self.overloads.get(id).map_or(std::slice::from_ref(id), Vec::as_slice)
    }

    /// Returns the definition that represents the overloads of a function, or the parts of a type.
    pub fn representative(&self, id: DefinitionId) -> DefinitionId {
        self.representatives.get(&id).copied().unwrap_or_else(|| self.whole(id))
    }

    /// Returns the first part of a type; the definition itself for all others.
    pub fn whole(&self, id: DefinitionId) -> DefinitionId {
        if self.owner[id] != id && self.kind(id).is_type() { self.owner[id] } else { id }
    }

    /// Checks whether another definition of the same variable represents this one.
    pub fn is_represented(&self, variable: PointerId, id: DefinitionId) -> bool {
        let last = self.bound(variable).filter(|&last| last != id && self.overloads.contains_key(&last));
        last.is_some() && self.kind(id).is_function()
    }

    fn find_representatives(&mut self) {
        let represented = |(&last, all): (&DefinitionId, &Vec<DefinitionId>)| {
            all.iter().filter(move |&&id| id != last).map(move |&id| (id, last)).collect::<Vec<_>>()
        };
        self.representatives = self.overloads.iter().flat_map(represented).collect();
    }

    /// Adds the functions of base types to the overloads of a method with the same name, except
    /// those that it or one of its overloads overrides.
    fn find_inherited_overloads(&mut self) {
        let mut inherited = Vec::new();
        let has_inherited = |&file: &FileId| self.scopes(file).is_some_and(|scopes| scopes.inherited_overloads);
        for file in self.files().filter(has_inherited) {
            let (facts, offsets) = (self.facts[file], self.offsets[file]);
            for (_, scope, name) in facts.variables().filter(|&(_, scope, _)| facts.kind(scope).is_type()) {
                let of_type = offsets.definition(scope);
                let is_constructor = |scopes: &Scopes| scopes.constructors.iter().any(|own| symbol(own) == name);
                if self.scopes(file).is_some_and(|scopes| scopes.header_constructors && is_constructor(scopes)) {
                    continue;
                }
                if name == facts.definition(scope).name || !self.mro.contains_key(&of_type) {
                    continue;
                }
                if let Some(id) = self.bound_member(of_type, name) {
                    inherited.push((id, self.with_inherited(of_type, id, name)));
                }
            }
        }
        let several = inherited.into_iter().filter(|(_, overloads)| overloads.len() > 1);
        self.overloads.extend(several);
    }

    /// Returns the function that a type declares with the given name.
    fn bound_member(&self, of_type: DefinitionId, name: Symbol) -> Option<DefinitionId> {
        let id = self.bound(*self.members.get(&(of_type, name))?)?;
        self.kind(id).is_function().then_some(id)
    }

    /// Returns the overloads of a method of a type, and those of its bases' methods that they do
    /// not override.
    fn with_inherited(&self, of_type: DefinitionId, id: DefinitionId, name: Symbol) -> Vec<DefinitionId> {
        let mut all = self.overloads(&id).to_vec();
        for base in self.bases(of_type).iter().filter_map(|&base| self.bound_member(base, name)) {
            for &other in self.overloads(&base) {
                let is_overridden = || all.iter().any(|&own| self.overrides(own, other));
                if all.len() < MAX_OVERLOADS && self.budget.take(all.len()) && !all.contains(&other) && !is_overridden()
                {
                    all.push(other);
                }
            }
        }
        all
    }

    /// Records definitions that are bound to variables. The last definition wins.
    fn bind(&mut self, file: FileId) {
        let (offsets, facts) = (self.offsets[file], self.facts[file]);
        for (target, value) in facts.bindings() {
            if let (AssignmentTarget::Variable(variable), FileValue::Definition(id)) = (target, facts.value(value)) {
                let (variable, id) = (offsets.variable(variable), offsets.definition(id));
                if let Some(earlier) = self.bound.insert(variable, id).filter(|&earlier| earlier != id) {
                    self.note_earlier(file, earlier, id);
                }
            }
        }
    }

    /// Records that a variable is bound to two definitions: overloads, or a type and a function.
    fn note_earlier(&mut self, file: FileId, earlier: DefinitionId, id: DefinitionId) {
        if self.has_overloads(file) {
            self.add_overload(earlier, id);
        }
        let earlier = self.merged_types.get(&earlier).copied().unwrap_or(earlier);
        if !self.kind(id).is_type() && self.kind(earlier).is_type() {
            self.merged_types.insert(id, earlier);
        }
    }

    fn find_module_words(&self) -> FxHashSet<Symbol> {
        let modules = self.files().filter_map(|file| Some(&self.specs[file]?.modules));
        let distinct: FxHashMap<_, _> = modules.map(|modules| (std::ptr::from_ref(modules), modules)).collect();
        let words = distinct.into_values().flat_map(|modules| [&modules.roots, &modules.current, &modules.parent]);
        words.flatten().map(|word| symbol(word)).collect()
    }

    /// Records the variables whose declared type determines their objects.
    fn note_declared_types(&mut self, file: FileId) {
        let Some(scopes) = self.scopes(file).filter(|scopes| scopes.declared_types || scopes.declared_bounds) else {
            return;
        };
        self.declared_variables.resize(self.total.end().index().div_ceil(64), 0);
        let (offsets, facts) = (self.offsets[file], self.facts[file]);
        for (target, value) in facts.bindings() {
            if let (AssignmentTarget::Variable(variable), FileValue::Instance(of_type)) = (target, facts.value(value))
                && !self.note_function_variable(file, variable, parts(facts, &of_type))
                && self.determines_objects(file, scopes, of_type)
            {
                let variable = offsets.variable(variable).index();
                self.declared_variables[variable / 64] |= 1 << (variable % 64);
            }
        }
    }

    /// Checks whether a variable of a declared type only holds objects of that type.
    fn determines_objects(&self, file: FileId, scopes: &Scopes, of_type: ValueId) -> bool {
        let (offsets, facts) = (self.offsets[file], self.facts[file]);
        let all = parts(facts, &of_type);
        if self.names_function(file, all) {
            return false;
        }
        let is_open = |of_type| match facts.value(of_type) {
            FileValue::Variable(own) => self.is_type_parameter(offsets.variable(own)),
            _ => self.is_inferred(file, of_type),
        };
        !(if scopes.traits { all.iter().any(|&one| is_open(one)) } else { is_open(of_type) })
    }

    /// Checks whether a declared type has the type of a function as a part. A container of functions
    /// holds those that are put into it.
    fn names_function(&self, file: FileId, parts: &[ValueId]) -> bool {
        parts.iter().any(|&one| self.facts[file].name_of(one) == Some(symbol(FUNCTION)))
    }

    /// Lets each alias of a type (`typedef struct clock clock_t`) be that type, if the language has
    /// such aliases. The type may have the same name, and be in a file that the alias does not see.
    fn merge_typedefs(&mut self) {
        for file in self.files() {
            if !self.scopes(file).is_some_and(|scopes| scopes.typedefs) {
                continue;
            }
            for (alias, of_type) in self.facts[file].typedefs() {
                let alias = self.offsets[file].definition(alias);
                if let Some(id) = self.aliased(file, alias, of_type) {
                    self.merged_types.insert(alias, self.owner[id]);
                }
            }
        }
    }

    /// Returns the type that an alias of a type is; the definition itself for all others.
    pub fn unaliased(&self, id: DefinitionId) -> DefinitionId {
        let aliased = self.merged_types.get(&id).filter(|_| self.kind(id) == DefinitionKind::Type);
        aliased.copied().unwrap_or(id)
    }

    /// Returns the type that an alias names: one that its file sees, or else the only one of the
    /// repository with that name.
    fn aliased(&self, file: FileId, alias: DefinitionId, of_type: ValueId) -> Option<DefinitionId> {
        let is_type =
            |&id: &DefinitionId| id != alias && self.kind(id).is_type() && self.kind(id) != DefinitionKind::Type;
        if let Some(Entity::Definition(id)) = self.resolve(file, of_type, 0)
            && is_type(&id)
        {
            return Some(id);
        }
        let name = self.facts[file].name_of(of_type)?;
        if self.is_foreign_name(file, name) {
            return None;
        }
        let all = self.top.get(name);
        let mut found = all.iter().copied().take_while(|_| self.budget.take(1)).filter(is_type);
        let only = found.next();
        only.filter(|_| found.next().is_none())
    }

    /// Returns the structs that a declared type names, if a variable of the type only holds objects of
    /// them.
    pub fn exact_structs(&self, file: FileId, of_type: ValueId) -> Option<Vec<DefinitionId>> {
        self.scopes(file).filter(|scopes| scopes.exact_structs)?;
        if matches!(self.facts[file].value(of_type), FileValue::Any(all) if self.names_function(file, all)) {
            return None;
        }
        let mut types = Vec::new();
        self.types(file, of_type, 0, &mut types);
        let is_exact = !types.is_empty() && types.iter().all(|&id| self.kind(id) == DefinitionKind::Struct);
        is_exact.then_some(types)
    }

    /// Returns the alias of an import that is the value of a file, if the language has one.
    pub fn value_name(&self, file: FileId) -> Option<Symbol> {
        let name = self.specs[file].map(|spec| spec.modules.value_name.as_str())?;
        (!name.is_empty()).then(|| symbol(name))
    }

    /// Checks whether the declared type of a variable determines its objects.
    pub fn has_declared_type(&self, variable: PointerId) -> bool {
        self.declared_variables.get(variable.index() / 64).is_some_and(|bits| bits & 1 << (variable.index() % 64) != 0)
    }

    /// Adds a function to the overloads of the previous one with its name.
    fn add_overload(&mut self, previous: DefinitionId, id: DefinitionId) {
        if self.kind(previous).is_function() && self.kind(id).is_function() {
            let mut overloads = self.overloads.remove(&previous).unwrap_or_else(|| vec![previous]);
            if overloads.len() < MAX_OVERLOADS {
                overloads.push(id);
            }
            self.overloads.insert(id, overloads);
        }
    }

    /// Records the import paths that manifests declare. Returns the packages that the files of each
    /// directory declare.
    fn find_packages(&mut self, sources: &[Source<'_>], registry: &Registry) -> FxHashMap<DirectoryId, Vec<Symbol>> {
        let mut packages: FxHashMap<DirectoryId, Vec<Symbol>> = FxHashMap::default();
        for file in self.files() {
            let (directory, package) = (self.paths.directory_of(file), self.facts[file].package());
            let Some(spec) = self.specs[file].filter(|_| !package.is_empty()) else { continue };
            if registry.manifest_language(file_name(sources[file.index()].path)).is_some() {
                let sources = spec.modules.manifest.sources.iter();
                let sources = sources.filter_map(|name| self.paths.child_directory(directory, symbol(name))).next();
                self.declared.add(&spec.modules, package, directory, sources.unwrap_or(directory));
                continue;
            }
            let (packages, package) = (packages.entry(directory).or_default(), symbol(package));
            if packages.len() < MAX_PACKAGES && !packages.contains(&package) {
                packages.push(package);
            }
        }
        packages
    }

    fn note_imports(&mut self, file: FileId, packages: &FxHashMap<DirectoryId, Vec<Symbol>>) {
        let facts = self.facts[file];
        for (number, import) in (0..).zip(facts.imports()) {
            let Some(variable) = import.variable else { continue };
            self.imported.insert(self.offsets[file].variable(variable), (file, number));
            if packages.is_empty() || import.name.is_some() || !self.has_own_name(file, &import, variable) {
                continue;
            }
            if let Some(ImportTarget::Directory(directory)) = self.import_target(file, import.path, import.level) {
                for &package in packages.get(&directory).into_iter().flatten() {
                    self.packages.insert((file, package), directory);
                }
            }
        }
    }

    /// Checks whether an import binds the name that its path suggests, so it has no alias.
    fn has_own_name(&self, file: FileId, import: &FileImport<'_>, variable: VariableId) -> bool {
        let name = self.specs[file].and_then(|spec| spec.modules.bound_name(&import.path.parts()));
        name.is_some_and(|name| symbol(name) == self.facts[file].variable_name(variable))
    }

    /// Records names bound at the top level of a file or directly in a type as its members.
    fn note_members(&mut self, file: FileId) {
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

    /// Records the top-level definitions of a file.
    fn note_top_level(&mut self, file: FileId, top: &mut Vec<(Symbol, DefinitionId)>) {
        let (facts, directory) = (self.facts[file], ImportTarget::Directory(self.paths.directory_of(file)));
        for local in facts.definition_ids().skip(1).filter(|&local| is_at_top(facts, local)) {
            let name = facts.definition(local).name;
            top.push((name, self.offsets[file].definition(local)));
            self.stars.note_binder(ImportTarget::File(file), name);
            self.stars.note_binder(directory, name);
            if let Some(package) = self.source_packages.of(file) {
                self.stars.note_binder(ImportTarget::Package(package), name);
            }
        }
    }

    fn find_extensions(&mut self) {
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

    fn find_stars(&mut self) {
        let stars_of = |file, only_shared: bool| {
            let include = self.is_included(file);
            let facts = &self.facts[file];
            let is_star = |import: &FileImport<'_>| {
                import.variable.is_none() && (import.name.is_none() || include) && (import.is_shared || !only_shared)
            };
            let stars = facts.imports().filter(is_star);
            let targets = |import: FileImport<'_>| {
                let package = self.package_at(file, import.path).map(ImportTarget::Package);
                self.import_target(file, import.path, import.level).into_iter().chain(package)
            };
            stars.flat_map(targets).collect::<Vec<_>>()
        };
        let (mut imports, mut shared) = (IdVec::repeat(Vec::new(), self.facts.len()), FxHashMap::default());
        for file in self.files() {
            imports[file] = stars_of(file, false);
            if self.has_own_imports(file) {
                shared.insert(file, stars_of(file, true));
            }
        }
        // A file without imports that another file includes is a part of it.
        for file in self.files() {
            for &target in shared.get(&file).into_iter().flatten() {
                if let ImportTarget::File(part) = target
                    && imports[part].is_empty()
                {
                    imports[part] = [&[ImportTarget::File(file)], &imports[file][..]].concat();
                }
            }
        }
        let mut stars = Stars::new(imports, shared);
        for module in stars.targets() {
            let file = match module {
                ImportTarget::File(file) => Some(file),
                ImportTarget::Directory(directory) => self.first_in.get(&directory).copied(),
                ImportTarget::Package(_) => None,
            };
            if let Some(home) = file.and_then(|file| self.with_resolver(file, |resolver| resolver.home(module))) {
                stars.note_home(module, home);
            }
        }
        self.paths.children().for_each(|(directory, name)| stars.note_child(directory, name));
        self.stars = stars;
    }

    fn find_namespaces(&mut self) {
        let (mut namespaces, nameless) = (Namespaces::default(), symbol(""));
        for file in self.files().filter(|&file| self.is_included(file)) {
            let (offsets, facts) = (self.offsets[file], self.facts[file]);
            for local in facts.definition_ids().skip(1) {
                let part = facts.definition(local);
                if part.kind == DefinitionKind::Module && part.name != nameless {
                    let key = (self.families[file], part.qualified_name);
                    namespaces.note_part(key, offsets.definition(local));
                }
            }
            for (local, scope, name) in facts.variables() {
                namespaces.note_member(offsets.definition(scope), name, offsets.variable(local));
            }
        }
        self.namespaces = namespaces;
    }

    /// Finds the values that files export as a whole. A chain of such files is followed when it is
    /// looked up, so the result does not depend on the order of the files.
    fn find_exported(&mut self) {
        let value = |&file: &FileId| Some((file, self.facts[file].exported_value()?));
        let found = self.files().filter_map(|file| value(&file));
        let found = found.filter_map(|(file, value)| match self.resolve(file, value, 0)? {
            Entity::Definition(id) if id != self.file_definition(file) => Some((file, id)),
            _ => None,
        });
        self.exported = found.collect();
    }

    /// Returns the definition that an import of a file as a whole refers to: what the file exports
    /// as its value, else the file itself. The same for all other definitions.
    pub fn exported(&self, mut id: DefinitionId) -> DefinitionId {
        for _ in 0..MAX_TARGETS {
            let Some(&next) = self.exported.get(&self.file_of[id]).filter(|_| self.is_file(id)) else { break };
            id = next;
        }
        id
    }

    /// Resolves the types that extensions and out-of-line methods belong to. Parts of one type
    /// belong to the first part.
    fn find_owners(&mut self) {
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
    fn share_members_of_extensions(&mut self) {
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

    /// Makes the functions that two parts of a type declare with one name overloads of each other.
    fn join_overloads(&mut self, one: PointerId, other: PointerId) {
        let (Some(one), Some(other)) = (self.bound(one), self.bound(other)) else { return };
        if self.kind(one).is_function() && self.kind(other).is_function() {
            let mut all = self.overloads(&one).to_vec();
            all.extend(self.overloads(&other).iter().filter(|id| !all.contains(id)).copied().collect::<Vec<_>>());
            all.truncate(MAX_OVERLOADS);
            self.overloads.insert(other, all.clone());
            self.overloads.insert(one, all);
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

    fn find_mro(&mut self) {
        let mut bases = self.direct_bases();
        self.mro = bases.linearize();
        if !bases.is_complete {
            // A base may be a member that a type around inherits.
            bases = self.direct_bases();
            self.mro = bases.linearize();
        }
        self.declared_bases = bases.declared;
    }

    fn find_type_methods(&mut self) {
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

    fn find_users(&mut self) {
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
    fn declare_attributes(&mut self) {
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
    fn find_targets(&mut self) {
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

    /// Checks whether a definition is a file whose language lets files be types.
    pub fn is_file_type(&self, id: DefinitionId) -> bool {
        self.is_file(id) && self.scopes(self.file_of[id]).is_some_and(|scopes| scopes.type_values)
    }

    /// Returns the type around a definition.
    pub fn type_around(&self, mut id: DefinitionId) -> Option<DefinitionId> {
        if let Some(&known) = self.around.get(id) {
            return known;
        }
        loop {
            let definition = self.definition(id);
            if definition.kind.is_type() || definition.kind == DefinitionKind::Extension {
                return Some(self.owner[id]);
            }
            if self.owner[id] != id {
                return Some(self.owner[id]);
            }
            let is_object = definition.kind == DefinitionKind::Anonymous && definition.receives_type;
            if is_object {
                return None;
            }
            let parent = self.offsets[self.file_of[id]].definition(definition.parent);
            if parent == id {
                return self.is_file_type(id).then_some(id);
            }
            id = parent;
        }
    }
}

/// Returns the types that a declared type consists of.
fn parts<'v>(facts: &FileFacts<'v>, of_type: &'v ValueId) -> &'v [ValueId] {
    match facts.value(*of_type) {
        FileValue::Any(types) => types,
        _ => std::slice::from_ref(of_type),
    }
}

/// The bases that types name.
struct Bases {
    /// Bases of each type, including those of its extensions.
    direct: FxHashMap<DefinitionId, Vec<DefinitionId>>,
    /// See [`Names::declared_bases`].
    declared: Vec<(DefinitionId, DefinitionId)>,
    /// False if a base of a nested type is unknown.
    is_complete: bool,
}

impl Bases {
    /// Returns the method resolution order of each type.
    fn linearize(&self) -> FxHashMap<DefinitionId, Box<[DefinitionId]>> {
        self.direct.keys().map(|&id| (id, linearize(id, &self.direct))).collect()
    }
}

fn systems(source: &Source<'_>, registry: &Registry) -> u128 {
    let spec = source.language.and_then(|language| registry.spec(language));
    spec.filter(|spec| spec.scopes.system_variants).map_or(0, |_| platform_bits(source.path))
}

/// Checks whether a definition is a function, type or module that is nested only in modules.
fn is_at_top(facts: &FileFacts<'_>, local: LocalId) -> bool {
    let definition = facts.definition(local);
    let mut around = definition.parent;
    while around != LocalId::FILE && facts.kind(around) == DefinitionKind::Module {
        around = facts.definition(around).parent;
    }
    let kind = definition.kind;
    let named = kind.is_function() || kind.is_type() || kind == DefinitionKind::Module;
    around == LocalId::FILE && named && (definition.owner.is_none() || kind.is_type())
}
