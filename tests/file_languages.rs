//! Languages that the user assigns to files: `[languages]` in `whichfn.toml`.

use crate::support::env::Env;
use serde_json::Value;

/// A repository whose files do not show their language, and with a template that looks like
/// another language.
fn templates() -> Env {
    Env::with(&[
        ("forms/login.tmpl", "def check_password(text):\n    return text\n"),
        ("forms/old/reset.tmpl", "def reset_password(text):\n    return text\n"),
        ("words.csv", "def hash_password(text):\n    return text\n"),
        ("app.php", "<?php\nfunction send_password($to) { return $to; }\n"),
    ])
}

/// Returns the number of files in each language.
fn counts(env: &Env) -> Value {
    env.run(&["status", "--json"]).found().json()["languages"].clone()
}

#[test]
fn a_pattern_assigns_a_language_to_files() {
    let env = templates();
    assert_eq!(env.run(&["password", "--jsonl"]).found().names(), ["send_password"]);
    env.write("whichfn.toml", "[languages]\n\"*.tmpl\" = \"python\"\n\"*.csv\" = \"py\"\n");
    let mut names = env.run(&["password", "--jsonl"]).found().names();
    names.sort();
    assert_eq!(names, ["check_password", "hash_password", "reset_password", "send_password"]);
    assert_eq!(env.run(&["callers", "check_password"]).code, Some(1), "a function without callers");
    assert_eq!(env.run(&["password", "--jsonl", "--lang", "php"]).found().names(), ["send_password"]);
}

#[test]
fn the_longest_pattern_takes_precedence() {
    let env = templates();
    env.write("whichfn.toml", "[languages]\n\"*.tmpl\" = \"php\"\n\"/forms/old\" = \"python\"\n\"app.php\" = \"c\"\n");
    let counts = counts(&env);
    assert_eq!((&counts["php"], &counts["python"], &counts["c"]), (&1.into(), &1.into(), &1.into()), "{counts}");
}

#[test]
fn a_changed_map_indexes_again_and_an_unchanged_one_does_not() {
    let env = templates();
    let parsed = || env.run(&["index", "--json"]).found().json()["refreshed_files"].clone();
    env.write("whichfn.toml", "[languages]\n\"*.tmpl\" = \"python\"\n");
    assert_ne!(parsed(), 0);
    assert_eq!(parsed(), 0);
    env.write_user_settings("[languages]\n\"*.tmpl\" = \"ruby\"\n\"*.csv\" = \"python\"\n");
    assert_ne!(parsed(), 0);
    let counts = counts(&env);
    assert_eq!(
        (&counts["python"], &counts["ruby"]),
        (&3.into(), &Value::Null),
        "the repository's map takes precedence"
    );
    let elsewhere = env.outside("elsewhere");
    let there = ["password", "--jsonl", "--index-dir", elsewhere.to_str().expect("path")];
    assert!(env.run(&there).found().names().contains(&"hash_password".to_owned()));
    env.run(&["password", "--no-update"]).found();
}

#[test]
fn an_unknown_language_or_an_invalid_pattern_is_an_error() {
    let env = templates();
    env.write("whichfn.toml", "[languages]\n\"*.tmpl\" = \"jinja\"\n");
    env.run(&["password"]).failed(&["whichfn.toml", "*.tmpl", "unknown language `jinja`", "choose from:", "python"]);
    env.write("whichfn.toml", "[languages]\n\"[\" = \"python\"\n");
    env.run(&["password"]).failed(&["the path pattern [ is invalid"]);
    env.write("whichfn.toml", "[languages]\n\"*.tmpl\" = 3\n");
    env.run(&["password"]).failed(&["whichfn.toml:2"]);
}

#[test]
fn a_fleet_uses_the_map_of_each_repository() {
    let env = templates();
    let pack = || env.run(&["fleet", "pack", ".", "-o", "../shards", "--name", "forms", "--json"]).found().json();
    let functions = |packed: &Value| packed["shards"][0]["members"][0]["functions"].clone();
    assert_eq!(functions(&pack()), 1);
    env.write("whichfn.toml", "[languages]\n\"*.tmpl\" = \"python\"\n");
    let packed = pack();
    assert_eq!(functions(&packed), 3);
    let shards = env.outside("shards").to_string_lossy().into_owned();
    let shown = env.run(&["fleet", "ask", "--shards", &shards, "reset password"]).found();
    assert!(shown.out.contains("forms/old/reset.tmpl:1"), "{}", shown.out);
}

#[test]
fn an_ending_in_upper_case_is_the_same_language() {
    let env = Env::with(&[
        ("RUN.PY", "def start_up():\n    return go()\n\ndef go():\n    return 1\n"),
        ("Cart.Java", "class Cart { int total() { return sum(); } int sum() { return 1; } }\n"),
        ("MAIN.TSX", "export function Shown() { return <b>{drawn()}</b>; }\nfunction drawn() { return 1; }\n"),
        ("model.r", "fit <- function(x) fitted_mean(x)\nfitted_mean <- function(x) x\n"),
        ("model2.R", "refit <- function(x) x\n"),
        ("solver.C", "namespace solver { class Field {}; int solve() { return 1; } }\n"),
        ("solver.H", "int solve();\n"),
        ("VIEW.M", "@implementation View\n- (int)drawn { return 1; }\n@end\n"),
        ("NODE.H++", "int node();\n"),
        ("TYPES.Hpp", "int types();\n"),
    ]);
    let expected = serde_json::json!({"cpp": 4, "r": 2, "java": 1, "objc": 1, "python": 1, "tsx": 1});
    assert_eq!(counts(&env), expected);
    assert!(env.run(&["callers", "go"]).found().out.contains("start_up"));
    assert!(env.run(&["callers", "Cart.sum"]).found().out.contains("Cart.total"));
}

/// The endings are those of TypeScript, Objective-C and PHP.
#[test]
fn other_formats_with_the_ending_of_a_language_are_no_code() {
    let translation = "<!DOCTYPE TS>\n<TS version=\"2.1\" language=\"de\">\n<message/>\n</TS>\n";
    let env = Env::with(&[
        ("app.ts", "export function translate(text: string) { return text; }\n"),
        ("de.ts", &format!("\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?>\n{translation}")),
        ("fr.ts", translation),
        ("tiles.tsx", "<?xml version=\"1.0\"?>\n<tileset name=\"grass\"/>\n"),
        ("ideas.mm", "<map version=\"1.0.1\">\n<node TEXT=\"a\"/>\n</map>\n"),
        ("View.m", "#import <View.h>\n@implementation View\n- (int)drawn { return 1; }\n@end\n"),
        ("filter.m", "% Filters a signal.\nfunction y = filter(x)\ny = x;\nend\n"),
        ("shape.m", "classdef shape\nend\n"),
        ("queue.m", ":- module queue.\n"),
        ("page.inc", "<h1>Title</h1>\n<?php function page_title() { return 1; } ?>\n"),
        ("recipe.inc", "SUMMARY = \"A recipe\"\nrequire common.inc\n"),
    ]);
    assert_eq!(counts(&env), serde_json::json!({"text": 4, "objc": 1, "php": 1, "typescript": 1}));
    let status = env.run(&["status", "--json"]).found().json();
    assert_eq!(status["skipped"], serde_json::json!({"data": 4}));
    assert_eq!(status["files_with_errors"], 0);
    env.write("whichfn.toml", "[languages]\n\"fr.ts\" = \"typescript\"\n");
    assert_eq!(counts(&env)["typescript"], 2, "the user's choice takes precedence");
}
