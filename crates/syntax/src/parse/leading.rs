//! A run of comments and attributes without a blank line between, which may belong to the next
//! definition.

use crate::tree::Node;

/// The run at or directly before the current position of the walk.
#[derive(Default)]
pub(super) struct LeadingComments<'t> {
    /// First node of the run; `None` if there is no run.
    pub start: Option<Node<'t>>,
    /// Comments of the run, in order.
    pub comments: Vec<Node<'t>>,
    /// Line that its last node ends on, from 0.
    pub end_line: usize,
    /// Offset of the byte after its last node.
    pub end_byte: usize,
    /// True if one of its attributes marks the next definition as a test.
    pub is_test: bool,
    /// True if only this run precedes the definition in the file.
    pub at_top: bool,
}

impl<'t> LeadingComments<'t> {
    /// Checks whether there is no blank line between the run and `node`.
    pub fn touches(&self, node: Node<'t>) -> bool {
        self.end_line + 1 >= node.first_line()
    }

    /// Adds a comment or an attribute.
    pub fn extend(&mut self, node: Node<'t>) {
        self.start.get_or_insert(node);
        // A line comment whose node includes its line break ends on its own line.
        self.end_line = node.last_line();
        self.end_byte = node.end();
    }
}
