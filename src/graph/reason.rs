//! Why a call reaches a definition: read off the way the callee is written and where its name comes from.

use super::edge::CallReason;
use super::names::Entity;
use super::points_to::PointsTo;
use crate::ids::{CallId, DefinitionId, FileId, LocalId, PointerId, VariableId};
use crate::lang::DefinitionKind;
use crate::parse::SymbolicValue;

impl PointsTo<'_, '_> {
    /// Why a call reaches a definition.
    pub fn reason(&self, file: FileId, call: CallId, id: DefinitionId) -> CallReason {
        let offsets = self.names.offsets(file);
        let facts = self.names.facts(file);
        let call = &facts.flow.calls[call];
        let around = self.names.type_around(offsets.definition(call.scope));
        match &facts.flow.values[call.callee] {
            SymbolicValue::Variable(variable) => self.reason_of_name(offsets.variable(*variable), id),
            SymbolicValue::Free { .. } => CallReason::Visible,
            SymbolicValue::Access(object, _) => match &facts.flow.values[*object] {
                SymbolicValue::Super(_) => CallReason::Base,
                SymbolicValue::Variable(variable) if self.is_receiver(file, call.scope, *variable) => {
                    if self.names.type_around(id) == around { CallReason::Receiver } else { CallReason::Base }
                }
                _ => match self.names.resolve(file, *object, 0) {
                    Some(Entity::Definition(of)) if self.names.definition(of).kind == DefinitionKind::Module => {
                        CallReason::Import
                    }
                    Some(Entity::Directory(_)) => CallReason::Import,
                    _ => CallReason::Type,
                },
            },
            SymbolicValue::Super(_) => CallReason::Base,
            SymbolicValue::SelfType(_) => CallReason::Receiver,
            _ => CallReason::Flow,
        }
    }

    fn reason_of_name(&self, variable: PointerId, id: DefinitionId) -> CallReason {
        let bound = self.names.bound(variable);
        if self.names.is_imported(variable) {
            CallReason::Import
        } else if bound.is_some() && (bound == Some(id) || self.names.type_around(id) == bound) {
            CallReason::Scope
        } else {
            CallReason::Flow
        }
    }

    fn is_receiver(&self, file: FileId, scope: LocalId, variable: VariableId) -> bool {
        let definitions = &self.names.facts(file).definitions;
        let mut at = scope;
        loop {
            let definition = &definitions[at];
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
