//! Words of code that mean the opposite of each other: `open` and `close`.
//!
//! The list is data (`opposites.txt`) from general usage. It is read when the first question is asked.

use super::stem::Stemmer;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

const LIST: &str = include_str!("opposites.txt");

/// The stems that mean the opposite of this stem.
pub fn opposites(stem: &str) -> &'static [String] {
    static TABLE: OnceLock<FxHashMap<String, Vec<String>>> = OnceLock::new();
    TABLE.get_or_init(table).get(stem).map_or(&[], Vec::as_slice)
}

fn table() -> FxHashMap<String, Vec<String>> {
    let mut stemmer = Stemmer::default();
    let mut table: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for line in LIST.lines().filter(|line| !line.starts_with('#')) {
        let pair: Vec<String> = line.split_whitespace().map(|word| stemmer.stem(word).to_owned()).collect();
        if let [a, b] = &pair[..] {
            table.entry(a.clone()).or_default().push(b.clone());
            table.entry(b.clone()).or_default().push(a.clone());
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opposites_meet_both_ways() {
        assert!(opposites("open").iter().any(|stem| stem == "close") && opposites("close").iter().any(|s| s == "open"));
        assert!(opposites("cookie").is_empty());
    }

    #[test]
    fn each_line_is_a_pair_and_no_word_is_its_own_opposite() {
        for line in LIST.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split_whitespace().count(), 2, "{line}");
        }
        assert!(table().iter().all(|(stem, others)| !others.contains(stem)));
    }
}
