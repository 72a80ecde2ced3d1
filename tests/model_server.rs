//! End-to-end tests of what users of a local model rely on: prompts that fit into the context
//! window, replies that are limited and counted, and a check of the server. The server is a script
//! (`crates/testing/src/server.rs`) that reports what llama.cpp's server reports.

use crate::support::env::{Env, PATIENCE, Ran};
use serde_json::{Value, json};
use std::process::{Output, Stdio};
use std::time::Instant;
use whichfn_memory::count_tokens;
use whichfn_testing::server::{RecordedRequest, Server, Step, event};

/// A repository with more functions than a small context window can contain.
fn shop() -> Env {
    let of = |n: usize| {
        let lines: String = (0..12).map(|line| format!("    total += prices[{n}].amount * {line}\n")).collect();
        format!(
            "def price_{n}(prices):\n    \"\"\"Adds up prices {n}.\"\"\"\n    total = 0\n{lines}    return total\n\n\n"
        )
    };
    let env = Env::new();
    env.write("prices.py", (0..40).map(of).collect::<String>());
    env
}

/// The page on which llama.cpp's server reports its context window.
fn props(context: u32) -> (&'static str, Value) {
    ("/props", json!({"default_generation_settings": {"n_ctx": context}}))
}

fn ask(env: &Env, server: &Server, options: &[&str]) -> Ran {
    let url = server.url();
    env.run(&[&["ask", "adds up prices", "--llm-url", &url, "--llm-model", "small"], options].concat())
}

/// Returns a reply that notes a function.
fn note(key: &str) -> String {
    let path = format!("$.candidate_functions.{key}");
    json!({"path": path, "operation": "add", "value": {"purpose": "adds up prices"}}).to_string()
}

// ---- the context window

#[test]
fn prompts_and_replies_fit_into_the_context_window() {
    for (context, strategy) in [(2_500, "prism"), (4_096, "prism"), (4_096, "cok"), (8_192, "prism")] {
        let server = Server::with_pages(&[props(context)], |request: &RecordedRequest| {
            let prompt = request.prompt();
            let keys = prompt.lines().filter_map(|line| line.strip_prefix("### ")?.split(' ').next());
            Step::reply(&(keys.map(note).collect::<Vec<_>>().join("\n") + "\n{\"more\": []}"))
        });
        ask(&shop(), &server, &["--strategy", strategy, "--chunk-tokens", "5000"]).found();
        assert!(server.requests().len() > 1);
        for request in server.requests() {
            let limit = request.json()["max_tokens"].as_u64().expect("a limit") as usize;
            let prompt = count_tokens(&request.prompt());
            // A small model may split text into 1.4 times as many tokens.
            assert!(prompt * 14 / 10 + limit <= context as usize, "{context}: {prompt} + {limit}");
        }
    }
}

#[test]
fn a_context_window_that_is_too_small_is_an_error_with_a_next_step() {
    let server = Server::with_pages(&[props(512)], vec![Step::reply("")]);
    ask(&shop(), &server, &[]).failed(&["context window of 512 tokens is too small", "next:", "-c 8192"]);
    assert!(server.requests().is_empty(), "nothing was sent");
}

#[test]
fn a_server_that_rejects_a_long_prompt_gets_it_once() {
    let error = json!({"error": {"code": 400, "type": "exceed_context_size_error", "n_ctx": 1024,
        "message": "request (2000 tokens) exceeds the available context size (1024 tokens), try increasing it"}});
    let server = Server::start(move |_: &RecordedRequest| Step::json(400, &error));
    ask(&shop(), &server, &[]).failed(&["exceeds the available context size (1024 tokens)", "larger context window"]);
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn texts_are_read_in_chunks_that_fit() {
    let env = Env::with(&[("book.txt", &"The captain walked along the old harbor.\n".repeat(400))]);
    let server = Server::with_pages(&[props(4_096)], |_: &RecordedRequest| Step::reply(""));
    let url = server.url();
    env.run(&["read", "who walked", "book.txt", "--llm-url", &url, "--llm-model", "small"]);
    assert!(server.requests().len() > 1);
    for request in server.requests() {
        let limit = request.json()["max_tokens"].as_u64().expect("a limit") as usize;
        assert!(count_tokens(&request.prompt()) * 14 / 10 + limit <= 4_096);
    }
}

/// Checks that every request to a server fits into its context window, together with the reply.
fn all_fit(server: &Server, context: usize) {
    for request in server.requests() {
        let limit = request.json()["max_tokens"].as_u64().expect("a limit") as usize;
        let prompt = count_tokens(&request.prompt());
        assert!(prompt * 14 / 10 + limit <= context, "{context}: {prompt} + {limit}");
    }
}

#[test]
fn a_walk_fits_into_the_context_window() {
    let env = Env::new();
    let long = "    total = total * rate + amount\n".repeat(200);
    for n in 0..40 {
        let text = format!(
            "def price_{n}(rate):\n    \"\"\"Adds up prices {n} of all orders.\"\"\"\n{long}    return total\n"
        );
        env.write(&format!("prices_{n}.py"), text);
    }
    for context in [1_200, 2_048] {
        // Goes down at each node, and back up at each function.
        let server = Server::with_pages(&[props(context)], |request: &RecordedRequest| {
            Step::reply(if request.prompt().contains("<text>") { "Action: revert" } else { "Action: 1" })
        });
        ask(&env, &server, &["--strategy", "walk"]);
        assert!(
            server.requests().iter().any(|request| request.prompt().contains("total = total")),
            "a function is read"
        );
        all_fit(&server, context as usize);
        let server = Server::with_pages(&[props(context)], |_: &RecordedRequest| Step::reply("It adds up prices."));
        ask(&env, &server, &["--strategy", "walk", "--write-summaries"]);
        assert!(server.requests().len() > 40, "every function is summarized");
        all_fit(&server, context as usize);
    }
}

#[test]
fn iterations_of_context_fit_into_the_context_window() {
    let env = shop();
    for context in [800, 1_500, 2_500] {
        let server = Server::with_pages(&[props(context)], vec![Step::reply("total += prices[3].amount\n")]);
        let url = server.url();
        let options = ["context", "prices.py:300", "--iterations", "2", "--llm-url", &url, "--llm-model", "small"];
        env.run(&options).found();
        let requests = server.requests();
        assert!(requests[0].prompt().contains("total += prices[16].amount * 7\n"), "the last line before the cursor");
        all_fit(&server, context as usize);
    }
}

#[test]
fn a_generated_schema_fits_into_the_context_window() {
    let env = Env::with(&[("book.txt", "The captain walked along the old harbor.\n")]);
    let read = |context: u32| {
        let long = format!("I would need {}", "a captain, ".repeat(2_000));
        let server = Server::with_pages(&[props(context)], vec![Step::reply(&long), Step::reply(&long)]);
        let url = server.url();
        let question = ["read", "who walked", "book.txt", "--schema", "generate", "--domain", "sea stories"];
        let ran = env.run(&[&question[..], &["--llm-url", &url, "--llm-model", "small"]].concat());
        (ran, server)
    };
    let (ran, server) = read(2_500);
    ran.failed(&["wrote no usable schema"]);
    assert_eq!(server.requests().len(), 2);
    all_fit(&server, 2_500);
    let (ran, server) = read(600);
    ran.failed(&["context window of 600 tokens is too small", "next:"]);
    assert!(server.requests().is_empty(), "nothing was sent");
}

// ---- replies

#[test]
fn a_trace_says_that_reading_ended_after_rejected_replies() {
    let server = Server::start(|_: &RecordedRequest| Step::reply("I cannot take notes."));
    let ran = ask(&shop(), &server, &["--trace", "--chunk-tokens", "300"]).found();
    ran.stderr_contains(&["in 3 chunks, ended after rejected replies"]);
    let server = Server::start(|_: &RecordedRequest| Step::reply("I cannot take notes."));
    let trace = &ask(&shop(), &server, &["--json", "--chunk-tokens", "300"]).found().json()["trace"];
    assert_eq!((&trace["settled"], &trace["unreadable"]), (&json!(false), &json!(true)));
}

#[test]
fn names_of_a_reply_that_is_cut_off_inside_certain_are_kept() {
    let server = Server::start(vec![Step::reply(r#"{"certain": ["f2", "f1", "f"#)]);
    let trace = &ask(&shop(), &server, &["--json"]).found().json()["trace"];
    assert_eq!(server.requests().len(), 1);
    assert_eq!((&trace["verdict"], &trace["steps"][0]["certain"]), (&json!("certain"), &json!(["f2", "f1"])));
    assert_eq!(trace["steps"][0]["replies"], json!({"valid": 0, "repaired": 1, "rejected": 0}));
}

#[test]
fn a_server_that_rejects_limits_of_lists_keeps_the_schema() {
    let server = Server::start(|request: &RecordedRequest| match request.json()["response_format"].to_string() {
        schema if schema.contains("maxItems") => {
            Step::json(400, &json!({"error": {"message": "Invalid schema: 'maxItems' is not permitted"}}))
        }
        _ => Step::reply(r#"{"certain": ["f1"]}"#),
    });
    ask(&shop(), &server, &[]).found();
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].json()["response_format"]["type"], "json_schema");
}

#[test]
fn a_schema_allows_only_functions_that_were_shown() {
    let replies = vec![Step::reply(&format!("{}\n{}", note("f1"), note("f2"))), Step::reply(r#"{"order": ["f2"]}"#)];
    let env =
        Env::with(&[("prices.py", "def add_prices(a):\n    return sum(a)\n\n\ndef price(a):\n    return a[0]\n")]);
    let server = Server::start(replies);
    ask(&env, &server, &[]).found();
    let schema = |at: usize| server.requests()[at].json()["response_format"]["json_schema"]["schema"].clone();
    let path = schema(0)["properties"]["revisions"]["items"]["properties"]["path"].clone();
    assert_eq!(path["enum"], json!(["$.candidate_functions['f1']", "$.candidate_functions['f2']"]));
    assert_eq!(schema(1)["properties"]["order"]["items"]["enum"], json!(["f1", "f2"]));
    assert_eq!(schema(1)["properties"]["order"]["maxItems"], 2, "a list without end is not possible");
}

#[test]
fn replies_are_counted_by_their_quality() {
    let repeated: Vec<String> = std::iter::repeat_n(event("f1, "), 200).collect();
    let server = Server::start(vec![
        Step::reply(&note("f1")),
        Step::reply(&format!("Sure! {}", note("f2"))),
        Step::pieces(&repeated),
        Step::reply(&format!("{}\n{{\"certain\": [\"f1\"]}}", note("f3"))),
    ]);
    let ran = ask(&shop(), &server, &["--trace", "--chunk-tokens", "300"]).found();
    ran.stderr_contains(&["replies: 2 valid, 1 repaired, 1 rejected; 1 truncated, 1 of them because of repetitions"]);
}

#[test]
fn the_trace_contains_what_the_server_counted() {
    let piece = |text: &str| {
        let timings =
            json!({"cache_n": 50, "prompt_n": 40, "prompt_ms": 1500.0, "predicted_n": 7, "predicted_ms": 500.0});
        let piece = json!({"choices": [{"delta": {"content": text}, "finish_reason": "stop"}], "timings": timings});
        Step::pieces(&[format!("data: {piece}\n\ndata: [DONE]\n\n")])
    };
    let script = move |_: &RecordedRequest| piece(r#"{"certain": ["f1"]}"#);
    let server = Server::start(script);
    ask(&shop(), &server, &["--trace"]).found().stderr_contains(&[
        "the server counted 90 prompt tokens, 50 of them cached, and 7 reply tokens; 1.5 s for reading and 0.5 s for writing",
    ]);
    let trace = &ask(&shop(), &Server::start(script), &["--json"]).found().json()["trace"];
    let counts = json!({"replies": 1, "prompt": 90, "cached": 50, "output": 7, "prompt_ms": 1500, "output_ms": 500});
    assert_eq!((&trace["server"], &trace["steps"][0]["server"]), (&counts, &counts));
    assert_eq!(trace["steps"][0]["replies"], json!({"valid": 1, "repaired": 0, "rejected": 0}));
}

// ---- interruptions

#[test]
fn two_questions_at_the_same_time_are_both_answered() {
    let env = shop();
    let server = Server::start(|_: &RecordedRequest| Step::reply(r#"{"certain": ["f1"]}"#));
    let url = server.url();
    let start = || {
        let mut command = env.process();
        command.args(["ask", "adds up prices", "--llm-url", &url, "--llm-model", "small", "--jsonl"]);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started")
    };
    let running = [start(), start()];
    let outputs: Vec<Output> = running.into_iter().map(|child| child.wait_with_output().expect("output")).collect();
    assert!(outputs.iter().all(|output| output.status.success()), "{outputs:?}");
    assert_eq!(outputs[0].stdout, outputs[1].stdout);
}

#[test]
#[cfg(unix)]
fn an_interrupt_ends_a_run_that_waits_for_a_model() {
    let env = shop();
    let server = Server::start(|_: &RecordedRequest| Step::silence_after(&[event("Let me see")]));
    let mut command = env.interruptible_process();
    let url = server.url();
    command.args(["ask", "adds up prices", "--llm-url", &url, "--llm-model", "small"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("started");
    let since = Instant::now();
    while server.requests().is_empty() && since.elapsed() < PATIENCE {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).expect("signal sent");
    // The timeout of the model is two minutes.
    assert!(!child.wait().expect("end").success());
    assert!(since.elapsed() < PATIENCE);
    let output = child.wait_with_output().expect("output");
    assert!(output.stdout.is_empty(), "no half answer");
}

// ---- whichfn status --llm-url

fn checked(server: &Server, options: &[&str]) -> Ran {
    let url = server.url();
    Env::new().run(&[&["status", "--llm-url", &url], options].concat())
}

#[test]
fn status_checks_a_server() {
    let reply = |cached: u64| {
        let usage =
            json!({"prompt_tokens": 90, "completion_tokens": 7, "prompt_tokens_details": {"cached_tokens": cached}});
        let timings = json!({"prompt_ms": 900.0, "predicted_ms": 350.0});
        let message = json!({"message": {"content": r#"{"schema_check": "passed"}"#}, "finish_reason": "stop"});
        Step::json(200, &json!({"choices": [message], "usage": usage, "timings": timings}))
    };
    let models = ("/v1/models", json!({"data": [{"id": "small"}]}));
    let server = || Server::with_pages(&[models.clone(), props(4_096)], vec![reply(0), reply(80)]);
    let ran = checked(&server(), &["--llm-model", "small"]).found().without_stderr();
    for row in [
        "(llama.cpp)\nmodel       small\n",
        "context     4096 tokens\n",
        "schema      replies follow a JSON Schema\n",
        "cache       80 of 90 tokens of a repeated prompt were reused\n",
        "speed       100 tokens/s for reading, 20 tokens/s for writing\n",
    ] {
        assert!(ran.out.contains(row), "{row}: {}", ran.out);
    }
    let data = checked(&server(), &["--llm-model", "small", "--json"]).found().json();
    assert_eq!((&data["context"], &data["schema"]), (&json!(4_096), &json!(true)));
    assert_eq!(data["repeated_prompt"], json!({"prompt": 90, "cached": 80}));
}

#[test]
fn status_reports_what_a_server_does_not_support() {
    let models = ("/v1/models", json!({"data": [{"id": "small"}, {"id": "large"}]}));
    let server = Server::with_pages(&[models], |request: &RecordedRequest| match request.json()["response_format"] {
        Value::Null => Step::reply("Hello!"),
        _ => Step::json(400, &json!({"error": "response_format is not supported"})),
    });
    let ran = checked(&server, &["--llm-model", "large"]).found();
    for words in ["models      small, large\n", "context     not reported", "do not follow a JSON Schema", "no reuse"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
}

#[test]
fn status_names_the_next_step_for_a_server_that_cannot_be_used() {
    let models = ("/v1/models", json!({"data": [{"id": "small"}]}));
    let server = Server::with_pages(&[models], vec![]);
    checked(&server, &["--llm-model", "tiny"]).failed(&["has no model tiny; it has small", "next: pass a model"]);
    let gone = Server::start(vec![]).url();
    Env::new().run(&["status", "--llm-url", &gone]).failed(&["Connection refused", "next: start the server"]);
    let silent: [&str; 0] = [];
    let server =
        Server::with_pages(&[("/v1/models", json!({"data": [{"id": "small"}]}))], vec![Step::silence_after(&silent)]);
    checked(&server, &["--llm-timeout", "1"]).failed(&["did not answer in time", "--llm-timeout"]);
}
