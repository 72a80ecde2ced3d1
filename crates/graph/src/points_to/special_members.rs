//! Members with a special meaning in a language: constructors, and those that call an object.

use super::PointsTo;
use crate::file_facts::FileValue;
use crate::names::Names;
use rustc_hash::FxHashSet;
use whichfn_syntax::ids::{DefinitionId, FileId, PointerId};
use whichfn_syntax::lang::Scopes;
use whichfn_syntax::parse::{AssignmentTarget, Symbol, symbol};

/// Names of members with a special meaning in a language, as symbols.
pub(super) struct SpecialMembers {
    pub(super) constructors: Vec<Symbol>,
    /// True if a constructor has the name of its type.
    pub(super) named_like_type: bool,
    pub(super) instantiators: Vec<Symbol>,
    /// Members that a call of the type calls, unless it creates an object.
    pub(super) factories: Vec<Symbol>,
    pub(super) callables: Vec<Symbol>,
    /// Members of a function that call it.
    pub(super) invokers: Vec<Symbol>,
    /// Those whose first argument is the receiver, and those that take a list of arguments.
    pub(super) rebinders: Vec<Symbol>,
    pub(super) appliers: Vec<Symbol>,
    pub(super) common: FxHashSet<Symbol>,
    /// Method of an iterator that returns its next element.
    pub(super) next: Option<Symbol>,
    /// True if a call of the receiver (`this(...)`) calls a constructor of its type.
    pub(super) receiver_constructs: bool,
    /// See [`Scopes`].
    pub(super) named_calls: bool,
    /// Functions that each type has.
    pub(super) of_types: FxHashSet<Symbol>,
}

/// Returns the other names that a file gives to functions in types, with the names of the functions.
pub(super) fn aliases(names: &Names<'_>, file: FileId) -> Vec<(Symbol, Symbol)> {
    if !names.scopes(file).is_some_and(|scopes| scopes.messages) {
        return Vec::new();
    }
    let facts = names.facts(file);
    let name = |value| match facts.value(value) {
        FileValue::Definition(id) if facts.kind(id).is_function() => Some(facts.definition(id).name),
        _ => facts.name_of(value),
    };
    let mut aliases = Vec::new();
    for (target, value) in facts.bindings() {
        let AssignmentTarget::Variable(own) = target else { continue };
        if !facts.kind(facts.variable_scope(own)).is_type() {
            continue;
        }
        // Several methods have the start of a name (`parse_*`).
        let all = match facts.value(value) {
            FileValue::Any(all) => all.to_vec(),
            _ => vec![value],
        };
        let new = facts.variable_name(own);
        aliases.extend(all.into_iter().filter_map(name).filter(|&old| old != new).map(|old| (new, old)));
    }
    aliases
}

impl SpecialMembers {
    pub(super) fn new(scopes: &Scopes) -> Self {
        let symbols = |list: &[String]| list.iter().filter(|name| *name != "{type}").map(|name| symbol(name)).collect();
        let named = |name: &str| Some(name).filter(|name| !name.is_empty()).map(symbol);
        Self {
            constructors: symbols(&scopes.constructors),
            named_like_type: scopes.names_constructors_like_types(),
            instantiators: symbols(&scopes.instantiators),
            factories: symbols(&scopes.factories),
            callables: symbols(&scopes.callables),
            invokers: [&scopes.invokers, &scopes.rebinders, &scopes.appliers]
                .into_iter()
                .flat_map(|all| symbols(all))
                .collect(),
            rebinders: symbols(&scopes.rebinders),
            appliers: symbols(&scopes.appliers),
            next: named(&scopes.next),
            common: scopes.common_members.iter().map(|name| symbol(name)).collect(),
            receiver_constructs: scopes.callables.iter().any(|name| name == "{type}"),
            named_calls: scopes.messages,
            of_types: scopes.type_functions.iter().map(|name| symbol(name)).collect(),
        }
    }
}

impl<'a, 'n> PointsTo<'a, 'n> {
    /// Checks whether built-in types of the current file's language have a member with this name.
    pub(super) fn is_common(&self, name: Symbol) -> bool {
        let language = self.names.language(self.current.file);
        language.and_then(|language| self.special.get(&language)).is_some_and(|special| special.common.contains(&name))
    }

    /// Checks whether a function has the name of constructors.
    pub fn is_constructor(&self, id: DefinitionId) -> bool {
        self.special(id).is_some_and(|special| special.constructors.contains(&self.names.definition(id).name))
    }

    /// Returns the special members of the language of a definition.
    pub(super) fn special(&self, id: DefinitionId) -> Option<&SpecialMembers> {
        self.special.get(&self.names.language(self.names.file_of(id))?)
    }

    /// Checks whether a member of a type stands for the type (`new` in Ruby).
    pub(super) fn is_instantiator(&self, id: DefinitionId, name: Symbol) -> bool {
        self.special(id).is_some_and(|special| special.instantiators.contains(&name))
    }

    /// Returns the constructor that the type itself declares, if any.
    pub(super) fn constructor(&self, owner_type: DefinitionId) -> Option<PointerId> {
        let special = self.special(owner_type)?;
        let own = special.named_like_type.then(|| self.names.definition(owner_type).name);
        let mut constructors = special.constructors.iter().copied().chain(own);
        constructors.find_map(|name| self.names.members.get(&(owner_type, name)).copied())
    }
}
