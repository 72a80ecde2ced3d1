//! Tests the scores that related functions add to a result of `whichfn ask`: the relation, the form
//! and the amount.

use crate::support::env::{Env, Ran};
use serde_json::Value;

const SESSION: &str = "class Session:
    def renew(self, token):
        check(token)
        self.until = self.expiry()

    def expiry(self):
        return self.clock + 3600


def check(token):
    return bool(token)
";

const VIEWS: &str = "from app.session import Session


def login(request):
    session = Session()
    return session.renew(request.token)
";

const QUESTION: &str = "renew the token of a session";

fn app() -> Env {
    Env::with(&[
        ("app/session.py", SESSION),
        ("app/views.py", VIEWS),
        ("app/paint.py", "def paint(wall):\n    return wall\n"),
    ])
}

/// One result.
#[derive(Debug, Clone, PartialEq)]
struct Scored {
    name: String,
    score: f64,
    independent: f64,
    environment: f64,
}

fn scored(ran: &Ran) -> Vec<Scored> {
    let number = |value: &Value, of: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} is no number in {of:#}"));
    let one = |result: &Value| Scored {
        name: result["name"].as_str().expect("name").to_owned(),
        score: number(&result["score"], result),
        independent: number(&result["scores"]["independent"], result),
        environment: number(&result["scores"]["environment"], result),
    };
    let all: Vec<Scored> = ran.json_lines().iter().map(one).collect();
    for one in &all {
        assert!((one.independent + one.environment - one.score).abs() < 1e-3, "the two parts add up: {one:?}");
    }
    all
}

fn ask(env: &Env, arguments: &[&str]) -> Vec<Scored> {
    ask_under(env, &[], arguments)
}

fn ask_under(env: &Env, variables: &[(&str, &str)], arguments: &[&str]) -> Vec<Scored> {
    let all: Vec<&str> = ["ask", QUESTION, "--jsonl", "--order", "words"].iter().chain(arguments).copied().collect();
    scored(&env.run_under(variables, &all).found().without_stderr())
}

fn named<'a>(all: &'a [Scored], name: &str) -> &'a Scored {
    all.iter().find(|one| one.name == name).unwrap_or_else(|| panic!("{name} in {all:?}"))
}

// ---- the relation

#[test]
fn without_a_relation_scores_are_independent() {
    let env = app();
    for unit in ["definition", "window", "file"] {
        let alone = ask(&env, &["--relation", "none", "--unit", unit]);
        assert!(alone.len() > 1 && alone.iter().all(|one| one.environment == 0.0), "{unit}: {alone:?}");
    }
    let learned = scored(&env.run(&["ask", QUESTION, "--relation", "none", "--jsonl"]).found());
    assert!(
        learned.len() > 1 && learned.iter().all(|one| one.environment == 0.0),
        "in the learned order too: {learned:?}"
    );
    let lines = env.run(&["ask", QUESTION, "--relation", "none", "--jsonl"]).found().json_lines();
    let evidence = lines.iter().flat_map(|line| line["evidence"].as_array().expect("list").clone());
    for one in evidence {
        assert!(one["part"] != "context" && one["weight"].as_f64() > Some(0.0), "no word of a caller or callee: {one}");
    }
}

#[test]
fn structure_is_the_default_and_reaches_other_files() {
    let env = app();
    let structure = ask(&env, &["--relation", "structure"]);
    assert_eq!(structure, ask(&env, &[]));
    assert!(named(&structure, "login").environment > 0.0, "it calls renew: {structure:?}");
    let explained = env.run(&["ask", QUESTION, "--explain", "--order", "words"]).found();
    assert!(explained.out.contains("├─ related 0."), "{explained:#?}");
}

#[test]
fn position_stays_within_a_file() {
    let position = ask(&app(), &["--relation", "position"]);
    assert!(named(&position, "check").environment > 0.0, "{position:?}");
    assert_eq!(named(&position, "login").environment, 0.0, "alone in its file: {position:?}");
}

#[test]
fn semantic_needs_embeddings() {
    let env = app();
    for unit in ["definition", "window"] {
        let words = ["the semantic relation needs embeddings", "use --relation structure, position or none"];
        env.run(&["ask", QUESTION, "--relation", "semantic", "--unit", unit]).failed(&words);
    }
    assert_eq!(env.run(&["ask", QUESTION, "--relation", "magic"]).code, Some(2));
}

#[test]
fn relation_without_a_matching_word_is_not_a_result() {
    for relation in ["structure", "position", "none"] {
        let all = ask(&app(), &["--relation", relation, "--environment", "mean"]);
        assert!(all.iter().all(|one| one.name != "paint"), "{relation}: {all:?}");
    }
}

// ---- the form and the amount

#[test]
fn sum_is_the_default_and_mean_the_published_form() {
    let env = app();
    let (sum, mean) = (ask(&env, &["--environment", "sum"]), ask(&env, &["--environment", "mean"]));
    assert_eq!(sum, ask(&env, &[]));
    for one in &mean {
        assert!(one.independent == named(&sum, &one.name).independent && one.environment > 0.0, "{one:?}");
    }
    assert_ne!(sum, mean);
    assert_eq!(env.run(&["ask", QUESTION, "--environment", "most"]).code, Some(2));
}

#[test]
fn alpha_is_a_factor() {
    let env = app();
    for form in ["sum", "mean"] {
        let added = |alpha: &str| {
            let all = ask(&env, &["--environment", form, "--alpha", alpha, "--unit", "window"]);
            let mut added: Vec<(String, f64)> = all.into_iter().map(|one| (one.name, one.environment)).collect();
            added.sort_by(|a, b| a.0.cmp(&b.0));
            added
        };
        assert!(added("0").iter().all(|(_, added)| *added == 0.0), "{form}");
        for (one, two) in added("1").iter().zip(added("2")) {
            assert!(one.1 > 0.0 && (2.0 * one.1 - two.1).abs() < 1e-3, "{form}: {one:?} and {two:?}");
        }
    }
    assert_eq!(ask(&env, &["--alpha", "0.2"]), ask(&env, &[]), "of the sum, if nothing is said");
    let mean = ["--environment", "mean"];
    assert_eq!(ask(&env, &[&mean[..], &["--alpha", "0.5"]].concat()), ask(&env, &mean), "as published");
}

#[test]
fn alpha_is_a_number_from_0() {
    let env = app();
    for wrong in ["-1", "-0.5", "nan", "inf"] {
        env.run(&["ask", QUESTION, "--alpha", wrong]).failed(&[
            "--alpha",
            "is not a valid weight",
            "use 0 or a greater number",
        ]);
    }
    assert_eq!(env.run(&["ask", QUESTION, "--alpha", "much"]).code, Some(2));
    assert_eq!(env.run_under(&[("WHICHFN_ALPHA", "-1")], &["ask", QUESTION]).code, Some(2));
    env.write("whichfn.toml", "alpha = -1\n");
    env.run(&["ask", QUESTION]).failed(&["is not a valid weight"]);
    env.write("whichfn.toml", "alpha = \"much\"\n");
    env.run(&["ask", QUESTION]).failed(&["whichfn.toml:1"]);
    env.write("whichfn.toml", "relation = \"magic\"\n");
    env.run(&["ask", QUESTION]).failed(&["whichfn.toml:1"]);
}

#[test]
fn settings_choose_the_relation_by_precedence() {
    let env = app();
    let alone = ask(&env, &["--relation", "none"]);
    let (alpha, usual) = (ask(&env, &["--alpha", "2"]), ask(&env, &[]));
    assert_eq!(ask_under(&env, &[("WHICHFN_RELATION", "none")], &[]), alone);
    assert_eq!(ask_under(&env, &[("WHICHFN_ALPHA", "2")], &[]), alpha);
    env.write_user_settings("relation = \"none\"\nalpha = 9.0\n");
    assert_eq!(ask(&env, &[]), alone, "the user's file");
    env.write("whichfn.toml", "relation = \"structure\"\nalpha = 2\n");
    assert_eq!(ask(&env, &[]), alpha, "the repository's file");
    let variables = [("WHICHFN_RELATION", "none"), ("WHICHFN_ALPHA", "7")];
    assert_eq!(ask_under(&env, &variables, &[]), alone, "the environment");
    assert_eq!(ask_under(&env, &variables, &["--relation", "structure", "--alpha", "0.2"]), usual, "flags");
}

#[test]
fn exact_changes_scores_only_slightly() {
    let env = app();
    for arguments in [&[][..], &["--environment", "mean"], &["--unit", "window", "--environment", "mean"]] {
        let (fast, exact) = (ask(&env, arguments), ask(&env, &[arguments, &["--exact"]].concat()));
        assert_eq!(fast.len(), exact.len());
        for one in &fast {
            assert!((one.score - named(&exact, &one.name).score).abs() < 1e-3, "{arguments:?}: {one:?} and {exact:?}");
        }
    }
}

// ---- windows

#[test]
fn windows_are_twenty_lines_each_ten_after_the_one_before() {
    let env = Env::new();
    let lines: String =
        (1..=45).map(|line| format!("token_{line} = {}\n", if line == 15 { "renew" } else { "0" })).collect();
    env.write("long.py", &lines);
    let all = env.run(&["ask", "renew", "--unit", "window", "--json"]).found().json()["results"].clone();
    let spans: Vec<(u64, u64)> = all
        .as_array()
        .expect("list")
        .iter()
        .map(|one| (one["start_line"].as_u64().expect("line"), one["end_line"].as_u64().expect("line")))
        .collect();
    let mut sorted = spans.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [(1, 20), (11, 30)], "the two around line 15");
    for one in all.as_array().expect("list") {
        assert_eq!(
            (&one["kind"], &one["path"], &one["line"]),
            (&"window".into(), &"long.py".into(), &one["start_line"])
        );
        assert_eq!((&one["signature"], &one["doc"]), (&"".into(), &"".into()));
    }
    let text = env.run(&["ask", "token 45", "--unit", "window", "-k", "1"]).found();
    assert!(text.out.starts_with("long.py:31  long  window\n"), "{text:#?}");
    let whole = env.run(&["ask", "renew", "--unit", "window", "--snippet-lines", "99", "--jsonl"]).found().json_lines();
    assert!(whole.iter().all(|one| one["snippet"].as_str().expect("text").lines().count() == 20));
}

#[test]
fn windows_are_of_any_text_and_can_be_narrowed() {
    let env = app();
    env.write("notes.txt", "How to renew a token.\n");
    let paths = |arguments: &[&str]| {
        let all: Vec<&str> =
            ["ask", QUESTION, "--unit", "window", "--jsonl"].iter().chain(arguments).copied().collect();
        let mut paths = env.run(&all).found().paths();
        paths.sort();
        paths
    };
    assert_eq!(paths(&[]), ["app/session.py", "app/views.py", "notes.txt"]);
    assert_eq!(paths(&["--lang", "python"]), ["app/session.py", "app/views.py"]);
    assert_eq!(paths(&["--path", "*.txt"]), ["notes.txt"]);
    assert_eq!(paths(&["-k", "1"]).len(), 1);
    env.run(&["ask", "zyxwvut", "--unit", "window"]).nothing();
}
