//! Pasted text and its label: messages, quotations, flags, names and stack traces. Only a text that is
//! the whole question and is in the program's own code is called sure.

use crate::support::env::Env;

/// Returns the first name and the label of the answer, which is empty if the answer has none.
fn answer(env: &Env, question: &str) -> (String, String) {
    let found = env.run(&[question, "--json"]).found().json();
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    (text(&found["results"][0]["name"]), text(&found["trust"]["level"]))
}

fn pair(name: &str, label: &str) -> (String, String) {
    (name.to_owned(), label.to_owned())
}

#[test]
fn a_message_of_the_program_is_sure_and_one_of_its_tests_or_benches_is_not() {
    let text = |name: &str| format!("def {name}(path):\n    print(\"lines of this file end in two ways\")\n");
    let program = Env::with(&[("lines.py", &text("warn"))]);
    assert_eq!(answer(&program, "warning: lines of this file end in two ways"), pair("warn", "sure"));
    for path in ["benches/lines.py", "docs/lines.py", "examples/lines.py"] {
        let env = Env::with(&[(path, &text("measure")), ("a.py", "def other():\n    pass\n")]);
        assert_eq!(answer(&env, "warning: lines of this file end in two ways"), pair("measure", ""), "{path}");
    }
    let both = Env::with(&[("benches/lines.py", &text("measure")), ("src/lines.py", &text("warn"))]);
    assert_eq!(answer(&both, "warning: lines of this file end in two ways"), pair("warn", "sure"));
}

#[test]
fn a_quotation_in_a_longer_sentence_is_an_example() {
    let env = Env::with(&[(
        "dates.py",
        "def parse_date(text):\n    \"\"\"Parses a date such as yesterday.\"\"\"\n    return text.split()\n\n\n\
         def expire():\n    return config.get(\"2 weeks ago\")\n",
    )]);
    assert_ne!(answer(&env, "which function parses a date like \"2 weeks ago\"").1, "sure");
    assert_eq!(answer(&env, "where does the message \"2 weeks ago\" come from").0, "expire");
}

#[test]
fn a_value_in_a_message_is_not_a_message() {
    let env = Env::with(&[(
        "keys.py",
        "def join(path):\n    return path + '/foo'\n\n\ndef read_key(keys, name):\n    \"\"\"Reads a key, or raises KeyError.\"\"\"\n    return keys[name]\n",
    )]);
    assert_ne!(answer(&env, "KeyError: 'foo'").1, "sure");
}

#[test]
fn a_flag_leads_to_the_code_with_a_string_of_its_own_for_it() {
    let env = Env::with(&[(
        "main.go",
        "package main\n\nfunc hint() {\n\tprintln(\"add --disableFastRender to render all\")\n}\n\n\
         func flags() {\n\tBoolVar(&c.disableFastRender, \"disableFastRender\", false)\n}\n",
    )]);
    assert_eq!(answer(&env, "server --disableFastRender").0, "flags");
    assert_ne!(answer(&env, "server --disableFastRender").1, "sure");
}

#[test]
fn short_text_around_placeholders_is_found() {
    let env = Env::with(&[(
        "merge.c",
        "void conflict(const char *kind, const char *path) {\n    printf(\"CONFLICT (%s): Merge conflict in %s\", kind, path);\n}\n\n\
         void notes(const char *object) {\n    printf(\"CONFLICT (content): Merge conflict in notes for object %s\", object);\n}\n\n\
         void automatic(const char *path) {\n    printf(\"Auto-merging %s\", path);\n}\n\n\
         void readme(void) {\n    open_file(\"README.md\");\n}\n",
    )]);
    assert_eq!(answer(&env, "CONFLICT (content): Merge conflict in README.md").0, "conflict");
    assert_eq!(answer(&env, "Auto-merging README.md").0, "automatic");
}

#[test]
fn a_message_that_mentions_a_call_is_a_message() {
    let env = Env::with(&[(
        "loop.swift",
        "func wait() {}\n\nfunc check() {\n    fatalError(\"BUG DETECTED: wait() must not be called when on an EventLoop.\")\n}\n",
    )]);
    assert_eq!(answer(&env, "BUG DETECTED: wait() must not be called when on an EventLoop.").0, "check");
}

#[test]
fn the_innermost_frame_of_a_trace_in_the_repository_is_first() {
    let executor =
        "import os\n\n\ndef run(task):\n    return execute(task)\n\n\ndef execute(task):\n    return task.go()\n";
    let env = Env::with(&[
        ("lib/ansible/executor/task.py", executor),
        (
            "lib/ansible/ssh.py",
            "HINT = 'Traceback (most recent call last):'\n\n\ndef handle(text):\n    return HINT in text\n",
        ),
        ("lib/ansible/callback.py", "def runner():\n    \"\"\"Called by ansible/executor/task.py in execute.\"\"\"\n"),
    ]);
    for root in ["/usr/lib/python3/dist-packages/ansible", "/opt/x/site-packages/ansible", "ansible", "lib/ansible"] {
        let trace = format!(
            "Traceback (most recent call last):\n  File \"{root}/executor/task.py\", line 5, in run\n    return execute(task)\n  \
             File \"{root}/executor/task.py\", line 9, in execute\n    return task.go()\nAttributeError: no such thing"
        );
        assert_eq!(answer(&env, &trace), pair("execute", "sure"), "{root}");
    }
    // The code has moved since: the name in the frame counts.
    let moved = "  File \"/x/ansible/executor/task.py\", line 1, in execute";
    assert_eq!(answer(&env, moved), pair("execute", "likely"));
    // Neither a function nor a constant with the message comes before a frame.
    env.write("lib/ansible/texts.py", "GONE = \"the task has gone away for good\"\n");
    let raised = "  File \"ansible/executor/task.py\", line 9, in execute\nValueError: the task has gone away for good";
    let found = env.run(&[raised, "--kind", "any", "--json"]).found().json();
    assert_eq!(found["results"][0]["name"], "execute", "{found}");
    // No frame is in the repository: the message counts.
    let other = "Traceback (most recent call last):\n  File \"/x/a.py\", line 1, in f\n    g()\nValueError: a message of nobody";
    assert_ne!(answer(&env, other).1, "sure");
}

#[test]
fn an_exact_name_has_a_label_by_the_number_of_definitions_with_it() {
    let env = Env::with(&[
        ("a.py", "def only_one():\n    pass\n\n\ndef one_of_two():\n    pass\n"),
        ("b.py", "def one_of_two():\n    pass\n"),
    ]);
    assert_eq!(answer(&env, "only_one"), pair("only_one", "sure"));
    assert_eq!(answer(&env, "one_of_two"), pair("one_of_two", "likely"));
}
