//! Words in a question that carry no information about code.
//!
//! The list is small on purpose. `is`, `not`, `from`, `to`, `with`, `all`, `any`, `new`, `next`,
//! `for` and `if` occur in the names of functions (`is_changed`, `from_str`, `to_json`) and are
//! kept. BM25 already gives frequent words little weight.

/// Articles and similar words that do not occur in the names of functions.
const STOP: &[&str] = &[
    "a", "an", "the", "of", "and", "or", "in", "on", "at", "by", "as", "that", "this", "these", "those", "it", "its",
    "be", "been", "being", "are", "was", "were", "am", "will", "would", "should", "could", "can", "may", "might",
    "must", "shall", "i", "we", "you", "they", "he", "she", "me", "my", "our", "your", "their", "them", "there",
    "here", "so", "such", "than", "then", "too", "very", "just", "also", "but", "which", "what", "who", "whom",
    "whose", "how", "why", "where", "when", "do", "does", "did", "done", "has", "have", "had", "into", "about", "e",
    "g", "eg", "ie", "etc", "some", "one",
];

/// Words that people use to phrase a question about code: "which *function* ...", "*find* the
/// *method* that ...". They are dropped only at the start of a question: "parse a function
/// signature" is about functions.
const SCAFFOLD: &[&str] = &[
    "function",
    "functions",
    "method",
    "methods",
    "code",
    "class",
    "routine",
    "procedure",
    "helper",
    "find",
    "show",
    "locate",
    "give",
    "tell",
    "please",
    "look",
    "search",
    "need",
    "want",
    "is",
    "responsible",
    "for",
    "to",
    "used",
    "implemented",
    "implementation",
    "defined",
    "definition",
    "located",
    "place",
    "part",
    "piece",
    "repository",
    "repo",
    "codebase",
    "project",
    "file",
];

/// First words of a question.
const ASKING: &[&str] = &["which", "what", "where", "how", "who", "when", "why", "whose"];

/// Verbs that people use to phrase a question: "where is it *decided* how", "what *makes* *sure*
/// that", "where would I *change*". A function can be about such a verb, so these verbs count, but
/// less than the words after them.
const FRAMING: &[&str] = &[
    "decide",
    "decides",
    "decided",
    "determine",
    "determines",
    "determined",
    "worked",
    "works",
    "makes",
    "make",
    "sure",
    "ensures",
    "happens",
    "happen",
    "handled",
    "handles",
    "change",
    "done",
    "computed",
    "come",
    "comes",
    "stops",
    "get",
];

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
