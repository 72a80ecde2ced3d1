//! How far an index is, for those who wait for it.

use crate::index::Progress;
use std::sync::{Mutex, PoisonError};

/// How far an index is.
#[derive(Debug, Clone, Default)]
pub struct LookStep {
    /// Files parsed.
    pub done: usize,
    /// Of so many; none while nobody knows.
    pub total: Option<usize>,
    /// What is done; empty while nothing is.
    pub doing: &'static str,
}

/// Keeps how far an index is for those who wait, and what was noticed on the way.
pub(super) struct KeptProgress<'a> {
    step: &'a Mutex<LookStep>,
    notice: fn(&str),
    notices: Mutex<Vec<String>>,
}

impl<'a> KeptProgress<'a> {
    /// Keeps it in `step`; `notice` is told every notice at once.
    pub fn new(step: &'a Mutex<LookStep>, notice: fn(&str)) -> Self {
        Self { step, notice, notices: Mutex::default() }
    }

    /// From now on this is done.
    pub fn set(&self, step: LookStep) {
        *self.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
    }

    /// What was noticed.
    pub fn notices(self) -> Vec<String> {
        self.notices.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Progress for KeptProgress<'_> {
    fn step(&self, done: usize, total: usize) {
        self.set(LookStep { done, total: Some(total), doing: "reading files" });
    }

    fn linking(&self, files: usize) {
        self.set(LookStep { done: files, total: Some(files), doing: "linking calls" });
    }

    fn writing(&self) {
        self.set(LookStep { doing: "writing the index", ..LookStep::default() });
    }

    fn embedded(&self, done: usize, total: usize) {
        self.set(LookStep { done, total: Some(total), doing: "embedding functions" });
    }

    /// Nothing: the answer that comes then is as new as any, and the other writer may be this server.
    fn waiting(&self, _: &str) {}

    fn notice(&self, line: &str) {
        (self.notice)(line);
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }
}
