//! The syntax tree of a file as a flat list in preorder, which is read once from the parser.
//!
//! Patterns, facts and values use each node several times, and finding a node in the parser's tree
//! means walking from its parent through nodes that the grammar hides. Therefore, each node is read
//! only once, and becomes a row in a table. Its number is its index, and its children are among the
//! rows up to its end.
//!
//! **Cost:** 24 bytes per node, and one cursor walk, which takes a tenth of the time of parsing.
//!
//! **Differs from the parser's tree:** the children of an unnamed node (a token) are omitted. In
//! the known grammars, tokens have no children.

use std::num::NonZeroU16;
use std::ops::Range;
use tree_sitter::TreeCursor;

/// Node kind for text that the parser could not parse.
pub const ERROR: u16 = u16::MAX;

/// Maximum number of children of a node with fields, in a tree with errors. The parser does not
/// balance the lists in such a tree, so finding a field takes time proportional to the number of
/// children.
const CHILDREN_WITH_FIELDS: usize = 4_096;

/// A syntax tree. The default value is empty, and [`Tree::read`] fills it.
#[derive(Default)]
pub struct Tree {
    nodes: Vec<NodeRow>,
    /// Offset of the first byte of each line.
    lines: Vec<u32>,
    /// Number of parts that the parser could not parse, or inserted.
    pub errors: usize,
}

struct NodeRow {
    start: u32,
    end: u32,
    /// Number of the first node after this node and its descendants.
    after: u32,
    parent: u32,
    kind: u16,
    /// Number of the field that the node has in its parent, or 0 if it has none.
    field: u16,
    is_named: bool,
}

impl Tree {
    /// Replaces the tree with the one that the parser built from `source`. If a path from the root
    /// is longer than `deepest`, returns `false` and leaves the tree incomplete.
    pub fn read(&mut self, parsed: &tree_sitter::Tree, source: &str, deepest: u32) -> bool {
        self.nodes.clear();
        self.lines.clear();
        self.lines.push(0);
        self.lines.extend(memchr::memchr_iter(b'\n', source.as_bytes()).map(|at| at as u32 + 1));
        self.errors = 0;
        let has_errors = parsed.root_node().has_error();
        let (mut cursor, mut parent) = (parsed.walk(), 0);
        // Number of children read so far, of each node from the root to the parent.
        let mut children = vec![0];
        let has_fields = parsed.language().field_count() > 0;
        // The parser may have read a line break after the end of the source.
        let last = source.len() as u32;
        loop {
            let number = children.last_mut().map_or(0, |count| std::mem::replace(count, *count + 1));
            // The cursor looks for a field in all hidden nodes up to the parent, of which there may be
            // thousands in nested brackets, errors and lists.
            let may_be_field = has_fields
                && self.nodes.get(parent as usize).is_some_and(|row| row.kind != ERROR)
                && !(has_errors && number >= CHILDREN_WITH_FIELDS);
            let at = self.push(&cursor, parent, may_be_field, last);
            self.errors += usize::from(has_errors && (cursor.node().is_error() || cursor.node().is_missing()));
            if self.nodes[at as usize].is_named && cursor.goto_first_child() {
                parent = at;
                children.push(0);
                if children.len() > deepest as usize + 1 {
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
                parent = self.nodes[parent as usize].parent;
                children.pop();
            }
        }
    }

    /// Adds the node of a cursor, and returns its number. `last` is the offset where the source ends.
    fn push(&mut self, cursor: &TreeCursor<'_>, parent: u32, may_be_field: bool, last: u32) -> u32 {
        let node = cursor.node();
        self.nodes.push(NodeRow {
            start: (node.start_byte() as u32).min(last),
            end: (node.end_byte() as u32).min(last),
            after: 0,
            parent,
            kind: node.kind_id(),
            field: if may_be_field { cursor.field_id().map_or(0, NonZeroU16::get) } else { 0 },
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

    /// Checks whether the tree is empty, as it is before [`Tree::read`].
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the root node, or `None` if no tree was read.
    pub fn root(&self) -> Option<Node<'_>> {
        self.nodes().next()
    }

    /// Returns all nodes in preorder.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|at| Node { tree: self, at })
    }

    /// Returns the line that contains an offset. Lines start at 0.
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

    /// Returns the node's number, which is its index in preorder.
    pub fn number(self) -> usize {
        self.at as usize
    }

    /// Returns the number of the first node after this node and its descendants.
    pub fn after(self) -> usize {
        self.row().after as usize
    }

    /// Returns the parser's number for the node's kind.
    pub fn kind(self) -> u16 {
        self.row().kind
    }

    /// Checks whether the grammar gives the node a name, which means that the node is more than a
    /// token.
    pub fn is_named(self) -> bool {
        self.row().is_named
    }

    /// Returns the offset of the node's first byte.
    pub fn start(self) -> usize {
        self.row().start as usize
    }

    /// Returns the offset after the node's last byte.
    pub fn end(self) -> usize {
        self.row().end as usize
    }

    /// Returns the byte range of the node in the file.
    pub fn bytes(self) -> Range<usize> {
        self.start()..self.end()
    }

    /// Returns the line of the node's first byte. Lines start at 0.
    pub fn first_line(self) -> usize {
        self.tree.line(self.row().start)
    }

    /// Returns the line of the byte after the node's last. Lines start at 0.
    pub fn end_line(self) -> usize {
        self.tree.line(self.row().end)
    }

    /// Returns the line on which the node ends. If the node ends with a line break, this is the
    /// line that the break ends. Lines start at 0.
    pub fn last_line(self) -> usize {
        let end = self.end_line();
        let ends_before = self.tree.lines[end] == self.row().end && end > self.first_line();
        end - usize::from(ends_before)
    }

    /// Returns the parent node, or `None` for the root.
    pub fn parent(self) -> Option<Self> {
        (self.at > 0).then(|| Self { at: self.row().parent, ..self })
    }

    /// Returns the field that the node has in its parent, or `None` if it has none.
    pub fn field(self) -> Option<NonZeroU16> {
        NonZeroU16::new(self.row().field)
    }

    /// Returns this node and all of its descendants, in preorder.
    pub fn and_inside(self) -> impl Iterator<Item = Self> + use<'t> {
        (self.at..self.row().after).map(move |at| Self { at, ..self })
    }

    /// Returns the node's children, in order.
    pub fn children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.siblings_from(self.at + 1, self.row().after)
    }

    /// Returns the siblings that follow this node, in order.
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

    /// Returns the children that are named nodes, in order.
    pub fn named_children(self) -> impl Iterator<Item = Self> + use<'t> {
        self.children().filter(|child| child.is_named())
    }

    /// Returns the first child that has the given field.
    pub fn child_in(self, field: NonZeroU16) -> Option<Self> {
        self.children().find(|child| child.row().field == field.get())
    }
}
