//! Tests the command-line interface for users and scripts (SPEC sections 2 and 3).

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;

const DATES: &str = r#""""Dates, read and written."""


def parse_date(text):
    """Parse an ISO date such as 2024-05-01 into numbers."""
    return tuple(split_fields(text))


def split_fields(text):
    """Split a date at its dashes."""
    return [int(field) for field in text.split("-")]


class Calendar:
    """The days on which a shop is closed."""

    def is_holiday(self, text):
        """Say whether a date is a holiday."""
        return parse_date(text) in self.holidays
"#;

const MONEY: &str = "//! Money, counted in cents.

/// Rounds an amount of money down to whole coins.
pub fn round_coins(cents: u64) -> u64 {
    cents - cents % 5
}

/// A purse with money in it.
pub struct Purse {
    cents: u64,
}
";

const TEST: &str = "from src.dates import parse_date


def test_parse_date():
    assert parse_date(\"2024-05-01\") == (2024, 5, 1)
";

fn shop() -> Env {
    Env::with(&[
        ("src/dates.py", DATES),
        ("src/money.rs", MONEY),
        ("tests/test_dates.py", TEST),
        (
            "README.md",
            r"# A shop

It sells dates for money.
",
        ),
    ])
}

/// Replaces the values that depend on time and on the state of the index. Everything else must be
/// the same in each run.
fn without_times(text: &str) -> Value {
    let mut value: Value = serde_json::from_str(text).expect("JSON");
    value["query_ms"] = json!(0);
    value["index"]["ms"] = json!(0);
    value["index"]["refreshed_files"] = json!(0);
    value
}

// ---- queries

#[test]
fn a_bare_question_and_the_word_ask_give_the_same() {
    let shop = shop();
    let bare = shop.run(&["parse an iso date", "--json"]).found();
    let ask = shop.run(&["ask", "parse an iso date", "--json"]).found();
    assert_eq!(without_times(&bare.out), without_times(&ask.out));
    assert_eq!(shop.run(&["parse an iso date"]).found().out, shop.run(&["ask", "parse an iso date"]).found().out);
}

#[test]
fn a_question_needs_no_quotes_and_a_directory_behind_it_stays_one() {
    let shop = shop();
    let query = |arguments: &[&str]| {
        let ran = shop.run(&[arguments, &["--json"]].concat()).found().json();
        (ran["query"].as_str().expect("text").to_owned(), ran["root"].as_str().expect("text").to_owned())
    };
    let (repo, src) = (shop.repo().display().to_string(), shop.at("src").display().to_string());
    assert_eq!(query(&["parse", "an", "iso", "date"]), ("parse an iso date".to_owned(), repo.clone()));
    assert_eq!(query(&["parse", "an", "iso", "date", "src"]), ("parse an iso date".to_owned(), src.clone()));
    assert_eq!(query(&["ask", "split", "date", "src"]), ("split date".to_owned(), src));
    assert_eq!(
        query(&["split", "a", "date", "index"]),
        ("split a date index".to_owned(), repo),
        "a command's name within"
    );
    shop.run(&["split", "a", "date", "no/such"]).failed(&["cannot read no/such"]);
}

#[test]
fn typing_nothing_shows_examples() {
    let ran = shop().run(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    assert_eq!(ran.err.matches("  whichfn ").count(), 3, "{ran:#?}");
}

/// In clap, a heading also applies to the options that follow it.
#[test]
fn help_has_each_option_under_its_heading_and_the_short_one_is_short() {
    let shop = shop();
    let long = shop.run(&["--help"]).found().out;
    let section = |name: &str| {
        let rest = long.split(&format!("\n{name}:\n")).nth(1).unwrap_or_else(|| panic!("no {name} in {long}"));
        let lines = rest.lines().take_while(|line| line.is_empty() || line.starts_with(' '));
        lines.collect::<Vec<_>>().join("\n")
    };
    assert!(section("Output").contains("--json") && section("Output").contains("--snippet-lines"));
    assert!(section("General").contains("--color") && section("General").contains("--index-dir"));
    assert!(section("Language model").contains("--llm-url") && !section("Language model").contains("--color"));
    assert!(
        section("Reading the candidates").contains("--strategy")
            && !section("Reading the candidates").contains("--json")
    );
    let short = shop.run(&["-h"]).found().without_stderr().out;
    assert_eq!(short, shop.run(&["ask", "-h"]).found().out);
    assert!(short.lines().count() <= 23 && short.lines().all(|line| line.len() <= 80), "one screen: {short}");
    for option in short.split([' ', ',']).filter(|word| word.starts_with("--")) {
        assert!(long.contains(option) || shop.run(&["check", "--help"]).found().out.contains(option), "{option}");
    }
    let commands = section("Commands");
    let commands: Vec<&str> = commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for command in commands.iter().filter(|command| !["ask", "help"].contains(command)) {
        assert!(short.contains(command), "{command}: {short}");
    }
}

#[test]
fn places_are_relative_to_the_current_directory() {
    let env = Env::with(
        &["web/src/page.py", "web/page.py", "top.py"].map(|path| (path, "def draw(page):\n    return page\n")),
    );
    let shown = |folder: &str| {
        let ran = env.run_with(&["draw a page", "--format", "vimgrep", "--no-fold"], |command| {
            command.current_dir(env.at(folder));
        });
        let mut places: Vec<String> =
            ran.found().out.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect();
        places.sort();
        places
    };
    assert_eq!(shown(""), ["top.py", "web/page.py", "web/src/page.py"]);
    assert_eq!(shown("web"), ["../top.py", "page.py", "src/page.py"]);
    assert_eq!(shown("web/src"), ["../../top.py", "../page.py", "page.py"]);
}

#[test]
fn path_arguments_are_relative_to_the_current_directory() {
    let files = ["web/src/page.py", "web/page.py", "src/page.py", "docs/page.py"];
    let env = Env::with(&files.map(|path| (path, "def draw(page):\n    return page\n")));
    let paths = |folder: &str, globs: &[&str], more: &[&str]| {
        let mut all = vec!["draw a page", "--jsonl", "--no-fold"];
        globs.iter().for_each(|glob| all.extend(["--path", glob]));
        all.extend(more);
        let ran = env.run_with(&all, |command| {
            command.current_dir(env.at(folder));
        });
        let mut paths = ran.paths();
        paths.sort();
        paths
    };
    assert_eq!(paths("", &["src/**"], &[]), ["src/page.py"]);
    assert_eq!(paths("web", &["src/**"], &[]), ["web/src/page.py"]);
    assert_eq!(paths("web", &["./*"], &[]), ["web/page.py", "web/src/page.py"], "as in ignore files, with all below");
    assert_eq!(paths("web", &["../docs/*.py"], &[]), ["docs/page.py"]);
    assert_eq!(paths("web", &["."], &[]), ["web/page.py", "web/src/page.py"]);
    assert_eq!(paths("web", &["/src/**"], &[]), ["src/page.py"], "from the root");
    assert_eq!(paths("web/src", &["web/*.py"], &[]), ["web/page.py"], "nothing is there, so from the root");
    assert_eq!(paths("web", &["page.py"], &[]).len(), 4, "a bare name is found at any depth");
    assert_eq!(paths("web", &["!src/**"], &[]), ["docs/page.py", "src/page.py", "web/page.py"]);
    assert_eq!(paths("", &["web/src/**"], &["web"]), ["src/page.py"], "of a directory that is named");
    let whole = env.at("src").join("*.py").display().to_string();
    assert_eq!(paths("web", &[&whole], &[]), ["src/page.py"]);
}

#[test]
fn each_command_has_a_manual_page() {
    let env = Env::new();
    let folder = env.outside("man");
    let ran = env.run(&["man", "--output", folder.to_str().expect("path")]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let long = env.run(&["--help"]).found().out;
    let commands = long.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("commands");
    for command in commands.lines().filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        let page = std::fs::read_to_string(folder.join(format!("whichfn-{command}.1"))).expect(command);
        assert!(page.contains(&format!(".TH whichfn-{command} 1")), "{page}");
        assert_eq!(page, env.run(&["man", command]).found().out);
    }
    assert!(env.run(&["man", "mcp", "install"]).found().out.contains("client"));
    env.run(&["man", "nosuch"]).failed(&["nosuch", "callers"]);
}

#[test]
fn a_language_may_be_named_by_the_ending_of_its_files() {
    let shop = shop();
    let names = |lang: &str| shop.run(&["split a date", "--lang", lang, "--jsonl"]).found().names();
    assert_eq!(names("py"), names("python"));
    shop.run(&["split a date", "--lang", "c++"]).nothing();
    shop.run(&["split a date", "--lang", "TS"]).nothing();
}

#[test]
fn the_exit_status_is_that_of_grep() {
    let shop = shop();
    assert_eq!(shop.run(&["split a date"]).code, Some(0));
    assert_eq!(shop.run(&["zyxwvut"]).code, Some(1));
    assert_eq!(shop.run(&["split a date", "no/such/place"]).code, Some(2));
    assert_eq!(shop.run(&["split a date", "--no-such-flag"]).code, Some(2));
}

/// The hint never suggests an option that was already set and never blames one that was not.
#[test]
fn the_hint_after_no_results_depends_on_the_options() {
    let shop = shop();
    for (options, offered, left_out) in [
        (&[][..], &["--kind any", "--kind docs", "--unit file"][..], &["--lang", "--path"][..]),
        (&["--kind", "type"], &["--kind any", "--kind docs", "--unit file"], &["--lang", "--path"]),
        (&["--kind", "any"], &["different words", "--kind docs", "--unit file"], &["--kind any", "--lang", "--path"]),
        (&["--kind", "all"], &["--kind any", "--unit file"], &["--kind docs", "--lang", "--path"]),
        (&["--unit", "window"], &["different words", "--unit file"], &["--kind", "--lang", "--path"]),
        (&["--unit", "file"], &["different words"], &["--kind", "--unit", "--lang", "--path"]),
        (&["--lang", "python"], &["--lang may"], &["--kind", "--unit", "--path"]),
        (&["--path", "*.py"], &["--path may"], &["--kind", "--unit", "--lang"]),
        (&["--lang", "python", "--path", "*.py"], &["--lang and --path may"], &["--kind", "--unit"]),
    ] {
        let ran = shop
            .run(&[&["zyxwvut"], options].concat())
            .nothing()
            .stderr_contains(&["nothing found; "])
            .stderr_contains(offered);
        for option in left_out {
            assert!(!ran.err.contains(option), "{options:?}: {option}: {}", ran.err);
        }
    }
    let text = Env::with(&[("schema.sql", "create table orders (id int);\n")]);
    text.run(&["orders table"]).nothing().stderr_contains(&["no functions found", "--unit file"]);
    text.run(&["orders table", "--unit", "file"]).found();
    let other = text.run(&["zyxwvut", "--unit", "file"]).nothing();
    assert!(!other.err.contains("--unit"), "{}", other.err);
}

#[test]
fn only_results_go_to_stdout() {
    let shop = shop();
    shop.run(&["split a date"]).found().without_stderr();
    let nothing = shop.run(&["zyxwvut"]).nothing().stderr_contains(&["nothing found"]);
    assert_eq!(nothing.out, "");
    let quiet = shop.run(&["zyxwvut", "-q"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (Some(1), "", ""));
}

#[test]
fn an_empty_list_in_json_is_still_json() {
    let shop = shop();
    let ran = shop.run(&["zyxwvut", "--json"]).nothing();
    assert_eq!(ran.json()["results"], json!([]));
    assert_eq!(shop.run(&["zyxwvut", "--jsonl"]).nothing().out, "");
}

#[test]
fn an_error_is_never_an_empty_list() {
    let shop = shop();
    shop.run(&["split a date", "no/such/place", "--json"]).failed(&["no/such/place"]);
    shop.run(&["split a date", "--lang", "klingon", "--json"]).failed(&["klingon", "python, rust"]);
    shop.run(&["split a date", "--path", "src/[", "--json"]).failed(&["--path", "src/["]);
    shop.run(&["split a date", "-k", "0", "--json"]).failed(&["-k 0"]);
}

#[test]
fn the_text_form_shows_the_place_the_head_the_doc_and_the_reason() {
    let shop = shop();
    let ran = shop.run(&["split a date at its dashes", "-k", "2", "--order", "words"]).found();
    insta::assert_snapshot!(ran.out, @r"
    src/dates.py:9  split_fields  function
        def split_fields(text)
        Split a date at its dashes.
        why: dashes, date in summary

    src/dates.py:4  parse_date  function
        def parse_date(text)
        Parse an ISO date such as 2024-05-01 into numbers.
        why: split → split_fields in body · dashes → split_fields in callee doc
    ");
}

#[test]
fn the_first_answer_shows_its_confidence() {
    let shop = shop();
    let heads = |question: &str| -> Vec<String> {
        let ran = shop.run(&[question, "-k", "2"]).found();
        ran.out.lines().filter(|line| line.contains("  function")).map(str::to_owned).collect()
    };
    let heads = heads("split a date at its dashes");
    assert!(heads[0].ends_with(" %") && !heads[1].ends_with('%'), "{heads:#?}");
    let words = shop.run(&["split a date at its dashes", "--order", "words"]).found();
    assert!(!words.out.contains(" %"), "{words:#?}");
}

#[test]
fn an_unrelated_question_is_reported_as_not_matching() {
    let shop = shop();
    let question = "which function rotates the texture of a mesh before the date of its rendering pass";
    let ran = shop.run(&[question]).found();
    assert!(ran.err.contains("no good match; showing the closest results"), "{ran:#?}");
    let json = shop.run(&[question, "--json"]).found().json();
    assert_eq!((&json["answer"], &json["trust"]["level"]), (&Value::Null, &json!("nothing fits")));
    let next = "check that this is the right repository, or search documentation and settings with --kind docs";
    assert_eq!(json["trust"]["next"], next);
    let subject = shop.run(&["how is the texture of a mesh rotated before the date of its rendering pass"]).found();
    assert!(subject.err.contains("no good match"), "{subject:#?}");
}

#[test]
fn a_name_that_does_not_exist_is_reported() {
    let env = Env::with(&[("session.py", "def renew_session(token):\n    return token\n")]);
    let unknown = env.run(&["SessionToken"]);
    assert!(unknown.err.contains("no definition is named SessionToken"), "{unknown:#?}");
    for known in ["renew_session", "renew_session()", "RenewSession", "session.py"] {
        let ran = env.run(&[known]);
        assert!(!ran.err.contains("no definition is named"), "{known}: {ran:#?}");
    }
}

#[test]
fn an_uncertain_answer_suggests_the_next_step() {
    let shop = shop();
    let levels = ["what takes a text and a date", "parse date text", "date or holiday", "split a date at its dashes"]
        .map(|question| {
            let json = shop.run(&[question, "--json"]).found().json();
            let (level, ran) =
                (json["trust"]["level"].as_str().expect("level").to_owned(), shop.run(&[question]).found());
            assert!(ran.out.contains(&format!(" · {level}, ")), "{ran:#?}");
            let next = json["trust"]["next"].as_str().filter(|_| level == "unsure");
            assert_eq!(
                ran.out.lines().last().filter(|line| line.starts_with("unsure: ")),
                next.map(|n| format!("unsure: {n}")).as_deref()
            );
            level
        });
    assert!(levels.contains(&"unsure".to_owned()) && levels.contains(&"sure".to_owned()), "{levels:?}");
}

#[test]
fn pasted_code_ranks_first_even_with_common_words() {
    let shop = shop();
    assert_eq!(shop.ask(&["parse_date"])[0], "parse_date");
    assert_eq!(shop.ask(&["Calendar.is_holiday"])[0], "is_holiday");
    assert_eq!(shop.ask(&["def split_fields(text)"])[0], "split_fields");
    assert_eq!(shop.ask(&["  File \"/srv/shop/src/dates.py\", line 11, in split_fields"])[0], "split_fields");
    assert_eq!(shop.ask(&["thrown at dates.py:19"])[0], "is_holiday");
}

#[test]
fn explain_shows_the_score_as_a_tree() {
    let shop = shop();
    let explained = |more: &[&str], words: &[&str]| {
        let ran = shop.run(&[&["split a date at its dashes", "-k", "1", "--explain"], more].concat()).found();
        for word in words {
            assert!(ran.out.contains(word), "{word}: {ran:#?}");
        }
    };
    let head = ["asked as sentence", "score ", " independent + ", " environment\n"];
    let parts =
        ["average of the candidates", "its name: split in split_fields", "its documentation: dashes, split, date"];
    explained(&[], &[&head[..], &parts[..]].concat());
    explained(&["-v"], &[&head[..], &parts[..], &["├─ meaning ", "├─ cover own "]].concat());
    explained(&["--order", "words"], &[&head[..], &["split in name: split_fields (purpose)"]].concat());
    let tests = shop.run(&["parse date", "--explain"]).found();
    assert!(tests.out.contains("size, kind, test or not: a test"), "what lowers a score is named: {tests:#?}");
}

#[test]
fn verbose_adds_the_times() {
    let ran = shop().run(&["split a date", "-v"]).found();
    assert!(ran.out.contains("functions in 4 files") && ran.out.contains("search"), "{ran:#?}");
}

#[test]
fn printed_paths_can_be_opened_from_the_current_directory() {
    let shop = shop();
    let first = |ran: Ran| ran.found().out.lines().next().expect("a line").to_owned();
    assert!(first(shop.run(&["split a date at its dashes"])).starts_with("src/dates.py:9  split_fields"));
    assert!(first(shop.run(&["split a date at its dashes", "."])).starts_with("src/dates.py:9  "));
    assert!(first(shop.run(&["split a date at its dashes", "src"])).starts_with("src/dates.py:9  "));
    let below = shop.run_with(&["split a date at its dashes"], |command| {
        command.current_dir(shop.at("tests"));
    });
    let up: std::path::PathBuf = ["..", "src/dates.py"].iter().collect();
    assert!(first(below).starts_with(&format!("{}:9  ", up.display())));
}

#[test]
fn the_question_may_come_from_standard_input() {
    let shop = shop();
    let piped = shop.run_with(&["-", "--jsonl"], |command| {
        command.write_stdin("split a date\nat its dashes\n");
    });
    assert_eq!(piped.found().names()[0], "split_fields");
    shop.run_with(&["-"], |command| {
        command.write_stdin("");
    })
    .failed(&["question is empty"]);
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_not_an_error() {
    let body: String = (0..3000)
        .map(|i| format!("def split_date_{i}(text):\n    \"\"\"Split a date into {i} parts, at length.\"\"\"\n\n\n"))
        .collect();
    let env = Env::with(&[("a.py", &body)]);
    let mut child = env
        .process()
        .args(["split a date", "-k", "3000", "--jsonl"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    let mut reader = BufReader::new(child.stdout.take().expect("pipe"));
    let mut line = String::new();
    reader.read_line(&mut line).expect("one line");
    drop(reader);
    let ran = Ran::new("whichfn | head -1".into(), child.wait_with_output().expect("end"));
    assert!(line.contains("split_date_"), "{line}");
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

// ---- JSON

#[test]
fn json_has_the_shape_of_the_contract() {
    let shop = shop();
    let mut value = shop.run(&["split a date at its dashes", "-k", "1", "--json"]).found().json();
    // The values depend on the ranking. The checks below verify that they are numbers.
    let mask = |number: &mut Value| *number = json!(number.is_f64());
    mask(&mut value["query_ms"]);
    mask(&mut value["index"]["ms"]);
    mask(&mut value["results"][0]["score"]);
    value["results"][0]["scores"].as_object_mut().expect("map").values_mut().for_each(mask);
    mask(&mut value["answer"]["confidence"]);
    value["answer"]["sure"] = json!(value["answer"]["sure"].is_boolean());
    mask(&mut value["trust"]["chance"]);
    value["results"][0]["evidence"].as_array_mut().expect("list").iter_mut().for_each(|e| mask(&mut e["weight"]));
    let evidence = |query: &str, found: &str, field: &str| json!({"part": "purpose", "query": query, "found": found, "field": field, "weight": true});
    assert_eq!(
        value,
        json!({
            "version": 1,
            "query": "split a date at its dashes",
            "trust": {"level": "sure", "chance": true, "next": null},
            "asked_as": "sentence",
            "root": shop.repo().to_str().expect("path"),
            "strategy": "direct",
            "index": {"files": 4, "functions": 5, "skipped": 0, "oversized": 0, "refreshed_files": 4, "ms": true},
            "query_ms": true,
            "results": [{
                "rank": 1,
                "score": true,
                "scores": {"independent": true, "environment": true, "semantic": true},
                "kind": "function",
                "language": "python",
                "name": "split_fields",
                "qualified_name": "split_fields",
                "path": "src/dates.py",
                "start_line": 9,
                "end_line": 11,
                "line": 9,
                "signature": "def split_fields(text)",
                "doc": "Split a date at its dashes.",
                "evidence": [evidence("dashes", "dashes", "summary"), evidence("split", "split_fields", "name"), evidence("date", "date", "summary")],
            }],
            "answer": {"name": "split_fields", "path": "src/dates.py", "start_line": 9, "end_line": 11, "confidence": true, "sure": true},
        })
    );
}

#[test]
fn every_value_of_the_json_has_its_type() {
    let value = shop().run(&["parse an iso date", "--json"]).found().json();
    assert!(value["query_ms"].is_f64() && value["index"]["ms"].is_f64());
    let results = value["results"].as_array().expect("list");
    assert!(results.len() > 2);
    for (i, result) in results.iter().enumerate() {
        assert_eq!(result["rank"], i + 1);
        let scores = &result["scores"];
        let sum: f64 = ["independent", "environment"].iter().filter_map(|part| scores[part].as_f64()).sum();
        assert!(
            (result["score"].as_f64().expect("number") - sum).abs() < 1e-3,
            "the score is the sum of its parts: {result:#}"
        );
        assert!(scores["semantic"].as_f64().is_some_and(|cosine| (-1.0..=1.0).contains(&cosine)));
        assert!(result["start_line"].as_u64() <= result["end_line"].as_u64());
        for evidence in result["evidence"].as_array().expect("list") {
            assert!(
                ["purpose", "input", "output", "procedure", "context"]
                    .contains(&evidence["part"].as_str().expect("text")),
                "{evidence}"
            );
        }
    }
    let order: Vec<f64> = results.iter().filter_map(|r| r["score"].as_f64()).collect();
    assert!(order.is_sorted_by(|a, b| a >= b), "{order:?}");
}

#[test]
fn equal_scores_are_in_order_of_path_then_line() {
    let twins = r"def split_date(text):
    return text


def join_words(text):
    return text


def split_date(text):
    return text
";
    let env = Env::with(&[("b.py", twins), ("a.py", twins)]);
    let value = env.run(&["split date", "--no-fold", "--json", "--order", "words"]).found().json();
    let places: Vec<String> = value["results"]
        .as_array()
        .expect("list")
        .iter()
        .map(|r| format!("{}:{}", r["path"].as_str().expect("path"), r["line"]))
        .collect();
    assert_eq!(places, ["a.py:1", "a.py:9", "b.py:1", "b.py:9"]);
}

#[test]
fn jsonl_gives_the_results_of_json_one_a_line() {
    let shop = shop();
    let all = shop.run(&["parse an iso date", "--json"]).found().json();
    let lines = shop.run(&["parse an iso date", "--jsonl"]).found().json_lines();
    assert_eq!(all["results"], Value::Array(lines));
    assert_eq!(shop.run(&["parse", "--json", "--jsonl"]).code, Some(2));
}

// ---- selection of results

#[test]
fn k_is_the_most_results() {
    let shop = shop();
    assert_eq!(shop.ask(&["date", "-k", "1"]).len(), 1);
    assert_eq!(shop.ask(&["date", "-k", "2"]), shop.ask(&["date"])[..2]);
}

#[test]
fn kind_chooses_functions_types_or_both() {
    let shop = shop();
    assert_eq!(shop.ask(&["money"]), ["round_coins"]);
    assert_eq!(shop.ask(&["money", "--kind", "type"]), ["Purse"]);
    let mut any = shop.ask(&["money", "--kind", "any"]);
    any.retain(|name| ["Purse", "round_coins"].contains(&name.as_str()));
    any.sort();
    assert_eq!(any, ["Purse", "round_coins"]);
}

#[test]
fn a_question_that_asks_for_a_type_ranks_types() {
    let shop = shop();
    assert_eq!(shop.ask(&["class for money"]), ["Purse"]);
    assert_eq!(shop.ask(&["class for money", "--kind", "function"]), ["round_coins"]);
    let answer = shop.run(&["which class counts the money", "--json"]).found().json();
    assert_eq!((&answer["asked_as"], &answer["trust"]), (&json!("type"), &json!(null)));
    assert_eq!(shop.run(&["money", "--kind", "type", "--json"]).found().json()["asked_as"], "keywords");
}

#[test]
fn unit_file_gives_each_file_once_text_files_too() {
    let shop = shop();
    let mut paths = shop.run(&["date", "--unit", "file", "--jsonl"]).found().paths();
    paths.sort();
    assert_eq!(paths, ["README.md", "src/dates.py", "tests/test_dates.py"]);
}

#[test]
fn lang_and_path_narrow_the_search() {
    let shop = shop();
    let paths = |arguments: &[&str]| {
        let mut all = vec!["date money", "--jsonl"];
        all.extend(arguments);
        let mut paths = shop.run(&all).found().paths();
        paths.sort();
        paths.dedup();
        paths
    };
    assert_eq!(paths(&[]), ["src/dates.py", "src/money.rs", "tests/test_dates.py"]);
    assert_eq!(paths(&["--lang", "rust"]), ["src/money.rs"]);
    assert_eq!(paths(&["--lang", "rust,python"]), paths(&[]));
    assert_eq!(paths(&["--path", "src/**"]), ["src/dates.py", "src/money.rs"]);
    assert_eq!(paths(&["--path", "src"]), ["src/dates.py", "src/money.rs"]);
    assert_eq!(paths(&["--path", "*.rs"]), ["src/money.rs"]);
    assert_eq!(paths(&["--path", "!tests"]), ["src/dates.py", "src/money.rs"]);
    assert_eq!(paths(&["--path", "src", "--path", "!*.rs"]), ["src/dates.py"]);
}

#[test]
fn snippet_lines_shows_the_first_lines_of_a_result() {
    let shop = shop();
    let ran = shop.run(&["split a date at its dashes", "-k", "1", "--snippet-lines", "2"]).found();
    assert!(
        ran.out.contains(" 9 │ def split_fields(text):\n    10 │     \"\"\"Split a date at its dashes.\"\"\"\n"),
        "{ran:#?}"
    );
    assert!(!ran.out.contains("int(field)"), "two lines, not three: {ran:#?}");
    let value = shop.run(&["split a date at its dashes", "-k", "1", "--snippet-lines", "99", "--json"]).found().json();
    assert_eq!(
        value["results"][0]["snippet"],
        "def split_fields(text):\n    \"\"\"Split a date at its dashes.\"\"\"\n    return [int(field) for field in text.split(\"-\")]"
    );
}

#[test]
fn max_tokens_bounds_the_whole_output_and_counts_what_did_not_fit() {
    let shop = shop();
    let full = shop.run(&["date"]).found();
    for tokens in [120, 80, 50] {
        let cut = shop.run(&["date", "--max-tokens", &tokens.to_string()]).found();
        assert!(cut.out.len() <= tokens * 4 && cut.out.len() < full.out.len(), "{tokens}: {cut:#?}");
    }
    for form in ["text", "json", "jsonl", "vimgrep"] {
        let least = shop.run(&["date", "--max-tokens", "1", "--format", form]).found();
        assert!(least.out.contains("src/dates.py"), "the first is always there: {least:#?}");
    }
    assert!(shop.run(&["date", "--max-tokens", "80"]).found().out.contains("more results do not fit"));
    let all = shop.run(&["date", "--json"]).found().json()["results"].as_array().expect("list").len();
    let cut = shop.run(&["date", "--json", "--max-tokens", "300"]).found().json();
    assert_eq!(cut["results"].as_array().expect("list").len() + cut["cut"].as_u64().expect("count") as usize, all);
}

#[test]
fn color_is_only_for_terminals_unless_forced() {
    let shop = shop();
    let colored = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut all = vec!["split a date"];
        all.extend(flags);
        shop.run_under(variables, &all).found().out.contains('\x1b')
    };
    assert!(!colored(&[], &[]), "a pipe gets no colour");
    assert!(colored(&[], &["--color", "always"]));
    assert!(colored(&[("FORCE_COLOR", "1")], &[]));
    assert!(!colored(&[("FORCE_COLOR", "1"), ("NO_COLOR", "1")], &[]));
    assert!(!colored(&[("FORCE_COLOR", "1")], &["--color", "never"]));
    assert!(colored(&[("NO_COLOR", "1")], &["--color", "always"]), "a flag is stronger than a variable");
    assert!(!colored(&[], &["--json", "--color", "always"]), "JSON has no colours");
}

// ---- settings

#[test]
fn settings_have_precedence_from_built_in_to_flag() {
    let many: String = (0..20).map(|i| format!("def split_date_{i}(text):\n    return text\n\n\n")).collect();
    let env = Env::with(&[("a.py", &many)]);
    let count = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut all = vec!["split date", "--jsonl"];
        all.extend(flags);
        env.run_under(variables, &all).found().names().len()
    };
    assert_eq!(count(&[], &[]), 10, "built-in");
    env.write_user_settings("results = 9\n");
    assert_eq!(count(&[], &[]), 9, "the user's file");
    env.write("whichfn.toml", "results = 8\n");
    assert_eq!(count(&[], &[]), 8, "the repository's file");
    assert_eq!(count(&[("WHICHFN_K", "7")], &[]), 7, "the environment");
    assert_eq!(count(&[("WHICHFN_K", "7")], &["-k", "6"]), 6, "a flag");
}

#[test]
fn every_setting_can_be_given_in_each_place() {
    let shop = shop();
    let ask = |variables: &[(&str, &str)]| shop.run_under(variables, &["money"]).found().out;
    assert!(ask(&[("WHICHFN_KIND", "type")]).contains("Purse"));
    assert!(ask(&[("WHICHFN_SNIPPET_LINES", "1")]).contains(" │ "));
    assert!(ask(&[("WHICHFN_SNIPPET", "full")]).contains(" │ "));
    assert!(ask(&[("WHICHFN_COLOR", "always")]).contains('\x1b'));
    shop.write(
        "whichfn.toml",
        r#"kind = "type"
snippet-lines = 1
results = 3
max-file-size = 1000000
"#,
    );
    let out = ask(&[]);
    assert!(out.contains("Purse") && out.contains("pub struct Purse") && out.contains('│'), "{out}");
    let elsewhere = shop.outside("elsewhere");
    shop.run_under(&[("WHICHFN_INDEX_DIR", elsewhere.to_str().expect("path"))], &["money"]).found();
    assert!(elsewhere.is_dir());
    let third = shop.outside("third");
    shop.run(&["money", "--index-dir", third.to_str().expect("path")]).found();
    assert!(third.is_dir());
}

#[test]
fn the_index_directory_may_be_a_relative_path() {
    let shop = shop();
    shop.run(&["money", "--index-dir", "../from-here"]).found().without_stderr();
    assert!(shop.outside("from-here").is_dir());
}

#[test]
fn a_wrong_settings_file_is_an_error_with_its_line() {
    let shop = shop();
    shop.write("whichfn.toml", "results = 5\nresluts = 6\n");
    shop.run(&["money"]).failed(&["whichfn.toml:2", "resluts", "known settings"]);
    shop.write("whichfn.toml", "results = \"many\"\n");
    shop.run(&["money"]).failed(&["whichfn.toml:1"]);
    shop.write("whichfn.toml", "index-dir = \"/somewhere\"\n");
    shop.run(&["money"]).failed(&["index-dir cannot be set by a repository", "--index-dir"]);
    assert_eq!(shop.run_under(&[("WHICHFN_K", "many")], &["money"]).code, Some(2));
}

// ---- index updates

#[test]
fn an_answer_follows_edits_additions_renames_and_deletions() {
    let env = Env::with(&[
        ("a.py", "def draw_circle(r):\n    return r\n"),
        ("b.py", "def play_sound(name):\n    return name\n"),
    ]);
    assert_eq!(env.ask(&["draw a circle"]), ["draw_circle"]);
    env.write("a.py", "def draw_square(r):\n    return r\n");
    assert_eq!(env.ask(&["draw"]), ["draw_square"]);
    env.run(&["circle"]).nothing();
    env.write("new/c.py", "def draw_circle(r):\n    return r\n");
    assert_eq!(env.ask(&["circle"]), ["draw_circle"]);
    env.rename("new/c.py", "d.py");
    assert_eq!(env.run(&["circle", "--jsonl"]).found().paths(), ["d.py"]);
    env.remove("d.py");
    env.run(&["circle"]).nothing();
    assert_eq!(env.ask(&["sound"]), ["play_sound"], "what was left alone is still there");
}

#[test]
fn an_edit_that_keeps_size_and_time_of_day_close_is_seen() {
    let env = Env::with(&[("a.py", "def draw_circle(r):\n    return r\n")]);
    for name in ["square", "circle", "spiral", "stripe"] {
        env.write("a.py", format!("def draw_{name}(r):\n    return r\n"));
        assert_eq!(env.ask(&["draw"]), [format!("draw_{name}")]);
    }
}

#[test]
fn only_what_changed_is_read_again() {
    let shop = shop();
    let refreshed = |shop: &Env| shop.run(&["date", "--json"]).found().json()["index"]["refreshed_files"].clone();
    assert_eq!(refreshed(&shop), 4);
    assert_eq!(refreshed(&shop), 0);
    shop.write("src/money.rs", format!("{MONEY}\nfn more() {{}}\n"));
    assert_eq!(refreshed(&shop), 1);
}

#[test]
fn no_update_answers_from_the_index_as_it_is() {
    let shop = shop();
    shop.run(&["money", "--no-update"]).failed(&["no index yet", "whichfn index"]);
    shop.run(&["money"]).found();
    shop.write("src/money.rs", "pub fn count_beans() {}\n");
    assert_eq!(shop.ask(&["money", "--no-update"]), ["round_coins"]);
    assert_eq!(shop.ask(&["beans"]), ["count_beans"]);
}

#[test]
fn ignored_and_hidden_files_are_left_out() {
    let code = |name: &str| format!("def draw_{name}(r):\n    return r\n");
    let env = Env::new();
    for name in ["seen", "git", "plain", "own", "kept"] {
        env.write(format!("{name}.py"), code(name));
    }
    env.write(".hidden.py", code("hidden"));
    env.write(".folder/inner.py", code("inner"));
    env.write("build/made.py", code("made"));
    env.write("below/only_here.py", code("only_here"));
    env.write(".gitignore", "git.py\nbuild/\n");
    env.write(".ignore", "plain.py\n");
    env.write(".whichfnignore", "own.py\n");
    env.write("below/.gitignore", "only_here.py\n");
    let mut names = env.ask(&["draw"]);
    names.sort();
    assert_eq!(names, ["draw_kept", "draw_seen"]);
    env.remove(".whichfnignore");
    assert!(env.ask(&["draw"]).contains(&"draw_own".to_owned()), "an ignore file that goes away is noticed");
    env.write(".ignore", "plain.py\nkept.py\n");
    assert!(!env.ask(&["draw"]).contains(&"draw_kept".to_owned()), "an ignore file that changes is noticed");
}

// ---- other commands

#[test]
fn index_builds_then_finds_itself_fresh() {
    let shop = shop();
    let first = shop.run(&["index"]).found().without_stderr();
    assert!(first.out.starts_with("indexed ") && first.out.contains("5 functions in 4 files"), "{first:#?}");
    let second = shop.run(&["index"]).found();
    assert!(second.out.contains("is fresh") && second.out.contains("(0 files read)"), "{second:#?}");
    assert!(shop.run(&["index", "--force"]).found().out.starts_with("indexed "));
    assert!(shop.run(&["index", "--stats"]).found().out.contains("python 2"));
    assert_eq!(shop.run(&["index", "--json"]).found().json()["functions"], 5);
    let quiet = shop.run(&["index", "-q"]);
    assert_eq!((quiet.code, quiet.out.as_str(), quiet.err.as_str()), (Some(0), "", ""));
}

#[test]
fn calls_beyond_the_step_limit_are_counted() {
    // Each of the 5,000 named arguments is looked up among 5,000 parameters.
    let env = Env::new();
    let list = |one: fn(usize) -> String| (0..5_000).map(one).collect::<Vec<_>>().join(", ");
    let (parameters, arguments) = (list(|i| format!("a{i}")), list(|i| format!("a{i}=1")));
    env.write("wide.py", format!("def wide({parameters}):\n    pass\n\nwide({arguments})\nnobody(1)\n"));
    env.run(&["index"]).found().stderr_contains(&["1 call in Python is not linked", "step limit"]);
    assert_eq!(env.run(&["status", "--json"]).found().json()["calls_left_out"], 1);
    let text = env.run(&["status"]).found().out;
    assert!(text.contains("unlinked    python 1: linking reached its step limit"), "{text}");
}

#[test]
fn status_counts_what_is_indexed_and_what_was_left_out() {
    let shop = shop();
    shop.write("logo", b"\x7fELF\0\0\0");
    shop.write("logo.png", "a picture");
    shop.write("old.py", "# @generated by a machine\ndef old(): pass\n");
    shop.write(
        "broken.py",
        r"def fine(x):
    return x

def (((
",
    );
    shop.write("big.py", "# big\n".repeat(200_000));
    let value = shop.run(&["status", "--json"]).found().json();
    assert_eq!(value["version"], 1);
    assert_eq!(value["root"], shop.repo().to_str().expect("path"));
    assert_eq!(value["files"], 5);
    assert_eq!(value["languages"], json!({"python": 3, "rust": 1, "text": 1}));
    assert_eq!(value["skipped"], json!({"binary": 1, "data": 1, "generated": 1, "oversized": 1}));
    assert_eq!(value["types"], 2);
    assert_eq!(value["files_with_errors"], 1);
    assert_eq!(value["calls_left_out"], 0);
    assert_eq!(value["calls"], 3, "parse_date to split_fields, is_holiday and the test to parse_date");
    let folder = std::path::PathBuf::from(value["index_dir"].as_str().expect("path"));
    assert!(folder.is_dir() && !folder.starts_with(shop.repo()), "the index lies outside the repository");
    let text = shop.run(&["status"]).found().out;
    for word in ["root", "fresh", "functions", "skipped     4: ", "half-read   1 ", "whichfn status --list"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let listed = shop.run(&["status", "--list"]).found().out;
    assert_eq!(listed.lines().count(), 5, "{listed}");
    assert!(listed.contains("oversized   big.py\n") && listed.contains("\nhalf-read   "), "{listed}");
    let listed = shop.run(&["status", "--list", "--json"]).found().json();
    assert_eq!(listed["half_read_files"].as_array().map(Vec::len), Some(1));
    assert!(
        listed["skipped_files"].as_array().expect("files").contains(&json!({"path": "big.py", "reason": "oversized"}))
    );
}

#[test]
fn no_command_changes_the_repository() {
    let shop = shop();
    let files = |shop: &Env| {
        let mut files = Vec::new();
        let mut folders = vec![shop.repo()];
        while let Some(folder) = folders.pop() {
            for path in crate::support::env::entries(&folder) {
                if path.is_dir() {
                    folders.push(path)
                } else {
                    files.push((path.clone(), std::fs::read(path).expect("file")))
                }
            }
        }
        files.sort();
        files
    };
    let before = files(&shop);
    shop.run(&["date"]).found();
    shop.run(&["index", "--force"]).found();
    shop.run(&["status"]).found();
    assert_eq!(before, files(&shop));
}

#[test]
fn completions_and_the_manual_name_the_commands_and_flags() {
    let env = Env::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = env.run(&["completions", shell]).found().without_stderr().out;
        for word in ["whichfn", "status", "max-tokens"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = env.run(&["man"]).found().without_stderr().out;
    assert!(page.contains(".TH whichfn 1") && page.contains("snippet\\-lines"), "{page}");
    assert_eq!(env.run(&["completions", "tcsh"]).code, Some(2));
}

#[path = "../build/commit.rs"]
mod build_commit;

/// The build script watches the files that change with HEAD, so the program reports the commit of
/// this checkout.
#[test]
fn the_version_names_the_commit_of_the_checkout() {
    let long = Env::new().run(&["--version"]).found().without_stderr().out;
    let here = build_commit::commit(std::path::Path::new(env!("CARGO_MANIFEST_DIR")));
    let given = option_env!("WHICHFN_COMMIT").map(str::to_owned);
    let commit = given.or(here.hash).unwrap_or_else(|| "unknown".to_owned());
    assert!(long.contains(&format!("\ncommit: {commit}\n")), "{commit}: {long}");
}

#[test]
fn a_build_takes_the_commit_of_its_own_checkout_only() {
    let env = Env::new();
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
        let output = env.other_process("git").args(who).args(arguments).output().expect("git starts");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    };
    std::fs::remove_dir(env.at(".git")).expect("folder");
    let unknown = build_commit::commit(&env.repo());
    assert!(unknown.hash.is_none() && unknown.watched.is_empty(), "no checkout");
    git(&["init", "-q"]);
    assert_eq!(build_commit::commit(&env.repo()).hash, None, "no commit yet");
    git(&["commit", "-q", "--allow-empty", "-m", "one"]);
    let first = git(&["rev-parse", "--short=9", "HEAD"]);
    let commit = build_commit::commit(&env.repo());
    assert_eq!(commit.hash.as_ref(), Some(&first));
    let names: Vec<_> = commit.watched.iter().filter_map(|path| path.strip_prefix(env.at(".git")).ok()).collect();
    assert_eq!(names, ["HEAD", "logs/HEAD"].map(std::path::Path::new), "all exist: {:?}", commit.watched);
    // In a worktree `.git` is a file, and each worktree has its own HEAD.
    git(&["worktree", "add", "-q", "-b", "side", "../side"]);
    git(&["commit", "-q", "--allow-empty", "-m", "two"]);
    let side = build_commit::commit(&env.outside("side"));
    assert_eq!(side.hash, Some(first));
    assert!(side.watched.len() == 2 && side.watched.iter().all(|path| path.is_file()), "{:?}", side.watched);
    assert!(!side.watched.contains(&commit.watched[0]), "each worktree has its own HEAD");
    // The package is inside the checkout of another project.
    std::fs::create_dir(env.at("vendor")).expect("folder");
    assert_eq!(build_commit::commit(&env.at("vendor")).hash, None);
}

#[test]
fn help_and_version_exit_with_status_0() {
    let env = Env::new();
    assert!(env.run(&["--help"]).found().without_stderr().out.contains("Which function in this repository does X?"));
    let number = env.run(&["-V"]).found().without_stderr().out;
    assert_eq!(number, format!("whichfn {}\n", env!("CARGO_PKG_VERSION")));
    let long = env.run(&["--version"]).found().without_stderr().out;
    assert!(long.starts_with(&number) && long.contains("\nindex: format ") && long.contains("\ncommit: "), "{long}");
    assert!(env.run(&["status", "--help"]).found().without_stderr().out.contains("--json"));
    let bare = env.run(&[]);
    assert_eq!((bare.code, bare.out.as_str()), (Some(2), ""), "no question is a wrong use: {bare:#?}");
}

#[test]
fn index_and_status_take_the_directory_as_other_commands_do() {
    let env = Env::with(&[("a.py", "def f():\n    pass\n")]);
    let repository = env.repo().display().to_string();
    for command in ["index", "status"] {
        for directory in [&["--in", repository.as_str()][..], &[repository.as_str()], &["--in", "../repo"]] {
            let ran = env.run_with(&[&[command, "--json"], directory].concat(), |command| {
                command.current_dir(env.outside("home"));
            });
            assert_eq!(ran.found().json()["root"].as_str(), Some(repository.as_str()), "{command} {directory:?}");
        }
        let twice = env.run(&[command, ".", "--in", "."]).stderr_contains(&["--in <DIR>"]);
        assert_eq!(twice.code, Some(2));
    }
}

#[test]
fn a_reason_shows_the_matching_synonym() {
    let env = Env::with(&[("a.py", "def cease(worker):\n    \"\"\"Halts the worker.\"\"\"\n    worker.flag = True\n")]);
    let value = env.run(&["ask", "stop a worker", "--json", "-q"]).found().json();
    let found = |query: &str| {
        let all = value["results"][0]["evidence"].as_array().expect("evidence");
        let one = all.iter().find(|reason| reason["query"] == query).expect("a reason");
        (one["found"].as_str().expect("text").to_owned(), one["field"].as_str().expect("text").to_owned())
    };
    assert_eq!(found("worker").0, "worker");
    let (word, field) = found("stop");
    assert!([("cease", "name"), ("Halts", "summary")].contains(&(word.as_str(), field.as_str())), "{word} in {field}");
}

#[test]
fn the_parts_of_a_score_add_up_to_it() {
    let ran = shop().run(&["where is a date split at its dashes", "--explain"]).found();
    let results: Vec<&str> = ran.out.split("    score ").skip(1).collect();
    assert!(results.len() >= 2, "{ran:#?}");
    for result in results {
        let number = |text: &str| text.trim().parse::<f64>().unwrap_or_else(|_| panic!("{text}: {ran:#?}"));
        let score = number(result.split(" = ").next().expect("score"));
        let parts = result.lines().skip(1).filter_map(|line| line.trim_start().split_once("  "));
        let sum: f64 = parts.filter(|(n, _)| n.starts_with(['+', '-'])).map(|(n, _)| number(n)).sum();
        // The sum of nine parts, each rounded to two digits, has a rounding error.
        assert!((sum - score).abs() < 0.05, "{sum} is not {score}: {result}");
    }
}

#[test]
fn a_snippet_is_the_best_lines_or_all_of_them() {
    let shop = shop();
    let result = |what: &str| {
        let all =
            shop.run(&["split a date at its dashes", "-k", "1", "--snippet", what, "--jsonl"]).found().json_lines();
        (all[0]["snippet"].clone(), all[0]["snippet_lines"].clone())
    };
    assert_eq!(result("best"), (json!("return [int(field) for field in text.split(\"-\")]"), json!([11])));
    let (text, lines) = result("full");
    assert!(text.as_str().expect("text").starts_with("def split_fields(text):\n") && lines == json!([9, 10, 11]));
    assert_eq!(result("none"), (Value::Null, Value::Null));
    shop.run(&["split", "--snippet", "best", "--snippet-lines", "2"]).stderr_contains(&["cannot be used with"]);
}

#[test]
fn vimgrep_has_a_line_for_each_place_with_the_byte_of_the_name() {
    let env = Env::with(&[("ä/a b.rs", "/// Größe, *read* from [`Text`].\npub fn größe_lesen() {}\n")]);
    let ran = env.run(&["größe lesen", "--format", "vimgrep"]).found().without_stderr();
    assert_eq!(ran.out, "ä/a b.rs:2:8:größe_lesen: Größe, read from Text.\n");
    env.run(&["größe", "--format", "vimgrep", "--json"]).stderr_contains(&["cannot be used with"]);
}

#[test]
fn documentation_is_shown_without_its_markup() {
    let env = Env::with(&[("a.py", "def renew(key):\n    \"\"\"Return a :class:`~shop.Session` for ``key``.\"\"\"\n")]);
    let ran = env.run(&["renew a session"]).found();
    assert!(ran.out.contains("    Return a Session for key.\n"), "{ran:#?}");
    let json = env.run(&["renew a session", "--json"]).found().json();
    assert_eq!(json["results"][0]["doc"], "Return a :class:`~shop.Session` for ``key``.", "programs get it as it is");
}
