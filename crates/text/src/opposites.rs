//! Words in code with opposite meanings: `open` and `close`.
//!
//! The list is data (`opposites.txt`) from general usage. It is read for the first question.

use super::word_groups::{self, WordGroups};
use std::sync::LazyLock;

const LIST: &str = include_str!("opposites.txt");

/// Returns the stems that mean the opposite of this stem.
pub fn opposites(stem: &str) -> &'static [String] {
    static GROUPS: WordGroups = LazyLock::new(|| word_groups::read(LIST));
    word_groups::others(&GROUPS, stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_are_symmetric() {
        assert!(opposites("open").iter().any(|stem| stem == "close") && opposites("close").iter().any(|s| s == "open"));
        assert!(opposites("cookie").is_empty());
    }

    #[test]
    fn each_line_is_a_pair_of_different_words() {
        for line in LIST.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split_whitespace().count(), 2, "{line}");
        }
        assert!(word_groups::read(LIST).iter().all(|(stem, others)| !others.contains(stem) && !others.is_empty()));
    }
}
