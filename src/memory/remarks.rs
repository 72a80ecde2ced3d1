//! What a reader says beside its revisions: that it is certain, or that reading goes on, and with what.
//!
//! Law:      a reader that says neither is read as before; what is said in another form than is asked for is taken as far
//!           as its meaning is plain

use super::value::{Map, Value};
use serde::Serialize;

/// How a reader wants to go on. Its field names are keys of `trace` in JSON and of replies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Remarks {
    /// The keys of what is the answer beyond doubt, the best first; empty if it says that it is certain, and not of what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certain: Option<Vec<String>>,
    /// Reading goes on, with this first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub more: Option<Vec<String>>,
}

impl Remarks {
    /// Whether nothing was said.
    pub fn is_empty(&self) -> bool {
        self.certain.is_none() && self.more.is_none()
    }

    /// Takes what an object says of it out of the object; what comes later wins.
    pub(super) fn take(&mut self, map: &mut Map) {
        map.retain(|name, value| match name.to_ascii_lowercase().as_str() {
            "certain" => {
                // No key in a list of them is no certainty; a bare yes is.
                let said = texts(value).filter(|keys| !keys.is_empty() || *value == Value::Bool(true));
                self.certain = said.or(self.certain.take());
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

/// A list of texts, one alone, or a bare yes.
fn texts(value: &Value) -> Option<Vec<String>> {
    let text = |value: &Value| value.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    match value {
        Value::List(values) => Some(values.iter().filter_map(text).collect()),
        Value::Str(_) => Some(text(value).into_iter().collect()),
        Value::Bool(true) => Some(Vec::new()),
        _ => None,
    }
}
