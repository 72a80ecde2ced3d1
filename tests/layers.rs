//! What a room of `src/` may know: only the rooms before it, and no language by name. A plain scan of lines: it does not
//! see through macros or renames, so one room per `use crate::` line keeps it true.

use crate::support::rooms::{ROOMS, before_tests, code, level, room, sources};
use crate::support::uses::{Modules, rings};
use std::collections::BTreeSet;
use whichfn::lang::Registry;

/// Files of one room that use one another in a ring. None may be added, and one that is opened leaves the list.
const RINGS: &[&str] = &[];

/// The files that read files, and what they read. Text of the repository is read in `scan` while indexing and in `source`
/// afterwards: elsewhere a file could be shown that ignore files hide, or read anew for each result.
const READERS: &[(&str, &str)] = &[
    ("src/check/git_pipes.rs", "where a git directory is"),
    ("src/check/git_repository.rs", "the index of git, to copy it"),
    ("src/cli/mcp_install.rs", "the configuration of an agent's program"),
    ("src/cli/check/baseline.rs", "findings that are known"),
    ("src/cli/check/questions.rs", "questions that the settings name"),
    ("src/cli/read.rs", "a schema that the person names"),
    ("src/cli/settings.rs", "settings"),
    ("src/embed/onnx.rs", "an embedding model"),
    ("src/eval/run.rs", "saved runs"),
    ("src/eval/set.rs", "question sets"),
    ("src/fleet/catalog.rs", "the list of what a fleet serves"),
    ("src/index/notes.rs", "what an aborted run of its own was parsing"),
    ("src/llm/templates.rs", "prompts that the person wrote"),
    ("src/memwalk/written.rs", "summaries that it wrote itself"),
    ("src/scan/rule_text.rs", "ignore files"),
    ("src/process_group.rs", "which signals this process ignores"),
    ("src/scan/read.rs", "source text, while indexing"),
    ("src/source/named.rs", "source text, of files that the person names"),
    ("src/source/repository.rs", "source text, of files in the index"),
    ("src/store/generation.rs", "the index"),
    ("src/store/layout.rs", "the index"),
    ("src/store/map.rs", "the index"),
    ("src/store/shard_writer.rs", "parts of an archive that it built itself"),
    ("src/untrusted.rs", "for whoever asks it to"),
];

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
    assert_eq!(planted("src/search/query.rs", "    crate::index::refresh();"), 1, "a sibling");
    assert_eq!(planted("src/ids.rs", "pub fn wrong() -> crate::error::Error {"), 1, "a sibling that is a file");
    assert_eq!(planted("src/parse/mod.rs", "use crate::{lang, graph};"), 1, "several rooms at once");
    assert_eq!(planted("src/parse/mod.rs", "use crate::helpers::x;"), 1, "no room");
    assert_eq!(planted("src/parse/mod.rs", "use super::super::graph::link;"), 1, "out of the room");
    assert_eq!(planted("src/search/query.rs", "use crate::store::Generation;"), 0, "an earlier room");
    assert_eq!(planted("src/graph/link.rs", "use crate::graph::CallReason;"), 0, "its own room");
    assert_eq!(planted("src/error.rs", "/// See [`crate::scan::Skip`]."), 0, "a comment");
}

/// Files whose strings are options of another program, and which program that is.
const SPEAKERS: &[(&str, &str)] = &[
    ("src/check/git.rs", "git"),
    ("src/check/git_repository.rs", "git"),
    ("src/render/picture/dot.rs", "Graphviz"),
    ("src/render/picture/graphml.rs", "comments of XML"),
];

/// How something is typed is a face's business: below `cli` an error says what would help by a `Remedy`.
#[test]
fn only_the_command_line_names_commands_and_options() {
    let commands = ["ask", "index", "status", "context", "relate", "graph", "check", "read", "eval", "man"];
    let is_command = |text: &str| {
        let after = |at: usize| text[at + "whichfn ".len()..].split([' ', ':', ')', ',']).next().unwrap_or_default();
        text.match_indices("whichfn ").any(|(at, _)| commands.contains(&after(at)) || text[at..].contains('\\'))
    };
    let is_option = |text: &str| text.match_indices("--").any(|(at, _)| text[at + 2..].starts_with(char::is_lowercase));
    let mut wrong = Vec::new();
    let speaks = |path: &str| SPEAKERS.iter().any(|(speaker, _)| *speaker == path);
    for (path, text) in sources().iter().filter(|(path, _)| room(path) != "cli" && !speaks(path)) {
        for (number, line) in code(before_tests(text)) {
            let strings = line.split('"').skip(1).step_by(2);
            let named = strings.filter(|said| is_option(said) || is_command(said));
            wrong.extend(named.map(|said| format!("{path}:{number}: says `{said}`; use a Remedy")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_files_of_a_room_form_no_further_ring() {
    let modules = Modules::new(&sources());
    let found: BTreeSet<String> = rings(&modules.uses()).iter().map(|ring| ring.join(" ")).collect();
    let listed: BTreeSet<String> = RINGS.iter().map(|ring| (*ring).to_owned()).collect();
    let new: Vec<_> = found.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "rings that RINGS does not list: {new:#?}\nand no longer there: {gone:#?}"
    );
}

#[test]
fn a_planted_ring_is_caught() {
    let rings = |files: &[(&str, &str)]| {
        let files: Vec<_> = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        rings(&Modules::new(&files).uses()).iter().map(|ring| ring.join(" ")).collect::<Vec<_>>()
    };
    let door = ("src/a/mod.rs", "pub use one::One;\npub use two::{\n    Two, Three as Four,\n};");
    let one = |text| ("src/a/one.rs", text);
    let two = |text| ("src/a/two.rs", text);
    let ring = ["a::one a::two"];
    assert_eq!(rings(&[door, one("use super::two::Two;"), two("use super::one::One;")]), ring, "by the file's name");
    assert_eq!(rings(&[door, one("use super::Two;"), two("use crate::a::One;")]), ring, "through the door");
    assert_eq!(rings(&[door, one("use super::{b, two::{Two, X}};"), two("fn f() { super::One::new() }")]), ring);
    assert!(rings(&[("src/a/mod.rs", "fn f() { one::g() }"), one("use super::f;")]).is_empty(), "the door");
    assert!(rings(&[door, one("use super::two::Two;"), two("use crate::b::One;")]).is_empty(), "one way");
    let tests = "fn f() {}\n#[cfg(test)]\nmod tests {\n    use super::one::One;\n}";
    assert!(rings(&[door, one("use super::two::Two;"), two(tests)]).is_empty(), "tests may look back");
}

#[test]
fn source_text_is_read_in_one_room() {
    let reads = |text: &str| {
        let reading = ["fs::read(", "fs::read_to_string(", "File::open(", "open_below(", "open_regular("];
        code(before_tests(text)).any(|(_, line)| reading.iter().any(|call| line.contains(call)))
    };
    let sources = sources();
    let found: BTreeSet<&str> = sources.iter().filter(|(_, text)| reads(text)).map(|(path, _)| path.as_str()).collect();
    let listed: BTreeSet<&str> = READERS.iter().map(|(path, _)| *path).collect();
    assert_eq!(
        found, listed,
        "files that read files; for source text use `source`, for anything else say here what it is"
    );
}

/// The names that a `use crate::ROOM::...;` brings in: their room, and each name.
fn imported(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for import in text.split("use crate::").skip(1).filter_map(|rest| rest.split(';').next()) {
        let Some((room, names)) = import.split_once("::") else { continue };
        let names =
            names.trim_matches(['{', '}']).split(',').map(|name| name.rsplit("::").next().unwrap_or(name).trim());
        found.extend(names.filter(|name| !name.is_empty()).map(|name| (room.to_owned(), name.to_owned())));
    }
    found
}

/// Every face calls the verbs of the engine; of other rooms it names types and constants, so that what is found and in which
/// order has one place.
#[test]
fn the_command_line_calls_the_engine_alone() {
    /// Before there is an engine: which repository is meant, and what bytes from standard input say.
    const BEFORE: &[&str] = &["find_root", "root_around", "decode"];
    // `text` shortens strings and `untrusted` opens files; neither knows what they say.
    // `mcp`, `serve` and `lsp` are faces of their own, which the command line starts; `render` has the forms that faces share.
    let verbs = ["cli", "engine", "eval", "error", "fleet", "lsp", "mcp", "render", "serve", "text", "untrusted"];
    let mut wrong = Vec::new();
    for (path, text) in sources().iter().filter(|(path, _)| room(path) == "cli") {
        for (from, name) in imported(text).iter().filter(|(from, _)| !verbs.contains(&from.as_str())) {
            let is_function = name.starts_with(char::is_lowercase) && !BEFORE.contains(&name.as_str());
            wrong.extend(is_function.then(|| format!("{path}: calls `{from}::{name}`; make it a verb of the engine")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(imported("use crate::a::{B, c};\nuse crate::d::E;").len(), 3, "imports are read");
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
