//! Relations along the tree only (directories, files, syntax), for all fragments at once.
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
//! - **Cost:** two passes over the skeleton for a field, O(nodes): from the leaves up, and from the
//!   root down. No pair is visited.
//! - **Tested by:** `tests/relation.rs` against the sum over all pairs

use super::directories::Directories;
use super::fragments::Fragments;
use super::sparse_forest::{path_weight, step_weights};
use super::{Relation, WeightedSums};
use rayon::prelude::*;
use whichfn_graph::EdgeKind;
use whichfn_index::fragment::{Skeleton, shares};
use whichfn_syntax::ids::{FileId, FragmentId, IdVec};

/// The relation along the tree: the skeletons of all files, joined by the directory tree.
pub struct Forest {
    /// Parent of each node; parents come before children, and the root is its own parent.
    parents: Vec<u32>,
    /// Weight of the path from each node to its parent, in (0, 1].
    weights: Vec<f64>,
    /// End of each fragment's parts in `parts`.
    ends: IdVec<FragmentId, u32>,
    /// Nodes and shares; the shares of a fragment add up to 1.
    parts: Vec<(u32, f64)>,
}

impl Forest {
    /// Builds the forest of a repository's fragments: O(kept nodes).
    pub fn new(fragments: &Fragments<'_>) -> Self {
        let files: Vec<FileId> = fragments.graph.file_ids().collect();
        let skeletons: Vec<Skeleton> = files.par_iter().map(|&file| fragments.skeleton(file)).collect();
        Self::join(fragments, &skeletons).0
    }

    /// Joins the skeletons of all files. Also returns the number of each file's first node.
    pub(super) fn join(fragments: &Fragments<'_>, skeletons: &[Skeleton]) -> (Self, Vec<u32>) {
        let directories = Directories::new(fragments.graph);
        let mut parents: Vec<u32> = directories.parents.iter().map(|parent| parent.0).collect();
        let mut weights = vec![EdgeKind::Directory.weight(); parents.len() + directories.of_file.len()];
        let first_file = parents.len() as u32;
        parents.extend(directories.of_file.iter().map(|directory| directory.0));
        let (mut ends, mut parts) = (IdVec::new(), Vec::new());
        let powers = step_weights();
        let mut firsts = Vec::with_capacity(skeletons.len());
        for (file, skeleton) in skeletons.iter().enumerate() {
            let first = parents.len() as u32;
            firsts.push(first);
            for (at, &(around, steps)) in skeleton.nodes.iter().enumerate() {
                parents.push(if at == 0 { first_file + file as u32 } else { first + around });
                weights.push(if at == 0 { EdgeKind::Root.weight() } else { powers[(steps as usize).min(63)] });
            }
            for (fragment, of) in fragments.of_file(FileId::new(file)).zip(skeleton.fragments()) {
                if fragments.members[fragment] {
                    parts.extend(shares(of).map(|(node, share)| (first + node, share)));
                }
                ends.push(parts.len() as u32);
            }
        }
        (Self { parents, weights, ends, parts }, firsts)
    }

    /// Returns the parent of a node and the weight of the path to it; `None` for the root.
    pub(super) fn around(&self, node: u32) -> Option<(u32, f64)> {
        (node > 0).then(|| (self.parents[node as usize], self.weights[node as usize]))
    }

    /// Computes the weight of the path from one node to each other: one pass up from it, one down.
    pub(super) fn along_tree(&self, source: u32) -> Vec<f64> {
        let mut weights = vec![0.0; self.size()];
        weights[source as usize] = 1.0;
        let mut at = source;
        while let Some((parent, weight)) = self.around(at) {
            weights[parent as usize] = weight * weights[at as usize];
            at = parent;
        }
        for node in 1..weights.len() {
            if weights[node] == 0.0 {
                weights[node] = self.weights[node] * weights[self.parents[node] as usize];
            }
        }
        weights
    }

    /// Returns the number of kept nodes.
    pub fn size(&self) -> usize {
        self.parents.len()
    }

    /// Returns the nodes and shares of a fragment.
    pub fn parts(&self, fragment: FragmentId) -> &[(u32, f64)] {
        let start = if fragment.0 == 0 { 0 } else { self.ends[FragmentId(fragment.0 - 1)] };
        &self.parts[start as usize..self.ends[fragment] as usize]
    }

    /// Computes the weight of the path between two nodes.
    fn between(&self, a: u32, b: u32) -> f64 {
        path_weight(&self.parents, &self.weights, a, b)
    }

    /// Turns masses into fields: each node gets the sum of the masses of all nodes, weighted by the
    /// path between the two.
    fn spread(&self, field: &mut [(f64, f64)]) {
        // Up: the mass of a node's own subtree.
        for at in (1..field.len()).rev() {
            let ((above, below), weight) = (field[at], self.weights[at]);
            let parent = &mut field[self.parents[at] as usize];
            *parent = (parent.0 + weight * above, parent.1 + weight * below);
        }
        // Down: the rest, through the parent, whose field is complete by now. The part that came up
        // from this node must not return to it.
        for at in 1..field.len() {
            let ((above, below), weight) = (field[at], self.weights[at]);
            let parent = field[self.parents[at] as usize];
            let through = |parent: f64, own: f64| own + weight * (parent - weight * own);
            field[at] = (through(parent.0, above), through(parent.1, below));
        }
    }
}

impl Relation for Forest {
    fn row(&self, fragment: FragmentId) -> Vec<(FragmentId, f64)> {
        let mut field = vec![(0.0, 0.0); self.size()];
        self.parts(fragment).iter().for_each(|&(node, share)| field[node as usize].0 += share);
        self.spread(&mut field);
        let sum = |other: FragmentId| {
            self.parts(other).iter().map(|&(node, share)| share * field[node as usize].0).sum::<f64>()
        };
        self.ends.ids().map(|other| (other, sum(other))).filter(|&(_, weight)| weight > 0.0).collect()
    }

    fn sums(&self, scores: &[f64], wanted: &[FragmentId]) -> Vec<WeightedSums> {
        let mut field = vec![(0.0, 0.0); self.size()];
        for fragment in self.ends.ids() {
            for &(node, share) in self.parts(fragment) {
                let mass = &mut field[node as usize];
                *mass = (mass.0 + share * scores[fragment.index()], mass.1 + share);
            }
        }
        self.spread(&mut field);
        let sum = |&fragment: &FragmentId| {
            let mut sums = WeightedSums::default();
            for &(node, share) in self.parts(fragment) {
                let (scored, weight) = field[node as usize];
                sums.scored += share * scored;
                sums.weight += share * weight;
            }
            sums
        };
        wanted.iter().map(sum).collect()
    }

    fn own(&self, fragment: FragmentId) -> f64 {
        let parts = self.parts(fragment);
        if let [_] = parts {
            return 1.0;
        }
        let with = |node: u32| parts.iter().map(|&(other, share)| share * self.between(node, other)).sum::<f64>();
        parts.iter().map(|&(node, share)| share * with(node)).sum()
    }
}
