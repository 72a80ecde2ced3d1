//! Checks that the cost of linking grows only with the size of the repository, however its files
//! import each other, and that linking finds the same definitions as a simple walk.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use whichfn_graph::{CallReason, Linked, PackedFacts, Source, link};
use whichfn_syntax::ids::{DefinitionId, LocalId};
use whichfn_syntax::lang::Registry;
use whichfn_syntax::parse::{Facts, Parser, parse};

/// A small repository: paths and texts, sorted by path.
pub(super) type Files = Vec<(String, String)>;

/// A call edge as `path:caller -> path:callee`.
pub(super) type Edge = String;

pub(super) fn linked(mut files: Files) -> (Linked, BTreeSet<Edge>) {
    files.sort();
    let registry = Registry::builtin().expect("language files");
    let parsed: Vec<_> = files
        .iter()
        .map(|(path, text)| {
            let id = registry.detect_text(path.rsplit('/').next().expect("name"), text).expect("a language");
            let language = registry.language(id).expect("language");
            (id, parse(&mut Parser::default(), language, path, text).expect("data").expect("parses").0)
        })
        .collect();
    let packed: Vec<_> = parsed.iter().map(|(_, facts)| PackedFacts::new(facts)).collect();
    let sources: Vec<_> = files
        .iter()
        .zip(&parsed)
        .zip(&packed)
        .map(|(((path, _), (id, facts)), packed)| Source {
            path,
            language: Some(*id),
            facts: Some(packed.facts()),
            definitions: facts.definitions.len() as u32,
        })
        .collect();
    let parsed: Vec<_> = parsed.iter().map(|(_, facts)| facts).collect();
    let linked = link("shop", &sources, &registry);
    let ends =
        linked.edges.iter().map(|edge| (name(&sources, &parsed, edge.caller), name(&sources, &parsed, edge.callee)));
    let edges = ends.map(|(caller, callee)| format!("{caller} -> {callee}")).collect();
    (linked, edges)
}

fn name(sources: &[Source<'_>], parsed: &[&Facts], id: DefinitionId) -> String {
    let mut first = 0;
    for (source, facts) in sources.iter().zip(parsed) {
        let count = source.definitions as usize;
        if id.index() < first + count {
            let definition = &facts.definitions[LocalId::new(id.index() - first)];
            return format!("{}:{}", source.path, definition.qualified_name);
        }
        first += count;
    }
    unreachable!("{id:?}")
}

/// Returns files that each import all names of all others. Each defines a function, which calls the
/// function of the next file and a function that is not defined.
fn all_import_all(
    count: usize,
    path: impl Fn(usize) -> String,
    star: impl Fn(usize) -> String,
    function: impl Fn(usize, usize) -> String,
) -> Files {
    let file = |own: usize| {
        let stars: String = (0..count).filter(|&other| other != own).map(|other| star(other) + "\n").collect();
        (path(own), stars + &function(own, (own + 1) % count) + "\n")
    };
    (0..count).map(file).collect()
}

/// Asserts that linking takes at most one walk over all star imports for each file, and a few steps
/// for each function.
fn assert_bounded(linked: &Linked, files: u64, stars: u64) {
    assert!(
        linked.steps.values().sum::<u64>() <= files * (2 * stars + files) + 100 * files,
        "{:?} steps",
        linked.steps
    );
    assert_eq!(linked.left_out, BTreeMap::new());
}

#[test]
fn modules_that_import_all_names_of_each_other_are_linked() {
    let python = |own, next| format!("def f{own}(x):\n    print(len(x), nobody(x))\n    f{next}(x)");
    let typescript = |own, next| format!("export function f{own}(x: number) {{ console.log(nobody(x)); f{next}(x) }}");
    let rust = |own, next| format!("pub fn f{own}(x: u32) {{ nobody(x); f{next}(x) }}");
    for count in [6, 150] {
        let modules: String = (0..count).map(|i| format!("pub mod m{i};\n")).collect();
        let mut crate_of_modules =
            all_import_all(count, |i| format!("src/m{i}.rs"), |i| format!("pub use crate::m{i}::*;"), rust);
        crate_of_modules.push(("src/lib.rs".into(), modules));
        let all = [
            all_import_all(count, |i| format!("m{i}.py"), |i| format!("from m{i} import *"), python),
            all_import_all(count, |i| format!("m{i}.ts"), |i| format!("export * from './m{i}'"), typescript),
            crate_of_modules,
        ];
        for files in all {
            let (first, all) = (files[0].0.clone(), files.len() as u64);
            let (linked, edges) = linked(files);
            assert_bounded(&linked, all, all * all);
            assert_eq!(edges.len(), count, "{first}: each function calls the next one");
        }
    }
}

#[test]
fn thirty_levels_of_headers_that_include_both_of_the_next_level_are_linked() {
    let mut files =
        vec![("main.c".to_owned(), "#include \"a0.h\"\nint main(void) { return deep() + nobody(); }\n".to_owned())];
    for level in 0..30 {
        let both = format!("#include \"a{0}.h\"\n#include \"b{0}.h\"\n", level + 1);
        files.push((format!("a{level}.h"), both.clone()));
        files.push((format!("b{level}.h"), both));
    }
    files.push(("a30.h".into(), String::from("int other(void) { return 0; }\n")));
    files.push(("b30.h".into(), String::from("static inline int deep(void) { return 1; }\n")));
    let (linked, edges) = linked(files);
    assert_bounded(&linked, 63, 122);
    assert_eq!(edges, BTreeSet::from(["main.c:main -> b30.h:deep".to_owned()]));
}

#[test]
fn a_namespace_is_the_union_of_the_parts_that_headers_open() {
    let header = |name: &str, include: &str| {
        (format!("{name}.h"), format!("{include}namespace app {{\ninline int {name}(int x) {{ return x; }}\n}}\n"))
    };
    let main =
        "#include \"one.h\"\n#include \"two.h\"\nint main() { return app::one(1) + app::two(2) + app::three(3); }\n";
    let files = vec![
        header("one", ""),
        header("two", "#include \"three.h\"\n"),
        header("three", ""),
        ("main.cc".to_owned(), main.to_owned()),
    ];
    let expected = ["one", "three", "two"].map(|name| format!("main.cc:main -> {name}.h:app::{name}"));
    assert_eq!(linked(files).1, BTreeSet::from(expected));
}

#[test]
fn prefers_the_included_part_of_a_namespace() {
    let part = |value: &str| format!("namespace app {{\ninline int size() {{ return {value}; }}\n}}\n");
    let files = vec![
        ("a.h".to_owned(), part("1")),
        ("z.h".to_owned(), part("2")),
        ("main.cc".to_owned(), "#include \"z.h\"\nnamespace app {\nint run() { return app::size(); }\n}\n".to_owned()),
    ];
    assert_eq!(linked(files).1, BTreeSet::from(["main.cc:app::run -> z.h:app::size".to_owned()]));
}

/// Returns the file in which a name is found from `file`: that file itself, or else the first of
/// its star imports, searched depth first with each file visited once.
fn slow(stars: &[Vec<usize>], defines: &[Vec<bool>], file: usize, name: usize) -> Option<usize> {
    fn below(
        stars: &[Vec<usize>],
        defines: &[Vec<bool>],
        at: usize,
        name: usize,
        seen: &mut Vec<usize>,
    ) -> Option<usize> {
        for &next in stars[at].iter().filter(|&&next| next != at) {
            if !seen.contains(&next) {
                seen.push(next);
                let found = if defines[next][name] { Some(next) } else { below(stars, defines, next, name, seen) };
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }
    if defines[file][name] { Some(file) } else { below(stars, defines, file, name, &mut Vec::new()) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn resolves_star_imports_as_a_plain_walk_does(
        stars in proptest::collection::vec(proptest::collection::vec(0usize..7, 0..4), 7),
        defines in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 3), 7),
    ) {
        let file = |own: usize| {
            let mut text: String = stars[own].iter().map(|other| format!("from m{other} import *\n")).collect();
            for name in (0..3).filter(|&name| defines[own][name]) {
                writeln!(text, "def f{name}():\n    pass").expect("text");
            }
            writeln!(text, "def use{own}():\n    f0()\n    f1()\n    f2()").expect("text");
            (format!("m{own}.py"), text)
        };
        let mut expected = BTreeSet::new();
        for (own, name) in (0..7).flat_map(|own| (0..3).map(move |name| (own, name))) {
            let found = slow(&stars, &defines, own, name);
            expected.extend(found.map(|of| format!("m{own}.py:use{own} -> m{of}.py:f{name}")));
        }
        prop_assert_eq!(linked((0..7).map(file).collect()).1, expected);
    }
}

#[test]
fn languages_of_different_groups_are_not_linked() {
    let python = "import shop.util\nfrom shop import util\ndef run(x):\n    util.renew(x)\n    x.refresh()\n";
    let python_util = "def renew(x):\n    pass\nclass A:\n    def refresh(self):\n        pass\n";
    let go = "package shop\n\nfunc run(x B) {\n\trenew(x)\n\tx.refresh()\n}\n";
    let go_util = "package shop\n\ntype B struct{}\n\nfunc (b B) refresh() {}\n\nfunc renew(x B) {}\n";
    let files =
        [("shop/main.go", go), ("shop/main.py", python), ("shop/util.go", go_util), ("shop/util.py", python_util)];
    let of = |ending: &str| -> BTreeSet<Edge> {
        let all = files.iter().filter(|(path, _)| path.ends_with(ending));
        linked(all.map(|&(path, text)| (path.to_owned(), text.to_owned())).collect()).1
    };
    assert_eq!((of(".py").len(), of(".go").len()), (2, 2));
    assert_eq!(of(""), of(".py").union(&of(".go")).cloned().collect());
}

#[test]
fn languages_are_linked_together_in_groups() {
    let registry = Registry::builtin().expect("language files");
    let together = registry.linked_together();
    for id in registry.ids() {
        let first = together.of(id);
        assert_eq!(together.of(first), first, "the first of a group is of that group");
    }
    let group = |name: &str| together.of(registry.named(name).expect(name));
    assert_eq!(group("javascript"), group("tsx"));
    assert_eq!(group("c"), group("cpp"));
    assert_ne!(group("python"), group("rust"));
}

/// Returns the lines of `source` on which the functions called in `caller` begin.
pub(super) fn lines_called(path: &str, source: &str, caller: &str) -> Vec<usize> {
    calls(path, source, caller).into_iter().map(|(line, _)| line).collect()
}

/// Returns the lines of `source` on which the functions called in `caller` begin, with the reasons.
fn calls(path: &str, source: &str, caller: &str) -> Vec<(usize, CallReason)> {
    let registry = Registry::builtin().expect("language files");
    let id = registry.detect_text(path, source).expect("a language");
    let language = registry.language(id).expect("language");
    let facts = parse(&mut Parser::default(), language, path, source).expect("data").expect("parses").0;
    let packed = PackedFacts::new(&facts);
    let definitions = facts.definitions.len() as u32;
    let linked = link("", &[Source { path, language: Some(id), facts: Some(packed.facts()), definitions }], &registry);
    let local = |id: DefinitionId| &facts.definitions[LocalId::new(id.index())];
    let called = linked.edges.iter().filter(|edge| local(edge.caller).name == caller);
    called.map(|edge| (local(edge.callee).line as usize, edge.reason)).collect()
}

#[test]
fn a_call_selects_the_overload_that_its_arguments_fit() {
    let source = "class Base {\n\
        void put(char c) {}\n\
        void put(long n) {}\n\
        void put(String text) {}\n\
        void put(Object any) {}\n\
        void put(int[] all) {}\n\
        void put(String format, Object... values) {}\n\
        void put(Base base) {}\n\
        String name() { return null; }\n";
    let line = |call: &str| {
        let caller = format!("void caller(int n, String text, Object any, Derived own) {{ {call}; }}\n");
        lines_called("Base.java", &format!("{source}{caller}}}\nclass Derived extends Base {{}}\n"), "caller")
    };
    assert_eq!(line("put('a')"), [2]);
    assert_eq!(line("put(n + 1)"), [3], "an int is widened");
    assert_eq!(line("put(text)"), [4]);
    assert_eq!(line("put(name())"), [4, 9], "by the result of another call");
    assert_eq!(line("put((String) any)"), [4]);
    assert_eq!(line("put(any)"), [5]);
    assert_eq!(line("put(new int[3])"), [6]);
    assert_eq!(line("put(\"%s\", text, any)"), [7]);
    assert_eq!(line("put(own)"), [8], "by a base type");
    assert_eq!(line("put(unknown())"), [2, 3, 4, 5, 6, 8], "all are possible; line 4 takes the place of line 7");
    assert_eq!(line("put(unknown(), n)"), [7], "only one takes two arguments");
}

#[test]
fn a_method_that_is_not_overridden_is_an_overload_of_the_methods_in_a_derived_type() {
    let source = "class Base {\n\
        void put(String text) {}\n\
        void put(int n) {}\n\
        }\n\
        class Derived extends Base {\n\
        void put(int n) {}\n\
        void caller(Derived other) { put(\"text\"); other.put(1); }\n\
        }\n";
    assert_eq!(lines_called("Base.java", source, "caller"), [2, 6]);
}

#[test]
fn an_overload_with_other_parameters_is_not_dispatched() {
    let source = "interface Rule {\n\
        void put(String text);\n\
        }\n\
        interface NumberRule extends Rule {\n\
        void put(int n);\n\
        }\n\
        class Day {\n\
        void caller(NumberRule rule) { rule.put(unknown()); }\n\
        }\n";
    assert_eq!(calls("Day.java", source, "caller"), [(2, CallReason::Type), (5, CallReason::Type)]);
}

#[test]
fn a_type_parameter_that_a_library_limits_has_objects_of_the_library() {
    let bounded = |bound: &str| {
        let source = format!(
            "class Other {{\nvoid report() {{}}\n}}\n\
            class Box<T extends {bound}> {{ T content; void caller() {{ content.report(); }} }}\n"
        );
        lines_called("Box.java", &source, "caller")
    };
    assert_eq!(bounded("Other"), [2]);
    assert!(bounded("java.lang.Exception").is_empty());
}

#[test]
fn a_constructor_is_selected_by_its_arguments() {
    let source = "class Session {\n\
        Session(String user) { this(user, 1); }\n\
        Session(Session other) {}\n\
        Session(String user, int age) {}\n\
        Session caller(Session other) { return new Session(other); }\n\
        }\n";
    assert_eq!(lines_called("Session.java", source, "caller"), [3]);
    assert_eq!(lines_called("Session.java", source, "Session"), [4]);
}

#[test]
fn an_implementation_takes_the_place_of_its_overload_stubs() {
    let python = "from typing import overload\n\
        @overload\ndef load(path: str) -> str: ...\n\
        @overload\ndef load(path: int) -> int: ...\n\
        def load(path):\n    return path\n\
        def caller():\n    return load(1)\n";
    assert_eq!(lines_called("load.py", python, "caller"), [6]);
    let typescript = "function load(path: string): string;\n\
        function load(path: number): number;\n\
        function load(path: any) { return path; }\n\
        function caller() { return load(1); }\n";
    assert_eq!(lines_called("load.ts", typescript, "caller"), [3]);
}

#[test]
fn a_call_selects_the_implementation_of_a_trait_that_its_argument_fits() {
    let source = "struct Name(String); struct Id(u32);\n\
        impl From<&str> for Name { fn from(s: &str) -> Name { todo!() } }\n\
        impl From<String> for Name { fn from(s: String) -> Name { todo!() } }\n\
        impl<'a> From<&'a [u8]> for Name { fn from(s: &'a [u8]) -> Name { todo!() } }\n\
        impl From<Vec<u8>> for Name { fn from(s: Vec<u8>) -> Name { todo!() } }\n\
        impl From<Id> for Name { fn from(s: Id) -> Name { todo!() } }\n\
        struct Holder { text: String }\n";
    let line = |argument: &str| {
        let caller =
            format!("fn caller(text: String, id: Id, bytes: &[u8], own: Holder) {{ Name::from({argument}); }}\n");
        lines_called("name.rs", &format!("{source}{caller}"), "caller")
    };
    assert_eq!(line("\"text\""), [2]);
    assert_eq!(line("text"), [3]);
    assert_eq!(line("own.text"), [3], "by the declared type of a field");
    assert_eq!(line("format!(\"{bytes:?}\")"), [3]);
    assert_eq!(line("&bytes[1..]"), [4]);
    assert_eq!(line("vec![1, 2]"), [5]);
    assert_eq!(line("id"), [6]);
    assert!(line("unknown()").is_empty(), "too many are possible");
}

#[test]
fn the_declared_type_of_an_object_decides_which_members_it_has() {
    let source = "struct Item<T>(T); trait Index { fn index(&self); }\n\
        impl<T> Item<T> { fn len(&self) {} }\n\
        impl<T> Item<T> { fn index(&self) {} }\n\
        impl Index for u32 { fn index(&self) {} }\n\
        type Items = Vec<Item<u32>>;\n";
    let line = |parameter: &str, call: &str| {
        let caller = format!("fn caller<I: Index, N>(x: {parameter}) {{ {call}; }}\n");
        lines_called("item.rs", &format!("{source}{caller}"), "caller")
    };
    assert_eq!(line("Item<u32>", "x.len()"), [2]);
    assert_eq!(line("Box<Item<u32>>", "x.len()"), [2]);
    assert_eq!(line("Item<I>", "x.index()"), [3], "the type argument is another object");
    assert_eq!(line("I", "x.index()"), [1]);
    assert!(line("Vec<Item<u32>>", "x.len()").is_empty());
    assert!(line("&[Item<u32>]", "x.len()").is_empty());
    assert!(line("Items", "x.len()").is_empty());
    assert_eq!(line("Items", "for one in x { one.len() }"), [2]);
    assert_eq!(line("Option<Item<u32>>", "if let Some(one) = x { one.len() }"), [2]);
    assert_eq!(line("&[Item<u32>]", "x[0].len()"), [2]);
    assert_eq!(line("std::io::Result<Item<u32>>", "x?.len()"), [2]);
}

#[test]
fn aliases_associated_types_pointers_and_iterators_lead_to_their_types() {
    let source = "struct Item<T>(T); struct Guard; struct Iter; type Alias<T> = Item<T>;\n\
        impl<T> Item<T> { fn open(&self) {} }\n\
        impl std::ops::Deref for Guard { type Target = Item<u8>; fn deref(&self) -> &Item<u8> { todo!() } }\n\
        impl Iterator for Iter { type Item = Item<u8>; fn next(&mut self) -> Option<Item<u8>> { None } }\n\
        trait Source { type Out: Read; fn out(&self) -> Self::Out; }\n\
        trait Read { fn read_all(&self) {} }\n\
        impl<T: Read> Source for T { type Out = T; fn out(&self) -> T { caller(self.read_all()) } }\n";
    let line = |parameter: &str, call: &str| {
        let caller = format!("fn other<S: Source>(x: {parameter}) {{ {call}; }}\n");
        lines_called("item.rs", &format!("{source}{caller}"), "other")
    };
    assert_eq!(line("Alias<u32>", "x.open()"), [2]);
    assert_eq!(line("Guard", "x.open()"), [2]);
    assert_eq!(line("Iter", "for one in x { one.open() }"), [2, 4], "the loop calls `next`");
    assert_eq!(line("Iter", "x.map(|one| one.open())"), [2]);
    assert!(line("S", "x.out().read_all()").contains(&6));
    assert_eq!(lines_called("item.rs", source, "out"), [6], "the object of a blanket implementation has its bounds");
}

#[test]
fn items_in_a_macro_call_are_linked() {
    let source = "cfg_unix! {\n\
        #![feature = \"fs\"]\n\
        pin::project! {\n\
        pub struct Inner { #[pin] next: Option<Box<Inner>> }\n\
        }\n\
        impl Inner { fn open(&self) {} }\n\
        pub fn caller(inner: Inner) { inner.open(); }\n\
        }\n\
        names! { pub first, fn }\n\
        fn outside(inner: Inner) { caller(inner); }\n";
    assert_eq!(lines_called("inner.rs", source, "caller"), [6]);
    assert_eq!(lines_called("inner.rs", source, "outside"), [7]);
}

/// The grammar of Swift reads what is before the brackets, with its operators, as the callee.
#[test]
fn an_operator_before_a_call_is_not_part_of_the_callee() {
    let source = "func size(of path: String) -> Int { return 1 }\nfunc isEmpty() -> Bool { return true }\n";
    let called = |body: &str| lines_called("Size.swift", &format!("{source}func caller() {{ {body} }}\n"), "caller");
    for body in ["return -size(of: a)", "return 1 + size(of: a)", "return a * 2 - size(of: a)", "x = 1 / size(of: a)"] {
        assert_eq!(called(body), [1], "{body}");
    }
    assert_eq!(called("guard !isEmpty() else { return }"), [2]);
    assert_eq!(called("return size(of: a) + (isEmpty() ? 1 : 0)"), [1, 2]);
}

#[test]
fn a_macro_after_the_reference_sign_of_a_method_hides_nothing() {
    let source =
        "struct A {\n  int& get() & LIFETIME_BOUND { return x; }\n  int x;\n};\nint caller(A a) { return a.get(); }\n";
    assert_eq!(lines_called("a.hpp", source, "caller"), [2]);
}

#[test]
fn ten_thousand_overloads_with_a_hundred_arguments_are_linked() {
    let arguments = |one: &str| vec![one; 100].join(", ");
    let mut source = String::from("class T {\n");
    for number in 0..10_000 {
        writeln!(source, "void put(T{number} one, int two) {{ put({number}, two); }}").expect("written");
    }
    let parameters: Vec<String> = (0..100).map(|number| format!("int p{number}")).collect();
    for _ in 0..100 {
        writeln!(source, "void all({}) {{ all({}); }}", parameters.join(", "), arguments("put(1, 2)"))
            .expect("written");
    }
    source.push_str("}\n");
    let (linked, _) = linked(vec![("T.java".into(), source)]);
    assert_eq!(linked.left_out, BTreeMap::new());
}

#[test]
fn a_call_by_name_prefers_the_methods_that_take_its_arguments() {
    let java = [
        ("Door.java", "class Door { int reveal() { return 1; } }"),
        ("Gate.java", "class Gate { int reveal(int width, int height) { return 2; } }"),
        (
            "Use.java",
            "class Use { void run(Keys keys) { keys.all(key -> key.reveal()); keys.all(key -> key.reveal(1)); }
  void wide(Keys keys) { keys.all(key -> key.reveal(1, 2)); } }",
        ),
    ];
    let csharp = [
        ("Door.cs", "class Door { public int reveal() => 1; }"),
        ("Gate.cs", "class Gate { public int reveal(int width, int height) => 2; }"),
        (
            "Use.cs",
            "class Use { void run(Keys keys) { weigh(x => { var key = x; key.reveal(); }); }
  void wide(Keys keys) { weigh(x => { var key = x; key.reveal(1, 2); }); } }",
        ),
    ];
    let kotlin = [
        ("Door.kt", "class Door { fun reveal() = 1 }"),
        ("Gate.kt", "class Gate { fun reveal(width: Int, height: Int) = 2 }"),
        (
            "Use.kt",
            "class Use { fun run(keys: Keys) { weigh { key -> key.reveal() } }
  fun wide(keys: Keys) { weigh { key -> key.reveal(1, 2) } } }",
        ),
    ];
    let expected = ["Use.run -> Door.reveal", "Use.wide -> Gate.reveal"];
    assert_eq!(super::names::calls(&kotlin), expected);
    assert_eq!(super::names::calls(&csharp), expected);
    // If none takes them, each may be meant.
    let expected = ["Use.run -> Door.reveal", "Use.run -> Gate.reveal", "Use.wide -> Gate.reveal"];
    assert_eq!(super::names::calls(&java), expected);
}
