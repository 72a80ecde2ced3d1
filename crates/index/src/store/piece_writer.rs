//! Builds a piece of the graph by adding files one at a time.

use super::graph_file::GraphFile;
use super::graph_rows::{DefinitionRow, FileRow, Str};
use super::graph_section::{GraphSection, SectionBytes};
use super::named_values::pack_values;
use super::names::order_by_name;
use super::piece::{FACTS, GraphPiece, LINES, SKELETONS, SYNTAX, VALUES, WORDS};
use super::postings::{FileTerms, PostingsSections, PostingsWriter};
use super::sealed::SealedFile;
use super::section_file::SectionFile;
use crate::fragment::FileFragments;
use whichfn_graph::FileFacts;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_syntax::lang::DefinitionKind;
use whichfn_syntax::parse::{Definition, Facts, Field};

/// Collects the tables of a piece. The graphs and pieces from which files are copied are borrowed
/// until [`PieceWriter::finish`].
#[derive(Default)]
pub struct PieceWriter<'a> {
    strings: Vec<u8>,
    files: Vec<FileRow>,
    definitions: Vec<DefinitionRow>,
    lengths: Vec<[u16; Field::COUNT]>,
    block_ends: Vec<u32>,
    postings: Vec<u32>,
    syntax: FileBytes,
    lines: FileBytes,
    skeletons: FileBytes,
    words: FileBytes,
    facts: FileBytes,
    values: FileBytes,
    terms: PostingsWriter<'a>,
}

/// The concatenated bytes of all files, and the end of each file's part.
#[derive(Default)]
struct FileBytes {
    ends: Vec<u64>,
    bytes: Vec<u8>,
}

impl FileBytes {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u64);
    }
}

/// The range of a file's strings in the piece that it is copied from, and the start of that range
/// in the new piece.
struct MovedStrings {
    start: u32,
    end: usize,
    base: u32,
}

impl MovedStrings {
    /// Returns the range of a string in the new piece, or `None` if the string does not belong to
    /// the file.
    fn moved(&self, [at, length]: Str) -> Option<Str> {
        let end = at as usize + length as usize;
        (at >= self.start && end <= self.end).then(|| [at - self.start + self.base, length])
    }
}

/// The data of a parsed file that is stored in a piece.
pub struct FilePart<'a> {
    /// Path from the root.
    pub path: &'a str,
    /// Number of the file's language, or `None` for plain text.
    pub language: Option<u16>,
    /// Facts that the parser found in the file.
    pub facts: &'a Facts,
    /// Facts that linking reads; see [`whichfn_graph::FactTables`].
    pub flow: &'a [u8],
    /// Packed syntax tree of the file.
    pub syntax: &'a [u8],
    /// Fragments of the file.
    pub fragments: &'a FileFragments,
    /// Terms in the file's definitions.
    pub terms: &'a FileTerms,
}

impl<'a> PieceWriter<'a> {
    /// Adds a parsed file. Files must be added in the order of their paths.
    pub fn file(&mut self, part: &FilePart<'_>) {
        let FilePart { facts, fragments, .. } = part;
        let first = self.definitions.len() as u32;
        let file = FileId::new(self.files.len());
        let path = self.string(part.path);
        self.files.push(FileRow {
            path,
            language: part.language.map_or(0, |l| u32::from(l) + 1),
            first_definition: DefinitionId(first),
            lines: facts.lines,
            first_block: self.block_ends.len() as u32,
            nodes: facts.nodes,
            functions: facts.definitions.iter().filter(|definition| definition.kind.is_function()).count() as u32,
        });
        for definition in &facts.definitions {
            let row = self.definition(file, first, definition);
            self.definitions.push(row);
            self.lengths.push(definition.lengths.map(|length| length.min(u32::from(u16::MAX)) as u16));
        }
        let base = self.postings.len() as u32;
        self.block_ends.extend(fragments.blocks.ends.iter().map(|end| base + end));
        self.postings.extend_from_slice(&fragments.blocks.postings);
        self.syntax.push(part.syntax);
        self.lines.push(&fragments.lines);
        self.skeletons.push(&fragments.definitions);
        self.words.push(&fragments.words);
        self.facts.push(part.flow);
        self.values.push(&pack_values(&facts.named_values));
        self.terms.file(file.0, part.terms);
    }

    /// Adds an unchanged file from a graph.
    pub fn copy(&mut self, graph: &'a GraphFile, file: FileId) {
        let (from, number) = graph.piece_of(file);
        self.copy_from(from, number);
    }

    /// Adds an unchanged file from a written piece.
    pub fn copy_written(&mut self, piece: &'a WrittenPiece, number: usize) {
        self.copy_from(&piece.0, number);
    }

    /// Copies all parts of a file, and adjusts its numbers and strings to the new piece.
    fn copy_from(&mut self, from: &'a GraphPiece, number: usize) {
        let place = self.files.len() as u32;
        // Panics if the piece has no such file.
        self.copy_sections(from, number);
        self.terms.copy(place, from, number);
        for (part, sections) in [
            (&mut self.syntax, SYNTAX),
            (&mut self.lines, LINES),
            (&mut self.skeletons, SKELETONS),
            (&mut self.words, WORDS),
            (&mut self.facts, FACTS),
            (&mut self.values, VALUES),
        ] {
            part.push(from.sections.part(sections, number));
        }
    }

    /// Copies the rows of a file. Panics if a row contradicts the others, which means that another
    /// program wrote the index.
    fn copy_sections(&mut self, from: &GraphPiece, number: usize) {
        let row = from.file(number);
        let definitions = from.definitions_of(number);
        let strings = self.copy_strings(from, number);
        let moved = |text: Str| strings.moved(text).unwrap_or_else(|| from.sections.reject());
        let first = self.definitions.len() as u32;
        let place = FileId::new(self.files.len());
        let first_block = self.block_ends.len() as u32;
        self.files.push(FileRow { path: moved(row.path), first_definition: DefinitionId(first), first_block, ..row });
        for (old, number) in from.definitions(definitions.clone()).iter().zip(0..) {
            // A parent comes before its children, except that a file is its own parent.
            let parent = old.parent.0.checked_sub(row.first_definition.0).filter(|&parent| parent <= number);
            self.definitions.push(DefinitionRow {
                file: place,
                parent: DefinitionId(parent.unwrap_or_else(|| from.sections.reject()) + first),
                name: moved(old.name),
                qualified_name: moved(old.qualified_name),
                signature: moved(old.signature),
                doc: moved(old.doc),
                ..*old
            });
        }
        self.lengths.extend_from_slice(from.sections.items(GraphSection::Lengths, definitions));
        let blocks = from.blocks_of(number);
        let (postings, base) = (from.posting_places(blocks.clone()), self.postings.len() as u32);
        for &end in from.sections.items::<u32>(GraphSection::BlockEnds, blocks) {
            let is_inside = (postings.start..=postings.end).contains(&(end as usize));
            let end = if is_inside { end - postings.start as u32 } else { from.sections.reject() };
            self.block_ends.push(end + base);
        }
        self.postings.extend_from_slice(from.sections.items(GraphSection::Postings, postings));
    }

    /// Copies the strings of a file as one range, because they are contiguous.
    fn copy_strings(&mut self, from: &GraphPiece, number: usize) -> MovedStrings {
        let start = from.file(number).path[0];
        let all = || from.sections.count(GraphSection::Strings);
        let end = from.next(number).map_or_else(all, |next| next.path[0] as usize);
        let moved = MovedStrings { start, end, base: self.strings.len() as u32 };
        self.strings.extend_from_slice(from.sections.items(GraphSection::Strings, start as usize..end));
        moved
    }

    /// Returns the number of files added so far.
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    fn definition(&mut self, file: FileId, first: u32, definition: &Definition) -> DefinitionRow {
        DefinitionRow {
            file,
            parent: DefinitionId(first + definition.parent.0),
            name: self.string(&definition.name),
            qualified_name: self.string(&definition.qualified_name),
            signature: self.string(&definition.signature),
            doc: self.string(&definition.doc),
            start_byte: definition.span.start_byte,
            end_byte: definition.span.end_byte,
            start_line: definition.span.start_line,
            end_line: definition.span.end_line,
            line: definition.line,
            node: definition.node,
            depth: definition.depth,
            kind: definition.kind as u8,
            is_test: u8::from(definition.is_test),
            parameters: definition.parameters.len().min(255) as u8,
            spare: 0,
        }
    }

    fn string(&mut self, text: &str) -> Str {
        let at = [self.strings.len() as u32, text.len() as u32];
        self.strings.extend_from_slice(text.as_bytes());
        at
    }

    /// Completes the piece, so that it can be written.
    pub fn finish(mut self) -> FinishedPiece<'a> {
        let terms = std::mem::take(&mut self.terms).finish();
        let by_name = order_by_name(&self.definitions, &self.strings);
        FinishedPiece { piece: self, terms, by_name }
    }

    /// Returns the parts of a file from which the links are built.
    pub(super) fn part(&self, number: usize) -> Part<'_> {
        let row = self.files[number];
        let next = self.files.get(number + 1);
        let definitions = next.map_or(self.definitions.len() as u32, |next| next.first_definition.0);
        let blocks = next.map_or(self.block_ends.len() as u32, |next| next.first_block);
        let range = row.first_definition.index()..definitions as usize;
        Part {
            definition_there: row.first_definition.0,
            definitions: &self.definitions[range.clone()],
            lengths: &self.lengths[range],
            blocks: blocks - row.first_block,
            functions: row.functions,
        }
    }
}

/// A complete piece, ready to be written.
pub struct FinishedPiece<'a> {
    piece: PieceWriter<'a>,
    terms: PostingsSections,
    by_name: Vec<u32>,
}

/// A written piece, opened for reading.
pub struct WrittenPiece(pub(super) GraphPiece);

impl WrittenPiece {
    /// Checks whether a file declares functions that it does not define.
    pub fn has_declarations(&self, number: usize) -> bool {
        let definitions = self.0.definitions(self.0.definitions_of(number));
        definitions.iter().any(|row| row.kind() == DefinitionKind::Declaration)
    }

    /// Returns the facts that linking needs about a file. The bytes must have been written or
    /// checked by this process. Panics if the tables are truncated.
    pub fn facts(&self, number: usize) -> FileFacts<'_> {
        self.0.facts(number).facts().unwrap_or_else(|| self.0.sections.reject())
    }

    /// Returns the facts that linking needs about a file, which were copied from an earlier index.
    /// Panics if they are malformed, or if they do not match the file's number of definitions.
    pub fn copied_facts(&self, number: usize, definitions: usize) -> FileFacts<'_> {
        let facts = self.0.facts(number).checked_facts();
        let facts = facts.filter(|facts| facts.definition_count() == definitions);
        facts.unwrap_or_else(|| self.0.sections.reject())
    }
}

impl FinishedPiece<'_> {
    /// Copies the piece to memory, where it can be read without a file.
    ///
    /// # Errors
    /// Returns an error if the memory cannot be allocated.
    pub fn in_memory(&self) -> std::io::Result<WrittenPiece> {
        let sections = self.sections();
        let file = SealedFile::in_memory(sections.file_length(), |into| sections.write(into))?;
        let sections = SectionFile::new(file).ok_or(std::io::ErrorKind::InvalidData)?;
        Ok(WrittenPiece(GraphPiece::new(sections)))
    }

    /// Returns the tables of the piece.
    pub fn tables(&self) -> &PieceWriter<'_> {
        &self.piece
    }

    /// Returns the sections of the file that contains the piece.
    pub fn sections(&self) -> SectionBytes<'_> {
        let Self { piece, terms, by_name } = self;
        SectionBytes::new(|section| match section {
            GraphSection::Strings => &piece.strings,
            GraphSection::Files => bytemuck::cast_slice(&piece.files),
            GraphSection::Definitions => bytemuck::cast_slice(&piece.definitions),
            GraphSection::Lengths => bytemuck::cast_slice(&piece.lengths),
            GraphSection::BlockEnds => bytemuck::cast_slice(&piece.block_ends),
            GraphSection::Postings => bytemuck::cast_slice(&piece.postings),
            GraphSection::SyntaxEnds => bytemuck::cast_slice(&piece.syntax.ends),
            GraphSection::Syntax => &piece.syntax.bytes,
            GraphSection::LinesEnds => bytemuck::cast_slice(&piece.lines.ends),
            GraphSection::Lines => &piece.lines.bytes,
            GraphSection::SkeletonsEnds => bytemuck::cast_slice(&piece.skeletons.ends),
            GraphSection::Skeletons => &piece.skeletons.bytes,
            GraphSection::WordsEnds => bytemuck::cast_slice(&piece.words.ends),
            GraphSection::Words => &piece.words.bytes,
            GraphSection::FactsEnds => bytemuck::cast_slice(&piece.facts.ends),
            GraphSection::Facts => &piece.facts.bytes,
            GraphSection::ValuesEnds => bytemuck::cast_slice(&piece.values.ends),
            GraphSection::Values => &piece.values.bytes,
            GraphSection::ByName => bytemuck::cast_slice(by_name),
            GraphSection::TermEnds => bytemuck::cast_slice(&terms.term_ends),
            GraphSection::Terms => &terms.terms,
            GraphSection::TermListEnds => bytemuck::cast_slice(&terms.list_ends),
            GraphSection::TermLists => &terms.lists,
            _ => &[],
        })
    }
}

/// The parts of a file in a piece from which the links are built.
pub(super) struct Part<'a> {
    pub definition_there: u32,
    pub definitions: &'a [DefinitionRow],
    pub lengths: &'a [[u16; Field::COUNT]],
    pub blocks: u32,
    pub functions: u32,
}
