//! How a caller uses the value of a call.

use super::position::{ValuePosition, code_after, position};
use super::sides::ParsedSide;
use super::tests_of_name::is_tested;
use whichfn_syntax::ids::LocalId;
use whichfn_syntax::lang::{DefinitionKind, FlowKind, has_sign};
use whichfn_syntax::parse::{Call, Definition, SyntaxNode};

/// The use of a call's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// The call is a statement of its own, or its value is discarded by name (`_ = load()`).
    Unused,
    /// The value is the result of the function or closure around the call, whose caller may ignore
    /// it.
    Result,
    /// The value is assigned to this number of targets.
    Unpacked(usize),
    /// A member or an item of the value is read directly.
    Accessed,
    /// The value is used in another way.
    Other,
}

/// A call in its surroundings.
pub(super) struct CallUse<'u, 'a> {
    pub side: &'u ParsedSide<'a>,
    /// Number of the outermost node with the call's value: the call itself, or an await or brackets
    /// around it.
    value: u32,
    /// Definition around the call.
    scope: LocalId,
    is_awaited: bool,
}

impl<'u, 'a> CallUse<'u, 'a> {
    pub fn new(side: &'u ParsedSide<'a>, call: &Call) -> Self {
        let (mut value, mut is_awaited) = (call.node, false);
        while let Some(parent) = wrapper_of(side, value) {
            is_awaited |= flow_of(side, parent) & FlowKind::Awaits.bit() != 0;
            value = parent;
        }
        is_awaited |= is_in_awaited_chain(side, call.node);
        Self { side, value, scope: call.scope, is_awaited }
    }

    fn node(&self) -> SyntaxNode {
        self.side.nodes().get(self.value as usize).copied().unwrap_or_default()
    }

    /// Returns the text after the value.
    fn after(&self) -> &'u str {
        self.side.text.get(self.node().end as usize..).unwrap_or_default()
    }

    /// Returns the text before the value in its line.
    fn before(&self) -> &'u str {
        let before = self.side.text.get(..self.node().start as usize).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    pub fn usage(&self) -> Usage {
        let after = &self.side.text[code_after(self.side, self.node().end as usize)..];
        let next = after.trim_start();
        // On a new line, a bracket begins a list.
        if next.starts_with('.') || next.starts_with("->") || after.starts_with('[') {
            return Usage::Accessed;
        }
        // Of several targets, the last one alone shows nothing: `value, _ := load()`.
        if self.target() == Some("_") && !self.before().contains(',') {
            return Usage::Unused;
        }
        match position(self.side, self.value) {
            ValuePosition::Statement => return Usage::Unused,
            ValuePosition::Result => return Usage::Result,
            ValuePosition::Used => {}
        }
        let parent = self.parent(self.value);
        let targets = parent.and_then(|parent| self.targets(parent));
        targets.map_or(Usage::Other, Usage::Unpacked)
    }

    /// Checks whether the caller tests if there is a value, at the call or later by the name that the
    /// value is assigned to.
    pub fn checks_for_nothing(&self) -> bool {
        let after = self.after().trim_start();
        let signs = &self.side.language.spec.idioms.nothing_tests;
        if signs.iter().any(|sign| after.starts_with(&sign[..])) {
            return true;
        }
        let end = self.around().map_or(self.side.text.len(), |one| one.span.end_byte as usize);
        let rest = self.side.text.get(self.node().end as usize..end).unwrap_or_default();
        self.target().is_some_and(|name| is_tested(rest, name))
    }

    /// Returns the function around the call.
    fn around(&self) -> Option<&'u Definition> {
        self.side.facts.definitions.get(self.scope).filter(|one| one.kind.is_function())
    }

    /// Returns the last part of the name that the value is assigned to in its line.
    fn target(&self) -> Option<&'u str> {
        let target = self.before().trim_end().strip_suffix('=')?.trim_end_matches([':', ' ']);
        let target = target.split(':').next().unwrap_or_default().trim_end();
        let name = target.rsplit(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.'))).next()?;
        (!name.is_empty()).then_some(name)
    }

    /// Returns the number of targets that an assignment around the value has, if they are a list.
    fn targets(&self, parent: u32) -> Option<usize> {
        let mut around = parent;
        // In Go, the value is in a list of its own.
        if self.side.language.meaning(self.side.nodes()[around as usize].kind).list {
            around = self.parent(around)?;
        }
        let mut children = self.side.children(around);
        let first = children.next()?;
        let is_before = self.side.nodes()[first as usize].end <= self.node().start;
        let list = self.side.language.meaning(self.side.nodes()[first as usize].kind).list;
        let has_rest = self
            .side
            .children(first)
            .any(|child| self.side.language.meaning(self.side.nodes()[child as usize].kind).rest);
        (is_before && list && !has_rest).then(|| self.side.code_children(first).count())
    }

    fn parent(&self, at: u32) -> Option<u32> {
        let node = self.side.nodes().get(at as usize)?;
        (node.parent != at).then_some(node.parent)
    }

    /// Checks whether the caller uses the value of a function as if the function were not async.
    pub fn ignores_async(&self) -> bool {
        let idioms = &self.side.language.spec.idioms;
        let flattens = !idioms.promise_signs.is_empty();
        if self.is_awaited || has_sign(self.after().split('(').next().unwrap_or_default(), &idioms.promise_signs) {
            return false;
        }
        if idioms.async_callers_wait && self.may_be_async() {
            return false;
        }
        let Some(parent) = self.parent(self.value) else { return true };
        let meaning = self.side.language.meaning(self.side.nodes()[parent as usize].kind);
        let usage = self.usage();
        // The value is passed on: an argument, an item of a list, or the value of a closure.
        let ends_entry = self.after().trim_start().starts_with([')', ',', ']']);
        let is_passed = self.before().trim_end().ends_with(['(', ',', '[']) && ends_entry && usage != Usage::Accessed;
        let is_closure = usage == Usage::Result;
        let is_returned = meaning.flow & FlowKind::Returns.bit() != 0 && flattens;
        !(is_passed || is_closure || is_returned || self.is_awaited_later())
    }

    /// Checks whether the code around the call may be async: a function with a word for it in its
    /// header, or a closure.
    fn may_be_async(&self) -> bool {
        let words = &self.side.language.spec.idioms.async_words;
        let is_async = |one: &Definition| one.signature.split_whitespace().any(|word| words.iter().any(|w| w == word));
        let mut at = self.value;
        while let Some(parent) = self.parent(at) {
            if self.side.language.meaning(self.side.nodes()[parent as usize].kind).lexical_function {
                return true;
            }
            at = parent;
        }
        let around = self.side.facts.definitions.get(self.scope);
        around.is_some_and(|one| one.kind == DefinitionKind::Anonymous || is_async(one))
    }

    /// Checks whether the caller awaits the value, or treats it as a promise, where this is an
    /// error for other values.
    pub fn expects_async(&self) -> bool {
        let signs = &self.side.language.spec.idioms.promise_signs;
        match signs.is_empty() {
            true => self.is_awaited,
            false => {
                self.after().trim_start().starts_with('.')
                    && signs.iter().any(|sign| self.after().trim_start().starts_with(sign.as_str()))
            }
        }
    }

    /// Checks whether the value is assigned to a name that is awaited later in the file.
    fn is_awaited_later(&self) -> bool {
        let Some(name) = self.target() else { return false };
        let after = self.after();
        after.contains(&format!("await {name}")) || after.contains(&format!("{name}.await"))
    }
}

/// Returns the number of the node around a node, if it has the same value: brackets, an await, or a
/// sign after the value.
fn wrapper_of(side: &ParsedSide<'_>, at: u32) -> Option<u32> {
    let node = side.nodes().get(at as usize)?;
    let parent = side.nodes().get(node.parent as usize).filter(|_| node.parent != at)?;
    let before = side.text.get(parent.start as usize..node.start as usize)?.trim();
    let after = side.text.get(node.end as usize..parent.end as usize)?.trim();
    let is_wrapper =
        matches!(before, "" | "(" | "await" | "co_await") && matches!(after, "" | ")" | "?" | ".await" | "!");
    (is_wrapper
        && !(before.is_empty() && after.is_empty() && flow_of(side, node.parent) & FlowKind::Assignments.bit() != 0))
        .then_some(node.parent)
}

/// Checks whether a call begins a chain of calls that is awaited: `await load().then(use)`.
fn is_in_awaited_chain(side: &ParsedSide<'_>, call: u32) -> bool {
    let nodes = side.nodes();
    let start = nodes.get(call as usize).map_or(0, |node| node.start);
    let mut at = call;
    while let Some(node) = nodes.get(at as usize).filter(|node| node.parent != at) {
        at = node.parent;
        if flow_of(side, at) & FlowKind::Awaits.bit() != 0 {
            return true;
        }
        if nodes[at as usize].start != start {
            return false;
        }
    }
    false
}

fn flow_of(side: &ParsedSide<'_>, at: u32) -> u32 {
    side.nodes().get(at as usize).map_or(0, |node| side.language.meaning(node.kind).flow)
}
