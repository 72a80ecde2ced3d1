//! A run of comments and attributes without a blank line between, which may belong to the definition after it.

use crate::tree::Node;

/// The run that the walk is in or has just left.
#[derive(Default)]
pub(super) struct Leading<'t> {
    /// Its first node; none while there is no run.
    pub start: Option<Node<'t>>,
    /// Its comments, in order.
    pub comments: Vec<Node<'t>>,
    /// The line that its last node ends on, from 0.
    pub end_line: usize,
    /// The byte after its last node.
    pub end_byte: usize,
    /// One of its attributes makes the definition after it a test.
    pub is_test: bool,
    /// Nothing but this run stands before it in the file.
    pub at_top: bool,
}

impl<'t> Leading<'t> {
    /// Whether there is no blank line between the run and `node`.
    pub fn touches(&self, node: Node<'t>) -> bool {
        self.end_line + 1 >= node.first_line()
    }

    /// Adds a comment or an attribute.
    pub fn extend(&mut self, node: Node<'t>) {
        self.start.get_or_insert(node);
        // A line comment that holds its line break ends on its own line.
        self.end_line = node.last_line();
        self.end_byte = node.end();
    }
}
