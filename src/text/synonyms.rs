//! Words that programmers use for one another: `directory` and `dir`, `remove` and `delete`.
//!
//! The list is data (`synonyms.txt`) from general usage. It is read when the first question is asked.

use super::stem::Stemmer;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

const LIST: &str = include_str!("synonyms.txt");

/// The stems that stand in a group with this stem, in order, without itself.
pub fn synonyms(stem: &str) -> &'static [String] {
    static TABLE: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    TABLE.get_or_init(table).get(stem).map_or(&[], Vec::as_slice)
}

fn table() -> FxHashMap<String, Vec<String>> {
    let mut stemmer = Stemmer::default();
    let mut table: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let mut group: Vec<String> = line.split_whitespace().map(|word| stemmer.stem(word).to_owned()).collect();
        group.dedup();
        for stem in &group {
            let others = table.entry(stem.clone()).or_default();
            for other in &group {
                if other != stem && !others.contains(other) {
                    others.push(other.clone());
                }
            }
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_forms_meet() {
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
