//! Tests `fleet worker` and `fleet rank` as an engine runs them: with lines of JSON, and with
//! workers that end between two steps.

use super::support::{PLAY, checkout, packed};
use crate::support::env::Env;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use whichfn::fleet::{Catalog, LINES};

const RINGS: &[(&str, &str)] = &[
    ("ring.py", "def ring(bell):\n    \"\"\"Ring a bell until a song ends.\"\"\"\n    return bell.strike()\n"),
    ("clock.py", "def strike(clock):\n    \"\"\"The tone of a clock.\"\"\"\n    return clock.hour\n"),
];

/// A process that answers each line with a line.
struct Lines {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Lines {
    fn start(env: &Env, arguments: &[&str]) -> Self {
        let mut command = env.process();
        let mut child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("started");
        let (input, output) = (child.stdin.take().expect("input"), child.stdout.take().expect("output"));
        Self { child, input, output: BufReader::new(output) }
    }

    fn send(&mut self, order: &Value) -> Value {
        self.say_text(&order.to_string())
    }

    fn say_text(&mut self, order: &str) -> Value {
        writeln!(self.input, "{order}").expect("written");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("gone");
    }
}

/// Two shards with a catalog, for which workers can be started.
struct Fleet {
    env: Env,
    files: Vec<String>,
}

impl Fleet {
    fn new() -> Self {
        let env = Env::new();
        let folder = env.outside("shards");
        for (name, files) in [("play", PLAY), ("rings", RINGS)] {
            packed(&[checkout(&env, name, files)], &folder, LINES);
        }
        let found = Catalog::of_folder(&folder).expect("a catalog");
        let files: Vec<String> = found.shards().iter().map(|shard| shard.file.clone()).collect();
        let shards: Vec<Value> =
            found.shards().iter().map(|of| json!({"file": of.file, "members": of.members})).collect();
        let repositories = json!({"play": {"revision": "r1"}, "rings": {"revision": "r2"}});
        let catalog = json!({"version": 1, "shards": shards, "repositories": repositories});
        std::fs::write(folder.join("fleet.json"), catalog.to_string()).expect("written");
        Self { env, files }
    }

    fn place(&self, file: &str) -> String {
        self.env.outside(Path::new("shards").join(file)).to_string_lossy().into_owned()
    }

    fn worker(&self, file: &str) -> Lines {
        Lines::start(&self.env, &["fleet", "worker", &self.place(file)])
    }

    fn leader(&self) -> Lines {
        Lines::start(&self.env, &["fleet", "rank", "--catalog", &self.place("fleet.json")])
    }

    /// Returns the answer of a single process.
    fn oracle(&self, question: &str) -> Value {
        let folder = self.place("");
        comparable(self.env.run(&["fleet", "ask", "--json", "--shards", &folder, question]).json())
    }

    /// Runs a question to its end; `before` may change the workers before each round.
    fn carried(&self, question: &str, mut before: impl FnMut(usize, &mut BTreeMap<String, Option<Lines>>)) -> Value {
        let mut workers: BTreeMap<String, Option<Lines>> =
            self.files.iter().map(|file| (file.clone(), Some(self.worker(file)))).collect();
        let mut leader = self.leader();
        let mut said = leader.send(&json!({"op": "ask", "id": 7, "question": question}));
        for round in 0.. {
            assert_eq!(said["id"], 7);
            let Some(requests) = said.get("send").and_then(Value::as_object).cloned() else { break };
            before(round, &mut workers);
            let replies: BTreeMap<&String, Option<Value>> = requests
                .iter()
                .map(|(file, request)| (file, workers.get_mut(file).and_then(Option::as_mut).map(|w| w.send(request))))
                .collect();
            said = leader.send(&json!({"op": "replies", "id": 7, "replies": replies}));
        }
        said["answer"].clone()
    }
}

/// Removes the times from an answer.
fn comparable(mut answer: Value) -> Value {
    answer.as_object_mut().expect("an answer").remove("query_ms");
    answer
}

const QUESTIONS: [&str; 4] = ["the tone of a song", "until a bell ends", "play", "hit a bell"];

#[test]
fn worker_processes_answer_like_a_single_process() {
    let fleet = Fleet::new();
    for question in QUESTIONS {
        assert_eq!(comparable(fleet.carried(question, |_, _| {})), fleet.oracle(question), "{question}");
    }
}

#[test]
fn a_restarted_worker_changes_no_answer() {
    let fleet = Fleet::new();
    for question in QUESTIONS {
        let restarted = fleet.carried(question, |_, workers| {
            for (file, worker) in workers {
                worker.take().expect("a worker").kill();
                *worker = Some(fleet.worker(file));
            }
        });
        assert_eq!(comparable(restarted), fleet.oracle(question), "{question}");
    }
}

#[test]
fn a_missing_worker_is_reported_in_any_round() {
    let fleet = Fleet::new();
    let gone = &fleet.files[0];
    let alone = {
        let (catalog, place) = (fleet.env.outside("shards/fleet.json"), fleet.place(gone));
        let text = std::fs::read_to_string(&catalog).expect("catalog");
        let mut without: Value = serde_json::from_str(&text).expect("JSON");
        without["shards"].as_array_mut().expect("shards").retain(|shard| shard["file"] != **gone);
        std::fs::write(&catalog, without.to_string()).expect("written");
        let answers = QUESTIONS.map(|question| fleet.oracle(question));
        std::fs::write(&catalog, text).expect("written");
        assert!(Path::new(&place).is_file());
        answers
    };
    for (question, alone) in QUESTIONS.iter().zip(alone) {
        for lost in 0..5 {
            let mut is_lost = false;
            let mut short = fleet.carried(question, |round, workers| {
                if round == lost {
                    is_lost = true;
                    workers.get_mut(gone).expect("a worker").take().expect("alive").kill();
                }
            });
            if is_lost && short["shards"]["missing"] != json!([]) {
                assert_eq!(short["shards"], json!({"asked": 2, "answered": 1, "missing": [gone]}));
                let mut alone = alone.clone();
                short["shards"] = json!(null);
                alone["shards"] = json!(null);
                assert_eq!(comparable(short), alone, "{question}, round {lost}");
            } else {
                // No more requests went to the lost worker.
                assert_eq!(comparable(short), fleet.oracle(question), "{question}, round {lost}");
            }
        }
    }
}

#[test]
fn an_invalid_message_is_answered_with_an_error() {
    let fleet = Fleet::new();
    let (mut worker, mut leader) = (fleet.worker(&fleet.files[0]), fleet.leader());
    for process in [&mut worker, &mut leader] {
        for wrong in ["no JSON", "[]", "{}", "{\"op\":\"dance\",\"id\":1}", "{\"op\":\"step\",\"shard\":3}"] {
            assert!(process.say_text(wrong)["error"].is_string(), "{wrong}");
        }
        assert_eq!(process.send(&json!({"op": "ping", "id": "x"})), json!({"pong": 1, "id": "x"}));
    }
    let unknown = leader.send(&json!({"op": "ask", "id": 1, "question": "tone", "languages": ["klingon"]}));
    assert_eq!((&unknown["usage"], &unknown["id"]), (&json!(true), &json!(1)));
    let typo = leader.send(&json!({"op": "ask", "id": 1, "question": "tone", "repo": "play"}));
    assert!(typo["error"].as_str().expect("an error").contains("repo"), "{typo}");
    let failed = worker.send(&json!({"op": "load", "shards": ["nowhere.shard", fleet.place(&fleet.files[1])]}));
    assert_eq!(failed["loaded"], json!([fleet.files[1]]));
    assert!(failed["failed"]["nowhere.shard"].is_string(), "{failed}");
    assert_eq!(leader.send(&json!({"op": "reload"})), json!({"reloaded": true}));
}

#[test]
fn missing_and_mismatched_replies_are_ignored() {
    let fleet = Fleet::new();
    let (gone, kept) = (&fleet.files[0], &fleet.files[1]);
    let (mut here, mut there) = (fleet.worker(kept), fleet.worker(gone));
    let mut leader = fleet.leader();
    let first = leader.send(&json!({"op": "ask", "id": 1, "question": "play a bell"}));
    let old = there.send(&first["send"][gone]);
    // The id is reused, which cancels the first question with this id.
    let mut said = leader.send(&json!({"op": "ask", "id": 1, "question": "the tone of a song"}));
    let mut replies = json!({kept: here.send(&said["send"][kept]), gone: old});
    let answer = loop {
        said = leader.send(&json!({"op": "replies", "id": 1, "replies": replies}));
        let Some(requests) = said.get("send").and_then(Value::as_object) else { break said["answer"].clone() };
        assert!(!requests.contains_key(gone), "it was left out");
        replies = json!({kept: here.send(&requests[kept]), "ghost.shard": null});
    };
    assert_eq!(answer["shards"], json!({"asked": 2, "answered": 1, "missing": [gone]}));
    assert!(leader.send(&json!({"op": "ask", "question": "tone"}))["error"].is_string(), "no id");
    let begun = leader.send(&json!({"op": "ask", "id": 2, "question": "the tone of a song"}));
    assert!(begun["send"].is_object());
    let nothing = leader.send(&json!({"op": "replies", "id": 2, "replies": {}}));
    assert_eq!(nothing["answer"]["shards"]["answered"], 0, "{nothing}");
}

#[test]
fn kinds_have_their_usual_names_and_results_a_limit() {
    let fleet = Fleet::new();
    let mut leader = fleet.leader();
    for kind in ["function", "type", "any"] {
        assert!(leader.send(&json!({"op": "ask", "id": 1, "question": "tone", "kind": kind}))["send"].is_object());
    }
    for k in [0, 1_000_000] {
        assert_eq!(leader.send(&json!({"op": "ask", "id": 1, "question": "tone", "k": k}))["usage"], true);
    }
}
