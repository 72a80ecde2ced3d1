//! Ranks the passages for a query.

use crate::caught::{caught, unusable};
use crate::class::{CLASSES, factors};
use crate::hit::{PassageHit, STEPS};
use crate::index::PassageIndex;
use crate::query::PassageQuery;
use crate::rerank::{RERANKED, rerank};
use crate::schema::{CLASS, HEADING_SEPARATOR};
use crate::statistics::Statistics;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::Column;
use tantivy::schema::Value;
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader, TantivyDocument};
use whichfn_system::error::Result;

impl PassageIndex {
    /// Returns the number of passages.
    pub fn len(&self) -> usize {
        self.searcher.num_docs() as usize
    }

    /// Checks whether there is no passage.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns up to `limit` passages that match the query and that `accepts` accepts, sorted by
    /// score, then by path and line. `read` returns the text of a file as it was indexed.
    ///
    /// # Errors
    /// Returns an error if the index cannot be read. It is then damaged: see [`Self::rebuild`].
    pub fn search(
        &self,
        query: &PassageQuery,
        limit: usize,
        accepts: &dyn Fn(&PassageHit) -> bool,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Vec<PassageHit>> {
        caught(|| {
            let ranked = self.ranked(query, limit.max(RERANKED), accepts).and_then(|mut hits| {
                rerank(self, query, &mut hits, read)?;
                hits.truncate(limit);
                Ok(hits)
            });
            ranked.map_err(|cause| unusable(&cause))
        })
    }

    fn ranked(
        &self,
        query: &PassageQuery,
        limit: usize,
        accepts: &dyn Fn(&PassageHit) -> bool,
    ) -> tantivy::Result<Vec<PassageHit>> {
        let Some(parsed) = query.to_tantivy(&self.fields) else { return Ok(Vec::new()) };
        let matches = All { factors: factors(&query.stems()) };
        let mut found =
            self.searcher.search_with_statistics_provider(&*parsed, &matches, &Statistics(&self.searcher))?;
        found.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut hits = Vec::new();
        // Passages with the same score are sorted together.
        for same in found.chunk_by(|a, b| a.0 == b.0) {
            if hits.len() >= limit {
                break;
            }
            let mut group = Vec::new();
            for &(score, address) in same {
                group.push(self.hit(score, address)?);
            }
            group.retain(|hit| query.accepts_path(&hit.path) && accepts(hit));
            group.sort_by(|a, b| a.path.cmp(&b.path).then(a.start_line.cmp(&b.start_line)));
            hits.extend(group);
        }
        hits.truncate(limit);
        Ok(hits)
    }

    fn hit(&self, score: u32, address: DocAddress) -> tantivy::Result<PassageHit> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        let text = |field| document.get_first(field).and_then(|value| value.as_str()).unwrap_or_default().to_owned();
        let line = |field| document.get_first(field).and_then(|value| value.as_u64()).unwrap_or(1) as u32;
        let headings = text(self.fields.headings);
        Ok(PassageHit {
            path: text(self.fields.path),
            start_line: line(self.fields.start),
            end_line: line(self.fields.end),
            headings: headings.split(HEADING_SEPARATOR).filter(|one| !one.is_empty()).map(str::to_owned).collect(),
            score: score as f32 / STEPS,
        })
    }
}

/// Collects all matches with their rounded scores, each times the factor of its class.
struct All {
    factors: [f32; CLASSES],
}

/// The matches of one segment.
struct SegmentMatches {
    segment: SegmentOrdinal,
    classes: Column<u64>,
    factors: [f32; CLASSES],
    found: Vec<(u32, DocAddress)>,
}

impl Collector for All {
    type Fruit = Vec<(u32, DocAddress)>;
    type Child = SegmentMatches;

    fn for_segment(&self, segment: SegmentOrdinal, reader: &SegmentReader) -> tantivy::Result<SegmentMatches> {
        let classes = reader.fast_fields().u64(CLASS)?;
        Ok(SegmentMatches { segment, classes, factors: self.factors, found: Vec::new() })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, found: Vec<Vec<(u32, DocAddress)>>) -> tantivy::Result<Self::Fruit> {
        Ok(found.into_iter().flatten().collect())
    }
}

impl SegmentCollector for SegmentMatches {
    type Fruit = Vec<(u32, DocAddress)>;

    fn collect(&mut self, doc: DocId, score: Score) {
        let class = self.classes.first(doc).unwrap_or(0) as usize;
        let score = score * self.factors.get(class).unwrap_or(&1.0);
        self.found.push(((score * STEPS).round() as u32, DocAddress::new(self.segment, doc)));
    }

    fn harvest(self) -> Self::Fruit {
        self.found
    }
}
