//! Routes and commands: which entries a question names, and their handlers.
//!
//! **Cost:** a question in the form of a route or a command reads the kind of each definition, and
//! the name of each entry.

use std::cmp::Reverse;
use whichfn_graph::CallReason;
use whichfn_index::store::{CallRow, GraphFile};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::DefinitionKind;
use whichfn_text::{ANY_METHOD, HTTP_METHODS, RouteFit, UNKNOWN_SEGMENTS, route_fit, route_path};

/// Segments that a server often puts before its routes.
const USUAL_PREFIXES: [&str; 3] = ["api", "rest", "app"];
/// Words for the kinds of names, as the files in `grammars/frameworks/` write them.
const TAGS: [&str; 5] = ["ENV", "EVENT", "QUEUE", "TABLE", "TASK"];
/// Maximum number of words in the name of a command.
const MAX_COMMAND_WORDS: usize = 5;

/// Number of segments of a question that are equal to those of a route with an unknown prefix, if the
/// prefix is assumed to be empty.
const MIN_KNOWN_SEGMENTS: usize = 2;

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
    /// An environment variable, event, task or table, which may follow the word for its kind.
    Name(String),
}

/// Entries that a question names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedEntries {
    /// The entries that fit best, sorted by path and position.
    pub entries: Vec<DefinitionId>,
    /// True if the question names them in full. Otherwise a prefix differs, every segment is a
    /// parameter, or the flag belongs to the program instead of the command.
    pub is_complete: bool,
}

impl EntryQuestion {
    /// Reads a question in the form of a route (`GET /users/{id}`, `/users/42`, an URL) or a command
    /// (`serve --port`). Returns `None` for other questions.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            [word] if let Some(path) = typed_path(word) => Some(Self::Route { method: None, path: route_path(path) }),
            [method, word]
                if let Some(path) = typed_path(word)
                    && is_method(&method.to_uppercase()) =>
            {
                Some(Self::Route { method: Some(method.to_uppercase()), path: route_path(path) })
            }
            // A path without a slash in front.
            [method, path] if is_method(method) => {
                Some(Self::Route { method: Some(method.to_owned()), path: route_path(path) })
            }
            [] => None,
            // `DATABASE_URL`, `order.created`, `TABLE users`
            [name] if is_special_name(name) => Some(Self::Name(name.to_owned())),
            [tag, name] if tag.len() > 2 && !name.starts_with('-') && tag.chars().all(|c| c.is_ascii_uppercase()) => {
                Some(Self::Name(format!("{tag} {name}")))
            }
            _ => {
                let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c));
                let is_command = words.len() <= MAX_COMMAND_WORDS && words.iter().all(is_word);
                is_command.then(|| Self::Command(words.join(" ")))
            }
        }
    }
}

/// Returns the name after the word for its kind: `PORT` for `ENV PORT`.
pub fn untagged(text: &str) -> Option<&str> {
    let (tag, name) = text.trim().split_once(char::is_whitespace)?;
    let name = name.trim_start();
    (TAGS.contains(&tag) && !name.contains(char::is_whitespace)).then_some(name)
}

/// Checks whether a word is written like an environment variable or has separators like an event. Any
/// other word is more often a name in the code.
fn is_special_name(word: &str) -> bool {
    let is_constant = || word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let has_separator = || word[1..].contains(['.', ':', '/']) && !word.contains("::") && !word.ends_with("()");
    word.len() > 2 && word.starts_with(|c: char| c.is_ascii_alphabetic()) && (is_constant() || has_separator())
}

fn is_method(word: &str) -> bool {
    HTTP_METHODS.contains(&word) || word == ANY_METHOD
}

/// Returns the path in a word: the word itself, or what follows the host of an URL.
fn typed_path(word: &str) -> Option<&str> {
    let Some(rest) = ["http://", "https://"].iter().find_map(|scheme| word.strip_prefix(scheme)) else {
        return word.starts_with('/').then_some(word);
    };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    Some(path.split(['?', '#']).next().unwrap_or(path))
}

/// Returns all entries of a repository, sorted by path and position.
pub fn entries(graph: &GraphFile) -> impl Iterator<Item = DefinitionId> {
    graph.definition_ids().filter(|&id| graph.traits(id).kind() == DefinitionKind::Entry)
}

/// Returns the entries that a question names.
pub fn entries_of(graph: &GraphFile, question: &EntryQuestion) -> NamedEntries {
    match question {
        EntryQuestion::Command(name) => commands_of(graph, name),
        EntryQuestion::Name(name) => {
            let is_it = |&id: &DefinitionId| match graph.is_tagged(id) {
                true => graph.qualified_name(id) == name || graph.name(id) == name,
                false => graph.entry_names(id).any(|own| own == name && own.contains(' ')),
            };
            NamedEntries { entries: entries(graph).filter(is_it).collect(), is_complete: true }
        }
        EntryQuestion::Route { method, path } => routes_of(graph, method.as_deref(), path),
    }
}

/// Returns the function with a name around an entry, which reads what the entry names.
fn function_around(graph: &GraphFile, entry: DefinitionId) -> Option<DefinitionId> {
    let mut at = graph.definition(entry).parent;
    loop {
        let kind = graph.traits(at).kind();
        if kind.is_function() && kind != DefinitionKind::Anonymous {
            return Some(at);
        }
        let parent = graph.definition(at).parent;
        if parent == at {
            return None;
        }
        at = parent;
    }
}

/// Returns the commands and flags with a name. The name of the program may be in front.
fn commands_of(graph: &GraphFile, wanted: &str) -> NamedEntries {
    // A single word is more often a name in the code.
    let Some((first, rest)) = wanted.split_once(' ').or_else(|| wanted.starts_with('-').then_some(("", wanted))) else {
        return NamedEntries::default();
    };
    let named = |wanted: &str| -> Vec<DefinitionId> {
        entries(graph).filter(|&id| graph.entry_names(id).any(|name| name == wanted)).collect()
    };
    let exact = named(wanted);
    // A name of one word does not suffice after the name of the program: "validate token" describes
    // a function, also in a program with the command `token`.
    if !exact.is_empty() || first.is_empty() || !rest.contains(' ') && !rest.starts_with('-') {
        return NamedEntries { entries: exact, is_complete: true };
    }
    let is_command = |name: &str| name.split(' ').next() == Some(first);
    let is_program = !entries(graph).any(|id| graph.entry_names(id).any(is_command));
    if is_program {
        return NamedEntries { entries: named(rest), is_complete: true };
    }
    // A flag of the program, which its commands may accept. A flag of another command is none.
    let flag = rest.rsplit(' ').next().filter(|flag| flag.starts_with('-'));
    NamedEntries { entries: flag.map_or(Vec::new(), named), is_complete: false }
}

/// Returns the routes that fit a path best. If the path of one is complete, routes with another
/// number of segments are left out.
fn routes_of(graph: &GraphFile, method: Option<&str>, path: &str) -> NamedEntries {
    let mut found: Vec<(RouteFit, bool, DefinitionId)> = Vec::new();
    for id in entries(graph) {
        let routes = graph.entry_names(id).filter_map(|name| name.split_once(' '));
        let fits = routes.filter(|(_, route)| route.starts_with('/')).filter_map(|(own, route)| {
            let is_own = method.is_none_or(|method| own == method);
            let fit = route_fit(path, route).filter(|_| is_own || own == ANY_METHOD)?;
            let is_meant = fit.is_complete || method.is_some() || has_usual_prefix(path, route);
            is_meant.then_some((fit, is_own && own != ANY_METHOD))
        });
        if let Some((fit, is_own)) = fits.max() {
            found.push((fit, is_own, id));
        }
    }
    found.sort_by_key(|&(fit, is_own, id)| (Reverse(fit), Reverse(is_own), id));
    let Some(&(best, ..)) = found.first() else { return NamedEntries::default() };
    found.retain(|&(fit, ..)| fit == best);
    // `/docs` and `/docs/` may be two routes.
    let is_written =
        |id| graph.entry_names(id).any(|name| name.split_once(' ').is_some_and(|(_, route)| route == path));
    found.sort_by_key(|&(_, is_own, id)| (Reverse(is_own), !is_written(id)));
    // A prefix that is a setting is often empty.
    let is_complete =
        best.is_complete && (best.equal > 0 || path == "/") || best.is_whole && best.equal >= MIN_KNOWN_SEGMENTS;
    NamedEntries { entries: found.into_iter().map(|(.., id)| id).collect(), is_complete }
}

/// Checks whether a path and a route that differ in length are nevertheless likely to be the same:
/// they share at least two segments, or the longer one begins with a usual prefix. Many paths of
/// files end with a word that is also a route (`/etc/users`).
fn has_usual_prefix(path: &str, route: &str) -> bool {
    let is_known = |one: &&str| !one.is_empty() && *one != UNKNOWN_SEGMENTS;
    let segments = |text: &str| text.split('/').filter(is_known).map(str::to_owned).collect::<Vec<_>>();
    let (path, route) = (segments(path), segments(route));
    let (longer, shorter) = if path.len() > route.len() { (&path, &route) } else { (&route, &path) };
    let is_version = |word: &str| word.strip_prefix('v').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit()));
    let is_usual = |word: &String| USUAL_PREFIXES.contains(&word.as_str()) || is_version(word);
    shorter.len() > 1 || longer[..longer.len() - shorter.len()].iter().all(is_usual)
}

/// Checks whether an entry is a flag.
pub fn is_flag(graph: &GraphFile, entry: DefinitionId) -> bool {
    graph.name(entry).rsplit(' ').next().is_some_and(|last| last.starts_with('-') && last.len() > 1)
}

/// Returns the functions and types that an entry runs, in the order in which they are registered.
/// Functions that the registration itself calls are last, because they return a handler. A flag
/// without a function of its own has those of its command. A route that exports the value of
/// another route has that route. An entry without any contains its code itself, or its handler is
/// not in the repository.
pub fn handlers(graph: &GraphFile, entry: DefinitionId) -> Vec<DefinitionId> {
    let site = graph.definition(entry).node;
    let mut found: Vec<DefinitionId> = Vec::new();
    let is_route = |id: DefinitionId| graph.name(id).contains(" /") && !graph.is_tagged(id);
    let is_function = |call: &&CallRow| {
        let kind = graph.traits(call.callee).kind();
        let is_other = || kind == DefinitionKind::Entry && call.callee != entry && is_route(entry);
        kind != DefinitionKind::Module && !kind.is_registered() || is_other() && is_route(call.callee)
    };
    let calls = || graph.calls(entry).iter().filter(|call| call.site == site).filter(is_function);
    // Several functions with the name of a handler of unknown type are no answer.
    let guesses = calls().filter(|call| call.reason() == CallReason::Name).count();
    for call in calls().filter(|call| guesses < 2 || call.reason() != CallReason::Name) {
        if !found.contains(&call.callee) {
            found.push(call.callee);
        }
    }
    if found.len() > 1 {
        let called = called_by_registration(graph, entry);
        found.sort_by_key(|&id| (called.contains(&id), is_returned_by_function(graph, id, entry)));
    }
    if found.is_empty() && is_flag(graph, entry) {
        let command = graph.qualified_name(entry).rsplit_once(' ').map(|(command, _)| command);
        let is_its = |&id: &DefinitionId| Some(graph.qualified_name(id)) == command;
        let commands = entries(graph).filter(|_| command.is_some()).filter(is_its);
        found.extend(commands.flat_map(|command| handlers(graph, command)));
    }
    if found.is_empty() && graph.is_tagged(entry) {
        found.extend(function_around(graph, entry));
    }
    found
}

/// Checks whether a handler is inside a function that is not around the entry. That function returns it:
/// a decorator, for the function that it decorates.
fn is_returned_by_function(graph: &GraphFile, handler: DefinitionId, entry: DefinitionId) -> bool {
    let parents = |id: DefinitionId| {
        let parent = |&id: &DefinitionId| Some(graph.definition(id).parent).filter(|&parent| parent != id);
        std::iter::successors(Some(id), parent).skip(1)
    };
    let outer = graph.definition(handler).parent;
    outer != handler && graph.traits(outer).kind().is_function() && !parents(entry).any(|around| around == outer)
}

/// Returns what the code around an entry calls on the lines of its registration.
fn called_by_registration(graph: &GraphFile, entry: DefinitionId) -> Vec<DefinitionId> {
    let row = graph.definition(entry);
    let mut around = row.parent;
    while graph.traits(around).kind().is_registered() {
        around = graph.definition(around).parent;
    }
    let is_on_lines = |call: &&CallRow| (row.start_line..=row.end_line).contains(&call.line);
    graph.calls(around).iter().filter(is_on_lines).map(|call| call.callee).collect()
}

#[cfg(test)]
mod tests {
    use super::{EntryQuestion, TAGS, untagged};
    use std::collections::BTreeSet;

    #[expect(clippy::disallowed_methods, reason = "reads data of the program")]
    #[test]
    fn the_words_for_kinds_are_those_of_the_frameworks() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../grammars/frameworks");
        let mut tags = BTreeSet::new();
        for file in std::fs::read_dir(folder).expect("the folder").map(|file| file.expect("a file").path()) {
            let text = std::fs::read_to_string(file).expect("a text");
            let tag = |line: &str| line.strip_prefix("tag = \"").map(|tag| tag.trim_end_matches('"').to_owned());
            tags.extend(text.lines().filter_map(tag));
        }
        assert_eq!(tags.iter().map(String::as_str).collect::<Vec<_>>(), TAGS);
        assert_eq!(untagged("ENV  PORT"), Some("PORT"));
        assert_eq!([untagged("JSON parser"), untagged("ENV"), untagged("TABLE of users")], [None; 3]);
    }

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
        assert_eq!(EntryQuestion::read("https://example.org:80/users/42?page=2"), route(None, "/users/42"));
        assert_eq!(EntryQuestion::read("GET http://localhost/users"), route(Some("GET"), "/users"));
        for name in ["DATABASE_URL", "PORT", "order.created", "TABLE users"] {
            assert_eq!(EntryQuestion::read(name), Some(EntryQuestion::Name(name.to_owned())));
        }
        assert_eq!(EntryQuestion::read("port"), Some(EntryQuestion::Command("port".to_owned())));
        assert_eq!(EntryQuestion::read("https://example.org"), route(None, "/"));
        assert_eq!(EntryQuestion::read("which function handles a login?"), None);
    }
}
