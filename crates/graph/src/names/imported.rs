//! What imported names refer to: the import's file or directory, and the names in it.

use super::caches::cached;
use super::meaning::MAX_DEPTH;
use super::{Entity, Names};
use crate::file_facts::{FileImport, ModulePath};
use crate::modules::{ImportTarget, ModuleResolver};
use whichfn_syntax::ids::{FileId, LocalId, PointerId};
use whichfn_syntax::lang::Visibility;
use whichfn_syntax::parse::{Symbol, symbol};

impl<'a> Names<'a> {
    /// Returns the entity that an imported variable names; `None` if no import fills it.
    pub fn import(&self, variable: PointerId, depth: u32) -> Option<Entity> {
        let (file, number) = self.imported.get(&variable).copied()?;
        if depth > MAX_DEPTH {
            return None;
        }
        let import = self.facts[file].import(number as usize);
        if import.name.is_none() {
            let target = self.import_target(file, import.path, import.level);
            return Some(target.map_or(Entity::Foreign, |target| self.entity(target)));
        }
        let found = self.imported_member(file, import, variable, depth);
        // A module of the repository may get a name from a macro.
        let is_own = || {
            let first = import.path.first();
            first.is_some_and(|first| self.module_words.contains(&symbol(first)))
                || self.import_target(file, import.path, import.level).is_some()
                || self.package_at(file, import.path).is_some()
                || self.type_at(file, &import.path.parts()).is_some()
        };
        found.or_else(|| (!is_own()).then_some(Entity::Foreign))
    }

    /// Checks whether an import fills the variable with a name that its module, which is in the
    /// repository, lacks.
    pub fn lacks_import(&self, variable: PointerId) -> bool {
        let Some((file, number)) = self.imported.get(&variable).copied() else { return false };
        let import = self.facts[file].import(number as usize);
        let target = self.import_target(file, import.path, import.level);
        import.name.is_some()
            && target.is_some_and(|target| !self.has_outside_star(target))
            && self.imported_member(file, import, variable, 0).is_none()
    }

    /// Checks whether a module has all names of something outside the repository
    /// (`export * from "library"`).
    pub fn has_outside_star(&self, module: ImportTarget) -> bool {
        let ImportTarget::File(file) = module else { return false };
        self.facts[file].imports().any(|one| self.is_outside_star(file, one))
    }

    /// Checks whether an import takes all names of something outside the repository.
    pub fn is_outside_star(&self, file: FileId, import: FileImport<'_>) -> bool {
        let FileImport { path, level, .. } = import;
        import.name.is_none()
            && import.variable.is_none()
            && self.import_target(file, path, level).is_none()
            && self.package_at(file, path).is_none()
            && self.type_at(file, &path.parts()).is_none()
    }

    /// Returns the entity that an import of a name leads to, if it is in the repository.
    fn imported_member(&self, file: FileId, import: FileImport<'_>, variable: PointerId, depth: u32) -> Option<Entity> {
        let FileImport { path, full_path, level, name, .. } = import;
        let wanted = name?;
        let target = self.import_target(file, path, level);
        // `use App\Session` names the class in `Session.php`, even if `App` is a file as well.
        let names_file = self.specs[file].is_some_and(|spec| spec.modules.suffix);
        let in_file = |entity| match entity {
            Entity::Definition(id) if names_file && self.is_file(id) => self.member_except(entity, wanted, variable),
            _ => None,
        };
        let member = target.and_then(|target| self.member_except(self.entity(target), wanted, variable));
        let member = member.and_then(|member| in_file(member).or(Some(member)));
        // Other folders may contain files of the same package.
        let is_module = |entity: &Entity| match *entity {
            Entity::Definition(id) => self.is_file(id),
            entity => matches!(entity, Entity::Directory(_)),
        };
        let packaged = || self.member_of_package(file, self.package_at(file, path)?, wanted);
        let member = member.filter(|entity| !is_module(entity)).or_else(packaged).or(member);
        let full_path = || {
            let entity = self.entity(self.import_target(file, full_path, level)?);
            // `use App\Session` names the class in `Session.php`, not the file.
            self.member_except(entity, wanted, variable).or(Some(entity))
        };
        let visible = || match self.scopes(file)?.visibility {
            Visibility::Repository => self.visible(file, wanted),
            _ => None,
        };
        let of_type = || self.member_of_type_at(file, &path.parts(), wanted);
        let named = || self.import_through_names(file, &import, variable, depth);
        let qualified = || self.qualified_name(file, &import, depth);
        let found = member.or_else(of_type).or_else(qualified).or_else(full_path).or_else(named).or_else(visible);
        found.filter(|&entity| self.may_be_at(file, entity, path))
    }

    /// Checks whether an import's path may lead to a name, in a language whose files see each other
    /// without imports: the file of the name declares no package, or one that the path names.
    fn may_be_at(&self, file: FileId, entity: Entity, path: ModulePath<'_>) -> bool {
        let other = match entity {
            Entity::Definition(id) => self.file_of[id],
            Entity::Variable(variable) => self.file_of_pointer(variable),
            Entity::Directory(_) | Entity::Foreign => return true,
        };
        let (declared, spec) = (self.facts[other].package(), self.specs[file]);
        let Some(spec) = spec.filter(|spec| spec.scopes.visibility == Visibility::Repository) else { return true };
        // A path may leave out the packages around the importing one, and continue with a type.
        let (declared, path) = (spec.modules.split(declared), path.parts());
        declared.is_empty() || path.starts_with(&declared) || declared.ends_with(&path)
    }

    /// Returns what an import refers to by its qualified name (`namespace io = app::io`), in a
    /// language that includes files as text: the path as a whole, if one namespace has it as its
    /// name, else part by part.
    pub(super) fn qualified_name(&self, file: FileId, import: &FileImport<'_>, depth: u32) -> Option<Entity> {
        let spec = self.specs[file].filter(|spec| spec.modules.include)?;
        let path = import.path.parts().join(&spec.head.qualifier);
        let mut parts = path.split(&spec.head.qualifier[..]);
        let front = self.visible(file, symbol(parts.next()?));
        let by_parts =
            |front| parts.try_fold(front, |entity, part| self.settled_member(entity, symbol(part), depth + 1));
        front.and_then(by_parts).or_else(|| self.visible(file, symbol(&path)))
    }

    fn settled_member(&self, entity: Entity, name: Symbol, depth: u32) -> Option<Entity> {
        match self.member(entity, name)? {
            Entity::Variable(next) => self.settle(next, depth),
            other => Some(other),
        }
    }

    /// Resolves an import part by part, for a path through names that are no files: modules inside
    /// a file, re-exported modules, and types (`use Shape::Circle`).
    fn import_through_names(
        &self,
        file: FileId,
        import: &FileImport<'_>,
        variable: PointerId,
        depth: u32,
    ) -> Option<Entity> {
        let scope = self.facts[file].variable_scope(import.variable?);
        let last = self.through_names(file, scope, &import.path.parts(), Some(variable), depth)?;
        self.member_except(last, import.name?, variable)
    }

    /// Resolves a path part by part, from a name that the file sees at its top level. `asking` is the
    /// variable that the path fills.
    pub(super) fn through_names(
        &self,
        file: FileId,
        scope: LocalId,
        parts: &[&str],
        asking: Option<PointerId>,
        depth: u32,
    ) -> Option<Entity> {
        if !self.specs[file]?.modules.path_ends_in_name {
            return None;
        }
        let (first, rest) = parts.split_first()?;
        let first = symbol(first);
        let seen = || {
            let found = self.own_member(file, first).or_else(|| self.star(file, first));
            let in_package = || match self.scopes(file)?.visibility {
                Visibility::Package => self.visible(file, first),
                _ => None,
            };
            match found.or_else(in_package)? {
                Entity::Variable(own) if Some(own) == asking => None,
                Entity::Variable(own) => self.settle(own, depth + 1),
                other => Some(other),
            }
        };
        let front = self.module_word(file, scope, first).or_else(seen)?;
        rest.iter().try_fold(front, |entity, part| match self.member(entity, symbol(part))? {
            Entity::Variable(next) => self.settle(next, depth + 1),
            other => Some(other),
        })
    }

    /// Returns the file or directory that an import path leads to.
    pub fn import_target(&self, file: FileId, path: ModulePath<'_>, level: u8) -> Option<ImportTarget> {
        let spec = self.specs[file]?;
        let own = |list: &[String]| path.first().is_some_and(|first| list.iter().any(|name| name == first));
        let parts = path.parts();
        let resolve = || {
            let own = self.with_resolver(file, |resolver| resolver.resolve(file, &parts, level));
            let found = own.or_else(|| self.with_imported(file, |resolver| resolver.resolve(file, &parts, level)));
            found.filter(|target| {
                // Any folder may have the name of a library's package.
                let is_folder = matches!(target, ImportTarget::Directory(_));
                !is_folder || !spec.scopes.own_imports || self.package_at(file, path).is_some()
            })
        };
        if path.is_empty() || own(&spec.modules.current) || own(&spec.modules.parent) {
            return resolve();
        }
        // A path has the same meaning in all files of a directory, and most of them import the same
        // few paths.
        let key = (self.paths.directory_of(file), level, self.families[file], path.symbol);
        cached(Some(&self.resolved), key, resolve)
    }

    /// Like [`Names::with_resolver`], for files in the other families that a file can import.
    fn with_imported<T>(&self, file: FileId, ask: impl FnOnce(ModuleResolver<'_>) -> Option<T>) -> Option<T> {
        let families = &self.specs[file]?.head.imported_families;
        let numbers: Vec<u32> =
            families.iter().filter_map(|name| self.family_numbers.get(&name[..]).copied()).collect();
        if numbers.is_empty() {
            None
        } else {
            self.with_files(file, &|other| numbers.contains(&self.families[other]), ask)
        }
    }
}
