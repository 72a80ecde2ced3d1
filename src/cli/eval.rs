//! `whichfn eval`.

use super::args::EvalArgs;
use super::json::{line, rounded};
use super::settings::Settings;
use super::{Outcome, ask, output};
use crate::engine::Engine;
use crate::error::{Error, Kind, Result};
use crate::eval::{Case, DEPTH, Figures, Outcome as Judged, judge, read_cases};
use crate::search::Query;
use crate::walk::find_root;
use serde_json::json;
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

pub(super) fn run(asked: &EvalArgs) -> Result<Outcome> {
    let settings = Settings::read(&asked.repo_root)?;
    output::set_verbosity(asked.shared.verbose);
    output::set_color(asked.shared.color.or(settings.color));
    let mut sets = Vec::new();
    for set in &asked.sets {
        let name = set.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
        sets.push((name, measure(asked, &settings, &read_cases(set)?)?));
    }
    if asked.json {
        let all: serde_json::Map<_, _> =
            sets.iter().map(|(name, outcomes)| (name.clone(), set_json(outcomes, asked.ranks))).collect();
        output::print(&line(&json!({"version": 1, "sets": all})))?;
    } else {
        output::print(&table(&sets, asked.ranks))?;
    }
    Ok(Outcome::Found)
}

fn measure(asked: &EvalArgs, settings: &Settings, cases: &[Case]) -> Result<Vec<Judged>> {
    let mut outcomes = Vec::with_capacity(cases.len());
    let mut repos: Vec<&str> = cases.iter().map(|c| c.repo.as_str()).collect();
    repos.sort_unstable();
    repos.dedup();
    for repo in repos {
        let engine = open(asked, settings, &asked.repo_root.join(repo))?;
        for case in cases.iter().filter(|c| c.repo == repo) {
            let query = Query { k: DEPTH, ..ask::query(&case.query, &asked.results, settings)? };
            let started = Instant::now();
            let answer = engine.ask(&query, 0)?;
            outcomes.push(judge(case, &answer.results, started.elapsed().as_secs_f64() * 1e3));
        }
    }
    Ok(outcomes)
}

fn open(asked: &EvalArgs, settings: &Settings, directory: &Path) -> Result<Engine> {
    let root = find_root(Some(directory)).map_err(|error| {
        Error::new(Kind::Questions, error.what(), "name the folder that holds the repositories with --repo-root DIR")
    })?;
    ask::open_for(&root, settings, &asked.shared, &asked.results)
}

/// A set's groups: all of it, then by category, then by repository, where there are several.
fn groups(outcomes: &[Judged]) -> Vec<(String, Figures)> {
    let mut rows = vec![("all".to_owned(), Figures::over(outcomes.iter()))];
    for of in [|o: &Judged| o.category.clone(), |o: &Judged| o.repo.clone()] {
        let mut names: Vec<String> = outcomes.iter().map(of).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() > 1 {
            rows.extend(
                names.into_iter().map(|name| (name.clone(), Figures::over(outcomes.iter().filter(|o| of(o) == name)))),
            );
        }
    }
    rows
}

fn table(sets: &[(String, Vec<Judged>)], ranks: bool) -> String {
    let mut out = String::new();
    for (name, outcomes) in sets {
        let _ = writeln!(
            out,
            "{name:<24} {:>5} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7}",
            "n", "acc@1", "acc@5", "acc@10", "MRR", "nDCG@10", "ms"
        );
        for (group, f) in groups(outcomes) {
            let _ = writeln!(
                out,
                "  {group:<22} {:>5} {:>7.3} {:>7.3} {:>7.3} {:>7.3} {:>8.3} {:>7.2}",
                f.questions, f.acc1, f.acc5, f.acc10, f.mrr, f.ndcg10, f.ms
            );
        }
        if ranks {
            for o in outcomes {
                let _ = writeln!(out, "  {:>4}  {}", o.rank.map_or_else(|| "-".into(), |r| r.to_string()), o.id);
            }
        }
    }
    out
}

fn set_json(outcomes: &[Judged], ranks: bool) -> serde_json::Value {
    let groups: serde_json::Map<_, _> = groups(outcomes).into_iter().map(|(name, f)| {
        let figures = json!({
            "questions": f.questions, "acc@1": f.acc1, "acc@5": f.acc5, "acc@10": f.acc10, "mrr": f.mrr, "ndcg@10": f.ndcg10, "ms": rounded(f.ms),
        });
        (name, figures)
    }).collect();
    let mut value = json!({"groups": groups});
    if ranks {
        value["ranks"] = outcomes.iter().map(|o| json!({"id": o.id, "rank": o.rank, "ndcg@10": o.ndcg})).collect();
    }
    value
}
