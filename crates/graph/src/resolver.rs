//! Resolves single names in one state of a repository, without linking calls. A check of a change
//! compares the results in the states before and after the change.
//!
//! **Cost:** building the name tables of all files in a group of languages; a look-up is as fast as
//! during linking.

use super::file_facts::FileFacts;
use super::link::groups;
use super::modules::{ImportTarget, Paths};
use super::names::{Entity, Names, Source};
use whichfn_syntax::ids::{DirectoryId, FileId, LocalId, PointerId, VariableId};
use whichfn_syntax::lang::{LangId, Registry};
use whichfn_syntax::parse::Symbol;

/// Maximum length of a chain of imports and aliases.
const MAX_DEPTH: u32 = 12;

/// The entity that a name refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NameTarget {
    /// A definition. A file is represented by its first definition.
    Definition(FileId, LocalId),
    /// A variable, such as a constant, that no definition in the repository is bound to.
    Variable(FileId, VariableId),
    /// A directory.
    Directory(DirectoryId),
    /// A member that exists only because code assigns it.
    Attribute,
    /// A name that the imported module, which is in the repository, does not have.
    Missing,
    /// Something outside the repository.
    Outside,
}

impl NameTarget {
    /// Returns the file that contains the target, if it is a definition or a variable.
    pub fn file(self) -> Option<FileId> {
        match self {
            Self::Definition(file, _) | Self::Variable(file, _) => Some(file),
            _ => None,
        }
    }
}

/// Returns the files that are linked together with files in the given language.
pub fn linked_together(sources: &[Source<'_>], language: LangId, registry: &Registry) -> Vec<FileId> {
    groups(sources, registry).remove(&registry.linked_together().of(language)).unwrap_or_default()
}

/// The names of one group of languages in one state of a repository.
pub struct NameResolver<'a>(Names<'a>);

impl<'a> NameResolver<'a> {
    /// Builds the tables. `files` is the result of [`linked_together`] for the same sources.
    pub fn new(sources: &'a [Source<'a>], files: &'a [FileId], paths: &'a Paths, registry: &'a Registry) -> Self {
        Self(Names::new(sources, files, paths, registry))
    }

    /// Returns the entity that a name refers to when it is used in a scope.
    pub fn name(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<NameTarget> {
        match self.variable(file, scope, name) {
            Some(variable) => Some(self.follow(variable, 0)),
            None => self.0.free(file, scope, name).map(|entity| self.target(entity, 0)),
        }
    }

    /// Returns the variable of a name that the file binds in a scope or around it. Names that a
    /// type binds are visible only in the type's own scope.
    fn variable(&self, file: FileId, scope: LocalId, name: Symbol) -> Option<PointerId> {
        let facts = self.0.facts(file);
        let bound: Vec<(VariableId, LocalId)> = facts
            .variables()
            .filter(|(_, _, bound)| *bound == name)
            .map(|(variable, scope, _)| (variable, scope))
            .collect();
        let scopes = scopes_around(facts, scope).enumerate();
        let mut visible = scopes.filter(|(at, scope)| *at == 0 || !facts.kind(*scope).is_type());
        let (variable, _) = visible.find_map(|(_, scope)| bound.iter().rev().find(|(_, bound)| *bound == scope))?;
        Some(self.0.offsets(file).variable(*variable))
    }

    /// Returns the number of a file's imports.
    pub fn import_count(&self, file: FileId) -> usize {
        self.0.facts(file).imports().count()
    }

    /// Checks whether a file imports a name.
    pub fn imports(&self, file: FileId, name: Symbol) -> bool {
        self.0.facts(file).imports().any(|import| import.name == Some(name))
    }

    /// Returns the target of the file's import with the given number, or the module that it imports
    /// all names of.
    pub fn import(&self, file: FileId, number: usize) -> Option<NameTarget> {
        let import = self.0.facts(file).import(number);
        match import.variable {
            Some(variable) => {
                let mut extensions =
                    import.name.into_iter().flat_map(|name| self.0.extensions_at(file, import.path, name));
                match self.follow(self.0.offsets(file).variable(variable), 0) {
                    NameTarget::Variable(..) | NameTarget::Missing if let Some(id) = extensions.next() => {
                        Some(self.target(Entity::Definition(id), 0))
                    }
                    found => Some(found),
                }
            }
            None => match self.0.import_target(file, import.path, import.level)? {
                ImportTarget::File(file) => Some(NameTarget::Definition(file, LocalId::FILE)),
                ImportTarget::Directory(directory) => Some(NameTarget::Directory(directory)),
                ImportTarget::Package(_) => None,
            },
        }
    }

    /// Returns the file that an import's path leads to, without the imported name.
    pub fn module(&self, file: FileId, number: usize) -> Option<FileId> {
        let import = self.0.facts(file).import(number);
        match self.0.import_target(file, import.path, import.level)? {
            ImportTarget::File(file) => Some(file),
            ImportTarget::Directory(_) | ImportTarget::Package(_) => None,
        }
    }

    /// Checks whether the file's import with the given number takes all names of something outside
    /// the repository.
    pub fn is_outside_star(&self, file: FileId, number: usize) -> bool {
        // A file of a language that is not linked has no imports here.
        let import = self.0.facts(file).imports().nth(number);
        import.is_some_and(|import| self.0.is_outside_star(file, import))
    }

    /// Checks whether a file takes all names of something outside the repository.
    pub fn has_outside_star(&self, file: FileId) -> bool {
        self.0.has_outside_star(ImportTarget::File(file))
    }

    /// Checks whether a file takes a name of the repository from a module, all of whose names it takes.
    pub fn passes_on(&self, file: FileId, name: Symbol) -> bool {
        let stars = self.0.facts(file).imports().filter(|one| one.name.is_none() && one.variable.is_none());
        let mut targets = stars.filter_map(|one| self.0.import_target(file, one.path, one.level));
        targets.any(|target| self.0.member(self.0.entity(target), name).is_some())
    }

    /// Returns a member of a file, a directory or a type.
    pub fn member(&self, of: NameTarget, name: Symbol) -> Option<NameTarget> {
        let entity = match of {
            NameTarget::Definition(file, local) => Entity::Definition(self.0.offsets(file).definition(local)),
            NameTarget::Directory(directory) => Entity::Directory(directory),
            NameTarget::Outside => return Some(of),
            _ => return None,
        };
        self.0.member(entity, name).map(|entity| self.target(entity, 0))
    }

    /// Returns the type around a definition.
    pub fn type_around(&self, file: FileId, scope: LocalId) -> Option<NameTarget> {
        let id = self.0.type_around(self.0.offsets(file).definition(scope))?;
        Some(self.target(Entity::Definition(id), 0))
    }

    /// Returns the bases of a type, in method resolution order.
    pub fn bases(&self, file: FileId, local: LocalId) -> Vec<(FileId, LocalId)> {
        let id = self.0.owner[self.0.offsets(file).definition(local)];
        self.0.bases(id).iter().map(|&base| self.0.local(base)).collect()
    }

    /// Checks whether a type around a scope, or one of its bases, is a given type.
    pub fn inherits(&self, scope: (FileId, LocalId), of: (FileId, LocalId)) -> bool {
        self.0.inherits(scope, of)
    }

    /// Checks whether a type, or one of its bases, has a base outside the repository.
    pub fn has_outside_base(&self, of: NameTarget) -> bool {
        let NameTarget::Definition(file, local) = of else { return true };
        self.0.has_outside_base(self.0.offsets(file).definition(local))
    }

    pub(super) fn into_names(self) -> Names<'a> {
        self.0
    }

    /// Returns the entity at the end of a chain of imports.
    fn follow(&self, variable: PointerId, depth: u32) -> NameTarget {
        if let Some(bound) = self.0.bound(variable) {
            return self.target(Entity::Definition(bound), depth);
        }
        match self.0.import(variable, depth + 1) {
            None if self.0.lacks_import(variable) => NameTarget::Missing,
            None if self.0.undeclared.get(variable).is_some() => NameTarget::Attribute,
            None => {
                let file = self.0.file_of_pointer(variable);
                NameTarget::Variable(file, VariableId(variable.0 - self.0.offsets(file).first().0))
            }
            Some(Entity::Variable(next)) if next == variable => NameTarget::Outside,
            Some(other) => self.target(other, depth + 1),
        }
    }

    fn target(&self, entity: Entity, depth: u32) -> NameTarget {
        match entity {
            Entity::Definition(id) => {
                let (file, local) = self.0.local(id);
                NameTarget::Definition(file, local)
            }
            Entity::Variable(variable) if depth < MAX_DEPTH => self.follow(variable, depth),
            Entity::Directory(directory) => NameTarget::Directory(directory),
            Entity::Variable(_) | Entity::Foreign => NameTarget::Outside,
        }
    }
}

/// Returns a scope and all scopes around it, from the inside out.
fn scopes_around<'f>(facts: &'f FileFacts<'_>, scope: LocalId) -> impl Iterator<Item = LocalId> + 'f {
    let parent = |&scope: &LocalId| Some(facts.definition(scope).parent).filter(|&parent| parent != scope);
    std::iter::successors(Some(scope), parent)
}
