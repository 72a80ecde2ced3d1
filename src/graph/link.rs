//! Calls to edges: what the points-to analysis found, and for calls of which nothing is known, definitions of that
//! name.

use super::edge::CallReason;
use super::fact_rows::CallPlace;
use super::file_facts::{FileFacts, FileValue};
use super::mailbox::MailWriter;
use super::messages::KeptMessage;
use super::modules::Paths;
use super::names::{Names, Source};
use super::points_to::PointsTo;
use crate::ids::{CallId, DefinitionId, FileId, LocalId};
use crate::lang::{DefinitionKind, LangId, Registry, Scopes};
use crate::parse::{Symbol, symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// An unknown object's member links to at most this many definitions of its name; more would say nothing.
pub(super) const MOST_BY_NAME: usize = 3;

/// A call site and a definition that it may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallEdge {
    /// The definition around the call site; never an anonymous one.
    pub caller: DefinitionId,
    /// The definition called.
    pub callee: DefinitionId,
    /// Where the call stands in the caller's file.
    pub site: CallPlace,
    /// How the callee was found.
    pub reason: CallReason,
}

/// The calls of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Linked {
    /// Call edges in order of caller, site and callee.
    pub edges: Vec<CallEdge>,
    /// Call sites without an edge, if linking came to the bound of its work: some of them may lead somewhere. Else 0.
    pub left_out: u32,
    /// The steps that were taken for each group of languages, by its first one: visits of modules, candidates and
    /// constraints.
    pub steps: BTreeMap<LangId, u64>,
    /// What each file that was linked was told by others,; nothing if linking came to its bound.
    pub mail: Vec<(FileId, Vec<u8>)>,
}

/// Links the files of a repository whose facts are given. `sources` are all files, in order of path; definitions are numbered
/// through them. Linking goes by languages that are linked together ([`Registry::linked_together`]): the edges of one such
/// group depend on its own files and on the paths of all. Of a group either all facts are given or none.
pub fn link(sources: &[Source<'_>], registry: &Registry) -> Linked {
    let paths = Paths::new(sources.iter().map(|s| s.path));
    let mut linked = Linked::default();
    for (language, files) in groups(sources, registry) {
        link_group(language, sources, &files, &paths, registry, &mut linked);
    }
    // Files come one after another, so there is little to do but where groups of languages meet.
    linked.edges.sort();
    linked
}

/// The files with facts, by languages that are linked together.
pub(super) fn groups(sources: &[Source<'_>], registry: &Registry) -> BTreeMap<LangId, Vec<FileId>> {
    let together = registry.linked_together();
    let mut groups: BTreeMap<LangId, Vec<FileId>> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        if let (Some(language), Some(_)) = (source.language, source.facts) {
            let group = together.get(usize::from(language.0)).copied().unwrap_or(language);
            groups.entry(group).or_default().push(FileId::new(number));
        }
    }
    groups
}

/// Adds the edges between the files of one group.
fn link_group(
    language: LangId,
    sources: &[Source<'_>],
    files: &[FileId],
    paths: &Paths,
    registry: &Registry,
    linked: &mut Linked,
) {
    let mut names = Names::new(sources, files, paths, registry);
    tracing::debug!(files = files.len(), pointers = names.pointer_count(), steps = names.budget.spent(), "names");
    let mut mail = MailWriter::default();
    let points_to = PointsTo::solve(&mut names, files, &[], |names, arriving| {
        KeptMessage::new(names, arriving).iter().for_each(|kept| mail.keep(kept));
    });
    tracing::debug!("solved");
    let (edges, without) = edges_in_whole(&points_to, files, sources);
    drop(points_to);
    let budget = &names.budget;
    let left_out = if budget.is_spent() { without } else { 0 };
    tracing::debug!(steps = budget.spent(), budget = budget.limit(), left_out, "calls");
    linked.edges.extend(edges);
    linked.left_out += left_out;
    linked.steps.insert(language, budget.spent());
    if !budget.is_spent() {
        linked.mail.extend(mail.finish(files));
    }
}

/// The edges of the calls in some files that were solved, in numbers of the whole repository, and how many call sites have
/// none.
pub(super) fn edges_in_whole(
    points_to: &PointsTo<'_, '_>,
    files: &[FileId],
    sources: &[Source<'_>],
) -> (Vec<CallEdge>, u32) {
    let (mut edges, without) = edges_of(points_to, files);
    let names = points_to.names();
    let (mut starts, mut first) = (Vec::with_capacity(sources.len()), 0);
    for source in sources {
        starts.push(first);
        first += source.definitions;
    }
    let whole = |id: DefinitionId| {
        let (file, local) = names.local(id);
        DefinitionId(starts[file.index()] + local.0)
    };
    for edge in &mut edges {
        (edge.caller, edge.callee) = (whole(edge.caller), whole(edge.callee));
    }
    (edges, without)
}

/// The edges in numbers of the files that are linked.
fn edges_of(points_to: &PointsTo<'_, '_>, files: &[FileId]) -> (Vec<CallEdge>, u32) {
    let names = points_to.names();
    let by_name = ByName::new(names);
    let (mut edges, mut without, mut reached) = (Vec::new(), 0, Vec::new());
    for &file in files {
        let (facts, Some(slots)) = (names.facts(file), points_to.files.get(&file)) else { continue };
        let (mut guessed, first) = (FxHashMap::default(), edges.len());
        for (number, place) in facts.call_ids().zip(facts.places()) {
            let call = facts.call(number);
            let caller = names.offsets(file).definition(named(facts, call.scope));
            let before = edges.len();
            let mut add = |callee, reason| {
                edges.push(CallEdge { caller, callee, site: *place, reason });
            };
            reached.clear();
            reached.extend(slots.reached.iter(number));
            reached.sort_unstable();
            if reached.is_empty() {
                let guess = by_name.guess(points_to, file, number, &mut guessed);
                guess.iter().for_each(|&id| add(id, CallReason::Name));
            }
            for id in fitting(names, &reached, facts.arguments(number).len()) {
                if names.kind(id) != DefinitionKind::Anonymous {
                    add(id, points_to.reason(file, number, id));
                }
            }
            without += u32::from(edges.len() == before);
        }
        sort_from(first, &mut edges);
    }
    (edges, without)
}

/// Puts the edges from a place on in order, each once.
fn sort_from(first: usize, edges: &mut Vec<CallEdge>) {
    let mut own = edges.split_off(first);
    own.sort_unstable();
    own.dedup();
    edges.append(&mut own);
}

/// The nearest definition around a scope that has a name (or is the file).
fn named(facts: &FileFacts<'_>, mut scope: LocalId) -> LocalId {
    while facts.kind(scope) == DefinitionKind::Anonymous {
        scope = facts.definition(scope).parent;
    }
    scope
}

/// Of overloads (same name, same place around) only those that take this many arguments, if there are any.
fn fitting<'r>(
    names: &'r Names<'_>,
    reached: &'r [DefinitionId],
    arguments: usize,
) -> impl Iterator<Item = DefinitionId> + 'r {
    let fits = move |id| names.parameter_count(id) == arguments;
    let overloads = move |a, b| names.definition(a).qualified_name == names.definition(b).qualified_name;
    let is_better = move |id, other| other != id && overloads(id, other) && fits(other);
    let keep = move |id| fits(id) || !reached.iter().any(|&other| is_better(id, other));
    reached.iter().copied().filter(move |&id| keep(id))
}

/// Methods by name, for objects of unknown type.
struct ByName {
    methods: FxHashMap<Symbol, Vec<DefinitionId>>,
    /// Names of members of built-in types, by language rules.
    common: FxHashMap<*const Scopes, FxHashSet<Symbol>>,
}

impl ByName {
    fn new(names: &Names<'_>) -> Self {
        let mut methods: FxHashMap<Symbol, Vec<DefinitionId>> = FxHashMap::default();
        for id in names.definitions() {
            let definition = names.definition(id);
            if definition.kind == DefinitionKind::Method {
                methods.entry(definition.name).or_default().push(id);
            }
        }
        let mut common: FxHashMap<*const Scopes, FxHashSet<Symbol>> = FxHashMap::default();
        for scopes in names.files().filter_map(|file| names.scopes(file)) {
            common
                .entry(std::ptr::from_ref(scopes))
                .or_insert_with(|| scopes.common_members.iter().map(|n| symbol(n)).collect());
        }
        Self { methods, common }
    }

    fn is_common(&self, scopes: Option<&Scopes>, name: Symbol) -> bool {
        scopes.is_some_and(|scopes| self.common.get(&std::ptr::from_ref(scopes)).is_some_and(|set| set.contains(&name)))
    }

    /// Methods that a call of an unknown object's member may mean. `guessed` is what was found for names of this file before.
    fn guess<'g>(
        &self,
        points_to: &PointsTo<'_, '_>,
        file: FileId,
        call: CallId,
        guessed: &'g mut FxHashMap<Symbol, Vec<DefinitionId>>,
    ) -> &'g [DefinitionId] {
        let names = points_to.names();
        let facts = names.facts(file);
        let FileValue::Access(object, name) = facts.value(facts.call(call).callee) else {
            return &[];
        };
        if points_to.knows(file, object) || self.is_common(names.scopes(file), name) {
            return &[];
        }
        guessed.entry(name).or_insert_with(|| self.nearest(names, file, name))
    }

    /// Methods of a name in the same language: those of the file, else of the directory, else of the repository; none if there
    /// are more than [`MOST_BY_NAME`].
    fn nearest(&self, names: &Names<'_>, file: FileId, name: Symbol) -> Vec<DefinitionId> {
        let all = self.methods.get(&name).map_or(&[][..], Vec::as_slice).iter().copied();
        if !names.budget.take(all.len()) {
            return Vec::new();
        }
        let same_language = |id: &DefinitionId| names.language(names.file_of(*id)) == names.language(file);
        let candidates: Vec<DefinitionId> = all.filter(same_language).collect();
        let in_file = |id: &DefinitionId| names.file_of(*id) == file;
        let directory = |file: FileId| names.paths.directory_of(file);
        let in_directory = |id: &DefinitionId| directory(names.file_of(*id)) == directory(file);
        for near in [&in_file as &dyn Fn(&DefinitionId) -> bool, &in_directory, &|_| true] {
            let found: Vec<DefinitionId> = candidates.iter().copied().filter(|id| near(id)).collect();
            if !found.is_empty() {
                return if found.len() <= MOST_BY_NAME { found } else { Vec::new() };
            }
        }
        Vec::new()
    }
}
