//! The JSON form of a schema: a map from attribute names to types.
//!
//! ```json
//! {"matches": "map<str, float>",
//!  "people": {"type": "map", "doc": "Who is met.", "of": {"type": "object",
//!             "fields": {"age": "int?", "traits": "list<str>"}}}}
//! ```
//!
//! A type is a short name, or an object with the key `type`. Further keys are `doc`; `optional` for
//! a field; `of` for the type of the values in a map or list; `fields` and `name` for an object. If
//! a field is an object, `doc` describes the field and `about` the object. An object without `type`
//! is a map of fields. A root with a name or a description is written as an object, too.

use super::names::TypeName;
use super::{MAX_DEPTH, Schema, SchemaField, SchemaObject, Type, one_line, too_large, wrong};
use crate::revision::shortened;
use crate::value::{Map, Value};
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Result};

/// Key of an object's own description within a field, where `doc` describes the field.
const ABOUT: &str = "about";

/// Reads the JSON form.
pub(super) fn read(text: &str) -> Result<Schema> {
    let value = Value::from_json(text).map_err(|cause| {
        let what = shortened(&format!("the schema is not valid JSON: {cause}"));
        Error::new(Kind::Usage, what, "correct it; each name may occur once")
    })?;
    let Value::Map(root) = &value else {
        return Err(wrong("the root", "it is not an object"));
    };
    let is_whole = root.get("type").and_then(Value::as_str) == Some("object");
    let root = if is_whole { read_object(root, "the root", 0, "doc")? } else { read_fields(root, "the root", 0)? };
    Schema::new(root)
}

fn read_fields(fields: &Map, place: &str, depth: usize) -> Result<SchemaObject> {
    let mut object = SchemaObject::default();
    for (name, value) in fields {
        let field = read_field(value, &format!("field {name} of {place}"), depth + 1)?;
        object.fields.insert(name.clone(), field);
    }
    Ok(object)
}

fn read_field(value: &Value, place: &str, depth: usize) -> Result<SchemaField> {
    match value {
        Value::Str(short) => {
            let (of, optional) = read_short(short, place)?;
            Ok(SchemaField { of, doc: None, optional })
        }
        Value::Map(map) => {
            let (of, optional) = read_long(map, place, depth, ABOUT)?;
            let marked = match map.get("optional") {
                None => false,
                Some(Value::Bool(yes)) => *yes,
                Some(_) => return Err(wrong(place, "`optional` is true or false")),
            };
            let doc = if map.contains_key("type") { read_text(map, "doc", place)? } else { None };
            Ok(SchemaField { of, doc, optional: optional || marked })
        }
        _ => Err(wrong(place, "a type is a text or an object")),
    }
}

/// Reads the type of the values in a map or list.
fn read_inner(value: &Value, place: &str, depth: usize) -> Result<Type> {
    let (of, optional) = match value {
        Value::Str(short) => read_short(short, place)?,
        Value::Map(map) => read_long(map, place, depth, "doc")?,
        _ => return Err(wrong(place, "a type is a text or an object")),
    };
    if optional { Err(wrong(place, "only a whole field can be optional")) } else { Ok(of) }
}

fn read_short(short: &str, place: &str) -> Result<(Type, bool)> {
    let read = || -> std::result::Result<(Type, bool), String> {
        let (named, optional) = TypeName::read(short)?;
        let of = named.resolve(&mut |name| Err(format!("unknown type {name}")))?;
        Ok((of, optional))
    };
    read().map_err(|why| wrong(place, &why))
}

/// Reads a type that is written as an object. `about` is the key of an object's own description.
fn read_long(map: &Map, place: &str, depth: usize, about: &str) -> Result<(Type, bool)> {
    if depth > MAX_DEPTH {
        return Err(wrong(place, &too_large()));
    }
    if !map.contains_key("type") {
        return Ok((Type::Object(Arc::new(read_fields(map, place, depth)?)), false));
    }
    let Some(short) = read_text(map, "type", place)? else {
        return Err(wrong(place, "`type` is empty"));
    };
    let inner = || match map.get("of") {
        Some(of) => Ok(Box::new(read_inner(of, place, depth + 1)?)),
        None => Err(wrong(place, "its element type is missing: add `of`")),
    };
    let (named, optional) = TypeName::read(&short).map_err(|why| wrong(place, &why))?;
    let (of, keys): (Type, &[&str]) = match named {
        TypeName::Object => {
            (Type::Object(Arc::new(read_object(map, place, depth, about)?)), &["fields", "name", ABOUT])
        }
        TypeName::Map(None) => (Type::Map(inner()?), &["of"]),
        TypeName::List(None) => (Type::List(inner()?), &["of"]),
        _ => (read_short(short.trim_end_matches('?'), place)?.0, &[]),
    };
    match map.keys().find(|key| !["type", "doc", "optional"].contains(&key.as_str()) && !keys.contains(&key.as_str())) {
        Some(key) => Err(wrong(place, &format!("{key:?} means nothing for type {short:?}"))),
        None => Ok((of, optional)),
    }
}

fn read_object(map: &Map, place: &str, depth: usize, about: &str) -> Result<SchemaObject> {
    let Some(Value::Map(fields)) = map.get("fields") else {
        return Err(wrong(place, "an object needs `fields`"));
    };
    let object = read_fields(fields, place, depth)?;
    let doc = read_text(map, about, place)?.or(read_text(map, ABOUT, place)?);
    Ok(SchemaObject { name: read_text(map, "name", place)?, doc, ..object })
}

fn read_text(map: &Map, key: &str, place: &str) -> Result<Option<String>> {
    match map.get(key) {
        None => Ok(None),
        Some(Value::Str(text)) => Ok(one_line(text)),
        Some(_) => Err(wrong(place, &format!("{key:?} is a text"))),
    }
}

impl Schema {
    /// Returns the JSON form, with short names where they lose nothing. [`Schema::read`] converts
    /// it back to the same schema.
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
    match (short(&field.of), &field.doc) {
        (Some(short), None) => Value::Str(short + mark),
        (_, doc) => {
            let mut map = long(&field.of, ABOUT);
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

fn long(of: &Type, about: &str) -> Map {
    let mut map = Map::new();
    let mut holder = |word: &str, inner: &Type| {
        map.insert("type".into(), word.into());
        map.insert("of".into(), short(inner).map_or_else(|| Value::Map(long(inner, "doc")), Value::Str));
    };
    match (of, short(of)) {
        (_, Some(short)) => drop(map.insert("type".into(), short.into())),
        (Type::Map(inner), None) => holder("map", inner),
        (Type::List(inner), None) => holder("list", inner),
        (Type::Object(of), None) => return object(of, about),
        _ => {}
    }
    map
}

fn object(of: &SchemaObject, about: &str) -> Map {
    let texts = [("name", &of.name), (about, &of.doc)];
    let texts = texts.into_iter().filter_map(|(key, text)| Some((key.to_string(), Value::from(text.as_deref()?))));
    let mut map = Map::from([("type".to_string(), Value::from("object"))]);
    map.extend(texts);
    map.insert("fields".into(), fields(of));
    map
}

/// Returns the short name of a type; `None` if it contains an object.
fn short(of: &Type) -> Option<String> {
    Some(match of {
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

    fn why(text: &str) -> String {
        Schema::read(text).unwrap_err().what().to_string()
    }

    #[test]
    fn what_is_written_is_what_was_read() {
        for text in [
            r#"{"matches":"map<str, float>","done":"bool?"}"#,
            r#"{"type":"object","name":"Memory","doc":"All of it.","fields":{"n":{"type":"int","doc":"How many.","optional":true}}}"#,
            r#"{"p":{"type":"map","doc":"Who.","of":{"type":"object","doc":"One.","fields":{"age":"int"}}}}"#,
            r#"{"one":{"type":"object","doc":"The one.","name":"One","about":"Any one.","fields":{"type":"str"}}}"#,
            r#"{"type":"str"}"#,
        ] {
            assert_eq!(Schema::read(text).unwrap().json().to_string(), text);
        }
    }

    #[test]
    fn fields_alone_are_an_object() {
        let schema = Schema::read(r#"{"p":{"type":"map","of":{"age":"int","at":{"x":"float"}}}}"#).unwrap();
        let long = r#"{"p":{"type":"map","of":{"type":"object","fields":{"age":"int","at":{"type":"object","fields":{"x":"float"}}}}}}"#;
        assert_eq!(schema.json().to_string(), long);
    }

    #[test]
    fn errors_name_the_field_or_line() {
        assert!(why("{\"a\":\"int\",\n\"a\":\"str\"}").contains("\"a\" comes twice at line 2"));
        assert!(why(r#"{"a":{"b":"any"}}"#).contains("field b of field a of the root: unknown type any"));
        assert!(why(r#"{"a b":"int"}"#).contains("one word of letters"));
        assert!(why(r#"{"a":{"type":"map"}}"#).contains("add `of`"));
        assert!(why(r#"{"a":{"type":"object"}}"#).contains("needs `fields`"));
        assert!(why(r#"{"a":{"type":"int","of":"str"}}"#).contains("\"of\" means nothing"));
        assert!(why(r#"{"a":1}"#).contains("a type is a text or an object"));
        assert!(why("{}").contains("without fields"));
        assert!(why("{").contains("not valid JSON"));
    }

    #[test]
    fn two_classes_of_one_name_are_refused() {
        let class = |field: &str| format!(r#"{{"type":"object","name":"C","fields":{{"{field}":"int"}}}}"#);
        assert!(
            why(&format!(r#"{{"a":{},"b":{}}}"#, class("x"), class("y"))).contains("two different classes are named C")
        );
        assert!(Schema::read(&format!(r#"{{"a":{},"b":{}}}"#, class("x"), class("x"))).is_ok());
    }

    #[test]
    fn depth_has_a_limit() {
        let nested =
            |depth: usize| format!(r#"{{"a":{}"int"{}}}"#, r#"{"type":"list","of":"#.repeat(depth), "}".repeat(depth));
        assert!(Schema::read(&nested(15)).is_ok());
        assert!(why(&nested(16)).contains("16 levels"));
        assert!(why(&nested(100_000)).contains("recursion limit"));
    }
}
