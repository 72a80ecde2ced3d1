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
