//! Describes failed attempts: the reason, whether another attempt may help, and the server's
//! message.

use super::message::one_line;
use super::{Address, Key};
use serde_json::Value;
use std::time::Duration;
use whichfn_system::error::{Error, Kind, Remedy};

/// A failed attempt to complete a prompt.
#[derive(Debug)]
pub(super) struct Failure {
    /// One line that describes the failure and where it occurred. It never contains the key.
    what: String,
    /// Advice for the user.
    remedy: Remedy,
    /// The server's own message on one line, without the key; empty if the server sent none.
    pub message: String,
    /// True if another attempt may help.
    pub again: bool,
    /// Pause that the server requested before the next attempt (`retry-after`), if any.
    pub pause: Option<Duration>,
    /// HTTP status, or `None` if there was no response.
    pub status: Option<u16>,
    /// True if the server reported that the prompt exceeds the context window.
    pub is_about_context: bool,
}

impl Failure {
    /// Creates a failure for an attempt without an error response.
    pub fn new(what: impl Into<String>, remedy: impl Into<Remedy>, again: bool) -> Self {
        Self {
            what: what.into(),
            remedy: remedy.into(),
            message: String::new(),
            again,
            pause: None,
            status: None,
            is_about_context: false,
        }
    }

    /// Creates a failure from an HTTP status other than success. `pause` is the pause that the
    /// server requested, and `location` is the target of a redirect.
    pub fn status(
        status: u16,
        url: &str,
        body: &str,
        key: &Key,
        pause: Option<Duration>,
        location: Option<&str>,
    ) -> Self {
        let message = server_message(&key.hide_in(body));
        // OpenAI also answers with this status when the account has no money left; waiting does not
        // help then.
        let broke = said_code(body) == "insufficient_quota";
        let is_about_context = (400..500).contains(&status) && is_about_context(&message, body);
        let remedy = match status {
            300..=399 => return Self::redirect(url, location.unwrap_or("an unknown address"), key),
            401 | 403 if key.variable().is_empty() => Remedy::NameKey,
            401 | 403 if key.is_set() => format!("check the key in the environment variable {}", key.variable()).into(),
            401 | 403 => Remedy::SetKey(key.variable().to_owned()),
            _ if is_about_context => Remedy::WidenContext,
            404 if message.to_lowercase().contains("model") => Remedy::NameModel,
            404 | 405 => "check the address (it often ends in /v1) and the model's name".into(),
            429 if broke => "check the account's balance".into(),
            429 => "wait before you try again: the server limits the rate of requests".into(),
            500..=599 => "check the server's log, or try again later".into(),
            _ => "see the server's message; a shorter prompt or a different model may work".into(),
        };
        let words = if message.is_empty() { String::new() } else { format!(": {message}") };
        let what = format!("{url} returned {status} ({}){words}", reason(status));
        let again = (status == 408 || status == 429 || status >= 500) && status != 501 && !broke;
        Self { what, remedy, message, again, pause, status: Some(status), is_about_context }
    }

    /// Creates a failure for a redirect. Redirects are not followed, because they could carry the
    /// key and the prompt to another host.
    fn redirect(url: &str, location: &str, key: &Key) -> Self {
        let location = one_line(&key.hide_in(location));
        Self::new(format!("{url} redirects to {location}, but redirects are not followed"), Remedy::TrustAddress, false)
    }

    /// Creates a failure from an error object that the server sent instead of a reply, although the
    /// status is success.
    pub fn object(url: &str, body: &Value, key: &Key) -> Self {
        let body_text = body.to_string();
        let code = body["error"]["code"].as_u64().and_then(|code| u16::try_from(code).ok());
        if let Some(status) = code.filter(|code| (400..600).contains(code)) {
            return Self::status(status, url, &body_text, key, None, None);
        }
        let message = server_message(&key.hide_in(&body_text));
        let what = format!("{url} returned an error: {message}");
        Self { message, ..Self::new(what, "check the server's log, or try again later", true) }
    }

    /// Adds to the message that the next attempt would begin after the timeout.
    pub fn too_long(mut self, pause: Duration, most: Duration) -> Self {
        let (pause, most) = (pause.as_secs_f64().ceil(), most.as_secs_f64());
        self.what += &format!("; the next attempt would be in {pause} s, but the timeout is {most} s");
        self.remedy = Remedy::WaitLonger;
        self
    }

    /// Converts the failure into the error that ends the run.
    pub fn into_error(self, tries: u32) -> Error {
        let tried = if tries > 1 { format!(" ({tries} attempts)") } else { String::new() };
        Error::new(Kind::Model, self.what + &tried, self.remedy)
    }

    /// Creates a failure from a missing or broken connection.
    pub fn transport(url: &str, address: &Address, cause: &ureq::Error) -> Self {
        use ureq::Timeout::{Connect, Resolve};
        let start = if address.is_loopback() { Remedy::StartServer } else { Remedy::CheckServer };
        match cause {
            ureq::Error::Timeout(Connect | Resolve) => {
                Self::new(format!("cannot reach {url}: the connection timed out"), start, true)
            }
            ureq::Error::Timeout(_) => Self::new(format!("{url} did not answer in time"), Remedy::WaitLonger, false),
            ureq::Error::HostNotFound => Self::new(format!("cannot reach {url}: no such host"), start, true),
            ureq::Error::Io(cause) => {
                // InvalidData means that a TLS certificate cannot be verified, or that the bytes
                // are not TLS. Another attempt would fail in the same way.
                let again = cause.kind() != std::io::ErrorKind::InvalidData;
                Self::new(format!("the request to {url} failed: {}", one_line(&plain(cause))), start, again)
            }
            // Invalid HTTP, an invalid address, or too many headers. Another attempt would fail in
            // the same way.
            other => Self::new(format!("the request to {url} failed: {}", one_line(&other.to_string())), start, false),
        }
    }
}

/// Returns the system's error message without the number that Rust appends.
fn plain(cause: &std::io::Error) -> String {
    let text = cause.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}

/// Returns the standard name of an HTTP status.
fn reason(status: u16) -> &'static str {
    http::StatusCode::from_u16(status).ok().and_then(|status| status.canonical_reason()).unwrap_or("unknown")
}

/// Checks whether an error reports that the prompt exceeds the context window. Servers use
/// different codes and words: llama.cpp `exceed_context_size_error`, OpenAI
/// `context_length_exceeded`, vLLM "maximum context length is".
fn is_about_context(message: &str, body: &str) -> bool {
    let message = message.to_lowercase();
    said_code(body).contains("context")
        || ["context size", "context length", "context window"].iter().any(|words| message.contains(words))
}

fn said_code(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    value["error"]["code"].as_str().or(value["error"]["type"].as_str()).unwrap_or_default().to_owned()
}

/// Extracts the message from the body of an error response, on one line: `{"error":{"message"}}`,
/// `{"error":".."}`, `{"message"}`, `{"detail"}`, the title of an HTML page, or the text itself.
pub(super) fn server_message(body: &str) -> String {
    let value: Value = serde_json::from_str(body).unwrap_or_default();
    let places = [&value["error"]["message"], &value["error"], &value["message"], &value["detail"]];
    if let Some(text) = places.into_iter().find_map(Value::as_str) {
        return one_line(text);
    }
    if body.trim_start().starts_with('<') {
        return one_line(&page(body));
    }
    one_line(body)
}

/// Returns the title of an HTML page, or the page's text without tags if it has no title.
fn page(html: &str) -> String {
    let title = html.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
    if let Some((title, _)) = title {
        return title.to_owned();
    }
    let text = |part: &str| part.split_once('>').map_or(String::new(), |(_, text)| format!("{text} "));
    html.split('<').map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> Key {
        Key::new("SHOP_KEY", Some("sk-secret"), false)
    }

    fn status(status: u16, body: &str) -> Failure {
        Failure::status(status, "http://a/v1/chat/completions", body, &key(), None, None)
    }

    #[test]
    fn finds_the_message_in_any_form_of_error_body() {
        for (body, words) in [
            (r#"{"error":{"message":"no\nsuch   model","type":"x"}}"#, "no such model"),
            (r#"{"error":"model 'a' not found"}"#, "model 'a' not found"),
            (r#"{"object":"error","message":"too long"}"#, "too long"),
            (r#"{"detail":"Not Found"}"#, "Not Found"),
            ("<html><head><title>502 Bad Gateway</title></head>..", "502 Bad Gateway"),
            ("<p>no <b>way</b></p>", "no way"),
            ("404 page not found\n", "404 page not found"),
            ("\u{1b}[31mred\u{7}", "[31mred"),
            ("", ""),
        ] {
            assert_eq!(server_message(body), words, "{body}");
        }
        assert_eq!(server_message(&"é".repeat(1000)).chars().count(), 300);
    }

    #[test]
    fn retries_transient_errors() {
        let again = [408, 429, 500, 502, 503, 504, 529];
        let never = [301, 400, 401, 403, 404, 413, 422, 501];
        assert!(again.into_iter().all(|code| status(code, "").again));
        assert!(never.into_iter().all(|code| !status(code, "").again));
        assert!(!status(429, r#"{"error":{"code":"insufficient_quota","message":"pay"}}"#).again);
    }

    #[test]
    fn an_error_has_address_and_remedy_but_not_the_key() {
        let error = status(401, r#"{"error":{"message":"bad key: sk-secret"}}"#).into_error(1);
        assert_eq!(error.what(), "http://a/v1/chat/completions returned 401 (Unauthorized): bad key: [key]");
        assert_eq!(error.remedy(), &Remedy::from("check the key in the environment variable SHOP_KEY"));
        let at_the_end = status(400, &format!("{}sk-secret", "x".repeat(295))).into_error(1);
        assert!(!at_the_end.what().contains("sk-"), "nor a part of it: {at_the_end}");
        assert!(status(503, "").into_error(4).what().ends_with("returned 503 (Service Unavailable) (4 attempts)"));
    }
}
