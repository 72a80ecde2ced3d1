//! A run of comments and attributes without a blank line between, which may belong to the definition after it.

use tree_sitter::Node;

/// The run that the walk is in or has just left.
#[derive(Default)]
pub(super) struct Leading<'t> {
    /// Its first node; none while there is no run.
    pub start: Option<Node<'t>>,
    /// Its comments, in order.
    pub comments: Vec<Node<'t>>,
    /// The row that its last node ends on, from 0.
    pub end_row: usize,
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
        self.end_row + 1 >= node.start_position().row
    }

    /// Adds a comment or an attribute.
    pub fn extend(&mut self, node: Node<'t>) {
        self.start.get_or_insert(node);
        // A line comment that holds its line break ends at the start of the next line.
        let end = node.end_position();
        let ends_before = end.column == 0 && end.row > node.start_position().row;
        self.end_row = if ends_before { end.row - 1 } else { end.row };
        self.end_byte = node.end_byte();
    }
}
