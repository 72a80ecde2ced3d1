//! Selects the nodes of the picture that are drawn, with their weights and their distance in calls.
//!
//! - **Implements:** FragRel, section 3.1: relation strength is the largest product of edge weights
//!   over all paths
//! - **Invariant:** equal weights are in order of number
//! - **Cost:** a sort of all nodes; around a definition one search over the whole picture

use super::map::PictureGraph;
use crate::relation::BestFirst;
use petgraph::Direction;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use whichfn_graph::{EdgeKind, NodeKind};
use whichfn_syntax::ids::{IdVec, NodeId};

/// A node that is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct SelectedNode {
    /// Number of the node in the picture.
    pub spot: NodeId,
    /// Weight of the node, in [0, 1].
    pub weight: f64,
    /// Number of calls between the node and the centre: negative for callers, positive for callees,
    /// `None` if no chain of calls was followed to it.
    pub depth: Option<i32>,
}

impl SelectedNode {
    fn new((spot, weight): (NodeId, f64)) -> Self {
        Self { spot, weight, depth: None }
    }
}

/// Selects all nodes, with the share of their connections.
pub(super) fn all(graph: &PictureGraph) -> Vec<SelectedNode> {
    graph.ids().zip(shares(graph)).map(SelectedNode::new).collect()
}

/// Selects the `most` nodes that are most related to one, with the strength of the relation.
pub(super) fn near(graph: &PictureGraph, centre: NodeId, most: usize) -> Vec<SelectedNode> {
    let mut related = strongest(graph, centre, most);
    let number = |spot: NodeId| graph.node(spot).id;
    related.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| number(a.0).cmp(&number(b.0))));
    related.truncate(most);
    related.into_iter().map(SelectedNode::new).collect()
}

/// Selects a node, its containers, and its callers and callees, level by level, up to `most` nodes.
///
/// If a level does not fit, its most related nodes are selected. For a type, a file or a directory,
/// the callers and callees are those of its definitions. If there are no calls, the result is that
/// of [`near`].
pub(super) fn calls(graph: &PictureGraph, centre: NodeId, most: usize) -> Vec<SelectedNode> {
    let count = graph.nodes().len();
    let (mut weights, mut taken) = (IdVec::repeat(0.0, count), IdVec::repeat(false, count));
    strongest(graph, centre, count).into_iter().for_each(|(spot, weight)| weights[spot] = weight);
    let mut chosen = Vec::new();
    let mut take = |spot: NodeId, depth: Option<i32>| {
        let takes = !taken[spot] && chosen.len() < most;
        if takes {
            taken[spot] = true;
            chosen.push(SelectedNode { spot, weight: weights[spot], depth });
        }
        takes
    };
    let mut own: Vec<NodeId> = graph.ids().filter(|&spot| up(graph, spot).any(|at| at == centre)).collect();
    own.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
    take(centre, Some(0));
    for at in up(graph, centre).skip(1).take(2) {
        take(at, None);
    }
    for &at in own.iter().take(most / 3) {
        take(at, Some(0));
    }
    let mut levels = [own.clone(), own];
    for depth in 1.. {
        for (level, (direction, sign)) in levels.iter_mut().zip([(Direction::Incoming, -1), (Direction::Outgoing, 1)]) {
            let mut next = one_call_on(graph, level, direction);
            next.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]).then(a.cmp(&b)));
            next.retain(|&spot| take(spot, Some(sign * depth)));
            *level = next;
        }
        if levels.iter().all(Vec::is_empty) {
            break;
        }
    }
    if chosen.iter().all(|one| one.depth.is_none_or(|depth| depth == 0)) {
        return near(graph, centre, most);
    }
    chosen
}

/// Iterates over a spot and the spots that contain it, from the inside out.
fn up(graph: &PictureGraph, spot: NodeId) -> impl Iterator<Item = NodeId> + '_ {
    std::iter::successors(Some(spot), |&at| graph.node(at).around)
}

/// Returns the callers of any of these nodes, or their callees.
fn one_call_on(graph: &PictureGraph, of: &[NodeId], direction: Direction) -> Vec<NodeId> {
    let ends = of.iter().flat_map(|&spot| graph.neighbours(spot));
    let others: BTreeSet<NodeId> = ends.filter(|(_, edge)| edge.is_call(direction)).map(|&(other, _)| other).collect();
    others.into_iter().collect()
}

/// Selects the most connected definitions, each with its containers, up to `most` nodes, then
/// further files and directories.
///
/// Containers are included because a definition without its file would not be connected to
/// anything.
pub(super) fn important(graph: &PictureGraph, most: usize) -> Vec<SelectedNode> {
    let shares = shares(graph);
    let mut order: Vec<NodeId> = graph.ids().collect();
    // Positive floats sort like their bits.
    order.sort_by_cached_key(|&spot| (!is_definition(graph, spot), Reverse(shares[spot].to_bits())));
    let mut taken = IdVec::repeat(false, order.len());
    let mut chosen = Vec::new();
    for spot in order {
        let new: Vec<NodeId> = up(graph, spot).take_while(|&at| !taken[at]).collect();
        if chosen.len() + new.len() <= most {
            new.iter().for_each(|&at| taken[at] = true);
            chosen.extend(new.into_iter().map(|at| SelectedNode::new((at, shares[at]))));
        }
    }
    chosen
}

/// Computes the number of connections of each spot, as a share of the maximum for its category.
///
/// Definitions are measured by the calls from and to them (a long class is not more important for
/// its length), files and directories by their contents.
fn shares(graph: &PictureGraph) -> IdVec<NodeId, f64> {
    let count = |spot: NodeId| {
        let contains = |direction| !is_definition(graph, spot) && direction == Direction::Outgoing;
        let ends = graph.neighbours(spot).iter();
        ends.filter(|(_, edge)| edge.merged.kind == EdgeKind::Call || contains(edge.direction)).count()
    };
    let counts: IdVec<NodeId, usize> = graph.ids().map(count).collect();
    let most = |definition: bool| {
        let alike = graph.ids().filter(|&spot| is_definition(graph, spot) == definition);
        alike.map(|spot| counts[spot]).max().unwrap_or(0).max(1)
    };
    let (definitions, others) = (most(true), most(false));
    let share = |(spot, &count)| count as f64 / if is_definition(graph, spot) { definitions } else { others } as f64;
    counts.enumerate().map(share).collect()
}

fn is_definition(graph: &PictureGraph, spot: NodeId) -> bool {
    matches!(graph.node(spot).kind, NodeKind::Syntax(..))
}

/// Finds the spots that are most strongly related to one, the strongest first.
///
/// The search ends when `most` are found, plus all that are as strong as the last of them.
fn strongest(graph: &PictureGraph, centre: NodeId, most: usize) -> Vec<(NodeId, f64)> {
    let mut search = BestFirst::new(IdVec::repeat(0.0, graph.nodes().len()), 0.0);
    search.offer(centre, 1.0, ());
    let mut found: Vec<(NodeId, f64)> = Vec::new();
    while let Some((spot, strength)) = search.advance(graph) {
        if found.len() >= most && found.last().is_some_and(|&(_, last)| strength < last) {
            break;
        }
        found.push((spot, strength));
    }
    found
}
