//! The difference between two sets of files.

use super::alignment::Alignment;
use super::changes::Changes;
use super::renumbering::Renumbering;
use crate::file_facts::FileFacts;
use crate::link::groups;
use crate::modules::Paths;
use crate::names::Source;
use std::collections::BTreeMap;
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::{LangId, LanguageGroups, Registry};

/// An edit of any number of files.
pub(super) struct Edit<'e> {
    pub registry: &'e Registry,
    pub old: &'e [Source<'e>],
    pub new: &'e [Source<'e>],
    /// See [`Registry::linked_together`].
    together: LanguageGroups,
    /// Files that are linked, by group of languages.
    pub groups: BTreeMap<LangId, Vec<FileId>>,
    pub paths: Paths,
    /// The paths before the edit; `None` if no file was added or removed.
    pub old_paths: Option<Paths>,
    pub renumbering: Renumbering,
    pub changed: Vec<ChangedFile<'e>>,
}

/// A file that was edited, added or removed.
pub(super) struct ChangedFile<'e> {
    /// Its number before the edit; `None` if it was added.
    pub old: Option<FileId>,
    /// Its number after the edit; `None` if it was removed.
    pub new: Option<FileId>,
    /// The file after the edit; before it, if the file was removed.
    pub source: &'e Source<'e>,
    /// The group that it is linked in; `None` for plain text.
    pub group: Option<LangId>,
    pub changes: Changes,
}

impl<'e> ChangedFile<'e> {
    /// Checks whether the file existed before the edit and still exists.
    pub fn is_edited(&self) -> bool {
        self.old.is_some() && self.new.is_some()
    }

    /// Returns the package that it declares; empty if it declares none.
    pub fn package(&self) -> &'e str {
        self.source.facts.map_or("", |facts| facts.package())
    }

    /// Returns the path of its directory.
    pub fn directory(&self) -> &'e str {
        directory(self.source.path)
    }
}

impl<'e> Edit<'e> {
    pub fn new(
        root: &str,
        old: &'e [Source<'e>],
        new: &'e [Source<'e>],
        mut renumbering: Renumbering,
        registry: &'e Registry,
    ) -> Self {
        let paths_of = |sources: &[Source<'_>]| Paths::of_root(root, sources.iter().map(|source| source.path));
        let (paths, old_paths) = (paths_of(new), (!renumbering.keeps_files()).then(|| paths_of(old)));
        old_paths.iter().for_each(|old| renumbering.add_directories(old, &paths));
        let (together, groups) = (registry.linked_together(), groups(new, registry));
        let mut edit =
            Self { registry, old, new, together, groups, paths, old_paths, renumbering, changed: Vec::new() };
        for number in (0..old.len()).map(FileId::new) {
            let now = edit.renumbering.file(number);
            if now.is_none() || old[number.index()].facts.is_some() {
                edit.add_changed(Some(number), now);
            }
        }
        for number in (0..new.len()).map(FileId::new) {
            if edit.renumbering.previous(number).is_none() {
                edit.add_changed(None, Some(number));
            }
        }
        edit
    }

    fn add_changed(&mut self, old: Option<FileId>, new: Option<FileId>) {
        let (before, after) = (old.map(|old| &self.old[old.index()]), new.map(|new| &self.new[new.index()]));
        let Some(source) = after.or(before) else { return };
        let facts = |source: Option<&Source<'e>>| source.and_then(|one| one.facts).unwrap_or(FileFacts::NOTHING);
        let (before, after) = (facts(before), facts(after));
        let alignment = Alignment::new(&before, &after);
        let scopes = source.language.and_then(|language| self.registry.spec(language)).map(|spec| &spec.scopes);
        let mut changes = Changes::new(&before, &after, &alignment, scopes);
        if let (Some(old), Some(_)) = (old, new) {
            changes.compare_imports(&before, &after);
            self.renumbering.add_alignment(old, alignment);
        }
        self.changed.push(ChangedFile { old, new, source, group: self.group(source), changes });
    }

    /// Checks whether a file of a group changed, or the paths that its imports lead to.
    pub fn may_affect(&self, group: LangId) -> bool {
        self.old_paths.is_some() || self.changed.iter().any(|file| file.group == Some(group))
    }

    /// Returns the group of languages that a file is linked in; `None` for plain text.
    pub fn group(&self, source: &Source<'_>) -> Option<LangId> {
        source.language.map(|language| self.group_of(language))
    }

    /// Returns the group of languages that a language is linked in.
    pub fn group_of(&self, language: LangId) -> LangId {
        self.together.of(language)
    }

    /// Returns the facts of a file after the edit.
    pub fn facts(&self, file: FileId) -> &'e FileFacts<'e> {
        self.new[file.index()].facts.as_ref().unwrap_or(&FileFacts::NOTHING)
    }
}

/// Returns the path of the directory of a file.
pub(super) fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}
