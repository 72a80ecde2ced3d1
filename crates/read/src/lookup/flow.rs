//! Counts the steps of a function in its syntax tree.
//!
//! **Cost:** one pass over the function's nodes, which the index contains; nothing is parsed.

use whichfn_index::fragment::SyntaxTree;
use whichfn_syntax::lang::{FlowKind, Language, has_sign};

/// Kinds of nodes that a note lists as steps of the procedure.
const STEPS: [FlowKind; 7] = [
    FlowKind::Loops,
    FlowKind::Branches,
    FlowKind::Raises,
    FlowKind::Catches,
    FlowKind::Yields,
    FlowKind::Awaits,
    FlowKind::Guards,
];

/// Control flow of one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FlowSummary {
    /// Number of nodes, indexed by [`FlowKind`].
    pub counts: [u16; FlowKind::COUNT],
    /// Byte ranges of the returned values, in order.
    pub returned: Vec<(u32, u32)>,
    /// Kinds of nodes inside the returned values, one bit for each [`FlowKind`].
    pub gives: u32,
    /// Byte ranges of the call nodes.
    pub calls: Vec<(u32, u32)>,
    /// Byte ranges of the loops, branches, raises, catches, yields, awaits and guards, in order.
    pub steps: Vec<(u32, u32)>,
    /// Byte ranges of the operations. The operator decides whether an operation is a comparison.
    pub operations: Vec<(u32, u32)>,
}

impl FlowSummary {
    /// Counts the nodes below `node` in a file's syntax tree. `text` is the text of the file.
    pub fn from_syntax(tree: &SyntaxTree, node: u32, language: &Language, text: &str) -> Self {
        let idioms = &language.spec.idioms;
        let steps = STEPS.iter().fold(0, |all, kind| all | kind.bit());
        let mut flow = Self::default();
        let nodes = tree.nodes();
        let place = |at: u32| (nodes[at as usize].start, nodes[at as usize].end);
        let written =
            |at: u32| text.get(nodes[at as usize].start as usize..nodes[at as usize].end as usize).unwrap_or_default();
        let does = |at: u32| {
            let bits = language.meaning(nodes[at as usize].kind).flow;
            // Some grammars have one kind of node for all operators, so the operator decides.
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
            // A statement with a terminator at the end has no value.
            && !idioms.statement_ends.iter().any(|end| written(last).ends_with(end.as_str()))
        {
            flow.returned.push(place(last));
            flow.gives |= (last..tree.after(last)).fold(0, |all, inside| all | does(inside));
        }
        flow
    }

    /// Returns the number of nodes of the given kind.
    pub fn count(&self, kind: FlowKind) -> u16 {
        self.counts[kind as usize]
    }

    /// Checks whether the function contains a node of the given kind.
    pub fn has(&self, kind: FlowKind) -> bool {
        self.count(kind) > 0
    }

    /// Checks whether a returned value contains a node of the given kind.
    pub fn gives(&self, kind: FlowKind) -> bool {
        self.gives & kind.bit() != 0
    }
}
