//! Converts a schema to JSON Schema: either with definitions of its classes, as [`Schema::read`]
//! parses it, or without definitions, in the form that models with structured output accept. In
//! both forms, every field is required and no other field is allowed.

use super::{Schema, SchemaField, SchemaObject, Type};
use crate::value::{Map, Value};

impl Schema {
    /// Returns the JSON Schema with the names and descriptions of all classes. [`Schema::read`]
    /// converts it back to the same schema.
    pub fn json_schema(&self) -> Value {
        let mut writer = JsonSchemaWriter { definitions: Some(Map::new()) };
        let mut schema = writer.object(self.root());
        if let Some(definitions) = writer.definitions.filter(|all| !all.is_empty()) {
            schema = with(schema, "$defs", Value::Map(definitions));
        }
        Value::Map(schema)
    }

    /// Returns the JSON Schema of a whole memory in a model's reply, without references. Optional
    /// fields may be null.
    pub fn reply_schema(&self) -> Value {
        Value::Map(JsonSchemaWriter { definitions: None }.object(self.root()))
    }
}

struct JsonSchemaWriter {
    /// Named classes written so far; `None` if each class is written where it is used, without its
    /// name.
    definitions: Option<Map>,
}

impl JsonSchemaWriter {
    fn value(&mut self, ty: &Type) -> Map {
        match ty {
            Type::Str => typed("string"),
            Type::Int => typed("integer"),
            Type::Float => typed("number"),
            Type::Bool => typed("boolean"),
            Type::List(inner) => with(typed("array"), "items", Value::Map(self.value(inner))),
            Type::Map(inner) => with(typed("object"), "additionalProperties", Value::Map(self.value(inner))),
            Type::Object(object) => self.class(object),
        }
    }

    /// Writes an object, or a reference to its definition.
    fn class(&mut self, object: &SchemaObject) -> Map {
        let Some(name) = object.name.as_ref().filter(|_| self.definitions.is_some()) else {
            return self.object(object);
        };
        if self.definitions.as_ref().is_some_and(|all| !all.contains_key(name)) {
            let definition = Value::Map(self.object(object));
            self.definitions.iter_mut().for_each(|all| drop(all.insert(name.clone(), definition.clone())));
        }
        Map::from([("$ref".to_string(), Value::Str(format!("#/$defs/{name}")))])
    }

    fn object(&mut self, object: &SchemaObject) -> Map {
        let properties =
            object.fields.iter().map(|(name, field)| (name.clone(), Value::Map(self.field(field)))).collect();
        let required = object.fields.keys().map(|name| Value::from(name.as_str())).collect();
        let mut schema = typed("object");
        if let Some(name) = object.name.as_deref().filter(|_| self.definitions.is_some()) {
            schema = with(schema, "title", name.into());
        }
        schema = described(schema, object.doc.as_deref());
        schema = with(schema, "properties", properties);
        schema = with(schema, "required", Value::List(required));
        with(schema, "additionalProperties", Value::Bool(false))
    }

    fn field(&mut self, field: &SchemaField) -> Map {
        let ty = self.value(&field.ty);
        if !field.optional {
            return described(ty, field.doc.as_deref());
        }
        let either = Value::List(vec![Value::Map(ty), Value::Map(typed("null"))]);
        described(Map::from([("anyOf".to_string(), either)]), field.doc.as_deref())
    }
}

fn typed(name: &str) -> Map {
    Map::from([("type".to_string(), Value::from(name))])
}

/// Adds a description. A field's description precedes the description of its object.
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

    const PEOPLE: &str = concat!(
        r#"{"properties":{"people":{"type":"object","description":"Who.","additionalProperties":{"title":"Person","#,
        r#""properties":{"age":{"type":["integer","null"]},"traits":{"type":"array","items":{"type":"string"}}}}}}}"#
    );

    #[test]
    fn replies_have_closed_objects_and_open_maps() {
        let schema = Schema::read(PEOPLE).unwrap();
        let person = concat!(
            r#"{"type":"object","properties":{"age":{"anyOf":[{"type":"integer"},{"type":"null"}]},"#,
            r#""traits":{"type":"array","items":{"type":"string"}}},"required":["age","traits"],"additionalProperties":false}"#
        );
        let people = format!(r#"{{"type":"object","additionalProperties":{person},"description":"Who."}}"#);
        let expected = format!(
            r#"{{"type":"object","properties":{{"people":{people}}},"required":["people"],"additionalProperties":false}}"#
        );
        assert_eq!(schema.reply_schema().to_string(), expected);
    }

    #[test]
    fn writes_named_classes_as_definitions() {
        let schema = Schema::read(PEOPLE).unwrap();
        let text = schema.json_schema().to_string();
        assert!(text.contains(r##""additionalProperties":{"$ref":"#/$defs/Person"},"description":"Who.""##), "{text}");
        assert!(text.contains(r#""$defs":{"Person":{"type":"object","title":"Person","properties""#), "{text}");
        assert_eq!(Schema::read(&text).unwrap(), schema);
    }
}
