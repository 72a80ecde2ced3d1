//! The implementations, subtypes and overrides of a definition, or what it implements, extends and
//! overrides, as a tree.
//!
//! **Invariant:** each level is complete before the next begins, so a limit cuts the most distant
//! definitions, and nothing deeper than [`MAX_DEPTH`] is shown. Siblings are sorted by path and
//! line, with tests last.
//!
//! **Cost:** a walk over all types below or above the definition; the rows of those shown.

use super::location::{DefinitionLocation, location};
use super::tree::{Branch, Tree, nested};
use crate::search::ListingFilter;
use serde::Deserialize;
use std::collections::VecDeque;
use whichfn_index::store::{GraphFile, RelatedType, TypeGraph};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;

/// Maximum depth of a tree: a chain of subtypes may be as long as a repository, and common parsers
/// of JSON reject more than 128 levels, of which each branch takes two.
const MAX_DEPTH: usize = 50;

/// Direction of a tree of types or methods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TypeDirection {
    /// Towards the implementations, subtypes and overrides.
    #[default]
    Down,
    /// Towards the interfaces, bases and overridden methods.
    Up,
}

impl TypeDirection {
    /// Returns the name that is printed in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::Up => "up",
        }
    }
}

/// How a definition is related to the one above it in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeRelation {
    /// A type implements an interface or a trait, or a method implements one of its methods.
    Implements,
    /// A type has all methods of an interface, without naming it.
    Structural,
    /// A type extends another one, or an interface extends an interface.
    Extends,
    /// A method overrides the method of a base type.
    Overrides,
}

impl TypeRelation {
    /// Returns the name that is printed in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Implements => "implements",
            Self::Structural => "structural",
            Self::Extends => "extends",
            Self::Overrides => "overrides",
        }
    }

    /// Returns a description for people, of the subtype or (`Up`) of the base.
    pub fn phrase(self, direction: TypeDirection) -> &'static str {
        match (self, direction) {
            (Self::Implements, TypeDirection::Down) => "implements",
            (Self::Structural, TypeDirection::Down) => "has its methods",
            (Self::Extends, TypeDirection::Down) => "extends",
            (Self::Overrides, TypeDirection::Down) => "overrides",
            (Self::Implements, TypeDirection::Up) => "implemented",
            (Self::Structural, TypeDirection::Up) => "has all its methods",
            (Self::Extends, TypeDirection::Up) => "extended",
            (Self::Overrides, TypeDirection::Up) => "overridden",
        }
    }
}

/// Relation of a type or method to the one above it in the tree.
#[derive(Debug, Clone)]
pub struct Subtype {
    /// The first line of the declaration.
    pub signature: String,
    /// Kind of the relation.
    pub relation: TypeRelation,
}

/// Returns the tree of implementations, subtypes and overrides of a definition, or with `Up` of
/// what it implements, extends and overrides. `max` limits the number of definitions, which the
/// filter accepts. The location of `impl Base for Type` has the name and kind of the type, and the
/// position of the declaration.
pub fn implementations(
    graph: &GraphFile,
    types: &TypeGraph<'_>,
    root: DefinitionId,
    direction: TypeDirection,
    max: usize,
    filter: &ListingFilter,
) -> Tree<Subtype> {
    let kind = graph.traits(root).kind();
    let nodes = match (kind.is_function(), types.type_of(root)) {
        (true, _) => methods(graph, types, root, direction),
        (false, Some(of)) => related(graph, types, of, direction),
        (false, None) => Vec::new(),
    };
    let all = nodes.len();
    let nodes = accepted(nodes, |id| filter.accepts(graph, id));
    let filtered = all - nodes.len();
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len() + 1];
    for (at, node) in nodes.iter().enumerate() {
        children[node.through.map_or(0, |through| through + 1)].push(at);
    }
    children.iter_mut().for_each(|list| list.sort_by_cached_key(|&at| order(graph, nodes[at].shown)));
    let shown = first_levels(graph, &nodes, &children, max);
    let (direct, left_out) = (children[0].len(), nodes.len() - shown.len());
    let branches = nested(shown);
    Tree { direct, branches, left_out, filtered, uses: 0, lacks_calls: false, notices: Vec::new() }
}

/// A definition of the tree.
struct TypeNode {
    /// The definition whose position is shown.
    shown: DefinitionId,
    /// The definition whose name and kind are shown.
    named: DefinitionId,
    through: Option<usize>,
    depth: usize,
    relation: TypeRelation,
}

/// Leaves out nodes; those below an omitted node move to the next one above it.
fn accepted(nodes: Vec<TypeNode>, accepts: impl Fn(DefinitionId) -> bool) -> Vec<TypeNode> {
    let mut kept: Vec<TypeNode> = Vec::with_capacity(nodes.len());
    // The number of each node, or of the next one above it, among the kept ones.
    let mut numbers: Vec<Option<usize>> = Vec::with_capacity(nodes.len());
    for node in nodes {
        let through = node.through.and_then(|above| numbers[above]);
        let is_kept = accepts(node.shown);
        numbers.push(if is_kept { Some(kept.len()) } else { through });
        kept.extend(is_kept.then_some(TypeNode { through, ..node }));
    }
    kept
}

fn is_abstract(graph: &GraphFile, id: DefinitionId) -> bool {
    matches!(graph.traits(id).kind(), DefinitionKind::Interface | DefinitionKind::Trait)
}

fn methods(graph: &GraphFile, types: &TypeGraph<'_>, root: DefinitionId, direction: TypeDirection) -> Vec<TypeNode> {
    let found = match direction {
        TypeDirection::Down => types.overrides(root),
        TypeDirection::Up => types.overridden(root),
    };
    let is_of_abstract = |id| types.type_of(id).is_some_and(|owner| is_abstract(graph, owner));
    let node = |id: DefinitionId| {
        let (below, base) = if direction == TypeDirection::Down { (id, root) } else { (root, id) };
        let implements = is_of_abstract(base) && !is_of_abstract(below);
        let relation = if implements { TypeRelation::Implements } else { TypeRelation::Overrides };
        TypeNode { shown: id, named: id, through: None, depth: 1, relation }
    };
    found.into_iter().map(node).collect()
}

fn related(graph: &GraphFile, types: &TypeGraph<'_>, root: DefinitionId, direction: TypeDirection) -> Vec<TypeNode> {
    let found = match direction {
        TypeDirection::Down => types.subtypes(root),
        TypeDirection::Up => types.supertypes(root),
    };
    let node = |node: &RelatedType| {
        let before = node.through.map_or(root, |at| found[at].id);
        let (shown, below, base) = match direction {
            TypeDirection::Down => (node.declaration, node.id, before),
            TypeDirection::Up => (node.id, before, node.id),
        };
        let relation = match () {
            () if node.is_structural => TypeRelation::Structural,
            () if is_abstract(graph, base) && !is_abstract(graph, below) => TypeRelation::Implements,
            () => TypeRelation::Extends,
        };
        TypeNode { shown, named: node.id, through: node.through, depth: node.depth, relation }
    };
    found.iter().map(node).collect()
}

fn order(graph: &GraphFile, id: DefinitionId) -> (bool, &str, u32, DefinitionId) {
    let row = graph.definition(id);
    (row.is_test(), graph.path(row.file), row.line, id)
}

/// Returns up to `max` nodes, level by level, each with the number of the one above it.
fn first_levels(
    graph: &GraphFile,
    nodes: &[TypeNode],
    children: &[Vec<usize>],
    max: usize,
) -> Vec<(usize, Branch<Subtype>)> {
    let mut shown: Vec<(usize, Branch<Subtype>)> = Vec::new();
    let mut queue = VecDeque::from([(0, 0)]);
    while let Some((above, node)) = queue.pop_front() {
        let before = shown.len();
        for &at in children[node].iter().take(max - before).filter(|&&at| nodes[at].depth <= MAX_DEPTH) {
            shown.push((above, branch(graph, &nodes[at])));
            queue.push_back((shown.len(), at + 1));
        }
        let left_out = children[node].len() - (shown.len() - before);
        if above > 0 {
            shown[above - 1].1.left_out = left_out;
        }
    }
    shown
}

fn branch(graph: &GraphFile, node: &TypeNode) -> Branch<Subtype> {
    let (named, shown) = (location(graph, node.named), location(graph, node.shown));
    let location = DefinitionLocation { name: named.name, kind: named.kind, ..shown };
    Branch::new(location, Subtype { signature: graph.signature(node.shown).to_owned(), relation: node.relation })
}
