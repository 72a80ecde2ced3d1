//! The graph file in the making: files are added one by one, then come the calls between them.

use super::graph_file::GraphFile;
use super::graph_rows::{CallRow, DefinitionRow, FileRow, Str};
use super::graph_section::{GraphSection, join};
use super::totals::{FieldTotals, KindGroup, totals};
use crate::fragment::FileFragments;
use crate::graph::CallEdge;
use crate::ids::{DefinitionId, FileId, row_range, row_starts};
use crate::parse::{Definition, Facts, Field};

/// Collects the tables and gives the bytes of the file.
#[derive(Default)]
pub struct GraphWriter {
    strings: Vec<u8>,
    files: Vec<FileRow>,
    definitions: Vec<DefinitionRow>,
    lengths: Vec<[u16; Field::COUNT]>,
    call_starts: Vec<u32>,
    calls: Vec<CallRow>,
    caller_starts: Vec<u32>,
    callers: Vec<DefinitionId>,
    block_ends: Vec<u32>,
    postings: Vec<u32>,
    syntax: PerFile,
    lines: PerFile,
    skeletons: PerFile,
    words: PerFile,
    totals: [FieldTotals; KindGroup::ALL.len()],
}

/// Bytes of each file, end to end, and where those of each end.
#[derive(Default)]
struct PerFile {
    ends: Vec<u64>,
    bytes: Vec<u8>,
}

impl PerFile {
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
            first_definition: DefinitionId(first),
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
        self.lines.push(&fragments.lines);
        self.skeletons.push(&fragments.definitions);
        self.words.push(&fragments.words);
    }

    /// Adds a file as it stands in another graph. Its strings lie together there, so they are copied in one piece.
    pub fn copy(&mut self, from: &GraphFile, file: FileId) {
        let row = from.file(file);
        let start = row.path[0] as usize;
        let end = from.next(file).map_or(from.count(GraphSection::Strings), |next| next.path[0] as usize);
        let base = self.strings.len() as u32;
        let moved = |[at, length]: Str| [at - start as u32 + base, length];
        let first = self.definitions.len() as u32;
        let place = FileId::new(self.files.len());
        let first_block = self.block_ends.len() as u32;
        self.files.push(FileRow { path: moved(row.path), first_definition: DefinitionId(first), first_block, ..row });
        for old in from.rows_of(file) {
            self.definitions.push(DefinitionRow {
                file: place,
                parent: DefinitionId(old.parent.0 - row.first_definition.0 + first),
                name: moved(old.name),
                qualified_name: moved(old.qualified_name),
                signature: moved(old.signature),
                doc: moved(old.doc),
                ..old
            });
        }
        self.strings.extend_from_slice(from.items(GraphSection::Strings, start..end));
        self.lengths.extend_from_slice(from.items(GraphSection::Lengths, from.rows_of_file(file)));
        let blocks = from.blocks_of(file);
        let (postings, base) = (from.posting_places(blocks.clone()), self.postings.len() as u32);
        self.block_ends.extend(
            from.items::<u32>(GraphSection::BlockEnds, blocks).iter().map(|end| end - postings.start as u32 + base),
        );
        self.postings.extend_from_slice(from.items(GraphSection::Postings, postings));
        self.syntax.push(from.packed_syntax(file));
        self.lines.push(from.line_ends(file));
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
    pub fn finish(mut self, edges: &[CallEdge]) -> Vec<u8> {
        let count = self.definitions.len();
        let call = |e: &CallEdge| CallRow { callee: e.callee, site: e.site, line: e.line, reason: e.reason as u32 };
        self.call_starts = row_starts(count, edges.iter().map(|e| e.caller.index()));
        self.calls = edges.iter().map(call).collect();
        let mut pairs: Vec<(DefinitionId, DefinitionId)> = edges.iter().map(|e| (e.callee, e.caller)).collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.caller_starts = row_starts(count, pairs.iter().map(|(callee, _)| callee.index()));
        self.callers = pairs.into_iter().map(|(_, caller)| caller).collect();
        let calls = |id: DefinitionId| &self.calls[row_range(&self.call_starts, id.index())];
        self.totals = totals(self.definitions.iter().map(DefinitionRow::kind), &self.lengths, calls);
        join(|section| {
            let bytes = self.section(section);
            debug_assert_eq!(bytes.len() % section.item_size(), 0, "{section:?}: whole items");
            bytes
        })
    }

    fn section(&self, section: GraphSection) -> &[u8] {
        match section {
            GraphSection::Strings => &self.strings,
            GraphSection::Files => bytemuck::cast_slice(&self.files),
            GraphSection::Definitions => bytemuck::cast_slice(&self.definitions),
            GraphSection::Lengths => bytemuck::cast_slice(&self.lengths),
            GraphSection::CallStarts => bytemuck::cast_slice(&self.call_starts),
            GraphSection::Calls => bytemuck::cast_slice(&self.calls),
            GraphSection::CallerStarts => bytemuck::cast_slice(&self.caller_starts),
            GraphSection::Callers => bytemuck::cast_slice(&self.callers),
            GraphSection::BlockEnds => bytemuck::cast_slice(&self.block_ends),
            GraphSection::Postings => bytemuck::cast_slice(&self.postings),
            GraphSection::SyntaxEnds => bytemuck::cast_slice(&self.syntax.ends),
            GraphSection::Syntax => &self.syntax.bytes,
            GraphSection::LinesEnds => bytemuck::cast_slice(&self.lines.ends),
            GraphSection::Lines => &self.lines.bytes,
            GraphSection::SkeletonsEnds => bytemuck::cast_slice(&self.skeletons.ends),
            GraphSection::Skeletons => &self.skeletons.bytes,
            GraphSection::WordsEnds => bytemuck::cast_slice(&self.words.ends),
            GraphSection::Words => &self.words.bytes,
            GraphSection::Totals => bytemuck::cast_slice(&self.totals),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::Blocks;
    use crate::graph::CallReason;
    use crate::parse::plain_text;
    use crate::store::packed::pack;
    use crate::store::sealed::{SealedFile, seal_of, sealed};
    use crate::text::Stemmer;

    /// Two files whose parts all differ.
    fn written() -> Vec<u8> {
        let mut writer = GraphWriter::default();
        for (at, (path, text)) in (1u8..).zip([("a.txt", "one\ntwo\n"), ("b.txt", "three four\n")]) {
            let (facts, _) = plain_text(path, text, &mut Stemmer::default());
            let fragments = FileFragments {
                lines: vec![10 + at; 3],
                definitions: vec![20 + at; 4],
                blocks: Blocks { postings: vec![u32::from(at) + 30; 2], ends: vec![1, 2] },
                words: vec![40 + at; 5],
            };
            writer.file(path, (at == 2).then_some(6), 70 + u32::from(at), &facts, &pack(&[50 + at; 6]), &fragments);
        }
        let edge = |caller, callee| CallEdge { caller, callee, site: 8, line: 9, reason: CallReason::Import };
        let [first, second] = [DefinitionId(0), DefinitionId(1)];
        writer.finish(&[edge(first, second), edge(second, first), edge(second, second)])
    }

    fn opened(bytes: &[u8]) -> GraphFile {
        let file = tempfile::NamedTempFile::new().expect("file");
        let sealed = sealed(bytes).expect("sealed");
        std::fs::write(file.path(), &sealed).expect("written");
        GraphFile::new(SealedFile::open(file.path(), seal_of(&sealed).expect("seal")).expect("whole")).expect("a graph")
    }

    fn callees(graph: &GraphFile, id: DefinitionId) -> Vec<DefinitionId> {
        graph.calls(id).iter().map(|call| call.callee).collect()
    }

    #[test]
    fn every_section_is_read_back_by_its_name() {
        let graph = opened(&written());
        let [a, b] = [FileId(0), FileId(1)];
        assert_eq!([a, b].map(|file| graph.path(file)), ["a.txt", "b.txt"]);
        assert_eq!([a, b].map(|file| graph.language(file)), [None, Some(6)]);
        assert_eq!([a, b].map(|file| graph.file(file).text_id), [71, 72]);
        assert_eq!([a, b].map(|file| graph.file(file).lines), [2, 1]);
        assert_eq!([a, b].map(|file| graph.line_ends(file)), [&[11; 3], &[12; 3]]);
        assert_eq!([a, b].map(|file| graph.skeleton(file)), [&[21; 4], &[22; 4]]);
        assert_eq!([a, b].map(|file| graph.words(file)), [&[41; 5], &[42; 5]]);
        assert_eq!([a, b].map(|file| graph.syntax(file)), [[51; 6], [52; 6]]);
        assert_eq!([a, b].map(|file| graph.blocks_of(file)), [0..2, 2..4]);
        let postings = |file| graph.postings_of(file).flatten().copied().collect::<Vec<_>>();
        assert_eq!([a, b].map(postings), [[31; 2], [32; 2]]);
        let words = graph.definition_ids().map(|id| graph.lengths(id)[Field::Strings as usize]);
        assert_eq!(words.collect::<Vec<_>>(), [0, 2, 0, 2]);
        let [first, second] = [DefinitionId(0), DefinitionId(1)];
        assert_eq!([first, second].map(|id| callees(&graph, id)), [vec![second], vec![first, second]]);
        assert_eq!([first, second].map(|id| graph.callers(id)), [&[second][..], &[first, second]]);
        let call = graph.calls(first)[0];
        assert_eq!((call.site, call.line, call.reason()), (8, 9, CallReason::Import));
    }

    #[test]
    fn a_copied_file_is_as_it_was_under_its_new_numbers() {
        let graph = opened(&written());
        let mut writer = GraphWriter::default();
        [FileId(1), FileId(0)].iter().for_each(|&file| writer.copy(&graph, file));
        let copy = opened(&writer.finish(&[]));
        for (old, new) in [(FileId(0), FileId(1)), (FileId(1), FileId(0))] {
            assert_eq!((graph.path(old), graph.language(old)), (copy.path(new), copy.language(new)));
            assert_eq!((graph.syntax(old), graph.words(old)), (copy.syntax(new), copy.words(new)));
            assert_eq!((graph.line_ends(old), graph.skeleton(old)), (copy.line_ends(new), copy.skeleton(new)));
            assert!(graph.postings_of(old).eq(copy.postings_of(new)));
            let names = |graph: &GraphFile, file| {
                let named = graph.definitions_of(file).map(|id| graph.qualified_name(id).to_owned());
                let first = graph.definition(graph.file(file).first_definition);
                (named.collect::<Vec<_>>(), first.file, first.parent)
            };
            assert_eq!(names(&graph, old).0, names(&copy, new).0);
            assert_eq!((names(&copy, new).1, names(&copy, new).2), (new, copy.file(new).first_definition));
        }
    }
}
