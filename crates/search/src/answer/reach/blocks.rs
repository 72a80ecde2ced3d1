//! The blocks of a file that a test runner runs. Calls are stored with the named definition around
//! them, so a call in a test without a name is assigned to the test by its position.

use super::roles::{Role, Roles, is_test};
use std::ops::Range;
use std::rc::Rc;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::SyntaxNode;

/// The tests and setup functions of a file that are passed to calls, and the groups of such tests.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// The blocks, sorted by their first node.
    blocks: Vec<Block>,
    /// The tests among them.
    cases: Vec<DefinitionId>,
}

/// A block of a file.
#[derive(Debug)]
struct Block {
    id: DefinitionId,
    /// Numbers of the syntax nodes in it.
    nodes: Range<u32>,
    /// Index of the block around it.
    around: Option<usize>,
}

impl Blocks {
    /// Finds the blocks of a file.
    pub fn of(roles: &mut Roles<'_>, file: FileId) -> Self {
        let graph = roles.sources.graph();
        let is_block = |id: &DefinitionId| {
            let kind = graph.definition(*id).kind();
            (kind == DefinitionKind::Anonymous || kind.is_function()) && is_test(graph, *id)
        };
        if !roles.has_body_calls(file) {
            return Self::default();
        }
        let functions: Vec<_> = graph.definitions_of(file).filter(is_block).collect();
        let mut found: Vec<DefinitionId> = Vec::new();
        let mut cases = Vec::new();
        for id in functions {
            let role = roles.role(id);
            if role == Role::Case {
                cases.push(id);
                found.extend(groups_around(roles, id));
            }
            if role != Role::None && graph.definition(id).kind() == DefinitionKind::Anonymous {
                found.push(id);
            }
        }
        found.sort_unstable();
        found.dedup();
        let nodes = if found.is_empty() { Rc::default() } else { roles.sources.syntax(file) };
        let blocks = found.into_iter().map(|id| (id, nodes_in(&nodes, graph.definition(id).node)));
        Self { blocks: nested(blocks), cases }
    }

    /// Returns the innermost block that contains a syntax node.
    pub fn around(&self, node: u32) -> Option<DefinitionId> {
        let before = self.blocks.partition_point(|block| block.nodes.start <= node).checked_sub(1);
        let mut around = std::iter::successors(before, |&at| self.blocks[at].around).map(|at| &self.blocks[at]);
        around.find(|block| block.nodes.contains(&node)).map(|block| block.id)
    }

    /// Checks whether a definition is a block.
    pub fn contains(&self, id: DefinitionId) -> bool {
        self.blocks.binary_search_by_key(&id, |block| block.id).is_ok()
    }

    /// Returns the tests after a definition, in the order of the file.
    pub fn cases_after(&self, id: DefinitionId) -> &[DefinitionId] {
        &self.cases[self.cases.partition_point(|&case| case <= id)..]
    }
}

/// Returns the functions without a name around a test, up to the next definition with a name.
fn groups_around(roles: &Roles<'_>, case: DefinitionId) -> Vec<DefinitionId> {
    let graph = roles.sources.graph();
    let up = |at: &DefinitionId| {
        let parent = graph.definition(*at).parent;
        (parent != *at && graph.definition(parent).kind() == DefinitionKind::Anonymous).then_some(parent)
    };
    std::iter::successors(up(&case), up).collect()
}

/// Returns the blocks with the block around each.
fn nested(blocks: impl Iterator<Item = (DefinitionId, Range<u32>)>) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    for (id, nodes) in blocks {
        let mut around = found.len().checked_sub(1);
        while let Some(at) = around.filter(|&at| !found[at].nodes.contains(&nodes.start)) {
            around = found[at].around;
        }
        found.push(Block { id, nodes, around });
    }
    found
}

/// Returns the numbers of a node and of the nodes inside it.
fn nodes_in(nodes: &[SyntaxNode], first: u32) -> Range<u32> {
    let depth = nodes.get(first as usize).map_or(0, |node| node.depth);
    let after = nodes.iter().skip(first as usize + 1).take_while(|node| node.depth > depth).count();
    first..first + 1 + after as u32
}
