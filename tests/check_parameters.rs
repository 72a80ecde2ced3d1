//! Tests which calls `whichfn check` reports after the parameters of a function changed, in each
//! language: calls by position, by name and mixed, defaults, closures after the brackets, receivers.

use crate::check::failing;
use crate::check_refactorings::{assert_left, left_behind};

#[test]
fn a_call_by_position_is_checked_in_each_language() {
    assert_left(&[
        (
            "l.kt",
            "package p\n\nfun load(key: Int): Int = key\n",
            "key: Int)",
            "key: Int, mode: Int)",
            "u.kt",
            "package p\n\nfun go(): Int {\n    return load(1)\n}\n",
            &[4],
        ),
        (
            "l.kt",
            "package p\n\nfun load(key: Int, mode: Int): Int = key\n",
            ", mode: Int",
            "",
            "u.kt",
            "package p\n\nfun go(): Int {\n    return load(1, 2)\n}\n",
            &[4],
        ),
        (
            "l.swift",
            "func load(key: Int) -> Int { return key }\n",
            "key: Int)",
            "key: Int, mode: Int)",
            "u.swift",
            "func go() -> Int {\n    return load(key: 1)\n}\n",
            &[2],
        ),
        (
            "l.swift",
            "func load(_ key: Int) -> Int { return key }\n",
            "key: Int)",
            "key: Int, _ mode: Int)",
            "u.swift",
            "func go() -> Int {\n    return load(1)\n}\n",
            &[2],
        ),
        (
            "l.zig",
            "pub fn load(key: u8) u8 {\n    return key;\n}\n",
            "key: u8)",
            "key: u8, mode: u8)",
            "u.zig",
            "const l = @import(\"l.zig\");\n\npub fn go() u8 {\n    return l.load(1);\n}\n",
            &[4],
        ),
        (
            "l.dart",
            "int load(int key) => key;\n",
            "int key)",
            "int key, int mode)",
            "u.dart",
            "import 'l.dart';\n\nint go() {\n  return load(1);\n}\n",
            &[4],
        ),
        (
            "L.scala",
            "package p\n\nobject L {\n  def load(key: Int): Int = key\n}\n",
            "key: Int)",
            "key: Int, mode: Int)",
            "U.scala",
            "package p\n\nobject U {\n  def go(): Int = L.load(1)\n}\n",
            &[4],
        ),
        (
            "L.cs",
            "static class L\n{\n    public static int Load(int key) { return key; }\n}\n",
            "int key)",
            "int key, int mode)",
            "U.cs",
            "class U\n{\n    int Go() { return L.Load(1); }\n}\n",
            &[3],
        ),
        (
            "l.go",
            "package p\n\nfunc load(key int) int { return key }\n",
            "key int)",
            "key int, mode int)",
            "u.go",
            "package p\n\nfunc use() int {\n\treturn load(1)\n}\n",
            &[4],
        ),
        (
            "l.ts",
            "export function load(key: number) { return key }\n",
            "key: number)",
            "key: number, mode: number)",
            "u.ts",
            "import { load } from './l'\n\nexport const x = load(1)\n",
            &[3],
        ),
        (
            "l.php",
            "<?php\nfunction load($key) { return $key; }\n",
            "$key)",
            "$key, $mode)",
            "u.php",
            "<?php\nfunction go() { return load(1); }\n",
            &[2],
        ),
        (
            "l.jl",
            "function load(key)\n    key\nend\n",
            "(key)",
            "(key, mode)",
            "u.jl",
            "include(\"l.jl\")\n\nfunction go()\n    load(1)\nend\n",
            &[4],
        ),
    ]);
}

#[test]
fn nullable_parameters_and_function_types_are_required() {
    assert_left(&[
        (
            "l.kt",
            "package p\n\nfun load(key: Int): Int = key\n",
            "key: Int)",
            "key: Int, mode: Int?)",
            "u.kt",
            "package p\n\nfun go(): Int {\n    return load(1)\n}\n",
            &[4],
        ),
        (
            "l.ts",
            "export function load(key: number) { return key }\n",
            "key: number)",
            "key: number, done: () => void)",
            "u.ts",
            "import { load } from './l'\n\nexport const x = load(1)\n",
            &[3],
        ),
        (
            "l.ts",
            "export function load(key: number) { return key }\n",
            "key: number)",
            "key: number, done?: () => void)",
            "u.ts",
            "import { load } from './l'\n\nexport const x = load(1)\n",
            &[],
        ),
        (
            "src/l.rs",
            "pub fn load(key: u32) -> u32 {\n    key\n}\n",
            "key: u32)",
            "key: u32, all: impl Iterator<Item = u32>)",
            "src/main.rs",
            "mod l;\n\nfn main() {\n    l::load(1);\n}\n",
            &[4],
        ),
    ]);
}

#[test]
fn names_defaults_and_any_number_of_arguments_are_followed() {
    let by_name = "package p\n\nfun go() {\n    load(key = 1)\n    load(1)\n}\n";
    let kotlin = "package p\n\nfun load(key: Int, size: Int = 1): Int = key\n";
    assert_left(&[
        ("l.kt", kotlin, "key: Int,", "id: Int,", "u.kt", by_name, &[4]),
        ("l.kt", kotlin, "size: Int = 1", "size: Int", "u.kt", by_name, &[4, 5]),
        ("l.kt", kotlin, "size: Int = 1", "size: Int = 1, mode: String = \"a\"", "u.kt", by_name, &[]),
        ("l.kt", kotlin, "size: Int = 1", "vararg rest: Int", "u.kt", by_name, &[]),
        ("l.kt", kotlin, "key: Int, size: Int = 1", "size: Int = 1, key: Int", "u.kt", by_name, &[5]),
        (
            "l.swift",
            "func load(key: Int, in box: Int = 1) -> Int { return key }\n",
            "in box",
            "into box",
            "u.swift",
            "func go() {\n    _ = load(key: 1)\n    _ = load(key: 1, in: 2)\n}\n",
            &[3],
        ),
        (
            "l.swift",
            "func load(key: Int, in box: Int = 1) -> Int { return key }\n",
            "in box",
            "in other",
            "u.swift",
            "func go() {\n    _ = load(key: 1)\n    _ = load(key: 1, in: 2)\n}\n",
            &[],
        ),
        (
            "l.dart",
            "int load(int key, {int size = 1}) => key;\n",
            "{int size = 1}",
            "{int size = 1, required int mode}",
            "u.dart",
            "import 'l.dart';\n\nint go() {\n  return load(1, size: 2);\n}\n",
            &[4],
        ),
        (
            "l.dart",
            "int load(int key, {int size = 1}) => key;\n",
            "{int size = 1}",
            "{int size = 1, int? mode}",
            "u.dart",
            "import 'l.dart';\n\nint go() {\n  return load(1, size: 2);\n}\n",
            &[],
        ),
        (
            "l.dart",
            "int load(int key, [int size = 1]) => key;\n",
            ", [int size = 1]",
            "",
            "u.dart",
            "import 'l.dart';\n\nint go() {\n  return load(1) + load(1, 2);\n}\n",
            &[4],
        ),
        (
            "lib/doc.rb",
            "class Doc\n  def merge(other, source: 1)\n    [other, source]\n  end\nend\n",
            "source",
            "origin",
            "lib/app.rb",
            "require_relative \"doc\"\n\ndef go(data)\n  doc = Doc.new\n  doc.merge(data, :source => 2)\nend\n",
            &[5],
        ),
    ]);
}

#[test]
fn a_closure_after_the_brackets_is_the_last_argument() {
    let kotlin = "package p\n\nfun load(key: Int, done: () -> Unit) { done() }\n";
    let user = "package p\n\nfun go() {\n    load(1) { println(2) }\n}\n";
    let swift = "func load(_ key: Int, done: @escaping (Int) -> Void) { done(key) }\n";
    let swift_user = "func go() {\n    load(1) { x in print(x) }\n}\n";
    assert_left(&[
        ("l.kt", kotlin, "key: Int,", "key: Int, mode: Int,", "u.kt", user, &[4]),
        ("l.kt", kotlin, "key: Int,", "key: Int, mode: Int = 1,", "u.kt", user, &[]),
        ("l.kt", kotlin, "key: Int,", "", "u.kt", user, &[4]),
        ("l.swift", swift, "_ key: Int,", "_ key: Int, mode: Int,", "u.swift", swift_user, &[2]),
        ("l.swift", swift, "@escaping (Int)", "@escaping @Sendable (Int)", "u.swift", swift_user, &[]),
        ("l.swift", swift, "_ key: Int,", "_ key: Int, mode: Int = 1,", "u.swift", swift_user, &[]),
    ]);
}

#[test]
fn constructors_in_headers_and_methods_are_checked() {
    assert_left(&[
        (
            "l.kt",
            "package p\n\nclass Box(val key: Int)\n",
            "val key: Int",
            "val key: Int, val mode: Int",
            "u.kt",
            "package p\n\nfun go() = Box(1)\n",
            &[3],
        ),
        (
            "l.kt",
            "package p\n\nclass Box<T>(val key: T)\n",
            "val key: T",
            "val key: T, val mode: Int",
            "u.kt",
            "package p\n\nfun go() = Box(1)\n",
            &[3],
        ),
        (
            "l.kt",
            "package p\n\nclass Box(val key: Int)\n",
            "val key: Int",
            "val key: Int, val mode: Int = 1",
            "u.kt",
            "package p\n\nfun go() = Box(1)\n",
            &[],
        ),
        (
            "l.kt",
            "package p\n\nclass Store {\n    fun put(key: Int): Int = key\n}\n",
            "key: Int",
            "key: Int, mode: Int",
            "u.kt",
            "package p\n\nfun go(store: Store): Int {\n    return store.put(1)\n}\n",
            &[4],
        ),
        (
            "l.swift",
            "struct Box {\n    init(key: Int) {}\n}\n",
            "key: Int",
            "key: Int, mode: Int",
            "u.swift",
            "func go() {\n    _ = Box(key: 1)\n}\n",
            &[2],
        ),
        (
            "L.java",
            "class L {\n    int all = 1;\n    int all() { return all; }\n    L all(int n) { all = n; return this; }\n}\n",
            "L all(int n)",
            "L some(int n)",
            "U.java",
            "class U {\n    void go(L l) {\n        l.all(2);\n        l.all();\n    }\n}\n",
            &[3],
        ),
    ]);
}

#[test]
fn keys_of_an_object_that_a_parameter_takes_apart_are_checked() {
    assert_left(&[
        (
            "l.ts",
            "export function pool({ size, wait }: { size?: number; wait?: number } = {}) { return size! + wait! }\n",
            "size",
            "limit",
            "u.ts",
            "import { pool } from './l'\n\nexport const p = pool({ size: 1 })\nexport const q = pool({ wait: 1 })\n",
            &[3],
        ),
        (
            "l.js",
            "export function pool(key, { size, wait }) { return size + wait + key }\n",
            "size",
            "limit",
            "u.js",
            "import { pool } from './l.js'\n\nexport const p = pool(1, { size: 1, wait: 2 })\n",
            &[3],
        ),
        (
            "l.js",
            "export function pool(key, { size, ...rest }) { return size + rest.wait + key }\n",
            "size",
            "limit",
            "u.js",
            "import { pool } from './l.js'\n\nexport const p = pool(1, { size: 1, wait: 2 })\n",
            &[],
        ),
    ]);
}

#[test]
fn a_parameter_without_a_name_of_its_own_proves_nothing() {
    assert_left(&[
        (
            "l.ts",
            "export function pool({ size, wait }: { size?: number; wait?: number } = {}) { return size! + wait! }\n",
            "{ size, wait }:",
            "{ size }:",
            "u.ts",
            "import { pool } from './l'\n\nexport const p = pool({ size: 1 })\n",
            &[],
        ),
        (
            "l.js",
            "export function pool(key, { size, wait }) { return size + wait + key }\n",
            "{ size, wait }",
            "{ size }",
            "u.js",
            "import { pool } from './l.js'\n\nexport const p = pool(1, { size: 1 })\n",
            &[],
        ),
    ]);
}

#[test]
fn a_parameter_in_front_takes_the_place_of_the_first_argument() {
    let files = [
        ("l.go", "package p\n\nfunc run(cmd string) string { return cmd }\n"),
        ("u.go", "package p\n\nfunc use() string {\n\treturn run(\"a\")\n}\n"),
    ];
    let env = crate::check::repository(&files);
    env.write("l.go", files[0].1.replace("(cmd string)", "(ctx string, cmd string)"));
    let found = crate::check::findings(&env.run(&["check", "--json"]));
    assert_eq!(found[0]["related"][0]["note"], "argument 1 was cmd and is now ctx", "{found:#?}");
}

#[test]
fn calls_of_extensions_of_library_types_are_listed() {
    let kotlin = "package a\n\nfun String.shout(times: Int): String = this\n";
    let kotlin_user = "package a\n\nfun use(): String {\n    val x = \"a\".shout(2)\n    return x\n}\n";
    let swift = "extension String {\n    func shout(_ times: Int) -> String { return self }\n}\n";
    let swift_user = "func use() -> String {\n    return \"a\".shout(2)\n}\n";
    let csharp = "namespace N;\npublic static class E {\n    public static string Shout(this string s, int times) { return s; }\n}\n";
    let csharp_user = "namespace N;\npublic class U {\n    public string Use() { return \"a\".Shout(2); }\n}\n";
    let dart = "extension E on String {\n  String shout(int times) { return this; }\n}\n";
    let dart_user = "import 'a.dart';\n\nString use() {\n  return \"a\".shout(2);\n}\n";
    let scala = "package p\nextension (s: String)\n  def shout(times: Int): String = s\n";
    let scala_user = "package p\nobject U {\n  def use(): String = \"a\".shout(2)\n}\n";
    assert_left(&[
        ("a.kt", kotlin, "times: Int", "times: Int, end: String", "b.kt", kotlin_user, &[4]),
        ("a.kt", kotlin, "times: Int", "times: Int, end: String = \"\"", "b.kt", kotlin_user, &[]),
        ("a.kt", kotlin, "times: Int", "", "b.kt", kotlin_user, &[4]),
        ("a.swift", swift, "_ times: Int", "_ times: Int, _ end: String", "b.swift", swift_user, &[2]),
        ("A.cs", csharp, "int times", "int times, string end", "B.cs", csharp_user, &[3]),
        ("a.dart", dart, "int times", "int times, String end", "b.dart", dart_user, &[4]),
        ("a.scala", scala, "times: Int", "times: Int, end: String", "b.scala", scala_user, &[3]),
    ]);
}

#[test]
fn a_macro_behind_a_parameter_is_not_its_name() {
    let user = "#include \"l.h\"\n\nint go(void) {\n  return pick(1, 2, 3);\n}\n";
    for (text, old, new, lines) in [
        ("int pick(int a, void **out UNUSED, void **cb) { return a; }\n", "**cb", "**cb UNUSED", &[][..]),
        ("int pick(int a UNUSED, int b, int c __unused) { return b; }\n", "int b", "int b UNUSED", &[]),
        ("int pick(int a UNUSED, int b, int c) { return b; }\n", "a UNUSED, int b", "b, int a UNUSED", &[4]),
        ("int pick(unsigned int N, struct node M, int c) { return N; }\n", "N, struct", "N, int d, struct", &[4]),
    ] {
        assert_left(&[("l.c", text, old, new, "u.c", user, lines)]);
    }
}

#[test]
fn overloads_with_the_same_calls_are_one_finding() {
    let kotlin = "package p\n\nclass V {\n    fun check(r: Request): Int = 1\n    fun check(json: Int, cc: Int = 1): Int = 1\n}\n";
    let user = "package p\n\nfun go(v: V) {\n    v.check(json = 1, cc = 2)\n}\n";
    let edit = [("v.kt", &kotlin.replace(", cc: Int = 1", "")[..])];
    assert_eq!(failing(&[("v.kt", kotlin), ("u.kt", user)], &edit).len(), 1);
    let java = "class V {\n  int check(String r) { return 1; }\n  int check(int a, int b) { return 1; }\n}\n";
    let user = "class U {\n  int go(V v) { return v.check(1, 2); }\n}\n";
    let edit = [("V.java", &java.replace("int b", "int b, int c")[..])];
    assert_eq!(failing(&[("V.java", java), ("U.java", user)], &edit).len(), 1);
}

#[test]
fn names_and_blocks_take_no_argument_by_position() {
    let python = "from l import f\n\n\ndef go(r, **kw):\n    f(1, 2, **kw)\n    f(1, 2)\n    f(1, b=2)\n";
    let ruby = "require_relative \"l\"\n\ndef go\n  f(1, 2) { 3 }\n  f(1, b: 2) { 3 }\nend\n";
    assert_left(&[
        ("l.py", "def f(a, b, **kw):\n    return a\n", "a, b,", "a,", "u.py", python, &[6]),
        ("l.py", "def f(a, b, *args):\n    return a\n", "a, b,", "a,", "u.py", python, &[6]),
        ("lib/l.rb", "def f(a, b, **kw)\n  a\nend\n", "a, b,", "a,", "lib/u.rb", ruby, &[4]),
        ("lib/l.rb", "def f(a, b, &block)\n  a\nend\n", "a, b,", "a,", "lib/u.rb", ruby, &[4, 5]),
        ("lib/l.rb", "def f(a, b, *args)\n  a\nend\n", "a, b,", "a,", "lib/u.rb", ruby, &[4]),
    ]);
}

#[test]
fn the_object_that_a_class_method_creates_has_a_type() {
    let token = |body: &str| {
        format!("class Token\n  def self.make(size)\n    {body}\n  end\n\n  def mask(size)\n    size\n  end\nend\n")
    };
    for body in [
        "new(size).mask(size)",
        "self.new(size).mask(size)",
        "token = new(size); token.mask(size)",
        "self.class.new(size).mask(size)",
    ] {
        let text = token(body);
        assert_eq!(
            left_behind(&[("token.rb", &text)], "def mask(size)", "def mask(size, by)"),
            ["token.rb:3"],
            "{body}"
        );
    }
}

#[test]
fn the_object_of_a_constructor_that_the_compiler_writes_has_a_type() {
    let rust = "#[derive(Default)]\npub struct Token(Vec<u8>);\n\nimpl Token {\n    pub fn mask(&self, size: u8) -> u8 {\n        size\n    }\n}\n\npub fn first() -> u8 {\n    Token::default().mask(1)\n}\n\nimpl Token {\n    fn second() -> u8 {\n        let token = Self::default();\n        token.mask(2)\n    }\n}\n";
    let java = "enum Color {\n    RED;\n\n    int mask(int size) { return size; }\n\n    static int first(String name) {\n        return Color.valueOf(name).mask(1);\n    }\n\n    static void all() {\n        for (var color : Color.values()) color.mask(2);\n    }\n}\n";
    let kotlin = "package p\n\nenum class Color {\n    RED;\n\n    fun mask(size: Int): Int = size\n}\n\nfun first(name: String) {\n    val color = Color.valueOf(name)\n    color.mask(1)\n    for (other in Color.values()) other.mask(2)\n}\n";
    let php = "<?php\nenum Color: string {\n    case Red = 'red';\n    function mask(int $size) { return $size; }\n}\n\nfunction first(string $name) {\n    Color::from($name)->mask(1);\n    foreach (Color::cases() as $color) {\n        $color->mask(2);\n    }\n}\n";
    for (path, text, old, lines) in [
        ("src/lib.rs", rust, "size: u8", [11, 17]),
        ("Color.java", java, "int size", [7, 11]),
        ("p/Color.kt", kotlin, "size: Int", [11, 12]),
        ("Color.php", php, "int $size", [8, 10]),
    ] {
        let new = format!("{old}, {}", old.replace("size", "by"));
        let mut expected = lines.map(|line| format!("{path}:{line}"));
        expected.sort();
        assert_eq!(left_behind(&[(path, text)], old, &new), expected, "{path}");
    }
    let tuple =
        "#[derive(Default)]\npub struct Token(Vec<u8>);\n\npub fn first() -> Token {\n    Token::default()\n}\n";
    assert!(left_behind(&[("src/lib.rs", tuple)], "(Vec<u8>)", "(Vec<u8>, u8)").is_empty(), "not a call of the type");
}

#[test]
fn a_parameter_in_front_of_a_variadic_one_takes_an_argument() {
    let go = "package p\n\nfunc Put(keys ...string) {}\n";
    let python = "def put(*keys):\n    pass\n";
    let js = "export function put(...keys) {}\n";
    let cs = "static class L { public static void Put(params string[] keys) { } }\n";
    let kotlin = "package p\n\nfun put(vararg keys: String) {}\n";
    let java = "class L { static void put(String... keys) { } }\n";
    let ruby = "def put(*keys)\nend\n";
    let php = "<?php\nfunction put(...$keys) { }\n";
    let go_user = "package p\n\nfunc use(keys []string) {\n\tPut(\"a\")\n\tPut()\n\tPut(keys...)\n}\n";
    let python_user = "from l import put\n\nput('a')\nput(*keys)\n";
    let js_user = "import { put } from './l.js';\n\nput('a');\nput(...keys);\n";
    let java_user = "class U { void go() {\n    L.put(\"a\");\n} }\n";
    assert_left(&[
        ("l.go", go, "keys ...", "size int, keys ...", "u.go", go_user, &[4, 5]),
        ("l.py", python, "*keys", "size, *keys", "u.py", python_user, &[3]),
        ("l.js", js, "...keys", "size, ...keys", "u.js", js_user, &[3]),
        ("L.cs", cs, "params", "int size, params", "U.cs", &java_user.replace("put", "Put"), &[2]),
        ("l.kt", kotlin, "vararg", "size: Int, vararg", "u.kt", "package p\n\nfun go() {\n    put(\"a\")\n}\n", &[4]),
        ("L.java", java, "String...", "int size, String...", "U.java", java_user, &[2]),
        ("l.rb", ruby, "*keys", "size, *keys", "u.rb", "require_relative 'l'\n\nput('a')\n", &[3]),
        ("l.php", php, "...$keys", "$size, ...$keys", "u.php", "<?php\nput('a');\n", &[2]),
        ("l.py", "def put(size, *keys):\n    pass\n", "size, *keys", "*keys", "u.py", python_user, &[3]),
        ("l.py", python, "*keys", "*names", "u.py", python_user, &[]),
        ("l.py", python, "*keys", "*keys, size=1", "u.py", python_user, &[]),
    ]);
}

#[test]
fn a_call_on_an_object_needs_an_extension_method() {
    let text = "public static class Types\n{\n    public static bool IsList(this Type type, int depth = 1) { return depth > 1; }\n}\n";
    let user = "public class User\n{\n    bool A(Type t) => t.IsList();\n    bool B(Type t) => Types.IsList(t);\n}\n";
    assert_left(&[
        ("Types.cs", text, "this Type type, int depth = 1", "", "User.cs", user, &[3]),
        ("Types.cs", text, "this Type type, int depth = 1", "int depth = 1", "User.cs", user, &[3]),
        ("Types.cs", text, "this Type", "Type", "User.cs", user, &[3]),
        ("Types.cs", text, "this Type type", "this Type kind", "User.cs", user, &[]),
    ]);
}

#[test]
fn an_overload_with_labels_that_changed_is_found_in_swift() {
    let both = |second: &str| format!("struct V {{\n    func check(_ r: Request) -> Int {{ 1 }}\n    {second}\n}}\n");
    let text = both("func check(json: Int, cc: Int = 1) -> Int { 1 }");
    let user =
        "func go(v: V, cc: Int) {\n    v.check(json: 1, cc: cc)\n    v.check(request)\n    v.check(json: 1)\n}\n";
    assert_left(&[
        ("v.swift", &text, ", cc: Int = 1", "", "u.swift", user, &[2]),
        ("v.swift", &text, "json: Int", "body: Int", "u.swift", user, &[2, 4]),
        ("v.swift", &text, "_ r: Request", "of r: Request", "u.swift", user, &[3]),
        ("v.swift", &text, "cc: Int = 1", "cc: Int = 1, dd: Int = 2", "u.swift", user, &[]),
    ]);
}
