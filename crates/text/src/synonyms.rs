//! Words that programmers use interchangeably: `directory` and `dir`, `remove` and `delete`.
//!
//! The list is data (`synonyms.txt`) from general usage. It is read for the first question.

use super::word_groups::{self, WordGroups};
use std::sync::LazyLock;

const LIST: &str = include_str!("synonyms.txt");

/// Returns the other stems in the groups of this stem, in order.
pub fn synonyms(stem: &str) -> &'static [String] {
    static GROUPS: WordGroups = LazyLock::new(|| word_groups::read(LIST));
    word_groups::others(&GROUPS, stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_forms_are_synonyms() {
        assert!(synonyms("directori").iter().any(|s| s == "dir"));
        assert!(synonyms("dir").iter().any(|s| s == "directori"));
        assert!(synonyms("quux").is_empty());
    }

    #[test]
    fn every_group_has_at_least_two_words() {
        for line in LIST.lines().filter(|l| !l.starts_with('#')) {
            assert!(line.split_whitespace().count() > 1, "{line}");
        }
    }
}
