//! Decides whether a question asks for a type: a class, struct, trait, interface or enum.

use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// The words of `type_questions.txt`, each with its role in front of it.
static WORDS: LazyLock<FxHashSet<String>> = LazyLock::new(|| {
    let lines = include_str!("type_questions.txt").lines().filter(|line| !line.starts_with('#'));
    let with_role = |line: &str| -> Vec<String> {
        let (role, words) = line.split_once(' ').unwrap_or((line, ""));
        match role {
            "always" | "never" => vec![line.to_owned()],
            _ => words.split(' ').map(|word| format!("{role} {word}")).collect(),
        }
    };
    lines.flat_map(with_role).collect()
});

/// Checks whether a question asks for a type: "class that ...", "which struct ...", "type for ...".
///
/// "which class constructor ..." and "interface with the kernel" do not.
pub(super) fn asks_for_type(text: &str) -> bool {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let has = |role: &str, at: usize| words.get(at).is_some_and(|word| WORDS.contains(&format!("{role} {word}")));
    let is_noun = |at: usize| has("noun", at) || has("vague", at);
    let front = (0..words.len()).take_while(|&at| has("front", at)).count();
    let noun = front + (front..words.len()).take_while(|&at| has("kind", at)).count();
    let (true, Some(next)) = (is_noun(noun), words.get(noun + 1)) else { return false };
    let pair = |role: &str| WORDS.contains(&format!("{role} {} {next}", words[noun]));
    let follows_which = front > 0 && matches!(words[front - 1].as_str(), "which" | "what");
    let is_subject = has("next", noun + 1) || follows_which && has("noun", noun) && !has("part", noun + 1);
    pair("always") || is_subject && !pair("never")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_questions_about_types() {
        for text in [
            "class that stores sessions",
            "which struct holds the settings?",
            "Where is the abstract base class for handlers",
            "which class parses a header",
            "type for a point on the screen",
            "enum of the ways to sort",
            "what type represents a row",
            "which input type holds the options of a search",
        ] {
            assert!(asks_for_type(text), "{text}");
        }
    }

    #[test]
    fn other_questions_mention_types() {
        for text in [
            "which function finds the class for a name",
            "which class constructor opens the file",
            "what type does the parser return",
            "type check the arguments",
            "what type of token is next",
            "what input type does the parser accept",
            "interface with the kernel",
            "content type for an extension",
            "class",
            "",
        ] {
            assert!(!asks_for_type(text), "{text}");
        }
    }
}
