//! Bytes of a file to its lines.

use crate::ids::FileId;
use crate::scan::decode;
use std::path::Path;

/// Where the lines of the file looked at last begin. Nodes come by file, so one is enough.
#[derive(Default)]
pub struct Lines {
    file: Option<FileId>,
    starts: Vec<u32>,
}

impl Lines {
    /// First and last line of a stretch of a file below `root`.
    pub fn of(&mut self, root: &Path, file: FileId, path: &str, start: u32, end: u32) -> (u32, u32) {
        if self.file != Some(file) {
            let bytes = std::fs::read(root.join(path)).unwrap_or_default();
            let text = decode(&bytes).unwrap_or_default();
            self.starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at as u32 + 1)).collect();
            self.file = Some(file);
        }
        let line = |byte: u32| self.starts.partition_point(|&first| first <= byte) as u32;
        (line(start), line(end.saturating_sub(1).max(start)))
    }
}
