//! Tests components with markup, notebooks and templates: their functions are found, markup calls
//! them, and what a template names is not dead.

use crate::support::env::Env;
use serde_json::json;

const BUTTON: &str = "<template>
  <button :disabled=\"!isReady(state)\" @click=\"save\">Save the draft</button>
</template>

<script setup lang=\"ts\">
import { isReady } from './state';

/** Writes the draft to the disk. */
function save() {}

function unused() {}
</script>
";

const APP: &str = "<script>
  import { load } from './state';
  import Card from './Card.svelte';
  function close() {}
</script>

{#each load() as item}
  <Card {item} on:close={close} />
{/each}
";

fn project() -> Env {
    Env::with(&[
        ("src/SaveButton.vue", BUTTON),
        (
            "src/Form.vue",
            "<template><save-button /></template>\n<script>\nimport SaveButton from '@/SaveButton';\n</script>\n",
        ),
        ("src/App.svelte", APP),
        ("src/Card.svelte", "<h1>Card</h1>\n"),
        ("src/state.ts", "export function isReady(state) {}\nexport function load() {}\n"),
    ])
}

#[test]
fn markup_calls_the_functions_of_the_script_and_components() {
    let ran = project().run(&["callers", "SaveButton.save"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    src/SaveButton.vue:9  SaveButton.save  function · called by 1
    └─ src/SaveButton.vue:2:47  SaveButton  (in scope)  <button :disabled="!isReady(state)" @click="save">Save the draft</button>
    "#);
    let ran = project().run(&["callees", "App"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    src/App.svelte:1  App  function · calls 3
    ├─ src/state.ts:2  load  (imported, line 7)  {#each load() as item}
    ├─ src/Card.svelte:1  Card  (imported, line 8)  <Card {item} on:close={close} />
    └─ src/App.svelte:4  App.close  (in scope, line 8)  <Card {item} on:close={close} />
    "#);
    let ran = project().run(&["callers", "SaveButton"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    src/SaveButton.vue:1  SaveButton  function · called by 1
    └─ src/Form.vue:1:11  Form  (imported)  <template><save-button /></template>
    "#);
}

/// Vue merges `methods`, `computed` and the hooks of a component into one object.
#[test]
fn this_in_a_component_has_the_methods_of_all_its_objects() {
    let options = "<script>
export default {
  computed: { label() { return this.format(1); } },
  created() { this.load(); },
  methods: {
    load() {},
    format(value) { return value; },
  },
};
</script>
<template><p>{{ label }}</p></template>
";
    let env = Env::with(&[("src/Price.vue", options)]);
    for (method, caller) in [("Price.load", "Price.created"), ("Price.format", "Price.label")] {
        let json = env.run(&["callers", method, "--json"]).found().json();
        assert_eq!(json["tree"][0]["name"], caller, "{method}");
    }
}

#[test]
fn elements_are_references_of_a_component() {
    let env = project();
    env.write(
        "src/Page.vue",
        "<script setup>\nimport SaveButton from './SaveButton.vue';\n</script>\n<template><SaveButton /></template>\n",
    );
    let ran = env.run(&["references", "SaveButton"]).found().without_stderr();
    for place in ["src/Form.vue:1:12  Form  (call)", "src/Page.vue:4:12  Page  (call)"] {
        assert!(ran.out.contains(place), "{place}: {}", ran.out);
    }
}

#[test]
fn a_component_is_found_by_its_text_and_its_functions_by_their_lines() {
    let found = project().run(&["writes the draft to the disk", "--json"]).found().json();
    let first = &found["results"][0];
    assert_eq!((&first["qualified_name"], &first["line"]), (&json!("SaveButton.save"), &json!(9)), "{found}");
    let found = project().run(&["save the draft button component", "--json", "--lang", "vue"]).found().json();
    assert_eq!(found["results"][0]["language"], "vue", "{found}");
}

#[test]
fn only_functions_that_no_markup_names_are_dead() {
    let ran = project().run(&["check", "--dead", "--json"]);
    let findings = ran.json();
    let names: Vec<&str> =
        findings["findings"].as_array().expect("findings").iter().filter_map(|one| one["message"].as_str()).collect();
    assert_eq!(names, ["nothing calls or refers to SaveButton.unused"]);
}

fn notebook(source: &[&str], language: &str) -> String {
    let code = json!({"cell_type": "code", "outputs": [{"text": ["hidden_output()"]}], "source": source});
    let text = json!({"cell_type": "markdown", "source": ["Notes"]});
    let whole = json!({"cells": [text, code], "metadata": {"language_info": {"name": language}}});
    serde_json::to_string_pretty(&whole).expect("JSON")
}

#[test]
fn a_result_in_a_notebook_has_its_cell() {
    let source =
        ["%matplotlib inline\n", "def plot_sales(rows):\n", "    \"\"\"Draws the sales.\"\"\"\n", "    return rows"];
    let env = Env::with(&[("sales.ipynb", &notebook(&source, "python"))]);
    let found = env.run(&["draws the sales", "--json", "--snippet-lines", "9"]).found().json();
    let first = &found["results"][0];
    assert_eq!(
        (&first["name"], &first["cell"], &first["cell_line"]),
        (&json!("plot_sales"), &json!(2), &json!(2)),
        "{found}"
    );
    assert_eq!(first["snippet"], "def plot_sales(rows):\n    \"\"\"Draws the sales.\"\"\"\n    return rows");
    let line = notebook(&source, "python").lines().position(|line| line.contains("plot_sales")).expect("a line");
    assert_eq!(first["line"], json!(line + 1));
    let ran = env.run(&["draws the sales"]).found();
    assert!(ran.out.contains("cell 2, line 2"), "{}", ran.out);
    let hidden = env.run(&["hidden output", "--unit", "window", "--json"]).json();
    assert!(!hidden.to_string().contains("hidden_output"), "{hidden}");
}

#[test]
fn other_notebooks_are_counted() {
    let one_line = notebook(&["a = 1\n", "b = 2"], "python").replace('\n', " ");
    let env = Env::with(&[
        ("a.py", "def run():\n    pass\n"),
        ("cobol.ipynb", &notebook(&["x"], "cobol")),
        ("invalid.ipynb", "{\"cells\": ["),
        ("line.ipynb", &one_line),
        ("large.ipynb", &notebook(&["x".repeat(9 << 20).as_str()], "python")),
    ]);
    let status = env.run(&["status", "--json"]).json();
    assert_eq!(status["skipped"], json!({"oversized": 1, "unparsable": 3}), "{status}");
}

#[test]
fn a_use_in_a_template_is_possible() {
    let env = Env::with(&[
        ("user.py", "class User:\n    def full_name(self):\n        pass\n\n    def _initials(self):\n        pass\n"),
        (
            "page.html",
            "<p>full_name</p>\n<b onclick=\"go(full_name)\">{{ user.full_name() }}</b>\n{% if user._initials %}{% endif %}\n",
        ),
    ]);
    let ran = env.run(&["references", "User.full_name"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r#"
    user.py:2  User.full_name  method · used 0 times, 2 possible
      page.html:2:16  page.html  (value, possible)  <b onclick="go(full_name)">{{ user.full_name() }}</b>
      page.html:2:36  page.html  (call, possible)  <b onclick="go(full_name)">{{ user.full_name() }}</b>
    "#);
    let dead = env.run(&["check", "--dead", "--json"]).json();
    assert_eq!(dead["findings"], json!([]));
}
