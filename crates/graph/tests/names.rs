//! Checks what names refer to: in blocks, in positions of types, and through imports. Each test
//! lists all calls of a few lines of code.

use super::linking::linked;

/// Links the files and returns the calls between their definitions, as `caller -> callee`.
pub(super) fn calls(files: &[(&str, &str)]) -> Vec<String> {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    let without_path = |end: &str| end.split_once(':').map_or("", |(_, name)| name).to_owned();
    let edges = linked(files).1;
    let call = |edge: &String| {
        let (caller, callee) = edge.split_once(" -> ").expect("an edge");
        format!("{} -> {}", without_path(caller), without_path(callee))
    };
    let mut calls: Vec<String> = edges.iter().map(call).collect();
    calls.sort();
    calls
}

#[test]
fn each_python_comprehension_has_its_own_names() {
    let source = "
class Cat:
    def purr(self): ...
class Dog:
    def bark(self): ...
def both(cats: list[Cat], dogs: list[Dog]):
    return [x.purr() for x in cats] + [x.bark() for x in dogs] + [x.purr() for x in dogs]
def outer(x: Cat, dogs: list[Dog]):
    [x.bark() for x in dogs]
    x.purr()
def found(cats: list[Cat]):
    any((first := cat) for cat in cats)
    first.purr()
";
    assert_eq!(
        calls(&[("a.py", source)]),
        ["both -> Cat.purr", "both -> Dog.bark", "found -> Cat.purr", "outer -> Cat.purr", "outer -> Dog.bark"]
    );
}

#[test]
fn a_rust_let_hides_earlier_ones_and_its_value_does_not_see_it() {
    let source = "
struct A; impl A { fn a(self) -> B { B } }
struct B; impl B { fn b(self) -> Option<A> { None } }
fn chain(x: A) {
    let x = x.a();
    let x = x.b();
    if let Some(x) = x { x.a(); } else { x.is_none(); }
    for x in [B] { x.b(); x.a(); }
}
";
    assert_eq!(calls(&[("src/lib.rs", source)]), ["chain -> A::a", "chain -> B::b"]);
}

#[test]
fn a_declaration_in_a_block_does_not_reach_other_blocks() {
    let java = "
class A { void go() {} }
class B { void go() {} }
class Main {
    void blocks(A[] as) {
        for (A x : as) { x.go(); }
        try { run(); } catch (B x) { }
    }
    void other(B[] bs) { for (B x : bs) { x.go(); } { A x = null; } }
}
";
    assert_eq!(calls(&[("Main.java", java)]), ["Main.blocks -> A.go", "Main.other -> B.go"]);
    let typescript = "
class A { go() {} }
class B { go() {} }
function blocks(as: A[], flag: boolean) {
    for (const x of as) { x.go(); }
    if (flag) { const x = new B(); }
    if (flag) { var y = new B(); }
    y.go();
}
";
    assert_eq!(calls(&[("main.ts", typescript)]), ["blocks -> A.go", "blocks -> B", "blocks -> B.go"]);
}

#[test]
fn a_clause_of_a_go_type_switch_has_its_own_type() {
    let source = "
package shapes
type Shape interface { Name() string }
type Circle struct{}
func (c *Circle) Radius() int { return 1 }
type Square struct{}
func (s *Square) Side() int { return 1 }
func size(shape Shape) int {
	switch shape := shape.(type) {
	case *Circle:
		return shape.Radius()
	case *Square:
		return shape.Side()
	default:
		shape.Name()
	}
	return 0
}
";
    assert_eq!(calls(&[("shapes.go", source)]), ["size -> Circle.Radius", "size -> Shape.Name", "size -> Square.Side"]);
}

#[test]
fn a_go_import_refers_to_a_directory_and_not_to_a_file_next_to_it() {
    let files = [
        ("gui/list.go", "package gui\nfunc other() {}\n"),
        ("gui/list/cursor.go", "package list\ntype Cursor struct{}\nfunc (c *Cursor) Move() {}\n"),
        ("main.go", "package main\nimport \"example.org/app/gui/list\"\nfunc run(c *list.Cursor) { c.Move() }\n"),
    ];
    assert_eq!(calls(&files), ["run -> Cursor.Move"]);
}

#[test]
fn a_java_type_has_another_namespace_than_methods() {
    let sql = "public class SQL { public SQL SELECT(String c) { return this; } }";
    let source = "
class Builder {
    static SQL sql() { return new SQL(); }
    static void SELECT(String c) { sql().SELECT(c); }
    static String SQL() { return null; }
}
";
    let expected = ["Builder.SELECT -> Builder.sql", "Builder.SELECT -> SQL.SELECT", "Builder.sql -> SQL"];
    assert_eq!(calls(&[("SQL.java", sql), ("Builder.java", source)]), expected);
}

#[test]
fn a_java_subtype_does_not_inherit_constructors() {
    let rule = "abstract class Rule { protected Rule() {} abstract boolean matches(String a); }";
    let source = "abstract class Both extends Rule { Rule first; void run() { first.matches(null); } }";
    let calls = calls(&[("Rule.java", rule), ("Both.java", source)]);
    assert_eq!(calls, ["Both.run -> Rule.matches"]);
}

#[test]
fn a_java_import_may_name_a_type_inside_another() {
    let counters = "package app.file; public class Counters { public interface Counter { void add(); } }";
    let source = "package app; import app.file.Counters.Counter;
class Main { private final Counter counter; void run() { counter.add(); } }";
    assert_eq!(
        calls(&[("app/file/Counters.java", counters), ("app/Main.java", source)]),
        ["Main.run -> Counters.Counter.add"]
    );
}

#[test]
fn a_quoted_python_annotation_names_types() {
    let source = "
class Compare:
    ops: list['Operand']
    def check(self, first: 'Operand | None'):
        first.check()
        for op in self.ops:
            op.check()
class Operand:
    def check(self): ...
";
    assert_eq!(calls(&[("nodes.py", source)]), ["Compare.check -> Operand.check"]);
}

#[test]
fn a_declared_php_type_limits_the_objects_of_a_property() {
    let source = "<?php
interface Package { function config(); }
class Root implements Package { function config() {} }
class Alias {
    /** @var Root */
    protected $of;
    function __construct(Root $of) { $this->of = $of; }
    function config() { return $this->of->config(); }
}
function alias(Package $package) { return new Alias($package); }
";
    assert_eq!(calls(&[("alias.php", source)]), ["Alias::config -> Root::config", "alias -> Alias::__construct"]);
}

#[test]
fn an_import_may_name_members_of_a_type() {
    let csharp = [
        (
            "a/Bits.cs",
            "namespace N.Util;\nstatic class Bits { static int Half(int n) => n; static class Deep { static int Third(int n) => n; } }",
        ),
        ("a/Maths.cs", "namespace N.Block { static class Maths { static int Twice(int n) => n; } }"),
        (
            "b/Use.cs",
            "using static N.Util.Bits;\nusing static N.Util.Bits.Deep;\nusing static global::N.Block.Maths;\nnamespace N.App;\nclass Use { int Run() => Half(1) + Third(1) + Twice(1); }",
        ),
    ];
    assert_eq!(
        calls(&csharp),
        ["Use.Run -> Bits.Deep.Third", "Use.Run -> Bits.Half", "Use.Run -> N.Block.Maths.Twice"]
    );
    let kotlin = [
        (
            "a/All.kt",
            "package kk\nobject Reg {\n fun put() {}\n object Inner {\n fun deep() = 1\n }\n}\nclass Repo {\n companion object {\n fun create() = 1\n }\n}\n",
        ),
        (
            "b/One.kt",
            "package app\nimport kk.Reg.put\nimport kk.Reg.Inner.deep as deeper\nimport kk.Repo.Companion.create\nfun one() { put(); deeper(); create() }\n",
        ),
        ("b/Two.kt", "package other\nimport kk.Reg.*\nfun two() { put() }\n"),
    ];
    assert_eq!(calls(&kotlin), ["one -> Reg.Inner.deep", "one -> Reg.put", "one -> Repo.create", "two -> Reg.put"]);
    let scala = [
        (
            "a/Lib.scala",
            "package ss\nobject Util { def pad(s: String) = s; def trim(s: String) = s; object Deep { def low(s: String) = s } }\n",
        ),
        (
            "b/One.scala",
            "package app\nimport ss.Util.{pad, trim => cut}\nimport _root_.ss.Util.Deep.low\nobject One { def one = pad(cut(low(\"\"))) }\n",
        ),
        ("b/Two.scala", "package ss\nimport Util._\nobject Two { def two = pad(\"\") }\n"),
        ("b/Three.scala", "package app\nimport ss._\nimport Util._\nobject Three { def three = trim(\"\") }\n"),
    ];
    assert_eq!(
        calls(&scala),
        [
            "One.one -> Util.Deep.low",
            "One.one -> Util.pad",
            "One.one -> Util.trim",
            "Three.three -> Util.trim",
            "Two.two -> Util.pad"
        ]
    );
    let dart = [
        ("a/clock.dart", "int now() => 1;\nclass Clock { static int tick() => 1; }\n"),
        ("b/join.dart", "class Joiner { void join(String a) {} }\n"),
        (
            "b/use.dart",
            "import '../a/clock.dart' as clock;\nimport 'package:path/path.dart' as p;\nvoid run() { clock.now(); clock.Clock.tick(); p.join(\"a\"); }\n",
        ),
    ];
    assert_eq!(calls(&dart), ["run -> Clock.tick", "run -> now"]);
    // A type that is not public may be in a file with another name.
    let java = [
        (
            "a/Other.java",
            "package u;\nclass Check { static int pos(int n) { return n; } static class In { static int deep() { return 1; } } }",
        ),
        (
            "b/Use.java",
            "package app;\nimport static u.Check.pos;\nimport static u.Check.In.*;\nclass Use { int run() { return pos(deep()); } }",
        ),
    ];
    assert_eq!(calls(&java), ["Use.run -> Check.In.deep", "Use.run -> Check.pos"]);
}

#[test]
fn a_call_reaches_an_extension_only_if_its_file_imports_it() {
    let dart = [
        ("router/lib/router.dart", "export 'src/ext.dart';\n"),
        (
            "router/lib/src/ext.dart",
            "extension E on BuildContext { void pop() {} }\nclass S {}\nextension X on S { void renew() {} }\n",
        ),
        (
            "app/lib/main.dart",
            "import 'package:router/router.dart';\npart 'part.dart';\nvoid run(BuildContext c, S s) { c.pop(); s.renew(); }\n",
        ),
        ("app/lib/part.dart", "part of 'main.dart';\nvoid inPart(BuildContext c, S s) { c.pop(); s.renew(); }\n"),
        // An import of a file does not import what that file imports.
        ("app/lib/other.dart", "import 'main.dart';\nvoid other(BuildContext c) { c.pop(); }\n"),
        ("kit/lib/sheet.dart", "void sheet(BuildContext c, S s) { c.pop(); Navigator.of(c).pop(); s.renew(); }\n"),
    ];
    assert_eq!(
        calls(&dart),
        ["inPart -> BuildContext.pop", "inPart -> S.renew", "run -> BuildContext.pop", "run -> S.renew"]
    );
    let csharp = [
        ("a/A.cs", "namespace Lib.Text;\nstatic class A { public static string Cut(this string s) => s; }"),
        ("a/B.cs", "namespace Lib.Block { static class B { public static string Widen(this string s) => s; } }"),
        ("a/C.cs", "namespace Lib.All;\nstatic class C { public static string Any(this string s) => s; }"),
        ("a/D.cs", "static class D { public static string Bare(this string s) => s; }"),
        ("GlobalUsings.cs", "global using Lib.All;"),
        (
            "b/One.cs",
            "using Lib.Text;\nusing Lib.Block;\nnamespace App;\nclass One { void F(string s) { s.Cut(); s.Widen(); } }",
        ),
        (
            "b/Two.cs",
            "using System;\nnamespace App;\nclass Two { void F(string s) { s.Cut(); s.Widen(); s.Any(); s.Bare(); } }",
        ),
        ("b/Three.cs", "using static Lib.Text.A;\nclass Three { void F(string s) { s.Cut(); s.Widen(); } }"),
        ("b/Four.cs", "namespace Lib.Block.Deep { class Four { void F(string s) { s.Cut(); s.Widen(); } } }"),
    ];
    let expected = [
        "Lib.Block.Deep.Four.F -> Lib.Block.B.Widen",
        "One.F -> A.Cut",
        "One.F -> Lib.Block.B.Widen",
        "Three.F -> A.Cut",
        "Two.F -> C.Any",
        "Two.F -> D.Bare",
    ];
    assert_eq!(calls(&csharp), expected);
    let kotlin = [
        ("a/Ext.kt", "package k\nobject Ext {\n    fun String.cut(): Int {\n        return 1\n    }\n}\n"),
        ("b/One.kt", "package u\nimport k.Ext.cut\nfun one() = \"a\".cut()\n"),
        ("b/Two.kt", "package v\nimport k.Ext.*\nfun two() = \"a\".cut()\n"),
        ("b/Three.kt", "package w\nfun three() = \"a\".cut()\n"),
    ];
    assert_eq!(calls(&kotlin), ["one -> Ext.String.cut", "two -> Ext.String.cut"]);
    let scala = [
        (
            "a/Marks.scala",
            "package ss\nobject Marks { implicit class TextOps(text: String) { def cut(n: Int): String = text } }\ntrait Syntax { implicit class NumOps(n: Int) { def twice(k: Int): Int = n } }\nobject all extends Syntax\n",
        ),
        ("a/Wide.scala", "package ext\nextension (s: String) def widen(n: Int): String = s\n"),
        (
            "b/Uses.scala",
            "package app\nimport ss.Marks.TextOps\nimport ss.all._\nimport ext.widen\nobject Uses { def a = \"x\".cut(1); def b = 1.twice(2); def c = \"x\".widen(2) }\n",
        ),
        ("b/Mixed.scala", "package app\nobject Mixed extends ss.Syntax { def b = 1.twice(2); def c = \"x\".cut(2) }\n"),
        (
            "b/None.scala",
            "package other\nobject None { def a = \"x\".cut(1); def b = 1.twice(2); def c = \"x\".widen(2) }\n",
        ),
    ];
    let expected = [
        "Mixed.b -> Syntax.Int.twice",
        "Uses.a -> Marks.String.cut",
        "Uses.b -> Syntax.Int.twice",
        "Uses.c -> String.widen",
    ];
    assert_eq!(calls(&scala), expected);
}

#[test]
fn a_parameter_that_is_taken_apart_has_a_type_in_typescript() {
    let types = "
export class Repo { find() {} }
export interface Props { repo: Repo; n: { inner: Repo } }
class Other { find() {} }
";
    let uses = "
import { Repo, Props } from './types'
function inPlace({ repo }: { repo: Repo }) { repo.find() }
function nested({ n }: Props) { n.inner.find() }
function deep({ a: { b } }: { a: { b: Repo } }) { b.find() }
function both({ repo }: Base & { repo?: Repo }) { repo?.find() }
type Both = Base & { repo: Repo }
function alias({ repo }: Both) { repo.find() }
function list(all: { repo: Repo }[]) { for (const { repo } of all) repo.find() }
function made(): { repo: Repo } { return make() }
function result() { const { repo } = made(); repo.find() }
const Card: React.FC<Props> = ({ repo }) => <b>{repo.find()}</b>
const Own: FC<{ repo: Repo }> = function ({ repo }) { return <b>{repo.find()}</b> }
const Memo = React.memo<Props>(({ repo }) => <b>{repo.find()}</b>)
const Ref = forwardRef<HTMLElement, Props>((props, ref) => <b>{props.repo.find()}</b>)
";
    let found = calls(&[("types.ts", types), ("uses.tsx", uses)]);
    let callers: Vec<&str> = found.iter().filter_map(|call| call.strip_suffix(" -> Repo.find")).collect();
    let expected = ["Card", "Memo", "Own", "Ref", "alias", "both", "deep", "inPlace", "list", "nested", "result"];
    assert_eq!(callers, expected, "{found:?}");
}

#[test]
fn a_csharp_name_is_that_of_its_namespace_then_of_the_imported_ones() {
    let files = [
        ("a/x/One.cs", "namespace A;\nclass Clock { public static void Tick() {} }"),
        ("b/y/Two.cs", "namespace B;\nclass Clock { public static void Tick() {} }"),
        ("c/Own.cs", "using A;\nnamespace B;\nclass Own { void Run() { Clock.Tick(); } }"),
        ("b/y/Other.cs", "using A;\nnamespace C;\nclass Other { void Run() { Clock.Tick(); } }"),
    ];
    let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
    let edges: Vec<String> = linked(files.to_vec()).1.into_iter().collect();
    assert_eq!(edges, ["b/y/Other.cs:Other.Run -> a/x/One.cs:Clock.Tick", "c/Own.cs:Own.Run -> b/y/Two.cs:Clock.Tick"]);
}

#[test]
fn files_without_a_package_see_each_other_in_the_source_folders_of_one_program() {
    let java = [
        ("src/main/java/Door.java", "class Door { int open() { return 1; } static int key() { return 2; } }\n"),
        ("src/main/java/Other.java", "class Other { int open() { return 1; } static int key() { return 2; } }\n"),
        (
            "src/test/java/DoorTest.java",
            "class DoorTest { void one(Door door) { door.open(); Door.key(); new Door().open(); } }\n",
        ),
    ];
    assert_eq!(calls(&java), ["DoorTest.one -> Door", "DoorTest.one -> Door.key", "DoorTest.one -> Door.open"]);
    let scala = [
        ("src/main/scala/Door.scala", "class Door { def open() = 1 }\nobject Door { def key() = 2 }\n"),
        ("src/main/scala/Other.scala", "class Other { def open() = 1 }\nobject Other { def key() = 2 }\n"),
        ("src/test/scala/DoorTest.scala", "class DoorTest { def one() = { new Door().open(); Door.key() } }\n"),
    ];
    assert_eq!(calls(&scala), ["DoorTest.one -> Door", "DoorTest.one -> Door.key", "DoorTest.one -> Door.open"]);
    let kotlin = [
        ("src/main/kotlin/Door.kt", "class Door { fun open() = 1 }\nfun key() = 2\n"),
        ("src/main/kotlin/Other.kt", "class Other { fun open() = 1 }\n"),
        ("src/test/kotlin/DoorTest.kt", "class DoorTest { fun one() { Door().open(); key() } }\n"),
    ];
    assert_eq!(calls(&kotlin), ["DoorTest.one -> Door", "DoorTest.one -> Door.open", "DoorTest.one -> key"]);
    let plain = [
        ("src/Door.java", "class Door { int open() { return 1; } }\n"),
        ("src/Other.java", "class Other { int open() { return 1; } }\n"),
        ("test/DoorTest.java", "class DoorTest { void one() { new Door().open(); } }\n"),
    ];
    assert_eq!(calls(&plain), ["DoorTest.one -> Door", "DoorTest.one -> Door.open"]);
}

#[test]
fn the_value_of_a_javascript_module_may_be_that_of_another_one() {
    let own = "exports = module.exports = create;
function create() { return 1; }
exports.other = function other() { return 2; };
";
    let index = "module.exports = require('./lib/app');\n";
    let test = "
var c1 = require('../');
var c2 = require('..');
var c3 = require('../index');
function t1() { return c1(); }
function t2() { return c2(); }
function t3() { return c3(); }
function t4() { return c3.other(); }
";
    assert_eq!(
        calls(&[("lib/app.js", own), ("index.js", index), ("test/a.js", test)]),
        ["t1 -> create", "t2 -> create", "t3 -> create", "t4 -> other"]
    );
    let own = "export default function create() { return 1; }\nexport function named() { return 2; }\n";
    let index = "export { default } from './lib/app.mjs';\n";
    let renamed = "export { named as default } from './lib/app.mjs';\n";
    let test = "
import create from '../index.mjs';
import named from '../renamed.mjs';
function t1() { return create(); }
function t2() { return named(); }
";
    for ending in ["mjs", "mts"] {
        let path = |stem: &str| format!("{stem}.{ending}");
        let files = [("lib/app", own), ("index", index), ("renamed", renamed), ("test/a", test)];
        let files = files.map(|(stem, text)| (path(stem), text));
        let files = files.each_ref().map(|(path, text)| (path.as_str(), *text));
        assert_eq!(calls(&files), ["t1 -> create", "t2 -> named"], "{ending}");
    }
}

#[test]
fn an_alias_of_a_type_in_scala_is_that_type() {
    let types = "
package p
class Token { def owner: Int = 1; def go(): Int = 2 }
class Box[A] { def open(): Int = 1 }
object Types {
  type T = Token
  type Gen[A] = Box[A]
  type Outside = ext.Token
}
";
    let all = "
package p
import Types._
class All {
  type Own = Token
  def star(t: T): Int = t.owner
  def own(t: Own): Int = t.go()
  def generic(b: Gen[Int]): Int = b.open()
  def outside(t: Outside): Int = t.go()
  def put(t: T): Int = 1
  def put(t: String): Int = 2
  def select(t: Token): Int = put(t)
}
class Below extends T { def inherited(): Int = go() }
";
    let one = "
package r
import p.Types.T
class One {
  def named(t: T): Int = t.owner
  def made = new T()
}
";
    assert_eq!(
        calls(&[("all.scala", all), ("one.scala", one), ("types.scala", types)]),
        [
            "All.generic -> Box.open",
            "All.own -> Token.go",
            "All.select -> All.put",
            "All.star -> Token.owner",
            "Below.inherited -> Token.go",
            "One.made -> Token",
            "One.named -> Token.owner",
        ]
    );
}

#[test]
fn an_alias_of_a_type_in_kotlin_is_that_type() {
    let types = "
package p
class Token { fun owner(): Int = 1
  companion object { fun make(): T = Token() } }
class Box<A> { fun open(): Int = 1 }
typealias T = Token
typealias Gen<A> = Box<A>
typealias Run = (Token) -> Unit
";
    let uses = "
package q
import p.*
fun named(t: T): Int { return t.owner() }
fun generic(b: Gen<Int>): Int { return b.open() }
fun made(): T { return T() }
fun result() { made().owner() }
fun companion() { T.make() }
fun run(r: Run) { r.owner() }
";
    assert_eq!(
        calls(&[("types.kt", types), ("uses.kt", uses)]),
        [
            "Token.make -> Token",
            "companion -> Token.make",
            "generic -> Box.open",
            "made -> Token",
            "named -> Token.owner",
            "result -> Token.owner",
            "result -> made",
        ]
    );
}

#[test]
fn an_import_in_scala_may_open_a_value_or_an_object_of_the_same_body() {
    let source = "
package p
class Meta { def deep: Int = 3 }
class Token { def owner: Int = 1; def put(x: Int): Int = 2
  val meta: Meta = new Meta }
object Status {
  import Registry._
  val ok = register(2)
  def other = register(3)
  private object Registry { def register(s: Int): Int = s }
}
class Uses {
  def own: Int = 1
  def all(t: Token, m: Meta): Int = {
    import t._
    import m._
    owner
    own
    deep
    put(3)
  }
  def nested(t: Token): Int = { import t.meta._; deep }
  def before(t: Token): Int = { owner; import t._; 1 }
  def outside(t: Token): Int = { if (true) { import t._; put(1) }; deep; 1 }
}
";
    assert_eq!(
        calls(&[("a.scala", source)]),
        [
            "Status -> Status.Registry.register",
            "Status.other -> Status.Registry.register",
            "Token -> Meta",
            "Uses.all -> Meta.deep",
            "Uses.all -> Token.owner",
            "Uses.all -> Token.put",
            "Uses.all -> Uses.own",
            "Uses.nested -> Meta.deep",
            "Uses.outside -> Token.put",
        ]
    );
}

#[test]
fn a_name_from_a_namespace_outside_the_repository_is_linked_to_nothing() {
    let map = "<?php
namespace App\\Store;
class RefMap { public function lookup(string $key): int { return 1; } }
";
    let php = "<?php
namespace App;
use App\\Store\\RefMap;
use App\\Store\\Generated;
use Ext\\Config;
use Ext\\{Registry as Names};
class Uses {
    private Config $config;
    /** @var Config */ private $written;
    private RefMap $map;
    public function typed() { $this->config->lookup('x'); $this->config->all->lookup('x'); }
    public function written() { $this->written->lookup('x'); }
    public function parameter(Names $names) { $names->lookup('x'); }
    public function created() { (new Config())->lookup('x'); }
    public function own() { $this->map->lookup('x'); }
    public function either(Config|RefMap $one) { $one->lookup('x'); }
    public function generated(Generated $one) { $one->lookup('x'); }
    public function unknown($one) { $one->lookup('x'); }
}
";
    assert_eq!(
        calls(&[("src/Store/RefMap.php", map), ("src/Uses.php", php)]),
        [
            "Uses::either -> RefMap::lookup",
            "Uses::generated -> RefMap::lookup",
            "Uses::own -> RefMap::lookup",
            "Uses::unknown -> RefMap::lookup",
        ]
    );
    let scala = "
package app
import ext.Config
import ext.store._
class RefMap { def lookup(key: String): Int = 1 }
class Uses(config: Config) {
  def typed = config.lookup(\"x\")
  def member = config.all.lookup(\"x\")
  def star(vault: Vault) = vault.lookup(\"x\")
  def own(map: RefMap) = map.lookup(\"x\")
}
";
    assert_eq!(calls(&[("app.scala", scala)]), ["Uses.own -> RefMap.lookup"]);
}

#[test]
fn a_function_named_like_a_test_is_no_test_outside_the_files_in_which_a_runner_looks_for_tests() {
    let checks = "def test_odd(value): return value % 2\nCHECKS = {'odd': test_odd}\n";
    let source = "from checks import CHECKS\ndef check(name, value):\n    return CHECKS[name](value)\n";
    assert_eq!(calls(&[("checks.py", checks), ("a.py", source)]), ["check -> test_odd"]);
}
