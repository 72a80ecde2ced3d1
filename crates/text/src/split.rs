//! Splits a string into stems once, for all callers that need the words in parts of it.
//!
//! Blocks read the whole text, and definitions read the leaves of the syntax tree. The stems of
//! each part are ranges in one list of numbers.
//!
//! **Cost:** one pass over the text and one hash look-up for each name in it. For each part, a
//! search for its first name.
//!
//! **Tested by:** `tests/words.rs`. A part gives the same words as when that part is split
//! separately.

use super::stem::{StemNumber, Stemmer};
use super::words::name_ranges;
use std::ops::Range;

/// Splits strings into stems, each string as a whole. A splitter has its own cache of stems and is
/// not shared between threads.
#[derive(Default)]
pub struct Splitter {
    stemmer: Stemmer,
    names: Vec<Name>,
    /// Stems of all names in the current text, in order.
    stems: Vec<StemNumber>,
    /// Index of the last name returned. Parts requested in order are thus found immediately.
    near: usize,
    /// Number of each stem in the current text, indexed by the stemmer's number; [`NONE`] if the
    /// stem has no number yet.
    numbers: Vec<u32>,
    /// The stemmer's number of each stem, indexed by the stem's number in the current text.
    numbered: Vec<StemNumber>,
}

/// Marks a stem that has no number in the current text.
const NONE: u32 = u32::MAX;

/// A maximal run of letters, digits and underscores in the current text.
struct Name {
    start: u32,
    end: u32,
    /// Index of the name's first stem.
    first: u32,
}

impl Splitter {
    /// Splits a string and makes it the current one. Numbers from earlier calls become invalid.
    pub fn read(&mut self, text: &str) {
        self.numbered.drain(..).for_each(|stem| self.numbers[stem.index()] = NONE);
        self.stemmer.clear_texts();
        self.names.clear();
        self.stems.clear();
        self.near = 0;
        for range in name_ranges(text) {
            let (start, end, first) = (range.start as u32, range.end as u32, self.stems.len() as u32);
            self.names.push(Name { start, end, first });
            self.stemmer.name(&text[range], &mut self.stems);
        }
    }

    /// Returns the cache of stems.
    pub fn stemmer(&self) -> &Stemmer {
        &self.stemmer
    }

    /// Returns a stem's number in the current text. Stems are numbered starting at 0, in the order
    /// in which they are first requested.
    pub fn number(&mut self, stem: StemNumber) -> u32 {
        if self.numbers.len() < self.stemmer.len() {
            self.numbers.resize(self.stemmer.len(), NONE);
        }
        let number = &mut self.numbers[stem.index()];
        if *number == NONE {
            *number = self.numbered.len() as u32;
            self.numbered.push(stem);
        }
        *number
    }

    /// Returns the stems that have a number in the current text, indexed by that number.
    pub fn numbered(&self) -> &[StemNumber] {
        &self.numbered
    }

    /// Appends the stems of a separate text, which is not part of the current one.
    pub fn other(&mut self, text: &str, out: &mut Vec<StemNumber>) {
        self.stemmer.numbers(text, out);
    }

    /// Appends the stems of a byte range of the current text. Appends nothing if the range splits a
    /// character.
    pub fn part(&mut self, text: &str, bytes: Range<usize>, out: &mut Vec<StemNumber>) {
        let (start, end) = (bytes.start as u32, bytes.end as u32);
        let first = self.first_after(start);
        let count = self.names[first..].iter().take_while(|name| name.start < end).count();
        if count == 0 || text.get(bytes.clone()).is_none() {
            return;
        }
        let last = first + count - 1;
        self.near = last;
        // If the range contains only part of a name, that part is a different name.
        let is_cut = |name: &Name| name.start < start || name.end > end;
        let (cut_first, cut_last) = (is_cut(&self.names[first]), last > first && is_cut(&self.names[last]));
        if cut_first {
            self.cut(text, &bytes, first, out);
        }
        let uncut = self.first_stem(first + usize::from(cut_first))..self.first_stem(last + 1 - usize::from(cut_last));
        out.extend_from_slice(self.stems.get(uncut).unwrap_or_default());
        if cut_last {
            self.cut(text, &bytes, last, out);
        }
    }

    /// Returns, for each position in `ends`, the stems of the names between the previous position
    /// and that one. `ends` must be sorted, and no position may be inside a name.
    pub fn stems_up_to(&self, ends: impl Iterator<Item = usize>) -> impl Iterator<Item = &[StemNumber]> {
        let (mut name, mut first) = (0, 0);
        ends.map(move |end| {
            name += self.names[name..].iter().take_while(|name| (name.start as usize) < end).count();
            let stems = first..self.first_stem(name);
            first = stems.end;
            &self.stems[stems]
        })
    }

    fn cut(&mut self, text: &str, bytes: &Range<usize>, name: usize, out: &mut Vec<StemNumber>) {
        let Name { start, end, .. } = self.names[name];
        let inside = bytes.start.max(start as usize)..bytes.end.min(end as usize);
        if let Some(name) = text.get(inside) {
            self.stemmer.name(name, out);
        }
    }

    /// Returns the index of the first name that ends after an offset, by a galloping search.
    fn first_after(&self, byte: u32) -> usize {
        let is_before = |name: &Name| name.end <= byte;
        let mut from = if self.names.get(self.near).is_some_and(is_before) { self.near } else { 0 };
        let mut step = 1;
        while self.names.get(from + step).is_some_and(is_before) {
            from += step;
            step *= 2;
        }
        let ahead = &self.names[from..self.names.len().min(from + step)];
        from + ahead.partition_point(is_before)
    }

    fn first_stem(&self, name: usize) -> usize {
        self.names.get(name).map_or(self.stems.len(), |name| name.first as usize)
    }
}
