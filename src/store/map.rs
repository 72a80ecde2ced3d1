//! A file as bytes in memory, without reading it. The one unsafe line of the crate.

use std::fs::File;
use std::io;
use std::path::Path;

/// A mapped file. Files of a generation are never changed after they are named, only removed, and a removed file stays
/// mapped.
pub(super) fn map(path: &Path) -> io::Result<memmap2::Mmap> {
    let file = File::open(path)?;
    // SAFETY: a generation's files are written under another name and renamed when whole; nothing writes to them after.
    // A person who truncates one while it is mapped gets what every program that maps files gives them.
    #[allow(unsafe_code)]
    unsafe {
        memmap2::Mmap::map(&file)
    }
}
