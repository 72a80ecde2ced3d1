//! One step from a definition back to what runs it: callers, and tests that run a setup function or
//! a fixture.

use super::super::calls::inside;
use super::roles::{Role, Roles};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use whichfn_graph::CallReason;
use whichfn_index::source::Sources;
use whichfn_index::store::{CallRow, GraphFile};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::{DefinitionKind, Registry};

/// Kind of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StepKind {
    /// A call, with the reason for its link.
    Call(CallReason),
    /// A test runner passes the value of the function to a test that has a parameter of that name.
    Fixture,
    /// A test runner runs the function before a test.
    Setup,
    /// The function is defined inside a test.
    Inside,
}

impl StepKind {
    /// Returns the name for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Call(reason) => reason.name(),
            Self::Fixture => "fixture",
            Self::Setup => "setup",
            Self::Inside => "inside",
        }
    }

    /// Returns the kind in a few words, for people.
    pub fn phrase(self) -> &'static str {
        match self {
            Self::Call(reason) => reason.phrase(),
            Self::Fixture => "fixture",
            Self::Setup => "runs before the test",
            Self::Inside => "defined in the test",
        }
    }

    /// Returns the number of calls, and the number of guesses among them.
    pub(super) fn counts(self) -> (u32, u32) {
        match self {
            Self::Call(CallReason::Name) => (1, 1),
            Self::Call(_) | Self::Fixture | Self::Setup => (1, 0),
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

/// Finds the steps back from a definition.
pub(super) struct Callers<'a> {
    graph: &'a GraphFile,
    pub roles: Roles<'a>,
    /// Functions in test code that have a parameter with a given name, if a fixture was reached.
    by_parameter: Option<FxHashMap<&'a str, Vec<DefinitionId>>>,
}

impl<'a> Callers<'a> {
    pub fn new(sources: &'a Sources<'a>, registry: &'a Registry) -> Self {
        Self { graph: sources.graph(), roles: Roles::new(sources, registry), by_parameter: None }
    }

    /// Returns the steps from a definition, with at most one to each other definition. A test is
    /// run by no other definition.
    pub fn of(&mut self, id: DefinitionId) -> Vec<Step> {
        let role = self.roles.role(id);
        if role == Role::Case {
            return Vec::new();
        }
        let mut steps = self.calls(id);
        // Calls through a base type or an interface are calls of the overridden method; a step to
        // that method belongs here.
        match role {
            Role::Setup => steps.extend(self.cases_around(id).into_iter().map(|case| by_runner(case, StepKind::Setup))),
            Role::Fixture { is_automatic: true } => {
                steps.extend(self.cases_in_scope(id).into_iter().map(|case| by_runner(case, StepKind::Setup)));
            }
            Role::Fixture { is_automatic: false } => {
                steps.extend(self.users(id).into_iter().map(|user| by_runner(user, StepKind::Fixture)));
            }
            Role::Case | Role::None => {}
        }
        if self.is_test_scope(id) {
            steps.extend(self.cases(inside(self.graph, id)).into_iter().map(|case| by_runner(case, StepKind::Setup)));
        }
        steps.extend(self.case_around(id).map(|case| by_runner(case, StepKind::Inside)));
        steps.sort_by_key(|step| (step.to, step.kind.counts(), step.kind));
        steps.dedup_by_key(|step| step.to);
        steps
    }

    fn calls(&mut self, id: DefinitionId) -> Vec<Step> {
        let graph = self.graph;
        let mut best: BTreeMap<DefinitionId, Step> = BTreeMap::new();
        for &caller in graph.callers(id) {
            let rows = graph.calls(caller).iter().filter(|row| row.callee == id);
            let Some(row) = rows.min_by_key(|row| (row.reason() == CallReason::Name, row.line, row.site)) else {
                continue;
            };
            let step = Step { to: self.run_by(caller), kind: StepKind::Call(row.reason()), call: Some((caller, *row)) };
            let key = |step: &Step| (step.kind.counts(), step.call.map(|(_, row)| (row.line, row.site)));
            let known = best.entry(step.to).or_insert(step);
            if key(&step) < key(known) {
                *known = step;
            }
        }
        best.into_values().collect()
    }

    /// Returns the named definition around a definition, or the anonymous function around it that
    /// is a test or runs before tests.
    pub fn run_by(&mut self, id: DefinitionId) -> DefinitionId {
        let mut at = id;
        while self.graph.definition(at).kind() == DefinitionKind::Anonymous && self.roles.role(at) == Role::None {
            at = self.graph.definition(at).parent;
        }
        at
    }

    /// Checks whether a definition is a type or a file in test code: its own code runs before its
    /// tests.
    fn is_test_scope(&self, id: DefinitionId) -> bool {
        let row = self.graph.definition(id);
        row.is_test() && !row.kind().is_function()
    }

    /// Returns the test that a definition is nested in.
    fn case_around(&mut self, id: DefinitionId) -> Option<DefinitionId> {
        if !self.graph.definition(id).is_test() {
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

    /// Returns the tests and fixtures that have a parameter with the name of a fixture.
    fn users(&mut self, fixture: DefinitionId) -> Vec<DefinitionId> {
        let (graph, scope) = (self.graph, self.roles.scope(fixture));
        let by_parameter = self.by_parameter.get_or_insert_with(|| by_parameter(graph));
        let named = by_parameter.get(graph.name(fixture)).cloned().unwrap_or_default();
        let mut is_user = |&id: &DefinitionId| {
            id != fixture && scope.contains(graph.path(graph.file_around(id))) && self.roles.role(id) != Role::None
        };
        named.into_iter().filter(|id| is_user(id)).collect()
    }
}

fn by_runner(to: DefinitionId, kind: StepKind) -> Step {
    Step { to, kind, call: None }
}

/// Returns what a definition represents: a type or a file, everything in it.
pub fn parts_of(graph: &GraphFile, id: DefinitionId) -> Vec<DefinitionId> {
    if graph.definition(id).kind().is_function() { vec![id] } else { inside(graph, id) }
}

/// Returns the functions in test code, by the words between the parentheses of their signature.
fn by_parameter(graph: &GraphFile) -> FxHashMap<&str, Vec<DefinitionId>> {
    let mut found: FxHashMap<&str, Vec<DefinitionId>> = FxHashMap::default();
    for id in graph.definition_ids().filter(|&id| graph.traits(id).is_test() && graph.traits(id).kind().is_function()) {
        let signature = graph.signature(id);
        let parameters = signature.split_once('(').map_or("", |(_, rest)| rest);
        for word in parameters.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
            let ids = found.entry(word).or_default();
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        }
    }
    found
}
