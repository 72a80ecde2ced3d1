//! The short form of a schema in the output of `read --json`: a map from attribute names to types.
//!
//! ```json
//! {"matches": "map<str, float>",
//!  "people": {"type": "map", "doc": "Who is met.", "of": {"type": "object",
//!             "fields": {"age": "int?", "traits": "list<str>"}}}}
//! ```
//!
//! A type is a short name, or an object with the key `type`. Other keys are `doc`; `optional` for a
//! field; `of` for the type of the values in a map or list; `fields` and `name` for an object. If a
//! field is an object, `doc` describes the field and `about` the object. A root with a name or a
//! description is also written as an object.

use super::{Schema, SchemaField, SchemaObject, Type};
use crate::value::{Map, Value};

/// Key of an object's own description in a field, where `doc` describes the field.
const ABOUT: &str = "about";

impl Schema {
    /// Returns the short form, with short type names where nothing is lost.
    pub fn json(&self) -> Value {
        let root = self.root();
        let fields = fields(root);
        if root.name.is_none() && root.doc.is_none() { fields } else { Value::Map(object(root, "doc")) }
    }
}

fn fields(object: &SchemaObject) -> Value {
    object.fields.iter().map(|(name, field)| (name.clone(), of_field(field))).collect()
}

fn of_field(field: &SchemaField) -> Value {
    let mark = if field.optional { "?" } else { "" };
    match (short(&field.ty), &field.doc) {
        (Some(short), None) => Value::Str(short + mark),
        (_, doc) => {
            let mut map = long(&field.ty, ABOUT);
            if let Some(doc) = doc {
                map.insert_before(1, "doc".into(), doc.as_str().into());
            }
            if field.optional {
                map.insert("optional".into(), Value::Bool(true));
            }
            Value::Map(map)
        }
    }
}

fn long(ty: &Type, about: &str) -> Map {
    let mut map = Map::new();
    let mut holder = |word: &str, inner: &Type| {
        map.insert("type".into(), word.into());
        map.insert("of".into(), short(inner).map_or_else(|| Value::Map(long(inner, "doc")), Value::Str));
    };
    match (ty, short(ty)) {
        (_, Some(short)) => drop(map.insert("type".into(), short.into())),
        (Type::Map(inner), None) => holder("map", inner),
        (Type::List(inner), None) => holder("list", inner),
        (Type::Object(ty), None) => return object(ty, about),
        _ => {}
    }
    map
}

fn object(ty: &SchemaObject, about: &str) -> Map {
    let texts = [("name", &ty.name), (about, &ty.doc)];
    let texts = texts.into_iter().filter_map(|(key, text)| Some((key.to_string(), Value::from(text.as_deref()?))));
    let mut map = Map::from([("type".to_string(), Value::from("object"))]);
    map.extend(texts);
    map.insert("fields".into(), fields(ty));
    map
}

/// Returns the short name of a type, or `None` if the type contains an object.
fn short(ty: &Type) -> Option<String> {
    Some(match ty {
        Type::Str => "str".into(),
        Type::Int => "int".into(),
        Type::Float => "float".into(),
        Type::Bool => "bool".into(),
        Type::List(inner) => format!("list<{}>", short(inner)?),
        Type::Map(inner) => format!("map<str, {}>", short(inner)?),
        Type::Object(_) => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_short_names_unless_a_field_has_more_to_say() {
        let one = r#"{"title":"One","description":"Any one.","properties":{"type":{"type":"string"}}}"#;
        let schema = Schema::read(&format!(
            r##"{{"properties":{{
                "matches":{{"type":"object","additionalProperties":{{"type":"number"}}}},
                "done":{{"type":["boolean","null"],"description":"At the end."}},
                "one":{{"$ref":"#/$defs/One","description":"The one."}},
                "all":{{"type":"array","items":{{"$ref":"#/$defs/One"}}}}}},"$defs":{{"One":{one}}}}}"##
        ));
        let expected = concat!(
            r#"{"matches":"map<str, float>","done":{"type":"bool","doc":"At the end.","optional":true},"#,
            r#""one":{"type":"object","doc":"The one.","name":"One","about":"Any one.","fields":{"type":"str"}},"#,
            r#""all":{"type":"list","of":{"type":"object","name":"One","doc":"Any one.","fields":{"type":"str"}}}}"#
        );
        assert_eq!(schema.unwrap().json().to_string(), expected);
    }
}
