//! The tree that walks use: directories, files, classes and functions, with a summary at each node.
//!
//! The tree contains only nodes with functions. A function and all definitions nested in it form
//! one leaf, because reading the function includes them. A directory with a single entry is
//! replaced by that entry. A class is a node unless it contains only one function, or the members
//! of all classes in its file fit into one node, because it would then only add a step. If a node
//! has more than [`Shape::children`] entries, they are grouped into pages, in order.
//!
//! - **Implements:** MemWalker (Chen et al. 2023): a tree of summaries over segments of text.
//! - **Differs from the paper:** source code is already a tree, so the segments are functions and
//!   the levels are the levels of the code.
//! - **Cost:** for each level of the tree, one pass over the words of all functions below it.

use serde::Serialize;
use std::ops::Range;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::DefinitionId;
use whichfn_text::BYTES_PER_TOKEN;

/// Number of a node. The root is 0, and the descendants of a node directly follow it.
pub type SummaryNodeId = usize;

/// Kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SummaryNodeKind {
    /// A directory, or a chain of directories with single entries.
    Directory,
    /// A file.
    File,
    /// A type, module or other definition around functions.
    Class,
    /// Some consecutive entries of a node with many entries.
    Page,
    /// A leaf: a function with all definitions nested in it.
    Function,
}

impl SummaryNodeKind {
    /// Returns the name printed in text and JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Self::Directory => "directory",
            Self::File => "file",
            Self::Class => "class",
            Self::Page => "page",
            Self::Function => "function",
        }
    }
}

/// A node of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryNode {
    /// Kind of the node.
    pub kind: SummaryNodeKind,
    /// Name for display: a path, a qualified name, or the first and last entry of a page.
    pub name: String,
    /// Parent of the node; the root is its own parent.
    pub parent: SummaryNodeId,
    /// Children, sorted by path and position.
    pub children: Vec<SummaryNodeId>,
    /// Functions of a leaf, outermost first; empty for other nodes.
    pub functions: Vec<DefinitionId>,
    /// True if the node contains only tests.
    pub is_test: bool,
    /// One line of text that distinguishes the node from its siblings.
    pub summary: String,
}

/// Size limits of the tree and its summaries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// Maximum number of children of a node; at least 2.
    pub children: usize,
    /// Maximum number of bytes in a leaf's summary.
    pub leaf_bytes: usize,
    /// Maximum number of bytes in any other summary.
    pub group_bytes: usize,
}

impl Default for Shape {
    fn default() -> Self {
        // If 15% of the text may be shown, 12 to 20 children perform alike; if less, 16 performs
        // best. With 8 children, more levels add to the cost. Summaries with half these lengths
        // contain too little, and with twice these lengths, fewer functions fit into the budget.
        Self { children: 16, leaf_bytes: 120, group_bytes: 200 }
    }
}

/// The tree as a list of nodes, in which parents come before their children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryTree {
    pub(super) nodes: Vec<SummaryNode>,
    pub(super) text_tokens: usize,
}

impl SummaryTree {
    /// Replaces the summaries with the given ones, in the order of the nodes. If there are fewer
    /// summaries than nodes, the remaining nodes keep theirs.
    pub fn with_summaries(mut self, summaries: Vec<String>) -> Self {
        self.nodes.iter_mut().zip(summaries).for_each(|(node, summary)| node.summary = summary);
        self
    }

    /// Returns all nodes, indexed by number.
    pub fn nodes(&self) -> &[SummaryNode] {
        &self.nodes
    }

    /// Returns the number of tokens in all files that contain functions.
    pub fn text_tokens(&self) -> usize {
        self.text_tokens
    }

    /// Returns an iterator over a node and its ancestors, which ends at the root.
    pub fn path(&self, node: SummaryNodeId) -> impl Iterator<Item = SummaryNodeId> + '_ {
        std::iter::successors(Some(node), |&at| (at != 0).then(|| self.nodes[at].parent))
    }

    /// Returns an iterator over the leaves below a node, or the node itself if it is a leaf.
    pub fn leaves(&self, node: SummaryNodeId) -> impl Iterator<Item = &SummaryNode> + '_ {
        let mut last = node;
        while let Some(&child) = self.nodes[last].children.last() {
            last = child;
        }
        self.nodes[node..=last].iter().filter(|node| node.kind == SummaryNodeKind::Function)
    }
}

/// Estimates the number of tokens in `bytes` bytes of code.
pub(super) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// Returns the byte range of a leaf in its file.
pub(super) fn span(graph: &GraphFile, leaf: &SummaryNode) -> Range<usize> {
    leaf.functions.first().map_or(0..0, |&id| {
        let row = graph.definition(id);
        row.start_byte as usize..row.end_byte as usize
    })
}
