//! Names of methods that are written in parts between their parameters: `addObserver:forKey:` in
//! `[list addObserver:me forKey:key]` (Objective-C).

use super::facts::{SymbolicValue, symbol};
use super::value::Values;
use crate::ids::{CallId, LocalId};
use crate::lang::{ExpressionForm, Language};
use crate::tree::Node;

/// Maximum length of a name in bytes. The rest of the parts is left out.
const LONGEST: usize = 512;

/// Returns the name of the method that a node declares or calls, if it is written in parts.
pub(super) fn selector(language: &Language, source: &str, node: Node<'_>) -> Option<String> {
    let field = language.meaning(node.kind()).selector?;
    let is_name = |child: Node<'_>| language.meaning(child.kind()).form == ExpressionForm::Name;
    let is_part = |child: Node<'_>| child.is_named() && is_name(child) && child.field() == field;
    let (mut name, mut part) = (String::new(), None);
    for child in node.children() {
        let text = source.get(child.bytes()).unwrap_or_default();
        if name.len() + text.len() > LONGEST && is_part(child) {
            break;
        }
        if is_part(child) {
            // Only the last of two names in succession is a part: an attribute may follow.
            part = Some(text);
            if name.is_empty() {
                name.push_str(text);
                part = Some("");
            }
        } else if text.starts_with(':') {
            name.push_str(part.take().unwrap_or_default());
            name.push(':');
        }
    }
    Some(name).filter(|name| !name.is_empty())
}

impl<'t> Values<'_, 't> {
    /// Returns the name of a member, given the node of the name or of its first part.
    pub(super) fn member_name(&self, member: Node<'t>) -> String {
        let Some(around) = member.parent() else { return self.text(member).to_owned() };
        selector(self.language, self.source, around).unwrap_or_else(|| self.text(member).to_owned())
    }

    /// Returns the name of the method that an assignment to a member calls.
    fn setter_name(&self, member: &str) -> String {
        let mut letters = member.chars();
        let first = letters.next().map(|first| first.to_uppercase());
        let capitalized: String = first.into_iter().flatten().chain(letters).collect();
        self.language.spec.scopes.setter.replace("{name}", member).replace("{Name}", &capitalized)
    }

    /// Reads the call of the method that an assignment to a member calls.
    pub(super) fn read_setter(&mut self, call: CallId, scope: LocalId, node: Node<'t>, value: Option<Node<'t>>) {
        let ExpressionForm::Access(object, member) = self.language.meaning(node.kind()).form else { return };
        let (Some(object), Some(member)) = (object.child_of(node), member.child_of(node)) else { return };
        let name = symbol(&self.setter_name(self.text(member)));
        let object = self.value(scope, object, 0);
        self.flow.calls[call].callee = self.add(SymbolicValue::Access(object, name));
        self.flow.calls[call].arguments = value.map(|value| self.argument(scope, value)).into_iter().collect();
    }

    /// Declares the method that sets a member of a type. It may have no definition.
    pub(super) fn declare_setter(&mut self, of_type: LocalId, member: Node<'t>) {
        if !self.language.spec.scopes.setter.is_empty() {
            self.declare(of_type, &self.setter_name(self.text(member)));
        }
    }

    /// Checks whether a child of a call is its object or a part of the method's name, and therefore
    /// not an argument.
    pub(super) fn is_before_arguments(&self, call: Node<'t>, child: Node<'t>) -> bool {
        let meaning = self.language.meaning(call.kind());
        let ExpressionForm::Access(object, _) = meaning.form else { return false };
        meaning.selector.is_some_and(|field| child.field() == field) || object.child_of(call) == Some(child)
    }
}
