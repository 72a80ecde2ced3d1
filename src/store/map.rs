//! A file as bytes in memory, without reading it.

use std::fs::File;
use std::io;
use std::path::Path;

/// A mapped file. Files of a generation are never changed after they are named, only removed, and a removed file stays
/// mapped.
pub(super) fn map(path: &Path) -> io::Result<memmap2::Mmap> {
    let file = File::open(path)?;
    // SAFETY: the bytes must not change while they are mapped, and the file must not shrink. Ours do neither: they are
    // written under another name, renamed when whole, and never written again. If another process truncates one all the
    // same, access beyond its new end raises SIGBUS and ends the run; if it overwrites one, the run reads what it wrote. We
    // accept both for files in our own index folder.
    #[allow(unsafe_code)]
    unsafe {
        memmap2::Mmap::map(&file)
    }
}
