//! Checks that operators and statements are linked to the methods that they call without a name, in
//! each language, and only where the type of the object is known.

use crate::linking::linked;

/// Checks the methods that the function `go` of a file calls, without the class's name.
fn go_calls(path: &str, text: &str, expected: &[&str]) {
    let (_, edges) = linked([(path.to_owned(), text.to_owned())].into());
    let name = |edge: &str| {
        let (caller, callee) = edge.split_once(" -> ")?;
        let is_go = caller.rsplit(['.', ':']).next() == Some("go");
        is_go.then(|| callee.rsplit_once("Row").map_or(callee, |(_, name)| name.trim_matches([':', '.'])).to_owned())
    };
    let mut found: Vec<String> = edges.iter().filter_map(|edge| name(edge)).collect();
    found.retain(|name| !name.is_empty());
    found.sort();
    assert_eq!(found, expected, "{path}: {edges:?}");
}

#[test]
fn operators_and_protocols_of_python_call_special_methods() {
    let methods = [
        "__enter__",
        "__exit__",
        "__iter__",
        "__getitem__",
        "__setitem__",
        "__delitem__",
        "__add__",
        "__radd__",
        "__eq__",
        "__lt__",
        "__contains__",
        "__len__",
        "__neg__",
        "__str__",
        "__iadd__",
        "__hash__",
        "__repr__",
    ];
    let class: String = methods.map(|name| format!("    def {name}(self, *a): return self\n")).concat();
    let body = |lines: &[&str]| {
        let lines: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("class Row:\n{class}def go(a: Row, x):\n{lines}")
    };
    for (line, expected) in [
        ("with a: pass", &["__enter__", "__exit__"][..]),
        ("with a as b, x: pass", &["__enter__", "__exit__"]),
        ("for b in a: pass", &["__iter__"]),
        ("[b for b in a]", &["__iter__"]),
        ("a[1]", &["__getitem__"]),
        ("a[1] = 2", &["__setitem__"]),
        ("del a[1]", &["__delitem__", "__getitem__"]),
        ("a + x", &["__add__"]),
        ("x + a", &[]),
        ("1 + a", &["__radd__"]),
        ("a += x", &["__add__", "__iadd__"]),
        ("a == x", &["__eq__"]),
        ("a < x", &["__lt__"]),
        ("x not in a", &["__contains__", "__iter__"]),
        ("-a", &["__neg__"]),
        ("len(a)", &["__len__"]),
        ("str(a), f'{a}'", &["__repr__", "__str__"]),
        ("f'{a!r}'", &["__repr__", "__str__"]),
        ("f'{a}'", &["__str__"]),
        ("x[a], x[a] + 1", &["__hash__"]),
        ("a in x", &["__eq__", "__hash__"]),
        ("sum(a)", &["__add__", "__iter__", "__radd__"]),
        ("min(a, key=x)", &["__iter__", "__lt__"]),
        ("list(a)", &["__iter__", "__len__"]),
        ("if not a: pass", &["__len__"]),
        ("while a: pass", &["__len__"]),
        ("x + 1, x == 1, x[1], len(x), not x", &[]),
    ] {
        go_calls("row.py", &body(&[line]), expected);
    }
}

#[test]
fn operators_of_other_languages_call_the_methods_that_define_them() {
    let ruby = "class Row\n  def +(o) = self\n  def ==(o) = true\n  def [](i) = i\n  def []=(i, v)\n  end\n  def -@ = self\n  def to_s = ''\nend\ndef go\n  a = Row.new\n  a + 1\n  a == 1\n  a[1]\n  a[1] = 2\n  -a\n  \"#{a}\"\nend\n";
    go_calls("row.rb", ruby, &["+", "-@", "==", "[]", "[]=", "to_s"]);
    let kotlin = "class Row {\n  operator fun plus(o: Row): Row = this\n  operator fun get(i: Int): Int = i\n  operator fun set(i: Int, v: Int) {}\n  operator fun contains(x: Int): Boolean = true\n  operator fun not(): Row = this\n  operator fun compareTo(o: Row): Int = 0\n}\nfun go(a: Row, b: Row) {\n  println(a + b)\n  println(a[1])\n  a[1] = 2\n  println(1 in a)\n  println(!a)\n  println(a < b)\n}\n";
    go_calls("Row.kt", kotlin, &["compareTo", "contains", "get", "not", "plus", "set"]);
    let rust = "pub struct Row;\nimpl std::ops::Add for Row { type Output = Row; fn add(self, o: Row) -> Row { o } }\nimpl Iterator for Row { type Item = u8; fn next(&mut self) -> Option<u8> { None } }\nimpl PartialEq for Row { fn eq(&self, o: &Row) -> bool { true } }\npub fn go(a: Row, b: Row, n: u8) { a == b; n + 1; for x in a {} b + Row; }\n";
    go_calls("row.rs", rust, &["add", "eq", "next"]);
    let cpp = "struct Row {\n  Row operator+(const Row& o) const { return o; }\n  int operator[](int i) const { return i; }\n  bool operator==(const Row& o) const { return true; }\n  int* begin() { return 0; }\n  int* end() { return 0; }\n};\nvoid go(Row a, Row b, int n) { a + b; a[1]; a == b; for (int x : a) {} n + 1; }\n";
    go_calls("row.cpp", cpp, &["begin", "end", "operator+", "operator==", "operator[]"]);
    let csharp = "class Row {\n  public static Row operator +(Row a, Row b) { return a; }\n  public void Dispose() {}\n  public object GetEnumerator() { return null; }\n}\nclass Use {\n  void go(Row a, Row b) {\n    var c = a + b;\n    using (a) {}\n    foreach (var x in a) {}\n  }\n}\n";
    go_calls("Row.cs", csharp, &["+", "Dispose", "GetEnumerator"]);
    let java = "class Row {\n  public void close() {}\n  public Object iterator() { return null; }\n}\nclass Use {\n  void go(Row a) {\n    try (Row r = a) { }\n    for (Object x : a) {}\n  }\n}\n";
    go_calls("Row.java", java, &["close", "iterator"]);
    let php = "<?php\nclass Row {\n  function offsetGet($i) {}\n  function offsetSet($i, $v) {}\n  function getIterator() {}\n}\nfunction go(Row $a) {\n  $b = $a[1];\n  $a[1] = 2;\n  foreach ($a as $x) {}\n}\n";
    go_calls("Row.php", php, &["getIterator", "offsetGet", "offsetSet"]);
    let dart = "class Row {\n  Row operator +(Row o) => o;\n  bool operator ==(Object o) => true;\n}\nvoid go(Row a, Row b) {\n  var c = a + b;\n  var d = a == b;\n}\n";
    go_calls("row.dart", dart, &["+", "=="]);
    let swift = "struct Row {\n  static func + (a: Row, b: Row) -> Row { return a }\n  func makeIterator() -> Int { return 1 }\n}\nfunc go(a: Row, b: Row) {\n  let c = a + b\n  for x in a {}\n}\n";
    go_calls("row.swift", swift, &["+", "makeIterator"]);
}

#[test]
fn a_type_as_an_object_has_only_the_operators_of_types() {
    let python = "class Row:\n    def __eq__(self, x): return True\n    def __getitem__(self, x): return x\ndef go(a):\n    Row == a\n    Row[1]\n";
    go_calls("row.py", python, &[]);
    let ruby = "class Row\n  def self.[](x) = x\nend\ndef go(a)\n  Row[1]\nend\n";
    go_calls("row.rb", ruby, &["[]"]);
    let kotlin = "object Row {\n  operator fun get(i: Int): Int = i\n}\nfun go() {\n  println(Row[1])\n}\n";
    go_calls("Row.kt", kotlin, &["get"]);
}

#[test]
fn an_operator_is_linked_once_in_each_block_with_names_of_its_own() {
    let rust = "pub struct Row;\nstruct Other;\nimpl std::ops::Add<u8> for Row { type Output = u8; fn add(self, o: u8) -> u8 { o } }\nimpl std::ops::Add<u8> for Other { type Output = u8; fn add(self, o: u8) -> u8 { o } }\npub fn go() { { let v = Other; v + 1; } { let v = Row; v + 1; v + 2; } }\n";
    go_calls("row.rs", rust, &["add", "row.rs:Other::add"]);
}

#[test]
fn an_operator_on_a_container_calls_no_method_of_its_elements() {
    let php = |fields: &str, body: &str| {
        format!(
            "<?php\nclass Row implements \\IteratorAggregate {{ public function getIterator() {{ }} }}
class Rows {{ {fields}
public function go(Row $row, array $all, Row|array $any, $other) {{ {body} }} }}"
        )
    };
    for (fields, body, expected) in [
        ("", "foreach ($row as $x) {}", &["getIterator"][..]),
        ("", "$copy = $row; foreach ($copy as $x) {}", &["getIterator"]),
        ("", "foreach ([$row] as $x) {}", &[]),
        ("", "$list = []; $list[] = $row; foreach ($list as $x) {}", &[]),
        ("", "$list = []; $list = $row; foreach ($list as $x) {}", &["getIterator"]),
        ("", "foreach ($any as $x) {}", &["getIterator"]),
        ("/** @var array<self::KIND_*, Row[]> */ private $rows;", "foreach ($this->rows as $x) {}", &[]),
        (
            "/** @var array<Row::KIND_*, Item> */ private $rows;",
            "foreach ($this->rows as $x) { foreach ($x as $y) {} }",
            &[],
        ),
        ("/** @var Row[]|null */ private $rows;", "foreach ($this->rows as $x) {}", &[]),
        ("/** @var Row|null */ private $rows;", "foreach ($this->rows as $x) {}", &["getIterator"]),
        ("private array $rows = [];", "$this->rows[] = $row; foreach ($this->rows as $x) {}", &[]),
    ] {
        go_calls("rows.php", &php(fields, body), expected);
    }
    let class = "class Row:\n    def __iter__(self): return self\n    def __getitem__(self, i): return self\n";
    for (line, expected) in [
        ("for b in [a]: pass", &[][..]),
        ("b = [a]\n    for c in b: b[0]", &[]),
        ("b = [a]\n    b = a\n    for c in b: pass", &["__iter__"]),
    ] {
        go_calls("a.py", &format!("{class}def go(a: Row):\n    {line}\n"), expected);
    }
}
