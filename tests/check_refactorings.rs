//! Tests which half-finished refactorings `whichfn check` finds: small trees, one edit each, and
//! the code that the edit leaves behind.

use crate::check::{findings, repository};

pub(crate) type Files<'f> = [(&'f str, &'f str)];

/// Commits files, replaces `old` with `new` in the first of them, and returns `path:line` for all
/// code that the findings about calls, names and values mention.
pub(crate) fn left_behind(files: &Files<'_>, old: &str, new: &str) -> Vec<String> {
    let env = repository(files);
    let (path, text) = files[0];
    assert!(text.contains(old), "{old} is not in {path}");
    env.write(path, text.replace(old, new));
    let found = findings(&env.run(&["check", "--json", "--only", "callers,references,returns"]));
    let related = found.iter().flat_map(|finding| finding["related"].as_array().cloned().unwrap_or_default());
    let mut places: Vec<String> =
        related.map(|place| format!("{}:{}", place["path"], place["line"]).replace('"', "")).collect();
    places.sort();
    places.dedup();
    places
}

/// A file with a definition, the edit, a file with calls, and the lines that are reported.
pub(crate) type Case<'c> = (&'c str, &'c str, &'c str, &'c str, &'c str, &'c str, &'c [u32]);

/// Checks the calls that remain after an edit: the file and text of the definition, what replaces
/// what in it, the file and text of the calls, and the lines that are reported.
pub(crate) fn assert_left(cases: &[Case<'_>]) {
    for (path, text, old, new, user_path, user, lines) in cases {
        let expected: Vec<String> = lines.iter().map(|line| format!("{user_path}:{line}")).collect();
        let found = left_behind(&[(path, text), (user_path, user)], old, new);
        assert_eq!(found, expected, "{path}: {old} -> {new} in\n{text}\n{user}");
    }
}

#[test]
fn an_override_with_the_former_parameters_is_listed() {
    let shape = "public abstract class Shape {\n    public abstract int area(int scale);\n}\n";
    let circle = "public class Circle extends Shape {\n    @Override\n    public int area(int scale) {\n        return scale;\n    }\n}\n";
    let files = [("Shape.java", shape), ("Circle.java", circle)];
    assert_eq!(left_behind(&files, "(int scale)", "(int scale, int unit)"), ["Circle.java:3"]);
    assert!(left_behind(&files, "(int scale)", "(int factor)").is_empty(), "only the name changed");
    let step = "pub trait Step {\n    fn step(&mut self, row: u32) -> u32;\n}\n";
    let twill = "use crate::step::Step;\n\npub struct Twill;\n\nimpl Step for Twill {\n    fn step(&mut self, row: u32) -> u32 {\n        row\n    }\n}\n";
    let files = [("src/step.rs", step), ("src/twill.rs", twill), ("src/lib.rs", "pub mod step;\npub mod twill;\n")];
    assert_eq!(left_behind(&files, "row: u32", "row: u32, column: u32"), ["src/twill.rs:6"]);
    let body = "class Body:\n    def mass(self, at):\n        return at\n";
    let ship = "from body import Body\n\n\nclass Ship(Body):\n    def mass(self, at):\n        return 2\n";
    let files = [("body.py", body), ("ship.py", ship)];
    assert_eq!(left_behind(&files, "at):", "at, unit):"), ["ship.py:5"]);
    assert!(left_behind(&files, "at):", "at, unit=1):").is_empty(), "callers may still pass one value");
}

#[test]
fn an_override_may_take_fewer_parameters_in_javascript() {
    let base = "export class Base {\n  draw(canvas: string): void {}\n}\n";
    let user =
        "import { Base } from './base';\n\nexport class Box extends Base {\n  draw(canvas: string): void {}\n}\n";
    let files = [("base.ts", base), ("box.ts", user)];
    assert!(left_behind(&files, "canvas: string", "canvas: string, scale: number").is_empty());
    assert_eq!(left_behind(&files, "canvas: string", ""), ["box.ts:4"]);
}

#[test]
fn calls_of_members_of_a_dropped_base_are_listed() {
    let shelf = "from mixins import Audited, Named\n\n\nclass Shelf(Audited, Named):\n    pass\n";
    let mixins =
        "class Audited:\n    def record(self):\n        pass\n\n\nclass Named:\n    def label(self):\n        pass\n";
    let user = "from shelf import Shelf\n\n\ndef close(shelf: Shelf):\n    shelf.record()\n    shelf.label()\n";
    let files = [("shelf.py", shelf), ("mixins.py", mixins), ("user.py", user)];
    assert_eq!(left_behind(&files, "Shelf(Audited, Named)", "Shelf(Named)"), ["user.py:5"]);
    assert!(left_behind(&files, "Shelf(Audited, Named)", "Shelf(Named, Audited)").is_empty());
    let feed = "const Emitter = require('./emitter');\n\nclass Feed extends Emitter {\n}\n\nmodule.exports = Feed;\n";
    let emitter = "class Emitter {\n  fire(name) {}\n}\n\nmodule.exports = Emitter;\n";
    let user = "const Feed = require('./feed');\n\nconst feed = new Feed();\nfeed.fire('a');\n";
    let files = [("feed.js", feed), ("emitter.js", emitter), ("user.js", user)];
    assert_eq!(left_behind(&files, " extends Emitter", ""), ["user.js:4"]);
}

#[test]
fn a_base_that_takes_the_place_of_another_has_its_members() {
    let shelf = "from mixins import Audited\n\n\nclass Shelf(Audited):\n    pass\n";
    let mixins =
        "class Audited:\n    def record(self):\n        pass\n\n\nclass Logged:\n    def record(self):\n        pass\n";
    let user = "from shelf import Shelf\n\n\ndef close(shelf: Shelf):\n    shelf.record()\n";
    let files = [("shelf.py", shelf), ("mixins.py", mixins), ("user.py", user)];
    assert!(left_behind(&files, "Audited", "Logged").is_empty());
}

#[test]
fn a_returned_call_may_have_several_values_in_go() {
    let parse = "package net\n\nfunc Parse(text string) (string, error) {\n\treturn text, nil\n}\n\nfunc ParseAt(text string, port int) (string, error) {\n\treturn text, nil\n}\n";
    let user = "package net\n\nfunc Use() string {\n\thost, err := Parse(\"a\")\n\tif err != nil {\n\t\treturn \"\"\n\t}\n\treturn host\n}\n";
    let files = [("parse.go", parse), ("use.go", user)];
    let edit = ("error) {\n\treturn text, nil\n}\n\nfunc", "error) {\n\treturn ParseAt(text, 0)\n}\n\nfunc");
    assert!(left_behind(&files, edit.0, edit.1).is_empty());
}

#[test]
fn calls_of_constructors_that_a_header_or_fields_declare_are_listed() {
    let pallet = "from dataclasses import dataclass\n\n\n@dataclass\nclass Pallet:\n    sku: str\n    weight: int\n    fragile: bool = False\n";
    let user = "from pallet import Pallet\n\nfirst = Pallet(\"a\", weight=3)\n";
    let files = [("pallet.py", pallet), ("user.py", user)];
    assert_eq!(left_behind(&files, "    weight: int\n", "    weight: int\n    owner: str\n"), ["user.py:3"]);
    assert_eq!(left_behind(&files, "weight: int", "mass: int"), ["user.py:3"]);
    assert!(left_behind(&files, "    fragile", "    owner: str = \"\"\n    fragile").is_empty());
    let ticket = "public record Ticket(String code, int cents) {\n}\n";
    let user = "class Desk {\n    Ticket sell() {\n        return new Ticket(\"a\", 3);\n    }\n}\n";
    let files = [("Ticket.java", ticket), ("Desk.java", user)];
    assert_eq!(left_behind(&files, "int cents", "int cents, String port"), ["Desk.java:3"]);
}

#[test]
fn values_that_a_module_exports_as_a_whole_are_followed() {
    let base = "export default class Base {\n  quiet() {}\n}\n";
    let user = "import Base from './base';\n\nexport class Sub extends Base {\n  run() {\n    this.quiet();\n  }\n}\n";
    assert_eq!(left_behind(&[("base.js", base), ("sub.js", user)], "quiet()", "hush()"), ["sub.js:5"]);
    let util = "function slug(text) {\n  return text;\n}\n\nmodule.exports = { slug };\n";
    let index = "exports.util = require('./util');\n";
    let user = "const { util } = require('./index');\n\nutil.slug('a');\n";
    let files = [("util.js", util), ("index.js", index), ("user.js", user)];
    assert_eq!(left_behind(&files, "slug", "slugify"), ["user.js:3"]);
    let index = "module.exports = { ...require('./util') };\n";
    let user = "const { slug } = require('./index');\n\nslug('a');\n";
    let files = [("util.js", util), ("index.js", index), ("user.js", user)];
    assert_eq!(left_behind(&files, "slug", "slugify"), ["user.js:1", "user.js:3"]);
}

#[test]
fn names_that_a_module_no_longer_passes_on_are_listed() {
    let index = "export * from './money';\nexport * from './ledger';\n";
    let ledger = "export class Ledger {}\n";
    let user = "import { Ledger } from './index';\n\nexport const ledger = new Ledger();\n";
    let files =
        [("index.ts", index), ("money.ts", "export const zero = 0;\n"), ("ledger.ts", ledger), ("user.ts", user)];
    assert_eq!(left_behind(&files, "export * from './ledger';\n", ""), ["user.ts:1"]);
    assert!(left_behind(&files, "export * from './money';\n", "").is_empty());
    let user = "import { Unknown } from './index';\n\nexport const unknown = new Unknown();\n";
    let files = [files[0], files[1], files[2], ("user.ts", user)];
    assert!(left_behind(&files, "export * from './ledger';\n", "").is_empty(), "the name led nowhere before");
}

#[test]
fn static_imports_extensions_and_constants_as_arguments_are_followed_in_csharp() {
    let units = "namespace App.Util\n{\n    public static class Units\n    {\n        public const int Days = 90;\n        public static int ToCrates(int kilos) { return kilos; }\n        public static string Shorten(this string text, int length) { return text; }\n    }\n}\n";
    let user = "using static App.Util.Units;\n\nnamespace App\n{\n    public class Harvest\n    {\n        public string Report(Basket one)\n        {\n            Show(ToCrates(3), Days);\n            return one.Owner().Shorten(3);\n        }\n        void Show(int a, int b) { }\n    }\n}\n";
    let files = [("Util/Units.cs", units), ("Harvest.cs", user)];
    assert_eq!(left_behind(&files, "ToCrates", "InCrates"), ["Harvest.cs:9"]);
    assert_eq!(left_behind(&files, "Days", "Season"), ["Harvest.cs:9"]);
    assert_eq!(left_behind(&files, "Shorten", "Cut"), ["Harvest.cs:10"]);
}

#[test]
fn imports_of_extensions_and_of_members_of_objects_are_followed_in_kotlin() {
    let text = "package k\n\nfun Int.upTo(other: Int) = other\n\nobject Reg {\n    fun put(n: Int) {}\n}\n";
    assert_left(&[
        (
            "l.kt",
            text,
            "fun Int.upTo(other: Int) = other\n",
            "",
            "u.kt",
            "package u\n\nimport k.upTo\n\nfun go() = 1.upTo(2)\n",
            &[3, 5],
        ),
        (
            "l.kt",
            text,
            "n: Int)",
            "n: Int, m: Int)",
            "u.kt",
            "package u\n\nimport k.Reg.put\n\nfun go() {\n    put(1)\n}\n",
            &[6],
        ),
        (
            "l.kt",
            text,
            "    fun put(n: Int) {}\n",
            "",
            "u.kt",
            "package u\n\nimport k.Reg.put\n\nfun go() {\n    put(1)\n}\n",
            &[3, 6],
        ),
    ]);
}

#[test]
fn imports_from_another_source_root_are_followed_in_java() {
    let grain = "package io.mill;\n\npublic class Grain {\n    public static Grain of(String name) {\n        return new Grain();\n    }\n}\n";
    let user = "package io.app;\n\nimport io.mill.Grain;\n\nclass Work {\n    Grain grind() {\n        return Grain.of(\"rye\");\n    }\n}\n";
    let files = [("lib/src/main/java/io/mill/Grain.java", grain), ("app/src/main/java/io/app/Work.java", user)];
    assert_eq!(left_behind(&files, "Grain of(", "Grain parse("), ["app/src/main/java/io/app/Work.java:7"]);
}

#[test]
fn a_field_does_not_replace_the_method_that_shared_its_name() {
    let builder = "public class Builder {\n    private int weight;\n\n    public Builder weight(int weight) {\n        return this;\n    }\n}\n";
    let user = "class Work {\n    void grind() {\n        new Builder().weight(3);\n    }\n}\n";
    let files = [("Builder.java", builder), ("Work.java", user)];
    assert_eq!(left_behind(&files, "Builder weight(", "Builder heavy("), ["Work.java:3"]);
}

#[test]
fn namespace_aliases_and_type_arguments_are_followed() {
    let io = "namespace app {\nnamespace io {\nint render(int a) { return a; }\n}\n}\n";
    let user = "#include \"io.hpp\"\n\nnamespace out = app::io;\n\nint main() { return out::render(3); }\n";
    assert_eq!(left_behind(&[("io.hpp", io), ("main.cpp", user)], "render", "draw"), ["main.cpp:5"]);
    let cache = "package cache\n\ntype Cache[K comparable, V any] struct{}\n\nfunc New[K comparable, V any](size int) *Cache[K, V] { return nil }\n\nfunc (c *Cache[K, V]) Get(key K) {}\n";
    let user = "package main\n\nimport \"example.org/app/cache\"\n\nfunc main() {\n\tc := cache.New[string, int](3)\n\tc.Get(\"a\")\n}\n";
    let files = [("cache/cache.go", cache), ("main.go", user), ("go.mod", "module example.org/app\n")];
    assert_eq!(left_behind(&files, "Get(", "Lookup("), ["main.go:7"]);
}

#[test]
fn the_number_of_returned_values_is_read_in_each_language() {
    let plan = "<?php\n\nfunction plan(string $clay): array\n{\n    return [$clay, 8];\n}\n";
    let user = "<?php\n\n[$clay, $hours] = plan('a');\n";
    assert_eq!(left_behind(&[("plan.php", plan), ("user.php", user)], "[$clay, 8]", "[$clay]"), ["user.php:3"]);
    let tree = "public class Tree\n{\n    public static (int, int) Span() => (1, 2);\n}\n";
    let user = "public class User\n{\n    void Show()\n    {\n        var (first, last) = Tree.Span();\n    }\n}\n";
    let files = [("Tree.cs", tree), ("User.cs", user)];
    assert_eq!(
        left_behind(&files, "(int, int) Span() => (1, 2)", "(int, int, int) Span() => (1, 2, 3)"),
        ["User.cs:5"]
    );
    let shape = "#include <utility>\n\nstd::pair<int, int> extent() { return {1, 2}; }\n";
    let user = "#include \"shape.hpp\"\n\nint main() {\n  auto [w, h] = extent();\n  return w;\n}\n";
    let files = [("shape.hpp", shape), ("main.cpp", user)];
    assert_eq!(left_behind(&files, "std::pair<int, int>", "std::tuple<int, int, int>"), ["main.cpp:4"]);
    let hive = "module Hive\n  def self.split(bees)\n    [bees, 2]\n  end\nend\n";
    let user = "old, young = Hive.split(3)\n";
    assert_eq!(left_behind(&[("hive.rb", hive), ("user.rb", user)], "[bees, 2]", "[bees, 2, true]"), ["user.rb:1"]);
}

#[test]
fn a_ruby_method_without_brackets_takes_no_arguments() {
    let log = "class Log\n  def self.add(text)\n    puts text\n  end\nend\n";
    let files = [("log.rb", log), ("user.rb", "Log.add(\"a\")\n")];
    assert_eq!(left_behind(&files, "add(text)\n    puts text", "add\n    puts 1"), ["user.rb:1"]);
}
