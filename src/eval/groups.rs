//! Groups the questions of a set: the whole set, one group per category, and one per repository.
//! Groups for categories or repositories exist only if there are several.

use super::metrics::QuestionOutcome;

/// The property that the questions in a group have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupBy {
    /// All questions are in the set.
    Set,
    /// All questions have the same category.
    Category,
    /// All questions are about the same repository.
    Repo,
}

/// A group of questions from a set.
#[derive(Debug, Clone)]
pub struct QuestionGroup<'a, T> {
    /// Property that the questions in the group have in common.
    pub by: GroupBy,
    /// Name of the group; `all` for the whole set.
    pub name: String,
    /// Outcomes of the questions, or items that contain an outcome.
    pub members: Vec<&'a T>,
}

/// Groups the outcomes of a set, or items that contain an outcome. `outcome` returns the outcome of
/// an item.
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
