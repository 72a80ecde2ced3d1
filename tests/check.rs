//! Tests `whichfn check` on real git repositories: the findings about a change.

use crate::support::env::{Env, Ran};
use serde_json::Value;

const STORE: &str = "def save(path, data):
    with open(path, 'w') as out:
        out.write(_encoded(data))


def _encoded(data):
    return repr(data)
";

const APP: &str = "from store import save


def run(state):
    save('state', state)


def stop(state):
    save('state', data=state)
";

/// Runs git in the repository and returns its trimmed standard output.
pub(crate) fn git(env: &Env, arguments: &[&str]) -> String {
    let mut git = env.other_process("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"]).args(arguments);
    let output = git.output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn commit(env: &Env) {
    git(env, &["add", "-A"]);
    git(env, &["commit", "-q", "-m", "a change"]);
}

/// Creates a repository and commits these files.
pub(crate) fn repository(files: &[(&str, &str)]) -> Env {
    let env = Env::with(files);
    git(&env, &["init", "-q"]);
    commit(&env);
    env
}

fn app() -> Env {
    repository(&[("store.py", STORE), ("app.py", APP)])
}

pub(crate) fn findings(ran: &Ran) -> Vec<Value> {
    ran.json()["findings"].as_array().expect("a list").clone()
}

/// Returns `rule path:line` for each finding of `--json`.
pub(crate) fn reported(env: &Env, arguments: &[&str]) -> Vec<String> {
    let all: Vec<&str> = ["check", "--json"].iter().chain(arguments).copied().collect();
    let ran = env.run(&all);
    let place = |value: &Value| format!("{} {}:{}", value["rule"], value["path"], value["line"]).replace('"', "");
    findings(&ran).iter().map(place).collect()
}

// ---- callers

#[test]
fn lists_calls_that_no_longer_match() {
    let env = app();
    env.write(
        "store.py",
        STORE.replace("save(path, data)", "save(path, mode)").replace("encoded(data))", "encoded(mode))"),
    );
    let ran = env.run(&["check"]);
    assert_eq!(ran.code, Some(1), "{ran:#?}");
    insta::assert_snapshot!(ran.out, @r#"
    store.py:1  error[callers] signature of save changed from (path, data) to (path, mode); 1 unmodified call no longer matches
        app.py:9  stop  passes data, which is no longer a parameter
        off: add a comment `whichfn: ignore[callers]` at the line or above it, or set [check] callers = "off" in whichfn.toml
    "#);
}

#[test]
fn a_call_that_was_changed_too_is_not_listed() {
    let env = app();
    env.write("store.py", STORE.replace("save(path, data)", "save(path, data, mode)"));
    assert_eq!(reported(&env, &[]), ["callers store.py:1"]);
    env.write("app.py", APP.replace("state)\n\n", "state, 1)\n\n").replace("data=state)", "data=state, mode=1)"));
    assert!(reported(&env, &[]).is_empty());
}

#[test]
fn a_decorator_does_not_hide_the_function() {
    let tools = "def logged(f):\n    def wrapper(*a, **k):\n        return f(*a, **k)\n    return wrapper\n\n\n@logged\ndef join(left):\n    return left\n";
    let env =
        repository(&[("tools.py", tools), ("use.py", "from tools import join\n\n\ndef go():\n    return join(1)\n")]);
    env.write("tools.py", tools.replace("join(left)", "join(left, right)"));
    assert_eq!(reported(&env, &[]), ["callers tools.py:8"]);
}

#[test]
fn a_new_optional_parameter_breaks_nothing() {
    let env = app();
    env.write("store.py", STORE.replace("save(path, data)", "save(path, data, mode='w')"));
    let ran = env.run(&["check"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""));
    ran.stderr_contains(&["nothing found in 1 changed file"]);
}

#[test]
fn a_function_that_moved_with_its_file_is_the_same_one() {
    let env = app();
    git(&env, &["mv", "store.py", "stored.py"]);
    env.write("stored.py", STORE.replace("save(path, data)", "save(data, path)"));
    env.write("app.py", APP.replace("from store import", "from stored import"));
    assert_eq!(reported(&env, &[]), ["callers stored.py:1"]);
}

#[test]
fn in_a_language_with_types_parameters_are_known_by_their_names() {
    let lib = "pub fn area(width: u32, height: u32) -> u32 {\n    width * height\n}\n";
    let user = "use crate::lib::area;\n\npub fn room() -> u32 {\n    area(3, 4)\n}\n";
    let env = repository(&[("src/lib.rs", lib), ("src/room.rs", user)]);
    env.write("src/lib.rs", "pub fn area(height: u32, width: u32) -> u32 {\n    width * height\n}\n");
    let ran = env.run(&["check", "--json"]);
    let found = findings(&ran);
    assert_eq!(found[0]["related"][0]["note"], "argument 1 was width and is now height", "{found:#?}");
}

#[test]
fn calls_of_a_function_that_was_deleted_or_renamed_are_listed() {
    let env = app();
    env.write("store.py", STORE.replace("def save(", "def store("));
    let ran = env.run(&["check"]);
    insta::assert_snapshot!(ran.out, @r#"
    app.py:1  error[callers] save was removed from store.py (renamed to store?); 3 unmodified references remain
        app.py:1  still imports it
        app.py:5  run  still calls it
        app.py:9  stop  still calls it
        off: add a comment `whichfn: ignore[callers]` at the line or above it, or set [check] callers = "off" in whichfn.toml
    "#);
    env.write("store.py", "");
    env.write("app.py", APP.replace("save('state', state)", "print(state)"));
    let related = findings(&env.run(&["check", "--json", "--only", "callers"]))[0]["related"].clone();
    let lines: Vec<_> = related.as_array().expect("a list").iter().map(|place| place["line"].clone()).collect();
    assert_eq!(lines, [1, 9], "the other call was changed too");
    env.write("store.py", "from elsewhere import save\n");
    assert!(reported(&env, &["--only", "callers"]).is_empty(), "the file has the name from elsewhere now");
    env.write("store.py", "");
    env.write("other.py", "def save(path):\n    pass\n");
    git(&env, &["add", "-A"]);
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers app.py:1"], "it moved, but app.py still imports it");
    env.write("app.py", APP.replace("from store", "from other"));
    assert!(reported(&env, &["--only", "callers"]).is_empty());
}

#[test]
fn a_deleted_function_is_known_by_its_module_its_type_and_its_package() {
    let store = "import json\n\n\ndef load(path):\n    return json.load(open(path))\n\n\ndef keep():\n    return 1\n";
    let user = "import json\nimport store\nfrom lib import thing\n\n\ndef run():\n    thing.load(1)\n    json.load(2)\n    return store.load('x')\n";
    let env = repository(&[("store.py", store), ("user.py", user)]);
    env.write("store.py", "def keep():\n    return 1\n");
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers user.py:9"]);
    let shape = "class Shape:\n    def area(self):\n        return self._side() * 2\n\n    def _side(self):\n        return 3\n";
    let env = repository(&[("shape.py", shape)]);
    env.write("shape.py", shape.replace("    def _side(self):\n        return 3\n", ""));
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers shape.py:3"]);
    let (a, b) =
        ("package p\n\nfunc Save() int {\n\treturn 1\n}\n", "package p\n\nfunc Run() int {\n\treturn Save()\n}\n");
    let env = repository(&[("p/a.go", a), ("p/b.go", b)]);
    env.remove("p/a.go");
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers p/b.go:4"]);
}

#[test]
fn a_default_may_be_only_in_the_declaration() {
    let (header, source) =
        ("int pool(int size);\n", "#include \"pool.h\"\n\nint pool(int size) {\n  return size;\n}\n");
    let user = "#include \"pool.h\"\n\nint run() {\n  return pool(1);\n}\n";
    let env = repository(&[("pool.h", header), ("pool.cpp", source), ("run.cpp", user)]);
    env.write("pool.cpp", source.replace("int size", "int size, int most"));
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers pool.cpp:3"]);
    env.write("pool.h", "int pool(int size, int most = 4);\n");
    assert!(reported(&env, &["--only", "callers"]).is_empty());
}

#[test]
fn a_guess_by_name_is_a_note() {
    let cart = "class Cart:\n    def total_price(self):\n        return 1\n";
    let user = "def show(cart):\n    return cart.total_price()\n";
    let env = repository(&[("cart.py", cart), ("user.py", user)]);
    env.write("cart.py", cart.replace("total_price(self)", "price(self)"));
    let ran = env.run(&["check", "--json"]);
    let found = findings(&ran);
    assert_eq!((&found[0]["severity"], &found[0]["line"], ran.code), (&"note".into(), &2.into(), Some(0)));
    env.write(
        "user.py",
        user.replace("show(cart)", "show(cart: Cart)").replace("def", "from cart import Cart\n\n\ndef"),
    );
    env.write("cart.py", cart);
    commit(&env);
    env.write("cart.py", cart.replace("total_price(self)", "price(self)"));
    let ran = env.run(&["check", "--json"]);
    assert_eq!((&findings(&ran)[0]["severity"], ran.code), (&"error".into(), Some(1)), "the type is known: {ran:#?}");
}

#[test]
fn optional_keywords_and_further_arguments_are_not_required() {
    let text = "def open_log(path, level:)\n  path\nend\n";
    let env = repository(&[("log.rb", text), ("use.rb", "require_relative 'log'\nopen_log('x', level: 1)\n")]);
    env.write("log.rb", text.replace("level:)", "level:, color: nil)"));
    assert!(reported(&env, &["--only", "callers"]).is_empty(), "a keyword with a default");
    env.write("log.rb", text.replace("level:)", "level:, color:)"));
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers log.rb:1"]);
    let text = "class Log {\n  public static void Write(string line) { }\n}\n";
    let user = "class User {\n  void Run() { Log.Write(\"a\"); }\n}\n";
    let env = repository(&[("Log.cs", text), ("User.cs", user)]);
    env.write("Log.cs", text.replace("string line", "string line, params int[] rest"));
    assert!(reported(&env, &["--only", "callers"]).is_empty());
}

#[test]
fn a_call_in_the_body_of_a_closure_is_not_its_parameters() {
    let text = "pub fn run() -> u32 {\n    let double = |id: u32| {\n        let known = first().is_none();\n        id * 2 + u32::from(known)\n    };\n    double(1) + double(2)\n}\n\nfn first() -> Option<u32> {\n    None\n}\n";
    let env = repository(&[("src/lib.rs", text)]);
    env.write(
        "src/lib.rs",
        text.replace("        let known = first().is_none();\n", "        let known = pair(id, 2);\n")
            + "\nfn pair(a: u32, b: u32) -> bool {\n    a == b\n}\n",
    );
    assert!(reported(&env, &["--only", "callers"]).is_empty());
}

#[test]
fn a_variant_and_a_function_of_the_same_name_differ() {
    let text = "pub enum Step {\n    Move(u32),\n}\n\npub struct Board;\n\nimpl Board {\n    pub fn Move(&self, to: u32) -> u32 {\n        to\n    }\n}\n\npub fn go() -> Step {\n    Step::Move(1)\n}\n";
    let env = repository(&[("src/lib.rs", text)]);
    env.write("src/lib.rs", text.replace("&self, to: u32", "&self, to: u32, by: u32"));
    assert!(reported(&env, &["--only", "callers"]).is_empty());
}

#[test]
fn a_named_argument_follows_a_renamed_parameter() {
    let text = "<?php\nfunction shorten(string $text, int $size = 3) { return $text; }\n";
    let env =
        repository(&[("texts.php", text), ("use.php", "<?php\nfunction show() { return shorten('a', size: 2); }\n")]);
    env.write("texts.php", text.replace("$size", "$length"));
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers texts.php:2"]);
}

// ---- references

#[test]
fn references_to_removed_types_values_and_modules_are_listed() {
    let model = "LIMIT = 9\n\n\nclass Full(Exception):\n    pass\n\n\nclass Box:\n    SIZE = 2\n\n    def put(self):\n        pass\n";
    let user = "import model\nfrom model import Box, Full\n\n\ndef fill(box: Box):\n    try:\n        box.put()\n    except Full:\n        return model.LIMIT * Box.SIZE\n";
    let env = repository(&[("model.py", model), ("user.py", user)]);
    let lines = |old: &str, new: &str| -> Vec<u64> {
        env.write("model.py", model.replace(old, new));
        let found = findings(&env.run(&["check", "--json", "--only", "references"]));
        let related = found.iter().flat_map(|finding| finding["related"].as_array().cloned().unwrap_or_default());
        related.filter_map(|place| place["line"].as_u64()).collect()
    };
    assert_eq!(lines("class Full", "class Overflow"), [2, 8], "an exception that is caught");
    assert_eq!(lines("class Box", "class Case"), [2, 5, 9], "a type that is named in an annotation");
    assert_eq!(lines("LIMIT = 9", "MOST = 9"), [9], "a constant");
    assert_eq!(lines("    SIZE = 2", "    WIDTH = 2"), [9], "a constant of a class");
    env.write("model.py", model.replace("LIMIT = 9", "MOST = 9"));
    let ran = env.run(&["check", "--only", "references"]);
    assert!(
        ran.out.contains("LIMIT was removed from model.py (renamed to MOST?); 1 unmodified reference remains"),
        "{ran:#?}"
    );
    env.write("model.py", model);
    git(&env, &["mv", "model.py", "models.py"]);
    let ran = env.run(&["check", "--only", "references"]);
    assert!(ran.out.contains("model.py was moved to models.py; 2 unmodified imports remain"), "{ran:#?}");
}

#[test]
fn a_name_that_a_module_no_longer_passes_on_is_reported() {
    let env = repository(&[
        ("lib/__init__.py", "from .part import run\n"),
        ("lib/part.py", "def run():\n    return 1\n"),
        ("user.py", "from lib import run\n\n\ndef go():\n    return run()\n"),
    ]);
    env.write("lib/__init__.py", "");
    assert_eq!(reported(&env, &["--only", "references"]), ["references user.py:1"]);
}

#[test]
fn a_constant_of_a_package_is_visible_in_its_directory() {
    let env = repository(&[
        ("a.go", "package p\n\nconst limit = 9\n"),
        ("b.go", "package p\n\nfunc Most() int {\n\treturn limit * 2\n}\n"),
    ]);
    env.write("a.go", "package p\n\nconst most = 9\n");
    assert_eq!(reported(&env, &["--only", "references"]), ["references b.go:4"]);
}

/// Commits two files, changes the first, and returns the lines of references in the second.
fn lines_left((path, text): (&str, &str), (user_path, user): (&str, &str), old: &str, new: &str) -> Vec<u64> {
    let env = repository(&[(path, text), (user_path, user)]);
    assert!(text.contains(old), "{old} is not in {path}");
    env.write(path, text.replace(old, new));
    let found = findings(&env.run(&["check", "--json", "--only", "references,callers"]));
    let related = found.iter().flat_map(|finding| finding["related"].as_array().cloned().unwrap_or_default());
    let mut lines: Vec<u64> =
        related.filter(|place| place["path"] == user_path).filter_map(|place| place["line"].as_u64()).collect();
    lines.dedup();
    lines
}

#[test]
fn uses_of_removed_fields_and_variants_are_listed() {
    let shape = "pub struct Shape {\n    pub width: u32,\n}\n\npub enum Kind {\n    Round,\n    Flat,\n}\n";
    let user = "use crate::shape::{Kind, Shape};\n\npub fn show(shape: &Shape, kind: Kind) -> u32 {\n    match kind {\n        Kind::Round => shape.width,\n        Kind::Flat => 0,\n    }\n}\n";
    let lines = |old: &str, new: &str| lines_left(("src/shape.rs", shape), ("src/show.rs", user), old, new);
    assert_eq!(lines("width", "length"), [5]);
    assert_eq!(lines("Flat", "Square"), [6]);
    assert!(lines("    pub width: u32,\n", "    // Wide.\n    pub width: u32,\n").is_empty());
    let store = (
        "store/store.go",
        "package store\n\ntype Base struct{ ID int }\n\ntype Store struct {\n\tBase\n\tPath string\n}\n",
    );
    let user = (
        "main.go",
        "package main\n\nimport \"example.org/app/store\"\n\nfunc show(s *store.Store) {\n\tprintln(s.Path)\n\tprintln(s.ID)\n}\n",
    );
    let with_module = |old: &str, new: &str| {
        let env = repository(&[("go.mod", "module example.org/app\n"), store, user]);
        env.write(store.0, store.1.replace(old, new));
        reported(&env, &["--only", "references"])
    };
    assert_eq!(with_module("Path string", "File string"), ["references main.go:6"]);
    assert_eq!(with_module("ID int", "Key int"), ["references main.go:7"], "a field of an embedded type");
    let types = "export interface Options {\n  depth: number;\n}\nexport enum Level { Low, High }\n";
    let user = "import { Level, Options } from './types';\n\nexport function run(options: Options) {\n  return options.depth + Level.Low;\n}\n";
    let lines = |old: &str, new: &str| lines_left(("types.ts", types), ("run.ts", user), old, new);
    assert_eq!(lines("depth", "level"), [4]);
    assert_eq!(lines("Low", "Small"), [4]);
    assert!(lines("interface Options {", "type Options = {").is_empty(), "the members are still written");
    let shape = "class Shape:\n    def __init__(self):\n        self.scale = 1\n";
    let user = "from shape import Shape\n\n\ndef show(shape: Shape):\n    return shape.scale\n";
    assert_eq!(lines_left(("shape.py", shape), ("show.py", user), "self.scale", "self.factor"), [5]);
}

#[test]
fn uses_of_removed_constants_are_listed() {
    let texts = "<?php\nnamespace App;\n\nclass Texts\n{\n    const SEP = ',';\n}\n";
    let user = "<?php\nnamespace App;\n\nfunction show() {\n    return Texts::SEP;\n}\n";
    assert_eq!(lines_left(("src/Texts.php", texts), ("src/show.php", user), "SEP", "SIGN"), [5]);
    let list = "#define LIST_MAX 10\nenum mode { MODE_READ, MODE_WRITE };\nstruct list { int size; };\n";
    let user =
        "#include \"list.h\"\n\nint show(struct list *list) {\n  return LIST_MAX + MODE_WRITE + list->size;\n}\n";
    for (old, new) in [("LIST_MAX", "LIST_MOST"), ("MODE_WRITE", "MODE_APPEND"), ("size", "length")] {
        assert_eq!(lines_left(("list.h", list), ("show.c", user), old, new), [4], "{old}");
    }
    let shape = "class Shape\n  LIMIT = 3\nend\n";
    let user = "require 'shape'\n\ndef show\n  Shape::LIMIT\nend\n";
    assert_eq!(lines_left(("lib/shape.rb", shape), ("app/show.rb", user), "LIMIT", "MOST"), [4]);
    assert_eq!(lines_left(("lib/shape.rb", shape), ("app/show.rb", user), "class Shape", "class Form"), [4]);
    let local = ("task.rb", "link = 1\nputs link\n");
    let user = ("other.rb", "def show\n  link\nend\n");
    assert!(lines_left(local, user, "link", "path").is_empty(), "a variable of the file");
}

#[test]
fn a_name_that_is_still_written_is_not_removed() {
    let a = "package p\n\nfunc Respond() {}\n";
    let user = "package p\n\nfunc Run() {\n\tRespond()\n}\n";
    let env = repository(&[("p/a.go", a), ("p/run.go", user)]);
    env.write("p/a.go", "package p\n");
    env.write("p/b.go", "package p\n\nvar Respond = answer\n\nfunc answer() {}\n");
    git(&env, &["add", "-A"]);
    assert!(reported(&env, &[]).is_empty(), "a variable of the package replaced the function");
    let env = repository(&[
        (
            "src/bin/app/cart.rs",
            "pub struct Cart;\n\nimpl Cart {\n    pub fn new() -> Self {\n        Cart\n    }\n}\n",
        ),
        (
            "src/bin/app/main.rs",
            "mod cart;\n\nfn main() {\n    show(cart::Cart::new());\n}\n\nfn show(_: cart::Cart) {}\n",
        ),
    ]);
    git(&env, &["mv", "src/bin/app/cart.rs", "src/cart.rs"]);
    let messages = findings(&env.run(&["check", "--json"]));
    assert!(!messages.iter().any(|one| one["message"].to_string().contains("Cart::new was removed")), "{messages:#?}");
}

#[test]
fn an_include_of_a_file_that_moved_is_listed() {
    let env = repository(&[
        ("include/list.h", "int list_add(int value);\n"),
        ("src/main.c", "#include \"list.h\"\n\nint main(void) {\n  return 0;\n}\n"),
    ]);
    git(&env, &["mv", "include/list.h", "include/chain.h"]);
    assert_eq!(reported(&env, &["--only", "references"]), ["references src/main.c:1"]);
}

// ---- no proof of a mistake

/// Commits the files, makes the edits (empty text removes a file), and returns the messages of the
/// findings that fail the check.
pub(crate) fn failing(files: &[(&str, &str)], edits: &[(&str, &str)]) -> Vec<String> {
    let env = repository(files);
    for &(path, text) in edits {
        if text.is_empty() { env.remove(path) } else { env.write(path, text) }
    }
    git(&env, &["add", "-A"]);
    let ran = env.run(&["check", "--json", "--only", "callers,references,returns"]);
    let failing = findings(&ran).into_iter().filter(|finding| finding["severity"] != "note");
    failing.map(|finding| finding["message"].to_string()).collect()
}

fn assert_nothing_fails(files: &[(&str, &str)], edits: &[(&str, &str)], why: &str) {
    assert_eq!(failing(files, edits), Vec::<String>::new(), "{why}");
}

#[test]
fn a_change_in_two_languages_with_one_name_is_checked() {
    let script = ("web/a.js", "const LIMIT = 3;\nclass Box {}\nfunction run() { return LIMIT; }\n");
    let many: String = (0..40).map(|at| format!("def f{at}\n  {at}\nend\n")).collect();
    let files = [("lib/shop.rb", "module Shop\n  LIMIT = 3\nend\n"), script, ("lib/use.rb", &many)];
    let edits = [("lib/shop.rb", "module Shop\n  MOST = 3\nend\n"), ("web/a.js", "class Box {}\n")];
    assert_nothing_fails(&files, &edits, "the uses were removed, too");
}

#[test]
fn a_constant_of_another_module_is_not_meant() {
    let tabs = "module Shop\n  class Tabs\n    class Set\n      def all = 1\n    end\n  end\nend\n";
    let user = "module Shop\n  class Config\n    def labels\n      Set.new\n    end\n  end\nend\n";
    let edited = tabs.replace("class Set", "class All");
    assert_nothing_fails(
        &[("lib/shop/tabs.rb", tabs), ("lib/shop/config.rb", user)],
        &[("lib/shop/tabs.rb", &edited)],
        "Set is a class of the library",
    );
    let inside = user.replace("class Config", "class Tabs");
    let found =
        failing(&[("lib/shop/tabs.rb", tabs), ("lib/shop/config.rb", &inside)], &[("lib/shop/tabs.rb", &edited)]);
    assert_eq!(found.len(), 1, "the same class refers to it: {found:?}");
}

#[test]
fn a_file_that_adds_to_a_library_type_is_not_that_type() {
    let files = [
        ("lib/shop/ext/set.rb", "class Set\n  def twice = size * 2\nend\n"),
        ("lib/shop/config.rb", "require 'set'\n\ndef labels\n  Set[1, 2]\nend\n"),
        ("lib/shop/backports/uri.rb", "module URI\n  def self.short(text) = text\nend\n"),
        ("lib/shop/binder.rb", "require 'uri'\n\ndef bind(text)\n  URI.parse(text)\nend\n"),
        ("spec/spec_helper.rb", "module Spec\n  module Mocks\n    def stub_all = 1\n  end\nend\n"),
        ("Rakefile", "Spec::Rake::SpecTask.new\n"),
    ];
    let edits = [("lib/shop/ext/set.rb", ""), ("lib/shop/backports/uri.rb", ""), ("spec/spec_helper.rb", "")];
    assert_nothing_fails(&files, &edits, "the library still has both");
    let files = [("lib/shop/set.rb", "module Shop\nend\n"), ("lib/shop.rb", "require 'shop/set'\n")];
    let found = failing(&files, &[("lib/shop/set.rb", "")]);
    assert_eq!(found.len(), 1, "a path from lib: {found:?}");
}

#[test]
fn a_call_without_the_name_is_not_a_reference() {
    let errors = "class Errors:\n    @classmethod\n    def keep(cls, one):\n        return one\n";
    let run = "def run(fn, one):\n    return fn(one)\n";
    let user = "from errors import Errors\nfrom run import run\n\n\ndef go():\n    return run(Errors.keep, 1)\n";
    let files = [("errors.py", errors), ("run.py", run), ("user.py", user)];
    let edits = [
        ("errors.py", "class Errors:\n    pass\n"),
        ("user.py", "from errors import Errors\n\n\ndef go():\n    return Errors\n"),
    ];
    assert_nothing_fails(&files, &edits, "the function was passed by code that changed");
}

#[test]
fn a_chain_of_calls_that_lost_a_line_has_changed() {
    let parts =
        "pub struct Parts;\n\nimpl Parts {\n    pub fn items(&self) -> Option<&str> {\n        None\n    }\n}\n";
    let user = "use crate::parts::Parts;\n\npub fn show(parts: &Parts) -> usize {\n    let size = parts\n        .items()\n        .unwrap_or_default()\n        .len();\n    size\n}\n";
    let files = [("src/lib.rs", "mod parts;\nmod user;\n"), ("src/parts.rs", parts), ("src/user.rs", user)];
    let edited = parts.replace("Option<&str>", "&str").replace("None", "\"\"");
    let found = failing(&files, &[("src/parts.rs", &edited)]);
    assert_eq!(found.len(), 1, "{found:?}");
    let edits = [("src/parts.rs", &edited[..]), ("src/user.rs", &user.replace("        .unwrap_or_default()\n", ""))];
    assert_nothing_fails(&files, &edits, "the caller follows");
}

#[test]
fn brackets_in_the_body_are_not_parameters() {
    let text = "def info\n  store do |one|\n    one.respond_to?(:name)\n    one.info\n  end\nend\n";
    let edited = "def info\n  store do |one|\n    one.info(*names)\n  end\nend\n";
    assert_nothing_fails(
        &[("info.rb", text), ("use.rb", "require_relative 'info'\n\ndef show\n  info\nend\n")],
        &[("info.rb", edited)],
        "the function has no parameters",
    );
}

#[test]
fn a_definition_that_moves_within_its_file_may_still_be_visible() {
    let text = "fn main() {\n    handle();\n}\n\nfn handle() {}\n";
    let edited = "mod errors {\n    pub fn handle() {}\n}\n\nuse errors::*;\n\nfn main() {\n    handle();\n}\n";
    assert_nothing_fails(&[("src/main.rs", text)], &[("src/main.rs", edited)], "a module in the file has it");
    let user = "use clap::Args;\nextern crate dirs as folders;\n\npub fn show(_: clap::Args) {}\n";
    let lib = "pub mod errors;\nmod dirs;\nmod user;\n";
    let errors = "#[cfg(not(feature = \"application\"))]\nmod clap {\n    pub struct Args;\n}\n";
    assert_nothing_fails(
        &[("src/lib.rs", lib), ("src/errors.rs", errors), ("src/dirs.rs", "pub fn a() {}\n"), ("src/user.rs", user)],
        &[
            ("src/lib.rs", &lib.replace("mod dirs;\n", "")),
            ("src/dirs.rs", ""),
            ("src/errors.rs", "pub fn handle() {}\n"),
        ],
        "clap and dirs are libraries",
    );
}

#[test]
fn generated_code_may_be_generated_again() {
    let tables = "static const int coding_length[] = {1, 2};\nint coding(int at) {\n  return at;\n}\n";
    let user = "#include \"tables.gen.h\"\n\nint size(int at) {\n  return coding_length[coding(at)];\n}\n";
    let files = [("tables.gen.h", tables), ("use.c", user)];
    assert_nothing_fails(&files, &[("tables.gen.h", "")], "the build generates the file");
    let lexer = "int app_lex(int at) {\n  return at;\n}\n";
    let user = "int app_lex(int at);\n\nint run(void) {\n  return app_lex(1);\n}\n";
    let edited = "#define lex app_lex\n\nint lex(int at) {\n  return at;\n}\n";
    assert_nothing_fails(&[("lexer.c", lexer), ("run.c", user)], &[("lexer.c", edited)], "a macro renames it");
}

#[test]
fn a_javascript_parameter_that_the_body_tests_is_optional() {
    let text = "function hide() {\n  return 1;\n}\n\nfunction run() {\n  return hide();\n}\n";
    let env = repository(&[("menu.js", text)]);
    env.write("menu.js", text.replace("hide() {\n", "hide(done) {\n  done && done();\n"));
    assert!(reported(&env, &["--only", "callers"]).is_empty());
    env.write("menu.js", text.replace("hide() {\n", "hide(done) {\n  done();\n"));
    assert_eq!(reported(&env, &["--only", "callers"]), ["callers menu.js:1"]);
}

#[test]
fn an_object_may_have_a_method_from_elsewhere() {
    let base = "<?php\nclass Block\n{\n    public function lines() { return []; }\n}\n";
    let user = "<?php\nfunction show(Block $block) { return $block->lines(); }\n";
    let files = [("Block.php", base), ("show.php", user)];
    let without = base.replace("    public function lines() { return []; }\n", "");
    assert_eq!(failing(&files, &[("Block.php", &without)]).len(), 1);
    let child = "<?php\nclass Code extends Block\n{\n    public function lines() { return [1]; }\n}\n";
    let edits = [("Block.php", &without[..]), ("Code.php", child)];
    assert_nothing_fails(&files, &edits, "a subtype has it");
    let outside = without.replace("class Block", "class Block extends Vendor\\Lines");
    assert_nothing_fails(&files, &[("Block.php", &outside)], "a base outside the repository may have it");
    let store = "export class Store {\n  replace(by: number) { return by; }\n}\n";
    let user =
        "import { Store } from './store';\n\nexport function run(store: Store) {\n  return store.replace(1);\n}\n";
    let edited = "export const Store = { replace: (by: number) => by };\nexport class Other {}\n";
    let found = failing(&[("store.ts", store), ("run.ts", user)], &[("store.ts", edited)]);
    assert!(!found.iter().any(|message| message.contains("Store.replace")), "a key of an object: {found:?}");
}

#[test]
fn a_call_of_another_constructor_is_not_meant() {
    let base = "package p;\n\npublic class Watch {\n  public Watch(int a) { this(a, 0); }\n\n  private Watch(int a, int b) { }\n}\n";
    let child = "package p;\n\npublic class Digest extends Watch {\n  public Digest(int a, int b) { super(a); }\n}\n";
    let edited = child.replace("int a, int b", "String a").replace("super(a)", "super(1)");
    assert_nothing_fails(
        &[("p/Watch.java", base), ("p/Digest.java", child)],
        &[("p/Digest.java", &edited)],
        "this() is the constructor of the class itself",
    );
}

#[test]
fn a_type_without_its_constructor_has_another_one() {
    let base = "struct Base {\n  Base(int size) : size(size) {}\n  int size;\n};\n";
    let user = "#include \"base.h\"\n\nstruct Own : Base {\n  using Base::Base;\n};\n";
    let edited = "struct Root {\n  Root(int size) : size(size) {}\n  int size;\n};\n\nstruct Base : Root {\n  using Root::Root;\n};\n";
    assert_nothing_fails(&[("base.h", base), ("own.cpp", user)], &[("base.h", edited)], "it inherits one");
}

// ---- returns

#[test]
fn callers_must_follow_a_function_that_becomes_async() {
    let load = "def load(path):\n    return path\n";
    let user = "from load import load\n\n\nasync def show(path):\n    text = load(path)\n    return text\n";
    let env = repository(&[("load.py", load), ("user.py", user)]);
    env.write("load.py", load.replace("def", "async def"));
    let ran = env.run(&["check", "--only", "returns"]);
    insta::assert_snapshot!(ran.out, @r#"
    load.py:1  warning[returns] load became async; 1 unmodified call does not follow
        user.py:5  show  does not await it
        off: add a comment `whichfn: ignore[returns]` at the line or above it, or set [check] returns = "off" in whichfn.toml
    "#);
    assert_eq!(ran.code, Some(1));
    env.write("user.py", user.replace("= load", "= await load"));
    assert!(reported(&env, &[]).is_empty(), "the caller follows");
    commit(&env);
    env.write("load.py", load);
    assert_eq!(reported(&env, &[]), ["returns load.py:1"], "the caller still awaits");
}

#[test]
fn an_arrow_function_may_be_its_value() {
    let text = "exports.size = function (text) {\n  return text.length;\n};\n";
    let env = repository(&[
        ("size.js", text),
        ("use.js", "const { size } = require('./size');\nconst two = size('ab') + 1;\n"),
    ]);
    env.write("size.js", "exports.size = (text) => text.length;\n");
    assert!(reported(&env, &["--only", "returns"]).is_empty());
}

#[test]
fn callers_must_follow_another_number_of_values() {
    let split = "def split(text):\n    return text, 1\n";
    let user = "from split import split\n\n\ndef show(text):\n    left, right = split(text)\n    return left\n";
    let env = repository(&[("split.py", split), ("user.py", user)]);
    env.write("split.py", split.replace("text, 1", "text, 1, 2"));
    let ran = env.run(&["check", "--json"]);
    assert_eq!(findings(&ran)[0]["related"][0]["note"], "unpacks 2 values", "{ran:#?}");
    let (pair, user) = (
        "package p\n\nfunc Pair() (int, error) {\n\treturn 1, nil\n}\n",
        "package p\n\nfunc Use() int {\n\tvalue, _ := Pair()\n\treturn value\n}\n",
    );
    let env = repository(&[("pair.go", pair), ("use.go", user)]);
    env.write("pair.go", "package p\n\nfunc Pair() int {\n\treturn 1\n}\n");
    assert_eq!(reported(&env, &[]), ["returns pair.go:3"]);
}

#[test]
fn callers_must_check_a_value_that_became_optional() {
    let lib = "pub fn size() -> u32 {\n    1\n}\n";
    let user = "use crate::size::size;\n\npub fn double() -> u32 {\n    size() * 2\n}\n";
    let env =
        repository(&[("src/lib.rs", "pub mod size;\npub mod user;\n"), ("src/size.rs", lib), ("src/user.rs", user)]);
    env.write("src/size.rs", "pub fn size() -> Option<u32> {\n    Some(1)\n}\n");
    let ran = env.run(&["check", "--json"]);
    let found = findings(&ran);
    assert_eq!(found[0]["rule"], "returns", "{ran:#?}");
    let message = found[0]["message"].to_string();
    assert!(message.contains("size returned u32 and now returns Option<u32>; 1 unmodified call"), "{message}");
}

// ---- dead

/// Returns the messages of `check --dead` for these files.
pub(crate) fn dead(files: &[(&str, &str)]) -> Vec<String> {
    let ran = Env::with(files).run(&["check", "--dead", "--json"]);
    findings(&ran).iter().map(|one| one["message"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn functions_that_are_named_indirectly_or_marked_are_not_dead() {
    let build = "pub fn run() {\n    build()\n}\n\nfn build() {\n    imp::build()\n}\n";
    assert!(dead(&[("src/lib.rs", build), ("src/imp.rs", "pub(crate) fn build() {}\n")]).is_empty(), "qualified");
    let marked = "/// Later.\n#[allow(dead_code)]\nfn later() {}\n";
    assert!(dead(&[("src/lib.rs", marked)]).is_empty(), "an attribute after the comment");
    let of_trait = "pub trait Shape {\n    fn area(&self) -> u32 {\n        1\n    }\n}\n";
    assert!(dead(&[("src/lib.rs", of_trait)]).is_empty(), "a method of a trait");
    let text = "class Runner:\n    def run(self, name):\n        return getattr(self, f\"_run_{name}\")()\n\n    def _run_fast(self):\n        return 1\n";
    assert!(dead(&[("run.py", text)]).is_empty(), "a string begins the name");
    let base = "import text\n\n\nclass Wrapper(text.Wrapper):\n    def _split(self):\n        return 1\n";
    assert!(dead(&[("wrap.py", base)]).is_empty(), "a base with the same name may call it");
    let passed = "export function run() {\n  use(\n    1,\n    function wait() {},\n  );\n}\n";
    assert!(dead(&[("run.ts", passed)]).is_empty(), "passed as a value");
    let unused = "fn _assert_send() {}\n\n#[allow(dead_code)]\nfn assert_covariance() {\n    fn key() {}\n}\n";
    assert!(dead(&[("src/lib.rs", unused)]).is_empty(), "unused on purpose, and what is inside");
    let linked =
        "package p\n\n//go:linkname now runtime.now\nfunc now() int\n\n//lint:ignore U1000 later\nfunc later() {}\n";
    assert!(dead(&[("p.go", linked)]).is_empty(), "marked in a comment");
    let header = "static inline int twice(int x) { return 2 * x; }\n";
    assert!(dead(&[("twice.h", header)]).is_empty(), "each file that includes the header has it");
    let bench = "class Bench\n{\n    [Benchmark]\n    private void Run() { }\n}\n";
    assert!(dead(&[("Bench.cs", bench)]).is_empty(), "an attribute");
    let member = "struct Lock {\n  static int count() { return 1; }\n};\n\nstatic int lost() { return 1; }\n";
    assert_eq!(dead(&[("lock.cc", member)]), ["nothing calls or refers to lost"], "a static member is public");
}

#[test]
fn functions_that_code_calls_by_computed_names_are_not_dead() {
    let getter = "class Reader:\n    def read(self, kind):\n        return getattr(self, \"_\" + kind)()\n\n    def _lines(self):\n        return 1\n";
    assert!(dead(&[("reader.py", getter)]).is_empty(), "a member with a computed name");
    let prefix = "<?php\nclass Reader {\n  public function read($kind) {\n    return call_user_func([$this, 'read' . $kind]);\n  }\n  private function readLines() { return 1; }\n}\n";
    assert!(dead(&[("Reader.php", prefix)]).is_empty(), "a string begins a name in camel case");
    let suffix = "class Reader:\n    def read(self, kind):\n        return self.call(f\"{kind}_lines\")\n\n    def _all_lines(self):\n        return 1\n";
    assert!(dead(&[("reader.py", suffix)]).is_empty(), "a string ends the name");
    let index =
        "export class Reader {\n  read(kind: string) { return this[kind](); }\n  private lines() { return 1; }\n}\n";
    assert!(dead(&[("reader.ts", index)]).is_empty(), "an index in brackets");
    let literal = index.replace("this[kind]()", "this['all']()");
    assert_eq!(dead(&[("reader.ts", &literal)]), ["nothing calls or refers to Reader.lines"], "a literal is a name");
    let scope = "def read():\n    def lines():\n        return 1\n\n    return locals()\n";
    assert!(dead(&[("reader.py", scope)]).is_empty(), "all names of the function");
    let file = "def read(kind):\n    return globals()[kind]()\n\n\ndef _lines():\n    return 1\n";
    assert!(dead(&[("reader.py", file)]).is_empty(), "all names of the file");
}

#[test]
fn functions_that_a_macro_a_tool_or_another_script_may_call_are_not_dead() {
    let items = "quickcheck::quickcheck! {\n    fn holds(x: u32) -> bool {\n        x == x\n    }\n}\n";
    assert!(dead(&[("src/lib.rs", items)]).is_empty(), "items of a macro");
    let writer = "pub struct Page(String);\n\nimpl Page {\n    pub fn add(&mut self) {\n        write!(self, \"x\");\n    }\n\n    fn write_fmt(&mut self, _: std::fmt::Arguments<'_>) {}\n}\n";
    assert!(dead(&[("src/lib.rs", writer)]).is_empty(), "`write!` calls it");
    let attribute = "CONSTRUCTOR(101)\nstatic void set_up(void) {\n}\n";
    assert!(dead(&[("main.c", attribute)]).is_empty(), "a macro as attribute");
    let decorated = "@_register(1)\ndef _one():\n    return 1\n";
    assert!(dead(&[("one.py", decorated)]).is_empty(), "a decorator whose name is private");
    let imported = "use crate::imp::*;\n\npub struct Term;\n\nimpl Term {\n    pub fn clear(&self) {\n        clear(self)\n    }\n}\n";
    let imp = [
        ("src/lib.rs", "mod imp;\npub mod term;\n"),
        ("src/imp.rs", "pub(crate) fn clear(_: &crate::term::Term) {}\n"),
    ];
    assert!(dead(&[imp[0], imp[1], ("src/term.rs", imported)]).is_empty(), "a method does not hide a function");
    let hook = "def __lldb_init_module(debugger, internal):\n    pass\n";
    assert!(dead(&[("debug.py", hook)]).is_empty(), "a debugger calls it");
    let script = "function toggle() {\n  return 1;\n}\n";
    assert!(dead(&[("toggle.js", script)]).is_empty(), "other scripts of the page see it");
    let module = format!("import './style.js';\n\n{script}");
    assert_eq!(dead(&[("toggle.js", &module)]), ["nothing calls or refers to toggle"]);
    let sample = [("testdata/go.go", "package p\n\nfunc sample() int { return 1 }\n")];
    assert!(dead(&sample).is_empty(), "input for a test");
    let typed =
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    def _check(x: int) -> int:\n        return x\n";
    assert!(dead(&[("typed.py", typed)]).is_empty(), "only for the type checker");
    let run = "import { watch } from './watch';\n\nconst stop = watch(() => 1);\n";
    assert!(dead(&[("run.ts", run)]).is_empty(), "the call runs, although its result is unused");
    let stored = "exports.read = function readFile(path) {\n  return path;\n};\n";
    assert!(dead(&[("read.js", stored)]).is_empty(), "stored under another name");
    let listed = "import { use } from './use';\n\nuse({\n  handlers: [\n    function run() {},\n  ],\n});\n";
    assert!(dead(&[("run.ts", listed)]).is_empty(), "an element of a list");
    let assigned = "import { slot } from './slot';\n\nslot.handler =\n  function run() {};\n";
    assert!(dead(&[("run.ts", assigned)]).is_empty(), "assigned in the line before");
    let mage = "//go:build mage\n\npackage main\n\nfunc Release() error { return nil }\n";
    assert!(dead(&[("magefile.go", mage)]).is_empty(), "a tool runs it");
    let extension =
        "static class Texts {\n    extension(string text) {\n        public int Size() => text.Length;\n    }\n}\n";
    assert!(dead(&[("Texts.cs", extension)]).is_empty(), "a public member of an unknown block");
    let base = "from outside import Base\n\n\nclass Middle(Base):\n    pass\n\n\nclass Leaf(Middle):\n    def _run(self):\n        return 1\n";
    assert!(dead(&[("leaf.py", base)]).is_empty(), "a base of the base is outside");
}

#[test]
fn functions_that_only_their_own_package_can_call_may_be_dead() {
    let java = "public class Reader {\n  int size() { return 1; }\n\n  public int lines() { return 1; }\n}\n";
    assert_eq!(dead(&[("Reader.java", java)]), ["nothing calls or refers to Reader.size"]);
    let interface = "public interface Reader {\n  int size();\n}\n";
    assert!(dead(&[("Reader.java", interface)]).is_empty(), "a member of an interface is public");
    let csharp = "public class Reader {\n    int Size() { return 1; }\n\n    internal int Count() { return 1; }\n\n    protected int Lines() { return 1; }\n\n    void IDisposable.Dispose() { }\n}\n";
    assert_eq!(
        dead(&[("Reader.cs", csharp)]),
        ["nothing calls or refers to Reader.Size", "nothing calls or refers to Reader.Count"]
    );
    let go = "package text\n\nfunc Size() int { return 1 }\n";
    assert_eq!(dead(&[("internal/text/size.go", go)]), ["nothing calls or refers to Size"]);
    assert!(dead(&[("text/size.go", go)]).is_empty(), "other modules can import it");
    let program = "package main\n\nfunc Size() int { return 1 }\n\nfunc main() {\n}\n";
    assert_eq!(dead(&[("main.go", program)]), ["nothing calls or refers to Size"]);
    let ruby = "class Reader\n  def lines\n    1\n  end\n\n  private\n\n  def self.open\n    1\n  end\n\n  def size\n    1\n  end\n\n  public\n\n  def count\n    1\n  end\nend\n";
    assert_eq!(dead(&[("reader.rb", ruby)]), ["nothing calls or refers to Reader::size"]);
}

#[test]
fn reports_a_function_that_lost_its_last_caller() {
    let env = app();
    env.write("store.py", STORE.replace("_encoded(data))", "repr(data))"));
    let ran = env.run(&["check", "--json"]);
    let found = findings(&ran);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!((&found[0]["rule"], &found[0]["line"]), (&"dead".into(), &6.into()));
    assert_eq!(found[0]["related"][0]["line"], 3, "where it was called");
}

#[test]
fn a_function_that_others_may_use_or_that_is_named_elsewhere_is_not_dead() {
    let without = STORE.replace("_encoded(data))", "repr(data))");
    let public = STORE.replace("_encoded", "encoded");
    let env = repository(&[("store.py", &public)]);
    env.write("store.py", without.replace("_encoded", "encoded"));
    assert!(reported(&env, &[]).is_empty(), "a public name");
    let env = repository(&[("store.py", STORE), ("hooks.txt", "calls store:_encoded\n")]);
    env.write("store.py", &without);
    assert!(reported(&env, &[]).is_empty(), "named in a text");
    let env = repository(&[("store.py", STORE)]);
    env.write("store.py", without + "\n\nHOOKS = {'encode': _encoded}\n");
    assert!(reported(&env, &[]).is_empty(), "kept as a value");
}

#[test]
fn exported_functions_are_not_dead_and_functions_of_a_crate_may_be() {
    let text = "export const two = () => 2;\nexport function one() { return 1; }\nfunction four() { return 4; }\n";
    let env = repository(&[("a.ts", &(text.to_owned() + "function use() { one(); two(); four(); }\n"))]);
    env.write("a.ts", text);
    assert_eq!(reported(&env, &["--only", "dead"]), ["dead a.ts:3"]);
    let all = [("index.ts", "export * from './part';\n"), ("part.ts", "export function part() { return 1; }\n")];
    let env = repository(&[all[0], all[1], ("use.ts", "import { part } from './index';\npart();\n")]);
    env.write("use.ts", "");
    assert!(reported(&env, &["--only", "dead"]).is_empty(), "passed on by `export *`");
    let text = "pub(crate) fn helper() {}\n\npub fn run() {\n    helper();\n}\n";
    let env = repository(&[("src/lib.rs", text)]);
    env.write("src/lib.rs", text.replace("    helper();\n", ""));
    assert_eq!(reported(&env, &["--only", "dead"]), ["dead src/lib.rs:1"]);
}

#[test]
fn lists_the_dead_code_of_a_repository() {
    let text = "def run():\n    return _used()\n\n\ndef _used():\n    return 1\n\n\ndef _forgotten():\n    return _forgotten\n";
    let env = Env::with(&[("app.py", text)]);
    let ran = env.run(&["check", "--dead"]);
    insta::assert_snapshot!(ran.out, @r#"
    app.py:9  note[dead] nothing calls or refers to _forgotten
        off: add a comment `whichfn: ignore[dead]` at the line or above it, or set [check] dead = "off" in whichfn.toml
    "#);
    assert_eq!((ran.code, env.run(&["check", "--dead", "--fail-on", "note"]).code), (Some(0), Some(1)));
    assert_eq!(env.run(&["check", "--dead", "--staged"]).code, Some(2), "a change has its own findings");
}

// ---- stale-doc

#[test]
fn reports_documentation_of_a_removed_parameter() {
    let before = "def rate(amount, year):\n    \"\"\"The rate.\n\n    :param amount: of money\n    :param year: which\n    \"\"\"\n    return amount\n";
    let env = repository(&[("rate.py", before)]);
    env.write("rate.py", before.replace("amount, year", "amount"));
    assert_eq!(reported(&env, &[]), ["stale-doc rate.py:5"]);
    env.write("rate.py", before.replace("amount, year", "amount").replace("    :param year: which\n", ""));
    assert!(reported(&env, &[]).is_empty());
}

#[test]
fn reports_documentation_of_an_exception_no_longer_raised() {
    let before = "class Full(Exception):\n    pass\n\n\ndef check(size):\n    if size > 9:\n        raise Full\n\n\ndef put(size):\n    \"\"\"Puts.\n\n    :raises Full: if nothing fits\n    :raises ValueError: if it is odd\n    \"\"\"\n    if size > 8:\n        raise Full(size)\n    if size % 2:\n        raise ValueError\n    return size\n";
    let env = repository(&[("put.py", before)]);
    let without = before.replace("    if size > 8:\n        raise Full(size)\n", "");
    env.write("put.py", &without);
    assert_eq!(reported(&env, &[]), ["stale-doc put.py:13"]);
    env.write("put.py", without.replace("    return size", "    return check(size)"));
    assert!(reported(&env, &[]).is_empty(), "what it calls raises it");
    env.write("put.py", before.replace("    if size % 2:\n        raise ValueError\n", "    int(size)\n"));
    assert!(reported(&env, &[]).is_empty(), "anything may raise what is not of the repository");
}

// ---- reuse

const SLUG: &str = "def slug(title):
    words = re.sub(r'[^a-z]+', ' ', title.lower()).split()
    short = [word[:8] for word in words if word not in STOP]
    return '-'.join(short[:5]) or 'none'
";

#[test]
fn reports_a_new_function_that_duplicates_another() {
    let copied = SLUG.replace("slug", "link_text").replace("title", "text").replace("words", "parts");
    let env = repository(&[("names.py", SLUG), ("page.py", "def page():\n    return 1\n")]);
    env.write("page.py", &copied);
    let ran = env.run(&["check", "--only", "reuse"]);
    insta::assert_snapshot!(ran.out, @r#"
    page.py:1  note[reuse] link_text duplicates slug
        names.py:1  slug  already exists: call it, or merge the two
        off: add a comment `whichfn: ignore[reuse]` at the line or above it, or set [check] reuse = "off" in whichfn.toml
    "#);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
}

#[test]
fn moved_delegating_and_different_functions_are_not_duplicates() {
    let env = repository(&[("names.py", SLUG), ("page.py", "def page():\n    return 1\n")]);
    let duplicates = |text: &str| {
        env.write("page.py", text);
        reported(&env, &["--only", "reuse"])
    };
    assert_eq!(duplicates(SLUG), ["reuse page.py:1"], "a copy");
    assert!(duplicates(&SLUG.replace("STOP", "SHORT")).len() == 1, "nearly a copy, under the same name");
    assert!(duplicates(&SLUG.replace("def slug", "def tag").replace("STOP", "SHORT")).is_empty(), "one of a family");
    let calls = SLUG.replace("    words", "    slug(title)\n    words").replace("def slug", "def tag");
    assert!(duplicates(&format!("from names import slug\n\n\n{calls}")).is_empty(), "it calls the other");
    env.write("names.py", "");
    assert!(duplicates(SLUG).is_empty(), "it moved");
}

#[test]
fn methods_tests_and_platform_copies_are_not_duplicates() {
    let body = SLUG.split_once('\n').expect("lines").1;
    let method = format!("class Page:\n    def slug(self, title):\n{}", body.replace("    ", "        "));
    let env = repository(&[("page.py", &method), ("names_win.py", SLUG), ("new.py", "")]);
    for (path, text) in [
        ("new.py", method.replace("Page", "Post")),
        ("names_linux.py", SLUG.to_owned()),
        ("test_names.py", SLUG.to_owned()),
        ("examples/names.py", SLUG.to_owned()),
        ("playground/one/names.py", SLUG.to_owned()),
    ] {
        env.write(path, text);
        git(&env, &["add", "-A"]);
        assert!(reported(&env, &["--only", "reuse"]).is_empty(), "{path}");
    }
}

// ---- questions

#[test]
fn reports_a_question_whose_answer_moved_or_disappeared() {
    let env = app();
    let line = |name: &str| {
        format!(
            "{{\"query\": \"write data to a file\", \"gold\": [{{\"path\": \"store.py\", \"name\": \"{name}\"}}]}}\n"
        )
    };
    env.write("whichfn.toml", "[check]\nquestion-file = \"questions.jsonl\"\n");
    env.write("questions.jsonl", line("save") + &line("gone"));
    assert_eq!(reported(&env, &[]), ["questions questions.jsonl:2"]);
    git(&env, &["mv", "store.py", "stored.py"]);
    env.write("app.py", APP.replace("from store import", "from stored import"));
    env.write("questions.jsonl", line("save"));
    let message = findings(&env.run(&["check", "--json"]))[0]["message"].to_string();
    assert!(message.contains("save moved from store.py to stored.py"), "{message}");
    env.write("whichfn.toml", "[check]\nquestion-file = \"questions.jsonl\"\nquestions = \"off\"\n");
    assert!(reported(&env, &[]).is_empty());
    env.write("whichfn.toml", "[check]\nquestion-file = \"../questions.jsonl\"\n");
    env.run(&["check"]).failed(&["questions.jsonl"]);
    env.write("whichfn.toml", "[check]\nquestion-file = \"app.py\"\n");
    env.run(&["check"]).failed(&["app.py:1", "one JSON object per line"]);
}

// ---- selecting the change

#[test]
fn a_missing_path_is_an_error() {
    let env = app();
    env.run(&["check", "no-such.py"]).failed(&["no-such.py", "check the path"]);
    env.remove("store.py");
    assert!(!env.run(&["check", "store.py", "--json"]).json()["findings"].is_null(), "a file that is gone is a change");
}

#[test]
fn a_change_is_what_is_staged_or_since_a_base_or_of_some_paths() {
    let env = app();
    let broken = STORE.replace("save(path, data)", "save(path)");
    env.write("store.py", &broken);
    assert!(reported(&env, &["--staged"]).is_empty(), "nothing is staged");
    for command in ["check", "tests"] {
        env.run(&[command, "--staged"]).stderr_contains(&["store.py changed without being staged", "git add"]);
    }
    git(&env, &["add", "-A"]);
    assert!(!env.run(&["check", "--staged"]).err.contains("without being staged"));
    assert_eq!(reported(&env, &["--staged"]), ["callers store.py:1"]);
    assert_eq!(reported(&env, &["store.py"]), ["callers store.py:1"]);
    assert!(reported(&env, &["app.py"]).is_empty(), "another file");
    git(&env, &["checkout", "-q", "-b", "work"]);
    commit(&env);
    assert!(reported(&env, &[]).is_empty(), "all is committed");
    assert_eq!(reported(&env, &["--base", "main"]), ["callers store.py:1"]);
    git(&env, &["checkout", "-q", "--detach"]);
    assert_eq!(reported(&env, &["--base", "main"]), ["callers store.py:1"], "no branch at all");
}

#[test]
fn comparing_two_revisions_ignores_the_working_tree() {
    let env = app();
    git(&env, &["checkout", "-q", "-b", "work"]);
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    commit(&env);
    let between = ["--from-ref", "main", "--to-ref", "work"];
    let ran = env.run(&["check", between[0], between[1], between[2], between[3]]);
    assert!(ran.out.starts_with("store.py:1") && !ran.err.contains("checked out"), "{ran:#?}");
    git(&env, &["checkout", "-q", "main"]);
    env.write("other.py", "def broken(\n");
    let ran = env.run(&["check", between[0], between[1], between[2], between[3]]);
    assert!(ran.out.starts_with("store.py:1") && ran.code == Some(1), "{ran:#?}");
    ran.stderr_contains(&["not checked out"]);
    env.index_folder(); // panics unless there is exactly one: no other index remains
    assert!(reported(&env, &["--from-ref", "work", "--to-ref", "main"]).is_empty(), "main has nothing that work lacks");
    let hook = [("PRE_COMMIT_FROM_REF", "main"), ("PRE_COMMIT_TO_REF", "work")];
    let ran = env.run_under(&hook, &["check", "--staged"]);
    assert!(ran.out.starts_with("store.py:1"), "what pre-commit tells its hooks: {ran:#?}");
    assert_eq!(env.run(&["check", "--from-ref", "main"]).code, Some(2), "one end is no change");
    env.run(&["check", "--from-ref", "main", "--to-ref", "nowhere"]).failed(&["has no revision nowhere"]);
}

#[test]
fn a_base_is_where_the_branches_part() {
    let env = app();
    git(&env, &["checkout", "-q", "-b", "work"]);
    env.write("note.txt", "mine\n");
    commit(&env);
    git(&env, &["checkout", "-q", "main"]);
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    commit(&env);
    git(&env, &["checkout", "-q", "work"]);
    assert!(reported(&env, &["--base", "main"]).is_empty(), "what others did is not this change");
}

#[test]
fn new_and_deleted_files_and_the_first_commit_are_handled() {
    let env = app();
    env.remove("store.py");
    env.write("new.py", "def fresh():\n    return 1\n");
    git(&env, &["add", "-A"]);
    assert_eq!(reported(&env, &[]), ["references app.py:1"], "a file that is gone is still imported");
    let env = Env::with(&[("store.py", STORE)]);
    git(&env, &["init", "-q"]);
    assert!(reported(&env, &[]).is_empty(), "no commit yet");
    git(&env, &["add", "-A"]);
    assert!(reported(&env, &["--staged"]).is_empty(), "all is new");
}

// ---- suppressed findings and failures

#[test]
fn a_finding_is_switched_off_by_a_comment_a_setting_or_a_baseline() {
    let broken = STORE.replace("save(path, data)", "save(path)");
    let env = app();
    env.write("store.py", format!("# whichfn: ignore[callers] callers follow\n{broken}"));
    let ran = env.run(&["check", "--json"]);
    assert_eq!((findings(&ran).len(), ran.json()["ignored"].as_u64(), ran.code), (0, Some(1), Some(0)));
    env.write("store.py", &broken);
    env.write("whichfn.toml", "[check]\ncallers = \"off\"\n");
    assert!(reported(&env, &[]).is_empty());
    env.remove("whichfn.toml");
    let known = env.outside("known.txt").display().to_string();
    env.run(&["check", "--write-baseline", &known]);
    env.write("store.py", format!("\n\n{broken}"));
    let ran = env.run(&["check", "--json", "--baseline", &known]);
    assert_eq!((findings(&ran).len(), ran.json()["known"].as_u64(), ran.code), (0, Some(1), Some(0)));
}

#[test]
fn severities_and_what_fails_are_settings_and_options() {
    let env = app();
    env.write("store.py", STORE.replace("_encoded(data))", "repr(data))"));
    let code = |arguments: &[&str]| {
        let all: Vec<&str> = ["check", "-q"].iter().chain(arguments).copied().collect();
        env.run(&all).code
    };
    assert_eq!(code(&[]), Some(0), "a rule with few judged findings says a note, which fails nothing");
    assert_eq!(code(&["--fail-on", "note"]), Some(1));
    env.write("whichfn.toml", "[check]\ndead = \"warning\"\n");
    assert_eq!(code(&[]), Some(1), "a warning fails");
    assert_eq!(code(&["--fail-on", "error"]), Some(0));
    assert_eq!(code(&["--fail-on", "never"]), Some(0));
    assert_eq!(code(&["--fail-on", "error,dead"]), Some(1));
    assert_eq!(code(&["--only", "callers"]), Some(0));
    env.write("whichfn.toml", "[check]\nfail-on = [\"dead\"]\n");
    assert_eq!(code(&[]), Some(1));
    env.run(&["check", "--fail-on", "nonsense"]).failed(&["nonsense", "callers, references, returns, dead"]);
    env.run(&["check", "--only", "nonsense"]).failed(&["unknown rule nonsense", "callers, references"]);
}

// ---- formats

#[test]
fn findings_are_sarif_annotations_and_markdown_too() {
    let env = app();
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    let sarif = env.run(&["check", "--format", "sarif"]).json();
    assert_eq!((&sarif["version"], &sarif["runs"][0]["tool"]["driver"]["name"]), (&"2.1.0".into(), &"whichfn".into()));
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["ruleIndex"], &result["level"]),
        (&"callers".into(), &0.into(), &"error".into())
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!((&place["artifactLocation"]["uri"], &place["region"]["startLine"]), (&"store.py".into(), &1.into()));
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(2));
    let github = env.run(&["check", "--format", "github"]).out;
    assert!(
        github.starts_with(
            "::error file=store.py,line=1,title=whichfn callers::signature of save changed from (path, data)"
        ),
        "{github}"
    );
    let calls: Vec<&str> = github.lines().skip(1).collect();
    assert_eq!(calls.len(), 2, "an annotation for each call: {github}");
    assert!(calls[0].starts_with("::error file=app.py,line=5,title=whichfn callers::run passes 2"), "{github}");
    let markdown = env.run(&["check", "--format", "markdown"]).out;
    assert!(markdown.contains("- **error** `callers` `store.py:1`: signature of save changed"), "{markdown}");
}

// ---- unusual repositories

#[cfg(unix)]
#[test]
fn file_names_may_contain_any_characters() {
    let env = app();
    let caller = "from store import save\n\n\ndef run(state):\n    save('state', state)\n";
    let names = ["new\nline.py", "quo\"te.py", "$(touch pwned).py", "%0A::error.py", "-dash.py", "tab\there.py"];
    names.iter().for_each(|name| env.write(name, caller));
    commit(&env);
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    let ran = env.run(&["check", "--json"]);
    assert_eq!(findings(&ran)[0]["related"].as_array().map(Vec::len), Some(2 + names.len()));
    let github = env.run(&["check", "--format", "github"]).out;
    assert_eq!(github.lines().count(), 3 + names.len(), "one line for the finding and for each call: {github}");
    let text = env.run(&["check"]).out;
    assert!(text.contains("\"new\\nline.py\":5"), "{text}");
    assert!(!env.at("pwned").exists());
    git(&env, &["mv", "--", "-dash.py", "other\nname.py"]);
    assert!(reported(&env, &["--staged"]).is_empty(), "a new name breaks nothing");
}

#[test]
fn a_worktree_is_checked_separately() {
    let env = app();
    let beside = env.outside("worktree").display().to_string();
    git(&env, &["worktree", "add", "-q", &beside, "-b", "work"]);
    std::fs::write(env.outside("worktree").join("store.py"), STORE.replace("save(path, data)", "save(path)"))
        .expect("written");
    assert_eq!(reported(&env, &["--in", &beside]), ["callers store.py:1"]);
    assert!(reported(&env, &[]).is_empty(), "the other tree is as it was");
}

#[test]
fn reports_that_there_is_no_change() {
    let env = Env::with(&[("store.py", STORE)]);
    env.run(&["check"]).failed(&["is not in a git repository", "inside a git working tree"]);
    let env = app();
    env.run(&["check", "--base", "no-such-branch"]).failed(&["has no revision no-such-branch", "git fetch"]);
    env.run(&["check", "--base=-x"]).failed(&["has no revision -x"]);
    env.run(&["check", "/"]).failed(&["is not in"]);
}

#[test]
fn a_shallow_clone_reports_the_missing_commit() {
    let env = app();
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    commit(&env);
    git(&env, &["branch", "old", "HEAD~1"]);
    let (from, to) = (format!("file://{}", env.repo().display()), env.outside("shallow").display().to_string());
    git(&env, &["clone", "-q", "--depth", "1", "--no-single-branch", &from, &to]);
    env.run(&["check", "--in", &to, "--base", "HEAD~1"]).failed(&["HEAD~1", "shallow", "more of its history"]);
    env.run(&["check", "--in", &to, "--base", "origin/old"]).failed(&["no common commit", "more of its history"]);
}

#[test]
fn an_unresolved_merge_is_skipped() {
    let env = app();
    git(&env, &["checkout", "-q", "-b", "work"]);
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    commit(&env);
    git(&env, &["checkout", "-q", "main"]);
    env.write("store.py", STORE.replace("save(path, data)", "save(data)"));
    commit(&env);
    let user = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let merged = env.other_process("git").args(user).args(["merge", "-q", "work"]).output().expect("git runs");
    assert!(String::from_utf8_lossy(&merged.stdout).contains("CONFLICT"), "{merged:?}");
    let ran = env.run(&["check", "--json"]);
    assert_eq!(ran.json()["conflicts"].as_array().map(Vec::len), Some(1), "{ran:#?}");
    ran.stderr_contains(&["store.py: it has unresolved merge conflicts"]);
}

#[test]
fn a_file_that_no_longer_parses_is_skipped() {
    let env = app();
    env.write("store.py", STORE.replace("def save(path, data):", "def save(path"));
    let ran = env.run(&["check"]);
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    ran.stderr_contains(&["store.py: it no longer parses"]);
}

#[test]
fn five_thousand_changed_files_are_checked() {
    let env = app();
    for number in 0..5_000 {
        env.write(format!("many/part{number}.py"), format!("def part{number}(a):\n    return a\n"));
    }
    commit(&env);
    for number in 0..5_000 {
        env.write(format!("many/part{number}.py"), format!("def part{number}(a, b):\n    return a\n"));
    }
    env.write("store.py", STORE.replace("save(path, data)", "save(path)"));
    let ran = env.run(&["check", "--json"]);
    assert_eq!((findings(&ran).len(), ran.json()["files"].as_u64()), (1, Some(5_001)));
}
