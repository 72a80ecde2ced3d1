//! Initial word vectors: the whole-word vectors of a large model (`vectors.py`), combined by stem.
//!
//! The initial vector of a stem is the mean of its forms, each counted once: "strip", "strips" and
//! "stripping" have similar vectors, so their frequencies matter little. A stem without a known
//! form starts with a random vector, and is learned from the words around it.

use std::collections::BTreeMap;
use std::path::Path;
use whichfn_text::Stemmer;

/// Initial vectors, indexed by stem. Each vector has length 1.
pub struct Start {
    by_stem: BTreeMap<String, Vec<f32>>,
}

impl Start {
    /// Reads the vectors that `vectors.py` wrote.
    pub fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("read the vectors");
        let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let (count, dimensions) = (number(0) as usize, number(4) as usize);
        let (rows, words) = bytes[8..].split_at(4 * count * dimensions);
        let rows: Vec<f32> = rows.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        let words = std::str::from_utf8(words).expect("words").split('\n');
        let (mut by_stem, mut stemmer) = (BTreeMap::<String, Vec<f32>>::new(), Stemmer::default());
        for (word, row) in words.zip(rows.chunks_exact(dimensions)) {
            let sum = by_stem.entry(stemmer.stem(word).to_owned()).or_insert_with(|| vec![0.0; dimensions]);
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        for vector in by_stem.values_mut() {
            let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt().max(1e-9);
            vector.iter_mut().for_each(|x| *x /= length);
        }
        Self { by_stem }
    }

    /// Returns the initial vector of a stem, or `None` if none of its forms has a vector.
    pub fn of(&self, stem: &str) -> Option<&[f32]> {
        self.by_stem.get(stem).map(Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_starts_as_the_mean_of_its_forms() {
        let rows = [[1.0f32, 0.0], [0.0, 1.0], [0.0, -1.0]];
        let mut bytes: Vec<u8> = [3u32, 2].iter().flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend(rows.iter().flatten().flat_map(|x| x.to_le_bytes()));
        bytes.extend(b"strip\nstripping\ncookie");
        let file = std::env::temp_dir().join(format!("whichfn-start-{}", std::process::id()));
        std::fs::write(&file, bytes).expect("write");
        let start = Start::read(&file);
        std::fs::remove_file(&file).expect("remove");
        let half = 0.5f32.sqrt();
        assert!(start.of("strip").expect("known").iter().all(|x| (x - half).abs() < 1e-6));
        assert!(start.of("redirect").is_none());
    }
}
