//! Members whose names the code builds: `getattr(self, f"visit_{kind}")`, `this["on" + event]`.
//!
//! Only the start of such a name is known. A type therefore has a member for each start of the names
//! of its methods, up to a boundary between words (`visit*` for `visit_Name`), which holds all methods
//! with that start. A read of a built name reads that member, so types inherit and pass it on like any
//! other.
//!
//! - **Cost:** at most [`MAX_STARTS`] members for each method, in languages with `built_names`.
//! - **Not followed:** the end of a name (`f"{kind}_visitor"`), and a start that a function returns.

use super::facts::{AssignmentTarget, Binding, Definition, Symbol, SymbolicValue, symbol};
use super::value::{MAX_DEPTH, Values};
use crate::ids::{IdVec, LocalId, ValueId, VariableId};
use crate::lang::{DefinitionKind, ExpressionForm};
use crate::tree::Node;
use std::collections::BTreeMap;

/// Maximum number of starts of one name. Names with more words are rarely built.
const MAX_STARTS: usize = 3;

/// Minimum number of letters and digits in a start. Fewer may start any name.
const MIN_LENGTH: usize = 2;

/// A read of the member of an object by the value of its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadByName<'t> {
    pub object: Node<'t>,
    pub name: Node<'t>,
    /// Value if the object has no such member.
    pub default: Option<Node<'t>>,
}

impl<'t> Values<'_, 't> {
    /// Records that the value of a node is that of a member.
    pub fn note_read(&mut self, node: Node<'t>, read: ReadByName<'t>) {
        self.reads.insert(node.number(), read);
    }

    /// Returns the value of a node that reads a member by its name, if that is a text or starts with
    /// one.
    pub(super) fn read_by_name(&mut self, scope: LocalId, node: Node<'t>, depth: usize) -> Option<SymbolicValue> {
        let ReadByName { object, name, default } = *self.reads.get(&node.number()).filter(|_| depth < MAX_DEPTH)?;
        let name = match self.built_name(scope, name) {
            Some(start) => start,
            // The text is a call of its own where the member is called at once: `getattr(self, "renew")()`.
            None if self.callees.contains(&node.number()) => return None,
            None => symbol(plain_name(self.text(name))?),
        };
        let object = self.value(scope, object, depth + 1);
        let member = SymbolicValue::Access(object, name);
        Some(match default {
            Some(default) => {
                let values = [self.add(member), self.value(scope, default, depth + 1)];
                SymbolicValue::Any(values.to_vec())
            }
            None => member,
        })
    }

    /// Records the start of a name that is assigned to a variable.
    pub(super) fn note_name_start(&mut self, scope: LocalId, target: Node<'t>, value: Node<'t>) {
        if self.language.meaning(value.kind()).builds_name
            && let Some(start) = self.built_name(scope, value)
            && let SymbolicValue::Variable(variable) = self.name_or_unknown(scope, target)
        {
            self.name_starts.insert(variable, start);
        }
    }

    /// Returns the symbol of the member that holds all methods whose names start like the text that a
    /// node builds. Returns `None` if the node does not build a text, or nothing of its start is known.
    pub(super) fn built_name(&self, scope: LocalId, node: Node<'t>) -> Option<Symbol> {
        if !self.language.meaning(node.kind()).builds_name {
            return None;
        }
        if is_name(self, node) {
            let SymbolicValue::Variable(variable) = self.name(scope, node) else { return None };
            return self.name_starts.get(&variable).copied();
        }
        start_of_text(self.text(node)).map(|start| symbol(&member_name(start)))
    }

    /// Declares the members that hold the methods of each type by the starts of their names.
    pub(super) fn declare_name_starts(&mut self, definitions: &IdVec<LocalId, Definition>) {
        if self.language.spec.expressions.built_names.is_empty() {
            return;
        }
        let mut members: BTreeMap<(LocalId, &str), Vec<VariableId>> = BTreeMap::new();
        for definition in definitions.iter() {
            let around = definition.parent;
            if definition.kind != DefinitionKind::Method || definition.is_test || !self.is_type(around) {
                continue;
            }
            let Some(&variable) = self.by_name.get(&(around, symbol(&definition.name))) else { continue };
            for start in starts(&definition.name) {
                let methods = members.entry((around, start)).or_default();
                if !methods.contains(&variable) {
                    methods.push(variable);
                }
            }
        }
        for ((around, start), methods) in members {
            let methods: Vec<ValueId> =
                methods.into_iter().map(|variable| self.add(SymbolicValue::Variable(variable))).collect();
            let value = self.add(SymbolicValue::Any(methods));
            let variable = self.declare(around, &member_name(start));
            self.flow.bindings.push(Binding { target: AssignmentTarget::Variable(variable), value });
        }
    }
}

/// Checks whether a node is the name of a variable.
fn is_name(values: &Values<'_, '_>, node: Node<'_>) -> bool {
    values.language.meaning(node.kind()).form == ExpressionForm::Name
}

/// Returns the name of the member for a start. Code cannot use it, because no identifier ends with `*`.
fn member_name(start: &str) -> String {
    format!("{}*", start.trim_end_matches('_'))
}

/// Iterates over the starts of a name that end at a boundary between words, without the whole name.
fn starts(name: &str) -> impl Iterator<Item = &str> {
    let ends_word = |&(at, sign): &(usize, char)| {
        let before = name[..at].chars().next_back();
        match sign {
            '_' => before.is_some_and(|before| before != '_'),
            _ => sign.is_uppercase() && before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit()),
        }
    };
    let starts = name.char_indices().filter(ends_word).map(|(at, _)| &name[..at]);
    starts.filter(|start| is_long_enough(start)).take(MAX_STARTS)
}

fn is_long_enough(start: &str) -> bool {
    start.chars().filter(|sign| sign.is_alphanumeric()).count() >= MIN_LENGTH
}

/// Returns the name that a text without other parts contains: `renew` for `"renew"`.
fn plain_name(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|sign| matches!(sign, '"' | '\'' | '`'))?;
    let name = text.strip_prefix(quote)?.strip_suffix(quote)?;
    name.chars().all(|sign| sign.is_alphanumeric() || sign == '_').then_some(name)
}

/// Returns the start of the name that an expression builds: `visit_` for `f"visit_{kind}"` and for
/// `"visit_" + kind`. Returns `None` if the expression is only a text, or starts with something else.
fn start_of_text(text: &str) -> Option<&str> {
    let quote = text.find(['"', '\'', '`'])?;
    let is_opening = |sign: char| sign.is_ascii_alphabetic() || matches!(sign, ':' | '(' | '{' | '@');
    if quote > 2 || !text[..quote].chars().all(is_opening) {
        return None;
    }
    let inside = &text[quote + 1..];
    let end = inside.find(|sign: char| !sign.is_alphanumeric() && sign != '_').unwrap_or(inside.len());
    let (start, rest) = inside.split_at(end);
    let goes_on = rest.len() > 1 && rest.starts_with(['"', '\'', '{', '%', '#', '$']);
    (goes_on && is_long_enough(start)).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_ends_before_what_is_not_constant() {
        for (text, start) in [
            (r#"f"visit_{kind}""#, Some("visit_")),
            (r#""visit_" + kind"#, Some("visit_")),
            (r#""visit_%s" % kind"#, Some("visit_")),
            (r#""visit_{}".format(kind)"#, Some("visit_")),
            ("`on${event}`", Some("on")),
            (r##":"parse_#{kind}""##, Some("parse_")),
            (r#""visit$kind""#, Some("visit")),
            (r#""visit""#, None),
            (r#"f"{kind}_visit""#, None),
            (r#"kind + "_visit""#, None),
            (r#""a" + kind"#, None),
        ] {
            assert_eq!(start_of_text(text), start, "{text}");
        }
    }

    #[test]
    fn starts_end_between_words() {
        let all = |name| starts(name).collect::<Vec<_>>();
        assert_eq!(all("visit_Name"), ["visit"]);
        assert_eq!(all("onMouseUp"), ["on", "onMouse"]);
        assert_eq!(all("_print_Add"), ["_print"]);
        assert_eq!(all("renew"), [""; 0]);
    }
}
