//! Logs the calls to a model. Each call is appended to a file as one line of JSON.
//!
//! A line contains the whole prompt and the whole reply, neither of which contains a server's key.

use super::{Model, Reply, Request};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_system::platform::owner_only_files;

/// A model whose calls are logged to a file, one line of JSON per call.
#[derive(Debug)]
pub struct LoggedModel<M> {
    model: M,
    path: PathBuf,
    file: Mutex<File>,
    started: Instant,
}

impl<M: Model> LoggedModel<M> {
    /// Wraps a model so that its calls are appended to a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn new(model: M, path: &Path) -> Result<Self> {
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        // Prompts contain private code: only the owner may read a new log.
        owner_only_files(&mut options);
        let file = options.open(path).map_err(|cause| unwritable(path, &cause))?;
        Ok(Self { model, path: path.to_owned(), file: Mutex::new(file), started: Instant::now() })
    }

    fn write(&self, line: &Value) -> Result<()> {
        // The line is written in one call, so that the lines of concurrent runs do not mix.
        let line = format!("{line}\n");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(line.as_bytes()).map_err(|cause| unwritable(&self.path, &cause))
    }
}

impl<M: Model> Model for LoggedModel<M> {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn context(&self) -> Option<u32> {
        self.model.context()
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        let begun = self.started.elapsed().as_millis() as u64;
        let outcome = self.model.complete(request);
        let reply = outcome.as_ref().ok();
        let usage = reply.and_then(|reply| reply.usage);
        self.write(&json!({
            "ms": begun,
            "took_ms": self.started.elapsed().as_millis() as u64 - begun,
            "model": self.name(),
            "prompt": request.prompt,
            "reply": reply.map(|reply| &reply.text),
            "cut": reply.map(|reply| reply.cut),
            "repeats": reply.map(|reply| reply.repeats),
            "usage": usage.map(|u| json!({
                "prompt": u.prompt, "cached": u.cached, "output": u.output,
                "prompt_ms": u.prompt_ms, "output_ms": u.output_ms,
            })),
            "tries": reply.map(|reply| reply.tries),
            "error": outcome.as_ref().err().map(Error::what),
        }))?;
        outcome
    }
}

/// Returns the error for a log that cannot be written. A warning would not suffice, because a
/// requested log may be the only record of what left the machine.
fn unwritable(path: &Path, cause: &std::io::Error) -> Error {
    let what = format!("cannot write the log {}: {cause}", path.display());
    Error::new(Kind::Path, what, Remedy::MoveLog)
}
