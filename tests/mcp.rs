//! End-to-end tests of `whichfn mcp`, with a scripted client over standard input and output.

use crate::support::env::{Env, PATIENCE};
use crate::support::session::{CLOCK, SESSION};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// A client that sends one message per line. Every line that the server returns must be JSON-RPC.
struct Client {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
}

impl Client {
    /// Starts the server and initializes the session.
    fn start(env: &Env, arguments: &[&str]) -> Self {
        let mut client = Self::start_alone(env, arguments);
        let answer = client.initialize();
        assert_eq!(answer["result"]["serverInfo"]["name"], "whichfn", "{answer}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    fn start_alone(env: &Env, arguments: &[&str]) -> Self {
        let mut command = env.process();
        command.arg("mcp").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut server = command.spawn().expect("the program starts");
        let output = BufReader::new(server.stdout.take().expect("stdout"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let _ = sender.send(line.expect("UTF-8"));
            }
        });
        Self { input: server.stdin.take(), server, lines, last_id: 0 }
    }

    fn initialize(&mut self) -> Value {
        let client = json!({"name": "test", "version": "1"});
        self.request("initialize", json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}))
    }

    fn send(&mut self, message: &Value) {
        self.send_line(&message.to_string());
    }

    fn send_line(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("open"), "{line}").expect("the server reads");
    }

    fn receive(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("an answer");
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("no JSON on stdout: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Sends a request and returns its number.
    fn ask(&mut self, method: &str, parameters: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}));
        id
    }

    /// Sends a request and returns its answer, which must be the next message.
    fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Calls `which_function` and returns the answer's JSON, which must not be an error.
    fn which(&mut self, question: &str) -> Value {
        let answer = self.call("which_function", json!({"question": question}));
        assert_ne!(answer["isError"], true, "{answer}");
        answer["structuredContent"].clone()
    }

    /// Returns the message of a failed call.
    fn failure(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert_eq!(answer["isError"], true, "{answer}");
        let said = text(&answer);
        assert!(said.contains("\nnext: "), "what to do next: {said}");
        said
    }

    /// Ends the session; the server must exit with status 0. Returns its standard error.
    fn end(mut self) -> String {
        drop(self.input.take());
        let output = self.server.wait_with_output().expect("the server ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    }
}

/// Returns the text of an answer.
fn text(answer: &Value) -> String {
    answer["content"][0]["text"].as_str().expect("text").to_owned()
}

fn places(answer: &Value) -> Vec<String> {
    let candidates = answer["candidates"].as_array().expect("candidates").iter();
    candidates.map(|one| one["place"].as_str().expect("place").to_owned()).collect()
}

fn app() -> Env {
    Env::with(&[("app/session.py", SESSION), ("app/clock.py", CLOCK)])
}

// ---- protocol

#[test]
fn tools_have_schemas_and_are_marked_read_only() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let answer = client.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["which_function", "function_context"]);
    for tool in tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        for schema in ["inputSchema", "outputSchema"] {
            assert_eq!(tool[schema]["type"], "object", "{tool}");
            assert!(tool[schema]["properties"].as_object().is_some_and(|of| !of.is_empty()), "{tool}");
        }
        assert!(tool["description"].as_str().is_some_and(|said| said.contains("grep")), "when not to grep: {tool}");
    }
    assert_eq!(client.end(), "", "nothing to say");
}

#[test]
fn a_question_returns_candidates_with_evidence() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let answer = client.which("prolong a session if its token is still good");
    let first = &answer["candidates"][0];
    assert_eq!(first["place"], "app/session.py:5", "{answer}");
    assert_eq!(first["signature"], "Session def renew(self, token)");
    assert_eq!(first["does"], "Prolong the session by an hour if its token still counts.");
    assert!(first["code"].as_str().is_some_and(|code| code.contains("7| check(token)")), "{first}");
    let index = &answer["index"];
    assert_eq!((&index["files"], &index["functions"]), (&json!(2), &json!(4)), "{index}");
    assert!(index["up_to_date_at"].as_str().is_some_and(|at| at.ends_with('Z') && at.len() == 20), "{index}");
    client.end();
}

#[test]
fn an_id_returns_source_callers_and_callees() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let id = client.which("when does it expire?")["candidates"][0]["id"].clone();
    let answer = client.call("function_context", json!({"function": id}));
    let shown = &answer["structuredContent"];
    assert_eq!(shown["source"], "10|     def expiry(self):\n11|         return now() + 3600", "{shown}");
    let said = |key: &str| shown[key][0].as_str().unwrap_or_default().split_once(' ').map(|(_, said)| said.to_owned());
    assert_eq!(said("callers").as_deref(), Some("app/session.py:8 Session.renew: self.until = self.expiry()"));
    assert_eq!(said("callees").as_deref(), Some("app/clock.py:1 now by: return now() + 3600"));
    assert!(text(&answer).contains("called by:\n"), "the same as text");
    let by_name = client.call("function_context", json!({"function": "Session.expiry"}));
    let by_place = client.call("function_context", json!({"function": "app/session.py:11"}));
    for other in [by_name, by_place] {
        assert_eq!(other["structuredContent"]["id"], id, "{other}");
    }
    client.end();
}

#[test]
fn an_override_is_shown_with_what_it_overrides() {
    let doors = "class Door:\n    def open(self): pass\n\nclass Gate(Door):\n    def open(self): pass\n";
    let env = Env::with(&[("doors.py", doors)]);
    let mut client = Client::start(&env, &[]);
    let mut shown = |name: &str| {
        let answer = client.call("function_context", json!({"function": name}));
        let line = answer["structuredContent"]["implementations"][0].as_str().unwrap_or_default().to_owned();
        line.split_once(' ').map(|(_, shown)| shown.to_owned())
    };
    assert_eq!(shown("Door.open").as_deref(), Some("doors.py:5 Gate.open: overrides"));
    assert_eq!(shown("Gate.open").as_deref(), Some("doors.py:2 Door.open: overridden by it"));
    assert_eq!(shown("Door").as_deref(), Some("doors.py:4 Gate: extends"));
    client.end();
}

#[test]
fn tests_impact_paths_and_uses_are_shown_on_request() {
    let test = "from app.session import Session\n\n\ndef test_renew():\n    Session().renew('t')\n";
    let env = Env::with(&[("app/session.py", SESSION), ("app/clock.py", CLOCK), ("tests/test_session.py", test)]);
    let mut client = Client::start(&env, &[]);
    let mut lines = |key: &str, arguments: Value| -> Vec<String> {
        let answer = client.call("function_context", arguments);
        assert_ne!(answer["isError"], true, "{answer}");
        let lines = answer["structuredContent"][key].as_array().expect("lines").iter();
        lines.map(|line| line.as_str().expect("text").to_owned()).collect()
    };
    assert_eq!(
        lines("shown", json!({"function": "Session.expiry", "show": "tests"})),
        [
            "reached by 1 test",
            "tests/test_session.py:4 test_renew -> Session.renew -> Session.expiry",
            "arguments for the test runner:",
            "tests/test_session.py::test_renew",
        ]
    );
    let impact = lines("shown", json!({"function": "Session.expiry", "show": "impact"}));
    assert_eq!(impact[..2], ["1 affected definition", "app/session.py:5 Session.renew (1 call)"]);
    assert_eq!(
        lines("shown", json!({"function": "Session.renew", "path_to": "now"})),
        [
            "path of 2 calls:",
            "app/session.py:8 Session.renew: self.until = self.expiry()",
            "app/session.py:11 Session.expiry: return now() + 3600",
        ]
    );
    assert_eq!(
        lines("uses", json!({"function": "Session", "uses": true})),
        [
            "tests/test_session.py:1 test_session (import): from app.session import Session",
            "tests/test_session.py:5 test_renew (call): Session().renew('t')",
        ]
    );
    client.end();
}

#[test]
fn progress_is_sent_only_to_clients_that_request_it() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let arguments = json!({"question": "expiry"});
    let id = client.ask(
        "tools/call",
        json!({"name": "which_function", "arguments": arguments, "_meta": {"progressToken": "mine"}}),
    );
    let mut told = Vec::new();
    let answer = loop {
        let message = client.receive();
        if message["id"] == id {
            break message;
        }
        assert_eq!(message["method"], "notifications/progress", "{message}");
        assert_eq!(message["params"]["progressToken"], "mine", "{message}");
        told.push(message["params"]["progress"].as_f64().expect("progress"));
    };
    assert!(answer["result"]["structuredContent"]["candidates"][0].is_object(), "{answer}");
    assert!(!told.is_empty() && told.is_sorted_by(|a, b| a < b), "it grows: {told:?}");
    client.which("expiry");
    client.end();
}

#[test]
fn a_cancelled_call_has_no_answer_and_the_next_has_one() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let id = client.ask("tools/call", json!({"name": "which_function", "arguments": {"question": "expiry"}}));
    client.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}));
    let next = client.ask("tools/call", json!({"name": "which_function", "arguments": {"question": "expiry"}}));
    // The server may answer the first call before it reads the cancellation, but never after it.
    let answer = client.receive();
    let last = if answer["id"] == id { client.receive() } else { answer };
    assert_eq!(last["id"], next, "{last}");
    client.end();
}

#[test]
fn invalid_json_rpc_is_answered_with_an_error() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    for line in ["{", "nonsense", "\u{0}", "[[[[[["] {
        client.send_line(line);
        let answer = client.receive();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32700), &Value::Null), "no JSON: {answer}");
    }
    client.send_line("");
    client.send_line("   ");
    let (strange, long) = ("{\"x\": 1, \"id\": 7}".to_owned(), format!("{{\"x\": \"{}\"}}", "a".repeat(5 << 20)));
    for (line, id) in [(strange, json!(7)), (long, Value::Null), ("[]".to_owned(), Value::Null)] {
        client.send_line(&line);
        let answer = client.receive();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &id), "no request: {answer}");
    }
    client.send_line(r#"{"jsonrpc": "2.0", "id": 99, "method": "no/such/method"}"#);
    assert_eq!(client.receive()["error"]["code"], -32601, "method not found");
    assert_eq!(client.request("tools/list", json!({}))["result"]["tools"][1]["name"], "function_context");
    assert_ne!(client.which("expiry")["candidates"], json!([]));
    client.end();
}

#[test]
fn an_immediate_disconnect_is_not_an_error() {
    let env = app();
    assert_eq!(Client::start_alone(&env, &[]).end(), "");
    let mut client = Client::start_alone(&env, &[]);
    client.initialize();
    client.end();
}

// ---- changes of the repository

#[test]
fn a_file_that_changes_between_two_calls_is_seen() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    assert!(!places(&client.which("count the sheep")).contains(&"app/sheep.py:1".to_owned()));
    env.write("app/sheep.py", "def count_sheep(meadow):\n    return len(meadow)\n");
    let answer = client.which("count the sheep");
    assert_eq!((&places(&answer)[0][..], &answer["index"]["changed_files"]), ("app/sheep.py:1", &json!(1)));
    let id = answer["candidates"][0]["id"].clone();
    env.write("app/sheep.py", "import os\n\n\ndef count_sheep(meadow):\n    return len(meadow)\n");
    let moved = client.which("count the sheep");
    assert_eq!(
        (&places(&moved)[0][..], &moved["candidates"][0]["id"]),
        ("app/sheep.py:4", &id),
        "an id outlives a move"
    );
    env.remove("app/sheep.py");
    let said = client.failure("function_context", json!({"function": id}));
    assert!(said.contains("no function"), "{said}");
    client.end();
}

#[test]
fn several_repositories_are_distinguished_by_root() {
    let env = app();
    let other = env.outside("other");
    std::fs::create_dir_all(&other).expect("folder");
    std::fs::write(other.join("sheep.py"), "def count_sheep(meadow):\n    return len(meadow)\n").expect("file");
    let other = other.canonicalize().expect("folder").to_string_lossy().into_owned();
    let mut client = Client::start(&env, &[".", &other]);
    let said = client.failure("which_function", json!({"question": "count the sheep"}));
    assert!(said.contains("several repositories") && said.contains(&other), "{said}");
    for root in [other.as_str(), "other"] {
        let answer = client.call("which_function", json!({"question": "count the sheep", "root": root}));
        assert_eq!(places(&answer["structuredContent"]), ["sheep.py:1"], "{root}");
    }
    client.end();
}

#[test]
fn nothing_outside_the_repository_is_read() {
    let env = app();
    std::fs::write(env.outside("secret.py"), "def secret():\n    return 'password'\n").expect("file");
    let mut client = Client::start(&env, &[]);
    let outside = env.outside("").to_string_lossy().into_owned();
    for root in ["..", "../", "/", "/etc", "", "repo/..", outside.as_str()] {
        let said = client.failure("which_function", json!({"question": "secret", "root": root}));
        assert!(said.contains("does not match exactly one repository of this server"), "{said}");
    }
    for function in ["../secret.py", "../secret.py:1", "/etc/passwd:1", "", "#", "#zzzzzz", "\u{0}", ":", "::"] {
        let said = client.failure("function_context", json!({"function": function}));
        assert!(!said.contains("password"), "{said}");
    }
    let answer = client.call("which_function", json!({"question": "secret password", "paths": ["../**"]}));
    assert!(!answer.to_string().contains("secret.py"), "{answer}");
    client.end();
}

// ---- errors

#[test]
fn invalid_arguments_are_explained() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    for (tool, arguments, why) in [
        ("which_function", json!({}), "question"),
        ("which_function", json!({"question": 3}), "string"),
        ("which_function", json!({"question": "   "}), "empty"),
        ("which_function", json!({"question": "x", "limit": 0}), "limit 0"),
        ("which_function", json!({"question": "x", "limit": 31}), "limit 31"),
        ("which_function", json!({"question": "x", "paths": ["["]}), "["),
        ("which_function", json!({"question": "x", "depth": 1}), "depth"),
        ("function_context", json!({"function": "expires"}), "Session.expiry"),
    ] {
        let said = client.failure(tool, arguments);
        assert!(said.contains(why), "{why}: {said}");
    }
    let answer = client.request("tools/call", json!({"name": "no_such_tool", "arguments": {}}));
    assert!(answer["error"]["message"].as_str().is_some_and(|said| said.contains("which_function")), "{answer}");
    client.end();
}

#[test]
fn an_unwritable_index_is_an_error() {
    let env = app();
    std::fs::write(env.outside("file"), "").expect("file");
    let place = env.outside("file").to_string_lossy().into_owned();
    let mut client = Client::start(&env, &["--index-dir", &place]);
    let said = client.failure("which_function", json!({"question": "expiry"}));
    assert!(said.contains("file"), "where: {said}");
    client.end();
}

#[test]
fn a_name_of_several_functions_is_answered_with_their_ids() {
    let env = Env::with(&[("a.py", "def run():\n    pass\n"), ("b.py", "def run():\n    pass\n")]);
    let mut client = Client::start(&env, &[]);
    let said = client.failure("function_context", json!({"function": "run"}));
    let ids: Vec<&str> = said.split_whitespace().filter(|word| word.starts_with('#')).collect();
    assert!(said.contains("a.py:1") && said.contains("b.py:1") && ids.len() == 2, "{said}");
    let shown = client.call("function_context", json!({"function": ids[1]}))["structuredContent"].clone();
    assert_eq!(shown["place"], "b.py:1", "{shown}");
    client.end();
}

// ---- answer for the agent

#[test]
fn the_token_limit_cuts_the_code_of_lower_candidates() {
    let body = |n: usize| {
        let line =
            |m: usize| format!("    harvest_{m} = gather(apples_{n}, pears_{m}, orchard_row_{m}_of_{n}) + {m}\n");
        let lines: String = (0..40).map(line).collect();
        format!("def harvest_{n}(orchard):\n    \"\"\"Gather apples of row {n}.\"\"\"\n{lines}    return harvest_{n}\n")
    };
    let files: Vec<(String, String)> = (0..40).map(|n| (format!("row_{n}.py"), body(n))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let env = Env::with(&files);
    let mut client = Client::start(&env, &[]);
    let answer = client.call("which_function", json!({"question": "gather apples and pears", "limit": 30}));
    let shown = &answer["structuredContent"];
    for said in [text(&answer), shown.to_string()] {
        let tokens = whichfn_memory::count_tokens(&said);
        assert!(tokens <= whichfn::mcp::MOST_TOKENS, "{tokens} tokens");
    }
    let lines = |one: &Value| one["code"].as_str().map_or(0, |code| code.lines().count());
    let counts: Vec<usize> = shown["candidates"].as_array().expect("list").iter().map(lines).collect();
    assert!(counts.len() >= 10 && counts.is_sorted_by(|a, b| a >= b), "the best keep most: {counts:?}");
    let whole = client.call("function_context", json!({"function": "harvest_3"}));
    assert!(text(&whole).contains("return harvest_3"), "a function in full: {whole}");
    client.end();
}

#[test]
fn further_functions_are_listed_by_file() {
    let body = |n: usize| {
        format!("def gather_{n}(orchard):\n    \"\"\"Gather apples of row {n}.\"\"\"\n    return orchard\n\n")
    };
    let file = |from: usize| (from..from + 40).map(body).collect::<String>();
    let env = Env::with(&[("east.py", &file(0)), ("west.py", &file(40))]);
    let mut client = Client::start(&env, &[]);
    let answer = client.which("gather apples");
    assert_eq!(places(&answer).len(), 10, "{answer}");
    let files = answer["behind"].as_array().expect("files").iter().map(|file| file["path"].as_str().expect("a path"));
    let mut files: Vec<&str> = files.collect();
    files.sort_unstable();
    assert_eq!(files, ["east.py", "west.py"], "{answer}");
    let told: Vec<&str> = answer["behind"]
        .as_array()
        .expect("files")
        .iter()
        .flat_map(|file| file["functions"].as_array())
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    assert!(told.iter().any(|one| one.contains(": Gather apples of row")), "what the first do: {told:?}");
    assert!(told.iter().any(|one| one.split(", ").count() > 5), "the others by name: {told:?}");
    client.end();
}

#[test]
fn overloads_are_listed_under_one_candidate() {
    let text = "class Barn {\n    void store(Hay hay) { loft.add(hay); }\n    void store(Straw straw) { loft.add(straw); }\n    void burn(Hay hay) { loft.remove(hay); }\n}\n";
    let env = Env::with(&[("Barn.java", text)]);
    let mut client = Client::start(&env, &[]);
    let answer = client.which("store hay in the loft");
    assert_eq!(places(&answer), ["Barn.java:2", "Barn.java:4"], "{answer}");
    assert_eq!(answer["candidates"][0]["also"], json!(["overloads: :3"]), "{answer}");
    client.end();
}

#[test]
fn inner_helpers_are_listed_under_their_function() {
    let text = "def sort_sheep(sheep):\n    def compare_sheep(a, b):\n        return a.wool - b.wool\n\n    return sorted(sheep, key=compare_sheep)\n";
    let env = Env::with(&[("sheep.py", text)]);
    let mut client = Client::start(&env, &[]);
    let answer = client.which("compare sheep by wool");
    assert_eq!(places(&answer), ["sheep.py:1"], "{answer}");
    let also = answer["candidates"][0]["also"][0].as_str().expect("the helper").to_owned();
    assert!(also.starts_with("inside: #") && also.ends_with(" compare_sheep :2"), "{also}");
    client.end();
}

#[test]
fn lines_of_the_head_are_not_repeated() {
    let text = "def shear(\n    sheep,\n    wool_length,\n):\n    \"\"\"Cut the wool of sheep.\"\"\"\n    return sheep.cut(wool_length)\n";
    let env = Env::with(&[("sheep.py", text)]);
    let mut client = Client::start(&env, &[]);
    let answer = client.which("cut the wool of sheep to a length");
    assert_eq!(answer["candidates"][0]["code"], "6| return sheep.cut(wool_length)", "{answer}");
    client.end();
}

/// Passages are returned next to functions, within the same limit.
#[test]
fn documentation_is_found_with_a_kind() {
    let guide = "# Sessions\n\n## Prolonging a session\nCall renew before the session expires.\n".to_owned();
    let many: String = (0..200)
        .map(|n| format!("## Session {n}\nA session expires after {n} minutes. {}\n", "word ".repeat(60)))
        .collect();
    let env = Env::with(&[
        ("src/session.py", SESSION),
        ("src/clock.py", CLOCK),
        ("docs/guide.md", &guide),
        ("docs/many.md", &many),
    ]);
    let mut client = Client::start(&env, &[]);
    for (kind, functions) in [("docs", false), ("all", true)] {
        let answer = client.call("which_function", json!({"question": "prolong a session", "kind": kind}));
        let content = &answer["structuredContent"];
        assert_eq!(content["passages"][0]["place"], "docs/guide.md:3-4", "{answer}");
        assert_eq!(content["passages"][0]["headings"], "Sessions › Prolonging a session");
        assert_eq!(!content["candidates"].as_array().expect("a list").is_empty(), functions);
        let text = answer["content"][0]["text"].as_str().expect("text");
        assert!(text.contains("passages:\ndocs/guide.md:3-4  Sessions › Prolonging a session"), "{text}");
        assert!(text.len() < 12_000, "{}", text.len());
    }
    let plain = client.call("which_function", json!({"question": "prolong a session"}));
    assert!(plain["structuredContent"].get("passages").is_none(), "{plain}");
}
