//! Checks calls that are not written as calls: of properties where they are read, and of functions
//! that are passed to a library.

use super::linking::lines_called;
use super::names::calls;

/// Returns the calls of the functions whose name begins with `go`, without the type around them.
fn go_calls(path: &str, text: &str) -> Vec<String> {
    let of_go = |call: String| {
        let (caller, callee) = call.split_once(" -> ")?;
        caller.rsplit(['.', ':']).next()?.starts_with("go").then(|| callee.to_owned())
    };
    calls(&[(path, text)]).into_iter().filter_map(of_go).collect()
}

#[test]
fn reading_a_property_calls_it() {
    let python = "
from functools import cached_property
class Row:
    @property
    def size(self): return 1
    @cached_property
    def area(self): return self.size
    def method(self): return 1
    plain = 3
def go(row: Row, rows: list[Row]):
    if row.size > 1: print(row.area)
    for one in rows: print(one.size + one.plain)
    return row.method
";
    let javascript = "
class Row { get size() { return 1 } method() {} }
function go() { const row = new Row(); if (row.size) return row.method || row.other }
";
    let typescript = "
class Row { get size() { return 1 } method() {} plain = 3 }
function go(row: Row) { return row.size + row.plain + row.method }
";
    let csharp = "
class Row { public int Size => 1; public int Area { get { return Size; } } public int Plain { get; set; } }
class Use { int go(Row row) { var a = row?.Area; return row.Size + row.Plain; } }
";
    let kotlin = "
class Row { val size: Int get() = 1; val plain = 3; fun method() = 1 }
fun go(row: Row): Int { val f = row::method; return row.size + row.plain }
";
    let swift = "
struct Row { var size: Int { return 1 }; var plain = 3; func method() -> Int { return 1 } }
func go(row: Row) -> Int { if row.size > 1 { return row.plain }; return 0 }
";
    let dart = "
class Row { int get size => 1; int plain = 3; int method() => 1; }
int go(Row row) => row.size + row.plain;
";
    for (path, text, expected) in [
        ("a.py", python, &["Row.area", "Row.size"][..]),
        ("a.js", javascript, &["Row", "Row.size"]),
        ("a.ts", typescript, &["Row.size"]),
        ("A.cs", csharp, &["Row.Area", "Row.Size"]),
        ("a.kt", kotlin, &["Row.size"]),
        ("a.swift", swift, &["Row.size"]),
        ("a.dart", dart, &["Row.size"]),
    ] {
        assert_eq!(go_calls(path, text), expected, "{path}");
    }
}

#[test]
fn reading_a_field_calls_the_getter_of_its_value() {
    let python = "
class Bit:
    def __init__(self, number): self.number = number
    def __get__(self, one, of): return Colour()
class Small(Bit): pass
class Plain: pass
class Colour:
    def go_on(self): pass
class Row:
    bold = Bit(1)
    small = Small(2)
    plain = Plain()
    def go(self): return self.small.go_on()
def go(row: Row): return row.bold, row.plain
def go_by_class(): return Row.bold
def go_set(row: Row): row.bold = 1
";
    assert_eq!(
        go_calls("a.py", python),
        ["Bit.__get__", "Colour.go_on", "Bit.__get__", "Bit.__get__"],
        "`Row.go`, `go` and `go_by_class`"
    );
    let imported = [
        ("bits.py", "class Bit:\n    def __get__(self, one, of): return 1\n"),
        ("rows.py", "from bits import Bit as Flag\nclass Row:\n    bold = Flag()\n"),
        ("use.py", "import rows\ndef go(row: rows.Row): return row.bold\n"),
    ];
    assert_eq!(calls(&imported), ["Row -> Bit", "go -> Bit.__get__"]);
}

#[test]
fn a_property_of_the_receiver_is_read_inside_its_type() {
    let python = "
class Row:
    @property
    def size(self): return 1
    def go(self): return self.size + 1
";
    let typescript = "class Row { get size() { return 1 } go() { return this.size + 1 } }";
    let csharp = "class Row { int Size => 1; int go() { return this.Size + 1; } }";
    let kotlin = "class Row { val size: Int get() = 1\n fun go() = this.size + 1 }";
    let swift = "struct Row { var size: Int { return 1 }; func go() -> Int { return self.size + 1 } }";
    for (path, text) in [("a.py", python), ("a.ts", typescript), ("A.cs", csharp), ("a.kt", kotlin), ("a.swift", swift)]
    {
        let found = go_calls(path, text);
        assert_eq!(found.iter().map(|name| name.to_lowercase()).collect::<Vec<_>>(), ["row.size"], "{path}");
    }
}

#[test]
fn a_function_passed_to_a_library_is_called_by_it() {
    let python = "
import re, threading
def one(x): return x
def two(x): return x
class Row:
    def key(self): return 1
    def go(self, rows, unknown):
        sorted(rows, key=self.key)
        threading.Thread(target=two).start()
        return re.sub('a', one, 'b'), max(rows), list(unknown)
";
    let javascript = "
function one(x) { return x }
function two(x) { return x }
class Row {
  key() {}
  go(rows) { setTimeout(this.key, 1); rows.map(one); return Promise.resolve(1).then(two, 3) }
}
";
    let typescript = "
function one(x: number) { return x }
function go(rows: number[]) { return rows.map(one) }
";
    let go = "
package a
import \"sort\"
func one(i, j int) bool { return i < j }
func goOn(rows []int) { sort.Slice(rows, one) }
";
    let rust = "
fn one(x: u8) -> u8 { x }
fn go(rows: Vec<u8>) -> Vec<u8> { rows.into_iter().map(one).collect() }
";
    let java = "
import java.util.List;
class Row {
  static int one(int x) { return x; }
  int two(int x) { return x; }
  Object go(List<Integer> rows) { rows.forEach(this::two); return rows.stream().map(Row::one).toList(); }
}
";
    let kotlin = "
fun one(x: Int) = x
fun go(rows: List<Int>) = rows.map(::one)
";
    let csharp = "
using System.Linq;
class Row { static int one(int x) => x; object go(int[] rows) { return rows.Select(one); } }
";
    let swift = "
func one(_ x: Int) -> Int { return x }
func go(rows: [Int]) -> [Int] { return rows.map(one) }
";
    let dart = "
int one(int x) => x;
Object go(List<int> rows) => rows.map(one);
";
    let scala = "
object Row { def one(x: Int) = x; def go(rows: List[Int]) = rows.map(one) }
";
    let c = "
#include <stdlib.h>
static int one(const void *a, const void *b) { return 0; }
void go(int *rows) { qsort(rows, 2, 4, one); qsort(rows, 2, 4, &one); }
";
    let cpp = "
#include <algorithm>
static bool one(int a, int b) { return a < b; }
void go(int *rows) { std::sort(rows, rows + 2, one); }
";
    let lua = "
local function one(a, b) return a < b end
function go(rows) table.sort(rows, one) end
";
    let php = "<?php
function one($x) { return $x; }
function go($rows) { return array_map('one', $rows); }
";
    let ruby = "
def one(x) = x
def go(rows) = rows.map(&method(:one))
";
    for (path, text, expected) in [
        ("a.py", python, &["Row.key", "one", "two"][..]),
        ("a.js", javascript, &["Row.key", "one", "two"]),
        ("a.ts", typescript, &["one"]),
        ("a.go", go, &["one"]),
        ("a.rs", rust, &["one"]),
        ("Row.java", java, &["Row.one", "Row.two"]),
        ("a.kt", kotlin, &["one"]),
        ("Row.cs", csharp, &["Row.one"]),
        ("a.swift", swift, &["one"]),
        ("a.dart", dart, &["one"]),
        ("a.scala", scala, &["Row.one"]),
        ("a.c", c, &["one"]),
        ("a.cpp", cpp, &["one"]),
        ("a.lua", lua, &["one"]),
        ("a.php", php, &["one"]),
        ("a.rb", ruby, &["one"]),
    ] {
        assert_eq!(go_calls(path, text), expected, "{path}");
    }
}

#[test]
fn a_function_passed_to_a_function_of_the_repository_is_called_by_that_one_only() {
    let source = "
def one(x): return x
def apply(f): return f(1)
def ignore(f): return 1
def go(): return apply(one), ignore(one)
";
    assert_eq!(calls(&[("a.py", source)]), ["apply -> one", "go -> apply", "go -> ignore"]);
}

#[test]
fn a_property_may_have_a_setter() {
    let python = "
class Text:
    @property
    def plain(self): return self._plain
    @plain.setter
    def plain(self, new): self._plain = new
    @plain.deleter
    def plain(self): del self._plain
def read(text: Text): return text.plain
def assign(text: Text): text.plain = 1
def update(text: Text): text.plain += 1
";
    let script = "
class Text {
  get plain() { return this.text }
  set plain(value) { this.text = value }
}
function read() { const text = new Text(); return text.plain }
function assign() { const text = new Text(); text.plain = 1 }
function update() { const text = new Text(); text.plain += 1 }
";
    for (path, source, getter, setter) in [("a.py", python, 4, 6), ("a.js", script, 3, 4), ("a.ts", script, 3, 4)] {
        let lines = |caller| {
            let mut lines = lines_called(path, source, caller);
            lines.retain(|line| *line > 2);
            lines
        };
        assert_eq!(lines("read"), [getter], "{path}");
        assert_eq!(lines("assign"), [setter], "{path}");
        assert_eq!(lines("update"), [getter, setter], "{path}");
    }
}
