//! The tests that a definition represents: itself, or the calls of a macro that defines tests.

use super::super::call_sites::CallSites;
use super::super::location::{DefinitionLocation, location};
use super::callers::Callers;
use super::roles::Role;
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;

/// A test.
#[derive(Debug, Clone)]
pub(super) struct TestCase {
    pub file: FileId,
    /// Line of its name, or of the call that defines it.
    pub line: u32,
    /// Its own name, or the string that the call around it passes.
    pub name: String,
    /// Its name with those around it.
    pub qualified: String,
    is_call: bool,
}

impl TestCase {
    /// Returns the test with its position. `id` is the function or macro.
    pub fn location(&self, graph: &GraphFile, id: DefinitionId) -> DefinitionLocation {
        let place = DefinitionLocation { name: self.qualified.clone(), ..location(graph, id) };
        if !self.is_call {
            return place;
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
            let (row, name) = (graph.definition(id), callers.roles.name(id));
            let qualified = Some(graph.qualified_name(id)).filter(|name| !name.is_empty()).unwrap_or(&name).to_owned();
            vec![TestCase { file: row.file, line: row.line, name, qualified, is_call: false }]
        }
        Role::CaseMacro => {
            let separator = callers.roles.tests(graph.file_around(id)).map_or("", |tests| &tests.separator);
            calls_outside_macros(graph, &mut CallSites::new(sources), id, separator)
        }
        Role::Setup | Role::Automatic | Role::None => Vec::new(),
    }
}

/// Returns the tests that the calls of a macro define, or the calls of the macros that call it.
fn calls_outside_macros(
    graph: &GraphFile,
    sites: &mut CallSites<'_>,
    id: DefinitionId,
    separator: &str,
) -> Vec<TestCase> {
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
                let name = first_argument(&sites.text(caller, row)).unwrap_or_else(|| graph.name(called).to_owned());
                let around = graph.qualified_name(caller);
                let qualified = if around.is_empty() { name.clone() } else { format!("{around}{separator}{name}") };
                let file = graph.file_around(caller);
                found.push(TestCase { file, line: row.line, name, qualified, is_call: true });
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
