//! The patterns of a language as tables: [`super::query`] reads them from the `.scm` files, and
//! `parse` searches for them.
//!
//! `queries/README.md` explains each part of a pattern.

use super::role::Role;
use crate::tree::{ERROR, Node};
use regex::bytes::Regex;
use std::num::NonZeroU16;
use std::sync::OnceLock;

/// All patterns of a language.
pub struct Patterns {
    /// The patterns in the order of the files.
    pub all: Vec<Pattern>,
    /// The role of each capture, by its number.
    pub roles: Vec<Role>,
    /// The name of each capture, without the `@`, by its number.
    pub captures: Vec<&'static str>,
    /// The patterns by the kind of their root: number of the pattern, number of the alternative at
    /// its root.
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

    /// Returns the patterns that may match at a node of this kind, in order.
    pub fn rooted(&self, kind: u16) -> impl Iterator<Item = (&Pattern, &NodePattern)> {
        let of_kind = self.by_kind.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
        of_kind.iter().map(|&(pattern, root)| {
            let pattern = &self.all[usize::from(pattern)];
            (pattern, &pattern.roots[usize::from(root)])
        })
    }
}

/// One pattern of a file: a node, and conditions on the text of captured nodes.
pub struct Pattern {
    /// Alternatives for the root node, each of one kind.
    pub roots: Vec<NodePattern>,
    /// Conditions that must all be true.
    pub predicates: Vec<Predicate>,
}

/// Requirements on a node.
pub struct NodePattern {
    /// The required kind.
    pub kind: KindTest,
    /// Fields that must be empty.
    pub absent: Vec<NonZeroU16>,
    /// Patterns for some of its children, in order.
    pub children: Vec<ChildPattern>,
    /// The numbers of its captures.
    pub captures: Vec<u16>,
}

/// A test of a node's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindTest {
    /// `(_)`: any named node, except one that could not be parsed.
    Named,
    /// `_`: any node or token, except one that could not be parsed.
    Any,
    /// One kind.
    Is(u16),
}

impl KindTest {
    /// Checks whether a node passes.
    pub fn admits(self, node: Node<'_>) -> bool {
        match self {
            Self::Named => node.is_named() && node.kind() != ERROR,
            Self::Any => node.kind() != ERROR,
            Self::Is(kind) => node.kind() == kind,
        }
    }
}

/// Requirements on a child and its position.
pub struct ChildPattern {
    /// The required field, or `None` for any.
    pub field: Option<NonZeroU16>,
    /// Alternatives, one of which must match.
    pub alternatives: Vec<NodePattern>,
    /// True if no named child may be between this child and the one before (or the start).
    pub is_next: bool,
    /// True if no named child may follow this child.
    pub is_last: bool,
    /// Number of children that the pattern matches.
    pub times: Times,
    /// True if the child or one of its descendants is captured.
    pub captures: bool,
    /// True if the next child must follow immediately. If neither this nor `captures` is set, the
    /// first child that matches is taken, without backtracking.
    pub is_tied: bool,
}

/// Number of children that a pattern matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// One.
    Once,
    /// `?`: one, or none if there is no match with one.
    Optional,
    /// `*` between two anchors: all children at that position.
    Run,
}

/// A condition on captured nodes. It is true if nothing was captured.
pub struct Predicate {
    /// The number of the capture.
    pub capture: u16,
    /// The test that each captured node must pass.
    pub test: Test,
}

/// A test of a captured node.
pub enum Test {
    /// `#eq?`, `#any-of?`: its text is one of these.
    AnyOf(Vec<String>),
    /// `#match?`, `#not-match?`: its text matches (`true`) or does not match (`false`).
    Matches(Expression, bool),
    /// `#not-kind-eq?`: its kind is none of these.
    NotOfKind(Vec<u16>),
}

impl Test {
    /// Checks whether `node`, whose text is `text`, passes.
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

    /// Checks whether the expression compiles. A test checks all of them, so a released binary
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
