//! Finds the fragments that one is most related to, each with a path to it.
//!
//! A fragment is mostly one syntax node. If it is several, the path shown is the one that adds the
//! most to the weight.

use super::path_search::{PathNode, PathSearch, ReachedNode};
use rustc_hash::FxHashMap;
use whichfn_graph::EdgeKind;
use whichfn_syntax::ids::FragmentId;

/// An edge of a path that leads away from a fragment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PathEdge {
    /// Kind of the edge: syntax, root, directory or call.
    pub kind: EdgeKind,
    /// End of the edge that is closer to the fragment.
    pub from: PathNode,
    /// Other end of the edge.
    pub to: PathNode,
}

/// A fragment that another is related to.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// The other fragment.
    pub fragment: FragmentId,
    /// Weight w(i,j), in (0, 1]; paths weaker than [`FAINT`] are left out.
    pub weight: f64,
    /// The path that adds the most to the weight, edge by edge.
    pub path: Vec<PathEdge>,
}

/// Best path to a fragment: index of the search, index of the arrival, contribution to the weight.
type Best = (usize, u32, f64);

/// Smallest weight that is shown.
///
/// A call from the second level of a function's body has 0.2, one from the sixth level 0.0125.
pub const FAINT: f64 = 0.01;

impl PathSearch<'_> {
    /// Returns the `k` fragments that one is most related to, without itself; equal ones in order
    /// of number.
    pub fn related(&self, fragment: FragmentId, k: usize) -> Vec<Related> {
        let mut found: FxHashMap<FragmentId, (f64, Best)> = FxHashMap::default();
        let searches: Vec<(f64, Vec<ReachedNode>)> =
            self.parts(fragment).map(|(node, share)| (share, self.reach(node, FAINT))).collect();
        for (search, (share, arrivals)) in searches.iter().enumerate() {
            for (at, arrival) in arrivals.iter().enumerate() {
                for (other, part) in self.fragments_at(arrival.node).filter(|&(other, _)| other != fragment) {
                    let adds = share * part * arrival.weight;
                    let (weight, best) = found.entry(other).or_insert((0.0, (search, at as u32, 0.0)));
                    *weight += adds;
                    if adds > best.2 {
                        *best = (search, at as u32, adds);
                    }
                }
            }
        }
        let mut order: Vec<(FragmentId, f64, Best)> =
            found.into_iter().map(|(other, (weight, best))| (other, weight, best)).collect();
        order.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        order.truncate(k);
        let related = |(fragment, weight, (search, at, _)): (FragmentId, f64, Best)| Related {
            fragment,
            weight,
            path: path(&searches[search].1, at),
        };
        order.into_iter().map(related).collect()
    }
}

fn path(arrivals: &[ReachedNode], mut at: u32) -> Vec<PathEdge> {
    let mut steps = Vec::new();
    while let Some((before, kind)) = arrivals[at as usize].from {
        steps.push(PathEdge { kind, from: arrivals[before as usize].node, to: arrivals[at as usize].node });
        at = before;
    }
    steps.reverse();
    steps
}
