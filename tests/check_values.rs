//! Tests which calls `whichfn check` reports after the value of a function changed, in each
//! language, and which harmless edits it does not report.

use crate::check_refactorings::{assert_left, left_behind};

#[test]
fn a_statement_does_not_use_the_value() {
    let js = "export function put(k) { return k }\n";
    let js_user = "import { put } from './l.js'\n\nput(1) // one\nput(2) /* two */\nif (1) put(3)\nelse put(4)\nvoid put(5)\nfor (const x of [1]) put(x)\nready() && put(6);\n[7].forEach(x => put(x))\nconst f = () => put(8)\nready() ? put(9) : put(10)\nconst y = put(11)\nuse({ a: put(12) })\nconst z = ready() ? put(13) : 0\n";
    let c_user = "#include \"l.h\"\n\nvoid go(int k) {\n  put(1); // one\n  put(2); /* two */\n  if (k) put(3); else put(4);\n  (void)put(5);\n  switch (k) { case 1: put(6); break; }\n  int x = put(7);\n}\n";
    let kotlin_user = "package p\n\nfun go(k: Int) {\n    put(1) // one\n    if (k > 1) put(2) else put(3)\n    when (k) {\n        1 -> put(4)\n        else -> put(5)\n    }\n    listOf(1).forEach { put(it) }\n    val x = if (k > 1) put(6) else 0\n}\n";
    let lua_user = "local l = require(\"l\")\n\nlocal function go(k)\n  l.put(1) -- one\n  if k then l.put(2) end\n  local x = l.put(3)\nend\n";
    let python_user = "from l import put\n\n\ndef go(k):\n    put(1)  # one\n    if k: put(2)\n    else: put(3)\n    k and put(4)\n    put(5); put(6)\n    x = [put(7)]\n";
    let go_user =
        "package p\n\nfunc use() {\n\tput(1) // one\n\tdefer put(2)\n\tgo put(3)\n\tx := put(4)\n\tprintln(x)\n}\n";
    let java_user = "class U {\n    void go(int k) {\n        L.put(1); // one\n        if (k > 1) L.put(2);\n        else L.put(3);\n        switch (k) { case 1 -> L.put(4); default -> L.put(5); }\n        int x = L.put(6);\n    }\n}\n";
    let php_user =
        "<?php\nfunction go($k) {\n    put(1); // one\n    if ($k) { put(2); }\n    @put(3);\n    $x = put(4);\n}\n";
    let swift_user = "func go(k: Int) {\n    put(1) // one\n    if k > 1 { put(2) }\n    switch k { case 1: put(3)\n    default: put(4) }\n    [1].forEach { put($0) }\n    let x = put(5)\n    print(x)\n}\n";
    let dart_user = "import 'l.dart';\n\nvoid go(int k) {\n  put(1); // one\n  if (k > 1) put(2);\n  [1].forEach((x) => put(x));\n  final x = put(3);\n}\n";
    assert_left(&[
        ("l.js", js, "return k", "k.x = 1", "u.js", js_user, &[13, 14, 15]),
        (
            "l.c",
            "#include \"l.h\"\n\nint put(int k) { return k; }\n",
            "int put(int k) { return k; }",
            "void put(int k) { }",
            "u.c",
            c_user,
            &[9],
        ),
        ("l.kt", "package p\n\nfun put(k: Int): Int = k\n", ": Int = k", ": Unit { }", "u.kt", kotlin_user, &[11]),
        (
            "l.lua",
            "local l = {}\nfunction l.put(k)\n  return k\nend\nreturn l\n",
            "return k",
            "print(k)",
            "u.lua",
            lua_user,
            &[6],
        ),
        ("l.py", "def put(k):\n    return k\n", "return k", "print(k)", "u.py", python_user, &[10]),
        ("l.go", "package p\n\nfunc put(k int) int { return k }\n", "int { return k }", "{ }", "u.go", go_user, &[7]),
        (
            "L.java",
            "class L { static int put(int k) { return k; } }\n",
            "int put(int k) { return k; }",
            "void put(int k) { }",
            "U.java",
            java_user,
            &[7],
        ),
        (
            "l.php",
            "<?php\nfunction put($k): int { return $k; }\n",
            ": int { return $k; }",
            ": void { }",
            "u.php",
            php_user,
            &[6],
        ),
        (
            "l.swift",
            "func put(_ k: Int) -> Int { return k }\n",
            "-> Int { return k }",
            "{ }",
            "u.swift",
            swift_user,
            &[7],
        ),
        (
            "l.dart",
            "int put(int k) { return k; }\n",
            "int put(int k) { return k; }",
            "void put(int k) { }",
            "u.dart",
            dart_user,
            &[7],
        ),
    ]);
}

#[test]
fn a_body_that_is_the_value_returns_it() {
    assert_left(&[
        (
            "l.kt",
            "package p\n\nfun area(w: Int, h: Int): Int {\n    return w * h\n}\n",
            ": Int {\n    return w * h\n}",
            " = w * h",
            "u.kt",
            "package p\n\nfun go() = println(area(1, 2))\n",
            &[],
        ),
        (
            "l.dart",
            "area(int w, {int h = 1}) {\n  return w * h;\n}\n",
            "{\n  return w * h;\n}",
            "=> w * h;",
            "u.dart",
            "import 'l.dart';\n\nvoid go() {\n  print(area(1));\n}\n",
            &[],
        ),
        (
            "L.cs",
            "static class L\n{\n    public static int Area(int w) { return w; }\n}\n",
            "{ return w; }",
            "=> w;",
            "U.cs",
            "class U\n{\n    int Go() { return L.Area(1); }\n}\n",
            &[],
        ),
        (
            "l.swift",
            "func area(_ w: Int) -> Int { return w * 2 }\n",
            "return w",
            "w",
            "u.swift",
            "func go() {\n    print(area(1))\n}\n",
            &[],
        ),
        (
            "lib/l.rb",
            "class L\n  def area(w)\n    return w * 2\n  end\nend\n",
            "return w",
            "w",
            "lib/u.rb",
            "require_relative \"l\"\n\ndef go\n  puts L.new.area(1)\nend\n",
            &[],
        ),
        (
            "lib/l.rb",
            "class L\n  def area(w)\n    return w * 2\n  end\nend\n",
            "(w)\n    return w * 2\n  end",
            "(w) = w * 2",
            "lib/u.rb",
            "require_relative \"l\"\n\ndef go\n  puts L.new.area(1)\nend\n",
            &[],
        ),
        (
            "src/l.rs",
            "pub fn area(w: u32) -> u32 {\n    return w * 2;\n}\n",
            "return w * 2;",
            "w * 2",
            "src/main.rs",
            "mod l;\n\nfn main() {\n    dbg!(l::area(1));\n    let x = l::area(1);\n}\n",
            &[],
        ),
        (
            "l.jl",
            "function area(w)\n    return w * 2\nend\n",
            "function area(w)\n    return w * 2\nend",
            "area(w) = w * 2",
            "u.jl",
            "include(\"l.jl\")\n\nfunction go()\n    println(area(1))\nend\n",
            &[],
        ),
        (
            "L.scala",
            "package p\n\nobject L {\n  def area(w: Int): Int = {\n    return w * 2\n  }\n}\n",
            ": Int = {\n    return w * 2\n  }",
            " = w * 2",
            "U.scala",
            "package p\n\nobject U {\n  def go() = println(L.area(1))\n}\n",
            &[],
        ),
        (
            "l.js",
            "export const area = (w) => { return w * 2 }\n",
            "{ return w * 2 }",
            "w * 2",
            "u.js",
            "import { area } from './l.js'\n\nconsole.log(area(1))\n",
            &[],
        ),
    ]);
}

#[test]
fn a_value_that_becomes_async_must_be_awaited_where_the_language_requires_it() {
    let kotlin = "package p\n\nfun load(k: Int): Int = k\n";
    assert_left(&[
        (
            "l.swift",
            "func load(_ k: Int) -> Int { return k }\n",
            ") -> Int",
            ") async throws -> Int",
            "u.swift",
            "func go() {\n    let x = load(1)\n    print(x)\n}\n",
            &[2],
        ),
        (
            "l.swift",
            "func load(_ k: Int) async -> Int { return k }\n",
            "async ->",
            "async throws ->",
            "u.swift",
            "func go() async {\n    let x = await load(1)\n    print(x)\n}\n",
            &[],
        ),
        (
            "l.kt",
            kotlin,
            "fun load",
            "suspend fun load",
            "u.kt",
            "package p\n\nsuspend fun go(): Int {\n    val x = load(1)\n    return x\n}\n\nfun stop(): Int {\n    val x = load(1)\n    return x\n}\n\nfun later() = runBlocking { load(2) }\n",
            &[9],
        ),
        (
            "src/l.rs",
            "pub fn load(k: u32) -> u32 {\n    k\n}\n",
            "-> u32 {\n    k",
            "-> impl Future<Output = u32> {\n    async move { k }",
            "src/main.rs",
            "mod l;\n\nfn main() {\n    let a = l::load(1);\n}\n",
            &[4],
        ),
        (
            "src/l.rs",
            "pub fn load(k: u32) -> u32 {\n    k\n}\n",
            "-> u32 {\n    k",
            "-> Pin<Box<dyn Future<Output = u32>>> {\n    Box::pin(async move { k })",
            "src/main.rs",
            "mod l;\n\nfn main() {\n    let a = l::load(1);\n}\n",
            &[4],
        ),
        (
            "src/l.rs",
            "pub async fn load(k: u32) -> u32 {\n    k\n}\n",
            "pub async fn load(k: u32) -> u32 {\n    k",
            "pub fn load(k: u32) -> impl Future<Output = u32> {\n    async move { k }",
            "src/main.rs",
            "mod l;\n\nasync fn run() {\n    let a = l::load(1).await;\n}\n",
            &[],
        ),
        (
            "l.dart",
            "int load(int k) { return k; }\n",
            "int load(int k) {",
            "Future<int> load(int k) async {",
            "u.dart",
            "import 'l.dart';\n\nvoid go() {\n  final x = load(1);\n  print(x);\n}\n",
            &[4],
        ),
    ]);
}

#[test]
fn a_comment_with_the_name_is_not_the_header() {
    assert_left(&[
        (
            "l.py",
            "# old\nasync def load(a, b):\n    return 1\n",
            "# old",
            "# see load(x) for more",
            "u.py",
            "from l import load\n\n\nasync def go():\n    return await load(1, 2) + 1\n",
            &[],
        ),
        (
            "l.swift",
            "extension B {\n    // old\n    public func load(to r: Int) async throws -> Int {\n        1\n    }\n}\n",
            "// old",
            "/// See ``Middleware/load(to:)``.",
            "u.swift",
            "extension B {\n    func go() async throws -> Int {\n        try await self.load(to: 1)\n    }\n}\n",
            &[],
        ),
        (
            "L.java",
            "class L {\n  // old\n  static int load(int a) { return 1; }\n}\n",
            "// old",
            "/** Like load(x), but void. */",
            "U.java",
            "class U {\n  int go() { return L.load(1) + 1; }\n}\n",
            &[],
        ),
    ]);
}

#[test]
fn a_long_header_has_its_type_at_its_end() {
    let parameters: String = (1..13).map(|n| format!("    parameter_{n}: &Vec<Option<u32>>,\n")).collect();
    let rust = format!("fn load(\n{parameters}) -> u32 {{\n    1\n}}\n");
    let arguments = ["&v"; 12].join(", ");
    let user = format!("mod l;\n\nfn main() {{\n    let a = l::load({arguments});\n}}\n");
    assert_left(&[
        ("src/l.rs", &rust, "fn load", "pub fn load", "src/main.rs", &user, &[]),
        ("src/l.rs", &rust, "-> u32 {\n    1", "{\n    ()", "src/main.rs", &user, &[4]),
    ]);
}

#[test]
fn what_only_loops_over_a_list_takes_an_iterator() {
    let python = "def read(p) -> list[str]:\n    return [p]\n";
    let user = "from l import read\n\nfor x in read(1):\n    print(x)\na = sorted(read(2))\nb = read(3)[0]\n";
    assert_left(&[
        ("l.py", python, "-> list[str]:\n    return [p]", "-> Iterator[str]:\n    yield p", "u.py", user, &[6]),
        ("l.py", "def read(p):\n    return [p]\n", "return [p]", "yield p", "u.py", user, &[]),
        (
            "l.js",
            "export function read(p) {\n  return [p]\n}\n",
            "function read(p) {\n  return [p]",
            "function* read(p) {\n  yield p",
            "u.js",
            "import { read } from './l.js'\n\nfor (const x of read(1)) use(x)\n",
            &[],
        ),
    ]);
}

#[test]
fn a_comparison_in_brackets_does_not_pass_the_value_on() {
    assert_left(&[
        (
            "l.py",
            "def load(k):\n    return k\n",
            "def load",
            "async def load",
            "u.py",
            "from l import load\n\n\nasync def go():\n    while (load(1) > 1): pass\n    use(load(2), 1)\n    [load(3)]\n",
            &[5],
        ),
        (
            "l.js",
            "export function load(k) { return k }\n",
            "export function",
            "export async function",
            "u.js",
            "import { load } from './l.js'\n\nexport async function go() {\n  while (load(1) > 1) use()\n  use(load(2), 1)\n  return [load(3)]\n}\n",
            &[4],
        ),
        (
            "L.cs",
            "public class L { public static int Load(int k) { return k; } }\n",
            "static int Load",
            "static async Task<int> Load",
            "U.cs",
            "class U {\n  void Go() {\n    if (L.Load(1) == 2) { }\n    Use(L.Load(2), 1);\n  }\n}\n",
            &[3],
        ),
        (
            "l.swift",
            "func load(_ k: Int) -> Int { return k }\n",
            ") -> Int",
            ") async -> Int",
            "u.swift",
            "func go() {\n    while (load(1) > 1) { }\n}\n",
            &[2],
        ),
    ]);
}

#[test]
fn a_type_written_in_another_way_is_the_same() {
    let user = "from l import load\n\n\ndef go():\n    a = load(1)\n    load(2).name\n    x, y = load(3)\n";
    let python = |from: &str| {
        format!(
            "import typing as t\nfrom typing import Optional, Union\n\n\nclass A:\n    name = 1\n\n\ndef load(k: int) -> {from}:\n    return A()\n"
        )
    };
    for (old, new) in [
        ("t.Union[A, None]", "A | None"),
        ("Union[None, A]", "Optional[A]"),
        ("Optional[A]", "None | A"),
        ("t.Optional[Union[A, int]]", "A | int | None"),
        ("tuple[A, Union[int, None]]", "tuple[A, int | None]"),
        ("tuple[A, int]", "tuple[\n    A,\n    int,\n]"),
    ] {
        let found = left_behind(&[("l.py", &python(old)), ("u.py", user)], old, new);
        assert!(found.is_empty(), "{old} -> {new}: {found:?}");
    }
    assert_eq!(
        left_behind(&[("l.py", &python("A")), ("u.py", user)], "-> A:", "-> Union[A, None]:"),
        ["u.py:6", "u.py:7"]
    );
    assert_left(&[
        (
            "l.py",
            "def parse() -> tuple[\n    int,\n    int,\n    int,\n    int,\n]:\n    return 1, 2, 3, 4\n",
            "    int,\n    int,\n    int,\n    int,\n]:\n    return 1, 2, 3, 4",
            "    int,\n    int,\n    int,\n]:\n    return 1, 2, 3",
            "u.py",
            "from l import parse\n\na, b, c, d = parse()\n",
            &[3],
        ),
        (
            "l.ts",
            "export function load(k: number): string[] { return [] }\n",
            "string[]",
            "Array<string>",
            "u.ts",
            "import { load } from './l'\n\nexport const x = load(1).length\n",
            &[],
        ),
        (
            "src/l.rs",
            "pub fn load(k: u32) -> (u32, u32) {\n    (k, k)\n}\n",
            "-> (u32, u32)",
            "-> (\n    u32,\n    u32,\n)",
            "src/main.rs",
            "mod l;\n\nfn main() {\n    let (a, b) = l::load(1);\n}\n",
            &[],
        ),
    ]);
}

#[test]
fn a_value_that_callers_test_may_be_nothing() {
    let ts = "export function load(k: number): { n: number } { return { n: k } }\n";
    let user = "import { load } from './l'\n\nexport function use() {\n  const a = load(1)\n  if (!a) return 0\n  const b = load(2) ?? { n: 0 }\n  const c = load(3)?.n\n  return a.n + b.n + (c ?? 0) + load(4).n\n}\n";
    assert_left(&[("l.ts", ts, "): { n: number }", "): { n: number } | undefined", "u.ts", user, &[8])]);
    let env = crate::check::repository(&[("l.ts", ts), ("u.ts", user)]);
    env.write("l.ts", ts.replace("): { n: number }", "): { n: number } | undefined"));
    let found = crate::check::findings(&env.run(&["check", "--json"]));
    let message = found[0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("returned { n: number } and now returns { n: number } | undefined"), "{message}");
    assert_left(&[
        (
            "L.java",
            "class L { static int find(String s) { return 1; } }\n",
            "int find(String s) { return 1; }",
            "java.util.OptionalInt find(String s) { return null; }",
            "U.java",
            "class U { void use() {\n    int n = L.find(\"x\");\n} }\n",
            &[2],
        ),
        (
            "l.go",
            "package p\n\ntype Item struct{}\n\nfunc load(k int) string { return \"\" }\n",
            "string { return \"\" }",
            "*Item { return nil }",
            "u.go",
            "package p\n\nfunc use() int {\n\treturn len(load(1))\n}\n",
            &[4],
        ),
        (
            "l.go",
            "package p\n\ntype Name string\n\nfunc load(k int) string { return \"\" }\n",
            "string { return \"\" }",
            "Name { return \"\" }",
            "u.go",
            "package p\n\nfunc use() int {\n\treturn len(load(1))\n}\n",
            &[],
        ),
    ]);
}

#[test]
fn keys_that_an_object_lost_are_followed_to_imports_and_literals() {
    let symbols = "const keys = {\n  kA: Symbol('a'),\n  kB: Symbol('b')\n}\n\nmodule.exports = keys\n";
    let exported = "module.exports = {\n  kA: 1,\n  kB: 2\n}\n";
    let user = "const { kA, kB } = require('./symbols')\nconst all = require('./symbols')\n\nexports.f = (o) => o[kA] + o[kB]\nexports.g = () => all.kA\nconst { kA: a } = all\n";
    let colors = "export const Color = { Red: 'red', Blue: 'blue' } as const\n";
    let painter =
        "import { Color } from './color'\n\nexport const p = (c: string) => c === Color.Red || c === Color.Blue\n";
    let options = "export interface Options { size?: number }\nexport function g(o: Options) { return o }\n";
    let caller = "import { g, Options } from './s'\n\nexport const x = g({ size: 1 })\nexport const y: Options = { size: 2 }\nexport const z = other({ size: 3 })\nexport const q = ({ size }: Options) => size\n";
    let default = "function b() {}\nexport default { a() {}, b, limit: 8 }\n";
    let data = "export default { limit: 8, size: 2 }\n";
    let member = "import all from './l'\n\nall.a()\nall.b()\nuse(all.limit)\n";
    let table = "local function f() end\nreturn { name = f, limit = 8 }\n";
    let reader = "local m = require(\"m\")\nm.name()\nprint(m.limit)\n";
    let light = "enum Light {\n    case red\n    case blue\n}\n";
    let room = "func set(_ light: Light) {}\nfunc go() { set(.red); set(.blue) }\n";
    assert_left(&[
        ("symbols.js", symbols, "kA:", "kZ:", "app.js", user, &[1, 4, 5, 6]),
        ("symbols.js", exported, "kA:", "kZ:", "app.js", user, &[1, 4, 5, 6]),
        ("color.ts", colors, "Red:", "Rot:", "painter.ts", painter, &[3]),
        ("s.ts", options, "size?", "limit?", "app.ts", caller, &[3, 4, 6]),
        ("l.js", default, "a() {}, ", "", "app.js", member, &[3]),
        ("l.js", default, "b, ", "", "app.js", member, &[4]),
        ("l.ts", default, ", limit: 8", "", "app.ts", member, &[5]),
        ("l.js", default, "limit", "most", "app.js", member, &[5]),
        ("l.js", data, "limit: 8, ", "", "app.js", member, &[5]),
        ("l.ts", data, "limit: 8, ", "", "app.ts", member, &[5]),
        ("m.lua", table, "name = f, ", "", "app.lua", reader, &[2]),
        ("m.lua", table, ", limit = 8", "", "app.lua", reader, &[3]),
        ("Light.swift", light, "case red", "case green", "Room.swift", room, &[2]),
    ]);
}

#[test]
fn what_only_looks_like_a_use_is_not_reported() {
    let lock = "class Lock:\n    def __enter__(self):\n        return self\n\n    def __exit__(self, *exc):\n        pass\n\n    def __getitem__(self, at=0):\n        return at\n";
    let with = "from lock import Lock\n\n\ndef go(lock: Lock):\n    with lock:\n        return lock[1]\n";
    let options = "export interface Options { size?: number }\n";
    let mapped = "import { Options } from './s'\n\nexport function f(xs: number[]): Options {\n  const all = xs.map((x) => ({ size: x }))\n  return all[0]\n}\n";
    let limit = "let limit = 3\n";
    let ranges = "func f() {\n    for i in 0...limit { print(i) }\n    for i in 0..<limit { print(i) }\n}\n";
    assert_left(&[
        ("lock.py", lock, "*exc", "kind, exc, trace", "use.py", with, &[]),
        ("lock.py", lock, "at=0", "at", "use.py", with, &[]),
        ("s.ts", options, "size?", "limit?", "app.ts", mapped, &[]),
        ("Limit.swift", limit, "limit", "most", "Use.swift", ranges, &[2, 3]),
    ]);
}

#[test]
fn all_results_of_a_call_have_types() {
    let go = "package p\n\ntype Dir struct{}\n\nfunc (d Dir) Path() string { return \"\" }\n\ntype Shop struct{}\n\nfunc (s Shop) Two() (int, Dir) { return 1, Dir{} }\n";
    let go_user = "package p\n\nfunc show(shop Shop) {\n\tsize, dir := shop.Two()\n\tprintln(size, dir.Path())\n}\n";
    let python =
        "class Dir:\n    def path(self):\n        return ''\n\n\ndef two() -> tuple[int, Dir]:\n    return load()\n";
    let python_user = "from dirs import two\n\n\ndef show():\n    size, dir = two()\n    print(size, dir.path())\n";
    let rust = "pub struct Dir;\n\nimpl Dir {\n    pub fn path(&self) -> u32 {\n        1\n    }\n}\n\npub fn two() -> (u32, Dir) {\n    (1, Dir)\n}\n";
    let rust_user =
        "use crate::dirs::two;\n\npub fn show() {\n    let (size, dir) = two();\n    print(size, dir.path());\n}\n";
    let kotlin = "package p\n\nclass Dir {\n    fun path(): Int = 1\n}\n\nfun two(): Pair<Int, Dir> = load()\n";
    let kotlin_user = "package p\n\nfun show() {\n    val (size, dir) = two()\n    println(dir.path())\n}\n";
    let swift = "class Dir {\n    func path() -> Int { return 1 }\n}\n\nfunc two() -> (Int, Dir) { return load() }\n";
    let swift_user = "func show() {\n    let (size, dir) = two()\n    print(size, dir.path())\n}\n";
    let cs = "class Dir\n{\n    public int Path() { return 1; }\n}\n\nstatic class Shop\n{\n    public static (int, Dir) Two() { return Load(); }\n}\n";
    let cs_user = "class User\n{\n    void Show()\n    {\n        var (size, dir) = Shop.Two();\n        Use(dir.Path());\n    }\n}\n";
    let ts = "export class Dir {\n  path(): number { return 1; }\n}\n\nexport function two(): [number, Dir] { return load(); }\n";
    let ts_user = "import { two } from './dirs';\n\nconst [size, dir] = two();\nuse(size, dir.path());\n";
    let lua = "local M = {}\nlocal Dir = {}\nDir.__index = Dir\n\nfunction Dir.new()\n  return setmetatable({}, Dir)\nend\n\nfunction Dir:path()\n  return 1\nend\n\nfunction M.two()\n  return 1, Dir.new()\nend\n\nreturn M\n";
    let lua_user = "local dirs = require(\"dirs\")\n\nlocal size, dir = dirs.two()\nprint(size, dir:path())\n";
    assert_left(&[
        ("p.go", go, "Path()", "Path(base string)", "user.go", go_user, &[5]),
        ("dirs.py", python, "path(self)", "path(self, base)", "user.py", python_user, &[6]),
        ("src/dirs.rs", rust, "path(&self)", "path(&self, base: u32)", "src/user.rs", rust_user, &[5]),
        ("p/Dirs.kt", kotlin, "path()", "path(base: Int)", "p/User.kt", kotlin_user, &[5]),
        ("dirs.swift", swift, "path()", "path(_ base: Int)", "user.swift", swift_user, &[3]),
        ("Dirs.cs", cs, "Path()", "Path(int start)", "User.cs", cs_user, &[6]),
        ("dirs.ts", ts, "path()", "path(base: number)", "user.ts", ts_user, &[4]),
        ("dirs.lua", lua, "Dir:path()", "Dir:path(base)", "user.lua", lua_user, &[4]),
    ]);
}

#[test]
fn the_body_of_a_function_with_a_declared_result_uses_the_value() {
    let cs = "public class Store { public int Read(int key) { return key; } }\n";
    let cs_user = "public class User\n{\n    int A(Store s) => s.Read(1);\n    int B(Store s) => s.Read(1) + 1;\n    int? C(Store s) => s.IsOpen ? s.Read(1) : null;\n    int D => store.Read(1);\n    Store store;\n    void E(Store s) => Each(x => s.Read(x));\n    bool F(Store s) => Any(x => s.Read(x) == 1);\n    void G(Store s) => s.Read(1);\n}\n";
    let kotlin = "package p\n\nclass Store {\n    fun read(key: Int): Int = key\n}\n";
    let kotlin_user = "package p\n\nfun a(s: Store): Int = s.read(1)\nfun b(s: Store): Boolean = s.read(1) == 2\n";
    let js = "export function read(key) { return key }\n";
    let js_user = "import { read } from './store.js'\nconst a = x => read(x)\nconst b = x => read(x) + 1\nconst c = x => read(x) === 1 ? 2 : 3\n";
    assert_left(&[
        (
            "Store.cs",
            cs,
            "int Read(int key) { return key; }",
            "async Task<int> Read(int key) { return key; }",
            "User.cs",
            cs_user,
            &[10, 3, 4, 5, 6, 9],
        ),
        (
            "Store.cs",
            cs,
            "int Read(int key) { return key; }",
            "void Read(int key) { }",
            "User.cs",
            cs_user,
            &[3, 4, 5, 6, 9],
        ),
        ("p/Store.kt", kotlin, "fun read", "suspend fun read", "p/User.kt", kotlin_user, &[3, 4]),
        ("store.js", js, "export function", "export async function", "user.js", js_user, &[3, 4]),
    ]);
}
