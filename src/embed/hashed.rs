//! A stand-in for a model: the hashes of a text's words, added up. It knows nothing of meaning.
//!
//! It is here for tests, which run where no model and no ONNX Runtime is: the same text gives the same vector on every
//! machine, and texts that share words are near each other. `--embed test:hash` reaches it in every build, and each longer
//! name (`test:hash-two`) is another model; the help and the README do not name it, because nobody who asks questions
//! wants it.

use super::Embedder;
use crate::error::Result;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// What its name begins with.
pub const HASHED: &str = "test:hash";
/// Enough that few words of a small repository point the same way.
const DIMENSIONS: usize = 64;

/// The stand-in of some name.
pub struct Hashed {
    name: String,
}

impl Hashed {
    /// None if the name is not one of its names.
    pub fn named(name: &str) -> Option<Self> {
        name.starts_with(HASHED).then(|| Self { name: name.to_owned() })
    }

    /// Each word adds 1 or -1 to every number, as the bits of its hash say.
    fn one(&self, text: &str) -> Vec<f32> {
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

impl Embedder for Hashed {
    fn name(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed(&self, texts: &[&str], _: bool) -> Result<Vec<Vec<f32>>> {
        Ok(texts.iter().map(|text| self.one(text)).collect())
    }
}
