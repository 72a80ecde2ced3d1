//! A set's groups: all of it, then by category, then by repository, where there are several.

use super::judge::Outcome;

/// What a group has in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The set.
    Set,
    /// The category.
    Category,
    /// The repository.
    Repo,
}

/// Some questions of a set.
#[derive(Debug, Clone)]
pub struct Group<'a, T> {
    /// What they have in common.
    pub by: By,
    /// Its name; `all` of a whole set.
    pub name: String,
    /// What came of them.
    pub members: Vec<&'a T>,
}

/// The groups of a set: of outcomes, or of whatever has one.
pub fn groups<T>(items: &[T], outcome: fn(&T) -> &Outcome) -> Vec<Group<'_, T>> {
    let mut groups = vec![Group { by: By::Set, name: "all".to_owned(), members: items.iter().collect() }];
    let name = |by: By, item: &T| match by {
        By::Category => outcome(item).category.clone(),
        _ => outcome(item).repo.clone(),
    };
    for by in [By::Category, By::Repo] {
        let mut names: Vec<String> = items.iter().map(|item| name(by, item)).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() > 1 {
            groups.extend(names.into_iter().map(|of| {
                let members = items.iter().filter(|item| name(by, item) == of).collect();
                Group { by, name: of, members }
            }));
        }
    }
    groups
}
