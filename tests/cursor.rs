//! Tests the cursor of `whichfn context`: the text before it is the query, and neither the query
//! nor the text after the cursor is ever shown. An invalid cursor ends the run with one line for
//! the error and one line for the remedy.

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};

/// Returns lines that each have a unique word and a word common to all lines.
fn lines(from: usize, to: usize) -> Vec<String> {
    (from..=to).map(|line| format!("total = total + own{line}")).collect()
}

fn text(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn fragments(env: &Env, place: &str, unsaved: Option<&str>) -> Vec<Value> {
    let mut arguments = vec!["context", place, "--format", "json", "-k", "50", "--no-update"];
    arguments.extend(unsaved.map(|_| "--stdin"));
    let ran = env.run_with(&arguments, |command| {
        if let Some(text) = unsaved {
            command.write_stdin(text);
        }
    });
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    ran.json()["fragments"].as_array().expect("list").clone()
}

/// Requests fragments at each line of the editor's text. Returns the number of fragments from the
/// edited file.
fn at_every_line(env: &Env, held: &[String], unsaved: bool) -> usize {
    let (all, mut shown) = (text(held), 0);
    for line in 1..=held.len() + 1 {
        for place in [format!("long.py:{line}"), format!("long.py:{line}:9")] {
            let found = fragments(env, &place, unsaved.then_some(&all));
            assert!(found.iter().any(|f| f["path"] == "other.py") || line == 1, "{place}: others are always shown");
            for fragment in found.iter().filter(|fragment| fragment["path"] == "long.py") {
                shown += 1;
                // The query is part of the completion anyway, so its lines are left out too.
                let hidden = &held[line.saturating_sub(20).min(held.len())..];
                let words: Vec<&str> = fragment["text"].as_str().expect("text").split_whitespace().collect();
                let leaked = hidden.iter().find(|line| words.contains(&line.rsplit(' ').next().expect("word")));
                assert_eq!(leaked, None, "{place} shows {fragment}");
            }
        }
    }
    shown
}

fn long() -> Env {
    let env = Env::with(&[("other.py", "total = total + 1\n")]);
    env.write("long.py", text(&lines(1, 60)));
    env.run(&["index"]).found();
    env
}

#[test]
fn text_of_the_query_and_after_the_cursor_is_not_shown() {
    assert!(at_every_line(&long(), &lines(1, 60), false) > 40, "what lies before the query is shown");
}

#[test]
fn text_after_the_cursor_is_not_shown_despite_unsaved_lines_above() {
    let env = long();
    let inserted = [lines(1, 30), lines(101, 115), lines(31, 60)].concat();
    assert!(at_every_line(&env, &inserted, true) > 20, "what is as on the disk is shown");
    at_every_line(&env, &[lines(1, 5), lines(26, 60)].concat(), true);
    assert_eq!(at_every_line(&env, &[lines(101, 101), lines(1, 60)].concat(), true), 0, "line numbers no longer fit");
}

#[test]
#[cfg(unix)]
fn text_after_the_cursor_is_not_shown_through_a_link() {
    let env = long();
    std::os::unix::fs::symlink("long.py", env.at("link.py")).expect("link");
    let shown = fragments(&env, "link.py:10", None);
    assert_eq!(shown.iter().map(|f| &f["path"]).collect::<Vec<_>>(), ["other.py"]);
}

// ---- lines and columns

#[test]
fn the_query_is_the_twenty_lines_before_the_cursor() {
    let env = long();
    let query = |place: &str| env.run(&["context", place, "--format", "json"]).json()["query_lines"].clone();
    assert_eq!(query("long.py:41"), json!([21, 40]), "the cursor's line is not begun");
    assert_eq!(query("long.py:41:1"), json!([21, 40]));
    assert_eq!(query("long.py:41:4"), json!([22, 41]), "what is written on it counts");
    assert_eq!(query("long.py:2"), json!([1, 1]));
    assert_eq!(query("long.py:1"), json!([1, 1]));
    assert_eq!(query("long.py:61"), json!([41, 60]), "the empty line at the end");
}

/// Returns the words that the text before the cursor contains, derived from the files found for
/// them.
fn before(content: &str, place: &str) -> Vec<String> {
    let env = Env::with(&[("alpha.py", "alpha = 1\n"), ("beta.py", "beta = 1\n")]);
    env.write("here.py", content);
    let ran = env.run(&["context", place, "--format", "json"]);
    assert!(matches!(ran.code, Some(0 | 1)), "{ran:#?}");
    let path = |f: &Value| f["path"].as_str().expect("path").trim_end_matches(".py").to_owned();
    let mut found: Vec<String> = ran.json()["fragments"].as_array().expect("list").iter().map(path).collect();
    found.sort();
    found
}

#[test]
fn a_column_cuts_the_line_of_the_cursor() {
    let text = "alpha beta\n";
    assert!(before(text, "here.py:1").is_empty(), "without one, nothing of it");
    for (column, found) in [("0", 0), ("1", 0), ("4", 0), ("6", 1), ("10", 1), ("11", 2), ("999", 2)] {
        assert_eq!(before(text, &format!("here.py:1:{column}")), ["alpha", "beta"][..found], "column {column}");
    }
}

#[test]
fn a_tab_and_a_letter_beyond_ascii_are_one_column_each() {
    for text in ["\t\talpha beta\n", "ßü alpha beta\n", "日本 alpha beta\n", "e\u{301} alpha beta\n", "🦀🦀 alpha beta"]
    {
        let written = text.find(" beta").map(|at| text[..at].chars().count()).expect("both words");
        assert_eq!(before(text, &format!("here.py:1:{}", written + 1)), ["alpha"], "{text:?}");
        assert_eq!(before(text, &format!("here.py:1:{}", written + 6)), ["alpha", "beta"], "{text:?}");
    }
}

#[test]
fn line_breaks_of_windows_count_as_one() {
    let text = "alpha\r\n\tbeta\r\n\r\nlast\r\n";
    assert_eq!(before(text, "here.py:2"), ["alpha"]);
    assert_eq!(before(text, "here.py:2:99"), ["alpha", "beta"]);
    assert_eq!(before(text, "here.py:3"), ["alpha", "beta"]);
    let env = Env::with(&[("a.rs", "fn alpha() {\r\n\tbeta();\r\n}\r\n"), ("b.rs", "alpha\r\n")]);
    let shown = env.run(&["context", "b.rs:2"]).found().out;
    assert!(shown.contains("// fn alpha() {\n// \tbeta();\n// }\n") && !shown.contains('\r'), "{shown:?}");
}

// ---- selecting the repository

const CIRCLE: &str = "def draw_circle(radius):\n    return radius\n";

fn circle() -> Env {
    Env::with(&[("circle.py", CIRCLE), ("other.py", "def other(circle):\n    draw_circle(radius)\n")])
}

#[test]
fn the_repository_is_that_of_the_file_in_any_current_directory() {
    let env = circle();
    env.write("src/here.py", "draw_circle\n");
    let here = env.run(&["context", "src/here.py:2"]).found().out;
    let from = |folder: &str, place: &str| {
        let stand = |command: &mut assert_cmd::Command| {
            command.current_dir(env.at(folder));
        };
        env.run_with(&["context", place], stand).found().without_stderr().out
    };
    assert_eq!(from("src", "here.py:2"), here);
    assert_eq!(from("src", "../src/./here.py:2"), here);
    assert_eq!(from("..", "repo/src/here.py:2"), here, "from outside the repository");
    assert_eq!(from("..", "repo/../repo/src/here.py:2"), here);
    let absolute = format!("{}:2", env.at("src/here.py").display());
    assert_eq!(from("../home", &absolute), here);
}

#[test]
fn a_file_at_the_top_of_a_repository_belongs_to_it() {
    let env = circle();
    std::fs::write(env.outside("stray.py"), "draw_circle(radius)\n").expect("file");
    let ask = || {
        let stand = |command: &mut assert_cmd::Command| {
            command.current_dir(env.outside(""));
        };
        env.run_with(&["context", "repo/other.py:3"], stand).found().out
    };
    assert!(ask().contains("# circle.py\n") && !ask().contains("stray.py"), "not the folder one stands in: {}", ask());
    std::fs::remove_dir(env.at(".git")).expect("removed");
    assert!(
        ask().contains("# repo/circle.py\n") && ask().contains("# stray.py\n"),
        "without one, just that: {}",
        ask()
    );
}

#[test]
fn another_directory_can_be_named() {
    let env = circle();
    env.write("inner/circle.py", CIRCLE);
    env.write("inner/here.py", "draw_circle\n");
    let shown = env.run(&["context", "inner/here.py:2", "--in", "inner", "-k", "1"]).found().out;
    assert!(shown.contains("# circle.py\n"), "paths are from there: {shown}");
    env.run(&["context", "circle.py:2", "--in", "inner"]).failed(&["circle.py is outside", "omit --in"]);
}

// ---- invalid cursors

fn context(env: &Env, place: &str) -> Ran {
    env.run(&["context", place])
}

#[test]
fn a_line_beyond_the_end() {
    let env = circle();
    context(&env, "circle.py:3").found();
    context(&env, "circle.py:4").failed(&["circle.py:4 is past the end: the file has 2 lines", "from 1 to 3"]);
    context(&env, "circle.py:4294967295").failed(&["is past the end"]);
    context(&env, "circle.py:0").failed(&["circle.py:0 is not a valid position", "from 1 to 3"]);
    env.write("open.py", "def draw_circle():");
    context(&env, "open.py:2").found();
    context(&env, "open.py:3").failed(&["open.py:3 is past the end: the file has 1 line", "from 1 to 1"]);
}

#[test]
fn a_position_without_a_line() {
    let env = circle();
    for place in
        ["circle.py", "circle.py:", "circle.py:x", "circle.py:-1", "circle.py:2:x", "circle.py:99999999999", ":2", ""]
    {
        context(&env, place).failed(&[&format!("`{place}` is not a location in a file"), "pass a line"]);
    }
    assert_eq!(env.run(&["context"]).code, Some(2));
}

#[test]
fn no_fragments_exit_with_status_1() {
    circle().run(&["context", "circle.py:2", "-k", "0"]).failed(&["-k 0", "pass a number of at least 1"]);
}

#[test]
fn a_file_that_is_not_text() {
    let env = circle();
    env.write("logo.png", b"\x89PNG\0\0\0\x01");
    env.write("folder/inner.py", "");
    context(&env, "logo.png:1").failed(&["logo.png is not text", "pass a source file"]);
    context(&env, "folder:1").failed(&["folder is a directory", "pass a file in it"]);
    context(&env, ".:1").failed(&["is a directory"]);
    context(&env, "no.py:1").failed(&["no.py: no such file", "--stdin"]);
    context(&env, "no/such.py:1").failed(&["such.py: no such file", "--stdin"]);
    context(&env, "circle.py/inner.py:1").failed(&["no such file"]);
    env.run_with(&["context", "circle.py:1", "--stdin"], |command| {
        command.write_stdin(&b"\x89PNG\0\0\0\x01"[..]);
    })
    .failed(&["cannot read the text: it is binary", "omit --stdin"]);
}

#[test]
fn a_file_outside_the_repository() {
    let env = circle();
    std::fs::write(env.outside("outside.py"), "draw_circle\n").expect("file");
    std::fs::create_dir(env.at("inner")).expect("directory");
    for (place, named) in [("../outside.py:2", "."), ("circle.py:2", "inner")] {
        env.run(&["context", place, "--in", named]).failed(&["is outside", "pass the repository that contains it"]);
    }
    env.run(&["context", "circle.py:2", "--in", "nowhere"]).failed(&["cannot read nowhere"]);
    env.run(&["context", "circle.py:2", "--in", "circle.py"]).failed(&["is a file, not a directory"]);
}

#[test]
fn a_file_that_is_not_indexed_has_context_too() {
    let env = circle();
    env.write(".gitignore", "ignored.py\n");
    for path in ["ignored.py", ".hidden.py", "notes.unknown"] {
        env.write(path, "draw_circle radius\n");
        let shown = context(&env, &format!("{path}:2")).found().out;
        assert!(shown.contains("# circle.py\n") && !shown.contains(&format!("# {path}\n")), "{path}: {shown}");
    }
    env.write("large.py", "draw_circle(radius)\n".repeat(100_000));
    assert!(context(&env, "large.py:100000").found().out.contains("# circle.py\n"));
}

#[test]
fn an_empty_file_has_one_line() {
    let env = circle();
    env.write("empty.py", "");
    context(&env, "empty.py:1").nothing();
    context(&env, "empty.py:1:5").nothing();
    context(&env, "empty.py:2").failed(&["the file has 0 lines", "from 1 to 1"]);
    assert!(env.run(&["context", "empty.py:1", "--draft", "draw_circle"]).found().out.contains("# circle.py\n"));
}
