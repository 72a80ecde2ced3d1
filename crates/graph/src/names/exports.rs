//! The names that each file declares, exports and imports.

use super::members::MAX_TARGETS;
use super::{Entity, Names, Source, is_at_top};
use crate::file_facts::FileImport;
use crate::modules::ImportTarget;
use crate::namespaces::Namespaces;
use crate::stars::Stars;
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{DefinitionId, DirectoryId, FileId, IdVec, VariableId};
use whichfn_syntax::lang::{DefinitionKind, Registry};
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::file_name;

/// Maximum number of packages of one directory. Go allows a package and its tests; files of other
/// packages are programs that the build leaves out. Each file that imports the directory binds them
/// all, so without a limit linking would be quadratic.
pub(crate) const MAX_PACKAGES: usize = 4;

impl<'a> Names<'a> {
    /// Records the import paths that manifests declare. Returns the packages that the files of each
    /// directory declare.
    pub(super) fn find_packages(
        &mut self,
        sources: &[Source<'_>],
        registry: &Registry,
    ) -> FxHashMap<DirectoryId, Vec<Symbol>> {
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

    pub(super) fn note_imports(&mut self, file: FileId, packages: &FxHashMap<DirectoryId, Vec<Symbol>>) {
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

    /// Records the top-level definitions of a file.
    pub(super) fn note_top_level(&mut self, file: FileId, top: &mut Vec<(Symbol, DefinitionId)>) {
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

    pub(super) fn find_stars(&mut self) {
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

    pub(super) fn find_namespaces(&mut self) {
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
    pub(super) fn find_exported(&mut self) {
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
}
