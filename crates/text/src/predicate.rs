//! Detection of questions that expect yes or no, and of names that answer yes or no.

use super::words::split_identifier;

/// Number of words at the start of a question that are checked.
const FRONT_WORDS: usize = 5;
/// Words that mark a yes-or-no question.
const ASKING: &[&str] = &[
    "whether", "if", "is", "are", "can", "should", "does", "has", "check", "checks", "decide", "decides", "tell",
    "tells",
];
/// First words of names that answer yes or no.
const ANSWERING: &[&str] =
    &["is", "has", "can", "should", "needs", "are", "was", "does", "allows", "supports", "contains", "must"];

/// Checks whether a question expects yes or no.
pub fn asks_whether(question: &str) -> bool {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(FRONT_WORDS).any(|word| ASKING.contains(&word.to_lowercase().as_str()))
}

/// Checks whether a name suggests an answer of yes or no: `is_safe`, `hasPath`, `valid?`.
pub fn is_predicate_name(name: &str) -> bool {
    let first = split_identifier(name).into_iter().next();
    name.ends_with('?') || first.is_some_and(|first| ANSWERING.contains(&first.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_for_yes_or_no_says_so_at_its_front() {
        assert!(asks_whether("which function decides whether a target is safe") && asks_whether("Is the queue empty?"));
        assert!(!asks_whether("which function strips the trailing slash from a path if there is one"));
    }

    #[test]
    fn a_name_that_answers_is_told_from_one_that_does() {
        assert!(is_predicate_name("is_safe") && is_predicate_name("hasPath") && is_predicate_name("valid?"));
        assert!(!is_predicate_name("issue") && !is_predicate_name("hash"));
    }
}
