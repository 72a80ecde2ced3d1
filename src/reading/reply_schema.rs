//! The JSON Schema of a reply of revisions, for servers of language models that keep to one.

use serde_json::{Value, json};

/// Revisions whose values have the JSON Schema `value`.
pub fn revisions_schema(value: Value) -> Value {
    json!({
        "type": "object",
        "properties": {"revisions": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "path": {"type": "string"},
                "operation": {"type": "string", "enum": ["add", "update"]},
                "value": value
            },
            "required": ["path", "operation", "value"],
            "additionalProperties": false
        }}},
        "required": ["revisions"],
        "additionalProperties": false
    })
}

/// A schema of revisions that also has what a reader may say beside them; null for nothing.
pub fn with_remarks(mut revisions: Value) -> Value {
    let texts = json!({"type": ["array", "null"], "items": {"type": "string"}});
    revisions["properties"]["certain"] = texts.clone();
    revisions["properties"]["more"] = texts;
    revisions["required"] = json!(["revisions", "certain", "more"]);
    revisions
}
