//! Conversion of a schema to JSON Schema, in the form that models with structured output accept:
//! every field is required, and no other field is allowed.

use super::{Schema, SchemaField, SchemaObject, Type};
use crate::value::{Map, Value};

impl Schema {
    /// Returns the JSON Schema of a whole memory. An optional field may be null.
    pub fn json_schema(&self) -> Value {
        Value::Map(of_object(self.root()))
    }
}

fn of_type(of: &Type) -> Map {
    let typed = |word: &str| Map::from([("type".to_string(), Value::from(word))]);
    match of {
        Type::Str => typed("string"),
        Type::Int => typed("integer"),
        Type::Float => typed("number"),
        Type::Bool => typed("boolean"),
        Type::List(inner) => with(typed("array"), "items", Value::Map(of_type(inner))),
        Type::Map(inner) => with(typed("object"), "additionalProperties", Value::Map(of_type(inner))),
        Type::Object(object) => of_object(object),
    }
}

fn of_object(object: &SchemaObject) -> Map {
    let properties = object.fields.iter().map(|(name, field)| (name.clone(), Value::Map(of_field(field)))).collect();
    let required = object.fields.keys().map(|name| Value::from(name.as_str())).collect();
    let mut schema = Map::from([("type".to_string(), Value::from("object"))]);
    schema = described(schema, object.doc.as_deref());
    schema = with(schema, "properties", properties);
    schema = with(schema, "required", Value::List(required));
    with(schema, "additionalProperties", Value::Bool(false))
}

fn of_field(field: &SchemaField) -> Map {
    let of = of_type(&field.of);
    if !field.optional {
        return described(of, field.doc.as_deref());
    }
    let null = Map::from([("type".to_string(), Value::from("null"))]);
    let either = Map::from([("anyOf".to_string(), Value::List(vec![Value::Map(of), Value::Map(null)]))]);
    described(either, field.doc.as_deref())
}

/// Adds a description. The description of a field precedes the one of its object.
fn described(schema: Map, doc: Option<&str>) -> Map {
    match doc {
        Some(doc) => with(schema, "description", doc.into()),
        None => schema,
    }
}

fn with(mut schema: Map, key: &str, value: Value) -> Map {
    schema.insert(key.into(), value);
    schema
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_closed_and_maps_open() {
        let schema =
            Schema::read(r#"{"people":{"type":"map","doc":"Who.","of":{"age":"int?","traits":"list<str>"}}}"#).unwrap();
        let person = concat!(
            r#"{"type":"object","properties":{"age":{"anyOf":[{"type":"integer"},{"type":"null"}]},"#,
            r#""traits":{"type":"array","items":{"type":"string"}}},"required":["age","traits"],"additionalProperties":false}"#
        );
        let people = format!(r#"{{"type":"object","additionalProperties":{person},"description":"Who."}}"#);
        let whole = format!(
            r#"{{"type":"object","properties":{{"people":{people}}},"required":["people"],"additionalProperties":false}}"#
        );
        assert_eq!(schema.json_schema().to_string(), whole);
    }
}
