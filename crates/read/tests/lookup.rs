//! Tests reading functions for a question: the chunks contain every function once and in order, and
//! the features of a small function are the same in every language.

use proptest::prelude::*;
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::Lexicon;
use whichfn_memory::count_tokens;
use whichfn_read::lookup::{Candidates, Chunks, FeatureExtractor, Function, FunctionReader, ParsedQuestion, Piece};
use whichfn_search::search::QuestionForm;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;
use whichfn_testing::{Indexed, cases, graph, indexed, repo};

fn functions(graph: &GraphFile) -> Vec<DefinitionId> {
    graph.file_ids().flat_map(|file| graph.functions_of(file)).collect()
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn chunks_contain_every_function_once_and_in_order(repo in repo(), most in 100..300usize, width in 1..200usize) {
        let indexed = Indexed::new(|root| {
            for (path, text) in &repo.0 {
                std::fs::create_dir_all(root.join(path).parent().expect("parent")).expect("directory");
                std::fs::write(root.join(path), text).expect("file written");
            }
            let body: String = (0..width).map(|n| format!("    step_{n}(wide, {n})\n")).collect();
            std::fs::write(root.join("zz.py"), format!("def wide(x):\n{body}\n\ndef last(): pass\n")).expect("file written");
        });
        let graph = graph(&indexed);
        let root = indexed.root();
        let (sources, mut candidates) = (Sources::new(&root, &indexed.generation), Candidates::new(graph));
        let all = functions(graph);
        let mut chunks = Chunks::new(all.clone().into_iter(), most, graph);
        let mut pieces: Vec<Piece> = Vec::new();
        while let Some(chunk) = chunks.next(&sources, &mut candidates) {
            prop_assert!(chunk.tokens() <= most || chunk.pieces().len() == 1, "{} above {most}", chunk.tokens());
            prop_assert!(count_tokens(chunk.text()) <= chunk.tokens(), "what is counted is what is there");
            for (piece, text) in chunk.texts() {
                prop_assert!(text.starts_with(&format!("### {}", piece.key)), "it stands there by its key");
                prop_assert_eq!(candidates.find(&piece.key), Some(piece.id));
            }
            pieces.extend(chunk.pieces().cloned());
        }
        let expected: Vec<(DefinitionId, usize)> = pieces
            .iter().filter(|piece| piece.part.0 == 1)
            .flat_map(|piece| (1..=piece.part.1).map(|part| (piece.id, part))).collect();
        prop_assert_eq!(pieces.iter().map(|piece| (piece.id, piece.part.0)).collect::<Vec<_>>(), expected);
        let first: Vec<DefinitionId> = pieces.iter().filter(|piece| piece.part.0 == 1).map(|piece| piece.id).collect();
        prop_assert_eq!(&first, &all);
        prop_assert_eq!(candidates.shown().collect::<Vec<_>>(), all);
    }
}

#[test]
fn nested_functions_are_not_read_once_per_level() {
    let (depth, body) = (200, "    let total = add(total, 1);\n".repeat(20));
    let open: String = (0..depth).map(|n| format!("fn level_{n}() {{\n{body}")).collect();
    let text = open + &"}\n".repeat(depth);
    let indexed = indexed(&[("deep.rs", &text)]);
    let (graph, root) = (graph(&indexed), indexed.root());
    let (sources, mut candidates) = (Sources::new(&root, &indexed.generation), Candidates::new(graph));
    let mut chunks = Chunks::new(functions(graph).into_iter(), 100, graph);
    let (mut shown, mut first) = (0, 0);
    while let Some(chunk) = chunks.next(&sources, &mut candidates) {
        shown += chunk.texts().map(|(_, text)| text.len()).sum::<usize>();
        first += chunk.pieces().filter(|piece| piece.part.0 == 1).count();
    }
    assert_eq!(first, depth, "each is shown");
    assert!(shown > 6 * text.len() && shown < 16 * text.len(), "{shown} of {}", text.len());
}

#[test]
fn functions_with_the_same_name_and_line_have_different_keys() {
    let indexed =
        indexed(&[("min.js", "function f(a){return a}function f(b){return b+1}function g(){return f(f(1))}\n")]);
    let graph = graph(&indexed);
    let mut candidates = Candidates::new(graph);
    let all = functions(graph);
    let keys: Vec<String> = all.iter().map(|&id| candidates.show(id)).collect();
    assert_eq!(keys, ["min.js:1.1:f", "min.js:1.2:f", "g"]);
    assert_eq!(
        keys.iter().map(|key| candidates.find(key)).collect::<Vec<_>>(),
        all.into_iter().map(Some).collect::<Vec<_>>()
    );
    assert_eq!(candidates.find("f"), None, "nobody knows which");
}

// ---- features

/// A description as in RepoQA; each part mentions some features that a function may have.
const DESCRIPTION: &str = "1. **Purpose**: Works on a tree.\n2. **Input**: A node and an optional depth, by default 1.\n\
    3. **Output**: Whether it is true; a list, a number, a string, a map or none.\n\
    4. **Procedure**: Iterates over each child, checks it, recurses, raises an error, compares, sums up, and awaits a lock.";

/// Reads one function of an index.
fn function(indexed: &Indexed, id: DefinitionId) -> Function {
    let (root, registry) = (indexed.root(), Registry::builtin().expect("languages"));
    FunctionReader::new(&Sources::new(&root, &indexed.generation), &registry).function(id)
}

/// Returns the names, without `as asked`, of the features of a function that match the description.
fn shows(path: &str, text: &str, name: &str) -> Vec<String> {
    let indexed = indexed(&[(path, text)]);
    let graph = graph(&indexed);
    let id = functions(graph).into_iter().find(|&id| graph.name(id) == name).expect("a function of this name");
    let function = function(&indexed, id);
    let mut lexicon = Lexicon::default();
    let asked = ParsedQuestion::new(DESCRIPTION, QuestionForm::Description, &mut lexicon);
    let evidence = FeatureExtractor::new(&asked, std::slice::from_ref(&function), &mut lexicon).features(&mut lexicon);
    let shown = evidence[0].iter().filter(|(_, value)| *value > 0.0);
    shown.filter_map(|(name, _)| Some(name.strip_suffix(" as asked")?.to_owned())).collect()
}

/// Asserts that exactly the expected features match, among the features listed here.
fn check(path: &str, text: &str, name: &str, expected: &[&str]) {
    let told_apart = [
        "boolean",
        "nothing",
        "raises",
        "list",
        "map",
        "string",
        "number",
        "loops",
        "branches",
        "recursion",
        "async",
        "default",
    ];
    let shown: Vec<String> =
        shows(path, text, name).into_iter().filter(|of| told_apart.contains(&of.as_str())).collect();
    assert_eq!(shown, expected, "{path}: {text}");
}

#[test]
fn features_show_the_kind_of_result() {
    check("a.py", "def f(a):\n    return a > b\n", "f", &["boolean"]);
    check("a.py", "def f(a):\n    a.close()\n", "f", &["nothing"]);
    check("a.py", "def f(a):\n    return [a, a]\n", "f", &["list"]);
    check("a.py", "def f(a) -> dict:\n    return a.all\n", "f", &["map"]);
    check("a.py", "def f(a):\n    return 'x'\n", "f", &["string"]);
    check(
        "a.rs",
        r"fn f(a: &Node) -> bool {
    a.is_open()
}
",
        "f",
        &["boolean"],
    );
    check("a.rs", "fn f(a: &mut Node) {}\n", "f", &["nothing"]);
    check(
        "a.rs",
        r"fn f(a: &mut Node) {
    a.close();
}
",
        "f",
        &["nothing"],
    );
    check(
        "a.js",
        r"function f(a) {
  return a === b;
}
",
        "f",
        &["boolean"],
    );
    check(
        "a.rs",
        r"fn f(a: &Node) -> usize {
    a.size()
}
",
        "f",
        &["number"],
    );
    check(
        "a.js",
        r"function f(a) {
  return true;
}
",
        "f",
        &["boolean"],
    );
    check(
        "a.js",
        r"function f(a) {
  a.close();
}
",
        "f",
        &["nothing"],
    );
    check(
        "a.js",
        r"function f(a) {
  return [a];
}
",
        "f",
        &["list"],
    );
    check("a.go", "package a\n\nfunc f(a Node) bool {\n\treturn a.IsOpen()\n}\n", "f", &["boolean"]);
    check(
        "A.java",
        r"class A {
  boolean f(Node a) {
    return true;
  }
}
",
        "f",
        &["boolean"],
    );
    check(
        "A.java",
        r"class A {
  void f(Node a) {
    a.close();
  }
}
",
        "f",
        &["nothing"],
    );
}

#[test]
fn features_show_the_control_flow() {
    check(
        "a.py",
        r"def f(a):
    for b in a:
        b.go()
",
        "f",
        &["nothing", "loops"],
    );
    check(
        "a.py",
        r"def f(a):
    if a:
        raise ValueError(a)
",
        "f",
        &["nothing", "raises", "branches"],
    );
    check("a.py", "def f(a):\n    f(a.next)\n", "f", &["nothing", "recursion"]);
    check("a.py", "async def f(a):\n    await a.go()\n", "f", &["nothing", "async"]);
    check("a.py", "def f(a, depth=1):\n    a.go()\n", "f", &["nothing", "default"]);
    check(
        "a.rs",
        r"fn f(a: &[Node]) {
    for b in a {
        b.go();
    }
}
",
        "f",
        &["loops"],
    );
    check(
        "a.rs",
        r"fn f(a: &Node) {
    if a.done {
        panic!();
    }
}
",
        "f",
        &["raises", "branches"],
    );
    check(
        "a.rs",
        r"fn f(a: &Node) {
    f(a.next);
}
",
        "f",
        &["nothing", "recursion"],
    );
    check(
        "a.js",
        r"function f(a) {
  while (a.go()) {
    a.step();
  }
}
",
        "f",
        &["nothing", "loops"],
    );
    check(
        "a.js",
        r"function f(a) {
  if (a) {
    throw new Error(a);
  }
}
",
        "f",
        &["nothing", "raises", "branches"],
    );
    check(
        "a.js",
        r"async function f(a) {
  await a.go();
}
",
        "f",
        &["nothing", "async"],
    );
    check(
        "a.js",
        r"function f(a) {
  f(a.next);
}
",
        "f",
        &["nothing", "recursion"],
    );
    check(
        "a.go",
        "package a\n\nfunc f(a []Node) {\n\tfor _, b := range a {\n\t\tb.Go()\n\t}\n}\n",
        "f",
        &["nothing", "loops"],
    );
    check(
        "A.java",
        r"class A {
  void f(Node a) {
    if (a.done) {
      throw new Fault(a);
    }
  }
}
",
        "f",
        &["nothing", "raises", "branches"],
    );
}

#[test]
fn features_missing_in_the_question_do_not_count_as_requested() {
    let indexed = indexed(&[(
        "a.py",
        r"def f(a):
    for b in a:
        b.go()
",
    )]);
    let function = function(&indexed, functions(graph(&indexed))[0]);
    let mut lexicon = Lexicon::default();
    let asked = ParsedQuestion::new("sends a letter", QuestionForm::Sentence, &mut lexicon);
    let evidence = FeatureExtractor::new(&asked, std::slice::from_ref(&function), &mut lexicon).features(&mut lexicon);
    let of = |wanted: &str| evidence[0].iter().find(|(name, _)| *name == wanted).expect("evidence").1;
    assert_eq!(
        (of("loops as asked"), of("loops unasked"), of("nothing as asked"), of("nothing")),
        (0.0, 1.0, 0.0, 1.0)
    );
}
