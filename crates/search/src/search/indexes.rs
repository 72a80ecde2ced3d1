//! Open indexes that are searched in this process, several in parallel.

use super::counts::CorpusStatistics;
use super::hit::Hit;
use super::index_search::{IndexSearch, PreparedQuery};
use super::order::{BestHits, MeasuredCandidate};
use super::pipeline::{Found, Shards};
use super::query::KindFilter;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use whichfn_syntax::ids::MemberId;
use whichfn_system::error::Result;

/// Number of indexes per thread in one batch. After each batch, the remaining indexes are skipped
/// if they cannot contain any of the best definitions.
const INDEXES_PER_THREAD: usize = 4;

/// Open indexes, each of which is a shard.
pub struct Indexes<'g> {
    prepared: Arc<PreparedQuery>,
    /// The indexes, each with a different number.
    pub members: Vec<IndexSearch<'g>>,
}

impl<'g> Indexes<'g> {
    /// Creates the set of indexes to search for a query.
    pub fn new(prepared: Arc<PreparedQuery>, members: Vec<IndexSearch<'g>>) -> Self {
        Self { prepared, members }
    }

    /// Sets the contribution of each word of the question to the scores of hits.
    pub fn explain(&mut self, counts: &CorpusStatistics, hits: &mut [Hit]) {
        for hit in hits {
            if let Some(index) = self.members.iter_mut().find(|index| index.member == hit.member) {
                index.explain(counts, hit);
            }
        }
    }

    /// Returns the indexes at these positions.
    fn select(&mut self, shards: &[usize]) -> Vec<&mut IndexSearch<'g>> {
        let mut members: Vec<_> = self.members.iter_mut().map(Some).collect();
        shards.iter().filter_map(|&shard| members[shard].take()).collect()
    }
}

impl Shards for Indexes<'_> {
    fn prepared(&self) -> &PreparedQuery {
        &self.prepared
    }

    fn restart(&mut self, kind: KindFilter) {
        if kind != self.prepared.query.kind {
            self.prepared = Arc::new(self.prepared.of_kind(kind));
            let restarted = self.members.iter().map(|index| index.restarted(&self.prepared));
            self.members = restarted.collect();
        }
    }

    fn count(&mut self) -> Result<CorpusStatistics> {
        let add = |mut sum: CorpusStatistics, counts: CorpusStatistics| {
            sum.add(&counts);
            sum
        };
        Ok(self.members.par_iter().map(IndexSearch::counts).reduce(CorpusStatistics::default, add))
    }

    fn count_synonyms(&mut self, terms: &[usize]) -> Result<Vec<u64>> {
        let add = |sum: Vec<u64>, counts: Vec<u64>| sum.into_iter().zip(counts).map(|(a, b)| a + b).collect();
        Ok(self.members.par_iter().map(|index| index.synonym_counts(terms)).reduce(|| vec![0; terms.len()], add))
    }

    fn max_scores(&self, counts: &CorpusStatistics) -> Vec<f32> {
        self.members.par_iter().map(|index| index.max_score(counts)).collect()
    }

    fn batch_sizes(&self) -> (usize, usize) {
        let size = INDEXES_PER_THREAD * rayon::current_num_threads();
        (size, size)
    }

    fn score(&mut self, shards: &[usize], counts: &CorpusStatistics) -> Result<f32> {
        Ok(self.select(shards).into_par_iter().map(|index| index.score(counts)).reduce(|| 0.0, f32::max))
    }

    fn choose(&mut self, shards: &[usize], counts: &CorpusStatistics, best: f32, most: usize) -> Result<Vec<BestHits>> {
        self.select(shards).into_par_iter().map(|index| index.choose(counts, best, most)).collect()
    }

    fn measure(&mut self, found: &Found, depth: usize) -> Result<Vec<MeasuredCandidate>> {
        let (Found { counts, best, .. }, hits) = (found, &found.hits[..depth]);
        let mut own: BTreeMap<MemberId, Vec<&Hit>> = BTreeMap::new();
        hits.iter().for_each(|hit| own.entry(hit.member).or_default().push(hit));
        let measured = self.members.par_iter_mut().filter_map(|index| {
            let measured = index.measure(counts, *best, own.get(&index.member)?);
            Some(measured.map(|candidates| (index.member, candidates.into_iter())))
        });
        let mut measured = measured.collect::<Result<BTreeMap<_, _>>>()?;
        Ok(hits.iter().filter_map(|hit| measured.get_mut(&hit.member)?.next()).collect())
    }
}
