//! Reads the assignments in one file, and pairs targets with values.

use super::facts::{AssignmentTarget, Binding, SymbolicValue, symbol};
use super::value::{MAX_DEPTH, Values};
use crate::ids::{LocalId, ValueId};
use crate::lang::ExpressionForm;
use crate::tree::Node;

impl<'t> Values<'_, 't> {
    /// Reads an assignment, and returns the declared type of the target.
    pub(super) fn read_binding(
        &mut self,
        scope: LocalId,
        target: Node<'t>,
        value: Option<Node<'t>>,
        declared: Option<Node<'t>>,
        is_variadic: bool,
    ) -> Option<ValueId> {
        // The declared type of a function says nothing about its value.
        let is_open = declared.is_some_and(|declared| self.is_function_type(declared));
        let declared = declared.map(|declared| self.type_value(scope, declared));
        let is_list = is_variadic && !self.language.spec.types.variadic_arrays;
        if let Some(of_type) = declared.filter(|_| !is_open) {
            // A variadic parameter is an array of the declared type.
            let of_type = if is_list { self.array_of(scope, of_type, 1) } else { of_type };
            let value = self.add(SymbolicValue::Instance(of_type));
            self.assign(scope, target, value, 0);
        }
        match value.map(|value| (value, self.record_of(value))) {
            Some((_, Some(record))) => self.assign_record(scope, target, record),
            Some((value, None)) => {
                self.note_name_start(scope, target, value);
                self.assign_node(scope, target, value, 0)
            }
            None => {}
        }
        declared
    }

    /// Pairs the targets of an assignment with its values. `*rest` takes the remaining values.
    pub(super) fn assign_node(&mut self, scope: LocalId, target: Node<'t>, value: Node<'t>, depth: usize) {
        let is_list = |node: Node<'t>| self.language.meaning(node.kind()).list;
        if depth > MAX_DEPTH || !is_list(target) || !is_list(value) {
            // `a = b = f`: the value of an assignment is the value that it assigns.
            let value = self.value(scope, value, 0);
            return self.assign(scope, target, value, 0);
        }
        let targets: Vec<_> = target.named_children().collect();
        let values: Vec<_> = value.named_children().collect();
        let rest = targets.iter().position(|t| self.language.meaning(t.kind()).rest);
        let after = rest.map_or(0, |at| targets.len() - at - 1);
        for (i, &t) in targets.iter().enumerate() {
            match rest {
                Some(at) if i == at => {
                    for &v in values.get(at..values.len().saturating_sub(after)).unwrap_or_default() {
                        self.assign_node(scope, t, v, depth + 1);
                    }
                }
                Some(at) if i > at => {
                    if let Some(&v) = (values.len() + i).checked_sub(targets.len()).and_then(|at| values.get(at)) {
                        self.assign_node(scope, t, v, depth + 1);
                    }
                }
                _ => match values.get(i) {
                    Some(&v) => self.assign_node(scope, t, v, depth + 1),
                    None => self.assign_result(scope, t, values.last().copied()),
                },
            }
        }
    }

    /// Assigns one of the results of a call, which is the last of several values. The results are not
    /// distinguished.
    fn assign_result(&mut self, scope: LocalId, target: Node<'t>, last: Option<Node<'t>>) {
        let value = last.map(|last| self.value(scope, last, 0));
        if let Some(value) = value.filter(|value| matches!(self.flow.values[*value], SymbolicValue::Call(_))) {
            self.assign(scope, target, value, 0);
        }
    }

    pub(super) fn assign(&mut self, scope: LocalId, target: Node<'t>, value: ValueId, depth: usize) {
        let meaning = self.language.meaning(target.kind());
        if let Some(fields) = meaning.pattern.filter(|_| depth < MAX_DEPTH) {
            return self.take_apart(scope, target, fields, value, depth);
        }
        if matches!(self.flow.values[value], SymbolicValue::Unknown) {
            return;
        }
        if let Some(inner) = meaning.target_in(target).filter(|_| depth < MAX_DEPTH) {
            let name = meaning.entry.and_then(|(name, _)| name.child_of(target));
            let value = name.map_or(value, |name| self.add(SymbolicValue::Access(value, symbol(self.text(name)))));
            return self.assign(scope, inner, value, depth + 1);
        }
        match meaning.form {
            // A path in a pattern is a constant.
            _ if meaning.path => {}
            ExpressionForm::Name => {
                let name = symbol(self.text(target));
                let value = if meaning.shorthand { self.add(SymbolicValue::Access(value, name)) } else { value };
                if let Some(variable) = self.assigned_variable(scope, name, target) {
                    let narrowed = self.narrowed_at(scope, name, target.number(), variable);
                    for variable in std::iter::once(variable).chain(narrowed) {
                        self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
                    }
                }
            }
            ExpressionForm::Access(object, member) => {
                let (object, member) = (object.child_of(target), member.child_of(target));
                if let (Some(object), Some(member)) = (object, member) {
                    let object = self.value(scope, object, 0);
                    let target = AssignmentTarget::Member(object, symbol(self.text(member)));
                    self.flow.bindings.push(Binding { target, value });
                }
            }
            ExpressionForm::Member => {
                if let Some((object, member)) = self.own_member(scope, target) {
                    self.flow.bindings.push(Binding { target: AssignmentTarget::Member(object, member), value });
                }
            }
            _ if depth < MAX_DEPTH => {
                let value = if meaning.list { self.element_of(value) } else { value };
                for child in target.named_children() {
                    self.assign(scope, child, value, depth + 1);
                }
            }
            _ => {}
        }
    }
}
