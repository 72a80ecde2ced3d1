//! One step from a definition back to what runs it: callers, and tests that run a setup function.

use super::super::calls::{inside, may_dispatch, may_run};
use super::super::named::Named;
use super::super::references::{UseKind, references};
use super::roles::{Role, Roles, is_test};
use crate::search::ListingFilter;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use whichfn_graph::CallReason;
use whichfn_index::source::Sources;
use whichfn_index::store::{CallRow, GraphFile};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Registry};

/// Weight of a step that is a guess, in calls: a call that is matched by name only, or a method
/// that the language may run on an object.
pub const GUESS: u32 = 4;

/// Weight of a call that runs the definition only if it is dispatched to it, in calls.
pub const DISPATCH: u32 = 2;

/// Maximum number of overrides of a method that its calls lead to; the first ones that are reached.
/// The first override that is reached is the nearest, so the shortest ways through the method are
/// complete. The other overrides are not looked up again, which bounds the work for a method with
/// thousands of overrides.
const MAX_OVERRIDES: usize = 100;

/// Maximum number of definitions without callers whose uses are looked up, and of files that these
/// lookups consider together: a lookup considers each file of the repository.
const MAX_LOOKUPS: usize = 20;
const MAX_FILES: usize = 10_000;
/// Maximum number of definitions with the name of a function whose uses are looked up. Uses of a
/// more frequent name are rarely certain, and each look-up resolves all of them.
const MAX_NAMESAKES: usize = 50;
/// Maximum number of methods without callers and uses that are reached where their object is
/// created.
const MAX_UNKNOWN: usize = 300;

/// Kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// A call, with the reason for its link.
    Call(CallReason),
    /// A test runner runs the function before a test.
    Setup,
    /// The function is defined inside a test.
    Inside,
    /// The language runs the method on an object that the other function creates: `__eq__`.
    Object,
    /// The other function reads the property, or passes or stores the function.
    Use,
}

impl StepKind {
    /// Returns the name for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call(reason) => reason.name(),
            Self::Setup => "setup",
            Self::Inside => "inside",
            Self::Object => "object",
            Self::Use => "use",
        }
    }

    /// Returns the kind in a few words, for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Call(reason) => reason.phrase(),
            Self::Setup => "runs before the test",
            Self::Inside => "defined in the test",
            Self::Object => "creates the object",
            Self::Use => "uses it",
        }
    }

    /// Checks whether the step may not exist: a call that is matched by name only.
    pub fn is_guess(self) -> bool {
        self.counts().1 > 0
    }

    /// Returns the weight of the step, in calls.
    pub(super) fn weight(self) -> u32 {
        match self {
            Self::Call(CallReason::Name) | Self::Object => GUESS,
            Self::Call(CallReason::Dispatch) | Self::Use => DISPATCH,
            Self::Call(_) | Self::Setup => 1,
            Self::Inside => 0,
        }
    }

    /// Returns the number of calls, and the number of guesses among them.
    pub(super) fn counts(self) -> (u32, u32) {
        match self {
            Self::Call(CallReason::Name) => (1, 1),
            Self::Call(_) | Self::Setup | Self::Object | Self::Use => (1, 0),
            Self::Inside => (0, 0),
        }
    }
}

/// A step from a definition to one that runs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// The definition that runs it: a named definition, or an anonymous function that is a test.
    pub to: DefinitionId,
    pub kind: StepKind,
    /// The call with the definition that contains it; `None` if a test runner makes the step.
    pub call: Option<(DefinitionId, CallRow)>,
}

/// The calls of an overridden method that may be dispatched, its overrides, and the number of
/// overrides that the calls lead to so far.
type DispatchedCalls = (Vec<CallerWithCall>, Vec<DefinitionId>, usize);

/// Finds the steps back from a definition.
pub(super) struct Callers<'a> {
    sources: &'a Sources<'a>,
    registry: &'a Registry,
    graph: &'a GraphFile,
    pub roles: Roles<'a>,
    /// For each overridden method, its calls that may be dispatched.
    dispatched: FxHashMap<DefinitionId, DispatchedCalls>,
    /// Overrides beyond [`MAX_OVERRIDES`].
    left_out: FxHashSet<DefinitionId>,
    /// Number of definitions whose uses may still be looked up.
    lookups: usize,
    /// Number of methods without callers and uses so far.
    unknown: usize,
}

/// A call with the definition that makes it.
type CallerWithCall = (DefinitionId, CallRow);

impl<'a> Callers<'a> {
    pub fn new(sources: &'a Sources<'a>, registry: &'a Registry) -> Self {
        let (graph, roles) = (sources.graph(), Roles::new(sources, registry));
        Self {
            sources,
            registry,
            graph,
            roles,
            dispatched: FxHashMap::default(),
            left_out: FxHashSet::default(),
            lookups: (MAX_FILES / graph.file_count().max(1)).clamp(1, MAX_LOOKUPS),
            unknown: 0,
        }
    }

    /// Returns the steps from a definition, with at most one to each other definition. A test is
    /// run by no other definition.
    pub fn of(&mut self, id: DefinitionId) -> Vec<Step> {
        self.sources.needs_calls_of(self.graph.file_around(id));
        let role = self.roles.role(id);
        if matches!(role, Role::Case | Role::CaseMacro) {
            return Vec::new();
        }
        let mut steps = self.calls(id);
        match role {
            Role::Setup => steps.extend(self.cases_around(id).into_iter().map(|case| by_runner(case, StepKind::Setup))),
            Role::Automatic => {
                steps.extend(self.cases_in_scope(id).into_iter().map(|case| by_runner(case, StepKind::Setup)));
            }
            Role::Case | Role::CaseMacro | Role::None => {}
        }
        if self.roles.is_hook(id) {
            steps.extend(self.creators(id));
        }
        let inner = self.cases_inside(id);
        steps.extend(inner.into_iter().map(|case| by_runner(case, StepKind::Setup)));
        steps.extend(self.case_around(id).map(|case| by_runner(case, StepKind::Inside)));
        if steps.is_empty() {
            steps = self.users(id);
        }
        // Code outside the repository runs it.
        if steps.is_empty() && self.unknown < MAX_UNKNOWN {
            self.unknown += 1;
            steps = self.creators(id);
        }
        steps.sort_by_key(|step| (step.to, step.kind.weight(), step.kind));
        steps.dedup_by_key(|step| step.to);
        steps
    }

    fn calls(&mut self, id: DefinitionId) -> Vec<Step> {
        let graph = self.graph;
        let of = |caller: DefinitionId| graph.calls(caller).iter().map(move |row| (caller, *row));
        let direct = graph.callers(id).iter().flat_map(|&caller| of(caller)).filter(|(_, row)| row.callee == id);
        let is_run = |call: &CallerWithCall| graph.traits(call.0).kind() != DefinitionKind::Mount;
        let calls: Vec<CallerWithCall> = direct.chain(self.dispatched(id)).filter(is_run).collect();
        let mut best: BTreeMap<DefinitionId, Step> = BTreeMap::new();
        for (caller, row) in calls {
            let to = self.block_around(caller, row.site);
            let step = Step { to, kind: StepKind::Call(row.reason()), call: Some((caller, row)) };
            let key = |step: &Step| (step.kind.weight(), step.call.map(|(_, row)| (row.line, row.site)));
            let known = best.entry(step.to).or_insert(step);
            if key(&step) < key(known) {
                *known = step;
            }
        }
        best.into_values().collect()
    }

    /// Returns the calls of the methods that a method overrides, if they may run it.
    fn dispatched(&mut self, id: DefinitionId) -> Vec<CallerWithCall> {
        let (graph, types, mut found) = (self.graph, &self.roles.types, Vec::new());
        if self.left_out.contains(&id) {
            return found;
        }
        for base in types.overridden(id) {
            let (calls, overrides, count) = self.dispatched.entry(base).or_insert_with(|| {
                let overrides = types.overrides(base);
                let of = |&caller: &DefinitionId| graph.calls(caller).iter().map(move |row| (caller, *row));
                let calls = graph.callers(base).iter().flat_map(of).filter(|(_, row)| row.callee == base);
                let may_dispatch =
                    |(caller, row): &CallerWithCall| may_dispatch(graph, types, *caller, *row, &overrides);
                (calls.filter(may_dispatch).collect(), overrides, 0)
            });
            *count += 1;
            let calls = calls.iter().filter(|(caller, row)| may_run(graph, types, *caller, *row, id));
            found.extend(calls.map(|(caller, row)| (*caller, row.redirected(id, CallReason::Dispatch))));
            if *count == MAX_OVERRIDES {
                self.left_out.extend(overrides.iter().copied());
            }
        }
        found
    }

    /// Returns what runs a call: the innermost block around it that a test runner runs, or `caller`,
    /// the named definition around it, whichever is inside the other.
    fn block_around(&mut self, caller: DefinitionId, site: u32) -> DefinitionId {
        let blocks = self.roles.blocks(self.graph.file_around(caller));
        // An enclosing definition precedes the definitions inside it.
        blocks.around(site).map_or(caller, |block| block.max(caller))
    }

    /// Returns the named definition around a definition, or the block around it that a test runner
    /// runs.
    fn run_by(&mut self, id: DefinitionId) -> DefinitionId {
        let blocks = self.roles.blocks(self.graph.file_around(id));
        let mut at = id;
        while self.graph.definition(at).kind() == DefinitionKind::Anonymous && !blocks.contains(at) {
            at = self.graph.definition(at).parent;
        }
        at
    }

    /// Returns the definitions that use a function without calling it: they read a property, or
    /// pass or store the function.
    fn users(&mut self, id: DefinitionId) -> Vec<Step> {
        let graph = self.graph;
        if !graph.definition(id).kind().is_function() || is_test(graph, id) || self.lookups == 0 {
            return Vec::new();
        }
        self.lookups -= 1;
        if graph.named(graph.name(id)).len() > MAX_NAMESAKES {
            return Vec::new();
        }
        let users = users_of(self.sources, self.registry, Named::Definition(id));
        let users: BTreeSet<_> = users.into_iter().map(|user| self.run_by(user)).filter(|user| *user != id).collect();
        users.into_iter().map(|user| by_runner(user, StepKind::Use)).collect()
    }

    /// Returns the calls that create an object of a method's type.
    fn creators(&mut self, id: DefinitionId) -> Vec<Step> {
        let (graph, types) = (self.graph, &self.roles.types);
        let Some(owner) = types.type_of(id).filter(|_| graph.definition(id).kind().is_function()) else {
            return Vec::new();
        };
        let parts = inside(graph, owner).into_iter();
        let functions: BTreeSet<_> = parts.filter(|&part| types.type_of(part) == Some(owner)).collect();
        let constructors: Vec<_> = functions.into_iter().filter(|&part| self.roles.creates(part, owner)).collect();
        let calls = constructors.into_iter().chain([owner]).flat_map(|part| self.calls(part)).collect::<Vec<_>>();
        let is_known = |step: &Step| step.kind.counts().1 == 0;
        calls.into_iter().filter(is_known).map(|step| Step { kind: StepKind::Object, ..step }).collect()
    }

    /// Returns the tests inside a definition whose own code runs before them: a type or a file in
    /// test code, or a function that passes tests to calls (`main` in Dart, `describe`).
    pub fn cases_inside(&mut self, id: DefinitionId) -> Vec<DefinitionId> {
        let (graph, kind) = (self.graph, self.graph.definition(id).kind());
        if !is_test(graph, id) {
            return Vec::new();
        }
        if !kind.is_function() && kind != DefinitionKind::Anonymous {
            return self.cases(inside(graph, id));
        }
        let parent = |&at: &DefinitionId| Some(graph.definition(at).parent).filter(|parent| *parent != at);
        let is_inside = |case: &DefinitionId| std::iter::successors(parent(case), parent).any(|at| at == id);
        // What is inside a definition follows it directly.
        let blocks = self.roles.blocks(graph.file_around(id));
        blocks.cases_after(id).iter().copied().take_while(is_inside).collect()
    }

    /// Returns the test that a definition is nested in.
    fn case_around(&mut self, id: DefinitionId) -> Option<DefinitionId> {
        if !is_test(self.graph, id) {
            return None;
        }
        let mut at = id;
        loop {
            let parent = self.graph.definition(at).parent;
            if parent == at {
                return None;
            }
            at = parent;
            if self.roles.role(at) == Role::Case {
                return Some(at);
            }
        }
    }

    /// Returns the tests in the type, block or file around a setup function.
    fn cases_around(&mut self, id: DefinitionId) -> Vec<DefinitionId> {
        let parent = self.graph.definition(id).parent;
        self.cases(inside(self.graph, parent))
    }

    /// Returns the tests that a fixture may apply to.
    fn cases_in_scope(&mut self, id: DefinitionId) -> Vec<DefinitionId> {
        let (graph, scope) = (self.graph, self.roles.scope(id));
        let all = graph.file_ids().filter(|&file| scope.contains(graph.path(file)));
        self.cases(all.flat_map(|file| graph.definitions_of(file)).collect())
    }

    fn cases(&mut self, among: Vec<DefinitionId>) -> Vec<DefinitionId> {
        among.into_iter().filter(|&id| self.roles.role(id) == Role::Case).collect()
    }
}

fn by_runner(to: DefinitionId, kind: StepKind) -> Step {
    Step { to, kind, call: None }
}

/// Returns the definitions whose code certainly uses a definition or value: they call, read, pass
/// or store it.
pub fn users_of(sources: &Sources<'_>, registry: &Registry, named: Named) -> Vec<DefinitionId> {
    // A language with invalid data has no uses.
    let Ok(found) = references(sources, registry, named, usize::MAX, &ListingFilter::ALL) else { return Vec::new() };
    let uses = found.uses.iter().take(found.certain);
    let runs = uses.filter(|one| matches!(one.kind, UseKind::Call | UseKind::Attribute | UseKind::Value));
    let users: BTreeSet<DefinitionId> = runs.map(|one| one.around).collect();
    users.into_iter().collect()
}

/// Returns what a definition represents: a type or a file, everything in it.
pub fn parts_of(graph: &GraphFile, id: DefinitionId) -> Vec<DefinitionId> {
    if graph.definition(id).kind().is_function() { vec![id] } else { inside(graph, id) }
}
