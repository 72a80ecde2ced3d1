//! One file's syntax tree as a flat list in preorder, read once from the parser.
//!
//! Patterns, facts and values look at a node several times; a node of the parser is found by walking from its parent
//! through nodes that the grammar hides, so each is read once, here, and is a row of a table from then on: its number is
//! its place, its children are the rows up to its end.
//!
//! Price: 24 bytes a node, and one cursor walk, a tenth of what parsing takes.
//! Departs: what an unnamed node (a token) holds is left out; tokens hold nothing in the grammars that are known.

use std::num::NonZeroU16;
use std::ops::Range;
use tree_sitter::TreeCursor;

/// The kind of a node that stands for text which the parser could not read.
pub const ERROR: u16 = u16::MAX;

/// A syntax tree. The default holds nothing and waits for [`Tree::read`].
#[derive(Default)]
pub struct Tree {
    nodes: Vec<NodeRow>,
    /// First byte of each line.
    lines: Vec<u32>,
    /// Whether the parser met text that it could not read.
    pub has_errors: bool,
}

struct NodeRow {
    start: u32,
    end: u32,
    /// The number of the first node after what this one holds.
    after: u32,
    parent: u32,
    kind: u16,
    /// The field in which its parent holds it; 0 for none.
    field: u16,
    is_named: bool,
}

impl Tree {
    /// Reads what the parser made of `source`; `false` if a path from the root is longer than `deepest`.
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

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing has been read.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node that holds all others; none before a tree is read.
    pub fn root(&self) -> Option<Node<'_>> {
        self.nodes().next()
    }

    /// Every node in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|at| Node { tree: self, at })
    }

    /// The line of a byte, from 0.
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

    /// Its number in the tree, which is its place in preorder.
    pub fn number(self) -> usize {
        self.at as usize
    }

    /// The number of the first node after what it holds.
    pub fn after(self) -> usize {
        self.row().after as usize
    }

    /// The parser's number of its kind.
    pub fn kind(self) -> u16 {
        self.row().kind
    }

    /// Whether the grammar gives it a name: it is no mere token.
    pub fn is_named(self) -> bool {
        self.row().is_named
    }

    /// First byte.
    pub fn start(self) -> usize {
        self.row().start as usize
    }

    /// Byte after the last.
    pub fn end(self) -> usize {
        self.row().end as usize
    }

    /// Its bytes in the file.
    pub fn bytes(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// The line it starts on, from 0.
    pub fn first_line(self) -> usize {
        self.tree.line(self.row().start)
    }

    /// The line of the byte after its last, from 0.
    pub fn end_line(self) -> usize {
        self.tree.line(self.row().end)
    }

    /// The line it ends on, from 0: if it ends with a line break, the line of that.
    pub fn last_line(self) -> usize {
        let end = self.end_line();
        let ends_before = self.tree.lines[end] == self.row().end && end > self.first_line();
        end - usize::from(ends_before)
    }

    /// The node that holds it.
    pub fn parent(self) -> Option<Self> {
        (self.at > 0).then(|| Self { at: self.row().parent, ..self })
    }

    /// The field in which its parent holds it.
    pub fn field(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.row().field)
    }

    /// It and every node inside it, in preorder.
    pub fn and_inside(self) -> impl Iterator<Item = Self> + use<'t> {
        (self.at..self.row().after).map(move |at| Self { at, ..self })
    }

    /// What it holds, in order.
    pub fn children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.siblings_from(self.at + 1, self.row().after)
    }

    /// What follows it in its parent, in order.
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

    /// Its children that are no tokens.
    pub fn named_children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(|child| child.is_named())
    }

    /// Its first child in a field.
    pub fn child_in(self, field: NonZeroU16) -> Option<Self> {
        self.children().find(|child| child.row().field == field.get())
    }
}
