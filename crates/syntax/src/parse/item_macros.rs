//! Finds macro calls that contain items (`cfg_unix! { pub fn f() {} }`), which the parser reads
//! only as tokens, and opens them: spaces replace the macro's name and brackets, so all offsets
//! stay the same and the items can be parsed.

use super::value::MAX_DEPTH;
use crate::lang::{ExpressionForm, ItemMacros, Language, WordSort};
use crate::tree::{ERROR, Node, Tree};
use std::borrow::Cow;
use std::ops::Range;

/// Maximum number of times that the macro calls of a file are opened: calls may be nested.
pub(super) const MAX_OPENED: usize = 3;

/// A text with open macro calls.
pub(super) struct OpenedMacros<'a> {
    pub text: Cow<'a, str>,
    /// Ranges of the contents of the opened calls, sorted. A range may contain others.
    inside: Vec<Range<usize>>,
}

impl<'a> OpenedMacros<'a> {
    /// Opens no macro call yet.
    pub fn none(source: &'a str) -> Self {
        Self { text: Cow::Borrowed(source), inside: Vec::new() }
    }

    /// Opens the macro calls in the tree of this text that contain items. Returns `None` if there
    /// are none.
    pub fn opened(&self, language: &Language, tree: &Tree) -> Option<Self> {
        let rules = language.spec.item_macros.as_ref()?;
        let (mut bytes, mut inside) = (self.text.as_bytes().to_vec(), self.inside.clone());
        for call in tree.nodes().filter(|node| language.meaning(node.kind()).item_macro) {
            let Some(group) = call.children().last() else { continue };
            if !is_item(language, call) || !contains_items(language, rules, &self.text, group, 0) {
                continue;
            }
            let contents = group.start() + 1..group.end().saturating_sub(1);
            for at in (call.start()..contents.start).chain(contents.end..group.end()) {
                if bytes.get(at).is_some_and(|&byte| byte != b'\n') {
                    bytes[at] = b' ';
                }
            }
            inside.push(contents);
        }
        if inside.len() == self.inside.len() {
            return None;
        }
        inside.sort_by_key(|range| (range.start, range.end));
        Some(Self { text: Cow::Owned(String::from_utf8(bytes).ok()?), inside })
    }

    /// Returns the number of errors in a tree outside the opened calls.
    pub fn errors_outside(&self, tree: &Tree) -> usize {
        let mut covered = self.inside.iter().peekable();
        let mut end = 0;
        let is_outside = |node: &Node<'_>| {
            while let Some(range) = covered.next_if(|range| range.start <= node.start()) {
                end = end.max(range.end);
            }
            node.end() > end
        };
        tree.nodes().filter(|node| node.kind() == ERROR).filter(is_outside).count()
    }
}

/// Checks whether a macro call is in a place where items may be.
fn is_item(language: &Language, call: Node<'_>) -> bool {
    let holds_items = |node: &Node<'_>| language.meaning(node.kind()).holds_items;
    let parent = call.parent();
    let is_statement = |node: &Node<'_>| node.bytes().start == call.start() && !holds_items(node);
    let around = parent.filter(|node| !is_statement(node)).or_else(|| parent?.parent());
    around.is_some_and(|node| holds_items(&node))
}

/// Checks whether the first tokens in brackets, after attributes and modifiers, begin an item or
/// such a macro call.
fn contains_items(language: &Language, rules: &ItemMacros, text: &str, group: Node<'_>, depth: usize) -> bool {
    let word = |node: Node<'_>| text.get(node.bytes()).unwrap_or_default();
    let is_group = |node: Node<'_>| language.meaning(node.kind()).form == ExpressionForm::Tokens;
    if depth > MAX_DEPTH || !is_group(group) || !word(group).starts_with('{') {
        return false;
    }
    let is_comment = |node: &Node<'_>| language.meaning(node.kind()).words == Some(WordSort::Comment);
    let is_skipped = |node: &Node<'_>| {
        is_comment(node) || rules.modifiers.iter().any(|modifier| modifier == word(*node)) || {
            is_group(*node) && !word(*node).starts_with('{')
        }
    };
    let mut tokens = group.children().skip(1).skip_while(is_skipped);
    let Some(first) = tokens.next() else { return false };
    if rules.items.iter().any(|item| item == word(first)) {
        return true;
    }
    let is_path = |node: &Node<'_>| {
        let is_name = language.meaning(node.kind()).form == ExpressionForm::Name;
        is_name || language.spec.modules.separators.iter().any(|sign| sign == word(*node))
    };
    let mut tokens = tokens.skip_while(is_path);
    let is_macro = tokens.next().is_some_and(|sign| word(sign) == rules.sign);
    is_macro && tokens.next().is_some_and(|inner| contains_items(language, rules, text, inner, depth + 1))
}
