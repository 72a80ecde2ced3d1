//! Finds uses of removed names that the type of an object, or an implicit scope, leads to: fields,
//! properties, enum variants, constants and inherited members. A use is lost if it referred to the
//! removed item before the change, and to nothing after it.
//!
//! **Cost:** the names of both states, and the syntax trees of at most [`MAX_FILES`] files with a
//! removed name, which [`super::references::mentions`] finds.

use super::bases::may_inherit;
use super::before::State;
use super::lost_mentions::Mention;
use super::lost_name::{LostItem, LostName};
use super::macro_names::{is_in_condition, is_macro_name};
use super::names::{chain_before, line_at, may_have_type};
use super::proof::{imports_more, is_in_scope, may_have_method};
use super::references::{MAX_FILES, Reference, ReferenceForm, is_library};
use super::sides::{ChangedFile, ParsedSide, Sides};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use whichfn_graph::{Object, Referent, UseResolver};
use whichfn_index::fragment::SyntaxTree;
use whichfn_search::answer::{FileSyntax, Position};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::Visibility;
use whichfn_syntax::parse::{Symbol, symbol};
use whichfn_text::occurrences;

/// Searches for uses of removed names.
pub(super) struct UseSearch<'r, 's, 'a> {
    sides: &'s Sides<'a>,
    /// Linked files after the change that contain lost names, with these names.
    mentions: &'r [Mention<'s>],
    lost: &'r [LostName<'s>],
    /// File before the change, by its file after the change.
    old_files: FxHashMap<FileId, FileId>,
    old: UseResolver<'r>,
    new: UseResolver<'r>,
    /// Lost names by what they referred to.
    targets: FxHashMap<TargetKey, usize>,
    /// Numbers of the changed files before the change, by index in [`Sides::files`].
    old_of: BTreeMap<usize, FileId>,
}

/// A definition, or a value by its parent and name, before the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum TargetKey {
    Definition(FileId, LocalId),
    Value(FileId, LocalId, Symbol),
}

/// A file in one state.
struct FileState<'t> {
    file: FileId,
    syntax: FileSyntax<'t>,
    /// For each definition except the file itself, its bytes.
    scopes: Vec<std::ops::Range<u32>>,
    /// Offsets at which the file declares values.
    declared: Vec<u32>,
    /// Names and lines of definitions.
    lines: Vec<(&'t str, u32)>,
}

impl<'r, 's, 'a> UseSearch<'r, 's, 'a> {
    /// Declares the values with lost names in both states. `old_linked` and `files` are the linked
    /// files before and after the change, sorted.
    pub fn new(
        sides: &'s Sides<'a>,
        (before, after): (&State<'r>, &State<'r>),
        (old_linked, files, mentions): (&[FileId], &[FileId], &'r [Mention<'s>]),
        lost: &'r [LostName<'s>],
        [mut old, mut new]: [UseResolver<'r>; 2],
    ) -> Self {
        let old_files: FxHashMap<FileId, FileId> =
            before.now.enumerate().filter_map(|(file, now)| Some(((*now)?, file))).collect();
        let names: FxHashMap<&str, Symbol> = lost.iter().map(|one| (one.name, symbol(one.name))).collect();
        for &file in files {
            for value in sides.graph.named_values_of(file) {
                let Some(&name) = names.get(value.name) else { continue };
                let parent = sides.graph.local(value.parent);
                new.declare(file, parent, name);
                if let Some(&old_file) = old_files.get(&file).filter(|_| after.changed[file].is_none()) {
                    old.declare(old_file, parent, name);
                }
            }
        }
        let old_of: BTreeMap<usize, FileId> =
            before.changed.enumerate().filter_map(|(file, changed)| Some(((*changed)?, file))).collect();
        // The resolvers know only the files of their own languages.
        let is_linked = |file: &FileId| old_linked.binary_search(file).is_ok();
        let old_of: BTreeMap<usize, FileId> = old_of.into_iter().filter(|(_, file)| is_linked(file)).collect();
        for (&changed, &file) in &old_of {
            for value in sides.files[changed].old.iter().flat_map(|side| &side.facts.named_values) {
                if let Some(&name) = names.get(&value.name[..]) {
                    old.declare(file, value.parent, name);
                }
            }
        }
        let mut targets = FxHashMap::default();
        for (number, one) in lost.iter().enumerate() {
            let (Some(&file), Some(side)) = (old_of.get(&one.changed), &sides.files[one.changed].old) else { continue };
            let value = |parent| match old.value(file, parent, names[one.name]) {
                Referent::Value(file, parent, name) => Some(TargetKey::Value(file, parent, name)),
                _ => None,
            };
            let key = match one.item {
                LostItem::Definition(local) => Some(TargetKey::Definition(file, local)),
                LostItem::Variable(id) => value(side.facts.flow.variables[id].scope),
                LostItem::Value(parent) => value(parent),
                LostItem::Import(_) | LostItem::Star | LostItem::Export => None,
            };
            targets.extend(key.map(|key| (key, number)));
        }
        Self { sides, mentions, lost, old_files, old, new, targets, old_of }
    }

    /// Returns all uses in unmodified code, with the numbers of the lost names.
    pub fn run(&self) -> Vec<(usize, Reference)> {
        let wanted: FxHashSet<&str> = self.targets.values().map(|&number| self.lost[number].name).collect();
        let of_file = |(file, names): &Mention<'s>| {
            let names: Vec<&str> = names.iter().copied().filter(|name| wanted.contains(name)).collect();
            (!names.is_empty()).then_some((*file, names))
        };
        let mut found = Vec::new();
        for (file, names) in self.mentions.iter().filter_map(of_file).take(MAX_FILES) {
            let Some(&old_file) = self.old_files.get(&file) else { continue };
            match self.sides.changed(file) {
                Some(changed) => self.add_of_changed(changed, (file, old_file), &names, &mut found),
                None => self.add_of_unchanged((file, old_file), &names, &mut found),
            }
        }
        found
    }

    fn add_of_unchanged(
        &self,
        (file, old_file): (FileId, FileId),
        names: &[&str],
        found: &mut Vec<(usize, Reference)>,
    ) {
        let graph = self.sides.graph;
        let (Some(language), text) = (self.sides.language(file), self.sides.sources().text(file)) else { return };
        let tree = SyntaxTree::new(&graph.syntax(file));
        let scopes = graph.rows_of(file).skip(1).map(|row| row.start_byte..row.end_byte).collect();
        let declared = graph.named_values_of(file).map(|value| value.name_start).collect();
        let lines = graph.definitions_of(file).zip(graph.rows_of(file)).map(|(id, row)| (graph.name(id), row.line));
        let state = FileState {
            file,
            syntax: FileSyntax { language, tree, text: &text },
            scopes,
            declared,
            lines: lines.collect(),
        };
        for name in names {
            for offset in occurrences(&text, name) {
                self.add((&state, offset, old_file), (&state, offset), name, found);
            }
        }
    }

    fn add_of_changed(
        &self,
        changed: &ChangedFile<'_>,
        (file, old_file): (FileId, FileId),
        names: &[&str],
        found: &mut Vec<(usize, Reference)>,
    ) {
        let (Some(old), Some(new)) = (&changed.old, &changed.new) else { return };
        let (was, is) = (FileState::of_side(old_file, old), FileState::of_side(file, new));
        let mut lines: FxHashMap<&str, usize> = FxHashMap::default();
        let mut start = 0;
        for line in new.text.split_inclusive('\n') {
            let trimmed = line.trim();
            lines.entry(trimmed).or_insert(start + line.len() - line.trim_start().len());
            start += line.len();
        }
        for name in names {
            for offset in occurrences(&old.text, name) {
                let begin = old.text[..offset].rfind('\n').map_or(0, |at| at + 1);
                let line = old.text[begin..].lines().next().unwrap_or_default();
                let column = offset - begin - (line.len() - line.trim_start().len()).min(offset - begin);
                let Some(now) = lines.get(line.trim()).map(|start| start + column) else { continue };
                self.add((&was, offset, old_file), (&is, now), name, found);
            }
        }
    }

    /// Adds a use, if it is lost. `was` and `is` are the places of the name in the two states.
    fn add(
        &self,
        was: (&FileState<'_>, usize, FileId),
        is: (&FileState<'_>, usize),
        name: &str,
        found: &mut Vec<(usize, Reference)>,
    ) {
        let (was, old_offset, old_file) = was;
        let (is, offset) = is;
        let Some(Found { referents: before, .. }) = was.referents(&self.old, old_file, old_offset, name) else {
            return;
        };
        let number = before.iter().find_map(|&referent| self.targets.get(&TargetKey::of(referent)?).copied());
        let Some(Found { referents: after, object, is_import, is_missing }) =
            is.referents(&self.new, is.file, offset, name)
        else {
            return;
        };
        let is_something = |&&referent: &&Referent| !self.is_file_of_target(referent, number);
        let after: Vec<Referent> = after.iter().filter(is_something).copied().collect();
        // The other types of an object do not have the member.
        let is_foreign = |all: &[Referent]| all.iter().all(|&one| one == Referent::Other);
        let others = |all: &[Referent]| all.iter().filter(|&&one| one == Referent::Other).count();
        if !is_foreign(&after)
            || (after.len() > others(&before) || (object.is_none() && !is_import && !after.is_empty()))
        {
            return;
        }
        let (number, by_name) = match number {
            Some(number) => (number, false),
            // An import that led outside the repository does so still.
            None if is_import || !is_foreign(&before) => return,
            None => match self.by_name(is, offset, object.as_ref(), name) {
                Some(found) => found,
                None => return,
            },
        };
        let lost = &self.lost[number];
        let scope = is.scope_at(offset);
        if is_macro_name(self.sides, self.sides.definition(is.file, scope), is.syntax.text, offset, name) {
            return;
        }
        let is_object_free = object.is_none();
        let in_named_type = self.in_named_type(is.syntax.text, offset, name) == Some(number);
        let is_unknown = object.is_some_and(|object| !self.new.is_known(is.file, scope, &object));
        let line = line_at(is.syntax.text, offset);
        let is_call = is.syntax.text[offset + name.len()..].trim_start().starts_with('(');
        let form = match () {
            () if is_import => ReferenceForm::Import,
            () if is_call => ReferenceForm::Call,
            () => ReferenceForm::Other,
        };
        let around = self.sides.graph.qualified_name(self.sides.definition(is.file, scope)).to_owned();
        let is_bare = is_object_free && !is_import && !is_missing;
        let is_uncertain = match in_named_type {
            true => lost.doubts.is_moved,
            false if is_bare => {
                lost.doubts.is_added || !self.is_in_scope((old_file, was.scope_at(old_offset)), (is, &around[..]), lost)
            }
            false => lost.doubts.is_added && !is_import,
        };
        let chain = chain_before(is.syntax.text, offset).unwrap_or_default();
        let is_library = chain.first().is_some_and(|first| is_library(is.syntax.language, first));
        let is_guess = is_library
            || by_name
            || is_in_condition(is.syntax.language, is.syntax.text, offset)
            || (is_bare && imports_more(self.sides, is.file))
            || is_unknown
            || is_uncertain
            || lost.doubts.may_be_supplied
            || self.may_be_inherited(lost)
            || (is_call && may_have_method(self.sides, lost, chain.first().copied().unwrap_or_default()));
        found.push((number, Reference { file: is.file, line, around, form, is_guess, may_be_outside: false }));
    }

    /// Checks whether a use sees a lost name without naming the scope that it is from.
    fn is_in_scope(&self, old: (FileId, LocalId), (is, around): (&FileState<'_>, &str), lost: &LostName<'_>) -> bool {
        let inherits =
            |parent| self.old_of.get(&lost.changed).is_some_and(|&from| self.old.inherits(old, (from, parent)));
        is_in_scope(self.sides, lost, (is.syntax.language, around, is.syntax.text), inherits)
    }

    /// Checks whether a name leads to the file of the lost item, and not to a definition in it.
    fn is_file_of_target(&self, referent: Referent, number: Option<usize>) -> bool {
        let Referent::Definition(file, LocalId::FILE) = referent else { return false };
        number.is_some_and(|number| self.sides.files[self.lost[number].changed].file == Some(file))
    }

    /// Returns the lost item that an unresolved name may refer to, and whether this is a guess. No
    /// other item has the name. A name by itself refers to the item of the repository in a language
    /// without imports. A member belongs to the type of an unknown object if the names of the
    /// object and the type are similar, or, where files are included as text, if the file has the
    /// name of the type.
    fn by_name(&self, is: &FileState<'_>, offset: usize, object: Option<&Object>, name: &str) -> Option<(usize, bool)> {
        let (graph, scopes, text) = (self.sides.graph, &is.syntax.language.spec.scopes, is.syntax.text);
        if let Some(number) = self.in_named_type(text, offset, name).filter(|&number| !self.is_hidden(number, is.file))
        {
            return Some((number, false));
        }
        let may_see = |number: usize| !self.is_hidden(number, is.file);
        let is_named = |&number: &usize| self.lost[number].name == name && may_see(number);
        let mut named = self.targets.values().copied().filter(is_named);
        let (number, None) = (named.next()?, named.next()) else { return None };
        let lost = &self.lost[number];
        let begin = text[..offset].rfind('\n').map_or(0, |at| at + 1);
        let before = &text[begin..offset + name.len()];
        let is_included = is.syntax.language.spec.modules.include;
        let is_global = scopes.visibility == Visibility::Repository && !lost.is_function;
        let may_be_it = match (object, lost.owner) {
            (None, None) => is_global,
            (None, Some(_)) => is_global && is_included,
            (Some(_), Some(owner)) => {
                let has_owner = || is_included && occurrences(text, owner).next().is_some();
                !lost.is_function && (may_have_type(before, name, owner) || has_owner())
            }
            (Some(Object::Name(_) | Object::Member(..)), None) => is_global,
            (Some(_), None) => false,
        };
        let is_only = || graph.named(name).is_empty() && graph.named_values().all(|value| value.name != name);
        (may_be_it && is_only()).then_some((number, object.is_some()))
    }

    /// Checks whether a lost definition was private to another file.
    fn is_hidden(&self, number: usize, file: FileId) -> bool {
        let lost = &self.lost[number];
        let LostItem::Definition(local) = lost.item else { return false };
        let old = self.sides.files[lost.changed].old.as_ref();
        let is_private = old.is_some_and(|old| old.facts.definitions[local].is_private);
        is_private && self.sides.changed_index(file) != Some(lost.changed)
    }

    /// Returns the lost member of the type whose name is written before a name: `Color` in
    /// `Color::Red`.
    fn in_named_type(&self, text: &str, offset: usize, name: &str) -> Option<usize> {
        let before = text[..offset].strip_suffix('$').unwrap_or(&text[..offset]);
        let chain = chain_before(before, before.len())?;
        let is_type = |id: DefinitionId| self.sides.graph.definition(id).kind().has_members();
        let is_only =
            |owner: &&str| self.sides.graph.named(owner).into_iter().filter(|&id| is_type(id)).take(2).count() == 1;
        let owner = chain.last().filter(|owner| is_only(owner))?;
        let is_it = |number: &usize| self.lost[*number].name == name && self.lost[*number].owner == Some(owner);
        self.targets.values().copied().find(is_it)
    }

    /// Checks whether the type of a lost member has a base outside the repository, which may have
    /// the member.
    fn may_be_inherited(&self, lost: &LostName<'_>) -> bool {
        let changed = &self.sides.files[lost.changed];
        let (Some(file), Some(old), Some(new)) = (changed.file, &changed.old, &changed.new) else { return false };
        let parent = match lost.item {
            LostItem::Definition(local) => old.facts.definitions[local].parent,
            LostItem::Variable(id) | LostItem::Import(id) => old.facts.flow.variables[id].scope,
            LostItem::Value(parent) => parent,
            LostItem::Star | LostItem::Export => LocalId::FILE,
        };
        let owner = &old.facts.definitions[parent];
        let mut same = new.facts.definitions.enumerate().filter(|(_, one)| one.qualified_name == owner.qualified_name);
        let is_outside = |local| {
            self.new.has_outside_base(file, local)
                && may_inherit(self.sides, self.sides.definition(file, local), lost.name)
        };
        owner.kind.has_members() && same.any(|(local, _)| is_outside(local))
    }
}

/// What a name may refer to at one place.
struct Found {
    referents: Vec<Referent>,
    /// The object that the name is a member of.
    object: Option<Object>,
    is_import: bool,
    /// True if the name is imported from a module of the repository that lacks it.
    is_missing: bool,
}

impl Found {
    fn new(referents: Vec<Referent>) -> Self {
        Self { referents, object: None, is_import: false, is_missing: false }
    }
}

impl TargetKey {
    fn of(referent: Referent) -> Option<Self> {
        match referent {
            Referent::Definition(file, local) => Some(Self::Definition(file, local)),
            Referent::Value(file, parent, name) => Some(Self::Value(file, parent, name)),
            Referent::Other => None,
        }
    }
}

impl<'t> FileState<'t> {
    fn of_side(file: FileId, side: &'t ParsedSide<'_>) -> Self {
        let facts = &side.facts;
        Self {
            file,
            syntax: FileSyntax { language: side.language, tree: SyntaxTree::new(&facts.syntax), text: &side.text },
            scopes: facts.definitions.iter().skip(1).map(|one| one.span.start_byte..one.span.end_byte).collect(),
            declared: facts.named_values.iter().map(|value| value.name_start).collect(),
            lines: facts.definitions.iter().map(|one| (&one.name[..], one.line)).collect(),
        }
    }

    fn scope_at(&self, offset: usize) -> LocalId {
        let around = self.scopes.iter().rposition(|range| range.contains(&(offset as u32)));
        around.map_or(LocalId::FILE, |at| LocalId::new(at + 1))
    }

    /// Returns what the name at an offset may refer to. Returns `None` if this place does not use
    /// the name.
    fn referents(&self, resolver: &UseResolver<'_>, file: FileId, offset: usize, name: &str) -> Option<Found> {
        let leaf = self.syntax.name_at(offset, name)?;
        let is_declared = self.declared.contains(&(offset as u32))
            || self.lines.iter().any(|&(one, line)| one == name && line == line_at(self.syntax.text, offset));
        let (scope, name) = (self.scope_at(offset), symbol(name));
        match self.syntax.position(leaf) {
            _ if is_declared && !self.syntax.is_shorthand(leaf) => None,
            position @ (Position::Plain | Position::Imported | Position::Shorthand(_))
                if resolver.lacks_import(file, scope, name) =>
            {
                Some(Found { is_import: position == Position::Imported, is_missing: true, ..Found::new(Vec::new()) })
            }
            Position::Plain => Some(Found::new(resolver.name(file, scope, name).into_iter().collect())),
            Position::Member(object) => {
                let referents = resolver.member(file, scope, &object, name);
                Some(Found { object: Some(object), ..Found::new(referents) })
            }
            Position::Imported => Some(Found { is_import: true, ..Found::new(resolver.imported(file, name)) }),
            Position::Argument(call) => resolver.argument(file, call, name).map(Found::new),
            Position::Quoted(leaf) => resolver.called(file, leaf).map(Found::new),
            Position::Key(Object::Unknown) | Position::Declared => None,
            Position::Shorthand(object) => {
                let variable = if is_declared { None } else { resolver.name(file, scope, name) };
                let referents = resolver.key(file, scope, &object, name).into_iter().chain(variable).collect();
                let object = (object != Object::Unknown).then_some(object);
                Some(Found { object, ..Found::new(referents) })
            }
            Position::Key(object) => {
                let referents = resolver.key(file, scope, &object, name);
                Some(Found { object: Some(object), ..Found::new(referents) })
            }
        }
    }
}
