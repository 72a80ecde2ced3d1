//! Routes and commands: which entries a question names, and their handlers.
//!
//! **Cost:** a question in the form of a route or a command reads the kind of each definition, and
//! the name of each entry.

use std::cmp::Reverse;
use whichfn_graph::CallReason;
use whichfn_index::store::{CallRow, GraphFile};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_text::{ANY_METHOD, HTTP_METHODS, RouteFit, route_fit, route_path};

/// Maximum number of words in the name of a command.
const MAX_COMMAND_WORDS: usize = 5;

/// What a question names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryQuestion {
    /// A route: its method if there is one, and its path with parameters in braces.
    Route {
        /// Method in capital letters; `None` for any method.
        method: Option<String>,
        /// Path in the form of [`route_path`].
        path: String,
    },
    /// A command or a flag of one, with one space between words.
    Command(String),
}

impl EntryQuestion {
    /// Reads a question in the form of a route (`GET /users/{id}`, `/users/42`) or a command
    /// (`serve --port`). Returns `None` for other questions.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [path] if path.starts_with('/') => Some(Self::Route { method: None, path: route_path(path) }),
            [method, path] if is_method(method) || path.starts_with('/') && is_method(&method.to_uppercase()) => {
                let method = method.to_uppercase();
                Some(Self::Route { method: Some(method), path: route_path(path) })
            }
            [] => None,
            _ => {
                let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c));
                let is_command = words.len() <= MAX_COMMAND_WORDS && words.iter().all(is_word);
                is_command.then(|| Self::Command(words.join(" ")))
            }
        }
    }
}

fn is_method(word: &str) -> bool {
    HTTP_METHODS.contains(&word) || word == ANY_METHOD
}

/// Returns all entries of a repository, sorted by path and position.
pub fn entries(graph: &GraphFile) -> impl Iterator<Item = DefinitionId> {
    graph.definition_ids().filter(|&id| graph.traits(id).kind() == DefinitionKind::Entry)
}

/// Returns the entries that a question names, those that fit best first. For a route whose path is
/// complete, routes with another number of segments are left out.
pub fn entries_of(graph: &GraphFile, question: &EntryQuestion) -> Vec<DefinitionId> {
    match question {
        EntryQuestion::Command(name) => {
            let wanted = name.as_str();
            let is_single = !wanted.contains(' ') && !wanted.starts_with('-');
            // A single word is more often a name in the code.
            let all = entries(graph).filter(|_| !is_single);
            all.filter(|&id| graph.qualified_name(id) == wanted || is_program(wanted, graph.qualified_name(id)))
                .collect()
        }
        EntryQuestion::Route { method, path } => {
            let mut found: Vec<(RouteFit, bool, DefinitionId)> = Vec::new();
            for id in entries(graph) {
                let Some((own, route)) =
                    graph.qualified_name(id).split_once(' ').filter(|(_, route)| route.starts_with('/'))
                else {
                    continue;
                };
                let is_own = method.as_deref().is_none_or(|method| own == method);
                if let Some(fit) = route_fit(path, route).filter(|_| is_own || own == ANY_METHOD) {
                    found.push((fit, is_own && own != ANY_METHOD, id));
                }
            }
            found.sort_by_key(|&(fit, is_own, id)| (Reverse(fit), Reverse(is_own), id));
            let best = found.first().map(|&(fit, ..)| fit);
            found.retain(|&(fit, ..)| Some(fit) == best);
            found.into_iter().map(|(.., id)| id).collect()
        }
    }
}

/// Checks whether a typed command is the program's name followed by the name of an entry.
///
/// A name of one word does not suffice: "validate token" describes a function, also in a program with
/// the command `token`.
fn is_program(typed: &str, name: &str) -> bool {
    let is_command = name.contains(' ') || name.starts_with('-');
    is_command && typed.split_once(' ').is_some_and(|(_, rest)| rest == name)
}

/// Returns the functions and types that an entry runs, in the order in which they are registered.
/// An entry without any contains its code itself, or its handler is not in the repository.
pub fn handlers(graph: &GraphFile, entry: DefinitionId) -> Vec<DefinitionId> {
    let site = graph.definition(entry).node;
    let mut found: Vec<DefinitionId> = Vec::new();
    let is_function = |call: &&CallRow| {
        let kind = graph.traits(call.callee).kind();
        kind != DefinitionKind::Module && !kind.is_registered()
    };
    let calls = || graph.calls(entry).iter().filter(|call| call.site == site).filter(is_function);
    // Several functions with the name of a handler of unknown type are no answer.
    let guesses = calls().filter(|call| call.reason() == CallReason::Name).count();
    for call in calls().filter(|call| guesses < 2 || call.reason() != CallReason::Name) {
        if !found.contains(&call.callee) {
            found.push(call.callee);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::EntryQuestion;

    #[test]
    fn routes_and_commands_have_a_form() {
        let route = |method: Option<&str>, path: &str| {
            Some(EntryQuestion::Route { method: method.map(str::to_owned), path: path.to_owned() })
        };
        assert_eq!(EntryQuestion::read("GET /users/:id"), route(Some("GET"), "/users/{id}"));
        assert_eq!(EntryQuestion::read("/users/42"), route(None, "/users/42"));
        assert_eq!(EntryQuestion::read("post /users"), route(Some("POST"), "/users"));
        assert_eq!(EntryQuestion::read("serve --port"), Some(EntryQuestion::Command("serve --port".to_owned())));
        assert_eq!(EntryQuestion::read("get config"), Some(EntryQuestion::Command("get config".to_owned())));
        assert_eq!(EntryQuestion::read("which function handles a login?"), None);
    }
}
