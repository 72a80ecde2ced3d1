//! Checks `trace` in JSON. Its keys, their order and its words are a contract (`docs/SPEC.md`,
//! section 3) and come from the field names of these types, so a renamed field changes the data
//! that scripts read. These tests detect that.

use serde::Serialize;
use whichfn::engine::{ReadingRecord, WalkTrace};
use whichfn_memory::{MemoryFormat, PromptCost, Remarks, Value};
use whichfn_read::inquiry::TextTrace;
use whichfn_read::lookup::{ChunkOrder, LookupTrace, Verdict};
use whichfn_read::memwalk::{SummaryNodeKind, WalkAction, WalkRecord, WalkStep};
use whichfn_read::reading::{ReplyQuality, ServerCounts, StepTrace, Strategy};

const COST: PromptCost = PromptCost { prompt: 4, shared: 3, net: 1, output: 2 };

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

fn step() -> StepTrace {
    let (rejected, dropped) = (vec!["r".into()], vec!["d".into()]);
    let (replies, server) = (None, ServerCounts::default());
    let remarks = Remarks::default();
    StepTrace {
        chunk: 9,
        pieces: 2,
        cost: COST,
        applied: 1,
        rejected,
        cut: 0,
        repeated: 0,
        replies,
        server,
        dropped,
        remarks,
    }
}

/// The keys of the cost are among the keys of the step.
const STEP: &str =
    r#"{"chunk":9,"pieces":2,"prompt":4,"shared":3,"net":1,"output":2,"applied":1,"rejected":["r"],"dropped":["d"]}"#;

#[test]
fn the_cost_of_a_prompt() {
    assert_eq!(json(&COST), r#"{"prompt":4,"shared":3,"net":1,"output":2}"#);
}

#[test]
fn a_chunk_that_was_read() {
    assert_eq!(json(&step()), STEP);
    let remarks = Remarks { certain: Some(vec!["f1".into()]), more: Some(vec!["touch".into()]) };
    let expected = STEP.replace('}', r#","certain":["f1"],"more":["touch"]}"#);
    assert_eq!(json(&StepTrace { remarks, ..step() }), expected);
}

#[test]
fn a_chunk_that_a_model_read() {
    let server = ServerCounts { replies: 1, prompt: 9, cached: 4, output: 2, prompt_ms: 30, output_ms: 20 };
    let replies = Some(ReplyQuality { valid: 1, repaired: 0, rejected: 0 });
    let counts = concat!(
        r#","cut":1,"repeated":1,"replies":{"valid":1,"repaired":0,"rejected":0},"#,
        r#""server":{"replies":1,"prompt":9,"cached":4,"output":2,"prompt_ms":30,"output_ms":20},"dropped""#
    );
    assert_eq!(
        json(&StepTrace { cut: 1, repeated: 1, replies, server, ..step() }),
        STEP.replace(r#","dropped""#, counts)
    );
}

#[test]
fn a_question_about_texts() {
    let trace = TextTrace {
        strategy: Strategy::Cok,
        reader: "offline".into(),
        form: MemoryFormat::InPlace,
        tokens_read: 9,
        steps: vec![step()],
        answering: PromptCost::default(),
        total: COST,
        server: ServerCounts::default(),
        cost_index: 0.5,
        limit: None,
    };
    let expected = format!(
        r#"{{"strategy":"cok","reader":"offline","form":"in_place","tokens_read":9,"steps":[{STEP}],{},{},"cost_index":0.5}}"#,
        r#""answering":{"prompt":0,"shared":0,"net":0,"output":0}"#,
        r#""total":{"prompt":4,"shared":3,"net":1,"output":2}"#,
    );
    assert_eq!(json(&trace), expected);
}

#[test]
fn a_question_about_functions() {
    let trace = LookupTrace {
        strategy: Strategy::Prism,
        reader: "small".into(),
        order: ChunkOrder::Best,
        form: MemoryFormat::Amendments,
        chunk_tokens: 2_000,
        functions_read: 5,
        functions: 7,
        tokens_read: 9,
        settled: true,
        unreadable: false,
        limit: None,
        steps: vec![step()],
        ranking: PromptCost::default(),
        total: COST,
        server: ServerCounts::default(),
        cost_index: 0.5,
        memory: Value::from_json(r#"{"b":1,"a":2}"#).expect("JSON"),
        verdict: None,
        shown: Vec::new(),
    };
    let expected = format!(
        r#"{{"strategy":"prism","reader":"small","order":"best","form":"amendments",{},"steps":[{STEP}],{},{},{}}}"#,
        r#""chunk_tokens":2000,"functions_read":5,"functions":7,"tokens_read":9,"settled":true"#,
        r#""ranking":{"prompt":0,"shared":0,"net":0,"output":0}"#,
        r#""total":{"prompt":4,"shared":3,"net":1,"output":2}"#,
        r#""cost_index":0.5,"memory":{"b":1,"a":2}"#,
    );
    assert_eq!(json(&trace), expected);
    let by_model = LookupTrace { verdict: Some(Verdict::Certain), shown: vec!["renew".into()], ..trace.clone() };
    let more = r#","verdict":"certain","shown":["renew"]}"#;
    assert_eq!(json(&by_model), expected.strip_suffix('}').expect("an object").to_owned() + more);
    assert_eq!(json(&ReadingRecord::Reading(Box::new(trace))), expected, "no name of the way around it");
}

#[test]
fn a_walk_by_a_model_or_offline() {
    let steps =
        vec![WalkStep { node: 3, kind: SummaryNodeKind::File, name: "a.py".into(), action: WalkAction::Revert }];
    let record = WalkRecord { steps, shown_tokens: 10, text_tokens: 40, leaves: 1, reverts: 1, stray: 0.5 };
    let keys = format!(
        r#""steps":[{}],"shown_tokens":10,"text_tokens":40,"leaves":1,"reverts":1,"stray":0.5"#,
        r#"{"node":3,"kind":"file","name":"a.py","action":"revert"}"#,
    );
    assert_eq!(json(&record), format!("{{{keys}}}"));
    let trace = WalkTrace { reader: "offline".into(), no_answer: None, share: 0.25, way: record };
    let expected = format!(r#"{{"reader":"offline","no_answer":null,"share":0.25,{keys}}}"#);
    assert_eq!(json(&trace), expected);
    assert_eq!(json(&ReadingRecord::Walk(trace)), expected, "no name of the way around it");
}

/// Every value of an enum of a trace, in JSON.
#[test]
fn words_of_traces() {
    let strategies = [Strategy::Prism, Strategy::Cok];
    assert_eq!(json(&strategies), r#"["prism","cok"]"#);
    assert_eq!(json(&[MemoryFormat::InPlace, MemoryFormat::Amendments]), r#"["in_place","amendments"]"#);
    let verdicts = [Verdict::Certain, Verdict::Chosen, Verdict::Nearest, Verdict::NotHere];
    assert_eq!(json(&verdicts), r#"["certain","chosen","nearest","not_here"]"#);
    assert_eq!(json(&[ChunkOrder::Best, ChunkOrder::Repository]), r#"["best","repository"]"#);
    let actions = [WalkAction::Open, WalkAction::Read, WalkAction::Revert, WalkAction::Commit];
    assert_eq!(json(&actions), r#"["open","read","revert","commit"]"#);
    let kinds = [
        SummaryNodeKind::Directory,
        SummaryNodeKind::File,
        SummaryNodeKind::Class,
        SummaryNodeKind::Page,
        SummaryNodeKind::Function,
    ];
    assert_eq!(json(&kinds), r#"["directory","file","class","page","function"]"#);
    for (word, name) in [(json(&actions), actions.map(WalkAction::name)[3]), (json(&kinds), kinds.map(|k| k.name())[4])]
    {
        assert!(word.contains(name), "the word in JSON is that for people");
    }
}
