//! A file's syntax tree, unpacked for traversal up, down and sideways.

use whichfn_syntax::parse::{Syntax, SyntaxNode};

/// All named nodes in preorder, and the end of each subtree.
#[derive(Debug, Clone, Default)]
pub struct SyntaxTree {
    nodes: Vec<SyntaxNode>,
    after: Vec<u32>,
}

impl SyntaxTree {
    /// Unpacks a tree: O(nodes).
    pub fn new(syntax: &[u8]) -> Self {
        let nodes: Vec<SyntaxNode> = Syntax::new(syntax).collect();
        let mut after = vec![nodes.len() as u32; nodes.len()];
        let mut open: Vec<u32> = Vec::new();
        for (number, node) in nodes.iter().enumerate() {
            for closed in open.drain((node.depth as usize).min(open.len())..) {
                after[closed as usize] = number as u32;
            }
            open.push(number as u32);
        }
        Self { nodes, after }
    }

    /// Returns all nodes in preorder; their starts never decrease.
    pub fn nodes(&self) -> &[SyntaxNode] {
        &self.nodes
    }

    /// Returns the first node after the subtree of `node`.
    pub fn after(&self, node: u32) -> u32 {
        self.after[node as usize]
    }

    /// Returns the direct children of `node`.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.after(node);
        std::iter::successors((node + 1 < end).then_some(node + 1), move |&child| {
            let next = self.after(child);
            (next < end).then_some(next)
        })
    }
}
