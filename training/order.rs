//! Learns the search order from lists of candidates. For each question form, it learns one weight
//! per feature.
//!
//! - Learner: `fit.rs`, with slight regularization towards zero.
//! - Evaluated on folds of whole repositories, and on question sets that were not used for
//!   learning.

use super::fit::{Fit, Goal, Rows, Scale, figures, only, rank, set_name, table};
use super::folds::without;
use super::lists::{List, read};
use rayon::prelude::*;
use std::path::Path;
use whichfn_search::search::{Feature, Features, LearnedWeights, QuestionForm};

const ROUNDS: i32 = 300;
const RATE: f64 = 0.05;
/// Weight for the word score that is added to the learned one. All questions used for learning come
/// from one author, and they find their functions by words less often than other people's questions
/// do. On folds, additions of 2, 4 and 8 cost .002 to .027 of MRR. On every development set, they
/// gain .01 to .04, nearly all of it with additions of 2 to 4.
const WORDS: f64 = 3.0;
/// Strength of the regularization towards zero.
const PULL: f64 = 1e-3;
/// Number of folds. Each repository is in one of them.
pub const FOLDS: usize = 4;

/// Weights of the features, for each question form.
pub type Models = [Vec<f64>; 3];

pub fn train(lists: &Path, apart: &[&str], out: &Path) {
    let lists = read(lists);
    let apart: Vec<(&str, Vec<List>)> = apart.iter().map(|path| (*path, read(Path::new(path)))).collect();
    let by_words = only(Feature::Base as usize, Feature::COUNT);
    report("words alone", &lists, &apart, &|_, _| &by_words);
    let models = by_fold(&lists, &[true; Feature::COUNT]);
    report("learned", &lists, &apart, &|list, fold| &models[fold.unwrap_or(FOLDS)][list.form as usize]);
    std::fs::write(out, written(&models[FOLDS])).expect("write the weights");
}

/// Returns the weights that were learned without each fold, followed by those learned from all
/// questions.
pub fn by_fold(lists: &[List], learned: &[bool; Feature::COUNT]) -> Vec<Models> {
    (0..=FOLDS)
        .into_par_iter()
        .map(|fold| {
            QuestionForm::LEARNED.map(|form| {
                let of_form = lists.iter().filter(|list| list.form == form);
                fit(&without(of_form, |list| &list.repo, fold, FOLDS), learned)
            })
        })
        .collect()
}

/// Strength of the regularization of the weights for types towards those of functions. With .01 to
/// .1, folds and the set apart are .01 to .02 worse.
const TYPE_PULL: f64 = 0.3;

/// Learns the weights for types from lists of types, starting with the weights that `order` has for
/// sentences about functions.
pub fn train_types(lists: &Path, order: &Path, apart: &[&str], out: &Path) {
    let lists = read(lists);
    let apart: Vec<(&str, Vec<List>)> = apart.iter().map(|path| (*path, read(Path::new(path)))).collect();
    let text = std::fs::read_to_string(order).expect("the weights of functions");
    let read = LearnedWeights::read(&text);
    let sentence = read.table(QuestionForm::Sentence.name()).expect("a table for sentences");
    let of_functions: Vec<f64> =
        Feature::ALL.iter().map(|feature| sentence.get(feature.name()).copied().map_or(0.0, f64::from)).collect();
    let learned: Vec<bool> = Feature::ALL.iter().map(|feature| !feature.is_of_issues()).collect();
    let (scale, start) = (Scale::AtLeast(1e-3), &of_functions[..]);
    let (pull, goal, negligible) = (TYPE_PULL, Goal::Any, 1e-5);
    let fit = Fit { rounds: ROUNDS, rate: RATE, pull, start, learned: &learned, scale, goal, negligible };
    let models: Vec<Vec<f64>> = (0..=FOLDS)
        .map(|fold| {
            let lists = without(lists.iter(), |list: &List| &list.repo, fold, FOLDS);
            let mut weights = fit.weights(&lists.iter().map(|list| list.rows.as_slice()).collect::<Vec<_>>());
            weights[Feature::Base as usize] += WORDS;
            weights
        })
        .collect();
    let by_words = only(Feature::Base as usize, Feature::COUNT);
    report("words alone", &lists, &apart, &|_, _| &by_words);
    report("weights of functions", &lists, &apart, &|_, _| &of_functions);
    report("learned", &lists, &apart, &|_, fold| &models[fold.unwrap_or(FOLDS)]);
    let known = Feature::ALL.iter().zip(&models[FOLDS]).filter(|(feature, _)| !feature.is_of_issues());
    let text = "# The learned order of types: the weight of each feature (crates/search/src/search/rerank.rs).\n\
                # Written by training/; do not edit by hand.\n";
    let weights = table("type", known.map(|(feature, weight)| (feature.name(), *weight)));
    std::fs::write(out, text.to_owned() + &weights).expect("write the weights");
}

/// Learns the weights for one question form.
fn fit(lists: &[&List], learned: &[bool; Feature::COUNT]) -> Vec<f64> {
    let lists: Vec<&Rows<Features>> = lists.iter().map(|list| list.rows.as_slice()).collect();
    let start = [0.0; Feature::COUNT];
    let scale = Scale::AtLeast(1e-3);
    let fit = Fit {
        rounds: ROUNDS,
        rate: RATE,
        pull: PULL,
        start: &start,
        learned,
        scale,
        goal: Goal::Any,
        negligible: 1e-5,
    };
    let mut weights = fit.weights(&lists);
    weights[Feature::Base as usize] += WORDS;
    weights
}

type Choose<'a> = dyn Fn(&List, Option<usize>) -> &'a [f64] + 'a;

fn report<'a>(name: &str, lists: &[List], apart: &[(&str, Vec<List>)], choose: &Choose<'a>) {
    println!("\n{name}");
    let line = |set: &str, form: QuestionForm, ranks: &[Option<usize>]| {
        println!("  {set:<28} {:<12} {}", form.name(), figures(ranks));
    };
    let ranks = |lists: &[List], form: QuestionForm, fold: &dyn Fn(&List) -> Option<usize>| -> Vec<Option<usize>> {
        let of_form = lists.iter().filter(|list| list.form == form);
        of_form.map(|list| rank(&list.rows, choose(list, fold(list)))).collect()
    };
    for form in QuestionForm::LEARNED {
        line("folds", form, &ranks(lists, form, &|list| Some(list.fold(FOLDS))));
    }
    for (path, lists) in apart {
        for form in QuestionForm::LEARNED {
            let ranks = ranks(lists, form, &|_| None);
            if !ranks.is_empty() {
                line(set_name(path), form, &ranks);
            }
        }
    }
}

/// Formats the weights file that the program reads.
fn written(models: &Models) -> String {
    let mut out = String::from(
        "# The learned order: what each feature of a candidate counts, by form of question (crates/search/src/search/rerank.rs).\n\
         # Made by training/; not edited by hand.\n",
    );
    for (form, weights) in QuestionForm::LEARNED.iter().zip(models) {
        let known = Feature::ALL.iter().zip(weights).filter(|(feature, _)| !feature.is_of_issues());
        out += &table(form.name(), known.map(|(feature, weight)| (feature.name(), *weight)));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_reads_each_weight_under_its_feature() {
        let models = [0, 1, 2].map(|form| (0..Feature::COUNT).map(|i| (form * 100 + i) as f64 + 0.25).collect());
        let read = LearnedWeights::read(&written(&models));
        for (form, weights) in QuestionForm::LEARNED.iter().zip(&models) {
            let table = read.table(form.name()).expect("a table for each form");
            for (feature, weight) in Feature::ALL.iter().zip(weights).filter(|(feature, _)| !feature.is_of_issues()) {
                assert_eq!(f64::from(table[feature.name()]), *weight, "{}", feature.name());
            }
        }
    }
}
