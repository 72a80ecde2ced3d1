//! The memory-mapped graph of an index, whose tables are used in place.
//!
//! ```text
//! base      data of each file by itself, when everything was last written together
//! overlay   the same for files that changed since; exists only if some did
//! links     positions of the files, and the calls between them
//! ```
//!
//! A refresh shares the base with the previous generation and writes only the two small files.
//! Numbers of files and definitions are dense, sorted by path, and refer to the whole graph, as if
//! there were no pieces. The links convert them to the numbers in a piece.
//!
//! **Cost:** with an overlay, two additional table look-ups to read a definition's row; without an
//! overlay, nothing.

use super::documented::{TAKEN, is_documented};
use super::graph_rows::{CallRow, DefinitionRow, DefinitionTraits, FileRow, Place, Str};
use super::graph_section::GraphSection;
use super::piece::{GraphPiece, LINES, SKELETONS, SYNTAX, WORDS};
use super::section_file::SectionFile;
use super::totals::{CALL_FIELDS, FieldTotals, KindGroup};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::OnceLock;
use whichfn_graph::FileFacts;
use whichfn_syntax::ids::{DefinitionId, FileId, LocalId};
use whichfn_syntax::packed::unpack;
use whichfn_syntax::parse::Field;

/// Distance between two definitions whose files are listed in the table [`GraphSection::FileAt`].
pub(super) const STRIDE: usize = 32;
/// File number that marks a replaced file, which is not part of the whole graph.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The memory-mapped graph. Reading a damaged part panics; see `sealed.rs`.
pub struct GraphFile {
    pub(super) base: GraphPiece,
    overlay: Option<GraphPiece>,
    links: SectionFile,
    /// True if the base is the whole graph, so that its numbers need no conversion.
    is_plain: bool,
    definitions: usize,
    blocks: usize,
    /// Full names of entries with a prefix, filled when one is first needed.
    pub(super) entry_names: OnceLock<FxHashMap<DefinitionId, Vec<String>>>,
}

impl GraphFile {
    /// Combines the pieces and the links into a graph. Returns `None` if the links do not belong to
    /// these pieces.
    pub(super) fn new(base: SectionFile, overlay: Option<SectionFile>, links: SectionFile) -> Option<Self> {
        let files = links.count(GraphSection::Places).checked_sub(1)?;
        let (base, overlay) = (GraphPiece::new(base), overlay.map(GraphPiece::new));
        let is_plain = overlay.is_none() && base.file_count() == files;
        let end: Place = links.item(GraphSection::Places, files);
        let (definitions, blocks) = (end.first_definition.index(), end.first_block as usize);
        let entry_names = OnceLock::new();
        let graph = Self { base, overlay, links, is_plain, definitions, blocks, entry_names };
        // Readers allocate memory by these numbers.
        let stored: usize = graph.pieces().map(|piece| piece.sections.count(GraphSection::BlockEnds)).sum();
        (definitions == graph.links.count(GraphSection::Traits) && blocks <= stored).then_some(graph)
    }

    /// Reads and checks the whole graph. Panics if a part is damaged.
    pub(super) fn verify(&self) {
        self.base.sections.verify();
        self.overlay.iter().for_each(|overlay| overlay.sections.verify());
        self.links.verify();
    }

    /// Returns the number of files and the number of bytes in the base, including replaced files.
    pub fn size_of_base(&self) -> (usize, usize) {
        (self.base.file_count(), self.base.sections.length())
    }

    /// Checks whether a file is in the base, which is shared with earlier generations.
    pub fn is_in_base(&self, file: FileId) -> bool {
        self.place(file).in_overlay == 0
    }

    /// Returns the base, which is shared with earlier generations.
    pub(super) fn base(&self) -> &GraphPiece {
        &self.base
    }

    /// Returns the links: the positions of the files, and the calls between them.
    pub(super) fn links(&self) -> &SectionFile {
        &self.links
    }

    /// Returns the position of a file. The position after the last file marks the end of the
    /// tables.
    pub(super) fn place(&self, file: FileId) -> Place {
        self.links.item(GraphSection::Places, file.index())
    }

    /// Returns the piece that contains a file, and the file's number in that piece.
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

    /// Returns the pieces: the base, and the overlay if there is one.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &GraphPiece> {
        std::iter::once(&self.base).chain(&self.overlay)
    }

    /// Returns the number in the whole graph of a piece's file, or `None` if the file was replaced.
    pub(super) fn file_of(&self, piece: &GraphPiece, there: usize) -> Option<FileId> {
        let is_base = std::ptr::eq(piece, &self.base);
        let section = if is_base { GraphSection::BaseFiles } else { GraphSection::OverlayFiles };
        // Files after the last one that is used are not listed.
        let is_listed = there < self.links.count(section);
        let number = if is_listed { self.links.item(section, there) } else { NOWHERE };
        (number != NOWHERE).then_some(FileId(number))
    }

    /// Returns the file that contains a definition, and the file's position.
    fn place_around(&self, id: DefinitionId) -> (FileId, Place) {
        let at = id.index() / STRIDE;
        let first = self.links.item::<u32>(GraphSection::FileAt, at) as usize;
        let last = match at + 1 < self.links.count(GraphSection::FileAt) {
            true => (self.links.item::<u32>(GraphSection::FileAt, at + 1) as usize).saturating_add(1),
            false => self.file_count(),
        };
        let places: &[Place] = self.links.items(GraphSection::Places, first..last);
        let after = places.partition_point(|place| place.first_definition <= id);
        match after.checked_sub(1) {
            Some(before) => (FileId::new(first + before), places[before]),
            None => self.links.reject(),
        }
    }

    /// Returns the piece that contains a definition, and the definition's number in that piece.
    fn located(&self, id: DefinitionId) -> (&GraphPiece, usize) {
        if self.is_plain {
            return (&self.base, id.index());
        }
        let (_, place) = self.place_around(id);
        (self.piece(place), self.local_in(place, id).index() + place.definition_there as usize)
    }

    /// Returns the total word counts of all definitions by field, indexed by [`KindGroup`].
    pub fn totals(&self) -> &[FieldTotals] {
        self.links.items(GraphSection::Totals, 0..KindGroup::ALL.len())
    }

    /// Returns the number of definitions in a kind group.
    pub fn count_of(&self, group: KindGroup) -> usize {
        self.totals()[group as usize].definitions as usize
    }

    /// Returns the number of files in the index.
    pub fn file_count(&self) -> usize {
        self.links.count(GraphSection::Places) - 1
    }

    /// Returns the number of definitions, including those that represent files.
    pub fn definition_count(&self) -> usize {
        self.definitions
    }

    /// Returns the ids of all files, sorted by path.
    pub fn file_ids(&self) -> impl DoubleEndedIterator<Item = FileId> + ExactSizeIterator + Clone + use<> {
        (0..self.file_count()).map(FileId::new)
    }

    /// Returns the row of a file.
    pub fn file(&self, id: FileId) -> FileRow {
        let place = self.place(id);
        let row = self.piece(place).file(place.number as usize);
        FileRow { first_definition: place.first_definition, first_block: place.first_block, ..row }
    }

    /// Returns the word counts of a definition by field. Inherited documentation counts as well.
    /// The value 65,535 means that many or more.
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

    /// Returns the declaration that documents a definition, or `None` if the definition has its own
    /// documentation or no such declaration exists.
    pub fn documented_by(&self, id: DefinitionId) -> Option<DefinitionId> {
        self.pairs_of(GraphSection::Documented, id).next()
    }

    /// Returns the definitions that inherit a declaration's documentation, in order.
    pub fn documents(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.pairs_of(GraphSection::Documenting, id)
    }

    /// Returns the bases that a type or an extension names.
    pub fn bases(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.pairs_of(GraphSection::Bases, id)
    }

    /// Returns the types and extensions that name a base, in order.
    pub fn derived(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.pairs_of(GraphSection::Derived, id)
    }

    /// Returns the type that an extension, or a method outside the body of its type, belongs to;
    /// for all other definitions, the definition itself.
    pub fn owner(&self, id: DefinitionId) -> DefinitionId {
        self.pairs_of(GraphSection::Owners, id).next().unwrap_or(id)
    }

    /// Returns the extensions of a type and its methods outside its body, in order.
    pub fn owned(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.pairs_of(GraphSection::Owned, id)
    }

    /// Returns all pairs of a type or extension and its base, and all pairs of a definition and its
    /// owner.
    pub(crate) fn hierarchy(&self) -> [&[[DefinitionId; 2]]; 2] {
        [GraphSection::Bases, GraphSection::Owners]
            .map(|section| self.links.items(section, 0..self.links.count(section)))
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

    /// Returns a definition's kind, and whether it is a test, without reading its row.
    pub fn traits(&self, id: DefinitionId) -> DefinitionTraits {
        self.links.item(GraphSection::Traits, id.index())
    }

    /// Returns the file that contains a definition, without reading the definition's row.
    pub fn file_around(&self, id: DefinitionId) -> FileId {
        self.place_around(id).0
    }

    /// Returns the word counts of a definition in the fields that are derived from calls.
    pub fn call_field_lengths(&self, id: DefinitionId) -> [u32; CALL_FIELDS] {
        self.links.item(GraphSection::ThroughCalls, id.index())
    }

    /// Returns the ids of all definitions, sorted by file and position.
    pub fn definition_ids(&self) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        (0..self.definition_count()).map(DefinitionId::new)
    }

    /// Returns the row of a definition.
    pub fn definition(&self, id: DefinitionId) -> DefinitionRow {
        let row = if self.is_plain {
            self.base.definition(id.index())
        } else {
            let (file, place) = self.place_around(id);
            let at = self.local_in(place, id).index() + place.definition_there as usize;
            of_the_whole(self.piece(place).definition(at), file, place)
        };
        self.checked(id, row)
    }

    /// Returns a definition's row. Panics if the row contradicts itself.
    #[inline]
    fn checked(&self, id: DefinitionId, row: DefinitionRow) -> DefinitionRow {
        // A definition comes after its parent. Otherwise a walk outwards would not end.
        let is_sound = row.parent <= id
            && row.start_byte <= row.end_byte
            && row.start_line <= row.end_line
            && row.end_line < u32::MAX;
        if is_sound { row } else { self.reject() }
    }

    /// Panics because of contradictory numbers. Since the checksums match, another program must
    /// have written them.
    pub fn reject(&self) -> ! {
        self.links.reject()
    }

    /// Returns the definitions in a file, beginning with the one that represents the file.
    pub fn definitions_of(
        &self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = DefinitionId> + ExactSizeIterator + Clone + use<> {
        let places: &[Place] = self.links.items(GraphSection::Places, file.index()..file.index() + 2);
        let range = places[0].first_definition.index()..places[1].first_definition.index();
        self.within(range, self.definitions).map(DefinitionId::new)
    }

    /// Returns the rows of the definitions in a file, in the order of [`Self::definitions_of`].
    pub fn rows_of(
        &self,
        file: FileId,
    ) -> impl DoubleEndedIterator<Item = DefinitionRow> + ExactSizeIterator + Clone + '_ {
        let (place, count) = (self.place(file), self.definitions_of(file).len());
        let first = place.definition_there as usize;
        let rows = self.piece(place).definitions(first..first + count).iter();
        let rows = self.definitions_of(file).zip(rows);
        rows.map(move |(id, row)| self.checked(id, of_the_whole(*row, file, place)))
    }

    /// Returns the number of a definition within its file.
    pub fn local(&self, id: DefinitionId) -> LocalId {
        self.local_in(self.place_around(id).1, id)
    }

    /// Returns the number of a definition within the file at `place`.
    fn local_in(&self, place: Place, id: DefinitionId) -> LocalId {
        // If the positions are not in order, the file found may begin after the definition.
        LocalId(id.0.checked_sub(place.first_definition.0).unwrap_or_else(|| self.reject()))
    }

    /// Returns the functions in a file, in order.
    pub fn functions_of(&self, file: FileId) -> impl Iterator<Item = DefinitionId> + '_ {
        let functions = self.definitions_of(file).zip(self.rows_of(file)).filter(|(_, row)| row.kind().is_function());
        functions.map(|(id, _)| id)
    }

    /// Returns the calls in a definition's body, sorted by position.
    pub fn calls(&self, id: DefinitionId) -> &[CallRow] {
        self.links.run(GraphSection::CallStarts, GraphSection::Calls, id.index())
    }

    /// Returns the distinct callers of a definition, in order.
    pub fn callers(&self, id: DefinitionId) -> &[DefinitionId] {
        self.links.run(GraphSection::CallerStarts, GraphSection::Callers, id.index())
    }

    /// Returns the total number of calls.
    pub fn call_count(&self) -> usize {
        self.links.count(GraphSection::Calls)
    }

    /// Returns the position of a definition's first call in the table of all calls.
    pub(super) fn first_call(&self, id: DefinitionId) -> u32 {
        self.links.item(GraphSection::CallStarts, id.index())
    }

    /// Returns the total number of blocks, which have ten lines each, in all files.
    pub fn block_count(&self) -> usize {
        self.blocks
    }

    /// Returns the numbers of the ten-line blocks in a file. Blocks are numbered across all files.
    pub fn blocks_of(&self, file: FileId) -> Range<usize> {
        let places: &[Place] = self.links.items(GraphSection::Places, file.index()..file.index() + 2);
        self.within(places[0].first_block as usize..places[1].first_block as usize, self.blocks)
    }

    /// Returns the range. Panics if it is reversed, or if it ends after `count` items.
    #[inline]
    fn within(&self, range: Range<usize>, count: usize) -> Range<usize> {
        if range.start <= range.end && range.end <= count { range } else { self.reject() }
    }

    /// Returns the postings of each block in a file, that is, the words of its ten lines and their
    /// counts; see [`crate::fragment::Blocks`].
    pub fn postings_of(&self, file: FileId) -> impl ExactSizeIterator<Item = &[u32]> {
        let (piece, number) = self.piece_of(file);
        piece.postings_of(number)
    }

    fn bytes_of(&self, sections: [GraphSection; 2], file: FileId) -> &[u8] {
        let (piece, number) = self.piece_of(file);
        piece.sections.part(sections, number)
    }

    /// Returns a file's syntax tree, or an empty one for plain text; see
    /// [`whichfn_syntax::parse::Syntax`].
    pub fn syntax(&self, file: FileId) -> Vec<u8> {
        unpack(self.bytes_of(SYNTAX, file)).unwrap_or_else(|| self.links.reject())
    }

    /// Checks whether a file has a syntax tree.
    pub fn has_syntax(&self, file: FileId) -> bool {
        !self.bytes_of(SYNTAX, file).is_empty()
    }

    /// Returns the facts that linking needs about a file. Panics if they are malformed.
    pub fn facts(&self, file: FileId) -> FileFacts<'_> {
        let (piece, number) = self.piece_of(file);
        let facts = piece.facts(number).checked_facts();
        let facts = facts.filter(|facts| facts.definition_count() == self.definitions_of(file).len());
        facts.unwrap_or_else(|| self.links.reject())
    }

    /// Returns the messages that a file received during linking; see
    /// [`whichfn_graph::Linked::mail`].
    pub fn mail(&self, file: FileId) -> &[u8] {
        self.links.part([GraphSection::MailEnds, GraphSection::Mail], file.index())
    }

    /// Returns the offset of the end of each file's messages, and the messages of all files
    /// concatenated.
    pub(super) fn all_mail(&self) -> (&[u64], &[u8]) {
        let all = |section| 0..self.links.count(section);
        let (ends, bytes) = (GraphSection::MailEnds, GraphSection::Mail);
        (self.links.items(ends, all(ends)), self.links.items(bytes, all(bytes)))
    }

    /// Returns the packed line ends of a file ([`crate::fragment::LineEnds`]).
    pub fn line_ends(&self, file: FileId) -> &[u8] {
        self.bytes_of(LINES, file)
    }

    /// Returns the packed skeleton of a file's definitions ([`crate::fragment::Skeleton`]).
    pub fn skeleton(&self, file: FileId) -> &[u8] {
        self.bytes_of(SKELETONS, file)
    }

    /// Returns the packed words of a file's definitions ([`crate::wordvec::WordLists`]).
    pub fn words(&self, file: FileId) -> &[u8] {
        self.bytes_of(WORDS, file)
    }

    /// Returns a file's path from the root.
    pub fn path(&self, file: FileId) -> &str {
        let (piece, number) = self.piece_of(file);
        piece.sections.text(piece.file(number).path)
    }

    /// Returns the number of a file's language, or `None` for plain text.
    pub fn language(&self, file: FileId) -> Option<u16> {
        self.file(file).language.checked_sub(1).map(|l| l as u16)
    }

    pub(super) fn string(&self, id: DefinitionId, of: impl Fn(&DefinitionRow) -> Str) -> &str {
        let (piece, at) = self.located(id);
        piece.sections.text(of(&piece.definition(at)))
    }

    /// Returns a definition's unqualified name; empty for a file and for plain text.
    pub fn name(&self, id: DefinitionId) -> &str {
        self.string(id, |row| row.name)
    }

    /// Returns a definition's name, qualified by the names of the enclosing definitions. The name of
    /// an entry begins with the prefixes that other places give it; this is the first of several
    /// names.
    pub fn qualified_name(&self, id: DefinitionId) -> &str {
        let entry = self.names_with_prefix(id).and_then(|names| names.first());
        entry.map_or_else(|| self.string(id, |row| row.qualified_name), String::as_str)
    }

    /// Returns a definition's signature on one line.
    pub fn signature(&self, id: DefinitionId) -> &str {
        self.string(id, |row| row.signature)
    }

    /// Returns the first paragraph of a definition's documentation, which may be inherited from a
    /// declaration.
    pub fn doc(&self, id: DefinitionId) -> &str {
        let from = self.documented_by(id).unwrap_or(id);
        self.string(from, |row| row.doc)
    }
}

/// Converts the numbers in a row of a piece to numbers in the whole graph.
fn of_the_whole(row: DefinitionRow, file: FileId, place: Place) -> DefinitionRow {
    let parent = row.parent.0.wrapping_sub(place.definition_there).wrapping_add(place.first_definition.0);
    DefinitionRow { file, parent: DefinitionId(parent), ..row }
}
