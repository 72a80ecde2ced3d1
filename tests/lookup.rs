//! Reading on, below the command line: whatever a model says, results were shown to it; chunks hold every function once and
//! in order; and what a small function does shows as evidence, whatever its language.

use crate::support::cases;
use crate::support::env::Env;
use crate::support::small::{Indexed, graph, indexed, repo};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;
use whichfn::engine::{FollowUp, Plan, ReadingRecord};
use whichfn_index::source::Sources;
use whichfn_index::store::GraphFile;
use whichfn_index::wordvec::Lexicon;
use whichfn_llm::{Model, Reply, Request, Templates};
use whichfn_memory::count_tokens;
use whichfn_read::lookup::{
    Candidates, ChunkOrder, Chunks, FeatureExtractor, Function, FunctionReader, LookupOptions, ParsedQuestion, Piece,
};
use whichfn_read::reading::{MemoryPolicy, Strategy as Kept};
use whichfn_search::search::{Query, QuestionForm};
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::lang::Registry;
use whichfn_system::error::Result;

fn functions(graph: &GraphFile) -> Vec<DefinitionId> {
    graph.file_ids().flat_map(|file| graph.functions_of(file)).collect()
}

// ---- results were shown

/// Says one thing after another, round and round, and remembers where the functions stand that it was shown.
struct Babbler {
    replies: Vec<String>,
    shown: Mutex<(usize, BTreeSet<String>)>,
}

impl Model for Babbler {
    fn name(&self) -> &str {
        "babbler"
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        let mut shown = self.shown.lock().expect("alone");
        let heads = request.prompt.lines().filter(|line| line.starts_with("### "));
        shown.1.extend(heads.filter_map(|line| Some(line.rsplit_once(" in ")?.1.to_owned())));
        shown.0 += 1;
        Ok(Reply { text: self.replies[shown.0 % self.replies.len()].clone(), ..Reply::default() })
    }
}

/// Twelve functions that a question about renewing finds, four of them of one name, and two that it does not find.
fn session() -> Indexed {
    let many: String = (0..8).map(|n| format!("def renew_{n}(token):\n    return touch(token, {n})\n\n\n")).collect();
    let twin = r"class Session:
    def renew(self):
        pass

    def renew(self, token):
        touch(token)
";
    indexed(&[
        ("a.py", twin),
        ("b/a.py", twin),
        ("many.py", &many),
        (
            "wall.py",
            r"def paint(): pass


def scrape(): pass
",
        ),
    ])
}

/// Names that are shown, that exist, that are nearly right, and that are nonsense.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        (0..10u8).prop_map(|n| format!("renew_{n}")),
        prop::sample::select(vec![
            "paint",
            "scrape",
            "Session.renew",
            "renew",
            "a.py:2:Session.renew",
            "b/a.py:5:Session.renew"
        ])
        .prop_map(str::to_owned),
        prop::sample::select(vec!["evil", "", "a.py", "Session", "wall.py:1:paint", "../paint", "`renew_1`()", "'\\'"])
            .prop_map(str::to_owned),
        "[a-z_.:/']{0,9}",
    ]
}

/// A reply: some revisions, lists and prose, whole or cut off.
fn reply() -> impl Strategy<Value = String> {
    let revision = (name(), prop::sample::select(vec!["add", "update", "drop"]), "[\"{}a-z :,]{0,12}", 0..4u8)
        .prop_map(|(name, action, text, shape)| {
            let value = match shape {
                0 => serde_json::json!({"purpose": text}),
                1 => serde_json::json!(text),
                2 => serde_json::json!({"purpose": 3, "input": [text]}),
                _ => serde_json::json!({name.clone(): {"purpose": text}}),
            };
            let path = if shape == 3 {
                "$.candidate_functions".to_owned()
            } else {
                format!("$.candidate_functions['{name}']")
            };
            serde_json::json!({"path": path, "operation": action, "value": value}).to_string()
        });
    let names = prop::collection::vec(name(), 0..6).prop_map(|names| serde_json::json!(names).to_string());
    let piece = prop_oneof![4 => revision, 2 => names, 1 => "[a-z{}\\[\\]\":,#` ]{0,30}"];
    (prop::collection::vec(piece, 0..8), 0..400usize).prop_map(|(pieces, end)| {
        let text = pieces.join("\n");
        if end < 200 { text.chars().take(end).collect() } else { text }
    })
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn whatever_a_model_says_results_were_shown_to_it(
        replies in prop::collection::vec(reply(), 1..6),
        cok in any::<bool>(),
        all in any::<bool>(),
    ) {
        thread_local!(static SESSION: Indexed = session());
        let strategy = if cok { Kept::Cok } else { Kept::Prism };
        let order = if all { ChunkOrder::Repository } else { ChunkOrder::Best };
        let options = LookupOptions {
            policy: MemoryPolicy { strategy, ..MemoryPolicy::default() }, chunk_tokens: 100, order, ..LookupOptions::default()
        };
        let model = Babbler { replies, shown: Mutex::default() };
        let templates = Templates::builtin().expect("prompts");
        let plan = Plan { way: FollowUp::Read { options, model: Some(&model), templates: &templates }, ..Plan::default() };
        let answered = SESSION.with(|session| session.engine.answer(&Query::new("renew a session"), &plan)).expect("answer");
        let shown = model.shown.into_inner().expect("alone").1;
        let mut places = BTreeSet::new();
        for found in &answered.answer.results {
            let place = format!("{}:{}", found.path, found.start_line);
            prop_assert!(shown.contains(&place), "{place} was not shown: {shown:?}");
            prop_assert!(all || !found.path.starts_with("wall"), "{place} is not asked about");
            prop_assert!(places.insert(place), "twice");
        }
        let Some(ReadingRecord::Reading(trace)) = answered.trace else { panic!("no trace of reading") };
        prop_assert_eq!(trace.functions_read, shown.len());
    }

    #[test]
    fn chunks_hold_every_function_once_and_in_order(repo in repo(), most in 100..300usize, width in 1..200usize) {
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
        let (sources, mut candidates) = (Sources::new(&root, indexed.engine.generation()), Candidates::new(graph));
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
fn functions_inside_each_other_are_not_read_as_often_as_they_are_deep() {
    let (depth, body) = (200, "    let total = add(total, 1);\n".repeat(20));
    let open: String = (0..depth).map(|n| format!("fn level_{n}() {{\n{body}")).collect();
    let text = open + &"}\n".repeat(depth);
    let indexed = indexed(&[("deep.rs", &text)]);
    let (graph, root) = (graph(&indexed), indexed.root());
    let (sources, mut candidates) = (Sources::new(&root, indexed.engine.generation()), Candidates::new(graph));
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
fn functions_of_one_name_on_one_line_have_keys_of_their_own() {
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

// ---- what a function does

/// A description as RepoQA writes them; each part speaks of some of what a function may do.
const DESCRIPTION: &str = "1. **Purpose**: Works on a tree.\n2. **Input**: A node and an optional depth, by default 1.\n\
    3. **Output**: Whether it is true; a list, a number, a string, a map or none.\n\
    4. **Procedure**: Iterates over each child, checks it, recurses, raises an error, compares, sums up, and awaits a lock.";

/// One function of an index, read.
fn function(indexed: &Indexed, id: DefinitionId) -> Function {
    let (root, registry) = (indexed.root(), Registry::builtin().expect("languages"));
    FunctionReader::new(&Sources::new(&root, indexed.engine.generation()), &registry).function(id)
}

/// What shows of one function of a file, of what the description asks for: the names without `as asked`.
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

/// Asserts what shows, and of what is told apart here nothing else.
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
fn what_comes_back_shows() {
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
fn how_it_runs_shows() {
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
fn what_is_not_asked_for_does_not_count_as_asked() {
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

/// Each of them holds the text of all inside it, and a qualified name of all around it.
#[test]
fn functions_deep_inside_one_another_are_read_in_about_linear_work() {
    let read = |depth: usize| {
        let heads: String = (0..depth).map(|at| format!("fn a{at}(x: u8) {{ zebra(x);\n")).collect();
        let env = Env::with(&[("n.rs", format!("fn zebra(x: u8) {{}}\n{heads}{}", "}".repeat(depth)).as_str())]);
        let ran = env.run(&["zebra", "--strategy", "prism", "--chunk-order", "repository", "--json"]).found();
        ran.json()["trace"]["tokens_read"].as_u64().expect("a count")
    };
    let (few, many) = (read(150), read(600));
    assert!(many < 6 * few, "four times the functions: {few} and {many} tokens");
}
