//! Checks that reading with a language model returns only functions that were in its prompts,
//! whatever the model replies.

use crate::support::env::Env;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;
use whichfn::engine::{Engine, FollowUp, Plan, ReadingRecord};
use whichfn_index::index::{Options, Silent};
use whichfn_llm::{Model, Reply, Request, Templates};
use whichfn_read::lookup::{ChunkOrder, LookupOptions};
use whichfn_read::reading::{MemoryPolicy, Strategy as Kept};
use whichfn_search::search::Query;
use whichfn_system::error::Result;
use whichfn_testing::{Indexed, cases, indexed};

/// A model that returns its replies in order and records the places of the functions in its
/// prompts.
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

/// Indexes twelve functions that match a question about renewing, four of which have the same name,
/// and two that do not match.
fn session() -> (Indexed, Engine) {
    let many: String = (0..8).map(|n| format!("def renew_{n}(token):\n    return touch(token, {n})\n\n\n")).collect();
    let twin = r"class Session:
    def renew(self):
        pass

    def renew(self, token):
        touch(token)
";
    let indexed = indexed(&[
        ("a.py", twin),
        ("b/a.py", twin),
        ("many.py", &many),
        (
            "wall.py",
            r"def paint(): pass


def scrape(): pass
",
        ),
    ]);
    let engine = Engine::open(&indexed.root(), &indexed.index_dir(), &Options::default(), &Silent).expect("index");
    (indexed, engine)
}

/// Generates names: functions that are shown, functions that exist, near misses, and nonsense.
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

/// Generates a reply of revisions, lists and prose, complete or truncated.
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
    fn every_result_was_shown_to_the_model(
        replies in prop::collection::vec(reply(), 1..6),
        cok in any::<bool>(),
        all in any::<bool>(),
    ) {
        thread_local!(static SESSION: (Indexed, Engine) = session());
        let strategy = if cok { Kept::Cok } else { Kept::Prism };
        let order = if all { ChunkOrder::Repository } else { ChunkOrder::Best };
        let options = LookupOptions {
            policy: MemoryPolicy { strategy, ..MemoryPolicy::default() }, chunk_tokens: 100, order, ..LookupOptions::default()
        };
        let model = Babbler { replies, shown: Mutex::default() };
        let templates = Templates::builtin().expect("prompts");
        let plan = Plan { way: FollowUp::Read { options, model: Some(&model), templates: &templates }, ..Plan::default() };
        let answered = SESSION.with(|(_, engine)| engine.answer(&Query::new("renew a session"), &plan)).expect("answer");
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
}

/// The text of each function contains the text of the functions inside it, and its qualified name
/// contains the names of those around it.
#[test]
fn reading_deeply_nested_functions_takes_about_linear_work() {
    let read = |depth: usize| {
        let heads: String = (0..depth).map(|at| format!("fn a{at}(x: u8) {{ zebra(x);\n")).collect();
        let env = Env::with(&[("n.rs", format!("fn zebra(x: u8) {{}}\n{heads}{}", "}".repeat(depth)).as_str())]);
        let ran = env.run(&["zebra", "--strategy", "prism", "--chunk-order", "repository", "--json"]).found();
        ran.json()["trace"]["tokens_read"].as_u64().expect("a count")
    };
    let (few, many) = (read(150), read(600));
    assert!(many < 6 * few, "four times the functions: {few} and {many} tokens");
}
