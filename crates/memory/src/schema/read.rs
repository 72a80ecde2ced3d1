//! Parses a schema from JSON Schema.
//!
//! ```json
//! {"type": "object", "properties": {
//!   "matches": {"type": "object", "additionalProperties": {"type": "number"}},
//!   "people": {"type": "array", "items": {"$ref": "#/$defs/Person"}}},
//!  "$defs": {"Person": {"type": "object", "properties": {"name": {"type": "string"}}}}}
//! ```
//!
//! - An object with `properties` has declared fields, and an object with `additionalProperties` is
//!   a map.
//! - `title`, or else the name in `$defs`, is the class name of an object if it is an identifier.
//! - A field is optional if its type includes `null`, or if the object has a list `required` that
//!   omits it.
//! - Constraints on values, such as `enum` or `minimum`, and unknown keywords are ignored. Keywords
//!   that combine types, such as `allOf`, are errors.

use super::{MAX_DEPTH, Schema, SchemaField, SchemaObject, Type, invalid, is_class_name, one_line, too_large};
use crate::revision::shortened;
use indexmap::IndexMap;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// Parses a JSON Schema.
pub(super) fn read(text: &str) -> Result<Schema> {
    let root: Node = serde_json::from_str(text).map_err(|cause| {
        let expected = if cause.is_data() { "JSON Schema" } else { "JSON" };
        let what = shortened(&format!("the schema is not valid {expected}: {cause}"));
        Error::new(Kind::Usage, what, Remedy::CorrectSchema)
    })?;
    let mut reader = NodeReader { root: &root, definitions: BTreeMap::new(), open: Vec::new() };
    match reader.read(&root, "the root", 0)?.ty {
        Type::Object(object) => Schema::new(Arc::unwrap_or_clone(object)),
        _ => Err(invalid("the root", "it must be an object with `properties`")),
    }
}

/// A schema, or part of one, as written.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a schema (an object)")]
struct Node {
    #[serde(rename = "type")]
    kind: Option<TypeNames>,
    title: Option<String>,
    description: Option<String>,
    properties: Option<IndexMap<String, Node>>,
    additional_properties: Option<AdditionalProperties>,
    required: Option<Vec<String>>,
    items: Option<Box<Node>>,
    any_of: Option<Vec<Node>>,
    one_of: Option<Vec<Node>>,
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(rename = "$defs")]
    defs: Option<BTreeMap<String, Node>>,
    definitions: Option<BTreeMap<String, Node>>,
    all_of: Option<IgnoredAny>,
    not: Option<IgnoredAny>,
    #[serde(rename = "if")]
    condition: Option<IgnoredAny>,
    pattern_properties: Option<IgnoredAny>,
    prefix_items: Option<IgnoredAny>,
}

/// Value of the keyword `type`.
#[derive(Deserialize)]
#[serde(untagged, expecting = "`type` must be a name or a list of names")]
enum TypeNames {
    One(String),
    Many(Vec<String>),
}

/// Value of the keyword `additionalProperties`.
enum AdditionalProperties {
    /// True or false. In either case, an object with `properties` accepts no other names.
    Untyped,
    Typed(Box<Node>),
}

impl<'de> Deserialize<'de> for AdditionalProperties {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(AdditionalPropertiesVisitor)
    }
}

struct AdditionalPropertiesVisitor;

impl<'de> Visitor<'de> for AdditionalPropertiesVisitor {
    type Value = AdditionalProperties;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true, false or a schema")
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Self::Value, E> {
        Ok(AdditionalProperties::Untyped)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<Self::Value, A::Error> {
        let node = Node::deserialize(MapAccessDeserializer::new(map))?;
        Ok(AdditionalProperties::Typed(Box::new(node)))
    }
}

impl Node {
    /// Returns the first unsupported keyword.
    fn unsupported(&self) -> Option<&'static str> {
        let keywords = [
            ("allOf", &self.all_of),
            ("not", &self.not),
            ("if", &self.condition),
            ("patternProperties", &self.pattern_properties),
            ("prefixItems", &self.prefix_items),
        ];
        keywords.into_iter().find(|(_, value)| value.is_some()).map(|(keyword, _)| keyword)
    }

    /// Returns the name of the type, and true if the value may also be null. A missing type is
    /// derived from `properties` or `items`.
    fn type_name(&self, place: &str) -> Result<(&str, bool)> {
        let names: Vec<&str> = match &self.kind {
            Some(TypeNames::One(name)) => vec![name],
            Some(TypeNames::Many(names)) => names.iter().map(String::as_str).collect(),
            None if self.properties.is_some() || self.additional_properties.is_some() => vec!["object"],
            None if self.items.is_some() => vec!["array"],
            None => return Err(invalid(place, "its `type` is missing")),
        };
        let mut types = names.iter().copied().filter(|&name| name != "null");
        match (types.next(), types.next()) {
            (Some(name), None) => Ok((name, names.contains(&"null"))),
            _ => Err(invalid(place, "it needs exactly one type, in addition to `null`")),
        }
    }
}

/// A type, with the information that its field needs.
#[derive(Clone)]
struct TypeInfo {
    ty: Type,
    /// Description of the value; `None` for an object with a named definition, which has its own
    /// description.
    doc: Option<String>,
    is_nullable: bool,
    /// True for an object with a named definition.
    is_shared: bool,
}

struct NodeReader<'a> {
    root: &'a Node,
    /// Definitions that were read, indexed by name.
    definitions: BTreeMap<&'a str, TypeInfo>,
    /// Names of the definitions that are being read, to detect a definition that contains itself.
    open: Vec<&'a str>,
}

impl<'a> NodeReader<'a> {
    fn read(&mut self, node: &'a Node, place: &str, depth: usize) -> Result<TypeInfo> {
        if depth > MAX_DEPTH {
            return Err(invalid(place, &too_large()));
        }
        if let Some(keyword) = node.unsupported() {
            return Err(invalid(place, &format!("the keyword `{keyword}` is not supported")));
        }
        if let Some(reference) = &node.reference {
            let info = self.definition(reference, place, depth)?;
            return Ok(TypeInfo { doc: description(node).or(info.doc), ..info });
        }
        if let Some(choices) = node.any_of.as_ref().or(node.one_of.as_ref()) {
            let info = self.read_choice(choices, place, depth)?;
            return Ok(TypeInfo { doc: description(node).or(info.doc), is_nullable: true, ..info });
        }
        let (name, is_nullable) = node.type_name(place)?;
        let ty = match name {
            "string" => Type::Str,
            "integer" => Type::Int,
            "number" => Type::Float,
            "boolean" => Type::Bool,
            "array" => Type::List(self.read_element(node.items.as_deref(), "items", place, depth)?),
            "object" => self.read_object(node, place, depth)?,
            _ => return Err(invalid(place, &format!("unknown type {name:?}"))),
        };
        Ok(TypeInfo { ty, doc: description(node), is_nullable, is_shared: false })
    }

    /// Reads the alternatives of a nullable type: the type and `null`.
    fn read_choice(&mut self, choices: &'a [Node], place: &str, depth: usize) -> Result<TypeInfo> {
        let is_null = |node: &&Node| matches!(&node.kind, Some(TypeNames::One(name)) if name == "null");
        let mut types = choices.iter().filter(|node| !is_null(node));
        match (types.next(), types.next(), choices.iter().any(|node| is_null(&node))) {
            (Some(node), None, true) => self.read(node, place, depth),
            _ => Err(invalid(place, "`anyOf` must be one type and `null`")),
        }
    }

    /// Reads an object with fields, or a map.
    fn read_object(&mut self, node: &'a Node, place: &str, depth: usize) -> Result<Type> {
        let values = match &node.additional_properties {
            Some(AdditionalProperties::Typed(values)) => Some(values.as_ref()),
            Some(AdditionalProperties::Untyped) | None => None,
        };
        let Some(properties) = node.properties.as_ref().filter(|fields| !fields.is_empty() || values.is_none()) else {
            return match values {
                Some(_) => Ok(Type::Map(self.read_element(values, "additionalProperties", place, depth)?)),
                None => Err(invalid(place, "an object needs `properties`, or `additionalProperties` with a type")),
            };
        };
        if values.is_some() {
            return Err(invalid(place, "an object has either `properties` or typed `additionalProperties`"));
        }
        let name = node.title.clone().filter(|title| is_class_name(title));
        let mut object = SchemaObject { name, doc: description(node), fields: IndexMap::new() };
        for (name, property) in properties {
            let mut field = self.read_field(property, &format!("field {name} of {place}"), depth + 1)?;
            field.optional |= node.required.as_ref().is_some_and(|required| !required.contains(name));
            object.fields.insert(name.clone(), field);
        }
        Ok(Type::Object(Arc::new(object)))
    }

    fn read_field(&mut self, node: &'a Node, place: &str, depth: usize) -> Result<SchemaField> {
        let TypeInfo { ty, doc, is_nullable, is_shared } = self.read(node, place, depth)?;
        // Without a definition, an object and its field share one description, which belongs to the
        // field.
        let ty = match ty {
            Type::Object(object) if !is_shared => {
                Type::Object(Arc::new(SchemaObject { doc: None, ..Arc::unwrap_or_clone(object) }))
            }
            ty => ty,
        };
        Ok(SchemaField { ty, doc, optional: is_nullable })
    }

    /// Reads the type of the values in a map or list, which `keyword` specifies.
    fn read_element(&mut self, node: Option<&'a Node>, keyword: &str, place: &str, depth: usize) -> Result<Box<Type>> {
        let Some(node) = node else {
            return Err(invalid(place, &format!("its element type is missing: add `{keyword}`")));
        };
        let element = self.read(node, place, depth + 1)?;
        match element.is_nullable {
            true => Err(invalid(place, "only a field can be null")),
            false => Ok(Box::new(element.ty)),
        }
    }

    /// Reads the definition that `$ref` refers to.
    fn definition(&mut self, reference: &'a str, place: &str, depth: usize) -> Result<TypeInfo> {
        let found = match (reference.strip_prefix("#/$defs/"), reference.strip_prefix("#/definitions/")) {
            (Some(name), _) => self.root.defs.as_ref().and_then(|all| all.get_key_value(name)),
            (_, Some(name)) => self.root.definitions.as_ref().and_then(|all| all.get_key_value(name)),
            _ => return Err(invalid(place, "`$ref` must have the form `#/$defs/NAME`")),
        };
        let Some((name, node)) = found else {
            return Err(invalid(place, &format!("`$ref` refers to {reference:?}, which does not exist")));
        };
        if let Some(info) = self.definitions.get(reference) {
            return Ok(info.clone());
        }
        if self.open.contains(&reference) {
            return Err(invalid(place, &format!("the definition {name} contains itself")));
        }
        if self.open.len() > MAX_DEPTH {
            return Err(invalid(place, &too_large()));
        }
        self.open.push(reference);
        let mut info = self.read(node, &format!("the definition {name}"), depth)?;
        self.open.pop();
        if let Type::Object(object) = &mut info.ty {
            let object = Arc::make_mut(object);
            object.name = object.name.take().or_else(|| Some(name.clone()).filter(|name| is_class_name(name)));
            info.is_shared = object.name.is_some();
            // A named class keeps its description, which a field does not repeat.
            info.doc = info.doc.filter(|_| !info.is_shared);
        }
        self.definitions.insert(reference, info.clone());
        Ok(info)
    }
}

fn description(node: &Node) -> Option<String> {
    node.description.as_deref().and_then(one_line)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads an object with the given properties.
    fn fields(properties: &str) -> Result<Schema> {
        Schema::read(&format!(r#"{{"type":"object","properties":{properties}}}"#))
    }

    fn error(text: &str) -> String {
        Schema::read(text).unwrap_err().what().to_string()
    }

    #[test]
    fn reads_objects_maps_lists_and_plain_types() {
        let schema = Schema::read(
            r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Memory", "type": "object",
                "description": "All  of it.",
                "properties": {
                  "people": {"type": "array", "description": "Who is met.", "items": {"$ref": "#/$defs/Person"}},
                  "captain": {"anyOf": [{"$ref": "#/$defs/Person"}, {"type": "null"}], "default": null},
                  "ship": {"properties": {"tons": {"type": ["integer", "null"], "minimum": 0}}, "description": "The ship."},
                  "scores": {"type": "object", "additionalProperties": {"type": "number"}},
                  "done": {"type": "boolean"}},
                "required": ["people", "ship", "done"],
                "$defs": {"Person": {"type": "object", "description": "A person.", "properties": {
                  "name": {"type": "string", "description": "In full."}}}}}"##,
        )
        .unwrap();
        let expected = r#"@dataclass
class Person:
    """A person."""
    name: str  # In full.

@dataclass
class Ship:
    tons: Optional[int]

@dataclass
class Memory:
    """All of it."""
    people: List[Person]  # Who is met.
    captain: Optional[Person]
    ship: Ship  # The ship.
    scores: Optional[Dict[str, float]]
    done: bool
"#;
        assert_eq!(schema.dataclass(), expected);
        assert_eq!(Schema::read(&schema.json_schema().to_string()).unwrap(), schema);
    }

    #[test]
    fn reads_definitions_of_any_kind() {
        let text = r##"{"$ref": "#/definitions/All", "definitions": {"All": {"properties": {
            "color": {"$ref": "#/definitions/a-color"}, "at": {"$ref": "#/definitions/a-point", "description": "Here."}}},
            "a-color": {"type": "string", "description": "A color."},
            "a-point": {"description": "A point.", "properties": {"x": {"type": "number"}}}}}"##;
        let schema = Schema::read(text).unwrap();
        let expected = "@dataclass\nclass At:\n    x: float\n\n@dataclass\nclass All:\n    color: str  # A color.\n    at: At  # Here.\n";
        assert_eq!(schema.dataclass(), expected);
        assert_eq!(Schema::read(&schema.json_schema().to_string()).unwrap(), schema);
    }

    #[test]
    fn names_objects_without_titles_after_their_fields() {
        let object = |ty: &str| format!(r#"{{"type":"object","properties":{{"x":{{"type":"{ty}"}}}}}}"#);
        let list = format!(r#"{{"type":"array","items":{{"properties":{{"a_b":{}}}}}}}"#, object("string"));
        let schema = fields(&format!(r#"{{"a_b":{},"list":{list}}}"#, object("integer"))).unwrap();
        let text = schema.dataclass();
        assert!(
            text.contains("a_b: AB\n") && text.contains("a_b: AB2\n") && text.contains("list: List[OfList]"),
            "{text}"
        );
    }

    #[test]
    fn errors_name_the_field_or_line() {
        for (properties, expected) in [
            (r#"{"a":{"type":"any"}}"#, "field a of the root: unknown type \"any\""),
            (r#"{"a":{"properties":{"b":{}}}}"#, "field b of field a of the root: its `type` is missing"),
            (r#"{"a b":{"type":"string"}}"#, "a single word made up of letters"),
            (r#"{"a":{"type":"object"}}"#, "needs `properties`"),
            (r#"{"a":{"type":"object","properties":{}}}"#, "has no fields"),
            (r#"{"a":{"type":"array"}}"#, "add `items`"),
            (r#"{"a":{"type":["string","integer"]}}"#, "exactly one type"),
            (r#"{"a":{"type":"null"}}"#, "exactly one type"),
            (r#"{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}}"#, "one type and `null`"),
            (r#"{"a":{"allOf":[]}}"#, "`allOf` is not supported"),
            (r#"{"a":{"type":"array","items":{"type":["string","null"]}}}"#, "only a field can be null"),
            (r##"{"a":{"$ref":"#/$defs/B"}}"##, "\"#/$defs/B\", which does not exist"),
            (r#"{"a":{"$ref":"other.json"}}"#, "must have the form"),
            (r#"{"a":1}"#, "not valid JSON Schema: invalid type: integer `1`, expected a schema"),
            (r#"{"a":{"type":"object","additionalProperties":1}}"#, "true, false or a schema at line 1"),
            ("{}", "has no fields"),
        ] {
            let error = fields(properties).unwrap_err().what().to_string();
            assert!(error.contains(expected), "{properties}: {error}");
        }
        for (text, expected) in [
            ("@dataclass\nclass Memory:\n    notes: str\n", "not valid JSON: expected value at line 1"),
            (r#"{"matches": "map<str, float>"}"#, "the root: its `type` is missing"),
            (r#"{"type":"object","additionalProperties":{"type":"number"}}"#, "the root: it must be an object"),
            ("{", "not valid JSON: EOF"),
            ("", "not valid JSON: EOF"),
        ] {
            assert!(error(text).contains(expected), "{text}: {}", error(text));
        }
    }

    #[test]
    fn rejects_two_classes_with_the_same_name() {
        let class = |field: &str| format!(r#"{{"title":"C","properties":{{"{field}":{{"type":"integer"}}}}}}"#);
        let both = |a: &str, b: &str| fields(&format!(r#"{{"a":{},"b":{}}}"#, class(a), class(b)));
        assert!(both("x", "y").unwrap_err().what().contains("two different classes are named C"));
        assert!(both("x", "x").is_ok());
    }

    #[test]
    fn limits_depth_and_size() {
        let nested = |depth: usize| {
            let (start, end) = (r#"{"type":"array","items":"#.repeat(depth), "}".repeat(depth));
            format!(r#"{{"properties":{{"a":{start}{{"type":"integer"}}{end}}}}}"#)
        };
        assert!(Schema::read(&nested(15)).is_ok());
        assert!(error(&nested(16)).contains("16 levels"));
        assert!(error(&nested(100_000)).contains("recursion limit"));
        let chain = |links: usize, link: &dyn Fn(usize) -> String| {
            let definitions: Vec<String> = (0..links).map(|at| format!(r#""C{at}":{}"#, link(at + 1))).collect();
            let last = format!(r#""C{links}":{{"type":"integer"}}"#);
            format!(
                r##"{{"properties":{{"a":{{"$ref":"#/$defs/C0"}}}},"$defs":{{{},{last}}}}}"##,
                definitions.join(",")
            )
        };
        let reference = |at: usize| format!(r##"{{"$ref":"#/$defs/C{at}"}}"##);
        assert!(error(&chain(10_000, &reference)).contains("16 levels"));
        let double = |at: usize| format!(r#"{{"properties":{{"x":{0},"y":{0}}}}}"#, reference(at));
        assert!(error(&chain(14, &double)).contains("1024 types"));
        assert!(error(&chain(3, &|_| reference(0))).contains("the definition C0 contains itself"));
    }
}
