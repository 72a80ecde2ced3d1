//! Computes detailed statistics of an index.

use super::Engine;
use std::path::{Path, PathBuf};
use whichfn_index::index::Report;
use whichfn_index::store::{KindGroup, UnlinkedCalls};
use whichfn_scan::{Skip, hidden_texts};
use whichfn_syntax::lang::LangId;

/// Statistics of an index, shown by `status` and `index --stats`.
#[derive(Debug, Clone)]
pub struct Status {
    /// Absolute path of the repository's root.
    pub root: PathBuf,
    /// Folder within the index directory that contains this repository's index.
    pub folder: PathBuf,
    /// Size on disk of the open index generation, in bytes.
    pub bytes: u64,
    /// Number of indexed files, including plain text files.
    pub files: usize,
    /// Number of indexed functions, methods and macros.
    pub functions: usize,
    /// Number of indexed classes, structs, enums, traits, interfaces and aliases.
    pub types: usize,
    /// Total number of lines in all indexed files.
    pub lines: u64,
    /// Number of call edges. Each edge leads from a definition to a definition that it may call.
    pub calls: usize,
    /// Languages whose linking reached its step limit, each with the number of call sites without
    /// an edge; usually empty.
    pub calls_left_out: Vec<(String, usize)>,
    /// What every answer that rests on these calls states.
    pub notices: Vec<String>,
    /// Languages and their number of files, most frequent language first.
    pub languages: Vec<(String, usize)>,
    /// Reasons for skipping files, and the number of files skipped for each reason. They include the
    /// hidden text files beyond a limit.
    pub skipped: Vec<(Skip, usize)>,
    /// Paths of the skipped files, with the reasons, sorted by path.
    pub skipped_files: Vec<(String, Skip)>,
    /// Paths of the files whose syntax tree has errors. The parts that can be parsed are indexed.
    pub with_errors: Vec<String>,
    /// Name of the embedding model and number of embedded functions, or `None` if there are no
    /// embeddings.
    pub embedded: Option<(String, usize)>,
    /// Name of the installed model that reorders answers.
    pub model: Option<String>,
    /// Report of the last refresh.
    pub report: Report,
}

impl Engine {
    /// Returns detailed statistics of the index.
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
        let hidden = hidden_texts(&self.root, self.options.max_size).skipped;
        let indexed = manifest.skipped.iter().map(|file| (file.path.clone(), file.reason));
        let mut skipped_files: Vec<(String, Skip)> = indexed.chain(hidden).collect();
        skipped_files.sort();
        let count = |reason| skipped_files.iter().filter(|(_, one)| *one == reason).count();
        let skipped = Skip::ALL.map(|reason| (reason, count(reason)));
        let ids = || graph.definition_ids();
        let named =
            |one: &UnlinkedCalls| (self.registry.name(Some(LangId(one.language))).to_owned(), one.calls as usize);
        let calls_left_out = manifest.unlinked.iter().map(named).collect();
        Status {
            root: self.root.clone(),
            folder: self.layout.folder().to_owned(),
            bytes: bytes_below(self.generation.folder()),
            files: manifest.files.len(),
            functions: manifest.functions as usize,
            types: graph.count_of(KindGroup::Type),
            lines: graph.file_ids().map(|file| u64::from(graph.file(file).lines)).sum(),
            calls: ids().map(|id| graph.calls(id).len()).sum(),
            calls_left_out,
            notices: UnlinkedCalls::notices(manifest.unlinked.iter()),
            languages,
            skipped: skipped.into_iter().filter(|(_, count)| *count > 0).collect(),
            skipped_files,
            with_errors: manifest.files.iter().filter(|f| f.has_errors).map(|f| f.path.clone()).collect(),
            model: self.second_opinion.as_ref().map(|model| model.name()),
            embedded: self.generation.stored_embeddings().map(|found| (found.model().to_owned(), found.count())),
            report: self.report.clone(),
        }
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
