//! Questions with one right answer that the text or the graph of the repository contains: pasted
//! messages, flags, codes, single words, wrappers, and questions about callers, tests and types.

use crate::support::env::Env;
use whichfn_search::answer::RelationQuestion;

fn first(env: &Env, question: &str) -> String {
    env.ask(&[question]).first().cloned().unwrap_or_default()
}

#[test]
fn the_function_with_a_pasted_message_is_first() {
    let env = Env::with(&[
        (
            "store.py",
            "def read_config(path):\n    \"\"\"Opens the config file and reports errors.\"\"\"\n    return open(path).read()\n\n\n\
             def load(path, limit):\n    if limit < 0:\n        raise ValueError(f\"cannot open {path}: limit {limit} is below zero\")\n    return path\n\n\n\
             def report_value_error(error):\n    \"\"\"Reports that a file cannot be opened because of its limit.\"\"\"\n    return str(error)\n",
        ),
        (
            "src/error.rs",
            "pub const NO_REACTOR: &str =\n    \"there is no reactor running\";\n\npub fn current() -> u8 {\n    panic!(\"{}\", NO_REACTOR)\n}\n\n\
             /// Checks that a reactor is running there.\npub fn is_reactor_running() -> bool {\n    true\n}\n",
        ),
        (
            "log.go",
            "package log\n\nfunc warn(name string, age int) {\n\tprintf(\"peer %s was silent \" +\n\t\t\"for %d seconds\", name, age)\n}\n\n\
             // silentPeer reports the seconds of a silent peer.\nfunc silentPeer() {}\n",
        ),
    ]);
    for (message, function) in [
        ("ValueError: cannot open /etc/app.toml: limit -3 is below zero", "load"),
        ("thread 'main' panicked: there is no reactor running", "current"),
        ("2026/02/03 11:22:33 [warn] peer alpha-7 was silent for 31 seconds", "warn"),
        ("peer alpha-7 was silent for 31 seconds", "warn"),
        ("which function prints \"is below zero\"", "load"),
    ] {
        assert_eq!(first(&env, message), function, "{message}");
    }
}

#[test]
fn the_function_with_a_flag_a_code_or_a_constant_is_first() {
    let env = Env::with(&[(
        "check.py",
        "MAX_DEPTH = 3\n\n\ndef borrow(value):\n    # E0499 is reported elsewhere.\n    emit(\"E0382\", value)\n\n\n\
         def arguments(parser):\n    parser.add(\"--no-cache\")\n\n\ndef cache(parser):\n    \"\"\"Handles the cache, or no cache.\"\"\"\n\n\n\
         def walk(depth):\n    return depth < MAX_DEPTH\n\n\ndef max_depth_of(tree):\n    \"\"\"Returns the maximum depth.\"\"\"\n",
    )]);
    assert_eq!(first(&env, "E0382"), "borrow");
    assert_eq!(first(&env, "where is --no-cache handled"), "arguments");
    assert_eq!(first(&env, "what does MAX_DEPTH limit"), "walk");
}

#[test]
fn a_single_word_finds_functions_with_this_word_in_their_name() {
    let env = Env::with(&[(
        "shell.py",
        "def longest_heredocs(lines):\n    return lines\n\n\ndef parse(text):\n    heredoc = text\n    return heredoc\n",
    )]);
    let found = env.run(&["heredoc", "--json"]).found().json();
    assert_eq!(found["results"][0]["name"], "longest_heredocs");
    assert_ne!(found["trust"]["level"], "nothing fits");
}

#[test]
fn questions_about_the_graph_are_answered_from_the_graph() {
    let env = Env::with(&[
        (
            "doors.py",
            "class Door:\n    def open(self):\n        raise NotImplementedError\n\n\nclass Gate(Door):\n    def open(self):\n        return lift()\n\n\n\
             def lift():\n    return 1\n\n\ndef implement_door_types():\n    \"\"\"Implements the types of a door, and calls lift nowhere.\"\"\"\n",
        ),
        ("test_doors.py", "from doors import Gate\n\n\ndef test_gate():\n    assert Gate().open() == 1\n"),
    ]);
    for (question, form, names) in [
        ("which types implement Door?", "implementations", &["Gate"][..]),
        ("who calls lift", "callers", &["open"]),
        ("what does Gate.open call", "callees", &["lift"]),
        ("which tests cover lift", "tests", &["test_gate"]),
        ("base classes of Gate", "bases", &["Door"]),
    ] {
        let found = env.run(&[question, "--json"]).found().json();
        let results = found["results"].as_array().expect("results");
        let named: Vec<&str> = results.iter().filter_map(|result| result["name"].as_str()).collect();
        assert_eq!((found["asked_as"].as_str(), &named[..]), (Some(form), names), "{question}");
    }
    let none = env.run(&["who calls implement_door_types", "--json"]).found().json();
    assert_eq!(none["trust"], serde_json::Value::Null, "no caller is known, so the results are guesses");
}

/// As `whichfn tests` names them.
#[test]
fn tests_without_a_name_are_named_by_their_titles() {
    let rspec = "describe 'door' do\n  it 'lifts the door' do\n    lift\n  end\nend\n";
    let jest = "import { lift } from './door';\n\ndescribe('door', () => {\n  it('lifts it', () => { lift(); });\n  it(`lifts ${twice}`, () => { lift(); lift(); });\n});\n";
    for (files, titles) in [
        ([("lib/door.rb", "def lift\n  1\nend\n"), ("spec/door_spec.rb", rspec)], &["lifts the door"][..]),
        ([("door.ts", "export function lift() {}\n"), ("door.test.ts", jest)], &["lifts it", "lifts ${twice}"]),
    ] {
        let env = Env::with(&files);
        let found = env.run(&["which tests cover lift", "--no-fold", "--json"]).found().json();
        let results = found["results"].as_array().expect("results");
        let named: Vec<&str> = results.iter().filter_map(|result| result["qualified_name"].as_str()).collect();
        assert_eq!((found["asked_as"].as_str(), &named[..]), (Some("tests"), titles), "{found}");
        let text = env.run(&["which tests cover lift"]).found().out;
        assert!(!text.contains("anonymous") && titles.iter().any(|title| text.contains(title)), "{text}");
    }
}

#[test]
fn relation_questions_in_varied_wording_are_recognized() {
    for set in ["development", "held-out"] {
        let path = format!("{}/benches/relation-questions/{set}.jsonl", env!("CARGO_MANIFEST_DIR"));
        let rows = std::fs::read_to_string(path).expect("questions");
        let rows: Vec<serde_json::Value> = rows.lines().map(|row| serde_json::from_str(row).expect("a row")).collect();
        let about_graph: Vec<_> = rows.iter().filter(|row| row.get("relation").is_some()).collect();
        let plain = |name: &str| name.replace("::", ".").replace('#', ".");
        let is_right = |row: &serde_json::Value| {
            let read = RelationQuestion::read(row["query"].as_str().expect("a question"));
            read.is_some_and(|read| {
                let (found, expected) = (read.relation.name(), row["relation"].as_str().expect("a relation"));
                let is_call = |name| name == "callers" || name == "uses";
                let (name, target) = (plain(&read.name), plain(row["target"].as_str().expect("a name")));
                let is_name = name.ends_with(&target) || target.ends_with(&name);
                (found == expected || is_call(found) && is_call(expected)) && is_name
            })
        };
        let right = about_graph.iter().filter(|row| is_right(row)).count();
        assert!(right * 100 >= about_graph.len() * 95, "{set}: {right} of {}", about_graph.len());
    }
}

#[test]
fn a_question_about_a_definition_is_answered_with_it() {
    let env = Env::with(&[(
        "doors.py",
        "LIMIT = 7\n\n\nclass Door:\n    def open(self, width, force=False):\n        \"\"\"Opens the door.\"\"\"\n        return width < LIMIT\n\n\n\
         def document_door(door):\n    \"\"\"Documents the parameters and the limit of a door, where it is open.\"\"\"\n    return door\n",
    )]);
    for (question, name) in [
        ("where is Door.open documented?", "open"),
        ("documentation of the class Door", "Door"),
        ("what parameters does Door.open take", "open"),
        ("what is LIMIT set to?", "LIMIT"),
    ] {
        let found = env.run(&[question, "--json"]).found().json();
        let seen = (&found["asked_as"], &found["results"][0]["name"], &found["results"][1]);
        assert_eq!(seen, (&"definition".into(), &name.into(), &serde_json::Value::Null), "{question}");
    }
    let plain = env.run(&["where is the open door documented", "--json"]).found().json();
    assert_eq!(plain["asked_as"], "sentence", "the question names no definition");
}

#[test]
fn an_answer_from_the_graph_names_its_subject() {
    let env = Env::with(&[("a.py", "def lift():\n    return 1\n\n\ndef open_door():\n    return lift()\n")]);
    let found = env.run(&["who calls lift?"]).found();
    assert!(found.out.contains("1 caller of lift; for more: whichfn callers lift"), "{}", found.out);
    let json = env.run(&["who calls lift?", "--json"]).found().json();
    assert_eq!(
        (&json["about"][0], &json["of"][0]["path"], &json["total"]),
        (&"lift".into(), &"a.py".into(), &1.into())
    );
    let none = env.run(&["who calls open_door?"]).found();
    assert!(
        none.out.starts_with("no callers of open_door are known; these are the results of a search"),
        "{}",
        none.out
    );
    let none = env.run(&["who calls open_door?", "--json"]).found();
    assert_eq!(none.json()["total"], 0);
    none.stderr_contains(&["no callers of open_door are known"]);
}

/// A list has a count, in text and JSON, and no member is called more likely than another.
#[test]
fn a_list_from_the_graph_says_how_many_there_are() {
    let callers: String = (0..14).map(|n| format!("def use{n:02}():\n    return lift()\n\n\n")).collect();
    let types: String = (0..12).map(|n| format!("class Gate{n:02}(Door):\n    pass\n\n\n")).collect();
    let env = Env::with(&[
        ("a.py", &format!("def lift():\n    return 1\n\n\n{callers}")),
        ("doors.py", &format!("class Door:\n    pass\n\n\n{types}")),
        (
            "a_tests/test_doors.py",
            "from a import lift\nfrom doors import Door\n\n\nclass TestGate(Door):\n    pass\n\n\ndef test_lift():\n    assert lift()\n",
        ),
    ]);
    for (question, count, command) in [
        ("who calls lift", "10 of 15 callers of lift", "callers lift"),
        ("which types implement Door", "10 of 13 implementations of Door", "implementations Door"),
        ("who uses lift", "users of lift", "references lift"),
        ("which tests cover lift", "1 test of lift", "tests lift"),
    ] {
        let ran = env.run(&[question, "--no-fold"]).found();
        assert!(ran.out.contains(count) && ran.out.contains(&format!("; for more: whichfn {command}")), "{}", ran.out);
        assert!(!ran.out.contains(" %"), "no label: {}", ran.out);
        let json = env.run(&[question, "--no-fold", "--json"]).found().json();
        assert!(json["trust"].is_null() && json["answer"].is_null(), "{json}");
        let results = json["results"].as_array().expect("results");
        let is_test = |one: &serde_json::Value| one["path"].as_str().is_some_and(|path| path.starts_with("a_tests"));
        let first_test = results.iter().position(is_test).unwrap_or(results.len());
        assert!(results[first_test..].iter().all(is_test), "product code before tests: {question}");
    }
    assert_eq!(env.run(&["who calls lift", "--json", "-k", "2"]).found().json()["total"], 15);
    let one = env.run(&["where is lift defined?", "--json"]).found().json();
    assert_eq!(one["trust"]["level"], "sure", "a single answer has a label");
}

#[test]
fn a_question_about_several_definitions_names_them() {
    let env = Env::with(&[
        ("text/slug.py", "def slugify(text):\n    return text\n\n\ndef one():\n    return slugify('a')\n"),
        (
            "web/slug.js",
            "function slugify(text) {\n  return text;\n}\nfunction two() {\n  return slugify('b');\n}\n\
             function three() {\n  return slugify('c');\n}\n",
        ),
        ("test_slug.py", "from text.slug import slugify\n\n\ndef test_slugify():\n    assert slugify('a')\n"),
        ("ui/a.py", "def redraw():\n    return 1\n"),
        ("ui/b.py", "def redraw():\n    return 2\n"),
    ]);
    let found = env.run(&["who calls slugify?"]).found();
    let names = "2 definitions: slugify (text/slug.py:1, Python), slugify (web/slug.js:1, JavaScript)";
    assert!(
        found.out.contains(&format!("4 callers of {names}; for more: whichfn callers slugify --all")),
        "{}",
        found.out
    );
    let json = env.run(&["who calls slugify?", "--json"]).found().json();
    assert_eq!(json["of"].as_array().map(Vec::len), Some(2));
    let none = env.run(&["who calls redraw"]).found();
    let names = "no callers of 2 definitions: redraw (ui/a.py:1), redraw (ui/b.py:1) are known";
    assert!(none.out.starts_with(names), "{}", none.out);
    let unknown = env.run(&["who calls unslugify", "--json"]);
    unknown.stderr_contains(&["no function or type is called unslugify in this repository"]);
    // The command and the question merge the same definitions.
    let ran = env.run(&["tests", "slugify"]).found();
    assert!(ran.out.contains("reached by 1 test") && ran.err.contains("slugify matches 2 definitions:"), "{ran:#?}");
    let asked = env.run(&["which tests cover slugify"]).found();
    assert!(
        asked.out.contains("test_slugify") && asked.out.contains("1 test of 2 definitions: slugify"),
        "{}",
        asked.out
    );
}

#[test]
fn punctuation_after_a_name_does_not_hide_it() {
    let env = Env::with(&[(
        "page.rb",
        "class Page\n  def hidden_later?\n    true\n  end\n\n  def save!\n    hidden_later?\n  end\n\n  def run\n    save!\n  end\nend\n",
    )]);
    for question in [
        "who calls hidden_later?",
        "who calls `hidden_later?`?",
        "Who calls \"hidden_later?\".",
        "where is hidden_later? called",
        "who calls Page#hidden_later??",
        "what calls hidden_later ?",
    ] {
        let json = env.run(&[question, "--json"]).found().json();
        assert_eq!((&json["total"], &json["results"][0]["name"]), (&1.into(), &"save!".into()), "{question}: {json}");
    }
    for question in ["who calls save!", "who calls save!?"] {
        let json = env.run(&[question, "--json"]).found().json();
        assert_eq!(json["results"][0]["name"], "run", "{question}");
    }
}

#[test]
fn a_message_in_a_value_finds_the_functions_that_use_it_or_the_value() {
    let env = Env::with(&[(
        "context.py",
        "_no_app_msg = \"\"\"\\\nWorking outside of application context.\n\nSet up a context first.\"\"\"\n\
         app = LocalProxy(unbound_message=_no_app_msg)\n\n\n\
         class Aborter:\n    message = \"the mapping of the aborter is frozen\"\n\n    def fail(self):\n        raise TypeError(self.message)\n\n\n\
         def work_outside(application):\n    \"\"\"Works outside of the application.\"\"\"\n    return application\n",
    )]);
    let found = env.run(&["RuntimeError: Working outside of application context.", "--json"]).found().json();
    assert_eq!(found["results"][0]["name"], "_no_app_msg");
    assert_eq!(found["results"][0]["kind"], "value");
    let text = env.run(&["RuntimeError: Working outside of application context."]).found();
    assert!(text.out.contains("_no_app_msg contains this text; no function uses it by name"), "{}", text.out);
    assert_eq!(first(&env, "TypeError: the mapping of the aborter is frozen"), "fail");
}

#[test]
fn text_about_a_parameter_is_documentation() {
    let env = Env::with(&[(
        "app.py",
        "def start(port: Annotated[int, Doc(\"\"\"Number of the socket, where zero selects a free one.\"\"\")] = 0):\n    return port\n",
    )]);
    let found = env.run(&["zero selects a free socket", "--json", "--explain"]).found().json();
    let fields: Vec<&str> = found["results"][0]["evidence"]
        .as_array()
        .expect("evidence")
        .iter()
        .filter_map(|reason| reason["field"].as_str())
        .collect();
    assert!(!fields.is_empty() && fields.iter().all(|field| *field == "doc"), "{fields:?}");
}

#[test]
fn the_name_of_a_type_is_no_unknown_name() {
    let env = Env::with(&[("src/pool.py", "class PoolLimits:\n    size = 1\n\n\ndef fill(pool):\n    return pool\n")]);
    assert!(env.run(&["PoolLimits"]).found().out.contains("PoolLimits"));
    let ran = env.run(&["PoolLimits", "--kind", "function"]);
    assert!(ran.err.contains("PoolLimits is a type"), "{}", ran.err);
    assert!(env.run(&["PoolLimit5"]).err.contains("no definition is named PoolLimit5"));
}

#[test]
fn a_question_takes_the_repository_as_an_option() {
    let env = Env::with(&[
        ("a/pool.py", "def fill(pool):\n    return pool\n"),
        ("b/pool.py", "def drain(pool):\n    return pool\n"),
    ]);
    let found = env.run(&["fill the pool", "--in", "b"]).found();
    assert_eq!(found.out, env.run(&["fill the pool", "b"]).found().out);
}

#[test]
fn what_a_question_names_exactly_is_first_whatever_its_kind() {
    let python = "LIMIT = 8


class Store:
    \"\"\"Keeps things.\"\"\"

    def save(self, item):
        return store_item(item, LIMIT)


class StoreError(Exception):
    pass


def store_item(item, limit):
    return Store().save(item)


def store(item):
    return item
";
    let rust = "pub enum Shape {\n    Round,\n    Square,\n}\n\npub fn shape_name(shape: &Shape) -> u8 {\n    1\n}\n";
    let go = "package shop\n\ntype Basket struct{ items int }\n\nfunc (b Basket) Fill() int { return b.items }\n";
    let env = Env::with(&[("app/store.py", python), ("shape.rs", rust), ("basket.go", go)]);
    for (question, first) in [
        ("Store", "Store"),
        ("Store()", "Store"),
        ("StoreError", "StoreError"),
        ("LIMIT", "LIMIT"),
        ("Store.save", "save"),
        ("store_item", "store_item"),
        ("store", "store"),
        ("Shape", "Shape"),
        ("Square", "Square"),
        ("Basket", "Basket"),
        ("basket.go", "basket.go"),
        ("app/store.py", "store.py"),
    ] {
        assert_eq!(env.ask(&[question]).first().map(String::as_str), Some(first), "{question}");
    }
    let value = env.run(&["Store", "--json"]).found().json();
    assert_eq!((&value["results"][0]["kind"], &value["results"][0]["rank"]), (&"class".into(), &1.into()), "{value}");
    assert_eq!(value["confidence"], serde_json::Value::Null, "no set of questions has measured it");
    let functions = ["save", "store_item", "store"];
    for question in [&["Store", "--kind", "function"][..], &["Store keeps things"]] {
        let found = env.ask(question);
        assert!(found.iter().all(|name| functions.contains(&name.as_str())), "{question:?}: {found:?}");
    }
}

#[test]
fn a_name_is_found_in_any_spelling() {
    let python = "MAX_ITEMS = 8


class HTTPStore:
    def save_item(self, item):
        return item
";
    let declared = "#pragma once\n\n/* Opens a door of the shop. */\nint shop_open(int door);\n";
    let swift = "extension Basket {\n    func fill() -> Int { 1 }\n}\n";
    let env = Env::with(&[("app/big_store.py", python), ("shop.h", declared), ("basket.swift", swift)]);
    for (question, first) in [
        ("httpstore", "HTTPStore"),
        ("http_store", "HTTPStore"),
        ("HttpStore", "HTTPStore"),
        ("`HTTPStore`", "HTTPStore"),
        ("maxItems", "MAX_ITEMS"),
        ("max-items", "MAX_ITEMS"),
        ("SaveItem()", "save_item"),
        ("save_item(item)", "save_item"),
        ("HTTPStore#save_item", "save_item"),
        ("HTTPStore/save_item", "save_item"),
        ("HTTPStore->saveItem", "save_item"),
        ("httpStore.saveItem", "save_item"),
        ("big_store::MAX_ITEMS", "MAX_ITEMS"),
        ("app/big_store.py:MAX_ITEMS", "MAX_ITEMS"),
        ("shop_open", "shop_open"),
        ("ShopOpen", "shop_open"),
        ("Basket", "Basket"),
        ("Big_Store.PY", "big_store.py"),
        ("app/big_store", "big_store.py"),
    ] {
        assert_eq!(env.ask(&[question]).first().map(String::as_str), Some(first), "{question}");
    }
}

#[test]
fn everything_with_a_name_is_listed_before_what_only_mentions_it() {
    let user = "def run_all(jobs):\n    return [run(job) for job in jobs]\n\n\ndef run_run(run):\n    return run\n";
    let run = "def run(job):\n    return job\n";
    let env = Env::with(&[("a.py", run), ("b.py", &format!("{run}\n\n{user}")), ("tests/test_c.py", run)]);
    let found = env.run(&["run", "--no-fold", "--json"]).found().json();
    let path = |at: usize| found["results"][at]["path"].as_str().unwrap_or_default().to_owned();
    assert_eq!([path(0), path(1), path(2)], ["b.py", "a.py", "tests/test_c.py"], "the most used first, tests last");
}

#[test]
fn a_name_with_spaces_is_the_title_of_a_test_or_a_file() {
    let zig = "fn open(path: u8) u8 {\n    return path;\n}\n\ntest \"open a path\" {\n    _ = open(1);\n}\n";
    let env = Env::with(&[("path.zig", zig), ("docs/open all paths.py", "def all_paths():\n    return []\n")]);
    assert_eq!(env.ask(&["open a path"]).first().map(String::as_str), Some("open a path"));
    assert_eq!(env.ask(&["open all paths.py"]).first().map(String::as_str), Some("open all paths.py"));
}
