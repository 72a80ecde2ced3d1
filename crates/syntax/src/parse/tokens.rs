//! Reads expressions in the arguments of a macro, which have no syntax tree: only tokens, and
//! groups of tokens in brackets.
//!
//! **Cost:** each token of a group is read a bounded number of times, except in a chain of members,
//! whose length is limited to [`MAX_DEPTH`].

use super::facts::{SymbolicValue, symbol};
use super::value::{MAX_DEPTH, Values};
use crate::ids::{LocalId, ValueId};
use crate::lang::{ExpressionForm, Tokens};
use crate::tree::Node;
use std::rc::Rc;

impl<'a, 't> Values<'a, 't> {
    /// Checks whether a node is a group of tokens.
    pub(super) fn is_group(&self, node: Node<'t>) -> bool {
        self.language.meaning(node.kind()).form == ExpressionForm::Tokens
    }

    /// Checks whether a group of tokens contains the arguments of the name before it: nothing is
    /// between them, or only the sign of a macro call.
    pub(super) fn are_arguments(&self, callee: Node<'t>, group: Node<'t>) -> bool {
        let between = self.source.get(callee.end()..group.start()).unwrap_or_default().trim();
        between == "!" || between.is_empty() && self.text(group).starts_with('(')
    }

    /// Returns the value of a name that is followed by arguments; unknown if the tokens before it
    /// declare the name.
    pub(super) fn called_token(&mut self, scope: LocalId, group: Node<'t>, callee: Node<'t>) -> SymbolicValue {
        let tokens = self.tokens_of(group);
        let at = tokens.partition_point(|token| token.number() < callee.number());
        self.chain(scope, &tokens, at, 0)
    }

    /// Returns the values of the arguments in a group of tokens.
    pub(super) fn token_arguments(&mut self, scope: LocalId, group: Node<'t>) -> Vec<ValueId> {
        let tokens = self.tokens_of(group);
        let inner = tokens.get(1..tokens.len().saturating_sub(1)).unwrap_or_default();
        let parts = inner.split(|token| !token.is_named() && self.text(*token) == ",");
        let parts: Vec<&[Node<'t>]> = parts.filter(|part| !part.is_empty()).collect();
        parts.into_iter().map(|part| self.token_expression(scope, part)).collect()
    }

    /// Returns the value of tokens that are one chain of members and calls; unknown if an operator
    /// joins several chains.
    fn token_expression(&mut self, scope: LocalId, tokens: &[Node<'t>]) -> ValueId {
        let Some(rules) = self.rules() else { return self.add(SymbolicValue::Unknown) };
        let is_prefix = |token: &&Node<'t>| rules.prefixes.iter().any(|sign| sign == self.text(**token));
        let tokens = &tokens[tokens.iter().take_while(is_prefix).count()..];
        let is_part = |token: &Node<'t>| token.is_named() || rules.joins(self.text(*token));
        let value = match tokens.len().checked_sub(1) {
            Some(last) if tokens.iter().all(is_part) => self.chain(scope, tokens, last, 0),
            _ => SymbolicValue::Unknown,
        };
        self.add(value)
    }

    /// Returns the value of the chain of members and calls that ends at a token.
    fn chain(&mut self, scope: LocalId, tokens: &[Node<'t>], at: usize, depth: usize) -> SymbolicValue {
        let (Some(&token), Some(rules)) = (tokens.get(at), self.rules()) else { return SymbolicValue::Unknown };
        let text = |at: usize| tokens.get(at).map_or("", |token| self.text(*token));
        let joined = at.checked_sub(1).filter(|&before| rules.access.iter().any(|sign| sign == text(before)));
        if depth > MAX_DEPTH || at > 0 && rules.declares.iter().any(|word| word == text(at - 1)) {
            return SymbolicValue::Unknown;
        }
        if rules.transparent.iter().any(|word| word == text(at)) {
            let is_element = rules.elements.iter().any(|word| word == text(at));
            let Some(before) = joined.unwrap_or(at).checked_sub(1) else { return SymbolicValue::Unknown };
            let value = self.chain(scope, tokens, before, depth + 1);
            return if is_element { SymbolicValue::Element(self.add(value)) } else { value };
        }
        if let Some(&call) = self.calls_by_node.get(&token.number()) {
            return SymbolicValue::Call(call);
        }
        match self.language.meaning(token.kind()).form {
            ExpressionForm::Name => {}
            ExpressionForm::Literal => return self.literal(token),
            _ => return SymbolicValue::Unknown,
        }
        let (name, is_path) = (text(at), joined.is_some_and(|sign| rules.paths.iter().any(|path| path == text(sign))));
        match joined {
            Some(sign) => match sign.checked_sub(1) {
                Some(object) => {
                    let is_front = object == 0 || !rules.joins(text(object - 1));
                    let is_name = self.language.meaning(tokens[object].kind()).form == ExpressionForm::Name;
                    let object = match is_front && is_name && is_path {
                        true => self.path_front(scope, tokens[object]),
                        false => self.chain(scope, tokens, object, depth + 1),
                    };
                    SymbolicValue::Access(self.add(object), symbol(name))
                }
                None => SymbolicValue::Unknown,
            },
            None => self.name(scope, token),
        }
    }

    fn rules(&self) -> Option<&'a Tokens> {
        self.language.spec.expressions.tokens.as_ref()
    }

    /// Returns the tokens of a group, with its brackets.
    fn tokens_of(&mut self, group: Node<'t>) -> Rc<[Node<'t>]> {
        self.groups.entry(group.number()).or_insert_with(|| group.children().collect()).clone()
    }
}
