//! Tests `whichfn outline`, and that each list is in every front end with the same options.

use crate::mcp::Client;
use crate::support::env::Env;
use crate::support::http::Served;
use serde_json::{Value, json};
use whichfn::verbs::VERBS;

const SHOP: &str = "LIMIT = 3


class Shop:
    def open(self, day):
        return ring(day)

    class Door:
        def close(self):
            pass


def ring(day):
    return LIMIT
";

fn town() -> Env {
    Env::with(&[
        ("src/shop.py", SHOP),
        ("src/bell.rs", "pub trait Bell {\n    fn ring(&self);\n}\n"),
        ("src/notes.md", "# Bells\n"),
        ("tests/test_shop.py", "from shop import ring\n\n\ndef test_ring():\n    assert ring(1)\n"),
        ("texts/a.txt", "only text\n"),
        ("texts/image.bin", "\0\u{1}\0"),
    ])
}

#[test]
fn definitions_are_nested_with_kind_and_signature() {
    let env = town();
    insta::assert_snapshot!(env.run(&["outline", "src"]).found().without_stderr().out, @r"
    ├─ src/bell.rs
    │  └─ src/bell.rs:1  Bell  (trait)  pub trait Bell
    │     └─ src/bell.rs:2  ring  (method)  fn ring(&self)
    └─ src/shop.py
       ├─ src/shop.py:4  Shop  (class)  class Shop
       │  ├─ src/shop.py:5  open  (method)  def open(self, day)
       │  └─ src/shop.py:8  Door  (class)  class Door
       │     └─ src/shop.py:9  close  (method)  def close(self)
       └─ src/shop.py:13  ring  (function)  def ring(day)
    ");
    let ran = env.run(&["outline", "src/shop.py", "--format", "vimgrep"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    src/shop.py:4:1:Shop: class Shop
    src/shop.py:5:1:open: def open(self, day)
    src/shop.py:8:1:Door: class Door
    src/shop.py:9:1:close: def close(self)
    src/shop.py:13:1:ring: def ring(day)
    ");
    let found = env.run(&["outline", "src/shop.py", "--json"]).found().without_stderr().json();
    let shop = &found["tree"][0]["tree"][0];
    assert_eq!((&found["total"], &found["tree"][0]["path"]), (&json!(5), &json!("src/shop.py")));
    assert_eq!((&shop["name"], &shop["kind"], &shop["line"]), (&json!("Shop"), &json!("class"), &json!(4)));
    assert_eq!(shop["tree"][1]["tree"][0]["name"], "Shop.Door.close");
}

#[test]
fn a_list_states_how_much_it_leaves_out() {
    let env = town();
    let ran = env.run(&["outline", ".", "-k", "2", "--lang", "py"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    ├─ src/shop.py
    │  ├─ src/shop.py:4  Shop  (class)  class Shop
    │  │  ├─ src/shop.py:5  open  (method)  def open(self, day)
    │  │  └─ 1 more
    │  └─ 1 more
    └─ 1 more
    4 more not shown (use -k N to show more)
    1 more left out by the filters
    ");
    let ran = env.run(&["outline", ".", "--no-tests", "--path", "*.py", "--json"]).found().json();
    assert_eq!((&ran["total"], &ran["filtered"]), (&json!(5), &json!(2)));
}

#[test]
fn a_path_without_definitions_states_the_reason() {
    let env = town();
    for (path, code, reasons) in [
        ("src/gone.py", 2, &["error: ", "src/gone.py does not exist", "next: pass a file or directory"][..]),
        ("src/notes.md", 1, &["skipped src/notes.md: whichfn does not know its language", "no definitions found"]),
        ("texts/image.bin", 1, &["skipped texts/image.bin: it is", "no definitions found in texts/image.bin"]),
        ("texts", 1, &["no definitions found in texts"]),
        ("..", 2, &["`..` is outside the repository"]),
    ] {
        let ran = env.run(&["outline", path]);
        assert_eq!((ran.code, &*ran.out), (Some(code), ""), "{path}: {ran:#?}");
        reasons.iter().for_each(|reason| assert!(ran.err.contains(reason), "{path}: {reason}: {}", ran.err));
    }
    assert_eq!(env.run(&["outline"]).code, Some(2));
    let mixed = env.run(&["outline", "src/notes.md", "src/bell.rs"]).found();
    assert!(mixed.out.contains("Bell") && mixed.err.contains("skipped src/notes.md"), "{mixed:#?}");
}

#[test]
fn each_front_end_returns_the_same_outline() {
    let env = town();
    let served = Served::start(&env, &[]);
    let printed = env.run(&["outline", "src", "--json"]).found().json();
    assert_eq!(served.get("/outline?files=src").found(), printed);
    assert_eq!(served.post("/outline", &json!({"files": ["src"]})).found(), printed);
    assert_eq!(served.get("/outline?files=gone").status, 404);
    let mut client = Client::start(&env, &[]);
    insta::assert_snapshot!(client.said("graph", json!({"of": "src", "relation": "outline", "languages": "python"})), @r"
    src/shop.py
      4 Shop (class) class Shop
        5 open (method) def open(self, day)
        8 Door (class) class Door
          9 close (method) def close(self)
      13 ring (function) def ring(day)
    [1 left out by the filters]
    ");
    client.end();
}

/// A verb in the table is a command with the options of every list, an endpoint, a relation and a page.
#[test]
fn each_list_is_in_every_front_end_with_every_filter() {
    let env = town();
    let served = Served::start(&env, &[]);
    let description = served.get("/openapi.json").found();
    let mut client = Client::start(&env, &[]);
    let tools = client.request("tools/list", json!({}));
    let graph = &tools["result"]["tools"][2]["inputSchema"]["properties"];
    for field in ["paths", "languages", "no_tests", "limit"] {
        assert!(graph[field].is_object(), "{field}: {graph}");
    }
    for verb in VERBS {
        let name = verb.about.name;
        let help = env.run(&[name, "--help"]).found().out;
        for option in ["-k, --results <N>", "--lang <LANG>", "--path <GLOB>", "--no-tests", "--json", "--in <DIR>"] {
            assert!(help.contains(option), "{name} {option}");
        }
        let fields = &description["paths"][format!("/{name}")]["post"]["requestBody"]["content"]["application/json"];
        for field in ["root", "k", "languages", "paths", "no_tests"] {
            assert!(fields["schema"]["properties"][field].is_object(), "/{name} {field}");
        }
        assert!(graph_has(&graph["relation"], name), "{name}");
        assert!(env.run(&["man", name]).found().out.contains(verb.about.examples[0].1), "{name}");
    }
    client.end();
}

fn graph_has(relation: &Value, name: &str) -> bool {
    relation["enum"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
}

#[test]
fn filters_apply_to_tests_impact_and_paths() {
    let env = Env::with(&[
        ("core.py", "def low():\n    return 1\n"),
        ("a/mid.py", "from core import low\n\n\ndef mid():\n    return low()\n"),
        ("b/mid.py", "from core import low\n\n\ndef other():\n    return low()\n"),
        ("top.py", "from a.mid import mid\nfrom b.mid import other\n\n\ndef top():\n    mid()\n    other()\n"),
        ("a/test_mid.py", "from a.mid import mid\n\n\ndef test_mid():\n    mid()\n"),
        ("b/test_mid.py", "from b.mid import other\n\n\ndef test_other():\n    other()\n"),
    ]);
    let names = |value: &Value| -> Vec<String> {
        value.as_array().expect("list").iter().map(|one| one["name"].as_str().expect("name").to_owned()).collect()
    };
    let tests = env.run(&["tests", "low", "--path", "a/**", "--json"]).found().json();
    assert_eq!((names(&tests["tests"]), &tests["filtered"]), (vec!["test_mid".to_owned()], &json!(1)));
    assert_eq!(tests["arguments"], json!(["a/test_mid.py::test_mid"]), "only these tests are run");
    let none = env.run(&["tests", "low", "--no-tests"]);
    assert_eq!(none.code, Some(1));
    assert!(none.err.contains("with these filters, which leave out 2"), "{}", none.err);
    let impact = env.run(&["impact", "low", "--path", "a/**", "--no-tests", "--json"]).found().json();
    assert_eq!((names(&impact["affected"]), names(&impact["tests"])), (vec!["mid".to_owned()], Vec::new()));
    let steps = |path: &Value| {
        path["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .map(|step| names(&json!([step["from"]])))
            .collect::<Vec<_>>()
            .concat()
    };
    let paths = env.run(&["path", "top", "low", "--path", "b/**", "--json"]).found().json();
    let paths: Vec<_> = paths["paths"].as_array().expect("paths").iter().map(steps).collect();
    assert_eq!(paths, [["top", "other"]], "the filter applies between the ends");
    let served = Served::start(&env, &[]);
    assert_eq!(served.get("/tests?name=low&paths=a/**").found(), tests);
    let mut client = Client::start(&env, &[]);
    let said = client.said("graph", json!({"of": "low", "relation": "callers", "paths": ["b/**"]}));
    assert!(said.contains("other") && !said.contains("mid()"), "{said}");
    client.end();
}

#[test]
fn a_value_that_nothing_uses_has_an_empty_list_of_tests() {
    let env = Env::with(&[("a.py", "UNUSED = 1\n\n\ndef run():\n    return 2\n")]);
    let ran = env.run(&["tests", "UNUSED"]);
    assert_eq!((ran.code, &*ran.out), (Some(1), ""), "{ran:#?}");
    assert!(ran.err.contains("used by 0 definitions") && !ran.err.contains("no test"), "{}", ran.err);
    let empty = json!({"version": 1, "of": [], "total": 0, "tests": [], "arguments": []});
    assert_eq!(Served::start(&env, &[]).get("/tests?name=UNUSED").found(), empty);
}
