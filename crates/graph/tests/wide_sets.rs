//! Checks that what many calls share joins none of them: decorators, helpers that get every object
//! of a program, and self references of a package.

use crate::linking::{Edge, Files, linked};
use std::collections::BTreeSet;

/// More functions or types than a points-to set contains.
const MANY: usize = 30;

fn edges(files: &[(&str, String)]) -> BTreeSet<Edge> {
    let files: Files = files.iter().map(|(path, text)| ((*path).to_owned(), text.clone())).collect();
    linked(files).1
}

/// Returns the definitions that a function calls.
fn callees<'e>(edges: &'e BTreeSet<Edge>, caller: &str) -> Vec<&'e str> {
    edges.iter().filter_map(|edge| edge.strip_prefix(&format!("{caller} -> "))).collect()
}

#[test]
fn each_decorated_function_keeps_its_own_name() {
    let mut uses = "from tools import public, register, timed\n".to_owned();
    let mut calls = String::new();
    for n in 0..MANY {
        uses += &format!(
            "@public\ndef plain{n}(): pass\n@register('x')\ndef named{n}(): pass\n@timed\ndef slow{n}(): pass\n"
        );
        calls += &format!("def call{n}():\n    plain{n}()\n    named{n}()\n    slow{n}()\n");
    }
    let tools = "def public(obj):\n    ALL.append(obj)\n    return obj\n\n\
        def register(name):\n    def keep(function):\n        TABLE[name] = function\n        return function\n    return keep\n\n\
        def timed(function):\n    def wrapper(*args):\n        return function(*args)\n    return wrapper\n";
    let edges = edges(&[("tools.py", tools.to_owned()), ("uses.py", uses + &calls)]);
    for n in 0..MANY {
        let [plain, named, slow] = ["plain", "named", "slow"].map(|name| format!("uses.py:{name}{n}"));
        let found = callees(&edges, &format!("uses.py:call{n}"));
        assert_eq!(found, ["tools.py:timed.wrapper", &named, &plain, &slow], "call {n}");
    }
    assert_eq!(callees(&edges, "tools.py:timed.wrapper"), Vec::<&str>::new(), "any of thirty functions");
}

#[test]
fn a_function_that_returns_its_argument_joins_no_calls() {
    for (tools, uses) in [("tools.ts", "uses.ts"), ("tools.js", "uses.js")] {
        let mut text = "import { keep } from './tools'\n".to_owned();
        for n in 0..MANY {
            text += &format!(
                "class Part{n} {{ run() {{}} }}\nfunction call{n}() {{ const part = keep(new Part{n}()); part.run() }}\n"
            );
        }
        let edges = edges(&[(tools, "export function keep(value) { return value }\n".to_owned()), (uses, text)]);
        for n in 0..MANY {
            let found = callees(&edges, &format!("{uses}:call{n}"));
            assert!(found.contains(&&*format!("{uses}:Part{n}.run")), "{found:?}");
            assert_eq!(found.iter().filter(|callee| callee.ends_with(".run")).count(), 1, "{found:?}");
        }
    }
}

#[test]
fn a_call_of_any_of_many_types_names_the_method_of_their_base() {
    let mut text = "class Node:\n    def visit(self): pass\n    def other(self): pass\n\
        def walk(node):\n    node.visit()\n    node.only()\n    node.size()\n"
        .to_owned();
    for n in 0..MANY {
        text +=
            &format!("class Node{n}(Node):\n    def visit(self): pass\n    def only(self): pass\nwalk(Node{n}())\n");
    }
    // `visit` has a common base, `only` has none, and `size` is in unrelated types.
    for n in 0..MANY {
        text += &format!("class Box{n}:\n    def size(self): pass\n");
    }
    let edges = edges(&[("nodes.py", text)]);
    assert_eq!(callees(&edges, "nodes.py:walk"), ["nodes.py:Node.visit"]);
}

#[test]
fn a_package_that_is_the_root_is_imported_by_its_name() {
    let uses = "import shop.prices\nfrom shop import total\nfrom shop.prices import net\nfrom json import decoder\n\
        def caller():\n    shop.prices.gross()\n    total()\n    net()\n    decoder.parse()\n";
    let files = |init: &[(&'static str, String)]| {
        let mut files = vec![
            ("prices.py", "def gross(): pass\ndef net(): pass\n".to_owned()),
            ("decoder.py", "def parse(): pass\n".to_owned()),
            ("uses.py", uses.to_owned()),
        ];
        files.extend(init.iter().cloned());
        files
    };
    let package = edges(&files(&[("__init__.py", "def total(): pass\n".to_owned())]));
    assert_eq!(
        callees(&package, "uses.py:caller"),
        ["__init__.py:total", "prices.py:gross", "prices.py:net"],
        "the root of the tests is named `shop`"
    );
    assert_eq!(callees(&edges(&files(&[])), "uses.py:caller"), Vec::<&str>::new(), "a folder without `__init__.py`");
}

#[test]
fn a_table_may_list_dozens_of_functions() {
    let count = MANY;
    let functions = |form: &dyn Fn(usize) -> String| (0..count).map(form).collect::<String>();
    let python = functions(&|n| format!("def f{n}(x): return x\n"))
        + "T = {"
        + &functions(&|n| format!("'{n}': f{n}, "))
        + "}\ndef go(k): return T[k](1)\n";
    let javascript = functions(&|n| format!("function f{n}(x) {{ return x }}\n"))
        + "const T = {"
        + &functions(&|n| format!("k{n}: f{n}, "))
        + "}\nfunction go(k) { return T[k](1) }\n";
    let go = "package a\n".to_owned()
        + &functions(&|n| format!("func f{n}(x int) int {{ return x }}\n"))
        + "var T = map[string]func(int) int{"
        + &functions(&|n| format!("\"k{n}\": f{n}, "))
        + "}\nfunc goOn(k string) int { return T[k](1) }\n";
    let c = functions(&|n| format!("static int f{n}(int x) {{ return x; }}\n"))
        + "static int (*T[])(int) = {"
        + &functions(&|n| format!("f{n}, "))
        + "};\nint go(int k) { return T[k](1); }\n";
    for (path, text, caller) in
        [("a.py", python, "go"), ("a.js", javascript, "go"), ("a.go", go, "goOn"), ("a.c", c, "go")]
    {
        let edges = edges(&[(path, text)]);
        let found = callees(&edges, &format!("{path}:{caller}"));
        assert_eq!(found.len(), count, "{path}: {found:?}");
    }
}

#[test]
fn the_functions_of_a_table_leave_other_objects_their_places() {
    let mut source = "class Printer:\n".to_owned();
    for n in 0..MANY {
        source += &format!("    def show_{n}(self): pass\n");
    }
    source += "class Plain:\n    def __call__(self): pass\n\
        def find(printer: Printer, name):\n    if name: return getattr(printer, 'show_' + name)\n    return Plain()\n\
        def run(printer: Printer, name):\n    find(printer, name)()\n";
    let edges = edges(&[("a.py", source)]);
    let found = callees(&edges, "a.py:run");
    assert_eq!(found.len(), MANY + 2, "all methods, `find` and `Plain.__call__`: {found:?}");
}

#[test]
fn a_declared_type_tells_what_many_objects_have_in_common() {
    let mut source = "def renew(): pass\nROWS = {'a': renew}\nclass Table:\n    def __init__(self):\n        \
        self.rows = ROWS.copy()\nclass Node:\n    table: Table\n"
        .to_owned();
    source += "def first(node: Node):\n    node.table.rows['a']()\nclass Context:\n    def __init__(self, table: Table):\n        \
        self.table = table\ndef context(node: Node):\n    return Context(node.table)\n\
        def second(context: Context):\n    context.table.rows['a']()\n";
    for n in 0..MANY {
        source += &format!("class Node{n}(Node):\n    def go(self):\n        first(self)\n        context(self)\n");
    }
    let edges = edges(&[("a.py", source)]);
    for caller in ["first", "second"] {
        assert_eq!(callees(&edges, &format!("a.py:{caller}")), ["a.py:renew"], "{caller}");
    }
}
