//! Packages that files declare, in languages where all files of a package see its names. The files
//! of a package may be in several folders: for each system, for tests, or in several modules.
//!
//! - **Cost:** one number for each file; a look-up of a name visits the top-level definitions of that
//!   name.

use super::{Entity, Names};
use crate::file_facts::{FileImport, ModulePath};
use crate::modules::ImportTarget;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use whichfn_syntax::ids::{DefinitionId, FileId, IdVec, PackageId, PointerId};
use whichfn_syntax::lang::{DefinitionKind, Scopes, Visibility};
use whichfn_syntax::parse::{Symbol, symbol};

/// The packages of all files.
#[derive(Default)]
pub(super) struct SourcePackages {
    of_file: IdVec<FileId, Option<PackageId>>,
    /// Packages by the family of their language and their name.
    numbers: FxHashMap<(u32, Symbol), PackageId>,
    /// Top-level variables of all files of a package.
    variables: FxHashMap<(PackageId, Symbol), PointerId>,
    /// The names that files import from packages, or `None` for all names, in languages where
    /// extensions are imported.
    imports: FxHashSet<(FileId, PackageId, Option<Symbol>)>,
    /// Packages that all files import.
    default_imports: FxHashSet<PackageId>,
}

impl SourcePackages {
    /// Returns the package of a file.
    pub fn of(&self, file: FileId) -> Option<PackageId> {
        self.of_file.get(file).copied().flatten()
    }

    /// Checks whether a file imports a name, or all names, from a package.
    pub fn imports(&self, file: FileId, package: PackageId, name: Symbol) -> bool {
        [Some(name), None].iter().any(|&name| self.imports.contains(&(file, package, name)))
            || self.default_imports.contains(&package)
    }

    /// Adds a top-level variable. The first of several with one name counts.
    pub fn note_variable(&mut self, package: PackageId, name: Symbol, variable: PointerId) {
        self.variables.entry((package, name)).or_insert(variable);
    }

    /// Returns a top-level variable of a package.
    pub fn variable(&self, package: PackageId, name: Symbol) -> Option<PointerId> {
        self.variables.get(&(package, name)).copied()
    }
}

impl Names<'_> {
    pub(super) fn find_source_packages(&mut self) {
        let mut packages = SourcePackages { of_file: IdVec::repeat(None, self.facts.len()), ..Default::default() };
        for file in self.files() {
            let has_packages = |scopes: &Scopes| scopes.visibility == Visibility::Package || scopes.own_imports;
            if let Some(name) = self.package_name(file)
                && self.scopes(file).is_some_and(has_packages)
            {
                let next = PackageId::new(packages.numbers.len());
                let package = packages.numbers.entry((self.families[file], name)).or_insert(next);
                packages.of_file[file] = Some(*package);
            }
        }
        self.source_packages = packages;
        self.find_package_imports();
    }

    /// Returns the name of a file's package. Files that declare none are in one package if they are
    /// in directories for the sources of one program; its name cannot be written.
    fn package_name(&self, file: FileId) -> Option<Symbol> {
        let declared = self.facts[file].package();
        if !declared.is_empty() {
            return Some(symbol(declared));
        }
        let directory = &self.paths.directories()[self.paths.directory_of(file)];
        let root = source_root(directory, &self.specs[file]?.modules.source_sets)?;
        Some(symbol(&format!("/{root}")))
    }

    /// Returns the package that a file declares.
    pub(super) fn declared_package(&self, file: FileId) -> Option<PackageId> {
        self.source_packages.of(file).filter(|_| !self.facts[file].package().is_empty())
    }

    fn find_package_imports(&mut self) {
        let (mut imports, mut default_imports) = (FxHashSet::default(), FxHashSet::default());
        for file in self.files() {
            let limits = |scopes: &&Scopes| scopes.imported_extensions || scopes.own_imports;
            let Some(scopes) = self.scopes(file).filter(limits) else { continue };
            let facts = self.facts[file];
            if scopes.own_imports {
                imports.extend(self.packages_around(file).map(|package| (file, package, None)));
                let shared = facts.imports().filter(|import| import.is_shared);
                default_imports.extend(shared.filter_map(|import| self.package_at(file, import.path)));
            }
            let is_renamed = |import: &FileImport<'_>| {
                import.variable.is_some_and(|variable| Some(facts.variable_name(variable)) != import.name)
            };
            for import in facts.imports().filter(|import| !is_renamed(import)) {
                // A name may be that of the type around an extension.
                let name = import.name.filter(|_| !scopes.own_imports);
                imports.extend(self.package_at(file, import.path).map(|package| (file, package, name)));
            }
            let named = |name: &String| self.source_packages.numbers.get(&(self.families[file], symbol(name)));
            default_imports.extend(scopes.default_imports.iter().filter_map(named));
        }
        self.source_packages.imports = imports;
        self.source_packages.default_imports = default_imports;
    }

    /// Returns the packages that contain a file or parts of it: those that it declares, and those
    /// around the first of them.
    fn packages_around(&self, file: FileId) -> impl Iterator<Item = PackageId> {
        let facts = self.facts[file];
        let separator = self.specs[file].and_then(|spec| spec.modules.separators.first()).map_or("", String::as_str);
        let around = std::iter::successors(Some(facts.package()), move |package| {
            package.rsplit_once(separator).map(|(around, _)| around)
        });
        let parts = facts.definition_ids().skip(1).filter(move |&local| facts.kind(local) == DefinitionKind::Module);
        let names = around.map(symbol).chain(parts.map(move |local| facts.definition(local).qualified_name));
        names.filter_map(move |name| self.source_packages.numbers.get(&(self.families[file], name)).copied())
    }

    /// Returns the package of the repository that an import path names.
    pub(super) fn package_at(&self, file: FileId, path: ModulePath<'_>) -> Option<PackageId> {
        if self.source_packages.numbers.is_empty() {
            return None;
        }
        let name = symbol(&path.parts().join(self.specs[file]?.modules.separators.first()?));
        self.source_packages.numbers.get(&(self.families[file], name)).copied()
    }

    /// Checks whether the file of a definition declares the same package as another file.
    pub(super) fn is_in_package_of(&self, file: FileId, entity: Entity) -> bool {
        let Entity::Definition(id) = entity else { return false };
        let package = self.source_packages.of(file);
        package.is_some() && self.source_packages.of(self.file_of[id]) == package
    }

    /// Shares a top-level value of a file with the files that import it from its package.
    pub fn share_with_package(&mut self, file: FileId, name: Symbol, variable: PointerId) {
        if let Some(package) = self.source_packages.of(file) {
            self.source_packages.note_variable(package, name, variable);
        }
    }

    /// Returns the extensions of a name that an import of the name from a package refers to.
    pub fn extensions_at(
        &self,
        file: FileId,
        path: ModulePath<'_>,
        name: Symbol,
    ) -> impl Iterator<Item = DefinitionId> {
        let package = self.package_at(file, path);
        let all = self.imported_extensions.get(name).iter().copied();
        all.filter(move |&id| package.is_some() && self.source_packages.of(self.file_of[id]) == package)
    }

    /// Returns the meaning that a name in a package has for a file outside it.
    pub fn member_of_package(&self, file: FileId, package: PackageId, name: Symbol) -> Option<Entity> {
        let all = self.top.get(name);
        if !self.budget.take(all.len()) {
            return None;
        }
        let public = all.iter().copied().filter(|&id| !self.definition(id).is_private);
        let found = self.nearest_in_package(file, package, public).map(Entity::Definition);
        found.or_else(|| self.source_packages.variable(package, name).map(Entity::Variable))
    }

    /// Returns the definition in a package that is nearest to a file.
    pub(super) fn nearest_in_package(
        &self,
        file: FileId,
        package: PackageId,
        all: impl Iterator<Item = DefinitionId>,
    ) -> Option<DefinitionId> {
        let inside = all.filter(|&id| self.source_packages.of(self.file_of[id]) == Some(package));
        inside.max_by_key(|&id| {
            let place = ImportTarget::File(self.file_of[id]);
            (self.with_resolver(file, |resolver| Some(resolver.nearness(file, place))), Reverse(id))
        })
    }
}

/// Returns the directory around a directory for sources, which one of the patterns describes:
/// `app` for `app/src/main/java` and `src/*/*`.
pub(crate) fn source_root<'p>(directory: &'p str, patterns: &[String]) -> Option<&'p str> {
    let root = |pattern: &String| {
        let matches = |rest: &'p str, part: &str| {
            let (around, last) = rest.rsplit_once('/').unwrap_or(("", rest));
            (!last.is_empty() && (part == "*" || part == last)).then_some(around)
        };
        pattern.rsplit('/').try_fold(directory, matches)
    };
    patterns.iter().find_map(root)
}
