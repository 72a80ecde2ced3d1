//! The embedding model that the user chose.
//!
//! The name and digest of the model are known immediately. The model itself is loaded when an input
//! is first embedded, because if an index is up to date, it is sufficient to know that this model
//! computed its vectors.

use super::{Embedder, HashedEmbedder, runtime};
use std::path::PathBuf;
use std::sync::OnceLock;
use whichfn_system::error::{Error, Kind, Result};

/// The user's choice of an embedding model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Name of a fastembed model, or path of a model directory.
    pub model: String,
    /// Path of the ONNX Runtime library, or `None` for the system's search path.
    pub ort_dylib: Option<PathBuf>,
    /// Directory for downloaded models.
    pub downloads: PathBuf,
    /// True to show the progress of a download.
    pub progress: bool,
}

/// The chosen model, loaded on first use.
pub struct EmbedModel {
    choice: Choice,
    digest: u128,
    embedder: OnceLock<Box<dyn Embedder>>,
}

impl EmbedModel {
    /// Finds the model, and downloads it if it is a named model that was not downloaded before.
    ///
    /// # Errors
    /// Returns an error if the model does not exist, if one of its files is missing, or if this
    /// build has no runtime for it.
    pub fn find(choice: &Choice) -> Result<Self> {
        let digest = match HashedEmbedder::named(&choice.model) {
            Some(_) => xxhash_rust::xxh3::xxh3_128(choice.model.as_bytes()),
            None => runtime::digest(choice)?,
        };
        Ok(Self { choice: choice.clone(), digest, embedder: OnceLock::new() })
    }

    /// Returns the name that the user chose.
    pub fn name(&self) -> &str {
        &self.choice.model
    }

    /// Returns a digest of everything that affects the vectors. Models with equal digests compute
    /// equal vectors.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// Returns the number of dimensions of the model's vectors. Loads the model if necessary.
    ///
    /// # Errors
    /// Returns an error if the model cannot be loaded.
    pub fn dimensions(&self) -> Result<usize> {
        self.embedder().map(Embedder::dimensions)
    }

    /// Embeds inputs as unit vectors. If the model finds nothing in an input, its vector is all
    /// zeros.
    ///
    /// # Errors
    /// Returns an error if the model cannot be loaded, if its runtime fails, or if its vectors do
    /// not all have the same length.
    pub fn embed(&self, texts: &[&str], as_question: bool) -> Result<Vec<Vec<f32>>> {
        let embedder = self.embedder()?;
        let mut vectors = embedder.embed(texts, as_question)?;
        let sound = |vector: &Vec<f32>| vector.len() == embedder.dimensions() && vector.iter().all(|x| x.is_finite());
        if vectors.len() != texts.len() || !vectors.iter().all(sound) {
            let what = format!("{} does not return {} finite numbers per input", self.name(), embedder.dimensions());
            return Err(Error::new(Kind::Model, what, "check how the model was exported, or use a different model"));
        }
        vectors.iter_mut().for_each(|vector| to_unit(vector));
        Ok(vectors)
    }

    fn embedder(&self) -> Result<&dyn Embedder> {
        if let Some(embedder) = self.embedder.get() {
            return Ok(&**embedder);
        }
        let loaded: Box<dyn Embedder> = match HashedEmbedder::named(&self.choice.model) {
            Some(hashed) => Box::new(hashed),
            None => runtime::load(&self.choice)?,
        };
        Ok(&**self.embedder.get_or_init(|| loaded))
    }
}

fn to_unit(vector: &mut [f32]) {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|x| *x /= length);
    }
}
