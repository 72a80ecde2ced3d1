//! Ensures that only one process writes an index at a time. Other processes receive the writer's
//! progress, and either wait or use the old index.

use super::progress::Progress;
use crate::store::{Layout, WriteLock};
use whichfn_system::error::Result;

/// Number of files below which a process always waits for another writer, even if it could use the
/// old index. Waiting takes less than a second, and an up-to-date answer is worth that.
const SHORT_WAIT: usize = 64;
/// Maximum number of progress notes that a writer records while it parses.
const NOTES: usize = 100;

/// Waits to become the only writer. Returns `None` if `may_use_stale` is true and another writer
/// needs longer.
///
/// # Errors
/// Returns an error if the index folder cannot be written.
pub(super) fn lock(layout: &Layout, progress: &dyn Progress, may_use_stale: bool) -> Result<Option<WriteLock>> {
    let mut has_waited = false;
    layout.lock(|writer| {
        let writer = writer.filter(|writer| writer.total > 0);
        let progress_text = writer.map_or_else(String::new, |writer| match writer.is_linking {
            true => format!(" (all {} files are parsed, and their calls are being linked)", writer.total),
            false => format!(" ({} of {} files are parsed)", writer.done, writer.total),
        });
        let other = format!("another whichfn process is indexing this repository{progress_text}");
        if may_use_stale && writer.is_some_and(|writer| writer.total >= SHORT_WAIT) {
            progress.notice(&format!("{other}; using the existing index"));
            return false;
        }
        if !has_waited {
            progress.waiting(&format!("{other}; waiting for it"));
            has_waited = true;
        }
        match writer {
            Some(writer) if writer.is_linking => progress.linking(writer.total),
            Some(writer) => progress.step(writer.done, writer.total),
            None => {}
        }
        true
    })
}

/// Forwards progress to the processes that wait for this one.
pub(super) struct ProgressForwarder<'a> {
    pub progress: &'a dyn Progress,
    pub write_lock: &'a WriteLock,
    /// Number and size of the files that are parsed already.
    pub known: (usize, u64),
    /// Number and size of all files, if this is one of several stages.
    pub all: Option<(usize, u64)>,
}

impl Progress for ProgressForwarder<'_> {
    fn step(&self, done: usize, total: usize) {
        let (done, total) = (done + self.known.0, self.all.map_or(total + self.known.0, |(files, _)| files));
        if done.is_multiple_of(total / NOTES + 1) {
            self.write_lock.note(done, total);
        }
        self.progress.step(done, total);
    }

    fn bytes(&self, done: u64, total: u64) {
        let total = self.all.map_or(total + self.known.1, |(_, bytes)| bytes);
        self.progress.bytes(done + self.known.1, total);
    }

    fn linking(&self, files: usize) {
        self.write_lock.note_linking(files);
        self.progress.linking(files);
    }

    fn writing(&self) {
        self.progress.writing();
    }

    fn embedded(&self, done: usize, total: usize) {
        self.progress.embedded(done, total);
    }

    fn notice(&self, line: &str) {
        self.progress.notice(line);
    }
}
