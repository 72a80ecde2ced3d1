//! Decides which code may use a definition.
//!
//! - **Invariant:** a private definition is used only in its file, in other parts of the type around
//!   it, and in subtypes, which may mix it in. An extension that is a member of a type is used only
//!   in that type and its subtypes, and in files that import its name or all members of the type. In
//!   languages where extensions are imported, any other extension is used only in its package, and in
//!   files that import its name or all names of its package. In languages where only the file itself
//!   sees what it imports, an extension is used only in files that import its file, its package or the
//!   type around it, and in that type and its subtypes.
//! - **Differs from the languages' rules:** all other definitions are usable everywhere.

use super::Names;
use crate::modules::ImportTarget;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Symbol;

impl Names<'_> {
    /// Checks whether only some code may use a definition.
    pub fn is_restricted(&self, id: DefinitionId) -> bool {
        let (file, local) = self.local(id);
        let is_private = self.facts[file].definition(local).is_private;
        is_private
            || self.is_member_extension(file, local)
            || self.is_imported_extension(file, local)
            || self.is_seen_by_import(file, local)
    }

    /// Checks whether code in a scope of a file may use a definition.
    pub fn may_use(&self, file: FileId, scope: LocalId, id: DefinitionId) -> bool {
        let (own, local) = self.local(id);
        let definition = self.facts[own].definition(local);
        let around = definition.parent;
        let is_inside = |of| self.facts[own].kind(of).is_type() && self.inherits((file, scope), (own, of));
        if self.is_member_extension(own, local) {
            let is_imported = || self.facts[file].imports().any(|import| import.name == Some(definition.name));
            // A type sees the members of its companion object.
            let outer = self.facts[own].definition(around).parent;
            let of_type = self.owner[self.offsets[own].definition(around)];
            return is_inside(around) || is_inside(outer) || is_imported() || self.imports_members_of(file, of_type);
        }
        if self.is_imported_extension(own, local) && !self.sees_extension(file, own, definition.name) {
            return false;
        }
        if own != file && self.is_seen_by_import(own, local) && !self.imports_extension(file, scope, id) {
            return false;
        }
        own == file || !definition.is_private || is_inside(around)
    }

    /// Checks whether a file has to import extensions.
    pub fn requires_extension_imports(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.imported_extensions)
    }

    /// Checks whether a function extends a type, and files outside its package have to import it.
    /// The files of a repository that declare no package may be parts of one program.
    pub(super) fn is_imported_extension(&self, file: FileId, local: LocalId) -> bool {
        let definition = self.facts[file].definition(local);
        definition.owner.is_some()
            && definition.parent == LocalId::FILE
            && definition.kind.is_function()
            && self.declared_package(file).is_some()
            && self.requires_extension_imports(file)
    }

    /// Checks whether a file is in the package of another file, or imports a name from it.
    fn sees_extension(&self, file: FileId, from: FileId, name: Symbol) -> bool {
        self.declared_package(file) == self.declared_package(from)
            || self.declared_package(from).is_some_and(|package| self.source_packages.imports(file, package, name))
    }

    /// Checks whether only the file itself sees what it imports.
    pub(super) fn has_own_imports(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.own_imports)
    }

    /// Checks whether a function is an extension in a language in which only the file itself sees
    /// what it imports.
    fn is_seen_by_import(&self, file: FileId, local: LocalId) -> bool {
        let facts = self.facts[file];
        let definition = facts.definition(local);
        definition.kind.is_function()
            && (facts.is_extension(local) || facts.kind(definition.parent) == DefinitionKind::Extension)
            && self.has_own_imports(file)
    }

    /// Checks whether a file imports the file, the package or the type of an extension, or whether the
    /// scope is in that type or a subtype.
    fn imports_extension(&self, file: FileId, scope: LocalId, id: DefinitionId) -> bool {
        let (own, local) = self.local(id);
        if self.is_included(own) {
            let order = self.stars.order(file, &self.budget);
            return order.is_none_or(|order| order.visit(ImportTarget::File(own)).is_some());
        }
        let name = self.definition(id).name;
        let package = self.declared_package(own);
        if package.is_none_or(|package| self.source_packages.imports(file, package, name)) {
            return true;
        }
        let facts = self.facts[own];
        let mut around = facts.definition(local).parent;
        let extension = self.owner[self.offsets[own].definition(around)];
        if facts.kind(around) == DefinitionKind::Extension {
            around = facts.definition(around).parent;
        }
        let container = self.owner[self.offsets[own].definition(around)];
        match facts.kind(around) {
            // A module with a body may be a part of any package.
            DefinitionKind::Module => around != LocalId::FILE,
            // An object sees the extensions in its type.
            _ => {
                extension == container && facts.kind(facts.definition(local).parent) == DefinitionKind::Extension
                    || self.imports_members_of(file, container)
                    || self.inherits((file, scope), (own, around))
            }
        }
    }

    /// Checks whether a member of a type extends another type.
    fn is_member_extension(&self, file: FileId, local: LocalId) -> bool {
        let definition = self.facts[file].definition(local);
        definition.owner.is_some()
            && definition.kind.is_function()
            && self.facts[file].kind(definition.parent).is_type()
            && self.scopes(file).is_some_and(|scopes| scopes.extends_libraries)
    }
}
