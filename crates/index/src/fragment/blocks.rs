//! The words of a file in blocks of ten lines, by which windows are ranked.
//!
//! A posting is one `u32`: 28 bits of a word's hash, and its count in the block up to 15. The
//! counts of a window are the sums over its two blocks, so each word is stored once although
//! windows overlap. A question reads all postings in one pass instead of using an inverted index: 4
//! bytes per posting, no dictionary, and each file separate, so that a refresh can copy it.
//!
//! - **Cost:** about 4 postings per line of code; a pass over a million postings takes 1 to 2 ms
//! - **Differs from the paper:** two words of one repository share a hash with probability 1e-4 for
//!   100,000 words and questions of 80 words. Their counts then add up, in the same way in every
//!   run. Counts above 15 are capped, which hardly affects BM25.

use super::window::LineEnds;
use whichfn_text::{Splitter, stem_hash};

/// Number of bits for a count.
const COUNT_BITS: u32 = 4;
/// Largest count.
const MAX_COUNT: u32 = (1 << COUNT_BITS) - 1;

/// Words of a file's blocks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Postings of all blocks, sorted by block, then hash; [`unpack`] splits one.
    pub postings: Vec<u32>,
    /// Index after the last posting of each block.
    pub ends: Vec<u32>,
}

/// Returns the hash that identifies a stemmed word in postings: 28 bits.
pub fn short_hash(stem: &str) -> u32 {
    shortened(stem_hash(stem))
}

fn shortened(hash: u64) -> u32 {
    hash as u32 >> COUNT_BITS
}

/// Splits a posting into hash and count.
pub fn unpack(posting: u32) -> (u32, u32) {
    (posting >> COUNT_BITS, posting & MAX_COUNT)
}

impl Blocks {
    /// Builds the blocks of a text that has been split into words.
    pub fn new(lines: &LineEnds, split: &Splitter) -> Self {
        let (mut blocks, mut hashes) = (Self::default(), Vec::new());
        for stems in split.stems_up_to(lines.blocks()) {
            hashes.extend(stems.iter().map(|&stem| shortened(split.stemmer().hash(stem))));
            blocks.add(&mut hashes);
        }
        blocks
    }

    fn add(&mut self, hashes: &mut Vec<u32>) {
        hashes.sort_unstable();
        for same in hashes.chunk_by(|a, b| a == b) {
            self.postings.push(same[0] << COUNT_BITS | (same.len() as u32).min(MAX_COUNT));
        }
        self.ends.push(self.postings.len() as u32);
        hashes.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whichfn_text::Stemmer;

    #[test]
    fn counts_words_by_block() {
        let text = format!("{}last = parse_date(last)\n", "x\n".repeat(10));
        let mut splitter = Splitter::default();
        splitter.read(&text);
        let blocks = Blocks::new(&LineEnds::new(&text), &splitter);
        let identifier = short_hash(Stemmer::default().stem("parsedate"));
        assert_eq!(blocks.ends, [1, 5]);
        assert_eq!(unpack(blocks.postings[0]), (short_hash("x"), 10));
        let second: Vec<(u32, u32)> = blocks.postings[1..].iter().map(|&p| unpack(p)).collect();
        assert!(second.contains(&(short_hash("last"), 2)) && second.contains(&(identifier, 1)));
    }
}
