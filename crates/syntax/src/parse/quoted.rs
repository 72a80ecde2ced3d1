//! Callees that are only the name of a function: a symbol or text (`before_action :load` in Ruby,
//! `usort($rows, 'compare')` in PHP), or a name after its first argument (`a dot b` in Kotlin).

use super::facts::{AssignmentTarget, Binding, Symbol, SymbolicValue, symbol};
use super::matches::CalledOn;
use super::value::{Pending, Values};
use crate::ids::{CallId, LocalId, ValueId, VariableId};
use crate::tree::Node;

impl<'t> Values<'_, 't> {
    /// Returns the value of a callee that is a symbol or text, or the name of a member of `on`.
    /// Returns `None` for any other callee.
    pub(super) fn called_by_name(
        &mut self,
        (call, scope): (CallId, LocalId),
        callee: Node<'t>,
        on: Option<CalledOn<'t>>,
    ) -> Option<ValueId> {
        let start = self.built_name(scope, callee);
        let is_quoted = start.is_some() || self.language.meaning(callee.kind()).is_quoted();
        self.flow.calls[call].is_quoted = is_quoted;
        let object = match on {
            Some(CalledOn::Object(object)) => self.value(scope, object, 0),
            Some(CalledOn::ElementsOf(container)) => {
                let container = self.value(scope, container, 0);
                self.element_of(container)
            }
            None if is_quoted => return Some(self.quoted_function(scope, callee, start)),
            None => return None,
        };
        let member = match start {
            Some(start) => SymbolicValue::Access(object, start),
            None if is_quoted => SymbolicValue::Access(object, symbol(quoted_name(self.text(callee)))),
            None => self.member(object, callee, 0),
        };
        Some(self.add(member))
    }

    /// Declares another name of a function in a type: that of the function with the name `old` so far,
    /// or of a member of an object.
    pub fn function_alias(&mut self, scope: LocalId, name: Node<'t>, old: Node<'t>, object: Option<Node<'t>>) {
        let variable = self.declare(scope, quoted_name(self.text(name)));
        self.defined.insert(variable);
        let known = self.by_name.get(&(scope, symbol(quoted_name(self.text(old)))));
        match known.and_then(|known| self.last_bound.get(known)).copied().filter(|_| object.is_none()) {
            Some(id) => {
                let value = self.add(SymbolicValue::Definition(id));
                self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
            }
            None => self.pending.push(Pending::Alias { scope, variable, old, object }),
        }
    }

    /// Reads another name of a function that the type does not declare.
    pub(super) fn read_alias(&mut self, scope: LocalId, variable: VariableId, old: Node<'t>, object: Option<Node<'t>>) {
        let name = quoted_name(self.text(old));
        let value = match object {
            Some(object) => SymbolicValue::Access(self.value(scope, object, 0), symbol(name)),
            None => self.name_at(scope, name, old.number()),
        };
        let value = self.add(value);
        self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
    }

    /// Returns the function that a symbol or text names, possibly as a member of a type
    /// (`'Rows::compare'`), or the functions whose names have a start.
    fn quoted_function(&mut self, scope: LocalId, callee: Node<'t>, start: Option<Symbol>) -> ValueId {
        if let Some(start) = start {
            let own = self.look_up(scope, start, callee.number()).map(SymbolicValue::Variable);
            return self.add(own.unwrap_or(SymbolicValue::Free { symbol: start, scope }));
        }
        let name = quoted_name(self.text(callee));
        let value = match name.rsplit_once(self.language.spec.head.qualifier.as_str()) {
            Some((owner, member)) => SymbolicValue::Access(self.path_value(scope, owner), symbol(member)),
            None => self.name_at(scope, name, callee.number()),
        };
        self.add(value)
    }
}

/// Returns the name in a symbol or text: `load` in `:load`, `add:to:` in `@selector(add:to:)`.
fn quoted_name(text: &str) -> &str {
    let inside = text.strip_suffix(')').and_then(|text| text.split_once('(')).map_or(text, |(_, inside)| inside);
    inside.trim().trim_start_matches([':', '"', '\'']).trim_end_matches(['"', '\''])
}
