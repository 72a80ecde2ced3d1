//! Responses: JSON, and errors as `{"error": {"what": .., "next": ..}}` with the matching status.

use crate::host::{FrontEnd, IndexFreshness};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use whichfn_system::error::{Error, Kind, Remedy};

/// Number of seconds after which a client should retry.
const ASK_AGAIN: &str = "2";

/// The reason why a request is not answered.
#[derive(Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    what: String,
    next: String,
    /// Definitions that the name may refer to; `None` if the error is not about a name.
    candidates: Option<Value>,
}

impl Refusal {
    /// Creates a refusal from what failed and what to do next, one line each.
    pub fn new(status: StatusCode, what: impl Into<String>, next: impl Into<String>) -> Self {
        Self { status, what: what.into(), next: next.into(), candidates: None }
    }

    /// Adds the definitions that the name may refer to.
    pub fn with_candidates(self, candidates: Value) -> Self {
        Self { candidates: Some(candidates), ..self }
    }

    /// Converts an error of the engine.
    pub fn from_error(error: &Error, front_end: &FrontEnd) -> Self {
        let status = match error.kind() {
            Kind::Usage => StatusCode::BAD_REQUEST,
            Kind::Path => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let next = match error.remedy() {
            Remedy::GiveUnsavedText => "check the path, or send the text of the file as `text`".to_owned(),
            Remedy::AskSomething => "describe the function in `question`, in a few words".to_owned(),
            Remedy::WriteGlob => "pass globs such as src/** or *.py as `paths`".to_owned(),
            Remedy::RankDefinitions => "omit `unit`".to_owned(),
            other => (front_end.advice)(other),
        };
        Self::new(status, error.what(), next)
    }

    /// Returns the status of the response.
    #[cfg(test)]
    pub fn status(&self) -> StatusCode {
        self.status
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut error = json!({"what": self.what, "next": self.next});
        if let Some(candidates) = self.candidates {
            error["candidates"] = candidates;
        }
        let mut response = (self.status, axum::Json(json!({"version": 1, "error": error}))).into_response();
        let headers = response.headers_mut();
        match self.status {
            StatusCode::SERVICE_UNAVAILABLE => {
                headers.insert(header::RETRY_AFTER, HeaderValue::from_static(ASK_AGAIN));
            }
            StatusCode::UNAUTHORIZED => {
                headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            _ => {}
        }
        response
    }
}

/// Returns an answer, with notices about anything unusual, if there are any.
pub(super) fn with_notices(mut value: Value, index: &IndexFreshness, left_out: &[String]) -> Response {
    let skipped = left_out.iter().map(|path| format!("skipped the text of {path}: it changed while it was being read"));
    let notices: Vec<String> = index.notices.iter().cloned().chain(skipped).collect();
    if !notices.is_empty() {
        value["notices"] = notices.into();
    }
    axum::Json(value).into_response()
}
