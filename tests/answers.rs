//! Questions with one right answer that the text or the graph of the repository contains: pasted
//! messages, flags, codes, single words, wrappers, and questions about callers, tests and types.

use crate::support::env::Env;

fn first(env: &Env, question: &str) -> String {
    env.ask(&[question]).first().cloned().unwrap_or_default()
}

#[test]
fn the_function_with_a_pasted_message_is_first() {
    let env = Env::with(&[
        (
            "store.py",
            "def read_config(path):\n    \"\"\"Opens the config file and reports errors.\"\"\"\n    return open(path).read()\n\n\n\
             def load(path, limit):\n    if limit < 0:\n        raise ValueError(f\"cannot open {path}: limit {limit} is below zero\")\n    return path\n\n\n\
             def report_value_error(error):\n    \"\"\"Reports that a file cannot be opened because of its limit.\"\"\"\n    return str(error)\n",
        ),
        (
            "src/error.rs",
            "pub const NO_REACTOR: &str =\n    \"there is no reactor running\";\n\npub fn current() -> u8 {\n    panic!(\"{}\", NO_REACTOR)\n}\n\n\
             /// Checks that a reactor is running there.\npub fn is_reactor_running() -> bool {\n    true\n}\n",
        ),
        (
            "log.go",
            "package log\n\nfunc warn(name string, age int) {\n\tprintf(\"peer %s was silent \" +\n\t\t\"for %d seconds\", name, age)\n}\n\n\
             // silentPeer reports the seconds of a silent peer.\nfunc silentPeer() {}\n",
        ),
    ]);
    for (message, function) in [
        ("ValueError: cannot open /etc/app.toml: limit -3 is below zero", "load"),
        ("thread 'main' panicked: there is no reactor running", "current"),
        ("2026/02/03 11:22:33 [warn] peer alpha-7 was silent for 31 seconds", "warn"),
        ("peer alpha-7 was silent for 31 seconds", "warn"),
        ("which function prints \"is below zero\"", "load"),
    ] {
        assert_eq!(first(&env, message), function, "{message}");
    }
}

#[test]
fn the_function_with_a_flag_a_code_or_a_constant_is_first() {
    let env = Env::with(&[(
        "check.py",
        "MAX_DEPTH = 3\n\n\ndef borrow(value):\n    # E0499 is reported elsewhere.\n    emit(\"E0382\", value)\n\n\n\
         def arguments(parser):\n    parser.add(\"--no-cache\")\n\n\ndef cache(parser):\n    \"\"\"Handles the cache, or no cache.\"\"\"\n\n\n\
         def walk(depth):\n    return depth < MAX_DEPTH\n\n\ndef max_depth_of(tree):\n    \"\"\"Returns the maximum depth.\"\"\"\n",
    )]);
    assert_eq!(first(&env, "E0382"), "borrow");
    assert_eq!(first(&env, "where is --no-cache handled"), "arguments");
    assert_eq!(first(&env, "what does MAX_DEPTH limit"), "walk");
}

#[test]
fn a_single_word_finds_functions_with_this_word_in_their_name() {
    let env = Env::with(&[(
        "shell.py",
        "def longest_heredocs(lines):\n    return lines\n\n\ndef parse(text):\n    heredoc = text\n    return heredoc\n",
    )]);
    let found = env.run(&["heredoc", "--json"]).found().json();
    assert_eq!(found["results"][0]["name"], "longest_heredocs");
    assert_ne!(found["trust"]["level"], "nothing fits");
}

#[test]
fn questions_about_the_graph_are_answered_from_the_graph() {
    let env = Env::with(&[
        (
            "doors.py",
            "class Door:\n    def open(self):\n        raise NotImplementedError\n\n\nclass Gate(Door):\n    def open(self):\n        return lift()\n\n\n\
             def lift():\n    return 1\n\n\ndef implement_door_types():\n    \"\"\"Implements the types of a door, and calls lift nowhere.\"\"\"\n",
        ),
        ("test_doors.py", "from doors import Gate\n\n\ndef test_gate():\n    assert Gate().open() == 1\n"),
    ]);
    for (question, form, names) in [
        ("which types implement Door?", "implementations", &["Gate"][..]),
        ("who calls lift", "callers", &["open"]),
        ("what does Gate.open call", "callees", &["lift"]),
        ("which tests cover lift", "tests", &["test_gate"]),
        ("base classes of Gate", "bases", &["Door"]),
    ] {
        let found = env.run(&[question, "--json"]).found().json();
        let results = found["results"].as_array().expect("results");
        let named: Vec<&str> = results.iter().filter_map(|result| result["name"].as_str()).collect();
        assert_eq!((found["asked_as"].as_str(), &named[..]), (Some(form), names), "{question}");
    }
    let none = env.run(&["who calls implement_door_types", "--json"]).found().json();
    assert_eq!(none["trust"], serde_json::Value::Null, "no caller is known, so the results are guesses");
}

#[test]
fn text_about_a_parameter_is_documentation() {
    let env = Env::with(&[(
        "app.py",
        "def start(port: Annotated[int, Doc(\"\"\"Number of the socket, where zero selects a free one.\"\"\")] = 0):\n    return port\n",
    )]);
    let found = env.run(&["zero selects a free socket", "--json", "--explain"]).found().json();
    let fields: Vec<&str> = found["results"][0]["evidence"]
        .as_array()
        .expect("evidence")
        .iter()
        .filter_map(|reason| reason["field"].as_str())
        .collect();
    assert!(!fields.is_empty() && fields.iter().all(|field| *field == "doc"), "{fields:?}");
}
