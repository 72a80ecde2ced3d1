//! The callers or callees of a definition as a tree.
//!
//! **Invariant:** calls in an anonymous function count as calls in the named function around it. A
//! type or a file represents everything inside it, and calls within it are left out. Each level is
//! complete before the next begins, so a limit cuts the most distant definitions. A definition is
//! expanded once; its other occurrences are marked. A call of a method may also reach the methods
//! that override it: these ends follow all others, so they never displace one.
//!
//! **Cost:** the calls of the shown definitions, the overrides of the methods called, and the text
//! of the files that contain the calls.

use super::call_sites::CallLine;
use super::location::{DefinitionLocation, location, qualified_name};
use super::tree::{Branch, Tree, nested};
use crate::search::ListingFilter;
use petgraph::Direction;
use petgraph::visit::{EdgeRef, IntoEdgesDirected};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::CallReason;
use whichfn_index::source::Sources;
use whichfn_index::store::{CallGraph, CallRow, GraphFile, TypeGraph};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;

/// Maximum depth of a tree: branches are nested, and a chain of calls may be as long as a
/// repository.
const MAX_DEPTH: usize = 100;

/// Maximum number of overrides of one method that are followed below a definition that calls it.
const FOLLOWED: usize = 3;

/// Direction of a tree of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallDirection {
    /// Towards the callers.
    Callers,
    /// Towards the callees.
    Callees,
}

/// Limits of a tree of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallLimits {
    /// Maximum number of calls between the definition and a shown definition, at least 1; values
    /// above 100 count as 100.
    pub depth: usize,
    /// Maximum number of definitions.
    pub max: usize,
}

/// The calls between a definition and the one above it in the tree.
#[derive(Debug, Clone, Default)]
pub struct Calls {
    /// The calls, sorted by position; at least one.
    pub calls: Vec<CallLine>,
    /// Position of the definition's other occurrence, if the tree expands it there.
    pub repeated: Option<SeenCall>,
}

/// Position of the other occurrence of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SeenCall {
    /// On the way to the root: the calls form a cycle.
    Recursion,
    /// Elsewhere in the tree.
    Elsewhere,
    /// Nowhere: it is one of more than `FOLLOWED` overrides that a call may be dispatched to, which
    /// rarely differ in what they do next.
    Alternative,
}

impl SeenCall {
    /// Returns the word for people and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recursion => "recursion",
            Self::Elsewhere => "elsewhere",
            Self::Alternative => "alternative",
        }
    }
}

/// Returns the tree of callers or callees of a definition that the filter accepts. With `types`, the
/// tree contains calls that may be dispatched to another method. The direct callees of a function
/// are in the order of the calls; all other definitions are sorted by path and line, with tests last.
/// Only direct callers and callees count as filtered.
pub fn calls(
    sources: &Sources<'_>,
    types: Option<&TypeGraph<'_>>,
    root: DefinitionId,
    direction: CallDirection,
    limits: CallLimits,
    filter: &ListingFilter,
) -> Tree<Calls> {
    let graph = sources.graph();
    let limits = CallLimits { depth: limits.depth.min(MAX_DEPTH), ..limits };
    let root_branch = Branch::new(location(graph, root), Calls::default());
    let entries = vec![CallTreeEntry { above: 0, depth: 0, branch: root_branch }];
    let links = CallLinks { graph, types, direction };
    let mut builder = CallTreeBuilder { links, filter, limits, sources, entries };
    let (direct, filtered) = builder.build();
    let left_out = builder.entries.iter().map(|entry| entry.branch.left_out).sum();
    let branches = nested(builder.entries.into_iter().skip(1).map(|entry| (entry.above, entry.branch)).collect());
    let lacks_calls = !sources.needs_calls_of(graph.file_around(root));
    Tree { direct, branches, left_out, filtered, uses: 0, lacks_calls, notices: sources.notices() }
}

/// A definition of the tree; the first is the root.
struct CallTreeEntry {
    above: usize,
    depth: usize,
    branch: Branch<Calls>,
}

struct CallTreeBuilder<'a, 't> {
    links: CallLinks<'a, 't>,
    filter: &'a ListingFilter,
    limits: CallLimits,
    sources: &'a Sources<'a>,
    /// Definitions level by level.
    entries: Vec<CallTreeEntry>,
}

/// A call with the definition that makes it.
type CallerWithCall = (DefinitionId, CallRow);

impl CallTreeBuilder<'_, '_> {
    /// Adds level after level, and returns the number of direct callers or callees, and of those
    /// that the filter does not accept.
    fn build(&mut self) -> (usize, usize) {
        let (mut direct, mut filtered, mut at) = (0, 0, 0);
        let mut seen = FxHashSet::from_iter([self.id(0)]);
        while at < self.entries.len() {
            let (id, depth) = (self.id(at), self.entries[at].depth);
            if depth < self.limits.depth && self.entries[at].branch.link.repeated.is_none() {
                let (parts, mut ends) = self.links.ends(id, at == 0);
                let all = ends.len();
                ends.retain(|&(end, _)| self.filter.accepts(self.links.graph, end));
                if at == 0 {
                    (direct, filtered) = (ends.len(), all - ends.len());
                }
                let capacity = (self.limits.max + 1).saturating_sub(self.entries.len());
                self.entries[at].branch.left_out = ends.len().saturating_sub(capacity);
                let alternatives = self.alternatives(&ends);
                for (end, call_rows) in ends.into_iter().take(capacity) {
                    let is_followed = depth + 1 >= self.limits.depth || !alternatives.contains(&end);
                    let repeated = match is_followed {
                        false => Some(SeenCall::Alternative),
                        true if seen.insert(end) => None,
                        true => self.repeated(end, at),
                    };
                    let has_parts = parts.len() > 1 && !is_function(self.links.graph, id);
                    let mut calls: Vec<_> = call_rows.iter().map(|rows| self.line(rows, has_parts)).collect();
                    // The syntax has the last call of a chain first.
                    calls.sort_by(|one, next| one.place.cmp(&next.place));
                    let branch = Branch::new(self.location(end), Calls { calls, repeated });
                    self.entries.push(CallTreeEntry { above: at, depth: depth + 1, branch });
                }
            }
            at += 1;
        }
        (direct, filtered)
    }

    fn id(&self, at: usize) -> DefinitionId {
        self.entries[at].branch.location.definition
    }

    fn location(&self, id: DefinitionId) -> DefinitionLocation {
        let (graph, location) = (self.links.graph, location(self.links.graph, id));
        match graph.definition(id).kind() {
            DefinitionKind::Anonymous => {
                let name = format!("a function in {}", qualified_name(graph, named_around(graph, id)));
                DefinitionLocation { name, ..location }
            }
            _ => location,
        }
    }

    /// Returns the other occurrence of a definition that is below `at` and was seen before. The
    /// last level expands no definition, so an occurrence there is not marked as elsewhere.
    fn repeated(&self, id: DefinitionId, at: usize) -> Option<SeenCall> {
        let mut ancestors = std::iter::successors(Some(at), |&at| (at > 0).then(|| self.entries[at].above));
        if ancestors.any(|at| self.id(at) == id) {
            return Some(SeenCall::Recursion);
        }
        (self.entries[at].depth + 1 < self.limits.depth).then_some(SeenCall::Elsewhere)
    }

    /// Returns the overrides that calls may only be dispatched to, of methods with more than
    /// `FOLLOWED` of them.
    fn alternatives(&self, ends: &[(DefinitionId, Vec<CallerWithCall>)]) -> FxHashSet<DefinitionId> {
        let graph = self.links.graph;
        let is_possible = |calls: &[CallerWithCall]| calls.iter().all(|(_, row)| is_dispatched(row));
        let mut named: BTreeMap<&str, Vec<DefinitionId>> = BTreeMap::new();
        for (end, _) in ends.iter().filter(|(_, calls)| is_possible(calls)) {
            named.entry(graph.name(*end)).or_default().push(*end);
        }
        named.into_values().filter(|same| same.len() > FOLLOWED).flatten().collect()
    }

    fn line(&self, &(caller, row): &CallerWithCall, has_parts: bool) -> CallLine {
        let CallLinks { graph, direction, .. } = self.links;
        let inner = match direction {
            CallDirection::Callers => row.callee,
            CallDirection::Callees => named_around(graph, caller),
        };
        let through = has_parts.then(|| qualified_name(graph, inner));
        CallLine::of(self.sources, caller, &row, through)
    }
}

/// The calls of an index in one direction.
#[derive(Clone, Copy)]
struct CallLinks<'a, 't> {
    graph: &'a GraphFile,
    /// For calls that may be dispatched; `None` leaves them out.
    types: Option<&'a TypeGraph<'t>>,
    direction: CallDirection,
}

/// The definitions that a definition represents, and the other ends of its calls.
type PartsAndEnds = (Vec<DefinitionId>, Vec<(DefinitionId, Vec<CallerWithCall>)>);

impl CallLinks<'_, '_> {
    /// Returns the definitions that a definition represents, and the other ends of its calls in
    /// display order.
    fn ends(&self, root: DefinitionId, is_root: bool) -> PartsAndEnds {
        let graph = self.graph;
        let function = is_function(graph, root);
        let parts = if is_root && !function { inside(graph, root) } else { own_parts(graph, root) };
        let is_part: FxHashSet<DefinitionId> = parts.iter().copied().collect();
        let called = if function { &parts[..1] } else { &parts[..] };
        let (from, towards) = match self.direction {
            CallDirection::Callees => (&parts[..], Direction::Outgoing),
            CallDirection::Callers => (called, Direction::Incoming),
        };
        let mut ends: BTreeMap<DefinitionId, Vec<CallerWithCall>> = BTreeMap::new();
        let mut add = |source, row: CallRow| {
            let end = match self.direction {
                CallDirection::Callees => row.callee,
                CallDirection::Callers => named_around(graph, source),
            };
            ends.entry(end).or_default().push((source, row));
        };
        let is_mount = |id: DefinitionId| graph.traits(id).kind() == DefinitionKind::Mount;
        let edges = from.iter().flat_map(|&part| CallGraph::new(graph).edges_directed(part, towards));
        for edge in edges.filter(|edge| !is_mount(edge.source()) && !is_mount(edge.target())) {
            add(edge.source(), *edge.weight());
        }
        self.dispatched(from, function).into_iter().for_each(|(source, row)| add(source, row));
        ends.retain(|end, _| match self.direction {
            CallDirection::Callees => *end == root || !is_part.contains(end),
            CallDirection::Callers => function || !is_part.contains(end),
        });
        let mut ends: Vec<_> = ends.into_iter().collect();
        for (_, call_rows) in &mut ends {
            call_rows.sort_by_key(|(_, row)| (row.line, row.site, is_dispatched(row)));
            call_rows.dedup_by_key(|(caller, row)| (*caller, row.site));
        }
        let in_order_of_calls = function && self.direction == CallDirection::Callees;
        ends.sort_by_cached_key(|(end, call_rows)| {
            let row = graph.definition(*end);
            let first =
                call_rows.first().filter(|_| in_order_of_calls).map_or((0, 0), |(_, call)| (call.line, call.site));
            let only_dispatched = call_rows.iter().all(|(_, row)| is_dispatched(row));
            (only_dispatched, first, row.is_test(), graph.path(row.file), row.line, *end)
        });
        (parts, ends)
    }

    /// Returns the calls from or to a function's parts that may be dispatched: to an override of
    /// the method called, or through a method that the function overrides.
    fn dispatched(&self, parts: &[DefinitionId], function: bool) -> Vec<CallerWithCall> {
        let (graph, Some(types)) = (self.graph, self.types.filter(|_| function)) else { return Vec::new() };
        let redirected = |row: CallRow, callee| row.redirected(callee, CallReason::Dispatch);
        let mut calls = Vec::new();
        match self.direction {
            CallDirection::Callees => {
                let rows = parts.iter().flat_map(|&part| graph.calls(part).iter().map(move |row| (part, *row)));
                let rows: Vec<CallerWithCall> = rows.collect();
                let called: BTreeSet<DefinitionId> = rows.iter().map(|(_, row)| row.callee).collect();
                let overrides: BTreeMap<_, _> = called.into_iter().map(|id| (id, types.overrides(id))).collect();
                for (source, row) in rows {
                    let overrides = overrides.get(&row.callee).map_or(&[][..], Vec::as_slice);
                    if may_dispatch(graph, types, source, row, overrides) {
                        let run = overrides.iter().filter(|&&id| may_run(graph, types, source, row, id));
                        calls.extend(run.map(|&callee| (source, redirected(row, callee))));
                    }
                }
            }
            CallDirection::Callers => {
                for &part in parts {
                    for base in types.overridden(part) {
                        let edges = CallGraph::new(graph).edges_directed(base, Direction::Incoming);
                        let overrides = types.overrides(base);
                        let calls_of_base = edges.map(|edge| (edge.source(), *edge.weight()));
                        let may_reach = |&(source, row): &CallerWithCall| {
                            may_dispatch(graph, types, source, row, &overrides)
                                && may_run(graph, types, source, row, part)
                        };
                        calls.extend(calls_of_base.filter(may_reach).map(|(from, row)| (from, redirected(row, part))));
                    }
                }
            }
        }
        calls
    }
}

/// Checks whether a call may run one of the methods that override its callee. A method that calls
/// the one of its base type (`super.renew()`) means exactly that one.
pub(super) fn may_dispatch(
    graph: &GraphFile,
    types: &TypeGraph<'_>,
    caller: DefinitionId,
    row: CallRow,
    overrides: &[DefinitionId],
) -> bool {
    let is_super = || {
        let caller = named_around(graph, caller);
        let around = types.type_of(caller);
        overrides.binary_search(&caller).is_ok() || around.is_some_and(|of| redeclares(graph, types, of, overrides))
    };
    row.reason().may_dispatch() && !(row.reason() == CallReason::Base && is_super())
}

/// Checks whether the body of a type contains one of the given methods. Its receiver has that method,
/// so a call of the method of a base is written with the name of the base.
fn redeclares(graph: &GraphFile, types: &TypeGraph<'_>, of_type: DefinitionId, overrides: &[DefinitionId]) -> bool {
    let (file, end) = (graph.file_around(of_type), graph.definition(of_type).end_byte);
    let after = &overrides[overrides.partition_point(|&id| id < of_type)..];
    let is_inside = |&&id: &&DefinitionId| graph.file_around(id) == file && graph.definition(id).start_byte < end;
    after.iter().take_while(is_inside).any(|&id| types.type_of(id) == Some(of_type))
}

/// Checks whether a call that may be dispatched may run one of the overrides of its callee. A call of
/// an own member, which may be written without its object, runs on an object of the type around it.
pub(super) fn may_run(
    graph: &GraphFile,
    types: &TypeGraph<'_>,
    caller: DefinitionId,
    row: CallRow,
    id: DefinitionId,
) -> bool {
    let is_own =
        matches!(row.reason(), CallReason::Receiver | CallReason::Base | CallReason::Scope | CallReason::Visible);
    may_depend(graph, caller, id) && (!is_own || types.may_run_on_receiver(caller, row.callee, id))
}

/// Checks whether a caller may run an override: only a test depends on what a test implements. A
/// handler may be named like a test.
fn may_depend(graph: &GraphFile, caller: DefinitionId, overriding: DefinitionId) -> bool {
    let (caller, overriding) = (graph.traits(caller), graph.traits(overriding));
    caller.is_test() || !overriding.is_test() || caller.kind().is_registered()
}

/// Checks whether a call reaches its end only if the object has that end's type.
fn is_dispatched(row: &CallRow) -> bool {
    row.reason() == CallReason::Dispatch
}

/// Returns the direct callers or callees of a definition in display order. With `types`, these
/// include the ends of calls that may be dispatched.
pub fn direct_ends(
    graph: &GraphFile,
    types: Option<&TypeGraph<'_>>,
    root: DefinitionId,
    direction: CallDirection,
) -> Vec<DefinitionId> {
    let links = CallLinks { graph, types, direction };
    links.ends(root, true).1.into_iter().map(|(end, _)| end).collect()
}

fn is_function(graph: &GraphFile, id: DefinitionId) -> bool {
    graph.definition(id).kind().is_function()
}

/// Returns the definition itself, or the closest enclosing one that has a name.
pub fn named_around(graph: &GraphFile, id: DefinitionId) -> DefinitionId {
    let ancestors =
        std::iter::successors(Some(id), |&at| Some(graph.definition(at).parent).filter(|parent| *parent != at));
    let is_named = |&at: &DefinitionId| graph.definition(at).kind() != DefinitionKind::Anonymous;
    ancestors.into_iter().find(is_named).unwrap_or(id)
}

/// Returns a definition and the anonymous functions that belong to it.
fn own_parts(graph: &GraphFile, root: DefinitionId) -> Vec<DefinitionId> {
    let row = graph.definition(root);
    let is_own = |&id: &DefinitionId| {
        id != root && graph.definition(id).kind() == DefinitionKind::Anonymous && named_around(graph, id) == root
    };
    std::iter::once(root).chain(graph.definitions_of(row.file).filter(is_own)).collect()
}

/// Returns a type or file and everything inside it. A type includes its extensions and its methods
/// outside its body.
pub(super) fn inside(graph: &GraphFile, root: DefinitionId) -> Vec<DefinitionId> {
    let mut parts = Vec::new();
    for root in std::iter::once(root).chain(graph.owned(root)) {
        let mut nested = FxHashSet::from_iter([root]);
        parts.push(root);
        // An enclosing definition precedes the definitions inside it.
        for id in graph.definitions_of(graph.definition(root).file).filter(|id| *id > root) {
            if nested.contains(&graph.definition(id).parent) {
                nested.insert(id);
                parts.push(id);
            }
        }
    }
    parts
}
