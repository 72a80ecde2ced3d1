//! Tests the library interface with the programs in `examples/` on a small repository.

#![allow(dead_code)]

#[path = "../examples/ask.rs"]
mod ask;
#[path = "../examples/callers.rs"]
mod callers;
#[path = "../examples/completion.rs"]
mod completion;
#[path = "../examples/graph.rs"]
mod graph;

use crate::support::env::Env;
use whichfn::{Engine, Options, Silent};

const SESSION: &str = "def renew(token):\n    \"\"\"Prolong a session by an hour.\"\"\"\n    check(token)\n\n\ndef check(token):\n    \"\"\"Whether a token is still good.\"\"\"\n    return token.expires > now()\n";
const APP: &str = "from session import renew\n\n\ndef handle(request):\n    \"\"\"Answer a request.\"\"\"\n    renew(request.token)\n    return respond(request)\n";

fn opened(env: &Env) -> Engine {
    Engine::open(&env.repo(), &env.outside("index"), &Options::default(), &Silent).expect("an engine")
}

#[test]
fn a_question_is_answered() {
    let env = Env::with(&[("session.py", SESSION), ("app.py", APP)]);
    let engine = opened(&env);
    let lines = ask::answer(&engine, "prolong a session").expect("an answer");
    assert_eq!(lines[0], "session.py:1 renew", "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("the first result is correct with")), "{lines:?}");
}

#[test]
fn callers_are_returned_to_a_depth_of_two() {
    let env = Env::with(&[("session.py", SESSION), ("app.py", APP)]);
    let engine = opened(&env);
    let wanted = [
        "check has 1 callers",
        "  renew at session.py:3: check(token)",
        "    handle at app.py:6: renew(request.token)",
    ];
    assert_eq!(callers::callers(&engine, "check"), wanted);
    assert_eq!(callers::callers(&engine, "prolong"), ["prolong not found"]);
}

#[test]
fn algorithms_of_petgraph_find_cycles_and_indirect_callers() {
    let parity = "def even(n):\n    return n == 0 or odd(n - 1)\n\n\ndef odd(n):\n    return n != 0 and even(n - 1)\n";
    let env = Env::with(&[("session.py", SESSION), ("app.py", APP), ("parity.py", parity)]);
    let engine = opened(&env);
    assert_eq!(graph::cycles(&engine), ["even (parity.py:1), odd (parity.py:5)"]);
    assert_eq!(graph::origins(&engine, "check"), ["renew (session.py:1)", "handle (app.py:4)"]);
    assert!(graph::origins(&engine, "handle").is_empty());
}

#[test]
fn a_completion_gets_fragments_of_other_files() {
    let env = Env::with(&[("session.py", SESSION), ("app.py", APP)]);
    env.write("late.py", "from session import renew\n\n\ndef late(request):\n    # prolong the session of the token\n");
    let fragments = completion::context(&opened(&env), "late.py", 6).expect("context");
    assert!(fragments.iter().any(|one| one.contains("def renew(token)")), "{fragments:?}");
}

#[test]
fn a_refresh_includes_saved_changes() {
    let env = Env::with(&[("session.py", SESSION)]);
    let mut engine = opened(&env);
    env.write("app.py", APP);
    assert_eq!(callers::callers(&engine, "handle"), ["handle not found"]);
    assert_eq!(engine.refresh(&Silent).expect("a refresh").parsed, 1);
    assert_eq!(callers::callers(&engine, "handle"), ["handle has 0 callers"]);
}

#[test]
fn many_threads_can_query_one_engine() {
    let env = Env::with(&[("session.py", SESSION), ("app.py", APP)]);
    let engine = opened(&env);
    let asked = || ask::answer(&engine, "prolong a session").expect("an answer");
    let all: Vec<Vec<String>> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(asked)).collect();
        asking.into_iter().map(|thread| thread.join().expect("a thread")).collect()
    });
    assert!(all.iter().all(|answer| *answer == all[0]), "{all:?}");
}

#[test]
fn the_whole_graph_read_file_by_file_is_the_graph_in_memory() {
    let env = Env::with(&[
        ("a/b/one.py", "def one(x):\n    return one(x) + two(x)\n\ndef two(x):\n    return x\n"),
        ("a/two.rs", "fn f() { g(); f() }\nfn g() { f() }\n"),
        ("notes.md", "# Notes\n"),
        ("z.ts", "export const f = (x: number) => [x].map((y) => f(y));\n"),
    ]);
    let engine = Engine::open_default(&env.repo()).expect("an index");
    let (whole, structure) = (engine.whole_graph().expect("languages"), engine.structure());
    assert_eq!(whole.node_count(), structure.nodes().len());
    assert!(whole.edges().eq(structure.edges()));
    assert!(whole.nodes().map(|node| node.id).eq(structure.ids()));
    let spans = structure.nodes().iter().map(|node| (node.start, node.end));
    assert!(whole.nodes().map(|node| (node.start, node.end)).eq(spans));
}
