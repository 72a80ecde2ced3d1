//! Tests `whichfn references`: the uses of functions, types, constants and fields, each with its
//! line and kind; and how other commands treat the name of a value.

use crate::support::env::Env;

const ERRORS: &str = "LIMIT = 8


class TooMany(Exception):
    pass


class Basket:
    size = 0

    def add(self, item):
        # TooMany in a comment does not count.
        if self.size >= LIMIT:
            raise TooMany(\"TooMany\")
        self.size += 1
";

#[test]
fn everywhere_lists_overrides_and_all_other_lines_with_the_name() {
    let guide = "# Guide\n\nCall `add` to fill a basket.\n\nAddition and add_all are other words.\n";
    let crate_text =
        "from app.errors import Basket\n\n\nclass Crate(Basket):\n    def add(self, item):\n        pass\n";
    let env = Env::with(&[
        ("app/errors.py", ERRORS),
        ("app/shop.py", SHOP),
        ("app/crate.py", crate_text),
        ("guide.md", guide),
    ]);
    let ran = env.run(&["references", "Basket.add", "--everywhere"]).found();
    for line in [
        "overridden, implemented or extended by 1 definition",
        "app/crate.py:5  Crate.add  (overrides)",
        "1 other line with `add`, such as",
        "guide.md:3  Call `add` to fill a basket.",
        "no other line of the 4 searched files contains `add`",
    ] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    let json = env.run(&["references", "Basket.add", "--everywhere", "--json"]).found().json();
    assert_eq!(
        (&json["searched"], &json["lines"][0]["path"], &json["lines"][0]["line"]),
        (&4.into(), &"guide.md".into(), &3.into())
    );
    assert_eq!(json["below"][0]["name"], "Crate.add", "{json}");
    let filtered = env.run(&["references", "Basket.add", "--everywhere", "--path", "app/**"]).found().out;
    assert!(
        !filtered.contains("guide.md") && filtered.contains("3 searched files that the filters accept"),
        "{filtered}"
    );
    env.write("fold.rs", FOLD);
    let without_tests = env.run(&["references", "fold", "--everywhere", "--no-tests"]).out;
    let (files, lines) =
        ("searched files that the filters accept", "contains `fold`, except 1 line that the filters leave out");
    assert!(without_tests.contains(files) && without_tests.contains(lines), "{without_tests}");
    env.write("app/many.py", (0..30).map(|n| format!("ADD_{n} = 'add'\n")).collect::<String>());
    let many = env.run(&["references", "Basket.add", "--everywhere"]).found().out;
    assert!(many.contains("app/many.py  1, 2, 3, ") && many.contains("guide.md  3\n"), "{many}");
}

const FOLD: &str = "pub fn fold() {}

pub fn twice() {
    fold();
}

#[cfg(test)]
mod tests {
    #[test]
    fn folds() {
        super::fold();
    }
}
";

const SHOP: &str = "from app.errors import LIMIT, Basket, TooMany


class Crowded(TooMany):
    pass


def fill(basket: Basket, LIMITS):
    try:
        basket.add(LIMIT)
    except TooMany as error:
        return error
    return basket.size


def other(LIMIT):
    return LIMIT
";

fn shop() -> Env {
    Env::with(&[("app/errors.py", ERRORS), ("app/shop.py", SHOP)])
}

#[test]
fn uses_of_a_type_are_listed_with_their_kinds() {
    let ran = shop().run(&["references", "TooMany"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    app/errors.py:4  TooMany  class · used 4 times
      app/errors.py:14:19  Basket.add  (call)  raise TooMany("TooMany")
      app/shop.py:1:39  shop  (import)  from app.errors import LIMIT, Basket, TooMany
      app/shop.py:4:15  Crowded  (base)  class Crowded(TooMany):
      app/shop.py:11:12  fill  (catch)  except TooMany as error:
    "#);
}

#[test]
fn a_local_variable_hides_a_constant() {
    let ran = shop().run(&["refs", "LIMIT", "--format", "vimgrep"]).found();
    assert_eq!(
        ran.out,
        "app/errors.py:13:25:Basket.add: if self.size >= LIMIT:\n\
         app/shop.py:1:24:shop: from app.errors import LIMIT, Basket, TooMany\n\
         app/shop.py:10:20:fill: basket.add(LIMIT)\n"
    );
}

#[test]
fn a_field_is_used_through_objects_of_its_type() {
    let found = shop().run(&["references", "Basket.size", "--json"]).json();
    assert_eq!(found["of"]["kind"], "member");
    let lines: Vec<_> =
        found["uses"].as_array().expect("uses").iter().map(|one| (&one["path"], &one["line"])).collect();
    assert_eq!(lines.len(), 3, "{found}");
    assert_eq!(found["by_name"], 0);
}

#[test]
fn callers_of_a_value_refer_to_its_uses() {
    let ran = shop().run(&["callers", "LIMIT"]);
    assert!(ran.err.contains("LIMIT is a value: app/errors.py:1"), "{}", ran.err);
    assert!(ran.err.contains("whichfn references LIMIT"), "{}", ran.err);
}

#[test]
fn a_mistyped_value_is_suggested() {
    let ran = shop().run(&["references", "LIMTI"]);
    assert!(ran.err.contains("similar names") && ran.err.contains("app/errors.py:1  LIMIT"), "{}", ran.err);
}

#[test]
fn a_type_and_a_value_of_one_name_have_different_uses() {
    let env = Env::with(&[
        ("src/point.ts", "export interface Point { x: number }\nexport const Point = { zero: 0 };\n"),
        (
            "src/use.ts",
            "import { Point } from './point';\nexport function f(p: Point): number {\n  return Point.zero + p.x;\n}\n",
        ),
    ]);
    let interface = env.run(&["references", "Point", "--format", "vimgrep"]).found();
    assert_eq!(
        interface.out,
        "src/use.ts:1:10:use: import { Point } from './point';\nsrc/use.ts:2:22:f: export function f(p: Point): number {\n"
    );
    let value = env.run(&["references", "src/point.ts:2", "--format", "vimgrep"]).found();
    assert_eq!(
        value.out,
        "src/use.ts:1:10:use: import { Point } from './point';\nsrc/use.ts:3:10:f: return Point.zero + p.x;\n"
    );
}

const SHAPES: &str = "class Shape:
    def draw(self):
        return self.outline()

    def outline(self):
        return []


class Circle(Shape):
    def outline(self):
        return super().outline()


def draw_all(shape: Shape, circle: Circle):
    shape.outline()
    circle.outline()
";

#[test]
fn a_use_of_an_overridden_method_is_possible() {
    let env = Env::with(&[("shapes.py", SHAPES)]);
    let ran = env.run(&["references", "Circle.outline"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    shapes.py:10  Circle.outline  method · used 1 time, 2 possible
      shapes.py:16:12  draw_all  (call)  circle.outline()
      shapes.py:3:21  Shape.draw  (call, possible through Shape.outline)  return self.outline()
      shapes.py:15:11  draw_all  (call, possible through Shape.outline)  shape.outline()
    ");
    let found = env.run(&["references", "Shape.outline", "--json"]).json();
    let lines: Vec<_> = found["uses"].as_array().expect("uses").iter().map(|one| one["line"].as_u64()).collect();
    assert_eq!(lines, [Some(3), Some(11), Some(15)]);
    assert_eq!((&found["certain"], &found["possible"]), (&3.into(), &0.into()));
}

#[test]
fn all_lists_every_definition_with_a_name() {
    let env = Env::with(&[("shapes.py", SHAPES)]);
    let ran = env.run(&["references", "outline"]);
    assert!(ran.err.contains("matches 2 definitions") && ran.err.contains("--all"), "{}", ran.err);
    let all = env.run(&["references", "outline", "--all"]).found();
    assert!(all.out.contains("Shape.outline  method · used 3 times"), "{}", all.out);
    assert!(all.out.contains("Circle.outline  method · used 1 time"), "{}", all.out);
}

#[test]
fn a_decorator_is_resolved_outside_the_function_that_it_precedes() {
    let source = "class App:
    @property
    def debug(self):
        return self._debug

    @debug.setter
    def debug(self, value):
        self._debug = value
";
    let env = Env::with(&[("app.py", source)]);
    let ran = env.run(&["references", "app.py:3", "--format", "vimgrep"]).found();
    assert_eq!(ran.out, "app.py:6:6:App.debug: @debug.setter\n");
}

#[test]
fn fields_after_a_macro_in_a_struct_are_found() {
    let header = "struct handle {
  HANDLE_FIELDS
  int flags; /* state */
  PRIVATE_FIELDS
};

typedef struct handle handle_t;

enum { READABLE = 1 };

int is_open(const handle_t* handle, int flags);
";
    let source = "#include \"handle.h\"

int is_open(const handle_t* handle, int flags) {
  return handle->flags & READABLE & flags;
}
";
    let env = Env::with(&[("handle.h", header), ("handle.c", source)]);
    let field = env.run(&["references", "handle.flags", "--format", "vimgrep"]).found();
    assert_eq!(field.out, "handle.c:4:18:is_open: return handle->flags & READABLE & flags;\n");
    let variant = env.run(&["references", "READABLE", "--format", "vimgrep"]).found();
    assert_eq!(variant.out, "handle.c:4:26:is_open: return handle->flags & READABLE & flags;\n");
}

#[test]
fn values_are_results_for_all_kinds_only() {
    let env = shop();
    let any = env.run(&["ask", "LIMIT", "--kind", "any", "--json"]).json();
    let kinds: Vec<_> = any["results"].as_array().expect("results").iter().map(|one| &one["kind"]).collect();
    assert!(kinds.contains(&&"value".into()), "{any}");
    let functions = env.run(&["ask", "LIMIT", "--kind", "function", "--json"]).json();
    let kinds: Vec<_> = functions["results"].as_array().expect("results").iter().map(|one| &one["kind"]).collect();
    assert!(!kinds.contains(&&"value".into()), "{functions}");
}

#[test]
fn commands_about_relations_refer_to_the_uses_of_a_value() {
    for command in ["relate", "graph", "callees"] {
        let ran = shop().run(&[command, "LIMIT"]);
        assert!(ran.err.contains("whichfn references LIMIT"), "{command}: {}", ran.err);
    }
}

#[test]
fn references_of_all_definitions_are_those_of_each_definition() {
    let env = Env::with(&[
        ("a.py", "LIMIT = 1\n\ndef get(x):\n    return x.get(LIMIT)\n\ndef first(x):\n    return get(x)\n"),
        (
            "b.py",
            "from a import get\nimport a\n\nclass Store:\n    get = None\n\n    def put(self):\n        return get(a.get)\n",
        ),
        (
            "c.py",
            "class Base:\n    def get(self):\n        return self.get()\n\nclass Sub(Base):\n    def get(self):\n        return super().get()\n\ndef use(one: Base, other: Sub, any):\n    one.get(), other.get(), any.get()\n",
        ),
        ("test_a.py", "from a import get\n\ndef test_get():\n    get(1)\n"),
        ("page.jinja", "{{ user.get(1) }}\n"),
        ("d.c", "int get(int x) { return x; }\nint two(void) { return get(2); }\n"),
        ("e.c", "int get(int x) { return -x; }\nint three(void) { return get(3); }\n"),
        ("f.ts", "export interface get {\n  get(): get\n}\nexport function get(): get { return get(); }\n"),
    ]);
    for options in [&["--json"][..], &["--json", "-k", "2"], &["--json", "--no-tests"], &["--json", "--path", "c.py"]] {
        let all = env.run(&[&["references", "get", "--all"][..], options].concat()).found().json_lines();
        assert!(all.len() > 6, "{all:#?}");
        for one in &all {
            let place = format!("{}:{}", one["of"]["path"].as_str().expect("path"), one["of"]["line"]);
            assert_eq!(&env.run(&[&["references", &place][..], options].concat()).json(), one, "{place}");
        }
    }
}

/// The name of an object of functions is before its braces, so that the next place with the name is a use.
#[test]
fn the_first_use_of_an_object_in_its_file_is_listed() {
    let store = "const store = {\n  add(item) { return item },\n};\nfunction run() { return store.add(1) }\nfunction walk() { return store.size }\n";
    let env =
        Env::with(&[("store.js", store), ("gear.ts", "export const gear: Gear = { turn() { return gear.teeth } }\n")]);
    let lines = |name: &str| {
        let json = env.run(&["references", name, "--json"]).found().json();
        let uses = json["uses"].as_array().expect("a list").clone();
        uses.iter().map(|one| (one["line"].as_u64(), one["column"].as_u64())).collect::<Vec<_>>()
    };
    assert_eq!(lines("store"), [(Some(4), Some(25)), (Some(5), Some(26))]);
    assert_eq!(lines("gear"), [(Some(1), Some(45))]);
}
