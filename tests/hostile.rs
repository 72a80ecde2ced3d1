//! Tests malicious repositories: control sequences in names and texts, special files instead of
//! settings, and links to files outside the repository.

#![allow(clippy::print_stdout)] // prints what it skips

use crate::support::env::{Env, PATIENCE, Ran};
use std::path::Path;
use whichfn_index::index::{Options, Silent, refresh};
use whichfn_index::store::{Generation, Layout, catch_damaged};
use whichfn_search::search::{Query, Searcher, Unit};
use whichfn_syntax::lang::Registry;
use xxhash_rust::xxh3::xxh3_64;

// ---- control sequences

/// Control sequences that change the title, clipboard, colour and text direction, as C0, C1 and
/// bidirectional characters.
const ORDERS: &str = "\u{1b}]0;T\u{7}\u{1b}]52;c;cHduZWQ=\u{7}\u{9b}31m\u{202e}zebra\u{7f}";

/// Checks whether a text contains characters that a terminal may interpret.
fn gives_orders(text: &str) -> bool {
    text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}'))
}

/// Returns a function whose documentation, body and string contain control sequences.
fn striped() -> String {
    format!("def zebra(stripes):\n    \"\"\"Count {ORDERS} stripes.\"\"\"\n    return \"{ORDERS}\"\n")
}

fn with_orders() -> Env {
    let env = Env::new();
    env.write("evil\u{1b}[31m\n\u{202e}x.py", striped());
    env
}

#[test]
fn escape_sequences_do_not_reach_a_terminal_or_pipe() {
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
fn control_characters_are_visible_and_forge_no_line() {
    let ran = with_orders().run(&["zebra", "--snippet-lines", "2", "-k", "1"]).found();
    insta::assert_snapshot!(ran.out, @r#"
    "evil\033[31m\n\342\200\256x.py":1  zebra  function · sure, 98 %
        def zebra(stripes)
        Count \u001b]0;T\u0007\u001b]52;c;cHduZWQ=\u0007\u009b31m\u202ezebra\u007f stripes.
        1 │ def zebra(stripes):
        2 │     """Count \u001b]0;T\u0007\u001b]52;c;cHduZWQ=\u0007\u009b31m\u202ezebra\u007f stripes."""
    "#);
}

#[test]
fn formats_for_programs_keep_their_texts() {
    let env = with_orders();
    let found = env.run(&["zebra", "--jsonl", "--snippet-lines", "3"]).found().json_lines().remove(0);
    assert_eq!(found["path"], "evil\u{1b}[31m\n\u{202e}x.py");
    assert!(found["snippet"].as_str().expect("text").contains(ORDERS));
}

/// On a terminal a user reads even the machine-readable formats. A line of JSON keeps its value.
#[test]
#[cfg(target_os = "linux")]
fn escape_sequences_do_not_reach_a_terminal_in_any_format() {
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
        // The program writes the colours, and a terminal ends each line with CR LF.
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

// ---- special files

fn with_zebra() -> Env {
    Env::with(&[("a.py", "def zebra(stripes):\n    return stripes\n")])
}

fn mkfifo(path: &Path) -> bool {
    std::process::Command::new("mkfifo").arg(path).status().is_ok_and(|made| made.success())
}

#[test]
#[cfg(unix)]
fn invalid_settings_files_are_an_error_without_blocking() {
    let settings = "whichfn.toml";
    let env = with_zebra();
    assert!(mkfifo(&env.at(settings)));
    env.run(&["zebra"]).failed(&["whichfn.toml: it is not a regular file"]);
    env.remove(settings);
    std::os::unix::fs::symlink("/dev/zero", env.at(settings)).expect("link");
    env.run(&["zebra"]).failed(&["whichfn.toml: it is a link"]);
    env.remove(settings);
    env.write(settings, "# long\n".repeat(10_000));
    env.run(&["zebra"]).failed(&["longer than 65536 bytes"]);
    env.write(settings, b"color = \"\xff\"\n");
    env.run(&["zebra"]).failed(&["not valid UTF-8"]);
}

#[test]
#[cfg(unix)]
fn linked_settings_reveal_nothing_about_their_target() {
    let env = with_zebra();
    std::fs::write(env.outside("secret"), "AWS_SECRET_ACCESS_KEY = \"abcdefSECRET\"\n").expect("file");
    std::os::unix::fs::symlink(env.outside("secret"), env.at("whichfn.toml")).expect("link");
    let ran = env.run(&["zebra"]).failed(&["it is a link"]);
    assert!(!ran.err.contains("SECRET"), "{ran:#?}");
}

/// The rules of the file are unknown, so the directory that they apply to is left out.
#[test]
#[cfg(unix)]
fn an_invalid_ignore_file_excludes_its_directory_without_blocking() {
    let env = with_zebra();
    env.write("sub/b.py", "def zebra_b():\n    pass\n");
    for name in [".gitignore", ".ignore", ".whichfnignore"] {
        let odd = format!("sub/{name}");
        assert!(mkfifo(&env.at(&odd)));
        let ran = env.run(&["zebra", "--jsonl"]).found().stderr_contains(&["1 directory is skipped", &odd]);
        assert_eq!(ran.names(), ["zebra"], "{odd}");
        let status = env.run(&["status", "--json"]).found().json();
        assert_eq!(status["skipped"], serde_json::json!({"special": 1}), "{odd}");
        env.remove(&odd);
    }
    std::fs::create_dir(env.at(".git/info")).expect("folder");
    for (odd, target) in [(".gitignore", "/dev/zero"), (".ignore", "/dev/zero"), (".git/info/exclude", "/dev/zero")] {
        std::os::unix::fs::symlink(target, env.at(odd)).expect("link");
        env.run(&["zebra"]).failed(&[odd, "its ignore rules are unknown", "remove it"]);
        env.remove(odd);
    }
    assert_eq!(env.ask(&["zebra"]).len(), 2);
}

/// The file `.git`, `commondir` and git's configuration may be pipes or devices.
#[test]
#[cfg(unix)]
fn special_files_in_git_directories_do_not_block() {
    let env = with_zebra();
    env.write("sub/b.py", "def zebra_b():\n    pass\n");
    std::fs::remove_dir(env.at(".git")).expect("removed");
    let commondir = env.at("sub/g/commondir");
    std::fs::create_dir(env.at("sub/g")).expect("folder");
    let in_sub = || {
        env.run_with(&["zebra"], |command| {
            command.current_dir(env.at("sub"));
        })
    };
    for gitdir in ["g".to_owned(), env.at("sub/g").display().to_string()] {
        env.write("sub/.git", format!("gitdir: {gitdir}\n"));
        assert!(mkfifo(&commondir));
        assert_eq!(env.ask(&["zebra"]), ["zebra"], "{gitdir}");
        in_sub().failed(&["commondir", "its ignore rules are unknown"]);
        std::fs::remove_file(&commondir).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", &commondir).expect("link");
        in_sub().failed(&["commondir", "its ignore rules are unknown"]);
        std::fs::remove_file(&commondir).expect("removed");
        assert_eq!(env.ask(&["zebra"]).len(), 2, "{gitdir}");
    }
    let configuration = env.outside("home/.gitconfig");
    assert!(mkfifo(&configuration));
    env.run(&["zebra"]).found().stderr_contains(&[".gitconfig: it is not a regular text file"]);
    std::fs::remove_file(&configuration).expect("removed");
    let excludes = env.outside("excludes");
    std::fs::write(&configuration, format!("[core]\n\texcludesFile = {}\n", excludes.display())).expect("written");
    assert!(mkfifo(&excludes));
    env.run(&["zebra"]).found().stderr_contains(&["excludes: it is not a regular text file"]);
    // This also applies if the directories are not listed again.
    env.run(&["zebra"]).found().stderr_contains(&["excludes: it is not a regular text file"]);
    std::fs::remove_file(&excludes).expect("removed");
    std::fs::write(&excludes, "sub/\n").expect("written");
    assert_eq!(env.ask(&["zebra"]), ["zebra"]);
}

/// As in git, the null device and a directory exclude nothing.
#[test]
#[cfg(unix)]
fn a_users_ignore_file_that_is_switched_off_hides_nothing() {
    let env = with_zebra();
    let link = |path: &str| {
        let path = env.outside("home").join(path);
        std::fs::create_dir_all(path.parent().expect("folder")).expect("folder");
        std::os::unix::fs::symlink("/dev/null", &path).expect("link");
        path
    };
    link(".config/git/ignore");
    let configuration = link(".gitconfig");
    let run = || {
        env.run_with(&["zebra"], |command| {
            command.env_remove("XDG_CONFIG_HOME");
        })
    };
    run().found().without_stderr();
    std::fs::remove_file(&configuration).expect("removed");
    std::fs::create_dir(env.outside("excludes")).expect("folder");
    for named in [env.outside("excludes").display().to_string(), "/dev/null".into(), "/dev/zero".into()] {
        std::fs::write(&configuration, format!("[core]\n\texcludesFile = {named}\n")).expect("written");
        let ran = run().found();
        match named.as_str() {
            "/dev/zero" => drop(ran.stderr_contains(&["cannot use /dev/zero"])),
            _ => drop(ran.without_stderr()),
        }
    }
}

/// The program does not follow a link below the root that leads out of the tree. It follows a link
/// within the tree.
#[test]
#[cfg(target_os = "linux")]
fn an_ignore_file_linked_outside_the_tree_excludes_its_directory() {
    let env = with_zebra();
    env.write("sub/b.py", "def zebra_b():\n    pass\n");
    std::fs::create_dir_all(env.at("sub/.git/info")).expect("folder");
    std::fs::write(env.outside("rules"), "a.py\n").expect("file");
    let outside = env.outside("rules");
    for odd in ["sub/.gitignore", "sub/.ignore", "sub/.git/info/exclude"] {
        for target in [Path::new("/proc/self/mem"), Path::new("/proc/kmsg"), &outside] {
            std::os::unix::fs::symlink(target, env.at(odd)).expect("link");
            let ran =
                env.run(&["zebra", "--jsonl"]).found().stderr_contains(&["1 directory is skipped", "such as sub/"]);
            assert_eq!(ran.names(), ["zebra"], "{odd} to {}", target.display());
            env.remove(odd);
        }
    }
    env.write("rules", "zebra_b.py\n");
    std::os::unix::fs::symlink("../rules", env.at("sub/.gitignore")).expect("link");
    env.write("sub/zebra_b.py", "def zebra_hidden():\n    pass\n");
    let mut names = env.ask(&["zebra"]);
    names.sort();
    assert_eq!(names, ["zebra", "zebra_b"]);
}

#[test]
fn a_repository_cannot_raise_the_file_size_limit() {
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

// ---- files that exhaust a parser

/// Without limits on the parser's stack, the first of these texts overflowed the stack of a thread,
/// which ended the program, and each of the others took minutes.
#[test]
fn files_that_exhaust_a_parser_are_skipped_and_counted() {
    let lines = |start: &str, line: &str| format!("{start}{}x\n", line.repeat((256 << 10) / line.len()));
    for (name, text) in [
        ("ambiguous.swift", lines("func f() {\n", "&\n")),
        ("operators.hs", lines("f = ", "-\n")),
        ("conditions.hs", lines("f = ", "if(a)\n")),
        ("functions.hs", lines("f = ", "\\a->\n")),
        ("quotes.hs", lines("f = ", "[|\n")),
        ("heredocs.hs", lines("", "<<A\n")),
        ("blocks.tf", lines("a \"b\" {\n", "{\n")),
        ("generics.dart", lines("f(){\n", "A<\n")),
        ("comparisons.ts", lines("function f(){\n", "  A<a>\n")),
        ("names.rb", lines("def f\n", "\":\n")),
        ("strings.ex", lines("def f do\n", "  \"a\n")),
        ("interpolations.ex", lines("def f do\n", "\"${\n")),
    ] {
        let env = with_zebra();
        env.write(name, text);
        env.run(&["index"]).found();
        assert_eq!(env.ask(&["zebra"]), ["zebra"], "{name}");
        let status = env.run(&["status", "--json"]).found().json();
        assert_eq!(status["skipped"], serde_json::json!({"unparsable": 1}), "{name}");
    }
}

/// The syntax trees of these files have only a few visible levels, but thousands of hidden ones, which
/// took minutes.
#[test]
fn deep_hidden_nodes_are_read_in_linear_time() {
    let env = with_zebra();
    env.write("nested.sql", format!("{}x{}", "(SELECT ".repeat(15_000), ")".repeat(15_000)));
    env.write("choices.swift", "a?b: ".repeat(15_000));
    env.run(&["index"]).found();
    assert_eq!(env.ask(&["zebra"]), ["zebra"]);
    assert_eq!(env.run(&["status", "--json"]).found().json()["skipped"], serde_json::json!({}));
}

// ---- disclosure of text

/// Creates a repository with an index of `a.py`, `sub/b.py` and `c.py`, next to a folder
/// `outside/`.
fn indexed() -> Env {
    let zebra = |of: &str| format!("def zebra_{of}(stripes):\n    return harmless_{of}(stripes)\n");
    let env = with_zebra();
    [("a.py", "a"), ("sub/b.py", "b"), ("c.py", "c")].into_iter().for_each(|(path, of)| env.write(path, zebra(of)));
    std::fs::create_dir(env.outside("outside")).expect("folder");
    std::fs::write(env.outside("outside/b.py"), "def zebra_b(stripes):\n    return TOPSECRET\n").expect("file");
    env.run(&["zebra", "-k", "3"]).found();
    env
}

/// Returns the prompts that a model receives with these arguments.
fn sent(env: &Env, arguments: &[&str]) -> (Ran, String) {
    let prompts = env.outside("prompts");
    std::fs::write(&prompts, "").expect("file");
    let command = format!("tee -a '{}' > /dev/null; echo '{{}}'", prompts.display());
    let ran = env.run(&[arguments, &["--llm-cmd", &command]].concat());
    (ran, std::fs::read_to_string(prompts).expect("prompts"))
}

#[cfg(unix)]
fn link_outside(env: &Env) {
    std::fs::remove_dir_all(env.at("sub")).expect("removed");
    std::os::unix::fs::symlink(env.outside("outside"), env.at("sub")).expect("link");
}

#[test]
#[cfg(unix)]
fn no_update_shows_nothing_from_outside() {
    let env = indexed();
    link_outside(&env);
    let ran = env.run(&["zebra", "-k", "3", "--no-update", "--snippet-lines", "3", "--jsonl"]).found();
    assert!(!ran.out.contains("TOPSECRET") && ran.out.contains("harmless_c"), "{ran:#?}");
    ran.stderr_contains(&["skipped the text of sub/b.py"]);
    for strategy in ["prism", "cok", "walk"] {
        let (ran, sent) = sent(&env, &["zebra", "--no-update", "--strategy", strategy]);
        ran.failed(&["sub/b.py", "now hidden by an ignore file, a leading dot or a link; nothing was sent"]);
        assert_eq!(sent, "", "{strategy}");
    }
    let (ran, sent) = sent(&env, &["zebra", "--strategy", "prism"]);
    assert!(ran.code != Some(2) && sent.contains("harmless_c") && !sent.contains("zebra_b"), "{sent}");
}

#[test]
fn files_ignored_since_indexing_are_not_sent() {
    let env = indexed();
    env.write(".gitignore", "c.py\n");
    for strategy in ["prism", "cok", "walk"] {
        let (ran, sent) = sent(&env, &["zebra", "--no-update", "--strategy", strategy]);
        ran.failed(&[
            "c.py",
            "now hidden by an ignore file, a leading dot or a link; nothing was sent",
            "whichfn index",
        ]);
        assert_eq!(sent, "", "{strategy}");
    }
    let (_, sent) = sent(&env, &["context", "a.py:2", "--iterations", "2", "--no-update"]);
    assert_eq!(sent, "");
}

#[test]
fn text_that_changed_since_indexing_is_omitted() {
    let env = indexed();
    env.write("c.py", "def other():\n    return CHANGED\n");
    let ran = env.run(&["zebra", "-k", "3", "--no-update", "--snippet-lines", "3"]).found();
    assert!(!ran.out.contains("CHANGED") && ran.out.contains("harmless_b"), "{ran:#?}");
    ran.stderr_contains(&["skipped the text of c.py"]);
    let (_, sent) = sent(&env, &["zebra", "--no-update", "--strategy", "prism"]);
    assert!(!sent.contains("CHANGED") && sent.contains("harmless_a"), "{sent}");
}

#[test]
#[cfg(unix)]
fn a_source_replaced_by_a_pipe_does_not_block() {
    let env = indexed();
    env.remove("c.py");
    assert!(mkfifo(&env.at("c.py")));
    env.run(&["zebra", "-k", "3", "--no-update", "--snippet-lines", "3"])
        .found()
        .stderr_contains(&["skipped the text of c.py"]);
    env.run(&["zebra", "-k", "3"]).found();
    env.run(&["read", "zebra", "c.py"]).failed(&["cannot read c.py", "not a regular file"]);
}

#[test]
#[cfg(unix)]
fn files_named_through_a_link_are_read_locally_and_not_sent() {
    let env = Env::with(&[("a.txt", "Nothing of copper.\n")]);
    std::fs::create_dir_all(env.outside("outside/deep")).expect("folder");
    std::fs::write(env.outside("outside/deep/secret.txt"), "The copper is TOPSECRET.\n").expect("file");
    std::os::unix::fs::symlink(env.outside("outside"), env.at("d")).expect("link");
    let whole = env.at("d/deep/secret.txt");
    for named in ["d/deep/secret.txt", "d/deep", "./d/deep/secret.txt", whole.to_str().expect("path")] {
        assert!(env.run(&["read", "What of copper?", named]).found().out.contains("TOPSECRET"), "{named}");
        let (ran, sent) = sent(&env, &["read", "What of copper?", named]);
        ran.failed(&["a link; it is not sent"]);
        assert_eq!(sent, "", "{named}");
    }
    assert!(sent(&env, &["read", "What of copper?", "a.txt"]).1.contains("Nothing of copper"));
}

// ---- model commands and keys

#[test]
#[cfg(unix)]
fn an_interrupt_ends_the_processes_of_a_model_command() {
    let env = with_zebra();
    let pid_file = env.outside("pid");
    let command = format!("sh -c 'echo $$ > {}; exec sleep 6000' | cat", pid_file.display());
    let mut program = env.interruptible_process().args(["zebra", "-q", "--llm-cmd", &command]).spawn().expect("start");
    let pid = loop {
        match std::fs::read_to_string(&pid_file) {
            Ok(pid) if pid.ends_with('\n') => break pid.trim().to_owned(),
            _ => std::thread::sleep(std::time::Duration::from_millis(5)),
        }
        assert!(program.try_wait().expect("running").is_none(), "it asks the model");
    };
    let kill = |flag: &str, pid: &str| {
        let mut kill = std::process::Command::new("kill");
        kill.args([flag, pid]).stderr(std::process::Stdio::null()).status().is_ok_and(|done| done.success())
    };
    assert!(kill("-INT", &program.id().to_string()));
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&program.wait().expect("ended")), Some(2));
    let is_there = || {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        kill("-0", &pid) && !state.contains(") Z ")
    };
    let since = std::time::Instant::now();
    while is_there() {
        assert!(since.elapsed() < PATIENCE, "sleep is still running");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
#[cfg(unix)]
fn a_key_that_is_not_utf8_is_an_error() {
    use std::os::unix::ffi::OsStrExt;
    let env = with_zebra();
    let mut process = env.process();
    process.args(["zebra", "--llm-url", "https://example.invalid/v1", "--llm-model", "m", "--llm-key-env", "ODD_KEY"]);
    let output = process.env("ODD_KEY", std::ffi::OsStr::from_bytes(b"sk-\xff")).output().expect("the program starts");
    Ran::new("whichfn with an odd key".into(), output).failed(&["the key in ODD_KEY contains characters"]);
}

// ---- oversized questions

/// Returns this many distinct words. No word occurs in the repository.
fn distinct_words(count: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    let word = |n: usize| (0..5).map(|at| letter(n / 26_usize.pow(at))).collect::<String>() + "qx ";
    (0..count).map(word).collect()
}

#[test]
fn an_endless_question_is_truncated() {
    let asked = |text: String| {
        with_zebra().run_with(&["-", "--json"], |command| {
            command.write_stdin(text);
        })
    };
    let long = format!("zebra {}", distinct_words(300_000));
    asked(long)
        .found()
        .stderr_contains(&["the question is too long: only its first 300 distinct words are used, from at most 1 MiB"]);
    asked(format!("zebra {}", distinct_words(250))).found().without_stderr();
    asked(format!("{}zebra", distinct_words(2_100))).nothing();
    // The limit is inside a character.
    asked(format!("zebra {}", "ö".repeat(1 << 20))).found().stderr_contains(&["the question is too long"]);
}

#[test]
fn terms_of_a_question_are_bounded() {
    let words = distinct_words(5_000);
    let question = whichfn_search::search::Question::of_description(&words);
    assert!(question.cut && question.terms.len() == whichfn_search::search::MAX_TERMS);
    let issue = whichfn_search::search::Question::read(&words);
    assert!(issue.cut && issue.terms.len() < question.terms.len());
}

// ---- manipulated index files

/// Builds a sealed file with one block: the content, the checksum of the block, the length and the
/// seal. Also returns the seal.
fn sealed(content: &[u8]) -> (Vec<u8>, u64) {
    let mut sums = [xxh3_64(content).to_le_bytes(), (content.len() as u64).to_le_bytes()].concat();
    let seal = xxh3_64(&sums);
    sums.extend(seal.to_le_bytes());
    ([content, &sums].concat(), seal)
}

/// Changes each number in the file that maps files to their definitions, lines and calls, and
/// corrects the checksums. The damage must be detected or harmless.
#[test]
fn no_wrong_number_in_the_links_ends_the_program() {
    let code = "def renew(token):\n    return check(token)\n\n\ndef check(token):\n    return token\n";
    let indexed = whichfn_testing::indexed(&[("a.py", code.repeat(4).as_str()), ("b.py", code), ("c.txt", "renew\n")]);
    let layout = Layout::new(&indexed.index_dir(), &indexed.root());
    let folder = layout.current().expect("an index");
    let manifest = indexed.generation.manifest.clone();
    let registry = Registry::builtin().expect("language files");
    let links = std::fs::read(folder.join("links")).expect("links");
    let length = u64::from_le_bytes(links[links.len() - 16..][..8].try_into().expect("8 bytes")) as usize;
    let content = &links[..length];
    assert_eq!(sealed(content).0, links, "one block, as this test writes it");
    let mut found = 0;
    for at in (0..length - 3).step_by(4) {
        for changed in [|_| 0x7fff_fffe, |old: u32| old.wrapping_add(1)] {
            let mut content = content.to_vec();
            let old = u32::from_le_bytes(content[at..at + 4].try_into().expect("4 bytes"));
            content[at..at + 4].copy_from_slice(&changed(old).to_le_bytes());
            let (bytes, seal) = sealed(&content);
            std::fs::write(folder.join("links"), bytes).expect("links");
            let mut manifest = manifest.clone();
            manifest.seals.links = seal;
            Generation::seal(&folder, &manifest).expect("manifest");
            let Ok(generation) = Generation::open(&layout, &manifest.fingerprint) else {
                found += 1;
                continue;
            };
            let query = Query { unit: Unit::Window, ..Query::new("renew a token") };
            let searched = catch_damaged(|| drop(Searcher::new(&generation, &registry).search(&query)));
            found += usize::from(searched.is_err());
        }
    }
    assert!(found > 10, "{found} of the changes were found");
}

/// Indices of two sections in the header of a graph file.
const FACTS: usize = 19;
const MAIL: usize = 33;

/// Returns the byte range of a section of a graph file.
fn section(content: &[u8], number: usize) -> std::ops::Range<usize> {
    let word = |at: usize| u64::from_le_bytes(content[8 * at..8 * at + 8].try_into().expect("8 bytes")) as usize;
    let (start, length) = (word(1 + 2 * number), word(2 + 2 * number));
    start..start + length
}

/// Changes the numbers in a section of an index file one at a time, corrects the checksums, and
/// refreshes the index after an edit of `a.py` so that linking reads the section again. Returns the
/// number of refreshes that found the index damaged.
fn refreshed_with_changes(file: &str, number: usize, step: usize) -> usize {
    let b = "class Token:\n    def renew(self, age=1):\n        return check(self)\n\n\ndef check(token):\n    return token.renew(age=2)\n";
    let a = "from b import Token, check\n\n\ndef start(name) -> Token | None:\n    token = Token() or name\n    token.age = check(token)\n    return token.renew()\n";
    let indexed = whichfn_testing::indexed(&[("a.py", a), ("b.py", b)]);
    let layout = Layout::new(&indexed.index_dir(), &indexed.root());
    let registry = Registry::builtin().expect("language files");
    let folder = layout.current().expect("an index");
    let manifest = indexed.generation.manifest.clone();
    let current = folder.with_file_name("CURRENT");
    let files: Vec<(std::path::PathBuf, Vec<u8>)> = ["base", "links", "manifest"]
        .iter()
        .map(|name| folder.join(name))
        .chain([current])
        .map(|path| (path.clone(), std::fs::read(path).expect("a file of the index")))
        .collect();
    let before = std::fs::read(folder.join(file)).expect("a file of the index");
    let length = u64::from_le_bytes(before[before.len() - 16..][..8].try_into().expect("8 bytes")) as usize;
    assert_eq!(sealed(&before[..length]).0, before, "one block, as this test writes it");
    let changed = section(&before, number);
    assert!(!changed.is_empty());
    let (mut damaged, mut edit) = (0, String::from(a));
    for (trial, at) in changed.step_by(step).enumerate() {
        std::fs::create_dir_all(&folder).expect("folder");
        files.iter().for_each(|(path, bytes)| std::fs::write(path, bytes).expect("a file of the index"));
        let mut content = before[..length].to_vec();
        content[at] = [content[at].wrapping_add(1), 0xff, 0x7f][trial % 3];
        if step > 1 && trial % 2 == 1 {
            content[at + 3] ^= 0x7f;
        }
        let (bytes, seal) = sealed(&content);
        std::fs::write(folder.join(file), bytes).expect("a file of the index");
        let mut manifest = manifest.clone();
        *if file == "base" { &mut manifest.seals.base } else { &mut manifest.seals.links } = seal;
        Generation::seal(&folder, &manifest).expect("manifest");
        edit.push_str("\n\ndef more(token):\n    return check(token)\n");
        std::fs::write(indexed.root().join("a.py"), &edit).expect("source");
        let refreshed = refresh(&indexed.root(), &layout, &registry, &Options::default(), &Silent);
        damaged += usize::from(refreshed.expect("an index").1.damaged);
        edit.truncate(a.len());
        edit.extend(std::iter::repeat_n('\n', trial % 2));
    }
    damaged
}

#[test]
fn no_wrong_number_in_the_facts_ends_a_refresh() {
    let found = refreshed_with_changes("base", FACTS, 4);
    assert!(found > 50, "{found} of the changes were found");
}

/// Invalid messages are not reported as damage. All calls are linked again.
#[test]
fn no_wrong_byte_in_the_messages_ends_a_refresh() {
    assert_eq!(refreshed_with_changes("links", MAIL, 1), 0);
}
