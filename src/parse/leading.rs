//! What stands before a definition and belongs to it: decorators' wrappers, attributes, comments without a blank line
//! between.

use super::extract::Extractor;
use super::words::Field;
use crate::ids::LocalId;
use tree_sitter::Node;

/// A run of comments and attributes that may belong to the definition after it.
#[derive(Default)]
pub(super) struct Leading<'t> {
    pub(super) start: Option<Node<'t>>,
    pub(super) comments: Vec<Node<'t>>,
    pub(super) end_row: usize,
    pub(super) end_byte: usize,
    pub(super) is_test: bool,
    pub(super) at_top: bool,
}

impl<'t> Extractor<'_, 't> {
    pub(super) fn take_wrapper(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Node<'t>>) {
        match self.wrapper.take() {
            Some((outer, decorators))
                if outer.start_byte() <= node.start_byte() && outer.end_byte() >= node.end_byte() =>
            {
                (outer, decorators)
            }
            _ => (node, Vec::new()),
        }
    }

    /// Comments and attributes right above `node`, without a blank line between, belong to it.
    pub(super) fn take_leading(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Node<'t>>) {
        let leading = std::mem::take(&mut self.leading);
        match leading.start {
            Some(start)
                if leading.end_row + 1 >= node.start_position().row && start.end_byte() <= node.start_byte() =>
            {
                (start, leading.comments)
            }
            _ => {
                self.spill(&leading.comments, leading.at_top);
                (node, Vec::new())
            }
        }
    }

    pub(super) fn leading_doc(&mut self, id: LocalId, comments: &[Node<'t>]) {
        for comment in comments {
            let text = self.text(*comment);
            if self.matches.docs.contains(&comment.id()) {
                let clean = self.clean_doc(text);
                self.docs[id].push_str(&clean);
                self.docs[id].push('\n');
            } else {
                self.words[id].add(Field::Strings, text, self.stemmer);
            }
        }
    }

    pub(super) fn comment(&mut self, node: Node<'t>) {
        // A comment after code on its line is about that code, not about what follows.
        let line = self.source[..node.start_byte()].rsplit('\n').next().unwrap_or_default();
        if !line.trim().is_empty() && self.leading.start.is_none() {
            return self.give(Field::Strings, self.text(node));
        }
        if self.leading.start.is_some() && self.leading.end_row + 1 < node.start_position().row {
            self.flush_leading();
        }
        self.lead(node);
        self.leading.comments.push(node);
    }

    pub(super) fn lead(&mut self, node: Node<'t>) {
        self.leading.start.get_or_insert(node);
        // A line comment that holds its line break ends at the start of the next line.
        let end = node.end_position();
        self.leading.end_byte = node.end_byte();
        self.leading.end_row =
            if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row };
    }

    pub(super) fn flush_leading(&mut self) {
        let leading = std::mem::take(&mut self.leading);
        self.spill(&leading.comments, leading.at_top);
    }

    /// Comments that belong to no definition: words of the one that they stand in; at the top, the file's own doc.
    pub(super) fn spill(&mut self, comments: &[Node<'t>], at_top: bool) {
        for comment in comments {
            let text = self.text(*comment);
            if at_top && self.matches.docs.contains(&comment.id()) {
                let clean = self.clean_doc(text);
                self.docs[LocalId::FILE].push_str(&clean);
                self.docs[LocalId::FILE].push('\n');
            } else {
                self.give(Field::Strings, text);
            }
        }
    }
}
