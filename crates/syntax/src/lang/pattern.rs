//! A language's patterns in the form of tables. [`super::query`] reads them from the `.scm` files,
//! and `parse` searches for them.
//!
//! `queries/README.md` explains each part of a pattern.

use super::role::Role;
use crate::tree::{ERROR, Node};
use regex::bytes::Regex;
use std::num::NonZeroU16;
use std::sync::OnceLock;

/// The patterns of a language.
pub struct Patterns {
    /// All patterns, in the order of the files.
    pub all: Vec<Pattern>,
    /// Role of each capture, indexed by capture number.
    pub roles: Vec<Role>,
    /// Name of each capture without the `@`, indexed by capture number.
    pub captures: Vec<&'static str>,
    /// Patterns that may match at a node of each kind. A pair contains the number of a pattern and
    /// the number of one of its root alternatives.
    by_kind: Vec<Vec<(u16, u16)>>,
}

impl Patterns {
    pub(super) fn new(patterns: Vec<Pattern>, captures: Vec<(&'static str, Role)>) -> Self {
        let (captures, roles) = captures.into_iter().unzip();
        let mut by_kind: Vec<Vec<(u16, u16)>> = Vec::new();
        for (number, pattern) in patterns.iter().enumerate() {
            for (alternative, root) in pattern.roots.iter().enumerate() {
                let KindTest::Is(kind) = root.kind else { continue };
                let kind = usize::from(kind);
                by_kind.resize_with(by_kind.len().max(kind + 1), Vec::new);
                by_kind[kind].push((number as u16, alternative as u16));
            }
        }
        Self { all: patterns, roles, captures, by_kind }
    }

    /// Returns the patterns that may match at a node of the given kind, in order.
    pub fn rooted(&self, kind: u16) -> impl Iterator<Item = (&Pattern, &NodePattern)> {
        let of_kind = self.by_kind.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
        of_kind.iter().map(|&(pattern, root)| {
            let pattern = &self.all[usize::from(pattern)];
            (pattern, &pattern.roots[usize::from(root)])
        })
    }
}

/// A pattern: requirements on a node and its children, and conditions on the captured nodes.
pub struct Pattern {
    /// Alternatives for the root node, each for one kind.
    pub roots: Vec<NodePattern>,
    /// Conditions that must all be true.
    pub predicates: Vec<Predicate>,
}

/// Requirements on a node and its children.
pub struct NodePattern {
    /// Required kind of the node.
    pub kind: KindTest,
    /// Fields that the node must not have.
    pub absent: Vec<NonZeroU16>,
    /// Patterns for some of the node's children, in order.
    pub children: Vec<ChildPattern>,
    /// Numbers of the captures that capture the node.
    pub captures: Vec<u16>,
}

/// A requirement on a node's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindTest {
    /// `(_)`: any named node, except an error node.
    Named,
    /// `_`: any node or token, except an error node.
    Any,
    /// Exactly this kind.
    Is(u16),
}

impl KindTest {
    /// Checks whether a node meets the requirement.
    pub fn admits(self, node: Node<'_>) -> bool {
        match self {
            Self::Named => node.is_named() && node.kind() != ERROR,
            Self::Any => node.kind() != ERROR,
            Self::Is(kind) => node.kind() == kind,
        }
    }
}

/// Requirements on a child and on its position.
pub struct ChildPattern {
    /// Required field, or `None` for any field.
    pub field: Option<NonZeroU16>,
    /// Alternatives for the child. One of them must match.
    pub alternatives: Vec<NodePattern>,
    /// True if no named child may be between this child and the previous one, or the start of the
    /// node.
    pub is_next: bool,
    /// True if no named child may follow this one.
    pub is_last: bool,
    /// Number of children that the pattern may match.
    pub times: Times,
    /// True if the child or one of its descendants is captured.
    pub captures: bool,
    /// True if the next child must follow immediately. If both this and `captures` are false, the
    /// first matching child is taken, without backtracking.
    pub is_tied: bool,
}

/// The number of children that a pattern may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// Exactly one child.
    Once,
    /// `?`: one child, or none if no child matches.
    Optional,
    /// `*` between two anchors: all consecutive children at that position.
    Run,
}

/// A condition on captured nodes. It is true if the capture is empty.
pub struct Predicate {
    /// Number of the capture.
    pub capture: u16,
    /// Test that each captured node must pass.
    pub test: Test,
}

/// A test of a captured node.
pub enum Test {
    /// `#eq?`, `#any-of?`: the node's text is one of these strings.
    AnyOf(Vec<String>),
    /// `#match?`, `#not-match?`: the node's text matches the expression (`true`), or does not match
    /// it (`false`).
    Matches(Expression, bool),
    /// `#not-kind-eq?`: the node's kind is not one of these kinds.
    NotOfKind(Vec<u16>),
}

impl Test {
    /// Checks whether a node passes the test. `text` is the text of the node.
    pub fn passes(&self, node: Node<'_>, text: &str) -> bool {
        match self {
            Self::AnyOf(texts) => texts.iter().any(|one| one == text),
            Self::Matches(expression, wanted) => expression.is_match(text) == *wanted,
            Self::NotOfKind(kinds) => !kinds.contains(&node.kind()),
        }
    }
}

/// A regular expression, compiled on first use, because most processes need few of them.
#[derive(Debug)]
pub struct Expression {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Expression {
    pub(super) fn new(source: String) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Checks whether the expression compiles. A test checks all expressions, so a released binary
    /// contains only valid ones.
    pub fn is_sound(&self) -> bool {
        self.compiled().is_some()
    }

    fn is_match(&self, text: &str) -> bool {
        self.compiled().is_some_and(|one| one.is_match(text.as_bytes()))
    }

    fn compiled(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(&self.source).ok()).as_ref()
    }
}
