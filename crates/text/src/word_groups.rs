//! Words that programmers use interchangeably (`directory` and `dir`, `remove` and `delete`), and
//! words with opposite meanings (`open` and `close`).
//!
//! The words are in data files (`synonyms.txt`, `opposites.txt`), one group of related words per
//! line, and come from general usage. The files are parsed when the first question is read.

use super::stem::Stemmer;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

const SYNONYMS: &str = include_str!("synonyms.txt");
const OPPOSITES: &str = include_str!("opposites.txt");

/// Related stems, indexed by stem. The map is built on first use.
type WordGroups = LazyLock<FxHashMap<String, Vec<String>>>;

/// Returns the synonyms of a stem, as stems in the order of the list.
pub fn synonyms(stem: &str) -> &'static [String] {
    static GROUPS: WordGroups = LazyLock::new(|| read(SYNONYMS));
    related(&GROUPS, stem)
}

/// Returns the synonyms of a word, as stems in the order of the list.
///
/// A word that only shares its stem with a word of the list, as `identical` and `identity` or
/// `author` and `authorize` do, has no synonyms.
pub fn synonyms_of(word: &str, stem: &str) -> &'static [String] {
    static FORMS: LazyLock<FxHashMap<String, Vec<&'static str>>> = LazyLock::new(forms);
    let is_form = FORMS.get(stem).is_some_and(|listed| listed.iter().any(|listed| is_form_of(word, listed)));
    if is_form { synonyms(stem) } else { &[] }
}

/// Returns the words of the list of synonyms, indexed by stem.
fn forms() -> FxHashMap<String, Vec<&'static str>> {
    let mut stemmer = Stemmer::default();
    let mut forms: FxHashMap<String, Vec<&'static str>> = FxHashMap::default();
    for word in SYNONYMS.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace) {
        forms.entry(stemmer.stem(word).to_owned()).or_default().push(word);
    }
    forms
}

/// Checks whether a word with the same stem as a listed word is an inflection of it: all of its
/// letters, except perhaps the last one, begin the word.
fn is_form_of(word: &str, listed: &str) -> bool {
    let common = word.bytes().zip(listed.bytes()).take_while(|(a, b)| a == b).count();
    common + 1 >= listed.len()
}

/// Returns the stems with the opposite meaning of a stem.
pub fn opposites(stem: &str) -> &'static [String] {
    static GROUPS: WordGroups = LazyLock::new(|| read(OPPOSITES));
    related(&GROUPS, stem)
}

fn related(groups: &'static WordGroups, stem: &str) -> &'static [String] {
    groups.get(stem).map_or(&[], Vec::as_slice)
}

/// Parses a list of word groups into a map from each stem to the related stems. A line that starts
/// with `#` is a comment.
fn read(list: &str) -> FxHashMap<String, Vec<String>> {
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
    fn words_that_only_share_a_stem_are_not_synonyms() {
        let are_synonyms = |word: &str, other: &str| {
            let stem = Stemmer::default().stem(word).to_owned();
            synonyms_of(word, &stem).iter().any(|stem| stem == other)
        };
        assert!(
            are_synonyms("identities", "id") && are_synonyms("copies", "clone") && are_synonyms("generated", "gen")
        );
        for (word, other) in [("identical", "id"), ("author", "auth"), ("general", "gen"), ("positive", "po")] {
            assert!(!are_synonyms(word, other), "{word} {other}");
        }
    }

    #[test]
    fn every_synonym_group_has_at_least_two_words() {
        for line in SYNONYMS.lines().filter(|l| !l.starts_with('#')) {
            assert!(line.split_whitespace().count() > 1, "{line}");
        }
    }

    #[test]
    fn opposites_are_symmetric() {
        assert!(opposites("open").iter().any(|stem| stem == "close") && opposites("close").iter().any(|s| s == "open"));
        assert!(opposites("cookie").is_empty());
    }

    #[test]
    fn each_line_of_opposites_is_a_pair_of_different_words() {
        for line in OPPOSITES.lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split_whitespace().count(), 2, "{line}");
        }
        assert!(read(OPPOSITES).iter().all(|(stem, others)| !others.contains(stem) && !others.is_empty()));
    }
}
