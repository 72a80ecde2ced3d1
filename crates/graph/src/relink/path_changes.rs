//! Determines the effects of added and removed files on imports.
//!
//! - **Invariant:** an import leads elsewhere only if a part of its path is the name of a file or
//!   directory that was added or removed, or such a name up to a dot. The rest counts as a change
//!   of everything: an index file or root file, a file next to a directory with its name, a new
//!   language or package of a directory, and a star import that leads elsewhere.
//! - **Cost:** one look-up for each import of the repository, and only if files were added or
//!   removed.

use super::edit::{ChangedFile, Edit, directory};
use crate::file_facts::{FileImport, ModulePath};
use crate::modules::Paths;
use crate::names::{MAX_PACKAGES, Source, source_root};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use whichfn_syntax::ids::{DirectoryId, FileId};
use whichfn_syntax::lang::{Declared, LangId, declarations};
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::file_name;

/// The names of the files and directories that were added or removed.
#[derive(Default)]
pub(super) struct PathChanges {
    pub names: FxHashSet<Symbol>,
    /// Cache of the import paths that contain one of the names.
    known: RefCell<FxHashMap<Symbol, bool>>,
}

impl PathChanges {
    /// Collects the names that matter to a group of languages, whose files after the edit are
    /// given. Returns `None` if everything may have changed.
    pub fn new(edit: &Edit<'_>, group: LangId, files: &[FileId]) -> Option<Self> {
        let mut changes = Self::default();
        let Some(old_paths) = &edit.old_paths else { return Some(changes) };
        let changed = || edit.changed.iter().filter(|file| !file.is_edited());
        let special = special_names(edit, files);
        if changed().any(|file| special.contains(stem(file.source.path))) {
            return None;
        }
        for [paths, others] in [[old_paths, &edit.paths], [&edit.paths, old_paths]] {
            let is_changed = |path: &&String| others.directory_at(path).is_none();
            changes.names.extend(paths.directories().iter().filter(is_changed).map(|path| symbol(file_name(path))));
            for file in changed().filter(|file| file.group == Some(group)) {
                let (name, stem) = (file_name(file.source.path), stem(file.source.path));
                let directory = paths.directory_at(file.directory());
                if directory.is_some_and(|directory| paths.child_directory(directory, symbol(stem)).is_some()) {
                    return None;
                }
                let without_last = name.rsplit_once('.').map_or(name, |(front, _)| front);
                changes.names.extend([name, without_last, stem].map(symbol));
            }
        }
        let is_wide = changes_rules(edit, group, old_paths)
            || changes_packages(edit, group, files)
            || changes_shared_imports(edit, group);
        let is_changed_star = |import: FileImport<'_>| import.variable.is_none() && changes.affect(&import);
        let mut remaining = files.iter().filter(|&&file| edit.renumbering.previous(file).is_some());
        let has_changed_stars = remaining.any(|&file| edit.facts(file).imports().any(is_changed_star));
        (!is_wide && !has_changed_stars).then_some(changes)
    }

    /// Checks whether an import may lead elsewhere.
    pub fn affect(&self, import: &FileImport<'_>) -> bool {
        !self.names.is_empty() && [import.path, import.full_path].iter().any(|path| self.occur_in(path))
    }

    fn occur_in(&self, path: &ModulePath<'_>) -> bool {
        let occurs = |name: &str| self.names.contains(&symbol(name));
        let is_changed = |part: &&str| occurs(part) || !matches!(*part, "." | "..") && occurs(stem(part));
        *self.known.borrow_mut().entry(path.symbol).or_insert_with(|| path.parts().iter().any(is_changed))
    }
}

/// Returns the name of a file up to its first dot.
fn stem(path: &str) -> &str {
    let name = file_name(path);
    name.split('.').next().unwrap_or(name)
}

/// Returns the names of index files and root files in the languages of some files, and of the files
/// that their manifests refer to.
fn special_names<'e>(edit: &Edit<'e>, files: &[FileId]) -> FxHashSet<&'e str> {
    let languages: FxHashSet<LangId> = files.iter().filter_map(|file| edit.new[file.index()].language).collect();
    let modules = languages.into_iter().filter_map(|language| Some(&edit.registry.spec(language)?.modules));
    let by_rules =
        modules.flat_map(|modules| modules.index_files.iter().chain(&modules.root_files)).map(String::as_str);
    let manifests = files
        .iter()
        .map(|&file| &edit.new[file.index()])
        .filter(|source| source.facts.is_some() && edit.registry.manifest_language(file_name(source.path)).is_some());
    let places = manifests.flat_map(|source| {
        let stored = source.facts.as_ref().map_or("", |facts| facts.package());
        declarations(stored).flat_map(|(Declared::Package(_, places) | Declared::Alias(_, places))| places)
    });
    by_rules.chain(places.map(stem)).collect()
}

/// Checks whether a directory that existed before now has the import rules of another language: the
/// language of its first linked file.
fn changes_rules(edit: &Edit<'_>, group: LangId, old_paths: &Paths) -> bool {
    let rules = |sources: &[Source<'_>], paths: &Paths| {
        let mut first: FxHashMap<DirectoryId, Option<LangId>> = FxHashMap::default();
        for (number, source) in sources.iter().enumerate().filter(|(_, source)| edit.group(source) == Some(group)) {
            first.entry(paths.directory_of(FileId::new(number))).or_insert(source.language);
        }
        first
    };
    let (before, after) = (rules(edit.old, old_paths), rules(edit.new, &edit.paths));
    edit.changed.iter().any(|file| {
        let directories = (old_paths.directory_at(file.directory()), edit.paths.directory_at(file.directory()));
        matches!(directories, (Some(old), Some(new)) if before.get(&old) != after.get(&new))
    })
}

/// Checks whether an added or removed file changes the packages that its directory declares.
fn changes_packages(edit: &Edit<'_>, group: LangId, files: &[FileId]) -> bool {
    let has_unnamed = |file: &&ChangedFile<'_>| {
        let spec = file.source.language.and_then(|language| edit.registry.spec(language));
        spec.is_some_and(|spec| source_root(file.directory(), &spec.modules.source_sets).is_some())
    };
    let has_package = |file: &&ChangedFile<'_>| !file.package().is_empty() || has_unnamed(file);
    let added_or_removed = edit.changed.iter().filter(|file| !file.is_edited() && file.group == Some(group));
    let mut changed = added_or_removed.filter(has_package);
    let mut remaining: FxHashMap<&str, FxHashSet<&str>> = FxHashMap::default();
    if changed.clone().next().is_some() {
        for &file in files.iter().filter(|&&file| edit.renumbering.previous(file).is_some()) {
            let path = edit.new[file.index()].path;
            remaining.entry(directory(path)).or_default().insert(edit.facts(file).package());
        }
    }
    changed.any(|file| {
        let is_manifest = edit.registry.manifest_language(file_name(file.source.path)).is_some();
        let others = remaining.get(file.directory());
        is_manifest || !others.is_some_and(|others| others.contains(file.package()) && others.len() <= MAX_PACKAGES)
    })
}

/// Checks whether an added or removed file has shared imports. The files that include it, and the
/// files without imports that it includes, use them although they need not name the file.
fn changes_shared_imports(edit: &Edit<'_>, group: LangId) -> bool {
    let mut changed = edit.changed.iter().filter(|file| !file.is_edited() && file.group == Some(group));
    changed.any(|file| file.source.facts.is_some_and(|facts| facts.imports().any(|import| import.is_shared)))
}
