//! Determines the effects of an edit that other files can observe.
//!
//! - **Invariant:** a file looks up only names that occur in its own text or in the messages that
//!   it received. Of a definition that it refers to, it reads only the properties that take part in
//!   a call. The look-ups of a file can therefore change only if it mentions a changed name or
//!   refers to a changed definition. Edits with a wider effect (on bases, owners, star imports, or
//!   constructors of a type that existed before) count as a change of everything.
//! - **Cost:** one pass over the tables of one file.

use super::alignment::Alignment;
use crate::file_facts::{FileFacts, FileParameter, FileValue};
use crate::returned_parameters::returned_parameters;
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::{LocalId, ValueId, VariableId};
use whichfn_syntax::lang::{DefinitionKind, Scopes};
use whichfn_syntax::parse::{AssignmentTarget, MAX_PARTS, Symbol, part_name, symbol};

/// Maximum depth of a comparison of values. Values that are nested deeper count as changed.
const MAX_DEPTH: u32 = 12;

/// The observable changes of one file.
pub(crate) struct Changes {
    /// Names whose meaning has changed, or may have.
    pub names: FxHashSet<Symbol>,
    /// Names of methods that were added or removed together with the type or function around them.
    /// Other files find such a method through its type, which `names` contains, or by its name, if
    /// they call it on an object of unknown type.
    pub methods: FxHashSet<Symbol>,
    /// Definitions, by their old number, whose parameters or position in the file's nesting
    /// changed.
    pub definitions: FxHashSet<LocalId>,
    /// True if more may have changed than names can express.
    pub everything: bool,
}

/// A file before and after an edit.
struct FileComparison<'c, 'a> {
    old: &'c FileFacts<'a>,
    new: &'c FileFacts<'a>,
    alignment: &'c Alignment,
    special: SpecialNames,
    /// True if a field of any type affects calls of its name. See [`Scopes::messages`].
    reads_fields: bool,
    /// Parameters that their functions return, before and after the edit.
    returned: [FxHashSet<VariableId>; 2],
    changes: Changes,
}

/// Names with a special meaning in a language: a call of a type, or of a member or an element of an
/// object, looks them up without mentioning them.
struct SpecialNames {
    names: Vec<Symbol>,
    /// True if a constructor has the name of its type.
    named_like_type: bool,
    /// Name of the methods that reads of fields call. See [`Scopes::field_getter`].
    getter: Option<Symbol>,
    /// Names of the parts of types that have none in the code.
    parts: FxHashSet<Symbol>,
}

/// A variable that other files may see: the definition bound to it, the import that fills it, and the
/// callee of the call that creates its value, if reads of the variable may call a method of the value.
#[derive(Clone, Copy, Default)]
struct Meaning {
    bound: Option<LocalId>,
    import: Option<usize>,
    created_by: Option<ValueId>,
}

impl Changes {
    /// Compares the facts of a file before and after an edit.
    pub fn new(old: &FileFacts<'_>, new: &FileFacts<'_>, alignment: &Alignment, scopes: Option<&Scopes>) -> Self {
        let none = Self {
            names: FxHashSet::default(),
            methods: FxHashSet::default(),
            definitions: FxHashSet::default(),
            everything: false,
        };
        let reads_fields = scopes.is_some_and(|scopes| scopes.messages);
        let special = SpecialNames::new(scopes);
        let returned = [old, new].map(returned_parameters);
        let mut comparison = FileComparison { old, new, alignment, special, reads_fields, returned, changes: none };
        comparison.compare_definitions();
        if scopes.is_some_and(|scopes| scopes.overloads) {
            comparison.note_overloads();
        }
        comparison.compare_variables();
        comparison.compare_attributes();
        comparison.compare_targets(scopes);
        comparison.compare_exported();
        comparison.changes
    }

    /// Compares the imports and the package of a file that existed before the edit and still
    /// exists. Nothing else reads the star imports of a file that no star import leads to.
    pub fn compare_imports(&mut self, old: &FileFacts<'_>, new: &FileFacts<'_>) {
        self.everything |= stars(old) != stars(new) || old.package() != new.package();
    }
}

impl SpecialNames {
    fn new(scopes: Option<&Scopes>) -> Self {
        let of_scopes = |scopes: &Scopes| {
            let (constructors, callables) = (scopes.constructors.clone(), scopes.callables.clone());
            [constructors, callables, vec![scopes.next.clone()]].concat()
        };
        let all = || scopes.map(of_scopes).into_iter().flatten().filter(|name| !name.is_empty());
        Self {
            names: all().map(|name| symbol(&name)).collect(),
            named_like_type: all().any(|name| name == "{type}"),
            getter: scopes.map(|scopes| &scopes.field_getter).filter(|name| !name.is_empty()).map(|name| symbol(name)),
            parts: (0..MAX_PARTS).map(|index| symbol(&part_name(None, index))).collect(),
        }
    }
}

impl FileComparison<'_, '_> {
    /// Records all definitions with the scope and name of a definition that was added or removed or
    /// that changed. A call selects among all of them.
    fn note_overloads(&mut self) {
        let place = |facts: &FileFacts<'_>, id| (facts.definition(id).parent, facts.definition(id).name);
        let mut changed: FxHashSet<_> = self.changes.definitions.iter().map(|&id| place(self.old, id)).collect();
        let removed = self.old.definition_ids().filter(|&id| self.alignment.definition(id).is_none());
        changed.extend(removed.map(|id| place(self.old, id)));
        let added = self.new.definition_ids().filter(|&id| self.alignment.is_new_definition(id));
        let added: FxHashSet<_> = added.map(|id| place(self.new, id)).collect();
        let is_changed = |&id: &LocalId| {
            let (parent, name) = place(self.old, id);
            let parent_now = self.alignment.definition(parent);
            changed.contains(&(parent, name)) || parent_now.is_some_and(|parent| added.contains(&(parent, name)))
        };
        let functions = self.old.definition_ids().filter(|&id| self.old.kind(id).is_function());
        self.changes.definitions.extend(functions.filter(is_changed));
    }

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

    /// Records a changed name. Anonymous items are skipped, because they cannot be looked up.
    fn note_name(&mut self, name: Symbol) {
        if name != symbol("") {
            self.changes.names.insert(name);
        }
    }

    /// Records a definition that was added or removed.
    fn note_definition(&mut self, facts: FileFacts<'_>, id: LocalId, parent_stays: bool) {
        let definition = facts.definition(id);
        let is_found_by_name = parent_stays || definition.owner.is_some() || facts.is_extension(id);
        if is_found_by_name || !is_closed(&facts, definition.parent) {
            self.note_name(definition.name);
        } else if definition.kind == DefinitionKind::Method {
            self.changes.methods.insert(definition.name);
        }
        let adds_to_another = definition.kind == DefinitionKind::Extension || definition.owner.is_some();
        self.changes.everything |= adds_to_another && (definition.kind.is_type() || !definition.bases.is_empty());
    }

    /// Compares a definition before and after the edit. Its kind and name are unchanged.
    fn compare_definition(&mut self, old_id: LocalId, new_id: LocalId) {
        let (old, new) = (self.old.definition(old_id), self.new.definition(new_id));
        let same_bases = old.bases.len() == new.bases.len()
            && old.bases.iter().zip(new.bases).all(|(&old, &new)| self.same_value(old, new, 0));
        let same_owner = self.same_optional(old.owner, new.owner);
        let same_place = self.alignment.definition(old.parent) == Some(new.parent);
        let variable = |old| self.alignment.variable(old);
        let same_receiver = old.receiver.map(variable) == new.receiver.map(Some)
            && (old.receiver_is_parameter, old.receives_type) == (new.receiver_is_parameter, new.receives_type);
        let (before, after) = (self.old.parameters(old_id), self.new.parameters(new_id));
        let same_parameters = before.len() == after.len()
            && before.zip(after).all(|(old, new)| {
                let same_return = self.returned[0].contains(&old.0) == self.returned[1].contains(&new.0);
                variable(old.0) == Some(new.0) && old.1 == new.1 && same_return
            });
        self.changes.everything |= !(same_bases && same_owner);
        if old.is_test != new.is_test {
            self.changes.methods.insert(old.name);
            self.changes.definitions.insert(old_id);
        }
        let same_use = (old.is_private, old.is_property) == (new.is_private, new.is_property);
        if !(same_use && same_place && same_receiver && same_parameters && self.same_signature(old_id, new_id)) {
            self.changes.everything |= old.kind.has_members() || old.kind == DefinitionKind::Module;
            self.note_name(old.name);
            self.changes.definitions.insert(old_id);
        }
    }

    /// Checks whether the declared types of the parameters and of the result are unchanged.
    fn same_signature(&self, old_id: LocalId, new_id: LocalId) -> bool {
        let form = |parameter: &FileParameter| (parameter.is_optional, parameter.is_variadic, parameter.is_extended);
        let mut parameters = self.old.signature(old_id).zip(self.new.signature(new_id));
        self.same_optional(self.old.definition(old_id).returns, self.new.definition(new_id).returns)
            && parameters.all(|(old, new)| form(&old) == form(&new) && self.same_optional(old.declared, new.declared))
    }

    /// Does the same as [`Self::same_value`] for values that may be missing.
    fn same_optional(&self, old: Option<ValueId>, new: Option<ValueId>) -> bool {
        match (old, new) {
            (Some(old), Some(new)) => self.same_value(old, new, 0),
            (old, new) => old.is_none() && new.is_none(),
        }
    }

    /// Checks whether a value names the same item in the same words.
    fn same_value(&self, old: ValueId, new: ValueId, depth: u32) -> bool {
        let same = |old, new| depth < MAX_DEPTH && self.same_value(old, new, depth + 1);
        let definition = |old| self.alignment.definition(old);
        match (self.old.value(old), self.new.value(new)) {
            (FileValue::Variable(old), FileValue::Variable(new)) => self.alignment.variable(old) == Some(new),
            (FileValue::Free { symbol, scope }, FileValue::Free { symbol: new_name, scope: there }) => {
                symbol == new_name && definition(scope) == Some(there)
            }
            (FileValue::Access(old, name), FileValue::Access(new, new_name)) => name == new_name && same(old, new),
            (FileValue::Any(old), FileValue::Any(new)) => {
                old.len() == new.len() && old.iter().zip(new).all(|(&old, &new)| same(old, new))
            }
            (FileValue::Definition(old), FileValue::Definition(new)) => definition(old) == Some(new),
            (FileValue::SelfType(old), FileValue::SelfType(new)) => definition(old) == Some(new),
            (FileValue::Super(old), FileValue::Super(new)) => definition(old) == Some(new),
            (FileValue::Instance(old), FileValue::Instance(new)) => same(old, new),
            (FileValue::Element(old), FileValue::Element(new)) => same(old, new),
            (FileValue::Literal(old), FileValue::Literal(new)) => old == new,
            // Values of these kinds are not looked up by name.
            (FileValue::Call(_), FileValue::Call(_)) => true,
            (FileValue::Foreign, FileValue::Foreign)
            | (FileValue::Unknown, FileValue::Unknown)
            | (FileValue::Operation(..), FileValue::Operation(..)) => true,
            _ => false,
        }
    }

    fn compare_variables(&mut self) {
        let [before, after] = [self.old, self.new].map(|facts| meanings(facts, self.special.getter.is_some()));
        let of_old = |&(id, scope, _): &(_, _, _)| is_visible_outside(self.old, scope) || before.contains_key(&id);
        for (old, scope, name) in self.old.variables().filter(of_old) {
            let aligned = self.alignment.variable(old);
            let same = aligned.is_some_and(|new| {
                let (before, after) = (meaning(&before, old), meaning(&after, new));
                self.alignment.definition(scope) == Some(self.new.variable_scope(new))
                    && self.same_meaning(before, after)
            });
            if !same {
                self.note_member(*self.old, scope, name, self.alignment.definition(scope).is_some());
                self.note_part(scope, name);
            }
        }
        let of_new = |&(id, scope, _): &(_, _, _)| is_visible_outside(self.new, scope) || after.contains_key(&id);
        for (new, scope, name) in self.new.variables().filter(of_new) {
            if self.alignment.is_new_variable(new) {
                self.note_member(*self.new, scope, name, !self.alignment.is_new_definition(scope));
                let before = self.old.definition_ids().find(|&old| self.alignment.definition(old) == Some(scope));
                before.into_iter().for_each(|scope| self.note_part(scope, name));
            }
        }
    }

    fn same_meaning(&self, old: Meaning, new: Meaning) -> bool {
        let same_import = match (old.import, new.import) {
            (Some(old), Some(new)) => {
                let (old, new) = (self.old.import(old), self.new.import(new));
                let key = |import: &crate::file_facts::FileImport<'_>| {
                    (import.path.symbol, import.full_path.symbol, import.level, import.name)
                };
                key(&old) == key(&new)
            }
            (old, new) => old.is_none() && new.is_none(),
        };
        let same_creation = self.same_optional(old.created_by, new.created_by);
        same_import && same_creation && old.bound.map(|old| self.alignment.definition(old)) == new.bound.map(Some)
    }

    /// Records a member that was added or removed, or whose meaning changed. If its scope was added
    /// or removed too, the member can only be found by its name or by the name of the scope.
    /// Otherwise a call of the type may find it as well.
    fn note_member(&mut self, facts: FileFacts<'_>, scope: LocalId, name: Symbol, scope_stays: bool) {
        if scope_stays || self.reads_fields || !is_closed(&facts, scope) {
            self.note_name(name);
        }
        let like_type = self.special.named_like_type && facts.definition(scope).name == name;
        let adds_to_another = facts.kind(scope) == DefinitionKind::Extension || facts.definition(scope).owner.is_some();
        // Code that reads a field names neither the type of the field's value nor its method.
        self.changes.everything |= self.special.getter == Some(name);
        if (scope_stays || adds_to_another) && (like_type || self.special.names.contains(&name)) {
            self.changes.everything = true;
        }
    }

    /// Records a type whose parts without a name changed: a call of the type passes its arguments to
    /// them without mentioning their names.
    fn note_part(&mut self, scope: LocalId, name: Symbol) {
        if self.special.parts.contains(&name) {
            self.note_name(self.old.definition(scope).name);
            self.changes.definitions.insert(scope);
        }
    }

    /// Compares the values that the file exports as a whole, which may be bases elsewhere.
    fn compare_exported(&mut self) {
        self.changes.everything |= !self.same_optional(self.old.exported_value(), self.new.exported_value());
    }

    /// Compares the types that the objects of types point to.
    fn compare_targets(&mut self, scopes: Option<&Scopes>) {
        let Some(scopes) = scopes.filter(|scopes| !scopes.dereference.is_empty()) else { return };
        let name = symbol(&scopes.dereference);
        let (mut old, mut new) = (self.old.targets(name), self.new.targets(name));
        let is_same = loop {
            match (old.next(), new.next()) {
                (None, None) => break true,
                (Some((_, old)), Some((_, new))) if self.same_value(old, new, 0) => {}
                _ => break false,
            }
        };
        self.changes.everything |= !is_same;
    }

    /// Compares the attributes that methods assign (`self.name = ...`). An attribute of a type that
    /// was added or removed does not count: other files can find it only through that type.
    fn compare_attributes(&mut self) {
        let aligned = |id: LocalId| self.alignment.definition(id);
        let stays = |id: LocalId| self.reads_fields || !self.alignment.is_new_definition(id);
        let before: FxHashSet<_> = attributes(self.old, |id| self.reads_fields || aligned(id).is_some()).collect();
        let after: FxHashSet<_> = attributes(self.new, stays).collect();
        let known: FxHashSet<_> = before.iter().filter_map(|&(id, name)| Some((aligned(id)?, name))).collect();
        let removed = before.iter().filter(|(id, name)| !aligned(*id).is_some_and(|id| after.contains(&(id, *name))));
        let added = after.iter().filter(|attribute| !known.contains(attribute));
        for name in removed.chain(added).map(|&(_, name)| name).collect::<Vec<_>>() {
            self.note_name(name);
            self.changes.everything |= self.special.names.contains(&name);
        }
    }
}

/// Checks whether names of a scope are visible outside: the scope is a file, a type, or an addition
/// to a type.
fn is_visible_outside(facts: &FileFacts<'_>, scope: LocalId) -> bool {
    let definition = facts.definition(scope);
    definition.kind == DefinitionKind::Module || definition.kind.has_members() || definition.owner.is_some()
}

fn meaning(meanings: &FxHashMap<VariableId, Meaning>, variable: VariableId) -> Meaning {
    meanings.get(&variable).copied().unwrap_or_default()
}

/// Returns the definitions and imports that fill variables, and with `has_getters` also what creates
/// the values of fields. The last one of each kind wins.
fn meanings(facts: &FileFacts<'_>, has_getters: bool) -> FxHashMap<VariableId, Meaning> {
    let mut meanings: FxHashMap<VariableId, Meaning> = FxHashMap::default();
    for (target, value) in facts.bindings() {
        if let (AssignmentTarget::Variable(variable), FileValue::Definition(id)) = (target, facts.value(value)) {
            meanings.entry(variable).or_default().bound = Some(id);
        }
    }
    for (field, callee) in facts.created_fields().filter(|_| has_getters) {
        meanings.entry(field).or_default().created_by = Some(callee);
    }
    for (number, import) in facts.imports().enumerate() {
        if let Some(variable) = import.variable {
            meanings.entry(variable).or_default().import = Some(number);
        }
    }
    meanings
}

/// Returns the imports that fill no variable, in order.
fn stars(facts: &FileFacts<'_>) -> Vec<(Symbol, u8, Option<Symbol>, bool)> {
    let stars = facts.imports().filter(|import| import.variable.is_none());
    stars.map(|import| (import.path.symbol, import.level, import.name, import.is_shared)).collect()
}

/// Checks whether names of a scope are invisible outside if the scope itself is: it is a type or
/// function.
fn is_closed(facts: &FileFacts<'_>, scope: LocalId) -> bool {
    let definition = facts.definition(scope);
    (definition.kind.is_type() || definition.kind.is_function()) && definition.owner.is_none()
}

/// Returns the methods that assign to members of their receiver, each with the member's name.
/// Omits methods of a type for which `stays` returns false.
fn attributes(facts: &FileFacts<'_>, stays: impl Fn(LocalId) -> bool) -> impl Iterator<Item = (LocalId, Symbol)> {
    let facts = *facts;
    let around = |id| std::iter::successors(Some(id), |&id| Some(facts.definition(id).parent).filter(|&up| up != id));
    let owner = |id| around(id).find(|&id| facts.kind(id).has_members() || facts.definition(id).owner.is_some());
    let is_shared = |id: &LocalId| owner(*id).is_none_or(|owner| stays(owner) || !facts.kind(owner).is_type());
    let receiver = |id| Some((facts.definition(id).receiver?, id));
    let receivers: FxHashMap<VariableId, LocalId> =
        facts.definition_ids().filter(is_shared).filter_map(receiver).collect();
    facts.bindings().filter_map(move |(target, _)| match target {
        AssignmentTarget::Member(object, name) => match facts.value(object) {
            FileValue::Variable(variable) => Some((*receivers.get(&variable)?, name)),
            _ => None,
        },
        AssignmentTarget::Variable(_) => None,
    })
}

/// Checks whether one of `names` occurs in a value, so that its meaning could change with theirs.
/// Values nested deeper than [`MAX_DEPTH`] count as mentioning them.
pub(crate) fn mentions(facts: &FileFacts<'_>, value: ValueId, names: &FxHashSet<Symbol>, depth: u32) -> bool {
    let deeper = |value| depth >= MAX_DEPTH || mentions(facts, value, names, depth + 1);
    match facts.value(value) {
        FileValue::Variable(variable) => names.contains(&facts.variable_name(variable)),
        FileValue::Free { symbol, .. } => names.contains(&symbol),
        FileValue::Access(object, name) => names.contains(&name) || deeper(object),
        FileValue::Any(values) => values.iter().any(|&value| deeper(value)),
        FileValue::Instance(type_value) => deeper(type_value),
        FileValue::Definition(id) => names.contains(&facts.definition(id).name),
        _ => false,
    }
}
