//! The comments of a file, by its stored syntax tree.

use whichfn_index::fragment::SyntaxTree;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::FileId;
use whichfn_syntax::lang::{LangId, Language, Registry, WordSort};

/// Maximum number of nodes that begin before an offset among which the innermost node around it is
/// searched.
const MAX_NODES: usize = 24;

/// The syntax tree of a file, which shows where its comments are.
pub(super) struct Comments<'r> {
    language: &'r Language,
    tree: SyntaxTree,
}

impl<'r> Comments<'r> {
    /// Returns the comments of a file; `None` if its language is unknown.
    pub fn new(graph: &GraphFile, registry: &'r Registry, file: FileId) -> Option<Self> {
        let language = registry.language(LangId(graph.language(file)?)).ok()?;
        Some(Self { language, tree: SyntaxTree::new(&graph.syntax(file)) })
    }

    /// Checks whether an offset is in a comment.
    pub fn contain(&self, offset: usize) -> bool {
        let nodes = self.tree.nodes();
        let end = nodes.partition_point(|node| node.start as usize <= offset);
        let around = nodes[..end].iter().rev().take(MAX_NODES).find(|node| node.end as usize > offset);
        around.is_some_and(|node| self.language.meaning(node.kind).words == Some(WordSort::Comment))
    }
}
