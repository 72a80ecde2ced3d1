//! The implementations, subtypes and overrides of a definition, or what it implements, extends and
//! overrides, as a tree.
//!
//! **Invariant:** each level is complete before the next begins, so a limit cuts the most distant
//! definitions, and nothing deeper than [`MAX_DEPTH`] is shown. Siblings are sorted by path and
//! line, with tests last.
//!
//! **Cost:** a walk over all types below or above the definition; the rows of those shown.

use super::location::{DefinitionLocation, location};
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

/// Tree of the types or methods below or above a definition.
#[derive(Debug, Clone)]
pub struct TypeTree {
    /// Requested definition.
    pub root: DefinitionLocation,
    /// Direction of the tree.
    pub direction: TypeDirection,
    /// Number of all definitions below or above it, including those that are not shown.
    pub total: usize,
    /// Number of those directly below or above it.
    pub direct: usize,
    /// Direct ones that are shown.
    pub branches: Vec<TypeBranch>,
    /// Number of definitions that are not shown.
    pub left_out: usize,
    /// Number of definitions that the filter does not accept.
    pub filtered: usize,
}

/// A type or method below or above another one.
#[derive(Debug, Clone)]
pub struct TypeBranch {
    /// The definition. For `impl Base for Type`, the name and kind of the type, and the position of
    /// the declaration.
    pub location: DefinitionLocation,
    /// The first line of the declaration.
    pub signature: String,
    /// Relation to the definition above it in the tree.
    pub relation: TypeRelation,
    /// Definitions below or above it.
    pub branches: Vec<TypeBranch>,
    /// Number of definitions directly below or above it that are not shown.
    pub left_out: usize,
}

/// Returns the tree of implementations, subtypes and overrides of a definition, or with `Up` of
/// what it implements, extends and overrides. `max` limits the number of definitions, which the
/// filter accepts.
pub fn implementations(
    graph: &GraphFile,
    types: &TypeGraph<'_>,
    root: DefinitionId,
    direction: TypeDirection,
    max: usize,
    filter: &ListingFilter,
) -> TypeTree {
    let kind = graph.traits(root).kind();
    let nodes = match (kind.is_function(), types.type_of(root)) {
        (true, _) => methods(graph, types, root, direction),
        (false, Some(of)) => related(graph, types, of, direction),
        (false, None) => Vec::new(),
    };
    let all = nodes.len();
    let nodes = accepted(nodes, |id| filter.accepts(graph, id));
    let root_location = match types.type_of(root).filter(|_| kind == DefinitionKind::Extension) {
        Some(of) => location(graph, of),
        None => location(graph, root),
    };
    let (total, filtered) = (nodes.len(), all - nodes.len());
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); total + 1];
    for (at, node) in nodes.iter().enumerate() {
        children[node.through.map_or(0, |through| through + 1)].push(at);
    }
    children.iter_mut().for_each(|list| list.sort_by_cached_key(|&at| order(graph, nodes[at].shown)));
    let is_shown = first_levels(&nodes, &children, max);
    let branches = branches(graph, &nodes, &children, &is_shown);
    let left_out = is_shown.iter().filter(|shown| !**shown).count();
    TypeTree { root: root_location, direction, total, direct: children[0].len(), branches, left_out, filtered }
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

/// Selects up to `max` nodes, level by level.
fn first_levels(nodes: &[TypeNode], children: &[Vec<usize>], max: usize) -> Vec<bool> {
    let mut is_shown = vec![false; nodes.len()];
    let (mut queue, mut count) = (VecDeque::from([0]), 0);
    while let Some(above) = queue.pop_front() {
        for &at in children[above].iter().take(max - count).filter(|&&at| nodes[at].depth <= MAX_DEPTH) {
            (is_shown[at], count) = (true, count + 1);
            queue.push_back(at + 1);
        }
    }
    is_shown
}

/// Builds the branches from the last level up: a node comes after the one above it.
fn branches(graph: &GraphFile, nodes: &[TypeNode], children: &[Vec<usize>], is_shown: &[bool]) -> Vec<TypeBranch> {
    let mut built: Vec<Option<TypeBranch>> = nodes.iter().map(|_| None).collect();
    let collect = |above: usize, built: &mut Vec<Option<TypeBranch>>| {
        let list = &children[above];
        let shown: Vec<TypeBranch> = list.iter().filter_map(|&at| built[at].take()).collect();
        let left_out = list.len() - shown.len();
        (shown, left_out)
    };
    for (at, node) in nodes.iter().enumerate().rev().filter(|(at, _)| is_shown[*at]) {
        let (branches, left_out) = collect(at + 1, &mut built);
        let (named, shown) = (location(graph, node.named), location(graph, node.shown));
        let location = DefinitionLocation { name: named.name, kind: named.kind, ..shown };
        let signature = graph.signature(node.shown).to_owned();
        built[at] = Some(TypeBranch { location, signature, relation: node.relation, branches, left_out });
    }
    collect(0, &mut built).0
}
