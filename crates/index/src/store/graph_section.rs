//! The layout of the graph files: the offsets of their tables, and the content of each. A piece
//! contains the tables of individual files, and the links contain the tables of the whole. A table
//! that a file does not have is empty.
//!
//! ```text
//! magic: u64 | by section: first byte in the file, length in bytes: u64 each
//! the sections, each padded to 8 bytes
//! ```
//! Numbers use the native byte order of the machine, because a cache is not moved to another one.
//! Writer and reader identify a section only by its [`GraphSection`], whose number is its position
//! in the file. Changing the order or an item type changes the format (raise `FORMAT`).
//!
//! **Tested by:** `links_writer.rs`, which gives every section distinct content and reads it back
//! by name.

use super::graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow, Place};
use super::totals::{CALL_FIELDS, FieldTotals};
use std::io::{self, Write};
use std::ops::Range;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Field;

/// The first bytes of the file.
const MAGIC: u64 = u64::from_le_bytes(*b"whichfn2");

/// A table of the graph. "Starts" and "ends" are indexes of items or bytes in the section that they
/// belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum GraphSection {
    /// `u8`: paths, names, signatures and documentation in UTF-8, concatenated. Rows refer to it by
    /// byte offset. The strings of one file are contiguous, its path first.
    Strings,
    /// [`FileRow`], sorted by path.
    Files,
    /// [`DefinitionRow`], sorted by file, then position. The first definition of a file is the file
    /// itself.
    Definitions,
    /// `[u16; Field::COUNT]`: number of words by field, for each definition; 65,535 means that many
    /// or more.
    Lengths,
    /// `u32`: start of each definition's run in `Calls`, and the total.
    CallStarts,
    /// [`CallRow`], sorted by caller, then call site.
    Calls,
    /// `u32`: start of each definition's run in `Callers`, and the total.
    CallerStarts,
    /// [`DefinitionId`]: callers, sorted by callee, then caller; each pair once.
    Callers,
    /// `u32`: end of the run of each block of ten lines in `Postings`, over all files.
    BlockEnds,
    /// `u32`: words of blocks, see [`crate::fragment::Blocks`].
    Postings,
    /// `u64`: end of each file's part in `Syntax`, in bytes.
    SyntaxEnds,
    /// `u8`: packed syntax trees, see [`whichfn_syntax::parse::Syntax`]; empty for plain text.
    Syntax,
    /// `u64`: end of each file's part in `Lines`, in bytes.
    LinesEnds,
    /// `u8`: packed line ends, see [`crate::fragment::LineEnds`].
    Lines,
    /// `u64`: end of each file's part in `Skeletons`, in bytes.
    SkeletonsEnds,
    /// `u8`: packed skeletons of the definitions, see [`crate::fragment::Skeleton`].
    Skeletons,
    /// `u64`: end of each file's part in `Words`, in bytes.
    WordsEnds,
    /// `u8`: packed words of the definitions, see [`crate::wordvec::WordLists`].
    Words,
    /// `u64`: end of each file's part in `Facts`, in bytes.
    FactsEnds,
    /// `u8`: the facts of each file that linking reads, see [`whichfn_graph::FileFacts`]. Each part
    /// starts at a multiple of 8.
    Facts,
    /// `u64`: end of each term in `Terms`, in bytes.
    TermEnds,
    /// `u8`: the terms under which words of definitions are found, sorted by their bytes,
    /// concatenated.
    Terms,
    /// `u64`: end of each term's list in `TermLists`, in bytes.
    TermListEnds,
    /// `u8`: the occurrences of each term, see [`super::postings`].
    TermLists,
    /// `u32`: all definitions of the piece, see [`super::names`].
    ByName,
    /// [`Place`], by file of the whole, and one for the end of all.
    Places,
    /// `u32`: the number in the whole of each file of the base, or [`super::graph_file::NOWHERE`]
    /// for a replaced file.
    BaseFiles,
    /// `u32`: the same for each file of the overlay.
    OverlayFiles,
    /// `u32`: the file of each definition whose number is a multiple of
    /// [`super::graph_file::STRIDE`].
    FileAt,
    /// [`DefinitionTraits`], for each definition of the whole.
    Traits,
    /// `[u32; CALL_FIELDS]`: number of words in the fields derived from calls, for each definition
    /// of the whole.
    ThroughCalls,
    /// [`FieldTotals`], by [`super::KindGroup`].
    Totals,
    /// `u64`: end of each file's part in `Mail`, in bytes, by file of the whole.
    MailEnds,
    /// `u8`: the messages that each file received when calls were linked, see
    /// [`whichfn_graph::Linked::mail`].
    Mail,
    /// `[DefinitionId; 2]`: a definition and the declaration that documents it, sorted by
    /// definition.
    Documented,
    /// `[DefinitionId; 2]`: a declaration and the definition that it documents, sorted by
    /// declaration.
    Documenting,
}

impl GraphSection {
    /// All sections, in the order of their positions in the file.
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

    /// Returns the size of one item in bytes.
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

/// The byte range of each section in the file, by [`GraphSection`].
pub(super) type Places = [Range<usize>; GraphSection::ALL.len()];

/// Size of the file header in bytes.
pub(super) const HEAD: usize = size_of::<u64>() * (1 + 2 * GraphSection::ALL.len());

/// A graph file before it is written: its sections, borrowed from where they were built.
pub struct SectionBytes<'a>([&'a [u8]; GraphSection::ALL.len()]);

impl<'a> SectionBytes<'a> {
    /// Creates a file with these sections.
    pub(super) fn new(section: impl Fn(GraphSection) -> &'a [u8]) -> Self {
        Self(GraphSection::ALL.map(section))
    }

    /// Returns the length of the file in bytes.
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

/// Reads the byte ranges of the sections from the header of a file of this length. Returns `None`
/// if it is not a graph file, or is truncated.
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
    fn sections_are_listed_by_number() {
        for (number, section) in GraphSection::ALL.into_iter().enumerate() {
            assert_eq!(section as usize, number, "{section:?}");
        }
    }

    #[test]
    fn truncated_files_have_no_sections() {
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
