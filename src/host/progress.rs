//! Progress of an index, for questions that wait for it.

use std::sync::{Mutex, PoisonError};
use whichfn_index::index::Progress;

/// Progress of an index.
#[derive(Debug, Clone, Default)]
pub struct ProgressStep {
    /// Number of files parsed.
    pub done: usize,
    /// Number of files to parse; `None` while it is unknown.
    pub total: Option<usize>,
    /// Current activity; empty while idle.
    pub doing: &'static str,
}

/// Records the progress of an index for waiting questions, and the notices.
pub(super) struct ProgressState<'a> {
    step: &'a Mutex<ProgressStep>,
    notice: fn(&str),
    notices: Mutex<Vec<String>>,
}

impl<'a> ProgressState<'a> {
    /// Creates a recorder that stores progress in `step` and passes every notice on to `notice`
    /// immediately.
    pub fn new(step: &'a Mutex<ProgressStep>, notice: fn(&str)) -> Self {
        Self { step, notice, notices: Mutex::default() }
    }

    /// Sets the current progress.
    pub fn set(&self, step: ProgressStep) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
    }

    /// Returns the notices.
    pub fn notices(self) -> Vec<String> {
        self.notices.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for ProgressState<'_> {
    fn step(&self, done: usize, total: usize) {
        self.set(ProgressStep { done, total: Some(total), doing: "reading files" });
    }

    fn linking(&self, files: usize) {
        self.set(ProgressStep { done: files, total: Some(files), doing: "linking calls" });
    }

    fn writing(&self) {
        self.set(ProgressStep { doing: "writing the index", ..ProgressStep::default() });
    }

    fn embedded(&self, done: usize, total: usize) {
        self.set(ProgressStep { done, total: Some(total), doing: "embedding functions" });
    }

    /// Ignored: the answer after the wait is up to date, and the other writer may be this server.
    fn waiting(&self, _: &str) {}

    fn notice(&self, line: &str) {
        (self.notice)(line);
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }
}
