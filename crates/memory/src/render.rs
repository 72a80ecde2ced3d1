//! Renders a memory as text for a prompt.
//!
//! In place: JSON of the whole value, with each entry of a top-level map or list on a separate
//! line. Amendments: one JSON object per line, each a partial memory that contains a change. The
//! later change wins, null removes a value, and list elements are identified by number.
//!
//! ```text
//! {"matches":{              {"matches":{"renew":0.2}}
//! "renew":0.5,              {"matches":{"touch":0.1}}
//! "touch":0.1}}             {"matches":{"renew":0.5}}
//! ```

use super::path::{Path, PathPart};
use super::quoted::write_quoted;
use super::state::{Memory, MemoryFormat};
use super::value::Value;

impl Memory {
    /// Returns the text of the memory for a prompt. An empty memory is `{}` in place, and the empty
    /// string as amendments. Text is only appended to amendments, except by [`Memory::compress`]
    /// and [`Memory::replace`].
    pub fn render(&self) -> String {
        match self.form {
            MemoryFormat::InPlace => render_in_place(&self.value),
            MemoryFormat::Amendments => self.amendments.clone(),
        }
    }
}

/// Returns the text of a value in the given format. Amendments contain each entry exactly once.
pub(super) fn text(form: MemoryFormat, value: &Value) -> String {
    if form == MemoryFormat::InPlace {
        return render_in_place(value);
    }
    let mut text = String::new();
    for (attribute, value) in value.as_map().into_iter().flatten() {
        let entries = entries_of(attribute, value);
        for (entry, value) in &entries {
            write_line(&mut text, form, attribute, entry, value);
        }
        if entries.is_empty() {
            write_head(&mut text, "{", attribute);
            value.write_json(&mut text);
            text.push_str("}\n");
        }
    }
    text
}

/// Returns the entries of a top-level map or list, or nothing for any other value.
pub(super) fn entries_of<'a>(attribute: &str, value: &'a Value) -> Vec<(Path, &'a Value)> {
    let path = Path::default().key(attribute);
    match value {
        Value::Map(map) => map.iter().map(|(key, value)| (path.key(key.as_str()), value)).collect(),
        Value::List(list) => list.iter().enumerate().map(|(at, value)| (path.index(at), value)).collect(),
        _ => Vec::new(),
    }
}

/// Appends the line of an entry. In amendments, the first element of a list starts that list.
pub(super) fn write_line(out: &mut String, form: MemoryFormat, attribute: &str, entry: &Path, value: &Value) {
    let (key, close) = match (form, entry.parts().last()) {
        (MemoryFormat::InPlace, Some(PathPart::Key(key))) => (Some(key.clone()), ",\n"),
        (MemoryFormat::InPlace, _) => (None, ",\n"),
        (MemoryFormat::Amendments, Some(PathPart::Key(key))) => (Some(key.clone()), "}}\n"),
        (MemoryFormat::Amendments, Some(PathPart::Index(at))) if *at > 0 => (Some(at.to_string()), "}}\n"),
        (MemoryFormat::Amendments, _) => (None, "]}\n"),
    };
    if form == MemoryFormat::Amendments {
        write_head(out, "{", attribute);
        out.push(if key.is_some() { '{' } else { '[' });
    }
    if let Some(key) = key {
        write_head(out, "", &key);
    }
    value.write_json(out);
    out.push_str(close);
}

fn render_in_place(value: &Value) -> String {
    let mut out = String::from("{");
    for (at, (attribute, value)) in value.as_map().into_iter().flatten().enumerate() {
        write_head(&mut out, if at == 0 { "" } else { ",\n" }, attribute);
        let (open, close) = match value {
            Value::Map(_) => ('{', '}'),
            Value::List(_) => ('[', ']'),
            _ => {
                value.write_json(&mut out);
                continue;
            }
        };
        out.push(open);
        for (at, (entry, value)) in entries_of(attribute, value).iter().enumerate() {
            out.push_str(if at == 0 { "\n" } else { ",\n" });
            if let Some(PathPart::Key(key)) = entry.parts().last() {
                write_head(&mut out, "", key);
            }
            value.write_json(&mut out);
        }
        out.push(close);
    }
    out.push('}');
    out
}

fn write_head(out: &mut String, before: &str, name: &str) {
    out.push_str(before);
    write_quoted(out, name, '"');
    out.push(':');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Schema, parse_reply};

    fn memory(form: MemoryFormat) -> Memory {
        let schema = r#"{"properties":{"matches":{"additionalProperties":{"type":"number"}},
            "notes":{"items":{"type":"string"}},"done":{"type":"boolean"}}}"#;
        let mut memory = Memory::new(Schema::read(schema).unwrap(), form, true);
        let replies = [
            "{path: $.matches.renew, value: 0.2} {path: $.matches.touch, value: 0.1}",
            "{path: $.notes, value: one} {path: $.notes, value: two} {path: $.done, value: True}",
            "{path: $.matches.renew, op: update, value: 0.5} {path: '$.notes[-1]', op: update, value: three}",
            "{path: $.matches, op: update, value: {renew: 1, new: 0}}",
        ];
        for reply in replies {
            assert_eq!(memory.revise(parse_reply(reply)).rejected, []);
        }
        memory
    }

    #[test]
    fn in_place_format_has_a_line_for_each_entry() {
        let text = memory(MemoryFormat::InPlace).render();
        let expected = r#"{"matches":{
"renew":1.0,
"new":0.0},
"notes":[
"one",
"three"],
"done":true}"#;
        assert_eq!(text, expected);
        assert_eq!(Value::from_json(&text).unwrap(), *memory(MemoryFormat::InPlace).value());
    }

    #[test]
    fn amendments_contain_changes() {
        let expected = r#"{"matches":{"renew":0.2}}
{"matches":{"touch":0.1}}
{"notes":["one"]}
{"notes":{"1":"two"}}
{"done":true}
{"matches":{"renew":0.5}}
{"notes":{"1":"three"}}
{"matches":{"touch":null,"renew":1.0,"new":0.0}}
"#;
        assert_eq!(memory(MemoryFormat::Amendments).render(), expected);
    }

    #[test]
    fn rewritten_amendments_contain_the_value() {
        let expected = r#"{"matches":{"renew":1.0}}
{"matches":{"new":0.0}}
{"notes":["one"]}
{"notes":{"1":"three"}}
{"done":true}
"#;
        assert_eq!(text(MemoryFormat::Amendments, memory(MemoryFormat::Amendments).value()), expected);
    }

    #[test]
    fn an_empty_memory_is_an_empty_object_or_no_text() {
        let empty = |form| Memory::new(Schema::builtin("matches").unwrap(), form, true).render();
        assert_eq!((empty(MemoryFormat::InPlace).as_str(), empty(MemoryFormat::Amendments).as_str()), ("{}", ""));
    }
}
