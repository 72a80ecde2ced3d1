//! What the ranking answers to a small set of questions: `fixtures/questions.jsonl` asks three ways (a description in
//! RepoQA's four parts, everyday words, keywords) for functions of the repositories in `fixtures/lang/`, and
//! `fixtures/ranks.tsv` has the rank of each right answer, so that a change of the ranking is a diff that people read.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use support::case::Case;
use support::env::Env;

const BLESS: &str = "just bless (UPDATE=1 cargo test --test ranks) writes what is seen; then read the diff";
/// The first line: the lowest mean reciprocal rank that is let through.
const FLOOR: &str = "lowest MRR";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// The rank of each question, none where the answer is not found, and their MRR.
fn measured() -> (Vec<(String, Option<u64>)>, f64) {
    let env = Env::new();
    let root = env.beside("repositories");
    for case in Case::all("lang") {
        case.write_to(&root.join(case.name()));
    }
    let (set, root) = (fixture("questions.jsonl"), root.to_string_lossy().into_owned());
    let set = set.to_string_lossy();
    let value = env.run(&["eval", &set, "--repo-root", &root, "--ranks", "--json", "-q"]).found().quietly().json();
    let set = &value["sets"]["questions"];
    let ranks = set["ranks"].as_array().expect("ranks").iter();
    let ranks = ranks.map(|one| (one["id"].as_str().expect("id").to_owned(), one["rank"].as_u64()));
    (ranks.collect(), set["groups"]["all"]["mrr"].as_f64().expect("MRR"))
}

fn table(floor: f64, ranks: &[(String, Option<u64>)]) -> String {
    let mut text = format!("{FLOOR}\t{floor:.3}\n");
    for (id, rank) in ranks {
        let _ = writeln!(text, "{id}\t{}", rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string()));
    }
    text
}

/// The lines of two tables that differ, for a message.
fn difference(old: &str, new: &str) -> String {
    let only = |sign: char, these: &str, those: &str| -> Vec<String> {
        let known: Vec<&str> = those.lines().collect();
        these.lines().filter(|line| !known.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    let mut lines = only('-', old, new);
    lines.extend(only('+', new, old));
    lines.sort_by(|a, b| a[2..].split('\t').next().cmp(&b[2..].split('\t').next()));
    lines.join("\n")
}

#[test]
fn ranks_are_those_that_were_reviewed() {
    let path = fixture("ranks.tsv");
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let floor = old.lines().next().and_then(|line| line.strip_prefix(FLOOR)?.trim().parse::<f64>().ok());
    let floor = floor.unwrap_or_default();
    let (ranks, mrr) = measured();
    // Cut, not rounded: what is measured is never below the floor that it sets.
    let reached = (mrr * 1e3).floor() / 1e3;
    let bless = std::env::var_os("UPDATE").is_some();
    let new = table(if bless { floor.max(reached) } else { floor }, &ranks);
    if bless {
        std::fs::write(&path, &new).expect("table written");
    }
    assert!(
        reached >= floor,
        "MRR fell to {reached:.3}; {} allows {floor:.3}.\n{}\nIf this is meant, lower its first line by hand, then: {BLESS}",
        path.display(),
        difference(&old, &new)
    );
    assert!(bless || old == new, "{}: ranks changed\n{}\n{BLESS}", path.display(), difference(&old, &new));
}

#[test]
fn each_language_is_asked_about_in_three_ways() {
    let cases = whichfn::eval::read_cases(&fixture("questions.jsonl")).expect("questions");
    for language in Case::all("lang").iter().map(Case::name) {
        for category in ["description", "question", "keywords"] {
            let asked = cases.iter().any(|case| case.repo == language && case.category == category);
            assert!(asked, "fixtures/questions.jsonl has no {category} about fixtures/lang/{language}.md");
        }
    }
    for case in &cases {
        let answer = case.gold[0].name.as_deref().expect("name");
        assert!(!case.query.contains(&format!("`{answer}`")) && case.gold.len() == 1, "{}", case.id);
    }
}
