//! Builds the fields of a request, and omits the fields that the server rejected.
//!
//! Servers do not announce which fields they support. After a rejection, the request is repeated
//! without the field that the error names, or without the schema if the error names no field. If
//! that helps, the field is omitted for the rest of the run.

use super::failure::Failure;
use super::{Reply, Request};
use serde_json::{Value, json};

/// Number of tokens that are added to the limit on a reply if the model thinks before it answers
/// and the limit includes its thoughts. This applies to models that require
/// `max_completion_tokens`, and to models that reached the limit before the first word of an
/// answer.
const THINKING_TOKENS: u32 = 16_384;

/// A request field that some servers do not support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestField {
    /// `stream_options`, which requests the token counts.
    Usage,
    /// `temperature`, which is set to 0.
    Temperature,
    /// `max_tokens`, which OpenAI's later models call `max_completion_tokens`.
    MaxTokens,
    /// `maxItems` and `maxLength` in the JSON Schema.
    LengthLimits,
    /// `response_format`, which contains a JSON Schema.
    Schema,
}

/// All fields, each with the words that refer to it in an error message.
const FIELDS: [(RequestField, &[&str]); 5] = [
    (RequestField::Usage, &["stream_options"]),
    (RequestField::Temperature, &["temperature"]),
    (RequestField::MaxTokens, &["max_tokens"]),
    (RequestField::LengthLimits, &["maxitems", "maxlength"]),
    (RequestField::Schema, &["response_format", "json_schema", "schema", "grammar", "guided"]),
];

/// The request fields that a server rejected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RejectedFields {
    rejected: [bool; FIELDS.len()],
    /// True if the model used the token limit of a reply entirely for its thoughts.
    thinks: bool,
}

impl RejectedFields {
    /// Returns the body of a completion request, without the rejected fields. `reports_progress` adds
    /// the fields with which llama.cpp's server reports its progress and counts.
    pub fn body(self, model: &str, request: &Request<'_>, reports_progress: bool) -> Value {
        let mut body = json!({
            "model": model,
            "messages": [{"role": "user", "content": request.prompt}],
            "stream": true,
        });
        if self.takes(RequestField::Usage) {
            body["stream_options"] = json!({"include_usage": true});
        }
        if reports_progress {
            // Without progress, a long prompt on a slow machine looks like a server that is silent.
            body["return_progress"] = json!(true);
            // A reply that is cut off never gets to the counts at its end.
            body["timings_per_token"] = json!(true);
        }
        if self.takes(RequestField::Temperature) {
            body["temperature"] = json!(0);
        }
        if let Some(most) = request.max_output {
            let counts_thoughts = self.thinks || !self.takes(RequestField::MaxTokens);
            let most = if counts_thoughts { most.saturating_add(THINKING_TOKENS) } else { most };
            let name = if self.takes(RequestField::MaxTokens) { "max_tokens" } else { "max_completion_tokens" };
            body[name] = json!(most);
        }
        if let Some(schema) = request.schema.filter(|_| self.takes(RequestField::Schema)) {
            let mut schema = schema.clone();
            if !self.takes(RequestField::LengthLimits) {
                remove_length_limits(&mut schema);
            }
            let schema = json!({"name": "reply", "strict": true, "schema": schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        body
    }

    /// Adds the field that most likely caused the failure of a request. Returns `None` if no field
    /// is the cause.
    pub fn and_suspect(mut self, failure: &Failure, request: &Request<'_>) -> Option<Self> {
        if !matches!(failure.status, Some(400 | 404 | 422 | 501)) || failure.is_about_context {
            return None;
        }
        let message = failure.message.to_lowercase();
        let sent = |field: RequestField| {
            self.takes(field)
                && match field {
                    RequestField::Schema | RequestField::LengthLimits => request.schema.is_some(),
                    RequestField::MaxTokens => request.max_output.is_some(),
                    RequestField::Usage | RequestField::Temperature => true,
                }
        };
        let named =
            |(field, words): &&(RequestField, &[&str])| sent(*field) && words.iter().any(|word| message.contains(word));
        let named = FIELDS.iter().find(named).map(|(field, _)| *field);
        let suspect = named.or(Some(RequestField::Schema).filter(|field| sent(*field)))?;
        self.rejected[suspect as usize] = true;
        Some(self)
    }

    /// Allows additional tokens for thoughts after a reply that was truncated before its first
    /// word. Returns `None` for any other reply, or if these tokens were already allowed.
    pub fn and_thoughts(mut self, reply: &Reply, request: &Request<'_>) -> Option<Self> {
        let text = reply.text.trim_start();
        let is_thought = text.is_empty() || (text.starts_with("<think>") && !text.contains("</think>"));
        let is_used_up = reply.cut && !reply.repeats && is_thought && request.max_output.is_some();
        (is_used_up && !std::mem::replace(&mut self.thinks, true)).then_some(self)
    }

    /// Adds the rejected fields of another set.
    pub fn join(&mut self, other: Self) {
        self.rejected.iter_mut().zip(other.rejected).for_each(|(own, others)| *own |= others);
        self.thinks |= other.thinks;
    }

    fn takes(self, field: RequestField) -> bool {
        !self.rejected[field as usize]
    }
}

/// Removes the limits on the lengths of lists and strings in a schema.
fn remove_length_limits(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            // A property may have this name as well, but its value is an object.
            fields.retain(|name, value| !matches!(name.as_str(), "maxItems" | "maxLength") || !value.is_number());
            fields.values_mut().for_each(remove_length_limits);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_length_limits),
        _ => {}
    }
}
