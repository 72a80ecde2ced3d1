//! Words of a question that code writes as one: `here-document` as `heredoc`, `TLS 1.2` as `tls12`,
//! and `file descriptor` as `fd`.
//!
//! Abbreviations are data (`abbreviations.txt`).

use super::word_groups::synonyms_of;
use super::words::word_ranges;
use std::sync::LazyLock;

/// Minimum number of letters of a short form, such as `doc` for `document`.
const MIN_SHORT: usize = 3;
/// Abbreviation of "identifier", which is appended to an initial, as in `gid` for "group id".
const ID: &str = "id";

/// A word that code may contain in place of several words of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedWord {
    /// First of the words that it replaces, in lower case.
    pub first: String,
    /// The joined word, in lower case.
    pub joined: String,
    /// True for an abbreviation, false for the same letters.
    pub is_abbreviation: bool,
}

/// Abbreviations with their words.
static ABBREVIATIONS: LazyLock<Vec<(&'static str, Vec<&'static str>)>> = LazyLock::new(|| {
    let lines = include_str!("abbreviations.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ').map(|(short, words)| (short, words.split(' ').collect()))).collect()
});

/// A word in lower case, and the text between it and the next word.
type Spelled<'t> = (String, &'t str);

/// Returns the words that code may contain in place of several consecutive words of a text.
pub fn joined_words(text: &str) -> Vec<JoinedWord> {
    let ranges: Vec<_> = word_ranges(text).collect();
    let after = |at: usize| &text[ranges[at].end..ranges.get(at + 1).map_or(text.len(), |next| next.start)];
    let words: Vec<Spelled<'_>> =
        ranges.iter().enumerate().map(|(at, range)| (text[range.clone()].to_lowercase(), after(at))).collect();
    let mut out = Vec::new();
    for at in 0..words.len() {
        let first = &words[at].0;
        let mut add = |joined: String, is_abbreviation| {
            out.push(JoinedWord { first: first.clone(), joined, is_abbreviation });
        };
        if let Some(version) = version(&words[at..]) {
            add(format!("{first}{version}"), false);
        }
        if let [(_, "-"), (second, _), ..] = &words[at..] {
            add(format!("{first}{second}"), false);
            short_forms(second).for_each(|short| add(format!("{first}{short}"), false));
        }
        if let [(_, " " | "-"), (second, _), ..] = &words[at..]
            && second == ID
        {
            first.chars().next().into_iter().for_each(|initial| add(format!("{initial}{ID}"), true));
        }
        let is_here = |full: &[&str]| {
            let separated = words[at..].iter().zip(full).all(|((word, _), full)| is_same(word, full));
            words.len() - at >= full.len() && separated
        };
        ABBREVIATIONS.iter().filter(|(_, full)| is_here(full)).for_each(|(short, _)| add((*short).to_owned(), true));
    }
    out
}

/// Checks whether a word is a given word or its plural.
fn is_same(word: &str, given: &str) -> bool {
    word.strip_suffix('s').unwrap_or(word) == given.strip_suffix('s').unwrap_or(given)
}

/// Returns the digits of a version number after a word: `12` for "TLS 1.2" and "TLSv1.2", `11` for
/// "HTTP/1.1".
fn version(words: &[Spelled<'_>]) -> Option<String> {
    let ((first, separator), rest) = words.split_first()?;
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    if is_number(first) || !matches!(*separator, " " | "/" | "-" | " v") {
        return None;
    }
    let mut digits = String::new();
    for (word, after) in rest {
        if !is_number(word) {
            break;
        }
        digits.push_str(word);
        if *after != "." {
            break;
        }
    }
    (!digits.is_empty()).then_some(digits)
}

/// Returns the synonyms that begin the word, such as `doc` for `document`.
fn short_forms(word: &str) -> impl Iterator<Item = &'static String> + '_ {
    let mut stemmer = super::Stemmer::default();
    let others = synonyms_of(word, stemmer.stem(word));
    others.iter().filter(move |other| other.len() >= MIN_SHORT && other.len() < word.len() && word.starts_with(*other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Vec<String> {
        joined_words(text).into_iter().map(|word| word.joined).collect()
    }

    #[test]
    fn joins_hyphenated_words_and_versions() {
        let heredoc = joined("reads a here-document");
        assert!(heredoc.contains(&"heredocument".to_owned()) && heredoc.contains(&"heredoc".to_owned()), "{heredoc:?}");
        assert_eq!(joined("disable TLS 1.2"), ["tls12"]);
        assert_eq!(joined("an HTTP/1.1 server"), ["http11"]);
        assert_eq!(joined("a server that waits"), [""; 0]);
    }

    #[test]
    fn abbreviates_consecutive_words() {
        assert_eq!(joined("close file descriptors"), ["fd"]);
        assert_eq!(joined("set the group id"), ["gid"]);
        let first = joined_words("set the time to live").remove(0);
        assert_eq!((&*first.first, &*first.joined, first.is_abbreviation), ("time", "ttl", true));
    }
}
