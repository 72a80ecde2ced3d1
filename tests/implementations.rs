//! Tests `whichfn implementations`, and calls that may be dispatched to an implementation.

use crate::support::env::Env;
use serde_json::{Value, json};
use std::fmt::Write;

const DOORS: &str = "class Door:
    def open(self):
        raise NotImplementedError

    def visit(self):
        return self.open()


class Gate(Door):
    def open(self):
        return 'gate'


class Hatch(Door):
    def open(self):
        return super().open()


class Portcullis(Gate):
    pass


def enter(door: Door):
    return door.open()
";

fn house() -> Env {
    Env::with(&[
        ("doors.py", DOORS),
        (
            "tests/test_doors.py",
            "from doors import Door\n\n\nclass Fake(Door):\n    def open(self):\n        return 1\n",
        ),
    ])
}

/// Doors that each open differently, in a language with one file for all of them.
fn many(count: usize) -> Env {
    let mut text = "class Door:\n    def open(self): pass\n\ndef enter(door: Door):\n    door.open()\n    leave()\n\ndef leave(): pass\n".to_owned();
    for number in 0..count {
        let _ = write!(text, "class Door{number}(Door):\n    def open(self): pass\n");
    }
    Env::with(&[("doors.py", &text)])
}

fn names(tree: &Value) -> Vec<String> {
    tree["tree"].as_array().expect("list").iter().map(|one| one["name"].as_str().expect("name").to_owned()).collect()
}

#[test]
fn subtypes_are_a_tree_with_tests_last() {
    let ran = house().run(&["implementations", "Door"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    doors.py:1  Door  class · 4 below
    ├─ doors.py:9  Gate  (extends)  class Gate(Door)
    │  └─ doors.py:19  Portcullis  (extends)  class Portcullis(Gate)
    ├─ doors.py:14  Hatch  (extends)  class Hatch(Door)
    └─ tests/test_doors.py:4  Fake  (extends)  class Fake(Door)
    ");
}

#[test]
fn overrides_of_a_method_and_the_way_back() {
    let env = house();
    let ran = env.run(&["impls", "Door.open"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    doors.py:2  Door.open  method · 3 below
    ├─ doors.py:10  Gate.open  (overrides)  def open(self)
    ├─ doors.py:15  Hatch.open  (overrides)  def open(self)
    └─ tests/test_doors.py:5  Fake.open  (overrides)  def open(self)
    ");
    let ran = env.run(&["impls", "Hatch.open", "--up"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    doors.py:15  Hatch.open  method · 1 above
    └─ doors.py:2  Door.open  (overridden)  def open(self)
    ");
    let above = env.run(&["impls", "Portcullis", "--up", "--json"]).found().json();
    assert_eq!(names(&above), ["Gate"]);
    assert_eq!(names(&above["tree"][0]), ["Door"]);
}

/// A subtype of one that is left out moves up.
#[test]
fn implementations_can_be_filtered_like_an_answer() {
    let env = house();
    let listed = |more: &[&str]| names(&env.run(&[&["impls", "Door", "--json"], more].concat()).found().json());
    assert_eq!(listed(&[]), ["Gate", "Hatch", "Fake"]);
    assert_eq!(listed(&["--no-tests"]), ["Gate", "Hatch"]);
    assert_eq!(listed(&["--path", "tests/**"]), ["Fake"]);
    let ran = env.run(&["impls", "Door", "--lang", "go"]).nothing();
    ran.stderr_contains(&["no implementations of Door found in this repository with these filters"]);
}

#[test]
fn json_and_vimgrep_have_the_shape_of_the_contract() {
    let env = house();
    let value = env.run(&["implementations", "Door.open", "-k", "1", "--json"]).found().json();
    assert_eq!(
        value,
        json!({
            "version": 1,
            "direction": "down",
            "of": {"path": "doors.py", "start_line": 2, "end_line": 3, "line": 2, "name": "Door.open", "kind": "method"},
            "direct": 3,
            "total": 3,
            "left_out": 2,
            "tree": [{
                "path": "doors.py", "start_line": 10, "end_line": 11, "line": 10, "name": "Gate.open", "kind": "method",
                "signature": "def open(self)", "relation": "overrides", "left_out": 0, "tree": [],
            }],
        })
    );
    let ran = env.run(&["implementations", "Gate", "--format", "vimgrep"]).found();
    assert_eq!(ran.out, "doors.py:19:1:Portcullis: class Portcullis(Gate)\n");
}

#[test]
fn a_definition_without_implementations_is_reported_on_standard_error() {
    let env = house();
    let none = "no implementations of enter found in this repository";
    env.run(&["implementations", "enter"]).nothing().stderr_contains(&[none]);
    let none = "Door implements and overrides nothing in this repository";
    env.run(&["implementations", "Door", "--up"]).nothing().stderr_contains(&[none]);
    env.run(&["implementations", "Doorr"]).found().stderr_contains(&["using doors.py:1  Door"]);
    env.run(&["implementations", "Dxxr"]).failed(&["no function, type or file is called Dxxr"]);
    env.run(&["implementations", "Door", "-k", "0"]).failed(&["-k"]);
}

#[test]
fn a_name_shared_by_a_type_and_its_constructor_means_the_type() {
    let text = "class Door { Door() {} }\nclass Gate extends Door { Gate() { super(); } }\n";
    let value = Env::with(&[("Door.java", text)]).run(&["implementations", "Door", "--json"]).found().json();
    assert_eq!(names(&value), ["Gate"]);
}

#[test]
fn a_call_of_a_method_may_be_dispatched_to_its_overrides() {
    let env = house();
    let ran = env.run(&["callees", "enter"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    doors.py:23  enter  function · calls 3
    ├─ doors.py:2  Door.open  (known type, line 24)  return door.open()
    ├─ doors.py:10  Gate.open  (may dispatch to, line 24)  return door.open()
    └─ doors.py:15  Hatch.open  (may dispatch to, line 24)  return door.open()
    ");
    let ran = env.run(&["callers", "Gate.open"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    doors.py:10  Gate.open  method · called by 2
    ├─ doors.py:6:21  Door.visit  (may dispatch to)  return self.open()
    └─ doors.py:24:17  enter  (may dispatch to)  return door.open()
    ");
    let super_call = env.run(&["callees", "Hatch.open", "--json"]).found().json();
    assert_eq!(names(&super_call), ["Door.open"], "super().open() means exactly that method");
}

#[test]
fn all_calls_contain_dispatched_ones() {
    let value = house().run(&["graph", "--calls", "--json"]).found().json();
    let definitions = value["definitions"].as_array().expect("list");
    let name = |id: &Value| definitions[id.as_u64().expect("id") as usize]["qualified_name"].as_str().expect("name");
    let calls = value["calls"].as_array().expect("list").iter().filter(|call| name(&call["caller"]) == "enter");
    let calls: Vec<_> = calls.map(|call| (name(&call["callee"]), call["reason"].as_str().expect("reason"))).collect();
    assert_eq!(calls, [("Door.open", "type"), ("Gate.open", "dispatch"), ("Hatch.open", "dispatch")]);
}

#[test]
fn only_a_test_runs_what_a_test_implements() {
    let fake = "from doors import Door\n\n\nclass Fake(Door):\n    def open(self):\n        return 1\n\n\ndef test_open(door: Door):\n    door.open()\n";
    let env = Env::with(&[("doors.py", DOORS), ("tests/test_doors.py", fake)]);
    let ends = |command: &str, name: &str| names(&env.run(&[command, name, "--json"]).found().json());
    assert_eq!(ends("callees", "enter"), ["Door.open", "Gate.open", "Hatch.open"]);
    assert_eq!(ends("callees", "test_open"), ["Door.open", "Gate.open", "Hatch.open", "Fake.open"]);
    assert_eq!(ends("callers", "Fake.open"), ["test_open"]);
}

#[test]
fn a_method_of_a_ruby_class_overrides_only_methods_of_classes() {
    let text = "class Base
  def self.process; end
  def process; end
end
class Left < Base
  def process; end
end
class Right < Base
  def self.process; end
end
def type = Base.process
def object = Base.new.process
";
    let env = Env::with(&[("a.rb", text)]);
    let lines = |caller: &str| -> Vec<Value> {
        let value = env.run(&["callees", caller, "--json"]).found().json();
        let tree = value["tree"].as_array().expect("list").iter();
        tree.filter(|one| one["kind"] == "method").map(|one| one["line"].clone()).collect()
    };
    assert_eq!(lines("type"), [2, 9]);
    assert_eq!(lines("object"), [3, 6]);
}

/// A call on the receiver runs on an object of the type around it, and one of the base's method
/// (`super`) runs exactly that one.
#[test]
fn a_call_on_the_receiver_is_dispatched_to_no_sibling() {
    let doors = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        doors(
            "a.py",
            "class Door:
    def open(self): pass
class Hatch(Door):
    def visit(self): return self.open()
class Gate(Door):
    def open(self): pass
    def shut(self): return super().open()
class Portal(Hatch):
    def open(self): pass
",
        ),
        doors(
            "B.java",
            "class Door { int open() { return 1; } }
class Hatch extends Door { int visit() { return open(); } }
class Gate extends Door { int open() { return 2; } int shut() { return super.open(); } }
class Portal extends Hatch { int open() { return 3; } }
",
        ),
        doors(
            "c.ts",
            "class Door { open() { return 1; } }
class Hatch extends Door { visit() { return this.open(); } }
class Gate extends Door { open() { return 2; } shut() { return super.open(); } }
class Portal extends Hatch { open() { return 3; } }
",
        ),
    ];
    for (path, text) in &files {
        let env = Env::with(&[(path, text)]);
        let ends = |command: &str, name: &str| names(&env.run(&[command, name, "--json"]).found().json());
        assert_eq!(ends("callees", "Hatch.visit"), ["Door.open", "Portal.open"], "{path}");
        assert_eq!(ends("callees", "Gate.shut"), ["Door.open"], "{path}");
        assert_eq!(ends("callers", "Portal.open"), ["Hatch.visit"], "{path}");
        env.run(&["callers", "Gate.open"]).nothing();
        let value = env.run(&["graph", "--calls", "--json"]).found().json();
        assert_eq!(value["calls"].as_array().expect("list").len(), 3, "{path}");
    }
}

#[test]
fn ten_thousand_overrides_give_a_bounded_answer() {
    let env = many(10_000);
    let value = env.run(&["callees", "enter", "--json"]).found().json();
    let shown = names(&value);
    assert_eq!((&shown[..2], shown.len()), (&["Door.open".to_owned(), "leave".to_owned()][..], 40));
    assert_eq!(value["left_out"], 10_002 - 40);
    let value = env.run(&["implementations", "Door", "--json"]).found().json();
    assert_eq!((names(&value).len(), &value["total"]), (40, &json!(10_000)));
    let calls = env.run(&["graph", "--calls", "--json"]).found().json();
    assert_eq!(calls["calls"].as_array().expect("list").len(), 102, "a hundred for each call");
}

#[test]
fn a_long_chain_of_types_and_a_cycle_end() {
    let mut text = "class T0: pass\n".to_owned();
    for number in 1..5_000 {
        let _ = writeln!(text, "class T{number}(T{}): pass", number - 1);
    }
    let env = Env::with(&[("chain.py", &text), ("cycle.py", "class A(B): pass\nclass B(A): pass\n")]);
    let value = env.run(&["implementations", "T0", "-k", "10000", "--json"]).found().json();
    assert_eq!((&value["total"], &value["left_out"]), (&json!(4_999), &json!(4_949)));
    let value = env.run(&["implementations", "A", "--json"]).found().json();
    assert_eq!(names(&value), ["B"]);
}

#[test]
fn a_python_class_implements_a_protocol_by_having_its_methods() {
    let source = "import typing as t


class Printable(t.Protocol):
    def print(self, out): ...


class Generic(t.Protocol[t.T]):
    def print(self, out): ...
    def measure(self): ...


class Row:
    def print(self, out):
        out.write(1)


class Plain:
    def print(self):
        return 1


def show(what: Printable, out):
    what.print(out)
";
    let ran = Env::with(&[("show.py", source)]).run(&["implementations", "Printable"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    show.py:4  Printable  interface · 1 below
    └─ show.py:13  Row  (has its methods)  class Row
    ");
    let ran = Env::with(&[("show.py", source)]).run(&["callees", "show"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    show.py:23  show  function · calls 2
    ├─ show.py:5  Printable.print  (known type, line 24)  what.print(out)
    └─ show.py:14  Row.print  (may dispatch to, line 24)  what.print(out)
    ");
}
