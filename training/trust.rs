//! Learns the confidence weights from lists: the probability that the first answer is correct, and
//! the probability that any function fits the question. Both are logistic regressions on a few
//! signals of the first candidate. Questions about other repositories are the examples that no
//! function fits.

use super::lists::{List, read};
use std::fmt::Write;
use std::path::Path;
use whichfn_search::search::{FITS_FROM, Features, QuestionForm, SIGNAL_NAMES, SIGNALS, SURE_FROM, score_of, signals};

const ROUNDS: usize = 4_000;
const RATE: f64 = 0.3;
/// Strength of the slight regularization of the weights towards zero.
const PULL: f64 = 1e-4;

/// The first answer to a question: its signals, whether it is correct, and whether the question is
/// about its repository.
pub struct First {
    pub form: QuestionForm,
    pub signals: [f32; SIGNALS],
    pub right: bool,
    pub fits: bool,
}

pub fn train(own: &Path, foreign: &Path, apart: Option<(&Path, &Path)>, out: &Path) {
    let firsts = both(own, foreign);
    let mut text = std::fs::read_to_string(out).expect("read the weights");
    let mut models = Vec::new();
    for form in QuestionForm::LEARNED {
        let of_form: Vec<&First> = firsts.iter().filter(|f| f.form == form).collect();
        let own: Vec<&First> = of_form.iter().filter(|f| f.fits).copied().collect();
        let (right, fits) = (fit(&own, |f| f.right), fit(&of_form, |f| f.fits));
        text += &written(form, &[right, fits]);
        models.push((right, fits));
    }
    std::fs::write(out, text).expect("write the weights");
    report("learned from", &firsts, &models);
    if let Some((own, foreign)) = apart {
        report("apart", &both(own, foreign), &models);
    }
}

/// Formats the tables of a form: the weights for the probability that the first answer is right,
/// and that anything fits.
fn written(form: QuestionForm, weights: &[[f64; SIGNALS]; 2]) -> String {
    let mut text = String::new();
    for (name, weights) in ["right", "fits"].iter().zip(weights) {
        let _ = writeln!(text, "\n[{name}-{}]", form.name());
        for (signal, weight) in SIGNAL_NAMES.iter().zip(weights) {
            let _ = writeln!(text, "\"{signal}\" = {weight:.4}");
        }
    }
    text
}

/// Learns the weights of one form, prints a report, and returns their tables.
pub fn tables(form: QuestionForm, firsts: &[First]) -> String {
    let (own, all): (Vec<&First>, Vec<&First>) = (firsts.iter().filter(|f| f.fits).collect(), firsts.iter().collect());
    let weights = [fit(&own, |f| f.right), fit(&all, |f| f.fits)];
    for from in [0.0, 0.2, 0.4, 0.6, 0.7, 0.85, 0.9] {
        let bin: Vec<&&First> = own.iter().filter(|f| chance(&weights[0], &f.signals) >= from).collect();
        let right = bin.iter().filter(|f| f.right).count() as f64 / bin.len().max(1) as f64;
        println!("  chance from {from:.2}: {:>5} answers, right {right:.3}", bin.len());
    }
    for (name, is_own) in [("own", true), ("foreign", false)] {
        let of: Vec<&First> = firsts.iter().filter(|f| f.fits == is_own).collect();
        let rejected = of.iter().filter(|f| chance(&weights[1], &f.signals) < f64::from(FITS_FROM)).count();
        println!("  nothing fits: {rejected} of {} {name} texts", of.len());
    }
    written(form, &weights)
}

fn both(own: &Path, foreign: &Path) -> Vec<First> {
    let mut firsts: Vec<First> = read(own).iter().filter_map(|list| first(list, true)).collect();
    firsts.extend(read(foreign).iter().filter_map(|list| first(list, false)));
    firsts
}

fn first(list: &List, fits: bool) -> Option<First> {
    let scores: Vec<f32> = list.rows.iter().map(|(_, features)| score_of(list.form, features, None)).collect();
    let best = (0..scores.len()).max_by(|&a, &b| scores[a].total_cmp(&scores[b]).then(b.cmp(&a)))?;
    let features: Vec<Features> = list.rows.iter().map(|(_, features)| *features).collect();
    Some(First { form: list.form, signals: signals(&scores, &features)?, right: list.rows[best].0 && fits, fits })
}

/// Fits a logistic regression that predicts `is` from the signals.
fn fit(firsts: &[&First], is: impl Fn(&First) -> bool) -> [f64; SIGNALS] {
    let mut weights = [0f64; SIGNALS];
    for _ in 0..ROUNDS {
        let mut slope = [0f64; SIGNALS];
        for first in firsts {
            let off = chance(&weights, &first.signals) - f64::from(u8::from(is(first)));
            (0..SIGNALS).for_each(|i| slope[i] += off * f64::from(first.signals[i]) / firsts.len() as f64);
        }
        (0..SIGNALS).for_each(|i| weights[i] -= RATE * (slope[i] + PULL * weights[i]));
    }
    weights
}

fn chance(weights: &[f64; SIGNALS], signals: &[f32; SIGNALS]) -> f64 {
    let sum: f64 = weights.iter().zip(signals).map(|(w, s)| w * f64::from(*s)).sum();
    1.0 / (1.0 + (-sum).exp())
}

fn report(name: &str, firsts: &[First], models: &[([f64; SIGNALS], [f64; SIGNALS])]) {
    println!("\n{name}");
    let share = |list: &[&First], is: &dyn Fn(&First) -> bool| {
        list.iter().filter(|f| is(f)).count() as f64 / list.len().max(1) as f64
    };
    let right = |f: &First| chance(&models[f.form as usize].0, &f.signals);
    let fits = |f: &First| chance(&models[f.form as usize].1, &f.signals);
    for from in [0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9] {
        let bin: Vec<&First> = firsts.iter().filter(|f| f.fits && right(f) >= from).collect();
        println!("  chance from {from:.1}: {:>5} answers, right {:.3}", bin.len(), share(&bin, &|f| f.right));
    }
    for form in QuestionForm::LEARNED {
        let own: Vec<&First> = firsts.iter().filter(|f| f.fits && f.form == form).collect();
        let foreign: Vec<&First> = firsts.iter().filter(|f| !f.fits && f.form == form).collect();
        let sure: Vec<&First> = own.iter().filter(|f| right(f) >= f64::from(SURE_FROM)).copied().collect();
        println!(
            "  {:<12} sure {:>4} of {:>4}, right {:.3}; nothing fits: {:.3} of own, {:.3} of foreign questions; sure of foreign {:.3}",
            form.name(),
            sure.len(),
            own.len(),
            share(&sure, &|f| f.right),
            share(&own, &|f| fits(f) < f64::from(FITS_FROM)),
            share(&foreign, &|f| fits(f) < f64::from(FITS_FROM)),
            share(&foreign, &|f| right(f) >= f64::from(SURE_FROM) && fits(f) >= f64::from(FITS_FROM)),
        );
    }
}
