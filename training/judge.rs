//! Learns the order of a memory's candidates from the features that the offline reader found. For
//! each question form, it learns a weight for the search score and for each feature.
//!
//! - Learner: `fit.rs`, with regularization towards the search order.
//! - Evaluated on folds of whole repositories, and on question sets that were not used for
//!   learning.

use super::evidence::{Read, read};
use super::fit::{Fit, Goal, Rows, Scale, best_of, figures, only, rank, set_name, table};
use super::folds::{fold_of, without};
use super::logistic;
use rayon::prelude::*;
use std::path::Path;
use whichfn_read::lookup::{READ_SIGNALS, SEARCH_SCORE, read_signals};
use whichfn_search::search::QuestionForm;

const ROUNDS: i32 = 200;
const RATE: f64 = 0.03;
/// Strength of the regularization towards the search order. Ten times this strength costs .008 of
/// MRR on folds, for descriptions.
const PULL: f64 = 3e-3;
/// Weight for the search score that is added to the learned one, by question form. `WORDS` in
/// `order.rs` is similar.
///
/// All questions used for learning come from one author, who describes the code more precisely than
/// people who type a phrase. On a set of 127 such phrases by other people, the order without the
/// addition has .05 less MRR than the search order, with an addition of 1 it has .01 less, and with
/// 2 .005 less. Sentences of all development sets have .561 by the search and .560, .567, .568 and
/// .566 with additions of 0, 1, 2 and 3, keywords .634 and .617, .638, .638 and .637. On folds,
/// sentences that avoid the name have .540 and .548, .550, .546 and .545. Descriptions need no
/// addition, because their protocol is the same for everyone.
const SEARCHED: [(QuestionForm, f64); 2] = [(QuestionForm::Sentence, 2.0), (QuestionForm::Keywords, 2.0)];
/// Weight of a question that is not in the first set. Such questions are worded as people type
/// them, and there are fewer of them than of the questions that avoid the function's name.
///
/// With weights of 1, 2, 3 and 5, the MRR on folds is .605, .611, .613 and .613 for typed
/// sentences, and .562, .554, .552 and .550 for questions that avoid the name (search alone: .544).
/// It is .627, .637, .645 and .645 for phrases, and .582, .585, .596 and .597 for needles-dev
/// questions.
const TYPED: usize = 3;
/// Number of folds. Each repository is in one of them.
const FOLDS: usize = 5;

pub fn train(learned_from: &Path, apart: &[&str], out: &Path) {
    let (names, all) = read(learned_from);
    let apart: Vec<(&str, Vec<Read>)> = apart.iter().map(|path| (*path, read(Path::new(path)).1)).collect();
    let searched = only(0, 1 + names.len());
    let (mut models, mut chances) = (Vec::new(), Vec::new());
    for form in QuestionForm::LEARNED {
        let more = SEARCHED.iter().find(|(of, _)| *of == form).map_or(0.0, |(_, more)| *more);
        let form = form.name();
        let of_form: Vec<&Read> = all.iter().filter(|read| read.form == form).collect();
        let without = |fold: usize| without(of_form.iter().copied(), |read| &read.repo, fold, FOLDS);
        let folds: Vec<Vec<f64>> =
            (0..=FOLDS).into_par_iter().map(|fold| fit(&without(fold), 1 + names.len(), more)).collect();
        report(form, "folds", &of_form, &searched, &|read| &folds[fold_of(&read.repo, FOLDS)]);
        for (path, set) in &apart {
            let set: Vec<&Read> = set.iter().filter(|read| read.form == form).collect();
            report(form, path, &set, &searched, &|_| &folds[FOLDS]);
        }
        let by_fold = |read: &Read| folds[fold_of(&read.repo, FOLDS)].as_slice();
        let chance = chances_of_first(form, &of_form, &by_fold);
        for (path, set) in &apart {
            let set = set.iter().filter(|read| read.form == form);
            let answers: Vec<Answer> = set.filter_map(|read| first(read, &folds[FOLDS])).collect();
            print_reliability(set_name(path), &answers, |_| &chance);
        }
        chances.push((form, chance));
        models.push((form, folds[FOLDS].clone()));
    }
    let chances: String = chances
        .iter()
        .map(|(form, weights)| table(&format!("right-{form}"), READ_SIGNALS.iter().zip(weights.iter().copied())))
        .collect();
    std::fs::write(out, written(&names, &models) + &chances).expect("write the weights");
}

/// Signals of the first candidate after reading, and whether it is correct.
type Answer = ([f32; READ_SIGNALS.len()], bool);

/// Returns the signals of the first candidate in the order of some weights.
fn first(read: &Read, weights: &[f64]) -> Option<Answer> {
    let scores: Vec<f32> = read.rows.iter().map(|(_, row)| logistic::sum(weights, row) as f32).collect();
    let best = best_of(&scores, 0..scores.len())?;
    Some((read_signals(&scores, best, read.searched), read.rows[best].0))
}

/// Learns the probability that the first candidate is right, from orders that were learned without
/// its repository, and reports it for folds.
fn chances_of_first<'r>(form: &str, reads: &[&Read], order: &Choose<'r>) -> Vec<f64> {
    let answers: Vec<(usize, Answer)> =
        reads.iter().filter_map(|read| Some((fold_of(&read.repo, FOLDS), first(read, order(read))?))).collect();
    let without = |fold: usize| {
        logistic::fit(&answers.iter().filter(|(of, _)| *of != fold).map(|(_, answer)| *answer).collect::<Vec<_>>())
    };
    let by_fold: Vec<Vec<f64>> = (0..=FOLDS).map(without).collect();
    let folds: Vec<usize> = answers.iter().map(|(fold, _)| *fold).collect();
    let answers: Vec<Answer> = answers.into_iter().map(|(_, answer)| answer).collect();
    print_reliability(&format!("{form}, folds"), &answers, |at| &by_fold[folds[at]]);
    by_fold[FOLDS].clone()
}

fn print_reliability<'w>(name: &str, answers: &[Answer], weights: impl Fn(usize) -> &'w Vec<f64>) {
    let predicted =
        |(at, (signals, right)): (usize, &Answer)| (logistic::logistic(logistic::sum(weights(at), signals)), *right);
    logistic::print_reliability(name, &answers.iter().enumerate().map(predicted).collect::<Vec<_>>());
}

/// Learns the weights for one question form.
fn fit(reads: &[&Read], width: usize, more: f64) -> Vec<f64> {
    let times = |read: &Read| if read.set > 0 { TYPED } else { 1 };
    let lists: Vec<&Rows<Vec<f32>>> =
        reads.iter().flat_map(|read| std::iter::repeat_n(read.rows.as_slice(), times(read))).collect();
    let (start, learned) = (only(0, width), vec![true; width]);
    let scale = Scale::Plus(1e-3);
    let fit = Fit {
        rounds: ROUNDS,
        rate: RATE,
        pull: PULL,
        start: &start,
        learned: &learned,
        scale,
        goal: Goal::Any,
        negligible: 0.0,
    };
    let mut weights = fit.weights(&lists);
    weights[0] += more;
    weights
}

type Choose<'r> = dyn Fn(&Read) -> &'r [f64] + 'r;

fn report<'r>(form: &str, set: &str, reads: &[&Read], searched: &[f64], learned: &Choose<'r>) {
    if reads.is_empty() {
        return;
    }
    let line = |name: &str, ranks: Vec<Option<usize>>| {
        println!("{form:<12} {:<16} {name:<9} {}", set_name(set), figures(&ranks));
    };
    line("searched", reads.iter().map(|read| rank(&read.rows, searched)).collect());
    line("read", reads.iter().map(|read| rank(&read.rows, learned(read))).collect());
}

/// Formats the weights file that the program reads.
fn written(names: &[String], models: &[(&str, Vec<f64>)]) -> String {
    let mut out = String::from(
        "# What each piece of evidence counts when the offline reader orders the candidates of a memory, by form of\n\
         # question (crates/read/src/lookup/rerank.rs). Made by training/; not edited by hand.\n",
    );
    for (form, weights) in models {
        let names = std::iter::once(SEARCH_SCORE).chain(names.iter().map(String::as_str));
        out += &table(form, names.zip(weights.iter().copied()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_read::lookup::feature_names;
    use whichfn_search::search::LearnedWeights;

    #[test]
    fn the_program_reads_each_weight_under_its_feature() {
        let names: Vec<String> = feature_names().map(str::to_owned).collect();
        let models = QuestionForm::LEARNED.map(|form| (form.name(), (0..=names.len()).map(|i| i as f64).collect()));
        let read = LearnedWeights::read(&written(&names, &models));
        for form in QuestionForm::LEARNED {
            let table = read.table(form.name()).expect("a table for each form");
            assert_eq!((table.len(), table[SEARCH_SCORE]), (1 + names.len(), 0.0));
            names.iter().zip(1..).for_each(|(name, weight)| assert_eq!(table[name], weight as f32, "{name}"));
        }
    }
}
