//! Tests `whichfn eval` for users and scripts: several sets, saved runs and comparisons (SPEC
//! section 3).

use crate::support::env::{Env, Ran};
use serde_json::{Value, json};

const DATES: &str = "def parse_date(text):
    \"\"\"Parse an ISO date such as 2024-05-01 into numbers.\"\"\"
    return tuple(split_fields(text))


def split_fields(text):
    \"\"\"Split a date at its dashes.\"\"\"
    return [int(field) for field in text.split(\"-\")]
";

const MONEY: &str = "/// Rounds an amount of money down to whole coins.
pub fn round_coins(cents: u64) -> u64 {
    cents - cents % 5
}

/// Counts the coins of a purse, which are money.
pub fn count_coins(cents: u64) -> u64 {
    round_coins(cents) / 5
}
";

fn question(id: &str, repo: &str, category: &str, query: &str, path: &str, name: &str) -> String {
    let gold = json!([{"path": path, "name": name}]);
    json!({"id": id, "repo": repo, "category": category, "query": query, "gold": gold}).to_string() + "\n"
}

/// Creates two repositories below the current directory and one in `far/`, with a question set for
/// each of the two places. The query of `wrong` does not find its gold answer.
fn shops() -> Env {
    let env = Env::with(&[("dates/a.py", DATES), ("money/b.rs", MONEY), ("far/purse/b.rs", MONEY)]);
    let near = [
        question("parse", "dates", "plain", "parse an iso date", "a.py", "parse_date"),
        question("split", "dates", "words", "split dashes", "a.py", "split_fields"),
        question("round", "money", "plain", "round an amount of money", "b.rs", "round_coins"),
        question("wrong", "money", "words", "amount of money", "b.rs", "count_coins"),
    ];
    env.write("near.jsonl", near.concat());
    env.write("far.jsonl", question("count", "purse", "plain", "count coins of a purse", "b.rs", "count_coins"));
    env
}

/// Replaces the times, which differ from run to run. A time is the last figure of a row.
fn without_times(text: &str) -> String {
    let time = |word: &str| word.rsplit_once('.').is_some_and(|(_, digits)| digits.len() == 2);
    let row = |line: &str| match line.rsplit_once(' ') {
        Some((rest, last)) if time(last) => format!("{} [ms]\n", rest.trim_end()),
        _ => format!("{line}\n"),
    };
    text.lines().map(row).collect()
}

fn change(ran: &Ran, figure: &str) -> Value {
    ran.json()["comparison"]["sets"]["near"]["groups"]["all"][figure].clone()
}

#[test]
fn a_table_has_rows_for_each_set_and_category_and_for_repositories_if_asked() {
    let shops = shops();
    let ran = shops.run(&["eval", "near.jsonl", "far.jsonl=far", "-q", "--ranks"]).found().without_stderr();
    insta::assert_snapshot!(without_times(&ran.out), @r"
    near                         n   acc@1   acc@5  acc@10     MRR  nDCG@10      ms
      all                        4   0.750   1.000   1.000   0.875    0.908 [ms]
        lower bound, 95 %            0.250   1.000   1.000   0.625    0.723
        upper bound, 95 %            1.000   1.000   1.000   1.000    1.000
      plain                      2   1.000   1.000   1.000   1.000    1.000 [ms]
      words                      2   0.500   1.000   1.000   0.750    0.815 [ms]
         1  parse
         1  split
         1  round
         2  wrong
    far                          n   acc@1   acc@5  acc@10     MRR  nDCG@10      ms
      all                        1   1.000   1.000   1.000   1.000    1.000 [ms]
        lower bound, 95 %            1.000   1.000   1.000   1.000    1.000
        upper bound, 95 %            1.000   1.000   1.000   1.000    1.000
         1  count
    ");
    let by_repo = shops.run(&["eval", "near.jsonl", "-q", "--by", "repo"]).found().out;
    let rows: Vec<&str> = by_repo.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(rows, ["all", "lower", "upper", "plain", "words", "dates", "money"]);
}

#[test]
fn a_run_compared_with_itself_has_not_changed() {
    let shops = shops();
    let sets = ["eval", "near.jsonl", "far.jsonl=far", "-q", "--json"];
    shops.run(&[&sets[..], &["--save", "run.json"]].concat()).found().without_stderr();
    let ran = shops.run(&[&sets[..], &["--compare", "run.json"]].concat()).found();
    for set in ["near", "far"] {
        let set = &ran.json()["comparison"]["sets"][set];
        for figure in ["acc@1", "acc@10", "mrr", "ndcg@10"] {
            let of = &set["groups"]["all"][figure];
            assert_eq!((&of["change"], &of["p"]), (&json!(0.0), &json!(1.0)), "{set:#}");
            assert_eq!(of["interval"], json!([0.0, 0.0]), "{set:#}");
        }
        assert_eq!((&set["rose"], &set["fell"]), (&json!([]), &json!([])));
        assert_eq!((&set["only_before"], &set["only_after"]), (&json!(0), &json!(0)));
    }
    let saved = std::fs::read_to_string(shops.at("run.json")).expect("a saved run");
    shops.run(&["eval", "near.jsonl", "far.jsonl=far", "-q", "--save", "again.json"]).found();
    assert_eq!(saved, std::fs::read_to_string(shops.at("again.json")).expect("a saved run"), "byte for byte");
}

#[test]
fn a_saved_run_has_the_shape_of_the_contract() {
    let shops = shops();
    shops.run(&["eval", "far.jsonl=far", "-q", "--relation", "none", "--save", "run.json"]).found();
    let text = std::fs::read_to_string(shops.at("run.json")).expect("a saved run");
    let saved: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        saved,
        json!({
            "version": 1, "program": env!("CARGO_PKG_VERSION"), "settings": "--relation none", "depth": 100,
            "sets": [{"name": "far", "questions": [
                {"id": "count", "repo": "purse", "category": "plain", "rank": 1, "ndcg@10": 1.0},
            ]}],
        })
    );
}

#[test]
fn lists_changed_ranks_and_counts_incomparable_questions() {
    let shops = shops();
    shops.run(&["eval", "near.jsonl", "-q", "--save", "run.json"]).found();
    // Simulates another ranking: `parse` is not found and `wrong` has rank 1.
    let text = std::fs::read_to_string(shops.at("run.json")).expect("a saved run");
    let mut saved: Value = serde_json::from_str(&text).expect("JSON");
    let questions = saved["sets"][0]["questions"].as_array_mut().expect("questions");
    for question in questions.iter_mut() {
        match question["id"].as_str() {
            Some("parse") => question["rank"] = Value::Null,
            Some("wrong") => question["rank"] = json!(1),
            Some("split") => question["id"] = json!("gone"),
            _ => {}
        }
    }
    shops.write("run.json", saved.to_string());
    let ran =
        shops.run(&["eval", "near.jsonl", "far.jsonl=far", "-q", "--compare", "run.json"]).found().without_stderr();
    let comparison = ran.out.split_once("\n\n").expect("a comparison").1;
    insta::assert_snapshot!(comparison, @r"
    before  run.json: built-in settings
    after   this run: built-in settings

    near                         n            before   after   change  95 % interval           p  verdict
      all                        3  acc@1      0.667   0.667   +0.000  [-1.000, +1.000]   1.0000  unclear
                                    acc@5      0.667   1.000   +0.333  [+0.000, +1.000]   1.0000  unclear
                                    acc@10     0.667   1.000   +0.333  [+0.000, +1.000]   1.0000  unclear
                                    MRR        0.667   0.833   +0.167  [-0.500, +1.000]   1.0000  unclear
                                    nDCG@10    0.877   0.877   +0.000  [+0.000, +0.000]   1.0000  same
      plain                      2  acc@1      0.500   1.000   +0.500  [+0.000, +1.000]   1.0000  unclear
                                    acc@5      0.500   1.000   +0.500  [+0.000, +1.000]   1.0000  unclear
                                    acc@10     0.500   1.000   +0.500  [+0.000, +1.000]   1.0000  unclear
                                    MRR        0.500   1.000   +0.500  [+0.000, +1.000]   1.0000  unclear
                                    nDCG@10    1.000   1.000   +0.000  [+0.000, +0.000]   1.0000  same
      words                      1  acc@1      1.000   0.000   -1.000  [-1.000, -1.000]   1.0000  unclear
                                    acc@5      1.000   1.000   +0.000  [+0.000, +0.000]   1.0000  same
                                    acc@10     1.000   1.000   +0.000  [+0.000, +0.000]   1.0000  same
                                    MRR        1.000   0.500   -0.500  [-0.500, -0.500]   1.0000  unclear
                                    nDCG@10    0.631   0.631   +0.000  [+0.000, +0.000]   1.0000  same
      not compared: 1 only in the run before, 1 only in the run after
      rose 1
         - -> 1    parse  parse an iso date
      fell 1
         1 -> 2    wrong  amount of money

    far                          n            before   after   change  95 % interval           p  verdict
      not compared: 0 only in the run before, 1 only in the run after
    ");
    let ran = shops.run(&["eval", "near.jsonl", "-q", "--json", "--compare", "run.json"]).found();
    let set = &ran.json()["comparison"]["sets"]["near"];
    let risen = json!([{"id": "parse", "repo": "dates", "query": "parse an iso date", "before": null, "after": 1}]);
    assert_eq!(set["rose"], risen);
    assert_eq!((&set["only_before"], &set["only_after"]), (&json!(1), &json!(1)));
}

#[test]
fn a_second_setting_is_compared_on_the_same_questions() {
    let shops = shops();
    let against = |options: &str| {
        shops.run(&["eval", "near.jsonl", "-q", "--relation", "none", "--json", "--against", options]).found()
    };
    let same = against("--relation none");
    assert_eq!(change(&same, "mrr")["p"], 1.0);
    let narrow = against("--lang rust");
    assert_eq!(narrow.json()["comparison"]["before"], json!({"name": "this run", "settings": "--relation none"}));
    let after = json!({"name": "against", "settings": "--relation none --lang rust"});
    assert_eq!(narrow.json()["comparison"]["after"], after);
    let fallen = narrow.json()["comparison"]["sets"]["near"]["fell"].as_array().expect("list").len();
    assert_eq!(fallen, 2, "both questions about dates: {narrow:#?}");
    // A command-line option takes precedence over a variable.
    let variable = [("WHICHFN_RELATION", "position")];
    let arguments = ["eval", "near.jsonl", "-q", "--relation", "none", "--json", "--against", "--alpha 0"];
    let ran = shops.run_under(&variable, &arguments).found();
    assert_eq!(ran.json()["comparison"]["after"]["settings"], "--relation none --alpha 0");
}

#[test]
fn wrong_question_files_are_reported_before_the_run() {
    let shops = shops();
    shops.run(&["eval", "near.jsonl", "--against", "--save x"]).failed(&["--against '--save x'", "--relation none"]);
    shops.run(&["eval", "near.jsonl", "--against", "--alpha much"]).failed(&["--against '--alpha much'", "much"]);
    shops.run(&["eval", "near.jsonl", "--compare", "none.json"]).failed(&["none.json"]);
    shops.write("run.json", "{}");
    shops.run(&["eval", "near.jsonl", "--compare", "run.json"]).failed(&["run.json: not a saved run", "--save"]);
    shops.write("run.json", r#"{"version":2,"program":"9","settings":"","depth":100,"sets":[]}"#);
    shops.run(&["eval", "near.jsonl", "--compare", "run.json"]).failed(&["run.json: the run has version 2", "--save"]);
    shops.write("run.json", r#"{"version":1,"program":"9","settings":"","depth":100,"sets":[]}"#);
    shops.run(&["eval", "near.jsonl", "-q", "--compare", "run.json"]).failed(&["no questions in common"]);
    shops
        .run(&["eval", "near.jsonl", "far/../near.jsonl"])
        .failed(&["another question set is also called near", "rename"]);
    shops.run(&["eval", "far.jsonl"]).failed(&["purse", "--repo-root DIR", "SET.jsonl=DIR"]);
    shops.run(&["eval", "no.jsonl=far"]).failed(&["no.jsonl"]);
}

/// Evaluates one question with this gold and these options and returns a figure.
fn figure(gold: &Value, options: &[&str], figure: &str) -> f64 {
    let env = Env::with(&[("dates/a.py", DATES)]);
    let question = json!({"id": "one", "repo": "dates", "query": "split dashes", "gold": gold});
    env.write("set.jsonl", question.to_string());
    let ran = env.run(&[&["eval", "set.jsonl", "-q", "--json"], options].concat()).found();
    ran.json()["sets"]["set"]["groups"]["all"][figure].as_f64().expect("a figure")
}

#[test]
fn a_result_that_overlaps_gold_lines_counts() {
    let lines = |start: u32, end: u32| json!([{"path": "a.py", "start_line": start, "end_line": end}]);
    assert_eq!(figure(&lines(8, 30), &[], "acc@1"), 1.0, "split_fields, lines 6 to 8, is found first");
    assert_eq!(figure(&lines(1, 3), &[], "acc@1"), 0.0, "parse_date comes after it");
    assert_eq!(figure(&lines(20, 30), &[], "mrr"), 0.0, "nothing is there");
    assert_eq!(figure(&lines(20, 30), &["--unit", "file"], "acc@1"), 1.0, "a file is found whole");
}

#[test]
fn gold_entries_with_the_same_result_count_once() {
    let lines = |start: u32, end: u32| json!({"path": "a.py", "start_line": start, "end_line": end});
    let twice = json!([lines(6, 7), lines(7, 8)]);
    assert_eq!(figure(&twice, &[], "ndcg@10"), 1.0, "both are lines of split_fields");
    assert_eq!(figure(&twice, &["--unit", "file"], "ndcg@10"), 1.0, "both are in the first file");
    let elsewhere = json!([lines(6, 7), {"path": "b.py", "start_line": 1}, {"path": "b.py", "start_line": 2}]);
    let (entries, files) = (figure(&elsewhere, &[], "ndcg@10"), figure(&elsewhere, &["--unit", "file"], "ndcg@10"));
    assert!(entries < files && files < 1.0, "b.py is missing, as two answers or as one: {entries} {files}");
}

#[test]
fn higher_relevance_counts_more() {
    let gold = |first: u32, second: u32| {
        json!([{"path": "a.py", "name": "split_fields", "relevance": first},
               {"path": "a.py", "name": "parse_date", "relevance": second}])
    };
    assert_eq!(figure(&gold(2, 1), &[], "ndcg@10"), 1.0, "the more relevant stands first");
    let (even, wrong) = (figure(&gold(1, 1), &[], "ndcg@10"), figure(&gold(1, 2), &[], "ndcg@10"));
    assert!(even == 1.0 && wrong < 1.0, "{even} {wrong}");
}
