//! Assigns comments, attributes and decorators to the definitions that they belong to.

use super::extract::Extractor;
use super::field::Field;
use crate::ids::LocalId;
use crate::lang::WordSort;
use crate::tree::Node;

/// Consecutive comments and attributes, without empty lines between them, that are at the current
/// position of the walk or directly before it.
#[derive(Default)]
pub(super) struct LeadingComments<'t> {
    /// First node of the run, or `None` if there is no run.
    pub start: Option<Node<'t>>,
    /// Comments in the run, in order.
    pub comments: Vec<Node<'t>>,
    /// Line on which the run's last node ends, starting at 0.
    pub end_line: usize,
    /// Offset after the run's last node.
    pub end_byte: usize,
    /// True if an attribute in the run marks the next definition as a test.
    pub is_test: bool,
    /// True if nothing precedes the run in the file.
    pub at_top: bool,
}

impl<'t> LeadingComments<'t> {
    /// Checks whether there is no empty line between the run and `node`.
    pub fn touches(&self, node: Node<'t>) -> bool {
        self.end_line + 1 >= node.first_line()
    }

    /// Adds a comment or an attribute to the run.
    pub fn extend(&mut self, node: Node<'t>) {
        self.start.get_or_insert(node);
        // A line comment whose node includes its line break ends on its own line.
        self.end_line = node.last_line();
        self.end_byte = node.end();
    }
}

impl<'t> Extractor<'_, 't> {
    /// Returns the node that wraps a definition together with its decorators, and the decorators
    /// from outermost to innermost. If there is no wrapper, the node is the definition itself.
    pub(super) fn take_wrapper(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Node<'t>>) {
        match self.wrapper.take() {
            Some((outer, decorators)) if outer.start() <= node.start() && outer.end() >= node.end() => {
                (outer, decorators)
            }
            _ => (node, Vec::new()),
        }
    }

    /// Returns the first node of the run directly above `node`, and the run's comments. Both belong
    /// to the definition at `node`.
    pub(super) fn take_leading(&mut self, node: Node<'t>) -> (Node<'t>, Vec<Node<'t>>) {
        let leading = std::mem::take(&mut self.leading);
        match leading.start {
            Some(start) if self.belongs_to(&leading, node) && start.end() <= node.start() => (start, leading.comments),
            _ => {
                self.release(&leading.comments, leading.at_top);
                (node, Vec::new())
            }
        }
    }

    /// Returns the comments in the run directly above `node` or its wrapper. Returns none at the
    /// beginning of the file, where the comments document the file.
    pub(super) fn comments_above(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let wraps = |outer: &Node<'t>| outer.start() <= node.start() && outer.end() >= node.end();
        let outer = self.wrapper.as_ref().map(|(outer, _)| *outer).filter(wraps).unwrap_or(node);
        let leading = &self.leading;
        let is_between = |start: Node<'t>| start.end() <= outer.start() && !self.is_at_start_of_file(start);
        let is_above = leading.start.is_some_and(is_between) && self.belongs_to(leading, outer);
        let comments = leading.comments.iter().filter(|_| is_above);
        comments.filter(|comment| self.matches.docs.contains(&comment.number())).copied().collect()
    }

    /// Checks whether a run belongs to `node`. There must be no empty line between them, or only
    /// one if the last comment applies across an empty line.
    fn belongs_to(&self, leading: &LeadingComments<'t>, node: Node<'t>) -> bool {
        leading.touches(node)
            || leading.comments.last().is_some_and(|last| {
                let is_one_line = leading.end_line + 2 == node.first_line();
                let is_last = last.end() == leading.end_byte;
                is_one_line
                    && is_last
                    && self.matches.spaced_docs.contains(&last.number())
                    && self.source.get(leading.end_byte..node.start()).is_some_and(|gap| gap.trim().is_empty())
                    // A comment at the top describes the file: a license, the purpose of a module.
                    && !leading.start.is_some_and(|start| self.is_at_start_of_file(start))
            })
    }

    fn is_at_start_of_file(&self, start: Node<'t>) -> bool {
        self.source[..start.start()].trim().is_empty()
    }

    /// Adds the comments directly above a definition to it, either as documentation or as words in
    /// its strings and comments.
    pub(super) fn add_leading_doc(&mut self, id: LocalId, comments: &[Node<'t>]) {
        let are_file_notes = self.are_file_notes(id, comments);
        for comment in comments {
            let is_comment = self.language.meaning(comment.kind()).words == Some(WordSort::Comment);
            if are_file_notes || !is_comment || self.matches.docs.contains(&comment.number()) {
                self.add_doc_node(id, *comment);
            } else {
                self.words.read(comment.bytes()).add(id, Field::Strings);
            }
        }
    }

    /// Checks whether plain comments document the private function below them. All comments must
    /// qualify, so that the rest of a `TODO` or of a frame around a heading is not included, and
    /// the function must not have regular documentation.
    fn are_file_notes(&self, id: LocalId, comments: &[Node<'t>]) -> bool {
        let definition = &self.definitions[id];
        let api = &self.language.spec.api;
        let mut words = definition.signature.split(|c: char| !c.is_alphanumeric());
        let is_public = words.any(|word| api.public_words.iter().any(|public| public == word))
            && !api.restricted_words.iter().any(|restricted| definition.signature.contains(restricted));
        definition.kind.is_function()
            && comments.iter().all(|comment| self.matches.notes.contains(&comment.number()))
            && comments.first().is_some_and(|first| !self.is_at_start_of_file(*first))
            && !is_public
    }

    /// Adds the text of a node to a definition's documentation.
    pub(super) fn add_doc_node(&mut self, id: LocalId, node: Node<'t>) {
        let clean = self.clean_doc(self.text(node));
        self.docs[id].push_str(&clean);
        self.docs[id].push('\n');
    }

    pub(super) fn comment(&mut self, node: Node<'t>) {
        // A comment after code on its line describes that code, not the following lines.
        let line = self.source[..node.start()].rsplit('\n').next().unwrap_or_default();
        if !line.trim().is_empty() && self.leading.start.is_none() {
            return self.add_words(Field::Strings, node);
        }
        if self.leading.start.is_some() && !self.leading.touches(node) {
            self.flush_leading();
        }
        self.leading.extend(node);
        self.leading.comments.push(node);
    }

    /// Adds an attribute with its documentation to the run.
    pub(super) fn attribute(&mut self, node: Node<'t>, doc: Option<Node<'t>>) {
        if self.leading.start.is_some() && !self.leading.touches(node) {
            self.flush_leading();
        }
        self.leading.extend(node);
        self.leading.comments.extend(doc);
        self.inert_end = node.end();
    }

    /// Ends the run of comments and attributes, because no definition follows it.
    pub(super) fn flush_leading(&mut self) {
        let leading = std::mem::take(&mut self.leading);
        self.release(&leading.comments, leading.at_top);
    }

    /// Adds comments that precede no definition to the words of the enclosing definition or, at the
    /// top of the file, to the file's documentation.
    fn release(&mut self, comments: &[Node<'t>], at_top: bool) {
        for comment in comments {
            if at_top && self.matches.docs.contains(&comment.number()) {
                self.add_doc_node(LocalId::FILE, *comment);
            } else {
                self.add_words(Field::Strings, *comment);
            }
        }
    }

    /// Returns the text of a doc comment without its comment signs.
    fn clean_doc(&self, text: &str) -> String {
        let nodes = &self.language.spec.words;
        let is_signature = |line: &&str| nodes.doc_signatures && (line.starts_with("    ") || line.trim().is_empty());
        let lines = text.lines().skip_while(is_signature).map(|line| {
            let mut line = line.trim();
            if let Some(rest) = nodes.doc_prefixes.iter().find_map(|p| line.strip_prefix(p.as_str())) {
                line = rest.trim_start();
            }
            let line = line.strip_suffix("*/").unwrap_or(line).trim_end();
            nodes.doc_suffixes.iter().find_map(|s| line.strip_suffix(s.as_str())).unwrap_or(line).trim_end()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
