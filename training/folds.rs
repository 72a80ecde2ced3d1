//! Splits repositories into folds. Weights are evaluated only on questions about repositories that
//! they were not learned from.

/// Returns the fold that a repository belongs to, based on its name.
pub fn fold_of(repo: &str, folds: usize) -> usize {
    repo.bytes().fold(7usize, |sum, byte| (sum * 31 + usize::from(byte)) % 10_007) % folds
}

/// Returns the questions to learn from if the weights are evaluated on `fold`: all except the
/// questions about repositories in that fold. If `fold` equals `folds`, no repository is in the
/// fold, and all questions are returned.
pub fn without<'l, T>(
    questions: impl Iterator<Item = &'l T>,
    repo: impl Fn(&T) -> &str,
    fold: usize,
    folds: usize,
) -> Vec<&'l T> {
    questions.filter(|question| fold_of(repo(question), folds) != fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn nothing_is_judged_on_a_repository_that_it_was_learned_from() {
        const FOLDS: usize = 5;
        let questions: Vec<(String, usize)> = (0..600).map(|n| (format!("repo-{}", n % 111), n)).collect();
        let repo = |question: &(String, usize)| question.0.clone();
        let mut judged = 0;
        for fold in 0..FOLDS {
            let learned = without(questions.iter(), |question| &question.0, fold, FOLDS);
            let learned_from: BTreeSet<String> = learned.iter().map(|question| repo(question)).collect();
            let judged_on: Vec<_> = questions.iter().filter(|question| fold_of(&question.0, FOLDS) == fold).collect();
            assert!(judged_on.iter().all(|question| !learned_from.contains(&question.0)), "fold {fold}");
            assert_eq!(learned.len() + judged_on.len(), questions.len(), "fold {fold}");
            assert!(judged_on.len() > questions.len() / 10, "fold {fold} has {} questions", judged_on.len());
            judged += judged_on.len();
        }
        assert_eq!(judged, questions.len(), "each question is judged once");
        assert_eq!(without(questions.iter(), |question| &question.0, FOLDS, FOLDS).len(), questions.len());
    }
}
