//! Yes or no: which questions ask for it, and which names promise it.

use super::words::split_identifier;

/// A question says among so many words at its front that yes or no is asked for.
const FRONT_WORDS: usize = 5;
/// Words that say so.
const ASKING: &[&str] = &[
    "whether", "if", "is", "are", "can", "should", "does", "has", "check", "checks", "decide", "decides", "tell",
    "tells",
];
/// First words of names that answer so.
const ANSWERING: &[&str] =
    &["is", "has", "can", "should", "needs", "are", "was", "does", "allows", "supports", "contains", "must"];

/// Whether a question asks whether something is so.
pub fn asks_whether(question: &str) -> bool {
    let words = question.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(FRONT_WORDS).any(|word| ASKING.contains(&word.to_lowercase().as_str()))
}

/// Whether a name says that what bears it answers yes or no: `is_safe`, `hasPath`, `valid?`.
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
