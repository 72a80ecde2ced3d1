//! Tests `whichfn serve` over a socket: it gives the same answers as the command line, refuses
//! clients without permission, and describes the error in every bad request.

use crate::support::env::{Env, PATIENCE};
use crate::support::http::Served;
use crate::support::session::{CLOCK, SESSION};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

fn repository() -> Env {
    Env::with(&[("src/app/session.py", SESSION), ("src/app/clock.py", CLOCK)])
}

/// Removes the values that depend on the time.
fn timeless(mut value: Value) -> Value {
    for path in ["/index/ms", "/index/refreshed_files", "/query_ms"] {
        if let Some(number) = value.pointer_mut(path) {
            *number = Value::Null;
        }
    }
    // The command line prints notices on standard error.
    value.as_object_mut().map(|answer| answer.remove("notices"));
    value
}

#[test]
fn answers_equal_those_of_the_command_line() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let cases: &[(&str, Value, &[&str])] = &[
        ("/ask", json!({"question": "prolong the session"}), &["prolong the session", "--json"]),
        (
            "/ask",
            json!({"question": "the time", "k": 1, "kind": "any", "paths": ["src/**"], "snippet_lines": 2}),
            &["the time", "-k", "1", "--kind", "any", "--path", "src/**", "--snippet-lines", "2", "--json"],
        ),
        ("/ask", json!({"question": "the time", "snippet": "best"}), &["the time", "--snippet", "best", "--json"]),
        ("/callers", json!({"name": "now", "depth": 2}), &["callers", "now", "--depth", "2", "--json"]),
        ("/callees", json!({"name": "Session.renew"}), &["callees", "Session.renew", "--json"]),
        ("/references", json!({"name": "Session.renew"}), &["references", "Session.renew", "--json"]),
        ("/relate", json!({"name": "src/app/session.py:5"}), &["relate", "src/app/session.py:5", "--json"]),
        (
            "/context",
            json!({"file": "src/app/session.py", "line": 8, "column": 5}),
            &["context", "src/app/session.py:8:5", "--format", "json"],
        ),
    ];
    for (path, fields, arguments) in cases {
        let ran = env.run(arguments);
        assert_ne!(ran.code, Some(2), "{ran:#?}");
        assert_eq!(timeless(served.post(path, fields).found()), timeless(ran.json()), "{path} {fields}");
    }
}

#[test]
fn query_string_and_body_are_equivalent() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let asked = served.get("/ask?question=prolong+the%20session&k=2&paths=src/**&paths=!*clock*").found();
    let body = json!({"question": "prolong the session", "k": 2, "paths": ["src/**", "!*clock*"]});
    assert_eq!(timeless(asked.clone()), timeless(served.post("/ask", &body).found()));
    assert_eq!(asked["results"][0]["qualified_name"], "Session.renew", "{asked}");
    let of = served.get("/function?name=Session.renew").found();
    let by_id = served.get(&format!("/function?name={}", of["id"].as_str().expect("id").replace('#', "%23"))).found();
    assert_eq!(of, by_id);
    let path = env.at("src/app/session.py");
    let by_path = served.get(&format!("/function?name={}:5", path.display())).found();
    assert_eq!(of, by_path, "an editor knows files by their whole path");
    assert!(of["source"].as_str().is_some_and(|source| source.contains("check(token)")), "{of}");
}

/// The requests that these programs send, and the formats that they accept.
#[test]
fn editors_get_the_requested_format() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let body = json!({"query": "prolong the session", "fullInput": "@http prolong the session", "workspacePath": "/w"});
    let items = served.post("/continue?k=1", &body).found();
    assert_eq!(items[0]["name"], "Session.renew", "{items}");
    assert_eq!(items[0]["description"], "src/app/session.py:5");
    assert!(
        items[0]["content"].as_str().is_some_and(|text| text.contains("```python\n") && text.contains("check(token)"))
    );
    let from_all = served.post("/continue?k=1", &json!({"query": "", "fullInput": "prolong the session"})).found();
    assert_eq!(items, from_all, "without a query the whole input is the question");

    let context = |format: &str| {
        let text = "from app.clock import now\n\ndef renew_all(sessions):\n    for session in sessions:\n        session.renew(token)\n";
        let body = json!({"file": "src/app/new.py", "line": 6, "text": text, "format": format});
        served.post("/context", &body)
    };
    let whole = context("json").found();
    let fragments = whole["fragments"].as_array().expect("fragments");
    assert!(!fragments.is_empty(), "{whole}");
    let extra = context("fim").found();
    let last = extra.as_array().and_then(|list| list.last()).expect("input_extra");
    assert_eq!((&last["filename"], &last["text"]), (&fragments[0]["path"], &fragments[0]["text"]), "the best is last");
    let items = context("copilot").found();
    let place = env.at(fragments[0]["path"].as_str().expect("path"));
    assert_eq!(items[0]["uri"], format!("file://{}", place.display()));
    assert_eq!((&items[0]["value"], &items[0]["importance"]), (&fragments[0]["text"], &json!(100)));
    let prompt = context("prompt");
    assert_eq!(prompt.body, whole["prompt"].as_str().expect("prompt"));
    assert!(prompt.header("content-type").starts_with("text/plain"));
}

#[test]
fn an_unknown_or_ambiguous_name_returns_candidates() {
    let env = repository();
    env.write("src/app/other.py", "def check(card):\n    return card\n");
    let served = Served::start(&env, &[]);
    let many = served.get("/callers?name=check");
    assert!(many.failed(409).contains("2 definitions"));
    let candidates = many.json()["error"]["candidates"].as_array().expect("candidates").clone();
    assert_eq!(candidates.len(), 2);
    let place = format!("{}:{}", candidates[1]["path"].as_str().expect("path"), candidates[1]["line"]);
    assert_eq!(served.get(&format!("/callers?name={place}")).found()["of"], candidates[1]);
    let none = served.get("/relate?name=rennww");
    assert!(none.failed(404).contains("`rennww`"));
    assert_eq!(none.json()["error"]["candidates"][0]["name"], "Session.renew");
}

#[test]
fn invalid_requests_are_refused_with_a_reason() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let json = &[("Content-Type", "application/json")];
    for (status, method, path, headers, body, words) in [
        (400, "POST", "/ask", &json[..], "{\"question\": ", "not a JSON object"),
        (400, "POST", "/ask", json, "[1, 2]", "not a JSON object"),
        (400, "POST", "/ask", json, "{\"question\": 7}", "`question` must be a string"),
        (400, "POST", "/ask", json, "{\"question\": \"x\", \"limit\": 3}", "`limit` is not an argument"),
        (400, "POST", "/ask", json, "{\"question\": \"x\", \"k\": -1}", "`k` must be a whole number"),
        (400, "POST", "/ask", json, "{\"question\": \"x\", \"k\": 100000}", "`k` is 100000"),
        (400, "POST", "/ask", json, "{\"question\": \"x\", \"snippet_lines\": 18446744073709551615}", "snippet_lines"),
        (400, "POST", "/ask", json, "{\"question\": \" \"}", "the question is empty"),
        (400, "POST", "/ask", json, "{\"question\": \"x\", \"languages\": [\"klingon\"]}", "klingon"),
        (400, "POST", "/ask", json, "{\"question\": \"x\", \"paths\": [\"[\"]}", "["),
        (400, "GET", "/ask", &[], "", "`question` is missing"),
        (400, "GET", "/ask?question=a&question=b", &[], "", "`question` must be a string"),
        (415, "POST", "/ask", &[("Content-Type", "text/plain")], "{\"question\": \"x\"}", "text/plain"),
        (415, "POST", "/ask", &[], "question=x", "not application/json"),
        (404, "GET", "/etc/passwd", &[], "", "/etc/passwd"),
        (404, "GET", "/../../etc/passwd", &[], "", "no endpoint at"),
        (404, "GET", "/ask?question=x&root=/etc", &[], "", "`/etc`"),
        (405, "DELETE", "/ask", &[], "", "does not support this method"),
        (405, "POST", "/", json, "{}", "does not support this method"),
    ] {
        let said = served.send(method, path, headers, body).failed(status);
        assert!(said.contains(words), "{method} {path} {body}: {said}");
    }
    assert_eq!(served.get("/health").found()["status"], "ok");
}

#[test]
fn no_file_outside_the_repository_is_read() {
    let env = repository();
    std::fs::write(env.outside("secret.py"), "def key():\n    return 'hidden'\n").expect("file");
    let served = Served::start(&env, &[]);
    let outside = env.outside("secret.py").display().to_string();
    for file in
        ["../secret.py", "src/../../secret.py", "/etc/passwd", &outside, "..", "", "src/", "a\0b", "//etc/passwd"]
    {
        let said = served.post("/context", &json!({"file": file, "line": 1})).failed(400);
        assert!(said.contains("not a file below"), "{file}: {said}");
    }
    for name in ["../secret.py", "../secret.py:1", &outside, "/etc/passwd:1", "src/../../secret.py:key"] {
        served.post("/function", &json!({"name": name})).failed(404);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(env.outside("secret.py"), env.at("src/link.py")).expect("link");
        served.post("/context", &json!({"file": "src/link.py", "line": 1})).failed(404);
    }
    assert!(!served.get("/ask?question=key&snippet_lines=5").body.contains("hidden"));
}

/// Every address accepts the forms of names, globs and numbers that clients send.
#[test]
fn every_form_of_an_argument_is_accepted() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let root = env.repo().display().to_string();
    let plain = |name: &str| served.post("/function", &json!({"name": name})).found();
    let file = "src/app/session.py";
    let renew = plain("Session.renew");
    let line = renew["of"]["line"].as_u64().expect("line");
    for name in [
        format!("{root}/{file}:{line}"),
        format!("file://{root}/{file}#L{line}"),
        format!("./{file}:{line}-{line}"),
        format!("{file}::Session.renew"),
    ] {
        assert_eq!(plain(&name), renew, "{name}");
        let callers = served.post("/callers", &json!({"name": [name], "root": root, "k": "5", "depth": null}));
        assert_eq!(callers.found()["of"]["name"], "Session.renew");
        let path = json!({"from": name, "to": "now", "avoid": "check", "k": null});
        assert_eq!(served.post("/path", &path).found()["from"][0]["name"], "Session.renew");
    }
    let question =
        json!({"question": "prolong the session", "paths": format!("{root}/src/**"), "kind": "Function", "unit": null});
    assert_eq!(served.post("/ask", &question).found()["results"][0]["name"], "renew");
    let question = json!({"question": "prolong the session", "paths": ["nowhere/**", "src/**"]});
    assert_eq!(served.post("/ask", &question).found()["notices"], json!(["`nowhere/**` matches no file"]));
    let context = json!({"file": format!("file://{root}/{file}"), "line": "8"});
    assert!(served.post("/context", &context).found()["fragments"].is_array());
    let said = served.post("/callers", &json!({"name": "renew", "k": "many"})).failed(400);
    assert!(said.contains("`k` must be a whole number"), "{said}");
}

#[test]
fn an_oversized_request_is_refused_before_it_is_read() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let huge = [("Content-Type", "application/json"), ("Content-Length", "99999999999")];
    assert!(served.send("POST", "/ask", &huge, "{").failed(413).contains("4 MiB"));
    let body = format!("{{\"question\": \"{}\"}}", "x".repeat(5 << 20));
    let chunked = format!(
        "POST /ask HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{body}\r\n0\r\n\r\n",
        served.address,
        body.len()
    );
    assert!(served.raw(chunked.as_bytes()).failed(413).contains("4 MiB"), "also where no length is told");
    let long_head = format!("GET /?{} HTTP/1.1\r\nHost: {}\r\n\r\n", "x".repeat(1 << 20), served.address);
    assert!([414, 431].contains(&served.raw(long_head.as_bytes()).status));
    assert_eq!(served.raw(b"\x16\x03\x01 this is TLS\r\n\r\n").status, 400);
    assert_eq!(served.get("/health").found()["status"], "ok");
}

/// DNS rebinding: a page of another site whose host name resolves to this machine.
#[test]
fn requests_from_other_origins_are_refused() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let ask = |headers: &[(&str, &str)]| served.send("GET", "/ask?question=renew", headers, "");
    let port = served.address.port();
    let own = format!("http://{}", served.address);
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}"), format!("[::1]:{port}")] {
        assert_eq!(ask(&[("Host", &host)]).status, 200, "{host}");
    }
    for host in [format!("evil.example:{port}"), "evil.example".to_owned(), "127.0.0.1:1".to_owned()] {
        ask(&[("Host", &host)]).failed(403);
        served.send("GET", "/", &[("Host", &host)], "").failed(403);
    }
    assert_eq!(ask(&[("Origin", &own)]).status, 200);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        ask(&[("Origin", origin)]).failed(403);
    }
    ask(&[("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "no-cors")]).failed(403);
    let reply = ask(&[]);
    assert_eq!(reply.header("access-control-allow-origin"), "");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin");
    assert!(served.get("/").header("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
    let absolute = format!(
        "GET http://evil.example/ask?question=x HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        served.address
    );
    assert_eq!(served.raw(absolute.as_bytes()).status, 403);
    let two = format!("GET /health HTTP/1.1\r\nHost: {0}\r\nHost: {0}\r\nConnection: close\r\n\r\n", served.address);
    assert_eq!(served.raw(two.as_bytes()).status, 400);
}

#[test]
fn other_machines_need_a_token() {
    let env = repository();
    for host in ["0.0.0.0", "::", "[::]"] {
        let ran = env.run(&["serve", "--host", host, "--port", "0"]);
        ran.failed(&["can be reached from other machines", "WHICHFN_TOKEN"]);
    }
    env.run(&["serve", "--token", "short", "--port", "0"]).failed(&["16 or more"]);
    env.run(&["serve", "--host", "no.such.host.invalid"]).failed(&["not an address of this machine", "--host"]);
    let served = Served::start_under(&env, &[("WHICHFN_TOKEN", "0123456789abcdef")], &["--host", "0.0.0.0"]);
    let asked = |headers: &[(&str, &str)]| served.send("GET", "/ask?question=renew", headers, "");
    assert_eq!(asked(&[]).header("www-authenticate"), "Bearer");
    asked(&[]).failed(401);
    asked(&[("Authorization", "Bearer 0123456789abcdeX")]).failed(401);
    assert_eq!(asked(&[("Authorization", "Bearer 0123456789abcdef")]).status, 200);
    assert_eq!(served.get("/").status, 200, "the page itself holds nothing");
    served.get("/health").failed(401);
}

#[test]
fn a_port_in_use_is_reported() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let port = served.address.port().to_string();
    env.run(&["serve", "--port", &port]).failed(&["cannot listen on 127.0.0.1", "--port"]);
}

#[test]
fn an_edit_is_seen_by_the_next_question() {
    let env = repository();
    let served = Served::start(&env, &[]);
    served.get("/function?name=quench").failed(404);
    env.write("src/app/fire.py", "def quench(fire):\n    return not fire\n");
    let found = served.get("/function?name=quench").found();
    assert_eq!(found["of"]["path"], "src/app/fire.py");
    env.remove("src/app/fire.py");
    served.get("/function?name=quench").failed(404);
}

/// Waits until the index has `count` functions, with requests that do not check the files. Returns
/// the number of checks so far.
fn until_functions(served: &Served, count: u64) -> u64 {
    let patience = Instant::now() + PATIENCE;
    loop {
        let health = served.get("/health").found();
        let held = &health["repositories"][0];
        if held["functions"] == count {
            return held["looks"].as_u64().expect("a count");
        }
        assert!(Instant::now() < patience, "the index has never {count} functions: {health}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_save_is_indexed_before_the_next_question() {
    let env = repository();
    let served = Served::start(&env, &[]);
    until_functions(&served, 4);
    env.write("src/app/fire.py", "def quench(fire):\n    return not fire\n");
    until_functions(&served, 5);
    env.write("src/new/deep/one.py", "def one():\n    return 1\n");
    until_functions(&served, 6);
    env.write("src/new/deep/two.py", "def two():\n    return 2\n");
    until_functions(&served, 7);
    std::fs::remove_dir_all(env.at("src/new")).expect("removed");
    until_functions(&served, 5);
    env.write("src/new/deep/one.py", "def one():\n    return 1\n");
    until_functions(&served, 6);
    env.write("src/new/deep/one.py", "def one():\n    return 1\n\n\ndef three():\n    return 3\n");
    until_functions(&served, 7);
    env.rename("src/new", "src/old");
    env.write("src/old/deep/four.py", "def four():\n    return 4\n");
    until_functions(&served, 8);
}

#[test]
fn a_burst_of_saves_is_seen_as_one() {
    let env = repository();
    let served = Served::start(&env, &[]);
    until_functions(&served, 4);
    for number in 0..400 {
        env.write(format!("src/many/f{number}.py"), format!("def f{number}():\n    return {number}\n"));
    }
    let looks = until_functions(&served, 404);
    assert!(looks < 100, "{looks} looks for 400 saves");
}

/// Many clients send requests while files are written, replaced and removed. Every answer must be
/// complete and describe one state of the repository.
#[test]
fn a_repository_may_change_while_it_is_read() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let body = |version: usize| format!("def burn(fire):\n    return {version}\n\n\n").repeat(1 + version % 3);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ask = || {
            for _ in 0..15 {
                let found = served.get("/ask?question=burn+the+fire&snippet_lines=2").found();
                let results = found["results"].as_array().expect("results");
                for result in results.iter().filter(|result| result["name"] == "burn") {
                    let snippet = result["snippet"].as_str().unwrap_or_default();
                    assert!(snippet.is_empty() || snippet.starts_with("def burn(fire):\n    return "), "{result}");
                }
            }
        };
        let asking: Vec<_> = (0..4).map(|_| scope.spawn(ask)).collect();
        scope.spawn(|| {
            for version in (0..).take_while(|_| !done.load(Ordering::Relaxed)) {
                let path = env.at(format!("src/fire{}.py", version % 5));
                std::fs::write(&path, body(version)).expect("file written");
                if version % 7 == 6 {
                    std::fs::remove_file(&path).expect("file removed");
                }
            }
        });
        let answered: Vec<_> = asking.into_iter().map(|asking| asking.join()).collect();
        done.store(true, Ordering::Relaxed);
        assert!(answered.iter().all(Result::is_ok));
    });
}

#[test]
fn several_repositories_are_distinguished() {
    let env = repository();
    let other = env.outside("other");
    std::fs::create_dir_all(other.join(".git")).expect("directory");
    std::fs::write(other.join("fire.py"), "def quench(fire):\n    return not fire\n").expect("file");
    let other = other.canonicalize().expect("directory").display().to_string();
    let served = Served::start(&env, &[".", &other]);
    assert!(served.get("/ask?question=quench").failed(404).contains("several repositories"));
    assert_eq!(served.get("/ask?question=quench&root=other").found()["results"][0]["name"], "quench");
    assert_eq!(served.get("/ask?question=renew&root=repo").found()["results"][0]["name"], "renew");
    let page = |path: &str| served.get(path).body;
    assert!(page("/graph?root=other").contains("quench") && page("/graph?root=repo&name=renew").contains("renew"));
    let roots = served.get("/health").found()["repositories"].as_array().expect("list").len();
    assert_eq!(roots, 2);
}

/// Every path of the API description answers with the documented fields and no others.
#[test]
fn the_api_description_is_accurate() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let description = served.get("/openapi.json").found();
    let cases = [
        ("/ask", "question=prolong+the+session&snippet_lines=3"),
        ("/callers", "name=now&depth=2"),
        ("/callees", "name=Session"),
        ("/implementations", "name=Session&direction=up"),
        ("/references", "name=Session"),
        ("/relate", "name=Session.renew"),
        ("/tests", "name=Session.renew"),
        ("/impact", "name=Session.renew"),
        ("/path", "from=Session.renew&to=now"),
        ("/outline", "files=src&k=2"),
        ("/function", "name=Session.renew"),
        ("/context", "file=src/app/session.py&line=8"),
        ("/graph", "name=now"),
        ("/health", ""),
        ("/openapi.json", ""),
        ("/continue", "k=2"),
    ];
    let paths = description["paths"].as_object().expect("paths");
    let mut asked: Vec<&str> = cases.iter().map(|(path, _)| *path).collect();
    let mut told: Vec<&str> = paths.keys().map(String::as_str).collect();
    asked.sort_unstable();
    told.sort_unstable();
    assert_eq!(asked, told);
    for (path, query) in cases {
        let reply = match path {
            "/continue" => served.post(&format!("{path}?{query}"), &json!({"query": "prolong the session"})),
            _ => served.get(&format!("{path}?{query}")),
        };
        assert_eq!(reply.status, 200, "{path}: {reply:?}");
        let method = if path == "/continue" { "post" } else { "get" };
        let content = &paths[path][method]["responses"]["200"]["content"];
        let kind = reply.header("content-type").split(';').next().expect("a type");
        let schema = &content[kind]["schema"];
        assert!(schema.is_object(), "{path} says nothing of {kind}");
        if kind == "application/json" && path != "/openapi.json" {
            fits(&description, schema, &reply.json()).unwrap_or_else(|wrong| panic!("{path}: {wrong}"));
        }
    }
    let error = served.get("/relate?name=rennww").json();
    fits(&description, &json!({"$ref": "#/components/schemas/Error"}), &error).expect("errors too");
}

/// Checks whether a value matches a schema. Supports the part of JSON Schema that the description
/// uses; a property that the schema does not name is an error.
fn fits(description: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(description, description.pointer(&name[1..]).expect("the reference leads somewhere"), value);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let tried: Vec<_> = any.iter().map(|one| fits(description, one, value)).collect();
        return if tried.iter().any(Result::is_ok) { Ok(()) } else { Err(format!("{tried:?}")) };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_u64() => "integer",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let is_kind = |wanted: &Value| wanted == kind || (wanted == "number" && kind == "integer");
    if !(is_kind(&schema["type"]) || schema["type"].as_array().is_some_and(|kinds| kinds.iter().any(is_kind))) {
        return Err(format!("{value} is no {}", schema["type"]));
    }
    if schema["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        return Err(format!("{value} is none of {}", schema["enum"]));
    }
    if let Some(items) = value.as_array() {
        return items.iter().try_for_each(|item| fits(description, &schema["items"], item));
    }
    let Some(fields) = value.as_object() else { return Ok(()) };
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        fields.get(name).ok_or_else(|| format!("{name} is missing in {value}"))?;
    }
    fields.iter().try_for_each(|(name, field)| match &schema["properties"][name] {
        Value::Null => Err(format!("{name} is not described")),
        known => fits(description, known, field).map_err(|wrong| format!("{name}: {wrong}")),
    })
}

/// A connection that sends nothing does not block other clients.
#[test]
fn idle_clients_do_not_block_others() {
    let env = repository();
    let served = Served::start(&env, &[]);
    let silent: Vec<TcpStream> = (0..50).map(|_| TcpStream::connect(served.address).expect("connected")).collect();
    let mut half = TcpStream::connect(served.address).expect("connected");
    half.write_all(b"POST /ask HTTP/1.1\r\nHost: x\r\nContent-Le").expect("sent");
    assert_eq!(served.get("/ask?question=renew").found()["results"][0]["name"], "renew");
    drop(silent);
}

/// After SIGINT or SIGTERM an answer in progress is completed, no new connection is accepted, and
/// the exit status is 0.
#[cfg(unix)]
#[test]
fn a_signal_ends_it_gracefully() {
    for signal in [rustix::process::Signal::INT, rustix::process::Signal::TERM] {
        let env = repository();
        let mut served = Served::start(&env, &[]);
        let mut open = TcpStream::connect(served.address).expect("connected");
        let request = format!("GET /ask?question=renew HTTP/1.1\r\nHost: {}\r\n\r\n", served.address);
        open.write_all(request.as_bytes()).expect("sent");
        let mut first = [0; 15];
        open.read_exact(&mut first).expect("an answer");
        assert_eq!(&first, b"HTTP/1.1 200 OK");
        let process = rustix::process::Pid::from_child(&served.process);
        rustix::process::kill_process(process, signal).expect("signal sent");
        let mut rest = String::new();
        open.read_to_string(&mut rest).expect("the rest");
        assert!(rest.ends_with('}'), "{rest}");
        let asked = Instant::now();
        let status = served.process.wait().expect("it ends");
        assert_eq!(status.code(), Some(0));
        assert!(asked.elapsed() < Duration::from_secs(20), "an idle connection is not waited for");
        assert!(TcpStream::connect(served.address).is_err(), "nobody is taken any more");
    }
}

#[test]
fn answers_state_that_calls_of_a_language_are_not_linked() {
    let env = crate::support::unlinked::ruby();
    env.run(&["index"]).found();
    let served = Served::start(&env, &[]);
    for path in ["/callers", "/callees", "/references", "/relate", "/function", "/tests", "/impact"] {
        let answer = served.get(&format!("{path}?name=Shop::open_shop")).found();
        let notices = answer["notices"].as_array().unwrap_or_else(|| panic!("{path}: {answer}"));
        assert_eq!(notices.len(), 1, "{path}: {answer}");
        assert!(notices[0].as_str().is_some_and(|one| one.contains(crate::support::unlinked::NOTICE)), "{answer}");
    }
    assert_eq!(served.get("/callers?name=run_all").found()["notices"], Value::Null);
    assert_eq!(served.get("/callers?name=store").found()["uses"], 1);
}
