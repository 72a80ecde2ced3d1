//! Declared types: which variables have one, what aliases stand for, and which functions are
//! alternatives of each other.

use super::{Entity, Names, parts};
use crate::file_facts::FileValue;
use crate::overloads::MAX_OVERLOADS;
use crate::type_rules::TypeRules;
use whichfn_syntax::ids::{DefinitionId, FileId, PointerId, ValueId};
use whichfn_syntax::lang::{DefinitionKind, Registry, Scopes, Spec};
use whichfn_syntax::parse::{AssignmentTarget, Symbol, symbol};

impl<'a> Names<'a> {
    /// Reads the built-in types of the languages in which they select a call's target.
    pub(super) fn find_type_rules(&mut self, registry: &Registry) {
        let selects = |spec: &&Spec| spec.scopes.overloads || spec.scopes.traits || spec.scopes.extends_libraries;
        for language in self.files().filter_map(|file| self.languages[file]) {
            if let Some(spec) = registry.spec(language).filter(selects) {
                self.type_rules.entry(language).or_insert_with(|| TypeRules::new(spec));
            }
        }
    }

    /// Checks whether a file's language declares nearly all types.
    pub fn declares_types(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.declared_types)
    }

    /// Checks whether functions of one scope in a file may share a name.
    pub fn has_overloads(&self, file: FileId) -> bool {
        self.scopes(file).is_some_and(|scopes| scopes.overloads)
    }

    /// Returns the built-in types of a file's language; `None` if they select no call's target.
    pub fn type_rules(&self, file: FileId) -> Option<&TypeRules> {
        self.type_rules.get(&self.languages[file]?)
    }

    /// Returns the built-in types by which calls in a file select among functions: those of arguments
    /// without a declared type are too often unknown.
    pub fn selecting_types(&self, file: FileId) -> Option<&TypeRules> {
        let selects = |scopes: &Scopes| scopes.overloads || scopes.traits || scopes.declared_types;
        self.type_rules(file).filter(|_| self.scopes(file).is_some_and(selects))
    }

    /// Returns all overloads that a definition represents, itself included.
    pub fn overloads<'s>(&'s self, id: &'s DefinitionId) -> &'s [DefinitionId] {
        self.overloads.get(id).map_or(std::slice::from_ref(id), Vec::as_slice)
    }

    /// Returns the definition that represents the overloads of a function, or the parts of a type.
    pub fn representative(&self, id: DefinitionId) -> DefinitionId {
        self.representatives.get(&id).copied().unwrap_or_else(|| self.whole(id))
    }

    /// Returns the first part of a type; the definition itself for all others.
    pub fn whole(&self, id: DefinitionId) -> DefinitionId {
        if self.owner[id] != id && self.kind(id).is_type() { self.owner[id] } else { id }
    }

    /// Checks whether another definition of the same variable represents this one.
    pub fn is_represented(&self, variable: PointerId, id: DefinitionId) -> bool {
        let last = self.bound(variable).filter(|&last| last != id && self.overloads.contains_key(&last));
        last.is_some() && self.kind(id).is_function()
    }

    pub(super) fn find_representatives(&mut self) {
        let represented = |(&last, all): (&DefinitionId, &Vec<DefinitionId>)| {
            all.iter().filter(move |&&id| id != last).map(move |&id| (id, last)).collect::<Vec<_>>()
        };
        self.representatives = self.overloads.iter().flat_map(represented).collect();
    }

    /// Adds the functions of base types to the overloads of a method with the same name, except
    /// those that it or one of its overloads overrides.
    pub(super) fn find_inherited_overloads(&mut self) {
        let mut inherited = Vec::new();
        let has_inherited = |&file: &FileId| self.scopes(file).is_some_and(|scopes| scopes.inherited_overloads);
        for file in self.files().filter(has_inherited) {
            let (facts, offsets) = (self.facts[file], self.offsets[file]);
            for (_, scope, name) in facts.variables().filter(|&(_, scope, _)| facts.kind(scope).is_type()) {
                let of_type = offsets.definition(scope);
                let is_constructor = |scopes: &Scopes| scopes.constructors.iter().any(|own| symbol(own) == name);
                if self.scopes(file).is_some_and(|scopes| scopes.header_constructors && is_constructor(scopes)) {
                    continue;
                }
                if name == facts.definition(scope).name || !self.mro.contains_key(&of_type) {
                    continue;
                }
                if let Some(id) = self.bound_member(of_type, name) {
                    inherited.push((id, self.with_inherited(of_type, id, name)));
                }
            }
        }
        let several = inherited.into_iter().filter(|(_, overloads)| overloads.len() > 1);
        self.overloads.extend(several);
    }

    /// Returns the function that a type declares with the given name.
    fn bound_member(&self, of_type: DefinitionId, name: Symbol) -> Option<DefinitionId> {
        let id = self.bound(*self.members.get(&(of_type, name))?)?;
        self.kind(id).is_function().then_some(id)
    }

    /// Returns the overloads of a method of a type, and those of its bases' methods that they do
    /// not override.
    fn with_inherited(&self, of_type: DefinitionId, id: DefinitionId, name: Symbol) -> Vec<DefinitionId> {
        let mut all = self.overloads(&id).to_vec();
        for base in self.bases(of_type).iter().filter_map(|&base| self.bound_member(base, name)) {
            for &other in self.overloads(&base) {
                let is_overridden = || all.iter().any(|&own| self.overrides(own, other));
                if all.len() < MAX_OVERLOADS && self.budget.take(all.len()) && !all.contains(&other) && !is_overridden()
                {
                    all.push(other);
                }
            }
        }
        all
    }

    /// Records the variables whose declared type determines their objects.
    pub(super) fn note_declared_types(&mut self, file: FileId) {
        let Some(scopes) = self.scopes(file).filter(|scopes| scopes.declared_types || scopes.declared_bounds) else {
            return;
        };
        self.declared_variables.resize(self.total.end().index().div_ceil(64), 0);
        let (offsets, facts) = (self.offsets[file], self.facts[file]);
        for (target, value) in facts.bindings() {
            if let (AssignmentTarget::Variable(variable), FileValue::Instance(of_type)) = (target, facts.value(value))
                && !self.note_function_variable(file, variable, parts(facts, &of_type))
                && self.determines_objects(file, scopes, of_type)
            {
                let variable = offsets.variable(variable).index();
                self.declared_variables[variable / 64] |= 1 << (variable % 64);
            }
        }
    }

    /// Checks whether a variable of a declared type only holds objects of that type.
    fn determines_objects(&self, file: FileId, scopes: &Scopes, of_type: ValueId) -> bool {
        let (offsets, facts) = (self.offsets[file], self.facts[file]);
        let all = parts(facts, &of_type);
        if self.names_function(file, all) {
            return false;
        }
        let is_open = |of_type| match facts.value(of_type) {
            FileValue::Variable(own) => self.is_type_parameter(offsets.variable(own)),
            _ => self.is_inferred(file, of_type),
        };
        !(if scopes.traits { all.iter().any(|&one| is_open(one)) } else { is_open(of_type) })
    }

    /// Lets each alias of a type (`typedef struct clock clock_t`) be that type, if the language has
    /// such aliases. The type may have the same name, and be in a file that the alias does not see.
    pub(super) fn merge_typedefs(&mut self) {
        for file in self.files() {
            if !self.scopes(file).is_some_and(|scopes| scopes.typedefs) {
                continue;
            }
            for (alias, of_type) in self.facts[file].typedefs() {
                let alias = self.offsets[file].definition(alias);
                if let Some(id) = self.aliased(file, alias, of_type) {
                    self.merged_types.insert(alias, self.owner[id]);
                }
            }
        }
    }

    /// Returns the type that an alias of a type is; the definition itself for all others.
    pub fn unaliased(&self, id: DefinitionId) -> DefinitionId {
        let aliased = self.merged_types.get(&id).filter(|_| self.kind(id) == DefinitionKind::Type);
        aliased.copied().unwrap_or(id)
    }

    /// Returns the type that an alias names: one that its file sees, or else the only one of the
    /// repository with that name.
    fn aliased(&self, file: FileId, alias: DefinitionId, of_type: ValueId) -> Option<DefinitionId> {
        let is_type =
            |&id: &DefinitionId| id != alias && self.kind(id).is_type() && self.kind(id) != DefinitionKind::Type;
        if let Some(Entity::Definition(id)) = self.resolve(file, of_type, 0)
            && is_type(&id)
        {
            return Some(id);
        }
        let name = self.facts[file].name_of(of_type)?;
        if self.is_foreign_name(file, name) {
            return None;
        }
        let all = self.top.get(name);
        let mut found = all.iter().copied().take_while(|_| self.budget.take(1)).filter(is_type);
        let only = found.next();
        only.filter(|_| found.next().is_none())
    }

    /// Returns the structs that a declared type names, if a variable of the type only holds objects of
    /// them.
    pub fn exact_structs(&self, file: FileId, of_type: ValueId) -> Option<Vec<DefinitionId>> {
        self.scopes(file).filter(|scopes| scopes.exact_structs)?;
        if matches!(self.facts[file].value(of_type), FileValue::Any(all) if self.names_function(file, all)) {
            return None;
        }
        let mut types = Vec::new();
        self.types(file, of_type, 0, &mut types);
        let is_exact = !types.is_empty() && types.iter().all(|&id| self.kind(id) == DefinitionKind::Struct);
        is_exact.then_some(types)
    }

    /// Checks whether the declared type of a variable determines its objects.
    pub fn has_declared_type(&self, variable: PointerId) -> bool {
        self.declared_variables.get(variable.index() / 64).is_some_and(|bits| bits & 1 << (variable.index() % 64) != 0)
    }

    /// Adds a function to the overloads of the previous one with its name.
    pub(super) fn add_overload(&mut self, previous: DefinitionId, id: DefinitionId) {
        if self.kind(previous).is_function() && self.kind(id).is_function() {
            let mut overloads = self.overloads.remove(&previous).unwrap_or_else(|| vec![previous]);
            if overloads.len() < MAX_OVERLOADS {
                overloads.push(id);
            }
            self.overloads.insert(id, overloads);
        }
    }

    /// Makes the functions that two parts of a type declare with one name overloads of each other.
    pub(super) fn join_overloads(&mut self, one: PointerId, other: PointerId) {
        let (Some(one), Some(other)) = (self.bound(one), self.bound(other)) else { return };
        if self.kind(one).is_function() && self.kind(other).is_function() {
            let mut all = self.overloads(&one).to_vec();
            all.extend(self.overloads(&other).iter().filter(|id| !all.contains(id)).copied().collect::<Vec<_>>());
            all.truncate(MAX_OVERLOADS);
            self.overloads.insert(other, all.clone());
            self.overloads.insert(one, all);
        }
    }
}
