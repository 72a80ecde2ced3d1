//! Detects redundant strings, which share nearly all of their words with another string.
//!
//! - **Cost:** a string is compared only with the strings that share one of its rarest words. If
//!   two strings have a share of [`SAME`] in common, some word is among the rarest words of both
//!   (prefix filtering, Chaudhuri et al. 2006), so no pair is missed.
//! - **Alternatives:** comparing all pairs, which are 5,000,000,000 for 100,000 entries.

use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Minimum share of common words, among all words of two strings, at which one of the strings is
/// redundant.
const SAME: f64 = 0.8;
/// Minimum number of words in a redundant string, because two short strings may be similar and mean
/// different things.
const ENOUGH: usize = 5;

/// Returns the distinct words in a string, in lower case.
pub(super) fn words(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Checks, for each string, whether it repeats a string that precedes it in `order`, a permutation
/// of the strings.
pub(super) fn redundant(texts: &[BTreeSet<String>], order: &[usize]) -> Vec<bool> {
    let numbered = by_rarity(texts);
    let mut kept: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    let mut redundant = vec![false; texts.len()];
    for &text in order {
        let words = &numbered[text];
        if words.len() < ENOUGH {
            continue;
        }
        let rarest = &words[..words.len() + 1 - (SAME * words.len() as f64).ceil() as usize];
        let mut others = rarest.iter().filter_map(|word| kept.get(word)).flatten();
        if others.any(|&other| share(words, &numbered[other]) >= SAME) {
            redundant[text] = true;
        } else {
            rarest.iter().for_each(|word| kept.entry(*word).or_default().push(text));
        }
    }
    redundant
}

/// Numbers the words by rarity. Returns the sorted numbers of each string, rarest first.
fn by_rarity(texts: &[BTreeSet<String>]) -> Vec<Vec<u32>> {
    let mut counts: FxHashMap<&str, usize> = FxHashMap::default();
    texts.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
    let mut ranked: Vec<(usize, &str)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
    ranked.sort_unstable();
    let numbers: FxHashMap<&str, u32> = ranked.iter().zip(0..).map(|((_, word), number)| (*word, number)).collect();
    let numbered = texts.iter().map(|words| {
        let mut numbers: Vec<u32> = words.iter().filter_map(|word| numbers.get(word.as_str()).copied()).collect();
        numbers.sort_unstable();
        numbers
    });
    numbered.collect()
}

/// Returns the Jaccard similarity of two sorted lists.
fn share(a: &[u32], b: &[u32]) -> f64 {
    let common = a.iter().filter(|number| b.binary_search(number).is_ok()).count();
    common as f64 / (a.len() + b.len() - common).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_same_words_in_another_order_are_redundant() {
        let texts = ["renews the session of a user", "of a user, renews the Session", "deletes the session of a user"];
        let texts: Vec<_> = texts.map(words).into();
        assert_eq!(redundant(&texts, &[0, 1, 2]), [false, true, false]);
        assert_eq!(redundant(&texts, &[2, 1, 0]), [true, false, false]);
    }

    #[test]
    fn short_texts_are_never_redundant() {
        assert_eq!(redundant(&[words("a b"), words("a b")], &[0, 1]), [false, false]);
    }

    proptest! {
        #[test]
        fn agrees_with_comparing_all_pairs(texts in prop::collection::vec(prop::collection::btree_set("[a-k]", 0..11), 0..30)) {
            let order: Vec<usize> = (0..texts.len()).collect();
            let mut slow: Vec<bool> = Vec::new();
            for text in &texts {
                let same = |other: &BTreeSet<String>| {
                    text.intersection(other).count() as f64 / text.union(other).count().max(1) as f64 >= SAME
                };
                let repeats = text.len() >= ENOUGH
                    && texts.iter().zip(&slow).any(|(other, is_redundant)| !is_redundant && other.len() >= ENOUGH && same(other));
                slow.push(repeats);
            }
            prop_assert_eq!(redundant(&texts, &order), slow);
        }
    }
}
