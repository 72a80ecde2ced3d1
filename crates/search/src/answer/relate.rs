//! Finds the definitions related to a definition, each with the path that explains the relation.

use super::calls::{CallDirection, CallLimits, Calls, calls, direct_ends};
use super::location::{DefinitionLocation, location};
use super::place::Place;
use super::tree::Tree;
use crate::relation::{FragmentUnit, Fragments, PathEdge, PathNode, PathSearch};
use crate::search::{KindFilter, ListingFilter};
use rustc_hash::{FxHashMap, FxHashSet};
use whichfn_graph::EdgeKind;
use whichfn_index::fragment::LineEnds;
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};

/// A definition and its related definitions.
#[derive(Debug, Clone)]
pub struct Relations {
    /// Requested definition.
    pub definition: DefinitionLocation,
    /// Direct callers, without their own callers.
    pub callers: Tree<Calls>,
    /// Direct callees, without their own callees.
    pub callees: Tree<Calls>,
    /// Related definitions, most related first; may include callers and callees.
    pub related: Vec<RelatedDefinition>,
    /// Related definitions that are neither callers nor callees, most related first.
    pub others: Vec<RelatedDefinition>,
}

/// A related definition.
#[derive(Debug, Clone)]
pub struct RelatedDefinition {
    /// Definition with its position.
    pub location: DefinitionLocation,
    /// Strength of the relation, in [0, 1].
    pub weight: f64,
    /// Path in words, such as `same class Session` and `calls it at app/views.py:88`.
    pub reasons: Vec<String>,
    /// Edges of the path: the kind of each, and the position of its target or, for a call, of the
    /// call. The line of a directory is 0.
    pub via: Vec<(EdgeKind, Place)>,
}

/// Returns up to `k` callers, up to `k` callees, and the `k` most related definitions of a kind.
pub fn relate(
    sources: &Sources<'_>,
    origin: DefinitionId,
    kind: KindFilter,
    k: usize,
    filter: &ListingFilter,
) -> Relations {
    let graph = sources.graph();
    let is_candidate = |id: DefinitionId| kind.accepts(graph.traits(id).kind()) || id == origin;
    let members = graph.definition_ids().map(is_candidate).collect();
    let fragments = Fragments::with_members(graph, FragmentUnit::Definition, members);
    let search = PathSearch::new(&fragments);
    let mut formatter = PathFormatter { graph, search: &search, lines: FxHashMap::default() };
    let both = [CallDirection::Callers, CallDirection::Callees];
    let direct: FxHashSet<DefinitionId> =
        both.iter().flat_map(|&direction| direct_ends(graph, None, origin, direction)).collect();
    let (mut related, mut others) = (Vec::new(), Vec::new());
    // The filter may leave out any number of definitions.
    let most = if filter.is_all() { k.saturating_add(direct.len()) } else { usize::MAX };
    for found in search.related(fragments.of_definition(origin), most) {
        let id = fragments.definition(found.fragment);
        if !filter.accepts(graph, id) {
            continue;
        }
        let is_other = !direct.contains(&id) && others.len() < k;
        if !is_other && related.len() >= k {
            continue;
        }
        let relation = RelatedDefinition {
            location: location(graph, id),
            weight: found.weight,
            reasons: formatter.reasons(&found.path, origin, id),
            via: found.path.iter().map(|step| formatter.via(step)).collect(),
        };
        others.extend(is_other.then(|| relation.clone()));
        related.extend((related.len() < k).then_some(relation));
    }
    let [callers, callees] =
        both.map(|direction| calls(sources, None, origin, direction, CallLimits { depth: 1, max: k }, filter));
    Relations { definition: location(graph, origin), callers, callees, related, others }
}

/// Phrase for a definition that the requested definition calls.
const CALLED: &str = "called";
/// Phrase for a definition that calls the requested definition.
const CALLS_IT: &str = "calls it";

fn call_location(phrase: &str, path: &str, line: u32) -> String {
    format!("{phrase} at {path}:{line}")
}

/// Formatter that describes paths in words.
struct PathFormatter<'a> {
    graph: &'a GraphFile,
    search: &'a PathSearch<'a>,
    lines: FxHashMap<FileId, LineEnds>,
}

impl PathFormatter<'_> {
    /// Returns the phrases that describe a path between two definitions.
    ///
    /// There is one for each call on the path, and one for each section along the tree that leaves
    /// a definition. Direct calls between the two definitions that are not on the path follow.
    fn reasons(&mut self, path: &[PathEdge], origin: DefinitionId, other: DefinitionId) -> Vec<String> {
        let mut reasons = Vec::new();
        for run in path.chunk_by(|a, b| (a.kind == EdgeKind::Call) == (b.kind == EdgeKind::Call)) {
            if run[0].kind == EdgeKind::Call {
                reasons.extend(run.iter().map(|step| self.call(step, origin, other)));
            } else {
                let between =
                    self.between(path, run, origin, other).map_or(String::new(), |name| format!(" as {name}"));
                reasons.extend(self.shared(run).map(|shared| shared + &between));
            }
        }
        for (caller, callee, phrase) in [(origin, other, CALLED), (other, origin, CALLS_IT)] {
            let first = self.graph.calls(caller).iter().find(|call| call.callee == callee);
            let at = |line| call_location(phrase, self.graph.path(self.graph.definition(caller).file), line);
            reasons.extend(first.map(|call| at(call.line)).filter(|call_location| !reasons.contains(call_location)));
        }
        if reasons.is_empty() {
            // The path leads straight up or down the tree.
            let (origin, other) = (self.graph.definition(origin), self.graph.definition(other));
            let inside = origin.start_byte <= other.start_byte && other.end_byte <= origin.end_byte;
            reasons.push(if inside { "inside it" } else { "around it" }.to_owned());
        }
        reasons
    }

    /// Describes a call on the path. Includes the names of its ends unless it is a call between
    /// `origin` and `other`.
    fn call(&mut self, step: &PathEdge, origin: DefinitionId, other: DefinitionId) -> String {
        let (site, is_outgoing) = self.site(step);
        let (path, line) = self.place(site);
        let ends = [site, if is_outgoing { step.to } else { step.from }].map(|place| self.definition_at(place));
        if ends == [Some(origin), Some(other)] {
            return call_location(CALLED, &path, line);
        }
        if ends == [Some(other), Some(origin)] {
            return call_location(CALLS_IT, &path, line);
        }
        let [caller, callee] = ends.map(|id| id.map_or("the file", |id| self.graph.name(id)));
        call_location(&format!("{caller} calls {callee}"), &path, line)
    }

    /// Returns the name of the definition where a section along the tree meets a call on the path.
    fn between(&self, path: &[PathEdge], run: &[PathEdge], origin: DefinitionId, other: DefinitionId) -> Option<&str> {
        let continues = run.last()? != path.last()?;
        let inner = if continues { run.last()?.to } else { run.first()?.from };
        let id = self.definition_at(inner).filter(|id| *id != origin && *id != other)?;
        (run.len() < path.len()).then(|| self.graph.name(id))
    }

    fn definition_at(&self, place: PathNode) -> Option<DefinitionId> {
        let PathNode::Syntax(file, node) = place else { return None };
        self.definition_around(file, node)
    }

    /// Returns the call site of a call edge, and true if the path follows the call to its callee.
    fn site(&self, step: &PathEdge) -> (PathNode, bool) {
        let is_outgoing = self.search.calls(step.from, step.to);
        (if is_outgoing { step.from } else { step.to }, is_outgoing)
    }

    /// Describes the smallest node that contains both ends of a section along the tree. Returns
    /// `None` if one end contains the other.
    fn shared(&self, run: &[PathEdge]) -> Option<String> {
        let (first, last) = (run.first()?.from, run.last()?.to);
        let places = std::iter::once(first).chain(run.iter().map(|step| step.to));
        let top = places.min_by_key(|&place| height(place))?;
        if top == first || top == last {
            return None;
        }
        Some(match top {
            PathNode::Directory(id) => match self.search.directory(id) {
                "" => "same repository".to_owned(),
                path => format!("same directory {path}"),
            },
            PathNode::File(_) => "same file".to_owned(),
            PathNode::Syntax(..) => match self.definition_at(top) {
                Some(id) => format!("same {} {}", self.graph.definition(id).kind().name(), self.graph.name(id)),
                None => "same file".to_owned(),
            },
        })
    }

    /// Returns the innermost named definition at or around a syntax node.
    fn definition_around(&self, file: FileId, node: u32) -> Option<DefinitionId> {
        let tree = &self.search.file(file).tree;
        let ids = self.graph.definitions_of(file);
        let around = |id: &DefinitionId| {
            let start = self.graph.definition(*id).node;
            start != 0 && start <= node && node < tree.after(start)
        };
        ids.filter(|id| !self.graph.name(*id).is_empty()).rfind(around)
    }

    fn via(&mut self, step: &PathEdge) -> (EdgeKind, Place) {
        let at = if step.kind == EdgeKind::Call { self.site(step).0 } else { step.to };
        let (path, line) = self.place(at);
        (step.kind, Place::of_line(&path, line))
    }

    fn place(&mut self, place: PathNode) -> (String, u32) {
        match place {
            PathNode::Directory(id) => (self.search.directory(id).to_owned(), 0),
            PathNode::File(file) => (self.graph.path(file).to_owned(), 1),
            PathNode::Syntax(file, node) => {
                let ends = self.lines.entry(file).or_insert_with(|| LineEnds::unpack(self.graph.line_ends(file)));
                let start = self.search.file(file).tree.nodes()[node as usize].start;
                (self.graph.path(file).to_owned(), ends.line(start))
            }
        }
    }
}

/// Returns a sort key that is smaller for places higher up in the tree. In each group of places,
/// parents come before children.
fn height(place: PathNode) -> (u8, u32) {
    match place {
        PathNode::Directory(id) => (0, id.0),
        PathNode::File(file) => (1, file.0),
        PathNode::Syntax(_, node) => (2, node),
    }
}
