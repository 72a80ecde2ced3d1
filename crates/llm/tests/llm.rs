//! Tests of a model on a server, as an OpenAI client expects it to behave: the requests, the
//! replies, and the errors if there is no reply. The server is a script
//! (`crates/testing/src/server.rs`).

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use whichfn_llm::{
    Address, Budget, BudgetedModel, Cancel, Chat, DryRun, Key, LoggedModel, Model, Progress, Reply, Request,
    RetryPolicy, Usage, Watch,
};
use whichfn_system::error::{Error, Kind, Remedy};
use whichfn_testing::PATIENCE;
use whichfn_testing::server::{RecordedRequest, Script, Server, Step, event};

const QUICK: RetryPolicy =
    RetryPolicy { idle_timeout: Duration::from_secs(20), max_tries: 4, backoff: Duration::from_millis(1) };
const SECRET: &str = "sk-very-secret";

fn chat(server: &Server) -> Chat {
    chat_with(server, Key::new("SHOP_KEY", Some(SECRET), false), QUICK)
}

fn chat_with(server: &Server, key: Key, retry: RetryPolicy) -> Chat {
    let address = Address::parse(&server.url()).expect("address");
    Chat::new(address, "small", key, retry, Cancel::default()).expect("model")
}

/// Returns the reply to a prompt from a server with this script, and the requests that the server
/// received.
fn ask(script: impl Script) -> (Result<Reply, Error>, Vec<RecordedRequest>) {
    let server = Server::start(script);
    let reply = chat(&server).complete(&Request::new("What is 2 + 2?"));
    (reply, server.requests())
}

fn reply(script: impl Script) -> Reply {
    ask(script).0.expect("a reply")
}

/// Returns the error and the number of requests. No error may show the key or have more than two
/// lines.
fn failure(script: impl Script) -> (Error, usize) {
    let (reply, requests) = ask(script);
    let error = reply.expect_err("an error");
    assert!(!error.to_string().contains(SECRET), "{error}");
    assert!(!format!("{}{:?}", error.what(), error.remedy()).contains(|c: char| c.is_control()), "{error:?}");
    assert!(error.what().len() < 600, "{error}");
    (error, requests.len())
}

fn overloaded() -> Step {
    Step::json(503, &json!({"error": {"message": "the model is loading"}}))
}

/// Error of llama.cpp's server for a prompt that is too long.
fn llama_context() -> Value {
    let message = "request (9024 tokens) exceeds the available context size (8192 tokens), try increasing it";
    json!({"error": {"code": 400, "message": message, "type": "exceed_context_size_error", "n_ctx": 8192}})
}

/// Error of OpenAI and vLLM for a prompt that is too long.
fn openai_context() -> Value {
    let message = "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.";
    json!({"error": {"code": "context_length_exceeded", "message": message, "type": "invalid_request_error"}})
}

// ---- requests

#[test]
fn a_request_follows_the_protocol() {
    let (reply, requests) = ask(vec![Step::reply("4")]);
    assert_eq!(reply.expect("reply").text, "4");
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("Content-Type"), Some("application/json"));
    assert_eq!(request.header("Authorization"), Some("Bearer sk-very-secret"));
    assert_eq!(
        request.json(),
        json!({
            "model": "small",
            "messages": [{"role": "user", "content": "What is 2 + 2?"}],
            "stream": true,
            "stream_options": {"include_usage": true},
            "temperature": 0,
        })
    );
}

#[test]
fn without_a_key_none_is_sent() {
    let server = Server::start(vec![Step::reply("4")]);
    chat_with(&server, Key::default(), QUICK).complete(&Request::new("?")).expect("reply");
    assert_eq!(server.requests()[0].header("Authorization"), None);
}

#[test]
fn a_request_contains_the_schema_and_the_token_limit() {
    let server = Server::start(vec![Step::reply("{}")]);
    let schema = json!({"type": "object"});
    let request = Request { schema: Some(&schema), max_output: Some(64), ..Request::new("?") };
    chat(&server).complete(&request).expect("reply");
    let sent = server.requests()[0].json();
    assert_eq!(sent["max_tokens"], 64);
    assert_eq!(sent["response_format"]["type"], "json_schema");
    assert_eq!(sent["response_format"]["json_schema"], json!({"name": "reply", "strict": true, "schema": schema}));
}

// ---- replies

#[test]
fn a_streamed_reply_is_assembled_with_its_usage() {
    let usage = Some(Usage { prompt: 4, cached: 0, output: 5, ..Usage::default() });
    let whole = Reply { text: "zwei und zwei: vier".to_owned(), usage, tries: 1, ..Reply::default() };
    assert_eq!(reply(vec![Step::reply("zwei und zwei: vier")]), whole);
}

#[test]
fn a_stream_may_be_cut_into_single_bytes() {
    let text = format!(": hello\r\n\r\n{}{}data: [DONE]\n\n", event("grün"), event(" → 4"));
    let bytes: Vec<[u8; 1]> = text.bytes().map(|byte| [byte]).collect();
    assert_eq!(reply(vec![Step::pieces(&bytes)]).text, "grün → 4");
}

#[test]
fn accepts_a_reply_that_is_not_streamed() {
    let whole = json!({"choices": [{"message": {"role": "assistant", "content": "4"}, "finish_reason": "stop"}]});
    assert_eq!(reply(vec![Step::json(200, &whole)]).text, "4");
    let mislabelled = Step::body(200, &whole.to_string()).header("Content-Type", "text/html");
    assert_eq!(reply(vec![mislabelled]).text, "4");
    let stream = Step::body(200, &format!("{}data: [DONE]\n\n", event("4"))).header("Content-Type", "application/json");
    assert_eq!(reply(vec![stream]).text, "4");
}

#[test]
fn does_not_wait_after_the_last_event() {
    assert_eq!(reply(vec![Step::silence_after(&[event("4"), "data: [DONE]\n\n".to_owned()])]).text, "4");
}

#[test]
fn keeps_and_marks_a_truncated_reply() {
    let limit = event("fo").replace("null", "\"length\"") + "data: [DONE]\n\n";
    for step in [Step::pieces(&[limit]), Step::cut_after(&[event("fo")]), Step::pieces(&[event("fo")])] {
        let Reply { text, cut, tries, .. } = reply(vec![step]);
        assert_eq!((text.as_str(), cut, tries), ("fo", true, 1));
    }
}

#[test]
fn raises_the_token_limit_for_a_reasoning_model() {
    let thoughts = event("").replace("null", "\"length\"") + "data: [DONE]\n\n";
    let server = Server::start(vec![Step::pieces(&[thoughts]), Step::reply("4"), Step::reply("5")]);
    let model = chat(&server);
    let ask = || model.complete(&Request::limited("2 + 2?", 100)).expect("a reply");
    let (first, second) = (ask(), ask());
    assert_eq!((first.text.as_str(), first.tries, second.text.as_str(), second.tries), ("4", 2, "5", 1));
    let limits: Vec<_> = server.requests().iter().map(|request| request.json()["max_tokens"].clone()).collect();
    assert_eq!(limits, [json!(100), json!(100 + 16_384), json!(100 + 16_384)]);
}

#[test]
fn cuts_off_and_marks_a_reply_that_repeats_itself() {
    let endless: Vec<String> = std::iter::repeat_n(event("f1, f2, "), 500).collect();
    let server = Server::start(vec![Step::silence_after(&[vec![event("Perhaps ")], endless].concat())]);
    let Reply { text, cut, repeats, .. } = chat(&server).complete(&Request::new("?")).expect("a reply");
    assert_eq!((text.as_str(), cut, repeats), ("Perhaps f1, f2, f1, f2,", true, true));
}

#[test]
fn allows_more_tokens_for_thoughts_in_the_text_of_a_reply() {
    let limit = event("<think>Let me see").replace("null", "\"length\"") + "data: [DONE]\n\n";
    let server = Server::start(vec![Step::pieces(&[limit]), Step::reply("<think>Let me see</think>4")]);
    let reply = chat(&server).complete(&Request::limited("2 + 2?", 100)).expect("a reply");
    assert_eq!((reply.text.as_str(), reply.tries), ("<think>Let me see</think>4", 2));
}

// ---- context window and progress

/// Page with the facts of llama.cpp's server.
fn props(context: u32) -> (&'static str, Value) {
    ("/props", json!({"default_generation_settings": {"n_ctx": context}}))
}

#[test]
fn a_prompt_that_cannot_fit_into_the_context_window_is_not_sent() {
    let server = Server::with_pages(&[props(1000)], vec![Step::reply("4")]);
    let chat = chat(&server);
    assert_eq!(chat.context(), Some(1000));
    let error = chat.complete(&Request::new(&"word ".repeat(2000))).expect_err("an error");
    assert_eq!((error.remedy(), server.requests().len()), (&Remedy::WidenContext, 0));
    assert!(error.what().contains("the context window of small (1000 tokens)"), "{error}");
}

#[test]
fn a_reply_may_be_as_long_as_the_rest_of_the_context_window() {
    let server = Server::with_pages(&[props(1000)], |_: &RecordedRequest| Step::reply("4"));
    let chat = chat(&server);
    for (prompt, limit) in [("word ".repeat(400), 500), ("word ".repeat(800), 64), ("2 + 2?".to_owned(), 600)] {
        chat.complete(&Request::limited(&prompt, 600)).expect("a reply");
        assert_eq!(server.requests().last().expect("a request").json()["max_tokens"], limit);
    }
}

#[test]
fn the_progress_of_a_request_can_be_watched() {
    let read = json!({"choices": [{"delta": {"content": null}}], "prompt_progress": {"total": 9, "processed": 6}});
    let pieces = [format!("data: {read}\n\n"), event("vi"), event("er"), "data: [DONE]\n\n".to_owned()];
    let server = Server::with_pages(&[props(1000)], vec![Step::pieces(&pieces)]);
    let last = Mutex::new(Progress::default());
    let watch = |progress: Progress| *last.lock().expect("progress") = progress;
    chat(&server).complete(&Request { watch: Some(Watch(&watch)), ..Request::new("?") }).expect("a reply");
    assert_eq!(*last.lock().expect("progress"), Progress { prompt: Some((6, 9)), output: 2 });
    let sent = server.requests()[0].json();
    assert_eq!((&sent["return_progress"], &sent["timings_per_token"]), (&json!(true), &json!(true)));
}

#[test]
fn a_reply_that_was_cut_off_has_the_counts_of_its_last_piece() {
    let timings = json!({"cache_n": 5, "prompt_n": 2, "prompt_ms": 20.4, "predicted_n": 3, "predicted_ms": 9.6});
    let piece = json!({"choices": [{"delta": {"content": "fo"}}], "timings": timings});
    let usage = Usage { prompt: 7, cached: 5, output: 3, prompt_ms: 20, output_ms: 10 };
    assert_eq!(reply(vec![Step::cut_after(&[format!("data: {piece}\n\n")])]).usage, Some(usage));
}

// ---- retries

#[test]
fn retries_temporary_failures() {
    let busy = || Step::body(429, "slow down").header("Retry-After", "0");
    let dies: [&str; 0] = [];
    let full = "data: {\"error\": {\"message\": \"no memory\"}}\n\n";
    for first in [busy(), overloaded(), Step::pieces(&[full]), Step::cut_after(&dies), Step::cut_after(&[": wait\n\n"])]
    {
        let Reply { text, tries, .. } = reply(vec![first, Step::reply("4")]);
        assert_eq!((text.as_str(), tries), ("4", 2));
    }
}

#[test]
fn the_error_after_the_last_try_contains_the_servers_message() {
    let (error, asked) = failure(vec![overloaded(), overloaded(), overloaded(), overloaded(), Step::reply("late")]);
    assert_eq!((asked, error.kind()), (4, Kind::Model));
    assert!(error.what().ends_with("returned 503 (Service Unavailable): the model is loading (4 attempts)"), "{error}");
}

#[test]
fn does_not_retry_permanent_failures() {
    let quota = json!({"error": {"code": "insufficient_quota", "message": "pay first"}});
    for (step, what, next) in [
        (Step::body(401, &json!({"error": format!("bad key {SECRET}")}).to_string()), "bad key [key]", "SHOP_KEY"),
        (Step::json(403, &json!({"detail": "not you"})), "403 (Forbidden): not you", "SHOP_KEY"),
        (Step::json(404, &json!({"error": "model 'small' not found"})), "model 'small' not found", "NameModel"),
        (Step::body(404, "404 page not found"), "404 (Not Found): 404 page not found", "/v1"),
        (Step::json(400, &llama_context()), "exceeds the available context size", "WidenContext"),
        (Step::json(400, &openai_context()), "maximum context length", "WidenContext"),
        (Step::json(400, &json!({"message": "too\nlong"})), "too long", "shorter prompt"),
        (Step::json(429, &quota), "pay first", "balance"),
        (Step::body(400, "<html><title>Bad gate</title>"), "Bad gate", ""),
        (Step::body(200, "<html><title>Welcome</title>"), "did not return a completion: Welcome", "/v1"),
        (Step::body(200, "{\"choices\": [{\"mess"), "did not return a completion", "/v1"),
        (Step::pieces(&["data: {oops\n\n"]), "did not return a completion", "/v1"),
        (Step::body(400, &"x".repeat(100_000)), "xxx…", ""),
    ] {
        let (error, asked) = failure(vec![step, Step::reply("late")]);
        assert_eq!(asked, 1, "{error}");
        assert!(error.what().contains(what) && format!("{:?}", error.remedy()).contains(next), "{error}");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::start(vec![Step::reply("gotcha")]);
    let away = other.url() + "/chat/completions";
    for status in [301, 302, 307, 308] {
        let (error, _) = failure(vec![Step::body(status, "").header("Location", &away)]);
        assert!(error.what().contains(&away), "{error}");
    }
    assert!(other.requests().is_empty(), "the key stays with its host");
}

#[test]
fn a_silent_server_times_out_without_a_retry() {
    let none: [&str; 0] = [];
    for silent in [Step::silence_after(&none), Step::silence_after(&[": thinking\n\n"])] {
        let server = Server::start(vec![silent, Step::reply("late")]);
        let retry = RetryPolicy { idle_timeout: Duration::from_millis(200), ..QUICK };
        let error = chat_with(&server, Key::default(), retry).complete(&Request::new("?")).expect_err("an error");
        assert!(error.what().contains("did not answer in time") && error.remedy() == &Remedy::WaitLonger, "{error}");
        // The client may give up before the server has recorded the request.
        let since = Instant::now();
        while server.requests().is_empty() && since.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(server.requests().len(), 1);
    }
}

#[test]
fn does_not_retry_if_the_requested_pause_exceeds_the_timeout() {
    let server = Server::start(vec![overloaded().header("Retry-After", "99999999"), Step::reply("late")]);
    let retry = RetryPolicy { idle_timeout: Duration::from_secs(3), ..QUICK };
    let error = chat_with(&server, Key::default(), retry).complete(&Request::new("?")).expect_err("an error");
    assert!(error.what().ends_with("the next attempt would be in 60 s, but the timeout is 3 s"), "{error}");
    assert_eq!((error.remedy(), server.requests().len()), (&Remedy::WaitLonger, 1));
}

#[test]
fn a_connection_error_contains_the_address() {
    let url = Server::start(vec![]).url();
    let chat = Chat::new(Address::parse(&url).expect("address"), "small", Key::default(), QUICK, Cancel::default());
    let error = chat.expect("model").complete(&Request::new("?")).expect_err("an error");
    assert!(error.what().contains(&url) && error.what().ends_with("(4 attempts)"), "{error}");
    assert_eq!(error.remedy(), &Remedy::StartServer);
}

#[test]
fn a_cancelled_run_sends_no_further_request() {
    let cancel = Cancel::default();
    let stop = cancel.clone();
    let server = Server::start(move |_: &RecordedRequest| {
        stop.cancel();
        overloaded()
    });
    let address = Address::parse(&server.url()).expect("address");
    let chat = Chat::new(address, "small", Key::default(), QUICK, cancel).expect("model");
    assert_eq!(chat.complete(&Request::new("?")).expect_err("an error").kind(), Kind::Cancelled);
    assert_eq!(server.requests().len(), 1);
}

// ---- unsupported fields

/// Returns the script of a server that responds with this status as long as a request has this
/// field.
fn without(field: &'static str, status: u16, words: &'static str) -> impl Script {
    move |request: &RecordedRequest| match request.json()[field] {
        Value::Null => Step::reply("4"),
        _ => Step::json(status, &json!({"error": {"message": words}})),
    }
}

#[test]
fn a_rejected_field_is_omitted_from_then_on() {
    let schema = json!({"type": "object"});
    for (field, status, words) in [
        ("response_format", 400, "this does not work here"),
        ("response_format", 404, "no such thing"),
        ("response_format", 422, "unknown field"),
        ("response_format", 501, "not implemented"),
        ("temperature", 400, "Unsupported value: 'temperature' does not support 0 with this model."),
        ("stream_options", 400, "stream_options is not permitted"),
        ("max_tokens", 400, "'max_tokens' is not supported, use 'max_completion_tokens'"),
    ] {
        let server = Server::start(without(field, status, words));
        let chat = chat(&server);
        let request = Request { schema: Some(&schema), max_output: Some(9), ..Request::new("?") };
        for (asked, tries) in [(2, 2), (3, 1)] {
            assert_eq!(chat.complete(&request).expect(words).tries, tries, "{field}");
            assert_eq!(server.requests().len(), asked, "{field} is tried once in a run");
        }
        let last = server.requests()[2].json();
        let kept = ["response_format", "temperature", "stream_options"].into_iter().filter(|kept| *kept != field);
        assert!(kept.into_iter().all(|kept| !last[kept].is_null()), "only {field} is left out: {last}");
        let limit = &last[if field == "max_tokens" { "max_completion_tokens" } else { "max_tokens" }];
        assert_eq!(limit, if field == "max_tokens" { 9 + 16_384 } else { 9 }, "with room for thinking: {last}");
    }
}

#[test]
fn a_request_rejected_with_and_without_the_field_is_an_error() {
    let (error, asked) = failure(|_: &RecordedRequest| Step::json(400, &json!({"error": "temperature too hot"})));
    assert_eq!(asked, 2);
    assert!(error.what().contains("temperature too hot"), "{error}");
}

// ---- keys and models

#[test]
fn sends_a_key_unencrypted_only_if_allowed() {
    let make =
        |url: &str, key: Key| Chat::new(Address::parse(url).expect("address"), "small", key, QUICK, Cancel::default());
    let (usual, named) = (Key::new("SHOP_KEY", Some(SECRET), false), Key::new("SHOP_KEY", Some(SECRET), true));
    let error = make("http://192.168.1.5:8000/v1", usual.clone()).expect_err("an error");
    assert_eq!(error.remedy(), &Remedy::EncryptKey("SHOP_KEY".to_owned()));
    assert!(!error.to_string().contains(SECRET), "{error}");
    assert!(make("http://192.168.1.5:8000/v1", named).is_ok());
    assert!(make("http://192.168.1.5:8000/v1", Key::default()).is_ok());
    assert!(make("https://api.example.com/v1", usual.clone()).is_ok());
    let shown = format!("{:?}", make("http://localhost:1/v1", usual).expect("model"));
    assert!(!shown.contains(SECRET), "{shown}");
    assert!(make("http://localhost:1/v1", Key::new("SHOP_KEY", Some("two\nlines"), false)).is_err());
}

#[test]
fn a_servers_models_are_listed() {
    let server = Server::start(vec![Step::models(&["small", "large"])]);
    let chat = chat(&server);
    assert_eq!(chat.models().expect("models"), ["small", "large"]);
    assert!(chat.models().is_err());
    let asked = &server.requests()[0];
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("GET", "/v1/models"));
}

// ---- dry runs, logs and budgets

/// A writer whose output a test can read.
#[derive(Clone, Default)]
struct Shown(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for Shown {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("bytes").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_dry_run_shows_the_prompt_byte_for_byte() {
    let shown = Shown::default();
    let model = DryRun::new("small", "small at http://a/v1", Box::new(shown.clone()));
    let error = model.complete(&Request::new("What is 2 + 2?")).expect_err("no reply");
    assert_eq!(error.kind(), Kind::DryRun);
    assert!(error.what().contains("14 bytes would be sent to small at http://a/v1"), "{error}");
    assert_eq!(*shown.0.lock().expect("bytes"), b"What is 2 + 2?");
}

#[test]
fn a_log_has_a_line_for_each_call_but_not_the_key() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("calls.jsonl");
    std::fs::write(&path, "{\"earlier\":true}\n").expect("written");
    let denied = Step::body(401, &format!("no: {SECRET}"));
    let server = Server::start(vec![Step::body(429, "").header("Retry-After", "0"), Step::reply("vier"), denied]);
    let budget = Budget { calls: Some(2), ..Budget::default() };
    let logged = LoggedModel::new(BudgetedModel::new(chat(&server), budget), &path).expect("log");
    assert!(logged.complete(&Request::new("2 + 2")).is_ok());
    assert!(logged.complete(&Request::new("3 + 3")).is_err());
    assert_eq!(logged.complete(&Request::new("4 + 4")).expect_err("a ceiling").kind(), Kind::Ceiling);
    let text = std::fs::read_to_string(&path).expect("log");
    assert!(!text.contains(SECRET), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines.len(), 4, "what the file held is kept: {text}");
    assert_eq!(
        (&lines[1]["prompt"], &lines[1]["reply"], &lines[1]["tries"]),
        (&json!("2 + 2"), &json!("vier"), &json!(2))
    );
    assert_eq!(lines[1]["usage"], json!({"prompt": 2, "cached": 0, "output": 1, "prompt_ms": 0, "output_ms": 0}));
    assert!(lines[1]["error"].is_null() && lines[1]["ms"].is_u64() && lines[1]["model"] == "small", "{text}");
    assert!(lines[2]["reply"].is_null() && lines[2]["error"].as_str().expect("error").contains("401"), "{text}");
    assert!(lines[3]["error"].as_str().expect("error").contains("the limit on calls"), "{text}");
    assert!(LoggedModel::new(chat(&server), &folder.path().join("no/such/place")).is_err());
}

#[test]
fn concurrent_calls_respect_the_limit() {
    let server = Server::start(|_: &RecordedRequest| Step::reply("4"));
    let budgeted = BudgetedModel::new(chat(&server), Budget { calls: Some(5), ..Budget::default() });
    std::thread::scope(|scope| {
        let calls: Vec<_> = (0..12).map(|_| scope.spawn(|| budgeted.complete(&Request::new("?")).is_ok())).collect();
        let through = calls.into_iter().map(|call| call.join().expect("a call")).filter(|ok| *ok).count();
        assert_eq!(through, 5);
    });
    assert_eq!((server.requests().len(), budgeted.spent().calls), (5, 5));
}
