//! What a room of `src/` may know: only the rooms before it, and no language by name. A plain scan of lines: it does not
//! see through macros or renames, so one room per `use crate::` line keeps it true.

use crate::support::rooms::{ROOMS, code, level, room, sources};
use std::collections::BTreeSet;
use whichfn::lang::Registry;

/// What the file at `path` uses and may not.
fn violations(path: &str, text: &str) -> Vec<String> {
    let own = room(path);
    let mut wrong = Vec::new();
    for (number, line) in code(text) {
        for (at, _) in line.match_indices("crate::") {
            if line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
                continue;
            }
            let rest = &line[at + "crate::".len()..];
            let name = &rest[..rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())];
            let problem = match (level(name), level(own)) {
                _ if name.is_empty() => "names several rooms in one `use crate::{...}`; write one line for each".into(),
                (None, _) => format!("uses `{name}`, which is no room of tests/support/rooms.rs"),
                (Some(used), Some(user)) if name == own || used < user => continue,
                _ => format!("`{own}` may not use `{name}`"),
            };
            wrong.push(format!("{path}:{number}: {problem}"));
        }
        if line.contains("super::super") {
            wrong.push(format!("{path}:{number}: `super::super` may leave the room; name it from `crate::`"));
        }
    }
    wrong
}

fn is_room(path: &str) -> bool {
    !["src/lib.rs", "src/main.rs"].contains(&path)
}

#[test]
fn a_room_uses_only_rooms_before_it() {
    let wrong: Vec<String> =
        sources().iter().filter(|(path, _)| is_room(path)).flat_map(|(path, text)| violations(path, text)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_has_its_place() {
    let sources = sources();
    let found: BTreeSet<&str> =
        sources.iter().map(|(path, _)| path.as_str()).filter(|p| is_room(p)).map(room).collect();
    let listed: BTreeSet<&str> = ROOMS.iter().copied().flatten().copied().collect();
    assert_eq!(found, listed, "src/ and tests/support/rooms.rs name the same rooms");
}

#[test]
fn a_planted_use_is_caught() {
    let planted = |path: &str, line: &str| violations(path, line).len();
    assert_eq!(planted("src/graph/link.rs", "use crate::search::Query;"), 1, "a later room");
    assert_eq!(planted("src/search/rank.rs", "    crate::index::refresh();"), 1, "a sibling");
    assert_eq!(planted("src/ids.rs", "pub fn wrong() -> crate::error::Error {"), 1, "a sibling that is a file");
    assert_eq!(planted("src/parse/mod.rs", "use crate::{lang, graph};"), 1, "several rooms at once");
    assert_eq!(planted("src/parse/mod.rs", "use crate::helpers::x;"), 1, "no room");
    assert_eq!(planted("src/parse/mod.rs", "use super::super::graph::link;"), 1, "out of the room");
    assert_eq!(planted("src/search/rank.rs", "use crate::store::Generation;"), 0, "an earlier room");
    assert_eq!(planted("src/graph/link.rs", "use crate::graph::Reason;"), 0, "its own room");
    assert_eq!(planted("src/error.rs", "/// See [`crate::scan::Skip`]."), 0, "a comment");
}

/// How something is typed is a face's business: below `cli` an error says what would help by a `Remedy`.
#[test]
fn only_the_command_line_names_commands_and_options() {
    let is_option = |text: &str| text.match_indices("--").any(|(at, _)| text[at + 2..].starts_with(char::is_lowercase));
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| room(path) != "cli") {
        let program = text.split("\nmod tests {").next().unwrap_or_default();
        for (number, line) in code(program) {
            let strings = line.split('"').skip(1).step_by(2);
            let named =
                strings.filter(|said| is_option(said) || said.contains("whichfn ") && !said.contains("another"));
            wrong.extend(named.map(|said| format!("{path}:{number}: says `{said}`; use a Remedy")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What cannot be tested or called from elsewhere is kept to one expression.
#[test]
fn main_is_one_expression() {
    let sources = sources();
    let (_, text) = sources.iter().find(|(path, _)| path == "src/main.rs").expect("src/main.rs");
    let lines: Vec<&str> = code(text).map(|(_, line)| line.trim()).filter(|line| !line.is_empty()).collect();
    let [head, body, "}"] = lines[..] else { panic!("src/main.rs is more than one function of one line: {lines:#?}") };
    assert!(head.starts_with("fn main() -> ") && head.ends_with('{'), "{head}");
    assert!(body.starts_with("whichfn::cli::run(") && !body.contains(';'), "{body}");
}

#[test]
fn languages_are_named_in_one_place() {
    let registry = Registry::builtin().expect("language files");
    let names: Vec<String> = registry.ids().map(|id| format!("\"{}\"", registry.name(Some(id)))).collect();
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| path != "src/lang/parsers.rs") {
        for (number, line) in code(text) {
            let named = names.iter().filter(|name| line.contains(name.as_str()));
            wrong.extend(
                named.map(|name| format!("{path}:{number}: names {name}; make it a field of the language's data")),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
