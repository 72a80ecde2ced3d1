//! The model that the user chose: its name and digest at once, the model itself when a text is first embedded, because
//! an index that is fresh needs no more than to know that its vectors are of this model.

use super::{Embedder, Hashed, runtime};
use crate::error::{Error, Kind, Result};
use std::path::PathBuf;
use std::sync::OnceLock;

/// What the user asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The name of a fastembed model, or a directory.
    pub model: String,
    /// The ONNX Runtime library; where the system finds it if none.
    pub ort_dylib: Option<PathBuf>,
    /// Where downloaded models are kept.
    pub downloads: PathBuf,
    /// Whether a download shows how far it is.
    pub progress: bool,
}

/// The chosen model.
pub struct EmbedModel {
    choice: Choice,
    digest: u128,
    embedder: OnceLock<Box<dyn Embedder>>,
}

impl EmbedModel {
    /// Looks the model up; a named one is downloaded now if it is not here yet.
    ///
    /// # Errors
    /// When there is no such model, a file of it is missing, or this build has no runtime for it.
    pub fn find(choice: &Choice) -> Result<Self> {
        let digest = match Hashed::named(&choice.model) {
            Some(_) => xxhash_rust::xxh3::xxh3_128(choice.model.as_bytes()),
            None => runtime::digest(choice)?,
        };
        Ok(Self { choice: choice.clone(), digest, embedder: OnceLock::new() })
    }

    /// What the user calls it.
    pub fn name(&self) -> &str {
        &self.choice.model
    }

    /// A digest of what decides its vectors: equal digests, equal vectors.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// How many numbers each vector has. Loads the model.
    ///
    /// # Errors
    /// When it does not load.
    pub fn dimensions(&self) -> Result<usize> {
        self.embedder().map(Embedder::dimensions)
    }

    /// Unit vectors of texts; of a text in which the model sees nothing, zeros.
    ///
    /// # Errors
    /// When the model does not load, its runtime fails, or its vectors have not all one length.
    pub fn embed(&self, texts: &[&str], as_question: bool) -> Result<Vec<Vec<f32>>> {
        let embedder = self.embedder()?;
        let mut vectors = embedder.embed(texts, as_question)?;
        let sound = |vector: &Vec<f32>| vector.len() == embedder.dimensions() && vector.iter().all(|x| x.is_finite());
        if vectors.len() != texts.len() || !vectors.iter().all(sound) {
            let what = format!("{} does not give {} finite numbers a text", self.name(), embedder.dimensions());
            return Err(Error::new(Kind::Model, what, "check how the model was written, or choose another"));
        }
        vectors.iter_mut().for_each(|vector| to_unit(vector));
        Ok(vectors)
    }

    fn embedder(&self) -> Result<&dyn Embedder> {
        if let Some(embedder) = self.embedder.get() {
            return Ok(&**embedder);
        }
        let loaded: Box<dyn Embedder> = match Hashed::named(&self.choice.model) {
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
