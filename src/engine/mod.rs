//! The whole program in a few verbs. Every face (command line, and those to come) calls this and nothing below it.

mod answer;
mod plan;

pub use plan::{Answered, HowRead, Plan, WalkTrace, Way};

use crate::answer::{IndexSummary, Relations, Resolved, relate, resolve};
use crate::context::{Completer, Context, ContextQuery, Iteration, around, context};
use crate::embed::Model;
use crate::error::{Error, Kind, Remedy, Result};
use crate::graph::{NodeKind, StructureGraph};
use crate::ids::{DefinitionId, FileId, NodeId};
use crate::index::{Options, Progress, Report, embed, embedded_by, refresh};
use crate::lang::{LangId, Registry};
use crate::llm::{self, Templates};
use crate::picture::{Drawing, Part, draw};
use crate::relation::{FragmentUnit, Fragments, structure_of};
use crate::scan::Skip;
use crate::search::{KindFilter, Searcher};
use crate::source::Sources;
use crate::store::{Fingerprint, Freshness, Generation, Layout};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Lines before and after a cursor that a model gets.
const SENT_LINES: (usize, usize) = (100, 20);

/// One repository, its index open.
pub struct Engine {
    root: PathBuf,
    registry: Registry,
    layout: Layout,
    generation: Generation,
    report: Report,
    model: Option<Model>,
}

/// A node of the structure graph as people and programs see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedNode {
    /// `directory`, `file`, or the parser's word for a syntax node.
    pub kind: String,
    /// Path from the root.
    pub path: String,
    /// First line; 0 for directories.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// The definition's name.
    pub name: Option<String>,
}

/// What an index holds, for `status` and `index --stats`.
#[derive(Debug, Clone)]
pub struct Status {
    /// The root.
    pub root: PathBuf,
    /// Where the index lies.
    pub folder: PathBuf,
    /// Bytes of it on disk.
    pub bytes: u64,
    /// Files, functions, types, lines, calls.
    pub files: usize,
    /// Functions, methods and macros.
    pub functions: usize,
    /// Classes, structs, enums, traits, interfaces, aliases.
    pub types: usize,
    /// Lines of all files.
    pub lines: u64,
    /// Call edges.
    pub calls: usize,
    /// Files by language, most first.
    pub languages: Vec<(String, usize)>,
    /// Files left out by reason.
    pub skipped: Vec<(Skip, usize)>,
    /// Files whose syntax tree has errors; what parses of them is indexed.
    pub with_errors: usize,
    /// The model and the count of embedded functions, if any are.
    pub embedded: Option<(String, usize)>,
    /// What the last refresh did.
    pub report: Report,
}

impl Engine {
    /// Opens the index of `root` below `index_dir`, built or refreshed as needed.
    ///
    /// # Errors
    /// When the root cannot be read or the index cannot be written.
    pub fn open(root: &Path, index_dir: &Path, options: &Options, progress: &dyn Progress) -> Result<Self> {
        let registry = Registry::builtin()?;
        let layout = Layout::new(index_dir, root);
        // A model that cannot be had is said before anything is built.
        let model = options.embed.as_ref().map(Model::find).transpose()?;
        let started = Instant::now();
        let (mut generation, mut report) = refresh(root, &layout, &registry, options, progress)?;
        if let Some(model) = &model {
            (generation, report.embedded) = embed(root, &layout, generation, model, options.force, progress)?;
            report.took = started.elapsed();
        }
        Ok(Self { root: root.to_owned(), registry, layout, generation, report, model })
    }

    /// Opens the index as it is, without looking at the sources (`--no-update`).
    ///
    /// # Errors
    /// When there is no index yet, or it cannot be used.
    pub fn open_stale(root: &Path, index_dir: &Path, options: &Options) -> Result<Self> {
        let registry = Registry::builtin()?;
        let layout = Layout::new(index_dir, root);
        let model = options.embed.as_ref().map(Model::find).transpose()?;
        let mut generation = Generation::open(&layout, &Fingerprint::new(registry.digest(), options.max_size))
            .map_err(|why| {
                let what = match why {
                    Freshness::Missing => format!("{} has no index yet", root.display()),
                    Freshness::Fingerprint => {
                        format!("the index of {} was made by another version or with other settings", root.display())
                    }
                    _ => format!("the index of {} is damaged", root.display()),
                };
                Error::new(Kind::Index, what, Remedy::RefreshIndex)
            })?;
        if let Some(model) = &model {
            let embeddings = embedded_by(model, &generation).ok_or_else(|| {
                let what = format!("the index of {} has no embeddings by {}", root.display(), model.name());
                Error::new(Kind::Index, what, Remedy::EmbedIndex)
            })?;
            generation.embeddings = Some(embeddings);
        }
        Ok(Self { root: root.to_owned(), registry, layout, generation, report: Report::default(), model })
    }

    /// What a definition is related to most.
    pub fn relate(&self, of: DefinitionId, kind: KindFilter, k: usize) -> Relations {
        relate(&self.generation.graph, of, kind, k)
    }

    /// What to put before a completion.
    ///
    /// # Errors
    /// When the file cannot be read, or the cursor lies past its end.
    pub fn context(&self, query: &ContextQuery) -> Result<Context> {
        context(&self.sources(), query)
    }

    /// What to put before a completion, looked for `times` times: from the second time on with what a model completes.
    /// The model sees fragments of the index and the code around the cursor, nothing else.
    ///
    /// # Errors
    /// As [`Self::context`]; when the file of the cursor is not in the index, because it may be ignored for what it
    /// holds; and when the model fails.
    pub fn context_with(
        &self,
        query: &ContextQuery,
        times: usize,
        model: &dyn llm::Model,
        templates: &Templates,
    ) -> Result<(Context, Vec<Iteration>)> {
        let sources = self.sources();
        sources.may_be_sent(&query.file)?;
        let cursor = around(&sources, query, SENT_LINES)?;
        let completer = Completer { model, templates, cursor: &cursor, comment: self.line_comment(&query.file) };
        completer
            .iterate(times, query.draft.clone(), |draft| context(&sources, &ContextQuery { draft, ..query.clone() }))
    }

    /// The texts of the repository's files.
    fn sources(&self) -> Sources<'_> {
        Sources::new(&self.root, &self.generation.graph)
    }

    /// A searcher over this index, for programs that measure it.
    ///
    /// # Errors
    /// When the index does not read.
    pub fn searcher(&self) -> Result<Searcher<'_>> {
        Searcher::new(&self.generation, &self.registry)
    }

    /// What the index holds, in short.
    pub fn summary(&self) -> IndexSummary {
        IndexSummary {
            files: self.generation.manifest.files.len(),
            functions: self.generation.manifest.functions as usize,
            skipped: self.generation.manifest.skipped.len(),
            refreshed_files: self.report.parsed,
            ms: self.report.took.as_secs_f64() * 1e3,
        }
    }

    /// What the index holds, at length.
    pub fn status(&self) -> Status {
        let (graph, manifest) = (&self.generation.graph, &self.generation.manifest);
        let mut languages: Vec<(String, usize)> = Vec::new();
        for file in &manifest.files {
            let name = self.registry.name(file.language.map(LangId));
            match languages.iter_mut().find(|(known, _)| known == name) {
                Some((_, count)) => *count += 1,
                None => languages.push((name.to_owned(), 1)),
            }
        }
        languages.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let skipped = Skip::ALL.map(|reason| (reason, manifest.skipped.iter().filter(|s| s.reason == reason).count()));
        let ids = || (0..graph.definitions().len()).map(crate::ids::DefinitionId::new);
        Status {
            root: self.root.clone(),
            folder: self.layout.folder().to_owned(),
            bytes: bytes_below(self.generation.folder()),
            files: manifest.files.len(),
            functions: manifest.functions as usize,
            types: graph.definitions().iter().filter(|d| d.kind().is_type()).count(),
            lines: graph.files().iter().map(|f| u64::from(f.lines)).sum(),
            calls: ids().map(|id| graph.calls(id).len()).sum(),
            languages,
            skipped: skipped.into_iter().filter(|(_, count)| *count > 0).collect(),
            with_errors: manifest.files.iter().filter(|f| f.has_errors).count(),
            embedded: self.generation.stored_embeddings().map(|found| (found.model().to_owned(), found.count())),
            report: self.report.clone(),
        }
    }

    /// The structure graph of the repository.
    pub fn structure(&self) -> StructureGraph {
        structure_of(&self.generation.graph)
    }

    /// All fragments of a unit: functions, or windows.
    pub fn fragments(&self, unit: FragmentUnit) -> Fragments<'_> {
        Fragments::new(&self.generation.graph, unit)
    }

    /// The numbers by which JSON names fragments: functions from 0, then windows; that of the next for those that are
    /// none.
    pub fn fragment_numbers(&self, fragments: &Fragments<'_>) -> Vec<u32> {
        let functions = self.generation.graph.definitions().iter().filter(|row| row.kind().is_function()).count();
        let mut next = if fragments.unit == FragmentUnit::Window { functions as u32 } else { 0 };
        let number = |&member: &bool| {
            next += u32::from(member);
            next - u32::from(member)
        };
        fragments.members.iter().map(number).collect()
    }

    /// The structure graph, with what people and programs call its nodes.
    ///
    /// # Errors
    /// When a language's data is wrong.
    pub fn named_structure(&self) -> Result<(StructureGraph, Vec<NamedNode>)> {
        let (structure, graph) = (self.structure(), &self.generation.graph);
        let mut names: FxHashMap<NodeId, &str> = FxHashMap::default();
        for id in (0..graph.definitions().len()).map(DefinitionId::new) {
            let row = graph.definition(id);
            if row.parent != id
                && let Some(node) = structure.syntax_node((row.file, row.node))
            {
                names.entry(node).or_insert(graph.name(id));
            }
        }
        let sources = self.sources();
        let mut named = Vec::with_capacity(structure.nodes().len());
        for (number, node) in structure.nodes().iter().enumerate() {
            let (kind, path) = match node.kind {
                NodeKind::Directory(number) => ("directory", structure.directories()[number].as_str()),
                NodeKind::File(file) => ("file", graph.path(file)),
                NodeKind::Syntax(file, kind) => (self.kind_name(file, kind)?, graph.path(file)),
            };
            let (start_line, end_line) = match node.kind {
                NodeKind::Directory(_) => (0, 0),
                NodeKind::File(file) => (1, graph.files()[file.index()].lines.max(1)),
                NodeKind::Syntax(file, _) => sources.line_span(file, node.start, node.end),
            };
            let name = names.get(&NodeId::new(number)).filter(|name| !name.is_empty());
            named.push(NamedNode {
                kind: kind.to_owned(),
                path: path.to_owned(),
                start_line,
                end_line,
                name: name.map(|n| (*n).to_owned()),
            });
        }
        Ok((structure, named))
    }

    /// What a person names: `renew`, `Session.renew`, `path/file.py`, `path/file.py:42`, `path/file.py:renew`.
    pub fn resolve(&self, wanted: &str) -> Resolved {
        resolve(&self.generation.graph, wanted)
    }

    /// A part of the graph as people see it: directories, files and definitions.
    ///
    /// # Errors
    /// When a language's data is wrong.
    pub fn drawing(&self, part: Part) -> Result<Drawing> {
        draw(&self.sources(), part, |file, kind| self.kind_name(file, kind).map(str::to_owned))
    }

    fn kind_name(&self, file: FileId, kind: u16) -> Result<&str> {
        let Some(language) = self.generation.graph.language(file) else { return Ok("text") };
        Ok(self.registry.language(LangId(language))?.parser.node_kind_for_id(kind).unwrap_or("unknown"))
    }

    /// What begins a comment to the end of the line in a file of this name; `#` where its language has none.
    pub fn line_comment(&self, path: &str) -> &str {
        let name = path.rsplit('/').next().unwrap_or(path);
        let language = self.registry.detect(name).and_then(|id| self.registry.language(id).ok());
        language.map(|language| language.spec.line_comment.as_str()).filter(|mark| !mark.is_empty()).unwrap_or("#")
    }

    /// The root of the repository.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The index, for programs that measure it.
    pub fn generation(&self) -> &Generation {
        &self.generation
    }
}

fn bytes_below(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|e| match e.metadata() {
            Ok(meta) if meta.is_dir() => bytes_below(&e.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}
