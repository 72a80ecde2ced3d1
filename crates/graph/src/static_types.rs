//! The types of values, to the extent that declarations and literals determine them. Overloads are
//! selected by these types ([`crate::overloads`]).
//!
//! - **Cost:** reading the type of a value follows at most [`MAX_DEPTH`] steps, each of which takes
//!   a step of the budget.

use crate::file_facts::{FileFacts, FileValue};
use crate::names::{Entity, Names};
use crate::type_rules::{StaticType, TypeRules};
use rustc_hash::FxHashMap;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, LocalId, PointerId, ValueId, VariableId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{ARRAY, AssignmentTarget, NULLABLE, Symbol, symbol};

/// Maximum nesting depth of values whose type is read.
const MAX_DEPTH: u32 = 24;

impl FileFacts<'_> {
    /// Returns the type that a call creates an object of; `None` if it calls a function.
    pub(crate) fn created_type(&self, call: CallId) -> Option<StaticType> {
        let call = self.call(call);
        self.name_of(call.callee).filter(|_| call.creates).map(StaticType::named)
    }

    /// Iterates over the aliases of types in the file, each with the value that names the type.
    pub(crate) fn typedefs(&self) -> impl Iterator<Item = (LocalId, ValueId)> {
        let mut bound: FxHashMap<VariableId, LocalId> = FxHashMap::default();
        self.bindings().filter_map(move |(target, value)| match (target, self.value(value)) {
            (AssignmentTarget::Variable(variable), FileValue::Definition(id))
                if self.kind(id) == DefinitionKind::Type =>
            {
                bound.insert(variable, id);
                None
            }
            (
                AssignmentTarget::Variable(variable),
                FileValue::Variable(_) | FileValue::Free { .. } | FileValue::Access(..),
            ) => Some((*bound.get(&variable)?, value)),
            _ => None,
        })
    }

    /// Returns the last name of a value that is written as a name or a path.
    pub(crate) fn name_of(&self, value: ValueId) -> Option<Symbol> {
        match self.value(value) {
            FileValue::Free { symbol, .. } | FileValue::Access(_, symbol) => Some(symbol),
            FileValue::Variable(variable) => Some(self.variable_name(variable)),
            _ => None,
        }
    }
}

impl Names<'_> {
    /// Returns the type of the objects of a type in the repository.
    pub fn object_type(&self, id: DefinitionId) -> StaticType {
        StaticType { definition: Some(id), ..StaticType::named(self.definition(id).name) }
    }

    /// Returns the type of the result of a call that reaches a definition. The type of a generic
    /// result is unknown.
    pub fn declared_result(&self, id: DefinitionId) -> Option<StaticType> {
        let definition = self.definition(id);
        if definition.kind.has_members() {
            return Some(self.object_type(id));
        }
        let Some(returns) = definition.returns else {
            // A constructor.
            let around = self.type_around(id)?;
            return (self.definition(around).name == definition.name).then(|| self.object_type(around));
        };
        let declared = self.declared_type(self.file_of(id), returns).filter(|declared| !declared.is_parameter)?;
        if self.scopes(self.file_of(id)).is_some_and(|scopes| scopes.traits) {
            return Some(self.without_alias(self.with_definition(self.file_of(id), returns, declared)));
        }
        Some(declared)
    }

    /// Returns a declared type by its name, without a look-up outside the file.
    pub fn declared_type(&self, file: FileId, value: ValueId) -> Option<StaticType> {
        let facts = self.facts(file);
        let is_array = |value: &ValueId| matches!(facts.value(*value), FileValue::Free { symbol: name, .. } if name == symbol(ARRAY));
        let is_null = |value: &ValueId| matches!(facts.value(*value), FileValue::Free { symbol: name, .. } if name == symbol(NULLABLE));
        let (dimensions, value, is_nullable) = match facts.value(value) {
            FileValue::Any(types) => {
                let dimensions = types.iter().take_while(|value| is_array(value)).count();
                let is_nullable = dimensions == 0 && types.get(1).is_some_and(is_null);
                (dimensions, *types.get(dimensions)?, is_nullable)
            }
            _ => (0, value, false),
        };
        let of_type = |name| StaticType { dimensions, is_nullable, ..StaticType::named(name) };
        match facts.value(value) {
            FileValue::Free { symbol, .. } | FileValue::Access(_, symbol) => Some(of_type(symbol)),
            FileValue::Variable(variable) => {
                let is_parameter = self.is_type_parameter(self.offsets(file).variable(variable));
                Some(StaticType { is_parameter, ..of_type(facts.variable_name(variable)) })
            }
            _ => None,
        }
    }

    /// Adds its definition to a declared type. An object of that type reaches every file that reads
    /// the type, so a change of the definition affects these files.
    fn with_definition(&self, file: FileId, value: ValueId, declared: StaticType) -> StaticType {
        let mut types = Vec::new();
        self.types(file, value, 0, &mut types);
        let declared = self.without_typedef(file, value, declared);
        let definition = types.into_iter().find(|&id| self.definition(id).name == declared.name);
        StaticType { definition, ..declared }
    }

    /// Gives a declared type the name of the type that it is an alias of.
    pub fn without_typedef(&self, file: FileId, value: ValueId, declared: StaticType) -> StaticType {
        let has_typedefs = self.scopes(file).is_some_and(|scopes| scopes.typedefs);
        match has_typedefs.then(|| self.resolve(file, value, 0)).flatten() {
            Some(Entity::Definition(id)) if self.unaliased(id) != id => {
                StaticType { name: self.definition(self.unaliased(id)).name, ..declared }
            }
            _ => declared,
        }
    }

    /// Returns the type that an alias stands for; all other types unchanged.
    fn without_alias(&self, mut of_type: StaticType) -> StaticType {
        for _ in 0..MAX_DEPTH {
            let alias = of_type.definition.filter(|&id| self.kind(id) == DefinitionKind::Type);
            let declared = alias.and_then(|id| {
                let (file, value) = (self.file_of(id), self.definition(id).returns?);
                let next = self.with_definition(file, value, self.declared_type(file, value)?);
                let is_foreign = next.definition.is_none() && self.is_foreign_type(file, value);
                Some(StaticType { is_foreign, ..next })
            });
            match declared {
                Some(next) => of_type = StaticType { dimensions: of_type.dimensions + next.dimensions, ..next },
                None => break,
            }
        }
        of_type
    }

    /// Checks whether a variable that is used as a type is a type parameter: no definition and no
    /// import fills it.
    pub fn is_type_parameter(&self, variable: PointerId) -> bool {
        self.bound(variable).is_none() && !self.is_imported(variable)
    }

    /// Checks whether the name in place of a declared type means the type of the value (`var`).
    pub fn is_inferred(&self, file: FileId, value: ValueId) -> bool {
        let inferred = self.type_rules(file).map(|rules| &rules.inferred);
        let declared = self.declared_type(file, value);
        declared.is_none_or(|declared| inferred.is_some_and(|inferred| inferred.contains(&declared.name)))
    }

    /// Checks whether a type has a base that is not in the repository.
    pub fn has_foreign_base(&self, id: DefinitionId) -> bool {
        let file = self.file_of(id);
        let is_known = |&base: &ValueId| matches!(self.resolve(file, base, 0), Some(Entity::Definition(_)));
        self.definition(id).bases.iter().any(|base| !is_known(base))
    }
}

/// The assignments of a file's variables, sorted by variable.
#[derive(Default)]
pub(crate) struct VariableValues(Vec<(VariableId, ValueId)>);

impl VariableValues {
    pub fn new(facts: &FileFacts<'_>) -> Self {
        let variable = |(target, value)| match target {
            AssignmentTarget::Variable(variable) => Some((variable, value)),
            AssignmentTarget::Member(..) => None,
        };
        let mut all: Vec<_> = facts.bindings().filter_map(variable).collect();
        all.sort_by_key(|&(variable, _)| variable);
        Self(all)
    }

    fn of(&self, variable: VariableId) -> impl Iterator<Item = ValueId> {
        let first = self.0.partition_point(|&(other, _)| other < variable);
        self.0[first..].iter().take_while(move |&&(other, _)| other == variable).map(|&(_, value)| value)
    }
}

/// Reads the types of a file's values.
pub(crate) struct TypeReader<'r, 'a> {
    pub names: &'r Names<'a>,
    pub rules: &'r TypeRules,
    pub file: FileId,
    pub variables: &'r VariableValues,
    /// Returns the type of a call's result.
    pub result: &'r dyn Fn(CallId, u32) -> Option<StaticType>,
    /// Returns the type of a value that neither a declaration nor a literal determines.
    pub object: &'r dyn Fn(ValueId) -> Option<StaticType>,
}

impl TypeReader<'_, '_> {
    /// Returns the type of a value.
    pub fn read(&self, value: ValueId, depth: u32) -> Option<StaticType> {
        if depth > MAX_DEPTH || !self.names.budget.take(1) {
            return None;
        }
        let known = match self.names.facts(self.file).value(value) {
            FileValue::Variable(variable) => self.variable(variable, depth + 1),
            FileValue::Literal(name) => Some(StaticType::named(name)),
            FileValue::Instance(declared) => self.declared(declared),
            FileValue::Element(array) => self.read(array, depth + 1).and_then(StaticType::element),
            FileValue::Operation(left, right) => self.operation(left, right, depth + 1),
            FileValue::Any(values) => self.common(values.iter().copied(), depth + 1),
            FileValue::Call(call) => (self.result)(call, depth + 1),
            FileValue::Access(object, name) => self.member(object, name, depth + 1),
            FileValue::Definition(id)
                if matches!(
                    self.names.facts(self.file).kind(id),
                    DefinitionKind::Anonymous | DefinitionKind::Function
                ) =>
            {
                Some(StaticType::named(self.rules.function))
            }
            _ => None,
        };
        known.or_else(|| (self.object)(value))
    }

    /// Returns a declared type, with its definition; `None` if the name means the type of the
    /// value.
    fn declared(&self, value: ValueId) -> Option<StaticType> {
        let declared = self.names.declared_type(self.file, value)?;
        if self.rules.inferred.contains(&declared.name) {
            return None;
        }
        let of_type = self.names.with_definition(self.file, value, declared);
        if !self.rules.generic_traits {
            return Some(of_type);
        }
        let is_foreign = of_type.definition.is_none() && self.names.is_foreign_type(self.file, value);
        Some(self.names.without_alias(StaticType { is_foreign, ..of_type }))
    }

    /// Returns the declared type of a variable, else the common type of its values.
    fn variable(&self, variable: VariableId, depth: u32) -> Option<StaticType> {
        let facts = self.names.facts(self.file);
        let scope = facts.variable_scope(variable);
        if facts.definition(scope).receiver == Some(variable) {
            let id = self.names.type_around(self.names.offsets(self.file).definition(scope))?;
            return Some(self.names.object_type(id));
        }
        let declared = |value| match facts.value(value) {
            FileValue::Instance(_) => self.read(value, depth),
            _ => None,
        };
        let mut declared = self.variables.of(variable).filter_map(declared);
        match declared.next() {
            Some(first) => declared.try_fold(first, |one, other| self.common_base(one, other)),
            None => self.common(self.variables.of(variable), depth),
        }
    }

    /// Returns the closest library type that two types convert to. A variable has several types if
    /// blocks of one function declare it (`catch`).
    fn common_base(&self, one: StaticType, other: StaticType) -> Option<StaticType> {
        if one.is_same(other) {
            return Some(one);
        }
        let types = |of: StaticType| {
            let bases = self.rules.conversions.get(&of.name).filter(|_| of.dimensions == 0 && of.definition.is_none());
            bases.into_iter().flat_map(move |bases| std::iter::once(of.name).chain(bases.iter().copied()))
        };
        let is_class = |name: &Symbol| !self.rules.primitives.contains(name);
        types(one).filter(is_class).find(|&base| types(other).any(|own| own == base)).map(StaticType::named)
    }

    /// Returns the type of a member of the file's own types.
    fn member(&self, object: ValueId, name: Symbol, depth: u32) -> Option<StaticType> {
        let owner = || match self.names.resolve(self.file, object, 0) {
            Some(Entity::Definition(id)) if self.names.kind(id).is_type() => Some(self.names.object_type(id)),
            _ => None,
        };
        let of_type = self.read(object, depth).or_else(owner)?;
        if of_type.dimensions > 0 {
            return self.rules.results.get(&name).copied();
        }
        if of_type.is_nullable && self.rules.own_results.contains(&name) {
            return Some(of_type.not_null());
        }
        let member = self.names.member_of_type(of_type.definition?, name)?;
        match self.names.offsets(self.file).own_variable(member) {
            Some(variable) => self.variable(variable, depth),
            // A member of another file: only a function has a result that is known here.
            None => self.names.bound(member).and_then(|id| self.names.declared_result(id)),
        }
    }

    /// Returns the variable of a member, if the file declares the type.
    fn own_member(&self, of_type: StaticType, name: Symbol) -> Option<VariableId> {
        let member = self.names.member_of_type(of_type.definition?, name)?;
        self.names.offsets(self.file).own_variable(member)
    }

    /// Returns the types that limit the type parameter which a value is declared to have.
    pub fn bounds(&self, value: ValueId) -> Vec<DefinitionId> {
        let facts = self.names.facts(self.file);
        let variable = match facts.value(value) {
            FileValue::Variable(variable) => Some(variable),
            FileValue::Access(object, name) => self.read(object, 0).and_then(|of_type| self.own_member(of_type, name)),
            _ => None,
        };
        let parameter = |value| match facts.value(value) {
            FileValue::Instance(of_type) => match facts.value(of_type) {
                FileValue::Variable(own) => Some(own),
                _ => None,
            },
            _ => None,
        };
        let is_parameter =
            |own: &VariableId| self.names.is_type_parameter(self.names.offsets(self.file).variable(*own));
        let parameter = variable.and_then(|own| self.variables.of(own).find_map(parameter)).filter(is_parameter);
        let bound = |value| match self.names.resolve(self.file, value, 0) {
            Some(Entity::Definition(id)) => Some(id),
            _ => None,
        };
        parameter.into_iter().flat_map(|own| self.variables.of(own)).filter_map(bound).collect()
    }

    /// Returns the type that all values have, except `null`.
    fn common(&self, values: impl Iterator<Item = ValueId>, depth: u32) -> Option<StaticType> {
        let mut common: Option<StaticType> = None;
        for value in values {
            let one = self.read(value, depth)?;
            if one.name == self.rules.function {
                return Some(one);
            }
            common = match common {
                Some(other) if other.name == self.rules.null => Some(one),
                Some(other) if one.name != self.rules.null && !other.is_same(one) => return None,
                Some(other) => Some(other),
                None => Some(one),
            };
        }
        common
    }

    /// Returns the type of an arithmetic operation.
    fn operation(&self, left: ValueId, right: ValueId, depth: u32) -> Option<StaticType> {
        let own = self.read(left, depth);
        let other = if left == right { own } else { self.read(right, depth) };
        let text = StaticType::named(self.rules.text);
        if [own, other].into_iter().flatten().any(|operand| operand.is_same(text)) {
            return Some(text);
        }
        let arithmetic = &self.rules.arithmetic;
        let rank = |of: StaticType| arithmetic.iter().position(|&name| of.is_same(StaticType::named(name)));
        let widest = rank(own?).unwrap_or(0).max(rank(other?).unwrap_or(0));
        let is_number = |of: StaticType| of.dimensions == 0 && self.rules.primitives.contains(&of.name);
        let are_numbers = is_number(own?) && is_number(other?);
        arithmetic.get(widest).filter(|_| are_numbers).map(|&name| StaticType::named(name))
    }
}
