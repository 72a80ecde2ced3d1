//! Parses a request: the fields of its query (`?question=..`), or of its body, a JSON object. Both
//! have the same names; the body takes precedence.

use super::description;
use super::reply::Refusal;
use crate::engine::{AnswerKind, SnippetChoice};
use crate::host::arguments;
use crate::render::ContextFormat;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{Method, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::time::Duration;
use whichfn_search::search::Unit;

/// Maximum size in bytes of a body, enough for the escaped text of a large unsaved file.
const LONGEST_BODY: usize = 4 << 20;
/// Maximum time to receive a body.
const BODY_TIME: Duration = Duration::from_secs(20);

/// Fields of `/ask`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AskInput {
    pub question: String,
    pub root: Option<String>,
    pub k: Option<usize>,
    pub kind: Option<AnswerKind>,
    #[serde(default)]
    pub unit: Unit,
    #[serde(default)]
    pub languages: Vec<String>,
    #[serde(default)]
    pub paths: Vec<String>,
    pub snippet_lines: Option<usize>,
    pub snippet: Option<SnippetChoice>,
}

/// Fields of `/function`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FunctionInput {
    pub name: String,
    pub root: Option<String>,
    pub k: Option<usize>,
}

/// Fields of `/graph`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GraphInput {
    pub name: Option<String>,
    pub root: Option<String>,
}

/// Fields of `/context`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextInput {
    pub file: String,
    pub line: Option<usize>,
    pub column: Option<usize>,
    pub text: Option<String>,
    pub root: Option<String>,
    pub k: Option<usize>,
    pub budget: Option<usize>,
    pub draft: Option<String>,
    #[serde(default)]
    pub format: ContextFormat,
}

/// Fields from Continue's HTTP context provider; its other fields are ignored.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ContinueInput {
    #[serde(default)]
    pub query: String,
    #[serde(default)]
    pub full_input: String,
    pub root: Option<String>,
    pub k: Option<usize>,
}

/// Parses the fields of a request.
pub(super) async fn read<T: DeserializeOwned>(request: Request) -> Result<T, Refusal> {
    let schema = description::fields_of(request.uri().path());
    let mut fields = query(request.uri().query().unwrap_or_default());
    if request.method() == Method::POST {
        fields.extend(body(request).await?);
    }
    arguments::read(&schema, fields).map_err(|what| Refusal::new(StatusCode::BAD_REQUEST, what, SEE))
}

pub(super) const SEE: &str = "see /openapi.json for the fields of each endpoint";

/// Parses the fields of a query; a field that occurs several times becomes a list.
fn query(text: &str) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()) {
        let value = Value::from(value);
        match fields.get_mut(&*name) {
            None => {
                fields.insert(name.into_owned(), value);
            }
            Some(Value::Array(several)) => several.push(value),
            Some(one) => *one = Value::Array(vec![one.take(), value]),
        }
    }
    fields
}

async fn body(request: Request) -> Result<Map<String, Value>, Refusal> {
    let refused = |status, what: String, next: &str| Refusal::new(status, what, next);
    let (parts, body) = request.into_parts();
    let text = |name| parts.headers.get(name).and_then(|value| value.to_str().ok());
    let media = text(header::CONTENT_TYPE).and_then(|given| given.split(';').next()).unwrap_or_default().trim();
    // A page of another site can send other types without a preflight request.
    if !media.eq_ignore_ascii_case("application/json") {
        let what = format!("the Content-Type of the body is `{media}`, not application/json");
        let next = "send JSON, with the header `Content-Type: application/json`";
        return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, what, next));
    }
    let too_long = || {
        let what = format!("the body is longer than {} MiB", LONGEST_BODY >> 20);
        refused(StatusCode::PAYLOAD_TOO_LARGE, what, "send less text: a question, or one file")
    };
    if text(header::CONTENT_LENGTH)
        .and_then(|length| length.parse().ok())
        .is_some_and(|length: u64| length > LONGEST_BODY as u64)
    {
        return Err(too_long());
    }
    let bytes = match tokio::time::timeout(BODY_TIME, to_bytes(body, LONGEST_BODY)).await {
        Ok(Ok(bytes)) => bytes,
        // Any other error means that the connection ended, so no client receives this reply.
        Ok(Err(_)) => return Err(too_long()),
        Err(_) => {
            let what = format!("the body was not received within {} seconds", BODY_TIME.as_secs());
            return Err(refused(StatusCode::REQUEST_TIMEOUT, what, "send it without pauses"));
        }
    };
    serde_json::from_slice(&bytes)
        .map_err(|cause| refused(StatusCode::BAD_REQUEST, format!("the body is not a JSON object: {cause}"), SEE))
}
