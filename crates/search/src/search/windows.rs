//! Scores each window of 20 lines by BM25 against the words of a question or of other lines,
//! without regard to other windows.
//!
//! **Implements:** FragRel, section 4.1, which ranks windows by BM25; RepoCoder ranks them by
//! shared words.
//!
//! ```text
//! score(w) = sum over terms of
//!     weight * idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * length / average))
//! ```
//!
//! **Cost:** one pass by all threads over the words of all blocks, about 4 words for each line of
//! code; then one pass over the words found.
//!
//! **Tested by:** `tests/windows.rs`, which counts the words of each window's text.

use super::bm25f::TermScore;
use super::field::DocumentField;
use super::weights::{WINDOW_B, WINDOW_K1};
use crate::relation::Fragments;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::ops::Range;
use whichfn_index::fragment::{short_hash, unpack, windows_in};
use whichfn_index::store::GraphFile;
use whichfn_syntax::ids::{FileId, FragmentId};
use whichfn_syntax::parse::Field;
use whichfn_text::{Stemmer, words};

/// Number of files whose blocks one thread reads at a time.
const FILES_PER_TASK: usize = 32;
/// Number of slots of the filter that rejects most words; the filter fits into the first-level
/// cache.
const FILTER_SIZE: usize = 1 << 14;

/// Distinct words to look for, each with a weight.
#[derive(Debug, Clone, Default)]
pub struct Bag {
    hashes: FxHashMap<u32, u16>,
    weights: Vec<f64>,
}

impl Bag {
    /// Adds the words of a string. Each occurrence adds `weight` to the weight of its word.
    pub fn add(&mut self, text: &str, weight: f64) {
        let mut stemmer = Stemmer::default();
        words(text, |word| self.add_stem(stemmer.stem(word), weight));
    }

    /// Adds one stemmed word.
    pub fn add_stem(&mut self, stem: &str, weight: f64) {
        let next = self.weights.len() as u16;
        let number = *self.hashes.entry(short_hash(stem)).or_insert(next);
        if number == next && next < u16::MAX {
            self.weights.push(0.0);
        }
        if let Some(sum) = self.weights.get_mut(number as usize) {
            *sum += weight;
        }
    }

    /// Returns the number of distinct words.
    pub fn distinct(&self) -> usize {
        self.weights.len()
    }

    /// Checks whether the bag contains no words.
    pub fn is_empty(&self) -> bool {
        self.weights.is_empty()
    }
}

/// A word found in a block: its number in the bag, and its count.
type TermCount = (u16, u8);

/// Words of a bag found in all blocks.
struct BlockMatches {
    found: Vec<TermCount>,
    /// End of each block's matches in `found`.
    ends: Vec<u32>,
    /// Number of words in each block.
    lengths: Vec<u32>,
}

impl BlockMatches {
    fn read(graph: &GraphFile, bag: &Bag) -> Self {
        let mut filter = vec![false; FILTER_SIZE];
        bag.hashes.keys().for_each(|&hash| filter[hash as usize % FILTER_SIZE] = true);
        let files: Vec<FileId> = graph.file_ids().collect();
        let read = |files: &[FileId]| {
            let mut part = Self { found: Vec::new(), ends: Vec::new(), lengths: Vec::new() };
            for postings in files.iter().flat_map(|&file| graph.postings_of(file)) {
                let mut length = 0;
                for (hash, count) in postings.iter().map(|&posting| unpack(posting)) {
                    length += count;
                    if filter[hash as usize % FILTER_SIZE]
                        && let Some(&term) = bag.hashes.get(&hash)
                    {
                        part.found.push((term, count as u8));
                    }
                }
                part.ends.push(part.found.len() as u32);
                part.lengths.push(length);
            }
            part
        };
        let parts: Vec<Self> = files.par_chunks(FILES_PER_TASK).map(read).collect();
        let mut all = Self { found: Vec::new(), ends: Vec::with_capacity(graph.block_count()), lengths: Vec::new() };
        for part in parts {
            let base = all.found.len() as u32;
            all.found.extend(part.found);
            all.ends.extend(part.ends.iter().map(|end| base + end));
            all.lengths.extend(part.lengths);
        }
        all
    }

    /// Returns the words found in the one or two blocks of a window, and the total length of the
    /// blocks.
    fn in_blocks(&self, blocks: Range<usize>) -> (&[TermCount], u32) {
        let start = if blocks.start == 0 { 0 } else { self.ends[blocks.start - 1] };
        let found = &self.found[start as usize..self.ends[blocks.end - 1] as usize];
        (found, self.lengths[blocks].iter().sum())
    }
}

/// Windows with their scores against a bag of words.
pub struct Windows {
    /// BM25 score of each window. Windows that are not members have a score of 0 and are not
    /// counted.
    pub scores: Vec<f64>,
    matches: BlockMatches,
    /// Blocks of each window.
    blocks: Vec<Range<usize>>,
    /// Inverse document frequency of each word, times its weight in the bag.
    weights: Vec<f64>,
    /// Mean number of words in a window.
    average: f64,
}

impl Windows {
    /// Scores all windows that are members.
    pub fn score(fragments: &Fragments<'_>, bag: &Bag) -> Self {
        let (matches, blocks) = (BlockMatches::read(fragments.graph, bag), windows(fragments));
        // An index can be crafted with valid checksums and invalid numbers.
        if blocks.iter().any(|range| range.is_empty() || range.end > matches.ends.len()) {
            fragments.graph.reject();
        }
        let members: Vec<FragmentId> = fragments.ids().filter(|&window| fragments.members[window]).collect();
        let (mut document_frequencies, mut last, mut total) =
            (vec![0u32; bag.distinct()], vec![FragmentId(u32::MAX); bag.distinct()], 0u64);
        for &window in &members {
            let (found, length) = matches.in_blocks(blocks[window.index()].clone());
            total += u64::from(length);
            for &(term, _) in found {
                document_frequencies[term as usize] +=
                    u32::from(std::mem::replace(&mut last[term as usize], window) != window);
            }
        }
        let size = members.len().max(1) as f64;
        let idf = |&df: &u32| (1.0 + (size - f64::from(df) + 0.5) / (f64::from(df) + 0.5)).ln();
        let weights = document_frequencies.iter().zip(&bag.weights).map(|(df, weight)| idf(df) * weight).collect();
        let average = (total as f64 / size).max(1.0);
        let mut scored = Self { scores: vec![0.0; blocks.len()], matches, blocks, weights, average };
        let mut counts = vec![0u32; bag.distinct()];
        for &window in &members {
            let mut sum = 0.0;
            scored.shares(window, &mut counts, |_, _, share| sum += share);
            scored.scores[window.index()] = sum;
        }
        scored
    }

    /// Returns the contribution of each word to a window's score, largest first.
    pub fn term_scores(&self, window: FragmentId) -> Vec<TermScore> {
        let mut out = Vec::new();
        let field = DocumentField::Own(Field::Body);
        self.shares(window, &mut vec![0; self.weights.len()], |term, count, share| {
            out.push(TermScore { term, field, count: count as f32, score: share as f32 });
        });
        out.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.term.cmp(&b.term)));
        out
    }

    /// Calls `emit` with each word of a window, its count, and its contribution to the score.
    /// `counts` contains only zeros, before and after the call.
    fn shares(&self, window: FragmentId, counts: &mut [u32], mut emit: impl FnMut(usize, u32, f64)) {
        let (found, length) = self.matches.in_blocks(self.blocks[window.index()].clone());
        found.iter().for_each(|&(term, count)| counts[term as usize] += u32::from(count));
        let norm = WINDOW_K1 * (1.0 - WINDOW_B + WINDOW_B * f64::from(length) / self.average);
        for &(term, _) in found {
            // A word in both blocks occurs twice here but is emitted once.
            let count = std::mem::take(&mut counts[term as usize]);
            if count > 0 {
                let tf = f64::from(count);
                emit(term as usize, count, self.weights[term as usize] * (WINDOW_K1 + 1.0) * tf / (tf + norm));
            }
        }
    }
}

/// Returns the blocks of each window.
fn windows(fragments: &Fragments<'_>) -> Vec<Range<usize>> {
    let graph = fragments.graph;
    let mut all = Vec::with_capacity(fragments.count());
    for file in graph.file_ids() {
        let blocks = graph.blocks_of(file);
        let count = windows_in(graph.file(file).lines) as usize;
        all.extend((0..count).map(|window| blocks.start + window..(blocks.start + window + 2).min(blocks.end)));
    }
    all
}
