//! Checks that the documentation matches the program: paths exist, modules, languages and options
//! are real, and the example in the README is the program's output. `UPDATE=1 cargo test docs::`
//! rewrites the language table and the example.
//!
//! `docs/SPEC.md` also describes planned features, so its options are not checked.

use crate::support::env::Env;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use whichfn_syntax::lang::Registry;

const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "RELEASE.md",
    "SECURITY.md",
    "benches/quality/README.md",
    "benches/records/README.md",
    "docs/SKILL.md",
    "docs/SPEC.md",
    "docs/comparisons.md",
    "docs/commands.md",
    "docs/install.md",
    "docs/ranking.md",
    "docs/agents.md",
    "docs/check.md",
    "docs/editors.md",
    "docs/models.md",
    "docs/kinds.md",
    "docs/eval.md",
    "docs/fleet.md",
    "docs/navigate.md",
    "docs/languages.md",
    "docs/programs.md",
    "docs/limits.md",
    "docs/settings.md",
    "fuzz/README.md",
    "grammars/README.md",
    "queries/README.md",
];

/// Modules whose comment at the top explains how they work, and names the files to change for each
/// task.
const HEADS: &[&str] = &[
    "crates/check/src/lib.rs",
    "crates/graph/src/lib.rs",
    "crates/index/src/lib.rs",
    "crates/llm/src/lib.rs",
    "crates/memory/src/lib.rs",
    "crates/passages/src/lib.rs",
    "crates/read/src/lib.rs",
    "crates/scan/src/lib.rs",
    "crates/search/src/lib.rs",
    "crates/search/src/relation/mod.rs",
    "crates/search/src/search/mod.rs",
    "crates/syntax/src/lib.rs",
    "crates/text/src/lib.rs",
    "src/cli/mod.rs",
    "src/lsp/mod.rs",
    "src/mcp/mod.rs",
    "src/serve/mod.rs",
];

/// Paths in other trees: in a grammar's crate, an example, a user's home directory or a model.
const ELSEWHERE: &[&str] = &[
    "AGENTS.md",
    "CLAUDE.md",
    "src/node-types.json",
    "queries/tags.scm",
    "Time/",
    "whichfn/whichfn.toml",
    "Xenova/bge-small-en-v1.5",
    "1_Pooling/config.json",
    "capi/libonnxruntime.so.*",
    "DIR/<repo>",
    "org/flask",
];

/// Methods of the protocol that editors use. They are not paths.
const METHODS: &[&str] = &[
    "textDocument/references",
    "workspace/symbol",
    "textDocument/documentSymbol",
    "textDocument/definition",
    "textDocument/hover",
    "textDocument/prepareCallHierarchy",
    "callHierarchy/incomingCalls",
    "textDocument/implementation",
    "textDocument/prepareTypeHierarchy",
    "typeHierarchy/supertypes",
    "whichfn/context",
    "window/logMessage",
];

/// The specification, which also names planned commands and options.
const CONTRACT: &str = "docs/SPEC.md";
const LANGUAGE_PAGE: &str = "docs/languages.md";

/// Marks around the parts that `UPDATE=1` writes.
const EXAMPLE: (&str, &str) = ("<!-- example -->\n", "<!-- end of example -->");
const LANGUAGES: (&str, &str) = ("<!-- languages -->\n", "<!-- end of languages -->");

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|cause| panic!("{path}: {cause}"))
}

/// Returns the comment at the top of a module.
fn head(path: &str) -> String {
    let text = read(path);
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// Splits a text into the lines of its code blocks and the other lines.
fn blocks_and_prose(text: &str) -> (Vec<&str>, Vec<&str>) {
    let mut inside = false;
    let (mut blocks, mut prose) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            blocks.push(line);
        } else {
            prose.push(line);
        }
    }
    (blocks, prose)
}

/// Returns the text between single backticks.
fn spans<'t>(prose: &[&'t str]) -> Vec<&'t str> {
    prose.iter().flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns the targets of Markdown links to files.
fn links<'t>(prose: &[&'t str]) -> Vec<&'t str> {
    let targets = prose.iter().flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    targets.filter(|t| !t.contains("://") && !t.starts_with('#')).map(|t| t.split('#').next().unwrap_or(t)).collect()
}

/// Checks whether a span names a path in the repository.
fn is_path(span: &str) -> bool {
    let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "_-./<>*".contains(c));
    let relative = !span.starts_with(['.', '/', '<', '*', '-']);
    let document = span.ends_with(".md") || span.ends_with(".rs") || span == "justfile";
    plain && relative && (span.contains('/') || document)
}

/// Returns the folders of a path before the first `<name>` or `*`, or the whole path if it has
/// neither.
fn sure_part(path: &str) -> &str {
    match path.find(['<', '*']) {
        Some(at) => path[..at].rsplit_once('/').map_or("", |(folder, _)| folder),
        None => path,
    }
}

/// `whichfn install` adds the lines that the documentation shows.
#[test]
fn the_lines_for_agents_are_the_documented_ones() {
    let lines = read("src/cli/install/agents.md");
    assert!(read("docs/agents.md").contains(&format!("```markdown\n{lines}```\n")));
}

#[test]
fn named_paths_exist() {
    let mut wrong = Vec::new();
    let heads = HEADS.iter().map(|path| (path, head(path)));
    for (document, text) in DOCUMENTS.iter().map(|path| (path, read(path))).chain(heads) {
        let (_, prose) = blocks_and_prose(&text);
        let beside = root().join(document).parent().expect("folder").to_owned();
        for path in spans(&prose).into_iter().filter(|s| is_path(s) && !ELSEWHERE.contains(s) && !METHODS.contains(s)) {
            if !root().join(sure_part(path)).exists() && !beside.join(sure_part(path)).exists() {
                wrong.push(format!("{document}: `{path}` does not exist"));
            }
        }
        for path in links(&prose) {
            if !beside.join(path).exists() {
                wrong.push(format!("{document}: the link to {path} leads nowhere"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// "`NAME` in `src/FILE.rs`" refers to a function of that file, and each verb needs at most six
/// steps from `main`.
#[test]
fn functions_in_the_tour_exist() {
    let text = head("src/cli/mod.rs");
    let (start, end) = ("# Each verb, function by function", "\n# ");
    let verbs =
        text.split(start).nth(1).and_then(|rest| rest.split(end).next()).expect("the verbs").replace("\n  ", " ");
    let mut wrong = Vec::new();
    for verb in verbs.split("\n- ").skip(1) {
        let hops: Vec<(&str, &str)> = verb
            .split("` in `")
            .zip(verb.split("` in `").skip(1))
            .filter_map(|(before, after)| Some((before.rsplit('`').next()?, after.split('`').next()?)))
            .collect();
        let way = verb.split(". ").next().unwrap_or(verb).matches("` in `").count();
        if way + 1 > 6 {
            wrong.push(format!("more than six hops: {verb}"));
        }
        for (name, file) in hops.into_iter().filter(|(_, file)| file.ends_with(".rs")) {
            let code = std::fs::read_to_string(root().join(file)).unwrap_or_default();
            if !code.contains(&format!("fn {name}(")) && !code.contains(&format!("fn {name}<")) {
                wrong.push(format!("{file} has no function `{name}`"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A paragraph of ARCHITECTURE.md that begins with a bold path describes that crate or module.
#[test]
fn every_crate_and_module_is_described() {
    let text = read("ARCHITECTURE.md");
    let described: BTreeSet<&str> = text
        .split("\n\n")
        .filter_map(|paragraph| paragraph.strip_prefix("**`")?.split_once("`**"))
        .map(|(path, _)| path)
        .collect();
    let folders = |parent: &str| {
        let entries = std::fs::read_dir(root().join(parent)).expect("folder").map(|entry| entry.expect("entry").path());
        let folders = entries.filter(|path| path.is_dir()).map(|path| path.file_name().expect("name").to_owned());
        folders.map(|name| format!("{parent}/{}", name.to_string_lossy())).collect::<Vec<_>>()
    };
    let wanted = [folders("crates"), folders("src")].concat();
    let missing: Vec<_> = wanted.iter().filter(|path| !described.contains(path.as_str())).collect();
    assert!(missing.is_empty(), "ARCHITECTURE.md has no paragraph for {missing:?}");
}

/// Runs the program without settings and returns its output.
fn program(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whichfn"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("WHICHFN_")) {
        command.env_remove(name);
    }
    let home = tempfile::tempdir().expect("temporary directory");
    for name in ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA"] {
        command.env(name, home.path());
    }
    let output = command.current_dir(root()).env("NO_COLOR", "1").args(arguments).output().expect("the program starts");
    assert!(output.status.success(), "whichfn {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the commands that the program's help lists, without `help` itself.
fn commands() -> Vec<String> {
    let help = program(&["--help"]);
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a list of commands");
    let names = list.lines().filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    names.filter(|name| name != "help").collect()
}

/// Returns the help of the program and of all its commands.
pub fn all_help() -> String {
    let mut all = program(&["--help"]);
    for command in commands() {
        all += &program(&[&command, "--help"]);
    }
    let fleet = ["ask", "pack", "rank", "stats", "unpack", "worker"].map(|command| ["fleet", command]);
    for inner in fleet.iter().chain([&["mcp", "install"]]) {
        all += &program(&[inner[0], inner[1], "--help"]);
    }
    all
}

/// Returns the words of a text with this prefix, up to the first character that no option or
/// variable contains. A line of a picture (`---`) is not a word.
fn words_from<'t>(text: &'t str, start: &str) -> BTreeSet<&'t str> {
    let ends = |c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let starts = text.match_indices(start).map(|(at, _)| at);
    let whole = starts.filter(|&at| !text[..at].ends_with(|c: char| !ends(c)));
    whole
        .map(|at| &text[at..at + text[at..].find(ends).unwrap_or(text.len() - at)])
        .filter(|w| w[start.len()..].contains(|c: char| c.is_ascii_alphanumeric()))
        .collect()
}

#[test]
fn named_options_commands_and_variables_exist() {
    let users =
        DOCUMENTS.iter().filter(|path| **path == "README.md" || path.starts_with("docs/") && **path != CONTRACT);
    let text = users.map(|path| read(path)).collect::<String>();
    let help = all_help();
    let (blocks, prose) = blocks_and_prose(&text);
    let mut used = blocks;
    used.extend(spans(&prose));
    // The options of other programs are not checked, except those after ` -- `.
    let programs = ["cargo ", "maturin ", "uvx ", "whichfn-fleet ", "dotnet ", "xargs "];
    let arguments =
        ["--filter '", "--test-name-pattern='", "src/price.zig --test-filter '", "price_test.ts --filter '"];
    let others = [&programs[..], &arguments[..]].concat();
    let ours = used.iter().map(|line| match others.iter().any(|other| line.trim_start().starts_with(other)) {
        true => line.split_once(" -- ").map_or("", |(_, rest)| rest),
        false => line,
    });
    let ours = ours.collect::<Vec<_>>().join("\n");
    let known = words_from(&help, "--");
    let unknown: Vec<&str> = words_from(&ours, "--").into_iter().filter(|option| !known.contains(option)).collect();
    assert!(unknown.is_empty(), "README.md or docs/ names options that no command has: {unknown:?}");
    assert_eq!(
        words_from(&text, "WHICHFN_"),
        words_from(&help, "WHICHFN_"),
        "environment variables of README.md, docs/ and the help"
    );
    let page = read("docs/commands.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `whichfn "));
    let told: Vec<&str> = rows.filter_map(|row| row.split([' ', '`']).next()).collect();
    assert_eq!(told, commands(), "docs/commands.md has a row for each command of the help, in its order");
}

/// Compares the part of a document between two marks with `actual`, or writes it if `UPDATE` is
/// set.
fn check_part(document: &str, marks: (&str, &str), actual: &str) {
    let text = read(document);
    let start = text.find(marks.0).expect("the part's first mark") + marks.0.len();
    let end = start + text[start..].find(marks.1).expect("the part's last mark");
    if std::env::var_os("UPDATE").is_some() {
        let new = format!("{}{actual}{}", &text[..start], &text[end..]);
        std::fs::write(root().join(document), new).expect("document written");
        return;
    }
    assert_eq!(&text[start..end], actual, "{document} differs (UPDATE=1 writes it)");
}

/// A single test writes the README, so two tests never write it at once.
#[test]
fn the_language_table_and_the_example_are_current() {
    check_part(LANGUAGE_PAGE, LANGUAGES, &language_table());
    check_part("README.md", LANGUAGES, &language_list());
    let text = read("README.md");
    let start = text.find(EXAMPLE.0).expect("the example") + EXAMPLE.0.len();
    let end = start + text[start..].find(EXAMPLE.1).expect("the example's end");
    let shown = &text[start..end];
    let typed = shown.lines().find_map(|line| line.strip_prefix("$ ")).expect("a command in the example");
    let arguments = arguments(typed);
    let printed = program(&arguments[1..].iter().map(String::as_str).collect::<Vec<_>>());
    if std::env::var_os("UPDATE").is_some() {
        return check_part("README.md", EXAMPLE, &format!("```console\n$ {typed}\n{}\n```\n", printed.trim_end()));
    }
    // Scores and line numbers change with every change to the source. The first result and its file
    // should not change.
    let first = |answer: &str| {
        let line = answer.lines().find(|line| line.contains(".rs:")).expect("a result").to_owned();
        let (place, rest) = line.split_once(':').expect("path:line");
        (place.to_owned(), rest.split_whitespace().nth(1).expect("name").to_owned())
    };
    assert_eq!(first(shown), first(&printed), "the README's example (UPDATE=1 writes it)");
    assert!(shown.contains(" · sure, "), "the example shows an answer that can be trusted: {shown}");
    let cargo =
        text.lines().find_map(|line| line.strip_prefix("cargo run --release -- ")).expect("the command to run it");
    let asked = |typed: &str| typed.split('"').nth(1).map(str::to_owned);
    assert_eq!(asked(cargo), asked(typed), "the README asks one question in both places");
}

/// Copies the Rust sources of the checkout, with the manifests that name their crates, to a repository
/// of their own, with one commit.
fn copy_of_the_sources() -> Env {
    let (env, mut folders) = (Env::new(), vec![root().join("crates"), root().join("src"), root().join("tests")]);
    std::fs::remove_dir(env.at(".git")).expect("an empty folder");
    while let Some(folder) = folders.pop() {
        for path in whichfn_testing::entries(&folder) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") || path.ends_with("Cargo.toml") {
                let text = std::fs::read(&path).expect("a source file");
                env.write(path.strip_prefix(root()).expect("below the root"), text);
            }
        }
    }
    for arguments in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["-c", "user.name=a", "-c", "user.email=a@b.example", "commit", "-qm", "a"],
    ] {
        assert!(env.other_process("git").args(arguments).status().expect("git starts").success());
    }
    env
}

/// The commands of the README, the help, the program without arguments and docs/commands.md work in
/// the checkout that a reader has just cloned, and answer with the right function.
#[test]
fn the_first_commands_run_in_the_checkout() {
    let env = copy_of_the_sources();
    let readme = read("README.md");
    let readme = readme.split("## Five commands").nth(1).and_then(|rest| rest.split("```").nth(1)).expect("a block");
    let terminal = read("docs/commands.md");
    let terminal: Vec<&str> = terminal.lines().filter(|line| line.contains("kill")).collect();
    let help = program(&["--help"]);
    let in_words = help.split(": whichfn ").nth(1).and_then(|rest| rest.split("\".").next()).expect("an example");
    let places = [
        ("README.md", readme.to_owned(), 5),
        ("the bare command", env.run(&[]).err, 3),
        ("--help", format!("whichfn {}\"", in_words.replace('\n', " ")), 1),
        ("docs/commands.md", terminal.join("\n"), 5),
    ];
    let mut commands = BTreeSet::new();
    for (name, text, count) in places {
        let found = text.lines().filter_map(|line| line.trim().strip_prefix("whichfn "));
        let found: Vec<String> = found.map(|line| line.split(" #").next().unwrap_or(line).trim().to_owned()).collect();
        assert_eq!(found.len(), count, "{name}: {found:?}");
        commands.extend(found);
    }
    for command in commands {
        let arguments = arguments(&command);
        let ran = env.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(ran.code, Some(0), "whichfn {command}: {ran:#?}");
        let part = match arguments[0].as_str() {
            "check" => "nothing found",
            "context" => "kill_process",
            "relate" => "kill_and_wait",
            _ => "crates/system/src/process_group.rs:",
        };
        let is_about_first = !["check", "context", "relate"].contains(&&*arguments[0]);
        let all = format!("{}{}", ran.out, ran.err);
        let shown = if is_about_first { ran.out.lines().next().unwrap_or_default() } else { &all };
        assert!(shown.contains(part) && (!is_about_first || shown.contains("kill_and_wait")), "{command}: {ran:#?}");
    }
}

/// Splits a command line into words. Double quotes group a phrase.
fn arguments(typed: &str) -> Vec<String> {
    let parts = typed.split('"').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// Returns the sentence of the README that lists the languages, wrapped at 120 columns.
fn language_list() -> String {
    let titles = Registry::builtin().expect("language files").titles();
    let (last, others) = titles.split_last().expect("a language");
    let list = format!("{} languages: {} and {last}.", titles.len(), others.join(", "));
    let mut lines = vec!["whichfn supports".to_owned()];
    for word in list.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < 120 => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn version_lists_the_languages_of_the_readme() {
    let titles = Registry::builtin().expect("language files").titles();
    let expected = format!("languages: {} ({})", titles.len(), titles.join(", "));
    let printed = program(&["--version"]);
    assert!(printed.lines().any(|line| line == expected), "{expected}: {printed}");
    assert!(titles.contains(&"TypeScript".to_owned()) && !titles.contains(&"Tsx".to_owned()), "{titles:?}");
}

fn language_table() -> String {
    let registry = Registry::builtin().expect("language files");
    let mut names: Vec<_> = registry.ids().filter_map(|id| registry.spec(id)).collect();
    names.sort_by(|a, b| a.head.name.cmp(&b.head.name));
    let mut table = String::from("| `--lang` | Endings | Also known by |\n|---|---|---|\n");
    for spec in names {
        let endings: Vec<String> = spec.head.extensions.iter().map(|e| format!("`.{e}`")).collect();
        let files = spec.head.file_names.iter().map(|name| format!("`{name}`"));
        let others: Vec<String> = files.chain(spec.head.shebangs.iter().map(|name| format!("`#!` {name}"))).collect();
        table += &format!("| {} | {} | {} |\n", spec.head.name, endings.join(" "), others.join(", "));
    }
    table
}

/// `just NAME` in a document is a recipe of the `justfile`.
#[test]
fn named_recipes_exist() {
    let justfile = read("justfile");
    let recipes: BTreeSet<&str> = justfile
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()) && !line.contains(":="))
        .filter_map(|line| line.split([' ', ':']).next())
        .collect();
    for document in DOCUMENTS {
        let text = read(document);
        let (blocks, prose) = blocks_and_prose(&text);
        let typed = blocks.into_iter().chain(spans(&prose)).filter_map(|line| line.trim().strip_prefix("just "));
        for name in typed.filter_map(|rest| rest.split_whitespace().next()) {
            assert!(recipes.contains(name), "{document}: `just {name}` is no recipe of the justfile");
        }
    }
}

/// Returns `tests/` of the root package and of each crate that has one.
fn test_folders() -> Vec<PathBuf> {
    let crates = whichfn_testing::entries(&root().join("crates")).into_iter().map(|path| path.join("tests"));
    std::iter::once(root().join("tests")).chain(crates.filter(|folder| folder.is_dir())).collect()
}

/// Cargo does not compile a file that the main file of the tests does not name.
#[test]
fn every_file_of_tests_is_in_a_test_program() {
    for folder in test_folders() {
        let main = ["tests.rs", "main.rs"].map(|name| folder.join(name)).into_iter().find(|path| path.exists());
        let main = main.unwrap_or_else(|| panic!("{} has no main file", folder.display()));
        let program = std::fs::read_to_string(&main).expect("text");
        let named: BTreeSet<&str> =
            program.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
        let is_part = |path: &PathBuf| path.is_dir() || path.extension().is_some_and(|end| end == "rs");
        for path in whichfn_testing::entries(&folder).into_iter().filter(|path| *path != main && is_part(path)) {
            let name = path.file_stem().expect("name").to_string_lossy();
            assert!(named.contains(&*name), "{} has no `mod {name};`", main.display());
        }
    }
}

#[test]
fn every_document_is_checked() {
    let folders = ["", "docs", "grammars", "queries", "benches", "benches/records", "fixtures", "src"]
        .map(|name| root().join(name));
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten().flatten());
    let found: Vec<PathBuf> =
        entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|end| end == "md")).collect();
    for path in found {
        let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
        assert!(DOCUMENTS.contains(&&*name) || name == "CHANGELOG.md", "{name} is in no list of tests/docs.rs");
    }
}

#[test]
fn every_listed_defect_has_a_test() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).expect("read");
    let tests: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`'))
        .filter(|part| part.contains("::"))
        .collect();
    assert!(tests.len() > 20, "{tests:?}");
    for test in tests {
        let (module, name) = test.rsplit_once("::").expect("a path");
        let files = match module.strip_suffix("::tests") {
            Some(module) => vec![root().join(format!("crates/syntax/src/parse/{module}.rs"))],
            None => test_folders().iter().map(|folder| folder.join(module).with_extension("rs")).collect(),
        };
        let sources: String = files.iter().filter_map(|file| std::fs::read_to_string(file).ok()).collect();
        assert!(sources.contains(&format!("fn {name}()")), "no file {module}.rs has the test {name}");
    }
}
