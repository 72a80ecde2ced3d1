//! The values that may be the handlers of entries, and the paths to them.

use super::entries::Handler;
use super::facts::{AssignmentTarget, Binding, SymbolicValue, symbol};
use super::value::{Pending, Values, pending_call};
use crate::ids::{LocalId, ValueId, VariableId};

impl<'a, 't> Values<'a, 't> {
    /// Records the call by which an entry runs its handler. Names in the handler are looked up in
    /// `scope`.
    pub fn entry_handler(
        &mut self,
        entry: LocalId,
        scope: LocalId,
        place: (u32, u32),
        handler: Handler<'a, 't>,
        line: u32,
    ) {
        let call = self.flow.calls.push(pending_call(entry, place, line));
        self.pending.push(Pending::Handler { call, scope, handler });
    }

    /// Returns the value of a handler.
    pub(super) fn handler(&mut self, scope: LocalId, handler: Handler<'a, 't>, line: u32) -> ValueId {
        match handler {
            Handler::Definition(id) => self.add(SymbolicValue::Definition(id)),
            Handler::Object(name) => {
                let value = self.imported_object(scope, name).map_or(SymbolicValue::Unknown, SymbolicValue::Variable);
                self.add(value)
            }
            Handler::Module(path) => {
                let variable = self.import_module(&path, line);
                self.add(SymbolicValue::Variable(variable))
            }
            Handler::Value(node) => self.value(scope, node, 0),
            Handler::Path(text) => self.path_value(scope, &text),
            Handler::Member { owner, name } => {
                let mut parts = owner.split("::");
                let first = symbol(parts.next().unwrap_or_default());
                let bound = self.look_up(scope, first, 0).map(SymbolicValue::Variable);
                let mut owner = self.add(bound.unwrap_or(SymbolicValue::Free { symbol: first, scope }));
                for part in parts {
                    owner = self.add(SymbolicValue::Access(owner, symbol(part)));
                }
                self.member_of_object(owner, &name)
            }
            Handler::MemberOf { owner, name } => {
                let owner = self.value(scope, owner, 0);
                self.member_of_object(owner, &name)
            }
        }
    }

    /// Returns the value of a path of names.
    pub(super) fn path_value(&mut self, scope: LocalId, text: &str) -> ValueId {
        let mut parts = self.language.spec.modules.split(text).into_iter().map(symbol);
        let first = parts.next().unwrap_or_else(|| symbol(""));
        let bound = self.look_up(scope, first, 0).map(SymbolicValue::Variable);
        let first = self.add(bound.unwrap_or(SymbolicValue::Free { symbol: first, scope }));
        parts.fold(first, |object, part| self.add(SymbolicValue::Access(object, part)))
    }

    /// Checks whether a name refers to an import.
    pub fn is_imported(&self, scope: LocalId, name: &str) -> bool {
        self.imported_object(scope, name).is_some()
    }

    fn imported_object(&self, scope: LocalId, name: &str) -> Option<VariableId> {
        self.look_up(scope, symbol(name), 0).filter(|variable| self.imported.contains_key(variable))
    }

    /// Binds a variable to an entry or a prefix, in addition to its value. `visible` is the number of a
    /// node that sees the variable.
    pub fn bind_entry(&mut self, scope: LocalId, name: &str, visible: usize, id: LocalId) {
        if let Some(variable) = self.look_up(scope, symbol(name), visible) {
            let value = self.add(SymbolicValue::Definition(id));
            self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
        }
    }
}
