//! Why a call reaches a definition: read off the way the callee is written and where its name comes from.

use super::edge::Reason;
use super::flow::Flow;
use super::names::{Entity, NONE};
use crate::lang::DefinitionKind;
use crate::parse::Value;

impl Flow<'_, '_> {
    /// Why a call reaches a definition.
    pub fn reason(&self, file: usize, local_call: u32, id: u32) -> Reason {
        let base = self.names.bases[file];
        let facts = self.names.sources[file].facts;
        let call = &facts.flow.calls[local_call as usize];
        let around = self.names.type_around(base.definition + call.scope);
        match &facts.flow.values[call.callee as usize] {
            Value::Variable(variable) => self.reason_of_name(base.variable + variable, id),
            Value::Free { .. } => Reason::Visible,
            Value::Access(object, _) => match &facts.flow.values[*object as usize] {
                Value::Super(_) => Reason::Base,
                Value::Variable(variable) if self.is_receiver(file, call.scope, *variable) => {
                    if self.names.type_around(id) == around { Reason::Receiver } else { Reason::Base }
                }
                _ => match self.names.resolve(file, *object, 0) {
                    Some(Entity::Definition(of)) if self.names.definition(of).kind == DefinitionKind::Module => {
                        Reason::Import
                    }
                    Some(Entity::Directory(_)) => Reason::Import,
                    _ => Reason::Type,
                },
            },
            Value::Super(_) => Reason::Base,
            Value::SelfType(_) => Reason::Receiver,
            _ => Reason::Flow,
        }
    }

    fn reason_of_name(&self, variable: u32, id: u32) -> Reason {
        let bound = self.names.bound[variable as usize];
        if self.names.imported[variable as usize] != NONE {
            Reason::Import
        } else if bound != NONE && (bound == id || self.names.type_around(id) == Some(bound)) {
            Reason::Scope
        } else {
            Reason::Flow
        }
    }

    fn is_receiver(&self, file: usize, scope: u32, variable: u32) -> bool {
        let definitions = &self.names.sources[file].facts.definitions;
        let mut at = scope;
        loop {
            let definition = &definitions[at as usize];
            if definition.receiver == Some(variable) {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = definition.parent;
        }
    }
}
