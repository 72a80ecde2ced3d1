//! What a test runner runs: tests, setup functions and fixtures, according to `[tests]` in the
//! language files.
//!
//! **Cost:** the text of the file, only for functions in test code whose name does not decide; the
//! syntax of the file, only in languages whose tests are passed to calls. Each definition is
//! examined once.

use super::super::calls::named_around;
use super::super::location::qualified_name;
use super::blocks::Blocks;
use super::body_call::{BodyCall, calls_around};
use super::collection::Collection;
use globset::{Glob, GlobSet, GlobSetBuilder};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use whichfn_index::source::{Sources, piece};
use whichfn_index::store::{GraphFile, TypeGraph};
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::{DefinitionKind, LangId, Language, Registry, Spec, Tests};
use whichfn_text::file_name;

/// What precedes the declared result in a signature.
const RESULT: &str = "->";

/// What a test runner does with a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Runs it as a test.
    Case,
    /// Runs the tests that its calls define: it is a macro.
    CaseMacro,
    /// Runs it before the tests in the same scope.
    Setup,
    /// Runs it before all tests in the files that it applies to.
    Automatic,
    /// Does not run it by itself.
    None,
}

/// Files that a fixture applies to.
pub(super) struct Scope {
    prefix: String,
}

impl Scope {
    pub fn contains(&self, path: &str) -> bool {
        path.starts_with(&self.prefix)
    }
}

/// The rules of one language.
struct Rules<'a> {
    tests: &'a Tests,
    cases: GlobSet,
    marks: GlobSet,
    hooks: GlobSet,
    collection: Collection,
}

/// Finds the roles of definitions.
pub(super) struct Roles<'a> {
    pub sources: &'a Sources<'a>,
    pub types: TypeGraph<'a>,
    registry: &'a Registry,
    rules: FxHashMap<u16, Option<Rc<Rules<'a>>>>,
    known: FxHashMap<DefinitionId, Role>,
    /// The calls that functions are the bodies of.
    body_calls: FxHashMap<DefinitionId, Option<Rc<BodyCall>>>,
    /// Blocks of the files that were examined.
    blocks: FxHashMap<FileId, Rc<Blocks>>,
}

impl<'a> Roles<'a> {
    pub fn new(sources: &'a Sources<'a>, registry: &'a Registry) -> Self {
        let types = TypeGraph::new(sources.graph(), registry);
        let (rules, known) = (FxHashMap::default(), FxHashMap::default());
        let (body_calls, blocks) = (FxHashMap::default(), FxHashMap::default());
        Self { sources, types, registry, rules, known, body_calls, blocks }
    }

    /// Returns what a test runner does with a definition.
    pub fn role(&mut self, id: DefinitionId) -> Role {
        if !is_test(self.sources.graph(), id) {
            return Role::None;
        }
        if let Some(&role) = self.known.get(&id) {
            return role;
        }
        let role = self.find(id);
        self.known.insert(id, role);
        role
    }

    fn find(&mut self, id: DefinitionId) -> Role {
        let graph = self.sources.graph();
        let row = graph.definition(id);
        let Some(rules) = self.rules(row.file) else { return Role::None };
        let tests = rules.tests;
        if let Some(call) = self.body_call(id) {
            return call.role;
        }
        if row.kind() == DefinitionKind::Macro {
            let text = self.sources.text(row.file);
            let marks = marks_in(piece(&text, (row.start_byte, row.end_byte)));
            let defines_tests = marks.iter().any(|(mark, _)| rules.marks.is_match(mark));
            return if defines_tests { Role::CaseMacro } else { Role::None };
        }
        if !row.kind().is_function() || graph.definition(row.parent).kind().is_function() {
            return Role::None;
        }
        let name = graph.name(id);
        if tests.setups.iter().any(|setup| setup == name) {
            return Role::Setup;
        }
        let has_marks = !(tests.case_marks.is_empty() && tests.fixtures.is_empty() && tests.setups.is_empty());
        let marks = if has_marks { self.marks(id) } else { Vec::new() };
        let has = |named: &[String]| marks.iter().any(|(mark, _)| named.iter().any(|name| name == mark));
        // Other fixtures are linked to the tests that have a parameter with their name.
        if let Some((_, arguments)) = marks.iter().find(|(mark, _)| tests.fixtures.contains(mark)) {
            let is_automatic = tests.automatic.iter().any(|argument| arguments.contains(argument));
            return if is_automatic { Role::Automatic } else { Role::None };
        }
        if marks.iter().any(|(mark, _)| rules.marks.is_match(mark)) {
            return Role::Case;
        }
        if rules.cases.is_match(name) && !rules.collection.owners(self, id).is_empty() {
            return Role::Case;
        }
        if has(&tests.setups) { Role::Setup } else { Role::None }
    }

    fn rules(&mut self, file: FileId) -> Option<Rc<Rules<'a>>> {
        let number = self.sources.graph().language(file)?;
        let registry = self.registry;
        let read = || {
            let spec = registry.spec(LangId(number))?;
            let (tests, hooks) = (&spec.tests, globs(&spec.api.hook_names)?);
            let (cases, marks) = (globs(&tests.cases)?, globs(&tests.case_marks)?);
            Some(Rc::new(Rules { tests, cases, marks, hooks, collection: Collection::new(tests)? }))
        };
        self.rules.entry(number).or_insert_with(read).clone()
    }

    /// Returns the types that a test is run in, or the test itself if it is run without a type.
    pub fn owners(&mut self, id: DefinitionId) -> Vec<DefinitionId> {
        let rules = self.rules(self.sources.graph().file_around(id));
        rules.map_or_else(|| vec![id], |rules| rules.collection.owners(self, id))
    }

    /// Returns the rules for tests in the language of a file.
    pub fn tests(&self, file: FileId) -> Option<&'a Tests> {
        Some(&self.spec(file)?.tests)
    }

    /// Returns the data of the language of a file.
    pub fn spec(&self, file: FileId) -> Option<&'a Spec> {
        self.registry.spec(LangId(self.sources.graph().language(file)?))
    }

    /// Checks whether the language itself runs a method, but does not create an object with it.
    pub fn is_hook(&mut self, id: DefinitionId) -> bool {
        let graph = self.sources.graph();
        let Some(rules) = self.rules(graph.file_around(id)) else { return false };
        rules.hooks.is_match(graph.name(id)) && !self.is_constructor(id)
    }

    /// Checks whether a method creates an object of the type around it.
    pub fn is_constructor(&self, id: DefinitionId) -> bool {
        let (graph, row) = (self.sources.graph(), self.sources.graph().definition(id));
        let spec = self.spec(row.file);
        spec.is_some_and(|spec| spec.scopes.is_constructor(graph.name(id), graph.name(row.parent)))
    }

    /// Checks whether a function of a type creates an object of it: a constructor, or in a language
    /// without constructors a function whose declared result contains the type.
    pub fn creates(&self, id: DefinitionId, owner: DefinitionId) -> bool {
        let graph = self.sources.graph();
        let Some(spec) = self.spec(graph.file_around(id)) else { return false };
        let result = graph.signature(id).rsplit_once(RESULT).map_or("", |(_, result)| result);
        let mut words = result.split(|c: char| !c.is_alphanumeric() && c != '_');
        let is_own = |word: &str| word == graph.name(owner) || spec.scopes.self_types.iter().any(|own| own == word);
        self.is_constructor(id) || spec.scopes.constructors.is_empty() && words.any(is_own)
    }

    fn language(&self, file: FileId) -> Option<&'a Language> {
        self.registry.language(LangId(self.sources.graph().language(file)?)).ok()
    }

    /// Returns the files that a fixture applies to: its own, or all in its directory.
    pub fn scope(&self, fixture: DefinitionId) -> Scope {
        let graph = self.sources.graph();
        let file = graph.file_around(fixture);
        let path = graph.path(file);
        let name = file_name(path);
        let stem = name.split('.').next().unwrap_or(name);
        let is_shared = self.tests(file).is_some_and(|tests| tests.shared_files.iter().any(|shared| shared == stem));
        let prefix = if is_shared { &path[..path.len() - name.len()] } else { path };
        Scope { prefix: prefix.to_owned() }
    }

    /// Returns the attributes, annotations and decorators of a function, each with the rest of its
    /// line; or the macro that its definition begins with.
    fn marks(&self, id: DefinitionId) -> Vec<(String, String)> {
        let graph = self.sources.graph();
        let row = graph.definition(id);
        let text = self.sources.text(row.file);
        let lines = (row.line + 1).saturating_sub(row.start_line) as usize;
        // `@test` in Bats is in front of the definition, on its line.
        let line_start = piece(&text, (0, row.start_byte)).rfind('\n').map_or(0, |end| end as u32 + 1);
        let whole = piece(&text, (line_start, row.end_byte));
        let head: String = whole.lines().take(lines).flat_map(|line| [line, "\n"]).collect();
        let mut marks = marks_in(&head);
        // TEST_F(Parser, Skips) { ... }
        let signature = graph.signature(id);
        let first = signature.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        marks.push((first.to_owned(), String::new()));
        marks
    }

    /// Returns the blocks of a file that a test runner runs, and the groups of tests.
    pub fn blocks(&mut self, file: FileId) -> Rc<Blocks> {
        if let Some(known) = self.blocks.get(&file) {
            return Rc::clone(known);
        }
        let found = Rc::new(Blocks::of(self, file));
        self.blocks.insert(file, Rc::clone(&found));
        found
    }

    /// Checks whether tests are passed to calls in the language of a file.
    pub fn has_body_calls(&self, file: FileId) -> bool {
        self.tests(file).is_some_and(|tests| !tests.case_calls.is_empty())
    }

    /// Returns the call that a function is the body of, if it makes the function a test or a setup
    /// function.
    fn body_call(&mut self, id: DefinitionId) -> Option<Rc<BodyCall>> {
        if let Some(known) = self.body_calls.get(&id) {
            return known.clone();
        }
        let found = self.find_body_call(id).map(Rc::new);
        self.body_calls.insert(id, found.clone());
        found
    }

    fn find_body_call(&mut self, id: DefinitionId) -> Option<BodyCall> {
        let row = self.sources.graph().definition(id);
        if !self.has_body_calls(row.file) || row.kind() != DefinitionKind::Anonymous && !row.kind().is_function() {
            return None;
        }
        let (language, tests, text) = (self.language(row.file)?, self.tests(row.file)?, self.sources.text(row.file));
        let (graph, nodes) = (self.sources.graph(), self.sources.syntax(row.file));
        calls_around(graph, language, &nodes, id, &text).iter().find_map(|call| call.in_role(tests))
    }

    /// Returns the name of a test: the string that the call around it passes, or its own.
    pub fn name(&mut self, id: DefinitionId) -> String {
        let title = self.body_call(id).and_then(|call| call.title.clone());
        title.unwrap_or_else(|| self.sources.graph().name(id).to_owned())
    }

    /// Returns the line of a test: that of the call that it is passed to, or of its name.
    pub fn line(&mut self, id: DefinitionId) -> u32 {
        let row = self.sources.graph().definition(id);
        let lines = self.body_call(id).filter(|call| call.title.is_some()).map(|call| call.lines);
        lines.map_or(row.line, |lines| row.start_line.saturating_sub(lines))
    }

    /// Returns what to call a function in place of its name: the title of a test. A function without
    /// a name is otherwise called like the function that it is passed to, or like the definition
    /// around it.
    pub fn label(&mut self, id: DefinitionId) -> Option<String> {
        let graph = self.sources.graph();
        let (call, is_anonymous) = (self.body_call(id), graph.definition(id).kind() == DefinitionKind::Anonymous);
        let around = || qualified_name(graph, named_around(graph, id));
        match call {
            Some(call) => call.title.clone().or_else(|| is_anonymous.then(|| call.callee.clone())),
            None => is_anonymous.then(around),
        }
    }
}

/// Returns the title of a test that is an anonymous function.
pub fn test_title(sources: &Sources<'_>, registry: &Registry, id: DefinitionId) -> Option<String> {
    if sources.graph().definition(id).kind() != DefinitionKind::Anonymous {
        return None;
    }
    let mut roles = Roles::new(sources, registry);
    let is_case = roles.role(id) == Role::Case;
    is_case.then(|| roles.name(id)).filter(|title| !title.is_empty())
}

/// Checks whether a definition is in test code: it or a definition around it is marked.
pub(super) fn is_test(graph: &GraphFile, id: DefinitionId) -> bool {
    let parent = |&at: &DefinitionId| Some(graph.definition(at).parent).filter(|parent| *parent != at);
    std::iter::successors(Some(id), parent).any(|at| graph.traits(at).is_test())
}

/// Returns the attributes, annotations and decorators in a piece of source text, each with the rest
/// of its line.
fn marks_in(text: &str) -> Vec<(String, String)> {
    let mut marks = Vec::new();
    for (at, sign) in text.match_indices(['@', '[']) {
        let before = text[..at].trim_end_matches(['#', '@', '[']);
        let is_start = before.is_empty() || before.ends_with(char::is_whitespace) || before.ends_with([')', ']']);
        let rest = &text[at + sign.len()..];
        let path: &str = rest.split(|c: char| !c.is_alphanumeric() && !"_.:\\".contains(c)).next().unwrap_or("");
        let name = path.rsplit(['.', ':', '\\']).next().unwrap_or(path);
        if is_start && !name.is_empty() {
            marks.push((name.to_owned(), rest.lines().next().unwrap_or_default().replace(' ', "")));
        }
    }
    marks
}

pub(super) fn globs(patterns: &[String]) -> Option<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(Glob::new(pattern).ok()?);
    }
    set.build().ok()
}
