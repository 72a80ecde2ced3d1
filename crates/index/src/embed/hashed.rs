//! A substitute for an embedding model, which sums the hashes of an input's words. It has no notion
//! of meaning.
//!
//! It exists for tests, which run without a model and without ONNX Runtime. The same input gives
//! the same vector on every machine, and inputs that share words have similar vectors.
//! `--embed test:hash` selects it in every build, and each longer name (`test:hash-two`) counts as
//! a different model. The help text and the README do not mention it, because it is useless for
//! real questions.

use super::Embedder;
use whichfn_system::error::Result;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// Prefix that the names of all substitute models have.
pub const HASHED: &str = "test:hash";
/// Number of dimensions of each vector. There are enough dimensions that few words in a small
/// repository have similar vectors.
const DIMENSIONS: usize = 64;

/// A substitute model with a given name.
pub struct HashedEmbedder {
    name: String,
}

impl HashedEmbedder {
    /// Creates the model with the given name, or returns `None` if the name does not begin with
    /// [`HASHED`].
    pub fn named(name: &str) -> Option<Self> {
        name.starts_with(HASHED).then(|| Self { name: name.to_owned() })
    }

    /// Computes the vector of an input. Each word adds 1 or -1 to each dimension, depending on the
    /// bits of its hash.
    fn embed_one(&self, text: &str) -> Vec<f32> {
        let seed = xxh3_64(self.name.as_bytes());
        let mut sums = vec![0.0; DIMENSIONS];
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            let hash = xxh3_64_with_seed(word.to_lowercase().as_bytes(), seed);
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum += if hash >> at & 1 == 1 { 1.0 } else { -1.0 };
            }
        }
        sums
    }
}

impl Embedder for HashedEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, texts: &[&str], _: bool) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }
}
