//! Outgoing messages: answers, errors with their codes, and notifications. Each message is written
//! as a whole.

use super::framing::write;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};
use whichfn_system::error::{Error, Remedy};

/// Error codes of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// The message is not valid JSON.
    Parse = -32700,
    /// The message is valid JSON, but not a request.
    InvalidRequest = -32600,
    /// The method is unknown.
    NoMethod = -32601,
    /// The parameters do not match the method.
    InvalidParams = -32602,
    /// An internal error.
    Internal = -32603,
    /// The request arrived before `initialize`.
    NotInitialized = -32002,
    /// The request is valid, but failed.
    Failed = -32803,
    /// The client cancelled the request.
    Cancelled = -32800,
}

/// An error for a client.
#[derive(Debug)]
pub(super) struct RefusedRequest {
    pub code: Code,
    pub what: String,
}

impl RefusedRequest {
    pub fn new(code: Code, what: impl Into<String>) -> Self {
        Self { code, what: what.into() }
    }

    /// Converts an error of the engine to one line: what failed, and what to do next.
    pub fn from_error(error: &Error, advice: fn(&Remedy) -> String) -> Self {
        Self::new(Code::Failed, format!("{}; next: {}", error.what(), advice(error.remedy())))
    }
}

/// Result of a request.
pub(super) type Answered<T = Value> = std::result::Result<T, RefusedRequest>;

/// Standard output, locked for one message at a time.
#[derive(Clone)]
pub(super) struct Outbox(Arc<Mutex<std::io::Stdout>>);

impl Outbox {
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(std::io::stdout())))
    }

    pub fn send(&self, message: &Value) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A disconnected client is noticed when its input is read.
        let _ = write(&mut *out, message);
    }

    /// Answers a request; `id` is null if the request was malformed.
    pub fn answer(&self, id: &Value, result: Result<Value, RefusedRequest>) {
        let message = match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(RefusedRequest { code, what }) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": what}})
            }
        };
        self.send(&message);
    }

    pub fn notify(&self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Writes a line to the editor's log.
    pub fn log(&self, line: &str) {
        const INFO: u32 = 3;
        self.notify("window/logMessage", json!({"type": INFO, "message": format!("whichfn: {line}")}));
    }

    /// Shows a line to the user of the editor.
    pub fn show(&self, line: &str) {
        const WARNING: u32 = 2;
        self.notify("window/showMessage", json!({"type": WARNING, "message": format!("whichfn: {line}")}));
    }

    /// Sends the client a request whose response is ignored.
    pub fn request(&self, id: &str, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }
}
