//! Relations along the tree only (directories, files, syntax), for all fragments at once or between
//! some of them.
//!
//! - **Implements:** FragRel, equations 6 and 7, where the best path is the only path
//! - **Invariant:** with p_i(k) the share of node k in fragment i, F = T m is a field over the
//!   nodes, where m is the mass that the scores put on each node:
//!
//!   ```text
//!   w(i,j)                    = sum over k, l of p_i(k) p_j(l) T(k,l)
//!   sum over j of w(i,j) s(j) = sum over k of p_i(k) F(k)
//!   m(l)                      = sum over j of p_j(l) s(j)
//!   ```
//!
//!   A fragment without a score puts no mass on any node, and adding zero changes no sum. So the
//!   fields of a forest of only the scored fragments equal those of the whole forest, bit for bit.
//! - **Cost:** two passes over the skeleton for a field, O(nodes): from the leaves up, and from the
//!   root down. No pair is visited. A forest of some fragments unpacks only their files.
//! - **Tested by:** `tests/relation.rs` against the sum over all pairs; `tests/totals.rs` compares
//!   forests of some fragments with the whole

use super::exact::directories_of;
use super::fragments::Fragments;
use super::{Relation, WeightedSums};
use rayon::prelude::*;
use whichfn_graph::{Directories, Edge, EdgeKind, MergedEdge};
use whichfn_index::fragment::{FragmentNode, Skeleton, shares};
use whichfn_syntax::ids::{FileId, FragmentId, Id, IdVec, NodeId};

/// Position of a fragment among those of a forest of some fragments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Selected(pub u32);

impl Id for Selected {
    fn new(index: usize) -> Self {
        Self(index as u32)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The relation along the tree: the skeletons of files, joined by the directory tree.
///
/// `K` identifies a fragment: [`FragmentId`] in a forest of all fragments, [`Selected`] in a forest
/// of some.
pub struct Forest<K = FragmentId> {
    /// Parent of each node; parents come before children, and the root is its own parent.
    parents: Vec<NodeId>,
    /// Weight of the path from each node to its parent, in (0, 1].
    weights: Vec<f64>,
    /// End of each fragment's parts in `parts`.
    ends: IdVec<K, u32>,
    /// Nodes and shares; the shares of a fragment add up to 1.
    parts: Vec<(NodeId, f64)>,
}

impl Forest {
    /// Builds the forest of a repository's fragments: O(kept nodes).
    pub fn new(fragments: &Fragments<'_>) -> Self {
        let files: Vec<FileId> = fragments.graph.file_ids().collect();
        let skeletons: Vec<Skeleton> = files.par_iter().map(|&file| fragments.skeleton(file)).collect();
        Self::join(fragments, &directories_of(fragments.graph), &skeletons).0
    }

    /// Joins the skeletons of all files. Also returns the number of each file's first node.
    pub(super) fn join(
        fragments: &Fragments<'_>,
        directories: &Directories,
        skeletons: &[Skeleton],
    ) -> (Self, IdVec<FileId, NodeId>) {
        let mut forest = Self::with_directories(directories, fragments.count());
        let mut firsts = IdVec::new();
        for (file, skeleton) in (0..).map(FileId).zip(skeletons) {
            let first = forest.add_file(directories.file(file), skeleton);
            firsts.push(first);
            for (fragment, parts) in fragments.of_file(file).zip(skeleton.fragments()) {
                forest.add_fragment(first, if fragments.members[fragment] { parts } else { &[] });
            }
        }
        (forest, firsts)
    }
}

impl Forest<Selected> {
    /// Builds the forest of some fragments, which must be sorted.
    pub fn with_fragments(fragments: &Fragments<'_>, some: impl Iterator<Item = FragmentId>) -> Self {
        let some: Vec<(FileId, FragmentId)> = some.map(|fragment| (fragments.file(fragment), fragment)).collect();
        let by_file: Vec<&[(FileId, FragmentId)]> = some.chunk_by(|a, b| a.0 == b.0).collect();
        let directories = Directories::new(by_file.iter().map(|run| fragments.graph.path(run[0].0)));
        let mut forest = Self::with_directories(&directories, some.len());
        for (number, run) in (0..).map(FileId).zip(by_file) {
            let file = run[0].0;
            let skeleton = fragments.skeleton(file);
            let first = forest.add_file(directories.file(number), &skeleton);
            let base = fragments.of_file(file).next().map_or(0, FragmentId::index);
            for &(_, fragment) in run {
                forest.add_fragment(first, skeleton.fragment(fragment.index() - base));
            }
        }
        forest
    }
}

impl<K: Id> Forest<K> {
    /// Creates a forest of the directories and their files, without syntax nodes, with space for
    /// `count` fragments.
    fn with_directories(directories: &Directories, count: usize) -> Self {
        let parents: Vec<NodeId> = directories.parents().collect();
        let weights = vec![EdgeKind::Directory.weight(); parents.len()];
        Self { parents, weights, ends: Vec::with_capacity(count).into(), parts: Vec::with_capacity(count) }
    }

    /// Adds the nodes of a file's skeleton below the node of the file, and returns the first.
    fn add_file(&mut self, file: NodeId, skeleton: &Skeleton) -> NodeId {
        let first = NodeId::new(self.size());
        for (parent, _, edge) in skeleton_edges(skeleton, file, first) {
            self.parents.push(parent);
            self.weights.push(edge.weight());
        }
        first
    }

    /// Adds the next fragment; `first` is the first node of its file.
    fn add_fragment(&mut self, first: NodeId, parts: &[FragmentNode]) {
        self.parts.extend(shares(parts).map(|(node, share)| (NodeId(first.0 + node), share)));
        self.ends.push(self.parts.len() as u32);
    }

    /// Computes the weight of the path from one node to each other: one pass up from it, one down.
    pub(super) fn along_tree(&self, source: NodeId) -> IdVec<NodeId, f64> {
        let mut weights = vec![0.0; self.size()];
        weights[source.index()] = 1.0;
        let mut at = source.index();
        while at > 0 {
            let parent = self.parents[at].index();
            weights[parent] = self.weights[at] * weights[at];
            at = parent;
        }
        for node in 1..weights.len() {
            if weights[node] == 0.0 {
                weights[node] = self.weights[node] * weights[self.parents[node].index()];
            }
        }
        weights.into()
    }

    /// Returns the number of kept nodes.
    pub fn size(&self) -> usize {
        self.parents.len()
    }

    /// Returns the nodes and shares of a fragment.
    pub fn parts(&self, fragment: K) -> &[(NodeId, f64)] {
        let at = fragment.index();
        let start = if at == 0 { 0 } else { self.ends[K::new(at - 1)] };
        &self.parts[start as usize..self.ends[fragment] as usize]
    }

    /// Computes, for each fragment of the forest, the sum of weight x score over all fragments of
    /// the forest, itself included.
    pub fn scored(&self, scores: &[f64]) -> Vec<f64> {
        let mut field = vec![[0.0]; self.size()];
        for (fragment, score) in self.ends.ids().zip(scores) {
            self.parts(fragment).iter().for_each(|&(node, share)| field[node.index()][0] += share * score);
        }
        self.spread(&mut field);
        let sum = |fragment| {
            let mut sum = 0.0;
            self.parts(fragment).iter().for_each(|&(node, share)| sum += share * field[node.index()][0]);
            sum
        };
        self.ends.ids().map(sum).collect()
    }

    /// Returns the weight of a fragment with itself; 1 if it is one syntax node.
    pub fn own(&self, fragment: K) -> f64 {
        let parts = self.parts(fragment);
        if let [_] = parts {
            return 1.0;
        }
        let with = |node: NodeId| parts.iter().map(|&(other, share)| share * self.between(node, other)).sum::<f64>();
        parts.iter().map(|&(node, share)| share * with(node)).sum()
    }

    /// Computes the weight of the path between two nodes.
    fn between(&self, mut a: NodeId, mut b: NodeId) -> f64 {
        let mut weight = 1.0;
        while a != b {
            // Parents come first, so the larger number is not an ancestor of the other.
            let lower = if a > b { &mut a } else { &mut b };
            weight *= self.weights[lower.index()];
            *lower = self.parents[lower.index()];
        }
        weight
    }

    /// Turns N masses into N fields: each node gets the sum of the masses of all nodes, weighted by
    /// the path between the two.
    fn spread<const N: usize>(&self, field: &mut [[f64; N]]) {
        // Up: the mass of a node's own subtree.
        for at in (1..field.len()).rev() {
            let (own, weight) = (field[at], self.weights[at]);
            let parent = &mut field[self.parents[at].index()];
            (0..N).for_each(|n| parent[n] += weight * own[n]);
        }
        // Down: the rest, through the parent, whose field is complete by now. The part that came up
        // from this node must not return to it.
        for at in 1..field.len() {
            let (weight, parent) = (self.weights[at], field[self.parents[at].index()]);
            field[at].iter_mut().zip(parent).for_each(|(own, parent)| *own += weight * (parent - weight * *own));
        }
    }
}

impl Relation for Forest {
    fn row(&self, fragment: FragmentId) -> Vec<(FragmentId, f64)> {
        let mut field = vec![[0.0]; self.size()];
        self.parts(fragment).iter().for_each(|&(node, share)| field[node.index()][0] += share);
        self.spread(&mut field);
        let sum = |other: FragmentId| {
            self.parts(other).iter().map(|&(node, share)| share * field[node.index()][0]).sum::<f64>()
        };
        self.ends.ids().map(|other| (other, sum(other))).filter(|&(_, weight)| weight > 0.0).collect()
    }

    fn sums(&self, scores: &[f64], wanted: &[FragmentId]) -> Vec<WeightedSums> {
        let mut field = vec![[0.0; 2]; self.size()];
        for fragment in self.ends.ids() {
            for &(node, share) in self.parts(fragment) {
                let [scored, weight] = &mut field[node.index()];
                *scored += share * scores[fragment.index()];
                *weight += share;
            }
        }
        self.spread(&mut field);
        let sum = |&fragment: &FragmentId| {
            let mut sums = WeightedSums::default();
            for &(node, share) in self.parts(fragment) {
                let [scored, weight] = field[node.index()];
                sums.scored += share * scored;
                sums.weight += share * weight;
            }
            sums
        };
        wanted.iter().map(sum).collect()
    }

    fn own(&self, fragment: FragmentId) -> f64 {
        Forest::own(self, fragment)
    }
}

/// Returns the edge to each node of a file's skeleton, as its parent, the node and the merged edge.
/// `first` is the first of these nodes.
pub(super) fn skeleton_edges(
    skeleton: &Skeleton,
    file: NodeId,
    first: NodeId,
) -> impl Iterator<Item = (NodeId, NodeId, MergedEdge)> + Clone {
    skeleton.nodes.iter().enumerate().map(move |(at, &(around, steps))| {
        let node = NodeId(first.0 + at as u32);
        match at {
            0 => (file, node, EdgeKind::Root.with_steps(0)),
            _ => (NodeId(first.0 + around), node, EdgeKind::Syntax.with_steps(steps.min(63))),
        }
    })
}
