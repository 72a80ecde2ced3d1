//! Selects the blocks of ten lines that contain most of a text's words.

use super::{MAX_BLOCKS, MIN_BLOCK_SHARE};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use whichfn_index::fragment::{short_hash, unpack};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::FileId;
use whichfn_text::Stemmer;

/// Weight of each word of a text: its inverse frequency among the blocks, and 0 if no block
/// contains it.
pub(super) struct WordWeights {
    /// Weights in the order of the text.
    pub weights: Vec<f32>,
}

impl WordWeights {
    /// Returns the sum of the weights, which is above 0.
    pub fn known(&self) -> f32 {
        self.weights.iter().sum::<f32>().max(f32::MIN_POSITIVE)
    }
}

/// A block of ten lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BlockPlace {
    pub file: FileId,
    /// Number of the block in its file, starting at 0.
    pub number: u32,
}

/// Number of slots of the filter that rejects most words.
const FILTER_SIZE: usize = 1 << 12;

/// Words of a text that a block contains, as bits.
type Found = (BlockPlace, u64);

/// Returns the weights of the words, and the blocks that contain most of them, the best first.
pub(super) fn best_blocks(graph: &GraphFile, allowed: &[bool], words: &[String]) -> (WordWeights, Vec<BlockPlace>) {
    let mut stemmer = Stemmer::default();
    let mut bits: FxHashMap<u32, u32> = FxHashMap::default();
    let mut bit_of = |word: &String| {
        let next = bits.len() as u32;
        *bits.entry(short_hash(stemmer.stem(word))).or_insert(next)
    };
    // At most 60 words are compared, so that each has a bit.
    let word_bits: Vec<u32> = words.iter().take(u64::BITS as usize).map(&mut bit_of).collect();
    let found = blocks_with(graph, allowed, &bits);
    let mut frequencies = vec![0u32; bits.len()];
    found.iter().flat_map(|&(_, set)| set_bits(set)).for_each(|bit| frequencies[bit] += 1);
    let blocks = graph.block_count().max(1) as f32;
    let idf = |&frequency: &u32| if frequency == 0 { 0.0 } else { (1.0 + blocks / frequency as f32).ln() };
    let by_bit: Vec<f32> = frequencies.iter().map(idf).collect();
    let weight = |set: u64| set_bits(set).map(|bit| by_bit[bit]).sum::<f32>();
    let mut best: Vec<(f32, BlockPlace)> = found.iter().map(|&(block, set)| (weight(set), block)).collect();
    let least = MIN_BLOCK_SHARE * best.iter().map(|&(weight, _)| weight).fold(0.0, f32::max);
    best.retain(|&(weight, _)| weight >= least);
    best.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let blocks = best.into_iter().map(|(_, block)| block).take(MAX_BLOCKS);
    let weights = WordWeights { weights: word_bits.iter().map(|&bit| by_bit[bit as usize]).collect() };
    (weights, blocks.collect())
}

/// Returns the numbers of the bits that are set.
fn set_bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// Returns the searched blocks that contain a word, with the words in each.
fn blocks_with(graph: &GraphFile, allowed: &[bool], bits: &FxHashMap<u32, u32>) -> Vec<Found> {
    let files: Vec<FileId> = graph.file_ids().filter(|file| allowed.get(file.index()) == Some(&true)).collect();
    let mut filter = vec![false; FILTER_SIZE];
    bits.keys().for_each(|&hash| filter[hash as usize % FILTER_SIZE] = true);
    let (filter, bit_of) = (&filter, |hash: u32| bits.get(&hash));
    let blocks_of = |&file: &FileId| {
        graph.postings_of(file).zip(0..).filter_map(move |(postings, number)| {
            let hashes = postings.iter().map(|&posting| unpack(posting).0);
            let found = hashes.filter(|&hash| filter[hash as usize % FILTER_SIZE]).filter_map(bit_of);
            let set = found.fold(0u64, |set, &bit| set | 1 << bit);
            (set != 0).then_some((BlockPlace { file, number }, set))
        })
    };
    files.par_iter().flat_map_iter(blocks_of).collect()
}
