//! The texts of an index, to be shown where the files are not.
//!
//! ```text
//! the bytes of each file, packed by itself, end to end | where each ends: u64 each | how many: u64
//! ```
//! It is sealed as the other files of an index are; and a text is held against the hash that the index has of it, so that texts
//! of another index are found out too.
//!
//! Price: a third of the sources' bytes; a text is unpacked at a gigabyte a second.

use super::map::MappedBytes;
use super::packed::{pack, unpack};
use super::private::create_file;
use super::sealed::{SealWriter, SealedFile};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

const WORD: usize = size_of::<u64>();

/// Texts on their way to disk, one after another.
pub struct TextsWriter {
    file: SealWriter<BufWriter<File>>,
    ends: Vec<u64>,
}

impl TextsWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { file: SealWriter::new(BufWriter::new(create_file(path)?)), ends: Vec::new() })
    }

    /// Adds the bytes of the next file.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let packed = pack(bytes);
        self.ends.push(self.ends.last().copied().unwrap_or(0) + packed.len() as u64);
        self.file.write_all(&packed)
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn finish(mut self) -> io::Result<()> {
        let words = self.ends.iter().copied().chain([self.ends.len() as u64]);
        words.into_iter().try_for_each(|word| self.file.write_all(&word.to_le_bytes()))?;
        self.file.finish().map(drop)
    }
}

/// Texts, mapped. What is damaged is raised when it is read: see `sealed.rs`.
pub(super) struct PackedTexts {
    file: SealedFile,
    count: usize,
}

impl PackedTexts {
    /// The texts of so many files; none if they are damaged, or are of more or fewer.
    pub fn within(part: MappedBytes, count: usize) -> Option<Self> {
        let texts = Self { file: SealedFile::within(part, None)?, count };
        let words = (count + 1).checked_mul(WORD)?;
        let is_whole = texts.file.length() >= words && texts.word(count)? == count as u64;
        is_whole.then_some(texts)
    }

    /// The bytes of a file, by its number.
    pub fn bytes(&self, number: usize) -> Vec<u8> {
        self.unpacked(number).unwrap_or_else(|| self.reject())
    }

    /// Reads all of it; raises if a part is damaged.
    pub fn verify(&self) {
        self.file.verify();
    }

    /// Raises for bytes that are not those of the index.
    pub fn reject(&self) -> ! {
        self.file.reject()
    }

    fn unpacked(&self, number: usize) -> Option<Vec<u8>> {
        let before = if number == 0 { 0 } else { self.word(number - 1)? };
        let range = usize::try_from(before).ok()?..usize::try_from(self.word(number)?).ok()?;
        let is_sound = range.start <= range.end && range.end <= self.words_at();
        is_sound.then(|| unpack(self.file.bytes(range)))?
    }

    /// Where the words after the texts begin.
    fn words_at(&self) -> usize {
        self.file.length() - (self.count + 1) * WORD
    }

    /// Where a file's text ends, or behind the last the count of all.
    fn word(&self, number: usize) -> Option<u64> {
        let at = self.words_at() + number * WORD;
        (number <= self.count).then(|| self.file.bytes(at..at + WORD))?.try_into().ok().map(u64::from_le_bytes)
    }
}
