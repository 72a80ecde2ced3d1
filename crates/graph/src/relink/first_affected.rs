//! Finds the files whose look-ups an edit may affect.

use super::changes::mentions;
use super::edit::{ChangedFile, directory};
use super::group::Group;
use super::mailbox::Mailbox;
use super::path_changes::PathChanges;
use crate::file_facts::FileFacts;
use crate::overridden::MAX_NAMESAKES;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use whichfn_syntax::ids::{FileId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, LangId, Scopes};
use whichfn_syntax::parse::{Symbol, symbol};

impl Group<'_, '_> {
    /// Returns the edited and added files, and the files whose look-ups may now have another
    /// result. Returns `None` if they cannot be determined.
    pub(super) fn first_affected(&self) -> Option<BTreeSet<FileId>> {
        if self.changed().any(|file| file.changes.everything) {
            tracing::debug!("the edit may affect everything");
            return None;
        }
        let paths = PathChanges::new(self.edit, self.language, self.files)?;
        let names = self.changed_names(&paths);
        let guessed = GuessedCalls::new(self);
        let mut affected: BTreeSet<FileId> = self.changed().filter_map(|file| file.new).collect();
        for (&file, mailbox) in self.files.iter().zip(&self.mail) {
            let facts = self.edit.facts(file);
            let is_mentioned = facts.mentions(&names);
            if is_mentioned && self.has_changed_bases(file, facts, &names) {
                tracing::debug!("bases or owners may have changed");
                return None;
            }
            if is_mentioned
                || !paths.names.is_empty() && facts.imports().any(|import| paths.affect(&import))
                || guessed.may_differ(self, file)
                || mailbox.symbols.iter().any(|symbol| names.contains(symbol))
                || self.is_affected(mailbox)?
            {
                affected.insert(file);
            }
        }
        Some(affected)
    }

    pub(super) fn changed(&self) -> impl Iterator<Item = &ChangedFile<'_>> {
        self.edit.changed.iter().filter(|file| file.group == Some(self.language))
    }

    /// Returns all names whose meaning may have changed, including the aliases under which files
    /// import them.
    fn changed_names(&self, paths: &PathChanges) -> FxHashSet<Symbol> {
        let mut changed = paths.names.clone();
        changed.extend(self.changed().flat_map(|file| &file.changes.names));
        loop {
            let previous = changed.len();
            for (file, facts) in self.files.iter().map(|&file| (file, self.edit.facts(file))) {
                if paths.names.is_empty() && !facts.mentions(&changed) {
                    continue;
                }
                // Calls select extension functions by what the types of their first parameters are.
                let extensions = facts.definition_ids().filter(|&id| facts.is_extension(id)).filter(|&id| {
                    let declared = facts.signature(id).next().and_then(|first| first.declared);
                    declared.is_some_and(|value| mentions(facts, value, &changed, 0))
                });
                let extensions: Vec<Symbol> = extensions.map(|id| facts.definition(id).name).collect();
                changed.extend(extensions);
                let typedefs = facts.typedefs().filter(|&(_, of_type)| mentions(facts, of_type, &changed, 0));
                let typedefs: Vec<Symbol> = typedefs.map(|(alias, _)| facts.definition(alias).name).collect();
                changed.extend(typedefs);
                if self.scopes(file).is_some_and(|scopes| !scopes.field_getter.is_empty()) {
                    let fields = facts.created_fields().filter(|&(_, callee)| mentions(facts, callee, &changed, 0));
                    let fields: Vec<Symbol> = fields.map(|(field, _)| facts.variable_name(field)).collect();
                    changed.extend(fields);
                }
                for import in facts.imports() {
                    let is_changed = |name| changed.contains(&name);
                    if let Some(variable) = import.variable
                        && (import.name.is_some_and(is_changed)
                            || import.path.parts().into_iter().map(symbol).any(is_changed)
                            || paths.affect(&import))
                    {
                        changed.insert(facts.variable_name(variable));
                    }
                }
            }
            if changed.len() == previous {
                return changed;
            }
        }
    }

    fn scopes(&self, file: FileId) -> Option<&Scopes> {
        Some(&self.edit.registry.spec(self.source(file).language?)?.scopes)
    }

    /// Checks whether a type of the file that existed before may now have other bases or another
    /// owner, or stand for another type, or whether the file may now export another type.
    fn has_changed_bases(&self, file: FileId, facts: &FileFacts<'_>, changed: &FxHashSet<Symbol>) -> bool {
        let renumbering = &self.edit.renumbering;
        let follows_aliases = self.scopes(file).is_some_and(|scopes| scopes.traits);
        let exported = facts.exported_value().filter(|_| !renumbering.is_new(file, LocalId::FILE));
        if exported.is_some_and(|value| mentions(facts, value, changed, 0)) {
            return true;
        }
        facts.definition_ids().filter(|&id| !renumbering.is_new(file, id)).any(|id| {
            let definition = facts.definition(id);
            let alias = definition.returns.filter(|_| follows_aliases && definition.kind == DefinitionKind::Type);
            let mut values = definition.bases.iter().chain(&definition.owner).chain(&alias);
            values.any(|&value| mentions(facts, value, changed, 0))
        })
    }

    /// Checks whether a file received a message that mentions a removed file, or one about a
    /// changed definition.
    fn is_affected(&self, mailbox: &Mailbox<'_>) -> Option<bool> {
        if mailbox.files.iter().any(|&file| self.edit.renumbering.file(file).is_none()) {
            return Some(true);
        }
        let is_changed = |file: &FileId| self.changed_definitions.contains_key(file);
        if !mailbox.files.iter().any(is_changed) {
            return Some(false);
        }
        let is_changed = |file: FileId, id: LocalId| {
            self.changed_definitions.get(&file).is_some_and(|definitions| definitions.contains(&id))
        };
        Some(mailbox.messages()?.iter().any(|stored| stored.message.is_about(&is_changed)))
    }
}

/// Names of methods that were added or removed, for calls on objects of unknown type. Such a call
/// is linked by name to methods of its file, else of its directory, else of the repository, unless
/// there are too many of them.
#[derive(Default)]
struct GuessedCalls<'g> {
    /// Names with few methods in the repository, before or after the edit.
    few: FxHashSet<Symbol>,
    /// Names with many methods, for which the edit matters only in the directory of a changed file.
    many: FxHashSet<Symbol>,
    directories: FxHashSet<&'g str>,
}

impl<'g> GuessedCalls<'g> {
    fn new(group: &'g Group<'_, '_>) -> Self {
        let mut guessed = Self::default();
        let mut changed: BTreeMap<Option<LangId>, FxHashSet<Symbol>> = BTreeMap::new();
        for file in group.changed().filter(|file| !file.changes.methods.is_empty()) {
            changed.entry(file.source.language).or_default().extend(&file.changes.methods);
            guessed.directories.insert(file.directory());
        }
        for (language, methods) in changed {
            let mut counts: FxHashMap<Symbol, usize> = FxHashMap::default();
            let is_unchanged = |file: FileId| !group.changed().any(|changed| changed.new == Some(file));
            for &file in group.files.iter().filter(|&&file| group.source(file).language == language) {
                let facts = group.edit.facts(file);
                if facts.mentions(&methods) && is_unchanged(file) {
                    facts.program_methods().for_each(|name| *counts.entry(name).or_default() += 1);
                }
            }
            // A guess leaves out the calling function itself, and the methods of tests.
            let is_many = |name: &Symbol| counts.get(name).is_some_and(|&count| count > MAX_NAMESAKES + 1);
            let (many, few): (Vec<Symbol>, Vec<Symbol>) = methods.into_iter().partition(is_many);
            guessed.many.extend(many);
            guessed.few.extend(few);
        }
        guessed
    }

    /// Checks whether a call in a file may now be linked by name to another method.
    fn may_differ(&self, group: &Group<'_, '_>, file: FileId) -> bool {
        let facts = group.edit.facts(file);
        let is_near = || self.directories.contains(directory(group.source(file).path));
        facts.mentions(&self.few) || !self.many.is_empty() && is_near() && facts.mentions(&self.many)
    }
}
