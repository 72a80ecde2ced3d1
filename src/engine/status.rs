//! What an index holds, at length.

use super::Engine;
use crate::index::Report;
use crate::lang::LangId;
use crate::scan::Skip;
use crate::store::KindGroup;
use std::path::{Path, PathBuf};

/// What an index holds, for `status` and `index --stats`.
#[derive(Debug, Clone)]
pub struct Status {
    /// The root of the repository, absolute.
    pub root: PathBuf,
    /// The folder of this repository below the index directory.
    pub folder: PathBuf,
    /// Bytes of the open generation on disk.
    pub bytes: u64,
    /// Files indexed, text files included.
    pub files: usize,
    /// Functions, methods and macros.
    pub functions: usize,
    /// Classes, structs, enums, traits, interfaces, aliases.
    pub types: usize,
    /// Lines of all files.
    pub lines: u64,
    /// Call edges: from a definition to one that it may call.
    pub calls: usize,
    /// Call sites that lead nowhere because linking came to the bound of its work; else 0.
    pub calls_left_out: usize,
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
        let ids = || graph.definition_ids();
        Status {
            root: self.root.clone(),
            folder: self.layout.folder().to_owned(),
            bytes: bytes_below(self.generation.folder()),
            files: manifest.files.len(),
            functions: manifest.functions as usize,
            types: graph.count_of(KindGroup::Type),
            lines: graph.file_ids().map(|file| u64::from(graph.file(file).lines)).sum(),
            calls: ids().map(|id| graph.calls(id).len()).sum(),
            calls_left_out: manifest.calls_left_out as usize,
            languages,
            skipped: skipped.into_iter().filter(|(_, count)| *count > 0).collect(),
            with_errors: manifest.files.iter().filter(|f| f.has_errors).count(),
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
