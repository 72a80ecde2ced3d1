//! Detects yes-or-no questions and the names of functions that return true or false.

use super::words::split_identifier;

/// Maximum number of words at the start of a question that are checked.
const FRONT_WORDS: usize = 5;
/// Words that mark a yes-or-no question.
const ASKING: &[&str] = &[
    "whether", "if", "is", "are", "can", "should", "does", "has", "check", "checks", "decide", "decides", "tell",
    "tells",
];
/// First words of names that suggest a true-or-false result.
const ANSWERING: &[&str] =
    &["is", "has", "can", "should", "needs", "are", "was", "does", "allows", "supports", "contains", "must"];

/// Checks whether a question expects the answer yes or no.
pub fn is_yes_no_question(question: &str) -> bool {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(FRONT_WORDS).any(|word| ASKING.contains(&word.to_lowercase().as_str()))
}

/// Checks whether a name suggests a true-or-false result: `is_safe`, `hasPath`, `valid?`.
pub fn is_predicate_name(name: &str) -> bool {
    let first = split_identifier(name).into_iter().next();
    name.ends_with('?') || first.is_some_and(|first| ANSWERING.contains(&first.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_yes_no_questions_by_their_first_words() {
        assert!(
            is_yes_no_question("which function decides whether a target is safe")
                && is_yes_no_question("Is the queue empty?")
        );
        assert!(!is_yes_no_question("which function strips the trailing slash from a path if there is one"));
    }

    #[test]
    fn distinguishes_predicate_names_from_other_names() {
        assert!(is_predicate_name("is_safe") && is_predicate_name("hasPath") && is_predicate_name("valid?"));
        assert!(!is_predicate_name("issue") && !is_predicate_name("hash"));
    }
}
