//! Values in a memory. Maps keep their insertion order.
//!
//! - **Alternatives:** `serde_json::Value` sorts the keys of a map, and a prompt whose lines change
//!   places does not share a prefix with the previous one. Its feature `preserve_order` keeps the
//!   order, but a feature applies to the whole program: the key order of every `--json` output made
//!   with `json!` would change. Using only the writer of serde_json does not work either: it writes
//!   `1e+300` and `\b` where this module writes `1e300` and `\u0008`, and text that was already
//!   written must stay the same.

use super::quoted::write_quoted;
use indexmap::IndexMap;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use serde::{Deserialize, Deserializer};
use std::fmt::{self, Write};

/// Map from names to values, in insertion order.
pub type Map = IndexMap<String, Value>;

/// A value in a memory. Objects are maps. There is no null: an unknown value is absent.
///
/// Equality ignores the order of keys; the printed JSON does not.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number; a memory accepts only finite numbers.
    Float(f64),
    /// A string.
    Str(String),
    /// Values indexed by number.
    List(Vec<Value>),
    /// Values indexed by name.
    Map(Map),
}

impl Value {
    /// Parses strict JSON and keeps the order of keys. Rejects null, duplicate names, and numbers
    /// outside the range of `f64`. A whole number outside the range of `i64` becomes a float.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }

    /// Appends compact JSON with keys in insertion order. A float that is not finite is written as
    /// `null`.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Self::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
            // Writing to a string cannot fail.
            Self::Int(number) => drop(write!(out, "{number}")),
            Self::Float(number) if number.is_finite() => drop(write!(out, "{number:?}")),
            Self::Float(_) => out.push_str("null"),
            Self::Str(text) => write_quoted(out, text, '"'),
            Self::List(values) => {
                out.push('[');
                for (at, value) in values.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    value.write_json(out);
                }
                out.push(']');
            }
            Self::Map(values) => {
                out.push('{');
                for (at, (key, value)) in values.iter().enumerate() {
                    out.push_str(if at == 0 { "" } else { "," });
                    write_quoted(out, key, '"');
                    out.push(':');
                    value.write_json(out);
                }
                out.push('}');
            }
        }
    }

    /// Returns the value of `key`, or `None` if this is not a map or the map does not contain the
    /// key.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_map()?.get(key)
    }

    /// Returns the map, or `None` if this is a different kind of value.
    pub fn as_map(&self) -> Option<&Map> {
        if let Self::Map(map) = self { Some(map) } else { None }
    }

    /// Returns the list, or `None` if this is a different kind of value.
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(list) = self { Some(list) } else { None }
    }

    /// Returns the string, or `None` if this is a different kind of value.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::Str(text) = self { Some(text) } else { None }
    }

    /// Returns the kind of the value, in one word for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Float(_) => "float",
            Self::Str(_) => "str",
            Self::List(_) => "list",
            Self::Map(_) => "map",
        }
    }
}

/// Formats the value as compact JSON.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        self.write_json(&mut out);
        f.write_str(&out)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Str(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Str(text)
    }
}

impl FromIterator<(String, Value)> for Value {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(entries: I) -> Self {
        Self::Map(entries.into_iter().collect())
    }
}

/// Does not keep the order of keys. A float that is not finite becomes null.
impl From<&Value> for serde_json::Value {
    fn from(value: &Value) -> Self {
        match value {
            Value::Bool(yes) => Self::Bool(*yes),
            Value::Int(number) => Self::from(*number),
            Value::Float(number) => Self::from(*number),
            Value::Str(text) => Self::String(text.clone()),
            Value::List(values) => Self::Array(values.iter().map(Self::from).collect()),
            Value::Map(values) => Self::Object(values.iter().map(|(k, v)| (k.clone(), Self::from(v))).collect()),
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(yes) => to.serialize_bool(*yes),
            Self::Int(number) => to.serialize_i64(*number),
            Self::Float(number) => to.serialize_f64(*number),
            Self::Str(text) => to.serialize_str(text),
            Self::List(values) => to.collect_seq(values),
            Self::Map(values) => to.collect_map(values),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value other than null")
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Value, E> {
        Ok(Value::Bool(yes))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Int(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(i64::try_from(number).map_or(Value::Float(number as f64), Value::Int))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<Value, E> {
        if number.is_finite() { Ok(Value::Float(number)) } else { Err(E::custom("a number that is not finite")) }
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = entries.next_element()? {
            list.push(value);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("duplicate name {key:?}")));
            }
            map.insert(key, value);
        }
        Ok(Value::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_keys_in_insertion_order() {
        let text = r#"{"b":1,"a":[true,2.0,-0.5,1e300,"x\n\"y\""],"":{"z":{},"é":[]}}"#;
        let value = Value::from_json(text).unwrap();
        assert_eq!(value.to_string(), text);
        assert_eq!(serde_json::to_string(&value).unwrap(), text.replace("1e300", "1e+300"));
    }

    #[test]
    fn rejects_null_and_duplicate_names() {
        let error = |text: &str| Value::from_json(text).unwrap_err().to_string();
        assert!(error(r#"{"a":null}"#).contains("null"));
        assert!(error("{\"a\":1,\n\"a\":2}").starts_with("duplicate name \"a\" at line 2"));
        assert!(Value::deserialize(serde_json::Value::Null).is_err());
    }

    #[test]
    fn reads_whole_numbers_as_int_if_they_fit() {
        let read = |text: &str| Value::from_json(text).unwrap();
        assert_eq!(read("9223372036854775807"), Value::Int(i64::MAX));
        assert_eq!(read("9223372036854775808"), Value::Float(9_223_372_036_854_775_808.0));
        assert_eq!(read("1.0").to_string(), "1.0");
        assert!(Value::from_json("1e999").is_err(), "no infinity");
    }

    #[test]
    fn conversion_to_serde_json_loses_only_the_order() {
        let value = Value::from_json(r#"{"b":[1,0.5,"x",false],"a":{}}"#).unwrap();
        assert_eq!(Value::deserialize(serde_json::Value::from(&value)).unwrap(), value);
    }
}
