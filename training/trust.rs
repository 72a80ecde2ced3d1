//! Learns the confidence weights from lists: the probability that the first answer is correct, and
//! the probability that any function fits the question. Both are logistic regressions on a few
//! signals of the candidates and of the question's words. Questions about other repositories are
//! the examples that no function fits.
//!
//! A question is valid if a correct answer is among the first ten. The constant of the second
//! probability is chosen such that [`AFFECTED`] of the valid questions are below [`FITS_FROM`],
//! with weights that were learned without their repository.

use super::fit::table;
use super::folds::fold_of;
use super::lists::{List, read};
use super::logistic::{fit, logistic, print_reliability, sum};
use std::path::Path;
use whichfn_search::search::{
    FITS_FROM, Features, QuestionForm, RIGHT_SIGNALS, SIGNAL_NAMES, SIGNALS, SURE_FROM, score_of, signals,
};

/// Share of the valid questions for which nothing may seem to fit.
///
/// With .01, it is .016 of the 730 valid questions of the development sets; with .02, .034. The
/// questions that the weights are learned from are worded more precisely.
const AFFECTED: f64 = 0.01;
/// Number of folds. Each repository is in one of them.
const FOLDS: usize = 5;
/// Rank up to which a correct answer makes a question valid.
const VALID: usize = 10;

/// The answers to a question: the signals, whether the first one is correct, and whether the
/// question is valid and about its repository.
pub struct First {
    pub form: QuestionForm,
    /// Repository that is searched, and the one that the question was written for.
    pub repos: [String; 2],
    pub signals: [f32; SIGNALS],
    pub right: bool,
    pub valid: bool,
    pub fits: bool,
}

/// Weights for the probability that the first answer is right, and that anything fits.
type Weights = [Vec<f64>; 2];

pub fn train(own: &Path, foreign: &Path, apart: Option<(&Path, &Path)>, out: &Path) {
    let (firsts, apart) = (both(own, foreign), apart.map(|(own, foreign)| both(own, foreign)));
    let text = std::fs::read_to_string(out).expect("read the weights");
    // Tables of an earlier run are replaced.
    let kept: Vec<&str> =
        text.split("\n[").filter(|part| !part.starts_with("right-") && !part.starts_with("fits-")).collect();
    let mut text = kept.join("\n[");
    for form in QuestionForm::LEARNED {
        let of_form: Vec<&First> = firsts.iter().filter(|f| f.form == form).collect();
        let (weights, by_fold) = learned(&of_form);
        println!("\n{}, by folds", form.name());
        report(&of_form, |first| &by_fold[fold_of(&first.repos[0], FOLDS)]);
        if let Some(apart) = &apart {
            println!("{}, apart", form.name());
            report(&apart.iter().filter(|f| f.form == form).collect::<Vec<_>>(), |_| &weights);
        }
        text += &written(form, &weights);
    }
    std::fs::write(out, text).expect("write the weights");
}

/// Learns the weights of one form, prints a report, and returns their tables.
pub fn tables(form: QuestionForm, firsts: &[First]) -> String {
    let firsts: Vec<&First> = firsts.iter().collect();
    let (weights, by_fold) = learned(&firsts);
    report(&firsts, |first| &by_fold[fold_of(&first.repos[0], FOLDS)]);
    written(form, &weights)
}

/// Returns the weights that were learned from all questions, and those without each fold.
fn learned(firsts: &[&First]) -> (Weights, Vec<Weights>) {
    let by_fold: Vec<Weights> = (0..FOLDS)
        .map(|fold| {
            let is_outside = |first: &&&First| first.repos.iter().all(|repo| fold_of(repo, FOLDS) != fold);
            unshifted(&firsts.iter().filter(is_outside).copied().collect::<Vec<_>>())
        })
        .collect();
    let mut valid: Vec<f64> = (firsts.iter().filter(|first| first.valid))
        .map(|first| sum(&by_fold[fold_of(&first.repos[0], FOLDS)][1], &first.signals))
        .collect();
    valid.sort_by(f64::total_cmp);
    let limit = valid.get((AFFECTED * valid.len() as f64) as usize).copied().unwrap_or_default();
    let from = f64::from(FITS_FROM);
    let shifted = |[right, mut fits]: Weights| {
        fits.iter_mut().take(1).for_each(|constant| *constant += (from / (1.0 - from)).ln() - limit);
        [right, fits]
    };
    (shifted(unshifted(firsts)), by_fold.into_iter().map(shifted).collect())
}

fn unshifted(firsts: &[&First]) -> Weights {
    let own = firsts.iter().filter(|first| first.fits);
    let own = own.map(|first| (&first.signals[..RIGHT_SIGNALS], first.right)).collect::<Vec<_>>();
    let all = firsts.iter().map(|first| (first.signals, first.fits)).collect::<Vec<_>>();
    [fit(&own), fit(&all)]
}

/// Formats the tables of a form.
fn written(form: QuestionForm, weights: &Weights) -> String {
    let of = |(name, weights): (&str, &Vec<f64>)| {
        table(&format!("{name}-{}", form.name()), SIGNAL_NAMES.iter().zip(weights.iter().copied()))
    };
    ["right", "fits"].into_iter().zip(weights).map(of).collect()
}

fn both(own: &Path, foreign: &Path) -> Vec<First> {
    let mut firsts: Vec<First> = read(own).iter().filter_map(|list| first(list, true)).collect();
    firsts.extend(read(foreign).iter().filter_map(|list| first(list, false)));
    firsts
}

fn first(list: &List, fits: bool) -> Option<First> {
    let scores: Vec<f32> = list.rows.iter().map(|(_, features)| score_of(list.form, features, None)).collect();
    let features: Vec<Features> = list.rows.iter().map(|(_, features)| *features).collect();
    let mut best: Vec<usize> = (0..scores.len()).collect();
    best.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    let is_right = |at: &usize| fits && list.rows[*at].0;
    Some(First {
        form: list.form,
        repos: [list.repo.clone(), list.from.clone()],
        signals: signals(&scores, &features, &list.familiarity)?,
        right: best.first().is_some_and(is_right),
        valid: best.iter().take(VALID).any(is_right),
        fits,
    })
}

fn report<'w>(firsts: &[&First], weights: impl Fn(&First) -> &'w Weights) {
    let chance = |first: &First, of: usize| logistic(sum(&weights(first)[of], &first.signals));
    let own: Vec<(f64, bool)> = firsts.iter().filter(|f| f.fits).map(|f| (chance(f, 0), f.right)).collect();
    print_reliability("first is right", &own);
    let (sure, from) = (f64::from(SURE_FROM), f64::from(FITS_FROM));
    let line = |name: &str, is: &dyn Fn(&First) -> bool| {
        let of: Vec<&&First> = firsts.iter().filter(|first| is(first)).collect();
        let share =
            |is: &dyn Fn(&First) -> bool| of.iter().filter(|first| is(first)).count() as f64 / of.len().max(1) as f64;
        let (nothing, sure) =
            (share(&|f| chance(f, 1) < from), share(&|f| chance(f, 0) >= sure && chance(f, 1) >= from));
        println!("  {name:<24} {:>5} questions, nothing fits {nothing:.3}, sure {sure:.3}", of.len());
    };
    line("valid", &|first| first.valid);
    line("other own questions", &|first| first.fits && !first.valid);
    line("about another repository", &|first| !first.fits);
}
