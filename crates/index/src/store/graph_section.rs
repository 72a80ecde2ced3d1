//! The format of the graph files: which tables they contain, and at which offsets. A piece contains
//! the tables of individual files, and the links contain the tables of the whole graph. In each
//! file, the tables that belong to the other kind are empty.
//!
//! ```text
//! magic: u64 | by section: first byte in the file, length in bytes: u64 each
//! the sections, each padded to 8 bytes
//! ```
//! Numbers are in the machine's native byte order, because a cache is not moved to another machine.
//! The writer and the reader identify a section only by its [`GraphSection`], whose number is the
//! section's position in the file. A change to the order or to an item type changes the format
//! (increment `FORMAT`).
//!
//! **Tested by:** `links_writer.rs`, which writes distinct content to each section and reads it
//! back by name.

use super::graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow, Place};
use super::totals::{CALL_FIELDS, FieldTotals};
use std::io::{self, Write};
use std::ops::Range;
use whichfn_syntax::ids::DefinitionId;
use whichfn_syntax::parse::Field;

/// The first eight bytes of a graph file.
const MAGIC: u64 = u64::from_le_bytes(*b"whichfn2");

/// A table of the graph. Starts and ends are indexes of items or bytes in the section that they
/// refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum GraphSection {
    /// `u8`: paths, names, signatures and documentation in UTF-8, concatenated. Rows refer to them
    /// by byte offset. The strings of one file are contiguous, beginning with its path.
    Strings,
    /// [`FileRow`], sorted by path.
    Files,
    /// [`DefinitionRow`], sorted by file, then position. The first definition of a file represents
    /// the file itself.
    Definitions,
    /// `[u16; Field::COUNT]`: word counts of each definition by field. The value 65,535 means that
    /// many or more.
    Lengths,
    /// `u32`: start of each definition's calls in `Calls`, followed by the total number of calls.
    CallStarts,
    /// [`CallRow`], sorted by caller, then by call site.
    Calls,
    /// `u32`: start of each definition's callers in `Callers`, followed by the total number.
    CallerStarts,
    /// [`DefinitionId`]: distinct callers of each definition, sorted by callee, then by caller.
    Callers,
    /// `u32`: end of each ten-line block's words in `Postings`, over all files.
    BlockEnds,
    /// `u32`: words of the blocks; see [`crate::fragment::Blocks`].
    Postings,
    /// `u64`: end of each file's part in `Syntax`, in bytes.
    SyntaxEnds,
    /// `u8`: packed syntax trees, empty for plain text; see [`whichfn_syntax::parse::Syntax`].
    Syntax,
    /// `u64`: end of each file's part in `Lines`, in bytes.
    LinesEnds,
    /// `u8`: packed line ends; see [`crate::fragment::LineEnds`].
    Lines,
    /// `u64`: end of each file's part in `Skeletons`, in bytes.
    SkeletonsEnds,
    /// `u8`: packed skeletons of the definitions; see [`crate::fragment::Skeleton`].
    Skeletons,
    /// `u64`: end of each file's part in `Words`, in bytes.
    WordsEnds,
    /// `u8`: packed words of the definitions; see [`crate::wordvec::WordLists`].
    Words,
    /// `u64`: end of each file's part in `Facts`, in bytes.
    FactsEnds,
    /// `u8`: the facts that linking needs about each file; see [`whichfn_graph::FactTables`].
    Facts,
    /// `u64`: end of each term in `Terms`, in bytes.
    TermEnds,
    /// `u8`: the terms by which words of definitions are found, concatenated and sorted by their
    /// bytes.
    Terms,
    /// `u64`: end of each term's list in `TermLists`, in bytes.
    TermListEnds,
    /// `u8`: the occurrences of each term; see [`super::postings`].
    TermLists,
    /// `u32`: all definitions of the piece, sorted by name; see [`super::names`].
    ByName,
    /// [`Place`], for each file of the whole graph, followed by one that marks the end.
    Places,
    /// `u32`: for each file of the base, its number in the whole graph, or
    /// [`super::graph_file::NOWHERE`] if it was replaced.
    BaseFiles,
    /// `u32`: for each file of the overlay, its number in the whole graph, or
    /// [`super::graph_file::NOWHERE`] if it was replaced.
    OverlayFiles,
    /// `u32`: the file of each definition whose number is a multiple of
    /// [`super::graph_file::STRIDE`].
    FileAt,
    /// [`DefinitionTraits`], for each definition of the whole graph.
    Traits,
    /// `[u32; CALL_FIELDS]`: word counts in the fields that are derived from calls, for each
    /// definition of the whole graph.
    ThroughCalls,
    /// [`FieldTotals`], indexed by [`super::KindGroup`].
    Totals,
    /// `u64`: end of each file's part in `Mail`, in bytes, for each file of the whole graph.
    MailEnds,
    /// `u8`: the messages that each file received when calls were linked; see
    /// [`whichfn_graph::Linked::mail`].
    Mail,
    /// `[DefinitionId; 2]`: a definition and the declaration that documents it, sorted by
    /// definition.
    Documented,
    /// `[DefinitionId; 2]`: a declaration and the definition that it documents, sorted by
    /// declaration.
    Documenting,
    /// `[DefinitionId; 2]`: a type or an extension and a base that it names, sorted; see
    /// [`whichfn_graph::Hierarchy`].
    Bases,
    /// `[DefinitionId; 2]`: a base and a type or an extension that names it, sorted.
    Derived,
    /// `[DefinitionId; 2]`: a definition outside the body of its type and that type, sorted.
    Owners,
    /// `[DefinitionId; 2]`: a type and a definition outside its body that belongs to it, sorted.
    Owned,
    /// `u64`: end of each file's part in `Values`, in bytes.
    ValuesEnds,
    /// `u8`: constants, variables, fields and enum variants; see [`super::named_values`].
    Values,
}

impl GraphSection {
    /// All sections, in the order in which they are in the file.
    pub const ALL: [Self; 42] = [
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
        Self::Bases,
        Self::Derived,
        Self::Owners,
        Self::Owned,
        Self::ValuesEnds,
        Self::Values,
    ];

    /// Returns the size of one item of the section in bytes.
    pub fn item_size(self) -> usize {
        match self {
            Self::Strings | Self::Syntax | Self::Lines | Self::Skeletons | Self::Words | Self::Facts => size_of::<u8>(),
            Self::Terms | Self::TermLists | Self::Mail | Self::Values => size_of::<u8>(),
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
            Self::Bases | Self::Derived | Self::Owners | Self::Owned => size_of::<[DefinitionId; 2]>(),
            Self::CallStarts | Self::CallerStarts | Self::BlockEnds | Self::Postings | Self::FileAt => size_of::<u32>(),
            Self::BaseFiles | Self::OverlayFiles | Self::ByName => size_of::<u32>(),
            Self::SyntaxEnds | Self::LinesEnds | Self::SkeletonsEnds | Self::WordsEnds | Self::FactsEnds => {
                size_of::<u64>()
            }
            Self::TermEnds | Self::TermListEnds | Self::MailEnds | Self::ValuesEnds => size_of::<u64>(),
        }
    }
}

/// The byte range of each section in a graph file, indexed by [`GraphSection`].
pub(super) type Places = [Range<usize>; GraphSection::ALL.len()];

/// Size of a graph file's header in bytes.
pub(super) const HEAD: usize = size_of::<u64>() * (1 + 2 * GraphSection::ALL.len());

/// The content of a graph file before it is written. It borrows the sections from where they were
/// built.
pub struct SectionBytes<'a>([&'a [u8]; GraphSection::ALL.len()]);

impl<'a> SectionBytes<'a> {
    /// Creates the content of a file. `section` returns the bytes of each section.
    pub(super) fn new(section: impl Fn(GraphSection) -> &'a [u8]) -> Self {
        Self(GraphSection::ALL.map(section))
    }

    /// Returns the length of the whole file in bytes.
    pub fn file_length(&self) -> usize {
        HEAD + self.0.iter().map(|section| section.len().next_multiple_of(8)).sum::<usize>()
    }

    /// Writes the header and all sections.
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

/// Reads the byte ranges of the sections from the header of a file with the given length. Returns
/// `None` if it is not a graph file, or if it is truncated.
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
