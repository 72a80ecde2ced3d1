//! Recognizes questions that ask for documentation or a setting instead of a function.
//!
//! The forms of these questions are data (`docs_questions.txt`). They are precise: an ordinary question
//! about a function matches none of them, even if it mentions a setting.

use std::sync::LazyLock;

/// Maximum number of words of a question that are compared. Longer texts are not questions.
const MOST_WORDS: usize = 40;

/// A word or gap of a form.
#[derive(Debug)]
enum Part {
    Start,
    End,
    /// At most one word.
    AnyWord,
    /// Any number of words.
    AnyWords,
    /// One of these sequences of words, which may be missing if the flag is set.
    One(Vec<Vec<&'static str>>, bool),
}

static FORMS: LazyLock<Vec<Vec<Part>>> = LazyLock::new(|| {
    let lines = include_str!("docs_questions.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(form).collect()
});

/// Checks whether a question asks for documentation or a setting.
pub fn asks_for_docs(question: &str) -> bool {
    let text = question.to_lowercase();
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(MOST_WORDS + 1).collect();
    let is_question = words.len() <= MOST_WORDS && !question.contains('\n');
    is_question && FORMS.iter().any(|parts| (0..words.len()).any(|at| matches(parts, &words, at)))
}

/// Parses a line of the table.
fn form(mut rest: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    loop {
        rest = rest.trim_start();
        let close = match rest.chars().next() {
            None => return parts,
            Some('(') => ')',
            Some('[') => ']',
            Some(_) => ' ',
        };
        let (text, after) = rest.split_once(close).unwrap_or((rest, ""));
        let words = text.trim_start_matches(['(', '[']);
        parts.push(match text {
            "^" => Part::Start,
            "$" => Part::End,
            "*" => Part::AnyWords,
            "[_" | "_" => Part::AnyWord,
            _ => Part::One(words.split('|').map(|one| one.split_whitespace().collect()).collect(), close == ']'),
        });
        rest = after;
    }
}

/// Checks whether the words from `at` on match the parts.
///
/// **Cost:** each gap tries each position, and a form has at most one `*`.
fn matches(parts: &[Part], words: &[&str], at: usize) -> bool {
    let Some((first, rest)) = parts.split_first() else { return true };
    let after = |length: usize| at + length <= words.len() && matches(rest, words, at + length);
    match first {
        Part::Start => at == 0 && after(0),
        Part::End => at == words.len(),
        Part::AnyWord => after(0) || after(1),
        Part::AnyWords => (0..=words.len() - at.min(words.len())).any(after),
        Part::One(choices, is_optional) => {
            let is_here = |choice: &Vec<&str>| words.get(at..).is_some_and(|words| words.starts_with(choice));
            (*is_optional && after(0)) || choices.iter().any(|choice| is_here(choice) && after(choice.len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_documentation_or_a_setting_is_recognized() {
        for question in [
            "how do I register a custom validator (docs)",
            "where is the retry policy documented?",
            "What does the token mean, according to the documentation?",
            "how do I configure logging",
            "how to set up a development environment",
            "which setting limits the upload size",
            "what is the config key for the cache",
            "Which environment variable sets the port?",
            "environment variable for the log level",
            "is there a setting to disable colors",
            "which CI job runs the linters",
            "which make target builds the documentation",
        ] {
            assert!(asks_for_docs(question), "{question}");
        }
    }

    #[test]
    fn an_ordinary_question_is_not() {
        for question in [
            "which function reads the environment variable for the port",
            "parse a setting from the configuration file",
            "where are documentation comments attached to functions",
            "what happens when a setting is missing",
            "who writes the changelog entries to disk",
            "how is the configuration merged with the defaults",
            "what type of error is raised for a bad token",
            "how do retries work",
            "validate the settings of a user",
            "",
        ] {
            assert!(!asks_for_docs(question), "{question}");
        }
    }
}
