//! The relation along the tree between some fragments, like [`super::Forest`], but without
//! unpacking files that contain none of them.
//!
//! - **Invariant:** a fragment without a score puts no mass on any node, and adding zero changes no
//!   sum; so the fields on the remaining nodes equal the fields of the whole forest, bit for bit
//! - **Cost:** O(kept nodes of the files)
//! - **Tested by:** `tests/totals.rs` against [`super::Forest`]

use super::directories::Directories;
use super::fragments::Fragments;
use whichfn_graph::EdgeKind;
use whichfn_index::fragment::shares;
use whichfn_syntax::ids::{FileId, FragmentId};

/// Some fragments of a repository, their syntax nodes, and the directories of their files.
pub struct SparseForest {
    /// Parent of each node; parents come before children, and the root is its own parent.
    parents: Vec<u32>,
    /// Weight of the path from each node to its parent, in (0, 1].
    weights: Vec<f64>,
    /// End of each fragment's parts in `parts`.
    ends: Vec<u32>,
    /// Nodes and shares; the shares of a fragment add up to 1.
    parts: Vec<(u32, f64)>,
}

impl SparseForest {
    /// Builds the forest of some fragments, which must be sorted.
    pub fn new(fragments: &Fragments<'_>, some: impl Iterator<Item = FragmentId>) -> Self {
        let some: Vec<(FileId, FragmentId)> = some.map(|fragment| (fragments.file(fragment), fragment)).collect();
        let by_file: Vec<&[(FileId, FragmentId)]> = some.chunk_by(|a, b| a.0 == b.0).collect();
        let directories = Directories::around(fragments.graph, by_file.iter().map(|of| of[0].0));
        let mut parents: Vec<u32> = directories.parents.iter().map(|parent| parent.0).collect();
        let mut weights = vec![EdgeKind::Directory.weight(); parents.len() + by_file.len()];
        let first_file = parents.len() as u32;
        parents.extend(directories.of_file.iter().map(|directory| directory.0));
        let powers = step_weights();
        let (mut ends, mut parts) = (Vec::with_capacity(some.len()), Vec::with_capacity(some.len()));
        for (number, of_file) in (0..).zip(by_file) {
            let file = of_file[0].0;
            let (skeleton, first) = (fragments.skeleton(file), parents.len() as u32);
            for (at, &(around, steps)) in skeleton.nodes.iter().enumerate() {
                parents.push(if at == 0 { first_file + number } else { first + around });
                weights.push(if at == 0 { EdgeKind::Root.weight() } else { powers[(steps as usize).min(63)] });
            }
            let base = fragments.of_file(file).next().map_or(0, FragmentId::index);
            for &(_, fragment) in of_file {
                let own = skeleton.fragment(fragment.index() - base);
                parts.extend(shares(own).map(|(node, share)| (first + node, share)));
                ends.push(parts.len() as u32);
            }
        }
        Self { parents, weights, ends, parts }
    }

    /// Returns the nodes and shares of a fragment, by its position among the given fragments.
    fn parts(&self, at: usize) -> &[(u32, f64)] {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.parts[start as usize..self.ends[at] as usize]
    }

    /// Computes, by position, the sum of weight x score over all given fragments, itself included;
    /// `scores` is by position.
    pub fn sums(&self, scores: &[f64]) -> Vec<f64> {
        let mut field = vec![0.0; self.parents.len()];
        for (at, score) in scores.iter().enumerate() {
            self.parts(at).iter().for_each(|&(node, share)| field[node as usize] += share * score);
        }
        self.spread(&mut field);
        let sum = |at| {
            let mut sum = 0.0;
            self.parts(at).iter().for_each(|&(node, share)| sum += share * field[node as usize]);
            sum
        };
        (0..scores.len()).map(sum).collect()
    }

    /// Turns masses into fields: each node gets the sum of the masses of all nodes, weighted by the
    /// path between the two.
    fn spread(&self, field: &mut [f64]) {
        // Up: the mass of a node's own subtree.
        for at in (1..field.len()).rev() {
            field[self.parents[at] as usize] += self.weights[at] * field[at];
        }
        // Down: the rest, through the parent, whose field is complete by now. The part that came up
        // from this node must not return to it.
        for at in 1..field.len() {
            let (own, weight, parent) = (field[at], self.weights[at], field[self.parents[at] as usize]);
            field[at] = own + weight * (parent - weight * own);
        }
    }

    /// Returns the weight of a fragment with itself, by position; 1 if it is one syntax node.
    pub fn own(&self, at: usize) -> f64 {
        let parts = self.parts(at);
        if let [_] = parts {
            return 1.0;
        }
        let with = |node: u32| parts.iter().map(|&(other, share)| share * self.between(node, other)).sum::<f64>();
        parts.iter().map(|&(node, share)| share * with(node)).sum()
    }

    /// Computes the weight of the path between two nodes.
    fn between(&self, a: u32, b: u32) -> f64 {
        path_weight(&self.parents, &self.weights, a, b)
    }
}

/// Returns the weight of 0 to 63 syntax edges, by their number.
pub(super) fn step_weights() -> Vec<f64> {
    (0..64).map(|steps| EdgeKind::Syntax.weight().powi(steps)).collect()
}

/// Computes the weight of the path between two nodes of a tree whose parents come first.
pub(super) fn path_weight(parents: &[u32], weights: &[f64], mut a: u32, mut b: u32) -> f64 {
    let mut weight = 1.0;
    while a != b {
        // Parents come first, so the larger number is not an ancestor of the other.
        let lower = if a > b { &mut a } else { &mut b };
        weight *= weights[*lower as usize];
        *lower = parents[*lower as usize];
    }
    weight
}
