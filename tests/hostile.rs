//! A repository that means harm: orders to the terminal in names and texts, odd files in the place of settings, links to what
//! lies outside.

#![allow(clippy::print_stdout)] // says what it skips

use crate::support::env::{Env, Ran};
use std::path::Path;

// ---- orders to the terminal

/// A title, the clipboard, a colour, the reading direction: as C0, C1 and bidirectional characters.
const ORDERS: &str = "\u{1b}]0;T\u{7}\u{1b}]52;c;cHduZWQ=\u{7}\u{9b}31m\u{202e}zebra\u{7f}";

/// Whether one of these bytes could be taken for an order.
fn gives_orders(text: &str) -> bool {
    text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}'))
}

/// A function whose documentation, body and string give orders.
fn striped() -> String {
    format!("def zebra(stripes):\n    \"\"\"Count {ORDERS} stripes.\"\"\"\n    return \"{ORDERS}\"\n")
}

fn with_orders() -> Env {
    let env = Env::new();
    env.write("evil\u{1b}[31m\n\u{202e}x.py", striped());
    env
}

#[test]
fn no_text_gives_orders_to_a_terminal_or_a_pipe() {
    let env = with_orders();
    let said = format!("read this -- {ORDERS}");
    env.write("reply.txt", format!("not json {ORDERS}"));
    for arguments in [
        &["zebra", "--snippet-lines", "3", "--explain"][..],
        &["zebra", "-vv"],
        &["zebra", "--strategy", "prism", "--trace", "--explain"],
        &["zebra", "--strategy", "walk", "--trace"],
        &["zebra", "--strategy", "prism", "--trace", "--llm-cmd", "cat reply.txt"],
        &["zebra", "--llm-cmd", "cat reply.txt >&2; exit 1"],
        &["read", "zebra", "reply.txt"],
        &["read", "zebra", "reply.txt", "--llm-cmd", "cat reply.txt", "--trace"],
        &["relate", "zebra"],
        &["relate", &said],
        &["status"],
        &[&said, &said, &said],
        &["ask", "zebra", &said],
        &["zebra", "--path", &said],
        &["eval", &said],
    ] {
        let ran = env.run(arguments);
        assert!(!gives_orders(&ran.out) && !gives_orders(&ran.err), "{ran:#?}");
    }
}

#[test]
fn a_person_sees_what_is_written_and_no_line_is_forged() {
    let ran = with_orders().run(&["zebra", "--snippet-lines", "2", "-k", "1"]).found();
    insta::assert_snapshot!(ran.out, @r#"
    "evil\033[31m\n\342\200\256x.py":1  zebra  function · 1.00 · sure, 96 %
        def zebra(stripes)
        Count \u001b]0;T\u0007\u001b]52;c;cHduZWQ=\u0007\u009b31m\u202ezebra\u007f stripes.
        why: zebra in name
        | def zebra(stripes):
        |     """Count \u001b]0;T\u0007\u001b]52;c;cHduZWQ=\u0007\u009b31m\u202ezebra\u007f stripes."""
    "#);
}

#[test]
fn formats_for_programs_keep_their_texts() {
    let env = with_orders();
    let found = env.run(&["zebra", "--jsonl", "--snippet-lines", "3"]).found().json_lines().remove(0);
    assert_eq!(found["path"], "evil\u{1b}[31m\n\u{202e}x.py");
    assert!(found["snippet"].as_str().expect("text").contains(ORDERS));
}

/// On a terminal even a format for programs is looked at by a person; a line of JSON keeps its value.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_gets_no_orders_in_any_format() {
    let env = with_orders();
    let program = env!("CARGO_BIN_EXE_whichfn");
    for arguments in [
        "zebra --snippet-lines 3",
        "zebra --jsonl --snippet-lines 3",
        "graph --format dot",
        "graph --format html",
        "context \"$(ls *.py)\":3",
        "read zebra --llm-cmd cat --dry-run *.py",
    ] {
        let line = format!("{program} {arguments} < /dev/null");
        let Ok(output) = env.other_process("script").args(["-qec", &line, "/dev/null"]).output() else {
            return println!("skipped: no `script` here to play a terminal");
        };
        let ran = Ran::new(line, output);
        // Colours are ours, a terminal's line ends with CR LF.
        let shown = ran.out.replace("\r\n", "\n");
        let parts: Vec<&str> = shown.split('\u{1b}').skip(1).collect();
        let is_style = |part: &&str| part.starts_with('[') && part.contains('m') && !gives_orders(part);
        assert!(parts.iter().all(is_style) && ran.code != Some(2), "{ran:#?}");
        assert!(!parts.iter().any(|part| part.starts_with("[31m") || part.starts_with(']')), "{ran:#?}");
    }
}

#[test]
fn a_repository_cannot_turn_colours_on() {
    let env = with_orders();
    env.write("whichfn.toml", "color = \"always\"\n");
    env.run(&["zebra"]).failed(&["color cannot be set by a repository", "--color", "WHICHFN_COLOR"]);
    env.remove("whichfn.toml");
    env.write_user_settings("color = \"always\"\n");
    assert!(env.run(&["zebra"]).found().out.contains("\u{1b}[35m"), "the user can");
}

// ---- odd files

fn with_zebra() -> Env {
    Env::with(&[("a.py", "def zebra(stripes):\n    return stripes\n")])
}

fn mkfifo(path: &Path) -> bool {
    std::process::Command::new("mkfifo").arg(path).status().is_ok_and(|made| made.success())
}

#[test]
#[cfg(unix)]
fn odd_settings_end_the_run_with_a_line_and_without_a_wait() {
    let settings = "whichfn.toml";
    let env = with_zebra();
    assert!(mkfifo(&env.at(settings)));
    env.run(&["zebra"]).failed(&["whichfn.toml: it is no regular file"]);
    env.remove(settings);
    std::os::unix::fs::symlink("/dev/zero", env.at(settings)).expect("link");
    env.run(&["zebra"]).failed(&["whichfn.toml: it is a link"]);
    env.remove(settings);
    env.write(settings, "# long\n".repeat(10_000));
    env.run(&["zebra"]).failed(&["longer than 65536 bytes"]);
    env.write(settings, b"color = \"\xff\"\n");
    env.run(&["zebra"]).failed(&["no UTF-8"]);
}

#[test]
#[cfg(unix)]
fn linked_settings_tell_nothing_of_what_they_point_to() {
    let env = with_zebra();
    std::fs::write(env.beside("secret"), "AWS_SECRET_ACCESS_KEY = \"abcdefSECRET\"\n").expect("file");
    std::os::unix::fs::symlink(env.beside("secret"), env.at("whichfn.toml")).expect("link");
    let ran = env.run(&["zebra"]).failed(&["it is a link"]);
    assert!(!ran.err.contains("SECRET"), "{ran:#?}");
}

#[test]
fn a_repository_cannot_lift_the_limit_on_the_size_of_files() {
    let env = with_zebra();
    env.write("whichfn.toml", "max-file-size = 9223372036854775807\n");
    env.run(&["zebra"]).failed(&["cannot raise max-file-size above 1048576"]);
    env.write("whichfn.toml", "max-file-size = 10\n");
    env.run(&["zebra"]).nothing();
    env.run(&["zebra", "--max-file-size", "2000000"]).found();
}

#[test]
#[cfg(target_os = "linux")]
fn help_that_cannot_be_written_is_an_error() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("/dev/full");
    let output = Env::new().process().arg("--help").stdout(full).output().expect("the program starts");
    Ran::new("whichfn --help > /dev/full".into(), output).failed(&["cannot write the results"]);
}
