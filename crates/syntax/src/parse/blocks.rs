//! Names that only a part of a function sees: those that a block, a loop or a comprehension
//! declares.
//!
//! A variable belongs to a function, as all others do. Its [`Extent`] determines which nodes of the
//! function refer to it.
//!
//! **Cost:** one walk from a declaration to its block; a look-up reads all extents of one name in
//! one function, of which there are at most [`MAX_EXTENTS`].

use super::facts::{Symbol, Variable, symbol};
use super::value::Values;
use crate::ids::{LocalId, VariableId};
use crate::lang::DefinitionKind;
use crate::tree::Node;

/// Maximum number of extents of one name in one function. More blocks that declare the name share
/// the variable of the function.
const MAX_EXTENTS: usize = 128;

/// The nodes that see a name, as a range of node numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Extent {
    first: usize,
    /// Number after the last node.
    end: usize,
    /// First node inside the range that does not see the name: the declared value.
    hidden: usize,
    /// Number after the last of these nodes.
    hidden_end: usize,
}

impl Extent {
    pub(super) fn new(first: usize, end: usize, hidden: Option<Node<'_>>) -> Self {
        let (hidden, hidden_end) = hidden.map_or((0, 0), |value| (value.number(), value.after()));
        Self { first, end, hidden, hidden_end }
    }

    fn is_same(self, other: Self) -> bool {
        (self.first, self.end) == (other.first, other.end)
    }

    /// Checks whether the node with a given number sees the name.
    pub(super) fn contains(self, node: usize) -> bool {
        (self.first..self.end).contains(&node) && !(self.hidden..self.hidden_end).contains(&node)
    }
}

impl<'t> Values<'_, 't> {
    /// Returns the nodes that see a name which `target` declares in `scope`; `None` if the whole
    /// scope does. `within` is the node that the pattern specifies, if it does.
    pub(super) fn extent(
        &self,
        scope: LocalId,
        target: Node<'t>,
        value: Option<Node<'t>>,
        within: Option<Node<'t>>,
    ) -> Option<Extent> {
        let kind = self.scopes.get(scope)?.kind;
        if !kind.is_function() && kind != DefinitionKind::Anonymous {
            return None;
        }
        if let Some(within) = within {
            return Some(Extent::new(within.number(), within.after(), None));
        }
        let value = value.filter(|_| self.language.spec.scopes.values_outside);
        let (mut at, mut first) = (target, None);
        loop {
            let meaning = self.language.meaning(at.kind());
            if meaning.hoisted || self.definitions_by_node.contains_key(&at.number()) {
                return None;
            }
            if meaning.sequential && first.is_none() {
                first = Some(at.after());
            }
            let around = at.parent()?;
            if meaning.block {
                let is_body = self.definitions_by_node.contains_key(&around.number());
                let is_end = |child: &Node<'t>| self.language.meaning(child.kind()).block_end;
                let end = at.children().find(is_end).map_or(at.after(), Node::number);
                let extent = Extent::new(first.unwrap_or(at.number()), end, value);
                return (first.is_some() || !is_body).then_some(extent);
            }
            at = around;
        }
    }

    /// Returns the variable with the given name and extent in a scope, and creates it if necessary.
    pub(super) fn declare_in(&mut self, scope: LocalId, name: &str, extent: Option<Extent>) -> VariableId {
        let key = (scope, symbol(name));
        let is_bound = |own: &&VariableId| self.defined.contains(*own) || self.imported.contains_key(*own);
        let (Some(extent), None) = (extent, self.by_name.get(&key).filter(is_bound)) else {
            return self.declare(scope, name);
        };
        let known = self.in_blocks.entry(key).or_default();
        // A second declaration in the same block assigns to the variable of the first one.
        let same = known.iter().find(|(other, _)| other.is_same(extent));
        if let Some(&(_, variable)) = same {
            return variable;
        }
        if known.len() >= MAX_EXTENTS {
            return self.declare(scope, name);
        }
        let variable = self.flow.variables.push(Variable { scope, symbol: key.1 });
        known.push((extent, variable));
        variable
    }

    /// Declares a name that only the nodes from `first` to `last` see.
    pub(super) fn declare_between(
        &mut self,
        scope: LocalId,
        name: &str,
        first: Node<'t>,
        last: Node<'t>,
    ) -> VariableId {
        self.declare_in(scope, name, Some(Extent::new(first.number(), last.after(), None)))
    }

    /// Returns the variable of a scope that a name refers to at the node with the given number.
    pub(super) fn bound_at(&self, scope: LocalId, name: Symbol, node: usize) -> Option<VariableId> {
        let key = (scope, name);
        let extents = self.in_blocks.get(&key).into_iter().flatten();
        let innermost = extents.filter(|(extent, _)| extent.contains(node)).max_by_key(|(extent, _)| extent.first);
        innermost.map(|&(_, variable)| variable).or_else(|| self.by_name.get(&key).copied())
    }

    /// Returns the variable that an assignment to a name in a scope refers to. `extent` is that of
    /// the declaration, if the assignment declares the name.
    pub(super) fn assigned_variable(&self, scope: LocalId, name: Symbol, target: Node<'t>) -> Option<VariableId> {
        let key = (scope, name);
        let bound = match self.assigned_extent {
            Some(extent) => {
                let mut known = self.in_blocks.get(&key).into_iter().flatten();
                let declared = known.find(|(own, _)| own.is_same(extent)).map(|&(_, variable)| variable);
                declared.or_else(|| self.by_name.get(&key).copied())
            }
            None => self.bound_at(scope, name, target.number()),
        };
        bound.or_else(|| self.look_up(scope, name, target.number()))
    }
}
