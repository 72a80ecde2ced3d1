//! Replaces the British ending `-ise` by `-ize` before a word is stemmed, so that "unrecognised"
//! finds `unrecognized`. The stemmer reduces only `-ize`.

use crate::word_list;
use std::borrow::Cow;
use std::sync::LazyLock;

/// Forms of the ending.
const FORMS: &[&str] = &["e", "ed", "es", "er", "ers", "ing", "able", "ation", "ations"];

/// Ends of words in which `-ise` belongs to the root: `otherwise`, `promise`.
static ROOTS: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("ise_roots.txt")));

/// Minimum length of a word up to the ending. Shorter words are `rise`, `noise`, `basis`.
const SHORTEST: usize = "real".len();

/// Returns a lower-case ASCII word with `-ize` in place of `-ise`, in all forms of the ending.
pub(crate) fn with_ize(word: &str) -> Cow<'_, str> {
    let before = |form: &&str| word.strip_suffix(*form).filter(|root| root.ends_with("is"));
    let Some(root) = FORMS.iter().find_map(before) else { return word.into() };
    let stem = root.len() - "is".len();
    if stem < SHORTEST || ROOTS.iter().any(|end| root.ends_with(end)) {
        return word.into();
    }
    format!("{}iz{}", &word[..stem], &word[root.len()..]).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_the_british_ending_become_american() {
        for (british, american) in [
            ("recognise", "recognize"),
            ("unrecognised", "unrecognized"),
            ("tokeniser", "tokenizer"),
            ("synchronising", "synchronizing"),
            ("serialisation", "serialization"),
            ("realises", "realizes"),
        ] {
            assert_eq!(with_ize(british), american);
        }
    }

    #[test]
    fn words_with_ise_in_the_root_are_unchanged() {
        for word in [
            "otherwise",
            "promise",
            "raised",
            "noise",
            "precise",
            "supervised",
            "exercises",
            "enterprise",
            "advertise",
            "arise",
            "user",
            "advisable",
            "elementwise",
            "surprising",
            "size",
            "is",
            "analysis",
        ] {
            assert_eq!(with_ize(word), word);
        }
    }
}
