//! Selects the nodes of the picture that are drawn, with their weights and their distance in calls.
//!
//! - **Implements:** FragRel, section 3.1: relation strength is the largest product of edge weights
//!   over all paths
//! - **Invariant:** equal weights are in order of number
//! - **Cost:** a sort of all nodes; around a definition one search over the whole picture

use super::map::{Picture, PictureNodeKind};
use crate::relation::BestFirst;
use std::collections::BTreeSet;
use whichfn_graph::EdgeKind;
use whichfn_syntax::ids::{IdVec, NodeId};

/// A node that is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct SelectedNode {
    /// Index of the node in the picture.
    pub spot: usize,
    /// Weight of the node, in [0, 1].
    pub weight: f64,
    /// Number of calls between the node and the centre: negative for callers, positive for callees,
    /// `None` if no chain of calls was followed to it.
    pub depth: Option<i32>,
}

impl SelectedNode {
    fn new((spot, weight): (usize, f64)) -> Self {
        Self { spot, weight, depth: None }
    }
}

/// Selects all nodes, with the share of their connections.
pub(super) fn all(picture: &Picture) -> Vec<SelectedNode> {
    shares(picture).into_iter().enumerate().map(SelectedNode::new).collect()
}

/// Selects the `most` nodes that are most related to one, with the strength of the relation.
pub(super) fn near(picture: &Picture, centre: usize, most: usize) -> Vec<SelectedNode> {
    let mut related = strongest(picture, centre, most);
    let number = |spot: usize| picture.nodes[spot].id;
    related.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| number(a.0).cmp(&number(b.0))));
    related.truncate(most);
    related.into_iter().map(SelectedNode::new).collect()
}

/// Selects a node, its containers, and its callers and callees, level by level, up to `most` nodes.
///
/// If a level does not fit, its most related nodes are selected. For a type, a file or a directory,
/// the callers and callees are those of its definitions. If there are no calls, the result is that
/// of [`near`].
pub(super) fn calls(picture: &Picture, centre: usize, most: usize) -> Vec<SelectedNode> {
    let mut weights = vec![0.0; picture.nodes.len()];
    strongest(picture, centre, picture.nodes.len()).into_iter().for_each(|(spot, weight)| weights[spot] = weight);
    let around = containers(picture);
    let mut taken = vec![false; picture.nodes.len()];
    let mut chosen = Vec::new();
    let mut take = |spot: usize, depth: Option<i32>| {
        let takes = !taken[spot] && chosen.len() < most;
        if takes {
            taken[spot] = true;
            chosen.push(SelectedNode { spot, weight: weights[spot], depth });
        }
        takes
    };
    let mut own: Vec<usize> = (0..picture.nodes.len()).filter(|&spot| is_within(&around, spot, centre)).collect();
    own.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    take(centre, Some(0));
    for at in std::iter::successors(around[centre], |&at| around[at]).take(2) {
        take(at, None);
    }
    for &at in own.iter().take(most / 3) {
        take(at, Some(0));
    }
    let mut levels = [own.clone(), own];
    for depth in 1.. {
        for (level, sign) in levels.iter_mut().zip([-1, 1]) {
            let mut next = one_call_on(picture, level, sign < 0);
            next.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
            next.retain(|&spot| take(spot, Some(sign * depth)));
            *level = next;
        }
        if levels.iter().all(Vec::is_empty) {
            break;
        }
    }
    if chosen.iter().all(|one| one.depth.is_none_or(|depth| depth == 0)) {
        return near(picture, centre, most);
    }
    chosen
}

/// Checks whether a spot is another or inside it.
fn is_within(around: &[Option<usize>], spot: usize, whole: usize) -> bool {
    std::iter::successors(Some(spot), |&at| around[at]).any(|at| at == whole)
}

/// Returns the callers of any of these nodes, or their callees.
fn one_call_on(picture: &Picture, of: &[usize], callers: bool) -> Vec<usize> {
    let of: BTreeSet<u32> = of.iter().map(|&spot| spot as u32).collect();
    let calls = picture.edges.iter().filter(|tie| tie.kind == EdgeKind::Call);
    let ends = calls.map(|tie| if callers { (tie.b, tie.a) } else { (tie.a, tie.b) });
    let others: BTreeSet<u32> = ends.filter(|(end, _)| of.contains(end)).map(|(_, other)| other).collect();
    others.into_iter().map(|spot| spot as usize).collect()
}

/// Selects the most connected definitions, each with its containers, up to `most` nodes, then
/// further files and directories.
///
/// Containers are included because a definition without its file would not be connected to
/// anything.
pub(super) fn important(picture: &Picture, most: usize) -> Vec<SelectedNode> {
    let (shares, around) = (shares(picture), containers(picture));
    let mut order: Vec<usize> = (0..picture.nodes.len()).collect();
    let first = |spot: usize| is_definition(picture, spot);
    order.sort_by(|&a, &b| first(b).cmp(&first(a)).then(shares[b].total_cmp(&shares[a])).then(a.cmp(&b)));
    let mut taken = vec![false; picture.nodes.len()];
    let mut chosen = Vec::new();
    for spot in order {
        let up = std::iter::successors(Some(spot), |&at| around[at]);
        let new: Vec<usize> = up.take_while(|&at| !taken[at]).collect();
        if chosen.len() + new.len() <= most {
            new.iter().for_each(|&at| taken[at] = true);
            chosen.extend(new.into_iter().map(|at| SelectedNode::new((at, shares[at]))));
        }
    }
    chosen
}

/// Returns the container of each spot.
fn containers(picture: &Picture) -> Vec<Option<usize>> {
    let mut around = vec![None; picture.nodes.len()];
    for tie in picture.edges.iter().filter(|tie| tie.kind != EdgeKind::Call) {
        around[tie.b as usize] = Some(tie.a as usize);
    }
    around
}

/// Computes the number of connections of each spot, as a share of the maximum for its category.
///
/// Definitions are measured by the calls from and to them (a long class is not more important for
/// its length), files and directories by their contents.
fn shares(picture: &Picture) -> Vec<f64> {
    let mut counts = vec![0u32; picture.nodes.len()];
    for tie in &picture.edges {
        let called = tie.kind == EdgeKind::Call;
        counts[tie.a as usize] += u32::from(called || !is_definition(picture, tie.a as usize));
        counts[tie.b as usize] += u32::from(called);
    }
    let most = |definition: bool| {
        let alike = (0..counts.len()).filter(|&spot| is_definition(picture, spot) == definition);
        f64::from(alike.map(|spot| counts[spot]).max().unwrap_or(0).max(1))
    };
    let (definitions, others) = (most(true), most(false));
    let share = |spot: usize| f64::from(counts[spot]) / if is_definition(picture, spot) { definitions } else { others };
    (0..counts.len()).map(share).collect()
}

fn is_definition(picture: &Picture, spot: usize) -> bool {
    matches!(picture.nodes[spot].thing, PictureNodeKind::Definition(..))
}

/// Finds the spots that are most strongly related to one, the strongest first.
///
/// The search ends when `most` are found, plus all that are as strong as the last of them.
fn strongest(picture: &Picture, centre: usize, most: usize) -> Vec<(usize, f64)> {
    let mut ends: Vec<Vec<(u32, f64)>> = vec![Vec::new(); picture.nodes.len()];
    for tie in &picture.edges {
        ends[tie.a as usize].push((tie.b, tie.weight));
        ends[tie.b as usize].push((tie.a, tie.weight));
    }
    let mut search = BestFirst::new(IdVec::repeat(0.0, picture.nodes.len()), 0.0);
    search.offer(NodeId::new(centre), 1.0, ());
    let mut found: Vec<(usize, f64)> = Vec::new();
    while let Some((at, strength, ())) = search.pop() {
        if found.len() >= most && found.last().is_some_and(|&(_, last)| strength < last) {
            break;
        }
        found.push((at.index(), strength));
        for &(to, weight) in &ends[at.index()] {
            search.offer(NodeId(to), strength * weight, ());
        }
    }
    found
}
