//! Resolves import paths to files and directories, by the rules of a language's `[modules]` table.

use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::{DirectoryId, FileId, IdVec, PackageId};
use whichfn_syntax::lang::{Declared, Modules, Relative, declarations};
use whichfn_syntax::parse::{Symbol, is_notebook, symbol};

/// The target of an import path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportTarget {
    /// A file.
    File(FileId),
    /// A directory, by its number in [`Paths`].
    Directory(DirectoryId),
    /// All files that declare a package. Only a star import leads there.
    Package(PackageId),
}

/// All paths of the repository, indexed for look-ups by the end of a path.
pub struct Paths {
    /// Directory of each file.
    directory_of: IdVec<FileId, DirectoryId>,
    /// Path of each directory; the root is the empty path, number 0.
    directories: IdVec<DirectoryId, String>,
    by_directory: FxHashMap<String, DirectoryId>,
    parents: IdVec<DirectoryId, Option<DirectoryId>>,
    children: FxHashMap<(DirectoryId, Symbol), DirectoryId>,
    /// Name of each file up to its first dot.
    stems: IdVec<FileId, Symbol>,
    /// Files by directory and name: the whole name, and the name without its last extension.
    by_name: FxHashMap<(DirectoryId, Symbol), Vec<FileId>>,
    /// Files with several extensions by directory, stem and the extensions but the last: `b` and
    /// `d` for `b.d.ts`. The extensions are `None` for all files of a stem.
    by_stem: FxHashMap<(DirectoryId, Symbol, Option<Symbol>), Vec<FileId>>,
    /// Directories by the last component of their path.
    by_last_part: FxHashMap<Symbol, Vec<DirectoryId>>,
    files_by_stem: FxHashMap<Symbol, Vec<FileId>>,
    /// Directories at most two levels below the root, which may contain packages next to each
    /// other.
    layouts: Vec<DirectoryId>,
    /// Name of the root.
    root: Option<Symbol>,
}

impl Paths {
    /// Indexes the paths of all files, which are sorted by file number. `root` is the name of the
    /// repository's directory, which may itself be a package; empty if it is unknown.
    pub fn of_root<'a>(root: &str, files: impl Iterator<Item = &'a str>) -> Self {
        Self { root: (!root.is_empty()).then(|| symbol(root)), ..Self::new(files) }
    }

    /// Indexes the paths of all files, which are sorted by file number.
    pub fn new<'a>(files: impl Iterator<Item = &'a str>) -> Self {
        let mut paths = Self {
            directory_of: IdVec::new(),
            directories: vec![String::new()].into(),
            by_directory: FxHashMap::from_iter([(String::new(), DirectoryId::ROOT)]),
            parents: vec![None].into(),
            children: FxHashMap::default(),
            stems: IdVec::new(),
            by_name: FxHashMap::default(),
            by_stem: FxHashMap::default(),
            by_last_part: FxHashMap::default(),
            files_by_stem: FxHashMap::default(),
            layouts: Vec::new(),
            root: None,
        };
        for path in files {
            let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
            let directory = paths.directory(directory);
            let id = paths.directory_of.push(directory);
            paths.add_name(id, directory, name);
        }
        paths
    }

    fn add_name(&mut self, file: FileId, directory: DirectoryId, name: &str) {
        let (stem, endings) = name.split_once('.').unwrap_or((name, ""));
        let stem = symbol(stem);
        self.stems.push(stem);
        // No code can import a notebook.
        if is_notebook(name) {
            return;
        }
        self.files_by_stem.entry(stem).or_default().push(file);
        self.by_name.entry((directory, symbol(name))).or_default().push(file);
        if let Some((without_last, _)) = name.rsplit_once('.') {
            self.by_name.entry((directory, symbol(without_last))).or_default().push(file);
        }
        if let Some((inner, _)) = endings.rsplit_once('.') {
            for inner in [None, Some(symbol(inner))] {
                self.by_stem.entry((directory, stem, inner)).or_default().push(file);
            }
        }
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

    /// Returns the directory of a file.
    pub fn directory_of(&self, file: FileId) -> DirectoryId {
        self.directory_of[file]
    }

    /// Returns the paths of all directories, the root first.
    pub fn directories(&self) -> &IdVec<DirectoryId, String> {
        &self.directories
    }

    /// Returns the directory with the given path, if a file is in or below it.
    pub fn directory_at(&self, path: &str) -> Option<DirectoryId> {
        self.by_directory.get(path).copied()
    }

    /// Returns the parent of a directory; `None` for the root.
    pub fn parent(&self, directory: DirectoryId) -> Option<DirectoryId> {
        self.parents[directory]
    }

    /// Iterates over the names of the direct children of each directory, in no particular order and
    /// with duplicates.
    pub fn children(&self) -> impl Iterator<Item = (DirectoryId, Symbol)> + '_ {
        let stems = self.by_stem.keys().map(|&(directory, stem, _)| (directory, stem));
        self.children.keys().chain(self.by_name.keys()).copied().chain(stems)
    }

    fn ancestors(&self, directory: DirectoryId) -> impl Iterator<Item = DirectoryId> {
        std::iter::successors(Some(directory), |&at| self.parent(at))
    }

    pub(super) fn child_directory(&self, directory: DirectoryId, name: Symbol) -> Option<DirectoryId> {
        self.children.get(&(directory, name)).copied()
    }

    /// Returns the file that represents a directory (`__init__.py`, `mod.rs`, `index.ts`), if there
    /// is one.
    pub fn index_file(&self, modules: &Modules, directory: DirectoryId) -> Option<FileId> {
        modules.index_files.iter().find_map(|stem| self.find(modules, directory, symbol(stem), &|_| true))
    }

    /// Returns the first file of a directory that an import may call `name`: for `b`, that is
    /// `b.ts`, else `b.d.ts`.
    fn find(
        &self,
        modules: &Modules,
        directory: DirectoryId,
        name: Symbol,
        wanted: &dyn Fn(FileId) -> bool,
    ) -> Option<FileId> {
        let first = |files: Option<&Vec<FileId>>| files?.iter().copied().find(|&file| wanted(file));
        // `b.test.ts` sorts before `b.ts`, but only the latter is called `b`.
        let exact = first(self.by_name.get(&(directory, name)));
        let with_inner = |inner| first(self.by_stem.get(&(directory, name, inner)));
        let declared = &modules.declaration_endings;
        exact.or_else(|| match declared.is_empty() {
            true => with_inner(None),
            false => declared.iter().find_map(|ending| with_inner(Some(symbol(ending)))),
        })
    }
}

fn contains(list: &[String], name: &str) -> bool {
    list.iter().any(|one| one == name)
}

/// The import paths that manifests declare for their directories.
#[derive(Default)]
pub struct DeclaredPaths<'a> {
    /// Directories with the modules of each path.
    by_path: FxHashMap<Vec<&'a str>, Vec<DirectoryId>>,
    /// Paths with only one part, by their symbols.
    names: FxHashMap<Symbol, &'a str>,
    /// Directories of the manifests.
    directories: FxHashSet<DirectoryId>,
    /// Files that an import of a directory may refer to.
    entries: FxHashMap<DirectoryId, Vec<&'a str>>,
    aliases: FxHashMap<DirectoryId, Vec<Alias<'a>>>,
}

/// An import path that a manifest defines for the files below it.
struct Alias<'a> {
    /// Text before the `*`, or the whole path.
    front: &'a str,
    /// Text after the `*`.
    back: Option<&'a str>,
    /// Places relative to the manifest's directory.
    targets: Vec<&'a str>,
}

impl<'a> DeclaredPaths<'a> {
    /// Records the declarations of a manifest in a directory, whose modules are in `sources`.
    pub fn add(&mut self, modules: &Modules, stored: &'a str, directory: DirectoryId, sources: DirectoryId) {
        for declared in declarations(stored) {
            match declared {
                Declared::Package(path, entries) => {
                    let path = modules.split(path);
                    if let [name] = path[..] {
                        self.names.insert(symbol(name), name);
                    }
                    self.by_path.entry(path).or_default().push(sources);
                    self.directories.insert(directory);
                    self.entries.entry(sources).or_default().extend(entries);
                }
                Declared::Alias(pattern, targets) => {
                    let (front, back) = pattern.split_once('*').map_or((pattern, None), |(a, b)| (a, Some(b)));
                    self.aliases.entry(directory).or_default().push(Alias { front, back, targets });
                }
            }
        }
    }

    /// Returns the declared path that consists only of the given name.
    pub fn named(&self, name: Symbol) -> Option<&'a str> {
        self.names.get(&name).copied()
    }

    /// Returns the places of the aliases that match a path, relative to a directory, the best match
    /// first: an alias without a `*`, then the longest text before the `*`. The manifests of a
    /// directory may disagree (about sources and compiled files), so all places are returned.
    fn places(&self, directory: DirectoryId, path: &str) -> impl Iterator<Item = String> {
        let all = self.aliases.get(&directory).into_iter().flatten();
        let matching = all.filter_map(|alias| Some((alias, alias.matched(path)?)));
        let mut matching: Vec<_> = matching.collect();
        matching.sort_by_key(|(alias, _)| std::cmp::Reverse((alias.back.is_none(), alias.front.len())));
        let places = |(alias, star): (&Alias<'_>, &str)| -> Vec<String> {
            alias.targets.iter().map(|target| target.replacen('*', star, 1)).collect()
        };
        matching.into_iter().flat_map(places)
    }
}

impl Alias<'_> {
    /// Returns the part of a path that `*` matches; empty for an alias without a `*`.
    fn matched<'p>(&self, path: &'p str) -> Option<&'p str> {
        match self.back {
            None => (path == self.front).then_some(""),
            Some(back) => path.strip_prefix(self.front)?.strip_suffix(back),
        }
    }
}

/// Resolver for imports in files of one language.
#[derive(Clone, Copy)]
pub struct ModuleResolver<'a> {
    /// All paths.
    pub paths: &'a Paths,
    /// Import paths from the manifests of the language.
    pub declared: &'a DeclaredPaths<'a>,
    /// The rules of the language.
    pub modules: &'a Modules,
    /// Checks whether a file may be imported: it has the same language or one that shares its
    /// modules.
    pub same_language: &'a dyn Fn(FileId) -> bool,
}

impl ModuleResolver<'_> {
    /// Resolves the module path `parts` from `file`; `level` is as in
    /// [`whichfn_syntax::parse::Import`].
    pub fn resolve(&self, file: FileId, parts: &[&str], level: u8) -> Option<ImportTarget> {
        let own = self.paths.directory_of(file);
        if level > 0 {
            let base = self.paths.ancestors(own).nth(usize::from(level) - 1)?;
            let found = self.below(base, parts).map(|found| self.entry_of(found));
            let is_searched = found.is_none() && self.modules.working_directory;
            return if is_searched { self.absolute(file, own, parts) } else { found };
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
        if let Some(place) = self.by_alias(own, parts).or_else(|| self.by_convention(own, parts)) {
            return Some(place);
        }
        if self.paths.ancestors(own).any(|directory| self.declared.directories.contains(&directory)) {
            let declared = self.below_declared(file, parts);
            if declared.is_some() || self.modules.hosted {
                return declared;
            }
            // A path that begins at the importing module does not name a declared path. The modules
            // of a program's first file are next to it.
            if !self.modules.current.is_empty() {
                return self.inside(ImportTarget::File(file), parts).or_else(|| self.below(own, parts));
            }
        }
        // A manifest declares or maps the paths of a program's own packages.
        if self.names_library(parts) {
            return None;
        }
        if self.modules.hosted && !parts.first().is_some_and(|host| host.contains('.')) {
            return None;
        }
        if let Some(place) = self.below_root(parts) {
            return Some(place);
        }
        // Most imports refer to libraries, so names that no file or directory has skip the search.
        let names_something = |part: &&str| {
            let name = symbol(part.split('.').next().unwrap_or(part));
            self.paths.files_by_stem.contains_key(&name) || self.paths.by_last_part.contains_key(&symbol(part))
        };
        if !parts.last().is_some_and(names_something) {
            return None;
        }
        // Files inside a package do not see their neighbours by plain name: `import time` in a
        // package that has a `time.py` means the library. A directory that is not a package may be
        // the start directory of a program; so may the root, even if it is a package.
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
            // Covers layouts with a `src` or `lib` folder, or with several packages next to each
            // other.
            let mut layouts = self.paths.layouts.iter().copied().filter(|&dir| !is_package(dir));
            return layouts.find_map(|dir| self.below(dir, parts));
        }
        match (self.modules.suffix, self.modules.source_roots) {
            (true, _) => self.by_suffix(file, parts, parts.len()),
            // A path with one part, such as a package of a library, is in too many directories.
            (_, true) if parts.len() > 1 => self.by_suffix(file, parts, 1),
            _ => None,
        }
    }

    /// Checks whether a path is the name of a package, in a language whose programs write the paths of
    /// their own files in another way: `path` and `@scope/path`, but not `./path` or `app/path`.
    fn names_library(&self, parts: &[&str]) -> bool {
        let is_scoped = || parts.first().is_some_and(|first| first.starts_with('@'));
        !self.modules.package_sources.is_empty() && (parts.len() == 1 || parts.len() == 2 && is_scoped())
    }

    /// Resolves a path through the name of the root, if that is a package or a part of one:
    /// `marshmallow.fields` in an index of the folder `marshmallow`.
    fn below_root(&self, parts: &[&str]) -> Option<ImportTarget> {
        let root = self.paths.root.filter(|_| self.modules.relative == Relative::Dots)?;
        let index = self.paths.index_file(self.modules, DirectoryId::ROOT)?;
        let mut after = (0..parts.len()).filter(|&at| symbol(parts[at]) == root).map(|at| &parts[at + 1..]);
        after.find_map(|rest| match rest {
            [] => Some(ImportTarget::File(index)),
            rest => self.below(DirectoryId::ROOT, rest),
        })
    }

    /// Resolves `parts` below the directory with the longest declared path that is a prefix of
    /// `parts`; of several directories, the one nearest to `file`. Returns `None` if there is no
    /// such path, because the import then belongs to another repository.
    fn below_declared(&self, file: FileId, parts: &[&str]) -> Option<ImportTarget> {
        let declared = |end: usize| Some((end, self.declared.by_path.get(&parts[..end])?));
        let (end, directories) = (1..=parts.len()).rev().find_map(declared)?;
        let nearness = |directory| self.nearness(file, ImportTarget::Directory(directory));
        let nearest = directories.iter().copied().max_by_key(|&one| (nearness(one), std::cmp::Reverse(one)))?;
        match self.modules.package_sources.is_empty() {
            true => self.below(nearest, &parts[end..]),
            false => self.in_package(nearest, &parts[end..]),
        }
    }

    /// Resolves `parts` in one of the directories with the sources of a package.
    fn in_package(&self, package: DirectoryId, parts: &[&str]) -> Option<ImportTarget> {
        let is_file = |place: &ImportTarget| matches!(place, ImportTarget::File(_));
        let subpath: String = std::iter::once(".").chain(parts.iter().copied()).collect::<Vec<_>>().join("/");
        let exported =
            self.declared.places(package, &subpath).find_map(|place| self.at(package, &place)).filter(is_file);
        if exported.is_some() {
            return exported;
        }
        let sources =
            self.modules.package_sources.iter().filter_map(|source| self.walk(package, &self.modules.split(source)));
        let found = sources.filter_map(|directory| self.below(directory, parts)).find(is_file);
        let entries = self.declared.entries.get(&package).filter(|_| parts.is_empty());
        found.or_else(|| entries?.iter().find_map(|entry| self.at(package, entry)).filter(is_file))
    }

    /// Returns the file that a manifest names as the entry of a directory, if the directory has no file
    /// that represents it.
    fn entry_of(&self, place: ImportTarget) -> ImportTarget {
        let entry = match place {
            ImportTarget::Directory(directory) if self.declared.entries.contains_key(&directory) => {
                self.in_package(directory, &[])
            }
            _ => None,
        };
        entry.unwrap_or(place)
    }

    /// Resolves a path by the aliases of the nearest manifest that defines it.
    fn by_alias(&self, own: DirectoryId, parts: &[&str]) -> Option<ImportTarget> {
        if self.declared.aliases.is_empty() {
            return None;
        }
        let path = parts.join("/");
        let mut around = self.paths.ancestors(own);
        around.find_map(|directory| self.declared.places(directory, &path).find_map(|place| self.at(directory, &place)))
    }

    /// Resolves a path that begins with the conventional name of a source directory.
    fn by_convention(&self, own: DirectoryId, parts: &[&str]) -> Option<ImportTarget> {
        let (first, rest) = parts.split_first()?;
        let places = self.modules.source_aliases.get(*first)?;
        let within = |directory: DirectoryId| {
            let sources = places.iter().filter_map(move |place| self.walk(directory, &self.modules.split(place)));
            sources.into_iter().find_map(|source| self.below(source, rest))
        };
        self.paths.ancestors(own).find_map(within)
    }

    /// Resolves a path relative to a directory, as it is written in a manifest.
    fn at(&self, directory: DirectoryId, path: &str) -> Option<ImportTarget> {
        let parts: Vec<&str> = self.modules.split(path).into_iter().filter(|part| *part != ".").collect();
        let up = parts.iter().take_while(|part| **part == "..").count();
        let directory = self.paths.ancestors(directory).nth(up)?;
        self.below(directory, &parts[up..])
    }

    fn walk(&self, from: DirectoryId, parts: &[&str]) -> Option<DirectoryId> {
        parts.iter().try_fold(from, |directory, part| self.paths.child_directory(directory, symbol(part)))
    }

    /// Returns the place whose path ends with the longest of the first `count` suffixes of `parts`;
    /// of several places, the one nearest to `file`.
    fn by_suffix(&self, file: FileId, parts: &[&str], count: usize) -> Option<ImportTarget> {
        for from in 0..count {
            let (last, front) = parts[from..].split_last()?;
            let tail = front.join("/");
            let ends = |dir: DirectoryId| {
                let path = &self.paths.directories[dir];
                tail.is_empty() || *path == tail || path.ends_with(&format!("/{tail}"))
            };
            let stem = last.split('.').next().unwrap_or(last);
            let may_mean = |file| !self.modules.imports_directories && (self.same_language)(file);
            let files = self.paths.files_by_stem.get(&symbol(stem)).into_iter().flatten().copied();
            let files = files.filter(|&f| may_mean(f) && ends(self.paths.directory_of(f))).map(ImportTarget::File);
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

    /// Returns the number of leading path components that the directories of `file` and `place`
    /// share.
    pub fn nearness(&self, file: FileId, place: ImportTarget) -> usize {
        let directory = match place {
            ImportTarget::File(other) => self.paths.directory_of(other),
            ImportTarget::Directory(directory) => directory,
            ImportTarget::Package(_) => return 0,
        };
        let parts = |d: DirectoryId| self.paths.directories[d].split('/');
        parts(self.paths.directory_of(file)).zip(parts(directory)).take_while(|(a, b)| a == b).count()
    }

    fn find(&self, directory: DirectoryId, stem: Symbol) -> Option<FileId> {
        self.paths.find(self.modules, directory, stem, self.same_language)
    }

    /// Resolves `parts` downwards from a directory: all but the last are directories, the last is a
    /// file or a directory.
    fn below(&self, mut directory: DirectoryId, parts: &[&str]) -> Option<ImportTarget> {
        let Some((last, front)) = parts.split_last() else {
            return Some(
                self.paths
                    .index_file(self.modules, directory)
                    .map_or(ImportTarget::Directory(directory), ImportTarget::File),
            );
        };
        directory = self.walk(directory, front)?;
        self.source_of(directory, last).map(ImportTarget::File).or_else(|| self.child(directory, symbol(last)))
    }

    /// Returns the source of a file that is imported by the name of its compiled output: `b.ts` for
    /// `b.js`.
    fn source_of(&self, directory: DirectoryId, name: &str) -> Option<FileId> {
        let (front, ending) = name.rsplit_once('.')?;
        let sources = self.modules.compiled_endings.get(ending)?;
        sources.iter().find_map(|source| self.find(directory, symbol(&format!("{front}.{source}"))))
    }

    fn child(&self, directory: DirectoryId, name: Symbol) -> Option<ImportTarget> {
        // A package wins over a file of the same name; a directory without an index file is the
        // last choice.
        let inner = self.paths.child_directory(directory, name);
        if self.modules.imports_directories {
            return inner.map(ImportTarget::Directory);
        }
        let index = inner.and_then(|dir| self.paths.index_file(self.modules, dir)).filter(|&f| (self.same_language)(f));
        index.or_else(|| self.find(directory, name)).map(ImportTarget::File).or(inner.map(ImportTarget::Directory))
    }

    /// Resolves `parts` among a module's own children: for `a/b.rs` they are in `a/b/`, for
    /// `a/mod.rs` in `a/`.
    fn inside(&self, place: ImportTarget, parts: &[&str]) -> Option<ImportTarget> {
        if parts.is_empty() { Some(place) } else { self.below(self.home(place)?, parts) }
    }

    /// Returns the directory that contains a module's children.
    pub fn home(&self, place: ImportTarget) -> Option<DirectoryId> {
        match place {
            ImportTarget::Directory(directory) => Some(directory),
            ImportTarget::Package(_) => None,
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
        // The module of `a/b.rs` is `a.rs` if there is no `a/mod.rs`.
        index.map(ImportTarget::File).or_else(|| {
            let path = &self.paths.directories[around];
            let name = path.rsplit('/').next()?;
            self.find(self.paths.parent(around)?, symbol(name)).map(ImportTarget::File)
        })
    }

    /// Returns the nearest file around a file whose directory belongs to a module inside another file,
    /// and the names of the modules in between, outermost first: for `a/b/c.rs` without a file for `b`,
    /// `a.rs` or `a/mod.rs` and `b`.
    pub fn file_around(&self, file: FileId) -> Option<(FileId, Vec<Symbol>)> {
        let own = self.paths.directory_of(file);
        let mut around = if self.is_index(file) { self.paths.parent(own)? } else { own };
        let mut names = Vec::new();
        loop {
            let outer = self.paths.parent(around)?;
            let name = symbol(self.paths.directories[around].rsplit('/').next()?);
            names.insert(0, name);
            let last = symbol(self.paths.directories[outer].rsplit('/').next()?);
            let beside = || self.find(self.paths.parent(outer)?, last);
            if let Some(found) = self.paths.index_file(self.modules, outer).or_else(beside) {
                return Some((found, names));
            }
            around = outer;
        }
    }

    /// Returns a module inside a module, by name.
    pub fn submodule(&self, place: ImportTarget, name: Symbol) -> Option<ImportTarget> {
        self.child(self.home(place)?, name)
    }
}
