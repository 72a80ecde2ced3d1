//! Tables of the names in all files and the definitions bound to them. The module [`meaning`]
//! resolves imported, inherited and otherwise visible names without following values;
//! [`crate::points_to`] builds on it and follows values.

mod bases;
mod caches;
mod declared_types;
mod exports;
mod function_types;
mod getters;
mod imported;
mod meaning;
mod members;
mod offsets;
mod packages;
mod static_imports;
mod type_paths;
mod undeclared_members;
mod visibility;

use crate::budget::StepBudget;
use crate::file_facts::{FileDefinition, FileFacts, FileValue};
use crate::modules::{DeclaredPaths, ImportTarget, Paths};
use crate::namespaces::Namespaces;
use crate::stars::Stars;
use crate::type_rules::TypeRules;
use crate::values_by_symbol::ValuesBySymbol;
use caches::{Cache, Caches};
pub(crate) use exports::MAX_PACKAGES;
use function_types::FunctionTypes;
pub(crate) use offsets::{Offsets, PointerKind};
use packages::SourcePackages;
pub(crate) use packages::source_root;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use static_imports::StaticImports;
use std::cell::RefCell;
use type_paths::TypePaths;
use undeclared_members::UndeclaredMembers;
use whichfn_syntax::ids::{DefinitionId, DirectoryId, FileId, IdVec, LocalId, PackageId, PointerId, ValueId};
use whichfn_syntax::lang::{Containers, DefinitionKind, LangId, Registry, Scopes, Spec};
use whichfn_syntax::parse::{AssignmentTarget, FUNCTION, Symbol, symbol};
use whichfn_text::platform_bits;

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
        names.fill(sources, registry);
        names
    }

    /// Fills the tables in the order in which they need each other.
    fn fill(&mut self, sources: &'a [Source<'a>], registry: &'a Registry) {
        self.module_words = self.find_module_words();
        self.find_type_rules(registry);
        let packages = self.find_packages(sources, registry);
        self.find_source_packages();
        self.find_stars();
        let mut top = Vec::new();
        for file in self.files() {
            self.bind(file);
            self.note_imports(file, &packages);
            self.note_members(file);
            self.note_top_level(file, &mut top);
        }
        self.top = ValuesBySymbol::new(top);
        self.find_namespaces();
        self.find_exported();
        self.find_static_imports();
        self.find_owners();
        self.merge_typedefs();
        self.around = self.definitions().map(|id| self.type_around(id)).collect();
        self.share_members_of_extensions();
        self.find_type_methods();
        self.find_mro();
        self.find_opened_types();
        self.find_targets();
        self.find_users();
        self.declare_attributes();
        self.find_extensions();
        self.find_getters();
        self.start_caches();
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

    /// Checks whether a declared type has the type of a function as a part. A container of functions
    /// holds those that are put into it.
    fn names_function(&self, file: FileId, parts: &[ValueId]) -> bool {
        parts.iter().any(|&one| self.facts[file].name_of(one) == Some(symbol(FUNCTION)))
    }

    /// Returns the alias of an import that is the value of a file, if the language has one.
    pub fn value_name(&self, file: FileId) -> Option<Symbol> {
        let name = self.specs[file].map(|spec| spec.modules.value_name.as_str())?;
        (!name.is_empty()).then(|| symbol(name))
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
