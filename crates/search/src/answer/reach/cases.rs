//! The tests that a definition represents: itself, or the calls of a macro that defines tests.

use super::super::location::{DefinitionLocation, location};
use super::callers::Callers;
use super::roles::{Role, Roles};
use whichfn_index::source::{Sources, piece};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// A test.
#[derive(Debug, Clone)]
pub(super) struct TestCase {
    pub file: FileId,
    /// Line of its name, of the call that defines it, or of the type that inherits it.
    pub line: u32,
    /// Its own name, or the string that the call around it passes; empty if it has neither.
    pub name: String,
    /// Qualified name of what it is in: types and modules.
    pub around: String,
    /// Whether the name is a string.
    pub is_title: bool,
    /// Its name with those around it.
    qualified: String,
    /// Whether its lines are not those of its definition: it is inherited, or a call of a macro.
    is_elsewhere: bool,
}

impl TestCase {
    /// Returns the test with its position. `id` is the function or macro.
    pub fn location(&self, graph: &GraphFile, id: DefinitionId) -> DefinitionLocation {
        let place = DefinitionLocation { name: self.qualified.clone(), ..location(graph, id) };
        if !self.is_elsewhere {
            return DefinitionLocation { start_line: place.start_line.min(self.line), line: self.line, ..place };
        }
        let (path, line) = (graph.path(self.file).to_owned(), self.line);
        DefinitionLocation { path, start_line: line, end_line: line, line, ..place }
    }
}

/// Returns the tests that a definition represents.
pub(super) fn cases(sources: &Sources<'_>, callers: &mut Callers<'_>, id: DefinitionId) -> Vec<TestCase> {
    let graph = sources.graph();
    match callers.roles.role(id) {
        Role::Case => {
            if let Some(label) = callers.roles.label(id) {
                return vec![titled_case(graph, &mut callers.roles, id, label)];
            }
            let name = callers.roles.name(id);
            let owners = callers.roles.owners(id).into_iter();
            owners.map(|owner| case_in(graph, callers.roles.types.type_of(id), owner, id, &name)).collect()
        }
        Role::CaseMacro => {
            let separator = callers.roles.tests(graph.file_around(id)).map_or("", |tests| &tests.separator);
            calls_outside_macros(sources, id, separator)
        }
        Role::Setup | Role::Automatic | Role::None => Vec::new(),
    }
}

/// Returns a test that is passed to a call. `label` is what it is called without a title.
fn titled_case(graph: &GraphFile, roles: &mut Roles<'_>, id: DefinitionId, label: String) -> TestCase {
    let (file, line, name) = (graph.definition(id).file, roles.line(id), roles.name(id));
    let up = |&at: &DefinitionId| Some(graph.definition(at).parent).filter(|parent| *parent != at);
    let owner = std::iter::successors(Some(id), up).find(|&at| graph.definition(at).kind().is_type());
    let around = owner.map_or_else(String::new, |owner| graph.qualified_name(owner).to_owned());
    TestCase { file, line, name, around, is_title: true, qualified: label, is_elsewhere: false }
}

/// Returns a test as it is run in a type: `own` is the type that contains it.
fn case_in(
    graph: &GraphFile,
    own: Option<DefinitionId>,
    owner: DefinitionId,
    id: DefinitionId,
    name: &str,
) -> TestCase {
    let (is_own, name) = (owner == id || Some(owner) == own, name.to_owned());
    let row = graph.definition(if is_own { id } else { owner });
    let (around, qualified) = match graph.qualified_name(if is_own { id } else { owner }) {
        "" => (String::new(), name.clone()),
        qualified if is_own => {
            let around = qualified.strip_suffix(graph.name(id)).unwrap_or_default();
            (around.trim_end_matches([':', '.', '#', '/']).to_owned(), qualified.to_owned())
        }
        owner => (owner.to_owned(), format!("{owner}.{name}")),
    };
    TestCase { file: row.file, line: row.line, name, around, is_title: false, qualified, is_elsewhere: !is_own }
}

/// Returns the tests that the calls of a macro define, or the calls of the macros that call it.
fn calls_outside_macros(sources: &Sources<'_>, id: DefinitionId, separator: &str) -> Vec<TestCase> {
    let graph = sources.graph();
    let (mut macros, mut at, mut found) = (vec![id], 0, Vec::new());
    while let Some(&called) = macros.get(at) {
        at += 1;
        for &caller in graph.callers(called) {
            if graph.definition(caller).kind() == DefinitionKind::Macro {
                if !macros.contains(&caller) {
                    macros.push(caller);
                }
                continue;
            }
            for row in graph.calls(caller).iter().filter(|row| row.callee == called) {
                let node = sources.syntax_node(graph.definition(caller).file, row.site);
                let text = sources.text(graph.definition(caller).file);
                let name = first_argument(piece(&text, (node.start, node.end)));
                let name = name.unwrap_or_else(|| graph.name(called).to_owned());
                let around = graph.qualified_name(caller);
                let qualified = if around.is_empty() { name.clone() } else { format!("{around}{separator}{name}") };
                let file = graph.file_around(caller);
                let around = around.to_owned();
                found.push(TestCase {
                    file,
                    line: row.line,
                    name,
                    around,
                    is_title: false,
                    qualified,
                    is_elsewhere: true,
                });
            }
        }
    }
    found
}

/// Returns the name that a call of a macro passes first: `adds` in `case!(adds, 1 + 1)`.
fn first_argument(call: &str) -> Option<String> {
    let (_, arguments) = call.split_once(['(', '{', '['])?;
    let name: String = arguments.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod unit_tests {
    use super::first_argument;

    #[test]
    fn test_of_a_macro_has_the_first_name_that_it_is_called_with() {
        assert_eq!(first_argument("case!(adds, 1 + 1)"), Some("adds".to_owned()));
        assert_eq!(first_argument("case! {\n    is_even,\n    2,\n}"), Some("is_even".to_owned()));
        assert_eq!(first_argument("case!(\"adds\")"), None);
    }
}
