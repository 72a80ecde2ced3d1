//! The blocks of a file that a test runner runs. Calls are stored with the named definition around
//! them, so a call in a test without a name is assigned to the test by its position.

use super::roles::{Role, Roles, is_test};
use std::ops::Range;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::SyntaxNode;

/// The tests and setup functions of a file that are passed to calls, and the groups of such tests.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// Numbers of the syntax nodes in each block, sorted by the first one.
    blocks: Vec<(Range<u32>, DefinitionId)>,
    /// The tests among them.
    cases: Vec<DefinitionId>,
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
        let nodes = if found.is_empty() { &[] } else { roles.syntax(file) };
        let blocks = found.into_iter().map(|id| (nodes_in(nodes, graph.definition(id).node), id)).collect();
        Self { blocks, cases }
    }

    /// Returns the innermost block that contains a syntax node.
    pub fn around(&self, node: u32) -> Option<DefinitionId> {
        self.blocks.iter().rev().find(|(nodes, _)| nodes.contains(&node)).map(|(_, id)| *id)
    }

    /// Checks whether a definition is a block.
    pub fn contains(&self, id: DefinitionId) -> bool {
        self.blocks.iter().any(|(_, block)| *block == id)
    }

    /// Returns the tests, in the order of the file.
    pub fn cases(&self) -> &[DefinitionId] {
        &self.cases
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

/// Returns the numbers of a node and of the nodes inside it.
fn nodes_in(nodes: &[SyntaxNode], first: u32) -> Range<u32> {
    let depth = nodes.get(first as usize).map_or(0, |node| node.depth);
    let after = nodes.iter().skip(first as usize + 1).take_while(|node| node.depth > depth).count();
    first..first + 1 + after as u32
}
