//! Evidence to the order of a memory's candidates: for each form of question what the score of the search counts, and what
//! each piece of evidence adds.
//!
//! Optimiser: as for the learned order (`order.rs`): softmax over the candidates, Adam on scaled evidence; pulled towards the
//!            order of the search
//! Judged:    by folds of whole repositories, and on question sets that nothing was learned from

use super::evidence::{Read, read};
use super::lists::fold_of;
use rayon::prelude::*;
use std::fmt::Write;
use std::path::Path;
use whichfn::search::QuestionForm;

const ROUNDS: i32 = 200;
const RATE: f64 = 0.03;
/// Pull towards the order of the search. Ten times as much costs .008 of MRR by folds on descriptions.
const PULL: f64 = 3e-3;
/// Repositories are kept apart by fold.
const FOLDS: usize = 5;

pub fn train(learned_from: &Path, apart: &[&str], out: &Path) {
    let (names, all) = read(learned_from);
    let apart: Vec<(&str, Vec<Read>)> = apart.iter().map(|path| (*path, read(Path::new(path)).1)).collect();
    let mut text = String::from(
        "# What each piece of evidence counts when the offline reader orders the candidates of a memory, by form of question\n\
         # (src/lookup/rerank.rs). Made by training/; not edited by hand.\n",
    );
    for form in QuestionForm::LEARNED.map(QuestionForm::name) {
        let of_form: Vec<&Read> = all.iter().filter(|read| read.form == form).collect();
        let without = |fold: usize| of_form.iter().copied().filter(move |read| fold_of(&read.repo, FOLDS) != fold);
        let folds: Vec<Vec<f64>> =
            (0..=FOLDS).into_par_iter().map(|fold| fit(&without(fold).collect::<Vec<_>>())).collect();
        let searched: Vec<f64> = std::iter::once(1.0).chain(names.iter().map(|_| 0.0)).collect();
        let unseen = |read: &&Read| rank(read, &folds[fold_of(&read.repo, FOLDS)]);
        report(form, "folds", &of_form, &|read| rank(read, &searched), &|read| unseen(&read));
        for (path, set) in &apart {
            let set: Vec<&Read> = set.iter().filter(|read| read.form == form).collect();
            report(form, path, &set, &|read| rank(read, &searched), &|read| rank(read, &folds[FOLDS]));
        }
        let _ = writeln!(text, "\n[{form}]");
        for (name, weight) in std::iter::once("order").chain(names.iter().map(String::as_str)).zip(&folds[FOLDS]) {
            let _ = writeln!(text, "\"{name}\" = {weight:.4}");
        }
    }
    std::fs::write(out, text).expect("write the weights");
}

/// The score of the search, then the evidence.
fn row(candidate: &(bool, f32, Vec<f32>)) -> impl Iterator<Item = f64> + '_ {
    std::iter::once(candidate.1).chain(candidate.2.iter().copied()).map(f64::from)
}

fn fit(reads: &[&Read]) -> Vec<f64> {
    let lists: Vec<&Read> =
        reads.iter().copied().filter(|read| read.candidates.iter().any(|(right, ..)| *right)).collect();
    let rows: Vec<Vec<(bool, Vec<f64>)>> =
        lists.iter().map(|read| read.candidates.iter().map(|c| (c.0, row(c).collect())).collect()).collect();
    let count = rows.iter().map(Vec::len).sum::<usize>().max(1) as f64;
    let width = rows.first().and_then(|list| list.first()).map_or(0, |(_, x)| x.len());
    let mut spread = vec![0f64; width];
    for (i, spread) in spread.iter_mut().enumerate() {
        let values = || rows.iter().flatten().map(|(_, x)| x[i]);
        let middle = values().sum::<f64>() / count;
        *spread = (values().map(|x| (x - middle).powi(2)).sum::<f64>() / count).sqrt() + 1e-3;
    }
    let start: Vec<f64> = (0..width).map(|i| if i == 0 { spread[0] } else { 0.0 }).collect();
    let (mut weights, mut first, mut second) = (start.clone(), vec![0f64; width], vec![0f64; width]);
    for round in 1..=ROUNDS {
        let mut slope = vec![0f64; width];
        for list in &rows {
            let score = |x: &Vec<f64>| (0..width).map(|i| weights[i] * x[i] / spread[i]).sum::<f64>();
            let scores: Vec<f64> = list.iter().map(|(_, x)| score(x)).collect();
            let most = scores.iter().copied().fold(f64::MIN, f64::max);
            let odds: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
            let all: f64 = odds.iter().sum();
            let right: f64 = odds.iter().zip(list).filter(|(_, (right, _))| *right).map(|(odds, _)| odds).sum();
            for (odds, (is_right, x)) in odds.iter().zip(list) {
                let pull = odds / all - if *is_right { odds / right.max(1e-12) } else { 0.0 };
                (0..width).for_each(|i| slope[i] += pull * x[i] / spread[i]);
            }
        }
        for i in 0..width {
            let slope = slope[i] / rows.len().max(1) as f64 + PULL * (weights[i] - start[i]);
            first[i] = 0.9 * first[i] + 0.1 * slope;
            second[i] = 0.99 * second[i] + 0.01 * slope * slope;
            let (a, b) = (first[i] / (1.0 - 0.9f64.powi(round)), second[i] / (1.0 - 0.99f64.powi(round)));
            weights[i] -= RATE * a / (b.sqrt() + 1e-8);
        }
    }
    weights.iter().zip(&spread).map(|(weight, spread)| weight / spread).collect()
}

/// The rank of the first right candidate; equal scores as the search had them.
fn rank(read: &Read, weights: &[f64]) -> Option<usize> {
    let score = |candidate| row(candidate).zip(weights).map(|(x, weight)| x * weight).sum::<f64>();
    let scores: Vec<f64> = read.candidates.iter().map(score).collect();
    let is_right = |at: &usize| read.candidates[*at].0;
    let best = (0..scores.len()).filter(is_right).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))?;
    let before = |at: &usize| scores[*at] > scores[best] || scores[*at] == scores[best] && *at < best;
    Some(1 + (0..scores.len()).filter(before).count())
}

type Ranked<'r> = dyn Fn(&Read) -> Option<usize> + 'r;

fn report(form: &str, set: &str, reads: &[&Read], searched: &Ranked<'_>, judged: &Ranked<'_>) {
    if reads.is_empty() {
        return;
    }
    for (name, ranked) in [("searched", searched), ("read", judged)] {
        let ranks: Vec<Option<usize>> = reads.iter().map(|read| ranked(read)).collect();
        let share = |k: usize| ranks.iter().filter(|r| r.is_some_and(|r| r <= k)).count() as f64 / ranks.len() as f64;
        let mrr = ranks.iter().map(|r| r.map_or(0.0, |r| 1.0 / r as f64)).sum::<f64>() / ranks.len() as f64;
        let (n, first, ten) = (ranks.len(), share(1), share(10));
        let set = set.rsplit('/').next().unwrap_or(set);
        println!("{form:<12} {set:<16} {name:<9} n {n:<5} acc@1 {first:.3}  acc@10 {ten:.3}  MRR {mrr:.3}");
    }
}
