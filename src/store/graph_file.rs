//! The graph of an index, mapped: its tables are used where they lie.

use super::graph_rows::{CallRow, DefinitionRow, FileRow, Str};
use super::graph_section::{GraphSection, Places, places};
use super::packed::unpack;
use crate::error::{Error, Kind, Result};
use crate::ids::{DefinitionId, FileId, LocalId, row_range};
use crate::parse::Field;
use bytemuck::Pod;
use std::ops::Range;

/// Sections of bytes by file: where each file's part ends, and the bytes.
const SYNTAX: [GraphSection; 2] = [GraphSection::SyntaxEnds, GraphSection::Syntax];
const LINES: [GraphSection; 2] = [GraphSection::LinesEnds, GraphSection::Lines];
const SKELETONS: [GraphSection; 2] = [GraphSection::SkeletonsEnds, GraphSection::Skeletons];
const WORDS: [GraphSection; 2] = [GraphSection::WordsEnds, GraphSection::Words];

/// The mapped graph.
pub struct GraphFile {
    map: memmap2::Mmap,
    places: Places,
}

impl GraphFile {
    /// Checks the shape of a mapped file; its bytes were checked by their sum.
    pub(super) fn new(map: memmap2::Mmap) -> Result<Self> {
        let places = places(&map).ok_or_else(damaged)?;
        Ok(Self { map, places })
    }

    pub(super) fn section<T: Pod>(&self, section: GraphSection) -> &[T] {
        debug_assert_eq!(size_of::<T>(), section.item_size(), "{section:?}: items of another type");
        // The map begins at a page and sections at multiples of 8, so a cast fails only for a torn length, which cannot
        // be: the file has the sum with which it was written.
        let items = bytemuck::try_cast_slice(&self.map[self.places[section as usize].clone()]);
        debug_assert!(items.is_ok(), "{section:?}: not whole items, although the sum of the file was right");
        items.unwrap_or_default()
    }

    fn text(&self, [start, length]: Str) -> &str {
        let strings: &[u8] = self.section(GraphSection::Strings);
        let bytes = strings.get(start as usize..start as usize + length as usize);
        let text = bytes.and_then(|bytes| std::str::from_utf8(bytes).ok());
        debug_assert!(text.is_some(), "no string at {start}, although the sum of the file was right");
        text.unwrap_or_default()
    }

    fn files(&self) -> &[FileRow] {
        self.section(GraphSection::Files)
    }

    fn definitions(&self) -> &[DefinitionRow] {
        self.section(GraphSection::Definitions)
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.files().len()
    }

    /// How many definitions there are, files among them.
    pub fn definition_count(&self) -> usize {
        self.definitions().len()
    }

    /// The numbers of all files, in order of path.
    pub fn file_ids(&self) -> impl DoubleEndedIterator<Item = FileId> + ExactSizeIterator + Clone + use<> {
        (0..self.file_count()).map(FileId::new)
    }

    /// A file.
    pub fn file(&self, id: FileId) -> FileRow {
        self.files()[id.index()]
    }

    /// Number of words of a definition by field; 65,535 stands for more.
    pub fn lengths(&self, id: DefinitionId) -> [u16; Field::COUNT] {
        self.section::<[u16; Field::COUNT]>(GraphSection::Lengths)[id.index()]
    }

    /// The numbers of all definitions, in order of file and place.
    pub fn definition_ids(&self) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        (0..self.definition_count()).map(DefinitionId::new)
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> DefinitionRow {
        self.definitions()[id.index()]
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
        self.definitions()[self.rows_of_file(file)].iter().copied()
    }

    pub(super) fn rows_of_file(&self, file: FileId) -> Range<usize> {
        let next = self.files().get(file.index() + 1);
        let end = next.map_or(self.definition_count(), |next| next.first_definition.index());
        self.file(file).first_definition.index()..end
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
        &self.section(GraphSection::Calls)[row_range(self.section(GraphSection::CallStarts), id.index())]
    }

    /// The definitions that call a definition, in order, each once.
    pub fn callers(&self, id: DefinitionId) -> &[DefinitionId] {
        &self.section(GraphSection::Callers)[row_range(self.section(GraphSection::CallerStarts), id.index())]
    }

    pub(super) fn block_ends(&self) -> &[u32] {
        self.section(GraphSection::BlockEnds)
    }

    pub(super) fn postings(&self) -> &[u32] {
        self.section(GraphSection::Postings)
    }

    /// How many blocks of ten lines all files have.
    pub fn block_count(&self) -> usize {
        self.block_ends().len()
    }

    /// The blocks of a file: ten lines each, numbered over all files.
    pub fn blocks_of(&self, file: FileId) -> Range<usize> {
        let next = self.files().get(file.index() + 1);
        let end = next.map_or(self.block_count(), |next| next.first_block as usize);
        self.file(file).first_block as usize..end
    }

    /// The postings of each block of a file: words of ten lines and their counts, see [`crate::fragment::Blocks`].
    pub fn postings_of(&self, file: FileId) -> impl ExactSizeIterator<Item = &[u32]> {
        let posting = |block| &self.postings()[self.posting_places(block..block + 1)];
        self.blocks_of(file).map(posting)
    }

    /// Where the postings of consecutive blocks stand in the section.
    pub(super) fn posting_places(&self, blocks: Range<usize>) -> Range<usize> {
        let end_before = |block: usize| if block == 0 { 0 } else { self.block_ends()[block - 1] as usize };
        end_before(blocks.start)..end_before(blocks.end)
    }

    /// A file's syntax tree, see [`crate::parse::Syntax`]; empty for plain text.
    pub fn syntax(&self, file: FileId) -> Vec<u8> {
        let syntax = unpack(self.packed_syntax(file));
        debug_assert!(syntax.is_some(), "a tree does not unpack, although the sum of the file was right");
        syntax.unwrap_or_default()
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
        let (ends, bytes): (&[u64], &[u8]) = (self.section(ends), self.section(bytes));
        let start = if file.0 == 0 { 0 } else { ends[file.index() - 1] };
        &bytes[start as usize..ends[file.index()] as usize]
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

fn damaged() -> Error {
    Error::new(Kind::Index, "the graph file of the index is damaged", "it will be built again")
}
