//! The patterns of a language as tables: what [`super::query`] makes of the `.scm` files, and `parse` looks for.
//!
//! `queries/README.md` says what each part of a pattern means.

use super::role::Role;
use crate::tree::{ERROR, Node};
use regex::bytes::Regex;
use std::num::NonZeroU16;
use std::sync::OnceLock;

/// All patterns of a language.
pub struct Patterns {
    /// In order of their place in the files.
    pub all: Vec<Pattern>,
    /// The role of each capture, by its number.
    pub roles: Vec<Role>,
    /// Its name, without the `@`.
    pub captures: Vec<&'static str>,
    /// Patterns by the kind of their root: number of the pattern, number of the alternative at its root.
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

    /// The patterns that may match at a node of this kind, in their order.
    pub fn rooted(&self, kind: u16) -> impl Iterator<Item = (&Pattern, &NodePattern)> {
        let of_kind = self.by_kind.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
        of_kind.iter().map(|&(pattern, root)| {
            let pattern = &self.all[usize::from(pattern)];
            (pattern, &pattern.roots[usize::from(root)])
        })
    }
}

/// One pattern of a file: a node, and what the text of captured nodes must be.
pub struct Pattern {
    /// Alternatives for the node at its root, each of one kind.
    pub roots: Vec<NodePattern>,
    /// All must hold.
    pub predicates: Vec<Predicate>,
}

/// What a node must be.
pub struct NodePattern {
    /// Its kind.
    pub kind: KindTest,
    /// Fields in which it holds nothing.
    pub absent: Vec<NonZeroU16>,
    /// Some of its children, in order.
    pub children: Vec<ChildPattern>,
    /// The numbers of its captures.
    pub captures: Vec<u16>,
}

/// A test of a node's kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindTest {
    /// `(_)`: any node with a name, but for one that could not be read.
    Named,
    /// `_`: any node, also a token.
    Any,
    /// One kind.
    Is(u16),
}

impl KindTest {
    /// Whether a node passes.
    pub fn admits(self, node: Node<'_>) -> bool {
        match self {
            Self::Named => node.is_named() && node.kind() != ERROR,
            Self::Any => node.kind() != ERROR,
            Self::Is(kind) => node.kind() == kind,
        }
    }
}

/// What a child must be, and where it may stand.
pub struct ChildPattern {
    /// The field that it is in, if that matters.
    pub field: Option<NonZeroU16>,
    /// Any of these.
    pub alternatives: Vec<NodePattern>,
    /// No named child stands between it and the child before (or the start).
    pub is_next: bool,
    /// No named child stands after it.
    pub is_last: bool,
    /// How many there may be.
    pub times: Times,
    /// Whether it or something inside it is captured.
    pub captures: bool,
    /// Whether the next child stands right after it. If neither this nor `captures`, the first child that fits is taken.
    pub is_tied: bool,
}

/// How many children a pattern stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// One.
    Once,
    /// `?`: none only where a match with one is not to be had.
    Optional,
    /// `*` between two anchors: as many as stand there.
    Run,
}

/// A condition on captured nodes; it holds where nothing was captured.
pub struct Predicate {
    /// The number of the capture.
    pub capture: u16,
    /// What must be so.
    pub test: Test,
}

/// What a captured node must be.
pub enum Test {
    /// `#eq?`, `#any-of?`: its text is one of these.
    AnyOf(Vec<String>),
    /// `#match?`, `#not-match?`: its text matches, or does not.
    Matches(Expression, bool),
    /// `#not-kind-eq?`: it is of none of these kinds.
    NotOfKind(Vec<u16>),
}

impl Test {
    /// Whether `node`, whose text is `text`, passes.
    pub fn passes(&self, node: Node<'_>, text: &str) -> bool {
        match self {
            Self::AnyOf(texts) => texts.iter().any(|one| one == text),
            Self::Matches(expression, wanted) => expression.is_match(text) == *wanted,
            Self::NotOfKind(kinds) => !kinds.contains(&node.kind()),
        }
    }
}

/// A regular expression, compiled when it is first needed: most processes need few.
#[derive(Debug)]
pub struct Expression {
    source: String,
    compiled: OnceLock<Option<Regex>>,
}

impl Expression {
    pub(super) fn new(source: String) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    /// Whether it can be compiled; a test asks all, so that a released binary has no other.
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
