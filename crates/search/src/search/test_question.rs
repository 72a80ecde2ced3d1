//! Decides whether a question that contains the word "test" asks for tests.

use whichfn_text::{is_scaffold, is_stop_word};

/// Kinds of tests: the word before "test" does not make it the name of something else.
const KINDS: &[&str] = &[
    "unit",
    "integration",
    "regression",
    "functional",
    "acceptance",
    "e2e",
    "end",
    "existing",
    "failing",
    "all",
    "any",
    "no",
    "new",
    "async",
    "automated",
    "corresponding",
    "more",
    "for",
    "to",
    "from",
    "with",
    "run",
    "runs",
    "is",
];
/// Words after "test" that make it the tests for something.
const OBJECTS: &[&str] = &[
    "for",
    "of",
    "that",
    "which",
    "cover",
    "covers",
    "covering",
    "check",
    "checks",
    "checking",
    "exercise",
    "exercises",
    "exercising",
    "reach",
    "reaches",
    "case",
    "cases",
];
/// Words after "test" that make it a verb.
const VERB: &[&str] = &["if", "whether"];

/// Checks whether a question asks for tests: "which test ...", "tests for ...", "unit tests". The
/// word is part of a compound in "load test" and "A/B test", and a verb in "test whether".
pub(super) fn asks_for_tests(text: &str) -> bool {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let asks = |at: usize| {
        let next = words.get(at + 1).map_or("", String::as_str);
        let before = at.checked_sub(1).map_or("", |at| words[at].as_str());
        let is_free = before.is_empty() || is_stop_word(before) || is_scaffold(before) || KINDS.contains(&before);
        // A letter is part of a name: "A/B test", "t test".
        let is_free =
            is_free && (before.len() != 1 || before == "a" && at.checked_sub(2).is_none_or(|at| words[at].len() > 1));
        words[at] == "tested" || !VERB.contains(&next) && (is_free || OBJECTS.contains(&next))
    };
    (0..words.len()).filter(|&at| is_test_word(&words[at])).any(asks)
}

fn is_test_word(word: &str) -> bool {
    matches!(word, "test" | "tests" | "testing" | "tested")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_and_verbs_do_not_ask_for_tests() {
        for text in [
            "which test covers the session",
            "tests for the parser",
            "unit tests of the cookie jar",
            "where is login tested",
            "the tests",
            "parser tests that use a fixture",
        ] {
            assert!(asks_for_tests(text), "{text}");
        }
        for text in [
            "where is the load test started",
            "assign users to an A/B test",
            "which function tests whether a path is absolute",
            "compute the primality test",
        ] {
            assert!(!asks_for_tests(text), "{text}");
        }
    }
}
