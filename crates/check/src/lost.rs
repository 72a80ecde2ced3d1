//! The names that a change removed: definitions, and variables at the top level of a file or a
//! type.

use super::body::Body;
use super::lost_name::{LostItem, LostName, is_nameable};
use super::names::folder;
use super::proof::{AddedNames, doubts};
use super::sides::{ChangedFile, ParsedSide, Sides};
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId, VariableId};
use whichfn_syntax::lang::{DefinitionKind, ExportRule, Language, Visibility};
use whichfn_syntax::parse::{Definition, Import, NamedValue, Symbol, symbol};
use whichfn_text::occurrences;

/// Returns the path of a changed file, if nothing has that path any longer: the file was deleted or
/// moved.
pub(super) fn gone_path<'s>(sides: &Sides<'_>, changed: &'s ChangedFile<'_>) -> Option<&'s str> {
    let is_gone = changed.old.is_some() && changed.file.is_none_or(|file| sides.graph.path(file) != changed.old_path);
    is_gone.then_some(&changed.old_path[..])
}

/// Returns the names that the changed files no longer have. In a file that was deleted or moved to
/// another directory, these are all names.
pub(super) fn lost_names<'s, 'a>(sides: &'s Sides<'a>) -> Vec<LostName<'s>> {
    let files = sides.files.iter().enumerate();
    let lost = |(at, file): (usize, &'s ChangedFile<'a>)| file.old.as_ref().map(|old| lost_from(sides, at, old));
    let mut found: Vec<LostName<'s>> = files.filter_map(lost).flatten().collect();
    let added = if found.is_empty() { AddedNames::default() } else { AddedNames::new(sides) };
    for name in &mut found {
        name.doubts = doubts(sides, name, &added);
    }
    found
}

fn lost_from<'s, 'a>(sides: &'s Sides<'a>, changed: usize, old: &'s ParsedSide<'a>) -> Vec<LostName<'s>> {
    let file = &sides.files[changed];
    let now = file.file.map(|now| folder(sides.graph.path(now)));
    let new = file.new.as_ref().filter(|_| now == Some(folder(&file.old_path)));
    let kept = new.map(KeptNames::new).unwrap_or_default();
    let moved = file.new.as_ref().filter(|_| new.is_none()).map(KeptNames::new).unwrap_or_default();
    let names = ComparedFile { sides, changed, file, old, new, kept, moved };
    let mut found = names.lost_definitions();
    found.extend(names.lost_variables());
    found.extend(lost_values(changed, old, new, names.kept()));
    found.extend(new.into_iter().flat_map(|new| lost_stars(changed, old, new)));
    let is_other = |name: &LostName<'_>| found.iter().all(|one| one.owner.is_some() || one.name != name.name);
    let exports: Vec<_> = new.into_iter().flat_map(|new| lost_exports(changed, old, new)).filter(is_other).collect();
    found.extend(exports);
    found
}

/// A file before and after a change.
struct ComparedFile<'s, 'a> {
    sides: &'s Sides<'a>,
    changed: usize,
    file: &'s ChangedFile<'a>,
    old: &'s ParsedSide<'a>,
    /// The file after the change, if it is still in the same directory.
    new: Option<&'s ParsedSide<'a>>,
    /// Names that it still has.
    kept: KeptNames<'s>,
    /// Names that it still has in another directory: the methods of its extensions, and its own
    /// imports.
    moved: KeptNames<'s>,
}

impl<'s> ComparedFile<'s, '_> {
    fn kept(&self) -> Option<&KeptNames<'s>> {
        self.new.map(|_| &self.kept)
    }

    fn lost_definitions(&self) -> Vec<LostName<'s>> {
        let (changed, old) = (self.changed, self.old);
        let fields: FxHashSet<(LocalId, &str)> =
            old.facts.named_values.iter().map(|value| (value.parent, &value.name[..])).collect();
        let definitions = old.facts.definitions.enumerate().skip(1);
        let lost = definitions.filter_map(|(id, definition)| {
            let owner = self.owner_of(definition)?;
            // A field that shared the name of a method before the change does not take its place.
            let shared =
                || definition.kind.is_function() && fields.contains(&(definition.parent, &definition.name[..]));
            let scope = scope_name(old, definition.parent).unwrap_or_default();
            let is_kept = self.kept.variables.contains(&(scope, symbol(&definition.name))) && !shared();
            if is_kept || !is_nameable(definition) || self.has(definition, owner) {
                return None;
            }
            let (item, name) = (LostItem::Definition(id), &definition.name[..]);
            let is_function = definition.kind.is_function() && definition.kind != DefinitionKind::Macro;
            let lost = LostName::new(changed, item, name, definition.qualified_name.clone());
            Some(LostName { owner, is_function, ..lost })
        });
        lost.collect()
    }

    /// Returns the type that the name of a definition is a member of; see [`owner`].
    fn owner_of(&self, definition: &'s Definition) -> Option<Option<&'s str>> {
        let out_of_line = definition.owner.and_then(|_| owner_in_name(self.old, definition));
        // Calls of a method that extends other types do not name its type.
        let extends = || is_extension(self.old.language, &definition.signature);
        let around = || Some(&self.old.facts.definitions[definition.parent].name[..]);
        match out_of_line {
            Some(owner) => Some(Some(owner)),
            None => owner(self.old, definition.parent, self.kept()).or_else(|| extends().then(around)),
        }
    }

    /// Checks whether code may still refer to a definition: the file or another one still has it.
    fn has(&self, definition: &Definition, owner: Option<&str>) -> bool {
        let Self { sides, file, old, new, .. } = *self;
        let (name, qualified_name) = (&definition.name[..], &definition.qualified_name[..]);
        // A library outside the repository may have the namespace.
        let is_open =
            matches!(old.language.spec.scopes.visibility, Visibility::Repository) && !definition.kind.is_function();
        self.kept.definitions.contains(qualified_name)
            || owner.is_some() && self.moved.definitions.contains(qualified_name)
            || new.is_some_and(|new| is_misread(old, new, definition) || is_aliased(new, name))
            || is_open && (definition.kind == DefinitionKind::Module || is_reopened(sides, definition))
            || owner.is_none() && is_in_package(sides, file, old, name)
            || owner.is_some() && is_in_new_mixin(sides, name)
    }

    fn lost_variables(&self) -> Vec<LostName<'s>> {
        let Self { changed, old, new, .. } = *self;
        let defined: FxHashSet<(LocalId, Symbol)> =
            old.facts.definitions.iter().skip(1).map(|one| (one.parent, symbol(&one.name))).collect();
        let written: FxHashMap<(LocalId, Symbol), &NamedValue> =
            old.facts.named_values.iter().map(|value| ((value.parent, symbol(&value.name)), value)).collect();
        let imported: FxHashSet<VariableId> =
            old.facts.flow.imports.iter().filter_map(|import| import.variable).collect();
        let imports: FxHashSet<Symbol> = imported.iter().map(|&id| old.facts.flow.variables[id].symbol).collect();
        let is_lost = |scope: LocalId, name: Symbol| {
            let around = scope_name(old, scope).unwrap_or_default();
            // Other top-level variables are local to the file.
            let is_visible = written.contains_key(&(scope, name)) || scope != LocalId::FILE || imports.contains(&name);
            let is_kept = written.get(&(scope, name)).is_some_and(|value| is_written(old, new, value));
            is_visible
                && !is_kept
                && !defined.contains(&(scope, name))
                && !self.kept.variables.contains(&(around, name))
        };
        let variables = old.facts.flow.variables.enumerate();
        let lost: Vec<_> = variables.filter(|(_, one)| is_lost(one.scope, one.symbol)).collect();
        let spelled = if lost.is_empty() { FxHashMap::default() } else { spelled_names(old) };
        let lost = lost.into_iter().filter_map(|(id, variable)| {
            let owner = owner(old, variable.scope, self.kept())?;
            let name = *spelled.get(&variable.symbol)?;
            let item = match imported.contains(&id) {
                true if self.file.new.is_none() || self.moved.names.contains(&variable.symbol) => return None,
                true => LostItem::Import(id),
                false => LostItem::Variable(id),
            };
            let is_supplied =
                owner.is_none() && !imported.contains(&id) && is_in_package(self.sides, self.file, old, name);
            (!is_supplied).then(|| member(changed, old, item, name, owner))
        });
        lost.collect()
    }
}

/// Returns a lost name that is no definition; `owner` is the type that it is a member of.
fn member<'s>(
    changed: usize,
    old: &ParsedSide<'_>,
    item: LostItem,
    name: &'s str,
    owner: Option<&'s str>,
) -> LostName<'s> {
    let qualified_name = match owner {
        Some(owner) => format!("{owner}{}{name}", old.language.spec.head.qualifier),
        None => name.to_owned(),
    };
    LostName { owner, ..LostName::new(changed, item, name, qualified_name) }
}

/// Returns the names that a file no longer exports.
fn lost_exports<'s>(
    changed: usize,
    old: &'s ParsedSide<'_>,
    new: &ParsedSide<'_>,
) -> impl Iterator<Item = LostName<'s>> {
    let (before, after) = (&old.facts.exports.names, &new.facts.exports);
    let is_listed = !after.names.is_empty() || new.language.spec.modules.exports == ExportRule::All;
    let is_known = is_listed && !after.has_others && !new.facts.has_errors;
    let lost = before.iter().filter(move |name| is_known && !after.names.contains(name));
    lost.map(move |name| LostName::new(changed, LostItem::Export, name, name.clone()))
}

/// Returns the modules whose names a file no longer passes on.
fn lost_stars<'s>(changed: usize, old: &'s ParsedSide<'_>, new: &ParsedSide<'_>) -> impl Iterator<Item = LostName<'s>> {
    let is_star = |import: &&Import| import.variable.is_none() && import.name.is_none();
    let kept = new.facts.flow.imports.iter().filter(is_star);
    let kept: Vec<_> = kept.map(|import| (import.path.clone(), import.level)).collect();
    let is_included = old.language.spec.modules.include;
    let stars = old.facts.flow.imports.iter().filter(is_star).filter(move |_| !is_included);
    let lost = stars.filter(move |import| !kept.contains(&(import.path.clone(), import.level)));
    lost.filter_map(move |import| {
        let name = import.path.last()?;
        Some(LostName::new(changed, LostItem::Star, name, format!("all names of {name}")))
    })
}

/// Returns the named values that a file no longer has, without those that are variables.
fn lost_values<'s>(
    changed: usize,
    old: &'s ParsedSide<'_>,
    new: Option<&ParsedSide<'_>>,
    kept: Option<&KeptNames<'_>>,
) -> Vec<LostName<'s>> {
    let facts = &old.facts;
    let variables: FxHashSet<(LocalId, Symbol)> =
        facts.flow.variables.iter().map(|one| (one.scope, one.symbol)).collect();
    let is_lost = |value: &&'s NamedValue| {
        let name = symbol(&value.name);
        let scope = scope_name(old, value.parent).unwrap_or_default();
        // The values of an interface that became another kind of type may be elsewhere.
        let owner = (scope, facts.definitions[value.parent].kind);
        let is_comparable = value.parent == LocalId::FILE || kept.is_none_or(|kept| kept.kinds.contains(&owner));
        !variables.contains(&(value.parent, name))
            && is_comparable
            && !is_written(old, new, value)
            && !kept.is_some_and(|kept| kept.has(scope, name))
    };
    let lost = |value: &'s NamedValue| {
        let owner = owner(old, value.parent, kept)?;
        Some(member(changed, old, LostItem::Value(value.parent), &value.name, owner))
    };
    facts.named_values.iter().filter(is_lost).filter_map(lost).collect()
}

/// Checks whether a function extends the type of its first parameter (`this string text`).
pub(super) fn is_extension(language: &Language, signature: &str) -> bool {
    language.spec.idioms.extended_markers.iter().any(|marker| signature.contains(&format!("({marker}")))
}

/// Returns the type that a scope's names are members of, or `Some(None)` for the top level of a
/// file or module. Returns `None` if other code cannot see the scope, or if the change removed the
/// type as a whole.
fn owner<'s>(old: &'s ParsedSide<'_>, scope: LocalId, kept: Option<&KeptNames<'_>>) -> Option<Option<&'s str>> {
    let around = old.facts.definitions.get(scope)?;
    match around.kind {
        DefinitionKind::Module => Some(None),
        // The name of any type, which code elsewhere does not mean: `impl<S: Sink> Sink for &mut S`.
        DefinitionKind::Extension if binds(old, scope, &around.name) => None,
        DefinitionKind::Extension => Some(Some(&around.name)),
        kind if kind.has_members() => {
            kept.is_some_and(|kept| kept.definitions.contains(&around.qualified_name[..])).then_some(Some(&around.name))
        }
        _ => None,
    }
}

/// Checks whether a scope has a variable or a type parameter with a name.
fn binds(side: &ParsedSide<'_>, scope: LocalId, name: &str) -> bool {
    let name = symbol(name);
    side.facts.flow.variables.iter().any(|variable| variable.scope == scope && variable.symbol == name)
}

/// Returns the type that a method written outside its type belongs to: `Context` for
/// `Context.Next`.
fn owner_in_name<'s>(old: &ParsedSide<'_>, definition: &'s Definition) -> Option<&'s str> {
    let before = definition.qualified_name.strip_suffix(&definition.name[..])?;
    before.strip_suffix(&old.language.spec.head.qualifier[..]).filter(|owner| !owner.is_empty())
}

/// The names of a file after the change.
#[derive(Default)]
struct KeptNames<'s> {
    /// Qualified names of definitions.
    definitions: FxHashSet<&'s str>,
    /// Variables, fields and enum variants: the qualified name of the scope, and the name.
    variables: FxHashSet<(&'s str, Symbol)>,
    /// Definitions: the qualified name of the scope, and the name.
    defined: FxHashSet<(&'s str, Symbol)>,
    /// Qualified names and kinds of definitions.
    kinds: FxHashSet<(&'s str, DefinitionKind)>,
    /// Names of variables.
    names: FxHashSet<Symbol>,
}

impl<'s> KeptNames<'s> {
    fn new(side: &'s ParsedSide<'_>) -> Self {
        let facts = &side.facts;
        let variable = |scope: LocalId, name| Some((scope_name(side, scope)?, name));
        Self {
            definitions: facts
                .definitions
                .iter()
                .filter(|one| is_nameable(one))
                .map(|one| &one.qualified_name[..])
                .collect(),
            variables: facts
                .flow
                .variables
                .iter()
                .map(|one| (one.scope, one.symbol))
                .chain(facts.named_values.iter().map(|one| (one.parent, symbol(&one.name))))
                .filter_map(|(scope, name)| variable(scope, name))
                .collect(),
            kinds: facts.definitions.iter().map(|one| (&one.qualified_name[..], one.kind)).collect(),
            names: facts.flow.variables.iter().map(|one| one.symbol).collect(),
            defined: facts.definitions.iter().filter_map(|one| variable(one.parent, symbol(&one.name))).collect(),
        }
    }

    fn has(&self, scope: &'s str, name: Symbol) -> bool {
        self.variables.contains(&(scope, name)) || self.defined.contains(&(scope, name))
    }
}

/// Checks whether a file still has the line that declares a value.
fn is_written(old: &ParsedSide<'_>, new: Option<&ParsedSide<'_>>, value: &NamedValue) -> bool {
    let start = old.text[..value.name_start as usize].rfind('\n').map_or(0, |at| at + 1);
    let line = old.text[start..].lines().next().unwrap_or_default().trim();
    new.is_some_and(|new| new.text.lines().any(|other| other.trim() == line))
}

/// Returns the qualified name of a scope; empty for the file itself, whose name changes if it
/// moves.
fn scope_name<'s>(side: &'s ParsedSide<'_>, scope: LocalId) -> Option<&'s str> {
    let around = side.facts.definitions.get(scope)?;
    Some(if scope == LocalId::FILE { "" } else { &around.qualified_name[..] })
}

/// Checks whether another file of the same package still has a top-level name.
fn is_in_package(sides: &Sides<'_>, file: &ChangedFile<'_>, old: &ParsedSide<'_>, name: &str) -> bool {
    let graph = sides.graph;
    let is_here = |other: FileId| folder(graph.path(other)) == folder(&file.old_path);
    let is_shared = matches!(old.language.spec.scopes.visibility, Visibility::Directory | Visibility::Package);
    let is_top = |id: DefinitionId| graph.local(id) == LocalId::FILE;
    let defines = |id: DefinitionId| is_here(graph.definition(id).file) && is_top(graph.definition(id).parent);
    let has_value = |file: FileId| graph.named_values_of(file).any(|value| value.name == name && is_top(value.parent));
    is_shared
        && (graph.named(name).into_iter().any(defines) || graph.file_ids().filter(|&file| is_here(file)).any(has_value))
}

/// Checks whether the change added a method with a name to a trait or module that types mix in.
fn is_in_new_mixin(sides: &Sides<'_>, name: &str) -> bool {
    let graph = sides.graph;
    let is_new = |id: DefinitionId| {
        let old = sides.changed(graph.definition(id).file).map(|changed| &changed.old);
        old.is_some_and(|old| old.as_ref().is_none_or(|old| !old.functions().contains_key(graph.qualified_name(id))))
    };
    let is_mixed_in = |id: DefinitionId| graph.definition(graph.definition(id).parent).kind() == DefinitionKind::Trait;
    graph.named(name).into_iter().any(|id| is_mixed_in(id) && is_new(id))
}

/// Checks whether a file that the parser partly misread still has the line of a definition.
fn is_misread(old: &ParsedSide<'_>, new: &ParsedSide<'_>, definition: &Definition) -> bool {
    let line = || old.text.lines().nth(definition.line.saturating_sub(1) as usize).unwrap_or_default().trim();
    new.facts.has_errors && new.text.lines().any(|other| other.trim() == line())
}

/// Checks whether another file opens the same namespace or type.
fn is_reopened(sides: &Sides<'_>, definition: &Definition) -> bool {
    let named = sides.graph.named(&definition.name);
    named.into_iter().any(|id| {
        let kind = sides.graph.definition(id).kind();
        !kind.is_function() && sides.graph.qualified_name(id) == definition.qualified_name
    })
}

/// Checks whether a statement of a file defines a name without a definition of its own: `alias name
/// other`, or `define :name`, as `attr_reader` and other calls in a class do.
fn is_aliased(side: &ParsedSide<'_>, name: &str) -> bool {
    let words = &side.language.spec.idioms.alias_words;
    let defines = |line: &str| {
        let line = line.trim_start();
        let first = line.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let rest = line[first.len()..].trim_start_matches(['(', ' ']);
        let is_symbol = !first.is_empty() && rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(name));
        is_symbol || words.iter().any(|word| word == first)
    };
    !words.is_empty() && side.text.lines().any(|line| defines(line) && occurrences(line, name).next().is_some())
}

/// Returns the spelling of each name in a file.
fn spelled_names<'s>(side: &'s ParsedSide<'_>) -> FxHashMap<Symbol, &'s str> {
    side.identifiers().map(|(at, _)| side.node(at)).map(|name| (symbol(name), name)).collect()
}

/// Returns the name of a new item in the same file that is probably the lost one under another
/// name.
pub(super) fn renamed_to(sides: &Sides<'_>, lost: &LostName<'_>) -> Option<String> {
    let changed = &sides.files[lost.changed];
    let (old, new) = (changed.old.as_ref()?, changed.new.as_ref()?);
    match lost.item {
        LostItem::Definition(id) => renamed_definition(old, new, id),
        LostItem::Variable(id) => renamed_variable(old, new, id),
        LostItem::Value(parent) => renamed_value(old, new, parent),
        LostItem::Import(_) | LostItem::Star | LostItem::Export => None,
    }
}

/// Returns the only new definition of the same kind in the same scope with a similar body. If only
/// one definition was removed and one was added there, their parameters may match instead.
fn renamed_definition(old: &ParsedSide<'_>, new: &ParsedSide<'_>, id: LocalId) -> Option<String> {
    let was = &old.facts.definitions[id];
    let scope = |side: &ParsedSide<'_>, one: &Definition| side.facts.definitions[one.parent].qualified_name.clone();
    let around = scope(old, was);
    let fresh = |from: &ParsedSide<'_>, to: &ParsedSide<'_>| {
        let names = KeptNames::new(to);
        let is_alike = |one: &Definition| one.kind == was.kind && scope(from, one) == around;
        let all = from.facts.definitions.enumerate().filter(|(_, one)| is_nameable(one) && is_alike(one));
        all.filter(|(_, one)| !names.definitions.contains(&one.qualified_name[..]))
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
    };
    let (removed, added) = (fresh(old, new), fresh(new, old));
    let body = Body::new(old, id, was);
    let similar = |&&one: &&LocalId| Body::new(new, one, &new.facts.definitions[one]).is_version_of(&body);
    let parameters = |side: &ParsedSide<'_>, one: LocalId| side.head(&side.facts.definitions[one]);
    let only = || {
        (removed.len() == 1 && added.len() == 1 && parameters(old, id) == parameters(new, added[0])).then(|| &added[0])
    };
    let found = added.iter().find(similar).or_else(only)?;
    Some(new.facts.definitions[*found].qualified_name.clone())
}

/// Returns the only new variable in the same scope, if only one was removed there.
fn renamed_variable(old: &ParsedSide<'_>, new: &ParsedSide<'_>, id: VariableId) -> Option<String> {
    let scope = |side: &ParsedSide<'_>, scope: LocalId| side.facts.definitions[scope].qualified_name.clone();
    let around = scope(old, old.facts.flow.variables[id].scope);
    let names = |side: &ParsedSide<'_>| -> FxHashSet<Symbol> {
        let own = side.facts.flow.variables.iter().filter(|one| scope(side, one.scope) == around);
        own.map(|one| one.symbol).collect()
    };
    let (before, now) = (names(old), names(new));
    let (mut removed, mut added) = (before.difference(&now), now.difference(&before));
    let (Some(_), None, Some(added), None) = (removed.next(), removed.next(), added.next(), added.next()) else {
        return None;
    };
    spelled_names(new).get(added).map(|&name| name.to_owned())
}

/// Returns the only new value of the same type or file, if only one was removed there.
fn renamed_value(old: &ParsedSide<'_>, new: &ParsedSide<'_>, parent: LocalId) -> Option<String> {
    let around = &old.facts.definitions[parent].qualified_name;
    let names = |side: &ParsedSide<'_>| -> FxHashSet<String> {
        let own = |value: &&NamedValue| side.facts.definitions[value.parent].qualified_name == *around;
        side.facts.named_values.iter().filter(own).map(|value| value.name.clone()).collect()
    };
    let (before, now) = (names(old), names(new));
    let (mut removed, mut added) = (before.difference(&now), now.difference(&before));
    match (removed.next(), removed.next(), added.next(), added.next()) {
        (Some(_), None, Some(added), None) => Some(added.clone()),
        _ => None,
    }
}
