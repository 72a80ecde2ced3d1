//! A sealed file of sections, mapped: items are used where they lie.

use super::graph_rows::Str;
use super::graph_section::{GraphSection, HEAD, Places, places};
use super::sealed::SealedFile;
use bytemuck::Pod;
use std::ops::Range;

/// Some sections of the graph. What is damaged is raised when it is read: see [`super::sealed`].
pub(super) struct SectionFile {
    file: SealedFile,
    places: Places,
}

impl SectionFile {
    /// Checks the shape of a sealed file; none if it has no sections of a graph.
    pub fn new(file: SealedFile) -> Option<Self> {
        let places = places(file.bytes(0..HEAD.min(file.length())), file.length())?;
        Some(Self { file, places })
    }

    /// How many bytes the content has.
    pub fn length(&self) -> usize {
        self.file.length()
    }

    /// Reads all of it; raises if a part is damaged.
    pub fn verify(&self) {
        self.file.verify();
    }

    /// Raises for what is found wrong in bytes whose sum is right: another program wrote them.
    pub fn reject(&self) -> ! {
        self.file.reject()
    }

    /// How many items a section has.
    pub fn count(&self, section: GraphSection) -> usize {
        self.places[section as usize].len() / section.item_size()
    }

    /// Some items of a section.
    pub fn items<T: Pod>(&self, section: GraphSection, range: Range<usize>) -> &[T] {
        debug_assert_eq!(size_of::<T>(), section.item_size(), "{section:?}: items of another type");
        let start = self.places[section as usize].start;
        if range.start > range.end || range.end > self.count(section) {
            self.reject();
        }
        let bytes = self.file.bytes(start + range.start * size_of::<T>()..start + range.end * size_of::<T>());
        // The map begins at a page and sections at multiples of 8, so a cast cannot fail.
        bytemuck::try_cast_slice(bytes).unwrap_or_else(|_| self.reject())
    }

    /// All bytes of a section.
    pub fn section(&self, section: GraphSection) -> &[u8] {
        self.file.bytes(self.places[section as usize].clone())
    }

    /// One item of a section.
    pub fn item<T: Pod>(&self, section: GraphSection, at: usize) -> T {
        self.items(section, at..at + 1)[0]
    }

    /// The run of a key in a section, and the section that says where runs begin.
    pub fn run<T: Pod>(&self, starts: GraphSection, items: GraphSection, key: usize) -> &[T] {
        let bounds: &[u32] = self.items(starts, key..key + 2);
        self.items(items, bounds[0] as usize..bounds[1] as usize)
    }

    /// The bytes of a file, or of a term, in a section; and the section that says where those of each end.
    pub fn part(&self, [ends, bytes]: [GraphSection; 2], number: usize) -> &[u8] {
        let end_before = |number: usize| match number {
            0 => 0,
            number => self.item::<u64>(ends, number - 1) as usize,
        };
        self.items(bytes, end_before(number)..end_before(number + 1))
    }

    /// A string.
    pub fn text(&self, [start, length]: Str) -> &str {
        let bytes = self.items(GraphSection::Strings, start as usize..start as usize + length as usize);
        std::str::from_utf8(bytes).unwrap_or_else(|_| self.reject())
    }
}
