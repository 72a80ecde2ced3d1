//! Tests `whichfn context`: the fragments that precede a completion, for a cursor in a saved,
//! unsaved or new file.

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};

const MAIL: &str = "def send_letter(address, text):
    stamp = buy_stamp(address.country)
    return post(stamp, address, text)
";

const PRICES: &str = "/// What a stamp to an address costs.
pub fn buy_stamp(country: &str) -> Stamp {
    Stamp::for_country(country)
}
";

const ORDERS: &str = "def confirm(order):
    address = order.customer.address
    send_letter(address, 
";

const COUNTER: &str = "fn confirm(order: &Order) {
    let address = order.customer.address();
    send_letter(address, 
}
";

fn shop() -> Env {
    Env::with(&[("src/mail.py", MAIL), ("src/prices.rs", PRICES), ("src/orders.py", ORDERS)])
}

/// Each file contains one word, so the results show which word was searched for.
fn words(path: &str, text: &str) -> Env {
    let env = Env::with(&[("alpha.py", "alpha = 1\n"), ("beta.py", "beta = 2\n")]);
    env.write(path, text);
    env
}

fn with_text(env: &Env, arguments: &[&str], text: &str) -> Ran {
    let all: Vec<&str> = ["context", "--stdin"].iter().chain(arguments).copied().collect();
    env.run_with(&all, |command| {
        command.write_stdin(text);
    })
}

/// Returns the files of the fragments, sorted by rank.
fn paths(ran: Ran) -> Vec<String> {
    let of = |value: Value| value["path"].as_str().expect("path").to_owned();
    ran.json()["fragments"].as_array().expect("list").iter().cloned().map(of).collect()
}

fn found(env: &Env, arguments: &[&str]) -> Vec<String> {
    let all: Vec<&str> = ["context", "--format", "json"].iter().chain(arguments).copied().collect();
    paths(env.run(&all))
}

// ---- formats

#[test]
fn a_prompt_is_comments_with_the_best_fragment_last() {
    let ran = shop().run(&["context", "src/orders.py:4"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    # Here are some relevant code fragments from this repository:
    # --------------------------------------------------
    # the below code fragment can be found in:
    # src/prices.rs
    # --------------------------------------------------
    # /// What a stamp to an address costs.
    # pub fn buy_stamp(country: &str) -> Stamp {
    #     Stamp::for_country(country)
    # }
    # --------------------------------------------------
    # the below code fragment can be found in:
    # src/mail.py
    # --------------------------------------------------
    # def send_letter(address, text):
    #     stamp = buy_stamp(address.country)
    #     return post(stamp, address, text)
    # --------------------------------------------------
    ");
}

#[test]
fn comments_are_those_of_the_language_of_the_cursor() {
    let shop = shop();
    shop.write("src/counter.rs", COUNTER);
    let ran = shop.run(&["context", "src/counter.rs:4", "-k", "1"]).found().without_stderr();
    insta::assert_snapshot!(ran.out, @r"
    // Here are some relevant code fragments from this repository:
    // --------------------------------------------------
    // the below code fragment can be found in:
    // src/orders.py
    // --------------------------------------------------
    // def confirm(order):
    //     address = order.customer.address
    //     send_letter(address,
    // --------------------------------------------------
    ");
    shop.write("notes.txt", "order address send letter\n");
    assert!(shop.run(&["context", "notes.txt:2", "-k", "1"]).found().out.starts_with("# Here are"));
}

#[test]
fn json_has_the_shape_of_the_contract_and_the_best_fragment_first() {
    let shop = shop();
    let mut value = shop.run(&["context", "src/orders.py:4", "--format", "json"]).found().without_stderr().json();
    assert_eq!(
        value["prompt"],
        shop.run(&["context", "src/orders.py:4"]).found().out,
        "the prompt is that of --format"
    );
    let fragments = value["fragments"].as_array_mut().expect("list");
    let scores: Vec<f64> = fragments.iter().map(|fragment| fragment["score"].as_f64().expect("score")).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    for fragment in fragments {
        let parts = ["independent", "environment"].map(|part| fragment["scores"][part].as_f64().expect("number"));
        assert!((parts[0] + parts[1] - fragment["score"].as_f64().expect("number")).abs() < 1e-9, "{fragment}");
        fragment["score"] = json!(true);
        fragment["scores"] = json!(true);
    }
    value["prompt"] = json!(true);
    let fragment = |path: &str, end: u32, text: &str| {
        let text = text.trim_end_matches('\n');
        json!({"path": path, "start_line": 1, "end_line": end, "score": true, "scores": true, "text": text})
    };
    let fragments = [fragment("src/mail.py", 3, MAIL), fragment("src/prices.rs", 4, PRICES)];
    assert_eq!(
        value,
        json!({
            "version": 1,
            "file": "src/orders.py",
            "line": 4,
            "query_lines": [1, 3],
            "fragments": fragments,
            "prompt": true,
        })
    );
}

#[test]
fn fim_is_a_list_of_names_and_texts_with_the_best_last() {
    let shop = shop();
    let arguments = ["context", "src/orders.py:4", "--draft", "buy_stamp(country)"];
    let fim = shop.run(&[&arguments[..], &["--format", "fim"]].concat()).found().without_stderr().json();
    let mut expected: Vec<Value> =
        shop.run(&[&arguments[..], &["--format", "json"]].concat()).found().json()["fragments"]
            .as_array()
            .expect("list")
            .iter()
            .map(|fragment| json!({"filename": fragment["path"], "text": fragment["text"]}))
            .collect();
    expected.reverse();
    assert_eq!((fim, expected.len()), (Value::Array(expected), 2));
}

// ---- unsaved text and drafts

#[test]
fn the_query_uses_unsaved_text() {
    let env = words("here.py", "nothing\n");
    let ran = with_text(&env, &["here.py:2", "--format", "json"], "beta\n").found();
    assert_eq!((ran.json()["query_lines"].clone(), paths(ran)), (json!([1, 1]), vec!["beta.py".to_owned()]));
    assert!(found(&env, &["here.py:2"]).is_empty(), "the file on disk says nothing of it");
}

#[test]
fn a_file_and_its_folder_may_not_exist_yet() {
    let env = words("here.py", "");
    for place in ["new.py:2", "new/folder/new.py:2", "./new/../new.py:2"] {
        assert_eq!(paths(with_text(&env, &[place, "--format", "json"], "alpha\n").found()), ["alpha.py"], "{place}");
    }
    assert!(
        with_text(&env, &["new.rs:2"], "alpha\n").found().out.starts_with("// Here"),
        "its name tells the language"
    );
    assert!(!env.at("new").exists(), "nothing is written");
}

#[test]
fn a_draft_is_part_of_the_query() {
    let env = words("here.py", "alpha\n");
    assert_eq!(found(&env, &["here.py:2"]), ["alpha.py"]);
    let mut both = found(&env, &["here.py:2", "--draft", "return beta"]);
    both.sort();
    assert_eq!(both, ["alpha.py", "beta.py"]);
    assert_eq!(found(&env, &["here.py:1", "--draft", "beta"]), ["beta.py"], "even where nothing is written yet");
}

// ---- limits and ranking

#[test]
fn k_is_the_most_fragments_and_budget_the_most_text() {
    let env = Env::new();
    (0..20).for_each(|i| env.write(format!("f{i:02}.py"), format!("alpha = {}\n", "x".repeat(10 * i + 1))));
    env.write("here.py", "alpha\n");
    assert_eq!(found(&env, &["here.py:2"]).len(), 10, "ten if nothing is said");
    let all = found(&env, &["here.py:2", "-k", "50"]);
    assert_eq!(all.len(), 20);
    assert_eq!(found(&env, &["here.py:2", "-k", "3"]), all[..3]);
    for budget in [20, 100, 300] {
        let some = budget.to_string();
        let ran = env.run(&["context", "here.py:2", "-k", "50", "--budget", &some, "--format", "fim"]).found();
        let texts: usize = ran.json().as_array().expect("list").iter().map(|f| f["text"].to_string().len() - 2).sum();
        assert!(texts <= 4 * budget && texts > 2 * budget, "{budget} tokens: {texts} bytes");
    }
    env.run(&["context", "here.py:2", "--budget", "1"]).nothing();
}

#[test]
fn smaller_fragments_follow_a_large_one_that_does_not_fit() {
    let env = Env::with(&[
        ("large.py", &format!("alpha = beta = gamma = \"{}\"\n", "x".repeat(300))),
        ("small.py", "alpha = 1\n"),
        ("here.py", "alpha beta gamma\n"),
    ]);
    assert_eq!(found(&env, &["here.py:2"]), ["large.py", "small.py"]);
    assert_eq!(found(&env, &["here.py:2", "--budget", "40"]), ["small.py"]);
}

#[test]
fn rankings_are_bm25_the_published_sum_and_the_best() {
    let env = Env::with(&[
        ("near/here.py", "alpha\nother\n"),
        ("near/a.py", "alpha = other(red, green, blue, white, black)\n"),
        ("far/away/b.py", "alpha = other(red, green, blue, white)\n"),
    ]);
    let ask = |ranking: &str| {
        let ran = env.run(&["context", "near/here.py:3", "--format", "json", "--ranking", ranking]).found();
        let added = |f: &Value| f["scores"]["environment"].as_f64().expect("number");
        let added: Vec<f64> = ran.json()["fragments"].as_array().expect("list").iter().map(added).collect();
        (paths(ran), added)
    };
    assert_eq!(ask("bm25"), (vec!["far/away/b.py".to_owned(), "near/a.py".to_owned()], vec![0.0, 0.0]));
    assert!(ask("published").1.iter().all(|&added| added > 0.0));
    assert_eq!(ask("best").0, ["near/a.py", "far/away/b.py"], "what is near counts more");
    assert_eq!(ask("best").0, found(&env, &["near/here.py:3"]), "it is the default");
    assert_eq!(env.run(&["context", "near/here.py:3", "--ranking", "worst"]).code, Some(2));
}

// ---- exit status and freshness

#[test]
fn the_exit_status_is_that_of_grep() {
    let env = words("here.py", "zyxwvut\nalpha\n");
    assert_eq!(env.run(&["context", "here.py:3"]).found().without_stderr().code, Some(0));
    let nothing = env
        .run(&["context", "here.py:2"])
        .nothing()
        .stderr_contains(&["no fragment matches the lines before the cursor"]);
    assert_eq!(nothing.out, "");
    assert_eq!(env.run(&["context", "here.py:2", "--format", "fim"]).nothing().json(), json!([]));
    assert_eq!(env.run(&["context", "here.py:2", "--format", "json"]).nothing().json()["fragments"], json!([]));
    assert_eq!(env.run(&["context", "here.py:2", "-q"]).err, "");
    assert_eq!(env.run(&["context", "here.py:9"]).code, Some(2));
}

#[test]
fn the_index_is_refreshed_by_default() {
    let env = words("here.py", "alpha beta\n");
    env.run(&["context", "here.py:2", "--no-update"]).failed(&["no index yet", "whichfn index"]);
    assert_eq!(found(&env, &["here.py:2"]).len(), 2);
    env.write("new.py", "alpha = beta\n");
    assert_eq!(found(&env, &["here.py:2", "--no-update"]).len(), 2);
    assert_eq!(found(&env, &["here.py:2"])[0], "new.py");
    env.write("new.py", "");
    assert_eq!(found(&env, &["here.py:2", "--no-update"]).len(), 2, "nor lines that are gone");
    env.remove("new.py");
    assert_eq!(found(&env, &["here.py:2", "--no-update"]).len(), 2, "a file that is gone is not shown");
}
