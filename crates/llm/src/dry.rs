//! A substitute for a model that prints the first prompt and sends nothing: `--dry-run`.

use super::{Model, Reply, Request};
use std::io::Write;
use std::sync::{Mutex, PoisonError};
use whichfn_system::error::{Error, Kind, Remedy, Result};

/// A model that prints a prompt instead of sending it. Each call ends with an error of kind
/// [`Kind::DryRun`], which front ends treat as success, because the run cannot continue without a
/// reply.
pub struct DryRun {
    name: String,
    place: String,
    out: Mutex<Box<dyn Write + Send>>,
}

impl DryRun {
    /// Creates a substitute for the model called `name`. `place` describes where its prompts would
    /// go. The prompts are written to `out`, byte for byte.
    pub fn new(name: &str, place: &str, out: Box<dyn Write + Send>) -> Self {
        Self { name: name.to_owned(), place: place.to_owned(), out: Mutex::new(out) }
    }
}

impl Model for DryRun {
    fn name(&self) -> &str {
        &self.name
    }

    fn complete(&self, request: &Request<'_>) -> Result<Reply> {
        let mut out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
        match out.write_all(request.prompt.as_bytes()).and_then(|()| out.flush()) {
            Err(cause) if cause.kind() != std::io::ErrorKind::BrokenPipe => {
                let what = format!("cannot write the prompt: {cause}");
                return Err(Error::new(Kind::Path, what, "check where standard output goes"));
            }
            _ => {}
        }
        let schema = if request.schema.is_some() { ", with a JSON Schema for the reply" } else { "" };
        let what = format!(
            "dry run: nothing was sent; this prompt of {} bytes would be sent to {}{schema}",
            request.prompt.len(),
            self.place
        );
        Err(Error::new(Kind::DryRun, what, Remedy::SendPrompt))
    }
}
