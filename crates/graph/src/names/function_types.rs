//! Declared types whose objects are functions: `Func<int, int>` in C#, a delegate, or an interface
//! with one method in Java.
//!
//! A variable of such a type holds the functions that reach it, in addition to an object of the type.
//! Other variables of a declared type hold objects of that type only.

use super::{Entity, Names};
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId, PointerId, ValueId, VariableId};
use whichfn_syntax::lang::{DefinitionKind, LangId};
use whichfn_syntax::parse::{Symbol, symbol};

/// Names in the list of function types that stand for types of the repository.
const INTERFACES: &str = "{interface}";
const OTHER_TYPES: &str = "{type}";

/// The function types of the linked files.
#[derive(Default)]
pub(super) struct FunctionTypes {
    /// Names of function types outside the repository, by language.
    library: FxHashMap<LangId, FxHashSet<Symbol>>,
    /// Function types of the repository, and their names.
    own: FxHashSet<DefinitionId>,
    names: FxHashSet<Symbol>,
    /// Names of the methods of interfaces with one method.
    methods: FxHashSet<Symbol>,
    /// One bit for each variable that is declared to hold functions.
    variables: Vec<u64>,
}

impl Names<'_> {
    /// Finds the function types of the repository.
    pub(super) fn find_function_types(&mut self) {
        let mut found = FunctionTypes::default();
        for file in self.files() {
            let (Some(language), Some(spec)) = (self.languages[file], self.specs[file]) else { continue };
            let functions = &spec.types.functions;
            let names = || functions.iter().map(|name| symbol(name)).collect();
            found.names.extend(found.library.entry(language).or_insert_with(names).iter());
            let has = |word: &str| functions.iter().any(|name| name == word);
            if has(OTHER_TYPES) {
                let types = self.own_types(file).filter(|&id| self.kind(id) == DefinitionKind::Type);
                found.own.extend(types);
            }
            if has(INTERFACES) {
                for (id, method) in self.interfaces_with_one_method(file) {
                    found.own.insert(id);
                    found.methods.insert(method);
                }
            }
        }
        let names = found.own.iter().map(|&id| self.definition(id).name);
        found.names.extend(names.collect::<Vec<_>>());
        found.variables.resize(self.total.end().index().div_ceil(64), 0);
        self.function_types = found;
    }

    fn own_types(&self, file: FileId) -> impl Iterator<Item = DefinitionId> {
        self.facts[file].definition_ids().map(move |local| self.offsets[file].definition(local))
    }

    /// Returns the interfaces of a file without bases that have only one method, with its name.
    fn interfaces_with_one_method(&self, file: FileId) -> Vec<(DefinitionId, Symbol)> {
        let facts = self.facts[file];
        let mut methods: FxHashMap<LocalId, Vec<Symbol>> = FxHashMap::default();
        for local in facts.definition_ids() {
            let definition = facts.definition(local);
            let is_interface =
                matches!(facts.kind(definition.parent), DefinitionKind::Interface | DefinitionKind::Trait);
            if definition.kind.is_function() && is_interface {
                methods.entry(definition.parent).or_default().push(definition.name);
            }
        }
        let is_alone = |of: LocalId| facts.definition(of).bases.is_empty();
        let only = methods.into_iter().filter_map(|(of, methods)| match methods[..] {
            [only] if is_alone(of) => Some((self.offsets[file].definition(of), only)),
            _ => None,
        });
        only.collect()
    }

    /// Records that a variable is declared to hold functions, if its type is a function type or a
    /// container of functions. Returns false if it is not.
    pub(super) fn note_function_variable(&mut self, file: FileId, variable: VariableId, parts: &[ValueId]) -> bool {
        if !parts.iter().any(|&one| self.is_function_type(file, one)) {
            return false;
        }
        let variable = self.offsets[file].variable(variable).index();
        self.function_types.variables[variable / 64] |= 1 << (variable % 64);
        true
    }

    fn is_function_type(&self, file: FileId, of_type: ValueId) -> bool {
        let types = &self.function_types;
        let Some(name) = self.facts[file].name_of(of_type).filter(|name| types.names.contains(name)) else {
            return false;
        };
        match self.resolve(file, of_type, 0) {
            Some(Entity::Definition(id)) => types.own.contains(&self.exported(id)),
            Some(Entity::Variable(_) | Entity::Directory(_)) => false,
            Some(Entity::Foreign) | None => {
                let library = self.languages[file].and_then(|language| types.library.get(&language));
                library.is_some_and(|names| names.contains(&name))
            }
        }
    }

    /// Checks whether a variable is declared to hold functions.
    pub fn holds_functions(&self, variable: PointerId) -> bool {
        let bits = self.function_types.variables.get(variable.index() / 64);
        bits.is_some_and(|bits| bits & 1 << (variable.index() % 64) != 0)
    }

    /// Checks whether a name is that of the method of an interface with one method, so that the call
    /// of this member of a function calls the function.
    pub fn is_function_member(&self, name: Symbol) -> bool {
        self.function_types.methods.contains(&name)
    }
}
