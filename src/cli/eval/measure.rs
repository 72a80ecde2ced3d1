//! Runs the questions of sets, and judges the results.

use super::EvalArgs;
use super::options;
use crate::cli::common::counted;
use crate::cli::ranking;
use crate::cli::ranking::RankingArgs;
use crate::cli::reading::OwnedPlan;
use crate::cli::target::Target;
use crate::engine::{AnswerKind, ReadAnswer};
use crate::eval::{Case, EVALUATED_RESULTS, QuestionOutcome, SavedRun, SavedSet, evaluate, read_cases};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;
use whichfn_read::lookup::Snippet;
use whichfn_scan::find_root;
use whichfn_search::search::{Query, Unit};
use whichfn_system::error::{Error, Kind, Result};

/// A question set with the roots of its repositories.
pub(super) struct Set {
    name: String,
    cases: Vec<Case>,
    /// Root of each repository in the questions, by name.
    repos: BTreeMap<String, PathBuf>,
}

/// Reads the sets, and checks that their repositories exist.
pub(super) fn read(asked: &EvalArgs) -> Result<Vec<Set>> {
    let mut sets: Vec<Set> = Vec::new();
    for typed in &asked.sets {
        let (file, root) = file_and_root(typed, &asked.repo_root);
        let name = file.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        if sets.iter().any(|set| set.name == name) {
            let what = format!("{}: another question set is also called {name}", file.display());
            return Err(Error::new(Kind::Usage, what, "rename one of the files: a set is identified by its file name"));
        }
        let cases = read_cases(&file)?;
        let mut repos = BTreeMap::new();
        for case in &cases {
            if !repos.contains_key(&case.repo) {
                repos.insert(case.repo.clone(), find(&root.join(&case.repo))?);
            }
        }
        sets.push(Set { name, cases, repos });
    }
    Ok(sets)
}

/// Splits `FILE.jsonl=DIR`, which specifies the folder for one set; otherwise, `usual` is used.
fn file_and_root(typed: &Path, usual: &Path) -> (PathBuf, PathBuf) {
    const ENDING: &str = ".jsonl";
    let split = typed.to_str().and_then(|text| text.split_once(&format!("{ENDING}=")));
    match split {
        Some((file, root)) => (format!("{file}{ENDING}").into(), root.into()),
        None => (typed.to_owned(), usual.to_owned()),
    }
}

/// Runs all questions with the same options.
pub(super) fn run(asked: &EvalArgs, results: &RankingArgs, target: &Target<'_>, sets: &[Set]) -> Result<SavedRun> {
    let measured = sets.iter().map(|set| {
        let questions = measure(asked, results, target, set)?;
        Ok(SavedSet { name: set.name.clone(), questions })
    });
    Ok(SavedRun::new(options::line(results, target), measured.collect::<Result<_>>()?))
}

fn measure(asked: &EvalArgs, results: &RankingArgs, target: &Target<'_>, set: &Set) -> Result<Vec<QuestionOutcome>> {
    if matches!(results.kind, Some(AnswerKind::Docs | AnswerKind::All)) {
        let what = "eval measures the ranking of functions and types, not of passages";
        return Err(Error::new(Kind::Usage, what, "use --kind function, type or any"));
    }
    let mut outcomes = Vec::with_capacity(set.cases.len());
    // Such as that a model was left out.
    let mut notices: BTreeMap<String, usize> = BTreeMap::new();
    let settings = &target.settings;
    let plan = OwnedPlan::new(&results.reading, &asked.model, settings)?;
    for (repo, root) in &set.repos {
        let engine = target.engine_at(root, &results.embed, results.no_update)?;
        for case in set.cases.iter().filter(|c| c.repo == *repo) {
            let query = Query { k: EVALUATED_RESULTS, ..ranking::query(&case.query, results, settings)? };
            let started = Instant::now();
            let ReadAnswer { answer, notices: said, .. } =
                engine.answer(&query, &plan.plan(Snippet::None, false, None))?;
            said.into_iter().for_each(|notice| *notices.entry(notice).or_insert(0) += 1);
            let whole_files = query.unit == Unit::File;
            outcomes.push(evaluate(case, &answer.results, whole_files, started.elapsed().as_secs_f64() * 1e3));
        }
    }
    for (notice, count) in notices {
        target.ui.notice(&format!("{}, {}: {notice}", set.name, counted(count, "question")));
    }
    Ok(outcomes)
}

fn find(directory: &Path) -> Result<PathBuf> {
    find_root(Some(directory)).map_err(|error| {
        let next =
            "pass the folder that contains the repositories with --repo-root DIR, or with SET.jsonl=DIR for one set";
        Error::new(Kind::Questions, error.what(), next)
    })
}
