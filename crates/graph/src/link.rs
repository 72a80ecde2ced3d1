//! Builds call edges from the result of the points-to analysis. A call whose object is unknown is
//! linked to methods of the called name.

use super::budget::MAX_BY_NAME;
use super::call_targets::CallTargets;
use super::edge::CallReason;
use super::fact_rows::CallPlace;
use super::file_facts::{FileFacts, FileValue};
use super::hierarchy::Hierarchy;
use super::modules::Paths;
use super::names::{Names, Source};
use super::namesakes::Namesakes;
use super::overloads::takes;
use super::points_to::{AbstractObject, PointsTo};
use super::relink::mailbox::MessageLog;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use whichfn_syntax::ids::{CallId, DefinitionId, FileId, LocalId};
use whichfn_syntax::lang::{DefinitionKind, LangId, Registry, Scopes};
use whichfn_syntax::parse::{Symbol, symbol};

/// A call site and a definition that it may reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallEdge {
    /// The named definition around the call site; never an anonymous one.
    pub caller: DefinitionId,
    /// The definition called.
    pub callee: DefinitionId,
    /// Position of the call in the caller's file.
    pub site: CallPlace,
    /// The reason why the callee was found.
    pub reason: CallReason,
}

/// The calls of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Linked {
    /// Call edges, sorted by caller, site and callee.
    pub edges: Vec<CallEdge>,
    /// Number of call sites without an edge, by language, for each group of languages whose linking
    /// reached its step limit. Some of these calls may lead somewhere.
    pub left_out: BTreeMap<LangId, u32>,
    /// Steps taken for each group of languages (visits of modules, candidates and constraints), by
    /// the first language of the group.
    pub steps: BTreeMap<LangId, u64>,
    /// Messages that each linked file received from others, in stored form; none for the groups in
    /// `left_out`.
    pub mail: Vec<(FileId, Vec<u8>)>,
    /// The bases and owners that the files declare.
    pub hierarchy: Hierarchy,
}

impl Linked {
    /// Adds the calls of another group of languages.
    pub(super) fn add(&mut self, other: Self) {
        self.edges.extend(other.edges);
        self.left_out.extend(other.left_out);
        self.steps.extend(other.steps);
        self.mail.extend(other.mail);
        self.hierarchy.add(other.hierarchy);
    }
}

/// Links the files of a repository, whose directory is named `root`. `sources` contains all files,
/// sorted by path; definitions are numbered across them. Languages that are linked together
/// ([`Registry::linked_together`]) form a group. The edges of a group depend on its own files and
/// on the paths of all files. Either all files of a group have facts, or none.
pub fn link(root: &str, sources: &[Source<'_>], registry: &Registry) -> Linked {
    let paths = Paths::of_root(root, sources.iter().map(|s| s.path));
    let mut linked = Linked::default();
    for (language, files) in groups(sources, registry) {
        linked.add(link_group(language, sources, &files, &paths, registry));
    }
    // The edges of each group are already sorted by file, so this mostly merges the groups.
    linked.edges.sort();
    linked.hierarchy.sort();
    linked
}

/// Returns the files that have facts, by group of languages that are linked together.
pub(super) fn groups(sources: &[Source<'_>], registry: &Registry) -> BTreeMap<LangId, Vec<FileId>> {
    let together = registry.linked_together();
    let mut groups: BTreeMap<LangId, Vec<FileId>> = BTreeMap::new();
    for (number, source) in sources.iter().enumerate() {
        if let (Some(language), Some(_)) = (source.language, source.facts) {
            groups.entry(together.of(language)).or_default().push(FileId::new(number));
        }
    }
    groups
}

/// Links the files of one group.
pub(super) fn link_group(
    language: LangId,
    sources: &[Source<'_>],
    files: &[FileId],
    paths: &Paths,
    registry: &Registry,
) -> Linked {
    let mut names = Names::for_calls(sources, files, paths, registry);
    tracing::debug!(files = files.len(), pointers = names.pointer_count(), steps = names.budget.spent(), "names");
    let mut log = MessageLog::default();
    let points_to = PointsTo::solve(&mut names, files, &[], |names, message| log.record(names, message));
    tracing::debug!("solved");
    let budget = &points_to.names().budget;
    let mut steps = budget.spent();
    // Objects that the solver did not reach are unknown, so no call may be linked by its name only.
    // Names still say what some calls mean.
    let by = if budget.is_spent() { Unreached::ByDeclaration } else { Unreached::ByName };
    if by == Unreached::ByDeclaration {
        budget.renew();
    }
    let (edges, unresolved, hierarchy) = edges_with_repository_numbers(&points_to, files, sources, by);
    let is_spent = by == Unreached::ByDeclaration || budget.is_spent();
    steps = steps.max(budget.spent());
    let left_out = if is_spent { unresolved } else { BTreeMap::new() };
    tracing::debug!(steps, budget = budget.limit(), ?left_out, "calls");
    let mail = if is_spent { Vec::new() } else { log.into_mail(files) };
    Linked { edges, left_out, steps: BTreeMap::from([(language, steps)]), mail, hierarchy }
}

/// How calls are linked for which the solver found no function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreached {
    /// To the few methods with the name, if the object is unknown.
    ByName,
    /// To the function that the name refers to by its scope, its imports or the type around it.
    ByDeclaration,
}

/// Returns the call edges of the given solved files, in repository-wide numbers, the number of
/// call sites without an edge by language, and the hierarchy that the files declare.
pub(super) fn edges_with_repository_numbers(
    points_to: &PointsTo<'_, '_>,
    files: &[FileId],
    sources: &[Source<'_>],
    by: Unreached,
) -> (Vec<CallEdge>, BTreeMap<LangId, u32>, Hierarchy) {
    let (mut edges, unresolved) = edges_of(points_to, files, by);
    let names = points_to.names();
    let (mut starts, mut first) = (Vec::with_capacity(sources.len()), 0);
    for source in sources {
        starts.push(first);
        first += source.definitions;
    }
    let repository_id = |id: DefinitionId| {
        let (file, local) = names.local(id);
        DefinitionId(starts[file.index()] + local.0)
    };
    for edge in &mut edges {
        (edge.caller, edge.callee) = (repository_id(edge.caller), repository_id(edge.callee));
    }
    let hierarchy = Hierarchy::of_files(names, files, repository_id);
    (edges, unresolved, hierarchy)
}

/// Returns the edges in the numbering of the linked files, and the number of call sites without an
/// edge by language.
fn edges_of(points_to: &PointsTo<'_, '_>, files: &[FileId], by: Unreached) -> (Vec<CallEdge>, BTreeMap<LangId, u32>) {
    let names = points_to.names();
    let methods_by_name = MethodsByName::new(names);
    let (mut edges, mut unresolved) = (Vec::new(), BTreeMap::new());
    for &file in files {
        let mut without_edge = 0;
        let (facts, first, targets) = (names.facts(file), edges.len(), CallTargets::new(points_to, file));
        let mut guesses = Guesses::new(facts);
        // The entry is linked to what it runs, so the call that registers it passes nothing.
        let registers = |call: &CallId| facts.kind(facts.call(*call).scope).is_registered();
        let registrations = facts.call_ids().filter(registers).map(|call| facts.places()[call.index()].node);
        let registrations: FxHashSet<u32> = registrations.collect();
        for (number, place) in facts.call_ids().zip(facts.places()) {
            let call = facts.call(number);
            let caller = names.offsets(file).definition(named_scope(facts, call.scope));
            let before = edges.len();
            let mut add = |callee, reason| {
                edges.push(CallEdge { caller, callee, site: *place, reason });
            };
            let reached = targets.of(number, 0);
            if reached.is_empty() && by == Unreached::ByDeclaration {
                if let Some(id) = points_to.declared_callee(file, number) {
                    add(id, points_to.reason(file, number, &[id], id));
                }
            } else if reached.is_empty() {
                let guess = methods_by_name.guess(points_to, file, number, caller, &mut guesses);
                let guess = of_argument_count(names, file, number, guess);
                let may_mean = |id: &DefinitionId| !call.is_access || names.takes_nothing(*id);
                guess.into_iter().filter(may_mean).for_each(|id| add(id, CallReason::Name));
            }
            for &id in &reached {
                let reason = points_to.reason(file, number, &reached, id);
                // An object with functions is not itself a function.
                let is_function = !matches!(names.kind(id), DefinitionKind::Anonymous | DefinitionKind::Extension);
                if is_function && !is_test_double(names, caller, id, reason) {
                    add(id, reason);
                }
            }
            let is_outside = edges.len() == before;
            without_edge += u32::from(is_outside);
            if is_outside && !registrations.contains(&place.node) {
                let passed = functions_passed_by(points_to, file, number);
                let passed = passed.into_iter().filter(|&id| id != caller);
                let edge = |callee| CallEdge { caller, callee, site: *place, reason: CallReason::Passed };
                edges.extend(passed.map(edge));
            }
        }
        edges.extend(operator_edges(points_to, file));
        if let Some(language) = names.language(file) {
            *unresolved.entry(language).or_default() += without_edge;
        }
        sort_and_dedup_from(first, &mut edges);
    }
    (edges, unresolved)
}

/// Returns the methods with the name of a call that take as many arguments as it passes, in languages
/// with overloads; all of them if none does.
fn of_argument_count(
    names: &Names<'_>,
    file: FileId,
    call: CallId,
    mut methods: Vec<DefinitionId>,
) -> Vec<DefinitionId> {
    let count = names.facts(file).arguments(call).len();
    let fits = |&id: &DefinitionId| takes(names, id, count);
    if names.has_overloads(file) && methods.len() > 1 && methods.iter().any(fits) {
        methods.retain(fits);
    }
    methods
}

/// Returns the functions of the repository that the arguments of a call name, if it reaches none: a
/// library that takes a function usually calls it.
fn functions_passed_by(points_to: &PointsTo<'_, '_>, file: FileId, call: CallId) -> Vec<DefinitionId> {
    let names = points_to.names();
    let facts = names.facts(file);
    let mut functions = Vec::new();
    // `list(f, g)` keeps its arguments, but calls the key: `sorted(rows, key=f)`.
    let are_kept = points_to.keeps_arguments(file, call);
    let given = facts.arguments(call).filter(|(name, _)| name.is_some() || !are_kept);
    // A reference to a method (`Row::name`) is the method, and has a type.
    let parts = given.flat_map(|(_, argument)| match facts.value(argument) {
        FileValue::Any(parts) => parts.to_vec(),
        _ => vec![argument],
    });
    for argument in parts {
        let is_written = match facts.value(argument) {
            FileValue::Variable(_) | FileValue::Free { .. } | FileValue::Access(..) => true,
            FileValue::Call(written) => facts.call(written).is_access,
            _ => false,
        };
        if !is_written || points_to.is_open(file, argument) {
            continue;
        }
        let objects = points_to.objects(file, names.pointer_of(file, argument));
        let own = objects.filter_map(|object| match object {
            AbstractObject::Definition(id) | AbstractObject::BoundMethod(id) => Some(id),
            _ => None,
        });
        // `wraps(function)` in a decorator passes on what the decorator is given.
        let is_named = |id: DefinitionId| points_to.is_written_as(file, argument, id);
        functions.extend(own.filter(|&id| names.kind(id).is_function() && is_named(id)).take(MAX_BY_NAME));
    }
    functions.sort_unstable();
    functions.dedup();
    functions
}

/// Returns the edges from the operators and reads of members of a file to the methods of the objects
/// that the solver found. Such a call passes nothing on, so it has no part in solving.
fn operator_edges(points_to: &PointsTo<'_, '_>, file: FileId) -> Vec<CallEdge> {
    let (names, mut edges) = (points_to.names(), Vec::new());
    let facts = names.facts(file);
    for (operator, place) in facts.operators() {
        let caller = names.offsets(file).definition(named_scope(facts, operator.scope));
        let mut methods = points_to.members_of_objects(file, operator.object, operator.name);
        if operator.is_read {
            methods.retain(|&id| names.definition(id).is_property);
            methods.extend(points_to.getters_of_objects(file, operator.object, operator.name));
        }
        let reason = if operator.is_read { CallReason::Property } else { CallReason::Operator };
        methods.retain(|&id| names.may_use(file, operator.scope, id));
        if methods.len() > MAX_BY_NAME || points_to.is_open(file, operator.object) {
            // Almost any type of a program may define `==`.
            methods = names.common_methods(methods);
        }
        methods.retain(|&id| !is_test_double(names, caller, id, reason));
        let edge = |callee| CallEdge { caller, callee, site: *place, reason };
        edges.extend(methods.into_iter().map(edge));
    }
    edges
}

/// Sorts the edges from index `first` on, and removes duplicates.
fn sort_and_dedup_from(first: usize, edges: &mut Vec<CallEdge>) {
    let mut own = edges.split_off(first);
    own.sort_unstable();
    own.dedup();
    edges.append(&mut own);
}

/// Returns the innermost definition around a scope that is not anonymous; the file itself if there
/// is no other.
fn named_scope(facts: &FileFacts<'_>, mut scope: LocalId) -> LocalId {
    while facts.kind(scope) == DefinitionKind::Anonymous {
        scope = facts.definition(scope).parent;
    }
    scope
}

/// Checks whether a program's call reaches a definition of a test only because a test passes its
/// own object to the program. A program may name the code in a test directory, but never depends on
/// a test's implementation of an interface.
fn is_test_double(names: &Names<'_>, caller: DefinitionId, callee: DefinitionId, reason: CallReason) -> bool {
    let is_named = matches!(reason, CallReason::Scope | CallReason::Import | CallReason::Visible);
    // A handler may be named like a test.
    let is_handler = names.kind(caller).is_registered();
    !is_named && !is_handler && names.definition(callee).is_test && !names.definition(caller).is_test
}

/// The methods that a file's calls may refer to, by name.
struct Guesses {
    namesakes: Namesakes,
    /// Cache of the methods with a name. A function with that name that contains the call is left
    /// out, so it is part of the key.
    nearest: FxHashMap<(Symbol, Option<DefinitionId>, bool), Vec<DefinitionId>>,
}

impl Guesses {
    fn new(facts: &FileFacts<'_>) -> Self {
        Self { namesakes: Namesakes::new(facts), nearest: FxHashMap::default() }
    }
}

/// Methods by name, for objects of unknown type.
struct MethodsByName {
    methods: FxHashMap<Symbol, Vec<DefinitionId>>,
    /// Names of fields, in languages where a call may read one.
    fields: FxHashSet<Symbol>,
    /// Names of members of built-in types, by language rules.
    common: FxHashMap<*const Scopes, FxHashSet<Symbol>>,
    /// Names of built-in types, by language rules.
    builtin: FxHashMap<*const Scopes, FxHashSet<Symbol>>,
}

impl MethodsByName {
    fn new(names: &Names<'_>) -> Self {
        let mut methods: FxHashMap<Symbol, Vec<DefinitionId>> = FxHashMap::default();
        for id in names.definitions() {
            let definition = names.definition(id);
            if definition.kind == DefinitionKind::Method {
                methods.entry(definition.name).or_default().push(id);
            }
        }
        let (mut common, mut builtin) = (FxHashMap::default(), FxHashMap::default());
        let symbols = |names: &[String]| -> FxHashSet<Symbol> { names.iter().map(|name| symbol(name)).collect() };
        for scopes in names.files().filter_map(|file| names.scopes(file)) {
            common.entry(std::ptr::from_ref(scopes)).or_insert_with(|| symbols(&scopes.common_members));
            builtin.entry(std::ptr::from_ref(scopes)).or_insert_with(|| symbols(&scopes.builtin_types));
        }
        let has_readers = |id: DefinitionId| {
            let file = names.file_of(id);
            names.scopes(file).is_some_and(|scopes| scopes.messages) && names.kind(id).is_type()
        };
        let is_field = |(of_type, member): (DefinitionId, _)| has_readers(of_type) && names.bound(member).is_none();
        let fields = names.members.iter().filter(|&(&(id, _), &member)| is_field((id, member)));
        let fields = fields.map(|(&(_, name), _)| name).collect();
        Self { methods, fields, common, builtin }
    }

    fn is_common(&self, scopes: Option<&Scopes>, name: Symbol) -> bool {
        scopes.is_some_and(|scopes| self.common.get(&std::ptr::from_ref(scopes)).is_some_and(|set| set.contains(&name)))
    }

    /// Checks whether an object without a known value is a type of the language's library, or the
    /// receiver as an object of a base outside the repository.
    fn is_of_library(&self, scopes: Option<&Scopes>, object: &FileValue<'_>) -> bool {
        match object {
            FileValue::Super(_) => true,
            FileValue::Free { symbol, .. } => scopes.is_some_and(|scopes| {
                self.builtin.get(&std::ptr::from_ref(scopes)).is_some_and(|set| set.contains(symbol))
            }),
            _ => false,
        }
    }

    /// Returns the methods that a call of an unknown object's member may refer to. `guesses` caches
    /// the results for this file.
    fn guess(
        &self,
        points_to: &PointsTo<'_, '_>,
        file: FileId,
        call: CallId,
        caller: DefinitionId,
        guesses: &mut Guesses,
    ) -> Vec<DefinitionId> {
        let names = points_to.names();
        let facts = names.facts(file);
        let FileValue::Access(object, name) = facts.value(facts.call(call).callee) else {
            return Vec::new();
        };
        let reads_field = || names.scopes(file).is_some_and(|scopes| scopes.messages) && self.fields.contains(&name);
        let is_known = points_to.knows(file, object) && !points_to.is_member_read(file, object);
        if is_known || self.is_common(names.scopes(file), name) || reads_field() {
            return Vec::new();
        }
        if self.is_of_library(names.scopes(file), &facts.value(object)) {
            return Vec::new();
        }
        let around = names.definition(caller);
        let itself = (around.name == name).then_some(caller);
        if let FileValue::Variable(variable) = facts.value(object) {
            let methods = guesses.namesakes.methods(points_to, file, variable, name);
            if !methods.is_empty() {
                return methods;
            }
        }
        let key = (name, itself, around.is_test);
        guesses.nearest.entry(key).or_insert_with(|| self.nearest(names, file, name, caller)).clone()
    }

    /// Returns the methods of a name in the same language: from the file, else from the directory,
    /// else from the repository. Of more than [`MAX_BY_NAME`], returns the one that all others
    /// override, if any. Leaves out `caller`, because a function whose object is unknown rarely calls
    /// itself, and the methods of tests if `caller` is not one.
    fn nearest(&self, names: &Names<'_>, file: FileId, name: Symbol, caller: DefinitionId) -> Vec<DefinitionId> {
        let from_test = names.definition(caller).is_test;
        let all = self.methods.get(&name).map_or(&[][..], Vec::as_slice).iter().copied();
        if !names.budget.take(all.len()) {
            return Vec::new();
        }
        let same_language = |id: &DefinitionId| names.language(names.file_of(*id)) == names.language(file);
        let may_mean = |id: &DefinitionId| {
            let definition = names.definition(*id);
            let is_visible = names.file_of(*id) == file || names.may_use(file, LocalId::FILE, *id);
            *id != caller && is_visible && (from_test || !definition.is_test)
        };
        let candidates: Vec<DefinitionId> = all.filter(same_language).filter(may_mean).collect();
        let in_file = |id: &DefinitionId| names.file_of(*id) == file;
        let directory = |file: FileId| names.paths.directory_of(file);
        let in_directory = |id: &DefinitionId| directory(names.file_of(*id)) == directory(file);
        for is_near in [&in_file as &dyn Fn(&DefinitionId) -> bool, &in_directory, &|_| true] {
            let found: Vec<DefinitionId> = candidates.iter().copied().filter(|id| is_near(id)).collect();
            if !found.is_empty() {
                return match found.len() {
                    0..=MAX_BY_NAME => found,
                    _ => names.overridden_by_all(found).into_iter().collect(),
                };
            }
        }
        Vec::new()
    }
}
