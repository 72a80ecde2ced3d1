//! The text of functions, read from their files.

use super::tree::{Node, span};
use crate::ids::FileId;
use crate::store::GraphFile;
use crate::scan::decode;
use std::path::Path;

/// Reads leaves; the text of the last file is kept, because leaves come by file more often than not.
pub(super) struct Texts<'a> {
    root: &'a Path,
    graph: &'a GraphFile,
    last: Option<(FileId, String)>,
}

impl<'a> Texts<'a> {
    /// Of an index and the sources below `root` that it was made from.
    pub fn new(root: &'a Path, graph: &'a GraphFile) -> Self {
        Self { root, graph, last: None }
    }

    /// The text of a leaf; empty if its file is gone or shorter by now.
    pub fn of(&mut self, leaf: &Node) -> &str {
        let Some(&id) = leaf.functions.first() else { return "" };
        let file = self.graph.definition(id).file;
        if self.last.as_ref().is_none_or(|(last, _)| *last != file) {
            let bytes = std::fs::read(self.root.join(self.graph.path(file))).unwrap_or_default();
            self.last = Some((file, decode(&bytes).unwrap_or_default().into_owned()));
        }
        self.last.as_ref().and_then(|(_, text)| text.get(span(self.graph, leaf))).unwrap_or_default()
    }
}
