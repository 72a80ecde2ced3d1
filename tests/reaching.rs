//! Tests `whichfn tests`, `impact` and `path`, and the correction of mistyped names.

use crate::support::env::Env;
use serde_json::{Value, json};
use std::fmt::Write as _;

const STORE: &str = "class Store:
    def __init__(self, path):
        self.path = path

    def save(self, data):
        return self._write(encode(data))

    def _write(self, text):
        return text

    def __len__(self):
        return count(self.path)


def encode(data):
    return str(data)


def count(path):
    return 3
";

const APP: &str = "from store import Store


def main():
    run(Store('a'))


def run(store: Store):
    store.save(1)
";

const CONFTEST: &str = "import pytest
from store import Store


@pytest.fixture
def store():
    return Store('here')
";

const TEST: &str = "from app import run
from store import encode


class TestStore:
    def test_save(self, store):
        assert store.save(2)


def test_encode():
    assert encode(3) == '3'


def test_run(store):
    run(store)
";

fn shop() -> Env {
    Env::with(&[("store.py", STORE), ("app.py", APP), ("tests/conftest.py", CONFTEST), ("tests/test_store.py", TEST)])
}

fn git(env: &Env, arguments: &[&str]) {
    let mut git = env.other_process("git");
    git.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(arguments);
    let output = git.output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(env: &Env) {
    git(env, &["init", "-q"]);
    git(env, &["add", "-A"]);
    git(env, &["commit", "-q", "-m", "a change"]);
}

// ---- tests

#[test]
fn tests_are_listed_nearest_first_with_their_path() {
    let ran = shop().run(&["tests", "encode"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r##"
    store.py:15  encode  function · reached by 3 tests
    tests/test_store.py:10  test_encode  (1 call)  encode
    tests/test_store.py:6  TestStore.test_save  (2 calls)  Store.save → encode
    tests/test_store.py:14  test_run  (3 calls)  run → Store.save → encode
    "##);
}

#[test]
fn fixtures_are_passed_to_the_parameters_of_tests() {
    let out = shop().run(&["tests", "Store.__init__", "--format", "list"]).found().out;
    assert_eq!(out, "tests/test_store.py::TestStore::test_save\ntests/test_store.py::test_run\n");
}

#[test]
fn a_method_that_the_language_runs_is_reached_where_its_object_is_created() {
    let value = shop().run(&["tests", "count", "--json"]).found().json();
    assert_eq!(value["total"], 2, "{value}");
    assert_eq!(value["tests"][0]["steps"][1]["reason"], "object", "{value}");
}

/// Returns the arguments for the test runner.
fn arguments(files: &[(&str, &str)], name: &str) -> Vec<String> {
    let out = Env::with(files).run(&["tests", name, "--format", "list"]).found().out;
    out.lines().map(str::to_owned).collect()
}

#[test]
fn arguments_are_those_of_each_test_runner() {
    let go = "package pay\n\nfunc Price() int { return 1 }\n";
    let go_test = "package pay\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { Price() }\n\nfunc TestB(t *testing.T) { Price() }\n\nfunc helper() { Price() }\n";
    assert_eq!(
        arguments(&[("go.mod", "module x\n"), ("pay/price.go", go), ("pay/price_test.go", go_test)], "Price"),
        ["-run '^(TestA|TestB)$' ./pay"]
    );
    let rust = "pub fn price() -> u32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn is_one() { assert_eq!(price(), 1); }\n\n    fn helper() { price(); }\n}\n";
    assert_eq!(
        arguments(&[("src/pay/money.rs", rust), ("src/lib.rs", "mod pay;\n")], "price"),
        ["pay::money::tests::is_one"]
    );
    let script = "export function price() { return 1; }\n";
    let jest = "import { price } from './price';\n\ndescribe('price', () => {\n  it('is one (1)', () => { price(); });\n  it.only('isn\\'t two', function () { price(); });\n});\n";
    assert_eq!(
        arguments(&[("price.js", script), ("price.test.js", jest)], "price"),
        ["price.test.js -t '(is one \\(1\\)|isn.t two)'"]
    );
    let java = "class Price {\n    int one() { return 1; }\n}\n";
    let junit = "class PriceTest {\n    Price price;\n\n    @BeforeEach\n    void prepare() { price = new Price(); price.one(); }\n\n    @Test\n    void isOne() { }\n}\n";
    assert_eq!(
        arguments(&[("src/main/Price.java", java), ("src/test/PriceTest.java", junit)], "one"),
        ["PriceTest#isOne"]
    );
}

const PRICE: (&str, &str) = ("src/price.js", "export function price() { return 1; }\n");

/// Jest and vitest fill the placeholders, so the title is not the name.
#[test]
fn a_title_with_placeholders_matches_each_of_its_tests() {
    let test = r#"import { price } from './price';

it.each([['a', 1], ['b', 2]])('handles %i items (%s)', (name, count) => { price(); });
test.each`
  a    | b
  ${1} | ${"x"}
`("row $a", ({ a }) => { price(); });
it(`name ${dynamic(1)} x`, () => { price(); });
test.concurrent.each(rows)('costs 100%', async (row) => { price(); });
it(titles['first'], () => { price(); });
"#;
    assert_eq!(
        arguments(&[PRICE, ("src/price.test.js", test)], "price"),
        ["src/price.test.js -t '(handles .* items \\(.*\\)|row .*|name .* x|costs 100.*|)'"]
    );
}

#[test]
fn other_runners_are_recognized_by_what_a_file_imports() {
    let node = "const { test } = require('node:test');\nconst { price } = require('./price');\n\ntest('is one', () => { price(); });\n";
    let playwright = "import { test } from '@playwright/test';\nimport { price } from './price';\n\ntest('is two', () => { price(); });\n";
    assert_eq!(
        arguments(&[PRICE, ("src/a.test.js", node), ("src/b.spec.js", playwright)], "price"),
        ["--test-name-pattern='(is one)' src/a.test.js", "src/b.spec.js -g '(is two)'"]
    );
}

/// `xargs` removes the quotes.
#[test]
fn words_with_spaces_are_in_quotes() {
    let jest = "import { price } from './price';\n\nit('is one', () => { price(); });\n";
    assert_eq!(arguments(&[PRICE, ("src/it's a.test.js", jest)], "price"), ["'src/it'\\''s a.test.js' -t '(is one)'"]);
    let python = "from price import price\n\n\ndef test_one():\n    price()\n";
    let files = [("price.py", "def price():\n    return 1\n"), ("my tests/test_price.py", python)];
    assert_eq!(arguments(&files, "price"), ["'my tests/test_price.py::test_one'"]);
    let go = ("my pay/price.go", "package pay\n\nfunc Price() int { return 1 }\n");
    let go_test =
        ("my pay/price_test.go", "package pay\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { Price() }\n");
    assert_eq!(arguments(&[go, go_test], "Price"), ["-run '^(TestA)$' './my pay'"]);
    let ruby = ("lib/price.rb", "def price\n  1\nend\n");
    let spec = ("my spec/price_spec.rb", "describe 'price' do\n  it 'is one' do\n    price\n  end\nend\n");
    assert_eq!(arguments(&[ruby, spec], "price"), ["'my spec/price_spec.rb:2'"]);
    let kotlin = ("src/main/Price.kt", "fun price(): Int = 1\n");
    let junit = ("src/test/PriceTest.kt", "class PriceTest {\n    @Test\n    fun `is one`() { price() }\n}\n");
    assert_eq!(arguments(&[kotlin, junit], "price"), ["'PriceTest.is one'"]);
}

/// pytest ends with an error if it does not find one of the names.
#[test]
fn only_names_that_pytest_collects_are_listed() {
    let test = "from unittest import TestCase
from price import price
from helpers import Checks, test_data


class Helper:
    def test_it(self):
        price()


class TestWithConstructor:
    def __init__(self):
        pass

    def test_it(self):
        price()


class TestPrice(Checks):
    def test_own(self):
        price()

    class TestInner:
        def test_inner(self):
            price()


class Base(TestCase):
    pass


class PriceCase(Base, Checks):
    def test_case(self):
        price()


def test_all():
    test_data()

    def test_nested():
        price()
";
    let helpers = "from price import price


class Checks:
    def test_shared(self):
        price()


def test_data():
    return price()
";
    let files =
        [("price.py", "def price():\n    return 1\n"), ("tests/test_price.py", test), ("tests/helpers.py", helpers)];
    let mut listed = arguments(&files, "price");
    listed.sort();
    assert_eq!(
        listed,
        [
            "tests/test_price.py::PriceCase::test_case",
            "tests/test_price.py::PriceCase::test_shared",
            "tests/test_price.py::TestPrice::TestInner::test_inner",
            "tests/test_price.py::TestPrice::test_own",
            "tests/test_price.py::TestPrice::test_shared",
            "tests/test_price.py::test_all",
        ]
    );
    let text = Env::with(&files).run(&["tests", "price"]).found().out;
    assert!(text.contains("tests/test_price.py:19  TestPrice.test_shared  (1 call)"), "{text}");
}

#[test]
fn only_names_that_go_runs_are_listed() {
    let go = "package pay\n\nfunc Price() int { return 1 }\n";
    let test = "package pay\n\nimport \"testing\"\n\nfunc TestMain(m *testing.M) { Price() }\n\nfunc TestA(t *testing.T) {}\n\nfunc Testing() { Price() }\n";
    let data = "package data\n\nfunc TestData() int { return 1 }\n";
    let files = [("pay/price.go", go), ("pay/price_test.go", test), ("pay/testdata/data.go", data)];
    assert_eq!(arguments(&files, "Price"), ["-run '^(TestA)$' ./pay"]);
}

/// Equal distances are in the order of nearness, not of paths.
#[test]
fn of_tests_at_the_same_distance_the_one_of_the_file_is_first() {
    let test = "from app.feed import refresh\n\n\ndef test_it():\n    refresh()\n";
    let env = Env::with(&[
        ("app/feed.py", "def refresh():\n    pass\n"),
        ("tests/api/test_users.py", test),
        ("tests/test_feed.py", test),
    ]);
    let out = env.run(&["tests", "refresh", "--format", "list"]).found().out;
    assert_eq!(out, "tests/test_feed.py::test_it\ntests/api/test_users.py::test_it\n");
}

/// A call that may not exist decides whether a path is right, so the text never leaves it out.
#[test]
fn a_call_by_name_only_is_marked_in_the_middle_of_a_long_path() {
    let mut code = String::from("def end():\n    pass\n");
    for (name, called) in [("g", "end()"), ("f", "g()"), ("e", "f()")] {
        let _ = write!(code, "\n\ndef {name}():\n    {called}\n");
    }
    code += "\n\nclass Door:\n    def unlatch(self):\n        e()\n\n\ndef c(door):\n    door.unlatch()\n";
    code += "\n\ndef b(door):\n    c(door)\n\n\ndef a(door):\n    b(door)\n";
    let env =
        Env::with(&[("app.py", &code), ("test_app.py", "from app import a\n\n\ndef test_a(door):\n    a(door)\n")]);
    let out = env.run(&["tests", "end"]).found().out;
    assert!(out.contains("a → b → … → Door.unlatch (by name only) → … → g → end"), "{out}");
}

#[test]
fn without_a_test_the_status_is_1() {
    Env::with(&[("a.py", "def lonely():\n    pass\n")])
        .run(&["tests", "lonely"])
        .nothing()
        .stderr_contains(&["no test"]);
}

/// Most runners run everything without arguments, and some versions of `xargs` nothing.
#[test]
fn an_empty_list_for_a_runner_has_a_status_and_a_line_on_standard_error() {
    let env = Env::with(&[("a.py", "def lonely():\n    pass\n")]);
    let ran = env.run(&["tests", "lonely", "--format", "list"]).nothing();
    assert_eq!((ran.out.as_str(), ran.err.contains("the list is empty: run all tests")), ("", true), "{}", ran.err);
}

// ---- changes

#[test]
fn a_change_is_traced_to_its_tests() {
    let env = shop();
    commit(&env);
    env.run(&["tests"]).nothing().stderr_contains(&["touches no function"]);
    env.write("store.py", STORE.replace("return str(data)", "return repr(data)"));
    let list = ["tests", "--format", "list"];
    let expected =
        "tests/test_store.py::test_encode\ntests/test_store.py::TestStore::test_save\ntests/test_store.py::test_run\n";
    assert_eq!(env.run(&list).found().out, expected);
    env.run(&["tests", "--staged"]).nothing();
    git(&env, &["add", "-A"]);
    assert_eq!(env.run(&["tests", "--staged", "--format", "list"]).found().out, expected);
    assert_eq!(env.run(&["tests", "--base", "HEAD", "--format", "list"]).found().out, expected);
}

#[test]
fn impact_fits_on_one_screen() {
    let ran = shop().run(&["impact", "encode"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r##"
    store.py:15  encode  function · affects 3 definitions, 2 files, 1 entry point, 3 tests
    callers
      1 call: Store.save
      2 calls: run
      3 calls: main
    files
      store.py  2 definitions
      app.py  2 definitions
    entry points
      app.py:4  main  (3 calls)
    tests
      tests/test_store.py:10  test_encode  (1 call)  encode
      tests/test_store.py:6  TestStore.test_save  (2 calls)  Store.save → encode
      tests/test_store.py:14  test_run  (3 calls)  run → Store.save → encode
    "##);
}

/// A step of a workflow that writes a summary must not fail.
#[test]
fn impact_fails_only_on_what_is_named() {
    let env = shop();
    let code = |name: &str, fail_on: &[&str]| env.run(&[&["impact", name, "--fail-on"], fail_on].concat()).code;
    for (part, status) in [("never", 0), ("callers", 1), ("entry-points", 1), ("tests", 1), ("note", 1), ("error", 0)] {
        assert_eq!(code("encode", &[part]), Some(status), "{part}");
        assert_eq!(code("main", &[part]), Some(0), "{part}: nothing uses it");
    }
    assert_eq!(code("count", &["callers,never"]), Some(1));
    env.run(&["impact", "encode", "--fail-on", "dead"]).failed(&["--fail-on: dead", "callers, entry-points, tests"]);
}

#[test]
fn impact_of_a_change_is_json_and_markdown() {
    let env = shop();
    commit(&env);
    env.run(&["impact"]).found();
    env.write("store.py", STORE.replace("return str(data)", "return repr(data)").replace("def count", "def counted"));
    let value: Value = env.run(&["impact", "--json"]).json();
    let changed: Vec<&Value> = value["of"].as_array().expect("list").iter().map(|one| &one["name"]).collect();
    assert_eq!(changed, ["encode", "counted"]);
    assert_eq!(value["removed"], json!([{"name": "count", "path": "store.py"}]));
    assert_eq!(value["counts"], json!({"affected": 3, "files": 2, "entry_points": 2, "tests": 3}));
    let markdown = env.run(&["impact", "--format", "markdown", "-k", "2"]).out;
    insta::assert_snapshot!(markdown, @r##"
    ### whichfn impact: 3 affected definitions, 2 files, 2 entry points, 3 tests

    **Changed**

    - `encode` `store.py:15`
    - `counted` `store.py:19`

    <details><summary>1 more</summary>

    - `count` `store.py` (removed)

    </details>

    **Callers**

    - `Store.save` `store.py:5`, 1 call
    - `run` `app.py:8`, 2 calls

    <details><summary>1 more</summary>

    - `main` `app.py:4`, 3 calls

    </details>

    **Entry points**

    - `counted` `store.py:19`, 0 calls
    - `main` `app.py:4`, 3 calls

    **Tests to run**

    - `tests/test_store.py::test_encode`
    - `tests/test_store.py::TestStore::test_save`

    <details><summary>1 more</summary>

    - `tests/test_store.py::test_run`

    </details>
    "##);
}

#[test]
fn a_constant_affects_the_code_that_uses_it() {
    let env = Env::new();
    env.write("limits.py", "MAX_SIZE = 3\n\n\ndef is_large(size):\n    return size > MAX_SIZE\n");
    env.write("app.py", "from limits import is_large\n\n\ndef upload(size):\n    return is_large(size)\n");
    env.write(
        "test_app.py",
        "from app import upload\n\n\ndef test_upload():\n    upload(1)\n\n\ndef test_other():\n    pass\n",
    );
    let ran = env.run(&["impact", "MAX_SIZE", "--json"]);
    assert_eq!(ran.err, "whichfn: MAX_SIZE is a value: limits.py:1\nwhichfn: used by 1 definition\n");
    let impact = ran.json();
    assert_eq!((&impact["of"][0]["name"], &impact["affected"][0]["name"]), (&json!("is_large"), &json!("upload")));
    assert_eq!(impact["counts"], json!({"affected": 1, "files": 2, "entry_points": 1, "tests": 1}));
    let tests = env.run(&["tests", "MAX_SIZE", "--format", "list"]).found();
    assert_eq!(tests.out, "test_app.py::test_upload\n");
}

#[test]
fn a_name_of_several_values_needs_a_choice() {
    let env = Env::new();
    env.write("a.py", "LIMIT = 3\n\n\ndef first():\n    return LIMIT\n");
    env.write("b.py", "LIMIT = 4\n\n\ndef second():\n    return LIMIT\n");
    env.run(&["impact", "LIMIT"]).failed(&["LIMIT matches 2 definitions", "a.py:1", "--all"]);
    let names = |of: &str| -> Vec<Value> {
        let ran = env.run(&["impact", of, "--all", "--json"]);
        ran.json()["of"].as_array().expect("list").iter().map(|one| one["name"].clone()).collect()
    };
    assert_eq!(names("LIMIT"), ["first", "second"]);
    assert_eq!(names("b.py:1"), ["second"]);
}

// ---- paths

#[test]
fn path_has_the_line_of_each_call() {
    let ran = shop().run(&["path", "main", "encode"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r##"
    3 calls
    app.py:5:5  main  (in scope)  run(Store('a'))
    app.py:9:11  run  (known type)  store.save(1)
    store.py:6:28  Store.save  (in scope)  return self._write(encode(data))
    store.py:15  encode
    "##);
}

#[test]
fn paths_are_sorted_by_length_and_avoid_what_is_named() {
    let calls =
        "def a():\n    b()\n    c()\n    d()\n\n\ndef b():\n    d()\n\n\ndef c():\n    b()\n\n\ndef d():\n    a()\n";
    let env = Env::with(&[("a.py", calls)]);
    let calls = |arguments: &[&str]| -> Vec<Value> {
        let value = env.run(&[&["path", "a", "d", "--json"], arguments].concat()).found().json();
        value["paths"].as_array().expect("list").iter().map(|path| path["calls"].clone()).collect()
    };
    assert_eq!(calls(&[]), [1, 2, 3]);
    assert_eq!(calls(&["-k", "2"]), [1, 2]);
    assert_eq!(calls(&["--avoid", "b"]), [1]);
    env.run(&["path", "b", "c", "--avoid", "d"]).nothing().stderr_contains(&["there is one from c to b"]);
}

// ---- overrides

const DOORS: &str = "class Door:
    def open(self):
        pass


class Gate(Door):
    def open(self):
        super().open()
        oil()


class Fence(Door):
    def open(self):
        super().open()


def oil():
    pass


def enter(door: Door):
    door.open()


def test_enter():
    enter(Gate())
";

#[test]
fn a_call_of_a_base_method_reaches_its_overrides() {
    let env = Env::with(&[("test_doors.py", DOORS)]);
    let ran = env.run(&["path", "test_enter", "oil"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r##"
    3 calls
    test_doors.py:26:5  test_enter  (in scope)  enter(Gate())
    test_doors.py:22:10  enter  (may dispatch to)  door.open()
    test_doors.py:9:9  Gate.open  (in scope)  oil()
    test_doors.py:17  oil
    "##);
    let tests = env.run(&["tests", "Gate.open"]).found().out;
    assert!(tests.contains("test_enter  (2 calls)  enter → Gate.open"), "{tests}");
    // A method that calls the overridden one runs exactly that one.
    env.run(&["path", "Fence.open", "oil"]).nothing();
}

#[test]
fn ten_thousand_overrides_are_reached_in_bounded_time() {
    let mut code =
        "class Door:\n    def open(self):\n        pass\n\n\ndef enter(door: Door):\n    door.open()\n\n\n".to_owned();
    for number in 0..10_000 {
        code += &format!("class Gate{number}(Door):\n    def open(self):\n        oil()\n\n\n");
    }
    code += "def oil():\n    pass\n";
    let env = Env::with(&[("doors.py", &code)]);
    let value = env.run(&["impact", "oil", "--json"]).json();
    assert_eq!(value["counts"]["affected"], 10_001);
}

#[test]
fn a_property_and_a_callback_are_reached_where_they_are_used() {
    let code = "import library


class Store(library.Store):
    @property
    def size(self):
        return count()

    def on_open(self):
        return log()


def count():
    return 1


def log():
    pass


def by_size(store):
    return rank()


def rank():
    return 1


def sort(stores):
    return library.sort(stores, key=by_size)
";
    let test = "from store import Store, sort


def test_size():
    store = Store()
    assert store.size == 1


def test_sort():
    sort([])
";
    let env = Env::with(&[("store.py", code), ("test_store.py", test)]);
    let path = |to: &str, from: &str| env.run(&["path", from, to]).found().out;
    assert!(path("count", "test_size").contains("test_size  (property)"));
    assert!(path("rank", "test_sort").contains("sort  (passed to a library)"));
    // The library runs a method that nothing calls.
    assert!(path("log", "test_size").contains("test_size  (creates the object)"));
}

#[test]
fn each_call_of_a_macro_that_defines_a_test_is_a_test() {
    let code = "pub fn price(count: u32) -> u32 { count }

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! costs {
        ($name:ident, $count:expr) => {
            #[test]
            fn $name() {
                assert_eq!(price($count), $count);
            }
        };
    }

    costs!(one, 1);
    costs! {
        two,
        2
    }

    fn helper() {}
}
";
    let env = Env::with(&[("src/lib.rs", code)]);
    let list = env.run(&["tests", "price", "--format", "list"]).found().out;
    assert_eq!(list, "tests::one\ntests::two\n");
    assert!(env.run(&["tests", "price"]).found().out.contains("src/lib.rs:17  tests::two"));
}

#[test]
fn variants_for_different_builds_are_used_together() {
    let linux = "int store_open(const char* path) { return open_linux(path); }\nint open_linux(const char* path) { return 1; }\n";
    let windows = linux.replace("linux", "windows");
    let test = "int store_open(const char* path);\nint test_open(void) { return store_open(\"a\"); }\n";
    let env = Env::with(&[("src/linux.c", linux), ("src/windows.c", &windows), ("test/test_open.c", test)]);
    let out = env.run(&["tests", "store_open"]).found().without_stderr().out;
    assert!(out.contains("test_open"), "{out}");
    let out = env.run(&["callees", "store_open"]).found().without_stderr().out;
    assert!(out.contains("open_linux") && out.contains("open_windows"), "{out}");
}

// ---- bad input

#[test]
fn cycles_end() {
    let cycle = "from two import second


class A(B):
    def open(self):
        second()


class B(A):
    def open(self):
        pass


def first():
    second()


def test_first():
    first()
";
    let env = Env::with(&[
        ("test_one.py", cycle),
        ("two.py", "from test_one import first\n\n\ndef second():\n    first()\n    A().open()\n"),
    ]);
    assert_eq!(env.run(&["tests", "second", "--json"]).found().json()["total"], 1);
    env.run(&["tests", "A.open"]);
    env.run(&["impact", "first", "--json"]).json();
    env.run(&["path", "test_first", "second"]).found();
    assert_eq!(env.run(&["implementations", "A", "--json"]).found().json()["total"], 1);
}

#[test]
fn a_long_chain_of_calls_ends() {
    let length = 5_000;
    let steps: String = (0..length).map(|at| format!("def step{at}():\n    step{}()\n\n", at + 1)).collect();
    let test = "from chain import step0\n\n\ndef test_all():\n    step0()\n";
    let env = Env::with(&[("chain.py", &steps), ("test_chain.py", test)]);
    let last = format!("step{}", length - 1);
    assert_eq!(env.run(&["tests", &last, "--json"]).found().json()["tests"][0]["calls"], length);
    assert_eq!(env.run(&["impact", &last, "--json"]).json()["counts"]["affected"], length - 1);
    let path = env.run(&["path", "test_all", &last, "-k", "1", "--json"]).found().json();
    assert_eq!(path["paths"][0]["calls"], length);
    assert!(env.run(&["path", "test_all", &last]).found().out.contains("4900 steps"));
}

#[test]
fn an_interface_with_ten_thousand_implementations_is_bounded() {
    let mut code =
        "package doors\n\ntype Door interface{ Open() }\n\nfunc Enter(door Door) { door.Open() }\n\n".to_owned();
    for number in 0..10_000 {
        let _ = writeln!(code, "type Gate{number} struct{{}}\n\nfunc (gate Gate{number}) Open() {{ oil() }}\n");
    }
    code += "func oil() {}\n";
    let test = "package doors\n\nimport \"testing\"\n\nfunc TestEnter(t *testing.T) { Enter(nil) }\n";
    let env = Env::with(&[("doors.go", &code), ("doors_test.go", test)]);
    assert_eq!(env.run(&["implementations", "Door", "--json"]).found().json()["total"], 10_000);
    assert_eq!(env.run(&["implementations", "Gate7", "--up", "--json"]).found().json()["total"], 1);
    assert_eq!(env.run(&["tests", "oil", "--json"]).found().json()["total"], 1);
    env.run(&["path", "TestEnter", "oil"]).found();
}

#[test]
fn names_with_odd_characters_are_not_found() {
    let env = shop();
    for name in [
        "",
        " ",
        ":",
        "::",
        ".",
        "..",
        "a:b:c",
        "\u{202e}x",
        "größe",
        "%00",
        "*",
        "--",
        "#",
        "()",
        "store.py:",
        "store.py:999999999999",
    ] {
        for command in [&["tests"][..], &["impact"], &["implementations"], &["path", "encode"]] {
            let ran = env.run(&[command, &["--", name]].concat());
            assert!(!ran.err.contains("panicked"), "{command:?} {name:?}: {}", ran.err);
        }
    }
}

// ---- names

#[test]
fn a_mistyped_name_is_corrected_with_a_notice() {
    let env = shop();
    for typed in ["encdoe", "Encode", "STORE.ENCODE", "store.py:encod", "shop.encode"] {
        let ran = env.run(&["callers", typed]).found().stderr_contains(&["using store.py:15  encode"]);
        assert!(ran.out.starts_with("store.py:15  encode"), "{typed}: {}", ran.out);
    }
    env.run(&["callers", "Store.svae"]).found().stderr_contains(&["using store.py:5  Store.save"]);
    // A different function is not a typo.
    env.run(&["callers", "decode"]).failed(&["similar names", "encode"]);
    env.run(&["callers", &"encode".repeat(2000)]).failed(&["whichfn \"...\""]);
}

#[test]
fn a_name_after_its_modules_is_exact() {
    let env = Env::with(&[
        ("shop/store.py", "def encode():\n    pass\n\n\ndef save():\n    encode()\n"),
        ("bank/store.py", "def encode():\n    pass\n\n\ndef lend():\n    encode()\n"),
    ]);
    for typed in ["shop.store.encode", "crate::shop::store::encode"] {
        let ran = env.run(&["callers", typed]).found();
        assert!(ran.out.starts_with("shop/store.py:1  encode"), "{typed}: {}", ran.out);
    }
    env.run(&["callers", "shop.store.encode"]).found().without_stderr();
    env.run(&["callers", "store.encode"]).failed(&["matches 2 definitions", "shop/store.py:1  encode  (function)"]);
}

#[test]
fn camel_case_and_snake_case_are_the_same_name() {
    let env = Env::with(&[("a.py", "def make_response():\n    pass\n\n\ndef view():\n    make_response()\n")]);
    env.run(&["callers", "makeResponse"]).found().stderr_contains(&["using a.py:1  make_response"]);
}

#[test]
fn the_name_of_a_type_does_not_mean_its_constructor() {
    let env =
        Env::with(&[("Store.java", "class Store {\n  Store() {}\n  static Store open() { return new Store(); }\n}\n")]);
    let named = |name: &str| env.run(&["callees", name, "--json"]).json()["of"]["line"].clone();
    assert_eq!((named("Store"), named("Store.Store")), (json!(1), json!(2)));
}

/// A script can distinguish a name that does not exist from a function that nothing calls.
#[test]
fn an_unknown_name_has_the_same_status_in_every_command() {
    let env = Env::with(&[("a.py", "SIZE = 1\n\n\ndef lonely():\n    pass\n")]);
    for command in ["callers", "callees", "references", "implementations", "relate", "tests", "impact", "graph"] {
        env.run(&[command, "zyxwvut"]).failed(&["is called zyxwvut", "check the spelling"]);
    }
    for arguments in [["zyxwvut", "lonely"], ["lonely", "zyxwvut"]] {
        env.run(&["path", arguments[0], arguments[1]]).failed(&["is called zyxwvut"]);
    }
    for (command, status) in [("callers", 1), ("references", 1), ("tests", 1), ("impact", 0)] {
        assert_eq!(env.run(&[command, "lonely"]).code, Some(status), "{command}: nothing uses it");
    }
    assert_eq!(env.run(&["impact", "SIZE"]).code, Some(0), "nothing uses the constant");
}

#[test]
fn equally_close_names_are_listed() {
    let env = Env::with(&[("a.py", "def renew_a():\n    pass\n\n\ndef renew_b():\n    pass\n")]);
    env.run(&["callers", "renew_c"]).failed(&["similar names", "renew_a", "renew_b"]);
}

#[test]
fn all_definitions_of_a_name_are_used_on_request() {
    let unix = "pub fn open() {}\n\npub fn start() { open() }\n";
    let env = Env::with(&[("src/unix.rs", unix), ("src/windows.rs", &unix.replace("start", "begin"))]);
    env.run(&["callers", "open"]).failed(&["matches 2 definitions", "or --all"]);
    let out = env.run(&["callers", "open", "--all"]).found().out;
    assert!(out.contains("start") && out.contains("begin"), "{out}");
    assert_eq!(env.run(&["callers", "open", "--all", "--json"]).found().json_lines().len(), 2);
}
