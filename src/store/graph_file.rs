//! The graph of an index, mapped: its tables are used where they lie.

use super::graph_rows::{CallRow, DefinitionRow, FileRow, Str};
use super::graph_section::{GraphSection, HEAD, Places, places};
use super::packed::unpack;
use super::sealed::SealedFile;
use super::totals::{FieldTotals, KindGroup};
use crate::ids::{DefinitionId, FileId, LocalId};
use crate::parse::Field;
use bytemuck::Pod;
use std::ops::Range;

/// Sections of bytes by file: where each file's part ends, and the bytes.
const SYNTAX: [GraphSection; 2] = [GraphSection::SyntaxEnds, GraphSection::Syntax];
const LINES: [GraphSection; 2] = [GraphSection::LinesEnds, GraphSection::Lines];
const SKELETONS: [GraphSection; 2] = [GraphSection::SkeletonsEnds, GraphSection::Skeletons];
const WORDS: [GraphSection; 2] = [GraphSection::WordsEnds, GraphSection::Words];

/// The mapped graph. What is damaged is raised when it is read: see [`super::sealed`].
pub struct GraphFile {
    file: SealedFile,
    places: Places,
}

impl GraphFile {
    /// Checks the shape of a sealed file; none if it has not the sections of a graph.
    pub(super) fn new(file: SealedFile) -> Option<Self> {
        let places = places(file.bytes(0..HEAD.min(file.length())), file.length())?;
        Some(Self { file, places })
    }

    /// Reads all of it; raises if a part is damaged.
    pub(super) fn verify(&self) {
        self.file.verify();
    }

    /// How many items a section has.
    pub(super) fn count(&self, section: GraphSection) -> usize {
        self.places[section as usize].len() / section.item_size()
    }

    /// Some items of a section.
    pub(super) fn items<T: Pod>(&self, section: GraphSection, range: Range<usize>) -> &[T] {
        debug_assert_eq!(size_of::<T>(), section.item_size(), "{section:?}: items of another type");
        let start = self.places[section as usize].start;
        if range.start > range.end || range.end > self.count(section) {
            self.file.reject();
        }
        let bytes = self.file.bytes(start + range.start * size_of::<T>()..start + range.end * size_of::<T>());
        // The map begins at a page and sections at multiples of 8, so a cast cannot fail.
        bytemuck::try_cast_slice(bytes).unwrap_or_else(|_| self.file.reject())
    }

    /// One item of a section.
    fn item<T: Pod>(&self, section: GraphSection, at: usize) -> T {
        self.items(section, at..at + 1)[0]
    }

    /// The run of a key in a section, and the section that says where runs begin.
    fn run<T: Pod>(&self, starts: GraphSection, items: GraphSection, key: usize) -> &[T] {
        let bounds: &[u32] = self.items(starts, key..key + 2);
        self.items(items, bounds[0] as usize..bounds[1] as usize)
    }

    fn text(&self, [start, length]: Str) -> &str {
        let bytes = self.items(GraphSection::Strings, start as usize..start as usize + length as usize);
        std::str::from_utf8(bytes).unwrap_or_else(|_| self.file.reject())
    }

    /// Words of all definitions by field, by number of [`KindGroup`].
    pub fn totals(&self) -> &[FieldTotals] {
        self.items(GraphSection::Totals, 0..KindGroup::ALL.len())
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.count(GraphSection::Files)
    }

    /// How many definitions there are, files among them.
    pub fn definition_count(&self) -> usize {
        self.count(GraphSection::Definitions)
    }

    /// The numbers of all files, in order of path.
    pub fn file_ids(&self) -> impl DoubleEndedIterator<Item = FileId> + ExactSizeIterator + Clone + use<> {
        (0..self.file_count()).map(FileId::new)
    }

    /// A file.
    pub fn file(&self, id: FileId) -> FileRow {
        self.item(GraphSection::Files, id.index())
    }

    /// Number of words of a definition by field; 65,535 stands for more.
    pub fn lengths(&self, id: DefinitionId) -> [u16; Field::COUNT] {
        self.item(GraphSection::Lengths, id.index())
    }

    /// The numbers of all definitions, in order of file and place.
    pub fn definition_ids(&self) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        (0..self.definition_count()).map(DefinitionId::new)
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> DefinitionRow {
        self.item(GraphSection::Definitions, id.index())
    }

    /// The rows of all definitions, in order of file and place.
    pub fn rows(&self) -> impl Iterator<Item = DefinitionRow> + '_ {
        self.file_ids().flat_map(|file| self.rows_of(file))
    }

    /// The definitions of a file, the file itself first.
    pub fn definitions_of(
        &self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        self.rows_of_file(file).map(DefinitionId::new)
    }

    /// The rows of the definitions of a file, in the order of [`Self::definitions_of`].
    pub fn rows_of(
        &self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = DefinitionRow> + ExactSizeIterator + Clone + '_ {
        self.items::<DefinitionRow>(GraphSection::Definitions, self.rows_of_file(file)).iter().copied()
    }

    pub(super) fn rows_of_file(&self, file: FileId) -> Range<usize> {
        let end = self.next(file).map_or(self.definition_count(), |next| next.first_definition.index());
        self.file(file).first_definition.index()..end
    }

    /// The file after another.
    pub(super) fn next(&self, file: FileId) -> Option<FileRow> {
        (file.index() + 1 < self.file_count()).then(|| self.file(FileId(file.0 + 1)))
    }

    /// A definition's number among those of its file.
    pub fn local(&self, id: DefinitionId) -> LocalId {
        LocalId(id.0 - self.file(self.definition(id).file).first_definition.0)
    }

    /// The functions of a file, in order.
    pub fn functions_of(&self, file: FileId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.definitions_of(file).filter(|&id| self.definition(id).kind().is_function())
    }

    /// The calls that a definition makes itself, in order of place.
    pub fn calls(&self, id: DefinitionId) -> &[CallRow] {
        self.run(GraphSection::CallStarts, GraphSection::Calls, id.index())
    }

    /// The definitions that call a definition, in order, each once.
    pub fn callers(&self, id: DefinitionId) -> &[DefinitionId] {
        self.run(GraphSection::CallerStarts, GraphSection::Callers, id.index())
    }

    /// How many blocks of ten lines all files have.
    pub fn block_count(&self) -> usize {
        self.count(GraphSection::BlockEnds)
    }

    /// The blocks of a file: ten lines each, numbered over all files.
    pub fn blocks_of(&self, file: FileId) -> Range<usize> {
        let end = self.next(file).map_or(self.block_count(), |next| next.first_block as usize);
        self.file(file).first_block as usize..end
    }

    /// The postings of each block of a file: words of ten lines and their counts, see [`crate::fragment::Blocks`].
    pub fn postings_of(&self, file: FileId) -> impl ExactSizeIterator<Item = &[u32]> {
        let blocks = self.blocks_of(file);
        let places = self.posting_places(blocks.clone());
        let (first, postings): (usize, &[u32]) = (places.start, self.items(GraphSection::Postings, places));
        let mut start = 0;
        self.items::<u32>(GraphSection::BlockEnds, blocks).iter().map(move |&end| {
            let end = (end as usize).saturating_sub(first);
            let block = postings.get(start..end).unwrap_or_else(|| self.file.reject());
            start = end;
            block
        })
    }

    /// Where the postings of consecutive blocks stand in the section.
    pub(super) fn posting_places(&self, blocks: Range<usize>) -> Range<usize> {
        let end_before = |block: usize| match block {
            0 => 0,
            block => self.item::<u32>(GraphSection::BlockEnds, block - 1) as usize,
        };
        end_before(blocks.start)..end_before(blocks.end)
    }

    /// A file's syntax tree, see [`crate::parse::Syntax`]; empty for plain text.
    pub fn syntax(&self, file: FileId) -> Vec<u8> {
        unpack(self.packed_syntax(file)).unwrap_or_else(|| self.file.reject())
    }

    pub(super) fn packed_syntax(&self, file: FileId) -> &[u8] {
        self.of_file(SYNTAX, file)
    }

    /// Whether a file has a syntax tree.
    pub fn has_syntax(&self, file: FileId) -> bool {
        !self.packed_syntax(file).is_empty()
    }

    /// Where a file's lines end, packed ([`crate::fragment::LineEnds`]).
    pub fn line_ends(&self, file: FileId) -> &[u8] {
        self.of_file(LINES, file)
    }

    /// The skeleton of a file's definitions, packed ([`crate::fragment::Skeleton`]).
    pub fn skeleton(&self, file: FileId) -> &[u8] {
        self.of_file(SKELETONS, file)
    }

    /// The words of a file's definitions, packed ([`crate::wordvec::WordLists`]).
    pub fn words(&self, file: FileId) -> &[u8] {
        self.of_file(WORDS, file)
    }

    fn of_file(&self, [ends, bytes]: [GraphSection; 2], file: FileId) -> &[u8] {
        let end_before = |file: usize| match file {
            0 => 0,
            file => self.item::<u64>(ends, file - 1) as usize,
        };
        self.items(bytes, end_before(file.index())..end_before(file.index() + 1))
    }

    /// A file's path from the root.
    pub fn path(&self, file: FileId) -> &str {
        self.text(self.file(file).path)
    }

    /// The number of a file's language; none for plain text.
    pub fn language(&self, file: FileId) -> Option<u16> {
        self.file(file).language.checked_sub(1).map(|l| l as u16)
    }

    /// A definition's own name; empty for a file and plain text.
    pub fn name(&self, id: DefinitionId) -> &str {
        self.text(self.definition(id).name)
    }

    /// A definition's name with those around it.
    pub fn qualified_name(&self, id: DefinitionId) -> &str {
        self.text(self.definition(id).qualified_name)
    }

    /// A definition's head on one line.
    pub fn signature(&self, id: DefinitionId) -> &str {
        self.text(self.definition(id).signature)
    }

    /// The first paragraph of a definition's documentation.
    pub fn doc(&self, id: DefinitionId) -> &str {
        self.text(self.definition(id).doc)
    }
}
