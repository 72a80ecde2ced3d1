//! Remarks that a reader adds to its revisions: that it is certain, or that reading should continue
//! with certain entries.
//!
//! - **Invariant:** a reader without remarks is handled as before. A remark in a different form
//!   than requested is accepted if its meaning is unambiguous.

use super::value::{Map, Value};
use serde::Serialize;

/// A reader's requests for the rest of the reading. The field names are keys of `trace` in JSON and
/// of replies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Remarks {
    /// Keys of the certain answers, best first; empty if the reader is certain but names no key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<Vec<String>>,
    /// Keys to read next, which means that reading continues.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<Vec<String>>,
}

impl Remarks {
    /// Checks whether there are no remarks.
    pub fn is_empty(&self) -> bool {
        self.certain.is_none() && self.more.is_none()
    }

    /// Removes the remarks from an object and records them. Later remarks win.
    pub(super) fn take(&mut self, map: &mut Map) {
        map.retain(|name, value| match name.to_ascii_lowercase().as_str() {
            "certain" => {
                // A list without any key does not count as certain, but a plain `true` does.
                let keys_given = texts(value).filter(|keys| !keys.is_empty() || *value == Value::Bool(true));
                self.certain = keys_given.or(self.certain.take());
                false
            }
            "more" => {
                self.more = texts(value).or(self.more.take());
                false
            }
            _ => true,
        });
    }
}

/// Returns the strings in a list, a single string, or an empty list for a plain `true`.
fn texts(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    match value {
        Value::List(values) => Some(values.iter().filter_map(text).collect()),
        Value::Str(_) => Some(text(value).into_iter().collect()),
        Value::Bool(true) => Some(Vec::new()),
        _ => None,
    }
}
