//! Files to a new generation: parse what must be parsed, take over the rest, link, write.

use super::parsers::{Parsers, Tools};
use super::plan::{Plan, Step};
use super::refresh::Progress;
use crate::error::{Error, Kind, Result};
use crate::fragment::FileFragments;
use crate::graph::{CallEdge, Source, link};
use crate::ids::FileId;
use crate::lang::{DefinitionKind, LangId, Language, Registry};
use crate::parse::{Facts, Field, FieldWords, parse, plain_text};
use crate::scan::{Entry, Scan, Skip, read};
use crate::store::{
    FactsFile, FileRecord, Fingerprint, Generation, GraphWriter, Manifest, SkipRecord, TextFields, document_address,
    pack, text_failed,
};
use crate::text::file_name;
use rayon::prelude::*;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter, TantivyDocument, Term};

/// Memory of the text index writer, in bytes: a repository of a million lines fits without a flush in between.
const WRITER_MEMORY: usize = 96 << 20;
/// For a refresh of a few files, the least that the writer takes.
const REFRESH_MEMORY: usize = 16 << 20;
/// A text index of more pieces than this is merged into one.
const MOST_SEGMENTS: usize = 8;

/// A language of so many files is needed, even if some turn out to be minified or generated.
const COMMON: usize = 4;
/// What a document takes besides the text of a field, in bytes; a guess that saves moving the text.
const BYTES_BESIDE_TEXT: usize = 8;

/// What a looked-at file turned out to be.
enum Looked {
    /// Its bytes are as they were.
    Same { record: usize },
    /// To be left out.
    Skipped(Skip),
    /// New content, parsed.
    New(Box<Parsed>),
}

struct Parsed {
    hash: u128,
    language: Option<LangId>,
    facts: Facts,
    fragments: FileFragments,
    link: u64,
}

/// Everything that writing a generation needs.
pub(super) struct Build<'a> {
    pub root: &'a Path,
    pub registry: &'a Registry,
    pub fingerprint: Fingerprint,
    pub scan: &'a Scan,
    pub scanned: u64,
    pub plan: &'a Plan,
    /// The former generation, and its facts.
    pub former: Option<(&'a Generation, FactsFile)>,
    pub progress: &'a dyn Progress,
}

/// What was done.
pub(super) struct Done {
    /// Files read and parsed.
    pub parsed: usize,
    /// Nothing but times had changed: no new generation is needed, only this manifest.
    pub unchanged: Option<Manifest>,
}

impl Build<'_> {
    /// Writes a generation into `folder`.
    pub fn run(&self, folder: &Path) -> Result<Done> {
        let next_text_id = self.former.as_ref().map_or(0, |(former, _)| former.manifest.next_text_id);
        let todo: Vec<(usize, Option<usize>)> = self
            .plan
            .steps
            .iter()
            .enumerate()
            .filter_map(|(i, step)| match step {
                Step::Look(former) => Some((i, *former)),
                _ => None,
            })
            .collect();
        let text_folder = Generation::text_folder(folder);
        let (index, fields) = self.open_text(&text_folder)?;
        let memory = if self.former.is_some() { REFRESH_MEMORY } else { WRITER_MEMORY };
        let mut writer: IndexWriter =
            index.writer_with_num_threads(1, memory).map_err(|cause| text_failed("write", &cause))?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        // A writer whose thread has failed says only that much to those who add; what failed it says when asked to commit.
        let looked = self.look(&todo, next_text_id, &writer, &fields).map_err(|error| match writer.commit() {
            Err(cause) => text_failed("write", &cause),
            Ok(_) => error,
        })?;
        tracing::debug!(files = todo.len(), "parsed");
        if self.only_times_changed(&looked) {
            return Ok(Done { parsed: 0, unchanged: Some(self.manifest_with_times()) });
        }
        self.delete_former(&todo, &looked, &writer, &fields);
        let parsed = looked.iter().filter(|l| matches!(l, Looked::New(_))).count();
        // The text index commits on its own thread's time while the graph is linked.
        let (committed, written) =
            rayon::join(|| commit(writer, &index), || self.write_graph(folder, &todo, &looked, next_text_id));
        tracing::debug!("written");
        committed?;
        // What was parsed is many small pieces; they are given back while the sums are taken.
        let (sealed, ()) = rayon::join(|| Generation::seal(folder, written?), || drop(looked));
        sealed?;
        Ok(Done { parsed, unchanged: None })
    }

    fn open_text(&self, folder: &Path) -> Result<(Index, TextFields)> {
        let Some((former, _)) = &self.former else { return Generation::create_text(folder) };
        take_over(&Generation::text_folder(former.folder()), folder)?;
        Generation::open_text_at(folder)
    }

    /// Reads and parses in parallel; documents go to the text index at once, so that their words need not be kept.
    fn look(
        &self,
        todo: &[(usize, Option<usize>)],
        first_text_id: u32,
        writer: &IndexWriter,
        fields: &TextFields,
    ) -> Result<Vec<Looked>> {
        let (done, parsers) = (AtomicUsize::new(0), Parsers::default());
        let look = || {
            todo.par_iter()
                .enumerate()
                .map_init(
                    || parsers.lend(),
                    |tools, (number, &(file, former))| {
                        let entry = &self.scan.files[file];
                        let looked = self.look_at(tools, entry, former, first_text_id + number as u32, writer, fields);
                        self.progress.step(done.fetch_add(1, Ordering::Relaxed) + 1, todo.len());
                        looked
                    },
                )
                .collect()
        };
        rayon::join(|| self.compile_queries(), look).1
    }

    /// Compiles the queries that a new index surely needs while its first files are parsed, which need no query yet.
    fn compile_queries(&self) {
        if self.former.is_some() {
            return;
        }
        let mut languages: Vec<LangId> =
            self.scan.files.iter().filter_map(|entry| self.registry.detect(file_name(&entry.path))).collect();
        languages.sort_unstable();
        let common: Vec<LangId> =
            languages.chunk_by(|a, b| a == b).filter(|files| files.len() >= COMMON).map(|files| files[0]).collect();
        // What is wrong with a language is said where a file of it is parsed.
        common.par_iter().for_each(|&id| drop(self.registry.language(id).and_then(Language::query)));
    }

    fn look_at(
        &self,
        Tools { parser, numbers }: &mut Tools,
        entry: &Entry,
        former: Option<usize>,
        text_id: u32,
        writer: &IndexWriter,
        fields: &TextFields,
    ) -> Result<Looked> {
        let text = match read(&self.root.join(&entry.path)) {
            Ok(text) => text,
            Err((skip, _)) => return Ok(Looked::Skipped(skip)),
        };
        if let (Some(record), Some((generation, _))) = (former, &self.former)
            && generation.manifest.files[record].hash == text.hash
        {
            return Ok(Looked::Same { record });
        }
        let name = file_name(&entry.path);
        let language = self
            .registry
            .detect_text(name, &text.text)
            .or_else(|| self.registry.detect_shebang(text.text.lines().next().unwrap_or_default()));
        let (facts, words) = match language {
            Some(id) => match parse(parser, self.registry.language(id)?, &entry.path, &text.text)? {
                Some(parsed) => parsed,
                None => return Ok(Looked::Skipped(Skip::Unparsable)),
            },
            None => plain_text(&entry.path, &text.text, parser.stemmer()),
        };
        let fragments = FileFragments::new(&text.text, &facts, &words, parser.stemmer(), numbers);
        add_documents(writer, fields, text_id, &facts, words)?;
        let link = facts.link_digest();
        Ok(Looked::New(Box::new(Parsed { hash: text.hash, language, facts, fragments, link })))
    }

    fn only_times_changed(&self, looked: &[Looked]) -> bool {
        self.former.is_some()
            && self.plan.gone.is_empty()
            && !self.plan.skips_changed
            && looked.iter().all(|l| matches!(l, Looked::Same { .. }))
    }

    fn manifest_with_times(&self) -> Manifest {
        let Some((former, _)) = &self.former else { return self.empty_manifest() };
        let mut manifest = former.manifest.clone();
        manifest.scanned = self.scanned;
        let known: Vec<&Entry> = self
            .scan
            .files
            .iter()
            .zip(&self.plan.steps)
            .filter(|(_, s)| !matches!(s, Step::SameSkip(_)))
            .map(|(e, _)| e)
            .collect();
        for (record, entry) in manifest.files.iter_mut().zip(known) {
            (record.size, record.modified) = (entry.size, entry.modified);
        }
        manifest
    }

    fn empty_manifest(&self) -> Manifest {
        Manifest {
            fingerprint: self.fingerprint,
            root: self.root.to_string_lossy().into_owned(),
            scanned: self.scanned,
            files: Vec::new(),
            skipped: Vec::new(),
            next_text_id: 0,
            functions: 0,
            sums: Default::default(),
            text_sum: Default::default(),
        }
    }

    /// Documents of files that changed or went away leave the text index.
    fn delete_former(
        &self,
        todo: &[(usize, Option<usize>)],
        looked: &[Looked],
        writer: &IndexWriter,
        fields: &TextFields,
    ) {
        let Some((former, _)) = &self.former else { return };
        let changed = todo
            .iter()
            .zip(looked)
            .filter(|(_, l)| !matches!(l, Looked::Same { .. }))
            .filter_map(|((_, record), _)| *record);
        for record in changed.chain(self.plan.gone.iter().copied()) {
            let text_id = former.manifest.files[record].text_id;
            writer.delete_term(Term::from_field_u64(fields.file, u64::from(text_id)));
        }
    }

    fn write_graph(
        &self,
        folder: &Path,
        todo: &[(usize, Option<usize>)],
        looked: &[Looked],
        first_text_id: u32,
    ) -> Result<Manifest> {
        let mut manifest = self.empty_manifest();
        manifest.next_text_id = first_text_id + todo.len() as u32;
        let kept = self.keep(todo, looked, first_text_id, &mut manifest)?;
        // The tables are filled and the facts written while calls are resolved.
        let (edges, tables) = rayon::join(
            || match self.carried_calls(&kept, &manifest.files)? {
                Some(edges) => Ok(edges),
                None => self.link(&kept, &manifest.files),
            },
            || self.fill_tables(folder, &kept, &manifest.files),
        );
        let (edges, Tables { graph, places, facts_sum }) = (edges?, tables?);
        tracing::debug!(edges = edges.len(), "linked");
        manifest.functions = graph.functions() as u32;
        for (record, place) in manifest.files.iter_mut().zip(places) {
            record.facts = place;
        }
        manifest.sums = [Generation::write_graph(folder, &graph.finish(&edges))?, facts_sum];
        Ok(manifest)
    }

    /// All calls, resolved anew.
    fn link(&self, kept: &[Kept<'_>], records: &[FileRecord]) -> Result<Vec<CallEdge>> {
        let decoded: Vec<Option<Facts>> = kept
            .par_iter()
            .map(|file| match file.parsed {
                Some(_) => Ok(None),
                None => self.former_facts(file.former).map(Some),
            })
            .collect::<Result<_>>()?;
        let facts: Vec<&Facts> = kept
            .iter()
            .zip(&decoded)
            .filter_map(|(file, decoded)| file.parsed.map(|parsed| &parsed.facts).or(decoded.as_ref()))
            .collect();
        let sources: Vec<Source<'_>> = records
            .iter()
            .zip(&facts)
            .map(|(record, facts)| Source { path: &record.path, language: record.language.map(LangId), facts })
            .collect();
        tracing::debug!("facts ready");
        Ok(link(&sources, self.registry).1)
    }

    /// The calls of the former generation, when no change can have touched them: the same files, and in each changed
    /// one the same things for linking to see. Only the places of call sites in changed files move.
    fn carried_calls(&self, kept: &[Kept<'_>], records: &[FileRecord]) -> Result<Option<Vec<CallEdge>>> {
        let Some((former, facts)) = &self.former else { return Ok(None) };
        let old = &former.manifest.files;
        let same = |(new, old): (&FileRecord, &FileRecord)| {
            new.path == old.path && new.link == old.link && new.language == old.language
        };
        if records.len() != old.len() || !records.iter().zip(old).all(same) {
            return Ok(None);
        }
        let graph = &former.graph;
        let mut edges = Vec::new();
        for (number, file) in kept.iter().enumerate() {
            let moved = match file.parsed {
                Some(parsed) => Some((facts.read(old[number].facts)?, &parsed.facts)),
                None => None,
            };
            for caller in graph.definitions_of(FileId::new(number)) {
                for call in graph.calls(caller) {
                    let (site, line) = moved.as_ref().map_or((call.site, call.line), |(old, new)| {
                        let at = old.flow.calls.enumerate().find(|(_, c)| c.node == call.site).map(|(at, _)| at);
                        at.and_then(|at| new.flow.calls.get(at)).map_or((call.site, call.line), |c| (c.node, c.line))
                    });
                    edges.push(CallEdge { caller, callee: call.callee, site, line, reason: call.reason() });
                }
            }
        }
        edges.sort_unstable();
        Ok(Some(edges))
    }

    /// Everything of the graph but its calls, and the facts on disk.
    fn fill_tables(&self, folder: &Path, kept: &[Kept<'_>], records: &[FileRecord]) -> Result<Tables> {
        let (mut graph, mut stored) = (GraphWriter::default(), Vec::new());
        let mut places = Vec::with_capacity(kept.len());
        let packed: Vec<Option<Packed>> = kept
            .par_iter()
            .map(|file| file.parsed.map(|parsed| Packed::new(&parsed.facts)).transpose())
            .collect::<Result<_>>()?;
        for ((file, packed), record) in kept.iter().zip(&packed).zip(records) {
            let bytes = match (file.parsed.zip(packed.as_ref()), file.former, &self.former) {
                (Some((parsed, packed)), _, _) => {
                    graph.file(
                        &record.path,
                        record.language,
                        record.text_id,
                        &parsed.facts,
                        &packed.syntax,
                        &parsed.fragments,
                    );
                    &packed.facts
                }
                (None, Some(former), Some((generation, facts))) => {
                    graph.copy(&generation.graph, FileId::new(former));
                    facts.bytes(generation.manifest.files[former].facts).unwrap_or_default()
                }
                _ => return Err(neither_old_nor_new()),
            };
            places.push((stored.len() as u64, bytes.len() as u32));
            stored.extend_from_slice(bytes);
        }
        let facts_sum = Generation::write_facts(folder, &stored)?;
        Ok(Tables { graph, places, facts_sum })
    }

    /// The files of the new generation, in order of path; what is left out goes to the manifest.
    fn keep<'l>(
        &self,
        todo: &[(usize, Option<usize>)],
        looked: &'l [Looked],
        first_text_id: u32,
        manifest: &mut Manifest,
    ) -> Result<Vec<Kept<'l>>> {
        let mut kept = Vec::new();
        let mut number = 0;
        for (entry, step) in self.scan.files.iter().zip(&self.plan.steps) {
            let former = match *step {
                Step::Same(record) => Some(record),
                Step::SameSkip(record) => {
                    manifest
                        .skipped
                        .extend(self.former.as_ref().map(|(former, _)| former.manifest.skipped[record].clone()));
                    continue;
                }
                Step::Look(_) => {
                    let text_id = first_text_id + number as u32;
                    debug_assert_eq!(&self.scan.files[todo[number].0].path, &entry.path);
                    number += 1;
                    match &looked[number - 1] {
                        Looked::Same { record } => Some(*record),
                        Looked::Skipped(reason) => {
                            manifest.skipped.push(SkipRecord {
                                path: entry.path.clone(),
                                size: entry.size.max(1),
                                modified: entry.modified,
                                reason: *reason,
                            });
                            continue;
                        }
                        Looked::New(parsed) => {
                            manifest.files.push(record(entry, text_id, parsed));
                            kept.push(Kept { former: None, parsed: Some(parsed) });
                            continue;
                        }
                    }
                }
            };
            let (Some(former), Some((generation, _))) = (former, &self.former) else { continue };
            let mut record = generation.manifest.files[former].clone();
            (record.size, record.modified) = (entry.size, entry.modified);
            manifest.files.push(record);
            kept.push(Kept { former: Some(former), parsed: None });
        }
        let unopened = self.scan.skipped.iter().map(|(path, reason)| SkipRecord {
            path: path.clone(),
            size: 0,
            modified: 0,
            reason: *reason,
        });
        manifest.skipped.extend(unopened);
        manifest.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(kept)
    }

    fn former_facts(&self, record: Option<usize>) -> Result<Facts> {
        match (record, &self.former) {
            (Some(record), Some((generation, facts))) => facts.read(generation.manifest.files[record].facts),
            _ => Err(neither_old_nor_new()),
        }
    }
}

fn neither_old_nor_new() -> Error {
    Error::new(Kind::Index, "a file has neither old nor new facts", "report this")
}

/// What [`Build::fill_tables`] gives.
struct Tables {
    graph: GraphWriter,
    places: Vec<(u64, u32)>,
    facts_sum: (u64, u64),
}

/// A file's facts as they are stored. Made late: while the text index commits, which takes one thread, others are free.
struct Packed {
    facts: Vec<u8>,
    syntax: Vec<u8>,
}

impl Packed {
    fn new(facts: &Facts) -> Result<Self> {
        let stored = postcard::to_allocvec(facts).map_err(|cause| {
            Error::new(Kind::Index, format!("cannot store what a file holds: {cause}"), "report this")
        })?;
        Ok(Self { facts: pack(&stored), syntax: pack(&facts.syntax) })
    }
}

/// A file of the new generation: parsed now, or taken over.
struct Kept<'l> {
    former: Option<usize>,
    parsed: Option<&'l Parsed>,
}

fn record(entry: &Entry, text_id: u32, parsed: &Parsed) -> FileRecord {
    FileRecord {
        path: entry.path.clone(),
        size: entry.size,
        modified: entry.modified,
        hash: parsed.hash,
        language: parsed.language.map(|l| l.0),
        text_id,
        facts: (0, 0),
        link: parsed.link,
        has_errors: parsed.facts.has_errors,
    }
}

fn add_documents(
    writer: &IndexWriter,
    fields: &TextFields,
    text_id: u32,
    facts: &Facts,
    words: Vec<FieldWords>,
) -> Result<()> {
    for (number, (definition, words)) in (0..).zip(facts.definitions.iter().zip(words)) {
        if matches!(definition.kind, DefinitionKind::Anonymous | DefinitionKind::Extension) {
            continue;
        }
        let document = document(fields, text_id, number, words);
        writer.add_document(document).map_err(|cause| text_failed("write", &cause))?;
    }
    Ok(())
}

fn document(fields: &TextFields, text_id: u32, number: u32, words: FieldWords) -> TantivyDocument {
    let room: usize = words.fields.iter().map(|text| text.len() + BYTES_BESIDE_TEXT).sum();
    let mut document = TantivyDocument::with_capacity(room);
    document.add_u64(fields.address, document_address(text_id, number));
    document.add_u64(fields.file, u64::from(text_id));
    for (field, text) in Field::ALL.into_iter().zip(words.fields) {
        if !text.is_empty() {
            document.add_text(fields.text[field as usize], text);
        }
    }
    document
}

fn commit(mut writer: IndexWriter, index: &Index) -> Result<()> {
    let failed = |cause| text_failed("write", &cause);
    writer.commit().map_err(failed)?;
    tracing::debug!("text index committed");
    let segments = index.searchable_segment_ids().map_err(failed)?;
    if segments.len() > MOST_SEGMENTS {
        writer.merge(&segments).wait().map_err(failed)?;
        writer.garbage_collect_files().wait().map_err(failed)?;
    }
    writer.wait_merging_threads().map_err(failed)
}

/// The files of a text index are written once, so that a new generation may share them: by hard link, or as copies
/// where the file system has no links.
fn take_over(from: &Path, to: &Path) -> Result<()> {
    let failed = |cause: std::io::Error| Error::io(Kind::Index, "write", to, &cause);
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(|cause| Error::io(Kind::Index, "read", from, &cause))? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        // Locks are not content.
        if name.to_string_lossy().ends_with(".lock") {
            continue;
        }
        let target = to.join(&name);
        if std::fs::hard_link(entry.path(), &target).is_err() {
            std::fs::copy(entry.path(), &target).map_err(failed)?;
        }
    }
    Ok(())
}
