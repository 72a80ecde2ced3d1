//! The vectors of a repository's functions by one model, in a file of their own beside the graph.
//!
//! ```text
//! magic | digest of what made them: 2 x u64 | sum of what follows | files, rows, dimensions, length of the name: u32 each
//! by file: key: 2 x u64 each | rows before it: u32 each, and the end | by row: scale: f32 each | numbers: i8 each | name
//! ```
//! A file of the repository has a row for each of its functions, in order; its key says for which content, and is 0 if it is
//! not embedded yet. So rows are used only where they are true, are taken over by content, and an embedding that was
//! interrupted goes on where it was.
//!
//! Why i8: a quarter of the space; a cosine moves by less than 0.005. The scale makes each row a unit vector again.
//! Price:  388 bytes a function with 384 dimensions; opening sums the file, a gigabyte in 0.1 s

use super::graph_file::GraphFile;
use super::manifest::{FileRecord, Manifest};
use super::version::CONTENT;
use crate::ids::{DefinitionId, FileId};
use crate::wordvec::product;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use std::path::Path;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

const MAGIC: u64 = u64::from_le_bytes(*b"whichfe1");

/// Which content of which file rows are for; 0 for none.
pub type EmbeddingKey = [u64; 2];

/// The fixed part at the start of the file.
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

/// What made vectors: the model, which text of a function it was given, how functions are told apart.
pub fn made_by(model: u128, text: u32) -> [u64; 2] {
    let mut bytes = model.to_le_bytes().to_vec();
    bytes.extend(text.to_le_bytes());
    bytes.extend(CONTENT.to_le_bytes());
    halves(xxh3_128(&bytes))
}

/// The key of a file as it is now.
pub fn embedding_key(record: &FileRecord) -> EmbeddingKey {
    let mut bytes = record.hash.to_le_bytes().to_vec();
    bytes.extend(record.language.map_or(0, |language| language + 1).to_le_bytes());
    bytes.extend(record.path.as_bytes());
    halves(xxh3_128(&bytes))
}

fn halves(number: u128) -> [u64; 2] {
    [number as u64, (number >> 64) as u64]
}

/// The rows of one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileEmbeddings {
    scales: Vec<f32>,
    numbers: Vec<i8>,
}

impl FileEmbeddings {
    /// Adds a function's vector; one of zeros is related to nothing.
    pub fn push(&mut self, vector: &[f32]) {
        let largest = vector.iter().fold(f32::MIN_POSITIVE, |largest, x| largest.max(x.abs()));
        let before = self.numbers.len();
        self.numbers.extend(vector.iter().map(|x| (x / largest * 127.0).round() as i8));
        let squares: f32 = self.numbers[before..].iter().map(|&x| f32::from(x) * f32::from(x)).sum();
        self.scales.push(if squares > 0.0 { squares.sqrt().recip() } else { 0.0 });
    }
}

/// The bytes of the file: for each file of the repository its key and its rows, if it has them.
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

/// The vectors of an index, mapped.
pub struct Embeddings {
    bytes: memmap2::Mmap,
    head: Head,
}

impl Embeddings {
    /// Opens the file; none if it is not there, torn or changed.
    pub(super) fn open(path: &Path) -> Option<Self> {
        let bytes = super::map::map(path).ok()?;
        let head: Head = bytemuck::pod_read_unaligned(bytes.get(..HEAD)?);
        let embeddings = Self { head, bytes };
        let sound = head.magic == MAGIC
            && embeddings.name_place().end == embeddings.bytes.len()
            && xxh3_64(&embeddings.bytes[HEAD..]) == head.sum;
        sound.then_some(embeddings)
    }

    /// Whether these made it: see [`made_by`].
    pub fn is_made_by(&self, wanted: [u64; 2]) -> bool {
        self.head.made_by == wanted
    }

    /// Whether every file of the index is embedded as it is now.
    pub fn is_whole(&self, manifest: &Manifest) -> bool {
        let wanted = manifest.files.iter().map(embedding_key);
        self.keys().iter().copied().eq(wanted)
    }

    /// What the user called the model.
    pub fn model(&self) -> &str {
        std::str::from_utf8(&self.bytes[self.name_place()]).unwrap_or_default()
    }

    /// How many numbers each vector has; 0 where nothing is embedded.
    pub fn dimensions(&self) -> usize {
        self.head.dimensions as usize
    }

    /// How many functions have a vector.
    pub fn count(&self) -> usize {
        self.head.rows as usize
    }

    /// The key of each file.
    pub fn keys(&self) -> &[EmbeddingKey] {
        bytemuck::cast_slice(&self.bytes[self.keys_place()])
    }

    /// The rows of the file at a place in the order of [`Embeddings::keys`], to be taken over.
    pub fn rows(&self, file: usize) -> FileEmbeddings {
        let rows = self.range(file);
        let numbers = rows.start * self.dimensions()..rows.end * self.dimensions();
        FileEmbeddings { scales: self.scales()[rows].to_vec(), numbers: self.numbers()[numbers].to_vec() }
    }

    /// Every function with its row; those of files that are not embedded are left out.
    pub fn all<'a>(&'a self, graph: &'a GraphFile) -> impl Iterator<Item = (DefinitionId, Row<'a>)> + 'a {
        let files = 0..graph.file_count().min(self.keys().len());
        files.flat_map(move |file| self.of_file(graph, FileId::new(file)))
    }

    /// A function's row.
    pub fn of_definition<'a>(&'a self, graph: &'a GraphFile, id: DefinitionId) -> Option<Row<'a>> {
        let file = graph.definition(id).file;
        self.of_file(graph, file).find(|(of, _)| *of == id).map(|(_, row)| row)
    }

    fn of_file<'a>(&'a self, graph: &'a GraphFile, file: FileId) -> impl Iterator<Item = (DefinitionId, Row<'a>)> + 'a {
        graph.functions_of(file).zip(self.range(file.index())).map(|(id, row)| (id, self.row(row)))
    }

    fn row(&self, row: usize) -> Row<'_> {
        let numbers = &self.numbers()[row * self.dimensions()..(row + 1) * self.dimensions()];
        Row { scale: self.scales()[row], numbers }
    }

    /// Rows of a file; none past the end, or where the numbers make no sense.
    fn range(&self, file: usize) -> Range<usize> {
        let starts: &[u32] = bytemuck::cast_slice(&self.bytes[self.starts_place()]);
        let (Some(&start), Some(&end)) = (starts.get(file), starts.get(file + 1)) else { return 0..0 };
        let (start, end) = (start as usize, end as usize);
        if start <= end && end <= self.head.rows as usize { start..end } else { 0..0 }
    }

    fn scales(&self) -> &[f32] {
        bytemuck::cast_slice(&self.bytes[self.scales_place()])
    }

    fn numbers(&self) -> &[i8] {
        bytemuck::cast_slice(&self.bytes[self.numbers_place()])
    }

    fn keys_place(&self) -> Range<usize> {
        HEAD..HEAD + 16 * self.head.files as usize
    }

    fn starts_place(&self) -> Range<usize> {
        let start = self.keys_place().end;
        start..start + 4 * (self.head.files as usize + 1)
    }

    fn scales_place(&self) -> Range<usize> {
        let start = self.starts_place().end;
        start..start + 4 * self.head.rows as usize
    }

    fn numbers_place(&self) -> Range<usize> {
        let start = self.scales_place().end;
        start..start + self.head.rows as usize * self.dimensions()
    }

    fn name_place(&self) -> Range<usize> {
        let start = self.numbers_place().end;
        start..start + self.head.name as usize
    }
}

/// A unit vector, or one of zeros: `scale` times whole numbers.
#[derive(Debug, Clone, Copy)]
pub struct Row<'a> {
    scale: f32,
    numbers: &'a [i8],
}

impl Row<'_> {
    /// The cosine with another unit vector; 0 where the two have not one length.
    pub fn cosine(&self, other: &[f32]) -> f32 {
        if self.numbers.len() != other.len() {
            return 0.0;
        }
        // Eight sums at once, in an order that is the same on every machine.
        let mut sums = [0f32; 8];
        for (a, b) in self.numbers.chunks(8).zip(other.chunks(8)) {
            sums.iter_mut().zip(a).zip(b).for_each(|((sum, &a), &b)| *sum += f32::from(a) * b);
        }
        self.scale * sums.iter().sum::<f32>()
    }

    /// The cosine with another row.
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
    fn what_is_written_is_read_and_what_is_torn_is_not() {
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
            let told_apart = opened(&torn).is_none_or(|read| !read.is_made_by([7, 8]));
            assert!(told_apart, "byte {at}");
        }
        assert!(opened(&bytes[..bytes.len() - 1]).is_none() && opened(b"").is_none());
    }

    #[test]
    fn bytes_keep_the_angle() {
        let (a, b) = ([0.36, 0.48, 0.8], [0.6, 0.0, 0.8]);
        let read = opened(&embeddings_bytes([0; 2], "", 3, &[([1; 2], Some(rows(&[&a, &b])))])).expect("whole");
        let (one, other) = (read.row(0), read.row(1));
        assert!((one.cosine(&b) - 0.856).abs() < 0.005, "{}", one.cosine(&b));
        assert!((one.cosine_with(&other) - 0.856).abs() < 0.005);
        assert!((one.cosine_with(&one) - 1.0).abs() < 1e-6);
        assert_eq!(one.cosine(&[1.0]), 0.0, "another model's length");
    }
}
