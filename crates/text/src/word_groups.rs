//! Groups of related words, one group a line: the format of `synonyms.txt` and `opposites.txt`.

use super::stem::Stemmer;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The related stems of each stem, read on first use.
pub(super) type WordGroups = LazyLock<FxHashMap<String, Vec<String>>>;

/// Returns the other stems in the groups of this stem, in order.
pub(super) fn others(groups: &'static WordGroups, stem: &str) -> &'static [String] {
    groups.get(stem).map_or(&[], Vec::as_slice)
}

/// Parses a list into groups by stem. A line that starts with `#` is a comment.
pub(super) fn read(list: &str) -> FxHashMap<String, Vec<String>> {
    let mut stemmer = Stemmer::default();
    let mut table: FxHashMap<String, Vec<String>> = FxHashMap::default();
    for line in list.lines().filter(|line| !line.starts_with('#')) {
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
