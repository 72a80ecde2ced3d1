//! Finds the matches of a language's patterns in a syntax tree.
//!
//! A pattern is tried at each node that has the kind of the pattern's root. The children of the
//! node are searched from left to right. If a child is captured, or the next child is anchored to
//! it, any fitting child is accepted, and each gives its own match. Otherwise, only the first
//! fitting child is accepted. An optional child is omitted only if there is no match with it.
//!
//! **Cost:** one check of each node's kind, and a few steps for each pattern that is rooted at that
//! kind and rejected. A pattern that captures two of many siblings has as many matches as there are
//! pairs of siblings. Therefore, the number of steps for one pattern at one node is limited to
//! [`STEPS`], plus [`STEPS_A_NODE`] for each descendant. Matches beyond the limit are not found.
//!
//! **Differs from tree-sitter:** if an optional child is not the last child of its parent,
//! `QueryCursor` also returns matches without it that begin elsewhere. `tests/patterns.rs` checks
//! that the results of both are equal on all fixtures.

use crate::lang::{ChildPattern, NodePattern, Pattern, Patterns, Times};
use crate::tree::{Node, Tree};

const STEPS: usize = 100_000;
const STEPS_A_NODE: usize = 16;

/// A captured node, preceded by the number of the capture.
pub type Capture<'t> = (u16, Node<'t>);

/// Calls `found` with the captures of each match, sorted by the node that completes the match, then
/// by root, then by pattern.
pub fn find_matches<'t>(patterns: &Patterns, tree: &'t Tree, source: &str, mut found: impl FnMut(&[Capture<'t>])) {
    let mut all = Matches::default();
    let mut captures = Vec::new();
    for node in tree.nodes() {
        for (pattern, root) in patterns.rooted(node.kind()) {
            let steps = STEPS + STEPS_A_NODE * (node.after() - node.number());
            captures.clear();
            let (at, known) = (node.number(), all.complete.len());
            Matcher { pattern, source, steps, at, known, captures: &mut captures, found: &mut all }
                .node(root, node, None);
        }
    }
    all.complete.sort_by_key(|&(at, _, _)| at);
    all.complete.iter().for_each(|&(_, from, to)| found(&all.captures[from as usize..to as usize]));
}

/// The matches found so far, in the order in which they were found.
#[derive(Default)]
struct Matches<'t> {
    /// For each match, the number of the node that completes it and the range of its captures.
    complete: Vec<(u32, u32, u32)>,
    captures: Vec<Capture<'t>>,
}

/// The state of matching one pattern at one root.
struct Matcher<'a, 't> {
    pattern: &'a Pattern,
    source: &'a str,
    /// Number of nodes that may still be examined.
    steps: usize,
    /// Number of the last node found, or of the node at which an optional child turned out to be
    /// missing.
    at: usize,
    /// Number of matches before this root was tried.
    known: usize,
    captures: &'a mut Vec<Capture<'t>>,
    found: &'a mut Matches<'t>,
}

/// The part of a match that remains: children of a node after a given position, followed by the
/// part that remains around that node.
#[derive(Clone, Copy)]
struct Remainder<'r, 't> {
    children: &'r [ChildPattern],
    parent: Node<'t>,
    /// Last child found so far, or `None` at the start.
    after: Option<Node<'t>>,
    outer: Option<&'r Remainder<'r, 't>>,
}

impl<'t> Remainder<'_, 't> {
    /// Returns the children that may match next.
    fn candidates(&self) -> impl Iterator<Item = Node<'t>> + use<'t> {
        let (first, later) = match self.after {
            Some(last) => (None, Some(last.later_siblings())),
            None => (Some(self.parent.children()), None),
        };
        first.into_iter().flatten().chain(later.into_iter().flatten())
    }
}

impl<'t> Matcher<'_, 't> {
    /// Reports all matches in which `node` matches `pattern`, and in which `rest` remains to be
    /// matched. Returns whether there are any.
    fn node(&mut self, pattern: &NodePattern, node: Node<'t>, rest: Option<&Remainder<'_, 't>>) -> bool {
        if !self.matches_node(pattern, node) {
            return false;
        }
        let known = self.captures.len();
        self.captures.extend(pattern.captures.iter().map(|&capture| (capture, node)));
        let inside = Remainder { children: &pattern.children, parent: node, after: None, outer: rest };
        let is_found = self.rest(Some(&inside));
        self.captures.truncate(known);
        is_found
    }

    fn matches_node(&mut self, pattern: &NodePattern, node: Node<'t>) -> bool {
        let matches_node =
            pattern.kind.admits(node) && pattern.absent.iter().all(|&field| node.child_in(field).is_none());
        if matches_node {
            self.at = node.number();
        }
        matches_node
    }

    fn rest(&mut self, rest: Option<&Remainder<'_, 't>>) -> bool {
        let Some(rest) = rest else { return self.record_match() };
        let Some((child, children)) = rest.children.split_first() else { return self.rest(rest.outer) };
        if child.times == Times::Run {
            let after = self.run(child, rest);
            return self.rest(Some(&Remainder { children, after, ..*rest }));
        }
        let mut is_found = false;
        for node in rest.candidates() {
            if self.is_at_position(child, node) {
                let after = Remainder { children, after: Some(node), ..*rest };
                if child.captures {
                    for one in &child.alternatives {
                        is_found |= self.node(one, node, Some(&after));
                    }
                } else if self.matches_without_captures(child, node) {
                    is_found |= self.rest(Some(&after));
                    if !child.is_tied {
                        return is_found;
                    }
                }
            }
            if self.steps == 0 || (child.is_next && node.is_named()) {
                break;
            }
        }
        if is_found || child.times != Times::Optional {
            return is_found;
        }
        self.at = rest.candidates().last().map_or(rest.parent.after(), Node::number);
        self.rest(Some(&Remainder { children, ..*rest }))
    }

    /// Returns the last of the consecutive children that fit or, if none fits, the last child found
    /// before.
    fn run(&mut self, child: &ChildPattern, rest: &Remainder<'_, 't>) -> Option<Node<'t>> {
        let row = rest.candidates().filter(|node| node.is_named());
        row.take_while(|&node| self.matches_without_captures(child, node)).last().or(rest.after)
    }

    /// Checks whether a child has the required field and position.
    fn is_at_position(&mut self, child: &ChildPattern, node: Node<'t>) -> bool {
        self.steps = self.steps.saturating_sub(1);
        child.field.is_none_or(|field| node.field() == Some(field))
            && !(child.is_last && node.later_siblings().any(Node::is_named))
    }

    /// Checks whether a child that is not captured fits.
    fn matches_without_captures(&mut self, child: &ChildPattern, node: Node<'t>) -> bool {
        child.alternatives.iter().any(|one| {
            let mut rest = Remainder { children: &one.children, parent: node, after: None, outer: None };
            self.matches_node(one, node)
                && one.children.iter().all(|inner| {
                    let next = self.first(inner, &rest);
                    rest.after = next.or(rest.after);
                    next.is_some() || inner.times != Times::Once
                })
        })
    }

    /// Returns the first child that fits, if there is one.
    fn first(&mut self, child: &ChildPattern, rest: &Remainder<'_, 't>) -> Option<Node<'t>> {
        if child.times == Times::Run {
            return self.run(child, rest);
        }
        for node in rest.candidates() {
            if self.is_at_position(child, node) && self.matches_without_captures(child, node) {
                return Some(node);
            }
            if self.steps == 0 || (child.is_next && node.is_named()) {
                break;
            }
        }
        None
    }

    /// Records a match if the predicates are true, and returns whether it was recorded.
    fn record_match(&mut self) -> bool {
        let are_predicates_met = self.pattern.predicates.iter().all(|predicate| {
            let captured = self.captures.iter().filter(|(capture, _)| *capture == predicate.capture);
            captured
                .into_iter()
                .all(|&(_, node)| predicate.test.passes(node, self.source.get(node.bytes()).unwrap_or_default()))
        });
        // Two commas before one name give only one match.
        let is_new = match self.found.complete[self.known..].last() {
            Some(&(_, from, to)) => self.found.captures[from as usize..to as usize] != **self.captures,
            None => true,
        };
        if are_predicates_met && is_new {
            let from = self.found.captures.len() as u32;
            self.found.captures.extend_from_slice(self.captures);
            self.found.complete.push((self.at as u32, from, self.found.captures.len() as u32));
        }
        true
    }
}
