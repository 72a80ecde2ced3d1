//! Checks subtypes, supertypes and overrides: with a fixture in each language, and with random
//! hierarchies against a definition that is written down naively.

use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use whichfn_index::store::{GraphFile, TypeGraph};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;
use whichfn_testing::{cases, graph, indexed};

/// The same shapes in each language: `Circle` and `Square` have an area of their own, `Ring`
/// inherits it from `Circle`.
const SHAPES: &[(&str, &str)] = &[
    (
        "shapes.cpp",
        "class Shape { public: virtual int area(int scale) = 0; static int count() { return 1; } };
class Circle : public Shape { public: int area(int scale) override { return scale; } int area() { return 1; } };
class Square : public Shape { public: int area(int scale); };
int Square::area(int scale) { return 4 * scale; }
class Ring : public Circle { public: int width() { return 1; } };
",
    ),
    (
        "Shapes.cs",
        "interface Shape { int area(int scale); }
class Circle : Shape { public int area(int scale) => scale; public int area() => 1; }
class Square : Shape { public int area(int scale) { return 4 * scale; } }
class Ring : Circle { public int width() { return 1; } }
",
    ),
    (
        "shapes.go",
        "package shapes
type Shape interface { area(scale int) int }
type Circle struct { size int }
func (c *Circle) area(scale int) int { return scale }
type Square struct { size int }
func (s Square) area(scale int) int { return 4 * scale }
type Ring struct { Circle }
func (r Ring) width() int { return 1 }
type Field struct { size int }
func (f Field) area() int { return 1 }
",
    ),
    (
        "Shapes.java",
        "interface Shape { int area(int scale); }
class Circle implements Shape { public int area(int scale) { return scale; } int area() { return 1; } }
class Square implements Shape { public int area(int scale) { return 4 * scale; } }
class Ring extends Circle { int width() { return 1; } }
",
    ),
    (
        "shapes.js",
        "class Shape { area(scale) { throw new Error(); } }
class Circle extends Shape { area(scale) { return scale; } }
class Square extends Shape { area(scale) { return 4 * scale; } }
class Ring extends Circle { width() { return 1; } }
",
    ),
    (
        "shapes.php",
        "<?php
interface Shape { function area($scale); }
class Circle implements Shape { function area($scale) { return $scale; } }
class Square implements Shape { function area($scale) { return 4 * $scale; } }
class Ring extends Circle { function width() { return 1; } }
",
    ),
    (
        "shapes.py",
        "class Shape:
    def area(self, scale): raise NotImplementedError
class Circle(Shape):
    def area(self, scale): return scale
class Square(Shape):
    def area(self, scale): return 4 * scale
class Ring(Circle):
    def width(self): return 1
",
    ),
    (
        "shapes.rb",
        "class Shape
  def area(scale) = raise
end
class Circle < Shape
  def area(scale) = scale
end
class Square < Shape
  def area(scale) = 4 * scale
end
class Ring < Circle
  def width = 1
end
",
    ),
    (
        "shapes.ts",
        "interface Shape { area(scale: number): number; }
class Circle implements Shape { area(scale: number) { return scale; } }
class Square implements Shape { area(scale: number) { return 4 * scale; } }
class Ring extends Circle { width() { return 1; } }
",
    ),
];

const RUST: &str = "pub trait Shape { fn area(&self, scale: u32) -> u32; fn count(&self) -> u32 { 1 } }
pub trait Solid: Shape { fn volume(&self) -> u32; }
pub struct Circle;
impl Shape for Circle { fn area(&self, scale: u32) -> u32 { scale } }
impl Circle { fn count(&self) -> u32 { 2 } }
pub struct Square<T>(T);
impl<T> Shape for Square<T> { fn area(&self, scale: u32) -> u32 { 4 * scale } }
impl Shape for u32 { fn area(&self, scale: u32) -> u32 { self * scale } }
";

/// An inherited method implements the method of an interface that its own type does not know.
const INHERITED: &[(&str, &str)] = &[
    (
        "Doors.java",
        "class Wood { public void open() {} }
interface Door { void open(); }
class Gate extends Wood implements Door { void paint() {} }
",
    ),
    (
        "doors.go",
        "package doors
type Wood struct{}
func (w Wood) open() {}
type Door interface { open(); paint() }
type Gate struct { Wood }
func (g Gate) paint() {}
",
    ),
    (
        "doors.php",
        "<?php
trait Wood { function open() {} }
interface Door { function open(); }
class Gate implements Door { use Wood; function paint() {} }
",
    ),
];

/// The same doors in each language: `Hatch` opens like any door, `Gate` in its own way, and `Portal`
/// is a hatch.
const DOORS: &[(&str, &str)] = &[
    (
        "doors.cpp",
        "class Door { public: virtual int open() { return 1; } };
class Hatch : public Door { public: int visit() { return this->open(); } };
class Gate : public Door { public: int open() override { return 2; } };
class Portal : public Hatch { public: int open() override { return 3; } };
",
    ),
    (
        "doors.cs",
        "class Door { public virtual int open() => 1; }
class Hatch : Door { public int visit() => open(); }
class Gate : Door { public override int open() => 2; }
class Portal : Hatch { public override int open() => 3; }
",
    ),
    (
        "doors.dart",
        "class Door { int open() => 1; }
class Hatch extends Door { int visit() => open(); }
class Gate extends Door { int open() => 2; }
class Portal extends Hatch { int open() => 3; }
",
    ),
    (
        "Doors.java",
        "class Door { int open() { return 1; } }
class Hatch extends Door { int visit() { return open(); } }
class Gate extends Door { int open() { return 2; } }
class Portal extends Hatch { int open() { return 3; } }
",
    ),
    (
        "doors.kt",
        "open class Door { open fun open() = 1 }
open class Hatch : Door() { fun visit() = open() }
class Gate : Door() { override fun open() = 2 }
class Portal : Hatch() { override fun open() = 3 }
",
    ),
    (
        "doors.php",
        "<?php
class Door { function open() {} }
class Hatch extends Door { function visit() { $this->open(); } }
class Gate extends Door { function open() {} }
class Portal extends Hatch { function open() {} }
",
    ),
    (
        "doors.py",
        "class Door:
    def open(self): pass
class Hatch(Door):
    def visit(self): self.open()
class Gate(Door):
    def open(self): pass
class Portal(Hatch):
    def open(self): pass
",
    ),
    (
        "doors.rb",
        "class Door\n def open; end\nend
class Hatch < Door\n def visit; open; end\nend
class Gate < Door\n def open; end\nend
class Portal < Hatch\n def open; end\nend
",
    ),
    (
        "doors.scala",
        "class Door { def open() = 1 }
class Hatch extends Door { def visit() = open() }
class Gate extends Door { override def open() = 2 }
class Portal extends Hatch { override def open() = 3 }
",
    ),
    (
        "doors.swift",
        "class Door { func open() {} }
class Hatch: Door { func visit() { open() } }
class Gate: Door { override func open() {} }
class Portal: Hatch { override func open() {} }
",
    ),
    (
        "doors.ts",
        "class Door { open() { return 1; } }
class Hatch extends Door { visit() { return this.open(); } }
class Gate extends Door { open() { return 2; } }
class Portal extends Hatch { open() { return 3; } }
",
    ),
];

struct Queries<'a> {
    graph: &'a GraphFile,
    types: TypeGraph<'a>,
}

impl<'a> Queries<'a> {
    fn new(graph: &'a GraphFile, registry: &'a Registry) -> Self {
        Self { graph, types: TypeGraph::new(graph, registry) }
    }

    fn id(&self, name: &str) -> DefinitionId {
        let is_named = |&id: &DefinitionId| {
            self.graph.qualified_name(id).replace("::", ".") == name && self.graph.owner(id) == id
                || self.graph.qualified_name(id).replace("::", ".") == name && name.contains('.')
        };
        self.graph.definition_ids().find(is_named).unwrap_or_else(|| panic!("{name} is not defined"))
    }

    fn names(&self, ids: impl IntoIterator<Item = DefinitionId>) -> Vec<String> {
        let names: BTreeSet<_> = ids.into_iter().map(|id| self.graph.qualified_name(id).replace("::", ".")).collect();
        names.into_iter().collect()
    }

    fn subtypes(&self, name: &str) -> Vec<String> {
        self.names(self.types.subtypes(self.id(name)).iter().map(|node| node.id))
    }

    fn supertypes(&self, name: &str) -> Vec<String> {
        self.names(self.types.supertypes(self.id(name)).iter().map(|node| node.id))
    }

    fn overrides(&self, name: &str) -> Vec<String> {
        self.names(self.types.overrides(self.id(name)))
    }

    fn overridden(&self, name: &str) -> Vec<String> {
        self.names(self.types.overridden(self.id(name)))
    }

    /// Checks whether a call of `callee` on the receiver of `caller` may run an override of it.
    fn may_run(&self, caller: &str, callee: &str, name: &str) -> bool {
        self.types.may_run_on_receiver(self.id(caller), self.id(callee), self.id(name))
    }

    /// Returns all pairs of an overridden method and its override, as found from either end.
    fn pairs(&self) -> [BTreeSet<(DefinitionId, DefinitionId)>; 2] {
        let ids = || self.graph.definition_ids();
        let down = ids().flat_map(|id| self.types.overrides(id).into_iter().map(move |other| (id, other)));
        let up = ids().flat_map(|id| self.types.overridden(id).into_iter().map(move |other| (other, id)));
        [down.collect(), up.collect()]
    }
}

#[test]
fn every_language_has_subtypes_and_overrides() {
    let registry = Registry::builtin().expect("language files");
    for file in SHAPES {
        let indexed = indexed(&[*file]);
        let queries = Queries::new(graph(&indexed), &registry);
        let path = file.0;
        assert_eq!(queries.subtypes("Shape"), ["Circle", "Ring", "Square"], "{path}");
        assert_eq!(queries.supertypes("Ring"), ["Circle", "Shape"], "{path}");
        assert_eq!(queries.overrides("Shape.area"), ["Circle.area", "Square.area"], "{path}");
        assert_eq!(queries.overridden("Square.area"), ["Shape.area"], "{path}");
        assert!(queries.overrides("Ring.width").is_empty() && queries.overridden("Ring.width").is_empty(), "{path}");
        let [down, up] = queries.pairs();
        assert_eq!((&down, down.len()), (&up, 2), "{path}: the same from both ends");
    }
}

#[test]
fn a_call_on_the_receiver_runs_no_method_of_a_sibling() {
    let registry = Registry::builtin().expect("language files");
    for file in DOORS {
        let indexed = indexed(&[*file]);
        let queries = Queries::new(graph(&indexed), &registry);
        let path = file.0;
        assert_eq!(queries.overrides("Door.open"), ["Gate.open", "Portal.open"], "{path}");
        assert!(queries.may_run("Hatch.visit", "Door.open", "Portal.open"), "{path}: a portal is a hatch");
        assert!(!queries.may_run("Hatch.visit", "Door.open", "Gate.open"), "{path}: a gate is none");
        assert!(queries.may_run("Door.open", "Door.open", "Gate.open"), "{path}: any door may be open");
    }
}

#[test]
fn the_receiver_of_a_mixin_has_the_types_that_include_it() {
    let registry = Registry::builtin().expect("language files");
    let files = [
        (
            "doors.php",
            "<?php
trait Visits { function visit() { $this->open(); } }
class Door { function open() {} }
class Hatch extends Door { use Visits; }
class Gate extends Door { function open() {} }
class Portal extends Hatch { function open() {} }
",
        ),
        (
            "doors.rb",
            "module Visits\n def visit; open; end\nend
class Door\n def open; end\nend
class Hatch < Door\n include Visits\nend
class Gate < Door\n def open; end\nend
class Portal < Hatch\n def open; end\nend
",
        ),
    ];
    for file in files {
        let indexed = indexed(&[file]);
        let queries = Queries::new(graph(&indexed), &registry);
        assert!(queries.may_run("Visits.visit", "Door.open", "Portal.open"), "{}", file.0);
        assert!(!queries.may_run("Visits.visit", "Door.open", "Gate.open"), "{}", file.0);
    }
}

#[test]
fn an_object_of_two_bases_may_run_the_method_of_the_other_one() {
    let registry = Registry::builtin().expect("language files");
    let text = "class Door:\n    def open(self): pass\n\nclass Hatch(Door):\n    def visit(self): self.open()\n
class Gate(Door):\n    def open(self): pass\n\nclass Both(Hatch, Gate): pass\n";
    let indexed = indexed(&[("doors.py", text)]);
    assert!(Queries::new(graph(&indexed), &registry).may_run("Hatch.visit", "Door.open", "Gate.open"));
}

#[test]
fn the_methods_of_a_rust_trait_are_implemented_in_its_impl_blocks_only() {
    let registry = Registry::builtin().expect("language files");
    let indexed = indexed(&[("src/lib.rs", RUST)]);
    let queries = Queries::new(graph(&indexed), &registry);
    assert_eq!(queries.subtypes("Shape"), ["Circle", "Solid", "Square", "u32"]);
    assert_eq!(queries.overrides("Shape.area"), ["Circle.area", "Square.area", "u32.area"]);
    assert!(queries.overrides("Shape.count").is_empty(), "Circle has another method of that name");
    assert!(queries.overridden("Circle.count").is_empty());
    let [down, up] = queries.pairs();
    assert_eq!(down, up);
}

#[test]
fn an_inherited_method_implements_an_interface() {
    let registry = Registry::builtin().expect("language files");
    for file in INHERITED {
        let indexed = indexed(&[*file]);
        let queries = Queries::new(graph(&indexed), &registry);
        assert_eq!(queries.overrides("Door.open"), ["Wood.open"], "{}", file.0);
        assert_eq!(queries.overridden("Wood.open"), ["Door.open"], "{}", file.0);
        let [down, up] = queries.pairs();
        assert_eq!(down, up, "{}", file.0);
    }
}

#[test]
fn private_methods_of_a_go_interface_are_implemented_in_its_directory_only() {
    let registry = Registry::builtin().expect("language files");
    let files = [
        ("a/a.go", "package a\ntype Node interface { walk() }\ntype Leaf struct{}\nfunc (l Leaf) walk() {}\n"),
        ("b/b.go", "package b\ntype Road struct{}\nfunc (r Road) walk() {}\n"),
    ];
    let indexed = indexed(&files);
    assert_eq!(Queries::new(graph(&indexed), &registry).subtypes("Node"), ["Leaf"]);
}

#[test]
fn type_arguments_are_not_bases_and_trait_objects_are_not_their_trait() {
    let registry = Registry::builtin().expect("language files");
    let text = "pub struct Parse;
pub struct Error;
impl From<Parse> for Error { fn from(parse: Parse) -> Error { Error } }
pub trait Read { fn read(&self) {} }
pub trait Memory { fn read_memory(&self); }
impl Memory for dyn Read { fn read_memory(&self) {} }
impl Read for Error { fn read(&self) {} }
";
    let indexed = indexed(&[("src/lib.rs", text)]);
    let queries = Queries::new(graph(&indexed), &registry);
    assert!(queries.subtypes("Parse").is_empty());
    assert_eq!(queries.subtypes("Memory"), ["Read"], "only its objects, not what implements it");
    assert_eq!(queries.overrides("Memory.read_memory"), ["Read.read_memory"]);
    assert_eq!(queries.supertypes("Error"), ["Read"]);
}

#[test]
fn parameters_without_a_name_count() {
    let registry = Registry::builtin().expect("language files");
    let text = "package binding
type Binding interface { Bind(*Request, any) error }
type Request struct {}
type JSON struct {}
func (j JSON) Bind(request *Request, target any) error { return nil }
type Text struct {}
func (t Text) Bind(request *Request) error { return nil }
";
    let indexed = indexed(&[("binding.go", text)]);
    assert_eq!(Queries::new(graph(&indexed), &registry).subtypes("Binding"), ["JSON"]);
}

/// A type: the numbers of its bases, and for each of two methods its number of parameters, if it
/// has the method.
#[derive(Debug, Clone)]
struct Type {
    bases: BTreeSet<usize>,
    methods: [Option<usize>; 2],
}

fn types(count: usize) -> impl Strategy<Value = Vec<Type>> {
    let one = (prop::collection::btree_set(0..count, 0..3), prop::array::uniform2(prop::option::of(0..2usize)));
    prop::collection::vec(one.prop_map(|(bases, methods)| Type { bases, methods }), count)
}

/// Returns the types with bases of smaller numbers only.
fn without_cycles(mut types: Vec<Type>) -> Vec<Type> {
    for (number, one) in types.iter_mut().enumerate() {
        one.bases.retain(|&base| base < number);
    }
    types
}

fn python(types: &[Type]) -> String {
    let mut text = String::new();
    for (number, one) in types.iter().enumerate() {
        let bases: Vec<String> = one.bases.iter().map(|base| format!("T{base}")).collect();
        let _ = writeln!(text, "class T{number}({}):\n    here = 1", bases.join(", "));
        for method in (0..2).filter(|&method| one.methods[method].is_some()) {
            let _ = writeln!(text, "    def m{method}(self): pass");
        }
    }
    text
}

/// Returns the types below each type.
fn below(types: &[Type]) -> Vec<BTreeSet<usize>> {
    let mut below: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); types.len()];
    loop {
        let before = below.clone();
        for (number, one) in types.iter().enumerate() {
            for &base in &one.bases {
                let own = before[number].clone();
                below[base].extend(own.into_iter().chain([number]));
            }
        }
        if below == before {
            return below;
        }
    }
}

/// Returns the types whose method an object of a type may have.
fn found(types: &[Type], number: usize, method: usize) -> BTreeSet<usize> {
    match types[number].methods[method] {
        Some(_) => BTreeSet::from([number]),
        None => types[number].bases.iter().flat_map(|&base| found(types, base, method)).collect(),
    }
}

fn number_of(name: &str) -> usize {
    name.split('.').next().and_then(|name| name[1..].parse().ok()).expect("a number")
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn subtypes_are_the_transitive_closure(types in types(7)) {
        let registry = Registry::builtin().expect("language files");
        let indexed = indexed(&[("types.py", &python(&types))]);
        let queries = Queries::new(graph(&indexed), &registry);
        let below = below(&types);
        for number in 0..types.len() {
            let mut expected = below[number].clone();
            expected.remove(&number);
            let found: BTreeSet<usize> = queries.subtypes(&format!("T{number}")).iter().map(|n| number_of(n)).collect();
            prop_assert_eq!(&found, &expected, "below T{}", number);
            let above: BTreeSet<usize> = (0..types.len()).filter(|&n| n != number && below[n].contains(&number)).collect();
            let found: BTreeSet<usize> = queries.supertypes(&format!("T{number}")).iter().map(|n| number_of(n)).collect();
            prop_assert_eq!(&found, &above, "above T{}", number);
        }
    }

    #[test]
    fn overrides_are_the_methods_that_objects_of_subtypes_have(types in types(7)) {
        let types = without_cycles(types);
        let registry = Registry::builtin().expect("language files");
        let indexed = indexed(&[("types.py", &python(&types))]);
        let queries = Queries::new(graph(&indexed), &registry);
        let below = below(&types);
        for number in 0..types.len() {
            for method in (0..2).filter(|&method| types[number].methods[method].is_some()) {
                let of_subtypes = below[number].iter().flat_map(|&subtype| found(&types, subtype, method));
                let is_other = |&other: &usize| other != number && !below[other].contains(&number);
                let expected: BTreeSet<usize> = of_subtypes.filter(is_other).collect();
                let overrides = queries.overrides(&format!("T{number}.m{method}"));
                let overrides: BTreeSet<usize> = overrides.iter().map(|name| number_of(name)).collect();
                prop_assert_eq!(overrides, expected, "T{}.m{}", number, method);
            }
        }
        let [down, up] = queries.pairs();
        prop_assert_eq!(down, up);
    }

    #[test]
    fn structural_interfaces_are_implemented_by_types_with_their_methods(
        types in types(5),
        interfaces in prop::collection::vec(prop::array::uniform2(prop::option::of(0..2usize)), 3),
    ) {
        let types = without_cycles(types);
        let mut text = "package p\n".to_owned();
        let parameters = |count: usize| if count == 1 { "x int" } else { "" };
        for (number, methods) in interfaces.iter().enumerate() {
            let _ = writeln!(text, "type I{number} interface {{");
            for (method, count) in methods.iter().enumerate().filter_map(|(method, count)| Some((method, (*count)?))) {
                let _ = writeln!(text, "  M{method}({})", parameters(count));
            }
            text.push_str("}\n");
        }
        for (number, one) in types.iter().enumerate() {
            let bases: Vec<String> = one.bases.iter().map(|base| format!("T{base}")).collect();
            let _ = writeln!(text, "type T{number} struct {{ {} }}", bases.join("; "));
            for (method, count) in one.methods.iter().enumerate().filter_map(|(method, count)| Some((method, (*count)?))) {
                let _ = writeln!(text, "func (t T{number}) M{method}({}) {{}}", parameters(count));
            }
        }
        let registry = Registry::builtin().expect("language files");
        let indexed = indexed(&[("p.go", &text)]);
        let queries = Queries::new(graph(&indexed), &registry);
        let below = below(&types);
        for (interface, wanted) in interfaces.iter().enumerate() {
            let has = |number: usize, method: usize, count: usize| {
                let embedded = |other: usize| other == number || below[other].contains(&number);
                (0..types.len()).any(|other| embedded(other) && types[other].methods[method] == Some(count))
            };
            let implements = |&number: &usize| {
                let mut methods = wanted.iter().enumerate();
                methods.all(|(method, count)| count.is_none_or(|count| has(number, method, count)))
            };
            let is_empty = wanted.iter().all(Option::is_none);
            let expected: BTreeSet<usize> = (0..types.len()).filter(|n| !is_empty && implements(n)).collect();
            let found = queries.subtypes(&format!("I{interface}"));
            prop_assert_eq!(found.iter().map(|name| number_of(name)).collect::<BTreeSet<_>>(), expected);
        }
        let [down, up] = queries.pairs();
        prop_assert_eq!(down, up);
    }
}
