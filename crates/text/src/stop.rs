//! Words in a question that carry no information about code.
//!
//! The list is small on purpose. `is`, `not`, `from`, `to`, `with`, `all`, `any`, `new`, `next`,
//! `for` and `if` occur in the names of functions (`is_changed`, `from_str`, `to_json`) and are
//! kept. BM25 already gives frequent words little weight.

use std::sync::LazyLock;

/// Returns the words of a list that is kept as a text file.
pub fn word_list(text: &'static str) -> Vec<&'static str> {
    text.split_whitespace().collect()
}

/// Articles and similar words that do not occur in the names of functions.
static STOP: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("stop_words.txt")));

/// Words that people use to phrase a question about code: "which *function* ...", "*find* the
/// *method* that ...". They are dropped only at the start of a question: "parse a function
/// signature" is about functions.
static SCAFFOLD: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("scaffold_words.txt")));

/// First words of a question.
const ASKING: &[&str] = &["which", "what", "where", "how", "who", "when", "why", "whose"];

/// Verbs that people use to phrase a question: "where is it *decided* how", "what *makes* *sure*
/// that", "where would I *change*". A function can be about such a verb, so these verbs count, but
/// less than the words after them.
static FRAMING: LazyLock<Vec<&str>> = LazyLock::new(|| word_list(include_str!("framing_verbs.txt")));

/// Words that occur in every method. They do not distinguish definitions and are not indexed.
pub(super) const NOISE: [&str; 3] = ["self", "this", "cls"];

/// Checks whether a string begins with a question word.
pub fn is_question(text: &str) -> bool {
    let first = text.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    first.is_some_and(|word| ASKING.contains(&word.to_lowercase().as_str()))
}

/// Checks whether a lower-case word is a verb that people use to phrase a question.
pub fn is_framing_verb(word: &str) -> bool {
    FRAMING.contains(&word)
}

/// Checks whether a lower-case word is one that occurs in every method.
pub fn is_noise(word: &str) -> bool {
    NOISE.contains(&word)
}

/// Checks whether a lower-case word carries no meaning in a question about code.
pub fn is_stop_word(word: &str) -> bool {
    STOP.contains(&word)
}

/// Checks whether a lower-case word carries no meaning at the start of a question.
pub fn is_scaffold(word: &str) -> bool {
    SCAFFOLD.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_name_functions_are_not_stop_words() {
        for word in ["is", "not", "from", "to", "with", "all", "next", "new", "if", "for"] {
            assert!(!is_stop_word(word), "{word}");
        }
    }
}
