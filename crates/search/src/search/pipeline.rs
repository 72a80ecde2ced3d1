//! The steps of a search, in order, over all indexes that are ranked together.
//!
//! ```text
//! step     in each index                                      over all indexes
//! count    its share of the word counts; then of synonyms     summed
//! score    BM25F by those sums; its best score                the best of all is found
//! choose   its best, with adjusted scores                     the best of all are kept
//! measure  their features, not yet scaled                     scaled, ordered: `order.rs`
//! ```
//! Sums, a maximum and a merge do not depend on how indexes are distributed over shards, and
//! neither do the results.
//!
//! The counts of a shard give an upper bound of its scores. A shard without the rare words, which
//! cannot contain any of the best definitions, is therefore skipped.

use super::counts::CorpusStatistics;
use super::hit::Hit;
use super::index_search::PreparedQuery;
use super::order::{BestHits, MeasuredCandidate, best_of, measured_depth, order};
use super::query::KindFilter;
use whichfn_system::error::Result;

/// Indexes that are ranked together, in shards of one or more.
///
/// A step covers several shards, which are identified by position, so that an implementation can
/// run it in parallel. It fails if the shards cannot be searched.
pub trait Shards {
    /// Returns the query.
    fn prepared(&self) -> &PreparedQuery;

    /// Starts over with a search for definitions of these kinds.
    fn restart(&mut self, kind: KindFilter);

    /// Counts the words of the query in all shards.
    fn count(&mut self) -> Result<CorpusStatistics>;

    /// Counts, for each of these terms, the definitions of all shards that contain a synonym.
    fn count_synonyms(&mut self, terms: &[usize]) -> Result<Vec<u64>>;

    /// Returns the best word score for each scored shard, and an upper bound for each other
    /// shard.
    fn max_scores(&self, counts: &CorpusStatistics) -> Vec<f32>;

    /// Returns the maximum number of shards in the first batch of a step, and in each later batch.
    ///
    /// Larger batches need fewer rounds. Smaller batches avoid more work, because the results of
    /// one show which of the other shards can be skipped.
    fn batch_sizes(&self) -> (usize, usize);

    /// Scores some shards, and returns their best word score.
    fn score(&mut self, shards: &[usize], counts: &CorpusStatistics) -> Result<f32>;

    /// Returns, for each of these shards, up to `most` of its best definitions, and all that the
    /// question names. `best` is the best word score in all shards.
    fn choose(&mut self, shards: &[usize], counts: &CorpusStatistics, best: f32, most: usize) -> Result<Vec<BestHits>>;

    /// Measures the first `depth` of the hits that were found.
    fn measure(&mut self, found: &Found, depth: usize) -> Result<Vec<MeasuredCandidate>>;
}

/// Hits, with the totals that their scores depend on.
#[derive(Debug, Clone)]
pub struct Found {
    /// Hits, the best first.
    pub hits: Vec<Hit>,
    /// Word counts of all shards.
    pub counts: CorpusStatistics,
    /// Best score by words in all shards.
    pub best: f32,
}

/// Returns up to `most` hits in the order of the query's ranker.
///
/// # Errors
/// Returns an error if the shards cannot be searched.
pub fn search(shards: &mut impl Shards, most: usize) -> Result<Found> {
    let mut found = search_words(shards, most)?;
    let depth = measured_depth(&shards.prepared().query, found.hits.len());
    let measured = shards.measure(&found, depth)?;
    order(&shards.prepared().query, &found.counts, &mut found.hits, &measured);
    Ok(found)
}

/// Returns up to `most` hits in the order of their words.
pub(super) fn search_words(shards: &mut impl Shards, most: usize) -> Result<Found> {
    let counts = count(shards)?;
    let best = score(shards, &counts)?;
    let hits = best_of(choose(shards, &counts, best, most)?, most);
    Ok(Found { hits, counts, best })
}

/// Counts the words of the query, and the synonyms of words that no shard contains.
pub(super) fn count(shards: &mut impl Shards) -> Result<CorpusStatistics> {
    let mut counts = shards.count()?;
    let unknown = counts.unknown_terms();
    if !unknown.is_empty() {
        counts.add_synonyms(&unknown, &shards.count_synonyms(&unknown)?);
    }
    Ok(counts)
}

/// Returns the best word score. Shards that cannot reach it are not scored.
///
/// # Errors
/// Returns an error if the shards cannot be searched.
pub fn score(shards: &mut impl Shards, counts: &CorpusStatistics) -> Result<f32> {
    let mut batches = Batches::new(shards.max_scores(counts).into_iter(), shards.batch_sizes());
    let mut best = 0f32;
    while let Some(batch) = batches.next(|at_most| at_most > best) {
        best = best.max(shards.score(&batch, counts)?);
    }
    Ok(best)
}

/// Returns up to `most` of the best definitions. Shards that cannot contain any of them are
/// skipped.
///
/// # Errors
/// Returns an error if the shards cannot be searched.
pub fn choose(shards: &mut impl Shards, counts: &CorpusStatistics, best: f32, most: usize) -> Result<BestHits> {
    let prepared = shards.prepared();
    let needs_all = prepared.finds_without_words();
    let words = shards.max_scores(counts).into_iter();
    let adjusted = words.map(|words| if words > 0.0 { prepared.max_adjusted_score(words, best) } else { -1.0 });
    let sizes = if needs_all { (usize::MAX, usize::MAX) } else { shards.batch_sizes() };
    let (mut chosen, mut batches) = (BestHits::default(), Batches::new(adjusted, sizes));
    while let Some(batch) = batches.next(|at_most| needs_all || at_most >= chosen.min_score(most)) {
        for hits in shards.choose(&batch, counts, best, most)? {
            chosen.add(hits, most);
        }
    }
    Ok(chosen)
}

/// Shards that wait for a step, each with the highest score that it can reach, the highest first.
struct Batches {
    waiting: Vec<(f32, usize)>,
    /// Maximum sizes of the next batch, and of each batch after it.
    sizes: (usize, usize),
}

impl Batches {
    fn new(max_scores: impl Iterator<Item = f32>, sizes: (usize, usize)) -> Self {
        let mut waiting: Vec<(f32, usize)> = max_scores.zip(0..).collect();
        waiting.sort_by(|a, b| b.0.total_cmp(&a.0));
        Self { waiting, sizes }
    }

    /// Removes and returns the most promising shards; `None` if no shard is worth the step.
    fn next(&mut self, is_worth: impl Fn(f32) -> bool) -> Option<Vec<usize>> {
        self.waiting.retain(|&(at_most, _)| is_worth(at_most));
        let size = self.sizes.0.min(self.waiting.len());
        self.sizes.0 = self.sizes.1;
        let batch: Vec<usize> = self.waiting.drain(..size).map(|(_, shard)| shard).collect();
        (!batch.is_empty()).then_some(batch)
    }
}
