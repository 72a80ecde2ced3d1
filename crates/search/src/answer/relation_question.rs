//! Recognizes questions that the graph answers: "who calls NAME", "which types implement NAME",
//! "which tests cover NAME".
//!
//! The forms of the questions are data (`relation_questions.txt`).

use std::sync::LazyLock;

/// Words before a question that do not change it.
const FRONT: &[&str] =
    &["please", "show", "me", "list", "find", "give", "all", "the", "a", "an", "tell", "and", "of", "get", "any"];
/// Words after a name that give the kind of the definition.
const KINDS: &[&str] = &[
    "trait",
    "interface",
    "class",
    "function",
    "method",
    "struct",
    "type",
    "enum",
    "module",
    "macro",
    "protocol",
    "constant",
    "field",
    "directly",
    "here",
];

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedRelation {
    /// Definitions that call the named one.
    Callers,
    /// Definitions that the named one calls.
    Callees,
    /// Definitions that use the named one in any way.
    Uses,
    /// Types that implement or extend the named type, or methods that override the named method.
    Implementations,
    /// Types that the named type implements or extends, or methods that the named method overrides.
    Bases,
    /// Tests that reach the named definition.
    Tests,
}

impl AskedRelation {
    const ALL: [Self; 6] = [Self::Callers, Self::Callees, Self::Uses, Self::Implementations, Self::Bases, Self::Tests];

    /// Returns the name shown to people and written to JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Callers => "callers",
            Self::Callees => "callees",
            Self::Uses => "uses",
            Self::Implementations => "implementations",
            Self::Bases => "bases",
            Self::Tests => "tests",
        }
    }

    /// Returns the command that shows the same relation in detail.
    pub fn command(self) -> &'static str {
        match self {
            Self::Uses => "references",
            Self::Bases => "implementations --up",
            _ => self.name(),
        }
    }
}

/// A question about the graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationQuestion {
    /// What is asked for.
    pub relation: AskedRelation,
    /// Name as typed, without quotation marks.
    pub name: String,
}

/// A form of question: what it asks for, and the alternatives for each word, or `NAME`.
type Form = (AskedRelation, Vec<Vec<&'static str>>);

static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let lines = include_str!("relation_questions.txt").lines().filter(|line| !line.starts_with('#'));
    let form = |line: &'static str| {
        let (relation, words) = line.split_once(' ')?;
        let relation = AskedRelation::ALL.into_iter().find(|one| one.name() == relation)?;
        let alternatives = |word: &'static str| word.trim_matches(['(', ')']).split('|').collect();
        Some((relation, words.split(' ').map(alternatives).collect()))
    };
    lines.filter_map(form).collect()
});

impl RelationQuestion {
    /// Parses a question. Returns `None` if it has a different form.
    pub fn read(text: &str) -> Option<Self> {
        let words: Vec<&str> =
            text.split_whitespace().map(|word| word.trim_end_matches(['?', '.', ',', '!'])).collect();
        let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let front = lower.iter().take_while(|word| FRONT.contains(&word.as_str())).count();
        FORMS.iter().find_map(|(relation, form)| {
            let name = matched_name(&words[front..], &lower[front..], form)?;
            Some(Self { relation: *relation, name: name.trim_matches(['`', '"', '\'']).to_owned() })
        })
    }

    /// Checks whether the name is written like one in code, and not like a word of a sentence.
    pub fn is_code_name(&self) -> bool {
        let inside = self.name.get(1..).unwrap_or_default();
        self.name.contains(['_', '.', ':', '(', '#'])
            || self.name.contains(|c: char| c.is_uppercase())
            || inside.contains(|c: char| c.is_ascii_digit())
    }
}

/// Returns the name in a question of the given form.
fn matched_name<'t>(words: &[&'t str], lower: &[String], form: &[Vec<&str>]) -> Option<&'t str> {
    let (mut at, mut name) = (0, None);
    for alternatives in form {
        if *alternatives == ["NAME"] {
            at += lower[at.min(lower.len())..]
                .iter()
                .take_while(|word| matches!(word.as_str(), "the" | "a" | "an"))
                .count();
            // "the trait NAME" and "the NAME trait".
            if lower.get(at).is_some_and(|word| KINDS.contains(&word.as_str())) && words.len() > at + 1 {
                at += 1;
            }
            name = Some(*words.get(at)?);
            at += 1;
            at += usize::from(lower.get(at).is_some_and(|word| KINDS.contains(&word.as_str())));
        } else {
            alternatives.contains(&lower.get(at)?.as_str()).then_some(())?;
            at += 1;
        }
    }
    name.filter(|name| at == words.len() && !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_questions_about_the_graph() {
        for (text, relation, name) in [
            ("who calls Session.renew?", AskedRelation::Callers, "Session.renew"),
            ("which functions call `parse_date`", AskedRelation::Callers, "parse_date"),
            ("Where is renew called from?", AskedRelation::Callers, "renew"),
            ("what does renew call", AskedRelation::Callees, "renew"),
            ("where is MAX_RETRIES used", AskedRelation::Uses, "MAX_RETRIES"),
            ("which types implement the Store trait?", AskedRelation::Implementations, "Store"),
            ("list all subclasses of Widget", AskedRelation::Implementations, "Widget"),
            ("which interfaces does Session implement", AskedRelation::Bases, "Session"),
            ("which tests cover the function parse_date", AskedRelation::Tests, "parse_date"),
            ("tests for Session", AskedRelation::Tests, "Session"),
        ] {
            let expected = RelationQuestion { relation, name: name.to_owned() };
            assert_eq!(RelationQuestion::read(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn other_questions_are_left_to_the_search() {
        for text in ["which function calls the server back", "which tests cover expired sessions", "renew a session"] {
            assert_eq!(RelationQuestion::read(text), None, "{text}");
        }
    }
}
