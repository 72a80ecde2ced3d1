//! Computes the vectors of the functions in an index that is up to date. Only functions in files
//! without vectors for their current content are embedded: all files in the first run or after the
//! model changed, and otherwise the changed files. The rest of the index does not change.
//!
//! The model reads the words of a function's name, followed by its unmodified source (header,
//! documentation and body), up to [`MAX_BYTES`]. The path and the words of callers are omitted on
//! purpose, because other signals already use them.
//!
//! **Cost:** nearly all the time is spent in the model. Therefore, finished vectors are saved every
//! [`SAVE_INTERVAL`], and an interrupted run continues from the last save.

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

/// Version of the text that describes a function to the model.
const TEXT_VERSION: u32 = 1;
/// Maximum number of bytes of a function's source that the model reads, which is about 250 tokens.
const MAX_BYTES: usize = 1000;
/// Time between two saves of the finished vectors.
const SAVE_INTERVAL: Duration = Duration::from_secs(30);

/// Returns the vectors that are stored with an index, or `None` if the model did not compute them.
pub fn embedded_by(model: &EmbedModel, generation: &Generation) -> Option<Embeddings> {
    generation.stored_embeddings().filter(|found| found.is_made_by(made_by(model.digest(), TEXT_VERSION)))
}

/// Returns an index together with its vectors, and the number of functions that were newly
/// embedded. If `force` is true, all functions are embedded again.
///
/// # Errors
/// Returns an error if the model cannot run, or if the vectors cannot be written.
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
        return Err(Error::new(Kind::Index, "cannot read the embeddings that were just written", Remedy::CheckDisk));
    }
    Ok((generation, done))
}

/// Returns the current generation. The previous owner of the lock may have published a newer one
/// than `generation`.
fn newest(layout: &Layout, generation: Generation) -> Result<Generation> {
    if layout.current().as_deref() == Some(generation.folder()) {
        return Ok(generation);
    }
    let moved = |_: Freshness| {
        Error::new(Kind::Index, "the index changed while functions were being embedded", "run the command again")
    };
    Generation::open(layout, &generation.manifest.fingerprint).map_err(moved)
}

/// The files of an index, with the vectors that are known so far.
struct EmbeddingWork<'a> {
    root: &'a Path,
    generation: &'a Generation,
    model: &'a EmbedModel,
    progress: &'a dyn Progress,
    files: Vec<(EmbeddingKey, Option<FileEmbeddings>)>,
    /// Number of dimensions of each vector, or 0 until the first vector is known.
    dimensions: usize,
}

impl<'a> EmbeddingWork<'a> {
    /// Creates the work, and reuses vectors from earlier runs of the same model.
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

    /// Embeds the functions that have no vectors, and returns their number.
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

    /// Computes the vectors of a file's functions. Returns `None` if the file changed since it was
    /// indexed.
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

/// Returns the text that describes a function to the model.
fn text_of(graph: &GraphFile, id: DefinitionId, text: &str) -> String {
    let row = graph.definition(id);
    let source = text.get(row.start_byte as usize..row.end_byte as usize).unwrap_or_default();
    let names = graph.qualified_name(id).split(|c: char| !c.is_alphanumeric() && c != '_');
    let names: Vec<String> = names.flat_map(split_identifier).collect();
    let end = source.char_indices().map(|(at, _)| at).find(|&at| at >= MAX_BYTES).unwrap_or(source.len());
    format!("{}\n{}", names.join(" "), &source[..end])
}
