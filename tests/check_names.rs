//! Tests which occurrences of a removed name `whichfn check` counts as references: code that a macro
//! expands, libraries and other files may supply a name.

use crate::check::failing;
use crate::check_refactorings::left_behind;

#[test]
fn the_argument_of_an_unknown_macro_is_no_reference() {
    let test = |mark: &str| {
        format!(
            "#include \"gtest/gtest.h\"\nclass FormatTest {{ }};\n\n{mark}(FormatTest, Encodes) {{\n  int a = 1;\n}}\n"
        )
    };
    let left = |mark: &str| left_behind(&[("a_test.cc", &test(mark))], "class FormatTest { };\n", "");
    assert!(left("TEST").is_empty(), "the macro makes the type");
    assert_eq!(left("TEST_F"), ["a_test.cc:3"], "the macro needs the type");
    let own = "#define CHECKED(base, name) struct name : base { void run(); }; void name::run()\n";
    let user = test("CHECKED").replace("gtest/gtest.h", "checked.h");
    let files = [("a_test.cc", user.as_str()), ("checked.h", own)];
    assert_eq!(left_behind(&files, "class FormatTest { };\n", ""), ["a_test.cc:3"], "the macro is known");
}

#[test]
fn a_new_header_of_a_library_may_have_the_removed_macro() {
    let harness = "#define TEST(base, name) void name()\n";
    let old = "#include \"harness.h\"\n\nTEST(FormatTest, Encodes) {\n  int a = 1;\n}\n";
    let files = [("harness.h", harness), ("a_test.cc", old)];
    let changed = [("harness.h", "#define OTHER 1\n"), ("a_test.cc", &old.replace("harness.h", "gtest/gtest.h"))];
    assert!(failing(&files, &changed).is_empty());
    assert_eq!(failing(&files, &changed[..1]).len(), 1, "without that header");
}

#[test]
fn a_condition_of_the_preprocessor_leaves_a_note() {
    let config = "#define HAVE_BASENAME 1\n";
    let user = "#include \"config.h\"\n\n#ifdef HAVE_BASENAME\nint a;\n#endif\n#if defined(X) && \\\n  !defined(HAVE_BASENAME)\nint b;\n#endif\n";
    let files = [("config.h", config), ("base.c", user)];
    assert!(failing(&files, &[("config.h", "#define OTHER 1\n")]).is_empty());
    assert_eq!(left_behind(&files, "HAVE_BASENAME", "HAS_BASENAME"), ["base.c:3", "base.c:7"]);
    let value = "#include \"config.h\"\n\nint a[HAVE_BASENAME];\n";
    assert_eq!(failing(&[files[0], ("base.c", value)], &[("config.h", "#define OTHER 1\n")]).len(), 1);
}

#[test]
fn a_name_that_a_macro_declares_is_its_own() {
    let rules = "macro_rules! from_error (\n    ($ty:ty) => {\n        impl From<$ty> for E {\n            fn from(error: $ty) -> E {\n                E::new(error)\n            }\n        }\n    }\n);\n";
    let lib = format!("pub fn error(s: u8) -> u8 {{ s }}\n\n{rules}");
    assert!(left_behind(&[("src/lib.rs", &lib)], "fn error", "fn internal").is_empty());
    let calls = lib.replace("error: $ty", "cause: $ty").replace("E::new(error)", "E::new(error(1))");
    assert_eq!(left_behind(&[("src/lib.rs", &calls)], "fn error", "fn internal"), ["src/lib.rs:7"]);
}

#[test]
fn a_type_parameter_is_not_the_one_of_another_file() {
    let sink =
        "pub trait Sink {\n    type Error;\n}\n\nimpl<S: Sink> Sink for &mut S {\n    type Error = S::Error;\n}\n";
    let user =
        "use serde::Serializer;\n\npub fn write<S: Serializer>(s: S) -> Result<S::Ok, S::Error> {\n    s.go()\n}\n";
    let files = [("a/src/sink.rs", sink), ("b/src/lib.rs", user)];
    assert!(failing(&files, &[("a/src/sink.rs", ""), ("a/src/moved/sink.rs", sink)]).is_empty());
    let own = "pub struct S;\n\nimpl S {\n    pub const MOST: u8 = 1;\n}\n\npub fn most() -> u8 {\n    S::MOST\n}\n";
    assert_eq!(left_behind(&[("src/lib.rs", own)], "const MOST", "const LIMIT"), ["src/lib.rs:8"]);
}

#[test]
fn a_member_that_every_object_has_leaves_a_note() {
    for (path, text, old, new, user_path, user) in [
        (
            "A.java",
            "class A {\n  public String toString() { return \"x\"; }\n}\n",
            "  public String toString() { return \"x\"; }\n",
            "",
            "B.java",
            "class B {\n  String go() { A a = new A(); return a.toString(); }\n}\n",
        ),
        (
            "A.cs",
            "class A {\n  public override string ToString() { return \"x\"; }\n}\n",
            "  public override string ToString() { return \"x\"; }\n",
            "",
            "B.cs",
            "class B {\n  string Go() { A a = new A(); return a.ToString(); }\n}\n",
        ),
        (
            "a.py",
            "class A:\n    def __str__(self):\n        return 'x'\n",
            "def __str__",
            "def text",
            "b.py",
            "from a import A\n\n\ndef go():\n    a = A()\n    return a.__str__()\n",
        ),
        (
            "a.rb",
            "class Entry\n  def to_s\n    'x'\n  end\nend\n\ndef go(env)\n  env['entry'] ||= [Entry.new]\n  env['mode'].to_s\nend\n",
            "  def to_s\n    'x'\n  end\n",
            "",
            "b.rb",
            "puts 1\n",
        ),
        (
            "a.kt",
            "package p\n\nclass A {\n    override fun toString(): String = \"x\"\n}\n",
            "    override fun toString(): String = \"x\"\n",
            "",
            "b.kt",
            "package p\n\nfun go(a: A) = a.toString()\n",
        ),
        (
            "a.ts",
            "export class A {\n  toString() { return 'x' }\n}\n",
            "  toString() { return 'x' }\n",
            "",
            "b.ts",
            "import { A } from './a'\n\nexport const go = () => new A().toString()\n",
        ),
    ] {
        assert!(text.contains(old), "{text}");
        let found = failing(&[(path, text), (user_path, user)], &[(path, &text.replace(old, new))]);
        assert!(found.is_empty(), "{text}: {found:?}");
    }
}

#[test]
fn a_private_type_of_another_file_is_not_the_one_of_a_library() {
    let safe = "fileprivate class Lock {\n    func lock() {}\n}\nclass Safe {\n    let l = Lock()\n}\n";
    let user = "import Locks\n\nactor Cache {\n    var lock: Lock\n}\n";
    let left = |safe: &str| failing(&[("Safe.swift", safe), ("Cache.swift", user)], &[("Safe.swift", "let x = 1\n")]);
    assert!(left(safe).is_empty());
    assert_eq!(left(&safe.replace("fileprivate ", "")).len(), 1, "the type is visible");
}

#[test]
fn a_member_of_an_object_is_not_a_name_by_itself_in_swift() {
    let parser = "struct Parser {\n    func go() {}\n}\n";
    let file = "struct File {\n}\nextension File {\n    struct Parser {\n        var source: Int\n    }\n}\n";
    let user = "func test() {\n    let one = File.Parser(source: 1)\n    let other = Parser()\n}\n";
    let files = [("Parser.swift", parser), ("File.swift", file), ("Test.swift", user)];
    assert_eq!(left_behind(&files, "struct Parser", "struct Reader"), ["Test.swift:3"]);
    let storage = "struct Storage {\n    var all: [Int: Value]\n    func stop() {\n        for value in all.values {\n            value.stop(logger: 1)\n        }\n    }\n}\n";
    let value = "protocol Value {\n    func stop(logger: Int)\n}\n";
    let files = [("Storage.swift", storage), ("Value.swift", value)];
    assert!(left_behind(&files, "func stop()", "func end()").is_empty(), "the method of the protocol is there");
}

#[test]
fn the_labels_of_a_call_belong_to_another_extension_in_swift() {
    let headers = "extension HTTPHeaders {\n    func contains(name: Name) -> Bool {\n        true\n    }\n}\n";
    let user = "struct Types {\n    var lookup: [String: Set<Int>]\n    func has(_ type: Int) -> Bool {\n        guard let types = lookup[\"a\"] else { return false }\n        return types.contains(type)\n    }\n    func knows(_ all: HTTPHeaders, name: Name) -> Bool {\n        all.contains(name: name)\n    }\n}\n";
    let files = [("Headers.swift", headers), ("Types.swift", user)];
    assert_eq!(left_behind(&files, "func contains", "func includes"), ["Types.swift:8"]);
}

#[test]
fn a_moved_file_does_not_import_itself() {
    let user = "package o\n\nimport o.P.Companion.toP\n\nclass A {\n  fun f() = \"x\".toP()\n}\n";
    let path = "package o\n\nclass P {\n  companion object {\n    fun String.toP(): P = P()\n  }\n}\n";
    let moved = [("m/o/A.kt", ""), ("n/o/A.kt", user)];
    assert!(failing(&[("m/o/A.kt", user), ("o/P.kt", path)], &moved).is_empty());
}

#[test]
fn a_type_that_moved_to_another_language_of_the_platform_is_there() {
    let java = ("b/org/k/End.java", "package org.k;\n\npublic class End {\n    public End(int id) { }\n}\n");
    let kotlin = "package k\n\nclass Broker(val end: End) {\n    fun next(): End = End(1)\n}\n";
    let files = [("a/k/End.kt", "package k\n\nclass End(val id: Int)\n"), ("a/k/Broker.kt", kotlin)];
    let imports = kotlin.replace("package k\n", "package k\n\nimport org.k.End\n");
    assert!(failing(&files, &[("a/k/End.kt", ""), java, ("a/k/Broker.kt", &imports)]).is_empty());
    assert_eq!(failing(&files, &[("a/k/End.kt", "")]).len(), 1, "nothing takes its place");
    let scala = "package k\n\nclass Broker {\n  def next(): End = new End(1)\n}\n";
    let files = [("a/k/End.scala", "package k\n\ncase class End(id: Int)\n"), ("a/k/Broker.scala", scala)];
    let same = ("b/k/End.java", "package k;\n\npublic class End {\n    public End(int id) { }\n}\n");
    assert!(failing(&files, &[("a/k/End.scala", ""), same]).is_empty(), "the package stays");
}

#[test]
fn a_method_of_an_interface_that_a_class_still_has_leaves_a_note() {
    let interface =
        "<?php\ninterface Items {\n    public function group(callable $c);\n    public function all();\n}\n";
    let factory = "<?php\ntrait Wraps {\n    /**\n     * @return static\n     */\n    public static function wrap($value) {\n        return $value instanceof Items ? new static($value) : new static([$value]);\n    }\n}\n";
    let class = "<?php\nclass Bag implements Items {\n    use Wraps;\n    public function group(callable $c) { return new static([]); }\n    public function all() { return []; }\n}\n";
    let user = "<?php\nfunction go($x) {\n    return Bag::wrap($x)->group(fn ($k) => $k);\n}\n";
    let files = [("Items.php", interface), ("Wraps.php", factory), ("Bag.php", class), ("Use.php", user)];
    let changed = interface.replace("    public function group(callable $c);\n", "");
    assert!(failing(&files, &[("Items.php", &changed)]).is_empty());
}

#[test]
fn names_that_two_languages_lose_at_once_are_reported_in_each() {
    let before = [
        ("l.py", "import os\n\n\ndef load():\n    return os.name\n"),
        ("u.py", "from l import load\n\nload()\n"),
        ("m.js", "import fs from 'fs'\n\nexport function read() {\n  return fs\n}\n"),
        ("v.js", "import { read } from './m.js'\n\nread()\n"),
    ];
    let after =
        [("l.py", "import os\n\nname = os.name\n"), ("m.js", "import fs from 'fs'\n\nexport const name = fs\n")];
    let mut found: Vec<String> = failing(&before, &after);
    found.sort();
    assert_eq!(found.len(), 2, "{found:?}");
}
