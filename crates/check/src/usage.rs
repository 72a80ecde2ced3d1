//! How a caller uses the value of a call.

use super::sides::ParsedSide;
use whichfn_syntax::lang::{FlowKind, has_sign};
use whichfn_syntax::parse::{Call, SyntaxNode};

/// The use of a call's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    /// The call is a statement of its own.
    Unused,
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
        Self { side, value, is_awaited }
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
        let after = self.after().trim_start();
        if after.starts_with(['.', '[']) || after.starts_with("->") {
            return Usage::Accessed;
        }
        let line_end = self.after().trim_start_matches([' ', '\t']);
        let needs_sign =
            !self.side.language.spec.idioms.statement_ends.is_empty() && self.side.language.spec.expressions.last_value;
        let ends = line_end.starts_with(';')
            || (!needs_sign && (line_end.is_empty() || line_end.starts_with(['\n', '\r', '}', '#'])));
        if self.before().trim().is_empty() && ends {
            return Usage::Unused;
        }
        let parent = self.parent(self.value);
        let targets = parent.and_then(|parent| self.targets(parent));
        targets.map_or(Usage::Other, Usage::Unpacked)
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
        (is_before && list && !has_rest).then(|| self.side.children(first).count())
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
        let Some(parent) = self.parent(self.value) else { return true };
        let meaning = self.side.language.meaning(self.side.nodes()[parent as usize].kind);
        // The value is passed on: an argument, an item of a list, or the value of a closure.
        let before = self.before().trim_end();
        let is_passed = before.ends_with(['(', ',', '[']) && self.usage() != Usage::Accessed;
        let is_closure = before.ends_with("=>") || before.ends_with('|') || before.ends_with("lambda:");
        let is_returned = meaning.flow & FlowKind::Returns.bit() != 0 && flattens;
        !(is_passed || is_closure || is_returned || self.is_awaited_later())
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
        let before = self.before().trim_end();
        let Some(target) = before.strip_suffix('=').map(|target| target.trim_end_matches([':', ' '])) else {
            return false;
        };
        let name = target.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.')).next().unwrap_or_default();
        let after = self.after();
        !name.is_empty() && (after.contains(&format!("await {name}")) || after.contains(&format!("{name}.await")))
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
