//! Extracts the revisions from a model's reply.
//!
//! - **Implements:** PRISM requests revisions as JSON objects with `path`, `operation` and `value`.
//! - **Differs from the paper:** objects are accepted anywhere in the reply: in prose, in one or
//!   more fenced sections, in a list, one per line, or below a name (`{"revisions": [...]}`). Every
//!   rejected part is counted with its reason. A reply may also contain [`Remarks`] for the rest of
//!   the reading.
//! - **Cost:** one pass for a reply that can be parsed; parsing a hostile reply stops after
//!   [`MAX_REREADS`] times its length.

use super::loose::{LooseParser, ParseError};
use super::path::Path;
use super::remarks::Remarks;
use super::revision::{Operation, Rejection, RejectionReason, Revision};
use super::value::{Map, Value};
use whichfn_text::one_line;

/// Maximum number of times that the bytes of a reply are read. An object may fail late and contain
/// other objects that do not fail, so bytes may be read repeatedly.
const MAX_REREADS: usize = 8;
/// Maximum number of characters of unparsed text in a message.
const SHOWN: usize = 80;

/// Revisions in a reply, before validation against a schema.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ParsedReply {
    /// Revisions, in order. They are not validated against the schema yet.
    pub revisions: Vec<Revision>,
    /// Parts that look like a revision but cannot be parsed. If several nested objects fail, only
    /// one of them is reported.
    pub rejected: Vec<Rejection>,
    /// Remarks in the reply.
    pub remarks: Remarks,
    /// Number of fenced sections (three backquotes), including unclosed ones.
    pub sections: usize,
}

/// Parses a reply. Never fails: a reply without objects has no revisions.
pub fn parse_reply(text: &str) -> ParsedReply {
    let mut parsed = ParsedReply::default();
    let (mut at, mut failed_to, mut fences) = (0, 0, 0);
    let mut bytes_left = text.len().saturating_mul(MAX_REREADS);
    while let Some(offset) = text[at..].find('{') {
        fences += text[at..at + offset].matches("```").count();
        let start = at + offset;
        let mut loose = LooseParser::new(text, start);
        let read = loose.object();
        let Some(left) = bytes_left.checked_sub(loose.at - start) else {
            parsed.rejected.push(Rejection::new(
                shown(&text[start..]),
                RejectionReason::Unread,
                "the rest of the reply cannot be parsed",
            ));
            return parsed;
        };
        bytes_left = left;
        match read {
            Ok(map) => {
                at = loose.at;
                parsed.take(map, &text[start..at]);
            }
            Err(failure) => {
                let is_object = loose.names > 0 || failure == ParseError::CutOff;
                if start >= failed_to && !is_revision(&loose.unfinished) {
                    // A model that repeats itself in a list named its best keys first.
                    parsed.remarks.take(&mut loose.unfinished);
                }
                if is_object && start >= failed_to {
                    parsed.rejected.push(rejection(failure, &text[start..]));
                }
                at = start + 1;
                failed_to = failed_to.max(loose.at);
            }
        }
    }
    fences += text[at..].matches("```").count();
    parsed.sections = fences.div_ceil(2);
    parsed
}

/// Returns the first complete object in a reply, such as a whole memory that a model rewrote.
pub fn parse_object(text: &str) -> Option<Value> {
    let start = text.find('{')?;
    LooseParser::new(text, start).object().ok().map(Value::Map)
}

fn rejection(failure: ParseError, text: &str) -> Rejection {
    match failure {
        ParseError::CutOff => Rejection::new(shown(text), RejectionReason::CutOff, "the reply ends inside it"),
        ParseError::Unread(message) => Rejection::new(shown(text), RejectionReason::Unread, message),
    }
}

/// Returns the beginning of a string, on one line.
fn shown(text: &str) -> String {
    let start: String = text.chars().take(SHOWN).collect();
    one_line(&start)
}

impl ParsedReply {
    /// Records an object that is a revision, or the revisions inside the object.
    fn take(&mut self, mut map: Map, text: &str) {
        if !is_revision(&map) {
            self.remarks.take(&mut map);
            let remarks = self.remarks.clone();
            let is_empty = |value: &Value| value.as_list().is_some_and(<[Value]>::is_empty);
            // A reply that must match a schema uses `{"revisions": []}` if it has no revision.
            if map.values().all(is_empty) || map.get("revisions").is_some_and(is_empty) {
                return;
            }
            let before = self.revisions.len() + self.rejected.len();
            for (_, value) in map {
                self.take_inner(value, text);
            }
            if self.revisions.len() + self.rejected.len() == before && self.remarks == remarks {
                self.rejected.push(Rejection::new(shown(text), RejectionReason::Unread, "the object has no path"));
            }
            return;
        }
        match revision(map) {
            Ok(revision) => self.revisions.push(revision),
            Err((what, reason, message)) => {
                let what = what.unwrap_or_else(|| shown(text));
                self.rejected.push(Rejection::new(what, reason, message));
            }
        }
    }

    fn take_inner(&mut self, value: Value, text: &str) {
        match value {
            Value::Map(inner) if is_revision(&inner) => self.take(inner, text),
            Value::Map(mut inner) => {
                self.remarks.take(&mut inner);
                inner.into_iter().for_each(|(_, value)| self.take_inner(value, text));
            }
            Value::List(list) => list.into_iter().for_each(|value| self.take_inner(value, text)),
            _ => {}
        }
    }
}

fn is_revision(map: &Map) -> bool {
    find(map, &["path"]).is_some() || (find(map, OPERATIONS).is_some() && find(map, &["value"]).is_some())
}

const OPERATIONS: &[&str] = &["operation", "action", "op", "type"];

/// Returns the value of the first of the given names that exists, ignoring case.
fn find<'a>(map: &'a Map, names: &[&str]) -> Option<&'a Value> {
    let find =
        |name: &&str| map.get(*name).or_else(|| Some(map.iter().find(|(key, _)| key.eq_ignore_ascii_case(name))?.1));
    names.iter().find_map(find)
}

/// Path of an invalid revision as text, if known, and the reason why the object is not a revision.
type InvalidRevision = (Option<String>, RejectionReason, String);

fn revision(map: Map) -> Result<Revision, InvalidRevision> {
    let path = match find(&map, &["path"]) {
        Some(Value::Str(text)) => {
            Path::parse(text).map_err(|message| (Some(shown(text)), RejectionReason::Place, message))?
        }
        Some(Value::List(parts)) => listed(parts).ok_or((
            None,
            RejectionReason::Place,
            "the parts of a path must be names or numbers".into(),
        ))?,
        _ => return Err((None, RejectionReason::Place, "the path is missing".into())),
    };
    let named = |reason, message: String| (Some(path.to_string()), reason, message);
    let operation = match find(&map, OPERATIONS) {
        None => Operation::Add,
        Some(word) => operation(word)
            .ok_or_else(|| named(RejectionReason::Unread, format!("the operation {word} is neither add nor update")))?,
    };
    match find(&map, &["value"]) {
        Some(value) => Ok(Revision { value: value.clone(), path, operation }),
        None => Err(named(RejectionReason::Unread, "the value is missing".into())),
    }
}

fn operation(word: &Value) -> Option<Operation> {
    match word.as_str()?.trim().to_ascii_lowercase().as_str() {
        "add" | "insert" | "append" | "create" => Some(Operation::Add),
        "update" | "replace" | "modify" | "set" => Some(Operation::Update),
        _ => None,
    }
}

/// Converts a list of parts to a path, such as `["matches", "renew"]`.
fn listed(parts: &[Value]) -> Option<Path> {
    parts.iter().try_fold(Path::default(), |path, part| match part {
        Value::Str(key) => Some(path.key(key.as_str())),
        Value::Int(index) => Some(path.index(usize::try_from(*index).ok()?)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<String> {
        let parsed = parse_reply(text);
        parsed.revisions.iter().map(|r| format!("{:?} {} {}", r.operation, r.path, r.value)).collect()
    }

    fn reasons(text: &str) -> Vec<RejectionReason> {
        parse_reply(text).rejected.iter().map(|r| r.reason).collect()
    }

    const ADD: &str = "Add $.matches.a 0.5";
    const UPDATE: &str = "Update $.matches.b 1";

    #[test]
    fn parses_revisions_in_any_container() {
        let (one, two) = (
            r#"{"path": "$.matches.a", "operation": "add", "value": 0.5}"#,
            r#"{"path": "$.matches.b", "operation": "update", "value": 1}"#,
        );
        assert_eq!(paths(one), [ADD]);
        for text in [
            format!("[{one}, {two}]"),
            format!("{one}\n{two}"),
            format!("{{\"reason\": \"x\", \"revisions\": [{one}, {two}]}}"),
            format!("{{\"first\": {one}, \"second\": {{\"deeper\": {two}}}}}"),
            format!("I'd say {{so}}:\n```json\n{one}\n```\nand\n```\n{two}\n```\nThat's all."),
        ] {
            assert_eq!(paths(&text), [ADD, UPDATE], "{text}");
            assert_eq!(reasons(&text), [], "{text}");
        }
    }

    #[test]
    fn parses_different_spellings_of_a_revision() {
        for text in [
            "{'path': '$.matches.a', 'action': 'ADD', 'value': 0.5}",
            "{path: $.matches.a, op: insert, value: 0.5}",
            "{\"Path\": [\"matches\", \"a\"], \"type\": \"Append\", \"Value\": 0.5, # so\n}",
            "{\"path\": \"matches['a']\", \"value\": 0.5, \"note\": None}",
        ] {
            assert_eq!(paths(text), [ADD], "{text}");
        }
    }

    #[test]
    fn parses_remarks_with_and_without_revisions() {
        let remarks = |text: &str| {
            let ParsedReply { remarks: Remarks { certain, more }, rejected, .. } = parse_reply(text);
            assert_eq!(rejected, [], "{text}");
            (certain.map(|keys| keys.join("|")), more.map(|keys| keys.join("|")))
        };
        let text = |remarks: &str| Some(remarks.to_owned());
        for (reply, expected) in [
            (r#"{"certain": "f3"}"#, (text("f3"), None)),
            (r#"{"revisions": [], "certain": "f3", "more": null}"#, (text("f3"), None)),
            ("So it is. {Certain: true}", (text(""), None)),
            (r#"{"more": []}"#, (None, text(""))),
            (r#"{"more": ["callers of f1", "touch", 3]}"#, (None, text("callers of f1|touch"))),
            (r#"[{"path": "$.matches.a", "value": 1}, {"more": "touch"}]"#, (None, text("touch"))),
            (r#"{"reply": {"certain": ["f2", "f3"]}}"#, (text("f2|f3"), None)),
            (r#"{"certain": null, "more": false}"#, (None, None)),
            (r#"{"revisions": [], "certain": [], "more": []}"#, (None, text(""))),
            (r#"{"path": "$.matches", "value": {"certain": "b", "more": "a"}}"#, (None, None)),
        ] {
            assert_eq!(remarks(reply), expected, "{reply}");
        }
    }

    #[test]
    fn keeps_the_remarks_of_a_truncated_reply() {
        let remarks = |text: &str| {
            let ParsedReply { remarks: Remarks { certain, more }, .. } = parse_reply(text);
            assert_eq!(reasons(text), [RejectionReason::CutOff], "{text}");
            (certain.map(|keys| keys.join("|")), more.map(|keys| keys.join("|")))
        };
        let text = |remarks: &str| Some(remarks.to_owned());
        for (reply, expected) in [
            (r#"{"certain": ["f12", "f2", "f1"#, (text("f12|f2"), None)),
            (r#"{"certain": ["f12", "f2","#, (text("f12|f2"), None)),
            (r#"{"certain": ["f12"], "more": ["callers of f1", "#, (text("f12"), text("callers of f1"))),
            (r#"{"certain": ["f12"], "revisions": [{"path": "$.a", "va"#, (text("f12"), None)),
            (r#"{"certain": ["f1"#, (None, None)),
            (r#"{"path": "$.matches", "value": ["a"], "certain": ["f1", "#, (None, None)),
        ] {
            assert_eq!(remarks(reply), expected, "{reply}");
        }
    }

    #[test]
    fn sections_are_counted() {
        assert_eq!(parse_reply("no").sections, 0);
        assert_eq!(parse_reply("```json\n{}\n```\n```\n{\"a\": \"```\"}\n```").sections, 2);
        assert_eq!(parse_reply("```json\n{}").sections, 1);
    }

    #[test]
    fn keeps_complete_revisions_of_a_truncated_reply() {
        let reply = r#"[{"path": "$.matches.a", "op": "add", "value": 0.5}, {"path": "$.matches.b", "op": "update", "value": 1}]"#;
        let second = reply.rfind('{').unwrap();
        for end in 0..reply.len() {
            let parsed = parse_reply(&reply[..end]);
            let complete = usize::from(end >= second - 2) + usize::from(end >= reply.len() - 1);
            assert_eq!(parsed.revisions.len(), complete, "{}", &reply[..end]);
            let inside = (2..second - 2).contains(&end) || (second + 1..reply.len() - 1).contains(&end);
            let expected: &[RejectionReason] = if inside { &[RejectionReason::CutOff] } else { &[] };
            assert_eq!(reasons(&reply[..end]), expected, "{}", &reply[..end]);
        }
        let named = r#"{"revisions": [{"path": "$.matches.a", "op": "add", "value": 0.5}, {"pa"#;
        assert_eq!((paths(named), reasons(named)), (vec![ADD.to_string()], vec![RejectionReason::CutOff]));
    }

    #[test]
    fn rejects_invalid_revisions_with_a_reason() {
        for (text, reason) in [
            (r#"{"path": "$.a", "op": "delete", "value": 1}"#, RejectionReason::Unread),
            (r#"{"path": "$.a", "op": "add"}"#, RejectionReason::Unread),
            (r#"{"path": "$.a", "op": "add", "value": None}"#, RejectionReason::Unread),
            (r#"{"path": "$.a", "op": "add", "value": NaN}"#, RejectionReason::Unread),
            (r#"{"path": "$..a", "op": "add", "value": 1}"#, RejectionReason::Place),
            (r#"{"op": "add", "value": 1}"#, RejectionReason::Place),
            (r#"{"answer": "renew"}"#, RejectionReason::Unread),
        ] {
            assert_eq!((paths(text), reasons(text)), (vec![], vec![reason]), "{text}");
        }
        assert_eq!(parse_reply("???"), ParsedReply::default());
    }

    #[test]
    fn parses_hostile_text_in_bounded_time() {
        let megabyte = |text: &str| text.repeat((1 << 20) / text.len());
        for text in ["[", "{", "{\"a\":", "{#", "{'", "{\"a\":[", "{\"", "{a:{/*", "\\", "{\"path\":"] {
            assert!(parse_reply(&megabyte(text)).revisions.is_empty(), "{text}");
        }
    }
}
