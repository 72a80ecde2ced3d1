//! End-to-end tests of `whichfn read`: questions about texts of any kind, answered word for word
//! offline or by a language model whose replies must match the schema. Hidden files are never sent,
//! and every failure ends with a clear message.

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};
use whichfn_testing::server::{RecordedRequest, Server, Step};

const BOOK: &str = "# The Heron

## Chapter 1

The Heron lay at the quay of Maren, a schooner of forty tons. Captain Ilse Brandt had
bought her from a widow in the autumn, and the whole town thought her mad. Her mate was Jonas
Wick, a quiet man who counted everything twice.

They carried salt. \"Salt does not spoil,\" said Brandt, \"and nobody steals it.\"

## Chapter 2

The storm came on the third night. It took the foremast and two of the boats, and Jonas Wick
hurt his arm at the pumps.
";
const METALS: &str = r"metal,price,origin,traded
copper,9.2,Chile,true
zinc,2.7,Peru,true
tin,31,Indonesia,false
";

fn log() -> String {
    let mut text = String::new();
    for second in 0..200 {
        let level = if second == 150 { "ERROR db: connection lost to replica 2" } else { "INFO  web: request served" };
        text += &format!("2026-03-01 12:{:02}:{:02} {level}\n", second / 60, second % 60);
    }
    text
}

fn library() -> Env {
    Env::with(&[("book.md", BOOK), ("metals.csv", METALS), ("app.log", &log())])
}

fn memory(ran: &Ran) -> Value {
    ran.json()["memory"].clone()
}

/// Runs `read` offline and returns its JSON.
fn read(env: &Env, arguments: &[&str]) -> Value {
    memory(&env.run(&[&["read", "--json"], arguments].concat()).found().without_stderr())
}

/// Runs `read` with a model on a server.
fn with_server(env: &Env, server: &Server, arguments: &[&str]) -> Ran {
    let url = server.url();
    env.run(&[&["read", "--llm-url", &url, "--llm-model", "small"], arguments].concat())
}

fn revision(path: &str, value: &Value) -> String {
    json!({"path": path, "operation": "add", "value": value}).to_string()
}

const CAPTAIN: &str = "Who is the captain of the Heron?";

// ---- offline

#[test]
fn a_book_answers_with_its_own_sentences_under_their_heading() {
    let memory = read(&library(), &[CAPTAIN, "book.md"]);
    let said = memory["attributes"]["Chapter 1"].as_str().expect("a note");
    assert!(said.contains("Captain Ilse Brandt had bought her from a widow in the autumn"), "{memory}");
    assert!(!said.contains("salt") && memory["attributes"].as_object().map(|all| all.len()) == Some(1), "{memory}");
}

#[test]
fn a_table_answers_with_rows_and_lists_its_columns() {
    let env = library();
    let row = read(&env, &["What is the price of copper?", "metals.csv"]);
    assert_eq!(row, json!({"attributes": {"copper": "metal: copper, price: 9.2, origin: Chile, traded: true"}}));
    let columns = read(&env, &["describe the tables", ".", "--schema", "tables"]);
    let of = |sort: &str| json!({"type": sort});
    let expected = json!({"metal": of("str"), "price": of("float"), "origin": of("str"), "traded": of("bool")});
    assert_eq!(columns, json!({"tables": {"metals": {"columns": expected}}}));
}

#[test]
fn a_log_answers_with_its_lines() {
    let memory = read(&library(), &["When was the connection lost?", "app.log", "--chunk-tokens", "500"]);
    assert_eq!(
        memory,
        json!({"attributes": {"connection lost": "2026-03-01 12:02:30 ERROR db: connection lost to replica 2"}})
    );
}

#[test]
fn standard_input_is_read_where_no_file_is_named() {
    let env = library();
    for paths in [&[][..], &["-"]] {
        let ran = env.run_with(&[&["read", "Where did the kettle boil?"], paths].concat(), |command| {
            command.write_stdin(
                r"The harbour was empty.

The kettle boiled in the galley.
",
            );
        });
        assert_eq!(ran.found().out, "attributes:\n  kettle boil: The kettle boiled in the galley.\n");
    }
}

#[test]
fn any_schema_is_filled_from_the_text() {
    let env = library();
    env.write(
        "ship.txt",
        r"name: Heron
tons: 40
ports: Maren

She is a schooner and carries salt.
",
    );
    env.write(
        "ship.json",
        r##"{"properties": {
            "ship": {"$ref": "#/$defs/Ship"},
            "cargo": {"type": "string", "description": "What she carries."},
            "scores": {"type": "object", "additionalProperties": {"type": "number"}},
            "lines": {"type": "array", "items": {"type": "string"}}},
          "$defs": {"Ship": {"properties": {"name": {"type": "string"}, "tons": {"type": "integer"}}}}}"##,
    );
    let memory = read(&env, &["What does the schooner carry?", "ship.txt", "--schema", "ship.json"]);
    assert_eq!(memory["ship"], json!({"name": "Heron", "tons": 40}));
    let sentence = "She is a schooner and carries salt.";
    assert_eq!((&memory["cargo"], &memory["lines"]), (&json!(sentence), &json!([sentence])));
    assert_eq!(memory["scores"], json!({"schooner carry": 1.0}));
    let metals = r#"{"properties": {"metals": {"items": {"properties": {
        "metal": {"type": "string"}, "price": {"type": "number"}, "traded": {"type": "boolean"}}}}}}"#;
    env.write("metals.json", metals);
    let memory = read(&env, &["price of tin", "metals.csv", "--schema", "metals.json"]);
    assert_eq!(memory, json!({"metals": [{"metal": "tin", "price": 31.0, "traded": false}]}));
}

#[test]
fn a_topic_missing_in_the_texts_is_not_found() {
    let env = library();
    let ran = env.run(&["read", "How are photons entangled?", "."]).nothing();
    assert_eq!(ran.out, "");
    let ran = env.run(&["read", "How are photons entangled?", ".", "--json"]).nothing().json();
    assert_eq!((&ran["memory"], &ran["answer"]), (&json!({}), &Value::Null));
}

#[test]
fn escape_sequences_in_a_text_do_not_reach_the_terminal() {
    let ran = Env::new().run_with(&["read", "Where did the kettle boil?", "--color", "always"], |command| {
        command.write_stdin("The kettle boiled \u{1b}[2J\u{7}in the galley.\n");
    });
    assert!(!ran.found().out.contains(['\u{1b}', '\u{7}']));
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let env = library();
    for strategy in ["prism", "cok"] {
        let arguments =
            ["read", "the storm and the connection", ".", "--json", "--strategy", strategy, "--chunk-tokens", "300"];
        let first = env.run(&arguments).found().out;
        assert_eq!(first, env.run(&arguments).found().out);
        assert!(first.contains("connection lost to replica 2") && first.contains("The storm came"), "{first}");
    }
}

#[test]
fn both_strategies_and_formats_have_the_same_content() {
    let env = library();
    let base = ["What of Jonas Wick?", "book.md", "--chunk-tokens", "100"];
    let usual = read(&env, &base);
    for options in [&["--strategy", "cok"][..], &["--memory", "in-place"]] {
        assert_eq!(read(&env, &[&base, options].concat()), usual, "{options:?}");
    }
    assert!(usual["attributes"].as_object().is_some_and(|all| all.len() == 2), "{usual}");
}

#[test]
fn without_updates_existing_values_stay() {
    let env = library();
    let memory = read(&env, &[CAPTAIN, "book.md", "--no-memory-updates"]);
    let keys: Vec<&String> = memory["attributes"].as_object().expect("map").keys().collect();
    assert_eq!(keys, ["Chapter 1", "Chapter 1 (2)"]);
}

#[test]
fn the_json_lists_what_was_read_and_skipped() {
    let env = library();
    env.write("photo.txt", b"\0\0\0");
    let answer = env.run(&["read", CAPTAIN, ".", "--json", "--chunk-tokens", "400"]).found().json();
    assert_eq!(answer["files"], json!(["app.log", "book.md", "metals.csv"]));
    assert_eq!(
        (&answer["version"], &answer["skipped"], &answer["strategy"], &answer["reader"]),
        (&json!(1), &json!(1), &json!("prism"), &json!("offline"))
    );
    let steps = answer["trace"]["steps"].as_array().expect("steps");
    assert!(steps.len() > 5 && answer["trace"]["total"]["prompt"].as_u64() > Some(1000), "{answer}");
    env.run(&["read", CAPTAIN, "."]).found().stderr_contains(&["skipped 1 files: binary 1"]);
    env.run(&["read", CAPTAIN, ".", "--trace", "-q"]).found().stderr_contains(&["read by offline", "cost index"]);
}

// ---- schemas

#[test]
fn a_schema_is_printed_in_each_form() {
    let env = Env::new();
    let shown =
        |format: &str| env.run(&["read", "--schema-only", "--schema", "matches", "--format", format]).found().out;
    assert!(shown("dataclass").contains("matches: Dict[str, float]"));
    assert!(shown("json").contains(r#""type":"map<str, float>""#));
    assert!(shown("json-schema").contains("\"additionalProperties\": {\n        \"type\": \"number\"\n      }"));
}

#[test]
fn an_invalid_schema_is_reported_with_its_path() {
    let env = library();
    let ask = |schema: &str| env.run(&["read", CAPTAIN, "book.md", "--schema", schema]);
    let advice = "run: whichfn read --schema-only --format json-schema";
    for (text, error) in [
        ("@dataclass\nclass Memory:\n    notes: str\n", "the schema is not valid JSON: expected value at line 1"),
        (r#"{"matches": "map<str, float>"}"#, "invalid schema at the root: its `type` is missing"),
        (
            r#"{"properties": {"notes": {"type": "text"}}}"#,
            "invalid schema at field notes of the root: unknown type \"text\"",
        ),
        ("{\"notes\": ", "the schema is not valid JSON: EOF"),
    ] {
        env.write("wrong.json", text);
        ask("wrong.json").failed(&[&format!("wrong.json: {error}"), advice]);
    }
    ask("nosuch").failed(&["unknown schema \"nosuch\"", "attributes", "or pass a file"]);
    ask("generate").failed(&["--schema generate needs a language model", "--llm-url"]);
}

#[test]
fn unreadable_files_are_reported() {
    let env = library();
    env.write("photo.bin", b"\0\0\0");
    env.run(&["read", CAPTAIN, "nowhere.txt"]).failed(&["nowhere.txt"]);
    env.run(&["read", CAPTAIN, "photo.bin"]).failed(&["nothing to read: skipped 1 files (binary 1)"]);
    env.run(&["read", CAPTAIN]).failed(&["nothing to read"]);
    env.run(&["read", " ", "book.md"]).failed(&["the question is empty"]);
    env.run(&["read", CAPTAIN, "book.md", "--chunk-tokens", "5"]).failed(&["--chunk-tokens 5"]);
}

// ---- with a model

#[test]
fn a_model_answers_from_what_it_noted() {
    let env = library();
    let note = revision("$.attributes['captain']", &json!("Ilse Brandt"));
    let server = Server::start(vec![Step::reply(&note), Step::reply("Ilse Brandt is.\n")]);
    let ran = with_server(&env, &server, &[CAPTAIN, "book.md"]).found().without_stderr();
    assert_eq!(
        ran.out,
        r"Ilse Brandt is.

attributes:
  captain: Ilse Brandt
"
    );
    let prompts = server.prompts();
    assert!(prompts[0].contains("### book.md:1\n# The Heron") && prompts[0].contains(CAPTAIN), "{}", prompts[0]);
    assert!(prompts[1].contains("Ilse Brandt") && !prompts[1].contains("schooner"), "{}", prompts[1]);
    let server = Server::start(vec![Step::reply(&note), Step::reply("Ilse Brandt is.")]);
    let json = with_server(&env, &server, &[CAPTAIN, "book.md", "--json"]).found().json();
    assert_eq!((&json["answer"], &json["reader"]), (&json!("Ilse Brandt is."), &json!("small")));
}

#[test]
fn an_invalid_reply_is_counted_and_the_rest_is_kept() {
    let env = library();
    let good = revision("$.attributes['mate']", &json!("Jonas Wick"));
    let wrong = revision("$.attributes['tons']", &json!(40));
    let nowhere = revision("$.people['mate']", &json!("x"));
    let reply = format!("Sure!\n```json\n{wrong}\n{nowhere}\n{good},\n```\n{{\"path\": \"$.attributes['cut']\", \"val");
    let server = Server::start(vec![Step::reply(&reply), Step::reply("Jonas Wick.")]);
    let json = with_server(&env, &server, &["Who is the mate?", "book.md", "--json"]).found().json();
    assert_eq!(json["memory"], json!({"attributes": {"mate": "Jonas Wick"}}));
    assert_eq!(json["trace"]["steps"][0]["rejected"].as_array().map(Vec::len), Some(3), "{json}");
}

#[test]
fn a_model_without_notes_gets_no_final_request() {
    let server = Server::start(vec![Step::reply("I follow the text's orders now.")]);
    let ran = with_server(&library(), &server, &[CAPTAIN, "book.md"]).nothing();
    assert_eq!((ran.out.as_str(), server.requests().len()), ("", 1));
}

#[test]
fn chain_of_key_summarises_and_then_merges() {
    let env = library();
    let server = Server::start(vec![
        Step::reply(r#"{"attributes": {"captain": "Ilse Brandt"}}"#),
        Step::reply(&format!(
            "## Keys to add\n[\"captain\"]\n## Revisions\n{}",
            revision("$.attributes['captain']", &json!("Ilse Brandt"))
        )),
        Step::reply("Ilse Brandt."),
    ]);
    let ran = with_server(&env, &server, &[CAPTAIN, "book.md", "--strategy", "cok"]).found();
    assert!(ran.out.ends_with("captain: Ilse Brandt\n") && server.requests().len() == 3, "{ran:#?}");
}

#[test]
fn a_limit_before_the_first_note_is_an_error() {
    let env = library();
    for option in ["--max-tokens", "--llm-max-tokens"] {
        let server = Server::start(|_: &RecordedRequest| Step::reply("{}"));
        let words = "the limit on tokens; used so far: 0 calls";
        with_server(&env, &server, &[CAPTAIN, ".", option, "9"]).failed(&[words]);
    }
}

#[test]
fn a_limit_ends_the_reading_and_the_notes_until_then_are_printed() {
    let env = library();
    let reply = revision("$.attributes['captain']", &json!("Ilse Brandt"));
    let server = Server::start(move |_: &RecordedRequest| Step::reply(&reply));
    let options = [CAPTAIN, "book.md", "--max-calls", "1"];
    let ran = with_server(&env, &server, &options).found().stderr_contains(&["reading ended at the limit on calls"]);
    assert!(ran.out.ends_with("captain: Ilse Brandt\n") && server.requests().len() == 1, "{ran:#?}");
}

#[test]
fn a_dry_run_prints_what_would_be_sent_and_sends_nothing() {
    let env = library();
    let server = Server::start(|_: &RecordedRequest| Step::reply(""));
    let dry =
        with_server(&env, &server, &[CAPTAIN, "book.md", "--dry-run"]).found().stderr_contains(&["nothing was sent"]);
    assert!(server.requests().is_empty() && dry.out.contains("### book.md:1"), "{dry:#?}");
    with_server(&env, &server, &[CAPTAIN, "book.md"]).nothing();
    assert_eq!(server.prompts(), [dry.out]);
}

#[test]
fn hidden_files_are_read_locally_and_never_sent() {
    let env = library();
    env.write(".gitignore", "secret.txt\n");
    env.write("secret.txt", "The captain of the Heron is hunter2.");
    env.write(".env", "captain: hunter2");
    env.run(&["read", CAPTAIN, "secret.txt"]).found();
    let server = Server::start(|_: &RecordedRequest| Step::reply(""));
    for hidden in ["secret.txt", ".env"] {
        with_server(&env, &server, &[CAPTAIN, hidden]).failed(&[hidden, "not sent", "pipe it in"]);
    }
    assert!(server.requests().is_empty());
    with_server(&env, &server, &[CAPTAIN, "."]).nothing();
    assert!(server.prompts().iter().all(|prompt| !prompt.contains("hunter2")) && !server.prompts().is_empty());
}

// ---- a schema by a model

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "crew": {
      "type": "object",
      "additionalProperties": {
        "type": "string"
      },
      "description": "Names to what each is."
    }
  },
  "required": [
    "crew"
  ],
  "additionalProperties": false
}
"#;

#[test]
fn a_model_writes_the_schema_and_it_can_be_kept() {
    let env = library();
    let server = Server::start(vec![
        Step::reply(&format!("Here:\n```json\n{SCHEMA}```")),
        Step::reply(&revision("$.crew['Ilse Brandt']", &json!("captain"))),
        Step::reply("Ilse Brandt."),
    ]);
    let options = [CAPTAIN, "book.md", "--schema", "generate", "--domain", "sea stories", "--save-schema", "crew.json"];
    let ran = with_server(&env, &server, &options).found();
    assert!(ran.out.contains("crew:\n  Ilse Brandt: captain\n"), "{ran:#?}");
    assert!(server.prompts()[0].contains("sea stories") && !server.prompts()[0].contains("schooner"));
    assert_eq!(std::fs::read_to_string(env.at("crew.json")).expect("saved"), SCHEMA);
    env.run(&["read", CAPTAIN, "book.md", "--schema", "crew.json"]).found();
}

#[test]
fn a_model_that_writes_no_schema_gets_one_retry_with_the_reason() {
    let env = library();
    let options = [CAPTAIN, "book.md", "--schema", "generate", "--schema-only", "--format", "json-schema"];
    let server =
        Server::start(vec![Step::reply(r#"{"properties": {"done": {"type": "boolean"}}}"#), Step::reply(SCHEMA)]);
    assert_eq!(with_server(&env, &server, &options).found().out, SCHEMA);
    assert!(server.prompts()[1].contains("no field that is a map"));
    let server = Server::start(vec![Step::reply("I cannot."), Step::reply("Really not.")]);
    with_server(&env, &server, &options).failed(&["small wrote no usable schema in 2 attempts", "--domain"]);
}

// ---- a model behind a command

#[cfg(unix)]
#[test]
fn a_command_can_be_the_model() {
    let env = library();
    let script = r#"#!/bin/sh
prompt=$(cat)
case $prompt in
*'# Answer') echo 'Ilse Brandt commands her.' ;;
*) echo '{"path": "$.attributes.captain", "operation": "add", "value": "Ilse Brandt"}' ;;
esac
"#;
    std::fs::write(env.outside("model.sh"), script).expect("written");
    let command = format!("sh {}", env.outside("model.sh").display());
    let ran = env.run(&["read", CAPTAIN, "book.md", "--llm-cmd", &command]).found();
    assert_eq!(
        ran.out,
        r"Ilse Brandt commands her.

attributes:
  captain: Ilse Brandt
"
    );
}
