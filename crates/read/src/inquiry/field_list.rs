//! The form in which a model writes a schema: a list of fields, each with a name, a kind and a
//! description.
//!
//! **Differs from PRISM:** the paper's models write Python dataclasses. A server can enforce a JSON
//! Schema on a reply, but a schema for schemas has no bound: a small model nests objects or adds
//! properties until the limit of the reply. This list has at most [`MOST_FIELDS`] fields, whose
//! values have at most [`MOST_PARTS`] parts.
//!
//! **Invariant:** every list that [`reply_schema`] accepts is a valid JSON Schema after
//! [`json_schema`]. Of two fields with the same name, the first one counts.

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Maximum number of fields of the memory.
const MOST_FIELDS: usize = 6;
/// Maximum number of parts of a value.
const MOST_PARTS: usize = 8;
/// Maximum number of characters in a name.
const LONGEST_NAME: usize = 40;
/// Maximum number of characters in a description.
const LONGEST_DESCRIPTION: usize = 160;

/// A list of fields, as a model writes it.
#[derive(Deserialize)]
struct FieldList {
    fields: Vec<Field>,
}

/// A field of the memory, or a part of a value in it.
#[derive(Deserialize)]
struct Field {
    name: String,
    kind: Kind,
    #[serde(default)]
    description: String,
    /// The parts of each value in a list or a map. Without parts, the values are strings.
    #[serde(default)]
    parts: Vec<Field>,
}

/// The type of a field.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Kind {
    String,
    Integer,
    Number,
    Boolean,
    List,
    Map,
}

/// Returns the JSON Schema of a reply that contains a list of fields.
pub fn reply_schema() -> Value {
    let part = field_schema(&["string", "integer", "number", "boolean"], None);
    let parts = json!({"type": "array", "items": part, "maxItems": MOST_PARTS});
    let field = field_schema(&["string", "integer", "number", "boolean", "list", "map"], Some(parts));
    json!({
        "type": "object",
        "properties": {"fields": {"type": "array", "items": field, "maxItems": MOST_FIELDS}},
        "required": ["fields"],
        "additionalProperties": false
    })
}

/// Returns the JSON Schema of a field with one of the given kinds.
fn field_schema(kinds: &[&str], parts: Option<Value>) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "maxLength": LONGEST_NAME},
            "kind": {"type": "string", "enum": kinds},
            "description": {"type": "string", "maxLength": LONGEST_DESCRIPTION}
        },
        "required": ["name", "kind", "description"],
        "additionalProperties": false
    });
    if let Some(parts) = parts {
        schema["properties"]["parts"] = parts;
        schema["required"] = json!(["name", "kind", "description", "parts"]);
    }
    schema
}

/// Returns the JSON Schema for a list of fields in JSON, or `None` if the text is not such a list.
pub fn json_schema(text: &str) -> Option<Value> {
    let list: FieldList = serde_json::from_str(text).ok()?;
    Some(object(&list.fields, MOST_FIELDS))
}

/// Returns the schema of an object with the first `most` of these fields.
fn object(fields: &[Field], most: usize) -> Value {
    let mut properties = Map::new();
    for field in fields.iter().take(most) {
        properties.entry(field.name.as_str()).or_insert_with(|| field.schema());
    }
    json!({"type": "object", "properties": properties})
}

impl Field {
    /// Returns the schema of this field.
    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            Kind::String => json!({"type": "string"}),
            Kind::Integer => json!({"type": "integer"}),
            Kind::Number => json!({"type": "number"}),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::List => json!({"type": "array", "items": self.value()}),
            Kind::Map => json!({"type": "object", "additionalProperties": self.value()}),
        };
        schema["description"] = json!(self.description);
        schema
    }

    /// Returns the schema of a value in this list or map.
    fn value(&self) -> Value {
        if self.parts.is_empty() { json!({"type": "string"}) } else { object(&self.parts, MOST_PARTS) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_memory::Schema;

    #[test]
    fn a_list_of_fields_becomes_a_schema() {
        let text = r#"{"fields": [
            {"name": "events", "kind": "list", "description": "What happened.", "parts": [
                {"name": "time", "kind": "string", "description": "When."},
                {"name": "count", "kind": "integer", "description": "How often."}]},
            {"name": "causes", "kind": "map", "description": "Causes by name.", "parts": []},
            {"name": "done", "kind": "boolean", "description": "Whether the end was read."}
        ]}"#;
        let written = r#"{"type": "object", "properties": {
            "events": {"type": "array", "description": "What happened.", "items": {"type": "object", "properties": {
                "time": {"type": "string", "description": "When."},
                "count": {"type": "integer", "description": "How often."}}}},
            "causes": {"type": "object", "description": "Causes by name.", "additionalProperties": {"type": "string"}},
            "done": {"type": "boolean", "description": "Whether the end was read."}
        }}"#;
        let schema = json_schema(text).expect("a list of fields");
        assert_eq!(Schema::read(&schema.to_string()).expect("schema"), Schema::read(written).expect("schema"));
    }

    #[test]
    fn the_first_of_two_fields_with_one_name_counts() {
        let text = r#"{"fields": [{"name": "a", "kind": "list"}, {"name": "a", "kind": "string"}]}"#;
        let schema = json_schema(text).expect("a list of fields");
        assert_eq!(schema["properties"]["a"]["type"], "array");
    }

    #[test]
    fn other_text_is_not_a_list_of_fields() {
        for text in ["", "{}", r#"{"fields": [{"name": "a", "kind": "float"}]}"#, r#"{"type": "object"}"#] {
            assert!(json_schema(text).is_none(), "{text}");
        }
    }
}
