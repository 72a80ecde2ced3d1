//! One writer at a time: the others learn how far it is, and wait or answer from the index as it was.

use super::progress::Progress;
use crate::error::Result;
use crate::store::{Layout, Writing};

/// Another writer that has fewer files than this to parse is waited for even by who could answer from the index as it was: it takes
/// less than a second, and a new answer is worth that.
const SHORT_WAIT: usize = 64;
/// How often a writer notes how far it is: after each of so many parts of the work.
const NOTES: usize = 100;

/// Becomes the one writer. None if another is at it for longer and `may_answer_as_it_was`.
///
/// # Errors
/// When the index folder cannot be written.
pub(super) fn lock(layout: &Layout, progress: &dyn Progress, may_answer_as_it_was: bool) -> Result<Option<Writing>> {
    let mut said = false;
    layout.lock(|noted| {
        let noted = noted.filter(|noted| noted.total > 0);
        let far = noted.map_or_else(String::new, |noted| match noted.is_linking {
            true => format!(" (all {} files are parsed, their calls are being linked)", noted.total),
            false => format!(" ({} of {} files are parsed)", noted.done, noted.total),
        });
        let other = format!("another whichfn is indexing this repository{far}");
        if may_answer_as_it_was && noted.is_some_and(|noted| noted.total >= SHORT_WAIT) {
            progress.notice(&format!("{other}; answering from the index as it was"));
            return false;
        }
        if !said {
            progress.waiting(&format!("{other}; waiting for it"));
            said = true;
        }
        match noted {
            Some(noted) if noted.is_linking => progress.linking(noted.total),
            Some(noted) => progress.step(noted.done, noted.total),
            None => {}
        }
        true
    })
}

/// Tells those who wait as well.
pub(super) struct Noting<'a> {
    pub progress: &'a dyn Progress,
    pub writing: &'a Writing,
}

impl Progress for Noting<'_> {
    fn step(&self, done: usize, total: usize) {
        if done.is_multiple_of(total / NOTES + 1) {
            self.writing.note(done, total);
        }
        self.progress.step(done, total);
    }

    fn linking(&self, files: usize) {
        self.writing.note_linking(files);
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
