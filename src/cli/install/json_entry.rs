//! An entry in a JSON document: adds and removes it, and leaves every other byte unchanged,
//! including comments and trailing commas.

use super::text_style::{appended, indentation, with_breaks_of, without_addition};
use super::{Kept, NAME};
use jsonc_parser::ast::{Object, Value as AstValue};
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde::Serialize;
use serde_json::ser::PrettyFormatter;
use serde_json::{Value, json};

/// JSON as editors accept it: with comments, and with commas before a closing bracket.
pub(super) const SYNTAX: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Parses a document whose top level is an object.
fn root(text: &str) -> Result<Object<'_>, String> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &SYNTAX);
    match parsed.map_err(|cause| format!("it is not valid JSON: {cause}"))?.value {
        Some(AstValue::Object(root)) => Ok(root),
        _ => Err("it is not a JSON object".to_owned()),
    }
}

/// Mark that some editors write before the text of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Adds the entry to the `servers` object in a JSON document, or replaces an entry that `wrote`
/// recognizes.
///
/// # Errors
/// Returns an error if the text is not JSON, or contains an entry that someone else wrote.
pub(super) fn with_json(
    former: Option<&str>,
    servers: &str,
    entry: &Value,
    wrote: impl Fn(&Value) -> bool,
) -> Result<String, String> {
    if let Some(rest) = former.and_then(|text| text.strip_prefix(BYTE_ORDER_MARK)) {
        let wrote: &dyn Fn(&Value) -> bool = &wrote;
        return with_json(Some(rest), servers, entry, wrote).map(|text| format!("{BYTE_ORDER_MARK}{text}"));
    }
    let former = match former {
        Some(text) if !text.trim().is_empty() => text,
        _ => return Ok(appended(former, &format!("{}\n", pretty("", &json!({servers: {NAME: entry}}), 0)))),
    };
    let root = root(former)?;
    let Some(table) = root.get(servers) else {
        let member = format!("\"{servers}\": {}", pretty(former, &json!({NAME: entry}), 1));
        return Ok(with_member(former, &root, &member, 1));
    };
    let table = table.value.as_object().ok_or_else(|| format!("its `{servers}` is not an object"))?;
    match table.get(NAME).map(|known| &known.value) {
        Some(known) if Value::from(known.clone()) == *entry => Ok(former.to_owned()),
        Some(known) if wrote(&Value::from(known.clone())) => {
            Ok(format!("{}{}{}", &former[..known.start()], pretty(former, entry, 2), &former[known.end()..]))
        }
        Some(_) => Err(format!("it already contains a different `{servers}.{NAME}`")),
        None => Ok(with_member(former, table, &format!("\"{NAME}\": {}", pretty(former, entry, 2)), 2)),
    }
}

/// Inserts a first member into an object. The parser's own editing would also format the other
/// members of an object on one line.
fn with_member(former: &str, object: &Object<'_>, member: &str, depth: usize) -> String {
    let (before, rest) = former.split_at(object.start() + 1);
    if object.properties.is_empty() {
        // Without space before it, so that a removal restores the empty object.
        return format!("{before}{member}{rest}");
    }
    let line = with_breaks_of(former, "\n") + &indentation(former).repeat(depth);
    format!("{before}{line}{member},{rest}")
}

/// Formats JSON on several lines with the line breaks and the indentation of a file; lines after the
/// first are indented by `depth` more steps.
fn pretty(file: &str, value: &Value, depth: usize) -> String {
    let indent = indentation(file);
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(indent.as_bytes());
    // Writing to memory cannot fail.
    let _ = value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, formatter));
    let lines = String::from_utf8_lossy(&bytes).replace('\n', &format!("\n{}", indent.repeat(depth)));
    with_breaks_of(file, &lines)
}

/// Removes the entry from the `servers` object, if `wrote` recognizes it. A table or document that
/// [`with_json`] created for the entry is removed too.
pub(super) fn without_json(text: &str, servers: &str, wrote: impl Fn(&Value) -> bool) -> Result<Kept, String> {
    if let Some(rest) = text.strip_prefix(BYTE_ORDER_MARK) {
        let wrote: &dyn Fn(&Value) -> bool = &wrote;
        return without_json(rest, servers, wrote).map(|kept| match kept {
            Kept::Text(text) => Kept::Text(format!("{BYTE_ORDER_MARK}{text}")),
            other => other,
        });
    }
    if text.trim().is_empty() {
        return Ok(Kept::Absent);
    }
    let root = root(text)?;
    let Some(at) = member(&root, servers) else { return Ok(Kept::Absent) };
    let Some(table) = root.properties[at].value.as_object() else { return Ok(Kept::Absent) };
    let Some(inner) = member(table, NAME) else { return Ok(Kept::Absent) };
    if !wrote(&Value::from(table.properties[inner].value.clone())) {
        return Ok(Kept::Foreign);
    }
    if !was_created(text, table) {
        return Ok(Kept::Text(without_member(text, table, inner)));
    }
    let (before, after) = (&text[..root.start()], &text[root.end()..]);
    if was_created(text, &root) && before.trim().is_empty() && after.trim().is_empty() {
        return Ok(without_addition(before, &text[root.start()..root.end()], ""));
    }
    Ok(Kept::Text(without_member(text, &root, at)))
}

/// Returns the position of a member.
fn member(object: &Object<'_>, name: &str) -> Option<usize> {
    object.properties.iter().position(|property| property.name.as_str() == name)
}

/// Checks whether an object was created with its only member: [`with_member`] leaves no space before
/// a member of an object that existed.
fn was_created(text: &str, object: &Object<'_>) -> bool {
    let [only] = &object.properties[..] else { return false };
    let (before, after) = (&text[object.start() + 1..only.start()], &text[only.end()..object.end() - 1]);
    !before.is_empty() && [before, after].concat().chars().all(|c| c.is_whitespace() || c == ',')
}

/// Removes a member, one comma and the space before the member.
fn without_member(text: &str, object: &Object<'_>, at: usize) -> String {
    let property = &object.properties[at];
    let (start, end) = (property.start(), property.end());
    // The member's own comma, or else the comma of the member before it.
    let own = comma_after(text, end);
    let former = at.checked_sub(1).and_then(|before| comma_after(text, object.properties[before].end()));
    let gap_start = former.map_or(object.start() + 1, |comma| comma + 1);
    let gap = Some(&text[gap_start..start]).filter(|gap| !gap.trim().is_empty()).unwrap_or_default();
    match (own, former) {
        (Some(own), _) => format!("{}{gap}{}", &text[..gap_start], &text[own + 1..]),
        (None, Some(former)) => format!("{}{gap}{}", &text[..former], &text[end..]),
        (None, None) => format!("{}{gap}{}", &text[..gap_start], &text[end..]),
    }
}

/// Returns the offset of a comma that follows an offset, after space and comments.
fn comma_after(text: &str, offset: usize) -> Option<usize> {
    let mut at = offset;
    loop {
        let rest = &text[at..];
        at += match rest.chars().next()? {
            ',' => return Some(at),
            space if space.is_whitespace() => space.len_utf8(),
            '/' if rest.starts_with("//") => rest.find('\n')?,
            '/' if rest.starts_with("/*") => rest.find("*/")? + 2,
            _ => return None,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Value {
        json!({"command": "whichfn", "args": ["mcp"]})
    }

    fn with(former: &str) -> String {
        with_json(Some(former), "mcpServers", &entry(), |known| known["command"] == "/old/whichfn").expect("JSON")
    }

    fn without(text: &str) -> Kept {
        without_json(text, "mcpServers", |value| *value == entry()).expect("JSON")
    }

    fn read(text: &str) -> Value {
        let parsed = parse_to_ast(text, &CollectOptions::default(), &SYNTAX).expect("JSON");
        parsed.value.expect("a value").into()
    }

    #[test]
    fn keeps_every_other_byte_of_the_file() {
        for former in [
            "{}",
            "{ }\n",
            "{\"theme\": \"dark\"}",
            "// mine\n{\n  \"z\": 1, // last\n  \"a\": [1, 2,],\n}\n",
            "{\"mcpServers\": {}}",
            "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"b\": \"// no comment, }\"}",
            "{/* { */ \"mcpServers\"\n: {\n  // one\n  \"other\": {},\n  }}",
        ] {
            let new = with(former);
            let mut expected = read(former);
            expected["mcpServers"]["whichfn"] = entry();
            assert_eq!(read(&new), expected, "{former}\n{new}");
            assert_eq!(with(&new), new, "a second time changes nothing");
            for kept in ["// mine", "// last", "[1, 2,]", "// no comment, }", "// one", "/* { */"] {
                assert_eq!(former.contains(kept), new.contains(kept), "{kept}: {new}");
            }
        }
    }

    #[test]
    fn the_entry_has_the_line_breaks_and_the_indentation_of_the_file() {
        let new = with("{\r\n\t\"z\": 1\r\n}");
        assert!(new.starts_with("{\r\n\t\"mcpServers\": {\r\n\t\t\"whichfn\": {\r\n\t\t\t\"args\""), "{new:?}");
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{new:?}");
        let new = with("{\n    \"z\": 1\n}\n");
        assert!(new.contains("\n    \"mcpServers\": {\n        \"whichfn\": {\n            \"args\""), "{new}");
    }

    #[test]
    fn replaces_only_an_entry_that_this_program_wrote() {
        let new = with("{\"mcpServers\": {\"whichfn\": {\"command\": \"/old/whichfn\"}, \"b\": 1 } , \"rest\":2}");
        assert_eq!(read(&new), json!({"mcpServers": {"whichfn": entry(), "b": 1}, "rest": 2}));
        assert!(new.ends_with(", \"b\": 1 } , \"rest\":2}"), "{new}");
        let own = "{\"mcpServers\": {\"whichfn\": {\"command\": \"wrapper.sh\", \"env\": {\"A\": \"1\"}}}}";
        let error = with_json(Some(own), "mcpServers", &entry(), |_| false).expect_err("someone else wrote it");
        assert!(error.contains("a different `mcpServers.whichfn`"), "{error}");
    }

    #[test]
    fn rejects_invalid_json() {
        for former in ["{", "[]", "{\"mcpServers\": 3}", "{\"mcpServers\": {\"a\" 1}}", "/*", "\"", "{\"a\": \"\\"] {
            assert!(with_json(Some(former), "mcpServers", &entry(), |_| true).is_err(), "{former}");
        }
    }

    #[test]
    fn removal_restores_the_bytes_before_the_addition() {
        for former in [
            "{}",
            "{ }\n",
            "{\n}\n",
            "\n{\r\n}",
            " {/* mine */}",
            "// mine\n{}",
            "\u{feff}{}",
            "{\"mcpServers\": {}}",
            "{\n  \"mcpServers\": {}\n}\n",
            "{\n  \"mcpServers\": { }\n}\n",
            "{\"mcpServers\": {\n}}",
            "{\"mcpServers\" /* c, } */ : {} , }\n// end",
            "{ \"mcpServers\"// {\n:{// one\n}}",
            "{\"theme\": \"dark\"}",
            "{\r\n\t\"theme\": \"dark\"\r\n}",
            "// mine\n{\n  \"z\": 1, // last\n  \"a\": [1, 2,],\n}\n",
            "{\"mcpServers\": {\"other\": {\"command\": \"x\"}}, \"b\": \"// no comment, }\"}",
            "{/* { */ \"mcpServers\"\n: {\n  // one\n  \"other\": {},\n  }}",
        ] {
            assert_eq!(without(&with(former)), Kept::Text(former.to_owned()), "{former}");
        }
        let new = with_json(None, "mcpServers", &entry(), |_| false).expect("JSON");
        assert_eq!(without(&new), Kept::Nothing, "a file that the addition created");
        for empty in ["", "\n", " \r", "\r\n"] {
            assert_eq!(without(&with(empty)), Kept::Text(empty.to_owned()), "an empty file stays");
        }
    }

    #[test]
    fn removal_finds_the_entry_wherever_it_is() {
        let ours = entry();
        for (text, rest) in [
            (format!("{{\"mcpServers\": {{\"a\": 1, \"whichfn\": {ours}}}}}"), "{\"mcpServers\": {\"a\": 1}}"),
            (format!("{{\"mcpServers\": {{\"a\": 1, \"whichfn\": {ours},}}}}"), "{\"mcpServers\": {\"a\": 1,}}"),
            (
                format!("{{\"mcpServers\": {{\"a\": 1, /* us */ \"whichfn\": {ours}, \"b\": 2}}}}"),
                "{\"mcpServers\": {\"a\": 1, /* us */  \"b\": 2}}",
            ),
        ] {
            assert_eq!(without(&text), Kept::Text(rest.to_owned()), "{text}");
        }
        let edited = "{\"mcpServers\": {\"whichfn\": {\"command\": \"whichfn\", \"args\": [\"mcp\", \"src\"]}}}";
        assert_eq!(without(edited), Kept::Foreign);
        for other in ["", "{}", "{\"mcpServers\": 3}", "{\"mcpServers\": {\"b\": 1}}"] {
            assert_eq!(without(other), Kept::Absent, "{other}");
        }
    }
}
