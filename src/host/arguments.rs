//! Parses the arguments that a client sends, according to their JSON schema. Clients are programs
//! and language models that do not always keep to the schema, so every form that can have only one
//! meaning is accepted.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Parses arguments. `schema` has the keys `properties`, `required` and `additionalProperties`.
///
/// An optional argument may be null, or empty unless it is a text. A number and a list may be a string, a string may be
/// a list with one element, and a word of an enumeration may be in upper case.
///
/// # Errors
/// Returns a message that names the wrong argument, the expected type and an example.
pub fn read<Input: DeserializeOwned>(schema: &Value, mut given: Map<String, Value>) -> Result<Input, String> {
    given.retain(|name, value| is_required(schema, name) || !is_omitted(&schema["properties"][&**name], value));
    for (name, value) in &mut given {
        if let Some(better) = converted(&schema["properties"][&**name], value) {
            *value = better;
        }
    }
    match wrong_argument(schema, &given) {
        Some(wrong) => Err(wrong),
        None => serde_json::from_value(Value::Object(given)).map_err(|cause| cause.to_string()),
    }
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|names| names.iter().any(|one| one == name))
}

/// Checks whether a value stands for an omitted argument. An empty string may be a text, such as
/// that of an empty file.
fn is_omitted(property: &Value, value: &Value) -> bool {
    let is_text = property["type"] == "string" && property["enum"].is_null();
    value.is_null() || (value.as_str() == Some("") && !is_text) || value.as_array().is_some_and(Vec::is_empty)
}

/// Returns the value that another form of it stands for; `None` if it has the right form or none.
fn converted(property: &Value, value: &Value) -> Option<Value> {
    match (property["type"].as_str()?, value) {
        ("string", Value::Array(all)) if all.len() == 1 => {
            converted(property, &all[0]).or_else(|| all.first().cloned())
        }
        ("string", Value::String(text)) => {
            let mut known = property["enum"].as_array()?.iter().filter_map(Value::as_str);
            known.find(|known| known.eq_ignore_ascii_case(text.trim())).map(Value::from)
        }
        ("boolean", Value::String(text)) => text.trim().parse::<bool>().ok().map(Value::from),
        ("integer", Value::String(text)) => text.trim().parse::<u64>().ok().map(Value::from),
        ("integer", Value::Number(number)) if !number.is_u64() => number
            .as_f64()
            .filter(|number| number.fract() == 0.0 && (0.0..1e15).contains(number))
            .map(|number| (number as u64).into()),
        ("array", Value::String(text)) => {
            let list = serde_json::from_str::<Vec<String>>(text);
            Some(list.map_or_else(|_| vec![text.clone()].into(), Value::from))
        }
        _ => None,
    }
}

/// Describes the first argument that the schema does not allow.
fn wrong_argument(schema: &Value, given: &Map<String, Value>) -> Option<String> {
    let properties = schema["properties"].as_object()?;
    let is_open = schema["additionalProperties"] == true;
    if let Some(unknown) = given.keys().find(|name| !is_open && !properties.contains_key(*name)) {
        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
        return Some(format!("`{unknown}` is not an argument; the arguments are {}", known.join(", ")));
    }
    properties.iter().find_map(|(name, property)| match given.get(name) {
        None | Some(Value::Null) if is_required(schema, name) => {
            Some(format!("`{name}` is missing; pass {}", expected(property)))
        }
        Some(value) if !fits(property, value) => Some(format!("`{name}` must be {}", expected(property))),
        _ => None,
    })
}

fn fits(property: &Value, value: &Value) -> bool {
    if let Some(names) = property["enum"].as_array() {
        return names.contains(value);
    }
    match property["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64(),
        Some("boolean") => value.is_boolean(),
        Some("array") => value.as_array().is_some_and(|all| all.iter().all(Value::is_string)),
        _ => true,
    }
}

/// Returns the type of an argument in words, with an example.
fn expected(property: &Value) -> String {
    if let Some(names) = property["enum"].as_array() {
        let names: Vec<String> = names.iter().map(Value::to_string).collect();
        return format!("one of {}", names.join(", "));
    }
    match property["type"].as_str() {
        Some("array") => "a list of strings, such as [\"src/app.py\"]",
        Some("integer") => "a whole number, such as 10",
        Some("boolean") => "true or false",
        _ => "a string, such as \"src/app.py\"",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn parsed(given: &Value) -> Result<Value, String> {
        let schema = json!({"required": ["of"], "properties": {
            "of": {"type": "string"}, "paths": {"type": "array"}, "limit": {"type": "integer"},
            "kind": {"type": "string", "enum": ["docs", "all"]},
        }});
        read(&schema, given.as_object().cloned().unwrap_or_default())
    }

    #[test]
    fn forms_with_one_meaning_are_accepted() {
        for (given, meant) in [
            (json!({"of": "a", "paths": null, "limit": null, "kind": null}), json!({"of": "a"})),
            (json!({"of": "a", "paths": [], "kind": ""}), json!({"of": "a"})),
            (json!({"of": ["a"], "paths": "src/**"}), json!({"of": "a", "paths": ["src/**"]})),
            (json!({"of": "a", "paths": "[\"b\", \"d\"]"}), json!({"of": "a", "paths": ["b", "d"]})),
            (json!({"of": "a", "limit": " 5", "kind": "Docs"}), json!({"of": "a", "limit": 5, "kind": "docs"})),
            (json!({"of": "a", "limit": 5.0}), json!({"of": "a", "limit": 5})),
        ] {
            assert_eq!(parsed(&given), Ok(meant));
        }
    }

    #[test]
    fn an_error_names_the_argument() {
        for (given, message) in [
            (json!({}), "`of` is missing"),
            (json!({"of": null}), "`of` is missing"),
            (json!({"of": ["a", "b"]}), "`of` must be a string"),
            (json!({"of": "a", "paths": [1]}), "`paths` must be a list of strings"),
            (json!({"of": "a", "limit": "five"}), "`limit` must be a whole number"),
            (json!({"of": "a", "limit": 1.5}), "`limit` must be a whole number"),
            (json!({"of": "a", "limit": -1}), "`limit` must be a whole number"),
            (json!({"of": "a", "kind": "code"}), "`kind` must be one of \"docs\", \"all\""),
            (json!({"of": "a", "max": 1}), "`max` is not an argument; the arguments are "),
        ] {
            let said = parsed(&given).expect_err("an error");
            assert!(said.starts_with(message), "{said}");
        }
    }
}
