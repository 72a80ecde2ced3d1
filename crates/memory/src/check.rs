//! Validates values against their types. The validation is strict, with two exceptions: an int is
//! accepted for a float, and a container may be given as JSON text.

use super::loose;
use super::revision::{Fault, RejectionReason};
use super::schema::{SchemaObject, Type};
use super::value::Value;

/// Maximum length of a string in bytes.
pub const MAX_TEXT: usize = 16 * 1024;
/// Maximum length of a map key in bytes.
pub const MAX_KEY: usize = 4 * 1024;
/// Maximum number of entries in a map or list.
pub const MAX_ENTRIES: usize = 100_000;

/// Converts a value to its type. Fields that an object omits stay absent. The message of a fault is
/// meant to follow the name of the value.
pub(super) fn conform(ty: &Type, value: &Value) -> Result<Value, Fault> {
    match (ty, value) {
        (Type::List(_) | Type::Map(_) | Type::Object(_), Value::Str(text)) => {
            // Models often put a list or map in quotes.
            let unquoted = loose::parse(text).filter(|value| matches!(value, Value::List(_) | Value::Map(_)));
            fit(ty, unquoted.as_ref().unwrap_or(value))
        }
        _ => fit(ty, value),
    }
}

fn fit(ty: &Type, value: &Value) -> Result<Value, Fault> {
    match (ty, value) {
        (Type::Bool, Value::Bool(_)) | (Type::Int, Value::Int(_)) => Ok(value.clone()),
        (Type::Float, Value::Int(number)) => Ok(Value::Float(*number as f64)),
        (Type::Float, Value::Float(number)) if number.is_finite() => Ok(value.clone()),
        (Type::Float, Value::Float(_)) => Err((RejectionReason::Type, " is a number that is not finite".into())),
        (Type::Str, Value::Str(text)) if text.len() > MAX_TEXT => {
            Err((RejectionReason::TooLarge, format!(" is a string of {} bytes; the maximum is {MAX_TEXT}", text.len())))
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
                let fit = fit(&field.ty, value).map_err(|fault| named(&format!(".{key}"), fault))?;
                Ok((key.clone(), fit))
            };
            map.iter().map(fit_at).collect()
        }
        _ => Err((RejectionReason::Type, format!(" is of type {}, not {}", value.kind(), kind(ty)))),
    }
}

/// Puts the name of the faulty value in front of a fault's message.
pub(super) fn named(name: &str, (reason, message): Fault) -> Fault {
    (reason, format!("{name}{message}"))
}

/// Returns the fault for an undeclared field.
pub(super) fn unknown(object: &SchemaObject, key: &str) -> Fault {
    let fields: Vec<&str> = object.fields.keys().map(String::as_str).collect();
    (RejectionReason::Place, format!(" has no field {key:?}; it has {}", fields.join(", ")))
}

/// Checks the length of a map key.
pub(super) fn check_key(key: &str) -> Result<(), Fault> {
    if key.len() <= MAX_KEY {
        return Ok(());
    }
    Err((RejectionReason::TooLarge, format!(" has a key of {} bytes; the maximum is {MAX_KEY}", key.len())))
}

/// Checks the number of entries in a map or list.
pub(super) fn check_count(entries: usize) -> Result<(), Fault> {
    if entries <= MAX_ENTRIES {
        return Ok(());
    }
    Err((RejectionReason::TooLarge, format!(" would have {entries} entries; the maximum is {MAX_ENTRIES}")))
}

/// Returns the kind of a type as one word for messages.
pub(super) fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::Str => "str",
        Type::Int => "int",
        Type::Float => "float",
        Type::Bool => "bool",
        Type::List(_) => "list",
        Type::Map(_) => "map",
        Type::Object(_) => "object",
    }
}
