//! Tests `whichfn context --iterations`: a draft by a language model becomes part of the query. The
//! options select the model, limit its use and restrict the text that it receives. Nothing is sent
//! unless the user requests it.

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};
use whichfn_testing::server::{RecordedRequest, Server, Step};

/// Each file contains one word, so the results show which word was searched for.
fn words() -> Env {
    Env::with(&[
        ("alpha.py", "alpha = 1\n"),
        ("beta.py", "beta = 2\n"),
        ("gamma.py", "gamma = 3\n"),
        (
            "here.py",
            r"alpha

omega
",
        ),
    ])
}

/// Returns the arguments for a cursor on the empty line of `here.py`.
fn context<'a>(options: &[&'a str]) -> Vec<&'a str> {
    ["context", "here.py:2"].iter().chain(options).copied().collect()
}

/// Runs the command with a model on a server.
fn with_server(env: &Env, server: &Server, options: &[&str]) -> Ran {
    let url = server.url();
    env.run(&[&context(&["--llm-url", &url, "--llm-model", "small"]), options].concat())
}

fn paths(answer: &Value) -> Vec<&str> {
    answer["fragments"].as_array().expect("list").iter().map(|f| f["path"].as_str().expect("path")).collect()
}

fn always(text: &'static str) -> impl FnMut(&RecordedRequest) -> Step + Send + 'static {
    move |_| Step::reply(text)
}

// ---- the loop

#[test]
fn the_models_draft_becomes_the_query() {
    let env = words();
    let server = Server::start(vec![Step::reply("```python\nbeta\n```"), Step::reply("gamma\n")]);
    assert_eq!(paths(&env.run(&context(&["--format", "json"])).found().json()), ["alpha.py"]);
    let answer = with_server(&env, &server, &["--iterations", "3", "--format", "json"]).found().without_stderr().json();
    assert_eq!(
        answer["iterations"],
        json!([{"draft": null, "fragments": 1}, {"draft": "beta", "fragments": 2}, {"draft": "gamma", "fragments": 2}])
    );
    assert!(
        paths(&answer).contains(&"gamma.py") && !paths(&answer).contains(&"beta.py"),
        "the last guess counts: {answer}"
    );
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn the_model_sees_the_fragments_and_the_code_around_the_cursor() {
    let env = words();
    let server = Server::start(always("beta"));
    let shown = env.run(&context(&[])).found().out;
    with_server(&env, &server, &["--iterations", "2"]).found().without_stderr();
    let prompt = server.prompts().remove(0);
    assert!(prompt.contains(&shown), "as --format prompt prints them: {prompt}");
    assert!(prompt.contains("here.py, up to the cursor:\n\n<before_cursor>\nalpha\n</before_cursor>"), "{prompt}");
    assert!(prompt.contains("<after_cursor>\nomega\n</after_cursor>"), "{prompt}");
}

#[test]
fn every_format_prints_the_last_fragments() {
    let env = words();
    for format in ["prompt", "fim", "json"] {
        let server = Server::start(always("gamma"));
        let ran = with_server(&env, &server, &["--iterations", "2", "--format", format]).found().without_stderr();
        let drafted = env.run(&context(&["--draft", "gamma", "--format", format])).found();
        match format {
            "json" => assert_eq!(ran.json()["fragments"], drafted.json()["fragments"]),
            _ => assert_eq!(ran.out, drafted.out),
        }
    }
}

#[test]
fn the_loop_ends_when_no_new_fragment_is_possible() {
    let env = words();
    for (reply, retrievals, calls) in [("", 1, 1), ("```\n```", 1, 1), ("omega", 2, 1), ("beta", 3, 2)] {
        let server = Server::start(always(reply));
        let options = ["--iterations", "9", "--format", "json"];
        let answer = with_server(&env, &server, &options).found().json();
        let done = answer["iterations"].as_array().expect("list").len();
        assert_eq!((done, server.requests().len()), (retrievals, calls), "{reply}: {answer}");
    }
}

#[test]
fn one_iteration_calls_no_model() {
    let env = words();
    let server = Server::start(always("beta"));
    let ran = with_server(&env, &server, &["--format", "json"]).found().stderr_contains(&["the model was not called"]);
    assert_eq!(ran.json().get("iterations"), None);
    assert!(server.requests().is_empty());
    env.run(&context(&["--iterations", "0"])).failed(&["--iterations 0", "at least 1"]);
}

// ---- model selection

#[test]
fn a_command_is_a_model_too() {
    let env = words();
    let options = ["--iterations", "2", "--format", "json", "--llm-cmd"];
    let answer =
        env.run(&context(&[&options[..], &["cat >prompt.log; echo beta"]].concat())).found().without_stderr().json();
    assert!(paths(&answer).contains(&"beta.py"), "{answer}");
    let failing = env.run(&context(&[&options[..], &["echo 'no such model' >&2; exit 3"]].concat()));
    failing.failed(&["status 3: no such model", "by hand"]);
}

#[test]
fn without_a_model_more_iterations_are_an_error() {
    let env = words();
    let url = Server::start(vec![]).url();
    env.run(&context(&["--iterations", "2"])).failed(&["needs a language model", "--llm-url", "--llm-cmd"]);
    env.run(&context(&["--iterations", "2", "--reader", "llm"]))
        .failed(&["no language model is specified", "--llm-url"]);
    let offline = ["--iterations", "2", "--reader", "offline", "--llm-url", &url, "--llm-model", "small"];
    env.run(&context(&offline)).failed(&["needs a language model"]);
    env.run(&context(&["--iterations", "2", "--llm-url", "nonsense", "--llm-model", "small"])).failed(&["http://"]);
}

#[test]
fn a_missing_model_name_lists_the_available_ones() {
    let env = words();
    let server = Server::start(vec![Step::models(&["small", "large"]), Step::body(404, "no")]);
    let url = server.url();
    let arguments = context(&["--iterations", "2", "--llm-url", &url]);
    env.run(&arguments).failed(&["no model is specified", "--llm-model NAME; the server has small, large"]);
    env.run(&arguments).failed(&["--llm-model NAME", "ollama list"]);
    assert!(server.requests().iter().all(|request| request.method == "GET"), "nothing is sent");
}

#[test]
fn only_the_command_line_enables_a_model() {
    let env = words();
    let server = Server::start(always("beta"));
    let url = server.url();
    let variables = [("WHICHFN_LLM_URL", url.as_str()), ("WHICHFN_LLM_MODEL", "small")];
    let twice = context(&["--iterations", "2", "--format", "json"]);
    env.run_under(&variables, &twice).failed(&["needs a language model", "--reader llm"]);
    env.run_under(&variables, &["alpha", "--kind", "any"]);
    assert!(server.requests().is_empty(), "the environment alone sends nothing");
    let wanted = [&twice[..], &["--reader", "llm"]].concat();
    assert!(paths(&env.run_under(&variables, &wanted).found().json()).contains(&"beta.py"));
    env.write_user_settings(&format!("llm-url = \"{url}\"\nllm-model = \"large\"\nllm-key-env = \"SHOP_KEY\"\n"));
    env.run_under(&[("SHOP_KEY", "sk-1"), ("OPENAI_API_KEY", "sk-2")], &wanted).found();
    let last = server.requests().pop().expect("a request");
    assert_eq!((last.json()["model"].as_str(), last.header("Authorization")), (Some("large"), Some("Bearer sk-1")));
}

#[test]
fn a_repository_cannot_name_a_model() {
    for line in ["llm-url = \"http://a/v1\"", "llm-model = \"a\"", "llm-key-env = \"HOME\"", "llm-cmd = \"rm -r .\""] {
        let env = words();
        env.write("whichfn.toml", line);
        let name = line.split(' ').next().expect("a name");
        env.run(&context(&[])).failed(&[name, "cannot be set by a repository"]);
    }
}

#[test]
fn a_remote_server_requires_a_key() {
    let env = words();
    let far = ["--iterations", "2", "--llm-model", "small", "--llm-url"];
    let secure = context(&[&far[..], &["https://model.invalid/v1"]].concat());
    env.run(&secure).failed(&["OPENAI_API_KEY is not set", "--llm-key-env"]);
    let open = context(&[&far[..], &["http://model.invalid/v1"]].concat());
    let ran = env.run_under(&[("OPENAI_API_KEY", "sk-secret")], &open).failed(&["without encryption", "https://"]);
    assert!(!ran.err.contains("sk-secret"), "{ran:#?}");
}

// ---- limits

#[test]
fn limits_end_the_run() {
    let env = words();
    for (options, words) in [
        (&["--max-calls", "1"][..], "the limit on calls; used so far: 1 calls"),
        (&["--llm-max-tokens", "9"], "the limit on tokens; used so far: 0 calls"),
        (&["--max-cost", "0", "--llm-price", "1/2"], "--max-cost"),
    ] {
        let replies = ["beta", "gamma", "alpha"];
        let server = Server::start(replies.map(Step::reply).to_vec());
        with_server(&env, &server, &[&["--iterations", "4"], options].concat()).failed(&[words]);
    }
    let server = Server::start(always("beta"));
    let ran = with_server(&env, &server, &["--iterations", "2", "--max-cost", "1"]);
    assert!(ran.code == Some(2) && ran.err.contains("--llm-price"), "money needs a price: {ran:#?}");
}

#[test]
fn time_is_bounded() {
    let none: [&str; 0] = [];
    let server = Server::start(vec![Step::silence_after(&none)]);
    let options = ["--iterations", "2", "--llm-timeout", "1"];
    with_server(&words(), &server, &options).failed(&["did not answer in time", "--llm-timeout"]);
}

#[test]
fn a_failure_is_an_error_without_the_key() {
    let env = words();
    let server = Server::start(|request: &RecordedRequest| {
        Step::body(401, &format!("bad {}", request.header("Authorization").unwrap_or_default()))
    });
    let url = server.url();
    let options = ["--iterations", "2", "--llm-url", &url, "--llm-model", "small", "--llm-log", "calls.log"];
    let ran = env.run_under(&[("OPENAI_API_KEY", "sk-secret")], &context(&options));
    let ran = ran.failed(&["401 (Unauthorized): bad Bearer [key]", "OPENAI_API_KEY"]);
    let log = std::fs::read_to_string(env.at("calls.log")).expect("log");
    assert!(!ran.err.contains("sk-secret") && !log.contains("sk-secret") && log.lines().count() == 1, "{log}");
}

// ---- text sent to the model

#[test]
fn a_dry_run_prints_what_would_be_sent_and_sends_nothing() {
    let env = words();
    let server = Server::start(always("beta"));
    let options = ["--iterations", "2"];
    let dry = with_server(&env, &server, &["--iterations", "2", "--dry-run"])
        .found()
        .stderr_contains(&["nothing was sent", "small at"]);
    assert!(server.requests().is_empty());
    with_server(&env, &server, &options).found();
    assert_eq!(server.prompts(), [dry.out]);
    let command = context(&["--iterations", "2", "--dry-run", "--llm-cmd", "touch ran"]);
    env.run(&command).found().stderr_contains(&["`touch`"]);
    assert!(!env.at("ran").exists());
}

#[test]
fn a_file_outside_the_index_is_not_sent() {
    let env = words();
    env.write(".gitignore", "secret.py\n");
    env.write("secret.py", "alpha = 'hunter2'\n");
    let server = Server::start(always("beta"));
    let url = server.url();
    let ask = |file: &str, stdin: &str| {
        let options = ["--stdin", "--iterations", "2", "--llm-url", &url, "--llm-model", "small"];
        env.run_with(&[&["context", file][..], &options].concat(), |command| {
            command.write_stdin(stdin.to_owned());
        })
    };
    ask("secret.py:1", "alpha\n").failed(&["secret.py is not in the index", "whichfn status"]);
    ask("unsaved.py:1", "alpha\n").failed(&["unsaved.py is not in the index"]);
    assert!(server.requests().is_empty());
    ask("here.py:2", "alpha = typed\n\n").found();
    assert!(server.prompts()[0].contains("alpha = typed") && !server.prompts()[0].contains("hunter2"));
}

#[test]
fn prompts_can_be_replaced_by_the_user_but_not_the_repository() {
    let env = words();
    env.write("prompts/complete.md", "Mine: {{ before }}");
    let server = Server::start(always("beta"));
    with_server(&env, &server, &["--iterations", "2"]).found();
    with_server(&env, &server, &["--iterations", "2", "--prompts", "prompts"]).found();
    let prompts = server.prompts();
    assert!(!prompts[0].contains("Mine") && prompts[1] == "Mine: alpha\n", "{prompts:?}");
    env.write("prompts/complete.md", "\n{{ befor }}");
    let wrong = with_server(&env, &server, &["--iterations", "2", "--prompts", "prompts"]);
    wrong.failed(&["complete.md:2", "undefined"]);
}
