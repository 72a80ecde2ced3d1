//! The syntax tree of one file as a flat list in preorder, read once from the parser.
//!
//! Patterns, facts and values look at a node several times. Finding a node of the parser means
//! walking from its parent through nodes that the grammar hides. So each node is read once, here,
//! and is a row of a table from then on: its number is its index, and its children are the rows up
//! to its end.
//!
//! **Cost:** 24 bytes a node, and one cursor walk, a tenth of the time of parsing.
//!
//! **Differs from the parser's tree:** the children of an unnamed node (a token) are left out.
//! Tokens have no children in the known grammars.

use std::num::NonZeroU16;
use std::ops::Range;
use tree_sitter::TreeCursor;

/// The kind of a node for text that the parser could not read.
pub const ERROR: u16 = u16::MAX;

/// A syntax tree. The default is empty; [`Tree::read`] fills it.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<NodeRow>,
    /// Offset of the first byte of each line.
    lines: Vec<u32>,
    /// True if the parser met text that it could not read.
    pub has_errors: bool,
}

struct NodeRow {
    start: u32,
    end: u32,
    /// Number of the first node after this node's descendants.
    after: u32,
    parent: u32,
    kind: u16,
    /// Number of the field under which the parent has this node; 0 for none.
    field: u16,
    is_named: bool,
}

impl Tree {
    /// Replaces the tree with the one that the parser built from `source`. Returns `false`, and
    /// leaves the tree incomplete, if a path from the root is longer than `deepest`.
    pub fn read(&mut self, parsed: &tree_sitter::Tree, source: &str, deepest: u32) -> bool {
        self.nodes.clear();
        self.lines.clear();
        self.lines.push(0);
        self.lines.extend(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32 + 1));
        self.has_errors = parsed.root_node().has_error();
        let (mut cursor, mut parent, mut depth) = (parsed.walk(), 0, 0);
        loop {
            let at = self.push(&cursor, parent);
            if self.nodes[at as usize].is_named && cursor.goto_first_child() {
                (parent, depth) = (at, depth + 1);
                if depth > deepest {
                    return false;
                }
                continue;
            }
            self.close(at);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return true;
                }
                self.close(parent);
                (parent, depth) = (self.nodes[parent as usize].parent, depth - 1);
            }
        }
    }

    fn push(&mut self, cursor: &TreeCursor<'_>, parent: u32) -> u32 {
        let node = cursor.node();
        self.nodes.push(NodeRow {
            start: node.start_byte() as u32,
            end: node.end_byte() as u32,
            after: 0,
            parent,
            kind: node.kind_id(),
            field: cursor.field_id().map_or(0, NonZeroU16::get),
            is_named: node.is_named(),
        });
        self.nodes.len() as u32 - 1
    }

    fn close(&mut self, at: u32) {
        self.nodes[at as usize].after = self.nodes.len() as u32;
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Checks whether the tree is empty, as before [`Tree::read`].
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the root node, or `None` before a tree is read.
    pub fn root(&self) -> Option<Node<'_>> {
        self.nodes().next()
    }

    /// Returns every node in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|at| Node { tree: self, at })
    }

    /// Returns the line of a byte, from 0.
    fn line(&self, byte: u32) -> usize {
        self.lines.partition_point(|&start| start <= byte) - 1
    }
}

/// A node of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree,
    at: u32,
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

impl std::fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: kind {} at {:?}", self.at, self.kind(), self.bytes())
    }
}

impl<'t> Node<'t> {
    fn row(self) -> &'t NodeRow {
        &self.tree.nodes[self.at as usize]
    }

    /// Returns the number of the node, which is its index in preorder.
    pub fn number(self) -> usize {
        self.at as usize
    }

    /// Returns the number of the first node after this node's descendants.
    pub fn after(self) -> usize {
        self.row().after as usize
    }

    /// Returns the parser's number for the kind of the node.
    pub fn kind(self) -> u16 {
        self.row().kind
    }

    /// Checks whether the grammar names the node, which means that it is more than a token.
    pub fn is_named(self) -> bool {
        self.row().is_named
    }

    /// Returns the offset of the first byte.
    pub fn start(self) -> usize {
        self.row().start as usize
    }

    /// Returns the offset of the byte after the last.
    pub fn end(self) -> usize {
        self.row().end as usize
    }

    /// Returns the byte range of the node in the file.
    pub fn bytes(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// Returns the line of the first byte, from 0.
    pub fn first_line(self) -> usize {
        self.tree.line(self.row().start)
    }

    /// Returns the line of the byte after the last, from 0.
    pub fn end_line(self) -> usize {
        self.tree.line(self.row().end)
    }

    /// Returns the line that the node ends on, from 0. If the node ends with a line break, that is
    /// the line which the break ends.
    pub fn last_line(self) -> usize {
        let end = self.end_line();
        let ends_before = self.tree.lines[end] == self.row().end && end > self.first_line();
        end - usize::from(ends_before)
    }

    /// Returns the parent, or `None` for the root.
    pub fn parent(self) -> Option<Self> {
        (self.at > 0).then(|| Self { at: self.row().parent, ..self })
    }

    /// Returns the field under which the parent has this node, or `None` if it has none.
    pub fn field(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.row().field)
    }

    /// Returns the node and all of its descendants, in preorder.
    pub fn and_inside(self) -> impl Iterator<Item = Self> + use<'t> {
        (self.at..self.row().after).map(move |at| Self { at, ..self })
    }

    /// Returns the children, in order.
    pub fn children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.siblings_from(self.at + 1, self.row().after)
    }

    /// Returns the siblings after this node, in order.
    pub fn later_siblings(self) -> impl Iterator<Item = Self> + use<'t> {
        let end = self.parent().map_or(0, |parent| parent.row().after);
        self.siblings_from(self.row().after, end)
    }

    fn siblings_from(self, mut at: u32, end: u32) -> impl Iterator<Item = Self> + use<'t> {
        std::iter::from_fn(move || {
            let child = Self { at, ..self };
            (at < end).then(|| {
                at = child.row().after;
                child
            })
        })
    }

    /// Returns the children that are not tokens.
    pub fn named_children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(|child| child.is_named())
    }

    /// Returns the first child in a field.
    pub fn child_in(self, field: NonZeroU16) -> Option<Self> {
        self.children().find(|child| child.row().field == field.get())
    }
}
