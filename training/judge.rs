//! Learns the order of a memory's candidates from the features that reading found: for each form of
//! question, a weight of the search score and of each feature.
//!
//! - Learner: `fit.rs`, pulled towards the order of the search.
//! - Judged by folds of whole repositories, and on question sets that nothing was learned from.

use super::evidence::{Read, read};
use super::fit::{Fit, Rows, Scale, figures, only, rank, set_name, table};
use super::folds::{fold_of, without};
use rayon::prelude::*;
use std::path::Path;
use whichfn_read::lookup::SEARCH_SCORE;
use whichfn_search::search::QuestionForm;

const ROUNDS: i32 = 200;
const RATE: f64 = 0.03;
/// Pull towards the order of the search. A pull ten times as strong costs .008 of MRR by folds on
/// descriptions.
const PULL: f64 = 3e-3;
/// Weight of the search score that is added to the learned one, by form, like `WORDS` in
/// `order.rs`.
///
/// All questions learned from were written by one author, who describes the code more precisely
/// than people who type a phrase. On a set of such phrases by others (127 questions), the order
/// without the addition is .06 of MRR below the order of the search, with 1 it is .01 below; by
/// folds it costs .007 for sentences and .002 for keywords. Descriptions are one protocol for all.
const SEARCHED: [(QuestionForm, f64); 2] = [(QuestionForm::Sentence, 1.0), (QuestionForm::Keywords, 1.0)];
/// Weight of a question that is not in the first set. These are questions as people type them, and
/// they are fewer than the questions that avoid the function's name.
///
/// With 1, 2, 3, 5 the MRR of typed sentences by folds is .605, .611, .613, .613, of questions that
/// avoid the name .562, .554, .552, .550 (only the search: .544), of phrases .627, .637, .645,
/// .645, of needles-dev questions .582, .585, .596, .597.
const TYPED: usize = 3;
/// Number of folds; each repository is in one of them.
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

/// Learns the weights of one form.
fn fit(reads: &[&Read], width: usize, more: f64) -> Vec<f64> {
    let times = |read: &Read| if read.set > 0 { TYPED } else { 1 };
    let lists: Vec<&Rows<Vec<f32>>> =
        reads.iter().flat_map(|read| std::iter::repeat_n(read.rows.as_slice(), times(read))).collect();
    let (start, learned) = (only(0, width), vec![true; width]);
    let scale = Scale::Plus(1e-3);
    let fit = Fit { rounds: ROUNDS, rate: RATE, pull: PULL, start: &start, learned: &learned, scale, negligible: 0.0 };
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

/// Formats the file that the program reads.
fn written(names: &[String], models: &[(&str, Vec<f64>)]) -> String {
    let mut out = String::from(
        "# What each piece of evidence counts when the offline reader orders the candidates of a memory, by form of\n\
         # question (crates/read/src/lookup/rerank.rs). CallerWithCall by training/; not edited by hand.\n",
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
