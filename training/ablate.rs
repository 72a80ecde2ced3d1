//! Measures how much each signal contributes to the learned order, by learning the order without
//! that signal.

use super::fit::{rank, reciprocal, set_name};
use super::lists::{List, read};
use super::order::{FOLDS, Models, by_fold};
use std::path::Path;
use whichfn::eval::{interval, mean};
use whichfn_search::search::{Feature, QuestionForm};

/// Names of the signals to remove, each with all features that belong to it.
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
        &[Feature::PurposeName, Feature::InputParameters, Feature::ProcedureBody, Feature::OutputParameters],
    ),
];

/// Prints how MRR changes without each signal, on the folds of the lists and on the separate sets
/// `apart`.
pub fn ablate(lists: &Path, apart: &[&str]) {
    let lists = read(lists);
    let apart: Vec<(&str, Vec<List>)> = apart.iter().map(|path| (*path, read(Path::new(path)))).collect();
    let all = [true; Feature::COUNT];
    let full = reciprocal_ranks(&lists, &apart, &by_fold(&lists, &all));
    println!("change of MRR after retraining without each signal, with 95 % interval");
    for (name, features) in SIGNALS {
        let mut learned = all;
        features.iter().for_each(|&feature| learned[feature as usize] = false);
        let without = reciprocal_ranks(&lists, &apart, &by_fold(&lists, &learned));
        print!("{name:<44}");
        for (full, without) in full.iter().zip(&without) {
            let changes: Vec<f64> = full.1.iter().zip(&without.1).map(|(a, b)| b - a).collect();
            let (low, high) = interval(&changes);
            print!(" | {} {:+.3} [{low:+.3}, {high:+.3}]", full.0, mean(&changes));
        }
        println!();
    }
}

/// Returns the reciprocal ranks of all questions, grouped by set and question form.
fn reciprocal_ranks(lists: &[List], apart: &[(&str, Vec<List>)], models: &[Models]) -> Vec<(String, Vec<f64>)> {
    let of = |list: &List, fold: usize| reciprocal(rank(&list.rows, &models[fold][list.form as usize]));
    let mut out = Vec::new();
    for form in QuestionForm::LEARNED {
        let values = lists.iter().filter(|l| l.form == form).map(|l| of(l, l.fold(FOLDS))).collect();
        out.push((format!("folds {}", form.name()), values));
        for (path, lists) in apart {
            let values: Vec<f64> = lists.iter().filter(|l| l.form == form).map(|l| of(l, FOLDS)).collect();
            if !values.is_empty() {
                let name = set_name(path).split('.').next().unwrap_or_default();
                out.push((format!("{name} {}", form.name()), values));
            }
        }
    }
    out
}
