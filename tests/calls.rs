//! Tests `whichfn callers` and `whichfn callees`: a tree of calls, each with its location, its
//! source line and the reason for the link.

use crate::support::env::Env;
use serde_json::{Value, json};

const SHOP: &str = "from app.price import price


class Basket:
    def total(self):
        return sum(price(item) for item in self.items)

    def pay(self, card):
        card.charge(self.total())
        return self.total()


def checkout(basket: Basket, card):
    return (
        basket
        .pay(card)
    )
";

const PRICE: &str = "def price(item):
    return rounded(item.cost)


def rounded(cost):
    if cost < 0:
        return -rounded(-cost)
    return int(cost)
";

const TEST: &str = "from app.price import price


def test_price():
    assert price(None)
";

fn shop() -> Env {
    Env::with(&[
        ("app/shop.py", SHOP),
        ("app/price.py", PRICE),
        ("a_tests/test_price.py", TEST),
        ("top.py", "from app.price import rounded\n\nrounded(3)\n"),
    ])
}

// ---- what is listed

/// Returns the names that a command lists.
fn listed(ran: &crate::support::env::Ran) -> Vec<String> {
    let value: Value = ran.json();
    let tree = value["tree"].as_array().expect("a tree");
    tree.iter().map(|branch| branch["name"].as_str().expect("a name").to_owned()).collect()
}

#[test]
fn callers_and_callees_can_be_filtered_like_an_answer() {
    let env = shop();
    let callers = |more: &[&str]| listed(&env.run(&[&["callers", "price", "--json"], more].concat()));
    assert_eq!(callers(&[]), ["Basket.total", "test_price"]);
    assert_eq!(callers(&["--no-tests"]), ["Basket.total"]);
    assert_eq!(callers(&["--path", "a_tests/**"]), ["test_price"]);
    assert_eq!(callers(&["--path", "!app/**"]), ["test_price"]);
    assert_eq!(callers(&["--lang", "python"]), ["Basket.total", "test_price"]);
    let ran = env.run(&["callers", "price", "--lang", "go"]).nothing();
    ran.stderr_contains(&["no calls to price found in this repository with these filters, which leave out 2"]);
    let ran = env.run(&["callers", "price", "--no-tests"]).found();
    assert!(ran.out.ends_with("1 more left out by the filters\n"), "{}", ran.out);
    let references = env.run(&["references", "price", "--no-tests", "--json"]).found().json();
    let all = env.run(&["references", "price", "--json"]).found().json();
    let uses = |json: &Value| json["uses"].as_array().expect("uses").len();
    assert_eq!(references["filtered"].as_u64(), Some((uses(&all) - uses(&references)) as u64));
    let callees = |more: &[&str]| listed(&env.run(&[&["callees", "Basket.total", "--json"], more].concat()));
    assert_eq!(callees(&["--path", "app/price.py"]), ["price"]);
    assert_eq!(callees(&["--path", "!app/price.py"]), [""; 0]);
    let counted = env.run(&["callers", "price", "--no-tests"]).found().out;
    assert!(counted.contains("called by 1"), "only what is listed counts: {counted}");
    let used = env.run(&["references", "price", "--path", "a_tests/**"]).found().out;
    assert!(used.contains("a_tests/test_price.py:5") && !used.contains("app/shop.py"), "{used}");
    let related = env.run(&["relate", "price", "--no-tests"]).found().out;
    assert!(related.contains("Basket.total") && !related.contains("test_price"), "{related}");
}

#[test]
fn a_directory_after_the_name_selects_the_repository() {
    let env = shop();
    let root = env.repo();
    let root = root.to_str().expect("text");
    let run = |arguments: &[&str]| {
        env.run_with(arguments, |command| {
            command.current_dir(env.outside("home"));
        })
    };
    for command in ["callers", "callees", "references", "relate"] {
        let named = run(&[command, "price", root]).found().out;
        assert_eq!(named, run(&[command, "price", "--in", root]).found().out, "{command}");
    }
    assert_eq!(run(&["callers", "price", root, "--in", root]).code, Some(2), "one of them");
}

// ---- input that is almost right

#[test]
fn a_mistyped_command_is_suggested_and_the_question_is_answered() {
    let env = shop();
    let ran = env.run(&["callerz", "price"]).found();
    ran.stderr_contains(&["to run the command: whichfn callers price"]);
    env.run(&["rounded price"]).found().without_stderr();
    let ran = env.run(&["test", "Basket.total"]).found();
    ran.stderr_contains(&["to run the command: whichfn tests Basket.total"]);
    env.run(&["chek", "--staged"]).failed(&["no command is called `chek`", "whichfn check --staged"]);
    for (typed, command) in [("chekc", "check"), ("statsu", "status"), ("callesr", "callers <FILE:LINE|NAME>")] {
        let ran = env.run(&[typed]).stderr_contains(&[&format!("to run the command: whichfn {command}")]);
        assert_ne!(ran.code, Some(2), "it is also a question: {ran:#?}");
    }
    for question in ["test", "price", "checks"] {
        assert!(!env.run(&[question]).err.contains("to run the command"), "{question}");
    }
}

/// Options may precede a command, as in git and cargo.
#[test]
fn every_option_may_precede_the_command() {
    let env = shop();
    let index = env.outside("other-index");
    let index = index.to_str().expect("text");
    for (before, command) in [
        (&["--json"][..], &["callers", "price"][..]),
        (&["--color", "never"], &["callers", "price"]),
        (&["--color=never", "-q"], &["callees", "price"]),
        (&["-k", "1"], &["references", "price"]),
        (&["-k1", "--json"], &["refs", "price"]),
        (&["--depth", "3"], &["callers", "price"]),
        (&["--index-dir", index], &["callers", "price"]),
        (&["--max-file-size", "5000"], &["impact", "price"]),
        (&["--in", "."], &["tests", "price"]),
        (&["--all"], &["callers", "price"]),
        (&["--format", "list"], &["tests", "price"]),
        (&["-v"], &["callers", "price"]),
    ] {
        let ran = env.run(&[before, command].concat());
        let behind = env.run(&[command, before].concat());
        assert_eq!((ran.code, ran.out), (behind.code, behind.out), "{before:?} {command:?}");
        assert!(!ran.err.contains("to run the command"), "{before:?} {command:?}: {}", ran.err);
    }
    for (typed, option) in
        [(&["--explain", "callers", "price"], "--explain"), (&["--depth=2", "tests", "price"], "--depth")]
    {
        let ran = env.run(typed);
        assert_eq!(ran.code, Some(2), "{ran:#?}");
        ran.stderr_contains(&[&format!("unexpected argument '{option}' found"), "Usage: whichfn"]);
    }
    let question = env.run(&["-k", "3", "callers", "of", "the", "price", "function"]).found();
    assert!(!question.err.contains("unexpected"), "more words than the command takes: {question:#?}");
    assert!(!env.run(&["--", "callers", "price"]).err.contains("callees"), "no other command is named");
}

#[test]
fn a_line_beyond_the_end_reports_the_last_line() {
    let env = shop();
    for command in ["callers", "callees", "references", "relate", "tests", "impact"] {
        let ran = env.run(&[command, "app/price.py:900"]);
        let ran = ran.stderr_contains(&["app/price.py has no line 900; its last line is 8"]);
        assert!(ran.code != Some(0) && ran.out.is_empty(), "{ran:#?}");
    }
    env.run(&["context", "app/price.py:900"]).failed(&["past the end", "8 lines"]);
    env.run(&["callers", "app/price.py:8"]).found();
}

// ---- output

#[test]
fn callers_are_shown_with_place_reason_and_line() {
    let ran = shop().run(&["callers", "price", "--depth", "3"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    app/price.py:1  price  function · called by 2
    ├─ app/shop.py:6:20  Basket.total  (imported)  return sum(price(item) for item in self.items)
    │  └─ app/shop.py:9:26  Basket.pay  (own member, also 10)  card.charge(self.total())
    │     └─ app/shop.py:16:10  checkout  (known type)  .pay(card)
    └─ a_tests/test_price.py:5:12  test_price  (imported)  assert price(None)
    "#);
}

#[test]
fn callees_are_in_the_order_in_which_they_are_called() {
    let ran = shop().run(&["callees", "Basket.pay", "--depth", "9"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    app/shop.py:8  Basket.pay  method · calls 1
    └─ app/shop.py:5  Basket.total  (own member, line 9, also 10)  card.charge(self.total())
       └─ app/price.py:1  price  (imported, line 6)  return sum(price(item) for item in self.items)
          └─ app/price.py:5  rounded  (in scope, line 2)  return rounded(item.cost)
             └─ app/price.py:5  rounded  (in scope, line 7, ↻ recursion)  return -rounded(-cost)
    "#);
}

#[test]
fn without_a_depth_only_direct_calls_are_shown() {
    let env = shop();
    let out = env.run(&["callers", "rounded"]).found().out;
    assert!(out.contains("price") && out.contains("top.py:3") && !out.contains("Basket"), "{out}");
}

#[test]
fn a_type_includes_its_members_and_skips_calls_between_them() {
    let env = shop();
    insta::assert_snapshot!(env.run(&["callers", "Basket"]).found().out, @r#"
    app/shop.py:4  Basket  class · called by 1
    └─ app/shop.py:16:10  checkout  (known type, calls Basket.pay)  .pay(card)
    to list all uses: whichfn references Basket
    "#);
    insta::assert_snapshot!(env.run(&["callees", "app/shop.py"]).found().out, @r#"
    app/shop.py:1  shop  module · calls 1
    └─ app/price.py:1  price  (imported, in Basket.total)  return sum(price(item) for item in self.items)
    "#);
}

#[test]
fn a_multiline_call_has_the_line_of_its_name() {
    let value = shop().run(&["callers", "pay", "--json"]).found().json();
    let call = &value["tree"][0]["calls"][0];
    assert_eq!((&call["line"], &call["column"], &call["text"]), (&json!(16), &json!(10), &json!(".pay(card)")));
}

#[test]
fn each_call_of_a_chain_has_the_line_of_its_name() {
    let chain = |object: &str| format!("{object}\n.up()\n.up()\n.up()");
    let rust = format!("struct A; impl A {{ fn up(self) -> A {{ self }} }}\nfn go(a: A) {{\n{}; }}\n", chain("a"));
    let java = format!("class A {{ A up() {{ return this; }} static void go(A a) {{\n\n{}; }} }}\n", chain("a"));
    let python = format!("class A:\n    def up(self): return self\ndef go(a: A): return ({})\n", chain("a"));
    let typescript = format!("class A {{ up() {{ return this; }} }}\nfunction go(a: A) {{\n{}; }}\n", chain("a"));
    let ruby = format!("class A\n  def up = self\nend; def go(a = A.new) = {}\n", chain("a"));
    let kotlin = format!("class A {{ fun up(): A = this }}\nfun go(a: A) {{\n{} }}\n", chain("a"));
    for (path, text) in
        [("a.rs", rust), ("A.java", java), ("a.py", python), ("a.ts", typescript), ("a.rb", ruby), ("a.kt", kotlin)]
    {
        let value = Env::with(&[(path, &text)]).run(&["callers", "up", "--json"]).found().json();
        let calls = value["tree"][0]["calls"].as_array().expect("calls").clone();
        let places: Vec<_> = calls.iter().map(|call| (call["line"].as_u64(), call["column"].as_u64())).collect();
        assert_eq!(places, [4, 5, 6].map(|line| (Some(line), Some(2))), "{path}: {value}");
    }
}

#[test]
fn all_calls_of_a_directory_are_those_of_each_definition() {
    let env = shop();
    let value = env.run(&["graph", "--calls", "--json"]).found().without_stderr().json();
    let definitions = value["definitions"].as_array().expect("list");
    let name = |id: &Value| definitions[id.as_u64().expect("id") as usize]["qualified_name"].as_str().expect("name");
    let mut calls: Vec<String> = Vec::new();
    for call in value["calls"].as_array().expect("list") {
        let (caller, callee) = (name(&call["caller"]), name(&call["callee"]));
        calls.push(format!(
            "{caller} {}:{} {callee} {}",
            call["line"],
            call["column"],
            call["reason"].as_str().expect("reason")
        ));
    }
    calls.sort();
    assert_eq!(
        calls,
        [
            "Basket.pay 10:21 Basket.total receiver",
            "Basket.pay 9:26 Basket.total receiver",
            "Basket.total 6:20 price import",
            "checkout 16:10 Basket.pay type",
            "price 2:12 rounded scope",
            "rounded 7:17 rounded scope",
            "test_price 5:12 price import",
            "top 3:1 rounded import",
        ]
    );
    env.run(&["graph", "price", "--calls"]).failed(&["--calls prints a whole directory"]);
}

#[test]
fn kinds_of_definitions_are_those_of_any_language() {
    let env = Env::with(&[
        ("a.py", "class A:\n    def __init__(self): pass\n    def m(self): pass\n"),
        ("b.rs", "struct B;\nfn f() {}\n"),
    ]);
    let value = env.run(&["graph", "--calls"]).found().json();
    let definitions = value["definitions"].as_array().expect("list").iter();
    let kinds: Vec<&str> = definitions.map(|definition| definition["kind"].as_str().expect("kind")).collect();
    assert_eq!(kinds, ["module", "type", "constructor", "method", "module", "type", "function"]);
}

#[test]
fn json_has_the_shape_of_the_contract() {
    let value = shop().run(&["callers", "price", "--json", "--depth", "2"]).found().without_stderr().json();
    let expected = json!({
        "direct": 2,
        "direction": "callers",
        "left_out": 0,
        "of": {
            "end_line": 2,
            "kind": "function",
            "line": 1,
            "name": "price",
            "path": "app/price.py",
            "start_line": 1
        },
        "tree": [
            {
                "calls": [
                    {
                        "column": 20,
                        "line": 6,
                        "path": "app/shop.py",
                        "reason": "import",
                        "text": "return sum(price(item) for item in self.items)"
                    }
                ],
                "end_line": 6,
                "kind": "method",
                "left_out": 0,
                "line": 5,
                "name": "Basket.total",
                "path": "app/shop.py",
                "start_line": 5,
                "tree": [
                    {
                        "calls": [
                            {
                                "column": 26,
                                "line": 9,
                                "path": "app/shop.py",
                                "reason": "receiver",
                                "text": "card.charge(self.total())"
                            },
                            {
                                "column": 21,
                                "line": 10,
                                "path": "app/shop.py",
                                "reason": "receiver",
                                "text": "return self.total()"
                            }
                        ],
                        "end_line": 10,
                        "kind": "method",
                        "left_out": 0,
                        "line": 8,
                        "name": "Basket.pay",
                        "path": "app/shop.py",
                        "start_line": 8,
                        "tree": []
                    }
                ]
            },
            {
                "calls": [
                    {
                        "column": 12,
                        "line": 5,
                        "path": "a_tests/test_price.py",
                        "reason": "import",
                        "text": "assert price(None)"
                    }
                ],
                "end_line": 5,
                "kind": "function",
                "left_out": 0,
                "line": 4,
                "name": "test_price",
                "path": "a_tests/test_price.py",
                "start_line": 4,
                "tree": []
            }
        ],
        "version": 1
    });
    assert_eq!(value, expected);
}

// ---- limits

#[test]
fn a_limit_keeps_the_nearest_and_counts_the_rest() {
    let env = shop();
    let most = |k: &str| env.run(&["callers", "price", "--depth", "3", "-k", k, "--json"]).found().json();
    assert_eq!(most("1")["tree"][0]["name"], "Basket.total");
    assert_eq!(
        (&most("1")["direct"], &most("1")["left_out"]),
        (&json!(2), &json!(2)),
        "the other caller, and a caller's caller"
    );
    assert_eq!(most("2")["tree"].as_array().map(Vec::len), Some(2), "both callers come before callers of callers");
    assert_eq!(most("9")["left_out"], 0);
    let out = env.run(&["callers", "price", "-k", "1"]).found().out;
    assert!(out.ends_with("└─ 1 more\n1 more not shown (use -k N to show more)\n"), "{out}");
    env.run(&["callers", "price", "--depth", "0"]).failed(&["--depth 0", "pass a number of at least 1"]);
    env.run(&["callees", "price", "-k", "0"]).failed(&["-k 0", "pass a number of at least 1"]);
}

#[test]
fn a_cycle_is_shown_once_with_a_mark() {
    let env = Env::with(&[
        ("ping.py", "import pong\n\n\ndef ping(n):\n    return pong.pong(n)\n"),
        ("pong.py", "import ping\n\n\ndef pong(n):\n    return ping.ping(n)\n"),
    ]);
    let ran = env.run(&["callees", "ping.py:ping", "--depth", "100"]).found();
    assert_eq!(ran.out.lines().count(), 3, "{ran:#?}");
    assert!(ran.out.lines().last().is_some_and(|line| line.contains("ping.py:4  ping") && line.contains("recursion")));
}

#[test]
fn a_repeated_caller_is_followed_once() {
    let text = "def a():\n    b()\n    c()\n\n\ndef b():\n    d()\n\n\ndef c():\n    d()\n\n\ndef d():\n    e()\n\n\ndef e():\n    pass\n";
    let env = Env::with(&[("all.py", text)]);
    let out = env.run(&["callees", "a", "--depth", "9"]).found().out;
    assert_eq!((out.matches("  d  ").count(), out.matches("  e  ").count()), (2, 1), "{out}");
    assert!(out.contains("followed elsewhere"), "{out}");
}

#[test]
fn a_chain_as_long_as_a_file_ends_at_a_hundred() {
    let text: String = (0..3000).map(|i| format!("def f{i}():\n    f{}()\n\n\n", i + 1)).collect();
    let env = Env::with(&[("chain.py", &text)]);
    let out = env.run(&["callees", "f0", "--depth", "1000000", "-k", "1000000"]).found().out;
    assert_eq!(out.lines().count(), 101);
}

// ---- missing results and names

/// The npm packages ws and underscore have this shape: the exported value has a member that is the
/// export itself.
#[test]
fn a_file_that_returns_itself_is_linked() {
    let a = "class A {\n  go() {\n    return A.step();\n  }\n  static step() {}\n}\nA.prototype.y = 1;\nmodule.exports = A;\n";
    let env = Env::with(&[("index.js", "const A = require('./a');\nA.A = A;\nmodule.exports = A;\n"), ("a.js", a)]);
    let ran = env.run(&["callees", "go"]).found();
    assert!(ran.out.contains("A.step"), "{ran:#?}");
}

#[test]
fn no_callers_is_reported_on_standard_error() {
    let env = shop();
    let ran = env.run(&["callers", "checkout"]).nothing();
    let ran = ran.stderr_contains(&["no calls to checkout found in this repository"]);
    assert_eq!(ran.out, "");
    env.write("leaf.py", "def leaf():\n    pass\n");
    env.run(&["callees", "leaf"]).nothing().stderr_contains(&["no calls from leaf to this repository"]);
    assert_eq!(env.run(&["callers", "checkout", "--json"]).nothing().json()["tree"], json!([]));
}

#[test]
fn names_are_resolved_as_in_relate() {
    let env = shop();
    env.write("other.py", "def price():\n    pass\n");
    env.run(&["callers", "price"]).failed(&["price matches 2 definitions", "such as app/price.py:1"]);
    env.run(&["callers", "app/price.py:2"]).found();
    env.run(&["callers", "chekout"])
        .nothing()
        .stderr_contains(&["no function, type or file is called chekout; using app/shop.py:13  checkout"]);
    env.run(&["callers", "price.py:price", "--in", "."]).found();
}

/// A resource in Terraform, a method in R and a function in Bash have separators in their own names.
#[test]
fn a_name_may_contain_separators_itself() {
    let env = Env::with(&[
        (
            "main.tf",
            "resource \"aws_vpc\" \"this\" {\n  cidr = 1\n}\n\nresource \"aws_subnet\" \"public\" {\n  vpc = aws_vpc.this.id\n}\n\n\
             data \"aws_ami\" \"linux\" {\n  owners = [\"self\"]\n}\n",
        ),
        (
            "session.R",
            "print.session <- function(x) 1\n\nshow <- function(s) print.session(s)\n\n\
             Clock <- R6::R6Class(\"Clock\", public = list(\n  read = function() { 1 }\n))\n",
        ),
        ("log.sh", "log::info() { echo \"$1\"; }\nmain() { log::info hi; }\n"),
    ]);
    for (name, caller) in [
        ("aws_vpc.this", "aws_subnet.public"),
        ("aws_vpc::this", "aws_subnet.public"),
        ("main.aws_vpc.this", "aws_subnet.public"),
        ("main.tf:aws_vpc.this", "aws_subnet.public"),
        ("print.session", "show"),
        ("log::info", "main"),
    ] {
        let json = env.run(&["callers", name, "--json"]).found().json();
        assert_eq!(json["tree"][0]["name"], caller, "{name}");
    }
    env.run(&["callees", "Clock$read"]).nothing().stderr_contains(&["no calls from Clock$read"]);
    env.run(&["relate", "aws_vpc.this"]).found();
    let ran = env.run(&["callers", "aws_ami.linux"]).nothing();
    ran.stderr_contains(&["using main.tf:9  data.aws_ami.linux"]);
}

#[test]
fn a_name_of_more_than_200_letters_gets_no_suggestion() {
    let (short, long) = ("d".repeat(190), "d".repeat(210));
    let env = Env::with(&[(&format!("{short}/a.py"), "x = 1\n"), (&format!("{long}/a.py"), "x = 1\n")]);
    env.run(&["callers", &format!("{short}/b.py")]).failed(&["similar names", "/a.py"]);
    let ran = env.run(&["callers", &format!("{long}/b.py")]).failed(&["no function, type or file is called"]);
    assert!(!ran.err.contains("similar"), "{}", ran.err);
}

/// With `--no-update`, a file may differ from the state that was indexed.
#[test]
fn text_that_changed_since_indexing_is_not_shown() {
    let env = shop();
    env.run(&["index"]).found();
    env.write("app/shop.py", "# nothing\n");
    let ran = env.run(&["callers", "price", "--no-update"]).found();
    let ran = ran.stderr_contains(&["skipped the text of app/shop.py"]);
    assert!(ran.out.contains("app/shop.py:6:1  Basket.total") && !ran.out.contains("sum("), "{ran:#?}");
}

#[test]
fn vimgrep_has_a_line_for_each_call_with_its_byte() {
    let env =
        Env::with(&[("a.py", "def draw(x):\n    return x\n\n\ndef all(x):\n    ö = 1; return draw(x), draw(ö)\n")]);
    let ran = env.run(&["callers", "draw", "--format", "vimgrep"]).found().without_stderr();
    let text = "all: ö = 1; return draw(x), draw(ö)";
    assert_eq!(ran.out, format!("a.py:6:20:{text}\na.py:6:29:{text}\n"));
}

#[test]
fn a_method_in_several_parts_is_found_by_its_whole_name_and_by_its_first_part() {
    let env = Env::with(&[(
        "list.m",
        "@interface List : NSObject\n@end\n@implementation List\n- (void)add:(id)value forKey:(id)key {\n}\n- (void)fill {\n    [self add:@1 \
         forKey:@\"a\"];\n}\n@end\n",
    )]);
    for name in ["add:forKey:", "List.add:forKey:", "add", "List.add", "list.m:add:forKey:", "list.m:add"] {
        let json = env.run(&["callers", name, "--json"]).found().json();
        assert_eq!(json["tree"][0]["name"], "List.fill", "{name}");
    }
    env.run(&["callers", "List.add:"]).failed(&["no function, type or file is called List.add:"]);
}

#[test]
fn a_function_that_is_passed_to_a_library_is_called_there() {
    let pool = "def store(x):\n    return x\n\n\ndef run(pool):\n    pool.submit(store, 1)\n";
    let env = Env::with(&[("pool.py", pool)]);
    insta::assert_snapshot!(env.run(&["callers", "store"]).found().out, @r#"
    pool.py:1  store  function · called by 1
    └─ pool.py:6:17  run  (passed to a library)  pool.submit(store, 1)
    "#);
    let value = env.run(&["callers", "store", "--json"]).found().json();
    assert_eq!(value["tree"][0]["calls"][0]["reason"], "passed");
}

#[test]
fn a_function_that_is_only_stored_has_no_callers_but_uses() {
    let pool = "def store(x):\n    return x\n\n\ndef run(pool):\n    pool.first = store\n    pool.second = store\n";
    let env = Env::with(&[
        ("pool.py", pool),
        ("Shop.cs", "class Shop {\n    void Save() { }\n    void Start() { Changed += Save; }\n}\n"),
        ("page.dart", "class Page {\n  void _tap() {}\n  build(b) { b.onTap = _tap; }\n}\n"),
        ("end.c", "static void finish(void) {}\nint main(void) { last->end = finish; return 0; }\n"),
        ("tap.kt", "class Tap {\n  fun tap() {}\n  fun go(b: Button) { b.onClick = ::tap }\n}\n"),
        ("Job.java", "class Job { void work() {} void go(Pool pool) { pool.job = this::work; } }\n"),
        ("done.ts", "function done() {}\nhandlers.done = done;\n"),
        ("main.go", "package main\n\nfunc handle() {}\n\nfunc main() { http.handler = handle }\n"),
        ("lonely.py", "def lonely():\n    pass\n"),
    ]);
    let names = ["store", "Shop.Save", "Page._tap", "finish", "Tap.tap", "Job.work", "done", "handle"];
    for (name, uses) in names.into_iter().zip([2, 1, 1, 1, 1, 1, 1, 1]) {
        let value = env.run(&["callers", name, "--json"]).json();
        assert_eq!((&value["direct"], &value["uses"]), (&json!(0), &json!(uses)), "{name}: {value}");
        let words = if uses == 1 { "but 1 other use" } else { "but 2 other uses" };
        env.run(&["callers", name]).nothing().stderr_contains(&["no calls to ", words, "whichfn references "]);
    }
    let lonely = env.run(&["callers", "lonely"]).nothing();
    assert!(!lonely.err.contains("references"), "{lonely:#?}");
    let asked = env.run(&["who calls store"]);
    assert!(
        asked.out.contains("no callers of store are known, but 2 other uses (whichfn references store)"),
        "{asked:#?}"
    );
}

#[test]
fn imports_through_the_maps_of_a_package_are_linked() {
    let imports = r##"{ "name": "me", "imports": { "#u/*": "./src/*.ts", "#one": { "node": "./src/one.js", "default": "./none.js" } } }"##;
    let exports = r#"{ "name": "@acme/core", "exports": { ".": "./src/index.ts", "./deep": "./src/inner/mod.ts", "./all/*": { "import": "./src/all/*.js" } } }"#;
    let env = Env::with(&[
        ("package.json", imports),
        ("src/one.ts", "export function one() { return 1 }\n"),
        ("other/one.ts", "export function one() { return 2 }\n"),
        ("src/star.ts", "import { one } from '#u/one'\nexport function viaStar() { return one() }\n"),
        ("src/name.ts", "import { one } from '#one'\nexport function viaName() { return one() }\n"),
        ("core/package.json", exports),
        ("core/src/index.ts", "export function index() { return 1 }\n"),
        ("core/src/inner/mod.ts", "export function deep() { return 1 }\n"),
        ("core/src/all/part.ts", "export function part() { return 1 }\n"),
        (
            "use/x.ts",
            "import { index } from '@acme/core'\nimport { deep } from '@acme/core/deep'\nimport { part } from '@acme/core/all/part'\n\
             export function useIndex() { return index() }\nexport function useDeep() { return deep() }\n\
             export function usePart() { return part() }\n",
        ),
    ]);
    let callers = |of: &str| env.run(&["callers", of]).found().out;
    let of_one = callers("src/one.ts:1");
    assert!(of_one.contains("viaStar") && of_one.contains("viaName"), "{of_one}");
    for (of, caller) in [("index", "useIndex"), ("deep", "useDeep"), ("part", "usePart")] {
        assert!(callers(of).contains(caller), "{of}");
    }
}

#[test]
fn a_type_includes_its_methods_outside_its_body() {
    let env = Env::with(&[
        ("store.go", "package shop\n\ntype Store struct{}\n\nfunc (s *Store) Save() {}\n"),
        ("run.go", "package shop\n\nfunc Run(s *Store) {\n\ts.Save()\n}\n"),
        ("purse.rs", "pub struct Purse;\n"),
        ("fill.rs", "use crate::purse::Purse;\n\nimpl Purse {\n    pub fn fill(&self) {}\n}\n"),
        ("pay.rs", "use crate::purse::Purse;\n\nfn pay(purse: Purse) {\n    purse.fill();\n}\n"),
        ("lib.rs", "mod fill;\nmod pay;\nmod purse;\n"),
        ("shape.h", "class Shape {\n public:\n  Shape(int sides);\n  int sides;\n};\n"),
        ("shape.cpp", "#include \"shape.h\"\nShape::Shape(int sides) : sides(sides) {}\n"),
        ("draw.cpp", "#include \"shape.h\"\nint draw() {\n  Shape shape(3);\n  return shape.sides;\n}\n"),
    ]);
    for (of, caller, call) in [
        ("Store", "run.go:4:4", "calls Store.Save"),
        ("Purse", "pay.rs:4:11", "calls Purse::fill"),
        // The name of the constructor is that of the type, and means the type.
        ("Shape", "draw.cpp:3:9", "calls Shape::Shape"),
    ] {
        let out = env.run(&["callers", of]).found().out;
        assert!(out.contains("called by 1") && out.contains(caller) && out.contains(call), "{of}: {out}");
    }
}
