//! Reports the progress of a refresh.

/// Receives the progress reports of a refresh.
pub trait Progress: Sync {
    /// Asks the user a question that is answered with yes or no. Returns false if no user can answer.
    fn confirm(&self, _question: &str) -> bool {
        false
    }
    /// Reports that files are being listed and compared with the index.
    fn looking(&self) {}
    /// Reports that `done` of `total` files are parsed.
    fn step(&self, done: usize, total: usize);
    /// Reports that files with `done` of `total` bytes are parsed.
    fn bytes(&self, _done: u64, _total: u64) {}
    /// Reports that all files are parsed, and that the calls in `files` files are being linked.
    fn linking(&self, files: usize);
    /// Reports that all calls are linked, and that the index is being written.
    fn writing(&self) {}
    /// Reports that `done` of `total` functions are embedded.
    fn embedded(&self, done: usize, total: usize);
    /// Reports an event on one line, such as a rebuild and the reason for it.
    fn notice(&self, line: &str);
    /// Reports on one line that another process is writing the index.
    fn waiting(&self, line: &str) {
        self.notice(line);
    }
}

/// Ignores all progress reports.
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _: usize, _: usize) {}
    fn linking(&self, _: usize) {}
    fn embedded(&self, _: usize, _: usize) {}
    fn notice(&self, _: &str) {}
}
