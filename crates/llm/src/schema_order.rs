//! Serializes a JSON Schema so that the properties of each object have the order of its `required`
//! list.
//!
//! A server that enforces a schema makes the model write the properties in the order of the schema.
//! `serde_json` sorts them by name, so a model would have to state that it is certain before it has
//! written its notes.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value};

/// A JSON value in which the properties of schemas are ordered.
pub(super) struct SchemaOrder<'v>(pub &'v Value);

/// The `properties` of a schema, and its `required` list.
struct Properties<'v> {
    properties: &'v Map<String, Value>,
    required: &'v [Value],
}

impl Serialize for SchemaOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Array(values) => serializer.collect_seq(values.iter().map(SchemaOrder)),
            Value::Object(fields) => {
                let required = fields.get("required").and_then(Value::as_array);
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, value) in fields {
                    match (name.as_str(), value, required) {
                        ("properties", Value::Object(properties), Some(required)) => {
                            map.serialize_entry(name, &Properties { properties, required })?;
                        }
                        _ => map.serialize_entry(name, &SchemaOrder(value))?,
                    }
                }
                map.end()
            }
            plain => plain.serialize(serializer),
        }
    }
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let place = |name: &str| self.required.iter().position(|required| required == name);
        let mut ordered: Vec<(&String, &Value)> = self.properties.iter().collect();
        // The sort is stable, so optional properties come last, in their own order.
        ordered.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        serializer.collect_map(ordered.into_iter().map(|(name, value)| (name, SchemaOrder(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_have_the_order_in_which_they_are_required() {
        let schema = serde_json::json!({
            "type": "object",
            "properties": {
                "certain": {"type": "array"},
                "revisions": {"items": {"properties": {"x": {}, "y": {}, "z": {}}, "required": ["z", "y"]}}
            },
            "required": ["revisions", "certain"]
        });
        let expected = concat!(
            r#"{"properties":{"revisions":{"items":{"properties":{"z":{},"y":{},"x":{}},"required":["z","y"]}},"#,
            r#""certain":{"type":"array"}},"required":["revisions","certain"],"type":"object"}"#
        );
        assert_eq!(serde_json::to_string(&SchemaOrder(&schema)).expect("JSON"), expected);
    }

    #[test]
    fn a_property_with_the_name_of_a_keyword_is_a_property() {
        let schema = serde_json::json!({"properties": {"required": {"type": "string"}, "properties": {}}});
        assert_eq!(serde_json::to_string(&SchemaOrder(&schema)).expect("JSON"), schema.to_string());
    }
}
