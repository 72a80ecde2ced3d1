//! The structure graph: its nodes, its drawing, and the relations of its fragments.

use super::Engine;
use rayon::prelude::*;
use std::cmp::Reverse;
use whichfn_graph::StructureGraph;
use whichfn_index::store::{CallGraph, DefinitionRow, KindGroup};
use whichfn_search::answer::{
    CallDirection, CallLimits, Calls, DefinitionLocation, HeadLine, LocatedCall, NameMatch, Named, References,
    Relations, Resolved, ResolvedName, Subtype, Tree, TypeDirection, are_variants, calls, exactly_named,
    implementations, last_part, located_calls, named_head_line, named_location, references, references_of_all, relate,
    resolve, resolve_named,
};
use whichfn_search::picture::{Drawing, View, draw};
use whichfn_search::relation::{Exact, FragmentUnit, Fragments, Relation, Structure, structure_of};
use whichfn_search::search::{KindFilter, ListingFilter, Query};
use whichfn_syntax::ids::{DefinitionId, FileId, FragmentId, IdVec, MemberId};
use whichfn_syntax::lang::{DefinitionKind, LangId};
use whichfn_system::error::Result;

/// Number of fragments whose relations are computed in one batch.
const BATCH: usize = 64;

/// A definition in the form that programs see.
#[derive(Debug, Clone, Copy)]
pub struct NamedDefinition<'a> {
    /// Id in the index.
    pub id: DefinitionId,
    /// Path from the root.
    pub path: &'a str,
    /// Qualified name; the name of the file for a file.
    pub qualified_name: &'a str,
    /// Kind, with one name for all kinds of types: `function`, `method`, `constructor`, `type`,
    /// `macro`, `module` and so on.
    pub kind: &'static str,
    /// Its row in the index.
    pub row: DefinitionRow,
}

impl Engine {
    /// Returns all calls of the repository, with their positions.
    pub fn located_calls(&self) -> Vec<LocatedCall> {
        located_calls(&self.sources(), &self.types())
    }

    /// Returns all definitions of the repository.
    pub fn named_definitions(&self) -> impl Iterator<Item = NamedDefinition<'_>> {
        let graph = &self.generation.graph;
        graph.definition_ids().map(|id| {
            let row = graph.definition(id);
            let (path, qualified_name) = (graph.path(row.file), graph.qualified_name(id));
            NamedDefinition { id, path, qualified_name, kind: self.broad_kind(id), row }
        })
    }

    /// Returns the name of a definition's kind without the differences between languages.
    fn broad_kind(&self, id: DefinitionId) -> &'static str {
        let graph = &self.generation.graph;
        let row = graph.definition(id);
        match row.kind() {
            DefinitionKind::Method if self.is_constructor(id) => "constructor",
            kind if kind.is_type() => "type",
            kind => kind.name(),
        }
    }

    /// Returns the kind of the first definition with a name, if there is one.
    pub fn broad_kind_of(&self, name: &str) -> Option<&'static str> {
        self.generation.graph.named(last_part(name)).first().map(|&id| self.broad_kind(id))
    }

    fn is_constructor(&self, id: DefinitionId) -> bool {
        let graph = &self.generation.graph;
        let row = graph.definition(id);
        let Some(spec) = graph.language(row.file).and_then(|id| self.registry.spec(LangId(id))) else { return false };
        spec.scopes.is_constructor(graph.name(id), graph.name(row.parent))
    }

    /// Returns the callers of a definition, its callees, and its most related definitions, of those that
    /// a filter accepts.
    pub fn relate(&self, definition: DefinitionId, kind: KindFilter, k: usize, filter: &ListingFilter) -> Relations {
        relate(&self.sources(), definition, kind, k, filter)
    }

    /// Returns the callers or the callees of a definition, level by level.
    pub fn calls(&self, definition: DefinitionId, direction: CallDirection, limits: CallLimits) -> Tree<Calls> {
        calls(&self.sources(), Some(&self.types()), definition, direction, limits, &ListingFilter::ALL)
    }

    /// Returns the callers or the callees of each of several definitions, of those that a filter accepts.
    /// If no calls of a definition are found, also counts its uses: it may be passed on or stored. The
    /// tables of names, which take most of the time, are built once for all definitions with one name.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub fn calls_or_uses_of_all(
        &self,
        definitions: &[DefinitionId],
        direction: CallDirection,
        limits: CallLimits,
        filter: &ListingFilter,
    ) -> Result<Vec<Tree<Calls>>> {
        let (sources, types) = (self.sources(), self.types());
        let tree = |&definition| calls(&sources, Some(&types), definition, direction, limits, filter);
        let mut trees: Vec<Tree<Calls>> = definitions.iter().map(tree).collect();
        let is_file = |id: DefinitionId| self.generation.graph.definition(id).parent == id;
        let is_uncalled = |(id, tree): &(&DefinitionId, &mut Tree<Calls>)| {
            direction == CallDirection::Callers && tree.direct + tree.filtered == 0 && !is_file(**id)
        };
        let (named, mut uncalled): (Vec<Named>, Vec<&mut Tree<Calls>>) = definitions
            .iter()
            .zip(&mut trees)
            .filter(is_uncalled)
            .map(|(&id, tree)| (Named::Definition(id), tree))
            .unzip();
        if !named.is_empty() {
            let uses = self.references_of_all(&named, 0, filter)?;
            uncalled.iter_mut().zip(uses).for_each(|(tree, uses)| tree.uses = uses.total());
        }
        Ok(trees)
    }

    /// Returns the filter for the languages and paths of a query.
    ///
    /// # Errors
    /// Returns an error if the query names an unknown language or a glob is invalid.
    pub fn listing_filter(&self, query: &Query, without_tests: bool) -> Result<ListingFilter> {
        ListingFilter::new(query, without_tests, &self.registry, &self.generation.graph)
    }

    /// Checks whether a filter accepts a definition.
    pub fn accepts(&self, filter: &ListingFilter, id: DefinitionId) -> bool {
        filter.accepts(&self.generation.graph, id)
    }

    /// Checks whether a definition is a type.
    pub fn is_type(&self, id: DefinitionId) -> bool {
        self.generation.graph.traits(id).kind().is_type()
    }

    /// Returns the implementations, subtypes and overrides of a definition, or what it implements,
    /// extends and overrides, as a tree with up to `max` definitions that a filter accepts.
    pub fn implementations(
        &self,
        definition: DefinitionId,
        direction: TypeDirection,
        max: usize,
        filter: &ListingFilter,
    ) -> Tree<Subtype> {
        implementations(&self.generation.graph, &self.types(), definition, direction, max, filter)
    }

    /// Returns the location of a definition; of an extension, the location of its type.
    pub fn type_location(&self, id: DefinitionId) -> DefinitionLocation {
        let is_extension = self.generation.graph.traits(id).kind() == DefinitionKind::Extension;
        self.location(self.types().type_of(id).filter(|_| is_extension).unwrap_or(id))
    }

    /// Returns the places that use a definition or value, at most `max`.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub fn references(&self, named: Named, max: usize) -> Result<References> {
        references(&self.sources(), &self.registry, named, max, &ListingFilter::ALL)
    }

    /// Does the same as [`Self::references`] for each definition or value and the places that a filter
    /// accepts.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub fn references_of_all(&self, all: &[Named], max: usize, filter: &ListingFilter) -> Result<Vec<References>> {
        references_of_all(&self.sources(), &self.registry, all, max, filter)
    }

    /// Resolves what a user typed to definitions or, if there is none, to values.
    pub fn resolve_named(&self, wanted: &str) -> ResolvedName {
        resolve_named(&self.sources(), wanted)
    }

    /// Returns the definitions and values whose name is the whole question, in the accepted files, the
    /// best first.
    pub(crate) fn exactly_named(&self, text: &str, is_allowed: &dyn Fn(DefinitionId) -> bool) -> Vec<NameMatch> {
        exactly_named(&self.sources(), MemberId(0), text, is_allowed)
    }

    /// Returns the values that a name refers to; none if it refers to a definition.
    pub fn values_named(&self, name: &str) -> Vec<Named> {
        match self.resolve_named(name) {
            ResolvedName::One(value @ Named::Value(_)) => vec![value],
            ResolvedName::Many(all) if matches!(all[..], [Named::Value(_), ..]) => all,
            _ => Vec::new(),
        }
    }

    /// Returns the position of a definition or value.
    pub fn named_location(&self, named: Named) -> DefinitionLocation {
        named_location(&self.sources(), named)
    }

    /// Returns the line that contains the name of a definition or value.
    pub fn named_head_line(&self, named: Named) -> HeadLine {
        named_head_line(&self.sources(), named)
    }

    /// Resolves what a user typed: `renew`, `Session.renew`, `path/file.py`, `path/file.py:42`,
    /// `path/file.py:renew`.
    pub fn resolve(&self, wanted: &str) -> Resolved {
        resolve(&self.generation.graph, wanted)
    }

    /// Checks whether a definition is in test code.
    pub fn is_test(&self, id: DefinitionId) -> bool {
        self.generation.graph.traits(id).is_test()
    }

    /// Checks whether all definitions are overloads or variants of the first.
    pub fn are_variants(&self, all: &[DefinitionId]) -> bool {
        are_variants(&self.generation.graph, &self.registry, all)
    }

    /// Returns all overloads and variants of a function or type, including itself.
    pub fn variants_of(&self, id: DefinitionId) -> Vec<DefinitionId> {
        let graph = &self.generation.graph;
        let is_kind = |other: &DefinitionId| graph.definition(*other).kind() == graph.definition(id).kind();
        let named = graph.named(graph.name(id)).into_iter().filter(is_kind);
        let mut all: Vec<_> = named.filter(|&other| other != id && self.are_variants(&[id, other])).collect();
        all.push(id);
        all.sort_unstable();
        all
    }

    /// Returns the definition with the longest text: of several overloads, the one with a body.
    pub fn longest(&self, all: &[DefinitionId]) -> Option<DefinitionId> {
        let length = |id: &DefinitionId| {
            let row = self.generation.graph.definition(*id);
            (row.end_byte - row.start_byte, Reverse(*id))
        };
        all.iter().copied().max_by_key(length)
    }

    /// Returns part of the graph for display: directories, files and definitions.
    ///
    /// # Errors
    /// Returns an error if a language's data is invalid.
    pub fn drawing(&self, view: View) -> Result<Drawing> {
        draw(&self.sources(), view, |file, kind| self.kind_name(file, kind).map(str::to_owned))
    }

    pub(super) fn kind_name(&self, file: FileId, kind: u16) -> Result<&str> {
        let Some(language) = self.generation.graph.language(file) else { return Ok("text") };
        Ok(self.registry.language(LangId(language))?.parser.node_kind_for_id(kind).unwrap_or("unknown"))
    }

    /// Returns the calls of the repository as a graph for petgraph's algorithms; the index is read
    /// in place.
    pub fn call_graph(&self) -> CallGraph<'_> {
        CallGraph::new(&self.generation.graph)
    }

    /// Returns the structure graph of the repository, also for petgraph's algorithms. Building it
    /// unpacks all syntax trees.
    pub fn structure(&self) -> StructureGraph {
        structure_of(&self.generation.graph)
    }

    /// Returns all fragments of a unit: functions, or windows.
    pub fn fragments(&self, unit: FragmentUnit) -> Fragments<'_> {
        Fragments::new(&self.generation.graph, unit)
    }

    /// Returns the numbers of fragments in JSON: functions first, starting at 0, then windows. A
    /// fragment outside the unit has the number of the next fragment inside it.
    pub fn fragment_numbers(&self, fragments: &Fragments<'_>) -> IdVec<FragmentId, u32> {
        let functions = self.generation.graph.count_of(KindGroup::Function);
        let mut next = if fragments.unit == FragmentUnit::Window { functions as u32 } else { 0 };
        let number = |&member: &bool| {
            next += u32::from(member);
            next - u32::from(member)
        };
        fragments.members.iter().map(number).collect()
    }

    /// Computes how strongly each fragment of a unit is related to all others, row by row. `row`
    /// converts a fragment's number and its weights, and runs on several threads. `write` receives
    /// the converted rows in batches, in order. `exact` searches the whole graph for each pair,
    /// without a cut-off.
    ///
    /// # Errors
    /// Returns the errors of `write`.
    pub fn relations<T: Send>(
        &self,
        unit: FragmentUnit,
        exact: bool,
        row: impl Fn(u32, Vec<(u32, f64)>) -> T + Sync,
        mut write: impl FnMut(Vec<T>) -> Result<()>,
    ) -> Result<()> {
        let fragments = self.fragments(unit);
        let numbers = self.fragment_numbers(&fragments);
        let structure = exact.then(|| self.structure());
        let relation: Box<dyn Relation + '_> = match &structure {
            Some(structure) => Box::new(Exact::new(structure, &fragments)),
            None => Box::new(Structure::new(&fragments)),
        };
        let numbered = |&fragment: &FragmentId| {
            let weights = relation.row(fragment).into_iter().map(|(other, weight)| (numbers[other], weight));
            row(numbers[fragment], weights.collect())
        };
        let members: Vec<FragmentId> = members(&fragments).collect();
        members.chunks(BATCH).try_for_each(|batch| write(batch.par_iter().map(numbered).collect()))
    }
}

/// Returns the fragments that belong to the unit.
fn members<'f>(fragments: &'f Fragments<'_>) -> impl Iterator<Item = FragmentId> + 'f {
    fragments.ids().filter(|&fragment| fragments.members[fragment])
}
