//! Measures the learning curve: how much the learned order gains from more questions, and from more
//! repositories.

use super::fit::{rank, reciprocal, set_name};
use super::folds::fold_of;
use super::lists::{List, read};
use super::order::{FOLDS, by_fold};
use std::path::Path;
use whichfn::eval::mean;
use whichfn_search::search::{Feature, QuestionForm};

/// Shares of the questions and repositories to learn from, in eighths.
const EIGHTHS: [usize; 4] = [1, 2, 4, 8];

/// Prints MRR after learning from each share of the questions and each share of the repositories,
/// on all questions of the folds and of the separate sets `apart`.
pub fn curve(lists: &Path, apart: &[&str]) {
    let lists = read(lists);
    let apart: Vec<(&str, Vec<List>)> = apart.iter().map(|path| (*path, read(Path::new(path)))).collect();
    for eighths in EIGHTHS {
        let some: Vec<List> =
            lists.iter().enumerate().filter(|(at, _)| at % 8 < eighths).map(|(_, l)| l.clone()).collect();
        line(&format!("{eighths}/8 of the questions"), &some, &lists, &apart);
    }
    for eighths in EIGHTHS {
        // Uses a different hash from the folds, so that each fold loses its share.
        let is_kept = |list: &&List| fold_of(&format!("{}.", list.repo), 8) < eighths;
        let some: Vec<List> = lists.iter().filter(is_kept).cloned().collect();
        line(&format!("{eighths}/8 of the repositories"), &some, &lists, &apart);
    }
}

fn line(name: &str, learned_from: &[List], lists: &[List], apart: &[(&str, Vec<List>)]) {
    let models = by_fold(learned_from, &[true; Feature::COUNT]);
    print!("{name:<28}");
    for form in QuestionForm::LEARNED {
        let mrr = |lists: &[List], fold: &dyn Fn(&List) -> usize| -> Option<f64> {
            let of_form = lists.iter().filter(|list| list.form == form);
            let all: Vec<f64> = of_form.map(|l| reciprocal(rank(&l.rows, &models[fold(l)][form as usize]))).collect();
            (!all.is_empty()).then(|| mean(&all))
        };
        print!(" | {} folds {:.3}", form.name(), mrr(lists, &|list| list.fold(FOLDS)).unwrap_or_default());
        for (path, lists) in apart {
            if let Some(mrr) = mrr(lists, &|_| FOLDS) {
                print!(" {} {mrr:.3}", set_name(path));
            }
        }
    }
    println!();
}
