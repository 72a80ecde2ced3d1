//! Reads the calls that operators and statements make without naming what they call: `a + b` calls
//! `__add__` of `a`, `with a:` calls `__enter__` and `__exit__`. A language lists them in
//! `operators` of `[expressions]`.
//!
//! Of several such calls of a method on an object with the same text, only the first in a block (in
//! languages without blocks, in a function) is recorded: a function of formulas contains hundreds.
//!
//! Where a language has properties, reading a member may call one, and is recorded in the same way.
//!
//! An object that is a literal, or the result of another operator, has no member in the repository
//! that could be called, so such operators are not recorded.

use super::extract::Extractor;
use super::facts::{setter_member, symbol};
use crate::lang::{ExpressionForm, FlowKind, Language, Operator};
use crate::tree::Node;
use std::num::NonZeroU16;

impl<'t> Extractor<'_, 't> {
    /// Records the calls of a node that is an operator.
    pub(super) fn operator(&mut self, node: Node<'t>, id: u32) {
        let (language, scope) = (self.language, self.innermost());
        let bits = language.meaning(node.kind()).operators;
        let all = language.spec.expressions.operators.iter().zip(&language.operator_fields).enumerate();
        for (_, (operator, &[object, sign])) in all.filter(|(index, _)| bits & 1 << index != 0) {
            let object = object_of(language, (operator, object), node);
            let Some(object) = object.filter(|&object| may_be_object(language, object)) else { continue };
            let is_literal = |other: Node<'_>| language.meaning(other.kind()).form == ExpressionForm::Literal;
            if operator.reflected && !node.named_children().next().is_some_and(is_literal) {
                continue;
            }
            let by_sign = match operator.signs.is_empty() {
                true => None,
                false => operator.signs.get(self.sign(sign, node)),
            };
            let calls = if is_assigned(language, node) { &operator.assigned } else { &operator.calls };
            let names: Vec<&str> = calls.iter().chain(by_sign.into_iter().flatten()).map(|one| &one[..]).collect();
            let block = block_around(language, node);
            let is_new = |name: &&str| self.operators.insert((scope, block, symbol(self.text(object)), symbol(name)));
            if names.first().is_some_and(is_new) {
                self.values.operator(scope, (node, object), (&names, false), (id, self.syntax.depth()));
            }
        }
    }

    /// Records a read of a member or an assignment to it, which calls the member if it is a property.
    pub(super) fn property_read(&mut self, node: Node<'t>, id: u32) {
        let (language, scope) = (self.language, self.innermost());
        let ExpressionForm::Access(object, member) = language.meaning(node.kind()).form else { return };
        let (Some(object), Some(member)) = (object.child_of(node), member.child_of(node)) else { return };
        let Some(member) = name_inside(language, member).filter(|_| may_be_object(language, object)) else { return };
        if self.values.is_callee(node) {
            return;
        }
        let (name, block) = (self.text(member), block_around(language, node));
        let is_set = language.has_setters && is_assigned(language, node);
        let read = (!is_set || is_updated(language, node)).then_some(name);
        let set = is_set.then(|| setter_member(name));
        for name in read.into_iter().chain(set.as_deref()) {
            if self.operators.insert((scope, block, symbol(self.text(object)), symbol(name))) {
                self.values.operator(scope, (node, object), (&[name], true), (id, self.syntax.depth()));
            }
        }
    }

    /// Returns the sign of an operator, given its field, without spaces around it.
    fn sign(&self, field: Option<NonZeroU16>, node: Node<'t>) -> &str {
        let mut children = node.named_children();
        let range = match (field.and_then(|field| node.child_in(field)), children.next(), children.next()) {
            (Some(sign), ..) => sign.bytes(),
            // In some grammars, the sign is a named node.
            (None, Some(first), Some(second)) => match children.next() {
                Some(third) if self.source[first.end()..second.start()].trim().is_empty() => first.end()..third.start(),
                _ => first.end()..second.start(),
            },
            (None, Some(only), None) if only.start() > node.start() => node.start()..only.start(),
            (None, Some(only), None) => only.end()..node.end(),
            (None, None, _) => node.bytes(),
        };
        self.source.get(range).unwrap_or_default().trim()
    }
}

/// Returns the name of a member, which may be inside other nodes: `.size` in Swift.
fn name_inside<'t>(language: &Language, member: Node<'t>) -> Option<Node<'t>> {
    let inner = |node: &Node<'t>| match language.meaning(node.kind()).form {
        ExpressionForm::Field(field) => node.child_in(field),
        ExpressionForm::First => node.named_children().next(),
        _ => None,
    };
    let name = std::iter::successors(Some(member), inner).last()?;
    (language.meaning(name.kind()).form == ExpressionForm::Name).then_some(name)
}

/// Returns the number of the innermost block around an operator; 0 in languages without blocks.
fn block_around(language: &Language, node: Node<'_>) -> usize {
    if language.spec.scopes.blocks.is_empty() {
        return 0;
    }
    let around = std::iter::successors(node.parent(), |node| node.parent());
    let mut blocks = around.filter(|around| language.meaning(around.kind()).block);
    blocks.next().map_or(0, |block| block.number())
}

/// Returns the value whose members an operator calls, given its field.
fn object_of<'t>(
    language: &Language,
    (operator, field): (&Operator, Option<NonZeroU16>),
    node: Node<'t>,
) -> Option<Node<'t>> {
    let selected = match field {
        Some(field) => node.child_in(field)?,
        None if operator.last => node.named_children().last()?,
        None => node.named_children().next()?,
    };
    // `with open() as file`: the value is inside the pattern.
    let is_wrapper = language.meaning(selected.kind()).form == ExpressionForm::Other;
    let inner = selected.named_children().next().filter(|_| operator.inside || is_wrapper);
    inner.or((!operator.inside).then_some(selected))
}

/// Checks whether an assignment also reads the target that it assigns to: `a += 1`.
pub(super) fn is_updated(language: &Language, target: Node<'_>) -> bool {
    target.parent().is_some_and(|around| language.meaning(around.kind()).flow & FlowKind::Operations.bit() != 0)
}

/// Checks whether a node is what an assignment assigns to.
pub(super) fn is_assigned(language: &Language, node: Node<'_>) -> bool {
    let assigns = |around: &Node<'_>| language.meaning(around.kind()).flow & FlowKind::Assignments.bit() != 0;
    node.parent().filter(assigns).is_some_and(|around| around.start() == node.start() && around.end() > node.end())
}

/// Checks whether an expression may be an object of a type of the repository.
fn may_be_object(language: &Language, object: Node<'_>) -> bool {
    let meaning = language.meaning(object.kind());
    let is_call = meaning.flow & FlowKind::Calls.bit() != 0;
    is_call
        || !matches!(
            meaning.form,
            ExpressionForm::Literal | ExpressionForm::Operation | ExpressionForm::Other | ExpressionForm::Tokens
        )
}
