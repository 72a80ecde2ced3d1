//! The part of a syntax tree that matters to fragments: their nodes and the forks between them.
//!
//! Law:       two kept nodes are joined by the same path as in the whole tree; a chain of syntax edges becomes one edge
//!            of so many steps, whose weight is the product
//! Price:     O(nodes) to make; a definition needs about two kept nodes, a window about nine
//! Checked:   `tests/relation.rs`: fields on skeletons = sums over all pairs of the whole graph

use super::nodes::{FragmentNode, maximal};
use super::tree::SyntaxTree;
use crate::varint;

/// Kept nodes in preorder, and which of them each fragment of the file consists of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Skeleton {
    /// For each kept node: the nearest kept node around it (itself for the first, which is the file's syntax root), and
    /// the number of syntax edges between the two.
    pub nodes: Vec<(u32, u32)>,
    /// For each fragment, the index after its last part in `parts`.
    pub ends: Vec<u32>,
    /// The nodes of all fragments, in order of fragment; [`FragmentNode::node`] is an index into `nodes`.
    pub parts: Vec<FragmentNode>,
}

impl Skeleton {
    /// Of a file's fragments, given by their bytes.
    pub fn new(tree: &SyntaxTree, spans: impl Iterator<Item = (u32, u32)>) -> Self {
        let parts = spans.map(|(start, end)| maximal(tree, start, end)).collect();
        Self::with_nodes(tree, parts, &[]).0
    }

    /// Of a file's fragments, given by their nodes, and of more nodes of interest. Gives the number of each node of the
    /// tree too: its own if it is kept, else that of the kept node around it.
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

    /// Keeps the root, the parts' nodes, those of interest and the forks.
    fn keep(&mut self, tree: &SyntaxTree, more: &[u32]) -> Vec<u32> {
        let nodes = tree.nodes();
        let mut kept = vec![false; nodes.len()];
        more.iter().for_each(|&node| kept[node as usize] = true);
        self.parts.iter().for_each(|part| kept[part.node as usize] = true);
        // From the end, children come before parents: how many of a node's subtrees hold something kept.
        let mut branches = vec![0u8; nodes.len()];
        for at in (0..nodes.len()).rev() {
            kept[at] |= branches[at] > 1 || at == 0;
            if kept[at] || branches[at] > 0 {
                let parent = &mut branches[nodes[at].parent as usize];
                *parent = parent.saturating_add(1);
            }
        }
        let mut numbers = vec![0u32; nodes.len()];
        let mut depths = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            let around = numbers[node.parent as usize];
            if !kept[at] {
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

    /// The parts of each fragment, in order.
    pub fn fragments(&self) -> impl Iterator<Item = &[FragmentNode]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let parts = &self.parts[start..end as usize];
            start = end as usize;
            parts
        })
    }

    /// The parts of one fragment, by its place in the file; none of one that a torn end lost.
    pub fn fragment(&self, at: usize) -> &[FragmentNode] {
        let start = if at == 0 { Some(0) } else { self.ends.get(at - 1).copied() };
        let range = start.zip(self.ends.get(at).copied()).map(|(start, end)| start as usize..end as usize);
        range.and_then(|range| self.parts.get(range)).unwrap_or_default()
    }

    /// As bytes: varints throughout.
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
                // Fragments come in order of place, so nodes are near the one before, on either side.
                varint::write(&mut out, zigzag(part.node as i32 - last));
                varint::write(&mut out, part.len);
                last = part.node as i32;
            }
        }
        out
    }

    /// From bytes; a torn end gives fewer fragments.
    pub fn unpack(mut bytes: &[u8]) -> Self {
        // A node or a part has two bytes or more: no more room than that is made, whatever the bytes say.
        let most = bytes.len() / 2;
        let mut next = || varint::read(&mut bytes);
        let mut skeleton = Self::default();
        let nodes = next().unwrap_or(0);
        skeleton.nodes.reserve(most.min(nodes as usize));
        for at in 0..nodes {
            let (Some(back), Some(steps)) = (next(), next()) else { break };
            skeleton.nodes.push((at.saturating_sub(back), steps));
        }
        let mut last = 0;
        let fragments = next().unwrap_or(0);
        skeleton.ends.reserve(most.min(fragments as usize));
        skeleton.parts.reserve(most.min(fragments as usize));
        for _ in 0..fragments {
            for _ in 0..next().unwrap_or(0) {
                let (Some(step), Some(len)) = (next(), next()) else { break };
                last += unzigzag(step);
                skeleton.parts.push(FragmentNode { node: last as u32, len });
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
