//! Reports the progress of a refresh.

/// A receiver of progress reports of a refresh.
pub trait Progress: Sync {
    /// Reports that files are being listed and compared with the index.
    fn looking(&self) {}
    /// Reports that `done` of `total` files are parsed.
    fn step(&self, done: usize, total: usize);
    /// Reports that all files are parsed, and the calls of this number of files are being linked.
    fn linking(&self, files: usize);
    /// Reports that all calls are linked, and the index is being written.
    fn writing(&self) {}
    /// Reports that `done` of `total` functions are embedded.
    fn embedded(&self, done: usize, total: usize);
    /// Reports an event in one line, such as a rebuild and its reason.
    fn notice(&self, line: &str);
    /// Reports in one line that another writer is working.
    fn waiting(&self, line: &str) {
        self.notice(line);
    }
}

/// A receiver that ignores all reports.
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _: usize, _: usize) {}
    fn linking(&self, _: usize) {}
    fn embedded(&self, _: usize, _: usize) {}
    fn notice(&self, _: &str) {}
}
