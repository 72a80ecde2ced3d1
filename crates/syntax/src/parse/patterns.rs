//! Reads targets that take a value apart by its type: `Shape::Circle(radius)`, `Point { x, y }`.
//!
//! The parts of a tuple struct are its members `0`, `1` and so on. The parts of an enum variant
//! `Circle` are the members `Circle.0`, `Circle.1` of the enum.

use super::facts::{SymbolicValue, symbol};
use super::value::{MAX_DEPTH, Values};
use crate::ids::{LocalId, ValueId};
use crate::lang::{ExpressionForm, PatternFields};
use crate::tree::Node;

/// Maximum number of parts without a name that are read in one type or pattern.
pub const MAX_PARTS: usize = 64;

/// Returns the name of the member that contains a part without a name.
pub fn part_name(variant: Option<&str>, index: usize) -> String {
    variant.map_or_else(|| index.to_string(), |variant| format!("{variant}.{index}"))
}

impl<'a, 't> Values<'a, 't> {
    /// Returns the targets in a pattern, without the type and the names of parts.
    pub(super) fn targets(&self, pattern: Node<'t>, fields: PatternFields) -> Vec<Node<'t>> {
        let parts = pattern.named_children().filter(|child| child.field() != Some(fields.of_type));
        parts.map(|part| self.target_of(part, fields)).collect()
    }

    /// Returns the target in a child that names its part; the child itself if it does not.
    fn target_of(&self, part: Node<'t>, fields: PatternFields) -> Node<'t> {
        let of_name = || fields.name.and_then(|name| part.child_in(name));
        let target = || fields.value.and_then(|value| part.child_in(value)).or_else(of_name);
        if Some(part.kind()) == fields.part { target().unwrap_or(part) } else { part }
    }

    /// Assigns the parts of a value to the targets in a pattern.
    pub(super) fn take_apart(
        &mut self,
        scope: LocalId,
        pattern: Node<'t>,
        fields: PatternFields,
        value: ValueId,
        depth: usize,
    ) {
        let Some(of_type) = pattern.child_in(fields.of_type) else { return };
        let (owner, variant) = self.owner_and_variant(scope, of_type);
        let is_wrapper = self.language.spec.containers.wrappers.iter().any(|name| name == variant);
        let parts = pattern.named_children().filter(|child| child.field() != Some(fields.of_type));
        for (index, part) in parts.take(MAX_PARTS).enumerate().collect::<Vec<_>>() {
            let target = self.target_of(part, fields);
            let name = fields.name.filter(|_| Some(part.kind()) == fields.part).and_then(|name| part.child_in(name));
            let value = match (name, owner) {
                // A container is not distinguished from its elements.
                _ if is_wrapper => self.element_of(value),
                (Some(name), _) => self.add(SymbolicValue::Access(value, symbol(self.text(name)))),
                (None, Some(owner)) => self.add(SymbolicValue::Access(owner, symbol(&part_name(Some(variant), index)))),
                (None, None) => self.add(SymbolicValue::Access(value, symbol(&part_name(None, index)))),
            };
            self.assign(scope, target, value, depth + 1);
        }
    }

    /// Returns the type that a pattern's path begins with, if the path has several parts, and the
    /// last part.
    fn owner_and_variant(&mut self, scope: LocalId, path: Node<'t>) -> (Option<ValueId>, &'a str) {
        let mut path = path;
        for _ in 0..MAX_DEPTH {
            match self.language.meaning(path.kind()).form {
                ExpressionForm::Access(object, member) => {
                    let owner = object.child_of(path).map(|owner| self.value(scope, owner, 0));
                    return (owner, member.child_of(path).map_or("", |member| self.text(member)));
                }
                ExpressionForm::Field(field) => match path.child_in(field) {
                    Some(inner) => path = inner,
                    None => break,
                },
                _ => break,
            }
        }
        (None, self.text(path))
    }
}
