//! Builds the links of a new graph: the locations of its files, and the calls between definitions.

use super::documented::{TAKEN, is_documented};
use super::graph_file::{GraphFile, NOWHERE, STRIDE};
use super::graph_rows::{CallRow, DefinitionTraits, Place};
use super::graph_section::{GraphSection, SectionBytes};
use super::piece_writer::{Part, PieceWriter};
use super::totals::{CALL_FIELDS, FieldTotals, KindGroup, through_calls, totals};
use std::borrow::Cow;
use whichfn_graph::{CallEdge, CallPlace, Hierarchy};
use whichfn_syntax::ids::{DefinitionId, FileId, row_range, row_starts};
use whichfn_syntax::parse::Field;

/// Collects the location of each file of a new graph, sorted by path, and the links between the
/// files.
#[derive(Default)]
pub struct LinksWriter {
    places: Vec<Place>,
    /// Traits of each definition of the whole graph.
    traits: Vec<DefinitionTraits>,
    /// Lengths of each definition of the whole graph: see [`GraphSection::Lengths`].
    lengths: Vec<[u16; Field::COUNT]>,
    blocks: u32,
    functions: u32,
}

impl LinksWriter {
    /// Adds the next file: it is `file` of `graph`, in the base that the new graph shares with
    /// `graph`.
    pub fn add_from_shared_base(&mut self, graph: &GraphFile, file: FileId) {
        let place = graph.place(file);
        let (base, number) = (graph.base(), place.number as usize);
        let (row, definitions, blocks) = (base.file(number), base.definitions_of(number), base.blocks_of(number));
        if place.definition_there as usize != definitions.start || graph.definitions_of(file).len() != definitions.len()
        {
            graph.reject();
        }
        let part = Part {
            definition_there: definitions.start as u32,
            definitions: base.definitions(definitions.clone()),
            lengths: base.sections.items(GraphSection::Lengths, definitions),
            blocks: blocks.len() as u32,
            functions: row.functions,
        };
        self.push(0, place.number, &part);
    }

    /// Adds the next file: it is file `number` of a new base.
    pub fn add_from_base(&mut self, base: &PieceWriter<'_>, number: usize) {
        self.push(0, number as u32, &base.part(number));
    }

    /// Adds the next file: it is file `number` of a new overlay.
    pub fn add_from_overlay(&mut self, overlay: &PieceWriter<'_>, number: usize) {
        self.push(1, number as u32, &overlay.part(number));
    }

    fn push(&mut self, in_overlay: u32, number: u32, part: &Part<'_>) {
        let (first_definition, first_block) = (DefinitionId::new(self.traits.len()), self.blocks);
        let definition_there = part.definition_there;
        self.places.push(Place { in_overlay, number, first_definition, definition_there, first_block });
        self.traits.extend(part.definitions.iter().map(DefinitionTraits::of));
        self.lengths.extend_from_slice(part.lengths);
        self.blocks = self.blocks.saturating_add(part.blocks);
        // A row may come from an earlier index, which another program may have written.
        self.functions = self.functions.saturating_add(part.functions);
    }

    /// Returns whether a file of the whole graph is in the overlay, and its number in its piece.
    pub fn place(&self, file: usize) -> (bool, usize) {
        let place = &self.places[file];
        (place.in_overlay != 0, place.number as usize)
    }

    /// Returns the number of definitions in each file of the whole graph.
    pub fn definitions(&self) -> impl Iterator<Item = usize> {
        let starts = self.places.iter().map(|place| place.first_definition.index());
        let ends = starts.clone().skip(1).chain([self.traits.len()]);
        starts.zip(ends).map(|(start, end)| end - start)
    }

    /// Returns the number of definitions in a file of the whole graph.
    pub fn definition_count(&self, file: usize) -> usize {
        let end = self.places.get(file + 1).map_or(self.traits.len(), |next| next.first_definition.index());
        end - self.places[file].first_definition.index()
    }

    /// Returns the number of functions in all files.
    pub fn functions(&self) -> u32 {
        self.functions
    }

    /// Builds the links.
    ///
    /// - `edges`: the calls, sorted by caller.
    /// - `mail`: the messages that each file received when calls were linked.
    /// - `declared`: definitions, and the declarations that may document them, sorted by
    ///   definition.
    /// - `hierarchy`: the bases and owners of definitions, sorted.
    pub fn finish<'a>(
        mut self,
        edges: &[CallEdge],
        mail: Mail<'a>,
        declared: &[(DefinitionId, DefinitionId)],
        hierarchy: &Hierarchy,
    ) -> FinishedLinks<'a> {
        let count = self.traits.len();
        let (file_at, files) = (self.file_at(), [0, 1].map(|piece| self.files_of(piece)));
        let (first_definition, first_block) = (DefinitionId::new(count), self.blocks);
        self.places.push(Place { in_overlay: 0, number: 0, first_definition, definition_there: 0, first_block });
        let call = |e: &CallEdge| {
            let CallPlace { node: site, depth, line } = e.site;
            let depth = depth.min(u16::MAX.into()) as u16;
            CallRow { callee: e.callee, site, line, depth, reason: e.reason as u16 }
        };
        let call_starts = row_starts(count, edges.iter().map(|e| e.caller.index()));
        let calls: Vec<CallRow> = edges.iter().map(call).collect();
        let (caller_starts, callers) = callers_of(count, edges);
        let calls_of = |id: DefinitionId| &calls[row_range(&call_starts, id.index())];
        let documented = self.assign_documentation(declared);
        let pairs = |pairs: &[(DefinitionId, DefinitionId)]| pairs.iter().map(|&(from, to)| [from, to]).collect();
        let (bases, owners): (Vec<_>, Vec<_>) = (pairs(&hierarchy.bases), pairs(&hierarchy.owners));
        let through_calls = through_calls(&self.lengths, calls_of);
        let totals = totals(self.traits.iter().map(|of| of.kind()), &self.lengths, &through_calls);
        FinishedLinks {
            traits: self.traits,
            through_calls,
            places: self.places,
            file_at,
            files,
            call_starts,
            calls,
            caller_starts,
            callers,
            totals,
            mail,
            documenting: reversed(&documented),
            documented,
            derived: reversed(&bases),
            bases,
            owned: reversed(&owners),
            owners,
        }
    }

    /// Gives definitions without documentation the lengths of their declarations' documentation.
    /// Returns the affected pairs of definition and declaration, in order.
    fn assign_documentation(&mut self, declared: &[(DefinitionId, DefinitionId)]) -> Vec<[DefinitionId; 2]> {
        let lacks_documentation = |&&(id, _): &&(DefinitionId, DefinitionId)| !is_documented(&self.lengths[id.index()]);
        let documented: Vec<[DefinitionId; 2]> =
            declared.iter().filter(lacks_documentation).map(|&(id, from)| [id, from]).collect();
        for &[id, from] in &documented {
            for field in TAKEN {
                self.lengths[id.index()][field as usize] = self.lengths[from.index()][field as usize];
            }
        }
        documented
    }

    /// Returns the number in the whole graph of each file of a piece, up to the last file that is
    /// still part of the whole graph.
    fn files_of(&self, piece: u32) -> Vec<u32> {
        let mut files = Vec::new();
        for (file, place) in (0..).zip(&self.places).filter(|(_, place)| place.in_overlay == piece) {
            files.resize(place.number as usize, NOWHERE);
            files.push(file);
        }
        files
    }

    /// Returns the file of every [`STRIDE`]-th definition.
    fn file_at(&self) -> Vec<u32> {
        let mut file = 0;
        let file_of = |definition: usize| {
            while self.places.get(file + 1).is_some_and(|next| next.first_definition.index() <= definition) {
                file += 1;
            }
            file as u32
        };
        (0..self.traits.len()).step_by(STRIDE).map(file_of).collect()
    }
}

/// The messages that each file received when calls were linked ([`whichfn_graph::Linked::mail`]),
/// added in path order.
#[derive(Default)]
pub struct Mail<'a> {
    bytes: Cow<'a, [u8]>,
    ends: Cow<'a, [u64]>,
}

impl<'a> Mail<'a> {
    /// Returns the messages of each file of a graph.
    pub fn from_graph(graph: &'a GraphFile) -> Self {
        let (ends, bytes) = graph.all_mail();
        Self { bytes: Cow::Borrowed(bytes), ends: Cow::Borrowed(ends) }
    }

    /// Creates an empty list with space for about as many messages as a graph has.
    pub fn with_capacity_of(graph: &GraphFile) -> Self {
        let (ends, bytes) = graph.all_mail();
        let [ends, bytes] = [ends.len(), bytes.len()].map(|count| count + count / 16);
        Self { bytes: Cow::Owned(Vec::with_capacity(bytes)), ends: Cow::Owned(Vec::with_capacity(ends)) }
    }

    /// Adds the messages of the next file.
    pub fn add(&mut self, mailbox: &[u8]) {
        self.bytes.to_mut().extend_from_slice(mailbox);
        self.ends.to_mut().push(self.bytes.len() as u64);
    }
}

/// The links between all files.
pub struct FinishedLinks<'a> {
    places: Vec<Place>,
    file_at: Vec<u32>,
    /// File numbers for the base and for the overlay.
    files: [Vec<u32>; 2],
    call_starts: Vec<u32>,
    calls: Vec<CallRow>,
    caller_starts: Vec<u32>,
    callers: Vec<DefinitionId>,
    traits: Vec<DefinitionTraits>,
    through_calls: Vec<[u32; CALL_FIELDS]>,
    totals: [FieldTotals; KindGroup::ALL.len()],
    mail: Mail<'a>,
    documented: Vec<[DefinitionId; 2]>,
    documenting: Vec<[DefinitionId; 2]>,
    bases: Vec<[DefinitionId; 2]>,
    derived: Vec<[DefinitionId; 2]>,
    owners: Vec<[DefinitionId; 2]>,
    owned: Vec<[DefinitionId; 2]>,
}

impl FinishedLinks<'_> {
    /// Returns the sections of the links file.
    pub fn sections(&self) -> SectionBytes<'_> {
        SectionBytes::new(|section| match section {
            GraphSection::Traits => bytemuck::cast_slice(&self.traits),
            GraphSection::ThroughCalls => bytemuck::cast_slice(&self.through_calls),
            GraphSection::Totals => bytemuck::cast_slice(&self.totals),
            GraphSection::Places => bytemuck::cast_slice(&self.places),
            GraphSection::BaseFiles => bytemuck::cast_slice(&self.files[0]),
            GraphSection::OverlayFiles => bytemuck::cast_slice(&self.files[1]),
            GraphSection::FileAt => bytemuck::cast_slice(&self.file_at),
            GraphSection::CallStarts => bytemuck::cast_slice(&self.call_starts),
            GraphSection::Calls => bytemuck::cast_slice(&self.calls),
            GraphSection::CallerStarts => bytemuck::cast_slice(&self.caller_starts),
            GraphSection::Callers => bytemuck::cast_slice(&self.callers),
            GraphSection::MailEnds => bytemuck::cast_slice(&self.mail.ends),
            GraphSection::Mail => &self.mail.bytes,
            GraphSection::Documented => bytemuck::cast_slice(&self.documented),
            GraphSection::Documenting => bytemuck::cast_slice(&self.documenting),
            GraphSection::Bases => bytemuck::cast_slice(&self.bases),
            GraphSection::Derived => bytemuck::cast_slice(&self.derived),
            GraphSection::Owners => bytemuck::cast_slice(&self.owners),
            GraphSection::Owned => bytemuck::cast_slice(&self.owned),
            _ => &[],
        })
    }
}

/// Returns the pairs with their definitions exchanged, sorted.
fn reversed(pairs: &[[DefinitionId; 2]]) -> Vec<[DefinitionId; 2]> {
    let mut reversed: Vec<_> = pairs.iter().map(|&[from, to]| [to, from]).collect();
    reversed.sort_unstable();
    reversed
}

/// Returns the callers of each of `count` definitions, sorted, without duplicates, and the offset
/// of each definition's callers. The edges must be sorted by caller, then callee.
fn callers_of(count: usize, edges: &[CallEdge]) -> (Vec<u32>, Vec<DefinitionId>) {
    let mut last = None;
    let once = |edge: &&CallEdge| last.replace((edge.caller, edge.callee)) != Some((edge.caller, edge.callee));
    let pairs: Vec<(DefinitionId, DefinitionId)> =
        edges.iter().filter(once).map(|edge| (edge.callee, edge.caller)).collect();
    let starts = row_starts(count, pairs.iter().map(|(callee, _)| callee.index()));
    let mut next = starts.clone();
    let mut callers = vec![DefinitionId(0); pairs.len()];
    for (callee, caller) in pairs {
        let at = &mut next[callee.index()];
        callers[*at as usize] = caller;
        *at += 1;
    }
    (starts, callers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fragment::Blocks;
    use crate::fragment::FileFragments;
    use crate::store::Generation;
    use crate::store::piece_writer::FilePart;
    use crate::store::postings::FileTerms;
    use crate::store::sealed::SealedFile;
    use crate::store::section_file::SectionFile;
    use whichfn_graph::{CallReason, PackedFacts};
    use whichfn_syntax::lang::Registry;
    use whichfn_syntax::packed::pack;
    use whichfn_syntax::parse::read_plain_text;
    use whichfn_text::Splitter;

    /// Adds a file whose parts all differ from those of the other files.
    fn add(piece: &mut PieceWriter<'_>, at: u8) {
        let (path, text) =
            [("a.txt", "one\ntwo\n"), ("b.txt", "three four\n"), ("c.txt", "five\n")][usize::from(at) - 1];
        let (facts, words) =
            read_plain_text(&Registry::builtin().expect("language files"), path, text, &mut Splitter::default());
        let fragments = FileFragments {
            lines: vec![10 + at; 3],
            definitions: vec![20 + at; 4],
            blocks: Blocks { postings: vec![u32::from(at) + 30; 2], ends: vec![1, 2] },
            words: vec![40 + at; 5],
        };
        piece.file(&FilePart {
            path,
            language: (at == 2).then_some(6),
            facts: &facts,
            flow: &PackedFacts::new(&facts).stored(),
            syntax: &pack(&[50 + at; 6]),
            fragments: &fragments,
            terms: &FileTerms::new(&facts, &words),
        });
    }

    fn file(bytes: &SectionBytes<'_>) -> SectionFile {
        let folder = tempfile::tempdir().expect("folder");
        let seal = Generation::write_base(folder.path(), bytes).expect("written");
        SectionFile::new(SealedFile::open(&folder.path().join("base"), seal).expect("whole")).expect("sections")
    }

    /// Returns different messages for each file.
    fn mail() -> Mail<'static> {
        let mut mail = Mail::default();
        (0..3).for_each(|at| mail.add(&[70 + at; 3]));
        mail
    }

    fn edges() -> [CallEdge; 3] {
        let edge = |caller, callee| CallEdge {
            caller,
            callee,
            site: CallPlace { node: 8, depth: 3, line: 9 },
            reason: CallReason::Import,
        };
        let [first, second] = [DefinitionId(0), DefinitionId(1)];
        [edge(first, second), edge(second, first), edge(second, second)]
    }

    /// Returns a definition with a base, and one that belongs to another.
    fn hierarchy() -> Hierarchy {
        let [first, second] = [DefinitionId(0), DefinitionId(1)];
        Hierarchy { bases: vec![(first, second)], owners: vec![(second, first)] }
    }

    /// Builds a graph of these files in one piece.
    fn of(files: &[u8]) -> GraphFile {
        let (mut base, mut links) = (PieceWriter::default(), LinksWriter::default());
        for &at in files {
            add(&mut base, at);
            links.add_from_base(&base, base.file_count() - 1);
        }
        GraphFile::new(
            file(&base.finish().sections()),
            None,
            file(&links.finish(&edges(), mail(), &[], &hierarchy()).sections()),
        )
        .expect("a graph")
    }

    fn callees(graph: &GraphFile, id: DefinitionId) -> Vec<DefinitionId> {
        graph.calls(id).iter().map(|call| call.callee).collect()
    }

    #[test]
    fn sections_round_trip_by_name() {
        let graph = of(&[1, 2]);
        let [a, b] = [FileId(0), FileId(1)];
        assert_eq!([a, b].map(|file| graph.path(file)), ["a.txt", "b.txt"]);
        assert_eq!([a, b].map(|file| graph.language(file)), [None, Some(6)]);
        assert_eq!([a, b].map(|file| graph.file(file).lines), [2, 1]);
        assert_eq!([a, b].map(|file| graph.line_ends(file)), [&[11; 3], &[12; 3]]);
        assert_eq!([a, b].map(|file| graph.skeleton(file)), [&[21; 4], &[22; 4]]);
        assert_eq!([a, b].map(|file| graph.words(file)), [&[41; 5], &[42; 5]]);
        assert_eq!([a, b].map(|file| graph.syntax(file)), [[51; 6], [52; 6]]);
        assert_eq!([a, b].map(|file| graph.facts(file).definition_count()), [2, 2]);
        assert_eq!([a, b].map(|file| graph.blocks_of(file)), [0..2, 2..4]);
        assert_eq!([a, b].map(|file| graph.mail(file)), [&[70; 3], &[71; 3]]);
        let postings = |file| graph.postings_of(file).flatten().copied().collect::<Vec<_>>();
        assert_eq!([a, b].map(postings), [[31; 2], [32; 2]]);
        let words = graph.definition_ids().map(|id| graph.lengths(id)[Field::Strings as usize]);
        assert_eq!(words.collect::<Vec<_>>(), [0, 2, 0, 2]);
        let [first, second] = [DefinitionId(0), DefinitionId(1)];
        assert_eq!([first, second].map(|id| callees(&graph, id)), [vec![second], vec![first, second]]);
        assert_eq!([first, second].map(|id| graph.callers(id)), [&[second][..], &[first, second]]);
        let ids = |ids: &mut dyn Iterator<Item = DefinitionId>| ids.collect::<Vec<_>>();
        assert_eq!([first, second].map(|id| ids(&mut graph.bases(id))), [vec![second], vec![]]);
        assert_eq!([first, second].map(|id| ids(&mut graph.derived(id))), [vec![], vec![first]]);
        assert_eq!([first, second].map(|id| graph.owner(id)), [first, first]);
        assert_eq!([first, second].map(|id| ids(&mut graph.owned(id))), [vec![second], vec![]]);
        let found =
            graph.postings("txt").into_iter().map(|posting| (posting.definition.0, posting.field, posting.count));
        assert_eq!(found.collect::<Vec<_>>(), [0, 1, 2, 3].map(|id| (id, Field::Path, 1)));
        assert_eq!(graph.postings("three").len() + graph.postings("five").len(), 1);
        let call = graph.calls(first)[0];
        assert_eq!((call.site, call.line, call.reason()), (8, 9, CallReason::Import));
    }

    /// Prints everything that a graph can return.
    fn dump(graph: &GraphFile) -> Vec<String> {
        let definition = |id| {
            let (row, file) = (graph.definition(id), graph.definition(id).file);
            let names = [graph.name(id), graph.qualified_name(id), graph.signature(id), graph.doc(id)];
            let (local, calls, callers) = (graph.local(id), callees(graph, id), graph.callers(id));
            format!("{id:?} {file:?} {row:?} {local:?} {names:?} {:?} {calls:?} {callers:?}", graph.lengths(id))
        };
        let file = |file| {
            let (row, bytes) = (graph.file(file), [graph.line_ends(file), graph.skeleton(file), graph.words(file)]);
            let postings: Vec<&[u32]> = graph.postings_of(file).collect();
            let blocks = (graph.blocks_of(file), postings, graph.language(file));
            let counts = (row.first_definition, row.lines, row.first_block, row.functions);
            let rows: Vec<FileId> = graph.rows_of(file).map(|row| row.file).collect();
            let facts = (graph.syntax(file), graph.facts(file));
            format!("{} {counts:?} {bytes:?} {blocks:?} {rows:?} {facts:?}", graph.path(file))
        };
        let names = ["", "a", "one"].map(|name| format!("{name:?} {:?}", graph.named(name)));
        let term = |term: &&str| format!("{term} {:?}", graph.postings(term));
        let terms = ["txt", "one", "two", "three", "four", "five", "six"];
        let all = graph.definition_ids().map(definition).chain(graph.file_ids().map(file));
        all.chain(terms.iter().map(term)).chain(names).collect()
    }

    /// Removes the string offsets of rows: they depend on the piece, not on the content.
    fn without_places(mut dump: Vec<String>) -> Vec<String> {
        for line in &mut dump {
            for field in ["name: ", "qualified_name: ", "signature: ", "doc: "] {
                while let Some(start) = line.find(field) {
                    let end = line[start..].find(']').map_or(line.len(), |end| start + end + 1);
                    line.replace_range(start..end, "");
                }
            }
        }
        dump
    }

    #[test]
    fn base_and_overlay_read_as_one_index() {
        for (base, overlay) in
            [(vec![1, 3], vec![2]), (vec![1, 2, 3], vec![2]), (vec![2, 3], vec![1]), (vec![1, 2, 3], vec![])]
        {
            let (old, mut changed, mut links) = (of(&base), PieceWriter::default(), LinksWriter::default());
            for at in 1..=3 {
                match base.iter().position(|&file| file == at).filter(|_| !overlay.contains(&at)) {
                    Some(number) => links.add_from_shared_base(&old, FileId::new(number)),
                    None => {
                        add(&mut changed, at);
                        links.add_from_overlay(&changed, changed.file_count() - 1);
                    }
                }
            }
            let GraphFile { base: piece, .. } = old;
            let overlay = (!overlay.is_empty()).then(|| file(&changed.finish().sections()));
            let joined = GraphFile::new(
                piece.sections,
                overlay,
                file(&links.finish(&edges(), mail(), &[], &hierarchy()).sections()),
            )
            .expect("a graph");
            assert_eq!(without_places(dump(&joined)), without_places(dump(&of(&[1, 2, 3]))), "{base:?} and an overlay");
            let mut copied = PieceWriter::default();
            joined.file_ids().for_each(|file| copied.copy(&joined, file));
            let rebuilt = || {
                let mut rebuilt = PieceWriter::default();
                (1..=3).for_each(|at| add(&mut rebuilt, at));
                rebuilt
            };
            let (mut again, written) = (PieceWriter::default(), rebuilt().finish().in_memory().expect("memory"));
            (0..3).for_each(|number| again.copy_written(&written, number));
            let rebuilt = rebuilt();
            let [copied, again, rebuilt] = [copied, again, rebuilt].map(|piece| {
                let mut bytes = Vec::new();
                piece.finish().sections().write(&mut bytes).expect("written");
                bytes
            });
            assert_eq!(copied, rebuilt, "written again as one piece");
            assert_eq!(again, rebuilt, "written again from memory");
        }
    }

    #[test]
    fn removed_file_leaves_no_gap() {
        let (old, mut links) = (of(&[1, 2, 3]), LinksWriter::default());
        [FileId(0), FileId(2)].iter().for_each(|&file| links.add_from_shared_base(&old, file));
        let GraphFile { base, .. } = old;
        let joined =
            GraphFile::new(base.sections, None, file(&links.finish(&edges(), mail(), &[], &hierarchy()).sections()))
                .expect("a graph");
        assert_eq!(without_places(dump(&joined)), without_places(dump(&of(&[1, 3]))));
    }
}
