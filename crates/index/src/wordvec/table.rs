//! The table of word vectors: signed bytes for each of the most frequent stems, and the weight of
//! each stem in a question and in code.
//!
//! ```text
//! magic, words, dimensions: u32 each | digest of the words: u64 | weights of fields: 8 f32
//! by word: weight in a question: f32 each | in code: f32 each | vectors: i8 each |
//!          end of its text: u32 each
//! words in alphabetical order: u16 each
//! by word: its nearest words, the nearest first: 8 u16 | cosine, in 255ths, 0 if none: 8 u8
//! texts
//! ```
//! Words are numbered by frequency, so that the numbers of a string's words are small. All numbers
//! are little-endian. The nearest words follow from the vectors. They are stored because finding
//! them would require comparing a word with all other words.

use serde::{Deserialize, Serialize};
use whichfn_syntax::parse::Field;

/// The table that ships with the program, written by `training/`.
static BYTES: &[u8] = include_bytes!("words.bin");
/// First bytes of the table.
const MAGIC: u32 = u32::from_le_bytes(*b"wfw2");
const FIELDS: usize = 20;
const HEAD: usize = FIELDS + 4 * Field::COUNT;
/// Number of nearest words stored for each word.
pub const LISTED_NEIGHBOURS: usize = 8;

/// A word of the table; frequent words have small numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WordId(pub u16);

/// The table, read in place.
#[derive(Debug, Clone, Copy)]
pub struct WordTable<'a> {
    dimensions: usize,
    digest: u64,
    fields: [f32; Field::COUNT],
    query_weights: &'a [u8],
    document_weights: &'a [u8],
    vectors: &'a [i8],
    ends: &'a [u8],
    order: &'a [u8],
    neighbours: &'a [u8],
    nearness: &'a [u8],
    texts: &'a [u8],
}

impl WordTable<'static> {
    /// Returns the table that ships with the program.
    pub fn builtin() -> Self {
        // A test reads the table, so a build with a damaged one is not released.
        Self::read(BYTES).unwrap_or(Self {
            dimensions: 0,
            digest: 0,
            fields: [0.0; Field::COUNT],
            query_weights: &[],
            document_weights: &[],
            vectors: &[],
            ends: &[],
            order: &[],
            neighbours: &[],
            nearness: &[],
            texts: &[],
        })
    }
}

impl<'a> WordTable<'a> {
    /// Reads a table from its bytes; `None` if they are not a table.
    pub fn read(bytes: &'a [u8]) -> Option<Self> {
        let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        if number(0)? != MAGIC {
            return None;
        }
        let (count, dimensions) = (number(4)? as usize, number(8)? as usize);
        let digest = u64::from(number(12)?) | u64::from(number(16)?) << 32;
        let mut fields = [0.0; Field::COUNT];
        for (at, field) in fields.iter_mut().enumerate() {
            *field = f32::from_bits(number(FIELDS + 4 * at)?);
        }
        let mut rest = bytes.get(HEAD..)?;
        let mut take = |length: usize| {
            let (taken, left) = rest.split_at_checked(length)?;
            rest = left;
            Some(taken)
        };
        let (query_weights, document_weights) = (take(4 * count)?, take(4 * count)?);
        let vectors = bytemuck::cast_slice(take(count * dimensions)?);
        let (ends, order) = (take(4 * count)?, take(2 * count)?);
        let (neighbours, nearness) = (take(2 * LISTED_NEIGHBOURS * count)?, take(LISTED_NEIGHBOURS * count)?);
        Some(Self {
            dimensions,
            digest,
            fields,
            query_weights,
            document_weights,
            vectors,
            ends,
            order,
            neighbours,
            nearness,
            texts: rest,
        })
    }

    /// Returns the number of a stem, or `None` if the table does not contain it.
    pub fn number(&self, stem: &str) -> Option<WordId> {
        let (mut low, mut high) = (0, self.order.len() / 2);
        while low < high {
            let middle = (low + high) / 2;
            let id = WordId(u16::from_le_bytes([self.order[2 * middle], self.order[2 * middle + 1]]));
            match self.text(id).cmp(stem.as_bytes()) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(id),
            }
        }
        None
    }

    /// Returns the stem with this number.
    pub fn text(&self, id: WordId) -> &'a [u8] {
        let end = |at: usize| read_u32(self.ends, at) as usize;
        let at = usize::from(id.0);
        self.texts.get(if at == 0 { 0 } else { end(at - 1) }..end(at)).unwrap_or_default()
    }

    /// Returns a digest that identifies the words and their numbers.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.order.len() / 2
    }

    /// Checks whether the table has no words.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Returns the number of dimensions of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Returns the vector of a word, which is not normalized: [`Self::query_weight`] and
    /// [`Self::document_weight`] include its scale. Returns an empty vector for a number that the
    /// table does not contain.
    pub fn vector(&self, id: WordId) -> &'a [i8] {
        let start = usize::from(id.0) * self.dimensions;
        self.vectors.get(start..start + self.dimensions).unwrap_or_default()
    }

    /// Returns the nearest other words, nearest first, each with its cosine similarity.
    pub fn neighbours(&self, id: WordId) -> impl Iterator<Item = (WordId, f32)> + '_ {
        let listed = usize::from(id.0) * LISTED_NEIGHBOURS..(usize::from(id.0) + 1) * LISTED_NEIGHBOURS;
        let words = self.neighbours.get(2 * listed.start..2 * listed.end).unwrap_or_default().chunks_exact(2);
        let words = words.map(|pair| WordId(u16::from_le_bytes([pair[0], pair[1]])));
        let near = self.nearness.get(listed).unwrap_or_default().iter().map(|&near| f32::from(near) / 255.0);
        words.zip(near).filter(|&(_, near)| near > 0.0)
    }

    /// Returns the weight of a word in a question, including the scale of its vector.
    pub fn query_weight(&self, id: WordId) -> f32 {
        f32::from_bits(read_u32(self.query_weights, usize::from(id.0)))
    }

    /// Returns the weight of a word in code, including the scale of its vector.
    pub fn document_weight(&self, id: WordId) -> f32 {
        f32::from_bits(read_u32(self.document_weights, usize::from(id.0)))
    }

    /// Returns the weight of a field of a definition.
    pub fn field(&self, field: Field) -> f32 {
        self.fields[field as usize]
    }
}

/// Computes the dot product of two vectors of signed bytes. It is exact, so the order does not
/// matter.
pub fn product(a: &[i8], b: &[i8]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| i32::from(i16::from(a) * i16::from(b))).sum()
}

/// Computes the length of a vector of signed bytes, at least 1, so that it can be divided by.
pub fn length(vector: &[i8]) -> f32 {
    (product(vector, vector) as f32).sqrt().max(1.0)
}

fn read_u32(bytes: &[u8], at: usize) -> u32 {
    bytes.get(4 * at..4 * at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_table_finds_each_of_its_words() {
        let table = WordTable::builtin();
        assert!(table.len() > 20_000 && table.dimensions() == 256);
        for number in 0..table.len() as u16 {
            let text = std::str::from_utf8(table.text(WordId(number))).expect("text");
            assert_eq!(table.number(text), Some(WordId(number)), "{text}");
        }
        assert_eq!(table.number("no such stem"), None);
    }

    #[test]
    fn synonyms_are_more_similar_than_other_words() {
        let table = WordTable::builtin();
        let cosine = |a: &str, b: &str| {
            let vector = |word: &str| table.vector(table.number(word).expect("a frequent stem"));
            let product = |a: &[i8], b: &[i8]| a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum::<f64>();
            product(vector(a), vector(b)) / (product(vector(a), vector(a)) * product(vector(b), vector(b))).sqrt()
        };
        assert!(cosine("delet", "remov") > cosine("delet", "socket") + 0.2);
        assert!(cosine("directori", "folder") > cosine("directori", "matrix"));
    }

    #[test]
    fn rejects_other_bytes() {
        assert!(WordTable::read(b"").is_none());
        assert!(WordTable::read(&BYTES[..BYTES.len() / 2]).is_none());
        assert!(WordTable::read(b"something else entirely, and longer than the head").is_none());
    }
}
