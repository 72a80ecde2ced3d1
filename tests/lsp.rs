//! End-to-end tests of `whichfn lsp`: the program itself, with the framing of the protocol.

use crate::support::env::Env;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

const TILL: &str = r#""""The till of a shop."""


def open_drawer(till):
    """Open the drawer of the till."""
    return till.drawer


def count_coins(till):
    """Count the coins that lie in the drawer."""
    größe = "👩"; drawer = open_drawer(till)
    return sum(drawer), größe


class Till:
    def close_shop(self):
        """Close the shop at night and write down what was earned."""
        return count_coins(self) + count_coins(self)
"#;

fn shop() -> Env {
    Env::with(&[
        ("till.py", TILL),
        ("größe shop/other.py", "from till import open_drawer\n\n\ndef peek(till):\n    return open_drawer(till)\n"),
    ])
}

/// An editor and the server that it started.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// Notifications and requests that the server sent before the awaited answer.
    received: Vec<Value>,
    asked: u64,
}

impl Editor {
    fn start(env: &Env, arguments: &[&str]) -> Self {
        let mut command = env.process();
        command.arg("lsp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("start");
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().expect("pipe")));
        Self { child, input, output, received: Vec::new(), asked: 0 }
    }

    /// Starts an editor and sends its open folder.
    fn open(env: &Env) -> Self {
        let mut editor = Self::start(env, &[]);
        let folder = json!([{"uri": uri(&env.repo()), "name": "shop"}]);
        let params = json!({"processId": null, "capabilities": {"window": {"workDoneProgress": true}}, "workspaceFolders": folder});
        let said = editor.ask("initialize", params);
        assert_eq!(said["capabilities"]["callHierarchyProvider"], true, "{said}");
        editor.notify("initialized", json!({}));
        editor
    }

    fn send_raw(&mut self, text: &str) {
        let input = self.input.as_mut().expect("open");
        input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("sent");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_raw(&format!("Content-Length: {}\r\n\r\n{text}", text.len()));
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Returns the next message of the server; `None` if the server has ended.
    fn receive(&mut self) -> Option<Value> {
        let mut length = None;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).expect("a line of the head") == 0 {
                return None;
            }
            match line.trim_end() {
                "" => break,
                line => length = line.strip_prefix("Content-Length: ").map(|n| n.parse::<usize>().expect("length")),
            }
        }
        let mut bytes = vec![0; length.expect("a length")];
        self.output.read_exact(&mut bytes).expect("the message");
        let message: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(message["jsonrpc"], "2.0");
        Some(message)
    }

    fn request(&mut self, method: &str, params: Value) -> u64 {
        self.asked += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}));
        self.asked
    }

    /// Returns the answer with this id.
    fn answer(&mut self, id: &Value) -> Value {
        loop {
            let message = self.receive().unwrap_or_else(|| panic!("no answer to {id}: {:?}", self.received));
            if message["id"] == *id && message["method"].is_null() {
                return message;
            }
            self.received.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.answer(&json!(id));
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    fn error(&mut self, method: &str, params: Value) -> i64 {
        let id = self.request(method, params);
        self.answer(&json!(id))["error"]["code"].as_i64().expect("an error")
    }

    fn names(&mut self, query: &str) -> Vec<String> {
        let found = self.ask("workspace/symbol", json!({"query": query}));
        found.as_array().expect("list").iter().map(|one| text(&one["name"])).collect()
    }

    /// Ends the session with `shutdown` and `exit`. Returns the server's standard error.
    fn end(mut self) -> String {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        assert_eq!(self.error("workspace/symbol", json!({"query": "x"})), -32600, "nothing is done after shutdown");
        self.notify("exit", Value::Null);
        self.ended(0)
    }

    fn ended(mut self, code: i32) -> String {
        assert_eq!(self.receive(), None, "nothing but messages, and then nothing");
        assert_eq!(self.child.wait().expect("end").code(), Some(code));
        let mut said = String::new();
        self.child.stderr.take().expect("pipe").read_to_string(&mut said).expect("text");
        said
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn uri(path: &Path) -> String {
    whichfn_text::file_uri(path)
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("text: {value}")).to_owned()
}

fn at(env: &Env, path: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri(&env.at(path))}, "position": {"line": line, "character": character}})
}

fn range(line: u32, start: u32, end: u32) -> Value {
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

#[test]
fn a_question_and_a_part_of_a_name_are_answered() {
    let env = shop();
    let mut editor = Editor::open(&env);
    let found = editor.ask("workspace/symbol", json!({"query": "what was earned when the shop closes at night"}));
    let first = &found[0];
    assert_eq!(
        (&first["name"], &first["kind"], &first["containerName"]),
        (&json!("close_shop"), &json!(6), &json!("Till"))
    );
    assert_eq!(first["location"], json!({"uri": uri(&env.at("till.py")), "range": range(15, 8, 18)}));
    assert_eq!(editor.names("drawe")[0], "open_drawer");
    assert_eq!(editor.names("TILL")[..1], ["Till"], "types too, in whatever case");
    assert_eq!(editor.names("  "), Vec::<String>::new());
    assert_eq!(editor.end(), "", "nothing on standard error");
}

#[test]
fn what_a_question_names_exactly_is_the_first_symbol() {
    let python = "def max_items_of(store):\n    return store\n\n\nMAX_ITEMS = 8\n\n\nclass Store:\n    size = 1\n";
    let env = Env::with(&[("store.py", python)]);
    let mut editor = Editor::open(&env);
    let found = editor.ask("workspace/symbol", json!({"query": "MAX_ITEMS"}));
    assert_eq!((&found[0]["name"], &found[0]["kind"]), (&json!("MAX_ITEMS"), &json!(13)), "{found}");
    assert_eq!(found[0]["location"], json!({"uri": uri(&env.at("store.py")), "range": range(4, 0, 9)}));
    for (question, first) in [("maxItems", "MAX_ITEMS"), ("Store.size", "size"), ("Store", "Store")] {
        assert_eq!(editor.names(question)[0], first, "{question}");
    }
    assert_eq!(editor.end(), "", "nothing on standard error");
}

#[test]
fn the_call_hierarchy_is_that_of_the_graph() {
    let env = shop();
    let mut editor = Editor::open(&env);
    let prepared = editor.ask("textDocument/prepareCallHierarchy", at(&env, "till.py", 3, 6));
    let item = &prepared[0];
    assert_eq!((&item["name"], &item["selectionRange"]), (&json!("open_drawer"), &range(3, 4, 15)), "{item}");
    let callers = editor.ask("callHierarchy/incomingCalls", json!({"item": item}));
    let from: Vec<(String, Value)> = callers
        .as_array()
        .expect("list")
        .iter()
        .map(|call| (text(&call["from"]["name"]), call["fromRanges"].clone()))
        .collect();
    // Columns count UTF-16 units, and 👩 has two.
    let expected =
        [("peek".to_owned(), json!([range(4, 11, 22)])), ("count_coins".to_owned(), json!([range(10, 27, 38)]))];
    assert_eq!(from, expected);
    assert_eq!(callers[0]["from"]["uri"], uri(&env.at("größe shop/other.py")));
    let callees = editor.ask("callHierarchy/outgoingCalls", json!({"item": callers[1]["from"]}));
    assert_eq!(
        (&callees[0]["to"]["name"], &callees[0]["fromRanges"]),
        (&json!("open_drawer"), &json!([range(10, 27, 38)]))
    );
    let twice = editor.ask("textDocument/prepareCallHierarchy", at(&env, "till.py", 15, 10));
    let callees = editor.ask("callHierarchy/outgoingCalls", json!({"item": twice[0]}));
    assert_eq!(callees[0]["fromRanges"], json!([range(17, 15, 26), range(17, 35, 46)]));
    let called = editor.ask("textDocument/prepareCallHierarchy", at(&env, "till.py", 10, 30));
    assert_eq!(called[0]["name"], "open_drawer", "a call means what it calls");
    let around = editor.ask("textDocument/prepareCallHierarchy", at(&env, "till.py", 11, 3));
    assert_eq!(around[0]["name"], "count_coins", "elsewhere it is the function around");
    assert_eq!(editor.ask("textDocument/prepareCallHierarchy", at(&env, "till.py", 1, 0)), Value::Null);
    let mut gone = item.clone();
    gone["data"]["name"] = json!("closed_drawer");
    assert_eq!(editor.error("callHierarchy/incomingCalls", json!({"item": gone})), -32803);
}

#[test]
fn implementations_and_the_type_hierarchy_are_those_of_the_graph() {
    let doors = "class Door:\n    def open(self): pass\n\nclass Gate(Door):\n    def open(self): pass\n";
    let env = Env::with(&[("doors.py", doors)]);
    let mut editor = Editor::open(&env);
    let found = editor.ask("textDocument/implementation", at(&env, "doors.py", 1, 9));
    assert_eq!(found, json!([{"uri": uri(&env.at("doors.py")), "range": range(4, 8, 12)}]));
    let found = editor.ask("textDocument/implementation", at(&env, "doors.py", 0, 7));
    assert_eq!(found[0]["range"], range(3, 6, 10));
    let door = editor.ask("textDocument/prepareTypeHierarchy", at(&env, "doors.py", 0, 7));
    let below = editor.ask("typeHierarchy/subtypes", json!({"item": door[0]}));
    assert_eq!(below[0]["name"], "Gate");
    let above = editor.ask("typeHierarchy/supertypes", json!({"item": below[0]}));
    assert_eq!(above[0]["name"], "Door");
    assert_eq!(editor.ask("textDocument/prepareTypeHierarchy", at(&env, "doors.py", 1, 9)), Value::Null);
}

#[test]
fn uses_definitions_and_documentation_are_shown_for_a_name() {
    let env = shop();
    let mut editor = Editor::open(&env);
    let call = at(&env, "größe shop/other.py", 4, 15);
    let location = |path: &str, range: Value| json!({"uri": uri(&env.at(path)), "range": range});
    assert_eq!(editor.ask("textDocument/definition", call.clone()), json!([location("till.py", range(3, 4, 15))]));
    let hover = editor.ask("textDocument/hover", call.clone());
    let described = text(&hover["contents"]["value"]);
    assert!(described.starts_with("def open_drawer(till)") && described.contains("Open the drawer"), "{described}");
    let uses = editor.ask("textDocument/references", call.clone());
    let expected = [
        location("größe shop/other.py", range(0, 17, 28)),
        location("größe shop/other.py", range(4, 11, 22)),
        location("till.py", range(10, 27, 38)),
    ];
    assert_eq!(uses, json!(expected));
    let mut with_declaration = call;
    with_declaration["context"] = json!({"includeDeclaration": true});
    let uses = editor.ask("textDocument/references", with_declaration);
    assert_eq!(uses[3], location("till.py", range(3, 4, 15)), "the declaration is the range of the name");
    assert_eq!(editor.ask("textDocument/hover", at(&env, "till.py", 1, 0)), Value::Null);
    assert_eq!(editor.ask("textDocument/definition", at(&env, "till.py", 1, 0)), json!([]));
}

#[test]
fn the_declaration_of_a_constant_is_the_range_of_its_name() {
    let env = Env::with(&[("till.py", "COINS = '👩'; NOTES = 2\n\n\ndef count():\n    return NOTES\n")]);
    let mut editor = Editor::open(&env);
    let mut params = at(&env, "till.py", 4, 12);
    params["context"] = json!({"includeDeclaration": true});
    let found = editor.ask("textDocument/references", params);
    let ranges: Vec<&Value> = found.as_array().expect("list").iter().map(|one| &one["range"]).collect();
    assert_eq!(ranges, [&range(4, 11, 16), &range(0, 14, 19)]);
}

#[test]
fn the_outline_of_a_document_is_a_tree() {
    let env = shop();
    let mut editor = Editor::open(&env);
    let found = editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": uri(&env.at("till.py"))}}));
    let names: Vec<String> = found.as_array().expect("list").iter().map(|one| text(&one["name"])).collect();
    assert_eq!(names, ["open_drawer", "count_coins", "Till"]);
    let inner = &found[2]["children"][0];
    assert_eq!((&inner["name"], &inner["selectionRange"]), (&json!("close_shop"), &range(15, 8, 18)));
}

#[test]
fn a_completion_uses_the_editors_text() {
    let env = shop();
    let mut editor = Editor::open(&env);
    let new = uri(&env.at("new.py"));
    let typed = "def evening(till):\n    # 👩 count the coins in the drawer\n    x = ";
    editor.notify(
        "textDocument/didOpen",
        json!({"textDocument": {"uri": new, "languageId": "python", "version": 1, "text": ""}}),
    );
    let change = json!([{"text": typed}]);
    editor.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": new, "version": 2}, "contentChanges": change}),
    );
    let context = editor.ask("whichfn/context", at(&env, "new.py", 2, 8));
    let first = &context["fragments"][0];
    assert_eq!((&first["path"], &first["uri"]), (&json!("till.py"), &json!(uri(&env.at("till.py")))), "{context}");
    assert!(text(&first["text"]).contains("def count_coins") && text(&context["prompt"]).contains("# "), "{context}");
    let mut few = at(&env, "new.py", 2, 8);
    few["budget"] = json!(1);
    assert_eq!(editor.ask("whichfn/context", few)["fragments"], json!([]));
    editor.notify("textDocument/didClose", json!({"textDocument": {"uri": new}}));
    assert_eq!(editor.error("whichfn/context", at(&env, "new.py", 2, 8)), -32803, "it was never saved");
}

#[test]
fn saved_changes_are_found() {
    let env = shop();
    let mut editor = Editor::open(&env);
    assert!(!editor.names("zebra").contains(&"zebra_stripes".to_owned()));
    env.write("zebra.py", "def zebra_stripes(foal):\n    return foal\n");
    editor.notify("textDocument/didSave", json!({"textDocument": {"uri": uri(&env.at("zebra.py"))}}));
    assert_eq!(editor.names("zebra"), ["zebra_stripes"]);
    env.write("zebra.py", "def koala(foal):\n    return foal\n");
    assert_eq!(editor.names("koala"), ["koala"], "and what changed in another way");
}

#[test]
fn a_damaged_index_is_rebuilt_while_serving() {
    let env = shop();
    let mut editor = Editor::open(&env);
    assert_eq!(editor.names("drawe")[0], "open_drawer");
    for path in crate::support::env::entries(&env.index_folder()) {
        if path.is_dir() {
            std::fs::remove_dir_all(path).expect("removed");
        }
    }
    assert_eq!(editor.names("drawe")[0], "open_drawer");
}

#[test]
fn invalid_messages_get_the_errors_of_the_protocol() {
    let env = shop();
    let mut editor = Editor::start(&env, &["--stdio"]);
    assert_eq!(editor.error("workspace/symbol", json!({"query": "x"})), -32002, "before initialize");
    editor.notify("textDocument/didSave", json!({}));
    editor.ask("initialize", json!({"rootUri": uri(&env.repo()), "capabilities": {}}));
    assert_eq!(editor.error("initialize", json!({})), -32600, "twice");
    assert_eq!(editor.error("textDocument/rename", at(&env, "till.py", 1, 1)), -32601);
    assert_eq!(editor.error("workspace/symbol", json!({"quarry": "x"})), -32602);
    assert_eq!(editor.error("workspace/symbol", json!([1])), -32602);
    let outside = json!({"textDocument": {"uri": "file:///etc/passwd"}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.error("textDocument/prepareCallHierarchy", outside), -32602);
    let below = format!("{}/../../x.py", uri(&env.repo()));
    let below = json!({"textDocument": {"uri": below}, "position": {"line": 0, "character": 0}});
    assert_eq!(editor.error("whichfn/context", below), -32602, "a way out of the folder");
    for (raw, code) in [
        ("Content-Length: 3\r\n\r\n{x}", -32700),
        ("Content-Length: 99999999999\r\n", 0),
        ("hello\r\n", -32700),
        ("Content-Length: 2\r\n\r\n[]", -32600),
        ("Content-Length: 2\r\n\r\n{}", -32600),
        ("Content-Length: 15\r\n\r\n{\"method\": true}", -32700),
    ] {
        // The server would wait for the rest of a message that is shorter than announced.
        if code != 0 {
            editor.send_raw(raw);
            let answer = editor.answer(&Value::Null);
            assert_eq!(answer["error"]["code"], code, "{raw}: {answer}");
        }
        if raw.contains("15") {
            editor.send_raw("\r\n");
        }
    }
    let mut deep = "[".repeat(100_000);
    deep += &"]".repeat(100_000);
    editor.send_raw(&format!("Content-Length: {}\r\n\r\n{deep}", deep.len()));
    assert_eq!(editor.answer(&Value::Null)["error"]["code"], -32700, "too deep");
    editor.send(&json!({"jsonrpc": "2.0", "id": "unasked", "result": null}));
    editor.notify("no/such/notification", json!({}));
    assert_eq!(editor.names("drawe")[0], "open_drawer", "it goes on after all of that");
    assert_eq!(editor.end(), "");
}

/// After each of these streams, the start of the next message is unknown, so the server must not
/// wait for one.
#[test]
fn a_malformed_stream_ends_with_an_error() {
    let env = shop();
    for raw in [
        "Content-Length: -1\r\n\r\n",
        "Content-Length: 99999999999999999999\r\n\r\n",
        "Content-Length: 10000000000\r\n\r\n{}",
        "Content-Length: abc\r\n\r\n{}",
        "X: y\r\n\r\n{}",
        "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
        &"A".repeat(5_000),
    ] {
        let mut editor = Editor::start(&env, &["--stdio"]);
        editor.ask("initialize", json!({"rootUri": uri(&env.repo()), "capabilities": {}}));
        editor.send_raw(raw);
        assert_eq!(editor.answer(&Value::Null)["error"]["code"], -32700, "{raw}");
        // The input is still open, so the end of the output shows that the program ended.
        while editor.receive().is_some() {}
        assert_eq!(editor.child.wait().expect("an end").code(), Some(2), "{raw}");
    }
}

#[test]
fn the_first_answer_does_not_wait_for_the_index() {
    let env = Env::new();
    for file in 0..150 {
        let functions: Vec<String> =
            (0..60).map(|n| format!("def coin_{file}_{n}(x):\n    return coin_{file}_{}(x)\n\n", n / 2)).collect();
        env.write(format!("f{file}.py"), functions.concat());
    }
    let mut editor = Editor::open(&env);
    let (slow, given_up) = (editor.request("workspace/symbol", json!({"query": "coin_149_59"})), editor.asked + 1);
    assert_eq!(editor.request("workspace/symbol", json!({"query": "coin_1_1"})), given_up);
    editor.notify("$/cancelRequest", json!({"id": given_up}));
    assert_eq!(editor.answer(&json!(slow))["result"][0]["name"], "coin_149_59");
    let cancelled = editor.answer(&json!(given_up));
    assert!(cancelled["error"]["code"] == -32800 || cancelled["result"].is_array(), "{cancelled}");
    let told: Vec<&str> = editor.received.iter().filter_map(|one| one["params"]["value"]["kind"].as_str()).collect();
    assert!(
        told.first() == Some(&"begin") && told.last() == Some(&"end"),
        "progress of the index: {:?}",
        editor.received
    );
}

#[test]
fn the_server_ends_when_the_editor_disconnects() {
    let env = shop();
    let mut editor = Editor::open(&env);
    editor.input = None;
    editor.child.wait().expect("end");
    let received: Vec<Value> = std::iter::from_fn(|| editor.receive()).collect();
    assert!(received.iter().all(|one| one["id"].is_null() || one["method"].is_string()), "{received:?}");
    assert_eq!(editor.ended(1), "");
    let mut unended = Editor::open(&env);
    unended.names("x");
    unended.notify("exit", Value::Null);
    unended.ended(1);
}

#[test]
fn the_editor_shows_once_what_a_list_of_calls_lacks() {
    let env = crate::support::unlinked::ruby();
    let mut editor = Editor::open(&env);
    let prepared = editor.ask("textDocument/prepareCallHierarchy", at(&env, "shop.rb", 1, 7));
    for _ in 0..2 {
        let callers = editor.ask("callHierarchy/incomingCalls", json!({"item": prepared[0]}));
        assert_eq!(callers, json!([]));
    }
    let is_shown = |message: &&Value| message["method"] == "window/showMessage";
    let shown = editor.received.iter().filter(is_shown).map(|message| text(&message["params"]["message"]));
    let shown: Vec<String> = shown.collect();
    assert_eq!(shown.iter().filter(|line| line.contains(crate::support::unlinked::NOTICE)).count(), 1, "{shown:?}");
    assert!(shown.iter().any(|line| line.contains("1 other use")), "{shown:?}");
}
