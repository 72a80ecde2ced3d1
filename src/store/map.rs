//! A file as bytes in memory, without reading it.

use crate::untrusted::open_regular;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A mapped file. Files of a generation, and shards, are never changed after they are named, only removed, and a removed file
/// stays mapped.
pub(super) fn map(path: &Path) -> io::Result<memmap2::Mmap> {
    let file = open_regular(path)?;
    // SAFETY: the bytes must not change while they are mapped, and the file must not shrink. Ours do neither: they are
    // written under another name, renamed when whole, and never written again. If another process truncates one all the
    // same, access beyond its new end raises SIGBUS and ends the run; if it overwrites one, the run reads what it wrote. We
    // accept both for files in our own index folder, and for shards.
    #[allow(unsafe_code)]
    unsafe {
        memmap2::Mmap::map(&file)
    }
}

/// A stretch of a mapped file, or of memory, that others may look into as well.
#[derive(Clone)]
pub(super) struct MappedBytes {
    path: Arc<Path>,
    map: Arc<memmap2::Mmap>,
    start: usize,
    length: usize,
}

impl MappedBytes {
    /// All of a map; the path is for messages.
    pub fn new(path: &Path, map: memmap2::Mmap) -> Self {
        let length = map.len();
        Self { path: path.into(), map: Arc::new(map), start: 0, length }
    }

    /// A part of it; none if it is cut off there.
    pub fn part(&self, range: Range<usize>) -> Option<Self> {
        let is_there = range.start <= range.end && range.end <= self.length;
        is_there.then(|| Self { start: self.start + range.start, length: range.len(), ..self.clone() })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// All bytes of the stretch.
    pub fn all(&self) -> &[u8] {
        &self.map[self.start..self.start + self.length]
    }

    /// Some bytes, counted from the first of the stretch, which must have them.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.map[self.start + range.start..self.start + range.end]
    }
}
