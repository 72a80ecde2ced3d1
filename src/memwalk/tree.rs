//! The tree that is walked: directories, files, classes, functions, with a summary at each node.
//!
//! Only what holds a function is in it. A function with all that is defined inside it is one leaf: who reads it reads
//! them too. A directory with a single entry is that entry. A class is a node unless it holds one function, or all
//! classes of its file can be laid open without too many entries: then it would only add a step. More than
//! [`Shape::children`] entries of a node are grouped, in order, into pages.
//!
//! Paper:    MemWalker (Chen et al. 2023): a tree of summaries over segments of a text
//! Departs:  the text has a tree of its own, so segments are functions and the levels are those of the code
//! Price:    one pass over the words of all functions for each level that they lie on

use crate::ids::DefinitionId;
use crate::store::GraphFile;
use crate::text::BYTES_PER_TOKEN;
use serde::Serialize;
use std::ops::Range;

/// The number of a node: the root is 0, and what lies below a node follows it.
pub type SummaryNodeId = usize;

/// What a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SummaryNodeKind {
    /// A directory, or a chain of them.
    Directory,
    /// A file.
    File,
    /// A type, module or other definition around functions.
    Class,
    /// Some consecutive entries of a node that has many.
    Page,
    /// A function with all that it holds: a leaf.
    Function,
}

impl SummaryNodeKind {
    /// The word that people and JSON read.
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
    /// What the node stands for.
    pub kind: SummaryNodeKind,
    /// What people call it: a path, a qualified name, the first and last entry of a page.
    pub name: String,
    /// The node above; its own number for the root.
    pub parent: SummaryNodeId,
    /// The nodes below, in order of path and place.
    pub children: Vec<SummaryNodeId>,
    /// The functions of a leaf, the outermost first; empty for others.
    pub functions: Vec<DefinitionId>,
    /// Whether it holds nothing but tests.
    pub is_test: bool,
    /// The text by which it is chosen among its siblings; one line.
    pub summary: String,
}

/// How the tree is cut, and how long its summaries are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The most children of a node; at least 2.
    pub children: usize,
    /// Bytes of a leaf's summary at most.
    pub leaf_bytes: usize,
    /// Bytes of any other summary at most.
    pub group_bytes: usize,
}

impl Default for Shape {
    fn default() -> Self {
        // 12 to 20 children are alike where 15 of 100 may be looked at, 16 is ahead where less may; 8 has more levels
        // to pay for. Summaries half as long say too little, for those twice as long less is read.
        Self { children: 16, leaf_bytes: 120, group_bytes: 200 }
    }
}

/// The tree as a list of nodes, parents before children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SummaryTree {
    pub(super) nodes: Vec<SummaryNode>,
    pub(super) text_tokens: usize,
}

impl SummaryTree {
    /// The tree with other summaries, one for each node, in order; missing ones stay as they are.
    pub fn with_summaries(mut self, summaries: Vec<String>) -> Self {
        self.nodes.iter_mut().zip(summaries).for_each(|(node, summary)| node.summary = summary);
        self
    }

    /// All nodes, by number.
    pub fn nodes(&self) -> &[SummaryNode] {
        &self.nodes
    }

    /// Tokens of all files that hold functions.
    pub fn text_tokens(&self) -> usize {
        self.text_tokens
    }

    /// The node and those above it, the root last.
    pub fn path(&self, node: SummaryNodeId) -> impl Iterator<Item = SummaryNodeId> + '_ {
        std::iter::successors(Some(node), |&at| (at != 0).then(|| self.nodes[at].parent))
    }

    /// The leaves below a node, or the node itself if it is one.
    pub fn leaves(&self, node: SummaryNodeId) -> impl Iterator<Item = &SummaryNode> + '_ {
        let mut last = node;
        while let Some(&child) = self.nodes[last].children.last() {
            last = child;
        }
        self.nodes[node..=last].iter().filter(|node| node.kind == SummaryNodeKind::Function)
    }
}

/// About how many tokens so many bytes of code are.
pub(super) fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(BYTES_PER_TOKEN)
}

/// The bytes of a leaf, in its file.
pub(super) fn span(graph: &GraphFile, leaf: &SummaryNode) -> Range<usize> {
    leaf.functions.first().map_or(0..0, |&id| {
        let row = graph.definition(id);
        row.start_byte as usize..row.end_byte as usize
    })
}
