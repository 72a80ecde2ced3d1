//! Import paths to files and directories, by the rules that a language's `[modules]` table states.

use crate::ids::{DirectoryId, FileId, IdVec};
use crate::lang::{Modules, Relative};
use crate::parse::{Symbol, symbol};
use rustc_hash::FxHashMap;

/// What an import path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportTarget {
    /// A file.
    File(FileId),
    /// A directory, by its number in [`Paths`].
    Directory(DirectoryId),
}

/// All paths of the repository, ready for look-ups by any ending of them.
pub struct Paths {
    /// Directory of each file.
    directory_of: IdVec<FileId, DirectoryId>,
    /// Path of each directory; the root is the empty path, number 0.
    directories: IdVec<DirectoryId, String>,
    by_directory: FxHashMap<String, DirectoryId>,
    parents: IdVec<DirectoryId, Option<DirectoryId>>,
    children: FxHashMap<(DirectoryId, Symbol), DirectoryId>,
    stems: IdVec<FileId, Symbol>,
    /// File by directory and stem; a file name with its ending is a stem too.
    by_stem: FxHashMap<(DirectoryId, Symbol), Vec<FileId>>,
    /// Directories by their last part.
    by_last_part: FxHashMap<Symbol, Vec<DirectoryId>>,
    files_by_stem: FxHashMap<Symbol, Vec<FileId>>,
    /// Directories at the top and right below it, where packages may lie side by side.
    layouts: Vec<DirectoryId>,
}

impl Paths {
    /// Over the paths of all files, in order of their numbers.
    pub fn new<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let mut paths = Self {
            directory_of: IdVec::new(),
            directories: vec![String::new()].into(),
            by_directory: FxHashMap::from_iter([(String::new(), DirectoryId::ROOT)]),
            parents: vec![None].into(),
            children: FxHashMap::default(),
            stems: IdVec::new(),
            by_stem: FxHashMap::default(),
            by_last_part: FxHashMap::default(),
            files_by_stem: FxHashMap::default(),
            layouts: Vec::new(),
        };
        for path in files {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            let directory = paths.directory(directory);
            let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
            let id = paths.directory_of.push(directory);
            paths.stems.push(symbol(stem));
            paths.files_by_stem.entry(symbol(stem)).or_default().push(id);
            paths.by_stem.entry((directory, symbol(stem))).or_default().push(id);
            if stem != name {
                paths.by_stem.entry((directory, symbol(name))).or_default().push(id);
            }
        }
        paths
    }

    fn directory(&mut self, path: &str) -> DirectoryId {
        if let Some(&id) = self.by_directory.get(path) {
            return id;
        }
        let (around, last) = path.rsplit_once('/').unwrap_or(("", path));
        let parent = self.directory(around);
        let id = self.directories.push(path.to_owned());
        self.parents.push(Some(parent));
        self.children.insert((parent, symbol(last)), id);
        if path.matches('/').count() < 2 {
            self.layouts.push(id);
        }
        self.by_directory.insert(path.to_owned(), id);
        self.by_last_part.entry(symbol(last)).or_default().push(id);
        id
    }

    /// The directory of a file.
    pub fn directory_of(&self, file: FileId) -> DirectoryId {
        self.directory_of[file]
    }

    /// All directories' paths, the root first.
    pub fn directories(&self) -> &IdVec<DirectoryId, String> {
        &self.directories
    }

    /// The directory around another; none for the root.
    pub fn parent(&self, directory: DirectoryId) -> Option<DirectoryId> {
        self.parents[directory]
    }

    /// The names of the files and directories right in each directory, in no order; some more than once.
    pub fn children(&self) -> impl Iterator<Item = (DirectoryId, Symbol)> + '_ {
        self.children.keys().chain(self.by_stem.keys()).copied()
    }

    fn ancestors(&self, directory: DirectoryId) -> impl Iterator<Item = DirectoryId> {
        std::iter::successors(Some(directory), |&at| self.parent(at))
    }

    fn child_directory(&self, directory: DirectoryId, name: Symbol) -> Option<DirectoryId> {
        self.children.get(&(directory, name)).copied()
    }

    /// The file that stands for a directory (`__init__.py`, `mod.rs`, `index.ts`), if there is one.
    pub fn index_file(&self, modules: &Modules, directory: DirectoryId) -> Option<FileId> {
        modules.index_files.iter().find_map(|stem| self.by_stem.get(&(directory, symbol(stem)))?.first().copied())
    }
}

fn contains(list: &[String], name: &str) -> bool {
    list.iter().any(|one| one == name)
}

/// Look-ups for the files of one language.
#[derive(Clone, Copy)]
pub struct ModuleResolver<'a> {
    /// All paths.
    pub paths: &'a Paths,
    /// The language's rules.
    pub modules: &'a Modules,
    /// Language of each file; imports lead to files of the same one (or of one that shares its modules).
    pub same_language: &'a dyn Fn(FileId) -> bool,
}

impl ModuleResolver<'_> {
    /// Where the module path `parts` leads from `file`; `level` as in [`crate::parse::Import`].
    pub fn resolve(&self, file: FileId, parts: &[&str], level: u8) -> Option<ImportTarget> {
        let own = self.paths.directory_of(file);
        if level > 0 {
            let base = self.paths.ancestors(own).nth(usize::from(level) - 1)?;
            return self.below(base, parts);
        }
        let Some(first) = parts.first() else { return Some(ImportTarget::File(file)) };
        if contains(&self.modules.current, first) {
            return self.inside(ImportTarget::File(file), &parts[1..]);
        }
        if contains(&self.modules.parent, first) {
            return self.parent_module(file).and_then(|up| match parts.get(1) {
                Some(next) if contains(&self.modules.parent, next) => {
                    let ImportTarget::File(up) = up else { return None };
                    self.resolve(up, &parts[1..], 0)
                }
                _ => self.inside(up, &parts[1..]),
            });
        }
        if contains(&self.modules.roots, first) {
            let root = self
                .paths
                .ancestors(own)
                .find_map(|dir| self.modules.root_files.iter().find_map(|stem| self.find(dir, symbol(stem))))?;
            return self.inside(ImportTarget::File(root), &parts[1..]);
        }
        self.absolute(file, own, parts)
    }

    fn absolute(&self, file: FileId, own: DirectoryId, parts: &[&str]) -> Option<ImportTarget> {
        // Most imports are of libraries; a name that no file or directory has needs no search.
        let names_something = |part: &&str| {
            let name = symbol(part.split('.').next().unwrap_or(part));
            self.paths.files_by_stem.contains_key(&name) || self.paths.by_last_part.contains_key(&symbol(part))
        };
        if !parts.last().is_some_and(names_something) {
            return None;
        }
        // A package is entered by its name, not from inside: `import time` in a package that has a `time.py` means the
        // library. A directory that is no package may be where a program is started; so may the root, even if it is a
        // package.
        let is_package = |dir: DirectoryId| {
            dir != DirectoryId::ROOT
                && self.modules.relative == Relative::Dots
                && self.paths.index_file(self.modules, dir).is_some()
        };
        let near = self.paths.ancestors(own).filter(|&dir| !is_package(dir)).find_map(|dir| self.below(dir, parts));
        if near.is_some() {
            return near;
        }
        if self.modules.relative == Relative::Dots {
            // Layouts with a `src` or `lib` folder, or several packages side by side.
            let mut layouts = self.paths.layouts.iter().copied().filter(|&dir| !is_package(dir));
            return layouts.find_map(|dir| self.below(dir, parts));
        }
        if self.modules.suffix { self.by_suffix(file, parts) } else { None }
    }

    /// The place whose path ends like the longest ending of `parts`; the one nearest to `file` if there are several.
    fn by_suffix(&self, file: FileId, parts: &[&str]) -> Option<ImportTarget> {
        for from in 0..parts.len() {
            let (last, front) = parts[from..].split_last()?;
            let tail = front.join("/");
            let ends = |dir: DirectoryId| {
                let path = &self.paths.directories[dir];
                tail.is_empty() || *path == tail || path.ends_with(&format!("/{tail}"))
            };
            let stem = last.split('.').next().unwrap_or(last);
            let files = self.paths.files_by_stem.get(&symbol(stem)).into_iter().flatten().copied();
            let files =
                files.filter(|&f| (self.same_language)(f) && ends(self.paths.directory_of(f))).map(ImportTarget::File);
            let directories = self.paths.by_last_part.get(&symbol(last)).into_iter().flatten().copied();
            let directories =
                directories.filter(|&d| self.paths.parent(d).is_some_and(ends)).map(ImportTarget::Directory);
            if let Some(best) =
                files.chain(directories).max_by_key(|&place| (self.nearness(file, place), std::cmp::Reverse(place)))
            {
                return Some(best);
            }
        }
        None
    }

    /// How many leading parts the directories of two places share.
    pub fn nearness(&self, file: FileId, place: ImportTarget) -> usize {
        let directory = match place {
            ImportTarget::File(other) => self.paths.directory_of(other),
            ImportTarget::Directory(directory) => directory,
        };
        let parts = |d: DirectoryId| self.paths.directories[d].split('/');
        parts(self.paths.directory_of(file)).zip(parts(directory)).take_while(|(a, b)| a == b).count()
    }

    fn find(&self, directory: DirectoryId, stem: Symbol) -> Option<FileId> {
        self.paths.by_stem.get(&(directory, stem))?.iter().copied().find(|&file| (self.same_language)(file))
    }

    /// `parts` from a directory down: directories, at last a file or a directory.
    fn below(&self, mut directory: DirectoryId, parts: &[&str]) -> Option<ImportTarget> {
        let Some((last, front)) = parts.split_last() else {
            return Some(
                self.paths
                    .index_file(self.modules, directory)
                    .map_or(ImportTarget::Directory(directory), ImportTarget::File),
            );
        };
        for part in front {
            directory = self.paths.child_directory(directory, symbol(part))?;
        }
        self.child(directory, symbol(last))
    }

    fn child(&self, directory: DirectoryId, name: Symbol) -> Option<ImportTarget> {
        // A package wins over a file of the same name; a directory without an index file comes last.
        let inner = self.paths.child_directory(directory, name);
        let index = inner.and_then(|dir| self.paths.index_file(self.modules, dir)).filter(|&f| (self.same_language)(f));
        index.or_else(|| self.find(directory, name)).map(ImportTarget::File).or(inner.map(ImportTarget::Directory))
    }

    /// A module's own children: for `a/b.rs` those in `a/b/`, for `a/mod.rs` those in `a/`.
    fn inside(&self, place: ImportTarget, parts: &[&str]) -> Option<ImportTarget> {
        if parts.is_empty() { Some(place) } else { self.below(self.home(place)?, parts) }
    }

    /// The directory that holds a module's children.
    pub fn home(&self, place: ImportTarget) -> Option<DirectoryId> {
        match place {
            ImportTarget::Directory(directory) => Some(directory),
            ImportTarget::File(file) => {
                let own = self.paths.directory_of(file);
                if self.is_index(file) { Some(own) } else { self.paths.child_directory(own, self.paths.stems[file]) }
            }
        }
    }

    fn is_index(&self, file: FileId) -> bool {
        let own = self.paths.stems[file];
        self.modules.index_files.iter().any(|stem| symbol(stem) == own)
    }

    fn parent_module(&self, file: FileId) -> Option<ImportTarget> {
        let own = self.paths.directory_of(file);
        let around = if self.is_index(file) { self.paths.parent(own)? } else { own };
        let index = self.paths.index_file(self.modules, around);
        // `a/b.rs` is in the module `a.rs` when there is no `a/mod.rs`.
        index.map(ImportTarget::File).or_else(|| {
            let path = &self.paths.directories[around];
            let name = path.rsplit('/').next()?;
            self.find(self.paths.parent(around)?, symbol(name)).map(ImportTarget::File)
        })
    }

    /// A module inside a module, by name.
    pub fn submodule(&self, place: ImportTarget, name: Symbol) -> Option<ImportTarget> {
        self.child(self.home(place)?, name)
    }
}
