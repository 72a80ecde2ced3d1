//! Learns the order of candidates for issues, from the texts that `issues.py` derives from commits.
//!
//! The functions that a commit changes are the right candidates, in the tree before the commit. The
//! weights are those of all features for the whole text, followed by those for only the title.

use super::fit::{Fit, Goal, Rows, Scale, best_of, figures, rank, table};
use super::folds::{fold_of, without};
use super::trust::{First, tables};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use whichfn::engine::Engine;
use whichfn_index::index::{Options, Silent};
use whichfn_index::store::GraphFile;
use whichfn_search::search::{Familiarity, Feature, Features, Query, QuestionForm, signals};
use whichfn_syntax::ids::DefinitionId;

const ROUNDS: i32 = 300;
const RATE: f64 = 0.05;
/// Strength of the regularization towards zero: there are few texts, of many kinds.
const PULL: f64 = 0.1;
/// Features that are learned in addition to those of issues. With all features, MRR on folds was
/// .02 lower.
const LEARNED: [Feature; 33] = [
    Feature::Base,
    Feature::Related,
    Feature::Named,
    Feature::Test,
    Feature::CoverName,
    Feature::CoverOwn,
    Feature::CoverRare,
    Feature::Cosine,
    Feature::NearOwn,
    Feature::NearName,
    Feature::NearHead,
    Feature::ShareName,
    Feature::ShareBody,
    Feature::ShareStrings,
    Feature::SharePath,
    Feature::ShareScope,
    Feature::ShareSummary,
    Feature::Length,
    Feature::Lines,
    Feature::Short,
    Feature::Method,
    Feature::Private,
    Feature::Nested,
    Feature::Callers,
    Feature::Callees,
    Feature::Documented,
    Feature::FileScore,
    Feature::CallerScore,
    Feature::CalleeScore,
    Feature::SiblingScore,
    Feature::ParentScore,
    Feature::Aside,
    Feature::Place,
];
const FOLDS: usize = 5;
/// Maximum number of right functions of a text.
const MOST_RIGHT: usize = 4;
/// Number of texts about a repository, after which one from another repository follows.
const FOREIGN: usize = 3;
const WIDTH: usize = 2 * Feature::COUNT;

/// A text and the lines that its commit changes, as `issues.py` writes them.
#[derive(Clone, Deserialize)]
struct Case {
    repo: String,
    id: String,
    /// Commit before the change.
    commit: String,
    date: u64,
    query: String,
    /// Changed lines of each file: first and last, or first and -1 for lines added after it.
    #[serde(default)]
    lines: BTreeMap<String, Vec<(u32, i64)>>,
    /// Paths and qualified names of the right functions, in sets that have them instead of lines.
    #[serde(default)]
    gold: Vec<(String, String)>,
    /// Tree to search, in sets that have trees instead of commits.
    tree: Option<PathBuf>,
}

/// The candidates for one text. A row has the features for the whole text and those for the title.
#[derive(Clone, Serialize, Deserialize)]
pub struct IssueList {
    pub repo: String,
    pub id: String,
    /// False for a text about another repository.
    pub is_own: bool,
    /// Path, qualified name and first line of the right functions, found or not.
    pub gold: Vec<(String, String, u32)>,
    pub rows: Vec<(bool, Vec<f32>)>,
}

/// Converts the texts of `cases` to lists. Trees and indexes are stored in `work`, one of each for
/// a repository, and brought from commit to commit.
pub fn dump(out: &Path, mirrors: &Path, work: &Path, most: usize, cases: &Path) {
    let text = std::fs::read_to_string(cases).expect("cases");
    let cases: Vec<Case> = text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let mut by_repo: BTreeMap<&str, Vec<&Case>> = BTreeMap::new();
    for case in &cases {
        by_repo.entry(&case.repo).or_default().push(case);
    }
    std::fs::create_dir_all(work).expect("folder");
    let lines: Vec<String> = by_repo
        .into_par_iter()
        .map(|(repo, mut own)| {
            own.sort_by(|a, b| a.id.cmp(&b.id)); // ids are hashes: at random
            own.truncate(most);
            own.sort_by_key(|case| case.date);
            let others: Vec<&Case> = cases.iter().filter(|case| case.repo != repo).collect();
            let lists = own.iter().enumerate().flat_map(|(at, case)| {
                // Drawn by the position, which is arbitrary.
                let foreign = (at % FOREIGN == 0 && !others.is_empty())
                    .then(|| others[(at * 7_919 + own.len() * 104_729) % others.len()]);
                lists_of(case, foreign, mirrors, work)
            });
            let lines: String = lists.collect();
            println!("{repo}: {}", own.len());
            lines
        })
        .collect();
    std::fs::write(out, lines.concat()).expect("write the lists");
}

/// Returns the list of a case, and that of a text about another repository, one per line.
fn lists_of(case: &Case, foreign: Option<&Case>, mirrors: &Path, work: &Path) -> Vec<String> {
    let name = case.repo.replace('/', "+");
    let index = work.join(".index");
    let tree = case.tree.clone().unwrap_or_else(|| work.join(&name));
    if case.tree.is_none()
        && !check_out(&mirrors.join(&name).join("repo"), case, &tree, &work.join(format!("{name}.git-index")))
    {
        return Vec::new();
    }
    let tree = tree.canonicalize().expect("tree");
    let engine = Engine::open(&tree, &index, &Options::default(), &Silent).expect("index");
    let graph = &engine.generation().graph;
    let (innermost, right) = changed_functions(graph, case);
    if case.gold.is_empty() && (innermost.is_empty() || innermost.len() > MOST_RIGHT) {
        return Vec::new();
    }
    let of = |&id: &DefinitionId| {
        let row = graph.definition(id);
        (graph.path(row.file).to_owned(), graph.qualified_name(id).to_owned(), row.start_line)
    };
    let gold: Vec<(String, String, u32)> = innermost.iter().map(of).collect();
    let mut out = Vec::new();
    for (text, is_own) in std::iter::once((&case.query, true)).chain(foreign.map(|case| (&case.query, false))) {
        let query = Query::new(text);
        if query.question.form != QuestionForm::Issue {
            continue;
        }
        let candidates = engine.searcher().issue_candidates(&query).expect("search");
        let row = |(id, whole, title): (DefinitionId, [f32; Feature::COUNT], [f32; Feature::COUNT])| {
            (is_own && right.contains(&id), whole.into_iter().chain(title).collect())
        };
        let rows: Vec<(bool, Vec<f32>)> = candidates.into_iter().map(row).collect();
        let list = IssueList { repo: case.repo.clone(), id: case.id.clone(), is_own, gold: gold.clone(), rows };
        out.push(serde_json::to_string(&list).expect("plain data") + "\n");
    }
    out
}

/// Brings the tree of a repository to the commit of a case. Returns false if objects are missing.
fn check_out(mirror: &Path, case: &Case, tree: &Path, git_index: &Path) -> bool {
    let mirror = if mirror.join(".git").is_dir() { mirror.join(".git") } else { mirror.to_owned() };
    std::fs::create_dir_all(tree).expect("folder");
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(mirror).arg("--work-tree").arg(tree);
    command.args(["read-tree", "--reset", "-u", &case.commit]).env("GIT_INDEX_FILE", git_index);
    command.output().expect("git").status.success()
}

/// Returns the innermost functions around the changed lines, and all functions around these.
fn changed_functions(graph: &GraphFile, case: &Case) -> (BTreeSet<DefinitionId>, BTreeSet<DefinitionId>) {
    let (mut innermost, mut right) = (BTreeSet::new(), BTreeSet::new());
    for (path, name) in &case.gold {
        let of_name = |&id: &DefinitionId| {
            graph.path(graph.definition(id).file) == path && graph.qualified_name(id).replace("::", ".") == *name
        };
        let named: Vec<DefinitionId> =
            graph.named(name.rsplit('.').next().unwrap_or(name)).into_iter().filter(of_name).collect();
        innermost.extend(&named);
        right.extend(named);
    }
    for file in graph.file_ids() {
        let Some(hunks) = case.lines.get(graph.path(file)) else { continue };
        let functions: Vec<_> =
            graph.definitions_of(file).zip(graph.rows_of(file)).filter(|(_, row)| row.kind().is_function()).collect();
        for &(first, last) in hunks {
            // Lines that are added are in a function if the lines before and after them are.
            let parts: Vec<(u32, u32)> = if last < 0 {
                vec![(first, first + 1)]
            } else {
                (first..=last as u32).map(|line| (line, line)).collect()
            };
            for (first, last) in parts {
                let around = functions.iter().filter(|(_, row)| row.start_line <= first && last <= row.end_line);
                innermost
                    .extend(around.clone().min_by_key(|(_, row)| row.end_line - row.start_line).map(|(id, _)| *id));
                right.extend(around.map(|(id, _)| *id));
            }
        }
    }
    innermost.retain(|&id| !graph.traits(id).is_test());
    (innermost, right)
}

/// Reads the lists that [`dump`] wrote.
pub fn read(path: &Path) -> Vec<IssueList> {
    let text = std::fs::read_to_string(path).expect("read the lists");
    text.lines().map(|line| serde_json::from_str(line).expect("a list")).collect()
}

/// Learns the weights, and prints figures for folds of repositories.
pub fn train(lists: &Path, out: &Path) {
    let (lists, foreign): (Vec<IssueList>, Vec<IssueList>) = read(lists).into_iter().partition(|list| list.is_own);
    let models: Vec<Vec<f64>> = (0..=FOLDS)
        .into_par_iter()
        .map(|fold| fit(&without(lists.iter(), |list: &IssueList| &list.repo, fold, FOLDS)))
        .collect();
    let by_words = super::fit::only(Feature::Base as usize, WIDTH);
    report("words", &lists, |_| &by_words);
    report("learned, by folds", &lists, |list| &models[fold_of(&list.repo, FOLDS)]);
    let model = |list: &IssueList| &models[fold_of(&list.repo, FOLDS)];
    let firsts: Vec<First> = lists.iter().chain(&foreign).filter_map(|list| first(list, model(list))).collect();
    let text = written(&models[FOLDS]) + &tables(QuestionForm::Issue, &firsts);
    std::fs::write(out, text).expect("write the weights");
}

/// Returns the signals of the first candidate.
fn first(list: &IssueList, model: &[f64]) -> Option<First> {
    let score = |(_, row): &(bool, Vec<f32>)| row.iter().zip(model).map(|(x, w)| f64::from(*x) * w).sum::<f64>() as f32;
    let scores: Vec<f32> = list.rows.iter().map(score).collect();
    let best = best_of(&scores, 0..scores.len())?;
    let whole = |row: &Vec<f32>| std::array::from_fn(|at| row[at]);
    let features: Vec<Features> = list.rows.iter().map(|(_, row)| whole(row)).collect();
    // The lists of issues do not have the familiarity, which therefore gets no weight.
    let signals = signals(&scores, &features, &Familiarity::default())?;
    let repos = [list.repo.clone(), list.repo.clone()];
    let right = list.rows[best].0;
    Some(First { form: QuestionForm::Issue, repos, signals, right, valid: list.is_own, fits: list.is_own })
}

fn fit(lists: &[&IssueList]) -> Vec<f64> {
    let lists: Vec<&Rows<Vec<f32>>> = lists.iter().map(|list| list.rows.as_slice()).collect();
    let is_learned = |feature: &Feature| feature.is_of_issues() || LEARNED.contains(feature);
    let learned: Vec<bool> = Feature::ALL.iter().chain(Feature::ALL).map(is_learned).collect();
    let start = vec![0.0; WIDTH];
    let scale = Scale::AtLeast(1e-3);
    Fit {
        rounds: ROUNDS,
        rate: RATE,
        pull: PULL,
        start: &start,
        learned: &learned,
        scale,
        goal: Goal::All,
        negligible: 1e-5,
    }
    .weights(&lists)
}

fn report<'m>(name: &str, lists: &[IssueList], model: impl Fn(&IssueList) -> &'m Vec<f64>) {
    let ranks: Vec<Option<usize>> = lists.iter().map(|list| rank(&list.rows, model(list))).collect();
    println!("{name:<20} {}", figures(&ranks));
}

/// Formats the weights file that the program reads.
fn written(weights: &[f64]) -> String {
    let names = || Feature::ALL.iter().map(|feature| feature.name());
    let (whole, title) = weights.split_at(Feature::COUNT);
    "# The learned order of issues: what each feature of a candidate counts, for the whole text and for only the title\n\
     # (crates/search/src/search/rerank.rs). Made by training/; not edited by hand.\n"
        .to_owned()
        + &table("issue", names().zip(whole.iter().copied()))
        + &table("issue-title", names().zip(title.iter().copied()))
}
