//! What an edit changed of a file that other files could see.
//!
//! Law:     a file looks up names that stand in its own text or in its mailbox, and asks of a definition that it holds who
//!          takes part in a call of it. So what a file finds can change only if it names a changed name or holds a changed
//!          definition. What reaches further (bases, owners, star imports, constructors of a type that was there before)
//!          counts as a change of everything.
//! Price:   one pass over the tables of one file.

use super::alignment::Alignment;
use super::file_facts::{FileFacts, FileValue};
use crate::ids::{LocalId, ValueId, VariableId};
use crate::lang::{DefinitionKind, Scopes};
use crate::parse::{AssignmentTarget, Symbol, symbol};
use rustc_hash::{FxHashMap, FxHashSet};

/// How far into a value it is looked: what is nested deeper counts as changed.
const DEEPEST: u32 = 12;

/// What changed of one file.
pub(super) struct Changes {
    /// Names that mean something else now, or may.
    pub names: FxHashSet<Symbol>,
    /// Names of members of types that came or went. Who finds one otherwise than by such a name alone, as a method of an
    /// unknown object, names the type or is told of it.
    pub members: FxHashSet<Symbol>,
    /// Definitions, by their former number, that take other parameters now or stand elsewhere.
    pub definitions: FxHashSet<LocalId>,
    /// More may have changed than can be told by names.
    pub everything: bool,
}

/// A file before and after an edit.
struct FileComparison<'c, 'a> {
    old: &'c FileFacts<'a>,
    new: &'c FileFacts<'a>,
    alignment: &'c Alignment,
    special: Special,
    changes: Changes,
}

/// Names with a meaning of their own in a language: calls of a type look for them without naming them.
struct Special {
    names: Vec<Symbol>,
    /// A constructor has the name of its type.
    named_like_type: bool,
}

/// A variable that other files may see: what is bound to it, and the import that fills it.
#[derive(Clone, Copy, Default)]
struct Meaning {
    bound: Option<LocalId>,
    import: Option<usize>,
}

impl Changes {
    /// Between the facts of a file before and after an edit.
    pub fn new(old: &FileFacts<'_>, new: &FileFacts<'_>, alignment: &Alignment, scopes: Option<&Scopes>) -> Self {
        let none = Self {
            names: FxHashSet::default(),
            members: FxHashSet::default(),
            definitions: FxHashSet::default(),
            everything: false,
        };
        let mut comparison = FileComparison { old, new, alignment, special: Special::of(scopes), changes: none };
        comparison.compare_definitions();
        comparison.compare_variables();
        comparison.compare_attributes();
        comparison.changes.everything |= stars(old) != stars(new) || old.package() != new.package();
        comparison.changes
    }
}

impl Special {
    fn of(scopes: Option<&Scopes>) -> Self {
        let all = || scopes.into_iter().flat_map(|scopes| scopes.constructors.iter().chain(&scopes.callables));
        Self { names: all().map(|name| symbol(name)).collect(), named_like_type: all().any(|name| name == "{type}") }
    }
}

impl FileComparison<'_, '_> {
    fn compare_definitions(&mut self) {
        for old in self.old.definition_ids() {
            match self.alignment.definition(old) {
                None => {
                    let parent_stays = self.alignment.definition(self.old.definition(old).parent).is_some();
                    self.note_definition(*self.old, old, parent_stays);
                }
                Some(new) => self.compare_definition(old, new),
            }
        }
        for new in self.new.definition_ids().filter(|&new| self.alignment.is_new_definition(new)) {
            let parent_stays = !self.alignment.is_new_definition(self.new.definition(new).parent);
            self.note_definition(*self.new, new, parent_stays);
        }
    }

    /// What has no name is not looked up.
    fn note_name(&mut self, name: Symbol) {
        if name != symbol("") {
            self.changes.names.insert(name);
        }
    }

    /// A name in a scope: if that is a type that came or went with it, it is a member of nothing else.
    fn note_name_in(&mut self, facts: FileFacts<'_>, scope: LocalId, name: Symbol, scope_stays: bool) {
        let around = facts.definition(scope);
        if !scope_stays && around.kind.is_type() && around.owner.is_none() {
            self.changes.members.insert(name);
        } else {
            self.note_name(name);
        }
    }

    /// A definition came or went.
    fn note_definition(&mut self, facts: FileFacts<'_>, id: LocalId, parent_stays: bool) {
        let definition = facts.definition(id);
        if definition.kind == DefinitionKind::Method && definition.owner.is_none() {
            self.note_name_in(facts, definition.parent, definition.name, parent_stays);
        } else {
            self.note_name(definition.name);
        }
        let adds_to_another = definition.kind == DefinitionKind::Extension || definition.owner.is_some();
        self.changes.everything |= adds_to_another && !definition.bases.is_empty();
    }

    /// A definition that was there before: kind and name are the same.
    fn compare_definition(&mut self, old_id: LocalId, new_id: LocalId) {
        let (old, new) = (self.old.definition(old_id), self.new.definition(new_id));
        let same_bases = old.bases.len() == new.bases.len()
            && old.bases.iter().zip(new.bases).all(|(&old, &new)| self.same_value(old, new, 0));
        let same_owner = match (old.owner, new.owner) {
            (Some(old), Some(new)) => self.same_value(old, new, 0),
            (old, new) => old.is_none() && new.is_none(),
        };
        let same_place = self.alignment.definition(old.parent) == Some(new.parent);
        let variable = |old| self.alignment.variable(old);
        let same_receiver = old.receiver.map(variable) == new.receiver.map(Some)
            && (old.receiver_is_parameter, old.receives_type) == (new.receiver_is_parameter, new.receives_type);
        let (before, after) = (self.old.parameters(old_id), self.new.parameters(new_id));
        let same_parameters = before.len() == after.len()
            && before.zip(after).all(|(old, new)| variable(old.0) == Some(new.0) && old.1 == new.1);
        self.changes.everything |= !(same_bases && same_owner);
        if !(same_place && same_receiver && same_parameters) {
            self.changes.everything |= old.kind.has_members() || old.kind == DefinitionKind::Module;
            self.note_name(old.name);
            self.changes.definitions.insert(old_id);
        }
    }

    /// Whether a value names the same thing in the same words.
    fn same_value(&self, old: ValueId, new: ValueId, depth: u32) -> bool {
        let same = |old, new| depth < DEEPEST && self.same_value(old, new, depth + 1);
        let definition = |old| self.alignment.definition(old);
        match (self.old.value(old), self.new.value(new)) {
            (FileValue::Variable(old), FileValue::Variable(new)) => self.alignment.variable(old) == Some(new),
            (FileValue::Free { symbol, scope }, FileValue::Free { symbol: now, scope: there }) => {
                symbol == now && definition(scope) == Some(there)
            }
            (FileValue::Access(old, name), FileValue::Access(new, now)) => name == now && same(old, new),
            (FileValue::Any(old), FileValue::Any(new)) => {
                old.len() == new.len() && old.iter().zip(new).all(|(&old, &new)| same(old, new))
            }
            (FileValue::Definition(old), FileValue::Definition(new)) => definition(old) == Some(new),
            (FileValue::SelfType(old), FileValue::SelfType(new)) => definition(old) == Some(new),
            (FileValue::Super(old), FileValue::Super(new)) => definition(old) == Some(new),
            (FileValue::Instance(old), FileValue::Instance(new)) => same(old, new),
            // What these are is not looked up.
            (FileValue::Call(_), FileValue::Call(_)) => true,
            (FileValue::Foreign, FileValue::Foreign) | (FileValue::Unknown, FileValue::Unknown) => true,
            _ => false,
        }
    }

    fn compare_variables(&mut self) {
        let (before, after) = (meanings(self.old), meanings(self.new));
        let of_old = |&(id, scope, _): &(_, _, _)| is_seen(self.old, scope) || before.contains_key(&id);
        for (old, scope, name) in self.old.variables().filter(of_old) {
            let now = self.alignment.variable(old);
            let same = now.is_some_and(|new| {
                let (before, after) = (meaning(&before, old), meaning(&after, new));
                self.alignment.definition(scope) == Some(self.new.variable_scope(new))
                    && self.same_meaning(before, after)
            });
            if !same {
                self.note_member(*self.old, scope, name, self.alignment.definition(scope).is_some());
            }
        }
        let of_new = |&(id, scope, _): &(_, _, _)| is_seen(self.new, scope) || after.contains_key(&id);
        for (new, scope, name) in self.new.variables().filter(of_new) {
            if self.alignment.is_new_variable(new) {
                self.note_member(*self.new, scope, name, !self.alignment.is_new_definition(scope));
            }
        }
    }

    fn same_meaning(&self, old: Meaning, new: Meaning) -> bool {
        let same_import = match (old.import, new.import) {
            (Some(old), Some(new)) => {
                let (old, new) = (self.old.import(old), self.new.import(new));
                let key = |of: &super::file_facts::FileImport<'_>| (of.path.symbol, of.whole.symbol, of.level, of.name);
                key(&old) == key(&new)
            }
            (old, new) => old.is_none() && new.is_none(),
        };
        same_import && old.bound.map(|old| self.alignment.definition(old)) == new.bound.map(Some)
    }

    /// A member came or went, or means something else. That of a scope which is new or gone can only be found by its name
    /// or by that of the scope; that of another also by who calls the type.
    fn note_member(&mut self, facts: FileFacts<'_>, scope: LocalId, name: Symbol, scope_stays: bool) {
        self.note_name_in(facts, scope, name, scope_stays);
        let like_type = self.special.named_like_type && facts.definition(scope).name == name;
        let adds_to_another = facts.kind(scope) == DefinitionKind::Extension || facts.definition(scope).owner.is_some();
        if (scope_stays || adds_to_another) && (like_type || self.special.names.contains(&name)) {
            self.changes.everything = true;
        }
    }

    /// `self.name = ...` in methods.
    fn compare_attributes(&mut self) {
        let stays = |of: LocalId| self.alignment.definition(of);
        let before: FxHashSet<_> = attributes(self.old).map(|(of, name)| (stays(of), of, name)).collect();
        let after: FxHashSet<_> = attributes(self.new).collect();
        let known: FxHashSet<_> = before.iter().filter_map(|&(now, _, name)| Some((now?, name))).collect();
        let gone: Vec<_> =
            before.iter().filter(|&&(now, _, name)| !now.is_some_and(|now| after.contains(&(now, name)))).collect();
        let came: Vec<_> = after.iter().filter(|attribute| !known.contains(attribute)).collect();
        for name in gone.into_iter().map(|&(.., name)| name).chain(came.into_iter().map(|&(_, name)| name)) {
            self.note_name(name);
            self.changes.everything |= self.special.names.contains(&name);
        }
    }
}

/// Whether names of a scope are seen from outside: of a file, a type, or what adds to one.
fn is_seen(facts: &FileFacts<'_>, scope: LocalId) -> bool {
    let definition = facts.definition(scope);
    definition.kind == DefinitionKind::Module || definition.kind.has_members() || definition.owner.is_some()
}

fn meaning(meanings: &FxHashMap<VariableId, Meaning>, variable: VariableId) -> Meaning {
    meanings.get(&variable).copied().unwrap_or_default()
}

/// What definitions and imports fill variables with; the last of each counts.
fn meanings(facts: &FileFacts<'_>) -> FxHashMap<VariableId, Meaning> {
    let mut meanings: FxHashMap<VariableId, Meaning> = FxHashMap::default();
    for (target, value) in facts.bindings() {
        if let (AssignmentTarget::Variable(variable), FileValue::Definition(id)) = (target, facts.value(value)) {
            meanings.entry(variable).or_default().bound = Some(id);
        }
    }
    for number in 0..facts.import_count() {
        if let Some(variable) = facts.import(number).variable {
            meanings.entry(variable).or_default().import = Some(number);
        }
    }
    meanings
}

/// The imports that fill no variable, in order.
fn stars(facts: &FileFacts<'_>) -> Vec<(Symbol, u8, Option<Symbol>)> {
    let all = (0..facts.import_count()).map(|number| facts.import(number));
    all.filter(|import| import.variable.is_none()).map(|of| (of.path.symbol, of.level, of.name)).collect()
}

/// The methods that assign to members of their receiver, and the names of these.
fn attributes<'a>(facts: &FileFacts<'a>) -> impl Iterator<Item = (LocalId, Symbol)> + use<'a> {
    let facts = *facts;
    let receiver = |id| Some((facts.definition(id).receiver?, id));
    let receivers: FxHashMap<VariableId, LocalId> = facts.definition_ids().filter_map(receiver).collect();
    facts.bindings().filter_map(move |(target, _)| match target {
        AssignmentTarget::Member(object, name) => match facts.value(object) {
            FileValue::Variable(variable) => Some((*receivers.get(&variable)?, name)),
            _ => None,
        },
        AssignmentTarget::Variable(_) => None,
    })
}

/// Whether one of these names occurs in a value: what it names could change with theirs.
pub(super) fn mentions(facts: &FileFacts<'_>, value: ValueId, names: &FxHashSet<Symbol>, depth: u32) -> bool {
    let deeper = |value| depth >= DEEPEST || mentions(facts, value, names, depth + 1);
    match facts.value(value) {
        FileValue::Variable(variable) => names.contains(&facts.variable_name(variable)),
        FileValue::Free { symbol, .. } => names.contains(&symbol),
        FileValue::Access(object, name) => names.contains(&name) || deeper(object),
        FileValue::Any(values) => values.iter().any(|&value| deeper(value)),
        FileValue::Instance(of) => deeper(of),
        FileValue::Definition(id) => names.contains(&facts.definition(id).name),
        _ => false,
    }
}
