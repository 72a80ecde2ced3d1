//! Vectors that an encoder computed, in a file next to the index, by the content of the text. Questions about
//! a repository often have the same functions among their first answers.
//!
//! ```text
//! checksum of the rest, digest of the encoder, (digest of a text, vector) ...    the last used first
//! ```
//!
//! - **Invariant:** the file never changes a vector: a wrong checksum or another encoder gives an empty cache,
//!   which the next write replaces.
//! - **Cost:** at most [`MAX_BYTES`], which are read for each question and written if a text was new. If two
//!   processes write at once, the vectors of one of them are lost, and computed again when needed.

use std::path::PathBuf;
use whichfn_encoder::Encoder;
use whichfn_index::store::{Layout, write_private};
use whichfn_system::untrusted::{open_regular, read_at_most};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const FILE: &str = "vectors";
/// Maximum size of the file: 5,400 vectors with 384 dimensions.
const MAX_BYTES: usize = 8 << 20;
/// Size of a digest.
const DIGEST: usize = size_of::<u128>();

/// The stored vectors of an encoder.
pub(super) struct VectorCache {
    path: PathBuf,
    encoder: u128,
    dimensions: usize,
    /// Digests and vectors of texts, the last used first.
    rows: Vec<(u128, Vec<f32>)>,
}

impl VectorCache {
    /// Reads the vectors of an encoder from the folder of an index.
    pub fn open(layout: &Layout, encoder: &Encoder) -> Self {
        let path = layout.folder().join(FILE);
        let bytes = open_regular(&path).and_then(|file| read_at_most(file, MAX_BYTES as u64)).unwrap_or_default();
        let mut cache = Self { path, encoder: encoder.digest(), dimensions: encoder.dimensions(), rows: Vec::new() };
        cache.rows = cache.read(&bytes).unwrap_or_default();
        cache
    }

    /// Returns the vector of each text, and stores those that were not known. `compute` may stop early;
    /// the result is then `None`, and what it computed is stored.
    pub fn vectors(&mut self, texts: &[&str], compute: impl FnOnce(&[&str]) -> Vec<Vec<f32>>) -> Option<Vec<Vec<f32>>> {
        let keys: Vec<u128> = texts.iter().map(|text| xxh3_128(text.as_bytes())).collect();
        let is_known = |key: &u128| self.rows.iter().any(|(known, _)| known == key);
        let (new, missing): (Vec<u128>, Vec<&str>) =
            keys.iter().zip(texts).filter(|(key, _)| !is_known(key)).map(|(key, text)| (*key, *text)).unzip();
        if !missing.is_empty() {
            let (mut used, other): (Vec<_>, Vec<_>) =
                std::mem::take(&mut self.rows).into_iter().partition(|(key, _)| keys.contains(key));
            used.extend(new.into_iter().zip(compute(&missing)));
            used.extend(other);
            self.rows = used;
            self.write();
        }
        let vector = |key: &u128| self.rows.iter().find(|(known, _)| known == key).map(|(_, vector)| vector.clone());
        keys.iter().map(vector).collect()
    }

    /// Returns the rows of a file; `None` if it is damaged, or of another encoder.
    fn read(&self, bytes: &[u8]) -> Option<Vec<(u128, Vec<f32>)>> {
        let (sum, body) = bytes.split_first_chunk()?;
        let (encoder, rows) = body.split_first_chunk()?;
        let is_sound = u64::from_le_bytes(*sum) == xxh3_64(body) && u128::from_le_bytes(*encoder) == self.encoder;
        let row = |bytes: &[u8]| {
            let (key, vector) = bytes.split_first_chunk()?;
            let (numbers, _) = vector.as_chunks();
            Some((u128::from_le_bytes(*key), numbers.iter().map(|number| f32::from_le_bytes(*number)).collect()))
        };
        is_sound.then(|| rows.chunks_exact(self.row_bytes()).map(row).collect::<Option<Vec<_>>>())?
    }

    /// Writes the last used rows to another file, then renames it over the previous one. A failure only
    /// means that vectors are computed again.
    fn write(&self) {
        let mut body = self.encoder.to_le_bytes().to_vec();
        let most = (MAX_BYTES - body.len() - size_of::<u64>()) / self.row_bytes();
        for (key, vector) in self.rows.iter().take(most) {
            body.extend(key.to_le_bytes());
            body.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
        }
        let bytes = [&xxh3_64(&body).to_le_bytes()[..], &body].concat();
        let aside = self.path.with_extension(format!("new-{}", std::process::id()));
        if write_private(&aside, &bytes).and_then(|()| std::fs::rename(&aside, &self.path)).is_err() {
            let _ = std::fs::remove_file(aside);
        }
    }

    /// Returns the size of a row in bytes.
    fn row_bytes(&self) -> usize {
        DIGEST + self.dimensions * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_testing::small_model::Model;

    fn place() -> (tempfile::TempDir, Layout, Encoder) {
        let (folder, model) = (tempfile::tempdir().expect("a folder"), Model::new(7));
        model.write_to(&folder.path().join("model"), &model.weights());
        let encoder = Encoder::open(&folder.path().join("model")).expect("a model");
        let layout = Layout::new(folder.path(), folder.path());
        std::fs::create_dir(layout.folder()).expect("a folder");
        (folder, layout, encoder)
    }

    #[test]
    fn only_new_texts_are_computed() {
        let (_folder, layout, encoder) = place();
        let ask = |texts: &[&str]| {
            let mut computed = Vec::new();
            let vectors = VectorCache::open(&layout, &encoder).vectors(texts, |missing| {
                computed = missing.iter().map(|text| (*text).to_owned()).collect();
                encoder.encode_all(missing)
            });
            assert_eq!(vectors, Some(encoder.encode_all(texts)));
            computed
        };
        assert_eq!(ask(&["read", "size"]), ["read", "size"]);
        assert_eq!(ask(&["file", "size", "read"]), ["file"]);
        assert!(ask(&["read", "file"]).is_empty());
    }

    #[test]
    fn what_was_computed_in_time_is_stored() {
        let (_folder, layout, encoder) = place();
        let ask = |most: usize| {
            let compute = |missing: &[&str]| encoder.encode_all(&missing[..missing.len().min(most)]);
            VectorCache::open(&layout, &encoder).vectors(&["read", "size", "file"], compute)
        };
        assert_eq!((ask(2), ask(0)), (None, None));
        assert!(ask(1).is_some(), "the others are known");
    }

    #[test]
    fn the_file_has_a_limit_and_keeps_the_vectors_that_were_used_last() {
        let (_folder, layout, encoder) = place();
        let mut cache = VectorCache::open(&layout, &encoder);
        let row = |key: usize| (key as u128, vec![0.5; encoder.dimensions()]);
        cache.rows = (0..1 + MAX_BYTES / cache.row_bytes()).map(row).collect();
        assert!(cache.vectors(&["read"], |missing| encoder.encode_all(missing)).is_some());
        let size = std::fs::metadata(layout.folder().join(FILE)).expect("a file").len();
        assert!(size <= MAX_BYTES as u64, "{size}");
        let mut kept = VectorCache::open(&layout, &encoder);
        assert!(kept.vectors(&["read"], |_| Vec::new()).is_some());
        assert!(kept.rows.iter().any(|(key, _)| *key == 0) && kept.rows.len() < cache.rows.len());
    }
}
