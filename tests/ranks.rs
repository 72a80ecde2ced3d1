//! Compares the ranks of the right answers to a small set of questions with reviewed ones.
//!
//! The questions in `fixtures/questions.jsonl` are about functions in `fixtures/lang/` and have
//! three forms (a description in RepoQA's four parts, everyday words, keywords).
//! `fixtures/ranks.tsv` stores the rank of each right answer, so that a change of the ranking
//! appears as a diff for review.

use crate::support::env::Env;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use whichfn_testing::Case;

const BLESS: &str = "just bless (UPDATE=1 cargo test ranks::) writes what is seen; then read the diff";
/// Ranking methods, one per column: the first line of the table.
const WAYS: [&str; 3] = ["direct", "prism", "walk"];
/// Label of the second line: the lowest mean reciprocal rank that passes.
const FLOOR: &str = "lowest MRR";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)
}

/// Ranks of each question by method; `None` if the answer is not found.
type Ranks = Vec<(String, [Option<u64>; WAYS.len()])>;

/// Returns the ranks of all questions, and the MRR of each method.
fn measured() -> (Ranks, [f64; WAYS.len()]) {
    let env = Env::new();
    let root = env.outside("repositories");
    for case in Case::all("lang") {
        case.write_to(&root.join(case.name()));
    }
    let (set, root) = (fixture("questions.jsonl"), root.to_string_lossy().into_owned());
    let set = set.to_string_lossy();
    let mut ranks = Ranks::new();
    let mrr = std::array::from_fn(|way| {
        let asked = ["eval", &set, "--repo-root", &root, "--ranks", "--json", "-q", "--strategy", WAYS[way]];
        let value = env.run(&asked).found().without_stderr().json();
        let set = &value["sets"]["questions"];
        for (at, one) in set["ranks"].as_array().expect("ranks").iter().enumerate() {
            if way == 0 {
                ranks.push((one["id"].as_str().expect("id").to_owned(), Default::default()));
            }
            ranks[at].1[way] = one["rank"].as_u64();
        }
        set["groups"]["all"]["mrr"].as_f64().expect("MRR")
    });
    (ranks, mrr)
}

fn table(floors: [f64; WAYS.len()], ranks: &Ranks) -> String {
    let mut text = format!("\t{}\n{FLOOR}", WAYS.join("\t"));
    floors.iter().for_each(|floor| text.push_str(&format!("\t{floor:.3}")));
    for (id, ranks) in ranks {
        let shown = ranks.map(|rank| rank.map_or_else(|| "-".to_owned(), |rank| rank.to_string()));
        let _ = write!(text, "\n{id}\t{}", shown.join("\t"));
    }
    text + "\n"
}

/// Returns the lines that differ between two tables, for a message.
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
fn ranks_equal_the_reviewed_ones() {
    let path = fixture("ranks.tsv");
    let old = std::fs::read_to_string(&path).unwrap_or_default();
    let line = old.lines().find_map(|line| line.strip_prefix(FLOOR)).unwrap_or_default();
    let mut floors = line.split('\t').skip(1).map(|floor| floor.parse::<f64>().unwrap_or_default());
    let floors: [f64; WAYS.len()] = std::array::from_fn(|_| floors.next().unwrap_or_default());
    let (ranks, mrr) = measured();
    // Truncated instead of rounded, so that the measured value is never below the floor that it
    // sets.
    let reached = mrr.map(|mrr| (mrr * 1e3).floor() / 1e3);
    let bless = std::env::var_os("UPDATE").is_some();
    let new = table(std::array::from_fn(|way| if bless { floors[way].max(reached[way]) } else { floors[way] }), &ranks);
    if bless {
        std::fs::write(&path, &new).expect("table written");
    }
    for (way, (reached, floor)) in reached.iter().zip(floors).enumerate() {
        assert!(
            *reached >= floor,
            "{}: MRR fell to {reached:.3}; {} allows {floor:.3}.\n{}\nIf this is meant, lower its second line by hand, then: {BLESS}",
            WAYS[way],
            path.display(),
            difference(&old, &new)
        );
    }
    assert!(bless || old == new, "{}: ranks changed\n{}\n{BLESS}", path.display(), difference(&old, &new));
}

#[test]
fn each_language_has_three_kinds_of_questions() {
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
