//! Finds references of unmodified code to names that a change removed: names that refer to an item
//! of the repository before the change, and to nothing after it.
//!
//! **Cost:** name tables of both states, one pass over the text of the files that may contain a
//! lost name, and parsing those that do. At most [`MAX_FILES`] files are parsed.

use super::bases::may_inherit;
use super::before::State;
use super::lost_mentions::Mention;
use super::lost_name::{LostItem, LostName};
use super::macro_names::{is_in_condition, is_macro_name};
use super::name_use::NameUse;
use super::names::{MAX_CHAIN, chain_before, folder, line_at, line_text, without_ending};
use super::private::has_word;
use super::proof::{imports_more, is_in_scope, is_rewritten, may_be_generated, may_be_loaded};
use super::sides::{ChangedFile, ParsedFiles, ParsedSide, Sides};
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_graph::{NameResolver, NameTarget, import_paths};
use whichfn_syntax::ids::{FileId, LocalId};
use whichfn_syntax::lang::{ExportRule, Language, Visibility};
use whichfn_syntax::parse::{Definition, Import, Symbol, symbol};
use whichfn_system::error::Result;
use whichfn_text::{file_name, occurrences};

/// Maximum number of files that are parsed to find references.
pub(super) const MAX_FILES: usize = 2_000;

/// A reference to a lost name, or an import of a file that is gone.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Reference {
    /// File of the reference, after the change.
    pub file: FileId,
    pub line: u32,
    /// Qualified name of the definition around it; empty for the top level.
    pub around: String,
    pub form: ReferenceForm,
    /// True if the reference may still work, for example because a base outside the repository may
    /// have the name.
    pub is_guess: bool,
    /// True if the name may be that of something outside the repository, all of whose names are
    /// imported.
    pub may_be_outside: bool,
}

/// How code refers to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ReferenceForm {
    Import,
    Call,
    Other,
}

/// What a reference refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Referent {
    /// An index in the list of lost names.
    Name(usize),
    /// An index in [`Sides::files`]: the path of this file is gone.
    File(usize),
    /// An index in [`Sides::files`]: the former directory of this file is gone.
    Folder(usize),
}

/// The two states of the files of a group of languages.
pub(super) struct States<'r, 's> {
    pub before: &'r State<'r>,
    pub after: &'r State<'r>,
    pub old: &'r NameResolver<'r>,
    pub new: &'r NameResolver<'r>,
    /// Linked files after the change.
    pub files: &'r [FileId],
    /// Those of them that contain lost names, with these names.
    pub mentions: &'r [Mention<'s>],
}

/// Searches for references to lost names.
pub(super) struct ReferenceSearch<'r, 's, 'a> {
    sides: &'s Sides<'a>,
    states: &'r States<'r, 's>,
    lost: &'r [LostName<'s>],
    /// Lost names by the item that they referred to.
    by_target: FxHashMap<NameTarget, usize>,
    /// Lost names by spelling.
    by_name: FxHashMap<&'s str, Vec<usize>>,
    /// Lost names of the modules whose names a file passed on, by that file before the change.
    stars: FxHashMap<FileId, usize>,
    /// File before the change, by its file after the change.
    old_files: FxHashMap<FileId, FileId>,
    /// Index in [`Sides::files`] of each file that is gone, by its number before the change.
    gone: FxHashMap<FileId, usize>,
    /// Numbers of the changed files before the change, by index in [`Sides::files`].
    old_of: FxHashMap<usize, FileId>,
    /// Changed files that pass on all names of something outside the repository, by index.
    open: FxHashSet<usize>,
}

impl<'r, 's, 'a> ReferenceSearch<'r, 's, 'a> {
    pub fn new(sides: &'s Sides<'a>, states: &'r States<'r, 's>, lost: &'r [LostName<'s>], gone: &[usize]) -> Self {
        let (mut by_target, mut by_name) = (FxHashMap::default(), FxHashMap::<_, Vec<usize>>::default());
        let (before, mut stars) = (states.before, FxHashMap::default());
        let old_of: FxHashMap<usize, FileId> =
            before.changed.enumerate().filter_map(|(file, changed)| Some(((*changed)?, file))).collect();
        for (number, name) in lost.iter().enumerate() {
            let Some(&file) = old_of.get(&name.changed) else { continue };
            if name.item == LostItem::Star {
                stars.insert(file, number);
                continue;
            }
            by_name.entry(name.name).or_default().push(number);
            match name.item {
                LostItem::Definition(local) => by_target.insert(NameTarget::Definition(file, local), number),
                LostItem::Variable(variable) => by_target.insert(NameTarget::Variable(file, variable), number),
                LostItem::Import(_) | LostItem::Value(_) | LostItem::Star | LostItem::Export => None,
            };
        }
        let old_files = before.now.enumerate().filter_map(|(file, now)| Some(((*now)?, file))).collect();
        let gone = gone.iter().filter_map(|&changed| Some((*old_of.get(&changed)?, changed))).collect();
        let changed: FxHashSet<usize> =
            lost.iter().filter(|name| name.owner.is_none()).map(|name| name.changed).collect();
        let open = changed.into_iter().filter(|&at| passes_on_outside_names(&sides.files[at], states.new)).collect();
        Self { sides, states, lost, by_target, by_name, stars, old_files, gone, old_of, open }
    }

    /// Returns all references in unmodified code, sorted.
    ///
    /// # Errors
    /// Returns an error if a language's data files are invalid.
    pub fn run(&self, files: &mut ParsedFiles<'_, 'a>) -> Result<Vec<(Referent, Reference)>> {
        let mut found = Vec::new();
        for (file, names) in self.mentioning().into_iter().take(MAX_FILES) {
            let Some(side) = files.side(file)? else { continue };
            self.add_names(file, side, &names, &mut found);
            self.add_imports(file, side, &mut found);
        }
        for file in self.importing_gone() {
            let Some(side) = files.side(file)? else { continue };
            self.add_imports(file, side, &mut found);
        }
        found.sort();
        found.dedup_by(|a, b| (a.0, a.1.file, a.1.line) == (b.0, b.1.file, b.1.line));
        Ok(found)
    }

    /// Returns the files that contain lost names, with these names. Members count only in files
    /// that also contain the name of their type, or import the member.
    fn mentioning(&self) -> Vec<(FileId, FxHashSet<&'s str>)> {
        let near = |(file, names): &Mention<'s>| {
            let file = *file;
            let imports = |name| {
                let old_file = self.old_files.get(&file);
                old_file.is_some_and(|&old_file| self.states.old.imports(old_file, symbol(name)))
            };
            let is_near = |number: &usize| {
                let lost = &self.lost[*number];
                self.sides.changed_index(file) == Some(lost.changed)
                    || lost.owner.is_none_or(|owner| names.contains(&owner))
                    || imports(lost.name)
            };
            let is_lost = |name: &&str| self.by_name.get(name).is_some_and(|all| all.iter().any(is_near));
            let names: FxHashSet<&str> = names.iter().copied().filter(is_lost).collect();
            (!names.is_empty()).then_some((file, names))
        };
        self.states.mentions.iter().filter_map(near).collect()
    }

    /// Returns the files with an import that led to a file that is gone, or that no longer passes
    /// on the names of another one.
    fn importing_gone(&self) -> Vec<FileId> {
        if self.gone.is_empty() && self.stars.is_empty() {
            return Vec::new();
        }
        let included: Vec<&str> = self.gone.values().map(|&at| file_name(&self.sides.files[at].old_path)).collect();
        let includes_gone = |file: FileId| {
            self.sides.language(file).is_some_and(|language| language.spec.modules.include) && {
                let text = self.sides.sources().text(file);
                included.iter().any(|name| occurrences(&text, name).next().is_some())
            }
        };
        let imports_gone = |file: &FileId| {
            let Some(&old_file) = self.old_files.get(file) else { return false };
            if includes_gone(*file) {
                return true;
            }
            let old = self.states.old;
            let is_gone = |at: usize| old.import(old_file, at).is_some_and(|target| self.gone(target).is_some());
            let is_star = |at: usize| old.module(old_file, at).is_some_and(|module| self.stars.contains_key(&module));
            (0..old.import_count(old_file)).any(|at| is_gone(at) || is_star(at))
        };
        self.states.files.iter().copied().filter(imports_gone).collect()
    }

    fn add_imports(&self, file: FileId, side: &ParsedSide<'_>, found: &mut Vec<(Referent, Reference)>) {
        let Some(&old_file) = self.old_files.get(&file) else { return };
        let changed = self.sides.changed(file);
        let old_imports = changed.and_then(|changed| changed.old.as_ref()).unwrap_or(side);
        for (number, import) in side.facts.flow.imports.iter().enumerate() {
            let is_same =
                |other: &Import| (&other.path, other.level, &other.name) == (&import.path, import.level, &import.name);
            let before = match changed {
                None => Some(number),
                Some(_) => old_imports.facts.flow.imports.iter().position(is_same),
            };
            let linked = || before.and_then(|at| self.states.old.import(old_file, at));
            let target = self.included(file, side, import).or_else(linked);
            let Some(target) = target else { continue };
            let module = before.and_then(|at| self.states.old.module(old_file, at));
            let from = module.and_then(|module| self.states.before.changed[module]);
            // A name that led to nothing before cannot get lost.
            let was_found = match target {
                NameTarget::Definition(..) => true,
                NameTarget::Variable(own, _) => own != old_file,
                _ => false,
            };
            let star_module = module.filter(|_| import.name.is_some() && was_found);
            let star = || Some(Referent::Name(*self.stars.get(&star_module?)?));
            let named = || self.referent(target, from, import.name.as_deref());
            let named = || named().filter(|&referent| !self.is_export(referent) || limits_imports(side.language));
            let gone =
                || self.gone(target).filter(|_| !matches!(target, NameTarget::Variable(own, _) if own == old_file));
            let Some(referent) = gone().or_else(named).or_else(star) else {
                continue;
            };
            if !self.may_be_loaded(side, import, file, referent) {
                continue;
            }
            let line = import.line.max(1);
            let is_touched = changed.is_some_and(|changed| changed.touches((line, line)));
            let is_lost = match (self.states.new.import(file, number), referent) {
                _ if self.included(file, side, import).is_some() => true,
                (None | Some(NameTarget::Missing), _) => true,
                (Some(target), Referent::Name(lost)) if self.is_export(referent) => {
                    let (new, name) = (self.states.new, symbol(self.lost[lost].name));
                    let module = new.module(file, number);
                    let is_from = |from| self.is_from(from, &self.lost[lost]);
                    [module, target.file()].into_iter().flatten().any(is_from)
                        && !module.is_some_and(|module| is_from(module) && new.passes_on(module, name))
                }
                // A name that stands for nothing but itself.
                (Some(NameTarget::Variable(own, _)), _) => own == file,
                // A path that names the namespace leads outside only because nothing has it.
                (Some(NameTarget::Outside), referent) => {
                    !matches!(referent, Referent::Name(_)) || side.language.spec.modules.suffix
                }
                _ => false,
            };
            if is_lost && !is_touched {
                let (around, form) = (String::new(), ReferenceForm::Import);
                let module = self.states.new.module(file, number).filter(|_| import.name.is_some());
                let is_passed_on = module.is_some_and(|module| self.states.new.has_outside_star(module));
                let may_be_outside = is_passed_on || self.is_passed_on_from_outside(referent);
                let is_guess = may_be_outside || self.is_supplied(referent);
                found.push((referent, Reference { file, line, around, form, is_guess, may_be_outside }));
            }
        }
    }

    /// Checks whether the file of a lost name passes on all names of something outside the repository.
    fn is_passed_on_from_outside(&self, referent: Referent) -> bool {
        let Referent::Name(number) = referent else { return false };
        self.lost[number].owner.is_none() && self.open.contains(&self.lost[number].changed)
    }

    /// Checks whether a use may refer to a name of something outside the repository, all of whose names
    /// its file imports, or the module before the name.
    fn may_be_outside(&self, name: &NameUse<'_, '_>, file: FileId, lost: &LostName<'_>) -> bool {
        let (side, new) = (name.side, self.states.new);
        if !name.chain.is_empty() {
            let module = name.owner(new, file, name.scope).filter(|_| lost.owner.is_none());
            return matches!(module, Some(NameTarget::Definition(module, LocalId::FILE)) if new.has_outside_star(module));
        }
        let mut stars = side.facts.flow.imports.iter().enumerate().filter(|&(at, _)| new.is_outside_star(file, at));
        let is_bound = || side.facts.flow.variables.iter().any(|variable| variable.symbol == name.name);
        match lost.owner {
            None => sees_own_file_only(side.language) && !is_bound() && stars.next().is_some(),
            Some(_) => stars.any(|(_, import)| {
                let words = &side.language.spec.modules.member_words;
                has_word(words, line_text(&side.text, import.line))
            }),
        }
    }

    /// Checks whether something is a name that a file still has, but no longer exports.
    fn is_export(&self, referent: Referent) -> bool {
        matches!(referent, Referent::Name(number) if self.lost[number].item == LostItem::Export)
    }

    /// Checks whether a file after the change is the one that lost a name.
    fn is_from(&self, file: FileId, lost: &LostName<'_>) -> bool {
        self.states.after.changed[file] == Some(lost.changed)
    }

    /// Checks whether the build may supply what an import leads to.
    fn is_supplied(&self, referent: Referent) -> bool {
        match referent {
            Referent::Name(number) => self.lost[number].doubts.may_be_supplied,
            Referent::File(at) | Referent::Folder(at) => {
                let changed = &self.sides.files[at];
                let text = changed.old.as_ref().map_or("", |old| &old.text);
                may_be_generated(&changed.old_path, text) || is_rewritten(self.sides, changed)
            }
        }
    }

    /// Checks whether an import may lead to a file or directory that is gone.
    fn may_be_loaded(&self, side: &ParsedSide<'_>, import: &Import, file: FileId, referent: Referent) -> bool {
        let path = match referent {
            Referent::Name(_) => return true,
            Referent::File(at) => &self.sides.files[at].old_path[..],
            Referent::Folder(at) => folder(&self.sides.files[at].old_path),
        };
        may_be_loaded(side.language, import, self.sides.graph.path(file), path)
    }

    /// Checks whether a use sees a lost name without naming the scope that it is from.
    fn is_in_scope(&self, name_use: &NameUse<'_, '_>, old: (FileId, LocalId), lost: &LostName<'_>) -> bool {
        let side = name_use.side;
        let around = &side.facts.definitions[name_use.scope].qualified_name;
        let inherits =
            |parent| self.old_of.get(&lost.changed).is_some_and(|&from| self.states.old.inherits(old, (from, parent)));
        is_in_scope(self.sides, lost, (side.language, around, &side.text), inherits)
    }

    /// Returns the file before the change that an include means by the end of its path, if that
    /// file is gone and no other file has such a path.
    fn included(&self, file: FileId, side: &ParsedSide<'_>, import: &Import) -> Option<NameTarget> {
        let path = import.path.join("/");
        let ends = |full: &str| {
            let stem = full.rsplit_once('.').map_or(full, |(stem, _)| stem);
            let before = full.strip_suffix(&path[..]).or_else(|| stem.strip_suffix(&path[..]));
            before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        if !side.language.spec.modules.include || path.is_empty() {
            return None;
        }
        let own = format!("{}/{path}", folder(self.sides.graph.path(file)));
        let is_own = |&at: &usize| {
            let (old, own) = (&self.sides.files[at].old_path[..], own.trim_start_matches('/'));
            old == own || without_ending(old) == own
        };
        let mut elsewhere = self.states.files.iter().filter(|&&file| ends(self.sides.graph.path(file)));
        let gone = self.gone.iter().filter(|&(_, &at)| ends(&self.sides.files[at].old_path));
        // A file that was in the directory of the including file is found elsewhere only if that is a
        // directory in which the compiler looks.
        let mut is_found = |(_, at): (&FileId, &usize)| match is_own(at) {
            true => elsewhere.any(|&other| self.is_searched(other, &path)),
            false => elsewhere.next().is_some(),
        };
        let (file, at) = gone.min_by_key(|&(file, at)| (!is_own(at), *file))?;
        (!is_found((file, at))).then_some(NameTarget::Definition(*file, LocalId::FILE))
    }

    /// Checks whether the compiler may look in the directory from which a path leads to a file: the
    /// change did not add the file, or other directories include files from there.
    fn is_searched(&self, file: FileId, path: &str) -> bool {
        let graph = self.sides.graph;
        let full = graph.path(file);
        let root = full.strip_suffix(path).or_else(|| without_ending(full).strip_suffix(path)).unwrap_or_default();
        let is_moved = self.sides.changed(file).is_some_and(|one| one.old_path != graph.path(file));
        let paths = graph.file_ids().map(|file| graph.path(file));
        let all: FxHashSet<&str> = paths.flat_map(|path| [path, without_ending(path)]).collect();
        let exists = |path: &str| all.contains(path.trim_start_matches('/'));
        let includes_from_root = |&other: &FileId| {
            let from = folder(graph.path(other));
            let mut paths = import_paths(&graph.facts(other)).into_iter().map(|path| path.join("/"));
            let is_moved = |from_root: &str| from_root == full || from_root == without_ending(full);
            from != root.trim_end_matches('/')
                && paths.any(|path| {
                    let from_root = format!("{root}{path}");
                    exists(&from_root) && !is_moved(&from_root) && !exists(&format!("{from}/{path}"))
                })
        };
        !is_moved || self.states.files.iter().any(includes_from_root)
    }

    /// Returns the gone file or directory that a target before the change is in.
    fn gone(&self, target: NameTarget) -> Option<Referent> {
        if let NameTarget::Directory(directory) = target {
            let (before, after) = (&self.states.before.paths, &self.states.after.paths);
            let path = &before.directories()[directory];
            let mut gone = self.gone.values().copied().filter(|&at| folder(&self.sides.files[at].old_path) == path);
            return gone.next().filter(|_| after.directory_at(path).is_none()).map(Referent::Folder);
        }
        target.file().and_then(|file| self.gone.get(&file)).map(|&changed| Referent::File(changed))
    }

    /// Returns the lost name that a target before the change belongs to. `from` is the changed file
    /// that the name was looked up in, which may only have passed it on from another module.
    fn referent(&self, target: NameTarget, from: Option<usize>, name: Option<&str>) -> Option<Referent> {
        if let Some(&number) = self.by_target.get(&target) {
            return Some(Referent::Name(number));
        }
        let mut numbers = self.by_name.get(name?)?.iter().copied();
        let own = target.file().and_then(|file| self.states.before.changed[file]);
        let is_it = |lost: &LostName<'_>| match lost.item {
            LostItem::Import(_) => Some(lost.changed) == from,
            LostItem::Export => [from, own].contains(&Some(lost.changed)),
            _ => false,
        };
        numbers.find(|&number| is_it(&self.lost[number])).map(Referent::Name)
    }

    fn add_names(
        &self,
        file: FileId,
        side: &ParsedSide<'_>,
        names: &FxHashSet<&str>,
        found: &mut Vec<(Referent, Reference)>,
    ) {
        let Some(&old_file) = self.old_files.get(&file) else { return };
        let named = side
            .identifiers()
            .filter(|&(at, _)| names.contains(side.node(at)) && !is_argument_name(side, at) && !is_imported(side, at));
        for (at, node) in named {
            let (name, line) = (side.node(at), line_at(&side.text, node.start as usize));
            let is_own_name = |one: &Definition| one.line == line && one.name == name;
            let is_touched = self.sides.changed(file).is_some_and(|changed| changed.touches((line, line)));
            if is_touched || side.facts.definitions.iter().any(is_own_name) {
                continue;
            }
            let (at, scope) = (node.start as usize, side.scope_at(node.start));
            let Some(chain) = chain_before(&side.text, at) else { continue };
            if is_macro_name(self.sides, self.sides.definition(file, scope), &side.text, at, name) {
                continue;
            }
            let name_use = NameUse { side, scope, chain: &chain, name: symbol(name) };
            let Some((number, old_scope)) = self.lost_name(&name_use, (file, old_file), name) else { continue };
            let is_call = side.text[node.end as usize..].trim_start().starts_with('(');
            let lost = &self.lost[number];
            let Some(is_guess) = self.is_lost(&name_use, file, name_use.scope, lost) else { continue };
            let is_library = chain.first().is_some_and(|first| is_library(side.language, first));
            let is_bare = chain.is_empty() && !imports(side, symbol(name));
            let may_be_outside =
                self.is_passed_on_from_outside(Referent::Name(number)) || self.may_be_outside(&name_use, file, lost);
            let is_guess = is_guess
                || is_library
                || is_in_condition(side.language, &side.text, at)
                || (is_bare && imports_more(self.sides, file))
                || lost.doubts.may_be_supplied
                || may_be_outside
                || (lost.doubts.is_moved && lost.owner.is_some())
                || (is_bare && (lost.doubts.is_added || !self.is_in_scope(&name_use, (old_file, old_scope), lost)));
            // The code around an error may be misread.
            if (is_guess && side.facts.has_errors) || (!is_call && self.may_be_parameter(&name_use, number)) {
                continue;
            }
            let around = side.facts.definitions[name_use.scope].qualified_name.clone();
            let form = if is_call { ReferenceForm::Call } else { ReferenceForm::Other };
            found.push((Referent::Name(number), Reference { file, line, around, form, is_guess, may_be_outside }));
        }
    }

    /// Returns the lost name that a name referred to before the change, and the scope of the use
    /// before the change. `files` are the numbers of its file after and before the change.
    fn lost_name(&self, name_use: &NameUse<'_, '_>, files: (FileId, FileId), name: &str) -> Option<(usize, LocalId)> {
        let (file, old_file) = files;
        let scope = match self.sides.changed(file) {
            Some(changed) => same_scope(name_use.side, name_use.scope, changed)?,
            None => name_use.scope,
        };
        let before = name_use.target(self.states.old, old_file, scope)?;
        let own = self.sides.changed_index(file).filter(|_| name_use.chain.is_empty());
        let is_in_file = matches!(before, NameTarget::Definition(..) | NameTarget::Variable(..));
        match self.referent(before, own, Some(name)).filter(|_| is_in_file)? {
            Referent::Name(number) if self.lost[number].item == LostItem::Export => {
                self.needs_export(name_use, (old_file, scope), number).then_some((number, scope))
            }
            Referent::Name(number) => Some((number, scope)),
            _ => None,
        }
    }

    /// Checks whether a use needs a file to export a name: it names the file before the name, or sees
    /// the name only because the file imports all names. Another use follows an import of the name.
    fn needs_export(&self, name_use: &NameUse<'_, '_>, old: (FileId, LocalId), number: usize) -> bool {
        let NameUse { side, chain, name, .. } = *name_use;
        if limits_imports(side.language) {
            let owner = name_use.owner(self.states.old, old.0, old.1).filter(|_| !chain.is_empty());
            let file = owner.and_then(NameTarget::file);
            return file.is_some_and(|file| self.states.before.changed[file] == Some(self.lost[number].changed));
        }
        chain.is_empty() && side.facts.flow.variables.iter().all(|variable| variable.symbol != name)
    }

    /// Checks whether a name that is not called may be that of a parameter in a declaration.
    fn may_be_parameter(&self, name_use: &NameUse<'_, '_>, number: usize) -> bool {
        let scopes = &name_use.side.language.spec.scopes;
        let is_anywhere = name_use.chain.is_empty() && scopes.visibility == Visibility::Repository;
        self.lost[number].is_function && is_anywhere && !scopes.implicit_members()
    }

    /// Checks whether a name refers to nothing after the change. Returns whether that is uncertain,
    /// or `None` if the name still refers to something.
    fn is_lost(&self, name: &NameUse<'_, '_>, file: FileId, scope: LocalId, lost: &LostName<'_>) -> Option<bool> {
        let new = self.states.new;
        match name.target(new, file, scope) {
            // Another module may have the name, too, if the file imports all names of several.
            Some(target) if lost.item == LostItem::Export => {
                let module = name.owner(new, file, scope).filter(|_| !name.chain.is_empty()).and_then(NameTarget::file);
                let is_same = [module, target.file()].into_iter().flatten().any(|from| self.is_from(from, lost));
                let stars = name.side.facts.flow.imports.iter().filter(|import| import.variable.is_none());
                is_same.then(|| !limits_imports(name.side.language) && stars.count() > 1)
            }
            None | Some(NameTarget::Missing) => {
                let owner = lost.owner.and_then(|_| name.owner(new, file, scope));
                let is_visible = name.side.language.spec.scopes.visibility == Visibility::Repository;
                let is_defined =
                    || name.chain.is_empty() && is_visible && !self.sides.graph.named(lost.name).is_empty();
                let may_inherit = |owner: NameTarget| match owner {
                    NameTarget::Definition(file, local) => match self.states.after.now[file] {
                        Some(now) => may_inherit(self.sides, self.sides.definition(now, local), lost.name),
                        None => true,
                    },
                    _ => true,
                };
                let is_open = |owner| new.has_outside_base(owner) && may_inherit(owner);
                Some(owner.is_some_and(is_open) || is_defined())
            }
            Some(NameTarget::Outside) if name.chain.is_empty() && name.side.language.spec.modules.suffix => Some(false),
            // A function with that name elsewhere, which existed before the change.
            Some(target) if name.chain.is_empty() && lost.owner.is_none() => {
                let is_old = target.file().is_some_and(|file| self.states.after.changed[file].is_none());
                let is_visible = name.side.language.spec.scopes.visibility == Visibility::Repository;
                let is_own = target.file() == Some(file);
                (is_old && is_visible && !is_own && !matches!(lost.item, LostItem::Import(_))).then_some(true)
            }
            Some(_) => None,
        }
    }
}

/// Checks whether a file imports a name.
fn imports(side: &ParsedSide<'_>, name: Symbol) -> bool {
    let flow = &side.facts.flow;
    flow.imports.iter().filter_map(|import| import.variable).any(|variable| flow.variables[variable].symbol == name)
}

/// Checks whether a file sees only the names that it declares or imports.
fn sees_own_file_only(language: &Language) -> bool {
    language.spec.scopes.visibility == Visibility::File
}

/// Checks whether files that import a changed file also see all names of something outside the
/// repository.
fn passes_on_outside_names(changed: &ChangedFile<'_>, new: &NameResolver<'_>) -> bool {
    let (Some(file), Some(side)) = (changed.file, &changed.new) else { return false };
    let words = &side.language.spec.api.public_words;
    let is_public = |import: &Import| {
        let line = line_text(&side.text, import.line);
        import.is_shared || sees_own_file_only(side.language) && (words.is_empty() || has_word(words, line))
    };
    let mut imports = side.facts.flow.imports.iter().enumerate();
    imports.any(|(number, import)| new.is_outside_star(file, number) && is_public(import))
}

/// Checks whether the names that a file exports limit imports of single names, too.
fn limits_imports(language: &Language) -> bool {
    language.spec.modules.exports != ExportRule::Stars
}

/// Checks whether a name is the namespace of a library.
pub(super) fn is_library(language: &Language, name: &str) -> bool {
    language.spec.scopes.libraries.iter().any(|library| library == name)
}

/// Checks whether a leaf is part of an import.
fn is_imported(side: &ParsedSide<'_>, at: u32) -> bool {
    let nodes = side.nodes();
    let parent = |at: &u32| Some(nodes[*at as usize].parent).filter(|parent| parent != at);
    let mut around = std::iter::successors(Some(at), parent).skip(1).take(MAX_CHAIN);
    around.any(|at| side.language.meaning(nodes[at as usize].kind).uses.import)
}

/// Checks whether a leaf is the name of an argument: `key=value`.
fn is_argument_name(side: &ParsedSide<'_>, at: u32) -> bool {
    let nodes = side.nodes();
    let node = nodes[at as usize];
    let parent = &nodes[node.parent as usize];
    side.language.meaning(parent.kind).keyword.is_some() && parent.start == node.start && parent.end > node.end
}

/// Returns the scope before the change that corresponds to a scope after it.
fn same_scope(side: &ParsedSide<'_>, scope: LocalId, changed: &ChangedFile<'_>) -> Option<LocalId> {
    let old = changed.old.as_ref()?;
    let mut scope = scope;
    loop {
        let name = &side.facts.definitions[scope].qualified_name;
        let same = old.facts.definitions.enumerate().find(|(_, one)| one.qualified_name == *name);
        match same {
            Some((id, _)) if !name.is_empty() => return Some(id),
            _ if scope == LocalId::FILE => return Some(LocalId::FILE),
            _ => scope = side.facts.definitions[scope].parent,
        }
    }
}
