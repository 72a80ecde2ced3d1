//! The reason why a call reaches a definition, derived from the form of the callee and the origin
//! of its name.

use super::PointsTo;
use crate::edge::CallReason;
use crate::file_facts::FileValue;
use crate::names::Entity;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, LocalId, PointerId, ValueId, VariableId};
use whichfn_syntax::lang::DefinitionKind;

impl PointsTo<'_, '_> {
    /// Returns the reason why a call reaches a definition. Of several methods that it may reach,
    /// one in a subtype is a mere possibility.
    pub fn reason(&self, file: FileId, call: CallId, reached: &[DefinitionId], id: DefinitionId) -> CallReason {
        let offsets = self.names.offsets(file);
        let facts = self.names.facts(file);
        let call = facts.call(call);
        let around = self.names.type_around(offsets.definition(call.scope));
        if let FileValue::Access(..) = facts.value(call.callee)
            && reached.iter().any(|&other| self.may_override(id, other))
        {
            return CallReason::Dispatch;
        }
        match facts.value(call.callee) {
            FileValue::Variable(variable) if self.is_receiver(file, call.scope, variable) => CallReason::Receiver,
            FileValue::Variable(variable) => self.reason_of_name(offsets.variable(variable), id),
            FileValue::Free { .. } => CallReason::Visible,
            FileValue::Access(object, _) => match facts.value(object) {
                FileValue::Super(_) => CallReason::Base,
                FileValue::Variable(variable) if self.is_receiver(file, call.scope, variable) => {
                    if self.names.type_around(id) == around { CallReason::Receiver } else { CallReason::Base }
                }
                _ => match self.names.resolve(file, object, 0) {
                    Some(Entity::Definition(id)) if self.names.kind(id) == DefinitionKind::Module => CallReason::Import,
                    Some(Entity::Directory(_)) => CallReason::Import,
                    _ => CallReason::Type,
                },
            },
            FileValue::Super(_) => CallReason::Base,
            FileValue::SelfType(_) => CallReason::Receiver,
            FileValue::Any(&[free, ref members @ ..]) if !members.is_empty() => {
                self.reason_of_opened(file, free, members, id)
            }
            _ => CallReason::Flow,
        }
    }

    /// Returns the reason why a name reaches a definition that may be a member of a value whose members
    /// are imported.
    fn reason_of_opened(&self, file: FileId, free: ValueId, members: &[ValueId], id: DefinitionId) -> CallReason {
        let facts = self.names.facts(file);
        let is_member =
            |member: &ValueId, symbol| matches!(facts.value(*member), FileValue::Access(_, name) if name == symbol);
        match facts.value(free) {
            FileValue::Free { symbol, .. } if members.iter().all(|member| is_member(member, symbol)) => {
                let is_seen = match self.names.resolve(file, free, 0) {
                    Some(Entity::Definition(named)) => self.is_named_by(id, named),
                    _ => false,
                };
                if is_seen { CallReason::Visible } else { CallReason::Import }
            }
            _ => CallReason::Flow,
        }
    }

    /// Checks whether a method is declared in a type below that of another one, and has its
    /// parameters if the language has overloads.
    fn may_override(&self, id: DefinitionId, other: DefinitionId) -> bool {
        let is_below = match (self.names.type_around(id), self.names.type_around(other)) {
            (Some(own), Some(base)) => own != base && self.names.bases(own).contains(&base),
            _ => false,
        };
        let has_overloads = || self.names.has_overloads(self.names.file_of(id));
        is_below && (!has_overloads() || self.names.overrides(id, other))
    }

    fn reason_of_name(&self, variable: PointerId, id: DefinitionId) -> CallReason {
        let bound = self.names.bound(variable);
        if self.names.is_imported(variable) {
            CallReason::Import
        } else if bound.is_some_and(|bound| self.is_variant(bound, id) || self.names.type_around(id) == Some(bound)) {
            CallReason::Scope
        } else {
            CallReason::Flow
        }
    }

    /// Checks whether two definitions are the same, or define one name of a file (in the branches
    /// of an `#if`).
    fn is_variant(&self, a: DefinitionId, b: DefinitionId) -> bool {
        let qualified_name = |id| self.names.definition(id).qualified_name;
        a == b || self.names.file_of(a) == self.names.file_of(b) && qualified_name(a) == qualified_name(b)
    }

    /// Returns the only function that the name of a call refers to by declarations alone: by its
    /// scope, its imports, or the type around it. The solver would reach the same function.
    pub fn declared_callee(&self, file: FileId, call: CallId) -> Option<DefinitionId> {
        let (names, scope) = (&self.names, self.names.facts(file).call(call).scope);
        let found = self.declared_by_name(file, call)?;
        let is_only = names.kind(found).is_function() && names.overloads(&found).len() == 1;
        let is_usable = !names.is_restricted(found) || names.may_use(file, scope, found);
        (is_only && is_usable && names.kind(found) != DefinitionKind::Anonymous).then_some(found)
    }

    /// Checks whether the name of a value is that of a definition, or an imported one.
    pub fn is_written_as(&self, file: FileId, value: ValueId, id: DefinitionId) -> bool {
        let facts = self.names.facts(file);
        let is_imported = match facts.value(value) {
            FileValue::Variable(own) => self.names.is_imported(self.names.offsets(file).variable(own)),
            FileValue::Call(access) => return self.is_written_as(file, facts.call(access).callee, id),
            _ => false,
        };
        is_imported || facts.name_of(value) == Some(self.names.definition(id).name)
    }

    /// Checks whether a definition is the one that a call names, an overload of that one, or a
    /// constructor of that type.
    pub fn is_named_by(&self, id: DefinitionId, named: DefinitionId) -> bool {
        let names = &self.names;
        let constructs = || {
            let of_type = names.type_around(id).filter(|_| self.is_constructor(id));
            names.kind(named).has_members() && of_type.is_some_and(|of| names.mro(&named).contains(&of))
        };
        named == id || names.overloads(&named).contains(&id) || constructs()
    }

    /// Returns the definition that the name of a call refers to by declarations alone.
    pub fn declared_by_name(&self, file: FileId, call: CallId) -> Option<DefinitionId> {
        let (names, facts) = (&self.names, self.names.facts(file));
        let call = facts.call(call);
        let own = match facts.value(call.callee) {
            FileValue::Access(object, name) => match facts.value(object) {
                FileValue::Variable(variable) if self.is_receiver(file, call.scope, variable) => {
                    let around = names.type_around(names.offsets(file).definition(call.scope))?;
                    names.bound(names.member_of_type(around, name)?)
                }
                _ => None,
            },
            _ => None,
        };
        let resolved = || match names.resolve(file, call.callee, 0)? {
            Entity::Definition(id) => Some(id),
            Entity::Variable(variable) => names.bound(variable),
            Entity::Directory(_) | Entity::Foreign => None,
        };
        own.or_else(resolved)
    }

    /// Returns the constructor that contains a call of another constructor of its type
    /// (`this(...)`).
    pub fn constructor_around(&self, file: FileId, call: CallId) -> Option<DefinitionId> {
        let (facts, offsets) = (self.names.facts(file), self.names.offsets(file));
        let call = facts.call(call);
        let FileValue::Variable(callee) = facts.value(call.callee) else { return None };
        let around = offsets.definition(call.scope);
        let constructs = self.special(around).is_some_and(|special| special.receiver_constructs);
        (constructs && self.is_receiver(file, call.scope, callee)).then_some(around)
    }

    pub(super) fn is_receiver(&self, file: FileId, scope: LocalId, variable: VariableId) -> bool {
        let facts = self.names.facts(file);
        let mut at = scope;
        loop {
            let definition = facts.definition(at);
            if definition.receiver == Some(variable) {
                return true;
            }
            if at == LocalId::FILE {
                return false;
            }
            at = definition.parent;
        }
    }
}
