//! JSON Schemas of replies with revisions, for model servers that enforce a schema.

use serde_json::{Value, json};

/// Returns the schema of revisions whose values have the JSON Schema `value`.
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

/// Adds the optional remarks of a reader to a schema of revisions; a remark without content is
/// null.
pub fn with_remarks(mut revisions: Value) -> Value {
    let texts = json!({"type": ["array", "null"], "items": {"type": "string"}});
    revisions["properties"]["certain"] = texts.clone();
    revisions["properties"]["more"] = texts;
    revisions["required"] = json!(["revisions", "certain", "more"]);
    revisions
}
