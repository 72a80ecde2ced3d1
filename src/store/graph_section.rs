//! How the files of the graph are laid out: where their tables lie, and what each holds. A piece has those of files by
//! themselves, the links have those of the whole; what a file does not have is empty.
//!
//! ```text
//! magic: u64 | by section: first byte in the file, length in bytes: u64 each | the sections, each padded to 8 bytes
//! ```
//! Numbers are in the machine's own byte order: a cache does not travel. Writer and reader name a section by its
//! [`GraphSection`] alone, and its number is its place in the file: another order, or another item type, is another format
//! (raise `FORMAT`).
//!
//! Checked: the test in `links_writer.rs` gives every section content of its own and reads it back by name.

use super::graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow, Place};
use super::totals::{CALL_FIELDS, FieldTotals};
use crate::ids::DefinitionId;
use crate::parse::Field;
use std::io::{self, Write};
use std::ops::Range;

/// First bytes of the file.
const MAGIC: u64 = u64::from_le_bytes(*b"whichfn2");

/// A table of the graph. "Starts" and "ends" are numbers of items or bytes in the section that they belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum GraphSection {
    /// `u8`: paths, names, signatures and documentation in UTF-8, end to end; rows point into it by byte. The strings of one
    /// file lie together, its path first.
    Strings,
    /// [`FileRow`], in order of path.
    Files,
    /// [`DefinitionRow`], in order of file, then place; the first of a file is the file itself.
    Definitions,
    /// `[u16; Field::COUNT]`: number of words by field, for each definition; 65,535 stands for more.
    Lengths,
    /// `u32`: where each definition's run in `Calls` begins, and the end of all.
    CallStarts,
    /// [`CallRow`], in order of caller, then call site.
    Calls,
    /// `u32`: where each definition's run in `Callers` begins, and the end of all.
    CallerStarts,
    /// [`DefinitionId`]: callers, in order of callee, then caller; each pair once.
    Callers,
    /// `u32`: where the run of each block of ten lines in `Postings` ends, over all files.
    BlockEnds,
    /// `u32`: words of blocks, see [`crate::fragment::Blocks`].
    Postings,
    /// `u64`: the byte of `Syntax` at which each file's part ends.
    SyntaxEnds,
    /// `u8`: packed syntax trees, see [`crate::parse::Syntax`]; none of plain text.
    Syntax,
    /// `u64`: the byte of `Lines` at which each file's part ends.
    LinesEnds,
    /// `u8`: packed line ends, see [`crate::fragment::LineEnds`].
    Lines,
    /// `u64`: the byte of `Skeletons` at which each file's part ends.
    SkeletonsEnds,
    /// `u8`: packed skeletons of the definitions, see [`crate::fragment::Skeleton`].
    Skeletons,
    /// `u64`: the byte of `Words` at which each file's part ends.
    WordsEnds,
    /// `u8`: packed words of the definitions, see [`crate::wordvec::WordLists`].
    Words,
    /// `u64`: the byte of `Facts` at which each file's part ends.
    FactsEnds,
    /// `u8`: what linking takes from each file, see [`crate::graph::FileFacts`]; each part begins at a multiple of 8.
    Facts,
    /// `u64`: the byte of `Terms` at which each term ends.
    TermEnds,
    /// `u8`: the terms in which words of definitions are found, in order of their bytes, end to end.
    Terms,
    /// `u64`: the byte of `TermLists` at which each term's list ends.
    TermListEnds,
    /// `u8`: where each term occurs, see [`super::postings`].
    TermLists,
    /// `u32`: all definitions of the piece, see [`super::names`].
    ByName,
    /// [`Place`], by file of the whole, and where all ends.
    Places,
    /// `u32`: the number in the whole of each file of the base, [`super::graph_file::NOWHERE`] if it is superseded.
    BaseFiles,
    /// `u32`: the same of each file of the overlay.
    OverlayFiles,
    /// `u32`: the file of each definition whose number is a multiple of [`super::graph_file::STRIDE`].
    FileAt,
    /// [`DefinitionTraits`], for each definition of the whole.
    Traits,
    /// `[u32; CALL_FIELDS]`: number of words in the fields had through calls, for each definition of the whole.
    ThroughCalls,
    /// [`FieldTotals`] by [`super::KindGroup`].
    Totals,
    /// `u64`: the byte of `Mail` at which each file's part ends, by file of the whole.
    MailEnds,
    /// `u8`: what each file was told when calls were linked, see [`crate::graph::Linked::mail`].
    Mail,
    /// `[DefinitionId; 2]`: a definition and the declaration from which it has its documentation, in order of definition.
    Documented,
    /// `[DefinitionId; 2]`: the same the other way round, in order of declaration.
    Documenting,
}

impl GraphSection {
    /// All sections, in order of their place in the file.
    pub const ALL: [Self; 36] = [
        Self::Strings,
        Self::Files,
        Self::Definitions,
        Self::Lengths,
        Self::CallStarts,
        Self::Calls,
        Self::CallerStarts,
        Self::Callers,
        Self::BlockEnds,
        Self::Postings,
        Self::SyntaxEnds,
        Self::Syntax,
        Self::LinesEnds,
        Self::Lines,
        Self::SkeletonsEnds,
        Self::Skeletons,
        Self::WordsEnds,
        Self::Words,
        Self::FactsEnds,
        Self::Facts,
        Self::TermEnds,
        Self::Terms,
        Self::TermListEnds,
        Self::TermLists,
        Self::ByName,
        Self::Places,
        Self::BaseFiles,
        Self::OverlayFiles,
        Self::FileAt,
        Self::Traits,
        Self::ThroughCalls,
        Self::Totals,
        Self::MailEnds,
        Self::Mail,
        Self::Documented,
        Self::Documenting,
    ];

    /// How many bytes one item has.
    pub fn item_size(self) -> usize {
        match self {
            Self::Strings | Self::Syntax | Self::Lines | Self::Skeletons | Self::Words | Self::Facts => size_of::<u8>(),
            Self::Terms | Self::TermLists | Self::Mail => size_of::<u8>(),
            Self::Files => size_of::<FileRow>(),
            Self::Definitions => size_of::<DefinitionRow>(),
            Self::Lengths => size_of::<[u16; Field::COUNT]>(),
            Self::Calls => size_of::<CallRow>(),
            Self::Callers => size_of::<DefinitionId>(),
            Self::Places => size_of::<Place>(),
            Self::Traits => size_of::<DefinitionTraits>(),
            Self::ThroughCalls => size_of::<[u32; CALL_FIELDS]>(),
            Self::Totals => size_of::<FieldTotals>(),
            Self::Documented | Self::Documenting => size_of::<[DefinitionId; 2]>(),
            Self::CallStarts | Self::CallerStarts | Self::BlockEnds | Self::Postings | Self::FileAt => size_of::<u32>(),
            Self::BaseFiles | Self::OverlayFiles | Self::ByName => size_of::<u32>(),
            Self::SyntaxEnds | Self::LinesEnds | Self::SkeletonsEnds | Self::WordsEnds | Self::FactsEnds => {
                size_of::<u64>()
            }
            Self::TermEnds | Self::TermListEnds | Self::MailEnds => size_of::<u64>(),
        }
    }
}

/// The bytes of each section in the file, by [`GraphSection`].
pub(super) type Places = [Range<usize>; GraphSection::ALL.len()];

/// How many bytes the head of the file has.
pub(super) const HEAD: usize = size_of::<u64>() * (1 + 2 * GraphSection::ALL.len());

/// A file of the graph before it is written: its sections, which lie where they were made.
pub struct SectionBytes<'a>([&'a [u8]; GraphSection::ALL.len()]);

impl<'a> SectionBytes<'a> {
    /// A file with these sections.
    pub(super) fn new(section: impl Fn(GraphSection) -> &'a [u8]) -> Self {
        Self(GraphSection::ALL.map(section))
    }

    /// How many bytes the file has.
    pub fn file_length(&self) -> usize {
        HEAD + self.0.iter().map(|section| section.len().next_multiple_of(8)).sum::<usize>()
    }

    /// Writes the file.
    pub(super) fn write(&self, into: &mut impl Write) -> io::Result<()> {
        let (mut head, mut at) = (Vec::with_capacity(HEAD), HEAD);
        head.extend(MAGIC.to_ne_bytes());
        for section in self.0 {
            head.extend((at as u64).to_ne_bytes());
            head.extend((section.len() as u64).to_ne_bytes());
            at += section.len().next_multiple_of(8);
        }
        into.write_all(&head)?;
        for section in self.0 {
            into.write_all(section)?;
            into.write_all(&[0; 8][..section.len().next_multiple_of(8) - section.len()])?;
        }
        Ok(())
    }
}

/// Where the sections of a file of this length lie, by its head; none if it is not such a file, or cut off.
pub(super) fn places(head: &[u8], file_length: usize) -> Option<Places> {
    let word = |i: usize| head.get(8 * i..8 * i + 8)?.try_into().ok().map(u64::from_ne_bytes);
    if word(0) != Some(MAGIC) {
        return None;
    }
    let mut places: Places = std::array::from_fn(|_| 0..0);
    for (i, place) in places.iter_mut().enumerate() {
        let (start, length) = (word(1 + 2 * i)? as usize, word(2 + 2 * i)? as usize);
        let end = start.checked_add(length).filter(|&end| end <= file_length)?;
        if !start.is_multiple_of(8) || !length.is_multiple_of(GraphSection::ALL[i].item_size()) {
            return None;
        }
        *place = start..end;
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_listed_at_its_own_number() {
        for (number, section) in GraphSection::ALL.into_iter().enumerate() {
            assert_eq!(section as usize, number, "{section:?}");
        }
    }

    #[test]
    fn what_is_cut_off_has_no_places() {
        let mut file = Vec::new();
        let sections = SectionBytes::new(|section| if section == GraphSection::Words { b"words" } else { b"" });
        sections.write(&mut file).expect("written");
        assert_eq!(file.len(), sections.file_length());
        assert_eq!(&file[places(&file, file.len()).expect("whole")[GraphSection::Words as usize].clone()], b"words");
        assert!(
            (0..file.len() - 3).all(|end| places(&file[..end], end).is_none()),
            "three bytes at the end are padding"
        );
        assert!(places(&[b"0", &file[1..]].concat(), file.len()).is_none(), "another magic");
    }
}
