//! A model that converts texts to vectors.

use crate::config::Config;
use crate::directory::Directory;
use crate::forward::forward;
use crate::parameters::Parameters;
use crate::pooling::Pooling;
use crate::safetensors::Safetensors;
use crate::tokenizer::tokenize;
use crate::vocabulary::Vocabulary;
use rayon::prelude::*;
use std::path::Path;
use whichfn_system::error::Result;
use xxhash_rust::xxh3::Xxh3;

/// Maximum number of tokens of a text. The rest of a longer text is ignored.
const MAX_TOKENS: usize = 160;
/// Maximum number of texts that a thread computes at once. More take more memory and as long.
const MAX_BATCH: usize = 5;
const WEIGHTS: &str = "model.safetensors";
/// Version of the computation, with the maximum number of tokens. Increment it if the same model gives
/// different vectors.
const FORMAT: u64 = 1;

/// A sentence encoder. Threads can share it.
pub struct Encoder {
    name: String,
    files: Vec<String>,
    digest: u128,
    config: Config,
    pooling: Pooling,
    vocabulary: Vocabulary,
    parameters: Parameters,
}

impl Encoder {
    /// Opens the model in a directory with the layout of sentence-transformers. The weights are
    /// mapped, and read when they are first used.
    ///
    /// # Errors
    /// Returns an error of the kind [`Model`](whichfn_system::error::Kind::Model) if a file is
    /// missing, cannot be read or is damaged, or if the model is not a BERT encoder.
    pub fn open(directory: &Path) -> Result<Self> {
        let mut files = Directory::new(directory);
        let config = Config::read(&mut files)?;
        let pooling = Pooling::read(&mut files, config.hidden)?;
        let vocabulary = Vocabulary::read(&mut files, config.vocabulary)?;
        let weights = Safetensors::open(&files.file(WEIGHTS))?;
        let parameters = Parameters::find(&weights, &config)?;
        let mut digest = Xxh3::new();
        digest.update(&FORMAT.to_le_bytes());
        digest.update(&files.digest().to_le_bytes());
        weights.add_to(&mut digest);
        let name = directory.file_name().unwrap_or(directory.as_os_str()).to_string_lossy().into_owned();
        let files = files.names().iter().map(String::as_str).chain([WEIGHTS]).map(str::to_owned).collect();
        Ok(Self { name, files, digest: digest.digest128(), config, pooling, vocabulary, parameters })
    }

    /// Returns the vector of a text, of [`Self::dimensions`] numbers and of length one. Damaged
    /// weights that give no finite vector give zeros.
    pub fn encode(&self, text: &str) -> Vec<f32> {
        self.encode_batch(&[text]).remove(0)
    }

    /// Returns the vectors of texts, computed on the threads of the current rayon pool. Each is the
    /// same as from [`Self::encode`], in less time.
    pub fn encode_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let threads = rayon::current_num_threads();
        let rounds = texts.len().div_ceil(threads * MAX_BATCH).max(1);
        let size = texts.len().div_ceil(threads * rounds).max(1);
        texts.par_chunks(size).flat_map_iter(|batch| self.encode_batch(batch)).collect()
    }

    fn encode_batch(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        let ids: Vec<Vec<u32>> = texts.iter().map(|text| self.token_ids(text)).collect();
        let tokens = ids.iter().map(Vec::len).sum();
        let states = forward(&self.parameters, &self.config, &ids);
        let mut start = 0;
        let pool = |text: &Vec<u32>| {
            start += text.len();
            self.pooling.apply(&states, tokens, start - text.len()..start)
        };
        ids.iter().map(pool).collect()
    }

    /// Returns the ids of the tokens that the model reads from a text, at most the maximum number of
    /// tokens.
    pub fn token_ids(&self, text: &str) -> Vec<u32> {
        tokenize(&self.vocabulary, text, MAX_TOKENS.min(self.config.positions))
    }

    /// Returns a number that identifies the model. It covers the configuration, the tokenizer, and the name,
    /// size and a sample of each tensor.
    pub fn digest(&self) -> u128 {
        self.digest
    }

    /// Returns the number of dimensions of a vector.
    pub fn dimensions(&self) -> usize {
        self.config.hidden
    }

    /// Returns the files that the model was opened from, relative to its directory. A directory with
    /// only these files contains the same model.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Returns the name of the model's directory.
    pub fn name(&self) -> &str {
        &self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_can_share_an_encoder() {
        fn shared<T: Send + Sync>() {}
        shared::<Encoder>();
    }
}
