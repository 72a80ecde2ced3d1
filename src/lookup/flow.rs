//! What a function does step by step, counted over its syntax tree.
//!
//! Price: one pass over the nodes of the function, which the index holds: nothing is parsed.

use crate::fragment::SyntaxTree;
use crate::lang::{FlowKind, Language, has_sign};

/// What a note tells of a procedure.
const STEPS: [FlowKind; 7] = [
    FlowKind::Loops,
    FlowKind::Branches,
    FlowKind::Raises,
    FlowKind::Catches,
    FlowKind::Yields,
    FlowKind::Awaits,
    FlowKind::Guards,
];

/// Counts over one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FlowSummary {
    /// By [`FlowKind`]: how many such nodes it has.
    pub counts: [u16; FlowKind::COUNT],
    /// What it gives back: places of the values, in order.
    pub returned: Vec<(u32, u32)>,
    /// What stands in what it gives back: bits by [`FlowKind`].
    pub gives: u32,
    /// What it calls: places of the call nodes.
    pub calls: Vec<(u32, u32)>,
    /// Places of what loops, chooses, raises, catches, yields, waits or holds, in order.
    pub steps: Vec<(u32, u32)>,
    /// Places of operations, whose sign says whether they compare.
    pub operations: Vec<(u32, u32)>,
}

impl FlowSummary {
    /// Counts below `node` of a file's tree; `text` is that of the file.
    pub fn of(tree: &SyntaxTree, node: u32, language: &Language, text: &str) -> Self {
        let idioms = &language.spec.idioms;
        let steps = STEPS.iter().fold(0, |all, kind| all | kind.bit());
        let mut flow = Self::default();
        let nodes = tree.nodes();
        let place = |at: u32| (nodes[at as usize].start, nodes[at as usize].end);
        let written =
            |at: u32| text.get(nodes[at as usize].start as usize..nodes[at as usize].end as usize).unwrap_or_default();
        let does = |at: u32| {
            let bits = language.meaning(nodes[at as usize].kind).flow;
            // One kind of node for all signs: the sign says what it does.
            let compares = bits & FlowKind::Operations.bit() != 0 && has_sign(written(at), &idioms.comparisons);
            if compares { bits | FlowKind::Comparisons.bit() } else { bits }
        };
        for at in node + 1..tree.after(node) {
            let bits = does(at);
            if bits == 0 {
                continue;
            }
            for (kind, count) in flow.counts.iter_mut().enumerate() {
                *count = count.saturating_add((bits >> kind & 1) as u16);
            }
            if bits & (FlowKind::Returns.bit() | FlowKind::Yields.bit()) != 0 && tree.children(at).next().is_some() {
                flow.returned.push(place(at));
                flow.gives |= (at + 1..tree.after(at)).fold(0, |all, inside| all | does(inside));
            }
            if bits & steps != 0 {
                flow.steps.push(place(at));
            }
            if bits & FlowKind::Calls.bit() != 0 {
                flow.calls.push(place(at));
            }
            if bits & FlowKind::Operations.bit() != 0 {
                flow.operations.push(place(at));
            }
        }
        if language.spec.expressions.last_value
            && let Some(last) = tree.children(node).last().and_then(|body| tree.children(body).last())
            // What ends a statement has no value.
            && !idioms.statement_ends.iter().any(|end| written(last).ends_with(end.as_str()))
        {
            flow.returned.push(place(last));
            flow.gives |= (last..tree.after(last)).fold(0, |all, inside| all | does(inside));
        }
        flow
    }

    /// How many nodes of a kind it has.
    pub fn count(&self, kind: FlowKind) -> u16 {
        self.counts[kind as usize]
    }

    /// Whether it has any.
    pub fn has(&self, kind: FlowKind) -> bool {
        self.count(kind) > 0
    }

    /// Whether a value of this sort stands in what it gives back.
    pub fn gives(&self, kind: FlowKind) -> bool {
        self.gives & kind.bit() != 0
    }
}
