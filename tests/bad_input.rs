//! Tests errors caused by users, files, permissions, disks and processes. A bad file is counted and
//! the other files are still searched. A bad question or path ends the run with one line for the
//! error and one line for the remedy. No input causes a panic or a wrong answer.

#![allow(clippy::print_stdout, clippy::type_complexity)] // prints what it skips

use crate::support::env::{Env, Ran, entries};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, SystemTime};

const CIRCLE: &str = r#"def draw_circle(radius):
    """Draw a circle."""
    return radius
"#;

fn circle() -> Env {
    Env::with(&[("circle.py", CIRCLE)])
}

/// Checks that the valid file of the repository is still found.
fn still_answers(env: &Env) {
    assert_eq!(env.ask(&["draw a circle", "-k", "1"]), ["draw_circle"]);
}

/// Returns the number of skipped files for each reason.
fn skipped(env: &Env) -> serde_json::Value {
    env.run(&["status", "--json"]).found().json()["skipped"].clone()
}

// ---- text

#[test]
fn strings_that_start_with_wide_characters() {
    for wide in ["é", "你", "🌐", "e\u{301}"] {
        let texts =
            format!("import os\n\n\ndef flag(x):\n    return os.environ.get('{wide}', \"{wide}\") or f'{wide}'\n");
        let env = Env::with(&[("circle.py", CIRCLE), ("flag.py", &texts)]);
        still_answers(&env);
        assert_eq!(skipped(&env), json!({}), "{wide}");
    }
}

/// A `forEach` without an object has no list of strings.
#[test]
fn a_loop_without_a_list() {
    let routes =
        "// éééééé\nconst express = require('express');\nconst app = express();\nforEach((p) => app.get(p, show));\n";
    let env = Env::with(&[("circle.py", CIRCLE), ("app.js", routes)]);
    still_answers(&env);
    assert_eq!(skipped(&env), json!({}));
}

/// Scanners that skip to the next white space do not stop at the end of a text without a line break.
#[test]
fn a_last_line_without_a_line_break() {
    for end in ["@Inject", "    @Inject(", "    var a = 1\n    @Inject", "    var a = 1\n    @Inject(b = "] {
        let text = format!("class Circle {{\n    fun area() = 1\n    val radius: Int\n{end}");
        let env = Env::with(&[("circle.py", CIRCLE), ("Circle.kt", &text)]);
        still_answers(&env);
    }
}

#[test]
fn a_file_with_more_routes_than_are_found_is_named() {
    let routes: String = (0..4_200).map(|at| format!("app.add_url_rule('/r{at}', view_func=show)\n")).collect();
    let text = format!("from flask import Flask\n\napp = Flask(__name__)\n\n\ndef show():\n    return 1\n\n\n{routes}");
    let env = Env::with(&[("routes.py", &text)]);
    let listed = env.run(&["--kind", "entry", "--json"]);
    assert!(listed.err.contains("only the first 4096 routes or other names in routes.py are found"), "{}", listed.err);
    assert_eq!(listed.json()["results"].as_array().map(Vec::len), Some(4_096));

    let limit = text.replace("/r4096'", "'").lines().take(9 + 4_096).fold(String::new(), |all, line| all + line + "\n");
    let env = Env::with(&[("routes.py", &limit)]);
    let listed = env.run(&["--kind", "entry", "--json"]);
    assert!(!listed.err.contains("only the first"), "{}", listed.err);
}

/// A module that exports what is inside it, from which a file asks for the module around it.
#[test]
fn modules_that_export_each_other() {
    let env = Env::with(&[
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/lib.rs", "pub mod a;\n"),
        ("src/a.rs", "pub use self::b::c::*;\npub fn foo() { b::c::bar(); }\n"),
        ("src/a/b/c.rs", "pub use super::b;\npub fn bar() { foo(); super::foo(); b::x(); }\n"),
        ("circle.py", CIRCLE),
    ]);
    still_answers(&env);
}

#[test]
fn a_source_file_above_the_size_limit_is_named_once_and_when_the_question_names_it() {
    let large = format!("def unroll_parchment(x):\n    return x\n{}", "# more\n".repeat(200_000));
    let env = Env::with(&[("circle.py", CIRCLE), ("large.py", &large), ("large.json", &large)]);
    let notice = "large.py is not searched, because it exceeds --max-file-size";
    let unsure = || env.run(&["unroll the parchment of a scribe"]).err;
    assert_eq!(unsure().matches(notice).count(), 1, "the first index");
    assert_eq!(env.run(&["unroll the parchment of a scribe", "--json"]).json()["index"]["oversized"], 1);
    assert!(!unsure().contains("large.py"), "{}", unsure());
    env.write("other.py", "def other():\n    pass\n");
    assert!(!unsure().contains("large.py"), "a refresh that skips the same files");
    assert!(env.run(&["what does large.py do"]).err.contains(notice));
    env.write("huge.py", &large);
    let said = unsure();
    assert!(said.contains("huge.py is not searched") && !said.contains("large.py"), "{said}");
}

// ---- paths

#[test]
fn a_large_directory_outside_a_repository_is_indexed_only_on_request() {
    let env = Env::new();
    let folder = env.outside("home").canonicalize().expect("folder");
    for part in ["notes", "projects/one/.git", "projects/two/.git", "projects/two/sub/.git"] {
        std::fs::create_dir_all(folder.join(part)).expect("folder");
    }
    std::fs::write(folder.join("projects/one/a.py"), "def lone():\n    return 1\n").expect("file");
    let run = |at: &Path, arguments: &[&str]| {
        env.run_with(arguments, |command| {
            command.current_dir(at);
        })
    };
    for number in 0..5_000 {
        std::fs::write(folder.join(format!("notes/{number}.txt")), "").expect("file");
    }
    let (one, two) = (folder.join("projects/one"), folder.join("projects/two"));
    let words = format!("use one of its repositories, {}, {}; to index all of it, run: ", one.display(), two.display());
    for arguments in [&["a lone function"][..], &["status"], &["index"], &["callers", "lone"]] {
        run(&folder, arguments).failed(&["is not a repository and has more than 5000 files", &words, "whichfn index "]);
    }
    run(&one, &["a lone function"]).found();
    run(&folder, &["index", "."]).found();
    run(&folder, &["a lone function"]).found();
}

#[test]
#[cfg(target_os = "linux")]
fn system_folders_are_not_read() {
    let env = Env::new();
    let ran = env.run(&["index", "/proc", "--json", "--stats"]);
    assert_eq!((ran.json()["files"].as_u64(), &ran.json()["skipped"]), (Some(0), &json!({"special": 1})), "{ran:#?}");
}

#[test]
fn a_missing_directory() {
    circle().run(&["draw", "no/such"]).failed(&["cannot read no/such", "no such file", "check the path"]);
}

#[test]
fn a_file_instead_of_a_directory() {
    circle().run(&["draw", "circle.py"]).failed(&["circle.py is a file, not a directory", "pass its directory"]);
}

#[test]
fn an_empty_directory() {
    let env = Env::new();
    env.run(&["draw a circle"]).nothing().stderr_contains(&["no files to search", "whichfn status"]);
    assert_eq!(env.run(&["draw a circle", "--json"]).nothing().json()["results"], json!([]));
    assert_eq!(env.run(&["status", "--json"]).found().json()["files"], 0);
}

#[test]
fn a_repository_of_no_supported_language() {
    let env = Env::with(&[("README.md", "# Draw a circle\n"), ("circle.xyzzy", "draw circle\n")]);
    env.run(&["draw a circle"]).nothing().stderr_contains(&["no functions found in the 2 files", "--unit file"]);
    assert!(env.run(&["draw a circle", "--unit", "file", "--jsonl"]).found().paths().contains(&"README.md".to_owned()));
}

#[test]
fn no_directory_for_an_index() {
    circle()
        .run_with(&["draw"], |command| {
            command.env_remove("HOME").env_remove("XDG_CACHE_HOME").env_remove("LOCALAPPDATA");
        })
        .failed(&["cannot find a cache directory", "--index-dir"]);
}

#[test]
fn an_index_directory_that_is_a_file() {
    let env = circle();
    std::fs::write(env.outside("taken"), "a file").expect("file");
    let taken = env.outside("taken");
    env.run(&["draw", "--index-dir", taken.to_str().expect("path")])
        .failed(&["cannot create the index folder", "taken"]);
    assert_eq!(std::fs::read_to_string(taken).expect("file"), "a file");
}

#[test]
fn a_file_instead_of_the_index_folder() {
    let env = circle();
    still_answers(&env);
    let folder = env.index_folder();
    std::fs::remove_dir_all(&folder).expect("removed");
    std::fs::write(&folder, "a file").expect("file");
    env.run(&["draw"]).failed(&["index folder"]);
}

// ---- questions

#[test]
fn an_empty_question() {
    for question in ["", "  \n\t "] {
        circle().run(&[question]).failed(&["the question is empty", "whichfn \""]);
    }
}

#[test]
fn stop_words_count_if_all_words_are_stop_words() {
    let env = Env::with(&[("a.py", "def what_is_it():\n    pass\n"), ("circle.py", CIRCLE)]);
    assert_eq!(env.ask(&["what is it"]), ["what_is_it"]);
    circle().run(&["which of these"]).nothing();
}

#[test]
fn a_question_without_words() {
    circle().run(&["???"]).nothing().stderr_contains(&["nothing found"]);
}

#[test]
fn a_question_of_a_hundred_thousand_words() {
    let question = "draw a circle ".repeat(9_000);
    assert_eq!(circle().ask(&[&question]), ["draw_circle"]);
}

// ---- files

#[test]
fn a_file_of_200_megabytes() {
    let env = circle();
    let file = std::fs::File::create(env.at("huge.py")).expect("file");
    file.set_len(200 << 20).expect("sparse file");
    still_answers(&env);
    assert_eq!(skipped(&env), json!({"oversized": 1}));
    let ran = env.run(&["draw", "--max-file-size", "300000000", "--json"]).found();
    assert_eq!(ran.json()["index"]["skipped"], 1, "zeros are no text");
}

#[test]
fn random_bytes_named_py() {
    let env = circle();
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = |zero: bool| -> Vec<u8> {
        (0..100_000)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                if zero { state as u8 } else { (state as u8).max(1) }
            })
            .collect()
    };
    env.write("zeros.py", random(true));
    env.write("no_zeros.py", random(false));
    env.write(
        "lines.rs",
        random(false).into_iter().enumerate().map(|(i, b)| if i % 60 == 0 { b'\n' } else { b }).collect::<Vec<_>>(),
    );
    still_answers(&env);
    assert_eq!(skipped(&env)["binary"], 1);
}

#[test]
fn code_nested_a_hundred_thousand_deep() {
    let deep = 100_000;
    let shapes: &[(&str, String)] = &[
        // The parser searches each unclosed bracket for the error until it reaches its step limit,
        // so fewer brackets keep the test fast.
        ("open.py", format!("x = {}\n", "[\n".repeat(deep / 10))),
        ("closed.py", format!("x = {}1{}\n", "[\n".repeat(deep), "]\n".repeat(deep))),
        ("parens.py", format!("x = {}1{}\n", "(\n".repeat(deep), ")\n".repeat(deep))),
        ("calls.py", format!("x = {}1{}\n", "f(\n".repeat(deep), ")\n".repeat(deep))),
        ("sum.py", format!("x = (1\n{})\n", "+ 1\n".repeat(deep))),
        ("chain.py", format!("x = (a\n{})\n", ".b()\n".repeat(deep))),
        ("decorators.py", format!("{}def f(): pass\n", "@a\n".repeat(deep / 2))),
        ("nots.py", format!("x = (\n{}1)\n", "not\n".repeat(deep))),
        ("open.rs", format!("fn f() {{ {}\n", "(\n".repeat(deep / 10))),
        ("parens.rs", format!("fn f() {{ {}1{} }}\n", "(\n".repeat(deep), ")\n".repeat(deep))),
        ("blocks.rs", format!("fn f() {}1{}\n", "{\n".repeat(deep), "}\n".repeat(deep))),
        ("chain.rs", format!("fn f() {{ a\n{} }}\n", ".b()\n".repeat(deep))),
        ("modules.rs", format!("{}{}\n", "mod m {\n".repeat(deep), "}\n".repeat(deep))),
        ("functions.rs", format!("{}{}\n", "fn f() {\n".repeat(deep - 10_000), "}\n".repeat(deep - 10_000))),
        ("types.rs", format!("fn f(x: {}u8{}) {{}}\n", "Vec<\n".repeat(deep), ">\n".repeat(deep))),
        ("one_line.py", format!("x = {}\n", "[".repeat(deep))),
    ];
    for (name, text) in shapes {
        let env = circle();
        env.write(name, text);
        assert_eq!(env.ask(&["draw a circle"]), ["draw_circle"], "{name}");
        let skipped = skipped(&env);
        let known = [json!({}), json!({"unparsable": 1}), json!({"minified": 1})];
        assert!(known.contains(&skipped) && !(name.starts_with("chain") && skipped == known[0]), "{name}: {skipped}");
    }
}

/// A name may be in a file that is not indexed, and a question about it finds nothing.
#[test]
fn skipped_files_of_code_are_named_if_nothing_is_found() {
    let env = circle();
    env.write("packed.js", "function(a,b){return(a+b)};".repeat(400));
    env.run(&["callers", "unpack_parcel"]).failed(&["packed.js (minified)", "whichfn status --list"]);
    env.run(&["unpack the parcel of a courier"]).nothing().stderr_contains(&["packed.js", "minified"]);
    let ran = env.run(&["draw a circle"]).found();
    assert!(!ran.err.contains("packed.js"), "{ran:#?}");
}

/// Each of these texts fails an assertion in a scanner written in C and aborts the program
/// (`docs/limits.md`).
#[test]
fn text_that_crashes_a_scanner() {
    let word = "A".repeat(256);
    let levels: String = (0..511).map(|level| format!("{}if a:\n", " ".repeat(level))).collect();
    for (name, text) in [
        ("word.rb", format!("x = <<{word}\ntext\n{word}\n")),
        ("quoted.rb", format!("x = <<~\"{word}\n")),
        ("levels.py", format!("{levels}{}x = \"abc\"\n", " ".repeat(511))),
    ] {
        let env = circle();
        env.write(name, text);
        still_answers(&env);
        assert_eq!(skipped(&env), json!({"unparsable": 1}), "{name}");
    }
}

/// The text has the shape of Rack's `lib/rack/lint.rb`: the next double quote is far below the
/// string that ends in `<<`.
#[test]
fn a_string_ending_in_two_angles_keeps_its_file() {
    let env = circle();
    let far = "# a comment without a quotation mark on the lines that follow, of which there are many\n".repeat(20);
    env.write(
        "lint.rb",
        format!("def check_errors(io)\n  raise Error, \"must respond to #<<\"\nend\n{far}\ndef other\n  \"x\"\nend\n"),
    );
    assert_eq!(env.ask(&["check errors", "-k", "1"]), ["check_errors"]);
    assert_eq!(skipped(&env), json!({}));
}

/// The lengths are on both sides of the scanner's limits: one byte for the length of a word, and
/// the size of its buffer. None of them may corrupt memory.
#[test]
fn a_quoted_word_over_several_lines_is_harmless() {
    let env = circle();
    for length in [1_000, 1_019, 1_021, 1_022, 1_030, 4_000] {
        env.write(format!("word_{length}.rb"), format!("x = <<\"A\n{}\"\ntext\n", "A".repeat(length - 2)));
    }
    still_answers(&env);
}

/// Returns nested heredocs that overflow a scanner's buffer by one byte. Inspecting the text does
/// not reveal this.
fn heredocs_of_one_byte_too_many() -> String {
    let words: Vec<String> =
        ["A", "B", "C", "D", "E"].iter().zip([200, 200, 200, 200, 203]).map(|(c, n)| c.repeat(n)).collect();
    let inside: String = words[1..].iter().map(|word| format!("#{{<<{word}}}\n")).collect();
    let ends: String = words.iter().rev().map(|word| format!("{word}\n")).collect();
    format!("x = <<{}\n{inside}text\n{ends}", words[0])
}

/// This also tests that the C parsers are compiled with assertions. Without them the scanner would
/// silently corrupt memory.
#[cfg(unix)]
#[test]
fn a_parser_crash_happens_once() {
    use std::os::unix::process::ExitStatusExt;
    let env = circle();
    env.write("nested.rb", heredocs_of_one_byte_too_many());
    // With one thread the first note names the file. With two threads the second run may have to
    // find out which file it was.
    let one_thread = [("RAYON_NUM_THREADS", "1")];
    let ended = env.process().arg("index").envs(one_thread).output().expect("the program starts");
    assert_eq!(ended.status.signal(), Some(6), "an assertion ends it, unless NDEBUG is set: {ended:?}");
    assert!(String::from_utf8_lossy(&ended.stderr).contains("Assertion"));
    env.run(&["draw a circle"]).found().stderr_contains(&["parser crashed on nested.rb", "until it changes"]);
    assert_eq!(skipped(&env), json!({"unparsable": 1}));
    env.run(&["draw a circle"]).found().without_stderr();
    env.run(&["index", "--force"]).found();
    env.write("nested.rb", "def draw_square; end\n");
    assert_eq!(env.ask(&["draw square", "-k", "1"]), ["draw_square"]);
}

#[test]
fn deeply_nested_handwritten_tables_are_read() {
    let env = Env::new();
    env.write("table.py", format!("table = (1\n{})\n\n\n{CIRCLE}", "+ 1\n".repeat(1_500)));
    env.write("chain.rs", format!("pub fn draw_square() {{\n    builder()\n{}}}\n", "        .side(1)\n".repeat(700)));
    still_answers(&env);
    assert_eq!(env.ask(&["square"]), ["draw_square"]);
}

#[test]
fn every_encoding_is_read_and_lines_stay_in_place() {
    let code = r"# naïve café


def draw_café(größe):
    return größe
";
    let utf16 = |order: fn(u16) -> [u8; 2]| {
        std::iter::once(0xFEFF).chain(code.encode_utf16()).flat_map(order).collect::<Vec<u8>>()
    };
    let latin1: Vec<u8> = code.chars().map(|c| u8::try_from(u32::from(c)).expect("Latin-1")).collect();
    for (name, bytes) in [
        ("utf8", code.as_bytes().to_vec()),
        ("bom", [b"\xEF\xBB\xBF", code.as_bytes()].concat()),
        ("utf16le", utf16(u16::to_le_bytes)),
        ("utf16be", utf16(u16::to_be_bytes)),
        ("latin1", latin1),
        ("crlf", code.replace('\n', "\r\n").into_bytes()),
    ] {
        let env = Env::new();
        env.write("a.py", bytes);
        let found = env.run(&["draw café", "--jsonl", "--snippet-lines", "1"]).found().json_lines().remove(0);
        let seen = json!([found["name"], found["line"], found["end_line"], found["signature"], found["snippet"]]);
        assert_eq!(seen, json!(["draw_café", 4, 5, "def draw_café(größe)", "def draw_café(größe):"]), "{name}");
    }
}

#[test]
fn a_file_that_begins_with_its_definition_after_a_byte_order_mark() {
    let env = Env::new();
    env.write("circle.py", format!("\u{FEFF}{CIRCLE}"));
    env.write("square.rs", "\u{FEFF}pub fn draw_square() {}\n");
    still_answers(&env);
    assert_eq!(env.ask(&["square"]), ["draw_square"]);
    assert_eq!(env.run(&["status", "--json"]).json()["files_with_errors"], 0);
}

#[test]
fn odd_but_legal_files() {
    let env = circle();
    env.write("empty.py", "");
    env.write(
        "blank.rs", r"


",
    );
    env.write("no_newline.py", "def no_newline(): pass");
    env.write("only_cr.py", "def only_cr():\r    pass\r");
    env.write("zero.py", b"def zero(): pass\n\0\n");
    env.write("half.rs", "fn half() { let x = \"not closed\n");
    still_answers(&env);
    assert_eq!(env.ask(&["no_newline"]), ["no_newline"]);
    assert_eq!(skipped(&env), json!({"binary": 1}));
}

#[test]
#[cfg(unix)]
fn odd_file_names() {
    let env = Env::new();
    let names = [
        "with space.py",
        "new\nline.py",
        "tab\there.py",
        "quo\"te's.py",
        "-k.py",
        "ünï.py",
        "back\\slash.py",
        "[glob]*.py",
        "!not.py",
        "a:1.py",
    ];
    for name in names {
        env.write(name, CIRCLE);
    }
    let mut paths = env.run(&["draw a circle", "-k", "99", "--no-fold", "--jsonl"]).found().paths();
    paths.sort();
    let mut expected = names.map(str::to_owned);
    expected.sort();
    assert_eq!(paths, expected);
    assert_eq!(env.run(&["draw", "--path", "with space.py", "--jsonl"]).found().paths(), ["with space.py"]);
    let text = env.run(&["draw a circle", "-k", "99", "--no-fold"]).found().out;
    assert_eq!(text.matches("draw_circle  function").count(), names.len());
    env.remove("new\nline.py");
    assert_eq!(env.ask(&["draw a circle", "-k", "99", "--no-fold"]).len(), names.len() - 1);
}

/// As in ripgrep, a pipe receives the bytes of the name. JSON contains the name as text, with a
/// replacement character for each invalid part, and also the bytes.
#[test]
#[cfg(target_os = "linux")]
fn file_names_that_are_not_utf8() {
    use std::os::unix::ffi::OsStrExt;
    let env = circle();
    for name in [&b"caf\xe9.py"[..], b"caf\xe8.py", b"folder\xff/a.py"] {
        env.write(Path::new(std::ffi::OsStr::from_bytes(name)), "def draw_square(size):\n    return size\n");
    }
    still_answers(&env);
    still_answers(&env);
    let found =
        env.run(&["draw_square", "-k", "3", "--no-fold", "--jsonl", "--snippet-lines", "1"]).found().json_lines();
    let seen = |key: &str| found.iter().map(|one| one[key].clone()).collect::<Vec<_>>();
    assert_eq!(seen("path"), ["caf\u{fffd}.py", "caf\u{fffd}.py", "folder\u{fffd}/a.py"]);
    assert_eq!(seen("path_bytes"), ["Y2Fm6C5weQ==", "Y2Fm6S5weQ==", "Zm9sZGVy/y9hLnB5"]);
    assert_eq!(seen("snippet"), ["def draw_square(size):"; 3], "and they are read");
    let output =
        env.process().args(["draw_square", "-k", "3", "--no-fold", "-q"]).output().expect("the program starts");
    let lines: Vec<&[u8]> = output.stdout.split(|byte| *byte == b'\n').collect();
    assert!(lines.iter().any(|line| line.starts_with(b"caf\xe9.py:1  draw_square")), "{lines:?}");
    for format in ["json", "dot", "graphml", "html"] {
        for around in [&["graph"][..], &["graph", "draw_circle"]] {
            let drawn = env.run(&[around, &["--format", format]].concat()).found().out;
            assert!(drawn.contains("circle.py"), "{drawn}");
            assert!(!drawn.contains(|c| c >= '\u{10ff00}'), "{format}: no character stands for a byte: {drawn}");
        }
        let drawn = env.run(&["graph", "--format", format]).found().out;
        assert!(drawn.contains("caf\u{fffd}.py"), "{format}: {drawn}");
        assert!(format != "json" || drawn.contains("\"path_bytes\":\"Y2Fm6S5weQ==\""), "{drawn}");
    }
    for way in ["prism", "cok", "walk"] {
        let ran = env.run(&["draw_square", "--strategy", way, "--trace", "--json"]).found();
        let said = ran.out + &ran.err;
        assert!(!said.contains(|c| c >= '\u{10ff00}'), "{way}: {said}");
    }
    env.remove(Path::new(std::ffi::OsStr::from_bytes(b"caf\xe9.py")));
    assert_eq!(env.ask(&["draw_square", "-k", "3", "--no-fold"]).len(), 3, "with draw_circle");
}

#[test]
#[cfg(unix)]
fn links_are_counted_and_not_followed() {
    use std::os::unix::fs::symlink;
    let env = circle();
    std::fs::create_dir(env.outside("outside")).expect("directory");
    std::fs::write(env.outside("outside/secret.py"), "def secret_square():\n    pass\n").expect("file");
    symlink(env.outside("outside"), env.at("out")).expect("link");
    symlink(env.outside("outside/secret.py"), env.at("secret.py")).expect("link");
    symlink(env.repo(), env.at("loop")).expect("link");
    symlink("itself", env.at("itself")).expect("link");
    symlink("nowhere", env.at("dangling.py")).expect("link");
    symlink("circle.py", env.at("again.py")).expect("link");
    assert_eq!(env.ask(&["draw a circle"]), ["draw_circle"], "once, under its own name");
    env.run(&["secret square"]).nothing();
    assert_eq!(skipped(&env), json!({"link": 6}));
    symlink(env.repo(), env.outside("door")).expect("link");
    let door = env.outside("door");
    let through = env.run(&["draw a circle", door.to_str().expect("path"), "--json"]).found().json();
    assert_eq!(through["root"], env.repo().to_str().expect("path"), "one tree has one index");
    env.index_folder();
}

#[test]
#[cfg(unix)]
fn sockets_and_pipes_are_not_read() {
    let env = circle();
    let _socket = std::os::unix::net::UnixListener::bind(env.at("socket.py")).expect("socket");
    if !Command::new("mkfifo").arg(env.at("pipe.py")).status().is_ok_and(|s| s.success()) {
        println!("skipped in part: no mkfifo here");
        return still_answers(&env);
    }
    still_answers(&env);
    assert_eq!(skipped(&env), json!({"special": 2}));
}

// ---- permissions

/// Returns a function that runs the program as a user with limited permissions: the user who runs
/// the tests, or `nobody` if that is root.
#[cfg(unix)]
fn as_ordinary_user(env: &Env) -> Option<impl Fn(&[&str]) -> Ran> {
    use std::os::unix::fs::PermissionsExt;
    let probe = env.outside("probe");
    std::fs::write(&probe, "").expect("file");
    set_mode(&probe, 0o000);
    let is_root = std::fs::read(&probe).is_ok();
    for place in ["", "home", "cache", "config", "repo"] {
        let place = env.outside(place);
        let mode = std::fs::metadata(&place).expect("directory").permissions().mode();
        set_mode(&place, mode | 0o777);
    }
    let command = move |arguments: &[&str]| {
        let program = env!("CARGO_BIN_EXE_whichfn");
        let mut command = if is_root { env.other_process("setpriv") } else { env.process() };
        if is_root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", program]);
        }
        command.args(arguments).output()
    };
    if is_root && !command(&["--version"]).is_ok_and(|o| o.status.success()) {
        println!("skipped: root reads everything, and this machine cannot run the program as another user");
        return None;
    }
    Some(move |arguments: &[&str]| {
        Ran::new(format!("whichfn {arguments:?} as an ordinary user"), command(arguments).expect("the program starts"))
    })
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("permissions");
}

#[test]
#[cfg(unix)]
fn files_and_directories_without_read_permission() {
    let env = circle();
    env.write("closed.py", "def draw_square(): pass\n");
    env.write("locked/inside.py", "def draw_square(): pass\n");
    let Some(run) = as_ordinary_user(&env) else { return };
    set_mode(&env.at("closed.py"), 0o000);
    set_mode(&env.at("locked"), 0o000);
    assert_eq!(run(&["draw a circle", "--jsonl"]).found().names(), ["draw_circle"]);
    let status = run(&["status", "--json"]).found().json();
    set_mode(&env.at("locked"), 0o755);
    assert_eq!(status["skipped"], json!({"unreadable": 2}));
    set_mode(&env.at("closed.py"), 0o644);
    assert_eq!(run(&["draw", "--jsonl"]).found().names().len(), 3, "when they can be read they are found");
}

#[test]
#[cfg(unix)]
fn a_root_without_read_permission() {
    let env = circle();
    let Some(run) = as_ordinary_user(&env) else { return };
    std::fs::create_dir(env.outside("locked")).expect("directory");
    set_mode(&env.outside("locked"), 0o000);
    let locked = env.outside("locked");
    run(&["draw", locked.to_str().expect("path")]).failed(&[
        "cannot read",
        "permission denied",
        "check its permissions",
    ]);
    set_mode(&locked, 0o755);
}

#[test]
#[cfg(unix)]
fn an_index_directory_without_write_permission() {
    let env = circle();
    let Some(run) = as_ordinary_user(&env) else { return };
    set_mode(&env.outside("cache"), 0o555);
    run(&["draw a circle"]).failed(&["cannot create the index folder", "permission denied", "choose another path"]);
    set_mode(&env.outside("cache"), 0o777);
}

/// Sets the modification time of a file to one hour ago.
fn age(path: &Path) {
    let file = std::fs::File::options().write(true).open(path).expect("file");
    file.set_modified(SystemTime::now() - Duration::from_secs(3600)).expect("time");
}

// ---- the index

/// Returns every path below a folder. A folder precedes its contents.
fn below(folder: &Path) -> Vec<PathBuf> {
    entries(folder)
        .into_iter()
        .flat_map(|path| if path.is_dir() { [vec![path.clone()], below(&path)].concat() } else { vec![path] })
        .collect()
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("directory");
    for path in entries(from) {
        let target = to.join(path.file_name().expect("name"));
        if path.is_dir() { copy(&path, &target) } else { std::fs::copy(&path, &target).map(drop).expect("copied") }
    }
}

#[test]
fn damage_to_any_index_file_is_repaired() {
    let env = circle();
    env.write(
        "shapes.rs",
        r"/// Draw a square.
pub fn draw_square(size: u64) -> u64 {
    side(size)
}

fn side(size: u64) -> u64 {
    size
}
",
    );
    age(&env.at("circle.py"));
    age(&env.at("shapes.rs"));
    let ask = |env: &Env| env.run(&["which function draws a circle or a square of some size", "--jsonl"]).found();
    let right = ask(&env);
    let (folder, sound) = (env.index_folder(), env.outside("sound"));
    copy(&folder, &sound);
    let damages: &[(&str, fn(&Path))] = &[
        ("deleted", |p| std::fs::remove_file(p).expect("removed")),
        ("emptied", |p| std::fs::write(p, "").expect("written")),
        ("cut to ten bytes", |p| cut(p, |_| 10)),
        ("cut in half", |p| cut(p, |n| n / 2)),
        ("overwritten in its middle", |p| overwrite(p, |n| n / 2)),
        ("overwritten at its end", |p| overwrite(p, |n| n.saturating_sub(8))),
    ];
    let files: Vec<PathBuf> = below(&folder)
        .into_iter()
        .filter(|p| p.is_file())
        .map(|p| p.strip_prefix(&folder).expect("below").to_owned())
        .collect();
    assert!(files.len() >= 6, "{files:?}");
    let mut wrong = Vec::new();
    for file in &files {
        for (name, damage) in damages {
            std::fs::remove_dir_all(&folder).expect("removed");
            copy(&sound, &folder);
            damage(&folder.join(file));
            let mut check = |when: &str, expected: &str| {
                let output = env
                    .process()
                    .args(["which function draws a circle or a square of some size", "--jsonl"])
                    .output()
                    .expect("run");
                let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
                if output.status.code() != Some(0)
                    || out != expected
                    || err.lines().count() > 1
                    || err.contains("panicked")
                {
                    wrong.push(format!(
                        "{} {name}, {when}: {:?} {} {err}",
                        file.display(),
                        output.status.code(),
                        if out == expected { "right" } else { "WRONG" }
                    ));
                }
                err.into_owned()
            };
            let mut said = check("asked", &right.out);
            // Some files are only read by a refresh, so a file is changed to cause one.
            if said.is_empty() {
                env.write("other.py", "x = 1\n");
                age(&env.at("other.py"));
                said += &check("refreshed", &right.out);
                env.remove("other.py");
            }
            let own = file.starts_with("generation-1");
            if own && !said.contains("rebuilding") {
                wrong.push(format!("{} {name}: nobody noticed", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len() * damages.len(), wrong.join("\n"));
}

/// Checksums are verified block by block on reading, so a changed byte in a block that the question
/// does not read has no effect.
#[test]
fn a_changed_byte_never_causes_a_wrong_answer() {
    let env = big();
    let question = ["play a sound seven times", "--no-update", "--jsonl"];
    still_answers(&env);
    let right = env.run(&question).found().out;
    let folder = env.index_folder();
    let files: Vec<PathBuf> = below(&folder).into_iter().filter(|path| path.is_file()).collect();
    let manifest = files.iter().find(|path| path.ends_with("manifest")).expect("a manifest");
    let sound = std::fs::read(manifest).expect("manifest");
    let (mut right_answers, mut refusals) = (0, 0);
    for (number, path) in files.iter().cycle().take(80).enumerate() {
        let bytes = std::fs::read(path).expect("file");
        let mut damaged = bytes.clone();
        if let Some(byte) = (number * 7_919 * 104_729).checked_rem(bytes.len()).and_then(|at| damaged.get_mut(at)) {
            *byte ^= 1 << (number % 8);
        }
        std::fs::write(path, damaged).expect("damaged");
        let output = env.process().args(question).output().expect("run");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        match output.status.code() {
            Some(0) => right_answers += usize::from(out == right),
            Some(2) => {
                refusals += usize::from(
                    out.is_empty() && ["damaged", "no index", "version"].iter().any(|word| err.contains(word)),
                )
            }
            _ => {}
        }
        std::fs::write(path, bytes).expect("mended");
        std::fs::write(manifest, &sound).expect("mended");
    }
    assert_eq!(right_answers + refusals, 80, "{right_answers} right, {refusals} refused");
    assert!(right_answers > 10 && refusals > 10, "{right_answers} right, {refusals} refused");
}

fn cut(path: &Path, length: fn(usize) -> usize) {
    let bytes = std::fs::read(path).expect("file");
    let length = length(bytes.len()).min(bytes.len());
    std::fs::write(path, &bytes[..length]).expect("written");
}

fn overwrite(path: &Path, from: fn(usize) -> usize) {
    let mut bytes = std::fs::read(path).expect("file");
    let from = from(bytes.len());
    bytes.iter_mut().skip(from).take(8).for_each(|byte| *byte = !*byte);
    std::fs::write(path, bytes).expect("written");
}

#[test]
fn an_index_of_other_settings_is_built_again_with_one_line() {
    let env = circle();
    still_answers(&env);
    let ran = env.run(&["draw a circle", "--max-file-size", "5000"]).found();
    assert_eq!(ran.stderr_contains(&["different settings; rebuilding it"]).err.lines().count(), 1);
}

/// Returns a repository that takes a while to index.
fn big() -> Env {
    let env = circle();
    more(&env);
    env
}

fn more(env: &Env) {
    for file in 0..500 {
        let body: String = (0..20).map(|i| format!("def play_{file}_{i}(sound):\n    \"\"\"Play a sound, {i} times.\"\"\"\n    return stop_{i}(sound, times={i})\n\n\n")).collect();
        env.write(format!("sounds/s{file}.py"), body);
    }
}

/// Prepares a repository and stops its indexing while the index is being written. On a busy machine
/// the index may be complete before the test can stop the run, so the test retries.
#[cfg(unix)]
fn interrupted(prepare: fn() -> Env, stop: fn(&mut Child)) -> Env {
    interrupted_when(|env| !unfinished(env).is_empty(), prepare, stop)
}

/// Does the same as [`interrupted`], but stops the indexing once `is_time` returns true.
#[cfg(unix)]
fn interrupted_when(is_time: fn(&Env) -> bool, prepare: fn() -> Env, stop: fn(&mut Child)) -> Env {
    for _ in 0..20 {
        let env = prepare();
        let mut command = env.interruptible_process();
        command.args(["index", "-q"]).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("start");
        while !is_time(&env) && child.try_wait().expect("child").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        if child.try_wait().expect("child").is_none() {
            stop(&mut child);
        }
        if !child.wait().expect("end").success() {
            return env;
        }
    }
    panic!("each of twenty runs was done before it could be stopped");
}

fn unfinished(env: &Env) -> Vec<PathBuf> {
    let is_left = |p: &PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("unfinished-"));
    entries(&env.outside("cache/whichfn")).iter().flat_map(|folder| entries(folder)).filter(is_left).collect()
}

#[test]
#[cfg(unix)]
fn answers_after_a_kill_while_indexing() {
    let env = interrupted(big, |child| child.kill().expect("killed"));
    still_answers(&env);
    assert_eq!(unfinished(&env), Vec::<PathBuf>::new());
    assert_eq!(env.run(&["status", "--json"]).found().json()["functions"], 10_001);
}

#[test]
#[cfg(unix)]
fn answers_after_an_interrupt() {
    let env = interrupted(big, |child| {
        let process = rustix::process::Pid::from_child(child);
        rustix::process::kill_process(process, rustix::process::Signal::INT).expect("signal sent");
    });
    still_answers(&env);
    assert_eq!(unfinished(&env), Vec::<PathBuf>::new());
}

/// Returns the folders of partial indexes that can be used.
fn partial(env: &Env) -> Vec<PathBuf> {
    let folders = entries(&env.outside("cache/whichfn")).into_iter().map(|folder| folder.join("partial"));
    folders.filter(|folder| folder.join("manifest").exists()).collect()
}

/// Returns the bytes of the files of an index, except for the manifest, which contains times.
fn bytes_of_index(env: &Env) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = env.index_folder();
    let current = std::fs::read_to_string(folder.join("CURRENT")).expect("a generation");
    let files = entries(&folder.join(current.trim())).into_iter().filter(|file| !file.ends_with("manifest"));
    files.map(|file| (file.file_name().expect("name").into(), std::fs::read(&file).expect("bytes"))).collect()
}

#[test]
#[cfg(unix)]
fn an_interrupted_index_continues_where_it_stopped() {
    let whole = big();
    whole.run(&["index"]).found();
    let interrupted = || interrupted_when(|env| !partial(env).is_empty(), big, |child| child.kill().expect("killed"));
    let index = |env: &Env| env.run(&["index", "--json"]).found().json()["refreshed_files"].as_u64().expect("a number");
    let env = interrupted();
    let parsed = index(&env);
    assert!((1..450).contains(&parsed), "{parsed} of 501 files were parsed");
    assert!(bytes_of_index(&env) == bytes_of_index(&whole), "the same bytes as without an interruption");
    assert_eq!(partial(&env), Vec::<PathBuf>::new());
    still_answers(&env);
    // A file that changed in the meantime is parsed again.
    let env = interrupted();
    env.write("circle.py", format!("{CIRCLE}\n\ndef added_since():\n    pass\n"));
    assert!(index(&env) < 450);
    assert_eq!(env.ask(&["added since", "-k", "1"]), ["added_since"]);
    // Files that are damaged are not used.
    for (file, damage) in [
        ("base", (|path| overwrite(path, |length| length / 3)) as fn(&Path)),
        ("links", |path| overwrite(path, |length| length / 2)),
        ("manifest", |path| cut(path, |length| length / 2)),
    ] {
        let env = interrupted();
        partial(&env).iter().for_each(|folder| damage(&folder.join(file)));
        assert_eq!(index(&env), 501, "{file}");
        assert!(bytes_of_index(&env) == bytes_of_index(&whole));
    }
    let env = interrupted();
    assert_eq!(env.run(&["index", "--force", "--json"]).found().json()["refreshed_files"], 501);
}

#[test]
#[cfg(unix)]
fn killed_while_refreshing_leaves_the_former_index_usable() {
    let prepare = || {
        let env = circle();
        still_answers(&env);
        more(&env);
        env
    };
    let env = interrupted(prepare, |child| child.kill().expect("killed"));
    assert_eq!(env.ask(&["draw a circle", "--no-update"]), ["draw_circle"]);
    env.run(&["play a sound", "--no-update"]).nothing();
    assert_eq!(env.ask(&["play a sound"]).len(), 10);
    assert_eq!(unfinished(&env), Vec::<PathBuf>::new());
}

#[test]
fn concurrent_questions_on_a_cold_cache() {
    let env = big();
    let start = || {
        env.process()
            .args(["draw a circle", "-k", "1", "--jsonl"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start")
    };
    let children: Vec<Child> = (0..3).map(|_| start()).collect();
    let mut waited = 0;
    for child in children {
        let ran = Ran::new("one of several".into(), child.wait_with_output().expect("end")).found();
        assert_eq!(ran.names(), ["draw_circle"]);
        assert!(
            ran.err.is_empty()
                || (ran.err.starts_with("whichfn: another whichfn process is indexing this repository")
                    && ran.err.ends_with("waiting for it\n")
                    && ran.err.lines().count() == 1),
            "{ran:#?}"
        );
        waited += usize::from(!ran.err.is_empty());
    }
    assert!(waited < 3, "one of them did the work");
    assert_eq!(unfinished(&env), Vec::<PathBuf>::new());
}

#[test]
fn questions_while_the_files_change_see_a_whole_index() {
    let env = circle();
    still_answers(&env);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(std::sync::atomic::Ordering::Relaxed) {
                    still_answers(&env);
                }
            });
        }
        for i in 0..40 {
            env.write(format!("sounds/s{}.py", i % 5), format!("def play_{i}(): pass\n"));
            std::thread::sleep(Duration::from_millis(20));
        }
        done.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(env.ask(&["play_39"])[0], "play_39");
}

// ---- the disk

/// A limit on the file size simulates a full device: writes fail in the middle.
#[test]
#[cfg(unix)]
fn a_write_error_on_a_full_device() {
    let env = big();
    let script = "trap '' XFSZ; ulimit -f 64 || exit 99; exec \"$0\" \"$@\"";
    let output = env
        .other_process("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_whichfn"), "draw a circle"])
        .output()
        .expect("sh");
    if output.status.code() == Some(99) {
        return println!("skipped: no ulimit here");
    }
    Ran::new("whichfn with small files only".into(), output).failed(&["cannot write", "too large"]);
    assert_eq!(unfinished(&env), Vec::<PathBuf>::new());
    still_answers(&env);
}

/// The small disk is mounted in a separate mount namespace, so nothing remains after the test.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    let env = big();
    std::fs::create_dir(env.outside("small")).expect("directory");
    let small = env.outside("small");
    let script = "mount -t tmpfs -o size=256k whichfn-test \"$2\" || exit 99; \"$0\" \"$1\" --index-dir \"$2\"; code=$?; ls -R \"$2\" | grep -q unfinished- && exit 98; exit $code";
    let mut command = env.other_process("unshare");
    command
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "sh",
            "-c",
            script,
            env!("CARGO_BIN_EXE_whichfn"),
            "draw a circle",
        ])
        .arg(&small);
    let output = match command.output() {
        Ok(output)
            if output.status.code() != Some(99) && !String::from_utf8_lossy(&output.stderr).contains("unshare") =>
        {
            output
        }
        _ => return println!("skipped: this machine lets nobody mount a small disk"),
    };
    Ran::new("whichfn on a full disk".into(), output).failed(&["no space left", "--index-dir"]);
}

/// Other users may write to a folder of shards.
#[cfg(unix)]
#[test]
fn a_pipe_instead_of_a_shard_or_catalog_does_not_block() {
    let env = circle();
    std::fs::create_dir(env.repo().join("shards")).expect("a folder");
    for name in ["a.shard", "shards/fleet.json"] {
        let made = Command::new("mkfifo").arg(env.repo().join(name)).status().expect("mkfifo");
        assert!(made.success());
    }
    env.run(&["fleet", "stats", "a.shard"]).failed(&["a.shard", "not a regular file"]);
    env.run(&["fleet", "ask", "--shards", "shards", "circle"]).failed(&["fleet.json", "not a regular file"]);
}
