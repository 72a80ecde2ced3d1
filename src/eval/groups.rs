//! Groups of a question set: the whole set, then by category, then by repository, if there are
//! several.

use super::metrics::QuestionOutcome;

/// Property that the questions of a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// The set.
    Set,
    /// The category.
    Category,
    /// The repository.
    Repo,
}

/// Some questions of a set.
#[derive(Debug, Clone)]
pub struct QuestionGroup<'a, T> {
    /// Property that they have in common.
    pub by: GroupBy,
    /// Name of the group; `all` for the whole set.
    pub name: String,
    /// Outcomes of the questions, or items that have one.
    pub members: Vec<&'a T>,
}

/// Returns the groups of a set of outcomes, or of items that have one.
pub fn groups<T>(items: &[T], outcome: fn(&T) -> &QuestionOutcome) -> Vec<QuestionGroup<'_, T>> {
    let mut groups = vec![QuestionGroup { by: GroupBy::Set, name: "all".to_owned(), members: items.iter().collect() }];
    let name = |by: GroupBy, item: &T| match by {
        GroupBy::Category => outcome(item).category.clone(),
        _ => outcome(item).repo.clone(),
    };
    for by in [GroupBy::Category, GroupBy::Repo] {
        let mut names: Vec<String> = items.iter().map(|item| name(by, item)).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() > 1 {
            groups.extend(names.into_iter().map(|group| {
                let members = items.iter().filter(|item| name(by, item) == group).collect();
                QuestionGroup { by, name: group, members }
            }));
        }
    }
    groups
}
