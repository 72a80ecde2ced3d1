//! Checks that calls through structs and tables of functions are linked. A field is one variable for
//! all objects of its type. Each test lists all calls of a few lines of code.

use super::names::calls;

const C_OPERATIONS: &str = "
typedef int (*close_t)(int);
struct dev;
struct ops { const char *name; int flags; int (*open)(int); close_t close; struct dev *(*make)(int); };
struct dev { struct ops *ops; };
";

#[test]
fn a_c_struct_of_function_pointers_is_filled_by_names() {
    let source = "
#include \"ops.h\"
static int d_open(int a) { return a; }
static int d_close(int a) { return a; }
static const struct ops disk = { .name = \"disk\", .close = d_close, .open = d_open };
int direct(void) { return disk.open(1); }
int through(const struct ops *o) { return o->close(1); }
int deep(struct dev *d) { return d->ops->open(1); }
int starred(struct ops *o) { return (*o->close)(1); }
";
    assert_eq!(
        calls(&[("ops.c", source), ("ops.h", C_OPERATIONS)]),
        ["deep -> d_open", "direct -> d_open", "starred -> d_close", "through -> d_close"]
    );
}

#[test]
fn a_c_struct_of_function_pointers_is_filled_by_positions() {
    let source = "
#include \"ops.h\"
static int d_open(int a) { return a; }
static int d_close(int a) { return a; }
static struct dev *d_make(int a) { return 0; }
static struct ops table[] = { { \"a\", 1, d_open, &d_close, d_make } };
int look(int i) { return table[i].open(1); }
int through(struct ops *o) { return o->close(1); }
int made(struct ops *o) { return o->make(1)->ops->open(2); }
";
    assert_eq!(
        calls(&[("ops.c", source), ("ops.h", C_OPERATIONS)]),
        ["look -> d_open", "made -> d_make", "made -> d_open", "through -> d_close"]
    );
}

#[test]
fn a_c_value_after_one_with_a_name_belongs_to_the_next_field() {
    let functions = "
static int one(int a) { return a; }
static int two(int a) { return a; }
static int three(int a) { return a; }
";
    let ops = "struct ops { int flags; int (*open)(int); int (*close)(int); int (*read)(int); };\n";
    let other = "struct other { int (*close)(int); };\n";
    let users = "
int open(struct ops *o) { return o->open(1); }
int close(struct ops *o) { return o->close(1); }
int read(struct ops *o) { return o->read(1); }
";
    let source = |table: &str, types: &str| format!("{functions}{types}{table}{users}");
    let after = "struct ops t = { .close = one, two, .open = three };";
    let expected = ["close -> one", "open -> three", "read -> two"];
    assert_eq!(calls(&[("a.c", &source(after, ops))]), expected);
    assert_eq!(calls(&[("a.c", &source(after, &format!("{ops}{other}")))]), expected, "only one type has all fields");
    let first = "struct ops t = { 0, one, .read = two };";
    assert_eq!(calls(&[("a.c", &source(first, ops))]), ["open -> one", "read -> two"]);
    let elsewhere = source(after, "#include \"ops.h\"\n");
    let known = ["close -> one", "open -> three"];
    assert_eq!(calls(&[("a.c", &elsewhere), ("ops.h", ops)]), known, "the order is in another file");
}

#[test]
fn a_c_literal_may_be_an_argument_and_contain_others() {
    let source = "
struct inner { int (*in)(int); };
struct outer { union { int a; int b; }; struct inner first; int (*out)(int); struct inner more[2]; };
static int one(int a) { return a; }
static int two(int a) { return a; }
static int three(int a) { return a; }
static int four(int a) { return a; }
struct outer named = { .first = { .in = one }, .more = { { two } } };
struct outer placed = { 0, { three }, four };
int in(struct outer *o) { return o->first.in(1); }
int out(struct outer *o) { return o->out(1); }
struct arg { int (*run)(int); };
int take(struct arg *a) { return a->run(1); }
int pass(void) { return take(&(struct arg){ .run = one }); }
";
    assert_eq!(
        calls(&[("a.c", source)]),
        ["in -> one", "in -> three", "in -> two", "out -> four", "pass -> take", "take -> one"]
    );
}

#[test]
fn a_c_struct_may_have_no_name() {
    let source = "
static int one(int a) { return a; }
static int two(int a) { return a; }
static int three(int a) { return a; }
struct { const char *name; int (*run)(int); } table[] = { { \"one\", one }, { .name = \"two\", .run = two } };
typedef struct { int (*run)(int); } job;
job only = { three };
int look(int i) { return table[i].run(1); }
int work(job *j) { return j->run(1); }
";
    assert_eq!(calls(&[("a.c", source)]), ["look -> one", "look -> two", "work -> three"]);
}

#[test]
fn a_c_variable_of_a_struct_type_holds_no_other_objects() {
    let source = "
struct cat { int (*run)(int); };
struct dog { int (*run)(int); };
static int purr(int a) { return a; }
static int bark(int a) { return a; }
struct cat tom = { purr };
struct dog rex = { bark };
void *any(void *x) { return x; }
int both(int n) { struct cat *c = any(&rex); c = any(&tom); return c->run(n); }
";
    assert_eq!(calls(&[("a.c", source)]), ["both -> any", "both -> purr"]);
}

#[test]
fn a_c_typedef_is_the_struct_that_another_file_declares() {
    let types = "typedef struct clock_s clock_t;\ntypedef struct alarm alarm;\n";
    let structs = "
struct clock_s { int (*now)(int); };
struct alarm { clock_t *clock; int (*ring)(int); };
";
    let source = "
#include \"types.h\"
static int wall(int a) { return a; }
static int bell(int a) { return a; }
clock_t default_clock = { wall };
alarm loud = { &default_clock, bell };
int ring(alarm *a) { return a->ring(a->clock->now(1)); }
";
    assert_eq!(
        calls(&[("types.h", types), ("private.h", structs), ("clock.c", source)]),
        ["ring -> bell", "ring -> wall"]
    );
}

#[test]
fn a_cpp_struct_is_filled_by_names_and_positions() {
    let source = "
#include <functional>
struct Ops { static const int N = 3; const char *name; int (*open)(int); std::function<int(int)> close; int size(); };
int open_it(int a) { return a; }
int close_it(int a) { return a; }
const Ops named = { .name = \"n\", .open = open_it };
Ops placed{\"p\", nullptr, close_it};
int opens(const Ops &o) { return o.open(1); }
int closes(Ops *o) { return o->close(1); }
Ops made() { return {\"m\", close_it, nullptr}; }
int all() { for (auto &o : {placed}) o.open(1); return 0; }
";
    let found = calls(&[("a.cpp", source)]);
    for call in ["opens -> open_it", "opens -> close_it", "closes -> close_it"] {
        assert!(found.iter().any(|other| other == call), "{call}: {found:?}");
    }
    assert!(!found.iter().any(|call| call == "closes -> open_it"), "{found:?}");
}

#[test]
fn go_structs_and_maps_of_functions_are_tables() {
    let source = "
package ops

type command struct {
	name string
	run  func(int) int
}

func add(x int) int { return x }
func sub(x int) int { return x }
func mul(x int) int { return x }
func div(x int) int { return x }

var commands = []command{{\"add\", add}}
var byName = map[string]*command{\"sub\": {run: sub}}
var table = map[string]func(int) int{\"mul\": mul}

func loop() {
	for _, c := range commands {
		c.run(1)
	}
}
func named(k string) int { return byName[k].run(1) }
func look(k string) int  { return table[k](1) }
func cases() {
	for _, tt := range []struct {
		name string
		f    func(int) int
	}{{\"div\", div}} {
		tt.f(3)
	}
}
";
    assert_eq!(
        calls(&[("ops.go", source)]),
        ["cases -> div", "look -> mul", "loop -> add", "loop -> sub", "named -> add", "named -> sub"]
    );
}

#[test]
fn a_go_variable_outside_functions_has_the_value_it_is_declared_with() {
    let source = "
package ops

type store struct{}

func (s *store) load() {}
func open() *store { return &store{} }

var shared, other = open(), 1

func use() { shared.load() }
";
    assert_eq!(calls(&[("ops.go", source)]), ["ops -> open", "use -> store.load"]);
}

#[test]
fn rust_structs_arrays_and_maps_of_functions_are_tables() {
    let source = "
use std::collections::HashMap;
pub struct Command { name: &'static str, run: fn(i32) -> i32, undo: Box<dyn Fn(i32) -> i32> }
pub struct Pair(&'static str, fn(i32) -> i32);
fn add(a: i32) -> i32 { a }
fn sub(a: i32) -> i32 { a }
fn mul(a: i32) -> i32 { a }
fn div(a: i32) -> i32 { a }
fn neg(a: i32) -> i32 { a }
static PAIRS: &[(&str, fn(i32) -> i32)] = &[(\"mul\", mul)];
const JOBS: [fn(i32) -> i32; 1] = [div];
pub fn make() -> Command { let run = add; Command { name: \"add\", run, undo: Box::new(sub) } }
pub fn through(all: &[Command]) { for command in all { (command.run)(1); (command.undo)(1); } }
pub fn pairs() { for (_, job) in PAIRS { job(1); } }
pub fn at(i: usize) -> i32 { JOBS[i](1) }
pub fn part(pair: Pair) -> i32 { (pair.1)(1) }
pub fn new() -> Pair { Pair(\"neg\", neg) }
pub fn map() -> i32 { let mut m: HashMap<&str, fn(i32) -> i32> = HashMap::new(); m.insert(\"neg\", neg); m[\"neg\"](1) }
";
    assert_eq!(
        calls(&[("src/lib.rs", source)]),
        ["at -> div", "map -> neg", "new -> Pair", "pairs -> mul", "part -> neg", "through -> add", "through -> sub"]
    );
}

#[test]
fn zig_structs_and_arrays_of_functions_are_tables() {
    let source = "
const Ops = struct { name: []const u8, open: *const fn (i32) i32 };
fn one(a: i32) i32 { return a; }
fn two(a: i32) i32 { return a; }
fn three(a: i32) i32 { return a; }
const disk = Ops{ .name = \"x\", .open = one };
const all = [_]Ops{ .{ .name = \"a\", .open = &two } };
const jobs = [_]*const fn (i32) i32{ three };
fn through(o: *const Ops) i32 { return o.open(1); }
fn loop() void { for (all) |each| { _ = each.open(1); } }
fn at(i: usize) i32 { return jobs[i](1); }
";
    assert_eq!(
        calls(&[("ops.zig", source)]),
        ["at -> three", "loop -> one", "loop -> two", "through -> one", "through -> two"]
    );
}

#[test]
fn a_computed_name_is_that_of_each_member_of_an_object_literal() {
    let source = "
function a() {}
function b() {}
function c() {}
function d() {}
const table = { a: a, 'b': b };
const list = [{ run: c }, { run: d }];
export function look(k) { table[k](1) }
export function values() { for (const f of Object.values(table)) f() }
export function loop() { for (const each of list) each.run() }
export function visit() { list.forEach((each) => each.run()) }
export function one() { table.a() }
";
    for path in ["a.js", "a.ts", "a.tsx"] {
        let found = calls(&[(path, source)]);
        assert_eq!(
            found,
            [
                "look -> a",
                "look -> b",
                "loop -> c",
                "loop -> d",
                "one -> a",
                "values -> a",
                "values -> b",
                "visit -> c",
                "visit -> d"
            ],
            "{path}"
        );
    }
}

#[test]
fn an_exported_object_is_a_table_of_its_members() {
    let table = "function a() {}\nfunction b() {}\nmodule.exports = { a: a, b };\n";
    let uses = "const table = require('./table');\nfunction look(k) { table[k](); }\n";
    assert_eq!(calls(&[("table.js", table), ("uses.js", uses)]), ["look -> a", "look -> b"]);
    let typed = "
function a() {}
function b() {}
const fixed = { a: a } as const;
const checked = { b: b } satisfies Record<string, () => void>;
export function look(k: string) { fixed[k](); checked[k](); checked.b(); }
";
    assert_eq!(calls(&[("a.ts", typed)]), ["look -> a", "look -> b"]);
}

#[test]
fn python_dicts_tuples_and_data_classes_are_tables() {
    let source = "
from dataclasses import dataclass
from typing import Callable
def a(x): ...
def b(x): ...
def c(x): ...
def d(x): ...
def e(x): ...
TABLE = {'a': a}
PAIRS = [('b', b)]
@dataclass
class Command:
    name: str
    run: Callable
COMMANDS = [Command('c', c), Command(name='d', run=d)]
ROWS = [{'run': e}]
def look(k): TABLE[k](1)
def get(k): TABLE.get(k)(1)
def items():
    for name, f in TABLE.items(): f(1)
def pairs():
    for name, f in PAIRS: f(1)
def loop():
    for each in COMMANDS: each.run(1)
def param(command: Command): command.run(1)
def rows():
    for row in ROWS: row['run'](1)
";
    let mut found = calls(&[("a.py", source)]);
    found.retain(|call| !call.ends_with("-> Command"));
    assert_eq!(
        found,
        [
            "get -> a",
            "items -> a",
            "look -> a",
            "loop -> c",
            "loop -> d",
            "pairs -> b",
            "param -> c",
            "param -> d",
            "rows -> e"
        ]
    );
}

#[test]
fn functions_in_maps_and_heads_of_classes_are_called() {
    let kotlin = "
fun a(x: Int) = x
fun b(x: Int) = x
data class Command(val name: String, val run: (Int) -> Int)
val table = mapOf(\"a\" to ::a)
val commands = listOf(Command(\"b\", ::b))
fun look(k: String) = table[k]!!(1)
fun invoke(k: String) = table[k]?.invoke(1)
fun loop() { for (each in commands) each.run(1) }
";
    let swift = "
func a(_ x: Int) -> Int { return x }
func b(_ x: Int) -> Int { return x }
struct Command { let name: String; let run: (Int) -> Int }
let commands = [Command(name: \"b\", run: b)]
let table: [String: (Int) -> Int] = [\"a\": a]
func look(_ k: String) { table[k]!(1) }
func loop() { for command in commands { command.run(1) } }
";
    let scala = "
object Main {
  def b(x: Int) = x
  case class Command(name: String, run: Int => Int)
  val commands = List(Command(\"b\", b))
  def loop() = commands.foreach(each => each.run(1))
}
";
    for (path, text, expected) in [
        ("a.kt", kotlin, &["invoke -> a", "look -> a", "loop -> b"][..]),
        ("a.swift", swift, &["look -> a", "loop -> b"]),
        ("a.scala", scala, &["Main.loop -> Main.b"]),
    ] {
        let mut found = calls(&[(path, text)]);
        found.retain(|call| !call.ends_with("Command"));
        assert_eq!(found, expected, "{path}");
    }
}

#[test]
fn a_lua_table_may_be_read_by_a_computed_name() {
    let source = "
local function a(x) return x end
local function b(x) return x end
local handlers = { a = a, b = b }
function look(k) handlers[k](1) end
function one() handlers.a(1) end
";
    assert_eq!(calls(&[("a.lua", source)]), ["look -> a", "look -> b", "one -> a"]);
}

#[test]
fn a_ruby_lambda_is_called_by_its_member() {
    let source = "
def a(x) = x
def look
  job = ->(x) { a(x) }
  job.call(1)
end
";
    assert_eq!(calls(&[("a.rb", source)]), ["look -> look::job", "look::job -> a"]);
}
