//! Tests of the output on a terminal: the program runs on a pseudo-terminal with a given number of
//! columns and rows.

use crate::support::env::Env;
use crate::support::terminal::terminal;
use std::io::Read;
use std::process::Stdio;

const SHAPES: &str = r#"def draw_circle(radius, canvas):
    """Draw a circle on a *canvas*, whose middle is the middle of the canvas and whose radius is the one that is given."""
    # The middle of the canvas.
    middle = canvas.middle()
    if radius < 0:
        raise ValueError("a circle of negative radius")
    for angle in range(360):
        canvas.dot(middle, radius, angle)
    return canvas
"#;

fn shapes() -> Env {
    let files: Vec<(String, String)> = ["circle", "square", "star", "line", "arrow", "arc", "heart"]
        .iter()
        .map(|name| (format!("shapes/{name}.py"), SHAPES.replace("circle", name)))
        .collect();
    Env::with(&files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect::<Vec<_>>())
}

/// Returns the output of the program on a terminal of this size.
fn on_terminal(env: &Env, size: (u16, u16), variables: &[(&str, &str)], arguments: &[&str]) -> String {
    let (mut master, slave) = terminal(size);
    let mut command = env.process();
    command.args(arguments).env("TERM", "xterm-256color").envs(variables.iter().copied());
    let mut child = command.stdout(slave).stderr(Stdio::null()).spawn().expect("start");
    // Closes this process's copy of the terminal, so that the program has the only writable end.
    drop(command);
    let mut seen = Vec::new();
    // After the program closes its end, a terminal returns an error where a pipe returns the end of
    // the file.
    let _ = master.read_to_end(&mut seen);
    // 1 for `impact`, if there is something to look at.
    assert!(matches!(child.wait().expect("end").code(), Some(0 | 1)));
    String::from_utf8(seen).expect("text").replace("\r\n", "\n")
}

/// Removes the escape sequences.
fn plain(seen: &str) -> String {
    anstream::adapter::strip_str(seen).to_string()
}

#[test]
fn five_results_with_code_fit_on_a_screen() {
    let env = shapes();
    for (columns, rows) in [(80, 24), (80, 50), (200, 50), (60, 45)] {
        let seen = plain(&on_terminal(&env, (columns, rows), &[], &["draw a shape on a canvas", "--no-fold"]));
        let lines: Vec<&str> = seen.lines().collect();
        assert!(lines.len() < usize::from(rows), "{} lines on {rows} rows: {seen}", lines.len());
        assert!(lines.iter().all(|line| line.chars().count() <= usize::from(columns)), "{columns}: {seen}");
        assert_eq!(seen.matches("  function").count(), 5, "{seen}");
        let code = seen.matches(" │ ").count();
        assert!(if rows >= 45 { code >= 5 } else { code >= 1 }, "code where it fits: {seen}");
        assert!(
            lines.iter().all(|line| line.is_empty()
                || line.starts_with("    ")
                || line.starts_with("shapes/")
                || line.starts_with("unsure: ")),
            "{seen}"
        );
    }
}

#[test]
fn passages_below_an_answer_fit_on_a_screen() {
    let env = shapes();
    for place in ["canvas", "shape", "size"] {
        env.write(
            format!("{place}.toml"),
            format!("[{place}]\n# Size of the canvas of a {place} in dots.\nsize = 30\n"),
        );
    }
    let question = ["which setting limits the size of a canvas", "--no-fold"];
    let seen = plain(&on_terminal(&env, (80, 24), &[], &question));
    assert!(seen.lines().count() < 24, "the first answer is visible: {seen}");
    assert!(seen.starts_with("shapes/") && seen.matches("  function").count() == 5, "{seen}");
    let (_, below) = seen.split_once("(more: --kind docs):\n").expect("passages");
    assert!(below.contains(".toml:1-3") && below.lines().any(|line| line.starts_with("    ")), "{below}");
    assert_eq!(plain(&on_terminal(&env, (100, 60), &[], &question)).matches(".toml:1-3").count(), 3);
}

#[test]
fn the_confidence_is_never_truncated() {
    let env = Env::with(&[("a/rather/long/way/to/a/file/of/shapes.py", SHAPES)]);
    let seen = plain(&on_terminal(&env, (60, 50), &[], &["draw a circle on a canvas"]));
    let second = seen.lines().nth(1).expect("a second line");
    assert!(second.starts_with("    function · ") && second.ends_with(" %"), "{seen}");
    let wide = plain(&on_terminal(&env, (120, 50), &[], &["draw a circle on a canvas"]));
    assert!(wide.lines().next().is_some_and(|line| line.ends_with(" %")), "{wide}");
}

const FOLDER: &str = "services/application/src/main/python/org/example/framework/boot";

/// Returns a repository whose paths are wider than a terminal.
fn deep() -> Env {
    let file = |name: &str| format!("{FOLDER}/{name}.py");
    Env::with(&[
        (&file("application_banner_printer"), "def print_banner(environment):\n    return environment.title()\n"),
        (
            &file("application_starter"),
            "from .application_banner_printer import print_banner\n\n\nclass ApplicationStarter:\n    \
             def start_application(self, environment):\n        return print_banner(environment)\n",
        ),
        (
            &file("test_banner_printer"),
            "from .application_banner_printer import print_banner\n\n\ndef test_print_banner():\n    \
             assert print_banner(None)\n",
        ),
    ])
}

/// Checks the rows of a page: none is too wide, and each location is complete.
fn assert_complete(seen: &str, columns: u16, locations: &[&str], names: &[&str]) {
    for row in seen.lines() {
        assert!(unicode_columns(row) <= usize::from(columns), "{columns}: {row}\n{seen}");
    }
    for part in locations.iter().chain(names) {
        assert!(seen.contains(part), "{columns} columns lack {part}: {seen}");
    }
}

fn unicode_columns(row: &str) -> usize {
    row.chars().map(|c| if ('\u{3040}'..='\u{9fff}').contains(&c) { 2 } else { 1 }).sum()
}

#[test]
fn the_file_the_line_and_the_name_stay_on_a_narrow_terminal() {
    let env = deep();
    let (printer, starter, test) =
        ("/application_banner_printer.py:1", "/application_starter.py:6", "test_banner_printer.py:");
    let (starts, prints) = ("start_application", "print_banner");
    for (arguments, locations, names) in [
        (&["where is the banner printed"][..], &[printer][..], &[prints][..]),
        (&["callers", "print_banner"], &[printer, starter, test], &[prints, starts]),
        (&["callees", "start_application"], &["/application_starter.py:5", printer], &[prints, starts]),
        (&["references", "print_banner"], &[printer, starter, test], &[prints, starts]),
        (&["tests", "print_banner"], &[printer, test], &["test_print_banner"]),
        (&["impact", "print_banner"], &[printer, "/application_starter.py", test], &[starts, "test_print_banner"]),
        (&["path", "start_application", "print_banner"], &[printer, starter], &[prints, starts]),
        (&["relate", "print_banner"], &[starter], &[starts]),
    ] {
        let wide = plain(&on_terminal(&env, (200, 50), &[], arguments));
        assert!(wide.contains(&format!("{FOLDER}{printer}")) || arguments[0] == "relate", "{wide}");
        assert_complete(&plain(&on_terminal(&env, (80, 24), &[], arguments)), 80, locations, names);
        // There is no column for the directories.
        let locations: Vec<&str> = locations.iter().map(|location| location.trim_start_matches('/')).collect();
        assert_complete(&plain(&on_terminal(&env, (40, 24), &[], arguments)), 40, &locations, names);
        let piped = env.run(arguments).out;
        assert!(piped.contains(&format!("{FOLDER}/application")) && !piped.contains('…'), "{piped}");
    }
    let seen = plain(&on_terminal(&env, (80, 24), &[], &["callers", "print_banner"]));
    let head = "services/…/example/framework/boot/application_banner_printer.py:1  print_banner\n";
    assert!(seen.starts_with(head), "as many directories as fit: {seen}");
}

#[test]
fn wide_characters_take_two_columns() {
    let env = Env::with(&[(
        "大きさ大きさ大きさ/大きさ大きさ大きさ/大きさ大きさ大きさ/円.py",
        "def draw_circle(radius):\n    \"\"\"Draws a circle.\"\"\"\n    return radius\n",
    )]);
    let seen = plain(&on_terminal(&env, (60, 24), &[], &["draw a circle"]));
    assert_complete(&seen, 60, &["大きさ大きさ大きさ/…/大きさ大きさ大きさ/円.py:1"], &["draw_circle"]);
}

#[test]
fn advice_and_counts_are_wrapped() {
    let env = shapes();
    let seen = plain(&on_terminal(&env, (40, 60), &[], &["who calls draw_circle"]));
    assert_complete(&seen, 40, &[], &["no callers of draw_circle are known;"]);
    let sentence = seen.replace("\n    ", " ");
    assert!(sentence.contains("no callers of draw_circle are known; these are the results of a search"), "{seen}");
}

#[test]
fn near_duplicates_are_counted_in_one_row() {
    let files: Vec<(String, &str)> = (0..9).map(|n| (format!("{FOLDER}/copy{n}/save.py"), SHAPES)).collect();
    let env = Env::with(&files.iter().map(|(path, text)| (path.as_str(), *text)).collect::<Vec<_>>());
    let seen = plain(&on_terminal(&env, (80, 24), &[], &["draw a circle on a canvas"]));
    assert_complete(&seen, 80, &["+8 alike: services/…/"], &["and 6 more (--no-fold lists them)"]);
    assert_eq!(env.run(&["draw a circle on a canvas"]).out.matches("save.py").count(), 3);
    let json = env.run(&["draw a circle on a canvas", "--json"]).found().json();
    assert_eq!(json["results"][0]["alike"].as_array().map(Vec::len), Some(8), "JSON has all of them");
}

#[test]
fn words_of_the_question_and_code_are_coloured() {
    let env = shapes();
    let seen = on_terminal(&env, (120, 60), &[], &["middle of a circle", "-k", "1"]);
    let red = |word: &str| seen.contains(&format!("\u{1b}[1m\u{1b}[31m{word}\u{1b}[0m"));
    assert!(red("circle") && red("middle"), "{seen:?}");
    assert!(!red("of") && !red("a"), "words that say nothing are not: {seen:?}");
    assert!(seen.contains("\u{1b}[32m\"a "), "a string: {seen:?}");
    let synonym = on_terminal(&env, (120, 60), &[], &["paint a circle", "-k", "1"]);
    assert!(synonym.contains("draw") && !synonym.contains("\u{1b}[31mdraw"), "a synonym is not: {synonym:?}");
    let bare = on_terminal(&env, (120, 60), &[("NO_COLOR", "1")], &["middle of a circle", "-k", "1"]);
    assert!(!bare.contains('\u{1b}') && bare == plain(&seen), "{bare:?}");
}

#[test]
fn places_are_links_if_the_terminal_supports_them() {
    let env = shapes();
    let ask = |variables: &[(&str, &str)], more: &[&str]| {
        on_terminal(&env, (200, 50), variables, &[&["draw circle", "-k", "1"], more].concat())
    };
    let target = env.at("shapes/circle.py").display().to_string();
    let kitty = ask(&[("KITTY_WINDOW_ID", "1")], &[]);
    assert!(kitty.contains("\u{1b}]8;;file://") && kitty.contains(&format!("{target}#1\u{1b}\\")), "{kitty:?}");
    assert!(!ask(&[], &[]).contains("\u{1b}]8"), "an unknown terminal gets none");
    let address = ask(&[], &["--hyperlinks", "vscode://file{path}:{line}"]);
    assert!(address.contains(&format!("\u{1b}]8;;vscode://file{target}:1\u{1b}\\")), "{address:?}");
    assert!(!ask(&[("KITTY_WINDOW_ID", "1"), ("WHICHFN_HYPERLINKS", "never")], &[]).contains("\u{1b}]8"));
    let piped = |when: &str, color: &str| {
        let ran = env.run(&["draw circle", "-k", "1", "--hyperlinks", when, "--color", color]).found();
        (ran.out.contains("\u{1b}]8;;file://"), ran.out.contains("\u{1b}["))
    };
    assert_eq!(piped("always", "never"), (true, false), "links in a pipe, without colors");
    assert_eq!(piped("always", "always"), (true, true));
    assert_eq!(piped("auto", "always"), (false, true));
    assert_eq!(piped("vscode://file{path}:{line}", "always"), (false, true), "a template is for terminals");
    env.run(&["draw", "--hyperlinks", "sometimes"]).stderr_contains(&["auto, always or never"]);
}

#[test]
fn explicit_options_are_not_adjusted_to_the_screen() {
    let env = shapes();
    let results = |more: &[&str]| {
        let seen = on_terminal(&env, (80, 24), &[], &[&["draw a shape on a canvas", "--no-fold"], more].concat());
        (plain(&seen).matches("  function").count(), plain(&seen).matches(" │ ").count())
    };
    assert_eq!(results(&["-k", "7"]).0, 7);
    assert_eq!(results(&["--snippet", "full", "-k", "2"]), (2, 18));
    assert_eq!(results(&["--snippet", "none"]), (7, 0), "ten without code");
}

/// On a terminal, a page is text to read. PATH has no `man` here.
#[test]
fn a_manual_page_has_no_source_code_on_a_terminal() {
    let env = Env::new();
    let seen = plain(&on_terminal(&env, (80, 24), &[("PATH", "")], &["man", "callers"]));
    assert!(seen.starts_with("NAME\n") && seen.contains("\nEXIT STATUS\n") && seen.contains("--depth"), "{seen}");
    assert!(
        !seen.contains("\\f") && !seen.contains("\\-") && !seen.lines().any(|line| line.starts_with('.')),
        "{seen}"
    );
    assert!(env.run(&["man", "callers"]).found().out.contains("\n.SH NAME"), "a pipe gets the source");
}

#[test]
fn a_large_graph_is_not_printed_on_a_terminal_unless_a_format_is_given() {
    let env = shapes();
    let seen = plain(&on_terminal(&env, (80, 24), &[], &["graph"]));
    assert!(seen.starts_with("the graph has ") && seen.lines().count() == 3, "{seen}");
    assert!(seen.contains(" nodes") && seen.contains("--format html -o graph.html"), "{seen}");
    let json = plain(&on_terminal(&env, (80, 24), &[], &["graph", "--json"]));
    assert!(json.starts_with('{'), "{json}");
    assert!(env.run(&["graph"]).found().json()["nodes"].is_array(), "a pipe gets JSON");
}

#[test]
fn a_message_is_wrapped_between_words_on_a_terminal_only() {
    let files = [("a.py", "class PoolLimitsOfTheServer:\n    size = 1\n\n\ndef fill(pool):\n    return pool\n")];
    let env = Env::with(&files);
    let asked = ["PoolLimitsOfTheServer", "--kind", "function"];
    let ran = env.run(&asked);
    assert!(ran.err.lines().any(|line| line.len() > 80 && line.contains("is a type")), "{}", ran.err);
    let (mut master, slave) = terminal((80, 24));
    let mut command = env.process();
    let mut child = command.args(asked).stdout(Stdio::null()).stderr(slave).spawn().expect("start");
    drop(command);
    let mut seen = Vec::new();
    let _ = master.read_to_end(&mut seen);
    child.wait().expect("end");
    let seen = plain(&String::from_utf8(seen).expect("text").replace("\r\n", "\n"));
    assert!(seen.contains("is a type"), "{seen}");
    assert!(seen.lines().all(|line| unicode_columns(line) <= 80), "{seen}");
    assert!(seen.contains("\n    "), "{seen}");
}
