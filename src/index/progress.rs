//! Who is told how far a refresh is.

/// Who wants to know how far a refresh is.
pub trait Progress: Sync {
    /// Files are looked for, and what changed of them.
    fn looking(&self) {}
    /// `done` of `total` files are parsed.
    fn step(&self, done: usize, total: usize);
    /// All files are parsed; the calls of so many are being linked.
    fn linking(&self, files: usize);
    /// All calls are linked; the index is written.
    fn writing(&self) {}
    /// `done` of `total` functions are embedded.
    fn embedded(&self, done: usize, total: usize);
    /// Something worth one line: a rebuild and its reason.
    fn notice(&self, line: &str);
    /// Another writer is waited for, which a line says.
    fn waiting(&self, line: &str) {
        self.notice(line);
    }
}

/// Nobody wants to know.
pub struct Silent;

impl Progress for Silent {
    fn step(&self, _: usize, _: usize) {}
    fn linking(&self, _: usize) {}
    fn embedded(&self, _: usize, _: usize) {}
    fn notice(&self, _: &str) {}
}
