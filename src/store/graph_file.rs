//! The graph on disk: flat tables that are used where they are mapped.
//!
//! Sections, each aligned to 8 bytes: strings, files, definitions, lengths, calls by caller, callers by callee, words of
//! blocks, and by file: packed syntax tree, line ends, skeleton of the definitions, words of the definitions. Numbers are in the machine's own
//! byte order: a cache does not travel.

use super::packed::unpack;
use crate::error::{Error, Kind, Result};
use crate::fragment::FileFragments;
use crate::graph::{CallEdge, CallReason};
use crate::ids::{DefinitionId, FileId};
use crate::lang::DefinitionKind;
use crate::parse::{Definition, Facts, Field};
use bytemuck::{Pod, Zeroable};

/// First bytes of the file.
const MAGIC: u64 = u64::from_le_bytes(*b"whichfn1");
const SECTIONS: usize = 18;

/// A piece of the string section: (first byte, length).
type Str = [u32; 2];

/// A file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct FileRow {
    path: Str,
    /// Language number plus one; 0 for none.
    language: u32,
    /// Number in the text index.
    pub text_id: u32,
    /// Its first definition (the file itself).
    pub first_definition: u32,
    /// Number of lines.
    pub lines: u32,
    /// Its first block of ten lines.
    pub first_block: u32,
}

/// A definition.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct DefinitionRow {
    /// Its file.
    pub file: FileId,
    /// The definition around it; itself for a file.
    pub parent: DefinitionId,
    name: Str,
    qualified_name: Str,
    signature: Str,
    doc: Str,
    /// First byte of its span.
    pub start_byte: u32,
    /// Byte after its span.
    pub end_byte: u32,
    /// First line of its span.
    pub start_line: u32,
    /// Last line of its span.
    pub end_line: u32,
    /// The line of its name.
    pub line: u32,
    /// Its syntax node, in its file.
    pub node: u32,
    kind: u8,
    is_test: u8,
    parameters: u8,
    spare: u8,
}

impl DefinitionRow {
    /// What it is.
    pub fn kind(&self) -> DefinitionKind {
        DefinitionKind::from_number(self.kind).unwrap_or(DefinitionKind::Text)
    }

    /// Whether it is a test.
    pub fn is_test(&self) -> bool {
        self.is_test != 0
    }

    /// How many parameters it has, the receiver not counted; 255 stands for more.
    pub fn parameters(&self) -> u8 {
        self.parameters
    }
}

/// A call, seen from its caller.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct CallRow {
    /// What is called.
    pub callee: DefinitionId,
    /// The call site's syntax node, in the caller's file.
    pub site: u32,
    /// Its line.
    pub line: u32,
    reason: u32,
}

impl CallRow {
    /// Why the two are linked.
    pub fn reason(&self) -> CallReason {
        CallReason::from_number(self.reason as u8).unwrap_or(CallReason::Name)
    }
}

/// Collects the tables and gives the bytes of the file.
#[derive(Default)]
pub struct GraphWriter {
    strings: Vec<u8>,
    files: Vec<FileRow>,
    definitions: Vec<DefinitionRow>,
    lengths: Vec<[u16; Field::COUNT]>,
    block_ends: Vec<u32>,
    postings: Vec<u32>,
    syntax: Pieces,
    line_ends: Pieces,
    skeletons: Pieces,
    words: Pieces,
}

/// Bytes of each file, end to end.
#[derive(Default)]
struct Pieces {
    ends: Vec<u64>,
    bytes: Vec<u8>,
}

impl Pieces {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.ends.push(self.bytes.len() as u64);
    }
}

impl GraphWriter {
    /// Adds a file, with its packed syntax tree; files come in order of path.
    pub fn file(
        &mut self,
        path: &str,
        language: Option<u16>,
        text_id: u32,
        facts: &Facts,
        syntax: &[u8],
        fragments: &FileFragments,
    ) {
        let first = self.definitions.len() as u32;
        let file = FileId::new(self.files.len());
        let path = self.string(path);
        self.files.push(FileRow {
            path,
            language: language.map_or(0, |l| u32::from(l) + 1),
            text_id,
            first_definition: first,
            lines: facts.lines,
            first_block: self.block_ends.len() as u32,
        });
        for definition in &facts.definitions {
            let row = self.definition(file, first, definition);
            self.definitions.push(row);
            self.lengths.push(definition.lengths.map(|length| length.min(u32::from(u16::MAX)) as u16));
        }
        let base = self.postings.len() as u32;
        self.block_ends.extend(fragments.blocks.ends.iter().map(|end| base + end));
        self.postings.extend_from_slice(&fragments.blocks.postings);
        self.syntax.push(syntax);
        self.line_ends.push(&fragments.lines);
        self.skeletons.push(&fragments.definitions);
        self.words.push(&fragments.words);
    }

    /// Adds a file as it stands in another graph. Its strings lie together there, so they are copied in one piece.
    pub fn copy(&mut self, from: &GraphFile, file: FileId) {
        let row = from.files()[file.index()];
        let strings: &[u8] = from.section(0);
        let start = row.path[0] as usize;
        let end = from.files().get(file.index() + 1).map_or(strings.len(), |next| next.path[0] as usize);
        let base = self.strings.len() as u32;
        let moved = |[at, length]: Str| [at - start as u32 + base, length];
        let first = self.definitions.len() as u32;
        let place = FileId::new(self.files.len());
        let first_block = self.block_ends.len() as u32;
        self.files.push(FileRow { path: moved(row.path), first_definition: first, first_block, ..row });
        let definitions = from.definitions_of(file);
        for old in &from.definitions()[definitions.clone()] {
            self.definitions.push(DefinitionRow {
                file: place,
                parent: DefinitionId(old.parent.0 - row.first_definition + first),
                name: moved(old.name),
                qualified_name: moved(old.qualified_name),
                signature: moved(old.signature),
                doc: moved(old.doc),
                ..*old
            });
        }
        self.strings.extend_from_slice(&strings[start..end]);
        self.lengths.extend_from_slice(&from.lengths()[definitions]);
        let blocks = from.blocks_of(file);
        let (postings, base) = (from.postings_of(blocks.clone()), self.postings.len() as u32);
        self.block_ends.extend(from.block_ends()[blocks].iter().map(|end| end - postings.start as u32 + base));
        self.postings.extend_from_slice(&from.postings()[postings]);
        self.syntax.push(from.piece(10, file));
        self.line_ends.push(from.line_ends(file));
        self.skeletons.push(from.skeleton(file));
        self.words.push(from.words(file));
    }

    /// How many functions were added.
    pub fn functions(&self) -> usize {
        self.definitions.iter().filter(|d| d.kind().is_function()).count()
    }

    fn definition(&mut self, file: FileId, first: u32, of: &Definition) -> DefinitionRow {
        DefinitionRow {
            file,
            parent: DefinitionId(first + of.parent.0),
            name: self.string(&of.name),
            qualified_name: self.string(&of.qualified_name),
            signature: self.string(&of.signature),
            doc: self.string(&of.doc),
            start_byte: of.span.start_byte,
            end_byte: of.span.end_byte,
            start_line: of.span.start_line,
            end_line: of.span.end_line,
            line: of.line,
            node: of.node,
            kind: of.kind as u8,
            is_test: u8::from(of.is_test),
            parameters: of.parameters.len().min(255) as u8,
            spare: 0,
        }
    }

    fn string(&mut self, text: &str) -> Str {
        let at = [self.strings.len() as u32, text.len() as u32];
        self.strings.extend_from_slice(text.as_bytes());
        at
    }

    /// The bytes of the file, with these call edges (in order of caller).
    pub fn finish(self, edges: &[CallEdge]) -> Vec<u8> {
        let n = self.definitions.len();
        let callee_starts = starts(n, edges.iter().map(|e| e.caller));
        let calls: Vec<CallRow> = edges
            .iter()
            .map(|e| CallRow { callee: e.callee, site: e.site, line: e.line, reason: e.reason as u32 })
            .collect();
        let mut pairs: Vec<(DefinitionId, DefinitionId)> = edges.iter().map(|e| (e.callee, e.caller)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let caller_starts = starts(n, pairs.iter().map(|&(callee, _)| callee));
        let callers: Vec<DefinitionId> = pairs.iter().map(|&(_, caller)| caller).collect();
        let sections: [&[u8]; SECTIONS] = [
            &self.strings,
            bytemuck::cast_slice(&self.files),
            bytemuck::cast_slice(&self.definitions),
            bytemuck::cast_slice(&self.lengths),
            bytemuck::cast_slice(&callee_starts),
            bytemuck::cast_slice(&calls),
            bytemuck::cast_slice(&caller_starts),
            bytemuck::cast_slice(&callers),
            bytemuck::cast_slice(&self.block_ends),
            bytemuck::cast_slice(&self.postings),
            bytemuck::cast_slice(&self.syntax.ends),
            &self.syntax.bytes,
            bytemuck::cast_slice(&self.line_ends.ends),
            &self.line_ends.bytes,
            bytemuck::cast_slice(&self.skeletons.ends),
            &self.skeletons.bytes,
            bytemuck::cast_slice(&self.words.ends),
            &self.words.bytes,
        ];
        join(&sections)
    }
}

/// For items sorted by key: where each key's items begin, and the end.
fn starts(keys: usize, of: impl Iterator<Item = DefinitionId>) -> Vec<u32> {
    let mut starts = vec![0u32; keys + 1];
    of.for_each(|key| starts[key.index() + 1] += 1);
    for i in 0..keys {
        starts[i + 1] += starts[i];
    }
    starts
}

fn join(sections: &[&[u8]; SECTIONS]) -> Vec<u8> {
    let head = 8 * (1 + 2 * SECTIONS);
    let mut out = Vec::with_capacity(head + sections.iter().map(|s| s.len() + 8).sum::<usize>());
    out.extend(MAGIC.to_ne_bytes());
    let mut at = head;
    for section in sections {
        out.extend((at as u64).to_ne_bytes());
        out.extend((section.len() as u64).to_ne_bytes());
        at += section.len().next_multiple_of(8);
    }
    for section in sections {
        out.extend_from_slice(section);
        out.resize(out.len().next_multiple_of(8), 0);
    }
    out
}

/// The mapped graph.
pub struct GraphFile {
    map: memmap2::Mmap,
    sections: [(usize, usize); SECTIONS],
}

impl GraphFile {
    /// Checks the shape of a mapped file; its bytes were checked by their sum.
    pub(super) fn new(map: memmap2::Mmap) -> Result<Self> {
        let word = |i: usize| map.get(8 * i..8 * i + 8).and_then(|b| b.try_into().ok()).map(u64::from_ne_bytes);
        if word(0) != Some(MAGIC) {
            return Err(damaged());
        }
        let mut sections = [(0, 0); SECTIONS];
        for (i, section) in sections.iter_mut().enumerate() {
            let (at, length) =
                (word(1 + 2 * i).ok_or_else(damaged)? as usize, word(2 + 2 * i).ok_or_else(damaged)? as usize);
            if at % 8 != 0 || at.checked_add(length).is_none_or(|end| end > map.len()) {
                return Err(damaged());
            }
            *section = (at, at + length);
        }
        Ok(Self { map, sections })
    }

    fn section<T: Pod>(&self, number: usize) -> &[T] {
        let (start, end) = self.sections[number];
        // The map begins at a page and sections at multiples of 8, so a cast fails only for a torn length: then the
        // table is empty.
        bytemuck::try_cast_slice(&self.map[start..end]).unwrap_or_default()
    }

    fn text(&self, [start, length]: Str) -> &str {
        let strings: &[u8] = self.section(0);
        let bytes = strings.get(start as usize..start as usize + length as usize).unwrap_or_default();
        std::str::from_utf8(bytes).unwrap_or_default()
    }

    /// All files, in order of path.
    pub fn files(&self) -> &[FileRow] {
        self.section(1)
    }

    /// All definitions, in order of file and place.
    pub fn definitions(&self) -> &[DefinitionRow] {
        self.section(2)
    }

    /// Number of words by field, for each definition.
    pub fn lengths(&self) -> &[[u16; Field::COUNT]] {
        self.section(3)
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> &DefinitionRow {
        &self.definitions()[id.index()]
    }

    /// The definitions of a file, the file itself first.
    pub fn definitions_of(&self, file: FileId) -> std::ops::Range<usize> {
        let files = self.files();
        let start = files[file.index()].first_definition as usize;
        start..files.get(file.index() + 1).map_or(self.definitions().len(), |next| next.first_definition as usize)
    }

    /// The functions of a file, in order.
    pub fn functions_of(&self, file: FileId) -> impl Iterator<Item = DefinitionId> + '_ {
        self.definitions_of(file).map(DefinitionId::new).filter(|&id| self.definition(id).kind().is_function())
    }

    /// The calls that a definition makes itself, in order of place.
    pub fn calls(&self, id: DefinitionId) -> &[CallRow] {
        range(self.section(4), self.section(5), id)
    }

    /// The definitions that call a definition.
    pub fn callers(&self, id: DefinitionId) -> &[DefinitionId] {
        range(self.section(6), self.section(7), id)
    }

    /// Where the postings of each block end, over all files.
    pub fn block_ends(&self) -> &[u32] {
        self.section(8)
    }

    /// Words of all blocks, see [`crate::fragment::Blocks`].
    pub fn postings(&self) -> &[u32] {
        self.section(9)
    }

    /// The blocks of a file.
    pub fn blocks_of(&self, file: FileId) -> std::ops::Range<usize> {
        let files = self.files();
        let end = files.get(file.index() + 1).map_or(self.block_ends().len(), |next| next.first_block as usize);
        files[file.index()].first_block as usize..end
    }

    /// The postings of consecutive blocks.
    pub fn postings_of(&self, blocks: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let end_before = |block: usize| if block == 0 { 0 } else { self.block_ends()[block - 1] as usize };
        end_before(blocks.start)..end_before(blocks.end)
    }

    /// A file's syntax tree, see [`crate::parse::Syntax`]; empty for plain text.
    pub fn syntax(&self, file: FileId) -> Vec<u8> {
        // The file's sum was right, so what is packed in it is whole.
        unpack(self.piece(10, file)).unwrap_or_default()
    }

    /// Whether a file has a syntax tree.
    pub fn has_syntax(&self, file: FileId) -> bool {
        !self.piece(10, file).is_empty()
    }

    /// Where a file's lines end, packed.
    pub fn line_ends(&self, file: FileId) -> &[u8] {
        self.piece(12, file)
    }

    /// The packed skeleton of a file's definitions.
    pub fn skeleton(&self, file: FileId) -> &[u8] {
        self.piece(14, file)
    }

    /// The words of a file's definitions, packed ([`crate::wordvec::WordLists`]).
    pub fn words(&self, file: FileId) -> &[u8] {
        self.piece(16, file)
    }

    fn piece(&self, section: usize, file: FileId) -> &[u8] {
        let (ends, bytes): (&[u64], &[u8]) = (self.section(section), self.section(section + 1));
        let start = if file.0 == 0 { 0 } else { ends[file.index() - 1] };
        &bytes[start as usize..ends[file.index()] as usize]
    }

    /// A file's path from the root.
    pub fn path(&self, file: FileId) -> &str {
        self.text(self.files()[file.index()].path)
    }

    /// The number of a file's language.
    pub fn language(&self, file: FileId) -> Option<u16> {
        self.files()[file.index()].language.checked_sub(1).map(|l| l as u16)
    }

    /// A definition's own name.
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

fn range<'a, T>(starts: &[u32], items: &'a [T], id: DefinitionId) -> &'a [T] {
    &items[starts[id.index()] as usize..starts[id.index() + 1] as usize]
}

fn damaged() -> Error {
    Error::new(Kind::Index, "the graph file of the index is damaged", "it will be built again")
}
