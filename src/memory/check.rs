//! Whether a value fits its type: strict, but for an int where a float is wanted, and a container that comes as JSON
//! text.

use super::loose;
use super::revision::{Fault, RejectionReason};
use super::schema::{SchemaObject, Type};
use super::value::Value;

/// The longest text, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;
/// The longest key of a map, in bytes.
pub const MAX_KEY: usize = 4 * 1024;
/// The most entries of a map or list.
pub const MAX_ENTRIES: usize = 100_000;

/// The value as its type has it. What an object leaves out stays out. A fault begins after the name of the value.
pub(super) fn conform(of: &Type, value: &Value) -> Result<Value, Fault> {
    match (of, value) {
        (Type::List(_) | Type::Map(_) | Type::Object(_), Value::Str(text)) => {
            // Models often quote a value that is no text.
            let unquoted = loose::whole(text).filter(|value| matches!(value, Value::List(_) | Value::Map(_)));
            fit(of, unquoted.as_ref().unwrap_or(value))
        }
        _ => fit(of, value),
    }
}

fn fit(of: &Type, value: &Value) -> Result<Value, Fault> {
    match (of, value) {
        (Type::Bool, Value::Bool(_)) | (Type::Int, Value::Int(_)) => Ok(value.clone()),
        (Type::Float, Value::Int(number)) => Ok(Value::Float(*number as f64)),
        (Type::Float, Value::Float(number)) if number.is_finite() => Ok(value.clone()),
        (Type::Float, Value::Float(_)) => Err((RejectionReason::Type, " is a number that is not finite".into())),
        (Type::Str, Value::Str(text)) if text.len() > MAX_TEXT => {
            Err((RejectionReason::TooLarge, format!(" is a text of {} bytes; {MAX_TEXT} are the most", text.len())))
        }
        (Type::Str, Value::Str(_)) => Ok(value.clone()),
        (Type::List(inner), Value::List(list)) => {
            check_count(list.len())?;
            let fit_at = |(at, value)| fit(inner, value).map_err(|fault| named(&format!("[{at}]"), fault));
            Ok(Value::List(list.iter().enumerate().map(fit_at).collect::<Result<_, _>>()?))
        }
        (Type::Map(inner), Value::Map(map)) => {
            check_count(map.len())?;
            let fit_at = |(key, value): (&String, &Value)| {
                check_key(key)?;
                let fit = fit(inner, value).map_err(|fault| named(&format!("[{key:?}]"), fault))?;
                Ok((key.clone(), fit))
            };
            map.iter().map(fit_at).collect()
        }
        (Type::Object(object), Value::Map(map)) => {
            let fit_at = |(key, value): (&String, &Value)| {
                let field = object.fields.get(key).ok_or_else(|| unknown(object, key))?;
                let fit = fit(&field.of, value).map_err(|fault| named(&format!(".{key}"), fault))?;
                Ok((key.clone(), fit))
            };
            map.iter().map(fit_at).collect()
        }
        _ => Err((RejectionReason::Type, format!(" is of type {}, not {}", value.kind(), kind(of)))),
    }
}

/// A fault of what has this name.
pub(super) fn named(name: &str, (reason, why): Fault) -> Fault {
    (reason, format!("{name}{why}"))
}

/// A field that is not declared.
pub(super) fn unknown(object: &SchemaObject, key: &str) -> Fault {
    let fields: Vec<&str> = object.fields.keys().map(String::as_str).collect();
    (RejectionReason::Place, format!(" has no field {key:?}; it has {}", fields.join(", ")))
}

/// Whether a map may have this key.
pub(super) fn check_key(key: &str) -> Result<(), Fault> {
    if key.len() <= MAX_KEY {
        return Ok(());
    }
    Err((RejectionReason::TooLarge, format!(" has a key of {} bytes; {MAX_KEY} are the most", key.len())))
}

/// Whether a map or list may have so many entries.
pub(super) fn check_count(entries: usize) -> Result<(), Fault> {
    if entries <= MAX_ENTRIES {
        return Ok(());
    }
    Err((RejectionReason::TooLarge, format!(" would have {entries} entries; {MAX_ENTRIES} are the most")))
}

/// What a type is, in one word.
pub(super) fn kind(of: &Type) -> &'static str {
    match of {
        Type::Str => "str",
        Type::Int => "int",
        Type::Float => "float",
        Type::Bool => "bool",
        Type::List(_) => "list",
        Type::Map(_) => "map",
        Type::Object(_) => "object",
    }
}
