//! End-to-end tests of `whichfn mcp`, with a scripted client over standard input and output.

use crate::support::env::{Env, PATIENCE};
use crate::support::session::{CLOCK, SESSION};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// A client that sends one message per line. Every line that the server returns must be JSON-RPC.
pub(crate) struct Client {
    server: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    last_id: u64,
}

impl Client {
    /// Starts the server and initializes the session.
    pub(crate) fn start(env: &Env, arguments: &[&str]) -> Self {
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
    pub(crate) fn request(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.ask(method, parameters);
        let answer = self.receive();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request("tools/call", json!({"name": tool, "arguments": arguments}))["result"].clone()
    }

    /// Calls a tool that must not fail, and returns its text.
    pub(crate) fn said(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        assert_ne!(answer["isError"], true, "{answer}");
        text(&answer)
    }

    /// Asks a question.
    fn which(&mut self, question: &str) -> String {
        self.said("which_function", json!({"question": question}))
    }

    /// Shows a function.
    fn show(&mut self, of: &str) -> String {
        self.said("show", json!({"of": [of]}))
    }

    /// Follows the graph from a function.
    fn graph(&mut self, of: &str, relation: &str) -> Vec<String> {
        let said = self.said("graph", json!({"of": of, "relation": relation}));
        said.lines().map(str::to_owned).collect()
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
    pub(crate) fn end(mut self) -> String {
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

/// Returns the candidates' lines of an answer, without their numbers.
fn candidates(said: &str) -> Vec<&str> {
    let numbered = said.lines().filter_map(|line| line.split_once(". "));
    numbered.filter(|(number, _)| number.parse::<usize>().is_ok()).map(|(_, line)| line).collect()
}

/// Returns the places of the candidates.
fn places(said: &str) -> Vec<&str> {
    candidates(said).into_iter().filter_map(|line| line.split(' ').next()).collect()
}

fn app() -> Env {
    Env::with(&[("app/session.py", SESSION), ("app/clock.py", CLOCK)])
}

// ---- protocol

/// Most tokens of the descriptions and schemas of all tools, which an agent reads in every session.
const DESCRIPTION_TOKENS: usize = 700;

#[test]
fn tools_are_few_short_and_read_only() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let answer = client.request("tools/list", json!({}));
    let tools = answer["result"]["tools"].as_array().expect("tools");
    let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert_eq!(names, ["which_function", "show", "graph"]);
    let mut tokens = 0;
    for tool in tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().is_some_and(|said| said.contains("grep")), "when not to grep: {tool}");
        let read = json!({"name": tool["name"], "description": tool["description"], "schema": tool["inputSchema"]});
        tokens += whichfn_memory::count_tokens(&read.to_string());
    }
    assert!(tokens <= DESCRIPTION_TOKENS, "{tokens} tokens");
    assert_eq!(client.end(), "", "nothing to say");
}

/// Clients reject formats that JSON Schema does not define, such as `uint`.
#[test]
fn schemas_have_no_formats() {
    fn formats(value: &Value) -> Vec<&Value> {
        match value {
            Value::Object(keys) => keys
                .get("format")
                .into_iter()
                .filter(|one| one.is_string())
                .chain(keys.values().flat_map(formats))
                .collect(),
            Value::Array(all) => all.iter().flat_map(formats).collect(),
            _ => Vec::new(),
        }
    }
    let env = app();
    let mut client = Client::start(&env, &[]);
    let answer = client.request("tools/list", json!({}));
    assert_eq!(formats(&answer), Vec::<&Value>::new());
    client.end();
}

#[test]
fn a_wrong_argument_is_named_with_the_type_that_it_must_have() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    for (tool, arguments, message) in [
        ("show", json!({"of": 3}), "show: `of` must be a list of strings, such as [\"src/app.py\"]"),
        ("show", json!({}), "show: `of` is missing; pass a list of strings"),
        ("show", json!({"of": ["renew"], "max": 3}), "show: `max` is not an argument; the arguments are"),
        ("graph", json!({"of": "renew", "relation": "users"}), "graph: `relation` must be one of \"callers\", "),
        (
            "which_function",
            json!({"question": "renew", "limit": "three"}),
            "`limit` must be a whole number, such as 10",
        ),
        ("graph", json!({"of": "app/nope.py:3", "relation": "callers"}), "the repository has no file `app/nope.py`"),
    ] {
        let said = client.failure(tool, arguments);
        assert!(said.contains(message), "{message}: {said}");
    }
    let answer = client.request("tools/list", json!({}));
    let limits = |tool: usize, name: &str| {
        let property = &answer["result"]["tools"][tool]["inputSchema"]["properties"][name];
        (property["minimum"].as_u64(), property["maximum"].as_u64())
    };
    assert_eq!(limits(0, "limit"), (Some(1), Some(30)));
    assert_eq!(limits(1, "max_tokens"), (Some(100), Some(20_000)));
    client.end();
}

#[test]
fn every_form_of_a_location_is_accepted_by_every_tool() {
    let env = app();
    let root = env.repo().canonicalize().expect("folder");
    let root = root.display();
    let mut client = Client::start(&env, &[]);
    let (shown, callers) = (client.show("app/clock.py:now"), client.graph("app/clock.py:now", "callers"));
    let line = first_line(&shown);
    for of in [
        format!("{root}/app/clock.py:{line}"),
        format!("{root}/app/clock.py:{line}:5"),
        format!("file://{root}/app/clock.py#L{line}"),
        format!("./app/clock.py#L{line}"),
        "app/clock.py::now".to_owned(),
        "clock.py::now".to_owned(),
    ] {
        assert_eq!(client.said("show", json!({"of": of})), shown, "{of}");
        assert_eq!(client.graph(&of, "callers"), callers, "{of}");
        let to = json!({"of": ["Session.renew"], "relation": "Path", "to": of});
        assert!(client.said("graph", to).starts_with("path of 2 calls"), "{of}");
    }
    // A range is printed by `show`, and means the function at its beginning elsewhere.
    let range = format!("{root}/app/clock.py:{line}-{line}");
    assert!(client.show(&range).starts_with(&format!("app/clock.py:{line}-{line}\n")));
    assert_eq!(client.graph(&range, "callers"), callers);
    for folder in [".", "./", "app/", &format!("{root}"), &format!("{root}/app")] {
        assert!(client.show(folder).contains("2 files\napp/clock.py\napp/session.py\n"), "{folder}");
        let arguments = json!({"question": "prolong a session", "paths": folder, "root": format!("{root}/app")});
        assert!(client.said("which_function", arguments).contains("Session.renew"), "{folder}");
    }
    client.end();
}

/// Returns the first line of the code that `show` printed.
fn first_line(shown: &str) -> u32 {
    let place = shown.split_once(':').and_then(|(_, rest)| rest.split('-').next());
    place.and_then(|line| line.parse().ok()).expect("a line")
}

#[test]
fn arguments_with_one_meaning_are_accepted() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let plain = client.which("prolong a session");
    client.end();
    for arguments in [
        json!({"paths": null, "limit": null, "kind": null, "root": null, "max_tokens": null}),
        json!({"paths": [], "kind": "", "root": "", "limit": "10", "max_tokens": "1300"}),
        json!({"paths": "app/**", "limit": 10.0}),
        json!({"paths": "[\"app/**\"]", "root": "."}),
    ] {
        // Code that a session has shown is not repeated.
        let mut client = Client::start(&env, &[]);
        let mut asked = arguments.as_object().cloned().expect("arguments");
        asked.insert("question".to_owned(), "prolong a session".into());
        assert_eq!(client.said("which_function", asked.into()), plain, "{arguments}");
        client.end();
    }
}

#[test]
fn globs_that_match_no_file_are_named() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let said = client.said("which_function", json!({"question": "prolong a session", "paths": ["lib/**", "app/**"]}));
    assert!(said.contains("Session.renew") && said.ends_with("note: `lib/**` matches no file\n"), "{said}");
    let said = client.said("which_function", json!({"question": "prolong a session", "paths": ["lib/**"]}));
    assert!(said.ends_with("note: `lib/**` matches no file\n"), "{said}");
    let said = client.said("which_function", json!({"question": "prolong a session", "paths": ["!lib/**"]}));
    assert!(!said.contains("matches no file"), "{said}");
    let other = env.outside("other");
    std::fs::create_dir_all(&other).expect("folder");
    let glob = format!("{}/**", other.display());
    let said = client.failure("which_function", json!({"question": "prolong a session", "paths": [glob]}));
    assert!(said.contains(&glob) && said.contains("is outside the repository"), "{said}");
    client.end();
}

#[test]
fn a_folder_without_code_is_named() {
    let env = Env::new();
    let mut client = Client::start(&env, &[]);
    let said = client.failure("which_function", json!({"question": "prolong a session"}));
    assert!(said.contains(env.repo().to_str().expect("text")) && said.contains("contains no code"), "{said}");
    assert!(said.contains("whichfn mcp DIR"), "{said}");
    client.end();
}

#[test]
fn the_first_candidate_is_shown_with_its_code_as_written() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let said = client.which("prolong a session if its token is still good");
    assert_eq!(
        candidates(&said)[0],
        "app/session.py:5-8 Session.renew: Prolong the session by an hour if its token still counts. [calls 2, 3]"
    );
    let code = "    def renew(self, token):\n        \"\"\"Prolong the session by an hour if its token still counts.\"\"\"\n        check(token)\n";
    assert!(said.contains(code), "{said}");
    assert!(said.contains("(calls check:14, expiry:10)\n"), "helpers by name: {said}");
    client.end();
}

#[test]
fn candidates_that_call_each_other_appear_together() {
    let mut text = "def shear(sheep):\n    \"\"\"Cut the wool of a sheep.\"\"\"\n    return clip(sheep)\n\n".to_owned();
    text += "def weigh(sheep):\n    \"\"\"Weigh the wool that was cut from a sheep.\"\"\"\n    return sheep.mass\n\n";
    text += "def clip(sheep):\n    \"\"\"Hold the sheep.\"\"\"\n    return sheep.wool\n";
    let env = Env::with(&[("sheep.py", &text)]);
    let mut client = Client::start(&env, &[]);
    let said = client.which("cut the wool of a sheep");
    let lines = candidates(&said);
    assert!(lines[0].starts_with("sheep.py:1-3 shear: ") && lines[0].ends_with("[calls 2]"), "{said}");
    assert!(lines[1].starts_with("sheep.py:9-11 clip: ") && lines[1].ends_with("[called by 1]"), "{said}");
    client.end();
}

#[test]
fn a_repeated_question_does_not_repeat_code() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    assert!(client.which("prolong a session").contains("check(token)"));
    let again = client.which("prolong a session");
    assert!(!again.contains("check(token)") && again.contains("[code shown before]"), "{again}");
    assert!(client.show("Session.renew").contains("check(token)"), "`show` prints it again");
    env.write("app/session.py", SESSION.replace("check(token)", "check(token, self)"));
    assert!(client.which("prolong a session").contains("check(token, self)"), "changed code is new");
    client.end();
}

#[test]
fn show_prints_exact_lines_with_callers_and_callees() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let said = client.show("Session.expiry");
    let code = "    def expiry(self):\n        return now() + 3600\n";
    assert_eq!(
        said,
        format!("app/session.py:10-11\n{code}(calls now)\n(called by renew:5)\n"),
        "an edit tool finds the lines"
    );
    assert!(SESSION.contains(code));
    assert_eq!(client.show("app/session.py:11"), said, "by location");
    assert_eq!(client.show("app/session.py:10-11"), format!("app/session.py:10-11\n{code}"), "a range");
    let both = client.said("show", json!({"of": ["Session.expiry", "now"]}));
    assert!(both.starts_with(&said) && both.contains("app/clock.py:1-"), "several: {both}");
    client.end();
}

#[test]
fn show_prints_the_outline_of_a_file() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let said = client.show("app/session.py");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines[0], "app/session.py");
    assert!(lines.iter().any(|line| line.starts_with("  ") && line.ends_with("10-11 expiry")), "{said}");
    client.end();
}

#[test]
fn an_override_is_listed_with_what_it_overrides() {
    let doors = "class Door:\n    def open(self): pass\n\nclass Gate(Door):\n    def open(self): pass\n";
    let env = Env::with(&[("doors.py", doors)]);
    let mut client = Client::start(&env, &[]);
    assert_eq!(client.graph("Door.open", "implementations"), ["doors.py:5 Gate.open (overrides)"]);
    assert_eq!(client.graph("Gate.open", "implementations"), ["doors.py:2 Door.open (overridden by it)"]);
    assert_eq!(client.graph("Door", "implementations"), ["doors.py:4 Gate (extends)"]);
    client.end();
}

#[test]
fn the_graph_lists_callers_tests_impact_paths_and_uses() {
    let test = "from app.session import Session\n\n\ndef test_renew():\n    Session().renew('t')\n";
    let env = Env::with(&[("app/session.py", SESSION), ("app/clock.py", CLOCK), ("tests/test_session.py", test)]);
    let mut client = Client::start(&env, &[]);
    assert_eq!(
        client.graph("Session.expiry", "callers"),
        [
            "1 caller of Session.expiry (app/session.py:10-11)",
            "app/session.py:8 Session.renew (5-8): self.until = self.expiry()",
        ]
    );
    assert_eq!(
        client.graph("Session.expiry", "callees"),
        ["1 callee of Session.expiry (app/session.py:10-11)", "app/clock.py:1-2 now: 11 return now() + 3600"]
    );
    assert_eq!(
        client.graph("Session.expiry", "tests"),
        [
            "reached by 1 test",
            "tests/test_session.py:4 test_renew -> Session.renew -> Session.expiry",
            "arguments for the test runner:",
            "tests/test_session.py::test_renew",
        ]
    );
    let impact = client.graph("Session.expiry", "impact");
    assert_eq!(impact[..2], ["1 affected definition", "app/session.py:5 Session.renew (1 call)"]);
    let path = client.said("graph", json!({"of": "Session.renew", "relation": "path", "to": "now"}));
    assert_eq!(
        path.lines().collect::<Vec<_>>(),
        [
            "path of 2 calls:",
            "app/session.py:5-8 Session.renew: 8 self.until = self.expiry()",
            "app/session.py:10-11 Session.expiry: 11 return now() + 3600",
            "app/clock.py:1-2 now",
        ]
    );
    assert_eq!(
        client.graph("Session", "references"),
        [
            "2 uses of Session",
            "tests/test_session.py:1 test_session (import): from app.session import Session",
            "tests/test_session.py:5 test_renew (call): Session().renew('t')",
            "no other line of the 3 searched files contains `Session`",
        ]
    );
    client.end();
}

#[test]
fn the_graph_around_several_names_is_one_answer() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let of = json!(["Session.expiry", "now", "nope"]);
    let said = client.said("graph", json!({"of": of, "relation": "callers"}));
    assert!(said.contains("1 caller of Session.expiry (") && said.contains("1 caller of now ("), "{said}");
    assert!(said.contains("the repository has no function `nope`"), "{said}");
    let paths = json!({"of": ["Session.renew", "Session.renew"], "relation": "path", "to": "now"});
    let said = client.said("graph", paths);
    assert!(
        said.contains("path of 2 calls:\n[2 lines as above, to app/session.py:10-11 Session.expiry: 11 "),
        "{said}"
    );
    let said = client.failure("graph", json!({"of": [], "relation": "callers"}));
    assert!(said.contains("`of`"), "{said}");
    client.end();
}

#[test]
fn a_long_function_keeps_its_calls_and_keywords_unless_more_is_requested() {
    let doc: String = (0..20).map(|n| format!("    Paragraph {n}.\n")).collect();
    let plain = |from: u32| (from..from + 30).map(|n| format!("    value_{n} = {n}\n")).collect::<String>();
    let body = format!("    if ready:\n        load()\n{}    while ready:\n        wait()\n", plain(0));
    let text = format!(
        "def load():\n    pass\n\n\ndef start(ready):\n    \"\"\"Start.\n\n{doc}    \"\"\"\n{body}{}",
        plain(30)
    );
    let env = Env::with(&[("start.py", &text)]);
    let mut client = Client::start(&env, &[]);
    let said = client.show("start");
    let head = "start.py:5-92\n[67 of 88 lines; show start.py:5-92 prints all]\ndef start(ready):\n    \"\"\"Start.\n\n[lines 8-28]\n";
    assert!(said.starts_with(head), "the documentation is shortened: {said}");
    let longer = format!("{text}{}", plain(60));
    env.write("start.py", &longer);
    let said = client.show("start");
    let kept = "    if ready:\n        load()\n[lines 31-60]\n    while ready:\n[lines 62-122]\n";
    assert!(said.contains(kept) && !said.contains("value_9 "), "then lines without calls and keywords: {said}");
    let all = client.said("show", json!({"of": "start.py:5-122", "max_tokens": 5_000}));
    assert!(all.contains("value_89 = ") && all.contains("Paragraph 7."), "{all}");
    let all = client.said("show", json!({"of": "start", "max_tokens": 5_000}));
    assert!(all.contains("value_89 = ") && all.contains("Paragraph 7."), "{all}");
    client.end();
}

/// Returns a repository in which a call may run `count` overrides.
fn stores(count: usize) -> Env {
    let mut text = "class Store:\n    def save(self):\n        \"\"\"Save it. Now.\"\"\"\n\n".to_owned();
    text += "def pack(goods):\n    return goods\n\ndef run(store: Store):\n    store.save()\n\n";
    for n in 0..count {
        text += &format!("class Store{n}(Store):\n    def save(self):\n        pack({n})\n\n");
    }
    Env::with(&[("store.py", &text)])
}

#[test]
fn a_flow_lists_the_lines_of_definitions_and_overrides_once() {
    let flow = json!({"of": "run", "relation": "callees", "depth": 3});
    let env = stores(2);
    let mut client = Client::start(&env, &[]);
    let said = client.said("graph", flow.clone());
    assert_eq!(
        said.lines().collect::<Vec<_>>(),
        [
            "3 callees of run (store.py:8-9)",
            "store.py:2-3 Store.save: 9 store.save() // Save it. [or 12-13, 16-17]",
            "  5-6 pack: 13 pack(0)",
            "  (also pack:17)",
        ]
    );
    client.end();
    let env = stores(9);
    let mut client = Client::start(&env, &[]);
    let said = client.said("graph", flow);
    assert!(said.contains("[or 12-13, 16-17, 20-21, 24-25, 28-29, 32-33 and 3 more]"), "{said}");
    assert!(!said.contains("pack"), "many overrides are not followed: {said}");
    client.end();
}

#[test]
fn an_answer_that_leaves_lines_out_names_the_argument_for_all() {
    let calls: String = (0..90).map(|n| format!("def call_{n}():\n    load({n})\n\n")).collect();
    let env = Env::with(&[("load.py", &format!("def load(n):\n    return n\n\n{calls}"))]);
    let mut client = Client::start(&env, &[]);
    let said = client.said("graph", json!({"of": "load", "relation": "callers"}));
    assert!(said.contains("[the first 60 of 90; pass limit 90 for all]"), "{said}");
    let short = client.said("graph", json!({"of": "load", "relation": "callers", "max_tokens": 200}));
    let (_, next) = short.split_once("; pass max_tokens ").expect("what prints all");
    let needed: usize = next.split(' ').next().and_then(|number| number.parse().ok()).expect("a number");
    let said =
        client.said("graph", json!({"of": "load", "relation": "callers", "limit": 90, "max_tokens": 2 * needed}));
    assert!(said.contains("call_89 ") && !said.contains("for all]"), "{said}");
    let said = client.said("graph", json!({"of": "load", "relation": "callers", "max_tokens": needed}));
    assert!(!said.contains("max_tokens"), "{said}");
    client.end();
}

#[test]
fn the_state_of_the_index_is_a_resource() {
    let env = app();
    let mut client = Client::start(&env, &[]);
    let listed = client.request("resources/list", json!({}));
    assert_eq!(listed["result"]["resources"][0]["uri"], "whichfn://status", "{listed}");
    client.which("expiry");
    let read = client.request("resources/read", json!({"uri": "whichfn://status"}));
    let text = read["result"]["contents"][0]["text"].as_str().expect("text");
    let status: Value = serde_json::from_str(text).expect("JSON");
    let repository = &status["repositories"][0];
    assert_eq!((&repository["state"], &repository["files"]), (&json!("ready"), &json!(2)), "{status}");
    let unknown = client.request("resources/read", json!({"uri": "whichfn://other"}));
    assert!(unknown["error"]["message"].as_str().is_some_and(|what| what.contains("whichfn://status")), "{unknown}");
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
    assert!(!candidates(&text(&answer["result"])).is_empty(), "{answer}");
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
    assert_eq!(client.request("tools/list", json!({}))["result"]["tools"][1]["name"], "show");
    assert!(!candidates(&client.which("expiry")).is_empty());
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
    assert!(!places(&client.which("count the sheep")).contains(&"app/sheep.py:1-2"));
    env.write("app/sheep.py", "def count_sheep(meadow):\n    return len(meadow)\n");
    assert_eq!(places(&client.which("count the sheep"))[0], "app/sheep.py:1-2");
    env.write("app/sheep.py", "import os\n\n\ndef count_sheep(meadow):\n    return len(meadow)\n");
    assert_eq!(places(&client.which("count the sheep"))[0], "app/sheep.py:4-5");
    env.remove("app/sheep.py");
    let said = client.failure("show", json!({"of": ["count_sheep"]}));
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
    let (below, uri) = (format!("{other}/sheep.py"), format!("file://{other}/"));
    for root in [other.as_str(), "other", &below, &uri] {
        let said = client.said("which_function", json!({"question": "count the sheep", "root": root}));
        assert_eq!(places(&said), ["sheep.py:1-2"], "{root}");
    }
    // An absolute path needs no root.
    assert!(client.show(&format!("{other}/sheep.py:1")).starts_with("sheep.py:1-2\n"));
    let said = client.said("which_function", json!({"question": "count the sheep", "paths": [format!("{other}/**")]}));
    assert_eq!(places(&said), ["sheep.py:1-2"]);
    client.end();
}

#[test]
fn nothing_outside_the_repository_is_read() {
    let env = app();
    std::fs::write(env.outside("secret.py"), "def secret():\n    return 'password'\n").expect("file");
    let mut client = Client::start(&env, &[]);
    let outside = env.outside("").to_string_lossy().into_owned();
    for root in ["..", "../", "/", "/etc", "repo/..", outside.as_str()] {
        let said = client.failure("which_function", json!({"question": "secret", "root": root}));
        assert!(said.contains("does not match exactly one repository of this server"), "{said}");
    }
    let secret = env.outside("secret.py").to_string_lossy().into_owned();
    let ranges = [
        "../secret.py:1-2",
        "/etc/passwd:1-2",
        "app/session.py:0-2",
        "app/session.py:9-2",
        "a:-1--1",
        "a:1-99999999999",
    ];
    let names = ["../secret.py", "../secret.py:1", "/etc/passwd:1", "", "#", "#zzzzzz", "\u{0}", ":", "::", &secret];
    for function in ranges.into_iter().chain(names) {
        let said = client.failure("show", json!({"of": [function]}));
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
        ("which_function", json!({"question": "x", "max_tokens": 1}), "max_tokens 1"),
        ("show", json!({"of": []}), "empty"),
        ("show", json!({"of": ["expires"]}), "Session.expiry"),
        ("graph", json!({"of": "expiry", "relation": "friends"}), "callers"),
        ("graph", json!({"of": "expiry", "relation": "path"}), "`to`"),
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
fn a_name_of_several_functions_is_answered_with_their_locations() {
    let env = Env::with(&[("a.py", "def run():\n    pass\n"), ("b.py", "def run():\n    pass\n")]);
    let mut client = Client::start(&env, &[]);
    let said = client.failure("show", json!({"of": ["run"]}));
    assert!(said.contains("a.py:1 run") && said.contains("b.py:1 run"), "{said}");
    assert!(client.show("b.py:1").starts_with("b.py:1-2\n"));
    client.end();
}

// ---- answer for the agent

/// Returns a repository with many similar functions of 43 lines each.
fn orchard() -> Env {
    let body = |n: usize| {
        let line =
            |m: usize| format!("    harvest_{m} = gather(apples_{n}, pears_{m}, orchard_row_{m}_of_{n}) + {m}\n");
        let lines: String = (0..40).map(line).collect();
        format!("def harvest_{n}(orchard):\n    \"\"\"Gather apples of row {n}.\"\"\"\n{lines}    return harvest_{n}\n")
    };
    let files: Vec<(String, String)> = (0..40).map(|n| (format!("row_{n}.py"), body(n))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    Env::with(&files)
}

#[test]
fn an_answer_has_at_most_the_requested_tokens() {
    let env = orchard();
    let mut client = Client::start(&env, &[]);
    for most in [300, whichfn::mcp::TOKENS, 3_000] {
        let arguments = json!({"question": format!("gather apples and pears {most}"), "limit": 30, "max_tokens": most});
        let said = client.said("which_function", arguments);
        let tokens = whichfn_memory::count_tokens(&said);
        // A name or a note may be counted a little differently alone and in the text around it.
        assert!(tokens <= most + most / 10, "{tokens} tokens: {said}");
        assert!(places(&said).len() >= 3, "{said}");
    }
    let said = client.said("which_function", json!({"question": "gather apples and pears"}));
    assert!(said.contains("[lines "), "long code is an excerpt: {said}");
    let whole = client.said("show", json!({"of": ["harvest_3"], "max_tokens": 4_000}));
    assert!(whole.contains("return harvest_3"), "a function in full: {whole}");
    let part = client.said("show", json!({"of": ["harvest_3"], "max_tokens": 200}));
    assert!(part.contains("[lines ") && !part.contains("return harvest_3"), "as much as fits: {part}");
    client.end();
}

#[test]
fn further_functions_are_named_by_file() {
    let body = |n: usize| {
        format!("def gather_{n}(orchard):\n    \"\"\"Gather apples of row {n}.\"\"\"\n    return orchard\n\n")
    };
    let file = |functions: std::ops::Range<usize>| functions.map(body).collect::<String>();
    let env = Env::with(&[("east.py", &file(0..12)), ("west.py", &file(12..24))]);
    let mut client = Client::start(&env, &[]);
    let said = client.which("gather apples");
    assert_eq!(places(&said).len(), 10, "{said}");
    let (_, further) = said.split_once("others by name:\n").expect("further names");
    let mut files: Vec<&str> = further.lines().filter_map(|line| line.split_once(": ")).map(|(path, _)| path).collect();
    files.sort_unstable();
    assert_eq!(files, ["east.py", "west.py"], "{said}");
    let names = further.lines().flat_map(|line| line.split(", ")).count();
    assert!((10..=20).contains(&names), "{said}");
    client.end();
}

#[test]
fn a_misspelled_name_is_an_error_with_the_right_name_and_hides_no_other_code() {
    let env = Env::with(&[("barn.py", "def store_hay():\n    return 1\n\n\ndef burn_hay():\n    return 2\n")]);
    let mut client = Client::start(&env, &[]);
    let both = client.said("show", json!({"of": ["burn_hay", "store_hey"]}));
    assert!(both.contains("return 2") && both.contains("store_hay") && !both.contains("return 1"), "{both}");
    client.end();
}

#[test]
fn overloads_are_listed_under_one_candidate() {
    let text = "class Barn {\n    void store(Hay hay) { loft.add(hay); }\n    void store(Straw straw) { loft.add(straw); }\n    void burn(Hay hay) { loft.remove(hay); }\n}\n";
    let env = Env::with(&[("Barn.java", text)]);
    let mut client = Client::start(&env, &[]);
    let said = client.which("store hay in the loft");
    assert_eq!(places(&said), ["Barn.java:2", "Barn.java:4"], "{said}");
    assert!(candidates(&said)[0].ends_with("[overloads :3]"), "{said}");
    client.end();
}

#[test]
fn inner_helpers_are_listed_under_their_function() {
    let text = "def sort_sheep(sheep):\n    def compare_sheep(a, b):\n        return a.wool - b.wool\n\n    return sorted(sheep, key=compare_sheep)\n";
    let env = Env::with(&[("sheep.py", text)]);
    let mut client = Client::start(&env, &[]);
    let said = client.which("compare sheep by wool");
    assert_eq!(places(&said), ["sheep.py:1-5"], "{said}");
    assert!(candidates(&said)[0].ends_with("[contains compare_sheep:2]"), "{said}");
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
        let said = client.said("which_function", json!({"question": "prolong a session", "kind": kind}));
        assert_eq!(!candidates(&said).is_empty(), functions, "{said}");
        let (_, passages) = said.split_once("documentation:\n").expect("passages");
        assert!(passages.starts_with("docs/guide.md:3-4 Sessions › Prolonging a session\n"), "{said}");
        assert!(whichfn_memory::count_tokens(&said) <= whichfn::mcp::TOKENS, "{said}");
    }
    assert!(!client.which("prolong a session").contains("documentation:"));
}

#[test]
fn answers_state_that_calls_of_a_language_are_not_linked() {
    let env = crate::support::unlinked::ruby();
    let mut client = Client::start(&env, &[]);
    for relation in ["callers", "callees", "references", "tests", "impact"] {
        let answer = client.said("graph", json!({"of": "Shop::open_shop", "relation": relation}));
        assert_eq!(answer.matches(crate::support::unlinked::NOTICE).count(), 1, "{relation}: {answer}");
    }
    let answer = client.said("show", json!({"of": ["Shop::open_shop", "Shop::tidy"]}));
    assert_eq!(answer.matches(crate::support::unlinked::NOTICE).count(), 1, "{answer}");
    let answer = client.said("which_function", json!({"question": "opens the shop"}));
    assert!(answer.contains(crate::support::unlinked::NOTICE), "{answer}");
}

#[test]
fn callers_of_a_function_that_is_only_stored_name_its_uses() {
    let env = Env::with(&[("a.py", "def store(x):\n    return x\n\n\ndef run(pool):\n    pool.handler = store\n")]);
    let mut client = Client::start(&env, &[]);
    let answer = client.said("graph", json!({"of": "store", "relation": "callers"}));
    assert!(answer.contains("0 callers of store") && answer.contains("1 other use"), "{answer}");
}

#[test]
fn an_answer_without_a_fitting_function_names_the_kind_for_documentation() {
    let env = Env::with(&[("src/session.py", SESSION), ("app.toml", "[limits]\nupload_megabytes = 5\n")]);
    let mut client = Client::start(&env, &[]);
    let said = client.which("upload megabytes");
    assert!(said.contains("pass `kind`: \"docs\" for documentation and settings"), "{said}");
    let said = client.which("która funkcja wysyła wiadomość");
    assert!(said.starts_with("the question does not seem to be in English"), "{said}");
    let long = vec!["upload"; 300].join(" ");
    let said = client.said("which_function", json!({"question": long, "kind": "docs"}));
    assert!(said.contains("app.toml:1-2") && said.contains("note: the question is too long"), "{said}");
    client.end();
}
