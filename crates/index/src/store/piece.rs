//! A piece of the graph, which contains the data of some files, each independent of the others. The
//! numbers of files, definitions and blocks are relative to the piece.

use super::graph_rows::{DefinitionRow, FileRow};
use super::graph_section::GraphSection;
use super::section_file::SectionFile;
use std::ops::Range;
use std::sync::OnceLock;
use whichfn_graph::FactTables;

/// Pairs of sections, which contain the bytes of each file or term: the first section has the end
/// of each part, and the second has the bytes.
pub(super) const SYNTAX: [GraphSection; 2] = [GraphSection::SyntaxEnds, GraphSection::Syntax];
pub(super) const LINES: [GraphSection; 2] = [GraphSection::LinesEnds, GraphSection::Lines];
pub(super) const SKELETONS: [GraphSection; 2] = [GraphSection::SkeletonsEnds, GraphSection::Skeletons];
pub(super) const WORDS: [GraphSection; 2] = [GraphSection::WordsEnds, GraphSection::Words];
pub(super) const TERMS: [GraphSection; 2] = [GraphSection::TermEnds, GraphSection::Terms];
pub(super) const TERM_LISTS: [GraphSection; 2] = [GraphSection::TermListEnds, GraphSection::TermLists];
pub(super) const VALUES: [GraphSection; 2] = [GraphSection::ValuesEnds, GraphSection::Values];
pub(super) const FACTS: [GraphSection; 2] = [GraphSection::FactsEnds, GraphSection::Facts];

/// A memory-mapped piece of the graph.
pub(super) struct GraphPiece {
    pub sections: SectionFile,
    /// Facts of each file, unpacked when they are first needed.
    facts: Box<[OnceLock<FactTables>]>,
}

impl GraphPiece {
    pub fn new(sections: SectionFile) -> Self {
        let facts = (0..sections.count(GraphSection::Files)).map(|_| OnceLock::new()).collect();
        Self { sections, facts }
    }

    /// Returns the facts that linking needs about a file. Panics if they are damaged.
    pub fn facts(&self, number: usize) -> &FactTables {
        let stored = || self.sections.part(FACTS, number);
        self.facts[number].get_or_init(|| FactTables::read(stored()).unwrap_or_else(|| self.sections.reject()))
    }

    /// Returns the number of files in the piece.
    pub fn file_count(&self) -> usize {
        self.sections.count(GraphSection::Files)
    }

    /// Returns the file with the given number.
    pub fn file(&self, number: usize) -> FileRow {
        self.sections.item(GraphSection::Files, number)
    }

    /// Returns the file after the one with the given number, or `None` if that one is the last.
    pub fn next(&self, number: usize) -> Option<FileRow> {
        (number + 1 < self.file_count()).then(|| self.file(number + 1))
    }

    /// Returns the numbers of the definitions in a file.
    pub fn definitions_of(&self, number: usize) -> Range<usize> {
        let all = || self.sections.count(GraphSection::Definitions);
        let end = self.next(number).map_or_else(all, |next| next.first_definition.index());
        self.file(number).first_definition.index()..end
    }

    /// Returns the definition with the given number.
    pub fn definition(&self, at: usize) -> DefinitionRow {
        self.sections.item(GraphSection::Definitions, at)
    }

    /// Returns a range of definitions.
    pub fn definitions(&self, range: Range<usize>) -> &[DefinitionRow] {
        self.sections.items(GraphSection::Definitions, range)
    }

    /// Returns the numbers of the blocks in a file.
    pub fn blocks_of(&self, number: usize) -> Range<usize> {
        let all = || self.sections.count(GraphSection::BlockEnds);
        let end = self.next(number).map_or_else(all, |next| next.first_block as usize);
        self.file(number).first_block as usize..end
    }

    /// Returns the range of postings for consecutive blocks in the postings section.
    pub fn posting_places(&self, blocks: Range<usize>) -> Range<usize> {
        let end_before = |block: usize| match block {
            0 => 0,
            block => self.sections.item::<u32>(GraphSection::BlockEnds, block - 1) as usize,
        };
        end_before(blocks.start)..end_before(blocks.end)
    }

    /// Returns the postings of each block in a file.
    pub fn postings_of(&self, number: usize) -> impl ExactSizeIterator<Item = &[u32]> {
        let blocks = self.blocks_of(number);
        let places = self.posting_places(blocks.clone());
        let first = places.start;
        let postings: &[u32] = self.sections.items(GraphSection::Postings, places);
        let mut start = 0;
        self.sections.items::<u32>(GraphSection::BlockEnds, blocks).iter().map(move |&end| {
            let end = (end as usize).saturating_sub(first);
            let block = postings.get(start..end).unwrap_or_else(|| self.sections.reject());
            start = end;
            block
        })
    }
}
