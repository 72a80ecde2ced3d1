//! Finds the variables and members of a file that hold containers of the language, such as arrays. A
//! container is not distinguished from its elements, but an operator on it calls no method of theirs:
//! `for row in [Row()]` does not call `Row.__iter__`.
//!
//! - **Invariant:** a variable holds a container if its declared type says so, or if it has no
//!   declared type and all values that are assigned to it in the file are literals of containers.
//! - **Cost:** one look-up for each assignment and each operator.

use super::facts::{Symbol, symbol};
use super::value::Values;
use crate::ids::LocalId;
use crate::lang::{ExpressionForm, FlowKind};
use crate::tree::Node;
use rustc_hash::FxHashSet;

/// A variable or a member: the scope that declares it, and its name.
type Place = (LocalId, Symbol);

/// Variables and members by what is assigned to them.
#[derive(Default)]
pub(super) struct ContainerValues {
    declared: FxHashSet<Place>,
    literals: FxHashSet<Place>,
    others: FxHashSet<Place>,
}

impl<'t> Values<'_, 't> {
    /// Records whether an assignment or a declaration says that its target holds a container.
    pub(super) fn note_container(
        &mut self,
        scope: LocalId,
        target: Node<'t>,
        value: Option<Node<'t>>,
        declared: Option<Node<'t>>,
    ) {
        let Some(place) = self.place_of(scope, target) else { return };
        if let Some(declared) = declared {
            let is_container = self.is_container_type(declared);
            let known = &mut self.container_values;
            if is_container { &mut known.declared } else { &mut known.others }.insert(place);
        } else if let Some(value) = value {
            let is_literal = self.is_container_literal(value);
            let known = &mut self.container_values;
            if is_literal { &mut known.literals } else { &mut known.others }.insert(place);
        }
    }

    /// Checks whether the value of a node is a container of the language.
    pub(super) fn is_container(&self, scope: LocalId, node: Node<'t>) -> bool {
        let known = &self.container_values;
        let holds = |place| {
            known.declared.contains(&place) || known.literals.contains(&place) && !known.others.contains(&place)
        };
        self.is_container_literal(node) || self.place_of(scope, node).is_some_and(holds)
    }

    fn is_container_literal(&self, node: Node<'t>) -> bool {
        let kinds = [FlowKind::Lists, FlowKind::Maps, FlowKind::Tuples];
        let flow = self.language.meaning(node.kind()).flow;
        kinds.iter().any(|kind| flow & kind.bit() != 0)
    }

    /// Checks whether a declared type is that of a container: `array`, `array<string, Row>`, `Row[]`.
    /// Of several alternatives, all but null have to be.
    fn is_container_type(&self, declared: Node<'t>) -> bool {
        let types = &self.language.spec.expressions.container_types;
        if types.is_empty() {
            return false;
        }
        let text = self.written_type_text(declared).unwrap_or_else(|| self.text(declared)).trim_start_matches('?');
        let is_container = |one: &str| {
            let head = one.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).next().unwrap_or_default();
            one.ends_with("[]") || types.iter().any(|name| name == head)
        };
        let alternatives = || text.split('|').map(str::trim).filter(|one| *one != "null");
        // A type with arguments may contain alternatives and spaces.
        let has_arguments = text.contains('<') && !text.split('<').next().unwrap_or_default().contains('|');
        if has_arguments {
            is_container(text)
        } else {
            alternatives().next().is_some() && alternatives().all(is_container)
        }
    }

    /// Returns the variable that a node names, or the member of the receiver.
    fn place_of(&self, scope: LocalId, node: Node<'t>) -> Option<Place> {
        match self.language.meaning(node.kind()).form {
            // A field.
            ExpressionForm::Name if self.is_type(scope) => Some((scope, symbol(self.text(node)))),
            ExpressionForm::Name => {
                let variable = self.flow.variables[self.plain_variable(scope, node)?];
                Some((variable.scope, variable.symbol))
            }
            ExpressionForm::Access(object, member) => {
                let receivers = &self.language.spec.scopes.receivers;
                let is_own =
                    receivers.iter().any(|name| object.child_of(node).is_some_and(|own| name == self.text(own)));
                let name = member.child_of(node).filter(|_| is_own)?;
                Some((self.type_around(scope)?, symbol(self.text(name))))
            }
            _ => None,
        }
    }

    /// Returns the type around a scope.
    fn type_around(&self, mut scope: LocalId) -> Option<LocalId> {
        while scope != LocalId::FILE {
            let at = self.scopes.get(scope)?;
            if at.kind.has_members() {
                return Some(scope);
            }
            scope = at.parent;
        }
        None
    }
}
