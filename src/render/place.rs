//! Renders locations, numbers and lines of JSON.

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use whichfn_search::answer::DefinitionLocation;
use whichfn_text::{path_bytes, path_lossy};

/// Adds a path to a location.
///
/// A path that is not valid UTF-8 has U+FFFD in `path`, and its bytes, in base64, in `path_bytes`.
pub fn with_path(mut place: Value, path: &str) -> Value {
    place["path"] = path_lossy(path).into();
    if let Some(bytes) = path_bytes(path) {
        place["path_bytes"] = BASE64_STANDARD.encode(bytes).into();
    }
    place
}

/// Renders a definition and its location.
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

/// Renders a value on one line.
pub fn line(value: &Value) -> String {
    format!("{value}\n")
}

/// Rounds milliseconds to the microsecond.
pub fn rounded(ms: f64) -> f64 {
    (ms * 1e3).round() / 1e3
}
