//! Tests `whichfn relate`: the functions that are most related to a function, and the path that
//! explains each relation.

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};

const SESSION: &str = "from app.clock import now


class Session:
    def renew(self, token):
        check(token)
        self.until = self.expiry()

    def expiry(self):
        return now() + 3600


def check(token):
    return bool(token)
";

const CLOCK: &str = "def now():
    return 0
";

const VIEWS: &str = "from app.session import Session


def login(request):
    session = Session()
    return session.renew(request.token)
";

fn app() -> Env {
    Env::with(&[
        ("app/session.py", SESSION),
        ("app/clock.py", CLOCK),
        ("app/views.py", VIEWS),
        ("limits.py", "MOST = 3\n"),
    ])
}

fn related(ran: &Ran) -> Vec<Value> {
    ran.json()["related"].as_array().expect("list").clone()
}

/// Returns the names of the related functions, most related first.
fn names(env: &Env, arguments: &[&str]) -> Vec<String> {
    let all: Vec<&str> = ["relate", "--json"].iter().chain(arguments).copied().collect();
    let ran = env.run(&all).found();
    related(&ran).iter().map(|value| value["name"].as_str().expect("name").to_owned()).collect()
}

fn weight(value: &Value) -> f64 {
    value["weight"].as_f64().unwrap_or_else(|| panic!("weight of {value}"))
}

// ---- the output

#[test]
fn the_text_form_shows_places_and_reasons() {
    let ran = app().run(&["relate", "Session.renew"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    called by 1
    └─ app/views.py:6:20  login  (known type)  return session.renew(request.token)
    calls 2
    ├─ app/session.py:13  check  (in scope, line 6)  check(token)
    └─ app/session.py:9  Session.expiry  (own member, line 7)  self.until = self.expiry()
    also related
    app/clock.py:1  now  function · relation 0.013
        why: same class Session as expiry · expiry calls now at app/session.py:10
    ");
}

#[test]
fn enclosing_and_inner_definitions_are_marked() {
    let ran = app().run(&["relate", "Session", "--kind", "any", "-k", "3"]).found();
    insta::assert_snapshot!(ran.out, @r"
    called by 1
    └─ app/views.py:5:15  login  (imported, calls Session, also 6)  session = Session()
    calls 2
    ├─ app/clock.py:1  now  (imported, in Session.expiry)  return now() + 3600
    └─ app/session.py:13  check  (in scope, in Session.renew)  check(token)
    also related
    app/session.py:1  session  module · relation 0.500
        why: around it
    app/session.py:5  Session.renew  method · relation 0.250
        why: inside it
    app/session.py:9  Session.expiry  method · relation 0.250
        why: inside it
    ");
}

#[test]
fn json_has_the_shape_of_the_contract() {
    let value = app().run(&["relate", "Session.renew", "-k", "2", "--json"]).found().without_stderr().json();
    let step = |kind: &str, weight: f64, line: u32| json!({"kind": kind, "weight": weight, "path": "app/session.py", "line": line});
    let spot = |name: &str, kind: &str, start: u32, end: u32| json!({"path": "app/session.py", "start_line": start, "end_line": end, "line": start, "name": name, "kind": kind});
    let with = |mut spot: Value, weight: f64, why: &str, via: &[Value]| {
        spot["weight"] = json!(weight);
        spot["why"] = json!(why);
        spot["via"] = json!(via);
        spot
    };
    let call = |line: u32, column: u32, text: &str, reason: &str| json!({"path": "app/session.py", "line": line, "column": column, "text": text, "reason": reason});
    let at = |path: &str, mut spot: Value| {
        spot["path"] = json!(path);
        spot
    };
    let end = |mut spot: Value, call: Value| {
        spot["calls"] = json!([call]);
        spot["left_out"] = json!(0);
        spot["tree"] = json!([]);
        spot
    };
    // The body of the class begins at its first method.
    let up_and_down = [step("syntax", 0.5, 5), step("syntax", 0.5, 9)];
    let way = [step("syntax", 0.5, 6), step("syntax", 0.5, 6), step("syntax", 0.5, 6), step("call", 0.8, 6)];
    let expected = json!({
        "version": 1,
        "of": spot("Session.renew", "method", 5, 7),
        "callers": [end(at("app/views.py", spot("login", "function", 4, 6)), at("app/views.py", call(6, 20, "return session.renew(request.token)", "type")))],
        "callees": [
            end(spot("check", "function", 13, 14), call(6, 9, "check(token)", "scope")),
            end(spot("Session.expiry", "method", 9, 10), call(7, 27, "self.until = self.expiry()", "receiver")),
        ],
        "related": [
            with(spot("Session.expiry", "method", 9, 10), 0.25, "same class Session, called at app/session.py:7", &up_and_down),
            with(spot("check", "function", 13, 14), 0.1, "called at app/session.py:6", &way),
        ],
    });
    assert_eq!(value, expected);
}

#[test]
fn the_weight_is_the_product_along_the_path() {
    let env = app();
    let mut steps = 0;
    for of in ["Session.renew", "Session.expiry", "check", "now", "login", "Session"] {
        for other in related(&env.run(&["relate", of, "--json"]).found()) {
            let via = other["via"].as_array().expect("list");
            let product: f64 = via.iter().map(weight).product();
            assert!((product - weight(&other)).abs() < 1e-9, "{of}: {other:#}");
            steps += via.len();
            for step in via {
                let usual = match step["kind"].as_str().expect("kind") {
                    "syntax" => 0.5,
                    "directory" => 0.3,
                    "root" => 1.0,
                    _ => 0.8,
                };
                assert_eq!(weight(step), usual, "{step}");
            }
        }
    }
    assert!(steps > 60, "{steps}");
}

#[test]
fn weights_are_symmetric() {
    let env = app();
    let of = |a: &str, b: &str| {
        let all = related(&env.run(&["relate", a, "--json"]).found());
        all.iter().find(|other| other["name"] == b).map(weight)
    };
    let all = ["Session.renew", "Session.expiry", "check", "now", "login"];
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
        assert_eq!(of(a, b).map(|w| (w * 1e9).round()), of(b, a).map(|w| (w * 1e9).round()), "{a} and {b}");
    }
}

/// All methods of a class are equally close, so a caller of one of them must not rank after them
/// all.
#[test]
fn callers_rank_before_nearer_definitions() {
    let many: String = (0..50).map(|i| format!("    def m{i}(self):\n        pass\n\n")).collect();
    let env = Env::with(&[
        ("jar.py", &format!("class Jar:\n{many}\ndef merge(jar):\n    return jar\n")),
        (
            "far/away/user.py",
            "from jar import merge\n\n\ndef use():\n    for _ in range(3):\n        if _:\n            merge(1)\n",
        ),
    ]);
    let out = env.run(&["relate", "merge", "-k", "3"]).found().out;
    assert!(
        out.starts_with("called by 1\n└─ far/away/user.py:7:13  use  (imported)  merge(1)\nalso related\n"),
        "{out}"
    );
    assert_eq!(out.matches("0.").count(), 3, "callers take no place of what else is related: {out}");
    assert_eq!(names(&env, &["merge", "-k", "3"]).len(), 3);
}

// ---- names and places

#[test]
fn a_function_is_named_by_its_name_its_line_or_its_file_and_name() {
    let env = app();
    let of = |name: &str| env.run(&["relate", name, "--json"]).found().json()["of"]["name"].clone();
    for name in [
        "renew",
        "Session.renew",
        "Session::renew",
        "app/session.py:5",
        "app/session.py:7",
        "app/session.py:6:9",
        "app/session.py:renew",
        "session.py:6",
    ] {
        assert_eq!(of(name), "Session.renew", "{name}");
    }
    assert_eq!(of("app/session.py:4"), "Session");
    assert_eq!(of("app/session.py:1"), "session", "outside all of them, the file");
    assert_eq!(of("limits.py"), "limits");
}

#[test]
fn paths_are_relative_to_the_working_directory() {
    let env = app();
    let below = env.run_with(&["relate", "session.py:check", "-k", "1"], |command| {
        command.current_dir(env.at("app"));
    });
    let out = below.found().out;
    assert!(out.contains(" session.py:6:9  Session.renew") && !out.contains("app/session.py"), "{out}");
}

#[test]
fn an_ambiguous_name_is_an_error_listing_the_choices() {
    let env = app();
    env.write("app/other.py", "def check():\n    pass\n");
    let ran = env.run(&["relate", "check"]).failed(&["check matches 2 definitions", "such as app/other.py:1"]);
    ran.stderr_contains(&["app/other.py:1  check", "app/session.py:13  check"]);
    assert_eq!(names(&env, &["app/session.py:check", "-k", "1"]), ["Session.renew"]);
}

#[test]
fn an_unknown_name_suggests_similar_ones() {
    let env = app();
    env.run(&["relate", "rennww"]).failed(&[
        "no function, type or file is called rennww",
        "similar names",
        "app/session.py:5  Session.renew",
    ]);
    env.run(&["relate", "zyxwvut"]).failed(&["no function, type or file is called zyxwvut"]);
    env.run(&["relate", "app/sesion.py:5"]).failed(&["app/session.py:1"]);
    env.run(&["relate", "app/session.py:999"]).failed(&["app/session.py has no line 999; its last line is 14"]);
    env.run(&["relate", ""]).failed(&["no function, type or file is called"]);
    env.run(&["relate", "rennww", "--json"]).failed(&["is called rennww"]);
}

// ---- number and kind of the results

#[test]
fn k_limits_and_kind_filters_the_results() {
    let env = app();
    assert_eq!(names(&env, &["renew"]), ["Session.expiry", "check", "login", "now"]);
    assert_eq!(names(&env, &["renew", "-k", "2"]), ["Session.expiry", "check"]);
    assert_eq!(names(&env, &["renew", "--kind", "type"]), ["Session"]);
    let any = names(&env, &["renew", "--kind", "any", "-k", "50"]);
    assert!(["Session", "session", "check"].iter().all(|name| any.contains(&(*name).to_owned())), "{any:?}");
    env.run(&["relate", "renew", "-k", "0"]).failed(&["-k 0", "pass a number of at least 1"]);
    env.write("whichfn.toml", "results = 1\nkind = \"type\"\n");
    assert_eq!(names(&env, &["renew"]), ["Session"], "settings count");
}

#[test]
fn the_index_is_refreshed_by_default() {
    let env = app();
    env.run(&["relate", "now", "--no-update"]).failed(&["no index yet", "whichfn index"]);
    assert!(!names(&env, &["now"]).contains(&"later".to_owned()));
    env.write(
        "app/later.py",
        r"from app.clock import now


def later():
    return now()
",
    );
    assert!(!names(&env, &["now", "--no-update"]).contains(&"later".to_owned()));
    assert!(names(&env, &["now"]).contains(&"later".to_owned()));
}

// ---- unusual code

#[test]
fn modules_that_import_each_other() {
    let env = Env::with(&[
        (
            "ping.py",
            r"import pong


def ping(n):
    return pong.pong(n - 1)
",
        ),
        (
            "pong.py",
            r"import ping


def pong(n):
    return ping.ping(n - 1)
",
        ),
        ("self.py", "def again(n):\n    return again(n - 1)\n"),
    ]);
    let ran = env.run(&["relate", "ping.py:ping", "-k", "1"]).found();
    assert!(
        ran.out.contains("called by 1\n└─ pong.py:5:17  pong") && ran.out.contains("calls 1\n└─ pong.py:4  pong"),
        "{ran:#?}"
    );
    let both = related(&env.run(&["relate", "ping.py:ping", "-k", "1", "--json"]).found())[0]["why"].clone();
    assert_eq!(both, "calls it at pong.py:5, called at ping.py:5");
    assert!(!names(&env, &["again"]).contains(&"again".to_owned()), "no definition is related to itself");
}

#[test]
fn a_function_of_ten_thousand_lines() {
    let body: String = (0..10_000).map(|i| format!("    x = step_{}(x)\n", i % 50)).collect();
    let steps: String = (0..50).map(|i| format!("def step_{i}(x):\n    return x\n\n\n")).collect();
    let env =
        Env::with(&[("steps.py", &steps), ("long.py", &format!("from steps import *\n\n\ndef long(x):\n{body}"))]);
    let ran = env.run(&["relate", "long", "-k", "60", "--json"]).found();
    assert_eq!(related(&ran).len(), 50);
    assert!(related(&ran).iter().all(|step| step["why"].as_str().expect("text").starts_with("called at long.py:")));
    assert_eq!(names(&env, &["long.py:9999", "-k", "60"]).len(), 50, "by a line in the middle of it");
    assert!(names(&env, &["step_7", "-k", "60"]).contains(&"long".to_owned()));
}

#[test]
fn a_file_without_functions_and_a_repository_without_code() {
    let env = app();
    assert_eq!(names(&env, &["limits.py", "-k", "9"]), ["now", "check", "login"], "by its directory alone");
    env.write("notes.txt", "nothing\n");
    env.write("empty.py", "");
    for file in ["notes.txt", "empty.py"] {
        env.run(&["relate", file]).nothing().stderr_contains(&["no definition is related to"]);
        assert_eq!(env.run(&["relate", file, "--json"]).nothing().json()["related"], json!([]));
    }
    assert_eq!(env.run(&["relate", "notes.txt", "-q"]).err, "");
    Env::new().run(&["relate", "anything"]).failed(&["is called anything"]);
}
