//! Words that belong together, a group a line: the form of `synonyms.txt` and `opposites.txt`.

use super::stem::Stemmer;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A list of groups, read when it is first asked.
pub(super) type WordGroups = LazyLock<FxHashMap<String, Vec<String>>>;

/// The stems that stand in a group with this stem, in order, without itself.
pub(super) fn others(groups: &'static WordGroups, stem: &str) -> &'static [String] {
    groups.get(stem).map_or(&[], Vec::as_slice)
}

/// The groups of a list, by stem; a line that begins with `#` is a comment.
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
