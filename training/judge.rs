//! Learns the order of a memory's candidates from the features that the offline reader found. For
//! each question form, it learns a weight for the search score and for each feature.
//!
//! - Learner: `fit.rs`, with regularization towards the search order.
//! - Evaluated on folds of whole repositories, and on question sets that were not used for
//!   learning.

use super::evidence::{Read, read};
use super::fit::{Fit, Goal, Rows, Scale, figures, only, rank, set_name, table};
use super::folds::{fold_of, without};
use rayon::prelude::*;
use std::path::Path;
use whichfn_read::lookup::SEARCH_SCORE;
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
/// addition has .06 less MRR than the search order, and with an addition of 1 it has .01 less. On
/// folds, the addition costs .007 for sentences and .002 for keywords. Descriptions need no
/// addition, because their protocol is the same for everyone.
const SEARCHED: [(QuestionForm, f64); 2] = [(QuestionForm::Sentence, 1.0), (QuestionForm::Keywords, 1.0)];
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
    let mut models = Vec::new();
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
        models.push((form, folds[FOLDS].clone()));
    }
    std::fs::write(out, written(&names, &models)).expect("write the weights");
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
