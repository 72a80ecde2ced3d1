//! Languages in which a type has methods of its own, apart from those of its objects, which may have
//! the same names (`def self.run` in Ruby).
//!
//! - **Invariant:** a call on an object reaches no method of the type. A call on a type reaches the
//!   type's method with the name, if there is one; a call of a plain name in the body of a class
//!   reaches no method of its objects or of other types, and no function with the name of one that
//!   each type has. The functions of a trait run on objects or on types.

use super::PointsTo;
use super::objects::AbstractObject;
use crate::file_facts::{FileCall, FileValue};
use whichfn_syntax::ids::{CallId, DefinitionId, LocalId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::Symbol;

/// On what the code of a scope runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Receiver {
    Type(DefinitionId),
    Object,
    /// Unknown, or nothing.
    Unknown,
}

impl PointsTo<'_, '_> {
    /// Checks whether types have methods of their own in the current file's language.
    pub(super) fn has_type_methods(&self) -> bool {
        self.names.scopes(self.current.file).is_some_and(|scopes| scopes.messages)
    }

    /// Lets the calls of plain names in the bodies and methods of types reach the types' methods.
    pub(super) fn read_type_calls(&mut self) {
        if !self.has_type_methods() {
            return;
        }
        for call in self.facts().call_ids() {
            if let Some((of_type, id)) = self.own_type_method(call) {
                self.bind_receiver(id, AbstractObject::Definition(of_type));
                self.pass(call, id, true);
            }
        }
    }

    /// Returns the method of a type that a call of a plain name in the type means, with the type.
    fn own_type_method(&self, call: CallId) -> Option<(DefinitionId, DefinitionId)> {
        let FileCall { scope, callee, is_quoted, .. } = self.facts().call(call);
        let name = match self.facts().value(callee) {
            // `before_save :check` names a method of the objects.
            _ if is_quoted => return None,
            FileValue::Variable(own) if self.facts().kind(self.facts().variable_scope(own)).is_type() => {
                self.facts().variable_name(own)
            }
            FileValue::Free { symbol, .. } => symbol,
            _ => return None,
        };
        match self.receiver_in(scope) {
            Receiver::Type(of_type) => Some((of_type, self.names.type_method(of_type, name)?)),
            _ => None,
        }
    }

    /// Returns the method of a type with a name, given the type.
    pub(super) fn method_of_type(&self, receiver: AbstractObject, name: Symbol) -> Option<DefinitionId> {
        match receiver {
            AbstractObject::Definition(of_type) if self.has_type_methods() => self.names.type_method(of_type, name),
            _ => None,
        }
    }

    /// Checks whether a call of a plain name, or of the base's method, may reach a method, given the
    /// receiver of the code around it.
    pub(super) fn fits_receiver(&self, call: CallId, id: DefinitionId) -> bool {
        let FileCall { scope, callee, is_quoted, .. } = self.facts().call(call);
        let is_plain = match self.facts().value(callee) {
            FileValue::Access(object, _) => matches!(self.facts().value(object), FileValue::Super(_)),
            _ => !is_quoted,
        };
        if !is_plain {
            return true;
        }
        match (self.receiver_in(scope), self.names.type_around(id)) {
            (Receiver::Object, around) => around.is_none() || !self.shapes[id].receives_type,
            (Receiver::Type(_), None) => !self.is_function_of_types(self.names.definition(id).name),
            (Receiver::Type(_), Some(_)) if self.own_type_method(call).is_some_and(|(_, own)| own != id) => false,
            (Receiver::Type(of_type), Some(around)) => {
                let order = self.names.mro(&of_type);
                let may_extend = self.shapes[id].receives_type || self.shapes[around].kind == DefinitionKind::Trait;
                may_extend && self.names.budget.take(order.len()) && order.contains(&around)
            }
            (Receiver::Unknown, _) => true,
        }
    }

    /// Checks whether each type has a function with a name.
    fn is_function_of_types(&self, name: Symbol) -> bool {
        let language = self.names.language(self.current.file).and_then(|language| self.special.get(&language));
        language.is_some_and(|special| special.of_types.contains(&name))
    }

    /// Returns on what the code of a scope runs. A block in the body of a type may run on its objects.
    fn receiver_in(&self, scope: LocalId) -> Receiver {
        let (facts, offsets) = (self.facts(), self.offsets());
        let (mut at, mut is_block) = (scope, false);
        while at != LocalId::FILE {
            let (kind, id) = (facts.kind(at), offsets.definition(at));
            match kind {
                DefinitionKind::Anonymous => is_block = true,
                _ if kind.is_type() && is_block => return Receiver::Unknown,
                _ if kind.is_type() => return Receiver::Type(self.names.owner[id]),
                _ => {
                    return match self.names.type_around(id) {
                        Some(of_type) if self.shapes[id].receives_type => Receiver::Type(of_type),
                        Some(of_type) if self.shapes[of_type].kind != DefinitionKind::Trait => Receiver::Object,
                        _ => Receiver::Unknown,
                    };
                }
            }
            at = facts.definition(at).parent;
        }
        Receiver::Unknown
    }
}
