//! Stores the vectors that one model computed for a repository's functions, in a file next to the
//! graph.
//!
//! ```text
//! magic | digest of their origin: 2 x u64 | checksum of the rest: u64
//! files, rows, dimensions, length of the name: u32 each
//! by file: key: 2 x u64 each | rows before it: u32 each, and the total
//! by row: scale: f32 each | numbers: i8 each | name
//! ```
//! Each file of the repository has one row per function, in order. The key of a file identifies the
//! content that its rows were computed from, and is 0 if the file is not embedded yet. Rows are
//! thus used only if their content matches, can be copied by content, and an interrupted embedding
//! run continues where it stopped.
//!
//! **Alternatives:** f32 numbers. i8 numbers take a quarter of the space, and a cosine changes by
//! less than 0.005. The scale makes each row a unit vector again.
//!
//! **Cost:** 388 bytes per function with 384 dimensions. Opening the file computes its checksum,
//! which takes 0.1 s per gigabyte.

use super::graph_file::GraphFile;
use super::manifest::{FileRecord, Manifest};
use super::version::CONTENT;
use crate::wordvec::product;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use std::path::Path;
use whichfn_syntax::ids::{DefinitionId, FileId};
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const MAGIC: u64 = u64::from_le_bytes(*b"whichfe1");

/// Identifies the content of a file from which rows were computed. All numbers are 0 if the file is
/// not embedded.
pub type EmbeddingKey = [u64; 2];

/// The fixed-size header at the start of the file.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Head {
    magic: u64,
    made_by: [u64; 2],
    sum: u64,
    files: u32,
    rows: u32,
    dimensions: u32,
    name: u32,
}

const HEAD: usize = size_of::<Head>();

/// Returns a digest of everything except the sources that determines the vectors: the model, the
/// version of the text that describes a function to the model, and the version of the index
/// content.
pub fn made_by(model: u128, text: u32) -> [u64; 2] {
    let mut bytes = model.to_le_bytes().to_vec();
    bytes.extend(text.to_le_bytes());
    bytes.extend(CONTENT.to_le_bytes());
    split_u128(xxh3_128(&bytes))
}

/// Returns the key for the current content of a file.
pub fn embedding_key(record: &FileRecord) -> EmbeddingKey {
    let mut bytes = record.hash.to_le_bytes().to_vec();
    bytes.extend(record.language.map_or(0, |language| language + 1).to_le_bytes());
    bytes.extend(record.path.as_bytes());
    split_u128(xxh3_128(&bytes))
}

fn split_u128(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

/// The vectors of one file's functions, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileEmbeddings {
    scales: Vec<f32>,
    numbers: Vec<i8>,
}

impl FileEmbeddings {
    /// Adds the vector of a function. A zero vector has a similarity of 0 to every other vector.
    pub fn push(&mut self, vector: &[f32]) {
        let largest = vector.iter().fold(f32::MIN_POSITIVE, |largest, x| largest.max(x.abs()));
        let before = self.numbers.len();
        self.numbers.extend(vector.iter().map(|x| (x / largest * 127.0).round() as i8));
        let squares: f32 = self.numbers[before..].iter().map(|&x| f32::from(x) * f32::from(x)).sum();
        self.scales.push(if squares > 0.0 { squares.sqrt().recip() } else { 0.0 });
    }
}

/// Serializes the vectors: for each file of the repository, its key and, if it is embedded, its
/// rows.
pub fn embeddings_bytes(
    made_by: [u64; 2],
    model: &str,
    dimensions: usize,
    files: &[(EmbeddingKey, Option<FileEmbeddings>)],
) -> Vec<u8> {
    let empty = FileEmbeddings::default();
    let key = |(key, rows): &(EmbeddingKey, Option<FileEmbeddings>)| if rows.is_some() { *key } else { [0; 2] };
    let keys: Vec<EmbeddingKey> = files.iter().map(key).collect();
    let rows: Vec<&FileEmbeddings> = files.iter().map(|(_, rows)| rows.as_ref().unwrap_or(&empty)).collect();
    let mut starts = vec![0u32];
    for file in &rows {
        starts.push(starts[starts.len() - 1] + file.scales.len() as u32);
    }
    let mut bytes = vec![0; HEAD];
    bytes.extend_from_slice(bytemuck::cast_slice(&keys));
    bytes.extend_from_slice(bytemuck::cast_slice(&starts));
    rows.iter().for_each(|file| bytes.extend_from_slice(bytemuck::cast_slice(&file.scales)));
    rows.iter().for_each(|file| bytes.extend_from_slice(bytemuck::cast_slice(&file.numbers)));
    bytes.extend_from_slice(model.as_bytes());
    let head = Head {
        magic: MAGIC,
        made_by,
        sum: xxh3_64(&bytes[HEAD..]),
        files: files.len() as u32,
        rows: starts[files.len()],
        dimensions: dimensions as u32,
        name: model.len() as u32,
    };
    bytes[..HEAD].copy_from_slice(bytemuck::bytes_of(&head));
    bytes
}

/// The memory-mapped vectors of an index.
pub struct Embeddings {
    bytes: memmap2::Mmap,
    head: Head,
}

impl Embeddings {
    /// Opens a file of vectors. Returns `None` if it is missing or damaged.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let bytes = super::map::map(path).ok()?;
        let head: Head = bytemuck::pod_read_unaligned(bytes.get(..HEAD)?);
        // The lengths must add up to the length of the file. In `u128`, the sum cannot overflow.
        let [files, rows, dimensions, name] = [head.files, head.rows, head.dimensions, head.name].map(u128::from);
        let length = HEAD as u128 + 16 * files + 4 * (files + 1) + 4 * rows + rows * dimensions + name;
        let is_complete = length == bytes.len() as u128;
        let embeddings = Self { head, bytes };
        let sound = head.magic == MAGIC && is_complete && xxh3_64(&embeddings.bytes[HEAD..]) == head.sum;
        sound.then_some(embeddings)
    }

    /// Checks whether the vectors have the given digest, as computed by [`made_by`].
    pub fn is_made_by(&self, wanted: [u64; 2]) -> bool {
        self.head.made_by == wanted
    }

    /// Checks whether every file of the index is embedded with its current content.
    pub fn is_complete(&self, manifest: &Manifest) -> bool {
        let wanted = manifest.files.iter().map(embedding_key);
        self.keys().iter().copied().eq(wanted)
    }

    /// Returns the model's name, as the user specified it.
    pub fn model(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.name_range()]).unwrap_or_default()
    }

    /// Returns the number of dimensions of each vector, or 0 if nothing is embedded.
    pub fn dimensions(&self) -> usize {
        self.head.dimensions as usize
    }

    /// Returns the number of functions that have a vector.
    pub fn count(&self) -> usize {
        self.head.rows as usize
    }

    /// Returns the keys of all files, in order.
    pub fn keys(&self) -> &[EmbeddingKey] {
        bytemuck::cast_slice(&self.bytes[self.keys_range()])
    }

    /// Copies the rows of the file with the given index in [`Embeddings::keys`].
    pub fn rows(&self, file: usize) -> FileEmbeddings {
        let rows = self.range(file);
        let numbers = rows.start * self.dimensions()..rows.end * self.dimensions();
        FileEmbeddings { scales: self.scales()[rows].to_vec(), numbers: self.numbers()[numbers].to_vec() }
    }

    /// Returns the functions of all embedded files, each with its row.
    pub fn all<'a>(&'a self, graph: &'a GraphFile) -> impl Iterator<Item = (DefinitionId, Row<'a>)> + 'a {
        let files = 0..graph.file_count().min(self.keys().len());
        files.flat_map(move |file| self.file_rows(graph, FileId::new(file)))
    }

    /// Returns the row of a function, or `None` if its file is not embedded.
    pub fn definition_row<'a>(&'a self, graph: &'a GraphFile, id: DefinitionId) -> Option<Row<'a>> {
        let file = graph.definition(id).file;
        self.file_rows(graph, file).find(|(of, _)| *of == id).map(|(_, row)| row)
    }

    fn file_rows<'a>(
        &'a self,
        graph: &'a GraphFile,
        file: FileId,
    ) -> impl Iterator<Item = (DefinitionId, Row<'a>)> + 'a {
        graph.functions_of(file).zip(self.range(file.index())).map(|(id, row)| (id, self.row(row)))
    }

    fn row(&self, row: usize) -> Row<'_> {
        let numbers = &self.numbers()[row * self.dimensions()..(row + 1) * self.dimensions()];
        Row { scale: self.scales()[row], numbers }
    }

    /// Returns the range of a file's rows. The range is empty if there is no such file or if its
    /// numbers are invalid.
    fn range(&self, file: usize) -> Range<usize> {
        let starts: &[u32] = bytemuck::cast_slice(&self.bytes[self.starts_range()]);
        let (Some(&start), Some(&end)) = (starts.get(file), starts.get(file + 1)) else { return 0..0 };
        let (start, end) = (start as usize, end as usize);
        if start <= end && end <= self.head.rows as usize { start..end } else { 0..0 }
    }

    fn scales(&self) -> &[f32] {
        bytemuck::cast_slice(&self.bytes[self.scales_range()])
    }

    fn numbers(&self) -> &[i8] {
        bytemuck::cast_slice(&self.bytes[self.numbers_range()])
    }

    fn keys_range(&self) -> Range<usize> {
        HEAD..HEAD + 16 * self.head.files as usize
    }

    fn starts_range(&self) -> Range<usize> {
        let start = self.keys_range().end;
        start..start + 4 * (self.head.files as usize + 1)
    }

    fn scales_range(&self) -> Range<usize> {
        let start = self.starts_range().end;
        start..start + 4 * self.head.rows as usize
    }

    fn numbers_range(&self) -> Range<usize> {
        let start = self.scales_range().end;
        start..start + self.head.rows as usize * self.dimensions()
    }

    fn name_range(&self) -> Range<usize> {
        let start = self.numbers_range().end;
        start..start + self.head.name as usize
    }
}

/// A unit vector or a zero vector, stored as integers with a common factor `scale`.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    scale: f32,
    numbers: &'a [i8],
}

impl Row<'_> {
    /// Returns the cosine of the angle to another unit vector, or 0 if the vectors have different
    /// lengths.
    pub fn cosine(&self, other: &[f32]) -> f32 {
        if self.numbers.len() != other.len() {
            return 0.0;
        }
        // The eight partial sums are added in the same order on every machine.
        let mut sums = [0f32; 8];
        for (a, b) in self.numbers.chunks(8).zip(other.chunks(8)) {
            sums.iter_mut().zip(a).zip(b).for_each(|((sum, &a), &b)| *sum += f32::from(a) * b);
        }
        self.scale * sums.iter().sum::<f32>()
    }

    /// Returns the cosine of the angle to another row.
    pub fn cosine_with(&self, other: &Row<'_>) -> f64 {
        f64::from(self.scale) * f64::from(other.scale) * f64::from(product(self.numbers, other.numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(vectors: &[&[f32]]) -> FileEmbeddings {
        let mut rows = FileEmbeddings::default();
        vectors.iter().for_each(|vector| rows.push(vector));
        rows
    }

    fn opened(bytes: &[u8]) -> Option<Embeddings> {
        let file = tempfile::NamedTempFile::new().expect("file");
        std::fs::write(file.path(), bytes).expect("written");
        Embeddings::open(file.path())
    }

    #[test]
    fn embeddings_round_trip_and_torn_files_are_rejected() {
        let files = [([1, 2], Some(rows(&[&[1.0, 0.0, 0.0], &[0.0; 3]]))), ([3, 4], None), ([5, 6], Some(rows(&[])))];
        let bytes = embeddings_bytes([7, 8], "a model", 3, &files);
        let read = opened(&bytes).expect("whole");
        assert!(read.is_made_by([7, 8]) && !read.is_made_by([7, 9]));
        assert_eq!((read.model(), read.dimensions(), read.count()), ("a model", 3, 2));
        assert_eq!(read.keys(), [[1, 2], [0, 0], [5, 6]]);
        assert_eq!(Some(read.rows(0)), files[0].1);
        assert_eq!(read.rows(1), FileEmbeddings::default());
        for at in 0..bytes.len() {
            let mut torn = bytes.clone();
            torn[at] ^= 1;
            let is_rejected = opened(&torn).is_none_or(|read| !read.is_made_by([7, 8]));
            assert!(is_rejected, "byte {at}");
        }
        assert!(opened(&bytes[..bytes.len() - 1]).is_none() && opened(b"").is_none());
    }

    #[test]
    fn quantization_keeps_the_cosine() {
        let (a, b) = ([0.36, 0.48, 0.8], [0.6, 0.0, 0.8]);
        let read = opened(&embeddings_bytes([0; 2], "", 3, &[([1; 2], Some(rows(&[&a, &b])))])).expect("whole");
        let (one, other) = (read.row(0), read.row(1));
        assert!((one.cosine(&b) - 0.856).abs() < 0.005, "{}", one.cosine(&b));
        assert!((one.cosine_with(&other) - 0.856).abs() < 0.005);
        assert!((one.cosine_with(&one) - 1.0).abs() < 1e-6);
        assert_eq!(one.cosine(&[1.0]), 0.0, "another model's length");
    }
}
