//! A sealed, memory-mapped file of sections, whose items are used in place.

use super::graph_rows::Str;
use super::graph_section::{GraphSection, HEAD, Places, places};
use super::sealed::SealedFile;
use bytemuck::Pod;
use std::ops::Range;

/// A file with sections of the graph. Reading a damaged part panics; see [`super::sealed`].
pub(super) struct SectionFile {
    file: SealedFile,
    places: Places,
}

impl SectionFile {
    /// Checks the header of a sealed file. Returns `None` if the file does not contain sections of
    /// a graph.
    pub fn new(file: SealedFile) -> Option<Self> {
        let places = places(file.bytes(0..HEAD.min(file.length())), file.length())?;
        Some(Self { file, places })
    }

    /// Returns the length of the content in bytes.
    pub fn length(&self) -> usize {
        self.file.length()
    }

    /// Reads and checks the whole file. Panics if a part is damaged.
    pub fn verify(&self) {
        self.file.verify();
    }

    /// Panics because of malformed content. Since its checksum matches, another program must have
    /// written it.
    pub fn reject(&self) -> ! {
        self.file.reject()
    }

    /// Returns the number of items in a section.
    pub fn count(&self, section: GraphSection) -> usize {
        self.places[section as usize].len() / section.item_size()
    }

    /// Returns a range of items in a section. Panics if they are damaged or out of range.
    pub fn items<T: Pod>(&self, section: GraphSection, range: Range<usize>) -> &[T] {
        debug_assert_eq!(size_of::<T>(), section.item_size(), "{section:?}: items of another type");
        let start = self.places[section as usize].start;
        if range.start > range.end || range.end > self.count(section) {
            self.reject();
        }
        let bytes = self.file.bytes(start + range.start * size_of::<T>()..start + range.end * size_of::<T>());
        // The map starts at a page and sections at multiples of 8, so the cast cannot fail.
        bytemuck::try_cast_slice(bytes).unwrap_or_else(|_| self.reject())
    }

    /// Returns all bytes of a section.
    pub fn section(&self, section: GraphSection) -> &[u8] {
        self.file.bytes(self.places[section as usize].clone())
    }

    /// Returns one item of a section.
    pub fn item<T: Pod>(&self, section: GraphSection, at: usize) -> T {
        self.items(section, at..at + 1)[0]
    }

    /// Returns the items that belong to a key. `starts` is the section with the start of each key's
    /// items in `items`.
    pub fn run<T: Pod>(&self, starts: GraphSection, items: GraphSection, key: usize) -> &[T] {
        let bounds: &[u32] = self.items(starts, key..key + 2);
        self.items(items, bounds[0] as usize..bounds[1] as usize)
    }

    /// Returns the bytes that belong to a file or a term. The first section contains the end of
    /// each part, and the second contains the bytes.
    pub fn part(&self, [ends, bytes]: [GraphSection; 2], number: usize) -> &[u8] {
        let end_before = |number: usize| match number {
            0 => 0,
            number => self.item::<u64>(ends, number - 1) as usize,
        };
        self.items(bytes, end_before(number)..end_before(number + 1))
    }

    /// Returns a string from the string section.
    pub fn text(&self, [start, length]: Str) -> &str {
        let bytes = self.items(GraphSection::Strings, start as usize..start as usize + length as usize);
        std::str::from_utf8(bytes).unwrap_or_else(|_| self.reject())
    }
}
