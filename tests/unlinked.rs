//! If linking a language reaches its step limit, every answer that rests on its calls states it.

use crate::support::env::Env;
use crate::support::unlinked::{NOTICE, ruby};
use serde_json::{Value, json};

/// Commands whose answers rest on the calls of `shop.rb`.
const COMMANDS: &[&[&str]] = &[
    &["callers", "Shop::open_shop"],
    &["callees", "Shop::open_shop"],
    &["references", "Shop::open_shop"],
    &["tests", "Shop::open_shop"],
    &["impact", "Shop::open_shop"],
    &["path", "Shop::open_shop", "Shop::tidy"],
    &["relate", "Shop::open_shop"],
    &["graph", "Shop::open_shop"],
    &["graph"],
    &["check", "--dead"],
    &["who calls Shop::open_shop"],
    &["what does Shop::open_shop call"],
    &["which tests cover Shop::open_shop"],
];

#[test]
fn every_answer_that_rests_on_calls_states_it_in_text_and_in_json() {
    let env = ruby();
    env.run(&["index"]).found().stderr_contains(&[NOTICE]);
    for command in COMMANDS {
        for options in [&[][..], &["--json"]] {
            let ran = env.run(&[*command, options].concat());
            assert!(matches!(ran.code, Some(0 | 1)) && ran.err.contains(NOTICE), "{command:?}: {ran:#?}");
            if !options.is_empty() {
                let value = ran.json();
                let notices = value["notices"].as_array().unwrap_or_else(|| panic!("{command:?}: {value}"));
                assert!(notices.iter().any(|one| one.as_str().is_some_and(|one| one.contains(NOTICE))), "{value}");
            }
        }
    }
    let status = env.run(&["status", "--json"]).found().json();
    assert!(status["unlinked"]["ruby"].as_u64().is_some_and(|count| count > 0), "{status}");
    assert_eq!(status["unlinked"].as_object().map(serde_json::Map::len), Some(1));
}

#[test]
fn answers_about_other_languages_have_no_notice() {
    let env = ruby();
    env.run(&["index"]).found();
    for command in [&["callers", "run_all"][..], &["references", "run_all"], &["who calls run_all"]] {
        env.run(command).found().without_stderr();
    }
    assert_eq!(env.run(&["callers", "run_all", "--json"]).json()["notices"], Value::Null);
}

#[test]
fn callers_never_says_that_there_are_no_calls() {
    let ran = ruby().run(&["callers", "Shop::open_shop"]).nothing();
    assert!(
        !ran.err.contains("no calls") && ran.err.contains("none of the linked calls is to Shop::open_shop"),
        "{ran:#?}"
    );
    let ran = ran.stderr_contains(&[", but 1 other use", "whichfn references Shop::open_shop"]);
    assert!(ran.out.is_empty());
}

#[test]
fn calls_that_follow_from_declarations_are_linked_nevertheless() {
    let env = ruby();
    let callers = env.run(&["callers", "Shop::tidy", "--json"]).found().json();
    assert_eq!(callers["tree"][0]["name"], "Shop::open_shop", "a member of the type itself: {callers}");
    assert_eq!(callers["tree"][0]["calls"][0]["reason"], "scope");
}

#[test]
fn no_dead_code_is_reported_in_the_language_and_every_format_says_why() {
    let env = ruby();
    for format in ["text", "json", "sarif", "github", "markdown"] {
        let ran = env.run(&["check", "--dead", "--format", format]);
        let out = ran.out.replace('\\', "");
        assert!(!out.contains("unused_one") && ran.out.contains("unused"), "{format}: {ran:#?}");
        assert!(format == "text" || out.contains("calls in Ruby are not linked"), "{format}: {ran:#?}");
        ran.stderr_contains(&[NOTICE]);
    }
}

#[test]
fn an_edit_gives_the_same_index_as_indexing_from_scratch() {
    let env = ruby();
    env.run(&["index"]).found();
    let edits: [(&str, &str); 4] = [
        ("store.py", "def store(x):\n    return store(x)\n"),
        ("notes.md", "# Notes\n"),
        ("use.rb", "def run(shop)\n  shop.open_shop(2)\nend\nrun(1)\n"),
        ("a_wide.rb", "def wide(a:)\nend\nwide(a: 1)\n"),
    ];
    for (path, text) in edits {
        env.write(path, text);
        let whole = |env: &Env, options: &[&str]| {
            env.run(&[&["index"][..], options].concat()).found();
            let status = env.run(&["status", "--json"]).found().json();
            let calls = env.run(&["graph", "--calls", "--json"]).found().out;
            (calls, status["calls"].clone(), status["unlinked"].clone())
        };
        let edited = whole(&env, &[]);
        assert_eq!(edited, whole(&env, &["--force"]), "{path}");
        assert_eq!(edited.2 == json!(null), path == "a_wide.rb", "{path}");
    }
}
