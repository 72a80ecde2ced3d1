//! Imports of the members of a type: `using static App.Time.Clock`, `import app.Registry.put`,
//! `use Shape::*`.
//!
//! - **Invariant:** the whole name of a top-level type is the package that its file declares, then
//!   its qualified name. The name of a nested type follows that of the type around it.
//! - **Cost:** one entry for each top-level type of a language whose imports name types by their
//!   whole names; one look-up for each way to split the path of an import into a package and a type.

use super::{Entity, MAX_PACKAGES, Names};
use crate::modules::ImportTarget;
use crate::values_by_symbol::ValuesBySymbol;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId, PointerId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Symbol, symbol};

/// Types by their whole names, and the types whose members files import.
#[derive(Default)]
pub(super) struct StaticImports {
    types: ValuesBySymbol<DefinitionId>,
    of_file: FxHashMap<FileId, Vec<DefinitionId>>,
    /// The types whose extensions a file imports: those whose members it imports, and their bases.
    opened: FxHashSet<(FileId, DefinitionId)>,
}

/// Returns the key of a type with a qualified name in a package.
fn key(package: &str, qualified_name: Symbol) -> Symbol {
    symbol(package).rotate_left(1) ^ qualified_name
}

impl Names<'_> {
    /// Finds the types whose members imports without a name refer to.
    pub(super) fn find_static_imports(&mut self) {
        let mut types = Vec::new();
        for file in self.files().filter(|&file| self.scopes(file).is_some_and(|scopes| scopes.types_apart)) {
            let facts = self.facts[file];
            for local in facts.definition_ids().filter(|&local| facts.kind(local).is_type()) {
                let definition = facts.definition(local);
                if facts.kind(definition.parent).is_type() {
                    continue;
                }
                let id = self.offsets[file].definition(local);
                types.push((key(facts.package(), definition.qualified_name), id));
                // The name of a namespace with a body is part of the qualified name.
                if definition.parent != LocalId::FILE && !facts.package().is_empty() {
                    types.push((key("", definition.qualified_name), id));
                }
            }
        }
        self.static_imports.types = ValuesBySymbol::new(types);
        let is_open = |kind: DefinitionKind| kind.is_type() || kind == DefinitionKind::Module;
        let mut found: FxHashMap<FileId, Vec<DefinitionId>> = FxHashMap::default();
        for file in self.files() {
            let all = self.facts[file].imports().filter(|import| import.variable.is_none() && import.name.is_none());
            let types = all.filter_map(|import| {
                let parts = import.path.parts();
                let through_names = || match self.through_names(file, LocalId::FILE, &parts, None, 0)? {
                    Entity::Definition(id) if is_open(self.kind(id)) && !self.is_file(id) => Some(id),
                    _ => None,
                };
                self.type_at(file, &parts).or_else(through_names)
            });
            let types: Vec<DefinitionId> = types.collect();
            if !types.is_empty() {
                found.insert(file, types);
            }
        }
        self.static_imports.of_file = found;
    }

    /// Finds the types whose extensions each file imports. A name that a file imports may be that of
    /// the type around an extension.
    pub(super) fn find_opened_types(&mut self) {
        let mut opened = FxHashSet::default();
        for file in self.files() {
            let has_own_imports = self.has_own_imports(file);
            let named = self.facts[file].imports().filter(|import| import.name.is_some() && has_own_imports);
            let named = named.filter_map(|import| self.type_at(file, &import.path.parts()));
            let all = self.static_imports.of_file.get(&file).into_iter().flatten().copied();
            for id in all.chain(named) {
                opened.extend(self.mro(&self.owner[id]).iter().map(|&base| (file, base)));
            }
        }
        self.static_imports.opened = opened;
    }

    /// Returns the type with a whole name.
    pub(super) fn type_at(&self, file: FileId, parts: &[&str]) -> Option<DefinitionId> {
        let inside = |end: usize| {
            let first = self.top_type_at(file, &parts[..end])?;
            parts[end..].iter().try_fold(first, |around, part| self.type_in(around, symbol(part)))
        };
        (1..=parts.len()).rev().find_map(inside)
    }

    /// Returns the top-level type with a whole name: of several, the one nearest to the file.
    fn top_type_at(&self, file: FileId, parts: &[&str]) -> Option<DefinitionId> {
        let qualifier = &self.specs[file]?.head.qualifier;
        let named = |start: usize| {
            let (package, name) = parts.split_at(start);
            let found = self.static_imports.types.get(key(&package.join(qualifier), symbol(&name.join(qualifier))));
            let found = found.iter().copied().filter(|&id| self.families[self.file_of[id]] == self.families[file]);
            found.take(MAX_PACKAGES).max_by_key(|&id| {
                let place = ImportTarget::File(self.file_of[id]);
                (self.with_resolver(file, |resolver| Some(resolver.nearness(file, place))), Reverse(id))
            })
        };
        (0..parts.len()).rev().find_map(named)
    }

    /// Returns a type inside a type. An object that belongs to a type counts as the type itself.
    fn type_in(&self, around: DefinitionId, name: Symbol) -> Option<DefinitionId> {
        let around = self.owner[around];
        let member = self.members.get(&(around, name)).and_then(|&member| self.bound(member));
        let is_same = || {
            let scopes = self.scopes(self.file_of[around]);
            scopes.is_some_and(|scopes| scopes.instantiators.iter().any(|own| symbol(own) == name))
        };
        member.filter(|&id| self.kind(id).is_type()).or_else(|| is_same().then_some(around))
    }

    /// Returns a member of a type whose members a file imports.
    pub(super) fn statically_imported(&self, file: FileId, name: Symbol) -> Option<PointerId> {
        let types = self.static_imports.of_file.get(&file)?.iter();
        types.take_while(|_| self.budget.take(1)).find_map(|&id| self.member_of_type(self.owner[id], name))
    }

    /// Checks whether a file imports members of a type, which a subtype may have.
    pub(super) fn imports_members_of(&self, file: FileId, of_type: DefinitionId) -> bool {
        self.static_imports.opened.contains(&(file, of_type))
    }

    /// Returns a member of the type with a whole name.
    pub(super) fn member_of_type_at(&self, file: FileId, parts: &[&str], name: Symbol) -> Option<Entity> {
        self.member(Entity::Definition(self.type_at(file, parts)?), name)
    }
}
