//! Tests questions about text files: `--kind docs`, `--kind all`, hints, and `--match` (SPEC sections 2
//! and 3).

use crate::support::env::Env;
#[cfg(feature = "serve")]
use crate::support::http::Served;
use serde_json::Value;

const VALIDATORS: &str = "\
# Validators

## Registering a custom validator
Call `register` with the name and a callable. The callable returns an error or nothing.

## Built-in validators
The length and the range of a value are checked without any validator of your own.
";

const SETTINGS: &str = "\
[server]
# Seconds until an idle connection is closed.
idle_timeout = 30

[limits]
# Maximum size of an upload in bytes.
upload_size = 1000000
";

const WORKFLOW: &str = "\
name: CI
jobs:
  lint:
    steps:
      - run: ruff check
";

const CODE: &str = "\
class Registry:
    \"\"\"Stores the validators of a form.\"\"\"

    def register(self, name, validator):
        \"\"\"Registers a custom validator.\"\"\"
        self.validators[name] = validator

    def unregister(self, name):
        \"\"\"Removes a custom validator.\"\"\"
        del self.validators[name]
";

fn shop() -> Env {
    Env::with(&[
        ("docs/validators.md", VALIDATORS),
        ("settings.toml", SETTINGS),
        (".github/workflows/ci.yml", WORKFLOW),
        ("shop/registry.py", CODE),
    ])
}

/// Returns the kind and the location of each result.
fn shown(answer: &Value) -> Vec<String> {
    let results = answer["results"].as_array().expect("a list");
    let one = |one: &Value| {
        format!("{} {}:{}", one["kind"].as_str().expect("text"), one["path"].as_str().expect("text"), one["start_line"])
    };
    results.iter().map(one).collect()
}

/// Checks whether the repository has an index of passages.
fn has_text_index(env: &Env) -> bool {
    env.index_folder().join("text").exists()
}

#[test]
fn a_question_about_docs_finds_the_section_with_its_headings() {
    let shop = shop();
    let ran = shop.run(&["ask", "--kind", "docs", "how do I register a custom validator", "-k", "1"]).found();
    let expected = "\
docs/validators.md:3-4  Validators › Registering a custom validator
    Call `register` with the name and a callable. The callable returns an error or nothing.

";
    assert_eq!(ran.out, expected);
}

#[test]
fn settings_and_hidden_workflows_are_passages() {
    let shop = shop();
    let first =
        |question: &str| shown(&shop.run(&["ask", "--kind", "docs", "--json", question]).found().json())[0].clone();
    assert_eq!(first("maximum upload size"), "passage settings.toml:5");
    assert_eq!(first("which job runs ruff"), "passage .github/workflows/ci.yml:1");
}

#[test]
fn the_json_of_a_passage_is_as_specified() {
    let answer =
        shop().run(&["ask", "--kind", "docs", "--json", "--snippet", "best", "-k", "1", "idle timeout"]).found().json();
    assert_eq!(
        (&answer["asked_as"], &answer["answer"], &answer["trust"]),
        (&"docs".into(), &Value::Null, &Value::Null)
    );
    let mut passage = answer["results"][0].clone();
    passage["score"] = Value::Null;
    let expected = serde_json::json!({
        "rank": 1, "score": null, "kind": "passage", "format": "tables", "path": "settings.toml", "start_line": 1,
        "end_line": 3, "headings": ["server"], "best": "idle_timeout = 30", "snippet": "# Seconds until an idle \
        connection is closed.\nidle_timeout = 30", "snippet_lines": [2, 3]
    });
    assert_eq!(passage, expected);
}

#[test]
fn all_alternates_functions_and_passages() {
    let shop = shop();
    let answer = shop.run(&["ask", "--kind", "all", "--json", "-k", "3", "register a custom validator"]).found().json();
    let (function, passage) = ("method shop/registry.py:4", "passage docs/validators.md:3");
    let mut found = shown(&answer);
    assert_eq!(found.len(), 3);
    found.truncate(2);
    found.sort();
    assert_eq!(found, [function, passage]);
    let ranks: Vec<&Value> = answer["results"].as_array().expect("a list").iter().map(|one| &one["rank"]).collect();
    assert_eq!(ranks, [1, 2, 3]);
}

#[test]
fn every_output_format_contains_the_passages() {
    let shop = shop();
    let question = ["ask", "--kind", "docs", "upload size", "-k", "1"];
    let run = |more: &[&str]| shop.run(&[&question[..], more].concat()).found().out;
    assert_eq!(run(&["--format", "vimgrep"]), "settings.toml:5:1:limits: # Maximum size of an upload in bytes.\n");
    assert!(run(&["--jsonl"]).starts_with("{") && run(&["--jsonl"]).lines().count() == 1);
    assert!(run(&["--snippet", "full"]).contains("5 │ [limits]"), "{}", run(&["--snippet", "full"]));
}

#[test]
fn an_ordinary_question_does_not_search_text() {
    let shop = shop();
    let before = shop.run(&["ask", "--kind", "function", "registers a custom validator"]).found().out;
    let ran = shop.run(&["ask", "registers a custom validator"]).found();
    assert_eq!(ran.out, before);
    assert!(!has_text_index(&shop));
}

#[test]
fn a_question_about_a_setting_gets_passages_below_its_answer() {
    let shop = shop();
    let question = "which setting limits the upload size";
    let functions = shop.run(&["ask", "--kind", "function", question]).out;
    let ran = shop.run(&["ask", question]).found();
    let (above, below) = ran.out.split_once("the question asks for documentation or a setting").expect("a line");
    assert_eq!(above, functions);
    assert!(below.contains("--kind docs") && below.contains("settings.toml:5-7  limits"), "{below}");
    let other = &shop.run(&["ask", "--json", question]).found().json()["other"];
    assert_eq!((&other["kind"], &other["results"][0]["path"]), (&"docs".into(), &"settings.toml".into()));
}

#[test]
fn a_plain_question_with_an_operator_is_no_error() {
    let shop = shop();
    let ran = shop.run(&["ask", "how do I configure validators AND"]).found();
    assert!(!ran.out.contains("--kind docs"), "{}", ran.out);
}

#[test]
fn a_kind_of_passages_can_be_the_default() {
    let shop = shop();
    for kind in ["docs", "all"] {
        shop.write("whichfn.toml", format!("kind = \"{kind}\"\n"));
        let ran = shop.run(&["ask", "--jsonl", "register a custom validator"]).found();
        assert!(ran.paths().contains(&"docs/validators.md".to_owned()), "{kind}: {}", ran.out);
        // These rank only definitions.
        for options in [["--unit", "file"], ["--lang", "python"], ["--kind", "function"]] {
            let ran = shop.run(&[&["ask", "--jsonl", "custom validator"][..], &options].concat()).found();
            assert_eq!(ran.paths()[0], "shop/registry.py", "{kind} {options:?}");
        }
        shop.run(&["relate", "Registry.register"]).found();
        shop.run(&["status"]).found();
        shop.remove("whichfn.toml");
        shop.run_under(&[("WHICHFN_KIND", kind)], &["relate", "Registry.register"]).found();
    }
}

#[test]
fn the_query_language_limits_passages() {
    let shop = shop();
    let found = |query: &str| shop.run(&["ask", "--kind", "docs", "--jsonl", query]).found().paths();
    assert_eq!(found("valid* AND callable"), ["docs/validators.md"]);
    assert_eq!(found("\"idle connection\""), ["settings.toml"]);
    assert_eq!(found("size path:docs/ OR upload path:settings.toml"), ["settings.toml"]);
    let failed = shop.run(&["ask", "--kind", "docs", "upload AND"]);
    failed.failed(&["the query is invalid: AND has nothing after it"]);
    shop.run(&["ask", "--kind", "docs", "what: is the \"upload size"]).found();
}

#[test]
fn match_keeps_results_that_match_a_pattern() {
    let shop = shop();
    let found = |pattern: &str| shop.run(&["ask", "--jsonl", "--match", pattern, "custom validator"]);
    assert_eq!(found("^ *del ").found().names(), ["unregister"]);
    assert_eq!(found(r"validators\[name\]").found().names().len(), 2);
    found("no such text").nothing();
    let docs = shop.run(&["ask", "--kind", "docs", "--jsonl", "--match", "Built-in", "validator"]).found();
    assert_eq!(docs.json_lines().len(), 1);
    found("(").failed(&["the pattern of --match is invalid: unclosed group"]);
}

#[test]
fn match_works_line_by_line_as_in_ripgrep() {
    let shop = shop();
    shop.write("docs/windows.md", "# Timeouts\r\nThe timeout is 30\r\n");
    let docs = |pattern: &str| shop.run(&["ask", "--kind", "docs", "--jsonl", "--match", pattern, "timeout validator"]);
    assert_eq!(docs("timeout is [0-9]+$").found().paths(), ["docs/windows.md"]);
    docs(r"Timeouts\s+The").nothing();
    docs(r"callable\.[^x]+").found();
    docs("a\nb").failed(&["the pattern of --match is invalid", "not allowed"]);
    let code = |pattern: &str| shop.run(&["ask", "--jsonl", "--match", pattern, "validator"]);
    code(r"validator\):\s+.{3}Registers").nothing();
    assert_eq!(code(r"\):$").found().names().len(), 2);
}

#[test]
fn hidden_files_beyond_a_limit_are_counted() {
    let shop = shop();
    shop.write(".github/huge.md", "# Upload\n".repeat(200_000));
    shop.write(".github/logo.md", b"\0\0\0\0");
    let ran = shop.run(&["ask", "--kind", "docs", "ruff check"]).found();
    ran.stderr_contains(&["skipped .github/huge.md (oversized) and 1 more hidden files"]);
    let status = shop.run(&["status", "--json"]).found().json();
    assert_eq!(status["skipped"]["oversized"], 1, "{status}");
}

#[test]
fn passages_follow_the_files() {
    let shop = shop();
    let ask = |question: &str| shop.run(&["ask", "--kind", "docs", "--jsonl", question]);
    ask("upload").found();
    shop.write("settings.toml", "[limits]\ndownload = 1\n");
    ask("upload").nothing();
    ask("download").found();
    shop.remove("settings.toml");
    ask("download").nothing();
}

#[test]
fn hostile_text_is_skipped_or_truncated_with_a_notice() {
    let shop = shop();
    shop.write("binary.md", b"# Upload\n\0\0\0");
    shop.write("huge.md", "# Upload\n".repeat(300_000));
    shop.write("rows.yml", "- upload: 1\n  b: 2\n".repeat(30_000));
    shop.write("bomb.yml", "a: &a [x]\nb: &b [*a, *a, *a, *a]\nc: [*b, *b, *b, *b]\n");
    let ran = shop.run(&["ask", "--kind", "docs", "--jsonl", "-k", "50", "upload"]).found();
    assert!(!ran.paths().iter().any(|path| path == "binary.md" || path == "huge.md"), "{:?}", ran.paths());
    ran.stderr_contains(&["only the beginning of rows.yml is searched: at most 2000 passages and 1 MiB of a file"]);
}

#[test]
fn a_long_text_is_searched_up_to_a_limit() {
    let shop = shop();
    let filler = format!("{}\n", "word ".repeat(20)).repeat(30_000);
    shop.write("long.md", format!("# Zebra\nstripes\n{filler}# Giraffe\nneck\n"));
    let docs = |question: &str| {
        shop.run(&["ask", "--max-file-size", "9000000", "--kind", "docs", "--jsonl", "--match", question, question])
    };
    docs("stripes").found().stderr_contains(&["only the beginning of long.md is searched"]);
    docs("neck").nothing();
}

#[test]
fn a_fleet_refuses_passages() {
    let shop = shop();
    let ran = shop.run(&["fleet", "ask", "--shards", ".", "--kind", "docs", "upload"]);
    ran.failed(&["a fleet cannot search passages yet"]);
}

#[test]
fn options_that_do_not_apply_to_passages_are_errors() {
    let shop = shop();
    shop.run(&["ask", "--kind", "docs", "--unit", "file", "x"]).failed(&["--unit"]);
    shop.run(&["ask", "--kind", "docs", "--lang", "python", "x"]).failed(&["passages have no programming language"]);
    let narrowed = shop.run(&["ask", "--kind", "docs", "--jsonl", "--path", "*.toml", "size validator"]).found();
    assert_eq!(narrowed.paths(), ["settings.toml"]);
}

const DEPLOYMENT: &str = "\
services:
  web:
    env:
      - name: HOST_KEY_CHECKING
        value: strict
";

#[test]
fn a_name_that_only_a_settings_file_has_is_shown() {
    let shop = shop();
    shop.write("deploy/base.yml", DEPLOYMENT);
    shop.write("docs/deploy.md", "# Deployment\nSet `HOST_KEY_CHECKING` to strict. The host key checking is slow.\n");
    shop.write(
        "shop/keys.py",
        "def check_host_key(host):\n    \"\"\"Checks the key of a host.\"\"\"\n    return host.key\n",
    );
    let ran = shop.run(&["ask", "HOST_KEY_CHECKING"]).found();
    let (above, below) = ran.out.split_once("passages of text files with this name").expect("a line");
    assert!(above.contains("check_host_key") && !above.contains("sure"), "{above}");
    assert!(below.find("deploy/base.yml:1") < below.find("docs/deploy.md:1"), "{below}");
    assert!(below.contains("    - name: HOST_KEY_CHECKING"), "{below}");
    // Passages with the words of the name do not define it.
    let ran = shop.run(&["ask", "--json", "host_key_Checking"]).found();
    assert_eq!(ran.json().get("other"), None);
}

#[test]
fn of_environment_files_only_examples_show_values() {
    let shop = shop();
    shop.write(
        ".env.production",
        "# token for tests: s3cret\nAPI_TOKEN=s3cret\nSOCKET_SERVER_URL=wss://s3cret.example\n",
    );
    shop.write(".env.example", "SOCKET_PORT=8080\n");
    for hidden in [".env", ".env.local", ".env.production.local"] {
        shop.write(hidden, "SOCKET_PASSWORD=s3cret\n");
    }
    let ran = shop.run(&["ask", "which environment variable sets the socket server"]).out;
    assert!(ran.contains(".env.production") && ran.contains("SOCKET_SERVER_URL="), "{ran}");
    for snippet in ["none", "best", "full"] {
        for question in ["socket port", "s3cret token tests", "socket password"] {
            let ran = shop.run(&["ask", "--kind", "docs", "--json", "--snippet", snippet, question]);
            assert!(!ran.out.replace(question, "").contains("s3cret") && !ran.out.contains("PASSWORD"), "{}", ran.out);
        }
    }
    shop.run(&["ask", "--kind", "docs", "--match", "s3cret", "socket token"]).nothing();
    assert!(shop.run(&["ask", "--kind", "docs", "socket port"]).found().out.contains("SOCKET_PORT=8080"));
}

#[test]
fn an_answer_without_a_fitting_function_names_the_kind_for_text() {
    let shop = shop();
    shop.run(&["ask", "idle timeout of a connection"]).nothing().stderr_contains(&["--kind docs"]);
    let poor = shop.run(&["ask", "which port does a zebra name listen on"]);
    poor.stderr_contains(&["--kind docs"]);
    assert!(!has_text_index(&shop));
}

#[test]
fn a_long_question_is_cut_or_refused() {
    let shop = shop();
    let run = |text: &str| {
        shop.run_with(&["ask", "--kind", "docs", "-"], |command| {
            command.write_stdin(text);
        })
    };
    let long = |between: &str| vec!["upload"; 40_000].join(between);
    let cut = "the question is too long: only its beginning is searched in text files";
    for text in [long(" "), long("-"), format!("\"{}\"", long(" ")), format!("upload {}", long("~2 "))] {
        let ran = run(&text);
        assert!(ran.err.contains(cut), "{}", ran.err);
    }
    for text in [long(" AND "), long("~2 OR "), format!("size NOT ({})", long("* "))] {
        run(&text).failed(&["the query is invalid: it has more than 200 words and paths"]);
    }
}

#[test]
fn a_question_in_another_language_is_translated() {
    let shop = shop();
    let question = "welche Funktion registriert eine Prüfung";
    let ran = shop.run(&["ask", "--json", "-k", "1", question]).found();
    let ran =
        ran.stderr_contains(&["the question seems to be in German; it was read as: which function register check"]);
    let answer = ran.json();
    assert_eq!((&answer["query"], &answer["read_as"]), (&question.into(), &"which function register check".into()));
    assert_eq!(answer["results"][0]["name"], "register");
    // A word of the code is not translated.
    shop.write("shop/prüfen.py", "def prüfung(name):\n    return name\n");
    let ran = shop.run(&["ask", "--jsonl", "welche Funktion ist die Prüfung"]).found();
    assert_eq!(ran.names()[0], "prüfung");
    let ran = shop.run(&["ask", "która funkcja wysyła wiadomość"]);
    ran.stderr_contains(&["the question does not seem to be in English", "none of its words is known"]);
    let english = shop.run(&["ask", "--json", "registers a custom validator"]).found();
    assert!(english.json().get("read_as").is_none() && english.err.is_empty(), "{}", english.err);
}

#[test]
fn text_files_are_searched_in_the_language_of_the_question_and_in_english() {
    let shop = shop();
    shop.write("docs/de.md", "# Grenzen\nDie Größe einer Datei ist begrenzt.\n");
    let ran = shop.run(&["ask", "--kind", "docs", "--jsonl", "maximale Größe einer Datei"]).found();
    assert!(ran.paths().contains(&"docs/de.md".to_owned()) && ran.paths().contains(&"settings.toml".to_owned()));
}

#[cfg(feature = "serve")]
#[test]
fn http_answers_like_the_command_line() {
    let shop = shop();
    let served = Served::start(&shop, &[]);
    for kind in ["docs", "all"] {
        let body = serde_json::json!({"question": "custom validator", "kind": kind});
        let http = served.post("/ask", &body).found();
        let typed = shop.run(&["ask", "--kind", kind, "--json", "custom validator"]).found().json();
        assert_eq!(http["results"], typed["results"], "{kind}");
    }
    let ask = |question: &str| served.post("/ask", &serde_json::json!({"question": question})).found();
    let nothing = ask("idle timeout of a connection");
    assert!(nothing["notices"][0].as_str().is_some_and(|notice| notice.contains("\"kind\": \"docs\"")), "{nothing}");
    let german = ask("welche Funktion registriert eine Prüfung");
    assert_eq!(german["read_as"], "which function register check");
    assert!(german["notices"][0].as_str().is_some_and(|notice| notice.contains("German")), "{german}");
}
