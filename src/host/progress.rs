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
    listener: &'a dyn Progress,
    notices: Mutex<Vec<String>>,
}

impl<'a> ProgressState<'a> {
    /// Creates a recorder that stores progress in `step` and passes every report on to `listener`
    /// immediately.
    pub fn new(step: &'a Mutex<ProgressStep>, listener: &'a dyn Progress) -> Self {
        Self { step, listener, notices: Mutex::default() }
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
        self.listener.step(done, total);
    }

    fn linking(&self, files: usize) {
        self.set(ProgressStep { done: files, total: Some(files), doing: "linking calls" });
        self.listener.linking(files);
    }

    fn writing(&self) {
        self.set(ProgressStep { doing: "writing the index", ..ProgressStep::default() });
    }

    fn embedded(&self, done: usize, total: usize) {
        self.set(ProgressStep { done, total: Some(total), doing: "embedding functions" });
    }

    fn waiting(&self, line: &str) {
        self.listener.waiting(line);
    }

    fn notice(&self, line: &str) {
        self.listener.notice(line);
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }
}

/// Passes on notices, and ignores all other reports.
pub(super) struct Notices(pub fn(&str));

impl Progress for Notices {
    fn step(&self, _: usize, _: usize) {}
    fn linking(&self, _: usize) {}
    fn embedded(&self, _: usize, _: usize) {}

    fn notice(&self, line: &str) {
        self.0(line);
    }

    /// Ignored: the answer after the wait is up to date, and the other writer may be this server.
    fn waiting(&self, _: &str) {}
}
