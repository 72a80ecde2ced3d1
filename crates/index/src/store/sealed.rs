//! Files that detect damage to themselves. Such a file consists of the content, a checksum for each
//! block, and a seal, which is a checksum of all checksums.
//!
//! ```text
//! content | checksum of each block of 16 KiB: u64 each | length of the content: u64 | seal: u64
//! ```
//! The seal is the checksum of everything between it and the content. Opening a file checks the
//! seal, which reads a two-thousandth of the file. A block is checked when it is first read. A
//! question therefore checks only the blocks that it reads, and yet a changed byte is always
//! detected. The seal identifies the whole content, so a file that stores the seals of other files,
//! such as the manifest, cannot be combined with older or newer files. Checksums are computed while
//! a file is written, so it need not be read again.
//!
//! **Cost:** 80 ns per kilobyte at the first access, and one load of an atomic number after that.
//!
//! **Differs from the usual error handling:** a damaged block is not returned as an error.
//! Thousands of places read rows and names, and none of them can handle the error. Instead,
//! [`panic_damaged`] unwinds the stack past all of them, similar to a signal when a mapped page
//! cannot be read. The caller at the top catches it ([`catch_damaged`]), has the index rebuilt, and
//! runs the query again.

use super::map::{MappedBytes, map};
use std::io::{self, Write};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// Number of bytes that share a checksum. A question reads a few hundred locations, and for each of
/// them, the block's checksum is computed.
const BLOCK: usize = 16 << 10;
const WORD: usize = size_of::<u64>();

/// Reports that a file of the index is damaged. This is the only error that unwinds the stack and
/// is not returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damaged {
    /// The damaged file.
    pub file: PathBuf,
}

/// Unwinds the stack up to [`catch_damaged`], which ends all work with this index.
pub(super) fn panic_damaged(file: &Path) -> ! {
    resume_unwind(Box::new(Damaged { file: file.to_owned() }))
}

/// Runs `work`, which reads an index, and returns its result.
///
/// # Errors
/// Returns the damaged file if `work` read one.
pub fn catch_damaged<T>(work: impl FnOnce() -> T) -> Result<T, Damaged> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|raised| match raised.downcast::<Damaged>() {
        Ok(damaged) => *damaged,
        Err(other) => resume_unwind(other),
    })
}

/// The checksums of a file in memory, and a record of which blocks were checked.
#[derive(Debug)]
pub(super) struct Seal {
    length: usize,
    /// One bit per block, which is set if the block was checked.
    checked: Vec<AtomicU64>,
}

impl Seal {
    /// Reads the seal and the checksums of a file with these bytes. Returns `None` if the file is
    /// truncated or its checksums are damaged.
    pub fn read(file: &[u8]) -> Option<Self> {
        let length = usize::try_from(word(file, file.len().checked_sub(2 * WORD)?)?).ok()?;
        let blocks = length.div_ceil(BLOCK);
        let is_valid = length.checked_add(blocks * WORD + 2 * WORD)? == file.len();
        let sound = is_valid && word(file, file.len() - WORD)? == xxh3_64(&file[length..file.len() - WORD]);
        sound.then(|| Self { length, checked: (0..blocks.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() })
    }

    /// Checks whether a range of the content is in a single block that was checked before. This is
    /// the fast path, because nearly every access reads one row in such a block.
    #[inline]
    pub fn is_checked_range(&self, range: &Range<usize>) -> bool {
        let is_one =
            range.start < range.end && range.end <= self.length && range.start / BLOCK == (range.end - 1) / BLOCK;
        is_one && self.is_checked(range.start / BLOCK)
    }

    #[inline]
    fn is_checked(&self, block: usize) -> bool {
        self.checked[block / 64].load(Ordering::Relaxed) & (1 << (block % 64)) != 0
    }

    /// Checks whether a range of the content exists and is undamaged.
    #[cold]
    pub fn check(&self, file: &[u8], range: &Range<usize>) -> bool {
        if range.start >= range.end || range.end > self.length {
            return range.start == range.end && range.end <= self.length;
        }
        (range.start / BLOCK..=(range.end - 1) / BLOCK).all(|block| self.verify_block(file, block))
    }

    fn verify_block(&self, file: &[u8], block: usize) -> bool {
        // Two threads may check one block at the same time; both get the same result.
        if self.is_checked(block) {
            return true;
        }
        let content = &file[block * BLOCK..self.length.min((block + 1) * BLOCK)];
        let is_valid = word(file, self.length + block * WORD) == Some(xxh3_64(content));
        if is_valid {
            self.checked[block / 64].fetch_or(1 << (block % 64), Ordering::Relaxed);
        }
        is_valid
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..at + WORD)?.try_into().ok().map(u64::from_le_bytes)
}

/// Returns the seal at the end of a file.
pub(super) fn read_seal(file: &[u8]) -> Option<u64> {
    word(file, file.len().checked_sub(WORD)?)
}

/// A sealed and memory-mapped file, which may be part of a larger file.
pub(super) struct SealedFile {
    file: MappedBytes,
    seal: Seal,
}

impl SealedFile {
    /// Opens a sealed file. Returns `None` if it is missing, truncated, or has a different seal.
    pub fn open(path: &Path, seal: u64) -> Option<Self> {
        let file = MappedBytes::new(path, map(path).ok()?);
        Self::from_bytes(file, Some(seal))
    }

    /// Opens a sealed file within the given bytes. Returns `None` if it is truncated, if its
    /// checksums are damaged, or if its seal is not `wanted`.
    pub fn from_bytes(file: MappedBytes, wanted: Option<u64>) -> Option<Self> {
        if wanted.is_some_and(|wanted| read_seal(file.all()) != Some(wanted)) {
            return None;
        }
        let seal = Seal::read(file.all())?;
        Some(Self { file, seal })
    }

    /// Creates a sealed file in memory, with content of the given length.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn in_memory(
        length: usize,
        write: impl FnOnce(&mut SealWriter<&mut [u8]>) -> io::Result<()>,
    ) -> io::Result<Self> {
        let mut map = memmap2::MmapMut::map_anon(length + length.div_ceil(BLOCK) * WORD + 2 * WORD)?;
        let mut writer = SealWriter::new(&mut map[..]);
        write(&mut writer)?;
        writer.finish()?;
        let file = MappedBytes::new(Path::new(""), map.make_read_only()?);
        Self::from_bytes(file, None).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    /// Reads and checks the whole file. Panics if a part is damaged.
    pub fn verify(&self) {
        self.bytes(0..self.length());
    }

    /// Returns the length of the content in bytes.
    pub fn length(&self) -> usize {
        self.seal.length
    }

    /// Returns a range of the content. Panics if it is damaged or out of range.
    #[inline]
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        if !self.seal.is_checked_range(&range) && !self.seal.check(self.file.all(), &range) {
            panic_damaged(self.file.path());
        }
        self.file.bytes(range)
    }

    /// Panics because of malformed content. Since its checksum matches, another program must have
    /// written it.
    pub fn reject(&self) -> ! {
        panic_damaged(self.file.path())
    }
}

/// A writer that computes the seal of the bytes that are written through it.
pub(super) struct SealWriter<W> {
    writer: W,
    /// Content after the last complete block.
    pending: Vec<u8>,
    length: u64,
    sums: Vec<u8>,
}

impl<W: Write> SealWriter<W> {
    /// Creates a writer that passes the content, followed by its checksums, to `writer`.
    pub fn new(writer: W) -> Self {
        Self { writer, pending: Vec::with_capacity(BLOCK), length: 0, sums: Vec::new() }
    }

    /// Writes the checksums and the seal, and returns the seal.
    ///
    /// # Errors
    /// Returns an error if the underlying writer fails.
    pub fn finish(&mut self) -> io::Result<u64> {
        if !self.pending.is_empty() {
            self.sums.extend(xxh3_64(&self.pending).to_le_bytes());
            self.pending.clear();
        }
        self.sums.extend(self.length.to_le_bytes());
        let seal = xxh3_64(&self.sums);
        self.sums.extend(seal.to_le_bytes());
        self.writer.write_all(&self.sums)?;
        self.writer.flush()?;
        Ok(seal)
    }

    /// Adds written bytes to the checksums.
    fn sum(&mut self, mut bytes: &[u8]) {
        self.length += bytes.len() as u64;
        while !bytes.is_empty() {
            if self.pending.is_empty() && bytes.len() >= BLOCK {
                let (block, rest) = bytes.split_at(BLOCK);
                self.sums.extend(xxh3_64(block).to_le_bytes());
                bytes = rest;
                continue;
            }
            let (part, rest) = bytes.split_at(bytes.len().min(BLOCK - self.pending.len()));
            self.pending.extend_from_slice(part);
            bytes = rest;
            if self.pending.len() == BLOCK {
                self.sums.extend(xxh3_64(&self.pending).to_le_bytes());
                self.pending.clear();
            }
        }
    }
}

impl<W: Write> Write for SealWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes)?;
        self.sum(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sealed(content: &[u8]) -> Vec<u8> {
        let mut writer = SealWriter::new(Vec::new());
        writer.write_all(content).expect("written");
        writer.finish().expect("finished");
        writer.writer
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|at| (at / 7) as u8).collect()
    }

    #[test]
    fn writes_in_pieces_read_back_complete() {
        for length in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut writer = SealWriter::new(Vec::new());
            content(length).chunks(1000).for_each(|piece| writer.write_all(piece).expect("written"));
            let seal = writer.finish().expect("finished");
            assert_eq!(writer.writer, sealed(&content(length)), "{length} bytes at once or in pieces");
            let file = tempfile::NamedTempFile::new().expect("file");
            std::fs::write(file.path(), &writer.writer).expect("written");
            let opened = SealedFile::open(file.path(), seal).expect("whole");
            assert_eq!(opened.bytes(0..length), content(length));
            assert!(catch_damaged(|| opened.bytes(0..length + 1).len()).is_err(), "beyond its end");
            assert!(SealedFile::open(file.path(), seal ^ 1).is_none(), "another file's seal");
        }
    }

    #[test]
    fn truncated_files_do_not_open() {
        let file = sealed(&content(BLOCK + 100));
        assert!((0..file.len()).all(|end| Seal::read(&file[..end]).is_none()));
    }

    proptest! {
        #[test]
        fn changed_bytes_are_never_returned(at in 0..2 * BLOCK + 164, change in 1..=255u8, from in 0..2 * BLOCK - 100, length in 0..200usize) {
            let mut file = sealed(&content(2 * BLOCK + 100));
            prop_assume!(at < file.len());
            file[at] ^= change;
            let range = from..from + length;
            let blocks = range.start / BLOCK..range.end.div_ceil(BLOCK);
            match Seal::read(&file) {
                None => prop_assert!(at >= 2 * BLOCK + 100, "only the sums are checked when it is opened"),
                Some(seal) => {
                    let touched = length > 0 && blocks.contains(&(at / BLOCK));
                    prop_assert_eq!(seal.is_checked_range(&range) || seal.check(&file, &range), !touched);
                }
            }
        }
    }
}
