//! Parses the choice in a model's reply. Replies have many formats: the decisive line is surrounded
//! by prose, Markdown or JSON. The last line with an action counts, because models think first and
//! decide last.

use serde_json::{Value, json};

/// The action that a reply requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WalkChoice {
    /// Go down to the entry with this 0-based index among the offered ones.
    Down(usize),
    /// Go back up.
    Up,
    /// Take the current leaf as the answer. Contains the model's answer, which may be empty.
    Commit(String),
}

/// Maximum number of characters of the thought before a choice. A small model may otherwise repeat
/// itself until the limit of the reply.
const THOUGHT_CHARS: usize = 300;

/// Returns the JSON Schema of a choice among `offered` entries.
pub(super) fn triage_schema(offered: usize) -> Value {
    let numbers = (1..=offered).map(|number| number.to_string());
    choice_schema("action", numbers.chain(["revert".to_owned()]).collect())
}

/// Returns the JSON Schema of a choice at a leaf that contains functions with these names.
pub(super) fn leaf_schema<'n>(names: impl Iterator<Item = &'n str>) -> Value {
    let mut choices: Vec<String> = names.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    choices.push("revert".to_owned());
    choices.sort();
    choices.dedup();
    choice_schema("answer", choices)
}

/// Returns the JSON Schema of a thought, followed by one of several choices.
fn choice_schema(name: &str, choices: Vec<String>) -> Value {
    json!({
        "type": "object",
        "properties": {
            "thought": {"type": "string", "maxLength": THOUGHT_CHARS},
            name: {"type": "string", "enum": choices}
        },
        "required": ["thought", name],
        "additionalProperties": false
    })
}

/// Parses a choice among `offered` entries. Returns `None` if the reply contains no valid choice.
pub(super) fn triage(reply: &str, offered: usize) -> Option<WalkChoice> {
    let parsed = ActionReply::read(reply);
    let action = parsed.action.or(Some(bare(reply)).filter(|text| !text.is_empty()))?;
    match number(&action) {
        _ if is_revert(&action) => Some(WalkChoice::Up),
        Some(number) => (1..=offered).contains(&number).then(|| WalkChoice::Down(number - 1)),
        None => None,
    }
}

/// Parses a choice at a leaf. Returns `None` if the reply contains no choice.
pub(super) fn leaf(reply: &str) -> Option<WalkChoice> {
    let parsed = ActionReply::read(reply);
    let action = parsed.action.as_deref();
    if action.is_some_and(is_revert) || is_revert(&bare(reply)) || parsed.answer.as_deref().is_some_and(is_revert) {
        return Some(WalkChoice::Up);
    }
    let commits = action.is_some_and(|action| ["commit", "answer", "-2"].contains(&action.to_lowercase().as_str()));
    match parsed.answer {
        Some(answer) if !answer.is_empty() => Some(WalkChoice::Commit(answer)),
        _ => commits.then(|| WalkChoice::Commit(String::new())),
    }
}

/// Last values of `Action:` and `Answer:` in a reply.
#[derive(Default)]
struct ActionReply {
    action: Option<String>,
    answer: Option<String>,
}

impl ActionReply {
    fn read(reply: &str) -> Self {
        if let Some(parsed) = Self::from_json(reply) {
            return parsed;
        }
        let mut parsed = Self::default();
        for line in reply.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let place = match bare(key).to_lowercase().as_str() {
                "action" => &mut parsed.action,
                "answer" => &mut parsed.answer,
                _ => continue,
            };
            *place = Some(bare(value));
        }
        parsed
    }

    /// Parses a JSON object with these two keys, which is the part of the reply from its first to
    /// its last brace.
    fn from_json(reply: &str) -> Option<Self> {
        let text = reply.get(reply.find('{')?..=reply.rfind('}')?)?;
        let object: Value = serde_json::from_str(text).ok()?;
        let value = |name: &str| match object.get(name)? {
            Value::String(text) => Some(bare(text)),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        };
        let parsed = Self { action: value("action"), answer: value("answer") };
        (parsed.action.is_some() || parsed.answer.is_some()).then_some(parsed)
    }
}

/// Strips Markdown and quotation marks from both ends of a string.
fn bare(text: &str) -> String {
    let marks = |c: char| c.is_whitespace() || "*_`\"'[]()#>.".contains(c);
    text.trim_matches(marks).to_owned()
}

fn is_revert(action: &str) -> bool {
    matches!(action.to_lowercase().as_str(), "revert" | "-1" | "back" | "up" | "none")
}

/// Parses the number in a string, which may contain other words: `3`, `entry 3`, `3 - the parser`.
/// Two numbers or a number with a sign are not a valid choice.
fn number(action: &str) -> Option<usize> {
    let mut numbers = action.split(|c: char| !c.is_ascii_digit() && c != '-').filter(|part| *part != "-");
    let mut next = || numbers.find(|part| !part.is_empty());
    let first = next()?.parse().ok()?;
    next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offered_number_descends() {
        for reply in [
            "Action: 2",
            "It parses dates.\n**Action:** 2",
            "action: [2]",
            "- Action: entry 2",
            "2",
            "Action: 2 - the parser",
            "{\"action\": 2}",
            "Sure:\n```json\n{\"action\": \"2\"}\n```",
            "Action: 1, no, wait\nAction: 2",
        ] {
            assert_eq!(triage(reply, 3), Some(WalkChoice::Down(1)), "{reply}");
        }
    }

    #[test]
    fn a_reply_that_follows_its_schema_is_a_choice() {
        assert_eq!(triage_schema(2)["properties"]["action"]["enum"], json!(["1", "2", "revert"]));
        assert_eq!(
            leaf_schema(["new", "", "new"].into_iter())["properties"]["answer"]["enum"],
            json!(["new", "revert"])
        );
        assert_eq!(triage(r#"{"thought": "It parses: 1.", "action": "2"}"#, 2), Some(WalkChoice::Down(1)));
        assert_eq!(leaf(r#"{"thought": "No.", "answer": "revert"}"#), Some(WalkChoice::Up));
    }

    #[test]
    fn recognizes_different_forms_of_revert() {
        for reply in ["Action: revert", "Action: -1", "{\"action\": -1}", "None fits.\nACTION: Revert.", "revert"] {
            assert_eq!(triage(reply, 3), Some(WalkChoice::Up), "{reply}");
            assert_eq!(leaf(reply), Some(WalkChoice::Up), "{reply}");
        }
        assert_eq!(leaf("Answer: none\nAction: revert"), Some(WalkChoice::Up), "the action decides");
    }

    #[test]
    fn rejects_a_choice_that_was_not_offered() {
        for reply in [
            "Action: 0",
            "Action: 4",
            "Action: 99999999999999999999999",
            "Action: -2",
            "Action: 1 or 2",
            "Action: 1-2",
            "",
            "?",
        ] {
            assert_eq!(triage(reply, 3), None, "{reply}");
        }
        assert_eq!(triage("Action: src/secret.py", 3), None, "a name is no number");
    }

    #[test]
    fn an_answer_ends_the_walk() {
        assert_eq!(leaf("It does.\nAnswer: `parse_date`"), Some(WalkChoice::Commit("parse_date".into())));
        assert_eq!(leaf("{\"answer\": \"parse_date\"}"), Some(WalkChoice::Commit("parse_date".into())));
        assert_eq!(leaf("Action: commit"), Some(WalkChoice::Commit(String::new())));
        assert_eq!(leaf("Perhaps."), None);
        assert_eq!(leaf("Answer:"), None);
    }
}
