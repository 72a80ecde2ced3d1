//! Builds the fields of a request, without the fields that a server rejected.
//!
//! Servers do not announce which fields they know. After a rejection, the request is repeated
//! without the field that the error names, or without the schema if it names none; if that helps,
//! the field is left out for the rest of the run.

use super::failure::Failure;
use super::{Reply, Request};
use serde_json::{Value, json};

/// Number of tokens that are added for models that think before they answer, where the limit also
/// counts their thoughts: models that require `max_completion_tokens`, and models that reached the
/// limit before the first word of an answer.
const THINKING_TOKENS: u32 = 16_384;

/// A field that a server may not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequestField {
    /// `stream_options`, which requests the usage.
    Usage,
    /// `temperature` 0.
    Temperature,
    /// `max_tokens`; OpenAI's later models call it `max_completion_tokens`.
    MaxTokens,
    /// `response_format` with a JSON Schema.
    Schema,
}

/// All fields, each with the words that name it in an error.
const FIELDS: [(RequestField, &[&str]); 4] = [
    (RequestField::Usage, &["stream_options"]),
    (RequestField::Temperature, &["temperature"]),
    (RequestField::MaxTokens, &["max_tokens"]),
    (RequestField::Schema, &["response_format", "json_schema", "schema", "grammar", "guided"]),
];

/// The fields that a server rejected.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RejectedFields {
    rejected: [bool; FIELDS.len()],
    /// Whether the model used up a whole reply for its thoughts.
    thinks: bool,
}

impl RejectedFields {
    /// Returns the body of a completion request.
    pub fn body(self, model: &str, request: &Request<'_>) -> Value {
        let mut body = json!({
            "model": model,
            "messages": [{"role": "user", "content": request.prompt}],
            "stream": true,
        });
        if self.takes(RequestField::Usage) {
            body["stream_options"] = json!({"include_usage": true});
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
            let schema = json!({"name": "reply", "strict": true, "schema": schema});
            body["response_format"] = json!({"type": "json_schema", "json_schema": schema});
        }
        body
    }

    /// Adds the field for which a failed request was most likely rejected; `None` if it failed for
    /// another reason.
    pub fn and_suspect(mut self, failure: &Failure, request: &Request<'_>) -> Option<Self> {
        if !matches!(failure.status, Some(400 | 404 | 422 | 501)) {
            return None;
        }
        let message = failure.message.to_lowercase();
        let sent = |field: RequestField| {
            self.takes(field)
                && match field {
                    RequestField::Schema => request.schema.is_some(),
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

    /// Grants the model tokens for its thoughts after a reply that was cut before its first word.
    /// `None` if it has them already, or if the request had no limit.
    pub fn and_thoughts(mut self, reply: &Reply, request: &Request<'_>) -> Option<Self> {
        let is_used_up = reply.cut && reply.text.trim().is_empty() && request.max_output.is_some();
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
