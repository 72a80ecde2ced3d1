//! The source text of an index, shown where the files themselves are not available.
//!
//! ```text
//! bytes of each file, packed separately, concatenated | end of each: u64 each
//! number of files: u64
//! ```
//! The file is sealed like the other files of an index. In addition, the text of each file is
//! compared with the hash in the index, so that text from a different index is also detected.
//!
//! **Cost:** a third of the bytes of the sources. Text is decompressed at a gigabyte per second.

use super::map::MappedBytes;
use super::private::create_file;
use super::sealed::{SealWriter, SealedFile};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use whichfn_syntax::packed::{pack, unpack};

const WORD: usize = size_of::<u64>();

/// Writes the text of files to disk, one file after another.
pub struct TextsWriter {
    file: SealWriter<BufWriter<File>>,
    ends: Vec<u64>,
}

impl TextsWriter {
    /// Creates the file at `path`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { file: SealWriter::new(BufWriter::new(create_file(path)?)), ends: Vec::new() })
    }

    /// Adds the bytes of the next file.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let packed = pack(bytes);
        self.ends.push(self.ends.last().copied().unwrap_or(0) + packed.len() as u64);
        self.file.write_all(&packed)
    }

    /// Writes the end of each file's text, the number of files and the seal.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<()> {
        let words = self.ends.iter().copied().chain([self.ends.len() as u64]);
        words.into_iter().try_for_each(|word| self.file.write_all(&word.to_le_bytes()))?;
        self.file.finish().map(drop)
    }
}

/// Mapped texts. Reading a damaged part raises an error: see `sealed.rs`.
pub(super) struct PackedTexts {
    file: SealedFile,
    count: usize,
}

impl PackedTexts {
    /// Opens the text of `count` files. Returns `None` if they are damaged, or belong to a
    /// different number of files.
    pub fn from_bytes(part: MappedBytes, count: usize) -> Option<Self> {
        let texts = Self { file: SealedFile::from_bytes(part, None)?, count };
        let words = (count + 1).checked_mul(WORD)?;
        let is_whole = texts.file.length() >= words && texts.word(count)? == count as u64;
        is_whole.then_some(texts)
    }

    /// Returns the bytes of a file, by its number. Raises if they are damaged.
    pub fn bytes(&self, number: usize) -> Vec<u8> {
        self.unpacked(number).unwrap_or_else(|| self.reject())
    }

    /// Reads and checks everything. Raises if a part is damaged.
    pub fn verify(&self) {
        self.file.verify();
    }

    /// Raises for bytes that do not match the index.
    pub fn reject(&self) -> ! {
        self.file.reject()
    }

    fn unpacked(&self, number: usize) -> Option<Vec<u8>> {
        let before = if number == 0 { 0 } else { self.word(number - 1)? };
        let range = usize::try_from(before).ok()?..usize::try_from(self.word(number)?).ok()?;
        let is_sound = range.start <= range.end && range.end <= self.table_start();
        is_sound.then(|| unpack(self.file.bytes(range)))?
    }

    /// Returns the offset of the `u64` numbers after the text.
    fn table_start(&self) -> usize {
        self.file.length() - (self.count + 1) * WORD
    }

    /// Returns the end offset of a file's text, or the number of files if `number` is that number.
    fn word(&self, number: usize) -> Option<u64> {
        let at = self.table_start() + number * WORD;
        (number <= self.count).then(|| self.file.bytes(at..at + WORD))?.try_into().ok().map(u64::from_le_bytes)
    }
}
