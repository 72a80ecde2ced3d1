//! End-to-end tests of the replies that a language model can give in addition to notes: that it is
//! certain, that it wants more functions, their order, or that nothing matches. The model is a
//! script (`crates/testing/src/server.rs`).

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};
use whichfn_testing::server::{RecordedRequest, Server, Step};

/// A module with prices. Neither the function that `price_total` calls nor its caller has a word in
/// common with the question.
const PRICES: &str = r#"from maths import fold


def price_total(prices):
    """Sum up prices."""
    return fold(prices)


def price_label(price):
    return f'{price:.2f}'


def price_rows(prices):
    return [price_label(price) for price in prices]
"#;

const MATHS: &str = r#"def fold(numbers):
    result = 0
    for number in numbers:
        result = result + number
    return result
"#;

const PAGE: &str = r#"from prices import price_total


def show_bill(bill):
    print(price_total(bill.lines))
"#;

const QUESTION: &str = "where are prices added up";

fn shop() -> Env {
    Env::with(&[("prices.py", PRICES), ("maths.py", MATHS), ("page.py", PAGE)])
}

/// Runs the question with a model that returns the replies of `server`.
fn ran(env: &Env, server: &Server, options: &[&str]) -> Ran {
    let url = server.url();
    env.run(&[&["ask", QUESTION, "--json", "--no-fold", "--llm-url", &url, "--llm-model", "small"], options].concat())
}

/// Returns the answer and the prompts.
fn read_with(env: &Env, replies: &[&str], options: &[&str]) -> (Value, Vec<String>) {
    let server = Server::start(replies.iter().map(|text| Step::reply(text)).collect::<Vec<_>>());
    let answer = ran(env, &server, options).found().json();
    (answer, server.prompts())
}

/// Returns the names of the results, best first.
fn names(answer: &Value) -> Vec<&str> {
    answer["results"].as_array().expect("list").iter().map(|one| one["name"].as_str().expect("name")).collect()
}

fn verdict(answer: &Value) -> &str {
    answer["trace"]["verdict"].as_str().expect("a verdict")
}

/// Returns the key under which a prompt shows a function.
fn key(prompt: &str, name: &str) -> String {
    let heading = prompt.lines().find(|line| line.starts_with("### ") && line.contains(&format!(" {name} ")));
    heading.unwrap_or_else(|| panic!("{name} is not shown: {prompt}")).split(' ').nth(1).expect("a key").to_owned()
}

#[test]
fn a_certain_model_gets_no_further_request() {
    for strategy in ["prism", "cok"] {
        let merge = r#"[] [] {"certain": "price_total"}"#;
        let replies: &[&str] = if strategy == "cok" { &["{}", merge] } else { &[r#"{"certain": ["price_total"]}"#] };
        let (answer, prompts) = read_with(&shop(), replies, &["--strategy", strategy, "--chunk-tokens", "100"]);
        assert_eq!((names(&answer), verdict(&answer)), (vec!["price_total"], "certain"), "{strategy}");
        assert_eq!((prompts.len(), &answer["trace"]["settled"]), (replies.len(), &json!(true)), "{strategy}");
    }
}

#[test]
fn certain_functions_rank_before_noted_ones() {
    let note = r#"{"path": "$.candidate_functions.price_rows", "operation": "add", "value": {"purpose": "rows"}}"#;
    let (answer, prompts) = read_with(&shop(), &[&format!("{note}\n{{\"certain\": \"price_total\"}}")], &[]);
    assert_eq!((names(&answer), prompts.len()), (vec!["price_total", "price_rows"], 1));
    // The model is certain of its only candidate and does not name it.
    let (answer, prompts) = read_with(&shop(), &[&format!("{note}\n{{\"certain\": true}}")], &[]);
    assert_eq!((names(&answer), verdict(&answer), prompts.len()), (vec!["price_rows"], "certain", 1));
    let (answer, prompts) = read_with(&shop(), &[r#"{"certain": ["price_rows", "price_total"]}"#], &[]);
    assert_eq!((names(&answer), prompts.len()), (vec!["price_rows", "price_total"], 1), "of a close pair the better");
    // No prompt contained this function.
    let (answer, prompts) = read_with(&shop(), &[&format!("{note}\n{{\"certain\": \"evil\"}}"), "[]"], &[]);
    assert_eq!((names(&answer), verdict(&answer), prompts.len()), (vec!["price_rows"], "chosen", 1));
}

#[test]
fn reading_continues_while_the_model_requests_more() {
    let env = Env::new();
    let of = |n: usize| format!("def price_{n}(prices):\n    return prices[{n}] + 'a line of many more words'\n\n\n");
    env.write("many.py", (0..20).map(of).collect::<String>());
    let first = r#"{"path": "$.candidate_functions.f1", "operation": "add", "value": {"purpose": "perhaps"}}"#;
    let calls = |says: &str| {
        let server = Server::start({
            let says = says.to_owned();
            let mut calls = 0;
            move |_: &RecordedRequest| {
                calls += 1;
                Step::reply(&if calls == 1 { format!("{first}\n{says}") } else { says.clone() })
            }
        });
        let answer = ran(&env, &server, &["--chunk-tokens", "100"]).found().json();
        (server.requests().len(), answer["trace"]["functions_read"].as_u64().expect("number"))
    };
    assert_eq!(calls("").0, 3, "two chunks that add nothing end the reading");
    assert_eq!(calls(r#"{"more": []}"#).1, 20);
}

#[test]
fn requested_functions_are_shown_next_and_can_be_the_answer() {
    for (wish, wanted, at) in [
        ("fold", "fold", "maths.py:1"),
        ("callees of f1", "fold", "maths.py:1"),
        ("callers of price_total", "show_bill", "page.py:4"),
    ] {
        let mut calls = 0;
        let server = Server::start(move |request: &RecordedRequest| {
            calls += 1;
            Step::reply(&match calls {
                1 => format!(r#"{{"more": ["{wish}", "no_such_function"]}}"#),
                _ => format!(r#"{{"certain": "{}"}}"#, key(&request.prompt(), wanted)),
            })
        });
        let answer = ran(&shop(), &server, &["--chunk-tokens", "100"]).found().json();
        let prompts = server.prompts();
        assert_eq!(key(&prompts[0], "price_total"), "f1", "{}", prompts[0]);
        assert!(!prompts[0].contains(&format!("def {wanted}(")), "{}", prompts[0]);
        assert!(prompts[1].contains(&format!(" {wanted} in {at}\n")) && prompts[1].matches("### f").count() == 1);
        assert_eq!((names(&answer), verdict(&answer), prompts.len()), (vec![wanted], "certain", 2), "{wish}");
        assert_eq!(answer["trace"]["steps"][0]["more"], json!([wish, "no_such_function"]));
    }
}

#[test]
fn functions_excluded_by_the_query_are_not_shown_on_request() {
    let (_, prompts) = read_with(&shop(), &[r#"{"more": ["fold", "callers of f1"]}"#, ""], &["--path", "prices.py"]);
    assert!(prompts.iter().all(|prompt| !prompt.contains("def fold(") && !prompt.contains("show_bill")));
}

#[test]
fn requests_are_limited() {
    let server = Server::start(|_: &RecordedRequest| Step::reply(r#"{"more": ["fold", "f1"]}"#));
    ran(&shop(), &server, &[]).found();
    assert_eq!(server.requests().len(), 6, "one chunk, four wishes, the end");
}

#[test]
fn the_order_is_requested_with_the_code() {
    let notes = ["f1", "f2"].map(|key| {
        json!({"path": format!("$.candidate_functions.{key}"), "operation": "add", "value": {"purpose": "p"}})
            .to_string()
    });
    let (answer, prompts) = read_with(&shop(), &[&notes.join("\n"), r#"["f2", "f1"]"#], &[]);
    let (asked_about, shown) = prompts[1].split_once("\n# Code\n").expect("code");
    assert!(asked_about.contains(r#"{"candidate_functions":{"f1":{"purpose":"p"}}}"#), "{asked_about}");
    assert!(shown.contains("### f1 price_total in prices.py:4\ndef price_total(prices):\n"), "{shown}");
    assert!(!shown.contains("### f3 "), "only what is in memory");
    assert_eq!((names(&answer).len(), verdict(&answer)), (2, "chosen"));
    assert_eq!(names(&answer)[1], "price_total");
    assert!(
        answer["trace"]["memory"]["candidate_functions"]["price_total"].is_object(),
        "names, for who reads the trace"
    );
    assert_eq!(answer["trace"]["shown"][0], "price_total");
}

#[test]
fn with_an_empty_memory_the_model_may_answer_absent_or_nearest() {
    let env = shop();
    let searched = env.run(&["ask", QUESTION, "--json", "--no-fold"]).found().json();
    let url = |server: &Server| server.url();
    for (last, verdict_said, notice) in
        [("[]", "not_here", "results are in search order"), (r#"["f3"]"#, "nearest", "its closest candidate is first")]
    {
        let server = Server::start(vec![Step::reply(""), Step::reply(last)]);
        let ran = ran(&env, &server, &[]).found().stderr_contains(&["selected none", notice]);
        let answer = ran.json();
        assert!(
            server.prompts()[1].contains("\nf1 price_total in prices.py:4: def price_total(prices)\n"),
            "a list of all"
        );
        assert_eq!((verdict(&answer), &answer["answer"]), (verdict_said, &Value::Null), "nobody claims to know");
        let mut expected = names(&searched);
        if verdict_said == "nearest" {
            let third = answer["trace"]["shown"][2].as_str().expect("a name").to_owned();
            expected.sort_by_key(|name| *name != third);
        }
        assert_eq!(names(&answer), expected);
        let options = ["ask", QUESTION, "--llm-url", &url(&server), "--llm-model", "small", "--max-calls", "2"];
        assert!(!env.run(&options).out.contains('%'), "no chance is shown");
    }
}

#[test]
fn a_function_within_another_is_shown_once_and_can_be_chosen() {
    let nested = "def price_table(prices):\n    def price_cell(price):\n        return str(price)\n    return [price_cell(price) for price in prices]\n";
    let env = Env::with(&[("nested.py", nested)]);
    let server = Server::start(|request: &RecordedRequest| {
        Step::reply(&format!("{{\"certain\": \"{}\"}}", key(&request.prompt(), "price_table.price_cell")))
    });
    let answer = ran(&env, &server, &[]).found().json();
    assert_eq!(names(&answer), ["price_cell"]);
    let prompt = &server.prompts()[0];
    assert_eq!(prompt.matches("def price_cell(").count(), 1, "{prompt}");
    assert!(prompt.contains("price_table.price_cell (inside f1) in nested.py:2\n"), "{prompt}");
}

#[test]
fn numbers_come_first_and_tests_wait() {
    let of = |n: usize| format!("def price_{n}(prices):\n    return prices.added(up={n})\n\n\n");
    let env = Env::with(&[("tests/test_prices.py", "def test_prices_added_up():\n    assert prices.added.up\n")]);
    env.write("many.py", (100..130).map(of).collect::<String>());
    let server = Server::start(vec![Step::reply(""), Step::reply("")]);
    let url = server.url();
    let question = "where are prices added up to 117";
    env.run(&["ask", question, "--llm-url", &url, "--llm-model", "small", "--chunk-tokens", "4000"]).found();
    let prompt = &server.prompts()[0];
    assert_eq!(key(prompt, "price_117"), "f1", "{prompt}");
    let place = key(prompt, "test_prices_added_up")[1..].parse::<usize>().expect("a number");
    assert!(place > 15, "{place}");
}

#[test]
fn a_long_function_is_shortened_and_shown_whole_on_request() {
    let env = Env::new();
    let body: String = (0..200).map(|n| format!("    step_{n:03}(prices, result)\n")).collect();
    env.write("long.py", format!("def price_sum(prices):\n{body}    added_up(prices)\n"));
    let says = [r#"{"more": ["f1"]}"#, "", r#"{"certain": "f1"}"#];
    let (answer, prompts) = read_with(&env, &says, &["--chunk-tokens", "1000"]);
    let first = prompts[0].split_once("# Chunk").expect("a chunk").1;
    assert!(first.contains("### f1 price_sum (shortened) in long.py:1\ndef price_sum(prices):\n"), "{first}");
    assert!(first.contains("added_up(prices)") && first.contains(" lines ...]"), "its best part: {first}");
    let whole: String = prompts[1..].concat();
    assert!((0..200).all(|n| whole.contains(&format!("step_{n:03}("))), "all of it");
    assert!(
        prompts[2].contains("### f1 price_sum (part 2 of ") && prompts[2].contains("\ndef price_sum(prices)\n...\n")
    );
    assert_eq!(names(&answer), ["price_sum"]);
}

// ---- --rerank llm

/// Returns the names of the answers, and what the program prints to standard error.
fn chosen(env: &Env, server: &Server, options: &[&str]) -> (Vec<String>, String) {
    let ran = ran(env, server, &[&["--rerank", "llm"], options].concat()).found();
    (names(&ran.json()).into_iter().map(str::to_owned).collect(), ran.err)
}

fn searched(env: &Env) -> Vec<String> {
    let answer = env.run(&["ask", QUESTION, "--json", "--no-fold"]).found().json();
    names(&answer).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_model_chooses_among_the_first_answers_with_one_prompt() {
    let env = shop();
    let before = searched(&env);
    let last = before.last().expect("answers").clone();
    let wanted = last.clone();
    let server = Server::start(move |request: &RecordedRequest| {
        Step::reply(&json!([key(&request.prompt(), &wanted)]).to_string())
    });
    let (after, _) = chosen(&env, &server, &[]);
    assert_eq!(after[0], last);
    assert_eq!(after[1..], before[..before.len() - 1], "the others keep their order");
    let requests = server.requests();
    let sent: Vec<&RecordedRequest> = requests.iter().filter(|request| request.method == "POST").collect();
    assert_eq!(sent.len(), 1);
    assert!(sent[0].json()["max_tokens"].as_u64().is_some_and(|most| most <= 64), "{}", sent[0].body);
    let explained = env
        .run(&["ask", QUESTION, "--explain", "--rerank", "llm", "--llm-url", &server.url(), "--llm-model", "small"])
        .found();
    assert!(explained.out.contains("  the choice of the language model\n"), "{}", explained.out);
}

#[test]
fn without_a_usable_choice_the_order_stays_and_the_reason_is_printed() {
    let env = shop();
    let before = searched(&env);
    let silent = Step::silence_after(&[""; 0]);
    for (step, reason) in [
        (Step::reply("I cannot tell."), "names none of the functions"),
        (Step::reply("[\"f77\", \"evil\"]"), "names none of the functions"),
        (Step::reply(""), "names none of the functions"),
        (Step::body(400, "broken"), "the language model was left out"),
        (silent, "the language model was left out"),
    ] {
        let server = Server::start(vec![step.clone(), step.clone(), step]);
        let (after, notices) = chosen(&env, &server, &["--llm-timeout", "1"]);
        assert_eq!(after, before, "{reason}");
        assert!(notices.contains(reason), "{notices}");
    }
}

#[test]
fn a_choice_needs_a_model_and_a_search() {
    let env = shop();
    let ask = |options: &[&str]| env.run(&[&["ask", QUESTION, "--rerank", "llm"], options].concat());
    ask(&[]).failed(&["no language model is specified"]);
    ask(&["--reader", "offline"]).failed(&["--rerank llm needs a language model"]);
    ask(&["--llm-cmd", "cat", "--strategy", "prism"]).failed(&["omit --strategy or --rerank"]);
    let shown = ask(&["--llm-cmd", "cat", "--dry-run"]).found().out;
    assert!(shown.contains("### f1 ") && shown.contains(QUESTION), "{shown}");
}
