//! The vectors of a fresh index's functions. Only functions of files whose content has none yet are embedded: after a
//! first run that is what changed, after another model was chosen all of them; the rest of the index stays as it is.
//!
//! A model reads a function's name in words, then its source: head, documentation and body as they stand, up to
//! [`MOST_BYTES`]. Left out on purpose: the path and the words of callers, which the other signals have already.
//!
//! Price: the model's. So what is done is kept every [`SAVE_INTERVAL`]: who loses patience goes on later from there.

use super::progress::Progress;
use super::waiting::lock;
use crate::embed::EmbedModel;
use crate::error::{Error, Kind, Remedy, Result};
use crate::ids::{DefinitionId, FileId};
use crate::scan::read;
use crate::store::{
    EmbeddingKey, Embeddings, FileEmbeddings, Freshness, Generation, GraphFile, Layout, embedding_key,
    embeddings_bytes, made_by,
};
use crate::text::split_identifier;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Changes when a function is given to the model as another text.
const TEXT_VERSION: u32 = 1;
/// Bytes of a function's source that the model reads at most; about 250 tokens.
const MOST_BYTES: usize = 1000;
/// How often what is done is kept.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// The vectors that lie with an index, if this model made them.
pub fn embedded_by(model: &EmbedModel, generation: &Generation) -> Option<Embeddings> {
    generation.stored_embeddings().filter(|found| found.is_made_by(made_by(model.digest(), TEXT_VERSION)))
}

/// Opens an index with its vectors, and says how many functions were embedded for that; `force` makes all of them anew.
///
/// # Errors
/// When the model does not run or the disk refuses.
pub fn embed(
    root: &Path,
    layout: &Layout,
    mut generation: Generation,
    model: &EmbedModel,
    force: bool,
    progress: &dyn Progress,
) -> Result<(Generation, usize)> {
    generation.embeddings =
        embedded_by(model, &generation).filter(|found| !force && found.is_whole(&generation.manifest));
    if generation.embeddings.is_some() {
        return Ok((generation, 0));
    }
    let _writing = lock(layout, progress, false)?;
    let mut generation = newest(layout, generation)?;
    let former = embedded_by(model, &generation).filter(|_| !force);
    let done = Work::new(root, &generation, model, former, progress).run()?;
    generation.embeddings = embedded_by(model, &generation);
    if generation.embeddings.is_none() {
        return Err(Error::new(Kind::Index, "the embeddings cannot be read back", Remedy::CheckDisk));
    }
    Ok((generation, done))
}

/// Whoever had the lock before may have published another generation; ours is gone then.
fn newest(layout: &Layout, generation: Generation) -> Result<Generation> {
    if layout.current().as_deref() == Some(generation.folder()) {
        return Ok(generation);
    }
    let moved =
        |_: Freshness| Error::new(Kind::Index, "the index changed while functions were to be embedded", "ask again");
    Generation::open(layout, &generation.manifest.fingerprint).map_err(moved)
}

/// The files of an index, with vectors or still without.
struct Work<'a> {
    root: &'a Path,
    generation: &'a Generation,
    model: &'a EmbedModel,
    progress: &'a dyn Progress,
    files: Vec<(EmbeddingKey, Option<FileEmbeddings>)>,
    /// How many numbers each vector has; 0 before the first.
    dimensions: usize,
}

impl<'a> Work<'a> {
    /// With what can be taken over from former vectors of the same model.
    fn new(
        root: &'a Path,
        generation: &'a Generation,
        model: &'a EmbedModel,
        former: Option<Embeddings>,
        progress: &'a dyn Progress,
    ) -> Self {
        let known: FxHashMap<EmbeddingKey, usize> =
            former.iter().flat_map(|former| former.keys().iter().copied().zip(0..)).collect();
        let taken = |key: &EmbeddingKey| Some(former.as_ref()?.rows(*known.get(key)?));
        let keys = generation.manifest.files.iter().map(embedding_key);
        let files = keys.map(|key| (key, taken(&key))).collect();
        let dimensions = former.as_ref().map_or(0, Embeddings::dimensions);
        Self { root, generation, model, progress, files, dimensions }
    }

    /// Embeds what is missing; says how many functions that were.
    fn run(&mut self) -> Result<usize> {
        let graph = &self.generation.graph;
        let missing: Vec<usize> = (0..self.files.len()).filter(|&file| self.files[file].1.is_none()).collect();
        let total: usize = missing.iter().map(|&file| graph.functions_of(FileId::new(file)).count()).sum();
        let (mut done, mut saved) = (0, Instant::now());
        for file in missing {
            self.files[file].1 = self.rows(FileId::new(file), &mut done, total)?;
            if saved.elapsed() > SAVE_INTERVAL {
                self.save()?;
                saved = Instant::now();
            }
        }
        self.save()?;
        Ok(done)
    }

    /// The vectors of a file; none if it changed since it was indexed.
    fn rows(&mut self, file: FileId, done: &mut usize, total: usize) -> Result<Option<FileEmbeddings>> {
        let (graph, record) = (&self.generation.graph, &self.generation.manifest.files[file.index()]);
        let mut rows = FileEmbeddings::default();
        if graph.functions_of(file).next().is_none() {
            return Ok(Some(rows));
        }
        let text = match read(self.root, &record.path)? {
            Ok(text) if text.hash == record.hash => text.text,
            _ => return Ok(None),
        };
        for id in graph.functions_of(file) {
            let vectors = self.model.embed(&[&text_of(graph, id, &text)], false)?;
            let vector = vectors.first().map(Vec::as_slice).unwrap_or_default();
            self.dimensions = vector.len();
            rows.push(vector);
            *done += 1;
            self.progress.embedded(*done, total);
        }
        Ok(Some(rows))
    }

    fn save(&self) -> Result<()> {
        let made_by = made_by(self.model.digest(), TEXT_VERSION);
        let bytes = embeddings_bytes(made_by, self.model.name(), self.dimensions, &self.files);
        self.generation.write_embeddings(&bytes)
    }
}

/// What the model reads of a function.
fn text_of(graph: &GraphFile, id: DefinitionId, text: &str) -> String {
    let row = graph.definition(id);
    let source = text.get(row.start_byte as usize..row.end_byte as usize).unwrap_or_default();
    let names = graph.qualified_name(id).split(|c: char| !c.is_alphanumeric() && c != '_');
    let names: Vec<String> = names.flat_map(split_identifier).collect();
    let end = source.char_indices().map(|(at, _)| at).find(|&at| at >= MOST_BYTES).unwrap_or(source.len());
    format!("{}\n{}", names.join(" "), &source[..end])
}
