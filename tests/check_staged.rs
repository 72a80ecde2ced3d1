//! Tests what `whichfn check --staged` checks if the working tree differs from what is staged, and
//! where comments and notices appear.

use crate::check::{findings, git, reported, repository};

const STORE: &str = "def save(path, data):\n    return path, data\n";
const APP: &str = "from store import save\n\n\ndef run(state):\n    save('state', state)\n\n\ndef stop(state):\n    save('state', state)\n";

#[test]
fn the_staged_files_are_checked_and_not_the_working_tree() {
    let env = repository(&[("store.py", STORE), ("app.py", APP)]);
    env.write("store.py", STORE.replace("(path, data):", "(path):"));
    git(&env, &["add", "-A"]);
    env.write("app.py", APP.replace(", state)", ")"));
    let ran = env.run(&["check", "--staged"]);
    assert_eq!(ran.code, Some(1), "the commit lacks the fix: {ran:#?}");
    ran.stderr_contains(&["the working tree differs from what is staged", "1 finding in 1 changed file"]);
    git(&env, &["add", "-A"]);
    assert!(reported(&env, &["--staged"]).is_empty(), "now the fix is staged");
    env.write("app.py", APP);
    assert!(reported(&env, &["--staged"]).is_empty(), "the commit is complete");
    git(&env, &["checkout", "-q", "--", "app.py"]);
    assert!(!env.run(&["check", "--staged"]).err.contains("differs from what is staged"));
}

#[test]
fn a_comment_at_a_call_ignores_that_call() {
    let env = repository(&[
        ("store.py", STORE),
        ("app.py", &APP.replace("state):\n    save", "state):\n    # whichfn: ignore[callers]\n    save")),
    ]);
    env.write("store.py", STORE.replace("(path, data):", "(path):"));
    let ran = env.run(&["check", "--json"]);
    assert_eq!((findings(&ran).len(), ran.json()["ignored"].as_u64()), (0, Some(1)), "all calls are ignored");
    let one = APP.replacen("state):\n    save", "state):\n    # whichfn: ignore[callers]\n    save", 1);
    let env = repository(&[("store.py", STORE), ("app.py", &one)]);
    env.write("store.py", STORE.replace("(path, data):", "(path):"));
    let found = findings(&env.run(&["check", "--json"]));
    assert_eq!(found[0]["related"].as_array().map(Vec::len), Some(1), "{found:#?}");
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("; 1 unmodified call ")), "{found:#?}");
    env.write("store.py", STORE.replace("save", "store"));
    let found = findings(&env.run(&["check", "--json"]));
    assert_eq!(found[0]["related"].as_array().map(Vec::len), Some(2), "the import and the other call: {found:#?}");
}

#[test]
fn what_was_left_out_is_in_every_report() {
    let env = repository(&[("store.py", STORE), ("app.py", APP)]);
    env.write("store.py", "def save(path, data:\n    return (path\n");
    let sarif = env.run(&["check", "--format", "sarif"]).json();
    let notice = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
    assert_eq!(notice["message"]["text"], "skipped store.py: it no longer parses.", "{sarif:#?}");
    assert_eq!(notice["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "store.py");
    let markdown = env.run(&["check", "--format", "markdown"]).out;
    assert!(markdown.contains("> skipped store.py: it no longer parses"), "{markdown}");
}

#[test]
fn dead_code_is_that_of_all_files() {
    let env = crate::support::env::Env::with(&[("a.py", "def _lost():\n    return 1\n")]);
    env.run(&["check", "--dead"]).stderr_contains(&["1 finding in 1 file"]);
}
