//! The graph of an index, mapped: its tables are used where they lie.
//!
//! ```text
//! base      what is known of each file by itself, when all was last written together
//! overlay   the same of files that changed since; only where some did
//! links     which file is where, and the calls between all
//! ```
//! A refresh shares the base with the former generation and writes the two small ones. Numbers of files and definitions
//! are those of the whole, dense and in order of path, as if there were no pieces: the links turn them into those of a piece.
//!
//! Price: with an overlay, a definition's row costs a look into two tables more; without one, nothing.

use super::documented::{TAKEN, is_documented};
use super::graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow, Place, Str};
use super::graph_section::GraphSection;
use super::packed::unpack;
use super::piece::{FACTS, GraphPiece, LINES, SKELETONS, SYNTAX, WORDS};
use super::section_file::SectionFile;
use super::totals::{CALL_FIELDS, FieldTotals, KindGroup};
use crate::graph::FileFacts;
use crate::ids::{DefinitionId, FileId, LocalId};
use crate::parse::Field;
use std::ops::Range;

/// A table says the file of every definition whose number is a multiple of this.
pub(super) const STRIDE: usize = 32;
/// In the place of a file's number: it is superseded, and nowhere in the whole.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The mapped graph. What is damaged is raised when it is read: see `sealed.rs`.
pub struct GraphFile {
    pub(super) base: GraphPiece,
    overlay: Option<GraphPiece>,
    links: SectionFile,
    /// The base is all: its numbers are those of the whole.
    is_plain: bool,
}

impl GraphFile {
    /// Puts a graph together; none if the links are of no graph.
    pub(super) fn new(base: SectionFile, overlay: Option<SectionFile>, links: SectionFile) -> Option<Self> {
        let files = links.count(GraphSection::Places).checked_sub(1)?;
        let (base, overlay) = (GraphPiece { sections: base }, overlay.map(|sections| GraphPiece { sections }));
        let is_plain = overlay.is_none() && base.file_count() == files;
        Some(Self { base, overlay, links, is_plain })
    }

    /// Reads all of it; raises if a part is damaged.
    pub(super) fn verify(&self) {
        self.base.sections.verify();
        self.overlay.iter().for_each(|overlay| overlay.sections.verify());
        self.links.verify();
    }

    /// Files and bytes of the base, those that are superseded included.
    pub fn size_of_base(&self) -> (usize, usize) {
        (self.base.file_count(), self.base.sections.length())
    }

    /// Whether a file lies in the piece that is shared with former generations.
    pub fn is_in_base(&self, file: FileId) -> bool {
        self.place(file).in_overlay == 0
    }

    /// The piece that is shared with former generations.
    pub(super) fn base(&self) -> &GraphPiece {
        &self.base
    }

    /// Which file is where, and the calls between all.
    pub(super) fn links(&self) -> &SectionFile {
        &self.links
    }

    /// Where a file lies; that after the last is where all ends.
    pub(super) fn place(&self, file: FileId) -> Place {
        self.links.item(GraphSection::Places, file.index())
    }

    /// A file's piece and its number there.
    pub(super) fn piece_of(&self, file: FileId) -> (&GraphPiece, usize) {
        let place = self.place(file);
        (self.piece(place), place.number as usize)
    }

    fn piece(&self, place: Place) -> &GraphPiece {
        match (&self.overlay, place.in_overlay) {
            (_, 0) => &self.base,
            (Some(overlay), _) => overlay,
            (None, _) => self.links.reject(),
        }
    }

    /// The base, and the overlay if there is one.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &GraphPiece> {
        std::iter::once(&self.base).chain(&self.overlay)
    }

    /// The number in the whole of a file of a piece; none if it is superseded.
    pub(super) fn file_of(&self, piece: &GraphPiece, there: usize) -> Option<FileId> {
        let is_base = std::ptr::eq(piece, &self.base);
        let section = if is_base { GraphSection::BaseFiles } else { GraphSection::OverlayFiles };
        // Those after the last that is somewhere are not listed.
        let is_listed = there < self.links.count(section);
        let number = if is_listed { self.links.item(section, there) } else { NOWHERE };
        (number != NOWHERE).then_some(FileId(number))
    }

    /// The place of the file of a definition.
    fn place_around(&self, id: DefinitionId) -> (FileId, Place) {
        let at = id.index() / STRIDE;
        let first = self.links.item::<u32>(GraphSection::FileAt, at) as usize;
        let last = match at + 1 < self.links.count(GraphSection::FileAt) {
            true => self.links.item::<u32>(GraphSection::FileAt, at + 1) as usize + 1,
            false => self.file_count(),
        };
        let places: &[Place] = self.links.items(GraphSection::Places, first..last);
        let after = places.partition_point(|place| place.first_definition <= id);
        match after.checked_sub(1) {
            Some(before) => (FileId::new(first + before), places[before]),
            None => self.links.reject(),
        }
    }

    /// A definition's piece and its number there.
    fn located(&self, id: DefinitionId) -> (&GraphPiece, usize) {
        if self.is_plain {
            return (&self.base, id.index());
        }
        let (_, place) = self.place_around(id);
        (self.piece(place), (id.0 - place.first_definition.0) as usize + place.definition_there as usize)
    }

    /// Words of all definitions by field, by number of [`KindGroup`].
    pub fn totals(&self) -> &[FieldTotals] {
        self.links.items(GraphSection::Totals, 0..KindGroup::ALL.len())
    }

    /// How many definitions are of a group of kinds.
    pub fn count_of(&self, group: KindGroup) -> usize {
        self.totals()[group as usize].definitions as usize
    }

    /// How many files there are.
    pub fn file_count(&self) -> usize {
        self.links.count(GraphSection::Places) - 1
    }

    /// How many definitions there are, files among them.
    pub fn definition_count(&self) -> usize {
        self.place(FileId::new(self.file_count())).first_definition.index()
    }

    /// The numbers of all files, in order of path.
    pub fn file_ids(&self) -> impl DoubleEndedIterator<Item = FileId> + ExactSizeIterator + Clone + use<> {
        (0..self.file_count()).map(FileId::new)
    }

    /// A file.
    pub fn file(&self, id: FileId) -> FileRow {
        let place = self.place(id);
        let row = self.piece(place).file(place.number as usize);
        FileRow { first_definition: place.first_definition, first_block: place.first_block, ..row }
    }

    /// Number of words of a definition by field, those of its documentation wherever it has that from; 65,535 stands for
    /// more.
    pub fn lengths(&self, id: DefinitionId) -> [u16; Field::COUNT] {
        let mut lengths = self.own_lengths(id);
        if !is_documented(&lengths)
            && let Some(declaration) = self.documented_by(id)
        {
            let from = self.own_lengths(declaration);
            TAKEN.iter().for_each(|&field| lengths[field as usize] = from[field as usize]);
        }
        lengths
    }

    fn own_lengths(&self, id: DefinitionId) -> [u16; Field::COUNT] {
        let (piece, at) = self.located(id);
        piece.sections.item(GraphSection::Lengths, at)
    }

    /// The declaration from which a definition has its documentation; none if it has its own, or nothing has any.
    pub fn documented_by(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.pairs_of(GraphSection::Documented, id).next()
    }

    /// The definitions that have their documentation from a declaration, in order.
    pub fn documents(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.pairs_of(GraphSection::Documenting, id)
    }

    fn pairs_of(&self, section: GraphSection, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        let pair = move |at| self.links.item::<[DefinitionId; 2]>(section, at);
        let count = self.links.count(section);
        let (mut from, mut to) = (0, count);
        while from < to {
            let middle = from + (to - from) / 2;
            if pair(middle)[0] < id { from = middle + 1 } else { to = middle }
        }
        (from..count).map(pair).take_while(move |pair| pair[0] == id).map(|pair| pair[1])
    }

    /// What kind a definition is of, and whether it is a test: without its row.
    pub fn traits(&self, id: DefinitionId) -> DefinitionTraits {
        self.links.item(GraphSection::Traits, id.index())
    }

    /// The file of a definition: without its row.
    pub fn file_around(&self, id: DefinitionId) -> FileId {
        self.place_around(id).0
    }

    /// Number of words of a definition in the fields had through calls.
    pub fn call_field_lengths(&self, id: DefinitionId) -> [u32; CALL_FIELDS] {
        self.links.item(GraphSection::ThroughCalls, id.index())
    }

    /// The numbers of all definitions, in order of file and place.
    pub fn definition_ids(&self) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        (0..self.definition_count()).map(DefinitionId::new)
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> DefinitionRow {
        let row = if self.is_plain {
            self.base.definition(id.index())
        } else {
            let (file, place) = self.place_around(id);
            let at = (id.0 - place.first_definition.0) as usize + place.definition_there as usize;
            of_the_whole(self.piece(place).definition(at), file, place)
        };
        // A definition comes after the one around it. Otherwise a walk outwards would not end.
        if row.parent > id { self.reject() } else { row }
    }

    /// Raises for numbers that contradict each other although the sums are right: another program wrote them.
    pub fn reject(&self) -> ! {
        self.links.reject()
    }

    /// The definitions of a file, the file itself first.
    pub fn definitions_of(
        &self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        let places: &[Place] = self.links.items(GraphSection::Places, file.index()..file.index() + 2);
        (places[0].first_definition.index()..places[1].first_definition.index()).map(DefinitionId::new)
    }

    /// The rows of the definitions of a file, in the order of [`Self::definitions_of`].
    pub fn rows_of(
        &self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = DefinitionRow> + ExactSizeIterator + Clone + '_ {
        let (place, count) = (self.place(file), self.definitions_of(file).len());
        let first = place.definition_there as usize;
        let rows = self.piece(place).definitions(first..first + count).iter();
        rows.map(move |row| of_the_whole(*row, file, place))
    }

    /// A definition's number among those of its file.
    pub fn local(&self, id: DefinitionId) -> LocalId {
        LocalId(id.0 - self.place_around(id).1.first_definition.0)
    }

    /// The functions of a file, in order.
    pub fn functions_of(&self, file: FileId) -> impl Iterator<Item = DefinitionId> + '_ {
        let functions = self.definitions_of(file).zip(self.rows_of(file)).filter(|(_, row)| row.kind().is_function());
        functions.map(|(id, _)| id)
    }

    /// The calls that a definition makes itself, in order of place.
    pub fn calls(&self, id: DefinitionId) -> &[CallRow] {
        self.links.run(GraphSection::CallStarts, GraphSection::Calls, id.index())
    }

    /// The definitions that call a definition, in order, each once.
    pub fn callers(&self, id: DefinitionId) -> &[DefinitionId] {
        self.links.run(GraphSection::CallerStarts, GraphSection::Callers, id.index())
    }

    /// How many blocks of ten lines all files have.
    pub fn block_count(&self) -> usize {
        self.place(FileId::new(self.file_count())).first_block as usize
    }

    /// The blocks of a file: ten lines each, numbered over all files.
    pub fn blocks_of(&self, file: FileId) -> Range<usize> {
        let places: &[Place] = self.links.items(GraphSection::Places, file.index()..file.index() + 2);
        places[0].first_block as usize..places[1].first_block as usize
    }

    /// The postings of each block of a file: words of ten lines and their counts, see [`crate::fragment::Blocks`].
    pub fn postings_of(&self, file: FileId) -> impl ExactSizeIterator<Item = &[u32]> {
        let (piece, number) = self.piece_of(file);
        piece.postings_of(number)
    }

    fn bytes_of(&self, sections: [GraphSection; 2], file: FileId) -> &[u8] {
        let (piece, number) = self.piece_of(file);
        piece.sections.part(sections, number)
    }

    /// A file's syntax tree, see [`crate::parse::Syntax`]; empty for plain text.
    pub fn syntax(&self, file: FileId) -> Vec<u8> {
        unpack(self.bytes_of(SYNTAX, file)).unwrap_or_else(|| self.links.reject())
    }

    /// Whether a file has a syntax tree.
    pub fn has_syntax(&self, file: FileId) -> bool {
        !self.bytes_of(SYNTAX, file).is_empty()
    }

    /// What linking takes from a file.
    pub fn facts(&self, file: FileId) -> FileFacts<'_> {
        FileFacts::read(self.bytes_of(FACTS, file)).unwrap_or_else(|| self.links.reject())
    }

    /// What a file was told by others when calls were linked: see [`crate::graph::Linked::mail`].
    pub fn mail(&self, file: FileId) -> &[u8] {
        self.links.part([GraphSection::MailEnds, GraphSection::Mail], file.index())
    }

    /// The mail of all files end to end, and where that of each ends.
    pub(super) fn all_mail(&self) -> (&[u64], &[u8]) {
        let all = |section| 0..self.links.count(section);
        let (ends, bytes) = (GraphSection::MailEnds, GraphSection::Mail);
        (self.links.items(ends, all(ends)), self.links.items(bytes, all(bytes)))
    }

    /// Where a file's lines end, packed ([`crate::fragment::LineEnds`]).
    pub fn line_ends(&self, file: FileId) -> &[u8] {
        self.bytes_of(LINES, file)
    }

    /// The skeleton of a file's definitions, packed ([`crate::fragment::Skeleton`]).
    pub fn skeleton(&self, file: FileId) -> &[u8] {
        self.bytes_of(SKELETONS, file)
    }

    /// The words of a file's definitions, packed ([`crate::wordvec::WordLists`]).
    pub fn words(&self, file: FileId) -> &[u8] {
        self.bytes_of(WORDS, file)
    }

    /// A file's path from the root.
    pub fn path(&self, file: FileId) -> &str {
        let (piece, number) = self.piece_of(file);
        piece.sections.text(piece.file(number).path)
    }

    /// The number of a file's language; none for plain text.
    pub fn language(&self, file: FileId) -> Option<u16> {
        self.file(file).language.checked_sub(1).map(|l| l as u16)
    }

    fn string(&self, id: DefinitionId, of: impl Fn(&DefinitionRow) -> Str) -> &str {
        let (piece, at) = self.located(id);
        piece.sections.text(of(&piece.definition(at)))
    }

    /// A definition's own name; empty for a file and plain text.
    pub fn name(&self, id: DefinitionId) -> &str {
        self.string(id, |row| row.name)
    }

    /// A definition's name with those around it.
    pub fn qualified_name(&self, id: DefinitionId) -> &str {
        self.string(id, |row| row.qualified_name)
    }

    /// A definition's head on one line.
    pub fn signature(&self, id: DefinitionId) -> &str {
        self.string(id, |row| row.signature)
    }

    /// The first paragraph of a definition's documentation, wherever it has that from.
    pub fn doc(&self, id: DefinitionId) -> &str {
        let from = self.documented_by(id).unwrap_or(id);
        self.string(from, |row| row.doc)
    }
}

/// A row of a piece with the numbers of the whole.
fn of_the_whole(row: DefinitionRow, file: FileId, place: Place) -> DefinitionRow {
    let parent = row.parent.0.wrapping_sub(place.definition_there).wrapping_add(place.first_definition.0);
    DefinitionRow { file, parent: DefinitionId(parent), ..row }
}
