//! Lists of candidates to the weights of the learned order: for each form of question one weight for each feature.
//!
//! Paper:     ListNet with the top-one likelihood (Cao et al. 2007): softmax over a list of candidates, the right ones
//!            together as likely as can be; a linear score, so that each feature's share of it can be told
//! Optimiser: Adam on standardised features, with a small pull towards zero
//! Judged:    by folds of whole repositories, and on question sets that nothing was learned from

use super::lists::{List, read};
use rayon::prelude::*;
use std::fmt::Write;
use std::path::Path;
use whichfn::eval::{interval, mean};
use whichfn::search::{Feature, QuestionForm};

const ROUNDS: usize = 300;
const RATE: f64 = 0.05;
/// What the score of words counts beyond what was learned. All questions learned from were written by one hand and find
/// their functions by words less often than others do: by folds 2, 4 and 8 cost .002 to .027 of MRR, on every development
/// set they give .01 to .04 more; nearly all of that comes with 2 to 4.
const WORDS: f64 = 3.0;
/// Pull towards zero.
const PULL: f64 = 1e-3;
/// Repositories are kept apart by fold.
const FOLDS: usize = 4;

type Weights = [f64; Feature::COUNT];

/// Signals that the ablation takes away, each with all of its features.
const SIGNALS: &[(&str, &[Feature])] = &[
    (
        "meaning (word vectors)",
        &[
            Feature::Cosine,
            Feature::NearOwn,
            Feature::NearName,
            Feature::NearParameters,
            Feature::NearSummary,
            Feature::NearScope,
            Feature::NameExplained,
            Feature::NameExplainedLeast,
        ],
    ),
    (
        "coverage of the question",
        &[
            Feature::CoverName,
            Feature::CoverScope,
            Feature::CoverPath,
            Feature::CoverParameters,
            Feature::CoverBody,
            Feature::CoverStrings,
            Feature::CoverSummary,
            Feature::CoverDoc,
            Feature::CoverOwn,
            Feature::CoverRare,
            Feature::CoverFirst,
        ],
    ),
    (
        "shares of fields",
        &[
            Feature::ShareName,
            Feature::ShareScope,
            Feature::SharePath,
            Feature::ShareParameters,
            Feature::ShareBody,
            Feature::ShareStrings,
            Feature::ShareSummary,
            Feature::ShareDoc,
        ],
    ),
    (
        "environment (relations, callers, callees)",
        &[
            Feature::Related,
            Feature::CoverCallers,
            Feature::CoverCallees,
            Feature::ShareCallers,
            Feature::ShareCallees,
            Feature::CallerScore,
            Feature::CalleeScore,
            Feature::SiblingScore,
            Feature::ParentScore,
            Feature::FileScore,
        ],
    ),
    (
        "size and shape",
        &[
            Feature::Length,
            Feature::Short,
            Feature::Lines,
            Feature::NameLength,
            Feature::Callers,
            Feature::Callees,
            Feature::Documented,
            Feature::Method,
            Feature::Private,
            Feature::Nested,
            Feature::Shared,
            Feature::Test,
        ],
    ),
    ("parameters", &[Feature::Parameters, Feature::NoParameters, Feature::ParametersAgree]),
    (
        "parts of a description",
        &[Feature::PurposeName, Feature::InputParameters, Feature::ProcedureBody, Feature::OutputSignature],
    ),
];

pub fn train(lists: &Path, apart: &[&str], out: &Path) {
    let lists = read(lists);
    let apart: Vec<(&str, Vec<List>)> = apart.iter().map(|path| (*path, read(Path::new(path)))).collect();
    let all = vec![true; Feature::COUNT];
    report("words alone", &lists, &apart, &|_, _| None);
    let models = by_fold(&lists, &all);
    report("learned", &lists, &apart, &|list, fold| Some(models[fold.unwrap_or(FOLDS)][list.form as usize]));
    std::fs::write(out, written(&models[FOLDS])).expect("write the weights");
}

/// What each signal is worth: the order learned anew without it.
pub fn ablate(lists: &Path, apart: &[&str]) {
    let lists = read(lists);
    let apart: Vec<(&str, Vec<List>)> = apart.iter().map(|path| (*path, read(Path::new(path)))).collect();
    let all = vec![true; Feature::COUNT];
    let full = reciprocal(&lists, &apart, &by_fold(&lists, &all));
    println!("without each signal, learned anew: change of MRR with 95 % interval");
    for (name, features) in SIGNALS {
        let mut kept = all.clone();
        features.iter().for_each(|&f| kept[f as usize] = false);
        let without = reciprocal(&lists, &apart, &by_fold(&lists, &kept));
        print!("{name:<44}");
        for (full, without) in full.iter().zip(&without) {
            let changes: Vec<f64> = full.1.iter().zip(&without.1).map(|(a, b)| b - a).collect();
            let (low, high) = interval(&changes);
            print!(" | {} {:+.3} [{low:+.3}, {high:+.3}]", full.0, mean(&changes));
        }
        println!();
    }
}

/// The weights learned without each fold, and from all.
fn by_fold(lists: &[List], kept: &[bool]) -> Vec<[Weights; 3]> {
    (0..=FOLDS)
        .into_par_iter()
        .map(|fold| {
            QuestionForm::LEARNED
                .map(|form| fit(lists.iter().filter(|l| l.form == form && l.fold(FOLDS) != fold), kept))
        })
        .collect()
}

/// The weights of one form.
fn fit<'l>(lists: impl Iterator<Item = &'l List>, kept: &[bool]) -> Weights {
    let lists: Vec<&List> = lists.filter(|l| l.rows.iter().any(|(right, _)| *right)).collect();
    let rows = || lists.iter().flat_map(|l| &l.rows);
    let count = rows().count().max(1) as f64;
    let (mut middle, mut spread) = ([0f64; Feature::COUNT], [0f64; Feature::COUNT]);
    rows().for_each(|(_, x)| (0..Feature::COUNT).for_each(|i| middle[i] += f64::from(x[i]) / count));
    rows().for_each(|(_, x)| {
        (0..Feature::COUNT).for_each(|i| spread[i] += (f64::from(x[i]) - middle[i]).powi(2) / count)
    });
    let spread = spread.map(|s| s.sqrt().max(1e-3));
    let (mut weights, mut first, mut second) = ([0f64; Feature::COUNT], [0f64; Feature::COUNT], [0f64; Feature::COUNT]);
    for round in 1..=ROUNDS as i32 {
        let mut slope = [0f64; Feature::COUNT];
        for list in &lists {
            let scores: Vec<f64> = list
                .rows
                .iter()
                .map(|(_, x)| (0..Feature::COUNT).map(|i| weights[i] * f64::from(x[i]) / spread[i]).sum())
                .collect();
            let most = scores.iter().copied().fold(f64::MIN, f64::max);
            let odds: Vec<f64> = scores.iter().map(|s| (s - most).exp()).collect();
            let all: f64 = odds.iter().sum();
            let right: f64 = odds.iter().zip(&list.rows).filter(|(_, (right, _))| *right).map(|(o, _)| o).sum();
            for (odds, (is_right, x)) in odds.iter().zip(&list.rows) {
                let pull = odds / all - if *is_right { odds / right.max(1e-12) } else { 0.0 };
                if pull.abs() > 1e-5 {
                    (0..Feature::COUNT).for_each(|i| slope[i] += pull * f64::from(x[i]) / spread[i]);
                }
            }
        }
        for i in (0..Feature::COUNT).filter(|&i| kept[i]) {
            let slope = slope[i] / lists.len() as f64 + PULL * weights[i];
            first[i] = 0.9 * first[i] + 0.1 * slope;
            second[i] = 0.99 * second[i] + 0.01 * slope * slope;
            let (a, b) = (first[i] / (1.0 - 0.9f64.powi(round)), second[i] / (1.0 - 0.99f64.powi(round)));
            weights[i] -= RATE * a / (b.sqrt() + 1e-8);
        }
    }
    let beyond = |i: usize| if i == Feature::Base as usize { WORDS } else { 0.0 };
    std::array::from_fn(|i| weights[i] / spread[i] + beyond(i))
}

/// The rank of the first right candidate: by the weights, or as the list came.
fn rank(list: &List, weights: Option<Weights>) -> Option<usize> {
    let score = |x: &[f32; Feature::COUNT]| match weights {
        Some(weights) => (0..Feature::COUNT).map(|i| weights[i] * f64::from(x[i])).sum(),
        None => f64::from(x[Feature::Base as usize]),
    };
    let scores: Vec<f64> = list.rows.iter().map(|(_, x)| score(x)).collect();
    let right = (0..scores.len())
        .filter(|&i| list.rows[i].0)
        .max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))?;
    let before = |i: usize| scores[i] > scores[right] || (scores[i] == scores[right] && i < right);
    Some(1 + (0..scores.len()).filter(|&i| before(i)).count())
}

type Choose<'a> = dyn Fn(&List, Option<usize>) -> Option<Weights> + 'a;

fn report(name: &str, lists: &[List], apart: &[(&str, Vec<List>)], choose: &Choose<'_>) {
    println!("\n{name}");
    let line = |set: &str, form: QuestionForm, ranks: &[Option<usize>]| {
        let n = ranks.len().max(1) as f64;
        let within = |k: usize| ranks.iter().filter(|r| r.is_some_and(|r| r <= k)).count() as f64 / n;
        let mrr = ranks.iter().map(|r| r.map_or(0.0, |r| 1.0 / r as f64)).sum::<f64>() / n;
        println!(
            "  {set:<28} {:<12} n {:<5} acc@1 {:.3}  acc@10 {:.3}  MRR {mrr:.3}",
            form.name(),
            ranks.len(),
            within(1),
            within(10)
        );
    };
    for form in QuestionForm::LEARNED {
        let ranks: Vec<Option<usize>> =
            lists.iter().filter(|l| l.form == form).map(|l| rank(l, choose(l, Some(l.fold(FOLDS))))).collect();
        line("folds", form, &ranks);
    }
    for (path, lists) in apart {
        for form in QuestionForm::LEARNED {
            let ranks: Vec<Option<usize>> =
                lists.iter().filter(|l| l.form == form).map(|l| rank(l, choose(l, None))).collect();
            if !ranks.is_empty() {
                line(path.rsplit('/').next().unwrap_or(path), form, &ranks);
            }
        }
    }
}

/// Reciprocal ranks of every question, by set and form.
fn reciprocal(lists: &[List], apart: &[(&str, Vec<List>)], models: &[[Weights; 3]]) -> Vec<(String, Vec<f64>)> {
    let of =
        |list: &List, fold: usize| rank(list, Some(models[fold][list.form as usize])).map_or(0.0, |r| 1.0 / r as f64);
    let mut out = Vec::new();
    for form in QuestionForm::LEARNED {
        let values = lists.iter().filter(|l| l.form == form).map(|l| of(l, l.fold(FOLDS))).collect();
        out.push((format!("folds {}", form.name()), values));
        for (path, lists) in apart {
            let values: Vec<f64> = lists.iter().filter(|l| l.form == form).map(|l| of(l, FOLDS)).collect();
            if !values.is_empty() {
                let name = path.rsplit('/').next().unwrap_or(path).split('.').next().unwrap_or_default();
                out.push((format!("{name} {}", form.name()), values));
            }
        }
    }
    out
}

/// The file that the program reads.
fn written(models: &[Weights; 3]) -> String {
    let mut out = String::from(
        "# The learned order: what each feature of a candidate counts, by form of question (src/search/order.rs).\n\
         # Made by training/; not edited by hand.\n",
    );
    for (form, weights) in QuestionForm::LEARNED.iter().zip(models) {
        let _ = writeln!(out, "\n[{}]", form.name());
        for (feature, weight) in Feature::ALL.iter().zip(weights) {
            let _ = writeln!(out, "\"{}\" = {weight:.4}", feature.name());
        }
    }
    out
}
