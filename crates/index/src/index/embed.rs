//! Computes the vectors of the functions of a fresh index. Only functions of files whose content
//! has no vectors yet are embedded: after a first run the changed files, after a change of the
//! model all files; the rest of the index stays as it is.
//!
//! The model reads a function's name in words, then its source: head, documentation and body
//! unmodified, up to [`MAX_BYTES`]. The path and the words of callers are left out on purpose,
//! because other signals already use them.
//!
//! **Cost:** the model's. Finished vectors are therefore saved every [`SAVE_INTERVAL`], so that an
//! interrupted run continues from there.

use super::lock::lock;
use super::progress::Progress;
use crate::embed::EmbedModel;
use crate::store::{
    EmbeddingKey, Embeddings, FileEmbeddings, Freshness, Generation, GraphFile, Layout, embedding_key,
    embeddings_bytes, made_by,
};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::time::{Duration, Instant};
use whichfn_scan::read;
use whichfn_syntax::ids::{DefinitionId, FileId};
use whichfn_system::error::{Error, Kind, Remedy, Result};
use whichfn_text::split_identifier;

/// Version of the text that is given to the model for a function.
const TEXT_VERSION: u32 = 1;
/// Maximum number of bytes of a function's source that the model reads; about 250 tokens.
const MAX_BYTES: usize = 1000;
/// Time between two saves of the finished vectors.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// Returns the vectors that are stored with an index, if this model made them.
pub fn embedded_by(model: &EmbedModel, generation: &Generation) -> Option<Embeddings> {
    generation.stored_embeddings().filter(|found| found.is_made_by(made_by(model.digest(), TEXT_VERSION)))
}

/// Opens an index with its vectors, and returns the number of functions that were embedded for
/// that; `force` computes all of them again.
///
/// # Errors
/// Returns an error if the model does not run or the disk refuses a write.
pub fn embed(
    root: &Path,
    layout: &Layout,
    mut generation: Generation,
    model: &EmbedModel,
    force: bool,
    progress: &dyn Progress,
) -> Result<(Generation, usize)> {
    generation.embeddings =
        embedded_by(model, &generation).filter(|found| !force && found.is_complete(&generation.manifest));
    if generation.embeddings.is_some() {
        return Ok((generation, 0));
    }
    let _writing = lock(layout, progress, false)?;
    let mut generation = newest(layout, generation)?;
    let previous = embedded_by(model, &generation).filter(|_| !force);
    let done = EmbeddingWork::new(root, &generation, model, previous, progress).run()?;
    generation.embeddings = embedded_by(model, &generation);
    if generation.embeddings.is_none() {
        return Err(Error::new(Kind::Index, "the embeddings cannot be read back", Remedy::CheckDisk));
    }
    Ok((generation, done))
}

/// Returns the current generation. The previous owner of the lock may have published another one,
/// which replaces `generation`.
fn newest(layout: &Layout, generation: Generation) -> Result<Generation> {
    if layout.current().as_deref() == Some(generation.folder()) {
        return Ok(generation);
    }
    let moved = |_: Freshness| {
        Error::new(Kind::Index, "the index changed while functions were being embedded", "run the command again")
    };
    Generation::open(layout, &generation.manifest.fingerprint).map_err(moved)
}

/// The files of an index, with their vectors as far as they are known.
struct EmbeddingWork<'a> {
    root: &'a Path,
    generation: &'a Generation,
    model: &'a EmbedModel,
    progress: &'a dyn Progress,
    files: Vec<(EmbeddingKey, Option<FileEmbeddings>)>,
    /// Number of dimensions of each vector; 0 before the first.
    dimensions: usize,
}

impl<'a> EmbeddingWork<'a> {
    /// Starts with the vectors that can be reused from previous ones of the same model.
    fn new(
        root: &'a Path,
        generation: &'a Generation,
        model: &'a EmbedModel,
        previous: Option<Embeddings>,
        progress: &'a dyn Progress,
    ) -> Self {
        let known: FxHashMap<EmbeddingKey, usize> =
            previous.iter().flat_map(|previous| previous.keys().iter().copied().zip(0..)).collect();
        let taken = |key: &EmbeddingKey| Some(previous.as_ref()?.rows(*known.get(key)?));
        let keys = generation.manifest.files.iter().map(embedding_key);
        let files = keys.map(|key| (key, taken(&key))).collect();
        let dimensions = previous.as_ref().map_or(0, Embeddings::dimensions);
        Self { root, generation, model, progress, files, dimensions }
    }

    /// Embeds the functions without vectors, and returns their number.
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

    /// Returns the vectors of a file; `None` if it changed since it was indexed.
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

/// Returns the text of a function that the model reads.
fn text_of(graph: &GraphFile, id: DefinitionId, text: &str) -> String {
    let row = graph.definition(id);
    let source = text.get(row.start_byte as usize..row.end_byte as usize).unwrap_or_default();
    let names = graph.qualified_name(id).split(|c: char| !c.is_alphanumeric() && c != '_');
    let names: Vec<String> = names.flat_map(split_identifier).collect();
    let end = source.char_indices().map(|(at, _)| at).find(|&at| at >= MAX_BYTES).unwrap_or(source.len());
    format!("{}\n{}", names.join(" "), &source[..end])
}
