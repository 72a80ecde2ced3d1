//! Tests uses that only look like text or like something else: names in symbols and strings, fields
//! in initializers and patterns, code in templates. Each language has its own forms.

use crate::support::env::Env;

/// Checks that the uses of each name are in exactly the given lines of a file.
#[track_caller]
fn uses_are_in(path: &str, text: &str, expected: &[(&str, &[u64])]) {
    let env = Env::with(&[(path, text)]);
    for (name, lines) in expected {
        let found = env.run(&["references", name, "--json"]).json();
        let mut uses: Vec<u64> = found["uses"]
            .as_array()
            .expect("uses")
            .iter()
            .filter(|one| one["by_name"] != true)
            .map(|one| one["line"].as_u64().expect("line"))
            .collect();
        uses.sort_unstable();
        assert_eq!(&uses, lines, "{path}: {name}: {found}");
    }
}

#[test]
fn a_property_is_used_by_initializers_copies_and_patterns() {
    let text = "record Cart { public string Owner { get; set; } public int Count; public Cart Inner { get; set; } }
class Other { public string Owner; }
class Use {
    Cart Init() => new Cart { Owner = \"x\", Count = 1 };
    Cart Target() => new() { Owner = \"x\" };
    bool Pattern(Cart c) => c is { Owner: \"x\" };
    bool Typed(object c) => c is Cart { Count: > 3 };
    int Switch(Cart c) => c switch { { Owner: \"x\" } => 1, _ => 0 };
    Cart Copy(Cart a) => a with { Owner = \"q\" };
    Other Another() => new Other { Owner = \"x\" };
    void Assign(string Owner) { Owner = \"y\"; }
}
";
    uses_are_in("Cart.cs", text, &[("Cart.Owner", &[4, 5, 6, 8, 9]), ("Cart.Count", &[4, 7]), ("Other.Owner", &[10])]);
}

#[test]
fn a_field_is_used_by_the_named_arguments_that_set_it() {
    let python = "from dataclasses import dataclass

@dataclass
class Opt:
    depth: int = 1

class Own:
    depth = 0
    def __init__(self, depth): pass

def make(depth): return Opt(depth=2)
def match_it(o):
    match o:
        case Opt(depth=d): return d
def other(): return make(depth=3), Own(depth=4)
";
    uses_are_in("opt.py", python, &[("Opt.depth", &[11, 14]), ("Own.depth", &[])]);
    let kotlin = "data class Opt(val depth: Int, val name: String = \"\")
fun make(depth: Int) = Opt(depth = 2)
fun copy(opt: Opt) = opt.copy(depth = 3)
fun other() = make(depth = 4)
";
    uses_are_in("Opt.kt", kotlin, &[("Opt.depth", &[2, 3])]);
    let swift = "struct Opt { var depth: Int }
struct Own { var depth: Int; init(depth: Int) { self.depth = 1 } }
func make(depth: Int) -> Opt { Opt(depth: 2) }
func other() { _ = make(depth: 3); _ = Own(depth: 4) }
";
    uses_are_in("Opt.swift", swift, &[("Opt.depth", &[3]), ("Own.depth", &[2])]);
    let scala = "case class Opt(depth: Int)
object Use {
  def make(depth: Int) = Opt(depth = 2)
  def changed(opt: Opt) = opt.copy(depth = 3)
  def other = make(depth = 4)
}
";
    uses_are_in("Opt.scala", scala, &[("Opt.depth", &[3, 4])]);
}

#[test]
fn a_method_is_used_by_the_symbols_and_strings_that_name_it() {
    let ruby = "class Posts < Base
  before_action :load_post
  rescue_from Missing, with: :render_missing
  def go; method(:load_post); [:load_post]; end
end
class Base
  def load_post; end
  def render_missing; end
end
";
    uses_are_in("posts.rb", ruby, &[("load_post", &[2, 4]), ("render_missing", &[3])]);
    let php = "<?php
function compare($a, $b) {}
class Rows {
  function sort($rows) { usort($rows, 'compare'); array_map([$this, 'label'], $rows); }
  function other() { echo 'compare'; return ['label', 'label']; }
  function label($row) {}
  static function cut($row) {}
}
array_map('Rows::cut', []);
";
    uses_are_in("rows.php", php, &[("compare", &[4]), ("Rows::label", &[4]), ("Rows::cut", &[9])]);
    let elixir = "defmodule Disk do
  def save(x), do: x
  def go, do: apply(__MODULE__, :save, [1])
  def child, do: {Disk, :save, [1]}
  def other, do: [:save]
end
";
    uses_are_in("disk.ex", elixir, &[("Disk.save", &[3, 4])]);
    let js = "class Job {\n  run() {}\n  go() { this['run'](1); log('run') }\n}\n";
    uses_are_in("job.js", js, &[("Job.run", &[3])]);
    let python = "class Job:\n    def run(self): pass\n    def go(self): getattr(self, 'run'); log('run')\n";
    uses_are_in("job.py", python, &[("Job.run", &[3])]);
}

#[test]
fn an_operand_of_an_infix_call_is_no_callee() {
    let kotlin = "class V { infix fun dot(o: V) = o }
fun left() = V()
fun product(a: V, b: V) = a dot b
fun results() = left() dot left()
";
    uses_are_in("v.kt", kotlin, &[("V.dot", &[3, 4]), ("left", &[4, 4])]);
}

#[test]
fn a_method_is_used_by_the_bindings_of_a_template() {
    let env = Env::with(&[
        (
            "c.component.ts",
            "export class C { bound() {} star() {} block() {} listed() {} both() {} set() {} }
@Component({ selector: 'app-d', template: `<b (click)=\"inner()\">{{ shown() }}</b> text inner()` })
export class D { inner() {} shown() {} }
",
        ),
        (
            "c.component.html",
            "<b [disabled]=\"bound()\"></b>
<p *ngIf=\"star()\">star()</p>
@if (block()) { <p>block()</p> }
@for (x of listed(); track x) { }
<input [(ngModel)]=\"both()\">
@let y = set();
",
        ),
    ]);
    let place = |name: &str| env.run(&["references", name, "--format", "vimgrep"]).found().out;
    for (name, line) in [("C.bound", 1), ("C.star", 2), ("C.block", 3), ("C.listed", 4), ("C.both", 5), ("C.set", 6)] {
        let out = place(name);
        assert!(out.starts_with(&format!("c.component.html:{line}:")) && out.lines().count() == 1, "{out}");
    }
    for name in ["D.inner", "D.shown"] {
        let out = place(name);
        assert!(out.starts_with("c.component.ts:2:") && out.lines().count() == 1, "{out}");
    }
}

#[test]
fn a_value_is_used_through_an_import_of_the_members_of_its_type() {
    let env = Env::with(&[
        ("a/Bits.cs", "namespace N.Util;\nstatic class Bits { public const int Max = 3; }\nenum Colour { Red }\n"),
        (
            "b/Use.cs",
            "using static N.Util.Bits;\nusing static N.Util.Colour;\nnamespace N.App;\nclass Use { int A() => Max; object B() => Red; }\n",
        ),
        ("a/All.kt", "package kk\nobject Reg { const val LIMIT = 3 }\nenum class Shade { DARK, LIGHT }\n"),
        (
            "b/Use.kt",
            "package app\nimport kk.Reg.LIMIT\nimport kk.Shade.*\nimport kk.Shade.DARK as D\nfun a() = LIMIT\nfun b() = LIGHT\n",
        ),
        ("a/limits.php", "<?php\nnamespace App\\Lib;\nconst PMAX = 3;\nconst OTHER = 1;\n"),
        (
            "b/use.php",
            "<?php\nnamespace App\\Use;\nuse const App\\Lib\\PMAX;\nuse const App\\Lib\\OTHER as O;\nfunction a() { return PMAX; }\nfunction b() { return O; }\n",
        ),
        ("a/Lib.scala", "package ss\nobject Util { val Lim = 3 }\n"),
        ("b/Use.scala", "package app\nimport ss.Util.{Lim}\nobject Use { def a = Lim }\n"),
    ]);
    let lines = |name: &str, path: &str| {
        let out = env.run(&["references", name, "--format", "vimgrep"]).found().out;
        let line = |one: &str| one.strip_prefix(path)?.split(':').nth(1)?.parse::<u32>().ok();
        out.lines().filter_map(line).collect::<Vec<_>>()
    };
    assert_eq!(lines("Bits.Max", "b/Use.cs"), [4]);
    assert_eq!(lines("Colour.Red", "b/Use.cs"), [4]);
    assert_eq!(lines("Reg.LIMIT", "b/Use.kt"), [2, 5]);
    assert_eq!(lines("Shade.LIGHT", "b/Use.kt"), [6]);
    assert_eq!(lines("Shade.DARK", "b/Use.kt"), [4]);
    assert_eq!(lines("Util.Lim", "b/Use.scala"), [2, 3]);
    assert_eq!(lines("PMAX", "b/use.php"), [3, 5]);
    assert_eq!(lines("OTHER", "b/use.php"), [4]);
}

#[test]
fn a_key_is_a_member_of_the_type_that_the_code_around_the_object_expects() {
    let ts = "interface Options { size?: number; inner?: Inner; all?: Inner[] }
interface Inner { depth: number }
function g(o: Options, p?: Options) { return o }
class Box { constructor(o: Options) {} put(o: Options) {} field: Options = { size: 1 } }
const a = g({ size: 1 }), b = g({}, { size: 2 }), c: Options = { size: 3 }
const d = { size: 4 } as Options, e = { size: 5 } satisfies Options
function f(): Options { return { size: 6 } }
const h = async (): Promise<Options> => ({ size: 7 })
const i = new Box({ size: 8 }), j = (box: Box) => box.put({ size: 9 })
const k = g({ inner: { depth: 10 } }), l = g({ all: [{ depth: 11 }] })
const m = (x: boolean, o: Options = { size: 1 }) => g(x ? { size: 12 } : o)
const n = other({ size: 13 }), o = { size: 14 }
function q({ size }: Options) { return size }
const r = (o: Options) => { const { size } = o; return g({ size }) }
";
    let size = [4, 5, 5, 5, 6, 6, 7, 8, 9, 9, 11, 11, 13, 14, 14];
    uses_are_in("box.ts", ts, &[("Options.size", &size), ("Inner.depth", &[10, 10])]);
    let tsx = "interface Props { size: number }
function Box(props: Props) { return null }
const a = <Box size={1} />, b = <Box size={2}>b</Box>, c = <Other size={3} />
";
    uses_are_in("box.tsx", tsx, &[("Props.size", &[3, 3])]);
    let rust = "pub struct Opts { pub size: u8, pub x: u8 }
fn f(o: Opts) -> u8 { let Opts { size, .. } = o; size }
fn g(size: u8) -> Opts { Opts { size, x: 1 } }
";
    uses_are_in("src/lib.rs", rust, &[("Opts.size", &[2, 3])]);
    let c = "struct opts { int size; };
int g(struct opts o);
struct opts a = { .size = 1 };
struct opts b[] = { { .size = 2 } };
int f(void) { return g((struct opts){ .size = 3 }) + h(&(struct opts){ .size = 4 }); }
struct other c = { .size = 5 };
";
    uses_are_in("opts.c", c, &[("opts.size", &[3, 4, 5, 5])]);
    let cpp = "struct Inner { int depth; };
struct Options { int size; Inner in; };
int g(Options o) { return 0; }
int f() { return g({ .size = 4 }) + g(Options{ .size = 5 }); }
Options k() { return { .size = 6, .in = { .depth = 3 } }; }
";
    uses_are_in("options.cpp", cpp, &[("Options.size", &[4, 4, 5]), ("Inner.depth", &[5])]);
    let zig = "const Opts = struct { size: u8 };
fn g(o: Opts) u8 { return 0; }
const a: Opts = .{ .size = 1 };
fn f() u8 { return g(.{ .size = 4 }) + g(Opts{ .size = 5 }); }
fn k() Opts { return .{ .size = 6 }; }
fn l() u8 { return other(.{ .size = 7 }); }
";
    uses_are_in("opts.zig", zig, &[("Opts.size", &[3, 4, 4, 5])]);
    let go = "package r

type Inner struct{ Depth int }
type Opts struct {
	Size int
	All  []Inner
}

var a = []Opts{{Size: 1}}
var c = []*Opts{{Size: 3}, &Opts{Size: 4}}
var d = Opts{All: []Inner{{Depth: 5}}}
";
    uses_are_in("opts.go", go, &[("Opts.Size", &[9, 10, 10]), ("Inner.Depth", &[11])]);
}

#[test]
fn a_member_without_its_type_is_one_of_the_type_that_the_code_around_it_expects() {
    let swift = "enum Color { case red, blue }
enum Light { case red }
func paint(_ c: Color) -> Int { return 1 }
func use() -> Int { return paint(.red) }
let x: Color = .red
func f() -> Color { return .red }
func s(c: Color) { switch c { case .red: break; case .blue: break } }
func l() -> Light { .red }
";
    uses_are_in("Color.swift", swift, &[("Color.red", &[4, 5, 6, 7]), ("Color.blue", &[7])]);
    let zig = "const Color = enum { red, blue };
fn paint(c: Color) u8 { return 1; }
fn use() u8 { return paint(.red); }
const x: Color = .red;
fn f() Color { return .blue; }
";
    uses_are_in("color.zig", zig, &[("Color.red", &[3, 4]), ("Color.blue", &[5])]);
}

#[test]
fn a_key_of_a_constant_object_is_its_member() {
    let ts = "const Color = { Red: 'red', Blue: 'blue' } as const
const Size = Object.freeze({ Small: 1 })
const local = () => { const deep = { inner: 1 }; return deep.inner }
function paint(c: string) { return c === Color.Red ? Size.Small : 0 }
";
    uses_are_in("color.ts", ts, &[("Color.Red", &[4]), ("Size.Small", &[4]), ("Color.Blue", &[])]);
    let js = "const keys = { kA: Symbol('a') }\nmodule.exports = keys\nfunction f(o) { return o[keys.kA] }\n";
    uses_are_in("keys.js", js, &[("keys.kA", &[3])]);
    let lua = "local Color = { red = 1, blue = 2 }\nlocal function paint() return Color.red end\nreturn Color\n";
    uses_are_in("color.lua", lua, &[("Color.red", &[2]), ("Color.blue", &[])]);
}

#[test]
fn the_end_of_a_range_is_a_name_and_a_literal_in_a_callback_has_no_declared_type() {
    let swift =
        "let limit = 3\nfunc f() { for i in 0...limit { print(i) } }\nfunc g() { for i in 0..<limit { print(i) } }\n";
    uses_are_in("Limit.swift", swift, &[("limit", &[2, 3])]);
    let zig = "const limit = 3;\nfn f(buf: []u8) []u8 { return buf[0..limit]; }\n";
    uses_are_in("limit.zig", zig, &[("limit", &[2])]);
    let ts = "interface Options { size?: number }
function f(xs: number[]): Options { return xs.map((x) => ({ size: x }))[0] }
function g(): Options { return { size: 1 } }
";
    uses_are_in("options.ts", ts, &[("Options.size", &[3])]);
}
