//! Converts question sets to lists of candidates with their features, from which the search order
//! is learned.

use super::folds::fold_of;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use whichfn::engine::Engine;
use whichfn::eval::{Case, SplitMix64, read_cases};
use whichfn_index::index::{Options, Silent};
use whichfn_search::search::{FAMILIARITY, Familiarity, Feature, Features, KindFilter, Query, QuestionForm};

/// The candidates for one question, with their features.
#[derive(Clone)]
pub struct List {
    pub set: usize,
    pub repo: String,
    /// Repository that the question was written for.
    pub from: String,
    pub form: QuestionForm,
    /// How usual the words of the question are.
    pub familiarity: Familiarity,
    pub rows: Vec<(bool, Features)>,
}

/// Returns each question with the repository that it was written for. If `is_foreign` is true, the
/// question is posed about a different repository in the set, in which no answer is correct.
fn posed(cases: Vec<Case>, is_foreign: bool) -> Vec<(Case, String)> {
    if !is_foreign {
        return cases.into_iter().map(|case| (case.clone(), case.repo)).collect();
    }
    let mut repos: Vec<String> = cases.iter().map(|case| case.repo.clone()).collect();
    repos.sort_unstable();
    repos.dedup();
    let elsewhere = |case: Case| {
        let mut random = SplitMix64::seeded(&case.id);
        let others: Vec<&String> = repos.iter().filter(|repo| **repo != case.repo).collect();
        let repo = (*others.get(random.below(others.len().max(1)))?).clone();
        Some((Case { repo, gold: Vec::new(), ..case.clone() }, case.repo))
    };
    cases.into_iter().filter_map(elsewhere).collect()
}

/// Returns the cases of question sets, each given as `ROOT=SET.jsonl`, with the number of their
/// set, by the path and the name of their repository.
///
/// Each repository is there once for all sets, because only one writer at a time can write its
/// index.
pub fn cases_by_repository(sets: &[&str]) -> BTreeMap<(String, String), Vec<(usize, Case)>> {
    let mut all: BTreeMap<_, Vec<(usize, Case)>> = BTreeMap::new();
    for (number, set) in sets.iter().enumerate() {
        let (root, file) = set.split_once('=').expect("ROOT=SET.jsonl");
        for case in read_cases(Path::new(file)).expect("question set") {
            all.entry((format!("{root}/{}", case.repo), case.repo.clone())).or_default().push((number, case));
        }
    }
    all
}

/// Opens a repository, whose index is kept for later steps.
pub fn opened(root: &Path) -> Engine {
    let root = root.canonicalize().expect("repository");
    let index = std::env::temp_dir().join("whichfn-train");
    Engine::open(&root, &index, &Options::default(), &Silent).expect("index")
}

/// Returns the lists for question sets, each given as `ROOT=SET.jsonl`. If `is_foreign` is true,
/// each question is posed about another repository. `kind` are the definitions to rank.
pub fn gather(sets: &[&str], is_foreign: bool, kind: KindFilter) -> Vec<List> {
    // One set after another: two of them may query the same repository, and only one writer at a
    // time can write its index.
    sets.iter().enumerate().flat_map(|(number, set)| gather_set(number, set, is_foreign, kind)).collect()
}

fn gather_set(number: usize, set: &str, is_foreign: bool, kind: KindFilter) -> Vec<List> {
    let (root, file) = set.split_once('=').expect("ROOT=SET.jsonl");
    let mut by_repo: BTreeMap<String, Vec<(Case, String)>> = BTreeMap::new();
    let cases = read_cases(Path::new(file)).expect("question set");
    for (case, from) in posed(cases, is_foreign) {
        by_repo.entry(case.repo.clone()).or_default().push((case, from));
    }
    by_repo
        .into_par_iter()
        .map(|(repo, cases)| {
            let engine = opened(&Path::new(root).join(&repo));
            let graph = &engine.generation().graph;
            let searcher = engine.searcher();
            let list = |(case, from): &(Case, String)| {
                let query = Query { kind, ..Query::new(&case.query) };
                let candidates = searcher.candidates(&query).expect("search");
                let right = |id| case.is_answered_by(graph, id);
                let rows = candidates.into_iter().map(|(id, features)| (right(id), features)).collect();
                let familiarity = searcher.familiarity(&query).expect("search");
                List {
                    set: number,
                    repo: repo.clone(),
                    from: from.clone(),
                    form: query.question.form,
                    familiarity,
                    rows,
                }
            };
            // Pasted names and traces have no learned order.
            let learned = |list: &List| QuestionForm::LEARNED.contains(&list.form);
            cases.iter().map(list).filter(learned).collect::<Vec<_>>()
        })
        .flatten()
        .collect()
}

impl List {
    /// Returns the fold that the question's repository belongs to.
    pub fn fold(&self, folds: usize) -> usize {
        fold_of(&self.repo, folds)
    }
}

/// Reads the lists that [`dump`] wrote.
pub fn read(path: &Path) -> Vec<List> {
    let bytes = std::fs::read(path).expect("read the lists");
    let numbers: Vec<f32> = bytes.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let rows: Vec<&[f32]> = numbers.chunks_exact(HEAD + Feature::COUNT).collect();
    rows.chunk_by(|a, b| a[0] == b[0])
        .map(|rows| List {
            set: rows[0][1] as usize,
            repo: rows[0][2].to_string(),
            from: rows[0][3].to_string(),
            form: QuestionForm::LEARNED[rows[0][4] as usize],
            familiarity: std::array::from_fn(|i| rows[0][6 + i]),
            rows: rows.iter().map(|row| (row[5] > 0.0, std::array::from_fn(|i| row[HEAD + i]))).collect(),
        })
        .collect()
}

/// Number of values that precede the features in a row.
const HEAD: usize = 6 + FAMILIARITY;

/// Writes lists to `out` as rows of `f32` values: list, set, repository, repository of the
/// question, form, correctness, familiarity, features.
pub fn dump(sets: &[&str], is_foreign: bool, kind: KindFilter, out: &Path) {
    let lists = gather(sets, is_foreign, kind);
    let mut repos: Vec<&str> = lists.iter().flat_map(|l| [l.repo.as_str(), l.from.as_str()]).collect();
    repos.sort_unstable();
    repos.dedup();
    let mut bytes: Vec<u8> = Vec::new();
    for (number, list) in lists.iter().enumerate() {
        let place = |repo: &str| repos.binary_search(&repo).unwrap_or_default() as f32;
        for (right, features) in &list.rows {
            let (repo, from, form) = (place(&list.repo), place(&list.from), list.form as u8 as f32);
            let head = [number as f32, list.set as f32, repo, from, form, f32::from(*right)];
            head.iter().chain(&list.familiarity).chain(features).for_each(|x| bytes.extend(x.to_le_bytes()));
        }
    }
    std::fs::write(out, bytes).expect("write the lists");
    let names: Vec<&str> = Feature::ALL.iter().map(|f| f.name()).collect();
    println!("{} lists, {} features: {}", lists.len(), names.len(), names.join("|"));
}
