//! Places, numbers and lines of JSON.

use crate::answer::DefinitionLocation;
use crate::text::{path_bytes, path_lossy};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};

/// A place with its path. A name that is no UTF-8 stands with U+FFFD in `path`, and byte for byte, in base64, in
/// `path_bytes`.
pub fn with_path(mut place: Value, path: &str) -> Value {
    place["path"] = path_lossy(path).into();
    if let Some(bytes) = path_bytes(path) {
        place["path_bytes"] = BASE64_STANDARD.encode(bytes).into();
    }
    place
}

/// A definition and its place.
pub fn location(location: &DefinitionLocation) -> Value {
    let place = json!({
        "start_line": location.start_line,
        "end_line": location.end_line,
        "line": location.line,
        "name": location.name,
        "kind": location.kind,
    });
    with_path(place, &location.path)
}

/// A value on a line of its own.
pub fn line(value: &Value) -> String {
    format!("{value}\n")
}

/// Milliseconds to the microsecond.
pub fn rounded(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}
