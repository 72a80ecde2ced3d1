//! What goes out: answers, errors with their codes, and notifications, whole messages each.

use super::framing::write;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex, PoisonError};

/// Why a request fails, by the protocol's numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// The message does not read.
    Parse = -32700,
    /// It reads, and is no request.
    InvalidRequest = -32600,
    /// There is no such method.
    NoMethod = -32601,
    /// The method takes other parameters.
    InvalidParams = -32602,
    /// The program is at fault.
    Internal = -32603,
    /// `initialize` comes first.
    NotInitialized = -32002,
    /// The method was right, and could not be done.
    Failed = -32803,
    /// The client gave it up.
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
}

/// Standard output, for one message at a time.
#[derive(Clone)]
pub(super) struct Outbox(Arc<Mutex<std::io::Stdout>>);

impl Outbox {
    pub fn new() -> Self {
        Self(Arc::new(Mutex::new(std::io::stdout())))
    }

    pub fn send(&self, message: &Value) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A client that is gone is noticed where it is read.
        let _ = write(&mut *out, message);
    }

    /// Answers a request; `id` is null where the request did not read.
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

    /// A line for the editor's log.
    pub fn log(&self, line: &str) {
        const INFO: u32 = 3;
        self.notify("window/logMessage", json!({"type": INFO, "message": format!("whichfn: {line}")}));
    }

    /// Asks the client for something whose answer does not matter.
    pub fn request(&self, id: &str, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
    }
}
