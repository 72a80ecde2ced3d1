//! The syntax nodes of a span: the maximal nodes entirely inside it, so that no node is inside
//! another.
//!
//! - **Implements:** FragRel, section 3.1 (g_k and len_k of a fragment)
//! - **Cost:** O(log nodes + nodes found + nodes that begin in the span and end after it)

use super::tree::SyntaxTree;

/// A syntax node of a fragment, and the length of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FragmentNode {
    /// Number of the node in its file's tree; in a [`super::Skeleton`], its number among the kept
    /// nodes.
    pub node: u32,
    /// Length in bytes; never 0.
    pub len: u32,
}

/// Returns the nodes of a fragment, each with its share of the fragment's text; the shares add up
/// to 1.
pub fn shares(parts: &[FragmentNode]) -> impl Iterator<Item = (u32, f64)> + '_ {
    let total: f64 = parts.iter().map(|part| f64::from(part.len)).sum();
    parts.iter().map(move |part| (part.node, f64::from(part.len) / total))
}

/// Returns the maximal nodes entirely inside `start..end` (bytes), in order, without empty ones.
pub fn maximal(tree: &SyntaxTree, start: u32, end: u32) -> Vec<FragmentNode> {
    let nodes = tree.nodes();
    let mut at = nodes.partition_point(|node| node.start < start);
    let mut parts = Vec::new();
    // A node's parent begins no later than the node. A parent inside the span is therefore met
    // first, and its subtree is skipped.
    while let Some(node) = nodes.get(at).filter(|node| node.start < end) {
        if node.end > end {
            at += 1;
            continue;
        }
        if node.end > node.start {
            parts.push(FragmentNode { node: at as u32, len: node.end - node.start });
        }
        at = tree.after(at as u32) as usize;
    }
    parts
}
