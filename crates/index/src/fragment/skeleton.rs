//! The part of a syntax tree that fragments need: their nodes and the forks between them.
//!
//! - **Invariant:** two kept nodes are joined by the same path as in the whole tree; a chain of
//!   syntax edges becomes one edge with a number of steps, whose weight is the product
//! - **Cost:** O(nodes) to build; a definition needs about two kept nodes, a window about nine
//! - **Tested by:** `crates/search/tests/relation.rs`: fields on skeletons equal sums over all
//!   pairs of the whole graph

use super::nodes::{FragmentNode, maximal};
use super::tree::SyntaxTree;
use whichfn_syntax::varint;

/// Kept nodes in preorder, and the nodes of each fragment of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skeleton {
    /// For each kept node: the nearest kept node around it (itself for the first, which is the
    /// file's syntax root), and the number of syntax edges between the two.
    pub nodes: Vec<(u32, u32)>,
    /// Index after the last part of each fragment in `parts`.
    pub ends: Vec<u32>,
    /// Nodes of all fragments, sorted by fragment; [`FragmentNode::node`] is an index into `nodes`.
    pub parts: Vec<FragmentNode>,
}

impl Skeleton {
    /// Builds the skeleton of a file's fragments from their byte ranges.
    pub fn new(tree: &SyntaxTree, spans: impl Iterator<Item = (u32, u32)>) -> Self {
        let parts = spans.map(|(start, end)| maximal(tree, start, end)).collect();
        Self::with_nodes(tree, parts, &[]).0
    }

    /// Builds the skeleton of a file's fragments from their nodes, and keeps more nodes of
    /// interest.
    ///
    /// Also returns the number of each node of the tree: its own if it is kept, otherwise that of
    /// the kept node around it.
    pub fn with_nodes(tree: &SyntaxTree, fragments: Vec<Vec<FragmentNode>>, more: &[u32]) -> (Self, Vec<u32>) {
        let mut skeleton = Self::default();
        for parts in fragments {
            skeleton.parts.extend(parts);
            skeleton.ends.push(skeleton.parts.len() as u32);
        }
        let numbers = skeleton.keep(tree, more);
        for part in &mut skeleton.parts {
            part.node = numbers[part.node as usize];
        }
        (skeleton, numbers)
    }

    /// Keeps the root, the parts' nodes, the nodes of interest and the forks.
    fn keep(&mut self, tree: &SyntaxTree, more: &[u32]) -> Vec<u32> {
        let nodes = tree.nodes();
        let mut is_kept = vec![false; nodes.len()];
        more.iter().for_each(|&node| is_kept[node as usize] = true);
        self.parts.iter().for_each(|part| is_kept[part.node as usize] = true);
        // From the end, children are visited before parents. `branches` counts the subtrees of a
        // node that contain a kept node.
        let mut branches = vec![0u8; nodes.len()];
        for at in (0..nodes.len()).rev() {
            is_kept[at] |= branches[at] > 1 || at == 0;
            if is_kept[at] || branches[at] > 0 {
                let parent = &mut branches[nodes[at].parent as usize];
                *parent = parent.saturating_add(1);
            }
        }
        let mut numbers = vec![0u32; nodes.len()];
        let mut depths = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let around = numbers[node.parent as usize];
            if !is_kept[at] {
                numbers[at] = around;
                continue;
            }
            numbers[at] = self.nodes.len() as u32;
            let steps = depths.get(around as usize).map_or(0, |depth| node.depth - depth);
            self.nodes.push((around, steps));
            depths.push(node.depth);
        }
        numbers
    }

    /// Returns the parts of each fragment, in order.
    pub fn fragments(&self) -> impl Iterator<Item = &[FragmentNode]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let parts = &self.parts[start..end as usize];
            start = end as usize;
            parts
        })
    }

    /// Returns the parts of one fragment, by its position in the file; empty if it is missing
    /// because the file was truncated.
    pub fn fragment(&self, at: usize) -> &[FragmentNode] {
        let start = if at == 0 { Some(0) } else { self.ends.get(at - 1).copied() };
        let range = start.zip(self.ends.get(at).copied()).map(|(start, end)| start as usize..end as usize);
        range.and_then(|range| self.parts.get(range)).unwrap_or_default()
    }

    /// Packs the skeleton into varints.
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(2 * self.nodes.len() + 4 * self.parts.len() + 8);
        varint::write(&mut out, self.nodes.len() as u32);
        for (at, &(around, steps)) in self.nodes.iter().enumerate() {
            varint::write(&mut out, at as u32 - around);
            varint::write(&mut out, steps);
        }
        varint::write(&mut out, self.ends.len() as u32);
        let mut last = 0;
        for parts in self.fragments() {
            varint::write(&mut out, parts.len() as u32);
            for part in parts {
                // Fragments are sorted by position, so a node's number is close to the one before,
                // above or below it.
                varint::write(&mut out, zigzag(part.node as i32 - last));
                varint::write(&mut out, part.len);
                last = part.node as i32;
            }
        }
        out
    }

    /// Unpacks a skeleton; truncated bytes give fewer fragments, and parts without a node are left
    /// out.
    pub fn unpack(mut bytes: &[u8]) -> Self {
        // A node or a part takes at least two bytes. This limits the allocation, whatever counts
        // the bytes contain.
        let max_nodes = bytes.len() / 2;
        let mut next = || varint::read(&mut bytes);
        let mut skeleton = Self::default();
        let nodes = next().unwrap_or(0);
        skeleton.nodes.reserve(max_nodes.min(nodes as usize));
        for at in 0..nodes {
            let (Some(back), Some(steps)) = (next(), next()) else { break };
            // Only the first node is its own parent. Otherwise a walk to the root would not end.
            skeleton.nodes.push((at.saturating_sub(back.max(1)), steps));
        }
        let mut last = 0;
        let fragments = next().unwrap_or(0);
        skeleton.ends.reserve(max_nodes.min(fragments as usize));
        skeleton.parts.reserve(max_nodes.min(fragments as usize));
        for _ in 0..fragments {
            let Some(parts) = next() else { break };
            for _ in 0..parts {
                let (Some(step), Some(len)) = (next(), next()) else { break };
                last = unzigzag(step).wrapping_add(last);
                if (last as u32) < skeleton.nodes.len() as u32 {
                    skeleton.parts.push(FragmentNode { node: last as u32, len });
                }
            }
            skeleton.ends.push(skeleton.parts.len() as u32);
        }
        skeleton
    }
}

fn zigzag(number: i32) -> u32 {
    ((number << 1) ^ (number >> 31)) as u32
}

fn unzigzag(number: u32) -> i32 {
    (number >> 1) as i32 ^ -((number & 1) as i32)
}
