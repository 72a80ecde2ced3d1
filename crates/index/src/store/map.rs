//! Maps files into memory.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use whichfn_system::untrusted::open_regular;

/// Maps a file into memory. The files of a generation, and shards, are never changed after they get
/// their final name. They can only be removed, and a removed file stays mapped.
pub(super) fn map(path: &Path) -> io::Result<memmap2::Mmap> {
    let file = open_regular(path)?;
    // SAFETY: the bytes must not change while they are mapped, and the file must not shrink. Our
    // files do neither: they are written under another name, renamed when complete, and never
    // written again. If another process truncates one nevertheless, access beyond its new end
    // raises SIGBUS and ends the run. If it overwrites one, the run reads the new bytes. We accept
    // both for files in our own index folder, and for shards.
    #[allow(unsafe_code)]
    unsafe {
        memmap2::Mmap::map(&file)
    }
}

/// A range of a mapped file or of anonymous memory. Clones share the mapping.
#[derive(Clone)]
pub(super) struct MappedBytes {
    path: Arc<Path>,
    map: Arc<memmap2::Mmap>,
    start: usize,
    length: usize,
}

impl MappedBytes {
    /// Wraps a whole mapping. `path` is used only in error messages.
    pub fn new(path: &Path, map: memmap2::Mmap) -> Self {
        let length = map.len();
        Self { path: path.into(), map: Arc::new(map), start: 0, length }
    }

    /// Returns part of the range, or `None` if the range ends before that part does.
    pub fn part(&self, range: Range<usize>) -> Option<Self> {
        let is_there = range.start <= range.end && range.end <= self.length;
        is_there.then(|| Self { start: self.start + range.start, length: range.len(), ..self.clone() })
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns all bytes of the range.
    pub fn all(&self) -> &[u8] {
        &self.map[self.start..self.start + self.length]
    }

    /// Returns the bytes at the given offsets, which are relative to the start of the range.
    ///
    /// # Panics
    /// Panics if the range does not contain these bytes.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.map[self.start + range.start..self.start + range.end]
    }
}
